//! What the hosts of a job say, and what the job does about it.

use super::{Appetite, GRACE_FAILED, Job, Phase, Site};
use crate::cause::{Cause, Ending, Who};
use crate::events::{Command, Ended, Event};
use crate::pmi::Action;
use crate::rank::Which;
use crate::sink::Sink;
use nix::sys::signal::Signal;

impl Job<'_> {
    /// Deals with all that a node in this process has to say.
    pub(super) fn hear_here(&mut self, number: usize) {
        while let Site::Here(node) = &mut self.hosts[number].site
            && let Some(event) = node.event()
        {
            self.hear(number, event);
        }
    }

    /// Takes what ranks here have written up to now.
    pub(super) fn hear_output(&mut self) {
        for number in 0..self.hosts.len() {
            if let Site::Here(node) = &mut self.hosts[number].site {
                for event in node.outputs() {
                    self.hear(number, event);
                }
            }
        }
    }

    pub(super) fn hear(&mut self, number: usize, event: Event) {
        match event {
            Event::Started { rank, pid } => self.started(number, rank, pid),
            Event::NotStarted { text, code } => {
                self.end(Cause::NotStarted(text, code), Signal::SIGTERM, GRACE_FAILED);
            }
            Event::Output { rank, which, bytes } => {
                if matches!(self.hosts[number].site, Site::There(_)) {
                    self.hosts[number].owed += bytes.len();
                }
                if let Some(sink) = self.sink(number, rank, which) {
                    let at = sink;
                    self.seats[rank].sinks[at].take(&bytes, &mut self.outlets);
                }
            }
            Event::Closed { rank, which } => {
                if let Some(at) = self.sink(number, rank, which) {
                    let mut sink = self.seats[rank].sinks.swap_remove(at);
                    sink.finish(&mut self.outlets);
                }
            }
            Event::Connected { rank } if self.is_at(number, rank) => {
                self.server.new_connection(rank);
            }
            Event::Pmi { rank, bytes } if self.is_at(number, rank) => {
                let actions = self.server.feed(rank, &bytes);
                self.act(actions);
                self.see_whether_stuck();
            }
            Event::Deaf { rank, why } if self.is_at(number, rank) => self.broken(rank, why),
            Event::Ended(ended) if self.is_at(number, ended.rank) => self.ended(ended),
            Event::Foreign(text) => {
                if !std::mem::replace(&mut self.named, true) {
                    self.say(&text);
                }
            }
            Event::Say(text) => self.say(&text),
            Event::Note(text) => {
                if !self.request.quiet {
                    self.say(&text);
                }
            }
            Event::Hungry(hungry) => {
                self.hosts[number].appetite = match hungry {
                    true => Appetite::Hungry,
                    false => Appetite::Nobody,
                };
            }
            Event::Pong => {}
            Event::Done => self.hosts[number].done = true,
            Event::Gone => {
                self.hosts[number].done = true;
                self.hosts[number].gone = true;
            }
            Event::Leaving(text) => {
                let host = &self.plan.sites[number].name;
                let text = format!("the daemon on host {host} ends: {text}");
                self.end(Cause::HostLost(text), Signal::SIGTERM, GRACE_FAILED);
            }
            // A daemon that speaks for ranks of another host.
            Event::Connected { .. } | Event::Pmi { .. } | Event::Deaf { .. } | Event::Ended(_) => {
                self.nonsense(number)
            }
        }
    }

    fn nonsense(&mut self, number: usize) {
        let host = &self.plan.sites[number].name;
        self.lost(
            number,
            format!("host {host}: the daemon there speaks of ranks that it does not have"),
        );
    }

    /// Whether a rank is on this host.
    fn is_at(&self, number: usize, rank: usize) -> bool {
        self.seats.get(rank).is_some_and(|s| s.host == number)
    }

    /// Where among its sinks a rank's stream is.
    fn sink(&self, number: usize, rank: usize, which: Which) -> Option<usize> {
        let seat = self.seats.get(rank).filter(|s| s.host == number)?;
        seat.sinks.iter().position(|sink| sink.which() == which)
    }

    fn started(&mut self, number: usize, rank: usize, pid: i32) {
        if !self.is_at(number, rank) || self.seats[rank].started {
            self.nonsense(number);
            return;
        }
        let size = self.seats.len();
        let rules = &self.request.output;
        let seat = &mut self.seats[rank];
        seat.started = true;
        seat.who.pid = pid;
        let mut failed = None;
        for which in [Which::Out, Which::Err] {
            if which == Which::Err && rules.merge || rules.only.is_some_and(|only| only != rank) {
                continue;
            }
            match Sink::new(rules, &seat.who, seat.program, size, which) {
                Ok(sink) => seat.sinks.push(sink),
                Err(error) => failed = Some(error.to_string()),
            }
        }
        if let Some(text) = failed {
            self.end(Cause::NotStarted(text, 1), Signal::SIGTERM, GRACE_FAILED);
        } else if self.request.verbose && self.hosts.len() > 1 {
            let text = format!("started {}", self.seats[rank].who);
            self.say(&text);
        }
        self.tell_started();
    }

    /// Does what the PMI server wants.
    pub(super) fn act(&mut self, actions: Vec<Action>) {
        self.copy(&actions);
        for action in actions {
            self.act_on(action);
        }
    }

    fn act_on(&mut self, action: Action) {
        let (rank, line, segment) = match action {
            Action::Reply { rank, line } => (rank, line, None),
            Action::Segment {
                rank,
                round,
                index,
                line,
            } => (rank, line, Some((round, index))),
            Action::Abort {
                rank,
                code,
                message,
            } => {
                let who = self.seats[rank].who.clone();
                let cause = Cause::Aborted(who, code, message);
                self.end(cause, Signal::SIGTERM, GRACE_FAILED);
                return;
            }
            Action::Broken { rank, why } => {
                self.broken(rank, why);
                return;
            }
            Action::Spawn { rank, order } => {
                self.spawn(rank, *order);
                return;
            }
            Action::Name { rank, line } => {
                self.ask_about_name(&rank.to_string(), &line);
                return;
            }
        };
        let answer = Command::Answer {
            rank,
            line,
            segment,
        };
        self.tell(&[self.seats[rank].host], answer);
    }

    /// Before ranks leave a barrier, their hosts get what was put until then: those that lack the same, in one
    /// message.
    fn copy(&mut self, actions: &[Action]) {
        let mut lacking: Vec<(usize, Vec<usize>)> = Vec::new();
        for action in actions {
            let Action::Reply { rank, line } = action else {
                continue;
            };
            let number = self.seats[*rank].host;
            let listed = lacking.iter().any(|(_, hosts)| hosts.contains(&number));
            let is_here = matches!(self.hosts[number].site, Site::Here(_));
            if listed || is_here || !line.starts_with(b"cmd=barrier_out") {
                continue;
            }
            let copied = &self.hosts[number].copied;
            let same = |(_, hosts): &&mut (usize, Vec<usize>)| {
                hosts
                    .first()
                    .is_some_and(|&h| self.hosts[h].copied == *copied)
            };
            match lacking.iter_mut().find(same) {
                Some((_, hosts)) => hosts.push(number),
                None => lacking.push((*rank, vec![number])),
            }
        }
        for (rank, hosts) in lacking {
            let copied = &self.hosts[hosts[0]].copied;
            if let Some((round, pairs)) = self.server.puts(rank, copied)
                && !pairs.is_empty()
            {
                for &number in &hosts {
                    *self.hosts[number].copied.entry(round).or_default() += pairs.len();
                }
                self.tell(&hosts, Command::Copy { round, pairs });
            }
        }
    }

    fn broken(&mut self, rank: usize, why: String) {
        let who = self.seats[rank].who.clone();
        self.tell(&[self.seats[rank].host], Command::Close { rank });
        self.end(Cause::BadProtocol(who, why), Signal::SIGTERM, GRACE_FAILED);
    }

    /// What the end of a process that was a rank means for the job.
    fn ended(&mut self, ended: Ended) {
        let rank = ended.rank;
        let seat = &mut self.seats[rank];
        seat.ended = seat.ended.or(ended.over);
        let who = Who {
            rank,
            host: seat.who.host.clone(),
            pid: ended.pid,
            program: ended.program,
        };
        let active = self.server.active(rank);
        let finalized = self.server.finalized(rank);
        let cause = match ended.ending {
            None if active => Some(Cause::Lost(who)),
            Some(Ending::Exited(0)) if active => Some(Cause::NoFinalize(who)),
            None | Some(Ending::Exited(0)) => None,
            Some(Ending::Exited(code)) => Some(Cause::Exited(who, code)),
            Some(Ending::Unknown) => Some(Cause::Vanished(who)),
            Some(Ending::Signalled(signal)) => {
                let hint = if ended.out_of_memory {
                    "; the kernel's out-of-memory killer was at work in this cgroup"
                } else {
                    ""
                };
                Some(Cause::Signalled(who, signal, hint))
            }
        };
        let actions = self.server.ended(rank, cause.is_some());
        self.act(actions);
        if let Some(cause) = cause {
            // Nobody waits for a rank that has left MPI.
            if self.request.recover || finalized {
                if self.phase == Phase::Running {
                    self.hear_output();
                    let when = if finalized { " after MPI_Finalize" } else { "" };
                    self.say(&format!("{cause}{when}"));
                }
                self.verdict.note(cause);
            } else {
                self.end(cause, Signal::SIGTERM, GRACE_FAILED);
            }
        }
        self.see_whether_stuck();
    }

    fn see_whether_stuck(&mut self) {
        if let Some(why) = self.server.stuck() {
            self.end(Cause::Stuck(why), Signal::SIGTERM, GRACE_FAILED);
        }
    }
}

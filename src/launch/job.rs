//! A job from its first process to its last: one loop over all descriptors, signals and deadlines.
//!
//! Job: bring up the hosts, have their nodes start the ranks, serve PMI, move input and output, and see to it that all
//! end together. Decisions live elsewhere: the protocol in `pmi.rs`, the exit code in `cause.rs`. The ranks of this
//! host are a `Node` in this process, those of others are behind a `Remote`; both say the same things
//! (`job/hearing.rs`). Nothing here blocks except the one `poll`, which always has a deadline when one is due.

mod hearing;
mod hosts;
mod spawning;

use crate::cause::{Cause, Ending, Verdict, Who};
use crate::door::secret;
use crate::events::Command;
use crate::feed::{Input, Source};
use crate::guard::{Guard, Watch};
use crate::machine::next_end;
use crate::node::{self, Node};
use crate::outlet::Outlets;
use crate::parent::Parent;
use crate::plan::Plan;
use crate::pmi::Server;
use crate::remote::{Pipe, Remote};
use crate::request::Request;
use crate::sink::Sink;
use crate::start::Before;
use crate::tree::Road;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, raise};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::Pid;
use spawning::Child;
use std::collections::HashMap;
use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// Time between asking the ranks to end because one has failed, and killing them.
const GRACE_FAILED: Duration = Duration::from_secs(1);
/// The same after a signal from the user, who may have a handler that saves work.
const GRACE_ASKED: Duration = Duration::from_secs(10);
/// How long a kill may take before mpiexec stops waiting for it.
const GIVE_UP: Duration = Duration::from_secs(10);
/// How often ends of ranks are looked for without a signal: a thread that a preloaded library has started in
/// mpiexec may get the signal instead.
const CHECK: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// The ranks were asked to end; at this time they are killed.
    Ending(Instant),
    /// They were killed; at this time mpiexec stops waiting.
    Killed(Instant),
}

/// What a ready descriptor belongs to.
#[derive(Clone, Copy)]
enum Ready {
    Signal,
    Node(usize, node::Ready),
    Remote(usize, Pipe),
    Input,
    Outlet,
    /// The mpiexec of a spawned job.
    Child(Pid),
    /// Who has spawned this job.
    Parent,
}

/// Who runs the ranks of a host.
enum Site {
    Here(Box<Node>),
    There(There),
}

/// A daemon on another host.
struct There {
    road: Road,
    /// The host from which it is to be reached, if not from this one.
    parent: Option<usize>,
    /// Which of the remotes leads there, once somebody is asked to.
    by: Option<usize>,
    stage: Stage,
}

/// Where a daemon is on its way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Coming,
    /// It has answered.
    Ready,
    /// It was told to start the ranks.
    Working,
    /// The host is lost.
    Over,
}

/// Who on a host wants standard input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Appetite {
    Nobody,
    Hungry,
    /// Not yet through with what was given, or not yet known.
    Fed,
}

struct Host {
    site: Site,
    appetite: Appetite,
    /// Bytes of output that a daemon does not know to have been taken.
    owed: usize,
    /// How much of each round's key-value space the host has a copy of.
    copied: HashMap<usize, usize>,
    /// Every rank there has ended.
    done: bool,
    /// Nothing of the ranks is left there.
    gone: bool,
}

/// A rank, wherever it runs.
struct Seat {
    who: Who,
    program: usize,
    host: usize,
    sinks: Vec<Sink>,
    started: bool,
    ended: Option<Ending>,
}

struct Job<'a> {
    request: &'a Request,
    plan: &'a Plan,
    before: &'a Before,
    hosts: Vec<Host>,
    /// The daemons that this process has started itself.
    remotes: Vec<Remote>,
    seats: Vec<Seat>,
    /// The nodes have been told to start the ranks.
    started: bool,
    server: Server,
    source: Source,
    outlets: Outlets,
    watch: Watch,
    verdict: Verdict,
    phase: Phase,
    /// A rank on another MPI has been named.
    named: bool,
    /// Who has spawned this job.
    parent: Option<Parent>,
    /// The mpiexecs of spawned jobs that run, and how many there have been.
    children: Vec<Child>,
    spawned: usize,
    coming: hosts::Coming,
}

/// Runs the job to its end and returns mpiexec's exit code. `parent`: who has spawned it, if anybody has.
pub fn run(
    request: &Request,
    plan: &Plan,
    before: &Before,
    guard: Guard,
    parent: Option<Parent>,
) -> io::Result<i32> {
    let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
    let signals = SignalFd::with_flags(before.signals.handled(), flags)?;
    let seat = |(rank, proc): (usize, &crate::plan::Proc)| Seat {
        who: Who {
            rank,
            host: plan.sites[proc.site].name.clone(),
            pid: 0,
            program: plan.scripts[proc.program].command[0]
                .to_string_lossy()
                .into_owned(),
        },
        program: proc.program,
        host: proc.site,
        sinks: Vec::new(),
        started: false,
        ended: None,
    };
    let server = Server::new(
        // Processes know their job by this name, on any host.
        &format!("kvs_{}_{}", std::process::id(), secret()?),
        plan.procs.iter().map(|p| p.program).collect(),
        plan.universe,
        request.recover,
    );
    let mut job = Job {
        request,
        plan,
        before,
        hosts: Vec::new(),
        remotes: Vec::new(),
        seats: plan.procs.iter().enumerate().map(seat).collect(),
        started: false,
        server: server
            .on(plan.procs.iter().map(|p| p.site).collect())
            .with_secret(secret()? + &secret()?)
            .with_values(parent.as_ref().map_or(&[][..], |p| &p.values[..])),
        source: Source::Open,
        outlets: Outlets::standard()?,
        watch: guard.watch()?,
        verdict: Verdict::default(),
        phase: Phase::Running,
        named: false,
        parent,
        children: Vec::new(),
        spawned: 0,
        coming: hosts::Coming::new(request.launch.patience),
    };
    job.find_hosts(&guard)?;
    let limit = request
        .timeout
        .map(|s| (Instant::now() + Duration::from_secs(s), s));
    job.serve(&signals, limit)?;
    job.wind_up()?;
    job.flush_all(&signals)?;
    job.leave_parent();
    let code = job.verdict.code();
    guard.dismiss();
    Ok(code)
}

impl Job<'_> {
    fn say(&mut self, text: &str) {
        let which = match self.parent {
            None => "",
            Some(_) => " (spawned job)",
        };
        self.outlets
            .err()
            .push(format!("mpiexec{which}: {text}\n").as_bytes());
    }

    /// The loop: until every rank has ended and its output is read.
    fn serve(&mut self, signals: &SignalFd, limit: Option<(Instant, u64)>) -> io::Result<()> {
        let mut check = Instant::now() + CHECK;
        loop {
            let due = self.turn();
            self.flush();
            if self.hosts.iter().all(|h| h.done) && self.children.is_empty() {
                return Ok(());
            }
            let now = Instant::now();
            if now >= check {
                check = now + CHECK;
                self.reap();
                // What was found is dealt with before anything else.
                continue;
            }
            if let Some((at, seconds)) = limit
                && now >= at
                && self.phase == Phase::Running
            {
                self.end(Cause::Timeout(seconds), Signal::SIGTERM, GRACE_FAILED);
            }
            match self.phase {
                Phase::Ending(at) if now >= at => self.kill(),
                Phase::Killed(at) if now >= at => {
                    let left = self.seats.iter().filter(|s| s.ended.is_none() && s.started);
                    let left: Vec<String> = left.map(|s| s.who.to_string()).collect();
                    if !left.is_empty() {
                        self.say(&format!("killed, but still not ended: {}", left.join(", ")));
                    }
                    self.kill_children();
                    return Ok(());
                }
                _ => {}
            }
            let phase = match self.phase {
                Phase::Running => limit.map(|(at, _)| at),
                Phase::Ending(at) | Phase::Killed(at) => Some(at),
            };
            let background =
                (self.source == Source::Background).then(|| now + Duration::from_secs(1));
            let deadline = [due, phase, background, Some(check)];
            let deadline = deadline.into_iter().flatten().min();
            let ready = self.wait(Some(signals), deadline)?;
            self.source.retry();
            for what in ready {
                self.handle(what, signals)?;
            }
        }
    }

    /// Does what is due on all hosts and deals with what they say. Returns when something is due again.
    fn turn(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let mut due = self.come_up(now);
        for number in 0..self.hosts.len() {
            if let Site::Here(node) = &mut self.hosts[number].site
                && self.started
            {
                let next = node.turn();
                due = [due, next].into_iter().flatten().min();
                self.hear_here(number);
            }
        }
        for number in 0..self.remotes.len() {
            let mut news = Vec::new();
            let next = self.remotes[number].turn(now, &mut self.watch, &mut news);
            due = [due, next].into_iter().flatten().min();
            self.hear_from(number, news);
        }
        due
    }

    /// Waits for descriptors, at most until `deadline`.
    fn wait(
        &self,
        signals: Option<&SignalFd>,
        deadline: Option<Instant>,
    ) -> io::Result<Vec<Ready>> {
        let mut what = Vec::new();
        let mut fds = Vec::new();
        let mut add = |ready: Ready, fd, flags| {
            what.push(ready);
            fds.push(PollFd::new(fd, flags));
        };
        if let Some(signals) = signals {
            add(Ready::Signal, signals.as_fd(), PollFlags::POLLIN);
        }
        let stdin = io::stdin();
        let full = self.outlets.full();
        for (number, host) in self.hosts.iter().enumerate() {
            if let Site::Here(node) = &host.site {
                for (ready, fd, flags) in node.descriptors(full) {
                    add(Ready::Node(number, ready), fd, flags);
                }
            }
        }
        for (number, remote) in self.remotes.iter().enumerate() {
            // What an agent says is as much output as what ranks write.
            let all = remote.descriptors();
            for (pipe, fd, flags) in all.filter(|(pipe, ..)| *pipe != Pipe::Err || !full) {
                add(Ready::Remote(number, pipe), fd, flags);
            }
        }
        if signals.is_some() {
            for child in &self.children {
                if let Some((fd, flags)) = child.descriptor() {
                    add(Ready::Child(child.pid()), fd, flags);
                }
            }
            for (fd, flags) in self.parent.iter().flat_map(Parent::descriptors) {
                add(Ready::Parent, fd, flags);
            }
        }
        if signals.is_some() && self.wants_input() {
            add(Ready::Input, stdin.as_fd(), PollFlags::POLLIN);
        }
        for fd in self.outlets.waiting() {
            add(Ready::Outlet, fd, PollFlags::POLLOUT);
        }
        let timeout = match deadline {
            None => PollTimeout::NONE,
            Some(at) => {
                let left = at.saturating_duration_since(Instant::now());
                // Rounded up, so that the deadline has passed when poll returns.
                let millis = (left.as_micros().div_ceil(1000)).min(60_000) as u16;
                PollTimeout::from(millis)
            }
        };
        match poll(&mut fds, timeout) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
        Ok(fds
            .iter()
            .zip(what)
            .filter(|(fd, _)| fd.revents().is_none_or(|r| !r.is_empty()))
            .map(|(_, what)| what)
            .collect())
    }

    fn handle(&mut self, what: Ready, signals: &SignalFd) -> io::Result<()> {
        match what {
            Ready::Signal => {
                while let Some(info) = signals.read_signal()? {
                    if let Ok(signal) = Signal::try_from(info.ssi_signo as i32) {
                        self.signal(signal)?;
                    }
                }
            }
            Ready::Input => self.read_input(),
            Ready::Node(..) | Ready::Remote(..) => self.handle_host(what),
            Ready::Child(pid) => self.hear_child(pid),
            Ready::Parent => self.hear_parent(),
            // The loop flushes on every turn.
            Ready::Outlet => {}
        }
        Ok(())
    }

    fn handle_host(&mut self, what: Ready) {
        match what {
            Ready::Node(number, ready) => {
                if let Site::Here(node) = &mut self.hosts[number].site {
                    node.handle(ready);
                }
                self.hear_here(number);
            }
            Ready::Remote(number, pipe) => {
                let mut news = Vec::new();
                self.remotes[number].handle(pipe, &mut news);
                self.hear_from(number, news);
            }
            _ => {}
        }
    }

    /// Whether standard input is to be read: somebody wants more, and all have taken what they were given.
    fn wants_input(&self) -> bool {
        self.source == Source::Open
            && self.hosts.iter().any(|h| h.appetite == Appetite::Hungry)
            && self.hosts.iter().all(|h| h.appetite != Appetite::Fed)
    }

    fn read_input(&mut self) {
        let command = match self.source.read() {
            Input::Nothing => return,
            Input::Bytes(bytes) => Command::Input(bytes),
            Input::Ended => Command::InputEnded,
        };
        let is_hungry = |h: &Host| h.appetite == Appetite::Hungry;
        let hungry: Vec<usize> = (0..self.hosts.len())
            .filter(|&number| is_hungry(&self.hosts[number]))
            .collect();
        for &number in &hungry {
            self.hosts[number].appetite = match command {
                Command::Input(_) => Appetite::Fed,
                _ => Appetite::Nobody,
            };
        }
        self.tell(&hungry, command);
    }

    fn signal(&mut self, signal: Signal) -> io::Result<()> {
        match signal {
            Signal::SIGCHLD => self.reap(),
            Signal::SIGUSR1 | Signal::SIGUSR2 | Signal::SIGCONT => self.send(signal),
            Signal::SIGTSTP => {
                self.send(Signal::SIGSTOP);
                self.tell_all(Command::Pause);
                raise(Signal::SIGSTOP)?;
            }
            Signal::SIGINT | Signal::SIGTERM | Signal::SIGQUIT | Signal::SIGHUP => {
                if self.phase == Phase::Running {
                    let forwarded = if signal == Signal::SIGHUP {
                        Signal::SIGTERM
                    } else {
                        signal
                    };
                    self.end(Cause::Interrupted(signal as i32), forwarded, GRACE_ASKED);
                } else {
                    self.kill();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Collects all processes that have ended.
    fn reap(&mut self) {
        let mut ended = Vec::new();
        let is_here = |h: &Host| matches!(h.site, Site::Here(_));
        if !self.hosts.iter().any(is_here) {
            ended.extend(std::iter::from_fn(next_end));
        }
        for number in 0..self.hosts.len() {
            if let Site::Here(node) = &mut self.hosts[number].site {
                node.reap();
                ended.extend(node.strangers());
                self.hear_here(number);
            }
        }
        for (pid, ending) in ended {
            if self.is_child_over(pid) {
                continue;
            }
            self.remotes.iter_mut().any(|r| r.ended(pid, ending));
        }
    }

    /// Ends the job for `cause`, unless it is ending already.
    fn end(&mut self, cause: Cause, with: Signal, grace: Duration) {
        if self.phase != Phase::Running {
            return;
        }
        // What the ranks have said of it comes first.
        self.hear_output();
        let others = self.seats.iter().filter(|s| s.ended.is_none() && s.started);
        let tail = match (&cause, others.count()) {
            (_, 0) => "",
            (Cause::Interrupted(_), _) => "; it is passed on to the ranks, a second one kills them",
            (Cause::Timeout(_), _) => "; its ranks are being ended",
            (Cause::HostLost(_), _) => "; the job is being ended",
            _ => "; the other ranks are being ended",
        };
        let is_told = self.tell_parent(&cause);
        if !is_told && !cause.is_known() {
            self.say(&format!("{cause}{tail}"));
        }
        self.verdict.note(cause);
        self.phase = Phase::Ending(Instant::now() + grace);
        self.tell_all(Command::End(with as i32));
        self.end_children(with, grace);
        self.leave_unstarted();
    }

    fn kill(&mut self) {
        self.send(Signal::SIGKILL);
        self.phase = Phase::Killed(Instant::now() + GIVE_UP);
    }

    /// Sends a signal to all ranks.
    fn send(&mut self, signal: Signal) {
        self.tell_all(Command::Signal(signal as i32));
        self.signal_children(signal);
    }

    /// After the last rank: what ranks have left running is ended, and what is left to read is read.
    fn wind_up(&mut self) -> io::Result<()> {
        self.tell_all(Command::WindUp);
        let mut refused = 0;
        for number in 0..self.hosts.len() {
            let host = &mut self.hosts[number];
            if let Site::Here(node) = &mut host.site {
                let outlets = &mut self.outlets;
                node.wind_up(|_| {
                    outlets.flush();
                    !outlets.full()
                });
                refused += node.refused();
                self.hear_here(number);
            }
        }
        self.part()?;
        for seat in &mut self.seats {
            for mut sink in seat.sinks.drain(..) {
                sink.finish(&mut self.outlets);
            }
        }
        if refused > 0 && self.request.verbose {
            self.say(&format!(
                "{refused} connections without a token were refused"
            ));
        }
        if self.request.print_exit_codes {
            let code = |s: &Seat| Some(format!("rank {}: {}", s.who.rank, s.ended?.code()));
            let codes: Vec<String> = self.seats.iter().filter_map(code).collect();
            self.say(&format!("exit codes: {}", codes.join(", ")));
        }
        Ok(())
    }

    /// Writes what can be written now. A job whose output is lost is ended.
    fn flush(&mut self) {
        self.outlets.flush();
        if let Some(cause) = self.outlets.lost() {
            self.end(cause, Signal::SIGTERM, GRACE_FAILED);
        }
        if !self.outlets.full() {
            for number in 0..self.hosts.len() {
                let owed = std::mem::take(&mut self.hosts[number].owed);
                if owed > 0 {
                    self.tell(&[number], Command::Taken(owed));
                }
            }
        }
    }

    /// Waits until all output is written; a signal from the user cuts it short.
    fn flush_all(&mut self, signals: &SignalFd) -> io::Result<()> {
        let mut settled = false;
        loop {
            self.flush();
            if self.outlets.empty() {
                if settled {
                    return Ok(());
                }
                settled = true;
                self.outlets.settle();
                continue;
            }
            let mut fds = vec![PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
            fds.extend(
                self.outlets
                    .waiting()
                    .map(|fd| PollFd::new(fd, PollFlags::POLLOUT)),
            );
            match poll(&mut fds, PollTimeout::NONE) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
            while let Some(info) = signals.read_signal()? {
                let signal = info.ssi_signo as i32;
                if matches!(
                    signal,
                    libc::SIGINT | libc::SIGTERM | libc::SIGQUIT | libc::SIGHUP
                ) {
                    self.verdict.note(Cause::Interrupted(signal));
                    return Ok(());
                }
            }
        }
    }
}

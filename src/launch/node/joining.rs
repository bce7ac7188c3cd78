//! Ranks that are another process than the one that was started: they join, they end, they may yet come.
//!
//! The part of a node that deals with the door (`door.rs`) and who has come through it (`member.rs`).

use super::{COMING, LINGER, Node};
use crate::cause::Ending;
use crate::door::{Door, Guest};
use crate::events::Event;
use crate::guard::has_members;
use crate::link::Link;
use crate::machine::cpu_time;
use crate::member::{self, Member};
use crate::rank::Rank;
use nix::unistd::Pid;
use std::time::{Duration, Instant};

/// How long a process in the background may take at most to join after the rank's own process has ended.
const STARTING: Duration = Duration::from_secs(60);

impl Node {
    /// Lets in who has shown a rank's token: as the rank, or, while another process is it, as a world of its own.
    pub(super) fn door(&mut self) {
        let guests = self.door.as_mut().map(Door::serve).unwrap_or_default();
        for guest in guests {
            let number = guest.rank;
            // Whoever was this rank may have just ended.
            self.pmi(number);
            if self.ranks[number]
                .member
                .as_ref()
                .is_some_and(|m| m.link.is_none())
            {
                self.member_ended(number);
            }
            let rank = &self.ranks[number];
            let over = self.ending || rank.ended.is_some();
            let taken = self.clients.active(number) || rank.member.is_some();
            let answer = match (over, taken) {
                (true, _) => "cmd=anympi_joined rc=1 msg=the_job_or_this_rank_has_ended\n",
                (_, true) => "cmd=anympi_joined rc=0 as=singleton\n",
                _ => "cmd=anympi_joined rc=0 as=rank\n",
            };
            if over || taken {
                Link::new(guest.socket).say(answer);
            } else {
                self.join(guest, answer);
            }
        }
    }

    fn join(&mut self, guest: Guest, answer: &str) {
        // Their numbers may be other processes' by now.
        self.forget_outside();
        let number = guest.rank;
        let rank = &mut self.ranks[number];
        let mut member = Member::new(guest, rank.pid.as_raw());
        if let Some(link) = &mut member.link {
            link.say(answer);
        }
        if let Some(target) = member.apart(rank.pid)
            && !self.outside.contains(&target)
        {
            self.guard.add(target);
            self.outside.push(target);
        }
        rank.itself |= member.is_child();
        rank.member = Some(member);
        let event = Event::Connected {
            rank: rank.who.rank,
        };
        self.clients.new_connection(number);
        self.tell(event);
    }

    /// Who came through the door as this rank has ended or closed its connection.
    pub(super) fn member_ended(&mut self, number: usize) {
        let who = self.ranks[number].whose();
        let Some(member) = self.ranks[number].member.take() else {
            return;
        };
        if member.is_child() {
            // Its end is judged when it has been waited for.
            return;
        }
        let ending = member.ending();
        // Its group may have more members.
        let alone = Pid::from_raw(member.pid);
        if let Some(at) = self.outside.iter().position(|&target| target == alone) {
            self.outside.remove(at);
            self.guard.forget(alone);
        }
        let is_last = self.ranks[number].left.is_some() && self.ranks[number].ended.is_none();
        let active = self.clients.active(number);
        let failed = active || !matches!(ending, None | Some(Ending::Exited(0)));
        if is_last {
            self.ranks[number].left = Some(Instant::now() + LINGER);
        }
        if is_last && failed {
            self.over(number, who, ending);
        } else if active {
            self.report(number, who, ending);
        }
    }

    /// Ranks whose process has ended with 0 are over once nobody is that rank, or can be expected to become it.
    pub(super) fn settle(&mut self) {
        let now = Instant::now();
        for number in 0..self.ranks.len() {
            let member = self.ranks[number].member.as_ref();
            if member
                .and_then(Member::deadline)
                .is_some_and(|at| now >= at)
            {
                self.member_ended(number);
            }
            let rank = &self.ranks[number];
            let Some(until) = rank.left.filter(|_| rank.ended.is_none()) else {
                continue;
            };
            let left_some = has_members(rank.pid);
            // Whoever else has inherited the socket does not keep the rank alive.
            let speaks =
                rank.link.is_some() && self.clients.active(number) && (left_some || now < until);
            let may_come = !self.ending
                && now < until
                && (rank.link.is_some() || !rank.streams.is_empty() || left_some);
            if rank.member.is_some() || speaks || may_come {
                continue;
            }
            let who = rank.who.clone();
            if left_some && !self.clients.spoke(number) && !self.ending {
                if self.still_starts(number, now) {
                    continue;
                }
                self.say(format!(
                    "{who} has ended; what it has left in the background has not joined the job, and is ended"
                ));
            }
            self.over(number, who, Some(Ending::Exited(0)));
        }
    }

    /// Whether what a rank has left in the background has computed since this was last asked, and so may yet join.
    /// It then has as long again, up to a limit.
    fn still_starts(&mut self, number: usize, now: Instant) -> bool {
        let rank = &mut self.ranks[number];
        let used = cpu_time(rank.pid);
        let computes = rank.used.replace(used).is_some_and(|before| before < used);
        let begun = *rank.waited.get_or_insert(now);
        let waits = computes && now < begun + STARTING;
        if waits {
            rank.left = Some(now + COMING);
        }
        waits
    }

    /// A process whose parent has ended before it: it may be a rank.
    pub(super) fn orphan_ended(&mut self, pid: Pid, ending: Ending) {
        let is_it = |r: &Rank| r.member.as_ref().is_some_and(|m| m.pid == pid.as_raw());
        if let Some(number) = self.ranks.iter().position(is_it) {
            if let Some(member) = &mut self.ranks[number].member {
                member.end(ending);
            }
            self.pmi(number);
        }
    }

    /// Forgets who has come in from outside and has ended.
    pub(super) fn forget_outside(&mut self) {
        let guard = &mut self.guard;
        self.outside.retain(|&target| {
            let is_left = member::exists(target);
            if !is_left {
                guard.forget(target);
            }
            is_left
        });
    }
}

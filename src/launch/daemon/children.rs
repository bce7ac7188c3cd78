//! The daemons that a daemon has started on further hosts.
//!
//! Job: start them, hand frames on to them, and keep what comes from them until it is handed on. What the frames say is
//! not looked at.

use crate::cause::Ending;
use crate::guard::Watch;
use crate::machine::next_end;
use crate::remote::{Pipe, Remote, Sent, Spawner};
use crate::start::Before;
use crate::tree::Road;
use nix::poll::PollFlags;
use nix::unistd::Pid;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

/// How long agents may take to end after their daemons.
const LAST: Duration = Duration::from_secs(2);

struct Child {
    remote: Remote,
    /// When it must have answered, and how many seconds that is from its start.
    until: Instant,
    patience: u64,
}

pub struct Children {
    all: Vec<Child>,
    watch: Watch,
    news: Vec<Sent>,
}

impl Children {
    pub fn new(watch: Watch) -> Children {
        Children {
            all: Vec::new(),
            watch,
            news: Vec::new(),
        }
    }

    /// Starts one more with the next turn.
    pub fn add(&mut self, road: Road) {
        // Whoever sends nonsense gets no more than what a start may take at most.
        let patience = road.patience.min(crate::tree::PATIENCE);
        self.all.push(Child {
            until: Instant::now() + Duration::from_secs(patience),
            patience,
            remote: Remote::new(road),
        });
    }

    /// Whether something may still come from one of them.
    pub fn are_there(&self) -> bool {
        let is_there = |c: &Child| !c.remote.is_over() || c.remote.has_agent();
        self.all.iter().any(is_there)
    }

    /// What has come from them since the last call.
    pub fn news(&mut self) -> Vec<Sent> {
        std::mem::take(&mut self.news)
    }

    pub fn pass(&mut self, sites: &[usize], bytes: &[u8]) {
        for child in &mut self.all {
            child.remote.pass(sites, bytes);
        }
    }

    /// Does what is due, and says when something is due again.
    pub fn turn(&mut self, now: Instant, before: &Before) -> Option<Instant> {
        let mut due = None;
        for child in &mut self.all {
            let remote = &mut child.remote;
            if remote.is_due(now) {
                let spawner = Spawner {
                    before,
                    watch: &self.watch,
                };
                remote.start(&spawner, &mut self.news);
            }
            if remote.is_coming() && now >= child.until {
                remote.give_up(child.patience, &mut self.news);
            }
            let next = remote.turn(now, &mut self.watch, &mut self.news);
            let until = Some(child.until).filter(|_| remote.is_coming());
            due = [due, next, until].into_iter().flatten().min();
            if remote.is_lost() {
                remote.abandon(&mut self.watch);
            } else if remote.is_over() {
                remote.close();
            }
        }
        due
    }

    pub fn descriptors(&self) -> impl Iterator<Item = (usize, Pipe, BorrowedFd<'_>, PollFlags)> {
        let all = self.all.iter().enumerate();
        all.flat_map(|(number, child)| {
            let each = child.remote.descriptors();
            each.map(move |(pipe, fd, flags)| (number, pipe, fd, flags))
        })
    }

    pub fn handle(&mut self, child: usize, pipe: Pipe) {
        self.all[child].remote.handle(pipe, &mut self.news);
    }

    /// These processes have ended.
    pub fn ended(&mut self, ended: Vec<(Pid, Ending)>) {
        for (pid, ending) in ended {
            self.all.iter_mut().any(|c| c.remote.ended(pid, ending));
        }
    }

    /// Nothing more is sent to them: they end by that.
    pub fn close(&mut self) {
        self.all.iter_mut().for_each(|c| c.remote.close());
    }

    /// Waits for the ends of the agents, but not for ever.
    pub fn part(&mut self) {
        self.close();
        let until = Instant::now() + LAST;
        while self.all.iter().any(|c| c.remote.has_agent()) && Instant::now() < until {
            let ended = std::iter::from_fn(next_end).collect();
            self.ended(ended);
            std::thread::sleep(Duration::from_millis(5));
        }
        for child in &mut self.all {
            child.remote.abandon(&mut self.watch);
        }
    }
}

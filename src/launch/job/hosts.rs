//! The hosts of a job on their way up, and down again.
//!
//! The part of the job's loop that starts agents, waits until every host has answered, and only then has the ranks
//! started everywhere; and that parts from the daemons at the end.

use super::{Appetite, Host, Job, Phase, Site};
use crate::agent::Agent;
use crate::cause::Cause;
use crate::events::Command;
use crate::guard::Guard;
use crate::machine::own_file;
use crate::node::Node;
use crate::plan::Program;
use crate::remote::{News, Remote, Spawner};
use nix::sys::signal::Signal;
use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};

/// After how long it is said for whom mpiexec waits.
const SILENCE: Duration = Duration::from_secs(5);
/// How long daemons may take to end what is left of their ranks, and themselves.
const PARTING: Duration = Duration::from_secs(6);
/// How long agents may take to end after their daemons.
const LAST: Duration = Duration::from_secs(2);

/// How long hosts have been coming up.
pub struct Coming {
    until: Instant,
    seconds: u64,
    /// When to say for whom mpiexec waits.
    speak: Option<Instant>,
}

impl Coming {
    pub fn new(seconds: u64) -> Coming {
        let now = Instant::now();
        Coming {
            until: now + Duration::from_secs(seconds),
            seconds,
            speak: Some(now + SILENCE),
        }
    }
}

impl Job<'_> {
    /// Makes a node or a remote of each host.
    pub(super) fn find_hosts(&mut self, guard: &Guard) -> io::Result<()> {
        let launch = &self.request.launch;
        let is_there = |name: &str| {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let mut folders = std::env::split_paths(&path);
            name.contains('/') || folders.any(|folder| folder.join(name).is_file())
        };
        let program = match &launch.prefix {
            Some(prefix) => prefix.join("bin/mpiexec"),
            None => own_file(),
        };
        let agent = Agent::choose(&launch.agent, launch.in_slurm, &is_there);
        let world = self.plan.world(self.request);
        for (number, site) in self.plan.sites.iter().enumerate() {
            let site = if site.local {
                let (orders, _) = self.plan.orders(number, &world, self.request);
                let programs = self.plan.here.iter();
                let programs: Vec<Program> = programs.map(|(_, p)| p.clone()).collect();
                Site::Here(Box::new(Node::new(orders, programs, guard.watch()?)))
            } else {
                let agent = agent
                    .as_ref()
                    .map_err(|text| io::Error::other(text.clone()))?;
                let command = agent.command(&site.name, site.user.as_deref(), &program);
                let attempts = launch.attempts.or(agent.attempts());
                Site::There(Box::new(Remote::new(&site.name, command, attempts)))
            };
            self.hosts.push(Host {
                site,
                appetite: Appetite::Nobody,
                owed: 0,
                copied: HashMap::new(),
                done: false,
                gone: false,
            });
        }
        Ok(())
    }

    /// Starts agents that are due, and the ranks when all hosts have answered. Returns when something is due again.
    pub(super) fn come_up(&mut self, now: Instant) -> Option<Instant> {
        if self.started || self.phase != Phase::Running {
            return None;
        }
        let remotes = self.hosts.iter().filter_map(|h| match &h.site {
            Site::There(remote) => Some(remote),
            Site::Here(_) => None,
        });
        if remotes.clone().all(|r| r.is_ready()) {
            self.start();
            return None;
        }
        let mut coming = remotes.clone().filter(|r| r.is_coming()).count();
        if now >= self.coming.until {
            let number = self
                .hosts
                .iter()
                .position(|h| matches!(&h.site, Site::There(r) if !r.is_ready() && !r.is_over()));
            let mut news = Vec::new();
            if let Some(number) = number
                && let Site::There(remote) = &mut self.hosts[number].site
            {
                remote.give_up(self.coming.seconds, &mut news);
                self.hear_all(number, news);
            }
            return None;
        }
        if self.coming.speak.is_some_and(|at| now >= at) {
            self.coming.speak = None;
            let waiting: Vec<String> = remotes
                .filter(|r| !r.is_ready())
                .map(|r| r.progress())
                .collect();
            let all = match waiting.len() {
                0..=4 => waiting.join(", "),
                n => format!("{} and {} more", waiting[..3].join(", "), n - 3),
            };
            if !self.request.quiet {
                self.say(&format!("waiting for {all}"));
            }
        }
        for number in 0..self.hosts.len() {
            let mut news = Vec::new();
            if let Site::There(remote) = &mut self.hosts[number].site
                && remote.is_due(now)
                && coming < self.request.launch.parallel
            {
                coming += 1;
                let spawner = Spawner {
                    before: self.before,
                    watch: &self.watch,
                };
                remote.start(&spawner, &mut news);
            }
            self.hear_all(number, news);
        }
        self.coming
            .speak
            .into_iter()
            .chain([self.coming.until])
            .min()
    }

    /// Has the ranks started on all hosts.
    fn start(&mut self) {
        self.started = true;
        let world = self.plan.world(self.request);
        for number in 0..self.hosts.len() {
            // Nobody gets any input before all have said whether they want some.
            self.hosts[number].appetite = Appetite::Fed;
            match &mut self.hosts[number].site {
                Site::There(remote) => {
                    let (orders, programs) = self.plan.orders(number, &world, self.request);
                    let script = |&program: &usize| self.plan.scripts[program].clone();
                    remote.order(orders, programs.iter().map(script).collect());
                }
                Site::Here(node) => node.start(self.before),
            }
        }
        for number in 0..self.hosts.len() {
            self.hear_all(number, Vec::new());
        }
    }

    /// Gives up hosts that have not been told to start ranks, as they never will be.
    pub(super) fn leave_unstarted(&mut self) {
        for host in &mut self.hosts {
            let leave = match &mut host.site {
                Site::Here(_) => !self.started,
                Site::There(remote) if !remote.is_working() => {
                    remote.abandon(&mut self.watch);
                    true
                }
                Site::There(_) => false,
            };
            host.done |= leave;
            host.gone |= leave;
        }
    }

    /// A host is lost, with all ranks there.
    pub(super) fn lost(&mut self, number: usize, text: String) {
        let host = &mut self.hosts[number];
        host.done = true;
        host.gone = true;
        host.appetite = Appetite::Nobody;
        if let Site::There(remote) = &mut host.site {
            remote.abandon(&mut self.watch);
        }
        for rank in 0..self.seats.len() {
            if self.seats[rank].host == number && self.seats[rank].ended.is_none() {
                self.seats[rank].ended = Some(crate::cause::Ending::Unknown);
                for action in self.server.ended(rank, true) {
                    self.act(action);
                }
            }
        }
        let cause = Cause::HostLost(text);
        if self.request.recover && self.started {
            if self.phase == Phase::Running {
                self.say(&cause.to_string());
            }
            self.verdict.note(cause);
        } else {
            self.end(cause, Signal::SIGTERM, super::GRACE_FAILED);
        }
    }

    /// Waits for the daemons to end what is left of their ranks and themselves; what takes too long is left to the
    /// end of its pipes.
    pub(super) fn part(&mut self) -> io::Result<()> {
        let until = Instant::now() + PARTING;
        while self.hosts.iter().any(|h| !h.gone) && Instant::now() < until {
            self.turn();
            self.flush();
            let soon = Instant::now() + Duration::from_millis(100);
            for what in self.wait(None, Some(soon.min(until)))? {
                self.handle_host(what);
            }
            self.reap();
        }
        let remotes = |job: &mut Self, with: &mut dyn FnMut(&mut Remote)| {
            for host in &mut job.hosts {
                if let Site::There(remote) = &mut host.site {
                    with(remote);
                }
            }
        };
        remotes(self, &mut Remote::close);
        let until = Instant::now() + LAST;
        loop {
            self.reap();
            let mut left = false;
            remotes(self, &mut |remote| {
                let mut words = Vec::new();
                remote.handle(crate::remote::Pipe::Err, &mut words);
                left |= remote.has_agent();
            });
            if !left || Instant::now() >= until {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        for host in &mut self.hosts {
            if let Site::There(remote) = &mut host.site {
                remote.abandon(&mut self.watch);
            }
        }
        Ok(())
    }

    /// What a host sends beside its events.
    pub(super) fn hear_news(&mut self, number: usize, news: News) {
        match news {
            News::Ready if self.request.verbose => {
                let text = format!("host {} is ready", self.plan.sites[number].name);
                self.say(&text);
            }
            News::Detail(text) if self.request.verbose => self.say(&text),
            News::Ready | News::Detail(_) => {}
            News::Words(bytes) => self.outlets.err().push(&bytes),
            News::Lost(text) => self.lost(number, text),
            News::Event(event) => self.hear(number, event),
        }
    }

    pub(super) fn tell(&mut self, number: usize, command: Command) {
        match &mut self.hosts[number].site {
            Site::Here(node) => node.obey(command),
            Site::There(remote) => remote.tell(command),
        }
    }
}

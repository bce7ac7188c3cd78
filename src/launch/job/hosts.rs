//! The hosts of a job on their way up, and down again.
//!
//! The part of the job's loop that starts agents, waits until every host has answered, and only then has the ranks
//! started everywhere; and that parts from the daemons at the end.

use super::{Appetite, Host, Job, Phase, Site, Stage, There};
use crate::agent::Agent;
use crate::cause::Cause;
use crate::events::{Command, News};
use crate::frames::{self, Down};
use crate::guard::Guard;
use crate::machine::own_file;
use crate::node::Node;
use crate::plan::Program;
use crate::remote::{Remote, Sent, Spawner};
use crate::tree::{self, Road};
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
    /// Makes a node of this host, and finds how each other one is reached.
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
        let sites = &self.plan.sites;
        let far: Vec<usize> = (0..sites.len()).filter(|&n| !sites[n].local).collect();
        let width = match &agent {
            // Slurm has its own tree.
            Ok(Agent::Slurm(_)) => usize::MAX,
            _ => launch.width,
        };
        let parents = tree::parents(far.len(), width);
        for (number, site) in sites.iter().enumerate() {
            let site = if site.local {
                let (orders, _) = self.plan.orders(number, &world, self.request);
                let programs = self.plan.here.iter();
                let programs: Vec<Program> = programs.map(|(_, p)| p.clone()).collect();
                Site::Here(Box::new(Node::new(orders, programs, guard.watch()?)))
            } else {
                let agent = agent
                    .as_ref()
                    .map_err(|text| io::Error::other(text.clone()))?;
                let place = far.partition_point(|&n| n < number);
                let beyond = tree::beyond(&parents, place).into_iter().map(|p| far[p]);
                let road = Road {
                    site: number,
                    name: site.name.clone(),
                    command: agent.command(&site.name, site.user.as_deref(), &program),
                    attempts: launch.attempts.or(agent.attempts()),
                    patience: tree::PATIENCE.min(launch.patience / 4),
                    beyond: beyond.map(|n| (n, sites[n].name.clone())).collect(),
                };
                let parent = parents[place].map(|p| far[p]);
                let by = parent.is_none().then_some(self.remotes.len());
                if by.is_some() {
                    self.remotes.push(Remote::new(road.clone()));
                }
                let stage = Stage::Coming;
                Site::There(There {
                    road,
                    parent,
                    by,
                    stage,
                })
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

    /// Where the daemon of a host is on its way; None: the host is this one.
    fn stage(&self, number: usize) -> Option<Stage> {
        match &self.hosts[number].site {
            Site::There(there) => Some(there.stage),
            Site::Here(_) => None,
        }
    }

    /// Starts agents that are due, and the ranks when all hosts have answered. Returns when something is due again.
    pub(super) fn come_up(&mut self, now: Instant) -> Option<Instant> {
        if self.started || self.phase != Phase::Running {
            return None;
        }
        let all = 0..self.hosts.len();
        let coming = |n: &usize| self.stage(*n) == Some(Stage::Coming);
        let missing: Vec<usize> = all.filter(coming).collect();
        let Some(&first) = missing.first() else {
            self.start();
            return None;
        };
        if now >= self.coming.until {
            self.give_up(first);
            return None;
        }
        if self.coming.speak.is_some_and(|at| now >= at) {
            self.coming.speak = None;
            let waiting: Vec<String> = missing.iter().map(|&n| self.progress(n)).collect();
            let all = match waiting.len() {
                0..=4 => waiting.join(", "),
                n => format!("{} and {} more", waiting[..3].join(", "), n - 3),
            };
            if !self.request.quiet {
                self.say(&format!("waiting for {all}"));
            }
        }
        for number in missing {
            self.ask_for(number);
        }
        let mut coming = self.remotes.iter().filter(|r| r.is_coming()).count();
        for number in 0..self.remotes.len() {
            let mut news = Vec::new();
            let remote = &mut self.remotes[number];
            if remote.is_due(now) && coming < self.request.launch.parallel {
                coming += 1;
                let spawner = Spawner {
                    before: self.before,
                    watch: &self.watch,
                };
                remote.start(&spawner, &mut news);
            }
            self.hear_from(number, news);
        }
        self.coming
            .speak
            .into_iter()
            .chain([self.coming.until])
            .min()
    }

    /// Has a daemon started by another one, as soon as that has answered.
    fn ask_for(&mut self, number: usize) {
        let Site::There(there) = &self.hosts[number].site else {
            return;
        };
        let Some(parent) = there.parent.filter(|_| there.by.is_none()) else {
            return;
        };
        let is_coming = |host: &&Host| {
            matches!(&host.site, Site::There(other)
                if other.parent == Some(parent) && other.by.is_some() && other.stage == Stage::Coming)
        };
        if self.hosts.iter().filter(is_coming).count() >= self.request.launch.parallel {
            return;
        }
        let road = Road {
            // Where it fails, it is tried from here.
            attempts: Some(1),
            ..there.road.clone()
        };
        let by = match &self.hosts[parent].site {
            Site::There(parent) if parent.stage == Stage::Ready => parent.by,
            _ => return,
        };
        self.send_down(&[parent], &Down::Reach(road));
        if let Site::There(there) = &mut self.hosts[number].site {
            there.by = by;
        }
    }

    /// The remote whose agent goes to this host.
    fn direct(&mut self, number: usize) -> Option<&mut Remote> {
        self.remotes
            .iter_mut()
            .find(|remote| remote.site() == number && !remote.is_over())
    }

    /// Where a host is on its way, for somebody who waits for it.
    fn progress(&mut self, number: usize) -> String {
        let name = &self.plan.sites[number].name;
        let known = self.direct(number).map(|remote| remote.progress());
        known.unwrap_or_else(|| name.clone())
    }

    /// A host did not come up in time.
    fn give_up(&mut self, number: usize) {
        let seconds = self.coming.seconds;
        let mut news = Vec::new();
        if let Some(remote) = self.direct(number) {
            remote.give_up(seconds, &mut news);
        }
        let text = news.into_iter().find_map(|(_, news)| match news {
            News::Lost(text) => Some(text),
            _ => None,
        });
        let name = &self.plan.sites[number].name;
        let text = text.unwrap_or_else(|| {
            format!(
                "host {name} cannot be used: no daemon has answered within {seconds} s (--spawn-timeout)"
            )
        });
        self.lost(number, text);
    }

    /// Another daemon could not start that of this host, and it is tried from here.
    fn try_from_here(&mut self, number: usize, why: &str) {
        let by = self.remotes.len();
        if let Site::There(there) = &mut self.hosts[number].site {
            self.remotes.push(Remote::new(there.road.clone()));
            there.by = Some(by);
        }
        if self.request.verbose {
            self.say(&format!("{why}; it is tried from this host"));
        }
    }

    /// Has the ranks started on all hosts.
    fn start(&mut self) {
        self.started = true;
        let world = self.plan.world(self.request);
        for number in 0..self.hosts.len() {
            // Nobody gets any input before all have said whether they want some.
            self.hosts[number].appetite = Appetite::Fed;
            match &mut self.hosts[number].site {
                Site::There(there) => {
                    there.stage = Stage::Working;
                    let (orders, programs) = self.plan.orders(number, &world, self.request);
                    let script = |&program: &usize| self.plan.scripts[program].clone();
                    let scripts = programs.iter().map(script).collect();
                    self.send_down(&[number], &Down::Start(orders, scripts));
                }
                Site::Here(node) => {
                    node.start(self.before);
                    self.hear_here(number);
                }
            }
        }
    }

    /// Gives up hosts that have not been told to start ranks, as they never will be.
    pub(super) fn leave_unstarted(&mut self) {
        if self.started {
            return;
        }
        for remote in &mut self.remotes {
            remote.abandon(&mut self.watch);
        }
        for host in &mut self.hosts {
            host.done = true;
            host.gone = true;
        }
    }

    /// A host is lost, with all ranks there.
    pub(super) fn lost(&mut self, number: usize, text: String) {
        self.forget(number);
        if let Some(at) = self.remotes.iter().position(|r| r.site() == number) {
            let beyond = self.remotes[at].left();
            self.remotes[at].abandon(&mut self.watch);
            for other in beyond {
                self.forget(other);
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

    /// Nothing more comes from a host.
    fn forget(&mut self, number: usize) {
        let host = &mut self.hosts[number];
        host.done = true;
        host.gone = true;
        host.appetite = Appetite::Nobody;
        if let Site::There(there) = &mut host.site {
            there.stage = Stage::Over;
        }
        for rank in 0..self.seats.len() {
            if self.seats[rank].host == number && self.seats[rank].ended.is_none() {
                self.seats[rank].ended = Some(crate::cause::Ending::Unknown);
                let actions = self.server.ended(rank, true);
                self.act(actions);
            }
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
        self.remotes.iter_mut().for_each(Remote::close);
        let until = Instant::now() + LAST;
        loop {
            self.reap();
            for remote in &mut self.remotes {
                remote.handle(crate::remote::Pipe::Err, &mut Vec::new());
            }
            if !self.remotes.iter().any(Remote::has_agent) || Instant::now() >= until {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        for remote in &mut self.remotes {
            remote.abandon(&mut self.watch);
        }
        Ok(())
    }

    /// What has come through one of the remotes.
    pub(super) fn hear_from(&mut self, remote: usize, news: Vec<Sent>) {
        for (number, news) in news {
            // A host that is tried from here is not expected from elsewhere any more.
            if let Site::There(there) = &self.hosts[number].site
                && there.by == Some(remote)
                && there.stage != Stage::Over
            {
                self.hear_news(number, news, self.remotes[remote].site() == number);
            }
        }
    }

    /// `direct`: its agent is one of this process's.
    fn hear_news(&mut self, number: usize, news: News, direct: bool) {
        match news {
            News::Ready => {
                if let Site::There(there) = &mut self.hosts[number].site
                    && there.stage == Stage::Coming
                {
                    there.stage = Stage::Ready;
                }
                if self.request.verbose {
                    let text = format!("host {} is ready", self.plan.sites[number].name);
                    self.say(&text);
                }
            }
            News::Detail(text) if self.request.verbose => self.say(&text),
            News::Detail(_) => {}
            News::Words(bytes) => self.outlets.err().push(&bytes),
            News::Lost(text) => {
                let again = !direct
                    && self.phase == Phase::Running
                    && self.stage(number) == Some(Stage::Coming);
                match again {
                    true => self.try_from_here(number, &text),
                    false => self.lost(number, text),
                }
            }
            News::Event(event) => self.hear(number, event),
        }
    }

    /// Tells the nodes of some hosts to do something.
    pub(super) fn tell(&mut self, numbers: &[usize], command: Command) {
        let mut far = Vec::new();
        for &number in numbers {
            match &mut self.hosts[number].site {
                Site::Here(node) => node.obey(command.clone()),
                Site::There(there) if there.stage == Stage::Working => far.push(number),
                Site::There(_) => {}
            }
        }
        if !far.is_empty() {
            self.send_down(&far, &Down::Do(command));
        }
    }

    pub(super) fn tell_all(&mut self, command: Command) {
        let all: Vec<usize> = (0..self.hosts.len()).collect();
        self.tell(&all, command);
    }

    /// Sends daemons something, each by the remote that leads there.
    fn send_down(&mut self, numbers: &[usize], down: &Down) {
        let bytes = frames::bytes(down);
        for (at, remote) in self.remotes.iter_mut().enumerate() {
            let leads =
                |n: &usize| matches!(&self.hosts[*n].site, Site::There(t) if t.by == Some(at));
            let there: Vec<usize> = numbers.iter().copied().filter(leads).collect();
            if !there.is_empty() {
                remote.pass(&there, &bytes);
            }
        }
    }
}

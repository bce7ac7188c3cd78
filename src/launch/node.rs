//! The ranks of one host, from their start to the end of the last: in mpiexec itself, or in its daemon elsewhere.
//!
//! Job: start them, serve their sockets, move their input and output, notice how each ends, and end what is left.
//! What it notices becomes an `Event`, what it is to do comes as a `Command`: it knows neither the other hosts nor the
//! rules by which a job ends. Ranks that are another process than the one started are dealt with in
//! `node/joining.rs`, ranks that may run on another MPI in `node/looking.rs`, starts in `node/starting.rs`. Nothing here
//! blocks but the end in `wind_up`.

mod joining;
mod looking;
mod starting;

use crate::cause::{Ending, Who};
use crate::door::Door;
use crate::events::{Command, Ended, Event};
use crate::feed::Feed;
use crate::foreign::Foreign;
use crate::guard::{Watch, end_group, has_members};
use crate::link::{Read, Segments};
use crate::machine::{cpu_time, is_child, next_end, oom_kills};
use crate::member::Member;
use crate::orders::Orders;
use crate::plan::Program;
use crate::pmi::another_is_the_rank;
use crate::pmi::clients::Clients;
use crate::rank::{Flow, Rank, Which};
use nix::poll::PollFlags;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::{HashMap, VecDeque};
use std::os::fd::{AsFd, BorrowedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Time between asking what is left of the ranks to end, and killing it.
const GRACE: Duration = Duration::from_secs(1);
/// Readings of one descriptor in one go: more than any socket or pipe holds, so that what a process has sent
/// before its end is read, while one that never stops cannot keep the loop from its other duties.
const READS: usize = 32;
/// How long output may follow the end of the last rank.
const LINGER: Duration = Duration::from_secs(1);
/// How long somebody may take to join as a rank whose process has ended with 0 before anybody did: a shell that starts
/// its program in the background ends before that program is up.
const COMING: Duration = Duration::from_secs(3);
/// How often to look meanwhile whether anybody of a rank is left.
const LOOK: Duration = Duration::from_millis(20);

/// What a ready descriptor belongs to.
#[derive(Clone, Copy)]
pub enum Ready {
    Pmi(usize),
    Door,
    Stream(usize, Which),
    Feed,
}

pub struct Node {
    orders: Orders,
    programs: Vec<Program>,
    /// In the order of `orders.posts`, by which they are numbered here.
    ranks: Vec<Rank>,
    by_pid: HashMap<Pid, usize>,
    /// None where the system has no such sockets.
    door: Option<Door>,
    /// Who has come through the door from outside of its rank's process group, as `kill` takes it.
    outside: Vec<Pid>,
    foreign: Foreign,
    clients: Clients,
    segments: Segments,
    feed: Feed,
    guard: Watch,
    /// The job is being ended: nobody may join any more.
    ending: bool,
    /// Since when all ranks have ended, and output may still follow.
    linger: Option<Instant>,
    done: bool,
    oom_kills: Option<u64>,
    buffer: Vec<u8>,
    events: VecDeque<Event>,
    /// Processes that have ended and are no ranks.
    strangers: Vec<(Pid, Ending)>,
}

impl Node {
    pub fn new(orders: Orders, programs: Vec<Program>, guard: Watch) -> Node {
        let count = orders.posts.len();
        Node {
            ranks: Vec::with_capacity(count),
            by_pid: HashMap::new(),
            door: Door::open(count).ok(),
            outside: Vec::new(),
            foreign: Foreign::new(orders.library_check),
            clients: Clients::new(
                orders.posts.iter().map(|p| p.rank).collect(),
                orders.world.size,
            ),
            segments: Segments::new(count),
            feed: Feed::new(),
            guard,
            ending: false,
            linger: None,
            done: false,
            oom_kills: oom_kills(),
            buffer: vec![0; 64 * 1024],
            events: VecDeque::new(),
            strangers: Vec::new(),
            orders,
            programs,
        }
    }

    /// The next thing that the job has to know.
    pub fn event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// What ranks have written up to this moment; other events wait.
    pub fn outputs(&mut self) -> Vec<Event> {
        self.drain();
        let is_output = |e: &Event| matches!(e, Event::Output { .. });
        let (outputs, rest): (Vec<Event>, Vec<Event>) = self.events.drain(..).partition(is_output);
        self.events = rest.into();
        outputs
    }

    fn tell(&mut self, event: Event) {
        self.events.push_back(event);
    }

    fn say(&mut self, text: String) {
        self.tell(Event::Say(text));
    }

    /// The number here of a rank of the job.
    fn number(&self, rank: usize) -> Option<usize> {
        let posts = &self.orders.posts;
        let found = posts.binary_search_by_key(&rank, |post| post.rank).ok();
        found.filter(|&number| number < self.ranks.len())
    }

    /// Descriptors to wait for. `full`: what ranks write cannot be taken at the moment.
    pub fn descriptors(&self, full: bool) -> Vec<(Ready, BorrowedFd<'_>, PollFlags)> {
        let mut all = Vec::new();
        for fd in self.door.iter().flat_map(Door::descriptors) {
            all.push((Ready::Door, fd, PollFlags::POLLIN));
        }
        for (number, rank) in self.ranks.iter().enumerate() {
            let own = rank.link.iter().map(|link| (link.as_fd(), link.waits()));
            let member = rank.member.iter().flat_map(Member::descriptors);
            for (fd, waits) in own.chain(member) {
                let mut flags = PollFlags::POLLIN;
                if waits {
                    flags |= PollFlags::POLLOUT;
                }
                all.push((Ready::Pmi(number), fd, flags));
            }
            for stream in rank.streams.iter().filter(|_| !full) {
                let ready = Ready::Stream(number, stream.which());
                all.push((ready, stream.as_fd(), PollFlags::POLLIN));
            }
        }
        for fd in self.feed.blocked() {
            all.push((Ready::Feed, fd, PollFlags::POLLOUT));
        }
        all
    }

    pub fn handle(&mut self, what: Ready) {
        match what {
            Ready::Pmi(number) => self.pmi(number),
            Ready::Door => self.door(),
            Ready::Stream(number, which) => {
                if self.is_silent(number) && self.foreign.is_first_output(number) {
                    self.look_at(number);
                }
                self.read_stream(number, which);
            }
            Ready::Feed => self.feed(),
        }
    }

    /// Does what is due, and returns when something is due again without any input.
    pub fn turn(&mut self) -> Option<Instant> {
        self.settle();
        let now = Instant::now();
        self.finish(now);
        if self.door_deadline().is_some_and(|at| now >= at) {
            self.door();
        }
        self.look();
        let foreign = self.foreign.next();
        let foreign = foreign.filter(|_| self.silent().next().is_some());
        let members = self.ranks.iter();
        let members = members.filter_map(|r| r.member.as_ref()?.deadline()).min();
        let expected = |r: &Rank| r.ended.is_none() && r.left.is_some_and(|until| now < until);
        let look = self.ranks.iter().any(expected).then(|| now + LOOK);
        let linger = self.linger.filter(|_| !self.done);
        [linger, foreign, self.door_deadline(), members, look]
            .into_iter()
            .flatten()
            .min()
    }

    fn door_deadline(&self) -> Option<Instant> {
        self.door.as_ref().and_then(Door::deadline)
    }

    /// Notices that every rank has ended and that its output is read.
    fn finish(&mut self, now: Instant) {
        if self.done || self.ranks.iter().any(|r| r.ended.is_none()) {
            return;
        }
        let until = *self.linger.get_or_insert_with(|| {
            let last = self.ranks.iter().filter_map(|r| r.left).max();
            last.unwrap_or(now)
        });
        if self.ranks.iter().all(|r| r.streams.is_empty()) || now >= until {
            self.done = true;
            self.examine();
            self.tell(Event::Done);
        }
    }

    /// Whether every rank has ended, and what they wrote is read.
    pub fn is_done(&self) -> bool {
        self.done
    }

    pub fn obey(&mut self, command: Command) {
        match command {
            Command::Answer {
                rank,
                line,
                segment,
            } => {
                if let Some(number) = self.number(rank) {
                    self.answer(number, line, segment);
                }
            }
            Command::Copy { round, pairs } => self.clients.take(round, pairs),
            Command::Close { rank } => {
                if let Some(number) = self.number(rank) {
                    self.close(number);
                }
            }
            Command::Input(bytes) => {
                self.feed.give(&bytes);
                self.feed();
            }
            Command::InputEnded => {
                self.feed.end();
                self.feed();
            }
            Command::Signal(signal) => self.send_raw(signal),
            Command::End(signal) => {
                self.ending = true;
                self.send_raw(signal);
                // A stopped process takes its signal only when it goes on.
                self.send(Signal::SIGCONT);
            }
            // Who reads from the node counts what may come, and who winds it up has to wait for that.
            Command::Taken(_) | Command::WindUp => {}
            // Here nobody can be cut off.
            Command::Ping | Command::Pause => {}
        }
    }

    fn feed(&mut self) {
        self.feed.write();
        self.tell_hunger();
    }

    fn tell_hunger(&mut self) {
        if !self.feed.is_full() {
            let hungry = self.feed.has_readers();
            self.tell(Event::Hungry(hungry));
        }
    }

    /// A line of the PMI server for a rank.
    fn answer(&mut self, number: usize, line: Vec<u8>, segment: Option<(usize, u64)>) {
        let line = self.clients.answered(number, line);
        let (line, attached) = match segment.map(|key| self.segments.get(number, key)) {
            None => (line, None),
            Some(Ok(fd)) => {
                let text = format!(
                    "{} ranks={}\n",
                    String::from_utf8_lossy(line.trim_ascii_end()),
                    self.orders.ranks()
                );
                (text.into_bytes(), Some(fd))
            }
            Some(Err(error)) => {
                let why = error.to_string().replace(char::is_whitespace, "_");
                let line = format!("cmd=anympi_segment_result rc=1 msg={why}\n");
                (line.into_bytes(), None)
            }
        };
        self.send_line(number, line, attached);
    }

    fn send_line(
        &mut self,
        number: usize,
        line: Vec<u8>,
        attached: Option<Rc<std::os::fd::OwnedFd>>,
    ) {
        let Some(link) = self.ranks[number].speaker() else {
            return;
        };
        if link.queue(line, attached) {
            link.flush();
        } else {
            self.close(number);
            self.tell(Event::Deaf {
                rank: self.ranks[number].who.rank,
                why: "it asks and asks but never reads the answers".into(),
            });
        }
    }

    /// Listens no more to who speaks for a rank.
    fn close(&mut self, number: usize) {
        match &mut self.ranks[number].member {
            Some(member) => member.close(),
            None => self.ranks[number].link = None,
        }
    }

    fn read_stream(&mut self, number: usize, which: Which) -> Flow {
        let rank = &mut self.ranks[number];
        let Some(at) = rank.streams.iter().position(|s| s.which() == which) else {
            return Flow::Ended;
        };
        let flow = rank.streams[at].read(&mut self.buffer);
        let rank_number = rank.who.rank;
        match flow {
            Flow::More(n) if n > 0 => {
                let bytes = self.buffer[..n].to_vec();
                self.tell(Event::Output {
                    rank: rank_number,
                    which,
                    bytes,
                });
            }
            Flow::Ended => {
                rank.streams.remove(at);
                self.tell(Event::Closed {
                    rank: rank_number,
                    which,
                });
            }
            _ => {}
        }
        flow
    }

    /// Serves what a rank has sent, and notices when who came through the door has ended.
    fn pmi(&mut self, number: usize) {
        self.read_link(number, false);
        self.read_link(number, true);
        if self.ranks[number]
            .member
            .as_ref()
            .is_some_and(Member::is_over)
        {
            // What it said before it ended is read by now or comes with this.
            self.read_link(number, true);
            self.member_ended(number);
        }
    }

    /// Reads the connection through the door, or the socket that the rank was started with.
    fn read_link(&mut self, number: usize, door: bool) {
        for _ in 0..READS {
            let elsewhere = !door && self.ranks[number].member.is_some();
            let Some(link) = self.ranks[number].link_of(door) else {
                return;
            };
            match link.read(&mut self.buffer) {
                Read::Bytes(_) if elsewhere => {
                    if !link.queue(another_is_the_rank(), None) {
                        self.ranks[number].link = None;
                    }
                }
                Read::Bytes(n) => {
                    let rank = &mut self.ranks[number];
                    if !door && rank.ended.is_none() && rank.left.is_some() {
                        rank.left = Some(Instant::now() + LINGER);
                    }
                    self.heard(number, n);
                }
                Read::Nothing => {
                    link.flush();
                    return;
                }
                Read::Closed => {
                    match &mut self.ranks[number].member {
                        Some(member) if door => member.close(),
                        _ => self.ranks[number].link = None,
                    }
                    return;
                }
            }
        }
    }

    /// A rank has sent the first `n` bytes of the buffer.
    fn heard(&mut self, number: usize, n: usize) {
        let said = self.clients.feed(number, &self.buffer[..n]);
        if said.ends {
            // What the ranks have said of it comes first.
            self.drain();
        }
        if !said.forward.is_empty() {
            self.tell(Event::Pmi {
                rank: self.ranks[number].who.rank,
                bytes: said.forward,
            });
        }
        for (number, line) in said.answers {
            self.send_line(number, line, None);
        }
    }

    /// The processes that have ended since the last call, and are no ranks.
    pub fn strangers(&mut self) -> Vec<(Pid, Ending)> {
        std::mem::take(&mut self.strangers)
    }

    /// Collects all processes that have ended, and reports them.
    pub fn reap(&mut self) {
        let mut batch = Vec::new();
        while let Some((pid, ending)) = next_end() {
            if let Some(number) = self.by_pid.remove(&pid) {
                batch.push((number, ending));
            } else {
                self.orphan_ended(pid, ending);
                self.strangers.push((pid, ending));
            }
        }
        self.by_pid.retain(|&pid, &mut number| {
            let is_known = is_child(pid);
            if !is_known {
                batch.push((number, Ending::Unknown));
            }
            is_known
        });
        // What a rank said before it ended comes first: an abort explains the exit that follows it.
        for &(number, _) in &batch {
            self.pmi(number);
        }
        // Among deaths noticed together a signal is more likely the first than the exits it led to.
        batch.sort_by_key(|&(number, ending)| (matches!(ending, Ending::Exited(_)), number));
        for (number, ending) in batch {
            self.ended(number, ending);
        }
    }

    /// The process that was started as this rank has ended.
    fn ended(&mut self, number: usize, ending: Ending) {
        if self.feed.remove(number) {
            self.tell_hunger();
        }
        let rank = &mut self.ranks[number];
        rank.member.take_if(|member| member.is_child());
        if ending == Ending::Exited(0) && (!rank.itself || rank.member.is_some()) {
            let spoke = self.clients.spoke(number);
            rank.left = Some(Instant::now() + if spoke { LINGER } else { COMING });
            rank.used = (!spoke).then(|| cpu_time(rank.pid));
            self.settle();
        } else {
            let who = rank.who.clone();
            self.over(number, who, Some(ending));
        }
    }

    /// Nobody is this rank any more: `who` was the last, and has ended so.
    fn over(&mut self, number: usize, who: Who, ending: Option<Ending>) {
        if self.is_silent(number)
            && let Some(text) = self.foreign.say(number)
        {
            self.tell(Event::Foreign(text));
        }
        let rank = &mut self.ranks[number];
        rank.ended = ending.or(Some(Ending::Exited(0)));
        rank.left.get_or_insert_with(|| Instant::now() + LINGER);
        rank.link = None;
        rank.member = None;
        if !has_members(rank.pid) {
            rank.group = false;
            self.guard.remove(rank.pid);
        }
        self.report(number, who, ending);
    }

    /// Reports the end of `who`, by which the rank may have ended.
    fn report(&mut self, number: usize, who: Who, ending: Option<Ending>) {
        if ending != Some(Ending::Exited(0)) || self.clients.any_active() {
            // What the ranks have said of it comes first.
            self.drain();
        }
        self.clients.ended(number);
        let killed = ending == Some(Ending::Signalled(libc::SIGKILL));
        self.tell(Event::Ended(Ended {
            rank: who.rank,
            pid: who.pid,
            program: who.program,
            ending,
            over: self.ranks[number].ended,
            out_of_memory: killed && oom_kills() > self.oom_kills,
        }));
    }

    fn send_raw(&mut self, signal: i32) {
        if let Ok(signal) = Signal::try_from(signal) {
            self.send(signal);
        }
    }

    /// Sends a signal to every process group of the ranks, and to who has come in from outside.
    fn send(&mut self, signal: Signal) {
        self.forget_outside();
        for &target in &self.outside {
            let _ = kill(target, signal);
        }
        for rank in self.ranks.iter_mut().filter(|r| r.group) {
            if !end_group(rank.pid, signal) {
                rank.group = false;
                self.guard.remove(rank.pid);
            }
        }
    }

    /// After the last rank: ends what ranks have left running in their groups, and reads what is left to read.
    /// `meanwhile` is called again and again; while it returns false, nothing more is read.
    pub fn wind_up(&mut self, mut meanwhile: impl FnMut(&mut Node) -> bool) {
        self.ending = true;
        for signal in [Signal::SIGTERM, Signal::SIGKILL] {
            self.send(signal);
            self.send(Signal::SIGCONT);
            let until = Instant::now() + GRACE;
            while self.has_left() && Instant::now() < until {
                if meanwhile(self) {
                    self.drain();
                }
                std::thread::sleep(Duration::from_millis(5));
                self.forget_empty_groups();
            }
        }
        self.drain();
        for number in 0..self.ranks.len() {
            let rank = self.ranks[number].who.rank;
            for stream in std::mem::take(&mut self.ranks[number].streams) {
                let which = stream.which();
                self.tell(Event::Closed { rank, which });
            }
        }
        self.tell(Event::Gone);
    }

    fn has_left(&self) -> bool {
        self.ranks.iter().any(|r| r.group) || !self.outside.is_empty()
    }

    /// Connections at the door that were sent away.
    pub fn refused(&self) -> usize {
        self.door.as_ref().map_or(0, |door| door.refused)
    }

    /// Forgets groups that have no member left.
    fn forget_empty_groups(&mut self) {
        // Nobody is judged any more.
        while let Some(ended) = next_end() {
            self.strangers.push(ended);
        }
        self.forget_outside();
        for rank in self.ranks.iter_mut().filter(|r| r.group) {
            if !has_members(rank.pid) {
                rank.group = false;
                self.guard.remove(rank.pid);
            }
        }
    }

    /// Reads what all streams hold at the moment.
    fn drain(&mut self) {
        for number in 0..self.ranks.len() {
            for which in [Which::Out, Which::Err] {
                let more = |_: &usize| matches!(self.read_stream(number, which), Flow::More(_));
                let _ = (0..READS).take_while(more).count();
            }
        }
    }
}

//! The link between processes of several nodes: TCP connections that are made when they are first needed.
//!
//! Each process listens at every usable address of its host ([`address`]). Who has the first frame for another one calls it,
//! at one address after the other, the best one first; a connection counts only when both have proved that they belong to
//! the job ([`handshake`](crate::handshake)). Strangers are closed and counted. Two that call each other at once keep the call of the lower
//! one. Frames wait until there is a connection, and travel over [`Sockets`] then. A connection that breaks ends the job,
//! with its cause, as nobody could be told of a lost message otherwise. It must not know matching, requests or
//! communicators.

pub mod address;
mod port;

use std::collections::{HashMap, VecDeque};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use nix::sys::epoll::{EpollEvent, EpollFlags};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, SockaddrStorage, connect, socket};

use super::socket::{BACKLOG, Sockets};
use super::{Counts, EAGER_LIMIT, EAGER_MOST, FlowPattern, Link, Part, ProcId, Sink};
use crate::datatype::Data;
use crate::handshake::{CHALLENGE, Called, Caller, GREETING, KeyId, PROOF, Secret};
use crate::held::Held;
use crate::processes::Process;
use crate::sys::{self, Timer};
use crate::wire::Head;
use address::{Interface, Wishes, best_first};
pub use port::Visit;

/// How long a process waits for what others do.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The system at one address may take so long to answer before the next one is tried.
    pub address: Duration,
    /// A stranger may take so long to prove itself.
    pub stranger: Duration,
    /// All addresses are tried again and again for so long, while none answers.
    pub give_up: Duration,
    /// Time before they are tried again.
    pub again: Duration,
    /// Whoever has started the job may take so long to see that a process has ended.
    pub known_elsewhere: Duration,
    /// Bytes that are under way may be unconfirmed so long.
    pub unanswered: Duration,
    /// Time between looks at that, and at what else is due.
    pub look: Duration,
}

impl Times {
    pub const USUAL: Times = Times {
        address: Duration::from_secs(2),
        stranger: Duration::from_secs(5),
        give_up: Duration::from_secs(30),
        again: Duration::from_millis(200),
        known_elsewhere: Duration::from_secs(2),
        unanswered: Duration::from_secs(7),
        look: Duration::from_secs(1),
    };
}

/// Longest message, in bytes, that leaves before its receive is known.
const EAGER: u64 = 64 << 10;
/// Fewest calls before a process is given up.
const TRIES: u32 = 3;
/// Most strangers at a time: further ones wait in the system's queue.
const STRANGERS: usize = 256;

/// What the called side says in the end.
mod verdict {
    /// The connection is used.
    pub const USED: u8 = 1;
    /// Another one between the two will be.
    pub const CROSSED: u8 = 2;
}

/// Numbers of events that are not the [`Sockets`]' own: those of the timer, of listeners, and of calls.
const TIMER: u64 = 1 << 32;
const LISTENERS: u64 = 2 << 32;
const CALLS: u64 = 3 << 32;

/// How far a call has come.
enum Stage {
    /// It is being connected.
    Connecting(Caller),
    /// This process has called, and waits for the other one's proof...
    Called(Caller),
    /// ... and then for its verdict.
    Proved,
    /// This process was called, and waits for a greeting...
    Open,
    /// ... and then for the caller's proof.
    Greeted(Called),
}

impl Stage {
    /// Bytes of the message that it waits for.
    fn awaits(&self) -> usize {
        match self {
            Stage::Connecting(_) => 0,
            Stage::Called(_) => CHALLENGE,
            Stage::Proved => 1,
            Stage::Open => GREETING,
            Stage::Greeted(_) => PROOF,
        }
    }
}

/// A connection that nobody has proved anything on yet.
struct Call {
    stream: Held<TcpStream>,
    stage: Stage,
    /// What both are to prove; `None`: a stranger has not said yet.
    secret: Option<Secret>,
    /// What has come of the next message.
    come: Vec<u8>,
    /// Whom this process has called, and where; `None`: it was called.
    target: Option<(ProcId, SocketAddr)>,
    /// When it is given up; `None`: only the other process can go on.
    until: Option<Instant>,
    since: Instant,
}

/// A process that this one has to reach.
struct Target {
    /// The best first.
    addresses: Vec<SocketAddr>,
    /// The next one of these.
    next: usize,
    /// Its call, while there is one.
    call: Option<usize>,
    /// When the next address is tried.
    again: Instant,
    /// When it is given up, unless a call stands that only the process itself can go on with; `None`: it was not called yet.
    until: Option<Instant>,
    /// Calls so far.
    tries: u32,
    /// What the last attempt has come to.
    last: String,
}

/// Says where a process listens, or why it does not know that.
type Whereabouts = dyn Fn(Process) -> Result<Vec<SocketAddr>, String>;

/// What the processes of a job know of each other.
pub struct Contacts {
    /// The processes by their local numbers.
    pub processes: Vec<Process>,
    /// Where each of them listens, or why that is not known: asked when it is first called.
    pub addresses: Box<Whereabouts>,
    pub secret: Secret,
}

/// Where this process listens, before it knows the others.
pub struct Listening {
    listeners: Vec<Held<TcpListener>>,
    interfaces: Vec<Interface>,
    pub addresses: Vec<SocketAddr>,
}

impl Listening {
    /// Listens at every address that the user's wishes leave.
    ///
    /// # Errors
    /// No interface is what the user wants, or the system gives no port.
    pub fn start(wishes: &Wishes) -> io::Result<Listening> {
        let interfaces = wishes
            .choose(address::interfaces()?)
            .map_err(io::Error::other)?;
        let (mut listeners, mut addresses) = (Vec::new(), Vec::new());
        let mut last = None;
        for interface in &interfaces {
            let listener = match wishes.listen(interface.address, std::process::id()) {
                Ok(listener) => listener,
                // An address that is not ready yet, as one of IPv6 for its first seconds, is left out.
                Err(error) => {
                    let what = format!("cannot listen at {}: {error}", interface.address);
                    last = Some(io::Error::new(error.kind(), what));
                    continue;
                }
            };
            listener.set_nonblocking(true)?;
            addresses.push(listener.local_addr()?);
            listeners.push(Held::new(listener));
        }
        match last {
            Some(error) if listeners.is_empty() => Err(error),
            _ => Ok(Listening {
                listeners,
                interfaces,
                addresses,
            }),
        }
    }
}

/// What this process knows of another one.
struct Contact {
    process: Process,
    /// Where it listens; `None`: it is of this process's job.
    addresses: Option<Vec<SocketAddr>>,
    /// By which the two know each other.
    secret: Secret,
}

/// A secret, and what those are let in to who know it.
struct Key {
    secret: Secret,
    /// Connections of those who have called a [port](Tcp::open_port); `None`: a known process becomes a peer.
    visitors: Option<VecDeque<Held<TcpStream>>>,
}

/// Connections to the processes of other nodes.
pub struct Tcp {
    sockets: Sockets,
    me: Process,
    peers: Vec<Contact>,
    /// Where those of its own job listen.
    whereabouts: Box<Whereabouts>,
    numbers: HashMap<Process, ProcId>,
    /// By which others may call.
    keys: HashMap<KeyId, Key>,
    listening: Listening,
    times: Times,
    /// Wakes this process when something is due.
    timer: Timer,
    is_set: bool,
    /// Listeners that are not looked at for a while, as the system has no descriptors left.
    closed: Vec<usize>,
    calls: Vec<Option<Call>>,
    targets: HashMap<ProcId, Target>,
    /// Connections of strangers, and of others that have proved nothing, so far.
    strangers: u64,
    /// What there is to say of processes that are lost, and when: whoever has started the job may know better before.
    lost: Vec<(Instant, String)>,
    /// Ends the job, for the reason that it is told.
    end_job: Box<dyn Fn(&str)>,
}

impl Key {
    fn of_peers(secret: &Secret) -> Key {
        Key {
            secret: secret.clone(),
            visitors: None,
        }
    }
}

impl Tcp {
    /// A link from process `me` to the others.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(
        me: ProcId,
        contacts: Contacts,
        listening: Listening,
        end_job: impl Fn(&str) + 'static,
    ) -> io::Result<Tcp> {
        let processes = contacts.processes.len();
        let sockets = Sockets::unconnected(me, processes, BACKLOG)?;
        let timer = Timer::new()?;
        let event = EpollEvent::new(EpollFlags::EPOLLIN, TIMER);
        sockets.events().add(&timer, event)?;
        for (token, listener) in (LISTENERS..).zip(&listening.listeners) {
            let event = EpollEvent::new(EpollFlags::EPOLLIN, token);
            sockets.events().add(listener, event)?;
        }
        let Contacts {
            processes,
            addresses,
            secret,
        } = contacts;
        let numbers = processes.iter().copied().zip((0..).map(ProcId));
        let contact = |&process| Contact {
            process,
            addresses: None,
            secret: secret.clone(),
        };
        Ok(Tcp {
            me: processes[me.0 as usize],
            numbers: numbers.collect(),
            peers: processes.iter().map(contact).collect(),
            whereabouts: addresses,
            keys: HashMap::from([(secret.id(), Key::of_peers(&secret))]),
            sockets,
            listening,
            times: Times::USUAL,
            timer,
            is_set: false,
            closed: Vec::new(),
            calls: Vec::new(),
            targets: HashMap::new(),
            strangers: 0,
            lost: Vec::new(),
            end_job: Box::new(end_job),
        })
    }

    /// Waits in another way than usual.
    pub fn timed(self, times: Times) -> Tcp {
        Tcp { times, ..self }
    }

    /// Where this process listens.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.listening.addresses
    }

    /// Addresses of another process, the best one first.
    pub fn best_first(&self, addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
        best_first(
            addresses,
            &self.listening.interfaces,
            &self.listening.addresses,
        )
    }

    /// From now on this process knows one more, which gets the next number, by a secret that both have.
    pub fn know(&mut self, process: Process, addresses: Vec<SocketAddr>, secret: &Secret) {
        let number = self.sockets.add();
        debug_assert_eq!(number.0 as usize, self.peers.len());
        self.numbers.insert(process, number);
        self.peers.push(Contact {
            process,
            addresses: Some(addresses),
            secret: secret.clone(),
        });
        let key = self.keys.entry(secret.id());
        key.or_insert_with(|| Key::of_peers(secret));
    }

    /// This process needs no connection to another one any more, unless it sends something all the same.
    pub fn part_from(&mut self, process: ProcId) {
        self.sockets.part_from(process);
    }

    /// Connections of strangers so far.
    pub fn strangers(&self) -> u64 {
        self.strangers
    }

    /// A process that this one has no connection to yet is to be reached.
    #[cold]
    fn reach(&mut self, process: ProcId) {
        if self.targets.contains_key(&process) {
            return;
        }
        let peer = &self.peers[process.0 as usize];
        let addresses = match &peer.addresses {
            Some(addresses) => Ok(addresses.clone()),
            None => (self.whereabouts)(peer.process),
        };
        let (addresses, last) = match addresses {
            Ok(addresses) => (addresses, String::new()),
            Err(why) => (Vec::new(), why),
        };
        let now = Instant::now();
        let target = Target {
            addresses: self.best_first(addresses),
            next: 0,
            call: None,
            again: now,
            until: None,
            tries: 0,
            last,
        };
        self.targets.insert(process, target);
        self.go_on(now);
    }

    /// Begins the calls that are due, and ends those that take too long.
    #[cold]
    fn go_on(&mut self, now: Instant) {
        for at in 0..self.calls.len() {
            let Some(Some(call)) = self.calls.get(at) else {
                continue;
            };
            if call.until.is_some_and(|until| until <= now) {
                self.end(at, "no answer");
            } else if call.since + self.times.address <= now
                && let Some((process, _)) = call.target
                && let Some(target) = self.targets.get_mut(&process)
                && target.call == Some(at)
                && target.addresses.len() > 1
            {
                // It may be another process than the one that is wanted, and that one may be at another address.
                target.call = None;
            }
        }
        let due = |target: &Target| target.call.is_none() && target.again <= now;
        let due: Vec<ProcId> = self
            .targets
            .iter()
            .filter(|(_, target)| due(target))
            .map(|(process, _)| *process)
            .collect();
        for process in due {
            self.call(process, now);
        }
        for listener in std::mem::take(&mut self.closed) {
            self.listen(listener, true);
        }
    }

    /// Everything that is due.
    #[cold]
    fn tick(&mut self) {
        let now = Instant::now();
        self.go_on(now);
        for process in self.sockets.dead(self.times.unanswered) {
            let what = format!("nothing confirmed for {:?}", self.times.unanswered);
            self.sockets
                .lose(process, io::Error::new(io::ErrorKind::TimedOut, what));
        }
        self.mourn();
        self.timer.stop();
        self.is_set = false;
        self.set();
    }

    /// Sees to it that this process is woken for what is due.
    fn set(&mut self) {
        let idle = self.targets.is_empty()
            && self.calls.is_empty()
            && self.lost.is_empty()
            && self.closed.is_empty();
        if self.is_set || idle && !self.sockets.has_connections() {
            return;
        }
        let soon = self
            .times
            .again
            .min(self.times.known_elsewhere)
            .min(self.times.look);
        self.timer.set(if idle { self.times.look } else { soon });
        self.is_set = true;
    }

    /// Calls a process at its next address.
    fn call(&mut self, process: ProcId, now: Instant) {
        let Some(target) = self.targets.get_mut(&process) else {
            return;
        };
        let until = *target.until.get_or_insert(now + self.times.give_up);
        // Who has not looked for a long time has not tried for a long time.
        let over = now >= until && target.tries >= TRIES;
        target.tries += 1;
        let mut calls = self.calls.iter().flatten();
        if over && calls.any(|call| call.target.is_some_and(|(to, _)| to == process)) {
            target.again = now + self.times.address;
            return;
        }
        if over || target.addresses.is_empty() {
            let (last, addresses) = (target.last.clone(), target.addresses.clone());
            self.targets.remove(&process);
            let who = self.peers[process.0 as usize].process;
            let what = format!("cannot reach {who} at {addresses:?}: {last}");
            self.sockets.lose(process, io::Error::other(what));
            return;
        }
        let address = target.addresses[target.next];
        target.next = (target.next + 1) % target.addresses.len();
        if target.next == 0 {
            target.again = now + self.times.again;
        }
        let peer = &self.peers[process.0 as usize];
        let until = now + self.times.address;
        let call = Call::begin(address, (self.me, peer.process), &peer.secret, (now, until));
        let call = call.map(|call| Call {
            target: Some((process, address)),
            ..call
        });
        let at = call.and_then(|call| self.add(call));
        let target = self.targets.get_mut(&process).expect("looked at above");
        match at {
            Ok(at) => target.call = Some(at),
            Err(error) => target.last = error.to_string(),
        }
    }

    /// Keeps a call, and hears of what happens to it.
    fn add(&mut self, call: Call) -> io::Result<usize> {
        let at = match self.calls.iter().position(Option::is_none) {
            Some(at) => at,
            None => {
                self.calls.push(None);
                self.calls.len() - 1
            }
        };
        let flags = match call.stage {
            Stage::Connecting(_) => EpollFlags::EPOLLOUT,
            _ => EpollFlags::EPOLLIN,
        };
        let event = EpollEvent::new(flags, CALLS + at as u64);
        self.sockets.events().add(&call.stream, event)?;
        self.calls[at] = Some(call);
        Ok(at)
    }

    /// Takes a call that is over, one way or another.
    fn take(&mut self, at: usize) -> Option<Call> {
        let call = self.calls.get_mut(at)?.take()?;
        while let Some(None) = self.calls.last() {
            self.calls.pop();
        }
        // It has been added.
        let _ = self.sockets.events().delete(&call.stream);
        if let Some((process, _)) = call.target
            && let Some(target) = self.targets.get_mut(&process)
            && target.call == Some(at)
        {
            target.call = None;
        }
        Some(call)
    }

    /// A call has come to nothing.
    fn end(&mut self, at: usize, why: &str) {
        match self.take(at) {
            Some(Call {
                target: Some((process, address)),
                ..
            }) => {
                if let Some(target) = self.targets.get_mut(&process) {
                    target.last = format!("{address}: {why}");
                }
            }
            Some(_) => self.strangers += 1,
            None => (),
        }
    }

    /// Looks at a listener, or does not.
    fn listen(&mut self, listener: usize, looks: bool) {
        let Some(socket) = self.listening.listeners.get(listener) else {
            return;
        };
        let event = EpollEvent::new(EpollFlags::EPOLLIN, LISTENERS + listener as u64);
        // What fails is tried again, or is as it was.
        let _ = match looks {
            true => self.sockets.events().add(socket, event),
            false => self.sockets.events().delete(socket),
        };
        if !looks {
            self.closed.push(listener);
        }
    }

    /// Somebody calls.
    fn accept(&mut self, listener: usize) {
        loop {
            let accepted = self
                .listening
                .listeners
                .get(listener)
                .map(|listener| listener.accept());
            let stream = match accepted {
                Some(Ok((stream, _))) => stream,
                Some(Err(error)) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                Some(Err(error)) if error.kind() == io::ErrorKind::Interrupted => continue,
                Some(Err(error)) if error.kind() == io::ErrorKind::WouldBlock => return,
                // There is no descriptor left, which may change.
                Some(Err(_)) => return self.listen(listener, false),
                None => return,
            };
            let now = Instant::now();
            let call = Call {
                stream: Held::new(stream),
                stage: Stage::Open,
                secret: None,
                come: Vec::new(),
                target: None,
                until: Some(now + self.times.stranger),
                since: now,
            };
            self.make_room();
            let ready = call.stream.set_nonblocking(true).is_ok();
            if !ready || self.add(call).is_err() {
                self.strangers += 1;
            }
        }
    }

    /// Gives up who has said nothing for the longest time, if there are too many.
    fn make_room(&mut self) {
        let open = self.calls.iter().enumerate().filter_map(|(at, call)| {
            let call = call.as_ref()?;
            matches!(call.stage, Stage::Open).then_some((call.since, at))
        });
        let open: Vec<(Instant, usize)> = open.collect();
        if open.len() >= STRANGERS
            && let Some((_, oldest)) = open.into_iter().min()
        {
            self.end(oldest, "too many others");
        }
    }

    /// Something has happened to a call.
    fn event(&mut self, at: usize) {
        loop {
            let Some(Some(call)) = self.calls.get_mut(at) else {
                return;
            };
            let keys = &self.keys;
            let secret = |key: KeyId| keys.get(&key).map(|key| key.secret.clone());
            match call.step(self.me, secret) {
                Ok(Step::Waits) => return,
                Ok(Step::GoesOn) => (),
                Ok(Step::Connected) => {
                    let event = &mut EpollEvent::new(EpollFlags::EPOLLIN, CALLS + at as u64);
                    // It has been added.
                    let _ = self.sockets.events().modify(&call.stream, event);
                    call.until = None;
                }
                Ok(Step::Is(process, key)) => return self.proved(at, process, key),
                Ok(Step::Used) => return self.adopt(at, None),
                Ok(Step::Crossed) => {
                    self.end(at, "it is calling this process");
                    return;
                }
                Err(why) => return self.end(at, &why),
            }
        }
    }

    /// A caller has proved that it is this process, by this secret.
    fn proved(&mut self, at: usize, process: Process, key: KeyId) {
        if self
            .keys
            .get(&key)
            .is_some_and(|key| key.visitors.is_some())
        {
            return self.visited(at, key);
        }
        let Some(&number) = self.numbers.get(&process) else {
            return self.end(at, "no process of this job");
        };
        // A call that no system has answered yet may never be.
        let mine = self.calls.iter().flatten().any(|call| {
            let to = call.target.is_some_and(|(process, _)| process == number);
            to && !matches!(call.stage, Stage::Connecting(_))
        });
        // Both sides keep the call of the lower one. Who is connected already, or lost, needs no other connection.
        let crossed = mine && self.me < process || self.sockets.is_settled(number);
        let verdict = match crossed {
            true => verdict::CROSSED,
            false => verdict::USED,
        };
        let call = self.calls[at].as_mut().expect("it has just proved itself");
        // As few bytes as have come before find room.
        let said = call.stream.write(&[verdict]);
        match (said, crossed) {
            (Ok(1), false) => self.adopt(at, Some(number)),
            (Ok(1), true) => drop(self.take(at)),
            _ => self.end(at, "closed"),
        }
    }

    /// A call has become the connection to a process: the caller's target, if that is not said.
    fn adopt(&mut self, at: usize, number: Option<ProcId>) {
        let Some(call) = self.take(at) else {
            return;
        };
        let called = number.is_some();
        let number = number.or(call.target.map(|(process, _)| process));
        let number = number.expect("who has called knows whom");
        self.targets.remove(&number);
        for other in 0..self.calls.len() {
            let other_call = self.calls.get(other).and_then(Option::as_ref);
            if other_call.is_some_and(|call| call.target.is_some_and(|(to, _)| to == number)) {
                self.take(other);
            }
        }
        let adopted = settle(&call.stream)
            .and_then(|()| self.sockets.adopt(number, call.stream.map(), called));
        if let Err(error) = adopted {
            self.sockets.lose(number, error);
        }
    }

    /// Ends the job if a process has been lost, and whoever has started the job has not ended it meanwhile.
    fn mourn(&mut self) {
        while let Some((process, why)) = self.sockets.newly_lost() {
            let who = self.peers[process.0 as usize].process;
            let what = format!("the connection to {who} is lost: {why}");
            let wait = match why.kind() {
                io::ErrorKind::InvalidData | io::ErrorKind::TimedOut | io::ErrorKind::Other => {
                    Duration::ZERO
                }
                // The end of a process is seen where it was started.
                _ => self.times.known_elsewhere,
            };
            self.lost.push((Instant::now() + wait, what));
        }
        if self.lost.is_empty() {
            return;
        }
        let now = Instant::now();
        if let Some((_, what)) = self.lost.iter().find(|(when, _)| *when <= now) {
            (self.end_job)(what);
        }
    }
}

/// What a call has come to.
enum Step {
    Waits,
    GoesOn,
    Connected,
    /// The caller is this process, and has this secret.
    Is(Process, KeyId),
    Used,
    Crossed,
}

impl Call {
    /// Process `me` calls another one at an address; the call has begun now, and waits until then.
    fn begin(
        address: SocketAddr,
        (me, other): (Process, Process),
        secret: &Secret,
        (since, until): (Instant, Instant),
    ) -> io::Result<Call> {
        let caller = Caller::new(me, other, secret.id(), &sys::random_bytes());
        Ok(Call {
            stream: Held::new(begin(address)?),
            stage: Stage::Connecting(caller),
            secret: Some(secret.clone()),
            come: Vec::new(),
            target: None,
            until: Some(until),
            since,
        })
    }

    /// Takes the next message, if all of it is there. `known` finds the secret that a stranger names.
    fn step(
        &mut self,
        me: Process,
        known: impl FnOnce(KeyId) -> Option<Secret>,
    ) -> Result<Step, String> {
        if let Stage::Connecting(_) = self.stage {
            if let Some(error) = self.stream.take_error().map_err(text)? {
                return Err(text(error));
            }
            match self.stream.peer_addr() {
                Ok(_) => (),
                Err(error) if error.kind() == io::ErrorKind::NotConnected => {
                    return Ok(Step::Waits);
                }
                Err(error) => return Err(text(error)),
            }
            let Stage::Connecting(caller) = std::mem::replace(&mut self.stage, Stage::Proved)
            else {
                unreachable!("looked at above");
            };
            self.say(caller.greeting())?;
            self.stage = Stage::Called(caller);
            return Ok(Step::Connected);
        }
        let missing = self.stage.awaits() - self.come.len();
        let mut bytes = [0; CHALLENGE];
        match self.stream.read(&mut bytes[..missing]) {
            Ok(0) => return Err("closed".into()),
            Ok(count) => self.come.extend(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Step::Waits),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Step::GoesOn),
            Err(error) => return Err(text(error)),
        }
        if self.come.len() < self.stage.awaits() {
            return Ok(Step::GoesOn);
        }
        let come = std::mem::take(&mut self.come);
        let secret = self.secret.clone();
        let secret = secret.ok_or("it has named no secret");
        match &self.stage {
            Stage::Connecting(_) => unreachable!("above"),
            Stage::Called(caller) => {
                let challenge = array(&come);
                let proof = caller
                    .answer(&secret?, challenge)
                    .map_err(|wrong| wrong.to_string())?;
                self.say(&proof)?;
                self.stage = Stage::Proved;
            }
            Stage::Proved => match come[0] {
                verdict::USED => return Ok(Step::Used),
                verdict::CROSSED => return Ok(Step::Crossed),
                other => return Err(format!("a verdict {other} that there is not")),
            },
            Stage::Open => {
                let called = Called::new(me, array(&come), sys::random_bytes());
                let called = called.map_err(|wrong| wrong.to_string())?;
                // Nobody is told which secrets are known: by one that is not, neither side can prove anything.
                let secret = known(called.key).unwrap_or_else(Secret::draw);
                self.say(&called.challenge(&secret))?;
                self.secret = Some(secret);
                self.stage = Stage::Greeted(called);
            }
            Stage::Greeted(called) => {
                let checked = called.check(&secret?, array(&come));
                checked.map_err(|wrong| wrong.to_string())?;
                return Ok(Step::Is(called.caller, called.key));
            }
        }
        Ok(Step::GoesOn)
    }

    /// Sends a message of the handshake. A new connection has room for all of them.
    fn say(&mut self, bytes: &[u8]) -> Result<(), String> {
        match self.stream.write(bytes) {
            Ok(count) if count == bytes.len() => Ok(()),
            Ok(_) => Err("no room for a greeting".into()),
            Err(error) => Err(text(error)),
        }
    }
}

fn text(error: io::Error) -> String {
    error.to_string()
}

/// Bytes that are as many as they must be.
fn array<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.try_into().expect("as many as were waited for")
}

/// Begins a connection, and does not wait for it.
fn begin(address: SocketAddr) -> io::Result<TcpStream> {
    let family = match address {
        SocketAddr::V4(_) => AddressFamily::Inet,
        SocketAddr::V6(_) => AddressFamily::Inet6,
    };
    let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
    let socket = socket(family, SockType::Stream, flags, None)?;
    match connect(
        std::os::fd::AsRawFd::as_raw_fd(&socket),
        &SockaddrStorage::from(address),
    ) {
        Ok(()) | Err(nix::errno::Errno::EINPROGRESS) => Ok(TcpStream::from(socket)),
        Err(error) => Err(error.into()),
    }
}

/// What holds for connections in use: nothing waits for more to send, and a dead one is noticed within some seconds.
fn settle(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    sys::watch_connection(stream.as_fd())
}

impl Link for Tcp {
    const LONGEST_BODY: u64 = Sockets::LONGEST_BODY;

    fn processes(&self) -> usize {
        self.sockets.processes()
    }

    fn me(&self) -> ProcId {
        self.sockets.me()
    }

    #[inline(never)]
    fn frame(&mut self, to: ProcId, head: Head, said: &[u8], body: Option<Part<'_>>) -> bool {
        if !self.sockets.is_settled(to) {
            self.reach(to);
        }
        self.sockets.frame(to, head, said, body)
    }

    #[inline(never)]
    fn poll(&mut self, sink: &mut impl Sink) -> usize {
        let frames = self.sockets.poll(sink);
        while let Some(token) = self.sockets.other_event() {
            match token {
                CALLS.. => self.event((token - CALLS) as usize),
                LISTENERS.. => self.accept((token - LISTENERS) as usize),
                _ => self.tick(),
            }
        }
        if !self.targets.is_empty() {
            self.go_on(Instant::now());
        }
        self.mourn();
        self.set();
        frames
    }

    // Who sleeps waits for the descriptor as well, which is not asked here: each question is a call of the system.
    #[inline]
    fn pending(&self) -> bool {
        self.sockets.has_some()
    }

    fn counts(&self) -> Counts {
        self.sockets.counts()
    }

    #[inline(never)]
    fn flushed(&self, to: ProcId) -> bool {
        self.sockets.flushed(to)
    }

    fn drained(&self) -> bool {
        self.sockets.drained()
    }

    fn leave(&mut self) {
        self.sockets.leave();
    }

    fn park(&self) -> Option<BorrowedFd<'_>> {
        self.sockets.park()
    }

    #[inline(never)]
    fn leaves_at_once(&mut self, to: ProcId, data: &Data, stream: Option<FlowPattern>) -> bool {
        let most = match stream {
            // To ask for it takes a way there and back.
            _ if to == self.me() => EAGER_LIMIT,
            None => EAGER,
            Some(_) => EAGER_MOST,
        };
        data.bytes() <= most
    }

    fn congested(&self, to: ProcId) -> bool {
        self.sockets.congested(to)
    }
}

#[cfg(test)]
mod port_tests;
#[cfg(test)]
mod tests;

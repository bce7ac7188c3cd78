//! The root of a rendezvous: a thread in the process that was the first to listen where the others look for it.
//!
//! Whoever connects proves first that it knows the secret ([`handshake`](crate::handshake)); all others are closed and
//! counted. What the members say goes to the [`Group`], which says what they are told. The thread lives until everybody has
//! left, or has been told that the job ends.

use std::collections::{HashMap, VecDeque};
use std::io::{self, IoSlice, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::frame::{self, FromMember, ToMember};
use super::group::{Group, Stage, Token};
use super::socket::Listener;
use crate::handshake::{Called, GREETING, PROOF, Secret};
use crate::held::Held;
use crate::processes::Process;
use crate::sync::{AtomicU8, Ordering};
use crate::sys;

/// Most connections that have proved nothing yet; further ones wait in the system's queue.
const STRANGERS: usize = 256;
/// How long the last messages may take to leave, and a group that has failed tells those who come why.
const LAST: Duration = Duration::from_secs(2);

/// How long the root waits.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// For the next process to come, before it gives up.
    pub next: Duration,
    /// For a stranger to prove itself and to say who it is.
    pub stranger: Duration,
    /// Before it says for whom it waits; twice as long each time.
    pub say: Duration,
}

/// What the thread is started with.
pub struct Start {
    pub listener: Held<Listener>,
    /// Where that listens, for messages.
    pub place: String,
    /// Name of the job that the members become.
    pub job: String,
    /// The root, as callers name it.
    pub me: Process,
    pub secret: Secret,
    pub times: Times,
}

/// Whether everybody has been told of the end of the job whose root is in this process.
static TOLD: AtomicU8 = AtomicU8::new(0);

/// Waits, but not long, until everybody has been told that the job ends. Usable in a signal handler.
pub fn wait_until_told() {
    let mut left = 200;
    while TOLD.load(Ordering::Acquire) == 0 && left > 0 {
        std::thread::sleep(Duration::from_millis(5));
        left -= 1;
    }
}

/// Starts the thread.
///
/// # Errors
/// What the system says.
pub fn start(start: Start) -> io::Result<JoinHandle<()>> {
    // One descriptor a member; who may have as many as there are processes had better have them.
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < hard.min(1 << 16)
    {
        // Without it there is room for fewer members, which is said when they come.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard.min(1 << 16), hard);
    }
    sys::without_signals(|| {
        let thread = std::thread::Builder::new().name("anympi-root".into());
        thread.spawn(move || Root::new(start).run())
    })
}

/// How far a connection has come.
enum Admission {
    /// It has said nothing...
    Open,
    /// ... or has greeted, and owes its proof...
    Greeted(Called),
    /// ... or has proved that it belongs here, and owes its name.
    Proved,
    Member,
}

struct Connection {
    socket: Held<OwnedFd>,
    from: String,
    admission: Admission,
    come: Vec<u8>,
    /// What it is to be sent, and how much of the first has been.
    out: VecDeque<Rc<[u8]>>,
    sent: usize,
    until: Instant,
}

impl Connection {
    /// Sends what can be sent.
    fn send(&mut self) -> io::Result<()> {
        while let Some(bytes) = self.out.front() {
            match sys::send_parts(self.socket.as_fd(), &[IoSlice::new(&bytes[self.sent..])])? {
                0 => return Ok(()),
                count => self.sent += count,
            }
            if self.sent == bytes.len() {
                self.out.pop_front();
                self.sent = 0;
            }
        }
        Ok(())
    }
}

struct Root {
    start: Start,
    group: Group,
    connections: HashMap<Token, Connection>,
    next: Token,
    /// Connections that have not proved that they belong here, and why the last one has not.
    strangers: u64,
    last: String,
    /// When the last member has come.
    came: Instant,
    /// When it next says for whom it waits, and how long after that again.
    say: (Instant, Duration),
    /// Nothing is accepted before, as the system had nothing to give.
    full: Option<Instant>,
}

impl Root {
    fn new(start: Start) -> Root {
        let now = Instant::now();
        Root {
            group: Group::new(start.place.clone(), start.job.clone()),
            connections: HashMap::new(),
            next: 0,
            strangers: 0,
            last: String::new(),
            came: now,
            say: (now + start.times.say, start.times.say),
            full: None,
            start,
        }
    }

    fn run(mut self) {
        let mut over: Option<Instant> = None;
        loop {
            let now = Instant::now();
            self.look_at_the_clock(now);
            self.deliver();
            if self.group.stage() == Stage::Over {
                let until = *over.get_or_insert(now + LAST);
                let sent = self.connections.values().all(|one| one.out.is_empty());
                // Who is on the way is to hear why it has failed.
                if now >= until || sent && !self.group.has_failed() {
                    break;
                }
            }
            self.wait_and_serve(now);
        }
        if !self.group.has_failed() {
            self.send_away();
        }
        TOLD.store(1, Ordering::Release);
    }

    /// Who has proved itself and not said its name yet comes to the group after this one.
    fn send_away(&mut self) {
        for connection in self.connections.values_mut() {
            if matches!(connection.admission, Admission::Proved) {
                let again = ToMember::Again { pids: Vec::new() }.to_bytes();
                connection.out.push_back(again.into());
                // Where it does not go through, the other side sees the end of the connection.
                let _ = connection.send();
            }
        }
    }

    /// A connection that has not proved itself is closed.
    fn turn_away(&mut self, token: Token, why: &str) {
        if let Some(connection) = self.connections.remove(&token) {
            self.strangers += 1;
            self.last = format!("{}: {why}", connection.from);
        }
    }

    /// What came of those who do not belong here.
    fn strangers(&self) -> String {
        match self.strangers {
            0 => String::new(),
            count => format!(
                "; {count} connections have not proved that they belong here, the last one from {}",
                self.last
            ),
        }
    }

    fn look_at_the_clock(&mut self, now: Instant) {
        let late = |(token, one): (&Token, &Connection)| {
            (!matches!(one.admission, Admission::Member) && one.until <= now).then_some(*token)
        };
        let late: Vec<Token> = self.connections.iter().filter_map(late).collect();
        for token in late {
            self.turn_away(token, "it has said nothing, or not all");
        }
        if self.group.stage() != Stage::Waiting {
            return;
        }
        if now >= self.came + self.start.times.next {
            let strangers = self.strangers();
            let after = format!("{} s{strangers}", self.start.times.next.as_secs_f32());
            self.group.expired(&after);
        } else if now >= self.say.0 {
            let text = format!("anympi: {}{}\n", self.group.state(), self.strangers());
            // Nothing can be done about a closed standard error.
            let _ = io::stderr().write_all(text.as_bytes());
            let pause = self.say.1 * 2;
            self.say = (now + pause, pause);
        }
    }

    /// When something is due next.
    fn due(&self, now: Instant) -> Duration {
        let open = self.connections.values();
        let open = open.filter(|one| !matches!(one.admission, Admission::Member));
        let mut due = open.map(|one| one.until).min();
        let mut also = |when: Instant| due = Some(due.map_or(when, |due| due.min(when)));
        match self.group.stage() {
            Stage::Waiting => {
                also(self.came + self.start.times.next);
                also(self.say.0);
            }
            Stage::Met => (),
            Stage::Over => also(now + LAST / 20),
        }
        if let Some(full) = self.full {
            also(full);
        }
        due.map_or(Duration::from_secs(600), |due| {
            due.saturating_duration_since(now)
        })
    }

    /// Hands out what the group wants to be told.
    fn deliver(&mut self) {
        let mut last: Option<(ToMember, Rc<[u8]>)> = None;
        for (token, what) in self.group.out() {
            // All are told the same, mostly.
            let bytes = match &last {
                Some((same, bytes)) if *same == what => bytes.clone(),
                _ => what.to_bytes().into(),
            };
            last = Some((what, bytes.clone()));
            if let Some(connection) = self.connections.get_mut(&token) {
                connection.out.push_back(bytes);
                // A connection that is broken says so when it is read.
                let _ = connection.send();
            }
        }
    }

    fn wait_and_serve(&mut self, now: Instant) {
        let due = self.due(now).as_millis() + 1;
        let open = self.connections.values();
        let open = open
            .filter(|one| !matches!(one.admission, Admission::Member))
            .count();
        let accepts = open < STRANGERS && self.full.is_none_or(|full| full <= now);
        let mut polled = Vec::with_capacity(self.connections.len() + 1);
        let mut tokens = Vec::with_capacity(self.connections.len());
        for (token, connection) in &self.connections {
            let out = match connection.out.is_empty() {
                true => PollFlags::empty(),
                false => PollFlags::POLLOUT,
            };
            polled.push(PollFd::new(
                connection.socket.as_fd(),
                PollFlags::POLLIN | out,
            ));
            tokens.push(*token);
        }
        if accepts {
            polled.push(PollFd::new(self.start.listener.as_fd(), PollFlags::POLLIN));
        }
        let timeout = PollTimeout::try_from(due).unwrap_or(PollTimeout::MAX);
        // What fails here is looked at again at once, and can be nothing but an interruption.
        let _ = poll(&mut polled, timeout);
        let ready: Vec<bool> = polled
            .iter()
            .map(|one| one.any().unwrap_or(false))
            .collect();
        drop(polled);
        for (token, ready) in tokens.iter().zip(&ready) {
            if *ready {
                self.serve(*token);
            }
        }
        if accepts && ready.last() == Some(&true) {
            self.accept(open);
        }
    }

    fn accept(&mut self, open: usize) {
        self.full = None;
        // Where many say nothing, the others need not wait for long.
        let patience = match open < STRANGERS / 2 {
            true => self.start.times.stranger,
            false => self.start.times.stranger / 5,
        };
        for _ in 0..64 {
            let (socket, from) = match self.start.listener.accept() {
                Ok(accepted) => accepted,
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => return,
                    io::ErrorKind::PermissionDenied => {
                        self.strangers += 1;
                        self.last = error.to_string();
                        continue;
                    }
                    io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted => continue,
                    _ => {
                        self.last = format!("a connection that could not be accepted: {error}");
                        self.full = Some(Instant::now() + Duration::from_millis(100));
                        return;
                    }
                },
            };
            self.next += 1;
            let connection = Connection {
                socket: Held::new(socket),
                from,
                admission: Admission::Open,
                come: Vec::new(),
                out: VecDeque::new(),
                sent: 0,
                until: Instant::now() + patience,
            };
            self.connections.insert(self.next, connection);
        }
    }

    /// A connection can be read or written.
    fn serve(&mut self, token: Token) {
        let Some(connection) = self.connections.get_mut(&token) else {
            return;
        };
        let mut failed = connection.send().err().map(|error| error.to_string());
        let mut buffer = [0; 16 << 10];
        // Others are to be served, too.
        for _ in 0..16 {
            match sys::receive_some(connection.socket.as_fd(), &mut buffer) {
                Ok(None) => break,
                Ok(Some(0)) => {
                    failed.get_or_insert_with(|| "its connection was closed".into());
                    break;
                }
                Ok(Some(count)) => connection.come.extend_from_slice(&buffer[..count]),
                Err(error) => {
                    failed.get_or_insert_with(|| error.to_string());
                    break;
                }
            }
        }
        while self.advance(token) {}
        if let Some(why) = failed {
            self.close(token, &why);
        }
    }

    fn close(&mut self, token: Token, why: &str) {
        match self.connections.get(&token).map(|one| &one.admission) {
            Some(Admission::Member) => {
                self.connections.remove(&token);
                self.group.gone(token, why);
            }
            Some(_) => self.turn_away(token, why),
            None => (),
        }
    }

    /// Looks at the next message of a connection, if all of it has come.
    fn advance(&mut self, token: Token) -> bool {
        let Some(connection) = self.connections.get_mut(&token) else {
            return false;
        };
        let come = &mut connection.come;
        match &connection.admission {
            Admission::Open => {
                let Some(greeting) = come.first_chunk::<GREETING>() else {
                    return false;
                };
                match Called::new(self.start.me, greeting, sys::random_bytes()) {
                    Ok(called) => {
                        let challenge = called.challenge(&self.start.secret);
                        connection.out.push_back(Rc::from(&challenge[..]));
                        connection.come.drain(..GREETING);
                        connection.admission = Admission::Greeted(called);
                        // As above.
                        let _ = connection.send();
                    }
                    Err(wrong) => self.turn_away(token, &wrong.to_string()),
                }
            }
            Admission::Greeted(called) => {
                let Some(proof) = come.first_chunk::<PROOF>() else {
                    return false;
                };
                match called.check(&self.start.secret, proof) {
                    Ok(()) => {
                        come.drain(..PROOF);
                        connection.admission = Admission::Proved;
                    }
                    Err(wrong) => self.turn_away(token, &wrong.to_string()),
                }
            }
            Admission::Proved | Admission::Member => {
                let frame = match frame::take(come, frame::MAX_MEMBER_FRAME) {
                    Ok(None) => return false,
                    Ok(Some(frame)) => FromMember::from_bytes(&frame).ok_or_else(String::new),
                    Err(why) => Err(why),
                };
                let is_hello = matches!(frame, Ok(FromMember::Hello { .. }));
                let is_first = matches!(connection.admission, Admission::Proved);
                match frame {
                    Ok(frame) if is_hello == is_first => {
                        connection.admission = Admission::Member;
                        if is_first {
                            self.came = Instant::now();
                            self.say = (self.came + self.start.times.say, self.start.times.say);
                        }
                        self.group.said(token, frame);
                    }
                    other => {
                        let why = other.err().unwrap_or_default();
                        self.close(token, &format!("it has sent what does not fit {why}"));
                    }
                }
            }
        }
        true
    }
}

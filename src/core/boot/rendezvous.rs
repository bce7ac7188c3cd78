//! Processes that something else has started meet at one address, without any launcher.
//!
//! The environment says where ([`announced`]). Whoever can listen there serves the others: it is the [`root`]. All prove
//! to each other that they know one secret, and become a job. What a launcher does while the job runs the root
//! does: it carries values at fences, and notices by the closed connection that a process has died. A thread of each
//! process listens to it, and ends the process with the job.

pub mod announced;
mod frame;
mod group;
mod nodes;
mod root;
mod secret;
mod socket;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io::{self, Write};
use std::net::ToSocketAddrs;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::own::Launchers;
use super::{Abort, Boot, Identity, Program, kin, node};
use crate::error::{Error, Result, class};
use crate::handshake::{CHALLENGE, Caller, Secret, Wrong};
use crate::held::Held;
use crate::processes::{Job, Process, hash};
use crate::sync::{AtomicU8, Ordering};
use crate::sys;
use frame::{FromMember, ToMember, Who};
use root::{Start, Times};
use socket::{Address, Listener};

/// How long one address may take to answer.
const ADDRESS: Duration = Duration::from_secs(2);
/// Time before all addresses are tried again.
const AGAIN: Duration = Duration::from_millis(50);
/// How long the root may take to answer. A fence waits for the slowest process to start, so it is generous.
const ANSWER: Duration = Duration::from_secs(600);
/// Time for a stranger, and before the first word about who is missing.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the root is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Where {
    /// All processes run on this host, as one user.
    Here,
    /// At the first of these ports that the root could have.
    Ports { host: String, ports: Vec<u16> },
}

/// How a process is to meet the others.
#[derive(Clone)]
pub struct Plan {
    /// A few words for messages: what has started the processes.
    pub name: &'static str,
    /// Tells the group apart from others that may be at the same place.
    pub group: String,
    pub at: Where,
    /// Whether this process may be the root.
    pub may_serve: bool,
    pub secret: Secret,
    /// Without one, ranks are given out in the order of arrival.
    pub rank: Option<u32>,
    /// Without one, another process must know.
    pub size: Option<u32>,
    /// For how long nobody more has to come until it fails.
    pub wait: Duration,
    /// What messages add about what to do.
    pub hint: String,
}

impl Plan {
    fn error(&self, what: impl std::fmt::Display) -> Error {
        let text = format!("{}: {what}; {}", self.name, self.hint);
        Error::new(class::OTHER, text)
    }

    fn root(&self) -> Process {
        let job = Job::named(&self.group);
        Process { job, index: 0 }
    }

    /// Where the root is looked for, in this order.
    fn addresses(&self) -> io::Result<Vec<Address>> {
        match &self.at {
            Where::Here => {
                let user = nix::unistd::geteuid();
                let name = format!("anympi-{user}-{:016x}", hash(self.group.bytes()));
                Ok(vec![Address::Local(name)])
            }
            Where::Ports { host, ports } => {
                let mut all = Vec::new();
                for port in ports {
                    let found = (host.as_str(), *port).to_socket_addrs()?;
                    all.extend(found.map(Address::Inet));
                }
                Ok(all)
            }
        }
    }
}

/// Why an address is not the root's.
enum Not {
    /// Nothing that is used answers there. Another address may be it, or this one later.
    Yet(String),
    /// It is, and the two do not have the same secret.
    Secret,
}

/// Connects to the root at an address, if it is there, and proves to it that this process belongs to the group.
fn call(address: &Address, plan: &Plan) -> Result<OwnedFd, Not> {
    let not = |what: &str| {
        let text = format!("{address}: {what}");
        move |error: io::Error| Not::Yet(format!("{text}{error}"))
    };
    let socket = socket::connect(address, ADDRESS).map_err(not(""))?;
    let until = Instant::now() + ADDRESS;
    let me = Process {
        index: plan.rank.unwrap_or(u32::MAX),
        ..plan.root()
    };
    let caller = Caller::new(me, plan.root(), plan.secret.id(), &sys::random_bytes());
    let mut challenge = [0; CHALLENGE];
    socket::write(socket.as_fd(), caller.greeting(), until)
        .and_then(|()| socket::read(socket.as_fd(), &mut challenge, until))
        .map_err(not("what listens there is not this group's: "))?;
    let proof = match caller.answer(&plan.secret, &challenge) {
        Ok(proof) => proof,
        Err(Wrong::Proof) => {
            // So that the root can say that somebody has come whose secret is another.
            let _ = socket::write(socket.as_fd(), &[0; crate::handshake::PROOF], until);
            return Err(Not::Secret);
        }
        Err(wrong) => return Err(Not::Yet(format!("{address}: {wrong}"))),
    };
    socket::write(socket.as_fd(), &proof, until).map_err(not(""))?;
    Ok(socket)
}

fn is_others(error: &io::Error) -> bool {
    use io::ErrorKind::{AddrInUse, AddrNotAvailable};
    matches!(error.kind(), AddrInUse | AddrNotAvailable)
}

/// A connection to the root, its address, and the root's thread if that is in this process.
type Reached = (OwnedFd, Address, Option<JoinHandle<()>>);

/// Finds the root, or becomes it.
fn reach(plan: &Plan) -> Result<Reached> {
    let begin = Instant::now();
    let mut say = PATIENCE;
    let (mut serves, mut mine) = (None, None);
    loop {
        let (mut last, mut free) = (String::from("it has no address"), None);
        // Who serves need not look elsewhere.
        match mine
            .clone()
            .map_or_else(|| plan.addresses(), |mine| Ok(vec![mine]))
        {
            Err(error) => last = error.to_string(),
            Ok(addresses) => {
                for address in addresses {
                    match call(&address, plan) {
                        Ok(socket) => return Ok((socket, address, serves)),
                        Err(Not::Secret) => {
                            return Err(plan.error(format_args!(
                                "the processes at {address} have another secret than this one"
                            )));
                        }
                        Err(Not::Yet(why)) => last = why,
                    }
                    if plan.may_serve && serves.is_none() && free.is_none() {
                        match Listener::at(&address) {
                            Ok(listener) => free = Some((listener, address)),
                            // It is another host's, or another process has it.
                            Err(error) if is_others(&error) => (),
                            Err(error) => last = format!("{address}: cannot listen: {error}"),
                        }
                    }
                }
            }
        }
        if let Some((listener, address)) = free {
            serves = Some(serve(plan, listener, &address)?);
            mine = Some(address);
            continue;
        }
        let waited = begin.elapsed();
        if waited >= plan.wait {
            return Err(plan.error(format_args!(
                "no process serves the others at {} after {} s: {last}",
                plan.place(),
                waited.as_secs()
            )));
        }
        if waited >= say {
            say *= 2;
            let text = format!(
                "anympi: {} waits for a process that serves the others at {}: {last}\n",
                who(),
                plan.place()
            );
            // Nothing can be done about a closed standard error.
            let _ = io::stderr().write_all(text.as_bytes());
        }
        std::thread::sleep(AGAIN);
    }
}

impl Plan {
    fn place(&self) -> String {
        match &self.at {
            Where::Here => "a socket of this host".into(),
            Where::Ports { host, ports } => match ports.as_slice() {
                [port] => format!("{host}:{port}"),
                [first, .., last] => format!("{host}:{first}-{last}"),
                [] => host.clone(),
            },
        }
    }
}

fn serve(plan: &Plan, listener: Listener, address: &Address) -> Result<JoinHandle<()>> {
    let digits = |byte: &u8| format!("{byte:02x}");
    let name: String = sys::random_bytes::<16>().iter().map(digits).collect();
    let start = Start {
        listener: Held::new(listener),
        place: address.to_string(),
        job: format!("rendezvous-{name}"),
        me: plan.root(),
        secret: plan.secret.clone(),
        times: Times {
            next: plan.wait,
            stranger: PATIENCE,
            say: PATIENCE,
        },
    };
    let thread = root::start(start)
        .map_err(|error| plan.error(format_args!("cannot serve the others: {error}")))?;
    SERVES.store(1, Ordering::Relaxed);
    Ok(thread)
}

/// This process, for the messages of others.
fn who() -> Who {
    Who {
        pid: std::process::id(),
        node: hash(node::identity().bytes()),
        host: sys::host_name(),
    }
}

/// What the thread that listens to the root shares with the others of its process.
#[derive(Default)]
struct Shared {
    /// Somebody waits for an answer, and is told of the end of the job.
    waits: bool,
    /// This process has left MPI, and does not end with the job.
    left: bool,
    /// All have left MPI.
    parted: bool,
    /// Why the job has ended.
    ended: Option<String>,
}

/// A process of a job without a launcher.
pub struct Rendezvous {
    plan: Plan,
    identity: Identity,
    socket: Arc<Held<OwnedFd>>,
    answers: Receiver<ToMember>,
    shared: Arc<Mutex<Shared>>,
    /// What this process has put since the last fence.
    put: Vec<u8>,
    values: HashMap<(u32, String), Vec<u8>>,
    /// The root's thread, if it is in this process.
    serves: Option<JoinHandle<()>>,
    launchers: Launchers,
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What has come of an attempt to meet the others.
enum Met {
    As(Box<Rendezvous>),
    /// They have met before, and one of them has started this process.
    Below,
    /// A job of an earlier program of this rank is about to end.
    Later,
}

/// How a process ends with its job, by an exit status and for a reason.
type End = fn(i32, &str);

/// Whether the root is in this process.
static SERVES: AtomicU8 = AtomicU8::new(0);

/// Whether this process ends the job itself, with a status of its own. Then it is no news that the root ends.
static ENDS: AtomicU8 = AtomicU8::new(0);

fn end_process(status: i32, why: &str) {
    if ENDS.load(Ordering::Relaxed) != 0 {
        return;
    }
    let text = format!("anympi: {} ends: {why}\n", who());
    sys::write_raw(2, text.as_bytes());
    // The others learn why from the root, if that is in this process.
    if SERVES.load(Ordering::Relaxed) != 0 {
        root::wait_until_told();
    }
    sys::exit_now(status);
}

/// What the root has to say while the job runs, until it or this process has left.
fn listen(socket: &Held<OwnedFd>, shared: &Mutex<Shared>, answers: &Sender<ToMember>, end: End) {
    let mut come = Vec::new();
    let mut buffer = [0; 16 << 10];
    loop {
        let frame = frame::take(&mut come, frame::MAX_ROOT_FRAME).and_then(|frame| match frame {
            Some(frame) => ToMember::from_bytes(&frame)
                .map(Some)
                .ok_or_else(|| "what it says does not fit".to_owned()),
            None => Ok(None),
        });
        let frame = match frame {
            Ok(None) => match socket::read_some(socket.as_fd(), &mut buffer, None) {
                Ok(0) => Err("its connection was closed".to_owned()),
                Ok(count) => {
                    come.extend_from_slice(&buffer[..count]);
                    continue;
                }
                Err(error) => Err(error.to_string()),
            },
            other => other,
        };
        let frame = frame.map_or_else(
            |why| ToMember::End {
                status: 1,
                why: format!("the process that serves the job is lost: {why}"),
            },
            |frame| frame.expect("looked at above"),
        );
        let mut shared = lock(shared);
        match frame {
            ToMember::End { status, why } if !shared.waits && !shared.left => {
                return end(status.clamp(1, 255), &why);
            }
            // Whoever waits finds that no answer can come any more, and why.
            ToMember::End { why, .. } => {
                shared.ended = Some(why);
                return;
            }
            ToMember::Bye => {
                shared.parted = true;
                return;
            }
            // Nobody takes it if this process gives up at the same time.
            answer => _ = answers.send(answer),
        }
    }
}

impl Rendezvous {
    /// Meets the others. `None`: they have met before, and one of them has started this process, which so is not meant.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: nobody serves; somebody does not come, in time; two do not agree.
    pub fn join(plan: Plan) -> Result<Option<Rendezvous>> {
        Rendezvous::meet(plan, end_process)
    }

    fn meet(plan: Plan, end: End) -> Result<Option<Rendezvous>> {
        let until = Instant::now() + plan.wait;
        loop {
            match Rendezvous::meet_once(plan.clone(), end)? {
                Met::As(this) => return Ok(Some(*this)),
                Met::Below => return Ok(None),
                Met::Later if Instant::now() < until => std::thread::sleep(AGAIN),
                Met::Later => {
                    return Err(plan.error(format_args!(
                        "the job before, which this process's rank has left, has not ended after {} s",
                        plan.wait.as_secs()
                    )));
                }
            }
        }
    }

    fn meet_once(plan: Plan, end: End) -> Result<Met> {
        let (socket, address, serves) = reach(&plan)?;
        let hello = FromMember::Hello {
            rank: plan.rank,
            size: plan.size,
            who: who(),
        };
        let until = Instant::now() + ADDRESS;
        let lost = |error| plan.error(format_args!("{address}: {error}"));
        socket::write(socket.as_fd(), &hello.to_bytes(), until).map_err(lost)?;
        let socket = Arc::new(Held::new(socket));
        let shared = Arc::new(Mutex::new(Shared {
            waits: true,
            ..Shared::default()
        }));
        let (sender, answers) = channel();
        let (its_socket, its_shared) = (socket.clone(), shared.clone());
        sys::without_signals(|| {
            let thread = std::thread::Builder::new().name("anympi-member".into());
            thread.spawn(move || listen(&its_socket, &its_shared, &sender, end))
        })
        .map_err(lost)?;
        let identity = Identity {
            job: String::new(),
            index: 0,
            size: 0,
            appnum: None,
            universe_size: None,
        };
        let mut this = Rendezvous {
            plan,
            identity,
            socket,
            answers,
            shared,
            put: Vec::new(),
            values: HashMap::new(),
            serves,
            launchers: Launchers::default(),
        };
        // For how long others may come the root says.
        let answer = this.answer(None);
        if let Some(thread) = this.serves.take_if(|_| answer.is_err()) {
            // It tells the others why. What it panicked of, it has said.
            let _ = thread.join();
        }
        let (rank, size, job) = match answer? {
            ToMember::Welcome { rank, size, job } => (rank, size, job),
            ToMember::Late { pids, .. } | ToMember::Again { pids } if kin::is_below(&pids) => {
                return Ok(Met::Below);
            }
            ToMember::Again { .. } => return Ok(Met::Later),
            ToMember::Late { why, .. } => return Err(this.plan.error(why)),
            _ => return Err(this.plan.error("the answer does not fit")),
        };
        (this.identity.index, this.identity.size) = (rank as usize, size as usize);
        this.identity.job = job;
        Ok(Met::As(Box::new(this)))
    }

    /// Says something to the root, and waits for the answer.
    fn ask(&mut self, what: &FromMember) -> Result<ToMember> {
        lock(&self.shared).waits = true;
        let until = Instant::now() + ANSWER;
        let sent = socket::write(self.socket.as_fd(), &what.to_bytes(), until);
        // Why it has gone may have come before.
        match (self.answer(Some(ANSWER)), sent) {
            (Err(error), _) => Err(error),
            (Ok(ToMember::Bye), _) => Ok(ToMember::Bye),
            (Ok(_), Err(error)) => Err(self.plan.error(error)),
            (Ok(answer), Ok(())) => Ok(answer),
        }
    }

    /// The next answer.
    fn answer(&mut self, within: Option<Duration>) -> Result<ToMember> {
        let answer = match within {
            None => self
                .answers
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
            Some(within) => self.answers.recv_timeout(within),
        };
        let mut shared = lock(&self.shared);
        shared.waits = false;
        match (answer, &shared.ended) {
            (_, Some(why)) => Err(self.plan.error(why)),
            (Ok(answer), None) => Ok(answer),
            (Err(RecvTimeoutError::Disconnected), None) if shared.parted => Ok(ToMember::Bye),
            (Err(error), None) => Err(self.plan.error(format_args!("no answer: {error}"))),
        }
    }
}

impl Boot for Rendezvous {
    fn name(&self) -> &'static str {
        self.plan.name
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn may_span(&self) -> bool {
        self.identity.size > 1 && self.plan.at != Where::Here
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
        frame::add_value(&mut self.put, self.identity.index as u32, key, value);
        Ok(())
    }

    fn get(&mut self, index: usize, key: &str) -> Result<Option<Vec<u8>>> {
        let key = (index as u32, key.to_owned());
        Ok(self.values.get(&key).cloned())
    }

    fn fence(&mut self) -> Result<()> {
        let put = std::mem::take(&mut self.put);
        let ToMember::Fenced(values) = self.ask(&FromMember::Fence(put))? else {
            return Err(self.plan.error("the answer does not fit"));
        };
        let Some(values) = frame::values(&values) else {
            return Err(self.plan.error("the values of the others are broken"));
        };
        let values = values.into_iter();
        self.values
            .extend(values.map(|(index, key, value)| ((index, key), value)));
        Ok(())
    }

    fn abort(&self) -> Option<Abort> {
        Some(Abort {
            descriptor: self.socket.as_raw_fd(),
            tell: match self.serves {
                None => tell_of_abort,
                Some(_) => tell_of_abort_and_wait,
            },
        })
    }

    /// The root is in one of the processes, which stays until all others have left, too.
    fn finalize(&mut self) -> Result<()> {
        {
            let mut shared = lock(&self.shared);
            if shared.parted || std::mem::replace(&mut shared.left, true) {
                return Ok(());
            }
        }
        self.launchers.leave();
        self.ask(&FromMember::Leave)?;
        if let Some(thread) = self.serves.take() {
            self.answer(None)?;
            // It has no more to do; what it panicked of, it has said.
            let _ = thread.join();
        }
        Ok(())
    }

    fn rejoin(&mut self) -> Result<()> {
        let alone = {
            let mut shared = lock(&self.shared);
            shared.left = shared.parted || shared.ended.is_some();
            shared.left
        };
        // Where all have left, nobody is there to be told.
        if alone {
            return Ok(());
        }
        // The others may leave at once, and so must not be heard first.
        let asked = self.ask(&FromMember::Back);
        let mut shared = lock(&self.shared);
        shared.left = shared.parted || shared.ended.is_some();
        match asked {
            Err(error) if !shared.left => Err(error),
            _ => Ok(()),
        }
    }

    fn spawn(&mut self, programs: &[Program], values: &[(&str, &str)]) -> Result<Vec<i32>> {
        self.launchers.spawn(programs, values)
    }

    fn ended(&mut self) -> Option<String> {
        self.launchers.ended()
    }
}

impl Drop for Rendezvous {
    fn drop(&mut self) {
        // The thread that listens ends by that, and ends no process.
        lock(&self.shared).left = true;
        let how = nix::sys::socket::Shutdown::Both;
        let _ = nix::sys::socket::shutdown(self.socket.as_raw_fd(), how);
    }
}

fn tell_of_abort(descriptor: i32, status: i32, code: i32) {
    ENDS.store(1, Ordering::Relaxed);
    sys::send_raw(descriptor, &frame::abort(status, code));
}

fn tell_of_abort_and_wait(descriptor: i32, status: i32, code: i32) {
    tell_of_abort(descriptor, status, code);
    root::wait_until_told();
}

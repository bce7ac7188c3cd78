//! Jobs that are spawned while this one runs, and the job that has spawned this one.
//!
//! A spawned job is run by an mpiexec of its own, a child of this one, so that no job knows the ranks of another. The two
//! tell each other over a socket what concerns both: the child when its ranks run and how they have ended, this one
//! when the job is to end.

use super::{GRACE_FAILED, Job, Phase};
use crate::cause::Cause;
use crate::guard::record_of_group;
use crate::link::{Link, Read};
use crate::parent::{Parent, Word, plain, whole_lines};
use crate::request::Request;
use crate::spawned;
use anympi_core::boot::order::Order;
use nix::errno::Errno;
use nix::poll::PollFlags;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{Signal, kill};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
use nix::unistd::{ForkResult, Pid, fork, getppid, setpgid};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

/// The descriptor by which a child knows its socket.
const SOCKET: i32 = 3;

/// The mpiexec of a spawned job.
pub struct Child {
    pid: Pid,
    link: Link,
    pending: Vec<u8>,
    /// Who has spawned the job.
    rank: usize,
    /// That rank knows whether the job runs.
    answered: bool,
    /// What the job has said of its end was heard.
    told: bool,
    /// It has closed its socket; it has ended.
    closed: bool,
    ended: bool,
}

impl Child {
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// What to wait for.
    pub fn descriptor(&self) -> Option<(BorrowedFd<'_>, PollFlags)> {
        let flags = match self.link.waits() {
            true => PollFlags::POLLIN | PollFlags::POLLOUT,
            false => PollFlags::POLLIN,
        };
        (!self.closed).then(|| (self.link.as_fd(), flags))
    }
}

/// A file name for what the `number`-th spawned job writes.
fn of_job(name: PathBuf, number: usize) -> PathBuf {
    let mut name = name.into_os_string();
    name.push(format!(".spawned.{number}"));
    name.into()
}

impl Job<'_> {
    /// A rank has ordered programs.
    pub(super) fn spawn(&mut self, rank: usize, order: Order) {
        if self.phase != Phase::Running {
            self.refuse_spawn(rank, "the job is ending");
            return;
        }
        let flags = SockFlag::SOCK_CLOEXEC;
        let (ours, its) = match socketpair(AddressFamily::Unix, SockType::Stream, None, flags) {
            Ok(pair) => pair,
            Err(error) => return self.refuse_spawn(rank, &error.to_string()),
        };
        self.spawned += 1;
        // SAFETY: mpiexec has one thread, so the child may run any code.
        match unsafe { fork() } {
            Err(error) => self.refuse_spawn(rank, &error.to_string()),
            Ok(ForkResult::Child) => self.become_child(rank, &order, its),
            Ok(ForkResult::Parent { child }) => {
                // The child does the same; whoever comes first.
                let _ = setpgid(child, child);
                self.children.push(Child {
                    pid: child,
                    link: Link::new(ours),
                    pending: Vec::new(),
                    rank,
                    answered: false,
                    told: false,
                    closed: false,
                    ended: false,
                });
            }
        }
    }

    /// This process is the mpiexec of a spawned job from now on.
    fn become_child(&mut self, rank: usize, order: &Order, socket: OwnedFd) -> ! {
        let launcher = getppid();
        let own = Pid::this();
        let _ = setpgid(own, own);
        let record = record_of_group(own.as_raw());
        // SAFETY: the bytes of a local variable; the descriptor is the pipe to the guard of the mpiexec that this was.
        unsafe {
            let guard = self.watch.register().as_raw_fd();
            libc::write(guard, (&raw const record).cast(), size_of_val(&record));
        }
        // SAFETY: nothing that this process was is used any more, so all descriptors but the socket and the standard
        // ones may go.
        let socket = unsafe {
            if socket.as_raw_fd() != SOCKET {
                libc::dup3(socket.as_raw_fd(), SOCKET, libc::O_CLOEXEC);
            }
            std::mem::forget(socket);
            libc::syscall(libc::SYS_close_range, SOCKET + 1, u32::MAX, 0);
            OwnedFd::from_raw_fd(SOCKET)
        };
        let _ = set_pdeathsig(Signal::SIGKILL);
        let parent = Parent::over(socket);
        if getppid() != launcher {
            std::process::exit(1);
        }
        let number = self.spawned;
        let mut base = Request {
            universe: Some(self.plan.universe),
            ..self.request.clone()
        };
        let output = &mut base.output;
        output.directory = output.directory.take().map(|d| of_job(d, number));
        output.file = output.file.take().map(|f| of_job(f, number));
        for pattern in [&mut output.stdout_pattern, &mut output.stderr_pattern] {
            *pattern = pattern.take().map(|p| format!("{p}.spawned.{number}"));
        }
        let count = order.programs.iter().map(|p| p.processes).sum();
        let default = base.default_slots.unwrap_or(1);
        if let Some(free) = spawned::free(&base.hosts, default, self.plan, count)
            && !free.is_empty()
        {
            base.hosts = free;
        }
        let by = self.request.apps.get(self.seats[rank].program);
        let code = spawned::run(&base, by, order, parent, Some(*self.before));
        std::process::exit(code)
    }

    fn refuse_spawn(&mut self, rank: usize, why: &str) {
        let line = format!("cmd=spawn_result rc=1 msg={}\n", crate::parent::value(why));
        self.answer(rank, line.into_bytes());
    }

    fn answer(&mut self, rank: usize, line: Vec<u8>) {
        self.act(vec![crate::pmi::Action::Reply { rank, line }]);
    }

    /// A child has said something, or can be told something.
    pub(super) fn hear_child(&mut self, pid: Pid) {
        let Some(at) = self.children.iter().position(|child| child.pid == pid) else {
            return;
        };
        let child = &mut self.children[at];
        child.link.flush();
        let mut buffer = vec![0; 64 * 1024];
        while !child.closed {
            match child.link.read(&mut buffer) {
                Read::Bytes(n) => child.pending.extend_from_slice(&buffer[..n]),
                Read::Nothing => break,
                Read::Closed => child.closed = true,
            }
        }
        let rank = child.rank;
        for line in whole_lines(&mut child.pending) {
            self.hear_line(at, rank, &line);
        }
        self.forget_children();
    }

    fn hear_line(&mut self, at: usize, rank: usize, line: &[u8]) {
        let text = String::from_utf8_lossy(line).into_owned();
        let field = |name: &str| {
            let (_, rest) = text.split_once(&format!(" {name}="))?;
            Some(rest.split(' ').next().unwrap_or(rest))
        };
        match text.split(' ').next().unwrap_or_default() {
            "cmd=spawn_result" => {
                self.children[at].answered = true;
                // A job that has not begun does not end either.
                self.children[at].told = field("rc") != Some("0");
                self.answer(rank, [line, b"\n"].concat());
            }
            "cmd=anympi_ended" => {
                self.children[at].told = true;
                let (bound, fails) = (field("bound") == Some("1"), field("fails") == Some("1"));
                let code = field("code")
                    .and_then(|code| code.parse().ok())
                    .unwrap_or(1);
                let why = text.split_once(" msg=").map_or("", |(_, why)| why);
                self.child_ended(rank, bound, fails, code, plain(why));
            }
            "cmd=anympi_name" => {
                let pid = self.children[at].pid;
                let route = format!("{pid}/{}", field("rank").unwrap_or_default());
                let query = text.find(" cmd=").map_or("", |at| &text[at + 1..]);
                self.ask_about_name(&route, query.as_bytes());
            }
            _ => {}
        }
    }

    /// Somebody asks about names of services, which only the first mpiexec keeps. `route`: a rank, or the children
    /// through which it is reached and the rank.
    pub(super) fn ask_about_name(&mut self, route: &str, query: &[u8]) {
        match &mut self.parent {
            Some(parent) if !parent.is_process() => parent.ask(route, query),
            _ => {
                let answer = self.server.name(query);
                self.tell_name(route, answer);
            }
        }
    }

    fn tell_name(&mut self, route: &str, answer: Vec<u8>) {
        match route.split_once('/') {
            Some((pid, rest)) => {
                let line = String::from_utf8_lossy(&answer);
                let line = format!("cmd=anympi_named rank={rest} {line}");
                let is_it = |child: &&mut Child| child.pid.to_string() == pid;
                if let Some(child) = self.children.iter_mut().find(is_it) {
                    child.link.say(&line);
                }
            }
            None => {
                let rank = route.parse().ok().filter(|&rank| rank < self.seats.len());
                if let Some(rank) = rank {
                    self.answer(rank, answer);
                }
            }
        }
    }

    /// How a spawned job has ended. `bound`: it was connected with this one.
    fn child_ended(&mut self, rank: usize, bound: bool, fails: bool, code: i32, why: String) {
        let cause = Cause::Spawned(code);
        if bound && fails {
            self.end(cause, Signal::SIGTERM, GRACE_FAILED);
        } else if bound {
            if code != 0 {
                self.verdict.note(cause);
            }
        } else {
            self.server.note_ended(rank, why);
        }
    }

    /// A process has ended. Whether it was the mpiexec of a spawned job.
    pub(super) fn is_child_over(&mut self, pid: Pid) -> bool {
        let Some(at) = self.children.iter().position(|child| child.pid == pid) else {
            return false;
        };
        self.hear_child(pid);
        let Some(child) = self.children.get_mut(at).filter(|child| child.pid == pid) else {
            return true;
        };
        child.ended = true;
        let (rank, answered, told) = (child.rank, child.answered, child.told);
        // It was killed.
        if !answered {
            self.refuse_spawn(rank, "its mpiexec has ended");
        } else if !told {
            self.say("the mpiexec of a spawned job has ended too early");
            self.child_ended(rank, true, true, 1, String::new());
        }
        self.forget_children();
        true
    }

    fn forget_children(&mut self) {
        let watch = &mut self.watch;
        self.children.retain(|child| {
            if child.ended {
                watch.remove(child.pid);
            }
            !child.ended
        });
    }

    /// Has the spawned jobs end.
    pub(super) fn end_children(&mut self, with: Signal, grace: Duration) {
        let line = format!(
            "cmd=anympi_end signal={} grace={}\n",
            with as i32,
            grace.as_millis()
        );
        for child in &mut self.children {
            child.link.say(&line);
        }
    }

    /// Sends a signal to the ranks of the spawned jobs.
    pub(super) fn signal_children(&mut self, signal: Signal) {
        for child in &mut self.children {
            child
                .link
                .say(&format!("cmd=anympi_signal signal={}\n", signal as i32));
        }
    }

    /// Nobody waits for them any more.
    pub(super) fn kill_children(&mut self) {
        for child in &self.children {
            let _ = kill(child.pid, Signal::SIGKILL);
        }
        for child in self.children.drain(..) {
            while nix::sys::wait::waitpid(child.pid, None) == Err(Errno::EINTR) {}
            self.watch.remove(child.pid);
        }
    }

    /// Who has spawned this job has said something.
    pub(super) fn hear_parent(&mut self) {
        let words = self.parent.as_mut().map(Parent::hear);
        for word in words.unwrap_or_default() {
            match word {
                Word::End(signal, grace) => {
                    let signal = Signal::try_from(signal).unwrap_or(Signal::SIGTERM);
                    self.end(Cause::WithParent, signal, Duration::from_millis(grace));
                }
                Word::Gone => self.end(Cause::WithParent, Signal::SIGTERM, GRACE_FAILED),
                Word::Signal(libc::SIGKILL) => self.kill(),
                Word::Signal(signal) => {
                    if let Ok(signal) = Signal::try_from(signal) {
                        self.send(signal);
                    }
                }
                Word::Named(route, line) => self.tell_name(&route, line),
            }
        }
    }

    /// Tells who has spawned this job how it ends. Whether somebody else says it to the user.
    pub(super) fn tell_parent(&mut self, cause: &Cause) -> bool {
        let bound = self.is_bound();
        let Some(parent) = self.parent.as_mut().filter(|_| *cause != Cause::WithParent) else {
            return false;
        };
        if !parent.answered {
            parent.refuse(&cause.to_string());
            return true;
        }
        parent.ended(bound, true, cause.code(), &cause.to_string());
        false
    }

    /// Whether the ranks are connected with those of the job that has spawned them.
    fn is_bound(&self) -> bool {
        // Other libraries do not say when they have come to MPI, and do not ask for jobs that never do.
        self.server.has_world() || self.parent.as_ref().is_some_and(|parent| !parent.ours)
    }

    /// The job is over.
    pub(super) fn leave_parent(&mut self) {
        let bound = self.is_bound();
        let code = self.verdict.code();
        if let Some(parent) = &mut self.parent {
            let why = match code {
                0 => "all of its processes have ended without calling MPI_Init".to_owned(),
                code => format!("it has ended with code {code} before it called MPI_Init"),
            };
            parent.ended(bound, false, code, &why);
            parent.finish();
        }
    }

    /// All ranks run.
    pub(super) fn tell_started(&mut self) {
        if self.seats.iter().all(|seat| seat.started)
            && let Some(parent) = &mut self.parent
        {
            parent.started();
        }
    }
}

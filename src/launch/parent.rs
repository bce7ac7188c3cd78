//! Who has ordered a spawned job, and hears how it goes: the mpiexec of the spawning job, or a process that has no
//! launcher and has started this mpiexec.
//!
//! Job: the lines between the two. The order and its answer are those of PMI-1; beside them an mpiexec says when the
//! job is to end, and hears how it has ended. What follows from it the job decides.

use crate::link::{Link, Read};
use anympi_core::boot::order::{Order, Reader};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use nix::unistd::getppid;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::{Duration, Instant};

/// How long the order may take to come.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a process may take to end that is asked to, because its spawned job has failed.
const GRACE: Duration = Duration::from_secs(1);

/// What it says.
#[derive(Debug, PartialEq, Eq)]
pub enum Word {
    /// End the job with this signal, and kill what is left after so many milliseconds.
    End(i32, u64),
    /// For the ranks.
    Signal(i32),
    /// The answer to what somebody has asked about names of services; who, as it was said with the question.
    Named(String, Vec<u8>),
    /// It has ended without having left MPI.
    Gone,
}

pub struct Parent {
    link: Link,
    pending: Vec<u8>,
    /// If it is a process without a launcher.
    process: Option<Process>,
    /// It has left MPI, and its end means nothing any more.
    left: bool,
    gone: bool,
    /// It knows whether the job runs.
    pub answered: bool,
    /// It knows how the job has ended.
    told: bool,
    /// The processes that have spawned the job use our library.
    pub ours: bool,
    /// For each process that was asked for: 0, or 1 for one that was not to run.
    pub codes: Vec<u8>,
    /// What the processes of the job are to find, in the form of the key space.
    pub values: Vec<(String, String)>,
}

struct Process {
    /// None: the system does not have such descriptors.
    handle: Option<OwnedFd>,
    /// It was asked to end.
    asked: bool,
}

/// Text as a value in a line.
pub fn value(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' ' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str("\\ "),
            c => out.push(c),
        }
    }
    out
}

/// What [`value`] has written.
pub fn plain(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}

/// The whole lines at the start of `pending`, which loses them.
pub fn whole_lines(pending: &mut Vec<u8>) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    while let Some(end) = pending.iter().position(|&b| b == b'\n') {
        let mut line: Vec<u8> = pending.drain(..=end).collect();
        line.pop();
        lines.push(line);
    }
    lines
}

impl Parent {
    /// The mpiexec of the spawning job.
    pub fn over(socket: OwnedFd) -> Parent {
        Parent {
            link: Link::new(socket),
            pending: Vec::new(),
            process: None,
            left: false,
            gone: false,
            answered: false,
            told: false,
            ours: true,
            codes: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The process that has started this one. Standard input and whatever else was handed down is closed. To be called
    /// before this process opens anything.
    ///
    /// # Errors
    /// Standard input is no socket.
    pub fn on_standard_input() -> io::Result<Parent> {
        let stdin = io::stdin();
        let peer = getsockopt(&stdin, PeerCredentials)?;
        let number = fcntl(&stdin, FcntlArg::F_DUPFD_CLOEXEC(3))?;
        // SAFETY: the call has made this descriptor.
        let socket = unsafe { OwnedFd::from_raw_fd(number) };
        for (first, last) in [(3, number as u32 - 1), (number as u32 + 1, u32::MAX)] {
            if first <= last {
                // SAFETY: nothing in this process uses another descriptor yet.
                unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
            }
        }
        if let Ok(null) = File::open("/dev/null") {
            // SAFETY: both are open; standard input is nobody else's.
            unsafe { libc::dup2(null.as_raw_fd(), 0) };
        }
        let mut parent = Parent::over(socket);
        let is_parent = peer.pid() == getppid().as_raw();
        parent.process = Some(Process {
            handle: is_parent.then(|| handle(peer.pid())).flatten(),
            asked: false,
        });
        Ok(parent)
    }

    /// Whether it is a process, not an mpiexec.
    pub fn is_process(&self) -> bool {
        self.process.is_some()
    }

    /// Waits for the order. `None`: whoever was to give it has ended.
    ///
    /// # Errors
    /// None comes, or it makes no sense.
    pub fn order(&mut self) -> Result<Option<Order>, String> {
        let until = Instant::now() + PATIENCE;
        let mut reader = Reader::default();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            while let Some(end) = self.pending.iter().position(|&b| b == b'\n') {
                let line: Vec<u8> = self.pending.drain(..=end).collect();
                if reader.line(&line[..end])? {
                    return Ok(Some(reader.order()));
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            let mut fds = [PollFd::new(self.link.as_fd(), PollFlags::POLLIN)];
            match poll(
                &mut fds,
                PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO),
            ) {
                Ok(0) => return Err("no order has come".into()),
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.to_string()),
            }
            match self.link.read(&mut buffer) {
                Read::Bytes(n) => self.pending.extend_from_slice(&buffer[..n]),
                Read::Nothing => {}
                Read::Closed => return Ok(None),
            }
        }
    }

    /// What to wait for.
    pub fn descriptors(&self) -> Vec<(BorrowedFd<'_>, PollFlags)> {
        let mut all = Vec::new();
        if !self.gone {
            let flags = match self.link.waits() {
                true => PollFlags::POLLIN | PollFlags::POLLOUT,
                false => PollFlags::POLLIN,
            };
            all.push((self.link.as_fd(), flags));
            let process = self.process.iter().filter_map(|p| p.handle.as_ref());
            all.extend(process.map(|fd| (fd.as_fd(), PollFlags::POLLIN)));
        }
        all
    }

    /// Takes what it has said.
    pub fn hear(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        if self.gone {
            return words;
        }
        self.link.flush();
        let mut buffer = vec![0; 64 * 1024];
        let closed = loop {
            match self.link.read(&mut buffer) {
                Read::Bytes(n) => self.pending.extend_from_slice(&buffer[..n]),
                Read::Nothing => break false,
                Read::Closed => break true,
            }
        };
        for line in whole_lines(&mut self.pending) {
            let text = String::from_utf8_lossy(&line).into_owned();
            let numbers: Vec<u64> = text
                .split([' ', '='])
                .filter_map(|word| word.parse().ok())
                .collect();
            let command = text.split(' ').next().unwrap_or_default();
            match (command, numbers.as_slice()) {
                ("cmd=finalize", _) => self.left = true,
                ("cmd=anympi_end", [signal, grace]) => {
                    words.push(Word::End(*signal as i32, *grace))
                }
                ("cmd=anympi_signal", [signal]) => words.push(Word::Signal(*signal as i32)),
                ("cmd=anympi_named", _) => {
                    let route = text.split_once(" rank=").map_or("", |(_, rest)| rest);
                    let (route, answer) = route.split_once(' ').unwrap_or((route, ""));
                    let answer = format!("{answer}\n").into_bytes();
                    words.push(Word::Named(route.to_owned(), answer));
                }
                // Of another version, which says more.
                _ => {}
            }
        }
        let ended = |p: &Process| p.handle.as_ref().is_some_and(|fd| is_readable(fd.as_fd()));
        if closed || self.process.as_ref().is_some_and(ended) {
            self.gone = true;
            if !self.left {
                words.push(Word::Gone);
            }
        }
        words
    }

    fn say(&mut self, line: &str) {
        if !self.gone {
            self.link.say(line);
        }
    }

    /// All processes run.
    pub fn started(&mut self) {
        if !std::mem::replace(&mut self.answered, true) {
            let codes: Vec<String> = self.codes.iter().map(u8::to_string).collect();
            self.say(&format!(
                "cmd=spawn_result rc=0 errcodes={}\n",
                codes.join(",")
            ));
        }
    }

    /// No process runs, or not all do.
    pub fn refuse(&mut self, why: &str) {
        if !std::mem::replace(&mut self.answered, true) {
            self.told = true;
            self.say(&format!("cmd=spawn_result rc=1 msg={}\n", value(why)));
        }
    }

    /// The job has ended with this code. `bound`: its processes have come to MPI, and so are connected with those of
    /// the spawning job. `fails`: those have to end too.
    pub fn ended(&mut self, bound: bool, fails: bool, code: i32, why: &str) {
        if std::mem::replace(&mut self.told, true) {
            return;
        }
        match &mut self.process {
            Some(process) if bound && fails && !self.left => {
                process.asked = true;
                process.signal(Signal::SIGTERM);
            }
            _ => {}
        }
        self.say(&format!(
            "cmd=anympi_ended bound={} fails={} code={code} msg={}\n",
            u8::from(bound),
            u8::from(fails),
            value(why)
        ));
    }

    /// Somebody asks about names of services.
    pub fn ask(&mut self, route: &str, query: &[u8]) {
        let query = String::from_utf8_lossy(query);
        self.say(&format!("cmd=anympi_name rank={route} {query}\n"));
    }

    /// Sees to it that a process has ended which was asked to.
    pub fn finish(&mut self) {
        let Some(process) = self.process.as_ref().filter(|p| p.asked) else {
            return;
        };
        if let Some(handle) = &process.handle {
            let mut fds = [PollFd::new(handle.as_fd(), PollFlags::POLLIN)];
            let _ = poll(
                &mut fds,
                PollTimeout::try_from(GRACE).unwrap_or(PollTimeout::ZERO),
            );
            process.signal(Signal::SIGKILL);
        }
    }
}

impl Process {
    fn signal(&self, signal: Signal) {
        if let Some(handle) = &self.handle {
            let (fd, none) = (handle.as_raw_fd(), std::ptr::null::<libc::siginfo_t>());
            // SAFETY: the descriptor is open, and there is no further information to read.
            unsafe { libc::syscall(libc::SYS_pidfd_send_signal, fd, signal as i32, none, 0) };
        }
    }
}

/// A descriptor of a process.
fn handle(pid: i32) -> Option<OwnedFd> {
    // SAFETY: the call takes numbers only.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    // SAFETY: the call has made this descriptor, which the system closes when another program is executed.
    (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

fn is_readable(fd: BorrowedFd) -> bool {
    let mut fds = [PollFd::new(fd, PollFlags::POLLIN)];
    matches!(poll(&mut fds, PollTimeout::ZERO), Ok(n) if n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
    use std::io::{Read as _, Write};
    use std::os::unix::net::UnixStream;

    fn pair() -> (Parent, UnixStream) {
        let flags = SockFlag::SOCK_CLOEXEC;
        let (a, b) = socketpair(AddressFamily::Unix, SockType::Stream, None, flags).unwrap();
        (Parent::over(a), b.into())
    }

    #[test]
    fn words_come_in_any_pieces() {
        let (mut parent, mut other) = pair();
        other.write_all(b"cmd=anympi_end signal=15 gra").unwrap();
        assert_eq!(parent.hear(), []);
        let rest = b"ce=1000\ncmd=anympi_signal signal=9\n\
            cmd=anympi_named rank=77/3 cmd=lookup_result rc=0 port=a\\ b\ncmd=x\n";
        other.write_all(rest).unwrap();
        let named = b"cmd=lookup_result rc=0 port=a\\ b\n".to_vec();
        let words = [
            Word::End(15, 1000),
            Word::Signal(9),
            Word::Named("77/3".into(), named),
        ];
        assert_eq!(parent.hear(), words);
        drop(other);
        assert_eq!(parent.hear(), [Word::Gone]);
        assert_eq!(parent.hear(), []);
        assert!(parent.descriptors().is_empty());
        let (mut parent, mut other) = pair();
        other.write_all(b"cmd=finalize\n").unwrap();
        drop(other);
        assert_eq!(parent.hear(), []);
    }

    #[test]
    fn it_hears_once_whether_the_job_runs_and_once_how_it_has_ended() {
        let (mut parent, mut other) = pair();
        parent.codes = vec![0, 1];
        parent.started();
        parent.refuse("late");
        parent.ended(true, true, 9, "rank 1 \\ is dead\n");
        parent.ended(true, false, 0, "again");
        drop(parent);
        let mut text = String::new();
        other.read_to_string(&mut text).unwrap();
        let expected = "cmd=spawn_result rc=0 errcodes=0,1\n\
            cmd=anympi_ended bound=1 fails=1 code=9 msg=rank\\ 1\\ \\\\\\ is\\ dead\\ \n";
        assert_eq!(text, expected);
        assert_eq!(plain(&value("a b\\c")), "a b\\c");
    }

    #[test]
    fn an_order_that_does_not_come_or_makes_no_sense_is_an_error() {
        let (mut parent, other) = pair();
        drop(other);
        assert_eq!(parent.order(), Ok(None));
        let (mut parent, mut other) = pair();
        other.write_all(b"hello\n").unwrap();
        assert!(parent.order().unwrap_err().contains("'hello'"));
    }
}

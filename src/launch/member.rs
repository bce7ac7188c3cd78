//! The process that has come through the door and is its rank: its connection, its end, how to reach it.
//!
//! It may be the process that mpiexec started, or one somewhere below that; the latter's end is another
//! process's to collect, so it is watched by descriptor. Job: facts about this one process. What they mean for
//! the job is decided elsewhere.

use crate::cause::Ending;
use crate::door::Guest;
use crate::link::Link;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::kill;
use nix::unistd::{Pid, getpgid};
use std::fs;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::{Duration, Instant};

/// How long after a process has closed its connection its end is awaited, which tells why.
const FAREWELL: Duration = Duration::from_secs(1);

pub struct Member {
    pub pid: i32,
    /// Its name, for messages.
    pub program: String,
    /// None once the process has closed it.
    pub link: Option<Link>,
    closed: Option<Instant>,
    /// Readable when the process has ended. None for mpiexec's own child, and where the kernel has no such thing.
    watch: Option<OwnedFd>,
    is_child: bool,
    /// How it has ended, if mpiexec had to collect it.
    ended: Option<Ending>,
}

impl Member {
    /// `child`: the process that mpiexec has started as this rank.
    pub fn new(guest: Guest, child: i32) -> Member {
        let is_child = guest.pid == child;
        Member {
            pid: guest.pid,
            program: program(guest.pid),
            link: Some(Link::new(guest.socket)),
            closed: None,
            watch: if is_child { None } else { watch(guest.pid) },
            is_child,
            ended: None,
        }
    }

    /// Whether mpiexec itself learns of its end.
    pub fn is_child(&self) -> bool {
        self.is_child
    }

    /// It has closed its connection.
    pub fn close(&mut self) {
        self.link = None;
        self.closed.get_or_insert_with(Instant::now);
    }

    /// It has ended, as an orphan.
    pub fn end(&mut self, ending: Ending) {
        self.ended = Some(ending);
    }

    /// Descriptors to wait for input on.
    pub fn descriptors(&self) -> impl Iterator<Item = (BorrowedFd<'_>, bool)> {
        let link = self.link.iter().map(|link| (link.as_fd(), link.waits()));
        link.chain(self.watch.iter().map(|watch| (watch.as_fd(), false)))
    }

    /// When to look again at [`is_over`](Self::is_over) without any input.
    pub fn deadline(&self) -> Option<Instant> {
        self.closed.map(|at| at + FAREWELL)
    }

    /// Whether the process has ended, or has long left its rank.
    pub fn is_over(&self) -> bool {
        if self.ended.is_some() {
            return true;
        }
        match (&self.watch, self.closed) {
            (Some(watch), _) if is_readable(watch) => true,
            (Some(_), Some(at)) => at.elapsed() >= FAREWELL,
            (None, closed) => closed.is_some(),
            (Some(_), None) => false,
        }
    }

    /// How it has ended, where the system tells.
    pub fn ending(&self) -> Option<Ending> {
        if self.ended.is_some() {
            return self.ended;
        }
        let watch = self.watch.as_ref().filter(|watch| is_readable(watch))?;
        let status = status_of_zombie(self.pid).or_else(|| status_of_reaped(watch))?;
        Some(match libc::WTERMSIG(status) {
            0 => Ending::Exited(libc::WEXITSTATUS(status)),
            signal => Ending::Signalled(signal),
        })
    }

    /// What `kill` must be told to reach it, if a signal to the process group `ranks` does not: its own group
    /// if it leads one, else the process alone.
    pub fn apart(&self, ranks: Pid) -> Option<Pid> {
        let pid = (self.pid > 1).then(|| Pid::from_raw(self.pid))?;
        match getpgid(Some(pid)) {
            Ok(group) if group == ranks => None,
            Ok(group) if group == pid => Some(Pid::from_raw(-pid.as_raw())),
            Ok(_) => Some(pid),
            Err(_) => None,
        }
    }
}

/// Whether a target of [`Member::apart`] still exists.
pub fn exists(target: Pid) -> bool {
    !matches!(kill(target, None), Err(Errno::ESRCH))
}

fn is_readable(fd: &OwnedFd) -> bool {
    let mut fds = [PollFd::new(fd.as_fd(), PollFlags::POLLIN)];
    matches!(poll(&mut fds, PollTimeout::ZERO), Ok(n) if n > 0)
}

fn watch(pid: i32) -> Option<OwnedFd> {
    if pid <= 0 {
        return None;
    }
    // SAFETY: no memory is involved; the result is a new descriptor or an error.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    // SAFETY: the kernel has just made this descriptor for us.
    (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

fn program(pid: i32) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let first = line.split(|&byte| byte == 0).next().unwrap_or_default();
    match String::from_utf8_lossy(first) {
        name if name.is_empty() => "?".to_owned(),
        name => name.into_owned(),
    }
}

/// The wait status of a process whose parent has not yet asked for it.
fn status_of_zombie(pid: i32) -> Option<i32> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    let mut fields = fields.split_ascii_whitespace();
    if fields.next()? != "Z" {
        return None;
    }
    fields.next_back()?.parse().ok()
}

/// The wait status of a process whose parent has asked for it already: Linux 6.15 and later keep it.
fn status_of_reaped(watch: &OwnedFd) -> Option<i32> {
    /// `struct pidfd_info` of `linux/pidfd.h`, in its first published size.
    #[repr(C)]
    #[derive(Default)]
    struct Info {
        mask: u64,
        cgroup: u64,
        ids: [u32; 11],
        exit_code: i32,
    }
    const EXIT: u64 = 1 << 3;
    const GET_INFO: u32 = 0xc000_ff0b | ((size_of::<Info>() as u32) << 16);
    let mut info = Info {
        mask: EXIT,
        ..Info::default()
    };
    // SAFETY: the request names the size of the object, which is live.
    let result = unsafe { libc::ioctl(watch.as_raw_fd(), GET_INFO as _, &raw mut info) };
    (result == 0 && info.mask & EXIT != 0).then_some(info.exit_code)
}

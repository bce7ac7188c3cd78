//! The guard: a small process that ends the ranks when mpiexec itself is killed.
//!
//! It holds the reading end of a pipe whose only writing end is mpiexec's. Each rank writes its process group
//! there before it runs its program, mpiexec those that are empty again; when the pipe closes without a farewell, the guard kills every group still listed.
//! It runs in a session of its own, holds no other descriptor, and ignores the signals that end jobs.
//! Ranks themselves also ask the kernel for a kill when mpiexec dies; the guard reaches their children.
//! A process that leaves its rank's group (a daemon) has asked to live on, and does.

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::signal::{SigHandler, Signal, kill, killpg, signal};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Pid, fork, pipe2, setsid};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

/// mpiexec's side.
pub struct Guard {
    pid: Pid,
    pipe: File,
}

impl Guard {
    /// Starts the guard. To be called before mpiexec opens anything and while it has one thread.
    pub fn start() -> nix::Result<Guard> {
        let (read, write) = pipe2(OFlag::O_CLOEXEC)?;
        // SAFETY: mpiexec has one thread at this point, so the child may run any code.
        match unsafe { fork() }? {
            ForkResult::Parent { child } => Ok(Guard {
                pid: child,
                pipe: write.into(),
            }),
            ForkResult::Child => {
                drop(write);
                watch(read)
            }
        }
    }

    /// Where a process writes its number, as four bytes, when it has become the leader of a group. It does so
    /// itself before it executes its program, so that no child of it can exist that the guard does not know.
    pub fn register(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// A process group has no member any more.
    pub fn remove(&mut self, group: Pid) {
        self.tell(-group.as_raw());
    }

    /// Nothing is left to guard.
    pub fn dismiss(mut self) {
        self.tell(0);
        drop(self.pipe);
        // It ends at once on the farewell; if it was stopped or killed, there is nothing to wait for either.
        let _ = kill(self.pid, Signal::SIGCONT);
        let _ = waitpid(self.pid, None);
    }

    /// A failure means that the guard was killed: the ranks' own death signal remains.
    fn tell(&mut self, number: i32) {
        let _ = self.pipe.write_all(&number.to_ne_bytes());
    }
}

/// The guard process. Never returns.
fn watch(pipe: OwnedFd) -> ! {
    let _ = setsid();
    let _ = nix::sys::prctl::set_name(c"mpi-guard");
    for ignored in [
        Signal::SIGINT,
        Signal::SIGTERM,
        Signal::SIGHUP,
        Signal::SIGQUIT,
    ] {
        // SAFETY: ignoring a signal runs no code in a handler.
        let _ = unsafe { signal(ignored, SigHandler::SigIgn) };
    }
    let keep = pipe.as_raw_fd() as u32;
    for (first, last) in [(0, keep.saturating_sub(1)), (keep + 1, u32::MAX)] {
        if first <= last && !(first == 0 && keep == 0) {
            // SAFETY: nothing in this process uses a descriptor other than `pipe` from here on.
            unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
        }
    }
    let mut pipe = File::from(pipe);
    let mut groups: Vec<i32> = Vec::new();
    let mut record = [0; 4];
    while pipe.read_exact(&mut record).is_ok() {
        match i32::from_ne_bytes(record) {
            0 => std::process::exit(0),
            group if group > 0 => groups.push(group),
            group => groups.retain(|&g| g != -group),
        }
    }
    for group in groups {
        let _ = end_group(Pid::from_raw(group), Signal::SIGKILL);
    }
    std::process::exit(0);
}

/// Sends a signal to a group; false if it has no member.
pub fn end_group(group: Pid, with: Signal) -> bool {
    !matches!(killpg(group, with), Err(Errno::ESRCH))
}

/// Whether a process group has members, without touching them.
pub fn has_members(group: Pid) -> bool {
    !matches!(killpg(group, None), Err(Errno::ESRCH))
}

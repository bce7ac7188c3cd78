//! The guard: a small process that ends the ranks when mpiexec itself is killed.
//!
//! It holds the reading end of a pipe whose only writing end is mpiexec's. Each rank writes its process group
//! there before it runs its program, mpiexec what has come in from elsewhere (`door.rs`) and what has ended; when the
//! pipe closes without a farewell, the guard kills every process and group still listed.
//! It runs in a session of its own, holds no other descriptor, and ignores the signals that end jobs.
//! Ranks themselves also ask the kernel for a kill when mpiexec dies; the guard reaches their children.
//! A process that leaves its rank's group (a daemon) has asked to live on, and does, unless it is the rank.

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{SigHandler, Signal, kill, killpg, signal};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Pid, fork, getppid, pipe2, setsid};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

/// What is written to the pipe: whether to add, and what, as `kill` takes it (a negative number is a group).
pub type Record = [i32; 2];
const ADD: i32 = 1;
const REMOVE: i32 = 0;
/// Nothing is left to guard.
const FAREWELL: Record = [REMOVE, 0];

/// What the leader of a new group writes.
pub fn record_of_group(leader: i32) -> Record {
    [ADD, -leader]
}

/// Ties the calling process, which leads a new group and has not run its program yet, to mpiexec: it is killed when
/// that dies, and the guard at the other end of the pipe then kills its group. Makes only async-signal-safe system calls,
/// and does not allocate.
///
/// # Errors
/// mpiexec is no longer its parent.
pub fn tie_to(mpiexec: Pid, guard: RawFd) -> io::Result<()> {
    set_pdeathsig(Signal::SIGKILL)?;
    if getppid() != mpiexec {
        return Err(io::Error::from(Errno::ECANCELED));
    }
    let record = record_of_group(Pid::this().as_raw());
    // SAFETY: the bytes of a local variable; the descriptor is mpiexec's pipe to the guard, open until the program is
    // executed. If the guard is gone, the death signal remains.
    unsafe { libc::write(guard, (&raw const record).cast(), size_of_val(&record)) };
    Ok(())
}

/// mpiexec's side.
pub struct Guard {
    pid: Pid,
    watch: Watch,
}

/// A way to tell the guard what to guard.
pub struct Watch {
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
                watch: Watch { pipe: write.into() },
            }),
            ForkResult::Child => {
                drop(write);
                watch(read)
            }
        }
    }

    /// Another way to tell it.
    pub fn watch(&self) -> io::Result<Watch> {
        let pipe = self.watch.pipe.try_clone()?;
        Ok(Watch { pipe })
    }

    /// Nothing is left to guard.
    pub fn dismiss(mut self) {
        self.watch.tell(FAREWELL);
        drop(self.watch);
        // It ends at once on the farewell; if it was stopped or killed, there is nothing to wait for either.
        let _ = kill(self.pid, Signal::SIGCONT);
        let _ = waitpid(self.pid, None);
    }
}

impl Watch {
    /// Where a process writes its record when it has become the leader of a group. It does so itself
    /// before it executes its program, so that no child of it can exist that the guard does not know.
    pub fn register(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// A process group has no member any more.
    pub fn remove(&mut self, group: Pid) {
        self.forget(Pid::from_raw(-group.as_raw()));
    }

    /// A process or, as a negative number, a group that has come in.
    pub fn add(&mut self, target: Pid) {
        self.tell([ADD, target.as_raw()]);
    }

    /// It has ended.
    pub fn forget(&mut self, target: Pid) {
        self.tell([REMOVE, target.as_raw()]);
    }

    /// A failure means that the guard was killed: the ranks' own death signal remains.
    fn tell(&mut self, record: Record) {
        let _ = self
            .pipe
            .write_all(record.map(i32::to_ne_bytes).as_flattened());
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
    let mut targets: Vec<i32> = Vec::new();
    let mut record = [[0; 4]; 2];
    while pipe.read_exact(record.as_flattened_mut()).is_ok() {
        match record.map(i32::from_ne_bytes) {
            FAREWELL => std::process::exit(0),
            [ADD, target] => targets.push(target),
            [_, target] => targets.retain(|&t| t != target),
        }
    }
    for target in targets {
        let _ = kill(Pid::from_raw(target), Signal::SIGKILL);
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

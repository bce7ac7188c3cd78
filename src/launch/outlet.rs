//! Where output goes: mpiexec's own standard output and error, and files.
//!
//! Job: take whole lines and write them without ever blocking the job loop: a terminal or pipe whose reader
//! is slow makes a queue grow, and the loop then stops reading from the ranks. Descriptors are shared with
//! the user's shell, so they are not switched to non-blocking; a write happens only when poll allows it and
//! is no larger than what a pipe that polls writable must take. What could not be written is noted, for the
//! loop to end the job.

use crate::cause::Cause;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::stat::{SFlag, fstat};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// What a pipe takes at once when it polls writable.
const WRITE_BYTES: usize = 4096;
/// Queue length at which the loop stops reading from ranks.
const FULL: usize = 1 << 20;

/// One of mpiexec's own streams.
pub struct Outlet {
    name: &'static str,
    fd: OwnedFd,
    queue: VecDeque<u8>,
    /// Regular files always take everything.
    regular: bool,
    /// A write has failed: nothing more is taken.
    closed: bool,
}

impl Outlet {
    pub fn new(name: &'static str, fd: BorrowedFd) -> io::Result<Self> {
        let stat = fstat(fd)?;
        Ok(Outlet {
            name,
            fd: fd.try_clone_to_owned()?,
            queue: VecDeque::new(),
            regular: SFlag::from_bits_truncate(stat.st_mode & SFlag::S_IFMT.bits())
                == SFlag::S_IFREG,
            closed: false,
        })
    }

    pub fn push(&mut self, bytes: &[u8]) {
        if !self.closed {
            self.queue.extend(bytes);
        }
    }

    pub fn full(&self) -> bool {
        self.queue.len() > FULL
    }

    pub fn empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Writes what can be written without waiting.
    fn flush(&mut self) -> Result<(), Cause> {
        while !self.queue.is_empty() {
            if !self.regular && !self.ready() {
                break;
            }
            let (front, _) = self.queue.as_slices();
            let most = if self.regular {
                front.len()
            } else {
                front.len().min(WRITE_BYTES)
            };
            // Whole lines, if there is one: others may write to the same place.
            let end = front[..most].iter().rposition(|&b| b == b'\n');
            let most = end.map_or(most, |at| at + 1);
            match nix::unistd::write(&self.fd, &front[..most]) {
                Ok(n) => {
                    self.queue.drain(..n);
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                Err(errno) => {
                    self.closed = true;
                    self.queue.clear();
                    return Err(Cause::not_written(self.name, errno as i32));
                }
            }
        }
        Ok(())
    }

    /// Asks the system for errors that it reports only when a file is closed.
    fn settle(&self) -> Result<(), Cause> {
        if self.closed || !self.regular {
            return Ok(());
        }
        let copy = self.fd.try_clone();
        let closed = copy.map(closed).unwrap_or(Ok(()));
        closed.map_err(|errno| Cause::not_written(self.name, errno as i32))
    }

    fn ready(&self) -> bool {
        let mut fds = [PollFd::new(self.fd.as_fd(), PollFlags::POLLOUT)];
        matches!(poll(&mut fds, PollTimeout::ZERO), Ok(n) if n > 0)
    }
}

/// Standard output and standard error; one queue for both if they are the same thing, so that lines of the
/// two cannot tear each other.
pub struct Outlets {
    list: Vec<Outlet>,
    /// Which of the list standard error uses.
    error: usize,
    /// The first failure that nobody has asked for yet.
    lost: Option<Cause>,
}

impl Outlets {
    pub fn standard() -> io::Result<Self> {
        let (out, err) = (io::stdout(), io::stderr());
        let same = match (fstat(out.as_fd()), fstat(err.as_fd())) {
            (Ok(a), Ok(b)) => (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino),
            _ => false,
        };
        let mut list = vec![Outlet::new("standard output", out.as_fd())?];
        if !same {
            list.push(Outlet::new("standard error", err.as_fd())?);
        }
        Ok(Outlets {
            error: list.len() - 1,
            list,
            lost: None,
        })
    }

    pub fn out(&mut self) -> &mut Outlet {
        &mut self.list[0]
    }

    pub fn err(&mut self) -> &mut Outlet {
        &mut self.list[self.error]
    }

    /// Whether one of them is so far behind that no more shall be read.
    pub fn full(&self) -> bool {
        self.list.iter().any(Outlet::full)
    }

    /// Those that have something left to write.
    pub fn waiting(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.list
            .iter()
            .filter(|o| !o.empty())
            .map(|o| o.fd.as_fd())
    }

    pub fn empty(&self) -> bool {
        self.list.iter().all(Outlet::empty)
    }

    /// Writes what can be written without waiting.
    pub fn flush(&mut self) {
        for at in 0..self.list.len() {
            let done = self.list[at].flush();
            // The job goes on when only the reader of its errors has gone.
            if at == 0 || done != Err(Cause::OutputClosed) {
                self.note(done);
            }
        }
    }

    /// To be called when all is written: some file systems say only now what they could not keep.
    pub fn settle(&mut self) {
        for at in 0..self.list.len() {
            let done = self.list[at].settle();
            self.note(done);
        }
    }

    pub fn note(&mut self, done: Result<(), Cause>) {
        if let Err(cause) = done {
            self.lost.get_or_insert(cause);
        }
    }

    /// What was lost since the last time, here or in a file.
    pub fn lost(&mut self) -> Option<Cause> {
        self.lost.take()
    }
}

/// Closes a file; some errors of writing are reported only here.
fn closed(file: impl IntoRawFd) -> Result<(), Errno> {
    nix::unistd::close(file)
}

/// The files a rank's stream is also, or only, written to.
#[derive(Default)]
pub struct Files {
    pub files: Vec<(PathBuf, File)>,
    /// Whether the stream still goes to mpiexec's own output too.
    pub only: bool,
}

impl Files {
    /// Writes to all; a file that fails is given up, and the first failure is returned.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Cause> {
        let mut result = Ok(());
        self.files.retain_mut(|(path, file)| {
            let done = file.write_all(bytes);
            let done = done.map_err(|error| not_written(path, error.raw_os_error()));
            let keep = done.is_ok();
            result = std::mem::replace(&mut result, Ok(())).and(done);
            keep
        });
        result
    }

    /// Nothing follows.
    pub fn close(&mut self) -> Result<(), Cause> {
        let mut result = Ok(());
        for (path, file) in self.files.drain(..) {
            let done = closed(file).map_err(|errno| not_written(&path, Some(errno as i32)));
            result = result.and(done);
        }
        result
    }
}

/// A file that the user has named is named even when it is a pipe whose reader has gone.
fn not_written(path: &Path, errno: Option<i32>) -> Cause {
    Cause::NotWritten(format!("'{}'", path.display()), errno.unwrap_or(0))
}

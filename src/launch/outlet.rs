//! Where output goes: mpiexec's own standard output and error, and files.
//!
//! Job: take whole lines and write them without ever blocking the job loop: a terminal or pipe whose reader
//! is slow makes a queue grow, and the loop then stops reading from the ranks. Descriptors are shared with
//! the user's shell, so they are not switched to non-blocking; a write happens only when poll allows it and
//! is no larger than what a pipe that polls writable must take.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::stat::{SFlag, fstat};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// What a pipe takes at once when it polls writable.
const PIECE: usize = 4096;
/// Queue length at which the loop stops reading from ranks.
const FULL: usize = 1 << 20;

/// One of mpiexec's own streams.
pub struct Outlet {
    fd: OwnedFd,
    queue: VecDeque<u8>,
    /// Regular files always take everything.
    regular: bool,
    closed: bool,
}

impl Outlet {
    pub fn new(fd: BorrowedFd) -> io::Result<Self> {
        let stat = fstat(fd)?;
        Ok(Outlet {
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

    /// True once a write has failed: nobody will read this any more.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Writes what can be written without waiting.
    pub fn flush(&mut self) {
        while !self.queue.is_empty() {
            if !self.regular && !self.ready() {
                return;
            }
            let (front, _) = self.queue.as_slices();
            let most = if self.regular {
                front.len()
            } else {
                front.len().min(PIECE)
            };
            match nix::unistd::write(&self.fd, &front[..most]) {
                Ok(n) => {
                    self.queue.drain(..n);
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => return,
                Err(_) => {
                    self.closed = true;
                    self.queue.clear();
                }
            }
        }
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
}

impl Outlets {
    pub fn standard() -> io::Result<Self> {
        let (out, err) = (io::stdout(), io::stderr());
        let same = match (fstat(out.as_fd()), fstat(err.as_fd())) {
            (Ok(a), Ok(b)) => (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino),
            _ => false,
        };
        let mut list = vec![Outlet::new(out.as_fd())?];
        if !same {
            list.push(Outlet::new(err.as_fd())?);
        }
        Ok(Outlets {
            error: list.len() - 1,
            list,
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

    pub fn each(&mut self) -> impl Iterator<Item = &mut Outlet> {
        self.list.iter_mut()
    }
}

/// The files a rank's stream is also, or only, written to.
#[derive(Default)]
pub struct Files {
    pub files: Vec<File>,
    /// Whether the stream still goes to mpiexec's own output too.
    pub only: bool,
}

impl Files {
    /// Writes to all; the first error is returned and that file given up.
    pub fn write(&mut self, bytes: &[u8]) -> Option<io::Error> {
        let mut first = None;
        self.files.retain_mut(|file| match file.write_all(bytes) {
            Ok(()) => true,
            Err(e) => {
                first.get_or_insert(e);
                false
            }
        });
        first
    }
}

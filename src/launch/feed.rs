//! Standard input: from mpiexec's to one rank, to all, or to none.
//!
//! Job: read only as much as the readers have taken, so that a large input for a rank that never reads blocks
//! nobody. In the background of a terminal a read fails (SIGTTIN is ignored) and is tried again later.

use nix::errno::Errno;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

const READ_BYTES: usize = 64 * 1024;

/// One rank that reads standard input.
struct Reader {
    rank: usize,
    pipe: OwnedFd,
    pending: Vec<u8>,
}

/// What the source is doing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Open,
    /// A terminal whose foreground is somebody else.
    Background,
    Ended,
}

pub struct Feed {
    readers: Vec<Reader>,
    source: Source,
}

impl Feed {
    pub fn new() -> Self {
        Feed {
            readers: Vec::new(),
            source: Source::Open,
        }
    }

    pub fn add(&mut self, rank: usize, pipe: OwnedFd) {
        self.readers.push(Reader {
            rank,
            pipe,
            pending: Vec::new(),
        });
    }

    /// The rank has ended.
    pub fn remove(&mut self, rank: usize) {
        self.readers.retain(|r| r.rank != rank);
    }

    /// Whether mpiexec's standard input shall be watched: someone wants more, and it may have some.
    pub fn wants_input(&self) -> bool {
        self.source == Source::Open
            && !self.readers.is_empty()
            && self.readers.iter().all(|r| r.pending.is_empty())
    }

    /// Whether to call `retry` from time to time.
    pub fn in_background(&self) -> bool {
        self.source == Source::Background && !self.readers.is_empty()
    }

    pub fn retry(&mut self) {
        if self.source == Source::Background {
            self.source = Source::Open;
        }
    }

    /// Pipes that have something to take but were full.
    pub fn blocked(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.readers
            .iter()
            .filter(|r| !r.pending.is_empty())
            .map(|r| r.pipe.as_fd())
    }

    /// Standard input is readable.
    pub fn read(&mut self) {
        let mut buffer = vec![0; READ_BYTES];
        match nix::unistd::read(io::stdin(), &mut buffer) {
            Ok(0) => self.source = Source::Ended,
            Ok(n) => {
                for reader in &mut self.readers {
                    reader.pending.extend_from_slice(&buffer[..n]);
                }
            }
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(Errno::EIO) => self.source = Source::Background,
            Err(_) => self.source = Source::Ended,
        }
        self.write();
    }

    /// Hands on what the pipes take; a reader that has everything after the end of input sees its end.
    pub fn write(&mut self) {
        let ended = self.source == Source::Ended;
        self.readers.retain_mut(|reader| {
            while !reader.pending.is_empty() {
                match nix::unistd::write(&reader.pipe, &reader.pending) {
                    Ok(n) => {
                        reader.pending.drain(..n);
                    }
                    Err(Errno::EINTR) => {}
                    Err(Errno::EAGAIN) => return true,
                    // It has closed its standard input.
                    Err(_) => return false,
                }
            }
            !ended
        });
    }
}

impl Default for Feed {
    fn default() -> Self {
        Feed::new()
    }
}

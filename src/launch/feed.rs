//! Standard input: from mpiexec's to the nodes, and on each node to those ranks that read it.
//!
//! Job: read only as much as the readers have taken, so that a large input for a rank that never reads blocks
//! nobody. In the background of a terminal a read fails (SIGTTIN is ignored) and is tried again later.

use nix::errno::Errno;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

const READ_BYTES: usize = 64 * 1024;

/// What a reading of mpiexec's standard input brought.
pub enum Input {
    Bytes(Vec<u8>),
    Nothing,
    Ended,
}

/// mpiexec's standard input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Open,
    /// A terminal whose foreground is somebody else.
    Background,
    Ended,
}

impl Source {
    /// It is readable.
    pub fn read(&mut self) -> Input {
        let mut buffer = vec![0; READ_BYTES];
        match nix::unistd::read(io::stdin(), &mut buffer) {
            Ok(n) if n > 0 => {
                buffer.truncate(n);
                return Input::Bytes(buffer);
            }
            Err(Errno::EINTR | Errno::EAGAIN) => return Input::Nothing,
            Err(Errno::EIO) => {
                *self = Source::Background;
                return Input::Nothing;
            }
            _ => *self = Source::Ended,
        }
        Input::Ended
    }

    /// Time has passed in the background.
    pub fn retry(&mut self) {
        if *self == Source::Background {
            *self = Source::Open;
        }
    }
}

/// One rank that reads standard input.
struct Reader {
    rank: usize,
    pipe: OwnedFd,
    pending: Vec<u8>,
}

/// The ranks of a node that read standard input.
#[derive(Default)]
pub struct Feed {
    readers: Vec<Reader>,
    ended: bool,
}

impl Feed {
    pub fn new() -> Self {
        Feed::default()
    }

    pub fn add(&mut self, rank: usize, pipe: OwnedFd) {
        self.readers.push(Reader {
            rank,
            pipe,
            pending: Vec::new(),
        });
    }

    /// The rank has ended. Whether it was a reader.
    pub fn remove(&mut self, rank: usize) -> bool {
        let before = self.readers.len();
        self.readers.retain(|r| r.rank != rank);
        self.readers.len() < before
    }

    pub fn has_readers(&self) -> bool {
        !self.readers.is_empty()
    }

    /// Whether somebody has not yet taken what was given.
    pub fn is_full(&self) -> bool {
        self.readers.iter().any(|r| !r.pending.is_empty())
    }

    /// Pipes that have something to take but were full.
    pub fn blocked(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let blocked = self.readers.iter().filter(|r| !r.pending.is_empty());
        blocked.map(|r| r.pipe.as_fd())
    }

    /// Takes input for all readers.
    pub fn give(&mut self, bytes: &[u8]) {
        for reader in &mut self.readers {
            reader.pending.extend_from_slice(bytes);
        }
    }

    /// Nothing follows.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Hands on what the pipes take; a reader that has everything after the end of input sees its end.
    pub fn write(&mut self) {
        let ended = self.ended;
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

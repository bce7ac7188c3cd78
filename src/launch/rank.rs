//! A node's view of one of its ranks: its process group, its streams and its connections.
//!
//! Job: facts. What they mean for the rank is decided in `node.rs`, for the job in `job.rs`.

use crate::cause::{Ending, Who};
use crate::link::Link;
use crate::member::Member;
use nix::errno::Errno;
use nix::unistd::Pid;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

/// Which of a rank's two output streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Out,
    Err,
}

/// One output stream.
pub struct Stream {
    fd: OwnedFd,
    which: Which,
}

/// What a reading of a stream brought.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// So many bytes; there may be more.
    More(usize),
    Nothing,
    Ended,
}

impl Stream {
    pub fn new(fd: OwnedFd, which: Which) -> Self {
        Stream { fd, which }
    }

    pub fn which(&self) -> Which {
        self.which
    }

    /// Reads once.
    pub fn read(&mut self, buffer: &mut [u8]) -> Flow {
        match nix::unistd::read(&self.fd, buffer) {
            Ok(n) if n > 0 => Flow::More(n),
            Err(Errno::EAGAIN) => Flow::Nothing,
            Err(Errno::EINTR) => Flow::More(0),
            _ => Flow::Ended,
        }
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

pub struct Rank {
    pub who: Who,
    pub pid: Pid,
    /// The socket it was started with.
    pub link: Option<Link>,
    /// Who has come through the door as this rank and is connected.
    pub member: Option<Member>,
    /// The started process itself has come through the door.
    pub itself: bool,
    /// The started process has ended; with 0, if the rank has not. Until then somebody else may come as this rank,
    /// and output may follow.
    pub left: Option<Instant>,
    /// Processor time that its group had used when its process ended, or when that was looked at last.
    pub used: Option<u64>,
    /// Since when somebody in the background is waited for.
    pub waited: Option<Instant>,
    pub streams: Vec<Stream>,
    pub ended: Option<Ending>,
    /// The process group may still have members.
    pub group: bool,
}

impl Rank {
    /// The connection on which this rank is spoken to: whoever is connected through the door has none beside it.
    pub fn speaker(&mut self) -> Option<&mut Link> {
        self.link_of(self.member.is_some())
    }

    /// The connection through the door, or the socket it was started with.
    pub fn link_of(&mut self, door: bool) -> Option<&mut Link> {
        match &mut self.member {
            Some(member) if door => member.link.as_mut(),
            _ if door => None,
            _ => self.link.as_mut(),
        }
    }

    /// The process to name when this rank has done something.
    pub fn whose(&self) -> Who {
        let mut who = self.who.clone();
        if let Some(member) = self.member.as_ref().filter(|m| !m.is_child() && m.pid > 0) {
            (who.pid, who.program) = (member.pid, member.program.clone());
        }
        who
    }
}

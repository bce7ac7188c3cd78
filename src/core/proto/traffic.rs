//! What has gone through the protocol so far, for performance variables (MPI-5.0, 15.3.7).
//!
//! The paths of short messages count nothing but bytes; how many such messages there were follows from the
//! link's number of frames and those that other paths count.

use super::{Proto, State};
use crate::matching::Envelope;
use crate::transport::Link;

/// Counts of one direction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DirectionCounts {
    /// Of messages that travelled in one frame.
    pub eager_bytes: u64,
    pub announced_messages: u64,
    pub announced_bytes: u64,
    pub partitioned_bytes: u64,
    /// Frames that are no eager messages.
    pub other_frames: u64,
}

#[derive(Debug, Default)]
pub(super) struct Traffic {
    pub sent: DirectionCounts,
    pub received: DirectionCounts,
    /// Receives that stood beside the queues and never were in them.
    pub expected: u64,
    /// Bytes that were kept for later because no receive was there.
    pub buffered_bytes: u64,
    /// Unexpected messages are noted down.
    watched: bool,
    noted: Vec<Unexpected>,
}

/// An unexpected message, as it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unexpected {
    pub envelope: Envelope,
    pub bytes: u64,
}

/// Counts of one direction, for those who ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    pub frames: u64,
    pub eager_messages: u64,
    pub eager_bytes: u64,
    pub announced_messages: u64,
    pub announced_bytes: u64,
    pub partitioned_bytes: u64,
}

/// Which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Sent,
    Received,
}

impl State {
    /// Notes an unexpected message down if somebody watches; it then counts as something that happened.
    pub(super) fn note(&mut self, envelope: Envelope, bytes: u64) {
        if self.traffic.watched {
            self.traffic.noted.push(Unexpected { envelope, bytes });
            self.completions += 1;
        }
    }
}

impl<L: Link> Proto<L> {
    pub fn totals(&self, direction: Direction) -> Totals {
        let counts = self.link.counts();
        let (frames, of_messages) = match direction {
            Direction::Sent => (counts.sent, &self.state.traffic.sent),
            Direction::Received => (counts.received, &self.state.traffic.received),
        };
        Totals {
            frames,
            eager_messages: frames.saturating_sub(of_messages.other_frames),
            eager_bytes: of_messages.eager_bytes,
            announced_messages: of_messages.announced_messages,
            announced_bytes: of_messages.announced_bytes,
            partitioned_bytes: of_messages.partitioned_bytes,
        }
    }

    /// Receives in the queues.
    pub fn posted(&self) -> u64 {
        self.state.matching.posted() as u64 + self.expected()
    }

    /// Receives that had to be queued, so far.
    pub fn queued(&self) -> u64 {
        self.state.matching.queued() + self.state.traffic.expected
    }

    /// Unexpected messages in the queues.
    pub fn unexpected(&self) -> u64 {
        self.state.matching.unexpected() as u64
    }

    /// Bytes of them that lie here.
    pub fn unexpected_bytes(&self) -> u64 {
        let peers = self.state.peers.iter();
        peers.map(|peer| peer.unexpected_bytes).sum()
    }

    /// The most unexpected messages that waited at once since this was asked last.
    pub fn take_longest(&mut self) -> u64 {
        self.state.matching.take_longest() as u64
    }

    /// Messages that were unexpected, so far.
    pub fn unexpected_so_far(&self) -> u64 {
        self.state.matching.kept()
    }

    /// Bytes that were copied to buffers for them, so far.
    pub fn buffered_bytes(&self) -> u64 {
        self.state.traffic.buffered_bytes
    }

    /// Frames and messages that wait for room.
    pub fn waiting(&self) -> u64 {
        let peers = self.state.peers.iter();
        peers.map(|peer| peer.waiting.len() as u64).sum()
    }

    /// Sends and receives that have been started and not completed.
    pub fn active(&self) -> u64 {
        (self.state.ops.len() - self.state.free.len()) as u64 + self.expected()
    }

    /// Frames that made no sense, so far.
    pub fn protocol_errors(&self) -> u64 {
        self.state.protocol_errors
    }

    /// Starts or stops to note unexpected messages down.
    pub fn watch(&mut self, watched: bool) {
        self.state.traffic.watched = watched;
        self.state.traffic.noted.clear();
    }

    /// What has been noted down.
    pub fn take_noted(&mut self) -> Vec<Unexpected> {
        std::mem::take(&mut self.state.traffic.noted)
    }
}

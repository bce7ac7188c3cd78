//! Unexpected messages: those that have come before a receive for them, eager or announced.
//!
//! Knows how many of each peer wait. Must not know of receives, which take messages from here.

use super::long::Announcement;
use super::payload::Payload;
use super::{Proto, State};
use crate::matching::{Envelope, Pattern};
use crate::transport::{Link, ProcId};
use crate::types::{Rank, Status, Tag};
use crate::wire::kind;

/// An unexpected message.
pub(super) enum Arrived {
    Eager {
        from: ProcId,
        payload: Payload,
        match_wanted: Option<u32>,
    },
    Announced(Announcement),
}

/// A message taken out of the queues by a matched probe.
pub struct Matched {
    pub(super) envelope: Envelope,
    pub(super) arrived: Arrived,
}

impl Matched {
    pub fn status(&self) -> Status {
        status_of(self.envelope, self.arrived.len())
    }
}

impl Arrived {
    pub(super) fn len(&self) -> u64 {
        match self {
            Arrived::Eager { payload, .. } => payload.bytes().len() as u64,
            Arrived::Announced(announced) => announced.len,
        }
    }
}

pub(super) fn status_of(envelope: Envelope, bytes: u64) -> Status {
    Status {
        source: Rank(envelope.source as i32),
        tag: Tag(envelope.tag),
        bytes,
        ..Status::EMPTY
    }
}

impl State {
    /// Takes the message that a receive with this pattern would get now out of the queues.
    #[inline(always)]
    pub(super) fn take_matched(&mut self, pattern: Pattern) -> Option<Matched> {
        if self.matching.unexpected() == 0 {
            return None;
        }
        self.take_unexpected(pattern)
    }

    #[inline(never)]
    pub(super) fn take_unexpected(&mut self, pattern: Pattern) -> Option<Matched> {
        let (envelope, arrived) = self.matching.take(&pattern)?;
        self.departed(&arrived);
        Some(Matched { envelope, arrived })
    }

    pub(super) fn arrived(&mut self, from: ProcId, envelope: Envelope, arrived: Arrived) {
        let peer = &mut self.peers[from.0 as usize];
        peer.unexpected_messages += 1;
        if let Arrived::Eager { payload, .. } = &arrived {
            peer.unexpected_bytes += payload.bytes().len() as u64;
            self.traffic.buffered_bytes += payload.bytes().len() as u64;
        }
        self.note(envelope, arrived.len());
        self.matching.keep(envelope, arrived);
    }

    /// An unexpected message leaves the queues.
    pub(super) fn departed(&mut self, arrived: &Arrived) {
        let (from, bytes) = match arrived {
            Arrived::Eager { from, payload, .. } => (*from, payload.bytes().len() as u64),
            Arrived::Announced(announced) => {
                self.no_longer_copyable(announced);
                (announced.from, 0)
            }
        };
        let peer = &mut self.peers[from.0 as usize];
        peer.unexpected_messages -= 1;
        peer.unexpected_bytes -= bytes;
    }
}

impl<L: Link> Proto<L> {
    /// Forgets a context whose communicator is gone. Messages that nobody received are dropped; senders
    /// that wait for them are answered, so that they end.
    pub fn drop_context(&mut self, context: u32) {
        self.state.partitioned.drop_context(context);
        for arrived in self.state.matching.drop_context(context) {
            self.state.departed(&arrived);
            match arrived {
                Arrived::Announced(announced) if announced.asked => {
                    self.state.drop_asked(&announced);
                }
                Arrived::Announced(Announcement { from, send, .. }) => {
                    self.state.control(from, kind::WANTED, send, 0, 0);
                }
                Arrived::Eager {
                    from,
                    match_wanted: Some(send),
                    ..
                } => {
                    self.state.control(from, kind::MATCHED, send, 0, 0);
                }
                Arrived::Eager { .. } => (),
            }
        }
        self.flush();
    }
}

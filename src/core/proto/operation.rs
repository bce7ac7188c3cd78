//! Operations: the sends and receives under way, what each has come to, and the numbers by which they are named.
//!
//! Must not know of links, nor which frames move an operation on.

use super::State;
use super::long::Joint;
use crate::datatype::Data;
use crate::matching::Envelope;
use crate::transport::{FlowPattern, ProcId};
use crate::types::Status;

/// An operation under way: index and generation in one number that also travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpId(pub u32);

const INDEX_BITS: u32 = 24;
pub(super) const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

impl OpId {
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & INDEX_MASK) as usize
    }

    /// Tells operations apart that have the same index one after the other.
    #[inline(always)]
    pub fn generation(self) -> u32 {
        self.0 >> INDEX_BITS
    }
}

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub status: Status,
    /// Bytes of the message: more than the status says if the buffer was too short.
    pub message: u64,
}

impl Outcome {
    /// Bytes of a message that was longer than its buffer.
    #[inline(always)]
    pub fn truncated(&self) -> Option<u64> {
        (self.message > self.status.bytes).then_some(self.message)
    }
}

pub(super) enum OpState {
    /// A receive that waits for its message.
    Posted,
    /// A receive whose pieces arrive: bytes still to come.
    Arriving {
        data: Data,
        wanted: u64,
        left: u64,
        send: u32,
        joint: Option<Box<Joint>>,
        /// What has not been copied where it lay comes in pieces.
        streamed: bool,
    },
    /// A send that waits for room, for its answer, or for its match.
    Queued {
        data: Data,
        synchronous: bool,
        /// If the receiver does not mind.
        eagerly: bool,
        /// The receiver is not told where it lies.
        stream: Option<FlowPattern>,
    },
    Announced {
        data: Data,
        /// Its receiver copies something else first.
        behind: bool,
    },
    AwaitingMatch,
    /// A send all of which the link has, but not yet sent on; `announced`: its receiver has asked for it.
    Flushing {
        announced: bool,
    },
    /// A send whose pieces leave: where they go, bytes still to go. A joint copy streams only what
    /// cannot be copied.
    Leaving {
        data: Data,
        position: u64,
        left: u64,
        receive: u32,
        behind: bool,
        joint: Option<Box<Joint>>,
    },
    /// It has ended; nobody may ask any more once its generation is over.
    Done(Outcome),
}

pub(super) struct Op {
    pub(super) generation: u8,
    pub(super) state: OpState,
    /// The buffer of a posted receive.
    pub(super) data: Option<Data>,
    pub(super) peer: ProcId,
    pub(super) envelope: Envelope,
    /// Length of the message that a receive has met.
    pub(super) total: u64,
}

impl Op {
    #[inline(always)]
    pub(super) fn end(&mut self, outcome: Outcome) {
        match &self.state {
            // Most end here, and have nothing to drop.
            OpState::Posted | OpState::Done(_) | OpState::AwaitingMatch => {
                std::mem::forget(std::mem::replace(&mut self.state, OpState::Done(outcome)));
            }
            _ => self.state = OpState::Done(outcome),
        }
    }
}

impl State {
    #[inline(always)]
    pub(super) fn allocate(
        &mut self,
        state: OpState,
        data: Option<Data>,
        peer: ProcId,
        envelope: Envelope,
    ) -> OpId {
        let index = match self.free.pop() {
            Some(index) => index,
            None => self.add_op(),
        };
        let op = &mut self.ops[index as usize];
        // It has ended, or is new: neither its state nor its data has anything to drop.
        std::mem::forget(std::mem::replace(&mut op.state, state));
        std::mem::forget(std::mem::replace(&mut op.data, data));
        op.peer = peer;
        op.envelope = envelope;
        OpId((op.generation as u32) << INDEX_BITS | index)
    }

    #[cold]
    pub(super) fn add_op(&mut self) -> u32 {
        let index = self.ops.len() as u32;
        assert!(index < INDEX_MASK, "16 million operations under way");
        let envelope = Envelope {
            context: 0,
            source: 0,
            tag: 0,
        };
        self.ops.push(Op {
            generation: 0,
            state: OpState::Posted,
            data: None,
            peer: ProcId(u32::MAX),
            envelope,
            total: 0,
        });
        index
    }

    #[inline(always)]
    pub(super) fn find(&mut self, id: u32) -> Option<&mut Op> {
        let op = self.ops.get_mut(OpId(id).index())?;
        (op.generation as u32 == OpId(id).generation()).then_some(op)
    }

    pub(super) fn get(&self, id: OpId) -> Option<&Op> {
        let op = self.ops.get(id.index())?;
        (op.generation as u32 == id.generation()).then_some(op)
    }

    pub(super) fn op(&mut self, id: OpId) -> &mut Op {
        self.find(id.0)
            .expect("an operation is released only by its owner")
    }

    pub(super) fn finish(&mut self, id: OpId, outcome: Outcome) {
        self.completions += 1;
        let op = self.op(id);
        op.data = None;
        let announced = matches!(
            op.state,
            OpState::Announced { .. }
                | OpState::Leaving { .. }
                | OpState::Flushing { announced: true }
        );
        let peer = op.peer;
        op.end(outcome);
        if announced {
            self.peers[peer.0 as usize].announced -= 1;
        }
    }

    /// Takes the outcome of an ended operation; its id is dead from here on.
    #[inline]
    pub(super) fn release(&mut self, id: OpId) -> Option<Outcome> {
        let op = self.op(id);
        let OpState::Done(outcome) = op.state else {
            return None;
        };
        op.generation = op.generation.wrapping_add(1);
        self.free.push(id.0 & INDEX_MASK);
        Some(outcome)
    }

    /// A send has nothing left to do.
    pub(super) fn sent(&mut self, id: OpId) {
        self.finish(
            id,
            Outcome {
                status: Status::EMPTY,
                message: 0,
            },
        );
    }
}

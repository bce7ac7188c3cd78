//! Announced messages: too long to leave before their receive is there, or better copied then.
//!
//! An announcement carries the message's length and, if the receiver's process could read it there, its address.
//! The receive that it meets asks for it in one of two ways. *Jointly*, when both buffers are in one piece: the
//! receiver opens a counter of chunks, and both sides take chunks from it and copy them straight from buffer to
//! buffer. So whoever has time does the work, and two processors share it. In an exchange each receiver copies all
//! of its message: both have work enough. *Streamed*, otherwise: the sender sends pieces through the ring, copied
//! twice. A chunk that cannot be copied directly is streamed. Messages to oneself are one copy.
//!
//! Which of the two it is the link says.

use super::early::NO_RECEIVE;
use super::queue::{Launched, Waiting};
use super::{INDEX_MASK, OpId, OpState, Outcome, Proto, State, status_of};
use crate::datatype::{Data, Span};
use crate::matching::Envelope;
use crate::transport::{
    End, Link, OtherCopies, PULLED_TOGETHER, Part, ProcId, ReceiverActivity, ReceiverState,
    Transfer,
};
use crate::wire::{Claim, Pieces, kind, u32_at, u64_at};

/// Shorter parts of a message are streamed: the system call costs more than it saves.
const MIN_JOINT: u64 = 2 << 10;
/// Bounds of a chunk: shorter ones cost a system call too often, longer ones leave one side idle.
const MIN_CHUNK: u64 = 8 << 10;
const MAX_CHUNK: u64 = 256 << 10;
/// Longest chunk of a receiver that copies alone: nobody waits for its share, but other messages do.
pub(super) const MAX_CHUNK_ALONE: u64 = 4 << 20;

/// Messages of up to so many bytes are read together, up to as many bytes in all: more would not stay in a cache.
const LONGEST_PULLED_TOGETHER: usize = 64 << 10;
const MAX_PULLED_TOGETHER: usize = 256 << 10;

/// What a receive has been told about the message that it has met.
#[derive(Clone, Copy)]
pub(super) struct Announcement {
    pub from: ProcId,
    pub len: u64,
    /// The send, at the other side.
    pub send: u32,
    /// Where the bytes lie in the sender's process; 0 if that is not known.
    pub address: u64,
    /// It has been asked for before it met a receive.
    pub asked: bool,
}

/// One side of a message that both sides copy.
pub(super) struct Joint {
    /// Where the other side's buffer is in its own process.
    address: u64,
    /// The counter of chunks. `None`: the receiver takes them all, in order.
    claim: Option<Claim>,
    /// The next chunk, without a counter.
    next: u32,
    chunk: u64,
    total: u64,
    /// Bytes that this side has copied.
    copied: u64,
    /// A copy has failed, as for memory that the system does not let others reach.
    failed: bool,
    /// A range that the other side could not copy, to be streamed next.
    returned: Option<(u64, u64)>,
}

impl Joint {
    /// Lets every copy of this side fail.
    #[cfg(test)]
    pub(super) fn spoil(&mut self) {
        self.address = 4096;
    }

    /// Start and length of a chunk.
    fn range(&self, chunk: u32) -> (u64, u64) {
        let start = (u64::from(chunk) * self.chunk).min(self.total);
        (start, self.chunk.min(self.total - start))
    }

    /// Takes the next chunk that nobody has taken.
    fn take(&mut self, link: &impl Link, peer: ProcId, end: End) -> Option<(u64, u64)> {
        let chunks = self.total.div_ceil(self.chunk) as u32;
        let chunk = match self.claim {
            Some(claim) => link.take_chunk(peer, end, claim, chunks)?,
            None => {
                let chunk = self.next;
                self.next = (chunk + 1).min(chunks);
                (chunk < chunks).then_some(chunk)?
            }
        };
        Some(self.range(chunk))
    }
}

impl OpState {
    /// Where a message lies and where it goes that this side copies alone and has not begun with.
    fn untouched(&self) -> Option<(u64, Span<'_>)> {
        match self {
            OpState::Arriving {
                data,
                joint: Some(joint),
                ..
            } if joint.claim.is_none() && joint.next == 0 => {
                Some((joint.address, data.span(0, joint.total)?))
            }
            _ => None,
        }
    }
}

/// Bytes of a chunk of a message of `total` bytes: two halves for the shortest, so that both sides have one
/// each, more for longer ones, so that both end at about the same time.
fn chunk_of(total: u64, other_copies: OtherCopies) -> u64 {
    let parts = match total {
        // Of short ones under way together each side takes another one.
        ..0x8000 if other_copies != OtherCopies::default() => 1,
        0..=0x20000 => 2,
        0x20001..=0x80000 => 4,
        _ => 8,
    };
    total
        .div_ceil(parts)
        .next_multiple_of(4096)
        .clamp(MIN_CHUNK, MAX_CHUNK)
}

impl State {
    /// Asks for an announced message on behalf of a receive that has just met it.
    pub(super) fn want(&mut self, id: OpId, envelope: Envelope, announced: Announcement) {
        let Announcement {
            from, len, send, ..
        } = announced;
        let op = self.op(id);
        op.envelope = envelope;
        op.peer = from;
        op.total = len;
        if announced.asked {
            self.meets_asked(id, envelope, &announced);
            return;
        }
        let data = op.data.take().expect("a posted receive has a buffer");
        let wanted = len.min(data.bytes());
        if from == self.me {
            self.copy_to_oneself(id, data, wanted, send);
            return;
        }
        let joint = (announced.address != 0 && wanted >= MIN_JOINT && data.contiguous().is_some())
            .then(|| {
                Box::new(Joint {
                    address: announced.address,
                    claim: None,
                    next: 0,
                    chunk: wanted,
                    total: wanted,
                    copied: 0,
                    failed: false,
                    returned: None,
                })
            });
        let jointly = joint.is_some();
        self.arrives(id, data, send, joint);
        if jointly {
            self.to_copy.push_back(id);
        } else {
            self.ask(from, send, id, 0, wanted);
            if wanted == 0 {
                self.all_arrived(id);
            }
        }
    }

    /// A receive waits for the bytes of the message that it has met.
    pub(super) fn arrives(&mut self, id: OpId, data: Data, send: u32, joint: Option<Box<Joint>>) {
        self.arriving += 1;
        let op = self.op(id);
        let wanted = op.total.min(data.bytes());
        op.state = OpState::Arriving {
            data,
            wanted,
            left: wanted,
            send,
            joint,
            streamed: false,
        };
    }

    fn copy_to_oneself(&mut self, id: OpId, data: Data, wanted: u64, send: u32) {
        match self.find(send).map(|op| &op.state) {
            Some(OpState::Announced { data: from, .. }) => from.copy_to(&data),
            _ => unreachable!("an announcement to oneself is taken back before its send ends"),
        };
        self.traffic.sent.announced_bytes += wanted;
        self.sent(OpId(send));
        self.arriving += 1;
        self.op(id).state = OpState::Arriving {
            data,
            wanted,
            left: 0,
            send,
            joint: None,
            streamed: false,
        };
        self.all_arrived(id);
    }

    /// Asks the sender to stream a range.
    pub(super) fn ask(&mut self, from: ProcId, send: u32, receive: OpId, start: u64, end: u64) {
        if let Some(OpState::Arriving {
            streamed,
            joint: None,
            ..
        }) = self.find(receive.0).map(|op| &mut op.state)
            && start < end
        {
            *streamed = true;
            let peer = &mut self.peers[from.0 as usize];
            if peer.streams == 0 {
                peer.ahead = 0;
            }
            peer.streams += 1;
        }
        let mut inline = [0; 20];
        inline[..8].copy_from_slice(&start.to_le_bytes());
        inline[8..16].copy_from_slice(&end.to_le_bytes());
        inline[16..].copy_from_slice(&receive.0.to_le_bytes());
        self.tell(from, kind::WANTED, send, &inline);
    }

    /// Ends a receive that has got all bytes it asked for.
    fn all_arrived(&mut self, id: OpId) {
        let op = self.op(id);
        let (peer, envelope, total) = (op.peer, op.envelope, op.total);
        let OpState::Arriving {
            wanted,
            send,
            joint,
            streamed,
            ..
        } = std::mem::replace(&mut op.state, OpState::AwaitingMatch)
        else {
            unreachable!("only what arrives has arrived");
        };
        self.arriving -= 1;
        if streamed {
            self.peers[peer.0 as usize].streams -= 1;
        }
        if let Some(joint) = joint {
            if let Some(claim) = joint.claim {
                self.peers[peer.0 as usize].claims |= 1 << claim.index;
            }
            self.tell(peer, kind::RECEIVED, send, &wanted.to_le_bytes());
        }
        self.finish(
            id,
            Outcome {
                status: status_of(envelope, wanted),
                message: total,
            },
        );
        self.counted(wanted);
    }

    /// All that was wanted of an announced message is here.
    pub(super) fn counted(&mut self, bytes: u64) {
        self.traffic.received.announced_messages += 1;
        self.traffic.received.announced_bytes += bytes;
    }

    /// The receiver of an announced message asks for the bytes from `start` to `end`. Or it gives back a part of a
    /// joint copy that it cannot do.
    pub(super) fn wanted(&mut self, from: ProcId, send: u32, inline: &[u8]) {
        let (start, end) = (u64_at(inline, 0), u64_at(inline, 8));
        let receive = u32_at(inline, 16);
        let Some(op) = self.find(send) else {
            self.protocol_errors += 1;
            return;
        };
        match &mut op.state {
            OpState::Announced { .. } if end <= start => self.sent(OpId(send)),
            OpState::Announced { data, .. } if end > data.bytes() => self.protocol_errors += 1,
            op_state @ OpState::Announced { .. } => {
                if let OpState::Announced { data, behind } =
                    std::mem::replace(op_state, OpState::AwaitingMatch)
                {
                    *op_state = OpState::Leaving {
                        data,
                        position: start,
                        left: end - start,
                        receive,
                        behind,
                        joint: None,
                    };
                    self.enqueue(from, Waiting::Stream(OpId(send)));
                }
            }
            OpState::Leaving {
                joint: Some(joint), ..
            } if start < end && end <= joint.total && joint.returned.is_none() => {
                joint.returned = Some((start, end));
                self.stream_returned(from, OpId(send));
            }
            _ => self.protocol_errors += 1,
        }
    }

    /// Starts to stream a range that could not be copied, unless another one is on its way.
    fn stream_returned(&mut self, to: ProcId, id: OpId) {
        if let OpState::Leaving {
            position,
            left,
            joint: Some(joint),
            ..
        } = &mut self.op(id).state
            && *left == 0
            && let Some((start, end)) = joint.returned.take()
        {
            *position = start;
            *left = end - start;
            self.enqueue(to, Waiting::Stream(id));
        }
    }

    /// The receiver of an announced message copies it, and lets this side take part.
    pub(super) fn joined(&mut self, send: u32, inline: &[u8]) {
        let joint = Joint {
            total: u64_at(inline, 0),
            address: u64_at(inline, 8),
            chunk: u64::from(u32_at(inline, 16)),
            claim: Some(Claim {
                index: u32_at(inline, 20),
                generation: u32_at(inline, 24),
            }),
            next: 0,
            copied: 0,
            failed: false,
            returned: None,
        };
        let receive = u32_at(inline, 28);
        match self.find(send).map(|op| &mut op.state) {
            Some(op_state @ OpState::Announced { .. }) if joint.chunk > 0 => {
                if let OpState::Announced { data, behind } =
                    std::mem::replace(op_state, OpState::AwaitingMatch)
                {
                    *op_state = OpState::Leaving {
                        data,
                        position: 0,
                        left: 0,
                        receive,
                        behind,
                        joint: Some(Box::new(joint)),
                    };
                    self.joint.push_back(OpId(send));
                }
            }
            _ => self.protocol_errors += 1,
        }
    }

    /// The sender has copied `bytes` of a joint message into the receive's buffer.
    pub(super) fn copied(&mut self, receive: u32, bytes: u64) {
        match self.find(receive).map(|op| &mut op.state) {
            Some(OpState::Arriving {
                left,
                joint: Some(_),
                ..
            }) if bytes <= *left => {
                *left -= bytes;
                if *left == 0 {
                    self.all_arrived(OpId(receive));
                }
            }
            _ => self.protocol_errors += 1,
        }
    }

    /// The receiver has the whole message.
    pub(super) fn received(&mut self, send: u32, inline: &[u8]) {
        let bytes = u64_at(inline, 0);
        match self.find(send).map(|op| &op.state) {
            Some(
                OpState::Announced { .. }
                | OpState::Leaving {
                    left: 0,
                    joint: Some(_),
                    ..
                },
            ) => {
                self.traffic.sent.announced_bytes += bytes;
                self.sent(OpId(send));
            }
            _ => self.protocol_errors += 1,
        }
    }

    /// Where a piece of a message that is streamed goes.
    pub(super) fn place_of_piece(
        &mut self,
        from: ProcId,
        receive: u32,
        inline: &[u8],
        bytes: u64,
    ) -> Option<Span<'_>> {
        let op = self.find(receive)?;
        match &op.state {
            OpState::Arriving { data, left, .. } if op.peer == from && bytes <= *left => {
                data.span(u64_at(inline, 4), bytes)
            }
            _ => None,
        }
    }

    /// A piece has come to its place.
    pub(super) fn piece_is_there(&mut self, from: ProcId, receive: u32, bytes: u64) {
        self.peers[from.0 as usize].ahead -= bytes as i64;
        match self.find(receive).map(|op| &mut op.state) {
            Some(OpState::Arriving { left, .. }) if bytes <= *left => {
                *left -= bytes;
                if *left == 0 {
                    self.all_arrived(OpId(receive));
                }
            }
            _ => self.protocol_errors += 1,
        }
    }

    /// A piece of a message that is streamed.
    pub(super) fn piece(
        &mut self,
        from: ProcId,
        mut receive: u32,
        inline: &[u8],
        pieces: &Pieces<'_>,
    ) {
        self.peers[from.0 as usize].ahead -= (pieces.0.len() + pieces.1.len()) as i64;
        if receive == NO_RECEIVE.0 {
            let Some(met) = self.came_early(from, pieces) else {
                return;
            };
            receive = met.0;
        }
        let Some(OpState::Arriving { data, left, .. }) = self.find(receive).map(|op| &mut op.state)
        else {
            self.protocol_errors += 1;
            return;
        };
        let start = u64_at(inline, 4);
        let mut position = start;
        for part in [pieces.0, pieces.1] {
            let part = &part[..part.len().min(*left as usize)];
            data.unpack_piece(position, part);
            position = position.saturating_add(part.len() as u64);
            *left -= part.len() as u64;
        }
        if *left == 0 {
            self.all_arrived(OpId(receive));
        }
    }
}

impl<L: Link> Proto<L> {
    /// Begins the joint copies of messages that receives have met, as far as there are counters.
    #[cold]
    pub(super) fn begin_joint(&mut self) {
        while let Some(&id) = self.state.to_copy.front() {
            let Some(op) = self.state.ops.get_mut((id.0 & INDEX_MASK) as usize) else {
                unreachable!("an operation is released only by its owner");
            };
            let from = op.peer;
            let OpState::Arriving {
                data,
                wanted,
                send,
                joint: slot @ Some(_),
                ..
            } = &mut op.state
            else {
                unreachable!("noted when it met its message");
            };
            let (send, wanted) = (*send, *wanted);
            let theirs = slot.as_ref().map_or(0, |joint| joint.address);
            let address = data.contiguous().map_or(0, |(at, _)| at.addr() as u64);
            let peer = &mut self.state.peers[from.0 as usize];
            let other_copies = OtherCopies {
                // The other side is as busy as this one, with the message the other way.
                exchange: peer.announced > 0,
                others: !self.state.joint.is_empty() || self.state.arriving > 1,
            };
            let transfer = self
                .link
                .transfer(from, [theirs, address], wanted, other_copies);
            if transfer == Transfer::Stream {
                *slot = None;
                self.state.to_copy.pop_front();
                self.state.ask(from, send, id, 0, wanted);
                continue;
            }
            if transfer == Transfer::Pull {
                if let Some(joint) = slot {
                    joint.chunk = MAX_CHUNK_ALONE;
                }
                self.state.to_copy.pop_front();
                self.state.joint.push_back(id);
                continue;
            }
            if peer.claims == 0 {
                // Its turn comes when an earlier one has ended.
                break;
            }
            let claim = Claim {
                index: peer.claims.trailing_zeros(),
                generation: peer.generation,
            };
            peer.claims &= peer.claims - 1;
            peer.generation = peer.generation.wrapping_add(1);
            self.link.open_claim(from, claim);
            let chunk = chunk_of(wanted, other_copies);
            if let Some(joint) = slot {
                joint.claim = Some(claim);
                joint.chunk = chunk;
            }
            self.state.to_copy.pop_front();
            self.state.joint.push_back(id);
            let mut inline = [0; 32];
            inline[..8].copy_from_slice(&wanted.to_le_bytes());
            inline[8..16].copy_from_slice(&address.to_le_bytes());
            inline[16..20].copy_from_slice(&(chunk as u32).to_le_bytes());
            inline[20..24].copy_from_slice(&claim.index.to_le_bytes());
            inline[24..28].copy_from_slice(&claim.generation.to_le_bytes());
            inline[28..].copy_from_slice(&id.0.to_le_bytes());
            self.state.tell(from, kind::JOINT, send, &inline);
        }
        self.flush();
    }

    /// Copies one chunk of a message that both sides copy. Returns whether there was one.
    #[cold]
    pub(super) fn copy_jointly(&mut self) -> bool {
        if !self.state.to_copy.is_empty() {
            // Ask first: the sender takes its chunks while this side takes others.
            self.begin_joint();
        }
        for _ in 0..self.state.joint.len() {
            let Some(id) = self.state.joint.pop_front() else {
                break;
            };
            let goes_on = match self.state.find(id.0).map(|op| &op.state) {
                Some(OpState::Arriving { joint: Some(_), .. }) => {
                    self.pull_together(id) || self.pull_chunk(id)
                }
                Some(OpState::Leaving {
                    joint: Some(_),
                    left: 0,
                    ..
                }) => self.push_chunk(id),
                // Something of it is streamed: the others' turn.
                Some(OpState::Leaving { joint: Some(_), .. }) => {
                    self.state.joint.push_back(id);
                    continue;
                }
                _ => false,
            };
            if goes_on {
                self.state.joint.push_front(id);
                return true;
            }
        }
        false
    }

    /// The receiver's part. `false`: it has nothing more to do.
    fn pull_chunk(&mut self, id: OpId) -> bool {
        let op = self.state.op(id);
        let from = op.peer;
        let OpState::Arriving {
            data,
            left,
            send,
            joint: Some(joint),
            ..
        } = &mut op.state
        else {
            return false;
        };
        let Some((start, len)) = joint.take(&self.link, from, End::Receiver) else {
            return false;
        };
        let copied = data
            .span(start, len)
            .is_some_and(|span| self.link.pull(from, joint.address + start, span));
        if !copied {
            let (send, total, alone) = (*send, joint.total, joint.claim.is_none());
            if alone {
                // The sender knows of no joint copy: it streams the rest and is done then.
                if let OpState::Arriving { joint, .. } = &mut op.state {
                    *joint = None;
                }
            }
            let end = if alone { total } else { start + len };
            self.state.ask(from, send, id, start, end);
            return false;
        }
        *left -= len;
        if *left == 0 {
            self.state.all_arrived(id);
        }
        true
    }

    /// Reads a message whole that this side copies alone, together with those that are next.
    fn pull_together(&mut self, id: OpId) -> bool {
        let from = self.state.op(id).peer;
        let next = self.state.joint.iter().copied();
        let mut ids = [id; PULLED_TOGETHER];
        let (mut count, mut bytes) = (0, 0);
        for (place, id) in ids.iter_mut().zip(std::iter::once(id).chain(next)) {
            let next = self.state.get(id);
            let alike = next.filter(|op| op.peer == from);
            let Some((_, to)) = alike.and_then(|op| op.state.untouched()) else {
                break;
            };
            let (_, total) = to.parts();
            bytes += total;
            if total > LONGEST_PULLED_TOGETHER || bytes > MAX_PULLED_TOGETHER {
                break;
            }
            *place = id;
            count += 1;
        }
        let ids = &ids[..count];
        if count < 2 {
            return false;
        }
        let part = |&id: &OpId| self.state.get(id)?.state.untouched();
        let parts = ids.iter().map(|id| part(id).expect("looked at above"));
        if !self.link.pull_together(from, parts) {
            return false;
        }
        self.state.joint.drain(..count - 1);
        for &id in ids {
            if let OpState::Arriving { left, .. } = &mut self.state.op(id).state {
                *left = 0;
            }
            self.state.all_arrived(id);
        }
        true
    }

    /// The sender's part. `false`: it has nothing more to do.
    fn push_chunk(&mut self, id: OpId) -> bool {
        let op = self.state.op(id);
        let to = op.peer;
        let OpState::Leaving {
            data,
            receive,
            joint: Some(joint),
            ..
        } = &mut op.state
        else {
            return false;
        };
        let Some((start, len)) = joint.take(&self.link, to, End::Sender) else {
            let (receive, copied) = (*receive, joint.copied);
            if copied > 0 {
                self.state
                    .tell(to, kind::COPIED, receive, &copied.to_le_bytes());
            }
            return false;
        };
        // A peer that had not attached when the message was announced has by now.
        let copied = !joint.failed
            && data
                .span(start, len)
                .is_some_and(|span| self.link.push(to, joint.address + start, span));
        if copied {
            joint.copied += len;
        } else {
            joint.failed = true;
            joint.returned = Some((start, start + len));
            self.state.stream_returned(to, id);
        }
        true
    }

    pub(super) fn launch_stream(&mut self, to: ProcId, id: OpId) -> Launched {
        let peer = &self.state.peers[to.0 as usize];
        let (meets_another, ahead) = (peer.streams > 0, peer.ahead);
        let OpState::Leaving {
            data,
            position,
            left,
            receive,
            behind,
            joint,
        } = &mut self.state.op(id).state
        else {
            unreachable!("only wanted sends wait as streams");
        };
        let activity = match (meets_another, *behind) {
            (true, _) => ReceiverActivity::Writes,
            (false, true) => ReceiverActivity::IsBehind,
            (false, false) => ReceiverActivity::Waits,
        };
        let part = Part {
            data,
            position: *position,
            bytes: *left,
        };
        let receiver = ReceiverState { activity, ahead };
        let sent = self.link.part(to, (kind::PIECE, *receive), part, receiver);
        *position += sent.bytes;
        *left -= sent.bytes;
        let (whole, jointly) = (*left == 0, joint.is_some());
        if sent.paced {
            self.state.peers[to.0 as usize].ahead += sent.bytes as i64;
        }
        self.state.traffic.sent.other_frames += sent.frames;
        if !jointly {
            self.state.traffic.sent.announced_bytes += sent.bytes;
        }
        if whole {
            if jointly {
                self.state.stream_returned(to, id);
            } else {
                self.given_away(to, id);
            }
            Launched::Whole
        } else if sent.paced {
            Launched::Paced(sent.frames > 0)
        } else if sent.frames > 0 {
            Launched::Part
        } else {
            Launched::Nothing
        }
    }
}

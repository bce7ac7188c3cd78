//! Partitioned messages (MPI-5.0, chapter 4): a sender and a receiver that are joined for many rounds.
//!
//! The sender's end invites when it is made, and the receiver's end meets the invitation in queues of its own, in
//! the order of initialisation. Each round the receiver grants its buffer once; from then on pieces go out as they
//! become ready, in any order. Each says its position in the packed message, so neither side needs to know how the
//! other divides it. Pure, as the rest of the protocol.

use std::collections::VecDeque;
use std::ops::Range;

use super::queue::{Launched, Waiting};
use super::{Outcome, Proto, State, status_of};
use crate::datatype::Data;
use crate::matching::{Envelope, Matching, Pattern};
use crate::transport::{Link, Part, ProcId, ReceiverState, placed};
use crate::types::Status;
use crate::wire::{Head, INLINE, Pieces, kind, u32_at, u64_at};

/// One end of a partitioned message: index and generation in one number that also travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndId(u32);

const INDEX_BITS: u32 = 24;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

/// What a sender's end says of itself when it is made.
struct Invitation {
    from: ProcId,
    sender: u32,
    /// Bytes of the whole message.
    bytes: u64,
}

/// The sender's end.
struct Sending {
    to: ProcId,
    data: Data,
    /// The receiver's end, while its grant of this round lasts.
    granted: Option<u32>,
    /// Packed ranges that are ready and have not left.
    ready: VecDeque<Range<u64>>,
    /// Bytes of this round that have not left.
    left: u64,
    /// It stands in the queue of its peer.
    queued: bool,
    over: bool,
}

/// The receiver's end.
struct Receiving {
    data: Data,
    envelope: Envelope,
    invitation: Option<Invitation>,
    /// Bytes of this round that each partition still misses.
    missing: Vec<u64>,
    left: u64,
    /// A round has started and is not over.
    open: bool,
    /// Its request is gone, but it keeps its place in the order until it has met its invitation.
    abandoned: bool,
}

enum End {
    Sending(Sending),
    Receiving(Receiving),
}

struct Slot {
    generation: u8,
    end: Option<End>,
}

/// The partitioned messages of a process.
#[derive(Default)]
pub(super) struct Partitioned {
    slots: Vec<Slot>,
    free: Vec<u32>,
    matching: Matching<Invitation>,
}

impl Partitioned {
    fn insert(&mut self, end: End) -> u32 {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                generation: 0,
                end: None,
            });
            self.slots.len() as u32 - 1
        });
        assert!(
            index < INDEX_MASK,
            "16 million partitioned requests are live"
        );
        let slot = &mut self.slots[index as usize];
        slot.end = Some(end);
        (slot.generation as u32) << INDEX_BITS | index
    }

    fn remove(&mut self, id: u32) {
        if self.end(id).is_some() {
            let slot = &mut self.slots[(id & INDEX_MASK) as usize];
            slot.end = None;
            slot.generation = slot.generation.wrapping_add(1);
            self.free.push(id & INDEX_MASK);
        }
    }

    fn end(&mut self, id: u32) -> Option<&mut End> {
        let slot = self.slots.get_mut((id & INDEX_MASK) as usize)?;
        if slot.generation as u32 != id >> INDEX_BITS {
            return None;
        }
        slot.end.as_mut()
    }

    fn sending(&mut self, id: u32) -> Option<&mut Sending> {
        match self.end(id)? {
            End::Sending(sending) => Some(sending),
            End::Receiving(_) => None,
        }
    }

    fn receiving(&mut self, id: u32) -> Option<&mut Receiving> {
        match self.end(id)? {
            End::Receiving(receiving) => Some(receiving),
            End::Sending(_) => None,
        }
    }

    /// Forgets the invitations of a context whose communicator is gone.
    pub(super) fn drop_context(&mut self, context: u32) {
        self.matching.drop_context(context);
    }
}

impl Receiving {
    /// Counts a range as arrived.
    fn count(&mut self, range: Range<u64>) {
        let partitions = self.missing.len() as u64;
        let each = self.data.bytes().checked_div(partitions).unwrap_or(0);
        if each == 0 {
            return;
        }
        let mut at = range.start;
        while at < range.end && at / each < partitions {
            let index = at / each;
            let until = range.end.min((index + 1) * each);
            let missing = &mut self.missing[index as usize];
            *missing = missing.saturating_sub(until - at);
            at = until;
        }
    }
}

/// Frames of partitioned messages.
impl State {
    /// An invitation has come.
    pub(super) fn invited(&mut self, from: ProcId, envelope: Envelope, sender: u32, bytes: u64) {
        let invitation = Invitation {
            from,
            sender,
            bytes,
        };
        match self.partitioned.matching.arrive(envelope) {
            Some(receiver) => self.join(receiver, invitation),
            None => self.partitioned.matching.keep(envelope, invitation),
        }
    }

    fn join(&mut self, receiver: u32, invitation: Invitation) {
        let Some(receiving) = self.partitioned.receiving(receiver) else {
            unreachable!("an end keeps its slot until it has met its invitation");
        };
        if receiving.abandoned {
            self.partitioned.remove(receiver);
            return;
        }
        receiving.invitation = Some(invitation);
        if receiving.open {
            self.grant(receiver);
        }
    }

    /// Tells the sender that this round's buffer is there.
    fn grant(&mut self, receiver: u32) {
        let Some(receiving) = self.partitioned.receiving(receiver) else {
            return;
        };
        let Some(invitation) = &receiving.invitation else {
            return;
        };
        receiving.left = invitation.bytes;
        let (from, sender) = (invitation.from, invitation.sender);
        self.control(from, kind::GRANT, sender, u64::from(receiver), 0);
    }

    /// The receiver of `sender`'s message has its buffer ready.
    pub(super) fn granted(&mut self, sender: u32, receiver: u32) {
        match self.partitioned.sending(sender) {
            Some(sending) => {
                sending.granted = Some(receiver);
                self.offer(sender);
            }
            None => self.protocol_errors += 1,
        }
    }

    /// Queues a sender's end that has something to send and may send it.
    fn offer(&mut self, id: u32) {
        let Some(sending) = self.partitioned.sending(id) else {
            return;
        };
        if sending.granted.is_some() && !sending.ready.is_empty() && !sending.queued {
            sending.queued = true;
            let to = sending.to;
            self.enqueue(to, Waiting::Partitions(EndId(id)));
        }
    }

    /// Part of a message has come.
    pub(super) fn part(&mut self, receiver: u32, inline: &[u8], body: Pieces<'_>) {
        let offset = u64_at(inline, 4);
        let Pieces(first, second) = body;
        let len = (first.len() + second.len()) as u64;
        let Some(receiving) = self.partitioned.receiving(receiver) else {
            self.protocol_errors += 1;
            return;
        };
        let fits = offset.checked_add(len).is_some();
        if !receiving.open || len > receiving.left || !fits {
            self.protocol_errors += 1;
            return;
        }
        receiving.data.unpack(offset, first);
        receiving.data.unpack(offset + first.len() as u64, second);
        receiving.count(offset..offset + len);
        receiving.left -= len;
        self.traffic.received.partitioned_bytes += len;
        if receiving.left == 0 {
            receiving.open = false;
            self.completions += 1;
        }
    }
}

/// What requests ask for.
impl<L: Link> Proto<L> {
    /// Makes the sender's end of a message of all `data`, and invites the receiver.
    pub fn partitioned_send(&mut self, to: ProcId, envelope: Envelope, data: Data) -> EndId {
        let bytes = data.bytes();
        let id = self.state.partitioned.insert(End::Sending(Sending {
            to,
            data,
            granted: None,
            ready: VecDeque::new(),
            left: 0,
            queued: false,
            over: true,
        }));
        let mut payload = [0; INLINE];
        payload[..8].copy_from_slice(&bytes.to_le_bytes());
        let head = Head {
            kind: kind::INVITE,
            flags: 0,
            inline: 8,
            context: envelope.context,
            tag: envelope.tag,
            source: envelope.source,
            id,
        };
        self.state.enqueue(to, Waiting::Control { head, payload });
        self.flush();
        EndId(id)
    }

    /// Makes the receiver's end for a message into `data`, which is `partitions` equal parts.
    pub fn partitioned_receive(
        &mut self,
        envelope: Envelope,
        data: Data,
        partitions: usize,
    ) -> EndId {
        let pattern = Pattern::new(envelope.context, Some(envelope.source), Some(envelope.tag));
        let partitioned = &mut self.state.partitioned;
        let id = partitioned.insert(End::Receiving(Receiving {
            data,
            envelope,
            invitation: None,
            missing: vec![0; partitions],
            left: 0,
            open: false,
            abandoned: false,
        }));
        match partitioned.matching.take(&pattern) {
            Some((_, invitation)) => self.state.join(id, invitation),
            None => partitioned.matching.post(pattern, id),
        }
        EndId(id)
    }

    /// Starts a round. The last one is over.
    pub fn start_round(&mut self, EndId(id): EndId) {
        match self.state.partitioned.end(id) {
            Some(End::Sending(sending)) => {
                sending.left = sending.data.bytes();
                sending.over = false;
            }
            Some(End::Receiving(receiving)) => {
                let partitions = receiving.missing.len() as u64;
                let each = receiving.data.bytes().checked_div(partitions).unwrap_or(0);
                receiving.missing.fill(each);
                receiving.open = true;
                self.state.grant(id);
                self.flush();
            }
            None => unreachable!("an end lives as long as its request"),
        }
    }

    /// A packed range of the message may leave. All ranges of a round together are the whole message; an
    /// empty message is one empty range.
    pub fn ready(&mut self, EndId(id): EndId, range: Range<u64>) {
        if let Some(sending) = self.state.partitioned.sending(id) {
            match sending.ready.back_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => sending.ready.push_back(range),
            }
            self.state.offer(id);
            self.flush();
        }
    }

    /// Whether everything of this round has left, or has come.
    pub fn round_over(&mut self, EndId(id): EndId) -> bool {
        match self.state.partitioned.end(id) {
            Some(End::Sending(sending)) => sending.over,
            Some(End::Receiving(receiving)) => !receiving.open,
            None => true,
        }
    }

    /// How the last round ended.
    pub fn round_outcome(&mut self, EndId(id): EndId) -> Outcome {
        let Some(receiving) = self.state.partitioned.receiving(id) else {
            return Outcome {
                status: Status::EMPTY,
                message: 0,
            };
        };
        let sent = receiving.invitation.as_ref().map_or(0, |i| i.bytes);
        let room = receiving.data.bytes();
        Outcome {
            status: status_of(receiving.envelope, sent.min(room)),
            message: sent,
        }
    }

    /// Whether all of a receiver's partition has come in this round.
    pub fn partition_arrived(&mut self, EndId(id): EndId, partition: usize) -> bool {
        let Some(receiving) = self.state.partitioned.receiving(id) else {
            return true;
        };
        !receiving.open || (receiving.data.bytes() > 0 && receiving.missing[partition] == 0)
    }

    /// Gives an end up. No round is under way.
    pub fn close(&mut self, EndId(id): EndId) {
        let partitioned = &mut self.state.partitioned;
        match partitioned.receiving(id) {
            Some(receiving) if receiving.invitation.is_none() => receiving.abandoned = true,
            _ => partitioned.remove(id),
        }
    }

    /// Sends what is ready of a message, as far as there is room.
    pub(super) fn launch_partitions(&mut self, to: ProcId, EndId(id): EndId) -> Launched {
        let Some(sending) = self.state.partitioned.sending(id) else {
            return Launched::Whole;
        };
        let Some(receiver) = sending.granted else {
            unreachable!("only granted ends are queued");
        };
        let kind = (kind::PART, receiver);
        let mut moved = false;
        while let Some(range) = sending.ready.front_mut() {
            let part = Part {
                data: &sending.data,
                position: range.start,
                bytes: range.end - range.start,
            };
            let (bytes, frames) = match part.bytes {
                // An empty one is a frame too.
                0 => {
                    let (head, said) = placed(kind, range.start, 0);
                    (0, self.link.frame(to, head, &said, None).into())
                }
                _ => {
                    let sent = self.link.part(to, kind, part, ReceiverState::WAITING);
                    (sent.bytes, sent.frames)
                }
            };
            moved |= frames > 0;
            self.state.traffic.sent.other_frames += frames;
            self.state.traffic.sent.partitioned_bytes += bytes;
            range.start += bytes;
            sending.left -= bytes;
            if frames == 0 || !range.is_empty() {
                return match moved {
                    true => Launched::Part,
                    false => Launched::Nothing,
                };
            }
            sending.ready.pop_front();
        }
        sending.queued = false;
        if sending.left == 0 {
            sending.granted = None;
            sending.over = true;
            self.state.completions += 1;
        }
        Launched::Whole
    }
}

/// Bytes of the body that a [`kind::PART`] frame announces.
pub(super) fn part_len(inline: &[u8]) -> usize {
    u32_at(inline, 0) as usize
}

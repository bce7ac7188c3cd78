//! Eager messages: they leave at once, and wait at the receiver if no receive is there.
//!
//! The link says which messages leave so, and cuts the longer ones into pieces that follow each other. So nothing has to
//! name the message that a piece belongs to. The message counts as arrived with its first piece if a receive waits for it,
//! with its last one if not.

use super::{Arrived, OpId, Outcome, Payload, State, status_of};
use crate::datatype::Data;
use crate::matching::Envelope;
use crate::transport::{EAGER_MOST, ProcId};
use crate::wire::{Head, Pieces, flag, kind, u32_at};

/// The head of an eager message, but for its length; `id`: its send, if that waits for an answer.
#[inline(always)]
pub(super) fn head(envelope: Envelope, flags: u8, id: u32) -> Head {
    Head {
        kind: kind::EAGER,
        flags,
        inline: 0,
        context: envelope.context,
        tag: envelope.tag,
        source: envelope.source,
        id,
    }
}

/// A message of which pieces have arrived and others will.
pub(super) struct PartialMessage {
    pub envelope: Envelope,
    pub total: usize,
    pub left: usize,
    pub to: Destination,
}

/// Where the pieces go.
pub(super) enum Destination {
    /// Into a receive's buffer; `None`: the expected one's.
    Buffer { data: Data, receive: Option<OpId> },
    /// No receive was there when the first piece came.
    Unexpected {
        match_wanted: Option<u32>,
        bytes: Vec<u8>,
    },
}

impl State {
    /// Takes a whole message that lies in its slot.
    #[inline(always)]
    pub(super) fn short(&mut self, from: ProcId, head: &Head, envelope: Envelope, payload: &[u8]) {
        let plain = head.flags & flag::SYNCHRONOUS == 0;
        if plain && self.meets_expected(envelope, payload, &[]) {
            self.traffic.received.eager_bytes += payload.len() as u64;
        } else if plain && let Some(token) = self.matching.arrive(envelope) {
            self.traffic.received.eager_bytes += payload.len() as u64;
            self.deliver(OpId(token), envelope, payload, &[]);
        } else {
            self.eager(from, head, envelope, payload, &[]);
        }
    }

    /// Ends a posted receive with a whole message.
    #[inline(always)]
    pub(super) fn deliver(&mut self, id: OpId, envelope: Envelope, first: &[u8], second: &[u8]) {
        let op = self.op(id);
        let data = op.data.take().expect("a posted receive has a buffer");
        op.end(unpack(&data, envelope, first, second));
        self.completions += 1;
    }

    /// Takes a whole message.
    pub(super) fn eager(
        &mut self,
        from: ProcId,
        head: &Head,
        envelope: Envelope,
        first: &[u8],
        second: &[u8],
    ) {
        self.traffic.received.eager_bytes += (first.len() + second.len()) as u64;
        let match_wanted = (head.flags & flag::SYNCHRONOUS != 0).then_some(head.id);
        self.whole(from, envelope, match_wanted, first, second);
    }

    /// Gives a whole message to the receive that waits for it, or keeps it.
    fn whole(
        &mut self,
        from: ProcId,
        envelope: Envelope,
        match_wanted: Option<u32>,
        first: &[u8],
        second: &[u8],
    ) {
        if !self.meets(from, envelope, match_wanted, (first, second)) {
            let payload = self.pool.keep(first, second);
            self.unexpected(from, envelope, match_wanted, payload);
        }
    }

    /// Gives a whole message to the receive that waits for it, if there is one.
    fn meets(
        &mut self,
        from: ProcId,
        envelope: Envelope,
        match_wanted: Option<u32>,
        (first, second): (&[u8], &[u8]),
    ) -> bool {
        if !self.meets_expected(envelope, first, second) {
            let Some(token) = self.matching.arrive(envelope) else {
                return false;
            };
            self.deliver(OpId(token), envelope, first, second);
        }
        if let Some(send) = match_wanted {
            self.control(from, kind::MATCHED, send, 0, 0);
        }
        true
    }

    fn unexpected(
        &mut self,
        from: ProcId,
        envelope: Envelope,
        match_wanted: Option<u32>,
        payload: Payload,
    ) {
        let arrived = Arrived::Eager {
            from,
            payload,
            match_wanted,
        };
        self.arrived(from, envelope, arrived);
    }

    /// Takes the first piece of a message; inline holds the length of all, and the piece's.
    /// Returns the piece's length.
    pub(super) fn first_piece<'a>(
        &mut self,
        from: ProcId,
        head: &Head,
        envelope: Envelope,
        inline: &'a [u8],
        body: &dyn Fn(usize) -> Pieces<'a>,
    ) -> usize {
        let total = u32_at(inline, 0) as usize;
        if total as u64 > EAGER_MOST {
            self.protocol_errors += 1;
            return 0;
        }
        self.begins(total as u64);
        let match_wanted = (head.flags & flag::SYNCHRONOUS != 0).then_some(head.id);
        let to = match self.buffer_for(envelope) {
            Some((data, receive)) => {
                if let Some(send) = match_wanted {
                    self.control(from, kind::MATCHED, send, 0, 0);
                }
                Destination::Buffer { data, receive }
            }
            None => Destination::Unexpected {
                match_wanted,
                bytes: self.pool.take(total),
            },
        };
        self.peers[from.0 as usize].partial = Some(PartialMessage {
            envelope,
            total,
            left: total,
            to,
        });
        let len = total.min(u32_at(inline, 4) as usize);
        self.piece_of(from, &body(len));
        len
    }

    /// Notes that a message that comes in pieces has begun.
    pub(super) fn begins(&mut self, total: u64) {
        self.traffic.received.eager_bytes += total;
    }

    /// The buffer of the receive that a message meets, and the receive unless it is the expected one.
    fn buffer_for(&mut self, envelope: Envelope) -> Option<(Data, Option<OpId>)> {
        if let Some(data) = self.expected_buffer(envelope) {
            return Some((data, None));
        }
        let id = OpId(self.matching.arrive(envelope)?);
        let data = self.op(id).data.take();
        Some((data.expect("a posted receive has a buffer"), Some(id)))
    }

    /// Takes the next piece of the message that is on its way from a peer.
    pub(super) fn more(&mut self, from: ProcId, pieces: &Pieces<'_>) {
        self.traffic.received.other_frames += 1;
        self.piece_of(from, pieces);
    }

    fn piece_of(&mut self, from: ProcId, pieces: &Pieces<'_>) {
        let Some(message) = &mut self.peers[from.0 as usize].partial else {
            self.protocol_errors += 1;
            return;
        };
        for part in [pieces.0, pieces.1] {
            let part = &part[..part.len().min(message.left)];
            if part.is_empty() {
                continue;
            }
            match &mut message.to {
                Destination::Buffer { data, .. } => {
                    let position = (message.total - message.left) as u64;
                    data.unpack_piece(position, part);
                }
                Destination::Unexpected { bytes, .. } => bytes.extend_from_slice(part),
            }
            message.left -= part.len();
        }
        if message.left == 0 {
            self.last_piece(from);
        }
    }

    fn last_piece(&mut self, from: ProcId) {
        let peer = &mut self.peers[from.0 as usize];
        let message = peer.partial.take();
        let Some(PartialMessage {
            envelope,
            total,
            to,
            ..
        }) = message
        else {
            return;
        };
        match to {
            Destination::Buffer { data, receive } => {
                let outcome = outcome(&data, envelope, total);
                match receive {
                    Some(id) => self.finish(id, outcome),
                    None => self.expected_done(outcome),
                }
            }
            Destination::Unexpected {
                match_wanted,
                bytes,
                // A receive may be there by now.
            } => match self.meets(from, envelope, match_wanted, (&bytes, &[])) {
                true => self.pool.give(bytes),
                false => self.unexpected(from, envelope, match_wanted, Payload::Long(bytes)),
            },
        }
    }
}

/// Copies a whole message into the buffer of the receive that it met.
#[inline(always)]
pub(super) fn unpack(data: &Data, envelope: Envelope, first: &[u8], second: &[u8]) -> Outcome {
    let len = (first.len() + second.len()) as u64;
    let room = data.bytes();
    let wanted = len.min(room) as usize;
    let cut = wanted.min(first.len());
    data.unpack(0, &first[..cut]);
    if wanted > cut {
        data.unpack(cut as u64, &second[..wanted - cut]);
    }
    Outcome {
        status: status_of(envelope, wanted as u64),
        message: len,
    }
}

/// How a receive ends that has met a message of so many bytes.
pub(super) fn outcome(data: &Data, envelope: Envelope, total: usize) -> Outcome {
    let (total, room) = (total as u64, data.bytes());
    Outcome {
        status: status_of(envelope, total.min(room)),
        message: total,
    }
}

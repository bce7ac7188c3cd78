//! Eager messages: they leave at once, and wait at the receiver if no receive is there.
//!
//! The shortest lie in the slot of their frame, or in two, others in one body beside it. Of those that are longer than a piece
//! the receiver copies one piece out while the sender copies the next one in; the pieces follow each
//! other in the ring, so nothing has to name the message they belong to. The message counts as arrived
//! with its first piece if a receive waits for it, with its last one if not.
//!
//! The port says up to which length messages leave eagerly, which saves asking for them.

use super::met::{Receiver, Stream};
use super::{
    Arrived, EAGER_LIMIT, EAGER_LIMIT_LENT, EAGER_MOST, OpId, Outcome, Payload, State, body,
    status_of,
};
use crate::datatype::Data;
use crate::matching::Envelope;
use crate::shm::exchange_buffer::EXCHANGE_BUFFER;
use crate::shm::ring::{By, Pieces, SHORT_BUFFER, Short};
use crate::transport::{Port, ProcId};
use crate::tuning::Tuning;
use crate::wire::{Head, INLINE, WIDE, flag, kind, u32_at};

/// Messages up to this lie in one piece in the byte ring.
const USUAL: usize = 2 << 10;
// (Loom's rings are tiny.)
#[cfg(not(loom))]
const _: () = assert!(USUAL <= crate::wire::MAX_BODY);

/// A message of which pieces have arrived and others will.
pub(super) struct More {
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
    Aside {
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
            let payload = self.spares.keep(first, second);
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
    pub(super) fn first_piece(
        &mut self,
        from: ProcId,
        head: &Head,
        envelope: Envelope,
        inline: &[u8],
        body: &dyn Fn(usize) -> Pieces<'static>,
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
            None => Destination::Aside {
                match_wanted,
                bytes: self.spares.take(total),
            },
        };
        self.peers[from.0 as usize].more = Some(More {
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
    pub(super) fn more(&mut self, from: ProcId, pieces: &Pieces<'static>) {
        self.traffic.received.other_frames += 1;
        self.piece_of(from, pieces);
    }

    fn piece_of(&mut self, from: ProcId, pieces: &Pieces<'static>) {
        let Some(more) = &mut self.peers[from.0 as usize].more else {
            self.protocol_errors += 1;
            return;
        };
        for part in [pieces.0, pieces.1] {
            let part = &part[..part.len().min(more.left)];
            if part.is_empty() {
                continue;
            }
            match &mut more.to {
                Destination::Buffer { data, .. } => {
                    let position = (more.total - more.left) as u64;
                    data.unpack_piece(position, part);
                }
                Destination::Aside { bytes, .. } => bytes.extend_from_slice(part),
            }
            more.left -= part.len();
        }
        if more.left == 0 {
            self.last_piece(from);
        }
    }

    fn last_piece(&mut self, from: ProcId) {
        let peer = &mut self.peers[from.0 as usize];
        let more = peer.more.take();
        let Some(More {
            envelope,
            total,
            to,
            ..
        }) = more
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
            Destination::Aside {
                match_wanted,
                bytes,
                // A receive may be there by now.
            } => match self.meets(from, envelope, match_wanted, (&bytes, &[])) {
                true => self.spares.give(bytes),
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

/// Writes a part of some data, from a position on.
#[inline(always)]
fn packing(data: &Data) -> impl Fn(usize, &mut [u8]) {
    |position, part| {
        data.pack(position as u64, part);
    }
}

/// Longest stream that leaves at once though its receiver is to be asked for it: asking costs two turns of a
/// shared core, and what comes before its turn a copy more.
pub(super) const IN_TURN: u64 = 2 * EAGER_LIMIT;

/// Whether a message that finds room leaves eagerly; `stream`: it is to be streamed if it does not. Asked once.
#[inline]
pub(super) fn leaves_eagerly(
    port: &mut impl Port,
    to: ProcId,
    data: &Data,
    stream: Option<Stream>,
) -> bool {
    let len = data.bytes();
    if len <= EAGER_LIMIT_LENT {
        return true;
    }
    // Nobody copies from where it lies what is to be streamed.
    let place = data.contiguous().filter(|_| stream.is_none());
    let address = place.map_or(0, |(at, _)| at.addr() as u64);
    if address != 0 && port.lends(address, len) {
        return false;
    }
    let limit = match stream {
        // To oneself an announced one is copied once.
        _ if to == port.me() => EAGER_LIMIT,
        None => port.eager_limit(),
        Some(Stream::InTurn) => IN_TURN,
        Some(_) => EAGER_MOST,
    };
    len <= limit && (len <= EAGER_LIMIT || len <= port.eager_most(to))
}

/// Sends a message that fits into one slot or two, if there is room and the receiver is not congested.
#[inline(always)]
pub(super) fn short<P: Port>(port: &mut P, to: ProcId, envelope: Envelope, data: &Data) -> bool {
    let head = Head {
        kind: kind::EAGER,
        flags: 0,
        inline: data.bytes() as u16,
        context: envelope.context,
        tag: envelope.tag,
        source: envelope.source,
        id: 0,
    };
    if data.bytes() > INLINE as u64 {
        return !port.congested(to) && port.try_wide(to, head, packing(data));
    }
    port.try_short(to, head, |slot| {
        data.pack(0, slot);
    })
}

/// Sends a whole message, if there is room for all of it: says how many frames it took beyond the first.
#[inline(always)]
pub(super) fn eager<P: Port>(
    port: &mut P,
    to: ProcId,
    envelope: Envelope,
    data: &Data,
    receiver: Receiver,
    (flags, id): (u8, u32),
) -> Option<u64> {
    let len = data.bytes() as usize;
    let mut head = Head {
        kind: kind::EAGER,
        flags,
        inline: len as u16,
        context: envelope.context,
        tag: envelope.tag,
        source: envelope.source,
        id,
    };
    if len <= INLINE {
        let done = port.try_inline(to, head, |slot| {
            data.pack(0, slot);
        });
        return done.then_some(0);
    }
    if len <= WIDE {
        return port.try_wide(to, head, packing(data)).then_some(0);
    }
    head.kind = kind::EAGER_BODY;
    if len <= SHORT_BUFFER {
        let done = body::send(
            port,
            to,
            head,
            (data, 0, len),
            By::ShortBuffer,
            [len as u32],
        );
        return done.then_some(0);
    }
    let short = match len <= USUAL {
        true => Short::Yes,
        false => Short::No,
    };
    if (short == Short::Yes || len <= port.tuning().eager_whole)
        && data.is_contiguous()
        && let Some(done) = body::send_in_exchange_buffer(port, to, head, data, short)
    {
        return done.then_some(0);
    }
    if short == Short::Yes {
        let whole = (data, 0, len);
        let done = body::send(port, to, head, whole, By::Ring, [len as u32]);
        return done.then_some(0);
    }
    in_pieces(port, to, head, data, receiver)
}

/// Lengths of the first and the other pieces of a message, and how many others there are.
struct Lengths {
    first: usize,
    others: usize,
    further: usize,
}

impl Lengths {
    // Inlined, as a division by a number that is known takes much less.
    #[inline(always)]
    fn new(len: usize, first: usize, others: usize) -> Lengths {
        Lengths {
            first,
            others,
            further: len.saturating_sub(first).div_ceil(others),
        }
    }
}

/// Those of a message of `len` bytes that goes through the byte ring.
fn pieces(len: usize, tuning: &Tuning) -> Lengths {
    let first = tuning.ring_first;
    if len <= tuning.eager_whole {
        Lengths::new(len, len, len)
    } else if len as u64 <= EAGER_LIMIT {
        Lengths::new(len, first, first)
    } else {
        Lengths::new(len, first, tuning.ring_piece)
    }
}

/// Those of one that goes by exchange buffers. `soon`: its receiver waits for the first one; `grow`: each is as long as all before it.
fn in_exchange_buffers(len: usize, soon: bool, grow: bool, tuning: &Tuning) -> Lengths {
    if grow {
        return Lengths {
            first: body::FIRST_GROWN,
            others: EXCHANGE_BUFFER,
            // The first one and the next each leave half an exchange buffer.
            further: len.div_ceil(EXCHANGE_BUFFER),
        };
    }
    if len <= tuning.eager_whole {
        return Lengths::new(len, len, len);
    }
    if len as u64 <= EAGER_LIMIT {
        let half = len.div_ceil(2).next_multiple_of(64);
        return Lengths::new(len, half, half);
    }
    match soon && tuning.buffer_first < EXCHANGE_BUFFER {
        true => Lengths::new(len, tuning.buffer_first, EXCHANGE_BUFFER),
        false => {
            let piece = body::piece(len as u64) as usize;
            Lengths::new(len, piece, piece)
        }
    }
}

/// Sends a message in pieces if it is long, so that the receiver copies one while the next is
/// written.
#[inline(never)]
fn in_pieces<P: Port>(
    port: &mut P,
    to: ProcId,
    mut head: Head,
    data: &Data,
    receiver: Receiver,
) -> Option<u64> {
    let len = data.bytes() as usize;
    let soon = receiver == Receiver::Waits;
    let tuning = port.tuning();
    let grow = soon && len > tuning.grow_from;
    let in_exchange_buffers = in_exchange_buffers(len, soon, grow, tuning);
    let most = pieces(len, tuning).further.max(in_exchange_buffers.further);
    if !port.has_room(to, 1 + most, len) {
        return None;
    }
    let asked = 1 + in_exchange_buffers.further;
    let by = body::by(port, to, data, asked);
    let Lengths { first, others, .. } = match by {
        By::ExchangeBuffer | By::ShortBuffer => in_exchange_buffers,
        By::Ring => pieces(len, tuning),
    };
    // Two halves of a short one gain nothing by being one again.
    let longer = by == By::ExchangeBuffer
        && len as u64 > EAGER_LIMIT
        && (!soon || tuning.join_awaited || grow);
    let grow = grow && by == By::ExchangeBuffer;
    if grow {
        port.put_in_order(to, len.div_ceil(EXCHANGE_BUFFER));
    }
    let longest = body::longest(len as u64, receiver, tuning);
    let next = |port: &mut P, least: usize, there: usize| {
        let left = match grow {
            true => body::grown(there).min(len - there),
            false => len - there,
        };
        match longer {
            true => body::together(port, to, least, left.min(longest)),
            false => least.min(left),
        }
    };
    let piece = next(port, first, 0);
    // The length of the message, and of the piece; with others the piece's alone, as with a whole message.
    let done = match piece < len {
        true => {
            head.kind = kind::EAGER_FIRST;
            let said = [len as u32, piece as u32];
            body::send(port, to, head, (data, 0, piece), by, said)
        }
        false => body::send(port, to, head, (data, 0, len), by, [len as u32]),
    };
    debug_assert!(done, "there was room");
    let mut position = piece;
    let mut further = 0;
    let mut held = piece.div_ceil(EXCHANGE_BUFFER);
    while position < len {
        let head = Head {
            kind: kind::EAGER_MORE,
            ..Head::default()
        };
        let piece = next(port, others, position);
        let part = (data, position as u64, piece);
        let done = body::send(port, to, head, part, by, [piece as u32]);
        debug_assert!(done, "there was room");
        position += piece;
        further += 1;
        held += piece.div_ceil(EXCHANGE_BUFFER);
    }
    // `FreeBuffers::begin`.
    debug_assert!(
        by != By::ExchangeBuffer || held == asked || grow && held < asked,
        "{asked} exchange_buffers asked for, {held} taken"
    );
    Some(further)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::tuning::ROWS;
    use crate::wire::MAX_BODY;

    /// Those that grow find room in as many exchange buffers, however many of these lie together.
    #[test]
    fn pieces_that_grow_find_room() {
        for len in (EXCHANGE_BUFFER + 1..EAGER_MOST as usize + 1).step_by(333) {
            for together in [1, 2, 3, 4] {
                let Lengths { first, further, .. } = in_exchange_buffers(len, true, true, &ROWS[0]);
                assert_eq!(first, body::grown(0));
                let (mut there, mut held) = (0, 0);
                while there < len {
                    let piece = body::grown(there)
                        .min(len - there)
                        .min(together * EXCHANGE_BUFFER);
                    assert!(piece > 0 && piece <= MAX_BODY);
                    there += piece;
                    held += piece.div_ceil(EXCHANGE_BUFFER);
                }
                assert!(held <= 1 + further, "{len} {together}: {held}, {further}");
            }
        }
    }

    /// Each piece fits where it goes, there is at most one more in exchange buffers than there must be, and none is for nothing.
    #[test]
    fn pieces_are_few() {
        for (row, soon) in ROWS.iter().flat_map(|row| [(row, false), (row, true)]) {
            for len in (USUAL + 1..300_000)
                .step_by(777)
                .chain([16 << 10, 24 << 10, 72 << 10])
            {
                let fits = |lengths: Lengths, most: usize| {
                    let Lengths {
                        first,
                        others,
                        further,
                    } = lengths;
                    let first = first.min(len);
                    let all = (1..=most).contains(&first) && (1..=most).contains(&others.min(len));
                    assert!(all, "{len} {}", row.name);
                    let pieces = 1 + (len - first).div_ceil(others);
                    assert_eq!(pieces, 1 + further);
                    pieces
                };
                fits(pieces(len, row), MAX_BODY);
                let pieces = fits(in_exchange_buffers(len, soon, false, row), EXCHANGE_BUFFER);
                let least = len.div_ceil(EXCHANGE_BUFFER);
                assert!((least..=least + 1).contains(&pieces), "{len}: {pieces}");
            }
        }
    }
}

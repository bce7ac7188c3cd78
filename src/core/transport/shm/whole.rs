//! Whole messages that leave at once, as frames through the ring.
//!
//! The shortest lie in the slot of their frame, or in two, others in one body beside it. Of those that are longer than a piece
//! the receiver copies one piece out while the sender copies the next one in. The pieces follow each other in the ring, so
//! nothing has to name the message they belong to.

use super::{Outgoing, Shm, body};
use crate::datatype::Data;
use crate::shm::exchange_buffer::EXCHANGE_BUFFER;
use crate::shm::ring::{By, SHORT_BUFFER, Short};
use crate::transport::{EAGER_LIMIT, ProcId, ReceiverActivity};
use crate::tuning::Tuning;
use crate::wire::{Head, INLINE, WIDE_INLINE, kind};

/// Messages up to this lie in one piece in the byte ring.
const USUAL: usize = 2 << 10;
// (Loom's rings are tiny.)
#[cfg(not(loom))]
const _: () = assert!(USUAL <= crate::shm::ring::MAX_BODY);

/// Writes a part of some data, from a position on.
#[inline(always)]
pub(super) fn packing(data: &Data) -> impl Fn(usize, &mut [u8]) {
    |position, part| {
        data.pack(position as u64, part);
    }
}

/// Sends a message that fits into one slot or two, if there is room.
#[inline(always)]
fn inline(outgoing: &mut Outgoing, mut head: Head, data: &Data) -> bool {
    head.inline = data.bytes() as u16;
    if data.bytes() > INLINE as u64 {
        return outgoing.publish(|producer| producer.try_wide(head, packing(data)));
    }
    outgoing.publish(|producer| {
        producer.try_inline(head, |slot| {
            data.pack(0, slot);
        })
    })
}

/// Sends a whole message, if there is room for all of it: says how many frames it took beyond the first.
#[inline(always)]
pub(super) fn whole(
    shm: &mut Shm,
    to: ProcId,
    mut head: Head,
    data: &Data,
    receiver: ReceiverActivity,
) -> Option<u64> {
    let len = data.bytes() as usize;
    if len <= WIDE_INLINE {
        return inline(shm.outgoing(to), head, data).then_some(0);
    }
    head.kind = kind::EAGER_BODY;
    if len <= SHORT_BUFFER {
        let done = body::send(shm, to, head, (data, 0, len), By::ShortBuffer, [len as u32]);
        return done.then_some(0);
    }
    let short = match len <= USUAL {
        true => Short::Yes,
        false => Short::No,
    };
    if (short == Short::Yes || len <= shm.tuning.eager_whole)
        && data.is_contiguous()
        && let Some(done) = body::send_in_exchange_buffer(shm, to, head, data, short)
    {
        return done.then_some(0);
    }
    if short == Short::Yes {
        let whole = (data, 0, len);
        let done = body::send(shm, to, head, whole, By::Ring, [len as u32]);
        return done.then_some(0);
    }
    in_pieces(shm, to, head, data, receiver)
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
fn in_pieces(
    shm: &mut Shm,
    to: ProcId,
    mut head: Head,
    data: &Data,
    receiver: ReceiverActivity,
) -> Option<u64> {
    let len = data.bytes() as usize;
    let soon = receiver == ReceiverActivity::Waits;
    let tuning = shm.tuning;
    let grow = soon && len > tuning.grow_from;
    let in_exchange_buffers = in_exchange_buffers(len, soon, grow, tuning);
    let most = pieces(len, tuning).further.max(in_exchange_buffers.further);
    if !shm.has_room(to, 1 + most, len) {
        return None;
    }
    let asked = 1 + in_exchange_buffers.further;
    let by = body::by(shm, to, data, asked);
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
        shm.put_in_order(to, len.div_ceil(EXCHANGE_BUFFER));
    }
    let longest = body::longest(len as u64, receiver, tuning);
    let next = |shm: &mut Shm, least: usize, there: usize| {
        let left = match grow {
            true => body::grown(there).min(len - there),
            false => len - there,
        };
        match longer {
            true => body::adjoining(shm, to, least, left.min(longest)),
            false => least.min(left),
        }
    };
    let piece = next(shm, first, 0);
    // The length of the message, and of the piece; with others the piece's alone, as with a whole message.
    let done = match piece < len {
        true => {
            head.kind = kind::EAGER_FIRST;
            let said = [len as u32, piece as u32];
            body::send(shm, to, head, (data, 0, piece), by, said)
        }
        false => body::send(shm, to, head, (data, 0, len), by, [len as u32]),
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
        let piece = next(shm, others, position);
        let part = (data, position as u64, piece);
        let done = body::send(shm, to, head, part, by, [piece as u32]);
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
    use crate::shm::ring::MAX_BODY;
    use crate::transport::EAGER_MOST;
    use crate::tuning::ROWS;

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

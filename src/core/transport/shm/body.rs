//! Parts of a message's data as the bodies of frames.

use super::Shm;
use crate::datatype::Data;
use crate::shm::exchange_buffer::EXCHANGE_BUFFER;
use crate::shm::ring::{BodyWriter, By, MAX_BODY, PiecesMut, Short};
use crate::transport::{EAGER_LIMIT, EAGER_MOST, ProcId, ReceiverActivity, placed};
use crate::tuning::Tuning;
use crate::wire::Head;

/// Length of the pieces of so many bytes, at least 1, each of which an exchange buffer holds: as few as that allows, and all alike but
/// for the last one, which is a few lines shorter. An answer writes a piece where one was read; where that was a short one, it
/// would have to take the other lines from the receiver.
#[inline]
pub(super) fn piece(len: u64) -> u64 {
    let most = EXCHANGE_BUFFER as u64;
    match len <= most {
        true => len.max(1),
        false => len.div_ceil(len.div_ceil(most)).next_multiple_of(64),
    }
}

/// Bytes of the next piece of a message that travels by exchange buffers, of which so many are left: as many as those hold that lie together.
/// If none do it is the usual `piece`, so that all are alike.
#[inline]
pub(crate) fn adjoining(shm: &mut Shm, to: ProcId, piece: usize, left: usize) -> usize {
    let bytes = match shm.adjoining(to) {
        ..=EXCHANGE_BUFFER => piece,
        adjoining => adjoining,
    };
    bytes.min(left)
}

/// Messages of an exchange up to this length are all written before they are read, so that a piece more only costs lines. Of longer
/// ones some are read while others are written.
const EXCHANGED: u64 = 2 << 20;

/// Most bytes of a piece of a message of `len` bytes, in exchange buffers that lie together.
#[inline]
pub(super) fn longest(len: u64, receiver: ReceiverActivity, tuning: &Tuning) -> usize {
    match receiver {
        ReceiverActivity::Writes if len <= EXCHANGED => tuning.join_exchanged,
        _ => MAX_BODY,
    }
}

/// The length of the first piece of a message whose pieces [grow](grown): the receiver has it soon.
pub(super) const FIRST_GROWN: usize = EXCHANGE_BUFFER / 2;

/// Most bytes of the next piece of a message whose pieces grow, of which so many have gone: as each costs both sides some time, each
/// has as many as all before it, or what fills its exchange buffer.
#[inline]
pub(super) fn grown(there: usize) -> usize {
    match there {
        0 => FIRST_GROWN,
        _ if there < EXCHANGE_BUFFER => 2 * EXCHANGE_BUFFER - there,
        _ => there.min(MAX_BODY),
    }
}

/// How so many bodies of the next message of `data`, or of the next part of one, travel to a process. What is not
/// in one piece takes longer to collect than to write. So exchange buffers gain nothing, or only where it does not
/// leave at once in pieces.
#[inline]
pub(crate) fn by(shm: &mut Shm, to: ProcId, data: &Data, bodies: usize) -> By {
    let collected = || {
        let (bytes, in_pieces) = (data.bytes(), EAGER_LIMIT + 1..=EAGER_MOST);
        bytes >= shm.tuning.collect_in_buffers as u64 && !in_pieces.contains(&bytes)
    };
    match data.is_contiguous() || collected() {
        true => shm.by(to, bodies),
        false => By::Ring,
    }
}

/// Sends a message of `data` that is one body in an exchange buffer. `None`: none is here for it.
#[inline(always)]
pub(super) fn send_in_exchange_buffer(
    shm: &mut Shm,
    to: ProcId,
    head: Head,
    data: &Data,
    short: Short,
) -> Option<bool> {
    let len = data.bytes() as usize;
    let (head, say) = saying(head, [len as u32]);
    let part = WholeData(data);
    shm.try_exchange_buffer(to, head, (len, short), say, part)
}

/// Sends a part of some data, from a position on and so long, with a frame that says some words.
#[inline(always)]
pub(super) fn send<const WORDS: usize>(
    shm: &mut Shm,
    to: ProcId,
    head: Head,
    part: (&Data, u64, usize),
    by: By,
    said: [u32; WORDS],
) -> bool {
    let (head, say) = saying(head, said);
    send_saying(shm, to, (head, say), part, by)
}

/// [`send`] with a frame of which `say` writes what it says.
#[inline(always)]
pub(super) fn send_saying(
    shm: &mut Shm,
    to: ProcId,
    (head, say): (Head, impl FnOnce(&mut [u8])),
    (data, position, len): (&Data, u64, usize),
    by: By,
) -> bool {
    let asks = data.is_contiguous() || by != By::ExchangeBuffer;
    let part = Part {
        data,
        position,
        asks,
    };
    shm.try_body(to, head, (len, by), say, part)
}

/// A frame that says some words, and what writes them to its slot.
#[inline(always)]
fn saying<const WORDS: usize>(head: Head, said: [u32; WORDS]) -> (Head, impl FnOnce(&mut [u8])) {
    let said = said.map(u32::to_le_bytes);
    let head = Head {
        inline: size_of_val(&said) as u16,
        ..head
    };
    (head, move |slot: &mut [u8]| {
        slot.copy_from_slice(said.as_flattened());
    })
}

/// Some data from a position on.
struct Part<'a> {
    data: &'a Data,
    position: u64,
    /// Whether to ask for the lines that it is written to. What is collected in exchange buffers gains nothing.
    asks: bool,
}

impl BodyWriter for Part<'_> {
    #[inline(always)]
    fn fill(self, PiecesMut(first, second): PiecesMut<'_>) {
        let pack = |position, packed: &mut [u8]| match self.asks {
            true => self.data.pack_shared(position, packed),
            false => self.data.pack(position, packed),
        };
        pack(self.position, first);
        if !second.is_empty() {
            pack(self.position + first.len() as u64, second);
        }
    }
}

/// All of some data, to an exchange buffer that this side holds.
struct WholeData<'a>(&'a Data);

impl BodyWriter for WholeData<'_> {
    #[inline(always)]
    fn fill(self, PiecesMut(first, second): PiecesMut<'_>) {
        debug_assert!(second.is_empty(), "a body lies in one piece there");
        self.0.pack_shared(0, first);
    }
}

/// [`send`] with a frame of this kind that says the part's length and position: which the operation `id` of the other side puts
/// there.
#[inline]
pub(super) fn send_placed(
    shm: &mut Shm,
    to: ProcId,
    (kind, id): (u8, u32),
    part: (&Data, u64, usize),
    by: By,
) -> bool {
    let (_, position, len) = part;
    let (head, said) = placed((kind, id), position, len as u64);
    let say = move |slot: &mut [u8]| slot.copy_from_slice(&said);
    send_saying(shm, to, (head, say), part, by)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_few_and_alike() {
        let most = EXCHANGE_BUFFER as u64;
        for len in (0..6 * most).step_by(1000).chain([most, most + 1, 1 << 40]) {
            let piece = piece(len);
            assert!(piece > 0 && piece <= most && piece.is_multiple_of(64) | (piece == len.max(1)));
            let pieces = len.div_ceil(piece);
            assert_eq!(pieces, len.div_ceil(most), "{len}");
            let last = len - pieces.saturating_sub(1) * piece;
            assert!(piece - last < 64 * pieces.max(1), "{len}: {piece}, {last}");
        }
    }
}

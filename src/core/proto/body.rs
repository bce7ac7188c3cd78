//! Parts of a message's data as the bodies of frames.

use super::met::Receiver;
use super::{EAGER_LIMIT, EAGER_MOST};
use crate::datatype::Data;
use crate::datatype::block::{Core, core};
use crate::shm::ring::{By, Fill, PiecesMut, Short};
use crate::shm::shuttle::{SHUTTLE, TOGETHER};
use crate::transport::{Port, ProcId};
use crate::wire::{Head, MAX_BODY};

/// Length of the pieces of so many bytes, at least 1, each of which a shuttle holds: as few as that allows, and all alike but
/// for the last one, which is a few lines shorter. An answer writes a piece where one was read; where that was a short one, it
/// would have to take the other lines from the receiver.
#[inline]
pub(super) fn piece(len: u64) -> u64 {
    let most = SHUTTLE as u64;
    match len <= most {
        true => len.max(1),
        false => len.div_ceil(len.div_ceil(most)).next_multiple_of(64),
    }
}

/// Bytes of the next piece of a message that travels by shuttles, of which so many are left: as many as those hold that lie together.
/// If none do it is the usual `piece`, so that all are alike: 20,000 bytes each way, written before each call, in 16,384 and 3,616
/// bytes 3.3 us, so 2.4.
#[inline]
pub(super) fn together<P: Port>(port: &mut P, to: ProcId, piece: usize, left: usize) -> usize {
    let bytes = match port.together(to) {
        ..=SHUTTLE => piece,
        together => together,
    };
    bytes.min(left)
}

/// Messages of an exchange up to this length are all written before they are read, so that a piece more only costs lines. Of longer
/// ones some are read while others are written.
const EXCHANGED: u64 = 2 << 20;

/// Messages one way up to this length go in pieces of at most two shuttles on Zen 5; longer ones take 1 % longer so (command: docs/measurements/notes.md,
/// "What follows the first piece of a stream").
const TWO_SHUTTLES: u64 = 512 << 10;

/// Most bytes of a piece of a message of `len` bytes, in shuttles that lie together.
#[inline]
pub(super) fn longest(len: u64, receiver: Receiver) -> usize {
    match (receiver, core()) {
        (Receiver::Writes, Core::Zen5 | Core::Other) if len <= EXCHANGED => TOGETHER,
        // By one, two and four, us, where a line takes 64 ns: latency of 512 KiB 8.40, 8.11, 8.41.
        (Receiver::Waits, Core::Zen5) if len <= TWO_SHUTTLES => 2 * SHUTTLE,
        (Receiver::IsBehind, Core::Zen5) => {
            // A quarter of what leaves at once: gather of 128 KiB by one, two and four 2.53, 2.41, 2.60; of 256 KiB 5.1, 4.9, 4.8. A
            // sixteenth of what is longer: 4 MiB by 4 and 16 121, 115, where two copies wait for memory.
            let (parts, most) = match len <= EAGER_MOST {
                true => (4, MAX_BODY),
                false => (16, TOGETHER),
            };
            let shuttles = (len as usize).div_ceil(parts * SHUTTLE);
            (shuttles * SHUTTLE).clamp(2 * SHUTTLE, most)
        }
        _ => MAX_BODY,
    }
}

/// On Golden Cove pieces of messages above this begin with a short one and [grow](grown); shorter ones are one, where shuttles lie
/// together (latency of 24 KiB so 1.73 us, with a first piece of 8 KiB 2.16; of 28 KiB 2.10, 2.08; of 64 KiB 4.62, 4.14;
/// `MPI_ANYMPI_DIRECT=0 cargo xtask bench latency --real-time --ranks 2 --words "24576 28672 65536"`).
const GROWING: usize = 26 << 10;

/// Whether the pieces of a message of so many bytes that goes by shuttles, one way, [grow](grown).
#[inline]
pub(super) fn grow(len: usize) -> bool {
    core() == Core::GoldenCove && len > GROWING
}

/// The length of the first such piece, which the receiver has soon: half a shuttle on Golden Cove (4 KiB: the same within 2 %), else a
/// whole one.
#[inline]
pub(super) fn first_grown() -> usize {
    match core() {
        Core::GoldenCove => SHUTTLE / 2,
        _ => SHUTTLE,
    }
}

/// Most bytes of the next piece of a message that [grow], of which so many have gone: as each costs both sides some 0.1 us, each
/// has as many as all before it, or what fills its shuttle.
#[inline]
pub(super) fn grown(there: usize) -> usize {
    let first = first_grown();
    match there {
        0 => first,
        _ if there < SHUTTLE => 2 * SHUTTLE - there,
        _ => there.min(MAX_BODY),
    }
}

/// Data that is not in one piece goes by shuttles from more than so many bytes on, if at all: 2 KiB of blocks 1.00 us, so 1.16.
const COLLECTED: u64 = 2 << 10;

/// How so many bodies of the next message of `data`, or of the next part of one, travel to a process. What is not in
/// one piece takes longer to collect than to write, but on Golden Cove, and there too where it leaves at once in pieces (a vector of
/// 128 KiB by the ring 17.8 us, by shuttles 22.8; of 16 KiB 3.5 and 2.8, of 1 MiB 130 and 100).
#[inline]
pub(super) fn by<P: Port>(port: &mut P, to: ProcId, data: &Data, bodies: usize) -> By {
    let collected = || {
        let (bytes, in_pieces) = (data.bytes(), EAGER_LIMIT + 1..=EAGER_MOST);
        core() == Core::GoldenCove && bytes > COLLECTED && !in_pieces.contains(&bytes)
    };
    match data.is_contiguous() || collected() {
        true => port.by(to, bodies),
        false => By::Ring,
    }
}

/// Sends a message of `data` that is one body in a shuttle. `None`: none is here for it.
#[inline(always)]
pub(super) fn send_in_shuttle<P: Port>(
    port: &mut P,
    to: ProcId,
    head: Head,
    data: &Data,
    short: Short,
) -> Option<bool> {
    let len = data.bytes() as usize;
    let (head, say) = saying(head, [len as u32]);
    let part = Held(data);
    port.try_shuttle(to, head, (len, short), say, part)
}

/// Sends a part of some data, from a position on and so long, with a frame that says some words.
#[inline(always)]
pub(super) fn send<P: Port, const WORDS: usize>(
    port: &mut P,
    to: ProcId,
    head: Head,
    (data, position, len): (&Data, u64, usize),
    by: By,
    said: [u32; WORDS],
) -> bool {
    let (head, say) = saying(head, said);
    let asks = data.is_contiguous() || by != By::Shuttle;
    let part = Part {
        data,
        position,
        asks,
    };
    port.try_body(to, head, (len, by), say, part)
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
    /// Whether to ask for the lines that it is written to. What is collected in shuttles gains nothing (4 KiB of blocks 0.69 us, so
    /// 0.72; struct of 8 KiB 1.81, so 1.95; Xeon of the sixth generation).
    asks: bool,
}

impl Fill for Part<'_> {
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

/// All of some data, to a shuttle that this side holds.
struct Held<'a>(&'a Data);

impl Fill for Held<'_> {
    #[inline(always)]
    fn fill(self, PiecesMut(first, second): PiecesMut<'_>) {
        debug_assert!(second.is_empty(), "a body lies in one piece there");
        self.0.pack_shared(0, first);
    }
}

/// [`send`] with a frame of this kind that says the part's length and position: which the operation `id` of the other side puts
/// there.
#[inline]
pub(super) fn send_placed<P: Port>(
    port: &mut P,
    to: ProcId,
    (kind, id): (u8, u32),
    part: (&Data, u64, usize),
    by: By,
) -> bool {
    let (_, position, len) = part;
    let head = Head {
        kind,
        id,
        ..Head::default()
    };
    let said = [len as u32, position as u32, (position >> u32::BITS) as u32];
    send(port, to, head, part, by, said)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_few_and_alike() {
        let most = SHUTTLE as u64;
        for len in (0..6 * most).step_by(1000).chain([most, most + 1, 1 << 40]) {
            let piece = piece(len);
            assert!(piece > 0 && piece <= most && piece.is_multiple_of(64) | (piece == len.max(1)));
            let pieces = len.div_ceil(piece);
            assert_eq!(pieces, len.div_ceil(most), "{len}");
            let last = len - pieces.saturating_sub(1) * piece;
            assert!(piece - last < 64 * pieces.max(1), "{len}: {piece}, {last}");
        }
    }

    /// What nobody waits for goes in longer pieces the longer it is.
    #[test]
    fn who_is_behind_gets_long_pieces() {
        use crate::datatype::block::On;
        let lengths = [128 << 10, 256 << 10, 512 << 10, 1 << 20, 4 << 20, 1 << 30];
        let pieces = |receiver| lengths.map(|len| longest(len, receiver) / SHUTTLE);
        let zen_5 = On::a(Core::Zen5);
        assert_eq!(pieces(Receiver::IsBehind), [2, 4, 2, 4, 16, 16]);
        assert_eq!(pieces(Receiver::Waits), [2, 2, 2, 4, 4, 4]);
        drop(zen_5);
        for core in [Core::GoldenCove, Core::Other] {
            let _core = On::a(core);
            assert_eq!(pieces(Receiver::IsBehind), [4; 6]);
        }
    }
}

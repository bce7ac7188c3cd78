//! How what one rank writes and another one reads meanwhile is cut into pieces, which the reader is told of one by one.

use std::ops::Range;

use super::{Span, Turn};
use crate::coll::net::Net;
use crate::datatype::Data;
use crate::datatype::block::{Core, LINE, by_strings, core};
use crate::shm::collective::{LANE, WINDOW};

/// Bytes of a piece, but for what follows.
pub(super) const PIECE: usize = LANE / 8;
/// Bytes of the longest one on Zen 5.
const LONG: usize = 2 * PIECE;

/// The pieces of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pieces {
    /// Of so many bytes each, the last one perhaps of fewer.
    Even(usize),
    /// A quarter first, and then as much as has been told of already, up to [`LONG`].
    Growing,
}

impl Pieces {
    /// Where the reader waits for the first one: what it takes to write that, and to read all, is what the operation takes. On Zen 5
    /// writing is twice as fast as reading what another core has written, and each piece takes long to begin (2 ranks, 64 ns,
    /// [`PIECE`]s, even ones of 4, 8 and 32 KiB, growing ones: gather of 16 KiB 0.46, 0.42, 0.44, 0.47, 0.39 us; 32 KiB 0.79, 0.76, 0.77,
    /// 0.82, 0.74; 64 KiB 1.32, 1.42, 1.34, 1.31, 1.25; command: docs/measurements/notes.md, "Pieces of a block"). Not tried elsewhere.
    pub fn awaited() -> Pieces {
        match core() {
            Core::Zen5 => Pieces::Growing,
            Core::GoldenCove | Core::Other => Pieces::Even(PIECE),
        }
    }

    /// Where all write before they read, so that nobody waits for the first one, if blocks are copied [by strings](by_strings),
    /// which take a while to begin.
    pub fn of_all() -> Pieces {
        Pieces::Even(match by_strings() {
            true => WINDOW,
            false => PIECE,
        })
    }

    /// Where one of two ranks only writes and the other one only reads, who is behind (exscan of 64 KiB on a Xeon of the sixth
    /// generation by 16, 32 and 64 KiB 3.18, 3.06 and 2.96 us).
    pub fn behind() -> Pieces {
        Pieces::Even(match core() {
            Core::GoldenCove => WINDOW,
            Core::Zen5 | Core::Other => PIECE,
        })
    }

    /// Those of a block of `bytes` bytes, in order.
    #[inline]
    pub fn of(self, bytes: usize) -> impl Iterator<Item = Range<usize>> {
        let (least, most) = match self {
            Pieces::Even(bytes) => (bytes, bytes),
            Pieces::Growing => (bytes.div_ceil(4).next_multiple_of(LINE), LONG),
        };
        let mut next = 0;
        std::iter::from_fn(move || {
            let start = next;
            next = bytes.min(start + start.clamp(least.min(most), most));
            (next > start).then_some(start..next)
        })
    }
}

impl<N: Net> Turn<'_, '_, N> {
    /// Tells `reader`, or all others, that something has been written.
    pub fn tell(&self, reader: Option<usize>) {
        match reader {
            Some(rank) => self.area.notify_one(rank),
            None => self.area.notify(),
        }
    }

    /// Writes all of `block` to a span of this rank's, and tells who reads it of each piece.
    pub fn write_pieces(&self, span: Span, block: &Data, pieces: Pieces, reader: Option<usize>) {
        for (step, part) in (1..).zip(pieces.of(block.bytes() as usize)) {
            let place = span.start + part.start;
            self.fill(span, place, part.len(), block, part.start as u64);
            self.area.step(self.number, step);
            self.tell(reader);
        }
    }

    /// Reads all that `rank` writes so to a span of its own, which is as long as that was said to be.
    pub async fn read_pieces(&self, rank: usize, span: Span, block: &Data, pieces: Pieces) {
        for (step, part) in (1..).zip(pieces.of(span.length as usize)) {
            self.stepped(rank, step).await;
            let found = self.bytes(rank, span, span.start + part.start, part.len());
            block.unpack(part.start as u64, found);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::datatype::block::On;

    #[test]
    fn pieces_make_up_the_block() {
        let ways = [Pieces::Even(LINE), Pieces::Even(PIECE), Pieces::Growing];
        for (way, bytes) in ways
            .into_iter()
            .flat_map(|way| (0..3000).map(move |bytes| (way, bytes)))
        {
            let mut end = 0;
            for part in way.of(bytes) {
                assert_eq!(part.start, end, "{way:?} {bytes}");
                assert!(!part.is_empty() && part.len() <= LONG, "{way:?} {bytes}");
                end = part.end;
            }
            assert_eq!(end, bytes, "{way:?}");
        }
    }

    #[test]
    fn growing_pieces_begin_with_a_quarter() {
        let lengths = |bytes| {
            Pieces::Growing
                .of(bytes)
                .map(|part| part.len())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            lengths(LONG),
            [LONG / 2, LONG / 2].map(|bytes| bytes.max(LINE))
        );
        assert_eq!(lengths(4 * LINE), [LINE, LINE, 2 * LINE]);
        assert_eq!(
            lengths(20 * LINE),
            [2, 2, 2, 2, 2, 2, 2, 2, 2, 2].map(|lines| lines * LINE)
        );
    }

    #[test]
    fn only_zen_5_lets_pieces_grow() {
        for (cpu, pieces) in [
            (Core::Zen5, Pieces::Growing),
            (Core::GoldenCove, Pieces::Even(PIECE)),
            (Core::Other, Pieces::Even(PIECE)),
        ] {
            let _core = On::a(cpu);
            assert_eq!(Pieces::awaited(), pieces);
        }
    }
}

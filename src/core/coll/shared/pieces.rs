//! How what one rank writes and another one reads meanwhile is cut into pieces, which the reader is told of one by one.

use std::ops::Range;

use super::{SharedSpan, Turn};
use crate::coll::net::Net;
use crate::datatype::Data;
use crate::shm::collective::LANE;

/// Bytes of a piece where the reader waits for the first one.
pub(super) const LANE_PIECE: usize = LANE / 8;

/// The pieces of a block of `bytes` bytes, in order: of so many bytes each, the last one perhaps of fewer.
#[inline]
fn pieces(bytes: usize, piece: usize) -> impl Iterator<Item = Range<usize>> {
    (0..bytes)
        .step_by(piece)
        .map(move |start| start..bytes.min(start + piece))
}

impl<N: Net> Turn<'_, '_, N> {
    /// Tells `reader`, or all others, that something has been written.
    pub fn tell(&self, reader: Option<usize>) {
        match reader {
            Some(rank) => self.coll_segment.notify_one(rank),
            None => self.coll_segment.notify(),
        }
    }

    /// Writes all of `block` to a span of this rank's, and tells who reads it of each piece.
    pub fn write_pieces(
        &self,
        span: SharedSpan,
        block: &Data,
        piece: usize,
        reader: Option<usize>,
    ) {
        for (step, part) in (1..).zip(pieces(block.bytes() as usize, piece)) {
            let place = span.start + part.start;
            self.fill(span, place, part.len(), block, part.start as u64);
            self.coll_segment.step(self.number, step);
            self.tell(reader);
        }
    }

    /// Reads all that `rank` writes so to a span of its own, which is as long as that was said to be.
    pub async fn read_pieces(&self, rank: usize, span: SharedSpan, block: &Data, piece: usize) {
        for (step, part) in (1..).zip(pieces(span.length as usize, piece)) {
            self.stepped(rank, step).await;
            let found = self.bytes(rank, span, span.start + part.start, part.len());
            block.unpack(part.start as u64, found);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_up_the_block() {
        for (piece, bytes) in [64, LANE_PIECE]
            .into_iter()
            .flat_map(|piece| (0..3000).map(move |bytes| (piece, bytes)))
        {
            let mut end = 0;
            for part in pieces(bytes, piece) {
                assert_eq!(part.start, end, "{piece} {bytes}");
                assert!(!part.is_empty() && part.len() <= piece, "{piece} {bytes}");
                end = part.end;
            }
            assert_eq!(end, bytes, "{piece}");
        }
    }
}

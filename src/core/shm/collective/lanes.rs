//! Lanes, through which long contributions pass: who has which part of a member's lane, and how far the member is that
//! writes or reads there.
//!
//! A member lends granules of its lane to readers, and has them back when they say that they have left. Only the owner
//! writes to a lane, and a reader has waited for what it reads. Must not know what passes through a
//! lane.

use super::{CollSegment, Watch};
use crate::sync::Ordering;

/// Bits of a position that count the steps of one operation; the number of the operation is above them.
const STEP_BITS: u32 = 28;

/// Who has a granule of a lane, or had it: the position at which readers have finished, and who they are if not all others.
pub type Loan = (u64, Option<usize>);

impl CollSegment {
    /// Bytes of the longest contribution that takes a part of a lane: whole granules.
    #[inline]
    pub fn window(&self) -> usize {
        self.window
    }

    /// Bytes of the longest block that lies in one piece, in as many windows as it takes or in an exchange buffer: whole windows.
    #[inline]
    pub fn block(&self) -> usize {
        self.block
    }

    /// Granules of a lane.
    #[inline]
    pub fn granules(&self) -> usize {
        self.lent.len()
    }

    /// How many places of so many bytes, which are whole granules, operations use in turn. An odd number where there are more than
    /// two, so that programs come to all of them whatever they do in turn.
    #[inline]
    pub fn places(&self, bytes: usize) -> usize {
        match self.parts / bytes {
            places @ 0..=2 => places.max(1),
            places => (places - 1) | 1,
        }
    }

    /// Bytes of a lane that data uses in turn which passes through all of it. What is cut otherwise may use all [`WHOLE_LANE`] bytes, as long as
    /// it borrows all granules.
    #[inline]
    pub fn lane_bytes(&self) -> usize {
        self.lane
    }

    /// Before this member writes to a granule of its lane: what its latest readers must have reached.
    #[inline]
    pub fn lent(&self, granule: usize) -> Loan {
        self.lent[granule].get()
    }

    /// In operation `number` a granule of this member's lane is for `reader`, or for all others: each of them says
    /// when it has finished (`leave_lanes`).
    #[inline]
    pub fn lend(&self, granule: usize, number: u64, reader: Option<usize>) {
        self.lent[granule].set(((number + 1) << STEP_BITS, reader));
    }

    /// To wait for `rank` to reach a position that [`lent`](Self::lent) gave.
    pub fn reached(&self, rank: usize, position: u64) -> Watch {
        Watch {
            word: &self.member_slots[rank].position.0,
            least: position,
            owner: rank,
        }
    }

    /// To wait for `rank`'s step `step` of operation `number`.
    #[inline]
    pub fn stepped(&self, rank: usize, number: u64, step: u64) -> Watch {
        self.reached(rank, (number << STEP_BITS) + step)
    }

    /// This member has done step `step` of operation `number`. The others must be told.
    #[inline]
    pub fn step(&self, number: u64, step: u64) {
        debug_assert!(step < 1 << STEP_BITS);
        let position = &self.member_slots[self.me].position.0;
        position.store((number << STEP_BITS) + step, Ordering::Release);
    }

    /// This member has finished with the lanes that it reads in operation `number`. The others must be told.
    pub fn leave_lanes(&self, number: u64) {
        self.step(number + 1, 0);
    }

    /// Bytes of this member's lane from `start` on, to be written.
    #[inline]
    pub fn fill_lane(&self, start: usize, bytes: usize, fill: impl FnOnce(&mut [u8])) {
        let place = &self.member_memory[self.me].lane[start..start + bytes];
        // SAFETY: cells may be written to; only the owner writes here, and nobody reads it yet (`lent`, `stepped`).
        fill(unsafe { std::slice::from_raw_parts_mut(place.as_ptr().cast_mut().cast(), bytes) });
    }

    /// Bytes of `rank`'s lane, after waiting for the step that says that they are there.
    #[inline]
    pub fn lane(&self, rank: usize, start: usize, bytes: usize) -> &[u8] {
        let place = &self.member_memory[rank].lane[start..start + bytes];
        // SAFETY: the step was waited for; the owner writes here again only after it has waited for
        // this member's next one.
        unsafe { std::slice::from_raw_parts(place.as_ptr().cast(), bytes) }
    }
}

//! Long contributions to a [`CollSegment`], which pass through the lane of their owner and are read by others.
//!
//! May assume that only the owner writes to a lane, and that a reader has waited for what it reads.

use super::collective::CollSegment;

impl CollSegment {
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

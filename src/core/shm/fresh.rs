//! Shared memory that nobody has written to yet. Its pages come when they are touched, one by one for some microseconds on either
//! side, or many at once for much less: so who writes has some more made beforehand, as many as there are already. It must not
//! know what is written there.

use crate::sync::PlainCell;
use crate::sys;

/// Most bytes that are made at a time.
const MOST: usize = 256 << 10;

/// Memory that is written from its end down for the first time.
pub(super) struct Fresh {
    /// Bytes below this have not been made.
    low: usize,
}

impl Fresh {
    /// All of some memory of so many bytes, of whole pages.
    pub fn new(bytes: usize) -> Fresh {
        Fresh { low: bytes }
    }

    /// `memory` is about to be written from `start` on, up to where it was written last.
    #[inline(always)]
    pub fn reach(&mut self, memory: &[PlainCell<u8>], start: usize) {
        if start < self.low {
            self.make(memory, start);
        }
    }

    #[cold]
    fn make(&mut self, memory: &[PlainCell<u8>], start: usize) {
        let made = memory.len() - self.low;
        let more = made.clamp(sys::PAGE, MOST);
        let from = self.low.saturating_sub(more).min(start) / sys::PAGE * sys::PAGE;
        sys::populate(memory[from..self.low].as_ptr().cast(), self.low - from);
        self.low = from;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// At most twice as much as is written, but for a page, in few calls.
    #[test]
    fn as_much_is_made_as_there_is() {
        let bytes = 8 * MOST;
        let layout = std::alloc::Layout::from_size_align(bytes, sys::PAGE).unwrap();
        // SAFETY: it has a size.
        let base = unsafe { std::alloc::alloc_zeroed(layout) };
        // SAFETY: just allocated, as long as is said.
        let memory = unsafe { std::slice::from_raw_parts(base.cast(), bytes) };
        let mut fresh = Fresh::new(bytes);
        let mut calls = 0;
        for written in (64..=bytes).step_by(64) {
            let before = fresh.low;
            fresh.reach(memory, bytes - written);
            calls += u32::from(fresh.low != before);
            let made = bytes - fresh.low;
            assert!(made >= written && made <= (2 * written).min(written + MOST) + sys::PAGE);
            assert!(fresh.low.is_multiple_of(sys::PAGE));
        }
        assert_eq!(fresh.low, 0);
        assert!(calls < 20, "{calls} calls");
        // SAFETY: allocated with that layout.
        unsafe { std::alloc::dealloc(base, layout) };
    }
}

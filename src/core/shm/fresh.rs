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
        let from = self.low.saturating_sub(more).min(start);
        let place = memory[from..self.low].as_ptr();
        // The whole page, some of which may be something else's.
        let before = place.addr() % sys::PAGE;
        sys::populate(
            place.wrapping_byte_sub(before).cast(),
            self.low - from + before,
        );
        self.low = from.saturating_sub(before);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// At most twice as much as is written, but for a page, in few calls.
    #[test]
    fn as_much_is_made_as_there_is() {
        for into_page in [0, 256] {
            make(into_page);
        }
    }

    fn make(into_page: usize) {
        let bytes = 8 * MOST;
        let layout = std::alloc::Layout::from_size_align(bytes + sys::PAGE, sys::PAGE).unwrap();
        // SAFETY: it has a size.
        let base = unsafe { std::alloc::alloc_zeroed(layout) };
        // SAFETY: just allocated, and longer than is said.
        let memory = unsafe { std::slice::from_raw_parts(base.add(into_page).cast(), bytes) };
        let mut fresh = Fresh::new(bytes);
        let mut calls = 0;
        for written in (64..=bytes).step_by(64) {
            let before = fresh.low;
            fresh.reach(memory, bytes - written);
            calls += u32::from(fresh.low != before);
            let made = bytes - fresh.low;
            let most = (2 * written).min(written + MOST) + sys::PAGE + into_page;
            assert!(made >= written && made <= most);
            assert!(fresh.low == 0 || (fresh.low + into_page).is_multiple_of(sys::PAGE));
        }
        assert_eq!(fresh.low, 0);
        assert!(calls < 20, "{calls} calls");
        // SAFETY: allocated with that layout.
        unsafe { std::alloc::dealloc(base, layout) };
    }
}

//! Shared memory that nobody has written to yet. The system makes pages one by one when they are touched, or many at
//! once for much less time. So who writes has some more made beforehand, as many as there are already. It must not
//! know what is written there.

use std::ops::Range;

use crate::sync::PlainCell;
use crate::sys;

/// Most bytes that are made at a time.
const MAX_STEP: usize = 256 << 10;

/// Memory that is written for the first time from one of its ends on.
pub(super) struct Prefault {
    /// Bytes that have not been made lie here.
    left: Range<usize>,
    upwards: bool,
}

impl Prefault {
    /// All of some memory of so many bytes, which is written from its end down.
    pub fn downwards(bytes: usize) -> Prefault {
        Prefault {
            left: 0..bytes,
            upwards: false,
        }
    }

    /// The same from its beginning up.
    pub fn upwards(bytes: usize) -> Prefault {
        Prefault {
            left: 0..bytes,
            upwards: true,
        }
    }

    /// These bytes of `memory` are about to be written, and all between them and that end have been, or are.
    #[inline(always)]
    pub fn reach(&mut self, memory: &[PlainCell<u8>], bytes: Range<usize>) {
        if bytes.start < self.left.end && bytes.end > self.left.start {
            self.make(memory, bytes);
        }
    }

    #[cold]
    fn make(&mut self, memory: &[PlainCell<u8>], bytes: Range<usize>) {
        let Range { start, end } = self.left;
        let made = memory.len() - (end - start);
        let more = made.clamp(sys::PAGE, MAX_STEP);
        let next = match self.upwards {
            true => start..(start + more).max(bytes.end).min(end),
            false => end.saturating_sub(more).min(bytes.start)..end,
        };
        let Range {
            start: first,
            end: last,
        } = make(&memory[next]);
        let base = memory.as_ptr().addr();
        match self.upwards {
            true => self.left.start = (last - base).min(end),
            false => self.left.end = first.saturating_sub(base),
        }
    }
}

/// Has the pages of some memory made, some of which may be something else's: from where to where.
pub(super) fn make(memory: &[PlainCell<u8>]) -> Range<usize> {
    let place = memory.as_ptr_range();
    let first = place.start.addr() / sys::PAGE * sys::PAGE;
    let last = place.end.addr().next_multiple_of(sys::PAGE);
    sys::populate(place.start.with_addr(first).cast(), last - first);
    first..last
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// At most twice as much as is written, but for a page, in few calls.
    #[test]
    fn as_much_is_made_as_there_is() {
        for into_page in [0, 256] {
            for upwards in [false, true] {
                make(into_page, upwards);
            }
        }
    }

    fn make(into_page: usize, upwards: bool) {
        let bytes = 8 * MAX_STEP;
        let layout = std::alloc::Layout::from_size_align(bytes + sys::PAGE, sys::PAGE).unwrap();
        // SAFETY: it has a size.
        let base = unsafe { std::alloc::alloc_zeroed(layout) };
        // SAFETY: just allocated, and longer than is said.
        let memory = unsafe { std::slice::from_raw_parts(base.add(into_page).cast(), bytes) };
        let mut prefault = match upwards {
            true => Prefault::upwards(bytes),
            false => Prefault::downwards(bytes),
        };
        let rounded = match upwards {
            true => (sys::PAGE - into_page) % sys::PAGE,
            false => into_page,
        };
        let mut calls = 0;
        for written in (64..=bytes).step_by(64) {
            let before = prefault.left.clone();
            prefault.reach(
                memory,
                match upwards {
                    true => written - 64..written,
                    false => bytes - written..bytes - written + 64,
                },
            );
            calls += u32::from(prefault.left != before);
            let made = bytes - prefault.left.len();
            let most = (2 * written).min(written + MAX_STEP) + sys::PAGE + rounded;
            assert!(made >= written && made <= most);
            let next = match upwards {
                true => prefault.left.start,
                false => prefault.left.end,
            };
            assert!(prefault.left.is_empty() || (next + into_page).is_multiple_of(sys::PAGE));
        }
        assert!(prefault.left.is_empty());
        assert!(calls < 20, "{calls} calls");
        // SAFETY: allocated with that layout.
        unsafe { std::alloc::dealloc(base, layout) };
    }
}

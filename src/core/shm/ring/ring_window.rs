//! Which part of a byte ring is used in turn, and where a body lies there.
//!
//! Memory that nobody has touched yet costs time for each page, on either side, and many programs send a few hundred messages in
//! all: so only a part of the ring is used at first. It grows when a window of it ends, if the producer says so with the body that
//! begins the next one: so both sides know of it where they come to it.

use super::{MIN_BYTES, padded};

/// What has passed since the part last grew must be so many times as long for it to grow again...
const TIMES: u64 = 16;
/// ... or so many times where the consumer was so far behind that a body found no room.
const BEHIND: u64 = 2;

/// One time round the part of a byte ring that is in use, as either side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RingWindow {
    /// Bytes of all that goes through the ring that came before it.
    start: u64,
    /// Bytes of the ring in use, from its beginning on.
    part: usize,
}

impl RingWindow {
    /// The first one of a ring of `capacity` bytes.
    pub fn first(capacity: usize) -> RingWindow {
        RingWindow {
            start: 0,
            part: capacity.min(MIN_BYTES),
        }
    }

    pub fn start(self) -> u64 {
        self.start
    }

    #[inline(always)]
    pub fn part(self) -> usize {
        self.part
    }

    /// The next one, which uses so many bytes of the ring.
    pub fn next(self, part: usize) -> RingWindow {
        RingWindow {
            start: self.start + self.part as u64,
            part,
        }
    }

    /// Whether a body of `len` bytes that follows `position` bytes of all that go through the ring comes to the next window.
    #[inline(always)]
    pub fn ends_within(self, position: u64, len: usize) -> bool {
        self.end(position, len) > self.part as u64
    }

    /// Bytes of the window up to such a body's end.
    #[inline(always)]
    fn end(self, position: u64, len: usize) -> u64 {
        (position + padded(len)).wrapping_sub(self.start)
    }

    /// Where such a body begins, and whose window this is. If it began in the window before: how many of its bytes
    /// come before the ring wraps around. Each body lies below the one before it: processors that read one fetch
    /// some kilobytes above it as well, which the producer would have to take back where the next one lay there.
    #[inline(always)]
    pub fn place(self, position: u64, len: usize) -> (usize, usize) {
        let end = self.end(position, len) as usize;
        (self.part - end, len.min(end))
    }
}

/// When the part of a ring grows, as its producer decides.
pub(super) struct Growth {
    /// Bytes of all that go through the ring when it last grew.
    grown: u64,
    /// A body has found no room since.
    behind: bool,
}

impl Growth {
    pub fn new() -> Growth {
        Growth {
            grown: 0,
            behind: false,
        }
    }

    /// A body finds no room.
    #[cold]
    pub fn fall_behind(&mut self) {
        self.behind = true;
    }

    /// Whether the part grows when this window of a ring of `capacity` bytes ends.
    pub fn is_due(&self, ring_window: RingWindow, capacity: usize) -> bool {
        let times = if self.behind { BEHIND } else { TIMES };
        let passed = ring_window.start + ring_window.part as u64 - self.grown;
        ring_window.part < capacity && passed >= times * ring_window.part as u64
    }

    /// It has grown with this window.
    pub fn note(&mut self, ring_window: RingWindow) {
        *self = Growth {
            grown: ring_window.start,
            behind: false,
        };
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Both sides' windows, and the parts that they use, while bodies of so many bytes pass.
    fn pass(lens: impl Iterator<Item = usize>, behind: bool, capacity: usize) -> Vec<usize> {
        let (mut ring_window, mut growth, mut position) =
            (RingWindow::first(capacity), Growth::new(), 0);
        let mut parts = vec![ring_window.part()];
        for len in lens {
            if behind {
                growth.fall_behind();
            }
            let before = ring_window;
            if ring_window.ends_within(position, len) {
                let grows = growth.is_due(ring_window, capacity);
                let part = ring_window.part() << u32::from(grows);
                ring_window = ring_window.next(part);
                if grows {
                    growth.note(ring_window);
                    parts.push(part);
                }
            }
            let (start, first) = ring_window.place(position, len);
            assert!(start + first <= ring_window.part() && len - first <= before.part());
            assert!(first == len || start + first == ring_window.part());
            position += padded(len);
        }
        parts
    }

    #[test]
    fn the_part_in_use_doubles_as_bytes_pass() {
        let lens = |bytes: usize| (0..bytes / 3500).map(|number| number * 37 % 7001);
        let (part, capacity) = (MIN_BYTES, 8 * MIN_BYTES);
        assert_eq!(pass(lens(15 * part), false, capacity), [part]);
        assert_eq!(pass(lens(18 * part), false, capacity), [part, 2 * part]);
        let all = [part, 2 * part, 4 * part, 8 * part];
        assert_eq!(pass(lens(200 * part), false, capacity), all);
        assert_eq!(pass(lens(4 * part), true, capacity), all[..2]);
        assert_eq!(pass(lens(20 * part), true, capacity), all);
        assert_eq!(pass(lens(100 * part), true, part), [part]);
    }
}

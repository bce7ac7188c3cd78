//! Where a member's contributions lie that are neither short nor long: which bytes of its slots.
//!
//! Who contributes says where, so it may use memory again as soon as all others have finished what lay there. Memory that nobody
//! has touched yet costs time for each page, on either side, and many programs call a collective a few hundred times in all: so
//! only a part of the slots is used in turn, which grows as more is contributed, and at once where the others are behind. What
//! has left the caches is faster to write again, which helps a program that contributes much.
//!
//! Knows which bytes of one member's slots are free. Must not know how others tell what they have finished, nor touch the bytes.

use std::cell::Cell;
use std::ops::Range;

use super::{REPORT_EVERY, SLOT};
use crate::tuning::Tuning;

/// Bytes that are given together; contributions begin with their multiples.
const GRANULE: usize = SLOT / 16;
/// Fewer granules are used as a whole: where ranks share cores, places that come again too soon cost time.
const FEW: usize = 256;

/// How the part in use grows.
struct Growth {
    /// Granules in use at first.
    first: usize,
    /// As many granules have been contributed since it last did.
    after: usize,
    /// By so many granules.
    by: usize,
    /// Not above so many at once, as the others are behind.
    at_once: usize,
}

impl Growth {
    /// As a row says in bytes.
    fn new(tuning: &Tuning) -> Growth {
        Growth {
            first: tuning.slots_first / GRANULE,
            after: tuning.slots_grow_after / GRANULE,
            by: tuning.slots_grow_by / GRANULE,
            at_once: tuning.slots_at_once / GRANULE,
        }
    }
}

/// The slots of one member.
pub(super) struct Slots {
    growth: Growth,
    /// For each granule, one more than the latest operation that had it.
    used: Box<[Cell<u64>]>,
    /// Granules in use.
    part: Cell<usize>,
    /// Those of them that may have to be made before they are written.
    prefault: Cell<usize>,
    /// Granules that have been passed over since the part last grew.
    passed: Cell<usize>,
    /// The next contribution lies below this granule.
    next: Cell<usize>,
    /// The latest operation that has got a place, and its first granule.
    found: Cell<(u64, usize)>,
}

impl Slots {
    /// With fewer bytes there might be no place whose operation the others can tell the end of before the next one.
    pub const LEAST: usize = 2 * REPORT_EVERY as usize * SLOT;

    /// In so many bytes: [`LEAST`](Self::LEAST) or more.
    pub fn new(bytes: usize, tuning: &Tuning) -> Slots {
        debug_assert!(bytes >= Self::LEAST);
        let granules = bytes / GRANULE;
        let growth = Growth::new(tuning);
        let part = match granules <= FEW {
            true => granules,
            false => growth.first,
        };
        Slots {
            growth,
            used: vec![Cell::new(0); granules].into(),
            part: Cell::new(part),
            prefault: Cell::new(part),
            passed: Cell::new(0),
            next: Cell::new(part),
            found: Cell::new((0, 0)),
        }
    }

    /// Where the contribution to operation `number` lies, which has got a place: its first byte.
    #[inline]
    pub fn start(&self, number: u64) -> usize {
        let (found, first) = self.found.get();
        assert!(found == number, "a contribution without a place");
        first * GRANULE
    }

    /// Bytes that come into use, the first time that it is asked.
    #[inline]
    pub fn prefault(&self) -> Option<Range<usize>> {
        let granules = self.prefault.replace(0);
        let end = self.part.get();
        (granules > 0).then(|| (end - granules) * GRANULE..end * GRANULE)
    }

    /// Finds a place for `length` bytes in operation `number`, where all others have finished the operations below `settled`, and
    /// says whether there was one.
    #[inline]
    pub fn find(&self, number: u64, length: usize, settled: u64) -> bool {
        if self.found.get().0 == number {
            return true;
        }
        let granules = length.div_ceil(GRANULE);
        if self.next.get() < granules {
            self.come_round();
        }
        self.take(number, self.next.get() - granules, granules, settled)
    }

    /// The same where the others are behind: in memory that has not been used, while there is some. Otherwise says what they must
    /// have finished.
    #[cold]
    pub fn find_more(&self, number: u64, length: usize, settled: u64) -> Option<u64> {
        let granules = length.div_ceil(GRANULE);
        let part = self.part.get();
        if self.used.len() - part >= granules && part < self.growth.at_once {
            self.grow(part);
            self.next.set(self.part.get());
            if self.take(number, self.part.get() - granules, granules, settled) {
                return None;
            }
        }
        // The others tell of no more than they can finish before this operation. What fewer than `REPORT_EVERY` operations have had, which
        // are later than that, leaves a place somewhere.
        let told = number / REPORT_EVERY * REPORT_EVERY;
        let mut end = self.next.get();
        loop {
            if end < granules {
                end = self.part.get();
            }
            let due = self
                .due(end - granules, granules)
                .next_multiple_of(REPORT_EVERY);
            if due <= told {
                self.next.set(end);
                return Some(due);
            }
            end -= 1;
        }
    }

    /// The next contribution lies at the top of the part in use.
    #[cold]
    fn come_round(&self) {
        let part = self.part.get();
        self.passed.set(self.passed.get() + part);
        if self.passed.get() >= self.growth.after {
            self.grow(self.growth.by);
        }
        self.next.set(self.part.get());
    }

    /// So many more granules are in use, if there are as many.
    fn grow(&self, granules: usize) {
        let part = self.part.get();
        let more = granules.min(self.used.len() - part);
        self.part.set(part + more);
        self.prefault.set(self.prefault.get() + more);
        self.passed.set(0);
    }

    /// What the others must have finished before these granules are free.
    #[inline]
    fn due(&self, first: usize, granules: usize) -> u64 {
        let used = self.used[first..first + granules].iter();
        used.map(Cell::get).max().unwrap_or(0)
    }

    /// Takes these granules for operation `number`, if they are free.
    #[inline]
    fn take(&self, number: u64, first: usize, granules: usize, settled: u64) -> bool {
        if self.due(first, granules) > settled {
            return false;
        }
        for used in &self.used[first..first + granules] {
            used.set(number + 1);
        }
        self.next.set(first);
        self.found.set((number, first));
        true
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::tuning::SMALL;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the lengths are and whenever the others tell what they have finished: there is a place, or one to wait for
        /// that they come to, and nothing is given that they may still read.
        #[test]
        fn there_is_always_a_place_or_one_to_wait_for(
            steps in prop::collection::vec((1..=SLOT, 1..4u64, any::<bool>()), 1..600),
            least in any::<bool>(),
            row in prop::sample::select(&SMALL[..]),
        ) {
            let slots = Slots::new(if least { Slots::LEAST } else { 4 * Slots::LEAST }, &row);
            // What they have finished, and each operation's bytes.
            let (mut settled, mut number) = (0, 0);
            let mut given: Vec<(u64, Range<usize>)> = Vec::new();
            for (length, ahead, tells) in steps {
                number += ahead;
                if tells {
                    settled = settled.max(number / REPORT_EVERY * REPORT_EVERY);
                }
                let mut waits = 0;
                while !slots.find(number, length, settled) {
                    let Some(due) = slots.find_more(number, length, settled) else {
                        break;
                    };
                    prop_assert!(due > settled && due <= number && due.is_multiple_of(REPORT_EVERY));
                    settled = due;
                    waits += 1;
                }
                prop_assert!(waits <= 1);
                let start = slots.start(number);
                let bytes = start..start + length;
                prop_assert!(bytes.end <= slots.used.len() * GRANULE);
                given.retain(|(operation, _)| *operation >= settled);
                for (operation, others) in &given {
                    let apart = bytes.end <= others.start || others.end <= bytes.start;
                    prop_assert!(apart, "{number} over {operation}");
                }
                given.push((number, bytes));
            }
        }
    }

    /// Whatever row holds, what comes into use is said once, and all of it comes: some at once where the others are behind.
    #[test]
    fn the_part_in_use_grows_to_all() {
        for row in &SMALL {
            let slots = Slots::new(4 * Slots::LEAST, row);
            let first = row.slots_first;
            assert_eq!(slots.prefault(), Some(0..first));
            assert_eq!(slots.prefault(), None);
            // Each one is found by itself, or in memory that comes into use for it.
            let (mut end, mut number, settled) = (first, 100, 100);
            while end < row.slots_at_once.min(4 * Slots::LEAST) {
                number += 1;
                let found = slots.find(number, SLOT, settled);
                assert!(found || slots.find_more(number, SLOT, settled).is_none());
                if let Some(more) = slots.prefault() {
                    assert_eq!(more.start, end, "{}", row.name);
                    end = more.end;
                }
            }
            let rounds = 4 * Slots::LEAST / row.slots_grow_by + 2;
            for _ in 0..rounds * (row.slots_grow_after / SLOT + 2 * LEAST_SLOTS) {
                number += 1;
                assert!(slots.find(number, SLOT, number));
                if let Some(more) = slots.prefault() {
                    assert_eq!(more.start, end, "{}", row.name);
                    end = more.end;
                }
            }
            assert_eq!(end, 4 * Slots::LEAST, "{}", row.name);
        }
    }

    /// Contributions of the longest kind that fill all slots.
    const LEAST_SLOTS: usize = 4 * Slots::LEAST / SLOT;
}

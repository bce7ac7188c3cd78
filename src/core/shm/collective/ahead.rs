//! Short contributions of a member that runs ahead of a far one: lines that are stored [past the caches](crate::shm::past).
//!
//! That is for who has waited for nobody in the operations before, of two of which the other one is far.

use std::cell::Cell;

use super::giving::Fill;
use super::{Area, HALF, Line};
use crate::datatype::Stores;
use crate::shm::past::{SUM, WORDS, all_come, store, suits};
use crate::shm::stores::Rule;
use crate::sync::Ordering;

/// Words of a line before the contribution: the number and the length.
const BEFORE: usize = 2;
/// Bytes of the longest contribution that lies between them and the sum.
const MOST: usize = (SUM - BEFORE) * size_of::<u64>();

/// Of a line's number: it has been stored past the caches.
const PAST: u64 = 1;

/// What says, in a line, that its contents belong to an operation.
#[inline(always)]
pub(super) fn say(number: u64) -> u64 {
    number << 1
}

/// Whether a member runs ahead.
pub(super) struct Ahead {
    rule: Rule,
    /// The latest operation in which this member has waited for what others contribute.
    heard: Cell<u64>,
    /// Its next contributions go past the caches.
    past: Cell<bool>,
}

impl Ahead {
    pub fn new(rule: Rule) -> Ahead {
        Ahead {
            rule,
            heard: Cell::new(0),
            past: Cell::new(false),
        }
    }

    /// Operation `number` waits for what another member contributes.
    #[inline(always)]
    pub fn hears(&self, number: u64) {
        self.heard.set(number);
    }

    /// Whether a contribution of so many bytes, of which nothing is said but that, goes past the caches.
    #[inline(always)]
    pub fn is_past(&self, length: u64) -> bool {
        self.past.get() && length <= MOST as u64
    }
}

impl Area {
    /// This member sends `rank` a message in operation `number`: whether it has done so before since it last waited for what others
    /// contribute, and so runs ahead of that one.
    pub fn sends_ahead_of(&self, rank: usize, number: u64) -> bool {
        self.sent[rank].replace(number) > self.ahead.heard.get()
    }

    /// All operations below `number` are over, [`HALF`] more than when this was called last: whether the next contributions go past the
    /// caches. Both of two members ask for their distance here.
    #[inline]
    pub(super) fn look_ahead(&self, number: u64) {
        let suits = suits(self.ahead.rule, || self.distance(0));
        let ahead = number > self.ahead.heard.get() + HALF;
        self.ahead.past.set(suits && ahead);
    }
}

impl Line {
    /// Contributes `length` bytes to operation `number`, for the owner.
    #[inline(never)]
    pub(super) fn write_past(&self, number: u64, length: u64, fill: impl Fill) {
        let mut bytes = [0; MOST];
        fill.fill(&mut bytes[..length as usize], Stores::Temporal);
        let mut words = [0; WORDS];
        words[0] = say(number) | PAST;
        words[1] = length;
        for (word, bytes) in words[BEFORE..SUM].iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
        // SAFETY: only the owner writes here, and all members have finished with what was here before (`due`); the number says how
        // it is read.
        unsafe { store(self, words) };
    }

    /// Whether the contents belong to operation `number`, and can be read then.
    #[inline(always)]
    pub(super) fn is_of(&self, number: u64) -> bool {
        let said = self.number.load(Ordering::Acquire);
        // SAFETY: its number says that it has been stored so.
        said == say(number) || said == say(number) | PAST && unsafe { all_come(self) }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::time::Duration;

    use super::super::POCKET;
    use super::super::tests::join;
    use super::super::tests::node;
    use super::*;
    use crate::shm::distance::TAKES;
    use crate::shm::past;

    /// An operation in which the first member contributes bytes that the other one reads, and maybe the other way round; whether
    /// the first one's went past the caches.
    fn operation(areas: &[Area], length: u64, both: bool) -> bool {
        let number = areas[0].begin();
        assert_eq!(areas[1].begin(), number);
        let content = |member: u64| vec![(member + number) as u8; length as usize];
        for (member, area) in areas.iter().enumerate().take(if both { 2 } else { 1 }) {
            assert!(area.is_free(number, length));
            area.write(number, length, |place, _| {
                place.copy_from_slice(&content(member as u64));
            });
        }
        let said = areas[0].line(0, number).number.load(Ordering::Relaxed);
        for (member, area) in areas.iter().enumerate().skip(if both { 0 } else { 1 }) {
            assert!(area.contributed(1 - member, number).ready());
            let expected = content(1 - member as u64);
            assert_eq!(
                area.contribution(1 - member, number),
                (length, &expected[..])
            );
        }
        for area in areas {
            area.end(number, both);
        }
        said & PAST != 0
    }

    /// Of two that are far, who has waited for nobody for some operations stores what is short past the caches; whatever it is, the
    /// other one reads it.
    #[test]
    fn who_runs_ahead_of_a_far_one_writes_past_the_caches() {
        if !past::is_known() {
            return;
        }
        let areas = &join(&node(2)).unwrap()[..];
        let past = |takes, operations: u64, lengths: std::ops::Range<u64>, both| {
            TAKES.set(Duration::from_nanos(takes));
            let length = |k| lengths.start + k % (lengths.end - lengths.start);
            // As many as it takes to be sure of the distance.
            (0..4000).for_each(|k| _ = operation(areas, length(k), both));
            let all = (0..operations).filter(|&k| operation(areas, length(k), both));
            all.count() as u64
        };
        let most = MOST as u64;
        assert_eq!(past(170, 500, 0..most + 1, false), 500);
        assert_eq!(
            past(170, 500, most + 1..POCKET as u64 + 1, false),
            0,
            "long"
        );
        assert_eq!(past(170, 500, 0..most + 1, true), 0, "it waits");
        assert_eq!(past(20, 500, 0..most + 1, false), 0, "near");
        assert_eq!(past(170, 500, 8..9, false), 500);
        // The first one that waits is followed by few.
        let after: Vec<bool> = (0..2 * HALF).map(|_| operation(areas, 8, true)).collect();
        assert_eq!(after[HALF as usize..], [false; HALF as usize]);
    }
}

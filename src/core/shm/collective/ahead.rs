//! Short contributions of a member that runs ahead of a far one: words that are stored past the caches.
//!
//! A processor ends its stores in their order, and one to a line that a far processor has read ends when that line has come back:
//! so a stream of lines takes almost as long for each as a line takes. What is stored past the caches waits for nothing (figures:
//! ARCHITECTURE.md). But others may see some of the words of a line before the rest: so one of them is a sum of all, and who sees
//! the number waits until they agree. A line by itself takes longer so, above all to a near processor. So that is for who has
//! waited for nobody in the operations before, of two of which the other one is far.

use std::cell::Cell;

use super::giving::Fill;
use super::{Area, HALF, Line};
use crate::datatype::Stores;
use crate::datatype::block::{prefetch, store_past_caches};
use crate::shm::distance::Distance;
use crate::shm::stores::Rule;
use crate::shm::sweep;
use crate::sync::{Ordering, fence};

/// Words of a line.
const WORDS: usize = 8;
/// Words of it before the contribution, the number and the length, and after it, the sum.
const BEFORE: usize = 2;
const SUM: usize = WORDS - 1;
/// Bytes of the longest contribution that lies between them.
const MOST: usize = (SUM - BEFORE) * size_of::<u64>();
/// So many operations ahead a reader asks for a line (256 ns, exscan of 8 bytes: not at all 0.065 us, 2 to 16 0.045 to 0.050, 32 0.064).
const READ_AHEAD: usize = 8;

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
        let known = Stores::NonTemporal.are_known();
        Ahead {
            rule: if known {
                rule
            } else {
                Rule::Always(Stores::Temporal)
            },
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
    /// All operations below `number` are over, [`HALF`] more than when this was called last: whether the next contributions go past the
    /// caches. Both of two members ask for their distance here.
    #[inline]
    pub(super) fn look_ahead(&self, number: u64) {
        let far = match self.ahead.rule {
            Rule::Always(stores) => stores == Stores::NonTemporal,
            Rule::Fastest => self.distance(0) == Distance::Far,
        };
        self.ahead
            .past
            .set(far && number > self.ahead.heard.get() + HALF);
    }
}

/// An odd multiple of each word, so that no few words are changed and the sum is not.
#[inline]
fn sum(words: &[u64; WORDS]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut sum = 0_u64;
    let mut factor = ODD;
    for word in &words[..SUM] {
        sum = sum.wrapping_add(word.wrapping_mul(factor));
        factor = factor.rotate_left(9) | 1;
    }
    sum
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
        words[SUM] = sum(&words);
        // SAFETY: a line begins with a cache line of words in cells. Only the owner writes here, and all members have finished with what was here
        // before (`due`); nobody reads what they mean before they agree.
        unsafe { store_past_caches(std::ptr::from_ref(self).cast_mut().cast(), words) };
    }

    /// Whether the contents belong to operation `number`, and can be read then.
    #[inline(always)]
    pub(super) fn is_of(&self, number: u64) -> bool {
        let said = self.number.load(Ordering::Acquire);
        said == say(number) || said == say(number) | PAST && self.all_come()
    }

    /// Waits for the other words, which take no longer than any line, and asks for the line of an operation to come.
    #[inline(never)]
    fn all_come(&self) -> bool {
        let words = std::ptr::from_ref(self).cast::<u64>();
        prefetch(std::ptr::from_ref(self).wrapping_add(READ_AHEAD).cast());
        // SAFETY: as in `write_past`; the owner may be storing them.
        let word = |index| unsafe { words.add(index).read_volatile() };
        loop {
            let words = std::array::from_fn(word);
            if words[SUM] == sum(&words) {
                break;
            }
            sweep::spin();
        }
        // What is read now was stored before.
        fence(Ordering::Acquire);
        true
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::super::tests::join;
    use super::super::tests::node;
    use super::super::{POCKET, Seat};
    use super::*;
    use crate::shm::distance::TAKES;

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
        if !Stores::NonTemporal.are_known() {
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

    /// A line some of whose words have come is not read before the others have.
    #[test]
    fn who_sees_the_number_waits_for_all_words() {
        if !Stores::NonTemporal.are_known() {
            return;
        }
        let seat: &'static Seat = Box::leak(Box::new(Seat::fresh()));
        let (line, whole) = (&seat.lines[5], &seat.lines[6]);
        let fill = |place: &mut [u8], _: Stores| place.fill(7);
        whole.write_past(5, MOST as u64, super::super::By(fill));
        let word = |line: &Line, index| {
            std::ptr::from_ref(line)
                .cast::<u64>()
                .cast_mut()
                .wrapping_add(index)
                .addr()
        };
        let words: [u64; WORDS] = std::array::from_fn(|index| {
            // SAFETY: a word of the line, which this thread has written.
            unsafe { std::ptr::with_exposed_provenance::<u64>(word(whole, index)).read_volatile() }
        });
        assert!(whole.is_of(5) && !whole.is_of(6) && !line.is_of(5));
        let places = [0, 7, 3, 2, 4, 6, 1, 5].map(|index| (index, word(line, index)));
        let writer = thread::spawn(move || {
            for (index, place) in places {
                thread::sleep(Duration::from_millis(3));
                // SAFETY: a word of a line that lives on, which nobody else writes.
                unsafe {
                    std::ptr::with_exposed_provenance_mut::<u64>(place)
                        .write_volatile(words[index]);
                }
            }
        });
        while line.number.load(Ordering::Acquire) < say(5) {
            thread::yield_now();
        }
        assert!(line.is_of(5));
        line.contents.with(|contents| {
            // SAFETY: the number says that they are there.
            let contents = unsafe { &*contents };
            assert_eq!(contents.length, MOST as u64);
            assert_eq!(contents.inline[..MOST], [7; MOST]);
        });
        writer.join().unwrap();
    }
}

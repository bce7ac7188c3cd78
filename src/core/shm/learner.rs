//! What the two members of an area learn about blocks that could be copied where they lie: each way gets a few real
//! operations of each collective, as long messages do ([`trials`](super::trials)).
//!
//! Whoever takes a block takes the time: from when both members had begun, which who gives it says in its seat, to
//! when it has the block. So a member that came late is no slow copy. Where both take one, who has it last takes the time: who has
//! it first goes on, and is early the next time (allgather of 32 KiB through shared memory, every 3.6 us: the first 2.4, the last
//! 3.3). It must not know how blocks are copied.

use std::cell::RefCell;

use super::Segment;
use super::collective::Area;
use super::distance::Distance;
use super::trials::{AllSeen, Direct, Learning, Situation, Trials, class_of};
use crate::sync::{AtomicU64, Ordering};
use crate::sys;

/// Operations whose moments a seat holds: who gives a block that waits in shared memory is ahead of who takes it.
const HELD: usize = 8;
/// Bits of a word that hold nanoseconds: three days. The rest says which operation.
const NANOSECONDS: u32 = 48;

/// When a member was somewhere in the latest operations that it times.
#[repr(C, align(64))]
pub(super) struct Moments([AtomicU64; HELD]);

impl Moments {
    #[cfg(test)]
    pub(super) fn new() -> Moments {
        Moments(std::array::from_fn(|_| AtomicU64::new(0)))
    }

    pub(super) fn reset(&self) {
        for word in &self.0 {
            word.store(0, Ordering::Relaxed);
        }
    }

    fn word(&self, number: u64) -> &AtomicU64 {
        &self.0[number as usize % HELD]
    }

    fn put(&self, number: u64, nanoseconds: u64) {
        let word = (number << NANOSECONDS) | (nanoseconds % (1 << NANOSECONDS));
        self.word(number).store(word, Ordering::Relaxed);
    }

    /// Nanoseconds from there to `now`, if that operation was timed.
    fn since(&self, number: u64, now: u64) -> Option<u64> {
        let passed = |word: u64| now.wrapping_sub(word) % (1 << NANOSECONDS);
        let word = self.word(number).load(Ordering::Relaxed);
        (word >> NANOSECONDS == number % (1 << (64 - NANOSECONDS))).then_some(passed(word))
    }
}

/// What one member needs for that.
pub(super) struct Learner {
    /// For each distance.
    trials: [&'static Trials; Distance::ALL.len()],
    learning: Learning,
    seen: RefCell<AllSeen>,
}

impl Learner {
    /// Of a process whose area has one other member.
    pub(super) fn new(segment: &Segment, learning: Learning) -> Learner {
        Learner {
            trials: Distance::ALL.map(|distance| learning.trials(segment, distance)),
            learning,
            seen: RefCell::default(),
        }
    }
}

#[cfg(test)]
impl Learner {
    /// It knows that nothing is best copied where it lies.
    pub(super) fn streaming() -> Learner {
        use super::trials::{CLASSES, Measure, Times};
        thread_local! {
            static KNOWN: &'static Trials = {
                let trials: &Trials = Box::leak(Box::new(Trials::new()));
                for class in 0..CLASSES {
                    for situation in Situation::ALL {
                        trials.learn(class, situation, Times([2, 1, 0]));
                    }
                }
                trials
            };
        }
        Learner {
            trials: [KNOWN.with(|known| *known); Distance::ALL.len()],
            learning: Learning {
                measure: Measure::Yes,
                ..Learning::NONE
            },
            seen: RefCell::default(),
        }
    }

    /// What is known of members that are near.
    pub(super) fn trials(&self) -> &'static Trials {
        self.trials[Distance::Near as usize]
    }
}

/// How the blocks of an operation are copied.
#[derive(Clone, Copy)]
pub struct Trial {
    direct: Direct,
    timed: Option<Timed>,
}

#[derive(Clone, Copy)]
struct Timed {
    distance: Distance,
    situation: Situation,
    bytes: u64,
    begun: u64,
    /// The other member had contributed before that.
    waits_here: bool,
    switches: u64,
}

impl Trial {
    /// There is no choice.
    pub const NONE: Trial = Trial {
        direct: Direct::Reads,
        timed: None,
    };

    /// There is none either: nothing is copied where it lies.
    pub const SHARED: Trial = Trial {
        direct: Direct::Never,
        timed: None,
    };

    #[inline]
    pub fn is_timed(self) -> bool {
        self.timed.is_some()
    }

    /// Whether blocks are copied where they lie.
    #[inline]
    pub fn offers(self) -> bool {
        self.direct != Direct::Never
    }
}

impl Area {
    /// Whether there is a choice.
    #[inline]
    pub fn learns(&self) -> bool {
        self.learner.is_some() || self.rehearses.is_some()
    }

    /// How blocks of at most `bytes` bytes are copied in operation `number`, as far as there is a choice. Asked before this
    /// member contributes to it.
    pub fn begin_trial(&self, number: u64, situation: Situation, bytes: u64) -> Trial {
        let Some(learner) = &self.learner else {
            let twice = |segment: &Segment| segment.copies_twice();
            return match self.rehearses.as_ref().is_some_and(twice) {
                true => Trial::SHARED,
                false => Trial::NONE,
            };
        };
        let distance = self.distance(bytes);
        let class = class_of(bytes);
        let seen = &mut learner.seen.borrow_mut()[distance as usize][class][situation as usize];
        let (direct, timed) = learner.trials[distance as usize].next(class, situation, seen);
        let timed = timed.then(|| {
            let switches = (learner.learning.switches)();
            let nanoseconds = sys::nanoseconds();
            // The contribution makes it visible.
            self.seats[self.me].begun.put(number, nanoseconds);
            Timed {
                distance,
                situation,
                bytes,
                begun: nanoseconds,
                waits_here: self.has_come(1 - self.me, number),
                switches,
            }
        });
        Trial { direct, timed }
    }

    /// This member has the block that `rank` has contributed to operation `number`, which that `offered` or not: who gave it may have
    /// begun before the way changed.
    pub fn end_trial(&self, trial: Trial, offered: bool, rank: usize, number: u64) {
        let (Some(learner), Some(timed)) = (&self.learner, trial.timed) else {
            return;
        };
        if offered != trial.offers() {
            return;
        }
        let now = sys::nanoseconds();
        if timed.situation.is_mutual() {
            self.seats[self.me].ended.put(number, now);
            if self.seats[rank].ended.since(number, now).is_none() {
                return;
            }
        }
        // Somebody else may have had the processor, or the other one did not time this one.
        let disturbed = (learner.learning.switches)() != timed.switches;
        // One that is far ahead times other operations, and what it gave waited.
        let theirs = match timed.waits_here {
            true => Some(u64::MAX),
            false => self.seats[rank].begun.since(number, now),
        };
        if let Some(theirs) = theirs.filter(|_| !disturbed) {
            let nanoseconds = theirs.min(now - timed.begun);
            let seen = &mut learner.seen.borrow_mut()[timed.distance as usize];
            seen[class_of(timed.bytes)][timed.situation as usize].record(timed.bytes, nanoseconds);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn moments_are_known_by_their_numbers() {
        let moments = Moments::new();
        let now = (1 << NANOSECONDS) + 5;
        moments.put(3, now - 7);
        assert_eq!(
            moments.since(3, now),
            Some(7),
            "the clock's upper bits go unsaid"
        );
        for other in [2, 3 + HELD as u64, 4] {
            assert_eq!(moments.since(other, now), None);
        }
        moments.put(3 + HELD as u64, now);
        assert_eq!(moments.since(3, now), None, "another one since");
        moments.reset();
        assert_eq!(moments.since(3 + HELD as u64, now), None);
    }
}

//! How far another process is: its processor may lie on the same caches as this one or not, and machines that are rented move both
//! about. What is fastest for the one is not for the other.
//!
//! Each two processes have a line in the segment that both write in turn: who finds that the other one has written it has seen how
//! long it took to come. What both have seen lies there, and what follows from it, as an exchange is slow whose two sides are not
//! of one opinion. It must not know what follows from that.

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use super::Segment;
use super::shuttle::Half;
use crate::sync::{AtomicU32, Ordering};

/// Whether two processors have a cache in common, as far as can be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distance {
    #[default]
    Near,
    Far,
}

impl Distance {
    pub const ALL: [Distance; 2] = [Distance::Near, Distance::Far];
}

/// Of so many messages one is measured by, once the distance is known, ...
const EVERY: u32 = 32;
/// ... where one so long counts twice, as processors may move while it is on its way.
const LONG: u64 = 128 << 10;
/// What a line of a processor that is far takes at least: EPYC of the fourth generation 100 to 190 ns and where it is near 10 to 40,
/// of the fifth 80 to 140 and 10 to 40.
const FAR: Duration = Duration::from_nanos(75);
/// Measurements that are kept. A line that long messages have driven from the caches takes as long as one that is far (4 MiB each way,
/// near: four of ten), and of those that are far one of three to eight takes no time at all, for a reason that is not known.
const KEPT: u32 = u16::BITS;
/// Who is near becomes far when so many took long, ...
const MOST: u32 = KEPT - 3;
/// ... and near again when no more than so many did.
const FEW: u32 = KEPT / 4;

/// What two processes know of their distance. A line of its own, and the one that processors fetch with it.
#[repr(C, align(128))]
pub struct Milestone(AtomicU32);

/// What it says. All-zero bits: nobody has written it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Word {
    distance: Distance,
    /// Who wrote it.
    by: Option<Half>,
    /// A bit for each measurement that is kept, if the line took long.
    slow: u16,
}

impl Word {
    fn of(word: u32) -> Word {
        Word {
            distance: match word >> 16 & 1 {
                0 => Distance::Near,
                _ => Distance::Far,
            },
            by: match word >> 17 & 3 {
                1 => Some(Half::First),
                2 => Some(Half::Second),
                _ => None,
            },
            slow: word as u16,
        }
    }

    fn word(self) -> u32 {
        let by = self.by.map_or(0, |half| 1 + half as u32);
        u32::from(self.slow) | (self.distance as u32) << 16 | by << 17
    }

    /// The line took so long.
    fn note(&mut self, took: Duration) {
        self.slow = self.slow << 1 | u16::from(took >= FAR);
        match self.slow.count_ones() {
            MOST.. => self.distance = Distance::Far,
            ..=FEW => self.distance = Distance::Near,
            _ => (),
        }
    }
}

impl Milestone {
    /// One that nobody has written yet.
    #[cfg(any(test, loom))]
    pub(super) fn new() -> Milestone {
        Milestone(AtomicU32::new(0))
    }

    /// What has been written last, and how long that took to come, without what the clock takes. A second look instead would
    /// often find it written again, as both processes look at the same time.
    fn look(&self) -> (Word, Duration) {
        let begun = Instant::now();
        let word = black_box(self.0.load(Ordering::Relaxed));
        let came = Instant::now();
        let clock = came.elapsed();
        let took = (came - begun).saturating_sub(clock);
        // Tests are alike on all machines.
        #[cfg(test)]
        let took = took.min(Duration::ZERO) + TAKES.get();
        (Word::of(word), took)
    }

    /// Looks whether the other process has written it, and if so answers; how far that is. Of two that write at once one goes
    /// unheard, which is one measurement less.
    fn measure(&self, me: Half) -> Distance {
        let (mut word, took) = self.look();
        if word.by != Some(me) {
            if word.by.is_some() {
                word.note(took);
            }
            word.by = Some(me);
            self.0.store(word.word(), Ordering::Relaxed);
        }
        word.distance
    }
}

#[cfg(test)]
thread_local! {
    /// What lines take in this thread's tests.
    pub static TAKES: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// How far this process and one other are from each other.
pub struct Between {
    /// None before the two have met.
    milestone: Option<&'static Milestone>,
    /// Which of the two this process is.
    me: Half,
    distance: Cell<Distance>,
    /// What messages may count until the next measurement.
    left: Cell<u32>,
    /// Measurements so far, up to where they are as rare as they get.
    tried: Cell<u32>,
}

impl Between {
    /// This process and process `other` of its node, which have [met](Segment::meet).
    pub fn new(segment: &Segment, other: usize) -> Between {
        let milestone = segment.milestone(other);
        Between::at(Some(milestone), Half::of(segment.me(), other))
    }

    /// This process and one that it has not met.
    pub fn stranger() -> Between {
        Between::at(None, Half::First)
    }

    fn at(milestone: Option<&'static Milestone>, me: Half) -> Between {
        Between {
            milestone,
            me,
            distance: Cell::default(),
            left: Cell::default(),
            tried: Cell::default(),
        }
    }

    /// How far the other one is. Asked for by both, with each message or operation of some kind, of so many bytes.
    #[inline]
    pub fn distance(&self, bytes: u64) -> Distance {
        let counts = 1 + (bytes / LONG).min(u64::from(EVERY)) as u32;
        match self.left.get().checked_sub(counts) {
            None => self.measure(),
            Some(left) => self.left.set(left),
        }
        self.distance.get()
    }

    #[cold]
    fn measure(&self) {
        let Some(milestone) = self.milestone else {
            return;
        };
        let tried = self.tried.get();
        self.left.set((1 << tried).min(EVERY) - 1);
        self.tried.set((tried + 1).min(EVERY.ilog2()));
        self.distance.set(milestone.measure(self.me));
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// The two processes of a new milestone.
    fn pair() -> [Between; 2] {
        let milestone = Box::leak(Box::new(Milestone::new()));
        [Half::First, Half::Second].map(|me| Between::at(Some(milestone), me))
    }

    #[test]
    fn processes_are_far_when_nearly_all_lines_take_long() {
        use Distance::{Far, Near};
        let mut word = Word::default();
        let mut after = |nanos: u64, lines: usize| {
            (0..lines).for_each(|_| word.note(Duration::from_nanos(nanos)));
            word.distance
        };
        assert_eq!([after(170, 12), after(75, 1)], [Near, Far]);
        assert_eq!([after(74, 11), after(9000, 19)], [Far; 2]);
        assert_eq!([after(20, 11), after(20, 1)], [Far, Near]);
        for _ in 0..100 {
            assert_eq!([after(170, 12), after(20, 4)], [Near; 2], "long messages");
        }
        assert_eq!(after(170, 16), Far);
        for _ in 0..100 {
            assert_eq!([after(0, 5), after(170, 5)], [Far; 2]);
        }
    }

    #[test]
    fn words_hold_what_they_say() {
        for distance in Distance::ALL {
            for by in [None, Some(Half::First), Some(Half::Second)] {
                for slow in [0, 1, 0x8001, u16::MAX] {
                    let word = Word { distance, by, slow };
                    assert_eq!(Word::of(word.word()), word);
                }
            }
        }
        assert_eq!(Word::of(0), Word::default());
    }

    /// Whoever sees it first, both know it as soon as they have measured again.
    #[test]
    fn both_processes_are_of_one_opinion() {
        let [one, other] = pair();
        let ask = |between: &Between| between.distance(u64::MAX);
        TAKES.set(FAR);
        // The first one to write has seen nothing yet.
        (0..MOST).for_each(|_| _ = (ask(&one), ask(&other)));
        assert_eq!([ask(&one), ask(&other)], [Distance::Far; 2]);
        // What a process has written itself is in its cache.
        TAKES.set(Duration::ZERO);
        (0..10 * KEPT).for_each(|_| _ = ask(&one));
        assert_eq!([ask(&one), ask(&other)], [Distance::Far; 2]);
        (0..KEPT).for_each(|_| _ = (ask(&one), ask(&other)));
        assert_eq!([ask(&one), ask(&other)], [Distance::Near; 2]);
    }

    #[test]
    fn measurements_become_rare() {
        let [own, _] = pair();
        let measured = |messages: u32, bytes: u64| {
            let renewed = (0..messages).filter(|_| {
                own.milestone.unwrap().0.store(0, Ordering::Relaxed);
                own.distance(bytes);
                own.milestone.unwrap().0.load(Ordering::Relaxed) != 0
            });
            renewed.count()
        };
        let first = [1, 1, 2, 4, 8, 16];
        assert_eq!(first.map(|messages| measured(messages, 0)), [1; 6]);
        assert_eq!(measured(100 * EVERY, LONG - 1), 100);
        assert_eq!(measured(16 * EVERY, 3 * LONG), 64);
        assert_eq!(measured(100, 4 << 20), 100);
        assert_eq!(measured(100, u64::MAX), 100);
    }
}

//! How far another process is: its processor may lie on the same caches as this one or not, and machines that are rented move both
//! about. What is fastest for the one is not for the other.
//!
//! Every process has a line in the segment that it writes whenever it looks at somebody else's, who takes the time that a line which
//! has been written since takes to come. It must not know what follows.

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use super::Segment;
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
/// near: four of ten), and of those that are far one of four to eight takes no time at all, for a reason that is not known.
const KEPT: u32 = 8;
/// Who is near becomes far when so many took long, ...
const MOST: u32 = KEPT - 1;
/// ... and near again when no more than so many did.
const FEW: u32 = 2;

/// What a process writes for others to look at. A line of its own, and the one that processors fetch with it.
#[repr(C, align(128))]
pub struct Milestone(AtomicU32);

impl Milestone {
    /// One that nobody has written yet.
    #[cfg(test)]
    pub(super) fn new() -> Milestone {
        Milestone(AtomicU32::new(0))
    }

    fn renew(&self) {
        // Alone in writing it, but for other threads, whose marks need not count.
        let mark = self.0.load(Ordering::Relaxed);
        self.0.store(mark.wrapping_add(1), Ordering::Relaxed);
    }

    /// What has been written last, and how long that took to come, without what the clock takes. A second look instead would
    /// often find it written again, as both processes look at the same time.
    fn look(&self) -> (u32, Duration) {
        let begun = Instant::now();
        let mark = black_box(self.0.load(Ordering::Relaxed));
        let came = Instant::now();
        let clock = came.elapsed();
        let took = (came - begun).saturating_sub(clock);
        // Tests are alike on all machines.
        #[cfg(test)]
        let took = took.min(Duration::ZERO) + TAKES.get();
        (mark, took)
    }
}

#[cfg(test)]
thread_local! {
    /// What lines take in this thread's tests.
    pub static TAKES: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// What a process knows of its distance from another one.
#[derive(Default)]
struct Gauge {
    distance: Cell<Distance>,
    /// What messages may count until the next measurement.
    left: Cell<u32>,
    /// Measurements so far, up to where they are as rare as they get.
    tried: Cell<u32>,
    mark: Cell<u32>,
    /// A bit for each measurement that is kept, if the line took long.
    slow: Cell<u8>,
}

impl Gauge {
    /// How far the owner of `theirs` is, with what has so many bytes; `own` is this process's.
    #[inline]
    fn distance(&self, own: &Milestone, theirs: &Milestone, bytes: u64) -> Distance {
        let counts = 1 + (bytes / LONG).min(u64::from(EVERY)) as u32;
        match self.left.get().checked_sub(counts) {
            None => self.measure(own, theirs),
            Some(left) => self.left.set(left),
        }
        self.distance.get()
    }

    #[cold]
    fn measure(&self, own: &Milestone, theirs: &Milestone) {
        let tried = self.tried.get();
        self.left.set((1 << tried).min(EVERY) - 1);
        self.tried.set((tried + 1).min(EVERY.ilog2()));
        own.renew();
        let (mark, took) = theirs.look();
        if self.mark.replace(mark) != mark {
            self.note(took);
        }
    }

    /// A line took so long.
    fn note(&self, took: Duration) {
        let slow = self.slow.get() << 1 | u8::from(took >= FAR);
        self.slow.set(slow);
        match slow.count_ones() {
            MOST.. => self.distance.set(Distance::Far),
            ..=FEW => self.distance.set(Distance::Near),
            _ => (),
        }
    }
}

/// How far this process and one other are from each other.
pub struct Between {
    gauge: Gauge,
    own: &'static Milestone,
    theirs: &'static Milestone,
}

impl Between {
    /// This process and process `other` of its node.
    pub fn new(segment: &Segment, other: usize) -> Between {
        Between {
            gauge: Gauge::default(),
            own: segment.milestone(segment.me()),
            theirs: segment.milestone(other),
        }
    }

    /// How far the other one is. Asked for by both, with each message or operation of some kind, of so many bytes.
    #[inline]
    pub fn distance(&self, bytes: u64) -> Distance {
        self.gauge.distance(self.own, self.theirs, bytes)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_far_when_nearly_all_lines_take_long() {
        use Distance::{Far, Near};
        let gauge = Gauge::default();
        let after = |nanos: u64, lines: usize| {
            (0..lines).for_each(|_| gauge.note(Duration::from_nanos(nanos)));
            gauge.distance.get()
        };
        assert_eq!([after(170, 6), after(75, 1)], [Near, Far]);
        assert_eq!([after(74, 5), after(9000, 9)], [Far; 2]);
        assert_eq!([after(20, 5), after(20, 1)], [Far, Near]);
        for _ in 0..100 {
            assert_eq!([after(170, 6), after(20, 2)], [Near; 2], "long messages");
        }
        assert_eq!(after(170, 8), Far);
        for _ in 0..100 {
            assert_eq!([after(0, 2), after(170, 2)], [Far; 2]);
        }
    }

    #[test]
    fn a_line_is_timed_once_each_time_it_is_written() {
        let [own, theirs] = [(); 2].map(|()| Milestone::new());
        let gauge = Gauge::default();
        for written in [false, true, true, false] {
            gauge.slow.set(1);
            gauge.left.set(0);
            if written {
                theirs.renew();
            }
            gauge.distance(&own, &theirs, 1);
            assert_eq!(gauge.slow.get() != 1, written);
        }
        assert_eq!(own.0.load(Ordering::Relaxed), 4, "for the other one");
    }

    #[test]
    fn measurements_become_rare() {
        let [own, theirs] = [(); 2].map(|()| Milestone::new());
        let gauge = Gauge::default();
        let measured = |messages: u32, bytes: u64| {
            let before = own.0.load(Ordering::Relaxed);
            (0..messages).for_each(|_| _ = gauge.distance(&own, &theirs, bytes));
            own.0.load(Ordering::Relaxed) - before
        };
        let first = [1, 1, 2, 4, 8, 16];
        assert_eq!(first.map(|messages| measured(messages, 0)), [1; 6]);
        assert_eq!(measured(100 * EVERY, LONG - 1), 100);
        assert_eq!(measured(16 * EVERY, 3 * LONG), 64);
        assert_eq!(measured(100, 4 << 20), 100);
        assert_eq!(measured(100, u64::MAX), 100);
    }
}

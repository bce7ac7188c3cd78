//! Which way of copying long messages is the fastest here, learned from the first of them.
//!
//! Which one wins depends on the processor, the kernel and what stands between them, and no copy within one
//! process tells what two processors that share lines do. So each way gets some real messages of each class
//! of sizes, in turn, and the fastest of each counts, because whatever disturbs a message only makes it
//! slower. The table lies in the segment: all processes of the job fill it and choose alike. It must not know
//! how a message is copied, nor where times are kept between jobs.

use super::Segment;
use crate::sync::{AtomicU32, Ordering};

/// How long messages may be copied where no heap is mapped, from the least that is allowed to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direct {
    /// Through the rings only.
    Never,
    /// By the receiver.
    Reads,
    /// By both sides.
    Both,
}

/// All ways, in the order of [`Times`].
pub const WAYS: [Direct; 3] = [Direct::Never, Direct::Reads, Direct::Both];

/// Sizes that are chosen for together.
pub const CLASSES: usize = 4;
/// The longest message of each class but the last.
pub const BOUNDS: [u64; CLASSES - 1] = [64 << 10, 256 << 10, 1 << 20];

/// The class of a message.
#[inline]
pub fn class_of(bytes: u64) -> usize {
    BOUNDS.iter().filter(|&&bound| bytes > bound).count()
}

/// Whether a message of that size stands for its class: short ones take longer for each byte.
pub fn is_typical(bytes: u64) -> bool {
    BOUNDS
        .get(class_of(bytes))
        .is_none_or(|&bound| bytes > bound / 2)
}

/// Messages that each way gets in a class.
const EACH: u32 = 8;
/// What times are given for, so that the messages of a class can be compared.
pub const UNIT: u64 = 64 << 10;

/// Nanoseconds for 64 KiB of the fastest message that was copied in each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times(pub [u32; WAYS.len()]);

/// What follows from times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// For a message whose sender and receiver have nothing else to copy.
    pub alone: Direct,
    /// For one of two messages in opposite directions, where both have.
    pub exchange: Direct,
}

impl Choice {
    /// What is done where nothing is known.
    pub const USUAL: Choice = Choice {
        alone: Direct::Both,
        exchange: Direct::Reads,
    };
}

impl Times {
    /// Another way than the usual one must be faster by a fifth: the usual one does not need the sender, who
    /// may have something better to do.
    pub fn choice(&self) -> Choice {
        let [ring, reads, both] = self.0.map(u64::from);
        let much = |less: u64, more: u64| less * 5 < more * 4;
        let alone = match () {
            _ if much(ring, both) && ring <= reads => Direct::Never,
            _ if much(reads, both) => Direct::Reads,
            _ => Direct::Both,
        };
        // Through the rings each of the two copies twice.
        let exchange = match much(2 * ring, reads) {
            true => Direct::Never,
            false => Direct::Reads,
        };
        Choice { alone, exchange }
    }
}

/// Nobody has looked yet for what is known from earlier jobs.
const UNASKED: u32 = 0;
const ASKED: u32 = 1;

/// The times so far. All-zero bytes are an empty table.
#[repr(C, align(64))]
pub struct Trials {
    asked: AtomicU32,
    /// 1: a class has become known in this job.
    news: AtomicU32,
    counts: [[AtomicU32; WAYS.len()]; CLASSES],
    /// 0: none.
    best: [[AtomicU32; WAYS.len()]; CLASSES],
}

impl Trials {
    /// Whether the caller is the first to ask, and is to fill in what is known already.
    pub fn ask(&self) -> bool {
        self.asked.load(Ordering::Relaxed) == UNASKED
            && self.asked.swap(ASKED, Ordering::Relaxed) == UNASKED
    }

    /// The times of a class, once each way has had its messages.
    pub fn times(&self, class: usize) -> Option<Times> {
        let enough = |count: &AtomicU32| count.load(Ordering::Acquire) >= EACH;
        let known = self.counts[class].iter().all(enough);
        let best = || std::array::from_fn(|way| self.best[class][way].load(Ordering::Relaxed));
        known.then(|| Times(best()))
    }

    /// Fills in times from elsewhere.
    pub fn learn(&self, class: usize, times: Times) {
        for (way, &time) in times.0.iter().enumerate() {
            self.best[class][way].store(time, Ordering::Relaxed);
            // Release: who sees the count sees the time.
            self.counts[class][way].store(EACH, Ordering::Release);
        }
    }

    /// The way that the next message of a class whose times are not known is to try.
    pub fn next(&self, class: usize) -> Direct {
        let counts = self.counts[class].iter();
        let least = counts.zip(WAYS).min_by_key(|(count, way)| {
            // The usual way first: where there are only few messages none is copied otherwise.
            (count.load(Ordering::Relaxed), std::cmp::Reverse(*way))
        });
        least.map_or(Direct::Both, |(_, way)| way)
    }

    /// A message of `bytes` bytes took `nanoseconds`.
    pub fn record(&self, way: Direct, bytes: u64, nanoseconds: u64) {
        let class = class_of(bytes);
        let time = u128::from(nanoseconds) * u128::from(UNIT) / u128::from(bytes.max(1));
        let time = u32::try_from(time).unwrap_or(u32::MAX).max(1);
        let best = &self.best[class][way as usize];
        let mut now = best.load(Ordering::Relaxed);
        while now == 0 || time < now {
            match best.compare_exchange(now, time, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break,
                Err(other) => now = other,
            }
        }
        let before = self.counts[class][way as usize].fetch_add(1, Ordering::AcqRel);
        if before + 1 == EACH && self.times(class).is_some() {
            self.news.store(1, Ordering::Relaxed);
        }
    }

    /// Whether there is something new to be remembered; once.
    pub fn take_news(&self) -> bool {
        self.news.load(Ordering::Relaxed) != 0 && self.news.swap(0, Ordering::Relaxed) != 0
    }
}

impl Segment {
    /// The times of this node's long messages.
    pub fn trials(&self) -> &'static Trials {
        let header: &super::Header = self.header();
        // SAFETY: as for rings: the segment is never unmapped before its process ends.
        unsafe { &*std::ptr::from_ref(&header.trials) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys;

    fn choice(ring: u32, reads: u32, both: u32) -> (Direct, Direct) {
        let choice = Times([ring, reads, both]).choice();
        (choice.alone, choice.exchange)
    }

    #[test]
    fn another_way_must_be_much_faster_than_the_usual_one() {
        use Direct::{Both, Never, Reads};
        assert_eq!(choice(69, 100, 59), (Both, Reads));
        assert_eq!(choice(50, 100, 59), (Both, Reads));
        assert_eq!(choice(40, 101, 59), (Never, Never));
        assert_eq!(choice(40, 100, 59), (Never, Reads));
        assert_eq!(choice(100, 40, 59), (Reads, Reads));
        assert_eq!(choice(41, 40, 59), (Reads, Reads));
        assert_eq!(choice(1, u32::MAX, u32::MAX), (Never, Never));
    }

    #[test]
    fn classes_meet_at_their_bounds() {
        let sizes = [
            1,
            64 << 10,
            (64 << 10) + 1,
            256 << 10,
            1 << 20,
            (1 << 20) + 1,
            u64::MAX,
        ];
        assert_eq!(sizes.map(class_of), [0, 0, 1, 1, 2, 3, 3]);
        let typical = [false, true, false, true, true, true, true];
        assert_eq!(sizes.map(is_typical), typical);
    }

    #[test]
    fn each_way_has_its_turn_and_the_fastest_message_counts() {
        let file = sys::memory_file(c"anympi-test").unwrap();
        let segment = Segment::attach(&file, 0, 2).unwrap();
        let trials = segment.trials();
        let other = Segment::attach(&file, 1, 2).unwrap();
        assert!(trials.ask() && !trials.ask() && !other.trials().ask());
        let mut tried = Vec::new();
        while trials.times(1).is_none() {
            assert!(!trials.take_news());
            let way = trials.next(1);
            let slow = 1000 * (way as u64 + 1) + 10 * tried.len() as u64;
            trials.record(way, 2 * UNIT, slow);
            tried.push(way);
        }
        assert_eq!(tried[0], Direct::Both);
        for way in WAYS {
            let times = tried.iter().filter(|&&tried| tried == way).count();
            assert_eq!(times, EACH as usize, "{way:?}");
        }
        assert_eq!(other.trials().times(1), Some(Times([510, 1005, 1500])));
        assert_eq!(trials.times(0), None);
        assert!(other.trials().take_news() && !trials.take_news());
        trials.learn(0, Times([1, 2, 3]));
        assert_eq!(trials.times(0), Some(Times([1, 2, 3])));
        assert!(!trials.take_news());
    }

    #[test]
    fn times_that_do_not_fit_are_the_longest_or_shortest() {
        let file = sys::memory_file(c"anympi-test").unwrap();
        let segment = Segment::attach(&file, 0, 2).unwrap();
        for _ in 0..EACH {
            for (way, nanoseconds) in WAYS.into_iter().zip([0, u64::MAX, 7]) {
                segment.trials().record(way, UNIT, nanoseconds);
            }
        }
        assert_eq!(segment.trials().times(0), Some(Times([1, u32::MAX, 7])));
    }
}

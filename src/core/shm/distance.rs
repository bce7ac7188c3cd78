//! How far another process is: its processor may lie on the same caches as this one or not, and machines that are rented move both
//! about. Must not know what is read.

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Of so many bodies the beginning of one is timed: a prime, as messages come in pieces.
const EVERY: u32 = 127;
/// What a line of a processor that is far takes at least, and asking for the time: EPYC of the fifth generation 20 to 60 ns where it
/// is near, 100 to 160 where it is not.
const FAR: Duration = Duration::from_nanos(90);

/// What a reader knows of who writes.
#[derive(Default)]
pub(super) struct Distance {
    /// Bodies since the latest one that was timed.
    bodies: Cell<u32>,
    /// A bit for each of the latest lines that were timed, if it took long. Where one is far most are here before they are read, as
    /// processors ask for what follows; and the lengths of pieces should not change often (ARCHITECTURE.md, "Zen 5").
    far: Cell<u32>,
}

impl Distance {
    /// The process that has written this is about to be read for the first time.
    #[inline(always)]
    pub fn meet(&self, body: &[u8]) {
        let bodies = self.bodies.get() + 1;
        if bodies < EVERY {
            self.bodies.set(bodies);
        } else {
            self.bodies.set(0);
            self.time(body);
        }
    }

    #[cold]
    fn time(&self, body: &[u8]) {
        let Some(first) = body.first() else {
            return;
        };
        let start = Instant::now();
        // Read here and nowhere else: the clock waits for what has been read before it is asked.
        black_box(*black_box(first));
        self.note(start.elapsed());
    }

    /// A line took so long.
    fn note(&self, took: Duration) {
        self.far.set(self.far.get() << 1 | u32::from(took >= FAR));
    }

    /// Whether lines took long lately: one alone may have for any reason.
    #[inline]
    pub fn is_distant(&self) -> bool {
        let far = self.far.get();
        far & far.wrapping_sub(1) != 0
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn who_was_far_is_near_after_many_short_reads() {
        let distance = Distance::default();
        let takes = |nanos: u64| {
            distance.note(Duration::from_nanos(nanos));
            distance.is_distant()
        };
        assert_eq!([40, 89, 90, 20].map(takes), [false; 4], "one alone");
        assert_eq!([500, 20].map(takes), [true; 2]);
        (4..u32::BITS).for_each(|_| assert!(takes(20)));
        assert!(!takes(30), "the first one is forgotten");
    }

    #[test]
    fn the_beginning_of_one_body_of_many_is_timed() {
        let distance = Distance::default();
        distance.far.set(1);
        let body = [0u8; 64];
        (1..EVERY).for_each(|_| distance.meet(&body));
        assert_eq!(distance.far.get(), 1, "not yet");
        distance.meet(&body);
        assert!(distance.far.get() > 1, "another one is noted");
        (0..=EVERY).for_each(|_| distance.meet(&[]));
        assert_eq!(distance.bodies.get(), 1);
    }
}

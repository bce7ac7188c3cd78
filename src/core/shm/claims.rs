//! Counters from which two processes take the chunks of one message, so that each chunk has one taker.
//!
//! A counter holds a generation beside the next chunk. Whoever still has an older generation in mind takes
//! nothing, so a counter can be used again while the other side looks at it.

use crate::sync::{AtomicU64, Ordering};
use crate::wire::Claim;

/// Counters of one direction between two processes: messages that both sides copy at a time.
pub const CLAIMS: usize = 16;

/// One counter. All-zero bytes are valid.
#[repr(C, align(64))]
pub(super) struct Counter(AtomicU64);

/// The counters of one direction. They lie beside its ring.
#[repr(C)]
pub struct Claims([Counter; CLAIMS]);

impl Claims {
    #[cfg(any(loom, test))]
    pub fn new() -> Claims {
        Claims(std::array::from_fn(|_| Counter(AtomicU64::new(0))))
    }

    /// Starts to count chunks for this claim; older claims of the same counter end.
    pub fn open(&self, claim: Claim) {
        if let Some(counter) = self.0.get(claim.index as usize) {
            // The frame that names the claim publishes this.
            counter
                .0
                .store(u64::from(claim.generation) << 32, Ordering::Relaxed);
        }
    }

    /// Takes the next of `chunks` chunks. `None`: all are taken, or the claim is over.
    pub fn take(&self, claim: Claim, chunks: u32) -> Option<u32> {
        let counter = &self.0.get(claim.index as usize)?.0;
        let mut now = counter.load(Ordering::Relaxed);
        loop {
            let next = now as u32;
            if now >> 32 != u64::from(claim.generation) || next >= chunks {
                return None;
            }
            // Relaxed: the number alone is shared; frames order the bytes.
            match counter.compare_exchange_weak(now, now + 1, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => return Some(next),
                Err(other) => now = other,
            }
        }
    }
}

#[cfg(any(loom, test))]
impl Default for Claims {
    fn default() -> Self {
        Claims::new()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_chunk_has_one_taker_and_an_old_claim_takes_nothing() {
        let claims = Claims::new();
        let claim = |generation| Claim {
            index: 3,
            generation,
        };
        claims.open(claim(7));
        let taken: Vec<_> = std::iter::from_fn(|| claims.take(claim(7), 4)).collect();
        assert_eq!(taken, [0, 1, 2, 3]);
        claims.open(claim(8));
        assert_eq!(claims.take(claim(7), 4), None);
        assert_eq!(claims.take(claim(8), 4), Some(0));
        let none = Claim {
            index: CLAIMS as u32,
            generation: 0,
        };
        assert_eq!(claims.take(none, 4), None);
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::thread;

    /// Two takers, one of whom may come when the counter has gone on to another message.
    #[test]
    fn every_interleaving_gives_each_chunk_to_one() {
        loom::model(|| {
            let claims: &'static Claims = Box::leak(Box::new(Claims::new()));
            let claim = |generation| Claim {
                index: 0,
                generation,
            };
            claims.open(claim(1));
            let other = thread::spawn(move || claims.take(claim(1), 2));
            let mine: Vec<u32> = std::iter::from_fn(|| claims.take(claim(1), 2)).collect();
            let theirs = other.join().unwrap();
            let mut all: Vec<u32> = mine.into_iter().chain(theirs).collect();
            all.sort_unstable();
            assert_eq!(all, [0, 1]);
        });
    }
}

//! What one copy by the system takes, and what two by the processes take, tried within one process.
//!
//! That is what processes go by that share processors: their blocks cannot be timed, as times would say who else ran
//! ([`Measure::Crowded`](super::trials::Measure)), and they share the caches too, so that copies within one of them say what others
//! take. (Of processes with a processor each they do not: [`trials`](super::trials).) It must not know what is copied.

use std::hint::black_box;

use super::Segment;
use super::direct::Memory;
use crate::datatype::Span;
use crate::sync::Ordering;
use crate::sys;

/// Bytes of a block. Shorter ones gain more by two copies: a call of the system costs the same for all.
const BYTES: usize = 256 << 10;
/// The fastest of so many copies counts: others may have been interrupted.
const TIMES: usize = 5;

/// Nobody has tried it on this node.
const UNKNOWN: u32 = 0;
/// Somebody is about to.
const TRYING: u32 = 1;
const ONE: u32 = 2;
const TWO: u32 = 3;

/// Nanoseconds for 256 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rehearsal {
    /// One copy by the system, from and to memory that lies in this process's caches.
    pub by_system: u64,
    /// Two by the process, by way of other memory.
    pub by_processes: u64,
}

impl Rehearsal {
    /// Takes some 0.4 ms. `None`: the system lets this process reach nothing.
    pub fn run() -> Option<Rehearsal> {
        let [from, mut between, mut to] = [1, 2, 3].map(|byte| vec![byte; BYTES]);
        let own = Memory::own();
        let mut reached = true;
        let by_system = fastest(|| {
            let from = black_box(&from).as_ptr().addr() as u64;
            reached &= own.read(from, Span::new(&mut to));
        });
        let by_processes = fastest(|| {
            between.copy_from_slice(black_box(&from));
            to.copy_from_slice(black_box(&between));
            black_box(&to);
        });
        reached.then_some(Rehearsal {
            by_system,
            by_processes,
        })
    }

    /// Whether two copies are clearly faster, by an eighth: what brings the parts of a block to those who copy them costs some time too.
    pub fn two_copies(self) -> bool {
        self.by_processes * 8 < self.by_system * 7
    }
}

fn fastest(mut copy: impl FnMut()) -> u64 {
    let times = (0..TIMES).map(|_| {
        let begin = sys::nanoseconds();
        copy();
        sys::nanoseconds() - begin
    });
    times.min().unwrap_or(0)
}

impl Segment {
    /// Whether two copies by the processes of this node take less time than one by the system: no, until the first one of them who
    /// asks has tried it.
    pub fn copies_twice(&self) -> bool {
        let word = &self.header().rehearsed;
        match word.load(Ordering::Relaxed) {
            UNKNOWN if word.swap(TRYING, Ordering::Relaxed) == UNKNOWN => {
                let twice = Rehearsal::run().is_some_and(Rehearsal::two_copies);
                word.store(if twice { TWO } else { ONE }, Ordering::Relaxed);
                twice
            }
            known => known == TWO,
        }
    }

    /// It has been tried elsewhere.
    #[cfg(test)]
    pub(super) fn set_copies_twice(&self, twice: bool) {
        let known = if twice { TWO } else { ONE };
        self.header().rehearsed.store(known, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(miri), not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn both_ways_are_tried_where_the_system_lets_them() {
        let Some(rehearsal) = Rehearsal::run() else {
            return;
        };
        assert!(
            rehearsal.by_system > 0 && rehearsal.by_processes > 0,
            "{rehearsal:?}"
        );
    }

    #[test]
    fn two_copies_must_be_clearly_faster() {
        let twice = |by_system, by_processes| {
            let rehearsal = Rehearsal {
                by_system,
                by_processes,
            };
            rehearsal.two_copies()
        };
        assert!(twice(22_000, 6_500));
        assert!(!twice(8_000, 7_000));
        assert!(!twice(5_000, 8_000));
    }
}

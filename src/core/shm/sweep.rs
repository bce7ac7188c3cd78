//! What a process that waits does for those that read what it has written.
//!
//! Golden Cove hands over the lines of a long body at half the speed if it has done nothing but read and write such bodies: 16 KiB are
//! read in 1.55 us, and in 0.8 if it has looked at as many other lines as its first cache holds, before or after it wrote them (bare
//! copies to and fro between two processors, 128 ns a line; ARCHITECTURE.md, "Golden Cove"). A program that computes between its
//! messages does that anyway. So who waits after it has written such a body looks at memory of its own, some lines at a time.

use std::sync::OnceLock;

use crate::datatype::block::{Core, LINE, core, prefetch};
use crate::sync::{AtomicUsize, Ordering};

/// Bodies of so many bytes are long. Shorter ones have been read before that is over (latency of 4 KiB 0.65 us, so 0.74; 6 KiB 0.81,
/// 0.79; `cargo xtask bench latency --real-time --ranks 2 --words "4096 6144 12288 16384"`, also for what follows).
const LONG: usize = 6 << 10;

/// Lines to look at: with those of a body, and of where it came from, they are more than the first cache's 768.
const LINES: usize = 640;

/// Lines to look at before the next look for what is waited for, which takes some 0.1 us (latency of 16 KiB, 32 to 768 at a time: 1.27
/// to 1.22 us; of 12 KiB 1.16 to 1.04).
const SOME: usize = 128;

/// Lines that are still to be looked at. Threads may take some of each other's: that is soon over.
struct Due(AtomicUsize);

static DUE: Due = Due(AtomicUsize::new(0));

impl Due {
    #[inline]
    fn wrote(&self, bytes: usize) {
        if bytes >= LONG && core() == Core::GoldenCove {
            self.0.store(LINES, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn spin(&self) {
        std::hint::spin_loop();
        if self.0.load(Ordering::Relaxed) > 0 {
            self.sweep();
        }
    }

    #[cold]
    #[inline(never)]
    fn sweep(&self) {
        /// Written once, as all pages that have not been are the same one.
        static MEMORY: OnceLock<Vec<u8>> = OnceLock::new();
        let memory = MEMORY.get_or_init(|| vec![1; LINES * LINE]);
        let due = self.0.load(Ordering::Relaxed);
        let left = due.saturating_sub(SOME);
        for line in memory[left * LINE..due * LINE].chunks(LINE) {
            prefetch(line.as_ptr());
        }
        self.0.store(left, Ordering::Relaxed);
    }
}

/// So many bytes have been written that another process will read.
#[inline]
pub fn wrote(bytes: usize) {
    DUE.wrote(bytes);
}

/// What a process does between two looks for what it waits for.
#[inline(always)]
pub fn spin() {
    DUE.spin();
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::datatype::block::On;

    /// Only long bodies have it done, only on that processor, and it comes to an end.
    #[test]
    fn who_waits_sweeps_after_long_bodies() {
        let due = Due(AtomicUsize::new(0));
        let lines = || due.0.load(Ordering::Relaxed);
        for (core, bytes, expected) in [
            (Core::Other, LONG, 0),
            (Core::GoldenCove, LONG - 1, 0),
            (Core::GoldenCove, LONG, LINES),
        ] {
            let _core = On::a(core);
            due.wrote(bytes);
            assert_eq!(lines(), expected, "{core:?} {bytes}");
        }
        for _ in 0..LINES.div_ceil(SOME) {
            assert!(lines() > 0);
            due.spin();
        }
        assert_eq!(lines(), 0);
        due.spin();
    }
}

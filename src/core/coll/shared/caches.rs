//! Whether what a collective copies goes past the last caches, which all ranks' buffers together do not fit into.
//!
//! Tried on Zen 5 alone: elsewhere nothing does.

#[cfg(not(test))]
use std::sync::OnceLock;

use super::Turn;
use crate::coll::net::{Coll, Net};
use crate::datatype::Stores;
use crate::datatype::block::{Core, core};
use crate::hardware::LastCaches;

/// Whether a rank's own block does, in an operation that reads and writes so many bytes of all ranks' buffers: as they fill three quarters
/// of the caches, so that what comes from other ranks, and goes to them, stays there (2 ranks, 64 ns, in parts and so: all-to-all of 3 MiB
/// 170 and 172 us, 4 MiB 282 and 259, 6 MiB 599 and 507; allgather of 4 MiB 211 and 223, 6 MiB 380 and 365; 256 ns, all-to-all of 6
/// MiB 491 and 431; command: docs/measurements/notes.md, "A rank's own block").
pub(super) fn own_goes_past<N: Net>(turn: &Turn<'_, '_, N>, buffers: u64) -> bool {
    fill(turn, buffers, 3)
}

/// How much of the caches all buffers fill where what comes as messages goes past them (docs/measurements/notes.md, "What is received past the
/// caches").
#[derive(Clone, Copy, Debug)]
pub(super) enum Fill {
    /// Half, if one rank alone receives.
    One,
    /// All of them, if every rank does; half where ranks share processors, as each one's buffers lie there until its next turn.
    Each,
}

/// Whether all ranks' buffers, of so many bytes together, fill so many quarters of the last caches.
fn fill<N: Net>(turn: &Turn<'_, '_, N>, buffers: u64, quarters: u64) -> bool {
    all_fill(last_caches, buffers, quarters, || turn.area.is_near())
}

/// The same of some caches. Two ranks that are not `near` have a cache each, even if the system does not say so.
fn all_fill(
    caches: impl FnOnce() -> LastCaches,
    buffers: u64,
    quarters: u64,
    near: impl FnOnce() -> bool,
) -> bool {
    if core() != Core::Zen5 {
        return false;
    }
    let LastCaches { bytes, count } = caches();
    let count = if near() { count } else { count.max(2) };
    bytes > 0 && buffers >= bytes / 4 * quarters * count
}

/// Tests have small ones.
#[cfg(test)]
fn last_caches() -> LastCaches {
    LastCaches {
        bytes: 32 << 10,
        count: 1,
    }
}

#[cfg(not(test))]
fn last_caches() -> LastCaches {
    static CACHES: OnceLock<LastCaches> = OnceLock::new();
    *CACHES.get_or_init(crate::hardware::last_caches)
}

/// As long as it lives, messages are received past the caches.
pub(super) struct PastCaches<'c, 'n, N: Net>(&'c Coll<'n, N>);

impl<'c, 'n, N: Net> PastCaches<'c, 'n, N> {
    /// Where that is better, in an operation that reads and writes so many bytes of all ranks' buffers.
    pub fn begin(turn: &Turn<'c, 'n, N>, buffers: u64, by: Fill) -> Option<Self> {
        let quarters = match by {
            Fill::Each if !turn.area.crowded() => 4,
            _ => 2,
        };
        fill(turn, buffers, quarters).then(|| {
            turn.coll.net().receive_by(Stores::NonTemporal);
            PastCaches(turn.coll)
        })
    }
}

impl<N: Net> Drop for PastCaches<'_, '_, N> {
    fn drop(&mut self) {
        self.0.net().receive_by(Stores::Temporal);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::datatype::block::On;

    #[test]
    fn what_does_not_fit_into_the_last_caches() {
        let zen_5 = On::a(Core::Zen5);
        let past = |count, buffers, near| {
            let caches = || LastCaches {
                bytes: 32 << 20,
                count,
            };
            all_fill(caches, buffers, 3, || near)
        };
        // What two ranks read and write in an all-to-all of 3 MiB.
        let all = 2 * (12 << 20);
        assert!(past(1, all, true));
        assert!(!past(1, all - 1, true));
        assert!(!past(1, all, false));
        assert!(!past(2, all, true));
        assert!(past(1, 2 * all, false));
        // The system does not tell.
        assert!(!all_fill(LastCaches::default, u64::MAX, 1, || true));
        drop(zen_5);
        for core in [Core::GoldenCove, Core::Other] {
            let _core = On::a(core);
            assert!(!past(1, u64::MAX, true), "{core:?}");
        }
    }
}

//! What a rank has for itself: from where it is sent to where it is received, copied by the rank alone.

use std::sync::OnceLock;

use super::Turn;
use crate::coll::net::Net;
use crate::datatype::block::{Core, core};
use crate::datatype::{Data, Stores};
use crate::hardware::LastCaches;

/// Shorter blocks are copied by the usual stores.
const LEAST: u64 = 1 << 20;

/// Copies `own`, in an operation that reads and writes so many bytes of each rank's buffers.
pub(super) fn copy<N: Net>(turn: &Turn<'_, '_, N>, own: &Data, to: &Data, buffers: u64) {
    let past = own.bytes() >= LEAST && {
        let all = buffers.saturating_mul(turn.coll.size as u64);
        goes_past(last_caches, all, || turn.area.is_near())
    };
    let stores = match past {
        true => Stores::NonTemporal,
        false => Stores::Temporal,
    };
    turn.coll.copy_by(stores, own, to);
}

/// Whether a rank's own block goes past the last caches, as all ranks' buffers, of so many bytes together, fill three quarters of them: on
/// Zen 5, so that what comes from other ranks, and goes to them, stays there (2 ranks, 64 ns, usual stores and so: all-to-all of
/// 4 MiB 428 and 345 us, 3 MiB 238 and 200; of less it loses, 2 MiB 110 and 116; command: ARCHITECTURE.md, "A rank's own block").
/// Not tried elsewhere. Two ranks that are not `near` have a cache each, even if the system does not say so.
fn goes_past(
    caches: impl FnOnce() -> LastCaches,
    buffers: u64,
    near: impl FnOnce() -> bool,
) -> bool {
    if core() != Core::Zen5 {
        return false;
    }
    let LastCaches { bytes, count } = caches();
    let count = if near() { count } else { count.max(2) };
    bytes > 0 && buffers >= bytes / 4 * 3 * count
}

fn last_caches() -> LastCaches {
    static CACHES: OnceLock<LastCaches> = OnceLock::new();
    *CACHES.get_or_init(crate::hardware::last_caches)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::datatype::block::On;

    #[test]
    fn what_goes_past_the_last_caches() {
        let zen_5 = On::a(Core::Zen5);
        let past = |count, buffers, near| {
            let caches = || LastCaches {
                bytes: 32 << 20,
                count,
            };
            goes_past(caches, buffers, || near)
        };
        // What two ranks read and write in an all-to-all of 3 MiB.
        let all = 2 * (12 << 20);
        assert!(past(1, all, true));
        assert!(!past(1, all - 1, true));
        assert!(!past(1, all, false));
        assert!(!past(2, all, true));
        assert!(past(1, 2 * all, false));
        // The system does not tell.
        assert!(!goes_past(LastCaches::default, u64::MAX, || true));
        drop(zen_5);
        for core in [Core::GoldenCove, Core::Other] {
            let _core = On::a(core);
            assert!(!past(1, u64::MAX, true), "{core:?}");
        }
    }
}

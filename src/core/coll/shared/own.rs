//! What a rank has for itself: from where it is sent to where it is received, copied by the rank alone.

use std::sync::OnceLock;

use super::Turn;
use crate::coll::net::Net;
use crate::datatype::block::{Core, core};
use crate::datatype::{Data, Stores};
use crate::hardware::LastCaches;

/// Shorter blocks are copied by the usual stores.
const LEAST: u64 = 1 << 20;

/// Copies `own`, in an operation that reads and writes so many bytes of each rank's buffers. Where those of all ranks overflow the last
/// cache it goes past that on Zen 5, so that what comes from other ranks, and goes to them, stays there (2 ranks, 64 ns, usual
/// stores and so: all-to-all of 4 MiB 428 and 345 us, 3 MiB 238 and 200; of less it loses, 2 MiB 110 and 116; command:
/// ARCHITECTURE.md, "A rank's own block"). Not tried elsewhere.
pub(super) fn copy<N: Net>(turn: &Turn<'_, '_, N>, own: &Data, to: &Data, buffers: u64) {
    let long = own.bytes() >= LEAST && core() == Core::Zen5;
    let past = long && overflows(last_caches(), turn.coll.size, buffers, turn.area.is_near());
    let stores = match past {
        true => Stores::NonTemporal,
        false => Stores::Temporal,
    };
    turn.coll.copy_by(stores, own, to);
}

/// Whether buffers of so many bytes at each of `ranks` ranks fill three quarters of the last caches. Two ranks that are not `near` have
/// one each, even if the system does not say so.
fn overflows(caches: LastCaches, ranks: usize, buffers: u64, near: bool) -> bool {
    let LastCaches { bytes, count } = caches;
    let count = if near { count } else { count.max(2) };
    bytes > 0 && buffers.saturating_mul(ranks as u64) >= bytes / 4 * 3 * count
}

fn last_caches() -> LastCaches {
    static CACHES: OnceLock<LastCaches> = OnceLock::new();
    *CACHES.get_or_init(crate::hardware::last_caches)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_overflows_the_last_caches() {
        let caches = |count| LastCaches {
            bytes: 32 << 20,
            count,
        };
        // Two ranks, 3 MiB for each one.
        assert!(overflows(caches(1), 2, 12 << 20, true));
        assert!(!overflows(caches(1), 2, 12 << 20, false));
        assert!(!overflows(caches(2), 2, 12 << 20, true));
        assert!(!overflows(caches(1), 2, (12 << 20) - 1, true));
        assert!(overflows(caches(1), 4, u64::MAX, false));
        // The system does not tell.
        let none = LastCaches::default();
        assert!(!overflows(none, 2, u64::MAX, true));
    }
}

//! What a rank has for itself: from where it is sent to where it is received, copied by the rank alone.

use std::sync::OnceLock;

use super::Turn;
use crate::coll::net::Net;
use crate::datatype::block::{Core, core};
use crate::datatype::{Data, Stores};
use crate::hardware::LastCaches;

/// Shorter blocks are copied in one piece by the usual stores.
const LEAST: u64 = if cfg!(test) { 512 } else { 1 << 20 };

/// Bytes that are copied at a time of longer ones on Zen 5: C libraries copy less than 1 MiB by the processor's string instruction there, which
/// reads no lines that it is to write.
const PART: u64 = LEAST / 4;

/// Copies `own`, in an operation that reads and writes so many bytes of each rank's buffers.
pub(super) fn copy<N: Net>(turn: &Turn<'_, '_, N>, own: &Data, to: &Data, buffers: u64) {
    if own.bytes() < LEAST {
        return turn.coll.copy(own, to);
    }
    let all = buffers.saturating_mul(turn.coll.size as u64);
    match goes_past(last_caches, all, || turn.area.is_near()) {
        true => turn.coll.copy_by(Stores::NonTemporal, own, to),
        false if core() == Core::Zen5 => copy_parts(turn, own, to, PART, || ()),
        false => turn.coll.copy(own, to),
    }
}

/// Copies `own` in parts of so many bytes, with a look at something else before each. It goes the other way round than what was done with it
/// before, which may have been a message (gather of 1 MiB 26.7 us, 25.7).
pub(super) fn copy_parts<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    to: &Data,
    bytes: u64,
    mut look: impl FnMut(),
) {
    let coll = turn.coll;
    let size = own.datatype.size();
    if (size, own.count) != (to.datatype.size(), to.count) {
        return coll.copy(own, to);
    }
    let most = (bytes / size.max(1)).max(1);
    let place = own.contiguous().filter(|_| own.count > most);
    let down = place.is_some_and(|(address, _)| coll.net().goes_down(address));
    let parts = own.count.div_ceil(most);
    for index in 0..parts {
        look();
        let start = most * if down { parts - 1 - index } else { index };
        coll.copy(&own.part(start, most), &to.part(start, most));
    }
}

/// Whether a rank's own block goes past the last caches, as all ranks' buffers, of so many bytes together, fill three quarters of them: on
/// Zen 5, so that what comes from other ranks, and goes to them, stays there (2 ranks, 64 ns, in parts and so: all-to-all of 3 MiB 170
/// and 172 us, 4 MiB 282 and 259, 6 MiB 599 and 507; allgather of 4 MiB 211 and 223, 6 MiB 380 and 365; 256 ns, all-to-all of 6 MiB
/// 491 and 431; command: ARCHITECTURE.md, "A rank's own block").
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

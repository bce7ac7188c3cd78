//! What a rank has for itself: from where it is sent to where it is received, copied by the rank alone.

use super::Turn;
use super::caches;
use crate::coll::net::Net;
use crate::datatype::block::{Core, core};
use crate::datatype::{Data, Stores};

/// Shorter blocks are copied in one piece by the usual stores.
const LEAST: u64 = if cfg!(test) { 512 } else { 1 << 20 };

/// Bytes that are copied at a time of longer ones on Zen 5: C libraries copy less than 1 MiB by the processor's string instruction there, which
/// reads no lines that it is to write.
const PART: u64 = LEAST / 4;

/// Copies `own`, in an operation that reads and writes so many bytes of all ranks' buffers.
pub(super) fn copy<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    to: &Data,
    buffers: impl FnOnce() -> u64,
) {
    if own.bytes() < LEAST {
        return turn.coll.copy(own, to);
    }
    match caches::own_goes_past(turn, buffers()) {
        true => turn.coll.copy_by(Stores::NonTemporal, own, to),
        false if core() == Core::Zen5 => copy_parts(turn, own, to, (Stores::Temporal, PART), || ()),
        false => turn.coll.copy(own, to),
    }
}

/// Copies `own` in parts of so many bytes, with a look at something else before each. It goes the other way round than what was done with it
/// before, which may have been a message (gather of 1 MiB 26.7 us, 25.7).
pub(super) fn copy_parts<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    to: &Data,
    (stores, bytes): (Stores, u64),
    mut look: impl FnMut(),
) {
    let coll = turn.coll;
    let size = own.datatype.size();
    if (size, own.count) != (to.datatype.size(), to.count) {
        return coll.copy_by(stores, own, to);
    }
    let most = (bytes / size.max(1)).max(1);
    let place = own.contiguous().filter(|_| own.count > most);
    let down = place.is_some_and(|(address, _)| coll.net().goes_down(address));
    let parts = own.count.div_ceil(most);
    for index in 0..parts {
        look();
        let start = most * if down { parts - 1 - index } else { index };
        coll.copy_by(stores, &own.part(start, most), &to.part(start, most));
    }
}

//! The memory that belongs to a seat: its slots, its lane and its shuttles, one behind the other.

use super::{SLOT, SLOTS, Seat, WIDE};
use crate::shm::handover;
use crate::shm::ring;
use crate::sync::PlainCell;

/// Seats with more than the least room, which the first communicators get: where there are no memory files, a folder must have
/// room for everybody's.
const ROOMY: usize = 8;
/// Slots and lanes begin half a page and a cache line into a page: a program's buffers mostly begin near the beginning of one,
/// and a load from one place in a page waits for a store to the same place in another.
const APART: usize = 2048 + 64;

/// How many slots, how long a lane and how many bytes of shuttles each member has.
#[derive(Clone, Copy)]
pub struct Sizes {
    /// A power of two.
    pub(super) slots: usize,
    pub(super) lane: usize,
    pub(super) shuttles: usize,
}

impl Sizes {
    /// Of a process's seat number `seat`, where byte rings have so many bytes. As long ones do, slots and lanes that are longer
    /// than caches make writing faster (ARCHITECTURE.md, "The byte ring of a pair").
    pub fn of(ring: usize, seat: usize) -> Sizes {
        match ring > ring::USUAL && seat < ROOMY {
            true => Sizes {
                slots: ring / SLOT,
                lane: ring,
                shuttles: handover::BYTES,
            },
            false => Sizes {
                slots: SLOTS,
                lane: WIDE,
                shuttles: 0,
            },
        }
    }

    /// Bytes of the first `seats` seats of a process and what belongs to them.
    pub fn all(ring: usize, seats: usize) -> usize {
        let roomy = seats.min(ROOMY);
        roomy * Sizes::of(ring, 0).bytes() + (seats - roomy) * Sizes::of(ring, ROOMY).bytes()
    }

    /// Bytes of a seat and what belongs to it: whole pages.
    pub(super) fn bytes(self) -> usize {
        let all = APART + self.slots * SLOT + self.lane + self.shuttles;
        (size_of::<Seat>() + all).next_multiple_of(4096)
    }
}

/// Where a member's longer contributions lie: but for shuttles written by it alone, read by all others.
#[derive(Clone, Copy)]
pub struct Room {
    pub(super) slots: &'static [PlainCell<[u8; SLOT]>],
    pub(in crate::shm) lane: &'static [PlainCell<u8>],
    /// Written by whichever of two members has them.
    pub(in crate::shm) shuttles: &'static [PlainCell<u8>],
}

// SAFETY: slots and lanes as a seat's contents; a shuttle is written by the member that has it, and read by the other one
// before that has it.
unsafe impl Sync for Room {}
// SAFETY: plain memory.
unsafe impl Send for Room {}

impl Room {
    /// What belongs to the seat at `base`.
    ///
    /// # Safety
    /// There is memory of these sizes for good, which nothing else uses.
    pub unsafe fn at(base: *mut u8, sizes: Sizes) -> Room {
        // SAFETY: the caller's contract; any bytes are valid cells of bytes.
        unsafe {
            let slots = base.add(size_of::<Seat>() + APART);
            let lane = slots.add(sizes.slots * SLOT);
            let shuttles = lane.add(sizes.lane);
            Room {
                slots: std::slice::from_raw_parts(slots.cast(), sizes.slots),
                lane: std::slice::from_raw_parts(lane.cast(), sizes.lane),
                shuttles: std::slice::from_raw_parts(shuttles.cast(), sizes.shuttles),
            }
        }
    }
}

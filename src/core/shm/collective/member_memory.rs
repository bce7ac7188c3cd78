//! The memory that belongs to a member slot: its short buffers, its slots, its lane and its exchange buffers, one behind the other.

use super::slots::Slots;
use super::{BLOCK, LINES, LONG_WINDOW, MemberSlot, SHORT_BUFFER, WHOLE_LANE};
use crate::shm::handover;
use crate::shm::ring;
use crate::sync::PlainCell;
use crate::sys::LARGEST_PAGE;

/// Member slots with the most room, which the first communicators get: where there are no memory files, a folder must have room for
/// everybody's.
const ROOMY: usize = 8;
/// Slots and lanes begin half a page and a cache line into a page: a program's buffers mostly begin near the
/// beginning of one. A load from one place in a page waits for a store to the same place in another.
const APART: usize = 2048 + 64;
/// Bytes of all short buffers.
const SHORT_BUFFERS: usize = LINES * SHORT_BUFFER;

/// Bytes of slots and of exchange buffers that each member has.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub(super) slots: usize,
    pub(super) exchange_buffers: usize,
}

impl Sizes {
    /// Of a process's member slot number `member_slot`, where byte rings have so many bytes. As long ones do, slots that are longer than
    /// caches make writing faster.
    pub fn of(ring: usize, member_slot: usize) -> Sizes {
        if ring <= ring::DEFAULT_BYTES {
            return Sizes {
                slots: Slots::LEAST,
                exchange_buffers: 0,
            };
        }
        let (slots, exchange_buffer) = match member_slot < ROOMY {
            true => (ring, BLOCK),
            false => (4 * Slots::LEAST, LONG_WINDOW),
        };
        Sizes {
            slots,
            exchange_buffers: handover::PER_MEMBER * exchange_buffer,
        }
    }

    /// Bytes of the first `member_slots` member slots of a process and what belongs to them.
    pub fn all(ring: usize, member_slots: usize) -> usize {
        let roomy = member_slots.min(ROOMY);
        roomy * Sizes::of(ring, 0).bytes() + (member_slots - roomy) * Sizes::of(ring, ROOMY).bytes()
    }

    /// Bytes of a member slot and what belongs to it: whole pages of any size.
    pub(in crate::shm) fn bytes(self) -> usize {
        let all = SHORT_BUFFERS + APART + self.slots + WHOLE_LANE + self.exchange_buffers;
        (size_of::<MemberSlot>() + all).next_multiple_of(LARGEST_PAGE)
    }
}

/// Where a member's longer contributions lie: but for exchange buffers written by it alone, read by all others.
#[derive(Clone, Copy)]
pub struct MemberMemory {
    /// A short buffer for each line.
    pub(super) short_buffers: &'static [PlainCell<[u8; SHORT_BUFFER]>],
    pub(super) slots: &'static [PlainCell<u8>],
    pub(in crate::shm) lane: &'static [PlainCell<u8>],
    /// Written by whichever of two members has them.
    pub(in crate::shm) exchange_buffers: &'static [PlainCell<u8>],
}

// SAFETY: short buffers, slots and lanes as a member slot's contents; an exchange buffer is written by the member that has it, and read by the other one
// before that has it.
unsafe impl Sync for MemberMemory {}
// SAFETY: plain memory.
unsafe impl Send for MemberMemory {}

impl MemberMemory {
    /// What belongs to the member slot at `base`.
    ///
    /// # Safety
    /// There is memory of these sizes for good, which nothing else uses.
    pub unsafe fn at(base: *mut u8, sizes: Sizes) -> MemberMemory {
        // SAFETY: the caller's contract; any bytes are valid cells of bytes.
        unsafe {
            let short_buffers = base.add(size_of::<MemberSlot>());
            let slots = short_buffers.add(SHORT_BUFFERS + APART);
            let lane = slots.add(sizes.slots);
            let exchange_buffers = lane.add(WHOLE_LANE);
            MemberMemory {
                short_buffers: std::slice::from_raw_parts(short_buffers.cast(), LINES),
                slots: std::slice::from_raw_parts(slots.cast(), sizes.slots),
                lane: std::slice::from_raw_parts(lane.cast(), WHOLE_LANE),
                exchange_buffers: std::slice::from_raw_parts(
                    exchange_buffers.cast(),
                    sizes.exchange_buffers,
                ),
            }
        }
    }
}

//! What lies in the shared memory of a member slot, and how long its parts are.
//!
//! Must not know what members do with it, nor how they wait for each other.

use crate::shm::offers::Answers;
use crate::sync::{AtomicU32, AtomicU64, Ordering, UnsafeCell};

/// Communicators of one process that can have a collective segment at a time.
pub const MEMBER_SLOTS: usize = 64;
/// Operations whose contributions a member slot holds at a time (even): as many as pay for a change of process where
/// ranks share cores and one of them need not wait for the others.
#[cfg(not(loom))]
pub(super) const LINES: usize = 128;
#[cfg(loom)]
pub(super) const LINES: usize = 2;
/// Who has finished so many more operations tells the others.
#[cfg(not(loom))]
pub(super) const REPORT_EVERY: u64 = 8;
#[cfg(loom)]
pub(super) const REPORT_EVERY: u64 = 1;
/// Bytes of a contribution that lie beside its number.
pub const INLINE: usize = 112;
/// Bytes of it that lie in the number's own cache line.
pub(super) const FIRST_LINE: usize = 48;
/// Longest contribution that lies in a slot.
#[cfg(not(any(test, loom)))]
pub const SLOT: usize = 8192;
/// So that tests on little data come to slots, lanes and beyond.
#[cfg(any(test, loom))]
pub const SLOT: usize = 128;
/// Longest contribution that lies in a short buffer, whose lines are asked for before its number has come. Nobody knows before where a
/// longer one will lie; so it may change hands.
#[cfg(not(any(test, loom)))]
pub(in crate::shm) const SHORT_BUFFER: usize = 256;
#[cfg(any(test, loom))]
pub(in crate::shm) const SHORT_BUFFER: usize = INLINE + 8;
/// Bytes of a lane that most operations need at most.
#[cfg(not(any(test, loom)))]
pub const LANE: usize = 128 << 10;
#[cfg(any(test, loom))]
pub const LANE: usize = 512;
/// Bytes of the shortest window of a lane...
pub const WINDOW: usize = LANE / 2;
/// ... and of the longest one.
pub(in crate::shm) const LONG_WINDOW: usize = 2 * WINDOW;
/// Longest block of two members that lies in a part of a lane, or in one exchange buffer: as a message it is cut shorter, and
/// told of more often.
pub(crate) const BLOCK: usize = 8 * WINDOW;
/// Bytes of all of a lane, at least: for rows of blocks, and where ranks share cores, so that they wait for each other less
/// often.
#[cfg(not(loom))]
pub const WHOLE_LANE: usize = 4 * LANE;
/// Loom's stacks hold no more.
#[cfg(loom)]
pub const WHOLE_LANE: usize = LANE;
/// Bytes of a lane that are lent and given back together. A contribution takes as many of them as it needs.
pub const GRANULE: usize = WINDOW / 4;
/// Windows of a lane that operations go through in turn where each member has a processor: so much stays in second caches, and no
/// more pages of shared memory are touched for the first time.
pub(super) const WINDOWS: usize = 4;
#[cfg(not(loom))]
const _: () = assert!(WINDOWS * LONG_WINDOW <= WHOLE_LANE);

#[repr(C)]
pub(super) struct Contents {
    /// Bytes of the contribution, wherever it lies, and perhaps [`OFFERS`].
    pub(super) length: u64,
    pub(super) inline: [u8; INLINE],
}

impl Contents {
    /// The number of the exchange buffer where the contribution lies, or the byte of its owner's slots where it begins.
    pub(super) fn place(&self) -> u32 {
        u32::from_ne_bytes(std::array::from_fn(|index| self.inline[index]))
    }

    /// What is said of a contribution that no slot would hold, beside that number.
    pub(super) fn remark(&self) -> u64 {
        u64::from_ne_bytes(std::array::from_fn(|index| self.inline[REMARK + index]))
    }
}

/// Byte of the contents where a [remark](CollSegment::remark) lies.
pub(super) const REMARK: usize = 8;

/// Said with a length: the contribution is offers.
pub(in crate::shm) const OFFERS: u64 = 1 << 63;
/// Said with a length: the contribution lies in an exchange buffer, whose number are the first bytes beside it.
pub(super) const IN_EXCHANGE_BUFFER: u64 = 1 << 59;

/// One contribution, or its beginning: two cache lines that processors like to fetch together.
#[repr(C, align(128))]
pub(super) struct Line {
    /// The operation that the contents belong to; written last.
    pub(super) number: AtomicU64,
    pub(super) contents: UnsafeCell<Contents>,
}

impl Line {
    /// Whether the contents belong to operation `number`, and can be read then.
    #[inline(always)]
    pub(super) fn is_of(&self, number: u64) -> bool {
        self.number.load(Ordering::Acquire) == number
    }
}

/// A number with a cache line to itself.
#[repr(C, align(64))]
pub(super) struct Word(pub(super) AtomicU64);

/// What one member writes and all others read. All-zero bytes are a fresh member slot.
#[repr(C, align(4096))]
pub struct MemberSlot {
    /// Counts the communicators that have left this member slot.
    pub(super) life: AtomicU32,
    /// The owner has finished all operations below this number. Written every half round of slots.
    pub(super) finished: Word,
    /// How far the owner is in the operations that use lanes.
    pub(super) position: Word,
    /// What the owner says about the others' offers.
    pub(in crate::shm) answers: Answers,
    /// One more than the member that the owner waited for most recently.
    pub(super) awaits: Word,
    pub(super) lines: [Line; LINES],
}

// SAFETY: contents are written by the owner alone, before it stores the line's number or its position; they
// are read by others after they have seen it, and written again after all have said that they are done.
unsafe impl Sync for MemberSlot {}
// SAFETY: plain memory.
unsafe impl Send for MemberSlot {}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Line>() == 128 && size_of::<Contents>() == 120);

impl MemberSlot {
    /// For the owner, while nobody else looks.
    pub(super) fn reset(&self) {
        for line in &self.lines {
            line.number.store(0, Ordering::Relaxed);
        }
        self.finished.0.store(0, Ordering::Relaxed);
        self.answers.reset();
        self.awaits.0.store(0, Ordering::Relaxed);
        self.position.0.store(0, Ordering::Release);
    }
}

//! What one slot of a ring holds: the number of its frame, the frame's head, and as much of its payload as has room.

use super::IN_EXCHANGE_BUFFER;
use crate::sync::{AtomicU32, Ordering, UnsafeCell};
use crate::wire::{Head, INLINE};

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) head: Head,
    pub(super) inline: [u8; INLINE],
}

impl Body {
    /// The payload that lies in this slot.
    #[inline(always)]
    pub(super) fn payload(&self) -> &[u8] {
        &self.inline[..(self.head.inline as usize).min(INLINE)]
    }

    /// The number of the exchange buffer where its body lies, if it lies in one.
    #[inline(always)]
    pub(super) fn exchange_buffer(&self) -> Option<u32> {
        let [.., a, b, c, d] = self.inline;
        (self.head.flags & IN_EXCHANGE_BUFFER != 0).then(|| u32::from_le_bytes([a, b, c, d]))
    }
}

#[repr(C, align(64))]
pub(super) struct Slot {
    /// The number of the frame in this slot, counted from 1: tells a new frame from the one before it.
    pub(super) sequence: AtomicU32,
    pub(super) body: UnsafeCell<Body>,
}

impl Slot {
    /// Whether it holds this frame.
    #[inline(always)]
    pub(super) fn holds(&self, number: u32) -> bool {
        // Acquire: pairs with the release in `publish`.
        self.sequence.load(Ordering::Acquire) == number
    }
}

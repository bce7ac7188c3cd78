//! What one slot of a ring holds: the number of its frame, the frame's head, and as much of its payload as has room.

use super::{IN_EXCHANGE_BUFFER, INLINE};
use crate::sync::{AtomicU32, Ordering, UnsafeCell};

/// What a frame says before its payload. Fixed layout: it crosses processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Head {
    /// Kind of the frame (`wire::Kind`).
    pub kind: u8,
    /// What the kind says; the upper five bits are the ring's.
    pub flags: u8,
    /// Payload bytes inside the slot, or inside two where there are more than [`INLINE`].
    pub inline: u16,
    pub context: u32,
    pub tag: i32,
    /// The sender's rank in the communicator.
    pub source: u32,
    /// A request of the sender or of the receiver, by kind.
    pub id: u32,
}

impl Head {
    /// Whether the frame takes two slots.
    #[inline(always)]
    pub fn is_wide(&self) -> bool {
        self.inline as usize > INLINE
    }
}

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

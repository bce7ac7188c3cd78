//! What one slot of a ring holds: the number of its frame, the frame's head, and as much of its payload as has room.

use super::{INLINE, SHUTTLED};
use crate::shm::past;
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
    /// Its bytes in order, as they lie in a slot after the number. By value, as a head whose address is taken would lie in memory, and be read
    /// from there by the usual path too.
    #[inline(always)]
    pub(super) fn words(self) -> (u32, u64, u64) {
        let [a, b] = self.inline.to_le_bytes();
        let first = u32::from_le_bytes([self.kind, self.flags, a, b]);
        let second = pair(self.context, self.tag.cast_unsigned());
        (first, second, pair(self.source, self.id))
    }

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

    /// The number of the shuttle where its body lies, if it lies in one.
    #[inline(always)]
    pub(super) fn shuttle(&self) -> Option<u32> {
        let [.., a, b, c, d] = self.inline;
        (self.head.flags & SHUTTLED != 0).then(|| u32::from_le_bytes([a, b, c, d]))
    }
}

#[repr(C, align(64))]
pub(super) struct Slot {
    /// [Says](say) the number of the frame in this slot, counted from 1: tells a fresh frame from last lap's.
    pub(super) sequence: AtomicU32,
    pub(super) body: UnsafeCell<Body>,
}

/// Of a slot's number: it has been stored [past the caches](past).
const PAST: u32 = 1;
/// Bytes of the longest payload that leaves room for the sum then.
pub(super) const PAST_MOST: usize = INLINE - size_of::<u64>();

/// What says, in a slot, which frame that holds.
#[inline(always)]
pub(super) fn say(number: u32) -> u32 {
    number << 1
}

impl Slot {
    #[cfg(all(test, not(loom)))]
    pub(super) fn is_past(&self) -> bool {
        self.sequence.load(Ordering::Relaxed) & PAST != 0
    }

    /// Whether it holds this frame.
    #[inline(always)]
    pub(super) fn holds(&self, number: u32) -> bool {
        // Acquire: pairs with the release in `publish`.
        let said = self.sequence.load(Ordering::Acquire);
        // SAFETY: its number says that it has been stored so.
        said == say(number) || said == say(number) | PAST && unsafe { past::all_come(self) }
    }

    /// Publishes frame `number` past the caches: the [words](Head::words) of its head, and a payload, as much of which counts as the head
    /// says. For the producer, which may write here.
    #[inline(never)]
    pub(super) fn write_past(
        &self,
        number: u32,
        a: u32,
        b: u64,
        c: u64,
        payload: &[u8; PAST_MOST],
    ) {
        let mut words = [0; past::WORDS];
        words[..3].copy_from_slice(&[pair(say(number) | PAST, a), b, c]);
        for (word, bytes) in words[3..past::SUM].iter_mut().zip(payload.as_chunks().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
        // SAFETY: the consumer has reported this slot as read, and we are the only producer; the number says how it is read.
        unsafe { past::store(self, words) };
    }
}

/// A word of two halves.
#[inline(always)]
fn pair(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << u32::BITS
}

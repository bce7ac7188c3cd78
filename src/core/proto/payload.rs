//! Memory for messages that have met no receive.
//!
//! What longer ones need is used again: some allocators give so much back to the system when it is freed. To have
//! its pages made anew for the next message costs more than the copy.

use crate::wire::INLINE;

/// Shortest message whose memory is used again.
const MIN_POOLED: usize = (4 << 10) + 1;
/// Most bytes that wait to be used again.
const MAX_POOLED: usize = 4 << 20;

/// A whole message.
pub(super) enum Payload {
    Short { len: u8, bytes: [u8; INLINE] },
    Long(Vec<u8>),
}

impl Payload {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Payload::Short { len, bytes } => &bytes[..*len as usize],
            Payload::Long(bytes) => bytes,
        }
    }
}

/// Memory that waits to be used again.
#[derive(Default)]
pub(super) struct BufferPool {
    /// What has been free for the shortest time is last.
    free: Vec<Vec<u8>>,
    /// Bytes of it.
    bytes: usize,
}

impl BufferPool {
    /// Empty memory for so many bytes.
    pub fn take(&mut self, bytes: usize) -> Vec<u8> {
        let fits = |spare: &Vec<u8>| spare.capacity() >= bytes && spare.capacity() / 4 <= bytes;
        match self
            .free
            .iter()
            .rposition(fits)
            .filter(|_| bytes >= MIN_POOLED)
        {
            Some(at) => {
                let spare = self.free.remove(at);
                self.bytes -= spare.capacity();
                spare
            }
            None => Vec::with_capacity(bytes),
        }
    }

    /// Memory that is no longer needed.
    pub fn give(&mut self, mut memory: Vec<u8>) {
        let bytes = memory.capacity();
        if bytes >= MIN_POOLED && self.bytes + bytes <= MAX_POOLED {
            memory.clear();
            self.bytes += bytes;
            self.free.push(memory);
        }
    }

    /// A message that lies in two places, kept.
    pub fn keep(&mut self, first: &[u8], second: &[u8]) -> Payload {
        let len = first.len() + second.len();
        if len <= INLINE {
            let mut bytes = [0; INLINE];
            bytes[..first.len()].copy_from_slice(first);
            bytes[first.len()..len].copy_from_slice(second);
            return Payload::Short {
                len: len as u8,
                bytes,
            };
        }
        let mut bytes = self.take(len);
        bytes.extend_from_slice(first);
        bytes.extend_from_slice(second);
        Payload::Long(bytes)
    }

    /// A message has been received.
    pub fn done_with(&mut self, payload: Payload) {
        if let Payload::Long(bytes) = payload {
            self.give(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_for_messages_of_about_its_length() {
        let mut pool = BufferPool::default();
        let payload = pool.keep(&[1; 5000], &[2; 3000]);
        assert_eq!(payload.bytes()[4999..5001], [1, 2]);
        let place = payload.bytes().as_ptr();
        pool.done_with(payload);
        // Too long, and too short.
        for other in [9000, 100, MIN_POOLED - 1] {
            let memory = pool.take(other);
            assert!(memory.is_empty() && memory.capacity() >= other);
            assert_ne!(memory.as_ptr(), place);
        }
        let again = pool.keep(&[3; 6000], &[]);
        assert_eq!(again.bytes(), [3; 6000]);
        assert_eq!(again.bytes().as_ptr(), place);
    }

    #[test]
    fn no_more_than_some_memory_waits_to_be_used_again() {
        let mut pool = BufferPool::default();
        let bytes = 64 << 10;
        let kept = (0..2 * MAX_POOLED / bytes).map(|_| Vec::with_capacity(bytes));
        kept.for_each(|memory| pool.give(memory));
        assert_eq!(pool.bytes, MAX_POOLED);
        let taken = (0..pool.free.len()).map(|_| pool.take(bytes));
        assert_eq!(taken.collect::<Vec<_>>().len(), MAX_POOLED / bytes);
        assert_eq!(pool.bytes, 0);
    }
}

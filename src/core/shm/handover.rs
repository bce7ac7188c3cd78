//! Contributions that change hands: of two members, who has read one has the memory where it lies.
//!
//! What [exchange buffers](super::exchange_buffer) are to messages: beside each member's lane lie some pieces of
//! memory that one of the two has at a time, its own at first. A contribution that only the other member reads may
//! lie in one. The other member has that exchange buffer once it has ended the operation, and writes its own next
//! contribution there. So it writes to lines that it has just read, and that nobody else uses. What came last is used
//! first. Who has none left uses its slots and its lane.
//!
//! An exchange buffer whose contribution the other member does not read to its end, as lengths do not agree, is nobody's from then on.

use std::cell::{Cell, RefCell};

use super::collective::{CollSegment, MemberMemory, SHORT_BUFFER};
use crate::sync::PlainCell;

/// Exchange buffers of each member.
pub(super) const PER_MEMBER: usize = 4;

/// Bytes of each exchange buffer of members with this memory, at most: none, if they have none.
pub(super) fn bytes(member_memory: &[MemberMemory], crowded: bool) -> usize {
    let some = member_memory.len() == 2 && !crowded;
    let bytes = member_memory
        .iter()
        .map(|memory| memory.exchange_buffers.len() / PER_MEMBER);
    bytes.min().filter(|_| some).unwrap_or(0)
}

/// What a member knows of exchange buffers.
pub(super) struct Handover {
    /// Those that this member has, the latest one last. Number `PER_MEMBER * rank + n` lies beside `rank`'s lane.
    here: RefCell<Vec<u32>>,
    /// The latest operation that this member's contribution to lies in an exchange buffer, and which.
    gone: Cell<(u64, u32)>,
    /// The latest operation whose contribution came in an exchange buffer, and which.
    came: Cell<(u64, u32)>,
}

impl Handover {
    /// Of member `me`, which has `some` or none.
    pub fn new(me: usize, some: bool) -> Handover {
        let own = (me * PER_MEMBER) as u32..((me + 1) * PER_MEMBER) as u32;
        Handover {
            here: RefCell::new(own.rev().filter(|_| some).collect()),
            gone: Cell::new((0, 0)),
            came: Cell::new((0, 0)),
        }
    }

    /// What this member's contribution to operation `number` lies in, if that is an exchange buffer.
    #[inline(always)]
    pub fn gone(&self, number: u64) -> Option<u32> {
        let (gone, exchange_buffer) = self.gone.get();
        (gone == number).then_some(exchange_buffer)
    }

    /// What has come in operation `number` is this member's.
    #[inline(always)]
    pub fn end(&self, number: u64) {
        let (came, exchange_buffer) = self.came.get();
        if came == number {
            self.came.set((0, 0));
            self.here.borrow_mut().push(exchange_buffer);
        }
    }
}

impl CollSegment {
    /// This member's contribution of `length` bytes to operation `number` is to lie in an exchange buffer. It does
    /// if there is one and the length gains by it. Nobody but the other member reads it then.
    #[inline(always)]
    pub fn hand_over(&self, number: u64, length: u64) {
        let fits = length > SHORT_BUFFER as u64 && length <= self.block() as u64;
        if !fits || self.has_given(number) || self.handover.gone(number).is_some() {
            return;
        }
        if let Some(exchange_buffer) = self.handover.here.borrow_mut().pop() {
            self.handover.gone.set((number, exchange_buffer));
        }
    }

    /// The exchange buffer that this member's contribution to operation `number` lies in, if any.
    #[inline]
    pub fn gone(&self, number: u64) -> Option<u32> {
        self.handover.gone(number)
    }

    /// How many exchange buffers this member has.
    #[cfg(test)]
    pub fn exchange_buffers_here(&self) -> usize {
        self.handover.here.borrow().len()
    }

    /// Another member's contribution to operation `number` has come in an exchange buffer and is read until the operation ends.
    #[inline]
    pub fn came(&self, number: u64, exchange_buffer: u32) {
        self.handover.came.set((number, exchange_buffer));
    }

    #[inline]
    fn exchange_buffer(&self, number: u32) -> &'static [PlainCell<u8>] {
        let (rank, index) = (number as usize / PER_MEMBER, number as usize % PER_MEMBER);
        &self.member_memory[rank].exchange_buffers[index * self.block()..][..self.block()]
    }

    /// Bytes of an exchange buffer from `start` on, to be written.
    #[inline]
    pub fn fill_exchange_buffer(
        &self,
        exchange_buffer: u32,
        start: usize,
        bytes: usize,
        fill: impl FnOnce(&mut [u8]),
    ) {
        let place = &self.exchange_buffer(exchange_buffer)[start..start + bytes];
        // SAFETY: cells may be written to; this member has the exchange buffer, and has not told the other one of these bytes yet.
        fill(unsafe { std::slice::from_raw_parts_mut(place.as_ptr().cast_mut().cast(), bytes) });
    }

    /// Bytes of an exchange buffer that has come, after waiting for them.
    #[inline]
    pub fn exchange_buffer_bytes(&self, exchange_buffer: u32, start: usize, bytes: usize) -> &[u8] {
        let place = &self.exchange_buffer(exchange_buffer)[start..start + bytes];
        // SAFETY: who has written them has told of them and does not write there before the exchange buffer comes back to it.
        unsafe { std::slice::from_raw_parts(place.as_ptr().cast(), bytes) }
    }
}

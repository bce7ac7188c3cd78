//! Shuttles: pieces of memory between two processes that one of them has at a time.
//!
//! They lie beside the two rings; each ring's producer has its own at first. Who has a shuttle may write a body there; who has
//! read that has the shuttle then, whichever way its own next message goes. So an answer is written where what it answers has just
//! been read, in lines that are in the writer's cache and, as processors hand over lines that have been written, in no other. What
//! has been read last is written first, while it is in a cache for certain.
//!
//! The frames of such bodies go through the ring, and say in which shuttle their bodies lie: a long one in several, which lie one behind
//! the other.

use std::ops::Range;

use super::ring::MAX_BODY;
use crate::sync::PlainCell;

/// Bytes of a shuttle.
pub const SHUTTLE: usize = MAX_BODY / 4;

/// All shuttles between two processes, as one of them sees them: first those beside the ring that it writes to, by number, then
/// those beside the one the other way.
#[derive(Clone, Copy)]
pub(super) struct Shuttles<'a> {
    own: &'a [PlainCell<u8>],
    other: &'a [PlainCell<u8>],
}

impl<'a> Shuttles<'a> {
    /// `own` and `other`, the memory beside either ring, are equally long.
    pub fn new(own: &'a [PlainCell<u8>], other: &'a [PlainCell<u8>]) -> Shuttles<'a> {
        Shuttles { own, other }
    }

    /// Number of those beside each ring.
    fn each(self) -> u32 {
        (self.own.len() / SHUTTLE) as u32
    }

    /// Those that this process has at first.
    pub fn own(self) -> Vec<u32> {
        (0..self.each()).collect()
    }

    /// What this process calls a shuttle that the other one calls `number`, if there is one.
    pub fn turned(self, number: u32) -> Option<u32> {
        let each = self.each();
        match number < each {
            true => Some(number + each),
            false => Some(number - each).filter(|&number| number < each),
        }
    }

    /// Where one of this side's lies in its ring's.
    pub fn own_place(self, number: u32) -> Option<usize> {
        (number < self.each()).then_some(number as usize * SHUTTLE)
    }

    /// `len` bytes from the beginning of a shuttle on, or as many as there are up to the last one's end.
    pub fn place(self, number: u32, len: usize) -> &'a [PlainCell<u8>] {
        let (memory, at) = match number.checked_sub(self.each()) {
            None => (self.own, number),
            Some(at) => (self.other, at),
        };
        let memory = &memory[at as usize * SHUTTLE..];
        &memory[..len.min(memory.len())]
    }

    /// Those that a body of so many bytes takes which begins in this one: as many as hold it, and there are. An empty body needs
    /// one too.
    pub fn held(self, number: u32, len: usize) -> Range<u32> {
        let each = self.each();
        let end = if number < each { each } else { 2 * each };
        let count = len.min(MAX_BODY).div_ceil(SHUTTLE).max(1) as u32;
        number..end.min(number + count)
    }

    /// Whether the second of these lies right behind the first.
    pub fn follows(self, first: u32, second: u32) -> bool {
        second == first + 1 && second != self.each()
    }
}

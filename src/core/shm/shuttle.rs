//! Shuttles: pieces of memory between two processes that one of them has at a time.
//!
//! They lie beside the two rings; each ring's producer has its own at first. Who has a shuttle may write a body there; who has
//! read that has the shuttle then, whichever way its own next message goes. So an answer is written where what it answers has just
//! been read, in lines that are in the writer's cache and, as processors hand over lines that have been written, in no other. What
//! has been read last is written first, while it is in a cache for certain.
//!
//! The frames of such bodies go through the ring, and say in which shuttle their bodies lie.

use super::ring::MAX_BODY;
use crate::sync::PlainCell;

/// Bytes of a shuttle.
pub const SHUTTLE: usize = MAX_BODY / 2;

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

    /// The first `len` bytes of a shuttle, or as many as it has.
    pub fn place(self, number: u32, len: usize) -> &'a [PlainCell<u8>] {
        let (memory, at) = match number.checked_sub(self.each()) {
            None => (self.own, number),
            Some(at) => (self.other, at),
        };
        &memory[at as usize * SHUTTLE..][..len.min(SHUTTLE)]
    }
}

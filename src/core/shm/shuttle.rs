//! Shuttles: pieces of memory between two processes that one of them has at a time.
//!
//! They lie beside the two rings; each ring's producer has its own at first. Who has a shuttle may write a body there; who has
//! read that has the shuttle then, whichever way its own next message goes. So an answer is written where what it answers has just
//! been read, in lines that are in the writer's cache and, as processors hand over lines that have been written, in no other. What
//! has been read last is written first, while it is in a cache for certain: in an exchange whose sides write and read by turns
//! a few shuttles go to and fro.
//!
//! The frames of such bodies go through the ring, and say in which shuttle their bodies lie.

use super::ring::MAX_BODY;
use crate::sync::PlainCell;

/// Bytes of a shuttle.
pub const SHUTTLE: usize = MAX_BODY / 2;

/// Of the memory of the shuttles of both rings: that of the ring that a process writes to.
const OWN: usize = 0;
/// That of the ring the other way.
const OTHER: usize = 1;

/// The memory of all shuttles between two processes, as one of them sees it.
#[derive(Clone, Copy)]
pub(super) struct Shuttles<'a> {
    memory: [&'a [PlainCell<u8>]; 2],
}

impl<'a> Shuttles<'a> {
    /// `own` and `other` lie beside the ring that this process writes to, and beside the one the other way; they are equally long.
    pub fn new(own: &'a [PlainCell<u8>], other: &'a [PlainCell<u8>]) -> Shuttles<'a> {
        Shuttles {
            memory: [own, other],
        }
    }

    fn each(self) -> usize {
        self.memory[OWN].len() / SHUTTLE
    }

    /// Those that this process has at first, by number.
    pub fn own(self) -> Vec<u32> {
        (0..self.each() as u32).collect()
    }

    /// What the other process calls a shuttle, if there is one of this number.
    pub fn turned(self, number: u32) -> Option<u32> {
        let each = self.each() as u32;
        match number < each {
            true => Some(number + each),
            false => Some(number - each).filter(|&number| number < each),
        }
    }

    /// The first `len` bytes of a shuttle.
    pub fn place(self, number: u32, len: usize) -> &'a [PlainCell<u8>] {
        let (number, each) = (number as usize, self.each());
        let (memory, at) = match number < each {
            true => (self.memory[OWN], number),
            false => (self.memory[OTHER], number - each),
        };
        &memory[at * SHUTTLE..][..len.min(SHUTTLE)]
    }
}

//! Exchange buffers: pieces of memory between two processes that one of them has at a time.
//!
//! They lie beside the two rings; each ring's producer has its own at first. Who has an exchange buffer may write a
//! body there; who has read that has the exchange buffer then, whichever way its own next message goes. So an answer
//! is written where what it answers has just been read. These lines are in the writer's cache, and in no other, as
//! processors hand over lines that have been written.
//!
//! The frames of such bodies go through the ring, and say in which exchange buffer their bodies lie: a long one in several, which lie one behind
//! the other.

pub(super) mod free_buffers;

use std::ops::Range;

use super::ring::{MAX_BODY, MAX_BYTES};
use crate::sync::PlainCell;

/// Bytes of an exchange buffer.
pub const EXCHANGE_BUFFER: usize = MAX_BODY / 4;

/// Most bytes of a body that lies in exchange buffers one behind the other.
pub const MAX_ADJOINING: usize = 4 * MAX_BODY;

/// Numbers of the exchange buffers beside one ring.
const PER_RING: u32 = (MAX_BYTES / EXCHANGE_BUFFER) as u32;

/// Which of the two rings between two processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// From the lower process to the higher one, or from one to itself.
    First,
    Second,
}

impl Half {
    /// That of the ring from one process to another.
    pub fn of(source: usize, destination: usize) -> Half {
        match source <= destination {
            true => Half::First,
            false => Half::Second,
        }
    }
}

/// All exchange buffers between two processes: those beside the first ring, then those beside the second one.
#[derive(Clone, Copy)]
pub(super) struct ExchangeBuffers<'a>([&'a [PlainCell<u8>]; 2]);

impl<'a> ExchangeBuffers<'a> {
    /// The memory beside the one ring and the other, which are equally long.
    pub fn new(one: (Half, &'a [PlainCell<u8>]), other: (Half, &'a [PlainCell<u8>])) -> Self {
        let mut halves = [one.1; 2];
        halves[other.0 as usize] = other.1;
        ExchangeBuffers(halves)
    }

    /// Number of those beside each ring.
    #[inline]
    pub fn each(self) -> u32 {
        (self.0[0].len() / EXCHANGE_BUFFER) as u32
    }

    /// Those beside a ring.
    pub fn beside(self, half: Half) -> Range<u32> {
        let first = half as u32 * PER_RING;
        first..first + self.each()
    }

    /// The number that the other process has said, if there is such an exchange buffer.
    #[inline]
    pub fn known(self, number: u32) -> Option<u32> {
        let (_, at) = parted(number);
        (number < 2 * PER_RING && at < self.each()).then_some(number)
    }

    /// The ring that one lies beside, and where.
    #[inline]
    pub fn place(self, number: u32) -> (Half, usize) {
        let (half, at) = parted(number);
        let half = match half {
            0 => Half::First,
            _ => Half::Second,
        };
        (half, at as usize * EXCHANGE_BUFFER)
    }

    /// `len` bytes from the beginning of an exchange buffer on, or as many as there are up to the last one's end.
    #[inline(always)]
    pub fn memory(self, number: u32, len: usize) -> &'a [PlainCell<u8>] {
        let (half, at) = self.place(number);
        let memory = &self.0[half as usize][at..];
        &memory[..len.min(memory.len())]
    }

    /// Those that a body of so many bytes takes which begins in this one: as many as hold it, and there are. An empty body needs
    /// one too.
    #[inline]
    pub fn of_body(self, number: u32, len: usize) -> Range<u32> {
        let (_, at) = parted(number);
        let count = len.min(MAX_ADJOINING).div_ceil(EXCHANGE_BUFFER).max(1) as u32;
        number..number + count.min(self.each() - at)
    }
}

/// The half of an exchange buffer, and its number there.
#[inline]
fn parted(number: u32) -> (u32, u32) {
    (number / PER_RING, number % PER_RING)
}

//! Where contributions lie, and how members read those of others; [`giving`](super::giving) writes them.
//!
//! Before a member contributes, [`CollSegment::due`] says what the others must have finished. Must not know of lanes, nor what
//! a contribution is for.

use super::layout::{
    FIRST_LINE, IN_EXCHANGE_BUFFER, INLINE, LINES, Line, OFFERS, SHORT_BUFFER, SLOT,
};
use super::{CollSegment, Watch};
use crate::datatype::block::{prefetch, prefetch_to_write};
use crate::shm::prefault;
use crate::sync::{Ordering, PlainCell};

/// Half of the lines of a member slot, which are cleared together.
const HALF_OF_LINES: u64 = LINES as u64 / 2;
/// So many operations ahead a member asks for its line that [runs ahead](CollSegment::run_ahead); a few more or less do as well.
const LINES_AHEAD: u64 = 8;

impl CollSegment {
    /// Before `length` bytes can be contributed to operation `number`: what all members must have finished,
    /// if that is not known.
    #[inline(always)]
    pub fn due(&self, number: u64, length: u64) -> Option<u64> {
        let half = number / HALF_OF_LINES;
        let lies_in_slots = length > SHORT_BUFFER as u64 && length <= SLOT as u64;
        match half == self.cleared.get() && !lies_in_slots {
            true => None,
            false => self.due_apart(number, length),
        }
    }

    /// [`due`](Self::due), where that takes more than a look.
    #[inline(never)]
    fn due_apart(&self, number: u64, length: u64) -> Option<u64> {
        let half = number / HALF_OF_LINES;
        if half != self.cleared.get() && half != 0 {
            let least = (half - 1) * HALF_OF_LINES;
            if self.settled.get() < least {
                return Some(least);
            }
            self.cleared.set(half);
        }
        match length > SHORT_BUFFER as u64 && length <= SLOT as u64 && self.gone(number).is_none() {
            true => self.due_in_slots(number, length as usize),
            false => None,
        }
    }

    /// [`due`](Self::due) for what lies in slots, where it gets a place if there is one.
    #[inline]
    fn due_in_slots(&self, number: u64, length: usize) -> Option<u64> {
        let found = self.slots.find(number, length, self.settled.get());
        let due = match found {
            true => None,
            false => self.find_more(number, length),
        };
        if let Some(prefault) = self.slots.prefault() {
            prefault::make(&self.member_memory[self.me].slots[prefault]);
        }
        due
    }

    #[cold]
    fn find_more(&self, number: u64, length: usize) -> Option<u64> {
        let others = (0..self.size()).filter(|rank| *rank != self.me);
        let finished = |rank: usize| self.member_slots[rank].finished.0.load(Ordering::Acquire);
        self.settle(others.map(finished).min().unwrap_or(number));
        let settled = self.settled.get();
        match self.slots.find(number, length, settled) {
            true => None,
            false => self.slots.find_more(number, length, settled),
        }
    }

    /// Whether `length` bytes can be contributed to operation `number`.
    #[inline]
    pub fn is_free(&self, number: u64, length: u64) -> bool {
        while let Some(least) = self.due(number, length) {
            if !self.finds_free(least) {
                return false;
            }
        }
        true
    }

    #[cold]
    fn finds_free(&self, least: u64) -> bool {
        let mut others = (0..self.size()).filter(|rank| *rank != self.me);
        let free = others.all(|rank| self.finished(rank, least).ready());
        if free {
            self.settle(least);
        }
        free
    }

    #[inline(always)]
    pub(super) fn line(&self, rank: usize, number: u64) -> &'static Line {
        &self.member_slots[rank].lines[number as usize % LINES]
    }

    #[inline(always)]
    pub(super) fn short_buffer(
        &self,
        rank: usize,
        number: u64,
    ) -> &'static PlainCell<[u8; SHORT_BUFFER]> {
        // Downwards, as the bodies of a ring lie.
        &self.member_memory[rank].short_buffers[!number as usize % LINES]
    }

    /// Bytes of `rank`'s slots.
    #[inline(always)]
    pub(super) fn slot(&self, rank: usize, start: usize, bytes: usize) -> &'static [PlainCell<u8>] {
        &self.member_memory[rank].slots[start..start + bytes]
    }

    /// Asks for the place of `rank`'s contribution to operation `number`, if one of `length` bytes lies beside its number or in a
    /// short buffer: its lines then come together with its number.
    #[inline(always)]
    pub fn foresee_short(&self, rank: usize, number: u64, length: u64) {
        if length <= FIRST_LINE as u64 || length > SHORT_BUFFER as u64 {
            return;
        }
        if length <= INLINE as u64 {
            prefetch(
                std::ptr::from_ref(self.line(rank, number))
                    .cast::<u8>()
                    .wrapping_add(64),
            );
        } else {
            self.short_buffer(rank, number).with(|short_buffer| {
                for at in (0..length as usize).step_by(64) {
                    prefetch(short_buffer.cast::<u8>().wrapping_add(at));
                }
            });
        }
    }

    /// This member sends `rank` a message in operation `number`: whether it has done so before since it last waited for what others
    /// contribute, and so runs ahead of that one.
    pub fn sends_ahead_of(&self, rank: usize, number: u64) -> bool {
        self.sent[rank].replace(number) > self.heard.get()
    }

    /// What `rank` has said beside its contribution to operation `number`, which is there, and no slot would hold.
    pub fn remark(&self, rank: usize, number: u64) -> u64 {
        let line = self.line(rank, number);
        assert!(line.is_of(number));
        // SAFETY: as in `read_kind`.
        line.contents
            .with(|contents| unsafe { (*contents).remark() })
    }

    /// To wait for `rank`'s contribution to operation `number`.
    #[inline(always)]
    pub fn contributed(&self, rank: usize, number: u64) -> Watch {
        self.heard.set(number);
        Watch {
            word: &self.line(rank, number).number,
            least: number,
            owner: rank,
        }
    }

    /// Asks for the line of `rank`'s contribution to operation `number`, which probably is there already.
    #[inline]
    pub fn foresee(&self, rank: usize, number: u64) {
        prefetch(std::ptr::from_ref(self.line(rank, number)).cast());
    }

    /// Asks for the lines of this member's contribution to an operation some after `number`, to write one of `length` bytes: for who
    /// waits for nobody, and so runs ahead until it waits for its lines. Others lose by it.
    #[inline]
    pub fn run_ahead(&self, number: u64, length: u64) {
        if length > INLINE as u64 {
            return;
        }
        let line = std::ptr::from_ref(self.line(self.me, number + LINES_AHEAD)).cast::<u8>();
        prefetch_to_write(line);
        if length > FIRST_LINE as u64 {
            prefetch_to_write(line.wrapping_add(64));
        }
    }

    /// What `rank` has contributed to operation `number`, after waiting for it: the length that it
    /// announced, and the bytes unless they are more than a slot holds.
    #[inline]
    pub fn contribution(&self, rank: usize, number: u64) -> (u64, &[u8]) {
        self.read_kind(rank, number).0
    }

    /// [`contribution`](Self::contribution), if it lies in a slot and is data.
    #[inline(always)]
    pub fn short(&self, rank: usize, number: u64) -> Option<&[u8]> {
        let ((length, bytes), offers) = self.read_kind(rank, number);
        (length == bytes.len() as u64 && !offers).then_some(bytes)
    }

    /// [`contribution`](Self::contribution), and whether it is offers.
    #[inline(always)]
    pub(in crate::shm) fn read_kind(&self, rank: usize, number: u64) -> ((u64, &[u8]), bool) {
        let line = self.line(rank, number);
        assert!(line.is_of(number));
        line.contents.with(|contents| {
            // SAFETY: the number says that the contents are written, and the owner writes them again only
            // after this member has finished the operation.
            let contents = unsafe { &*contents };
            let length = contents.length & !(OFFERS | IN_EXCHANGE_BUFFER);
            let bytes = if length <= INLINE as u64 {
                &contents.inline[..length as usize]
            } else if contents.length & IN_EXCHANGE_BUFFER != 0 && length <= SLOT as u64 {
                debug_assert!(rank != self.me, "what has gone is the other member's");
                let exchange_buffer = contents.place();
                self.came(number, exchange_buffer);
                self.exchange_buffer_bytes(exchange_buffer, 0, length as usize)
            } else if length <= SHORT_BUFFER as u64 {
                // SAFETY: as above.
                self.short_buffer(rank, number)
                    .with(|short_buffer| unsafe { &(&*short_buffer)[..length as usize] })
            } else if length <= SLOT as u64 {
                let slot = self.slot(rank, contents.place() as usize, length as usize);
                // SAFETY: as above.
                unsafe { std::slice::from_raw_parts(slot.as_ptr().cast(), slot.len()) }
            } else {
                &[]
            };
            ((length, bytes), contents.length & OFFERS != 0)
        })
    }

    /// The exchange buffer that `rank`'s contribution to operation `number`, which is there, lies in, if any.
    pub fn comes_in(&self, rank: usize, number: u64) -> Option<u32> {
        let line = self.line(rank, number);
        assert!(line.is_of(number));
        line.contents.with(|contents| {
            // SAFETY: as in `read_kind`.
            let contents = unsafe { &*contents };
            (contents.length & IN_EXCHANGE_BUFFER != 0).then(|| contents.place())
        })
    }

    /// Whether this member has contributed to operation `number`.
    #[inline(always)]
    pub(in crate::shm) fn has_given(&self, number: u64) -> bool {
        self.given.get() == number
    }
}

//! Long contributions to an [`Area`], in slots or, pass by pass, in lanes, written by their owner and read by others.
//!
//! How those of an operation are written is chosen as for the bodies of a ring ([`stores`](super::stores)): the owner says with
//! the length of its contribution whether it times its writing, and who reads it then times that, and says in its own seat what it
//! took. May assume that only the owner writes to a lane, and that a reader has waited for what it reads.

use std::cell::{Cell, RefCell};

use super::collective::Area;
use super::stores::{Costs, LEAST, Reading, Rule, Told, Writing, ask, asked, ticks};
use crate::datatype::Stores;
use crate::sync::{AtomicU64, Ordering};

/// How far a member is in the operations that use lanes, and what reading the others' costs it.
#[repr(C, align(64))]
pub(super) struct Position {
    pub number: AtomicU64,
    told: Told,
}

impl Position {
    #[cfg(any(test, loom))]
    pub fn new() -> Position {
        Position {
            number: AtomicU64::new(0),
            told: Told::new(),
        }
    }

    /// For the owner, while nobody else looks.
    pub fn reset(&self) {
        self.told.say(Costs::default());
        self.number.store(0, Ordering::Release);
    }
}

/// Where a length asks for a contribution to be timed.
const ASKS: u32 = 61;
/// All that is said there.
pub(super) const TIMED: u64 = 3 << ASKS;

/// What a member needs to choose.
pub(super) struct Lanes {
    writing: RefCell<Writing>,
    reading: RefCell<Reading>,
    /// What has been chosen for the operation of this number, and whether it is timed.
    chosen: Cell<(u64, Stores, bool)>,
}

impl Lanes {
    pub fn new(rule: Rule) -> Lanes {
        Lanes {
            writing: RefCell::new(Writing::new(rule)),
            reading: RefCell::new(Reading::new()),
            chosen: Cell::new((0, Stores::Temporal, false)),
        }
    }
}

impl Area {
    /// The stores for this member's lane in operation `number`, and whether writing and reading it are timed.
    #[inline]
    fn lane_stores(&self, number: u64) -> (Stores, bool) {
        let (chosen, stores, timed) = self.lanes.chosen.get();
        match chosen == number {
            true => (stores, timed),
            false => self.choose_stores(number),
        }
    }

    #[cold]
    fn choose_stores(&self, number: u64) -> (Stores, bool) {
        let mut writing = self.lanes.writing.borrow_mut();
        let stores = writing.next(false, || self.told());
        let timed = writing.is_timed(LEAST);
        if timed {
            writing.hear(self.told());
        }
        self.lanes.chosen.set((number, stores, timed));
        (stores, timed)
    }

    /// What reading costs the others, at most.
    fn told(&self) -> Costs {
        let others = (0..self.size()).filter(|rank| *rank != self.me);
        others
            .map(|rank| self.seats[rank].position.told.costs())
            .fold(Costs::default(), Costs::max)
    }

    /// What to say with the length of a long contribution to operation `number`.
    #[inline]
    pub(super) fn says_timed(&self, number: u64) -> u64 {
        let (stores, is_timed) = self.lane_stores(number);
        match is_timed {
            true => u64::from(ask(stores)) << ASKS,
            false => 0,
        }
    }

    /// Has `place` filled by the stores that are the fastest, or tried, in operation `number`.
    #[inline]
    pub(super) fn fill_by(
        &self,
        number: u64,
        place: &mut [u8],
        fill: impl FnOnce(&mut [u8], Stores),
    ) {
        let bytes = place.len();
        if bytes < LEAST {
            return fill(place, Stores::Temporal);
        }
        let (stores, timed) = self.lane_stores(number);
        let begun = timed.then(ticks);
        fill(place, stores);
        if let Some(begun) = begun {
            let took = ticks().wrapping_sub(begun);
            self.lanes.writing.borrow_mut().wrote(stores, bytes, took);
        }
    }

    /// Bytes of this member's lane from `start` on, to be written.
    #[inline]
    pub fn fill_lane(&self, start: usize, bytes: usize, fill: impl FnOnce(&mut [u8])) {
        let place = &self.rooms[self.me].lane[start..start + bytes];
        // SAFETY: cells may be written to; only the owner writes here, and nobody reads it yet (`lent`, `stepped`).
        fill(unsafe { std::slice::from_raw_parts_mut(place.as_ptr().cast_mut().cast(), bytes) });
    }

    /// [`fill_lane`](Self::fill_lane) by the stores that are the fastest, or tried, in operation `number`.
    #[inline]
    pub fn fill_lane_by(
        &self,
        number: u64,
        start: usize,
        bytes: usize,
        fill: impl FnOnce(&mut [u8], Stores),
    ) {
        self.fill_lane(start, bytes, |lane| self.fill_by(number, lane, fill));
    }

    /// Bytes of `rank`'s lane, after waiting for the step that says that they are there.
    #[inline]
    pub fn lane(&self, rank: usize, start: usize, bytes: usize) -> &[u8] {
        let place = &self.rooms[rank].lane[start..start + bytes];
        // SAFETY: the step was waited for; the owner writes here again only after it has waited for
        // this member's next one.
        unsafe { std::slice::from_raw_parts(place.as_ptr().cast(), bytes) }
    }

    /// Runs what reads `bytes` bytes of what `rank` has contributed to operation `number`, and times it if that rank has asked
    /// for it.
    #[inline(always)]
    pub fn reading<T>(
        &self,
        rank: usize,
        number: u64,
        bytes: usize,
        read: impl FnOnce() -> T,
    ) -> T {
        let asked = || asked((self.said(rank, number) >> ASKS) as u8);
        let timed = (bytes >= LEAST).then(asked).flatten();
        let begun = timed.map(|_| ticks());
        let done = read();
        if let Some((stores, begun)) = timed.zip(begun) {
            self.note_reading(stores, bytes, ticks().wrapping_sub(begun));
        }
        done
    }

    #[cold]
    fn note_reading(&self, stores: Stores, bytes: usize, took: u64) {
        let mut reading = self.lanes.reading.borrow_mut();
        reading.read(stores, bytes, took);
        if let Some(costs) = reading.news() {
            self.seats[self.me].position.told.say(costs);
        }
    }
}

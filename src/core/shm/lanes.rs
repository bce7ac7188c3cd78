//! Long contributions to an [`Area`], in slots or, pass by pass, in lanes, written by their owner and read by others.
//!
//! How those of an operation are written is chosen as for the bodies of a ring ([`stores`](super::stores)): the owner says with
//! the length of its contribution whether it times its writing, and who reads it then times that, and says in its own seat what it
//! took. What passes through a whole lane is learned by itself, and each of it is timed once the lane has come round: there are
//! few such operations, and what is best for a window that stays in caches is not for them. Between two members these begin with
//! the stores that are likely the fastest at their [distance](super::distance), and begin again when that changes: a change that
//! only the times tell has been paid for by then. May assume that only the owner writes
//! to a lane, and that a reader has waited for what it reads.

use std::cell::{Cell, RefCell};

use super::collective::Area;
use super::distance::Distance;
use super::stores::{Costs, LEAST, Reading, Rule, Told, Writing, ask, asked, ticks};
use crate::datatype::Stores;
use crate::sync::{AtomicU64, Ordering};

/// How far a member is in the operations that use lanes, and what reading the others' costs it.
#[repr(C, align(64))]
pub(super) struct Position {
    pub number: AtomicU64,
    /// By [`Extent`].
    told: [Told; 2],
}

impl Position {
    #[cfg(any(test, loom))]
    pub fn new() -> Position {
        Position {
            number: AtomicU64::new(0),
            told: [Told::new(), Told::new()],
        }
    }

    /// For the owner, while nobody else looks.
    pub fn reset(&self) {
        for told in &self.told {
            told.say(Costs::default());
        }
        self.number.store(0, Ordering::Release);
    }
}

/// Where a contribution lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// In a slot or a window.
    Part,
    /// It passes through the lane.
    Whole,
}

impl Extent {
    /// Of a contribution of so many bytes that has not been written before it is announced.
    fn of(length: u64, window: usize) -> Extent {
        match length <= window as u64 {
            true => Extent::Part,
            false => Extent::Whole,
        }
    }
}

/// Where a length asks for a contribution to be timed: two bits of [`ask`], and one for its [`Extent`].
const ASKS: u32 = 60;
/// All that is said there.
pub(super) const TIMED: u64 = 7 << ASKS;

/// What has been chosen for an operation.
#[derive(Clone, Copy)]
struct Chosen {
    number: u64,
    extent: Extent,
    stores: Stores,
    timed: bool,
}

/// What a member needs to choose, by [`Extent`].
pub(super) struct Lanes {
    writing: [RefCell<Writing>; 2],
    reading: [RefCell<Reading>; 2],
    /// How far the other member was, if there is but one, in the latest operation that passed through lanes.
    distance: Cell<Distance>,
    /// For the latest operation.
    chosen: Cell<Chosen>,
    /// Bytes of the lane that are in use for what passes through it.
    used: Cell<usize>,
    /// So many of them have still to be written to for the first time, which takes long and says nothing.
    fresh: Cell<usize>,
}

impl Lanes {
    pub fn new(rule: Rule) -> Lanes {
        Lanes {
            writing: [Writing::new(rule), Writing::new(rule).of_long_ones()].map(RefCell::new),
            reading: [Reading::new(), Reading::new()].map(RefCell::new),
            distance: Cell::default(),
            chosen: Cell::new(Chosen {
                number: 0,
                extent: Extent::Part,
                stores: Stores::Temporal,
                timed: false,
            }),
            used: Cell::new(0),
            fresh: Cell::new(0),
        }
    }
}

impl Area {
    /// The stores for this member's contribution to operation `number`, of which `bytes` bytes come next, and whether writing and
    /// reading it are timed.
    #[inline]
    fn lane_stores(&self, number: u64, extent: Extent, bytes: u64) -> Chosen {
        let chosen = self.lanes.chosen.get();
        match chosen.number == number {
            true => chosen,
            false => self.choose_stores(number, extent, bytes),
        }
    }

    #[cold]
    fn choose_stores(&self, number: u64, extent: Extent, bytes: u64) -> Chosen {
        let mut writing = self.lanes.writing[extent as usize].borrow_mut();
        if extent == Extent::Whole {
            let (used, fresh) = (self.lane_in_use(number), &self.lanes.fresh);
            fresh.set(fresh.get() + used - self.lanes.used.replace(used));
            let distance = self.distance(bytes);
            if self.lanes.distance.replace(distance) != distance {
                writing.begin_with(match distance {
                    Distance::Near => Stores::Temporal,
                    Distance::Far => Stores::NonTemporal,
                });
            }
        }
        let told = || self.told(extent);
        let stores = writing.next(false, told);
        let timed = match extent {
            Extent::Part => writing.is_timed(LEAST),
            Extent::Whole => writing.is_open() && self.lanes.fresh.get() == 0,
        };
        if timed {
            writing.hear(told());
        }
        let chosen = Chosen {
            number,
            extent,
            stores,
            timed,
        };
        self.lanes.chosen.set(chosen);
        chosen
    }

    /// What reading costs the others, at most.
    fn told(&self, extent: Extent) -> Costs {
        let others = (0..self.size()).filter(|rank| *rank != self.me);
        others
            .map(|rank| self.seats[rank].position.told[extent as usize].costs())
            .fold(Costs::default(), Costs::max)
    }

    /// What to say with the length of a long contribution to operation `number`.
    #[inline]
    pub(super) fn says_timed(&self, number: u64, length: u64) -> u64 {
        let chosen = self.lane_stores(number, Extent::of(length, self.block()), length);
        match chosen.timed {
            true => u64::from(ask(chosen.stores) | (chosen.extent as u8) << 2) << ASKS,
            false => 0,
        }
    }

    /// Has `place` filled by the stores that are the fastest, or tried, in operation `number`.
    #[inline]
    pub(super) fn fill_by(
        &self,
        number: u64,
        extent: Extent,
        place: &mut [u8],
        fill: impl FnOnce(&mut [u8], Stores),
    ) {
        let bytes = place.len();
        if bytes < LEAST {
            return fill(place, Stores::Temporal);
        }
        let chosen = self.lane_stores(number, extent, bytes as u64);
        let begun = chosen.timed.then(ticks);
        fill(place, chosen.stores);
        if let Some(begun) = begun {
            let took = ticks().wrapping_sub(begun);
            let mut writing = self.lanes.writing[chosen.extent as usize].borrow_mut();
            writing.wrote(chosen.stores, bytes, took);
        }
        if extent == Extent::Whole {
            let fresh = &self.lanes.fresh;
            fresh.set(fresh.get().saturating_sub(bytes));
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
        (number, extent): (u64, Extent),
        start: usize,
        bytes: usize,
        fill: impl FnOnce(&mut [u8], Stores),
    ) {
        self.fill_lane(start, bytes, |lane| {
            self.fill_by(number, extent, lane, fill)
        });
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
        let said = match bytes >= LEAST {
            true => self.said(rank, number) >> ASKS,
            false => 0,
        };
        let begun = (said != 0).then(ticks);
        let done = read();
        if let Some(begun) = begun {
            self.note_reading(said as u8, bytes, ticks().wrapping_sub(begun));
        }
        done
    }

    #[cold]
    fn note_reading(&self, said: u8, bytes: usize, took: u64) {
        let Some(stores) = asked(said & 3) else {
            return;
        };
        let extent = usize::from(said >> 2);
        let mut reading = self.lanes.reading[extent].borrow_mut();
        reading.read(stores, bytes, took);
        if let Some(costs) = reading.news() {
            self.seats[self.me].position.told[extent].say(costs);
        }
    }
}

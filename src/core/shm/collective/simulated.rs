//! Areas over memory of one process alone, for tests.

use std::cell::{Cell, RefCell};

use super::super::handover;
use super::*;

impl Room {
    /// In memory of this process alone, for good, and with more than the least room: who is crowded does not use it.
    pub(super) fn zeroed() -> Room {
        let sizes = Sizes {
            slots: 4 * Slots::LEAST,
            exchange_buffers: handover::EACH * BLOCK,
        };
        let short_buffers = (0..LINES).map(|_| PlainCell::new([0; SHORT_BUFFER]));
        let bytes = |bytes| (0..bytes).map(|_| PlainCell::new(0));
        Room {
            short_buffers: Vec::leak(short_buffers.collect()),
            slots: Vec::leak(bytes(sizes.slots).collect()),
            lane: Vec::leak(bytes(WIDE).collect()),
            exchange_buffers: Vec::leak(bytes(sizes.exchange_buffers).collect()),
        }
    }
}

impl Seat {
    pub(super) fn zeroed() -> Seat {
        let word = || Word(AtomicU64::new(0));
        let line = |_| Line {
            number: AtomicU64::new(0),
            contents: UnsafeCell::new(Contents {
                length: 0,
                inline: [0; INLINE],
            }),
        };
        Seat {
            life: AtomicU32::new(0),
            finished: word(),
            position: word(),
            dealt: Dealt::new(),
            awaits: word(),
            lines: std::array::from_fn(line),
        }
    }
}

/// Areas over memory of this process alone, one for each member, of which each has one of these `seats`. Whether a member uses what
/// another one offers `reaches` says; whether a member offers anything, whether it reaches itself. `streams`: a member knows
/// of blocks for which there is a choice that they are better not copied where they lie.
pub fn simulated(
    seats: std::ops::Range<usize>,
    crowded: bool,
    reaches: impl Fn(usize, usize) -> bool,
    streams: impl Fn(usize) -> bool,
    tuning: &'static Tuning,
) -> Vec<Area> {
    thread_local! {
        /// Seats are never freed, so a thread's tests share them.
        static KEPT: RefCell<Vec<(&'static Seat, Room)>> = const { RefCell::new(Vec::new()) };
    }
    let (taken, rooms): (Vec<&'static Seat>, Vec<Room>) = KEPT.with_borrow_mut(|kept| {
        while kept.len() < seats.end {
            kept.push((Box::leak(Box::new(Seat::zeroed())), Room::zeroed()));
        }
        kept[seats.clone()].iter().copied().unzip()
    });
    let size = seats.len();
    taken.iter().for_each(|seat| seat.reset());
    let any = (0..size).any(|rank| reaches(rank, rank));
    let area = |me| {
        let own = crate::shm::direct::Memory::own();
        let memory = |rank| reaches(me, rank).then_some(own);
        let reachable = Reachable {
            reads: reaches(me, me),
            writes: reaches(me, me),
            maps: false,
        };
        Area {
            memories: (0..size).map(memory).collect(),
            limits: match streams(me) {
                true => &Limits::NEVER,
                false => &Limits::ALWAYS,
            },
            reachable: Cell::new(reachable),
            agreed: Reachable {
                reads: any,
                writes: any,
                maps: false,
            },
            ..Area::new(
                (taken.clone().into(), rooms.clone().into()),
                me,
                Vec::new(),
                crowded,
                None,
                tuning,
            )
        }
    };
    (0..size).map(area).collect()
}

//! Collective segments over memory of one process alone, for tests.

use std::cell::{Cell, RefCell};

use super::super::handover;
use super::layout::{Contents, Line, Word};
use super::*;
use crate::shm::offers::Answers;
use crate::sync::{AtomicU32, PlainCell, UnsafeCell};

impl MemberMemory {
    /// In memory of this process alone, for good, and with more than the least room: who is crowded does not use it.
    pub(super) fn zeroed() -> MemberMemory {
        let sizes = Sizes {
            slots: 4 * Slots::LEAST,
            exchange_buffers: handover::PER_MEMBER * BLOCK,
        };
        let short_buffers = (0..LINES).map(|_| PlainCell::new([0; SHORT_BUFFER]));
        let bytes = |bytes| (0..bytes).map(|_| PlainCell::new(0));
        MemberMemory {
            short_buffers: Vec::leak(short_buffers.collect()),
            slots: Vec::leak(bytes(sizes.slots).collect()),
            lane: Vec::leak(bytes(WHOLE_LANE).collect()),
            exchange_buffers: Vec::leak(bytes(sizes.exchange_buffers).collect()),
        }
    }
}

impl MemberSlot {
    pub(super) fn zeroed() -> MemberSlot {
        let word = || Word(AtomicU64::new(0));
        let line = |_| Line {
            number: AtomicU64::new(0),
            contents: UnsafeCell::new(Contents {
                length: 0,
                inline: [0; INLINE],
            }),
        };
        MemberSlot {
            life: AtomicU32::new(0),
            finished: word(),
            position: word(),
            answers: Answers::new(),
            awaits: word(),
            lines: std::array::from_fn(line),
        }
    }
}

/// Collective segments over memory of this process alone, one for each member, of which each has one of these `member_slots`. Whether a member uses what
/// another one offers `reaches` says; whether a member offers anything, whether it reaches itself. `streams`: a member knows
/// of blocks for which there is a choice that they are better not copied where they lie.
pub fn simulated(
    member_slots: std::ops::Range<usize>,
    crowded: bool,
    reaches: impl Fn(usize, usize) -> bool,
    streams: impl Fn(usize) -> bool,
    tuning: &'static Tuning,
) -> Vec<CollSegment> {
    thread_local! {
        /// Member slots are never freed, so a thread's tests share them.
        static KEPT: RefCell<Vec<(&'static MemberSlot, MemberMemory)>> = const { RefCell::new(Vec::new()) };
    }
    let (taken, member_memory): (Vec<&'static MemberSlot>, Vec<MemberMemory>) = KEPT
        .with_borrow_mut(|kept| {
            while kept.len() < member_slots.end {
                kept.push((
                    Box::leak(Box::new(MemberSlot::zeroed())),
                    MemberMemory::zeroed(),
                ));
            }
            kept[member_slots.clone()].iter().copied().unzip()
        });
    let size = member_slots.len();
    taken.iter().for_each(|member_slot| member_slot.reset());
    let any = (0..size).any(|rank| reaches(rank, rank));
    let coll_segment = |me| {
        let own = crate::shm::direct::Memory::own();
        let memory = |rank| reaches(me, rank).then_some(own);
        let reachable = Reachable {
            reads: reaches(me, me),
            writes: reaches(me, me),
            maps: false,
        };
        CollSegment {
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
            ..CollSegment::new(
                (taken.clone().into(), member_memory.clone().into()),
                me,
                Vec::new(),
                crowded,
                None,
                tuning,
            )
        }
    };
    (0..size).map(coll_segment).collect()
}

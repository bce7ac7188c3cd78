//! Memory that the members of a communicator share for its collectives.
//!
//! Every process has [`MEMBER_SLOTS`] member slots in the segment. A communicator whose members have agreed on one member slot
//! each has a [`CollSegment`]: every member writes to its own member slot and reads all others', so no line has two
//! writers at a time. Short contributions lie beside the number of their operation, or in a *short buffer* of its own; longer ones in
//! [*slots*](slots), wherever their owner says; long ones pass through the *lane* in pieces, and a *position* says how far its owner
//! is. Of two members' *exchange buffers* each writes to those that it has ([`handover`]). A member slot is taken again when all members have left
//! the communicator, which they say in their own member slots: nobody waits for that.
//!
//! May assume that all members start the same operations in the same order, and that an algorithm reads
//! only what it has waited for. Offers of memory that is not shared are in [`offers`](super::offers). Knows nothing of messages,
//! ranks of other communicators, or datatypes.

mod contributions;
mod giving;
mod lanes;
mod layout;
mod member_memory;
mod member_slots;
mod slots;

pub(super) use giving::By;
pub use giving::ContributionWriter;
pub use lanes::Loan;
pub(crate) use layout::BLOCK;
pub use layout::{GRANULE, INLINE, LANE, MEMBER_SLOTS, MemberSlot, SLOT, WHOLE_LANE, WINDOW};
use layout::{LINES, REPORT_EVERY, WINDOWS};
pub(super) use layout::{LONG_WINDOW, OFFERS, SHORT_BUFFER};
use member_slots::Mapped;
pub use member_slots::{MemberAddress, MemberSlots, TakenSlot};

use std::cell::{Cell, RefCell};
use std::io;

use super::direct::{Memory, Reach};
use super::handover::{self, Handover};
use super::offers::Reachable;
use super::zero_copy::{Blocks, Limits};
use crate::park::Waker;
use crate::sync::{AtomicU64, Ordering, fence};
use crate::tuning::Tuning;
pub use member_memory::{MemberMemory, Sizes};
use slots::Slots;

/// What somebody waits for: that a number in shared memory has reached a value.
#[derive(Clone, Copy)]
pub struct Watch {
    pub(super) word: &'static AtomicU64,
    pub(super) least: u64,
    /// Member that writes the number.
    pub(super) owner: usize,
}

impl Watch {
    /// Whether it has come true. What was written before is then visible.
    #[inline(always)]
    pub fn ready(self) -> bool {
        self.word.load(Ordering::Acquire) >= self.least
    }
}

/// The shared memory of a communicator, seen from one member.
pub struct CollSegment {
    pub(super) member_slots: Box<[&'static MemberSlot]>,
    pub(super) member_memory: Box<[MemberMemory]>,
    pub(super) me: usize,
    /// The other members' memory, where this process can reach it.
    pub(super) memories: Box<[Option<Memory>]>,
    /// How the others may reach this process's memory, as far as is known.
    pub(super) reachable: Cell<Reachable>,
    /// What the members' settings say about that.
    pub(super) agreed: Reachable,
    /// What still goes through shared memory.
    pub(super) limits: &'static Limits,
    /// The latest operation in which this member has waited for what others contribute.
    heard: Cell<u64>,
    /// For each member, the latest operation in which this one has [sent](Self::sends_ahead_of) it a message.
    sent: Box<[Cell<u64>]>,
    pub(super) handover: Handover,
    tuning: &'static Tuning,
    /// One for each other member; none in a simulation.
    wakers: RefCell<Vec<(usize, Waker)>>,
    crowded: bool,
    /// Number of the latest operation, counted from 1.
    number: Cell<u64>,
    /// It has been left as it stands, for the next one who begins.
    left: Cell<bool>,
    /// Number of the latest operation that this member has contributed to.
    given: Cell<u64>,
    /// All members have finished the operations below this number.
    settled: Cell<u64>,
    /// The half round of lines that this member may write to.
    cleared: Cell<u64>,
    slots: Slots,
    /// Bytes of a lane that data uses in turn which passes through all of it.
    lane: usize,
    /// ... and those of them where contributions take a part each.
    parts: usize,
    /// Longest contribution that takes a part of a lane.
    window: usize,
    /// ... and of the longest block that lies in one piece, as it does in an exchange buffer.
    block: usize,
    /// For each granule of this member's lane.
    lent: Box<[Cell<Loan>]>,
    /// Gives the member slot back.
    _ticket: Option<TakenSlot>,
}

impl CollSegment {
    /// Joins the members at `places`, in the order of their ranks; this process is number `me`. `crowded`:
    /// there are more processes than cores. `reachable`: what offers the members may make, the same for all.
    /// `limits`: how long what still goes through shared memory is.
    ///
    /// # Errors
    /// Somebody has closed the descriptor of the shared memory. Addresses have been reserved.
    pub fn join(
        mut ticket: TakenSlot,
        places: &[MemberAddress],
        me: usize,
        crowded: bool,
        reachable: Reachable,
        limits: &'static Limits,
    ) -> io::Result<CollSegment> {
        let member_slots = ticket.member_slots.clone();
        let mapped = |place| member_slots.at(place, Some(&mut ticket.reserved));
        let mapped: io::Result<Vec<Mapped>> = places.iter().map(mapped).collect();
        let (all, member_memory): (Vec<_>, Vec<_>) = mapped?.into_iter().unzip();
        ticket.reserved.release();
        let memory = |place: &MemberAddress| match member_slots
            .segment
            .reach(place.process, reachable.reads)
        {
            Reach::Known(memory) if reachable.reads => Some(memory),
            _ => None,
        };
        let memories = places.iter().map(memory).collect();
        let others = places.iter().enumerate().filter(|(rank, _)| *rank != me);
        let waker = |(rank, place): (usize, &MemberAddress)| {
            (rank, member_slots.segment.waker(place.process))
        };
        let wakers = others.clone().map(waker).collect();
        ticket.members = others.map(|(_, place)| *place).collect();
        let tuning = member_slots.tuning;
        let coll_segment = CollSegment::new(
            (all.into(), member_memory.into()),
            me,
            wakers,
            crowded,
            Some(ticket),
            tuning,
        );
        Ok(CollSegment {
            memories,
            reachable: Cell::new(reachable),
            agreed: reachable,
            limits,
            ..coll_segment
        })
    }

    fn new(
        (member_slots, member_memory): (Box<[&'static MemberSlot]>, Box<[MemberMemory]>),
        me: usize,
        wakers: Vec<(usize, Waker)>,
        crowded: bool,
        ticket: Option<TakenSlot>,
        tuning: &'static Tuning,
    ) -> CollSegment {
        // Who shares a core with others shares its caches too.
        let used = member_memory.iter().filter(|_| !crowded);
        let slots = used.map(|memory| memory.slots.len()).min();
        let slots = slots.unwrap_or(Slots::LEAST);
        let window = tuning.coll_window.clamp(WINDOW, LONG_WINDOW);
        let (lane, parts) = match crowded {
            true => (WHOLE_LANE, 2 * window),
            false => ((WINDOWS * window).min(WHOLE_LANE), WINDOWS * window),
        };
        let exchange_buffer = handover::bytes(&member_memory, crowded);
        CollSegment {
            handover: Handover::new(me, exchange_buffer > 0),
            slots: Slots::new(slots, tuning),
            lane,
            parts,
            window,
            block: tuning.coll_block.min(exchange_buffer).min(lane).max(window),
            tuning,
            member_memory,
            memories: vec![None; member_slots.len()].into(),
            reachable: Cell::default(),
            agreed: Reachable::default(),
            limits: &Limits::GENERIC,
            heard: Cell::default(),
            sent: vec![Cell::default(); member_slots.len()].into(),
            member_slots,
            me,
            wakers: RefCell::new(wakers),
            crowded,
            number: Cell::new(0),
            left: Cell::new(false),
            given: Cell::new(0),
            settled: Cell::new(0),
            cleared: Default::default(),
            lent: vec![Cell::default(); lane / GRANULE].into(),
            _ticket: ticket,
        }
    }

    pub fn size(&self) -> usize {
        self.member_slots.len()
    }

    /// The row of the tuning that the members share.
    #[inline]
    pub fn tuning(&self) -> &'static Tuning {
        self.tuning
    }

    /// Whether blocks of `bytes` bytes, which may be copied from where they lie, had better be: the same for all members.
    #[inline]
    pub fn prefers_offers(&self, of: Blocks, bytes: u64) -> bool {
        if self.maps() {
            return true;
        }
        match self.crowded {
            true => self.limits.blocks_where_crowded,
            false => self.size() > 2 || bytes > self.limits.of_blocks(of),
        }
    }

    /// There are more processes than cores.
    pub fn crowded(&self) -> bool {
        self.crowded
    }

    /// Whether what a member writes is worth asking for ahead: another processor has written it. Who shares a core finds it in its own
    /// caches as likely as not.
    #[inline]
    pub fn is_far(&self, rank: usize) -> bool {
        rank != self.me && !self.crowded
    }

    /// This member's number.
    #[inline]
    pub fn me(&self) -> usize {
        self.me
    }

    /// Starts the next operation, or goes on with one that was [left](Self::leave): its number.
    #[inline]
    pub fn begin(&self) -> u64 {
        let number = self.number.get() + u64::from(!self.left.replace(false));
        self.number.set(number);
        number
    }

    /// The latest operation is not over: who begins next goes on with it.
    #[cold]
    pub fn leave(&self) {
        self.left.set(true);
    }

    /// To wait for `rank`'s having finished all operations below `number`.
    pub fn finished(&self, rank: usize, number: u64) -> Watch {
        Watch {
            word: &self.member_slots[rank].finished.0,
            least: number,
            owner: rank,
        }
    }

    /// All members are known to have finished the operations below `number`.
    #[inline]
    pub fn settle(&self, number: u64) {
        self.settled.set(self.settled.get().max(number));
    }

    /// Ends an operation; `all` says that it has waited for the contribution of every member.
    #[inline(always)]
    pub fn end(&self, number: u64, all: bool) {
        self.handover.end(number);
        if all {
            // Who contributes has finished everything before.
            self.settle(number);
        }
        if (number + 1).is_multiple_of(REPORT_EVERY) {
            self.say_finished(number + 1);
        }
    }

    /// This member has finished all operations below `number`.
    #[inline(never)]
    fn say_finished(&self, number: u64) {
        let finished = &self.member_slots[self.me].finished.0;
        finished.store(number, Ordering::Release);
        self.notify();
    }

    /// This member is about to wait, maybe to sleep: only who writes what it waits for need wake it.
    #[inline]
    pub fn await_on(&self, watch: Watch) {
        let awaits = &self.member_slots[self.me].awaits.0;
        let owner = watch.owner as u64 + 1;
        if awaits.load(Ordering::Relaxed) != owner {
            awaits.store(owner, Ordering::Relaxed);
            // Another thread of this process may sleep already: either the owner sees this, or the caller's
            // next look sees what the owner has written.
            fence(Ordering::SeqCst);
        }
    }

    /// Whether `rank`, which sleeps, waits for this member.
    #[cold]
    fn is_awaited(&self, rank: usize) -> bool {
        // It says so before it says that it sleeps, or looks again afterwards.
        fence(Ordering::SeqCst);
        self.member_slots[rank].awaits.0.load(Ordering::Relaxed) == self.me as u64 + 1
    }

    /// Wakes every other member that sleeps until this one has gone on.
    #[inline]
    pub fn notify(&self) {
        for (rank, waker) in self.wakers.borrow_mut().iter_mut() {
            waker.notify_if(|| self.is_awaited(*rank));
        }
    }

    /// Wakes one other member if it sleeps until this one has gone on.
    #[inline]
    pub fn notify_one(&self, rank: usize) {
        let index = rank - usize::from(rank > self.me);
        if let Some((member, waker)) = self.wakers.borrow_mut().get_mut(index) {
            debug_assert!(*member == rank);
            waker.notify_if(|| self.is_awaited(rank));
        }
    }
}

#[cfg(test)]
mod simulated;
#[cfg(test)]
pub use simulated::simulated;

#[cfg(all(test, not(loom)))]
mod tests;

#[cfg(all(test, loom))]
mod loom_tests;

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

mod giving;
mod member_memory;
mod slots;

pub(super) use giving::By;
pub use giving::ContributionWriter;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

use super::Segment;
use super::direct::{Memory, Reach};
use super::handover::{self, Handover};
use super::offers::{Dealt, Reachable};
use super::prefault;
use super::zero_copy::{Blocks, Limits};
use crate::datatype::block::{prefetch, prefetch_to_write};
use crate::park::Waker;
use crate::sync::{AtomicU32, AtomicU64, Ordering, PlainCell, UnsafeCell, fence};
use crate::sys::Reserved;
use crate::tuning::Tuning;
pub use member_memory::{MemberMemory, Sizes};
use slots::Slots;

/// Communicators of one process that can have a collective segment at a time.
pub const MEMBER_SLOTS: usize = 64;
/// Operations whose contributions a member slot holds at a time (even): as many as pay for a change of process where
/// ranks share cores and one of them need not wait for the others.
#[cfg(not(loom))]
const LINES: usize = 128;
#[cfg(loom)]
const LINES: usize = 2;
/// Half of them, which are cleared together.
const ROUND: u64 = LINES as u64 / 2;
/// Who has finished so many operations more says so.
#[cfg(not(loom))]
const HALF: u64 = 8;
#[cfg(loom)]
const HALF: u64 = 1;
/// Bytes of a contribution that lie beside its number.
pub const INLINE: usize = 112;
/// Bytes of it that lie in the number's own cache line.
const FIRST: usize = 48;
/// So many operations ahead a member asks for its line that [runs ahead](CollSegment::run_ahead); a few more or less do as well.
const AHEAD: u64 = 8;
/// Longest contribution that lies in a slot.
#[cfg(not(any(test, loom)))]
pub const SLOT: usize = 8192;
/// So that tests on little data come to slots, lanes and beyond.
#[cfg(any(test, loom))]
pub const SLOT: usize = 128;
/// Longest contribution that lies in a short buffer, whose lines are asked for before its number has come. Nobody knows before where a
/// longer one will lie; so it may change hands.
#[cfg(not(any(test, loom)))]
pub(super) const SHORT_BUFFER: usize = 256;
#[cfg(any(test, loom))]
pub(super) const SHORT_BUFFER: usize = INLINE + 8;
/// Bytes of a lane that most operations need at most.
#[cfg(not(any(test, loom)))]
pub const LANE: usize = 128 << 10;
#[cfg(any(test, loom))]
pub const LANE: usize = 512;
/// Bytes of the shortest window of a lane...
pub const WINDOW: usize = LANE / 2;
/// ... and of the longest one.
pub(super) const LONG_WINDOW: usize = 2 * WINDOW;
/// Longest block of two members that lies in a part of a lane, or in one exchange buffer: as a message it is cut shorter, and
/// told of more often.
pub(crate) const BLOCK: usize = 8 * WINDOW;
/// Bytes of all of a lane, at least: for rows of blocks, and where ranks share cores, so that they wait for each other less
/// often.
#[cfg(not(loom))]
pub const WIDE: usize = 4 * LANE;
/// Loom's stacks hold no more.
#[cfg(loom)]
pub const WIDE: usize = LANE;
/// Bytes of a lane that are lent and given back together. A contribution takes as many of them as it needs.
pub const GRANULE: usize = WINDOW / 4;
/// Windows of a lane that operations go through in turn where each member has a processor: so much stays in second caches, and no
/// more pages of shared memory are touched for the first time.
const WINDOWS: usize = 4;
#[cfg(not(loom))]
const _: () = assert!(WINDOWS * LONG_WINDOW <= WIDE);
/// Bits of a position that count the steps of one operation; the number of the operation is above them.
const STEP_BITS: u32 = 28;

#[repr(C)]
struct Contents {
    /// Bytes of the contribution, wherever it lies, and perhaps [`OFFERS`].
    length: u64,
    inline: [u8; INLINE],
}

impl Contents {
    /// The number of the exchange buffer where the contribution lies, or the byte of its owner's slots where it begins.
    fn place(&self) -> u32 {
        u32::from_ne_bytes(std::array::from_fn(|index| self.inline[index]))
    }

    /// What is said of a contribution beyond a slot, beside that number.
    fn remark(&self) -> u64 {
        u64::from_ne_bytes(std::array::from_fn(|index| self.inline[REMARK + index]))
    }
}

/// Byte of the contents where a [remark](CollSegment::remark) lies.
const REMARK: usize = 8;

/// Said with a length: the contribution is offers.
pub(super) const OFFERS: u64 = 1 << 63;
/// Said with a length: the contribution lies in an exchange buffer, whose number are the first bytes beside it.
const IN_EXCHANGE_BUFFER: u64 = 1 << 59;

/// One contribution, or its beginning: two cache lines that processors like to fetch together.
#[repr(C, align(128))]
struct Line {
    /// The operation that the contents belong to; written last.
    number: AtomicU64,
    contents: UnsafeCell<Contents>,
}

impl Line {
    /// Whether the contents belong to operation `number`, and can be read then.
    #[inline(always)]
    fn is_of(&self, number: u64) -> bool {
        self.number.load(Ordering::Acquire) == number
    }
}

/// A number with a cache line to itself.
#[repr(C, align(64))]
struct Word(AtomicU64);

/// What one member writes and all others read. All-zero bytes are a fresh member slot.
#[repr(C, align(4096))]
pub struct MemberSlot {
    /// Counts the communicators that have left this member slot.
    life: AtomicU32,
    /// The owner has finished all operations below this number. Written every half round of slots.
    finished: Word,
    /// How far the owner is in the operations that use lanes.
    position: Word,
    /// What the owner says about the others' offers.
    pub(super) dealt: Dealt,
    /// One more than the member that the owner waited for most recently.
    awaits: Word,
    lines: [Line; LINES],
}

// SAFETY: contents are written by the owner alone, before it stores the line's number or its position; they
// are read by others after they have seen it, and written again after all have said that they are done.
unsafe impl Sync for MemberSlot {}
// SAFETY: plain memory.
unsafe impl Send for MemberSlot {}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Line>() == 128 && size_of::<Contents>() == 120);

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

/// Who has a granule of a lane, or had it: the position at which readers have finished, and who they are if not all others.
pub type Lent = (u64, Option<usize>);

/// Where a member sits, as it tells the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub process: usize,
    pub member_slot: u32,
    pub life: u32,
}

/// A member slot and what belongs to it.
type Mapped = (&'static MemberSlot, MemberMemory);

/// The member slots of one process.
pub struct MemberSlots {
    segment: Segment,
    tuning: &'static Tuning,
    /// Those of any process that are mapped here, by process and number.
    mapped: RefCell<HashMap<(usize, u32), Mapped>>,
    free: RefCell<Vec<u32>>,
    /// Member slots whose communicators this process has left, each with the members that may still be there.
    leaving: RefCell<Vec<(u32, Vec<Place>)>>,
}

impl MemberSlots {
    /// `tuning`: the same for all processes of the segment.
    pub fn new(segment: Segment, tuning: &'static Tuning) -> MemberSlots {
        MemberSlots {
            segment,
            tuning,
            mapped: RefCell::default(),
            free: RefCell::new((0..MEMBER_SLOTS as u32).rev().collect()),
            leaving: RefCell::new(Vec::new()),
        }
    }

    /// What is at a place, mapped in addresses that have been reserved for it if need be.
    fn at(&self, place: &Place, reserved: Option<&mut Reserved>) -> io::Result<Mapped> {
        let key = (place.process, place.member_slot);
        if let Some(found) = self.mapped.borrow().get(&key) {
            return Ok(*found);
        }
        let new = self
            .segment
            .member_slot(place.process, place.member_slot as usize, reserved)?;
        self.mapped.borrow_mut().insert(key, new);
        Ok(new)
    }

    /// A member slot that is in use, and therefore mapped.
    fn of(&self, place: &Place) -> &'static MemberSlot {
        self.mapped.borrow()[&(place.process, place.member_slot)].0
    }

    /// Member slots that nobody looks at any more are free.
    fn reclaim(&self) {
        self.leaving
            .borrow_mut()
            .retain_mut(|(member_slot, members)| {
                members.retain(|place| self.of(place).life.load(Ordering::Acquire) == place.life);
                if members.is_empty() {
                    self.free.borrow_mut().push(*member_slot);
                }
                !members.is_empty()
            });
    }

    /// A member slot for a new collective segment of so many members, if there is one left, and addresses for the members'.
    pub fn take(self: &Rc<Self>, members: usize) -> Option<Ticket> {
        self.reclaim();
        // Once the members have agreed on a collective segment nobody may find that he cannot map it.
        let reserved = self.segment.reserve(members).ok()?;
        let member_slot = self.free.borrow_mut().pop()?;
        let mut place = Place {
            process: self.segment.me(),
            member_slot,
            life: 0,
        };
        let Ok((own, _)) = self.at(&place, None) else {
            self.free.borrow_mut().push(member_slot);
            return None;
        };
        own.reset();
        place.life = own.life.load(Ordering::Relaxed);
        Some(Ticket {
            member_slots: self.clone(),
            place,
            announced: Cell::new(false),
            members: Vec::new(),
            reserved,
        })
    }
}

impl MemberSlot {
    /// For the owner, while nobody else looks.
    fn reset(&self) {
        for line in &self.lines {
            line.number.store(0, Ordering::Relaxed);
        }
        self.finished.0.store(0, Ordering::Relaxed);
        self.dealt.reset();
        self.awaits.0.store(0, Ordering::Relaxed);
        self.position.0.store(0, Ordering::Release);
    }
}

/// A member slot of this process that is taken; given back when dropped.
pub struct Ticket {
    member_slots: Rc<MemberSlots>,
    place: Place,
    /// Others may know of the member slot, and join with it.
    announced: Cell<bool>,
    /// The other members of the communicator, once there is a collective segment.
    members: Vec<Place>,
    /// Addresses for what they have.
    reserved: Reserved,
}

impl Ticket {
    /// What the other members must know. From then on the member slot is theirs to look at, so that it is lost if this
    /// process fails to join them.
    pub fn announce(&self) -> Place {
        self.announced.set(true);
        self.place
    }

    /// Nobody joins, and all members know that.
    pub fn withdraw(&self) {
        self.announced.set(false);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let member_slots = &self.member_slots;
        if !self.announced.get() {
            member_slots.free.borrow_mut().push(self.place.member_slot);
            return;
        }
        // This process reads no other member slot of the collective segment any more.
        let life = &member_slots.of(&self.place).life;
        life.store(self.place.life.wrapping_add(1), Ordering::Release);
        let members = std::mem::take(&mut self.members);
        if !members.is_empty() {
            let left = (self.place.member_slot, members);
            member_slots.leaving.borrow_mut().push(left);
        }
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
    lent: Box<[Cell<Lent>]>,
    /// Gives the member slot back.
    _ticket: Option<Ticket>,
}

impl CollSegment {
    /// Joins the members at `places`, in the order of their ranks; this process is number `me`. `crowded`:
    /// there are more processes than cores. `reachable`: what offers the members may make, the same for all.
    /// `limits`: how long what still goes through shared memory is.
    ///
    /// # Errors
    /// Somebody has closed the descriptor of the shared memory. Addresses have been reserved.
    pub fn join(
        mut ticket: Ticket,
        places: &[Place],
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
        let memory =
            |place: &Place| match member_slots.segment.reach(place.process, reachable.reads) {
                Reach::Known(memory) if reachable.reads => Some(memory),
                _ => None,
            };
        let memories = places.iter().map(memory).collect();
        let others = places.iter().enumerate().filter(|(rank, _)| *rank != me);
        let waker =
            |(rank, place): (usize, &Place)| (rank, member_slots.segment.waker(place.process));
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
        ticket: Option<Ticket>,
        tuning: &'static Tuning,
    ) -> CollSegment {
        // Who shares a core with others shares its caches too.
        let used = member_memory.iter().filter(|_| !crowded);
        let slots = used.map(|room| room.slots.len()).min();
        let slots = slots.unwrap_or(Slots::LEAST);
        let window = tuning.coll_window.clamp(WINDOW, LONG_WINDOW);
        let (lane, parts) = match crowded {
            true => (WIDE, 2 * window),
            false => ((WINDOWS * window).min(WIDE), WINDOWS * window),
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

    /// Before `length` bytes can be contributed to operation `number`: what all members must have finished,
    /// if that is not known.
    #[inline(always)]
    pub fn due(&self, number: u64, length: u64) -> Option<u64> {
        let half = number / ROUND;
        let lies_in_slots = length > SHORT_BUFFER as u64 && length <= SLOT as u64;
        match half == self.cleared.get() && !lies_in_slots {
            true => None,
            false => self.due_apart(number, length),
        }
    }

    /// [`due`](Self::due), where that takes more than a look.
    #[inline(never)]
    fn due_apart(&self, number: u64, length: u64) -> Option<u64> {
        let half = number / ROUND;
        if half != self.cleared.get() && half != 0 {
            let least = (half - 1) * ROUND;
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
        if (number + 1).is_multiple_of(HALF) {
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

    #[inline(always)]
    fn line(&self, rank: usize, number: u64) -> &'static Line {
        &self.member_slots[rank].lines[number as usize % LINES]
    }

    #[inline(always)]
    fn short_buffer(&self, rank: usize, number: u64) -> &'static PlainCell<[u8; SHORT_BUFFER]> {
        // Downwards, as the bodies of a ring lie.
        &self.member_memory[rank].short_buffers[!number as usize % LINES]
    }

    /// Bytes of `rank`'s slots.
    #[inline(always)]
    fn slot(&self, rank: usize, start: usize, bytes: usize) -> &'static [PlainCell<u8>] {
        &self.member_memory[rank].slots[start..start + bytes]
    }

    /// Asks for the place of `rank`'s contribution to operation `number`, if one of `length` bytes lies beside its number or in a
    /// short buffer: its lines then come together with its number.
    #[inline(always)]
    pub fn foresee_short(&self, rank: usize, number: u64, length: u64) {
        if length <= FIRST as u64 || length > SHORT_BUFFER as u64 {
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
        let line = std::ptr::from_ref(self.line(self.me, number + AHEAD)).cast::<u8>();
        prefetch_to_write(line);
        if length > FIRST as u64 {
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
    pub(super) fn read_kind(&self, rank: usize, number: u64) -> ((u64, &[u8]), bool) {
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
    pub(super) fn has_given(&self, number: u64) -> bool {
        self.given.get() == number
    }

    /// Bytes of the longest contribution that takes a part of a lane: whole granules.
    #[inline]
    pub fn window(&self) -> usize {
        self.window
    }

    /// Bytes of the longest block that lies in one piece, in as many windows as it takes or in an exchange buffer: whole windows.
    #[inline]
    pub fn block(&self) -> usize {
        self.block
    }

    /// Granules of a lane.
    #[inline]
    pub fn granules(&self) -> usize {
        self.lent.len()
    }

    /// How many places of so many bytes, which are whole granules, operations use in turn. An odd number where there are more than
    /// two, so that programs come to all of them whatever they do in turn.
    #[inline]
    pub fn places(&self, bytes: usize) -> usize {
        match self.parts / bytes {
            places @ 0..=2 => places.max(1),
            places => (places - 1) | 1,
        }
    }

    /// Bytes of a lane that data uses in turn which passes through all of it. What is cut otherwise may use all [`WIDE`] bytes, as long as
    /// it borrows all granules.
    #[inline]
    pub fn lane_bytes(&self) -> usize {
        self.lane
    }

    /// Before this member writes to a granule of its lane: what its latest readers must have reached.
    #[inline]
    pub fn lent(&self, granule: usize) -> Lent {
        self.lent[granule].get()
    }

    /// In operation `number` a granule of this member's lane is for `reader`, or for all others: each of them says
    /// when it has finished (`leave_lanes`).
    #[inline]
    pub fn lend(&self, granule: usize, number: u64, reader: Option<usize>) {
        self.lent[granule].set(((number + 1) << STEP_BITS, reader));
    }

    /// To wait for `rank` to reach a position that [`lent`](Self::lent) gave.
    pub fn reached(&self, rank: usize, position: u64) -> Watch {
        Watch {
            word: &self.member_slots[rank].position.0,
            least: position,
            owner: rank,
        }
    }

    /// To wait for `rank`'s step `step` of operation `number`.
    #[inline]
    pub fn stepped(&self, rank: usize, number: u64, step: u64) -> Watch {
        self.reached(rank, (number << STEP_BITS) + step)
    }

    /// This member has done step `step` of operation `number`. The others must be told.
    #[inline]
    pub fn step(&self, number: u64, step: u64) {
        debug_assert!(step < 1 << STEP_BITS);
        let position = &self.member_slots[self.me].position.0;
        position.store((number << STEP_BITS) + step, Ordering::Release);
    }

    /// This member has finished with the lanes that it reads in operation `number`. The others must be told.
    pub fn leave_lanes(&self, number: u64) {
        self.step(number + 1, 0);
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

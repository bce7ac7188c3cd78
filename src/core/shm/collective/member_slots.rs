//! The member slots of a process: which are free, which are taken, and when one is free again.
//!
//! A member slot is taken for one communicator. It is free again when all members have said that they have left. Must not
//! know what the members write there.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

use super::{MEMBER_SLOTS, MemberMemory, MemberSlot};
use crate::shm::Segment;
use crate::sync::Ordering;
use crate::sys::Reserved;
use crate::tuning::Tuning;

/// Where a member sits, as it tells the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberAddress {
    pub process: usize,
    pub member_slot: u32,
    pub life: u32,
}

/// A member slot and what belongs to it.
pub(super) type Mapped = (&'static MemberSlot, MemberMemory);

/// The member slots of one process.
pub struct MemberSlots {
    pub(super) segment: Segment,
    pub(super) tuning: &'static Tuning,
    /// Those of any process that are mapped here, by process and number.
    mapped: RefCell<HashMap<(usize, u32), Mapped>>,
    free: RefCell<Vec<u32>>,
    /// Member slots whose communicators this process has left, each with the members that may still be there.
    leaving: RefCell<Vec<(u32, Vec<MemberAddress>)>>,
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
    pub(super) fn at(
        &self,
        place: &MemberAddress,
        reserved: Option<&mut Reserved>,
    ) -> io::Result<Mapped> {
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
    pub(super) fn of(&self, place: &MemberAddress) -> &'static MemberSlot {
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
    pub fn take(self: &Rc<Self>, members: usize) -> Option<TakenSlot> {
        self.reclaim();
        // Once the members have agreed on a collective segment nobody may find that he cannot map it.
        let reserved = self.segment.reserve(members).ok()?;
        let member_slot = self.free.borrow_mut().pop()?;
        let mut place = MemberAddress {
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
        Some(TakenSlot {
            member_slots: self.clone(),
            place,
            announced: Cell::new(false),
            members: Vec::new(),
            reserved,
        })
    }
}

/// A member slot of this process that is taken; given back when dropped.
pub struct TakenSlot {
    pub(super) member_slots: Rc<MemberSlots>,
    pub(super) place: MemberAddress,
    /// Others may know of the member slot, and join with it.
    announced: Cell<bool>,
    /// The other members of the communicator, once there is a collective segment.
    pub(super) members: Vec<MemberAddress>,
    /// Addresses for what they have.
    pub(super) reserved: Reserved,
}

impl TakenSlot {
    /// What the other members must know. From then on the member slot is theirs to look at, so that it is lost if this
    /// process fails to join them.
    pub fn announce(&self) -> MemberAddress {
        self.announced.set(true);
        self.place
    }

    /// Nobody joins, and all members know that.
    pub fn withdraw(&self) {
        self.announced.set(false);
    }
}

impl Drop for TakenSlot {
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

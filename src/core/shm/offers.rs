//! Offers: a member of a [`CollSegment`] says where its data lies in its own process, or where it wants others' to
//! go. The others copy it at once, in one step.
//!
//! Who has dealt with all offers of an operation says so in its member slot, and which it could not use: those
//! members it meets by messages. A member that was refused offers nothing any more. May assume that the
//! memory offered stays as it is until all have dealt with it. Must not know what the data is for.

use super::collective::{By, CollSegment, OFFERS, Watch};
use crate::datatype::{Base, Space, Span};
use crate::sync::{AtomicU64, Ordering};

/// Most members of a collective segment.
pub const MAX_MEMBERS: usize = 64;
/// Members whose refusals one word tells; the number of the operation is above them.
const REFUSALS: usize = 16;

/// What one member says about the offers of the others.
#[repr(C, align(64))]
pub(super) struct Answers {
    /// Latest operation whose offers this member has dealt with.
    number: AtomicU64,
    /// For each group of members the operation in which this member has refused some, and which.
    refused: [AtomicU64; MAX_MEMBERS / REFUSALS],
}

impl Answers {
    #[cfg(test)]
    pub(super) fn new() -> Answers {
        Answers {
            number: AtomicU64::new(0),
            refused: std::array::from_fn(|_| AtomicU64::new(0)),
        }
    }

    pub(super) fn reset(&self) {
        for word in &self.refused {
            word.store(0, Ordering::Relaxed);
        }
        self.number.store(0, Ordering::Relaxed);
    }
}

/// Memory of one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// In the member's own process; 0 says that there is none.
    pub address: u64,
    pub length: u64,
}

impl Offer {
    /// Bytes of an offer in a slot.
    pub const BYTES: usize = 16;

    /// Says how long something is, and asks where it is wanted.
    pub fn nowhere(length: u64) -> Offer {
        Offer { address: 0, length }
    }

    fn put(self, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&self.address.to_ne_bytes());
        bytes[8..].copy_from_slice(&self.length.to_ne_bytes());
    }

    fn get(bytes: &[u8]) -> Option<Offer> {
        let (address, length) = bytes.split_first_chunk()?;
        Some(Offer {
            address: u64::from_ne_bytes(*address),
            length: u64::from_ne_bytes(*length.first_chunk()?),
        })
    }
}

/// How the others may reach this process's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reachable {
    pub reads: bool,
    pub writes: bool,
    /// Most of it is mapped in the others.
    pub maps: bool,
}

impl CollSegment {
    /// Whether others may read what this member offers.
    #[inline]
    pub fn lends(&self) -> bool {
        self.reachable.get().reads
    }

    /// Whether the members read each other's memory where that pays: the same for all.
    #[inline]
    pub fn pulls(&self) -> bool {
        self.agreed.reads
    }

    /// Whether the members write to each other's memory where that pays: the same for all.
    #[inline]
    pub fn pushes(&self) -> bool {
        self.agreed.writes
    }

    /// Whether the members' allocators give memory that the others can map: the same for all.
    #[inline]
    pub fn maps(&self) -> bool {
        self.agreed.maps
    }

    /// Whether others may write to what this member offers.
    #[inline]
    pub fn takes(&self) -> bool {
        self.reachable.get().writes
    }

    /// Contributes offers to operation `number`, in an order that the readers know.
    pub fn offer(&self, number: u64, offers: impl ExactSizeIterator<Item = Offer>) {
        let bytes = (offers.len() * Offer::BYTES) as u64;
        let fill = |slot: &mut [u8]| {
            for (place, offer) in slot.chunks_exact_mut(Offer::BYTES).zip(offers) {
                offer.put(place);
            }
        };
        self.write_kind(number, bytes, OFFERS, By(fill));
    }

    /// Offer `index` of `rank` to operation `number`, after waiting for its contribution; `None` where
    /// that is no offer.
    #[inline]
    pub fn offered(&self, rank: usize, number: u64, index: usize) -> Option<Offer> {
        let (bytes, offers) = self.read_kind(rank, number);
        match offers {
            true => Offer::get(bytes.1.get(index * Offer::BYTES..)?),
            false => None,
        }
    }

    /// Copies from `position` on of what `rank` offers. `false`: it could not be copied.
    #[inline]
    pub fn pull(&self, rank: usize, offer: Offer, position: u64, to: Span<'_>) -> bool {
        let memory = self.memories[rank].filter(|_| offer.address != 0);
        memory.is_some_and(|memory| memory.read(offer.address + position, to))
    }

    /// Where the bytes of what `rank` offers are mapped in this process.
    #[inline]
    pub fn view(&self, rank: usize, offer: Offer) -> Option<Base> {
        let memory = self.memories[rank].filter(|_| offer.address != 0)?;
        let place = memory.mapped(offer.address, offer.length)?;
        // SAFETY: mapped memory stays so, and its owner leaves what it offers alone until all have dealt with it.
        Some(unsafe { Base::new(place, Space::Host) })
    }

    /// Copies to `position` of what `rank` offers. `false`: it could not be copied.
    #[inline]
    pub fn push(&self, rank: usize, offer: Offer, position: u64, from: Span<'_>) -> bool {
        let memory = self.memories[rank].filter(|_| offer.address != 0);
        memory.is_some_and(|memory| memory.write(offer.address + position, from))
    }

    /// This member cannot use what `rank` offers to operation `number`; said before [`answered`](Self::answered).
    #[cold]
    pub fn refuse(&self, rank: usize, number: u64) {
        let word = &self.member_slots[self.me].answers.refused[rank / REFUSALS];
        let mut now = word.load(Ordering::Relaxed);
        if now >> REFUSALS != number {
            now = number << REFUSALS;
        }
        word.store(now | 1 << (rank % REFUSALS), Ordering::Relaxed);
    }

    /// This member has dealt with all offers to operation `number`. The others must be told.
    #[inline]
    pub fn answer_offers(&self, number: u64) {
        let answers = &self.member_slots[self.me].answers;
        answers.number.store(number, Ordering::Release);
    }

    /// To wait for `rank`'s having dealt with the offers to operation `number`.
    #[inline]
    pub fn answered(&self, rank: usize, number: u64) -> Watch {
        Watch {
            word: &self.member_slots[rank].answers.number,
            least: number,
            owner: rank,
        }
    }

    /// Whether `rank`, which has dealt with it, has refused what this member offered to operation `number`.
    #[inline]
    pub fn refused(&self, rank: usize, number: u64) -> bool {
        // Who has refused this member waits for it before it refuses anything else.
        let word = &self.member_slots[rank].answers.refused[self.me / REFUSALS];
        let refused = word.load(Ordering::Relaxed);
        let refused = refused >> REFUSALS == number && refused >> (self.me % REFUSALS) & 1 == 1;
        if refused {
            self.reachable.set(Reachable::default());
        }
        refused
    }
}

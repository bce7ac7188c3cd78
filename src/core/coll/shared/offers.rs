//! Data that stays where it is: its owner offers it, the others copy it from there, or theirs to there.
//!
//! One copy in place of two. It costs a system call and that the owner waits for the others, so it is for long
//! data. Whoever cannot copy what is offered refuses it, and gets a message instead.

use super::Turn;
use crate::coll::fast_path;
use crate::coll::net::Net;
use crate::datatype::{Data, Span};
use crate::proto::EAGER_LIMIT;
use crate::shm::collective::{LANE, SLOT, WHOLE_LANE, WINDOW};
use crate::shm::offers::Offer;
use crate::shm::zero_copy::Blocks as Of;

/// Bytes of a piece of data that has to be copied twice all the same, as it does not lie in one piece.
const PACKED_AT_ONCE: u64 = LANE as u64 / 4;

/// Longest block between one rank and each of several others, with a core each, that is not worth offering.
pub(super) const ALONE: usize = 2 * LANE;

/// Offers that a slot holds.
pub(super) const OFFERS: usize = SLOT / Offer::BYTES;

/// Where `data` lies, if it lies in one piece.
#[inline]
pub(super) fn place(data: &Data) -> Option<Offer> {
    let (at, length) = data.contiguous()?;
    Some(Offer {
        address: at.addr() as u64,
        length: length as u64,
    })
}

impl<N: Net> Turn<'_, '_, N> {
    /// Longest data that is not worth offering. With two ranks what a slot holds goes through it in less time than
    /// through a system call, unless it is mapped; where ranks share cores the waiting counts. More ranks with a
    /// core each wait for each other in the system, which they all ask for one another's memory at a time: what is
    /// `several` bytes long gains. What `fast_path` may have contributed already is never offered.
    #[inline]
    fn least(&self, several: usize) -> u64 {
        const { assert!(SLOT <= WINDOW / 2 && WINDOW <= LANE) };
        match self.coll.size {
            2 => fast_path::most(self.coll_segment),
            _ if self.coll_segment.crowded() => LANE as u64,
            _ => several as u64,
        }
    }

    /// Whether data of this length is read where it is; all ranks come to the same answer.
    #[inline]
    pub(super) fn pulls(&self, length: u64) -> bool {
        length > self.least(WINDOW / 2) && self.coll_segment.pulls()
    }

    /// The same for blocks of one rank, each of which is one rank's alone. `longest` is the longest block, `row`
    /// what all of them need.
    pub(super) fn pulls_from_one(&self, longest: u64, row: u64) -> bool {
        let length = match self.coll.size > 2 && !self.coll_segment.crowded() {
            true => longest,
            false => row,
        };
        length > self.least(ALONE) && self.coll_segment.pulls()
    }

    /// The same where every rank has mostly just written what it offers. Up to what a message is eager for, two copies by two ranks then
    /// take less time than one by the system from another cache.
    #[inline]
    pub(super) fn pulls_new(&self, length: u64) -> bool {
        self.pulls(length)
            && (length > EAGER_LIMIT || self.coll.size > 2 || self.coll_segment.maps())
    }

    /// The same for the blocks of a row of this length: where more than two ranks share cores, it goes through the
    /// lane as long as all of the lane holds it. Otherwise it does so as long as its blocks would fit into slots.
    #[inline]
    pub(super) fn pulls_row(&self, length: u64) -> bool {
        let short = match (self.coll.size, self.coll_segment.crowded()) {
            (2, _) => return self.pulls_new(length),
            (_, true) => WHOLE_LANE,
            (size, false) => WHOLE_LANE.min((size - 1) * SLOT),
        };
        length > short as u64 && self.coll_segment.pulls()
    }

    /// Whether data of this length is written to where it belongs; all ranks come to the same answer.
    #[inline]
    pub(super) fn pushes(&self, length: u64) -> bool {
        length > self.least(ALONE) && self.coll_segment.pushes()
    }

    /// Whether this operation's longest block, of `bytes` bytes, is better copied from where it lies; it is where it `may` not
    /// be, so that what goes by messages does so as usual.
    #[inline]
    pub(super) fn prefers_offers(&self, may: bool, of: Of, bytes: u64) -> bool {
        !may || self.coll_segment.prefers_offers(of, bytes)
    }

    /// Contributes offers.
    pub(super) async fn offer(&self, offers: impl ExactSizeIterator<Item = Offer>) {
        self.place((offers.len() * Offer::BYTES) as u64).await;
        self.coll_segment.offer(self.number, offers);
        self.coll_segment.notify();
    }

    /// Contributes a length alone.
    pub(super) async fn announce(&self, length: u64) {
        self.place(length).await;
        self.coll_segment.announce(self.number, length);
        self.coll_segment.notify();
    }

    /// Copies what `rank` offers into `block`, as far as there is room, or refuses it; says whether it has
    /// copied it.
    pub(super) fn pull(&self, rank: usize, offer: Offer, block: &Data) -> bool {
        let length = offer.length.min(block.bytes());
        let done = match block.span(0, length) {
            _ if length == 0 => true,
            Some(span) => self.coll_segment.pull(rank, offer, 0, span),
            None => self.pull_pieces(rank, offer, block, length),
        };
        if !done {
            self.coll_segment.refuse(rank, self.number);
        }
        done
    }

    /// [`pull`](Self::pull) for a block with holes.
    fn pull_pieces(&self, rank: usize, offer: Offer, block: &Data, length: u64) -> bool {
        let mut piece = vec![0; PACKED_AT_ONCE.min(length) as usize];
        (0..length)
            .step_by(PACKED_AT_ONCE as usize)
            .all(|position| {
                let bytes = PACKED_AT_ONCE.min(length - position);
                let piece = &mut piece[..bytes as usize];
                let done = self
                    .coll_segment
                    .pull(rank, offer, position, Span::new(piece));
                if done {
                    block.unpack(position, piece);
                }
                done
            })
    }

    /// This rank has dealt with all offers.
    #[inline]
    pub(super) fn deal(&self) {
        self.coll_segment.answer_offers(self.number);
        self.coll_segment.notify();
    }

    /// Copies `block`, which lies in one piece, to what `rank` offers, as far as there is room, or refuses
    /// that; says whether it has copied it.
    pub(super) fn push(&self, rank: usize, offer: Offer, block: &Data) -> bool {
        let length = offer.length.min(block.bytes());
        let done = length == 0
            || block
                .span(0, length)
                .is_some_and(|span| self.coll_segment.push(rank, offer, 0, span));
        if !done {
            self.coll_segment.refuse(rank, self.number);
        }
        done
    }

    /// Waits until `rank` has dealt with what this rank has offered; says whether it has refused it.
    #[inline]
    pub(super) async fn refused(&self, rank: usize) -> bool {
        self.wait(self.coll_segment.answered(rank, self.number))
            .await;
        self.coll_segment.refused(rank, self.number)
    }
}

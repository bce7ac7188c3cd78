//! Recursive halving and doubling of data among a power of two of ranks, the parts that Rabenseifner's
//! reduce and allreduce share.
//!
//! For other numbers of ranks the first few pairs of neighbours become one *place* each. The odd rank gives its data
//! to the even one before the rounds. Where all want the result, it gets that after them. Places keep the order of
//! ranks, so partial results can be combined in rank order throughout.

use super::blocks::{Temp, share_start, shares_run};
use super::net::{Coll, Net};
use crate::datatype::Data;
use crate::op::Operation;

/// How ranks map to a power of two of places.
pub(crate) struct Fold {
    /// Number of places: the largest power of two that is not above the number of ranks.
    pub places: usize,
    extra: usize,
}

impl Fold {
    #[inline]
    pub fn new(size: usize) -> Fold {
        let places = 1 << size.ilog2();
        let extra = size - places;
        Fold { places, extra }
    }

    /// Every rank has a place of its own, that of its number.
    #[inline]
    pub fn is_exact(&self) -> bool {
        self.extra == 0
    }

    /// The rank that has a place.
    #[inline]
    pub fn rank(&self, place: usize) -> usize {
        if place < self.extra {
            2 * place
        } else {
            place + self.extra
        }
    }

    /// The place of a rank; `None` for one that gives its data away.
    #[inline]
    pub fn place(&self, rank: usize) -> Option<usize> {
        if rank >= 2 * self.extra {
            Some(rank - self.extra)
        } else {
            rank.is_multiple_of(2).then_some(rank / 2)
        }
    }

    /// The rank that has this rank's place instead of it, or whose data it has.
    #[inline]
    fn partner(&self, rank: usize) -> Option<usize> {
        (rank < 2 * self.extra).then_some(rank ^ 1)
    }

    /// Gives the data of the surplus ranks to their neighbours; returns this rank's place.
    ///
    /// On return `acc` and `other`, memory of the same shape, may have changed roles.
    #[inline]
    pub async fn enter<N: Net>(
        &self,
        coll: &Coll<'_, N>,
        op: &Operation,
        acc: &mut Data,
        other: &mut Data,
    ) -> Option<usize> {
        let place = self.place(coll.rank);
        if let Some(partner) = self.partner(coll.rank) {
            if place.is_none() {
                coll.send(acc.clone(), partner).await;
            } else {
                coll.recv(other.clone(), partner).await;
                coll.combine(op, false, acc, other);
            }
        }
        place
    }

    /// Gives the result back to the surplus ranks.
    #[inline]
    pub async fn leave<N: Net>(&self, coll: &Coll<'_, N>, result: &Data) {
        if let Some(partner) = self.partner(coll.rank) {
            if self.place(coll.rank).is_some() {
                coll.send(result.clone(), partner).await;
            } else {
                coll.recv(result.clone(), partner).await;
            }
        }
    }
}

/// The share of the data that a place has finished after [`reduce_scatter`].
pub(crate) fn owned(fold: &Fold, place: usize) -> usize {
    match fold.places.ilog2() {
        0 => 0,
        bits => place.reverse_bits() >> (usize::BITS - bits),
    }
}

/// Combines all ranks' `acc` so that each place has one share of the result, in place; returns this
/// rank's place. The rest of `acc` holds intermediate data afterwards.
pub(crate) async fn reduce_scatter<N: Net>(
    coll: &Coll<'_, N>,
    fold: &Fold,
    acc: &Data,
    op: &Operation,
) -> Option<usize> {
    if fold.partner(coll.rank).is_some() {
        let whole = Temp::of(
            if fold.place(coll.rank).is_some() {
                acc.count
            } else {
                0
            },
            &acc.datatype,
        );
        let (mut result, mut other) = (acc.clone(), whole.data());
        fold.enter(coll, op, &mut result, &mut other).await;
        if result.address() != acc.address() {
            result.copy_to(acc);
        }
    }
    let place = fold.place(coll.rank)?;
    let temp = Temp::of(
        share_start(acc.count, fold.places, fold.places / 2),
        &acc.datatype,
    );
    let (mut first, mut end) = (0, fold.places);
    let mut mask = 1;
    while mask < fold.places {
        let middle = (first + end) / 2;
        let (lower, upper) = ((first, middle), (middle, end));
        let partner_is_lower = place & mask != 0;
        let (keep, give) = if partner_is_lower {
            (upper, lower)
        } else {
            (lower, upper)
        };
        let partner = fold.rank(place ^ mask);
        let mut mine = shares_run(acc, fold.places, keep.0, keep.1);
        let mut theirs = temp.part(0, mine.count);
        let out = shares_run(acc, fold.places, give.0, give.1);
        coll.sendrecv(out, partner, theirs.clone(), partner).await;
        let target = mine.clone();
        coll.combine(op, partner_is_lower, &mut mine, &mut theirs);
        if mine.address() != target.address() {
            mine.copy_to(&target);
        }
        (first, end) = keep;
        mask <<= 1;
    }
    Some(place)
}

/// Brings the shares that [`reduce_scatter`] left to all places, in place.
pub(crate) async fn allgather<N: Net>(coll: &Coll<'_, N>, fold: &Fold, place: usize, acc: &Data) {
    let mut first = owned(fold, place);
    let mut length = 1;
    let mut mask = fold.places;
    while mask > 1 {
        mask >>= 1;
        let other = first ^ length;
        let run = |first: usize| shares_run(acc, fold.places, first, first + length);
        let partner = fold.rank(place ^ mask);
        coll.sendrecv(run(first), partner, run(other), partner)
            .await;
        first = first.min(other);
        length *= 2;
    }
}

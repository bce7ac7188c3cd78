//! Recursive doubling: in round k a rank exchanges its partial result with the one whose place differs in bit k. A
//! rank sends log2 p messages of the whole data, two more where p is no power of two. For short data, and any
//! operation in rank order.

use crate::coll::blocks::Temp;
use crate::coll::halving::Fold;
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;
use crate::op::Operation;

/// `recv` holds the rank's contribution and is overwritten by the result.
pub async fn run<N: Net>(coll: &Coll<'_, N>, recv: &Data, op: &Operation) {
    let fold = Fold::new(coll.size);
    let temp = Temp::like(recv);
    let (mut acc, mut other) = (recv.clone(), temp.data());
    // Two futures less to set up for a power of two, the common case.
    let place = match fold.is_exact() {
        true => Some(coll.rank),
        false => fold.enter(coll, op, &mut acc, &mut other).await,
    };
    if let Some(place) = place {
        let mut mask = 1;
        while mask < fold.places {
            let partner = fold.rank(place ^ mask);
            coll.sendrecv(acc.clone(), partner, other.clone(), partner)
                .await;
            coll.combine(op, place & mask != 0, &mut acc, &mut other);
            mask <<= 1;
        }
        if acc.address() != recv.address() {
            acc.copy_to(recv);
        }
    }
    if !fold.is_exact() {
        fold.leave(coll, recv).await;
    }
}

//! Rabenseifner: reduce-scatter by recursive halving, then allgather by recursive doubling. A rank sends 2 log2 p
//! messages and about 2n bytes, and combines n elements. For long data, and any operation in rank order.

use crate::coll::halving::{self, Fold};
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;
use crate::op::Operation;

/// `recv` holds the rank's contribution and is overwritten by the result.
pub async fn run<N: Net>(coll: &Coll<'_, N>, recv: &Data, op: &Operation) {
    let fold = Fold::new(coll.size);
    if let Some(place) = halving::reduce_scatter(coll, &fold, recv, op).await {
        halving::allgather(coll, &fold, place, recv).await;
    }
    fold.leave(coll, recv).await;
}

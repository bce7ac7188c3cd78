//! Rabenseifner: the ranks divide the work of combining by recursive halving of the data, then the root
//! collects the finished shares. Each rank combines about n elements in all instead of n log2 p, and
//! moves about 2n: for long data. The halving starts between neighbours, so any operation is combined in
//! rank order. The root takes up to p messages at the end.

use crate::coll::blocks::share;
use crate::coll::halving::{self, Fold};
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;
use crate::op::Operation;

/// `acc` holds the rank's contribution; it is overwritten, at the root by the result.
pub async fn run<N: Net>(coll: &Coll<'_, N>, acc: &Data, op: &Operation, root: usize) {
    let fold = Fold::new(coll.size);
    let place = halving::reduce_scatter(coll, &fold, acc, op).await;
    if coll.rank == root {
        let mut shares = coll.several();
        for other in 0..fold.places {
            let from = fold.rank(other);
            if from != root {
                shares.recv(share(acc, fold.places, halving::owned(&fold, other)), from);
            }
        }
        shares.done().await;
    } else if let Some(place) = place {
        let mine = share(acc, fold.places, halving::owned(&fold, place));
        coll.send(mine, root).await;
    }
}

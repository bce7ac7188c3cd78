//! Binomial tree: a rank combines what its children send with its own and passes it up. The tree is ceil(log2 p)
//! messages deep, each of the whole data. For short data. An operation that does not commute is combined in rank
//! order on a tree at rank 0, which sends the result to the root.

use crate::coll::blocks::Temp;
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;
use crate::op::Operation;

/// `acc` holds the rank's contribution; it is overwritten, at the root by the result.
pub async fn run<N: Net>(coll: &Coll<'_, N>, acc: &Data, op: &Operation, root: usize) {
    let top = if op.commutative() { root } else { 0 };
    let me = coll.relative(top);
    let temp = Temp::like(acc);
    let (mut result, mut other) = (acc.clone(), temp.data());
    let mut mask = 1;
    while mask < coll.size {
        if me & mask != 0 {
            coll.send(result.clone(), coll.absolute(me - mask, top))
                .await;
            break;
        }
        if me + mask < coll.size {
            let child = coll.absolute(me + mask, top);
            coll.recv(other.clone(), child).await;
            coll.combine(op, false, &mut result, &mut other);
        }
        mask <<= 1;
    }
    if coll.rank == top && root != top {
        coll.send(result, root).await;
    } else if coll.rank == root && root != top {
        coll.recv(acc.clone(), top).await;
    } else if coll.rank == root && result.address() != acc.address() {
        result.copy_to(acc);
    }
}

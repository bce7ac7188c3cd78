//! Ring: the data is cut in p shares. In p - 1 steps each share goes round the ring, and every rank adds its own
//! part. In p - 1 more steps the finished shares come to all. Some 2n bytes pass through each link. For very long
//! data on few ranks, and operations that commute.

use crate::coll::blocks::{Temp, share};
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;
use crate::op::Operation;

/// From `send` to `recv`: each share is received straight into its place and `send`'s part added to it.
pub async fn run<N: Net>(coll: &Coll<'_, N>, send: &Data, recv: &Data, op: &Operation) {
    let size = coll.size;
    let (to, from) = (coll.after(1), coll.before(1));
    let mut out = share(send, size, coll.rank);
    for step in 1..size {
        let index = coll.before(step);
        let into = share(recv, size, index);
        coll.sendrecv(out, to, into.clone(), from).await;
        coll.apply(op, &share(send, size, index), &into);
        out = into;
    }
    spread(coll, recv).await;
}

/// As [`run`], with the contribution in `recv`: shares pass through memory of our own.
pub async fn in_place<N: Net>(coll: &Coll<'_, N>, recv: &Data, op: &Operation) {
    let size = coll.size;
    let (to, from) = (coll.after(1), coll.before(1));
    let temp = Temp::like(&share(recv, size, 0));
    for step in 1..size {
        let index = coll.before(step);
        let mine = share(recv, size, index);
        let into = temp.part(0, mine.count);
        let out = share(recv, size, coll.before(step - 1));
        coll.sendrecv(out, to, into.clone(), from).await;
        coll.apply(op, &into, &mine);
    }
    spread(coll, recv).await;
}

/// Brings the finished shares to all; rank `r` has finished share `r + 1`.
async fn spread<N: Net>(coll: &Coll<'_, N>, recv: &Data) {
    let (to, from) = (coll.after(1), coll.before(1));
    let mut have = coll.after(1);
    for step in 0..coll.size - 1 {
        let want = coll.before(step);
        let (out, into) = (share(recv, coll.size, have), share(recv, coll.size, want));
        coll.sendrecv(out, to, into, from).await;
        have = want;
    }
}

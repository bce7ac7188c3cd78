//! Scatter, then allgather (van de Geijn): a binomial tree deals the data out in p pieces, and a ring brings all
//! pieces to all. A rank sends up to log2 p + p - 1 messages, but only about twice the data passes through each link.
//! For long data on many ranks.

use crate::coll::blocks::Flat;
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;

pub async fn run<N: Net>(coll: &Coll<'_, N>, data: &Data, root: usize) {
    let size = coll.size;
    let me = coll.relative(root);
    let flat = Flat::new(coll.byte(), data, me == 0);
    let piece = data.bytes().div_ceil(size as u64);
    let pieces = |first: usize, end: usize| {
        let end = end.min(size);
        flat.range(first as u64 * piece, end as u64 * piece)
    };

    let mut mask = 1;
    while mask < size {
        if me & mask != 0 {
            coll.recv(pieces(me, me + mask), coll.absolute(me - mask, root))
                .await;
            break;
        }
        mask <<= 1;
    }
    let mut children = coll.several();
    while mask > 1 {
        mask >>= 1;
        if me + mask < size {
            let subtree = pieces(me + mask, me + 2 * mask);
            children.send(subtree, coll.absolute(me + mask, root));
        }
    }
    children.done().await;

    let (to, from) = (coll.after(1), coll.before(1));
    let mut have = me;
    for _ in 1..size {
        let want = (have + size - 1) % size;
        coll.sendrecv(pieces(have, have + 1), to, pieces(want, want + 1), from)
            .await;
        have = want;
    }
    if me > 0 {
        flat.unpack();
    }
}

//! Recursive doubling: in round k a rank exchanges all it has with the one whose number differs in bit k.
//! log2 p messages, every byte once and in its place, for a power of two of ranks and blocks of one size.

use crate::coll::blocks::Blocks;
use crate::coll::net::{Coll, Net};

pub async fn run<N: Net>(coll: &Coll<'_, N>, recv: &Blocks) {
    let mut mask = 1;
    while mask < coll.size {
        let partner = coll.rank ^ mask;
        let (mine, theirs) = (coll.rank & !(mask - 1), partner & !(mask - 1));
        let run = |first: usize| recv.run(first, first + mask).expect("blocks of one size");
        coll.sendrecv(run(mine), partner, run(theirs), partner)
            .await;
        mask <<= 1;
    }
}

//! Recursive doubling: in round k a rank exchanges all it has with the one whose number differs in bit k. A rank
//! sends log2 p messages, and every byte arrives once, in its place. For a power of two of ranks and blocks of one
//! size.

use super::Own;
use crate::coll::blocks::Blocks;
use crate::coll::net::{Coll, Net};

pub async fn run<N: Net>(coll: &Coll<'_, N>, own: &Own, recv: &Blocks) {
    let mut mask = 1;
    while mask < coll.size {
        let partner = coll.rank ^ mask;
        let (mine, theirs) = (coll.rank & !(mask - 1), partner & !(mask - 1));
        let run = |first: usize| recv.run(first, first + mask).expect("blocks of one size");
        let out = if mask == 1 { own.to_send() } else { run(mine) };
        let both = coll.sendrecv(out, partner, run(theirs), partner);
        if mask == 1 {
            own.copy(coll);
        }
        both.await;
        mask <<= 1;
    }
}

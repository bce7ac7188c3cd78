//! Pairwise exchange: in step i a rank sends i places on and receives from i places back, one message at a time each
//! way. For long blocks, of which several at once would only compete for the same memory.

use super::copy_own;
use crate::coll::blocks::Blocks;
use crate::coll::net::{Coll, Net};

pub async fn run<N: Net>(coll: &Coll<'_, N>, send: &Blocks, recv: &Blocks) {
    for distance in 1..coll.size {
        let (to, from) = (coll.after(distance), coll.before(distance));
        let mut both = coll.several();
        if recv.bytes(from) > 0 {
            both.recv(recv.get(from), from);
        }
        if send.bytes(to) > 0 {
            both.send(send.get(to), to);
        }
        if distance == 1 {
            copy_own(coll, send, recv);
        }
        both.done().await;
    }
}

/// In step i the two ranks whose numbers add up to i (modulo p) exchange blocks. Each sends a copy of the block
/// that it gives away.
pub async fn in_place<N: Net>(coll: &Coll<'_, N>, blocks: &Blocks) {
    for sum in 0..coll.size {
        let partner = (sum + coll.size - coll.rank) % coll.size;
        let block = blocks.get(partner);
        if partner == coll.rank || block.bytes() == 0 {
            continue;
        }
        let copy = coll.room(block.bytes());
        block.copy_to(&copy.data());
        coll.sendrecv(copy.data(), partner, block, partner).await;
    }
}

//! Ring: in each of p - 1 steps a rank passes on the block that it received last. Each byte goes through
//! each link once and lands in its place: for long data, any sizes.

use super::Own;
use crate::coll::blocks::Blocks;
use crate::coll::net::{Coll, Net};

pub async fn run<N: Net>(coll: &Coll<'_, N>, own: &Own, recv: &Blocks) {
    let (to, from) = (coll.after(1), coll.before(1));
    for step in 0..coll.size - 1 {
        let (have, want) = (coll.before(step), coll.before(step + 1));
        let mut both = coll.several();
        if recv.bytes(want) > 0 {
            both.recv(recv.get(want), from);
        }
        if recv.bytes(have) > 0 {
            let block = match step {
                0 => own.to_send(),
                _ => recv.get(have),
            };
            both.send(block, to);
        }
        if step == 0 {
            own.copy(coll);
        }
        both.done().await;
    }
}

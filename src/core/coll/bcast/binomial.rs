//! Binomial tree: a rank that has the data passes it to the one 2^k places on, for falling k. The tree is ceil(log2
//! p) messages deep, with p - 1 in all, each of the whole data. No algorithm has fewer rounds. For short data.

use crate::coll::net::{Coll, Net};
use crate::datatype::Data;

pub async fn run<N: Net>(coll: &Coll<'_, N>, data: &Data, root: usize) {
    let me = coll.relative(root);
    let mut mask = 1;
    while mask < coll.size {
        if me & mask != 0 {
            coll.recv(data.clone(), coll.absolute(me - mask, root))
                .await;
            break;
        }
        mask <<= 1;
    }
    let mut children = coll.several();
    while mask > 1 {
        mask >>= 1;
        if me + mask < coll.size {
            children.send(data.clone(), coll.absolute(me + mask, root));
        }
    }
    children.done().await;
}

//! Reduce to rank 0 on a binomial tree, then a linear scatter of the blocks. The tree is log2 p messages of the whole
//! data deep; p short ones follow. For short data, and operations that do not commute.

use super::Vector;
use crate::coll::blocks::Temp;
use crate::coll::net::{Coll, Net};
use crate::coll::reduce;
use crate::datatype::Data;
use crate::op::Operation;

pub async fn run<N: Net>(coll: &Coll<'_, N>, vector: &Vector<'_>, result: &Data, op: &Operation) {
    let temp = Temp::like(vector.data);
    let acc = temp.data();
    vector.data.copy_to(&acc);
    reduce::binomial::run(coll, &acc, op, 0).await;
    if coll.rank > 0 {
        if result.bytes() > 0 {
            coll.recv(result.clone(), 0).await;
        }
        return;
    }
    let mut blocks = coll.several();
    for to in 1..coll.size {
        let block = vector.blocks_of(&acc, to, to + 1);
        if block.bytes() > 0 {
            blocks.send(block, to);
        }
    }
    vector.blocks_of(&acc, 0, 1).copy_to(result);
    blocks.done().await;
}

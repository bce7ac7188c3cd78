//! Pairwise exchange: in step i a rank sends the block that belongs to the rank i places on. It combines the one that
//! comes from i places back into its own. A rank sends p - 1 messages, and every byte once. For long data. What comes
//! from lower ranks, and after the wrap from higher ones, arrives in falling order, so two partial results keep the
//! order of ranks.

use super::Vector;
use crate::coll::blocks::Temp;
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;
use crate::op::Operation;

pub async fn run<N: Net>(coll: &Coll<'_, N>, vector: &Vector<'_>, result: &Data, op: &Operation) {
    let own = vector.blocks(coll.rank, coll.rank + 1);
    // The result may lie over the vector, which is still being sent: it is written at the very end.
    let (acc, incoming, above) = (Temp::like(&own), Temp::like(&own), Temp::like(&own));
    let acc = acc.data();
    own.copy_to(&acc);
    let mut upper: Option<Data> = None;
    for distance in 1..coll.size {
        let (to, from) = (coll.after(distance), coll.before(distance));
        let from_above = from > coll.rank && !op.commutative();
        let into = match upper {
            None if from_above => above.data(),
            _ => incoming.data(),
        };
        let out = vector.blocks(to, to + 1);
        let mut both = coll.several();
        if into.bytes() > 0 {
            both.recv(into.clone(), from);
        }
        if out.bytes() > 0 {
            both.send(out, to);
        }
        both.done().await;
        match &upper {
            _ if !from_above => coll.apply(op, &into, &acc),
            None => upper = Some(into),
            Some(upper) => coll.apply(op, &into, upper),
        }
    }
    let finished = match upper {
        None => acc,
        Some(upper) => {
            coll.apply(op, &acc, &upper);
            upper
        }
    };
    finished.copy_to(result);
}

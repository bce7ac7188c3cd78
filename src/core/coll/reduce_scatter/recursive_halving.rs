//! Recursive halving: in each round a rank exchanges data with a partner half the remaining distance away. It gives
//! the half of its blocks that this partner's side will end up with. A rank sends log2 p messages, two more where p
//! is no power of two, and about n bytes. For short data, and operations that commute.

use super::Vector;
use crate::coll::blocks::Temp;
use crate::coll::halving::Fold;
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;
use crate::op::Operation;

pub async fn run<N: Net>(coll: &Coll<'_, N>, vector: &Vector<'_>, result: &Data, op: &Operation) {
    let fold = Fold::new(coll.size);
    let (first, second) = (Temp::like(vector.data), Temp::like(vector.data));
    let (mut acc, mut other) = (first.data(), second.data());
    vector.data.copy_to(&acc);
    let Some(place) = fold.enter(coll, op, &mut acc, &mut other).await else {
        // The neighbour that took the data sends the finished block.
        if result.bytes() > 0 {
            coll.recv(result.clone(), coll.rank - 1).await;
        }
        return;
    };
    // The blocks of places `first..end`; a place that stands for two ranks has the blocks of both.
    let first_block = |place: usize| {
        if place == fold.places {
            coll.size
        } else {
            fold.rank(place)
        }
    };
    let run = |data: &Data, places: (usize, usize)| {
        vector.blocks_of(data, first_block(places.0), first_block(places.1))
    };

    let (mut first, mut end) = (0, fold.places);
    while end - first > 1 {
        let half = (end - first) / 2;
        let middle = first + half;
        let (lower, upper) = ((first, middle), (middle, end));
        let (keep, give) = if place < middle {
            (lower, upper)
        } else {
            (upper, lower)
        };
        let partner = fold.rank(place ^ half);
        let (mine, theirs) = (run(&acc, keep), run(&other, keep));
        let out = run(&acc, give);
        let mut both = coll.several();
        if theirs.bytes() > 0 {
            both.recv(theirs.clone(), partner);
        }
        if out.bytes() > 0 {
            both.send(out, partner);
        }
        both.done().await;
        coll.apply(op, &theirs, &mine);
        (first, end) = keep;
    }

    vector
        .blocks_of(&acc, coll.rank, coll.rank + 1)
        .copy_to(result);
    if first_block(place + 1) - first_block(place) == 2 {
        let theirs = vector.blocks_of(&acc, coll.rank + 1, coll.rank + 2);
        if theirs.bytes() > 0 {
            coll.send(theirs, coll.rank + 1).await;
        }
    }
}

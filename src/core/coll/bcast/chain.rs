//! Pipelined chain: the data goes along the ranks in segments, each rank passing one on while it receives
//! the next. Time of (s + p - 2) segments for s segments: for long data near the cost of one copy, for
//! few ranks.

use crate::coll::blocks::Flat;
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;

/// Long enough to hide a message's fixed cost, short enough to stay in the cache.
const SEGMENT: u64 = 128 << 10;

pub async fn run<N: Net>(coll: &Coll<'_, N>, data: &Data, root: usize) {
    let me = coll.relative(root);
    let flat = Flat::new(coll.byte(), data, me == 0);
    let before = (me > 0).then(|| coll.absolute(me - 1, root));
    let after = (me + 1 < coll.size).then(|| coll.absolute(me + 1, root));
    let total = data.bytes();
    let segment = |start: u64| flat.range(start, start + SEGMENT);

    let mut sends = coll.several();
    let mut next = before.map(|before| coll.recv(segment(0), before));
    let mut start = 0;
    while start < total {
        let this = next.take();
        if start + SEGMENT < total {
            // Posted before the wait, so that the rank before always finds a posted receive.
            next = before.map(|before| coll.recv(segment(start + SEGMENT), before));
        }
        if let Some(this) = this {
            this.await;
        }
        if let Some(after) = after {
            sends.send(segment(start), after);
        }
        start += SEGMENT;
    }
    sends.done().await;
    if me > 0 {
        flat.unpack();
    }
}

//! Bruck: round k sends the first 2^k blocks that a rank has to the one 2^k places back. A rank sends ceil(log2 p)
//! messages, for any p and any sizes. The data is packed and unpacked once. For short data.

use crate::coll::blocks::{Blocks, pack, unpack};
use crate::coll::net::{Coll, Net};

pub async fn run<N: Net>(coll: &Coll<'_, N>, recv: &Blocks) {
    let size = coll.size;
    // starts[i]: where the block of the rank i places on begins.
    let mut starts = Vec::with_capacity(size + 1);
    starts.push(0);
    for distance in 0..size {
        starts.push(starts[distance] + recv.bytes(coll.after(distance)));
    }
    let temp = coll.room(starts[size]);
    let packed = temp.data();
    pack(recv, coll.rank, 1, size, &packed);

    let mut have = 1;
    while have < size {
        let more = have.min(size - have);
        let out = packed.part(0, starts[more]);
        let into = packed.part(starts[have], starts[have + more] - starts[have]);
        coll.sendrecv(out, coll.before(have), into, coll.after(have))
            .await;
        have += more;
    }
    let others = packed.part(starts[1], starts[size] - starts[1]);
    unpack(&others, recv, coll.rank + 1, size - 1, size);
}

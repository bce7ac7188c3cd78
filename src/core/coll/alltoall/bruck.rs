//! Bruck: blocks travel by the binary digits of their distance. Round k moves all blocks whose distance has bit k set
//! 2^k places on, as one message. A rank sends ceil(log2 p) messages instead of p - 1, and each block moves up to
//! log2 p times. For very short blocks of one size.

use crate::coll::blocks::{Blocks, pack};
use crate::coll::net::{Coll, Net};

pub async fn run<N: Net>(coll: &Coll<'_, N>, send: &Blocks, recv: &Blocks) {
    let size = coll.size;
    let bytes = recv.bytes(0);
    if bytes == 0 {
        return;
    }
    // Slot i holds the block that is still to go i places on (less the digits already done).
    let slots = coll.room(bytes * size as u64);
    let slot = |index: usize| slots.part(index as u64 * bytes, bytes);
    pack(send, coll.rank, size, size, &slots.data());

    let half = bytes * size.div_ceil(2) as u64;
    let (out, into) = (coll.room(half), coll.room(half));
    let (out, into) = (out.data(), into.data());
    let mut distance = 1;
    while distance < size {
        let moving = || (0..size).filter(|index| index & distance != 0);
        let mut length = 0;
        for index in moving() {
            slot(index).copy_to(&out.part(length, bytes));
            length += bytes;
        }
        let (to, from) = (coll.after(distance), coll.before(distance));
        coll.sendrecv(out.part(0, length), to, into.part(0, length), from)
            .await;
        for (place, index) in moving().enumerate() {
            into.part(place as u64 * bytes, bytes).copy_to(&slot(index));
        }
        distance <<= 1;
    }
    for distance in 1..size {
        slot(distance).copy_to(&recv.get(coll.before(distance)));
    }
}

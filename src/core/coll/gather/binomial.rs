//! Binomial gather: a rank collects the blocks of its subtree, then passes them up as one message. The root gets
//! ceil(log2 p) messages, and each byte moves up to log2 p times. For short blocks.

use crate::coll::blocks::{Blocks, unpack};
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;

/// `bytes` is the packed size of a block, not 0.
pub async fn run<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: Option<&Blocks>,
    bytes: u64,
    root: usize,
) {
    let size = coll.size;
    let me = coll.relative(root);
    // The ranks below this one in the tree stand in the order of the ring behind it.
    let reach = if me == 0 {
        size.next_power_of_two()
    } else {
        me & me.wrapping_neg()
    };
    let below = reach.min(size - me);
    let leaf = below == 1;
    let temp = coll.room(if leaf || me == 0 {
        0
    } else {
        below as u64 * bytes
    });
    let packed = temp.data();
    if let (false, Some(send)) = (leaf || me == 0, send) {
        send.copy_to(&packed.part(0, bytes));
    }

    let mut mask = 1;
    while mask < reach && me + mask < size {
        let child = coll.absolute(me + mask, root);
        let count = mask.min(size - me - mask);
        match recv {
            // The root's blocks have an end where the ring passes rank 0.
            Some(recv) => match recv
                .run(child, child + count)
                .filter(|_| child + count <= size)
            {
                Some(run) => coll.recv(run, child).await,
                None => {
                    let subtree = coll.room(count as u64 * bytes);
                    coll.recv(subtree.data(), child).await;
                    unpack(&subtree.data(), recv, child, count, size);
                }
            },
            None => {
                let subtree = packed.part(mask as u64 * bytes, count as u64 * bytes);
                coll.recv(subtree, child).await;
            }
        }
        mask <<= 1;
    }
    if me > 0 {
        let up = coll.absolute(me - reach, root);
        match send {
            Some(send) if leaf => coll.send(send.clone(), up).await,
            _ => coll.send(packed, up).await,
        }
    }
}

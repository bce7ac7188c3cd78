//! Binomial scatter: a rank receives the blocks of its whole subtree and hands on the upper halves. The root sends
//! ceil(log2 p) messages, and each byte moves up to log2 p times. For short blocks.

use crate::coll::blocks::{Blocks, pack};
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;

/// `bytes` is the packed size of a block, not 0.
pub async fn run<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Blocks>,
    recv: Option<&Data>,
    bytes: u64,
    root: usize,
) {
    let size = coll.size;
    let me = coll.relative(root);
    let reach = if me == 0 {
        size.next_power_of_two()
    } else {
        me & me.wrapping_neg()
    };
    let below = reach.min(size - me);
    // The root sends from its own buffer, unless the subtree passes the end of it.
    let from_root = |child: usize, count: usize| {
        let send = send?;
        send.run(child, child + count)
            .filter(|_| child + count <= size)
    };
    let temp = match send {
        Some(_) if root == 0 => coll.room(0),
        None if below == 1 => coll.room(0),
        _ => coll.room(below as u64 * bytes),
    };
    let packed = temp.data();
    match (send, recv) {
        (Some(send), _) if root > 0 => pack(send, root, size, size, &packed),
        (None, Some(recv)) => {
            let up = coll.absolute(me - reach, root);
            if below == 1 {
                return coll.recv(recv.clone(), up).await;
            }
            coll.recv(packed.clone(), up).await;
            packed.part(0, bytes).copy_to(recv);
        }
        _ => {}
    }

    let mut children = coll.several();
    let mut mask = reach;
    while mask > 1 {
        mask >>= 1;
        if me + mask < size {
            let child = coll.absolute(me + mask, root);
            let count = mask.min(size - me - mask);
            let subtree = || packed.part(mask as u64 * bytes, count as u64 * bytes);
            children.send(from_root(child, count).unwrap_or_else(subtree), child);
        }
    }
    children.done().await;
}

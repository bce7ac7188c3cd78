//! Linear scatter: the root sends every block straight to its rank. The root sends p - 1 messages, and no byte moves
//! twice. For long blocks, and where sizes differ.

use crate::coll::blocks::Blocks;
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;

pub async fn run<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Blocks>,
    recv: Option<&Data>,
    root: usize,
) {
    match send {
        None => {
            if let Some(recv) = recv.filter(|recv| recv.bytes() > 0) {
                coll.recv(recv.clone(), root).await;
            }
        }
        Some(send) => {
            let mut blocks = coll.several();
            for distance in 1..coll.size {
                let to = coll.after(distance);
                if send.bytes(to) > 0 {
                    blocks.send(send.get(to), to);
                }
            }
            blocks.done().await;
        }
    }
}

//! Linear gather: every rank sends straight to the root, which receives each block where it belongs. The root gets p
//! - 1 messages, and no byte moves twice. For long blocks, and where sizes differ.

use crate::coll::blocks::Blocks;
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;

pub async fn run<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: Option<&Blocks>,
    root: usize,
) {
    match recv {
        None => {
            if let Some(send) = send.filter(|send| send.bytes() > 0) {
                coll.send(send.clone(), root).await;
            }
        }
        Some(recv) => {
            let mut blocks = coll.several();
            for distance in 1..coll.size {
                let from = coll.after(distance);
                if recv.bytes(from) > 0 {
                    blocks.recv(recv.get(from), from);
                }
            }
            blocks.done().await;
        }
    }
}

//! Scattered: a rank sends to and receives from several ranks at once. Each begins at its own neighbour, so that no
//! rank is asked by all. A rank sends p - 1 messages, whose latencies overlap. For middle lengths.

use super::copy_own;
use crate::coll::blocks::Blocks;
use crate::coll::net::{Coll, Net};

/// Ranks talked to at once: bounds the buffers that a slow rank must keep.
const WINDOW: usize = 32;

pub async fn run<N: Net>(coll: &Coll<'_, N>, send: &Blocks, recv: &Blocks) {
    let mut window = coll.several();
    let mut first = 1;
    while first < coll.size {
        let end = (first + WINDOW).min(coll.size);
        for distance in first..end {
            let from = coll.before(distance);
            if recv.bytes(from) > 0 {
                window.recv(recv.get(from), from);
            }
        }
        for distance in first..end {
            let to = coll.after(distance);
            if send.bytes(to) > 0 {
                window.send(send.get(to), to);
            }
        }
        if first == 1 {
            copy_own(coll, send, recv);
        }
        window.done().await;
        first = end;
    }
}

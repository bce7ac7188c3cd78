//! Data that passes through all lanes: while the others read one pass, the owner writes the next.

use super::{SharedSpan, Turn};
use crate::coll::net::Net;
use crate::shm::collective::WHOLE_LANE;

/// How lanes are filled by passes.
#[derive(Clone, Copy)]
pub(super) struct Passes {
    /// Most bytes of a pass.
    bytes: usize,
    span: SharedSpan,
}

impl Passes {
    /// Most bytes of a pass. Where ranks share cores, fewer and longer ones, as all wait for each other after each.
    pub fn bytes<N: Net>(turn: &Turn<'_, '_, N>) -> usize {
        match turn.coll_segment.crowded() {
            true => WHOLE_LANE / 2,
            false => turn.coll_segment.window(),
        }
    }

    /// So many passes of so many bytes.
    pub fn of<N: Net>(turn: &Turn<'_, '_, N>, bytes: usize, passes: u64) -> Passes {
        let span = turn.span(bytes as u64 * passes);
        Passes { bytes, span }
    }

    /// Of each lane.
    pub fn span(self) -> SharedSpan {
        self.span
    }

    /// Byte of the lane where a pass begins. One has its place for itself until all have taken part in the one after the next.
    #[inline]
    pub fn start(self, pass: u64) -> usize {
        self.span.place(pass, self.bytes)
    }
}

/// Writes the first pass and contributes `length`, so that others need not wait twice.
pub(super) async fn begin<N: Net>(
    turn: &Turn<'_, '_, N>,
    lanes: Passes,
    length: u64,
    fill: impl FnOnce(u64),
) {
    turn.lane(lanes.span, None).await;
    fill(0);
    turn.write(length, |_| ()).await;
    turn.coll_segment.notify();
}

/// The other passes: `fill` writes one to this rank's lane, `take` reads one from all lanes.
///
/// Step 2k - 1 says that pass k has been written (pass 0 is with the contribution), step 2k + 2 that it has
/// been read.
pub(super) async fn run<N: Net>(
    turn: &Turn<'_, '_, N>,
    lanes: Passes,
    passes: u64,
    fill: impl Fn(u64),
    take: impl Fn(u64),
) {
    for pass in 0..passes {
        let next = pass + 1;
        if next < passes {
            let places = lanes.span.places(lanes.bytes);
            if next >= places {
                // What is written over now was read by all.
                turn.all_stepped(2 * (next - places) + 2).await;
            }
            fill(next);
            turn.step(2 * next - 1);
        }
        if pass > 0 {
            turn.all_stepped(2 * pass - 1).await;
        }
        take(pass);
        turn.step(2 * pass + 2);
    }
}

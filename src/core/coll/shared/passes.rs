//! Data that passes through all lanes, half a lane at a time: while the others read one half, the owner
//! writes the next.

use super::Turn;
use crate::coll::net::Net;
use crate::shm::collective::{LANE, WIDE};

/// Bytes of a lane that a pass fills.
pub(super) const HALF: usize = LANE / 2;

/// How lanes are filled by passes.
#[derive(Clone, Copy)]
pub(super) struct Passes {
    /// Most bytes of a pass.
    pub bytes: usize,
}

impl Passes {
    /// Where ranks share cores, fewer and longer ones, as all wait for each other after each.
    pub fn of<N: Net>(turn: &Turn<'_, '_, N>) -> Passes {
        let bytes = match turn.area.crowded() {
            true => WIDE / 2,
            false => HALF,
        };
        Passes { bytes }
    }

    /// Byte of the lane where a pass begins.
    #[inline]
    pub fn start(self, pass: u64) -> usize {
        pass as usize % 2 * self.bytes
    }
}

/// Writes the first pass and contributes `length`, so that others need not wait twice.
pub(super) async fn begin<N: Net>(turn: &Turn<'_, '_, N>, length: u64, fill: impl FnOnce(u64)) {
    turn.lane(None).await;
    fill(0);
    turn.write(length, |_, _| ()).await;
    turn.area.notify();
}

/// The other passes: `fill` writes one to this rank's lane, `take` reads one from all lanes.
///
/// Step 2k - 1 says that pass k has been written (pass 0 is with the contribution), step 2k + 2 that it has
/// been read.
pub(super) async fn run<N: Net>(
    turn: &Turn<'_, '_, N>,
    passes: u64,
    fill: impl Fn(u64),
    take: impl Fn(u64),
) {
    for pass in 0..passes {
        let next = pass + 1;
        if next < passes {
            if next >= 2 {
                // The half that is written now was read by all.
                turn.all_stepped(2 * (next - 2) + 2).await;
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

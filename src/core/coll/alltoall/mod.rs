//! All-to-all: a block of its own from every rank to every rank (MPI-5.0, 6.8).

mod bruck;
mod pairwise;
mod scattered;

use super::allgather::Allgather;
use super::blocks::Blocks;
use super::hierarchical;
use super::net::{Coll, Net};
use super::select::{self, ANY_LENGTH, Algorithm, CROWD, MANY, Rule, Shape, algorithms, rule};
use super::shared;
use crate::error::Result;

algorithms! {
    /// How an all-to-all is done.
    Alltoall {
        Shared = "shared",
        Hierarchical = "hierarchical",
        Bruck = "bruck",
        Scattered = "scattered",
        Pairwise = "pairwise",
    }
}

impl Algorithm for Alltoall {
    const FIRST: usize = Allgather::FIRST + Allgather::ALL.len();
    const ALL: &'static [(&'static str, Alltoall)] = Alltoall::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Alltoall::Shared => shape.shared,
            Alltoall::Hierarchical => shape.composes() && shape.even,
            Alltoall::Bruck => shape.even,
            Alltoall::Scattered | Alltoall::Pairwise => true,
        }
    }
}

/// Which algorithm a call uses.
pub(super) const RULES: &[Rule<Alltoall>] = &[
    rule(ANY_LENGTH, CROWD, Alltoall::Shared),
    rule(256, MANY, Alltoall::Hierarchical),
    rule(ANY_LENGTH, 8, Alltoall::Scattered),
    rule(256, MANY, Alltoall::Bruck),
    rule(32 << 10, MANY, Alltoall::Scattered),
    rule(ANY_LENGTH, MANY, Alltoall::Pairwise),
];

/// Sends block `i` of `send` to rank `i`, whose `recv` it enters as the block of this rank.
///
/// `send` is `None` where the data is in place in `recv`. `even` says that the call is a plain all-to-all:
/// all ranks know that the blocks have one size.
pub fn alltoall<N: Net>(
    net: &N,
    send: Option<Blocks>,
    recv: Blocks,
    even: bool,
) -> impl Future<Output = Result<()>> {
    let bytes = if even { recv.bytes(0) } else { 0 };
    let shape = Shape {
        even,
        ..Shape::on(net, bytes)
    };
    alltoall_by(net, select::choose(net, RULES, &shape), send, recv)
}

/// [`alltoall`] with a given algorithm.
pub async fn alltoall_by<N: Net>(
    net: &N,
    algorithm: Alltoall,
    send: Option<Blocks>,
    recv: Blocks,
) -> Result<()> {
    let coll = Coll::new(net);
    let send = send.as_ref();
    match algorithm {
        Alltoall::Hierarchical => Box::pin(hierarchical::alltoall(&coll, send, &recv)).await,
        _ => on(&coll, algorithm, send, &recv).await,
    }
    coll.finish()
}

/// [`alltoall_by`] as a step of another collective.
pub(super) async fn on<N: Net>(
    coll: &Coll<'_, N>,
    algorithm: Alltoall,
    send: Option<&Blocks>,
    recv: &Blocks,
) {
    match (algorithm, send) {
        (Alltoall::Shared, _) => shared::alltoall(coll, send, recv).await,
        (_, None) if coll.size == 1 => (),
        (Alltoall::Bruck, None) => bruck::run(coll, recv, recv).await,
        (_, None) => pairwise::in_place(coll, recv).await,
        (_, Some(send)) if coll.size == 1 => copy_own(coll, send, recv),
        (Alltoall::Bruck, Some(send)) => {
            copy_own(coll, send, recv);
            bruck::run(coll, send, recv).await;
        }
        (Alltoall::Scattered, Some(send)) => scattered::run(coll, send, recv).await,
        (_, Some(send)) => pairwise::run(coll, send, recv).await,
    }
}

/// The block of a rank for itself: best while others are on their way.
fn copy_own<N: Net>(coll: &Coll<'_, N>, send: &Blocks, recv: &Blocks) {
    coll.copy(&send.get(coll.rank), &recv.get(coll.rank));
}

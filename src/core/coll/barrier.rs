//! Barrier: nobody leaves before all have come (MPI-5.0, 6.3).
//!
//! Dissemination (Hensgen, Finkel and Manber 1988): in round k every rank tells the one 2^k places on and hears from
//! the one 2^k places back. After round k it knows of 2^(k+1) ranks. There are ceil(log2 p) rounds of one empty
//! message each, for any p.

use super::hierarchical;
use super::net::{Coll, Net};
use super::reduce_scatter::ReduceScatter;
use super::select::{self, ANY_LENGTH, Algorithm, CROWD, MANY, Rule, Shape, algorithms, rule};
use super::shared;
use crate::error::Result;

algorithms! {
    /// How a barrier is done.
    Barrier {
        Shared = "shared",
        Hierarchical = "hierarchical",
        Dissemination = "dissemination",
    }
}

impl Algorithm for Barrier {
    const FIRST: usize = ReduceScatter::FIRST + ReduceScatter::ALL.len();
    const ALL: &'static [(&'static str, Barrier)] = Barrier::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Barrier::Shared => shape.shared,
            Barrier::Hierarchical => shape.composes(),
            Barrier::Dissemination => true,
        }
    }
}

/// Which algorithm a call uses.
pub(super) const RULES: &[Rule<Barrier>] = &[
    rule(ANY_LENGTH, CROWD, Barrier::Shared),
    rule(ANY_LENGTH, MANY, Barrier::Hierarchical),
    rule(ANY_LENGTH, MANY, Barrier::Dissemination),
];

/// Returns when every rank has called it (MPI-5.0, 6.3).
pub fn barrier<N: Net>(net: &N) -> impl Future<Output = Result<()>> {
    let shape = Shape::on(net, 0);
    barrier_by(net, select::choose(net, RULES, &shape))
}

/// [`barrier`] with a given algorithm.
pub async fn barrier_by<N: Net>(net: &N, algorithm: Barrier) -> Result<()> {
    let coll = Coll::new(net);
    match algorithm {
        Barrier::Hierarchical => Box::pin(hierarchical::barrier(&coll)).await,
        _ => on(&coll, algorithm).await,
    }
    coll.finish()
}

/// [`barrier_by`] as a step of another collective.
pub(super) async fn on<N: Net>(coll: &Coll<'_, N>, algorithm: Barrier) {
    match algorithm {
        Barrier::Shared => shared::barrier(coll).await,
        Barrier::Dissemination | Barrier::Hierarchical => dissemination(coll).await,
    }
}

async fn dissemination<N: Net>(coll: &Coll<'_, N>) {
    if coll.size == 1 {
        return;
    }
    let nothing = coll.room(0);
    let mut distance = 1;
    while distance < coll.size {
        let (to, from) = (coll.after(distance), coll.before(distance));
        coll.sendrecv(nothing.data(), to, nothing.data(), from)
            .await;
        distance <<= 1;
    }
}

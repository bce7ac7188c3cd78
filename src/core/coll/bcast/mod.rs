//! Broadcast: the root's buffer to all ranks (MPI-5.0, 6.4).

mod binomial;
mod chain;
mod scatter_allgather;

use super::hierarchical;
use super::net::{Coll, Net};
use super::select::{self, ANY_LENGTH, Algorithm, CROWD, MANY, Rule, Shape, algorithms, rule};
use super::shared;
use crate::datatype::Data;
use crate::error::Result;

algorithms! {
    /// How a broadcast is done.
    Bcast {
        Shared = "shared",
        Hierarchical = "hierarchical",
        Binomial = "binomial",
        Chain = "chain",
        ScatterAllgather = "scatter_allgather",
    }
}

impl Algorithm for Bcast {
    const FIRST: usize = 0;
    const ALL: &'static [(&'static str, Bcast)] = Bcast::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Bcast::Shared => shape.shared,
            Bcast::Hierarchical => shape.composes(),
            _ => true,
        }
    }
}

/// Which algorithm a call uses.
pub(super) const RULES: &[Rule<Bcast>] = &[
    rule(ANY_LENGTH, CROWD, Bcast::Shared),
    rule(ANY_LENGTH, MANY, Bcast::Hierarchical),
    rule(64 << 10, MANY, Bcast::Binomial),
    rule(ANY_LENGTH, 2, Bcast::Binomial),
    rule(ANY_LENGTH, 16, Bcast::Chain),
    rule(ANY_LENGTH, MANY, Bcast::ScatterAllgather),
];

/// Sends `data` from `root` to every rank's `data`.
pub fn bcast<N: Net>(net: &N, data: Data, root: usize) -> impl Future<Output = Result<()>> {
    let shape = Shape::on(net, data.bytes());
    bcast_by(net, select::choose(net, RULES, &shape), data, root)
}

/// [`bcast`] with a given algorithm.
pub async fn bcast_by<N: Net>(net: &N, algorithm: Bcast, data: Data, root: usize) -> Result<()> {
    let coll = Coll::new(net);
    match algorithm {
        Bcast::Hierarchical => Box::pin(hierarchical::bcast(&coll, &data, root)).await,
        _ => on(&coll, algorithm, &data, root).await,
    }
    coll.finish()
}

/// [`bcast_by`] as a step of another collective.
pub(super) async fn on<N: Net>(coll: &Coll<'_, N>, algorithm: Bcast, data: &Data, root: usize) {
    match algorithm {
        Bcast::Shared => shared::bcast(coll, data, root).await,
        _ if coll.size == 1 || data.bytes() == 0 => {}
        Bcast::Binomial | Bcast::Hierarchical => binomial::run(coll, data, root).await,
        Bcast::Chain => chain::run(coll, data, root).await,
        Bcast::ScatterAllgather => scatter_allgather::run(coll, data, root).await,
    }
}

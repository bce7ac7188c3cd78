//! Scatter: one block from the root to every rank (MPI-5.0, 6.6).

mod binomial;
mod linear;

use super::blocks::Blocks;
use super::gather::Gather;
use super::hierarchical;
use super::net::{Coll, Net};
use super::select::{self, ANY_LENGTH, Algorithm, CROWD, MANY, Rule, Shape, algorithms, rule};
use super::shared;
use crate::datatype::Data;
use crate::error::Result;

algorithms! {
    /// How a scatter is done.
    Scatter {
        Shared = "shared",
        Hierarchical = "hierarchical",
        Binomial = "binomial",
        Linear = "linear",
    }
}

impl Algorithm for Scatter {
    const FIRST: usize = Gather::FIRST + Gather::ALL.len();
    const ALL: &'static [(&'static str, Scatter)] = Scatter::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        // Within the tree every rank must know the sizes of its whole subtree.
        match self {
            Scatter::Shared => shape.shared,
            Scatter::Hierarchical => shape.composes() && shape.even,
            Scatter::Binomial => shape.even,
            Scatter::Linear => true,
        }
    }
}

/// Which algorithm an ordinary call uses.
pub(super) const RULES: &[Rule<Scatter>] = &[
    rule(ANY_LENGTH, CROWD, Scatter::Shared),
    rule(8 << 10, MANY, Scatter::Hierarchical),
    rule(8 << 10, MANY, Scatter::Binomial),
    rule(ANY_LENGTH, MANY, Scatter::Linear),
];

/// The same where only the root knows the sizes of all blocks.
pub(super) const RULES_V: &[Rule<Scatter>] = &[
    rule(ANY_LENGTH, CROWD, Scatter::Shared),
    rule(ANY_LENGTH, MANY, Scatter::Linear),
];

/// Scatters the root's `send` (which only the root gives) into every rank's `recv`.
///
/// `recv` is `None` at a root whose block stays in place. `even` says that the call is a plain scatter:
/// all ranks know that the blocks have one size.
pub fn scatter<N: Net>(
    net: &N,
    send: Option<Blocks>,
    recv: Option<Data>,
    root: usize,
    even: bool,
) -> impl Future<Output = Result<()>> {
    let shape = Shape {
        even,
        ..Shape::on(net, block_bytes(send.as_ref(), recv.as_ref(), root))
    };
    let rules = if even { RULES } else { RULES_V };
    let algorithm = select::choose(net, rules, &shape);
    scatter_by(net, algorithm, send, recv, root)
}

pub(super) fn block_bytes(send: Option<&Blocks>, recv: Option<&Data>, root: usize) -> u64 {
    match (send, recv) {
        (Some(send), _) => send.bytes(root),
        (None, Some(recv)) => recv.bytes(),
        (None, None) => 0,
    }
}

/// [`scatter`] with a given algorithm.
pub async fn scatter_by<N: Net>(
    net: &N,
    algorithm: Scatter,
    send: Option<Blocks>,
    recv: Option<Data>,
    root: usize,
) -> Result<()> {
    let coll = Coll::new(net);
    let (send, recv) = (send.as_ref(), recv.as_ref());
    match algorithm {
        Scatter::Hierarchical => Box::pin(hierarchical::scatter(&coll, send, recv, root)).await,
        _ => on(&coll, algorithm, send, recv, root).await,
    }
    coll.finish()
}

/// [`scatter_by`] as a step of another collective.
pub(super) async fn on<N: Net>(
    coll: &Coll<'_, N>,
    algorithm: Scatter,
    send: Option<&Blocks>,
    recv: Option<&Data>,
    root: usize,
) {
    // Shared memory lets others work meanwhile.
    let alone = algorithm != Scatter::Shared || coll.size == 1;
    if alone && let (Some(send), Some(recv)) = (send, recv) {
        coll.copy(&send.get(root), recv);
    }
    match algorithm {
        _ if coll.size == 1 => {}
        Scatter::Shared => shared::scatter(coll, send, recv, root).await,
        Scatter::Binomial => {
            let bytes = block_bytes(send, recv, root);
            if bytes > 0 {
                binomial::run(coll, send, recv, bytes, root).await;
            }
        }
        Scatter::Linear | Scatter::Hierarchical => linear::run(coll, send, recv, root).await,
    }
}

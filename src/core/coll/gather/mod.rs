//! Gather: one block from every rank to the root (MPI-5.0, 6.5).

mod binomial;
mod linear;

use super::bcast::Bcast;
use super::blocks::Blocks;
use super::hierarchical;
use super::net::{Coll, Net};
use super::select::{self, ANY_LENGTH, Algorithm, CROWD, MANY, Rule, Shape, algorithms, rule};
use super::shared;
use crate::datatype::Data;
use crate::error::Result;

algorithms! {
    /// How a gather is done.
    Gather {
        Shared = "shared",
        Hierarchical = "hierarchical",
        Binomial = "binomial",
        Linear = "linear",
    }
}

impl Algorithm for Gather {
    const FIRST: usize = Bcast::FIRST + Bcast::ALL.len();
    const ALL: &'static [(&'static str, Gather)] = Gather::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        // Within the tree every rank must know the sizes of its whole subtree.
        match self {
            Gather::Shared => shape.shared,
            Gather::Hierarchical => shape.composes() && shape.even,
            Gather::Binomial => shape.even,
            Gather::Linear => true,
        }
    }
}

/// Which algorithm an ordinary call uses.
pub(super) const RULES: &[Rule<Gather>] = &[
    rule(ANY_LENGTH, CROWD, Gather::Shared),
    rule(8 << 10, MANY, Gather::Hierarchical),
    rule(8 << 10, MANY, Gather::Binomial),
    rule(ANY_LENGTH, MANY, Gather::Linear),
];

/// The same where only the root knows the sizes of all blocks.
pub(super) const RULES_V: &[Rule<Gather>] = &[
    rule(ANY_LENGTH, CROWD, Gather::Shared),
    rule(ANY_LENGTH, MANY, Gather::Linear),
];

/// Gathers every rank's `send` into `recv`, which only the root gives.
///
/// `send` is `None` at a root whose contribution is in place. `even` says that the call is a plain
/// gather: all ranks know that the blocks have one size.
pub fn gather<N: Net>(
    net: &N,
    send: Option<Data>,
    recv: Option<Blocks>,
    root: usize,
    even: bool,
) -> impl Future<Output = Result<()>> {
    let shape = Shape {
        even,
        ..Shape::on(net, block_bytes(send.as_ref(), recv.as_ref(), root))
    };
    let rules = if even { RULES } else { RULES_V };
    let algorithm = select::choose(net, rules, &shape);
    gather_by(net, algorithm, send, recv, root)
}

pub(super) fn block_bytes(send: Option<&Data>, recv: Option<&Blocks>, root: usize) -> u64 {
    match (send, recv) {
        (_, Some(recv)) => recv.bytes(root),
        (Some(send), None) => send.bytes(),
        (None, None) => 0,
    }
}

/// [`gather`] with a given algorithm.
pub async fn gather_by<N: Net>(
    net: &N,
    algorithm: Gather,
    send: Option<Data>,
    recv: Option<Blocks>,
    root: usize,
) -> Result<()> {
    let coll = Coll::new(net);
    let (send, recv) = (send.as_ref(), recv.as_ref());
    match algorithm {
        Gather::Hierarchical => Box::pin(hierarchical::gather(&coll, send, recv, root)).await,
        _ => on(&coll, algorithm, send, recv, root).await,
    }
    coll.finish()
}

/// [`gather_by`] as a step of another collective.
pub(super) async fn on<N: Net>(
    coll: &Coll<'_, N>,
    algorithm: Gather,
    send: Option<&Data>,
    recv: Option<&Blocks>,
    root: usize,
) {
    // Shared memory lets others work meanwhile.
    let alone = algorithm != Gather::Shared || coll.size == 1;
    if alone && let (Some(send), Some(recv)) = (send, recv) {
        coll.copy(send, &recv.get(root));
    }
    match algorithm {
        _ if coll.size == 1 => {}
        Gather::Shared => shared::gather(coll, send, recv, root).await,
        Gather::Binomial => {
            let bytes = block_bytes(send, recv, root);
            if bytes > 0 {
                binomial::run(coll, send, recv, bytes, root).await;
            }
        }
        Gather::Linear | Gather::Hierarchical => linear::run(coll, send, recv, root).await,
    }
}

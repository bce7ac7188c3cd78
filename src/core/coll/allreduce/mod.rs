//! Allreduce: the combination of all ranks' data at all ranks (MPI-5.0, 6.9.6).

mod rabenseifner;
mod recursive_doubling;
pub(super) mod ring;

use std::rc::Rc;

use super::hierarchical;
use super::net::{Coll, Net};
use super::reduce::Reduce;
use super::select::{self, ANY_LENGTH, Algorithm, CROWD, MANY, Rule, Shape, algorithms, rule};
use super::shared;
use crate::datatype::Data;
use crate::error::Result;
use crate::op::Operation;

algorithms! {
    /// How a reduction to all ranks is done.
    Allreduce {
        Shared = "shared",
        Hierarchical = "hierarchical",
        RecursiveDoubling = "recursive_doubling",
        Rabenseifner = "rabenseifner",
        Ring = "ring",
    }
}

impl Algorithm for Allreduce {
    const FIRST: usize = Reduce::FIRST + Reduce::ALL.len();
    const ALL: &'static [(&'static str, Allreduce)] = Allreduce::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        let splits = shape.count >= shape.size as u64;
        match self {
            Allreduce::Shared => shared::reduces(shape),
            Allreduce::Hierarchical => shape.reduces_by_groups(),
            Allreduce::RecursiveDoubling => true,
            Allreduce::Rabenseifner => splits,
            // The ring combines in the order of the ring, not of the ranks.
            Allreduce::Ring => splits && shape.commutative,
        }
    }
}

/// Which algorithm a call uses.
pub(super) const RULES: &[Rule<Allreduce>] = &[
    rule(ANY_LENGTH, CROWD, Allreduce::Shared),
    rule(ANY_LENGTH, MANY, Allreduce::Hierarchical),
    rule(16 << 10, MANY, Allreduce::RecursiveDoubling),
    rule(ANY_LENGTH, 16, Allreduce::Ring),
    rule(1 << 20, MANY, Allreduce::Rabenseifner),
    rule(ANY_LENGTH, 64, Allreduce::Ring),
    rule(ANY_LENGTH, MANY, Allreduce::Rabenseifner),
    rule(ANY_LENGTH, MANY, Allreduce::RecursiveDoubling),
];

/// Combines every rank's `send` in rank order into every rank's `recv`; `send` is `None` where it is in
/// place.
pub fn allreduce<N: Net>(
    net: &N,
    send: Option<Data>,
    recv: Data,
    op: Rc<Operation>,
) -> impl Future<Output = Result<()>> {
    let shape = Shape {
        count: recv.count,
        commutative: op.commutative(),
        ..Shape::on(net, recv.bytes())
    };
    allreduce_by(net, select::choose(net, RULES, &shape), send, recv, op)
}

/// [`allreduce`] with a given algorithm.
pub async fn allreduce_by<N: Net>(
    net: &N,
    algorithm: Allreduce,
    send: Option<Data>,
    recv: Data,
    op: Rc<Operation>,
) -> Result<()> {
    let coll = Coll::new(net);
    let send = send.as_ref();
    match algorithm {
        Allreduce::Hierarchical => Box::pin(hierarchical::allreduce(&coll, send, &recv, &op)).await,
        _ => on(&coll, algorithm, send, &recv, &op).await,
    }
    coll.finish()
}

/// [`allreduce_by`] as a step of another collective.
pub(super) async fn on<N: Net>(
    coll: &Coll<'_, N>,
    algorithm: Allreduce,
    send: Option<&Data>,
    recv: &Data,
    op: &Operation,
) {
    if algorithm == Allreduce::Shared {
        return shared::allreduce(coll, send, recv, op).await;
    }
    let works = coll.size > 1 && recv.bytes() > 0;
    match (algorithm, send) {
        // The ring reads the contribution where it is.
        (Allreduce::Ring, Some(send)) if works => ring::run(coll, send, recv, op).await,
        (_, Some(send)) => coll.copy(send, recv),
        (_, None) => {}
    }
    if works {
        match algorithm {
            Allreduce::Rabenseifner => rabenseifner::run(coll, recv, op).await,
            Allreduce::Ring if send.is_none() => ring::in_place(coll, recv, op).await,
            Allreduce::Ring => {}
            _ => recursive_doubling::run(coll, recv, op).await,
        }
    }
}

//! Allgather: one block from every rank to all ranks (MPI-5.0, 6.7).

mod bruck;
mod recursive_doubling;
mod ring;

use super::blocks::Blocks;
use super::hierarchical;
use super::net::{Coll, Net};
use super::scatter::Scatter;
use super::select::{self, ANY_LENGTH, Algorithm, CROWD, MANY, Rule, Shape, algorithms, rule};
use super::shared;
use crate::datatype::Data;
use crate::error::Result;

algorithms! {
    /// How an allgather is done.
    Allgather {
        Shared = "shared",
        Hierarchical = "hierarchical",
        RecursiveDoubling = "recursive_doubling",
        Bruck = "bruck",
        Ring = "ring",
    }
}

impl Algorithm for Allgather {
    const FIRST: usize = Scatter::FIRST + Scatter::ALL.len();
    const ALL: &'static [(&'static str, Allgather)] = Allgather::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Allgather::Shared => shape.shared,
            Allgather::Hierarchical => shape.composes(),
            Allgather::RecursiveDoubling => shape.even && shape.size.is_power_of_two(),
            Allgather::Bruck | Allgather::Ring => true,
        }
    }
}

/// Which algorithm a call uses.
pub(super) const RULES: &[Rule<Allgather>] = &[
    rule(ANY_LENGTH, CROWD, Allgather::Shared),
    rule(ANY_LENGTH, MANY, Allgather::Hierarchical),
    rule(512 << 10, MANY, Allgather::RecursiveDoubling),
    rule(16 << 10, MANY, Allgather::Bruck),
    rule(ANY_LENGTH, MANY, Allgather::Ring),
];

/// Gathers every rank's `send` into every rank's `recv`; `send` is `None` where it is in place.
pub fn allgather<N: Net>(
    net: &N,
    send: Option<Data>,
    recv: Blocks,
) -> impl Future<Output = Result<()>> {
    let shape = Shape {
        even: recv.is_even(),
        ..Shape::on(net, recv.total(net.size()))
    };
    let algorithm = select::choose(net, RULES, &shape);
    allgather_by(net, algorithm, send, recv)
}

/// [`allgather`] with a given algorithm.
pub async fn allgather_by<N: Net>(
    net: &N,
    algorithm: Allgather,
    send: Option<Data>,
    recv: Blocks,
) -> Result<()> {
    let coll = Coll::new(net);
    match algorithm {
        Allgather::Hierarchical => {
            Box::pin(hierarchical::allgather(&coll, send.as_ref(), &recv)).await;
        }
        _ => on(&coll, algorithm, send, &recv).await,
    }
    coll.finish()
}

/// [`allgather_by`] as a step of another collective.
pub(super) async fn on<N: Net>(
    coll: &Coll<'_, N>,
    algorithm: Allgather,
    send: Option<Data>,
    recv: &Blocks,
) {
    if algorithm == Allgather::Shared {
        return shared::allgather(coll, send.as_ref(), recv).await;
    }
    let own = Own {
        block: recv.get(coll.rank),
        send,
    };
    if coll.size == 1 || recv.total(coll.size) == 0 {
        return own.copy(coll);
    }
    match algorithm {
        Allgather::RecursiveDoubling => recursive_doubling::run(coll, &own, recv).await,
        Allgather::Bruck => {
            own.copy(coll);
            bruck::run(coll, recv).await;
        }
        _ => ring::run(coll, &own, recv).await,
    }
}

/// What a rank contributes, and its place in the result.
struct Own {
    send: Option<Data>,
    block: Data,
}

impl Own {
    /// The contribution where it lies: whoever reads it there does not wait for the copy, nor for its lines.
    fn to_send(&self) -> Data {
        match &self.send {
            // Another length is the caller's mistake, which the copy reports; the others get what they expect.
            Some(send) if send.bytes() == self.block.bytes() => send.clone(),
            _ => self.block.clone(),
        }
    }

    /// Puts it into its place.
    fn copy<N: Net>(&self, coll: &Coll<'_, N>) {
        if let Some(send) = &self.send {
            coll.copy(send, &self.block);
        }
    }
}

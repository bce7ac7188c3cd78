//! Reduce: the combination of all ranks' data at the root (MPI-5.0, 6.9.1).

pub(super) mod binomial;
mod reduce_scatter_gather;

use std::rc::Rc;

use super::alltoall::Alltoall;
use super::blocks::Temp;
use super::hierarchical;
use super::net::{Coll, Net};
use super::select::{self, ANY_LENGTH, Algorithm, CROWD, MANY, Rule, Shape, algorithms, rule};
use super::shared;
use crate::datatype::Data;
use crate::error::Result;
use crate::op::Operation;

algorithms! {
    /// How a reduction to one rank is done.
    Reduce {
        Shared = "shared",
        Hierarchical = "hierarchical",
        Binomial = "binomial",
        ReduceScatterGather = "reduce_scatter_gather",
    }
}

impl Algorithm for Reduce {
    const FIRST: usize = Alltoall::FIRST + Alltoall::ALL.len();
    const ALL: &'static [(&'static str, Reduce)] = Reduce::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Reduce::Shared => shared::reduces(shape),
            Reduce::Hierarchical => shape.reduces_by_groups(),
            Reduce::Binomial => true,
            Reduce::ReduceScatterGather => shape.count >= shape.size as u64,
        }
    }
}

/// Which algorithm a call uses.
pub(super) const RULES: &[Rule<Reduce>] = &[
    rule(ANY_LENGTH, CROWD, Reduce::Shared),
    rule(ANY_LENGTH, MANY, Reduce::Hierarchical),
    rule(128 << 10, MANY, Reduce::Binomial),
    rule(ANY_LENGTH, 2, Reduce::Binomial),
    rule(ANY_LENGTH, MANY, Reduce::ReduceScatterGather),
    rule(ANY_LENGTH, MANY, Reduce::Binomial),
];

/// Combines every rank's `send` in rank order into `recv` of `root`.
///
/// `recv` is what the root gives; `send` is `None` at a root whose contribution is in place.
pub fn reduce<N: Net>(
    net: &N,
    send: Option<Data>,
    recv: Option<Data>,
    op: Rc<Operation>,
    root: usize,
) -> impl Future<Output = Result<()>> {
    let (bytes, count) = match send.as_ref().or(recv.as_ref()) {
        Some(data) => (data.bytes(), data.count),
        None => (0, 0),
    };
    let shape = Shape {
        count,
        commutative: op.commutative(),
        ..Shape::on(net, bytes)
    };
    reduce_by(
        net,
        select::choose(net, RULES, &shape),
        send,
        recv,
        op,
        root,
    )
}

/// [`reduce`] with a given algorithm.
pub async fn reduce_by<N: Net>(
    net: &N,
    algorithm: Reduce,
    send: Option<Data>,
    recv: Option<Data>,
    op: Rc<Operation>,
    root: usize,
) -> Result<()> {
    let coll = Coll::new(net);
    let (send, recv) = (send.as_ref(), recv.as_ref());
    match algorithm {
        Reduce::Hierarchical => {
            Box::pin(hierarchical::reduce(&coll, send, recv, &op, root)).await;
        }
        _ => on(&coll, algorithm, send, recv, &op, root).await,
    }
    coll.finish()
}

/// [`reduce_by`] as a step of another collective.
pub(super) async fn on<N: Net>(
    coll: &Coll<'_, N>,
    algorithm: Reduce,
    send: Option<&Data>,
    recv: Option<&Data>,
    op: &Operation,
    root: usize,
) {
    if algorithm == Reduce::Shared {
        return shared::reduce(coll, send, recv, op, root).await;
    }
    let Some(own) = send.or(recv) else {
        return;
    };
    // Everywhere but at the root the result so far lives in memory of our own.
    let temp = match recv {
        Some(_) => Temp::of(0, &own.datatype),
        None => Temp::like(own),
    };
    let acc = recv.cloned().unwrap_or_else(|| temp.data());
    if send.is_some() {
        coll.copy(own, &acc);
    }
    match algorithm {
        _ if coll.size == 1 || own.bytes() == 0 => {}
        Reduce::ReduceScatterGather => reduce_scatter_gather::run(coll, &acc, op, root).await,
        _ => binomial::run(coll, &acc, op, root).await,
    }
}

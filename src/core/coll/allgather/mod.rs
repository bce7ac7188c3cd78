//! Allgather: one block from every rank to all ranks (MPI-5.0, 6.7).

mod bruck;
mod recursive_doubling;
mod ring;

use super::blocks::Blocks;
use super::net::{Coll, Net};
use super::scatter::Scatter;
use super::select::{self, Algorithm, Shape, algorithms};
use super::shared;
use crate::datatype::Data;
use crate::error::Result;

algorithms! {
    /// How an allgather is done.
    Allgather {
        Shared = "shared",
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
            Allgather::RecursiveDoubling => shape.even && shape.size.is_power_of_two(),
            Allgather::Bruck | Allgather::Ring => true,
        }
    }
}

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
    let algorithm = select::choose(net, select::ALLGATHER, &shape);
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
    if algorithm == Allgather::Shared {
        shared::allgather(&coll, send.as_ref(), &recv).await;
        return coll.finish();
    }
    if let Some(send) = &send {
        coll.copy(send, &recv.get(coll.rank));
    }
    if coll.size > 1 && recv.total(coll.size) > 0 {
        match algorithm {
            Allgather::RecursiveDoubling => recursive_doubling::run(&coll, &recv).await,
            Allgather::Bruck => bruck::run(&coll, &recv).await,
            Allgather::Ring | Allgather::Shared => ring::run(&coll, &recv).await,
        }
    }
    coll.finish()
}

//! Prefix reductions: each rank gets the combination of the data of the ranks up to it (MPI-5.0, 6.11).
//!
//! Distance doubling (Hillis and Steele 1986): before round k a rank holds the combination of the last 2^k ranks up
//! to itself. It passes that on to the rank 2^k places up. What comes from below it puts in front of its own. A rank
//! sends ceil(log2 p) messages of the whole data, in rank order for any operation.

use std::rc::Rc;

use super::barrier::Barrier;
use super::blocks::Temp;
use super::hierarchical;
use super::net::{Coll, Net};
use super::select::{
    self, ANY_LENGTH, Algorithm, CROWD, Groups, MANY, Rule, Shape, algorithms, rule,
};
use super::shared;
use crate::datatype::Data;
use crate::error::Result;
use crate::op::Operation;

algorithms! {
    /// How a prefix reduction is done.
    Scan {
        Shared = "shared",
        Hierarchical = "hierarchical",
        Doubling = "doubling",
    }
}

impl Algorithm for Scan {
    const FIRST: usize = Barrier::FIRST + Barrier::ALL.len();
    const ALL: &'static [(&'static str, Scan)] = Scan::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Scan::Shared => shared::reduces(shape),
            // Only in the order of ranks there is something before a group.
            Scan::Hierarchical => shape.groups == Groups::InOrder,
            Scan::Doubling => true,
        }
    }
}

/// Which algorithm a call uses.
pub(super) const RULES: &[Rule<Scan>] = &[
    rule(ANY_LENGTH, CROWD, Scan::Shared),
    rule(ANY_LENGTH, MANY, Scan::Hierarchical),
    rule(ANY_LENGTH, MANY, Scan::Doubling),
];

fn choose<N: Net>(net: &N, recv: &Data, op: &Operation) -> Scan {
    let shape = Shape {
        count: recv.count,
        commutative: op.commutative(),
        ..Shape::on(net, recv.bytes())
    };
    select::choose(net, RULES, &shape)
}

/// Combines the data of ranks `0..=rank` into `recv`; `send` is `None` where it is in place.
pub fn scan<N: Net>(
    net: &N,
    send: Option<Data>,
    recv: Data,
    op: Rc<Operation>,
) -> impl Future<Output = Result<()>> {
    scan_by(net, choose(net, &recv, &op), send, recv, op)
}

/// Combines the data of ranks `0..rank` into `recv`, which is left alone on rank 0; `send` is `None`
/// where it is in place.
pub fn exscan<N: Net>(
    net: &N,
    send: Option<Data>,
    recv: Data,
    op: Rc<Operation>,
) -> impl Future<Output = Result<()>> {
    exscan_by(net, choose(net, &recv, &op), send, recv, op)
}

/// [`scan`] with a given algorithm.
pub async fn scan_by<N: Net>(
    net: &N,
    algorithm: Scan,
    send: Option<Data>,
    recv: Data,
    op: Rc<Operation>,
) -> Result<()> {
    let coll = Coll::new(net);
    let send = send.as_ref();
    match algorithm {
        Scan::Shared => shared::scan(&coll, send, &recv, &op, false).await,
        Scan::Hierarchical => {
            Box::pin(hierarchical::scan(&coll, send, &recv, &op, false)).await;
        }
        Scan::Doubling => doubling(&coll, send, &recv, &op).await,
    }
    coll.finish()
}

/// [`exscan`] with a given algorithm.
pub async fn exscan_by<N: Net>(
    net: &N,
    algorithm: Scan,
    send: Option<Data>,
    recv: Data,
    op: Rc<Operation>,
) -> Result<()> {
    let coll = Coll::new(net);
    let send = send.as_ref();
    match algorithm {
        Scan::Hierarchical => {
            Box::pin(hierarchical::scan(&coll, send, &recv, &op, true)).await;
        }
        _ => exclusive_on(&coll, algorithm, send, &recv, &op).await,
    }
    coll.finish()
}

/// [`exscan_by`] as a step of another collective.
pub(super) async fn exclusive_on<N: Net>(
    coll: &Coll<'_, N>,
    algorithm: Scan,
    send: Option<&Data>,
    recv: &Data,
    op: &Operation,
) {
    match algorithm {
        Scan::Shared => shared::scan(coll, send, recv, op, true).await,
        _ => exclusive_doubling(coll, send, recv, op).await,
    }
}

async fn doubling<N: Net>(coll: &Coll<'_, N>, send: Option<&Data>, recv: &Data, op: &Operation) {
    if let Some(send) = send {
        coll.copy(send, recv);
    }
    if coll.size > 1 && recv.bytes() > 0 {
        let temp = Temp::like(recv);
        let below = temp.data();
        let mut distance = 1;
        while distance < coll.size {
            exchange(coll, recv, &below, distance).await;
            if coll.rank >= distance {
                coll.apply(op, &below, recv);
            }
            distance <<= 1;
        }
    }
}

async fn exclusive_doubling<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Data,
    op: &Operation,
) {
    if coll.size > 1 && recv.bytes() > 0 {
        let (first, second) = (Temp::like(recv), Temp::like(recv));
        let (window, below) = (first.data(), second.data());
        coll.copy(send.unwrap_or(recv), &window);
        let mut distance = 1;
        while distance < coll.size {
            exchange(coll, &window, &below, distance).await;
            if coll.rank >= distance {
                // The first message from below is the start of the result.
                if distance == 1 {
                    below.copy_to(recv);
                } else {
                    coll.apply(op, &below, recv);
                }
                coll.apply(op, &below, &window);
            }
            distance <<= 1;
        }
    }
}

/// Sends `window` up by `distance` ranks and receives `below` from as far down, where there are such.
async fn exchange<N: Net>(coll: &Coll<'_, N>, window: &Data, below: &Data, distance: usize) {
    let receive = (coll.rank >= distance).then(|| coll.recv(below.clone(), coll.rank - distance));
    let up = coll.rank + distance;
    let send = (up < coll.size).then(|| coll.send(window.clone(), up));
    if let Some(receive) = receive {
        receive.await;
    }
    if let Some(send) = send {
        send.await;
    }
}

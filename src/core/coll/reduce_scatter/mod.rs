//! Reduce-scatter: the combination of all ranks' data, a block of it to every rank (MPI-5.0, 6.10).

mod pairwise;
mod recursive_halving;
mod reduce_then_scatter;

use std::rc::Rc;

use super::allreduce::Allreduce;
use super::hierarchical;
use super::net::{Coll, Net};
use super::select::{self, ANY_LENGTH, Algorithm, CROWD, MANY, Rule, Shape, algorithms, rule};
use super::shared;
use crate::datatype::Data;
use crate::error::Result;
use crate::op::Operation;

algorithms! {
    /// How a reduce-scatter is done.
    ReduceScatter {
        Shared = "shared",
        Hierarchical = "hierarchical",
        RecursiveHalving = "recursive_halving",
        ReduceThenScatter = "reduce_then_scatter",
        Pairwise = "pairwise",
    }
}

impl Algorithm for ReduceScatter {
    const FIRST: usize = Allreduce::FIRST + Allreduce::ALL.len();
    const ALL: &'static [(&'static str, ReduceScatter)] = ReduceScatter::NAMES;

    fn place(self) -> usize {
        self as usize
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            ReduceScatter::Shared => shared::reduces(shape),
            ReduceScatter::Hierarchical => shape.reduces_by_groups(),
            // Halving begins with the far ranks, so that blocks stay together: not in rank order.
            ReduceScatter::RecursiveHalving => shape.commutative,
            ReduceScatter::ReduceThenScatter | ReduceScatter::Pairwise => true,
        }
    }
}

/// Which algorithm a call uses.
pub(super) const RULES: &[Rule<ReduceScatter>] = &[
    rule(ANY_LENGTH, CROWD, ReduceScatter::Shared),
    rule(ANY_LENGTH, MANY, ReduceScatter::Hierarchical),
    rule(16 << 10, MANY, ReduceScatter::RecursiveHalving),
    rule(16 << 10, MANY, ReduceScatter::ReduceThenScatter),
    rule(ANY_LENGTH, MANY, ReduceScatter::Pairwise),
];

/// How many elements of the result each rank gets.
#[derive(Clone)]
pub enum Counts {
    /// As many for each (`reduce_scatter_block`).
    Even(u64),
    /// A number for each.
    Varying(Rc<[u64]>),
}

impl Counts {
    /// How many elements the blocks of so many ranks have together; `None` if that is more than a signed number of 64
    /// bits says.
    #[inline]
    pub fn total(&self, ranks: usize) -> Option<i64> {
        let total = match self {
            Counts::Even(count) => count.checked_mul(ranks as u64),
            Counts::Varying(counts) => {
                let mut counts = counts[..ranks].iter();
                counts.try_fold(0u64, |sum, count| sum.checked_add(*count))
            }
        };
        i64::try_from(total?).ok()
    }

    /// The element at which the block of `rank` starts, or the total.
    #[inline]
    pub fn start(&self, rank: usize) -> u64 {
        match self {
            Counts::Even(count) => count * rank as u64,
            Counts::Varying(counts) => counts[..rank].iter().sum(),
        }
    }

    /// The element at which the block of each rank starts, and the total at the end.
    fn starts(&self, size: usize) -> Vec<u64> {
        let mut starts = Vec::with_capacity(size + 1);
        let mut next = 0;
        starts.push(next);
        for index in 0..size {
            next += match self {
                Counts::Even(count) => *count,
                Counts::Varying(counts) => counts[index],
            };
            starts.push(next);
        }
        starts
    }
}

/// The vector that all ranks combine, as a sequence of blocks.
struct Vector<'a> {
    data: &'a Data,
    starts: &'a [u64],
}

impl Vector<'_> {
    /// Blocks `first..end` of the vector.
    fn blocks(&self, first: usize, end: usize) -> Data {
        self.blocks_of(self.data, first, end)
    }

    /// Blocks `first..end` of another buffer of the same shape.
    fn blocks_of(&self, data: &Data, first: usize, end: usize) -> Data {
        data.part(self.starts[first], self.starts[end] - self.starts[first])
    }
}

/// Combines every rank's `send` in rank order and gives block `i` of the result to rank `i`'s `recv`.
///
/// `send` is `None` where the contribution, all blocks of it, is in place in `recv`.
pub fn reduce_scatter<N: Net>(
    net: &N,
    send: Option<Data>,
    recv: Data,
    counts: Counts,
    op: Rc<Operation>,
) -> impl Future<Output = Result<()>> {
    let count: u64 = match &counts {
        Counts::Even(count) => count * net.size() as u64,
        Counts::Varying(counts) => counts.iter().sum(),
    };
    let shape = Shape {
        count,
        commutative: op.commutative(),
        ..Shape::on(net, count * recv.datatype.size())
    };
    let algorithm = select::choose(net, RULES, &shape);
    reduce_scatter_by(net, algorithm, send, recv, counts, op)
}

/// [`reduce_scatter`] with a given algorithm.
pub async fn reduce_scatter_by<N: Net>(
    net: &N,
    algorithm: ReduceScatter,
    send: Option<Data>,
    recv: Data,
    counts: Counts,
    op: Rc<Operation>,
) -> Result<()> {
    let coll = Coll::new(net);
    let starts = counts.starts(coll.size);
    let send = send.as_ref();
    match algorithm {
        ReduceScatter::Hierarchical => {
            let combined = hierarchical::reduce_scatter(&coll, send, &recv, &starts, &op);
            Box::pin(combined).await;
        }
        _ => on(&coll, algorithm, send, &recv, &starts, &op).await,
    }
    coll.finish()
}

/// [`reduce_scatter_by`] as a step of another collective. Elements `starts[i]..starts[i + 1]` are the block of rank `i`.
pub(super) async fn on<N: Net>(
    coll: &Coll<'_, N>,
    algorithm: ReduceScatter,
    send: Option<&Data>,
    recv: &Data,
    starts: &[u64],
    op: &Operation,
) {
    let total = starts[coll.size];
    let source = send.unwrap_or(recv).part(0, total);
    let result = recv.part(0, starts[coll.rank + 1] - starts[coll.rank]);
    let vector = Vector {
        data: &source,
        starts,
    };
    if coll.size == 1 {
        if send.is_some() {
            coll.copy(&source, &result);
        }
    } else if algorithm == ReduceScatter::Shared {
        shared::reduce_scatter(coll, &source, send.is_none(), starts, &result, op).await;
    } else if source.bytes() > 0 {
        match algorithm {
            ReduceScatter::RecursiveHalving => {
                recursive_halving::run(coll, &vector, &result, op).await
            }
            ReduceScatter::ReduceThenScatter => {
                reduce_then_scatter::run(coll, &vector, &result, op).await
            }
            _ => pairwise::run(coll, &vector, &result, op).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elements_than_a_number_can_say_are_noticed() {
        let varying = |counts: &[u64]| Counts::Varying(counts.into());
        assert_eq!(varying(&[1, 2, 3]).total(3), Some(6));
        assert_eq!(
            varying(&[1 << 62; 4]).total(4),
            None,
            "as many as a wrap to 0"
        );
        assert_eq!(varying(&[1 << 62; 2]).total(2), None, "no sign is left");
        assert_eq!(Counts::Even(5).total(3), Some(15));
        assert_eq!(Counts::Even(1 << 62).total(4), None);
        assert_eq!(Counts::Even(1 << 62).total(1), Some(1 << 62));
    }
}

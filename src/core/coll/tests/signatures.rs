//! Ranks that describe the same data by different datatypes and counts: only the type signatures agree (MPI-5.0, 6.2). So
//! every choice between algorithms must come out the same on all ranks.

use super::super::sim::{SimNet, simulate_on};
use super::super::*;
use super::*;
use crate::datatype::contiguous;
use crate::error::Result;

/// How a rank describes memory: in elements that are so many of the buffer's each.
#[derive(Clone, Copy)]
struct View {
    rank: usize,
    each: u64,
}

impl View {
    /// `block` is the number of the buffer's elements in a block, an even one.
    fn of(rank: usize, block: usize) -> View {
        let each = [1, 2, block as u64][rank % 3];
        View { rank, each }
    }

    /// A datatype of the buffer's. Several elements of one with a negative extent have none by which more could follow.
    fn element(self) -> Rc<Type> {
        let [plain, holes, before, _backwards] = datatypes();
        [plain, holes, before][self.rank / 2 % 3].clone()
    }

    fn empty(self, count: usize) -> Buffer {
        Buffer::empty(&self.element(), count)
    }

    fn filled(self, elements: &[Option<u64>]) -> Buffer {
        Buffer::of(&self.element(), elements)
    }

    fn datatype(self, buffer: &Buffer) -> Rc<Type> {
        Rc::new(contiguous(self.each as i64, &buffer.datatype).unwrap())
    }

    fn data(self, buffer: &Buffer) -> Data {
        let count = buffer.count as u64 / self.each;
        Data::new(buffer.data().base(), count, self.datatype(buffer))
    }

    /// Blocks of `block` elements of the buffer's.
    fn even(self, buffer: &Buffer, block: usize) -> Blocks {
        let base = buffer.data().base();
        Blocks::even(base, block as u64 / self.each, self.datatype(buffer))
    }

    /// Blocks of so many elements of the buffer's, one after the other.
    fn varying(self, buffer: &Buffer, counts: &[usize]) -> Blocks {
        let mut next = 0;
        let places: Vec<(u64, i64)> = counts
            .iter()
            .map(|count| {
                let count = *count as u64 / self.each;
                next += count;
                (count, (next - count) as i64)
            })
            .collect();
        let base = buffer.data().base();
        Blocks::varying(base, places.into_iter(), self.datatype(buffer))
    }
}

/// What `ranks` contribute, each as many elements as `count` says.
fn from(ranks: impl Iterator<Item = usize>, count: impl Fn(usize) -> usize) -> Vec<Option<u64>> {
    ranks.flat_map(|rank| elements(rank, count(rank))).collect()
}

/// All collectives on blocks of `block` elements, or none, one or two times as many where sizes may differ.
async fn everything(net: SimNet, block: usize) -> Result<()> {
    let (rank, size) = (net.rank(), net.size());
    let what = (rank, size, block);
    let root = size * 2 / 3;
    let is_root = rank == root;
    let view = View::of(rank, block);
    let length = |rank: usize| block * (rank % 3);
    let lengths: Vec<usize> = (0..size).map(length).collect();
    let own = view.filled(&elements(rank, block));
    let part = view.filled(&elements(rank, length(rank)));
    let everybody = from(0..size, |_| block);
    let varying = from(0..size, length);

    let data = match is_root {
        true => view.filled(&elements(root, block)),
        false => view.empty(block),
    };
    bcast(&net, view.data(&data), root).await?;
    data.expect(&elements(root, block), &what);

    let all = view.empty(size * block);
    let into = is_root.then(|| view.even(&all, block));
    gather(&net, Some(view.data(&own)), into, root, true).await?;
    if is_root {
        all.expect(&everybody, &what);
    }
    let all = view.empty(varying.len());
    let into = is_root.then(|| view.varying(&all, &lengths));
    gather(&net, Some(view.data(&part)), into, root, false).await?;
    if is_root {
        all.expect(&varying, &what);
    }

    let all = view.filled(&everybody);
    let from_root = is_root.then(|| view.even(&all, block));
    let into = view.empty(block);
    scatter(&net, from_root, Some(view.data(&into)), root, true).await?;
    into.expect(&elements(rank, block), &what);
    let all = view.filled(&varying);
    let from_root = is_root.then(|| view.varying(&all, &lengths));
    let into = view.empty(length(rank));
    scatter(&net, from_root, Some(view.data(&into)), root, false).await?;
    into.expect(&elements(rank, length(rank)), &what);

    let all = view.empty(size * block);
    allgather(&net, Some(view.data(&own)), view.even(&all, block)).await?;
    all.expect(&everybody, &what);
    let all = view.empty(varying.len());
    allgather(&net, Some(view.data(&part)), view.varying(&all, &lengths)).await?;
    all.expect(&varying, &what);

    // The block that one rank has for another is what a rank of that number contributes.
    let pair = |from: usize, to: usize| from * size + to;
    let row = view.filled(&from((0..size).map(|to| pair(rank, to)), |_| block));
    let column = from((0..size).map(|other| pair(other, rank)), |_| block);
    let all = view.empty(size * block);
    let send = Some(view.even(&row, block));
    alltoall(&net, send, view.even(&all, block), true).await?;
    all.expect(&column, &what);
    let row = view.filled(&from((0..size).map(|to| pair(rank, to)), length));
    let column = from((0..size).map(|other| pair(other, rank)), length);
    let out: Vec<usize> = (0..size).map(|to| length(pair(rank, to))).collect();
    let coming: Vec<usize> = (0..size).map(|other| length(pair(other, rank))).collect();
    let all = view.empty(column.len());
    let send = Some(view.varying(&row, &out));
    alltoall(&net, send, view.varying(&all, &coming), false).await?;
    all.expect(&column, &what);
    barrier(&net).await
}

#[test]
fn ranks_may_describe_the_same_data_differently() {
    // Blocks below, at and above the lengths where other algorithms begin.
    for block in [2, 32, 34, 1024, 1026] {
        for seed in 0..6 {
            let size = 2 + (seed as usize * 5) % 13;
            let nodes = match seed % 2 {
                0 => placed(size, seed / 2),
                _ => Nodes {
                    of: vec![0; size],
                    limit: size,
                    share: true,
                },
            };
            let (results, _) = simulate_on(&nodes, seed, |net| everything(net, block));
            results.into_iter().for_each(|result| result.unwrap());
        }
    }
}

use super::super::inter::{Inter, Root};
use super::super::sim::{SimNet, simulate};
use super::super::*;
use super::*;

/// The world as one of two groups sees it: its own ranks first.
#[derive(Clone)]
struct Side {
    net: SimNet,
    first: usize,
    local: usize,
}

impl Side {
    /// The sides of groups of `sizes` ranks.
    fn new(net: SimNet, sizes: [usize; 2]) -> Side {
        let second = net.rank() >= sizes[0];
        Side {
            first: if second { sizes[0] } else { 0 },
            local: sizes[usize::from(second)],
            net,
        }
    }

    fn is_second(&self) -> bool {
        self.first > 0
    }

    fn there(&self, rank: usize) -> usize {
        (rank + self.first) % self.net.size()
    }
}

impl Net for Side {
    type Pending = usize;

    fn rank(&self) -> usize {
        self.net.rank() - self.first
    }

    fn size(&self) -> usize {
        self.net.size()
    }

    fn isend(&self, data: Data, to: usize) -> crate::error::Result<Option<usize>> {
        self.net.isend(data, self.there(to))
    }

    fn irecv(&self, data: Data, from: usize) -> crate::error::Result<Option<usize>> {
        self.net.irecv(data, self.there(from))
    }

    fn poll(&self, pending: usize) -> crate::error::Result<bool> {
        self.net.poll(pending)
    }

    fn byte(&self) -> &Rc<Type> {
        self.net.byte()
    }
}

/// Runs a collective between groups of several sizes. `test` gets the sizes and a seed.
fn each(mut test: impl FnMut([usize; 2], &Rc<Type>, u64)) {
    for sizes in [[1, 1], [1, 4], [3, 2], [4, 4], [6, 5]] {
        for (index, datatype) in datatypes().iter().enumerate() {
            for seed in 0..6 {
                test(sizes, datatype, 10 * index as u64 + seed);
            }
        }
    }
}

/// Runs `body` on every rank of both groups, with the side and whether it is the second.
fn run<F: Future<Output = crate::error::Result<()>>>(
    sizes: [usize; 2],
    seed: u64,
    mut body: impl FnMut(Side, usize) -> F,
) {
    let (results, _) = simulate(sizes[0] + sizes[1], seed, |net| {
        let world = net.rank();
        body(Side::new(net, sizes), world)
    });
    results.into_iter().for_each(|result| result.unwrap());
}

/// The root as each rank sees it: rank `root` of the first group.
fn seen(side: &Side, root: usize) -> Root {
    match (side.is_second(), side.rank() == root) {
        (true, _) => Root::Remote(root),
        (false, true) => Root::Me,
        (false, false) => Root::Local,
    }
}

#[test]
fn rooted_operations_go_between_the_groups() {
    each(|sizes, datatype, seed| {
        let [first, second] = sizes;
        let root = seed as usize % first;
        let all = first + second;
        let own: Vec<Buffer> = (0..all)
            .map(|rank| Buffer::of(datatype, &elements(rank, 2)))
            .collect();
        let got: Vec<Buffer> = (0..all).map(|_| Buffer::empty(datatype, 2)).collect();
        let blocks: Vec<Option<u64>> = (first..all).flat_map(|rank| elements(rank, 2)).collect();
        let gathered = Buffer::empty(datatype, 2 * second);
        let reduced = Buffer::empty(datatype, 2);
        run(sizes, seed, |side, rank| {
            let is_root = rank == root;
            let root = seen(&side, root);
            let own = own[rank].data();
            let got = if is_root {
                own.clone()
            } else {
                got[rank].data()
            };
            let base = gathered.data().base();
            let gathered = is_root.then(|| Blocks::even(base, 2, datatype.clone()));
            let reduced = is_root.then(|| reduced.data());
            async move {
                let inter = Inter::new(&side, side.local);
                inter.barrier().await?;
                inter.bcast(got, root).await?;
                inter.gather(Some(own.clone()), gathered, root).await?;
                inter
                    .reduce(Some(own), reduced, operation(false), root)
                    .await
            }
        });
        gathered.expect(&blocks, &(sizes, root, seed));
        let combined: Vec<_> = (0..2)
            .map(|index| combined(false, first..all, index))
            .collect();
        reduced.expect(&combined, &(sizes, root, seed));
        for got in &got[first..] {
            got.expect(&elements(root, 2), &(sizes, root, seed));
        }
        let dealt: Vec<Buffer> = (0..all).map(|_| Buffer::empty(datatype, 2)).collect();
        run(sizes, seed, |side, rank| {
            let blocks =
                (rank == root).then(|| Blocks::even(gathered.data().base(), 2, datatype.clone()));
            let (root, dealt) = (seen(&side, root), dealt[rank].data());
            async move {
                Inter::new(&side, side.local)
                    .scatter(blocks, Some(dealt), root)
                    .await
            }
        });
        for (rank, dealt) in dealt.iter().enumerate() {
            let expected = if rank < first {
                vec![None; 2]
            } else {
                elements(rank, 2)
            };
            dealt.expect(&expected, &(sizes, root, seed));
        }
    });
}

#[test]
fn each_group_gets_what_the_other_gives() {
    each(|sizes, datatype, seed| {
        let [first, second] = sizes;
        let all = first + second;
        // Blocks for every rank of the other group, and of the reduction for every one of this group.
        let total = first * second;
        let other = |rank: usize| if rank < first { first..all } else { 0..first };
        let own: Vec<Buffer> = (0..all)
            .map(|rank| Buffer::of(datatype, &elements(rank, total)))
            .collect();
        let empty = |count: usize| Buffer::empty(datatype, count);
        let combined_here: Vec<Buffer> = (0..all).map(|_| empty(total)).collect();
        let exchanged: Vec<Buffer> = (0..all).map(|rank| empty(other(rank).len())).collect();
        let scattered: Vec<Buffer> = (0..all).map(|rank| empty(other(rank).len())).collect();
        run(sizes, seed, |side, rank| {
            let (own, result) = (own[rank].data(), combined_here[rank].data());
            let block = |buffer: &Data| Blocks::even(buffer.base(), 1, datatype.clone());
            let (out, into) = (block(&own), block(&exchanged[rank].data()));
            let part = scattered[rank].data();
            let counts = Counts::Even(part.count);
            async move {
                let inter = Inter::new(&side, side.local);
                inter
                    .allreduce(own.clone(), result, operation(false))
                    .await?;
                inter.alltoall(out, into).await?;
                inter
                    .reduce_scatter(own, part, counts, operation(false))
                    .await
            }
        });
        for rank in 0..all {
            let (group, me) = if rank < first {
                (0..first, rank)
            } else {
                (first..all, rank - first)
            };
            let what = (sizes, rank, seed);
            let whole: Vec<_> = (0..total)
                .map(|index| combined(false, other(rank), index))
                .collect();
            combined_here[rank].expect(&whole, &what);
            let blocks: Vec<_> = other(rank).map(|from| Some(element(from, me))).collect();
            exchanged[rank].expect(&blocks, &what);
            let share = total / group.len();
            scattered[rank].expect(&whole[me * share..][..share], &what);
        }
    });
}

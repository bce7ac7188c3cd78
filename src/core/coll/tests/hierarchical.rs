//! Collectives that are composed by groups: many ranks, and what passes between nodes.

use super::super::hierarchy::Hierarchy;
use super::super::select;
use super::super::sim::{Cost, Nodes, SimNet, simulate_on};
use super::super::*;
use super::*;
use crate::error::Result;

/// Worlds of up to 256 ranks: nodes of one size and not, whose ranks follow each other and do not; groups within a node, up to
/// several levels of them.
fn worlds() -> Vec<Nodes> {
    let world = |size: usize, limit: usize, node: &dyn Fn(usize) -> usize| Nodes {
        of: (0..size).map(node).collect(),
        limit,
        share: true,
    };
    vec![
        world(40, 64, &|rank| rank / 7),
        world(33, 64, &|rank| rank % 5),
        world(64, select::SEVERAL, &|_| 0),
        world(128, select::CROWD, &|_| 0),
        world(100, 16, &|rank| usize::from(rank >= 37)),
        world(61, 3, &|rank| rank % 2),
        world(256, select::SEVERAL, &|_| 0),
        world(256, 4, &|rank| rank / 100),
        world(256, 16, &|rank| rank * rank % 7),
    ]
}

#[test]
fn groups_cover_all_ranks_and_stay_within_the_limit() {
    for nodes in worlds() {
        let size = nodes.of.len();
        let all: Vec<Hierarchy> = (0..size)
            .map(|rank| Hierarchy::new(rank, &nodes.of, |_| nodes.limit).unwrap())
            .collect();
        for (rank, hierarchy) in all.iter().enumerate() {
            assert_eq!(hierarchy.order()[hierarchy.position(rank)], rank);
            let mut stands_for = hierarchy.position(rank)..hierarchy.position(rank) + 1;
            for level in 0..hierarchy.levels() {
                let group = hierarchy.group(level);
                let member = group.member_for(hierarchy.position(rank)).unwrap();
                assert_eq!(group.ranks()[member], rank);
                assert_eq!(group.span_of(member), stands_for, "{nodes:?}");
                stands_for = group.span();
                if group.on_node {
                    assert!(group.ranks().len() <= nodes.limit);
                    let mut members = group.ranks().iter();
                    assert!(members.all(|other| nodes.of[*other] == nodes.of[rank]));
                }
                // All members see the same group, and lead all groups below.
                for other in group.ranks() {
                    let theirs = &all[*other];
                    let mut groups = (0..theirs.levels()).map(|level| theirs.group(level));
                    assert!(groups.any(|group| group.ranks() == hierarchy.group(level).ranks()));
                }
            }
            assert_eq!(hierarchy.top().span(), 0..size);
        }
    }
}

#[test]
fn one_group_is_no_hierarchy() {
    assert!(Hierarchy::new(0, &[7; 16], |_| 16).is_none());
    assert!(Hierarchy::new(1, &[0, 1, 2], |_| 16).is_none());
    assert!(Hierarchy::new(0, &[0, 0, 1], |_| 16).is_some());
}

/// All collectives one after the other, as a program calls them.
async fn everything(net: SimNet, datatype: Rc<Type>, commutative: bool) -> Result<()> {
    let (rank, size) = (net.rank(), net.size());
    let what = (rank, size, commutative);
    let root = size * 2 / 3;
    let op = || operation(commutative);
    let even = |buffer: &Buffer| Blocks::even(buffer.data().base(), 2, datatype.clone());
    let everybody: Vec<_> = (0..size).flat_map(|rank| elements(rank, 2)).collect();
    let own = Buffer::of(&datatype, &elements(rank, 2));

    barrier(&net).await?;
    for count in [3, 400] {
        let data = match rank == root {
            true => Buffer::of(&datatype, &elements(root, count)),
            false => Buffer::empty(&datatype, count),
        };
        bcast(&net, data.data(), root).await?;
        data.expect(&elements(root, count), &what);
    }

    let all = Buffer::empty(&datatype, 2 * size);
    let into = (rank == root).then(|| even(&all));
    gather(&net, Some(own.data()), into, root, true).await?;
    if rank == root {
        all.expect(&everybody, &what);
    }
    let from = (rank == root).then(|| even(&all));
    let block = Buffer::empty(&datatype, 2);
    scatter(&net, from, Some(block.data()), root, true).await?;
    block.expect(&elements(rank, 2), &what);
    let all = Buffer::empty(&datatype, 2 * size);
    allgather(&net, Some(own.data()), even(&all)).await?;
    all.expect(&everybody, &what);

    // Blocks of several sizes, all of which everybody knows.
    let counts: Vec<u64> = (0..size).map(|rank| rank as u64 % 3).collect();
    let start = |rank: usize| counts[..rank].iter().sum::<u64>();
    let varying: Vec<_> = (0..size)
        .flat_map(|rank| elements(rank, counts[rank] as usize))
        .collect();
    let all = Buffer::empty(&datatype, varying.len());
    let places = (0..size).map(|rank| (counts[rank], start(rank) as i64));
    let into = Blocks::varying(all.data().base(), places, datatype.clone());
    let part = Buffer::of(&datatype, &elements(rank, counts[rank] as usize));
    allgather(&net, Some(part.data()), into).await?;
    all.expect(&varying, &what);

    let row: Vec<_> = (0..size).map(|to| Some(element(rank, to))).collect();
    let column: Vec<_> = (0..size).map(|from| Some(element(from, rank))).collect();
    let single = |buffer: &Buffer| Blocks::even(buffer.data().base(), 1, datatype.clone());
    let (row, all) = (Buffer::of(&datatype, &row), Buffer::empty(&datatype, size));
    alltoall(&net, Some(single(&row)), single(&all), true).await?;
    all.expect(&column, &what);

    let expected = |ranks: std::ops::Range<usize>, elements: std::ops::Range<usize>| {
        let all = elements.map(|index| combined(commutative, ranks.clone(), index));
        all.collect::<Vec<_>>()
    };
    for count in [1, 70] {
        let own = Buffer::of(&datatype, &elements(rank, count));
        let all = Buffer::empty(&datatype, count);
        let into = (rank == root).then(|| all.data());
        reduce(&net, Some(own.data()), into, op(), root).await?;
        if rank == root {
            all.expect(&expected(0..size, 0..count), &what);
        }
        let all = Buffer::empty(&datatype, count);
        allreduce(&net, Some(own.data()), all.data(), op()).await?;
        all.expect(&expected(0..size, 0..count), &what);
        let all = Buffer::empty(&datatype, count);
        scan(&net, Some(own.data()), all.data(), op()).await?;
        all.expect(&expected(0..rank + 1, 0..count), &what);
        let all = Buffer::empty(&datatype, count);
        exscan(&net, Some(own.data()), all.data(), op()).await?;
        all.expect(&expected(0..rank, 0..count), &what);
    }
    let total = varying.len();
    let own = Buffer::of(&datatype, &elements(rank, total));
    let block = Buffer::empty(&datatype, counts[rank] as usize);
    let given = Counts::Varying(counts.clone().into());
    reduce_scatter(&net, Some(own.data()), block.data(), given, op()).await?;
    let first = start(rank) as usize;
    let end = first + counts[rank] as usize;
    block.expect(&expected(0..size, first..end), &what);
    barrier(&net).await
}

#[test]
fn all_collectives_in_turn_on_many_ranks() {
    for (index, nodes) in worlds().into_iter().enumerate() {
        // The larger the world, the fewer combinations.
        let seeds = if nodes.of.len() > 64 { 1 } else { 2 };
        for seed in 0..seeds {
            let datatype = &datatypes()[(index + seed) % 4];
            let commutative = (index + seed) % 2 == 0;
            let (results, _) = simulate_on(&nodes, (index + seed) as u64, |net| {
                everything(net, datatype.clone(), commutative)
            });
            results.into_iter().for_each(|result| result.unwrap());
        }
    }
}

/// Who has heard of an error tells those to whom it stands for others, also where they share memory.
#[test]
fn lengths_that_differ_between_nodes_are_everybodys_error() {
    const ROOT: usize = 11;
    let nodes = Nodes {
        of: (0..12).map(|rank| rank / 4).collect(),
        limit: 64,
        share: true,
    };
    let datatype = &datatypes()[0];
    for (name, seed) in
        (0..12).flat_map(|seed| ["bcast", "scatter", "allreduce"].map(|name| (name, seed)))
    {
        let (results, _) = simulate_on(&nodes, seed, |net| {
            let count = if net.rank() == ROOT { 9 } else { 8 };
            let (send, recv) = (Buffer::empty(datatype, 12 * 9), Buffer::empty(datatype, 9));
            async move {
                let is_root = net.rank() == ROOT;
                let into = recv.data().part(0, count);
                match name {
                    "bcast" => bcast(&net, into, ROOT).await,
                    "scatter" => {
                        let all = send.data();
                        let all = Blocks::even(all.base(), count, all.datatype.clone());
                        scatter(&net, is_root.then_some(all), Some(into), ROOT, true).await
                    }
                    _ => {
                        let own = send.data().part(0, count);
                        allreduce(&net, Some(own), into, operation(true)).await
                    }
                }
            }
        });
        let fine: Vec<usize> = (0..12).filter(|rank| results[*rank].is_ok()).collect();
        let expected: &[usize] = if name == "bcast" { &[ROOT] } else { &[] };
        assert_eq!(fine, expected, "{name} {seed}");
    }
}

/// One collective, with what may pass between `k` nodes of `m` ranks.
struct Bound {
    name: &'static str,
    /// The least messages, and the least bytes, that any algorithm needs.
    least: fn(k: u64, m: u64) -> (u64, u64),
    /// What passes here.
    ours: fn(k: u64, m: u64) -> (u64, u64),
    /// Why that is more.
    why: &'static str,
}

/// Bytes of a short and of a long vector, and of a block.
const SHORT: u64 = 8 * 8;
const LONG: u64 = 8 * 20_000;
const BLOCK: u64 = 8;
/// Bytes of a segment of a long broadcast.
const SEGMENT: u64 = 128 << 10;

const ROUNDS: &str =
    "a leader hears from others in log2 k rounds, where the fewest messages take twice as many";

const LENGTHS: &str =
    "leaders do not know the lengths of the others' blocks, so that all send them themselves";

/// Bounds that hold where `k` is a power of two.
const BOUNDS: &[Bound] = &[
    Bound {
        name: "barrier",
        least: |k, _| (2 * (k - 1), 0),
        ours: |k, _| (k * log2(k), 0),
        why: ROUNDS,
    },
    Bound {
        name: "bcast",
        least: |k, _| (k - 1, (k - 1) * SHORT),
        ours: |k, _| (k - 1, (k - 1) * SHORT),
        why: "",
    },
    Bound {
        name: "long bcast",
        least: |k, _| (k - 1, (k - 1) * LONG),
        // One leader alone has nobody to pass it on to.
        ours: |k, _| {
            let segments = if k == 2 { 1 } else { LONG.div_ceil(SEGMENT) };
            ((k - 1) * segments, (k - 1) * LONG)
        },
        why: "each leader passes a segment on while the next one comes",
    },
    Bound {
        name: "reduce",
        least: |k, _| (k - 1, (k - 1) * SHORT),
        ours: |k, _| (k - 1, (k - 1) * SHORT),
        why: "",
    },
    Bound {
        name: "allreduce",
        least: |k, _| (2 * (k - 1), 2 * (k - 1) * SHORT),
        ours: |k, _| (k * log2(k), k * log2(k) * SHORT),
        why: ROUNDS,
    },
    Bound {
        name: "long allreduce",
        least: |k, _| (2 * (k - 1), 2 * (k - 1) * LONG),
        ours: |k, _| (2 * k * (k - 1), 2 * (k - 1) * LONG),
        why: "the vector goes round in parts, so that all leaders send and receive at once",
    },
    Bound {
        name: "gather",
        least: |k, m| (k - 1, (k - 1) * m * BLOCK),
        ours: |k, m| (k - 1, (k - 1) * m * BLOCK),
        why: "",
    },
    Bound {
        name: "scatter",
        least: |k, m| (k - 1, (k - 1) * m * BLOCK),
        ours: |k, m| (k - 1, (k - 1) * m * BLOCK),
        why: "",
    },
    Bound {
        name: "allgather",
        least: |k, m| (2 * (k - 1), k * (k - 1) * m * BLOCK),
        ours: |k, m| (k * log2(k), k * (k - 1) * m * BLOCK),
        why: ROUNDS,
    },
    Bound {
        name: "alltoall",
        least: |k, m| (2 * (k - 1), k * (k - 1) * m * m * BLOCK),
        ours: |k, m| (k * (k - 1), k * (k - 1) * m * m * BLOCK),
        why: "no block passes through a third node; fewer messages would carry blocks further than once",
    },
    Bound {
        name: "reduce_scatter",
        least: |k, m| (2 * (k - 1), k * (k - 1) * m * BLOCK),
        ours: |k, m| (k * log2(k), k * (k - 1) * m * BLOCK),
        why: ROUNDS,
    },
    Bound {
        name: "scan",
        least: |k, _| (k - 1, (k - 1) * SHORT),
        ours: |k, _| (k * log2(k) - (k - 1), (k * log2(k) - (k - 1)) * SHORT),
        why: "log2 k rounds instead of k - 1, in which each leader hears from one further down",
    },
    Bound {
        name: "exscan",
        least: |k, _| (k - 1, (k - 1) * SHORT),
        ours: |k, _| (k * log2(k) - (k - 1), (k * log2(k) - (k - 1)) * SHORT),
        why: "log2 k rounds instead of k - 1, in which each leader hears from one further down",
    },
    Bound {
        name: "allgatherv",
        least: |k, m| (2 * (k - 1), k * (k - 1) * m * BLOCK),
        ours: |k, m| (k * log2(k), k * (k - 1) * m * BLOCK),
        why: ROUNDS,
    },
    Bound {
        name: "gatherv",
        least: |k, m| (k - 1, (k - 1) * m * BLOCK),
        ours: |k, m| ((k - 1) * m, (k - 1) * m * BLOCK),
        why: LENGTHS,
    },
    Bound {
        name: "scatterv",
        least: |k, m| (k - 1, (k - 1) * m * BLOCK),
        ours: |k, m| ((k - 1) * m, (k - 1) * m * BLOCK),
        why: LENGTHS,
    },
    Bound {
        name: "alltoallv",
        least: |k, m| (2 * (k - 1), k * (k - 1) * m * m * BLOCK),
        ours: |k, m| (k * (k - 1) * m * m, k * (k - 1) * m * m * BLOCK),
        why: LENGTHS,
    },
];

fn log2(k: u64) -> u64 {
    k.ilog2().into()
}

/// Where ranks run: so many nodes of `each` ranks, which follow each other or do not.
fn nodes(count: usize, each: usize, in_order: bool, share: bool) -> Nodes {
    let size = count * each;
    let node = |rank: usize| match in_order {
        true => rank / each,
        false => rank % count,
    };
    Nodes {
        of: (0..size).map(node).collect(),
        limit: 64,
        share,
    }
}

/// Runs one of them. `elements` of 8 bytes have room for all that it sends or gets.
fn cost_of(name: &'static str, nodes: &Nodes, elements: usize) -> Cost {
    let size = nodes.of.len();
    let datatype = &datatypes()[0];
    let buffers: Vec<[Buffer; 2]> = (0..size)
        .map(|_| [0, 1].map(|_| Buffer::empty(datatype, elements)))
        .collect();
    let (results, cost) = simulate_on(nodes, 0, |net| {
        let [send, recv] = &buffers[net.rank()];
        let (send, recv) = (send.data(), recv.data());
        async move {
            // The last rank of its node.
            let root = size - 1;
            let is_root = net.rank() == root;
            let op = operation(true);
            let each = |data: &Data| Blocks::even(data.base(), 1, data.datatype.clone());
            let varying = |data: &Data| {
                let places = (0..size).map(|rank| (1, rank as i64));
                Blocks::varying(data.base(), places, data.datatype.clone())
            };
            let short = SHORT / 8;
            let (from, into) = (send.part(0, short), recv.part(0, short));
            match name {
                "barrier" => barrier(&net).await,
                "bcast" => bcast(&net, from, root).await,
                "long bcast" => bcast(&net, send, root).await,
                "reduce" => reduce(&net, Some(from), is_root.then_some(into), op, root).await,
                "allreduce" => allreduce(&net, Some(from), into, op).await,
                "long allreduce" => allreduce(&net, Some(send), recv, op).await,
                "gather" | "gatherv" => {
                    let even = name == "gather";
                    let all = is_root.then(|| if even { each(&recv) } else { varying(&recv) });
                    gather(&net, Some(send.part(0, 1)), all, root, even).await
                }
                "scatter" | "scatterv" => {
                    let even = name == "scatter";
                    let all = is_root.then(|| if even { each(&send) } else { varying(&send) });
                    scatter(&net, all, Some(recv.part(0, 1)), root, even).await
                }
                "allgather" => allgather(&net, Some(send.part(0, 1)), each(&recv)).await,
                "allgatherv" => allgather(&net, Some(send.part(0, 1)), varying(&recv)).await,
                "alltoall" => alltoall(&net, Some(each(&send)), each(&recv), true).await,
                "alltoallv" => alltoall(&net, Some(varying(&send)), varying(&recv), false).await,
                "reduce_scatter" => {
                    let own = send.part(0, size as u64);
                    reduce_scatter(&net, Some(own), recv.part(0, 1), Counts::Even(1), op).await
                }
                "scan" => scan(&net, Some(from), into, op).await,
                "exscan" => exscan(&net, Some(from), into, op).await,
                _ => unreachable!("{name} is none of the collectives"),
            }
        }
    });
    results.into_iter().for_each(|result| result.unwrap());
    cost
}

/// On 64 ranks of 4 nodes, and on others. Whether ranks of a node share memory, as in blocking collectives, or not, as in
/// the others, makes no difference.
#[test]
fn little_passes_between_nodes() {
    for bound in BOUNDS {
        for (k, m, in_order, share) in [
            (2, 5, true, true),
            (4, 5, false, false),
            (8, 5, true, false),
            (8, 5, false, true),
            (4, 16, true, true),
            (4, 16, true, false),
            (4, 16, false, true),
        ] {
            // Where ranks are mixed, prefixes of ranks are none of groups: a scan is not composed.
            if bound.name.ends_with("scan") && !in_order {
                continue;
            }
            let nodes = nodes(k, m, in_order, share);
            let (k, m) = (k as u64, m as u64);
            let bytes = match bound.name.starts_with("long") {
                true => LONG,
                false => SHORT.max(k * m * BLOCK),
            };
            let cost = cost_of(bound.name, &nodes, (bytes / 8) as usize).between_nodes;
            let (least, ours) = ((bound.least)(k, m), (bound.ours)(k, m));
            let what = (bound.name, k, m, in_order, share);
            assert_eq!((cost.0 as u64, cost.1), ours, "{what:?}");
            assert!(ours.0 >= least.0 && ours.1 >= least.1, "{what:?}");
            assert!(ours == least || !bound.why.is_empty(), "{what:?}");
        }
    }
}

/// Collectives whose buffers do not grow with the number of ranks, on 16,384 ranks of 512 nodes.
#[test]
fn many_ranks_on_many_nodes() {
    let nodes = nodes(512, 32, true, false);
    for name in ["barrier", "bcast", "reduce", "allreduce", "scan"] {
        let cost = cost_of(name, &nodes, (SHORT / 8) as usize);
        let bound = BOUNDS.iter().find(|bound| bound.name == name);
        let between = (cost.between_nodes.0 as u64, cost.between_nodes.1);
        assert_eq!(between, (bound.unwrap().ours)(512, 32), "{name}");
        println!(
            "{name}: {} messages of {} bytes, {} of {} between nodes, {} after each other",
            cost.messages, cost.bytes, between.0, between.1, cost.depth
        );
        // Up to the leader of 32, to all of 512, and down again, with a few rounds more where they are not powers of two.
        assert!(cost.depth <= 5 + 9 + 5 + 3, "{name}: {} deep", cost.depth);
    }
}

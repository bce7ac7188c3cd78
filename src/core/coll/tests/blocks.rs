use super::super::select::{Algorithm, Shape};
use super::super::sim::{row, simulate, simulate_on};
use super::super::*;
use super::*;

/// Every number of ranks, datatype, count, place and form.
fn each(mut test: impl FnMut(usize, &Rc<Type>, usize, bool, bool, u64)) {
    let mut seed = 0;
    for size in SIZES {
        for (index, datatype) in datatypes().iter().enumerate() {
            // The longer ones pass through lanes, and beyond them, in memory that ranks share.
            let longer = longer(size).filter(|_| size < 8);
            for count in [0, 1, 4].into_iter().chain(longer) {
                for in_place in [false, true] {
                    for even in [true, false] {
                        if index == 0 || (size + count) % 2 == 0 {
                            seed += 1;
                            test(size, datatype, count, in_place, even, seed);
                        }
                    }
                }
            }
        }
    }
}

fn fits(algorithm: impl Algorithm, size: usize, even: bool, seed: u64) -> bool {
    algorithm.fits(&Shape {
        even,
        shared: true,
        groups: groups(&nodes_for(algorithm, size, seed)),
        ..Shape::plain(size, 8)
    })
}

/// Blocks of `counts` elements each, in reverse order with a gap after each, as the v form sees them.
struct Scattered {
    counts: Rc<[u64]>,
    displacements: Rc<[i64]>,
    room: usize,
}

impl Scattered {
    fn new(counts: Vec<u64>) -> Scattered {
        let mut next = 1;
        let mut displacements = vec![0; counts.len()];
        for index in (0..counts.len()).rev() {
            displacements[index] = next;
            next += counts[index] as i64 + 1;
        }
        Scattered {
            counts: counts.into(),
            displacements: displacements.into(),
            room: next as usize,
        }
    }

    fn blocks(&self, buffer: &Buffer) -> Blocks {
        let displacements = self.displacements.iter().copied();
        let places = self.counts.iter().copied().zip(displacements);
        Blocks::varying(buffer.data().base(), places, buffer.datatype.clone())
    }

    /// The elements of all memory when block `i` holds `block(i)`.
    fn elements(&self, block: impl Fn(usize) -> Option<Vec<Option<u64>>>) -> Vec<Option<u64>> {
        let mut all = vec![None; self.room];
        for index in 0..self.counts.len() {
            if let Some(block) = block(index) {
                all[self.displacements[index] as usize..][..block.len()].clone_from_slice(&block);
            }
        }
        all
    }
}

#[test]
fn allgather_brings_all_blocks_to_all() {
    for (_, algorithm) in Allgather::ALL {
        each(|size, datatype, count, in_place, even, seed| {
            if !fits(*algorithm, size, even, seed) {
                return;
            }
            let nodes = nodes_for(*algorithm, size, seed);
            let counts = (0..size).map(|rank| match even {
                true => count,
                false => (rank + 2) * count % (count + 1),
            });
            let counts: Vec<u64> = counts.map(|count| count as u64).collect();
            let block = |rank: usize| elements(rank, counts[rank] as usize);
            let layout = Scattered::new(counts.clone());
            let all = match even {
                true => (0..size).flat_map(block).collect(),
                false => layout.elements(|rank| Some(block(rank))),
            };
            let before = |rank: usize| match (in_place, even) {
                (false, _) => vec![None; all.len()],
                (true, true) => {
                    let mut before = vec![None; all.len()];
                    before[rank * count..][..count].clone_from_slice(&block(rank));
                    before
                }
                (true, false) => layout.elements(|index| (index == rank).then(|| block(rank))),
            };
            let send: Vec<Buffer> = (0..size)
                .map(|rank| Buffer::of(datatype, &block(rank)))
                .collect();
            let recv: Vec<Buffer> = (0..size)
                .map(|rank| Buffer::of(datatype, &before(rank)))
                .collect();
            let (results, _) = simulate_on(&nodes, seed, |net| {
                let own = (!in_place).then(|| send[net.rank()].data());
                let recv = &recv[net.rank()];
                let into = match even {
                    true => Blocks::even(recv.data().base(), count as u64, datatype.clone()),
                    false => layout.blocks(recv),
                };
                async move {
                    match net.attempt(*algorithm == Allgather::Shared, |fast_path| {
                        fast_path.allgather(own.as_ref(), &into)
                    }) {
                        true => Ok(()),
                        false => allgather_by(&net, *algorithm, own, into).await,
                    }
                }
            });
            results.into_iter().for_each(|result| result.unwrap());
            for recv in &recv {
                recv.expect(&all, &(algorithm, size, count, in_place, even, seed));
            }
        });
    }
}

/// The block that one rank has for another.
fn block(from: usize, to: usize, count: usize) -> Vec<Option<u64>> {
    elements(1000 * (from + 1) + to, count)
}

#[test]
fn alltoall_brings_each_block_to_its_rank() {
    for (_, algorithm) in Alltoall::ALL {
        each(|size, datatype, count, in_place, even, seed| {
            if !fits(*algorithm, size, even, seed) {
                return;
            }
            let nodes = nodes_for(*algorithm, size, seed);
            // Symmetric when in place: what goes out makes room for what comes in.
            let length = |from: usize, to: usize| match even {
                true => count,
                false if in_place => (from + to) * count % (count + 1),
                false => (from + 3 * to) * count % (count + 1),
            };
            let out =
                |rank: usize| Scattered::new((0..size).map(|to| length(rank, to) as u64).collect());
            let into = |rank: usize| {
                Scattered::new((0..size).map(|from| length(from, rank) as u64).collect())
            };
            let sent = |rank: usize| match even {
                true => (0..size).flat_map(|to| block(rank, to, count)).collect(),
                false => out(rank).elements(|to| Some(block(rank, to, length(rank, to)))),
            };
            let received = |rank: usize| match even {
                true => (0..size)
                    .flat_map(|from| block(from, rank, count))
                    .collect(),
                false => into(rank).elements(|from| Some(block(from, rank, length(from, rank)))),
            };
            let send: Vec<Buffer> = (0..size)
                .map(|rank| Buffer::of(datatype, &sent(rank)))
                .collect();
            let recv: Vec<Buffer> = (0..size)
                .map(|rank| match in_place {
                    true => Buffer::of(datatype, &sent(rank)),
                    false => Buffer::empty(datatype, received(rank).len()),
                })
                .collect();
            let (results, _) = simulate_on(&nodes, seed, |net| {
                let rank = net.rank();
                let blocks = |buffer: &Buffer, layout: Scattered| match even {
                    true => Blocks::even(buffer.data().base(), count as u64, datatype.clone()),
                    false => layout.blocks(buffer),
                };
                let from = (!in_place).then(|| blocks(&send[rank], out(rank)));
                let to = blocks(&recv[rank], into(rank));
                async move {
                    match net.attempt(*algorithm == Alltoall::Shared, |fast_path| {
                        fast_path.alltoall(from.as_ref(), &to)
                    }) {
                        true => Ok(()),
                        false => alltoall_by(&net, *algorithm, from, to).await,
                    }
                }
            });
            results.into_iter().for_each(|result| result.unwrap());
            let what = (algorithm, size, count, in_place, even, seed);
            for rank in 0..size {
                recv[rank].expect(&received(rank), &what);
                send[rank].expect(&sent(rank), &what);
            }
        });
    }
}

#[test]
fn alltoallw_takes_a_datatype_for_each_block() {
    let datatypes = datatypes();
    let size = 5;
    // The block of rank `peer` has datatype `peer % 4` and 200 bytes of room.
    let types: Rc<[Rc<Type>]> = (0..size).map(|peer| datatypes[peer % 4].clone()).collect();
    let displacements: Rc<[i64]> = (0..size).map(|peer| 200 * peer as i64 + 100).collect();
    let counts: Rc<[u64]> = (0..size).map(|peer| peer as u64).collect();
    let own = |rank: usize| -> Rc<[u64]> { vec![rank as u64; size].into() };
    let send: Vec<Vec<u64>> = (0..size).map(|_| vec![UNTOUCHED; 200]).collect();
    let recv: Vec<Vec<u64>> = (0..size).map(|_| vec![UNTOUCHED; 200]).collect();
    let blocks = |memory: &Vec<u64>, counts: Rc<[u64]>| {
        let base = Data::tested(memory.as_ptr().cast_mut().cast(), 0, datatypes[0].clone()).base();
        Blocks::each(base, counts, displacements.clone(), types.clone())
    };
    for (rank, send) in send.iter().enumerate() {
        for to in 0..size {
            let packed: Vec<u8> = block(rank, to, to)
                .into_iter()
                .flatten()
                .flat_map(u64::to_le_bytes)
                .collect();
            blocks(send, counts.clone()).get(to).unpack(0, &packed);
        }
    }
    let (results, _) = simulate(size, 7, |net| {
        let rank = net.rank();
        let (from, to) = (
            blocks(&send[rank], counts.clone()),
            blocks(&recv[rank], own(rank)),
        );
        async move { alltoall(&net, Some(from), to, false).await }
    });
    results.into_iter().for_each(|result| result.unwrap());
    for (rank, recv) in recv.iter().enumerate() {
        for from in 0..size {
            let found = values(&blocks(recv, own(rank)).get(from));
            let expected: Vec<u64> = block(from, rank, rank).into_iter().flatten().collect();
            assert_eq!(found, expected, "the block from {from} to {rank}");
        }
    }
}

#[test]
fn neighbours_on_a_ring_exchange_by_direction() {
    let datatype = &datatypes()[0];
    // A ring of two meets itself on both sides, a ring of one is its own neighbour.
    for size in [1, 2, 3, 7] {
        for seed in 0..10 {
            let send: Vec<Buffer> = (0..size)
                .map(|rank| Buffer::of(datatype, &elements(rank, 2)))
                .collect();
            let recv: Vec<Buffer> = (0..size).map(|_| Buffer::empty(datatype, 2)).collect();
            let (results, _) = simulate(size, seed, |net| {
                let rank = net.rank();
                let ring = [(rank + size - 1) % size, (rank + 1) % size].map(Some);
                let blocks =
                    |buffer: &Buffer| Blocks::even(buffer.data().base(), 1, datatype.clone());
                let (from, to) = (blocks(&send[rank]), blocks(&recv[rank]));
                let neighbors = Neighbors::grid(ring.into());
                async move { neighbor_alltoall(&net, neighbors, from, to).await }
            });
            results.into_iter().for_each(|result| result.unwrap());
            for (rank, recv) in recv.iter().enumerate() {
                let (below, above) = ((rank + size - 1) % size, (rank + 1) % size);
                // What the one below sent up, and what the one above sent down.
                recv.expect(
                    &[Some(element(below, 1)), Some(element(above, 0))],
                    &(size, rank),
                );
            }
        }
    }
}

#[test]
fn a_gather_from_neighbours_takes_any_graph() {
    let datatype = &datatypes()[0];
    // Rank r sends to r + 1 and twice to 0; rank 3 has an open end.
    let size = 4;
    let destinations = |rank: usize| [(rank < 3).then_some(rank + 1), Some(0), Some(0)];
    let sources = |rank: usize| -> Rc<[Option<usize>]> {
        match rank {
            0 => (0..size)
                .flat_map(|from| [Some(from), Some(from)])
                .chain([None])
                .collect(),
            _ => [Some(rank - 1)].into(),
        }
    };
    let send: Vec<Buffer> = (0..size)
        .map(|rank| Buffer::of(datatype, &elements(rank, 2)))
        .collect();
    let recv: Vec<Buffer> = (0..size)
        .map(|rank| Buffer::empty(datatype, 2 * sources(rank).len()))
        .collect();
    for seed in 0..10 {
        let (results, _) = simulate(size, seed, |net| {
            let rank = net.rank();
            let neighbors = Neighbors::graph(sources(rank), destinations(rank).into());
            let own = Blocks::same(send[rank].data());
            let into = Blocks::even(recv[rank].data().base(), 2, datatype.clone());
            async move { neighbor_alltoall(&net, neighbors, own, into).await }
        });
        results.into_iter().for_each(|result| result.unwrap());
        for (rank, recv) in recv.iter().enumerate() {
            let expected: Vec<Option<u64>> = sources(rank)
                .iter()
                .flat_map(|from| match from {
                    Some(from) => elements(*from, 2),
                    None => vec![None; 2],
                })
                .collect();
            recv.expect(&expected, &(rank, seed));
        }
    }
}

/// Which blocks of two ranks, with a core each, are messages where nothing can be offered. They come to the same
/// root, so that the other one has no exchange buffers left after a few.
#[test]
fn blocks_of_two_ranks_are_messages_when_they_are_long() {
    let datatype = &datatypes()[0];
    let times = 12;
    // One for each row, in which nobody offers anything.
    for seed in [0, 6, 12] {
        let row = row(seed);
        let longest = row.coll_block;
        for count in [longest / 8, longest / 8 + 1] {
            let (results, cost) = simulate(2, seed, |net| async move {
                let mine = Buffer::of(datatype, &elements(net.rank(), count));
                for _ in 0..times {
                    let into = Buffer::empty(datatype, 2 * count);
                    let block = Blocks::even(into.data().base(), count as u64, datatype.clone());
                    let all = (net.rank() == 0).then_some(block);
                    gather_by(&net, Gather::Shared, Some(mine.data()), all, 0).await?;
                    if net.rank() == 0 {
                        let all = [elements(0, count), elements(1, count)].concat();
                        into.expect(&all, &(row.name, count));
                    }
                }
                Ok::<_, crate::error::Error>(())
            });
            results.into_iter().for_each(|result| result.unwrap());
            let messages = if 8 * count > longest { times } else { 0 };
            assert_eq!(cost.messages, messages, "{}, {count} elements", row.name);
        }
    }
}

/// Of two ranks, memory that changes hands stays somebody's, however long the blocks are: also where they go by
/// messages though an exchange buffer would hold them.
#[test]
fn no_exchange_buffer_is_lost() {
    let datatype = &datatypes()[0];
    for (seed, count) in
        (0..12).flat_map(|seed| [20, 33, 40, 64, 70, 256, 260].map(|count| (seed, count)))
    {
        let (exchange_buffers, _) = simulate(2, seed, |net| async move {
            let mine = Buffer::of(datatype, &elements(net.rank(), 2 * count));
            let into = Buffer::empty(datatype, 2 * count);
            let block =
                |buffer: &Buffer| Data::new(buffer.data().base(), count as u64, datatype.clone());
            let blocks = |buffer: &Buffer| {
                Blocks::even(buffer.data().base(), count as u64, datatype.clone())
            };
            let before = net.coll_segment().unwrap().exchange_buffers_here();
            for time in 0..12 {
                let root = time % 2;
                let all = (net.rank() == root).then(|| blocks(&into));
                gather_by(&net, Gather::Shared, Some(block(&mine)), all, root).await?;
                let all = (net.rank() == root).then(|| blocks(&mine));
                scatter_by(&net, Scatter::Shared, all, Some(block(&into)), root).await?;
                allgather_by(&net, Allgather::Shared, Some(block(&mine)), blocks(&into)).await?;
                alltoall_by(&net, Alltoall::Shared, Some(blocks(&mine)), blocks(&into)).await?;
                bcast_by(&net, Bcast::Shared, block(&into), root).await?;
            }
            // Nobody is in an operation any more.
            barrier_by(&net, Barrier::Shared).await?;
            Ok::<_, crate::error::Error>([
                before,
                net.coll_segment().unwrap().exchange_buffers_here(),
            ])
        });
        let exchange_buffers = exchange_buffers.into_iter().map(|each| each.unwrap());
        let [before, after] =
            exchange_buffers.fold([0; 2], |sum, each| [0, 1].map(|at| sum[at] + each[at]));
        assert_eq!(before, after, "seed {seed}, {count} elements");
    }
}

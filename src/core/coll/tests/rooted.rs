use super::super::select::{Algorithm, Shape};
use super::super::sim::{simulate, simulate_on};
use super::super::*;
use super::*;
use crate::shm::collective::BLOCK;

/// Every number of ranks, root, datatype and count.
fn each(mut test: impl FnMut(usize, usize, &Rc<Type>, usize, u64)) {
    let mut seed = 0;
    for size in SIZES {
        for root in 0..size {
            if root > 4 && root + 2 < size {
                continue;
            }
            for (index, datatype) in datatypes().iter().enumerate() {
                // The longer ones pass through lanes, and beyond them, in memory that ranks share.
                let longer = longer(size).filter(|_| size < 6);
                for count in [0, 1, 5].into_iter().chain(longer) {
                    if index == 0 || (size + root + count) % 3 == 0 {
                        seed += 1;
                        test(size, root, datatype, count, seed);
                    }
                }
            }
        }
    }
}

#[test]
fn bcast_reaches_all() {
    for (_, algorithm) in Bcast::ALL {
        each(|size, root, datatype, count, seed| {
            let nodes = nodes_for(*algorithm, size, seed);
            let shape = Shape {
                shared: true,
                groups: groups(&nodes),
                ..Shape::plain(size, 8)
            };
            if !algorithm.fits(&shape) {
                return;
            }
            // Some of them longer than several segments of the chain.
            let count = if size == 4 && root + 1 == size {
                count * 10_001
            } else {
                count * 7
            };
            let data: Vec<Buffer> = (0..size)
                .map(|rank| match rank == root {
                    true => Buffer::of(datatype, &elements(root, count)),
                    false => Buffer::empty(datatype, count),
                })
                .collect();
            let (results, _) = simulate_on(&nodes, seed, |net| {
                let data = data[net.rank()].data();
                async move {
                    match net.attempt(*algorithm == Bcast::Shared, |fast_path| {
                        fast_path.bcast(&data, root)
                    }) {
                        true => Ok(()),
                        false => bcast_by(&net, *algorithm, data, root).await,
                    }
                }
            });
            results.into_iter().for_each(|result| result.unwrap());
            for data in &data {
                data.expect(
                    &elements(root, count),
                    &(algorithm, size, root, count, seed),
                );
            }
        });
    }
}

/// Who runs ahead of a gather's root asks it: as long as the same ones send, but not with roots in turn, nor where something comes back
/// meanwhile. More than two ranks with a core each always ask.
#[test]
fn who_has_just_heard_from_the_root_does_not_ask_it() {
    const TIMES: usize = 12;
    let asked = |size: usize, seed: u64, turn: usize, back: bool| {
        let datatype = &datatypes()[1];
        // Longer than what two ranks write in one piece.
        let long = if size == 2 { BLOCK / 8 + 1 } else { 100 };
        let (results, cost) = simulate(size, seed, |net| async move {
            let block = Buffer::of(datatype, &elements(net.rank(), long));
            for time in 0..TIMES {
                let root = time * turn % size;
                let all = Buffer::empty(datatype, size * long);
                let recv = Blocks::even(all.data().base(), long as u64, datatype.clone());
                let recv = (net.rank() == root).then_some(recv);
                gather_by(&net, Gather::Shared, Some(block.data()), recv, root).await?;
                if back {
                    barrier_by(&net, Barrier::Shared).await?;
                }
            }
            Ok::<_, crate::error::Error>(())
        });
        results.into_iter().for_each(|result| result.unwrap());
        cost.in_turn
    };
    // Seeds whose members know that blocks are best streamed, the second one's share cores.
    for seed in [28, 13] {
        assert_eq!(asked(2, seed, 0, false), TIMES - 1);
        assert_eq!(asked(2, seed, 0, true), 0);
        assert_eq!(asked(2, seed, 1, false), 0);
    }
    // Those that can offer nothing.
    let [alone, crowded] = [12, 9];
    assert_eq!(asked(3, crowded, 0, false), 2 * (TIMES - 1));
    assert_eq!(asked(3, crowded, 0, true), 0);
    assert_eq!(asked(3, crowded, 1, false), 0);
    assert_eq!(asked(3, alone, 1, false), 2 * TIMES);
}

/// A root's own block, in parts of which the last one is shorter.
#[test]
fn an_own_block_comes_whole() {
    const LONG: usize = 301;
    let datatype = &datatypes()[0];
    for seed in 0..12 {
        let all = Buffer::empty(datatype, 3 * LONG);
        let (results, _) = simulate(3, seed, |net| {
            let recv = Blocks::even(all.data().base(), LONG as u64, datatype.clone());
            async move {
                let block = Buffer::of(datatype, &elements(net.rank(), LONG));
                let recv = (net.rank() == 1).then_some(recv);
                gather_by(&net, Gather::Shared, Some(block.data()), recv, 1).await
            }
        });
        results.into_iter().for_each(|result| result.unwrap());
        let blocks: Vec<_> = (0..3).flat_map(|rank| elements(rank, LONG)).collect();
        all.expect(&blocks, &seed);
    }
}

#[test]
fn gather_brings_all_blocks() {
    for (_, algorithm) in Gather::ALL {
        each(|size, root, datatype, count, seed| {
            let nodes = nodes_for(*algorithm, size, seed);
            let shape = Shape {
                shared: true,
                groups: groups(&nodes),
                ..Shape::plain(size, 8)
            };
            if !algorithm.fits(&shape) {
                return;
            }
            let in_place = seed % 2 == 0;
            let send: Vec<Buffer> = (0..size)
                .map(|rank| Buffer::of(datatype, &elements(rank, count)))
                .collect();
            let all: Vec<_> = (0..size).flat_map(|rank| elements(rank, count)).collect();
            let mut before = vec![None; size * count];
            if in_place {
                before[root * count..][..count].clone_from_slice(&elements(root, count));
            }
            let recv = Buffer::of(datatype, &before);
            let (results, _) = simulate_on(&nodes, seed, |net| {
                let is_root = net.rank() == root;
                let own = (!is_root || !in_place).then(|| send[net.rank()].data());
                let into = is_root
                    .then(|| Blocks::even(recv.data().base(), count as u64, datatype.clone()));
                async move {
                    match net.attempt(*algorithm == Gather::Shared, |fast_path| {
                        fast_path.gather(own.as_ref(), into.as_ref(), root)
                    }) {
                        true => Ok(()),
                        false => gather_by(&net, *algorithm, own, into, root).await,
                    }
                }
            });
            results.into_iter().for_each(|result| result.unwrap());
            recv.expect(&all, &(algorithm, size, root, count, in_place, seed));
        });
    }
}

#[test]
fn scatter_deals_all_blocks() {
    for (_, algorithm) in Scatter::ALL {
        each(|size, root, datatype, count, seed| {
            let nodes = nodes_for(*algorithm, size, seed);
            let shape = Shape {
                shared: true,
                groups: groups(&nodes),
                ..Shape::plain(size, 8)
            };
            if !algorithm.fits(&shape) {
                return;
            }
            let in_place = seed % 2 == 0;
            let all: Vec<_> = (0..size).flat_map(|rank| elements(rank, count)).collect();
            let send = Buffer::of(datatype, &all);
            let recv: Vec<Buffer> = (0..size).map(|_| Buffer::empty(datatype, count)).collect();
            let (results, _) = simulate_on(&nodes, seed, |net| {
                let is_root = net.rank() == root;
                let from = is_root
                    .then(|| Blocks::even(send.data().base(), count as u64, datatype.clone()));
                let into = (!is_root || !in_place).then(|| recv[net.rank()].data());
                async move {
                    match net.attempt(*algorithm == Scatter::Shared, |fast_path| {
                        fast_path.scatter(from.as_ref(), into.as_ref(), root)
                    }) {
                        true => Ok(()),
                        false => scatter_by(&net, *algorithm, from, into, root).await,
                    }
                }
            });
            results.into_iter().for_each(|result| result.unwrap());
            let what = (algorithm, size, root, count, in_place, seed);
            for (rank, recv) in recv.iter().enumerate() {
                if rank == root && in_place {
                    recv.expect(&vec![None; count], &what);
                } else {
                    recv.expect(&elements(rank, count), &what);
                }
            }
            send.expect(&all, &what);
        });
    }
}

#[test]
fn gatherv_and_scatterv_take_any_sizes() {
    each(|size, root, datatype, count, seed| {
        let counts: Rc<[u64]> = (0..size)
            .map(|rank| ((rank + 1) * count % 4) as u64)
            .collect();
        // Blocks in reverse order with a gap of one element after each.
        let displacements: Rc<[i64]> = (0..size).map(|rank| 4 * (size - 1 - rank) as i64).collect();
        let mut all = vec![None; 4 * size];
        for rank in 0..size {
            let block = elements(rank, counts[rank] as usize);
            all[displacements[rank] as usize..][..block.len()].clone_from_slice(&block);
        }
        let own: Vec<Buffer> = (0..size)
            .map(|rank| Buffer::of(datatype, &elements(rank, counts[rank] as usize)))
            .collect();
        let gathered = Buffer::empty(datatype, 4 * size);
        let dealt: Vec<Buffer> = (0..size)
            .map(|rank| Buffer::empty(datatype, counts[rank] as usize))
            .collect();
        let (results, _) = simulate(size, seed, |net| {
            let rank = net.rank();
            let blocks = (rank == root).then(|| {
                let base = gathered.data().base();
                let places = counts.iter().copied().zip(displacements.iter().copied());
                Blocks::varying(base, places, datatype.clone())
            });
            let (own, dealt) = (own[rank].data(), dealt[rank].data());
            async move {
                gather(&net, Some(own), blocks.clone(), root, false).await?;
                scatter(&net, blocks, Some(dealt), root, false).await
            }
        });
        results.into_iter().for_each(|result| result.unwrap());
        let what = (size, root, &counts, seed);
        gathered.expect(&all, &what);
        for (rank, dealt) in dealt.iter().enumerate() {
            dealt.expect(&elements(rank, counts[rank] as usize), &what);
        }
    });
}

/// Who writes is ahead of who reads: all that is contributed comes, whether it takes a part of the lane, several, or passes through
/// all of it.
#[test]
fn bcasts_go_on_while_their_root_runs_ahead() {
    let datatype = &datatypes()[0];
    for size in [2, 3] {
        let (results, _) = simulate(size, 5, |net| async move {
            for call in 0..2100 {
                let root = if call % 7 == 0 { call % size } else { 0 };
                let count = [40, 70, 260, 1000][call / 3 % 4];
                let sent = elements(call, count);
                let buffer = match net.rank() == root {
                    true => Buffer::of(datatype, &sent),
                    false => Buffer::empty(datatype, count),
                };
                bcast_by(&net, Bcast::Shared, buffer.data(), root).await?;
                buffer.expect(&sent, &(size, call, root));
            }
            Ok(())
        });
        let results: Vec<crate::error::Result<()>> = results;
        results.into_iter().for_each(|result| result.unwrap());
    }
}

use super::super::fast_path::FastPath;
use super::super::select::{Algorithm, Shape};
use super::super::sim::{simulate, simulate_on};
use super::super::*;
use super::*;

fn shape(size: usize, count: usize, commutative: bool) -> Shape {
    Shape {
        count: count as u64,
        commutative,
        shared: true,
        ..Shape::plain(size, 8 * count as u64)
    }
}

/// Calls with every combination of ranks, datatype, count, operation and place that `A` is good for.
fn each<A: Algorithm>(mut test: impl FnMut(A, usize, &Rc<Type>, usize, bool, bool, u64)) {
    let mut seed = 0;
    for size in SIZES {
        for (_, algorithm) in A::ALL {
            for count in [0, 1, 3, 70, 300] {
                for commutative in [true, false] {
                    for (index, datatype) in datatypes().iter().enumerate() {
                        for in_place in [false, true] {
                            // The rarer datatypes on fewer combinations: the algorithm is the same.
                            if index == 0 || (size + count + usize::from(in_place)) % 3 == 0 {
                                seed += 1;
                                let groups = groups(&nodes_for(*algorithm, size, seed));
                                let shape = Shape {
                                    groups,
                                    ..shape(size, count, commutative)
                                };
                                if !algorithm.fits(&shape) {
                                    continue;
                                }
                                test(
                                    *algorithm,
                                    size,
                                    datatype,
                                    count,
                                    commutative,
                                    in_place,
                                    seed,
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn allreduce_equals_the_oracle() {
    each(
        |algorithm: Allreduce, size, datatype, count, commutative, in_place, seed| {
            let nodes = nodes_for(algorithm, size, seed);
            let send: Vec<Buffer> = (0..size)
                .map(|rank| Buffer::of(datatype, &elements(rank, count)))
                .collect();
            let recv: Vec<Buffer> = (0..size).map(|_| Buffer::empty(datatype, count)).collect();
            let (results, _) = simulate_on(&nodes, seed, |net| {
                let rank = net.rank();
                let (own, into) = if in_place {
                    (None, send[rank].data())
                } else {
                    (Some(send[rank].data()), recv[rank].data())
                };
                let op = operation(commutative);
                async move {
                    match net.attempt(algorithm == Allreduce::Shared, |fast_path| {
                        fast_path.allreduce(
                            own.as_ref().map(|own| into.like(own.base())),
                            &into,
                            &op,
                        )
                    }) {
                        true => Ok(()),
                        false => allreduce_by(&net, algorithm, own, into, op).await,
                    }
                }
            });
            results.into_iter().for_each(|result| result.unwrap());
            let expected: Vec<_> = (0..count)
                .map(|index| combined(commutative, 0..size, index))
                .collect();
            let what = (algorithm, size, count, commutative, in_place, seed);
            for rank in 0..size {
                if in_place {
                    send[rank].expect(&expected, &what);
                } else {
                    recv[rank].expect(&expected, &what);
                    send[rank].expect(&elements(rank, count), &what);
                }
            }
        },
    );
}

#[test]
fn reduce_equals_the_oracle() {
    each(
        |algorithm: Reduce, size, datatype, count, commutative, in_place, seed| {
            let nodes = nodes_for(algorithm, size, seed);
            let root = seed as usize % size;
            let send: Vec<Buffer> = (0..size)
                .map(|rank| Buffer::of(datatype, &elements(rank, count)))
                .collect();
            let recv = Buffer::empty(datatype, count);
            let (results, _) = simulate_on(&nodes, seed, |net| {
                let own = send[net.rank()].data();
                let (own, into) = match (net.rank() == root, in_place) {
                    (false, _) => (Some(own), None),
                    (true, true) => (None, Some(own)),
                    (true, false) => (Some(own), Some(recv.data())),
                };
                let op = operation(commutative);
                async move {
                    match net.attempt(algorithm == Reduce::Shared, |fast_path| {
                        fast_path.reduce(own.as_ref(), into.as_ref(), &op, root)
                    }) {
                        true => Ok(()),
                        false => reduce_by(&net, algorithm, own, into, op, root).await,
                    }
                }
            });
            results.into_iter().for_each(|result| result.unwrap());
            let expected: Vec<_> = (0..count)
                .map(|index| combined(commutative, 0..size, index))
                .collect();
            let what = (algorithm, size, root, count, commutative, in_place, seed);
            for (rank, send) in send.iter().enumerate() {
                if rank != root || !in_place {
                    send.expect(&elements(rank, count), &what);
                }
            }
            let result = if in_place { &send[root] } else { &recv };
            result.expect(&expected, &what);
        },
    );
}

#[test]
fn reduce_scatter_equals_the_oracle() {
    each(
        |algorithm: ReduceScatter, size, datatype, count, commutative, in_place, seed| {
            let nodes = nodes_for(algorithm, size, seed);
            let counts: Rc<[u64]> = match count {
                0 => vec![0; size].into(),
                // All blocks equal, or all sizes including none.
                1 => vec![1; size].into(),
                // Several passes of two ranks, of which one may have fewer.
                300 => (0..size as u64)
                    .map(|rank| [5, 47, 31][((rank + seed) % 3) as usize])
                    .collect(),
                _ => (0..size).map(|rank| (rank * count % 7) as u64).collect(),
            };
            let total = counts.iter().sum::<u64>() as usize;
            let send: Vec<Buffer> = (0..size)
                .map(|rank| Buffer::of(datatype, &elements(rank, total)))
                .collect();
            let recv: Vec<Buffer> = (0..size)
                .map(|rank| Buffer::empty(datatype, counts[rank] as usize))
                .collect();
            let (results, _) = simulate_on(&nodes, seed, |net| {
                let rank = net.rank();
                let (own, into) = if in_place {
                    (None, send[rank].data())
                } else {
                    (Some(send[rank].data()), recv[rank].data())
                };
                let (op, counts) = (operation(commutative), Counts::Varying(counts.clone()));
                async move {
                    match net.attempt(algorithm == ReduceScatter::Shared, |fast_path| {
                        fast_path.reduce_scatter(own.as_ref(), &into, &counts, &op)
                    }) {
                        true => Ok(()),
                        false => reduce_scatter_by(&net, algorithm, own, into, counts, op).await,
                    }
                }
            });
            results.into_iter().for_each(|result| result.unwrap());
            let what = (algorithm, size, &counts, commutative, in_place, seed);
            let mut start = 0;
            for rank in 0..size {
                let count = counts[rank] as usize;
                let block = start..start + count;
                let mut expected: Vec<_> = block
                    .map(|index| combined(commutative, 0..size, index))
                    .collect();
                if in_place {
                    expected.extend_from_slice(&elements(rank, total)[count..]);
                    send[rank].expect(&expected, &what);
                } else {
                    recv[rank].expect(&expected, &what);
                    send[rank].expect(&elements(rank, total), &what);
                }
                start += count;
            }
        },
    );
}

#[test]
fn scans_equal_the_oracle() {
    each(
        |algorithm: Scan, size, datatype, count, commutative, in_place, seed| {
            let nodes = nodes_for(algorithm, size, seed);
            for exclusive in [false, true] {
                let send: Vec<Buffer> = (0..size)
                    .map(|rank| Buffer::of(datatype, &elements(rank, count)))
                    .collect();
                let recv: Vec<Buffer> = (0..size).map(|_| Buffer::empty(datatype, count)).collect();
                let (results, _) = simulate_on(&nodes, seed, |net| {
                    let rank = net.rank();
                    let (own, into) = if in_place {
                        (None, send[rank].data())
                    } else {
                        (Some(send[rank].data()), recv[rank].data())
                    };
                    let op = operation(commutative);
                    async move {
                        let shared = algorithm == Scan::Shared;
                        let scan = |fast_path: &FastPath| {
                            fast_path.scan(
                                own.as_ref().map(|own| into.like(own.base())),
                                &into,
                                &op,
                                exclusive,
                            )
                        };
                        if net.attempt(shared, scan) {
                            Ok(())
                        } else if exclusive {
                            exscan_by(&net, algorithm, own, into, op).await
                        } else {
                            scan_by(&net, algorithm, own, into, op).await
                        }
                    }
                });
                results.into_iter().for_each(|result| result.unwrap());
                let what = (
                    algorithm,
                    exclusive,
                    size,
                    count,
                    commutative,
                    in_place,
                    seed,
                );
                for rank in 0..size {
                    let end = if exclusive { rank } else { rank + 1 };
                    let result = if in_place { &send[rank] } else { &recv[rank] };
                    let untouched = if in_place {
                        elements(rank, count)
                    } else {
                        vec![None; count]
                    };
                    let expected = (0..count)
                        .map(|index| combined(commutative, 0..end, index).or(untouched[index]))
                        .collect::<Vec<_>>();
                    result.expect(&expected, &what);
                }
            }
        },
    );
}

#[test]
fn reduce_scatter_block_takes_one_count() {
    let datatype = &datatypes()[0];
    let send: Vec<Buffer> = (0..6)
        .map(|rank| Buffer::of(datatype, &elements(rank, 12)))
        .collect();
    let recv: Vec<Buffer> = (0..6).map(|_| Buffer::empty(datatype, 2)).collect();
    let (results, _) = simulate(6, 1, |net| {
        let (own, into) = (send[net.rank()].data(), recv[net.rank()].data());
        async move { reduce_scatter(&net, Some(own), into, Counts::Even(2), operation(true)).await }
    });
    results.into_iter().for_each(|result| result.unwrap());
    for (rank, recv) in recv.iter().enumerate() {
        let expected = [2 * rank, 2 * rank + 1].map(|index| combined(true, 0..6, index));
        recv.expect(&expected, &rank);
    }
}

/// Of two ranks one has given all its exchange buffers away: both still think of the same passes.
#[test]
fn two_ranks_reduce_though_one_has_no_exchange_buffers() {
    let datatype = &datatypes()[0];
    let counts = [17, 32, 33, 64, 256, 257, 600];
    for (seed, count) in (0..9).flat_map(|seed| counts.map(|count| (2 * seed, count))) {
        let (results, _) = simulate(2, seed, |net| async move {
            let (rank, op) = (net.rank(), operation(false));
            for _ in 0..5 {
                let given = Buffer::empty(datatype, 20);
                bcast_by(&net, Bcast::Shared, given.data(), 0).await?;
            }
            if rank == 0 {
                assert_eq!(net.coll_segment().unwrap().exchange_buffers_here(), 0);
            }
            let own = Buffer::of(datatype, &elements(rank, 2 * count));
            let expected = |elements: std::ops::Range<usize>| {
                let all = elements.map(|index| combined(false, 0..2, index));
                all.collect::<Vec<_>>()
            };
            let all = Buffer::empty(datatype, 2 * count);
            let send = Some(own.data());
            allreduce_by(&net, Allreduce::Shared, send, all.data(), op.clone()).await?;
            all.expect(&expected(0..2 * count), &(seed, count));

            let block = Buffer::empty(datatype, count);
            let (algorithm, counts) = (ReduceScatter::Shared, Counts::Even(count as u64));
            let send = Some(own.data());
            reduce_scatter_by(&net, algorithm, send, block.data(), counts, op.clone()).await?;
            block.expect(
                &expected(rank * count..(rank + 1) * count),
                &(seed, count, rank),
            );

            let all = Buffer::empty(datatype, 2 * count);
            let into = (rank == 1).then(|| all.data());
            reduce_by(&net, Reduce::Shared, Some(own.data()), into, op, 1).await?;
            if rank == 1 {
                all.expect(&expected(0..2 * count), &(seed, count));
            }
            Ok::<_, crate::error::Error>(())
        });
        results.into_iter().for_each(|result| result.unwrap());
    }
}

//! Message counts and depths on many ranks: what each algorithm's file promises.

use super::super::sim::{Cost, SimNet, simulate};
use super::super::*;
use super::*;

/// Runs a collective of one element (or block) per rank, without looking at the data.
fn cost<F: Future<Output = crate::error::Result<()>>>(
    size: usize,
    count: usize,
    call: impl Fn(SimNet, Data, Data) -> F,
) -> Cost {
    let datatype = &datatypes()[0];
    let buffers: Vec<[Buffer; 2]> = (0..size)
        .map(|_| [0, 1].map(|_| Buffer::empty(datatype, count)))
        .collect();
    let (results, cost) = simulate(size, 0, |net| {
        let [send, recv] = &buffers[net.rank()];
        let (send, recv) = (send.data(), recv.data());
        call(net, send, recv)
    });
    results.into_iter().for_each(|result| result.unwrap());
    cost
}

fn blocks(data: &Data) -> Blocks {
    Blocks::even(data.base(), 1, data.datatype.clone())
}

#[test]
fn short_collectives_are_as_deep_as_the_logarithm() {
    for size in [256usize, 1000, 1024, 4096] {
        let rounds = usize::BITS - (size - 1).leading_zeros();
        let barrier = cost(size, 0, |net, _, _| async move { barrier(&net).await });
        assert_eq!(
            (barrier.depth, barrier.messages),
            (rounds, size * rounds as usize)
        );

        let bcast = cost(size, 1, |net, data, _| async move {
            bcast_by(&net, Bcast::Binomial, data, 77).await
        });
        // A rank is as deep in the tree as its number has ones.
        let tree = (0..size).map(usize::count_ones).max().unwrap();
        assert_eq!((bcast.depth, bcast.messages), (tree, size - 1));

        let reduce = cost(size, 1, |net, own, into| async move {
            let into = (net.rank() == 5).then_some(into);
            reduce_by(&net, Reduce::Binomial, Some(own), into, operation(true), 5).await
        });
        assert_eq!((reduce.depth, reduce.messages), (tree, size - 1));

        let allreduce = cost(size, 1, |net, own, into| async move {
            let algorithm = Allreduce::RecursiveDoubling;
            allreduce_by(&net, algorithm, Some(own), into, operation(false)).await
        });
        let surplus = if size.is_power_of_two() { 0 } else { 1 };
        assert_eq!(allreduce.depth, size.ilog2() + 2 * surplus);

        let scan = cost(size, 1, |net, own, into| async move {
            scan(&net, Some(own), into, operation(false)).await
        });
        assert!((rounds - 1..=rounds).contains(&scan.depth), "{scan:?}");
    }
}

#[test]
fn block_collectives_keep_their_message_counts() {
    let size = 512;
    let gather = cost(size, size, |net, own, into| async move {
        let into = (net.rank() == 3).then(|| blocks(&into));
        gather_by(&net, Gather::Binomial, Some(own.part(0, 1)), into, 3).await
    });
    assert_eq!((gather.depth, gather.messages), (9, size - 1));

    let scatter = cost(size, size, |net, own, into| async move {
        let from = (net.rank() == 3).then(|| blocks(&own));
        scatter_by(&net, Scatter::Binomial, from, Some(into.part(0, 1)), 3).await
    });
    assert_eq!((scatter.depth, scatter.messages), (9, size - 1));

    for algorithm in [Allgather::Bruck, Allgather::RecursiveDoubling] {
        let allgather = cost(size, size, |net, own, into| async move {
            allgather_by(&net, algorithm, Some(own.part(0, 1)), blocks(&into)).await
        });
        assert_eq!(
            (allgather.depth, allgather.messages),
            (9, 9 * size),
            "{algorithm:?}"
        );
        assert_eq!(
            allgather.bytes,
            8 * (size * (size - 1)) as u64,
            "{algorithm:?}"
        );
    }
    let alltoall = cost(size, size, |net, own, into| async move {
        alltoall_by(&net, Alltoall::Bruck, Some(blocks(&own)), blocks(&into)).await
    });
    assert_eq!((alltoall.depth, alltoall.messages), (9, 9 * size));

    let halving = cost(size, size, |net, own, into| async move {
        let (algorithm, into) = (ReduceScatter::RecursiveHalving, into.part(0, 1));
        reduce_scatter_by(
            &net,
            algorithm,
            Some(own),
            into,
            Counts::Even(1),
            operation(true),
        )
        .await
    });
    assert_eq!((halving.depth, halving.messages), (9, 9 * size));
}

#[test]
fn long_collectives_move_each_byte_about_twice() {
    let (size, count) = (64, 6400);
    let whole = 8 * count as u64;
    for algorithm in [Allreduce::Ring, Allreduce::Rabenseifner] {
        let allreduce = cost(size, count, |net, own, into| async move {
            allreduce_by(&net, algorithm, Some(own), into, operation(true)).await
        });
        assert_eq!(
            allreduce.bytes,
            2 * whole * (size as u64 - 1),
            "{algorithm:?}"
        );
    }
    let bcast = cost(size, count, |net, data, _| async move {
        bcast_by(&net, Bcast::ScatterAllgather, data, 0).await
    });
    assert!(bcast.bytes < 2 * whole * size as u64, "{bcast:?}");
    let chain = cost(size, count, |net, data, _| async move {
        bcast_by(&net, Bcast::Chain, data, 0).await
    });
    assert_eq!(chain.bytes, whole * (size as u64 - 1));
}

//! The barrier, errors, and the simulator itself.

use std::cell::Cell;

use super::super::select::{self, Algorithm, Groups, Rule, Shape};
use super::super::sim::{simulate, simulate_on};
use super::super::*;
use super::*;
use crate::error::class;

#[test]
fn no_rank_leaves_the_barrier_before_all_have_entered() {
    let algorithms = Barrier::ALL.iter().map(|(_, algorithm)| *algorithm);
    for (size, algorithm) in algorithms.flat_map(|a| SIZES.map(|size| (size, a))) {
        for seed in 0..20 {
            let entered = Cell::new(0);
            let entered = &entered;
            let nodes = nodes_for(algorithm, size, seed);
            if algorithm == Barrier::Hierarchical && groups(&nodes) == Groups::None {
                continue;
            }
            let (results, _) = simulate_on(&nodes, seed, |net| async move {
                entered.set(entered.get() + 1);
                let shared = algorithm == Barrier::Shared;
                if !net.attempt(shared, |fast_path| fast_path.barrier()) {
                    barrier_by(&net, algorithm).await.unwrap();
                }
                entered.get()
            });
            assert_eq!(results, vec![size; size], "{algorithm:?}, seed {seed}");
        }
    }
}

#[test]
fn a_rank_that_stays_away_is_noticed() {
    for (_, algorithm) in Barrier::ALL {
        // Two pairs of ranks, where groups are needed.
        let nodes = nodes_for(*algorithm, 4, 1);
        let run = || {
            simulate_on(&nodes, 1, |net| async move {
                if net.rank() != 2 {
                    barrier_by(&net, *algorithm).await.unwrap();
                }
            })
        };
        let panic = std::panic::catch_unwind(run).expect_err("three ranks wait for ever");
        let text = panic.downcast_ref::<String>().unwrap();
        assert!(text.contains("rank 1 of 4 is"), "{text}");
        assert!(!text.contains("rank 2 of 4 is"), "{text}");
    }
}

#[test]
fn another_size_is_an_error_there_and_holds_nobody_up() {
    let datatype = &datatypes()[0];
    for (_, algorithm) in Bcast::ALL {
        for (count, expected) in [(9, class::TRUNCATE), (15, class::OTHER)] {
            let data: Vec<Buffer> = (0..6)
                .map(|rank| Buffer::empty(datatype, if rank == 2 { count } else { 12 }))
                .collect();
            let nodes = nodes_for(*algorithm, 6, 3);
            let (results, _) = simulate_on(&nodes, 3, |net| {
                let data = data[net.rank()].data();
                async move {
                    match net.attempt(*algorithm == Bcast::Shared, |fast_path| {
                        fast_path.bcast(&data, 0)
                    }) {
                        true => Ok(()),
                        false => bcast_by(&net, *algorithm, data, 0).await,
                    }
                }
            });
            let codes = results
                .iter()
                .filter_map(|result| result.as_ref().err())
                .map(|error| error.code());
            let codes: Vec<i32> = codes.collect();
            assert!(codes.contains(&expected), "{algorithm:?}: {codes:?}");
        }
    }
}

#[test]
fn an_error_reaches_all_who_depend_on_it() {
    let datatype = &datatypes()[0];
    // In the binomial tree of 8 ranks, 4 passes the data on to 5, 6 and, through that, 7.
    let data: Vec<Buffer> = (0..8)
        .map(|rank| Buffer::empty(datatype, if rank == 4 { 9 } else { 12 }))
        .collect();
    let (results, _) = simulate(8, 3, |net| {
        let data = data[net.rank()].data();
        async move { bcast_by(&net, Bcast::Binomial, data, 0).await }
    });
    let failed = (0..8).filter(|rank| results[*rank].is_err());
    assert_eq!(failed.collect::<Vec<_>>(), [4, 5, 6, 7]);
}

/// Some rule holds for every shape, and each algorithm can be chosen by its name.
fn complete<A: Algorithm>(rules: &[Rule<A>]) {
    for size in [1, 2, 3, 4, 64, 100, 5000] {
        for bytes in [0, 1, 1 << 10, 1 << 20, 1 << 40] {
            for count in [0, 1, bytes] {
                for (commutative, even) in [(true, true), (true, false), (false, true)] {
                    for (shared, crowded) in [(false, false), (true, false), (true, true)] {
                        for groups in [Groups::None, Groups::InOrder, Groups::Mixed] {
                            let shape = Shape {
                                size,
                                bytes,
                                count,
                                commutative,
                                even,
                                shared,
                                crowded,
                                groups,
                            };
                            assert!(select::pick(rules, &shape).fits(&shape));
                        }
                    }
                }
            }
        }
    }
    for (name, algorithm) in A::ALL {
        assert_eq!(select::by_name(name), Some(*algorithm));
    }
    assert_eq!(select::by_name::<A>("none such"), None);
}

#[test]
fn the_table_has_a_rule_for_every_shape() {
    complete(allgather::RULES);
    complete(allreduce::RULES);
    complete(alltoall::RULES);
    complete(barrier::RULES);
    complete(bcast::RULES);
    complete(gather::RULES);
    complete(gather::RULES_V);
    complete(reduce::RULES);
    complete(reduce_scatter::RULES);
    complete(scan::RULES);
    complete(scatter::RULES);
    complete(scatter::RULES_V);
}

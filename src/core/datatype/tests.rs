//! Datatypes against a naive type map, on random types, and the standard's own examples.

use std::rc::Rc;

use proptest::prelude::*;

use super::basic::{self, Basic, Layout};
use super::contents::Decoded;
use super::*;
use crate::error::class;
use crate::handle::Handle as _;
use crate::types::{ArrayOrder, Combiner, Distribution, DistributionArg, TypeClass};

fn named(number: Datatype) -> Rc<Type> {
    Type::predefined(number).unwrap()
}

/// A type as a person would write it down.
#[derive(Clone, Debug)]
enum Recipe {
    Named(Datatype),
    Contiguous(i64, Box<Recipe>),
    Vector(i64, i64, i64, Box<Recipe>),
    Hvector(i64, i64, i64, Box<Recipe>),
    Indexed(Vec<(i64, i64)>, Box<Recipe>),
    Hindexed(Vec<(i64, i64)>, Box<Recipe>),
    IndexedBlock(i64, Vec<i64>, Box<Recipe>),
    HindexedBlock(i64, Vec<i64>, Box<Recipe>),
    Struct(Vec<(i64, i64, Recipe)>),
    Resized(i64, i64, Box<Recipe>),
    /// (size, subsize, start) of each dimension.
    Subarray(Vec<(i64, i64, i64)>, bool, Box<Recipe>),
    /// (gsize, distribution, argument, psize) of each dimension, and the rank.
    Darray(
        Vec<(i64, Distribution, DistributionArg, i32)>,
        i32,
        bool,
        Box<Recipe>,
    ),
    Dup(Box<Recipe>),
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Data(Basic),
    Low,
    High,
    /// Where a struct's padding ends.
    Pad,
}

/// A type map: displacements and what is there, in order.
type Map = Vec<(i64, Entry)>;

fn bounds(map: &Map) -> (i64, i64) {
    let of = |wanted: fn(&Entry) -> bool| {
        map.iter()
            .filter(move |entry| wanted(&entry.1))
            .map(|entry| entry.0)
    };
    let ends = map.iter().filter_map(|(at, entry)| match entry {
        Entry::Data(basic) => Some(at + i64::from(basic.size)),
        Entry::Pad => Some(*at),
        _ => None,
    });
    let low = of(|entry| matches!(entry, Entry::Low)).min();
    let high = of(|entry| matches!(entry, Entry::High)).max();
    let data = of(|entry| matches!(entry, Entry::Data(_))).min();
    (low.or(data).unwrap_or(0), high.or(ends.max()).unwrap_or(0))
}

fn moved(map: &Map, by: i64) -> Map {
    map.iter().map(|(at, entry)| (at + by, *entry)).collect()
}

fn repeat(map: &Map, count: i64, stride: i64) -> Map {
    (0..count).flat_map(|i| moved(map, i * stride)).collect()
}

fn extent(map: &Map) -> i64 {
    let (lb, ub) = bounds(map);
    ub - lb
}

fn resized_map(map: Map, lb: i64, extent: i64) -> Map {
    let data = map
        .into_iter()
        .filter(|entry| !matches!(entry.1, Entry::Low | Entry::High));
    data.chain([(lb, Entry::Low), (lb + extent, Entry::High)])
        .collect()
}

/// All index vectors of a box, the last dimension fastest or the first.
fn indices(shape: &[Vec<i64>], c_order: bool) -> Vec<Vec<i64>> {
    let mut all = vec![vec![0; shape.len()]];
    let dims: Vec<usize> = if c_order {
        (0..shape.len()).collect()
    } else {
        (0..shape.len()).rev().collect()
    };
    for dim in dims {
        all = all
            .into_iter()
            .flat_map(|index| {
                shape[dim].iter().map(move |value| {
                    let mut index = index.clone();
                    index[dim] = *value;
                    index
                })
            })
            .collect();
    }
    all
}

fn array_map(sizes: &[i64], mine: &[Vec<i64>], c_order: bool, old: &Map) -> Map {
    let step = extent(old);
    let place = |index: &Vec<i64>| -> i64 {
        let dims: Vec<usize> = if c_order {
            (0..sizes.len()).collect()
        } else {
            (0..sizes.len()).rev().collect()
        };
        dims.iter()
            .fold(0, |sum, dim| sum * sizes[*dim] + index[*dim])
    };
    let map = indices(mine, c_order)
        .iter()
        .flat_map(|index| moved(old, place(index) * step))
        .collect();
    resized_map(map, 0, sizes.iter().product::<i64>() * step)
}

impl Recipe {
    fn map(&self) -> Map {
        match self {
            Recipe::Named(number) => match named(*number).layout().unwrap() {
                Layout::One(basic) => vec![(0, Entry::Data(basic))],
                Layout::Pair(a, b) => {
                    let align = i64::from(a.align.max(b.align));
                    let second = i64::from(a.size.max(b.align));
                    let end = second + i64::from(b.size);
                    vec![
                        (0, Entry::Data(a)),
                        (second, Entry::Data(b)),
                        ((end + align - 1) / align * align, Entry::Pad),
                    ]
                }
                Layout::LowerMark => vec![(0, Entry::Low)],
                Layout::UpperMark => vec![(0, Entry::High)],
            },
            Recipe::Contiguous(count, old) => {
                let old = old.map();
                repeat(&old, *count, extent(&old))
            }
            Recipe::Vector(count, length, stride, old) => {
                let old = old.map();
                let block = repeat(&old, *length, extent(&old));
                repeat(&block, *count, stride * extent(&old))
            }
            Recipe::Hvector(count, length, stride, old) => {
                let old = old.map();
                repeat(&repeat(&old, *length, extent(&old)), *count, *stride)
            }
            Recipe::Indexed(blocks, old) => {
                let old = old.map();
                let step = extent(&old);
                let block =
                    |(length, at): &(i64, i64)| moved(&repeat(&old, *length, step), at * step);
                blocks.iter().flat_map(block).collect()
            }
            Recipe::Hindexed(blocks, old) => {
                let old = old.map();
                let block =
                    |(length, at): &(i64, i64)| moved(&repeat(&old, *length, extent(&old)), *at);
                blocks.iter().flat_map(block).collect()
            }
            Recipe::IndexedBlock(length, starts, old) => {
                let blocks = starts.iter().map(|at| (*length, *at)).collect();
                Recipe::Indexed(blocks, old.clone()).map()
            }
            Recipe::HindexedBlock(length, starts, old) => {
                let blocks = starts.iter().map(|at| (*length, *at)).collect();
                Recipe::Hindexed(blocks, old.clone()).map()
            }
            Recipe::Struct(members) => {
                let mut map = Map::new();
                for (length, at, old) in members {
                    let old = old.map();
                    map.extend(moved(&repeat(&old, *length, extent(&old)), *at));
                }
                let align = map.iter().filter_map(|(_, entry)| match entry {
                    Entry::Data(basic) => Some(i64::from(basic.align)),
                    _ => None,
                });
                let align = align.max().unwrap_or(1);
                let (lb, ub) = bounds(&map);
                let marked = map.iter().any(|entry| matches!(entry.1, Entry::High));
                if !marked && map.iter().any(|entry| matches!(entry.1, Entry::Data(_))) {
                    let end = lb + (ub - lb + align - 1).div_euclid(align) * align;
                    map.push((end, Entry::Pad));
                }
                map
            }
            Recipe::Resized(lb, extent, old) => resized_map(old.map(), *lb, *extent),
            Recipe::Subarray(dims, c_order, old) => {
                let sizes: Vec<i64> = dims.iter().map(|dim| dim.0).collect();
                let mine: Vec<Vec<i64>> = dims
                    .iter()
                    .map(|dim| (dim.2..dim.2 + dim.1).collect())
                    .collect();
                array_map(&sizes, &mine, *c_order, &old.map())
            }
            Recipe::Darray(dims, rank, c_order, old) => {
                let sizes: Vec<i64> = dims.iter().map(|dim| dim.0).collect();
                let mut rest = *rank;
                let mut mine = vec![Vec::new(); dims.len()];
                for dim in (0..dims.len()).rev() {
                    let (size, _, _, processes) = dims[dim];
                    let coordinate = i64::from(rest % processes);
                    rest /= processes;
                    let block = block_of(dims[dim]);
                    mine[dim] = (0..size)
                        .filter(|i| i / block % i64::from(processes) == coordinate)
                        .collect();
                }
                array_map(&sizes, &mine, *c_order, &old.map())
            }
            Recipe::Dup(old) => old.map(),
        }
    }

    fn build(&self) -> Rc<Type> {
        let split =
            |blocks: &[(i64, i64)]| -> (Vec<i64>, Vec<i64>) { blocks.iter().copied().unzip() };
        let order = |c_order: &bool| {
            if *c_order {
                ArrayOrder::C
            } else {
                ArrayOrder::FORTRAN
            }
        };
        let built = match self {
            Recipe::Named(number) => return named(*number),
            Recipe::Contiguous(count, old) => contiguous(*count, &old.build()),
            Recipe::Vector(count, length, stride, old) => {
                vector(*count, *length, *stride, &old.build())
            }
            Recipe::Hvector(count, length, stride, old) => {
                hvector(*count, *length, *stride, &old.build())
            }
            Recipe::Indexed(blocks, old) => {
                let (lengths, starts) = split(blocks);
                indexed(blocks.len() as i64, &lengths, &starts, &old.build())
            }
            Recipe::Hindexed(blocks, old) => {
                let (lengths, starts) = split(blocks);
                hindexed(blocks.len() as i64, &lengths, &starts, &old.build())
            }
            Recipe::IndexedBlock(length, starts, old) => {
                indexed_block(starts.len() as i64, *length, starts, &old.build())
            }
            Recipe::HindexedBlock(length, starts, old) => {
                hindexed_block(starts.len() as i64, *length, starts, &old.build())
            }
            Recipe::Struct(members) => {
                let lengths: Vec<i64> = members.iter().map(|member| member.0).collect();
                let starts: Vec<i64> = members.iter().map(|member| member.1).collect();
                let types: Vec<Rc<Type>> = members.iter().map(|member| member.2.build()).collect();
                structure(members.len() as i64, &lengths, &starts, &types)
            }
            Recipe::Resized(lb, extent, old) => resized(&old.build(), *lb, *extent),
            Recipe::Subarray(dims, c_order, old) => {
                let column = |pick: fn(&(i64, i64, i64)) -> i64| -> Vec<i64> {
                    dims.iter().map(pick).collect()
                };
                subarray(
                    dims.len() as i32,
                    &column(|dim| dim.0),
                    &column(|dim| dim.1),
                    &column(|dim| dim.2),
                    order(c_order),
                    &old.build(),
                )
            }
            Recipe::Darray(dims, rank, c_order, old) => darray(
                dims.iter().map(|dim| dim.3).product(),
                *rank,
                dims.len() as i32,
                &dims.iter().map(|dim| dim.0).collect::<Vec<_>>(),
                &dims.iter().map(|dim| dim.1).collect::<Vec<_>>(),
                &dims.iter().map(|dim| dim.2).collect::<Vec<_>>(),
                &dims.iter().map(|dim| dim.3).collect::<Vec<_>>(),
                order(c_order),
                &old.build(),
            ),
            Recipe::Dup(old) => Ok(dup(&old.build())),
        };
        Rc::new(built.unwrap())
    }
}

/// Indices in a row that one process gets of a darray's dimension.
fn block_of((size, kind, argument, processes): (i64, Distribution, DistributionArg, i32)) -> i64 {
    match (kind, argument) {
        (Distribution::NONE, _) => size,
        (Distribution::BLOCK, DistributionArg::Default) => {
            (size + i64::from(processes) - 1) / i64::from(processes)
        }
        (_, DistributionArg::Default) => 1,
        (_, DistributionArg::Size(block)) => i64::from(block),
    }
}

fn darray_dimension() -> impl Strategy<Value = (i64, Distribution, DistributionArg, i32)> {
    let kinds = prop::sample::select(vec![
        Distribution::NONE,
        Distribution::BLOCK,
        Distribution::CYCLIC,
    ]);
    (1i64..8, kinds, 0i32..4, 1i32..4).prop_map(|(size, kind, argument, processes)| {
        let default = DistributionArg::Default;
        match kind {
            Distribution::NONE => (size, kind, default, 1),
            Distribution::BLOCK if argument == 0 => (size, kind, default, processes),
            Distribution::BLOCK => {
                let least = (size as i32 - 1) / processes + 1;
                (
                    size,
                    kind,
                    DistributionArg::Size(least + argument - 1),
                    processes,
                )
            }
            _ if argument == 0 => (size, kind, default, processes),
            _ => (size, kind, DistributionArg::Size(argument), processes),
        }
    })
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let leaf = prop::sample::select(vec![
        basic::MPI_INT,
        basic::MPI_DOUBLE,
        basic::MPI_CHAR,
        basic::MPI_SHORT,
        basic::MPI_DOUBLE_INT,
        basic::MPI_SHORT_INT,
        basic::MPI_LONG_DOUBLE,
        basic::MPI_C_DOUBLE_COMPLEX,
        basic::MPI_LB,
        basic::MPI_UB,
    ])
    .prop_map(Recipe::Named);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let old = || inner.clone().prop_map(Box::new);
        let blocks = || prop::collection::vec((0i64..4, -6i64..12), 0..6);
        let starts = || prop::collection::vec(-9i64..20, 0..6);
        let subarray_dimension = (1i64..5, 0i64..5, 0i64..5).prop_map(|(size, a, b)| {
            let subsize = 1 + a % size;
            (size, subsize, b % (size - subsize + 1))
        });
        prop_oneof![
            (0i64..5, old()).prop_map(|(n, t)| Recipe::Contiguous(n, t)),
            (0i64..5, 0i64..4, -5i64..6, old()).prop_map(|(n, b, s, t)| Recipe::Vector(n, b, s, t)),
            (0i64..5, 0i64..4, -40i64..41, old())
                .prop_map(|(n, b, s, t)| Recipe::Hvector(n, b, s, t)),
            (blocks(), old()).prop_map(|(b, t)| Recipe::Indexed(b, t)),
            (blocks(), old()).prop_map(|(b, t)| Recipe::Hindexed(b, t)),
            (0i64..4, starts(), old()).prop_map(|(n, s, t)| Recipe::IndexedBlock(n, s, t)),
            (0i64..4, starts(), old()).prop_map(|(n, s, t)| Recipe::HindexedBlock(n, s, t)),
            prop::collection::vec((0i64..3, -9i64..40, inner.clone()), 0..4)
                .prop_map(Recipe::Struct),
            (-20i64..20, -40i64..60, old()).prop_map(|(lb, e, t)| Recipe::Resized(lb, e, t)),
            (
                prop::collection::vec(subarray_dimension, 1..4),
                any::<bool>(),
                old()
            )
                .prop_map(|(dims, c, t)| Recipe::Subarray(dims, c, t)),
            (
                prop::collection::vec(darray_dimension(), 1..3),
                any::<u16>(),
                any::<bool>(),
                old()
            )
                .prop_map(|(dims, rank, c, t)| {
                    let size: i32 = dims.iter().map(|dim| dim.3).product();
                    Recipe::Darray(dims, i32::from(rank) % size, c, t)
                }),
            old().prop_map(Recipe::Dup),
        ]
    })
}

/// The bytes of `count` elements, as (displacement, length) in packed order.
fn walk_map(map: &Map, count: u64) -> Vec<(i64, usize)> {
    repeat(map, count as i64, extent(map))
        .into_iter()
        .filter_map(|(at, entry)| match entry {
            Entry::Data(basic) => Some((at, usize::from(basic.size))),
            _ => None,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 8 } else { 1500 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_types_agree_with_their_type_maps(
        recipe in recipe(),
        count in 0u64..7,
        cuts in prop::collection::vec(any::<u16>(), 0..6),
        seed in any::<u8>(),
    ) {
        let map = recipe.map();
        prop_assume!(map.len() < 4000);
        let datatype = recipe.build();
        let (lb, ub) = bounds(&map);
        let one = walk_map(&map, 1);
        prop_assert_eq!(datatype.size(), one.iter().map(|piece| piece.1 as u64).sum::<u64>());
        prop_assert_eq!((datatype.lb(), datatype.extent()), (lb, ub - lb));
        let low = one.iter().map(|piece| piece.0).min().unwrap_or(0);
        let high = one.iter().map(|piece| piece.0 + piece.1 as i64).max().unwrap_or(0);
        prop_assert_eq!((datatype.true_lb(), datatype.true_extent()), (low, high - low));

        let pieces = walk_map(&map, count);
        let low = pieces.iter().map(|piece| piece.0).min().unwrap_or(0);
        let high = pieces.iter().map(|piece| piece.0 + piece.1 as i64).max().unwrap_or(0);
        let span = datatype.span(count).unwrap();
        prop_assert_eq!((span.low, span.high), (low, high));

        let mut memory: Vec<u8> =
            (0..(high - low) as usize).map(|i| (i as u8).wrapping_mul(31) ^ seed).collect();
        let expected: Vec<u8> = pieces
            .iter()
            .flat_map(|(at, length)| memory[(at - low) as usize..][..*length].to_vec())
            .collect();
        let data = |memory: &mut [u8]| {
            Data::tested(memory.as_mut_ptr().wrapping_offset(-low as isize), count, datatype.clone())
        };

        // Whole, and in pieces cut anywhere.
        let mut packed = vec![0; expected.len()];
        prop_assert_eq!(data(&mut memory).bytes(), expected.len() as u64);
        prop_assert_eq!(data(&mut memory).pack(0, &mut packed), expected.len());
        prop_assert_eq!(&packed, &expected);
        let mut ends: Vec<usize> =
            cuts.iter().map(|cut| usize::from(*cut) % (expected.len() + 1)).collect();
        ends.push(expected.len());
        ends.sort();
        packed.fill(0);
        let whole = data(&mut memory);
        let mut start = 0;
        for end in &ends {
            let part = &mut packed[start..*end];
            prop_assert_eq!(whole.pack_shared(start as u64, part), end - start);
            start = *end;
        }
        prop_assert_eq!(&packed, &expected);

        // And back; where a type map overlaps itself the later entry wins.
        let mut fresh = vec![0; memory.len()];
        let mut wanted = fresh.clone();
        let mut position = 0;
        for (at, length) in &pieces {
            wanted[(at - low) as usize..][..*length]
                .copy_from_slice(&expected[position..position + length]);
            position += length;
        }
        let whole = data(&mut fresh);
        let mut start = 0;
        for end in &ends {
            let part = &expected[start..*end];
            prop_assert_eq!(whole.unpack(start as u64, part), end - start);
            start = *end;
        }
        prop_assert_eq!(&fresh, &wanted);

        // Typed copies between a strange layout and another.
        let mut copy = vec![0; memory.len()];
        let copied = data(&mut memory).copy_to(&data(&mut copy));
        prop_assert_eq!(copied, expected.len() as u64);
        prop_assert_eq!(&copy, &wanted);

        // Basic elements.
        let sizes: Vec<u64> = one.iter().map(|piece| piece.1 as u64).collect();
        prop_assert_eq!(datatype.signature().elements(), sizes.len() as u64);
        for cut in cuts {
            let bytes = u64::from(cut) % (datatype.size() + 1);
            let (mut whole, mut rest) = (0, bytes);
            for size in &sizes {
                if rest < *size {
                    break;
                }
                rest -= size;
                whole += 1;
            }
            prop_assert_eq!(datatype.signature().elements_in(bytes), (whole, rest));
            let sum: u64 = sizes.iter().take(whole as usize).sum();
            prop_assert_eq!(datatype.signature().bytes_of(whole), Some(sum));
        }
    }
}

#[test]
fn the_standards_struct_example() {
    // MPI-5.0, example 5.1: {(double, 0), (char, 8)} has extent 16, padded to the double's alignment.
    let types = [named(basic::MPI_DOUBLE), named(basic::MPI_CHAR)];
    let example = structure(2, &[1, 1], &[0, 8], &types).unwrap();
    assert_eq!((example.size(), example.lb(), example.extent()), (9, 0, 16));
    assert_eq!((example.true_lb(), example.true_extent()), (0, 9));
    let pair = named(basic::MPI_LONG_DOUBLE_INT);
    assert_eq!((pair.size(), pair.extent()), (20, 32));
    let pair = named(basic::MPI_SHORT_INT);
    assert_eq!(
        (pair.size(), pair.extent(), pair.is_contiguous()),
        (6, 8, false)
    );
}

#[test]
fn regular_types_become_one_block_or_one_loop() {
    let double = named(basic::MPI_DOUBLE);
    let row = Rc::new(contiguous(1000, &double).unwrap());
    assert!(row.is_contiguous());
    let tight = Rc::new(vector(10, 3, 3, &double).unwrap());
    assert!(tight.is_contiguous());
    let column = Rc::new(vector(1000, 1, 1000, &double).unwrap());
    assert!(matches!(
        *column.program().node,
        program::Node::Strided {
            count: 1000,
            stride: 8000,
            bytes: 8
        }
    ));
    let listed = indexed_block(4, 2, &[0, 4, 8, 12], &double).unwrap();
    assert!(matches!(
        *listed.program().node,
        program::Node::Strided {
            count: 4,
            stride: 32,
            bytes: 16
        }
    ));
    let plane = subarray(
        3,
        &[8, 8, 8],
        &[8, 8, 1],
        &[0, 0, 3],
        ArrayOrder::C,
        &double,
    )
    .unwrap();
    assert!(matches!(
        *plane.program().node,
        program::Node::Strided {
            count: 64,
            stride: 64,
            bytes: 8
        }
    ));
}

#[test]
fn huge_types_cost_nothing_until_they_are_copied() {
    let byte = named(basic::MPI_BYTE);
    let giant = Rc::new(contiguous(1 << 40, &byte).unwrap());
    let more = Rc::new(vector(1 << 10, 1, 2, &giant).unwrap());
    assert_eq!(more.size(), 1 << 50);
    assert_eq!(more.extent(), (1 << 51) - (1 << 40));
    assert_eq!(more.signature().elements_in(5 << 40).0, 5 << 40);
    let error = contiguous(1 << 30, &more).unwrap_err();
    assert_eq!(error.code(), class::VALUE_TOO_LARGE);
    let far = hindexed(2, &[1, 1], &[i64::MIN, i64::MAX], &byte).unwrap_err();
    assert_eq!(far.code(), class::VALUE_TOO_LARGE);
}

/// What is copied as the C library does, what is too short for that, and what is not in one piece; to as much room, and to less.
#[test]
fn own_data_is_copied_whatever_its_length_and_layout() {
    let word = named(Datatype::INT);
    let strided = Rc::new(make::vector(1, 1, 2, &word).unwrap());
    let strided = Rc::new(resized(&strided, 0, 8).unwrap());
    for (kind, step) in [(&word, 1), (&strided, 2)] {
        for (count, room) in [
            (3, 3),
            (4095, 4095),
            (4096, 4096),
            (300_000, 300_000),
            (9000, 5000),
        ] {
            let mut from: Vec<i32> = (0..count * step).collect();
            let mut to = vec![-1; room as usize];
            let own = Data::tested(from.as_mut_ptr().cast(), count as u64, kind.clone());
            let into = Data::tested(to.as_mut_ptr().cast(), room as u64, word.clone());
            let copied = own.copy_own_to(&into);
            assert_eq!(copied, 4 * count.min(room) as u64);
            assert!((0..room).all(|at| to[at as usize] == at * step));
        }
    }
}

/// Pieces of a message come to their places, and never more than there is room for.
#[test]
fn pieces_arrive_whatever_the_layout() {
    let word = named(Datatype::INT);
    let strided = Rc::new(make::vector(1, 1, 2, &word).unwrap());
    let strided = Rc::new(resized(&strided, 0, 8).unwrap());
    let message: Vec<u8> = (0..40_000).map(|at| (at % 251) as u8 | 1).collect();
    for (kind, step) in [(&word, 1), (&strided, 2)] {
        for (room, position, length) in [
            (10_000, 0, 40_000),
            (10_000, 8, 16_384),
            (10_000, 36_000, 4000),
            (5000, 12_000, 16_384),
        ] {
            let mut to = vec![0; room * step];
            let into = Data::tested(to.as_mut_ptr().cast(), room as u64, kind.clone());
            let piece = &message[position..][..length];
            let there = length.min(4 * room - position);
            let copied = into.unpack_piece(position as u64, piece);
            assert_eq!(copied, there);
            let found = to.iter().step_by(step).copied().flat_map(i32::to_ne_bytes);
            let wanted = |at: usize| match at {
                at if at < position || at >= position + there => 0,
                at => message[at],
            };
            assert!(found.enumerate().all(|(at, byte)| byte == wanted(at)));
        }
    }
}

#[test]
fn absolute_addresses_start_from_null() {
    let mut values = [1i32, 2, 3];
    let at = values.as_mut_ptr().expose_provenance() as i64;
    let ends = Rc::new(hindexed(2, &[1, 1], &[at, at + 8], &named(basic::MPI_INT)).unwrap());
    let bottom = Data::tested(std::ptr::null_mut(), 1, ends);
    let mut packed = [0; 8];
    assert_eq!(bottom.pack(0, &mut packed), 8);
    assert_eq!(packed, [1, 0, 0, 0, 3, 0, 0, 0]);
    assert_eq!(bottom.unpack(4, &[9, 0, 0, 0]), 4);
    assert_eq!(values, [1, 2, 9]);
}

#[test]
fn contents_in_both_forms() {
    let int = named(basic::MPI_INT);
    let small = hindexed(2, &[1, 2], &[0, 40], &int).unwrap();
    let contents = small.contents().unwrap();
    assert_eq!(contents.combiner, Combiner::HINDEXED);
    assert_eq!(
        contents.decode(),
        Decoded {
            integers: [2, 1, 2].map(Argument::Count).to_vec(),
            addresses: vec![0, 40],
            large_counts: vec![],
        }
    );
    let large = vector(2, 1 << 33, 1 << 34, &int).unwrap();
    assert_eq!(
        large.contents().unwrap().decode(),
        Decoded {
            integers: vec![],
            addresses: vec![],
            large_counts: vec![2, 1 << 33, 1 << 34],
        }
    );
    assert!(int.contents().is_none());
}

#[test]
fn the_table_checks_handles_and_caches_unnamed_types() {
    let table = Table::new();
    let int = table.find(basic::MPI_INT).unwrap();
    assert_eq!((int.name().as_str(), int.size()), ("MPI_INT", 4));
    for wrong in [0u32, 0x200, 0x101, 0x211, 0x3ff, 0x8c00_0000, 0xffff_ffff] {
        assert_eq!(
            table.find(Datatype(wrong)).unwrap_err().code(),
            class::TYPE,
            "0x{wrong:x}"
        );
    }
    let handle = table.insert(contiguous(3, &int).unwrap()).unwrap();
    assert_eq!(table.find(handle).unwrap().handle(), handle);
    assert_eq!(
        table.find_committed(handle).unwrap_err().code(),
        class::TYPE
    );
    table.find(handle).unwrap().commit();
    let held = table.find_committed(handle).unwrap();
    assert!(table.free(handle).is_ok());
    assert_eq!(table.find(handle).unwrap_err().code(), class::TYPE);
    assert_eq!(held.size(), 12, "a pending operation keeps its type");
    assert_eq!(table.free(basic::MPI_INT).unwrap_err().code(), class::TYPE);

    let real = table.f90_real(6, 30).unwrap();
    assert_eq!(table.f90_real(6, 30).unwrap(), real);
    assert_ne!(table.f90_real(5, 30).unwrap(), real);
    assert_eq!(table.find(real).unwrap().size(), 4);
    assert_eq!(
        table
            .find(table.f90_real(15, crate::types::UNDEFINED).unwrap())
            .unwrap()
            .size(),
        8
    );
    assert!(table.free(real).is_err());
    assert_eq!(table.f90_real(40, 1).unwrap_err().code(), class::ARG);
    assert_eq!(table.find(table.f90_integer(9).unwrap()).unwrap().size(), 4);

    let eight = table.match_size(TypeClass::REAL, 8).unwrap();
    assert_eq!(eight, basic::MPI_REAL8);
    let error = table.match_size(TypeClass::INTEGER, 3).unwrap_err();
    assert_eq!(error.code(), class::ARG);

    let pair = table.value_index(basic::MPI_FLOAT, basic::MPI_INT).unwrap();
    assert_eq!(pair, basic::MPI_FLOAT_INT);
    let unnamed = table.value_index(basic::MPI_UINT8_T, basic::MPI_INT64_T);
    assert!(unnamed.unwrap().is_null());
    let error = table
        .value_index(Datatype::NULL, basic::MPI_INT)
        .unwrap_err();
    assert_eq!(error.code(), class::TYPE);
}

#[test]
fn bad_arguments_are_named() {
    let int = named(basic::MPI_INT);
    let cases = [
        (contiguous(-1, &int), class::COUNT, "count is -1"),
        (vector(1, -2, 1, &int), class::COUNT, "blocklength is -2"),
        (
            indexed(2, &[1, -3], &[0, 1], &int),
            class::ARG,
            "array_of_blocklengths[1] is -3",
        ),
        (
            subarray(1, &[4], &[2], &[3], ArrayOrder::C, &int),
            class::ARG,
            "array_of_starts[0] is 3",
        ),
        (
            subarray(1, &[4], &[5], &[0], ArrayOrder::C, &int),
            class::ARG,
            "array_of_subsizes[0] is 5",
        ),
        (
            subarray(0, &[], &[], &[], ArrayOrder::C, &int),
            class::ARG,
            "ndims is 0",
        ),
        (
            darray(
                4,
                4,
                1,
                &[8],
                &[Distribution::BLOCK],
                &[DistributionArg::Size(2)],
                &[4],
                ArrayOrder::C,
                &int,
            ),
            class::RANK,
            "rank is 4",
        ),
        (
            darray(
                4,
                0,
                1,
                &[9],
                &[Distribution::BLOCK],
                &[DistributionArg::Size(2)],
                &[4],
                ArrayOrder::C,
                &int,
            ),
            class::ARG,
            "array_of_dargs[0] is 2",
        ),
        (
            darray(
                4,
                0,
                1,
                &[9],
                &[Distribution::BLOCK],
                &[DistributionArg::Size(3)],
                &[3],
                ArrayOrder::C,
                &int,
            ),
            class::ARG,
            "multiply to 3",
        ),
    ];
    for (result, code, text) in cases {
        let error = result.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.what().contains(text), "{error}");
    }
}

#[test]
fn buffers_are_described_or_refused() {
    let int = named(basic::MPI_INT);
    let names = ("buf", "count");
    let mut value = [0i32; 4];
    let buf: *mut u8 = value.as_mut_ptr().cast();
    let refused = |buf: *mut u8, count, datatype: &Rc<Type>| {
        let error = Data::described(Base::tested(buf), count, datatype.clone(), names).unwrap_err();
        (error.code(), error.what().to_string())
    };
    let null = std::ptr::null_mut();
    assert!(Data::described(Base::tested(buf), 4, int.clone(), names).is_ok());
    assert!(Data::described(Base::tested(null), 0, int.clone(), names).is_ok());
    assert_eq!(refused(buf, -1, &int).0, class::COUNT);
    assert_eq!(refused(buf, i64::MAX / 2, &int).0, class::COUNT);
    // Elements that lie at one place have no end in memory, but there are too many bytes of them.
    let stacked = Rc::new(resized(&int, 0, 0).unwrap());
    for count in [i64::MAX / 2, 1 << 62, (1 << 62) + 1] {
        assert_eq!(refused(buf, count, &stacked).0, class::COUNT, "{count}");
    }
    let (code, text) = refused(null, 3, &int);
    assert_eq!(code, class::BUFFER);
    assert!(
        text.contains("buf is a null pointer") && text.contains("MPI_INT"),
        "{text}"
    );
    let in_place = std::ptr::without_provenance_mut(1);
    assert_eq!(refused(in_place, 1, &int).0, class::BUFFER);
    let at = buf.expose_provenance() as i64;
    let absolute = Rc::new(hindexed(1, &[2], &[at], &int).unwrap());
    assert!(Data::described(Base::tested(null), 1, absolute, names).is_ok());
}

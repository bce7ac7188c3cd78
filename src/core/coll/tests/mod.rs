//! Every algorithm against naive oracles, in the simulated world.

mod blocks;
mod hierarchical;
mod inter;
mod large;
mod reductions;
mod rooted;
mod signatures;
mod world;

use std::cell::Cell;
use std::rc::Rc;

use super::hierarchy::Hierarchy;
use super::select::{Algorithm, Groups};
use super::sim::{Nodes, Random};
use crate::datatype::test_space::Memory;
use crate::datatype::{Data, Type, basic, hindexed, resized};
use crate::op::Operation;

/// The numbers of ranks that every algorithm is tried on.
const SIZES: [usize; 18] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 33,
];

/// Elements of a block that slots do not hold; of two ranks the last one is longer than what is written in one piece.
fn longer(size: usize) -> impl Iterator<Item = usize> {
    [40, 70, 260]
        .into_iter()
        .take(if size == 2 { 3 } else { 2 })
}

/// Where ranks run: on several nodes or on one whose ranks do not all share one collective segment. Groups are of one size or not, and a
/// node's ranks follow each other or do not, as the seed wills.
fn placed(size: usize, seed: u64) -> Nodes {
    let mut random = Random(seed);
    let nodes = 2 + random.below(4) as usize;
    let limit = 2 + random.below(3) as usize;
    let mut below = |limit: usize| random.below(limit as u64) as usize;
    let (of, limit): (Vec<usize>, usize) = match seed % 5 {
        0 => ((0..size).map(|rank| rank * nodes / size).collect(), size),
        1 => ((0..size).map(|rank| rank % nodes).collect(), size),
        2 => (vec![0; size], limit),
        3 => (
            (0..size).map(|rank| usize::from(rank > size / 3)).collect(),
            limit,
        ),
        _ => ((0..size).map(|_| below(nodes)).collect(), limit),
    };
    Nodes {
        of,
        limit,
        share: seed % 3 != 2,
    }
}

/// How the ranks are divided into groups on some nodes.
fn groups(nodes: &Nodes) -> Groups {
    match Hierarchy::new(0, &nodes.of, |_| nodes.limit) {
        None => Groups::None,
        Some(all) if all.is_ordered() => Groups::InOrder,
        Some(_) => Groups::Mixed,
    }
}

/// Where the ranks run with whom an algorithm is tried: all on one node, where they share one collective segment, unless it needs groups.
fn nodes_for<A: Algorithm>(algorithm: A, size: usize, seed: u64) -> Nodes {
    match A::ALL[algorithm.place()].0 {
        "hierarchical" => placed(size, seed),
        _ => Nodes {
            of: vec![0; size],
            limit: size,
            share: true,
        },
    }
}

/// Datatypes of 8 packed bytes an element: plain; with holes; before its address; backwards.
fn datatypes() -> [Rc<Type>; 4] {
    let plain = Type::predefined(basic::MPI_UINT64_T).unwrap();
    let int = Type::predefined(basic::MPI_INT).unwrap();
    let holes = Rc::new(hindexed(2, &[1, 1], &[4, 12], &int).unwrap());
    let holes = Rc::new(resized(&holes, 0, 20).unwrap());
    let before = Rc::new(hindexed(2, &[1, 1], &[-12, -8], &int).unwrap());
    let backwards = Rc::new(resized(&plain, 0, -16).unwrap());
    [plain, holes, before, backwards]
}

/// Memory with elements in it, and room on both sides. Some of it only the door reaches.
struct Buffer {
    memory: Memory,
    base: usize,
    datatype: Rc<Type>,
    count: usize,
}

thread_local! {
    /// How many buffers there have been.
    static BUFFERS: Cell<usize> = const { Cell::new(0) };
}

/// What memory holds that nobody has written.
const UNTOUCHED: u64 = 0xa5a5_a5a5_a5a5_a5a5;

impl Buffer {
    /// Elements as given; `None` leaves the memory untouched.
    fn of(datatype: &Rc<Type>, elements: &[Option<u64>]) -> Buffer {
        Buffer::made(
            datatype,
            elements,
            BUFFERS.replace(BUFFERS.get() + 1) % 3 == 2,
        )
    }

    /// `there`: only the door reaches it.
    fn made(datatype: &Rc<Type>, elements: &[Option<u64>], there: bool) -> Buffer {
        let span = datatype.true_extent() + datatype.extent().abs() * elements.len() as i64;
        let margin = (span + datatype.true_lb().abs()) as usize / 8 + 4;
        let buffer = Buffer {
            memory: Memory::of(&UNTOUCHED.to_ne_bytes().repeat(2 * margin), there),
            base: margin,
            datatype: datatype.clone(),
            count: elements.len(),
        };
        let data = buffer.data();
        for (index, element) in elements.iter().enumerate() {
            if let Some(element) = element {
                data.part(index as u64, 1).unpack(0, &element.to_le_bytes());
            }
        }
        buffer
    }

    fn empty(datatype: &Rc<Type>, count: usize) -> Buffer {
        Buffer::of(datatype, &vec![None; count])
    }

    fn data(&self) -> Data {
        let base = self.memory.base().offset(8 * self.base as i64);
        Data::new(base, self.count as u64, self.datatype.clone())
    }

    /// All memory is as if it had been made with `elements`.
    #[track_caller]
    fn expect(&self, elements: &[Option<u64>], what: &dyn std::fmt::Debug) {
        let expected = Buffer::made(&self.datatype, elements, false);
        if self.memory.bytes() != expected.memory.bytes() {
            let found = values(&self.data());
            panic!(
                "{what:?}: expected {elements:x?}, found {found:x?} (or wrote outside) in {:?}",
                self.datatype
            );
        }
    }
}

/// The element that a rank contributes at a place.
fn element(rank: usize, index: usize) -> u64 {
    Random((rank as u64) << 32 | index as u64).below(u64::MAX)
}

fn elements(rank: usize, count: usize) -> Vec<Option<u64>> {
    (0..count).map(|index| Some(element(rank, index))).collect()
}

/// The combination of the elements of `ranks`, in order.
fn combined(commutative: bool, ranks: std::ops::Range<usize>, index: usize) -> Option<u64> {
    ranks
        .map(|rank| element(rank, index))
        .reduce(|low, high| model(commutative, low, high))
}

/// `low op high` on one element of two 32-bit words: addition, or the composition of affine maps, which
/// does not commute.
fn model(commutative: bool, low: u64, high: u64) -> u64 {
    let words = |value: u64| (value as u32, (value >> 32) as u32);
    let ((a, b), (c, d)) = (words(low), words(high));
    let (x, y) = if commutative {
        (a.wrapping_add(c), b.wrapping_add(d))
    } else {
        // x -> a x + b, after x -> c x + d.
        (a.wrapping_mul(c), a.wrapping_mul(d).wrapping_add(b))
    };
    u64::from(x) | u64::from(y) << 32
}

/// The elements of a buffer.
fn values(data: &Data) -> Vec<u64> {
    let mut packed = vec![0; data.bytes() as usize];
    data.pack(0, &mut packed);
    let (elements, rest) = packed.as_chunks::<8>();
    assert!(rest.is_empty(), "elements are of 8 bytes");
    elements
        .iter()
        .map(|bytes| u64::from_le_bytes(*bytes))
        .collect()
}

/// A user operation that does what [`model`] does.
fn operation(commutative: bool) -> Rc<Operation> {
    let function = move |input: *const u8, inout: *mut u8, count: i64, datatype: &Type| {
        let datatype = Rc::new(datatype.twin());
        let low = values(&Data::tested(
            input.cast_mut(),
            count as u64,
            datatype.clone(),
        ));
        let inout = Data::tested(inout, count as u64, datatype);
        let pairs = low.into_iter().zip(values(&inout));
        let packed: Vec<u8> = pairs
            .flat_map(|(low, high)| model(commutative, low, high).to_le_bytes())
            .collect();
        inout.unpack(0, &packed);
    };
    Rc::new(Operation::user(Rc::new(function), i64::MAX, commutative))
}

//! Which algorithm a collective uses: one table of ordered rules per collective, first match wins.
//!
//! A rule says up to how many bytes and ranks it holds; what an algorithm *needs* to be right (an
//! operation that commutes, a power of two of ranks) is said by the algorithm itself, so that no rule can
//! choose a wrong one. Every rank must come to the same answer, so only what all ranks know may be asked.

use super::allgather::Allgather;
use super::allreduce::Allreduce;
use super::alltoall::Alltoall;
use super::bcast::Bcast;
use super::gather::Gather;
use super::reduce::Reduce;
use super::reduce_scatter::ReduceScatter;
use super::scatter::Scatter;

/// What a choice may depend on: the same on every rank of the call.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Ranks that take part.
    pub size: usize,
    /// Packed bytes: of the whole buffer for bcast and the reductions, of all blocks together for
    /// allgather and reduce_scatter, of one block for gather, scatter and alltoall.
    pub bytes: u64,
    /// Elements of that buffer; 0 where an algorithm cannot split by elements.
    pub count: u64,
    /// The operation commutes (true where there is none).
    pub commutative: bool,
    /// All blocks have one size, which every rank knows.
    pub even: bool,
}

impl Shape {
    /// The shape of a call without an operation, on blocks of one size.
    pub fn plain(size: usize, bytes: u64) -> Shape {
        Shape {
            size,
            bytes,
            count: 0,
            commutative: true,
            even: true,
        }
    }
}

/// The algorithms of one collective.
pub trait Algorithm: Copy + PartialEq + std::fmt::Debug + 'static {
    /// Every algorithm with the name that selects it.
    const ALL: &'static [(&'static str, Self)];

    /// Whether the algorithm gives right results for this shape.
    fn fits(self, shape: &Shape) -> bool;
}

/// One line of a table.
pub struct Rule<A> {
    bytes: u64,
    size: usize,
    algorithm: A,
}

/// Holds up to `bytes` bytes on up to `size` ranks.
const fn rule<A>(bytes: u64, size: usize, algorithm: A) -> Rule<A> {
    Rule {
        bytes,
        size,
        algorithm,
    }
}

/// Any number of bytes.
const LONG: u64 = u64::MAX;
/// Any number of ranks.
const MANY: usize = usize::MAX;

/// The first rule that holds and whose algorithm fits.
#[inline]
pub fn pick<A: Algorithm>(rules: &[Rule<A>], shape: &Shape) -> A {
    let fits = |rule: &&Rule<A>| {
        shape.bytes <= rule.bytes && shape.size <= rule.size && rule.algorithm.fits(shape)
    };
    match rules.iter().find(fits) {
        Some(rule) => rule.algorithm,
        // Each table ends with a rule that always holds; a test walks all shapes.
        None => unreachable!("no rule of {:?} holds for {shape:?}", A::ALL),
    }
}

/// The algorithm of that name.
pub fn by_name<A: Algorithm>(name: &str) -> Option<A> {
    let found = A::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, algorithm)| *algorithm)
}

/// Lists the algorithms of a collective: the enumeration and its names.
macro_rules! algorithms {
    ($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$what])* $variant,)* }
        impl $name {
            const NAMES: &'static [(&'static str, $name)] = &[$(($text, $name::$variant)),*];
        }
    };
}
pub(crate) use algorithms;

// The bounds are the crossings of the usual cost model (a message costs what some KiB cost) until the
// measured ones of `cargo xtask bench` stand here.

pub const BCAST: &[Rule<Bcast>] = &[
    rule(16 << 10, MANY, Bcast::Binomial),
    rule(LONG, 2, Bcast::Binomial),
    rule(LONG, 16, Bcast::Chain),
    rule(LONG, MANY, Bcast::ScatterAllgather),
];

pub const GATHER: &[Rule<Gather>] = &[
    rule(8 << 10, MANY, Gather::Binomial),
    rule(LONG, MANY, Gather::Linear),
];

pub const SCATTER: &[Rule<Scatter>] = &[
    rule(8 << 10, MANY, Scatter::Binomial),
    rule(LONG, MANY, Scatter::Linear),
];

pub const ALLGATHER: &[Rule<Allgather>] = &[
    rule(256 << 10, MANY, Allgather::RecursiveDoubling),
    rule(64 << 10, MANY, Allgather::Bruck),
    rule(LONG, MANY, Allgather::Ring),
];

pub const ALLTOALL: &[Rule<Alltoall>] = &[
    rule(256, MANY, Alltoall::Bruck),
    rule(32 << 10, MANY, Alltoall::Scattered),
    rule(LONG, MANY, Alltoall::Pairwise),
];

pub const REDUCE: &[Rule<Reduce>] = &[
    rule(16 << 10, MANY, Reduce::Binomial),
    rule(LONG, 2, Reduce::Binomial),
    rule(LONG, MANY, Reduce::ReduceScatterGather),
    rule(LONG, MANY, Reduce::Binomial),
];

pub const ALLREDUCE: &[Rule<Allreduce>] = &[
    rule(8 << 10, MANY, Allreduce::RecursiveDoubling),
    rule(512 << 10, MANY, Allreduce::Rabenseifner),
    rule(LONG, 64, Allreduce::Ring),
    rule(LONG, MANY, Allreduce::Rabenseifner),
    rule(LONG, MANY, Allreduce::RecursiveDoubling),
];

pub const REDUCE_SCATTER: &[Rule<ReduceScatter>] = &[
    rule(64 << 10, MANY, ReduceScatter::RecursiveHalving),
    rule(64 << 10, MANY, ReduceScatter::ReduceThenScatter),
    rule(LONG, MANY, ReduceScatter::Pairwise),
];

//! Which algorithm a collective uses: one table of ordered rules per collective, first match wins.
//!
//! A rule says up to how many bytes and ranks it holds; what an algorithm *needs* to be right (an
//! operation that commutes, a power of two of ranks) is said by the algorithm itself, so that no rule can
//! choose a wrong one. Every rank must come to the same answer, so only what all ranks know may be asked.

use super::allgather::Allgather;
use super::allreduce::Allreduce;
use super::alltoall::Alltoall;
use super::barrier::Barrier;
use super::bcast::Bcast;
use super::gather::Gather;
use super::net::Net;
use super::reduce::Reduce;
use super::reduce_scatter::ReduceScatter;
use super::scan::Scan;
use super::scatter::Scatter;
use crate::shm::collective::Area;

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
    /// All ranks share memory that this operation may use.
    pub shared: bool,
    /// There are more processes than cores.
    pub crowded: bool,
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
            shared: false,
            crowded: false,
        }
    }

    /// [`plain`](Self::plain), for an operation on `net`.
    #[inline]
    pub fn on<N: Net>(net: &N, bytes: u64) -> Shape {
        let area = net.area();
        Shape {
            shared: area.is_some(),
            crowded: area.is_some_and(Area::crowded),
            ..Shape::plain(net.size(), bytes)
        }
    }
}

/// The algorithms of one collective.
pub trait Algorithm: Copy + PartialEq + std::fmt::Debug + 'static {
    /// Number of its first algorithm in [`names`].
    const FIRST: usize;

    /// Every algorithm with the name that selects it.
    const ALL: &'static [(&'static str, Self)];

    /// Its place in [`ALL`](Self::ALL).
    fn place(self) -> usize;

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
/// Ranks that may all read what each of them has written, with a core each.
pub const SEVERAL: usize = 16;
/// The same where ranks share cores: what counts then is how often they wait for each other.
pub const CROWD: usize = 64;

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

/// The algorithm that the table picks, which `net` is told.
#[inline]
pub fn choose<N: Net, A: Algorithm>(net: &N, rules: &[Rule<A>], shape: &Shape) -> A {
    let algorithm = pick(rules, shape);
    net.chosen(A::FIRST + algorithm.place());
    algorithm
}

/// The algorithm of that name.
pub fn by_name<A: Algorithm>(name: &str) -> Option<A> {
    let found = A::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, algorithm)| *algorithm)
}

/// Collective and name of every algorithm, in the order of their numbers.
pub fn names() -> Vec<(&'static str, &'static str)> {
    fn of<A: Algorithm>(collective: &'static str) -> Vec<(&'static str, &'static str)> {
        A::ALL.iter().map(|(name, _)| (collective, *name)).collect()
    }
    [
        of::<Bcast>("bcast"),
        of::<Gather>("gather"),
        of::<Scatter>("scatter"),
        of::<Allgather>("allgather"),
        of::<Alltoall>("alltoall"),
        of::<Reduce>("reduce"),
        of::<Allreduce>("allreduce"),
        of::<ReduceScatter>("reduce_scatter"),
        of::<Barrier>("barrier"),
        of::<Scan>("scan"),
    ]
    .concat()
}

/// Algorithms of all collectives.
pub const ALGORITHMS: usize = Scan::FIRST + Scan::ALL.len();

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

// Measured on 2026-11-21: 2 and 4 ranks over shared memory on 2 cores (Xeon, 2.8 GHz, shared with other
// work: the best of 9 batches, for bcast the median), the algorithms called directly, microseconds by total bytes. 4 ranks on 2
// cores count context switches, so fewer messages win for longer than on a core each. Bounds beyond 16
// ranks follow the cost model (a message costs what 8 KiB cost) until a larger machine has been measured.

// Shared memory, measured on 2026-11-21 on the same machine, microseconds through memory and by messages (least of
// batches of 2 ms; 2 ranks at real-time priority, 4 ranks on the 2 cores while others used them too):
//                   2 ranks: 8 B       8 KiB       64 KiB      1 MiB      4 ranks: 8 B     64 KiB
// barrier               0.17 0.25                                            1.7  8.4
// bcast                 0.22 0.23   1.6  1.4   5.3  5.6    37   45           3.6  3.8     18   29
// allreduce             0.30 0.34   2.2  2.3   7.9 10.1   126  117           6.3   24     28   52
// reduce                0.24 0.30   1.8  1.8   7.9  9.6   114  318           2.5   14     24   45
// allgather             0.26 0.33   1.8  2.2   8.8 12.1   157  175           6.4   13     55  124
// alltoall              0.26 0.37   1.8  2.2   6.9  7.0   152  159            13  8.8    141  127
// gather                0.21 0.26   1.6  1.5   4.7  4.9   102  110           4.7  7.0     23   34
// scatter               0.26 0.31   1.7  1.7   8.2  8.5    95  101           3.9  7.5     64   34
// reduce_scatter        0.32 0.42   2.0  2.7  11.0 10.3   212  586            12   14     94  162
// scan                  0.16 0.17   1.8  1.2   8.9  8.9   159  194           4.2  2.5     31  128
// so it holds for any length. Bounds within it (slot, lane, message) stand with their figures in `shared`. 32 ranks on the
// 2 cores (busy): barrier 176 194, bcast of 8 bytes 24 47, allreduce of 8 bytes 116 173, allgather of 1 KiB 157 785,
// alltoall of 1 KiB 483 2920. More than 16 ranks with a core each, where all reading all must lose to a tree, get no
// shared memory until a machine with as many cores has been measured.

pub const BARRIER: &[Rule<Barrier>] = &[
    rule(LONG, CROWD, Barrier::Shared),
    rule(LONG, MANY, Barrier::Dissemination),
];

// 4 ranks, binomial / chain / scatter-allgather: 8 KiB 4.9 / 6.2 / 30, 512 KiB 370 / 162 / 584,
// 16 MiB 18500 / 17800 / 30800. 2 ranks: the first two are the same.
pub const BCAST: &[Rule<Bcast>] = &[
    rule(LONG, CROWD, Bcast::Shared),
    rule(64 << 10, MANY, Bcast::Binomial),
    rule(LONG, 2, Bcast::Binomial),
    rule(LONG, 16, Bcast::Chain),
    rule(LONG, MANY, Bcast::ScatterAllgather),
];

// 4 ranks, binomial / linear, by bytes of a block: 2 KiB 1.4 / 3.8, 8 KiB 5.0 / 6.7, 32 KiB 20 / 12,
// 512 KiB 357 / 195.
pub const GATHER: &[Rule<Gather>] = &[
    rule(LONG, CROWD, Gather::Shared),
    rule(8 << 10, MANY, Gather::Binomial),
    rule(LONG, MANY, Gather::Linear),
];
pub const GATHERV: &[Rule<Gather>] = &[
    rule(LONG, CROWD, Gather::Shared),
    rule(LONG, MANY, Gather::Linear),
];

// 4 ranks, binomial / linear, by bytes of a block: 8 bytes 0.8 / 0.7, 8 KiB 7.5 / 14, 32 KiB 21 / 13,
// 512 KiB 509 / 186.
pub const SCATTER: &[Rule<Scatter>] = &[
    rule(LONG, CROWD, Scatter::Shared),
    rule(8 << 10, MANY, Scatter::Binomial),
    rule(LONG, MANY, Scatter::Linear),
];
pub const SCATTERV: &[Rule<Scatter>] = &[
    rule(LONG, CROWD, Scatter::Shared),
    rule(LONG, MANY, Scatter::Linear),
];

// 4 ranks, recursive doubling / Bruck / ring: 8 bytes 7.4 / 8.3 / 11.6, 32 KiB 14.7 / 18.4 / 17.7,
// 512 KiB 241 / 391 / 234, 2 MiB 872 / 1415 / 933.
pub const ALLGATHER: &[Rule<Allgather>] = &[
    rule(LONG, CROWD, Allgather::Shared),
    rule(512 << 10, MANY, Allgather::RecursiveDoubling),
    rule(16 << 10, MANY, Allgather::Bruck),
    rule(LONG, MANY, Allgather::Ring),
];

// 4 ranks, Bruck / scattered / pairwise, by bytes of a block: 8 bytes 9.8 / 7.3 / 12.8, 2 KiB 14 / 9.4 / 26,
// 128 KiB 1880 / 396 / 440, 2 MiB 76500 / 6620 / 6370.
pub const ALLTOALL: &[Rule<Alltoall>] = &[
    rule(LONG, CROWD, Alltoall::Shared),
    rule(LONG, 8, Alltoall::Scattered),
    rule(256, MANY, Alltoall::Bruck),
    rule(32 << 10, MANY, Alltoall::Scattered),
    rule(LONG, MANY, Alltoall::Pairwise),
];

// 4 ranks, binomial / reduce-scatter-gather: 8 KiB 3.7 / 11.7, 32 KiB 22.8 / 22.9, 128 KiB 147 / 150,
// 512 KiB 941 / 519. 2 ranks: 512 KiB 814 / 1028.
pub const REDUCE: &[Rule<Reduce>] = &[
    rule(LONG, CROWD, Reduce::Shared),
    rule(128 << 10, MANY, Reduce::Binomial),
    rule(LONG, 2, Reduce::Binomial),
    rule(LONG, MANY, Reduce::ReduceScatterGather),
    rule(LONG, MANY, Reduce::Binomial),
];

// 4 ranks, recursive doubling / Rabenseifner / ring: 8 KiB 16 / 19 / 22, 32 KiB 49 / 34 / 33,
// 512 KiB 909 / 677 / 466, 2 MiB 3870 / 2570 / 1950.
pub const ALLREDUCE: &[Rule<Allreduce>] = &[
    rule(LONG, CROWD, Allreduce::Shared),
    rule(16 << 10, MANY, Allreduce::RecursiveDoubling),
    rule(LONG, 16, Allreduce::Ring),
    rule(1 << 20, MANY, Allreduce::Rabenseifner),
    rule(LONG, 64, Allreduce::Ring),
    rule(LONG, MANY, Allreduce::Rabenseifner),
    rule(LONG, MANY, Allreduce::RecursiveDoubling),
];

// 4 ranks, recursive halving / reduce, then scatter / pairwise: 8 KiB 11.5 / 15.5 / 15.2,
// 32 KiB 21 / 37 / 23, 128 KiB 240 / 248 / 88, 2 MiB 5420 / 5760 / 1450.
pub const REDUCE_SCATTER: &[Rule<ReduceScatter>] = &[
    rule(LONG, CROWD, ReduceScatter::Shared),
    rule(16 << 10, MANY, ReduceScatter::RecursiveHalving),
    rule(16 << 10, MANY, ReduceScatter::ReduceThenScatter),
    rule(LONG, MANY, ReduceScatter::Pairwise),
];

pub const SCAN: &[Rule<Scan>] = &[
    rule(LONG, CROWD, Scan::Shared),
    rule(LONG, MANY, Scan::Doubling),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Each algorithm's number is the place of its name.
    fn check<A: Algorithm>(collective: &str) {
        for (name, algorithm) in A::ALL {
            assert_eq!(names()[A::FIRST + algorithm.place()], (collective, *name));
        }
    }

    #[test]
    fn numbers_and_names_agree() {
        assert_eq!(names().len(), ALGORITHMS);
        check::<Bcast>("bcast");
        check::<Gather>("gather");
        check::<Scatter>("scatter");
        check::<Allgather>("allgather");
        check::<Alltoall>("alltoall");
        check::<Reduce>("reduce");
        check::<Allreduce>("allreduce");
        check::<ReduceScatter>("reduce_scatter");
        check::<Barrier>("barrier");
        check::<Scan>("scan");
    }
}

//! How a collective's algorithm is chosen: a table of ordered rules, of which the first match wins.
//!
//! Each table stands beside its collective. A rule says up to how many bytes and ranks it holds. What an algorithm
//! *needs* to be right, such as an operation that commutes, the algorithm says itself. So no rule can choose a wrong
//! one. Every rank must come to the same answer, so only what all ranks know may be asked.

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
use super::shared::CollSegment;

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
    /// The ranks are divided into groups.
    pub groups: Groups,
}

/// Whether the ranks are divided into groups that share memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    None,
    /// Each group's ranks follow each other.
    InOrder,
    Mixed,
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
            groups: Groups::None,
        }
    }

    /// [`plain`](Self::plain), for an operation on `net`.
    #[inline]
    pub fn on<N: Net>(net: &N, bytes: u64) -> Shape {
        let coll_segment = net.coll_segment();
        Shape {
            shared: coll_segment.is_some(),
            crowded: coll_segment.is_some_and(CollSegment::crowded),
            groups: match net.hierarchy() {
                None => Groups::None,
                Some(all) if all.is_ordered() => Groups::InOrder,
                Some(_) => Groups::Mixed,
            },
            ..Shape::plain(net.size(), bytes)
        }
    }
}

impl Shape {
    /// Whether a collective can be composed of steps within the groups and among their leaders.
    pub fn composes(&self) -> bool {
        self.groups != Groups::None
    }

    /// The same for what is combined in the order of ranks, unless the operation commutes.
    pub fn reduces_by_groups(&self) -> bool {
        self.groups == Groups::InOrder || self.groups == Groups::Mixed && self.commutative
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
pub const fn rule<A>(bytes: u64, size: usize, algorithm: A) -> Rule<A> {
    Rule {
        bytes,
        size,
        algorithm,
    }
}

/// Any number of bytes.
pub const ANY_LENGTH: u64 = u64::MAX;
/// Any number of ranks.
pub const MANY: usize = usize::MAX;
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

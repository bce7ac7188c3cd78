//! `MPI_MINLOC` and `MPI_MAXLOC` on pairs of a value and an index (MPI-5.0, 6.9.4).

use super::extended::Extended;
use super::number::{Combine, Max, Min, Real};

/// A pair as C lays it out.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pair<V, I> {
    pub value: V,
    pub index: I,
}

/// Values and indices have an order.
pub trait Ordered: Copy {
    fn below(self, other: Self) -> bool;
}

macro_rules! integers {
    ($($type:ty)*) => { $( impl Ordered for $type {
        #[inline(always)]
        fn below(self, other: Self) -> bool { self < other }
    } )* };
}

integers! { i16 i32 i64 }

macro_rules! reals {
    ($($type:ty)*) => { $( impl Ordered for $type {
        #[inline(always)]
        fn below(self, other: Self) -> bool { self.less(other) }
    } )* };
}

reals! { f32 f64 Extended }

/// The pair whose value comes first by `first`; of equal values, the lower index.
#[inline(always)]
fn choose<V: Ordered, I: Ordered>(
    a: Pair<V, I>,
    b: Pair<V, I>,
    first: impl Fn(V, V) -> bool,
) -> Pair<V, I> {
    if first(a.value, b.value) {
        a
    } else if first(b.value, a.value) || b.index.below(a.index) {
        b
    } else {
        a
    }
}

impl<V: Ordered, I: Ordered> Combine<Pair<V, I>> for Min {
    #[inline(always)]
    fn combine(a: Pair<V, I>, b: Pair<V, I>) -> Pair<V, I> {
        choose(a, b, |a, b| a.below(b))
    }
}

impl<V: Ordered, I: Ordered> Combine<Pair<V, I>> for Max {
    #[inline(always)]
    fn combine(a: Pair<V, I>, b: Pair<V, I>) -> Pair<V, I> {
        choose(a, b, |a, b| b.below(a))
    }
}

//! What the predefined operations do to one pair of elements, for every kind of element.
//!
//! Integers wrap, as C's unsigned arithmetic does. Safe code only; the loops are in [`super::kernel`].

use super::extended::Extended;
use super::quad::Quad;

/// `combine(a, b)` is `a op b`.
pub trait Combine<T> {
    fn combine(a: T, b: T) -> T;
}

pub struct Sum;
pub struct Prod;
pub struct Min;
pub struct Max;
pub struct Band;
pub struct Bor;
pub struct Bxor;
pub struct Land;
pub struct Lor;
pub struct Lxor;

macro_rules! combine {
    ($type:ty: $($operation:ident = |$a:ident, $b:ident| $value:expr;)*) => { $(
        impl Combine<$type> for $operation {
            #[inline(always)]
            fn combine($a: $type, $b: $type) -> $type { $value }
        }
    )* };
}

macro_rules! integers {
    ($($type:ty)*) => { $( combine! { $type:
        Sum = |a, b| a.wrapping_add(b);
        Prod = |a, b| a.wrapping_mul(b);
        Min = |a, b| a.min(b);
        Max = |a, b| a.max(b);
        Band = |a, b| a & b;
        Bor = |a, b| a | b;
        Bxor = |a, b| a ^ b;
        Land = |a, b| <$type>::from((a != 0) & (b != 0));
        Lor = |a, b| <$type>::from((a | b) != 0);
        Lxor = |a, b| <$type>::from((a != 0) ^ (b != 0));
    } )* };
}

integers! { i8 i16 i32 i64 i128 u8 u16 u32 u64 }

/// Real numbers: what sums, products and comparisons need.
pub trait Real: Copy {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn less(self, other: Self) -> bool;
}

macro_rules! reals {
    ($($type:ty)*) => { $( combine! { $type:
        Sum = |a, b| a.plus(b);
        Prod = |a, b| a.times(b);
        Min = |a, b| if a.less(b) { a } else { b };
        Max = |a, b| if b.less(a) { a } else { b };
    } )* };
}

reals! { f32 f64 Half Brain Extended Quad }

macro_rules! native {
    ($($type:ty)*) => { $( impl Real for $type {
        #[inline(always)]
        fn plus(self, other: Self) -> Self { self + other }
        #[inline(always)]
        fn minus(self, other: Self) -> Self { self - other }
        #[inline(always)]
        fn times(self, other: Self) -> Self { self * other }
        #[inline(always)]
        fn less(self, other: Self) -> bool { self < other }
    } )* };
}

native! { f32 f64 }

/// IEEE binary16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Half(pub u16);

/// The upper half of an IEEE binary32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Brain(pub u16);

impl Half {
    /// Exact.
    #[inline(always)]
    pub fn wide(self) -> f32 {
        let bits = u32::from(self.0);
        let sign = (bits & 0x8000) << 16;
        let magnitude = bits & 0x7fff;
        let wide = if magnitude >= 0x7c00 {
            0x7f80_0000 | (magnitude & 0x3ff) << 13
        } else if magnitude >= 0x400 {
            (magnitude << 13) + ((127 - 15) << 23)
        } else {
            // Subnormal: the fraction in units of 2^-24.
            (magnitude as f32 * f32::from_bits((127 - 24) << 23)).to_bits()
        };
        f32::from_bits(sign | wide)
    }

    /// Rounds to nearest, ties to even.
    #[inline(always)]
    pub fn narrow(value: f32) -> Half {
        let bits = value.to_bits();
        let sign = (bits >> 16 & 0x8000) as u16;
        let magnitude = bits & 0x7fff_ffff;
        let half = if magnitude > 0x7f80_0000 {
            // Keeps a NaN a quiet NaN.
            0x7e00 | (magnitude >> 13 & 0x3ff)
        } else if magnitude >= 0x4780_0000 {
            0x7c00
        } else if magnitude >= 0x3880_0000 {
            let odd = magnitude >> 13 & 1;
            (magnitude - ((127 - 15) << 23) + 0xfff + odd) >> 13
        } else {
            // Adding 0.5 leaves the result, in units of 2^-24, in the low bits, rounded by the FPU.
            (f32::from_bits(magnitude) + 0.5).to_bits() - 0.5f32.to_bits()
        };
        Half(sign | half as u16)
    }
}

impl Brain {
    /// Exact.
    #[inline(always)]
    pub fn wide(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }

    /// Rounds to nearest, ties to even.
    #[inline(always)]
    pub fn narrow(value: f32) -> Brain {
        let bits = value.to_bits();
        if value.is_nan() {
            return Brain((bits >> 16) as u16 | 0x40);
        }
        Brain(((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16)
    }
}

macro_rules! narrow {
    ($($type:ident)*) => { $( impl Real for $type {
        #[inline(always)]
        fn plus(self, other: Self) -> Self { $type::narrow(self.wide() + other.wide()) }
        #[inline(always)]
        fn minus(self, other: Self) -> Self { $type::narrow(self.wide() - other.wide()) }
        #[inline(always)]
        fn times(self, other: Self) -> Self { $type::narrow(self.wide() * other.wide()) }
        #[inline(always)]
        fn less(self, other: Self) -> bool { self.wide() < other.wide() }
    } )* };
}

narrow! { Half Brain }

/// A complex number as C and Fortran lay it out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Complex<T> {
    pub real: T,
    pub imaginary: T,
}

impl<T: Real> Combine<Complex<T>> for Sum {
    #[inline(always)]
    fn combine(a: Complex<T>, b: Complex<T>) -> Complex<T> {
        Complex {
            real: a.real.plus(b.real),
            imaginary: a.imaginary.plus(b.imaginary),
        }
    }
}

impl<T: Real> Combine<Complex<T>> for Prod {
    #[inline(always)]
    fn combine(a: Complex<T>, b: Complex<T>) -> Complex<T> {
        Complex {
            real: a.real.times(b.real).minus(a.imaginary.times(b.imaginary)),
            imaginary: a.real.times(b.imaginary).plus(a.imaginary.times(b.real)),
        }
    }
}

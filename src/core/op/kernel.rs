//! The loops of the predefined operations, and which operation takes which element.
//!
//! Elements lie one after the other, at any alignment. Loops are plain, so that the compiler
//! vectorises them; a second copy of each is compiled for AVX2 and taken where the CPU has it.
//! Wider vectors do not pay: the loops wait for memory.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, _mm_loadu_si128, _mm_storeu_si128, _mm256_cvtph_ps, _mm256_cvtps_ph,
};
use std::array;
use std::mem::transmute;

use super::Builtin;
use super::extended::{self, Extended};
use super::number::{
    Band, Bor, Brain, Bxor, Combine, Complex, Half, Land, Lor, Lxor, Max, Min, Prod, Sum,
};
use super::pair::{Ordered, Pair};
use super::quad::Quad;
use crate::datatype::basic::{Basic, Class, Layout};
use crate::datatype::memory::Reached;

/// `out[i] = a[i] op b[i]` for so many elements; `out` is `b`, or overlaps neither.
pub type Kernel = unsafe fn(*const u8, *const u8, *mut u8, usize);

/// Runs a kernel for elements of the datatype that it is for.
#[inline(always)]
pub fn run_on(kernel: Kernel, elements: Reached) {
    let [a, b] = elements.operands();
    // SAFETY: operands and target hold `count` elements each.
    unsafe { kernel(a, b, elements.out(), elements.count()) }
}

#[inline(always)]
unsafe fn each<T: Copy, O: Combine<T>>(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
    let (a, b, out) = (a.cast::<T>(), b.cast::<T>(), out.cast::<T>());
    for index in 0..count {
        // SAFETY: the caller vouches for `count` elements at each; no alignment is assumed.
        unsafe {
            let value = O::combine(a.add(index).read_unaligned(), b.add(index).read_unaligned());
            out.add(index).write_unaligned(value);
        }
    }
}

/// [`each`] in two forms, as the compiler vectorises only what it can tell apart.
#[inline(always)]
unsafe fn either<T: Copy, O: Combine<T>>(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
    // SAFETY: the same contract.
    unsafe {
        if b == out.cast_const() {
            each::<T, O>(a, out, out, count)
        } else {
            each::<T, O>(a, b, out, count)
        }
    }
}

#[target_feature(enable = "avx2")]
unsafe fn either_avx2<T: Copy, O: Combine<T>>(
    a: *const u8,
    b: *const u8,
    out: *mut u8,
    count: usize,
) {
    // SAFETY: the same contract.
    unsafe { either::<T, O>(a, b, out, count) }
}

/// Elements from which on the wider vectors make up for asking for them.
const WORTH_ASKING: usize = 32;

unsafe fn vectors<T: Copy, O: Combine<T>>(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
    // SAFETY: the same contract, and AVX2 only where the CPU has it.
    unsafe {
        if count >= WORTH_ASKING && is_x86_feature_detected!("avx2") {
            either_avx2::<T, O>(a, b, out, count)
        } else {
            each::<T, O>(a, b, out, count)
        }
    }
}

unsafe fn scalars<T: Copy, O: Combine<T>>(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
    // SAFETY: the same contract.
    unsafe { each::<T, O>(a, b, out, count) }
}

/// Eight binary16 at a time through the CPU's own conversions.
#[target_feature(enable = "avx2,f16c")]
unsafe fn halves_f16c<O>(a: *const u8, b: *const u8, out: *mut u8, count: usize)
where
    O: Combine<f32> + Combine<Half>,
{
    const LANES: usize = 8;
    /// Round to nearest, ties to even.
    const NEAREST: i32 = 0;
    let whole = count / LANES * LANES;
    for index in (0..whole).step_by(LANES) {
        // SAFETY: the caller vouches for `count` elements at each; loads and stores are unaligned
        // ones, and 8 floats are as long as the vector.
        unsafe {
            let wide = |at: *const u8| {
                let halves = _mm_loadu_si128(at.cast());
                transmute::<__m256, [f32; LANES]>(_mm256_cvtph_ps(halves))
            };
            let offset = index * size_of::<Half>();
            let (low, high) = (wide(a.add(offset)), wide(b.add(offset)));
            let combined: [f32; LANES] = array::from_fn(|lane| O::combine(low[lane], high[lane]));
            let combined = transmute::<[f32; LANES], __m256>(combined);
            _mm_storeu_si128(out.add(offset).cast(), _mm256_cvtps_ph::<NEAREST>(combined));
        }
    }
    let done = whole * size_of::<Half>();
    // SAFETY: the elements that are left.
    unsafe { each::<Half, O>(a.add(done), b.add(done), out.add(done), count - whole) }
}

unsafe fn halves<O>(a: *const u8, b: *const u8, out: *mut u8, count: usize)
where
    O: Combine<f32> + Combine<Half>,
{
    // SAFETY: the same contract, and the conversions only where the CPU has them.
    unsafe {
        if is_x86_feature_detected!("f16c") && is_x86_feature_detected!("avx2") {
            halves_f16c::<O>(a, b, out, count)
        } else {
            each::<Half, O>(a, b, out, count)
        }
    }
}

/// The kernel for a layout, or `None` where the standard defines none.
pub fn find(builtin: Builtin, layout: Option<Layout>) -> Option<Kernel> {
    match layout? {
        Layout::One(basic) => one(builtin, basic),
        Layout::Pair(value, index) => pair(builtin, value, index),
        Layout::LowerMark | Layout::UpperMark => None,
    }
}

fn one(builtin: Builtin, basic: Basic) -> Option<Kernel> {
    match (basic.class, basic.size) {
        (Class::Signed | Class::Character, 1) => integer::<i8>(builtin),
        (Class::Signed, 2) => integer::<i16>(builtin),
        (Class::Signed, 4) => integer::<i32>(builtin),
        (Class::Signed, 8) => integer::<i64>(builtin),
        (Class::Signed, 16) => integer::<i128>(builtin),
        (Class::Unsigned, 1) => integer::<u8>(builtin),
        (Class::Unsigned, 2) => integer::<u16>(builtin),
        (Class::Unsigned, 4) => integer::<u32>(builtin),
        (Class::Unsigned, 8) => integer::<u64>(builtin),
        (Class::Bytes, 1) => bits::<u8>(builtin),
        (Class::Bool, 1) | (Class::Logical, 1) => truth::<u8>(builtin),
        (Class::Logical, 2) => truth::<u16>(builtin),
        (Class::Logical, 4) => truth::<u32>(builtin),
        (Class::Logical, 8) => truth::<u64>(builtin),
        (Class::Logical, 16) => truth::<i128>(builtin),
        (Class::Float, 2) => match builtin {
            Builtin::Sum => Some(halves::<Sum>),
            Builtin::Prod => Some(halves::<Prod>),
            Builtin::Min => Some(halves::<Min>),
            Builtin::Max => Some(halves::<Max>),
            _ => None,
        },
        (Class::BrainFloat, 2) => real::<Brain>(builtin),
        (Class::Float, 4) => real::<f32>(builtin),
        (Class::Float, 8) => real::<f64>(builtin),
        (Class::Float, 16) => real::<Quad>(builtin),
        (Class::LongDouble, _) => match builtin {
            Builtin::Sum => Some(extended::sum),
            Builtin::Prod => Some(extended::product),
            _ => real::<Extended>(builtin),
        },
        (Class::Complex, 4) => complex::<Complex<Half>>(builtin),
        (Class::Complex, 8) => complex::<Complex<f32>>(builtin),
        (Class::Complex, 16) => complex::<Complex<f64>>(builtin),
        (Class::Complex, 32) => complex::<Complex<Quad>>(builtin),
        (Class::ComplexLongDouble, _) => complex::<Complex<Extended>>(builtin),
        _ => None,
    }
}

fn integer<T: Copy>(builtin: Builtin) -> Option<Kernel>
where
    Sum: Combine<T>,
    Prod: Combine<T>,
    Min: Combine<T>,
    Max: Combine<T>,
    Band: Combine<T>,
    Bor: Combine<T>,
    Bxor: Combine<T>,
    Land: Combine<T>,
    Lor: Combine<T>,
    Lxor: Combine<T>,
{
    match builtin {
        Builtin::Sum => Some(vectors::<T, Sum>),
        Builtin::Prod => Some(vectors::<T, Prod>),
        Builtin::Min => Some(vectors::<T, Min>),
        Builtin::Max => Some(vectors::<T, Max>),
        _ => bits::<T>(builtin).or(truth::<T>(builtin)),
    }
}

fn bits<T: Copy>(builtin: Builtin) -> Option<Kernel>
where
    Band: Combine<T>,
    Bor: Combine<T>,
    Bxor: Combine<T>,
{
    match builtin {
        Builtin::Band => Some(vectors::<T, Band>),
        Builtin::Bor => Some(vectors::<T, Bor>),
        Builtin::Bxor => Some(vectors::<T, Bxor>),
        _ => None,
    }
}

fn truth<T: Copy>(builtin: Builtin) -> Option<Kernel>
where
    Land: Combine<T>,
    Lor: Combine<T>,
    Lxor: Combine<T>,
{
    match builtin {
        Builtin::Land => Some(vectors::<T, Land>),
        Builtin::Lor => Some(vectors::<T, Lor>),
        Builtin::Lxor => Some(vectors::<T, Lxor>),
        _ => None,
    }
}

fn real<T: Copy>(builtin: Builtin) -> Option<Kernel>
where
    Sum: Combine<T>,
    Prod: Combine<T>,
    Min: Combine<T>,
    Max: Combine<T>,
{
    match builtin {
        Builtin::Min => Some(vectors::<T, Min>),
        Builtin::Max => Some(vectors::<T, Max>),
        _ => complex::<T>(builtin),
    }
}

fn complex<T: Copy>(builtin: Builtin) -> Option<Kernel>
where
    Sum: Combine<T>,
    Prod: Combine<T>,
{
    match builtin {
        Builtin::Sum => Some(vectors::<T, Sum>),
        Builtin::Prod => Some(vectors::<T, Prod>),
        _ => None,
    }
}

fn pair(builtin: Builtin, value: Basic, index: Basic) -> Option<Kernel> {
    match ((value.class, value.size), (index.class, index.size)) {
        ((Class::Signed, 2), (Class::Signed, 4)) => located::<i16, i32>(builtin),
        ((Class::Signed, 4), (Class::Signed, 4)) => located::<i32, i32>(builtin),
        ((Class::Signed, 8), (Class::Signed, 4)) => located::<i64, i32>(builtin),
        ((Class::Float, 4), (Class::Signed, 4)) => located::<f32, i32>(builtin),
        ((Class::Float, 8), (Class::Signed, 4)) => located::<f64, i32>(builtin),
        ((Class::LongDouble, _), (Class::Signed, 4)) => located::<Extended, i32>(builtin),
        ((Class::Float, 4), (Class::Float, 4)) => located::<f32, f32>(builtin),
        ((Class::Float, 8), (Class::Float, 8)) => located::<f64, f64>(builtin),
        _ => None,
    }
}

fn located<V: Ordered, I: Ordered>(builtin: Builtin) -> Option<Kernel> {
    match builtin {
        Builtin::Minloc => Some(scalars::<Pair<V, I>, Min>),
        Builtin::Maxloc => Some(scalars::<Pair<V, I>, Max>),
        _ => None,
    }
}

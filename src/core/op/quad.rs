//! IEEE binary128 (Fortran's `REAL(16)`, C's `_Float128`), through the compiler's support routines.
//!
//! The routines are part of every toolchain's libgcc_s, which Rust's own runtime needs as well. They
//! take and return SSE registers, which stable Rust cannot say in a foreign signature: hence assembly.
#![allow(unsafe_code)]

use std::arch::asm;
use std::arch::x86_64::__m128i;
use std::mem::transmute;

use super::number::Real;

/// A binary128, its bits least significant first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Quad(pub u128);

// Only their addresses are used here; the true signatures have binary128 arguments.
unsafe extern "C" {
    fn __addtf3();
    fn __subtf3();
    fn __multf3();
    /// Negative if neither argument is a NaN and the first is less.
    fn __lttf2();
}

fn register(value: Quad) -> __m128i {
    // SAFETY: both are 16 bytes without invalid patterns.
    unsafe { transmute::<u128, __m128i>(value.0) }
}

macro_rules! call {
    ($routine:ident($a:expr, $b:expr)) => {{
        let result: __m128i;
        // SAFETY: the routine is pure arithmetic. Its arguments and result are where the C calling convention has
        // binary128 values; everything that a call may change is declared.
        unsafe {
            asm!(
                "call {routine}",
                routine = sym $routine,
                inlateout("xmm0") register($a) => result,
                in("xmm1") register($b),
                clobber_abi("C"),
            );
        }
        // SAFETY: both are 16 bytes without invalid patterns.
        Quad(unsafe { transmute::<__m128i, u128>(result) })
    }};
}

impl Real for Quad {
    fn plus(self, other: Self) -> Self {
        call!(__addtf3(self, other))
    }

    fn minus(self, other: Self) -> Self {
        call!(__subtf3(self, other))
    }

    fn times(self, other: Self) -> Self {
        call!(__multf3(self, other))
    }

    fn less(self, other: Self) -> bool {
        let order: i32;
        // SAFETY: as above; the result is an `int`.
        unsafe {
            asm!(
                "call {routine}",
                routine = sym __lttf2,
                in("xmm0") register(self),
                in("xmm1") register(other),
                lateout("eax") order,
                clobber_abi("C"),
            );
        }
        order < 0
    }
}

//! The x87 80-bit format (C's `long double` on x86_64), which Rust has no type for.
//!
//! Sums and products run on the x87 unit by inline assembly, so that they round as the application's
//! own arithmetic does; comparison is a comparison of bit patterns.
#![allow(unsafe_code)]

use std::arch::asm;

use super::number::Real;

/// A `long double`: 64 bits of significand with an explicit leading one, 15 of exponent, the sign,
/// and 6 bytes of padding.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Extended {
    pub significand: u64,
    /// The sign in bit 15, the biased exponent below.
    pub head: u16,
    padding: [u16; 3],
}

macro_rules! x87 {
    ($a:expr, $b:expr, $instruction:literal) => {{
        let (a, b) = (&$a, &$b);
        let mut result = Extended::new(0, 0);
        // SAFETY: reads 10 bytes of each operand and writes 10 of the result, which are 16 long; the
        // x87 stack is empty on entry by the calling convention, declared as clobbered, and as empty
        // again at the end.
        unsafe {
            asm!(
                "fld tbyte ptr [{a}]",
                "fld tbyte ptr [{b}]",
                $instruction,
                "fstp tbyte ptr [{result}]",
                a = in(reg) a,
                b = in(reg) b,
                result = in(reg) &mut result,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        result
    }};
}

impl Extended {
    pub fn new(head: u16, significand: u64) -> Extended {
        Extended {
            significand,
            head,
            padding: [0; 3],
        }
    }

    fn is_nan(self) -> bool {
        self.head & 0x7fff == 0x7fff && self.significand << 1 != 0
    }

    /// Sign and magnitude as one number that rises with the value; both zeros are equal.
    fn rank(self) -> i128 {
        let magnitude = i128::from(self.head & 0x7fff) << 64 | i128::from(self.significand);
        if self.head >> 15 == 0 {
            magnitude
        } else {
            -magnitude
        }
    }
}

impl Real for Extended {
    fn plus(self, other: Self) -> Self {
        x87!(self, other, "faddp st(1), st")
    }

    fn minus(self, other: Self) -> Self {
        x87!(self, other, "fsubp st(1), st")
    }

    fn times(self, other: Self) -> Self {
        x87!(self, other, "fmulp st(1), st")
    }

    fn less(self, other: Self) -> bool {
        !self.is_nan() && !other.is_nan() && self.rank() < other.rank()
    }
}

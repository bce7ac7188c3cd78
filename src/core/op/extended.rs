//! The x87 80-bit format (C's `long double` on x86_64), which Rust has no type for.
//!
//! Sums and products run on the x87 unit by inline assembly, so that they round as the application's own arithmetic
//! does. Comparison is a comparison of bit patterns.
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

/// `result = a op b` on the x87 unit; the operands are addresses of 10 readable or writable bytes.
macro_rules! x87 {
    ($a:expr, $b:expr, $result:expr, $instruction:literal) => {
        // SAFETY: the macro's user vouches for the 10 bytes at each address. The x87 stack is empty on
        // entry by the calling convention, declared as clobbered, and empty again at the end.
        unsafe {
            asm!(
                "fld tbyte ptr [{a}]",
                "fld tbyte ptr [{b}]",
                $instruction,
                "fstp tbyte ptr [{result}]",
                a = in(reg) $a,
                b = in(reg) $b,
                result = in(reg) $result,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
    };
}

/// A loop over arrays: values that pass through registers of the other kind would stall.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident $instruction:literal) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// `count` elements can be read at `a` and `b` and written at `out`.
        pub unsafe fn $name(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
            for index in 0..count {
                let offset = index * size_of::<Extended>();
                let (a, b) = (a.wrapping_add(offset), b.wrapping_add(offset));
                x87!(a, b, out.wrapping_add(offset), $instruction);
            }
        }
    };
}

kernel! {
    /// `out = a + b`.
    sum "faddp st(1), st"
}

kernel! {
    /// `out = a * b`.
    product "fmulp st(1), st"
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
        let mut result = Extended::new(0, 0);
        x87!(&self, &other, &mut result, "faddp st(1), st");
        result
    }

    fn minus(self, other: Self) -> Self {
        let mut result = Extended::new(0, 0);
        x87!(&self, &other, &mut result, "fsubp st(1), st");
        result
    }

    fn times(self, other: Self) -> Self {
        let mut result = Extended::new(0, 0);
        x87!(&self, &other, &mut result, "fmulp st(1), st");
        result
    }

    fn less(self, other: Self) -> bool {
        !self.is_nan() && !other.is_nan() && self.rank() < other.rank()
    }
}

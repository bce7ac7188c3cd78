//! The basic elements that every datatype is made of, and the table of predefined datatypes.
//!
//! Sizes and alignments are those of the x86_64 System V C ABI and of gfortran's default kinds;
//! external sizes are those of "external32" (MPI-5.0, table 14.2). Numbers are MPI-5.0's; types that
//! only the MPICH and Open MPI families know have numbers above the standard's (0x2f8, 0x3f0...).
//! Knows nothing of derived types or of handles' owners.

use crate::handle::Datatype;

/// What the bits of a basic element mean; with the size this decides which operations it allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Uninterpreted bytes (`MPI_BYTE`, `MPI_PACKED`).
    Bytes,
    /// `MPI_CHAR`, `MPI_CHARACTER`: text, which the families also reduce as signed integers.
    Character,
    WideCharacter,
    Signed,
    Unsigned,
    /// C and C++ `bool`.
    Bool,
    /// Fortran `LOGICAL`.
    Logical,
    /// IEEE binary16, binary32, binary64 or binary128, by size.
    Float,
    /// The upper half of a binary32.
    BrainFloat,
    /// The x87 80-bit format in 16 bytes.
    LongDouble,
    /// Two [`Class::Float`] of half the size.
    Complex,
    /// Two [`Class::LongDouble`].
    ComplexLongDouble,
}

/// One basic element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Basic {
    pub class: Class,
    /// Bytes in memory.
    pub size: u8,
    /// Bytes in "external32".
    pub external: u8,
    /// Alignment in C, in bytes.
    pub align: u8,
}

impl Basic {
    /// All that it is in one number, which is not 0.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        u32::from_ne_bytes([self.class as u8, self.size, self.external, self.align])
    }

    const fn of(class: Class, size: u8) -> Basic {
        let align = match class {
            Class::Complex => size / 2,
            Class::ComplexLongDouble => 16,
            _ => size,
        };
        Basic {
            class,
            size,
            external: size,
            align,
        }
    }

    const fn outside(mut self, external: u8) -> Basic {
        self.external = external;
        self
    }
}

/// How a predefined datatype lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    One(Basic),
    /// A value and an index (or two equal parts), laid out as a C struct.
    Pair(Basic, Basic),
    /// `MPI_LB`: no data, marks the lower bound.
    LowerMark,
    /// `MPI_UB`: no data, marks the upper bound.
    UpperMark,
}

/// A predefined datatype.
#[derive(Debug)]
pub struct Named {
    pub number: Datatype,
    pub name: &'static str,
    pub layout: Layout,
}

impl Named {
    /// The name that `MPI_Type_get_name` answers: of two names for one type, the older.
    pub fn answered(&self) -> &'static str {
        match self.number {
            MPI_LONG_LONG => "MPI_LONG_LONG_INT",
            MPI_C_FLOAT_COMPLEX => "MPI_C_COMPLEX",
            _ => self.name,
        }
    }
}

const BYTE: Basic = Basic::of(Class::Bytes, 1);
const CHARACTER: Basic = Basic::of(Class::Character, 1);
const WCHAR: Basic = Basic::of(Class::WideCharacter, 4).outside(2);
const BOOL: Basic = Basic::of(Class::Bool, 1);
const F16: Basic = Basic::of(Class::Float, 2);
const BF16: Basic = Basic::of(Class::BrainFloat, 2);
const F32: Basic = Basic::of(Class::Float, 4);
const F64: Basic = Basic::of(Class::Float, 8);
const F80: Basic = Basic::of(Class::LongDouble, 16);
const F128: Basic = Basic::of(Class::Float, 16);
const C32: Basic = Basic::of(Class::Complex, 4);
const C64: Basic = Basic::of(Class::Complex, 8);
const C128: Basic = Basic::of(Class::Complex, 16);
const C160: Basic = Basic::of(Class::ComplexLongDouble, 32);
const C256: Basic = Basic::of(Class::Complex, 32);
const fn int(size: u8) -> Basic {
    Basic::of(Class::Signed, size)
}
const fn uint(size: u8) -> Basic {
    Basic::of(Class::Unsigned, size)
}
const fn logical(size: u8) -> Basic {
    Basic::of(Class::Logical, size)
}

macro_rules! named {
    ($($number:literal $name:ident $layout:expr;)*) => {
        /// Every predefined datatype, by rising number.
        pub const NAMED: &[Named] = &[$(
            Named { number: Datatype($number), name: stringify!($name), layout: $layout },
        )*];
        $(pub const $name: Datatype = Datatype($number);)*
    };
}

use Layout::{LowerMark, One, Pair, UpperMark};

named! {
    0x201 MPI_AINT One(int(8));
    0x202 MPI_COUNT One(int(8));
    0x203 MPI_OFFSET One(int(8));
    0x207 MPI_PACKED One(BYTE);
    0x208 MPI_SHORT One(int(2));
    0x209 MPI_INT One(int(4));
    0x20a MPI_LONG One(int(8).outside(4));
    0x20b MPI_LONG_LONG One(int(8));
    0x20c MPI_UNSIGNED_SHORT One(uint(2));
    0x20d MPI_UNSIGNED One(uint(4));
    0x20e MPI_UNSIGNED_LONG One(uint(8).outside(4));
    0x20f MPI_UNSIGNED_LONG_LONG One(uint(8));
    0x210 MPI_FLOAT One(F32);
    0x212 MPI_C_FLOAT_COMPLEX One(C64);
    0x213 MPI_CXX_FLOAT_COMPLEX One(C64);
    0x214 MPI_DOUBLE One(F64);
    0x216 MPI_C_DOUBLE_COMPLEX One(C128);
    0x217 MPI_CXX_DOUBLE_COMPLEX One(C128);
    0x218 MPI_LOGICAL One(logical(4));
    0x219 MPI_INTEGER One(int(4));
    0x21a MPI_REAL One(F32);
    0x21b MPI_COMPLEX One(C64);
    0x21c MPI_DOUBLE_PRECISION One(F64);
    0x21d MPI_DOUBLE_COMPLEX One(C128);
    0x21e MPI_CHARACTER One(CHARACTER);
    0x220 MPI_LONG_DOUBLE One(F80);
    0x224 MPI_C_LONG_DOUBLE_COMPLEX One(C160);
    0x225 MPI_CXX_LONG_DOUBLE_COMPLEX One(C160);
    0x228 MPI_FLOAT_INT Pair(F32, int(4));
    0x229 MPI_DOUBLE_INT Pair(F64, int(4));
    0x22a MPI_LONG_INT Pair(int(8).outside(4), int(4));
    0x22b MPI_2INT Pair(int(4), int(4));
    0x22c MPI_SHORT_INT Pair(int(2), int(4));
    0x22d MPI_LONG_DOUBLE_INT Pair(F80, int(4));
    0x230 MPI_2REAL Pair(F32, F32);
    0x231 MPI_2DOUBLE_PRECISION Pair(F64, F64);
    0x232 MPI_2INTEGER Pair(int(4), int(4));
    0x238 MPI_C_BOOL One(BOOL);
    0x239 MPI_CXX_BOOL One(BOOL);
    0x23c MPI_WCHAR One(WCHAR);
    0x240 MPI_INT8_T One(int(1));
    0x241 MPI_UINT8_T One(uint(1));
    0x243 MPI_CHAR One(CHARACTER);
    0x244 MPI_SIGNED_CHAR One(int(1));
    0x245 MPI_UNSIGNED_CHAR One(uint(1));
    0x247 MPI_BYTE One(BYTE);
    0x248 MPI_INT16_T One(int(2));
    0x249 MPI_UINT16_T One(uint(2));
    0x250 MPI_INT32_T One(int(4));
    0x251 MPI_UINT32_T One(uint(4));
    0x258 MPI_INT64_T One(int(8));
    0x259 MPI_UINT64_T One(uint(8));
    0x2c0 MPI_LOGICAL1 One(logical(1));
    0x2c1 MPI_INTEGER1 One(int(1));
    0x2c8 MPI_LOGICAL2 One(logical(2));
    0x2c9 MPI_INTEGER2 One(int(2));
    0x2ca MPI_REAL2 One(F16);
    0x2d0 MPI_LOGICAL4 One(logical(4));
    0x2d1 MPI_INTEGER4 One(int(4));
    0x2d2 MPI_REAL4 One(F32);
    0x2d3 MPI_COMPLEX4 One(C32);
    0x2d8 MPI_LOGICAL8 One(logical(8));
    0x2d9 MPI_INTEGER8 One(int(8));
    0x2da MPI_REAL8 One(F64);
    0x2db MPI_COMPLEX8 One(C64);
    0x2e0 MPI_LOGICAL16 One(logical(16));
    0x2e1 MPI_INTEGER16 One(int(16));
    0x2e2 MPI_REAL16 One(F128);
    0x2e3 MPI_COMPLEX16 One(C128);
    0x2eb MPI_COMPLEX32 One(C256);
    0x2f8 MPIX_C_FLOAT16 One(F16);
    0x2f9 MPIX_BFLOAT16 One(BF16);
    0x3f0 MPI_LB LowerMark;
    0x3f1 MPI_UB UpperMark;
    0x3f2 MPI_2COMPLEX Pair(C64, C64);
    0x3f3 MPI_2DOUBLE_COMPLEX Pair(C128, C128);
    0x3f4 MPIX_C_SHORT_FLOAT_COMPLEX One(C32);
    0x3f5 MPIX_CXX_SHORT_FLOAT_COMPLEX One(C32);
}

/// First number of the predefined datatypes' range.
pub const FIRST: u32 = 0x200;
/// One past the last number of that range.
pub const END: u32 = 0x400;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_and_fixed_sizes_are_in_the_number() {
        for pair in NAMED.windows(2) {
            assert!(pair[0].number < pair[1].number, "{}", pair[1].name);
        }
        for named in NAMED {
            let number = named.number.0;
            // MPI-5.0, appendix A: bits 3..5 of a fixed-size type's number are log2 of its size.
            if (0x240..0x280).contains(&number) || (0x2c0..0x2f0).contains(&number) {
                let Layout::One(basic) = named.layout else {
                    panic!("{} is of fixed size", named.name)
                };
                assert_eq!(1 << (number >> 3 & 7), basic.size, "{}", named.name);
            }
        }
    }
}

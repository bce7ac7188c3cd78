//! MPICH's handles: 32-bit numbers, of which the predefined ones go through tables.
//!
//! Handles that are made at run time are the core's own bits, which have MPICH's kind codes; only
//! datatypes are marked as "indirect", because five predefined pair types take the first "direct"
//! numbers. What is no handle becomes 0.

use std::ffi::c_int;

use anympi_core::abi::Encode;
use anympi_core::handle::*;

use crate::abi::Front;
use crate::types::ADIOI_FileD;

/// First number of a handle made at run time.
const FIRST_DYNAMIC: u32 = 0x8000_0000;

/// (MPICH's handle, number in MPI-5.0), with the low byte of MPICH's handle unique.
const DATATYPES: &[(u32, u32)] = &[
    (0x0c00_0000, 0x200), // MPI_DATATYPE_NULL
    (0x4c00_0843, 0x201), // MPI_AINT
    (0x4c00_0845, 0x202), // MPI_COUNT
    (0x4c00_0844, 0x203), // MPI_OFFSET
    (0x4c00_010f, 0x207), // MPI_PACKED
    (0x4c00_0203, 0x208), // MPI_SHORT
    (0x4c00_0405, 0x209), // MPI_INT
    (0x4c00_0807, 0x20a), // MPI_LONG
    (0x4c00_0809, 0x20b), // MPI_LONG_LONG
    (0x4c00_0204, 0x20c), // MPI_UNSIGNED_SHORT
    (0x4c00_0406, 0x20d), // MPI_UNSIGNED
    (0x4c00_0808, 0x20e), // MPI_UNSIGNED_LONG
    (0x4c00_0819, 0x20f), // MPI_UNSIGNED_LONG_LONG
    (0x4c00_040a, 0x210), // MPI_FLOAT
    (0x4c00_0840, 0x212), // MPI_C_COMPLEX
    (0x4c00_0834, 0x213), // MPI_CXX_FLOAT_COMPLEX
    (0x4c00_080b, 0x214), // MPI_DOUBLE
    (0x4c00_1041, 0x216), // MPI_C_DOUBLE_COMPLEX
    (0x4c00_1035, 0x217), // MPI_CXX_DOUBLE_COMPLEX
    (0x4c00_041d, 0x218), // MPI_LOGICAL
    (0x4c00_041b, 0x219), // MPI_INTEGER
    (0x4c00_041c, 0x21a), // MPI_REAL
    (0x4c00_081e, 0x21b), // MPI_COMPLEX
    (0x4c00_081f, 0x21c), // MPI_DOUBLE_PRECISION
    (0x4c00_1022, 0x21d), // MPI_DOUBLE_COMPLEX
    (0x4c00_011a, 0x21e), // MPI_CHARACTER
    (0x4c00_100c, 0x220), // MPI_LONG_DOUBLE
    (0x4c00_2042, 0x224), // MPI_C_LONG_DOUBLE_COMPLEX
    (0x4c00_2036, 0x225), // MPI_CXX_LONG_DOUBLE_COMPLEX
    (0x4c00_0816, 0x22b), // MPI_2INT
    (0x4c00_0821, 0x230), // MPI_2REAL
    (0x4c00_1023, 0x231), // MPI_2DOUBLE_PRECISION
    (0x4c00_0820, 0x232), // MPI_2INTEGER
    (0x4c00_013f, 0x238), // MPI_C_BOOL
    (0x4c00_0133, 0x239), // MPI_CXX_BOOL
    (0x4c00_040e, 0x23c), // MPI_WCHAR
    (0x4c00_0137, 0x240), // MPI_INT8_T
    (0x4c00_013b, 0x241), // MPI_UINT8_T
    (0x4c00_0101, 0x243), // MPI_CHAR
    (0x4c00_0118, 0x244), // MPI_SIGNED_CHAR
    (0x4c00_0102, 0x245), // MPI_UNSIGNED_CHAR
    (0x4c00_010d, 0x247), // MPI_BYTE
    (0x4c00_0238, 0x248), // MPI_INT16_T
    (0x4c00_023c, 0x249), // MPI_UINT16_T
    (0x4c00_0439, 0x250), // MPI_INT32_T
    (0x4c00_043d, 0x251), // MPI_UINT32_T
    (0x4c00_083a, 0x258), // MPI_INT64_T
    (0x4c00_083e, 0x259), // MPI_UINT64_T
    (0x4c00_0147, 0x2c0), // MPI_LOGICAL1
    (0x4c00_012d, 0x2c1), // MPI_INTEGER1
    (0x4c00_0248, 0x2c8), // MPI_LOGICAL2
    (0x4c00_022f, 0x2c9), // MPI_INTEGER2
    (0x4c00_0226, 0x2ca), // MPI_REAL2
    (0x4c00_0449, 0x2d0), // MPI_LOGICAL4
    (0x4c00_0430, 0x2d1), // MPI_INTEGER4
    (0x4c00_0427, 0x2d2), // MPI_REAL4
    (0x4c00_042e, 0x2d3), // MPI_COMPLEX4
    (0x4c00_084a, 0x2d8), // MPI_LOGICAL8
    (0x4c00_0831, 0x2d9), // MPI_INTEGER8
    (0x4c00_0829, 0x2da), // MPI_REAL8
    (0x4c00_0828, 0x2db), // MPI_COMPLEX8
    (0x4c00_104b, 0x2e0), // MPI_LOGICAL16
    (0x4c00_1032, 0x2e1), // MPI_INTEGER16
    (0x4c00_102b, 0x2e2), // MPI_REAL16
    (0x4c00_102a, 0x2e3), // MPI_COMPLEX16
    (0x4c00_202c, 0x2eb), // MPI_COMPLEX32
    (0x4c00_0246, 0x2f8), // MPIX_C_FLOAT16
    (0x4c00_024c, 0x2f9), // MPIX_BFLOAT16
    (0x4c00_0010, 0x3f0), // MPI_LB
    (0x4c00_0011, 0x3f1), // MPI_UB
];

/// The pair types: MPICH's handles are `FIRST_PAIR` + index.
const PAIRS: [u32; 5] = [
    0x228, // MPI_FLOAT_INT
    0x229, // MPI_DOUBLE_INT
    0x22a, // MPI_LONG_INT
    0x22c, // MPI_SHORT_INT
    0x22d, // MPI_LONG_DOUBLE_INT
];
const FIRST_PAIR: u32 = 0x8c00_0000;
/// What tells a datatype made at run time from a pair type.
const INDIRECT: u32 = 0x4000_0000;

/// (MPICH's handle, number in MPI-5.0), with the low byte of MPICH's handle unique.
const OPS: &[(u32, u32)] = &[
    (0x1800_0000, 0x20), // MPI_OP_NULL
    (0x5800_0003, 0x21), // MPI_SUM
    (0x5800_0002, 0x22), // MPI_MIN
    (0x5800_0001, 0x23), // MPI_MAX
    (0x5800_0004, 0x24), // MPI_PROD
    (0x5800_0006, 0x28), // MPI_BAND
    (0x5800_0008, 0x29), // MPI_BOR
    (0x5800_000a, 0x2a), // MPI_BXOR
    (0x5800_0005, 0x30), // MPI_LAND
    (0x5800_0007, 0x31), // MPI_LOR
    (0x5800_0009, 0x32), // MPI_LXOR
    (0x5800_000b, 0x38), // MPI_MINLOC
    (0x5800_000c, 0x39), // MPI_MAXLOC
    (0x5800_000d, 0x3c), // MPI_REPLACE
    (0x5800_000e, 0x3d), // MPI_NO_OP
];

/// A list by the low byte of MPICH's handle.
const fn by_low_byte(list: &[(u32, u32)]) -> [(u32, u32); 0x50] {
    let mut table = [(0, 0); 0x50];
    let mut i = 0;
    while i < list.len() {
        let slot = &mut table[(list[i].0 & 0xff) as usize];
        assert!(slot.1 == 0, "two handles with one low byte");
        *slot = list[i];
        i += 1;
    }
    table
}

/// A list by the number in MPI-5.0, counted from `first`; the rest is `null`.
const fn by_number<const N: usize>(list: &[(u32, u32)], first: u32, null: u32) -> [u32; N] {
    let mut table = [null; N];
    let mut i = 0;
    while i < list.len() {
        table[(list[i].1 - first) as usize] = list[i].0;
        i += 1;
    }
    table
}

static DATATYPE_NUMBERS: [(u32, u32); 0x50] = by_low_byte(DATATYPES);
static DATATYPE_HANDLES: [u32; 0x200] = {
    let mut table = by_number(DATATYPES, 0x200, 0x0c00_0000);
    let mut i = 0;
    while i < PAIRS.len() {
        table[(PAIRS[i] - 0x200) as usize] = FIRST_PAIR + i as u32;
        i += 1;
    }
    table
};
static OP_NUMBERS: [(u32, u32); 0x50] = by_low_byte(OPS);
static OP_HANDLES: [u32; 0x20] = by_number(OPS, 0x20, 0x1800_0000);

/// The number of a predefined handle in a table of [`by_low_byte`].
#[inline(always)]
fn number(table: &[(u32, u32); 0x50], c: u32) -> u32 {
    match table.get((c & 0xff) as usize) {
        Some(&(handle, number)) if handle == c => number,
        _ => 0,
    }
}

// SAFETY: any bits give the number of a predefined object, a number that the registry checks, or 0.
unsafe impl Encode<Datatype> for Front {
    type C = c_int;
    #[inline(always)]
    fn decode(c: c_int) -> Datatype {
        let c = c as u32;
        if c < FIRST_DYNAMIC {
            return Datatype(number(&DATATYPE_NUMBERS, c));
        }
        if c & INDIRECT != 0 {
            return Datatype(c & !INDIRECT);
        }
        let pair = PAIRS.get(c.wrapping_sub(FIRST_PAIR) as usize);
        Datatype(pair.copied().unwrap_or(0))
    }
    #[inline(always)]
    fn encode(value: Datatype) -> c_int {
        if value.0 >= FIRST_DYNAMIC {
            return (value.0 | INDIRECT) as c_int;
        }
        let handle = DATATYPE_HANDLES.get(value.0.wrapping_sub(0x200) as usize);
        handle.copied().unwrap_or(0x0c00_0000) as c_int
    }
}

// SAFETY: as for datatypes.
unsafe impl Encode<Op> for Front {
    type C = c_int;
    #[inline(always)]
    fn decode(c: c_int) -> Op {
        let c = c as u32;
        if c >= FIRST_DYNAMIC {
            return Op(c);
        }
        Op(number(&OP_NUMBERS, c))
    }
    #[inline(always)]
    fn encode(value: Op) -> c_int {
        if value.0 >= FIRST_DYNAMIC {
            return value.0 as c_int;
        }
        let handle = OP_HANDLES.get(value.0.wrapping_sub(0x20) as usize);
        handle.copied().unwrap_or(0x1800_0000) as c_int
    }
}

/// Kinds with few predefined handles: `Kind { MPICH's handle = number in MPI-5.0, ... }`, null first.
macro_rules! handles {
    ($($kind:ident { $null:literal = $number:literal $(, $c:literal = $core:literal)* })*) => { $(
        // SAFETY: any bits give a predefined number, a number that the registry checks, or 0.
        unsafe impl Encode<$kind> for Front {
            type C = c_int;
            #[inline(always)]
            fn decode(c: c_int) -> $kind {
                let c = c as u32;
                if c >= FIRST_DYNAMIC {
                    return $kind(c);
                }
                $kind(match c {
                    $null => $number,
                    $($c => $core,)*
                    _ => 0,
                })
            }
            #[inline(always)]
            fn encode(value: $kind) -> c_int {
                if value.0 >= FIRST_DYNAMIC {
                    return value.0 as c_int;
                }
                (match value.0 {
                    $($core => $c,)*
                    _ => $null,
                }) as u32 as c_int
            }
        }
    )* };
}

handles! {
    Comm { 0x0400_0000 = 0x100, 0x4400_0000 = 0x101, 0x4400_0001 = 0x102 }
    Group { 0x0800_0000 = 0x108, 0x4800_0000 = 0x109 }
    Win { 0x2000_0000 = 0x110 }
    Session { 0x3800_0000 = 0x120 }
    Message { 0x2c00_0000 = 0x128, 0x6c00_0000 = 0x129 }
    Info { 0x1c00_0000 = 0x130, 0x5c00_0001 = 0x131 }
    Request { 0x2c00_0000 = 0x180 }
    Stream { 0x3c00_0000 = 0x3c0 }
    Errhandler {
        0x1400_0000 = 0x140, 0x5400_0000 = 0x141, 0x5400_0003 = 0x142, 0x5400_0001 = 0x143
    }
}

// SAFETY: the pointer is only looked at as a number.
unsafe impl Encode<File> for Front {
    type C = *mut ADIOI_FileD;
    fn decode(c: *mut ADIOI_FileD) -> File {
        if c.is_null() {
            return File::NULL;
        }
        File(u32::try_from(c.addr()).unwrap_or(0))
    }
    fn encode(value: File) -> *mut ADIOI_FileD {
        if value.0 < FIRST_DYNAMIC {
            return std::ptr::null_mut();
        }
        std::ptr::without_provenance_mut(value.0 as usize)
    }
}

/// The Fortran `INTEGER` of a handle: the C handle (MPI-5.0, 19.3.4).
pub fn to_fortran<H: Handle>(handle: H) -> c_int {
    let raw = handle.raw();
    macro_rules! encode {
        ($($kind:ident)*) => {
            match H::KIND {
                $(Kind::$kind => <Front as Encode<$kind>>::encode($kind(raw)),)*
                // MPICH numbers files from 0, the null handle.
                Kind::File if raw < FIRST_DYNAMIC => 0,
                Kind::File => raw as c_int,
            }
        };
    }
    encode!(Comm Group Datatype Errhandler Op Info Win Request Message Session Stream)
}

/// The handle of a Fortran `INTEGER`.
pub fn from_fortran<H: Handle>(integer: c_int) -> H {
    macro_rules! decode {
        ($($kind:ident)*) => {
            match H::KIND {
                $(Kind::$kind => <Front as Encode<$kind>>::decode(integer).raw(),)*
                Kind::File if integer == 0 => File::NULL.raw(),
                Kind::File => integer as u32,
            }
        };
    }
    H::from_raw(decode!(Comm Group Datatype Errhandler Op Info Win Request Message Session Stream))
}

//! Open MPI's handles: pointers to objects that say which number of the core they stand for.

use std::ffi::c_int;

use anympi_core::abi::Encode;
use anympi_core::handle::*;

use crate::abi::Front;
use crate::object;
use crate::objects::FORTRAN;
use crate::types as c;

/// First number of a handle made at run time.
pub const FIRST_DYNAMIC: u32 = 0x8000_0000;

macro_rules! handles {
    ($($kind:ident $c:ident;)*) => { $(
        // SAFETY: `object::number` never follows a pointer that is not a handle.
        unsafe impl Encode<$kind> for Front {
            type C = c::$c;
            #[inline(always)]
            fn decode(c: c::$c) -> $kind {
                $kind(object::number(c.cast_const().cast()))
            }
            #[inline(always)]
            fn encode(value: $kind) -> c::$c {
                if value.0 >= FIRST_DYNAMIC {
                    return object::dynamic::<{ Kind::$kind as usize }>(value.0).cast();
                }
                let object = object::predefined(value.0);
                if object.is_null() {
                    return object::predefined($kind::NULL.0).cast();
                }
                object.cast()
            }
        }
    )* };
}

handles! {
    Comm MPI_Comm;
    Group MPI_Group;
    Datatype MPI_Datatype;
    Op MPI_Op;
    Info MPI_Info;
    Errhandler MPI_Errhandler;
    Request MPI_Request;
    Win MPI_Win;
    File MPI_File;
    Session MPI_Session;
    Message MPI_Message;
}

/// The kind of a number, if it is one of an object that the core could know.
pub fn kind_of(number: u32) -> Kind {
    if number < FIRST_DYNAMIC {
        return kind(number);
    }
    const KINDS: [Kind; 12] = [
        Kind::Comm,
        Kind::Group,
        Kind::Datatype,
        Kind::File,
        Kind::Errhandler,
        Kind::Op,
        Kind::Info,
        Kind::Win,
        Kind::Request,
        Kind::Message,
        Kind::Session,
        Kind::Stream,
    ];
    let bits = number >> 26 & 0xf;
    let known = KINDS.into_iter().find(|kind| *kind as u32 == bits);
    known.unwrap_or(Kind::Stream)
}

/// No predefined object has this Fortran number.
const NONE: u16 = u16::MAX;
/// Above every Fortran number of a predefined object.
const FORTRAN_END: usize = 80;

/// The kind of a predefined object (MPI-5.0, appendix A).
pub const fn kind(number: u32) -> Kind {
    match number {
        0x020..=0x03f => Kind::Op,
        0x100..=0x107 => Kind::Comm,
        0x108..=0x10f => Kind::Group,
        0x110..=0x117 => Kind::Win,
        0x118..=0x11f => Kind::File,
        0x120..=0x127 => Kind::Session,
        0x128..=0x12f => Kind::Message,
        0x130..=0x13f => Kind::Info,
        0x140..=0x17f => Kind::Errhandler,
        0x180..=0x1ff => Kind::Request,
        _ => Kind::Datatype,
    }
}

/// Fortran number by the core's.
static TO_FORTRAN: [u16; 0x400] = {
    let mut table = [NONE; 0x400];
    let mut i = 0;
    while i < FORTRAN.len() {
        table[FORTRAN[i].0 as usize] = FORTRAN[i].1;
        i += 1;
    }
    table
};

/// The core's number by kind and Fortran number; 0 for none.
static FROM_FORTRAN: [[u16; FORTRAN_END]; 16] = {
    let mut table = [[0; FORTRAN_END]; 16];
    let mut i = 0;
    while i < FORTRAN.len() {
        let (number, fortran) = FORTRAN[i];
        table[kind(number) as usize][fortran as usize] = number as u16;
        i += 1;
    }
    table
};

/// The Fortran `INTEGER` of a handle: Open MPI's fixed number for what `mpif.h` names, else the core's.
pub fn to_fortran<H: Handle>(handle: H) -> c_int {
    match TO_FORTRAN.get(handle.raw() as usize) {
        Some(&fortran) if fortran != NONE => c_int::from(fortran),
        _ => handle.raw() as c_int,
    }
}

/// The handle of a Fortran `INTEGER`.
pub fn from_fortran<H: Handle>(integer: c_int) -> H {
    let known = usize::try_from(integer)
        .ok()
        .and_then(|integer| FROM_FORTRAN[H::KIND as usize].get(integer));
    match known {
        Some(&number) => H::from_raw(u32::from(number)),
        None => H::from_raw(integer as u32),
    }
}

//! Data that `libmpi.so.12` exports, with the names and sizes of MPICH's.
//!
//! An executable may hold its own copy of each (copy relocation), so sizes are part of the ABI and only
//! values are ever compared. What Fortran's library stores here is its own business: the C side keeps
//! the variables.
#![allow(non_upper_case_globals)]

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use crate::types::{MPI_F08_status, MPI_Fint};

/// A constant address in an exported variable.
#[repr(transparent)]
pub struct Address(*const c_void);

// SAFETY: an address that nobody writes through.
unsafe impl Sync for Address {}

impl Address {
    pub fn address(&self) -> usize {
        self.0.addr()
    }
}

/// Places whose addresses are the special values. All of one kind, so that they differ.
static PLACES: [c_int; 3] = [0; 3];

#[unsafe(no_mangle)]
pub static MPI_UNWEIGHTED: Address = Address((&raw const PLACES[0]).cast());
#[unsafe(no_mangle)]
pub static MPI_WEIGHTS_EMPTY: Address = Address((&raw const PLACES[1]).cast());
#[unsafe(no_mangle)]
pub static MPI_T_PVAR_ALL_HANDLES: Address = Address((&raw const PLACES[2]).cast());

/// Set by the Fortran library to the addresses of its common blocks.
#[unsafe(no_mangle)]
pub static mut MPI_F_STATUS_IGNORE: *mut MPI_Fint = null_mut();
#[unsafe(no_mangle)]
pub static mut MPI_F_STATUSES_IGNORE: *mut MPI_Fint = null_mut();

const BLANK: MPI_F08_status = MPI_F08_status {
    count_lo: 0,
    count_hi_and_cancelled: 0,
    MPI_SOURCE: 0,
    MPI_TAG: 0,
    MPI_ERROR: 0,
};
#[unsafe(no_mangle)]
pub static mut MPIR_F08_MPI_STATUS_IGNORE_OBJ: MPI_F08_status = BLANK;
#[unsafe(no_mangle)]
pub static mut MPIR_F08_MPI_STATUSES_IGNORE_OBJ: MPI_F08_status = BLANK;
#[unsafe(no_mangle)]
pub static MPI_F08_STATUS_IGNORE: Address =
    Address((&raw const MPIR_F08_MPI_STATUS_IGNORE_OBJ).cast());
#[unsafe(no_mangle)]
pub static MPI_F08_STATUSES_IGNORE: Address =
    Address((&raw const MPIR_F08_MPI_STATUSES_IGNORE_OBJ).cast());
#[unsafe(no_mangle)]
pub static mut MPIR_F08_MPI_BOTTOM: c_int = 0;
#[unsafe(no_mangle)]
pub static mut MPIR_F08_MPI_IN_PLACE: c_int = 0;
#[unsafe(no_mangle)]
pub static MPIR_C_MPI_UNWEIGHTED: Address = Address((&raw const PLACES[0]).cast());
#[unsafe(no_mangle)]
pub static MPIR_C_MPI_WEIGHTS_EMPTY: Address = Address((&raw const PLACES[1]).cast());
#[unsafe(no_mangle)]
pub static MPIR_fortran_true: MPI_Fint = 1;
#[unsafe(no_mangle)]
pub static MPIR_fortran_false: MPI_Fint = 0;

/// Special addresses that newer Fortran libraries fill in.
#[unsafe(no_mangle)]
pub static mut MPIR_F_MPI_BOTTOM: *const c_void = null();
#[unsafe(no_mangle)]
pub static mut MPIR_F_MPI_IN_PLACE: *const c_void = null();
#[unsafe(no_mangle)]
pub static mut MPIR_F_MPI_UNWEIGHTED: *const c_void = null();
#[unsafe(no_mangle)]
pub static mut MPIR_F_MPI_WEIGHTS_EMPTY: *const c_void = null();

/// `text` padded with NULs.
const fn padded<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut padded = [0; N];
    let mut i = 0;
    while i < bytes.len() {
        padded[i] = bytes[i];
        i += 1;
    }
    padded
}

/// What `mpichversion` prints; its executable has copies of exactly these sizes.
macro_rules! versions {
    ($($name:ident: $size:literal = $text:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub static $name: [u8; $size] = padded($text);
    )* };
}

versions! {
    MPII_Version_string: 6 = "4.3.0";
    MPII_Version_date: 29 = "";
    MPII_Version_ABI: 7 = "";
    MPII_Version_device: 8 = "anympi";
    MPII_Version_configure: 1043 = "";
    MPII_Version_CC: 127 = "";
    MPII_Version_CXX: 126 = "";
    MPII_Version_F77: 277 = "";
    MPII_Version_FC: 277 = "";
    MPII_Version_custom: 1 = "";
}

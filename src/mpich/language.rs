//! Functions that MPICH's headers and its Fortran and C++ libraries use, beside MPI's own.
//!
//! Signatures are those of MPICH 4.0 (see its `mpi_attr.h`); attribute values travel as one machine word.

#![allow(non_snake_case)]

use crate::prelude::*;

/// `MPI_COMM_DUP_FN`, `MPI_TYPE_DUP_FN`, `MPI_WIN_DUP_FN`: the new object gets the same value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MPIR_Dup_fn(
    _object: c_int,
    _keyval: c_int,
    _extra_state: *mut c_void,
    attribute_val_in: *mut c_void,
    attribute_val_out: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: the caller of a copy function has places for the value and the flag.
    unsafe {
        *attribute_val_out.cast::<*mut c_void>() = attribute_val_in;
        *flag = 1;
    }
    0
}

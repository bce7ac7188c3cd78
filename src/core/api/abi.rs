//! Queries about the ABI: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Abi_get_fortran_booleans`. (MPI-5.0, chapter 20)
pub fn abi_get_fortran_booleans(
    _mpi: &Mpi,
    _logical_size: i32,
    _logical_true: Opaque,
    _logical_false: Opaque,
    _is_set: Out<bool>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Abi_get_fortran_info`. (MPI-5.0, chapter 20)
pub fn abi_get_fortran_info(_mpi: &Mpi, _info: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Abi_get_info`. (MPI-5.0, chapter 20)
pub fn abi_get_info(_mpi: &Mpi, _info: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Abi_get_version`. (MPI-5.0, chapter 20)
pub fn abi_get_version(_mpi: &Mpi, _abi_major: Out<i32>, _abi_minor: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Abi_set_fortran_booleans`. (MPI-5.0, chapter 20)
pub fn abi_set_fortran_booleans(
    _mpi: &Mpi,
    _logical_size: i32,
    _logical_true: Opaque,
    _logical_false: Opaque,
) -> Result<()> {
    unsupported()
}

/// `MPI_Abi_set_fortran_info`. (MPI-5.0, chapter 20)
pub fn abi_set_fortran_info(_mpi: &Mpi, _info: Info) -> Result<()> {
    unsupported()
}

//! Queries about the ABI: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::info::Pairs;

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

/// What the library knows of Fortran's types; `MPI_INFO_NULL`, as nothing has told it. (MPI-5.0, 20.2)
pub fn abi_get_fortran_info(_mpi: &Mpi, info: Out<Info>) -> Result<()> {
    info.set(Info::NULL);
    Ok(())
}

/// Sizes in bytes of the integer types, as a new info object. (MPI-5.0, 20.2)
pub fn abi_get_info(mpi: &Mpi, info: Out<Info>) -> Result<()> {
    let pairs = Pairs::new();
    let sizes = [
        ("mpi_aint_size", size_of::<Aint>()),
        ("mpi_count_size", size_of::<Count>()),
        ("mpi_offset_size", size_of::<Offset>()),
    ];
    for (key, bytes) in sizes {
        pairs.put(key, &bytes.to_string());
    }
    info.set(mpi.infos.insert(Rc::new(pairs))?);
    Ok(())
}

/// Version of the standard ABI that the library has; (-1, -1) for another ABI. (MPI-5.0, 20.2)
pub fn abi_get_version(mpi: &Mpi, abi_major: Out<i32>, abi_minor: Out<i32>) -> Result<()> {
    let (major, minor) = mpi.facts().abi_version;
    abi_major.set(major);
    abi_minor.set(minor);
    Ok(())
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

//! Queries about the ABI: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.
#![allow(unsafe_code)]

use std::rc::Rc;

use crate::api::prelude::*;
use crate::fail;
use crate::fortran::Booleans;
use crate::info::Pairs;

/// The bytes of a `LOGICAL`.
///
/// # Errors
/// `MPI_ERR_ARG`: no size that a `LOGICAL` has.
fn logical_bytes(logical_size: i32) -> Result<usize> {
    match logical_size {
        1 | 2 | 4 | 8 | 16 => Ok(logical_size as usize),
        _ => fail!(
            ARG,
            "logical_size = {logical_size}: 1, 2, 4, 8 or 16 was expected"
        ),
    }
}

/// # Errors
/// `MPI_ERR_ARG`: a null pointer.
fn require_places(logical_true: Opaque, logical_false: Opaque) -> Result<()> {
    for (name, place) in [
        ("logical_true", logical_true),
        ("logical_false", logical_false),
    ] {
        if place.0.is_null() {
            fail!(ARG, "{name} is a null pointer; a LOGICAL was expected");
        }
    }
    Ok(())
}

/// The values of Fortran's `LOGICAL`, if a binding has told them. (MPI-5.0, 20.2)
///
/// # Errors
/// `MPI_ERR_ARG`: another size than was told, or a null pointer.
pub fn abi_get_fortran_booleans(
    mpi: &Mpi,
    logical_size: i32,
    logical_true: Opaque,
    logical_false: Opaque,
    is_set: Out<bool>,
) -> Result<()> {
    let bytes = logical_bytes(logical_size)?;
    let told = mpi.fortran.booleans();
    if let Some(booleans) = &told {
        require_places(logical_true, logical_false)?;
        if booleans.yes.len() != bytes {
            fail!(
                ARG,
                "logical_size = {logical_size}: values of {} bytes have been set",
                booleans.yes.len()
            );
        }
        for (value, place) in [(&booleans.yes, logical_true), (&booleans.no, logical_false)] {
            // SAFETY: the caller vouches for a LOGICAL of `logical_size` bytes at each place.
            unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), place.0.cast(), bytes) };
        }
    }
    is_set.set(told.is_some());
    Ok(())
}

/// What a Fortran binding has told of its types, as a new info object; `MPI_INFO_NULL` if nothing.
/// (MPI-5.0, 20.2)
pub fn abi_get_fortran_info(mpi: &Mpi, info: Out<Info>) -> Result<()> {
    info.set(match mpi.fortran.pairs() {
        Some(pairs) => mpi.infos.insert(Rc::new(pairs))?,
        None => Info::NULL,
    });
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

/// Tells the values of Fortran's `LOGICAL`, once. (MPI-5.0, 20.2)
///
/// # Errors
/// `MPI_ERR_ARG`: no size that a `LOGICAL` has, or a null pointer. `MPI_ERR_ABI`: told before, or values
/// that cannot be told apart here.
pub fn abi_set_fortran_booleans(
    mpi: &Mpi,
    logical_size: i32,
    logical_true: Opaque,
    logical_false: Opaque,
) -> Result<()> {
    let bytes = logical_bytes(logical_size)?;
    require_places(logical_true, logical_false)?;
    let [yes, no] = [logical_true, logical_false].map(|place| {
        // SAFETY: the caller vouches for a LOGICAL of `logical_size` bytes at each place.
        unsafe { std::slice::from_raw_parts(place.0.cast::<u8>(), bytes) }.to_vec()
    });
    mpi.fortran.set_booleans(Booleans { yes, no })
}

/// Tells sizes of Fortran's types and which of them there are, once. (MPI-5.0, 20.2)
///
/// # Errors
/// `MPI_ERR_INFO`: no live info object. `MPI_ERR_ABI`: told before, or sizes that the types have not here.
pub fn abi_set_fortran_info(mpi: &Mpi, info: Info) -> Result<()> {
    mpi.fortran.set_pairs(mpi.info(info)?.as_ref())
}

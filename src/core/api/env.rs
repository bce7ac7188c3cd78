//! Environment inquiries, memory, timers: one function per MPI operation (MPI-5.0, chapter 9).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.
#![allow(unsafe_code)]

use std::rc::Rc;

use crate::api::prelude::*;
use crate::hardware::{self, Resource, Use};
use crate::info::Pairs;
use crate::{fail, sys};

/// Memory for communication, 64-byte aligned. (MPI-5.0, 9.2)
///
/// # Errors
/// `MPI_ERR_ARG`: a negative size. `MPI_ERR_NO_MEM`: there is not that much.
pub fn alloc_mem(_mpi: &Mpi, size: Aint, _info: Info, baseptr: PointerOut) -> Result<()> {
    let Ok(bytes) = usize::try_from(size) else {
        fail!(ARG, "size = {size}: a size cannot be negative");
    };
    match sys::allocate(bytes) {
        Some(memory) => baseptr.set(memory.cast()),
        None => fail!(
            NO_MEM,
            "size = {size}: the system has no {size} bytes to give"
        ),
    }
    Ok(())
}

/// Gives back memory of `MPI_Alloc_mem`. (MPI-5.0, 9.2)
pub fn free_mem(_mpi: &Mpi, base: MutBuf) -> Result<()> {
    if !base.is_null() {
        // SAFETY: the application vouches that this came from MPI_Alloc_mem and is no longer in use.
        unsafe { sys::release(base.0.cast()) };
    }
    Ok(())
}

/// The kinds of hardware resources, as a new info object: `true` where the calling process is kept to one
/// instance, else `false`. (MPI-5.0, 9.1.3)
pub fn get_hw_resource_info(mpi: &Mpi, hw_info: Out<Info>) -> Result<()> {
    let pairs = Pairs::new();
    for (resource, used) in Resource::ALL.iter().zip(hardware::uses()) {
        match used {
            Use::Unknown => (),
            Use::Several => pairs.put(resource.name(), "false"),
            Use::One(_) => pairs.put(resource.name(), "true"),
        }
    }
    hw_info.set(mpi.infos.insert(Rc::new(pairs))?);
    Ok(())
}

/// Name and version of this library, beginning as its ABI's family does. (MPI-5.0, 9.1.1)
pub fn get_library_version(mpi: &Mpi, version: StrOut, resultlen: Out<i32>) -> Result<()> {
    let facts = mpi.facts();
    let len = version.set(facts.library_version, facts.limits.library_version_string);
    resultlen.set(len as i32);
    Ok(())
}

/// Name of the node. (MPI-5.0, 9.1.2)
pub fn get_processor_name(mpi: &Mpi, name: StrOut, resultlen: Out<i32>) -> Result<()> {
    let len = name.set(&sys::host_name(), mpi.facts().limits.processor_name);
    resultlen.set(len as i32);
    Ok(())
}

/// Version of the MPI standard that the ABI's header states. (MPI-5.0, 9.1.1)
pub fn get_version(mpi: &Mpi, version: Out<i32>, subversion: Out<i32>) -> Result<()> {
    let (major, minor) = mpi.facts().version;
    version.set(major);
    subversion.set(minor);
    Ok(())
}

/// Resolution of `MPI_Wtime` in seconds. (MPI-5.0, 9.6)
pub fn wtick(_mpi: &Mpi) -> f64 {
    sys::seconds_resolution()
}

/// Seconds since some time in the past. (MPI-5.0, 9.6)
pub fn wtime(_mpi: &Mpi) -> f64 {
    sys::seconds()
}

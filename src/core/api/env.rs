//! Environment inquiries, memory, timers: one function per MPI operation (MPI-5.0, chapter 9).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.
#![allow(unsafe_code)]

use std::rc::Rc;

use crate::api::prelude::*;
use crate::hardware::{self, Resource, Use};
use crate::info::Pairs;
use crate::shm::heap;
use crate::{fail, sys};

/// Blocks of `MPI_Alloc_mem` from this length on come from the heap that other processes can map: a page.
const SHARED: usize = 4 << 10;
/// Alignment of a block without a wish.
const ALIGNMENT: usize = 64;
/// The wish for another one.
const ALIGNMENT_KEY: &str = "mpi_minimum_memory_alignment";

/// What the hints say about alignment.
fn alignment(mpi: &Mpi, info: Info) -> Result<usize> {
    if info.is_null() {
        return Ok(ALIGNMENT);
    }
    let Some(text) = mpi.info(info)?.get(ALIGNMENT_KEY) else {
        return Ok(ALIGNMENT);
    };
    match text.trim().parse::<usize>() {
        Ok(wish) if wish.is_power_of_two() => Ok(wish.max(ALIGNMENT)),
        _ => fail!(
            INFO_VALUE,
            "{ALIGNMENT_KEY} is \"{text}\", expected a power of two"
        ),
    }
}

/// Memory for communication, aligned to 64 bytes or to what the hint `mpi_minimum_memory_alignment` says.
/// (MPI-5.0, 9.2)
///
/// # Errors
/// `MPI_ERR_ARG`: a negative size. `MPI_ERR_NO_MEM`: there is not that much. `MPI_ERR_INFO_VALUE`: an alignment
/// that is no power of two.
pub fn alloc_mem(mpi: &Mpi, size: Aint, info: Info, baseptr: PointerOut) -> Result<()> {
    let Ok(bytes) = usize::try_from(size) else {
        fail!(ARG, "size = {size}: a size cannot be negative");
    };
    let align = alignment(mpi, info)?;
    let heap = mpi
        .engine_if_started()
        .filter(|engine| engine.node.own_heap);
    let shared = heap.filter(|_| bytes >= SHARED);
    let block = shared.and_then(|engine| engine.node.segment.allocate(bytes, align));
    match block.or_else(|| sys::allocate(bytes, align)) {
        Some(memory) => baseptr.set(memory.cast()),
        None => fail!(
            NO_MEM,
            "size = {size}: the system has no {size} bytes to give"
        ),
    }
    Ok(())
}

/// Gives back memory of `MPI_Alloc_mem`. (MPI-5.0, 9.2)
///
/// # Errors
/// `MPI_ERR_BASE`: a place in the middle of such memory, or memory that has been given back.
pub fn free_mem(_mpi: &Mpi, base: MutBuf) -> Result<()> {
    let memory = base.pointer().cast::<u8>();
    if heap::holds(memory) {
        if !heap::release(memory) {
            fail!(
                BASE,
                "base = {memory:?}: no memory of MPI_Alloc_mem begins there"
            );
        }
    } else if !memory.is_null() {
        // SAFETY: the application vouches that this came from MPI_Alloc_mem and is no longer in use.
        unsafe { sys::release(memory) };
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

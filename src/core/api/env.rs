//! Environment inquiries, memory, timers: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Alloc_mem`. (MPI-5.0, chapter 9)
pub fn alloc_mem(_mpi: &Mpi, _size: Aint, _info: Info, _baseptr: PointerOut) -> Result<()> {
    unsupported()
}

/// `MPI_Free_mem`. (MPI-5.0, chapter 9)
pub fn free_mem(_mpi: &Mpi, _base: MutBuf) -> Result<()> {
    unsupported()
}

/// `MPI_Get_hw_resource_info`. (MPI-5.0, chapter 9)
pub fn get_hw_resource_info(_mpi: &Mpi, _hw_info: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Get_library_version`. (MPI-5.0, chapter 9)
pub fn get_library_version(_mpi: &Mpi, _version: StrOut, _resultlen: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Get_processor_name`. (MPI-5.0, chapter 9)
pub fn get_processor_name(_mpi: &Mpi, _name: StrOut, _resultlen: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Get_version`. (MPI-5.0, chapter 9)
pub fn get_version(_mpi: &Mpi, _version: Out<i32>, _subversion: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Wtick`. (MPI-5.0, chapter 9)
pub fn wtick(_mpi: &Mpi) -> f64 {
    0.0
}

/// `MPI_Wtime`. (MPI-5.0, chapter 9)
pub fn wtime(_mpi: &Mpi) -> f64 {
    0.0
}

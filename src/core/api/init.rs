//! Start and end of MPI: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Abort`. (MPI-5.0, chapter 11)
pub fn abort(_mpi: &Mpi, _comm: Comm, _errorcode: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_Finalize`. (MPI-5.0, chapter 11)
pub fn finalize(_mpi: &Mpi) -> Result<()> {
    unsupported()
}

/// `MPI_Finalized`. (MPI-5.0, chapter 11)
pub fn finalized(_mpi: &Mpi, _flag: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPI_Init`. (MPI-5.0, chapter 11)
pub fn init(_mpi: &Mpi, _argc: Option<InOut<i32>>, _argv: MainArgv) -> Result<()> {
    unsupported()
}

/// `MPI_Init_thread`. (MPI-5.0, chapter 11)
pub fn init_thread(
    _mpi: &Mpi,
    _argc: Option<InOut<i32>>,
    _argv: MainArgv,
    _required: ThreadLevel,
    _provided: Out<ThreadLevel>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Initialized`. (MPI-5.0, chapter 11)
pub fn initialized(_mpi: &Mpi, _flag: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPI_Is_thread_main`. (MPI-5.0, chapter 11)
pub fn is_thread_main(_mpi: &Mpi, _flag: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPI_Query_thread`. (MPI-5.0, chapter 11)
pub fn query_thread(_mpi: &Mpi, _provided: Out<ThreadLevel>) -> Result<()> {
    unsupported()
}

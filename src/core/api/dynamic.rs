//! Process creation and connections: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::constructors::make;

/// `MPI_Close_port`. (MPI-5.0, chapter 11)
pub fn close_port(_mpi: &Mpi, _port_name: Str) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_accept`. (MPI-5.0, chapter 11)
pub fn comm_accept(
    _mpi: &Mpi,
    _port_name: Str,
    _info: Info,
    _root: Rank,
    _comm: Comm,
    _newcomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_connect`. (MPI-5.0, chapter 11)
pub fn comm_connect(
    _mpi: &Mpi,
    _port_name: Str,
    _info: Info,
    _root: Rank,
    _comm: Comm,
    _newcomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// Frees a communicator once all its processes have come here. Collective. (MPI-5.0, 11.10.4)
///
/// # Errors
/// `MPI_ERR_COMM`: predefined. What an attribute's delete function returned.
pub fn comm_disconnect(mpi: &Mpi, comm: InOut<Comm>) -> Result<()> {
    make::disconnect(mpi, comm.get())?;
    comm.set(Comm::NULL);
    Ok(())
}

/// The communicator with the processes that spawned this one; `MPI_COMM_NULL`, as none can be spawned
/// yet. (MPI-5.0, 11.8.2)
pub fn comm_get_parent(_mpi: &Mpi, parent: Out<Comm>) -> Result<()> {
    parent.set(Comm::NULL);
    Ok(())
}

/// `MPI_Comm_join`. (MPI-5.0, chapter 11)
pub fn comm_join(_mpi: &Mpi, _fd: i32, _intercomm: Out<Comm>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_spawn`. (MPI-5.0, chapter 11)
pub fn comm_spawn(
    _mpi: &Mpi,
    _command: Str,
    _argv: Strs,
    _maxprocs: i32,
    _info: Info,
    _root: Rank,
    _comm: Comm,
    _intercomm: Out<Comm>,
    _array_of_errcodes: ErrorCodesOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_spawn_multiple`. (MPI-5.0, chapter 11)
pub fn comm_spawn_multiple(
    _mpi: &Mpi,
    _count: i32,
    _array_of_commands: Strs,
    _array_of_argv: StrLists,
    _array_of_maxprocs: Ints,
    _array_of_info: Handles<Info>,
    _root: Rank,
    _comm: Comm,
    _intercomm: Out<Comm>,
    _array_of_errcodes: ErrorCodesOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Lookup_name`. (MPI-5.0, chapter 11)
pub fn lookup_name(_mpi: &Mpi, _service_name: Str, _info: Info, _port_name: StrOut) -> Result<()> {
    unsupported()
}

/// `MPI_Open_port`. (MPI-5.0, chapter 11)
pub fn open_port(_mpi: &Mpi, _info: Info, _port_name: StrOut) -> Result<()> {
    unsupported()
}

/// `MPI_Publish_name`. (MPI-5.0, chapter 11)
pub fn publish_name(_mpi: &Mpi, _service_name: Str, _info: Info, _port_name: Str) -> Result<()> {
    unsupported()
}

/// `MPI_Unpublish_name`. (MPI-5.0, chapter 11)
pub fn unpublish_name(_mpi: &Mpi, _service_name: Str, _info: Info, _port_name: Str) -> Result<()> {
    unsupported()
}

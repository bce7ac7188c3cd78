//! Completion of requests: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Cancel`. (MPI-5.0, chapter 3)
pub fn cancel(_mpi: &Mpi, _request: InOut<Request>) -> Result<()> {
    unsupported()
}

/// `MPI_Request_free`. (MPI-5.0, chapter 3)
pub fn request_free(_mpi: &Mpi, _request: InOut<Request>) -> Result<()> {
    unsupported()
}

/// `MPI_Request_get_status`. (MPI-5.0, chapter 3)
pub fn request_get_status(
    _mpi: &Mpi,
    _request: Request,
    _flag: Out<bool>,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Request_get_status_all`. (MPI-5.0, chapter 3)
pub fn request_get_status_all(
    _mpi: &Mpi,
    _count: i32,
    _array_of_requests: Handles<Request>,
    _flag: Out<bool>,
    _array_of_statuses: StatusesOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Request_get_status_any`. (MPI-5.0, chapter 3)
pub fn request_get_status_any(
    _mpi: &Mpi,
    _count: i32,
    _array_of_requests: Handles<Request>,
    _index: Out<i32>,
    _flag: Out<bool>,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Request_get_status_some`. (MPI-5.0, chapter 3)
pub fn request_get_status_some(
    _mpi: &Mpi,
    _incount: i32,
    _array_of_requests: Handles<Request>,
    _outcount: Out<i32>,
    _array_of_indices: IntsMut,
    _array_of_statuses: StatusesOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Start`. (MPI-5.0, chapter 3)
pub fn start(_mpi: &Mpi, _request: InOut<Request>) -> Result<()> {
    unsupported()
}

/// `MPI_Startall`. (MPI-5.0, chapter 3)
pub fn startall(_mpi: &Mpi, _count: i32, _array_of_requests: HandlesMut<Request>) -> Result<()> {
    unsupported()
}

/// `MPI_Test`. (MPI-5.0, chapter 3)
pub fn test(
    _mpi: &Mpi,
    _request: InOut<Request>,
    _flag: Out<bool>,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Testall`. (MPI-5.0, chapter 3)
pub fn testall(
    _mpi: &Mpi,
    _count: i32,
    _array_of_requests: HandlesMut<Request>,
    _flag: Out<bool>,
    _array_of_statuses: StatusesOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Testany`. (MPI-5.0, chapter 3)
pub fn testany(
    _mpi: &Mpi,
    _count: i32,
    _array_of_requests: HandlesMut<Request>,
    _index: Out<i32>,
    _flag: Out<bool>,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Testsome`. (MPI-5.0, chapter 3)
pub fn testsome(
    _mpi: &Mpi,
    _incount: i32,
    _array_of_requests: HandlesMut<Request>,
    _outcount: Out<i32>,
    _array_of_indices: IntsMut,
    _array_of_statuses: StatusesOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Wait`. (MPI-5.0, chapter 3)
pub fn wait(_mpi: &Mpi, _request: InOut<Request>, _status: Out<Status>) -> Result<()> {
    unsupported()
}

/// `MPI_Waitall`. (MPI-5.0, chapter 3)
pub fn waitall(
    _mpi: &Mpi,
    _count: i32,
    _array_of_requests: HandlesMut<Request>,
    _array_of_statuses: StatusesOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Waitany`. (MPI-5.0, chapter 3)
pub fn waitany(
    _mpi: &Mpi,
    _count: i32,
    _array_of_requests: HandlesMut<Request>,
    _index: Out<i32>,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Waitsome`. (MPI-5.0, chapter 3)
pub fn waitsome(
    _mpi: &Mpi,
    _incount: i32,
    _array_of_requests: HandlesMut<Request>,
    _outcount: Out<i32>,
    _array_of_indices: IntsMut,
    _array_of_statuses: StatusesOut,
) -> Result<()> {
    unsupported()
}

//! Status queries: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Get_count`. (MPI-5.0, chapter 3)
pub fn get_count(
    _mpi: &Mpi,
    _status: Status,
    _datatype: Datatype,
    _count: Out<Count>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Get_elements`. (MPI-5.0, chapter 3)
pub fn get_elements(
    _mpi: &Mpi,
    _status: Status,
    _datatype: Datatype,
    _count: Out<Count>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Get_elements_x`. (MPI-5.0, chapter 3)
pub fn get_elements_x(
    _mpi: &Mpi,
    _status: Status,
    _datatype: Datatype,
    _count: Out<BigCount>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Status_get_error`. (MPI-5.0, chapter 3)
pub fn status_get_error(_mpi: &Mpi, _status: Status, _err: Out<ErrorCode>) -> Result<()> {
    unsupported()
}

/// `MPI_Status_get_source`. (MPI-5.0, chapter 3)
pub fn status_get_source(_mpi: &Mpi, _status: Status, _source: Out<Rank>) -> Result<()> {
    unsupported()
}

/// `MPI_Status_get_tag`. (MPI-5.0, chapter 3)
pub fn status_get_tag(_mpi: &Mpi, _status: Status, _tag: Out<Tag>) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_cancelled`. (MPI-5.0, chapter 3)
pub fn status_set_cancelled(_mpi: &Mpi, _status: InOut<Status>, _flag: bool) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_elements`. (MPI-5.0, chapter 3)
pub fn status_set_elements(
    _mpi: &Mpi,
    _status: InOut<Status>,
    _datatype: Datatype,
    _count: Count,
) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_elements_x`. (MPI-5.0, chapter 3)
pub fn status_set_elements_x(
    _mpi: &Mpi,
    _status: InOut<Status>,
    _datatype: Datatype,
    _count: BigCount,
) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_error`. (MPI-5.0, chapter 3)
pub fn status_set_error(_mpi: &Mpi, _status: InOut<Status>, _err: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_source`. (MPI-5.0, chapter 3)
pub fn status_set_source(_mpi: &Mpi, _status: InOut<Status>, _source: Rank) -> Result<()> {
    unsupported()
}

/// `MPI_Status_set_tag`. (MPI-5.0, chapter 3)
pub fn status_set_tag(_mpi: &Mpi, _status: InOut<Status>, _tag: Tag) -> Result<()> {
    unsupported()
}

/// `MPI_Test_cancelled`. (MPI-5.0, chapter 3)
pub fn test_cancelled(_mpi: &Mpi, _status: Status, _flag: Out<bool>) -> Result<()> {
    unsupported()
}

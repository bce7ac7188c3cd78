//! Partitioned communication: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Parrived`. (MPI-5.0, chapter 4)
pub fn parrived(_mpi: &Mpi, _request: Request, _partition: i32, _flag: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPI_Pready`. (MPI-5.0, chapter 4)
pub fn pready(_mpi: &Mpi, _partition: i32, _request: Request) -> Result<()> {
    unsupported()
}

/// `MPI_Pready_list`. (MPI-5.0, chapter 4)
pub fn pready_list(
    _mpi: &Mpi,
    _length: i32,
    _array_of_partitions: Ints,
    _request: Request,
) -> Result<()> {
    unsupported()
}

/// `MPI_Pready_range`. (MPI-5.0, chapter 4)
pub fn pready_range(
    _mpi: &Mpi,
    _partition_low: i32,
    _partition_high: i32,
    _request: Request,
) -> Result<()> {
    unsupported()
}

/// `MPI_Precv_init`. (MPI-5.0, chapter 4)
pub fn precv_init(
    _mpi: &Mpi,
    _buf: MutBuf,
    _partitions: i32,
    _count: BigCount,
    _datatype: Datatype,
    _source: Rank,
    _tag: Tag,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Psend_init`. (MPI-5.0, chapter 4)
pub fn psend_init(
    _mpi: &Mpi,
    _buf: ConstBuf,
    _partitions: i32,
    _count: BigCount,
    _datatype: Datatype,
    _dest: Rank,
    _tag: Tag,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

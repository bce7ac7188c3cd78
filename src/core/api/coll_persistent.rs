//! Persistent collectives: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Allgather_init`. (MPI-5.0, chapter 6)
pub fn allgather_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Allgatherv_init`. (MPI-5.0, chapter 6)
pub fn allgatherv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _displs: Displs,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Allreduce_init`. (MPI-5.0, chapter 6)
pub fn allreduce_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Alltoall_init`. (MPI-5.0, chapter 6)
pub fn alltoall_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Alltoallv_init`. (MPI-5.0, chapter 6)
pub fn alltoallv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Counts,
    _sdispls: Displs,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _rdispls: Displs,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Alltoallw_init`. (MPI-5.0, chapter 6)
pub fn alltoallw_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Counts,
    _sdispls: Displs,
    _sendtypes: Handles<Datatype>,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _rdispls: Displs,
    _recvtypes: Handles<Datatype>,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Barrier_init`. (MPI-5.0, chapter 6)
pub fn barrier_init(_mpi: &Mpi, _comm: Comm, _info: Info, _request: Out<Request>) -> Result<()> {
    unsupported()
}

/// `MPI_Bcast_init`. (MPI-5.0, chapter 6)
pub fn bcast_init(
    _mpi: &Mpi,
    _buffer: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Exscan_init`. (MPI-5.0, chapter 6)
pub fn exscan_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Gather_init`. (MPI-5.0, chapter 6)
pub fn gather_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Gatherv_init`. (MPI-5.0, chapter 6)
pub fn gatherv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _displs: Displs,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_allgather_init`. (MPI-5.0, chapter 6)
pub fn neighbor_allgather_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_allgatherv_init`. (MPI-5.0, chapter 6)
pub fn neighbor_allgatherv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _displs: Displs,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_alltoall_init`. (MPI-5.0, chapter 6)
pub fn neighbor_alltoall_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_alltoallv_init`. (MPI-5.0, chapter 6)
pub fn neighbor_alltoallv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Counts,
    _sdispls: Displs,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _rdispls: Displs,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_alltoallw_init`. (MPI-5.0, chapter 6)
pub fn neighbor_alltoallw_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Counts,
    _sdispls: Aints,
    _sendtypes: Handles<Datatype>,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _rdispls: Aints,
    _recvtypes: Handles<Datatype>,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Reduce_init`. (MPI-5.0, chapter 6)
pub fn reduce_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Reduce_scatter_block_init`. (MPI-5.0, chapter 6)
pub fn reduce_scatter_block_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Reduce_scatter_init`. (MPI-5.0, chapter 6)
pub fn reduce_scatter_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Scan_init`. (MPI-5.0, chapter 6)
pub fn scan_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Scatter_init`. (MPI-5.0, chapter 6)
pub fn scatter_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Scatterv_init`. (MPI-5.0, chapter 6)
pub fn scatterv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Counts,
    _displs: Displs,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

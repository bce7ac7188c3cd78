//! Persistent collectives under their older extension names: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPIX_Allgather_init`.
pub fn mpix_allgather_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: i32,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: i32,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Allgatherv_init`.
pub fn mpix_allgatherv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: i32,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Ints,
    _displs: Ints,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Allreduce_init`.
pub fn mpix_allreduce_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: i32,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Alltoall_init`.
pub fn mpix_alltoall_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: i32,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: i32,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Alltoallv_init`.
pub fn mpix_alltoallv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Ints,
    _sdispls: Ints,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Ints,
    _rdispls: Ints,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Alltoallw_init`.
pub fn mpix_alltoallw_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Ints,
    _sdispls: Ints,
    _sendtypes: Handles<Datatype>,
    _recvbuf: MutBuf,
    _recvcounts: Ints,
    _rdispls: Ints,
    _recvtypes: Handles<Datatype>,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Barrier_init`.
pub fn mpix_barrier_init(
    _mpi: &Mpi,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Bcast_init`.
pub fn mpix_bcast_init(
    _mpi: &Mpi,
    _buffer: MutBuf,
    _count: i32,
    _datatype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Exscan_init`.
pub fn mpix_exscan_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: i32,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Gather_init`.
pub fn mpix_gather_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: i32,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: i32,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Gatherv_init`.
pub fn mpix_gatherv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: i32,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Ints,
    _displs: Ints,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Neighbor_allgather_init`.
pub fn mpix_neighbor_allgather_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: i32,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: i32,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Neighbor_allgatherv_init`.
pub fn mpix_neighbor_allgatherv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: i32,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Ints,
    _displs: Ints,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Neighbor_alltoall_init`.
pub fn mpix_neighbor_alltoall_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: i32,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: i32,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Neighbor_alltoallv_init`.
pub fn mpix_neighbor_alltoallv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Ints,
    _sdispls: Ints,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Ints,
    _rdispls: Ints,
    _recvtype: Datatype,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Neighbor_alltoallw_init`.
pub fn mpix_neighbor_alltoallw_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Ints,
    _sdispls: Aints,
    _sendtypes: Handles<Datatype>,
    _recvbuf: MutBuf,
    _recvcounts: Ints,
    _rdispls: Aints,
    _recvtypes: Handles<Datatype>,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Reduce_init`.
pub fn mpix_reduce_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: i32,
    _datatype: Datatype,
    _op: Op,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Reduce_scatter_block_init`.
pub fn mpix_reduce_scatter_block_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _recvcount: i32,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Reduce_scatter_init`.
pub fn mpix_reduce_scatter_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _recvcounts: Ints,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Scan_init`.
pub fn mpix_scan_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: i32,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Scatter_init`.
pub fn mpix_scatter_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: i32,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: i32,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Scatterv_init`.
pub fn mpix_scatterv_init(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcounts: Ints,
    _displs: Ints,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: i32,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _info: Info,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

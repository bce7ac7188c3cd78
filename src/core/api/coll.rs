//! Blocking collectives: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::datatype::Data;

/// `MPI_Allgather`. (MPI-5.0, chapter 6)
pub fn allgather(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Allgatherv`. (MPI-5.0, chapter 6)
pub fn allgatherv(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _displs: Displs,
    _recvtype: Datatype,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Allreduce`. (MPI-5.0, chapter 6)
pub fn allreduce(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Alltoall`. (MPI-5.0, chapter 6)
pub fn alltoall(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Alltoallv`. (MPI-5.0, chapter 6)
pub fn alltoallv(
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
) -> Result<()> {
    unsupported()
}

/// `MPI_Alltoallw`. (MPI-5.0, chapter 6)
pub fn alltoallw(
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
) -> Result<()> {
    unsupported()
}

/// `MPI_Barrier`. (MPI-5.0, chapter 6)
pub fn barrier(_mpi: &Mpi, _comm: Comm) -> Result<()> {
    unsupported()
}

/// `MPI_Bcast`. (MPI-5.0, chapter 6)
pub fn bcast(
    _mpi: &Mpi,
    _buffer: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _root: Rank,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Exscan`. (MPI-5.0, chapter 6)
pub fn exscan(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Gather`. (MPI-5.0, chapter 6)
pub fn gather(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Gatherv`. (MPI-5.0, chapter 6)
pub fn gatherv(
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
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_allgather`. (MPI-5.0, chapter 6)
pub fn neighbor_allgather(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_allgatherv`. (MPI-5.0, chapter 6)
pub fn neighbor_allgatherv(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _displs: Displs,
    _recvtype: Datatype,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_alltoall`. (MPI-5.0, chapter 6)
pub fn neighbor_alltoall(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_alltoallv`. (MPI-5.0, chapter 6)
pub fn neighbor_alltoallv(
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
) -> Result<()> {
    unsupported()
}

/// `MPI_Neighbor_alltoallw`. (MPI-5.0, chapter 6)
pub fn neighbor_alltoallw(
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
) -> Result<()> {
    unsupported()
}

/// `MPI_Reduce`. (MPI-5.0, chapter 6)
pub fn reduce(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _root: Rank,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Reduce_local`. (MPI-5.0, chapter 6)
pub fn reduce_local(
    mpi: &Mpi,
    inbuf: ConstBuf,
    inoutbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
) -> Result<()> {
    let op = mpi.ops.find(op)?;
    let datatype = mpi.committed(datatype)?;
    let names = ("inbuf", "count");
    let input = Data::described(inbuf.0.cast_mut().cast(), count, datatype.clone(), names)?;
    let inout = Data::described(inoutbuf.0.cast(), count, datatype, ("inoutbuf", "count"))?;
    op.apply(input.base, inout.base, input.count, &input.datatype)
}

/// `MPI_Reduce_scatter`. (MPI-5.0, chapter 6)
pub fn reduce_scatter(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Reduce_scatter_block`. (MPI-5.0, chapter 6)
pub fn reduce_scatter_block(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Scan`. (MPI-5.0, chapter 6)
pub fn scan(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Scatter`. (MPI-5.0, chapter 6)
pub fn scatter(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Scatterv`. (MPI-5.0, chapter 6)
pub fn scatterv(
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
) -> Result<()> {
    unsupported()
}

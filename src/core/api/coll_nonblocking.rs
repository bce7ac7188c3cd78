//! Non-blocking collectives: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Iallgather`. (MPI-5.0, chapter 6)
pub fn iallgather(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Iallgatherv`. (MPI-5.0, chapter 6)
pub fn iallgatherv(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _displs: Displs,
    _recvtype: Datatype,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Iallreduce`. (MPI-5.0, chapter 6)
pub fn iallreduce(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ialltoall`. (MPI-5.0, chapter 6)
pub fn ialltoall(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ialltoallv`. (MPI-5.0, chapter 6)
pub fn ialltoallv(
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
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ialltoallw`. (MPI-5.0, chapter 6)
pub fn ialltoallw(
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
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ibarrier`. (MPI-5.0, chapter 6)
pub fn ibarrier(_mpi: &Mpi, _comm: Comm, _request: Out<Request>) -> Result<()> {
    unsupported()
}

/// `MPI_Ibcast`. (MPI-5.0, chapter 6)
pub fn ibcast(
    _mpi: &Mpi,
    _buffer: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _root: Rank,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Iexscan`. (MPI-5.0, chapter 6)
pub fn iexscan(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Igather`. (MPI-5.0, chapter 6)
pub fn igather(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Igatherv`. (MPI-5.0, chapter 6)
pub fn igatherv(
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
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ineighbor_allgather`. (MPI-5.0, chapter 6)
pub fn ineighbor_allgather(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ineighbor_allgatherv`. (MPI-5.0, chapter 6)
pub fn ineighbor_allgatherv(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _displs: Displs,
    _recvtype: Datatype,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ineighbor_alltoall`. (MPI-5.0, chapter 6)
pub fn ineighbor_alltoall(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ineighbor_alltoallv`. (MPI-5.0, chapter 6)
pub fn ineighbor_alltoallv(
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
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ineighbor_alltoallw`. (MPI-5.0, chapter 6)
pub fn ineighbor_alltoallw(
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
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ireduce`. (MPI-5.0, chapter 6)
pub fn ireduce(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _root: Rank,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ireduce_scatter`. (MPI-5.0, chapter 6)
pub fn ireduce_scatter(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _recvcounts: Counts,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Ireduce_scatter_block`. (MPI-5.0, chapter 6)
pub fn ireduce_scatter_block(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Iscan`. (MPI-5.0, chapter 6)
pub fn iscan(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Iscatter`. (MPI-5.0, chapter 6)
pub fn iscatter(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _root: Rank,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Iscatterv`. (MPI-5.0, chapter 6)
pub fn iscatterv(
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
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

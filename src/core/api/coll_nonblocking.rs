//! Non-blocking collectives: one function per MPI operation (MPI-5.0, 6.12 and 8.7).
//!
//! As the blocking ones, but the operation goes on after the call and ends with its request. Errors are
//! those of the arguments; others are the request's.

use crate::api::prelude::*;
use crate::collective::calls;

/// As `MPI_Allgather`, without waiting. (MPI-5.0, 6.12)
pub fn iallgather(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::allgather(
        mpi, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Allgatherv`, without waiting. (MPI-5.0, 6.12)
pub fn iallgatherv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    displs: Displs,
    recvtype: Datatype,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::allgatherv(
        mpi, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Allreduce`, without waiting. (MPI-5.0, 6.12)
pub fn iallreduce(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::allreduce(mpi, sendbuf, recvbuf, count, datatype, op, comm)?.start(mpi, request)
}

/// As `MPI_Alltoall`, without waiting. (MPI-5.0, 6.12)
pub fn ialltoall(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::alltoall(
        mpi, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Alltoallv`, without waiting. (MPI-5.0, 6.12)
pub fn ialltoallv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Counts,
    sdispls: Displs,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    rdispls: Displs,
    recvtype: Datatype,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::alltoallv(
        mpi, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Alltoallw`, without waiting. (MPI-5.0, 6.12)
pub fn ialltoallw(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Counts,
    sdispls: Displs,
    sendtypes: Handles<Datatype>,
    recvbuf: MutBuf,
    recvcounts: Counts,
    rdispls: Displs,
    recvtypes: Handles<Datatype>,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::alltoallw(
        mpi, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Barrier`, without waiting. (MPI-5.0, 6.12)
pub fn ibarrier(mpi: &Mpi, comm: Comm, request: Out<Request>) -> Result<()> {
    calls::barrier(mpi, comm)?.start(mpi, request)
}

/// As `MPI_Bcast`, without waiting. (MPI-5.0, 6.12)
pub fn ibcast(
    mpi: &Mpi,
    buffer: MutBuf,
    count: Count,
    datatype: Datatype,
    root: Rank,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::bcast(mpi, buffer, count, datatype, root, comm)?.start(mpi, request)
}

/// As `MPI_Exscan`, without waiting. (MPI-5.0, 6.12)
pub fn iexscan(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::exscan(mpi, sendbuf, recvbuf, count, datatype, op, comm)?.start(mpi, request)
}

/// As `MPI_Gather`, without waiting. (MPI-5.0, 6.12)
pub fn igather(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::gather(
        mpi, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Gatherv`, without waiting. (MPI-5.0, 6.12)
pub fn igatherv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    displs: Displs,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::gatherv(
        mpi, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Neighbor_allgather`, without waiting. (MPI-5.0, 8.7)
pub fn ineighbor_allgather(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_allgather(
        mpi, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Neighbor_allgatherv`, without waiting. (MPI-5.0, 8.7)
pub fn ineighbor_allgatherv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    displs: Displs,
    recvtype: Datatype,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_allgatherv(
        mpi, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Neighbor_alltoall`, without waiting. (MPI-5.0, 8.7)
pub fn ineighbor_alltoall(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_alltoall(
        mpi, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Neighbor_alltoallv`, without waiting. (MPI-5.0, 8.7)
pub fn ineighbor_alltoallv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Counts,
    sdispls: Displs,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    rdispls: Displs,
    recvtype: Datatype,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_alltoallv(
        mpi, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Neighbor_alltoallw`, without waiting. (MPI-5.0, 8.7)
pub fn ineighbor_alltoallw(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Counts,
    sdispls: Aints,
    sendtypes: Handles<Datatype>,
    recvbuf: MutBuf,
    recvcounts: Counts,
    rdispls: Aints,
    recvtypes: Handles<Datatype>,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_alltoallw(
        mpi, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Reduce`, without waiting. (MPI-5.0, 6.12)
pub fn ireduce(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    root: Rank,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::reduce(mpi, sendbuf, recvbuf, count, datatype, op, root, comm)?.start(mpi, request)
}

/// As `MPI_Reduce_scatter`, without waiting. (MPI-5.0, 6.12)
pub fn ireduce_scatter(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::reduce_scatter(mpi, sendbuf, recvbuf, recvcounts, datatype, op, comm)?
        .start(mpi, request)
}

/// As `MPI_Reduce_scatter_block`, without waiting. (MPI-5.0, 6.12)
pub fn ireduce_scatter_block(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcount: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::reduce_scatter_block(mpi, sendbuf, recvbuf, recvcount, datatype, op, comm)?
        .start(mpi, request)
}

/// As `MPI_Scan`, without waiting. (MPI-5.0, 6.12)
pub fn iscan(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::scan(mpi, sendbuf, recvbuf, count, datatype, op, comm)?.start(mpi, request)
}

/// As `MPI_Scatter`, without waiting. (MPI-5.0, 6.12)
pub fn iscatter(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::scatter(
        mpi, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
    )?
    .start(mpi, request)
}

/// As `MPI_Scatterv`, without waiting. (MPI-5.0, 6.12)
pub fn iscatterv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Counts,
    displs: Displs,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    calls::scatterv(
        mpi, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
    )?
    .start(mpi, request)
}

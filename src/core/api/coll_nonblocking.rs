//! Non-blocking collectives: one function per MPI operation (MPI-5.0, 6.12 and 8.7).
//!
//! As the blocking ones, but the operation goes on after the call and ends with its request. Errors are
//! those of the arguments; others are the request's.

use crate::api::prelude::*;
use crate::collective::{Started, calls};

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
        Started { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcounts,
        displs,
        recvtype,
        comm,
    )
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
    calls::allreduce(
        Started { mpi, request },
        sendbuf,
        recvbuf,
        count,
        datatype,
        op,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcounts,
        sdispls,
        sendtype,
        recvbuf,
        recvcounts,
        rdispls,
        recvtype,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcounts,
        sdispls,
        sendtypes,
        recvbuf,
        recvcounts,
        rdispls,
        recvtypes,
        comm,
    )
}

/// As `MPI_Barrier`, without waiting. (MPI-5.0, 6.12)
pub fn ibarrier(mpi: &Mpi, comm: Comm, request: Out<Request>) -> Result<()> {
    calls::barrier(Started { mpi, request }, comm)
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
    calls::bcast(
        Started { mpi, request },
        buffer,
        count,
        datatype,
        root,
        comm,
    )
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
    calls::exscan(
        Started { mpi, request },
        sendbuf,
        recvbuf,
        count,
        datatype,
        op,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        root,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcounts,
        displs,
        recvtype,
        root,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcounts,
        displs,
        recvtype,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcounts,
        sdispls,
        sendtype,
        recvbuf,
        recvcounts,
        rdispls,
        recvtype,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcounts,
        sdispls,
        sendtypes,
        recvbuf,
        recvcounts,
        rdispls,
        recvtypes,
        comm,
    )
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
    calls::reduce(
        Started { mpi, request },
        sendbuf,
        recvbuf,
        count,
        datatype,
        op,
        root,
        comm,
    )
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
    calls::reduce_scatter(
        Started { mpi, request },
        sendbuf,
        recvbuf,
        recvcounts,
        datatype,
        op,
        comm,
    )
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
    calls::reduce_scatter_block(
        Started { mpi, request },
        sendbuf,
        recvbuf,
        recvcount,
        datatype,
        op,
        comm,
    )
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
    calls::scan(
        Started { mpi, request },
        sendbuf,
        recvbuf,
        count,
        datatype,
        op,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        root,
        comm,
    )
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
        Started { mpi, request },
        sendbuf,
        sendcounts,
        displs,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        root,
        comm,
    )
}

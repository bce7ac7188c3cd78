//! Blocking collectives: one function per MPI operation (MPI-5.0, chapter 6 and 8.6).
//!
//! What each does is written in `collective::calls`; here it is run to its end. Errors are those of its
//! arguments (`MPI_ERR_COMM`, `_COUNT`, `_TYPE`, `_BUFFER`, `_ROOT`, `_OP`, `_ARG`, `_TOPOLOGY`), and
//! `MPI_ERR_TRUNCATE` where other ranks send more than this one expects.

use crate::api::prelude::*;
use crate::collective::{Blocking, calls};

/// Every rank gets one block of the same size from every rank. (MPI-5.0, 6.7)
pub fn allgather(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<()> {
    calls::allgather(
        Blocking(mpi),
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
}

/// Every rank gets one block from every rank. (MPI-5.0, 6.7)
pub fn allgatherv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    displs: Displs,
    recvtype: Datatype,
    comm: Comm,
) -> Result<()> {
    calls::allgatherv(
        Blocking(mpi),
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

/// Every rank gets the combination of all ranks' data. (MPI-5.0, 6.9.6)
pub fn allreduce(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    calls::allreduce(Blocking(mpi), sendbuf, recvbuf, count, datatype, op, comm)
}

/// Every rank sends a block of its own to every rank, all of one size. (MPI-5.0, 6.8)
pub fn alltoall(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<()> {
    calls::alltoall(
        Blocking(mpi),
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
}

/// Every rank sends a block of its own to every rank. (MPI-5.0, 6.8)
pub fn alltoallv(
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
) -> Result<()> {
    calls::alltoallv(
        Blocking(mpi),
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

/// Every rank sends a block of its own to every rank, each with a datatype. (MPI-5.0, 6.8)
pub fn alltoallw(
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
) -> Result<()> {
    calls::alltoallw(
        Blocking(mpi),
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

/// Returns when all ranks have called it. (MPI-5.0, 6.3)
pub fn barrier(mpi: &Mpi, comm: Comm) -> Result<()> {
    calls::barrier(Blocking(mpi), comm)
}

/// Sends the root's data to all ranks. (MPI-5.0, 6.4)
pub fn bcast(
    mpi: &Mpi,
    buffer: MutBuf,
    count: Count,
    datatype: Datatype,
    root: Rank,
    comm: Comm,
) -> Result<()> {
    calls::bcast(Blocking(mpi), buffer, count, datatype, root, comm)
}

/// Rank r gets the combination of the data of ranks 0 to r - 1. (MPI-5.0, 6.11.2)
pub fn exscan(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    calls::exscan(Blocking(mpi), sendbuf, recvbuf, count, datatype, op, comm)
}

/// The root gets one block of the same size from every rank. (MPI-5.0, 6.5)
pub fn gather(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
) -> Result<()> {
    calls::gather(
        Blocking(mpi),
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

/// The root gets one block from every rank. (MPI-5.0, 6.5)
pub fn gatherv(
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
) -> Result<()> {
    calls::gatherv(
        Blocking(mpi),
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

/// Every rank gets one block of the same size from every neighbour. (MPI-5.0, 8.6.1)
pub fn neighbor_allgather(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<()> {
    calls::neighbor_allgather(
        Blocking(mpi),
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
}

/// Every rank gets one block from every neighbour. (MPI-5.0, 8.6.1)
pub fn neighbor_allgatherv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    displs: Displs,
    recvtype: Datatype,
    comm: Comm,
) -> Result<()> {
    calls::neighbor_allgatherv(
        Blocking(mpi),
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

/// Every rank sends a block of its own to every neighbour, all of one size. (MPI-5.0, 8.6.2)
pub fn neighbor_alltoall(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<()> {
    calls::neighbor_alltoall(
        Blocking(mpi),
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
}

/// Every rank sends a block of its own to every neighbour. (MPI-5.0, 8.6.2)
pub fn neighbor_alltoallv(
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
) -> Result<()> {
    calls::neighbor_alltoallv(
        Blocking(mpi),
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

/// Every rank sends a block of its own to every neighbour, each with a datatype. (MPI-5.0, 8.6.2)
pub fn neighbor_alltoallw(
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
) -> Result<()> {
    calls::neighbor_alltoallw(
        Blocking(mpi),
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

/// The root gets the combination of all ranks' data. (MPI-5.0, 6.9.1)
pub fn reduce(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    root: Rank,
    comm: Comm,
) -> Result<()> {
    calls::reduce(
        Blocking(mpi),
        sendbuf,
        recvbuf,
        count,
        datatype,
        op,
        root,
        comm,
    )
}

/// Combines two buffers of this process: `inoutbuf = inbuf op inoutbuf`. (MPI-5.0, 6.9.7)
pub fn reduce_local(
    mpi: &Mpi,
    inbuf: ConstBuf,
    inoutbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
) -> Result<()> {
    calls::reduce_local(mpi, inbuf, inoutbuf, count, datatype, op)
}

/// Rank r gets block r of the combination of all ranks' data. (MPI-5.0, 6.10.2)
pub fn reduce_scatter(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    calls::reduce_scatter(
        Blocking(mpi),
        sendbuf,
        recvbuf,
        recvcounts,
        datatype,
        op,
        comm,
    )
}

/// Rank r gets block r, all of one size, of the combination of all ranks' data. (MPI-5.0, 6.10.1)
pub fn reduce_scatter_block(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcount: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    calls::reduce_scatter_block(
        Blocking(mpi),
        sendbuf,
        recvbuf,
        recvcount,
        datatype,
        op,
        comm,
    )
}

/// Rank r gets the combination of the data of ranks 0 to r. (MPI-5.0, 6.11.1)
pub fn scan(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    calls::scan(Blocking(mpi), sendbuf, recvbuf, count, datatype, op, comm)
}

/// Every rank gets one block of the same size from the root. (MPI-5.0, 6.6)
pub fn scatter(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
) -> Result<()> {
    calls::scatter(
        Blocking(mpi),
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

/// Every rank gets one block from the root. (MPI-5.0, 6.6)
pub fn scatterv(
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
) -> Result<()> {
    calls::scatterv(
        Blocking(mpi),
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

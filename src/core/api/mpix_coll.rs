//! Persistent collectives under their older extension names: one function per MPI operation.
//!
//! The same as those of `coll_persistent`, without 64-bit forms.

use crate::api::coll_persistent as persistent;
use crate::api::prelude::*;

/// As `MPI_Allgather_init`.
pub fn mpix_allgather_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: i32,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: i32,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::allgather_init(
        mpi,
        sendbuf,
        sendcount.into(),
        sendtype,
        recvbuf,
        recvcount.into(),
        recvtype,
        comm,
        info,
        request,
    )
}

/// As `MPI_Allgatherv_init`.
pub fn mpix_allgatherv_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: i32,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Ints,
    displs: Ints,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::allgatherv_init(
        mpi,
        sendbuf,
        sendcount.into(),
        sendtype,
        recvbuf,
        recvcounts.into(),
        displs.into(),
        recvtype,
        comm,
        info,
        request,
    )
}

/// As `MPI_Allreduce_init`.
pub fn mpix_allreduce_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: i32,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::allreduce_init(
        mpi,
        sendbuf,
        recvbuf,
        count.into(),
        datatype,
        op,
        comm,
        info,
        request,
    )
}

/// As `MPI_Alltoall_init`.
pub fn mpix_alltoall_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: i32,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: i32,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::alltoall_init(
        mpi,
        sendbuf,
        sendcount.into(),
        sendtype,
        recvbuf,
        recvcount.into(),
        recvtype,
        comm,
        info,
        request,
    )
}

/// As `MPI_Alltoallv_init`.
pub fn mpix_alltoallv_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Ints,
    sdispls: Ints,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Ints,
    rdispls: Ints,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::alltoallv_init(
        mpi,
        sendbuf,
        sendcounts.into(),
        sdispls.into(),
        sendtype,
        recvbuf,
        recvcounts.into(),
        rdispls.into(),
        recvtype,
        comm,
        info,
        request,
    )
}

/// As `MPI_Alltoallw_init`.
pub fn mpix_alltoallw_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Ints,
    sdispls: Ints,
    sendtypes: Handles<Datatype>,
    recvbuf: MutBuf,
    recvcounts: Ints,
    rdispls: Ints,
    recvtypes: Handles<Datatype>,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::alltoallw_init(
        mpi,
        sendbuf,
        sendcounts.into(),
        sdispls.into(),
        sendtypes,
        recvbuf,
        recvcounts.into(),
        rdispls.into(),
        recvtypes,
        comm,
        info,
        request,
    )
}

/// As `MPI_Barrier_init`.
pub fn mpix_barrier_init(mpi: &Mpi, comm: Comm, info: Info, request: Out<Request>) -> Result<()> {
    persistent::barrier_init(mpi, comm, info, request)
}

/// As `MPI_Bcast_init`.
pub fn mpix_bcast_init(
    mpi: &Mpi,
    buffer: MutBuf,
    count: i32,
    datatype: Datatype,
    root: Rank,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::bcast_init(
        mpi,
        buffer,
        count.into(),
        datatype,
        root,
        comm,
        info,
        request,
    )
}

/// As `MPI_Exscan_init`.
pub fn mpix_exscan_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: i32,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::exscan_init(
        mpi,
        sendbuf,
        recvbuf,
        count.into(),
        datatype,
        op,
        comm,
        info,
        request,
    )
}

/// As `MPI_Gather_init`.
pub fn mpix_gather_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: i32,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: i32,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::gather_init(
        mpi,
        sendbuf,
        sendcount.into(),
        sendtype,
        recvbuf,
        recvcount.into(),
        recvtype,
        root,
        comm,
        info,
        request,
    )
}

/// As `MPI_Gatherv_init`.
pub fn mpix_gatherv_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: i32,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Ints,
    displs: Ints,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::gatherv_init(
        mpi,
        sendbuf,
        sendcount.into(),
        sendtype,
        recvbuf,
        recvcounts.into(),
        displs.into(),
        recvtype,
        root,
        comm,
        info,
        request,
    )
}

/// As `MPI_Neighbor_allgather_init`.
pub fn mpix_neighbor_allgather_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: i32,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: i32,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::neighbor_allgather_init(
        mpi,
        sendbuf,
        sendcount.into(),
        sendtype,
        recvbuf,
        recvcount.into(),
        recvtype,
        comm,
        info,
        request,
    )
}

/// As `MPI_Neighbor_allgatherv_init`.
pub fn mpix_neighbor_allgatherv_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: i32,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Ints,
    displs: Ints,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::neighbor_allgatherv_init(
        mpi,
        sendbuf,
        sendcount.into(),
        sendtype,
        recvbuf,
        recvcounts.into(),
        displs.into(),
        recvtype,
        comm,
        info,
        request,
    )
}

/// As `MPI_Neighbor_alltoall_init`.
pub fn mpix_neighbor_alltoall_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: i32,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: i32,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::neighbor_alltoall_init(
        mpi,
        sendbuf,
        sendcount.into(),
        sendtype,
        recvbuf,
        recvcount.into(),
        recvtype,
        comm,
        info,
        request,
    )
}

/// As `MPI_Neighbor_alltoallv_init`.
pub fn mpix_neighbor_alltoallv_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Ints,
    sdispls: Ints,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Ints,
    rdispls: Ints,
    recvtype: Datatype,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::neighbor_alltoallv_init(
        mpi,
        sendbuf,
        sendcounts.into(),
        sdispls.into(),
        sendtype,
        recvbuf,
        recvcounts.into(),
        rdispls.into(),
        recvtype,
        comm,
        info,
        request,
    )
}

/// As `MPI_Neighbor_alltoallw_init`.
pub fn mpix_neighbor_alltoallw_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Ints,
    sdispls: Aints,
    sendtypes: Handles<Datatype>,
    recvbuf: MutBuf,
    recvcounts: Ints,
    rdispls: Aints,
    recvtypes: Handles<Datatype>,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::neighbor_alltoallw_init(
        mpi,
        sendbuf,
        sendcounts.into(),
        sdispls,
        sendtypes,
        recvbuf,
        recvcounts.into(),
        rdispls,
        recvtypes,
        comm,
        info,
        request,
    )
}

/// As `MPI_Reduce_init`.
pub fn mpix_reduce_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: i32,
    datatype: Datatype,
    op: Op,
    root: Rank,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::reduce_init(
        mpi,
        sendbuf,
        recvbuf,
        count.into(),
        datatype,
        op,
        root,
        comm,
        info,
        request,
    )
}

/// As `MPI_Reduce_scatter_block_init`.
pub fn mpix_reduce_scatter_block_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcount: i32,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::reduce_scatter_block_init(
        mpi,
        sendbuf,
        recvbuf,
        recvcount.into(),
        datatype,
        op,
        comm,
        info,
        request,
    )
}

/// As `MPI_Reduce_scatter_init`.
pub fn mpix_reduce_scatter_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcounts: Ints,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::reduce_scatter_init(
        mpi,
        sendbuf,
        recvbuf,
        recvcounts.into(),
        datatype,
        op,
        comm,
        info,
        request,
    )
}

/// As `MPI_Scan_init`.
pub fn mpix_scan_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: i32,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::scan_init(
        mpi,
        sendbuf,
        recvbuf,
        count.into(),
        datatype,
        op,
        comm,
        info,
        request,
    )
}

/// As `MPI_Scatter_init`.
pub fn mpix_scatter_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: i32,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: i32,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::scatter_init(
        mpi,
        sendbuf,
        sendcount.into(),
        sendtype,
        recvbuf,
        recvcount.into(),
        recvtype,
        root,
        comm,
        info,
        request,
    )
}

/// As `MPI_Scatterv_init`.
pub fn mpix_scatterv_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcounts: Ints,
    displs: Ints,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: i32,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<()> {
    persistent::scatterv_init(
        mpi,
        sendbuf,
        sendcounts.into(),
        displs.into(),
        sendtype,
        recvbuf,
        recvcount.into(),
        recvtype,
        root,
        comm,
        info,
        request,
    )
}

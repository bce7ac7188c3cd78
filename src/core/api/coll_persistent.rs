//! Persistent collectives: one function per MPI operation (MPI-5.0, 6.13 and 8.8).
//!
//! As the blocking ones, but the operation runs with every start of the request. Errors are those of the
//! arguments; others are the request's. No hint changes anything.

use crate::api::prelude::*;
use crate::collective::{Persistent, calls};

/// As `MPI_Allgather`, with every start. (MPI-5.0, 6.13)
pub fn allgather_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::allgather(
        Persistent { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
}

/// As `MPI_Allgatherv`, with every start. (MPI-5.0, 6.13)
pub fn allgatherv_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    displs: Displs,
    recvtype: Datatype,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::allgatherv(
        Persistent { mpi, request },
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

/// As `MPI_Allreduce`, with every start. (MPI-5.0, 6.13)
pub fn allreduce_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::allreduce(
        Persistent { mpi, request },
        sendbuf,
        recvbuf,
        count,
        datatype,
        op,
        comm,
    )
}

/// As `MPI_Alltoall`, with every start. (MPI-5.0, 6.13)
pub fn alltoall_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::alltoall(
        Persistent { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
}

/// As `MPI_Alltoallv`, with every start. (MPI-5.0, 6.13)
pub fn alltoallv_init(
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
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::alltoallv(
        Persistent { mpi, request },
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

/// As `MPI_Alltoallw`, with every start. (MPI-5.0, 6.13)
pub fn alltoallw_init(
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
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::alltoallw(
        Persistent { mpi, request },
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

/// As `MPI_Barrier`, with every start. (MPI-5.0, 6.13)
pub fn barrier_init(mpi: &Mpi, comm: Comm, _info: Info, request: Out<Request>) -> Result<()> {
    calls::barrier(Persistent { mpi, request }, comm)
}

/// As `MPI_Bcast`, with every start. (MPI-5.0, 6.13)
pub fn bcast_init(
    mpi: &Mpi,
    buffer: MutBuf,
    count: Count,
    datatype: Datatype,
    root: Rank,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::bcast(
        Persistent { mpi, request },
        buffer,
        count,
        datatype,
        root,
        comm,
    )
}

/// As `MPI_Exscan`, with every start. (MPI-5.0, 6.13)
pub fn exscan_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::exscan(
        Persistent { mpi, request },
        sendbuf,
        recvbuf,
        count,
        datatype,
        op,
        comm,
    )
}

/// As `MPI_Gather`, with every start. (MPI-5.0, 6.13)
pub fn gather_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::gather(
        Persistent { mpi, request },
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

/// As `MPI_Gatherv`, with every start. (MPI-5.0, 6.13)
pub fn gatherv_init(
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
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::gatherv(
        Persistent { mpi, request },
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

/// As `MPI_Neighbor_allgather`, with every start. (MPI-5.0, 8.8)
pub fn neighbor_allgather_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_allgather(
        Persistent { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
}

/// As `MPI_Neighbor_allgatherv`, with every start. (MPI-5.0, 8.8)
pub fn neighbor_allgatherv_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    displs: Displs,
    recvtype: Datatype,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_allgatherv(
        Persistent { mpi, request },
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

/// As `MPI_Neighbor_alltoall`, with every start. (MPI-5.0, 8.8)
pub fn neighbor_alltoall_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_alltoall(
        Persistent { mpi, request },
        sendbuf,
        sendcount,
        sendtype,
        recvbuf,
        recvcount,
        recvtype,
        comm,
    )
}

/// As `MPI_Neighbor_alltoallv`, with every start. (MPI-5.0, 8.8)
pub fn neighbor_alltoallv_init(
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
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_alltoallv(
        Persistent { mpi, request },
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

/// As `MPI_Neighbor_alltoallw`, with every start. (MPI-5.0, 8.8)
pub fn neighbor_alltoallw_init(
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
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::neighbor_alltoallw(
        Persistent { mpi, request },
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

/// As `MPI_Reduce`, with every start. (MPI-5.0, 6.13)
pub fn reduce_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    root: Rank,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::reduce(
        Persistent { mpi, request },
        sendbuf,
        recvbuf,
        count,
        datatype,
        op,
        root,
        comm,
    )
}

/// As `MPI_Reduce_scatter_block`, with every start. (MPI-5.0, 6.13)
pub fn reduce_scatter_block_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcount: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::reduce_scatter_block(
        Persistent { mpi, request },
        sendbuf,
        recvbuf,
        recvcount,
        datatype,
        op,
        comm,
    )
}

/// As `MPI_Reduce_scatter`, with every start. (MPI-5.0, 6.13)
pub fn reduce_scatter_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::reduce_scatter(
        Persistent { mpi, request },
        sendbuf,
        recvbuf,
        recvcounts,
        datatype,
        op,
        comm,
    )
}

/// As `MPI_Scan`, with every start. (MPI-5.0, 6.13)
pub fn scan_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::scan(
        Persistent { mpi, request },
        sendbuf,
        recvbuf,
        count,
        datatype,
        op,
        comm,
    )
}

/// As `MPI_Scatter`, with every start. (MPI-5.0, 6.13)
pub fn scatter_init(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::scatter(
        Persistent { mpi, request },
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

/// As `MPI_Scatterv`, with every start. (MPI-5.0, 6.13)
pub fn scatterv_init(
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
    _info: Info,
    request: Out<Request>,
) -> Result<()> {
    calls::scatterv(
        Persistent { mpi, request },
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

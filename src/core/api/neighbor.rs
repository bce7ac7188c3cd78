//! Collectives between neighbours in a topology: one function per MPI operation, for all its forms (MPI-5.0, 8.6).
//!
//! As in [`collective`](super::collective). Errors are also `MPI_ERR_TOPOLOGY`, where the communicator has none.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::coll::{self, Blocks, Neighbors};
use crate::collective::Form;
use crate::collective::check::{self, RECV, SEND};
use crate::comm::{CommNet, Communicator};

/// All neighbourhood collectives.
fn neighboring(
    form: impl Form,
    neighbors: Neighbors,
    send: Blocks,
    recv: Blocks,
    comm: Rc<Communicator>,
) -> Result<()> {
    let run = async |(neighbors, send, recv), net: &CommNet| {
        coll::neighbor_alltoall(net, neighbors, send, recv).await
    };
    form.run_by_messages(comm, (neighbors, send, recv), run)
}

/// Every rank gets one block of the same size from every neighbour. (MPI-5.0, 8.6.1)
pub fn neighbor_allgather(
    form: impl Form,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let (neighbors, ..) = check::neighbors(&comm)?;
    let send = check::input(mpi, sendbuf, sendcount, sendtype, SEND)?;
    let recv = check::even(mpi, recvbuf.base(), recvcount, recvtype, RECV)?;
    neighboring(form, neighbors, Blocks::same(send), recv, comm)
}

/// Every rank gets one block from every neighbour. (MPI-5.0, 8.6.1)
pub fn neighbor_allgatherv(
    form: impl Form,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcounts: Counts,
    displs: Displs,
    recvtype: Datatype,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let (neighbors, incoming, _) = check::neighbors(&comm)?;
    let send = check::input(mpi, sendbuf, sendcount, sendtype, SEND)?;
    let into = recvbuf.base();
    let recv = check::varying(mpi, into, (recvcounts, displs), recvtype, incoming, RECV.0)?;
    neighboring(form, neighbors, Blocks::same(send), recv, comm)
}

/// Every rank sends a block of its own to every neighbour, all of one size. (MPI-5.0, 8.6.2)
pub fn neighbor_alltoall(
    form: impl Form,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let (neighbors, ..) = check::neighbors(&comm)?;
    let send = check::even(mpi, sendbuf.base(), sendcount, sendtype, SEND)?;
    let recv = check::even(mpi, recvbuf.base(), recvcount, recvtype, RECV)?;
    neighboring(form, neighbors, send, recv, comm)
}

/// Every rank sends a block of its own to every neighbour. (MPI-5.0, 8.6.2)
pub fn neighbor_alltoallv(
    form: impl Form,
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
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let (neighbors, incoming, outgoing) = check::neighbors(&comm)?;
    let (from, into) = (sendbuf.base(), recvbuf.base());
    let send = check::varying(mpi, from, (sendcounts, sdispls), sendtype, outgoing, SEND.0)?;
    let recv = check::varying(mpi, into, (recvcounts, rdispls), recvtype, incoming, RECV.0)?;
    neighboring(form, neighbors, send, recv, comm)
}

/// Every rank sends a block of its own to every neighbour, each with a datatype. (MPI-5.0, 8.6.2)
pub fn neighbor_alltoallw(
    form: impl Form,
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
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let (neighbors, incoming, outgoing) = check::neighbors(&comm)?;
    let bytes = |displacements: Aints, blocks: usize| -> Result<Rc<[i64]>> {
        displacements.require(blocks)?;
        Ok(displacements
            .iter(blocks)
            .map(|bytes| bytes as i64)
            .collect())
    };
    let (from, into) = (sendbuf.base(), recvbuf.base());
    let (out, back) = (bytes(sdispls, outgoing)?, bytes(rdispls, incoming)?);
    let send = check::each(mpi, from, sendcounts, out, sendtypes, SEND.0)?;
    let recv = check::each(mpi, into, recvcounts, back, recvtypes, RECV.0)?;
    neighboring(form, neighbors, send, recv, comm)
}

//! Collectives that move data: one function per MPI operation, for all its forms (MPI-5.0, chapter 6).
//!
//! The blocking, non-blocking and persistent calls of an operation end in the same function; `form` says which call
//! it is. A function checks the arguments and hands over the operation that they ask for. So do the plain, `v` and
//! `w` calls share their operation, and intra- and inter-communicators. Errors are those of the arguments
//! (`MPI_ERR_COMM`, `_COUNT`, `_TYPE`, `_BUFFER`, `_ROOT`, `_ARG`), and `MPI_ERR_TRUNCATE` where other ranks send
//! more than this one expects. A non-blocking or persistent call gives what is not about its arguments to its request.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::coll::inter::{Inter, Root};
use crate::coll::{self, Blocks};
use crate::collective::Form;
use crate::collective::check::{self, BOTH, RECV, Rooted, SEND, is_empty};
use crate::comm::{CommNet, Communicator};
use crate::datatype::Data;

/// A send buffer as its arguments say.
type Sent = (ConstBuf, Count, Datatype);
/// A receive buffer as its arguments say.
type Received = (MutBuf, Count, Datatype);

/// Returns when all ranks have called it. (MPI-5.0, 6.3)
pub fn barrier(form: impl Form, comm: Comm) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let inter = check::inter(&comm);
    if form.attempt(&comm, |fast_path| fast_path.barrier()) {
        return Ok(());
    }
    let run = async move |(), net: &CommNet| match inter {
        None => coll::barrier(net).await,
        Some(local) => Inter::new(net, local).barrier().await,
    };
    form.run(comm, (), run)
}

/// Sends the root's data to all ranks. (MPI-5.0, 6.4)
pub fn bcast(
    form: impl Form,
    buffer: MutBuf,
    count: Count,
    datatype: Datatype,
    root: Rank,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let root = check::root(&comm, root)?;
    let data = match root {
        // The others of the root's group have no part in it, nor a buffer.
        Rooted::Inter(coll::inter::Root::Local) => nothing(mpi)?,
        _ => check::data(mpi, buffer.base(), count, datatype, BOTH)?,
    };
    if data.bytes() == 0 {
        return form.nothing(comm);
    }
    let local = comm.group.len();
    if form.attempt(&comm, |fast_path| fast_path.bcast(&data, root.intra()?)) {
        return Ok(());
    }
    let run = async move |data, net: &CommNet| match root {
        Rooted::Intra(root) => coll::bcast(net, data, root).await,
        Rooted::Inter(root) => Inter::new(net, local).bcast(data, root).await,
    };
    form.run(comm, data, run)
}

fn nothing(mpi: &Mpi) -> Result<Data> {
    Ok(Data::empty(mpi.datatype(Datatype::BYTE)?))
}

/// Both forms of gather; `blocks` reads the root's receive arguments for so many blocks.
#[inline(always)]
fn gathering(
    form: impl Form,
    (sendbuf, sendcount, sendtype): Sent,
    blocks: &dyn Fn(usize) -> Result<Blocks>,
    root: Rank,
    comm: Comm,
    even: bool,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let root = check::root(&comm, root)?;
    let recv = match root.is_me(&comm) {
        true => Some(blocks(comm.peers().len())?),
        false => None,
    };
    let send = match root {
        Rooted::Intra(_) if recv.is_some() => {
            check::input_or_in_place(mpi, sendbuf, sendcount, sendtype, SEND)?
        }
        Rooted::Intra(_) | Rooted::Inter(Root::Remote(_)) => {
            Some(check::input(mpi, sendbuf, sendcount, sendtype, SEND)?)
        }
        Rooted::Inter(_) => None,
    };
    if let (Rooted::Intra(root), Some(recv)) = (root, &recv) {
        check::apart(send.as_ref().map(Data::place), recv.place(root))?;
    }
    let none = |recv: &Blocks| recv.are_empty(1);
    if even && is_empty(&send) && recv.as_ref().is_none_or(none) {
        return form.nothing(comm);
    }
    let local = comm.group.len();
    if form.attempt(&comm, |fast_path| {
        fast_path.gather(send.as_ref(), recv.as_ref(), root.intra()?)
    }) {
        return Ok(());
    }
    let run = async move |(send, recv), net: &CommNet| match root {
        Rooted::Intra(root) => coll::gather(net, send, recv, root, even).await,
        Rooted::Inter(root) => Inter::new(net, local).gather(send, recv, root).await,
    };
    form.run(comm, (send, recv), run)
}

/// The root gets one block of the same size from every rank. (MPI-5.0, 6.5)
pub fn gather(
    form: impl Form,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let blocks = |_| check::even(mpi, recvbuf.base(), recvcount, recvtype, RECV);
    gathering(
        form,
        (sendbuf, sendcount, sendtype),
        &blocks,
        root,
        comm,
        true,
    )
}

/// The root gets one block from every rank. (MPI-5.0, 6.5)
pub fn gatherv(
    form: impl Form,
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
    let mpi = form.mpi();
    let blocks = |blocks| {
        let base = recvbuf.base();
        check::varying(mpi, base, (recvcounts, displs), recvtype, blocks, RECV.0)
    };
    gathering(
        form,
        (sendbuf, sendcount, sendtype),
        &blocks,
        root,
        comm,
        false,
    )
}

/// Both forms of scatter; `blocks` reads the root's send arguments for so many blocks.
#[inline(always)]
fn scattering(
    form: impl Form,
    blocks: &dyn Fn(usize) -> Result<Blocks>,
    (recvbuf, recvcount, recvtype): Received,
    root: Rank,
    comm: Comm,
    even: bool,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let root = check::root(&comm, root)?;
    let send = match root.is_me(&comm) {
        true => Some(blocks(comm.peers().len())?),
        false => None,
    };
    let recv = match root {
        Rooted::Intra(_) if send.is_some() && recvbuf.is_in_place() => None,
        Rooted::Intra(_) | Rooted::Inter(Root::Remote(_)) => {
            Some(check::data(mpi, recvbuf.base(), recvcount, recvtype, RECV)?)
        }
        Rooted::Inter(_) => None,
    };
    if let (Rooted::Intra(root), Some(send), Some(recv)) = (root, &send, &recv) {
        check::apart(Some(send.place(root)), recv.place())?;
    }
    let none = |send: &Blocks| send.are_empty(1);
    if even && is_empty(&recv) && send.as_ref().is_none_or(none) {
        return form.nothing(comm);
    }
    let local = comm.group.len();
    if form.attempt(&comm, |fast_path| {
        fast_path.scatter(send.as_ref(), recv.as_ref(), root.intra()?)
    }) {
        return Ok(());
    }
    let run = async move |(send, recv), net: &CommNet| match root {
        Rooted::Intra(root) => coll::scatter(net, send, recv, root, even).await,
        Rooted::Inter(root) => Inter::new(net, local).scatter(send, recv, root).await,
    };
    form.run(comm, (send, recv), run)
}

/// Every rank gets one block of the same size from the root. (MPI-5.0, 6.6)
pub fn scatter(
    form: impl Form,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let blocks = |_| check::even(mpi, sendbuf.base(), sendcount, sendtype, SEND);
    scattering(
        form,
        &blocks,
        (recvbuf, recvcount, recvtype),
        root,
        comm,
        true,
    )
}

/// Every rank gets one block from the root. (MPI-5.0, 6.6)
pub fn scatterv(
    form: impl Form,
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
    let mpi = form.mpi();
    let blocks = |blocks| {
        let base = sendbuf.base();
        check::varying(mpi, base, (sendcounts, displs), sendtype, blocks, SEND.0)
    };
    scattering(
        form,
        &blocks,
        (recvbuf, recvcount, recvtype),
        root,
        comm,
        false,
    )
}

/// Both forms of allgather.
#[inline(always)]
fn allgathering(
    form: impl Form,
    (sendbuf, sendcount, sendtype): Sent,
    recv: Blocks,
    comm: Rc<Communicator>,
    even: bool,
) -> Result<()> {
    let mpi = form.mpi();
    let send = check::input_or_in_place(mpi, sendbuf, sendcount, sendtype, SEND)?;
    let inter = check::inter(&comm);
    if inter.is_none() {
        check::apart(
            send.as_ref().map(Data::place),
            recv.place(comm.rank as usize),
        )?;
    } else {
        check::not_in_place(send.as_ref())?;
    }
    // Of a remote group each rank may send something else.
    let known = even || inter.is_none();
    if known && is_empty(&send) && recv.are_empty(comm.peers().len()) {
        return form.nothing(comm);
    }
    if form.attempt(&comm, |fast_path| fast_path.allgather(send.as_ref(), &recv)) {
        return Ok(());
    }
    let run = async move |(send, recv), net: &CommNet| match (inter, send) {
        (Some(local), Some(send)) => {
            Inter::new(net, local)
                .alltoall(Blocks::same(send), recv)
                .await
        }
        (_, send) => coll::allgather(net, send, recv).await,
    };
    form.run(comm, (send, recv), run)
}

/// Every rank gets one block of the same size from every rank. (MPI-5.0, 6.7)
pub fn allgather(
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
    let recv = check::even(mpi, recvbuf.base(), recvcount, recvtype, RECV)?;
    allgathering(form, (sendbuf, sendcount, sendtype), recv, comm, true)
}

/// Every rank gets one block from every rank. (MPI-5.0, 6.7)
pub fn allgatherv(
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
    let (base, blocks) = (recvbuf.base(), comm.peers().len());
    let recv = check::varying(mpi, base, (recvcounts, displs), recvtype, blocks, RECV.0)?;
    allgathering(form, (sendbuf, sendcount, sendtype), recv, comm, false)
}

/// All forms of all-to-all; `send` is `None` where the data is in place.
#[inline(always)]
fn exchanging(
    form: impl Form,
    send: Option<Blocks>,
    recv: Blocks,
    comm: Rc<Communicator>,
    even: bool,
) -> Result<()> {
    let inter = check::inter(&comm);
    if inter.is_some() {
        check::not_in_place(send.as_ref())?;
    } else {
        let me = comm.rank as usize;
        check::apart(send.as_ref().map(|send| send.place(me)), recv.place(me))?;
    }
    let none = |send: &Blocks| send.are_empty(1);
    if even && recv.are_empty(1) && send.as_ref().is_none_or(none) {
        return form.nothing(comm);
    }
    if form.attempt(&comm, |fast_path| fast_path.alltoall(send.as_ref(), &recv)) {
        return Ok(());
    }
    let run = async move |(send, recv), net: &CommNet| match (inter, send) {
        (Some(local), Some(send)) => Inter::new(net, local).alltoall(send, recv).await,
        (_, send) => coll::alltoall(net, send, recv, even).await,
    };
    form.run(comm, (send, recv), run)
}

/// Every rank sends a block of its own to every rank, all of one size. (MPI-5.0, 6.8)
pub fn alltoall(
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
    let recv = check::even(mpi, recvbuf.base(), recvcount, recvtype, RECV)?;
    let send = match sendbuf.is_in_place() {
        true => None,
        false => Some(check::even(mpi, sendbuf.base(), sendcount, sendtype, SEND)?),
    };
    exchanging(form, send, recv, comm, true)
}

/// Every rank sends a block of its own to every rank. (MPI-5.0, 6.8)
pub fn alltoallv(
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
    let blocks = comm.peers().len();
    let into = recvbuf.base();
    let recv = check::varying(mpi, into, (recvcounts, rdispls), recvtype, blocks, RECV.0)?;
    let send = match sendbuf.is_in_place() {
        true => None,
        false => {
            let (from, layout) = (sendbuf.base(), (sendcounts, sdispls));
            Some(check::varying(mpi, from, layout, sendtype, blocks, SEND.0)?)
        }
    };
    exchanging(form, send, recv, comm, false)
}

/// Every rank sends a block of its own to every rank, each with a datatype. (MPI-5.0, 6.8)
pub fn alltoallw(
    form: impl Form,
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
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let blocks = comm.peers().len();
    let bytes = |displacements: Displs| -> Result<Rc<[i64]>> {
        displacements.require(blocks)?;
        Ok(displacements.iter(blocks).collect())
    };
    let into = recvbuf.base();
    let recv = check::each(mpi, into, recvcounts, bytes(rdispls)?, recvtypes, RECV.0)?;
    let send = match sendbuf.is_in_place() {
        true => None,
        false => {
            let from = sendbuf.base();
            Some(check::each(
                mpi,
                from,
                sendcounts,
                bytes(sdispls)?,
                sendtypes,
                SEND.0,
            )?)
        }
    };
    exchanging(form, send, recv, comm, false)
}

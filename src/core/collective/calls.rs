//! One function per collective: its arguments checked, and the operation that they ask for.
//!
//! The plain, `v` and `w` forms of an operation end in the same call; so do its intra- and its
//! inter-communicator meaning.
#![allow(clippy::too_many_arguments)]

use std::rc::Rc;

use super::Form;
use super::check::{self, BOTH, IN, IN_OUT, INPUT, RECV, RESULT, Rooted, SEND};
use crate::buf::{Aints, ConstBuf, Counts, Displs, Handles, MutBuf};
use crate::coll::inter::{Inter, Root};
use crate::coll::{self, Blocks, Neighbors};
use crate::comm::Communicator;
use crate::datatype::Data;
use crate::engine::CommNet;
use crate::error::Result;
use crate::handle::{Comm, Datatype, Op};
use crate::mpi::Mpi;
use crate::op::Operation;
use crate::types::{Count, Rank};

/// A send buffer as its arguments say.
type Sent = (ConstBuf, Count, Datatype);
/// A receive buffer as its arguments say.
type Received = (MutBuf, Count, Datatype);

/// Whether there are no bytes in a buffer, or there is none.
#[inline(always)]
fn is_empty(data: &Option<Data>) -> bool {
    data.as_ref().is_none_or(|data| data.bytes() == 0)
}

fn writable(buf: ConstBuf) -> *mut u8 {
    buf.0.cast_mut().cast()
}

#[inline(always)]
pub fn barrier(form: impl Form, comm: Comm) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let inter = check::inter(&comm);
    if form.attempt(&comm, |brief| brief.barrier()) {
        return Ok(());
    }
    let run = async move |(), net: &CommNet| match inter {
        None => coll::barrier(net).await,
        Some(local) => Inter::new(net, local).barrier().await,
    };
    form.run(comm, (), run)
}

#[inline(always)]
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
        _ => check::data(mpi, buffer.0.cast(), count, datatype, BOTH)?,
    };
    if data.bytes() == 0 {
        return form.nothing(comm);
    }
    let local = comm.group.len();
    if form.attempt(&comm, |brief| brief.bcast(&data, root.intra()?)) {
        return Ok(());
    }
    let run = async move |data, net: &CommNet| match root {
        Rooted::Intra(root) => coll::bcast(net, data, root).await,
        Rooted::Inter(root) => Inter::new(net, local).bcast(data, root).await,
    };
    form.run(comm, data, run)
}

fn nothing(mpi: &Mpi) -> Result<Data> {
    Ok(Data::new(
        std::ptr::null_mut(),
        0,
        mpi.datatype(Datatype::BYTE)?,
    ))
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
    if form.attempt(&comm, |brief| {
        brief.gather(send.as_ref(), recv.as_ref(), root.intra()?)
    }) {
        return Ok(());
    }
    let run = async move |(send, recv), net: &CommNet| match root {
        Rooted::Intra(root) => coll::gather(net, send, recv, root, even).await,
        Rooted::Inter(root) => Inter::new(net, local).gather(send, recv, root).await,
    };
    form.run(comm, (send, recv), run)
}

#[inline(always)]
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
    let blocks = |_| check::even(mpi, recvbuf.0.cast(), recvcount, recvtype, RECV);
    gathering(
        form,
        (sendbuf, sendcount, sendtype),
        &blocks,
        root,
        comm,
        true,
    )
}

#[inline(always)]
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
        let base = recvbuf.0.cast();
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
        Rooted::Intra(_) | Rooted::Inter(Root::Remote(_)) => Some(check::data(
            mpi,
            recvbuf.0.cast(),
            recvcount,
            recvtype,
            RECV,
        )?),
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
    if form.attempt(&comm, |brief| {
        brief.scatter(send.as_ref(), recv.as_ref(), root.intra()?)
    }) {
        return Ok(());
    }
    let run = async move |(send, recv), net: &CommNet| match root {
        Rooted::Intra(root) => coll::scatter(net, send, recv, root, even).await,
        Rooted::Inter(root) => Inter::new(net, local).scatter(send, recv, root).await,
    };
    form.run(comm, (send, recv), run)
}

#[inline(always)]
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
    let blocks = |_| check::even(mpi, writable(sendbuf), sendcount, sendtype, SEND);
    scattering(
        form,
        &blocks,
        (recvbuf, recvcount, recvtype),
        root,
        comm,
        true,
    )
}

#[inline(always)]
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
        let base = writable(sendbuf);
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
    if form.attempt(&comm, |brief| brief.allgather(send.as_ref(), &recv)) {
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

#[inline(always)]
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
    let recv = check::even(mpi, recvbuf.0.cast(), recvcount, recvtype, RECV)?;
    allgathering(form, (sendbuf, sendcount, sendtype), recv, comm, true)
}

#[inline(always)]
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
    let (base, blocks) = (recvbuf.0.cast(), comm.peers().len());
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
    if form.attempt(&comm, |brief| brief.alltoall(send.as_ref(), &recv)) {
        return Ok(());
    }
    let run = async move |(send, recv), net: &CommNet| match (inter, send) {
        (Some(local), Some(send)) => Inter::new(net, local).alltoall(send, recv).await,
        (_, send) => coll::alltoall(net, send, recv, even).await,
    };
    form.run(comm, (send, recv), run)
}

#[inline(always)]
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
    let recv = check::even(mpi, recvbuf.0.cast(), recvcount, recvtype, RECV)?;
    let send = match sendbuf.is_in_place() {
        true => None,
        false => Some(check::even(
            mpi,
            writable(sendbuf),
            sendcount,
            sendtype,
            SEND,
        )?),
    };
    exchanging(form, send, recv, comm, true)
}

#[inline(always)]
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
    let into = recvbuf.0.cast();
    let recv = check::varying(mpi, into, (recvcounts, rdispls), recvtype, blocks, RECV.0)?;
    let send = match sendbuf.is_in_place() {
        true => None,
        false => {
            let (from, layout) = (writable(sendbuf), (sendcounts, sdispls));
            Some(check::varying(mpi, from, layout, sendtype, blocks, SEND.0)?)
        }
    };
    exchanging(form, send, recv, comm, false)
}

#[inline(always)]
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
    let into = recvbuf.0.cast();
    let recv = check::each(mpi, into, recvcounts, bytes(rdispls)?, recvtypes, RECV.0)?;
    let send = match sendbuf.is_in_place() {
        true => None,
        false => {
            let from = writable(sendbuf);
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

/// The contribution, the result, the operation: each where this rank has it.
type ReduceData = (Option<Data>, Option<Data>, Option<Rc<Operation>>);

#[inline(always)]
pub fn reduce(
    form: impl Form,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    root: Rank,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let root = check::root(&comm, root)?;
    let recv = match root.is_me(&comm) {
        true => Some(check::data(mpi, recvbuf.0.cast(), count, datatype, RESULT)?),
        false => None,
    };
    let send = match root {
        Rooted::Intra(_) if recv.is_some() => {
            check::input_or_in_place(mpi, sendbuf, count, datatype, INPUT)?
        }
        Rooted::Intra(_) | Rooted::Inter(Root::Remote(_)) => {
            Some(check::input(mpi, sendbuf, count, datatype, INPUT)?)
        }
        Rooted::Inter(_) => None,
    };
    if let Some(recv) = &recv {
        check::apart(send.as_ref().map(Data::place), recv.place())?;
    }
    let op = match root {
        // No argument but the root counts here.
        Rooted::Inter(Root::Local) => None,
        _ => Some(check::operation(mpi, op, &*mpi.committed(datatype)?)?),
    };
    if is_empty(&send) && is_empty(&recv) {
        return form.nothing(comm);
    }
    let local = comm.group.len();
    if form.attempt(&comm, |brief| {
        brief.reduce(send.as_ref(), recv.as_ref(), op.as_ref()?, root.intra()?)
    }) {
        return Ok(());
    }
    let run = async move |(send, recv, op): ReduceData, net: &CommNet| match (root, op) {
        (_, None) => Ok(()),
        (Rooted::Intra(root), Some(op)) => coll::reduce(net, send, recv, op, root).await,
        (Rooted::Inter(root), Some(op)) => {
            Inter::new(net, local).reduce(send, recv, op, root).await
        }
    };
    form.run(comm, (send, recv, op), run)
}

#[inline(always)]
pub fn allreduce(
    form: impl Form,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let recv = check::data(mpi, recvbuf.0.cast(), count, datatype, RESULT)?;
    let send = check::input_like(&recv, sendbuf, INPUT)?;
    check::apart(send.map(|send| (send, recv.bytes())), recv.place())?;
    let op = check::operation(mpi, op, &recv.datatype)?;
    let inter = check::inter(&comm);
    if inter.is_some() {
        check::not_in_place(send)?;
    }
    if recv.bytes() == 0 {
        return form.nothing(comm);
    }
    if form.attempt(&comm, |brief| brief.allreduce(send, &recv, &op)) {
        return Ok(());
    }
    let send = send.map(|send| recv.at(send));
    let run = async move |(send, recv, op), net: &CommNet| match (inter, send) {
        (Some(local), Some(send)) => Inter::new(net, local).allreduce(send, recv, op).await,
        (_, send) => coll::allreduce(net, send, recv, op).await,
    };
    form.run(comm, (send, recv, op), run)
}

/// Both forms of reduce-scatter.
#[inline(always)]
fn reduce_scattering(
    form: impl Form,
    (sendbuf, recvbuf): (ConstBuf, MutBuf),
    counts: coll::Counts,
    datatype: Datatype,
    op: Op,
    comm: Rc<Communicator>,
) -> Result<()> {
    let mpi = form.mpi();
    let (total, own) = match &counts {
        coll::Counts::Even(count) => (count * comm.group.len() as u64, *count),
        coll::Counts::Varying(counts) => (counts.iter().sum(), counts[comm.rank as usize]),
    };
    let (total, own) = (total as i64, own as i64);
    let send = check::input_or_in_place(mpi, sendbuf, total, datatype, SEND)?;
    // The whole vector is in the receive buffer when it is in place.
    let room = if send.is_some() { own } else { total };
    let recv = check::data(mpi, recvbuf.0.cast(), room, datatype, RECV)?;
    check::apart(send.as_ref().map(Data::place), recv.place())?;
    let op = check::operation(mpi, op, &recv.datatype)?;
    let inter = check::inter(&comm);
    if inter.is_some() {
        check::not_in_place(send.as_ref())?;
    }
    if total == 0 || recv.datatype.size() == 0 {
        return form.nothing(comm);
    }
    type Given = (Option<Data>, Data, coll::Counts, Rc<Operation>);
    if form.attempt(&comm, |brief| {
        brief.reduce_scatter(send.as_ref(), &recv, &counts, &op)
    }) {
        return Ok(());
    }
    let run = async move |(send, recv, counts, op): Given, net: &CommNet| match (inter, send) {
        (Some(local), Some(send)) => {
            Inter::new(net, local)
                .reduce_scatter(send, recv, counts, op)
                .await
        }
        (_, send) => coll::reduce_scatter(net, send, recv, counts, op).await,
    };
    form.run(comm, (send, recv, counts, op), run)
}

#[inline(always)]
pub fn reduce_scatter(
    form: impl Form,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let counts = coll::Counts::Varying(check::counts(recvcounts, comm.group.len())?);
    reduce_scattering(form, (sendbuf, recvbuf), counts, datatype, op, comm)
}

#[inline(always)]
pub fn reduce_scatter_block(
    form: impl Form,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcount: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    let counts = coll::Counts::Even(check::count("recvcount", recvcount)?);
    reduce_scattering(form, (sendbuf, recvbuf), counts, datatype, op, comm)
}

/// Both prefix reductions.
#[inline(always)]
fn scanning(
    form: impl Form,
    (sendbuf, recvbuf): (ConstBuf, MutBuf),
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    exclusive: bool,
) -> Result<()> {
    let mpi = form.mpi();
    let comm = mpi.comm(comm)?;
    check::intra(&comm)?;
    let recv = check::data(mpi, recvbuf.0.cast(), count, datatype, RESULT)?;
    let send = check::input_like(&recv, sendbuf, INPUT)?;
    check::apart(send.map(|send| (send, recv.bytes())), recv.place())?;
    let op = check::operation(mpi, op, &recv.datatype)?;
    if recv.bytes() == 0 {
        return form.nothing(comm);
    }
    if form.attempt(&comm, |brief| brief.scan(send, &recv, &op, exclusive)) {
        return Ok(());
    }
    let send = send.map(|send| recv.at(send));
    let run = async move |(send, recv, op), net: &CommNet| match exclusive {
        false => coll::scan(net, send, recv, op).await,
        true => coll::exscan(net, send, recv, op).await,
    };
    form.run(comm, (send, recv, op), run)
}

#[inline(always)]
pub fn scan(
    form: impl Form,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    scanning(form, (sendbuf, recvbuf), count, datatype, op, comm, false)
}

#[inline(always)]
pub fn exscan(
    form: impl Form,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<()> {
    scanning(form, (sendbuf, recvbuf), count, datatype, op, comm, true)
}

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
    let recv = check::even(mpi, recvbuf.0.cast(), recvcount, recvtype, RECV)?;
    neighboring(form, neighbors, Blocks::same(send), recv, comm)
}

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
    let into = recvbuf.0.cast();
    let recv = check::varying(mpi, into, (recvcounts, displs), recvtype, incoming, RECV.0)?;
    neighboring(form, neighbors, Blocks::same(send), recv, comm)
}

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
    let send = check::even(mpi, writable(sendbuf), sendcount, sendtype, SEND)?;
    let recv = check::even(mpi, recvbuf.0.cast(), recvcount, recvtype, RECV)?;
    neighboring(form, neighbors, send, recv, comm)
}

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
    let (from, into) = (writable(sendbuf), recvbuf.0.cast());
    let send = check::varying(mpi, from, (sendcounts, sdispls), sendtype, outgoing, SEND.0)?;
    let recv = check::varying(mpi, into, (recvcounts, rdispls), recvtype, incoming, RECV.0)?;
    neighboring(form, neighbors, send, recv, comm)
}

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
    let (from, into) = (writable(sendbuf), recvbuf.0.cast());
    let (out, back) = (bytes(sdispls, outgoing)?, bytes(rdispls, incoming)?);
    let send = check::each(mpi, from, sendcounts, out, sendtypes, SEND.0)?;
    let recv = check::each(mpi, into, recvcounts, back, recvtypes, RECV.0)?;
    neighboring(form, neighbors, send, recv, comm)
}

/// `inoutbuf = inbuf op inoutbuf`, on this process alone.
pub fn reduce_local(
    mpi: &Mpi,
    inbuf: ConstBuf,
    inoutbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
) -> Result<()> {
    let input = check::input(mpi, inbuf, count, datatype, IN)?;
    let inout = check::data(mpi, inoutbuf.0.cast(), count, datatype, IN_OUT)?;
    let op = check::operation(mpi, op, &inout.datatype)?;
    check::apart(Some(input.place()), inout.place())?;
    op.apply(input.base, inout.base, inout.count, &inout.datatype)
}

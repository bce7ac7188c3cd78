//! One function per collective: its arguments checked, and the operation that they ask for.
//!
//! The plain, `v` and `w` forms of an operation end in the same call; so do its intra- and its
//! inter-communicator meaning.
#![allow(clippy::too_many_arguments)]

use std::rc::Rc;

use super::check::{self, BOTH, IN, IN_OUT, INPUT, RECV, RESULT, Rooted, SEND};
use super::{Call, Run};
use crate::buf::{Aints, ConstBuf, Counts, Displs, Handles, MutBuf};
use crate::coll::inter::{Inter, Root};
use crate::coll::{self, Blocks, Neighbors};
use crate::comm::Communicator;
use crate::datatype::Data;
use crate::engine::CommNet;
use crate::error::Result;
use crate::handle::{Comm, Datatype, Op};
use crate::mpi::Mpi;
use crate::types::{Count, Rank};

/// A send buffer as its arguments say.
type Sent = (ConstBuf, Count, Datatype);
/// A receive buffer as its arguments say.
type Received = (MutBuf, Count, Datatype);

fn writable(buf: ConstBuf) -> *mut u8 {
    buf.0.cast_mut().cast()
}

pub fn barrier(mpi: &Mpi, comm: Comm) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let inter = check::inter(&comm);
    let run = async move |net: &CommNet| match inter {
        None => coll::barrier(net).await,
        Some(local) => Inter::new(net, local).barrier().await,
    };
    Ok(Call { comm, run })
}

pub fn bcast(
    mpi: &Mpi,
    buffer: MutBuf,
    count: Count,
    datatype: Datatype,
    root: Rank,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let root = check::root(&comm, root)?;
    let data = match root {
        // The others of the root's group have no part in it, nor a buffer.
        Rooted::Inter(coll::inter::Root::Local) => nothing(mpi)?,
        _ => check::data(mpi, buffer.0.cast(), count, datatype, BOTH)?,
    };
    let local = comm.group.len();
    let run = async move |net: &CommNet| match root {
        Rooted::Intra(root) => coll::bcast(net, data.clone(), root).await,
        Rooted::Inter(root) => Inter::new(net, local).bcast(data.clone(), root).await,
    };
    Ok(Call { comm, run })
}

fn nothing(mpi: &Mpi) -> Result<Data> {
    Ok(Data::new(
        std::ptr::null_mut(),
        0,
        mpi.datatype(Datatype::BYTE)?,
    ))
}

/// Both forms of gather; `blocks` reads the root's receive arguments for so many blocks.
fn gathering(
    mpi: &Mpi,
    (sendbuf, sendcount, sendtype): Sent,
    blocks: &dyn Fn(usize) -> Result<Blocks>,
    root: Rank,
    comm: Comm,
    even: bool,
) -> Result<Call<impl Run + use<>>> {
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
        check::apart(send.as_ref(), &recv.get(root))?;
    }
    let local = comm.group.len();
    let run = async move |net: &CommNet| {
        let (send, recv) = (send.clone(), recv.clone());
        match root {
            Rooted::Intra(root) => coll::gather(net, send, recv, root, even).await,
            Rooted::Inter(root) => Inter::new(net, local).gather(send, recv, root).await,
        }
    };
    Ok(Call { comm, run })
}

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
) -> Result<Call<impl Run + use<>>> {
    let blocks = |_| check::even(mpi, recvbuf.0.cast(), recvcount, recvtype, RECV);
    gathering(
        mpi,
        (sendbuf, sendcount, sendtype),
        &blocks,
        root,
        comm,
        true,
    )
}

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
) -> Result<Call<impl Run + use<>>> {
    let blocks = |blocks| {
        let base = recvbuf.0.cast();
        check::varying(mpi, base, (recvcounts, displs), recvtype, blocks, RECV.0)
    };
    gathering(
        mpi,
        (sendbuf, sendcount, sendtype),
        &blocks,
        root,
        comm,
        false,
    )
}

/// Both forms of scatter; `blocks` reads the root's send arguments for so many blocks.
fn scattering(
    mpi: &Mpi,
    blocks: &dyn Fn(usize) -> Result<Blocks>,
    (recvbuf, recvcount, recvtype): Received,
    root: Rank,
    comm: Comm,
    even: bool,
) -> Result<Call<impl Run + use<>>> {
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
        check::apart(Some(&send.get(root)), recv)?;
    }
    let local = comm.group.len();
    let run = async move |net: &CommNet| {
        let (send, recv) = (send.clone(), recv.clone());
        match root {
            Rooted::Intra(root) => coll::scatter(net, send, recv, root, even).await,
            Rooted::Inter(root) => Inter::new(net, local).scatter(send, recv, root).await,
        }
    };
    Ok(Call { comm, run })
}

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
) -> Result<Call<impl Run + use<>>> {
    let blocks = |_| check::even(mpi, writable(sendbuf), sendcount, sendtype, SEND);
    scattering(
        mpi,
        &blocks,
        (recvbuf, recvcount, recvtype),
        root,
        comm,
        true,
    )
}

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
) -> Result<Call<impl Run + use<>>> {
    let blocks = |blocks| {
        let base = writable(sendbuf);
        check::varying(mpi, base, (sendcounts, displs), sendtype, blocks, SEND.0)
    };
    scattering(
        mpi,
        &blocks,
        (recvbuf, recvcount, recvtype),
        root,
        comm,
        false,
    )
}

/// Both forms of allgather.
fn allgathering(
    mpi: &Mpi,
    (sendbuf, sendcount, sendtype): Sent,
    recv: Blocks,
    comm: Rc<Communicator>,
) -> Result<Call<impl Run + use<>>> {
    let send = check::input_or_in_place(mpi, sendbuf, sendcount, sendtype, SEND)?;
    let inter = check::inter(&comm);
    if inter.is_none() {
        check::apart(send.as_ref(), &recv.get(comm.rank as usize))?;
    } else {
        check::not_in_place(send.as_ref())?;
    }
    let run = async move |net: &CommNet| match (inter, send.clone()) {
        (Some(local), Some(send)) => {
            Inter::new(net, local)
                .alltoall(Blocks::same(send), recv.clone())
                .await
        }
        (_, send) => coll::allgather(net, send, recv.clone()).await,
    };
    Ok(Call { comm, run })
}

pub fn allgather(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let recv = check::even(mpi, recvbuf.0.cast(), recvcount, recvtype, RECV)?;
    allgathering(mpi, (sendbuf, sendcount, sendtype), recv, comm)
}

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
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let (base, blocks) = (recvbuf.0.cast(), comm.peers().len());
    let recv = check::varying(mpi, base, (recvcounts, displs), recvtype, blocks, RECV.0)?;
    allgathering(mpi, (sendbuf, sendcount, sendtype), recv, comm)
}

/// All forms of all-to-all; `send` is `None` where the data is in place.
fn exchanging(
    send: Option<Blocks>,
    recv: Blocks,
    comm: Rc<Communicator>,
    even: bool,
) -> Result<Call<impl Run + use<>>> {
    let inter = check::inter(&comm);
    if inter.is_some() {
        check::not_in_place(send.as_ref())?;
    } else {
        let me = comm.rank as usize;
        let own = send.as_ref().map(|send| send.get(me));
        check::apart(own.as_ref(), &recv.get(me))?;
    }
    let run = async move |net: &CommNet| match (inter, send.clone()) {
        (Some(local), Some(send)) => Inter::new(net, local).alltoall(send, recv.clone()).await,
        (_, send) => coll::alltoall(net, send, recv.clone(), even).await,
    };
    Ok(Call { comm, run })
}

pub fn alltoall(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
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
    exchanging(send, recv, comm, true)
}

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
) -> Result<Call<impl Run + use<>>> {
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
    exchanging(send, recv, comm, false)
}

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
) -> Result<Call<impl Run + use<>>> {
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
    exchanging(send, recv, comm, false)
}

pub fn reduce(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    root: Rank,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
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
        check::apart(send.as_ref(), recv)?;
    }
    let op = match root {
        // No argument but the root counts here.
        Rooted::Inter(Root::Local) => None,
        _ => Some(check::operation(mpi, op, &*mpi.committed(datatype)?)?),
    };
    let local = comm.group.len();
    let run = async move |net: &CommNet| {
        let (send, recv) = (send.clone(), recv.clone());
        let Some(op) = op.clone() else {
            return Ok(());
        };
        match root {
            Rooted::Intra(root) => coll::reduce(net, send, recv, op, root).await,
            Rooted::Inter(root) => Inter::new(net, local).reduce(send, recv, op, root).await,
        }
    };
    Ok(Call { comm, run })
}

pub fn allreduce(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let recv = check::data(mpi, recvbuf.0.cast(), count, datatype, RESULT)?;
    let send = check::input_or_in_place(mpi, sendbuf, count, datatype, INPUT)?;
    check::apart(send.as_ref(), &recv)?;
    let op = check::operation(mpi, op, &recv.datatype)?;
    let inter = check::inter(&comm);
    if inter.is_some() {
        check::not_in_place(send.as_ref())?;
    }
    let run = async move |net: &CommNet| {
        let (recv, op) = (recv.clone(), op.clone());
        match (inter, send.clone()) {
            (Some(local), Some(send)) => Inter::new(net, local).allreduce(send, recv, op).await,
            (_, send) => coll::allreduce(net, send, recv, op).await,
        }
    };
    Ok(Call { comm, run })
}

/// Both forms of reduce-scatter.
fn reduce_scattering(
    mpi: &Mpi,
    (sendbuf, recvbuf): (ConstBuf, MutBuf),
    counts: coll::Counts,
    datatype: Datatype,
    op: Op,
    comm: Rc<Communicator>,
) -> Result<Call<impl Run + use<>>> {
    let (total, own) = match &counts {
        coll::Counts::Even(count) => (count * comm.group.len() as u64, *count),
        coll::Counts::Varying(counts) => (counts.iter().sum(), counts[comm.rank as usize]),
    };
    let (total, own) = (total as i64, own as i64);
    let send = check::input_or_in_place(mpi, sendbuf, total, datatype, SEND)?;
    // The whole vector is in the receive buffer when it is in place.
    let room = if send.is_some() { own } else { total };
    let recv = check::data(mpi, recvbuf.0.cast(), room, datatype, RECV)?;
    check::apart(send.as_ref(), &recv)?;
    let op = check::operation(mpi, op, &recv.datatype)?;
    let inter = check::inter(&comm);
    if inter.is_some() {
        check::not_in_place(send.as_ref())?;
    }
    let run = async move |net: &CommNet| {
        let (recv, counts, op) = (recv.clone(), counts.clone(), op.clone());
        match (inter, send.clone()) {
            (Some(local), Some(send)) => {
                Inter::new(net, local)
                    .reduce_scatter(send, recv, counts, op)
                    .await
            }
            (_, send) => coll::reduce_scatter(net, send, recv, counts, op).await,
        }
    };
    Ok(Call { comm, run })
}

pub fn reduce_scatter(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let counts = coll::Counts::Varying(check::counts(recvcounts, comm.group.len())?);
    reduce_scattering(mpi, (sendbuf, recvbuf), counts, datatype, op, comm)
}

pub fn reduce_scatter_block(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    recvcount: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let counts = coll::Counts::Even(check::count("recvcount", recvcount)?);
    reduce_scattering(mpi, (sendbuf, recvbuf), counts, datatype, op, comm)
}

/// Both prefix reductions.
fn scanning(
    mpi: &Mpi,
    (sendbuf, recvbuf): (ConstBuf, MutBuf),
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
    exclusive: bool,
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    check::intra(&comm)?;
    let recv = check::data(mpi, recvbuf.0.cast(), count, datatype, RESULT)?;
    let send = check::input_or_in_place(mpi, sendbuf, count, datatype, INPUT)?;
    check::apart(send.as_ref(), &recv)?;
    let op = check::operation(mpi, op, &recv.datatype)?;
    let run = async move |net: &CommNet| {
        let (send, recv, op) = (send.clone(), recv.clone(), op.clone());
        match exclusive {
            false => coll::scan(net, send, recv, op).await,
            true => coll::exscan(net, send, recv, op).await,
        }
    };
    Ok(Call { comm, run })
}

pub fn scan(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
    scanning(mpi, (sendbuf, recvbuf), count, datatype, op, comm, false)
}

pub fn exscan(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    recvbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
    scanning(mpi, (sendbuf, recvbuf), count, datatype, op, comm, true)
}

/// All neighbourhood collectives.
fn neighboring(
    neighbors: Neighbors,
    send: Blocks,
    recv: Blocks,
    comm: Rc<Communicator>,
) -> Call<impl Run + use<>> {
    let run = async move |net: &CommNet| {
        let (neighbors, send, recv) = (neighbors.clone(), send.clone(), recv.clone());
        coll::neighbor_alltoall(net, neighbors, send, recv).await
    };
    Call { comm, run }
}

pub fn neighbor_allgather(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let (neighbors, ..) = check::neighbors(&comm)?;
    let send = check::input(mpi, sendbuf, sendcount, sendtype, SEND)?;
    let recv = check::even(mpi, recvbuf.0.cast(), recvcount, recvtype, RECV)?;
    Ok(neighboring(neighbors, Blocks::same(send), recv, comm))
}

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
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let (neighbors, incoming, _) = check::neighbors(&comm)?;
    let send = check::input(mpi, sendbuf, sendcount, sendtype, SEND)?;
    let into = recvbuf.0.cast();
    let recv = check::varying(mpi, into, (recvcounts, displs), recvtype, incoming, RECV.0)?;
    Ok(neighboring(neighbors, Blocks::same(send), recv, comm))
}

pub fn neighbor_alltoall(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let (neighbors, ..) = check::neighbors(&comm)?;
    let send = check::even(mpi, writable(sendbuf), sendcount, sendtype, SEND)?;
    let recv = check::even(mpi, recvbuf.0.cast(), recvcount, recvtype, RECV)?;
    Ok(neighboring(neighbors, send, recv, comm))
}

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
) -> Result<Call<impl Run + use<>>> {
    let comm = mpi.comm(comm)?;
    let (neighbors, incoming, outgoing) = check::neighbors(&comm)?;
    let (from, into) = (writable(sendbuf), recvbuf.0.cast());
    let send = check::varying(mpi, from, (sendcounts, sdispls), sendtype, outgoing, SEND.0)?;
    let recv = check::varying(mpi, into, (recvcounts, rdispls), recvtype, incoming, RECV.0)?;
    Ok(neighboring(neighbors, send, recv, comm))
}

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
) -> Result<Call<impl Run + use<>>> {
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
    Ok(neighboring(neighbors, send, recv, comm))
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
    check::apart(Some(&input), &inout)?;
    op.apply(input.base, inout.base, inout.count, &inout.datatype)
}

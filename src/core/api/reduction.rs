//! Collectives that combine data: one function per MPI operation, for all its forms (MPI-5.0, 6.9 to 6.11).
//!
//! As in [`collective`](super::collective). Errors are also `MPI_ERR_OP`.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::coll;
use crate::coll::inter::{Inter, Root};
use crate::collective::Form;
use crate::collective::check::{self, IN, IN_OUT, INPUT, RECV, RESULT, Rooted, SEND, is_empty};
use crate::comm::{CommNet, Communicator};
use crate::datatype::{Data, Like};
use crate::op::Operation;

/// The contribution, the result, the operation: each where this rank has it.
type ReduceData = (Option<Data>, Option<Data>, Option<Rc<Operation>>);

/// The root gets the combination of all ranks' data. (MPI-5.0, 6.9.1)
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
        true => Some(check::data(mpi, recvbuf.base(), count, datatype, RESULT)?),
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
    if form.attempt(&comm, |fast_path| {
        fast_path.reduce(send.as_ref(), recv.as_ref(), op.as_ref()?, root.intra()?)
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

/// Every rank gets the combination of all ranks' data. (MPI-5.0, 6.9.6)
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
    let recv = check::data(mpi, recvbuf.base(), count, datatype, RESULT)?;
    let send = check::input_like(&recv, sendbuf, INPUT)?;
    check::apart(
        send.map(|send| (send.address(), recv.bytes())),
        recv.place(),
    )?;
    let op = check::operation(mpi, op, &recv.datatype)?;
    let inter = check::inter(&comm);
    if inter.is_some() {
        check::not_in_place(send)?;
    }
    if recv.bytes() == 0 {
        return form.nothing(comm);
    }
    if form.attempt(&comm, |fast_path| fast_path.allreduce(send, &recv, &op)) {
        return Ok(());
    }
    let send = send.map(Like::data);
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
    let Some(total) = counts.total(comm.group.len()) else {
        crate::fail!(
            COUNT,
            "the blocks of all {} ranks have more than 2^63 - 1 elements together",
            comm.group.len()
        );
    };
    let own = match &counts {
        coll::Counts::Even(count) => *count as i64,
        coll::Counts::Varying(counts) => counts[comm.rank as usize] as i64,
    };
    let send = check::input_or_in_place(mpi, sendbuf, total, datatype, SEND)?;
    // The whole vector is in the receive buffer when it is in place.
    let room = if send.is_some() { own } else { total };
    let recv = check::data(mpi, recvbuf.base(), room, datatype, RECV)?;
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
    if form.attempt(&comm, |fast_path| {
        fast_path.reduce_scatter(send.as_ref(), &recv, &counts, &op)
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

/// Rank r gets block r of the combination of all ranks' data. (MPI-5.0, 6.10.2)
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

/// Rank r gets block r, all of one size, of the combination of all ranks' data. (MPI-5.0, 6.10.1)
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
    let recv = check::data(mpi, recvbuf.base(), count, datatype, RESULT)?;
    let send = check::input_like(&recv, sendbuf, INPUT)?;
    check::apart(
        send.map(|send| (send.address(), recv.bytes())),
        recv.place(),
    )?;
    let op = check::operation(mpi, op, &recv.datatype)?;
    if recv.bytes() == 0 {
        return form.nothing(comm);
    }
    if form.attempt(&comm, |fast_path| {
        fast_path.scan(send, &recv, &op, exclusive)
    }) {
        return Ok(());
    }
    let send = send.map(Like::data);
    let run = async move |(send, recv, op), net: &CommNet| match exclusive {
        false => coll::scan(net, send, recv, op).await,
        true => coll::exscan(net, send, recv, op).await,
    };
    form.run(comm, (send, recv, op), run)
}

/// Rank r gets the combination of the data of ranks 0 to r. (MPI-5.0, 6.11.1)
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

/// Rank r gets the combination of the data of ranks 0 to r - 1. (MPI-5.0, 6.11.2)
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

/// Combines two buffers of this process: `inoutbuf = inbuf op inoutbuf`. (MPI-5.0, 6.9.7)
pub fn reduce_local(
    mpi: &Mpi,
    inbuf: ConstBuf,
    inoutbuf: MutBuf,
    count: Count,
    datatype: Datatype,
    op: Op,
) -> Result<()> {
    let input = check::input(mpi, inbuf, count, datatype, IN)?;
    let inout = check::data(mpi, inoutbuf.base(), count, datatype, IN_OUT)?;
    let op = check::operation(mpi, op, &inout.datatype)?;
    check::apart(Some(input.place()), inout.place())?;
    op.apply(&input, &inout)
}

//! Sends and receives in one call (MPI-5.0, 3.10).

use std::rc::Rc;

use super::p2p::{Mode, Receiving, Sending, described, pattern, receive, wait};
use crate::api::prelude::*;
use crate::datatype::Packed;
use crate::engine::Engine;
use crate::fail;
use crate::proto::{EAGER_LIMIT, OpId};
use crate::request::{Active, Operation};
use crate::runtime::Runtime;

/// Both halves of a send-receive, checked.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn exchange(
    mpi: &Mpi,
    comm: Comm,
    send: (ConstBuf, Count, Datatype),
    dest: Rank,
    sendtag: Tag,
    receive: (MutBuf, Count, Datatype),
    source: Rank,
    recvtag: Tag,
    names: [(&str, &str); 2],
) -> Result<(Sending, Receiving)> {
    let comm = mpi.comm(comm)?;
    let tag = (sendtag, "sendtag");
    let sending = Sending::new(mpi, &comm, send, names[0], dest, tag)?;
    let into = described(mpi, receive.0.base(), receive.1, receive.2, names[1])?;
    let pattern = pattern(&comm, source, recvtag, ("source", "recvtag"))?;
    Ok((
        sending,
        Receiving {
            comm,
            pattern,
            data: into,
        },
    ))
}

/// Runs both halves together and returns the receive's status.
#[inline(always)]
fn run_exchange(mpi: &Mpi, sending: Sending, receiving: Receiving) -> Result<Status> {
    let engine = mpi.engine();
    // A longer one waits for its receive, so that of the other side must be there.
    if sending.data.bytes() > EAGER_LIMIT {
        return run_posted(mpi, engine, sending, receiving);
    }
    let started = sending.start(mpi, engine, &receiving.comm, Mode::Standard)?;
    if let Some(send) = started {
        return run_started(mpi, engine, send, receiving);
    }
    // The message has left, as short ones do: what remains is a receive.
    let Receiving {
        comm,
        pattern,
        data,
    } = receiving;
    match pattern {
        None => Ok(Status::PROC_NULL),
        Some(pattern) => receive(mpi, engine, &comm, pattern, data),
    }
}

#[inline(never)]
fn run_posted(
    mpi: &Mpi,
    engine: &Engine,
    sending: Sending,
    receiving: Receiving,
) -> Result<Status> {
    let comm = receiving.comm.clone();
    let receive = receiving.start(engine);
    if let Some(send) = sending.start(mpi, engine, &comm, Mode::Standard)? {
        mpi.wait_for(engine, send);
    }
    wait(mpi, engine, receive)
}

#[inline(never)]
fn run_started(mpi: &Mpi, engine: &Engine, send: OpId, receiving: Receiving) -> Result<Status> {
    let receive = receiving.start(engine);
    mpi.wait_for(engine, send);
    wait(mpi, engine, receive)
}

/// Sends one message and receives another, without fear of deadlock. (MPI-5.0, 3.10)
#[allow(clippy::too_many_arguments)]
pub fn sendrecv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    dest: Rank,
    sendtag: Tag,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    source: Rank,
    recvtag: Tag,
    comm: Comm,
    status: Out<Status>,
) -> Result<()> {
    let (sending, receiving) = exchange(
        mpi,
        comm,
        (sendbuf, sendcount, sendtype),
        dest,
        sendtag,
        (recvbuf, recvcount, recvtype),
        source,
        recvtag,
        [("sendbuf", "sendcount"), ("recvbuf", "recvcount")],
    )?;
    report(status, run_exchange(mpi, sending, receiving))
}

/// The halves of a send-receive that replaces one buffer: the data to send is packed in memory of its own, so that
/// the receive may overwrite the buffer. The packed bytes live as long as the third value.
#[allow(clippy::too_many_arguments)]
fn replacing(
    mpi: &Mpi,
    buf: MutBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    sendtag: Tag,
    source: Rank,
    recvtag: Tag,
    comm: Comm,
) -> Result<(Sending, Receiving, Packed)> {
    let names = [("buf", "count"); 2];
    let (mut sending, receiving) = exchange(
        mpi,
        comm,
        (buf.as_const(), count, datatype),
        dest,
        sendtag,
        (buf, count, datatype),
        source,
        recvtag,
        names,
    )?;
    let aside = Packed::copy(&sending.data, mpi.committed(Datatype::PACKED)?);
    sending.data = aside.data();
    Ok((sending, receiving, aside))
}

/// Sends a buffer and receives into the same. (MPI-5.0, 3.10)
#[allow(clippy::too_many_arguments)]
pub fn sendrecv_replace(
    mpi: &Mpi,
    buf: MutBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    sendtag: Tag,
    source: Rank,
    recvtag: Tag,
    comm: Comm,
    status: Out<Status>,
) -> Result<()> {
    let (sending, receiving, aside) = replacing(
        mpi, buf, count, datatype, dest, sendtag, source, recvtag, comm,
    )?;
    let result = run_exchange(mpi, sending, receiving);
    drop(aside);
    report(status, result)
}

/// A request that ends when both halves of a send-receive have ended; its status is the receive's.
fn exchange_request(
    mpi: &Mpi,
    sending: Sending,
    receiving: Receiving,
    aside: Option<Packed>,
) -> Result<Request> {
    let engine = mpi.engine();
    let comm = receiving.comm.clone();
    let receive = receiving.start(engine);
    let started = sending.start(mpi, engine, &comm, Mode::Standard)?;
    let both = Exchange {
        send: started.map(|id| Active::transfer(id, comm.clone())),
        receive,
        _aside: aside,
    };
    let active = Active {
        operation: Operation::Generalized(Rc::new(both)),
        comm: Some(comm),
    };
    mpi.requests.add(active)
}

struct Exchange {
    send: Option<Active>,
    receive: Active,
    /// Keeps the packed data of a replacing exchange while it is sent.
    _aside: Option<Packed>,
}

impl crate::request::Generalized for Exchange {
    fn complete(&self, engine: &Engine) -> bool {
        let ended = |active: &Active| crate::request::ended(engine, &active.operation);
        self.send.as_ref().is_none_or(ended) && ended(&self.receive)
    }

    fn finish(&self, runtime: &Runtime) -> Result<Status> {
        let engine = runtime.engine();
        if let Some(send) = &self.send {
            crate::request::outcome(runtime, engine, send)?;
        }
        crate::request::outcome(runtime, engine, &self.receive)
    }

    fn query(&self, _: &Runtime) -> Result<Status> {
        Ok(Status::EMPTY)
    }

    fn cancel(&self, _: &Runtime) -> Result<()> {
        fail!(REQUEST, "a send-receive cannot be cancelled")
    }
}

/// Starts a send-receive. (MPI-5.0, 3.10)
#[allow(clippy::too_many_arguments)]
pub fn isendrecv(
    mpi: &Mpi,
    sendbuf: ConstBuf,
    sendcount: Count,
    sendtype: Datatype,
    dest: Rank,
    sendtag: Tag,
    recvbuf: MutBuf,
    recvcount: Count,
    recvtype: Datatype,
    source: Rank,
    recvtag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    let (sending, receiving) = exchange(
        mpi,
        comm,
        (sendbuf, sendcount, sendtype),
        dest,
        sendtag,
        (recvbuf, recvcount, recvtype),
        source,
        recvtag,
        [("sendbuf", "sendcount"), ("recvbuf", "recvcount")],
    )?;
    request.set(exchange_request(mpi, sending, receiving, None)?);
    Ok(())
}

/// Starts a send-receive into the buffer that is sent. (MPI-5.0, 3.10)
#[allow(clippy::too_many_arguments)]
pub fn isendrecv_replace(
    mpi: &Mpi,
    buf: MutBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    sendtag: Tag,
    source: Rank,
    recvtag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    let (sending, receiving, aside) = replacing(
        mpi, buf, count, datatype, dest, sendtag, source, recvtag, comm,
    )?;
    request.set(exchange_request(mpi, sending, receiving, Some(aside))?);
    Ok(())
}

//! Point-to-point communication: one function per MPI operation (MPI-5.0, chapter 3).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::comm::Communicator;
use crate::datatype::Data;
use crate::engine::{Engine, receive_result};
use crate::fail;
use crate::matching::{Envelope, Pattern};
use crate::request::{Active, COMPLETE, Operation, Recipe};

/// How a send completes (MPI-5.0, 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Standard,
    Buffered,
    Synchronous,
    /// The receive has been posted, says the application; we do not rely on it.
    Ready,
}

/// A send with its arguments checked. `to` is `None` for `MPI_PROC_NULL`.
#[derive(Clone)]
struct Sending {
    comm: Rc<Communicator>,
    to: Option<ProcId>,
    envelope: Envelope,
    data: Data,
    mode: Mode,
}

/// A receive with its arguments checked. `pattern` is `None` for `MPI_PROC_NULL`.
#[derive(Clone)]
struct Receiving {
    comm: Rc<Communicator>,
    pattern: Option<Pattern>,
    data: Data,
}

/// Describes a buffer, checking count, datatype and address.
#[inline]
pub(crate) fn described(
    mpi: &Mpi,
    buf: *mut u8,
    count: Count,
    datatype: Datatype,
    names: (&str, &str),
) -> Result<Data> {
    Data::described(buf, count, mpi.committed(datatype)?, names)
}

/// The process that a send goes to, `None` for `MPI_PROC_NULL`.
#[inline]
pub(crate) fn peer(comm: &Communicator, rank: Rank, name: &str) -> Result<Option<ProcId>> {
    let peers = comm.peers();
    if (rank.0 as u32 as usize) < peers.len() {
        return Ok(Some(peers.proc(rank.0 as usize)));
    }
    if rank == Rank::PROC_NULL {
        return Ok(None);
    }
    Err(no_such_rank(comm, rank, name))
}

#[cold]
fn no_such_rank(comm: &Communicator, rank: Rank, name: &str) -> crate::error::Error {
    let what = match rank {
        Rank::ANY_SOURCE => "MPI_ANY_SOURCE, which is not allowed here".to_string(),
        Rank::ROOT => "MPI_ROOT, which is not allowed here".to_string(),
        Rank(number) => format!(
            "{number}: not a rank of {}, which are 0 to {}",
            comm.describe(),
            comm.peers().len() as i64 - 1
        ),
    };
    crate::error::Error::new(crate::error::class::RANK, format!("{name} = {what}"))
}

#[inline]
pub(crate) fn send_tag(tag: Tag, name: &str) -> Result<i32> {
    if tag.0 < 0 {
        let what = if tag == Tag::ANY {
            "MPI_ANY_TAG".into()
        } else {
            tag.0.to_string()
        };
        fail!(
            TAG,
            "{name} = {what}: a message's tag is 0 to {}",
            Tag::UPPER_BOUND
        );
    }
    Ok(tag.0)
}

impl Sending {
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn new(
        mpi: &Mpi,
        buf: ConstBuf,
        count: Count,
        datatype: Datatype,
        dest: Rank,
        tag: Tag,
        comm: Comm,
        mode: Mode,
    ) -> Result<Sending> {
        let comm = mpi.comm(comm)?;
        let data = described(
            mpi,
            buf.0.cast_mut().cast(),
            count,
            datatype,
            ("buf", "count"),
        )?;
        let to = peer(&comm, dest, "dest")?;
        let tag = send_tag(tag, "tag")?;
        let envelope = Envelope {
            context: comm.context(),
            source: comm.rank as u32,
            tag,
        };
        Ok(Sending {
            comm,
            to,
            envelope,
            data,
            mode,
        })
    }

    /// Starts it. `None`: it is complete already.
    #[inline(always)]
    fn start(self, mpi: &Mpi, engine: &Engine) -> Result<Option<Active>> {
        let Some(to) = self.to else { return Ok(None) };
        if self.mode == Mode::Buffered {
            mpi.bsend
                .send(mpi, engine, to, self.envelope, &self.data, self.comm)?;
            return Ok(None);
        }
        let synchronous = self.mode == Mode::Synchronous;
        Ok(engine
            .send(to, self.envelope, self.data, synchronous)
            .map(|id| Active {
                operation: Operation::Transfer(id),
                comm: Some(self.comm),
            }))
    }
}

impl Receiving {
    #[inline(always)]
    fn new(
        mpi: &Mpi,
        buf: MutBuf,
        count: Count,
        datatype: Datatype,
        source: Rank,
        tag: Tag,
        comm: Comm,
    ) -> Result<Receiving> {
        let comm = mpi.comm(comm)?;
        let data = described(mpi, buf.0.cast(), count, datatype, ("buf", "count"))?;
        let pattern = pattern(&comm, source, tag, ("source", "tag"))?;
        Ok(Receiving {
            comm,
            pattern,
            data,
        })
    }

    /// Starts it. It may be complete already.
    #[inline(always)]
    fn start(self, engine: &Engine) -> Active {
        let operation = match self.pattern {
            None => Operation::Complete(Status::PROC_NULL),
            Some(pattern) => Operation::Transfer(engine.receive(&pattern, self.data)),
        };
        Active {
            operation,
            comm: Some(self.comm),
        }
    }
}

/// What a receive or a probe looks for; `None` for `MPI_PROC_NULL`.
#[inline]
fn pattern(
    comm: &Communicator,
    source: Rank,
    tag: Tag,
    names: (&str, &str),
) -> Result<Option<Pattern>> {
    let source = if source == Rank::ANY_SOURCE {
        None
    } else {
        match peer(comm, source, names.0)? {
            Some(_) => Some(source.0 as u32),
            None => {
                receive_tag(tag, names.1)?;
                return Ok(None);
            }
        }
    };
    let tag = receive_tag(tag, names.1)?;
    Ok(Some(Pattern {
        context: comm.context(),
        source,
        tag,
    }))
}

#[inline]
fn receive_tag(tag: Tag, name: &str) -> Result<Option<i32>> {
    if tag == Tag::ANY {
        Ok(None)
    } else {
        send_tag(tag, name).map(Some)
    }
}

/// Waits for what a blocking call has started.
#[inline]
fn wait(mpi: &Mpi, engine: &Engine, active: Active) -> Result<Status> {
    match active.operation {
        Operation::Transfer(id) => {
            let outcome = mpi.wait_for(engine, id);
            match &active.comm {
                Some(comm) => receive_result(&outcome, comm),
                None => Ok(outcome.status),
            }
        }
        Operation::Complete(status) => Ok(status),
        _ => unreachable!("point-to-point calls start transfers only"),
    }
}

#[inline]
#[allow(clippy::too_many_arguments)]
fn blocking_send(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    mode: Mode,
) -> Result<()> {
    let sending = Sending::new(mpi, buf, count, datatype, dest, tag, comm, mode)?;
    let engine = mpi.engine();
    match sending.start(mpi, engine)? {
        None => Ok(()),
        Some(active) => wait(mpi, engine, active).map(|_| ()),
    }
}

/// The request for a send that may be complete already.
#[inline]
fn send_request(mpi: &Mpi, active: Option<Active>) -> Result<Request> {
    match active {
        Some(active) => mpi.requests.add(active),
        None => Ok(COMPLETE),
    }
}

#[inline]
#[allow(clippy::too_many_arguments)]
fn start_send(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    mode: Mode,
    request: Out<Request>,
) -> Result<()> {
    let sending = Sending::new(mpi, buf, count, datatype, dest, tag, comm, mode)?;
    let active = sending.start(mpi, mpi.engine())?;
    request.set(send_request(mpi, active)?);
    Ok(())
}

#[allow(clippy::too_many_arguments)]
fn persistent_send(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    mode: Mode,
    request: Out<Request>,
) -> Result<()> {
    let sending = Sending::new(mpi, buf, count, datatype, dest, tag, comm, mode)?;
    let recipe: Recipe = Rc::new(move |mpi| {
        let active = sending.clone().start(mpi, mpi.engine())?;
        let complete = Active {
            operation: Operation::Complete(Status::EMPTY),
            comm: None,
        };
        Ok(active.unwrap_or(complete))
    });
    request.set(mpi.requests.add_persistent(recipe)?);
    Ok(())
}

/// Blocking standard-mode send. Returns when `buf` may be used again. (MPI-5.0, 3.2.1)
pub fn send(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
) -> Result<()> {
    blocking_send(mpi, buf, count, datatype, dest, tag, comm, Mode::Standard)
}

/// Starts a standard-mode send. (MPI-5.0, 3.7.2)
pub fn isend(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    start_send(
        mpi,
        buf,
        count,
        datatype,
        dest,
        tag,
        comm,
        Mode::Standard,
        request,
    )
}

/// A persistent standard-mode send. (MPI-5.0, 3.9)
pub fn send_init(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    persistent_send(
        mpi,
        buf,
        count,
        datatype,
        dest,
        tag,
        comm,
        Mode::Standard,
        request,
    )
}

/// Blocking buffered-mode send. Returns at once; the message waits in the attached buffer.
///
/// # Errors
/// `MPI_ERR_BUFFER`: the attached buffer has no room. (MPI-5.0, 3.4)
pub fn bsend(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
) -> Result<()> {
    blocking_send(mpi, buf, count, datatype, dest, tag, comm, Mode::Buffered)
}

/// Starts a buffered-mode send. (MPI-5.0, 3.7.2)
pub fn ibsend(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    start_send(
        mpi,
        buf,
        count,
        datatype,
        dest,
        tag,
        comm,
        Mode::Buffered,
        request,
    )
}

/// A persistent buffered-mode send. (MPI-5.0, 3.9)
pub fn bsend_init(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    persistent_send(
        mpi,
        buf,
        count,
        datatype,
        dest,
        tag,
        comm,
        Mode::Buffered,
        request,
    )
}

/// Blocking synchronous-mode send. Returns when the matching receive has started. (MPI-5.0, 3.4)
pub fn ssend(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
) -> Result<()> {
    blocking_send(
        mpi,
        buf,
        count,
        datatype,
        dest,
        tag,
        comm,
        Mode::Synchronous,
    )
}

/// Starts a synchronous-mode send. (MPI-5.0, 3.7.2)
pub fn issend(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    start_send(
        mpi,
        buf,
        count,
        datatype,
        dest,
        tag,
        comm,
        Mode::Synchronous,
        request,
    )
}

/// A persistent synchronous-mode send. (MPI-5.0, 3.9)
pub fn ssend_init(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    persistent_send(
        mpi,
        buf,
        count,
        datatype,
        dest,
        tag,
        comm,
        Mode::Synchronous,
        request,
    )
}

/// Blocking ready-mode send. The matching receive has been posted. (MPI-5.0, 3.4)
pub fn rsend(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
) -> Result<()> {
    blocking_send(mpi, buf, count, datatype, dest, tag, comm, Mode::Ready)
}

/// Starts a ready-mode send. (MPI-5.0, 3.7.2)
pub fn irsend(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    start_send(
        mpi,
        buf,
        count,
        datatype,
        dest,
        tag,
        comm,
        Mode::Ready,
        request,
    )
}

/// A persistent ready-mode send. (MPI-5.0, 3.9)
pub fn rsend_init(
    mpi: &Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    persistent_send(
        mpi,
        buf,
        count,
        datatype,
        dest,
        tag,
        comm,
        Mode::Ready,
        request,
    )
}

/// Blocking receive. (MPI-5.0, 3.2.4)
///
/// # Errors
/// `MPI_ERR_TRUNCATE`: the message is longer than the buffer; the buffer holds its beginning.
pub fn recv(
    mpi: &Mpi,
    buf: MutBuf,
    count: Count,
    datatype: Datatype,
    source: Rank,
    tag: Tag,
    comm: Comm,
    status: Out<Status>,
) -> Result<()> {
    let receiving = Receiving::new(mpi, buf, count, datatype, source, tag, comm)?;
    let Some(pattern) = receiving.pattern else {
        return report(status, Ok(Status::PROC_NULL));
    };
    let outcome = mpi.receive_now(mpi.engine(), &pattern, receiving.data);
    report(status, receive_result(&outcome, &receiving.comm))
}

/// Starts a receive. (MPI-5.0, 3.7.2)
pub fn irecv(
    mpi: &Mpi,
    buf: MutBuf,
    count: Count,
    datatype: Datatype,
    source: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    let receiving = Receiving::new(mpi, buf, count, datatype, source, tag, comm)?;
    request.set(mpi.requests.add(receiving.start(mpi.engine()))?);
    Ok(())
}

/// A persistent receive. (MPI-5.0, 3.9)
pub fn recv_init(
    mpi: &Mpi,
    buf: MutBuf,
    count: Count,
    datatype: Datatype,
    source: Rank,
    tag: Tag,
    comm: Comm,
    request: Out<Request>,
) -> Result<()> {
    let receiving = Receiving::new(mpi, buf, count, datatype, source, tag, comm)?;
    let recipe: Recipe = Rc::new(move |mpi| Ok(receiving.clone().start(mpi.engine())));
    request.set(mpi.requests.add_persistent(recipe)?);
    Ok(())
}

/// Both halves of a send-receive, checked.
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
    let out = described(mpi, send.0.0.cast_mut().cast(), send.1, send.2, names[0])?;
    let into = described(mpi, receive.0.0.cast(), receive.1, receive.2, names[1])?;
    let to = peer(&comm, dest, "dest")?;
    let tag = send_tag(sendtag, "sendtag")?;
    let envelope = Envelope {
        context: comm.context(),
        source: comm.rank as u32,
        tag,
    };
    let pattern = pattern(&comm, source, recvtag, ("source", "recvtag"))?;
    let sending = Sending {
        comm: comm.clone(),
        to,
        envelope,
        data: out,
        mode: Mode::Standard,
    };
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
fn run_exchange(mpi: &Mpi, sending: Sending, receiving: Receiving) -> Result<Status> {
    let engine = mpi.engine();
    let receive = receiving.start(engine);
    let send = sending.start(mpi, engine)?;
    if let Some(send) = send {
        wait(mpi, engine, send)?;
    }
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

/// The halves of a send-receive that replaces one buffer: the data to send is packed aside, so that the
/// receive may overwrite the buffer. The packed bytes live as long as the third value.
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
) -> Result<(Sending, Receiving, Box<[u8]>)> {
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
    let mut aside = vec![0; sending.data.bytes() as usize].into_boxed_slice();
    sending.data.pack(0, &mut aside);
    let bytes = mpi.committed(Datatype::PACKED)?;
    sending.data = Data::new(aside.as_mut_ptr(), aside.len() as u64, bytes);
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
    aside: Option<Box<[u8]>>,
) -> Result<Request> {
    let engine = mpi.engine();
    let receive = receiving.start(engine);
    let send = sending.start(mpi, engine)?;
    let both = Exchange {
        send,
        receive,
        _aside: aside,
    };
    let active = Active {
        operation: Operation::Generalized(Rc::new(both)),
        comm: None,
    };
    mpi.requests.add(active)
}

struct Exchange {
    send: Option<Active>,
    receive: Active,
    /// Keeps the packed data of a replacing exchange while it is sent.
    _aside: Option<Box<[u8]>>,
}

impl crate::request::Generalized for Exchange {
    fn complete(&self, engine: &Engine) -> bool {
        let ended = |active: &Active| crate::request::ended(engine, &active.operation);
        self.send.as_ref().is_none_or(ended) && ended(&self.receive)
    }

    fn finish(&self, mpi: &Mpi) -> Result<Status> {
        let engine = mpi.engine();
        if let Some(send) = &self.send {
            crate::request::outcome(mpi, engine, send)?;
        }
        crate::request::outcome(mpi, engine, &self.receive)
    }

    fn query(&self, _mpi: &Mpi) -> Result<Status> {
        Ok(Status::EMPTY)
    }

    fn cancel(&self, _mpi: &Mpi) -> Result<()> {
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

// --- probes --------------------------------------------------------------------------------------

/// What a probe looks for.
fn probe_pattern(mpi: &Mpi, source: Rank, tag: Tag, comm: Comm) -> Result<Option<Pattern>> {
    pattern(&*mpi.comm(comm)?, source, tag, ("source", "tag"))
}

/// Waits for a message without receiving it. (MPI-5.0, 3.8.1)
pub fn probe(mpi: &Mpi, source: Rank, tag: Tag, comm: Comm, status: Out<Status>) -> Result<()> {
    let Some(pattern) = probe_pattern(mpi, source, tag, comm)? else {
        status.set(Status::PROC_NULL);
        return Ok(());
    };
    let engine = mpi.engine();
    let mut found = None;
    mpi.wait_until(engine, || {
        found = engine.proto().probe(&pattern);
        found.is_some()
    });
    status.set(found.expect("waited for it"));
    Ok(())
}

/// Says whether a message is there. (MPI-5.0, 3.8.1)
pub fn iprobe(
    mpi: &Mpi,
    source: Rank,
    tag: Tag,
    comm: Comm,
    flag: Out<bool>,
    status: Out<Status>,
) -> Result<()> {
    let found = match probe_pattern(mpi, source, tag, comm)? {
        None => Some(Status::PROC_NULL),
        Some(pattern) => {
            let engine = mpi.engine();
            let found = engine.proto().probe(&pattern);
            if found.is_some() {
                found
            } else {
                mpi.poll(engine);
                engine.proto().probe(&pattern)
            }
        }
    };
    flag.set(found.is_some());
    if let Some(found) = found {
        status.set(found);
    }
    Ok(())
}

/// Waits for a message and takes it out of matching. (MPI-5.0, 3.8.2)
pub fn mprobe(
    mpi: &Mpi,
    source: Rank,
    tag: Tag,
    comm: Comm,
    message: Out<Message>,
    status: Out<Status>,
) -> Result<()> {
    let object = mpi.comm(comm)?;
    let Some(pattern) = pattern(&object, source, tag, ("source", "tag"))? else {
        message.set(Message::NO_PROC);
        status.set(Status::PROC_NULL);
        return Ok(());
    };
    let engine = mpi.engine();
    let mut found = None;
    mpi.wait_until(engine, || {
        found = engine.proto().take_matched(&pattern);
        found.is_some()
    });
    let matched = found.expect("waited for it");
    status.set(matched.status());
    message.set(mpi.keep_message(object, matched)?);
    Ok(())
}

/// Takes a message out of matching if one is there. (MPI-5.0, 3.8.2)
pub fn improbe(
    mpi: &Mpi,
    source: Rank,
    tag: Tag,
    comm: Comm,
    flag: Out<bool>,
    message: Out<Message>,
    status: Out<Status>,
) -> Result<()> {
    let object = mpi.comm(comm)?;
    let Some(pattern) = pattern(&object, source, tag, ("source", "tag"))? else {
        flag.set(true);
        message.set(Message::NO_PROC);
        status.set(Status::PROC_NULL);
        return Ok(());
    };
    let engine = mpi.engine();
    let mut found = engine.proto().take_matched(&pattern);
    if found.is_none() {
        mpi.poll(engine);
        found = engine.proto().take_matched(&pattern);
    }
    flag.set(found.is_some());
    if let Some(matched) = found {
        status.set(matched.status());
        message.set(mpi.keep_message(object, matched)?);
    }
    Ok(())
}

/// The receive of a matched message, started.
fn start_matched(
    mpi: &Mpi,
    buf: MutBuf,
    count: Count,
    datatype: Datatype,
    message: InOut<Message>,
) -> Result<Active> {
    let handle = message.get();
    if handle == Message::NO_PROC {
        message.set(Message::NULL);
        return Ok(Active {
            operation: Operation::Complete(Status::PROC_NULL),
            comm: None,
        });
    }
    mpi.messages.find(handle)?;
    let data = described(mpi, buf.0.cast(), count, datatype, ("buf", "count"))?;
    let (comm, matched) = mpi.take_message(handle)?;
    message.set(Message::NULL);
    let id = mpi.engine().proto().receive_matched(matched, data);
    Ok(Active {
        operation: Operation::Transfer(id),
        comm: Some(comm),
    })
}

/// Receives a matched message. (MPI-5.0, 3.8.3)
pub fn mrecv(
    mpi: &Mpi,
    buf: MutBuf,
    count: Count,
    datatype: Datatype,
    message: InOut<Message>,
    status: Out<Status>,
) -> Result<()> {
    let active = start_matched(mpi, buf, count, datatype, message)?;
    report(status, wait(mpi, mpi.engine(), active))
}

/// Starts the receive of a matched message. (MPI-5.0, 3.8.3)
pub fn imrecv(
    mpi: &Mpi,
    buf: MutBuf,
    count: Count,
    datatype: Datatype,
    message: InOut<Message>,
    request: Out<Request>,
) -> Result<()> {
    let active = start_matched(mpi, buf, count, datatype, message)?;
    request.set(mpi.requests.add(active)?);
    Ok(())
}

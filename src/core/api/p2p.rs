//! Point-to-point communication: one function per MPI operation (MPI-5.0, chapter 3).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::comm::{Communicator, receive_result};
use crate::datatype::{Base, Data};
use crate::engine::Engine;
use crate::error::{Error, class};
use crate::matching::{Envelope, Pattern};
use crate::proto::{CANCELLABLE, OpId};
use crate::request::{Active, COMPLETE, Operation, Recipe};

/// How a send completes (MPI-5.0, 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Standard,
    Buffered,
    Synchronous,
    /// The receive has been posted, says the application; we do not rely on it.
    Ready,
}

/// A send with its arguments checked. `to` is `None` for `MPI_PROC_NULL`.
#[derive(Clone)]
pub(super) struct Sending {
    to: Option<ProcId>,
    envelope: Envelope,
    pub(super) data: Data,
    /// A request will stand for it.
    cancellable: bool,
}

/// A receive with its arguments checked. `pattern` is `None` for `MPI_PROC_NULL`.
#[derive(Clone)]
pub(super) struct Receiving {
    pub(super) comm: Rc<Communicator>,
    pub(super) pattern: Option<Pattern>,
    pub(super) data: Data,
}

/// Describes a buffer, checking count, datatype and address. Messages of no elements need no datatype, as MPICH
/// allows.
#[inline(always)]
pub(crate) fn described(
    mpi: &Mpi,
    base: Base,
    count: Count,
    datatype: Datatype,
    names: (&str, &str),
) -> Result<Data> {
    let datatype = match mpi.committed(datatype) {
        Ok(datatype) => datatype,
        Err(_) if count == 0 && datatype.is_null() => mpi.committed(Datatype::BYTE)?,
        Err(error) => return Err(error),
    };
    Data::described(base, count, datatype, names)
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
fn no_such_rank(comm: &Communicator, rank: Rank, name: &str) -> Error {
    let what = match rank {
        Rank::ANY_SOURCE => "MPI_ANY_SOURCE, which is not allowed here".to_string(),
        Rank::ROOT => "MPI_ROOT, which is not allowed here".to_string(),
        Rank(number) => format!(
            "{number}: not a rank of {}, which are 0 to {}",
            comm.describe(),
            comm.peers().len() as i64 - 1
        ),
    };
    Error::new(class::RANK, format!("{name} = {what}"))
}

#[inline]
pub(crate) fn send_tag(tag: Tag, name: &str) -> Result<i32> {
    if tag.0 < 0 {
        return Err(no_tag(tag, name));
    }
    Ok(tag.0)
}

#[cold]
fn no_tag(tag: Tag, name: &str) -> Error {
    let what = if tag == Tag::ANY {
        "MPI_ANY_TAG".into()
    } else {
        tag.0.to_string()
    };
    Error::new(
        class::TAG,
        format!(
            "{name} = {what}: a message's tag is 0 to {}",
            Tag::UPPER_BOUND
        ),
    )
}

impl Sending {
    /// `names` are those of the buffer and of the count; `tag` has its own with it.
    #[inline(always)]
    pub(super) fn new(
        mpi: &Mpi,
        comm: &Communicator,
        (buf, count, datatype): (ConstBuf, Count, Datatype),
        names: (&str, &str),
        dest: Rank,
        tag: (Tag, &str),
    ) -> Result<Sending> {
        let to = peer(comm, dest, "dest")?;
        let tag = send_tag(tag.0, tag.1)?;
        let envelope = Envelope {
            context: comm.context(),
            source: comm.rank as u32,
            tag,
        };
        // Last: while nothing can fail after it, nothing refers to it, and it stays in registers.
        let data = described(mpi, buf.base(), count, datatype, names)?;
        Ok(Sending {
            to,
            envelope,
            data,
            cancellable: false,
        })
    }

    /// The application may cancel it.
    #[inline(always)]
    fn cancellable(self) -> Sending {
        Sending {
            cancellable: true,
            ..self
        }
    }

    /// Starts it. `None`: it is complete already.
    // Taken apart before anything refers to it, it never lies in memory as a whole.
    #[inline(always)]
    pub(super) fn start(
        self,
        mpi: &Mpi,
        engine: &Engine,
        comm: &Rc<Communicator>,
        mode: Mode,
    ) -> Result<Option<OpId>> {
        let Sending {
            to,
            envelope,
            data,
            cancellable,
        } = self;
        let Some(to) = to else { return Ok(None) };
        if mode == Mode::Buffered {
            mpi.bsend
                .send(engine, to, envelope, data.clone(), comm.clone())?;
            return Ok(None);
        }
        let met = mode == Mode::Synchronous || (cancellable && data.bytes() > CANCELLABLE);
        Ok(engine.send(to, envelope, &data, met))
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
        let pattern = pattern(&comm, source, tag, ("source", "tag"))?;
        let data = described(mpi, buf.base(), count, datatype, ("buf", "count"))?;
        Ok(Receiving {
            comm,
            pattern,
            data,
        })
    }

    /// Starts it. It may be complete already.
    #[inline(always)]
    pub(super) fn start(self, engine: &Engine) -> Active {
        let operation = match self.pattern {
            None => Operation::Complete(Status::PROC_NULL),
            Some(pattern) => Operation::Transfer(engine.receive(pattern, self.data)),
        };
        Active {
            operation,
            comm: Some(self.comm),
        }
    }
}

/// What a receive or a probe looks for; `None` for `MPI_PROC_NULL`.
#[inline]
pub(super) fn pattern(
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
    Ok(Some(Pattern::new(comm.context(), source, tag)))
}

/// Receives a message and waits for it.
#[inline(always)]
pub(super) fn receive(
    mpi: &Mpi,
    engine: &Engine,
    comm: &Communicator,
    pattern: Pattern,
    data: Data,
) -> Result<Status> {
    let source = pattern.queue().source();
    let from = source.map(|rank| comm.peers().proc(rank as usize));
    let outcome = match mpi.receive_at_once(engine, from, &pattern, &data) {
        Some(outcome) => outcome,
        None => mpi.receive_now(engine, pattern, data),
    };
    receive_result(outcome, comm)
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
pub(super) fn wait(mpi: &Mpi, engine: &Engine, active: Active) -> Result<Status> {
    match active.operation {
        Operation::Transfer(id) => {
            let outcome = mpi.wait_for(engine, id);
            match &active.comm {
                Some(comm) => receive_result(outcome, comm),
                None => Ok(outcome.status),
            }
        }
        Operation::Complete(status) => Ok(status),
        _ => unreachable!("point-to-point calls start transfers only"),
    }
}

// One for each mode, which it then knows.
#[inline(always)]
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
    let comm = mpi.lend_comm(comm)?;
    let buffer = (buf, count, datatype);
    let sending = Sending::new(mpi, &comm, buffer, ("buf", "count"), dest, (tag, "tag"))?;
    let engine = mpi.engine();
    if let Some(id) = sending.start(mpi, engine, &comm, mode)? {
        mpi.wait_for(engine, id);
    }
    Ok(())
}

#[inline(always)]
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
    let comm = mpi.lend_comm(comm)?;
    let buffer = (buf, count, datatype);
    let sending = Sending::new(mpi, &comm, buffer, ("buf", "count"), dest, (tag, "tag"))?;
    let sending = sending.cancellable();
    request.set(match sending.start(mpi, mpi.engine(), &comm, mode)? {
        Some(id) => mpi.requests.add_transfer(id, comm.keep())?,
        None => COMPLETE,
    });
    Ok(())
}

#[allow(clippy::too_many_arguments)]
fn persistent_send(
    mpi: &'static Mpi,
    buf: ConstBuf,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    mode: Mode,
    request: Out<Request>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let buffer = (buf, count, datatype);
    let sending = Sending::new(mpi, &comm, buffer, ("buf", "count"), dest, (tag, "tag"))?;
    let sending = sending.cancellable();
    let of = comm.clone();
    let recipe: Recipe = Rc::new(move |_| {
        let started = sending.clone().start(mpi, mpi.engine(), &comm, mode)?;
        Ok(match started {
            Some(id) => Active::transfer(id, comm.clone()),
            None => Active::COMPLETE,
        })
    });
    request.set(mpi.requests.add_persistent(recipe, of)?);
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
    mpi: &'static Mpi,
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
    mpi: &'static Mpi,
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
    mpi: &'static Mpi,
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
    mpi: &'static Mpi,
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
    let comm = mpi.lend_comm(comm)?;
    let pattern = pattern(&comm, source, tag, ("source", "tag"))?;
    let data = described(mpi, buf.base(), count, datatype, ("buf", "count"))?;
    let Some(pattern) = pattern else {
        return report(status, Ok(Status::PROC_NULL));
    };
    report(status, receive(mpi, mpi.engine(), &comm, pattern, data))
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
    // Not a `Receiving`, which would lie in memory, as would a description that is not used in one place only.
    let comm = mpi.comm(comm)?;
    let names = ("buf", "count");
    let Some(pattern) = pattern(&comm, source, tag, ("source", "tag"))? else {
        described(mpi, buf.base(), count, datatype, names)?;
        request.set(mpi.requests.add(Active {
            operation: Operation::Complete(Status::PROC_NULL),
            comm: Some(comm),
        })?);
        return Ok(());
    };
    let data = described(mpi, buf.base(), count, datatype, names)?;
    let id = mpi.engine().receive(pattern, data);
    request.set(mpi.requests.add_transfer(id, comm)?);
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
    let of = receiving.comm.clone();
    let recipe: Recipe = Rc::new(move |runtime| Ok(receiving.clone().start(runtime.engine())));
    request.set(mpi.requests.add_persistent(recipe, of)?);
    Ok(())
}

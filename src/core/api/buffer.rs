//! Buffers for buffered sends: one function per MPI operation (MPI-5.0, 3.6).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::bsend::AttachedTo;
use crate::comm::Communicator;
use crate::engine::Engine;
use crate::error::On;
use crate::fail;
use crate::request::{Active, Operation};
use crate::runtime::Runtime;

fn attach(mpi: &Mpi, at: AttachedTo, buffer: MutBuf, size: Count) -> Result<()> {
    if buffer.is_automatic() {
        return mpi.bsend.attach(at, buffer.address(), None);
    }
    if size < 0 {
        fail!(ARG, "size = {size}: a size cannot be negative");
    }
    if buffer.is_null() && size > 0 {
        fail!(BUFFER, "buffer is a null pointer with size = {size}");
    }
    mpi.bsend.attach(at, buffer.address(), Some(size as u64))
}

/// Waits until nothing waits in a buffer any more.
fn flush(mpi: &Mpi, at: AttachedTo) {
    let engine = mpi.engine();
    mpi.wait_until(engine, || mpi.bsend.is_empty(at, engine));
}

fn detach(mpi: &Mpi, at: AttachedTo, buffer_addr: BufferOut, size: Out<Count>) -> Result<()> {
    flush(mpi, at);
    let Some((address, bytes)) = mpi.bsend.detach(at) else {
        fail!(BUFFER, "no buffer is attached");
    };
    buffer_addr.set(address);
    size.set(bytes.unwrap_or(0) as Count);
    Ok(())
}

/// A request that ends when nothing waits in the buffer any more, which is perhaps a communicator's.
fn flush_request(
    mpi: &'static Mpi,
    at: AttachedTo,
    comm: Option<Rc<Communicator>>,
) -> Result<Request> {
    let active = Active {
        operation: Operation::Generalized(Rc::new(Flush(mpi, at))),
        comm,
    };
    mpi.requests.add(active)
}

struct Flush(&'static Mpi, AttachedTo);

impl crate::request::Generalized for Flush {
    fn complete(&self, engine: &Engine) -> bool {
        self.0.bsend.is_empty(self.1, engine)
    }

    fn finish(&self, _: &Runtime) -> Result<Status> {
        Ok(Status::EMPTY)
    }

    fn query(&self, _: &Runtime) -> Result<Status> {
        Ok(Status::EMPTY)
    }

    fn cancel(&self, _: &Runtime) -> Result<()> {
        fail!(REQUEST, "a flush of a buffer cannot be cancelled")
    }

    fn works_on(&self) -> On {
        match self.1 {
            AttachedTo::Session(session) => On::Session(session),
            AttachedTo::Process | AttachedTo::Comm(_) => On::Call,
        }
    }
}

/// Attaches a buffer for buffered sends. (MPI-5.0, 3.6)
pub fn buffer_attach(mpi: &Mpi, buffer: MutBuf, size: Count) -> Result<()> {
    attach(mpi, AttachedTo::Process, buffer, size)
}

/// Waits until the attached buffer is empty and takes it away. (MPI-5.0, 3.6)
pub fn buffer_detach(mpi: &Mpi, buffer_addr: BufferOut, size: Out<Count>) -> Result<()> {
    detach(mpi, AttachedTo::Process, buffer_addr, size)
}

/// Waits until the attached buffer is empty. (MPI-5.0, 3.6)
pub fn buffer_flush(mpi: &Mpi) -> Result<()> {
    flush(mpi, AttachedTo::Process);
    Ok(())
}

/// Starts waiting until the attached buffer is empty. (MPI-5.0, 3.6)
pub fn buffer_iflush(mpi: &'static Mpi, request: Out<Request>) -> Result<()> {
    request.set(flush_request(mpi, AttachedTo::Process, None)?);
    Ok(())
}

/// Attaches a buffer for buffered sends on one communicator. (MPI-5.0, 3.6)
pub fn comm_attach_buffer(mpi: &Mpi, comm: Comm, buffer: MutBuf, size: Count) -> Result<()> {
    attach(
        mpi,
        AttachedTo::Comm(mpi.comm(comm)?.context()),
        buffer,
        size,
    )
}

/// Waits until the communicator's buffer is empty and takes it away. (MPI-5.0, 3.6)
pub fn comm_detach_buffer(
    mpi: &Mpi,
    comm: Comm,
    buffer_addr: BufferOut,
    size: Out<Count>,
) -> Result<()> {
    detach(
        mpi,
        AttachedTo::Comm(mpi.comm(comm)?.context()),
        buffer_addr,
        size,
    )
}

/// Waits until the communicator's buffer is empty. (MPI-5.0, 3.6)
pub fn comm_flush_buffer(mpi: &Mpi, comm: Comm) -> Result<()> {
    flush(mpi, AttachedTo::Comm(mpi.comm(comm)?.context()));
    Ok(())
}

/// Starts waiting until the communicator's buffer is empty. (MPI-5.0, 3.6)
pub fn comm_iflush_buffer(mpi: &'static Mpi, comm: Comm, request: Out<Request>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let at = AttachedTo::Comm(comm.context());
    request.set(flush_request(mpi, at, Some(comm))?);
    Ok(())
}

/// Where an open session has its buffer.
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session.
fn of_session(mpi: &Mpi, session: Session) -> Result<AttachedTo> {
    mpi.sessions.find(session)?;
    Ok(AttachedTo::Session(session))
}

/// Attaches a buffer for buffered sends on the communicators of a session that have none of their own.
/// (MPI-5.0, 3.6)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session. `MPI_ERR_BUFFER`: one is attached already.
pub fn session_attach_buffer(
    mpi: &Mpi,
    session: Session,
    buffer: MutBuf,
    size: Count,
) -> Result<()> {
    attach(mpi, of_session(mpi, session)?, buffer, size)
}

/// Waits until the session's buffer is empty and takes it away. (MPI-5.0, 3.6)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session. `MPI_ERR_BUFFER`: none is attached.
pub fn session_detach_buffer(
    mpi: &Mpi,
    session: Session,
    buffer_addr: BufferOut,
    size: Out<Count>,
) -> Result<()> {
    detach(mpi, of_session(mpi, session)?, buffer_addr, size)
}

/// Waits until the session's buffer is empty. (MPI-5.0, 3.6)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session.
pub fn session_flush_buffer(mpi: &Mpi, session: Session) -> Result<()> {
    flush(mpi, of_session(mpi, session)?);
    Ok(())
}

/// Starts waiting until the session's buffer is empty. (MPI-5.0, 3.6)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session.
pub fn session_iflush_buffer(
    mpi: &'static Mpi,
    session: Session,
    request: Out<Request>,
) -> Result<()> {
    request.set(flush_request(mpi, of_session(mpi, session)?, None)?);
    Ok(())
}

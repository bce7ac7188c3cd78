//! Probes, and receives of the messages that they have taken (MPI-5.0, 3.8).

use super::p2p::{described, pattern, wait};
use crate::api::prelude::*;
use crate::matching::Pattern;
use crate::request::{Active, Operation};

/// What a probe looks for.
#[inline(always)]
fn probe_pattern(mpi: &Mpi, source: Rank, tag: Tag, comm: Comm) -> Result<Option<Pattern>> {
    let comm = mpi.lend_comm(comm)?;
    pattern(&comm, source, tag, ("source", "tag"))
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
            if found.is_none() && mpi.poll(engine) {
                engine.proto().probe(&pattern)
            } else {
                found
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
    if found.is_none() && mpi.poll(engine) {
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
    let data = described(mpi, buf.base(), count, datatype, ("buf", "count"))?;
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

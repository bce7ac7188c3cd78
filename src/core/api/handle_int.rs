//! Handles as integers: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn comm_fromint(_mpi: &Mpi, comm: i32) -> Comm {
    Comm(comm as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn comm_toint(_mpi: &Mpi, comm: Comm) -> i32 {
    comm.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn errhandler_fromint(_mpi: &Mpi, errhandler: i32) -> Errhandler {
    Errhandler(errhandler as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn errhandler_toint(_mpi: &Mpi, errhandler: Errhandler) -> i32 {
    errhandler.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn file_fromint(_mpi: &Mpi, file: i32) -> File {
    File(file as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn file_toint(_mpi: &Mpi, file: File) -> i32 {
    file.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn group_fromint(_mpi: &Mpi, group: i32) -> Group {
    Group(group as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn group_toint(_mpi: &Mpi, group: Group) -> i32 {
    group.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn info_fromint(_mpi: &Mpi, info: i32) -> Info {
    Info(info as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn info_toint(_mpi: &Mpi, info: Info) -> i32 {
    info.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn message_fromint(_mpi: &Mpi, message: i32) -> Message {
    Message(message as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn message_toint(_mpi: &Mpi, message: Message) -> i32 {
    message.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn op_fromint(_mpi: &Mpi, op: i32) -> Op {
    Op(op as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn op_toint(_mpi: &Mpi, op: Op) -> i32 {
    op.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn request_fromint(_mpi: &Mpi, request: i32) -> Request {
    Request(request as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn request_toint(_mpi: &Mpi, request: Request) -> i32 {
    request.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn session_fromint(_mpi: &Mpi, session: i32) -> Session {
    Session(session as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn session_toint(_mpi: &Mpi, session: Session) -> i32 {
    session.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn type_fromint(_mpi: &Mpi, datatype: i32) -> Datatype {
    Datatype(datatype as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn type_toint(_mpi: &Mpi, datatype: Datatype) -> i32 {
    datatype.0 as i32
}

/// The handle of an integer. (MPI-5.0, 20.4)
pub fn win_fromint(_mpi: &Mpi, win: i32) -> Win {
    Win(win as u32)
}

/// The integer of a handle. (MPI-5.0, 20.4)
pub fn win_toint(_mpi: &Mpi, win: Win) -> i32 {
    win.0 as i32
}

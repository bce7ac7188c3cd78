//! Handles as integers: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Comm_fromint`. (MPI-5.0, chapter 20)
pub fn comm_fromint(_mpi: &Mpi, _comm: i32) -> Comm {
    Comm(_comm as u32)
}

/// `MPI_Comm_toint`. (MPI-5.0, chapter 20)
pub fn comm_toint(_mpi: &Mpi, _comm: Comm) -> i32 {
    _comm.0 as i32
}

/// `MPI_Errhandler_fromint`. (MPI-5.0, chapter 20)
pub fn errhandler_fromint(_mpi: &Mpi, _errhandler: i32) -> Errhandler {
    Errhandler(_errhandler as u32)
}

/// `MPI_Errhandler_toint`. (MPI-5.0, chapter 20)
pub fn errhandler_toint(_mpi: &Mpi, _errhandler: Errhandler) -> i32 {
    _errhandler.0 as i32
}

/// `MPI_File_fromint`. (MPI-5.0, chapter 20)
pub fn file_fromint(_mpi: &Mpi, _file: i32) -> File {
    File(_file as u32)
}

/// `MPI_File_toint`. (MPI-5.0, chapter 20)
pub fn file_toint(_mpi: &Mpi, _file: File) -> i32 {
    _file.0 as i32
}

/// `MPI_Group_fromint`. (MPI-5.0, chapter 20)
pub fn group_fromint(_mpi: &Mpi, _group: i32) -> Group {
    Group(_group as u32)
}

/// `MPI_Group_toint`. (MPI-5.0, chapter 20)
pub fn group_toint(_mpi: &Mpi, _group: Group) -> i32 {
    _group.0 as i32
}

/// `MPI_Info_fromint`. (MPI-5.0, chapter 20)
pub fn info_fromint(_mpi: &Mpi, _info: i32) -> Info {
    Info(_info as u32)
}

/// `MPI_Info_toint`. (MPI-5.0, chapter 20)
pub fn info_toint(_mpi: &Mpi, _info: Info) -> i32 {
    _info.0 as i32
}

/// `MPI_Message_fromint`. (MPI-5.0, chapter 20)
pub fn message_fromint(_mpi: &Mpi, _message: i32) -> Message {
    Message(_message as u32)
}

/// `MPI_Message_toint`. (MPI-5.0, chapter 20)
pub fn message_toint(_mpi: &Mpi, _message: Message) -> i32 {
    _message.0 as i32
}

/// `MPI_Op_fromint`. (MPI-5.0, chapter 20)
pub fn op_fromint(_mpi: &Mpi, _op: i32) -> Op {
    Op(_op as u32)
}

/// `MPI_Op_toint`. (MPI-5.0, chapter 20)
pub fn op_toint(_mpi: &Mpi, _op: Op) -> i32 {
    _op.0 as i32
}

/// `MPI_Request_fromint`. (MPI-5.0, chapter 20)
pub fn request_fromint(_mpi: &Mpi, _request: i32) -> Request {
    Request(_request as u32)
}

/// `MPI_Request_toint`. (MPI-5.0, chapter 20)
pub fn request_toint(_mpi: &Mpi, _request: Request) -> i32 {
    _request.0 as i32
}

/// `MPI_Session_fromint`. (MPI-5.0, chapter 20)
pub fn session_fromint(_mpi: &Mpi, _session: i32) -> Session {
    Session(_session as u32)
}

/// `MPI_Session_toint`. (MPI-5.0, chapter 20)
pub fn session_toint(_mpi: &Mpi, _session: Session) -> i32 {
    _session.0 as i32
}

/// `MPI_Type_fromint`. (MPI-5.0, chapter 20)
pub fn type_fromint(_mpi: &Mpi, _datatype: i32) -> Datatype {
    Datatype(_datatype as u32)
}

/// `MPI_Type_toint`. (MPI-5.0, chapter 20)
pub fn type_toint(_mpi: &Mpi, _datatype: Datatype) -> i32 {
    _datatype.0 as i32
}

/// `MPI_Win_fromint`. (MPI-5.0, chapter 20)
pub fn win_fromint(_mpi: &Mpi, _win: i32) -> Win {
    Win(_win as u32)
}

/// `MPI_Win_toint`. (MPI-5.0, chapter 20)
pub fn win_toint(_mpi: &Mpi, _win: Win) -> i32 {
    _win.0 as i32
}

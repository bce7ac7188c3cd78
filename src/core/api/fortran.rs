//! Handles and statuses between C and Fortran: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Comm_c2f`. (MPI-5.0, chapter 19)
pub fn comm_c2f(_mpi: &Mpi, _comm: Comm) -> Fortran<Comm> {
    Fortran(_comm)
}

/// `MPI_Comm_f2c`. (MPI-5.0, chapter 19)
pub fn comm_f2c(_mpi: &Mpi, _comm: Fortran<Comm>) -> Comm {
    _comm.0
}

/// `MPI_Errhandler_c2f`. (MPI-5.0, chapter 19)
pub fn errhandler_c2f(_mpi: &Mpi, _errhandler: Errhandler) -> Fortran<Errhandler> {
    Fortran(_errhandler)
}

/// `MPI_Errhandler_f2c`. (MPI-5.0, chapter 19)
pub fn errhandler_f2c(_mpi: &Mpi, _errhandler: Fortran<Errhandler>) -> Errhandler {
    _errhandler.0
}

/// `MPI_File_c2f`. (MPI-5.0, chapter 19)
pub fn file_c2f(_mpi: &Mpi, _file: File) -> Fortran<File> {
    Fortran(_file)
}

/// `MPI_File_f2c`. (MPI-5.0, chapter 19)
pub fn file_f2c(_mpi: &Mpi, _file: Fortran<File>) -> File {
    _file.0
}

/// `MPI_Group_c2f`. (MPI-5.0, chapter 19)
pub fn group_c2f(_mpi: &Mpi, _group: Group) -> Fortran<Group> {
    Fortran(_group)
}

/// `MPI_Group_f2c`. (MPI-5.0, chapter 19)
pub fn group_f2c(_mpi: &Mpi, _group: Fortran<Group>) -> Group {
    _group.0
}

/// `MPI_Info_c2f`. (MPI-5.0, chapter 19)
pub fn info_c2f(_mpi: &Mpi, _info: Info) -> Fortran<Info> {
    Fortran(_info)
}

/// `MPI_Info_f2c`. (MPI-5.0, chapter 19)
pub fn info_f2c(_mpi: &Mpi, _info: Fortran<Info>) -> Info {
    _info.0
}

/// `MPI_Message_c2f`. (MPI-5.0, chapter 19)
pub fn message_c2f(_mpi: &Mpi, _message: Message) -> Fortran<Message> {
    Fortran(_message)
}

/// `MPI_Message_f2c`. (MPI-5.0, chapter 19)
pub fn message_f2c(_mpi: &Mpi, _message: Fortran<Message>) -> Message {
    _message.0
}

/// `MPI_Op_c2f`. (MPI-5.0, chapter 19)
pub fn op_c2f(_mpi: &Mpi, _op: Op) -> Fortran<Op> {
    Fortran(_op)
}

/// `MPI_Op_f2c`. (MPI-5.0, chapter 19)
pub fn op_f2c(_mpi: &Mpi, _op: Fortran<Op>) -> Op {
    _op.0
}

/// `MPI_Request_c2f`. (MPI-5.0, chapter 19)
pub fn request_c2f(_mpi: &Mpi, _request: Request) -> Fortran<Request> {
    Fortran(_request)
}

/// `MPI_Request_f2c`. (MPI-5.0, chapter 19)
pub fn request_f2c(_mpi: &Mpi, _request: Fortran<Request>) -> Request {
    _request.0
}

/// `MPI_Session_c2f`. (MPI-5.0, chapter 19)
pub fn session_c2f(_mpi: &Mpi, _session: Session) -> Fortran<Session> {
    Fortran(_session)
}

/// `MPI_Session_f2c`. (MPI-5.0, chapter 19)
pub fn session_f2c(_mpi: &Mpi, _session: Fortran<Session>) -> Session {
    _session.0
}

/// `MPI_Status_c2f`. (MPI-5.0, chapter 19)
pub fn status_c2f(_mpi: &Mpi, _c_status: StatusIn, _f_status: FortranStatusOut) -> Result<()> {
    unsupported()
}

/// `MPI_Status_c2f08`. (MPI-5.0, chapter 19)
pub fn status_c2f08(_mpi: &Mpi, _c_status: StatusIn, _f08_status: F08StatusOut) -> Result<()> {
    unsupported()
}

/// `MPI_Status_f082c`. (MPI-5.0, chapter 19)
pub fn status_f082c(_mpi: &Mpi, _f08_status: F08StatusIn, _c_status: StatusOut) -> Result<()> {
    unsupported()
}

/// `MPI_Status_f082f`. (MPI-5.0, chapter 19)
pub fn status_f082f(
    _mpi: &Mpi,
    _f08_status: F08StatusIn,
    _f_status: FortranStatusOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Status_f2c`. (MPI-5.0, chapter 19)
pub fn status_f2c(_mpi: &Mpi, _f_status: FortranStatusIn, _c_status: StatusOut) -> Result<()> {
    unsupported()
}

/// `MPI_Status_f2f08`. (MPI-5.0, chapter 19)
pub fn status_f2f08(
    _mpi: &Mpi,
    _f_status: FortranStatusIn,
    _f08_status: F08StatusOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_c2f`. (MPI-5.0, chapter 19)
pub fn type_c2f(_mpi: &Mpi, _datatype: Datatype) -> Fortran<Datatype> {
    Fortran(_datatype)
}

/// `MPI_Type_f2c`. (MPI-5.0, chapter 19)
pub fn type_f2c(_mpi: &Mpi, _datatype: Fortran<Datatype>) -> Datatype {
    _datatype.0
}

/// `MPI_Win_c2f`. (MPI-5.0, chapter 19)
pub fn win_c2f(_mpi: &Mpi, _win: Win) -> Fortran<Win> {
    Fortran(_win)
}

/// `MPI_Win_f2c`. (MPI-5.0, chapter 19)
pub fn win_f2c(_mpi: &Mpi, _win: Fortran<Win>) -> Win {
    _win.0
}

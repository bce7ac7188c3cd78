//! Handles and statuses between C and Fortran: one function per MPI operation (MPI-5.0, 19.3).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn comm_c2f(_mpi: &Mpi, comm: Comm) -> Fortran<Comm> {
    Fortran(comm)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn comm_f2c(_mpi: &Mpi, comm: Fortran<Comm>) -> Comm {
    comm.0
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn errhandler_c2f(_mpi: &Mpi, errhandler: Errhandler) -> Fortran<Errhandler> {
    Fortran(errhandler)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn errhandler_f2c(_mpi: &Mpi, errhandler: Fortran<Errhandler>) -> Errhandler {
    errhandler.0
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn file_c2f(_mpi: &Mpi, file: File) -> Fortran<File> {
    Fortran(file)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn file_f2c(_mpi: &Mpi, file: Fortran<File>) -> File {
    file.0
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn group_c2f(_mpi: &Mpi, group: Group) -> Fortran<Group> {
    Fortran(group)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn group_f2c(_mpi: &Mpi, group: Fortran<Group>) -> Group {
    group.0
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn info_c2f(_mpi: &Mpi, info: Info) -> Fortran<Info> {
    Fortran(info)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn info_f2c(_mpi: &Mpi, info: Fortran<Info>) -> Info {
    info.0
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn message_c2f(_mpi: &Mpi, message: Message) -> Fortran<Message> {
    Fortran(message)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn message_f2c(_mpi: &Mpi, message: Fortran<Message>) -> Message {
    message.0
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn op_c2f(_mpi: &Mpi, op: Op) -> Fortran<Op> {
    Fortran(op)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn op_f2c(_mpi: &Mpi, op: Fortran<Op>) -> Op {
    op.0
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn request_c2f(_mpi: &Mpi, request: Request) -> Fortran<Request> {
    Fortran(request)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn request_f2c(_mpi: &Mpi, request: Fortran<Request>) -> Request {
    request.0
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn session_c2f(_mpi: &Mpi, session: Session) -> Fortran<Session> {
    Fortran(session)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn session_f2c(_mpi: &Mpi, session: Fortran<Session>) -> Session {
    session.0
}

/// Copies a C status to a Fortran one; all have one layout. (MPI-5.0, 19.3.5)
pub fn status_c2f(_mpi: &Mpi, c_status: StatusIn, f_status: FortranStatusOut) -> Result<()> {
    f_status.copy(c_status);
    Ok(())
}

/// Copies a C status to a Fortran 2008 one; all have one layout. (MPI-5.0, 19.3.5)
pub fn status_c2f08(_mpi: &Mpi, c_status: StatusIn, f08_status: F08StatusOut) -> Result<()> {
    f08_status.copy(c_status);
    Ok(())
}

/// Copies a Fortran 2008 status to a C one; all have one layout. (MPI-5.0, 19.3.5)
pub fn status_f082c(_mpi: &Mpi, f08_status: F08StatusIn, c_status: StatusOut) -> Result<()> {
    c_status.copy(f08_status);
    Ok(())
}

/// Copies a Fortran 2008 status to a Fortran one; all have one layout. (MPI-5.0, 19.3.5)
pub fn status_f082f(_mpi: &Mpi, f08_status: F08StatusIn, f_status: FortranStatusOut) -> Result<()> {
    f_status.copy(f08_status);
    Ok(())
}

/// Copies a Fortran status to a C one; all have one layout. (MPI-5.0, 19.3.5)
pub fn status_f2c(_mpi: &Mpi, f_status: FortranStatusIn, c_status: StatusOut) -> Result<()> {
    c_status.copy(f_status);
    Ok(())
}

/// Copies a Fortran status to a Fortran 2008 one; all have one layout. (MPI-5.0, 19.3.5)
pub fn status_f2f08(_mpi: &Mpi, f_status: FortranStatusIn, f08_status: F08StatusOut) -> Result<()> {
    f08_status.copy(f_status);
    Ok(())
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn type_c2f(_mpi: &Mpi, datatype: Datatype) -> Fortran<Datatype> {
    Fortran(datatype)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn type_f2c(_mpi: &Mpi, datatype: Fortran<Datatype>) -> Datatype {
    datatype.0
}

/// The Fortran `INTEGER` of a handle; the front turns it into its own number. (MPI-5.0, 19.3.4)
pub fn win_c2f(_mpi: &Mpi, win: Win) -> Fortran<Win> {
    Fortran(win)
}

/// The handle of a Fortran `INTEGER`. (MPI-5.0, 19.3.4)
pub fn win_f2c(_mpi: &Mpi, win: Fortran<Win>) -> Win {
    win.0
}

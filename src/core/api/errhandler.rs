//! Error handlers, classes and codes: one function per MPI operation (MPI-5.0, chapter 9).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::cell::RefCell;

use crate::api::prelude::*;
use crate::carrier;
use crate::errhandler::{Attached, Function};
use crate::error::On;
use crate::raise;
use crate::registry::bad_handle;

/// The attribute `MPI_LASTUSEDCODE` follows the codes, also for those who hold its address.
fn changed(mpi: &Mpi) {
    if mpi.is_running() {
        carrier::refresh_last_used_code(mpi);
    }
}

/// Calls a handler as an error would.
fn call(mpi: &Mpi, attached: &Attached, object: On, code: ErrorCode) {
    raise::invoke(mpi, attached, object, code, |mpi| {
        format!(
            "anympi: the application called the error handler on {} with {}\n",
            raise::whereabouts(mpi),
            raise::name_of(mpi, code.0)
        )
    });
}

/// The place of a file's error handler.
fn of_file(mpi: &Mpi, file: File) -> Result<&RefCell<Attached>> {
    if file.is_null() {
        return Ok(&mpi.errhandlers.file_null);
    }
    Err(bad_handle(file))
}

/// Adds an error class. (MPI-5.0, 9.5)
pub fn add_error_class(mpi: &Mpi, errorclass: Out<ErrorCode>) -> Result<()> {
    errorclass.set(mpi.codes.add_class());
    changed(mpi);
    Ok(())
}

/// Adds an error code of a class. (MPI-5.0, 9.5)
///
/// # Errors
/// `MPI_ERR_ARG`: no error class.
pub fn add_error_code(mpi: &Mpi, errorclass: ErrorCode, errorcode: Out<ErrorCode>) -> Result<()> {
    errorcode.set(mpi.codes.add_code(errorclass)?);
    changed(mpi);
    Ok(())
}

/// Sets the text of an added class or code. (MPI-5.0, 9.5)
///
/// # Errors
/// `MPI_ERR_ARG`: predefined, or never added.
pub fn add_error_string(mpi: &Mpi, errorcode: ErrorCode, string: Str) -> Result<()> {
    mpi.codes.add_string(errorcode, &string.text())
}

/// Calls the error handler of a communicator. (MPI-5.0, 9.6)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn comm_call_errhandler(mpi: &Mpi, comm: Comm, errorcode: ErrorCode) -> Result<()> {
    let attached = mpi.comm(comm)?.errhandler.borrow().clone();
    call(mpi, &attached, On::Comm(comm), errorcode);
    Ok(())
}

/// Makes an error handler for communicators. (MPI-5.0, 9.3)
pub fn comm_create_errhandler(
    mpi: &Mpi,
    comm_errhandler_fn: ErrhandlerFunction<Comm>,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    errhandler.set(mpi.errhandlers.create(Function::Comm(comm_errhandler_fn))?);
    Ok(())
}

/// The error handler of a communicator; to be freed. (MPI-5.0, 9.3.1)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn comm_get_errhandler(mpi: &Mpi, comm: Comm, errhandler: Out<Errhandler>) -> Result<()> {
    let attached = mpi.comm(comm)?.errhandler.borrow().clone();
    errhandler.set(mpi.errhandlers.handle_of(&attached)?);
    Ok(())
}

/// Attaches an error handler to a communicator. (MPI-5.0, 9.3.1)
///
/// # Errors
/// `MPI_ERR_COMM`, `MPI_ERR_ERRHANDLER`: no live object, or a handler for another kind.
pub fn comm_set_errhandler(mpi: &Mpi, comm: Comm, errhandler: Errhandler) -> Result<()> {
    let comm = mpi.comm(comm)?;
    *comm.errhandler.borrow_mut() = mpi.errhandlers.for_kind::<Comm>(errhandler)?;
    Ok(())
}

/// As `MPI_Comm_create_errhandler`. (removed in MPI-3.0)
pub fn errhandler_create(
    mpi: &Mpi,
    comm_errhandler_fn: ErrhandlerFunction<Comm>,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    comm_create_errhandler(mpi, comm_errhandler_fn, errhandler)
}

/// Gives up an error handler; it lives on where it is attached. (MPI-5.0, 9.3.5)
///
/// # Errors
/// `MPI_ERR_ERRHANDLER`: no live error handler.
pub fn errhandler_free(mpi: &Mpi, errhandler: InOut<Errhandler>) -> Result<()> {
    mpi.errhandlers.free(errhandler.get())?;
    errhandler.set(Errhandler::NULL);
    Ok(())
}

/// As `MPI_Comm_get_errhandler`. (removed in MPI-3.0)
///
/// # Errors
/// As `MPI_Comm_get_errhandler`.
pub fn errhandler_get(mpi: &Mpi, comm: Comm, errhandler: Out<Errhandler>) -> Result<()> {
    comm_get_errhandler(mpi, comm, errhandler)
}

/// As `MPI_Comm_set_errhandler`. (removed in MPI-3.0)
///
/// # Errors
/// As `MPI_Comm_set_errhandler`.
pub fn errhandler_set(mpi: &Mpi, comm: Comm, errhandler: Errhandler) -> Result<()> {
    comm_set_errhandler(mpi, comm, errhandler)
}

/// The class of an error code. (MPI-5.0, 9.4)
///
/// # Errors
/// `MPI_ERR_ARG`: no error code.
pub fn error_class(mpi: &Mpi, errorcode: ErrorCode, errorclass: Out<ErrorCode>) -> Result<()> {
    errorclass.set(mpi.codes.class_of(errorcode)?);
    Ok(())
}

/// The text of an error code. (MPI-5.0, 9.4)
///
/// # Errors
/// `MPI_ERR_ARG`: no error code.
pub fn error_string(
    mpi: &Mpi,
    errorcode: ErrorCode,
    string: StrOut,
    resultlen: Out<i32>,
) -> Result<()> {
    let text = mpi.codes.text(errorcode)?;
    resultlen.set(string.set(&text, mpi.facts().limits.error_string) as i32);
    Ok(())
}

/// Calls the error handler of a file. (MPI-5.0, 9.6)
///
/// # Errors
/// `MPI_ERR_FILE`: no open file.
pub fn file_call_errhandler(mpi: &Mpi, fh: File, errorcode: ErrorCode) -> Result<()> {
    let attached = of_file(mpi, fh)?.borrow().clone();
    call(mpi, &attached, On::File(fh), errorcode);
    Ok(())
}

/// Makes an error handler for files. (MPI-5.0, 9.3)
pub fn file_create_errhandler(
    mpi: &Mpi,
    file_errhandler_fn: ErrhandlerFunction<File>,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    errhandler.set(mpi.errhandlers.create(Function::File(file_errhandler_fn))?);
    Ok(())
}

/// The error handler of a file; that of `MPI_FILE_NULL` is what files get when they are opened.
/// (MPI-5.0, 9.3.3)
///
/// # Errors
/// `MPI_ERR_FILE`: no open file.
pub fn file_get_errhandler(mpi: &Mpi, file: File, errhandler: Out<Errhandler>) -> Result<()> {
    let attached = of_file(mpi, file)?.borrow().clone();
    errhandler.set(mpi.errhandlers.handle_of(&attached)?);
    Ok(())
}

/// Attaches an error handler to a file, or to all that are opened later. (MPI-5.0, 9.3.3)
///
/// # Errors
/// `MPI_ERR_FILE`, `MPI_ERR_ERRHANDLER`: no such object, or a handler for another kind.
pub fn file_set_errhandler(mpi: &Mpi, file: File, errhandler: Errhandler) -> Result<()> {
    *of_file(mpi, file)?.borrow_mut() = mpi.errhandlers.for_kind::<File>(errhandler)?;
    Ok(())
}

/// Removes an added error class. (MPI-5.0, 9.5)
///
/// # Errors
/// `MPI_ERR_ARG`: not added, or with codes of its own.
pub fn remove_error_class(mpi: &Mpi, errorclass: ErrorCode) -> Result<()> {
    mpi.codes.remove_class(errorclass)
}

/// Removes an added error code. (MPI-5.0, 9.5)
///
/// # Errors
/// `MPI_ERR_ARG`: not added.
pub fn remove_error_code(mpi: &Mpi, errorcode: ErrorCode) -> Result<()> {
    mpi.codes.remove_code(errorcode)
}

/// Removes the text of an added class or code. (MPI-5.0, 9.5)
///
/// # Errors
/// `MPI_ERR_ARG`: not added, or without a text.
pub fn remove_error_string(mpi: &Mpi, errorcode: ErrorCode) -> Result<()> {
    mpi.codes.remove_string(errorcode)
}

/// Calls the error handler of a session. (MPI-5.0, 9.6)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session.
pub fn session_call_errhandler(mpi: &Mpi, session: Session, errorcode: ErrorCode) -> Result<()> {
    let attached = mpi.sessions.find(session)?.errhandler.borrow().clone();
    call(mpi, &attached, On::Session(session), errorcode);
    Ok(())
}

/// Makes an error handler for sessions. (MPI-5.0, 9.3)
pub fn session_create_errhandler(
    mpi: &Mpi,
    session_errhandler_fn: ErrhandlerFunction<Session>,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    errhandler.set(
        mpi.errhandlers
            .create(Function::Session(session_errhandler_fn))?,
    );
    Ok(())
}

/// The error handler of a session; to be freed. (MPI-5.0, 9.3.4)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session.
pub fn session_get_errhandler(
    mpi: &Mpi,
    session: Session,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    let attached = mpi.sessions.find(session)?.errhandler.borrow().clone();
    errhandler.set(mpi.errhandlers.handle_of(&attached)?);
    Ok(())
}

/// Attaches an error handler to a session. (MPI-5.0, 9.3.4)
///
/// # Errors
/// `MPI_ERR_SESSION`, `MPI_ERR_ERRHANDLER`: no such object, or a handler for another kind.
pub fn session_set_errhandler(mpi: &Mpi, session: Session, errhandler: Errhandler) -> Result<()> {
    let session = mpi.sessions.find(session)?;
    *session.errhandler.borrow_mut() = mpi.errhandlers.for_kind::<Session>(errhandler)?;
    Ok(())
}

/// Calls the error handler of a window. (MPI-5.0, 9.6)
///
/// # Errors
/// `MPI_ERR_WIN`: no live window, of which this version can make none.
pub fn win_call_errhandler(_mpi: &Mpi, win: Win, _errorcode: ErrorCode) -> Result<()> {
    Err(bad_handle(win))
}

/// Makes an error handler for windows. (MPI-5.0, 9.3)
pub fn win_create_errhandler(
    mpi: &Mpi,
    win_errhandler_fn: ErrhandlerFunction<Win>,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    errhandler.set(mpi.errhandlers.create(Function::Win(win_errhandler_fn))?);
    Ok(())
}

/// The error handler of a window. (MPI-5.0, 9.3.2)
///
/// # Errors
/// `MPI_ERR_WIN`: no live window, of which this version can make none.
pub fn win_get_errhandler(_mpi: &Mpi, win: Win, _errhandler: Out<Errhandler>) -> Result<()> {
    Err(bad_handle(win))
}

/// Attaches an error handler to a window. (MPI-5.0, 9.3.2)
///
/// # Errors
/// `MPI_ERR_WIN`: no live window, of which this version can make none.
pub fn win_set_errhandler(_mpi: &Mpi, win: Win, _errhandler: Errhandler) -> Result<()> {
    Err(bad_handle(win))
}

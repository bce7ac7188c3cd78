//! Error handlers, classes and codes: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Add_error_class`. (MPI-5.0, chapter 9)
pub fn add_error_class(_mpi: &Mpi, _errorclass: Out<ErrorCode>) -> Result<()> {
    unsupported()
}

/// `MPI_Add_error_code`. (MPI-5.0, chapter 9)
pub fn add_error_code(
    _mpi: &Mpi,
    _errorclass: ErrorCode,
    _errorcode: Out<ErrorCode>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Add_error_string`. (MPI-5.0, chapter 9)
pub fn add_error_string(_mpi: &Mpi, _errorcode: ErrorCode, _string: Str) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_call_errhandler`. (MPI-5.0, chapter 9)
pub fn comm_call_errhandler(_mpi: &Mpi, _comm: Comm, _errorcode: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_create_errhandler`. (MPI-5.0, chapter 9)
pub fn comm_create_errhandler(
    _mpi: &Mpi,
    _comm_errhandler_fn: ErrhandlerFunction<Comm>,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_get_errhandler`. (MPI-5.0, chapter 9)
pub fn comm_get_errhandler(_mpi: &Mpi, _comm: Comm, _errhandler: Out<Errhandler>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_set_errhandler`. (MPI-5.0, chapter 9)
pub fn comm_set_errhandler(_mpi: &Mpi, _comm: Comm, _errhandler: Errhandler) -> Result<()> {
    unsupported()
}

/// `MPI_Errhandler_create`. (removed in MPI-3.0)
pub fn errhandler_create(
    _mpi: &Mpi,
    _comm_errhandler_fn: ErrhandlerFunction<Comm>,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Errhandler_free`. (MPI-5.0, chapter 9)
pub fn errhandler_free(_mpi: &Mpi, _errhandler: InOut<Errhandler>) -> Result<()> {
    unsupported()
}

/// `MPI_Errhandler_get`. (removed in MPI-3.0)
pub fn errhandler_get(_mpi: &Mpi, _comm: Comm, _errhandler: Out<Errhandler>) -> Result<()> {
    unsupported()
}

/// `MPI_Errhandler_set`. (removed in MPI-3.0)
pub fn errhandler_set(_mpi: &Mpi, _comm: Comm, _errhandler: Errhandler) -> Result<()> {
    unsupported()
}

/// `MPI_Error_class`. (MPI-5.0, chapter 9)
pub fn error_class(_mpi: &Mpi, _errorcode: ErrorCode, _errorclass: Out<ErrorCode>) -> Result<()> {
    unsupported()
}

/// `MPI_Error_string`. (MPI-5.0, chapter 9)
pub fn error_string(
    _mpi: &Mpi,
    _errorcode: ErrorCode,
    _string: StrOut,
    _resultlen: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_call_errhandler`. (MPI-5.0, chapter 9)
pub fn file_call_errhandler(_mpi: &Mpi, _fh: File, _errorcode: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_File_create_errhandler`. (MPI-5.0, chapter 9)
pub fn file_create_errhandler(
    _mpi: &Mpi,
    _file_errhandler_fn: ErrhandlerFunction<File>,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_errhandler`. (MPI-5.0, chapter 9)
pub fn file_get_errhandler(_mpi: &Mpi, _file: File, _errhandler: Out<Errhandler>) -> Result<()> {
    unsupported()
}

/// `MPI_File_set_errhandler`. (MPI-5.0, chapter 9)
pub fn file_set_errhandler(_mpi: &Mpi, _file: File, _errhandler: Errhandler) -> Result<()> {
    unsupported()
}

/// `MPI_Remove_error_class`. (MPI-5.0, chapter 9)
pub fn remove_error_class(_mpi: &Mpi, _errorclass: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_Remove_error_code`. (MPI-5.0, chapter 9)
pub fn remove_error_code(_mpi: &Mpi, _errorcode: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_Remove_error_string`. (MPI-5.0, chapter 9)
pub fn remove_error_string(_mpi: &Mpi, _errorcode: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_Session_call_errhandler`. (MPI-5.0, chapter 9)
pub fn session_call_errhandler(_mpi: &Mpi, _session: Session, _errorcode: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_Session_create_errhandler`. (MPI-5.0, chapter 9)
pub fn session_create_errhandler(
    _mpi: &Mpi,
    _session_errhandler_fn: ErrhandlerFunction<Session>,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_get_errhandler`. (MPI-5.0, chapter 9)
pub fn session_get_errhandler(
    _mpi: &Mpi,
    _session: Session,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_set_errhandler`. (MPI-5.0, chapter 9)
pub fn session_set_errhandler(
    _mpi: &Mpi,
    _session: Session,
    _errhandler: Errhandler,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_call_errhandler`. (MPI-5.0, chapter 9)
pub fn win_call_errhandler(_mpi: &Mpi, _win: Win, _errorcode: ErrorCode) -> Result<()> {
    unsupported()
}

/// `MPI_Win_create_errhandler`. (MPI-5.0, chapter 9)
pub fn win_create_errhandler(
    _mpi: &Mpi,
    _win_errhandler_fn: ErrhandlerFunction<Win>,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_get_errhandler`. (MPI-5.0, chapter 9)
pub fn win_get_errhandler(_mpi: &Mpi, _win: Win, _errhandler: Out<Errhandler>) -> Result<()> {
    unsupported()
}

/// `MPI_Win_set_errhandler`. (MPI-5.0, chapter 9)
pub fn win_set_errhandler(_mpi: &Mpi, _win: Win, _errhandler: Errhandler) -> Result<()> {
    unsupported()
}

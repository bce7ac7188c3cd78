//! Info objects: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Info_create`. (MPI-5.0, chapter 10)
pub fn info_create(_mpi: &Mpi, _info: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Info_create_env`. (MPI-5.0, chapter 10)
pub fn info_create_env(_mpi: &Mpi, _argc: i32, _argv: Strs, _info: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Info_delete`. (MPI-5.0, chapter 10)
pub fn info_delete(_mpi: &Mpi, _info: Info, _key: Str) -> Result<()> {
    unsupported()
}

/// `MPI_Info_dup`. (MPI-5.0, chapter 10)
pub fn info_dup(_mpi: &Mpi, _info: Info, _newinfo: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Info_free`. (MPI-5.0, chapter 10)
pub fn info_free(_mpi: &Mpi, _info: InOut<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Info_get`. (MPI-5.0, chapter 10)
pub fn info_get(
    _mpi: &Mpi,
    _info: Info,
    _key: Str,
    _valuelen: i32,
    _value: StrOut,
    _flag: Out<bool>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Info_get_nkeys`. (MPI-5.0, chapter 10)
pub fn info_get_nkeys(_mpi: &Mpi, _info: Info, _nkeys: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Info_get_nthkey`. (MPI-5.0, chapter 10)
pub fn info_get_nthkey(_mpi: &Mpi, _info: Info, _n: i32, _key: StrOut) -> Result<()> {
    unsupported()
}

/// `MPI_Info_get_string`. (MPI-5.0, chapter 10)
pub fn info_get_string(
    _mpi: &Mpi,
    _info: Info,
    _key: Str,
    _buflen: InOut<i32>,
    _value: StrOut,
    _flag: Out<bool>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Info_get_valuelen`. (MPI-5.0, chapter 10)
pub fn info_get_valuelen(
    _mpi: &Mpi,
    _info: Info,
    _key: Str,
    _valuelen: Out<i32>,
    _flag: Out<bool>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Info_set`. (MPI-5.0, chapter 10)
pub fn info_set(_mpi: &Mpi, _info: Info, _key: Str, _value: Str) -> Result<()> {
    unsupported()
}

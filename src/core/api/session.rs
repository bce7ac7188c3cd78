//! Sessions: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Comm_create_from_group`. (MPI-5.0, chapter 11)
pub fn comm_create_from_group(
    _mpi: &Mpi,
    _group: Group,
    _stringtag: Str,
    _info: Info,
    _errhandler: Errhandler,
    _newcomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Group_from_session_pset`. (MPI-5.0, chapter 11)
pub fn group_from_session_pset(
    _mpi: &Mpi,
    _session: Session,
    _pset_name: Str,
    _newgroup: Out<Group>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Intercomm_create_from_groups`. (MPI-5.0, chapter 11)
pub fn intercomm_create_from_groups(
    _mpi: &Mpi,
    _local_group: Group,
    _local_leader: Rank,
    _remote_group: Group,
    _remote_leader: Rank,
    _stringtag: Str,
    _info: Info,
    _errhandler: Errhandler,
    _newintercomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_finalize`. (MPI-5.0, chapter 11)
pub fn session_finalize(_mpi: &Mpi, _session: InOut<Session>) -> Result<()> {
    unsupported()
}

/// `MPI_Session_get_info`. (MPI-5.0, chapter 11)
pub fn session_get_info(_mpi: &Mpi, _session: Session, _info_used: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Session_get_nth_pset`. (MPI-5.0, chapter 11)
pub fn session_get_nth_pset(
    _mpi: &Mpi,
    _session: Session,
    _info: Info,
    _n: i32,
    _pset_len: InOut<i32>,
    _pset_name: StrOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_get_num_psets`. (MPI-5.0, chapter 11)
pub fn session_get_num_psets(
    _mpi: &Mpi,
    _session: Session,
    _info: Info,
    _npset_names: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_get_pset_info`. (MPI-5.0, chapter 11)
pub fn session_get_pset_info(
    _mpi: &Mpi,
    _session: Session,
    _pset_name: Str,
    _info: Out<Info>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_init`. (MPI-5.0, chapter 11)
pub fn session_init(
    _mpi: &Mpi,
    _info: Info,
    _errhandler: Errhandler,
    _session: Out<Session>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_set_info`. (MPI-5.0, chapter 11)
pub fn session_set_info(_mpi: &Mpi, _session: Session, _info: Info) -> Result<()> {
    unsupported()
}

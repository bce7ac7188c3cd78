//! Communicators: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Comm_compare`. (MPI-5.0, chapter 7)
pub fn comm_compare(
    _mpi: &Mpi,
    _comm1: Comm,
    _comm2: Comm,
    _result: Out<Comparison>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_create`. (MPI-5.0, chapter 7)
pub fn comm_create(_mpi: &Mpi, _comm: Comm, _group: Group, _newcomm: Out<Comm>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_create_group`. (MPI-5.0, chapter 7)
pub fn comm_create_group(
    _mpi: &Mpi,
    _comm: Comm,
    _group: Group,
    _tag: Tag,
    _newcomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_dup`. (MPI-5.0, chapter 7)
pub fn comm_dup(_mpi: &Mpi, _comm: Comm, _newcomm: Out<Comm>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_dup_with_info`. (MPI-5.0, chapter 7)
pub fn comm_dup_with_info(_mpi: &Mpi, _comm: Comm, _info: Info, _newcomm: Out<Comm>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_free`. (MPI-5.0, chapter 7)
pub fn comm_free(_mpi: &Mpi, _comm: InOut<Comm>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_get_info`. (MPI-5.0, chapter 7)
pub fn comm_get_info(_mpi: &Mpi, _comm: Comm, _info_used: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_get_name`. (MPI-5.0, chapter 7)
pub fn comm_get_name(
    _mpi: &Mpi,
    _comm: Comm,
    _comm_name: StrOut,
    _resultlen: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_group`. (MPI-5.0, chapter 7)
pub fn comm_group(_mpi: &Mpi, _comm: Comm, _group: Out<Group>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_idup`. (MPI-5.0, chapter 7)
pub fn comm_idup(
    _mpi: &Mpi,
    _comm: Comm,
    _newcomm: Out<Comm>,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_idup_with_info`. (MPI-5.0, chapter 7)
pub fn comm_idup_with_info(
    _mpi: &Mpi,
    _comm: Comm,
    _info: Info,
    _newcomm: Out<Comm>,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_rank`. (MPI-5.0, chapter 7)
pub fn comm_rank(_mpi: &Mpi, _comm: Comm, _rank: Out<Rank>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_remote_group`. (MPI-5.0, chapter 7)
pub fn comm_remote_group(_mpi: &Mpi, _comm: Comm, _group: Out<Group>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_remote_size`. (MPI-5.0, chapter 7)
pub fn comm_remote_size(_mpi: &Mpi, _comm: Comm, _size: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_set_info`. (MPI-5.0, chapter 7)
pub fn comm_set_info(_mpi: &Mpi, _comm: Comm, _info: Info) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_set_name`. (MPI-5.0, chapter 7)
pub fn comm_set_name(_mpi: &Mpi, _comm: Comm, _comm_name: Str) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_size`. (MPI-5.0, chapter 7)
pub fn comm_size(_mpi: &Mpi, _comm: Comm, _size: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_split`. (MPI-5.0, chapter 7)
pub fn comm_split(
    _mpi: &Mpi,
    _comm: Comm,
    _color: i32,
    _key: i32,
    _newcomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_split_type`. (MPI-5.0, chapter 7)
pub fn comm_split_type(
    _mpi: &Mpi,
    _comm: Comm,
    _split_type: SplitType,
    _key: i32,
    _info: Info,
    _newcomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_test_inter`. (MPI-5.0, chapter 7)
pub fn comm_test_inter(_mpi: &Mpi, _comm: Comm, _flag: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPI_Intercomm_create`. (MPI-5.0, chapter 7)
pub fn intercomm_create(
    _mpi: &Mpi,
    _local_comm: Comm,
    _local_leader: Rank,
    _peer_comm: Comm,
    _remote_leader: Rank,
    _tag: Tag,
    _newintercomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Intercomm_merge`. (MPI-5.0, chapter 7)
pub fn intercomm_merge(
    _mpi: &Mpi,
    _intercomm: Comm,
    _high: bool,
    _newintracomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

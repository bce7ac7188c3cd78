//! One-sided communication: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Accumulate`. (MPI-5.0, chapter 12)
pub fn accumulate(
    _mpi: &Mpi,
    _origin_addr: ConstBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _op: Op,
    _win: Win,
) -> Result<()> {
    unsupported()
}

/// `MPI_Compare_and_swap`. (MPI-5.0, chapter 12)
pub fn compare_and_swap(
    _mpi: &Mpi,
    _origin_addr: ConstBuf,
    _compare_addr: ConstBuf,
    _result_addr: MutBuf,
    _datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _win: Win,
) -> Result<()> {
    unsupported()
}

/// `MPI_Fetch_and_op`. (MPI-5.0, chapter 12)
pub fn fetch_and_op(
    _mpi: &Mpi,
    _origin_addr: ConstBuf,
    _result_addr: MutBuf,
    _datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _op: Op,
    _win: Win,
) -> Result<()> {
    unsupported()
}

/// `MPI_Get`. (MPI-5.0, chapter 12)
pub fn get(
    _mpi: &Mpi,
    _origin_addr: MutBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _win: Win,
) -> Result<()> {
    unsupported()
}

/// `MPI_Get_accumulate`. (MPI-5.0, chapter 12)
pub fn get_accumulate(
    _mpi: &Mpi,
    _origin_addr: ConstBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _result_addr: MutBuf,
    _result_count: Count,
    _result_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _op: Op,
    _win: Win,
) -> Result<()> {
    unsupported()
}

/// `MPI_Put`. (MPI-5.0, chapter 12)
pub fn put(
    _mpi: &Mpi,
    _origin_addr: ConstBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _win: Win,
) -> Result<()> {
    unsupported()
}

/// `MPI_Raccumulate`. (MPI-5.0, chapter 12)
pub fn raccumulate(
    _mpi: &Mpi,
    _origin_addr: ConstBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _op: Op,
    _win: Win,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Rget`. (MPI-5.0, chapter 12)
pub fn rget(
    _mpi: &Mpi,
    _origin_addr: MutBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _win: Win,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Rget_accumulate`. (MPI-5.0, chapter 12)
pub fn rget_accumulate(
    _mpi: &Mpi,
    _origin_addr: ConstBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _result_addr: MutBuf,
    _result_count: Count,
    _result_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _op: Op,
    _win: Win,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Rput`. (MPI-5.0, chapter 12)
pub fn rput(
    _mpi: &Mpi,
    _origin_addr: ConstBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _win: Win,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_allocate`. (MPI-5.0, chapter 12)
pub fn win_allocate(
    _mpi: &Mpi,
    _size: Aint,
    _disp_unit: AintCount,
    _info: Info,
    _comm: Comm,
    _baseptr: PointerOut,
    _win: Out<Win>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_allocate_shared`. (MPI-5.0, chapter 12)
pub fn win_allocate_shared(
    _mpi: &Mpi,
    _size: Aint,
    _disp_unit: AintCount,
    _info: Info,
    _comm: Comm,
    _baseptr: PointerOut,
    _win: Out<Win>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_attach`. (MPI-5.0, chapter 12)
pub fn win_attach(_mpi: &Mpi, _win: Win, _base: MutBuf, _size: Aint) -> Result<()> {
    unsupported()
}

/// `MPI_Win_complete`. (MPI-5.0, chapter 12)
pub fn win_complete(_mpi: &Mpi, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_create`. (MPI-5.0, chapter 12)
pub fn win_create(
    _mpi: &Mpi,
    _base: MutBuf,
    _size: Aint,
    _disp_unit: AintCount,
    _info: Info,
    _comm: Comm,
    _win: Out<Win>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_create_dynamic`. (MPI-5.0, chapter 12)
pub fn win_create_dynamic(_mpi: &Mpi, _info: Info, _comm: Comm, _win: Out<Win>) -> Result<()> {
    unsupported()
}

/// `MPI_Win_detach`. (MPI-5.0, chapter 12)
pub fn win_detach(_mpi: &Mpi, _win: Win, _base: ConstBuf) -> Result<()> {
    unsupported()
}

/// `MPI_Win_fence`. (MPI-5.0, chapter 12)
pub fn win_fence(_mpi: &Mpi, _assert: WinAssert, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_flush`. (MPI-5.0, chapter 12)
pub fn win_flush(_mpi: &Mpi, _rank: Rank, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_flush_all`. (MPI-5.0, chapter 12)
pub fn win_flush_all(_mpi: &Mpi, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_flush_local`. (MPI-5.0, chapter 12)
pub fn win_flush_local(_mpi: &Mpi, _rank: Rank, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_flush_local_all`. (MPI-5.0, chapter 12)
pub fn win_flush_local_all(_mpi: &Mpi, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_free`. (MPI-5.0, chapter 12)
pub fn win_free(_mpi: &Mpi, _win: InOut<Win>) -> Result<()> {
    unsupported()
}

/// `MPI_Win_get_group`. (MPI-5.0, chapter 12)
pub fn win_get_group(_mpi: &Mpi, _win: Win, _group: Out<Group>) -> Result<()> {
    unsupported()
}

/// `MPI_Win_get_info`. (MPI-5.0, chapter 12)
pub fn win_get_info(_mpi: &Mpi, _win: Win, _info_used: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_Win_get_name`. (MPI-5.0, chapter 12)
pub fn win_get_name(_mpi: &Mpi, _win: Win, _win_name: StrOut, _resultlen: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Win_lock`. (MPI-5.0, chapter 12)
pub fn win_lock(
    _mpi: &Mpi,
    _lock_type: LockType,
    _rank: Rank,
    _assert: WinAssert,
    _win: Win,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_lock_all`. (MPI-5.0, chapter 12)
pub fn win_lock_all(_mpi: &Mpi, _assert: WinAssert, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_post`. (MPI-5.0, chapter 12)
pub fn win_post(_mpi: &Mpi, _group: Group, _assert: WinAssert, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_set_info`. (MPI-5.0, chapter 12)
pub fn win_set_info(_mpi: &Mpi, _win: Win, _info: Info) -> Result<()> {
    unsupported()
}

/// `MPI_Win_set_name`. (MPI-5.0, chapter 12)
pub fn win_set_name(_mpi: &Mpi, _win: Win, _win_name: Str) -> Result<()> {
    unsupported()
}

/// `MPI_Win_shared_query`. (MPI-5.0, chapter 12)
pub fn win_shared_query(
    _mpi: &Mpi,
    _win: Win,
    _rank: Rank,
    _size: Out<Aint>,
    _disp_unit: Out<AintCount>,
    _baseptr: PointerOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Win_start`. (MPI-5.0, chapter 12)
pub fn win_start(_mpi: &Mpi, _group: Group, _assert: WinAssert, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_sync`. (MPI-5.0, chapter 12)
pub fn win_sync(_mpi: &Mpi, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_test`. (MPI-5.0, chapter 12)
pub fn win_test(_mpi: &Mpi, _win: Win, _flag: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPI_Win_unlock`. (MPI-5.0, chapter 12)
pub fn win_unlock(_mpi: &Mpi, _rank: Rank, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_unlock_all`. (MPI-5.0, chapter 12)
pub fn win_unlock_all(_mpi: &Mpi, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPI_Win_wait`. (MPI-5.0, chapter 12)
pub fn win_wait(_mpi: &Mpi, _win: Win) -> Result<()> {
    unsupported()
}

//! Extensions that programs of the MPICH and Open MPI families use: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::errhandler;
use crate::api::prelude::*;
use crate::datatype::{Data, Type};
use crate::fail;

/// `OMPI_Affinity_str`.
pub fn ompi_affinity_str(
    _mpi: &Mpi,
    _fmt_type: AffinityFormat,
    _ompi_bound: StrOut,
    _current_binding: StrOut,
    _exists: StrOut,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_ack_failed`.
pub fn mpix_comm_ack_failed(
    _mpi: &Mpi,
    _comm: Comm,
    _num_to_ack: i32,
    _num_acked: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_agree`.
pub fn mpix_comm_agree(_mpi: &Mpi, _comm: Comm, _flag: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_create_errhandler_x`.
pub fn mpix_comm_create_errhandler_x(
    _mpi: &Mpi,
    _comm_errhandler_fn_x: RawFunction,
    _destructor_fn: RawFunction,
    _extra_state: Opaque,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_failure_ack`.
pub fn mpix_comm_failure_ack(_mpi: &Mpi, _comm: Comm) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_failure_get_acked`.
pub fn mpix_comm_failure_get_acked(_mpi: &Mpi, _comm: Comm, _failedgrp: Out<Group>) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_get_failed`.
pub fn mpix_comm_get_failed(_mpi: &Mpi, _comm: Comm, _failedgrp: Out<Group>) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_iagree`.
pub fn mpix_comm_iagree(
    _mpi: &Mpi,
    _comm: Comm,
    _flag: Out<bool>,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_is_revoked`.
pub fn mpix_comm_is_revoked(_mpi: &Mpi, _comm: Comm, _flag: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_revoke`.
pub fn mpix_comm_revoke(_mpi: &Mpi, _comm: Comm) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_shrink`.
pub fn mpix_comm_shrink(_mpi: &Mpi, _comm: Comm, _newcomm: Out<Comm>) -> Result<()> {
    unsupported()
}

/// Whether the ranks of a communicator are threads: never, as no such can be made.
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn mpix_comm_test_threadcomm(mpi: &Mpi, comm: Comm, flag: Out<bool>) -> Result<()> {
    mpi.comm(comm)?;
    flag.set(false);
    Ok(())
}

/// As `MPI_Remove_error_class`, by its older name.
///
/// # Errors
/// As `MPI_Remove_error_class`.
pub fn mpix_delete_error_class(mpi: &Mpi, errorclass: ErrorCode) -> Result<()> {
    errhandler::remove_error_class(mpi, errorclass)
}

/// As `MPI_Remove_error_code`, by its older name.
///
/// # Errors
/// As `MPI_Remove_error_code`.
pub fn mpix_delete_error_code(mpi: &Mpi, errorcode: ErrorCode) -> Result<()> {
    errhandler::remove_error_code(mpi, errorcode)
}

/// As `MPI_Remove_error_string`, by its older name.
///
/// # Errors
/// As `MPI_Remove_error_string`.
pub fn mpix_delete_error_string(mpi: &Mpi, errorcode: ErrorCode) -> Result<()> {
    errhandler::remove_error_string(mpi, errorcode)
}

/// `MPIX_File_create_errhandler_x`.
pub fn mpix_file_create_errhandler_x(
    _mpi: &Mpi,
    _comm_errhandler_fn_x: RawFunction,
    _destructor_fn: RawFunction,
    _extra_state: Opaque,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Get_notify`.
pub fn mpix_get_notify(
    _mpi: &Mpi,
    _origin_addr: MutBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _notification_idx: i32,
    _win: Win,
) -> Result<()> {
    unsupported()
}

/// `MPIX_GPU_query_support`.
pub fn mpix_gpu_query_support(_mpi: &Mpi, _gpu_type: i32, _is_supported: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPIX_Grequest_class_allocate`.
pub fn mpix_grequest_class_allocate(
    _mpi: &Mpi,
    _greq_class: GrequestClass,
    _extra_state: Opaque,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Grequest_class_create`.
pub fn mpix_grequest_class_create(
    _mpi: &Mpi,
    _query_fn: GrequestQuery,
    _free_fn: GrequestFree,
    _cancel_fn: GrequestCancel,
    _poll_fn: RawFunction,
    _wait_fn: RawFunction,
    _greq_class: Out<GrequestClass>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Grequest_start`.
pub fn mpix_grequest_start(
    _mpi: &Mpi,
    _query_fn: GrequestQuery,
    _free_fn: GrequestFree,
    _cancel_fn: GrequestCancel,
    _poll_fn: RawFunction,
    _wait_fn: RawFunction,
    _extra_state: Opaque,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Info_set_hex`.
pub fn mpix_info_set_hex(
    _mpi: &Mpi,
    _info: Info,
    _key: Str,
    _value: ConstBuf,
    _value_size: i32,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Op_create_x`.
pub fn mpix_op_create_x(
    _mpi: &Mpi,
    _user_fn_x: RawFunction,
    _destructor_fn: RawFunction,
    _commute: bool,
    _extra_state: Opaque,
    _op: Out<Op>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Put_notify`.
pub fn mpix_put_notify(
    _mpi: &Mpi,
    _origin_addr: ConstBuf,
    _origin_count: Count,
    _origin_datatype: Datatype,
    _target_rank: Rank,
    _target_disp: Aint,
    _target_count: Count,
    _target_datatype: Datatype,
    _notification_idx: i32,
    _win: Win,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Query_cuda_support`.
pub fn mpix_query_cuda_support(_mpi: &Mpi) -> bool {
    false
}

/// `MPIX_Query_hip_support`.
pub fn mpix_query_hip_support(_mpi: &Mpi) -> bool {
    false
}

/// `MPIX_Query_rocm_support`.
pub fn mpix_query_rocm_support(_mpi: &Mpi) -> bool {
    false
}

/// `MPIX_Query_ze_support`.
pub fn mpix_query_ze_support(_mpi: &Mpi) -> bool {
    false
}

/// `MPIX_Request_is_complete`.
pub fn mpix_request_is_complete(_mpi: &Mpi, _request: Request) -> Result<()> {
    unsupported()
}

/// `MPIX_Session_create_errhandler_x`.
pub fn mpix_session_create_errhandler_x(
    _mpi: &Mpi,
    _comm_errhandler_fn_x: RawFunction,
    _destructor_fn: RawFunction,
    _extra_state: Opaque,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Type_iov`.
pub fn mpix_type_iov(
    mpi: &Mpi,
    datatype: Datatype,
    iov_offset: BigCount,
    iov: IovsOut,
    max_iov_len: BigCount,
    actual_iov_len: Out<BigCount>,
) -> Result<()> {
    let segments = segments(&mpi.datatype(datatype)?);
    if iov_offset < 0 {
        fail!(ARG, "iov_offset is {iov_offset}, expected a value >= 0");
    }
    if max_iov_len > 0 && iov.is_null() {
        fail!(ARG, "iov is a null pointer");
    }
    let chosen = segments.iter().skip(iov_offset as usize);
    let mut stored = 0;
    for (at, bytes) in chosen.take(max_iov_len.max(0) as usize) {
        iov.set(stored, at.addr(), *bytes);
        stored += 1;
    }
    actual_iov_len.set(stored as BigCount);
    Ok(())
}

/// `MPIX_Type_iov_len`.
pub fn mpix_type_iov_len(
    mpi: &Mpi,
    datatype: Datatype,
    max_iov_bytes: BigCount,
    iov_len: Out<BigCount>,
    actual_iov_bytes: Out<BigCount>,
) -> Result<()> {
    let (mut count, mut total) = (0, 0);
    for (_, bytes) in segments(&mpi.datatype(datatype)?) {
        if max_iov_bytes >= 0 && total + bytes as BigCount > max_iov_bytes {
            break;
        }
        count += 1;
        total += bytes as BigCount;
    }
    iov_len.set(count);
    actual_iov_bytes.set(total);
    Ok(())
}

/// The contiguous segments of one element at address 0.
fn segments(datatype: &std::rc::Rc<Type>) -> Vec<(*mut u8, usize)> {
    Data::new(std::ptr::null_mut(), 1, datatype.clone()).pieces(0, usize::MAX)
}

/// `MPIX_Win_create_errhandler_x`.
pub fn mpix_win_create_errhandler_x(
    _mpi: &Mpi,
    _comm_errhandler_fn_x: RawFunction,
    _destructor_fn: RawFunction,
    _extra_state: Opaque,
    _errhandler: Out<Errhandler>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Win_create_notify`.
pub fn mpix_win_create_notify(_mpi: &Mpi, _win: Win, _notification_num: i32) -> Result<()> {
    unsupported()
}

/// `MPIX_Win_free_notify`.
pub fn mpix_win_free_notify(_mpi: &Mpi, _win: Win) -> Result<()> {
    unsupported()
}

/// `MPIX_Win_get_notify`.
pub fn mpix_win_get_notify(
    _mpi: &Mpi,
    _win: Win,
    _notification_idx: i32,
    _notification: Out<BigCount>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Win_get_notify_request`.
pub fn mpix_win_get_notify_request(
    _mpi: &Mpi,
    _win: Win,
    _notification_idx: i32,
    _expected_value: BigCount,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Win_set_notify`.
pub fn mpix_win_set_notify(
    _mpi: &Mpi,
    _win: Win,
    _notification_idx: i32,
    _notification: BigCount,
) -> Result<()> {
    unsupported()
}

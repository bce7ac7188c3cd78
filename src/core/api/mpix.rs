//! Extensions that programs of the MPICH and Open MPI families use: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::api::{errhandler, grequest, info, op as operation};
use crate::datatype::Data;
use crate::datatype::data::pieces;
use crate::errhandler::Function as HandlerOf;
use crate::fail;
use crate::grequest::Functions;

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

/// `MPIX_Comm_create_errhandler_x`: the function is also handed `extra_state`.
///
/// # Errors
/// `MPI_ERR_ARG`: no function.
pub fn mpix_comm_create_errhandler_x(
    mpi: &Mpi,
    comm_errhandler_fn_x: Stateful<ErrhandlerFunction<Comm>>,
    destructor_fn: Option<Destructor>,
    extra_state: Opaque,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    let (function, state) = comm_errhandler_fn_x.with(extra_state, destructor_fn);
    let function = HandlerOf::Comm(function);
    errhandler.set(mpi.errhandlers.create_with(function, Some(state))?);
    Ok(())
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

/// `MPIX_File_create_errhandler_x`: the function is also handed `extra_state`.
///
/// # Errors
/// `MPI_ERR_ARG`: no function.
pub fn mpix_file_create_errhandler_x(
    mpi: &Mpi,
    comm_errhandler_fn_x: Stateful<ErrhandlerFunction<File>>,
    destructor_fn: Option<Destructor>,
    extra_state: Opaque,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    let (function, state) = comm_errhandler_fn_x.with(extra_state, destructor_fn);
    let function = HandlerOf::File(function);
    errhandler.set(mpi.errhandlers.create_with(function, Some(state))?);
    Ok(())
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

/// Whether memory of a kind of GPU may be passed: of none yet. Kinds are numbered as in MPICH: 0 CUDA,
/// 1 Level Zero, 2 HIP.
///
/// # Errors
/// `MPI_ERR_ARG`: no such kind.
pub fn mpix_gpu_query_support(_mpi: &Mpi, gpu_type: i32, is_supported: Out<bool>) -> Result<()> {
    if !(0..=2).contains(&gpu_type) {
        fail!(ARG, "gpu_type = {gpu_type}: 0, 1 or 2 was expected");
    }
    is_supported.set(false);
    Ok(())
}

/// Starts a generalised request of a class.
///
/// # Errors
/// `MPI_ERR_ARG`: no such class.
pub fn mpix_grequest_class_allocate(
    mpi: &Mpi,
    greq_class: GrequestClass,
    extra_state: Opaque,
    request: Out<Request>,
) -> Result<()> {
    let functions = mpi.grequest_classes.find(greq_class)?;
    grequest::start(mpi, functions, extra_state, request)
}

/// Makes a class of generalised requests, for as long as the process lives.
pub fn mpix_grequest_class_create(
    mpi: &Mpi,
    query_fn: GrequestQuery,
    free_fn: GrequestFree,
    cancel_fn: GrequestCancel,
    poll_fn: GrequestPoll,
    wait_fn: GrequestWait,
    greq_class: Out<GrequestClass>,
) -> Result<()> {
    greq_class.set(mpi.grequest_classes.add(Functions {
        query: query_fn,
        free: free_fn,
        cancel: cancel_fn,
        poll: poll_fn,
        wait: wait_fn,
    }));
    Ok(())
}

/// Starts a generalised request with two functions more. One is called while somebody waits or tests. The other is
/// called while somebody waits, where the first is missing.
pub fn mpix_grequest_start(
    mpi: &Mpi,
    query_fn: GrequestQuery,
    free_fn: GrequestFree,
    cancel_fn: GrequestCancel,
    poll_fn: GrequestPoll,
    wait_fn: GrequestWait,
    extra_state: Opaque,
    request: Out<Request>,
) -> Result<()> {
    let functions = Functions {
        query: query_fn,
        free: free_fn,
        cancel: cancel_fn,
        poll: poll_fn,
        wait: wait_fn,
    };
    grequest::start(mpi, functions, extra_state, request)
}

/// Sets the value of a key to bytes in hexadecimal digits.
///
/// # Errors
/// `MPI_ERR_ARG`: a negative size, or a null pointer. `MPI_ERR_INFO_VALUE`: too many bytes.
pub fn mpix_info_set_hex(
    mpi: &Mpi,
    info: Info,
    key: Str,
    value: ConstBuf,
    value_size: i32,
) -> Result<()> {
    let Ok(size) = usize::try_from(value_size) else {
        fail!(ARG, "value_size = {value_size}: a size cannot be negative");
    };
    if size > 0 && value.is_null() {
        fail!(
            ARG,
            "value is a null pointer with value_size = {value_size}"
        );
    }
    let mut bytes = vec![0; size];
    Data::new(value.base(), size as u64, mpi.datatype(Datatype::BYTE)?).pack(0, &mut bytes);
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    info::set(mpi, info, &key, &text)
}

/// `MPIX_Op_create_x`: the function is also handed `extra_state`, and takes 64-bit lengths.
///
/// # Errors
/// `MPI_ERR_ARG`: no function.
pub fn mpix_op_create_x(
    mpi: &'static Mpi,
    user_fn_x: Stateful<UserFunction>,
    destructor_fn: Option<Destructor>,
    commute: bool,
    extra_state: Opaque,
    op: Out<Op>,
) -> Result<()> {
    let (function, state) = user_fn_x.with(extra_state, destructor_fn);
    op.set(operation::create(mpi, function, Some(state), commute)?);
    Ok(())
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

/// Whether a request is complete, without completing it or moving anything on. What is no request is not.
pub fn mpix_request_is_complete(mpi: &Mpi, request: Request) -> bool {
    let Some(engine) = mpi.engine_if_started() else {
        return false;
    };
    let look = || mpi.requests.is_complete(engine, request).unwrap_or(false);
    if !mpi.is_threaded() {
        return look();
    }
    // The door takes no lock for calls that return no error code.
    mpi.acquire();
    let complete = look();
    mpi.release();
    complete
}

/// `MPIX_Session_create_errhandler_x`: the function is also handed `extra_state`.
///
/// # Errors
/// `MPI_ERR_ARG`: no function.
pub fn mpix_session_create_errhandler_x(
    mpi: &Mpi,
    comm_errhandler_fn_x: Stateful<ErrhandlerFunction<Session>>,
    destructor_fn: Option<Destructor>,
    extra_state: Opaque,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    let (function, state) = comm_errhandler_fn_x.with(extra_state, destructor_fn);
    let function = HandlerOf::Session(function);
    errhandler.set(mpi.errhandlers.create_with(function, Some(state))?);
    Ok(())
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
    let segments = pieces(&*mpi.datatype(datatype)?);
    if iov_offset < 0 {
        fail!(ARG, "iov_offset is {iov_offset}, expected a value >= 0");
    }
    if max_iov_len > 0 && iov.is_null() {
        fail!(ARG, "iov is a null pointer");
    }
    let chosen = segments.iter().skip(iov_offset as usize);
    let mut stored = 0;
    for (at, bytes) in chosen.take(max_iov_len.max(0) as usize) {
        iov.set(stored, *at as usize, *bytes as usize);
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
    for (_, bytes) in pieces(&*mpi.datatype(datatype)?) {
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

/// `MPIX_Win_create_errhandler_x`: the function is also handed `extra_state`.
///
/// # Errors
/// `MPI_ERR_ARG`: no function.
pub fn mpix_win_create_errhandler_x(
    mpi: &Mpi,
    comm_errhandler_fn_x: Stateful<ErrhandlerFunction<Win>>,
    destructor_fn: Option<Destructor>,
    extra_state: Opaque,
    errhandler: Out<Errhandler>,
) -> Result<()> {
    let (function, state) = comm_errhandler_fn_x.with(extra_state, destructor_fn);
    let function = HandlerOf::Win(function);
    errhandler.set(mpi.errhandlers.create_with(function, Some(state))?);
    Ok(())
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

//! MPICH's stream, thread-communicator and asynchronous extensions: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPIX_Allreduce_enqueue`.
pub fn mpix_allreduce_enqueue(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _recvbuf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _op: Op,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Async_get_state`.
pub fn mpix_async_get_state(_mpi: &Mpi, _async_thing: AsyncThing) -> Opaque {
    Opaque(std::ptr::null_mut())
}

/// `MPIX_Async_spawn`.
pub fn mpix_async_spawn(
    _mpi: &Mpi,
    _async_thing: AsyncThing,
    _poll_fn: RawFunction,
    _extra_state: Opaque,
    _stream: Stream,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Async_start`.
pub fn mpix_async_start(
    _mpi: &Mpi,
    _poll_fn: RawFunction,
    _extra_state: Opaque,
    _stream: Stream,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Comm_get_stream`.
pub fn mpix_comm_get_stream(
    _mpi: &Mpi,
    _comm: Comm,
    _idx: i32,
    _stream: Out<Stream>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Irecv_enqueue`.
pub fn mpix_irecv_enqueue(
    _mpi: &Mpi,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _source: Rank,
    _tag: Tag,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Isend_enqueue`.
pub fn mpix_isend_enqueue(
    _mpi: &Mpi,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _dest: Rank,
    _tag: Tag,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Recv_enqueue`.
pub fn mpix_recv_enqueue(
    _mpi: &Mpi,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _source: Rank,
    _tag: Tag,
    _comm: Comm,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Send_enqueue`.
pub fn mpix_send_enqueue(
    _mpi: &Mpi,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _dest: Rank,
    _tag: Tag,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Start_progress_thread`.
pub fn mpix_start_progress_thread(_mpi: &Mpi, _stream: Stream) -> Result<()> {
    unsupported()
}

/// `MPIX_Stop_progress_thread`.
pub fn mpix_stop_progress_thread(_mpi: &Mpi, _stream: Stream) -> Result<()> {
    unsupported()
}

/// `MPIX_Stream_comm_create`.
pub fn mpix_stream_comm_create(
    _mpi: &Mpi,
    _comm: Comm,
    _stream: Stream,
    _newcomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Stream_comm_create_multiplex`.
pub fn mpix_stream_comm_create_multiplex(
    _mpi: &Mpi,
    _comm: Comm,
    _count: i32,
    _array_of_streams: HandlesMut<Stream>,
    _newcomm: HandlesMut<Stream>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Stream_create`.
pub fn mpix_stream_create(_mpi: &Mpi, _info: Info, _stream: Out<Stream>) -> Result<()> {
    unsupported()
}

/// `MPIX_Stream_free`.
pub fn mpix_stream_free(_mpi: &Mpi, _stream: InOut<Stream>) -> Result<()> {
    unsupported()
}

/// `MPIX_Stream_irecv`.
pub fn mpix_stream_irecv(
    _mpi: &Mpi,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _source: Rank,
    _tag: Tag,
    _comm: Comm,
    _source_stream_index: i32,
    _dest_stream_index: i32,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Stream_isend`.
pub fn mpix_stream_isend(
    _mpi: &Mpi,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _dest: Rank,
    _tag: Tag,
    _comm: Comm,
    _source_stream_index: i32,
    _dest_stream_index: i32,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Stream_progress`.
pub fn mpix_stream_progress(_mpi: &Mpi, _stream: Stream) -> Result<()> {
    unsupported()
}

/// `MPIX_Stream_recv`.
pub fn mpix_stream_recv(
    _mpi: &Mpi,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _source: Rank,
    _tag: Tag,
    _comm: Comm,
    _source_stream_index: i32,
    _dest_stream_index: i32,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Stream_send`.
pub fn mpix_stream_send(
    _mpi: &Mpi,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _dest: Rank,
    _tag: Tag,
    _comm: Comm,
    _source_stream_index: i32,
    _dest_stream_index: i32,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Threadcomm_finish`.
pub fn mpix_threadcomm_finish(_mpi: &Mpi, _threadcomm: Comm) -> Result<()> {
    unsupported()
}

/// `MPIX_Threadcomm_free`.
pub fn mpix_threadcomm_free(_mpi: &Mpi, _threadcomm: InOut<Comm>) -> Result<()> {
    unsupported()
}

/// `MPIX_Threadcomm_init`.
pub fn mpix_threadcomm_init(
    _mpi: &Mpi,
    _comm: Comm,
    _num_threads: i32,
    _newthreadcomm: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPIX_Threadcomm_start`.
pub fn mpix_threadcomm_start(_mpi: &Mpi, _threadcomm: Comm) -> Result<()> {
    unsupported()
}

/// `MPIX_Wait_enqueue`.
pub fn mpix_wait_enqueue(_mpi: &Mpi, _request: InOut<Request>, _status: Out<Status>) -> Result<()> {
    unsupported()
}

/// `MPIX_Waitall_enqueue`.
pub fn mpix_waitall_enqueue(
    _mpi: &Mpi,
    _count: i32,
    _array_of_requests: HandlesMut<Request>,
    _array_of_statuses: StatusesOut,
) -> Result<()> {
    unsupported()
}

//! Point-to-point communication: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Bsend`. (MPI-5.0, chapter 3)
pub fn bsend(
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

/// `MPI_Bsend_init`. (MPI-5.0, chapter 3)
pub fn bsend_init(
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

/// `MPI_Buffer_attach`. (MPI-5.0, chapter 3)
pub fn buffer_attach(_mpi: &Mpi, _buffer: MutBuf, _size: Count) -> Result<()> {
    unsupported()
}

/// `MPI_Buffer_detach`. (MPI-5.0, chapter 3)
pub fn buffer_detach(_mpi: &Mpi, _buffer_addr: PointerOut, _size: Out<Count>) -> Result<()> {
    unsupported()
}

/// `MPI_Buffer_flush`. (MPI-5.0, chapter 3)
pub fn buffer_flush(_mpi: &Mpi) -> Result<()> {
    unsupported()
}

/// `MPI_Buffer_iflush`. (MPI-5.0, chapter 3)
pub fn buffer_iflush(_mpi: &Mpi, _request: Out<Request>) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_attach_buffer`. (MPI-5.0, chapter 3)
pub fn comm_attach_buffer(_mpi: &Mpi, _comm: Comm, _buffer: MutBuf, _size: Count) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_detach_buffer`. (MPI-5.0, chapter 3)
pub fn comm_detach_buffer(
    _mpi: &Mpi,
    _comm: Comm,
    _buffer_addr: PointerOut,
    _size: Out<Count>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_flush_buffer`. (MPI-5.0, chapter 3)
pub fn comm_flush_buffer(_mpi: &Mpi, _comm: Comm) -> Result<()> {
    unsupported()
}

/// `MPI_Comm_iflush_buffer`. (MPI-5.0, chapter 3)
pub fn comm_iflush_buffer(_mpi: &Mpi, _comm: Comm, _request: Out<Request>) -> Result<()> {
    unsupported()
}

/// `MPI_Ibsend`. (MPI-5.0, chapter 3)
pub fn ibsend(
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

/// `MPI_Improbe`. (MPI-5.0, chapter 3)
pub fn improbe(
    _mpi: &Mpi,
    _source: Rank,
    _tag: Tag,
    _comm: Comm,
    _flag: Out<bool>,
    _message: Out<Message>,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Imrecv`. (MPI-5.0, chapter 3)
pub fn imrecv(
    _mpi: &Mpi,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _message: InOut<Message>,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Iprobe`. (MPI-5.0, chapter 3)
pub fn iprobe(
    _mpi: &Mpi,
    _source: Rank,
    _tag: Tag,
    _comm: Comm,
    _flag: Out<bool>,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Irecv`. (MPI-5.0, chapter 3)
pub fn irecv(
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

/// `MPI_Irsend`. (MPI-5.0, chapter 3)
pub fn irsend(
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

/// `MPI_Isend`. (MPI-5.0, chapter 3)
pub fn isend(
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

/// `MPI_Isendrecv`. (MPI-5.0, chapter 3)
pub fn isendrecv(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _dest: Rank,
    _sendtag: Tag,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _source: Rank,
    _recvtag: Tag,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Isendrecv_replace`. (MPI-5.0, chapter 3)
pub fn isendrecv_replace(
    _mpi: &Mpi,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _dest: Rank,
    _sendtag: Tag,
    _source: Rank,
    _recvtag: Tag,
    _comm: Comm,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Issend`. (MPI-5.0, chapter 3)
pub fn issend(
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

/// `MPI_Mprobe`. (MPI-5.0, chapter 3)
pub fn mprobe(
    _mpi: &Mpi,
    _source: Rank,
    _tag: Tag,
    _comm: Comm,
    _message: Out<Message>,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Mrecv`. (MPI-5.0, chapter 3)
pub fn mrecv(
    _mpi: &Mpi,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _message: InOut<Message>,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Probe`. (MPI-5.0, chapter 3)
pub fn probe(
    _mpi: &Mpi,
    _source: Rank,
    _tag: Tag,
    _comm: Comm,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Recv`. (MPI-5.0, chapter 3)
pub fn recv(
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

/// `MPI_Recv_init`. (MPI-5.0, chapter 3)
pub fn recv_init(
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

/// `MPI_Rsend`. (MPI-5.0, chapter 3)
pub fn rsend(
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

/// `MPI_Rsend_init`. (MPI-5.0, chapter 3)
pub fn rsend_init(
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

/// `MPI_Send`. (MPI-5.0, chapter 3)
pub fn send(
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

/// `MPI_Send_init`. (MPI-5.0, chapter 3)
pub fn send_init(
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

/// `MPI_Sendrecv`. (MPI-5.0, chapter 3)
pub fn sendrecv(
    _mpi: &Mpi,
    _sendbuf: ConstBuf,
    _sendcount: Count,
    _sendtype: Datatype,
    _dest: Rank,
    _sendtag: Tag,
    _recvbuf: MutBuf,
    _recvcount: Count,
    _recvtype: Datatype,
    _source: Rank,
    _recvtag: Tag,
    _comm: Comm,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Sendrecv_replace`. (MPI-5.0, chapter 3)
pub fn sendrecv_replace(
    _mpi: &Mpi,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _dest: Rank,
    _sendtag: Tag,
    _source: Rank,
    _recvtag: Tag,
    _comm: Comm,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_attach_buffer`. (MPI-5.0, chapter 3)
pub fn session_attach_buffer(
    _mpi: &Mpi,
    _session: Session,
    _buffer: MutBuf,
    _size: Count,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_detach_buffer`. (MPI-5.0, chapter 3)
pub fn session_detach_buffer(
    _mpi: &Mpi,
    _session: Session,
    _buffer_addr: PointerOut,
    _size: Out<Count>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Session_flush_buffer`. (MPI-5.0, chapter 3)
pub fn session_flush_buffer(_mpi: &Mpi, _session: Session) -> Result<()> {
    unsupported()
}

/// `MPI_Session_iflush_buffer`. (MPI-5.0, chapter 3)
pub fn session_iflush_buffer(_mpi: &Mpi, _session: Session, _request: Out<Request>) -> Result<()> {
    unsupported()
}

/// `MPI_Ssend`. (MPI-5.0, chapter 3)
pub fn ssend(
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

/// `MPI_Ssend_init`. (MPI-5.0, chapter 3)
pub fn ssend_init(
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

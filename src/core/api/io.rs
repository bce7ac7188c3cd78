//! Parallel files: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_File_close`. (MPI-5.0, chapter 14)
pub fn file_close(_mpi: &Mpi, _fh: InOut<File>) -> Result<()> {
    unsupported()
}

/// `MPI_File_delete`. (MPI-5.0, chapter 14)
pub fn file_delete(_mpi: &Mpi, _filename: Str, _info: Info) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_amode`. (MPI-5.0, chapter 14)
pub fn file_get_amode(_mpi: &Mpi, _fh: File, _amode: Out<AccessMode>) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_atomicity`. (MPI-5.0, chapter 14)
pub fn file_get_atomicity(_mpi: &Mpi, _fh: File, _flag: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_byte_offset`. (MPI-5.0, chapter 14)
pub fn file_get_byte_offset(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _disp: Out<Offset>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_group`. (MPI-5.0, chapter 14)
pub fn file_get_group(_mpi: &Mpi, _fh: File, _group: Out<Group>) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_info`. (MPI-5.0, chapter 14)
pub fn file_get_info(_mpi: &Mpi, _fh: File, _info_used: Out<Info>) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_position`. (MPI-5.0, chapter 14)
pub fn file_get_position(_mpi: &Mpi, _fh: File, _offset: Out<Offset>) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_position_shared`. (MPI-5.0, chapter 14)
pub fn file_get_position_shared(_mpi: &Mpi, _fh: File, _offset: Out<Offset>) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_size`. (MPI-5.0, chapter 14)
pub fn file_get_size(_mpi: &Mpi, _fh: File, _size: Out<Offset>) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_type_extent`. (MPI-5.0, chapter 14)
pub fn file_get_type_extent(
    _mpi: &Mpi,
    _fh: File,
    _datatype: Datatype,
    _extent: Out<AintCount>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_get_view`. (MPI-5.0, chapter 14)
pub fn file_get_view(
    _mpi: &Mpi,
    _fh: File,
    _disp: Out<Offset>,
    _etype: Out<Datatype>,
    _filetype: Out<Datatype>,
    _datarep: StrOut,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iread`. (MPI-5.0, chapter 14)
pub fn file_iread(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iread_all`. (MPI-5.0, chapter 14)
pub fn file_iread_all(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iread_at`. (MPI-5.0, chapter 14)
pub fn file_iread_at(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iread_at_all`. (MPI-5.0, chapter 14)
pub fn file_iread_at_all(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iread_shared`. (MPI-5.0, chapter 14)
pub fn file_iread_shared(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iwrite`. (MPI-5.0, chapter 14)
pub fn file_iwrite(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iwrite_all`. (MPI-5.0, chapter 14)
pub fn file_iwrite_all(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iwrite_at`. (MPI-5.0, chapter 14)
pub fn file_iwrite_at(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iwrite_at_all`. (MPI-5.0, chapter 14)
pub fn file_iwrite_at_all(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_iwrite_shared`. (MPI-5.0, chapter 14)
pub fn file_iwrite_shared(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_open`. (MPI-5.0, chapter 14)
pub fn file_open(
    _mpi: &Mpi,
    _comm: Comm,
    _filename: Str,
    _amode: AccessMode,
    _info: Info,
    _fh: Out<File>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_preallocate`. (MPI-5.0, chapter 14)
pub fn file_preallocate(_mpi: &Mpi, _fh: File, _size: Offset) -> Result<()> {
    unsupported()
}

/// `MPI_File_read`. (MPI-5.0, chapter 14)
pub fn file_read(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_all`. (MPI-5.0, chapter 14)
pub fn file_read_all(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_all_begin`. (MPI-5.0, chapter 14)
pub fn file_read_all_begin(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_all_end`. (MPI-5.0, chapter 14)
pub fn file_read_all_end(_mpi: &Mpi, _fh: File, _buf: MutBuf, _status: Out<Status>) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_at`. (MPI-5.0, chapter 14)
pub fn file_read_at(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_at_all`. (MPI-5.0, chapter 14)
pub fn file_read_at_all(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_at_all_begin`. (MPI-5.0, chapter 14)
pub fn file_read_at_all_begin(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_at_all_end`. (MPI-5.0, chapter 14)
pub fn file_read_at_all_end(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_ordered`. (MPI-5.0, chapter 14)
pub fn file_read_ordered(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_ordered_begin`. (MPI-5.0, chapter 14)
pub fn file_read_ordered_begin(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_ordered_end`. (MPI-5.0, chapter 14)
pub fn file_read_ordered_end(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_read_shared`. (MPI-5.0, chapter 14)
pub fn file_read_shared(
    _mpi: &Mpi,
    _fh: File,
    _buf: MutBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_seek`. (MPI-5.0, chapter 14)
pub fn file_seek(_mpi: &Mpi, _fh: File, _offset: Offset, _whence: Whence) -> Result<()> {
    unsupported()
}

/// `MPI_File_seek_shared`. (MPI-5.0, chapter 14)
pub fn file_seek_shared(_mpi: &Mpi, _fh: File, _offset: Offset, _whence: Whence) -> Result<()> {
    unsupported()
}

/// `MPI_File_set_atomicity`. (MPI-5.0, chapter 14)
pub fn file_set_atomicity(_mpi: &Mpi, _fh: File, _flag: bool) -> Result<()> {
    unsupported()
}

/// `MPI_File_set_info`. (MPI-5.0, chapter 14)
pub fn file_set_info(_mpi: &Mpi, _fh: File, _info: Info) -> Result<()> {
    unsupported()
}

/// `MPI_File_set_size`. (MPI-5.0, chapter 14)
pub fn file_set_size(_mpi: &Mpi, _fh: File, _size: Offset) -> Result<()> {
    unsupported()
}

/// `MPI_File_set_view`. (MPI-5.0, chapter 14)
pub fn file_set_view(
    _mpi: &Mpi,
    _fh: File,
    _disp: Offset,
    _etype: Datatype,
    _filetype: Datatype,
    _datarep: Str,
    _info: Info,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_sync`. (MPI-5.0, chapter 14)
pub fn file_sync(_mpi: &Mpi, _fh: File) -> Result<()> {
    unsupported()
}

/// `MPI_File_write`. (MPI-5.0, chapter 14)
pub fn file_write(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_all`. (MPI-5.0, chapter 14)
pub fn file_write_all(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_all_begin`. (MPI-5.0, chapter 14)
pub fn file_write_all_begin(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_all_end`. (MPI-5.0, chapter 14)
pub fn file_write_all_end(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_at`. (MPI-5.0, chapter 14)
pub fn file_write_at(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_at_all`. (MPI-5.0, chapter 14)
pub fn file_write_at_all(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_at_all_begin`. (MPI-5.0, chapter 14)
pub fn file_write_at_all_begin(
    _mpi: &Mpi,
    _fh: File,
    _offset: Offset,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_at_all_end`. (MPI-5.0, chapter 14)
pub fn file_write_at_all_end(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_ordered`. (MPI-5.0, chapter 14)
pub fn file_write_ordered(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_ordered_begin`. (MPI-5.0, chapter 14)
pub fn file_write_ordered_begin(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_ordered_end`. (MPI-5.0, chapter 14)
pub fn file_write_ordered_end(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_File_write_shared`. (MPI-5.0, chapter 14)
pub fn file_write_shared(
    _mpi: &Mpi,
    _fh: File,
    _buf: ConstBuf,
    _count: Count,
    _datatype: Datatype,
    _status: Out<Status>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Register_datarep`. (MPI-5.0, chapter 14)
pub fn register_datarep(
    _mpi: &Mpi,
    _datarep: Str,
    _read_conversion_fn: DatarepConversion,
    _write_conversion_fn: DatarepConversion,
    _dtype_file_extent_fn: DatarepExtent,
    _extra_state: Opaque,
) -> Result<()> {
    unsupported()
}

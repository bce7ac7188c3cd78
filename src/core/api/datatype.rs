//! Datatypes and packing: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Address`. (removed in MPI-3.0)
pub fn address(_mpi: &Mpi, _location: MutBuf, _address: Out<Aint>) -> Result<()> {
    unsupported()
}

/// `MPI_Aint_add`. (MPI-5.0, chapter 5)
pub fn aint_add(_mpi: &Mpi, _base: Aint, _disp: Aint) -> Aint {
    _base.wrapping_add(_disp)
}

/// `MPI_Aint_diff`. (MPI-5.0, chapter 5)
pub fn aint_diff(_mpi: &Mpi, _addr1: Aint, _addr2: Aint) -> Aint {
    _addr1.wrapping_sub(_addr2)
}

/// `MPI_Get_address`. (MPI-5.0, chapter 5)
pub fn get_address(_mpi: &Mpi, _location: ConstBuf, _address: Out<Aint>) -> Result<()> {
    unsupported()
}

/// `MPI_Pack`. (MPI-5.0, chapter 5)
pub fn pack(
    _mpi: &Mpi,
    _inbuf: ConstBuf,
    _incount: Count,
    _datatype: Datatype,
    _outbuf: MutBuf,
    _outsize: Count,
    _position: InOut<Count>,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Pack_external`. (MPI-5.0, chapter 5)
pub fn pack_external(
    _mpi: &Mpi,
    _datarep: Str,
    _inbuf: ConstBuf,
    _incount: Count,
    _datatype: Datatype,
    _outbuf: MutBuf,
    _outsize: AintCount,
    _position: InOut<AintCount>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Pack_external_size`. (MPI-5.0, chapter 5)
pub fn pack_external_size(
    _mpi: &Mpi,
    _datarep: Str,
    _incount: Count,
    _datatype: Datatype,
    _size: Out<AintCount>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Pack_size`. (MPI-5.0, chapter 5)
pub fn pack_size(
    _mpi: &Mpi,
    _incount: Count,
    _datatype: Datatype,
    _comm: Comm,
    _size: Out<Count>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_commit`. (MPI-5.0, chapter 5)
pub fn type_commit(_mpi: &Mpi, _datatype: InOut<Datatype>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_contiguous`. (MPI-5.0, chapter 5)
pub fn type_contiguous(
    _mpi: &Mpi,
    _count: Count,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_darray`. (MPI-5.0, chapter 5)
pub fn type_create_darray(
    _mpi: &Mpi,
    _size: i32,
    _rank: Rank,
    _ndims: i32,
    _array_of_gsizes: Counts,
    _array_of_distribs: Distributions,
    _array_of_dargs: DistributionArgs,
    _array_of_psizes: Ints,
    _order: ArrayOrder,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_f90_complex`. (MPI-5.0, chapter 5)
pub fn type_create_f90_complex(
    _mpi: &Mpi,
    _p: i32,
    _r: i32,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_f90_integer`. (MPI-5.0, chapter 5)
pub fn type_create_f90_integer(_mpi: &Mpi, _r: i32, _newtype: Out<Datatype>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_f90_real`. (MPI-5.0, chapter 5)
pub fn type_create_f90_real(_mpi: &Mpi, _p: i32, _r: i32, _newtype: Out<Datatype>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_hindexed`. (MPI-5.0, chapter 5)
pub fn type_create_hindexed(
    _mpi: &Mpi,
    _count: Count,
    _array_of_blocklengths: Counts,
    _array_of_displacements: AintCounts,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_hindexed_block`. (MPI-5.0, chapter 5)
pub fn type_create_hindexed_block(
    _mpi: &Mpi,
    _count: Count,
    _blocklength: Count,
    _array_of_displacements: AintCounts,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_hvector`. (MPI-5.0, chapter 5)
pub fn type_create_hvector(
    _mpi: &Mpi,
    _count: Count,
    _blocklength: Count,
    _stride: AintCount,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_indexed_block`. (MPI-5.0, chapter 5)
pub fn type_create_indexed_block(
    _mpi: &Mpi,
    _count: Count,
    _blocklength: Count,
    _array_of_displacements: Counts,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_resized`. (MPI-5.0, chapter 5)
pub fn type_create_resized(
    _mpi: &Mpi,
    _oldtype: Datatype,
    _lb: AintCount,
    _extent: AintCount,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_struct`. (MPI-5.0, chapter 5)
pub fn type_create_struct(
    _mpi: &Mpi,
    _count: Count,
    _array_of_blocklengths: Counts,
    _array_of_displacements: AintCounts,
    _array_of_types: Handles<Datatype>,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_create_subarray`. (MPI-5.0, chapter 5)
pub fn type_create_subarray(
    _mpi: &Mpi,
    _ndims: i32,
    _array_of_sizes: Counts,
    _array_of_subsizes: Counts,
    _array_of_starts: Counts,
    _order: ArrayOrder,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_dup`. (MPI-5.0, chapter 5)
pub fn type_dup(_mpi: &Mpi, _oldtype: Datatype, _newtype: Out<Datatype>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_extent`. (removed in MPI-3.0)
pub fn type_extent(_mpi: &Mpi, _datatype: Datatype, _extent: Out<Aint>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_free`. (MPI-5.0, chapter 5)
pub fn type_free(_mpi: &Mpi, _datatype: InOut<Datatype>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_contents`. (MPI-5.0, chapter 5)
pub fn type_get_contents(
    _mpi: &Mpi,
    _datatype: Datatype,
    _max_integers: i32,
    _max_addresses: i32,
    _max_datatypes: i32,
    _array_of_integers: IntsMut,
    _array_of_addresses: AintsMut,
    _array_of_datatypes: HandlesMut<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_contents_c`. (MPI-5.0, chapter 5)
pub fn type_get_contents_c(
    _mpi: &Mpi,
    _datatype: Datatype,
    _max_integers: BigCount,
    _max_addresses: BigCount,
    _max_large_counts: BigCount,
    _max_datatypes: BigCount,
    _array_of_integers: IntsMut,
    _array_of_addresses: AintsMut,
    _array_of_large_counts: CountsMut,
    _array_of_datatypes: HandlesMut<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_envelope`. (MPI-5.0, chapter 5)
pub fn type_get_envelope(
    _mpi: &Mpi,
    _datatype: Datatype,
    _num_integers: Out<i32>,
    _num_addresses: Out<i32>,
    _num_datatypes: Out<i32>,
    _combiner: Out<Combiner>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_envelope_c`. (MPI-5.0, chapter 5)
pub fn type_get_envelope_c(
    _mpi: &Mpi,
    _datatype: Datatype,
    _num_integers: Out<BigCount>,
    _num_addresses: Out<BigCount>,
    _num_large_counts: Out<BigCount>,
    _num_datatypes: Out<BigCount>,
    _combiner: Out<Combiner>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_extent`. (MPI-5.0, chapter 5)
pub fn type_get_extent(
    _mpi: &Mpi,
    _datatype: Datatype,
    _lb: Out<AintCount>,
    _extent: Out<AintCount>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_extent_x`. (MPI-5.0, chapter 5)
pub fn type_get_extent_x(
    _mpi: &Mpi,
    _datatype: Datatype,
    _lb: Out<BigCount>,
    _extent: Out<BigCount>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_name`. (MPI-5.0, chapter 5)
pub fn type_get_name(
    _mpi: &Mpi,
    _datatype: Datatype,
    _type_name: StrOut,
    _resultlen: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_true_extent`. (MPI-5.0, chapter 5)
pub fn type_get_true_extent(
    _mpi: &Mpi,
    _datatype: Datatype,
    _true_lb: Out<AintCount>,
    _true_extent: Out<AintCount>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_true_extent_x`. (MPI-5.0, chapter 5)
pub fn type_get_true_extent_x(
    _mpi: &Mpi,
    _datatype: Datatype,
    _true_lb: Out<BigCount>,
    _true_extent: Out<BigCount>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_get_value_index`. (MPI-5.0, chapter 5)
pub fn type_get_value_index(
    _mpi: &Mpi,
    _value_type: Datatype,
    _index_type: Datatype,
    _pair_type: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_hindexed`. (removed in MPI-3.0)
pub fn type_hindexed(
    _mpi: &Mpi,
    _count: i32,
    _array_of_blocklengths: OldInts,
    _array_of_displacements: OldAints,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_hvector`. (removed in MPI-3.0)
pub fn type_hvector(
    _mpi: &Mpi,
    _count: i32,
    _blocklength: i32,
    _stride: Aint,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_indexed`. (MPI-5.0, chapter 5)
pub fn type_indexed(
    _mpi: &Mpi,
    _count: Count,
    _array_of_blocklengths: Counts,
    _array_of_displacements: Counts,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_lb`. (removed in MPI-3.0)
pub fn type_lb(_mpi: &Mpi, _datatype: Datatype, _displacement: Out<Aint>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_match_size`. (MPI-5.0, chapter 5)
pub fn type_match_size(
    _mpi: &Mpi,
    _typeclass: TypeClass,
    _size: i32,
    _datatype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_set_name`. (MPI-5.0, chapter 5)
pub fn type_set_name(_mpi: &Mpi, _datatype: Datatype, _type_name: Str) -> Result<()> {
    unsupported()
}

/// `MPI_Type_size`. (MPI-5.0, chapter 5)
pub fn type_size(_mpi: &Mpi, _datatype: Datatype, _size: Out<Count>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_size_x`. (MPI-5.0, chapter 5)
pub fn type_size_x(_mpi: &Mpi, _datatype: Datatype, _size: Out<BigCount>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_struct`. (removed in MPI-3.0)
pub fn type_struct(
    _mpi: &Mpi,
    _count: i32,
    _array_of_blocklengths: OldInts,
    _array_of_displacements: OldAints,
    _array_of_types: OldTypes,
    _newtype: OldTypes,
) -> Result<()> {
    unsupported()
}

/// `MPI_Type_ub`. (removed in MPI-3.0)
pub fn type_ub(_mpi: &Mpi, _datatype: Datatype, _displacement: Out<Aint>) -> Result<()> {
    unsupported()
}

/// `MPI_Type_vector`. (MPI-5.0, chapter 5)
pub fn type_vector(
    _mpi: &Mpi,
    _count: Count,
    _blocklength: Count,
    _stride: Count,
    _oldtype: Datatype,
    _newtype: Out<Datatype>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Unpack`. (MPI-5.0, chapter 5)
pub fn unpack(
    _mpi: &Mpi,
    _inbuf: ConstBuf,
    _insize: Count,
    _position: InOut<Count>,
    _outbuf: MutBuf,
    _outcount: Count,
    _datatype: Datatype,
    _comm: Comm,
) -> Result<()> {
    unsupported()
}

/// `MPI_Unpack_external`. (MPI-5.0, chapter 5)
pub fn unpack_external(
    _mpi: &Mpi,
    _datarep: Str,
    _inbuf: ConstBuf,
    _insize: AintCount,
    _position: InOut<AintCount>,
    _outbuf: MutBuf,
    _outcount: Count,
    _datatype: Datatype,
) -> Result<()> {
    unsupported()
}

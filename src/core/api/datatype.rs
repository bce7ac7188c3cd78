//! Datatypes and packing: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::datatype::contents::Decoded;
use crate::datatype::{self, Argument, Base, Contents, Data, Type, basic, external};
use crate::fail;

/// Stores a new type's handle.
fn made(mpi: &Mpi, datatype: Type, newtype: Out<Datatype>) -> Result<()> {
    newtype.set(mpi.types.insert(datatype)?);
    Ok(())
}

/// The length that a call announces for its arrays.
fn length(name: &str, count: i64) -> Result<usize> {
    match usize::try_from(count) {
        Ok(length) => Ok(length),
        Err(_) => fail!(COUNT, "{name} is {count}, expected a value >= 0"),
    }
}

fn dimensions(ndims: i32) -> Result<usize> {
    match usize::try_from(ndims) {
        Ok(length) if length > 0 => Ok(length),
        _ => fail!(ARG, "ndims is {ndims}, expected a value >= 1"),
    }
}

/// The numbers of an array of `len` counts or displacements.
fn numbers(array: Counts, len: usize) -> Result<Vec<i64>> {
    array.require(len)?;
    Ok(array.iter(len).collect())
}

/// A number of bytes that a call announces for a packed buffer.
fn room(name: &str, size: i64) -> Result<u64> {
    match u64::try_from(size) {
        Ok(size) => Ok(size),
        Err(_) => fail!(ARG, "{name} is {size}, expected a value >= 0"),
    }
}

/// The `bytes` bytes of a packed buffer from `position` on.
///
/// # Errors
/// `MPI_ERR_ARG` when they do not lie within the first `size` bytes.
fn packed(
    mpi: &Mpi,
    (name, buf): (&str, Base),
    (size_name, size): (&str, i64),
    position: i64,
    bytes: u64,
) -> Result<Data> {
    let size = room(size_name, size)?;
    let Ok(position) = u64::try_from(position) else {
        fail!(ARG, "position is {position}, expected a value >= 0");
    };
    if position.checked_add(bytes).is_none_or(|end| end > size) {
        fail!(
            ARG,
            "position is {position} and {size_name} is {size}, but {bytes} bytes are needed there"
        );
    }
    if buf.address() == 0 && bytes > 0 {
        fail!(BUFFER, "{name} is a null pointer");
    }
    let start = buf.offset(position as i64);
    Ok(Data::new(start, bytes, mpi.datatype(basic::MPI_PACKED)?))
}

/// `MPI_Address`. (removed in MPI-3.0)
pub fn address(mpi: &Mpi, location: MutBuf, address: Out<Aint>) -> Result<()> {
    get_address(mpi, Opaque(location.pointer()), address)
}

/// `MPI_Aint_add`. (MPI-5.0, chapter 5)
pub fn aint_add(_mpi: &Mpi, base: Aint, disp: Aint) -> Aint {
    base.wrapping_add(disp)
}

/// `MPI_Aint_diff`. (MPI-5.0, chapter 5)
pub fn aint_diff(_mpi: &Mpi, addr1: Aint, addr2: Aint) -> Aint {
    addr1.wrapping_sub(addr2)
}

/// `MPI_Get_address`. (MPI-5.0, chapter 5)
pub fn get_address(_mpi: &Mpi, location: Opaque, address: Out<Aint>) -> Result<()> {
    address.set(location.0.addr() as Aint);
    Ok(())
}

/// `MPI_Pack`. (MPI-5.0, chapter 5)
pub fn pack(
    mpi: &Mpi,
    inbuf: ConstBuf,
    incount: Count,
    datatype: Datatype,
    outbuf: MutBuf,
    outsize: Count,
    position: InOut<Count>,
    comm: Comm,
) -> Result<()> {
    mpi.comm(comm)?;
    let datatype = mpi.committed(datatype)?;
    let names = ("inbuf", "incount");
    let data = Data::described(inbuf.base(), incount, datatype, names)?;
    let (start, bytes) = (position.get(), data.bytes());
    let out = ("outbuf", outbuf.base());
    data.copy_to(&packed(mpi, out, ("outsize", outsize), start, bytes)?);
    position.set(start + bytes as i64);
    Ok(())
}

/// `MPI_Unpack`. (MPI-5.0, chapter 5)
pub fn unpack(
    mpi: &Mpi,
    inbuf: ConstBuf,
    insize: Count,
    position: InOut<Count>,
    outbuf: MutBuf,
    outcount: Count,
    datatype: Datatype,
    comm: Comm,
) -> Result<()> {
    mpi.comm(comm)?;
    let datatype = mpi.committed(datatype)?;
    let names = ("outbuf", "outcount");
    let data = Data::described(outbuf.base(), outcount, datatype, names)?;
    let (start, bytes) = (position.get(), data.bytes());
    let input = ("inbuf", inbuf.base());
    packed(mpi, input, ("insize", insize), start, bytes)?.copy_to(&data);
    position.set(start + bytes as i64);
    Ok(())
}

/// `MPI_Pack_size`. (MPI-5.0, chapter 5)
pub fn pack_size(
    mpi: &Mpi,
    incount: Count,
    datatype: Datatype,
    comm: Comm,
    size: Out<Count>,
) -> Result<()> {
    mpi.comm(comm)?;
    let count = length("incount", incount)? as u64;
    let bytes = mpi.committed(datatype)?.size();
    size.set(fitting(count.checked_mul(bytes))?);
    Ok(())
}

/// A size that fits into 63 bits.
fn fitting(bytes: Option<u64>) -> Result<i64> {
    match bytes.map(i64::try_from) {
        Some(Ok(bytes)) => Ok(bytes),
        _ => fail!(COUNT, "the packed size does not fit into 63 bits"),
    }
}

fn external32(datarep: &Str) -> Result<()> {
    if datarep.bytes() != b"external32" {
        fail!(
            UNSUPPORTED_DATAREP,
            "datarep is \"{}\", expected \"external32\"",
            datarep.text()
        );
    }
    Ok(())
}

/// `MPI_Pack_external`. (MPI-5.0, chapter 5)
pub fn pack_external(
    mpi: &Mpi,
    datarep: Str,
    inbuf: ConstBuf,
    incount: Count,
    datatype: Datatype,
    outbuf: MutBuf,
    outsize: AintCount,
    position: InOut<AintCount>,
) -> Result<()> {
    external32(&datarep)?;
    let datatype = mpi.committed(datatype)?;
    let names = ("inbuf", "incount");
    let data = Data::described(inbuf.base(), incount, datatype, names)?;
    let (start, bytes) = (position.get(), external::bytes(&data));
    let out = ("outbuf", outbuf.base());
    let place = packed(mpi, out, ("outsize", outsize), start, bytes)?;
    let mut converted = vec![0; bytes as usize];
    external::pack(&data, &mut converted);
    place.unpack(0, &converted);
    position.set(start + bytes as i64);
    Ok(())
}

/// `MPI_Unpack_external`. (MPI-5.0, chapter 5)
pub fn unpack_external(
    mpi: &Mpi,
    datarep: Str,
    inbuf: ConstBuf,
    insize: AintCount,
    position: InOut<AintCount>,
    outbuf: MutBuf,
    outcount: Count,
    datatype: Datatype,
) -> Result<()> {
    external32(&datarep)?;
    let datatype = mpi.committed(datatype)?;
    let names = ("outbuf", "outcount");
    let data = Data::described(outbuf.base(), outcount, datatype, names)?;
    let (start, bytes) = (position.get(), external::bytes(&data));
    let input = ("inbuf", inbuf.base());
    let place = packed(mpi, input, ("insize", insize), start, bytes)?;
    let mut converted = vec![0; bytes as usize];
    place.pack(0, &mut converted);
    external::unpack(&data, &converted);
    position.set(start + bytes as i64);
    Ok(())
}

/// `MPI_Pack_external_size`. (MPI-5.0, chapter 5)
pub fn pack_external_size(
    mpi: &Mpi,
    datarep: Str,
    incount: Count,
    datatype: Datatype,
    size: Out<AintCount>,
) -> Result<()> {
    external32(&datarep)?;
    let count = length("incount", incount)? as u64;
    let bytes = mpi.committed(datatype)?.signature().external();
    size.set(fitting(count.checked_mul(bytes))?);
    Ok(())
}

/// `MPI_Type_commit`. (MPI-5.0, chapter 5)
pub fn type_commit(mpi: &Mpi, datatype: InOut<Datatype>) -> Result<()> {
    mpi.datatype(datatype.get())?.commit();
    Ok(())
}

/// `MPI_Type_contiguous`. (MPI-5.0, chapter 5)
pub fn type_contiguous(
    mpi: &Mpi,
    count: FormCount,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let new = datatype::contiguous(count.value, &old)?;
    made(mpi, new.large(count.large), newtype)
}

/// `MPI_Type_create_darray`. (MPI-5.0, chapter 5)
pub fn type_create_darray(
    mpi: &Mpi,
    size: i32,
    rank: Rank,
    ndims: i32,
    array_of_gsizes: Counts,
    array_of_distribs: Distributions,
    array_of_dargs: DistributionArgs,
    array_of_psizes: Ints,
    order: ArrayOrder,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let len = dimensions(ndims)?;
    let gsizes = numbers(array_of_gsizes, len)?;
    array_of_distribs.require(len)?;
    array_of_dargs.require(len)?;
    array_of_psizes.require(len)?;
    let distribs: Vec<Distribution> = array_of_distribs.iter(len).collect();
    let dargs: Vec<DistributionArg> = array_of_dargs.iter(len).collect();
    let psizes = array_of_psizes.slice(len);
    let new = datatype::darray(
        size, rank.0, ndims, &gsizes, &distribs, &dargs, psizes, order, &old,
    )?;
    made(mpi, new.large(array_of_gsizes.is_wide()), newtype)
}

/// `MPI_Type_create_f90_complex`. (MPI-5.0, chapter 19)
pub fn type_create_f90_complex(mpi: &Mpi, p: i32, r: i32, newtype: Out<Datatype>) -> Result<()> {
    newtype.set(mpi.types.f90_complex(p, r)?);
    Ok(())
}

/// `MPI_Type_create_f90_integer`. (MPI-5.0, chapter 19)
pub fn type_create_f90_integer(mpi: &Mpi, r: i32, newtype: Out<Datatype>) -> Result<()> {
    newtype.set(mpi.types.f90_integer(r)?);
    Ok(())
}

/// `MPI_Type_create_f90_real`. (MPI-5.0, chapter 19)
pub fn type_create_f90_real(mpi: &Mpi, p: i32, r: i32, newtype: Out<Datatype>) -> Result<()> {
    newtype.set(mpi.types.f90_real(p, r)?);
    Ok(())
}

/// `MPI_Type_create_hindexed`. (MPI-5.0, chapter 5)
pub fn type_create_hindexed(
    mpi: &Mpi,
    count: FormCount,
    array_of_blocklengths: Counts,
    array_of_displacements: AintCounts,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let len = length("count", count.value)?;
    let lengths = numbers(array_of_blocklengths, len)?;
    let displacements = numbers(array_of_displacements, len)?;
    let new = datatype::hindexed(count.value, &lengths, &displacements, &old)?;
    made(mpi, new.large(count.large), newtype)
}

/// `MPI_Type_create_hindexed_block`. (MPI-5.0, chapter 5)
pub fn type_create_hindexed_block(
    mpi: &Mpi,
    count: FormCount,
    blocklength: Count,
    array_of_displacements: AintCounts,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let displacements = numbers(array_of_displacements, length("count", count.value)?)?;
    let new = datatype::hindexed_block(count.value, blocklength, &displacements, &old)?;
    made(mpi, new.large(count.large), newtype)
}

/// `MPI_Type_create_hvector`. (MPI-5.0, chapter 5)
pub fn type_create_hvector(
    mpi: &Mpi,
    count: FormCount,
    blocklength: Count,
    stride: AintCount,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let new = datatype::hvector(count.value, blocklength, stride, &old)?;
    made(mpi, new.large(count.large), newtype)
}

/// `MPI_Type_create_indexed_block`. (MPI-5.0, chapter 5)
pub fn type_create_indexed_block(
    mpi: &Mpi,
    count: FormCount,
    blocklength: Count,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let displacements = numbers(array_of_displacements, length("count", count.value)?)?;
    let new = datatype::indexed_block(count.value, blocklength, &displacements, &old)?;
    made(mpi, new.large(count.large), newtype)
}

/// `MPI_Type_create_resized`. (MPI-5.0, chapter 5)
pub fn type_create_resized(
    mpi: &Mpi,
    oldtype: Datatype,
    lb: FormCount,
    extent: AintCount,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let new = datatype::resized(&old, lb.value, extent)?;
    made(mpi, new.large(lb.large), newtype)
}

/// The live types of an array of handles.
fn types(mpi: &Mpi, handles: Handles<Datatype>, len: usize) -> Result<Vec<Rc<Type>>> {
    handles.require(len)?;
    let mut types = Vec::with_capacity(len);
    for (index, handle) in handles.iter(len).enumerate() {
        match mpi.datatype(handle) {
            Ok(datatype) => types.push(datatype),
            Err(error) => fail!(TYPE, "{}[{index}]: {}", handles.name(), error.what()),
        }
    }
    Ok(types)
}

/// `MPI_Type_create_struct`. (MPI-5.0, chapter 5)
pub fn type_create_struct(
    mpi: &Mpi,
    count: FormCount,
    array_of_blocklengths: Counts,
    array_of_displacements: AintCounts,
    array_of_types: Handles<Datatype>,
    newtype: Out<Datatype>,
) -> Result<()> {
    let len = length("count", count.value)?;
    let lengths = numbers(array_of_blocklengths, len)?;
    let displacements = numbers(array_of_displacements, len)?;
    let types = types(mpi, array_of_types, len)?;
    let new = datatype::structure(count.value, &lengths, &displacements, &types)?;
    made(mpi, new.large(count.large), newtype)
}

/// `MPI_Type_create_subarray`. (MPI-5.0, chapter 5)
pub fn type_create_subarray(
    mpi: &Mpi,
    ndims: i32,
    array_of_sizes: Counts,
    array_of_subsizes: Counts,
    array_of_starts: Counts,
    order: ArrayOrder,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let len = dimensions(ndims)?;
    let sizes = numbers(array_of_sizes, len)?;
    let subsizes = numbers(array_of_subsizes, len)?;
    let starts = numbers(array_of_starts, len)?;
    let new = datatype::subarray(ndims, &sizes, &subsizes, &starts, order, &old)?;
    made(mpi, new.large(array_of_sizes.is_wide()), newtype)
}

/// `MPI_Type_dup`. (MPI-5.0, chapter 5)
pub fn type_dup(mpi: &Mpi, oldtype: Datatype, newtype: Out<Datatype>) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let new = mpi.types.insert(datatype::dup(&old))?;
    if let Err(error) = mpi.keyvals.type_duplicated(mpi, oldtype, new) {
        mpi.types.free(new)?;
        return Err(error);
    }
    newtype.set(new);
    Ok(())
}

/// `MPI_Type_extent`. (removed in MPI-3.0)
pub fn type_extent(mpi: &Mpi, datatype: Datatype, extent: Out<Aint>) -> Result<()> {
    extent.set(mpi.datatype(datatype)?.extent() as Aint);
    Ok(())
}

/// `MPI_Type_free`. (MPI-5.0, chapter 5)
pub fn type_free(mpi: &Mpi, datatype: InOut<Datatype>) -> Result<()> {
    let handle = datatype.get();
    mpi.types.check_free(handle)?;
    mpi.keyvals.type_freed(mpi, handle)?;
    mpi.types.free(handle)?;
    datatype.set(Datatype::NULL);
    Ok(())
}

/// A datatype's constructor, for a query of the plain form.
fn plain_contents(datatype: &Type) -> Result<Option<&Rc<Contents>>> {
    match datatype.contents() {
        Some(contents) if contents.large => fail!(
            TYPE,
            "{} was made with large counts: only the query with _c can decode it",
            datatype.describe()
        ),
        contents => Ok(contents),
    }
}

/// The integers of a constructor in the caller's numbers.
fn integers(mpi: &Mpi, decoded: &Decoded) -> impl Iterator<Item = i32> {
    let facts = mpi.facts();
    decoded.integers.iter().map(|integer| match *integer {
        Argument::Integer(value) => value,
        Argument::Order(order) => (facts.array_order)(order),
        Argument::Distribution(distribution) => (facts.distribution)(distribution),
        Argument::DistributionArgument(argument) => (facts.distribution_arg)(argument),
        Argument::Count(value) | Argument::Address(value) => value as i32,
    })
}

/// Refuses an array that is too short for what a query returns.
fn enough(name: &str, room: i64, needed: usize) -> Result<()> {
    if room < needed as i64 {
        fail!(
            ARG,
            "{name} is {room}, but the datatype has {needed} such arguments"
        );
    }
    Ok(())
}

fn no_contents<T>(datatype: &Type) -> Result<T> {
    fail!(
        TYPE,
        "{} is a predefined datatype and has no contents",
        datatype.describe()
    )
}

/// Where a contents query puts its results.
struct ContentsOut {
    integers: IntsMut,
    addresses: AintsMut,
    datatypes: HandlesMut<Datatype>,
}

impl ContentsOut {
    fn set(&self, mpi: &Mpi, contents: &Contents, decoded: &Decoded) -> Result<()> {
        self.integers.require(decoded.integers.len())?;
        self.addresses.require(decoded.addresses.len())?;
        self.datatypes.require(contents.types.len())?;
        for (index, value) in integers(mpi, decoded).enumerate() {
            self.integers.set(index, value);
        }
        for (index, value) in decoded.addresses.iter().enumerate() {
            self.addresses.set(index, *value as Aint);
        }
        for (index, datatype) in contents.types.iter().enumerate() {
            self.datatypes.set(index, mpi.types.share(datatype)?);
        }
        Ok(())
    }
}

/// `MPI_Type_get_contents`. (MPI-5.0, chapter 5)
pub fn type_get_contents(
    mpi: &Mpi,
    datatype: Datatype,
    max_integers: i32,
    max_addresses: i32,
    max_datatypes: i32,
    array_of_integers: IntsMut,
    array_of_addresses: AintsMut,
    array_of_datatypes: HandlesMut<Datatype>,
) -> Result<()> {
    let datatype = mpi.datatype(datatype)?;
    let Some(contents) = plain_contents(&datatype)? else {
        return no_contents(&datatype);
    };
    let decoded = contents.decode();
    enough("max_integers", max_integers.into(), decoded.integers.len())?;
    enough(
        "max_addresses",
        max_addresses.into(),
        decoded.addresses.len(),
    )?;
    enough("max_datatypes", max_datatypes.into(), contents.types.len())?;
    let out = ContentsOut {
        integers: array_of_integers,
        addresses: array_of_addresses,
        datatypes: array_of_datatypes,
    };
    out.set(mpi, contents, &decoded)
}

/// `MPI_Type_get_contents_c`. (MPI-5.0, chapter 5)
pub fn type_get_contents_c(
    mpi: &Mpi,
    datatype: Datatype,
    max_integers: BigCount,
    max_addresses: BigCount,
    max_large_counts: BigCount,
    max_datatypes: BigCount,
    array_of_integers: IntsMut,
    array_of_addresses: AintsMut,
    array_of_large_counts: CountsMut,
    array_of_datatypes: HandlesMut<Datatype>,
) -> Result<()> {
    let datatype = mpi.datatype(datatype)?;
    let Some(contents) = datatype.contents() else {
        return no_contents(&datatype);
    };
    let decoded = contents.decode();
    enough("max_integers", max_integers, decoded.integers.len())?;
    enough("max_addresses", max_addresses, decoded.addresses.len())?;
    enough(
        "max_large_counts",
        max_large_counts,
        decoded.large_counts.len(),
    )?;
    enough("max_datatypes", max_datatypes, contents.types.len())?;
    array_of_large_counts.require(decoded.large_counts.len())?;
    for (index, value) in decoded.large_counts.iter().enumerate() {
        array_of_large_counts.set(index, *value);
    }
    let out = ContentsOut {
        integers: array_of_integers,
        addresses: array_of_addresses,
        datatypes: array_of_datatypes,
    };
    out.set(mpi, contents, &decoded)
}

/// `MPI_Type_get_envelope`. (MPI-5.0, chapter 5)
pub fn type_get_envelope(
    mpi: &Mpi,
    datatype: Datatype,
    num_integers: Out<i32>,
    num_addresses: Out<i32>,
    num_datatypes: Out<i32>,
    combiner: Out<Combiner>,
) -> Result<()> {
    let datatype = mpi.datatype(datatype)?;
    let contents = plain_contents(&datatype)?;
    let decoded = contents
        .map(|contents| contents.decode())
        .unwrap_or_default();
    num_integers.set(decoded.integers.len() as i32);
    num_addresses.set(decoded.addresses.len() as i32);
    num_datatypes.set(contents.map_or(0, |contents| contents.types.len()) as i32);
    combiner.set(contents.map_or(Combiner::NAMED, |contents| contents.combiner));
    Ok(())
}

/// `MPI_Type_get_envelope_c`. (MPI-5.0, chapter 5)
pub fn type_get_envelope_c(
    mpi: &Mpi,
    datatype: Datatype,
    num_integers: Out<BigCount>,
    num_addresses: Out<BigCount>,
    num_large_counts: Out<BigCount>,
    num_datatypes: Out<BigCount>,
    combiner: Out<Combiner>,
) -> Result<()> {
    let datatype = mpi.datatype(datatype)?;
    let contents = datatype.contents();
    let decoded = contents
        .map(|contents| contents.decode())
        .unwrap_or_default();
    num_integers.set(decoded.integers.len() as i64);
    num_addresses.set(decoded.addresses.len() as i64);
    num_large_counts.set(decoded.large_counts.len() as i64);
    num_datatypes.set(contents.map_or(0, |contents| contents.types.len()) as i64);
    combiner.set(contents.map_or(Combiner::NAMED, |contents| contents.combiner));
    Ok(())
}

/// `MPI_Type_get_extent`. (MPI-5.0, chapter 5)
pub fn type_get_extent(
    mpi: &Mpi,
    datatype: Datatype,
    lb: Out<AintCount>,
    extent: Out<AintCount>,
) -> Result<()> {
    let datatype = mpi.datatype(datatype)?;
    lb.set(datatype.lb());
    extent.set(datatype.extent());
    Ok(())
}

/// `MPI_Type_get_extent_x`. (MPI-5.0, chapter 5)
pub fn type_get_extent_x(
    mpi: &Mpi,
    datatype: Datatype,
    lb: Out<BigCount>,
    extent: Out<BigCount>,
) -> Result<()> {
    type_get_extent(mpi, datatype, lb, extent)
}

/// `MPI_Type_get_name`. (MPI-5.0, chapter 7)
pub fn type_get_name(
    mpi: &Mpi,
    datatype: Datatype,
    type_name: StrOut,
    resultlen: Out<i32>,
) -> Result<()> {
    let name = if datatype == Datatype::NULL {
        "MPI_DATATYPE_NULL".to_string()
    } else {
        mpi.datatype(datatype)?.name()
    };
    let stored = type_name.set(&name, mpi.facts().limits.object_name);
    resultlen.set(stored as i32);
    Ok(())
}

/// `MPI_Type_get_true_extent`. (MPI-5.0, chapter 5)
pub fn type_get_true_extent(
    mpi: &Mpi,
    datatype: Datatype,
    true_lb: Out<AintCount>,
    true_extent: Out<AintCount>,
) -> Result<()> {
    let datatype = mpi.datatype(datatype)?;
    true_lb.set(datatype.true_lb());
    true_extent.set(datatype.true_extent());
    Ok(())
}

/// `MPI_Type_get_true_extent_x`. (MPI-5.0, chapter 5)
pub fn type_get_true_extent_x(
    mpi: &Mpi,
    datatype: Datatype,
    true_lb: Out<BigCount>,
    true_extent: Out<BigCount>,
) -> Result<()> {
    type_get_true_extent(mpi, datatype, true_lb, true_extent)
}

/// `MPI_Type_get_value_index`. (MPI-5.0, chapter 5)
pub fn type_get_value_index(
    mpi: &Mpi,
    value_type: Datatype,
    index_type: Datatype,
    pair_type: Out<Datatype>,
) -> Result<()> {
    pair_type.set(mpi.types.value_index(value_type, index_type)?);
    Ok(())
}

/// `MPI_Type_hindexed`. (removed in MPI-3.0)
pub fn type_hindexed(
    mpi: &Mpi,
    count: i32,
    array_of_blocklengths: OldInts,
    array_of_displacements: OldAints,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let (lengths, displacements) = blocks(count, array_of_blocklengths, array_of_displacements)?;
    let new = datatype::hindexed(count.into(), &lengths, &displacements, &old)?;
    made(mpi, new, newtype)
}

/// Lengths and displacements of the removed calls, whose displacements are `MPI_Aint`.
fn blocks(count: i32, lengths: OldInts, displacements: OldAints) -> Result<(Vec<i64>, Vec<i64>)> {
    let len = length("count", count.into())?;
    lengths.require(len)?;
    displacements.require(len)?;
    Ok((
        lengths.iter(len).map(i64::from).collect(),
        displacements.iter(len).map(|at| at as i64).collect(),
    ))
}

/// `MPI_Type_hvector`. (removed in MPI-3.0)
pub fn type_hvector(
    mpi: &Mpi,
    count: i32,
    blocklength: i32,
    stride: Aint,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let new = datatype::hvector(count.into(), blocklength.into(), stride as i64, &old)?;
    made(mpi, new, newtype)
}

/// `MPI_Type_indexed`. (MPI-5.0, chapter 5)
pub fn type_indexed(
    mpi: &Mpi,
    count: FormCount,
    array_of_blocklengths: Counts,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let len = length("count", count.value)?;
    let lengths = numbers(array_of_blocklengths, len)?;
    let displacements = numbers(array_of_displacements, len)?;
    let new = datatype::indexed(count.value, &lengths, &displacements, &old)?;
    made(mpi, new.large(count.large), newtype)
}

/// `MPI_Type_lb`. (removed in MPI-3.0)
pub fn type_lb(mpi: &Mpi, datatype: Datatype, displacement: Out<Aint>) -> Result<()> {
    displacement.set(mpi.datatype(datatype)?.lb() as Aint);
    Ok(())
}

/// `MPI_Type_match_size`. (MPI-5.0, chapter 19)
pub fn type_match_size(
    mpi: &Mpi,
    typeclass: TypeClass,
    size: i32,
    datatype: Out<Datatype>,
) -> Result<()> {
    datatype.set(mpi.types.match_size(typeclass, size)?);
    Ok(())
}

/// `MPI_Type_set_name`. (MPI-5.0, chapter 7)
pub fn type_set_name(mpi: &Mpi, datatype: Datatype, type_name: Str) -> Result<()> {
    mpi.datatype(datatype)?.set_name(&type_name.text());
    Ok(())
}

/// `MPI_Type_size`. (MPI-5.0, chapter 5)
#[inline]
pub fn type_size(mpi: &Mpi, datatype: Datatype, size: Out<Count>) -> Result<()> {
    size.set(mpi.types.lend(datatype)?.size() as Count);
    Ok(())
}

/// `MPI_Type_size_x`. (MPI-5.0, chapter 5)
pub fn type_size_x(mpi: &Mpi, datatype: Datatype, size: Out<BigCount>) -> Result<()> {
    type_size(mpi, datatype, size)
}

/// `MPI_Type_struct`. (removed in MPI-3.0)
pub fn type_struct(
    mpi: &Mpi,
    count: i32,
    array_of_blocklengths: OldInts,
    array_of_displacements: OldAints,
    array_of_types: OldTypes,
    newtype: Out<Datatype>,
) -> Result<()> {
    let (lengths, displacements) = blocks(count, array_of_blocklengths, array_of_displacements)?;
    let types = types(mpi, array_of_types, lengths.len())?;
    let new = datatype::structure(count.into(), &lengths, &displacements, &types)?;
    made(mpi, new, newtype)
}

/// `MPI_Type_ub`. (removed in MPI-3.0)
pub fn type_ub(mpi: &Mpi, datatype: Datatype, displacement: Out<Aint>) -> Result<()> {
    displacement.set(mpi.datatype(datatype)?.shape().ub() as Aint);
    Ok(())
}

/// `MPI_Type_vector`. (MPI-5.0, chapter 5)
pub fn type_vector(
    mpi: &Mpi,
    count: FormCount,
    blocklength: Count,
    stride: Count,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<()> {
    let old = mpi.datatype(oldtype)?;
    let new = datatype::vector(count.value, blocklength, stride, &old)?;
    made(mpi, new.large(count.large), newtype)
}

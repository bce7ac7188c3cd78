//! Places that a caller wants results in. Write-only unless the name says otherwise.
//!
//! Each type is a pointer plus the function that writes the caller's ABI. The door has refused null
//! pointers where MPI does not allow them; a place that the caller may leave out (`MPI_STATUS_IGNORE`)
//! swallows what is set. Lengths of arrays are the C caller's promise, as in `buf`.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_void};

use crate::buf::{BUFFER_AUTOMATIC, RawStatus, require};
use crate::error::Result;
use crate::fail;
use crate::handle::Handle;
use crate::types::*;

/// Writes a `T` at an address in the caller's ABI.
pub type Write<T> = unsafe fn(*mut c_void, T);
/// Reads a `T` at an address in the caller's ABI.
pub type Read<T> = unsafe fn(*const c_void) -> T;

/// A place for one result.
pub struct Out<T> {
    place: *mut c_void,
    write: Write<T>,
}

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Out<T> {
    /// # Safety
    /// `place` is null or writable by `write` until the call ends.
    #[inline(always)]
    pub unsafe fn new(place: *mut c_void, write: Write<T>) -> Self {
        Out { place, write }
    }

    /// Whether the caller left the result out (`MPI_STATUS_IGNORE`).
    #[inline(always)]
    pub fn is_ignored(&self) -> bool {
        self.place.is_null()
    }

    /// Stores the result. A 64-bit count that does not fit the caller's `int` becomes `MPI_UNDEFINED`;
    /// a status leaves the caller's `MPI_ERROR` alone (MPI-5.0, 3.2.5).
    #[inline(always)]
    pub fn set(&self, value: T) {
        if !self.place.is_null() {
            // SAFETY: `new`'s contract.
            unsafe { (self.write)(self.place, value) }
        }
    }
}

/// A place that is read and written.
pub struct InOut<T> {
    place: *mut c_void,
    read: Read<T>,
    write: Write<T>,
}

impl<T> Clone for InOut<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for InOut<T> {}

impl<T> InOut<T> {
    /// # Safety
    /// `place` is readable by `read` and writable by `write` until the call ends.
    #[inline(always)]
    pub unsafe fn new(place: *mut c_void, read: Read<T>, write: Write<T>) -> Self {
        InOut { place, read, write }
    }

    #[inline(always)]
    pub fn get(&self) -> T {
        // SAFETY: `new`'s contract.
        unsafe { (self.read)(self.place) }
    }

    /// Stores a value; a status is stored whole, `MPI_ERROR` included.
    #[inline(always)]
    pub fn set(&self, value: T) {
        // SAFETY: `new`'s contract.
        unsafe { (self.write)(self.place, value) }
    }
}

/// An array of handles that a call reads and writes (requests), or only writes.
pub struct HandlesMut<H> {
    handles: *mut c_void,
    stride: usize,
    read: Read<H>,
    write: Write<H>,
    name: &'static str,
}

impl<H> Clone for HandlesMut<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for HandlesMut<H> {}

impl<H: Handle> HandlesMut<H> {
    /// # Safety
    /// `handles` is null or an array of handles of `stride` bytes for `read` and `write`. It stays for the call,
    /// and is as long as the call's arguments say.
    #[inline(always)]
    pub unsafe fn new(
        handles: *mut c_void,
        stride: usize,
        read: Read<H>,
        write: Write<H>,
        name: &'static str,
    ) -> Self {
        HandlesMut {
            handles,
            stride,
            read,
            write,
            name,
        }
    }

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.handles.is_null()
    }

    /// The same for a call that is rarely made, so that only then it has a place in memory.
    #[inline(always)]
    pub fn again(&self) -> HandlesMut<H> {
        HandlesMut {
            handles: self.handles,
            stride: self.stride,
            read: self.read,
            write: self.write,
            name: self.name,
        }
    }

    /// The argument's name, for messages.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer where `len` elements are needed.
    pub fn require(&self, len: usize) -> Result<()> {
        require(self.handles, len, self.name)
    }

    #[inline(always)]
    fn at(&self, index: usize) -> *mut c_void {
        debug_assert!(!self.handles.is_null());
        self.handles.wrapping_byte_add(index * self.stride)
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> H {
        // SAFETY: the caller promised the length; `new`'s contract.
        unsafe { (self.read)(self.at(index)) }
    }

    #[inline]
    pub fn set(&self, index: usize, handle: H) {
        // SAFETY: as above.
        unsafe { (self.write)(self.at(index), handle) }
    }

    pub fn iter(&self, len: usize) -> impl Iterator<Item = H> + '_ {
        (0..len).map(|index| self.get(index))
    }
}

/// An array of statuses, or `MPI_STATUSES_IGNORE`.
#[derive(Clone, Copy)]
pub struct StatusesOut {
    statuses: *mut c_void,
    stride: usize,
    write: Write<Status>,
    write_whole: Write<Status>,
}

impl StatusesOut {
    /// # Safety
    /// `statuses` is null or an array of statuses of `stride` bytes that the functions write.
    pub unsafe fn new(
        statuses: *mut c_void,
        stride: usize,
        write: Write<Status>,
        write_whole: Write<Status>,
    ) -> Self {
        StatusesOut {
            statuses,
            stride,
            write,
            write_whole,
        }
    }

    pub fn is_ignored(&self) -> bool {
        self.statuses.is_null()
    }

    /// Stores all but `MPI_ERROR`, which the caller keeps.
    #[inline]
    pub fn set(&self, index: usize, status: Status) {
        if !self.statuses.is_null() {
            // SAFETY: the caller promised the length; `new`'s contract.
            unsafe { (self.write)(self.statuses.wrapping_byte_add(index * self.stride), status) }
        }
    }

    /// Stores the status with its `MPI_ERROR`: for calls that fail with `MPI_ERR_IN_STATUS`.
    pub fn set_with_error(&self, index: usize, status: Status) {
        if !self.statuses.is_null() {
            // SAFETY: as above.
            unsafe {
                (self.write_whole)(self.statuses.wrapping_byte_add(index * self.stride), status)
            }
        }
    }
}

/// An array of C `int` that means `T`, written and perhaps read.
pub struct IntArrayMut<T> {
    ints: *mut c_int,
    decode: fn(c_int) -> T,
    encode: fn(T) -> c_int,
    name: &'static str,
}

impl<T> Clone for IntArrayMut<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for IntArrayMut<T> {}

pub type IntsMut = IntArrayMut<i32>;
pub type RanksMut = IntArrayMut<Rank>;
pub type BoolsMut = IntArrayMut<bool>;
/// Error codes of spawned processes, or `MPI_ERRCODES_IGNORE` (null).
pub type ErrorCodesOut = IntArrayMut<ErrorCode>;

impl<T> IntArrayMut<T> {
    /// # Safety
    /// `ints` is null or an array that stays for the call, as long as the call's arguments say.
    pub unsafe fn new(
        ints: *mut c_int,
        decode: fn(c_int) -> T,
        encode: fn(T) -> c_int,
        name: &'static str,
    ) -> Self {
        IntArrayMut {
            ints,
            decode,
            encode,
            name,
        }
    }

    pub fn is_null(&self) -> bool {
        self.ints.is_null()
    }

    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer where `len` elements are needed.
    pub fn require(&self, len: usize) -> Result<()> {
        require(self.ints.cast(), len, self.name)
    }

    #[inline]
    pub fn get(&self, index: usize) -> T {
        debug_assert!(!self.ints.is_null());
        // SAFETY: the caller promised the length.
        (self.decode)(unsafe { *self.ints.add(index) })
    }

    #[inline]
    pub fn set(&self, index: usize, value: T) {
        debug_assert!(!self.ints.is_null());
        let number = (self.encode)(value);
        // SAFETY: the caller promised the length.
        unsafe { *self.ints.add(index) = number }
    }
}

/// Weights of a graph's edges that a call returns; `None` where the caller passed `MPI_UNWEIGHTED`.
pub type WeightsMut = Option<IntsMut>;

/// An array of 64-bit numbers that a call writes.
pub struct WideArrayMut<T> {
    numbers: *mut T,
    name: &'static str,
}

impl<T> Clone for WideArrayMut<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for WideArrayMut<T> {}

pub type AintsMut = WideArrayMut<Aint>;
pub type CountsMut = WideArrayMut<i64>;

impl<T> WideArrayMut<T> {
    /// # Safety
    /// `numbers` is null or an array that stays for the call, as long as the call's arguments say.
    pub unsafe fn new(numbers: *mut T, name: &'static str) -> Self {
        WideArrayMut { numbers, name }
    }

    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer where `len` elements are needed.
    pub fn require(&self, len: usize) -> Result<()> {
        require(self.numbers.cast(), len, self.name)
    }

    pub fn set(&self, index: usize, value: T) {
        debug_assert!(!self.numbers.is_null());
        // SAFETY: the caller promised the length.
        unsafe { *self.numbers.add(index) = value }
    }
}

/// A place for a pointer: base addresses of memory.
#[derive(Clone, Copy)]
pub struct PointerOut(*mut *mut c_void);

impl PointerOut {
    /// # Safety
    /// `place` is null or writable until the call ends. It need not be aligned.
    pub unsafe fn new(place: *mut *mut c_void, name: &'static str) -> Result<PointerOut> {
        if place.is_null() {
            fail!(
                ARG,
                "{name} is a null pointer; a place for the result was expected"
            );
        }
        Ok(PointerOut(place))
    }

    #[allow(clippy::not_unsafe_ptr_arg_deref)] // The pointer is stored, not followed.
    pub fn set(&self, pointer: *mut c_void) {
        // SAFETY: `new`'s contract.
        unsafe { self.0.write_unaligned(pointer) }
    }
}

/// A place for the address of a buffer that was attached for buffered sends (MPI-5.0, 3.6).
#[derive(Clone, Copy)]
pub struct BufferOut {
    place: PointerOut,
    automatic: usize,
}

impl BufferOut {
    /// `automatic` is the caller's `MPI_BUFFER_AUTOMATIC`.
    pub fn new(place: PointerOut, automatic: usize) -> BufferOut {
        BufferOut { place, automatic }
    }

    /// Stores the buffer's address, or the caller's `MPI_BUFFER_AUTOMATIC`.
    pub fn set(&self, buffer: usize) {
        let is_automatic = buffer == BUFFER_AUTOMATIC;
        let address = if is_automatic { self.automatic } else { buffer };
        self.place.set(std::ptr::without_provenance_mut(address));
    }
}

/// A place for an attribute's value: always one pointer (MPI-5.0, 7.7).
pub type AttributeOut = PointerOut;

/// The caller's character buffer.
#[derive(Clone, Copy)]
pub struct StrOut {
    place: *mut c_char,
}

impl StrOut {
    /// # Safety
    /// `place` stays for the call and holds as many bytes as its role in the call demands.
    pub unsafe fn new(place: *mut c_char, name: &'static str) -> Result<StrOut> {
        if place.is_null() {
            fail!(
                ARG,
                "{name} is a null pointer; a character buffer was expected"
            );
        }
        Ok(StrOut { place })
    }

    /// Stores `text` and a final NUL into a buffer of `capacity` bytes (see `facts::Limits`, or the length argument
    /// of the call). A text that is too long is cut at a character. Returns the number of bytes stored without the
    /// NUL. Stores nothing where `capacity` is 0.
    pub fn set(&self, text: &str, capacity: usize) -> usize {
        if capacity == 0 {
            return 0;
        }
        let mut len = text.len().min(capacity - 1);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        // SAFETY: `capacity` bytes are the caller's promise; `len` is below it.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), self.place.cast(), len);
            *self.place.add(len) = 0;
        }
        len
    }
}

/// A status of the caller's C or Fortran type to be written bit for bit.
#[derive(Clone, Copy)]
pub struct RawStatusOut {
    place: *mut u8,
    len: usize,
}

pub type StatusOut = RawStatusOut;
pub type FortranStatusOut = RawStatusOut;
pub type F08StatusOut = RawStatusOut;

impl RawStatusOut {
    /// # Safety
    /// `place` is null or `len` writable bytes until the call ends.
    pub unsafe fn new(place: *mut u8, len: usize, name: &'static str) -> Result<RawStatusOut> {
        if place.is_null() {
            fail!(
                ARG,
                "{name} is a null pointer; a place for a status was expected"
            );
        }
        Ok(RawStatusOut { place, len })
    }

    /// Copies the status. The two have one layout in every ABI.
    pub fn copy(&self, from: RawStatus) {
        debug_assert_eq!(self.len, from.len);
        // SAFETY: both `new` contracts; the ranges may be the same object, so `copy`.
        unsafe { std::ptr::copy(from.bytes, self.place, self.len) }
    }
}

/// An array of `MPIX_Iov` (base, length in bytes) of MPICH's `MPIX_Type_iov`.
#[derive(Clone, Copy)]
pub struct IovsOut(*mut [usize; 2]);

impl IovsOut {
    /// # Safety
    /// `iovs` is null or an array that stays for the call, as long as the call's arguments say.
    pub unsafe fn new(iovs: *mut [usize; 2]) -> IovsOut {
        IovsOut(iovs)
    }

    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    pub fn set(&self, index: usize, base: usize, bytes: usize) {
        debug_assert!(!self.0.is_null());
        // SAFETY: the caller promised the length.
        unsafe { *self.0.add(index) = [base, bytes] }
    }
}

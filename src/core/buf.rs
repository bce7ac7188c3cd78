//! Memory and arrays that a caller hands in: message buffers, strings, and arrays of numbers and handles.
//!
//! Each type is a pointer plus what it takes to read one element in the caller's ABI; nothing is
//! copied or allocated. The lengths come from other arguments of the same call, so an index below the
//! announced length is the C caller's promise; `require` refuses null pointers before the first access.
//! Special addresses are those of MPI-5.0: `MPI_BOTTOM` 0, `MPI_IN_PLACE` 1, `MPI_BUFFER_AUTOMATIC` 2.
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_void};

use crate::datatype::{Base, Space};
use crate::error::Result;
use crate::fail;
use crate::types::*;

pub(crate) const IN_PLACE: usize = 1;
pub(crate) const BUFFER_AUTOMATIC: usize = 2;

/// A buffer that a call reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct ConstBuf(*const c_void);

/// A buffer that a call writes, or both reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct MutBuf(*mut c_void);

impl ConstBuf {
    /// # Safety
    /// What the call's arguments describe there can be read until the operation that the call starts has ended.
    #[inline(always)]
    pub unsafe fn new(pointer: *const c_void) -> ConstBuf {
        ConstBuf(pointer)
    }

    /// Where the elements lie that the call's other arguments describe.
    #[inline(always)]
    pub fn base(self) -> Base {
        let address = self.0.cast_mut().cast();
        // SAFETY: as `new` says; the other arguments say how much lies there.
        unsafe { Base::new(address, Space::of(address)) }
    }

    #[inline(always)]
    pub fn is_in_place(self) -> bool {
        self.0 as usize == IN_PLACE
    }

    /// The value of 8 bytes that a tool writes to a variable. Not null.
    pub fn load(self) -> [u8; 8] {
        debug_assert!(!self.0.is_null());
        // SAFETY: the value's type, 8 bytes wide, is part of the C call's contract.
        unsafe { self.0.cast::<[u8; 8]>().read_unaligned() }
    }

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub fn address(self) -> usize {
        self.0 as usize
    }
}

impl MutBuf {
    /// # Safety
    /// What the call's arguments describe there can be read and written until the operation that the call starts has ended.
    #[inline(always)]
    pub unsafe fn new(pointer: *mut c_void) -> MutBuf {
        MutBuf(pointer)
    }

    /// Where the elements lie that the call's other arguments describe.
    #[inline(always)]
    pub fn base(self) -> Base {
        self.as_const().base()
    }

    pub fn pointer(self) -> *mut c_void {
        self.0
    }

    #[inline(always)]
    pub fn is_in_place(self) -> bool {
        self.0 as usize == IN_PLACE
    }

    pub fn is_automatic(self) -> bool {
        self.0 as usize == BUFFER_AUTOMATIC
    }

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub fn address(self) -> usize {
        self.0 as usize
    }

    /// Stores `bytes` where the caller wants a value of a tool's variable or event.
    ///
    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer.
    pub fn store(self, bytes: &[u8], name: &str) -> Result<()> {
        if self.0.is_null() {
            fail!(
                ARG,
                "{name} is a null pointer; a place for the value was expected"
            );
        }
        // SAFETY: the value's type is part of the C call's contract; it may lie anywhere.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.0.cast(), bytes.len()) };
        Ok(())
    }

    pub fn as_const(self) -> ConstBuf {
        ConstBuf(self.0)
    }
}

/// A pointer that MPI carries but does not follow: extra state, attribute values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Opaque(pub *mut c_void);

/// `argv` of `MPI_Init`, which is left alone.
#[derive(Clone, Copy, Debug)]
pub struct MainArgv(pub *mut *mut *mut c_char);

/// A C string that is not null.
#[derive(Clone, Copy)]
pub struct Str {
    text: *const c_char,
    name: &'static str,
}

impl Str {
    /// # Safety
    /// `text` points to a string with a final NUL that stays for the call.
    pub unsafe fn new(text: *const c_char, name: &'static str) -> Result<Str> {
        if text.is_null() {
            fail!(ARG, "{name} is a null pointer; a string was expected");
        }
        Ok(Str { text, name })
    }

    /// The argument's name, for messages.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The bytes without the final NUL.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `new` had a string that stays for the call.
        unsafe { CStr::from_ptr(self.text) }.to_bytes()
    }

    /// The text; bytes that are not UTF-8 are replaced.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes())
    }
}

/// An array of strings that ends with a null pointer (`argv`), or null (`MPI_ARGV_NULL`).
#[derive(Clone, Copy)]
pub struct Strs(pub(crate) *const *const c_char);

impl Strs {
    /// # Safety
    /// `array` is null or an array of strings that stays for the call.
    pub unsafe fn new(array: *const *const c_char) -> Strs {
        Strs(array)
    }

    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// The string at `index`, or `None` where the array has a null pointer.
    pub fn get(&self, index: usize) -> Option<String> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: the caller promised an array of at least this length or with a final null.
        let text = unsafe { *self.0.add(index) };
        if text.is_null() {
            return None;
        }
        // SAFETY: not null, so a string.
        let text = unsafe { CStr::from_ptr(text) };
        Some(text.to_string_lossy().into_owned())
    }

    /// The strings up to the final null pointer.
    pub fn until_null(&self) -> Vec<String> {
        (0..).map_while(|index| self.get(index)).collect()
    }
}

/// An array of `argv`s, or null (`MPI_ARGVS_NULL`).
#[derive(Clone, Copy)]
pub struct StrLists(pub(crate) *const *const *const c_char);

impl StrLists {
    /// # Safety
    /// `array` is null or an array of `argv`s that stays for the call.
    pub unsafe fn new(array: *const *const *const c_char) -> StrLists {
        StrLists(array)
    }

    pub fn get(&self, index: usize) -> Strs {
        if self.0.is_null() {
            return Strs(std::ptr::null());
        }
        // SAFETY: the caller promised an array of at least this length.
        Strs(unsafe { *self.0.add(index) })
    }
}

/// An array of C `int` that means `T`.
pub struct IntArray<T> {
    ints: *const c_int,
    decode: fn(c_int) -> T,
    name: &'static str,
}

impl<T> Clone for IntArray<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for IntArray<T> {}

pub type Ints = IntArray<i32>;
pub type OldInts = Ints;
pub type Bools = IntArray<bool>;
pub type Ranks = IntArray<Rank>;
pub type Distributions = IntArray<Distribution>;
pub type DistributionArgs = IntArray<DistributionArg>;

impl<T> IntArray<T> {
    /// # Safety
    /// `ints` is null or an array that stays for the call, as long as the call's arguments say.
    pub unsafe fn new(ints: *const c_int, decode: fn(c_int) -> T, name: &'static str) -> Self {
        IntArray { ints, decode, name }
    }

    pub fn is_null(&self) -> bool {
        self.ints.is_null()
    }

    /// The argument's name, for messages.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer where `len` elements are needed.
    pub fn require(&self, len: usize) -> Result<()> {
        require(self.ints.cast(), len, self.name)
    }

    #[inline]
    pub fn get(&self, index: usize) -> T {
        debug_assert!(!self.ints.is_null());
        // SAFETY: the caller promised the length (module text).
        (self.decode)(unsafe { *self.ints.add(index) })
    }

    pub fn iter(&self, len: usize) -> impl Iterator<Item = T> + '_ {
        (0..len).map(|index| self.get(index))
    }
}

impl Ints {
    /// The first `len` numbers.
    pub fn slice(&self, len: usize) -> &[i32] {
        if len == 0 || self.ints.is_null() {
            return &[];
        }
        // SAFETY: the caller promised the length.
        unsafe { std::slice::from_raw_parts(self.ints, len) }
    }
}

#[cold]
fn null_array(name: &'static str, len: usize) -> crate::error::Error {
    crate::error::Error::new(
        crate::error::class::ARG,
        format!("{name} is a null pointer; an array of {len} elements was expected"),
    )
}

pub(crate) fn require(array: *const c_void, len: usize, name: &'static str) -> Result<()> {
    if array.is_null() && len > 0 {
        return Err(null_array(name, len));
    }
    Ok(())
}

/// An array of counts or displacements: `int`, or 64 bits wide in the `_c` form of a call.
#[derive(Clone, Copy)]
pub struct Counts {
    counts: *const c_void,
    wide: bool,
    name: &'static str,
}

/// An array of displacements in units of a datatype: `int`, or `MPI_Aint` in the `_c` form.
pub type Displs = Counts;
/// An array of byte displacements: `MPI_Aint`, or `MPI_Count` in the `_c` form.
pub type AintCounts = Counts;

impl From<Ints> for Counts {
    fn from(ints: Ints) -> Counts {
        Counts {
            counts: ints.ints.cast(),
            wide: false,
            name: ints.name,
        }
    }
}

impl Counts {
    /// Whether they are 64 bits wide.
    pub fn is_wide(&self) -> bool {
        self.wide
    }

    /// # Safety
    /// `counts` is null or an array of `int` (of 64-bit numbers, if `wide`). It stays for the call, and is as long
    /// as the call's arguments say.
    pub unsafe fn new(counts: *const c_void, wide: bool, name: &'static str) -> Counts {
        Counts { counts, wide, name }
    }

    pub fn is_null(&self) -> bool {
        self.counts.is_null()
    }

    /// The argument's name, for messages.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer where `len` elements are needed.
    pub fn require(&self, len: usize) -> Result<()> {
        require(self.counts, len, self.name)
    }

    #[inline]
    pub fn get(&self, index: usize) -> i64 {
        debug_assert!(!self.counts.is_null());
        if self.wide {
            // SAFETY: the caller promised the length and `new` the width.
            unsafe { *self.counts.cast::<i64>().add(index) }
        } else {
            // SAFETY: as above.
            i64::from(unsafe { *self.counts.cast::<c_int>().add(index) })
        }
    }

    pub fn iter(&self, len: usize) -> impl Iterator<Item = i64> + '_ {
        (0..len).map(|index| self.get(index))
    }
}

/// An array of byte displacements that is `MPI_Aint` in every form of a call.
#[derive(Clone, Copy)]
pub struct Aints {
    aints: *const Aint,
    name: &'static str,
}

pub type OldAints = Aints;

impl Aints {
    /// # Safety
    /// `aints` is null or an array that stays for the call, as long as the call's arguments say.
    pub unsafe fn new(aints: *const Aint, name: &'static str) -> Aints {
        Aints { aints, name }
    }

    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer where `len` elements are needed.
    pub fn require(&self, len: usize) -> Result<()> {
        require(self.aints.cast(), len, self.name)
    }

    pub fn get(&self, index: usize) -> Aint {
        debug_assert!(!self.aints.is_null());
        // SAFETY: the caller promised the length.
        unsafe { *self.aints.add(index) }
    }

    pub fn iter(&self, len: usize) -> impl Iterator<Item = Aint> + '_ {
        (0..len).map(|index| self.get(index))
    }
}

/// Ranges of ranks for `MPI_Group_range_incl`: triplets (first, last, stride).
#[derive(Clone, Copy)]
pub struct Ranges(Ints);

impl Ranges {
    /// # Safety
    /// `ranges` is null or an array of triplets that stays for the call.
    pub unsafe fn new(ranges: *const [c_int; 3], name: &'static str) -> Ranges {
        // SAFETY: passed on from the caller; three numbers an element.
        Ranges(unsafe { Ints::new(ranges.cast(), |number| number, name) })
    }

    /// # Errors
    /// `MPI_ERR_ARG` for a null pointer where `len` triplets are needed.
    pub fn require(&self, len: usize) -> Result<()> {
        self.0.require(len)
    }

    pub fn get(&self, index: usize) -> [i32; 3] {
        let at = |place| self.0.get(3 * index + place);
        [at(0), at(1), at(2)]
    }
}

/// Weights of a distributed graph's edges.
#[derive(Clone, Copy)]
pub enum Weights {
    /// `MPI_UNWEIGHTED`.
    Unweighted,
    /// `MPI_WEIGHTS_EMPTY`.
    Empty,
    Given(Ints),
}

/// An array of handles that a call reads.
pub struct Handles<H> {
    handles: *const c_void,
    read: unsafe fn(*const c_void, usize) -> H,
    name: &'static str,
}

impl<H> Clone for Handles<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for Handles<H> {}

/// The array of types of the removed `MPI_Type_struct`, which is not `const` in C.
pub type OldTypes = Handles<crate::handle::Datatype>;

impl<H> Handles<H> {
    /// # Safety
    /// `handles` is null or an array of C handles that `read` reads at an index; it stays for the
    /// call and is as long as the call's arguments say.
    pub unsafe fn new(
        handles: *const c_void,
        read: unsafe fn(*const c_void, usize) -> H,
        name: &'static str,
    ) -> Self {
        Handles {
            handles,
            read,
            name,
        }
    }

    pub fn is_null(&self) -> bool {
        self.handles.is_null()
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

    #[inline]
    pub fn get(&self, index: usize) -> H {
        debug_assert!(!self.handles.is_null());
        // SAFETY: the caller promised the length; `read` fits by the contract of `new`.
        unsafe { (self.read)(self.handles, index) }
    }

    pub fn iter(&self, len: usize) -> impl Iterator<Item = H> + '_ {
        (0..len).map(|index| self.get(index))
    }
}

/// A status as the caller's C or Fortran type has it, bit for bit.
#[derive(Clone, Copy)]
pub struct RawStatus {
    pub(crate) bytes: *const u8,
    pub(crate) len: usize,
}

pub type StatusIn = RawStatus;
pub type FortranStatusIn = RawStatus;
pub type F08StatusIn = RawStatus;

impl RawStatus {
    /// # Safety
    /// `bytes` is null or points to `len` bytes that stay for the call.
    pub unsafe fn new(bytes: *const u8, len: usize, name: &'static str) -> Result<RawStatus> {
        if bytes.is_null() {
            fail!(ARG, "{name} is a null pointer; a status was expected");
        }
        Ok(RawStatus { bytes, len })
    }
}

//! The conversions of parameters, one `impl FromC` per semantic type and C type.
//!
//! All of it is small and inlined: what an ABI does not change costs nothing. Null pointers are
//! refused here, with the argument's name, wherever MPI does not allow them.

use std::ffi::{c_char, c_int, c_void};

use super::{Abi, Encode, FromC, Number, ToC, address};
use crate::buf::*;
use crate::error::{Error, Result, class};
use crate::fail;
use crate::handle::*;
use crate::out::*;
use crate::types::*;

#[cold]
#[inline(never)]
fn null_place(name: &'static str) -> Error {
    Error::new(
        class::ARG,
        format!("{name} is a null pointer; a place for the result was expected"),
    )
}

#[cold]
#[inline(never)]
fn no_handle<H: Handle>(name: &'static str, bits: u64) -> Error {
    Error::new(
        H::CLASS,
        format!(
            "{name} = 0x{bits:x} is no {} (null, freed, or never made)",
            H::NAME
        ),
    )
}

/// The bits of a C handle.
#[inline(always)]
pub(super) fn bits<C: Copy>(c: &C) -> u64 {
    let mut bits = 0u64;
    let size = size_of::<C>().min(8);
    // SAFETY: at most 8 bytes of a plain C value.
    unsafe {
        std::ptr::copy_nonoverlapping((&raw const *c).cast::<u8>(), (&raw mut bits).cast(), size)
    };
    bits
}

unsafe fn read<A: Encode<T>, T>(place: *const c_void) -> T {
    // SAFETY: the caller has a place for the ABI's C type.
    A::decode(unsafe { *place.cast::<A::C>() })
}

unsafe fn read_at<A: Encode<T>, T>(places: *const c_void, index: usize) -> T {
    // SAFETY: the caller has an array of the ABI's C type.
    A::decode(unsafe { *places.cast::<A::C>().add(index) })
}

unsafe fn write<A: Encode<T>, T>(place: *mut c_void, value: T) {
    // SAFETY: the caller has a place for the ABI's C type.
    unsafe { *place.cast::<A::C>() = A::encode(value) }
}

unsafe fn read_number<A: Number<T>, T>(place: *const c_void) -> T {
    // SAFETY: the caller has a place for an `int`.
    A::decode(unsafe { *place.cast::<c_int>() })
}

unsafe fn write_number<A: Number<T>, T>(place: *mut c_void, value: T) {
    // SAFETY: the caller has a place for an `int`.
    unsafe { *place.cast::<c_int>() = A::encode(value) }
}

macro_rules! handles {
    ($($handle:ident)*) => { $(
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Encode<$handle>> FromC<A, <A as Encode<$handle>>::C> for $handle {
            #[inline(always)]
            unsafe fn from_c(c: A::C, name: &'static str) -> Result<Self> {
                let handle: $handle = A::decode(c);
                // Programs write 0 for a datatype that their call ignores (beside MPI_IN_PLACE, or not at the
                // root). Calls that do use it find no datatype of that number.
                let wrong = match $handle::CLASS == class::TYPE {
                    true => A::is_foreign(c, handle),
                    false => handle.raw() == 0,
                };
                if wrong {
                    return Err(no_handle::<$handle>(name, bits(&c)));
                }
                Ok(handle)
            }
        }

        impl<A: Abi + Encode<$handle>> ToC<A, <A as Encode<$handle>>::C> for $handle {
            fn to_c(self) -> <A as Encode<$handle>>::C {
                <A as Encode<$handle>>::encode(self)
            }
            fn fallback() -> <A as Encode<$handle>>::C {
                <A as Encode<$handle>>::encode($handle::NULL)
            }
        }
        two_way!($handle);
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Encode<$handle>> FromC<A, *const <A as Encode<$handle>>::C>
            for Handles<$handle>
        {
            #[inline(always)]
            unsafe fn from_c(c: *const A::C, name: &'static str) -> Result<Self> {
                // SAFETY: an array of the ABI's handles, by the prototype.
                Ok(unsafe { Handles::new(c.cast(), read_at::<A, $handle>, name) })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Encode<$handle>> FromC<A, *mut <A as Encode<$handle>>::C>
            for Handles<$handle>
        {
            #[inline(always)]
            unsafe fn from_c(c: *mut A::C, name: &'static str) -> Result<Self> {
                // SAFETY: an array of the ABI's handles, by the prototype.
                Ok(unsafe { Handles::new(c.cast_const().cast(), read_at::<A, $handle>, name) })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Encode<$handle>> FromC<A, *mut <A as Encode<$handle>>::C>
            for HandlesMut<$handle>
        {
            #[inline(always)]
            unsafe fn from_c(c: *mut A::C, name: &'static str) -> Result<Self> {
                // SAFETY: an array of the ABI's handles, by the prototype.
                Ok(unsafe {
                    HandlesMut::new(
                        c.cast(),
                        size_of::<A::C>(),
                        read::<A, $handle>,
                        write::<A, $handle>,
                        name,
                    )
                })
            }
        }
    )* };
}

/// `Out` and `InOut` of what has a C type of its own.
macro_rules! two_way {
    ($type:ident) => {
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Encode<$type>> FromC<A, *mut <A as Encode<$type>>::C> for Out<$type> {
            #[inline(always)]
            unsafe fn from_c(c: *mut A::C, name: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Err(null_place(name));
                }
                // SAFETY: a place for the ABI's type, by the prototype.
                Ok(unsafe { Out::new(c.cast(), write::<A, $type>) })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Encode<$type>> FromC<A, *mut <A as Encode<$type>>::C> for InOut<$type> {
            #[inline(always)]
            unsafe fn from_c(c: *mut A::C, name: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Err(null_place(name));
                }
                // SAFETY: a place for the ABI's type, by the prototype.
                Ok(unsafe { InOut::new(c.cast(), read::<A, $type>, write::<A, $type>) })
            }
        }
    };
}

handles! { Comm Group Datatype Op Info Errhandler Request Win File Session Message Stream }

macro_rules! tools {
    ($($type:ident)*) => { $(
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi, T> FromC<A, *mut T> for $type {
            #[inline(always)]
            unsafe fn from_c(c: *mut T, _: &'static str) -> Result<Self> {
                Ok(<A as ToolHandle<$type>>::decode_tool(address(c)))
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi, T> FromC<A, *mut *mut T> for Out<$type> {
            unsafe fn from_c(c: *mut *mut T, name: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Err(null_place(name));
                }
                // SAFETY: a place for a pointer, by the prototype.
                Ok(unsafe { Out::new(c.cast(), write_tool::<A, $type>) })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi, T> FromC<A, *mut *mut T> for InOut<$type> {
            unsafe fn from_c(c: *mut *mut T, name: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Err(null_place(name));
                }
                // SAFETY: a place for a pointer, by the prototype.
                Ok(unsafe { InOut::new(c.cast(), read_tool::<A, $type>, write_tool::<A, $type>) })
            }
        }
    )* };
}

/// Tool handles are pointers in every ABI; only `MPI_T_PVAR_ALL_HANDLES` differs.
trait ToolHandle<T> {
    fn decode_tool(address: usize) -> T;
    fn encode_tool(value: T) -> usize;
}

macro_rules! plain_tools {
    ($($type:ident)*) => { $(
        impl<A: Abi> ToolHandle<$type> for A {
            fn decode_tool(address: usize) -> $type { $type(address) }
            fn encode_tool(value: $type) -> usize { value.0 }
        }
    )* };
}

plain_tools! { ToolEnum CvarHandle PvarSession EventRegistration EventInstance AsyncThing }

impl<A: Abi> ToolHandle<PvarHandle> for A {
    fn decode_tool(address: usize) -> PvarHandle {
        if address == A::pvar_all_handles() {
            PvarHandle::ALL_HANDLES
        } else {
            PvarHandle(address)
        }
    }
    fn encode_tool(value: PvarHandle) -> usize {
        value.0
    }
}

unsafe fn read_tool<A: ToolHandle<T>, T>(place: *const c_void) -> T {
    // SAFETY: the caller has a place for a pointer.
    A::decode_tool(unsafe { *place.cast::<usize>() })
}

unsafe fn write_tool<A: ToolHandle<T>, T>(place: *mut c_void, value: T) {
    // SAFETY: the caller has a place for a pointer.
    unsafe { *place.cast::<usize>() = A::encode_tool(value) }
}

tools! { ToolEnum CvarHandle PvarHandle PvarSession EventRegistration EventInstance AsyncThing }

macro_rules! numbers {
    ($($type:ty)*) => { $(
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi> FromC<A, c_int> for $type {
            #[inline(always)]
            unsafe fn from_c(c: c_int, _: &'static str) -> Result<Self> {
                Ok(<A as Number<$type>>::decode(c))
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi> FromC<A, *mut c_int> for Out<$type> {
            #[inline(always)]
            unsafe fn from_c(c: *mut c_int, name: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Err(null_place(name));
                }
                // SAFETY: a place for an `int`, by the prototype.
                Ok(unsafe { Out::new(c.cast(), write_number::<A, $type>) })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi> FromC<A, *mut c_int> for InOut<$type> {
            #[inline(always)]
            unsafe fn from_c(c: *mut c_int, name: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Err(null_place(name));
                }
                // SAFETY: a place for an `int`, by the prototype.
                Ok(unsafe {
                    InOut::new(c.cast(), read_number::<A, $type>, write_number::<A, $type>)
                })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi> FromC<A, *const c_int> for IntArray<$type> {
            #[inline(always)]
            unsafe fn from_c(c: *const c_int, name: &'static str) -> Result<Self> {
                // SAFETY: an array of `int`, by the prototype.
                Ok(unsafe { IntArray::new(c, <A as Number<$type>>::decode, name) })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi> FromC<A, *mut c_int> for IntArray<$type> {
            #[inline(always)]
            unsafe fn from_c(c: *mut c_int, name: &'static str) -> Result<Self> {
                // SAFETY: an array of `int`, by the prototype.
                Ok(unsafe { IntArray::new(c.cast_const(), <A as Number<$type>>::decode, name) })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi> FromC<A, *mut c_int> for IntArrayMut<$type> {
            #[inline(always)]
            unsafe fn from_c(c: *mut c_int, name: &'static str) -> Result<Self> {
                // SAFETY: an array of `int`, by the prototype.
                Ok(unsafe {
                    IntArrayMut::new(
                        c,
                        <A as Number<$type>>::decode,
                        <A as Number<$type>>::encode,
                        name,
                    )
                })
            }
        }
    )* };
}

numbers! {
    i32 bool Rank Tag Keyval ErrorCode Comparison SplitType Combiner TopologyKind ThreadLevel
    Distribution DistributionArg ArrayOrder AccessMode WinAssert LockType Whence TypeClass PvarClass
    Verbosity Bind Scope CbSafety SourceOrder GrequestClass
}

/// Arguments that may be null where the call says so.
macro_rules! optional {
    ($([$($generic:tt)*] $c:ty => $type:ty;)*) => { $(
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<$($generic)*> FromC<A, $c> for Option<$type>
        where
            $type: FromC<A, $c>,
        {
            unsafe fn from_c(c: $c, name: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Ok(None);
                }
                // SAFETY: passed on.
                unsafe { <$type>::from_c(c, name) }.map(Some)
            }
        }
    )* };
}

optional! {
    [A, C, T] *mut C => Out<T>;
    [A, C, T] *mut C => InOut<T>;
    [A] *const c_char => Str;
    [A] *mut c_char => StrOut;
    [A] *mut Aint => AintsMut;
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, c_int> for i64 {
    #[inline(always)]
    unsafe fn from_c(c: c_int, _: &'static str) -> Result<Self> {
        Ok(i64::from(c))
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, i64> for i64 {
    #[inline(always)]
    unsafe fn from_c(c: i64, _: &'static str) -> Result<Self> {
        Ok(c)
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, isize> for i64 {
    #[inline(always)]
    unsafe fn from_c(c: isize, _: &'static str) -> Result<Self> {
        Ok(c as i64)
    }
}

/// The plain form of a call has `int` and `MPI_Aint` where the large-count form has `MPI_Count`.
macro_rules! form_counts {
    ($($c:ty: $large:literal;)*) => { $(
        // SAFETY: no pointer is involved.
        unsafe impl<A: Abi> FromC<A, $c> for FormCount {
            #[inline(always)]
            unsafe fn from_c(c: $c, _: &'static str) -> Result<Self> {
                Ok(FormCount { value: c as i64, large: $large })
            }
        }
    )* };
}

form_counts! {
    c_int: false;
    isize: false;
    i64: true;
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, isize> for isize {
    #[inline(always)]
    unsafe fn from_c(c: isize, _: &'static str) -> Result<Self> {
        Ok(c)
    }
}

unsafe fn read_i32(place: *const c_void) -> i64 {
    // SAFETY: the caller has a place for an `int`.
    i64::from(unsafe { *place.cast::<c_int>() })
}

unsafe fn write_i32(place: *mut c_void, value: i64) {
    let value = c_int::try_from(value).unwrap_or(UNDEFINED);
    // SAFETY: the caller has a place for an `int`.
    unsafe { *place.cast::<c_int>() = value }
}

unsafe fn read_i64(place: *const c_void) -> i64 {
    // SAFETY: the caller has a place for 64 bits.
    unsafe { *place.cast::<i64>() }
}

unsafe fn write_i64(place: *mut c_void, value: i64) {
    // SAFETY: the caller has a place for 64 bits.
    unsafe { *place.cast::<i64>() = value }
}

unsafe fn write_isize(place: *mut c_void, value: isize) {
    // SAFETY: the caller has a place for an `MPI_Aint`.
    unsafe { *place.cast::<isize>() = value }
}

macro_rules! counts {
    ($($c:ty: $read:ident $write:ident $wide:literal;)*) => { $(
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi> FromC<A, *mut $c> for Out<i64> {
            #[inline(always)]
            unsafe fn from_c(c: *mut $c, name: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Err(null_place(name));
                }
                // SAFETY: a place of that width, by the prototype.
                Ok(unsafe { Out::new(c.cast(), $write) })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi> FromC<A, *mut $c> for InOut<i64> {
            #[inline(always)]
            unsafe fn from_c(c: *mut $c, name: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Err(null_place(name));
                }
                // SAFETY: a place of that width, by the prototype.
                Ok(unsafe { InOut::new(c.cast(), $read, $write) })
            }
        }
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi> FromC<A, *const $c> for Counts {
            #[inline(always)]
            unsafe fn from_c(c: *const $c, name: &'static str) -> Result<Self> {
                // SAFETY: an array of that width, by the prototype.
                Ok(unsafe { Counts::new(c.cast(), $wide, name) })
            }
        }
    )* };
}

counts! {
    c_int: read_i32 write_i32 false;
    i64: read_i64 write_i64 true;
    isize: read_i64 write_i64 true;
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut isize> for Out<isize> {
    #[inline(always)]
    unsafe fn from_c(c: *mut isize, name: &'static str) -> Result<Self> {
        if c.is_null() {
            return Err(null_place(name));
        }
        // SAFETY: a place for an `MPI_Aint`, by the prototype.
        Ok(unsafe { Out::new(c.cast(), write_isize) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *const isize> for Aints {
    unsafe fn from_c(c: *const isize, name: &'static str) -> Result<Self> {
        // SAFETY: an array, by the prototype.
        Ok(unsafe { Aints::new(c, name) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut isize> for Aints {
    unsafe fn from_c(c: *mut isize, name: &'static str) -> Result<Self> {
        // SAFETY: an array, by the prototype.
        Ok(unsafe { Aints::new(c, name) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, T> FromC<A, *mut T> for WideArrayMut<T> {
    unsafe fn from_c(c: *mut T, name: &'static str) -> Result<Self> {
        // SAFETY: an array, by the prototype.
        Ok(unsafe { WideArrayMut::new(c, name) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut [c_int; 3]> for Ranges {
    unsafe fn from_c(c: *mut [c_int; 3], name: &'static str) -> Result<Self> {
        // SAFETY: an array of triplets, by the prototype.
        Ok(unsafe { Ranges::new(c, name) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *const c_int> for Weights {
    unsafe fn from_c(c: *const c_int, name: &'static str) -> Result<Self> {
        if address(c) == A::unweighted() {
            return Ok(Weights::Unweighted);
        }
        if address(c) == A::weights_empty() {
            return Ok(Weights::Empty);
        }
        // SAFETY: an array of `int`, by the prototype.
        Ok(Weights::Given(unsafe {
            Ints::new(c, |weight| weight, name)
        }))
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut c_int> for WeightsMut {
    unsafe fn from_c(c: *mut c_int, name: &'static str) -> Result<Self> {
        if address(c) == A::unweighted() || address(c) == A::weights_empty() {
            return Ok(None);
        }
        // SAFETY: an array of `int`, by the prototype.
        Ok(Some(unsafe { IntsMut::new(c, |c| c, |value| value, name) }))
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *const c_void> for ConstBuf {
    #[inline(always)]
    unsafe fn from_c(c: *const c_void, _: &'static str) -> Result<Self> {
        // SAFETY: a buffer of a call, by the prototype.
        Ok(unsafe { ConstBuf::new(special::<A>(c.cast_mut())) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut c_void> for MutBuf {
    #[inline(always)]
    unsafe fn from_c(c: *mut c_void, _: &'static str) -> Result<Self> {
        // SAFETY: as above.
        Ok(unsafe { MutBuf::new(special::<A>(c)) })
    }
}

/// The core's special addresses for the ABI's.
#[inline(always)]
fn special<A: Abi>(pointer: *mut c_void) -> *mut c_void {
    let address = pointer as usize;
    if A::IN_PLACE != 1 && address == A::IN_PLACE {
        return std::ptr::without_provenance_mut(1);
    }
    if A::BUFFER_AUTOMATIC != 2 && address == A::BUFFER_AUTOMATIC {
        return std::ptr::without_provenance_mut(2);
    }
    pointer
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut c_void> for Opaque {
    #[inline(always)]
    unsafe fn from_c(c: *mut c_void, _: &'static str) -> Result<Self> {
        Ok(Opaque(c))
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *const c_void> for Opaque {
    #[inline(always)]
    unsafe fn from_c(c: *const c_void, _: &'static str) -> Result<Self> {
        Ok(Opaque(c.cast_mut()))
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut c_void> for BufferOut {
    unsafe fn from_c(c: *mut c_void, name: &'static str) -> Result<Self> {
        // SAFETY: a place for a pointer, by the call's definition.
        let place = unsafe { PointerOut::new(c.cast(), name) }?;
        Ok(BufferOut::new(place, A::BUFFER_AUTOMATIC))
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut c_void> for PointerOut {
    unsafe fn from_c(c: *mut c_void, name: &'static str) -> Result<Self> {
        // SAFETY: a place for a pointer, by the call's definition.
        unsafe { PointerOut::new(c.cast(), name) }
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *const c_char> for Str {
    unsafe fn from_c(c: *const c_char, name: &'static str) -> Result<Self> {
        // SAFETY: a C string, by the prototype.
        unsafe { Str::new(c, name) }
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut c_char> for StrOut {
    unsafe fn from_c(c: *mut c_char, name: &'static str) -> Result<Self> {
        // SAFETY: a character buffer, by the prototype.
        unsafe { StrOut::new(c, name) }
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut *mut c_char> for Strs {
    unsafe fn from_c(c: *mut *mut c_char, _: &'static str) -> Result<Self> {
        // SAFETY: an array of strings, by the prototype.
        Ok(unsafe { Strs::new(c.cast_const().cast()) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut *mut *mut c_char> for StrLists {
    unsafe fn from_c(c: *mut *mut *mut c_char, _: &'static str) -> Result<Self> {
        // SAFETY: an array of argument lists, by the prototype.
        Ok(unsafe { StrLists::new(c.cast_const().cast()) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut *mut *mut c_char> for MainArgv {
    unsafe fn from_c(c: *mut *mut *mut c_char, _: &'static str) -> Result<Self> {
        Ok(MainArgv(c))
    }
}

unsafe fn read_whole_status<A: Abi>(place: *const c_void) -> Status {
    // SAFETY: the caller has a status of the ABI.
    A::read_whole_status(unsafe { &*place.cast::<A::Status>() })
}

unsafe fn write_status<A: Abi>(place: *mut c_void, status: Status) {
    // SAFETY: the caller has a place for a status of the ABI.
    let place = unsafe { &mut *place.cast::<A::Status>() };
    A::write_status(place, status);
    if status == Status::EMPTY {
        // The empty status has no error (MPI-5.0, 3.7.3); other calls leave the field alone.
        A::write_status_error(place, ErrorCode::SUCCESS);
    }
}

unsafe fn write_whole_status<A: Abi>(place: *mut c_void, status: Status) {
    // SAFETY: the caller has a place for a status of the ABI.
    let place = unsafe { &mut *place.cast::<A::Status>() };
    A::write_status(place, status);
    A::write_status_error(place, ErrorCode(status.error));
}

/// Refuses null and `MPI_STATUS_IGNORE` where a status is needed.
fn need_status<A: Abi>(address: usize, name: &'static str) -> Result<()> {
    if address == 0 || address == A::STATUS_IGNORE {
        fail!(
            ARG,
            "{name} is null or MPI_STATUS_IGNORE; a status was expected"
        );
    }
    Ok(())
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *const A::Status> for Status {
    unsafe fn from_c(c: *const A::Status, name: &'static str) -> Result<Self> {
        need_status::<A>(address(c), name)?;
        // SAFETY: a status, by the prototype.
        Ok(A::read_status(unsafe { &*c }))
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *const A::Status> for WholeStatus {
    unsafe fn from_c(c: *const A::Status, name: &'static str) -> Result<Self> {
        need_status::<A>(address(c), name)?;
        // SAFETY: a status, by the prototype.
        Ok(WholeStatus(unsafe { read_whole_status::<A>(c.cast()) }))
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut A::Status> for InOut<Status> {
    unsafe fn from_c(c: *mut A::Status, name: &'static str) -> Result<Self> {
        need_status::<A>(address(c), name)?;
        // SAFETY: a status, by the prototype.
        Ok(unsafe { InOut::new(c.cast(), read_whole_status::<A>, write_whole_status::<A>) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut A::Status> for Out<Status> {
    #[inline(always)]
    unsafe fn from_c(c: *mut A::Status, name: &'static str) -> Result<Self> {
        if address(c) == A::STATUS_IGNORE {
            // SAFETY: null is never written to.
            return Ok(unsafe { Out::new(std::ptr::null_mut(), write_status::<A>) });
        }
        if c.is_null() {
            return Err(null_place(name));
        }
        // SAFETY: a place for a status, by the prototype.
        Ok(unsafe { Out::new(c.cast(), write_status::<A>) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi> FromC<A, *mut A::Status> for StatusesOut {
    #[inline(always)]
    unsafe fn from_c(c: *mut A::Status, _: &'static str) -> Result<Self> {
        let place = if address(c) == A::STATUS_IGNORE {
            std::ptr::null_mut()
        } else {
            c.cast()
        };
        // SAFETY: null, or an array of statuses, by the prototype.
        Ok(unsafe {
            StatusesOut::new(
                place,
                size_of::<A::Status>(),
                write_status::<A>,
                write_whole_status::<A>,
            )
        })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, C> FromC<A, *const C> for RawStatus {
    unsafe fn from_c(c: *const C, name: &'static str) -> Result<Self> {
        need_status::<A>(address(c), name)?;
        // SAFETY: C and Fortran statuses are of one size.
        unsafe { RawStatus::new(c.cast(), size_of::<A::Status>(), name) }
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, C> FromC<A, *mut C> for RawStatusOut {
    unsafe fn from_c(c: *mut C, name: &'static str) -> Result<Self> {
        need_status::<A>(address(c), name)?;
        // SAFETY: C and Fortran statuses are of one size.
        unsafe { RawStatusOut::new(c.cast(), size_of::<A::Status>(), name) }
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, T> FromC<A, *mut T> for IovsOut {
    unsafe fn from_c(c: *mut T, _: &'static str) -> Result<Self> {
        // SAFETY: `MPIX_Iov` is a pointer and a 64-bit length.
        Ok(unsafe { IovsOut::new(c.cast()) })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, H: Handle> FromC<A, c_int> for Fortran<H> {
    unsafe fn from_c(c: c_int, _: &'static str) -> Result<Self> {
        Ok(Fortran(A::from_fortran(c)))
    }
}

impl<A: Abi, H: Handle> ToC<A, c_int> for Fortran<H> {
    fn to_c(self) -> c_int {
        A::to_fortran(self.0)
    }
    fn fallback() -> c_int {
        -1
    }
}

macro_rules! results {
    ($($type:ty => $c:ty: $value:ident $convert:expr, $fallback:expr;)*) => { $(
        impl<A: Abi> ToC<A, $c> for $type {
            fn to_c(self) -> $c { let $value = self; $convert }
            fn fallback() -> $c { $fallback }
        }
    )* };
}

results! {
    f64 => f64: value value, 0.0;
    isize => isize: value value, 0;
    i32 => c_int: value value, 0;
    bool => c_int: value c_int::from(value), 0;
    Opaque => *mut c_void: value value.0, std::ptr::null_mut();
}

//! What a C ABI must say to stand in front of the core, and the door every call comes through.
//!
//! A front implements [`Abi`]: its C types, its numbers, its handles. [`FromC`] then converts each parameter. The
//! conversion follows from the type that a core function asks for and the C type of the exported function. So a
//! wrong kind does not compile. For the standard ABI all of it vanishes.
#![allow(unsafe_code)]

mod callbacks;
mod convert;
mod door;
pub mod fortran;
mod numbers;

use std::ffi::{c_int, c_void};

use crate::facts::Facts;
use crate::handle::*;
use crate::types::*;

pub use door::{anytime, code, enter, enter_elsewhere, plain, tool, unlocked, unlocked_mpi};
pub use numbers::{bits, unlisted};

/// Handles of kind `T` in an ABI: their C type, and its numbers.
///
/// # Safety
/// `decode` must be sound for every bit pattern that a C program can pass; what is no handle becomes
/// the raw number 0, which no object has.
pub unsafe trait Encode<T>: 'static {
    type C: Copy;
    fn decode(c: Self::C) -> T;
    fn encode(value: T) -> Self::C;
    /// Whether `decode` made 0 of it although it is not 0 in C.
    #[inline(always)]
    fn is_foreign(c: Self::C, decoded: T) -> bool
    where
        T: Handle,
    {
        decoded.raw() == 0 && convert::bits(&c) != 0
    }
}

/// `int` arguments that mean `T`: the numbers of an ABI against those of MPI-5.0. Unknown numbers pass
/// through and are refused by the call itself.
pub trait Number<T>: 'static {
    fn decode(c: c_int) -> T;
    fn encode(value: T) -> c_int;
}

/// One C ABI of MPI.
///
/// # Safety
/// The types must have the layout of the ABI's header on this machine, and `encode` must give what a
/// program compiled against that header expects.
pub unsafe trait Abi:
    Sized
    + 'static
    + Encode<Comm>
    + Encode<Group>
    + Encode<Datatype>
    + Encode<Op>
    + Encode<Info>
    + Encode<Errhandler>
    + Encode<Request>
    + Encode<Win>
    + Encode<File>
    + Encode<Session>
    + Encode<Message>
    + Number<Rank>
    + Number<Tag>
    + Number<Keyval>
    + Number<ErrorCode>
    + Number<Comparison>
    + Number<SplitType>
    + Number<Combiner>
    + Number<TopologyKind>
    + Number<ThreadLevel>
    + Number<Distribution>
    + Number<ArrayOrder>
    + Number<AccessMode>
    + Number<WinAssert>
    + Number<LockType>
    + Number<WinFlavor>
    + Number<WinModel>
    + Number<Whence>
    + Number<TypeClass>
    + Number<PvarClass>
    + Number<Verbosity>
    + Number<Bind>
    + Number<Scope>
    + Number<CbSafety>
    + Number<SourceOrder>
    + Number<DistributionArg>
{
    /// The C struct `MPI_Status`.
    type Status: Copy;

    /// `MPI_STATUS_IGNORE` and `MPI_STATUSES_IGNORE` as an address.
    const STATUS_IGNORE: usize;
    /// `MPI_IN_PLACE` as an address.
    const IN_PLACE: usize;
    /// `MPI_BUFFER_AUTOMATIC` as an address.
    const BUFFER_AUTOMATIC: usize;
    /// The address that stands for `MPI_*_DUP_FN`, where it is not a function that can be called.
    const DUP_FN: Option<usize>;
    const FACTS: &'static Facts;

    /// `MPI_UNWEIGHTED` as an address.
    fn unweighted() -> usize;
    /// `MPI_WEIGHTS_EMPTY` as an address.
    fn weights_empty() -> usize;
    /// `MPI_T_PVAR_ALL_HANDLES` as an address.
    fn pvar_all_handles() -> usize;

    /// A generalised request has been made.
    fn grequest_made(_request: Request) {}

    /// Reads all but `MPI_ERROR`, which many calls leave as it was: perhaps never written.
    fn read_status(status: &Self::Status) -> Status;
    fn read_status_error(status: &Self::Status) -> ErrorCode;
    /// Reads `MPI_ERROR` too.
    fn read_whole_status(status: &Self::Status) -> Status {
        Status {
            error: Self::read_status_error(status).0,
            ..Self::read_status(status)
        }
    }
    /// Writes all but `MPI_ERROR`.
    fn write_status(place: &mut Self::Status, status: Status);
    fn write_status_error(place: &mut Self::Status, error: ErrorCode);
    /// A status to be filled in.
    fn blank_status() -> Self::Status;

    /// The Fortran `INTEGER` of a handle.
    fn to_fortran<H: Handle>(handle: H) -> c_int {
        handle.raw() as c_int
    }
    fn from_fortran<H: Handle>(integer: c_int) -> H {
        H::from_raw(integer as u32)
    }
}

/// A core argument made from a C argument of type `C` in ABI `A`.
///
/// # Safety
/// Implementations may keep pointers for as long as the call lasts.
pub unsafe trait FromC<A, C>: Sized {
    /// # Safety
    /// `c` is what the C prototype promises for the argument called `name`.
    ///
    /// # Errors
    /// `MPI_ERR_ARG` or the class of the handle kind for what can be seen to be wrong.
    unsafe fn from_c(c: C, name: &'static str) -> crate::error::Result<Self>;
}

/// Converts one argument; the generated calls go through this.
///
/// # Safety
/// As for [`FromC::from_c`].
///
/// # Errors
/// As for [`FromC::from_c`].
#[inline(always)]
pub unsafe fn arg<A, T: FromC<A, C>, C>(c: C, name: &'static str) -> crate::error::Result<T> {
    // SAFETY: passed on.
    unsafe { T::from_c(c, name) }
}

/// Which object's error handler a call's errors go to, from the call's own argument: a handle, or (`_at`) the place of
/// one.
pub mod on {
    use super::{Abi, Encode};
    use crate::error::On;
    use crate::handle::{Comm, Errhandler, File, Message, Request, Session, Win};

    macro_rules! objects {
        ($($kind:ident: $of:ident $at:ident;)*) => { $(
            #[inline(always)]
            pub fn $of<A: Abi>(c: <A as Encode<$kind>>::C) -> On {
                On::$kind(<A as Encode<$kind>>::decode(c))
            }

            /// # Safety
            /// `place` is null or holds a handle.
            #[inline(always)]
            pub unsafe fn $at<A: Abi>(place: *mut <A as Encode<$kind>>::C) -> On {
                if place.is_null() {
                    return On::Call;
                }
                // SAFETY: not null, so it holds a handle.
                $of::<A>(unsafe { *place })
            }
        )* };
    }

    objects! {
        Comm: comm comm_at;
        Win: win win_at;
        File: file file_at;
        Session: session session_at;
        Request: request request_at;
        Message: message message_at;
    }

    /// A call that would make a communicator with this handler.
    #[inline(always)]
    pub fn new_comm<A: Abi>(c: <A as Encode<Errhandler>>::C) -> On {
        On::NewComm(<A as Encode<Errhandler>>::decode(c))
    }

    /// A call that would make a session with this handler.
    #[inline(always)]
    pub fn new_session<A: Abi>(c: <A as Encode<Errhandler>>::C) -> On {
        On::NewSession(<A as Encode<Errhandler>>::decode(c))
    }

    /// A call on files that has none yet.
    #[inline(always)]
    pub fn no_file() -> On {
        On::File(File::NULL)
    }
}

/// The C result of a function that does not return an error code.
pub trait ToC<A, C> {
    fn to_c(self) -> C;
    /// What is returned for arguments that make no sense.
    fn fallback() -> C;
}

/// Whether a C function type counts in `MPI_Count` rather than `int`.
pub trait Shape {
    const LARGE_COUNT: bool;
}

/// Numbers that no ABI changes.
macro_rules! same_numbers {
    ($($type:ty: $decode:expr, $encode:expr;)*) => { $(
        impl<A: Abi> Number<$type> for A {
            #[inline(always)]
            fn decode(c: c_int) -> $type { $decode(c) }
            #[inline(always)]
            fn encode(value: $type) -> c_int { $encode(value) }
        }
    )* };
}

same_numbers! {
    i32: |c| c, |value| value;
    bool: |c| c != 0, |value| value as c_int;
    GrequestClass: GrequestClass, |value: GrequestClass| value.0;
}

/// Builds the facts of `A`; the functions are the ABI's own conversions.
pub const fn facts<A: Abi>(
    family: crate::facts::Family,
    version: (i32, i32),
    abi_version: (i32, i32),
    library_version: &'static str,
    limits: crate::facts::Limits,
) -> Facts {
    Facts {
        family,
        version,
        abi_version,
        library_version,
        limits,
        rank: <A as Number<Rank>>::encode,
        tag: <A as Number<Tag>>::encode,
        error_code: <A as Number<ErrorCode>>::encode,
        win_flavor: <A as Number<WinFlavor>>::encode,
        win_model: <A as Number<WinModel>>::encode,
        array_order: <A as Number<ArrayOrder>>::encode,
        distribution: <A as Number<Distribution>>::encode,
        distribution_arg: <A as Number<DistributionArg>>::encode,
        datatype_size: size_of::<<A as Encode<Datatype>>::C>(),
        datatype: datatype_bits::<A>,
        grequest_made: A::grequest_made,
    }
}

fn datatype_bits<A: Abi>(datatype: Datatype) -> u64 {
    let c = <A as Encode<Datatype>>::encode(datatype);
    let mut bits = 0u64;
    let size = size_of_val(&c);
    assert!(size <= size_of::<u64>());
    // SAFETY: `size` bytes fit `bits`; handles are plain data.
    unsafe {
        std::ptr::copy_nonoverlapping((&raw const c).cast::<u8>(), (&raw mut bits).cast(), size)
    };
    bits
}

/// An address as the C pointer types have it.
#[inline(always)]
fn address<T>(pointer: *const T) -> usize {
    pointer as *const c_void as usize
}

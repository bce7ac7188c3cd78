//! The standard ABI as the core sees it: its numbers are the core's, so nothing is converted.

use std::ffi::c_int;

use anympi_core::abi::{Abi, Encode, Number, Shape, facts};
use anympi_core::facts::{Facts, Family, Limits};
use anympi_core::handle::*;
use anympi_core::types::*;

use crate::types as c;

/// The MPI-5.0 standard ABI.
pub struct Front;

macro_rules! handles {
    ($($name:ident $c:ident;)*) => { $(
        // SAFETY: any pointer is a number here and is never followed; high bits name no object.
        unsafe impl Encode<$name> for Front {
            type C = c::$c;
            #[inline(always)]
            fn decode(handle: c::$c) -> $name {
                $name(u32::try_from(handle.addr()).unwrap_or(0))
            }
            #[inline(always)]
            fn encode(handle: $name) -> c::$c {
                std::ptr::without_provenance_mut(handle.0 as usize)
            }
            #[inline(always)]
            fn is_foreign(handle: c::$c, _: $name) -> bool {
                handle.addr() > u32::MAX as usize
            }
        }
    )* };
}

handles! {
    Comm MPI_Comm;
    Datatype MPI_Datatype;
    Errhandler MPI_Errhandler;
    File MPI_File;
    Group MPI_Group;
    Info MPI_Info;
    Message MPI_Message;
    Op MPI_Op;
    Request MPI_Request;
    Session MPI_Session;
    Win MPI_Win;
}

macro_rules! numbers {
    ($($name:ident)*) => { $(
        impl Number<$name> for Front {
            #[inline(always)]
            fn decode(number: c_int) -> $name { $name(number) }
            #[inline(always)]
            fn encode(value: $name) -> c_int { value.0 }
        }
    )* };
}

numbers! {
    Rank Tag Keyval ErrorCode Comparison SplitType Combiner TopologyKind ThreadLevel Distribution
    ArrayOrder AccessMode WinAssert LockType WinFlavor WinModel Whence TypeClass PvarClass Verbosity Bind
    Scope CbSafety SourceOrder
}

impl Number<DistributionArg> for Front {
    fn decode(number: c_int) -> DistributionArg {
        match number {
            DistributionArg::DEFAULT => DistributionArg::Default,
            size => DistributionArg::Size(size),
        }
    }

    fn encode(value: DistributionArg) -> c_int {
        match value {
            DistributionArg::Default => DistributionArg::DEFAULT,
            DistributionArg::Size(size) => size,
        }
    }
}

static FACTS: Facts = facts::<Front>(
    Family::Standard,
    (5, 0),
    (1, 0),
    concat!(
        "anympi ",
        env!("CARGO_PKG_VERSION"),
        " (MPI-5.0 standard ABI 1.0)"
    ),
    Limits {
        datarep_string: 128,
        error_string: 512,
        info_key: 256,
        info_val: 1024,
        library_version_string: 8192,
        object_name: 128,
        port_name: 1024,
        processor_name: 256,
        pset_name_len: 1024,
    },
);

// SAFETY: the types are those of MPI-5.0, chapter 20; handles are the core's numbers.
unsafe impl Abi for Front {
    type Status = c::MPI_Status;

    const STATUS_IGNORE: usize = 0;
    const IN_PLACE: usize = 1;
    const BUFFER_AUTOMATIC: usize = 2;
    const DUP_FN: Option<usize> = Some(1);
    const FACTS: &'static Facts = &FACTS;

    fn unweighted() -> usize {
        10
    }

    fn weights_empty() -> usize {
        11
    }

    fn pvar_all_handles() -> usize {
        1
    }

    #[inline(always)]
    fn read_status(status: &c::MPI_Status) -> Status {
        let [low, high, ..] = status.MPI_internal;
        Status {
            source: Rank(status.MPI_SOURCE),
            tag: Tag(status.MPI_TAG),
            error: 0,
            cancelled: (high & 1 != 0).into(),
            bytes: u64::from(low as u32) | u64::from(high as u32 >> 1) << 32,
        }
    }

    fn read_status_error(status: &c::MPI_Status) -> ErrorCode {
        ErrorCode(status.MPI_ERROR)
    }

    #[inline(always)]
    fn write_status(place: &mut c::MPI_Status, status: Status) {
        place.MPI_SOURCE = status.source.0;
        place.MPI_TAG = status.tag.0;
        place.MPI_internal[0] = status.bytes as c_int;
        place.MPI_internal[1] = ((status.bytes >> 32) << 1) as c_int | status.cancelled as c_int;
    }

    fn write_status_error(place: &mut c::MPI_Status, error: ErrorCode) {
        place.MPI_ERROR = error.0;
    }

    fn blank_status() -> c::MPI_Status {
        c::MPI_Status {
            MPI_SOURCE: 0,
            MPI_TAG: 0,
            MPI_ERROR: 0,
            MPI_internal: [0; 5],
        }
    }
}

macro_rules! shapes {
    ($($function:ident $wide:literal;)*) => { $(
        impl Shape for c::$function {
            const LARGE_COUNT: bool = $wide;
        }
    )* };
}

shapes! {
    MPI_User_function false;
    MPI_User_function_c true;
    MPI_Datarep_conversion_function false;
    MPI_Datarep_conversion_function_c true;
}

//! What Open MPI's ABI says to the core: its status, its special addresses, its facts.
//!
//! Values are those of Open MPI 4.1 to 5.0. Numbers and handles have modules of their own.

use std::ffi::c_int;

use anympi_core::abi::{Abi, Number, Shape, facts};
use anympi_core::facts::{Facts, Family, Limits};
use anympi_core::handle::{Handle, Request};
use anympi_core::types::*;

use crate::crossing;
use crate::handles;
use crate::types::*;

/// The Open MPI ABI.
pub struct Front;

static FACTS: Facts = facts::<Front>(
    Family::OpenMpi,
    (3, 1),
    (-1, -1),
    // Programs read the family and its version from the beginning.
    concat!(
        "Open MPI v5.0.10, package: anympi ",
        env!("CARGO_PKG_VERSION"),
        " (Open MPI ABI)"
    ),
    Limits {
        datarep_string: 128,
        error_string: 256,
        info_key: 36,
        info_val: 256,
        library_version_string: 256,
        object_name: 64,
        port_name: 1024,
        processor_name: 256,
        pset_name_len: 512,
    },
);

// SAFETY: `MPI_Status` has the header's layout, and the handles are those of the header.
unsafe impl Abi for Front {
    type Status = MPI_Status;

    const STATUS_IGNORE: usize = 0;
    const IN_PLACE: usize = 1;
    // Open MPI's header has no `MPI_BUFFER_AUTOMATIC`: the standard's value, which is no address.
    const BUFFER_AUTOMATIC: usize = 2;
    // The predefined functions are functions like any other.
    const DUP_FN: Option<usize> = None;
    const FACTS: &'static Facts = &FACTS;

    fn grequest_made(request: Request) {
        crossing::object(request).set_functions_of_c();
    }
    fn unweighted() -> usize {
        2
    }
    fn weights_empty() -> usize {
        3
    }
    fn pvar_all_handles() -> usize {
        -1_isize as usize
    }

    #[inline(always)]
    fn read_status(status: &MPI_Status) -> Status {
        Status {
            source: <Front as Number<Rank>>::decode(status.MPI_SOURCE),
            tag: <Front as Number<Tag>>::decode(status.MPI_TAG),
            error: 0,
            cancelled: (status._cancelled != 0).into(),
            bytes: status._ucount as u64,
        }
    }
    fn read_status_error(status: &MPI_Status) -> ErrorCode {
        <Front as Number<ErrorCode>>::decode(status.MPI_ERROR)
    }
    #[inline(always)]
    fn write_status(place: &mut MPI_Status, status: Status) {
        place.MPI_SOURCE = <Front as Number<Rank>>::encode(status.source);
        place.MPI_TAG = <Front as Number<Tag>>::encode(status.tag);
        place._cancelled = status.cancelled as c_int;
        place._ucount = status.bytes as usize;
    }
    fn write_status_error(place: &mut MPI_Status, error: ErrorCode) {
        place.MPI_ERROR = <Front as Number<ErrorCode>>::encode(error);
    }
    fn blank_status() -> MPI_Status {
        MPI_Status {
            MPI_SOURCE: 0,
            MPI_TAG: 0,
            MPI_ERROR: 0,
            _cancelled: 0,
            _ucount: 0,
        }
    }

    fn to_fortran<H: Handle>(handle: H) -> c_int {
        crossing::leaving(handle);
        handles::to_fortran(handle)
    }
    fn from_fortran<H: Handle>(integer: c_int) -> H {
        let handle = handles::from_fortran(integer);
        crossing::arrived(handle);
        handle
    }
}

macro_rules! shapes {
    ($($function:ident $wide:literal)*) => { $(
        impl Shape for $function {
            const LARGE_COUNT: bool = $wide;
        }
    )* };
}

shapes! {
    MPI_User_function false
    MPI_User_function_c true
    MPI_Datarep_conversion_function false
    MPI_Datarep_conversion_function_c true
}

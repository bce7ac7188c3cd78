//! What MPICH's ABI says to the core: its status, its special addresses, its facts.
//!
//! Values are those of MPICH 4.0 to 5.0, which Intel MPI, MVAPICH and Cray MPICH share. Numbers and
//! handles have modules of their own.

use std::ffi::c_int;

use anympi_core::abi::{Abi, Number, Shape, facts};
use anympi_core::facts::{Facts, Family, Limits};
use anympi_core::handle::Handle;
use anympi_core::types::*;

use crate::data;
use crate::handles;
use crate::types::*;

/// The MPICH ABI.
pub struct Front;

static FACTS: Facts = facts::<Front>(
    Family::Mpich,
    (5, 0),
    (-1, -1),
    // Programs read the family and its version from the first line.
    concat!(
        "MPICH Version:\t4.3.0\n",
        "anympi Version:\t",
        env!("CARGO_PKG_VERSION"),
        " (MPICH ABI)\n"
    ),
    Limits {
        datarep_string: 128,
        error_string: 512,
        info_key: 255,
        info_val: 1024,
        library_version_string: 8192,
        object_name: 128,
        port_name: 256,
        processor_name: 128,
        pset_name_len: 256,
    },
);

/// The flag in `count_hi_and_cancelled`.
const CANCELLED: u32 = 1;

// SAFETY: `MPI_Status` has the header's layout, and the handles are those of the header.
unsafe impl Abi for Front {
    type Status = MPI_Status;

    const STATUS_IGNORE: usize = 1;
    const IN_PLACE: usize = -1_isize as usize;
    const BUFFER_AUTOMATIC: usize = -2_isize as usize;
    // `MPIR_Dup_fn` is a function like any other.
    const DUP_FN: Option<usize> = None;
    const FACTS: &'static Facts = &FACTS;

    fn unweighted() -> usize {
        data::MPI_UNWEIGHTED.address()
    }
    fn weights_empty() -> usize {
        data::MPI_WEIGHTS_EMPTY.address()
    }
    fn pvar_all_handles() -> usize {
        data::MPI_T_PVAR_ALL_HANDLES.address()
    }

    #[inline(always)]
    fn read_status(status: &MPI_Status) -> Status {
        let high = status.count_hi_and_cancelled as u32;
        Status {
            source: <Front as Number<Rank>>::decode(status.MPI_SOURCE),
            tag: <Front as Number<Tag>>::decode(status.MPI_TAG),
            error: 0,
            cancelled: (high & CANCELLED != 0).into(),
            bytes: u64::from(high >> 1) << 32 | u64::from(status.count_lo as u32),
        }
    }
    fn read_status_error(status: &MPI_Status) -> ErrorCode {
        <Front as Number<ErrorCode>>::decode(status.MPI_ERROR)
    }
    #[inline(always)]
    fn write_status(place: &mut MPI_Status, status: Status) {
        place.count_lo = status.bytes as c_int;
        place.count_hi_and_cancelled =
            ((status.bytes >> 32 << 1) as u32 | status.cancelled as u32) as c_int;
        place.MPI_SOURCE = <Front as Number<Rank>>::encode(status.source);
        place.MPI_TAG = <Front as Number<Tag>>::encode(status.tag);
    }
    fn write_status_error(place: &mut MPI_Status, error: ErrorCode) {
        place.MPI_ERROR = <Front as Number<ErrorCode>>::encode(error);
    }
    fn blank_status() -> MPI_Status {
        MPI_Status {
            count_lo: 0,
            count_hi_and_cancelled: 0,
            MPI_SOURCE: 0,
            MPI_TAG: 0,
            MPI_ERROR: 0,
        }
    }

    fn to_fortran<H: Handle>(handle: H) -> c_int {
        handles::to_fortran(handle)
    }
    fn from_fortran<H: Handle>(integer: c_int) -> H {
        handles::from_fortran(integer)
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

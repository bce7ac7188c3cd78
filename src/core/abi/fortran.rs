//! Functions that Fortran registered through a family's own language library.
//!
//! They take everything by reference and return their error in a last argument. Both older families make such
//! objects with C's calls first and say afterwards that the functions are Fortran's. `INTEGER` is C's `int` here, as
//! in every binding library that we meet.

use std::ffi::{c_int, c_void};

use super::{Abi, Number};
use crate::buf::Opaque;
use crate::callback::{Function, GrequestCancel, GrequestFree, GrequestQuery};
use crate::grequest::Functions;
use crate::types::{ErrorCode, Status};

/// The functions of a generalised request, to be called as Fortran's.
pub fn grequest<A: Abi>(functions: Functions) -> Functions {
    Functions {
        query: GrequestQuery {
            call: query::<A>,
            ..functions.query
        },
        free: GrequestFree {
            call: free::<A>,
            ..functions.free
        },
        cancel: GrequestCancel {
            call: cancel::<A>,
            ..functions.cancel
        },
        ..functions
    }
}

unsafe fn query<A: Abi>(function: Function, extra: Opaque, status: &mut Status) -> ErrorCode {
    type Query<S> = unsafe extern "C" fn(*mut c_void, *mut S, *mut c_int);
    let mut c_status = A::blank_status();
    A::write_status(&mut c_status, *status);
    A::write_status_error(&mut c_status, ErrorCode(status.error));
    let mut ierror = 0;
    // SAFETY: Fortran registered a query procedure; statuses are the same integers in both languages.
    unsafe { function.typed::<Query<A::Status>>()(extra.0, &mut c_status, &mut ierror) };
    *status = A::read_whole_status(&c_status);
    <A as Number<ErrorCode>>::decode(ierror)
}

unsafe fn free<A: Abi>(function: Function, extra: Opaque) -> ErrorCode {
    type Free = unsafe extern "C" fn(*mut c_void, *mut c_int);
    let mut ierror = 0;
    // SAFETY: Fortran registered a free procedure.
    unsafe { function.typed::<Free>()(extra.0, &mut ierror) };
    <A as Number<ErrorCode>>::decode(ierror)
}

unsafe fn cancel<A: Abi>(function: Function, extra: Opaque, complete: bool) -> ErrorCode {
    type Cancel = unsafe extern "C" fn(*mut c_void, *mut c_int, *mut c_int);
    let (mut complete, mut ierror) = (c_int::from(complete), 0);
    // SAFETY: Fortran registered a cancel procedure.
    unsafe { function.typed::<Cancel>()(extra.0, &mut complete, &mut ierror) };
    <A as Number<ErrorCode>>::decode(ierror)
}

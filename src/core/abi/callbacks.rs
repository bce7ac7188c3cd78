//! Thunks: how the core calls a user's C function with the handles and numbers of its ABI.
//!
//! A function pointer is stored together with the thunk of the front that took it. So what calls it later needs to
//! know nothing of any ABI.

use std::ffi::{c_int, c_void};

use super::{Abi, Encode, FromC, Number, Shape, address};
use crate::attr_value::Value;
use crate::buf::Opaque;
use crate::callback::*;
use crate::error::Result;
use crate::fail;
use crate::handle::*;
use crate::types::*;

fn code<A: Abi>(c: c_int) -> ErrorCode {
    <A as Number<ErrorCode>>::decode(c)
}

/// Refuses a null function pointer.
fn function<F>(c: *mut F, name: &'static str) -> Result<Function> {
    if c.is_null() {
        fail!(ARG, "{name} is a null pointer; a function was expected");
    }
    Ok(Function(c.expose_provenance()))
}

unsafe fn copy_attr<A: Abi + Encode<H>, H>(
    function: Function,
    object: H,
    key: Keyval,
    extra: Opaque,
    value: &Value,
) -> (ErrorCode, Option<Value>) {
    type Copy<C> =
        unsafe extern "C" fn(C, c_int, *mut c_void, *mut c_void, *mut c_void, *mut c_int) -> c_int;
    let (mut new, mut flag) = (std::ptr::null_mut::<c_void>(), 0);
    // SAFETY: the application registered a copy function of this ABI.
    let result = unsafe {
        function.typed::<Copy<<A as Encode<H>>::C>>()(
            <A as Encode<H>>::encode(object),
            <A as Number<Keyval>>::encode(key),
            extra.0,
            value.as_pointer().0,
            (&raw mut new).cast(),
            &mut flag,
        )
    };
    let copied = (flag != 0).then(|| Value::pointer(Opaque(new)));
    (code::<A>(result), copied)
}

unsafe fn delete_attr<A: Abi + Encode<H>, H>(
    function: Function,
    object: H,
    key: Keyval,
    value: &Value,
    extra: Opaque,
) -> ErrorCode {
    type Delete<C> = unsafe extern "C" fn(C, c_int, *mut c_void, *mut c_void) -> c_int;
    // SAFETY: the application registered a delete function of this ABI.
    let result = unsafe {
        function.typed::<Delete<<A as Encode<H>>::C>>()(
            <A as Encode<H>>::encode(object),
            <A as Number<Keyval>>::encode(key),
            value.as_pointer().0,
            extra.0,
        )
    };
    code::<A>(result)
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi + Encode<H>, H: Handle, F> FromC<A, *mut F> for CopyAttr<H> {
    unsafe fn from_c(c: *mut F, _: &'static str) -> Result<Self> {
        if c.is_null() {
            return Ok(CopyAttr::Null);
        }
        if A::DUP_FN == Some(address(c)) {
            return Ok(CopyAttr::Dup);
        }
        Ok(CopyAttr::User {
            function: Function(c.expose_provenance()),
            call: copy_attr::<A, H>,
        })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi + Encode<H>, H: Handle, F> FromC<A, *mut F> for DeleteAttr<H> {
    unsafe fn from_c(c: *mut F, _: &'static str) -> Result<Self> {
        if c.is_null() {
            return Ok(DeleteAttr::Null);
        }
        Ok(DeleteAttr::User {
            function: Function(c.expose_provenance()),
            call: delete_attr::<A, H>,
        })
    }
}

unsafe fn errhandler<A: Abi + Encode<H>, H>(
    function: Function,
    object: H,
    error: ErrorCode,
) -> ErrorCode {
    type Handler<C> = unsafe extern "C" fn(*mut C, *mut c_int, ...);
    let mut object = <A as Encode<H>>::encode(object);
    let mut error = <A as Number<ErrorCode>>::encode(error);
    // SAFETY: the application registered an error handler of this ABI; it is variadic in C.
    unsafe { function.typed::<Handler<<A as Encode<H>>::C>>()(&mut object, &mut error) }
    code::<A>(error)
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi + Encode<H>, H: Handle, F> FromC<A, *mut F> for ErrhandlerFunction<H> {
    unsafe fn from_c(c: *mut F, name: &'static str) -> Result<Self> {
        Ok(ErrhandlerFunction {
            function: function(c, name)?,
            call: errhandler::<A, H>,
        })
    }
}

unsafe fn stateful_errhandler<A: Abi + Encode<H>, H>(
    function: Function,
    object: H,
    error: ErrorCode,
) -> ErrorCode {
    type Handler<C> = unsafe extern "C" fn(C, c_int, *mut c_void);
    let c_error = <A as Number<ErrorCode>>::encode(error);
    // SAFETY: the application registered an error handler of this ABI; its state lives with the handler.
    unsafe {
        let (function, extra) = State::of(function);
        let object = <A as Encode<H>>::encode(object);
        function.typed::<Handler<<A as Encode<H>>::C>>()(object, c_error, extra.0);
    }
    error
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi + Encode<H>, H: Handle, F> FromC<A, *mut F> for Stateful<ErrhandlerFunction<H>> {
    unsafe fn from_c(c: *mut F, name: &'static str) -> Result<Self> {
        Ok(Stateful(ErrhandlerFunction {
            function: function(c, name)?,
            call: stateful_errhandler::<A, H>,
        }))
    }
}

unsafe fn stateful_user_function<A: Abi>(
    function: Function,
    invec: *mut c_void,
    inoutvec: *mut c_void,
    len: i64,
    datatype: Datatype,
) {
    type User<C> = unsafe extern "C" fn(*mut c_void, *mut c_void, i64, C, *mut c_void);
    let datatype = <A as Encode<Datatype>>::encode(datatype);
    // SAFETY: the application registered an operation of this ABI; its state lives with the operation.
    unsafe {
        let (function, extra) = State::of(function);
        let function = function.typed::<User<<A as Encode<Datatype>>::C>>();
        function(invec, inoutvec, len, datatype, extra.0);
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, F> FromC<A, *mut F> for Stateful<UserFunction> {
    unsafe fn from_c(c: *mut F, name: &'static str) -> Result<Self> {
        Ok(Stateful(UserFunction {
            function: function(c, name)?,
            large_count: true,
            call: stateful_user_function::<A>,
        }))
    }
}

unsafe fn destructor(function: Function, extra: Opaque) {
    type Destroy = unsafe extern "C" fn(*mut c_void);
    // SAFETY: the application registered a destructor.
    unsafe { function.typed::<Destroy>()(extra.0) }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, F> FromC<A, *mut F> for Option<Destructor> {
    unsafe fn from_c(c: *mut F, _: &'static str) -> Result<Self> {
        let function = Function(c.expose_provenance());
        Ok((!c.is_null()).then_some(Destructor {
            function,
            call: destructor,
        }))
    }
}

unsafe fn user_function<A: Abi>(
    function: Function,
    invec: *mut c_void,
    inoutvec: *mut c_void,
    len: i64,
    datatype: Datatype,
) {
    type User<C> = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut C);
    let mut len = len as c_int;
    let mut datatype = <A as Encode<Datatype>>::encode(datatype);
    // SAFETY: the application registered an operation of this ABI; `UserFunction::call` keeps the
    // length within `int`.
    unsafe {
        function.typed::<User<<A as Encode<Datatype>>::C>>()(
            invec,
            inoutvec,
            &mut len,
            &mut datatype,
        )
    }
}

unsafe fn user_function_wide<A: Abi>(
    function: Function,
    invec: *mut c_void,
    inoutvec: *mut c_void,
    len: i64,
    datatype: Datatype,
) {
    type User<C> = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i64, *mut C);
    let mut len = len;
    let mut datatype = <A as Encode<Datatype>>::encode(datatype);
    // SAFETY: the application registered a large-count operation of this ABI.
    unsafe {
        function.typed::<User<<A as Encode<Datatype>>::C>>()(
            invec,
            inoutvec,
            &mut len,
            &mut datatype,
        )
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, F: Shape> FromC<A, *mut F> for UserFunction {
    unsafe fn from_c(c: *mut F, name: &'static str) -> Result<Self> {
        Ok(UserFunction {
            function: function(c, name)?,
            large_count: F::LARGE_COUNT,
            call: if F::LARGE_COUNT {
                user_function_wide::<A>
            } else {
                user_function::<A>
            },
        })
    }
}

unsafe fn grequest_query<A: Abi>(
    function: Function,
    extra: Opaque,
    status: &mut Status,
) -> ErrorCode {
    type Query<S> = unsafe extern "C" fn(*mut c_void, *mut S) -> c_int;
    let mut c_status = A::blank_status();
    A::write_status(&mut c_status, *status);
    A::write_status_error(&mut c_status, ErrorCode(status.error));
    // SAFETY: the application registered a query function of this ABI.
    let result = unsafe { function.typed::<Query<A::Status>>()(extra.0, &mut c_status) };
    *status = A::read_whole_status(&c_status);
    code::<A>(result)
}

unsafe fn grequest_free<A: Abi>(function: Function, extra: Opaque) -> ErrorCode {
    type Free = unsafe extern "C" fn(*mut c_void) -> c_int;
    // SAFETY: the application registered a free function.
    code::<A>(unsafe { function.typed::<Free>()(extra.0) })
}

unsafe fn grequest_cancel<A: Abi>(function: Function, extra: Opaque, complete: bool) -> ErrorCode {
    type Cancel = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;
    // SAFETY: the application registered a cancel function.
    code::<A>(unsafe { function.typed::<Cancel>()(extra.0, c_int::from(complete)) })
}

macro_rules! grequest {
    ($($type:ident: $thunk:ident;)*) => { $(
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi, F> FromC<A, *mut F> for $type {
            unsafe fn from_c(c: *mut F, name: &'static str) -> Result<Self> {
                Ok($type { function: function(c, name)?, call: $thunk::<A> })
            }
        }
    )* };
}

grequest! {
    GrequestQuery: grequest_query;
    GrequestFree: grequest_free;
    GrequestCancel: grequest_cancel;
}

unsafe fn grequest_wait<A: Abi>(function: Function, extra: Opaque, seconds: f64) -> ErrorCode {
    type Wait<S> = unsafe extern "C" fn(c_int, *mut *mut c_void, f64, *mut S) -> c_int;
    let mut states = [extra.0];
    let mut status = A::blank_status();
    // SAFETY: the application registered a wait function.
    code::<A>(unsafe {
        function.typed::<Wait<A::Status>>()(1, states.as_mut_ptr(), seconds, &mut status)
    })
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, F> FromC<A, *mut F> for GrequestPoll {
    unsafe fn from_c(c: *mut F, _: &'static str) -> Result<Self> {
        Ok(GrequestPoll((!c.is_null()).then(|| GrequestQuery {
            function: Function(c.expose_provenance()),
            call: grequest_query::<A>,
        })))
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, F> FromC<A, *mut F> for GrequestWait {
    unsafe fn from_c(c: *mut F, _: &'static str) -> Result<Self> {
        Ok(GrequestWait((!c.is_null()).then(|| GrequestWaitFunction {
            function: Function(c.expose_provenance()),
            call: grequest_wait::<A>,
        })))
    }
}

unsafe fn event_function<A: Abi>(
    function: Function,
    instance: EventInstance,
    registration: EventRegistration,
    safety: CbSafety,
    user_data: Opaque,
) {
    // Tool handles are pointers and MPI_T_cb_safety is an enumeration of the width of `int`.
    type Event = unsafe extern "C" fn(usize, usize, c_int, *mut c_void);
    let safety = <A as Number<CbSafety>>::encode(safety);
    // SAFETY: the tool registered an event function of this ABI.
    unsafe { function.typed::<Event>()(instance.0, registration.0, safety, user_data.0) }
}

unsafe fn event_free<A: Abi>(
    function: Function,
    registration: EventRegistration,
    safety: CbSafety,
    user_data: Opaque,
) {
    type Free = unsafe extern "C" fn(usize, c_int, *mut c_void);
    let safety = <A as Number<CbSafety>>::encode(safety);
    // SAFETY: the tool gave a function of this ABI to be told of the end.
    unsafe { function.typed::<Free>()(registration.0, safety, user_data.0) }
}

/// Functions of tools may be left out: null takes one back.
macro_rules! tool_functions {
    ($($type:ident: $thunk:ident;)*) => { $(
        // SAFETY: what is kept of C's pointers is used within the call only.
        unsafe impl<A: Abi, F> FromC<A, *mut F> for Option<$type> {
            unsafe fn from_c(c: *mut F, _: &'static str) -> Result<Self> {
                if c.is_null() {
                    return Ok(None);
                }
                let function = Function(c.expose_provenance());
                Ok(Some($type { function, call: $thunk::<A> }))
            }
        }
    )* };
}

tool_functions! {
    EventFunction: event_function;
    EventFree: event_free;
}

unsafe fn datarep_extent<A: Abi>(
    function: Function,
    datatype: Datatype,
    extent: &mut Aint,
    extra: Opaque,
) -> ErrorCode {
    type Extent<C> = unsafe extern "C" fn(C, *mut Aint, *mut c_void) -> c_int;
    let datatype = <A as Encode<Datatype>>::encode(datatype);
    // SAFETY: the application registered an extent function of this ABI.
    code::<A>(unsafe {
        function.typed::<Extent<<A as Encode<Datatype>>::C>>()(datatype, extent, extra.0)
    })
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, F> FromC<A, *mut F> for DatarepExtent {
    unsafe fn from_c(c: *mut F, name: &'static str) -> Result<Self> {
        Ok(DatarepExtent {
            function: function(c, name)?,
            call: datarep_extent::<A>,
        })
    }
}

macro_rules! conversion {
    ($($thunk:ident $count:ty;)*) => { $(
        unsafe fn $thunk<A: Abi>(
            function: Function,
            userbuf: *mut c_void,
            datatype: Datatype,
            count: i64,
            filebuf: *mut c_void,
            position: Offset,
            extra: Opaque,
        ) -> ErrorCode {
            type Conversion<C> = unsafe extern "C" fn(
                *mut c_void, C, $count, *mut c_void, Offset, *mut c_void,
            ) -> c_int;
            let datatype = <A as Encode<Datatype>>::encode(datatype);
            // SAFETY: the application registered a conversion function of this ABI.
            code::<A>(unsafe {
                function.typed::<Conversion<<A as Encode<Datatype>>::C>>()(
                    userbuf, datatype, count as $count, filebuf, position, extra.0,
                )
            })
        }
    )* };
}

conversion! {
    datarep_conversion c_int;
    datarep_conversion_wide i64;
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, F: Shape> FromC<A, *mut F> for DatarepConversion {
    unsafe fn from_c(c: *mut F, _: &'static str) -> Result<Self> {
        Ok(DatarepConversion {
            function: Function(c.expose_provenance()),
            large_count: F::LARGE_COUNT,
            call: if F::LARGE_COUNT {
                datarep_conversion_wide::<A>
            } else {
                datarep_conversion::<A>
            },
        })
    }
}

// SAFETY: what is kept of C's pointers is used within the call only.
unsafe impl<A: Abi, F> FromC<A, *mut F> for RawFunction {
    unsafe fn from_c(c: *mut F, _: &'static str) -> Result<Self> {
        Ok(RawFunction(c.expose_provenance()))
    }
}

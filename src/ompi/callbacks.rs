//! Error handlers and operations of Open MPI's Fortran and C++ libraries, and errors that these raise.
//!
//! Signatures are those of Open MPI 4.1. Must not know what the functions do.

use std::ffi::CStr;
use std::io::Write;

use anympi_core::abi::{Abi, Encode, Number};
use anympi_core::callback::{ErrhandlerFunction, Function, Proxied, UserFunction};
use anympi_core::errhandler;
use anympi_core::error::{Error, class};
use anympi_core::handle::{Comm, Datatype, Errhandler, File, Handle, Kind, Op, Win};
use anympi_core::raise;
use anympi_core::types::{ErrorCode, TypeClass};

use crate::crossing;
use crate::handles::kind_of;
use crate::object;
use crate::prelude::*;

/// The kind of objects that an error handler is for (`ompi_errhandler_type_t`).
mod object_type {
    use super::c_int;

    pub const COMM: c_int = 1;
    pub const WIN: c_int = 2;
    pub const FILE: c_int = 3;
}

/// The language of an error handler (`ompi_errhandler_lang_t`).
mod language {
    use super::c_int;

    /// C++ in 4.1. In 5.0, which has no C++, it is Fortran.
    pub const CXX: c_int = 1;
    pub const FORTRAN: c_int = 2;
}

unsafe fn handle_of_c<H: Handle>(function: Function, object: H, error: ErrorCode) -> ErrorCode
where
    Front: Encode<H>,
{
    type Handler<C> = unsafe extern "C" fn(*mut C, *mut c_int, ...);
    let mut object = <Front as Encode<H>>::encode(object);
    let mut error = <Front as Number<ErrorCode>>::encode(error);
    // SAFETY: the binding registered a handler.
    unsafe { function.typed::<Handler<<Front as Encode<H>>::C>>()(&mut object, &mut error) };
    <Front as Number<ErrorCode>>::decode(error)
}

unsafe fn handle_of_fortran<H: Handle>(
    function: Function,
    object: H,
    error: ErrorCode,
) -> ErrorCode {
    type Handler = unsafe extern "C" fn(*mut MPI_Fint, *mut MPI_Fint);
    let mut object = Front::to_fortran(object);
    let mut error = <Front as Number<ErrorCode>>::encode(error);
    // SAFETY: the Fortran binding registered a handler.
    unsafe { function.typed::<Handler>()(&mut object, &mut error) };
    <Front as Number<ErrorCode>>::decode(error)
}

/// The proxy is the place in the handler's object where C++ has said what calls its functions. Fortran of Open MPI
/// 5.0 says nothing there.
unsafe fn handle_of_cxx<H: Handle>(function: Function, object: H, error: ErrorCode) -> ErrorCode
where
    Front: Encode<H>,
{
    type Dispatch<C> = unsafe extern "C" fn(*mut C, *mut c_int, *const c_char, Function);
    // SAFETY: `Proxied::pair` made it, of an object that stays; the C++ binding fills in the place right
    // after it has made a handler.
    let (dispatch, function) = unsafe {
        let Proxied { proxy, function } = Proxied::of(function);
        (
            Function(*std::ptr::with_exposed_provenance::<usize>(proxy)),
            function,
        )
    };
    if dispatch.0 == 0 {
        // SAFETY: the Fortran binding registered it.
        return unsafe { handle_of_fortran(function, object, error) };
    }
    let mut object = <Front as Encode<H>>::encode(object);
    let mut error = <Front as Number<ErrorCode>>::encode(error);
    // SAFETY: the C++ binding has said that this calls its functions.
    unsafe {
        let dispatch = dispatch.typed::<Dispatch<<Front as Encode<H>>::C>>();
        dispatch(&mut object, &mut error, c"".as_ptr(), function);
    }
    <Front as Number<ErrorCode>>::decode(error)
}

fn handler<H: Handle>(function: Function, lang: c_int) -> ErrhandlerFunction<H>
where
    Front: Encode<H>,
{
    ErrhandlerFunction {
        function,
        call: match lang {
            language::FORTRAN => handle_of_fortran::<H>,
            language::CXX => handle_of_cxx::<H>,
            _ => handle_of_c::<H>,
        },
    }
}

/// Makes an error handler; the null handler if that fails.
#[unsafe(no_mangle)]
pub extern "C" fn ompi_errhandler_create(
    object_type: c_int,
    function: *mut c_void,
    lang: c_int,
) -> MPI_Errhandler {
    let of_kind = |function| match object_type {
        object_type::COMM => Some(errhandler::Function::Comm(handler(function, lang))),
        object_type::WIN => Some(errhandler::Function::Win(handler(function, lang))),
        object_type::FILE => Some(errhandler::Function::File(handler(function, lang))),
        _ => None,
    };
    let mut made = Errhandler::NULL;
    enter::<Front>(
        "MPI_Comm_create_errhandler",
        || On::Call,
        |mpi| {
            let function = Function(function.expose_provenance());
            let Some(plain) = of_kind(function) else {
                return Err(Error::new(
                    class::INTERN,
                    format!("{object_type} is no kind of object that has error handlers"),
                ));
            };
            made = mpi.errhandlers.create(plain)?;
            if lang == language::CXX {
                let place = crossing::object(made).new_dispatch_place();
                let pair = Proxied::pair(place, function);
                mpi.errhandlers
                    .exchange(made, |plain| of_kind(pair).unwrap_or(plain))?;
            }
            Ok(())
        },
    );
    <Front as Encode<Errhandler>>::encode(made)
}

/// Raises an error that a binding has found itself, on the handler of an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_errhandler_invoke(
    _errhandler: MPI_Errhandler,
    object: *mut c_void,
    _object_type: c_int,
    error: c_int,
    message: *const c_char,
) -> c_int {
    let number = object::number(object);
    let on = || match kind_of(number) {
        Kind::Comm => On::Comm(Comm(number)),
        Kind::Win => On::Win(Win(number)),
        Kind::File => On::File(File(number)),
        _ => On::Call,
    };
    let text = if message.is_null() {
        "a language binding refused the call".to_owned()
    } else {
        // SAFETY: the binding gives a C string.
        let call = unsafe { CStr::from_ptr(message) }.to_string_lossy();
        format!("Open MPI's language binding of {call} refused the call")
    };
    let code = <Front as Number<ErrorCode>>::decode(error);
    enter::<Front>("MPI call", on, |_| Err(Error::new(code.0, text)))
}

unsafe fn combine_of_cxx(
    function: Function,
    invec: *mut c_void,
    inoutvec: *mut c_void,
    len: i64,
    datatype: Datatype,
) {
    type Intercept =
        unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype, Function);
    let mut len = len as c_int;
    let mut datatype = <Front as Encode<Datatype>>::encode(datatype);
    // SAFETY: `Proxied::pair` made it; C++'s intercept takes these arguments, and `UserFunction::call` keeps
    // the length within `int`.
    unsafe {
        let Proxied { proxy, function } = Proxied::of(function);
        Function(proxy).typed::<Intercept>()(invec, inoutvec, &mut len, &mut datatype, function);
    }
}

/// Says that an operation's function so far is C++'s way to call `function`.
#[unsafe(no_mangle)]
pub extern "C" fn ompi_op_set_cxx_callback(op: MPI_Op, function: *mut c_void) {
    enter::<Front>(
        "MPI::Op::Init",
        || On::Call,
        |mpi| {
            let op = mpi.ops.find(<Front as Encode<Op>>::decode(op))?;
            if let Some(callback) = op.callback() {
                let intercept = callback.get().function.0;
                callback.set(UserFunction {
                    function: Proxied::pair(intercept, Function(function.expose_provenance())),
                    large_count: false,
                    call: combine_of_cxx,
                });
            }
            Ok(())
        },
    );
}

/// The Fortran datatype of a class (`OMPI_DATATYPE_FLAG_DATA_*`) and size; null handle if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn ompi_datatype_match_size(size: c_int, kind: u16, _language: u16) -> MPI_Datatype {
    const CLASSES: u16 = 0x3000;
    let class = match kind & CLASSES {
        0x1000 => TypeClass::INTEGER,
        0x2000 => TypeClass::REAL,
        _ => TypeClass::COMPLEX,
    };
    let mut found = Datatype::NULL;
    enter::<Front>(
        "MPI_Type_match_size",
        || On::Call,
        |mpi| {
            // The binding raises the error itself.
            found = mpi.types.match_size(class, size).unwrap_or(Datatype::NULL);
            Ok(())
        },
    );
    <Front as Encode<Datatype>>::encode(found)
}

/// Ends the job because a binding was called where MPI cannot be used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompi_mpi_errors_are_fatal_comm_handler(
    _comm: *mut MPI_Comm,
    _error: *mut c_int,
    name: *const c_char,
) {
    let call = if name.is_null() {
        "MPI call".into()
    } else {
        // SAFETY: the binding gives a C string.
        unsafe { CStr::from_ptr(name) }.to_string_lossy()
    };
    anytime::<Front>(
        "MPI call",
        || On::Call,
        |mpi| {
            let place = raise::whereabouts(mpi);
            // Nothing can be done about a closed standard error.
            let _ = writeln!(
                std::io::stderr(),
                "anympi: {call} cannot be called here on {place}"
            );
            mpi.abort(class::OTHER)
        },
    );
}

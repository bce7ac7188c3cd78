//! Operations, error handlers and generalised requests of C++ and Fortran: MPICH's libraries for these
//! languages make them through C's calls, then say how their functions are to be called.
//!
//! Signatures are those of MPICH 4.0. Must not know what the functions do.

#![allow(non_snake_case)]

use anympi_core::abi::{Abi, Encode, Number, fortran};
use anympi_core::callback::{ErrhandlerFunction, Function, Proxied, UserFunction};
use anympi_core::errhandler;
use anympi_core::grequest;
use anympi_core::handle::{Comm, Datatype, Errhandler, File, Handle, Kind, Op, Request, Win};
use anympi_core::types::ErrorCode;

use crate::prelude::*;

/// Calls a C++ operation.
type OpProxy = unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, MPI_Datatype, Function);

/// Calls a C++ error handler: kind of object, object, code.
type ErrhandlerProxy = unsafe extern "C" fn(c_int, *mut c_void, *mut c_int, Function);

unsafe fn combine(
    function: Function,
    invec: *mut c_void,
    inoutvec: *mut c_void,
    len: i64,
    datatype: Datatype,
) {
    let datatype = <Front as Encode<Datatype>>::encode(datatype);
    // SAFETY: `Proxied::pair` made it; C++'s proxy takes these arguments, and `UserFunction::call` keeps
    // the length within `int`.
    unsafe {
        let Proxied { proxy, function } = Proxied::of(function);
        Function(proxy).typed::<OpProxy>()(invec, inoutvec, len as c_int, datatype, function);
    }
}

/// Says that an operation's function is C++'s.
#[unsafe(no_mangle)]
pub extern "C" fn MPII_Op_set_cxx(op: MPI_Op, proxy: OpProxy) {
    enter::<Front>(
        "MPII_Op_set_cxx",
        || On::Call,
        |mpi| {
            let op = mpi.ops.find(<Front as Encode<Op>>::decode(op))?;
            if let Some(callback) = op.callback() {
                let function = callback.get().function;
                callback.set(UserFunction {
                    function: Proxied::pair(proxy as usize, function),
                    large_count: false,
                    call: combine,
                });
            }
            Ok(())
        },
    );
}

/// The number by which C++'s proxy knows a kind of object.
fn kind<H: Handle>() -> c_int {
    match H::KIND {
        Kind::File => 1,
        Kind::Win => 2,
        _ => 0,
    }
}

unsafe fn handle_error<H: Handle>(function: Function, object: H, error: ErrorCode) -> ErrorCode
where
    Front: Encode<H>,
{
    let mut object = <Front as Encode<H>>::encode(object);
    let mut error = <Front as Number<ErrorCode>>::encode(error);
    // SAFETY: `Proxied::pair` made it; C++'s proxy takes these arguments.
    unsafe {
        let Proxied { proxy, function } = Proxied::of(function);
        let proxy = Function(proxy).typed::<ErrhandlerProxy>();
        proxy(kind::<H>(), (&raw mut object).cast(), &mut error, function);
    }
    // C++ calls the handler itself for a call that returns an error: it has been called.
    ErrorCode::SUCCESS
}

fn proxied<H: Handle>(
    proxy: ErrhandlerProxy,
    function: ErrhandlerFunction<H>,
) -> ErrhandlerFunction<H>
where
    Front: Abi + Encode<H>,
{
    ErrhandlerFunction {
        function: Proxied::pair(proxy as usize, function.function),
        call: handle_error::<H>,
    }
}

/// Says that an error handler's function is C++'s.
#[unsafe(no_mangle)]
pub extern "C" fn MPII_Errhandler_set_cxx(handler: MPI_Errhandler, proxy: ErrhandlerProxy) {
    use errhandler::Function::{
        Comm as OfComm, File as OfFile, Session as OfSession, Win as OfWin,
    };
    enter::<Front>(
        "MPII_Errhandler_set_cxx",
        || On::Call,
        |mpi| {
            let handler = <Front as Encode<Errhandler>>::decode(handler);
            mpi.errhandlers
                .exchange(handler, |function| match function {
                    OfComm(function) => OfComm(proxied::<Comm>(proxy, function)),
                    OfWin(function) => OfWin(proxied::<Win>(proxy, function)),
                    OfFile(function) => OfFile(proxied::<File>(proxy, function)),
                    // C++ has no sessions.
                    OfSession(function) => OfSession(function),
                })
        },
    );
}

/// Says that a generalised request's functions are Fortran's.
#[unsafe(no_mangle)]
pub extern "C" fn MPII_Grequest_set_lang_f77(request: MPI_Request) {
    enter::<Front>(
        "MPII_Grequest_set_lang_f77",
        || On::Call,
        |mpi| {
            let request = <Front as Encode<Request>>::decode(request);
            grequest::find(&mpi.requests, request)?.exchange(fortran::grequest::<Front>);
            Ok(())
        },
    );
}

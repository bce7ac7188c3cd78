//! The door: what happens around every call. Is MPI usable, the lock, the arguments, the error.
//!
//! Four ways in: [`enter`] for calls between init and finalize, [`anytime`] for those that MPI allows
//! before and after too, [`tool`] for `MPI_T` (no error handlers), [`unlocked`] for `MPI_Abort`.
//! Functions that return no error code use [`plain`].

use std::ffi::c_int;

use super::{Abi, Number, ToC};
use crate::errhandler::Attached;
use crate::error::{Error, On, Result, class};
use crate::forked;
use crate::handle::{Comm, Errhandler};
use crate::mpi::{Mpi, WorldModel};
use crate::phase::Phase;
use crate::raise;
use crate::sys;
use crate::types::ErrorCode;

/// The library's state in this process, and in this front.
struct Shared(Mpi);

// SAFETY: the door makes access exclusive: by the lock at MPI_THREAD_MULTIPLE and outside init ..
// finalize, by the application's promise below it.
unsafe impl Sync for Shared {}

static MPI: Shared = Shared(Mpi::new());

/// A call that needs MPI to be initialised and not finalised.
#[inline(always)]
pub fn enter<A: Abi>(
    call: &'static str,
    on: impl FnOnce() -> On,
    body: impl FnOnce(&'static Mpi) -> Result<()>,
) -> c_int {
    match unlocked_mpi() {
        Some(mpi) => code::<A>(mpi, call, on, body(mpi)),
        None => enter_elsewhere::<A>(call, (on, body)),
    }
}

/// [`enter`] for the exported functions: `enter!(Front, "MPI_X", object, |mpi| call)`. The call is written twice, so
/// that it is compiled into both places. Written once, it would be a function of its own: its arguments would go
/// through memory for the sake of a lock that is not taken.
#[macro_export]
macro_rules! enter {
    ($front:ty, $call:literal, $on:expr, $body:expr) => {
        match $crate::abi::unlocked_mpi() {
            Some(mpi) => $crate::abi::code::<$front>(mpi, $call, || $on, ($body)(mpi)),
            None => $crate::abi::enter_elsewhere::<$front>($call, (move || $on, $body)),
        }
    };
}

/// The state where calls take no lock.
#[inline(always)]
pub fn unlocked_mpi() -> Option<&'static Mpi> {
    (MPI.0.phase() == Phase::Running).then_some(&MPI.0)
}

/// What a call returns in C.
#[inline(always)]
pub fn code<A: Abi>(
    mpi: &Mpi,
    call: &'static str,
    on: impl FnOnce() -> On,
    result: Result<()>,
) -> c_int {
    match result {
        Ok(()) => 0,
        Err(error) => raise::<A>(mpi, call, on(), &error),
    }
}

/// [`enter!`] in any other phase. The closures are one value, which is made for this call only.
#[cold]
#[inline(never)]
pub fn enter_elsewhere<A: Abi>(
    call: &'static str,
    (on, body): (impl FnOnce() -> On, impl FnOnce(&'static Mpi) -> Result<()>),
) -> c_int {
    let mpi = &MPI.0;
    match mpi.phase() {
        Phase::RunningThreads => (),
        Phase::Forked => return in_child::<A>(mpi, call),
        _ => return not_running::<A>(mpi, call),
    }
    mpi.acquire();
    let code = code::<A>(mpi, call, on, body(mpi));
    mpi.release();
    code
}

/// A call that is allowed before init and after finalize as well (MPI-5.0, 11.4.1).
#[inline]
pub fn anytime<A: Abi>(
    call: &'static str,
    on: impl FnOnce() -> On,
    body: impl FnOnce(&'static Mpi) -> Result<()>,
) -> c_int {
    let mpi = &MPI.0;
    if mpi.is_forked() && !answers_in_child(mpi, call) {
        return in_child::<A>(mpi, call);
    }
    let unlocked = is_unlocked(mpi);
    if !unlocked {
        mpi.acquire();
        mpi.set_facts(A::FACTS);
    }
    let code = code::<A>(mpi, call, on, body(mpi));
    if !unlocked {
        mpi.release();
    }
    code
}

/// A call of the tool interface: allowed at any time, and its errors go to no handler.
#[inline]
pub fn tool<A: Abi>(body: impl FnOnce(&'static Mpi) -> Result<()>) -> c_int {
    let mpi = &MPI.0;
    let unlocked = is_unlocked(mpi);
    if !unlocked {
        mpi.acquire();
        mpi.set_facts(A::FACTS);
    }
    let result = match mpi.is_forked() {
        false => body(mpi),
        true => {
            forked::tell("a call of the tool interface");
            Err(Error::new(class::T_ERR_NOT_INITIALIZED, "forked"))
        }
    };
    if !unlocked {
        mpi.release();
    }
    match result {
        Ok(()) => 0,
        Err(error) => {
            // Pointers and functions that are missing have a class of their own here (MPI-5.0, 15.3.10).
            let code = match error.code() {
                class::ARG => class::T_ERR_INVALID,
                code => code,
            };
            <A as Number<ErrorCode>>::encode(ErrorCode(code))
        }
    }
}

/// A call that takes no lock, because it may come from a signal handler or while another thread is
/// inside.
pub fn unlocked<A: Abi>(
    call: &'static str,
    on: impl FnOnce() -> On,
    body: impl FnOnce(&'static Mpi) -> Result<()>,
) -> c_int {
    let mpi = &MPI.0;
    if mpi.is_forked() {
        forked::tell(call);
    } else if !mpi.is_running() {
        return not_running::<A>(mpi, call);
    }
    code::<A>(mpi, call, on, body(mpi))
}

/// A function that returns no error code. It takes no lock and must not touch objects.
#[inline(always)]
pub fn plain<A: Abi, C, T: ToC<A, C>>(body: impl FnOnce(&'static Mpi) -> Result<T>) -> C {
    match body(&MPI.0) {
        Ok(value) => value.to_c(),
        Err(_) => T::fallback(),
    }
}

#[cold]
#[inline(never)]
fn raise<A: Abi>(mpi: &Mpi, call: &'static str, on: On, error: &Error) -> c_int {
    let on = match error.raised_on() {
        On::Call => on,
        other => other,
    };
    let code = raise::raise(mpi, call, on, error);
    <A as Number<ErrorCode>>::encode(code)
}

/// Whether calls take no lock: in the child of a fork nobody may be left to give it back.
#[inline(always)]
fn is_unlocked(mpi: &Mpi) -> bool {
    matches!(mpi.phase(), Phase::Running | Phase::Forked)
}

/// Whether a call that is allowed at any time is so in the child of a fork. It is not if it would start MPI. Nor is it if it
/// would touch objects that another thread of the parent may have left in the middle of a change.
#[cold]
fn answers_in_child(mpi: &Mpi, call: &str) -> bool {
    match call {
        "MPI_Init" | "MPI_Init_thread" | "MPI_Session_init" => false,
        "MPI_Initialized" | "MPI_Finalized" | "MPI_Get_version" => true,
        "MPI_Get_library_version" | "MPI_Pcontrol" => true,
        _ => !mpi.is_locked(),
    }
}

/// A call in the child of a fork. It ends the child, and nobody else, unless the initial error handler returns, or that of
/// `MPI_COMM_WORLD`. `MPI_Finalize` always returns: programs call it while they end with a code of their own.
#[cold]
#[inline(never)]
fn in_child<A: Abi>(mpi: &Mpi, call: &'static str) -> c_int {
    forked::tell(call);
    let returns =
        |attached: &Attached| matches!(attached, Attached::Predefined(Errhandler::RETURN));
    let world_returns = || {
        let world = mpi.comm(Comm::WORLD).ok();
        // Another thread of the parent may have been about to change it.
        world.is_some_and(|world| world.errhandler.try_borrow().is_ok_and(|own| returns(&own)))
    };
    if call != "MPI_Finalize" && !returns(&mpi.errhandlers.initial()) && !world_returns() {
        sys::exit_now(class::OTHER);
    }
    <A as Number<ErrorCode>>::encode(ErrorCode(class::OTHER))
}

#[cold]
#[inline(never)]
fn not_running<A: Abi>(mpi: &Mpi, call: &'static str) -> c_int {
    let what = match (mpi.phase(), mpi.world_model()) {
        (Phase::Before, _) => "MPI is not initialised (call MPI_Init first)",
        (_, WorldModel::Before) => "MPI is not initialised, and no session is open any more",
        _ => "MPI has been finalised already",
    };
    raise::<A>(mpi, call, On::Call, &Error::new(class::OTHER, what))
}

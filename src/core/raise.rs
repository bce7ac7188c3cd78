//! What happens when a call fails (MPI-5.0, chapter 9): to which error handler the error goes, and what that does.
//!
//! An error goes to the handler of the object the call was made on: communicator, window, file or session. A request
//! or a message stands for such an object. Without one, the error goes to the handler of `MPI_COMM_SELF`, or of
//! `MPI_COMM_WORLD` if only that one was changed. Before initialisation and after finalisation it goes to the initial
//! handler. User functions run through `Runtime::outside`.

use std::io::Write;

use crate::comm::Communicator;
use crate::errhandler::Attached;
use crate::error::{Error, On};
use crate::handle::{Comm, Errhandler, File, Session};
use crate::mpi::Mpi;
use crate::types::ErrorCode;

/// Hands the error of `call` to the error handler of `on`. Returns the code for the caller, if the
/// handler lets the call return; a handler's function may change it.
pub fn raise(mpi: &Mpi, call: &'static str, on: On, error: &Error) -> ErrorCode {
    let code = ErrorCode(error.code());
    let (attached, object) = responsible(mpi, on);
    if error.is_not_built() && !attached.is_fatal() && mpi.errhandlers.is_news(call) {
        say(&error_line(mpi, call, error));
    }
    invoke(mpi, &attached, object, code, |mpi| {
        error_line(mpi, call, error)
    })
}

/// The handler for an error on `on`, and the object it is called with.
fn responsible(mpi: &Mpi, on: On) -> (Attached, On) {
    // Handlers that the call's own arguments name.
    match on {
        On::NewComm(handle) => {
            if let Ok(attached) = mpi.errhandlers.for_kind::<Comm>(handle) {
                return (attached, On::Comm(Comm::NULL));
            }
        }
        On::NewSession(handle) => {
            if let Ok(attached) = mpi.errhandlers.for_kind::<Session>(handle) {
                return (attached, On::Session(Session::NULL));
            }
        }
        _ => (),
    }
    if !mpi.is_running() {
        // An unknown name is an error of MPI_Init; until then the strictest handler stays.
        let _ = mpi.errhandlers.read_initial();
        return (mpi.errhandlers.initial(), On::Call);
    }
    let on = match on {
        // A request or a message keeps a freed communicator alive, with its handler.
        On::Request(request) => match mpi.requests.comm(request) {
            Some(comm) => return of_comm(&comm),
            None => mpi.requests.works_on(request),
        },
        On::Message(message) => match mpi.messages.get(message) {
            Some(kept) => return of_comm(&kept.comm),
            None => On::Call,
        },
        other => other,
    };
    match on {
        On::Comm(handle) => {
            if let Ok(comm) = mpi.comm(handle) {
                return of_comm(&comm);
            }
        }
        // No files can be opened yet, so every other handle is none.
        On::File(_) => {
            let attached = mpi.errhandlers.file_null.borrow().clone();
            return (attached, On::File(File::NULL));
        }
        On::Session(handle) => {
            if let Ok(session) = mpi.sessions.find(handle) {
                let attached = session.errhandler.borrow().clone();
                return (attached, on);
            }
        }
        // No windows can be made yet.
        On::Win(_) | On::NewComm(_) | On::NewSession(_) | On::Call => (),
        On::Request(_) | On::Message(_) => unreachable!("both stand for another object"),
    }
    // Before MPI 4.0 such errors went to MPI_COMM_WORLD, and programs still set only its handler.
    let initial = mpi.errhandlers.initial();
    for handle in [Comm::SELF, Comm::WORLD] {
        if let Ok(comm) = mpi.comms.find(handle) {
            let attached = comm.errhandler.borrow().clone();
            if !attached.is_same_predefined(&initial) {
                return (attached, On::Comm(handle));
            }
        }
    }
    (initial, On::Comm(Comm::SELF))
}

fn of_comm(comm: &Communicator) -> (Attached, On) {
    let attached = comm.errhandler.borrow().clone();
    (attached, On::Comm(comm.handle))
}

/// Does what a handler is for: ends the job with a text, calls the user's function, or nothing. Returns
/// the code that this leaves.
pub fn invoke(
    mpi: &Mpi,
    attached: &Attached,
    object: On,
    code: ErrorCode,
    text: impl FnOnce(&Mpi) -> String,
) -> ErrorCode {
    match attached {
        Attached::Predefined(Errhandler::RETURN) => code,
        Attached::Predefined(_) => {
            say(&text(mpi));
            mpi.abort(code.0)
        }
        Attached::User(handler) => mpi.outside(|| handler.call(object, code)),
    }
}

fn say(text: &str) {
    // Nothing can be done about a closed standard error.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// What `MPI_ERRORS_ARE_FATAL` says, and every handler of a call that is not built: one line.
fn error_line(mpi: &Mpi, call: &str, error: &Error) -> String {
    format!(
        "anympi: {call} on {}: {} ({})\n",
        whereabouts(mpi),
        error.what(),
        name_of(mpi, error.code())
    )
}

/// What an error code means, for messages.
pub fn name_of(mpi: &Mpi, code: i32) -> String {
    let text = mpi.codes.text(ErrorCode(code)).unwrap_or_default();
    if text.is_empty() {
        format!("error code {code}")
    } else {
        text
    }
}

/// Which process this is, for messages: `rank 2 of 4 (host h, pid p)`.
pub fn whereabouts(mpi: &Mpi) -> String {
    let host = nix::unistd::gethostname().unwrap_or_default();
    let host = host.to_string_lossy();
    let process = std::process::id();
    match mpi.world() {
        Some((rank, size)) => format!("rank {rank} of {size} (host {host}, pid {process})"),
        None => format!("a process without a rank (host {host}, pid {process})"),
    }
}

#[cfg(test)]
#[allow(unsafe_code)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::callback::{self, ErrhandlerFunction};
    use crate::errhandler::Function;

    thread_local! {
        static SEEN: Cell<Option<(Comm, i32)>> = const { Cell::new(None) };
    }

    unsafe fn note(_: callback::Function, comm: Comm, code: ErrorCode) -> ErrorCode {
        SEEN.set(Some((comm, code.0)));
        ErrorCode(code.0 + 1)
    }

    fn comm_function() -> Function {
        Function::Comm(ErrhandlerFunction {
            function: callback::Function(1),
            call: note,
        })
    }

    #[test]
    fn user_functions_get_object_and_code() {
        let mpi = Mpi::new();
        let handle = mpi.errhandlers.create(comm_function()).unwrap();
        let attached = mpi.errhandlers.for_kind::<Comm>(handle).unwrap();
        let on = On::Comm(Comm::WORLD);
        let left = invoke(&mpi, &attached, on, ErrorCode(6), |_| unreachable!());
        assert_eq!(left, ErrorCode(7), "the function may change the code");
        assert_eq!(SEEN.take(), Some((Comm::WORLD, 6)));
        let returns = Attached::Predefined(Errhandler::RETURN);
        let left = invoke(&mpi, &returns, on, ErrorCode(6), |_| unreachable!());
        assert_eq!(left, ErrorCode(6));
        assert_eq!(SEEN.take(), None);
    }
}

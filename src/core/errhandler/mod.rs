//! Error handlers: what happens when a call fails (MPI-5.0, chapter 9).
//!
//! An error goes to the handler of the object the call was made on: communicator, window, file or
//! session, also where a request or a message stands for it; without one, to that of `MPI_COMM_SELF`, or of
//! `MPI_COMM_WORLD` if only that one was changed; before initialisation and after finalisation, to the initial
//! handler. User functions run through `Mpi::outside`.

pub mod codes;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::io::Write;
use std::rc::Rc;

use crate::callback::{ErrhandlerFunction, State};
use crate::comm::Communicator;
use crate::error::{Error, On, Result};
use crate::fail;
use crate::handle::{Comm, Errhandler, File, Handle, Registry, Session, Win, bad_handle};
use crate::mpi::Mpi;
use crate::types::ErrorCode;

/// A handler's function, by the kind of object it is for.
#[derive(Clone, Copy)]
pub enum Function {
    Comm(ErrhandlerFunction<Comm>),
    Win(ErrhandlerFunction<Win>),
    File(ErrhandlerFunction<File>),
    Session(ErrhandlerFunction<Session>),
}

impl Function {
    fn kind(&self) -> &'static str {
        match self {
            Function::Comm(_) => Comm::NAME,
            Function::Win(_) => Win::NAME,
            Function::File(_) => File::NAME,
            Function::Session(_) => Session::NAME,
        }
    }
}

/// A handler that the application made. It lives while a handle names it or an object uses it.
pub struct UserHandler {
    function: Cell<Function>,
    /// Its name, while `references` is not 0.
    handle: Cell<Errhandler>,
    /// Handles given out that have not been freed: all are the same number.
    references: Cell<u32>,
    /// What its function is handed, if it is one with a state.
    _state: Option<Rc<State>>,
}

/// The handler that an object uses.
#[derive(Clone)]
pub enum Attached {
    Predefined(Errhandler),
    User(Rc<UserHandler>),
}

impl Attached {
    /// Whether it ends the job, and says why.
    fn is_fatal(&self) -> bool {
        matches!(self, Attached::Predefined(handle) if *handle != Errhandler::RETURN)
    }
}

/// Environment variable with the name of the initial error handler.
pub const INITIAL: &str = "MPI_ANYMPI_INITIAL_ERRHANDLER";

/// The names that launchers have for the predefined handlers (MPI-5.0, 9.3 and 11.5).
pub const NAMES: [(&str, Errhandler); 3] = [
    ("mpi_errors_are_fatal", Errhandler::ARE_FATAL),
    ("mpi_errors_abort", Errhandler::ABORT),
    ("mpi_errors_return", Errhandler::RETURN),
];

/// The predefined handler of a launcher's name.
pub fn by_name(name: &str) -> Option<Errhandler> {
    let found = NAMES.iter().find(|(known, _)| *known == name);
    found.map(|(_, handler)| *handler)
}

/// The error handlers of one process.
pub struct Errhandlers {
    live: Registry<Errhandler, UserHandler>,
    /// Used before initialisation and after finalisation, and at first by the predefined communicators.
    initial: Cell<Errhandler>,
    /// That of `MPI_FILE_NULL`, which files get when they are opened.
    pub file_null: RefCell<Attached>,
    /// Calls that are not built and of which standard error says so already.
    told: RefCell<BTreeSet<&'static str>>,
}

impl Errhandlers {
    pub const fn new() -> Errhandlers {
        Errhandlers {
            live: Registry::new(),
            initial: Cell::new(Errhandler::ARE_FATAL),
            file_null: RefCell::new(Attached::Predefined(Errhandler::RETURN)),
            told: RefCell::new(BTreeSet::new()),
        }
    }

    /// The handler that `MPI_COMM_WORLD` and `MPI_COMM_SELF` have at first (MPI-5.0, 9.3).
    pub fn initial(&self) -> Attached {
        Attached::Predefined(self.initial.get())
    }

    /// Takes the initial handler from the environment, where a launcher has put its name.
    ///
    /// # Errors
    /// `MPI_ERR_ARG`: no such name.
    pub fn read_initial(&self) -> Result<()> {
        match std::env::var(INITIAL) {
            Ok(name) => self.set_initial(&name),
            Err(_) => Ok(()),
        }
    }

    /// Sets the initial handler by the name that launchers use (`mpi_errors_return` ...).
    ///
    /// # Errors
    /// `MPI_ERR_ARG`: no such name.
    fn set_initial(&self, name: &str) -> Result<()> {
        match by_name(name) {
            Some(handler) => {
                self.initial.set(handler);
                Ok(())
            }
            None => fail!(
                ARG,
                "{INITIAL} = {name}: mpi_errors_are_fatal, mpi_errors_abort or \
                 mpi_errors_return was expected"
            ),
        }
    }

    pub fn create(&self, function: Function) -> Result<Errhandler> {
        self.create_with(function, None)
    }

    /// As [`create`](Self::create); the handler keeps the state of its function.
    pub fn create_with(&self, function: Function, state: Option<Rc<State>>) -> Result<Errhandler> {
        self.live.insert_with(|handle| {
            Rc::new(UserHandler {
                function: Cell::new(function),
                handle: Cell::new(handle),
                references: Cell::new(1),
                _state: state,
            })
        })
    }

    /// What a handle names.
    ///
    /// # Errors
    /// `MPI_ERR_ERRHANDLER`: null, freed or of another kind.
    fn find(&self, handle: Errhandler) -> Result<Attached> {
        match handle {
            Errhandler::ARE_FATAL | Errhandler::ABORT | Errhandler::RETURN => {
                Ok(Attached::Predefined(handle))
            }
            _ => self.live.find(handle).map(Attached::User),
        }
    }

    /// The handler of a handle, for an object of kind `H`.
    ///
    /// # Errors
    /// `MPI_ERR_ERRHANDLER`: no live handler, or one for objects of another kind.
    pub fn for_kind<H: Handle>(&self, handle: Errhandler) -> Result<Attached> {
        let attached = self.find(handle)?;
        if let Attached::User(handler) = &attached
            && handler.function.get().kind() != H::NAME
        {
            fail!(
                ERRHANDLER,
                "error handler 0x{:x} is for objects of type {}; one for {} was expected",
                handle.0,
                handler.function.get().kind(),
                H::NAME
            );
        }
        Ok(attached)
    }

    /// A handle on an attached handler, which the application will free.
    pub fn handle_of(&self, attached: &Attached) -> Result<Errhandler> {
        let handler = match attached {
            Attached::Predefined(handle) => return Ok(*handle),
            Attached::User(handler) => handler,
        };
        if handler.references.get() == 0 {
            handler.handle.set(self.live.insert(handler.clone())?);
        }
        handler.references.set(handler.references.get() + 1);
        Ok(handler.handle.get())
    }

    /// Exchanges the function of a handler: a language binding says after the handler's creation how it is
    /// to be called.
    ///
    /// # Errors
    /// `MPI_ERR_ERRHANDLER`: no handler that the application made.
    pub fn exchange(
        &self,
        handle: Errhandler,
        exchange: impl FnOnce(Function) -> Function,
    ) -> Result<()> {
        let handler = self.live.find(handle)?;
        handler.function.set(exchange(handler.function.get()));
        Ok(())
    }

    /// Gives up a handle. Predefined ones stay what they are.
    ///
    /// # Errors
    /// `MPI_ERR_ERRHANDLER`: null, freed or of another kind.
    pub fn free(&self, handle: Errhandler) -> Result<()> {
        if let Attached::User(handler) = self.find(handle)? {
            handler.references.set(handler.references.get() - 1);
            if handler.references.get() == 0 {
                self.live.remove(handle).ok_or_else(|| bad_handle(handle))?;
            }
        }
        Ok(())
    }
}

impl Default for Errhandlers {
    fn default() -> Self {
        Self::new()
    }
}

/// Hands the error of `call` to the error handler of `on`. Returns the code for the caller, if the
/// handler lets the call return; a handler's function may change it.
pub fn raise(mpi: &Mpi, call: &'static str, on: On, error: &Error) -> ErrorCode {
    let code = ErrorCode(error.code());
    let (attached, object) = responsible(mpi, on);
    if error.is_not_built()
        && !attached.is_fatal()
        && mpi.errhandlers.told.borrow_mut().insert(call)
    {
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
    let initial = mpi.errhandlers.initial.get();
    for handle in [Comm::SELF, Comm::WORLD] {
        if let Ok(comm) = mpi.comms.find(handle) {
            let attached = comm.errhandler.borrow().clone();
            if !matches!(attached, Attached::Predefined(known) if known == initial) {
                return (attached, On::Comm(handle));
            }
        }
    }
    (mpi.errhandlers.initial(), On::Comm(Comm::SELF))
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
        Attached::User(handler) => mpi.outside(|| match (handler.function.get(), object) {
            (Function::Comm(function), On::Comm(comm)) => function.call(comm, code),
            (Function::Win(function), On::Win(win)) => function.call(win, code),
            (Function::File(function), On::File(file)) => function.call(file, code),
            (Function::Session(function), On::Session(session)) => function.call(session, code),
            _ => unreachable!("a handler is attached to objects of its kind only"),
        }),
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
    use super::*;
    use crate::callback;
    use crate::error::class;

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
    fn a_handler_lives_while_a_handle_or_an_object_has_it() {
        let handlers = Errhandlers::new();
        let first = handlers.create(comm_function()).unwrap();
        let attached = handlers.for_kind::<Comm>(first).unwrap();
        let second = handlers.handle_of(&attached).unwrap();
        assert_eq!(first, second);
        handlers.free(first).unwrap();
        handlers.free(second).unwrap();
        let dead = handlers.free(second).unwrap_err();
        assert_eq!(dead.code(), class::ERRHANDLER);
        // Attached still, so there is a new handle on it.
        let third = handlers.handle_of(&attached).unwrap();
        assert_ne!(third, first);
        assert!(matches!(
            handlers.for_kind::<Comm>(third).unwrap(),
            Attached::User(_)
        ));
    }

    #[test]
    fn kinds_are_kept_apart() {
        let handlers = Errhandlers::new();
        let handle = handlers.create(comm_function()).unwrap();
        let wrong = handlers.for_kind::<Win>(handle).err().unwrap();
        assert_eq!(wrong.code(), class::ERRHANDLER);
        assert!(handlers.for_kind::<Win>(Errhandler::RETURN).is_ok());
        for handle in [Errhandler::NULL, Errhandler(0x144), Errhandler(0)] {
            let error = handlers.for_kind::<Comm>(handle).err().unwrap();
            assert_eq!(error.code(), class::ERRHANDLER);
        }
        for predefined in [Errhandler::RETURN, Errhandler::ABORT] {
            handlers.free(predefined).unwrap();
        }
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

    #[test]
    fn launchers_name_the_initial_handler() {
        let handlers = Errhandlers::new();
        handlers.set_initial("mpi_errors_return").unwrap();
        assert!(matches!(
            handlers.initial(),
            Attached::Predefined(Errhandler::RETURN)
        ));
        assert!(handlers.set_initial("ignore").is_err());
    }
}

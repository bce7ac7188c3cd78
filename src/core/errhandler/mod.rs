//! Error handlers and error codes as objects (MPI-5.0, chapter 9): who has which handler, and what it calls.
//!
//! Which handler an error goes to is decided in [`raise`](crate::raise). Knows no other object.

pub mod codes;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::callback::{ErrhandlerFunction, State};
use crate::error::{On, Result};
use crate::fail;
use crate::handle::{Comm, Errhandler, File, Handle, Session, Win};
use crate::registry::{Registry, bad_handle};
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

impl UserHandler {
    /// Calls the function, which may change the code.
    pub fn call(&self, object: On, code: ErrorCode) -> ErrorCode {
        match (self.function.get(), object) {
            (Function::Comm(function), On::Comm(comm)) => function.call(comm, code),
            (Function::Win(function), On::Win(win)) => function.call(win, code),
            (Function::File(function), On::File(file)) => function.call(file, code),
            (Function::Session(function), On::Session(session)) => function.call(session, code),
            _ => unreachable!("a handler is attached to objects of its kind only"),
        }
    }
}

/// The handler that an object uses.
#[derive(Clone)]
pub enum Attached {
    Predefined(Errhandler),
    User(Rc<UserHandler>),
}

impl Attached {
    /// Whether both are the same predefined handler.
    pub fn is_same_predefined(&self, other: &Attached) -> bool {
        matches!((self, other), (Attached::Predefined(one), Attached::Predefined(two)) if one == two)
    }

    /// Whether it ends the job, and says why.
    pub fn is_fatal(&self) -> bool {
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

    /// Whether this is the first time that `call`, which is not built, is to be said so of.
    pub fn is_news(&self, call: &'static str) -> bool {
        self.told.borrow_mut().insert(call)
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

#[cfg(test)]
#[allow(unsafe_code)]
mod tests {
    use super::*;
    use crate::callback;
    use crate::error::class;

    unsafe fn note(_: callback::Function, _: Comm, code: ErrorCode) -> ErrorCode {
        code
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

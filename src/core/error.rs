//! Errors inside the core: an MPI error class and a sentence for the person who reads it.
//!
//! A call returns `Result<T>`. The door (`abi::enter`) adds the call's name and hands the error to the right error
//! handler. It turns the class into the number of the caller's ABI (decision 10). Nothing here knows of
//! communicators or of any C ABI.

use std::fmt;

pub use crate::class;
use crate::types::Status;

/// A failed call: the class and what was wrong, with the offending argument and its value.
///
/// Boxed so that `Result<()>` is one pointer on the hot paths.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Body>);

#[derive(Clone, PartialEq, Eq)]
struct Body {
    code: i32,
    what: String,
    on: On,
    status: Option<Status>,
    not_built: bool,
}

/// The object whose error handler an error goes to (MPI-5.0, 9.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum On {
    /// What the call's own arguments say; without one, `MPI_COMM_SELF`.
    #[default]
    Call,
    Comm(crate::handle::Comm),
    Win(crate::handle::Win),
    File(crate::handle::File),
    Session(crate::handle::Session),
    /// What the request's operation works on.
    Request(crate::handle::Request),
    /// The communicator that the message came on.
    Message(crate::handle::Message),
    /// No object yet: the call would have made a communicator with this handler.
    NewComm(crate::handle::Errhandler),
    /// No object yet: the call would have made a session with this handler.
    NewSession(crate::handle::Errhandler),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of `class` (a constant of [`class`], or a code made by `MPI_Add_error_code`).
    #[cold]
    pub fn new(class: i32, what: impl Into<String>) -> Error {
        Error(Box::new(Body {
            code: class,
            what: what.into(),
            on: On::Call,
            status: None,
            not_built: false,
        }))
    }

    /// The error of a function that this version of the library does not have.
    #[cold]
    pub fn not_built() -> Error {
        let what = "anympi does not support this call yet";
        let mut error = Error::new(class::UNSUPPORTED_OPERATION, what);
        error.0.not_built = true;
        error
    }

    /// Whether it is one of [`not_built`](Self::not_built).
    pub fn is_not_built(&self) -> bool {
        self.0.not_built
    }

    /// The same error of an operation that has a status all the same: a message that was longer than its buffer has a
    /// source and a tag.
    #[cold]
    pub fn with_status(mut self, status: Status) -> Error {
        self.0.status = Some(status);
        self
    }

    /// What is known of the operation that failed, for its status.
    pub fn status(&self) -> Option<Status> {
        self.0.status
    }

    /// The same error, raised on `on` rather than on the call's own object: a request that fails
    /// raises on the communicator it was started on.
    #[cold]
    pub fn on(mut self, on: On) -> Error {
        self.0.on = on;
        self
    }

    pub fn raised_on(&self) -> On {
        self.0.on
    }

    /// The error code: a class, or a code that the application added.
    pub fn code(&self) -> i32 {
        self.0.code
    }

    pub fn what(&self) -> &str {
        &self.0.what
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MPI error {}: {}", self.0.code, self.0.what)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.what)
    }
}

impl std::error::Error for Error {}

/// Leaves the function with an [`Error`] of the class, its text made by `format!`.
#[macro_export]
macro_rules! fail {
    ($class:ident, $($text:tt)*) => {
        return Err($crate::error::Error::new($crate::error::class::$class, format!($($text)*)))
    };
}

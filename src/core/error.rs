//! Errors inside the core: an MPI error class and a sentence for the person who reads it.
//!
//! A call returns `Result<T>`; the door (`abi::enter`) adds the call's name, hands the error to the
//! right error handler and turns the class into the number of the caller's ABI. Nothing here knows of
//! communicators or of any C ABI.

use std::fmt;

use crate::types::Status;

/// Error classes with the numbers of MPI-5.0 (table in section 9.4; `MPI_T_*` in 15.3.10).
pub mod class {
    pub const ABI: i32 = 62;
    pub const ACCESS: i32 = 20;
    pub const AMODE: i32 = 21;
    pub const ARG: i32 = 13;
    pub const ASSERT: i32 = 22;
    pub const BAD_FILE: i32 = 23;
    pub const BASE: i32 = 24;
    pub const BUFFER: i32 = 1;
    pub const COMM: i32 = 5;
    pub const CONVERSION: i32 = 25;
    pub const COUNT: i32 = 2;
    pub const DIMS: i32 = 12;
    pub const DISP: i32 = 26;
    pub const DUP_DATAREP: i32 = 27;
    pub const ERRHANDLER: i32 = 61;
    pub const FILE: i32 = 30;
    pub const FILE_EXISTS: i32 = 28;
    pub const FILE_IN_USE: i32 = 29;
    pub const GROUP: i32 = 9;
    pub const INFO: i32 = 34;
    pub const INFO_KEY: i32 = 31;
    pub const INFO_NOKEY: i32 = 32;
    pub const INFO_VALUE: i32 = 33;
    pub const INTERN: i32 = 17;
    pub const IN_STATUS: i32 = 19;
    pub const IO: i32 = 35;
    pub const KEYVAL: i32 = 36;
    pub const LASTCODE: i32 = 16383;
    pub const LOCKTYPE: i32 = 37;
    pub const NAME: i32 = 38;
    pub const NOT_SAME: i32 = 40;
    pub const NO_MEM: i32 = 39;
    pub const NO_SPACE: i32 = 41;
    pub const NO_SUCH_FILE: i32 = 42;
    pub const OP: i32 = 10;
    pub const OTHER: i32 = 16;
    pub const PENDING: i32 = 18;
    pub const PORT: i32 = 43;
    pub const PROC_ABORTED: i32 = 58;
    pub const QUOTA: i32 = 44;
    pub const RANK: i32 = 6;
    pub const READ_ONLY: i32 = 45;
    pub const REQUEST: i32 = 7;
    pub const RMA_ATTACH: i32 = 46;
    pub const RMA_CONFLICT: i32 = 47;
    pub const RMA_FLAVOR: i32 = 57;
    pub const RMA_RANGE: i32 = 48;
    pub const RMA_SHARED: i32 = 49;
    pub const RMA_SYNC: i32 = 50;
    pub const ROOT: i32 = 8;
    pub const SERVICE: i32 = 51;
    pub const SESSION: i32 = 60;
    pub const SIZE: i32 = 52;
    pub const SPAWN: i32 = 53;
    pub const TAG: i32 = 4;
    pub const TOPOLOGY: i32 = 11;
    pub const TRUNCATE: i32 = 15;
    pub const TYPE: i32 = 3;
    pub const UNKNOWN: i32 = 14;
    pub const UNSUPPORTED_DATAREP: i32 = 54;
    pub const UNSUPPORTED_OPERATION: i32 = 55;
    pub const VALUE_TOO_LARGE: i32 = 59;
    pub const WIN: i32 = 56;
    pub const T_ERR_CANNOT_INIT: i32 = 1001;
    pub const T_ERR_CVAR_SET_NEVER: i32 = 1015;
    pub const T_ERR_CVAR_SET_NOT_NOW: i32 = 1014;
    pub const T_ERR_INVALID: i32 = 1006;
    pub const T_ERR_INVALID_HANDLE: i32 = 1010;
    pub const T_ERR_INVALID_INDEX: i32 = 1007;
    pub const T_ERR_INVALID_ITEM: i32 = 1008;
    pub const T_ERR_INVALID_NAME: i32 = 1011;
    pub const T_ERR_INVALID_SESSION: i32 = 1009;
    pub const T_ERR_MEMORY: i32 = 1005;
    pub const T_ERR_NOT_ACCESSIBLE: i32 = 1002;
    pub const T_ERR_NOT_INITIALIZED: i32 = 1003;
    pub const T_ERR_NOT_SUPPORTED: i32 = 1004;
    pub const T_ERR_OUT_OF_HANDLES: i32 = 1012;
    pub const T_ERR_OUT_OF_SESSIONS: i32 = 1013;
    pub const T_ERR_PVAR_NO_ATOMIC: i32 = 1018;
    pub const T_ERR_PVAR_NO_STARTSTOP: i32 = 1017;
    pub const T_ERR_PVAR_NO_WRITE: i32 = 1016;
    /// Fault-tolerance classes (ULFM) have no number in MPI-5.0; these follow the standard's range.
    pub const PROC_FAILED: i32 = 200;
    pub const PROC_FAILED_PENDING: i32 = 201;
    pub const REVOKED: i32 = 202;
}

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

    /// The same error of an operation that ended with this status all the same: a message that was
    /// longer than its buffer has a source and a tag.
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

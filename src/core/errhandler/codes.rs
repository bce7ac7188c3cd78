//! Error classes and codes: what they mean in words, and those that the application adds
//! (MPI-5.0, 9.4 and 9.5).

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::error::{Result, class};
use crate::fail;
use crate::types::ErrorCode;

/// The standard's name of a predefined class, and what it says in a few words.
pub fn describe(code: i32) -> Option<(&'static str, &'static str)> {
    let found = TEXTS.binary_search_by_key(&code, |(code, _, _)| *code);
    found.ok().map(|index| (TEXTS[index].1, TEXTS[index].2))
}

/// The classes and codes that the application has added.
pub struct Codes {
    next: Cell<i32>,
    added: RefCell<BTreeMap<i32, Added>>,
}

struct Added {
    /// Its class; its own number if it is a class.
    class: i32,
    text: Option<String>,
}

impl Codes {
    pub const fn new() -> Codes {
        Codes {
            next: Cell::new(ErrorCode::FIRST_USER.0),
            added: RefCell::new(BTreeMap::new()),
        }
    }

    /// The largest number given out, or `MPI_ERR_LASTCODE`: value of `MPI_LASTUSEDCODE`.
    pub fn last_used(&self) -> ErrorCode {
        ErrorCode(self.next.get() - 1)
    }

    fn add(&self, class: impl FnOnce(i32) -> i32) -> ErrorCode {
        let number = self.next.replace(self.next.get() + 1);
        let class = class(number);
        let added = Added { class, text: None };
        self.added.borrow_mut().insert(number, added);
        ErrorCode(number)
    }

    pub fn add_class(&self) -> ErrorCode {
        self.add(|number| number)
    }

    /// # Errors
    /// `MPI_ERR_ARG`: `class` is no error class.
    pub fn add_code(&self, class: ErrorCode) -> Result<ErrorCode> {
        let known = describe(class.0).is_some() || self.is_added_class(class);
        if !known {
            fail!(ARG, "errorclass = {} is no error class", class.0);
        }
        Ok(self.add(|_| class.0))
    }

    fn is_added_class(&self, code: ErrorCode) -> bool {
        let added = self.added.borrow();
        added
            .get(&code.0)
            .is_some_and(|added| added.class == code.0)
    }

    /// # Errors
    /// `MPI_ERR_ARG`: the code is predefined or unknown.
    pub fn add_string(&self, code: ErrorCode, text: &str) -> Result<()> {
        match self.added.borrow_mut().get_mut(&code.0) {
            Some(added) => {
                added.text = Some(text.to_owned());
                Ok(())
            }
            None => not_added(code),
        }
    }

    /// # Errors
    /// `MPI_ERR_ARG`: no class that the application added, or one that still has codes or a string.
    pub fn remove_class(&self, class: ErrorCode) -> Result<()> {
        if !self.is_added_class(class) {
            return not_added(class);
        }
        let mut added = self.added.borrow_mut();
        let codes = added.values().filter(|code| code.class == class.0).count() - 1;
        if codes > 0 {
            fail!(ARG, "error class {} still has {codes} error codes", class.0);
        }
        if added
            .get(&class.0)
            .is_some_and(|entry| entry.text.is_some())
        {
            fail!(ARG, "error class {} still has a string", class.0);
        }
        added.remove(&class.0);
        Ok(())
    }

    /// # Errors
    /// `MPI_ERR_ARG`: no code that the application added, or one that still has a string.
    pub fn remove_code(&self, code: ErrorCode) -> Result<()> {
        if self.is_added_class(code) {
            fail!(ARG, "{} is an error class, not an error code", code.0);
        }
        let mut added = self.added.borrow_mut();
        match added.get(&code.0) {
            Some(entry) if entry.text.is_some() => {
                fail!(ARG, "error code {} still has a string", code.0)
            }
            Some(_) => {
                added.remove(&code.0);
                Ok(())
            }
            None => not_added(code),
        }
    }

    /// # Errors
    /// `MPI_ERR_ARG`: the code is predefined, unknown, or has no string.
    pub fn remove_string(&self, code: ErrorCode) -> Result<()> {
        let mut added = self.added.borrow_mut();
        let Some(entry) = added.get_mut(&code.0) else {
            return not_added(code);
        };
        match entry.text.take() {
            Some(_) => Ok(()),
            None => fail!(ARG, "no string has been added to error code {}", code.0),
        }
    }

    /// # Errors
    /// `MPI_ERR_ARG`: neither an error class nor an error code.
    pub fn class_of(&self, code: ErrorCode) -> Result<ErrorCode> {
        if describe(code.0).is_some() {
            return Ok(code);
        }
        match self.added.borrow().get(&code.0) {
            Some(added) => Ok(ErrorCode(added.class)),
            None => fail!(
                ARG,
                "{} is neither an error class nor an error code",
                code.0
            ),
        }
    }

    /// The text of a class or code; empty for an added one without a string.
    ///
    /// # Errors
    /// As [`class_of`](Self::class_of).
    pub fn text(&self, code: ErrorCode) -> Result<String> {
        if let Some((name, words)) = describe(code.0) {
            return Ok(format!("{name}: {words}"));
        }
        self.class_of(code)?;
        let added = self.added.borrow();
        Ok(added[&code.0].text.clone().unwrap_or_default())
    }
}

impl Default for Codes {
    fn default() -> Self {
        Self::new()
    }
}

fn not_added<T>(code: ErrorCode) -> Result<T> {
    if describe(code.0).is_some() {
        fail!(ARG, "{} is predefined and cannot be changed", code.0);
    }
    fail!(ARG, "{} is no error class or code that was added", code.0)
}

macro_rules! texts {
    ($($prefix:literal $name:ident: $words:literal;)*) => {
        &[$((class::$name, concat!($prefix, stringify!($name)), $words)),*]
    };
}

/// By number.
static TEXTS: &[(i32, &str, &str)] = &sorted();

const UNSORTED: &[(i32, &str, &str)] = texts! {
    "MPI_ERR_" BUFFER: "invalid buffer pointer";
    "MPI_ERR_" COUNT: "invalid count";
    "MPI_ERR_" TYPE: "invalid datatype";
    "MPI_ERR_" TAG: "invalid tag";
    "MPI_ERR_" COMM: "invalid communicator";
    "MPI_ERR_" RANK: "invalid rank";
    "MPI_ERR_" REQUEST: "invalid request or message handle";
    "MPI_ERR_" ROOT: "invalid root";
    "MPI_ERR_" GROUP: "invalid group";
    "MPI_ERR_" OP: "invalid reduction operation";
    "MPI_ERR_" TOPOLOGY: "invalid topology";
    "MPI_ERR_" DIMS: "invalid dimensions";
    "MPI_ERR_" ARG: "invalid argument";
    "MPI_ERR_" UNKNOWN: "unknown error";
    "MPI_ERR_" TRUNCATE: "message longer than the receive buffer";
    "MPI_ERR_" OTHER: "error of no other class";
    "MPI_ERR_" INTERN: "internal error of the MPI library";
    "MPI_ERR_" PENDING: "operation not complete";
    "MPI_ERR_" IN_STATUS: "the error codes are in the statuses";
    "MPI_ERR_" ACCESS: "permission denied";
    "MPI_ERR_" AMODE: "invalid access mode";
    "MPI_ERR_" ASSERT: "invalid assertion";
    "MPI_ERR_" BAD_FILE: "invalid file name";
    "MPI_ERR_" BASE: "invalid base address";
    "MPI_ERR_" CONVERSION: "a data conversion function failed";
    "MPI_ERR_" DISP: "invalid displacement";
    "MPI_ERR_" DUP_DATAREP: "the data representation is defined already";
    "MPI_ERR_" FILE_EXISTS: "the file exists";
    "MPI_ERR_" FILE_IN_USE: "the file is in use";
    "MPI_ERR_" FILE: "invalid file handle";
    "MPI_ERR_" INFO_KEY: "invalid info key";
    "MPI_ERR_" INFO_NOKEY: "no such info key";
    "MPI_ERR_" INFO_VALUE: "invalid info value";
    "MPI_ERR_" INFO: "invalid info object";
    "MPI_ERR_" IO: "input or output failed";
    "MPI_ERR_" KEYVAL: "invalid attribute key";
    "MPI_ERR_" LOCKTYPE: "invalid lock type";
    "MPI_ERR_" NAME: "no such service name";
    "MPI_ERR_" NO_MEM: "out of memory";
    "MPI_ERR_" NOT_SAME: "a collective argument differs between processes";
    "MPI_ERR_" NO_SPACE: "no space left";
    "MPI_ERR_" NO_SUCH_FILE: "no such file";
    "MPI_ERR_" PORT: "invalid port name";
    "MPI_ERR_" QUOTA: "quota exceeded";
    "MPI_ERR_" READ_ONLY: "the file or file system is read-only";
    "MPI_ERR_" RMA_CONFLICT: "conflicting accesses to a window";
    "MPI_ERR_" RMA_RANGE: "target memory is not part of the window";
    "MPI_ERR_" RMA_SHARED: "memory cannot be shared";
    "MPI_ERR_" RMA_SYNC: "wrong synchronization of one-sided communication";
    "MPI_ERR_" RMA_ATTACH: "memory cannot be attached";
    "MPI_ERR_" RMA_FLAVOR: "wrong flavor of window";
    "MPI_ERR_" SERVICE: "invalid service name";
    "MPI_ERR_" SIZE: "invalid size";
    "MPI_ERR_" SPAWN: "processes could not be started";
    "MPI_ERR_" UNSUPPORTED_DATAREP: "unsupported data representation";
    "MPI_ERR_" UNSUPPORTED_OPERATION: "unsupported operation";
    "MPI_ERR_" WIN: "invalid window";
    "MPI_ERR_" PROC_ABORTED: "a peer process has aborted";
    "MPI_ERR_" VALUE_TOO_LARGE: "a value does not fit its type";
    "MPI_ERR_" SESSION: "invalid session";
    "MPI_ERR_" ERRHANDLER: "invalid error handler";
    "MPI_ERR_" ABI: "a mismatch of application binary interfaces";
    "MPI_ERR_" PROC_FAILED: "a process has failed";
    "MPI_ERR_" PROC_FAILED_PENDING: "a possible sender has failed";
    "MPI_ERR_" REVOKED: "the communicator has been revoked";
    "MPI_ERR_" LASTCODE: "last predefined error code";
    "MPI_" T_ERR_CANNOT_INIT: "the tool interface cannot be initialized";
    "MPI_" T_ERR_NOT_ACCESSIBLE: "the variable is not accessible";
    "MPI_" T_ERR_NOT_INITIALIZED: "the tool interface is not initialized";
    "MPI_" T_ERR_NOT_SUPPORTED: "not supported by the tool interface";
    "MPI_" T_ERR_MEMORY: "the tool interface is out of memory";
    "MPI_" T_ERR_INVALID: "invalid use of the tool interface";
    "MPI_" T_ERR_INVALID_INDEX: "invalid index";
    "MPI_" T_ERR_INVALID_ITEM: "invalid item";
    "MPI_" T_ERR_INVALID_SESSION: "invalid tool session";
    "MPI_" T_ERR_INVALID_HANDLE: "invalid tool handle";
    "MPI_" T_ERR_INVALID_NAME: "no variable or category has this name";
    "MPI_" T_ERR_OUT_OF_HANDLES: "no more tool handles";
    "MPI_" T_ERR_OUT_OF_SESSIONS: "no more tool sessions";
    "MPI_" T_ERR_CVAR_SET_NOT_NOW: "the control variable cannot be set now";
    "MPI_" T_ERR_CVAR_SET_NEVER: "the control variable can never be set";
    "MPI_" T_ERR_PVAR_NO_WRITE: "the performance variable cannot be written";
    "MPI_" T_ERR_PVAR_NO_STARTSTOP: "the performance variable cannot be started or stopped";
    "MPI_" T_ERR_PVAR_NO_ATOMIC: "the performance variable cannot be read and reset at once";
};

const fn sorted() -> [(i32, &'static str, &'static str); UNSORTED.len() + 1] {
    let mut all = [(0, "MPI_SUCCESS", "no error"); UNSORTED.len() + 1];
    let mut end = 1;
    while end < all.len() {
        let entry = UNSORTED[end - 1];
        let mut place = end;
        while all[place - 1].0 > entry.0 {
            all[place] = all[place - 1];
            place -= 1;
        }
        all[place] = entry;
        end += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_name_and_words() {
        assert!(TEXTS.is_sorted_by(|a, b| a.0 < b.0), "no number twice");
        for code in 0..=62 {
            assert!(describe(code).is_some(), "class {code}");
        }
        for code in 1001..=1018 {
            assert!(describe(code).is_some(), "class {code}");
        }
        assert_eq!(describe(6), Some(("MPI_ERR_RANK", "invalid rank")));
        assert_eq!(describe(1018).unwrap().0, "MPI_T_ERR_PVAR_NO_ATOMIC");
        assert_eq!(describe(63), None);
        assert_eq!(describe(-1), None);
    }

    #[test]
    fn the_life_of_added_codes() {
        let codes = Codes::new();
        assert_eq!(codes.last_used(), ErrorCode(class::LASTCODE));
        let class = codes.add_class();
        let code = codes.add_code(class).unwrap();
        let of_predefined = codes.add_code(ErrorCode(class::RANK)).unwrap();
        assert!(class.0 > class::LASTCODE);
        assert_eq!(codes.last_used(), of_predefined);
        assert_eq!(codes.class_of(code).unwrap(), class);
        assert_eq!(codes.class_of(of_predefined).unwrap().0, class::RANK);
        assert_eq!(codes.text(code).unwrap(), "");
        codes.add_string(code, "too late").unwrap();
        codes.add_string(class, "times").unwrap();
        assert_eq!(codes.text(code).unwrap(), "too late");
        assert_eq!(codes.text(ErrorCode(0)).unwrap(), "MPI_SUCCESS: no error");
        assert_eq!(codes.remove_code(code).unwrap_err().code(), class::ARG);
        codes.remove_string(code).unwrap();
        assert_eq!(codes.text(code).unwrap(), "");
        codes.remove_code(code).unwrap();
        assert_eq!(codes.remove_class(class).unwrap_err().code(), class::ARG);
        codes.remove_string(class).unwrap();
        codes.remove_class(class).unwrap();
        for gone in [class, code, ErrorCode(-3), ErrorCode(4711)] {
            assert_eq!(codes.class_of(gone).unwrap_err().code(), class::ARG);
            assert_eq!(codes.text(gone).unwrap_err().code(), class::ARG);
        }
        assert!(codes.add_class().0 > of_predefined.0);
    }

    #[test]
    fn what_must_not_change_does_not() {
        let codes = Codes::new();
        let class = codes.add_class();
        let code = codes.add_code(class).unwrap();
        let rank = ErrorCode(class::RANK);
        for error in [
            codes.add_string(rank, "x").unwrap_err(),
            codes.remove_string(rank).unwrap_err(),
            codes.remove_string(code).unwrap_err(),
            codes.remove_code(rank).unwrap_err(),
            codes.remove_code(class).unwrap_err(),
            codes.remove_class(rank).unwrap_err(),
            codes.remove_class(code).unwrap_err(),
            codes.remove_class(class).unwrap_err(),
            codes.add_code(code).unwrap_err(),
        ] {
            assert_eq!(error.code(), class::ARG, "{error}");
        }
    }
}

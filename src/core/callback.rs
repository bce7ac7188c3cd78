//! The caller's functions: what MPI calls back, each with the calling convention of its ABI.
//!
//! A callback is the user's function pointer plus a thunk that the front's ABI has instantiated; the
//! thunk converts handles, keys and codes and makes the C call. Call them through `Mpi::outside`, with
//! no borrow held. They are data: comparing or storing one does not need the front.
#![allow(unsafe_code)]

use std::ffi::c_void;

use crate::buf::Opaque;
use crate::error::{Error, Result};
use crate::handle::Datatype;
use crate::types::*;

/// The address of a user's C function. Its type is known to the thunk that stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function(pub usize);

/// A function pointer that MPI only stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawFunction(pub usize);

/// The thunk of a copy function: function, object, key, extra state, value, place for the new value;
/// gives the code and whether the value was copied.
pub type CopyThunk<H> =
    unsafe fn(Function, H, Keyval, Opaque, Opaque, &mut *mut c_void) -> (ErrorCode, bool);

/// Copies an attribute when its object is duplicated (MPI-5.0, 7.7.2).
pub enum CopyAttr<H> {
    /// `MPI_*_NULL_COPY_FN`: the attribute is not copied.
    Null,
    /// `MPI_*_DUP_FN`: the value is copied.
    Dup,
    User {
        function: Function,
        call: CopyThunk<H>,
    },
}

impl<H> Clone for CopyAttr<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for CopyAttr<H> {}

impl<H> CopyAttr<H> {
    /// The new value, or `None` if the attribute is not to be copied.
    ///
    /// # Errors
    /// What the user's function returned.
    pub fn call(
        &self,
        object: H,
        key: Keyval,
        extra: Opaque,
        value: Opaque,
    ) -> Result<Option<Opaque>> {
        match *self {
            CopyAttr::Null => Ok(None),
            CopyAttr::Dup => Ok(Some(value)),
            CopyAttr::User { function, call } => {
                let mut new = std::ptr::null_mut();
                // SAFETY: the application gave the function for exactly this call.
                let (code, copied) = unsafe { call(function, object, key, extra, value, &mut new) };
                returned(code, "the attribute's copy function")?;
                Ok(copied.then_some(Opaque(new)))
            }
        }
    }
}

/// Deletes an attribute (MPI-5.0, 7.7.2).
pub enum DeleteAttr<H> {
    /// `MPI_*_NULL_DELETE_FN`.
    Null,
    User {
        function: Function,
        call: unsafe fn(Function, H, Keyval, Opaque, Opaque) -> ErrorCode,
    },
}

impl<H> Clone for DeleteAttr<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for DeleteAttr<H> {}

impl<H> DeleteAttr<H> {
    /// # Errors
    /// What the user's function returned.
    pub fn call(&self, object: H, key: Keyval, value: Opaque, extra: Opaque) -> Result<()> {
        match *self {
            DeleteAttr::Null => Ok(()),
            DeleteAttr::User { function, call } => {
                // SAFETY: the application gave the function for exactly this call.
                let code = unsafe { call(function, object, key, value, extra) };
                returned(code, "the attribute's delete function")
            }
        }
    }
}

/// An error handler's function for objects of kind `H` (MPI-5.0, 9.3).
pub struct ErrhandlerFunction<H> {
    pub function: Function,
    pub call: unsafe fn(Function, H, ErrorCode),
}

impl<H> Clone for ErrhandlerFunction<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for ErrhandlerFunction<H> {}

impl<H> ErrhandlerFunction<H> {
    pub fn call(&self, object: H, code: ErrorCode) {
        // SAFETY: the application gave the function for exactly this call.
        unsafe { (self.call)(self.function, object, code) }
    }
}

/// A reduction that the application defined (MPI-5.0, 6.9.5).
#[derive(Clone, Copy)]
pub struct UserFunction {
    pub function: Function,
    /// Whether the length is 64 bits wide (`MPI_User_function_c`); else at most `i32::MAX` elements.
    pub wide: bool,
    pub call: unsafe fn(Function, *mut c_void, *mut c_void, i64, Datatype),
}

impl UserFunction {
    /// Most elements of one call.
    pub fn most(&self) -> i64 {
        if self.wide {
            i64::MAX
        } else {
            i64::from(i32::MAX)
        }
    }

    /// inoutvec = invec op inoutvec, for at most [`most`](Self::most) elements.
    pub fn call(&self, invec: *const u8, inoutvec: *mut u8, len: i64, datatype: Datatype) {
        let invec = invec.cast_mut().cast();
        // SAFETY: the application gave the function for exactly this call, and whoever reduces
        // vouches for the vectors.
        unsafe { (self.call)(self.function, invec, inoutvec.cast(), len, datatype) }
    }
}

/// Fills in the status of a generalised request (MPI-5.0, 13.2).
#[derive(Clone, Copy)]
pub struct GrequestQuery {
    pub function: Function,
    pub call: unsafe fn(Function, Opaque, &mut Status) -> ErrorCode,
}

impl GrequestQuery {
    /// # Errors
    /// What the user's function returned.
    pub fn call(&self, extra: Opaque, status: &mut Status) -> Result<()> {
        // SAFETY: the application gave the function for exactly this call.
        let code = unsafe { (self.call)(self.function, extra, status) };
        returned(code, "the request's query function")
    }
}

/// Frees a generalised request.
#[derive(Clone, Copy)]
pub struct GrequestFree {
    pub function: Function,
    pub call: unsafe fn(Function, Opaque) -> ErrorCode,
}

impl GrequestFree {
    /// # Errors
    /// What the user's function returned.
    pub fn call(&self, extra: Opaque) -> Result<()> {
        // SAFETY: the application gave the function for exactly this call.
        let code = unsafe { (self.call)(self.function, extra) };
        returned(code, "the request's free function")
    }
}

/// Cancels a generalised request.
#[derive(Clone, Copy)]
pub struct GrequestCancel {
    pub function: Function,
    pub call: unsafe fn(Function, Opaque, bool) -> ErrorCode,
}

impl GrequestCancel {
    /// # Errors
    /// What the user's function returned.
    pub fn call(&self, extra: Opaque, complete: bool) -> Result<()> {
        // SAFETY: the application gave the function for exactly this call.
        let code = unsafe { (self.call)(self.function, extra, complete) };
        returned(code, "the request's cancel function")
    }
}

/// Extent of a datatype in a data representation (MPI-5.0, 14.5.3).
#[derive(Clone, Copy)]
pub struct DatarepExtent {
    pub function: Function,
    pub call: unsafe fn(Function, Datatype, &mut Aint, Opaque) -> ErrorCode,
}

/// Converts data between memory and a file (MPI-5.0, 14.5.3).
#[derive(Clone, Copy)]
pub struct DatarepConversion {
    /// Null for `MPI_CONVERSION_FN_NULL`.
    pub function: Function,
    pub wide: bool,
    #[allow(clippy::type_complexity)]
    pub call:
        unsafe fn(Function, *mut c_void, Datatype, i64, *mut c_void, Offset, Opaque) -> ErrorCode,
}

fn returned(code: ErrorCode, what: &str) -> Result<()> {
    if code == ErrorCode::SUCCESS {
        Ok(())
    } else {
        Err(Error::new(
            code.0,
            format!("{what} returned error {}", code.0),
        ))
    }
}

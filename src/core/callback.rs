//! The caller's functions: what MPI calls back, each with the calling convention of its ABI.
//!
//! A callback is the user's function pointer plus a thunk that the front's ABI has instantiated. The thunk converts
//! handles, keys and codes and makes the C call. Call them through `Runtime::outside`, with no borrow held. They are
//! data: comparing or storing one does not need the front.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use crate::attr_value::Value;
use crate::buf::Opaque;
use crate::error::{Error, Result};
use crate::handle::Datatype;
use crate::types::*;

/// The address of a user's C function. Its type is known to the thunk that stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Function(pub usize);

/// A function of another language, and the address of what calls it: a proxy of that language's library,
/// or a place where such a one is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proxied {
    pub proxy: usize,
    pub function: Function,
}

/// Every pair there ever was. They are few, and callbacks may outlive the objects they were made for.
static PROXIED: Mutex<Vec<&'static Proxied>> = Mutex::new(Vec::new());

impl Proxied {
    /// One address for the pair, which a callback can have as its function.
    pub fn pair(proxy: usize, function: Function) -> Function {
        let pair = Proxied { proxy, function };
        let mut known = PROXIED.lock().unwrap_or_else(PoisonError::into_inner);
        let place = match known.iter().find(|other| ***other == pair) {
            Some(place) => place,
            None => {
                known.push(Box::leak(Box::new(pair)));
                known[known.len() - 1]
            }
        };
        Function(std::ptr::from_ref::<Proxied>(place).expose_provenance())
    }

    /// What [`pair`](Self::pair) put together.
    ///
    /// # Safety
    /// `pair` gave the function.
    pub unsafe fn of(function: Function) -> Proxied {
        // SAFETY: pairs stay as long as the process.
        unsafe { *std::ptr::with_exposed_provenance::<Proxied>(function.0) }
    }
}

impl Function {
    /// The function as the C function pointer type `F`.
    ///
    /// # Safety
    /// It is the address of a function of type `F`.
    pub unsafe fn typed<F: Copy>(self) -> F {
        const { assert!(size_of::<F>() == size_of::<usize>()) };
        let pointer = std::ptr::with_exposed_provenance::<c_void>(self.0);
        // SAFETY: a function pointer is as wide as an address; the caller vouches for the type.
        unsafe { std::mem::transmute_copy(&pointer) }
    }
}

/// Disposes of the state of functions, when what they were given to is gone. It must not call MPI.
#[derive(Clone, Copy)]
pub struct Destructor {
    pub function: Function,
    pub call: unsafe fn(Function, Opaque),
}

/// A function and the application's pointer that it is handed with every call (MPICH's `MPIX_*_x`). Lives
/// with the object that calls it, and has one address, which a callback can have as its function.
pub struct State {
    pub function: Function,
    pub extra: Opaque,
    destructor: Option<Destructor>,
}

impl State {
    fn new(function: Function, extra: Opaque, destructor: Option<Destructor>) -> Rc<State> {
        Rc::new(State {
            function,
            extra,
            destructor,
        })
    }

    fn place(self: &Rc<State>) -> Function {
        Function(Rc::as_ptr(self).expose_provenance())
    }

    /// The function and the pointer whose address a callback has.
    ///
    /// # Safety
    /// A callback of [`Stateful`] has the function, and its state lives.
    pub unsafe fn of(function: Function) -> (Function, Opaque) {
        // SAFETY: the caller's contract.
        let state = unsafe { &*std::ptr::with_exposed_provenance::<State>(function.0) };
        (state.function, state.extra)
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(destructor) = self.destructor {
            // SAFETY: the application gave the function for exactly this call.
            unsafe { (destructor.call)(destructor.function, self.extra) }
        }
    }
}

/// A callback that can be called once its function has been replaced by a [`State`].
pub struct Stateful<T>(pub T);

impl Stateful<UserFunction> {
    pub fn with(self, extra: Opaque, destructor: Option<Destructor>) -> (UserFunction, Rc<State>) {
        let state = State::new(self.0.function, extra, destructor);
        let function = state.place();
        (UserFunction { function, ..self.0 }, state)
    }
}

impl<H> Stateful<ErrhandlerFunction<H>> {
    pub fn with(
        self,
        extra: Opaque,
        destructor: Option<Destructor>,
    ) -> (ErrhandlerFunction<H>, Rc<State>) {
        let state = State::new(self.0.function, extra, destructor);
        let function = state.place();
        (ErrhandlerFunction { function, ..self.0 }, state)
    }
}

/// A function pointer that MPI only stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawFunction(pub usize);

/// The thunk of a copy function: function, object, key, extra state, value; gives the code, and the new
/// value if it is to be copied.
pub type CopyThunk<H> =
    unsafe fn(Function, H, Keyval, Opaque, &Value) -> (ErrorCode, Option<Value>);

/// The thunk of a delete function: function, object, key, value, extra state.
pub type DeleteThunk<H> = unsafe fn(Function, H, Keyval, &Value, Opaque) -> ErrorCode;

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
        value: &Value,
    ) -> Result<Option<Value>> {
        match *self {
            CopyAttr::Null => Ok(None),
            CopyAttr::Dup => Ok(Some(value.duplicate())),
            CopyAttr::User { function, call } => {
                // SAFETY: the application gave the function for exactly this call.
                let (code, copied) = unsafe { call(function, object, key, extra, value) };
                returned(code, "the attribute's copy function")?;
                Ok(copied)
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
        call: DeleteThunk<H>,
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
    pub fn call(&self, object: H, key: Keyval, value: &Value, extra: Opaque) -> Result<()> {
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

/// An error handler's function for objects of kind `H` (MPI-5.0, 9.3). Gives the code that the failed call
/// returns, which the function may have changed.
pub struct ErrhandlerFunction<H> {
    pub function: Function,
    pub call: unsafe fn(Function, H, ErrorCode) -> ErrorCode,
}

impl<H> Clone for ErrhandlerFunction<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for ErrhandlerFunction<H> {}

impl<H> ErrhandlerFunction<H> {
    pub fn call(&self, object: H, code: ErrorCode) -> ErrorCode {
        // SAFETY: the application gave the function for exactly this call.
        unsafe { (self.call)(self.function, object, code) }
    }
}

/// A reduction that the application defined (MPI-5.0, 6.9.5).
#[derive(Clone, Copy)]
pub struct UserFunction {
    pub function: Function,
    /// Whether the length is 64 bits wide (`MPI_User_function_c`); else at most `i32::MAX` elements.
    pub large_count: bool,
    pub call: unsafe fn(Function, *mut c_void, *mut c_void, i64, Datatype),
}

impl UserFunction {
    /// Most elements of one call.
    pub fn most(&self) -> i64 {
        if self.large_count {
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

/// MPICH: moves the operation behind a generalised request on. The application may have no such function.
#[derive(Clone, Copy)]
pub struct GrequestPoll(pub Option<GrequestQuery>);

/// MPICH: waits for the operations behind generalised requests of one kind, at most for so many seconds.
/// The application may have no such function.
#[derive(Clone, Copy)]
pub struct GrequestWait(pub Option<GrequestWaitFunction>);

#[derive(Clone, Copy)]
pub struct GrequestWaitFunction {
    pub function: Function,
    pub call: unsafe fn(Function, Opaque, f64) -> ErrorCode,
}

impl GrequestWaitFunction {
    /// Waits for one request.
    ///
    /// # Errors
    /// What the user's function returned.
    pub fn call(&self, extra: Opaque, seconds: f64) -> Result<()> {
        // SAFETY: the application gave the function for exactly this call.
        let code = unsafe { (self.call)(self.function, extra, seconds) };
        returned(code, "the request's wait function")
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

/// Receives an event of the tool interface (MPI-5.0, 15.3.8).
#[derive(Clone, Copy)]
pub struct EventFunction {
    pub function: Function,
    pub call: unsafe fn(Function, EventInstance, EventRegistration, CbSafety, Opaque),
}

impl EventFunction {
    pub fn call(
        &self,
        instance: EventInstance,
        registration: EventRegistration,
        safety: CbSafety,
        user_data: Opaque,
    ) {
        // SAFETY: the application gave the function for exactly this call.
        unsafe { (self.call)(self.function, instance, registration, safety, user_data) }
    }
}

/// Learns that no more events will come for a registration (MPI-5.0, 15.3.8).
#[derive(Clone, Copy)]
pub struct EventFree {
    pub function: Function,
    pub call: unsafe fn(Function, EventRegistration, CbSafety, Opaque),
}

impl EventFree {
    pub fn call(&self, registration: EventRegistration, safety: CbSafety, user_data: Opaque) {
        // SAFETY: the application gave the function for exactly this call.
        unsafe { (self.call)(self.function, registration, safety, user_data) }
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
    pub large_count: bool,
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

//! Generalised requests: operations that the application carries out itself (MPI-5.0, 13.2).
//!
//! The application says when one is complete; completing calls ask its functions for the status and let
//! it free its state. The functions run through `Runtime::outside`.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::buf::Opaque;
use crate::callback::{GrequestCancel, GrequestFree, GrequestPoll, GrequestQuery, GrequestWait};
use crate::engine::Engine;
use crate::error::{Error, Result, class};
use crate::fail;
use crate::handle::{Handle, Request};
use crate::registry::bad_handle;
use crate::request::{Active, Generalized, Operation, Requests};
use crate::runtime::{Polled, Runtime};
use crate::types::{GrequestClass, Status};

/// The application's functions for one request, or for those of one class.
#[derive(Clone, Copy)]
pub struct Functions {
    pub query: GrequestQuery,
    pub free: GrequestFree,
    pub cancel: GrequestCancel,
    /// MPICH: called while somebody waits or tests.
    pub poll: GrequestPoll,
    /// MPICH: called while somebody waits, where there is no `poll`.
    pub wait: GrequestWait,
}

impl Functions {
    fn are_polled(&self) -> bool {
        self.poll.0.is_some() || self.wait.0.is_some()
    }
}

/// One generalised request.
pub struct Grequest {
    functions: Cell<Functions>,
    extra: Opaque,
    complete: Cell<bool>,
    /// Why the application could not move its operation on.
    failure: RefCell<Option<Error>>,
}

/// Starts a request of the application's functions.
///
/// # Errors
/// `MPI_ERR_NO_MEM`: too many requests live.
pub fn start(
    runtime: &Runtime,
    requests: &Requests,
    functions: Functions,
    extra: Opaque,
) -> Result<Request> {
    let grequest = Rc::new(Grequest {
        functions: Cell::new(functions),
        extra,
        complete: Cell::new(false),
        failure: RefCell::new(None),
    });
    let handle = requests.add(Active {
        operation: Operation::Generalized(grequest.clone()),
        comm: None,
    })?;
    if functions.are_polled() {
        runtime.add_polled(grequest);
    }
    Ok(handle)
}

/// The generalised request of a handle, which may have been freed but must not have ended.
///
/// # Errors
/// `MPI_ERR_REQUEST`: no live generalised request.
pub fn find(requests: &Requests, handle: Request) -> Result<Rc<Grequest>> {
    let found = requests
        .generalized(handle)
        .map(|found| found as Rc<dyn Any>);
    match found.and_then(|found| found.downcast().ok()) {
        Some(grequest) => Ok(grequest),
        None if handle.is_null() => Err(bad_handle(handle)),
        None => Err(Error::new(
            class::REQUEST,
            format!("0x{:x} is no generalized request", handle.raw()),
        )),
    }
}

impl Grequest {
    /// Marks it as complete.
    pub fn set_complete(&self) {
        self.complete.set(true);
    }

    /// Exchanges its functions: a language binding says after the request's creation how they are to be called.
    pub fn exchange(&self, exchange: impl FnOnce(Functions) -> Functions) {
        self.functions.set(exchange(self.functions.get()));
    }
}

impl Polled for Grequest {
    /// Lets the application move its operation on; where it cannot, the request ends with the error.
    fn poll(&self, runtime: &Runtime, waiting: bool) {
        if self.complete.get() {
            return;
        }
        let mut status = Status::EMPTY;
        let functions = self.functions.get();
        let moved = match (functions.poll.0, functions.wait.0) {
            (Some(poll), _) => runtime.outside(|| poll.call(self.extra, &mut status)),
            (None, Some(wait)) if waiting => runtime.outside(|| wait.call(self.extra, 0.0)),
            _ => Ok(()),
        };
        if let Err(error) = moved {
            self.failure.borrow_mut().get_or_insert(error);
            self.complete.set(true);
        }
    }
}

impl Generalized for Grequest {
    fn complete(&self, _: &Engine) -> bool {
        self.complete.get()
    }

    fn finish(&self, runtime: &Runtime) -> Result<Status> {
        runtime.remove_polled(self);
        let status = self.query(runtime);
        let free = self.functions.get().free;
        runtime.outside(|| free.call(self.extra))?;
        match self.failure.take() {
            Some(error) => Err(error),
            None => status,
        }
    }

    fn query(&self, runtime: &Runtime) -> Result<Status> {
        let mut status = Status::EMPTY;
        let query = self.functions.get().query;
        runtime.outside(|| query.call(self.extra, &mut status))?;
        Ok(status)
    }

    fn cancel(&self, runtime: &Runtime) -> Result<()> {
        let (cancel, complete) = (self.functions.get().cancel, self.complete.get());
        runtime.outside(|| cancel.call(self.extra, complete))
    }
}

/// MPICH's classes of generalised requests. They are never freed.
pub struct Classes(RefCell<Vec<Functions>>);

impl Classes {
    pub const fn new() -> Classes {
        Classes(RefCell::new(Vec::new()))
    }

    /// Makes a class.
    pub fn add(&self, functions: Functions) -> GrequestClass {
        let mut classes = self.0.borrow_mut();
        classes.push(functions);
        GrequestClass(classes.len() as i32)
    }

    /// The functions of a class.
    ///
    /// # Errors
    /// `MPI_ERR_ARG`: no such class.
    pub fn find(&self, class: GrequestClass) -> Result<Functions> {
        let index = usize::try_from(class.0).ok().and_then(|n| n.checked_sub(1));
        let classes = self.0.borrow();
        match index.and_then(|index| classes.get(index)) {
            Some(functions) => Ok(*functions),
            None => fail!(ARG, "greq_class = {}: no class of requests", class.0),
        }
    }
}

impl Default for Classes {
    fn default() -> Self {
        Self::new()
    }
}

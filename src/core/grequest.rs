//! Generalised requests: operations that the application carries out itself (MPI-5.0, 13.2).
//!
//! The application says when one is complete; completing calls ask its functions for the status and let
//! it free its state. The functions run through `Mpi::outside`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::buf::Opaque;
use crate::callback::{GrequestCancel, GrequestFree, GrequestPoll, GrequestQuery, GrequestWait};
use crate::engine::Engine;
use crate::error::{Error, Result, class};
use crate::fail;
use crate::handle::{Handle, Request, bad_handle};
use crate::mpi::Mpi;
use crate::request::Generalized;
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
    handle: Cell<Request>,
}

impl Grequest {
    pub fn new(functions: Functions, extra: Opaque) -> Rc<Grequest> {
        Rc::new(Grequest {
            functions: Cell::new(functions),
            extra,
            complete: Cell::new(false),
            failure: RefCell::new(None),
            handle: Cell::new(Request::NULL),
        })
    }

    /// Lets the application move its operation on; where it cannot, the request ends with the error.
    fn advance(&self, mpi: &Mpi, waiting: bool) {
        let mut status = Status::EMPTY;
        let functions = self.functions.get();
        let moved = match (functions.poll.0, functions.wait.0) {
            (Some(poll), _) => mpi.outside(|| poll.call(self.extra, &mut status)),
            (None, Some(wait)) if waiting => mpi.outside(|| wait.call(self.extra, 0.0)),
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

    fn finish(&self, mpi: &Mpi) -> Result<Status> {
        mpi.grequests.remove(self);
        let status = self.query(mpi);
        let free = self.functions.get().free;
        mpi.outside(|| free.call(self.extra))?;
        match self.failure.take() {
            Some(error) => Err(error),
            None => status,
        }
    }

    fn query(&self, mpi: &Mpi) -> Result<Status> {
        let mut status = Status::EMPTY;
        let query = self.functions.get().query;
        mpi.outside(|| query.call(self.extra, &mut status))?;
        Ok(status)
    }

    fn cancel(&self, mpi: &Mpi) -> Result<()> {
        let (cancel, complete) = (self.functions.get().cancel, self.complete.get());
        mpi.outside(|| cancel.call(self.extra, complete))
    }
}

/// The generalised requests that are not finished, by handle, and MPICH's classes of them.
pub struct Grequests {
    live: RefCell<BTreeMap<u32, Rc<Grequest>>>,
    /// How many of them have functions to be called while somebody waits.
    polled: Cell<usize>,
    classes: RefCell<Vec<Functions>>,
}

impl Grequests {
    pub const fn new() -> Grequests {
        Grequests {
            live: RefCell::new(BTreeMap::new()),
            polled: Cell::new(0),
            classes: RefCell::new(Vec::new()),
        }
    }

    /// Remembers a request under its handle.
    pub fn add(&self, handle: Request, grequest: Rc<Grequest>) {
        grequest.handle.set(handle);
        if grequest.functions.get().are_polled() {
            self.polled.set(self.polled.get() + 1);
        }
        self.live.borrow_mut().insert(handle.raw(), grequest);
    }

    fn remove(&self, grequest: &Grequest) {
        let found = self.live.borrow_mut().remove(&grequest.handle.get().raw());
        if found.is_some() && grequest.functions.get().are_polled() {
            self.polled.set(self.polled.get() - 1);
        }
    }

    /// Makes a class of requests; classes are never freed.
    pub fn add_class(&self, functions: Functions) -> GrequestClass {
        let mut classes = self.classes.borrow_mut();
        classes.push(functions);
        GrequestClass(classes.len() as i32)
    }

    /// The functions of a class.
    ///
    /// # Errors
    /// `MPI_ERR_ARG`: no such class.
    pub fn class(&self, class: GrequestClass) -> Result<Functions> {
        let index = usize::try_from(class.0).ok().and_then(|n| n.checked_sub(1));
        let classes = self.classes.borrow();
        match index.and_then(|index| classes.get(index)) {
            Some(functions) => Ok(*functions),
            None => fail!(ARG, "greq_class = {}: no class of requests", class.0),
        }
    }

    /// Whether requests want functions of theirs called while somebody waits.
    #[inline(always)]
    pub fn are_polled(&self) -> bool {
        self.polled.get() > 0
    }

    /// Calls the functions of those that do and have not ended.
    #[cold]
    pub fn poll(&self, mpi: &Mpi, waiting: bool) {
        let all: Vec<Rc<Grequest>> = self.live.borrow().values().cloned().collect();
        for grequest in all {
            if grequest.functions.get().are_polled() && !grequest.complete.get() {
                grequest.advance(mpi, waiting);
            }
        }
    }

    /// Marks a request as complete.
    ///
    /// # Errors
    /// `MPI_ERR_REQUEST`: no live generalised request.
    pub fn complete(&self, handle: Request) -> Result<()> {
        self.find(handle)?.complete.set(true);
        Ok(())
    }

    /// Exchanges the functions of a request: a language binding says after the request's creation how
    /// they are to be called.
    ///
    /// # Errors
    /// `MPI_ERR_REQUEST`: no live generalised request.
    pub fn exchange(
        &self,
        handle: Request,
        exchange: impl FnOnce(Functions) -> Functions,
    ) -> Result<()> {
        let grequest = self.find(handle)?;
        grequest.functions.set(exchange(grequest.functions.get()));
        Ok(())
    }

    fn find(&self, handle: Request) -> Result<Rc<Grequest>> {
        match self.live.borrow().get(&handle.raw()) {
            Some(grequest) => Ok(grequest.clone()),
            None if handle.is_null() => Err(bad_handle(handle)),
            None => Err(Error::new(
                class::REQUEST,
                format!("0x{:x} is no generalized request", handle.raw()),
            )),
        }
    }
}

impl Default for Grequests {
    fn default() -> Self {
        Self::new()
    }
}

//! Generalised requests: operations that the application carries out itself (MPI-5.0, 13.2).
//!
//! The application says when one is complete; completing calls ask its functions for the status and let
//! it free its state. The functions run through `Mpi::outside`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::buf::Opaque;
use crate::callback::{GrequestCancel, GrequestFree, GrequestQuery};
use crate::engine::Engine;
use crate::error::{Error, Result, class};
use crate::handle::{Handle, Request, bad_handle};
use crate::mpi::Mpi;
use crate::request::Generalized;
use crate::types::Status;

/// The application's functions for one request.
#[derive(Clone, Copy)]
pub struct Functions {
    pub query: GrequestQuery,
    pub free: GrequestFree,
    pub cancel: GrequestCancel,
}

/// One generalised request.
pub struct Grequest {
    functions: Cell<Functions>,
    extra: Opaque,
    complete: Cell<bool>,
    handle: Cell<Request>,
}

impl Grequest {
    pub fn new(functions: Functions, extra: Opaque) -> Rc<Grequest> {
        Rc::new(Grequest {
            functions: Cell::new(functions),
            extra,
            complete: Cell::new(false),
            handle: Cell::new(Request::NULL),
        })
    }
}

impl Generalized for Grequest {
    fn complete(&self, _: &Engine) -> bool {
        self.complete.get()
    }

    fn finish(&self, mpi: &Mpi) -> Result<Status> {
        mpi.grequests
            .0
            .borrow_mut()
            .remove(&self.handle.get().raw());
        let status = self.query(mpi);
        let free = self.functions.get().free;
        mpi.outside(|| free.call(self.extra))?;
        status
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

/// The generalised requests that are not finished, by handle.
pub struct Grequests(RefCell<BTreeMap<u32, Rc<Grequest>>>);

impl Grequests {
    pub const fn new() -> Grequests {
        Grequests(RefCell::new(BTreeMap::new()))
    }

    /// Remembers a request under its handle.
    pub fn add(&self, handle: Request, grequest: Rc<Grequest>) {
        grequest.handle.set(handle);
        self.0.borrow_mut().insert(handle.raw(), grequest);
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
        match self.0.borrow().get(&handle.raw()) {
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

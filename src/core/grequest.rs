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

/// One generalised request.
pub struct Grequest {
    query: GrequestQuery,
    free: GrequestFree,
    cancel: GrequestCancel,
    extra: Opaque,
    complete: Cell<bool>,
    handle: Cell<Request>,
}

impl Grequest {
    pub fn new(
        query: GrequestQuery,
        free: GrequestFree,
        cancel: GrequestCancel,
        extra: Opaque,
    ) -> Rc<Grequest> {
        Rc::new(Grequest {
            query,
            free,
            cancel,
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
        mpi.outside(|| self.free.call(self.extra))?;
        status
    }

    fn query(&self, mpi: &Mpi) -> Result<Status> {
        let mut status = Status::EMPTY;
        mpi.outside(|| self.query.call(self.extra, &mut status))?;
        Ok(status)
    }

    fn cancel(&self, mpi: &Mpi) -> Result<()> {
        mpi.outside(|| self.cancel.call(self.extra, self.complete.get()))
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
        match self.0.borrow().get(&handle.raw()) {
            Some(grequest) => {
                grequest.complete.set(true);
                Ok(())
            }
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

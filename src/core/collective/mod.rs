//! From the arguments of a collective call to the operation that runs.
//!
//! Every collective exists in three forms: blocking, non-blocking, persistent. [`calls`] checks the
//! arguments once and gives a [`Call`], an asynchronous closure over the algorithms of `coll`; the form
//! only decides who drives it. Knows communicators, handles and the engine, but no algorithm and no C ABI.

pub mod calls;
mod check;

use std::rc::Rc;

use crate::comm::{Communicator, Form};
use crate::engine::{Background, CommNet};
use crate::error::Result;
use crate::handle::Request;
use crate::mpi::Mpi;
use crate::out::Out;
use crate::request::{Active, Operation};

/// What a call does once it has a net; can be done again and again.
pub trait Run: AsyncFn(&CommNet) -> Result<()> + 'static {}
impl<F: AsyncFn(&CommNet) -> Result<()> + 'static> Run for F {}

/// A collective call whose arguments are in order.
pub struct Call<R> {
    comm: Rc<Communicator>,
    run: R,
}

impl<R: Run> Call<R> {
    /// Runs it to its end (`MPI_X`).
    #[inline]
    pub fn block(self, mpi: &Mpi) -> Result<()> {
        let engine = mpi.engine();
        let net = CommNet::sharing(mpi, engine, self.comm)?;
        mpi.block_on(engine, Some(&net), (self.run)(&net))
    }

    /// Starts it (`MPI_Ix`).
    pub fn start(self, mpi: &Mpi, request: Out<Request>) -> Result<()> {
        let engine = mpi.engine();
        let net = CommNet::new(mpi, engine, self.comm.clone(), Form::Beside)?;
        let run = self.run;
        let running = mpi.start_background(engine, Box::pin(async move { run(&net).await }));
        request.set(mpi.requests.add(active(running, self.comm))?);
        Ok(())
    }

    /// Keeps it for `MPI_Start` (`MPI_X_init`). Calls match here, so every start uses the same net: one
    /// start's messages never overtake those of the start before.
    pub fn persistent(self, mpi: &Mpi, request: Out<Request>) -> Result<()> {
        let net = CommNet::new(mpi, mpi.engine(), self.comm.clone(), Form::Beside)?;
        let (shared, comm) = (Rc::new((net, self.run)), self.comm);
        let recipe = move |mpi: &Mpi| {
            let shared = shared.clone();
            let task = Box::pin(async move { (shared.1)(&shared.0).await });
            let running = mpi.start_background(mpi.engine(), task);
            Ok(active(running, comm.clone()))
        };
        request.set(mpi.requests.add_persistent(Rc::new(recipe))?);
        Ok(())
    }
}

fn active(running: Rc<Background>, comm: Rc<Communicator>) -> Active {
    Active {
        operation: Operation::Collective(running),
        comm: Some(comm),
    }
}

//! From the arguments of a collective call to the operation that runs.
//!
//! Every collective exists in three forms: blocking, non-blocking, persistent. One function of `api` checks the
//! arguments for all of them, with the help of [`check`]. It hands the [`Form`] an asynchronous closure over the
//! algorithms of `coll`. The form only decides who polls it. Where all ranks know by their own arguments that nothing
//! moves (MPI-5.0, 6.2: their type signatures agree), nobody meets anybody. A blocking call first tries what can be
//! done at once. Knows communicators, handles and the engine, but no algorithm and no C ABI.

pub mod check;

use std::rc::Rc;

use crate::background::Background;
use crate::coll::fast_path::{FastOutcome, FastPath};
use crate::comm::{CallKind, CommNet, Communicator};
use crate::error::Result;
use crate::handle::{Info, Request};
use crate::mpi::Mpi;
use crate::out::Out;
use crate::request::{self, Active, Operation};
use crate::runtime::Runtime;
use crate::types::Status;

/// What becomes of a call whose arguments are in order.
pub trait Form: Copy {
    fn mpi(&self) -> &Mpi;

    /// Whether the whole operation has been done at once, in memory that the communicator's processes share.
    #[inline(always)]
    fn attempt(
        &self,
        _comm: &Rc<Communicator>,
        _operation: impl FnOnce(&FastPath<'_>) -> FastOutcome,
    ) -> bool {
        false
    }

    /// Nothing is to be done, as all ranks know by their own arguments.
    fn nothing(self, comm: Rc<Communicator>) -> Result<()>;

    /// Does it, now or later, once or again and again: `run` on `data`, once it has a net.
    fn run<D, R>(self, comm: Rc<Communicator>, data: D, run: R) -> Result<()>
    where
        D: Clone + 'static,
        R: AsyncFn(D, &CommNet) -> Result<()> + 'static;

    /// As [`run`](Self::run), where a rank may have nothing to do though others have: nothing is agreed on before.
    fn run_by_messages<D, R>(self, comm: Rc<Communicator>, data: D, run: R) -> Result<()>
    where
        D: Clone + 'static,
        R: AsyncFn(D, &CommNet) -> Result<()> + 'static,
    {
        self.run(comm, data, run)
    }
}

/// The call returns when it is done (`MPI_X`).
#[derive(Clone, Copy)]
pub struct Blocking<'m>(&'m Mpi);

impl<'m> Blocking<'m> {
    #[inline(always)]
    pub fn new(mpi: &'m Mpi) -> Self {
        Blocking(mpi)
    }
}

impl Form for Blocking<'_> {
    #[inline(always)]
    fn mpi(&self) -> &Mpi {
        self.0
    }

    #[inline(always)]
    fn attempt(
        &self,
        comm: &Rc<Communicator>,
        operation: impl FnOnce(&FastPath<'_>) -> FastOutcome,
    ) -> bool {
        let Some(coll_segment) = comm.shared.coll_segment() else {
            return false;
        };
        let engine = self.0.engine();
        let done = operation(&FastPath::new(coll_segment, engine.wait_state.looks()));
        if let Some(algorithm) = done {
            comm.next_collective(CallKind::Blocking);
            engine.history.chosen(algorithm);
        }
        done.is_some()
    }

    #[cold]
    fn nothing(self, comm: Rc<Communicator>) -> Result<()> {
        comm.next_collective(CallKind::Blocking);
        // So that later operations have the same number on all members, also where one of them took part in this one.
        if let Some(coll_segment) = comm.shared.coll_segment() {
            coll_segment.end(coll_segment.begin(), false);
        }
        Ok(())
    }

    #[inline(never)]
    fn run<D, R>(self, comm: Rc<Communicator>, data: D, run: R) -> Result<()>
    where
        D: Clone + 'static,
        R: AsyncFn(D, &CommNet) -> Result<()> + 'static,
    {
        let (mpi, engine) = (self.0, self.0.engine());
        comm.shared.ready(mpi, &comm)?;
        let net = CommNet::sharing(engine, comm);
        mpi.block_on(engine, Some(&net), run(data, &net))
    }

    fn run_by_messages<D, R>(self, comm: Rc<Communicator>, data: D, run: R) -> Result<()>
    where
        D: Clone + 'static,
        R: AsyncFn(D, &CommNet) -> Result<()> + 'static,
    {
        let (mpi, engine) = (self.0, self.0.engine());
        let net = CommNet::new(engine, comm, CallKind::Blocking);
        mpi.block_on(engine, Some(&net), run(data, &net))
    }
}

/// The call starts it (`MPI_Ix`).
#[derive(Clone, Copy)]
pub struct Started<'m> {
    mpi: &'m Mpi,
    request: Out<Request>,
}

impl<'m> Started<'m> {
    pub fn new(mpi: &'m Mpi, request: Out<Request>) -> Self {
        Started { mpi, request }
    }
}

impl Form for Started<'_> {
    fn mpi(&self) -> &Mpi {
        self.mpi
    }

    fn nothing(self, comm: Rc<Communicator>) -> Result<()> {
        comm.next_collective(CallKind::Background);
        self.request.set(request::COMPLETE);
        Ok(())
    }

    fn run<D, R>(self, comm: Rc<Communicator>, data: D, run: R) -> Result<()>
    where
        D: Clone + 'static,
        R: AsyncFn(D, &CommNet) -> Result<()> + 'static,
    {
        let (mpi, engine) = (self.mpi, self.mpi.engine());
        let net = CommNet::new(engine, comm.clone(), CallKind::Background);
        let running = engine.start_background(Box::pin(async move { run(data, &net).await }));
        self.request.set(mpi.requests.add(active(running, comm))?);
        Ok(())
    }
}

/// The call keeps it for `MPI_Start` (`MPI_X_init`).
#[derive(Clone, Copy)]
pub struct Persistent<'m> {
    mpi: &'m Mpi,
    request: Out<Request>,
}

impl<'m> Persistent<'m> {
    /// No hint changes anything.
    pub fn new(mpi: &'m Mpi, _info: Info, request: Out<Request>) -> Self {
        Persistent { mpi, request }
    }
}

impl Form for Persistent<'_> {
    fn mpi(&self) -> &Mpi {
        self.mpi
    }

    fn nothing(self, comm: Rc<Communicator>) -> Result<()> {
        comm.next_collective(CallKind::Background);
        let of = comm.clone();
        let recipe = move |_: &Runtime| {
            let comm = Some(comm.clone());
            let operation = Operation::Complete(Status::EMPTY);
            Ok(Active { operation, comm })
        };
        let requests = &self.mpi.requests;
        self.request
            .set(requests.add_persistent(Rc::new(recipe), of)?);
        Ok(())
    }

    /// Calls match here, so every start uses the same net: one start's messages never overtake those of the start
    /// before.
    fn run<D, R>(self, comm: Rc<Communicator>, data: D, run: R) -> Result<()>
    where
        D: Clone + 'static,
        R: AsyncFn(D, &CommNet) -> Result<()> + 'static,
    {
        let mpi = self.mpi;
        let net = CommNet::new(mpi.engine(), comm.clone(), CallKind::Background);
        let shared = Rc::new((net, data, run));
        let of = comm.clone();
        let recipe = move |runtime: &Runtime| {
            let shared = shared.clone();
            let task = Box::pin(async move {
                let (net, data, run) = &*shared;
                run(data.clone(), net).await
            });
            let running = runtime.engine().start_background(task);
            Ok(active(running, comm.clone()))
        };
        self.request
            .set(mpi.requests.add_persistent(Rc::new(recipe), of)?);
        Ok(())
    }
}

fn active(running: Rc<Background>, comm: Rc<Communicator>) -> Active {
    Active {
        operation: Operation::Collective(running),
        comm: Some(comm),
    }
}

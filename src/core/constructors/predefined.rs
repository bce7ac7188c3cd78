//! When there are `MPI_COMM_WORLD` and `MPI_COMM_SELF`: from `MPI_Init` to `MPI_Finalize` (MPI-5.0, 11.2).
//!
//! With MPICH they are there for as long as the library is in use, by sessions alone too. Programs that were compiled
//! for it count on that. On its ABI they are therefore made at their first use. Knows nothing of what else starts and
//! ends.

use std::rc::Rc;

use crate::borrowed::Borrowed;
use crate::comm::Communicator;
use crate::error::{Error, Result};
use crate::facts::Family;
use crate::handle::Comm;
use crate::info::Pairs;
use crate::mpi::Mpi;
use crate::session::{MEMORY_KINDS, MEMORY_KINDS_VARIABLE, memory_kinds};

impl Mpi {
    /// The live communicator of a handle.
    #[inline(always)]
    pub fn comm(&self, handle: Comm) -> Result<Rc<Communicator>> {
        self.lend_comm(handle).map(Borrowed::keep)
    }

    /// As [`comm`](Self::comm), for a call that keeps nothing of it.
    #[inline(always)]
    pub fn lend_comm(&self, handle: Comm) -> Result<Borrowed<'_, Communicator>> {
        match self.comms.find(handle) {
            Err(error) => self.made_at_first_use(handle, error),
            found => found,
        }
    }

    /// Deletes the attributes of `MPI_COMM_SELF`, which is the first thing that `MPI_Finalize` does
    /// (MPI-5.0, 11.2.4).
    pub fn delete_self_attributes(&self) -> Result<()> {
        self.comm(Comm::SELF)?
            .attributes
            .delete_all(self, Comm::SELF)
    }

    /// Makes `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone.
    pub fn open_world(&self) -> Result<()> {
        let engine = self.engine();
        engine.announce_world()?;
        let hints = Pairs::new();
        let wished = std::env::var(MEMORY_KINDS_VARIABLE).unwrap_or_default();
        hints.put(MEMORY_KINDS, &memory_kinds(&wished));
        let errhandler = self.errhandlers.initial();
        self.sessions.add_origin();
        let comms = &self.comms;
        comms.open(engine.rank, engine.size, errhandler, &hints);
        Ok(())
    }

    /// The communicator of a handle that was not found, which `error` says, if its first use makes it.
    #[cold]
    #[inline(never)]
    fn made_at_first_use(&self, handle: Comm, error: Error) -> Result<Borrowed<'_, Communicator>> {
        let predefined = handle == Comm::WORLD || handle == Comm::SELF;
        if !predefined || !self.is_running() || self.facts().family != Family::Mpich {
            return Err(error);
        }
        self.open_world()?;
        self.comms.find(handle)
    }
}

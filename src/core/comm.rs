//! Communicators (MPI-5.0, chapter 7): who may talk to whom, apart from everybody else.
//!
//! A communicator is immutable but for its name, error handler, attributes and hints. Handles, requests and
//! operations under way share it by `Rc`; `MPI_Comm_free` only takes the handle away.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::context;
use crate::error::Result;
use crate::group::Members;
use crate::handle::{Comm, Errhandler, Handle, Registry, bad_handle};
use crate::mpi::Mpi;

/// A communicator.
pub struct Communicator {
    pub handle: Comm,
    /// Context of its point-to-point messages; the others follow (`context`).
    pub context: u32,
    /// This process's rank in the (local) group.
    pub rank: i32,
    pub group: Rc<Members>,
    /// The remote group of an inter-communicator.
    pub remote: Option<Rc<Members>>,
    pub errhandler: Cell<Errhandler>,
    pub name: RefCell<String>,
    /// Counts collective operations: the number is their tag.
    collectives: Cell<u32>,
}

impl Communicator {
    pub fn new(
        handle: Comm,
        context: u32,
        rank: i32,
        group: Rc<Members>,
        remote: Option<Rc<Members>>,
    ) -> Communicator {
        Communicator {
            handle,
            context,
            rank,
            group,
            remote,
            errhandler: Cell::new(Errhandler::ARE_FATAL),
            name: RefCell::new(String::new()),
            collectives: Cell::new(0),
        }
    }

    /// The processes that ranks in point-to-point calls name.
    #[inline(always)]
    pub fn peers(&self) -> &Members {
        match &self.remote {
            None => &self.group,
            Some(remote) => remote,
        }
    }

    /// Tag of the next collective operation.
    #[inline(always)]
    pub fn next_collective(&self) -> i32 {
        let number = self.collectives.get();
        self.collectives.set(number.wrapping_add(1));
        (number & i32::MAX as u32) as i32
    }

    /// Context of collectives among this group.
    #[inline(always)]
    pub fn collective_context(&self) -> u32 {
        self.context + context::COLLECTIVE
    }

    /// Its name, or its handle's number, for messages.
    pub fn describe(&self) -> String {
        let name = self.name.borrow();
        if name.is_empty() {
            format!("communicator 0x{:x}", self.handle.raw())
        } else {
            name.clone()
        }
    }
}

/// The communicators of one process.
#[derive(Default)]
pub struct Comms {
    world: RefCell<Option<Rc<Communicator>>>,
    this: RefCell<Option<Rc<Communicator>>>,
    live: Registry<Comm, Communicator>,
}

impl Comms {
    pub const fn new() -> Comms {
        Comms {
            world: RefCell::new(None),
            this: RefCell::new(None),
            live: Registry::new(),
        }
    }

    /// The live communicator of a handle.
    ///
    /// # Errors
    /// `MPI_ERR_COMM` for `MPI_COMM_NULL`, a freed handle or one of another kind.
    #[inline(always)]
    pub fn find(&self, handle: Comm) -> Result<Rc<Communicator>> {
        let predefined = match handle {
            Comm::WORLD => self.world.borrow().clone(),
            Comm::SELF => self.this.borrow().clone(),
            _ => return self.live.find(handle),
        };
        predefined.ok_or_else(|| bad_handle(handle))
    }

    /// Makes `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
    pub fn open(&self, rank: usize, size: usize) {
        let named = |comm: Communicator, name: &str| {
            *comm.name.borrow_mut() = name.into();
            Some(Rc::new(comm))
        };
        let everybody = Rc::new(Members::range(0, size));
        let alone = Rc::new(Members::range(rank as u32, 1));
        *self.world.borrow_mut() = named(
            Communicator::new(Comm::WORLD, context::WORLD, rank as i32, everybody, None),
            "MPI_COMM_WORLD",
        );
        *self.this.borrow_mut() = named(
            Communicator::new(Comm::SELF, context::SELF, 0, alone, None),
            "MPI_COMM_SELF",
        );
    }
}

impl Mpi {
    /// The live communicator of a handle.
    #[inline(always)]
    pub fn comm(&self, handle: Comm) -> Result<Rc<Communicator>> {
        self.comms.find(handle)
    }
}

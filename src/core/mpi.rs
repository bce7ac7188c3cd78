//! The state of the library: one `Mpi` per process and front, a [`Runtime`] and the registries of objects over it.
//!
//! What holds for the state of the [runtime](crate::runtime) holds for the registries. They are touched under the
//! door's lock, and no `RefCell` borrow may live across [`Runtime::outside`].

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use crate::attr::{Keyvals, Predefined};
use crate::bsend::Buffers;
use crate::comm::{Comms, Communicator};
use crate::datatype::{self, Type};
use crate::errhandler::Errhandlers;
use crate::errhandler::codes::Codes;
use crate::error::Result;
use crate::fortran::Fortran;
use crate::grequest;
use crate::group::Groups;
use crate::handle::{Comm, Datatype, Info, Message};
use crate::info::Pairs;
use crate::op;
use crate::progress_thread::ProgressThread;
use crate::proto::Matched;
use crate::registry::{Registry, bad_handle};
use crate::request::Requests;
use crate::runtime::Runtime;
use crate::session::Sessions;
use crate::tool::Tools;
use crate::tool::variable::Library;

/// Where the world model is in its life, from `MPI_Init` to `MPI_Finalize` (MPI-5.0, 11.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldModel {
    Before,
    Running,
    After,
}

pub struct Mpi {
    runtime: Runtime,
    pub progress_thread: ProgressThread,
    world_model: Cell<WorldModel>,
    /// The communicator with those who have spawned this process's job.
    pub parent: Cell<Comm>,
    pub comms: Comms,
    pub groups: Groups,
    pub infos: Registry<Info, Pairs>,
    pub info_env: OnceCell<Rc<Pairs>>,
    pub grequest_classes: grequest::Classes,
    pub errhandlers: Errhandlers,
    pub codes: Codes,
    pub fortran: Fortran,
    pub keyvals: Keyvals,
    pub predefined: OnceCell<Predefined>,
    pub types: datatype::Table,
    pub ops: op::Table,
    pub requests: Requests,
    pub messages: Registry<Message, KeptMessage>,
    pub sessions: Sessions,
    pub bsend: Buffers,
    pub tools: Tools,
}

/// A message that a matched probe has taken, until it is received.
pub struct KeptMessage {
    pub comm: Rc<Communicator>,
    matched: RefCell<Option<Matched>>,
}

impl Mpi {
    pub const fn new() -> Mpi {
        Mpi {
            runtime: Runtime::new(),
            progress_thread: ProgressThread::new(),
            world_model: Cell::new(WorldModel::Before),
            parent: Cell::new(Comm::NULL),
            comms: Comms::new(),
            groups: Groups::new(),
            infos: Registry::new(),
            info_env: OnceCell::new(),
            grequest_classes: grequest::Classes::new(),
            errhandlers: Errhandlers::new(),
            codes: Codes::new(),
            fortran: Fortran::new(),
            keyvals: Keyvals::new(),
            predefined: OnceCell::new(),
            types: datatype::Table::new(),
            ops: op::Table::new(),
            requests: Requests::new(),
            messages: Registry::new(),
            sessions: Sessions::new(),
            bsend: Buffers::new(),
            tools: Tools::new(),
        }
    }

    pub fn world_model(&self) -> WorldModel {
        self.world_model.get()
    }

    pub fn set_world_model(&self, model: WorldModel) {
        self.world_model.set(model);
    }

    /// The live datatype of a handle, committed or not.
    #[inline]
    pub fn datatype(&self, handle: Datatype) -> Result<Rc<Type>> {
        self.types.find(handle)
    }

    /// The datatype of a handle, for communication.
    ///
    /// # Errors
    /// `MPI_ERR_TYPE`: no live datatype, or not committed.
    #[inline]
    pub fn committed(&self, handle: Datatype) -> Result<Rc<Type>> {
        self.types.find_committed(handle)
    }

    /// Names a message that a matched probe has taken.
    pub fn keep_message(&self, comm: Rc<Communicator>, matched: Matched) -> Result<Message> {
        let kept = KeptMessage {
            comm,
            matched: RefCell::new(Some(matched)),
        };
        self.messages.insert(Rc::new(kept))
    }

    /// Takes a kept message back, to be received.
    pub fn take_message(&self, handle: Message) -> Result<(Rc<Communicator>, Matched)> {
        let kept = self
            .messages
            .remove(handle)
            .ok_or_else(|| bad_handle(handle))?;
        let matched = kept.matched.borrow_mut().take();
        Ok((
            kept.comm.clone(),
            matched.expect("a kept message is taken once"),
        ))
    }
}

/// A library can do what its runtime can.
impl Deref for Mpi {
    type Target = Runtime;

    #[inline(always)]
    fn deref(&self) -> &Runtime {
        &self.runtime
    }
}

impl Library for Mpi {
    fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    fn requests(&self) -> usize {
        self.requests.len()
    }

    fn communicators(&self) -> usize {
        self.comms.handles().len()
    }
}

impl Default for Mpi {
    fn default() -> Self {
        Self::new()
    }
}

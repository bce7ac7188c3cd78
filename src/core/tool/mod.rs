//! The tool information interface (MPI-5.0, 15.3): variables, categories and events of this process.
//!
//! What there is to see stands in tables ([`variable`], [`event`], [`category`]); sessions and handles are
//! checked objects of their own ([`objects`], [`session`]). Usable before initialisation and after
//! finalisation: what does not run yet is 0. Errors are return codes; nothing here raises anything.

pub mod category;
pub mod event;
pub mod objects;
pub mod session;
pub mod variable;

use std::cell::{Cell, OnceCell};

use crate::engine::Engine;
use crate::error::Result;
use crate::fail;
use crate::types::{
    CvarHandle, EventInstance, EventRegistration, PvarHandle, PvarSession, ThreadLevel,
};

/// The state of the tool interface.
pub struct Tools {
    /// Initialisations that have not been undone.
    users: Cell<u32>,
    /// Some user has threads that call at the same time.
    threaded: Cell<bool>,
    pvars: OnceCell<Vec<variable::Pvar>>,
    categories: OnceCell<Vec<category::Category>>,
    /// Handles on control variables: their indices.
    pub cvar_handles: objects::Objects<CvarHandle, usize>,
    pub sessions: objects::Objects<PvarSession, ()>,
    pub pvar_handles: objects::Objects<PvarHandle, session::Handle>,
    pub registrations: objects::Objects<EventRegistration, event::Registration>,
    pub instances: objects::Objects<EventInstance, event::Instance>,
    /// Some registration has a function.
    watching: Cell<bool>,
}

impl Tools {
    pub const fn new() -> Tools {
        Tools {
            users: Cell::new(0),
            threaded: Cell::new(false),
            pvars: OnceCell::new(),
            categories: OnceCell::new(),
            cvar_handles: objects::Objects::new(),
            sessions: objects::Objects::new(),
            pvar_handles: objects::Objects::new(),
            registrations: objects::Objects::new(),
            instances: objects::Objects::new(),
            watching: Cell::new(false),
        }
    }

    /// One user more, at a level of thread support.
    pub fn join(&self, level: ThreadLevel) {
        self.users.set(self.users.get() + 1);
        if level == ThreadLevel::MULTIPLE {
            self.threaded.set(true);
        }
    }

    /// Whether calls need the lock because of a tool, whatever the application says of itself.
    pub fn is_threaded(&self) -> bool {
        self.threaded.get()
    }

    /// One user less; with the last one go all handles.
    ///
    /// # Errors
    /// `MPI_T_ERR_NOT_INITIALIZED`: nobody uses the interface.
    pub fn leave(&self, engine: Option<&Engine>) -> Result<()> {
        self.require()?;
        self.users.set(self.users.get() - 1);
        if self.users.get() == 0 {
            self.cvar_handles.clear();
            self.pvar_handles.clear();
            self.sessions.clear();
            self.registrations.clear();
            self.watch(engine);
            self.threaded.set(false);
        }
        Ok(())
    }

    /// # Errors
    /// `MPI_T_ERR_NOT_INITIALIZED`: call `MPI_T_init_thread` first.
    pub fn require(&self) -> Result<()> {
        if self.users.get() == 0 {
            fail!(
                T_ERR_NOT_INITIALIZED,
                "call MPI_T_init_thread first, and MPI_T_finalize last"
            );
        }
        Ok(())
    }

    /// The performance variables.
    pub fn pvars(&self) -> &[variable::Pvar] {
        self.pvars.get_or_init(variable::pvars)
    }

    pub fn categories(&self) -> &[category::Category] {
        self.categories
            .get_or_init(|| category::categories(self.pvars()))
    }
}

impl Default for Tools {
    fn default() -> Self {
        Self::new()
    }
}

/// The element of a table at a caller's index.
///
/// # Errors
/// `MPI_T_ERR_INVALID_INDEX`.
pub fn at<'t, T>(table: &'t [T], index: i32, name: &str) -> Result<&'t T> {
    match usize::try_from(index).ok().and_then(|at| table.get(at)) {
        Some(element) => Ok(element),
        None => fail!(
            T_ERR_INVALID_INDEX,
            "{name} = {index}: there are {} of them, from 0",
            table.len()
        ),
    }
}

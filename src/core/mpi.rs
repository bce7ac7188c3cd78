//! The state of the library: one `Mpi` per process and front.
//!
//! Interior mutability throughout, because calls re-enter from user callbacks; the door's lock makes
//! access exclusive at `MPI_THREAD_MULTIPLE`, the application's promise does so below it. No `RefCell`
//! borrow may live across [`Mpi::outside`].

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use crate::attr::{Keyvals, Predefined};
use crate::bsend::Buffers;
use crate::comm::{Comms, Communicator};
use crate::config::Settings;
use crate::datatype::{self, Type};
use crate::engine::Engine;
use crate::errhandler::Errhandlers;
use crate::errhandler::codes::Codes;
use crate::error::Result;
use crate::facts::Facts;
use crate::forked;
use crate::fortran::Fortran;
use crate::grequest::Grequests;
use crate::group::Groups;
use crate::handle::{Datatype, Info, Message, Registry, bad_handle};
use crate::info::Pairs;
use crate::lock::Lock;
use crate::op;
use crate::progress_thread::ProgressThread;
use crate::proto::Matched;
use crate::request::Requests;
use crate::session::Sessions;
use crate::sync::{AtomicU8, Ordering};
use crate::threads::Waiters;
use crate::tool::Tools;
use crate::types::ThreadLevel;

/// Where the library is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Phase {
    /// Not initialised, and never was.
    Before = 0,
    /// Usable, below `MPI_THREAD_MULTIPLE`: calls take no lock.
    Running = 1,
    /// Usable at `MPI_THREAD_MULTIPLE`.
    RunningThreads = 2,
    /// Not usable any more: finalised, and no session is open. A new session makes it usable again.
    After = 3,
    /// This is a [child](crate::forked) of the process that has MPI.
    Forked = 4,
}

/// Where the world model is in its life, from `MPI_Init` to `MPI_Finalize` (MPI-5.0, 11.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldModel {
    Before,
    Running,
    After,
}

pub struct Mpi {
    phase: AtomicU8,
    lock: Lock,
    /// Whether the running call holds the lock.
    locked: Cell<bool>,
    pub waiters: Waiters,
    pub progress_thread: ProgressThread,
    facts: Cell<Option<&'static Facts>>,
    engine: Cell<Option<&'static Engine>>,
    world_model: Cell<WorldModel>,
    threads: Cell<ThreadLevel>,
    main_thread: Cell<Option<std::thread::ThreadId>>,
    pub comms: Comms,
    pub groups: Groups,
    pub infos: Registry<Info, Pairs>,
    pub info_env: OnceCell<Rc<Pairs>>,
    pub grequests: Grequests,
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
    pub settings: Settings,
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
            phase: AtomicU8::new(Phase::Before as u8),
            lock: Lock::new(),
            locked: Cell::new(false),
            waiters: Waiters::new(),
            progress_thread: ProgressThread::new(),
            facts: Cell::new(None),
            engine: Cell::new(None),
            world_model: Cell::new(WorldModel::Before),
            threads: Cell::new(ThreadLevel::SINGLE),
            main_thread: Cell::new(None),
            comms: Comms::new(),
            groups: Groups::new(),
            infos: Registry::new(),
            info_env: OnceCell::new(),
            grequests: Grequests::new(),
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
            settings: Settings::new(),
            tools: Tools::new(),
        }
    }

    #[inline(always)]
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Before,
            1 => Phase::Running,
            2 => Phase::RunningThreads,
            3 => Phase::After,
            _ => Phase::Forked,
        }
    }

    /// Moves on to another phase. Called by init and finalize, within the door and so under its lock;
    /// going from `Running` to `RunningThreads` within an unlocked call is not possible (the door
    /// locks every call that starts outside `Running`).
    pub fn set_phase(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Release);
    }

    #[inline(always)]
    pub fn is_running(&self) -> bool {
        matches!(self.phase(), Phase::Running | Phase::RunningThreads)
    }

    #[inline]
    pub fn is_forked(&self) -> bool {
        self.phase() == Phase::Forked
    }

    pub fn world_model(&self) -> WorldModel {
        self.world_model.get()
    }

    pub fn set_world_model(&self, model: WorldModel) {
        self.world_model.set(model);
    }

    /// The ABI's facts. The door stores them with the first call that can come before `MPI_Init`,
    /// and nothing but such a call can come first.
    pub fn facts(&self) -> &'static Facts {
        self.facts
            .get()
            .expect("the door stores the facts before any call runs")
    }

    pub fn set_facts(&self, facts: &'static Facts) {
        self.facts.set(Some(facts));
    }

    /// Takes the lock for the running call. The door's.
    pub fn acquire(&self) {
        self.lock.acquire();
        self.locked.set(true);
    }

    /// Ends what [`acquire`](Self::acquire) began.
    pub fn release(&self) {
        self.locked.set(false);
        self.lock.release();
    }

    /// As [`acquire`](Self::acquire), but only if the lock is free and nobody else wants it.
    pub fn acquire_unwanted(&self) -> bool {
        let acquired = self.lock.acquire_unwanted();
        if acquired {
            self.locked.set(true);
        }
        acquired
    }

    /// Whether another thread wants the lock that the running call holds.
    #[inline(always)]
    pub fn wanted(&self) -> bool {
        self.lock.wanted()
    }

    /// Whether the running call holds the lock, so that other threads may be in calls of their own.
    #[inline(always)]
    pub fn is_locked(&self) -> bool {
        self.locked.get()
    }

    /// Rank and size of the world, once known; for messages.
    pub fn world(&self) -> Option<(usize, usize)> {
        self.engine.get().map(|engine| (engine.rank, engine.size))
    }

    /// Whether other threads may be in calls of their own.
    #[inline(always)]
    pub fn is_threaded(&self) -> bool {
        self.phase() == Phase::RunningThreads
    }

    /// The running engine. The door lets no call that needs it in before it runs.
    #[inline(always)]
    pub fn engine(&self) -> &'static Engine {
        self.engine
            .get()
            .expect("the door has checked that MPI runs")
    }

    pub fn engine_if_started(&self) -> Option<&'static Engine> {
        self.engine.get()
    }

    /// Keeps a started engine for as long as the process lives: its rings stay mapped anyway.
    pub fn set_engine(&self, engine: Engine) {
        self.engine.set(Some(Box::leak(Box::new(engine))));
    }

    /// Remembers the level of thread support and the calling thread as the main one.
    pub fn set_threads(&self, level: ThreadLevel) {
        self.threads.set(level);
        self.main_thread.set(Some(std::thread::current().id()));
    }

    pub fn thread_level(&self) -> ThreadLevel {
        self.threads.get()
    }

    pub fn is_main_thread(&self) -> bool {
        self.main_thread.get() == Some(std::thread::current().id())
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

    /// This state with the lifetime it has: a library's only `Mpi` is a static of its front.
    #[allow(unsafe_code)]
    pub fn forever(&self) -> &'static Mpi {
        // SAFETY: the only Mpi that calls ever see is the door's static.
        unsafe { &*std::ptr::from_ref(self) }
    }

    /// Runs user code, or sleeps: gives up the lock meanwhile, so that other threads' calls and calls
    /// from within the user's code can proceed. No `RefCell` borrow may be held. A child that the user's code has
    /// forked does not come back.
    #[inline]
    pub fn outside<T>(&self, user: impl FnOnce() -> T) -> T {
        let (locked, running) = (self.locked.get(), self.is_running());
        if locked {
            self.release();
        }
        let value = user();
        if running && self.is_forked() {
            forked::end(self);
        }
        if locked {
            self.acquire();
        }
        value
    }
}

impl Default for Mpi {
    fn default() -> Self {
        Self::new()
    }
}

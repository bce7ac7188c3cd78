//! What runs below the objects of MPI: the phase, the one lock, the engine, and the threads that wait.
//!
//! One `Runtime` per process and front. Registries and waits need no more than this, so it knows no communicator,
//! request or other object. What is above leaves something [to be polled](Polled) or [to be told](Listener) here.
//! Interior mutability throughout, because calls re-enter from user callbacks; the door's lock makes access exclusive
//! at `MPI_THREAD_MULTIPLE`, the application's promise does so below it. No `RefCell` borrow may live across
//! [`Runtime::outside`].

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::abort;
use crate::config::Settings;
use crate::engine::Engine;
use crate::facts::Facts;
use crate::forked;
use crate::lock::Lock;
use crate::phase::{self, Phase};
use crate::types::ThreadLevel;
use crate::waiters::Waiters;

/// An operation of the application's that moves only while somebody waits or tests and calls it.
pub trait Polled {
    /// Lets it move; whether somebody waits, or only tests.
    fn poll(&self, runtime: &Runtime, waiting: bool);
}

/// What wants to hear whenever operations have ended.
pub trait Listener {
    fn operations_ended(&self, runtime: &Runtime, engine: &Engine);
}

pub struct Runtime {
    phase: phase::Current,
    lock: Lock,
    /// Whether the running call holds the lock.
    locked: Cell<bool>,
    pub waiters: Waiters,
    facts: Cell<Option<&'static Facts>>,
    engine: Cell<Option<&'static Engine>>,
    threads: Cell<ThreadLevel>,
    main_thread: Cell<Option<std::thread::ThreadId>>,
    polled: RefCell<Vec<Rc<dyn Polled>>>,
    /// How many there are: asked in every round of a wait.
    polls: Cell<usize>,
    listener: Cell<Option<&'static dyn Listener>>,
    pub settings: Settings,
}

impl Runtime {
    pub const fn new() -> Runtime {
        Runtime {
            phase: phase::Current::new(),
            lock: Lock::new(),
            locked: Cell::new(false),
            waiters: Waiters::new(),
            facts: Cell::new(None),
            engine: Cell::new(None),
            threads: Cell::new(ThreadLevel::SINGLE),
            main_thread: Cell::new(None),
            polled: RefCell::new(Vec::new()),
            polls: Cell::new(0),
            listener: Cell::new(None),
            settings: Settings::new(),
        }
    }

    #[inline(always)]
    pub fn phase(&self) -> Phase {
        self.phase.get()
    }

    /// Moves on to another phase. Called by init and finalize, within the door and so under its lock: the door locks
    /// every call that starts outside `Running`. An unlocked call cannot go from `Running` to `RunningThreads`.
    pub fn set_phase(&self, phase: Phase) {
        self.phase.set(phase);
    }

    #[inline(always)]
    pub fn is_running(&self) -> bool {
        matches!(self.phase(), Phase::Running | Phase::RunningThreads)
    }

    #[inline]
    pub fn is_forked(&self) -> bool {
        self.phase() == Phase::Forked
    }

    /// From now on a [child](crate::forked) of this process is told from it. The engine has been started.
    pub fn watch_forks(&'static self) {
        forked::watch(&self.phase, self.world().unwrap_or_default());
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

    /// Calls an operation from now on while somebody waits or tests.
    pub fn add_polled(&self, polled: Rc<dyn Polled>) {
        let mut all = self.polled.borrow_mut();
        all.push(polled);
        self.polls.set(all.len());
    }

    /// Ends what [`add_polled`](Self::add_polled) began, if it did.
    pub fn remove_polled(&self, polled: *const dyn Polled) {
        let same = |other: &Rc<dyn Polled>| std::ptr::addr_eq(Rc::as_ptr(other), polled);
        let mut all = self.polled.borrow_mut();
        all.retain(|other| !same(other));
        self.polls.set(all.len());
    }

    /// Whether operations want to be called while somebody waits.
    #[inline(always)]
    pub fn is_polled(&self) -> bool {
        self.polls.get() > 0
    }

    /// Calls them.
    #[cold]
    pub fn poll_operations(&self, waiting: bool) {
        let all = self.polled.borrow().clone();
        for polled in all {
            polled.poll(self, waiting);
        }
    }

    /// Who is told of everything that ends, once it [looks on](Engine::look_on).
    pub fn set_listener(&self, listener: &'static dyn Listener) {
        self.listener.set(Some(listener));
    }

    pub fn listener(&self) -> Option<&'static dyn Listener> {
        self.listener.get()
    }

    /// Ends the whole job; a [child](forked) of a rank ends alone. Works in a signal handler and while any lock is held.
    pub fn abort(&self, code: i32) -> ! {
        let engine = self.engine_if_started().filter(|_| !self.is_forked());
        abort::end_job(engine.and_then(|engine| engine.abort), code)
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
            forked::end();
        }
        if locked {
            self.acquire();
        }
        value
    }
}

impl Default for Runtime {
    fn default() -> Self {
        Self::new()
    }
}

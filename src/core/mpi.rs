//! The state of the library: one `Mpi` per process and front.
//!
//! Interior mutability throughout, because calls re-enter from user callbacks; the door's lock makes
//! access exclusive at `MPI_THREAD_MULTIPLE`, the application's promise does so below it. No `RefCell`
//! borrow may live across [`Mpi::outside`].

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::facts::Facts;
use crate::lock::Lock;

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
    /// Finalised.
    After = 3,
}

pub struct Mpi {
    phase: AtomicU8,
    lock: Lock,
    /// Whether the running call holds the lock.
    locked: Cell<bool>,
    facts: Cell<Option<&'static Facts>>,
    world: Cell<Option<(u32, u32)>>,
}

impl Mpi {
    pub const fn new() -> Mpi {
        Mpi {
            phase: AtomicU8::new(Phase::Before as u8),
            lock: Lock::new(),
            locked: Cell::new(false),
            facts: Cell::new(None),
            world: Cell::new(None),
        }
    }

    #[inline(always)]
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Before,
            1 => Phase::Running,
            2 => Phase::RunningThreads,
            _ => Phase::After,
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

    /// Rank and size of the world, once known; for messages.
    pub fn world(&self) -> Option<(u32, u32)> {
        self.world.get()
    }

    pub fn set_world(&self, rank: u32, size: u32) {
        self.world.set(Some((rank, size)));
    }

    /// Runs user code, or sleeps: gives up the lock meanwhile, so that other threads' calls and calls
    /// from within the user's code can proceed. No `RefCell` borrow may be held.
    #[inline]
    pub fn outside<T>(&self, user: impl FnOnce() -> T) -> T {
        if self.locked.get() {
            self.release();
            let value = user();
            self.acquire();
            value
        } else {
            user()
        }
    }
}

impl Default for Mpi {
    fn default() -> Self {
        Self::new()
    }
}

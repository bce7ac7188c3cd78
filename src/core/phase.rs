//! Where the library is in its life; everything else asks here whether it may be used.
//!
//! One atomic, because a handler that runs in the child of a fork changes it as well.

use crate::sync::{AtomicU8, Ordering};

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

/// The phase of a process's library.
pub struct Current(AtomicU8);

impl Current {
    pub const fn new() -> Current {
        Current(AtomicU8::new(Phase::Before as u8))
    }

    #[inline(always)]
    pub fn get(&self) -> Phase {
        match self.0.load(Ordering::Relaxed) {
            0 => Phase::Before,
            1 => Phase::Running,
            2 => Phase::RunningThreads,
            3 => Phase::After,
            _ => Phase::Forked,
        }
    }

    pub fn set(&self, phase: Phase) {
        self.0.store(phase as u8, Ordering::Release);
    }
}

impl Default for Current {
    fn default() -> Self {
        Self::new()
    }
}

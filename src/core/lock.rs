//! The one lock of the library. Taken by the door at `MPI_THREAD_MULTIPLE` only.
//!
//! A raw mutex, because it is released in the middle of a call (`Mpi::outside`) while user code runs
//! or a wait sleeps, which guard types cannot express.
#![allow(unsafe_code)]

use parking_lot::lock_api::RawMutex as _;

pub struct Lock(parking_lot::RawMutex);

impl Lock {
    pub const fn new() -> Lock {
        Lock(parking_lot::RawMutex::INIT)
    }

    #[inline]
    pub fn acquire(&self) {
        self.0.lock();
    }

    /// To be called by the thread that holds the lock, and by the door alone.
    #[inline]
    pub fn release(&self) {
        debug_assert!(self.0.is_locked());
        // SAFETY: the door pairs each release with its own acquire.
        unsafe { self.0.unlock() };
    }
}

impl Default for Lock {
    fn default() -> Self {
        Self::new()
    }
}

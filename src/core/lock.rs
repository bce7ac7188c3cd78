//! The one lock of the library. Taken by the door at `MPI_THREAD_MULTIPLE` only.
//!
//! A raw mutex, because it is released in the middle of a call (`Runtime::outside`), while user code runs or a wait
//! sleeps. Guard types cannot express that. It also knows how many threads want it: a thread that polls keeps the
//! lock until somebody does, and takes it again when nobody does.
#![allow(unsafe_code)]

use parking_lot::lock_api::RawMutex as _;

use crate::sync::{AtomicUsize, Ordering};
use crate::sys;

/// Tries in quick succession: a thread that only polls gives the lock up at once.
const EAGER_TRIES: u32 = 8;
/// All tries before the processor goes to somebody else.
const TRIES: u32 = 12;
/// Pauses of the processor between later tries. A thread that makes one call after the other should keep the lock
/// meanwhile. With the lock, all that it protects moves to the other processor's cache.
const PAUSES: u32 = 128;
/// Times to let others have the processor before sleeping.
const YIELDS: u32 = 10;

#[repr(align(64))]
pub struct Lock {
    mutex: parking_lot::RawMutex,
    wanting: AtomicUsize,
}

impl Lock {
    pub const fn new() -> Lock {
        Lock {
            mutex: parking_lot::RawMutex::INIT,
            wanting: AtomicUsize::new(0),
        }
    }

    #[inline]
    pub fn acquire(&self) {
        if !self.mutex.try_lock() {
            self.want();
        }
    }

    #[cold]
    fn want(&self) {
        self.wanting.fetch_add(1, Ordering::Relaxed);
        if !self.try_for_long() {
            self.mutex.lock();
        }
        self.wanting.fetch_sub(1, Ordering::Relaxed);
    }

    fn try_for_long(&self) -> bool {
        for _ in 0..YIELDS {
            for tries in 0..TRIES {
                if !self.mutex.is_locked() && self.mutex.try_lock() {
                    return true;
                }
                let pauses = if tries < EAGER_TRIES { 1 } else { PAUSES };
                for _ in 0..pauses {
                    std::hint::spin_loop();
                }
            }
            sys::yield_now();
        }
        false
    }

    /// Whether another thread wants the lock.
    #[inline(always)]
    pub fn wanted(&self) -> bool {
        self.wanting.load(Ordering::Relaxed) != 0
    }

    /// Takes the lock if it is free and nobody else wants it.
    #[inline]
    pub fn acquire_unwanted(&self) -> bool {
        !self.wanted() && !self.mutex.is_locked() && self.mutex.try_lock()
    }

    /// To be called by the thread that holds the lock, and by the door alone.
    #[inline]
    pub fn release(&self) {
        debug_assert!(self.mutex.is_locked());
        // SAFETY: the door pairs each release with its own acquire.
        unsafe { self.mutex.unlock() };
    }
}

impl Default for Lock {
    fn default() -> Self {
        Self::new()
    }
}

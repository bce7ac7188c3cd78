//! A thread that makes progress while the application computes (the knob `PROGRESS_THREAD`).
//!
//! It is one more waiting thread, of those in `threads`. It waits for the end of MPI and never spins: while no thread
//! of the application polls, it sleeps where other processes wake this one. With it the library takes its lock
//! whatever level of thread support the application has asked for. Functions of the application, such as those of its
//! operations, may run in it. Touched under the lock only.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::thread::JoinHandle;

use crate::config;
use crate::error::{Error, Result, class};
use crate::runtime::Runtime;
use crate::sys;

/// The thread, if there is one.
pub struct ProgressThread {
    handle: RefCell<Option<JoinHandle<()>>>,
    stop: Cell<bool>,
}

impl ProgressThread {
    pub const fn new() -> ProgressThread {
        ProgressThread {
            handle: RefCell::new(None),
            stop: Cell::new(false),
        }
    }
}

impl Default for ProgressThread {
    fn default() -> Self {
        Self::new()
    }
}

/// What the thread takes along.
struct Taken(&'static Runtime, &'static ProgressThread);

// SAFETY: the thread touches both as any thread of the application does at MPI_THREAD_MULTIPLE: with the lock.
unsafe impl Send for Taken {}

impl Taken {
    fn progress(self) {
        let Taken(runtime, thread) = self;
        runtime.acquire();
        let stop = &thread.stop;
        if !stop.get() {
            runtime.wait_among_threads(runtime.engine(), None, &mut || stop.get());
        }
        runtime.release();
    }
}

/// Whether the settings ask for a progress thread; the library must take its lock then.
///
/// # Errors
/// A knob that is set to something else than a number.
pub fn is_wanted(runtime: &Runtime) -> Result<bool> {
    match runtime.settings.value(&config::PROGRESS_THREAD) {
        Ok(value) => Ok(value != 0),
        Err(what) => Err(Error::new(class::OTHER, what)),
    }
}

impl ProgressThread {
    /// Starts the thread unless it runs already. The engine has been started.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the system allows no further thread.
    pub fn start(&'static self, runtime: &'static Runtime) -> Result<()> {
        let mut handle = self.handle.borrow_mut();
        if handle.is_none() {
            self.stop.set(false);
            let taken = Taken(runtime, self);
            let spawned = sys::without_signals(|| {
                std::thread::Builder::new()
                    .name("mpi-progress".to_owned())
                    .spawn(move || taken.progress())
            });
            *handle = Some(spawned.map_err(|error| {
                Error::new(class::OTHER, format!("the progress thread: {error}"))
            })?);
        }
        Ok(())
    }

    /// Ends the thread, if it runs, and waits for its end.
    pub fn stop(&self, runtime: &Runtime) {
        let handle = self.handle.borrow_mut().take();
        if let Some(handle) = handle {
            self.stop.set(true);
            runtime.waiters.look(&runtime.engine().park);
            // It cannot fail: a panic aborts the process.
            let _ = runtime.outside(|| handle.join());
        }
    }
}

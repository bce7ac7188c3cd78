//! A thread that makes progress while the application computes (the knob `PROGRESS_THREAD`).
//!
//! It is one more waiting thread, of those in `threads`, that waits for the end of MPI and never spins: it sleeps
//! where other processes wake this one, and only while no thread of the application polls. With it
//! the library takes its lock whatever level of thread support the application has asked for. Functions of the
//! application, such as those of its operations, may run in it. Touched under the lock only.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::thread::JoinHandle;

use crate::config;
use crate::error::{Error, Result, class};
use crate::mpi::Mpi;
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

/// The library, taken along into the thread.
struct Library(&'static Mpi);

// SAFETY: the thread touches it as any thread of the application does at MPI_THREAD_MULTIPLE: with the lock.
unsafe impl Send for Library {}

impl Library {
    fn progress(self) {
        let mpi = self.0;
        mpi.acquire();
        let stop = &mpi.progress_thread.stop;
        if !stop.get() {
            mpi.wait_among_threads(mpi.engine(), None, &mut || stop.get());
        }
        mpi.release();
    }
}

impl Mpi {
    /// Whether the settings ask for a progress thread; the library must take its lock then.
    ///
    /// # Errors
    /// A knob that is set to something else than a number.
    pub fn wants_progress_thread(&self) -> Result<bool> {
        match self.settings.value(&config::PROGRESS_THREAD) {
            Ok(value) => Ok(value != 0),
            Err(what) => Err(Error::new(class::OTHER, what)),
        }
    }

    /// Starts the progress thread unless it runs already. The engine has been started.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the system allows no further thread.
    pub fn start_progress_thread(&self) -> Result<()> {
        let mut handle = self.progress_thread.handle.borrow_mut();
        if handle.is_none() {
            self.progress_thread.stop.set(false);
            let library = Library(self.forever());
            let spawned = sys::without_signals(|| {
                std::thread::Builder::new()
                    .name("mpi-progress".to_owned())
                    .spawn(move || library.progress())
            });
            *handle = Some(spawned.map_err(|error| {
                Error::new(class::OTHER, format!("the progress thread: {error}"))
            })?);
        }
        Ok(())
    }

    /// Ends the progress thread, if it runs, and waits for its end.
    pub fn stop_progress_thread(&self) {
        let handle = self.progress_thread.handle.borrow_mut().take();
        if let Some(handle) = handle {
            self.progress_thread.stop.set(true);
            self.waiters.look(&self.engine().park);
            // It cannot fail: a panic aborts the process.
            let _ = self.outside(|| handle.join());
        }
    }
}

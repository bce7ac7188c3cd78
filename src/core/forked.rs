//! The child of a fork. Rank, rings and launcher belong to the process that it is a copy of, and to touch them would harm that
//! one, so the child has no MPI.
//!
//! A handler that the system runs in the child moves the library to a phase of its own, where the door refuses what needs any of
//! that. What the child executes (`exec`) is a program like any other. `vfork` and `posix_spawn`, whose children share
//! their parent's memory, run no such handlers. Must not take locks: nobody is left to give them back.
#![allow(unsafe_code)]

use std::sync::OnceLock;

use crate::mpi::{Mpi, Phase};
use crate::sync::{AtomicU8, Ordering};
use crate::sys;

/// The library's state, and the process that has MPI.
struct Library(&'static Mpi, u32);

// SAFETY: a child looks at it, where one thread is left.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

static LIBRARY: OnceLock<Library> = OnceLock::new();
/// Whether the child has been told.
static TOLD: AtomicU8 = AtomicU8::new(0);

extern "C" fn part() {
    if let Some(Library(mpi, _)) = LIBRARY.get() {
        mpi.set_phase(Phase::Forked);
        TOLD.store(0, Ordering::Relaxed);
    }
}

/// From now on children of this process are told from it. Called when MPI starts.
pub fn watch(mpi: &Mpi) {
    LIBRARY.get_or_init(|| {
        sys::in_children(part);
        Library(mpi.forever(), std::process::id())
    });
}

/// Says once on standard error why `call` cannot be.
pub fn tell(mpi: &Mpi, call: &str) {
    if TOLD.swap(1, Ordering::Relaxed) != 0 {
        return;
    }
    let (rank, size) = mpi.world().unwrap_or_default();
    let parent = LIBRARY.get().map_or(0, |library| library.1);
    let text = format!(
        "anympi: {call}: this process ({}) is a fork of an MPI process (rank {rank} of {size}, process {parent}); MPI works in that \
         one only, and in programs that this one starts by exec\n",
        std::process::id(),
    );
    sys::write_raw(2, text.as_bytes());
}

/// Ends a child that would go on with a call of its parent's.
#[cold]
pub fn end(mpi: &Mpi) -> ! {
    tell(mpi, "a callback that has returned");
    sys::exit_now(crate::error::class::OTHER)
}

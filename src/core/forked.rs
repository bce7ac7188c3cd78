//! The child of a fork. Rank, rings and launcher belong to the process that it is a copy of. To touch them would harm
//! that one, so the child has no MPI.
//!
//! A handler that the system runs in the child moves the library to a phase of its own. There the door refuses what
//! needs any of that. What the child executes (`exec`) is a program like any other. `vfork` and `posix_spawn`,
//! whose children share their parent's memory, run no such handlers. Must not take locks: nobody is left to give
//! them back.

use std::sync::OnceLock;

use crate::error::class;
use crate::phase::{self, Phase};
use crate::sync::{AtomicU8, Ordering};
use crate::sys;

/// The process that has MPI.
struct Parent {
    phase: &'static phase::Current,
    rank: usize,
    size: usize,
    process: u32,
}

static PARENT: OnceLock<Parent> = OnceLock::new();
/// Whether the child has been told.
static TOLD: AtomicU8 = AtomicU8::new(0);

extern "C" fn part() {
    if let Some(parent) = PARENT.get() {
        parent.phase.set(Phase::Forked);
        TOLD.store(0, Ordering::Relaxed);
    }
}

/// From now on children of this process, a rank of so many, are told from it. Called when MPI starts.
pub fn watch(phase: &'static phase::Current, (rank, size): (usize, usize)) {
    let parent = Parent {
        phase,
        rank,
        size,
        process: std::process::id(),
    };
    // A child that another thread makes meanwhile finds what it is told from.
    if PARENT.set(parent).is_ok() {
        sys::in_children(part);
    }
}

/// Says once on standard error why `call` cannot be. In a child only.
pub fn tell(call: &str) {
    if TOLD.swap(1, Ordering::Relaxed) != 0 {
        return;
    }
    let Some(parent) = PARENT.get() else { return };
    let text = format!(
        "anympi: {call}: this process ({}) is a fork of an MPI process (rank {} of {}, process {}); MPI works in that \
         one only, and in programs that this one starts by exec\n",
        std::process::id(),
        parent.rank,
        parent.size,
        parent.process,
    );
    sys::write_raw(2, text.as_bytes());
}

/// Ends a child that would go on with a call of its parent's.
#[cold]
pub fn end() -> ! {
    tell("a callback that has returned");
    sys::exit_now(class::OTHER)
}

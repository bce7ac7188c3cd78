//! How a process ends the whole job: it tells its launcher, if there is one, and ends itself.
//!
//! May run in a signal handler, so nothing here allocates or takes a lock. Knows no world and no object.

use crate::boot::Abort;
use crate::sys;

/// Ends the whole job if there is a launcher to tell, or this process alone. Usable in a signal handler.
pub fn end_job(abort: Option<Abort>, code: i32) -> ! {
    // A process can end with eight bits only, and must not seem to have succeeded.
    let status = match code & 0xff {
        0 => 1,
        status => status,
    };
    if let Some(abort) = abort {
        (abort.tell)(abort.descriptor, status, code);
    }
    sys::exit_now(status)
}

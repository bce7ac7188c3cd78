//! Generalised requests: one function per MPI operation (MPI-5.0, 13.2).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::grequest::{self, Functions};

/// Says that the operation behind a generalised request has ended. (MPI-5.0, 13.2)
///
/// # Errors
/// `MPI_ERR_REQUEST`: no live generalised request.
pub fn grequest_complete(mpi: &Mpi, request: Request) -> Result<()> {
    grequest::find(&mpi.requests, request)?.set_complete();
    // Another thread may wait for it; and if the request has been freed, this is where it ends.
    mpi.after_completions(mpi.engine());
    mpi.requests.reap_orphans(mpi, mpi.engine());
    Ok(())
}

/// Starts a generalised request. (MPI-5.0, 13.2)
pub fn grequest_start(
    mpi: &Mpi,
    query_fn: GrequestQuery,
    free_fn: GrequestFree,
    cancel_fn: GrequestCancel,
    extra_state: Opaque,
    request: Out<Request>,
) -> Result<()> {
    let functions = Functions {
        query: query_fn,
        free: free_fn,
        cancel: cancel_fn,
        poll: GrequestPoll(None),
        wait: GrequestWait(None),
    };
    start(mpi, functions, extra_state, request)
}

/// Starts a request of the application's functions.
pub(crate) fn start(
    mpi: &Mpi,
    functions: Functions,
    extra_state: Opaque,
    request: Out<Request>,
) -> Result<()> {
    let handle = grequest::start(mpi, &mpi.requests, functions, extra_state)?;
    (mpi.facts().grequest_made)(handle);
    request.set(handle);
    Ok(())
}

//! Generalised requests: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Grequest_complete`. (MPI-5.0, chapter 13)
pub fn grequest_complete(_mpi: &Mpi, _request: Request) -> Result<()> {
    unsupported()
}

/// `MPI_Grequest_start`. (MPI-5.0, chapter 13)
pub fn grequest_start(
    _mpi: &Mpi,
    _query_fn: GrequestQuery,
    _free_fn: GrequestFree,
    _cancel_fn: GrequestCancel,
    _extra_state: Opaque,
    _request: Out<Request>,
) -> Result<()> {
    unsupported()
}

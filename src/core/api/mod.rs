//! The operations of MPI: one function each, and the only declaration there is of it.
//!
//! `cargo xtask gen` reads these signatures and writes the exported C functions of every front from them. A function
//! `comm_dup` becomes `MPI_Comm_dup` and `PMPI_Comm_dup`, with `_c` forms where MPI has them. The names of
//! parameters, without a leading underscore, become those of `mpi.h`. A collective takes a
//! [`Form`](crate::collective::Form) in place of the library's state: from `bcast` come `MPI_Bcast`, `MPI_Ibcast` and
//! `MPI_Bcast_init`. What is not built yet has the body `unsupported()`, which the matrix lists.
// MPI's operations have the arguments that they have.
#![allow(clippy::too_many_arguments)]

pub mod abi;
pub mod attr;
pub mod buffer;
pub mod collective;
pub mod comm;
pub mod datatype;
pub mod dynamic;
pub mod env;
pub mod errhandler;
pub mod exchange;
pub mod fortran;
pub mod grequest;
pub mod group;
pub mod handle_int;
pub mod info;
pub mod init;
pub mod io;
pub mod mpix;
pub mod mpix_stream;
pub mod neighbor;
pub mod op;
pub mod p2p;
pub mod partitioned;
pub mod probe;
pub mod reduction;
pub mod request;
pub mod rma;
pub mod session;
pub mod status;
pub mod tool;
pub mod tool_event;
pub mod topo;

/// What the signatures need.
pub(crate) mod prelude {
    pub use crate::buf::*;
    pub use crate::callback::*;
    pub use crate::error::Result;
    pub use crate::handle::*;
    pub use crate::mpi::Mpi;
    pub use crate::out::*;
    pub use crate::types::*;

    /// Writes the status of an operation that has ended; of one that failed, what is known of it.
    #[inline(always)]
    pub(crate) fn report(status: Out<Status>, result: Result<Status>) -> Result<()> {
        match result {
            Ok(known) => {
                status.set(known);
                Ok(())
            }
            Err(error) => {
                if let Some(known) = error.status() {
                    status.set(known);
                }
                Err(error)
            }
        }
    }

    /// The result of an operation that is not built yet. The door adds the call's name.
    #[cold]
    pub fn unsupported<T>() -> Result<T> {
        Err(crate::error::Error::not_built())
    }
}

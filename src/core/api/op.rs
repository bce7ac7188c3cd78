//! Reduction operations: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Op_commutative`. (MPI-5.0, chapter 6)
pub fn op_commutative(_mpi: &Mpi, _op: Op, _commute: Out<bool>) -> Result<()> {
    unsupported()
}

/// `MPI_Op_create`. (MPI-5.0, chapter 6)
pub fn op_create(_mpi: &Mpi, _user_fn: UserFunction, _commute: bool, _op: Out<Op>) -> Result<()> {
    unsupported()
}

/// `MPI_Op_free`. (MPI-5.0, chapter 6)
pub fn op_free(_mpi: &Mpi, _op: InOut<Op>) -> Result<()> {
    unsupported()
}

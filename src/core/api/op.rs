//! Reduction operations: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::cell::Cell;
use std::rc::Rc;

use crate::api::prelude::*;
use crate::op::Operation;

/// `MPI_Op_commutative`. (MPI-5.0, chapter 6)
pub fn op_commutative(mpi: &Mpi, op: Op, commute: Out<bool>) -> Result<()> {
    commute.set(mpi.ops.find(op)?.commutative());
    Ok(())
}

/// `MPI_Op_create`. (MPI-5.0, chapter 6)
pub fn op_create(
    mpi: &'static Mpi,
    user_fn: UserFunction,
    commute: bool,
    op: Out<Op>,
) -> Result<()> {
    op.set(create(mpi, user_fn, None, commute)?);
    Ok(())
}

/// An operation that calls `user_fn`, and keeps its state.
pub(crate) fn create(
    mpi: &'static Mpi,
    user_fn: UserFunction,
    state: Option<Rc<State>>,
    commute: bool,
) -> Result<Op> {
    let most = user_fn.most();
    let user_fn = Rc::new(Cell::new(user_fn));
    let called = user_fn.clone();
    let function = Rc::new(
        move |invec: *const u8, inoutvec: *mut u8, len: i64, datatype: &crate::datatype::Type| {
            // Named here so that it lives as long as what calls it.
            let (user_fn, _state) = (called.get(), &state);
            mpi.outside(|| user_fn.call(invec, inoutvec, len, datatype.handle()));
        },
    );
    let operation = Operation::user(function, most, commute).calling(user_fn);
    mpi.ops.insert(operation)
}

/// `MPI_Op_free`. (MPI-5.0, chapter 6)
pub fn op_free(mpi: &Mpi, op: InOut<Op>) -> Result<()> {
    mpi.ops.free(op.get())?;
    op.set(Op::NULL);
    Ok(())
}

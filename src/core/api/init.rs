//! Start and end of MPI: one function per MPI operation (MPI-5.0, 11.2 to 11.6).
//!
//! Arguments arrive converted to the core's vocabulary; the door knows which of these calls are allowed
//! outside of the time between initialisation and finalisation. Nothing here knows a C ABI.

use crate::api::prelude::*;
use crate::mpi::WorldModel;
use crate::{fail, world};

/// Initialises MPI for one thread. (MPI-5.0, 11.2.1)
///
/// # Errors
/// `MPI_ERR_OTHER`: initialised before, or the launcher cannot be joined.
pub fn init(mpi: &'static Mpi, _argc: Option<InOut<i32>>, _argv: MainArgv) -> Result<()> {
    world::initialize(mpi, ThreadLevel::SINGLE)
}

/// Initialises MPI with a level of thread support; every level is provided as asked.
/// (MPI-5.0, 11.6.2)
pub fn init_thread(
    mpi: &'static Mpi,
    _argc: Option<InOut<i32>>,
    _argv: MainArgv,
    required: ThreadLevel,
    provided: Out<ThreadLevel>,
) -> Result<()> {
    let levels = [
        ThreadLevel::SINGLE,
        ThreadLevel::FUNNELED,
        ThreadLevel::SERIALIZED,
        ThreadLevel::MULTIPLE,
    ];
    // A level between two named ones gets the next higher one.
    let level = levels.into_iter().find(|level| required.0 <= level.0);
    let level = level.unwrap_or(ThreadLevel::MULTIPLE);
    world::initialize(mpi, level)?;
    provided.set(level);
    Ok(())
}

/// Whether `MPI_Init` has been called, also after `MPI_Finalize`; sessions do not count.
/// (MPI-5.0, 11.4.1)
pub fn initialized(mpi: &Mpi, flag: Out<bool>) -> Result<()> {
    flag.set(mpi.world_model() != WorldModel::Before);
    Ok(())
}

/// Ends the world model; everything under way is completed. Sessions go on. (MPI-5.0, 11.2.2)
pub fn finalize(mpi: &Mpi) -> Result<()> {
    world::finalize(mpi)
}

/// Whether `MPI_Finalize` has been called. True in a [child](crate::forked) of a rank too, so that programs which ask this before
/// they finalize at exit do not finalize there. (MPI-5.0, 11.4.1)
pub fn finalized(mpi: &Mpi, flag: Out<bool>) -> Result<()> {
    let model = mpi.world_model();
    flag.set(model == WorldModel::After || model == WorldModel::Running && mpi.is_forked());
    Ok(())
}

/// The level of thread support that MPI was initialised with. (MPI-5.0, 11.6.2)
pub fn query_thread(mpi: &Mpi, provided: Out<ThreadLevel>) -> Result<()> {
    provided.set(mpi.thread_level());
    Ok(())
}

/// Whether the calling thread initialised MPI. (MPI-5.0, 11.6.2)
pub fn is_thread_main(mpi: &Mpi, flag: Out<bool>) -> Result<()> {
    flag.set(mpi.is_main_thread());
    Ok(())
}

/// Ends all processes of the job. `errorcode` goes to the environment as it is. Does not return.
/// (MPI-5.0, 9.8.2)
pub fn abort(mpi: &Mpi, _comm: Comm, errorcode: i32) -> Result<()> {
    if !mpi.is_running() && !mpi.is_forked() {
        fail!(OTHER, "MPI is not initialized, or has been finalized");
    }
    mpi.abort(errorcode)
}

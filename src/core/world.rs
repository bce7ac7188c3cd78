//! From nothing to a running library and back: the world model, sessions, abort (decision 9).
//!
//! Nothing happens when the library is loaded; everything starts here and everything that was started is
//! ended here. The world model and every session use the library; the first one starts it, the last one
//! leaves the launcher. The shared memory stays, so that a later session finds everybody where they were.

use crate::bsend::AttachedTo;
use crate::coll;
use crate::comm::{CallKind, CommNet};
use crate::constructors::{dynamic, make};
use crate::engine::Engine;
use crate::error::Result;
use crate::fail;
use crate::handle::{Comm, Session};
use crate::mpi::{Mpi, WorldModel};
use crate::phase::Phase;
use crate::progress_thread;
use crate::session::Session as OpenSession;
use crate::types::ThreadLevel;

/// Initialises the world model.
///
/// # Errors
/// `MPI_ERR_OTHER`: it has been before, or the launcher cannot be joined.
pub fn initialize(mpi: &'static Mpi, level: ThreadLevel) -> Result<()> {
    match mpi.world_model() {
        WorldModel::Before => (),
        WorldModel::After => fail!(
            OTHER,
            "MPI has been finalized and cannot be initialized again"
        ),
        WorldModel::Running => fail!(OTHER, "MPI is initialized already"),
    }
    open(mpi, level)?;
    mpi.open_world()?;
    mpi.set_threads(level);
    mpi.set_world_model(WorldModel::Running);
    if let Some(parents) = dynamic::meet_parents(mpi)? {
        "MPI_COMM_PARENT".clone_into(&mut parents.name.borrow_mut());
        mpi.parent.set(parents.handle);
    }
    Ok(())
}

/// Ends the world model: attributes of `MPI_COMM_SELF` first, then everything under way, then together
/// with all others.
///
/// # Errors
/// `MPI_ERR_OTHER`: it does not run. What an attribute's delete function returned.
pub fn finalize(mpi: &Mpi) -> Result<()> {
    match mpi.world_model() {
        WorldModel::Running => (),
        WorldModel::Before => fail!(
            OTHER,
            "MPI has not been initialized (only sessions are open)"
        ),
        WorldModel::After => fail!(OTHER, "MPI has been finalized already"),
    }
    let engine = mpi.engine();
    mpi.delete_self_attributes()?;
    complete(mpi);
    // Nobody leaves while somebody else may still need an answer from here.
    let net = CommNet::new(engine, mpi.comm(Comm::WORLD)?, CallKind::Blocking);
    mpi.block_on(engine, Some(&net), coll::barrier(&net))?;
    mpi.set_world_model(WorldModel::After);
    mpi.comms.close();
    close(mpi)
}

/// Opens a session (MPI-5.0, 11.3.1).
///
/// # Errors
/// `MPI_ERR_OTHER`: the launcher cannot be joined.
pub fn open_session(mpi: &'static Mpi, session: OpenSession) -> Result<Session> {
    open(mpi, session.level())?;
    let handle = mpi.sessions.add(session)?;
    Ok(handle)
}

/// Ends a session: what is buffered in it leaves, and what was derived from it is no longer to be used.
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session.
pub fn finalize_session(mpi: &Mpi, handle: Session) -> Result<()> {
    mpi.sessions.find(handle)?;
    let engine = mpi.engine();
    let mut attached = vec![AttachedTo::Session(handle)];
    for comm in mpi.comms.handles() {
        let found = mpi.comm(comm)?;
        if found.group.session() == handle {
            attached.push(AttachedTo::Comm(found.context()));
            drop(found);
            make::remove(mpi, comm)?;
        }
    }
    for at in attached {
        mpi.wait_until(engine, || mpi.bsend.is_empty(at, engine));
        mpi.bsend.detach(at);
    }
    if mpi.world_model() != WorldModel::Running && mpi.sessions.len() == 1 {
        // The predefined communicators go with the last session that has used them.
        if mpi.comms.find(Comm::SELF).is_ok() {
            mpi.delete_self_attributes()?;
        }
        complete(mpi);
        mpi.comms.close();
    }
    mpi.sessions.remove(handle)?;
    close(mpi)
}

/// Makes the library usable at a level of thread support: starts it, or goes on with what there is. The
/// lock, once needed, stays in use until the library is left.
fn open(mpi: &'static Mpi, level: ThreadLevel) -> Result<()> {
    match mpi.engine_if_started() {
        None => {
            mpi.errhandlers.read_initial()?;
            mpi.set_engine(Engine::start(&mpi.settings)?);
            mpi.watch_forks();
            mpi.tools.engine_started(mpi, mpi.engine());
        }
        Some(engine) if !mpi.is_running() => engine.rejoin()?,
        Some(_) => (),
    }
    let helped = progress_thread::is_wanted(mpi)? && !mpi.is_running();
    let threaded =
        mpi.is_threaded() || helped || level == ThreadLevel::MULTIPLE || mpi.tools.is_threaded();
    mpi.set_phase(if threaded {
        Phase::RunningThreads
    } else {
        Phase::Running
    });
    if helped {
        mpi.progress_thread.start(mpi)?;
    }
    Ok(())
}

/// Leaves the launcher once nobody uses the library any more.
fn close(mpi: &Mpi) -> Result<()> {
    if mpi.world_model() == WorldModel::Running || !mpi.sessions.is_empty() {
        return Ok(());
    }
    let engine = mpi.engine();
    engine.say_goodbye();
    mpi.wait_until(engine, || engine.drained());
    mpi.progress_thread.stop(mpi);
    engine.leave()?;
    mpi.set_phase(Phase::After);
    Ok(())
}

/// Waits until everything has left that the application may believe to be on its way.
fn complete(mpi: &Mpi) {
    let engine = mpi.engine();
    for at in mpi.bsend.attached() {
        mpi.wait_until(engine, || mpi.bsend.is_empty(at, engine));
    }
    mpi.wait_until(engine, || !mpi.requests.reap_orphans(mpi, engine));
}

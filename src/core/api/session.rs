//! Sessions, their process sets, and what is derived from them: one function per MPI operation
//! (MPI-5.0, 11.3 and 7.4.2).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::comm::{give, hints};
use crate::api::prelude::*;
use crate::constructors::groups::{self, Wish};
use crate::info::Pairs;
use crate::session::{self, MEMORY_KINDS, Pset};
use crate::{fail, world};

/// What the arguments say about a new communicator; one of a session uses the session's kinds of memory.
fn wish<'w>(
    mpi: &Mpi,
    group: Group,
    stringtag: &'w str,
    info: Info,
    errhandler: Errhandler,
) -> Result<Wish<'w>> {
    let hints = hints(mpi, info)?;
    let session = mpi.groups.find(group)?.session();
    if let Ok(session) = mpi.sessions.find(session)
        && let Some(kinds) = session.hints.get(MEMORY_KINDS)
    {
        hints.put(MEMORY_KINDS, &kinds);
    }
    Ok(Wish {
        stringtag,
        errhandler: mpi.errhandlers.for_kind::<Comm>(errhandler)?,
        hints,
    })
}

/// Makes a communicator of a group, whose members all call with one `stringtag`. Its error handler is
/// `errhandler`, which gets this call's errors too. Collective over the group. (MPI-5.0, 7.4.2)
///
/// # Errors
/// `MPI_ERR_GROUP`: no live group, or one without the calling process. `MPI_ERR_ERRHANDLER`,
/// `MPI_ERR_INFO`: no live object. `MPI_ERR_ARG`: too long a tag.
pub fn comm_create_from_group(
    mpi: &Mpi,
    group: Group,
    stringtag: Str,
    info: Info,
    errhandler: Errhandler,
    newcomm: Out<Comm>,
) -> Result<()> {
    let stringtag = stringtag.text();
    let make = || {
        let wish = wish(mpi, group, &stringtag, info, errhandler)?;
        groups::create(mpi, mpi.groups.find(group)?, wish)
    };
    give(newcomm, make())
}

/// The group of a process set. (MPI-5.0, 11.3.2)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session. `MPI_ERR_ARG`: no such set.
pub fn group_from_session_pset(
    mpi: &Mpi,
    session: Session,
    pset_name: Str,
    newgroup: Out<Group>,
) -> Result<()> {
    newgroup.set(Group::NULL);
    mpi.sessions.find(session)?;
    let engine = mpi.engine();
    let members = Pset::find(&pset_name.text())?.members(engine.rank, engine.size);
    newgroup.set(mpi.groups.give(Rc::new(members.of(session)))?);
    Ok(())
}

/// Joins two groups into an inter-communicator; the remote group and its leader count at the local leader
/// only. Its error handler is `errhandler`, which gets this call's errors too. Collective over both groups.
/// (MPI-5.0, 7.6.2)
///
/// # Errors
/// `MPI_ERR_GROUP`: no live group, one without the calling process, or groups that overlap.
/// `MPI_ERR_RANK`: no such leader. `MPI_ERR_ERRHANDLER`, `MPI_ERR_INFO`: no live object.
/// `MPI_ERR_SESSION`: groups of different sessions.
pub fn intercomm_create_from_groups(
    mpi: &Mpi,
    local_group: Group,
    local_leader: Rank,
    remote_group: Group,
    remote_leader: Rank,
    stringtag: Str,
    info: Info,
    errhandler: Errhandler,
    newintercomm: Out<Comm>,
) -> Result<()> {
    let stringtag = stringtag.text();
    let make = || {
        let wish = wish(mpi, local_group, &stringtag, info, errhandler)?;
        let group = mpi.groups.find(local_group)?;
        let other = || {
            let remote = mpi.groups.find(remote_group)?;
            session::require_one_of([&group, &remote])?;
            Ok((remote, remote_leader))
        };
        groups::create_inter(mpi, group.clone(), local_leader, other, wish).map(Some)
    };
    give(newintercomm, make())
}

/// Ends a session: completes what is buffered, and takes the handles away of communicators that were
/// derived from it and not freed. (MPI-5.0, 11.3.1)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session.
pub fn session_finalize(mpi: &Mpi, session: InOut<Session>) -> Result<()> {
    world::finalize_session(mpi, session.get())?;
    session.set(Session::NULL);
    Ok(())
}

/// The hints of a session, as a new info object. (MPI-5.0, 11.3.1)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session.
pub fn session_get_info(mpi: &Mpi, session: Session, info_used: Out<Info>) -> Result<()> {
    let hints = mpi.sessions.find(session)?.hints.clone();
    info_used.set(mpi.infos.insert(Rc::new(hints))?);
    Ok(())
}

/// The name of the process set with a number, as much as `pset_len` bytes hold with the final NUL;
/// `pset_len` becomes what the whole name needs where it is 0. (MPI-5.0, 11.3.2)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session. `MPI_ERR_ARG`: no such number, a negative length, or no place for
/// the name.
pub fn session_get_nth_pset(
    mpi: &Mpi,
    session: Session,
    info: Info,
    n: i32,
    pset_len: InOut<i32>,
    pset_name: Option<StrOut>,
) -> Result<()> {
    mpi.sessions.find(session)?;
    hints(mpi, info)?;
    let known = Pset::ALL.len();
    let Some(set) = usize::try_from(n).ok().and_then(|n| Pset::ALL.get(n)) else {
        fail!(
            ARG,
            "n = {n}: there are {known} process sets, numbered from 0"
        );
    };
    let length = pset_len.get();
    let Ok(capacity) = usize::try_from(length) else {
        fail!(
            ARG,
            "pset_len = {length}: a number of at least 0 was expected"
        );
    };
    let name = set.name();
    match pset_name {
        _ if capacity == 0 => (),
        Some(place) => {
            place.set(name, capacity);
        }
        None => fail!(ARG, "pset_name is a null pointer with pset_len = {length}"),
    }
    pset_len.set(name.len() as i32 + 1);
    Ok(())
}

/// Number of process sets. (MPI-5.0, 11.3.2)
///
/// # Errors
/// `MPI_ERR_SESSION`, `MPI_ERR_INFO`: no live object.
pub fn session_get_num_psets(
    mpi: &Mpi,
    session: Session,
    info: Info,
    npset_names: Out<i32>,
) -> Result<()> {
    mpi.sessions.find(session)?;
    hints(mpi, info)?;
    npset_names.set(Pset::ALL.len() as i32);
    Ok(())
}

/// What is known of a process set, as a new info object: `mpi_size`, its number of processes.
/// (MPI-5.0, 11.3.2)
///
/// # Errors
/// `MPI_ERR_SESSION`: no open session. `MPI_ERR_ARG`: no such set.
pub fn session_get_pset_info(
    mpi: &Mpi,
    session: Session,
    pset_name: Str,
    info: Out<Info>,
) -> Result<()> {
    mpi.sessions.find(session)?;
    let engine = mpi.engine();
    let members = Pset::find(&pset_name.text())?.members(engine.rank, engine.size);
    let pairs = Pairs::new();
    pairs.put("mpi_size", &members.len().to_string());
    info.set(mpi.infos.insert(Rc::new(pairs))?);
    Ok(())
}

/// Opens a session; the first use of MPI in a process starts the library. Its error handler is
/// `errhandler`, which gets this call's errors too. Local. (MPI-5.0, 11.3.1)
///
/// # Errors
/// `MPI_ERR_INFO`, `MPI_ERR_ERRHANDLER`: no live object. `MPI_ERR_INFO_VALUE`: an unknown level of thread
/// support. `MPI_ERR_OTHER`: the launcher cannot be joined.
pub fn session_init(
    mpi: &'static Mpi,
    info: Info,
    errhandler: Errhandler,
    session: Out<Session>,
) -> Result<()> {
    let open = || {
        let attached = mpi.errhandlers.for_kind::<Session>(errhandler)?;
        world::open_session(mpi, session::Session::new(&hints(mpi, info)?, attached)?)
    };
    match open() {
        Ok(handle) => {
            session.set(handle);
            Ok(())
        }
        Err(error) => {
            session.set(Session::NULL);
            Err(error)
        }
    }
}

/// Gives hints to a session; those that were fixed when it was opened stay.
///
/// # Errors
/// `MPI_ERR_SESSION`, `MPI_ERR_INFO`: no live object.
pub fn session_set_info(mpi: &Mpi, session: Session, info: Info) -> Result<()> {
    let session = mpi.sessions.find(session)?;
    session.change(mpi.info(info)?.as_ref());
    Ok(())
}

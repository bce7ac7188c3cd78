//! Communicators: one function per MPI operation (MPI-5.0, 7.4).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::comm::Communicator;
use crate::constructors::{inter, locality, make};
use crate::group::sets;
use crate::info::Pairs;
use crate::{fail, session};

/// Hands out a communicator that a call has made, `MPI_COMM_NULL` if it has made none.
pub(crate) fn give(newcomm: Out<Comm>, made: Result<Option<Rc<Communicator>>>) -> Result<()> {
    match made {
        Ok(comm) => {
            newcomm.set(comm.map_or(Comm::NULL, |comm| comm.handle));
            Ok(())
        }
        Err(error) => {
            newcomm.set(Comm::NULL);
            Err(error)
        }
    }
}

/// The hints of an info argument; none for `MPI_INFO_NULL`.
pub(crate) fn hints(mpi: &Mpi, info: Info) -> Result<Pairs> {
    if info.is_null() {
        return Ok(Pairs::new());
    }
    Ok(mpi.info(info)?.as_ref().clone())
}

/// Compares communicators: `IDENT` for the same, `CONGRUENT` for equal groups, `SIMILAR` for groups in
/// another order, else `UNEQUAL`. (MPI-5.0, 7.4.1)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator. `MPI_ERR_SESSION`: they are of different sessions.
pub fn comm_compare(mpi: &Mpi, comm1: Comm, comm2: Comm, result: Out<Comparison>) -> Result<()> {
    let (first, second) = (mpi.comm(comm1)?, mpi.comm(comm2)?);
    session::require_one_of([&first.group, &second.group])?;
    let groups = match (&first.remote, &second.remote) {
        (None, None) => sets::compare(&first.group, &second.group),
        (Some(one), Some(other)) => {
            sets::compare(&first.group, &second.group).max(sets::compare(one, other))
        }
        _ => Comparison::UNEQUAL,
    };
    result.set(match groups {
        Comparison::IDENT if comm1 == comm2 => Comparison::IDENT,
        Comparison::IDENT => Comparison::CONGRUENT,
        other => other,
    });
    Ok(())
}

/// A communicator of a group; `MPI_COMM_NULL` for processes that are not in it. Collective.
/// (MPI-5.0, 7.4.2)
///
/// # Errors
/// `MPI_ERR_GROUP`: the group is no subset of the communicator's. `MPI_ERR_SESSION`: it is of another session.
pub fn comm_create(mpi: &Mpi, comm: Comm, group: Group, newcomm: Out<Comm>) -> Result<()> {
    let (comm, group) = (mpi.comm(comm)?, mpi.groups.find(group)?);
    session::require_one_of([&comm.group, &group])?;
    give(newcomm, make::create(mpi, &comm, group))
}

/// As `MPI_Comm_create`, but collective over the group only. (MPI-5.0, 7.4.2)
///
/// # Errors
/// `MPI_ERR_GROUP`: the group is no subset of the communicator's. `MPI_ERR_SESSION`: it is of another session.
/// `MPI_ERR_TAG`: a negative tag.
pub fn comm_create_group(
    mpi: &Mpi,
    comm: Comm,
    group: Group,
    tag: Tag,
    newcomm: Out<Comm>,
) -> Result<()> {
    let (comm, group) = (mpi.comm(comm)?, mpi.groups.find(group)?);
    session::require_one_of([&comm.group, &group])?;
    give(newcomm, make::create_group(mpi, &comm, group, tag))
}

/// Duplicates a communicator with its attributes and topology, but not its hints. Collective.
/// (MPI-5.0, 7.4.2)
///
/// # Errors
/// What an attribute's copy function returned; there is no new communicator then.
pub fn comm_dup(mpi: &Mpi, comm: Comm, newcomm: Out<Comm>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    give(newcomm, make::dup(mpi, &comm, Pairs::new()).map(Some))
}

/// As `MPI_Comm_dup`, with new hints. (MPI-5.0, 7.4.2)
///
/// # Errors
/// As `MPI_Comm_dup`; `MPI_ERR_INFO`: no live info object.
pub fn comm_dup_with_info(mpi: &Mpi, comm: Comm, info: Info, newcomm: Out<Comm>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let hints = hints(mpi, info)?;
    give(newcomm, make::dup(mpi, &comm, hints).map(Some))
}

/// Frees a communicator: deletes its attributes and gives up the handle; what is under way completes.
/// (MPI-5.0, 7.4.3)
///
/// # Errors
/// `MPI_ERR_COMM`: predefined. What an attribute's delete function returned.
pub fn comm_free(mpi: &Mpi, comm: InOut<Comm>) -> Result<()> {
    make::free(mpi, comm.get())?;
    comm.set(Comm::NULL);
    Ok(())
}

/// The hints of a communicator, as a new info object. (MPI-5.0, 7.4.4)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn comm_get_info(mpi: &Mpi, comm: Comm, info_used: Out<Info>) -> Result<()> {
    let hints = mpi.comm(comm)?.hints.clone();
    info_used.set(mpi.infos.insert(Rc::new(hints))?);
    Ok(())
}

/// The name of a communicator; `MPI_COMM_NULL` has one too. (MPI-5.0, 7.8)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn comm_get_name(mpi: &Mpi, comm: Comm, comm_name: StrOut, resultlen: Out<i32>) -> Result<()> {
    let name = match comm {
        Comm::NULL => "MPI_COMM_NULL".to_owned(),
        _ => mpi.comm(comm)?.name.borrow().clone(),
    };
    resultlen.set(comm_name.set(&name, mpi.facts().limits.object_name) as i32);
    Ok(())
}

/// The (local) group of a communicator. (MPI-5.0, 7.3.2)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn comm_group(mpi: &Mpi, comm: Comm, group: Out<Group>) -> Result<()> {
    group.set(mpi.groups.give(mpi.comm(comm)?.group.clone())?);
    Ok(())
}

/// Duplicates a communicator; the new one is usable once the request is complete. (MPI-5.0, 7.4.2)
///
/// # Errors
/// As `MPI_Comm_dup`.
pub fn comm_idup(
    mpi: &'static Mpi,
    comm: Comm,
    newcomm: Out<Comm>,
    request: Out<Request>,
) -> Result<()> {
    idup(mpi, comm, Pairs::new(), newcomm, request)
}

/// As `MPI_Comm_idup`, with new hints. (MPI-5.0, 7.4.2)
///
/// # Errors
/// As `MPI_Comm_dup_with_info`.
pub fn comm_idup_with_info(
    mpi: &'static Mpi,
    comm: Comm,
    info: Info,
    newcomm: Out<Comm>,
    request: Out<Request>,
) -> Result<()> {
    idup(mpi, comm, hints(mpi, info)?, newcomm, request)
}

fn idup(
    mpi: &'static Mpi,
    comm: Comm,
    hints: Pairs,
    newcomm: Out<Comm>,
    request: Out<Request>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    match make::idup(mpi, &comm, hints) {
        Ok((new, active)) => {
            newcomm.set(new.handle);
            request.set(mpi.requests.add(active)?);
            Ok(())
        }
        Err(error) => {
            newcomm.set(Comm::NULL);
            request.set(Request::NULL);
            Err(error)
        }
    }
}

/// The calling process's rank in the (local) group. (MPI-5.0, 7.4.1)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn comm_rank(mpi: &Mpi, comm: Comm, rank: Out<Rank>) -> Result<()> {
    rank.set(Rank(mpi.lend_comm(comm)?.rank));
    Ok(())
}

/// The remote group of an inter-communicator. (MPI-5.0, 7.6.1)
///
/// # Errors
/// `MPI_ERR_COMM`: an intra-communicator.
pub fn comm_remote_group(mpi: &Mpi, comm: Comm, group: Out<Group>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let Some(remote) = &comm.remote else {
        return intra(&comm);
    };
    group.set(mpi.groups.give(remote.clone())?);
    Ok(())
}

/// Size of the remote group of an inter-communicator. (MPI-5.0, 7.6.1)
///
/// # Errors
/// `MPI_ERR_COMM`: an intra-communicator.
pub fn comm_remote_size(mpi: &Mpi, comm: Comm, size: Out<i32>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let Some(remote) = &comm.remote else {
        return intra(&comm);
    };
    size.set(remote.len() as i32);
    Ok(())
}

fn intra(comm: &Communicator) -> Result<()> {
    fail!(
        COMM,
        "{} is an intra-communicator; an inter-communicator was expected",
        comm.describe()
    )
}

/// Sets hints of a communicator. (MPI-5.0, 7.4.4)
///
/// # Errors
/// `MPI_ERR_COMM`, `MPI_ERR_INFO`: no live object.
pub fn comm_set_info(mpi: &Mpi, comm: Comm, info: Info) -> Result<()> {
    let comm = mpi.comm(comm)?;
    comm.hints.merge(&hints(mpi, info)?);
    Ok(())
}

/// Names a communicator, for debuggers and messages. (MPI-5.0, 7.8)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn comm_set_name(mpi: &Mpi, comm: Comm, comm_name: Str) -> Result<()> {
    *mpi.comm(comm)?.name.borrow_mut() = comm_name.text().into_owned();
    Ok(())
}

/// Number of processes in the (local) group. (MPI-5.0, 7.4.1)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn comm_size(mpi: &Mpi, comm: Comm, size: Out<i32>) -> Result<()> {
    size.set(mpi.lend_comm(comm)?.group.len() as i32);
    Ok(())
}

/// Splits a communicator by colour, ranks by key. Collective. (MPI-5.0, 7.4.2)
///
/// # Errors
/// `MPI_ERR_ARG`: a negative colour other than `UNDEFINED`.
pub fn comm_split(mpi: &Mpi, comm: Comm, color: i32, key: i32, newcomm: Out<Comm>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    give(newcomm, make::split(mpi, &comm, color, key))
}

/// Splits a communicator by where its processes run, ranks by key. Collective. (MPI-5.0, 7.4.2)
///
/// # Errors
/// `MPI_ERR_ARG`: no such type. `MPI_ERR_INFO`: no live info object.
pub fn comm_split_type(
    mpi: &Mpi,
    comm: Comm,
    split_type: SplitType,
    key: i32,
    info: Info,
    newcomm: Out<Comm>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let hints = hints(mpi, info)?;
    let made = locality::split_type(mpi, &comm, split_type, key, hints)?;
    // What it was split by is said in the caller's own info, too.
    if let Some(made) = made
        .as_ref()
        .filter(|_| split_type == SplitType::HW_UNGUIDED && !info.is_null())
        && let Some(kind) = made.hints.get(locality::RESOURCE)
    {
        mpi.info(info)?.put(locality::RESOURCE, &kind);
    }
    give(newcomm, Ok(made))
}

/// Whether a communicator is an inter-communicator. (MPI-5.0, 7.6.1)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn comm_test_inter(mpi: &Mpi, comm: Comm, flag: Out<bool>) -> Result<()> {
    flag.set(mpi.comm(comm)?.is_inter());
    Ok(())
}

/// Joins two groups into an inter-communicator. Their leaders talk over `peer_comm`, which only they
/// need. Collective over both groups. (MPI-5.0, 7.6.2)
///
/// # Errors
/// `MPI_ERR_RANK`, `MPI_ERR_TAG`: no such rank or tag. `MPI_ERR_COMM`: the groups have processes in common.
/// `MPI_ERR_SESSION`: `peer_comm` is of another session.
pub fn intercomm_create(
    mpi: &Mpi,
    local_comm: Comm,
    local_leader: Rank,
    peer_comm: Comm,
    remote_leader: Rank,
    tag: Tag,
    newintercomm: Out<Comm>,
) -> Result<()> {
    let comm = mpi.comm(local_comm)?;
    let peer = || {
        let peer = mpi.comm(peer_comm)?;
        session::require_one_of([&comm.group, &peer.group])?;
        Ok((peer, remote_leader))
    };
    let made = inter::create(mpi, &comm, local_leader, peer, tag);
    give(newintercomm, made.map(Some))
}

/// Makes one intra-communicator of both groups of an inter-communicator; the group that passes `high`
/// comes second. Collective over both groups. (MPI-5.0, 7.6.2)
///
/// # Errors
/// `MPI_ERR_COMM`: an intra-communicator. `MPI_ERR_ARG`: processes of one group differ in `high`.
pub fn intercomm_merge(
    mpi: &Mpi,
    intercomm: Comm,
    high: bool,
    newintracomm: Out<Comm>,
) -> Result<()> {
    let comm = mpi.comm(intercomm)?;
    give(newintracomm, inter::merge(mpi, &comm, high).map(Some))
}

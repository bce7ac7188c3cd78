//! Making communicators from communicators, and freeing them (MPI-5.0, 7.4).
//!
//! Every maker agrees on a context with the processes that take part, then builds its communicator
//! locally. New communicators have the error handler of the one they were made from. Assumes that the
//! engine runs; the api functions have looked up the handles.

use std::rc::Rc;

use super::inter;
use super::split::{Wish, together};
use crate::bsend::AttachedTo;
use crate::coll::{self, Subset};
use crate::comm::agree;
use crate::comm::net::run;
use crate::comm::{CallKind, CommNet, Communicator, Draft};
use crate::context::STRIDE;
use crate::error::Result;
use crate::fail;
use crate::group::Members;
use crate::handle::Comm;
use crate::info::Pairs;
use crate::mpi::Mpi;
use crate::request::{Active, Operation};
use crate::session::MEMORY_KINDS;
use crate::topo::Topology;
use crate::types::{ProcId, Tag, UNDEFINED};

/// Context of a communicator whose agreement is still under way.
const NOT_YET: u32 = u32::MAX - STRIDE;

/// The messages of the next collective operation on a communicator.
pub(super) fn net(mpi: &Mpi, comm: &Rc<Communicator>) -> CommNet {
    CommNet::new(mpi.engine(), comm.clone(), CallKind::Blocking)
}

/// What tells an agreement on `comm` apart from others that run meanwhile; the same at all members.
pub(super) fn key(comm: &Communicator) -> u32 {
    (comm.context() / crate::context::STRIDE)
        ^ ((comm.next_collective(CallKind::Blocking) as u32).reverse_bits() >> 12)
}

/// Agrees on a context with all processes of a communicator, of both groups if it has two.
async fn new_context(mpi: &Mpi, comm: &Communicator, net: &CommNet, key: u32) -> Result<u32> {
    let comms = &mpi.comms;
    if comm.is_inter() {
        return inter::context(mpi, comm, net, key).await;
    }
    agree::context(net, comms.tools(), &comms.contexts, key).await
}

/// This process, as the members of groups are named.
pub(super) fn me(comm: &Communicator) -> ProcId {
    comm.group.proc(comm.rank as usize)
}

/// Hints of a communicator, with the kinds of memory of the one that it is made from.
pub(super) fn inherit(maker: &Communicator, hints: Pairs) -> Pairs {
    if let Some(kinds) = maker.hints.get(MEMORY_KINDS) {
        hints.put(MEMORY_KINDS, &kinds);
    }
    hints
}

/// A communicator of the given members with the maker's error handler and kinds of memory.
pub(super) fn draft(maker: &Communicator, context: u32, rank: usize, group: Rc<Members>) -> Draft {
    Draft {
        context,
        rank: rank as i32,
        group,
        remote: None,
        errhandler: maker.errhandler.borrow().clone(),
        topology: None,
        hints: inherit(maker, Pairs::new()),
    }
}

/// A duplicate's parts, without its attributes.
fn copy(comm: &Communicator, context: u32, hints: Pairs) -> Draft {
    Draft {
        remote: comm.remote.clone(),
        topology: comm.topology.clone(),
        hints: inherit(comm, hints),
        ..draft(comm, context, comm.rank as usize, comm.group.clone())
    }
}

/// Runs the copy functions; a communicator whose attributes cannot be copied is given up.
fn copy_attributes(mpi: &Mpi, comm: &Communicator, new: &Communicator) -> Result<()> {
    let copied = comm.attributes.copy_to(mpi, comm.handle, &new.attributes);
    if copied.is_err() {
        // The first error is the one to report.
        let _ = new.attributes.delete_all(mpi, new.handle);
        remove(mpi, new.handle)?;
    }
    copied
}

/// `MPI_Comm_dup`: same group, topology and attributes, given hints.
///
/// # Errors
/// What an attribute's copy function returned.
pub fn dup(mpi: &Mpi, comm: &Rc<Communicator>, hints: Pairs) -> Result<Rc<Communicator>> {
    let key = key(comm);
    let net = net(mpi, comm);
    let context = run(mpi, new_context(mpi, comm, &net, key))?;
    let new = mpi.comms.add(copy(comm, context, hints))?;
    copy_attributes(mpi, comm, &new)?;
    Ok(new)
}

/// `MPI_Comm_idup`: as [`dup`], usable once the returned operation has ended.
pub fn idup(
    mpi: &'static Mpi,
    comm: &Rc<Communicator>,
    hints: Pairs,
) -> Result<(Rc<Communicator>, Active)> {
    let key = key(comm);
    let net = net(mpi, comm);
    let new = mpi.comms.add(copy(comm, NOT_YET, hints))?;
    copy_attributes(mpi, comm, &new)?;
    let (old, ready) = (comm.clone(), new.clone());
    let operation = Box::pin(async move {
        let context = new_context(mpi, &old, &net, key).await?;
        ready.agree_on(context);
        mpi.comms.contexts.take(context);
        Ok(())
    });
    let active = Active {
        operation: Operation::Collective(mpi.engine().start_background(operation)),
        comm: Some(comm.clone()),
    };
    Ok((new, active))
}

/// # Errors
/// `MPI_ERR_GROUP`: a process of the group is not in the communicator.
fn require_subset(comm: &Communicator, group: &Members) -> Result<()> {
    if let Some(rank) = (0..group.len()).find(|rank| !comm.group.contains(group.proc(*rank))) {
        fail!(
            GROUP,
            "group: its rank {rank} is a process that is not in {}",
            comm.describe()
        );
    }
    Ok(())
}

/// `MPI_Comm_create`: a communicator of a group; `None` where the calling process is not in it.
///
/// # Errors
/// `MPI_ERR_GROUP`: a process of the group is not in the communicator.
pub fn create(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    group: Rc<Members>,
) -> Result<Option<Rc<Communicator>>> {
    require_subset(comm, &group)?;
    if comm.is_inter() {
        let draft = inter::create_from(mpi, comm, group)?;
        return draft.map(|draft| mpi.comms.add(draft)).transpose();
    }
    let key = key(comm);
    let net = net(mpi, comm);
    let context = run(mpi, new_context(mpi, comm, &net, key))?;
    match group.rank_of(me(comm)) {
        Some(rank) => mpi.comms.add(draft(comm, context, rank, group)).map(Some),
        None => Ok(None),
    }
}

/// `MPI_Comm_create_group`: as [`create`], but only the group's processes take part.
///
/// # Errors
/// As [`create`]; `MPI_ERR_TAG`: a negative tag.
pub fn create_group(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    group: Rc<Members>,
    tag: Tag,
) -> Result<Option<Rc<Communicator>>> {
    comm.require_intra()?;
    if tag.0 < 0 {
        fail!(TAG, "tag = {}: a tag of at least 0 was expected", tag.0);
    }
    require_subset(comm, &group)?;
    // Collectives count from 0 up, so the tags below 0 are free.
    let whole = CommNet::tagged(mpi.engine(), comm.clone(), !tag.0);
    let ranks = group
        .iter()
        .filter_map(|process| comm.group.rank_of(process));
    let Some(part) = Subset::new(&whole, ranks.collect()) else {
        return Ok(None);
    };
    let key = (comm.context() / crate::context::STRIDE) ^ ((tag.0 as u32).reverse_bits() >> 12);
    let agreement = agree::context(&part, mpi.comms.tools(), &mpi.comms.contexts, key);
    let context = run(mpi, agreement)?;
    let rank = coll::Net::rank(&part);
    mpi.comms.add(draft(comm, context, rank, group)).map(Some)
}

/// The members of `comm` with the given ranks.
fn members(comm: &Communicator, ranks: &[usize]) -> Rc<Members> {
    let everybody = ranks.len() == comm.group.len() && ranks.is_sorted();
    if everybody {
        return comm.group.clone();
    }
    let processes = ranks.iter().map(|rank| comm.group.proc(*rank));
    Rc::new(Members::new(processes.collect()).of(comm.group.session()))
}

/// Splits by each rank's wish, which it makes up from all ranks' `words`, agreeing on the way.
pub(super) fn split_by<const N: usize>(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    words: [i64; N],
    wishes: impl FnOnce(&[i64]) -> Vec<Wish>,
) -> Result<Option<Draft>> {
    comm.require_intra()?;
    let key = key(comm);
    let net = net(mpi, comm);
    let (all, context) = run(mpi, async {
        let comms = &mpi.comms;
        let all = agree::gather(&net, comms.tools(), &words).await?;
        let context = agree::context(&net, comms.tools(), &comms.contexts, key).await?;
        Ok((all, context))
    })?;
    let me = comm.rank as usize;
    let Some(ranks) = together(&wishes(&all), me) else {
        return Ok(None);
    };
    let rank = ranks.iter().position(|rank| *rank == me);
    let rank = rank.expect("a rank is together with itself");
    Ok(Some(draft(comm, context, rank, members(comm, &ranks))))
}

/// `MPI_Comm_split`; `None` for colour `UNDEFINED`.
///
/// # Errors
/// `MPI_ERR_ARG`: a negative colour.
pub fn split(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    colour: i32,
    key: i32,
) -> Result<Option<Rc<Communicator>>> {
    if colour < 0 && colour != UNDEFINED {
        fail!(
            ARG,
            "color = {colour}: a number of at least 0 or MPI_UNDEFINED was expected"
        );
    }
    let wish = [colour.into(), key.into()];
    let draft = if comm.is_inter() {
        inter::split(mpi, comm, wish)?
    } else {
        split_by(mpi, comm, wish, Wish::list)?
    };
    draft.map(|draft| mpi.comms.add(draft)).transpose()
}

/// Splits into parts that carry a topology: `place` is the part and the rank in it, `None` for no part.
pub fn with_topology(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    place: Option<(i32, i32)>,
    topology: Topology,
) -> Result<Option<Rc<Communicator>>> {
    let (colour, key) = place.unwrap_or((UNDEFINED, 0));
    let draft = split_by(mpi, comm, [colour.into(), key.into()], Wish::list)?;
    let draft = draft.map(|draft| Draft {
        topology: Some(Rc::new(topology)),
        ..draft
    });
    draft.map(|draft| mpi.comms.add(draft)).transpose()
}

/// `MPI_Comm_free`: deletes the attributes, then takes the handle away. What is under way goes on.
///
/// # Errors
/// `MPI_ERR_COMM`: predefined. What an attribute's delete function returned; the communicator stays then.
pub fn free(mpi: &Mpi, handle: Comm) -> Result<()> {
    let comm = mpi.comm(handle)?;
    if handle != Comm::WORLD && handle != Comm::SELF {
        comm.attributes.delete_all(mpi, handle)?;
    }
    drop(comm);
    remove(mpi, handle)
}

/// Takes the handle away, and forgets the queues and the contexts of communicators that nothing uses any
/// more. One with a buffer of its own keeps its context, by which the buffer is known.
///
/// # Errors
/// `MPI_ERR_COMM`: predefined, or not live.
pub fn remove(mpi: &Mpi, handle: Comm) -> Result<()> {
    mpi.comms.remove(handle)?;
    let engine = mpi.engine();
    for left in mpi.comms.gone() {
        let first = left.context;
        for context in first..first + STRIDE {
            engine.proto().drop_context(context);
        }
        if !mpi.bsend.is_attached(AttachedTo::Comm(first)) {
            mpi.comms.contexts.release(first);
        }
        // Those of the same job are needed as long as MPI is.
        let others = left
            .processes()
            .filter(|process| engine.is_foreign(*process));
        for process in others.filter(|process| !mpi.comms.has(*process)) {
            engine.part_from(process);
        }
    }
    Ok(())
}

/// `MPI_Comm_disconnect`: as [`free`], once all members have come here.
///
/// # Errors
/// As [`free`].
pub fn disconnect(mpi: &Mpi, handle: Comm) -> Result<()> {
    let comm = mpi.comm(handle)?;
    if handle != Comm::WORLD && handle != Comm::SELF {
        let net = net(mpi, &comm);
        run(mpi, async {
            match comm.is_inter() {
                true => inter::barrier(mpi, &comm, &net).await,
                false => coll::barrier(&net).await,
            }
        })?;
    }
    free(mpi, handle)
}

/// Tells the ends of edges of them. Each process names edges (source, destination, weight). It gets (source, weight)
/// of those that lead to it, and (destination, weight) of those that lead away.
pub fn distribute_edges(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    edges: &[[i32; 3]],
) -> Result<agree::Ends> {
    let net = net(mpi, comm);
    run(mpi, agree::edges(&net, mpi.comms.tools(), edges))
}

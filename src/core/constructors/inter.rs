//! Inter-communicators: two groups that talk to each other (MPI-5.0, 7.6).
//!
//! A process sees its own group as the local and the other as the remote one. Assumes that the engine
//! runs; the api functions have looked up the handles.

use std::rc::Rc;

use super::bridge::Bridge;
use super::dynamic;
use super::make::{draft, key, me, net};
use super::split::Wish;
use crate::coll::{self, Subset};
use crate::comm::CommNet;
use crate::comm::net::run;
use crate::comm::{Communicator, Draft, agree};
use crate::error::Result;
use crate::fail;
use crate::group::{Members, sets};
use crate::mpi::Mpi;
use crate::processes::{Process, Processes, hash};
use crate::types::{ProcId, Rank, Tag, UNDEFINED};

/// The remote group of a communicator that is known to be an inter-communicator.
fn remote(comm: &Communicator) -> Result<&Rc<Members>> {
    match &comm.remote {
        Some(remote) => Ok(remote),
        None => fail!(
            COMM,
            "{} is an intra-communicator; an inter-communicator was expected",
            comm.describe()
        ),
    }
}

/// The local group on a net that names the ranks of both; rank 0 leads each.
fn local<'n>(comm: &Communicator, net: &'n CommNet) -> Subset<'n, CommNet> {
    let ranks = (0..comm.group.len()).collect();
    Subset::new(net, ranks).expect("a process is in its own group")
}

fn bridge<'n>(
    comm: &Communicator,
    local: &'n Subset<'n, CommNet>,
    net: &'n CommNet,
) -> Bridge<'n, Subset<'n, CommNet>, CommNet> {
    Bridge {
        local,
        leader: 0,
        across: (comm.rank == 0).then_some((net, comm.group.len())),
    }
}

/// Agrees on a context with both groups of an inter-communicator.
pub(super) async fn context(
    mpi: &Mpi,
    comm: &Communicator,
    net: &CommNet,
    key: u32,
) -> Result<u32> {
    let local = local(comm, net);
    let bridge = bridge(comm, &local, net);
    bridge
        .context(mpi.comms.tools(), &mpi.comms.contexts, key)
        .await
}

/// Returns when all processes of both groups have come here.
pub(super) async fn barrier(mpi: &Mpi, comm: &Communicator, net: &CommNet) -> Result<()> {
    let local = local(comm, net);
    coll::barrier(&local).await?;
    bridge(comm, &local, net)
        .swap(mpi.comms.tools(), &[])
        .await
        .map(drop)
}

/// A group as it travels: its processes by the names that everybody knows.
pub(super) fn words(known: &Processes, members: &Members) -> Result<Vec<i64>> {
    let mut words = Vec::with_capacity(members.len() * Process::WORDS);
    for process in members.iter() {
        words.extend(known.process(process)?.to_words());
    }
    Ok(words)
}

/// The group that travelled as `words`, as one of the session that the local group is of.
///
/// # Errors
/// `MPI_ERR_OTHER`: this process does not know a process of the group.
pub(super) fn members(known: &Processes, words: &[i64], local: &Members) -> Result<Rc<Members>> {
    let (processes, _) = words.as_chunks();
    let processes = processes.iter().map(|words| Process::from_words(*words));
    let processes = processes.map(|process| known.find(process));
    let processes = processes.collect::<Result<Vec<ProcId>>>()?;
    Ok(Rc::new(Members::new(processes).of(local.session())))
}

/// Whether all processes of groups that travel so are of one job, so that they know each other.
fn one_job(groups: &[&[i64]]) -> bool {
    let (names, _) = groups[0].as_chunks::<{ Process::WORDS }>();
    let first = names.first().map(|name| Process::from_words(*name).job);
    let all = groups.iter().flat_map(|words| words.as_chunks().0);
    let mut jobs = all.map(|name| Process::from_words(*name).job);
    jobs.all(|job| Some(job) == first)
}

/// A number for the first process of a group that travels so.
fn first(words: &[i64]) -> u32 {
    let first = words.iter().take(Process::WORDS);
    hash(first.flat_map(|word| word.to_le_bytes())) as u32
}

/// # Errors
/// `MPI_ERR_RANK`: no rank of the communicator.
fn check_leader(comm: &Communicator, name: &str, leader: Rank) -> Result<usize> {
    match usize::try_from(leader.0) {
        Ok(rank) if rank < comm.peers().len() => Ok(rank),
        _ => fail!(
            RANK,
            "{name} = {}: a rank of {} below {} was expected",
            leader.0,
            comm.describe(),
            comm.peers().len()
        ),
    }
}

/// `MPI_Intercomm_create`: joins two groups whose leaders know each other. `peer` is the communicator in
/// which they do and the other leader's rank; only the leader's counts.
///
/// # Errors
/// `MPI_ERR_RANK`, `MPI_ERR_TAG`: no such rank or tag. `MPI_ERR_COMM`: the groups have processes in common.
pub fn create(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    local_leader: Rank,
    peer: impl FnOnce() -> Result<(Rc<Communicator>, Rank)>,
    tag: Tag,
) -> Result<Rc<Communicator>> {
    comm.require_intra()?;
    let leader = check_leader(comm, "local_leader", local_leader)?;
    if tag.0 < 0 {
        fail!(TAG, "tag = {}: a tag of at least 0 was expected", tag.0);
    }
    let leads = leader == comm.rank as usize;
    let across = if leads {
        let (peer_comm, remote_leader) = peer()?;
        let rank = check_leader(&peer_comm, "remote_leader", remote_leader)?;
        if peer_comm.peers().proc(rank) == me(comm) {
            fail!(
                RANK,
                "remote_leader = {rank} is the calling process, which leads its own group"
            );
        }
        // A net names the local ranks before the remote ones.
        let before = if peer_comm.is_inter() {
            peer_comm.group.len()
        } else {
            0
        };
        let net = CommNet::between_leaders(mpi.engine(), peer_comm, tag.0);
        Some((net, before + rank))
    } else {
        None
    };
    let net = net(mpi, comm);
    let known = &mpi.engine().processes;
    let ours = words(known, &comm.group)?;
    let (context, group) = run(mpi, async {
        let bridge = Bridge {
            local: &net,
            leader,
            across: across.as_ref().map(|(net, rank)| (net, *rank)),
        };
        let tools = mpi.comms.tools();
        let theirs = bridge.swap(tools, &ours).await?;
        if !one_job(&[&ours, &theirs]) {
            dynamic::introduce(mpi, comm, &bridge, ours < theirs).await?;
        }
        let key = first(&ours) ^ first(&theirs) ^ ((tag.0 as u32).reverse_bits() >> 12);
        let context = bridge.context(tools, &mpi.comms.contexts, key).await?;
        Ok((context, members(known, &theirs, &comm.group)?))
    })?;
    if !sets::intersection(&comm.group, &group).is_empty() {
        fail!(
            COMM,
            "the group of {} and the remote group have processes in common",
            comm.describe()
        );
    }
    mpi.comms.add(Draft {
        remote: Some(group),
        ..draft(comm, context, comm.rank as usize, comm.group.clone())
    })
}

/// `MPI_Intercomm_merge`: one intra-communicator of both groups; the group that says `high` comes second.
///
/// # Errors
/// `MPI_ERR_ARG`: processes of one group differ in `high`. `MPI_ERR_COMM`: an intra-communicator.
pub fn merge(mpi: &Mpi, comm: &Rc<Communicator>, high: bool) -> Result<Rc<Communicator>> {
    let theirs = remote(comm)?.clone();
    let known = &mpi.engine().processes;
    // In the order that everybody sees.
    let before = known.process(comm.group.proc(0))? < known.process(theirs.proc(0))?;
    let key = key(comm);
    let net = net(mpi, comm);
    let (context, differ, other) = run(mpi, async {
        let local = local(comm, &net);
        let bridge = bridge(comm, &local, &net);
        let tools = mpi.comms.tools();
        let mut wishes = [i64::from(high), -i64::from(high)];
        agree::maximum(&local, tools, &mut wishes).await?;
        let others = bridge.swap(tools, &wishes).await?;
        let context = bridge.context(tools, &mpi.comms.contexts, key).await?;
        let differ = [&wishes[..], &others]
            .iter()
            .any(|wish| wish[0] != -wish[1]);
        Ok((context, differ, others[0] != 0))
    })?;
    if differ {
        fail!(
            ARG,
            "high = {high}: the processes of a group must all pass the same"
        );
    }
    // Groups that say the same are ordered by their first processes.
    let first = match (high, other) {
        (false, true) => true,
        (true, false) => false,
        _ => before,
    };
    let (low, up) = match first {
        true => (&comm.group, &theirs),
        false => (&theirs, &comm.group),
    };
    let group = Rc::new(sets::union(low, up));
    let rank = comm.rank as usize + if first { 0 } else { theirs.len() };
    mpi.comms.add(draft(comm, context, rank, group))
}

/// `MPI_Comm_create` on an inter-communicator: the processes of both sides' groups; `None` where the
/// calling process is not in its own, or one is empty.
pub(super) fn create_from(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    group: Rc<Members>,
) -> Result<Option<Draft>> {
    let key = key(comm);
    let net = net(mpi, comm);
    let known = &mpi.engine().processes;
    let ours = words(known, &group)?;
    let (context, theirs) = run(mpi, async {
        let local = local(comm, &net);
        let bridge = bridge(comm, &local, &net);
        let tools = mpi.comms.tools();
        let theirs = bridge.swap(tools, &ours).await?;
        let context = bridge.context(tools, &mpi.comms.contexts, key).await?;
        Ok((context, members(known, &theirs, &comm.group)?))
    })?;
    let rank = group.rank_of(me(comm)).filter(|_| !theirs.is_empty());
    Ok(rank.map(|rank| Draft {
        remote: Some(theirs),
        ..draft(comm, context, rank, group)
    }))
}

/// `MPI_Comm_split` on an inter-communicator: the processes of both sides with one colour; `None` where
/// the calling process has none, or the other side has none of it.
pub(super) fn split(mpi: &Mpi, comm: &Rc<Communicator>, wish: [i64; 2]) -> Result<Option<Draft>> {
    let key = key(comm);
    let remote = remote(comm)?;
    let net = net(mpi, comm);
    let (ours, theirs, context) = run(mpi, async {
        let local = local(comm, &net);
        let bridge = bridge(comm, &local, &net);
        let tools = mpi.comms.tools();
        let ours = agree::gather(&local, tools, &wish).await?;
        let theirs = bridge.swap(tools, &ours).await?;
        let context = bridge.context(tools, &mpi.comms.contexts, key).await?;
        Ok((ours, theirs, context))
    })?;
    if wish[0] == i64::from(UNDEFINED) {
        return Ok(None);
    }
    let part = |wishes: &[i64], group: &Members| {
        let wishes = Wish::list(wishes);
        let mut ranks: Vec<usize> = (0..wishes.len())
            .filter(|rank| wishes[*rank].colour == wish[0])
            .collect();
        ranks.sort_by_key(|rank| wishes[*rank].key);
        let processes = ranks.iter().map(|rank| group.proc(*rank));
        Rc::new(Members::new(processes.collect()).of(comm.group.session()))
    };
    let (group, others) = (part(&ours, &comm.group), part(&theirs, remote));
    let rank = group.rank_of(me(comm)).filter(|_| !others.is_empty());
    Ok(rank.map(|rank| Draft {
        remote: Some(others),
        ..draft(comm, context, rank, group)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processes::{Card, Job};

    #[test]
    fn members_travel_as_words() {
        // Two processes that have numbered the same others differently.
        let [here, there] = [[0, 1, 2], [2, 0, 1]].map(|order| {
            let known = Processes::default();
            for index in order {
                let job = Job::named("a");
                known
                    .intern(Process { job, index }, Card::default())
                    .unwrap();
            }
            known
        });
        let group = Members::new([2, 0].map(ProcId).to_vec());
        let travelling = words(&here, &group).unwrap();
        let arrived = members(&there, &travelling, &group).unwrap();
        assert_eq!(*arrived, Members::new([0, 1].map(ProcId).to_vec()));
        assert_eq!(
            first(&travelling),
            first(&words(&there, &arrived).unwrap()[..2])
        );
        let unknown = members(&Processes::default(), &travelling, &group);
        assert!(unknown.is_err());
        assert!(words(&here, &Members::range(2, 2)).is_err());
    }
}

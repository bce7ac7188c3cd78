//! Communicators from groups alone (MPI-5.0, 7.4.2 and 7.6.2), as sessions need them.
//!
//! The members have no communicator yet over which they could talk, so they meet on a context that all
//! processes have from the start. The string that the application gives tells meetings apart: it becomes
//! the tag of the messages, which name their senders by process. Assumes that the engine runs.

use std::rc::Rc;

use super::bridge::Bridge;
use super::inter::{members, words};
use crate::coll::Subset;
use crate::comm::CommNet;
use crate::comm::agree;
use crate::comm::net::run;
use crate::comm::{Communicator, Draft};
use crate::errhandler::Attached;
use crate::error::Result;
use crate::fail;
use crate::group::{Members, sets};
use crate::info::Pairs;
use crate::mpi::Mpi;
use crate::processes::hash;
use crate::types::{ProcId, Rank};

/// Longest string of a meeting in any ABI (`MPI_MAX_STRINGTAG_LEN`), the final NUL included.
pub const MAX_STRINGTAG: usize = 1024;

/// What the application says about a communicator to be made.
pub struct Wish<'w> {
    pub stringtag: &'w str,
    pub errhandler: Attached,
    pub hints: Pairs,
}

/// Where the processes of a group meet.
struct GroupNet {
    net: CommNet,
    ranks: Vec<usize>,
    /// This process's rank in the group.
    rank: usize,
    key: u32,
}

fn check_tag(tag: &str) -> Result<()> {
    if tag.len() >= MAX_STRINGTAG {
        fail!(
            ARG,
            "stringtag has {} bytes; at most {} are allowed",
            tag.len(),
            MAX_STRINGTAG - 1
        );
    }
    Ok(())
}

fn tag(hash: u64) -> i32 {
    (hash >> 32) as i32 & i32::MAX
}

/// # Errors
/// `MPI_ERR_GROUP`: a process of another job, with which nobody can meet here.
fn rank_in_meeting(everybody: &Communicator, process: ProcId) -> Result<usize> {
    match everybody.group.rank_of(process) {
        Some(rank) => Ok(rank),
        None => fail!(
            GROUP,
            "a process of the group is of another job than the calling one"
        ),
    }
}

/// # Errors
/// `MPI_ERR_GROUP`: this process is not in the group, or a member is of another job.
fn group_net(mpi: &Mpi, name: &str, group: &Members, stringtag: &str) -> Result<GroupNet> {
    check_tag(stringtag)?;
    let engine = mpi.engine();
    let Some(rank) = group.rank_of(engine.me) else {
        fail!(GROUP, "{name}: the calling process is not in the group");
    };
    if group.len() == engine.size {
        engine.announce_world()?;
    }
    let processes = words(&engine.processes, group)?;
    let processes = processes.into_iter().flat_map(i64::to_le_bytes);
    let hash = hash(stringtag.bytes().chain(processes));
    let everybody = mpi.comms.meeting(engine.rank, engine.size);
    let ranks = group
        .iter()
        .map(|process| rank_in_meeting(&everybody, process));
    let ranks = ranks.collect::<Result<Vec<usize>>>()?;
    Ok(GroupNet {
        net: CommNet::tagged(engine, everybody, tag(hash)),
        ranks,
        rank,
        key: hash as u32,
    })
}

impl GroupNet {
    fn subset(&self) -> Subset<'_, CommNet> {
        Subset::new(&self.net, self.ranks.clone()).expect("a process is in its own group")
    }
}

fn draft(wish: Wish, context: u32, rank: usize, group: Rc<Members>) -> Draft {
    Draft {
        context,
        rank: rank as i32,
        group,
        remote: None,
        errhandler: wish.errhandler,
        topology: None,
        hints: wish.hints,
    }
}

/// `MPI_Comm_create_from_group`; `None` for an empty group.
///
/// # Errors
/// `MPI_ERR_GROUP`: the calling process is not in the group. `MPI_ERR_ARG`: too long a tag.
pub fn create(mpi: &Mpi, group: Rc<Members>, wish: Wish) -> Result<Option<Rc<Communicator>>> {
    if group.is_empty() {
        return Ok(None);
    }
    let group_net = group_net(mpi, "group", &group, wish.stringtag)?;
    let comms = &mpi.comms;
    let context = run(
        mpi,
        agree::context(
            &group_net.subset(),
            comms.tools(),
            &comms.contexts,
            group_net.key,
        ),
    )?;
    mpi.comms
        .add(draft(wish, context, group_net.rank, group))
        .map(Some)
}

/// # Errors
/// `MPI_ERR_RANK`: no rank of the group.
fn check_leader(group: &Members, name: &str, leader: Rank) -> Result<usize> {
    match usize::try_from(leader.0) {
        Ok(rank) if rank < group.len() => Ok(rank),
        _ => fail!(
            RANK,
            "{name} = {}: a rank of a group of size {} was expected",
            leader.0,
            group.len()
        ),
    }
}

/// `MPI_Intercomm_create_from_groups`. `other` is the remote group and the rank of its leader; only the
/// local leader's counts.
///
/// # Errors
/// `MPI_ERR_RANK`: no such leader. `MPI_ERR_GROUP`: the calling process is not in the local group, or the groups
/// have processes in common, or the remote group is not what its own leader says.
pub fn create_inter(
    mpi: &Mpi,
    group: Rc<Members>,
    local_leader: Rank,
    other: impl FnOnce() -> Result<(Rc<Members>, Rank)>,
    wish: Wish,
) -> Result<Rc<Communicator>> {
    let leader = check_leader(&group, "local_leader", local_leader)?;
    let group_net = group_net(mpi, "local_group", &group, wish.stringtag)?;
    let engine = mpi.engine();
    // Both groups know the string, and nothing else in common.
    let joint = hash(wish.stringtag.bytes());
    let across = if group_net.rank == leader {
        let (remote, remote_leader) = other()?;
        let rank = check_leader(&remote, "remote_leader", remote_leader)?;
        require_disjoint(&group, &remote)?;
        let peer = remote.proc(rank);
        let everybody = mpi.comms.meeting(engine.rank, engine.size);
        let peer = rank_in_meeting(&everybody, peer)?;
        let net = CommNet::between_leaders(engine, everybody, tag(joint));
        Some((net, peer, remote))
    } else {
        None
    };
    let ours = words(&engine.processes, &group)?;
    let (context, remote) = run(mpi, async {
        let bridge = Bridge {
            local: &group_net.subset(),
            leader,
            across: across.as_ref().map(|(net, peer, _)| (net, *peer)),
        };
        let tools = mpi.comms.tools();
        let theirs = bridge.swap(tools, &ours).await?;
        let context = bridge
            .context(tools, &mpi.comms.contexts, joint as u32)
            .await?;
        Ok((context, members(&engine.processes, &theirs, &group)?))
    })?;
    if let Some((_, _, expected)) = &across
        && **expected != *remote
    {
        fail!(
            GROUP,
            "remote_group: its leader calls with another group of {} processes",
            remote.len()
        );
    }
    require_disjoint(&group, &remote)?;
    let rank = group_net.rank;
    mpi.comms.add(Draft {
        remote: Some(remote),
        ..draft(wish, context, rank, group)
    })
}

fn require_disjoint(local: &Members, remote: &Members) -> Result<()> {
    let common = sets::intersection(local, remote);
    if !common.is_empty() {
        fail!(
            GROUP,
            "local_group and remote_group have {} processes in common",
            common.len()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_for_the_application_to_tell_apart() {
        let tags = ["", "a", "b", "ab", "ba", "a long one of a library"];
        let numbers: std::collections::HashSet<i32> =
            tags.iter().map(|text| tag(hash(text.bytes()))).collect();
        assert_eq!(numbers.len(), tags.len());
        assert!(numbers.iter().all(|number| *number >= 0));
        assert!(check_tag(&"x".repeat(MAX_STRINGTAG - 1)).is_ok());
        assert!(check_tag(&"x".repeat(MAX_STRINGTAG)).is_err());
    }
}

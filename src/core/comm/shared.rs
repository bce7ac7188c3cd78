//! Which memory the members of a communicator share for their blocking collectives, and which of them share a node.
//!
//! They agree on that in one of their first blocking collectives, which all of them count alike. Each says which
//! member slot it has in its node's memory, or that it has none. Where one collective segment serves all, they share
//! that. Otherwise they form groups ([`Hierarchy`]), of which each has a collective segment if all of its members
//! have member slots. Who has none uses messages for good, and so do all members if one of them cannot map the
//! others' memory. Many communicators never come so far and cost nothing.
//! Other collectives may not wait for an agreement, and operations on shared memory must come one after the other. So
//! they use messages only, by groups that each process works out for itself.
//! Assumes that the engine runs.

use std::cell::OnceCell;
use std::rc::Rc;

use super::net::run;
use super::{CallKind, CommNet, Communicator, agree};
use crate::coll::{Hierarchy, Subset, select};
use crate::config::SHARED_COLLECTIVES;
use crate::engine::Engine;
use crate::error::{Error, Result, class};
use crate::node::shared_memory;
use crate::runtime::Runtime;
use crate::shm::collective::{CollSegment, MemberAddress, TakenSlot};
use crate::shm::offers::{self, Reachable};
use crate::shm::zero_copy::Direct;
use crate::transport::ProcId;

/// Blocking collectives on a communicator that go before the agreement.
const BEFORE_AGREEMENT: u32 = 2;
/// Most members of a collective segment where there are more processes than cores.
const MAX_MEMBERS: usize = select::CROWD;
const _: () = assert!(MAX_MEMBERS <= offers::MAX_MEMBERS && select::SEVERAL <= MAX_MEMBERS);

/// What has become of it.
#[derive(Default)]
pub struct Shared {
    coll_segment: OnceCell<Option<CollSegment>>,
    /// Where one collective segment does not serve all members.
    hierarchy: OnceCell<Hierarchy>,
    /// The groups of those that share a node, once they are asked for.
    nodes: OnceCell<Option<Hierarchy>>,
}

impl Shared {
    /// The memory, if the members have agreed on one for all.
    #[inline(always)]
    pub fn coll_segment(&self) -> Option<&CollSegment> {
        self.coll_segment.get().and_then(Option::as_ref)
    }

    /// The groups, if the members have agreed on some.
    #[inline]
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.get()
    }

    /// The members divided by node only, if there are several nodes, of which one has several members. All members find
    /// the same.
    pub fn nodes(&self, engine: &Engine, comm: &Communicator) -> Option<&Hierarchy> {
        let nodes = self.nodes.get_or_init(|| by_node(engine, comm));
        nodes.as_ref()
    }

    /// Called before every blocking collective: agrees when it is time for that.
    #[inline(always)]
    pub fn ready(&self, runtime: &Runtime, comm: &Rc<Communicator>) -> Result<()> {
        if self.coll_segment.get().is_none() && comm.blocking_collectives() >= BEFORE_AGREEMENT {
            self.agree(runtime, comm)?;
        }
        Ok(())
    }

    #[cold]
    fn agree(&self, runtime: &Runtime, comm: &Rc<Communicator>) -> Result<()> {
        let possible = comm.remote.is_none() && comm.group.len() > 1;
        // The others do not agree again after an error here.
        let none = |error| {
            let _ = self.coll_segment.set(None);
            error
        };
        let (coll_segment, hierarchy) = match possible {
            true => agreed(runtime, comm).map_err(none)?,
            false => (None, None),
        };
        // Only this call sets them: blocking collectives on a communicator come one after the other.
        if let Some(hierarchy) = hierarchy {
            let _ = self.hierarchy.set(hierarchy);
        }
        let _ = self.coll_segment.set(coll_segment);
        Ok(())
    }
}

/// The members by node. That of a process of another job may not be known to all.
fn by_node(engine: &Engine, comm: &Communicator) -> Option<Hierarchy> {
    if engine.local_size == engine.size || comm.remote.is_some() {
        return None;
    }
    let job = engine.processes.process(engine.me).ok()?.job;
    let node = |rank| {
        let (of, node) = engine.memory(comm.group.proc(rank)).ok()??;
        (of == job).then_some(node)
    };
    let nodes: Vec<u64> = (0..comm.group.len()).map(node).collect::<Option<_>>()?;
    Hierarchy::new(comm.rank as usize, &nodes, |_| usize::MAX)
}

/// What one member says of itself.
#[derive(Clone, Copy)]
struct Fact<'r> {
    process: ProcId,
    words: &'r [i64],
}

impl Fact<'_> {
    const WORDS: usize = 3 + MemberSlot::WORDS;

    fn member_slot(self) -> Option<MemberSlot> {
        MemberSlot::read(self.words)
    }

    fn is_crowded(self) -> bool {
        self.words[MemberSlot::WORDS] != 0
    }

    fn direct(self) -> i64 {
        self.words[MemberSlot::WORDS + 1]
    }

    fn has_lent_heap(self) -> bool {
        self.words[MemberSlot::WORDS + 2] != 0
    }
}

/// A member slot, as a member tells the others of it.
#[derive(Clone, Copy)]
struct MemberSlot {
    number: u32,
    life: u32,
}

impl MemberSlot {
    const WORDS: usize = 3;

    fn words(ticket: Option<&TakenSlot>) -> [i64; MemberSlot::WORDS] {
        match ticket.map(TakenSlot::announce) {
            Some(place) => [1, place.member_slot.into(), place.life.into()],
            None => [0; MemberSlot::WORDS],
        }
    }

    fn read(words: &[i64]) -> Option<MemberSlot> {
        (words[0] == 1).then(|| MemberSlot {
            number: words[1] as u32,
            life: words[2] as u32,
        })
    }
}

/// Exchanges facts and member slots.
fn agreed(
    runtime: &Runtime,
    comm: &Rc<Communicator>,
) -> Result<(Option<CollSegment>, Option<Hierarchy>)> {
    let engine = runtime.engine();
    let wanted = runtime.settings.value(&SHARED_COLLECTIVES);
    let wanted = wanted.map_err(|what| Error::new(class::OTHER, what))? != 0;
    let size = comm.group.len();
    let take = |members: usize| {
        wanted
            .then(|| engine.node.member_slots.take(members))
            .flatten()
    };
    let ticket = take(size.min(MAX_MEMBERS));
    let [has, member_slot, life] = MemberSlot::words(ticket.as_ref());
    let words: [i64; Fact::WORDS] = [
        has,
        member_slot,
        life,
        engine.is_crowded().into(),
        engine.node.copying.direct as i64,
        engine.node.lent_heap.into(),
    ];
    let net = CommNet::new(engine, comm.clone(), CallKind::Blocking);
    let tools = agree::Tools::new();
    let all = run(runtime, agree::gather(&net, &tools, &words))?;
    let rows = all.chunks_exact(Fact::WORDS).enumerate();
    let facts: Vec<Fact> = rows
        .map(|(rank, words)| Fact {
            process: comm.group.proc(rank),
            words,
        })
        .collect();
    let me = comm.rank as usize;
    // Who shares memory with nobody is a node of its own.
    let node = |(rank, fact): (usize, &Fact)| {
        let memory = engine.memory(fact.process)?;
        Ok(memory.ok_or(rank))
    };
    let nodes = facts.iter().enumerate().map(node);
    let nodes = nodes.collect::<Result<Vec<_>>>()?;
    let limit = |node| {
        let here = facts
            .iter()
            .zip(&nodes)
            .filter(|(_, other)| **other == node);
        most_members(here.map(|(fact, _)| *fact))
    };
    let member_slots = |facts: &[Fact]| facts.iter().map(|fact| fact.member_slot()).collect();
    // Whoever waits for a member in a collective segment waits for good if that member could not map it. So all join, or none.
    let all_join = |here: bool| {
        let missing = run(runtime, agree::gather(&net, &tools, &[i64::from(!here)]))?;
        Ok(missing.iter().all(|missing| *missing == 0))
    };
    let Some(mut hierarchy) = Hierarchy::new(me, &nodes, limit) else {
        let joined = match nodes.iter().all(|node| *node == nodes[0]) {
            true => join(engine, ticket, &facts, member_slots(&facts), me),
            false => {
                ticket.iter().for_each(TakenSlot::withdraw);
                Ok(None)
            }
        };
        let coll_segment = match all_join(joined.is_ok())? {
            true => joined?,
            false => None,
        };
        return Ok((coll_segment, None));
    };
    // All is said before anything may fail here, so that nobody waits for who has failed.
    let mut first = ticket;
    let mut placed = Vec::new();
    for level in 0..hierarchy.levels() {
        let group = hierarchy.group(level);
        if !group.on_node {
            continue;
        }
        let ranks = group.ranks();
        let facts: Vec<Fact> = ranks.iter().map(|rank| facts[*rank]).collect();
        // In the lowest groups each has said already where it sits.
        let (ticket, member_slots) = if group.is_lowest() {
            (first.take(), member_slots(&facts))
        } else {
            let ticket = take(ranks.len());
            let words = MemberSlot::words(ticket.as_ref());
            let group = Subset::new(&net, ranks.to_vec()).expect("it is a member");
            let rows = run(runtime, agree::gather(&group, &tools, &words))?;
            let member_slots = rows.chunks_exact(MemberSlot::WORDS).map(MemberSlot::read);
            (ticket, member_slots.collect())
        };
        placed.push((level, facts, ticket, member_slots));
    }
    // Who has no group on its node has told of a member slot that nobody needs.
    first.iter().for_each(TakenSlot::withdraw);
    let joined = placed
        .into_iter()
        .map(|(level, facts, ticket, member_slots)| {
            let member = hierarchy.group(level).member(me);
            let member = member.expect("a process belongs to its groups");
            Ok((level, join(engine, ticket, &facts, member_slots, member)?))
        });
    let joined = joined.collect::<Result<Vec<_>>>();
    if all_join(joined.is_ok())? {
        for (level, coll_segment) in joined? {
            hierarchy.share(level, coll_segment);
        }
    }
    Ok((None, Some(hierarchy)))
}

/// How many members share one collective segment at most, of those on a node.
fn most_members<'f>(mut here: impl Iterator<Item = Fact<'f>> + Clone) -> usize {
    if here.clone().any(|fact| fact.member_slot().is_none()) {
        // They share none, so that smaller groups would only be slower.
        return usize::MAX;
    }
    match here.any(Fact::is_crowded) {
        true => select::CROWD,
        false => select::SEVERAL,
    }
}

/// The collective segment of some members, of whom this process is number `me`, if all have member slots.
fn join(
    engine: &Engine,
    ticket: Option<TakenSlot>,
    facts: &[Fact],
    member_slots: Option<Vec<MemberSlot>>,
    me: usize,
) -> Result<Option<CollSegment>> {
    let (ticket, member_slots) = match (ticket, member_slots) {
        (Some(ticket), Some(member_slots)) => (ticket, member_slots),
        (ticket, _) => {
            ticket.iter().for_each(TakenSlot::withdraw);
            return Ok(None);
        }
    };
    let places = facts.iter().zip(member_slots).map(|(fact, member_slot)| {
        Ok(MemberAddress {
            process: engine.place(fact.process)?,
            member_slot: member_slot.number,
            life: member_slot.life,
        })
    });
    let places = places.collect::<Result<Vec<MemberAddress>>>()?;
    let direct = facts.iter().map(|fact| fact.direct()).min();
    let direct = direct.unwrap_or(Direct::Never as i64);
    let reachable = Reachable {
        reads: direct >= Direct::Reads as i64,
        writes: direct >= Direct::Both as i64,
        maps: facts.iter().all(|fact| fact.has_lent_heap()),
    };
    let coll_segment = CollSegment::join(
        ticket,
        &places,
        me,
        facts.iter().any(|fact| fact.is_crowded()),
        reachable,
        engine.node.copying.limits,
    );
    coll_segment
        .map(Some)
        .map_err(|error| shared_memory(engine.local_size, &error))
}

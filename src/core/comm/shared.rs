//! Which memory the members of a communicator share for their blocking collectives.
//!
//! They agree on that in one of their first blocking collectives, which all of them count alike: each says where it sits
//! in its node's memory, or that it has no seat. Where one area serves all, they share that. Otherwise they form
//! groups ([`Hierarchy`]), of which each has an area if all of its members have seats. Who has none uses messages for good.
//! Many communicators never come so far and cost nothing. Assumes that the engine runs.

use std::cell::OnceCell;
use std::rc::Rc;

use super::net::run;
use super::{CommNet, Communicator, Form, agree};
use crate::coll::{Hierarchy, Subset, select};
use crate::config::SHARED_COLLECTIVES;
use crate::engine::{Engine, shared_memory};
use crate::error::{Error, Result, class};
use crate::runtime::Runtime;
use crate::shm::collective::{Area, Place, Ticket};
use crate::shm::offers::{MEMBERS as OFFERING, Reachable};
use crate::transport::ProcId;
use crate::transport::shm::Direct;

/// Blocking collectives on a communicator that go before the agreement.
const FIRST: u32 = 2;
/// Most members of an area where there are more processes than cores.
const MEMBERS: usize = select::CROWD;
const _: () = assert!(MEMBERS <= OFFERING && select::SEVERAL <= MEMBERS);

/// What has become of it.
#[derive(Default)]
pub struct Shared {
    area: OnceCell<Option<Area>>,
    /// Where one area does not serve all members.
    hierarchy: OnceCell<Hierarchy>,
}

impl Shared {
    /// The memory, if the members have agreed on one for all.
    #[inline(always)]
    pub fn area(&self) -> Option<&Area> {
        self.area.get().and_then(Option::as_ref)
    }

    /// The groups, if the members have agreed on some.
    #[inline]
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.get()
    }

    /// Called before every blocking collective: agrees when it is time for that.
    #[inline(always)]
    pub fn ready(&self, runtime: &Runtime, comm: &Rc<Communicator>) -> Result<()> {
        if self.area.get().is_none() && comm.blocking_collectives() >= FIRST {
            self.agree(runtime, comm)?;
        }
        Ok(())
    }

    #[cold]
    fn agree(&self, runtime: &Runtime, comm: &Rc<Communicator>) -> Result<()> {
        let possible = comm.remote.is_none() && comm.group.len() > 1;
        // The others do not agree again after an error here.
        let none = |error| {
            let _ = self.area.set(None);
            error
        };
        let (area, hierarchy) = match possible {
            true => agreed(runtime, comm).map_err(none)?,
            false => (None, None),
        };
        // Only this call sets them: blocking collectives on a communicator come one after the other.
        if let Some(hierarchy) = hierarchy {
            let _ = self.hierarchy.set(hierarchy);
        }
        let _ = self.area.set(area);
        Ok(())
    }
}

/// What one member says of itself.
#[derive(Clone, Copy)]
struct Fact<'r> {
    process: ProcId,
    words: &'r [i64],
}

impl Fact<'_> {
    const WORDS: usize = 3 + Seat::WORDS;

    fn seat(self) -> Option<Seat> {
        Seat::read(self.words)
    }

    fn is_crowded(self) -> bool {
        self.words[Seat::WORDS] != 0
    }

    fn direct(self) -> i64 {
        self.words[Seat::WORDS + 1]
    }

    fn has_lent_heap(self) -> bool {
        self.words[Seat::WORDS + 2] != 0
    }
}

/// A seat, as a member tells the others of it.
#[derive(Clone, Copy)]
struct Seat {
    number: u32,
    life: u32,
}

impl Seat {
    const WORDS: usize = 3;

    fn words(ticket: Option<&Ticket>) -> [i64; Seat::WORDS] {
        match ticket.map(Ticket::place) {
            Some(place) => [1, place.seat.into(), place.life.into()],
            None => [0; Seat::WORDS],
        }
    }

    fn read(words: &[i64]) -> Option<Seat> {
        (words[0] == 1).then(|| Seat {
            number: words[1] as u32,
            life: words[2] as u32,
        })
    }
}

/// Exchanges facts and seats.
fn agreed(runtime: &Runtime, comm: &Rc<Communicator>) -> Result<(Option<Area>, Option<Hierarchy>)> {
    let engine = runtime.engine();
    let wanted = runtime.settings.value(&SHARED_COLLECTIVES);
    let wanted = wanted.map_err(|what| Error::new(class::OTHER, what))? != 0;
    let size = comm.group.len();
    let take = |members: usize| wanted.then(|| engine.seats.take(members)).flatten();
    let ticket = take(size.min(MEMBERS));
    let [has, seat, life] = Seat::words(ticket.as_ref());
    let words: [i64; Fact::WORDS] = [
        has,
        seat,
        life,
        engine.is_crowded().into(),
        engine.copying.direct as i64,
        engine.lent_heap.into(),
    ];
    let net = CommNet::new(engine, comm.clone(), Form::Blocking);
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
    let seats = |facts: &[Fact]| facts.iter().map(|fact| fact.seat()).collect();
    let Some(mut hierarchy) = Hierarchy::new(me, &nodes, limit) else {
        let area = match nodes.iter().all(|node| *node == nodes[0]) {
            true => join(engine, ticket, &facts, seats(&facts), me)?,
            false => None,
        };
        return Ok((area, None));
    };
    // All is said before anything may fail here, so that nobody waits for who has failed.
    let mut first = ticket;
    let mut seated = Vec::new();
    for level in 0..hierarchy.levels() {
        let group = hierarchy.group(level);
        if !group.on_node {
            continue;
        }
        let ranks = group.ranks();
        let facts: Vec<Fact> = ranks.iter().map(|rank| facts[*rank]).collect();
        // In the lowest groups each has said already where it sits.
        let (ticket, seats) = if group.is_lowest() {
            (first.take(), seats(&facts))
        } else {
            let ticket = take(ranks.len());
            let words = Seat::words(ticket.as_ref());
            let group = Subset::new(&net, ranks.to_vec()).expect("it is a member");
            let rows = run(runtime, agree::gather(&group, &tools, &words))?;
            let seats = rows.chunks_exact(Seat::WORDS).map(Seat::read);
            (ticket, seats.collect())
        };
        seated.push((level, facts, ticket, seats));
    }
    for (level, facts, ticket, seats) in seated {
        let member = hierarchy.group(level).member(me);
        let member = member.expect("a process belongs to its groups");
        let area = join(engine, ticket, &facts, seats, member)?;
        hierarchy.share(level, area);
    }
    Ok((None, Some(hierarchy)))
}

/// How many members share one area at most, of those on a node.
fn most_members<'f>(mut here: impl Iterator<Item = Fact<'f>> + Clone) -> usize {
    if here.clone().any(|fact| fact.seat().is_none()) {
        // They share none, so that smaller groups would only be slower.
        return usize::MAX;
    }
    match here.any(Fact::is_crowded) {
        true => select::CROWD,
        false => select::SEVERAL,
    }
}

/// The area of some members, of whom this process is number `me`, if all have seats.
fn join(
    engine: &Engine,
    ticket: Option<Ticket>,
    facts: &[Fact],
    seats: Option<Vec<Seat>>,
    me: usize,
) -> Result<Option<Area>> {
    let Some((ticket, seats)) = ticket.zip(seats) else {
        return Ok(None);
    };
    let places = facts.iter().zip(seats).map(|(fact, seat)| {
        Ok(Place {
            process: engine.place(fact.process)?,
            seat: seat.number,
            life: seat.life,
        })
    });
    let places = places.collect::<Result<Vec<Place>>>()?;
    let direct = facts.iter().map(|fact| fact.direct()).min();
    let direct = direct.unwrap_or(Direct::Never as i64);
    let reachable = Reachable {
        reads: direct >= Direct::Reads as i64,
        writes: direct >= Direct::Both as i64,
        maps: facts.iter().all(|fact| fact.has_lent_heap()),
    };
    let area = Area::join(
        ticket,
        &places,
        me,
        facts.iter().any(|fact| fact.is_crowded()),
        reachable,
        engine.copying.limits,
    );
    area.map(Some)
        .map_err(|error| shared_memory(engine.local_size, &error))
}

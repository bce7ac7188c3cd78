//! Whether the members of a communicator share memory for their blocking collectives.
//!
//! They agree on that in one of their first blocking collectives, which all of them count alike: each says
//! where it sits, or that it has no seat. If one has none, the communicator goes on with messages for
//! good. Many communicators never come so far and cost nothing. Assumes that the engine runs.

use std::cell::OnceCell;
use std::rc::Rc;

use super::net::run;
use super::{CommNet, Communicator, Form, agree};
use crate::coll::select;
use crate::config::SHARED_COLLECTIVES;
use crate::engine::shared_memory;
use crate::error::{Error, Result, class};
use crate::runtime::Runtime;
use crate::shm::collective::{Area, Place, Ticket};
use crate::shm::offers::{MEMBERS as OFFERING, Reachable};
use crate::transport::shm::Direct;

/// Blocking collectives on a communicator that go before the agreement.
const FIRST: u32 = 2;
/// Most members that share memory: the longest communicator for which an algorithm would be chosen.
const MEMBERS: usize = select::CROWD;
const _: () = assert!(MEMBERS <= OFFERING);

/// What has become of it.
#[derive(Default)]
pub struct Shared(OnceCell<Option<Area>>);

impl Shared {
    /// The memory, if the members have agreed on it.
    #[inline(always)]
    pub fn area(&self) -> Option<&Area> {
        self.0.get().and_then(Option::as_ref)
    }

    /// Called before every blocking collective: agrees when it is time for that.
    #[inline(always)]
    pub fn ready(&self, runtime: &Runtime, comm: &Rc<Communicator>) -> Result<()> {
        if self.0.get().is_none() && comm.blocking_collectives() >= FIRST {
            self.agree(runtime, comm)?;
        }
        Ok(())
    }

    #[cold]
    fn agree(&self, runtime: &Runtime, comm: &Rc<Communicator>) -> Result<()> {
        let possible = comm.remote.is_none() && (2..=MEMBERS).contains(&comm.group.len());
        let area = match possible {
            true => agreed(runtime, comm)?,
            false => None,
        };
        // Only this call sets it: blocking collectives on a communicator come one after the other.
        let _ = self.0.set(area);
        Ok(())
    }
}

/// Exchanges seats.
fn agreed(runtime: &Runtime, comm: &Rc<Communicator>) -> Result<Option<Area>> {
    let engine = runtime.engine();
    let wanted = runtime.settings.value(&SHARED_COLLECTIVES);
    let wanted = wanted.map_err(|what| Error::new(class::OTHER, what))? != 0;
    let ticket = wanted
        .then(|| engine.seats.take(comm.group.len()))
        .flatten();
    let none = Place {
        process: usize::MAX,
        seat: 0,
        life: 0,
    };
    let place = ticket.as_ref().map_or(none, Ticket::place);
    let words = [
        ticket.is_some().into(),
        place.seat.into(),
        place.life.into(),
        engine.is_crowded().into(),
        engine.copying.direct as i64,
        engine.lent_heap.into(),
    ];
    let net = CommNet::new(engine, comm.clone(), Form::Blocking);
    let all = run(runtime, agree::gather(&net, &agree::Tools::new(), &words))?;
    let rows: Vec<&[i64]> = all.chunks_exact(words.len()).collect();
    let Some(ticket) = ticket.filter(|_| rows.iter().all(|row| row[0] == 1)) else {
        return Ok(None);
    };
    let crowded = rows.iter().any(|row| row[3] != 0);
    if comm.group.len() > select::SEVERAL && !crowded {
        return Ok(None);
    }
    let places = rows.iter().enumerate().map(|(rank, row)| {
        Ok(Place {
            process: engine.place(comm.group.proc(rank))?,
            seat: row[1] as u32,
            life: row[2] as u32,
        })
    });
    let places = places.collect::<Result<Vec<Place>>>()?;
    let direct = rows
        .iter()
        .map(|row| row[4])
        .min()
        .unwrap_or(Direct::Never as i64);
    let reachable = Reachable {
        reads: direct >= Direct::Reads as i64,
        writes: direct >= Direct::Both as i64,
        maps: rows.iter().all(|row| row[5] != 0),
    };
    let area = Area::join(
        ticket,
        &places,
        comm.rank as usize,
        crowded,
        reachable,
        engine.copying.limits,
    );
    area.map(Some)
        .map_err(|error| shared_memory(engine.local_size, &error))
}

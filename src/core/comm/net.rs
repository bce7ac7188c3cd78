//! The messages of one collective operation on a communicator: the trait `Net` over the engine.
//!
//! Knows no algorithm.

use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;

use super::{CallKind, Communicator};
use crate::coll::{Hierarchy, Net};
use crate::completion::Awaited;
use crate::datatype::{Data, Type};
use crate::engine::Engine;
use crate::error::{Error, Result, class};
use crate::matching::{Envelope, Pattern};
use crate::proto::{FlowPattern, OpId, Outcome};
use crate::runtime::Runtime;
use crate::shm::collective::{CollSegment, Watch};
use crate::transport::ProcId;

/// What an operation knows of where the communicator's ranks run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    /// Nothing.
    None,
    /// Which share a node. It uses none of the memory that they share.
    Nodes,
    /// Which share memory, that it may use.
    Memory,
}

/// One collective operation's messages on a communicator: its context for collectives, one tag.
pub struct CommNet {
    engine: &'static Engine,
    comm: Rc<Communicator>,
    context: u32,
    tag: i32,
    /// A message came that had not the size that this process expects.
    refused: Cell<Option<Error>>,
    groups: Groups,
    watched: Cell<Option<Watch>>,
}

impl CommNet {
    /// For the next collective operation on `comm`. Every process counts them alike, so the number
    /// serves as the tag.
    pub fn new(engine: &'static Engine, comm: Rc<Communicator>, kind: CallKind) -> CommNet {
        let tag = comm.next_collective(kind);
        CommNet {
            groups: match kind {
                CallKind::Blocking => Groups::None,
                CallKind::Background => Groups::Nodes,
            },
            ..CommNet::tagged(engine, comm, tag)
        }
    }

    /// With a tag of the caller's; collectives on all of `comm` have those from 0 up.
    pub fn tagged(engine: &'static Engine, comm: Rc<Communicator>, tag: i32) -> CommNet {
        let context = comm.collective_context();
        CommNet::on(engine, comm, context, tag)
    }

    /// For two processes that join their groups into an inter-communicator over `comm`, with their tag.
    pub fn between_leaders(engine: &'static Engine, comm: Rc<Communicator>, tag: i32) -> CommNet {
        let context = comm.leaders_context();
        CommNet::on(engine, comm, context, tag)
    }

    fn on(engine: &'static Engine, comm: Rc<Communicator>, context: u32, tag: i32) -> CommNet {
        CommNet {
            engine,
            comm,
            context,
            tag,
            refused: Cell::new(None),
            groups: Groups::None,
            watched: Cell::new(None),
        }
    }

    /// Refuses a message that has not the size that this process expects.
    #[inline]
    fn checked(&self, outcome: &Outcome, expected: Option<u64>) -> Result<()> {
        match expected {
            Some(expected) if outcome.truncated().is_some() || outcome.status.bytes != expected => {
                let error = mismatch(outcome, expected);
                self.refused.set(Some(error.clone()));
                Err(error)
            }
            _ => Ok(()),
        }
    }

    /// For the next blocking collective operation on `comm`, which may use the memory that it shares:
    /// blocking operations on a communicator come one after the other.
    #[inline]
    pub fn sharing(engine: &'static Engine, comm: Rc<Communicator>) -> CommNet {
        CommNet {
            groups: Groups::Memory,
            ..CommNet::new(engine, comm, CallKind::Blocking)
        }
    }
}

/// A rank of a [`CommNet`].
struct NetPeer {
    process: ProcId,
    context: u32,
    /// In its own group.
    rank: usize,
}

impl CommNet {
    /// The net names the ranks of the group, then those of an inter-communicator's remote group.
    #[inline(always)]
    fn peer(&self, rank: usize) -> NetPeer {
        let (group, context, rank) = match &self.comm.remote {
            None => (&self.comm.group, self.context, rank),
            Some(remote) => match rank.checked_sub(self.comm.group.len()) {
                None => (&self.comm.group, self.comm.local_context(), rank),
                Some(rank) => (remote, self.context, rank),
            },
        };
        NetPeer {
            process: group.proc(rank),
            context,
            rank,
        }
    }

    /// Where a message of this operation goes, and what it bears.
    #[inline(always)]
    fn envelope(&self, to: usize) -> (ProcId, Envelope) {
        let to = self.peer(to);
        let envelope = Envelope {
            context: to.context,
            source: self.comm.rank as u32,
            tag: self.tag,
        };
        (to.process, envelope)
    }
}

/// A transfer of a collective.
#[derive(Clone, Copy)]
pub struct NetTransfer {
    id: OpId,
    /// Bytes that a receive must get; `None` for a send.
    expected: Option<u64>,
}

impl Net for CommNet {
    type Pending = NetTransfer;

    fn rank(&self) -> usize {
        self.comm.rank as usize
    }

    fn size(&self) -> usize {
        let remote = self.comm.remote.as_ref();
        self.comm.group.len() + remote.map_or(0, |remote| remote.len())
    }

    #[inline]
    fn isend(&self, data: Data, to: usize) -> Result<Option<NetTransfer>> {
        let (to, envelope) = self.envelope(to);
        let started = self.engine.send(to, envelope, &data, false);
        Ok(started.map(|id| NetTransfer { id, expected: None }))
    }

    fn stream(&self, data: Data, to: usize, stream: FlowPattern) -> Result<Option<NetTransfer>> {
        let (to, envelope) = self.envelope(to);
        let started = self.engine.proto().stream(to, envelope, data, stream);
        Ok(started.map(|id| NetTransfer { id, expected: None }))
    }

    #[inline]
    fn irecv(&self, data: Data, from: usize) -> Result<Option<NetTransfer>> {
        let peer = self.peer(from);
        let pattern = Pattern::new(peer.context, Some(peer.rank as u32), Some(self.tag));
        let expected = Some(data.bytes());
        let id = self.engine.receive(pattern, data);
        match self.engine.finish(id) {
            None => Ok(Some(NetTransfer { id, expected })),
            Some(outcome) => self.checked(&outcome, expected).map(|()| None),
        }
    }

    #[inline]
    fn poll(&self, pending: NetTransfer) -> Result<bool> {
        match self.engine.finish(pending.id) {
            None => Ok(false),
            Some(outcome) => self.checked(&outcome, pending.expected).map(|()| true),
        }
    }

    fn progress(&self) {
        self.engine.proto().progress();
    }

    fn byte(&self) -> &Rc<Type> {
        &self.engine.byte
    }

    #[inline]
    fn chosen(&self, number: usize) {
        self.engine.history.chosen(number);
    }

    #[inline]
    fn coll_segment(&self) -> Option<&CollSegment> {
        match self.groups {
            Groups::Memory => self.comm.shared.coll_segment(),
            Groups::None | Groups::Nodes => None,
        }
    }

    #[inline]
    fn hierarchy(&self) -> Option<&Hierarchy> {
        match self.groups {
            Groups::Memory => self.comm.shared.hierarchy(),
            Groups::Nodes => self.comm.shared.nodes(self.engine, &self.comm),
            Groups::None => None,
        }
    }

    #[inline(always)]
    fn looks(&self) -> u32 {
        self.engine.wait_state.looks()
    }

    #[inline]
    fn watch(&self, watch: Watch) {
        self.watched.set(Some(watch));
    }
}

impl Awaited for CommNet {
    #[inline]
    fn look(&self) {
        // The next wait may be for a message.
        self.watched.set(None);
    }

    #[inline(always)]
    fn woken(&self) -> bool {
        self.watched.get().is_some_and(Watch::ready)
    }

    /// The error of a message of the wrong size, if the communicator's handler ends the job for it.
    ///
    /// An algorithm goes on after it, so that the others get their messages. But processes that disagree
    /// about sizes may have chosen different algorithms, and then it might wait for ever.
    #[inline]
    fn hopeless(&self) -> Option<Error> {
        let error = self.refused.take()?;
        self.comm.errhandler.borrow().is_fatal().then_some(error)
    }
}

#[cold]
fn mismatch(outcome: &Outcome, expected: u64) -> Error {
    let (class, bytes) = match outcome.truncated() {
        Some(bytes) => (class::TRUNCATE, bytes),
        None => (class::OTHER, outcome.status.bytes),
    };
    Error::new(
        class,
        format!(
            "{bytes} bytes came from rank {} where {expected} bytes are expected: do all processes \
             pass matching counts and datatypes?",
            outcome.status.source.0
        ),
    )
}

/// Runs a collective step to its end.
pub(crate) fn run<T>(runtime: &Runtime, operation: impl Future<Output = Result<T>>) -> Result<T> {
    let mut value = None;
    let operation = async {
        value = Some(operation.await?);
        Ok(())
    };
    runtime.block_on(runtime.engine(), None::<&CommNet>, operation)?;
    Ok(value.expect("a future that succeeded has given its value"))
}

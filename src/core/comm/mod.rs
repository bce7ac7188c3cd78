//! Communicators (MPI-5.0, chapter 7): who may talk to whom, apart from everybody else.
//!
//! A communicator is immutable but for its name, error handler, attributes and hints. Handles, requests
//! and operations under way share it by `Rc`; `MPI_Comm_free` only takes the handle away. How processes
//! agree on a new one is in [`agree`], a collective operation's messages are in [`net`]. Which communicators there can
//! be is in [`constructors`](crate::constructors); nothing here knows the library's other objects.

pub(crate) mod agree;
pub mod net;
mod shared;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::{Rc, Weak};

pub use net::CommNet;

use crate::attr::Attributes;
use crate::borrowed::Borrowed;
use crate::context::{self, Contexts};
use crate::errhandler::Attached;
use crate::error::{Error, On, Result, class};
use crate::fail;
use crate::group::Members;
use crate::handle::{Comm, Errhandler, Handle};
use crate::info::Pairs;
use crate::proto::Outcome;
use crate::registry::{Registry, bad_handle};
use crate::topo::Topology;
use crate::types::{ProcId, Status};

/// A communicator.
pub struct Communicator {
    pub handle: Comm,
    /// Context of its point-to-point messages; the others follow (`context`).
    context: Cell<u32>,
    /// This process's rank in the (local) group.
    pub rank: i32,
    pub group: Rc<Members>,
    /// The remote group of an inter-communicator.
    pub remote: Option<Rc<Members>>,
    pub errhandler: RefCell<Attached>,
    pub name: RefCell<String>,
    pub attributes: Attributes<Comm>,
    pub topology: Option<Rc<Topology>>,
    /// The hints that the application gave, for `MPI_Comm_get_info`.
    pub hints: Pairs,
    /// Collective operations so far, blocking and other ones: the number is their tag.
    collectives: [Cell<u32>; 2],
    /// Memory that the members share for their blocking collectives.
    pub shared: shared::Shared,
}

/// What a communicator is made of, before it has a handle.
pub struct Draft {
    pub context: u32,
    pub rank: i32,
    pub group: Rc<Members>,
    pub remote: Option<Rc<Members>>,
    pub errhandler: Attached,
    pub topology: Option<Rc<Topology>>,
    pub hints: Pairs,
}

impl Draft {
    fn finish(self, handle: Comm) -> Rc<Communicator> {
        Rc::new(Communicator {
            handle,
            context: Cell::new(self.context),
            rank: self.rank,
            group: self.group,
            remote: self.remote,
            errhandler: RefCell::new(self.errhandler),
            name: RefCell::new(String::new()),
            attributes: Attributes::default(),
            topology: self.topology,
            hints: self.hints,
            collectives: Default::default(),
            shared: shared::Shared::default(),
        })
    }
}

/// How a collective operation is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    Blocking,
    /// Non-blocking or persistent: it runs beside the application's calls.
    Background,
}

impl Communicator {
    /// The processes that ranks in point-to-point calls name.
    #[inline(always)]
    pub fn peers(&self) -> &Members {
        match &self.remote {
            None => &self.group,
            Some(remote) => remote,
        }
    }

    pub fn is_inter(&self) -> bool {
        self.remote.is_some()
    }

    /// Tag of the next collective operation. Blocking operations and others are counted apart, because
    /// they never match (MPI-5.0, 6.12), and there are programs that start them in different orders.
    #[inline(always)]
    pub fn next_collective(&self, kind: CallKind) -> i32 {
        let counter = &self.collectives[kind as usize];
        let number = counter.get();
        counter.set(number.wrapping_add(1));
        (number << 1 & i32::MAX as u32) as i32 | kind as i32
    }

    /// Blocking collective operations so far.
    #[inline(always)]
    fn blocking_collectives(&self) -> u32 {
        self.collectives[CallKind::Blocking as usize].get()
    }

    /// Context of point-to-point messages.
    #[inline(always)]
    pub fn context(&self) -> u32 {
        self.context.get()
    }

    /// Gives it the context of its point-to-point messages, on which the members have agreed only now.
    pub fn agree_on(&self, context: u32) {
        self.context.set(context);
    }

    /// Context of collectives: among this group, or with the remote group of an inter-communicator.
    #[inline(always)]
    pub fn collective_context(&self) -> u32 {
        self.context.get() + context::COLLECTIVE
    }

    /// Context of collectives among the local group of an inter-communicator.
    #[inline(always)]
    pub fn local_context(&self) -> u32 {
        self.context.get() + context::LOCAL
    }

    /// Context of two leaders who join their groups over this communicator.
    pub fn leaders_context(&self) -> u32 {
        self.context.get() + context::LEADERS
    }

    /// Its name, or its handle's number, for messages.
    pub fn describe(&self) -> String {
        let name = self.name.borrow();
        if name.is_empty() {
            format!("communicator 0x{:x}", self.handle.raw())
        } else {
            name.clone()
        }
    }

    /// # Errors
    /// `MPI_ERR_COMM`: an inter-communicator.
    pub fn require_intra(&self) -> Result<()> {
        if self.is_inter() {
            fail!(
                COMM,
                "{} is an inter-communicator; an intra-communicator was expected",
                self.describe()
            );
        }
        Ok(())
    }
}

/// What is left of a communicator without a handle.
pub struct Left {
    pub context: u32,
    /// Its group, and its remote one.
    groups: [Option<Rc<Members>>; 2],
}

impl Left {
    /// Its processes.
    pub fn processes(&self) -> impl Iterator<Item = ProcId> {
        self.groups.iter().flatten().flat_map(|group| group.iter())
    }

    fn has(&self, process: ProcId) -> bool {
        let mut groups = self.groups.iter().flatten();
        groups.any(|group| group.rank_of(process).is_some())
    }
}

/// The communicators of one process.
pub struct Comms {
    world: OnceCell<Rc<Communicator>>,
    this: OnceCell<Rc<Communicator>>,
    /// Whether the two may be used (see `constructors::predefined`).
    open: Cell<bool>,
    live: Registry<Comm, Communicator>,
    /// Communicators without a handle, until no operation uses them any more.
    leaving: RefCell<Vec<(Left, Weak<Communicator>)>>,
    pub contexts: Contexts,
    tools: OnceCell<agree::Tools>,
    /// Where groups without a communicator meet: all processes, with a context of their own.
    meeting: OnceCell<Rc<Communicator>>,
}

impl Comms {
    pub const fn new() -> Comms {
        Comms {
            world: OnceCell::new(),
            this: OnceCell::new(),
            open: Cell::new(false),
            live: Registry::new(),
            leaving: RefCell::new(Vec::new()),
            contexts: Contexts::new(),
            tools: OnceCell::new(),
            meeting: OnceCell::new(),
        }
    }

    /// The live communicator of a handle.
    ///
    /// # Errors
    /// `MPI_ERR_COMM` for `MPI_COMM_NULL`, a freed handle or one of another kind.
    #[inline(always)]
    pub fn find(&self, handle: Comm) -> Result<Borrowed<'_, Communicator>> {
        let predefined = match handle {
            Comm::WORLD => &self.world,
            Comm::SELF => &self.this,
            _ => return self.live.find(handle).map(Borrowed::counted),
        };
        match predefined.get() {
            Some(comm) if self.open.get() => Ok(Borrowed::uncounted(comm)),
            _ => Err(no_world(handle)),
        }
    }

    /// Makes `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
    pub fn open(&self, rank: usize, size: usize, errhandler: Attached, hints: &Pairs) {
        let open = |handle, context, rank: usize, group, name: &str| {
            let draft = Draft {
                context,
                rank: rank as i32,
                group: Rc::new(group),
                remote: None,
                errhandler: errhandler.clone(),
                topology: None,
                hints: hints.clone(),
            };
            let comm = draft.finish(handle);
            name.clone_into(&mut comm.name.borrow_mut());
            comm
        };
        let everybody = Members::range(0, size);
        let alone = Members::range(rank as u32, 1);
        let name = "MPI_COMM_WORLD";
        let world = || open(Comm::WORLD, context::WORLD, rank, everybody, name);
        self.world.get_or_init(world);
        let name = "MPI_COMM_SELF";
        let this = || open(Comm::SELF, context::SELF, 0, alone, name);
        self.this.get_or_init(this);
        self.open.set(true);
    }

    /// Takes `MPI_COMM_WORLD` and `MPI_COMM_SELF` away. They stay in memory, as there is one world in a process's
    /// life.
    pub fn close(&self) {
        self.open.set(false);
    }

    /// All processes, where groups meet that have no communicator yet.
    pub fn meeting(&self, rank: usize, size: usize) -> Rc<Communicator> {
        let make = || {
            let draft = Draft {
                context: context::MEETING,
                rank: rank as i32,
                group: Rc::new(Members::range(0, size)),
                remote: None,
                errhandler: Attached::Predefined(Errhandler::RETURN),
                topology: None,
                hints: Pairs::new(),
            };
            draft.finish(Comm::NULL)
        };
        self.meeting.get_or_init(make).clone()
    }

    /// The roots of two groups that are about to be joined, of which this process is the one of this rank.
    pub fn pair(&self, roots: [ProcId; 2], rank: i32) -> Rc<Communicator> {
        let draft = Draft {
            context: context::MEETING,
            rank,
            group: Rc::new(Members::new(roots.to_vec())),
            remote: None,
            errhandler: Attached::Predefined(Errhandler::RETURN),
            topology: None,
            hints: Pairs::new(),
        };
        draft.finish(Comm::NULL)
    }

    /// Gives a new communicator its handle.
    pub fn add(&self, draft: Draft) -> Result<Rc<Communicator>> {
        self.contexts.take(draft.context);
        let handle = self.live.insert_with(|handle| draft.finish(handle))?;
        self.live.find(handle)
    }

    /// Takes the handle of a communicator away.
    ///
    /// # Errors
    /// `MPI_ERR_COMM`: predefined, or not live.
    pub fn remove(&self, handle: Comm) -> Result<()> {
        if handle == Comm::WORLD || handle == Comm::SELF {
            fail!(
                COMM,
                "{} is predefined and cannot be freed",
                self.find(handle)?.describe()
            );
        }
        let Some(comm) = self.live.remove(handle) else {
            return Err(bad_handle(handle));
        };
        let left = Left {
            context: comm.context(),
            groups: [Some(comm.group.clone()), comm.remote.clone()],
        };
        let entry = (left, Rc::downgrade(&comm));
        self.leaving.borrow_mut().push(entry);
        Ok(())
    }

    /// What is left of removed communicators that no operation uses any more; each is told once.
    pub fn gone(&self) -> Vec<Left> {
        let mut leaving = self.leaving.borrow_mut();
        let gone = leaving.extract_if(.., |(_, comm)| comm.strong_count() == 0);
        gone.map(|(left, _)| left).collect()
    }

    /// Whether a process is in a communicator that is in use, with a handle or without.
    pub fn has(&self, process: ProcId) -> bool {
        let leaving = self.leaving.borrow();
        let mut left = leaving.iter().map(|(left, _)| left);
        let handles = self.live.handles();
        let mut live = handles
            .into_iter()
            .filter_map(|handle| self.live.find(handle).ok());
        left.any(|left| left.has(process))
            || live.any(|comm| {
                let remote = comm.remote.as_ref();
                let there = remote.is_some_and(|remote| remote.rank_of(process).is_some());
                there || comm.group.rank_of(process).is_some()
            })
    }

    /// Live communicators that the application has made and not freed.
    pub fn handles(&self) -> Vec<Comm> {
        self.live.handles()
    }

    pub(crate) fn tools(&self) -> &agree::Tools {
        self.tools.get_or_init(agree::Tools::new)
    }
}

/// The predefined communicators belong to the world model.
#[cold]
fn no_world(handle: Comm) -> Error {
    let name = match handle {
        Comm::WORLD => "MPI_COMM_WORLD",
        _ => "MPI_COMM_SELF",
    };
    Error::new(
        class::COMM,
        format!("{name} exists between MPI_Init and MPI_Finalize only; sessions have none"),
    )
}

impl Default for Comms {
    fn default() -> Self {
        Self::new()
    }
}

/// The error of a receive whose message was longer than its buffer, raised on the communicator.
#[inline(always)]
pub fn receive_result(outcome: Outcome, comm: &Communicator) -> Result<Status> {
    match outcome.truncated() {
        None => Ok(outcome.status),
        Some(len) => Err(too_long(outcome, len, comm)),
    }
}

#[cold]
fn too_long(outcome: Outcome, len: u64, comm: &Communicator) -> Error {
    Error::new(
        class::TRUNCATE,
        format!(
            "a message of {len} bytes from rank {} with tag {} arrived for a buffer of {} bytes",
            outcome.status.source.0, outcome.status.tag.0, outcome.status.bytes
        ),
    )
    .with_status(outcome.status)
    .on(On::Comm(comm.handle))
}

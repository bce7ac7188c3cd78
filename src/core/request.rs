//! Requests: the handles of operations that go on after the call (MPI-5.0, 3.7 and 3.9).
//!
//! A request is an *active* operation, a *recipe* for one (persistent), or both. What the operation is -
//! a transfer, a collective, a generalised request - is one enum; completing it is one function.
//!
//! Most requests are transfers and nothing else. They have no entry of their own. The handle holds the operation's
//! own index and generation; beside it stands only the communicator that it keeps alive.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use crate::background::Background;
use crate::comm::{Communicator, receive_result};
use crate::engine::Engine;
use crate::error::{Error, On, Result, class};
use crate::handle::{FIRST_DYNAMIC, Handle, Kind, MAX_LIVE, Request};
use crate::proto::OpId;
use crate::registry::bad_handle;
use crate::runtime::Runtime;
use crate::types::Status;

/// What an active request waits for.
#[derive(Clone)]
pub enum Operation {
    /// Nothing: it was complete when it started.
    Complete(Status),
    /// A send or a receive.
    Transfer(OpId),
    Collective(Rc<Background>),
    /// The application says when (MPI-5.0, 13.2).
    Generalized(Rc<dyn Generalized>),
}

/// What a generalised request does for its owner; implemented where its callbacks are known.
pub trait Generalized: Any {
    fn complete(&self, engine: &Engine) -> bool;
    /// Fills the status of the completed request and frees what belongs to it.
    fn finish(&self, runtime: &Runtime) -> Result<Status>;
    /// Fills the status without freeing anything.
    fn query(&self, runtime: &Runtime) -> Result<Status>;
    fn cancel(&self, runtime: &Runtime) -> Result<()>;
    /// The object that errors about it belong to, if that is no communicator that the operation keeps alive.
    fn works_on(&self) -> On {
        On::Call
    }
}

/// An operation under way and the communicator that keeps it alive.
#[derive(Clone)]
pub struct Active {
    pub operation: Operation,
    pub comm: Option<Rc<Communicator>>,
}

/// How to start a persistent operation once more.
pub type Recipe = Rc<dyn Fn(&Runtime) -> Result<Active>>;

/// An operation of many rounds, which begin with `MPI_Start`: a partitioned one (MPI-5.0, chapter 4).
pub trait InRounds: Any {
    /// The communicator that it is on.
    fn comm(&self) -> &Rc<Communicator>;
    /// Starts a round. None is under way.
    fn start(self: Rc<Self>, runtime: &Runtime) -> Active;
}

/// What starts an operation once more.
#[derive(Clone)]
enum Persistent {
    /// The operations are on this communicator.
    Recipe(Recipe, Rc<Communicator>),
    InRounds(Rc<dyn InRounds>),
}

impl Persistent {
    fn comm(&self) -> &Rc<Communicator> {
        match self {
            Persistent::Recipe(_, comm) => comm,
            Persistent::InRounds(operation) => operation.comm(),
        }
    }
}

impl Active {
    /// What [`COMPLETE`] stands for.
    pub const COMPLETE: Active = Active {
        operation: Operation::Complete(Status::EMPTY),
        comm: None,
    };

    /// A message under way on a communicator.
    pub fn transfer(id: OpId, comm: Rc<Communicator>) -> Active {
        Active {
            operation: Operation::Transfer(id),
            comm: Some(comm),
        }
    }
}

/// What [`Requests::take`] has taken.
enum Taken {
    /// The operation of a request that is gone.
    Whole(Active),
    /// One round of a persistent request.
    Round(Active),
    Inactive,
}

struct Entry {
    active: Option<Active>,
    persistent: Option<Persistent>,
    /// `MPI_Request_free` was called: nobody will ask, drop it when it ends.
    orphan: bool,
}

struct Slot {
    generation: u32,
    entry: Option<Entry>,
}

/// A transfer that is a request by itself, in the place of its operation's index.
struct Plain {
    id: OpId,
    /// What it keeps alive; `None`: this is no live request.
    comm: Option<Rc<Communicator>>,
}

/// The requests of a process.
#[derive(Default)]
pub struct Requests {
    plain: RefCell<Vec<Plain>>,
    slots: RefCell<Vec<Slot>>,
    free: RefCell<Vec<u32>>,
    orphans: RefCell<Vec<Request>>,
}

const INDEX_MASK: u32 = MAX_LIVE as u32 - 1;
const PREFIX: u32 = FIRST_DYNAMIC | (Kind::Request as u32) << 26;
const GENERATION_MASK: u32 = 0x3f;
/// In a handle's index: this is a plain transfer, and the rest is its operation's index.
const PLAIN: u32 = 1;
/// Entries, and plain transfers, that can have a handle.
const MAX_REQUESTS: usize = MAX_LIVE / 2;

/// The one request of all operations that were complete, with nothing to report, when they were started: most
/// sends of short messages. It is never given up, so it needs no place of its own.
pub const COMPLETE: Request = Request(PREFIX);

/// Where the entry of a request is that is none of the plain ones.
#[inline(always)]
fn place(raw: u32) -> usize {
    (raw & INDEX_MASK) as usize >> 1
}

impl Requests {
    pub const fn new() -> Requests {
        Requests {
            plain: RefCell::new(Vec::new()),
            slots: RefCell::new(Vec::new()),
            free: RefCell::new(Vec::new()),
            orphans: RefCell::new(Vec::new()),
        }
    }

    fn insert(&self, entry: Entry) -> Result<Request> {
        let mut slots = self.slots.borrow_mut();
        if slots.is_empty() {
            // The place of `COMPLETE`.
            slots.push(Slot {
                generation: 0,
                entry: None,
            });
        }
        let index = match self.free.borrow_mut().pop() {
            Some(index) => index,
            None => {
                if slots.len() >= MAX_REQUESTS {
                    crate::fail!(NO_MEM, "{MAX_REQUESTS} requests live already");
                }
                slots.push(Slot {
                    generation: 0,
                    entry: None,
                });
                slots.len() as u32 - 1
            }
        };
        let slot = &mut slots[index as usize];
        slot.entry = Some(entry);
        Ok(Request(PREFIX | slot.generation << 20 | index << 1))
    }

    /// A request for an operation that has been started.
    pub fn add(&self, active: Active) -> Result<Request> {
        match active {
            Active {
                operation: Operation::Transfer(id),
                comm: Some(comm),
            } => self.add_transfer(id, comm),
            other => self.add_entry(other),
        }
    }

    /// A request for a transfer that has been started.
    #[inline]
    pub fn add_transfer(&self, id: OpId, comm: Rc<Communicator>) -> Result<Request> {
        let mut plain = self.plain.borrow_mut();
        let Some(place) = plain.get_mut(id.index()) else {
            drop(plain);
            return self.add_first_transfer(id, comm);
        };
        let comm = Some(comm);
        let old = std::mem::replace(place, Plain { id, comm });
        debug_assert!(old.comm.is_none(), "an operation has one request");
        std::mem::forget(old);
        let generation = id.generation() & GENERATION_MASK;
        let index = (id.index() as u32) << 1;
        Ok(Request(PREFIX | generation << 20 | index | PLAIN))
    }

    /// The first of all whose operation has that index.
    #[cold]
    fn add_first_transfer(&self, id: OpId, comm: Rc<Communicator>) -> Result<Request> {
        if id.index() >= MAX_REQUESTS {
            return self.add_entry(Active {
                operation: Operation::Transfer(id),
                comm: Some(comm),
            });
        }
        let nobody = || Plain { id, comm: None };
        self.plain.borrow_mut().resize_with(id.index() + 1, nobody);
        self.add_transfer(id, comm)
    }

    /// The plain transfer that a handle names.
    #[inline(always)]
    fn plain<R>(&self, request: Request, look: impl FnOnce(&mut Plain) -> R) -> Option<R> {
        let raw = request.raw();
        if raw >> 26 != PREFIX >> 26 || raw & PLAIN == 0 {
            return None;
        }
        let mut all = self.plain.borrow_mut();
        let plain = all.get_mut((raw & INDEX_MASK) as usize >> 1)?;
        let live = plain.id.generation() & GENERATION_MASK == raw >> 20 & GENERATION_MASK
            && plain.comm.is_some();
        live.then(|| look(plain))
    }

    /// Takes a plain transfer and its handle away.
    #[inline(always)]
    fn take_plain(&self, request: Request) -> Option<(OpId, Rc<Communicator>)> {
        self.plain(request, |plain| Some((plain.id, plain.comm.take()?)))?
    }

    fn add_entry(&self, active: Active) -> Result<Request> {
        self.insert(Entry {
            active: Some(active),
            persistent: None,
            orphan: false,
        })
    }

    /// An inactive persistent request for operations on a communicator.
    pub fn add_persistent(&self, recipe: Recipe, comm: Rc<Communicator>) -> Result<Request> {
        self.insert(Entry {
            active: None,
            persistent: Some(Persistent::Recipe(recipe, comm)),
            orphan: false,
        })
    }

    /// An inactive request for an operation of many rounds.
    pub fn add_in_rounds(&self, operation: Rc<dyn InRounds>) -> Result<Request> {
        self.insert(Entry {
            active: None,
            persistent: Some(Persistent::InRounds(operation)),
            orphan: false,
        })
    }

    /// Looks at a live request; of a plain transfer, at a copy.
    fn with<R>(&self, request: Request, look: impl FnOnce(&mut Entry) -> R) -> Result<R> {
        let raw = request.raw();
        if request == COMPLETE {
            return Ok(look(&mut Entry {
                active: Some(Active::COMPLETE),
                persistent: None,
                orphan: false,
            }));
        }
        let plain = self.plain(request, |plain| Active {
            operation: Operation::Transfer(plain.id),
            comm: plain.comm.clone(),
        });
        if plain.is_some() {
            return Ok(look(&mut Entry {
                active: plain,
                persistent: None,
                orphan: false,
            }));
        }
        if raw >> 26 == PREFIX >> 26
            && raw & PLAIN == 0
            && let Some(slot) = self.slots.borrow_mut().get_mut(place(raw))
            && slot.generation == raw >> 20 & GENERATION_MASK
            && let Some(entry) = &mut slot.entry
            && !entry.orphan
        {
            return Ok(look(entry));
        }
        Err(bad_handle(request))
    }

    /// Takes the entry of a request that is none of the plain ones.
    fn remove(&self, request: Request) -> Option<Entry> {
        let index = place(request.raw());
        let mut slots = self.slots.borrow_mut();
        let slot = slots.get_mut(index)?;
        let entry = slot.entry.take()?;
        slot.generation = (slot.generation + 1) & GENERATION_MASK;
        self.free.borrow_mut().push(index as u32);
        Some(entry)
    }

    /// Takes the operation out of a live request that is none of the plain ones, and the handle away unless
    /// the request is persistent.
    fn take(&self, request: Request) -> Result<Taken> {
        let raw = request.raw();
        let mut slots = self.slots.borrow_mut();
        if raw >> 26 == PREFIX >> 26
            && raw & PLAIN == 0
            && let Some(slot) = slots.get_mut(place(raw))
            && slot.generation == raw >> 20 & GENERATION_MASK
            && let Some(entry) = &mut slot.entry
            && !entry.orphan
        {
            let Some(active) = entry.active.take() else {
                return Ok(Taken::Inactive);
            };
            if entry.persistent.is_some() {
                return Ok(Taken::Round(active));
            }
            // Neither an operation nor a recipe is left: nothing to drop.
            std::mem::forget(slot.entry.take());
            slot.generation = (slot.generation + 1) & GENERATION_MASK;
            self.free.borrow_mut().push(place(raw) as u32);
            return Ok(Taken::Whole(active));
        }
        Err(bad_handle(request))
    }

    /// The transfer that a request waits for, if it waits for one.
    #[inline]
    pub fn transfer(&self, request: Request) -> Result<Option<OpId>> {
        let plain = self.plain(request, |plain| plain.id);
        if plain.is_some() {
            return Ok(plain);
        }
        self.with(request, |entry| match &entry.active {
            Some(Active {
                operation: Operation::Transfer(id),
                ..
            }) => Some(*id),
            _ => None,
        })
    }

    /// Refuses what is neither null nor a live request.
    ///
    /// # Errors
    /// `MPI_ERR_REQUEST`.
    #[inline]
    pub fn check(&self, request: Request) -> Result<()> {
        if request.is_null() || request == COMPLETE {
            return Ok(());
        }
        match self.plain(request, |_| ()) {
            Some(()) => Ok(()),
            None => self.with(request, |_| ()),
        }
    }

    pub fn is_persistent(&self, request: Request) -> Result<bool> {
        self.with(request, |entry| entry.persistent.is_some())
    }

    /// The operation of many rounds, if it is one.
    pub fn in_rounds(&self, request: Request) -> Result<Option<Rc<dyn InRounds>>> {
        self.with(request, |entry| match &entry.persistent {
            Some(Persistent::InRounds(operation)) => Some(operation.clone()),
            _ => None,
        })
    }

    /// The operation under way, if any.
    pub fn active(&self, request: Request) -> Result<Option<Active>> {
        self.with(request, |entry| entry.active.clone())
    }

    /// The communicator that the operations of a live request are on. Those that were complete when they started
    /// have none any more.
    pub fn comm(&self, request: Request) -> Option<Rc<Communicator>> {
        let comm = self.with(request, |entry| match (&entry.persistent, &entry.active) {
            (Some(persistent), _) => Some(persistent.comm().clone()),
            (None, Some(active)) => active.comm.clone(),
            (None, None) => None,
        });
        comm.ok()?
    }

    /// The object that errors about a request without a [communicator](Self::comm) belong to.
    pub fn works_on(&self, request: Request) -> On {
        match self.active(request).ok().flatten() {
            Some(Active {
                operation: Operation::Generalized(generalized),
                ..
            }) => generalized.works_on(),
            _ => On::Call,
        }
    }

    /// The generalised operation under way of a request, which may have been freed.
    pub fn generalized(&self, request: Request) -> Option<Rc<dyn Generalized>> {
        let raw = request.raw();
        if raw >> 26 != PREFIX >> 26 || raw & PLAIN != 0 {
            return None;
        }
        let slots = self.slots.borrow();
        let slot = slots.get(place(raw))?;
        let entry = slot.entry.as_ref()?;
        match &entry.active.as_ref()?.operation {
            Operation::Generalized(found) if slot.generation == raw >> 20 & GENERATION_MASK => {
                Some(found.clone())
            }
            _ => None,
        }
    }

    /// Live requests, active and inactive, but for [`COMPLETE`].
    pub fn len(&self) -> usize {
        let plain = self.plain.borrow();
        let plain = plain.iter().filter(|plain| plain.comm.is_some()).count();
        plain + (self.slots.borrow().len() - self.free.borrow().len()).saturating_sub(1)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Whether an operation has nothing left to do.
#[inline]
pub fn ended(engine: &Engine, operation: &Operation) -> bool {
    match operation {
        Operation::Complete(_) => true,
        Operation::Transfer(id) => engine.done(*id),
        Operation::Collective(background) => background.done(),
        Operation::Generalized(generalized) => generalized.complete(engine),
    }
}

/// The status of an operation that has ended; the operation is gone afterwards.
#[inline]
pub fn outcome(runtime: &Runtime, engine: &Engine, active: &Active) -> Result<Status> {
    match &active.operation {
        Operation::Complete(status) => Ok(*status),
        Operation::Transfer(id) => {
            let outcome = engine.take_outcome(*id);
            match &active.comm {
                Some(comm) => receive_result(outcome, comm),
                None => Ok(outcome.status),
            }
        }
        Operation::Collective(background) => background
            .take_outcome()
            .map(|()| Status::EMPTY)
            .map_err(|error| match &active.comm {
                Some(comm) => error.on(On::Comm(comm.handle)),
                None => error,
            }),
        Operation::Generalized(generalized) => generalized.finish(runtime),
    }
}

/// Where a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Null, or persistent and not started.
    Inactive,
    Running,
    Complete,
}

impl Progress {
    #[inline(always)]
    fn of(ended: bool) -> Progress {
        if ended {
            Progress::Complete
        } else {
            Progress::Running
        }
    }
}

/// What completing one request gave.
pub struct Completed {
    /// What the caller's handle becomes: itself if persistent, else `MPI_REQUEST_NULL`.
    pub handle: Request,
    pub result: Result<Status>,
    /// The request was active.
    pub was_active: bool,
}

impl Completed {
    /// Of null and [`COMPLETE`].
    #[inline(always)]
    fn nothing(request: Request) -> Completed {
        Completed {
            handle: Request::NULL,
            result: Ok(Status::EMPTY),
            was_active: request == COMPLETE,
        }
    }
}

impl Requests {
    /// Completes a request that [`Requests::is_complete`] has found complete; null and inactive ones give
    /// the empty status.
    #[inline]
    pub fn complete(
        &self,
        runtime: &Runtime,
        engine: &Engine,
        request: Request,
    ) -> Result<Completed> {
        if request.is_null() || request == COMPLETE {
            return Ok(Completed::nothing(request));
        }
        if let Some((id, comm)) = self.take_plain(request) {
            return Ok(Completed {
                handle: Request::NULL,
                result: receive_result(engine.take_outcome(id), &comm),
                was_active: true,
            });
        }
        self.complete_entry(runtime, engine, request)
    }

    /// As [`complete`](Self::complete), if it has ended. What is no request has nothing to wait for.
    #[inline]
    pub fn complete_if_ended(
        &self,
        runtime: &Runtime,
        engine: &Engine,
        request: Request,
    ) -> Option<Completed> {
        if request.is_null() || request == COMPLETE {
            return Some(Completed::nothing(request));
        }
        let transfer = self.plain(request, |plain| {
            let outcome = engine.finish(plain.id)?;
            Some((outcome, plain.comm.take()?))
        });
        let Some(ended) = transfer else {
            return self.complete_other_if_ended(runtime, engine, request);
        };
        let (outcome, comm) = ended?;
        Some(Completed {
            handle: Request::NULL,
            result: receive_result(outcome, &comm),
            was_active: true,
        })
    }

    /// Completes a transfer that has ended well, whose status nobody wants. `false`: nothing has happened.
    #[inline(always)]
    pub fn complete_unseen(&self, engine: &Engine, request: Request) -> bool {
        let ended = self.plain(request, |plain| {
            let ended = engine.finish_unseen(plain.id);
            ended.then(|| plain.comm.take())
        });
        matches!(ended, Some(Some(_)))
    }

    #[inline(never)]
    fn complete_other_if_ended(
        &self,
        runtime: &Runtime,
        engine: &Engine,
        request: Request,
    ) -> Option<Completed> {
        let completed = match self.is_complete(engine, request) {
            Ok(false) => return None,
            Ok(true) => self.complete(runtime, engine, request),
            Err(error) => Err(error),
        };
        Some(completed.unwrap_or_else(|error| Completed {
            handle: Request::NULL,
            result: Err(error),
            was_active: false,
        }))
    }

    #[inline(never)]
    fn complete_entry(
        &self,
        runtime: &Runtime,
        engine: &Engine,
        request: Request,
    ) -> Result<Completed> {
        let (active, handle) = match self.take(request)? {
            Taken::Whole(active) => (active, Request::NULL),
            Taken::Round(active) => (active, request),
            Taken::Inactive => {
                return Ok(Completed {
                    handle: request,
                    result: Ok(Status::EMPTY),
                    was_active: false,
                });
            }
        };
        Ok(Completed {
            handle,
            result: outcome(runtime, engine, &active),
            was_active: true,
        })
    }

    /// Where a request is, which may be null.
    ///
    /// # Errors
    /// `MPI_ERR_REQUEST`: neither null nor a live request.
    #[inline(always)]
    pub fn progress_of(&self, engine: &Engine, request: Request) -> Result<Progress> {
        if request.is_null() {
            return Ok(Progress::Inactive);
        }
        if request == COMPLETE {
            return Ok(Progress::Complete);
        }
        if let Some(id) = self.plain(request, |plain| plain.id) {
            return Ok(Progress::of(engine.done(id)));
        }
        self.with(request, |entry| match &entry.active {
            None => Progress::Inactive,
            Some(active) => Progress::of(ended(engine, &active.operation)),
        })
    }

    /// Whether a request is a plain transfer under way.
    #[inline(always)]
    pub fn is_under_way(&self, engine: &Engine, request: Request) -> bool {
        let transfer = self.plain(request, |plain| plain.id);
        transfer.is_some_and(|id| !engine.done(id))
    }

    /// Whether a request, which may be null, has nothing left to wait for.
    #[inline(always)]
    pub fn is_complete(&self, engine: &Engine, request: Request) -> Result<bool> {
        Ok(self.progress_of(engine, request)? != Progress::Running)
    }

    /// Starts a persistent request (MPI-5.0, 3.9).
    ///
    /// # Errors
    /// `MPI_ERR_REQUEST`: not persistent, or active already.
    pub fn start(&self, runtime: &Runtime, request: Request) -> Result<()> {
        let persistent = self.with(request, |entry| {
            if entry.active.is_some() {
                return Err("the request is active already");
            }
            entry
                .persistent
                .clone()
                .ok_or("the request is not persistent")
        })?;
        let persistent = persistent.map_err(|what| {
            Error::new(
                class::REQUEST,
                format!("request 0x{:x}: {what}", request.raw()),
            )
        })?;
        let active = match persistent {
            Persistent::Recipe(recipe, _) => recipe(runtime)?,
            Persistent::InRounds(operation) => operation.start(runtime),
        };
        self.with(request, |entry| entry.active = Some(active))
    }

    /// Gives up a request; its operation goes on (MPI-5.0, 3.7.3).
    ///
    /// # Errors
    /// `MPI_ERR_REQUEST`: no live request, or a partitioned one under way (MPI-5.0, 4.2.1).
    pub fn free(&self, runtime: &Runtime, engine: &Engine, request: Request) -> Result<()> {
        if request == COMPLETE {
            return Ok(());
        }
        if let Some((id, comm)) = self.take_plain(request) {
            if engine.finish(id).is_none() {
                let orphan = self.insert(Entry {
                    active: Some(Active {
                        operation: Operation::Transfer(id),
                        comm: Some(comm),
                    }),
                    persistent: None,
                    orphan: true,
                })?;
                self.orphans.borrow_mut().push(orphan);
            }
            return Ok(());
        }
        let (running, partitioned) = self.with(request, |entry| {
            let running = entry
                .active
                .as_ref()
                .is_some_and(|active| !ended(engine, &active.operation));
            let partitioned = matches!(entry.persistent, Some(Persistent::InRounds(_)));
            if !running || !partitioned {
                entry.persistent = None;
            }
            (running, partitioned)
        })?;
        if running && partitioned {
            crate::fail!(
                REQUEST,
                "request 0x{:x} is a partitioned one that is active: it must complete before it is freed",
                request.raw()
            );
        }
        if running {
            self.with(request, |entry| entry.orphan = true)?;
            self.orphans.borrow_mut().push(request);
            return Ok(());
        }
        let entry = self.remove(request);
        if let Some(active) = entry.and_then(|entry| entry.active) {
            outcome(runtime, engine, &active)?;
        }
        Ok(())
    }

    /// Drops the freed requests whose operations have ended; returns whether any goes on.
    pub fn reap_orphans(&self, runtime: &Runtime, engine: &Engine) -> bool {
        let orphans = std::mem::take(&mut *self.orphans.borrow_mut());
        let mut left = Vec::new();
        for request in orphans {
            let index = place(request.raw());
            let over = {
                let slots = self.slots.borrow();
                let entry = slots.get(index).and_then(|slot| slot.entry.as_ref());
                entry.is_none_or(|entry| {
                    entry
                        .active
                        .as_ref()
                        .is_none_or(|active| ended(engine, &active.operation))
                })
            };
            if !over {
                left.push(request);
                continue;
            }
            if let Some(active) = self.remove(request).and_then(|entry| entry.active) {
                // Nobody asks for it: an error of a freed request has nowhere to go.
                let _ = outcome(runtime, engine, &active);
            }
        }
        let any = !left.is_empty();
        self.orphans.borrow_mut().extend(left);
        any
    }
}

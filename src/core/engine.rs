//! The running library: protocol, transport and launcher of one process, and the loop that waits.
//!
//! One progress function moves everything; one loop waits for anything. Whoever waits gives up the lock of
//! `MPI_THREAD_MULTIPLE` between two looks, so progress does not depend on who waits.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::io::{self, Write};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::abort;
use crate::boot::discover::discover;
use crate::boot::node::Spot;
use crate::boot::{self, Abort, Boot};
use crate::coll::select;
use crate::config::{self, Knob, Settings};
use crate::datatype::{Data, Type};
use crate::error::{Error, Result, class};
use crate::handle::Datatype;
use crate::hardware;
use crate::matching::{Envelope, Pattern};
use crate::node::{Node, shared_memory};
use crate::park::{self, Park};
use crate::processes::{Job, Process, Processes};
use crate::proto::{OpId, Outcome, Proto, Start};
use crate::runtime::Runtime;
use crate::sys;
use crate::transport::{Link, Links, ProcId};
use crate::tuning;
use crate::waiting::{NAP, Patience, Policy, Step, WaitState};

/// What a process knows of its world and shares with it.
pub struct Engine {
    pub rank: usize,
    pub size: usize,
    pub local_size: usize,
    /// This process's place in the memory that it shares with others.
    pub local_rank: usize,
    /// Where its threads sleep.
    pub park: Park,
    /// Everybody whom this process knows.
    pub processes: Processes,
    /// This process.
    pub me: ProcId,
    /// Processors that the processes of this node share.
    pub cpus: usize,
    /// What it shares with the processes of this node.
    pub node: Node,
    pub appnum: Option<i32>,
    pub universe_size: Option<i32>,
    /// How to end the whole job, also from a signal handler.
    pub abort: Option<Abort>,
    proto: RefCell<Proto<Links>>,
    launcher: RefCell<Box<dyn Boot>>,
    /// Whether the launcher knows that this process needs all others.
    announced: Cell<bool>,
    pub wait_state: WaitState,
    /// Threads that wait without the lock, collectives in the background and tools that want events: who must
    /// hear of completions.
    onlookers: Cell<u32>,
    pub history: History,
    /// The type of what is packed.
    pub byte: Rc<Type>,
    /// Collective operations that run beside the application's calls.
    background: RefCell<Vec<Rc<Background>>>,
    /// Completions that collectives in the background and sleeping threads have been told of.
    told: Cell<u64>,
}

/// What a process has done so far, for performance variables (MPI-5.0, 15.3.7).
pub struct History {
    pub yields: Cell<u64>,
    pub sleeps: Cell<u64>,
    /// Nanoseconds.
    pub asleep: Cell<u64>,
    /// Collectives by the number of their algorithm.
    pub algorithms: [Cell<u64>; select::ALGORITHMS],
}

impl History {
    const fn new() -> History {
        History {
            yields: Cell::new(0),
            sleeps: Cell::new(0),
            asleep: Cell::new(0),
            algorithms: [const { Cell::new(0) }; select::ALGORITHMS],
        }
    }

    pub fn yielded(&self) {
        count(&self.yields, 1);
    }

    /// A collective's algorithm has been chosen.
    #[inline]
    pub fn chosen(&self, algorithm: usize) {
        count(&self.algorithms[algorithm], 1);
    }

    pub fn slept(&self, time: Duration) {
        count(&self.sleeps, 1);
        count(&self.asleep, time.as_nanos() as u64);
    }
}

fn value(settings: &Settings, knob: &Knob) -> Result<u64> {
    let value = settings.value(knob);
    value.map_err(|what| Error::new(class::OTHER, what))
}

/// The row of [`tuning`] that the settings name, by its index.
fn row(settings: &Settings) -> Result<usize> {
    let name = value(settings, &config::TUNING)?;
    let row = usize::try_from(name).ok().and_then(tuning::row);
    row.ok_or_else(|| {
        let (knob, names) = (config::TUNING.name, tuning::NAMES.join(", "));
        let what = format!("{knob} is number {name}, but there are only {names}");
        Error::new(class::OTHER, what)
    })
}

/// Ends the job, as rank `rank` of `size` can have no rings to another process.
fn lost(rank: usize, size: usize, abort: Option<Abort>) -> impl Fn(&io::Error) {
    move |error| {
        let error = shared_memory(size, error);
        let text = format!("anympi: rank {rank} of {size}: {}\n", error.what());
        // Nothing can be done about a closed standard error.
        let _ = io::stderr().write_all(text.as_bytes());
        abort::end_job(abort, class::OTHER)
    }
}

/// Adds to a count.
#[inline(always)]
fn count(what: &Cell<u64>, more: u64) {
    what.set(what.get().wrapping_add(more));
}

/// The messages of a collective operation, as the wait for its end sees them.
pub trait Awaited {
    /// The operation looks again, and says anew what it waits for.
    fn look(&self);
    /// What it waits for outside of messages has come.
    fn woken(&self) -> bool;
    /// Why nobody should wait for it any longer.
    fn hopeless(&self) -> Option<Error>;
}

/// The future of a collective operation, on the heap.
pub type Task = Pin<Box<dyn Future<Output = Result<()>>>>;

/// A collective operation under way that nobody waits for in a call.
pub struct Background {
    task: RefCell<Option<Task>>,
    outcome: RefCell<Option<Result<()>>>,
    done: Cell<bool>,
}

impl Background {
    pub fn done(&self) -> bool {
        self.done.get()
    }

    /// The result, once [`done`](Self::done).
    pub fn take_outcome(&self) -> Result<()> {
        self.outcome.borrow_mut().take().unwrap_or(Ok(()))
    }
}

impl Engine {
    /// Finds the world and joins it. Waits for no other process: who comes later finds in its rings what
    /// was sent before.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher cannot be joined, or the shared memory cannot be had.
    pub fn start(settings: &Settings) -> Result<Engine> {
        let mut launcher = discover()?;
        let memory = boot::node::attach(&mut *launcher)?;
        let (world, abort) = (launcher.identity().clone(), launcher.abort());
        let local_size = memory.members.len();
        if local_size != world.size {
            crate::fail!(
                OTHER,
                "the launcher placed {} processes on more than one node ({local_size} here); this version \
                 of anympi connects processes of one node only",
                world.size
            );
        }
        tuning::choose(row(settings)?);
        let node = Node::join(&memory, settings)?;
        let processes = Processes::default();
        let job = Job::named(&world.job);
        for (index, card) in (0..).zip(memory.cards(world.size)) {
            processes.intern(Process { job, index }, card)?;
        }
        let index = world.index as u32;
        let me = processes.find(Process { job, index })?;
        let cpus = match value(settings, &config::CORES)? {
            0 => hardware::usable_processors(),
            cores => cores.try_into().unwrap_or(usize::MAX),
        };
        let policy = Policy::new(local_size, cpus, settings)?;
        let member = |&index: &usize| {
            let index = index as u32;
            processes.find(Process { job, index })
        };
        let members = memory.members.iter().map(member).collect::<Result<_>>()?;
        let link = node
            .link(members, world.size)
            .crowded(policy.crowded)
            .or_end(lost(world.index, world.size, abort));
        Ok(Engine {
            rank: world.index,
            size: world.size,
            local_size,
            local_rank: memory.place,
            park: node.park(),
            processes,
            me,
            cpus,
            node,
            appnum: world.appnum,
            universe_size: world.universe_size,
            abort,
            proto: RefCell::new(Proto::new(link)),
            launcher: RefCell::new(launcher),
            announced: Cell::new(false),
            wait_state: WaitState::new(policy, sys::switches),
            onlookers: Cell::new(0),
            history: History::new(),
            byte: Type::predefined(Datatype::BYTE).expect("MPI_BYTE is predefined"),
            background: RefCell::new(Vec::new()),
            told: Cell::new(0),
        })
    }

    /// The place of a process in the memory that this one shares with it. Each job has a memory of its own on a node; today's
    /// is that of the job in which this process has started.
    ///
    /// # Errors
    /// `MPI_ERR_INTERN`: no process has this number. `MPI_ERR_OTHER`: it shares no memory with this one.
    pub fn place(&self, process: ProcId) -> Result<usize> {
        match self.spot(process)? {
            Some((_, spot)) if self.memory(process)? == self.memory(self.me)? => {
                Ok(spot.place as usize)
            }
            _ => {
                let [who, me] = [process, self.me].map(|process| self.processes.process(process));
                crate::fail!(OTHER, "{} shares no memory with {}", who?, me?)
            }
        }
    }

    /// Which memory a process shares with others, if any: those for whom it is the same.
    ///
    /// # Errors
    /// `MPI_ERR_INTERN`: no process has this number.
    pub fn memory(&self, process: ProcId) -> Result<Option<(Job, u64)>> {
        let spot = self.spot(process)?;
        Ok(spot.map(|(job, spot)| (job, spot.node)))
    }

    fn spot(&self, process: ProcId) -> Result<Option<(Job, Spot)>> {
        let card = self.processes.card(process, boot::node::TRANSPORT)?;
        let spot = card.and_then(|bytes| Spot::from_bytes(&bytes));
        let job = self.processes.process(process)?.job;
        Ok(spot.map(|spot| (job, spot)))
    }

    /// Whether there are more processes on this node than processors.
    pub fn is_crowded(&self) -> bool {
        self.wait_state.crowded()
    }

    /// Processes that this one has sent frames to.
    pub fn peers(&self) -> u64 {
        self.proto.borrow().link().counts().peers
    }

    /// Waits as the settings say from now on.
    ///
    /// # Errors
    /// A knob that is set to something else than a number.
    pub fn apply(&self, settings: &Settings) -> Result<()> {
        let policy = Policy::new(self.local_size, self.cpus, settings)?;
        self.wait_state.adopt(policy);
        Ok(())
    }

    /// Somebody more, or less, wants to hear of everything that ends.
    pub fn look_on(&self, more: bool) {
        let change = if more { 1 } else { u32::MAX };
        self.onlookers
            .set(self.onlookers.get().wrapping_add(change));
    }

    pub fn launcher_name(&self) -> &'static str {
        self.launcher.borrow().name()
    }

    /// Tells the launcher, once, that this process counts on every other one of the world.
    pub fn announce_world(&self) -> Result<()> {
        if self.announced.replace(true) {
            return Ok(());
        }
        self.launcher.borrow_mut().announce_world()
    }

    /// Leaves the launcher in good order.
    pub fn leave(&self) -> Result<()> {
        self.launcher.borrow_mut().finalize()
    }

    /// Comes back to the launcher after [`leave`](Self::leave).
    pub fn rejoin(&self) -> Result<()> {
        self.launcher.borrow_mut().rejoin()
    }

    // --- point-to-point between processes -----------------------------------------------------------

    /// Starts a send; `None`: complete already.
    #[inline(always)]
    pub fn send(
        &self,
        to: ProcId,
        envelope: Envelope,
        data: &Data,
        synchronous: bool,
    ) -> Option<OpId> {
        self.proto
            .borrow_mut()
            .send(to, envelope, data, synchronous)
    }

    /// Starts a receive.
    #[inline(always)]
    pub fn receive(&self, pattern: Pattern, data: Data) -> OpId {
        self.proto.borrow_mut().receive(pattern, data)
    }

    /// Whether every frame has left this process.
    pub fn drained(&self) -> bool {
        self.proto.borrow().drained()
    }

    /// The protocol, for the calls that need more than send and receive.
    pub fn proto(&self) -> std::cell::RefMut<'_, Proto<Links>> {
        self.proto.borrow_mut()
    }

    #[inline(always)]
    pub fn done(&self, id: OpId) -> bool {
        self.proto.borrow_mut().done(id)
    }

    /// The outcome of an operation, once, if it has ended.
    #[inline(always)]
    pub fn finish(&self, id: OpId) -> Option<Outcome> {
        self.proto.borrow_mut().finish(id)
    }

    /// As [`finish`](Self::finish), if it has ended and its whole message had room. `false`: nothing has happened.
    #[inline(always)]
    pub fn finish_unseen(&self, id: OpId) -> bool {
        self.proto.borrow_mut().finish_unseen(id)
    }

    /// The outcome of an operation that has ended, once.
    #[inline(always)]
    pub fn take_outcome(&self, id: OpId) -> Outcome {
        self.finish(id).expect("it has ended, and is ours")
    }

    /// For a wait that begins.
    #[inline(always)]
    fn patience(&self) -> Patience {
        self.wait_state.heed(park::woken());
        Patience::new(&self.wait_state)
    }
}

impl Runtime {
    /// Moves everything that can move; returns whether anything did.
    #[inline]
    pub fn progress(&self, engine: &Engine) -> bool {
        let (moved, ended) = {
            let mut proto = engine.proto.borrow_mut();
            let moved = proto.progress();
            (moved, proto.completions())
        };
        // Operations also end outside of here: whatever is sent makes room for what waited before it.
        if ended != engine.told.get() {
            engine.told.set(ended);
            self.after_completions(engine);
        }
        moved
    }

    /// One look for a call that only tests; returns whether it may have changed anything. On a shared core, a
    /// caller that tests in a loop must let the others run.
    #[inline]
    pub fn poll(&self, engine: &Engine) -> bool {
        // What most tests find: nothing.
        let idle = {
            let mut proto = engine.proto.borrow_mut();
            proto.is_idle() && proto.completions() == engine.told.get()
        };
        let alone = self.waiters.is_empty() && !self.is_polled();
        if idle && alone && engine.wait_state.tests_on() {
            return false;
        }
        self.poll_on(engine)
    }

    /// [`poll`](Self::poll) where it may find something, or has to let others run.
    #[inline(never)]
    fn poll_on(&self, engine: &Engine) -> bool {
        let moved = match self.waiters.is_empty() {
            true => self.progress(engine),
            false => self.progress_among_threads(engine),
        };
        if moved {
            engine.wait_state.found();
            return true;
        }
        let polled = self.is_polled();
        if polled {
            self.poll_operations(false);
        }
        if let Some(start) = engine.wait_state.tested(Instant::now) {
            self.outside(sys::yield_now);
            if engine.wait_state.yielded(start, Instant::now()) {
                self.part(engine);
            }
            // Other threads may have looked meanwhile.
            return true;
        }
        polled
    }

    /// Operations have ended: collectives may go on, sleeping threads may have what they wait for.
    pub fn after_completions(&self, engine: &Engine) {
        if engine.onlookers.get() > 0 {
            self.tell_onlookers(engine);
        }
    }

    #[cold]
    fn tell_onlookers(&self, engine: &Engine) {
        if !engine.background.borrow().is_empty() {
            self.poll_background(engine);
        }
        self.waiters.look(&engine.park);
        if let Some(listener) = self.listener() {
            listener.operations_ended(self, engine);
        }
    }

    /// Waits until `done` says so. `done` is asked after every change.
    #[inline]
    pub fn wait_until(&self, engine: &Engine, mut done: impl FnMut() -> bool) {
        let mut patience = engine.patience();
        self.wait_patiently(engine, &mut patience, &mut done);
    }

    #[inline]
    fn wait_patiently(
        &self,
        engine: &Engine,
        patience: &mut Patience,
        done: &mut impl FnMut() -> bool,
    ) {
        while !done() {
            if self.is_locked() {
                return self.wait_among_threads(engine, Some(patience), done);
            }
            if self.progress(engine) {
                patience.reset(&engine.wait_state);
                continue;
            }
            if self.is_polled() {
                // Only the application knows when they move on, so there is no sleeping.
                self.poll_operations(true);
                sys::yield_now();
                continue;
            }
            match patience.step(&engine.wait_state, Instant::now) {
                Step::Spin => std::hint::spin_loop(),
                Step::Yield => self.give_way(engine, patience),
                Step::Sleep => self.sleep(engine, done),
            }
        }
    }

    #[cold]
    fn give_way(&self, engine: &Engine, patience: &mut Patience) {
        engine.history.yielded();
        sys::yield_now();
        if patience.yielded(&engine.wait_state, Instant::now()) {
            self.part(engine);
        }
    }

    /// Goes to another core than the ranks that share this one. Threads of one process are the application's
    /// to place.
    fn part(&self, engine: &Engine) {
        if !self.is_threaded() {
            sys::move_to_cpu(engine.local_rank);
        }
    }

    #[cold]
    fn sleep(&self, engine: &Engine, done: &mut dyn FnMut() -> bool) {
        let park = &engine.park;
        let ticket = park.prepare();
        if !engine.proto.borrow_mut().pending() && !done() {
            let start = Instant::now();
            park.sleep(ticket, NAP);
            let took = start.elapsed();
            engine.history.slept(took);
            engine.wait_state.slept(took);
        }
        park.awake();
    }

    /// Receives a message that is there, or comes at once, from the process that sends it, if that is known. Whoever gets
    /// nothing goes on with [`receive_now`](Self::receive_now).
    #[inline(always)]
    pub fn receive_at_once(
        &self,
        engine: &Engine,
        from: Option<ProcId>,
        pattern: &Pattern,
        data: &Data,
    ) -> Option<Outcome> {
        let alone = !self.is_locked() && engine.onlookers.get() == 0;
        let looks = if alone { engine.wait_state.looks() } else { 1 };
        let mut proto = engine.proto.borrow_mut();
        proto.receive_at_once(from?, pattern, data, looks)
    }

    /// Receives a message into `data` and waits for it.
    // By itself: what it needs registers for, a message that is there need not save.
    #[inline(never)]
    pub fn receive_now(&self, engine: &Engine, pattern: Pattern, data: Data) -> Outcome {
        let start = engine.proto.borrow_mut().expect(pattern, data);
        match start {
            Start::Expected => {
                self.wait_until(engine, || engine.proto.borrow_mut().expected_over());
                let outcome = engine.proto.borrow_mut().take_expected();
                outcome.expect("it has just ended, and is ours")
            }
            Start::Ordinary(id) => self.wait_for(engine, id),
        }
    }

    /// Waits for one operation and takes its outcome.
    #[inline]
    pub fn wait_for(&self, engine: &Engine, id: OpId) -> Outcome {
        self.wait_until(engine, || engine.done(id));
        engine.take_outcome(id)
    }

    // --- collectives ---------------------------------------------------------------------------------

    /// Runs a collective operation on `net` to its end, or until it is known to be hopeless. Without a net
    /// it consists of several.
    pub fn block_on(
        &self,
        engine: &Engine,
        net: Option<&impl Awaited>,
        operation: impl Future<Output = Result<()>>,
    ) -> Result<()> {
        let mut operation = pin!(operation);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            // Every completion is worth another look, also one that the future itself brings about by an
            // operation that it starts after its look.
            let seen = engine.proto.borrow().completions();
            if let Some(net) = net {
                net.look();
            }
            if let Poll::Ready(result) = operation.as_mut().poll(&mut context) {
                return result;
            }
            if let Some(error) = net.and_then(Awaited::hopeless) {
                return Err(error);
            }
            let mut patience = engine.patience();
            self.wait_patiently(engine, &mut patience, &mut || {
                net.is_some_and(Awaited::woken) || engine.proto.borrow().completions() != seen
            });
        }
    }

    /// Starts a collective operation that goes on beside the application.
    pub fn start_background(&self, engine: &Engine, operation: Task) -> Rc<Background> {
        let background = Rc::new(Background {
            task: RefCell::new(Some(operation)),
            outcome: RefCell::new(None),
            done: Cell::new(false),
        });
        engine.background.borrow_mut().push(background.clone());
        engine.look_on(true);
        self.poll_background(engine);
        background
    }

    /// Lets every collective in the background go on as far as it can.
    fn poll_background(&self, engine: &Engine) {
        let mut context = Context::from_waker(Waker::noop());
        let tasks: Vec<Rc<Background>> = engine.background.borrow().clone();
        for background in &tasks {
            // Taken out while it runs: it may call a user's function, which may come back here.
            let Some(mut task) = background.task.borrow_mut().take() else {
                continue;
            };
            match task.as_mut().poll(&mut context) {
                Poll::Pending => *background.task.borrow_mut() = Some(task),
                Poll::Ready(result) => {
                    *background.outcome.borrow_mut() = Some(result);
                    background.done.set(true);
                }
            }
        }
        engine.background.borrow_mut().retain(|background| {
            let done = background.done.get();
            if done {
                engine.look_on(false);
            }
            !done
        });
    }
}

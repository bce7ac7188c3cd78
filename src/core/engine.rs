//! The engine of one process: the protocol over its transport, the launcher, and what runs in the background.
//!
//! It moves what can move when it is told to. It does not wait, and knows neither threads nor the lock.

mod dynamic;

use std::cell::{Cell, RefCell, RefMut};
use std::io::{self, Write};
use std::os::fd::BorrowedFd;
use std::rc::Rc;
use std::time::Duration;

use crate::abort;
use crate::background::{Background, Task};
use crate::boot::discover::discover;
use crate::boot::node::Spot;
use crate::boot::watch::Watch;
use crate::boot::{self, Abort, Boot};
use crate::coll::select;
use crate::config::{self, Knob, Settings};
use crate::datatype::{Data, Type};
use crate::error::{Error, Result, class};
use crate::handle::Datatype;
use crate::handshake::Secret;
use crate::hardware;
use crate::matching::{Envelope, Pattern};
use crate::net::Net;
use crate::node::{Node, shared_memory};
use crate::park::{self, Park};
use crate::processes::{Job, Process, Processes};
use crate::proto::{OpId, Outcome, Proto};
use crate::sys;
use crate::transport::{Link, Links, ProcId};
use crate::tuning;
use crate::waiting::{Patience, Policy, WaitState};

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
    /// Where the launcher does not end the job when a process dies.
    watch: Option<Watch>,
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

/// Ends the job, as rank `rank` of `size` cannot go on, for the reason that it is told.
fn lost(rank: usize, size: usize, abort: Option<Abort>) -> impl Fn(&str) + Copy {
    move |why| {
        let text = format!("anympi: rank {rank} of {size}: {why}\n");
        // Nothing can be done about a closed standard error.
        let _ = io::stderr().write_all(text.as_bytes());
        abort::end_job(abort, class::OTHER)
    }
}

/// A sleep ends when something comes from the network.
fn wait_for_network(park: &Park, descriptor: BorrowedFd<'_>) -> Result<()> {
    park.register(descriptor).map_err(|error| {
        let what = format!("cannot wait for the network: {error}");
        Error::new(class::OTHER, what)
    })
}

/// Adds to a count.
#[inline(always)]
fn count(what: &Cell<u64>, more: u64) {
    what.set(what.get().wrapping_add(more));
}

impl Engine {
    /// Finds the world and joins it. Waits for no other process: who comes later finds in its rings what
    /// was sent before.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher cannot be joined, or the shared memory cannot be had.
    pub fn start(settings: &Settings) -> Result<Engine> {
        let mut launcher = discover()?;
        let mut net = None;
        let listen = || net.insert(Net::start()).contact();
        let mut memory = boot::node::attach(&mut *launcher, listen)?;
        let (world, abort) = (launcher.identity().clone(), launcher.abort());
        let local_size = memory.members.len();
        tuning::choose(row(settings)?);
        let node = Node::join(&memory, settings)?;
        let processes = Processes::default();
        let job = Job::named(&world.job);
        for (index, card) in (0..).zip(memory.cards()) {
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
        let ends = lost(world.index, world.size, abort);
        let everybody = (&processes, world.size, me);
        let net = match (net, memory.net.take()) {
            (Some(net), Some(known)) => {
                let (secret, contacts) = (Secret(known.secret), Some(known.contacts));
                Some(net.link(secret, contacts, everybody, ends)?)
            }
            _ => None,
        };
        let out_of_memory = move |error: &io::Error| ends(shared_memory(local_size, error).what());
        let link = node
            .link(members, world.size)
            .crowded(policy.crowded)
            .or_end(out_of_memory);
        let link = Links::new(link, net);
        let park = node.park();
        if let Some(descriptor) = link.park() {
            wait_for_network(&park, descriptor)?;
        }
        Ok(Engine {
            rank: world.index,
            size: world.size,
            local_size,
            local_rank: memory.place,
            park,
            processes,
            me,
            cpus,
            node,
            appnum: world.appnum,
            universe_size: world.universe_size,
            abort,
            proto: RefCell::new(Proto::new(link)),
            launcher: RefCell::new(launcher),
            watch: memory.watch,
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

    /// The way to the launcher.
    pub fn launcher(&self) -> RefMut<'_, Box<dyn Boot>> {
        self.launcher.borrow_mut()
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
        if let Some(watch) = &self.watch {
            watch.leave();
        }
        self.launcher.borrow_mut().finalize()
    }

    /// Tells other processes that this one has nothing more to say, unless it sends something all the same.
    pub fn say_goodbye(&self) {
        self.proto.borrow_mut().leave();
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
    #[inline]
    pub fn proto(&self) -> RefMut<'_, Proto<Links>> {
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
    pub fn patience(&self) -> Patience {
        self.wait_state.begins(park::woken());
        Patience::new(&self.wait_state)
    }

    // --- what wants to hear of completions ----------------------------------------------------------

    /// Moves every message that can move. Says whether any has, and whether operations have ended since the last
    /// call, here or elsewhere: whatever is sent makes room for what waited before it.
    #[inline(always)]
    pub fn move_messages(&self) -> (bool, bool) {
        let (moved, ended) = {
            let mut proto = self.proto.borrow_mut();
            let moved = proto.progress();
            (moved, proto.completions())
        };
        let news = ended != self.told.get();
        if news {
            self.told.set(ended);
        }
        (moved, news)
    }

    /// Whether [`move_messages`](Self::move_messages) would find nothing.
    #[inline(always)]
    pub fn is_idle(&self) -> bool {
        let mut proto = self.proto.borrow_mut();
        proto.link_mut().tested();
        proto.is_idle() && proto.completions() == self.told.get()
    }

    /// How many operations have ended so far.
    #[inline(always)]
    pub fn completions(&self) -> u64 {
        self.proto.borrow().completions()
    }

    /// Whether anybody wants to hear of everything that ends.
    #[inline(always)]
    pub fn has_onlookers(&self) -> bool {
        self.onlookers.get() > 0
    }

    /// Starts a collective operation that goes on beside the application.
    pub fn start_background(&self, operation: Task) -> Rc<Background> {
        let background = Rc::new(Background::new(operation));
        self.background.borrow_mut().push(background.clone());
        self.look_on(true);
        self.poll_background();
        background
    }

    /// Lets every collective in the background go on as far as it can.
    pub fn poll_background(&self) {
        if self.background.borrow().is_empty() {
            return;
        }
        // An operation may call a user's function, which may come back here.
        let all: Vec<Rc<Background>> = self.background.borrow().clone();
        for background in &all {
            background.poll();
        }
        self.background.borrow_mut().retain(|background| {
            let done = background.done();
            if done {
                self.look_on(false);
            }
            !done
        });
    }
}

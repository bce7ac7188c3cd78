//! A world of N ranks in one thread, for tests: [`Net`] over queues with seeded delays.
//!
//! Messages of one pair never overtake each other; those of different pairs do, as the seed wills. By turns a send
//! finishes at once, a while later, or only when it is received. A receive finishes at once or a while later. So an
//! algorithm that counts on any of these fails. Time jumps from event to event; when none is left and ranks still
//! wait, the run panics and names them.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::fast_path::{FastOutcome, FastPath};
use super::hierarchy::{Division, Hierarchy};
use super::net::Net;
use super::shared::{CollSegment, Watch};
use crate::datatype::{Data, Type, basic};
use crate::error::{Error, Result, class};
use crate::proto::FlowPattern;
use crate::shm::collective;
use crate::tuning::{SMALL, Tuning};

/// A small seeded generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % limit
    }
}

enum Body {
    Packed(Vec<u8>),
    At(Data),
}

struct Message {
    body: Body,
    arrives: u64,
    depth: u32,
    /// The sender's transfer, when it waits for the receiver.
    transfer: Option<usize>,
}

struct Receive {
    data: Data,
    transfer: usize,
}

#[derive(Default)]
struct Link {
    messages: VecDeque<Message>,
    receives: VecDeque<Receive>,
    last: u64,
}

struct Transfer {
    rank: usize,
    text: &'static str,
    peer: usize,
    result: Option<Result<()>>,
    /// Of the message received.
    depth: u32,
}

enum Event {
    Arrival(usize, usize),
    Finish(usize),
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    pub messages: usize,
    pub bytes: u64,
    /// Those of them that go from one node to another, and their bytes.
    pub between_nodes: (usize, u64),
    /// Those that their receiver is to be asked for.
    pub in_turn: usize,
    /// Messages on the longest chain of messages that wait for each other.
    pub depth: u32,
}

/// Where the ranks of a simulated world run.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// The node of each rank.
    pub of: Vec<usize>,
    /// Most ranks that share a collective segment.
    pub limit: usize,
    /// Ranks of a node share memory.
    pub share: bool,
}

struct World {
    size: usize,
    nodes: Vec<usize>,
    random: Random,
    /// Receives may finish as they start. Off for seed 0, where depths are exact.
    surprises: bool,
    now: u64,
    links: HashMap<(usize, usize), Link>,
    transfers: Vec<Transfer>,
    events: BTreeMap<u64, Vec<Event>>,
    depth: Vec<u32>,
    ready: Vec<usize>,
    /// What each rank waits for in shared memory, and how many do.
    watched: Vec<Option<Watch>>,
    watching: usize,
    cost: Cost,
}

impl World {
    fn transfer(&mut self, rank: usize, text: &'static str, peer: usize) -> usize {
        self.transfers.push(Transfer {
            rank,
            text,
            peer,
            result: None,
            depth: 0,
        });
        self.transfers.len() - 1
    }

    fn at(&mut self, time: u64, event: Event) {
        self.events.entry(time).or_default().push(event);
    }

    fn finish(&mut self, transfer: usize, result: Result<()>) {
        let transfer = &mut self.transfers[transfer];
        transfer.result = Some(result);
        self.ready.push(transfer.rank);
    }

    /// Matches what can be matched between two ranks now.
    fn deliver(&mut self, from: usize, to: usize) {
        loop {
            let link = self.links.entry((from, to)).or_default();
            let arrived = link
                .messages
                .front()
                .is_some_and(|message| message.arrives <= self.now);
            if !arrived || link.receives.is_empty() {
                return;
            }
            let (Some(message), Some(receive)) =
                (link.messages.pop_front(), link.receives.pop_front())
            else {
                return;
            };
            let packed = match message.body {
                Body::Packed(packed) => packed,
                Body::At(data) => pack(&data),
            };
            receive.data.unpack(0, &packed);
            self.transfers[receive.transfer].depth = message.depth;
            self.cost.depth = self.cost.depth.max(message.depth);
            let expected = receive.data.bytes() as usize;
            let class = match packed.len().cmp(&expected) {
                Ordering::Equal => None,
                Ordering::Less => Some(class::OTHER),
                Ordering::Greater => Some(class::TRUNCATE),
            };
            let what = format!("{} bytes where {expected} are expected", packed.len());
            let result = class.map_or(Ok(()), |class| Err(Error::new(class, what)));
            self.finish(receive.transfer, result);
            if let Some(transfer) = message.transfer {
                let time = self.now + self.random.below(3);
                self.at(time, Event::Finish(transfer));
            }
        }
    }
}

fn pack(data: &Data) -> Vec<u8> {
    let mut packed = vec![0; data.bytes() as usize];
    data.pack(0, &mut packed);
    packed
}

/// One rank's end of the simulated world.
#[derive(Clone)]
pub struct SimNet {
    world: Rc<RefCell<World>>,
    rank: usize,
    size: usize,
    byte: Rc<Type>,
    coll_segment: Option<Rc<CollSegment>>,
    hierarchy: Option<Rc<Hierarchy>>,
}

impl SimNet {
    /// Whether the operation could be done at once, which some ranks do not even try. For algorithms on shared
    /// memory, as what a blocking call does before it waits.
    pub fn attempt(
        &self,
        shared: bool,
        operation: impl FnOnce(&FastPath<'_>) -> FastOutcome,
    ) -> bool {
        let tries = shared && self.world.borrow_mut().random.below(3) > 0;
        let coll_segment = self.coll_segment.as_ref().filter(|_| tries);
        coll_segment
            .is_some_and(|coll_segment| operation(&FastPath::new(coll_segment, 1)).is_some())
    }
}

impl Net for SimNet {
    type Pending = usize;

    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn isend(&self, data: Data, to: usize) -> Result<Option<usize>> {
        assert!(to < self.size, "rank {} sends to {to}", self.rank);
        let world = &mut *self.world.borrow_mut();
        world.cost.messages += 1;
        world.cost.bytes += data.bytes();
        if world.nodes[self.rank] != world.nodes[to] {
            world.cost.between_nodes.0 += 1;
            world.cost.between_nodes.1 += data.bytes();
        }
        let arrives = world.now + world.random.below(8);
        let (body, transfer) = match world.random.below(3) {
            0 => (Body::Packed(pack(&data)), None),
            1 => {
                let transfer = world.transfer(self.rank, "sending to", to);
                let time = world.now + world.random.below(8);
                world.at(time, Event::Finish(transfer));
                (Body::Packed(pack(&data)), Some(transfer))
            }
            _ => {
                let transfer = world.transfer(self.rank, "sending to", to);
                (Body::At(data), Some(transfer))
            }
        };
        let waits = matches!(body, Body::At(_));
        let link = world.links.entry((self.rank, to)).or_default();
        let arrives = arrives.max(link.last);
        link.last = arrives;
        link.messages.push_back(Message {
            body,
            arrives,
            depth: world.depth[self.rank] + 1,
            transfer: transfer.filter(|_| waits),
        });
        world.at(arrives, Event::Arrival(self.rank, to));
        Ok(transfer)
    }

    fn stream(&self, data: Data, to: usize, stream: FlowPattern) -> Result<Option<usize>> {
        self.world.borrow_mut().cost.in_turn += usize::from(stream == FlowPattern::InTurn);
        self.isend(data, to)
    }

    fn irecv(&self, data: Data, from: usize) -> Result<Option<usize>> {
        assert!(from < self.size, "rank {} receives from {from}", self.rank);
        let world = &mut *self.world.borrow_mut();
        let transfer = world.transfer(self.rank, "receiving from", from);
        let link = world.links.entry((from, self.rank)).or_default();
        link.receives.push_back(Receive { data, transfer });
        if world.surprises && world.random.below(2) == 0 {
            world.deliver(from, self.rank);
            if let Some(result) = world.transfers[transfer].result.clone() {
                return result.map(|()| None);
            }
            return Ok(Some(transfer));
        }
        let time = world.now;
        world.at(time, Event::Arrival(from, self.rank));
        Ok(Some(transfer))
    }

    fn poll(&self, pending: usize) -> Result<bool> {
        let world = &mut *self.world.borrow_mut();
        let transfer = &world.transfers[pending];
        let Some(result) = transfer.result.clone() else {
            return Ok(false);
        };
        // Only what a rank has waited for comes before what it sends from here on.
        world.depth[self.rank] = world.depth[self.rank].max(transfer.depth);
        result.map(|()| true)
    }

    fn byte(&self) -> &Rc<Type> {
        &self.byte
    }

    fn coll_segment(&self) -> Option<&CollSegment> {
        self.coll_segment.as_deref()
    }

    fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_deref()
    }

    fn watch(&self, watch: Watch) {
        let world = &mut *self.world.borrow_mut();
        let before = world.watched[self.rank].replace(watch);
        world.watching += usize::from(before.is_none());
    }
}

/// The row of the tuning that a simulation with this seed has.
pub fn row(seed: u64) -> &'static Tuning {
    &SMALL[(seed / 2 + seed / 6) as usize % SMALL.len()]
}

/// Runs `body` on every rank to its end; returns what each returned, and the cost. All ranks share one collective segment.
///
/// # Panics
/// When ranks wait and nothing can happen any more, and when messages are left over.
pub fn simulate<T, F>(size: usize, seed: u64, body: impl FnMut(SimNet) -> F) -> (Vec<T>, Cost)
where
    F: Future<Output = T>,
{
    let nodes = Nodes {
        of: vec![0; size],
        limit: size,
        share: true,
    };
    simulate_on(&nodes, seed, body)
}

/// [`simulate`] on some nodes. Now and then the ranks of a group find no memory to share.
pub fn simulate_on<T, F>(
    nodes: &Nodes,
    seed: u64,
    mut body: impl FnMut(SimNet) -> F,
) -> (Vec<T>, Cost)
where
    F: Future<Output = T>,
{
    let size = nodes.of.len();
    let world = Rc::new(RefCell::new(World {
        size,
        nodes: nodes.of.clone(),
        random: Random(seed),
        surprises: seed != 0,
        now: 0,
        links: HashMap::new(),
        transfers: Vec::new(),
        events: BTreeMap::new(),
        depth: vec![0; size],
        ready: (0..size).collect(),
        watched: vec![None; size],
        watching: 0,
        cost: Cost::default(),
    }));
    let byte = Type::predefined(basic::MPI_BYTE).expect("MPI_BYTE is predefined");
    // By turns nobody offers its memory, all do, and some are refused; there are more ranks than cores, or not.
    let reaches = |me: usize, other: usize| match seed % 3 {
        0 => false,
        1 => true,
        _ => (me + other + seed as usize) % 4 != 1,
    };
    // Some of those who could copy know that they had better not.
    let streams = |me: usize| seed % 5 > 2 && (me as u64 + seed) % 5 > 1;
    // Each row of the tuning with each of these.
    let mut member_slots = 0;
    let mut coll_segments = |members: usize| {
        let taken = member_slots..member_slots + members;
        member_slots = taken.end;
        collective::simulated(taken, seed % 2 == 1, reaches, streams, row(seed))
    };
    let division = Division::new(&nodes.of, |_| nodes.limit);
    let seen_by = |rank| Some(division.as_ref()?.seen_by(rank));
    let hierarchies: Vec<Option<Hierarchy>> = (0..size).map(seen_by).collect();
    let mut shared: HashMap<Vec<usize>, Vec<Option<CollSegment>>> = HashMap::new();
    let one = nodes.of.iter().all(|node| *node == nodes.of[0]) && hierarchies[0].is_none();
    let one = one && nodes.share;
    let mut all: Vec<Option<CollSegment>> = match one {
        true => coll_segments(size).into_iter().map(Some).collect(),
        false => (0..size).map(|_| None).collect(),
    };
    let mut nets = Vec::new();
    for (rank, mut hierarchy) in hierarchies.into_iter().enumerate() {
        if let Some(hierarchy) = &mut hierarchy {
            for level in 0..hierarchy.levels() {
                let ranks = hierarchy.group(level).ranks();
                let lacks = seed > 0 && (seed as usize + ranks[0]) % 5 == 4;
                if lacks || !nodes.share || !hierarchy.group(level).on_node {
                    continue;
                }
                let member = ranks.iter().position(|member| *member == rank);
                let members = ranks.len();
                let group = shared
                    .entry(ranks.to_vec())
                    .or_insert_with(|| coll_segments(members).into_iter().map(Some).collect());
                hierarchy.share(level, group[member.expect("a member")].take());
            }
        }
        nets.push(Some(SimNet {
            world: world.clone(),
            rank,
            size,
            byte: byte.clone(),
            coll_segment: all[rank].take().map(Rc::new),
            hierarchy: hierarchy.map(Rc::new),
        }));
    }
    let mut net = |rank: usize| nets[rank].take().expect("each rank begins once");
    let mut futures: Vec<Option<Pin<Box<F>>>> = (0..size)
        .map(|rank| Some(Box::pin(body(net(rank)))))
        .collect();
    let mut results: Vec<Option<T>> = (0..size).map(|_| None).collect();
    let mut context = Context::from_waker(Waker::noop());
    loop {
        let next = {
            let world = &mut *world.borrow_mut();
            world.look();
            match world.ready.len() as u64 {
                0 => None,
                ready => {
                    let index = world.random.below(ready) as usize;
                    Some(world.ready.swap_remove(index))
                }
            }
        };
        if let Some(rank) = next {
            if let Some(future) = &mut futures[rank]
                && let Poll::Ready(result) = future.as_mut().poll(&mut context)
            {
                results[rank] = Some(result);
                futures[rank] = None;
            }
            continue;
        }
        let world = &mut *world.borrow_mut();
        let Some((time, events)) = world.events.pop_first() else {
            break;
        };
        world.now = world.now.max(time);
        for event in events {
            match event {
                Event::Arrival(from, to) => world.deliver(from, to),
                Event::Finish(transfer) => world.finish(transfer, Ok(())),
            }
        }
    }
    let world = world.borrow();
    let stuck = (0..size).filter(|rank| results[*rank].is_none());
    let stuck: Vec<String> = stuck.map(|rank| world.waits(rank)).collect();
    assert!(
        stuck.is_empty(),
        "no progress (seed {seed}): {}",
        stuck.join("; ")
    );
    for ((from, to), link) in &world.links {
        let (messages, receives) = (link.messages.len(), link.receives.len());
        assert!(
            messages + receives == 0,
            "{messages} messages and {receives} receives from {from} to {to} are left (seed {seed})"
        );
    }
    (results.into_iter().flatten().collect(), world.cost)
}

impl World {
    /// Ranks whose watches have come true can go on.
    fn look(&mut self) {
        if self.watching == 0 {
            return;
        }
        for (rank, watched) in self.watched.iter_mut().enumerate() {
            if watched.is_some_and(Watch::ready) {
                *watched = None;
                self.watching -= 1;
                self.ready.push(rank);
            }
        }
    }

    /// What a rank waits for, in words.
    fn waits(&self, rank: usize) -> String {
        let open = self
            .transfers
            .iter()
            .filter(|transfer| transfer.rank == rank && transfer.result.is_none());
        let mut open: Vec<String> = open
            .map(|transfer| format!("{} {}", transfer.text, transfer.peer))
            .collect();
        if self.watched[rank].is_some() {
            open.push("watching shared memory".into());
        }
        format!("rank {rank} of {} is {}", self.size, open.join(", "))
    }
}

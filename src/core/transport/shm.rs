//! Frames through the rings of a shared segment, to oneself too.
//!
//! A link to a peer comes into being with the first frame; the peer learns of it by its doorbell and polls
//! the ring from then on.

use std::io;
use std::time::Instant;

use super::{End, HURRIED, Load, Pace, Passed, Port, ProcId, Sink, Way};
use crate::datatype::{Span, Stores};
use crate::park::Waker;
use crate::shm::Segment;
use crate::shm::claims::Claim;
use crate::shm::direct::{Memory, Reach};
use crate::shm::distance::{Between, Distance};
use crate::shm::ring::{By, Consumer, Fill, Head, Picker, Producer, Reported, Short};
use crate::shm::stores::Rule;
use crate::shm::trials::{AllSeen, CLASSES, Hurry, Situation, class_of, is_watched};

pub use crate::shm::trials::{Direct, Learning, Measure};

/// Frames taken from one ring before the next has its turn.
const BURST: usize = 64;

/// Longest message that leaves at once where ranks share cores, but for those one way that nobody copies from where they lie: with
/// 256 KiB a gather of that was faster (4 ranks on 2 cores, 39 and 28 us), an all-to-all slower (119, 130).
pub const CROWDED: u64 = 128 << 10;
/// Longest message that its receiver alone copies from a heap that it has mapped: asking for help takes longer.
const ALONE: u64 = 32 << 10;

struct Outgoing {
    producer: Producer<'static>,
    waker: Waker,
    memory: Reach,
}

impl Outgoing {
    /// Wakes the peer if `publish` has put a frame into the ring, as it says.
    #[inline(always)]
    fn publish(&mut self, publish: impl FnOnce(&mut Producer<'static>) -> bool) -> bool {
        let done = publish(&mut self.producer);
        if done {
            self.waker.notify();
        }
        done
    }
}

/// A message under way that is timed.
struct Trial {
    distance: Distance,
    class: usize,
    situation: Situation,
    direct: Direct,
    bytes: u64,
    switches: u64,
    start: Instant,
}

struct Incoming {
    from: ProcId,
    consumer: Consumer<'static>,
    waker: Waker,
    congested: bool,
}

impl Incoming {
    /// There is room again, for which the sender may wait.
    #[inline]
    fn report(&mut self) {
        self.waker.notify();
    }
}

/// The processes of one node, through shared memory.
pub struct Shm {
    segment: Segment,
    outgoing: Vec<Option<Outgoing>>,
    incoming: Vec<Incoming>,
    /// Where in `incoming` a peer is; beyond its end if it has not called.
    known: Vec<u32>,
    bells: u32,
    direct: Direct,
    /// There are more processes than cores: who waits for a receiver waits for its turn on a core.
    crowded: bool,
    stores: Rule,
    learning: Learning,
    /// How far each process is.
    between: Vec<Between>,
    /// How far the sender was of the latest message that asked for a way.
    latest: Distance,
    seen: AllSeen,
    hurry: [Hurry; CLASSES],
    /// Which of those that are watched leave eagerly while they are not known to meet any.
    watch: Hurry,
    trial: Option<Trial>,
    /// Ends the job where a process cannot be met.
    apart: Box<dyn Fn(&io::Error)>,
}

impl Shm {
    /// The most that `direct` allows is done, or the fastest of it that is learned.
    pub fn new(segment: Segment, direct: Direct, learning: Learning) -> Shm {
        let processes = segment.processes();
        Shm {
            between: (0..processes).map(|_| Between::stranger()).collect(),
            apart: Box::new(|error| panic!("{error}")),
            segment,
            outgoing: (0..processes).map(|_| None).collect(),
            incoming: Vec::new(),
            known: vec![u32::MAX; processes],
            bells: 0,
            direct,
            crowded: false,
            stores: Rule::Always(Stores::Temporal),
            learning,
            latest: Distance::default(),
            seen: Default::default(),
            hurry: Default::default(),
            watch: Hurry::of_watched(),
            trial: None,
        }
    }

    /// Says whether there are more processes than cores.
    pub fn crowded(self, crowded: bool) -> Shm {
        Shm { crowded, ..self }
    }

    /// Says which stores write longer bodies.
    pub fn stores(self, stores: Rule) -> Shm {
        Shm { stores, ..self }
    }

    /// Says what ends the job, and this process with it, where the rings between this process and another one cannot be mapped. No call can
    /// return that: it may be the other one that wants to talk.
    pub fn or_end(self, apart: impl Fn(&io::Error) + 'static) -> Shm {
        Shm {
            apart: Box::new(apart),
            ..self
        }
    }

    /// Maps what is between this process and one that it has not talked to yet.
    fn meet(&mut self, peer: usize) {
        if let Err(error) = self.segment.meet(peer) {
            (self.apart)(&error);
            unreachable!("the job has ended");
        }
        self.between[peer] = Between::new(&self.segment, peer);
    }

    /// How far a process is. Asked for with a message of so many bytes.
    #[inline]
    fn distance(&self, to: ProcId, bytes: u64) -> Distance {
        self.between[to.0 as usize].distance(bytes)
    }

    /// Whether the next message of a class leaves at once by what is known.
    fn hurries_by_trials(
        &mut self,
        to: ProcId,
        class: usize,
        situation: Option<Situation>,
    ) -> bool {
        self.link(to);
        let trials = self.learning.trials(&self.segment, self.distance(to, 0));
        let run = situation.and_then(|situation| trials.eager_run(class, situation));
        self.hurry[class].next(run)
    }

    /// Whether the next message that is [watched](is_watched) may be announced: in an exchange, or to hear whether it is in one.
    fn watches(&mut self, situation: Option<Situation>) -> bool {
        self.learning.measure == Measure::Yes
            && (situation == Some(Situation::Exchange) || !self.watch.next_watched())
    }

    /// What has been found the fastest for a message, or is to be tried with it, and whether to time it.
    fn learned(&mut self, from: ProcId, bytes: u64, load: Load) -> (Direct, bool) {
        let distance = self.distance(from, bytes);
        self.latest = distance;
        let trials = self.learning.trials(&self.segment, distance);
        let (class, situation) = (class_of(bytes), load.situation());
        if load == Load::Exchanges {
            return (trials.best(class, situation), false);
        }
        let seen = &mut self.seen[distance as usize][class][situation as usize];
        let (direct, timed) = trials.next(class, situation, seen);
        if timed && load != Load::Some {
            self.trial = Some(Trial {
                distance,
                class,
                situation,
                direct,
                bytes,
                switches: (self.learning.switches)(),
                start: Instant::now(),
            });
        }
        (direct, timed)
    }

    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    #[inline(always)]
    fn link(&mut self, to: ProcId) -> &mut Outgoing {
        let index = to.0 as usize;
        if self.outgoing[index].is_none() {
            self.open(index);
        }
        self.outgoing[index].as_mut().expect("opened above")
    }

    /// The link to a process, with all shuttles that have come from there.
    #[inline(always)]
    fn with_shuttles(&mut self, to: ProcId) -> &mut Outgoing {
        let index = to.0 as usize;
        if self.outgoing[index].is_none() {
            self.open(index);
        }
        let link = self.outgoing[index].as_mut().expect("opened above");
        let known = self.known[index] as usize;
        if let Some(incoming) = self.incoming.get_mut(known) {
            link.producer.add_shuttles(incoming.consumer.shuttles());
        }
        link
    }

    #[cold]
    fn open(&mut self, peer: usize) {
        if self.known[peer] == u32::MAX {
            self.meet(peer);
        }
        self.outgoing[peer] = Some(Outgoing {
            producer: Producer::new(
                self.segment.outgoing(peer),
                self.segment.incoming(peer),
                self.stores,
            ),
            waker: self.segment.waker(peer),
            memory: Reach::Unknown,
        });
        self.segment.ring_bell(peer);
    }

    /// The memory of `peer`, once [`reaches`](Port::reaches) has looked at it.
    fn memory(&self, peer: ProcId) -> Option<Memory> {
        match self.outgoing[peer.0 as usize].as_ref()?.memory {
            Reach::Known(memory) => Some(memory),
            Reach::Unknown => None,
        }
    }

    /// Whether these bytes of this process lie where others may map them.
    #[inline]
    fn shows(&self, address: u64, bytes: u64) -> bool {
        self.segment.is_shown(address, bytes)
    }

    /// Whether these bytes of `peer` are mapped here.
    fn maps(&self, peer: ProcId, address: u64, bytes: u64) -> bool {
        let memory = self.memory(peer);
        memory.is_some_and(|memory| memory.is_mapped(address, bytes))
    }

    /// Whether the sender of a message should copy a part of it: `bytes` bytes at `theirs` in its memory, to `ours`
    /// in this process's.
    fn shares(&self, peer: ProcId, theirs: u64, ours: u64, bytes: u64) -> bool {
        if bytes <= ALONE && self.maps(peer, theirs, bytes) {
            return false;
        }
        match self.direct {
            Direct::Never => self.shows(ours, bytes),
            Direct::Reads => false,
            Direct::Both => {
                self.memory(peer).is_some_and(Memory::is_open) || self.shows(ours, bytes)
            }
        }
    }

    #[cold]
    fn answer_bells(&mut self, bells: u32) {
        self.bells = bells;
        let segment = self.segment;
        for peer in segment.callers() {
            if self.known[peer] == u32::MAX {
                if self.outgoing[peer].is_none() {
                    self.meet(peer);
                }
                self.known[peer] = self.incoming.len() as u32;
                self.incoming.push(Incoming {
                    from: ProcId(peer as u32),
                    consumer: Consumer::new(
                        self.segment.incoming(peer),
                        self.segment.outgoing(peer),
                    ),
                    waker: self.segment.waker(peer),
                    congested: false,
                });
            }
        }
    }
}

impl Port for Shm {
    fn processes(&self) -> usize {
        self.outgoing.len()
    }

    fn me(&self) -> ProcId {
        ProcId(self.segment.me() as u32)
    }

    #[inline(always)]
    fn try_inline(&mut self, to: ProcId, head: Head, fill: impl FnOnce(&mut [u8])) -> bool {
        self.link(to)
            .publish(|producer| producer.try_inline(head, fill))
    }

    #[inline(always)]
    fn try_wide(&mut self, to: ProcId, head: Head, fill: impl Fn(usize, &mut [u8])) -> bool {
        self.link(to)
            .publish(|producer| producer.try_wide(head, fill))
    }

    #[inline(always)]
    fn try_short(&mut self, to: ProcId, head: Head, fill: impl FnOnce(&mut [u8])) -> bool {
        self.link(to)
            .publish(|producer| producer.try_short(head, fill))
    }

    #[inline]
    fn try_body(
        &mut self,
        to: ProcId,
        head: Head,
        body: (usize, By),
        inline: impl FnOnce(&mut [u8]),
        fill: impl Fill,
    ) -> bool {
        self.link(to)
            .publish(|producer| producer.try_body(head, body, inline, fill))
    }

    #[inline(always)]
    fn try_shuttle(
        &mut self,
        to: ProcId,
        head: Head,
        (len, short): (usize, Short),
        inline: impl FnOnce(&mut [u8]),
        fill: impl Fill,
    ) -> Option<bool> {
        let link = self.with_shuttles(to);
        if !link.producer.has_shuttle(short) {
            return None;
        }
        Some(link.publish(|producer| producer.try_shuttle(head, len, inline, fill)))
    }

    #[inline(always)]
    fn by(&mut self, to: ProcId, bodies: usize, more: bool) -> By {
        self.with_shuttles(to).producer.by(bodies, more)
    }

    fn put_in_order(&mut self, to: ProcId, bodies: usize) {
        self.link(to).producer.put_in_order(bodies);
    }

    #[inline]
    fn together(&mut self, to: ProcId) -> usize {
        self.link(to).producer.together()
    }

    #[inline]
    fn is_distant(&self, to: ProcId) -> bool {
        self.distance(to, 0) == Distance::Far
    }

    fn pace(&mut self, to: ProcId, bodies: usize) -> Option<Pace> {
        // Where processes share a core each turn costs a change.
        let shuttles = (!self.crowded).then(|| self.link(to).producer.shuttles());
        Pace::of(bodies, shuttles?)
    }

    fn return_to_rings(&mut self, to: ProcId) {
        self.link(to).producer.compare_stores();
    }

    #[inline]
    fn has_room(&mut self, to: ProcId, frames: usize, bytes: usize) -> bool {
        self.link(to).producer.has_room(frames, bytes)
    }

    fn congested(&self, to: ProcId) -> bool {
        self.outgoing[to.0 as usize]
            .as_ref()
            .is_some_and(|link| link.producer.congested())
    }

    fn reaches(&mut self, peer: ProcId, end: End, address: u64, bytes: u64) -> bool {
        let (segment, system) = (self.segment, self.direct != Direct::Never);
        let link = self.link(peer);
        if let Reach::Unknown = link.memory {
            link.memory = segment.reach(peer.0 as usize, system);
        }
        match (end, link.memory) {
            // Only the receiver has to reach the other one, and it asks again.
            (End::Sender, Reach::Unknown) => system || segment.is_shown(address, bytes),
            (End::Sender, Reach::Known(memory)) => {
                memory.is_open() || segment.is_shown(address, bytes)
            }
            (End::Receiver, Reach::Unknown) => false,
            (End::Receiver, Reach::Known(memory)) => memory.reaches(address, bytes),
        }
    }

    #[inline]
    fn lends(&self, address: u64, bytes: u64) -> bool {
        !self.crowded && self.shows(address, bytes)
    }

    fn hurries(
        &mut self,
        to: ProcId,
        address: u64,
        bytes: u64,
        situation: Option<Situation>,
    ) -> bool {
        let watched = is_watched(bytes);
        if watched && !self.watches(situation) {
            return true;
        }
        // A ring holds two such messages.
        if bytes > HURRIED.min(self.segment.ring_bytes() / 2) {
            if self.learning.measure == Measure::Yes {
                // For the receiver, who chooses the way: it times lines that this side has written.
                self.link(to);
                self.distance(to, bytes);
            }
            return false;
        }
        if self.learning.measure == Measure::Crowded {
            return bytes <= CROWDED || address == 0 && situation != Some(Situation::Exchange);
        }
        let class = class_of(bytes);
        let hurries = self.hurry[class].goes_on()
            || address == 0
            || (self.learning.measure == Measure::Yes
                && self.hurries_by_trials(to, class, situation))
            || !self.reaches(to, End::Sender, address, bytes);
        if watched && hurries {
            // Whoever takes it does not count it.
            let seen = &mut self.seen[self.latest as usize][class];
            seen[Situation::Exchange as usize].skip(Situation::Exchange, 1);
        }
        hurries
    }

    fn meets_announced(&mut self, bytes: u64) -> bool {
        if is_watched(bytes) {
            self.watch.meets_announced();
        }
        self.hurry[class_of(bytes)].meets_announced()
    }

    fn hurried(&mut self, messages: [u32; CLASSES]) {
        let seen = &mut self.seen[self.latest as usize];
        for (seen, messages) in seen.iter_mut().zip(messages) {
            for situation in Situation::MESSAGES.into_iter().filter(|_| messages > 0) {
                seen[situation as usize].skip(situation, messages);
            }
        }
    }

    fn way(&mut self, from: ProcId, ends: [u64; 2], bytes: u64, load: Load) -> Way {
        let [theirs, ours] = ends;
        let (mut direct, mut timed) = (Direct::Never, false);
        if self.reaches(from, End::Receiver, theirs, bytes) {
            let situation = load.situation();
            direct = match self.learning.measure {
                Measure::No => situation.usual(),
                // What is learned is not about memory that is mapped.
                _ if self.maps(from, theirs, bytes) || self.shows(ours, bytes) => situation.usual(),
                Measure::Crowded => match bytes <= self.segment.ring_bytes() {
                    true => Direct::Never,
                    false => situation.usual(),
                },
                Measure::Yes => {
                    let direct;
                    (direct, timed) = self.learned(from, bytes, load);
                    direct
                }
            };
            if direct == Direct::Both && !self.shares(from, theirs, ours, bytes) {
                direct = Direct::Reads;
            }
        }
        Way { direct, timed }
    }

    fn timed(&mut self, end: Instant, shared: bool) {
        let Some(trial) = self.trial.take() else {
            return;
        };
        let nanoseconds = end.duration_since(trial.start).as_nanos() as u64;
        // If somebody else has had the processor, or a sender that was to help was away, the time says nothing.
        let disturbed = (self.learning.switches)() != trial.switches;
        if !disturbed && (trial.direct != Direct::Both || shared) {
            let seen = &mut self.seen[trial.distance as usize][trial.class];
            seen[trial.situation as usize].record(trial.bytes, nanoseconds);
        }
    }

    fn passed(&mut self, passed: Passed) {
        let class = class_of(passed.bytes);
        let seen = &mut self.seen[self.latest as usize][class][Situation::Several as usize];
        if seen.uses(Situation::Several) == passed.direct {
            seen.record(passed.bytes, passed.nanoseconds);
        }
    }

    fn read(&self, from: ProcId, address: u64, to: Span) -> bool {
        self.memory(from)
            .is_some_and(|memory| memory.read(address, to))
    }

    fn read_together(
        &self,
        from: ProcId,
        parts: impl ExactSizeIterator<Item = (u64, Span)>,
    ) -> bool {
        self.memory(from)
            .is_some_and(|memory| memory.read_together(parts))
    }

    fn write(&self, to: ProcId, address: u64, from: Span) -> bool {
        self.memory(to)
            .is_some_and(|memory| memory.write(address, from))
    }

    fn open_claim(&self, from: ProcId, claim: Claim) {
        let ring = self.segment.incoming(from.0 as usize);
        ring.claims().open(claim);
    }

    fn take_chunk(&self, peer: ProcId, end: End, claim: Claim, chunks: u32) -> Option<u32> {
        let peer = peer.0 as usize;
        let ring = match end {
            End::Sender => self.segment.outgoing(peer),
            End::Receiver => self.segment.incoming(peer),
        };
        ring.claims().take(claim, chunks)
    }

    #[inline]
    fn poll(&mut self, sink: &mut impl Sink) -> usize {
        let bells = self.segment.bells();
        if bells != self.bells {
            self.answer_bells(bells);
        }
        let mut frames = 0;
        for incoming in &mut self.incoming {
            let from = incoming.from;
            let mut burst = 0;
            while burst < BURST {
                let popped = incoming
                    .consumer
                    .pop(|head, inline, body| sink.frame(from, head, inline, body));
                match popped {
                    None => break,
                    Some(Reported::Yes) => {
                        incoming.report();
                    }
                    Some(Reported::No) => (),
                }
                burst += 1;
                if sink.enough() {
                    break;
                }
            }
            if burst > 0 {
                frames += burst;
                let congested = sink.congested(from, incoming.congested);
                if congested != incoming.congested {
                    incoming.congested = congested;
                    incoming.consumer.set_congested(congested);
                }
            }
        }
        frames
    }

    #[inline(always)]
    fn take_one<K: Picker>(
        &mut self,
        from: ProcId,
        looks: u32,
        picker: &K,
    ) -> Option<(K::Picked, bool)> {
        let index = self.known[from.0 as usize] as usize;
        let incoming = self.incoming.get_mut(index)?;
        let (picked, reported) = incoming.consumer.pop_for(looks, picker)?;
        if reported == Reported::Yes {
            incoming.report();
        }
        Some((picked, reported == Reported::Yes))
    }

    #[inline(always)]
    fn pending(&self) -> bool {
        self.segment.bells() != self.bells
            || self
                .incoming
                .iter()
                .any(|incoming| incoming.consumer.ready())
    }

    fn frames(&self) -> (u64, u64) {
        let sent = self.outgoing.iter().flatten().map(|o| o.producer.frames());
        let received = self.incoming.iter().map(|i| i.consumer.frames());
        (sent.sum(), received.sum())
    }

    fn peers(&self) -> u64 {
        self.outgoing.iter().flatten().count() as u64
    }
}

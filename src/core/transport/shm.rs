//! Frames through the rings of a shared segment, to oneself too.
//!
//! A link to a peer comes into being with the first frame; the peer learns of it by its doorbell and polls
//! the ring from then on.

use std::io;

use super::{End, Load, Pace, Port, ProcId, Sink};
use crate::datatype::Span;
use crate::park::Waker;
use crate::shm::Segment;
use crate::shm::claims::Claim;
use crate::shm::direct::{Memory, Reach};
use crate::shm::ring::{BodyWriter, By, Consumer, Head, Picker, Producer, Reported, Short};
use crate::shm::zero_copy::Limits;
use crate::tuning::{self, Tuning};

pub use crate::shm::zero_copy::Direct;

/// Frames taken from one ring before the next has its turn.
const BURST: usize = 64;

/// Longest message that leaves at once where ranks share cores: to ask for a message takes a change of process each way.
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
    /// What still goes through shared memory.
    limits: &'static Limits,
    tuning: &'static Tuning,
    /// Ends the job where a process cannot be met.
    apart: Box<dyn Fn(&io::Error)>,
}

impl Shm {
    /// What is longer than `limits` is copied from where it lies, as far as `direct` allows.
    pub fn new(segment: Segment, direct: Direct, limits: &'static Limits) -> Shm {
        let processes = segment.processes();
        Shm {
            apart: Box::new(|error| panic!("{error}")),
            segment,
            outgoing: (0..processes).map(|_| None).collect(),
            incoming: Vec::new(),
            known: vec![u32::MAX; processes],
            bells: 0,
            direct,
            crowded: false,
            limits,
            tuning: tuning::current(),
        }
    }

    /// Says whether there are more processes than cores.
    pub fn crowded(self, crowded: bool) -> Shm {
        Shm { crowded, ..self }
    }

    /// Takes another row of the tuning than the current one.
    #[cfg(test)]
    pub fn tuned(self, tuning: &'static Tuning) -> Shm {
        Shm { tuning, ..self }
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

    /// The link to a process, with all exchange buffers that have come from there.
    #[inline(always)]
    fn with_exchange_buffers(&mut self, to: ProcId) -> &mut Outgoing {
        let index = to.0 as usize;
        if self.outgoing[index].is_none() {
            self.open(index);
        }
        let link = self.outgoing[index].as_mut().expect("opened above");
        let known = self.known[index] as usize;
        if let Some(incoming) = self.incoming.get_mut(known) {
            link.producer
                .add_exchange_buffers(incoming.consumer.exchange_buffers());
        }
        link
    }

    #[cold]
    fn open(&mut self, peer: usize) {
        if self.known[peer] == u32::MAX {
            self.meet(peer);
        }
        self.outgoing[peer] = Some(Outgoing {
            producer: self.segment.producer(peer, self.tuning),
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
                    consumer: self.segment.consumer(peer),
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
        fill: impl BodyWriter,
    ) -> bool {
        self.link(to)
            .publish(|producer| producer.try_body(head, body, inline, fill))
    }

    #[inline(always)]
    fn try_exchange_buffer(
        &mut self,
        to: ProcId,
        head: Head,
        (len, short): (usize, Short),
        inline: impl FnOnce(&mut [u8]),
        fill: impl BodyWriter,
    ) -> Option<bool> {
        let link = self.with_exchange_buffers(to);
        if !link.producer.has_exchange_buffer(short) {
            return None;
        }
        Some(link.publish(|producer| producer.try_exchange_buffer(head, len, inline, fill)))
    }

    #[inline(always)]
    fn by(&mut self, to: ProcId, bodies: usize) -> By {
        self.with_exchange_buffers(to).producer.by(bodies)
    }

    fn put_in_order(&mut self, to: ProcId, bodies: usize) {
        self.link(to).producer.put_in_order(bodies);
    }

    #[inline]
    fn together(&mut self, to: ProcId) -> usize {
        self.link(to).producer.together()
    }

    #[inline(always)]
    fn tuning(&self) -> &'static Tuning {
        self.tuning
    }

    fn pace(&mut self, to: ProcId, bodies: usize) -> Option<Pace> {
        // Where processes share a core each turn costs a change.
        let exchange_buffers = (!self.crowded).then(|| self.link(to).producer.exchange_buffers());
        Pace::of(bodies, exchange_buffers?, self.tuning)
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

    fn eager_limit(&self) -> u64 {
        match self.crowded {
            true => CROWDED,
            false => self.limits.eager,
        }
    }

    fn eager_most(&mut self, to: ProcId) -> u64 {
        // There is room for two such messages.
        self.link(to).producer.bytes_in_use() as u64 / 2
    }

    fn way(&mut self, from: ProcId, ends: [u64; 2], bytes: u64, load: Load) -> Direct {
        let [theirs, ours] = ends;
        if !self.reaches(from, End::Receiver, theirs, bytes) {
            return Direct::Never;
        }
        // What is mapped needs no call of the system.
        let mapped = self.maps(from, theirs, bytes) || self.shows(ours, bytes);
        let limit = match (mapped, self.crowded) {
            (true, _) => 0,
            (false, true) => self.segment.ring_bytes(),
            (false, false) => self.limits.of_messages(load),
        };
        match load.direct() {
            _ if bytes <= limit => Direct::Never,
            Direct::Both if !self.shares(from, theirs, ours, bytes) => Direct::Reads,
            direct => direct,
        }
    }

    fn read(&self, from: ProcId, address: u64, to: Span<'_>) -> bool {
        self.memory(from)
            .is_some_and(|memory| memory.read(address, to))
    }

    fn read_together<'s>(
        &self,
        from: ProcId,
        parts: impl ExactSizeIterator<Item = (u64, Span<'s>)>,
    ) -> bool {
        self.memory(from)
            .is_some_and(|memory| memory.read_together(parts))
    }

    fn write(&self, to: ProcId, address: u64, from: Span<'_>) -> bool {
        self.memory(to)
            .is_some_and(|memory| memory.write(address, from))
    }

    fn open_claim(&self, from: ProcId, claim: Claim) {
        self.segment.claims_from(from.0 as usize).open(claim);
    }

    fn take_chunk(&self, peer: ProcId, end: End, claim: Claim, chunks: u32) -> Option<u32> {
        let peer = peer.0 as usize;
        let claims = match end {
            End::Sender => self.segment.claims_to(peer),
            End::Receiver => self.segment.claims_from(peer),
        };
        claims.take(claim, chunks)
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

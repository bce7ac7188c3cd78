//! The link of the processes of one node, to oneself too: frames through the rings of a segment that they share.
//!
//! The rings between two processes come into use with the first frame. The peer learns of that by its doorbell and
//! polls its ring from then on. Short messages lie in slots, longer ones beside them or in exchange buffers
//! ([`whole`], [`stream`]). Long data is copied from where it lies, by its receiver or by both ends, if that is faster and the
//! system allows it. It must not know matching, requests or communicators.

pub(crate) mod body;
mod pace;
pub(crate) mod stream;
mod whole;

use std::io;

use super::{
    Counts, End, FlowPattern, Link, OtherCopies, PULLED_TOGETHER, Part, ProcId, ReceiverActivity,
    ReceiverState, Sent, Sink, Transfer,
};
use super::{EAGER_LIMIT, EAGER_MOST};
use crate::datatype::{Data, Span};
use crate::park::Waker;
use crate::shm::Segment;
use crate::shm::claims::CLAIMS;
use crate::shm::direct::{MOST_PLACES, Memory, Reach};
use crate::shm::ring::{BodyWriter, By, Consumer, Producer, Reported, Short};
use crate::shm::zero_copy::{Direct, Limits};
use crate::tuning::{self, Tuning};
use crate::wire::{Claim, Head, INLINE, Picker};
use pace::Pace;
use whole::packing;

/// Frames taken from one ring before the next has its turn.
const BURST: usize = 64;

/// Longest message that leaves at once where ranks share cores: to ask for a message takes a change of process each way.
pub const CROWDED: u64 = 128 << 10;
/// [`EAGER_LIMIT`] for a buffer that is lent to the receiver, which will then copy the message from there.
const EAGER_LIMIT_LENT: u64 = (4 << 10) - 1;
/// Longest stream that leaves at once though its receiver is to be asked for it: asking costs two turns of a
/// shared core, and what comes before its turn a copy more.
pub(crate) const IN_TURN: u64 = 2 * EAGER_LIMIT;
const _: () = assert!(PULLED_TOGETHER <= MOST_PLACES);
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
    /// The processes by their places in the segment.
    members: Vec<ProcId>,
    /// The places of the processes; `u32::MAX` of those that do not share it.
    places: Vec<u32>,
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
    end_job: Box<dyn Fn(&io::Error)>,
}

impl Shm {
    /// A link between all `members` of a segment, by their places there, of so many processes in all. What is longer than
    /// `limits` is copied from where it lies, as far as `direct` allows.
    pub fn new(
        segment: Segment,
        (members, processes): (Vec<ProcId>, usize),
        direct: Direct,
        limits: &'static Limits,
    ) -> Shm {
        assert_eq!(members.len(), segment.processes(), "one process a place");
        let mut places = vec![u32::MAX; processes];
        for (place, member) in (0..).zip(&members) {
            places[member.0 as usize] = place;
        }
        Shm {
            members,
            places,
            end_job: Box::new(|error| panic!("{error}")),
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

    /// A link whose processes are those of the segment.
    #[cfg(test)]
    pub fn tested(segment: Segment, direct: Direct, limits: &'static Limits) -> Shm {
        let members: Vec<ProcId> = (0..segment.processes() as u32).map(ProcId).collect();
        let processes = members.len();
        Shm::new(segment, (members, processes), direct, limits)
    }

    #[cfg(test)]
    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    /// Takes another row of the tuning than the current one.
    #[cfg(test)]
    pub fn tuned(self, tuning: &'static Tuning) -> Shm {
        Shm { tuning, ..self }
    }

    /// Says what ends the job, and this process with it, where the rings between this process and another one cannot be mapped. No call can
    /// return that: it may be the other one that wants to talk.
    pub fn or_end(self, end_job: impl Fn(&io::Error) + 'static) -> Shm {
        Shm {
            end_job: Box::new(end_job),
            ..self
        }
    }

    /// Maps what is between this process and one that it has not talked to yet.
    fn meet(&mut self, place: usize) {
        if let Err(error) = self.segment.meet(place) {
            (self.end_job)(&error);
            unreachable!("the job has ended");
        }
    }

    /// From now on there is one more process, which does not share the segment.
    pub fn add_stranger(&mut self) {
        self.places.push(u32::MAX);
        self.outgoing.push(None);
        self.known.push(u32::MAX);
    }

    /// Whether a process shares the segment.
    #[inline(always)]
    pub fn shares(&self, process: ProcId) -> bool {
        self.places[process.0 as usize] != u32::MAX
    }

    /// The place of a process in the segment. Whoever sends to one that has none has chosen the wrong link.
    #[inline]
    fn place(&self, process: ProcId) -> usize {
        self.places[process.0 as usize] as usize
    }

    #[inline(always)]
    fn outgoing(&mut self, to: ProcId) -> &mut Outgoing {
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
        let place = self.places[peer] as usize;
        if self.known[peer] == u32::MAX {
            self.meet(place);
        }
        self.outgoing[peer] = Some(Outgoing {
            producer: self.segment.producer(place, self.tuning),
            waker: self.segment.waker(place),
            memory: Reach::Unknown,
        });
        self.segment.ring_bell(place);
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
    fn both_copy(&self, peer: ProcId, theirs: u64, ours: u64, bytes: u64) -> bool {
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
        for place in segment.callers() {
            let from = self.members[place];
            let peer = from.0 as usize;
            if self.known[peer] == u32::MAX {
                if self.outgoing[peer].is_none() {
                    self.meet(place);
                }
                self.known[peer] = self.incoming.len() as u32;
                self.incoming.push(Incoming {
                    from,
                    consumer: self.segment.consumer(place),
                    waker: self.segment.waker(place),
                    congested: false,
                });
            }
        }
    }

    /// Sends a frame with so many bytes of body, which travel [so](Self::by), and which `fill` writes.
    #[inline]
    pub(crate) fn try_body(
        &mut self,
        to: ProcId,
        head: Head,
        body: (usize, By),
        inline: impl FnOnce(&mut [u8]),
        fill: impl BodyWriter,
    ) -> bool {
        self.outgoing(to)
            .publish(|producer| producer.try_body(head, body, inline, fill))
    }

    /// [`try_body`](Self::try_body) of a message that is one body of `len` bytes, at most
    /// [`EXCHANGE_BUFFER`](crate::shm::exchange_buffer::EXCHANGE_BUFFER), in an exchange buffer. `None`: none is here for it;
    /// if it is `short`, all the same if many are away.
    #[inline(always)]
    fn try_exchange_buffer(
        &mut self,
        to: ProcId,
        head: Head,
        (len, short): (usize, Short),
        inline: impl FnOnce(&mut [u8]),
        fill: impl BodyWriter,
    ) -> Option<bool> {
        let outgoing = self.with_exchange_buffers(to);
        if !outgoing.producer.has_exchange_buffer(short) {
            return None;
        }
        Some(outgoing.publish(|producer| producer.try_exchange_buffer(head, len, inline, fill)))
    }

    /// How the longer bodies of a message to `to` had better travel: by exchange buffers if those are `bodies` bodies of at most
    /// [`EXCHANGE_BUFFER`](crate::shm::exchange_buffer::EXCHANGE_BUFFER) bytes. Asked once of each message, or part of one, that
    /// finds room.
    #[inline(always)]
    pub(crate) fn by(&mut self, to: ProcId, bodies: usize) -> By {
        self.with_exchange_buffers(to).producer.by(bodies)
    }

    /// The message that is about to leave by exchange buffers has so many bodies. They are to lie one behind the
    /// other, so that more of them can be [one](Self::adjoining).
    fn put_in_order(&mut self, to: ProcId, bodies: usize) {
        self.outgoing(to).producer.put_in_order(bodies);
    }

    /// Bytes that the next body may have where it travels by exchange buffers: those of one, or of several that lie together.
    #[inline]
    fn adjoining(&mut self, to: ProcId) -> usize {
        self.outgoing(to).producer.adjoining()
    }

    /// How a message of so many bodies paces another one that comes; `None`: it had better leave at once.
    pub(crate) fn pace(&mut self, to: ProcId, bodies: usize) -> Option<Pace> {
        // Where processes share a core each turn costs a change.
        let exchange_buffers =
            (!self.crowded).then(|| self.outgoing(to).producer.exchange_buffers());
        Pace::of(bodies, exchange_buffers?, self.tuning)
    }

    /// Whether `frames` frames with `bytes` bytes of body would find room now.
    #[inline]
    fn has_room(&mut self, to: ProcId, frames: usize, bytes: usize) -> bool {
        self.outgoing(to).producer.has_room(frames, bytes)
    }

    /// Whether the receiver of a message between this process and `peer` can read `bytes` bytes at `address` in
    /// the sender's memory: as its receiver for certain, as its sender as far as this process can tell.
    fn reaches(&mut self, peer: ProcId, end: End, address: u64, bytes: u64) -> bool {
        let (segment, system) = (self.segment, self.direct != Direct::Never);
        let place = self.place(peer);
        let outgoing = self.outgoing(peer);
        if let Reach::Unknown = outgoing.memory {
            outgoing.memory = segment.reach(place, system);
        }
        match (end, outgoing.memory) {
            // Only the receiver has to reach the other one, and it asks again.
            (End::Sender, Reach::Unknown) => system || segment.is_shown(address, bytes),
            (End::Sender, Reach::Known(memory)) => {
                memory.is_open() || segment.is_shown(address, bytes)
            }
            (End::Receiver, Reach::Unknown) => false,
            (End::Receiver, Reach::Known(memory)) => memory.reaches(address, bytes),
        }
    }

    /// Whether a message of these bytes of this process is better left there for its receiver to copy, even if it
    /// could leave at once.
    #[inline]
    fn lends(&self, address: u64, bytes: u64) -> bool {
        !self.crowded && self.shows(address, bytes)
    }

    /// Longest message, in bytes, that leaves at once though it could wait for its receive where it lies.
    fn eager_limit(&self) -> u64 {
        match self.crowded {
            true => CROWDED,
            false => self.limits.eager,
        }
    }

    /// Longest message, in bytes, that can leave at once to `to` at present. It never becomes less.
    pub(crate) fn eager_most(&mut self, to: ProcId) -> u64 {
        // There is room for two such messages.
        self.outgoing(to).producer.bytes_in_use() as u64 / 2
    }
}

impl Link for Shm {
    const CLAIMS: usize = CLAIMS;

    fn processes(&self) -> usize {
        self.outgoing.len()
    }

    fn me(&self) -> ProcId {
        self.members[self.segment.me()]
    }

    fn frame(&mut self, to: ProcId, mut head: Head, said: &[u8], body: Option<Part<'_>>) -> bool {
        head.inline = said.len() as u16;
        let say = |slot: &mut [u8]| slot.copy_from_slice(said);
        match body {
            None => self
                .outgoing(to)
                .publish(|producer| producer.try_inline(head, say)),
            Some(part) => {
                let place = (part.data, part.position, part.bytes as usize);
                body::send_saying(self, to, (head, say), place, By::Ring)
            }
        }
    }

    #[inline]
    fn leaves_at_once(&mut self, to: ProcId, data: &Data, stream: Option<FlowPattern>) -> bool {
        let len = data.bytes();
        if len <= EAGER_LIMIT_LENT {
            return true;
        }
        // Nobody copies from where it lies what is to be streamed.
        let place = data.contiguous().filter(|_| stream.is_none());
        let address = place.map_or(0, |(at, _)| at.addr() as u64);
        if address != 0 && self.lends(address, len) {
            return false;
        }
        let limit = match stream {
            // To oneself an announced one is copied once.
            _ if to == self.me() => EAGER_LIMIT,
            None => self.eager_limit(),
            Some(FlowPattern::InTurn) => IN_TURN,
            Some(_) => EAGER_MOST,
        };
        len <= limit && (len <= EAGER_LIMIT || len <= self.eager_most(to))
    }

    #[inline(always)]
    fn is_near(&self, _process: ProcId) -> bool {
        true
    }

    #[inline(always)]
    fn short(&mut self, to: ProcId, mut head: Head, data: &Data) -> bool {
        head.inline = data.bytes() as u16;
        if data.bytes() > INLINE as u64 {
            return !self.congested(to)
                && self
                    .outgoing(to)
                    .publish(|producer| producer.try_wide(head, packing(data)));
        }
        self.outgoing(to).publish(|producer| {
            producer.try_short(head, |slot| {
                data.pack(0, slot);
            })
        })
    }

    #[inline(always)]
    fn whole(
        &mut self,
        to: ProcId,
        head: Head,
        data: &Data,
        receiver: ReceiverActivity,
    ) -> Option<u64> {
        whole::whole(self, to, head, data, receiver)
    }

    fn part(
        &mut self,
        to: ProcId,
        kind: (u8, u32),
        part: Part<'_>,
        receiver: ReceiverState,
    ) -> Sent {
        stream::part(self, to, kind, part, receiver)
    }

    fn expose(&mut self, to: ProcId, data: &Data) -> Option<u64> {
        let address = data.contiguous()?.0.addr() as u64;
        let exposed = address != 0 && self.reaches(to, End::Sender, address, data.bytes());
        exposed.then_some(address)
    }

    fn transfer(
        &mut self,
        from: ProcId,
        ends: [u64; 2],
        bytes: u64,
        other_copies: OtherCopies,
    ) -> Transfer {
        let [theirs, ours] = ends;
        if !self.reaches(from, End::Receiver, theirs, bytes) {
            return Transfer::Stream;
        }
        // What is mapped needs no call of the system.
        let mapped = self.maps(from, theirs, bytes) || self.shows(ours, bytes);
        let limit = match (mapped, self.crowded) {
            (true, _) => 0,
            (false, true) => self.segment.ring_bytes(),
            (false, false) => limit(self.limits, other_copies),
        };
        match () {
            () if bytes <= limit => Transfer::Stream,
            // Each end has a message to receive.
            () if other_copies.exchange || !self.both_copy(from, theirs, ours, bytes) => {
                Transfer::Pull
            }
            () => Transfer::Both,
        }
    }

    fn pull(&mut self, from: ProcId, address: u64, to: Span<'_>) -> bool {
        let (_, bytes) = to.parts();
        self.reaches(from, End::Receiver, address, bytes as u64)
            && self
                .memory(from)
                .is_some_and(|memory| memory.read(address, to))
    }

    fn pull_together<'s>(
        &mut self,
        from: ProcId,
        parts: impl ExactSizeIterator<Item = (u64, Span<'s>)>,
    ) -> bool {
        self.memory(from)
            .is_some_and(|memory| memory.read_together(parts))
    }

    fn push(&mut self, to: ProcId, address: u64, from: Span<'_>) -> bool {
        let (_, bytes) = from.parts();
        // A peer that had not attached when the message was announced has by now.
        self.reaches(to, End::Receiver, address, bytes as u64)
            && self
                .memory(to)
                .is_some_and(|memory| memory.write(address, from))
    }

    fn counts(&self) -> Counts {
        let sent = self.outgoing.iter().flatten().map(|o| o.producer.frames());
        let received = self.incoming.iter().map(|i| i.consumer.frames());
        Counts {
            sent: sent.sum(),
            received: received.sum(),
            peers: self.outgoing.iter().flatten().count() as u64,
        }
    }

    fn congested(&self, to: ProcId) -> bool {
        self.outgoing[to.0 as usize]
            .as_ref()
            .is_some_and(|outgoing| outgoing.producer.congested())
    }

    fn open_claim(&self, from: ProcId, claim: Claim) {
        self.segment.claims_from(self.place(from)).open(claim);
    }

    fn take_chunk(&self, peer: ProcId, end: End, claim: Claim, chunks: u32) -> Option<u32> {
        let peer = self.place(peer);
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
    fn take<K: Picker>(
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
}

/// The longest message, in bytes, that still goes through shared memory in this situation.
fn limit(limits: &Limits, other_copies: OtherCopies) -> u64 {
    match other_copies {
        OtherCopies { others: true, .. } => limits.several,
        OtherCopies { exchange: true, .. } => limits.exchange,
        _ => limits.alone,
    }
}

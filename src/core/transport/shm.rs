//! Frames through the rings of a shared segment, to oneself too.
//!
//! A link to a peer comes into being with the first frame; the peer learns of it by its doorbell and polls
//! the ring from then on.

use super::{End, Port, ProcId, Sink};
use crate::datatype::Span;
use crate::shm::claims::Claim;
use crate::shm::direct::{Memory, Reach};
use crate::shm::ring::{Consumer, Head, PiecesMut, Producer, Reported};
use crate::shm::{Segment, Waker};

/// Frames taken from one ring before the next has its turn.
const BURST: usize = 64;

/// Longest message that its receiver alone copies from a heap that it has mapped: asking for help takes longer.
const ALONE: u64 = 32 << 10;

struct Outgoing {
    producer: Producer<'static>,
    waker: Waker,
    memory: Reach,
}

/// How long messages may be copied where no heap is mapped, from the least that is allowed to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direct {
    /// Through the rings only.
    Never,
    /// By the receiver.
    Reads,
    /// By both sides.
    Both,
}

struct Incoming {
    from: ProcId,
    consumer: Consumer<'static>,
    waker: Waker,
    congested: bool,
}

/// The processes of one node, through shared memory.
pub struct Shm {
    segment: Segment,
    outgoing: Vec<Option<Outgoing>>,
    incoming: Vec<Incoming>,
    known: Vec<bool>,
    bells: u32,
    direct: Direct,
}

impl Shm {
    pub fn new(segment: Segment, direct: Direct) -> Shm {
        let processes = segment.processes();
        Shm {
            segment,
            outgoing: (0..processes).map(|_| None).collect(),
            incoming: Vec::new(),
            known: vec![false; processes],
            bells: 0,
            direct,
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

    #[cold]
    fn open(&mut self, peer: usize) {
        self.outgoing[peer] = Some(Outgoing {
            producer: Producer::new(self.segment.outgoing(peer)),
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

    #[cold]
    fn answer_bells(&mut self, bells: u32) {
        self.bells = bells;
        for peer in self.segment.callers() {
            if !std::mem::replace(&mut self.known[peer], true) {
                self.incoming.push(Incoming {
                    from: ProcId(peer as u32),
                    consumer: Consumer::new(self.segment.incoming(peer)),
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
        let link = self.link(to);
        let done = link.producer.try_inline(head, fill);
        if done {
            link.waker.notify();
        }
        done
    }

    #[inline(always)]
    fn try_short(&mut self, to: ProcId, head: Head, fill: impl FnOnce(&mut [u8])) -> bool {
        let link = self.link(to);
        let done = !link.producer.congested() && link.producer.try_inline(head, fill);
        if done {
            link.waker.notify();
        }
        done
    }

    #[inline]
    fn try_body(
        &mut self,
        to: ProcId,
        head: Head,
        len: usize,
        inline: impl FnOnce(&mut [u8]),
        fill: impl FnOnce(PiecesMut<'_>),
    ) -> bool {
        let link = self.link(to);
        let done = link.producer.try_body(head, len, inline, fill);
        if done {
            link.waker.notify();
        }
        done
    }

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
    fn shows(&self, address: u64, bytes: u64) -> bool {
        self.segment.is_shown(address, bytes)
    }

    fn shares(&self, peer: ProcId, theirs: u64, ours: u64, bytes: u64) -> bool {
        let memory = self.memory(peer);
        if bytes <= ALONE && memory.is_some_and(|memory| memory.is_mapped(theirs, bytes)) {
            return false;
        }
        match self.direct {
            Direct::Never => self.shows(ours, bytes),
            Direct::Reads => false,
            Direct::Both => memory.is_some_and(Memory::is_open) || self.shows(ours, bytes),
        }
    }

    fn read(&self, from: ProcId, address: u64, to: Span) -> bool {
        self.memory(from)
            .is_some_and(|memory| memory.read(address, to))
    }

    fn write(&self, to: ProcId, address: u64, from: Span) -> bool {
        self.memory(to)
            .is_some_and(|memory| memory.write(address, from))
    }

    fn open_claim(&self, from: ProcId, claim: Claim) {
        self.segment.incoming(from.0 as usize).claims.open(claim);
    }

    fn take_chunk(&self, peer: ProcId, end: End, claim: Claim, chunks: u32) -> Option<u32> {
        let peer = peer.0 as usize;
        let ring = match end {
            End::Sender => self.segment.outgoing(peer),
            End::Receiver => self.segment.incoming(peer),
        };
        ring.claims.take(claim, chunks)
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
                    Some(Reported::Yes) => incoming.waker.notify(),
                    Some(Reported::No) => (),
                }
                burst += 1;
                if sink.enough() {
                    break;
                }
            }
            if burst > 0 {
                frames += burst;
                let congested = sink.congested(from);
                if congested != incoming.congested {
                    incoming.congested = congested;
                    incoming.consumer.set_congested(congested);
                }
            }
        }
        frames
    }

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

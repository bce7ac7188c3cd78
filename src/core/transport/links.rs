//! All links of a process: the memory of its node, and TCP to the processes of other nodes.
//!
//! Each process is reached by one of them, for good. A look at the network takes a call of the system, and a look
//! at shared memory none. So the longer nothing has come from the network, the more seldom it is looked at.

use std::cell::Cell;
use std::net::SocketAddr;
use std::os::fd::BorrowedFd;

use super::shm::Shm;
use super::tcp::Tcp;
use super::{
    Counts, End, FlowPattern, Link, OtherCopies, Part, ProcId, ReceiverActivity, ReceiverState,
    Sent, Sink, Transfer,
};
use crate::datatype::{Data, Span};
use crate::handshake::Secret;
use crate::processes::Process;
use crate::wire::{Claim, Head, Picker};

/// Most looks at shared memory before one at the network.
const SELDOM: u32 = 256;
/// Most calls that only test before a look at the network.
const TESTS: u32 = 4;

/// The links of a process.
pub struct Links {
    node: Shm,
    /// `None`: all processes share this one's node.
    net: Option<Box<Tcp>>,
    /// Looks at shared memory that are left until the next one at the network.
    left: Cell<u32>,
    /// How many there were before the last one.
    pause: Cell<u32>,
}

impl Links {
    pub fn new(node: Shm, net: Option<Tcp>) -> Links {
        Links {
            node,
            net: net.map(Box::new),
            left: Cell::new(1),
            pause: Cell::new(1),
        }
    }

    /// The network, from now on.
    pub fn add_net(&mut self, net: Tcp) {
        self.net = Some(Box::new(net));
    }

    /// The network, if there is one.
    pub fn network(&mut self) -> Option<&mut Tcp> {
        self.net.as_deref_mut()
    }

    /// From now on there is one more process, which listens at these addresses and knows this secret.
    ///
    /// # Panics
    /// There is no network.
    pub fn add(&mut self, process: Process, addresses: Vec<SocketAddr>, secret: &Secret) {
        let net = self.net.as_mut().expect("the caller has added it");
        net.know(process, addresses, secret);
        self.node.add_stranger();
    }

    /// The link to a process that does not share this one's node.
    #[inline(always)]
    fn net(&mut self, process: ProcId) -> Option<&mut Tcp> {
        match self.net.is_some() && !self.node.shares(process) {
            true => self.soon(),
            false => None,
        }
    }

    /// The network, from which something may come soon.
    #[cold]
    #[inline(never)]
    fn soon(&mut self) -> Option<&mut Tcp> {
        self.left.set(1);
        self.pause.set(1);
        self.net.as_deref_mut()
    }

    /// Whether it is time to look at the network.
    #[inline]
    fn is_due(&self) -> bool {
        let Some(net) = &self.net else {
            return false;
        };
        self.left.set(self.left.get().saturating_sub(1));
        self.left.get() == 0 || net.pending()
    }
}

impl Link for Links {
    const CLAIMS: usize = Shm::CLAIMS;
    const LONGEST_BODY: u64 = Tcp::LONGEST_BODY;

    fn processes(&self) -> usize {
        self.node.processes()
    }

    fn me(&self) -> ProcId {
        self.node.me()
    }

    #[inline]
    fn frame(&mut self, to: ProcId, head: Head, said: &[u8], body: Option<Part<'_>>) -> bool {
        match self.net(to) {
            None => self.node.frame(to, head, said, body),
            Some(net) => net.frame(to, head, said, body),
        }
    }

    #[inline]
    fn poll(&mut self, sink: &mut impl Sink) -> usize {
        let frames = self.node.poll(sink);
        let Some(net) = &mut self.net else {
            return frames;
        };
        // Where frames come by shared memory nobody asks whether it is time.
        self.left
            .set(self.left.get().saturating_sub(u32::from(frames > 0)));
        if self.left.get() > 0 && !net.pending() {
            return frames;
        }
        let come = net.poll(sink);
        let pause = match come {
            0 => (2 * self.pause.get()).min(SELDOM),
            _ => 1,
        };
        self.pause.set(pause);
        self.left.set(pause);
        frames + come
    }

    #[inline(always)]
    fn pending(&self) -> bool {
        self.node.pending() || self.is_due()
    }

    fn counts(&self) -> Counts {
        let (node, net) = (
            self.node.counts(),
            self.net.as_ref().map(|net| net.counts()),
        );
        let net = net.unwrap_or_default();
        Counts {
            sent: node.sent + net.sent,
            received: node.received + net.received,
            peers: node.peers + net.peers,
        }
    }

    #[inline(always)]
    fn flushed(&self, to: ProcId) -> bool {
        self.net
            .as_ref()
            .is_none_or(|net| self.node.shares(to) || net.flushed(to))
    }

    fn awake(&mut self) {
        self.left.set(1);
    }

    #[inline(always)]
    fn tested(&mut self) {
        if self.net.is_some() {
            self.left.set(self.left.get().min(TESTS));
        }
    }

    fn drained(&self) -> bool {
        self.net.as_ref().is_none_or(|net| net.drained())
    }

    fn leave(&mut self) {
        if let Some(net) = &mut self.net {
            net.leave();
        }
    }

    fn park(&self) -> Option<BorrowedFd<'_>> {
        self.net.as_ref()?.park()
    }

    fn congested(&self, to: ProcId) -> bool {
        match &self.net {
            Some(net) if !self.node.shares(to) => net.congested(to),
            _ => self.node.congested(to),
        }
    }

    #[inline]
    fn leaves_at_once(&mut self, to: ProcId, data: &Data, stream: Option<FlowPattern>) -> bool {
        match self.net(to) {
            None => self.node.leaves_at_once(to, data, stream),
            Some(net) => net.leaves_at_once(to, data, stream),
        }
    }

    #[inline(always)]
    fn is_near(&self, process: ProcId) -> bool {
        self.net.is_none() || self.node.shares(process)
    }

    #[inline(always)]
    fn short(&mut self, to: ProcId, head: Head, data: &Data) -> bool {
        self.node.short(to, head, data)
    }

    #[inline(always)]
    fn whole(
        &mut self,
        to: ProcId,
        head: Head,
        data: &Data,
        receiver: ReceiverActivity,
    ) -> Option<u64> {
        match self.net(to) {
            None => self.node.whole(to, head, data, receiver),
            Some(net) => net.whole(to, head, data, receiver),
        }
    }

    fn part(
        &mut self,
        to: ProcId,
        kind: (u8, u32),
        part: Part<'_>,
        receiver: ReceiverState,
    ) -> Sent {
        match self.net(to) {
            None => self.node.part(to, kind, part, receiver),
            Some(net) => net.part(to, kind, part, receiver),
        }
    }

    fn expose(&mut self, to: ProcId, data: &Data) -> Option<u64> {
        match self.net(to) {
            None => self.node.expose(to, data),
            Some(net) => net.expose(to, data),
        }
    }

    fn transfer(
        &mut self,
        from: ProcId,
        ends: [u64; 2],
        bytes: u64,
        other_copies: OtherCopies,
    ) -> Transfer {
        match self.net(from) {
            None => self.node.transfer(from, ends, bytes, other_copies),
            Some(net) => net.transfer(from, ends, bytes, other_copies),
        }
    }

    fn pull(&mut self, from: ProcId, address: u64, to: Span<'_>) -> bool {
        match self.net(from) {
            None => self.node.pull(from, address, to),
            Some(net) => net.pull(from, address, to),
        }
    }

    fn pull_together<'s>(
        &mut self,
        from: ProcId,
        parts: impl ExactSizeIterator<Item = (u64, Span<'s>)>,
    ) -> bool {
        match self.net(from) {
            None => self.node.pull_together(from, parts),
            Some(net) => net.pull_together(from, parts),
        }
    }

    fn push(&mut self, to: ProcId, address: u64, from: Span<'_>) -> bool {
        match self.net(to) {
            None => self.node.push(to, address, from),
            Some(net) => net.push(to, address, from),
        }
    }

    // Only processes of one node share counters.

    fn open_claim(&self, from: ProcId, claim: Claim) {
        self.node.open_claim(from, claim);
    }

    fn take_chunk(&self, peer: ProcId, end: End, claim: Claim, chunks: u32) -> Option<u32> {
        if !self.node.shares(peer) {
            return None;
        }
        self.node.take_chunk(peer, end, claim, chunks)
    }

    #[inline(always)]
    fn take<K: Picker>(
        &mut self,
        from: ProcId,
        looks: u32,
        picker: &K,
    ) -> Option<(K::Picked, bool)> {
        self.node.take(from, looks, picker)
    }
}

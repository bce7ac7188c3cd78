//! A link over connected stream sockets, one to each other process.
//!
//! It is given its sockets and does not know what kind they are or how they were connected; what a kind needs, as
//! TCP_NODELAY, is set by who connects. Frames are written straight from the memory of their data ([`outbox`]) and are read into
//! a buffer of each peer ([`inbox`]). A connection that is closed, fails or brings what is no frame is [lost](Sockets::lost):
//! what came before is delivered, and frames to that process are dropped from then on. It must not know matching,
//! requests or communicators.

mod inbox;
mod outbox;
mod parting;
mod placing;

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};

use super::{Counts, Link, Part, ProcId, Sink};
use crate::held::Held;
use crate::sys;
use crate::wire::{Head, Pieces, flag};
use inbox::{Frame, Inbox, Read, prefix};
use outbox::Outbox;
use placing::Placing;

/// Longest body of a frame, in bytes.
const LONGEST_BODY: usize = 256 << 10;
/// Bytes above which what waits for a stream finds no room, as does what waits to be delivered to oneself.
pub const BACKLOG: usize = 1 << 20;
/// Longest body, in bytes, that waits for a stream behind others.
const MAY_WAIT: u64 = 16 << 10;
/// Frames taken from one peer before the next has its turn.
const BURST: usize = 64;
/// Streams that are looked at for each question to the system.
const EVENTS: usize = 64;
/// Looks at the peer that something has come from last, before the system is asked who else there is.
const STRAIGHT: u32 = 8;

/// Flags of frames that are the link's own.
mod own {
    /// Who gets it is to announce its messages...
    pub const CONGESTED: u8 = 0x80;
    /// ... and need not any more.
    pub const CALM: u8 = 0x40;
    /// The sender has nothing more to say, unless it sends something all the same.
    pub const LEAVES: u8 = 0x20;
    /// Neither side has, and the sender asks to close the connection.
    pub const CLOSES: u8 = 0x10;
    /// The answer: it is needed again.
    pub const STAYS: u8 = 0x08;
}

struct Peer {
    /// `None` for this process itself, before there is a connection, and when nothing more can come.
    stream: Option<Held<OwnedFd>>,
    outbox: Outbox,
    inbox: Inbox,
    /// Why frames to it are dropped.
    lost: Option<io::Error>,
    /// It stands in the queue of those that something has come from.
    ready: bool,
    /// The system is asked when there is room in the stream.
    awaits_room: bool,
    /// It has been sent frames.
    met: bool,
    /// It asks for announcements.
    congested: bool,
    /// What it has been told of that itself.
    told: bool,
    /// It has nothing more to say: the end of its connection is no loss.
    leaves: bool,
    /// This process asks to close the connection where neither side needs it.
    closes: bool,
    /// This process has nothing more to say to it.
    left: bool,
    /// It has been asked to close the connection: nothing is sent until it has answered.
    closing: bool,
    /// A body that is read to where it goes, as it comes.
    placing: Option<Placing>,
}

impl Peer {
    /// One without a connection, to which so many bytes may wait to leave.
    fn new(backlog: usize) -> Peer {
        Peer {
            stream: None,
            outbox: Outbox::new(backlog),
            inbox: Inbox::default(),
            lost: None,
            ready: false,
            awaits_room: false,
            met: false,
            congested: false,
            told: false,
            leaves: false,
            closes: false,
            left: false,
            closing: false,
            placing: None,
        }
    }
}

/// The processes that this one has connections to, and itself.
pub struct Sockets {
    me: ProcId,
    peers: Vec<Peer>,
    /// Bytes that may wait to leave to each.
    backlog: usize,
    events: Epoll,
    /// Peers from which something has come, in the order of their turns.
    ready: VecDeque<ProcId>,
    /// Who is looked at without asking the system, and how often yet.
    last: Option<ProcId>,
    straight: u32,
    /// Peers that have been lost since that was asked.
    newly_lost: VecDeque<ProcId>,
    /// Events of others that wait with the same descriptor.
    others: VecDeque<u64>,
    /// Data that does not lie in one piece, while it is sent.
    scratch: Vec<u8>,
    /// A buffer for the next peer that something is read from.
    spare: Vec<u8>,
    counts: Counts,
}

/// What a look at a peer has brought.
enum Turn {
    /// All that is there has been delivered.
    Over,
    /// More may be there.
    More,
    /// The other side asks to close the connection.
    Asked,
}

impl Sockets {
    /// A link between `processes` processes, with a connected stream socket to each of the others.
    /// One that has none is lost from the beginning.
    ///
    /// # Errors
    /// The system has no descriptor to wait with, or cannot wait for one of these.
    pub fn new(
        me: ProcId,
        processes: usize,
        streams: impl IntoIterator<Item = (ProcId, OwnedFd)>,
    ) -> io::Result<Sockets> {
        Sockets::with_backlog(me, processes, streams, BACKLOG)
    }

    /// [`new`](Self::new) with another limit than [`BACKLOG`].
    ///
    /// # Errors
    /// As there.
    pub fn with_backlog(
        me: ProcId,
        processes: usize,
        streams: impl IntoIterator<Item = (ProcId, OwnedFd)>,
        backlog: usize,
    ) -> io::Result<Sockets> {
        let mut link = Sockets::unconnected(me, processes, backlog)?;
        for (to, stream) in streams {
            link.adopt(to, Held::new(stream), to < me)?;
        }
        for (process, peer) in (0..).map(ProcId).zip(&mut link.peers) {
            if peer.stream.is_none() && process != me {
                peer.lost = Some(io::ErrorKind::NotConnected.into());
            }
        }
        Ok(link)
    }

    /// A link whose connections are [yet to come](Self::adopt): until then there is no room for frames.
    ///
    /// # Errors
    /// The system has no descriptor to wait with.
    pub fn unconnected(me: ProcId, processes: usize, backlog: usize) -> io::Result<Sockets> {
        Ok(Sockets {
            me,
            peers: (0..processes).map(|_| Peer::new(backlog)).collect(),
            backlog,
            events: Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?,
            ready: VecDeque::new(),
            last: None,
            straight: 0,
            newly_lost: VecDeque::new(),
            others: VecDeque::new(),
            scratch: Vec::new(),
            spare: Vec::new(),
            counts: Counts::default(),
        })
    }

    /// From now on there is one more process, without a connection; returns its number.
    pub fn add(&mut self) -> ProcId {
        self.peers.push(Peer::new(self.backlog));
        ProcId(self.peers.len() as u32 - 1)
    }

    /// From now on this stream is the connection to a process that has none; `called`: by that one's call.
    ///
    /// # Errors
    /// The system cannot wait for it.
    pub fn adopt(
        &mut self,
        process: ProcId,
        stream: Held<OwnedFd>,
        called: bool,
    ) -> io::Result<()> {
        let event = EpollEvent::new(EpollFlags::EPOLLIN, u64::from(process.0));
        self.events.add(&stream, event)?;
        let peer = self.peer(process);
        peer.stream = Some(stream);
        peer.closes = !called;
        // Something may have come before it was waited for here.
        self.comes(process);
        Ok(())
    }

    /// Whether there is, or was, a connection to a process, or it is known that there will be none.
    #[inline]
    pub fn is_settled(&self, process: ProcId) -> bool {
        let peer = &self.peers[process.0 as usize];
        peer.stream.is_some() || peer.lost.is_some()
    }

    /// No connection to a process comes to be.
    pub fn lose(&mut self, process: ProcId, why: io::Error) {
        self.close(process, why);
    }

    /// A process that has been lost since this was asked, though it had something to say yet.
    pub fn newly_lost(&mut self) -> Option<(ProcId, &io::Error)> {
        let process = self.newly_lost.pop_front()?;
        Some((process, self.peers[process.0 as usize].lost.as_ref()?))
    }

    /// What tells of events. Others may wait with it by numbers above those of processes, and [ask](Self::other_event) then.
    pub fn events(&self) -> &Epoll {
        &self.events
    }

    /// The number of an event that is not a peer's.
    pub fn other_event(&mut self) -> Option<u64> {
        self.others.pop_front()
    }

    /// Whether frames, or news of a stream, are there without a question to the system.
    #[inline]
    pub fn has_some(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Tells everybody that this process has nothing more to say.
    pub fn leave(&mut self) {
        for process in (0..self.peers.len() as u32).map(ProcId) {
            self.part_from(process);
        }
    }

    /// The processes to which no connection is left, and why.
    pub fn lost(&self) -> impl Iterator<Item = (ProcId, &io::Error)> {
        let peers = (0..).map(ProcId).zip(&self.peers);
        peers.filter_map(|(process, peer)| Some((process, peer.lost.as_ref()?)))
    }

    fn peer(&mut self, process: ProcId) -> &mut Peer {
        &mut self.peers[process.0 as usize]
    }

    /// Nothing more comes from a process.
    fn close(&mut self, process: ProcId, why: io::Error) {
        if self.peer(process).closing && why.kind() == io::ErrorKind::ConnectionAborted {
            return self.disconnect(process);
        }
        let peer = &mut self.peers[process.0 as usize];
        if let Some(stream) = peer.stream.take() {
            // It may be open elsewhere as well. What fails has been forgotten already.
            let _ = self.events.delete(&stream);
        }
        peer.outbox.clear();
        peer.lost.get_or_insert(why);
        if !peer.leaves {
            self.newly_lost.push_back(process);
        }
    }

    /// Does something with the stream to a process. What fails there ends only what is to leave: more may have come.
    fn write<R>(
        &mut self,
        to: ProcId,
        otherwise: R,
        write: impl FnOnce(&mut Outbox, BorrowedFd<'_>) -> io::Result<R>,
    ) -> R {
        let peer = &mut self.peers[to.0 as usize];
        let (Some(stream), None) = (&peer.stream, &peer.lost) else {
            return otherwise;
        };
        let done = write(&mut peer.outbox, stream.as_fd()).unwrap_or_else(|why| {
            peer.outbox.clear();
            peer.lost = Some(why);
            otherwise
        });
        let waits = !peer.outbox.is_empty();
        if waits != peer.awaits_room {
            peer.awaits_room = waits;
            let room = if waits {
                EpollFlags::EPOLLOUT
            } else {
                EpollFlags::empty()
            };
            let mut event = EpollEvent::new(EpollFlags::EPOLLIN | room, u64::from(to.0));
            // It has been added.
            let _ = self.events.modify(stream, &mut event);
        }
        done
    }

    /// Sends these parts, which are one frame.
    fn send(&mut self, to: ProcId, parts: [&[u8]; 3]) -> bool {
        let peer = &mut self.peers[to.0 as usize];
        if to != self.me {
            return match (&peer.stream, &peer.lost) {
                // There is no connection yet.
                (None, None) => false,
                _ => self.write(to, true, |outbox, stream| outbox.send(stream, parts)),
            };
        }
        if peer.inbox.len() >= peer.outbox.limit() {
            return false;
        }
        peer.inbox.borrow(&mut self.spare);
        peer.inbox.add(parts);
        self.comes(to);
        true
    }

    /// Connections to which something has been sent that the other side's system has not confirmed for so long.
    pub fn dead(&self, after: Duration) -> Vec<ProcId> {
        let peers = (0..).map(ProcId).zip(&self.peers);
        let dead = peers.filter(|(_, peer)| {
            let stream = peer.stream.as_ref().filter(|_| peer.lost.is_none());
            stream.is_some_and(|stream| sys::is_unanswered(stream.as_fd(), after))
        });
        dead.map(|(process, _)| process).collect()
    }

    /// Whether there is any connection.
    pub fn has_connections(&self) -> bool {
        self.peers.iter().any(|peer| peer.stream.is_some())
    }

    /// Whether something waits to leave to a process, and cannot.
    fn has_backlog(&mut self, to: ProcId) -> bool {
        if !self.peers[to.0 as usize].outbox.is_empty() {
            self.write(to, (), |outbox, stream| outbox.flush(stream));
        }
        !self.peers[to.0 as usize].outbox.is_empty()
    }

    /// Something has come from a process, or may have.
    fn comes(&mut self, from: ProcId) {
        let peer = self.peer(from);
        if !std::mem::replace(&mut peer.ready, true) {
            self.ready.push_back(from);
        }
    }

    /// Asks the system which streams have something, and which have room again.
    fn look(&mut self) {
        let mut events = [EpollEvent::empty(); EVENTS];
        // What interrupts it comes again.
        let found = self
            .events
            .wait(&mut events, EpollTimeout::ZERO)
            .unwrap_or(0);
        for event in &events[..found] {
            let Ok(number) = u32::try_from(event.data()) else {
                self.others.push_back(event.data());
                continue;
            };
            let process = ProcId(number);
            if event.events().contains(EpollFlags::EPOLLOUT) {
                self.write(process, (), |outbox, stream| outbox.flush(stream));
            }
            // Errors as well show when it is read.
            if event.events() != EpollFlags::EPOLLOUT {
                self.comes(process);
            }
        }
    }

    /// Delivers frames from one process, and reads more once those are gone.
    fn serve(
        &mut self,
        from: ProcId,
        sink: &mut impl Sink,
        frames: &mut usize,
    ) -> io::Result<Turn> {
        let peer = &mut self.peers[from.0 as usize];
        let most = *frames + BURST;
        let (mut all, mut asked) = (false, false);
        loop {
            while let Some(Frame { head, said, body }) = peer.inbox.frame()? {
                let lengths = (said.len(), body.len());
                match head.flags & flag::OF_LINK {
                    0 => {
                        let shown = |bytes: usize| Pieces(&body[..bytes.min(body.len())], &[]);
                        sink.frame(from, &head, said, &shown);
                        peer.leaves = false;
                        *frames += 1;
                    }
                    own::CONGESTED => peer.congested = true,
                    own::CALM => peer.congested = false,
                    own::LEAVES => peer.leaves = true,
                    own::CLOSES => asked = true,
                    own::STAYS => peer.closing = false,
                    flags => {
                        let what = format!("a frame of kind {} with flags {flags:#x}", head.kind);
                        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
                    }
                }
                peer.inbox.delivered(lengths.0, lengths.1);
                if asked {
                    return Ok(Turn::Asked);
                }
                if *frames >= most || sink.enough() {
                    return Ok(Turn::More);
                }
            }
            let Some(stream) = peer.stream.as_ref().filter(|_| !all) else {
                return Ok(Turn::Over);
            };
            if peer.placing.is_none() {
                peer.placing = Placing::begin(&mut peer.inbox, from, sink)?;
            }
            let read = match &mut peer.placing {
                Some(placing) => placing.read(stream.as_fd(), from, sink)?,
                None => {
                    peer.inbox.borrow(&mut self.spare);
                    peer.inbox.read(stream.as_fd())?
                }
            };
            if let Some(placed) = peer.placing.take_if(|placing| placing.is_over()) {
                sink.arrived(from, &placed.head, placed.bytes);
                *frames += 1;
            }
            match read {
                Read::Some => (),
                Read::All => all = true,
                Read::Nothing => return Ok(Turn::Over),
                Read::Closed => {
                    let begun = peer.placing.as_ref().map_or(0, |placing| placing.there);
                    let (kind, what) = match begun + peer.inbox.len() {
                        0 => (
                            io::ErrorKind::ConnectionAborted,
                            "the other side has closed the connection".into(),
                        ),
                        waiting => (
                            io::ErrorKind::UnexpectedEof,
                            format!("the connection ends after {waiting} bytes of a frame"),
                        ),
                    };
                    return Err(io::Error::new(kind, what));
                }
            }
        }
    }

    /// Tells a process whether it is to announce its messages, if that is new.
    fn tell(&mut self, from: ProcId, sink: &impl Sink) {
        let told = self.peer(from).told;
        let congested = sink.congested(from, told);
        if congested == told {
            return;
        }
        let told = if from == self.me {
            self.peer(from).congested = congested;
            true
        } else {
            let flags = if congested { own::CONGESTED } else { own::CALM };
            let head = Head {
                flags,
                ..Head::default()
            };
            self.send(from, [&prefix(&head, 0), &[], &[]])
        };
        if told {
            self.peer(from).told = congested;
        }
    }
}

impl Link for Sockets {
    const LONGEST_BODY: u64 = LONGEST_BODY as u64;

    fn processes(&self) -> usize {
        self.peers.len()
    }

    fn me(&self) -> ProcId {
        self.me
    }

    fn frame(&mut self, to: ProcId, head: Head, said: &[u8], body: Option<Part<'_>>) -> bool {
        let inline = said.len() as u16;
        let head = Head { inline, ..head };
        if self.peers[to.0 as usize].left && !self.comes_back(to) {
            return false;
        }
        let sent = match body {
            None => self.send(to, [&prefix(&head, 0), said, &[]]),
            // What can wait where it lies is not copied to wait.
            Some(Part { bytes, .. }) if bytes > MAY_WAIT && self.has_backlog(to) => false,
            Some(Part {
                data,
                position,
                bytes,
            }) => {
                debug_assert!(bytes <= Self::LONGEST_BODY, "{bytes} bytes");
                let mut scratch = std::mem::take(&mut self.scratch);
                let sent = data.packed(position, bytes as usize, &mut scratch, |body| {
                    self.send(to, [&prefix(&head, body.len()), said, body])
                });
                self.scratch = scratch;
                sent
            }
        };
        if sent {
            self.counts.sent += 1;
            let new = !std::mem::replace(&mut self.peer(to).met, true);
            self.counts.peers += u64::from(new);
        }
        sent
    }

    fn poll(&mut self, sink: &mut impl Sink) -> usize {
        match self
            .last
            .filter(|_| self.straight > 0 && self.ready.is_empty())
        {
            Some(last) => {
                self.straight -= 1;
                self.comes(last);
            }
            None => {
                self.straight = STRAIGHT;
                self.look();
            }
        }
        let mut frames = 0;
        for _ in 0..self.ready.len() {
            let Some(from) = self.ready.pop_front() else {
                break;
            };
            self.peer(from).ready = false;
            self.last = Some(from).filter(|_| self.peers[from.0 as usize].stream.is_some());
            match self.serve(from, sink, &mut frames) {
                Ok(Turn::Over) => (),
                Ok(Turn::More) => self.comes(from),
                Ok(Turn::Asked) => {
                    if !self.is_to_close(from) {
                        self.comes(from);
                    }
                }
                Err(why) => self.close(from, why),
            }
            self.peers[from.0 as usize].inbox.give_back(&mut self.spare);
            self.tell(from, sink);
            if self.peers[from.0 as usize].left {
                self.ask_to_close(from);
            }
            if sink.enough() {
                break;
            }
        }
        self.counts.received += frames as u64;
        frames
    }

    fn pending(&self) -> bool {
        let mut event = [EpollEvent::empty()];
        !self.ready.is_empty() || self.events.wait(&mut event, EpollTimeout::ZERO) == Ok(1)
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    #[inline]
    fn flushed(&self, to: ProcId) -> bool {
        self.peers[to.0 as usize].outbox.is_empty()
    }

    fn drained(&self) -> bool {
        // What the other side's system has not taken is lost if this process ends while something unread has come here.
        let taken = |stream: &Held<OwnedFd>| {
            sys::unacknowledged(stream.as_fd()).is_ok_and(|bytes| bytes == 0)
        };
        let is_drained = |peer: &Peer| {
            peer.lost.is_some() || peer.outbox.is_empty() && peer.stream.as_ref().is_none_or(taken)
        };
        self.peers.iter().all(is_drained)
    }

    fn park(&self) -> Option<BorrowedFd<'_>> {
        Some(self.events.0.as_fd())
    }

    fn congested(&self, to: ProcId) -> bool {
        self.peers[to.0 as usize].congested
    }
}

#[cfg(test)]
mod tests;

//! The point-to-point protocol: eager messages, announced messages, synchronous sends, probes.
//!
//! A pure state machine over a [`Link`]: no system calls, no clock, no waiting, and nothing of how a link works.
//! Short messages go at once (eager) and wait at the receiver if unexpected; long ones are announced, asked for
//! once matched, and streamed in pieces. When too much unexpected data waits at a receiver, it asks its senders to
//! announce everything. So memory stays bounded by what the application itself has under way. Frames that find no
//! room wait in a queue per peer, in order.

use std::collections::VecDeque;

use eager::PartialMessage;
use early::{Copyable, Requested};
use expected::Expected;
pub use expected::Start;
use long::Announcement;
use operation::{INDEX_MASK, Op, OpState};
pub use operation::{OpId, Outcome};
pub use partitioned::EndId;
use payload::{BufferPool, Payload};
use queue::Waiting;
pub use traffic::{Direction, Totals, Unexpected};
pub use unexpected::Matched;
use unexpected::{Arrived, status_of};

use crate::datatype::Data;
use crate::matching::{Envelope, Matching, Pattern};
use crate::transport::{Link, ProcId, ReceiverActivity};
use crate::types::Status;
use crate::wire::{WIDE_INLINE, kind};

pub use crate::transport::{EAGER_LIMIT, FlowPattern};

/// A longer message that may be cancelled is sent as a synchronous one. So it can be taken back until it has met
/// its receive. Programs cancel messages of 256 KiB.
pub const CANCELLABLE: u64 = 128 << 10;

struct Peer {
    waiting: VecDeque<Waiting>,
    unexpected_bytes: u64,
    unexpected_messages: u64,
    /// Announced messages to this peer that have not ended.
    announced: u32,
    /// The message whose later pieces come next.
    partial: Option<PartialMessage>,
    /// Announced messages that have been asked for without a receive.
    asked: VecDeque<Requested>,
    /// Announced messages that come from it in pieces.
    streams: u32,
    /// Bytes that messages which are [paced](crate::transport::Sent) are ahead of what comes meanwhile; negative where they are
    /// behind.
    ahead: i64,
    /// Free counters of chunks for messages from this peer, one bit each.
    claims: u64,
    generation: u32,
}

impl Peer {
    /// With so many counters of chunks.
    fn new(claims: usize) -> Peer {
        Peer {
            waiting: VecDeque::new(),
            unexpected_bytes: 0,
            unexpected_messages: 0,
            announced: 0,
            partial: None,
            asked: VecDeque::new(),
            streams: 0,
            ahead: 0,
            claims: (1 << claims) - 1,
            generation: 1,
        }
    }
}

/// Everything but the link, so that arriving frames can change it while the link is polled.
struct State {
    ops: Vec<Op>,
    free: Vec<u32>,
    matching: Matching<Arrived>,
    pool: BufferPool,
    expected: Expected,
    /// The next blocking receive polls all peers.
    others_turn: bool,
    /// Messages in pieces taken [at once](Proto::receive_at_once) since the others had their turn for these.
    taken_at_once: u32,
    peers: Vec<Peer>,
    /// Peers with a non-empty queue.
    busy: Vec<ProcId>,
    /// Receives that have met a message which both sides can copy.
    to_copy: VecDeque<OpId>,
    /// Joint copies under way.
    joint: VecDeque<OpId>,
    /// Sends that the link has not sent on.
    flushing: Vec<OpId>,
    /// Receives that have met an announced message which has not arrived yet.
    arriving: u32,
    /// Announced messages that may be copied early, the oldest first.
    copyable: VecDeque<Copyable>,
    me: ProcId,
    partitioned: partitioned::Partitioned,
    traffic: traffic::Traffic,
    /// Operations that have ended so far.
    completions: u64,
    /// Those that had ended when the link was last polled.
    seen: u64,
    /// Frames that made no sense.
    protocol_errors: u64,
}

/// The protocol of one process over its link.
pub struct Proto<L: Link> {
    link: L,
    state: State,
}

impl State {
    /// Queues a receive.
    #[inline(always)]
    fn post(&mut self, pattern: Pattern, data: Data) -> OpId {
        let queue = pattern.queue();
        let wanted = Envelope {
            context: queue.context(),
            source: queue.number(),
            tag: 0,
        };
        let id = self.allocate(OpState::Posted, Some(data), ProcId(u32::MAX), wanted);
        self.matching.post(pattern, id.0);
        id
    }
}

impl<L: Link> Proto<L> {
    pub fn new(link: L) -> Proto<L> {
        let processes = link.processes();
        let me = link.me();
        Proto {
            link,
            state: State {
                ops: Vec::new(),
                free: Vec::new(),
                matching: Matching::default(),
                pool: BufferPool::default(),
                expected: Expected::default(),
                others_turn: false,
                taken_at_once: 0,
                peers: (0..processes).map(|_| Peer::new(L::CLAIMS)).collect(),
                busy: Vec::new(),
                to_copy: VecDeque::new(),
                joint: VecDeque::new(),
                copyable: VecDeque::new(),
                flushing: Vec::new(),
                arriving: 0,
                me,
                partitioned: partitioned::Partitioned::default(),
                traffic: traffic::Traffic::default(),
                completions: 0,
                seen: 0,
                protocol_errors: 0,
            },
        }
    }

    pub fn link(&self) -> &L {
        &self.link
    }

    /// The link, for what is not about messages.
    pub fn link_mut(&mut self) -> &mut L {
        &mut self.link
    }

    /// The link has become able to reach one process more.
    pub fn add_peer(&mut self) {
        self.state.peers.push(Peer::new(L::CLAIMS));
    }

    /// Starts a send of `data` to process `to`. `None`: it is complete already.
    ///
    /// A synchronous send is complete when its receive has started; any other may be complete as soon as
    /// the data has left the buffer.
    #[inline(always)]
    pub fn send(
        &mut self,
        to: ProcId,
        envelope: Envelope,
        data: &Data,
        synchronous: bool,
    ) -> Option<OpId> {
        // The usual case: short, and nothing waits for room.
        if data.bytes() <= WIDE_INLINE as u64
            && !synchronous
            && self.state.busy.is_empty()
            && self.link.is_near(to)
            && self.link.short(to, eager::head(envelope, 0, 0), data)
        {
            self.state.traffic.sent.eager_bytes += data.bytes();
            return None;
        }
        self.send_longer(to, envelope, data.clone(), synchronous, None)
    }

    /// [`send`](Self::send) of data that goes through the ring, however long it is: the receiver does not copy it from
    /// where it lies.
    pub fn stream(
        &mut self,
        to: ProcId,
        envelope: Envelope,
        data: Data,
        stream: FlowPattern,
    ) -> Option<OpId> {
        self.send_longer(to, envelope, data, false, Some(stream))
    }

    #[inline(never)]
    fn send_longer(
        &mut self,
        to: ProcId,
        envelope: Envelope,
        data: Data,
        synchronous: bool,
        stream: Option<FlowPattern>,
    ) -> Option<OpId> {
        let peer = &self.state.peers[to.0 as usize];
        let eagerly = self.link.leaves_at_once(to, &data, stream);
        let (head, receiver) = (eager::head(envelope, 0, 0), ReceiverActivity::of(stream));
        if eagerly
            && !synchronous
            && peer.waiting.is_empty()
            && !self.link.congested(to)
            && let Some(further) = self.link.whole(to, head, &data, receiver)
        {
            self.state.traffic.sent.eager_bytes += data.bytes();
            self.state.traffic.sent.other_frames += further;
            return match self.link.flushed(to) {
                true => None,
                false => Some(self.flushing(to, envelope)),
            };
        }
        let queued = OpState::Queued {
            data,
            synchronous,
            eagerly,
            stream,
        };
        let id = self.state.allocate(queued, None, to, envelope);
        self.state.enqueue(to, Waiting::Message(id));
        self.flush();
        Some(id)
    }

    /// A send of which nothing is left but that the link sends it on.
    #[cold]
    fn flushing(&mut self, to: ProcId, envelope: Envelope) -> OpId {
        let state = OpState::Flushing { announced: false };
        let id = self.state.allocate(state, None, to, envelope);
        self.state.flushing.push(id);
        id
    }

    /// The link has all of a send.
    fn given_away(&mut self, to: ProcId, id: OpId) {
        if self.link.flushed(to) {
            return self.state.sent(id);
        }
        let op = self.state.op(id);
        let announced = matches!(op.state, OpState::Leaving { .. });
        op.state = OpState::Flushing { announced };
        self.state.flushing.push(id);
    }

    /// Ends sends that the link has sent on since.
    #[cold]
    fn end_flushed(&mut self) -> bool {
        let (gone, left) = std::mem::take(&mut self.state.flushing)
            .into_iter()
            .partition(|id| self.link.flushed(self.state.op(*id).peer));
        self.state.flushing = left;
        let gone: Vec<OpId> = gone;
        gone.iter().for_each(|id| self.state.sent(*id));
        !gone.is_empty()
    }

    /// Starts a receive into `data`. It may be complete already.
    #[inline(always)]
    pub fn receive(&mut self, pattern: Pattern, data: Data) -> OpId {
        self.state.post_expected();
        match self.state.take_matched(pattern) {
            None => self.state.post(pattern, data),
            // The description as a whole would lie in memory for both.
            Some(matched) => self.receive_kept(matched, data.apart()),
        }
    }

    #[inline(never)]
    fn receive_kept(&mut self, matched: Matched, data: Data) -> OpId {
        self.receive_matched(matched, data)
    }

    /// Starts the receive of a message that [`take_matched`](Self::take_matched) took.
    pub fn receive_matched(&mut self, matched: Matched, data: Data) -> OpId {
        let Matched { envelope, arrived } = matched;
        let from = match &arrived {
            Arrived::Eager { from, .. } | Arrived::Announced(Announcement { from, .. }) => *from,
        };
        let id = self
            .state
            .allocate(OpState::Posted, Some(data), from, envelope);
        match arrived {
            Arrived::Eager {
                from,
                payload,
                match_wanted,
            } => {
                self.state.deliver(id, envelope, payload.bytes(), &[]);
                self.state.pool.done_with(payload);
                if let Some(send) = match_wanted {
                    self.state.control(from, kind::MATCHED, send, 0, 0);
                }
            }
            Arrived::Announced(announced) => {
                self.state.want(id, envelope, announced);
                self.begin_joint();
            }
        }
        self.flush();
        id
    }

    /// The status of the message that a receive with this pattern would get now.
    pub fn probe(&self, pattern: &Pattern) -> Option<Status> {
        let (envelope, arrived) = self.state.matching.peek(pattern)?;
        Some(status_of(envelope, arrived.len()))
    }

    /// Takes that message out of the queues, for a later matched receive.
    pub fn take_matched(&mut self, pattern: &Pattern) -> Option<Matched> {
        self.state.take_matched(*pattern)
    }

    /// Whether the operation has ended, or is gone because somebody else has taken its outcome.
    #[inline(always)]
    pub fn done(&mut self, id: OpId) -> bool {
        self.state
            .find(id.0)
            .is_none_or(|op| matches!(op.state, OpState::Done(_)))
    }

    /// How an operation has ended, leaving it as it is. `None` while it goes on.
    pub fn outcome(&mut self, id: OpId) -> Option<Outcome> {
        match self.state.op(id).state {
            OpState::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Takes the outcome of an ended operation; its id is dead from here on. `None` while it goes on.
    #[inline]
    pub fn finish(&mut self, id: OpId) -> Option<Outcome> {
        self.state.release(id)
    }

    /// As [`finish`](Self::finish), if it has ended and its whole message had room. `false`: nothing has happened.
    #[inline(always)]
    pub fn finish_unseen(&mut self, id: OpId) -> bool {
        match &self.state.op(id).state {
            OpState::Done(outcome) if outcome.truncated().is_none() => {
                self.state.release(id).is_some()
            }
            _ => false,
        }
    }

    /// Moves everything that can move; returns whether anything did.
    #[inline(always)]
    pub fn progress(&mut self) -> bool {
        // What most looks find: nothing.
        !self.is_idle() && self.move_on()
    }

    /// Whether [`progress`](Self::progress) has nothing to move.
    #[inline(always)]
    pub fn is_idle(&mut self) -> bool {
        self.state.seen = self.state.completions;
        if self.link.pending() {
            return false;
        }
        let state = &self.state;
        state.to_copy.len() | state.joint.len() | state.busy.len() | state.copyable.len() == 0
    }

    /// [`progress`](Self::progress) with something to move.
    #[inline(never)]
    fn move_on(&mut self) -> bool {
        let mut moved = self.link.poll(&mut self.state) > 0;
        if !self.state.to_copy.is_empty() || !self.state.joint.is_empty() {
            moved |= self.copy_jointly();
        }
        if !self.state.busy.is_empty() {
            moved |= self.flush();
        }
        if !self.state.flushing.is_empty() {
            moved |= self.end_flushed();
        }
        if !moved && !self.state.copyable.is_empty() {
            moved = self.copy_early();
        }
        moved
    }

    /// Whether something has arrived or a queue may have room: the last look before sleeping.
    pub fn pending(&mut self) -> bool {
        self.link.pending()
            || !self.state.to_copy.is_empty()
            || !self.state.joint.is_empty()
            || (!self.state.busy.is_empty() && self.flush())
    }

    /// Operations that have ended since the start: grows whenever somebody may stop waiting.
    #[inline(always)]
    pub fn completions(&self) -> u64 {
        self.state.completions
    }

    /// This process has slept, or has let others run.
    pub fn awake(&mut self) {
        self.link.awake();
    }

    /// This process has nothing more to say to anybody, unless it sends something all the same.
    pub fn leave(&mut self) {
        self.link.leave();
    }

    /// Whether every frame has left this process.
    pub fn drained(&self) -> bool {
        self.state.busy.is_empty() && self.link.drained()
    }
}

mod cancel;
mod eager;
mod early;
mod expected;
mod frames;
mod long;
mod operation;
mod partitioned;
mod payload;
mod queue;
mod traffic;
mod unexpected;

#[cfg(test)]
mod tests;

//! The point-to-point protocol: eager messages, announced messages, synchronous sends, probes.
//!
//! A pure state machine over a [`Link`]: no system calls, no clock, no waiting, and nothing of how a link works. Short messages go at once
//! (eager) and wait at the receiver if unexpected; long ones are announced, asked for once matched, and
//! streamed in pieces. When too much unexpected data waits at a receiver it asks its senders to announce
//! everything, so memory stays bounded by what the application itself has under way. Frames that find no
//! room wait in a queue per peer, in order.

use std::collections::VecDeque;

use aside::{Asked, Lent};
use eager::More;
use expected::Expected;
pub use expected::Start;
use kept::{Payload, Spares};
use long::{Announcement, Joint};
pub use partitioned::EndId;
use queue::Waiting;
pub use traffic::{Totals, Unexpected, Way};

use crate::datatype::{Data, Span};
use crate::matching::{Envelope, Matching, Pattern};
use crate::transport::{EAGER_MOST, Link, ProcId, Receiver, Sink};
use crate::types::{Rank, Status, Tag};
use crate::wire::{Head, Pieces, WIDE, flag, kind, u32_at, u64_at};

pub use crate::transport::{EAGER_LIMIT, Stream};

/// A longer one that may be cancelled is sent as a synchronous one, so that it can be taken back until it has met its receive.
/// Programs cancel messages of 256 KiB.
pub const CANCELLABLE: u64 = 128 << 10;
/// Unexpected bytes and messages from one peer above which it is asked to announce; below half of them
/// it may send eagerly again.
const CONGESTED_BYTES: u64 = 16 << 20;
const CONGESTED_MESSAGES: u64 = 64 << 10;

/// An operation under way: index and generation in one number that also travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpId(pub u32);

const INDEX_BITS: u32 = 24;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

impl OpId {
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & INDEX_MASK) as usize
    }

    /// Tells operations apart that have the same index one after the other.
    #[inline(always)]
    pub fn generation(self) -> u32 {
        self.0 >> INDEX_BITS
    }
}

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub status: Status,
    /// Bytes of the message: more than the status says if the buffer was too short.
    pub message: u64,
}

impl Outcome {
    /// Bytes of a message that was longer than its buffer.
    #[inline(always)]
    pub fn truncated(&self) -> Option<u64> {
        (self.message > self.status.bytes).then_some(self.message)
    }
}

enum Stage {
    /// A receive that waits for its message.
    Posted,
    /// A receive whose pieces arrive: bytes still to come.
    Arriving {
        data: Data,
        wanted: u64,
        left: u64,
        send: u32,
        joint: Option<Box<Joint>>,
        /// What has not been copied where it lay comes in pieces.
        streamed: bool,
    },
    /// A send that waits for room, for its answer, or for its match.
    Queued {
        data: Data,
        synchronous: bool,
        /// If the receiver does not mind.
        eagerly: bool,
        /// The receiver is not told where it lies.
        stream: Option<Stream>,
    },
    Announced {
        data: Data,
        /// Its receiver copies something else first.
        behind: bool,
    },
    AwaitingMatch,
    /// A send all of which the link has, but not yet sent on; `announced`: its receiver has asked for it.
    Flushing {
        announced: bool,
    },
    /// A send whose pieces leave: where they go, bytes still to go. A joint copy streams only what
    /// cannot be copied.
    Leaving {
        data: Data,
        position: u64,
        left: u64,
        receive: u32,
        behind: bool,
        joint: Option<Box<Joint>>,
    },
    /// It has ended; nobody may ask any more once its generation is over.
    Done(Outcome),
}

struct Op {
    generation: u8,
    stage: Stage,
    /// The buffer of a posted receive.
    data: Option<Data>,
    peer: ProcId,
    envelope: Envelope,
    /// Length of the message that a receive has met.
    total: u64,
}

impl Op {
    #[inline(always)]
    fn end(&mut self, outcome: Outcome) {
        match &self.stage {
            // Most end here, and have nothing to drop.
            Stage::Posted | Stage::Done(_) | Stage::AwaitingMatch => {
                std::mem::forget(std::mem::replace(&mut self.stage, Stage::Done(outcome)));
            }
            _ => self.stage = Stage::Done(outcome),
        }
    }
}

/// An unexpected message.
enum Arrived {
    Eager {
        from: ProcId,
        payload: Payload,
        match_wanted: Option<u32>,
    },
    Announced(Announcement),
}

/// A message taken out of the queues by a matched probe.
pub struct Matched {
    envelope: Envelope,
    arrived: Arrived,
}

impl Matched {
    pub fn status(&self) -> Status {
        status_of(self.envelope, self.arrived.len())
    }
}

impl Arrived {
    fn len(&self) -> u64 {
        match self {
            Arrived::Eager { payload, .. } => payload.bytes().len() as u64,
            Arrived::Announced(announced) => announced.len,
        }
    }
}

fn status_of(envelope: Envelope, bytes: u64) -> Status {
    Status {
        source: Rank(envelope.source as i32),
        tag: Tag(envelope.tag),
        bytes,
        ..Status::EMPTY
    }
}

#[inline(always)]
fn envelope(head: &Head) -> Envelope {
    Envelope {
        context: head.context,
        source: head.source,
        tag: head.tag,
    }
}

struct Peer {
    waiting: VecDeque<Waiting>,
    unexpected_bytes: u64,
    unexpected_messages: u64,
    /// Announced messages to this peer that have not ended.
    announced: u32,
    /// The message whose later pieces come next.
    more: Option<More>,
    /// Announced messages that have been asked for without a receive.
    asked: VecDeque<Asked>,
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
            more: None,
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
    spares: Spares,
    expected: Expected,
    /// The next blocking receive polls all peers.
    others_turn: bool,
    /// Messages in pieces taken [at once](Proto::receive_at_once) since the others had their turn for these.
    turn: u32,
    peers: Vec<Peer>,
    /// Peers with a non-empty queue.
    busy: Vec<ProcId>,
    /// Receives that have met a message which both sides can copy.
    met: VecDeque<OpId>,
    /// Joint copies under way.
    joint: VecDeque<OpId>,
    /// Sends that the link has not sent on.
    flushing: Vec<OpId>,
    /// Receives that have met an announced message which has not arrived yet.
    arriving: u32,
    /// Announced messages that may be taken aside, the oldest first.
    lent: VecDeque<Lent>,
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
    /// Takes the message that a receive with this pattern would get now out of the queues.
    #[inline(always)]
    fn take_matched(&mut self, pattern: Pattern) -> Option<Matched> {
        if self.matching.unexpected() == 0 {
            return None;
        }
        self.take_unexpected(pattern)
    }

    #[inline(never)]
    fn take_unexpected(&mut self, pattern: Pattern) -> Option<Matched> {
        let (envelope, arrived) = self.matching.take(&pattern)?;
        self.departed(&arrived);
        Some(Matched { envelope, arrived })
    }

    /// Queues a receive.
    #[inline(always)]
    fn post(&mut self, pattern: Pattern, data: Data) -> OpId {
        let queue = pattern.queue();
        let wanted = Envelope {
            context: queue.context(),
            source: queue.number(),
            tag: 0,
        };
        let id = self.allocate(Stage::Posted, Some(data), ProcId(u32::MAX), wanted);
        self.matching.post(pattern, id.0);
        id
    }

    #[inline(always)]
    fn allocate(
        &mut self,
        stage: Stage,
        data: Option<Data>,
        peer: ProcId,
        envelope: Envelope,
    ) -> OpId {
        let index = match self.free.pop() {
            Some(index) => index,
            None => self.add_op(),
        };
        let op = &mut self.ops[index as usize];
        // It has ended, or is new: neither its stage nor its data has anything to drop.
        std::mem::forget(std::mem::replace(&mut op.stage, stage));
        std::mem::forget(std::mem::replace(&mut op.data, data));
        op.peer = peer;
        op.envelope = envelope;
        OpId((op.generation as u32) << INDEX_BITS | index)
    }

    #[cold]
    fn add_op(&mut self) -> u32 {
        let index = self.ops.len() as u32;
        assert!(index < INDEX_MASK, "16 million operations under way");
        let envelope = Envelope {
            context: 0,
            source: 0,
            tag: 0,
        };
        self.ops.push(Op {
            generation: 0,
            stage: Stage::Posted,
            data: None,
            peer: ProcId(u32::MAX),
            envelope,
            total: 0,
        });
        index
    }

    #[inline(always)]
    fn find(&mut self, id: u32) -> Option<&mut Op> {
        let op = self.ops.get_mut(OpId(id).index())?;
        (op.generation as u32 == OpId(id).generation()).then_some(op)
    }

    fn get(&self, id: OpId) -> Option<&Op> {
        let op = self.ops.get(id.index())?;
        (op.generation as u32 == id.generation()).then_some(op)
    }

    fn op(&mut self, id: OpId) -> &mut Op {
        self.find(id.0)
            .expect("an operation is released only by its owner")
    }

    fn finish(&mut self, id: OpId, outcome: Outcome) {
        self.completions += 1;
        let op = self.op(id);
        op.data = None;
        let announced = matches!(
            op.stage,
            Stage::Announced { .. } | Stage::Leaving { .. } | Stage::Flushing { announced: true }
        );
        let peer = op.peer;
        op.end(outcome);
        if announced {
            self.peers[peer.0 as usize].announced -= 1;
        }
    }

    /// Takes the outcome of an ended operation; its id is dead from here on.
    #[inline]
    fn release(&mut self, id: OpId) -> Option<Outcome> {
        let op = self.op(id);
        let Stage::Done(outcome) = op.stage else {
            return None;
        };
        op.generation = op.generation.wrapping_add(1);
        self.free.push(id.0 & INDEX_MASK);
        Some(outcome)
    }

    fn arrived(&mut self, from: ProcId, envelope: Envelope, arrived: Arrived) {
        let peer = &mut self.peers[from.0 as usize];
        peer.unexpected_messages += 1;
        if let Arrived::Eager { payload, .. } = &arrived {
            peer.unexpected_bytes += payload.bytes().len() as u64;
            self.traffic.kept_bytes += payload.bytes().len() as u64;
        }
        self.note(envelope, arrived.len());
        self.matching.keep(envelope, arrived);
    }

    /// An unexpected message leaves the queues.
    fn departed(&mut self, arrived: &Arrived) {
        let (from, bytes) = match arrived {
            Arrived::Eager { from, payload, .. } => (*from, payload.bytes().len() as u64),
            Arrived::Announced(announced) => {
                self.not_aside(announced);
                (announced.from, 0)
            }
        };
        let peer = &mut self.peers[from.0 as usize];
        peer.unexpected_messages -= 1;
        peer.unexpected_bytes -= bytes;
    }
}

impl Sink for State {
    #[inline]
    fn frame<'a>(
        &mut self,
        from: ProcId,
        head: &Head,
        inline: &'a [u8],
        body: &dyn Fn(usize) -> Pieces<'a>,
    ) -> usize {
        let envelope = envelope(head);
        match head.kind {
            kind::EAGER if head.is_wide() => {
                let Pieces(second, _) = body(0);
                self.eager(from, head, envelope, inline, second);
                0
            }
            kind::EAGER => {
                self.short(from, head, envelope, inline);
                0
            }
            kind::EAGER_BODY => {
                let len = (u32_at(inline, 0) as usize).min(EAGER_MOST as usize);
                let Pieces(first, second) = body(len);
                self.eager(from, head, envelope, first, second);
                len
            }
            kind::EAGER_MORE => {
                let len = u32_at(inline, 0) as usize;
                self.more(from, &body(len));
                len
            }
            kind::EAGER_FIRST => self.first_piece(from, head, envelope, inline, body),
            _ => self.other_frame(from, head, envelope, inline, body),
        }
    }

    fn place(
        &mut self,
        from: ProcId,
        head: &Head,
        inline: &[u8],
        bytes: usize,
    ) -> Option<Span<'_>> {
        match head.kind {
            kind::PIECE => self.place_of_piece(from, head.id, inline, bytes as u64),
            _ => None,
        }
    }

    fn arrived(&mut self, from: ProcId, head: &Head, bytes: usize) {
        self.traffic.received.other_frames += 1;
        self.piece_is_there(from, head.id, bytes as u64);
    }

    #[inline(always)]
    fn enough(&self) -> bool {
        matches!(self.expected, Expected::Done(_))
            || (self.completions != self.seen && self.matching.posted() == 0)
    }

    fn congested(&self, from: ProcId, already: bool) -> bool {
        let peer = &self.peers[from.0 as usize];
        let (bytes, messages) = if already {
            (CONGESTED_BYTES / 2, CONGESTED_MESSAGES / 2)
        } else {
            (CONGESTED_BYTES, CONGESTED_MESSAGES)
        };
        peer.unexpected_bytes > bytes || peer.unexpected_messages > messages
    }
}

impl State {
    /// Takes a frame that is no eager message.
    fn other_frame<'a>(
        &mut self,
        from: ProcId,
        head: &Head,
        envelope: Envelope,
        inline: &'a [u8],
        body: &dyn Fn(usize) -> Pieces<'a>,
    ) -> usize {
        self.traffic.received.other_frames += 1;
        match head.kind {
            kind::ANNOUNCE => {
                let announced = Announcement {
                    from,
                    len: u64_at(inline, 0),
                    send: head.id,
                    address: u64_at(inline, 8),
                    asked: false,
                };
                self.post_expected();
                match self.matching.arrive(envelope) {
                    Some(token) => self.want(OpId(token), envelope, announced),
                    None => {
                        if head.flags & flag::ASIDE != 0 {
                            self.may_take_aside(envelope, announced);
                        }
                        self.arrived(from, envelope, Arrived::Announced(announced));
                    }
                }
                0
            }
            kind::WANTED => {
                self.wanted(from, head.id, inline);
                0
            }
            kind::PIECE => {
                let len = u32_at(inline, 0) as usize;
                self.piece(from, head.id, inline, &body(len));
                len
            }
            kind::MATCHED => {
                match self.find(head.id).map(|op| &op.stage) {
                    Some(Stage::AwaitingMatch) => self.sent(OpId(head.id)),
                    _ => self.protocol_errors += 1,
                }
                0
            }
            kind::JOINT => {
                self.joined(head.id, inline);
                0
            }
            kind::COPIED => {
                self.copied(head.id, u64_at(inline, 0));
                0
            }
            kind::RECEIVED => {
                self.received(head.id, inline);
                0
            }
            kind::RETRACT => {
                self.retract(from, envelope, head.id);
                0
            }
            kind::RETRACTED => {
                self.retracted(head.id);
                0
            }
            kind::INVITE => {
                self.invited(from, envelope, head.id, u64_at(inline, 0));
                0
            }
            kind::GRANT => {
                self.granted(head.id, u32_at(inline, 0));
                0
            }
            kind::PART => {
                let len = partitioned::part_len(inline);
                self.part(head.id, inline, body(len));
                len
            }
            _ => {
                self.protocol_errors += 1;
                0
            }
        }
    }

    /// A send has nothing left to do.
    fn sent(&mut self, id: OpId) {
        self.finish(
            id,
            Outcome {
                status: Status::EMPTY,
                message: 0,
            },
        );
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
                spares: Spares::default(),
                expected: Expected::default(),
                others_turn: false,
                turn: 0,
                peers: (0..processes).map(|_| Peer::new(L::CLAIMS)).collect(),
                busy: Vec::new(),
                met: VecDeque::new(),
                joint: VecDeque::new(),
                lent: VecDeque::new(),
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
        if data.bytes() <= WIDE as u64
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
        stream: Stream,
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
        stream: Option<Stream>,
    ) -> Option<OpId> {
        let peer = &self.state.peers[to.0 as usize];
        let eagerly = self.link.leaves_at_once(to, &data, stream);
        let (head, receiver) = (eager::head(envelope, 0, 0), Receiver::of(stream));
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
        let queued = Stage::Queued {
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
        let stage = Stage::Flushing { announced: false };
        let id = self.state.allocate(stage, None, to, envelope);
        self.state.flushing.push(id);
        id
    }

    /// The link has all of a send.
    fn given_away(&mut self, to: ProcId, id: OpId) {
        if self.link.flushed(to) {
            return self.state.sent(id);
        }
        let op = self.state.op(id);
        let announced = matches!(op.stage, Stage::Leaving { .. });
        op.stage = Stage::Flushing { announced };
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
            .allocate(Stage::Posted, Some(data), from, envelope);
        match arrived {
            Arrived::Eager {
                from,
                payload,
                match_wanted,
            } => {
                self.state.deliver(id, envelope, payload.bytes(), &[]);
                self.state.spares.done_with(payload);
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
            .is_none_or(|op| matches!(op.stage, Stage::Done(_)))
    }

    /// How an operation has ended, leaving it as it is. `None` while it goes on.
    pub fn outcome(&mut self, id: OpId) -> Option<Outcome> {
        match self.state.op(id).stage {
            Stage::Done(outcome) => Some(outcome),
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
        match &self.state.op(id).stage {
            Stage::Done(outcome) if outcome.truncated().is_none() => {
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
        state.met.len() | state.joint.len() | state.busy.len() | state.lent.len() == 0
    }

    /// [`progress`](Self::progress) with something to move.
    #[inline(never)]
    fn move_on(&mut self) -> bool {
        let mut moved = self.link.poll(&mut self.state) > 0;
        if !self.state.met.is_empty() || !self.state.joint.is_empty() {
            moved |= self.copy_jointly();
        }
        if !self.state.busy.is_empty() {
            moved |= self.flush();
        }
        if !self.state.flushing.is_empty() {
            moved |= self.end_flushed();
        }
        if !moved && !self.state.lent.is_empty() {
            moved = self.take_aside();
        }
        moved
    }

    /// Whether something has arrived or a queue may have room: the last look before sleeping.
    pub fn pending(&mut self) -> bool {
        self.link.pending()
            || !self.state.met.is_empty()
            || !self.state.joint.is_empty()
            || (!self.state.busy.is_empty() && self.flush())
    }

    /// Operations that have ended since the start: grows whenever somebody may stop waiting.
    #[inline(always)]
    pub fn completions(&self) -> u64 {
        self.state.completions
    }

    /// This process has slept.
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

    /// Forgets a context whose communicator is gone. Messages that nobody received are dropped; senders
    /// that wait for them are answered, so that they end.
    pub fn drop_context(&mut self, context: u32) {
        self.state.partitioned.drop_context(context);
        for arrived in self.state.matching.drop_context(context) {
            self.state.departed(&arrived);
            match arrived {
                Arrived::Announced(announced) if announced.asked => {
                    self.state.drop_asked(&announced);
                }
                Arrived::Announced(Announcement { from, send, .. }) => {
                    self.state.control(from, kind::WANTED, send, 0, 0);
                }
                Arrived::Eager {
                    from,
                    match_wanted: Some(send),
                    ..
                } => {
                    self.state.control(from, kind::MATCHED, send, 0, 0);
                }
                Arrived::Eager { .. } => (),
            }
        }
        self.flush();
    }
}

mod aside;
mod cancel;
mod eager;
mod expected;
mod kept;
mod long;
mod partitioned;
mod queue;
mod traffic;

#[cfg(test)]
mod tests;

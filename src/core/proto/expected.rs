//! The receive that a blocking call waits for.
//!
//! It is done when the call returns, so it needs no name and no place in a queue: one at a time is kept beside the
//! queues, and a short message goes straight into its buffer. It counts as posted before every receive that comes
//! later, and only stands here while none is posted already. So the order of matching (MPI-5.0, 3.5) is that of the
//! queues. Any other message makes an ordinary receive of it first.

use super::frames::envelope;
use super::{OpId, Outcome, Proto, State};
use crate::datatype::Data;
use crate::matching::{Envelope, Pattern};
use crate::proto::eager::{Destination, PartialMessage, outcome, unpack};
use crate::transport::{EAGER_MOST, Link, ProcId};
use crate::wire::{Head, Location, Picker, Pieces, flag, kind, u32_at};

/// Messages in pieces that are taken at once before others have their turn, whose pieces say so too often.
pub(super) const MAX_AT_ONCE: u32 = 16;
/// A longer one counts once more for each of so many bytes, so that others do not wait for long.
const BYTES_PER_COUNT: usize = 64 << 10;

#[derive(Default)]
pub(super) enum Expected {
    #[default]
    Nothing,
    Waiting {
        pattern: Pattern,
        data: Data,
    },
    /// Its message has begun to arrive in pieces before it came here: [`Proto::expect`] follows.
    Begun,
    /// Its message arrives in pieces.
    Arriving,
    Done(Outcome),
    /// It has become an ordinary receive.
    Posted(OpId),
}

/// How a blocking receive goes on.
pub enum Start {
    /// Until [`Proto::expected_over`], then [`Proto::take_expected`].
    Expected,
    /// As any other receive.
    Ordinary(OpId),
}

impl State {
    /// Gives a whole message to the expected receive, if it is the one.
    #[inline(always)]
    pub(super) fn meets_expected(
        &mut self,
        envelope: Envelope,
        first: &[u8],
        second: &[u8],
    ) -> bool {
        match &self.expected {
            Expected::Waiting { pattern, data } if pattern.accepts(envelope) => {
                let outcome = unpack(data, envelope, first, second);
                self.expected_done(outcome);
                true
            }
            _ => false,
        }
    }

    /// The buffer of the expected receive, if a message that comes in pieces is for it. Otherwise it becomes
    /// an ordinary receive.
    pub(super) fn expected_buffer(&mut self, envelope: Envelope) -> Option<Data> {
        match &self.expected {
            Expected::Waiting { pattern, .. } if pattern.accepts(envelope) => {
                match std::mem::replace(&mut self.expected, Expected::Arriving) {
                    Expected::Waiting { data, .. } => Some(data),
                    _ => None,
                }
            }
            _ => {
                self.post_expected();
                None
            }
        }
    }

    pub(super) fn expected_done(&mut self, outcome: Outcome) {
        self.expected = Expected::Done(outcome);
        self.completions += 1;
    }

    /// Makes an ordinary receive of the expected one, before anything else is matched or posted.
    #[inline(always)]
    pub(super) fn post_expected(&mut self) {
        if let Expected::Waiting { .. } = self.expected {
            self.post_expected_now();
        }
    }

    #[cold]
    fn post_expected_now(&mut self) {
        if let Expected::Waiting { pattern, data } = std::mem::take(&mut self.expected) {
            let id = self.post(pattern, data);
            self.traffic.expected -= 1;
            self.expected = Expected::Posted(id);
        }
    }
}

/// Takes a whole message of the usual modes that a receive accepts.
struct Whole<'a> {
    pattern: &'a Pattern,
    data: &'a Data,
}

impl Picker for Whole<'_> {
    type Picked = Outcome;

    const INLINED: bool = false;

    #[inline(always)]
    fn wants(&self, head: &Head, slot: &[u8]) -> Option<Location> {
        let location = match head.kind {
            kind::EAGER if head.is_wide() => Location::Wide,
            kind::EAGER => Location::Inline,
            kind::EAGER_BODY => Location::Body(u32_at(slot, 0) as usize),
            _ => return None,
        };
        accepts(self.pattern, head).then_some(location)
    }

    #[inline(always)]
    fn inline(&self, head: &Head, payload: &[u8], second: &[u8]) -> Outcome {
        unpack(self.data, envelope(head), payload, second)
    }

    fn body(&self, head: &Head, _: &[u8], Pieces(first, second): Pieces<'_>) -> Outcome {
        unpack(self.data, envelope(head), first, second)
    }
}

#[inline(always)]
fn accepts(pattern: &Pattern, head: &Head) -> bool {
    let unanswered = head.flags & flag::SYNCHRONOUS == 0;
    unanswered && pattern.accepts(envelope(head))
}

/// Takes the first piece of such a message.
struct First<'a> {
    pattern: &'a Pattern,
    data: &'a Data,
}

impl Picker for First<'_> {
    /// What it says of the message, its length, and how much of it is there.
    type Picked = (Envelope, usize, usize);

    const INLINED: bool = true;

    #[inline(always)]
    fn wants(&self, head: &Head, slot: &[u8]) -> Option<Location> {
        let begins = head.kind == kind::EAGER_FIRST
            && accepts(self.pattern, head)
            && u64::from(u32_at(slot, 0)) <= EAGER_MOST;
        begins.then(|| Location::Body(u32_at(slot, 0).min(u32_at(slot, 4)) as usize))
    }

    fn inline(&self, _: &Head, _: &[u8], _: &[u8]) -> Self::Picked {
        unreachable!("pieces lie beside their slots")
    }

    #[inline(always)]
    fn body(&self, head: &Head, slot: &[u8], body: Pieces<'_>) -> Self::Picked {
        let total = u32_at(slot, 0) as usize;
        (envelope(head), total, put(self.data, 0, total, body))
    }
}

/// Takes the next piece of a message, of which so much is there and so much is missing.
struct Next<'a> {
    data: &'a Data,
    there: usize,
    left: usize,
}

impl Picker for Next<'_> {
    type Picked = usize;

    const INLINED: bool = true;

    #[inline(always)]
    fn wants(&self, head: &Head, slot: &[u8]) -> Option<Location> {
        (head.kind == kind::EAGER_MORE).then(|| Location::Body(u32_at(slot, 0) as usize))
    }

    fn inline(&self, _: &Head, _: &[u8], _: &[u8]) -> usize {
        unreachable!("pieces lie beside their slots")
    }

    #[inline(always)]
    fn body(&self, _: &Head, _: &[u8], body: Pieces<'_>) -> usize {
        put(self.data, self.there, self.left, body)
    }
}

/// Copies a piece of a message to its place, no more than is missing of it: says how many bytes those are.
#[inline(always)]
fn put(data: &Data, position: usize, missing: usize, Pieces(first, second): Pieces<'_>) -> usize {
    let first = &first[..first.len().min(missing)];
    data.unpack_piece(position as u64, first);
    if second.is_empty() {
        return first.len();
    }
    let second = &second[..second.len().min(missing - first.len())];
    data.unpack_piece((position + first.len()) as u64, second);
    first.len() + second.len()
}

impl<L: Link> Proto<L> {
    /// Receives a message from `from` that has come already, or comes within so many looks. No other receive and no
    /// earlier message may be meant. `None`: the caller goes the ordinary way, as it has to every now and then so
    /// that others have their turn.
    #[inline(always)]
    pub fn receive_at_once(
        &mut self,
        from: ProcId,
        pattern: &Pattern,
        data: &Data,
        looks: u32,
    ) -> Option<Outcome> {
        let state = &mut self.state;
        if !matches!(state.expected, Expected::Nothing)
            || state.matching.posted() > 0
            || state.matching.unexpected() > 0
            || !self.link.is_near(from)
            || std::mem::take(&mut state.others_turn)
        {
            return None;
        }
        let idle = state.busy.is_empty() && state.ops.len() == state.free.len();
        let looks = if idle { looks } else { 1 };
        let picker = Whole { pattern, data };
        let Some((outcome, others_turn)) = self.link.take(from, looks, &picker) else {
            return self.receive_pieces(from, pattern, data, looks);
        };
        state.others_turn = others_turn;
        state.traffic.expected += 1;
        state.traffic.received.eager_bytes += outcome.message;
        Some(outcome)
    }

    /// [`receive_at_once`](Self::receive_at_once), for a message in pieces whose first one is there, as long as they come within
    /// so many looks: the sender is writing them. Otherwise the expected receive goes on with it.
    // By itself, as that is called everywhere.
    #[inline(never)]
    fn receive_pieces(
        &mut self,
        from: ProcId,
        pattern: &Pattern,
        data: &Data,
        looks: u32,
    ) -> Option<Outcome> {
        let picker = First { pattern, data };
        let ((envelope, total, mut there), _) = self.link.take(from, 1, &picker)?;
        self.state.taken_at_once += 1 + (total / BYTES_PER_COUNT) as u32;
        if self.state.taken_at_once >= MAX_AT_ONCE {
            self.state.taken_at_once = 0;
            self.state.others_turn = true;
        }
        self.state.traffic.expected += 1;
        self.state.begins(total as u64);
        while there < total {
            let left = total - there;
            let picker = Next { data, there, left };
            let Some((len, _)) = self.link.take(from, looks, &picker) else {
                self.state.peers[from.0 as usize].partial = Some(PartialMessage {
                    envelope,
                    total,
                    left,
                    to: Destination::Buffer {
                        data: data.clone(),
                        receive: None,
                    },
                });
                self.state.expected = Expected::Begun;
                return None;
            };
            there += len;
            self.state.traffic.received.other_frames += 1;
        }
        Some(outcome(data, envelope, total))
    }

    /// Starts a receive into `data` that the caller waits for at once.
    #[inline(always)]
    pub fn expect(&mut self, pattern: Pattern, data: Data) -> Start {
        if let Expected::Begun = self.state.expected {
            self.state.expected = Expected::Arriving;
            return Start::Expected;
        }
        if !matches!(self.state.expected, Expected::Nothing) || self.state.matching.posted() > 0 {
            return Start::Ordinary(self.receive(pattern, data));
        }
        match self.state.take_matched(pattern) {
            None => {
                self.state.traffic.expected += 1;
                self.state.expected = Expected::Waiting { pattern, data };
                Start::Expected
            }
            Some(matched) => Start::Ordinary(self.receive_matched(matched, data)),
        }
    }

    /// Whether the expected receive has ended.
    #[inline(always)]
    pub fn expected_over(&mut self) -> bool {
        match self.state.expected {
            Expected::Done(_) | Expected::Nothing => true,
            Expected::Waiting { .. } | Expected::Begun | Expected::Arriving => false,
            Expected::Posted(id) => self.done(id),
        }
    }

    /// Takes the outcome of the expected receive, which is over.
    #[inline(always)]
    pub fn take_expected(&mut self) -> Option<Outcome> {
        match std::mem::take(&mut self.state.expected) {
            Expected::Done(outcome) => Some(outcome),
            Expected::Posted(id) => self.finish(id),
            Expected::Waiting { .. } | Expected::Begun | Expected::Arriving | Expected::Nothing => {
                None
            }
        }
    }

    /// Receives that stand beside the queues.
    pub(super) fn expected(&self) -> u64 {
        u64::from(matches!(self.state.expected, Expected::Waiting { .. }))
    }
}

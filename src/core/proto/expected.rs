//! The receive that a blocking call waits for.
//!
//! It is done when the call returns, so it needs no name and no place in a queue: one at a time is kept
//! beside the queues, and a short message goes straight into its buffer. It counts as posted before every
//! receive that comes later, and only stands here while none is posted already, so the order of
//! matching (MPI-5.0, 3.5) is that of the queues. Any other message makes an ordinary receive of it first.

use super::{OpId, Outcome, Proto, State, envelope};
use crate::datatype::Data;
use crate::matching::{Envelope, Pattern};
use crate::proto::eager::unpack;
use crate::shm::ring::{Location, Picker, Pieces};
use crate::transport::{Port, ProcId};
use crate::wire::{Head, MAX_BODY, flag, kind, u32_at};

#[derive(Default)]
pub(super) enum Expected {
    #[default]
    Nothing,
    Waiting {
        pattern: Pattern,
        data: Data,
    },
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

    #[inline(always)]
    fn wants(&self, head: &Head) -> Option<Location> {
        let location = match head.kind {
            kind::EAGER => Location::Inline,
            kind::EAGER_BODY => Location::Beside,
            _ => return None,
        };
        let unanswered = head.flags & flag::SYNCHRONOUS == 0;
        (unanswered && self.pattern.accepts(envelope(head))).then_some(location)
    }

    #[inline(always)]
    fn inline(&self, head: &Head, payload: &[u8]) -> Outcome {
        unpack(self.data, envelope(head), payload, &[])
    }

    fn beside<'a>(
        &self,
        head: &Head,
        inline: &[u8],
        body: &dyn Fn(usize) -> Pieces<'a>,
    ) -> (usize, Outcome) {
        let len = (u32_at(inline, 0) as usize).min(MAX_BODY);
        let Pieces(first, second) = body(len);
        (len, unpack(self.data, envelope(head), first, second))
    }
}

impl<P: Port> Proto<P> {
    /// Receives a whole message from `from` that has come already, or comes within so many looks, where no other receive
    /// and no earlier message could be meant. `None`: nothing has happened, and the caller goes the ordinary way, as it
    /// has to every now and then so that others have their turn.
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
            || std::mem::take(&mut state.others_turn)
        {
            return None;
        }
        let idle = state.busy.is_empty() && state.ops.len() == state.free.len();
        let looks = if idle { looks } else { 1 };
        let picker = Whole { pattern, data };
        let (outcome, others_turn) = self.port.take_one(from, looks, &picker)?;
        state.others_turn = others_turn;
        state.traffic.expected += 1;
        state.traffic.received.eager_bytes += outcome.message;
        Some(outcome)
    }

    /// Starts a receive into `data` that the caller waits for at once.
    #[inline(always)]
    pub fn expect(&mut self, pattern: Pattern, data: Data) -> Start {
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
            Expected::Waiting { .. } | Expected::Arriving => false,
            Expected::Posted(id) => self.done(id),
        }
    }

    /// Takes the outcome of the expected receive, which is over.
    #[inline(always)]
    pub fn take_expected(&mut self) -> Option<Outcome> {
        match std::mem::take(&mut self.state.expected) {
            Expected::Done(outcome) => Some(outcome),
            Expected::Posted(id) => self.finish(id),
            Expected::Waiting { .. } | Expected::Arriving | Expected::Nothing => None,
        }
    }

    /// Receives that stand beside the queues.
    pub(super) fn expected(&self) -> u64 {
        u64::from(matches!(self.state.expected, Expected::Waiting { .. }))
    }
}

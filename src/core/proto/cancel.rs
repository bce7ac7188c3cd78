//! Taking back what has been started: receives that have met no message, and sends (MPI-5.0, 3.8.4).

use super::queue::Waiting;
use super::{Arrived, OpId, OpState, Outcome, Proto, State};
use crate::matching::{Envelope, Queue};
use crate::transport::{Link, ProcId};
use crate::types::{Cancelled, Status};
use crate::wire::{Head, INLINE, kind};

impl State {
    fn cancelled(&mut self, id: OpId) {
        let status = Status {
            cancelled: Cancelled::Yes,
            ..Status::EMPTY
        };
        self.finish(id, Outcome { status, message: 0 });
    }

    /// Asks the receiver of a message to give it up.
    fn ask_back(&mut self, to: ProcId, envelope: Envelope, id: OpId) {
        let head = Head {
            kind: kind::RETRACT,
            flags: 0,
            inline: 0,
            context: envelope.context,
            tag: envelope.tag,
            source: envelope.source,
            id: id.0,
        };
        let payload = [0; INLINE];
        self.enqueue(to, Waiting::Control { head, payload });
    }

    /// A sender wants a message back. One that has met a receive is answered as any other.
    pub(super) fn retract(&mut self, sender: ProcId, envelope: Envelope, send: u32) {
        let found = self.matching.retract(envelope, |arrived| match arrived {
            Arrived::Announced(announced) => {
                announced.from == sender && announced.send == send && !announced.asked
            }
            Arrived::Eager {
                from, match_wanted, ..
            } => *from == sender && *match_wanted == Some(send),
        });
        if let Some(arrived) = found {
            self.departed(&arrived);
            self.control(sender, kind::RETRACTED, send, 0, 0);
        }
    }

    /// The receiver has given a message up.
    pub(super) fn retracted(&mut self, send: u32) {
        match self.find(send).map(|op| &op.state) {
            Some(OpState::Announced { .. } | OpState::AwaitingMatch) => self.cancelled(OpId(send)),
            _ => self.protocol_errors += 1,
        }
    }
}

impl<L: Link> Proto<L> {
    /// Tries to cancel (MPI-5.0, 3.8.4): a receive that has met no message, or a send of which nothing has left,
    /// ends at once with a cancelled status. The receiver is asked to give up a message that is there without its
    /// data, or whose match is waited for. The send ends when it answers. Returns whether the operation has ended.
    pub fn cancel(&mut self, id: OpId) -> bool {
        let op = self.state.op(id);
        let peer = op.peer;
        let envelope = op.envelope;
        let cancelled = match &op.state {
            OpState::Posted => {
                let queue = Queue::new(envelope.context, envelope.source);
                self.state.matching.withdraw(queue, id.0)
            }
            OpState::Queued { .. } => {
                let waiting = &mut self.state.peers[peer.0 as usize].waiting;
                let before = waiting.len();
                waiting.retain(|w| !matches!(w, Waiting::Message(other) if *other == id));
                before > waiting.len()
            }
            OpState::Announced { .. } | OpState::AwaitingMatch => {
                self.state.ask_back(peer, envelope, id);
                self.flush();
                false
            }
            _ => false,
        };
        if cancelled {
            self.state.cancelled(id);
        }
        cancelled
    }
}

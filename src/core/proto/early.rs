//! Short announced messages for which no receive is there: their receiver copies them early.
//!
//! A message that could have been eager is announced where its receiver copies it better by itself, out of memory
//! that others map. Its sender may nevertheless wait for its end before it receives anything, and count on its
//! being buffered, as elsewhere. So a process that finds nothing else to do copies such messages to buffers of its
//! own, as if they were eager. Their sends then end. What cannot be copied is asked for, and comes as one piece.

use super::long::Announcement;
use super::{Arrived, EAGER_LIMIT, OpId, OpState, Payload, Proto, State};
use crate::datatype::Span;
use crate::matching::Envelope;
use crate::transport::{Link, ProcId, Sink};
use crate::wire::{Pieces, kind};

/// Stands for the receive in the question for a message that none has met. No operation has this number.
pub(super) const NO_RECEIVE: OpId = OpId(u32::MAX);

/// An announced message that may be copied early.
pub(super) struct Copyable {
    envelope: Envelope,
    announced: Announcement,
}

/// A message that has been asked for, or come, without a receive: the oldest first.
pub(super) struct Requested {
    /// The send, at the other side.
    send: u32,
    state: RequestState,
}

enum RequestState {
    /// Not come, and no receive has met it.
    Awaited,
    /// Come.
    Here(Payload),
    /// Not come, but a receive has met it.
    Met(OpId),
    /// Nobody wants it any more.
    Dropped,
}

impl State {
    /// An announced message that has met no receive may be taken before it does.
    pub(super) fn may_copy_early(&mut self, envelope: Envelope, announced: Announcement) {
        // Its memory may be out of reach for this process, but is not for the sender.
        if announced.len <= EAGER_LIMIT && announced.address != 0 {
            self.copyable.push_back(Copyable {
                envelope,
                announced,
            });
        }
    }

    /// An announced message has left the queues.
    pub(super) fn no_longer_copyable(&mut self, gone: &Announcement) {
        let is_it = |copyable: &Copyable| {
            let Announcement { from, send, .. } = copyable.announced;
            (from, send) == (gone.from, gone.send)
        };
        if let Some(at) = self.copyable.iter().position(is_it) {
            self.copyable.remove(at);
        }
    }

    fn asked(&mut self, from: ProcId, send: u32) -> Option<(usize, &mut Requested)> {
        let mut asked = self.peers[from.0 as usize].asked.iter_mut().enumerate();
        asked.find(|(_, asked)| asked.send == send)
    }

    /// A receive meets a message that has been asked for without it.
    pub(super) fn meets_asked(&mut self, id: OpId, envelope: Envelope, announced: &Announcement) {
        let Announcement { from, send, .. } = *announced;
        let Some((at, asked)) = self.asked(from, send) else {
            unreachable!("it stands there until somebody meets it");
        };
        match std::mem::replace(&mut asked.state, RequestState::Met(id)) {
            RequestState::Here(payload) => {
                self.peers[from.0 as usize].asked.remove(at);
                self.deliver(id, envelope, payload.bytes(), &[]);
                self.pool.done_with(payload);
            }
            _ => {
                let data = self.op(id).data.take();
                let data = data.expect("a posted receive has a buffer");
                self.arrives(id, data, send, None);
            }
        }
    }

    /// Nobody will receive a message that has been asked for.
    pub(super) fn drop_asked(&mut self, announced: &Announcement) {
        let Announcement { from, send, .. } = *announced;
        if let Some((at, asked)) = self.asked(from, send) {
            match asked.state {
                RequestState::Here(_) => {
                    self.peers[from.0 as usize].asked.remove(at);
                }
                _ => asked.state = RequestState::Dropped,
            }
        }
    }

    /// The bytes of a message that has been asked for without a receive. Returns the receive that it has met since.
    pub(super) fn came_early(&mut self, from: ProcId, pieces: &Pieces<'_>) -> Option<OpId> {
        let peer = &mut self.peers[from.0 as usize];
        let not_here = |asked: &Requested| !matches!(asked.state, RequestState::Here(_));
        let Some(at) = peer.asked.iter().position(not_here) else {
            self.protocol_errors += 1;
            return None;
        };
        if let RequestState::Awaited = peer.asked[at].state {
            let payload = self.pool.keep(pieces.0, pieces.1);
            let len = payload.bytes().len() as u64;
            peer.asked[at].state = RequestState::Here(payload);
            self.counted(len);
            return None;
        }
        match peer.asked.remove(at)?.state {
            RequestState::Met(id) => Some(id),
            _ => None,
        }
    }
}

impl<L: Link> Proto<L> {
    /// Copies early what may be, but not from who is about to have sent too much. Returns whether there was anything.
    #[cold]
    pub(super) fn copy_early(&mut self) -> bool {
        let mut moved = false;
        for _ in 0..self.state.copyable.len() {
            let Some(copyable) = self.state.copyable.pop_front() else {
                break;
            };
            if self.state.congested(copyable.announced.from, true) {
                self.state.copyable.push_back(copyable);
                continue;
            }
            self.take(&copyable);
            moved = true;
        }
        self.flush();
        moved
    }

    fn take(&mut self, copyable: &Copyable) {
        let Announcement {
            from,
            len,
            send,
            address,
            ..
        } = copyable.announced;
        let mut bytes = self.state.pool.take(len as usize);
        bytes.resize(len as usize, 0);
        let mine = from == self.state.me;
        let copied = match self.state.find(send).map(|op| &op.state) {
            Some(OpState::Announced { data, .. }) if mine => {
                data.pack(0, &mut bytes);
                true
            }
            _ => self.link.pull(from, address, Span::new(&mut bytes)),
        };
        let is_it = |arrived: &Arrived| match arrived {
            Arrived::Announced(other) => (other.from, other.send) == (from, send),
            Arrived::Eager { .. } => false,
        };
        let Some(arrived) = self.state.matching.find_mut(copyable.envelope, is_it) else {
            unreachable!("it is copyable only while it is unexpected");
        };
        if copied {
            *arrived = Arrived::Eager {
                from,
                payload: Payload::Long(bytes),
                match_wanted: None,
            };
            self.state.traffic.buffered_bytes += len;
            let peer = &mut self.state.peers[from.0 as usize];
            peer.unexpected_bytes += len;
            self.state.counted(len);
            self.state
                .tell(from, kind::RECEIVED, send, &len.to_le_bytes());
        } else {
            *arrived = Arrived::Announced(Announcement {
                asked: true,
                ..copyable.announced
            });
            let state = RequestState::Awaited;
            self.state.peers[from.0 as usize]
                .asked
                .push_back(Requested { send, state });
            self.state.ask(from, send, NO_RECEIVE, 0, len);
        }
    }
}

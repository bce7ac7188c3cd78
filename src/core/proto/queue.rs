//! Frames that wait for room: a queue per peer, in order, and what leaves from it.

use super::{EAGER_LIMIT, EndId, FlowPattern, OpId, OpState, Proto, State, eager};
use crate::transport::{Link, ProcId, ReceiverActivity};
use crate::wire::{Head, INLINE, flag, kind};

/// A frame that waits for room.
pub(super) enum Waiting {
    Control {
        head: Head,
        payload: [u8; INLINE],
    },
    /// A queued send: eager or announcement, decided when its turn comes.
    Message(OpId),
    Stream(OpId),
    /// Ready ranges of a partitioned message.
    Partitions(EndId),
}

/// How much of a waiting frame has left.
pub(super) enum Launched {
    Whole,
    Part,
    Nothing,
    /// Some of it, if so said: the rest leaves when something has come. What waits behind it does not wait for
    /// that, as it may be what the other side waits for.
    Paced(bool),
}

fn whole(done: bool) -> Launched {
    if done {
        Launched::Whole
    } else {
        Launched::Nothing
    }
}

impl State {
    pub(super) fn enqueue(&mut self, to: ProcId, waiting: Waiting) {
        let peer = &mut self.peers[to.0 as usize];
        if peer.waiting.is_empty() {
            self.busy.push(to);
        }
        peer.waiting.push_back(waiting);
    }

    /// Queues a frame that says two numbers about the operation `id`.
    pub(super) fn control(&mut self, to: ProcId, kind: u8, id: u32, first: u64, second: u64) {
        let mut payload = [0; 16];
        payload[..8].copy_from_slice(&first.to_le_bytes());
        payload[8..].copy_from_slice(&second.to_le_bytes());
        self.tell(to, kind, id, &payload);
    }

    /// Queues a frame that says `what` about the operation `id`.
    pub(super) fn tell(&mut self, to: ProcId, kind: u8, id: u32, what: &[u8]) {
        let mut payload = [0; INLINE];
        payload[..what.len()].copy_from_slice(what);
        let head = Head {
            kind,
            inline: what.len() as u16,
            id,
            ..Head::default()
        };
        self.enqueue(to, Waiting::Control { head, payload });
    }
}

impl<L: Link> Proto<L> {
    /// Sends what waits, as far as there is room. Returns whether anything went out.
    pub(super) fn flush(&mut self) -> bool {
        let mut moved = false;
        let mut index = 0;
        while index < self.state.busy.len() {
            let to = self.state.busy[index];
            let mut paced = 0;
            while let Some(waiting) = self.state.peers[to.0 as usize].waiting.pop_front() {
                match self.launch(to, &waiting) {
                    Launched::Whole => moved = true,
                    Launched::Part => {
                        moved = true;
                        self.state.peers[to.0 as usize].waiting.push_front(waiting);
                        break;
                    }
                    Launched::Nothing => {
                        self.state.peers[to.0 as usize].waiting.push_front(waiting);
                        break;
                    }
                    Launched::Paced(some) => {
                        moved |= some;
                        let queue = &mut self.state.peers[to.0 as usize].waiting;
                        queue.push_back(waiting);
                        paced += 1;
                        if paced >= queue.len() {
                            break;
                        }
                    }
                }
            }
            if self.state.peers[to.0 as usize].waiting.is_empty() {
                self.state.busy.swap_remove(index);
            } else {
                index += 1;
            }
        }
        moved
    }

    fn launch(&mut self, to: ProcId, waiting: &Waiting) -> Launched {
        match waiting {
            Waiting::Control { head, payload } => {
                let said = &payload[..head.inline as usize];
                let done = self.link.frame(to, *head, said, None);
                self.state.traffic.sent.other_frames += u64::from(done);
                whole(done)
            }
            Waiting::Message(id) => self.launch_message(to, *id),
            Waiting::Stream(id) => self.launch_stream(to, *id),
            Waiting::Partitions(id) => self.launch_partitions(to, *id),
        }
    }

    fn launch_message(&mut self, to: ProcId, id: OpId) -> Launched {
        let envelope = self.state.op(id).envelope;
        let State { ops, peers, .. } = &mut self.state;
        let (op, peer) = (&mut ops[id.index()], &mut peers[to.0 as usize]);
        let OpState::Queued {
            data,
            synchronous,
            eagerly,
            stream,
        } = &op.state
        else {
            unreachable!("only queued sends wait as messages");
        };
        let (synchronous, eagerly, stream) = (*synchronous, *eagerly, *stream);
        let len = data.bytes();
        let congested = self.link.congested(to);
        if eagerly && !congested {
            let receiver = ReceiverActivity::of(stream);
            let flags = if synchronous { flag::SYNCHRONOUS } else { 0 };
            let head = eager::head(envelope, flags, id.0);
            let done = self.link.whole(to, head, data, receiver);
            let Some(further) = done else {
                return Launched::Nothing;
            };
            if synchronous {
                op.state = OpState::AwaitingMatch;
            } else {
                self.given_away(to, id);
            }
            self.state.traffic.sent.eager_bytes += len;
            self.state.traffic.sent.other_frames += further;
            return Launched::Whole;
        }
        let address = match stream {
            None => self.link.expose(to, data).unwrap_or(0),
            Some(_) => 0,
        };
        let head = Head {
            kind: kind::ANNOUNCE,
            flags: match len <= EAGER_LIMIT && !synchronous && !congested {
                true => flag::COPY_EARLY,
                false => 0,
            },
            inline: 16,
            context: envelope.context,
            tag: envelope.tag,
            source: envelope.source,
            id: id.0,
        };
        let said = [len, address].map(u64::to_le_bytes);
        if !self.link.frame(to, head, said.as_flattened(), None) {
            return Launched::Nothing;
        }
        if let OpState::Queued { data, .. } =
            std::mem::replace(&mut op.state, OpState::AwaitingMatch)
        {
            let behind = matches!(stream, Some(FlowPattern::Behind | FlowPattern::InTurn));
            op.state = OpState::Announced { data, behind };
        }
        peer.announced += 1;
        self.state.traffic.sent.announced_messages += 1;
        self.state.traffic.sent.other_frames += 1;
        Launched::Whole
    }
}

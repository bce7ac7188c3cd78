//! What each frame that arrives does, by its kind, and when a peer has sent too much.
//!
//! Must not know how frames travel.

use super::expected::Expected;
use super::long::Announcement;
use super::operation::{OpId, OpState};
use super::{Arrived, State, partitioned};
use crate::datatype::Span;
use crate::matching::Envelope;
use crate::transport::{EAGER_MOST, ProcId, Sink};
use crate::wire::{Head, Pieces, flag, kind, u32_at, u64_at};

/// Unexpected bytes and messages from one peer above which it is asked to announce; below half of them
/// it may send eagerly again.
pub(super) const CONGESTED_BYTES: u64 = 16 << 20;
const CONGESTED_MESSAGES: u64 = 64 << 10;

#[inline(always)]
pub(super) fn envelope(head: &Head) -> Envelope {
    Envelope {
        context: head.context,
        source: head.source,
        tag: head.tag,
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
                        if head.flags & flag::COPY_EARLY != 0 {
                            self.may_copy_early(envelope, announced);
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
                match self.find(head.id).map(|op| &op.state) {
                    Some(OpState::AwaitingMatch) => self.sent(OpId(head.id)),
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
}

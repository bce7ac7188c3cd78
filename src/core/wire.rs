//! What frames say to each other: the kinds of frame and the layout of their inline payload.
//!
//! A frame is a `Head` (context, tag, source, id), up to 40 bytes inside the slot, or 100 inside two, and perhaps a body. Every
//! field that comes from outside is checked where it is used; this module only gives names and widths.

pub use crate::shm::ring::{Head, INLINE, MAX_BODY, WIDE};

/// Kinds of frame (`Head::kind`).
pub mod kind {
    /// A whole message of up to [`super::WIDE`] bytes: inline payload is the message itself.
    pub const EAGER: u8 = 1;
    /// A whole message of more than [`super::WIDE`] bytes: inline holds its length, the body the bytes.
    pub const EAGER_BODY: u8 = 2;
    /// The first piece of an eager message; inline holds the length of the message.
    pub const EAGER_FIRST: u8 = 15;
    /// The next piece of the eager message under way; inline holds the piece's length.
    pub const EAGER_MORE: u8 = 16;
    /// The announcement of a message; inline holds its length and its address, `id` names the send.
    pub const ANNOUNCE: u8 = 3;
    /// The answer to an announcement: `id` names the send, inline holds the range of bytes that are wanted and
    /// the receive they are for, or all ones if none has met it.
    pub const WANTED: u8 = 4;
    /// A piece of a wanted message: `id` names the receive, inline holds the piece's length and position.
    pub const PIECE: u8 = 5;
    /// A synchronous eager message has met its receive: `id` names the send.
    pub const MATCHED: u8 = 6;
    /// A partitioned send has been made: inline holds the bytes of its message, `id` names its end.
    pub const INVITE: u8 = 7;
    /// The receiver of a partitioned message has started a round: `id` names the sender's end, inline the
    /// receiver's.
    pub const GRANT: u8 = 8;
    /// Part of a partitioned message: `id` names the receiver's end, inline holds length and position.
    pub const PART: u8 = 9;
    /// The sender of an announced or synchronous message wants it back: the message's context, source and
    /// tag, `id` names the send.
    pub const RETRACT: u8 = 10;
    /// A message that had met no receive has been given up: `id` names the send.
    pub const RETRACTED: u8 = 11;
    /// The receiver copies an announced message and asks the sender to take part: `id` names the send, inline
    /// holds length, address, size of a chunk, their counter and the receive.
    pub const JOINT: u8 = 12;
    /// The sender has taken its last chunk of a joint message: `id` names the receive, inline holds how
    /// many bytes it has copied.
    pub const COPIED: u8 = 13;
    /// The receiver has all that it wants of a joint message: `id` names the send, inline holds the bytes.
    pub const RECEIVED: u8 = 14;
}

/// Flags (`Head::flags`).
pub mod flag {
    /// The sender waits for [`super::kind::MATCHED`].
    pub const SYNCHRONOUS: u8 = 1;
    /// An announced message may be taken before a receive has met it.
    pub const ASIDE: u8 = 2;
}

/// Reads a little-endian u64 of an inline payload; 0 where it is too short.
pub fn u64_at(inline: &[u8], at: usize) -> u64 {
    inline
        .get(at..at + 8)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

/// Reads a little-endian u32 of an inline payload; 0 where it is too short.
pub fn u32_at(inline: &[u8], at: usize) -> u32 {
    inline
        .get(at..at + 4)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

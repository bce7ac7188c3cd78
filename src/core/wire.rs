//! What crosses a link: frames, their heads, the kinds of frame and what each kind says.
//!
//! A frame is a [`Head`], up to [`INLINE`] bytes that lie beside it, and perhaps a body. Every field that comes from
//! outside is checked where it is used; this module only gives names and widths. It must not know how frames travel.

/// Bytes of payload that lie beside the head.
pub const INLINE: usize = 40;
/// Bytes of a message that a frame may carry without a body: what does not lie beside the head comes as if it were one.
pub const WIDE_INLINE: usize = 100;

/// Bytes of a head that crosses a network.
pub const ENCODED: usize = 20;

/// What a frame says before its payload. Fixed layout: it crosses processes of one node as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Head {
    /// One of [`kind`].
    pub kind: u8,
    /// Some of [`flag`]; the upper five bits are the link's.
    pub flags: u8,
    /// Bytes of payload beside the head; of a wide frame all of its payload.
    pub inline: u16,
    pub context: u32,
    pub tag: i32,
    /// The sender's rank in the communicator.
    pub source: u32,
    /// A request of the sender or of the receiver, by kind.
    pub id: u32,
}

impl Head {
    /// Whether it is a message of more than [`INLINE`] bytes without a body.
    #[inline(always)]
    pub fn is_wide(&self) -> bool {
        self.inline as usize > INLINE
    }

    /// As it crosses a network: its fields in their order, little-endian, nothing between them.
    pub fn encode(&self) -> [u8; ENCODED] {
        let mut bytes = [0; ENCODED];
        (bytes[0], bytes[1]) = (self.kind, self.flags);
        bytes[2..4].copy_from_slice(&self.inline.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.context.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.tag.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.source.to_le_bytes());
        bytes[16..].copy_from_slice(&self.id.to_le_bytes());
        bytes
    }

    /// The head that was [encoded](Self::encode) so. Any bytes are one.
    pub fn decode(bytes: &[u8; ENCODED]) -> Head {
        Head {
            kind: bytes[0],
            flags: bytes[1],
            inline: u16::from_le_bytes([bytes[2], bytes[3]]),
            context: u32_at(bytes, 4),
            tag: u32_at(bytes, 8).cast_signed(),
            source: u32_at(bytes, 12),
            id: u32_at(bytes, 16),
        }
    }
}

/// A body as its receiver finds it: the second part is what did not fit behind the first one.
pub struct Pieces<'a>(pub &'a [u8], pub &'a [u8]);

/// Where the payload of a frame lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// Beside the head.
    Inline,
    /// Beside the head and, as of a [wide](Head::is_wide) frame, where a body would be.
    Wide,
    /// In a body of so many bytes.
    Body(usize),
}

/// What takes a frame only if it is the one. Not closures, which are not always inlined: what a frame gives would go
/// through memory.
pub trait Picker {
    type Picked;

    /// Whether a body is taken without a call. Not where that is rare, and would take registers from the rest.
    const INLINED: bool;

    /// Where the payload of the frame with this head lies, if it is wanted. `inline`: what lies beside the head.
    fn wants(&self, head: &Head, inline: &[u8]) -> Option<Location>;

    /// Takes a frame without a body; `second`: the second part of the payload of a wide one.
    fn inline(&self, head: &Head, payload: &[u8], second: &[u8]) -> Self::Picked;

    /// Takes any other.
    fn body(&self, head: &Head, inline: &[u8], body: Pieces<'_>) -> Self::Picked;
}

/// A counter of chunks that both ends of a message take some of, as both name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub index: u32,
    pub generation: u32,
}

/// Kinds of frame (`Head::kind`).
pub mod kind {
    /// A whole message of up to [`super::WIDE_INLINE`] bytes: inline payload is the message itself.
    pub const EAGER: u8 = 1;
    /// A whole message of more than [`super::WIDE_INLINE`] bytes: inline holds its length, the body the bytes.
    pub const EAGER_BODY: u8 = 2;
    /// The first piece of an eager message; inline holds the length of the message.
    pub const EAGER_FIRST: u8 = 15;
    /// The next piece of the eager message under way; inline holds the piece's length.
    pub const EAGER_MORE: u8 = 16;
    /// The announcement of a message; inline holds its length and its address, `id` names the send.
    pub const ANNOUNCE: u8 = 3;
    /// The answer to an announcement: `id` names the send. Inline holds the range of bytes that are wanted, and the
    /// receive they are for, or all ones if none has met it.
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
    /// Those that a link may use for itself.
    pub const OF_LINK: u8 = 0xf8;
    /// The sender waits for [`super::kind::MATCHED`].
    pub const SYNCHRONOUS: u8 = 1;
    /// An announced message may be taken before a receive has met it.
    pub const COPY_EARLY: u8 = 2;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_has_one_layout_on_every_machine() {
        let head = Head {
            kind: 3,
            flags: 0x81,
            inline: 0x0204,
            context: 0x0506_0708,
            tag: -2,
            source: 0x090a_0b0c,
            id: 0x0d0e_0f10,
        };
        let bytes = [
            3, 0x81, 4, 2, 8, 7, 6, 5, 0xfe, 0xff, 0xff, 0xff, 0x0c, 0x0b, 0x0a, 9, 0x10, 0x0f,
            0x0e, 0x0d,
        ];
        assert_eq!(head.encode(), bytes);
        assert_eq!(Head::decode(&bytes), head);
    }
}

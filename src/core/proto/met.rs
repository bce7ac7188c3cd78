//! What the receiver of a message does meanwhile, as far as its sender knows.

/// What travels together with data that goes through memory which processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Nothing.
    OneWay,
    /// Nothing, and the receiver copies its own first, while this comes.
    Behind,
    /// Nothing, but the receiver has its own or others' to copy first: whoever sends would run ahead of it, through a ring that no
    /// cache holds, and what comes too soon would be kept.
    InTurn,
    /// As much the other way: both sides write before they read.
    BothWays,
}

/// What the receiver of a message that leaves at once does meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// Waits for its first piece.
    Waits,
    /// Copies something else first.
    IsBehind,
    /// Writes as much the other way.
    Writes,
}

impl Receiver {
    /// That of a message, or of what a collective says of its data.
    #[inline]
    pub fn of(stream: Option<Stream>) -> Receiver {
        match stream {
            Some(Stream::BothWays) => Receiver::Writes,
            Some(Stream::Behind) => Receiver::IsBehind,
            _ => Receiver::Waits,
        }
    }
}

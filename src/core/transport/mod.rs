//! The contract of a link: how frames, and the data of messages, travel between processes.
//!
//! A link sees frames, never requests, and matches nothing. Frames of one process arrive once, whole and in the order
//! in which they were sent; those of several processes in any order. Back-pressure is a value: what finds no room now
//! has not happened, and is tried again. Nothing here waits, and nothing here knows a way in which frames travel.
//!
//! What happens when a process is lost the contract does not say yet: a link takes frames to it and drops them, and says
//! in a way of its own whom it has lost.
//!
//! Seven methods make a link. The others say how it does better than one frame after the other: whole messages and
//! long data that it cuts itself, and remote memory that the receiver or the sender copies from or to. Frames may
//! also be taken without a look at the rest.

pub mod links;
pub mod shm;
#[cfg(test)]
pub mod simulated;
pub mod socket;
pub mod tcp;

use std::os::fd::BorrowedFd;

use crate::datatype::{Data, Span};
use crate::wire::{Claim, Head, INLINE, Picker, Pieces, kind};

pub use crate::types::ProcId;
pub use links::Links;

/// Messages of up to this many bytes may always leave before their receive is known. The data of such a message is one
/// frame at most.
pub const EAGER_LIMIT: u64 = 16 << 10;
/// No longer message leaves before its receive is known.
pub const EAGER_MOST: u64 = 256 << 10;
/// Most messages that are [pulled together](Link::pull_together).
pub const PULLED_TOGETHER: usize = 8;

/// What a link hands arriving frames to.
pub trait Sink {
    /// Takes one frame. `inline` lies beside its head; `body(n)` are the first `n` bytes of its body, fewer if it has
    /// fewer, or of what else a [wide](Head::is_wide) frame has. The upper five bits of the head's flags are 0, as those
    /// are the link's. Returns how many bytes the body has as far as the frame says so: a link need not know it before.
    fn frame<'a>(
        &mut self,
        from: ProcId,
        head: &Head,
        inline: &'a [u8],
        body: &dyn Fn(usize) -> Pieces<'a>,
    ) -> usize;

    /// Where the body of a [placed] frame of so many bytes goes, if that is memory in one piece. A link that gets
    /// the body bit by bit may write it there. Then it says that all of it is [there](Self::arrived) instead of
    /// giving the frame.
    fn place(
        &mut self,
        _from: ProcId,
        _head: &Head,
        _inline: &[u8],
        _bytes: usize,
    ) -> Option<Span<'_>> {
        None
    }

    /// All of a body is in its [place](Self::place).
    fn arrived(&mut self, _from: ProcId, _head: &Head, _bytes: usize) {}

    /// Whether the caller has what it waits for: frames behind it are better left in place until somebody
    /// wants them.
    fn enough(&self) -> bool;

    /// Whether `from` should announce its messages because too many of them wait here unexpected; `already`: it
    /// does, and goes on until there are far less. A link asks after it has given frames from there, and tells `from`
    /// ([`Link::congested`]).
    fn congested(&self, from: ProcId, already: bool) -> bool;
}

/// Which end of a message this process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Sender,
    Receiver,
}

/// What a collective says of data that it sends through the link, and never lets its receiver pull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowPattern {
    /// Nothing travels together with it.
    OneWay,
    /// Nothing does, and the receiver copies its own first, while this comes.
    Behind,
    /// Nothing does, but the receiver has its own or others' to copy first: whoever sends would run ahead of it, through
    /// memory that no cache holds, and what comes too soon would be kept.
    InTurn,
    /// As much the other way: both sides write before they read.
    BothWays,
}

/// What the receiver of data does meanwhile, as far as its sender knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverActivity {
    /// It waits for the first of it.
    Waits,
    /// It copies something else first.
    IsBehind,
    /// It writes as much the other way.
    Writes,
}

impl ReceiverActivity {
    /// That of a message, or of what a collective says of its data.
    #[inline]
    pub fn of(stream: Option<FlowPattern>) -> ReceiverActivity {
        match stream {
            Some(FlowPattern::BothWays) => ReceiverActivity::Writes,
            Some(FlowPattern::Behind) => ReceiverActivity::IsBehind,
            _ => ReceiverActivity::Waits,
        }
    }
}

/// What else the two ends of a message have to copy, as far as its receiver knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherCopies {
    /// A message the other way.
    pub exchange: bool,
    /// Other messages.
    pub others: bool,
}

/// How the data of an announced message is to travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// Its sender sends it.
    Stream,
    /// Its receiver pulls it.
    Pull,
    /// Its receiver pulls and its sender pushes, chunk by chunk.
    Both,
}

/// Some of a message's packed data.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub data: &'a Data,
    /// Bytes that come before it.
    pub position: u64,
    pub bytes: u64,
}

/// What a sender of data in parts knows of its receiver.
#[derive(Clone, Copy, Debug)]
pub struct ReceiverState {
    pub activity: ReceiverActivity,
    /// Bytes that paced data to this process is ahead of what comes from there meanwhile. Negative: it is behind.
    pub ahead: i64,
}

impl ReceiverState {
    pub const WAITING: ReceiverState = ReceiverState {
        activity: ReceiverActivity::Waits,
        ahead: 0,
    };
}

/// How much of a part has gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    pub bytes: u64,
    pub frames: u64,
    /// It goes as fast as what comes the other way: the rest waits for that, and not only for room.
    pub paced: bool,
}

/// What has gone over a link so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames.
    pub sent: u64,
    /// Frames.
    pub received: u64,
    /// Processes that this one has sent frames to.
    pub peers: u64,
}

/// The way from this process to others, itself among them.
pub trait Link {
    /// Number of processes that can be reached; their ids are `0..processes`.
    fn processes(&self) -> usize;

    /// This process.
    fn me(&self) -> ProcId;

    /// Sends a frame of which `inline` lies beside the head, at most [`INLINE`] bytes, and the body is this part, at most
    /// [`LONGEST_BODY`](Self::LONGEST_BODY) bytes. The link says in the head how long `inline` is. When this returns, the
    /// data may change. `false`: there is no room now, and nothing has been sent.
    fn frame(&mut self, to: ProcId, head: Head, inline: &[u8], body: Option<Part<'_>>) -> bool;

    /// Delivers what has arrived, and sends on what had no room before; returns the number of frames that came.
    fn poll(&mut self, sink: &mut impl Sink) -> usize;

    /// Whether [`poll`](Self::poll) has something to do, without doing it. Who is about to sleep asks this last.
    fn pending(&self) -> bool;

    /// Whether `to` has asked for announcements instead of eager messages ([`Sink::congested`]). It may be noticed late.
    fn congested(&self, to: ProcId) -> bool;

    /// What has gone over it so far.
    fn counts(&self) -> Counts;

    /// Longest body of a frame, in bytes: at least [`EAGER_LIMIT`].
    const LONGEST_BODY: u64 = EAGER_LIMIT;

    /// Whether every frame that was sent to a process has left this one, or does so without its help. A send whose frames have
    /// not is not over.
    #[inline(always)]
    fn flushed(&self, _to: ProcId) -> bool {
        true
    }

    /// This process has slept, or has let others run: what [`poll`](Self::poll) looks at seldom may have something now.
    fn awake(&mut self) {}

    /// A call that only tests is about to ask whether something is [pending](Self::pending). The application may do anything
    /// before the next one.
    #[inline(always)]
    fn tested(&mut self) {}

    /// Whether every frame that was sent has left this process, or does so without its help.
    fn drained(&self) -> bool {
        true
    }

    /// This process has nothing more to say to anybody, unless it sends something all the same.
    fn leave(&mut self) {}

    /// What becomes readable when [`poll`](Self::poll) has something to do while this process sleeps. `None`: whoever
    /// sends wakes it ([`park`](crate::park)).
    fn park(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    // --- messages that leave at once ------------------------------------------------------------------

    /// Whether a message that finds room leaves at once; `stream`: what a collective says of it. The answer is for this
    /// message, and asked once.
    fn leaves_at_once(&mut self, _to: ProcId, data: &Data, _stream: Option<FlowPattern>) -> bool {
        data.bytes() <= EAGER_LIMIT
    }

    /// Whether [`short`](Self::short) and [`take`](Self::take) may be asked for this process. They are for links that need no call of
    /// the system; the others' messages go the ordinary way.
    #[inline(always)]
    fn is_near(&self, _process: ProcId) -> bool {
        false
    }

    /// Sends a whole message of at most [`WIDE_INLINE`](crate::wire::WIDE_INLINE) bytes to a [near](Self::is_near) process, unless that has asked
    /// for announcements. What is sent so has left at once.
    fn short(&mut self, _to: ProcId, _head: Head, _data: &Data) -> bool {
        false
    }

    /// Sends a whole message that [leaves at once](Self::leaves_at_once), if there is room for all of it. `head` is that of
    /// [`kind::EAGER`] but for its length. Returns the number of frames beyond the first.
    #[inline(never)]
    fn whole(
        &mut self,
        to: ProcId,
        head: Head,
        data: &Data,
        _receiver: ReceiverActivity,
    ) -> Option<u64> {
        let bytes = data.bytes();
        let mut place = [0; INLINE];
        let done = match place.get_mut(..bytes as usize) {
            Some(place) => {
                data.pack(0, place);
                let inline = bytes as u16;
                self.frame(to, Head { inline, ..head }, place, None)
            }
            None => {
                let said = (bytes as u32).to_le_bytes();
                let head = Head {
                    kind: kind::EAGER_BODY,
                    inline: size_of_val(&said) as u16,
                    ..head
                };
                let body = Part {
                    data,
                    position: 0,
                    bytes,
                };
                self.frame(to, head, &said, Some(body))
            }
        };
        done.then_some(0)
    }

    // --- data in parts --------------------------------------------------------------------------------

    /// Sends as much of this part as there is room for, in frames of this kind that say length and position: which the
    /// operation `id` of the other side puts there ([`placed`]).
    fn part(
        &mut self,
        to: ProcId,
        (kind, id): (u8, u32),
        part: Part<'_>,
        _receiver: ReceiverState,
    ) -> Sent {
        let mut sent = Sent::default();
        while sent.bytes < part.bytes {
            let body = Part {
                position: part.position + sent.bytes,
                bytes: (part.bytes - sent.bytes).min(Self::LONGEST_BODY),
                ..part
            };
            let (head, said) = placed((kind, id), body.position, body.bytes);
            if !self.frame(to, head, &said, Some(body)) {
                break;
            }
            sent.bytes += body.bytes;
            sent.frames += 1;
        }
        sent
    }

    // --- remote memory --------------------------------------------------------------------------------

    /// Counters of [chunks](Self::take_chunk) for messages from each process.
    const CLAIMS: usize = 0;

    /// Where this data lies for `to`, if that process can pull it, as far as this one can tell. Not 0.
    fn expose(&mut self, _to: ProcId, _data: &Data) -> Option<u64> {
        None
    }

    /// How the data of a message is to travel, of which `bytes` bytes are wanted: from one address in `from`, which was
    /// [exposed](Self::expose), to another one here.
    fn transfer(
        &mut self,
        _from: ProcId,
        _ends: [u64; 2],
        _bytes: u64,
        _other_copies: OtherCopies,
    ) -> Transfer {
        Transfer::Stream
    }

    /// Copies from `address` in the memory of `from`. `false`: not all of it could be copied.
    fn pull(&mut self, _from: ProcId, _address: u64, _to: Span<'_>) -> bool {
        false
    }

    /// [`pull`](Self::pull) from up to [`PULLED_TOGETHER`] places at once. `false`: that could not be done, or not for all of
    /// it.
    fn pull_together<'s>(
        &mut self,
        _from: ProcId,
        _parts: impl ExactSizeIterator<Item = (u64, Span<'s>)>,
    ) -> bool {
        false
    }

    /// Copies to `address` in the memory of `to`. `false`: not all of it could be copied.
    fn push(&mut self, _to: ProcId, _address: u64, _from: Span<'_>) -> bool {
        false
    }

    /// Starts to count chunks of a message from `from`.
    fn open_claim(&self, _from: ProcId, _claim: Claim) {}

    /// Takes the next of the `chunks` chunks of a message between this process and `peer`, if any is left.
    fn take_chunk(&self, _peer: ProcId, _end: End, _claim: Claim, _chunks: u32) -> Option<u32> {
        None
    }

    // --- frames that somebody waits for ---------------------------------------------------------------

    /// Gives the next frame from `from`, which is [near](Self::is_near), to `picker` if it has come, or comes within so many looks, and is wanted. `None`:
    /// nothing has happened, or this link only [polls](Self::poll). With what it gave `true`, every now and then: it is time
    /// to poll.
    #[inline(always)]
    fn take<K: Picker>(
        &mut self,
        _from: ProcId,
        _looks: u32,
        _picker: &K,
    ) -> Option<(K::Picked, bool)> {
        None
    }
}

/// A frame of this kind whose body the operation `id` of the other side puts at a position: its head, and what it says.
pub fn placed((kind, id): (u8, u32), position: u64, bytes: u64) -> (Head, [u8; 12]) {
    let mut said = [0; 12];
    said[..4].copy_from_slice(&(bytes as u32).to_le_bytes());
    said[4..].copy_from_slice(&position.to_le_bytes());
    let head = Head {
        kind,
        id,
        inline: size_of_val(&said) as u16,
        ..Head::default()
    };
    (head, said)
}

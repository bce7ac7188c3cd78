//! How frames travel between processes. A transport sees frames, never tags or requests.
//!
//! Back-pressure is a value: `false` means "no room now", and nothing has happened.

mod pace;
pub mod shm;

use crate::datatype::Span;
use crate::shm::claims::Claim;
#[cfg(doc)]
use crate::shm::direct::MOST_PLACES;
use crate::shm::ring::{BodyWriter, By, Head, Picker, Pieces, Short};
use crate::shm::zero_copy::Direct;
use crate::tuning::Tuning;

pub use pace::Pace;

pub use crate::shm::zero_copy::Load;
pub use crate::types::ProcId;

/// What a transport hands arriving frames to.
pub trait Sink {
    /// Takes one frame; `body(n)` are the `n` bytes of payload beside the slot. Returns how many of them
    /// the frame has.
    fn frame(
        &mut self,
        from: ProcId,
        head: &Head,
        inline: &[u8],
        body: &dyn Fn(usize) -> Pieces<'static>,
    ) -> usize;

    /// Whether the caller has what it waits for: frames behind it are better left in place until somebody
    /// wants them.
    fn enough(&self) -> bool;

    /// Whether `from` should announce its messages because too many of them wait here unexpected; `already`: it
    /// does, and goes on until there are far less.
    fn congested(&self, from: ProcId, already: bool) -> bool;
}

/// Which end of a message this process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Sender,
    Receiver,
}

/// The way to the other processes, chosen once per peer.
pub trait Port {
    /// Number of processes that can be reached; their ids are `0..processes`.
    fn processes(&self) -> usize;

    /// This process.
    fn me(&self) -> ProcId;

    /// The row of the tuning that says how messages are cut.
    fn tuning(&self) -> &'static Tuning;

    /// Sends a frame whose payload is the `head.inline` bytes that `fill` writes.
    fn try_inline(&mut self, to: ProcId, head: Head, fill: impl FnOnce(&mut [u8])) -> bool;

    /// As [`try_inline`](Self::try_inline), of more bytes than fit into one slot and no more than into two: `fill` writes a part of
    /// them, from a position on.
    fn try_wide(&mut self, to: ProcId, head: Head, fill: impl Fn(usize, &mut [u8])) -> bool;

    /// As [`try_inline`](Self::try_inline), but not to a process that has asked for announcements.
    fn try_short(&mut self, to: ProcId, head: Head, fill: impl FnOnce(&mut [u8])) -> bool;

    /// How the longer bodies of a message to `to` had better travel: by exchange buffers if those are `bodies` bodies of at most
    /// [`EXCHANGE_BUFFER`](crate::shm::exchange_buffer::EXCHANGE_BUFFER) bytes. Asked once of each message, or part of one, that finds room.
    fn by(&mut self, to: ProcId, bodies: usize) -> By;

    /// So many bodies of the message that is about to leave by exchange buffers are to lie one behind the other, so that more of them can be
    /// [one](Self::together).
    fn put_in_order(&mut self, to: ProcId, bodies: usize);

    /// Bytes that the next body may have where it travels by exchange buffers: those of one, or of several that lie together.
    fn together(&mut self, to: ProcId) -> usize;

    /// How a message of so many bodies paces another one that comes; `None`: it had better leave at once.
    fn pace(&mut self, to: ProcId, bodies: usize) -> Option<Pace>;

    /// Sends a frame with so many (at most `MAX_BODY`, in exchange buffers `TOGETHER`) bytes of body, which travel [so](Self::by), and
    /// which `fill` writes.
    fn try_body(
        &mut self,
        to: ProcId,
        head: Head,
        body: (usize, By),
        inline: impl FnOnce(&mut [u8]),
        fill: impl BodyWriter,
    ) -> bool;

    /// [`try_body`](Self::try_body) of a message that is one body of `len` bytes, at most [`EXCHANGE_BUFFER`](crate::shm::exchange_buffer::EXCHANGE_BUFFER),
    /// in an exchange buffer. `None`: none is here for it; if it is `short`, all the same if many are away.
    fn try_exchange_buffer(
        &mut self,
        to: ProcId,
        head: Head,
        body: (usize, Short),
        inline: impl FnOnce(&mut [u8]),
        fill: impl BodyWriter,
    ) -> Option<bool>;

    /// Whether `frames` frames with `bytes` bytes of body would find room now.
    fn has_room(&mut self, to: ProcId, frames: usize, bytes: usize) -> bool;

    /// Whether `to` has asked for announcements instead of eager messages.
    fn congested(&self, to: ProcId) -> bool;

    /// Whether the receiver of a message between this process and `peer` can read `bytes` bytes at `address` in
    /// the sender's memory: as its receiver for certain, as its sender as far as this process can tell.
    fn reaches(&mut self, peer: ProcId, end: End, address: u64, bytes: u64) -> bool;

    /// Whether a message of these bytes of this process is better left there for its receiver to copy, even if it
    /// could leave at once.
    fn lends(&self, address: u64, bytes: u64) -> bool;

    /// Longest message, in bytes, that leaves at once though it could wait for its receive where it lies.
    fn eager_limit(&self) -> u64;

    /// Longest message, in bytes, that can leave at once to `to` at present. It never becomes less.
    fn eager_most(&mut self, to: ProcId) -> u64;

    /// How a message of `bytes` bytes from one address in `from` to another one here is to be copied.
    fn way(&mut self, from: ProcId, ends: [u64; 2], bytes: u64, load: Load) -> Direct;

    /// Copies from `address` in the memory of `from`. `false`: not all of it could be copied.
    fn read(&self, from: ProcId, address: u64, to: Span<'_>) -> bool;

    /// [`read`](Self::read) from up to [`MOST_PLACES`] places at once. `false`: that could not be done, or not for all of it.
    fn read_together<'s>(
        &self,
        from: ProcId,
        parts: impl ExactSizeIterator<Item = (u64, Span<'s>)>,
    ) -> bool;

    /// Copies to `address` in the memory of `to`. `false`: not all of it could be copied.
    fn write(&self, to: ProcId, address: u64, from: Span<'_>) -> bool;

    /// Starts to count chunks of a message from `from`.
    fn open_claim(&self, from: ProcId, claim: Claim);

    /// Takes the next of the `chunks` chunks of a message between this process and `peer`, if any is left.
    fn take_chunk(&self, peer: ProcId, end: End, claim: Claim, chunks: u32) -> Option<u32>;

    /// Delivers what has arrived; returns the number of frames.
    fn poll(&mut self, sink: &mut impl Sink) -> usize;

    /// Gives the next frame from `from` to `picker` if it has come, or comes within so many looks, and is wanted. `None`: nothing
    /// has happened. With what it gave `true`, every now and then: it is time to [`poll`](Self::poll).
    fn take_one<K: Picker>(
        &mut self,
        from: ProcId,
        looks: u32,
        picker: &K,
    ) -> Option<(K::Picked, bool)>;

    /// Whether a frame waits, without taking it.
    fn pending(&self) -> bool;

    /// Frames sent and received so far.
    fn frames(&self) -> (u64, u64);

    /// Processes that this one has sent frames to.
    fn peers(&self) -> u64;
}

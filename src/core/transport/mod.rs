//! How frames travel between processes. A transport sees frames, never tags or requests.
//!
//! Back-pressure is a value: `false` means "no room now", and nothing has happened.

pub mod shm;

use crate::shm::ring::{Head, Pieces, PiecesMut};

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

    /// Whether `from` should announce its messages because too many of them wait here unexpected.
    fn congested(&self, from: ProcId) -> bool;
}

/// The way to the other processes, chosen once per peer.
pub trait Port {
    /// Number of processes that can be reached; their ids are `0..processes`.
    fn processes(&self) -> usize;

    /// Sends a frame whose payload is the `head.inline` bytes that `fill` writes.
    fn try_inline(&mut self, to: ProcId, head: Head, fill: impl FnOnce(&mut [u8])) -> bool;

    /// Sends a frame with `len` (at most `MAX_BODY`) bytes of body.
    fn try_body(
        &mut self,
        to: ProcId,
        head: Head,
        len: usize,
        inline: impl FnOnce(&mut [u8]),
        fill: impl FnOnce(PiecesMut<'_>),
    ) -> bool;

    /// Whether `to` has asked for announcements instead of eager messages.
    fn congested(&self, to: ProcId) -> bool;

    /// Delivers what has arrived; returns the number of frames.
    fn poll(&mut self, sink: &mut impl Sink) -> usize;

    /// Whether a frame waits, without taking it.
    fn pending(&self) -> bool;

    /// Frames sent and received so far.
    fn frames(&self) -> (u64, u64);

    /// Processes that this one has sent frames to.
    fn peers(&self) -> u64;
}

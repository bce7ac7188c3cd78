//! Collectives through memory that all ranks share.
//!
//! Every rank writes to its own part of the [`CollSegment`] and reads the others'. A short contribution travels
//! with the number of its operation in one cache line, or in a slot beside it; longer ones pass through
//! lanes in pieces, so that writing and reading go on at the same time. Between two ranks, memory for either changes hands
//! instead ([`handover`](crate::shm::handover)). Ranks say what length they
//! contribute, so that all who read it notice when lengths do not agree, and go on all the same.
//!
//! Assumes that `net.coll_segment()` gives a collective segment. Must not know how the memory came to be shared.

mod bcast;
mod blockwise;
mod chain;
mod offers;
mod pair;
mod passes;
mod pieces;
mod reduction;

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

pub(super) use bcast::bcast;
pub(super) use blockwise::{Row, allgather, alltoall, gather, scatter};
pub(super) use reduction::{
    LONGEST_ELEMENT, allreduce, combine, cuts_for_all, cuts_for_one, reduce, reduce_scatter,
    reduces, scan,
};

use super::net::{Coll, Net};
use crate::datatype::Data;
use crate::error::{Error, class};
pub(crate) use crate::shm::collective::{CollSegment, Watch};
use crate::shm::collective::{GRANULE, Loan, SLOT};

/// One operation on the collective segment.
struct Turn<'c, 'n, N: Net> {
    coll: &'c Coll<'n, N>,
    coll_segment: &'n CollSegment,
    number: u64,
}

impl<'c, 'n, N: Net> Turn<'c, 'n, N> {
    #[inline]
    fn begin(coll: &'c Coll<'n, N>) -> Self {
        let coll_segment = coll.net().coll_segment();
        let coll_segment = coll_segment.expect("chosen only where there is an coll_segment");
        let turn = Turn {
            coll,
            coll_segment,
            number: coll_segment.begin(),
        };
        // Who wants its lane back may still wait for a rank that read less than it should have.
        turn.step(0);
        turn
    }

    /// Waits for one number.
    #[inline(always)]
    fn wait(&self, watch: Watch) -> WaitFor<'n, N> {
        WaitFor {
            net: self.coll.net(),
            coll_segment: self.coll_segment,
            watch,
        }
    }

    /// Waits for the contribution of `rank`.
    #[inline(always)]
    fn contributed(&self, rank: usize) -> WaitFor<'n, N> {
        self.wait(self.coll_segment.contributed(rank, self.number))
    }

    /// Waits for a step of `rank`.
    #[inline(always)]
    fn stepped(&self, rank: usize, step: u64) -> WaitFor<'n, N> {
        self.wait(self.coll_segment.stepped(rank, self.number, step))
    }

    /// The other ranks, the next one first, so that not all read the same memory at once.
    #[inline(always)]
    fn others(&self) -> impl Iterator<Item = usize> + use<'c, 'n, N> {
        let coll = self.coll;
        (1..coll.size).map(|distance| coll.after(distance))
    }

    /// Waits until all others have done a step.
    async fn all_stepped(&self, step: u64) {
        for rank in self.others() {
            self.stepped(rank, step).await;
        }
    }

    /// Contributes `length` bytes that only others read, as [`write`](Self::write) does.
    #[inline(always)]
    async fn give(&self, length: u64, fill: impl FnOnce(&mut [u8])) {
        self.coll_segment.hand_over(self.number, length);
        self.place(length).await;
        self.coll_segment.write(self.number, length, fill);
    }

    /// [`give`](Self::give) of what goes by messages if it is longer than `limit`, so that no memory changes hands for that: who
    /// is told of it would not read there, and it would be nobody's.
    #[inline(always)]
    async fn give_or_say(&self, length: u64, limit: u64, fill: impl FnOnce(&mut [u8])) {
        match length <= limit {
            true => self.give(length, fill).await,
            false => self.write(length, fill).await,
        }
    }

    /// Contributes `length` bytes, which all go into the slot or none, once their place is free: whoever contributes
    /// comes by here, by [`give`](Self::give) or by [`offer`](Self::offer). The others must be told.
    #[inline(always)]
    async fn write(&self, length: u64, fill: impl FnOnce(&mut [u8])) {
        self.place(length).await;
        self.coll_segment.write(self.number, length, fill);
    }

    /// Waits until there is a place for `length` bytes.
    #[inline(always)]
    async fn place(&self, length: u64) {
        while let Some(least) = self.coll_segment.due(self.number, length) {
            self.settle(least).await;
        }
    }

    #[cold]
    async fn settle(&self, least: u64) {
        for rank in self.others() {
            self.wait(self.coll_segment.finished(rank, least)).await;
        }
        self.coll_segment.settle(least);
    }

    /// The part of each lane that `length` bytes need in this operation, in whole or in turn: some granules, by turns, so that who
    /// writes is some operations ahead of who reads, and writes to memory that has left the caches; or all. Each part lies below the
    /// one before it, as the bodies of a ring do.
    #[inline]
    fn span(&self, length: u64) -> SharedSpan {
        let (window, block) = (self.coll_segment.window(), self.coll_segment.block());
        let bytes = match length {
            // Halves of it are granules, too: some operations use them in turn.
            _ if length <= window as u64 => (length as usize).next_power_of_two().max(GRANULE),
            _ if length <= block as u64 => block,
            _ => {
                return SharedSpan {
                    memory: SpanMemory::Lane,
                    start: 0,
                    bytes: self.coll_segment.lane_bytes(),
                    before: self.number,
                    length,
                };
            }
        };
        let turns = self.coll_segment.places(bytes);
        let start = (turns - 1 - (self.number % turns as u64) as usize) * bytes;
        SharedSpan {
            memory: SpanMemory::Part,
            start,
            bytes,
            before: 0,
            length,
        }
    }

    /// A contribution of `length` bytes that lies in an exchange buffer.
    #[inline]
    fn exchange_buffer(&self, exchange_buffer: u32, length: u64) -> SharedSpan {
        SharedSpan {
            memory: SpanMemory::ExchangeBuffer(exchange_buffer),
            start: 0,
            bytes: self.coll_segment.block(),
            before: 0,
            length,
        }
    }

    /// Where this rank's contribution of `length` bytes is written: in an exchange buffer, if it is handed over in
    /// one. Otherwise it lies in a [`span`](Self::span) of the lane, which is lent to `reader` or to all others
    /// once it is free.
    async fn lay(&self, length: u64, reader: Option<usize>) -> SharedSpan {
        if let Some(exchange_buffer) = self.coll_segment.gone(self.number) {
            return self.exchange_buffer(exchange_buffer, length);
        }
        let span = self.span(length);
        self.lane(span, reader).await;
        span
    }

    /// Where `rank`'s contribution of `length` bytes is read, which has been announced: to its end.
    #[inline]
    fn lies(&self, rank: usize, length: u64) -> SharedSpan {
        match self.coll_segment.comes_in(rank, self.number) {
            Some(exchange_buffer) => {
                let span = self.exchange_buffer(exchange_buffer, length);
                self.keep(span);
                span
            }
            None => self.span(length),
        }
    }

    /// If a span is an exchange buffer, it is this rank's when the operation has ended.
    #[inline]
    fn keep(&self, span: SharedSpan) {
        if let SpanMemory::ExchangeBuffer(exchange_buffer) = span.memory {
            self.coll_segment.came(self.number, exchange_buffer);
        }
    }

    /// Bytes of a span of `rank`'s, after waiting for the step that says that they are there.
    #[inline]
    fn bytes(&self, rank: usize, span: SharedSpan, start: usize, bytes: usize) -> &'n [u8] {
        match span.memory {
            SpanMemory::ExchangeBuffer(exchange_buffer) => {
                self.coll_segment
                    .exchange_buffer_bytes(exchange_buffer, start, bytes)
            }
            _ => self.coll_segment.lane(rank, start, bytes),
        }
    }

    /// Waits until a span of this rank's lane can be written to, and lends it to `reader` or to all others.
    async fn lane(&self, span: SharedSpan, reader: Option<usize>) {
        let granules = match span.memory {
            SpanMemory::Part => span.start / GRANULE..(span.start + span.bytes) / GRANULE,
            _ => 0..self.coll_segment.granules(),
        };
        let mut free = None;
        for granule in granules {
            let lent = self.coll_segment.lent(granule);
            if free.replace(lent) != Some(lent) {
                self.returned(lent).await;
            }
            self.coll_segment.lend(granule, self.number, reader);
        }
    }

    /// Waits until the readers of a granule have finished.
    async fn returned(&self, (position, reader): Loan) {
        match reader {
            Some(rank) => self.wait(self.coll_segment.reached(rank, position)).await,
            None => {
                for rank in self.others() {
                    self.wait(self.coll_segment.reached(rank, position)).await;
                }
            }
        }
    }

    /// Writes packed bytes of `data`, `bytes` of them from `position` on, to a span of this rank's from `start` on.
    fn fill(&self, span: SharedSpan, start: usize, bytes: usize, data: &Data, position: u64) {
        let coll_segment = self.coll_segment;
        match span.memory {
            SpanMemory::ExchangeBuffer(exchange_buffer) => {
                coll_segment.fill_exchange_buffer(exchange_buffer, start, bytes, |place| {
                    data.pack(position, place);
                })
            }
            _ if data.is_contiguous() => coll_segment.fill_lane(start, bytes, |lane| {
                data.pack_shared(position, lane);
            }),
            _ => coll_segment.fill_lane(start, bytes, |lane| {
                data.pack(position, lane);
            }),
        }
    }

    /// Writes all of `data`, packed, to a span of this rank's from `start` on.
    fn put(&self, span: SharedSpan, start: usize, data: &Data) {
        self.fill(span, start, data.bytes() as usize, data, 0);
    }

    /// This rank has done a step, which all others may wait for.
    #[inline]
    fn step(&self, step: u64) {
        self.coll_segment.step(self.number, step);
        self.coll_segment.notify();
    }

    /// This rank has finished with the lanes that it reads.
    #[inline]
    fn leave_lanes(&self) {
        self.coll_segment.leave_lanes(self.number);
        self.coll_segment.notify();
    }

    /// Notes an error where another rank's length is not the expected one; says whether it is.
    #[inline]
    fn agree(&self, rank: usize, length: u64, expected: u64) -> bool {
        if length != expected {
            self.differ(rank, length, expected);
        }
        length == expected
    }

    #[cold]
    fn differ(&self, rank: usize, length: u64, expected: u64) {
        let class = match length > expected {
            true => class::TRUNCATE,
            false => class::OTHER,
        };
        self.coll.note(Error::new(
            class,
            format!(
                "rank {rank} contributes {length} bytes where {expected} bytes are expected: do all \
                 processes pass matching counts and datatypes?"
            ),
        ));
    }
}

/// What the data of an operation lies in.
#[derive(Clone, Copy)]
enum SpanMemory {
    /// A part of each lane.
    Part,
    /// All of each lane.
    Lane,
    ExchangeBuffer(u32),
}

/// Where the data of an operation lies in each lane, or one rank's in an exchange buffer.
#[derive(Clone, Copy)]
struct SharedSpan {
    memory: SpanMemory,
    start: usize,
    bytes: usize,
    /// As if so many operations of this length had gone through it in passes.
    before: u64,
    length: u64,
}

impl SharedSpan {
    fn is_exchange_buffer(self) -> bool {
        matches!(self.memory, SpanMemory::ExchangeBuffer(_))
    }

    /// Passes of at most so many bytes that it holds at a time. One that is longer than the span is the only one, and shorter than
    /// its most: it holds that.
    #[inline]
    fn places(self, bytes: usize) -> u64 {
        (self.bytes / bytes).max(1) as u64
    }

    /// Byte of its memory where such a pass lies: below the one before it. All that lies in an exchange buffer begins where that begins, so
    /// that it comes where something has just been read, however long that was.
    #[inline]
    fn place(self, pass: u64, bytes: usize) -> usize {
        let places = self.places(bytes);
        let passes = self.length.div_ceil(bytes as u64);
        let place = self.before.wrapping_mul(passes).wrapping_add(pass) % places;
        let place = match self.is_exchange_buffer() {
            true => place,
            false => places - 1 - place,
        };
        self.start + place as usize * bytes
    }
}

/// Waits for a number in shared memory.
#[must_use = "a wait must be awaited"]
struct WaitFor<'n, N: Net> {
    net: &'n N,
    coll_segment: &'n CollSegment,
    watch: Watch,
}

// No field is pinned.
impl<N: Net> Unpin for WaitFor<'_, N> {}

impl<N: Net> Future for WaitFor<'_, N> {
    type Output = ();

    #[inline(always)]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.watch.ready() {
            return Poll::Ready(());
        }
        for _ in 1..self.net.looks() {
            // Without it the line would be taken from who is writing it.
            std::hint::spin_loop();
            if self.watch.ready() {
                return Poll::Ready(());
            }
        }
        self.coll_segment.await_on(self.watch);
        self.net.watch(self.watch);
        match self.watch.ready() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }
}

/// Returns when every rank has called it.
pub(super) async fn barrier<N: Net>(coll: &Coll<'_, N>) {
    let turn = Turn::begin(coll);
    turn.announce(0).await;
    for rank in turn.others() {
        turn.contributed(rank).await;
    }
    turn.coll_segment.end(turn.number, true);
}

/// Whether a contribution of so many bytes lies in a slot.
#[inline(always)]
fn is_short(bytes: u64) -> bool {
    bytes <= SLOT as u64
}

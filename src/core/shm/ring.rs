//! One direction between two processes: a ring of cache-line slots and a byte ring beside it.
//!
//! A slot is one cache line: sequence number, frame head and up to [`INLINE`] bytes of payload, so a small
//! message moves one line. A frame with up to [`WIDE_INLINE`] bytes takes the next slot too, all but its sequence number: processors
//! that read a line fetch the one beside it as well. Bodies of up to [`SHORT_BUFFER`] bytes lie in a short buffer of their slot's own, longer
//! ones in the byte ring, in slot order; both sides count its bytes, so no offset travels. The producer writes a slot's sequence
//! number last (release); the consumer reads it first (acquire). Sequence numbers stand at fixed places that no payload ever
//! overlaps, so a slot needs no clearing. The consumer tells what it has read in a line of its own, and only every now and then.
//!
//! A body may also lie in an [exchange buffer](super::exchange_buffer): as much memory as the byte ring has lies beside it for these.
//!
//! The ring is plain memory at any address: no pointers inside, all widths fixed. It may be zero-filled. How long the byte
//! ring is, both sides have agreed on.

mod consumer;
mod ring_window;
mod slot;

use std::ops::Range;

use super::claims::Claims;
use super::exchange_buffer::free_buffers::FreeBuffers;
use super::exchange_buffer::{EXCHANGE_BUFFER, ExchangeBuffers, Half, MAX_ADJOINING};
use super::prefault::Prefault;
use crate::sync::{AtomicU32, AtomicU64, Ordering, PlainCell};
use crate::sys::PAGE;
use crate::tuning::Tuning;
use crate::wire::{Head, INLINE, WIDE_INLINE};
pub use consumer::Consumer;
use ring_window::{Growth, RingWindow};
use slot::{Body, Slot};

/// Slots in a ring (a power of two).
#[cfg(not(loom))]
pub const SLOTS: u32 = 128;
#[cfg(loom)]
pub const SLOTS: u32 = 2;
/// Least bytes in the byte ring (a power of two).
#[cfg(not(loom))]
pub const MIN_BYTES: usize = 128 << 10;
#[cfg(loom)]
pub const MIN_BYTES: usize = 256;
/// Bytes in the byte ring where nothing is known of caches.
pub const DEFAULT_BYTES: usize = 4 * MIN_BYTES;
/// Most bytes in the byte ring.
pub const MAX_BYTES: usize = 32 * MIN_BYTES;
/// Payload bytes that fit into the next slot as well.
const SECOND_SLOT: usize = size_of::<Body>();
const _: () = assert!(INLINE + SECOND_SLOT == WIDE_INLINE);
/// Longest payload of one frame: with a quarter unreported by the consumer it still fits at any time.
pub const MAX_BODY: usize = MIN_BYTES / 2;

/// Where byte rings and exchange buffers begin in a page: programs' longer blocks begin 16 bytes into one, or at
/// its beginning, or 64 bytes further. A processor waits for its own stores when it reads a little behind where it
/// writes, but for the page.
const APART: usize = 256;

/// The consumer reports its position after this many slots, or a quarter of the bytes.
#[cfg(not(loom))]
const REPORT_SLOTS: u32 = SLOTS / 8;
#[cfg(loom)]
const REPORT_SLOTS: u32 = 1;

/// Of [`Head::flags`]: the body lies in the exchange buffer whose number the last [`WORD`] bytes of the slot are.
const IN_EXCHANGE_BUFFER: u8 = 1 << 3;
/// Of [`Head::flags`]: the body lies in the slot's short buffer.
const IN_SHORT_BUFFER: u8 = 1 << 4;
/// Of [`Head::flags`]: the body begins a [window](RingWindow) of more of the byte ring.
const GROWS: u8 = 1 << 5;
const WORD: usize = size_of::<u32>();

#[repr(C, align(64))]
struct Report {
    slots: AtomicU32,
    /// The consumer holds too much unexpected data: announce instead of sending eagerly.
    congested: AtomicU32,
    bytes: AtomicU64,
}

/// Room for a body of up to so many bytes.
pub const SHORT_BUFFER: usize = 4 * 64;

/// Room for the short body of a slot's frame.
#[repr(C, align(64))]
pub struct ShortBuffer(PlainCell<[u8; SHORT_BUFFER]>);

/// The shared memory of one direction but for its byte ring. All-zero bytes are an empty ring. Loom's stacks hold no page.
#[cfg_attr(not(loom), repr(C, align(4096)))]
#[cfg_attr(loom, repr(C))]
pub struct Slots {
    /// Written by the consumer.
    report: Report,
    slots: [Slot; SLOTS as usize],
    /// For messages that do not go through the ring.
    pub claims: Claims,
    short_buffers: [ShortBuffer; SLOTS as usize],
}

// SAFETY: slot bodies and short buffers are written only by the one producer, between the consumer's report and the
// slot's sequence number. Only the one consumer reads them, after it; the atomics order both.
unsafe impl Sync for Slots {}
// SAFETY: plain memory.
unsafe impl Send for Slots {}

/// A ring as one of its two sides sees it.
#[derive(Clone, Copy)]
pub struct Ring<'a> {
    slots: &'a Slots,
    /// The byte ring, a power of two long, and [`MAX_BODY`] at least twice.
    bytes: &'a [PlainCell<u8>],
    half: Half,
    exchange_buffers: &'a [PlainCell<u8>],
}

// SAFETY: as for slots: the bytes of a payload belong to one side at a time.
unsafe impl Send for Ring<'_> {}

impl<'a> Ring<'a> {
    /// Bytes that the byte ring of each pair of so many processes may have. A process has one to each other: more than 8 MiB
    /// together they take only where each has the least, and as much again with their exchange buffers.
    pub fn most_for(processes: usize) -> usize {
        let share = 64 * MIN_BYTES / processes.max(1);
        share.clamp(MIN_BYTES, MAX_BYTES).next_power_of_two()
    }

    /// Bytes that it has where a processor has a second cache of so many bytes (0: not known): so many `times` as many, as far as
    /// [`most_for`](Self::most_for) allows. A line that has left both sides' own caches meanwhile is faster to write again than one
    /// that the other side's still holds.
    pub fn bytes_for(processes: usize, second_cache: usize, times: usize) -> usize {
        let bytes = times * second_cache.min(MAX_BYTES);
        Self::bytes_like(processes, bytes.max(DEFAULT_BYTES))
    }

    /// Bytes that it can have, as near to `bytes` as possible.
    pub fn bytes_like(processes: usize, bytes: usize) -> usize {
        let most = Self::most_for(processes);
        bytes.min(most).next_power_of_two().clamp(MIN_BYTES, most)
    }

    /// Bytes of memory for slots, a byte ring of `bytes` bytes, and exchange buffers.
    pub const fn size(bytes: usize) -> usize {
        (size_of::<Slots>() + APART + bytes + Self::exchange_buffers(bytes)).next_multiple_of(PAGE)
    }

    /// Bytes of exchange buffers beside a byte ring of `bytes` bytes.
    const fn exchange_buffers(bytes: usize) -> usize {
        bytes
    }

    /// The ring whose memory is at `base`, one of two between two processes.
    ///
    /// # Safety
    /// [`size`](Self::size) bytes there, on a page's boundary, are a ring's and nothing else's as long as `'a`; they have been
    /// zero at first. `bytes` is a power of two.
    pub unsafe fn at(base: *mut u8, bytes: usize, half: Half) -> Ring<'a> {
        // SAFETY: the caller's contract; zero bytes are valid slots, and cells of bytes.
        unsafe {
            let beside = base.add(size_of::<Slots>() + APART);
            Ring {
                slots: &*base.cast::<Slots>(),
                bytes: std::slice::from_raw_parts(beside.cast(), bytes),
                half,
                exchange_buffers: std::slice::from_raw_parts(
                    beside.add(bytes).cast(),
                    Self::exchange_buffers(bytes),
                ),
            }
        }
    }

    /// The slot that so many come before.
    #[inline(always)]
    fn slot(self, before: u32) -> &'a Slot {
        &self.slots.slots[(before % SLOTS) as usize]
    }

    /// The short buffer of the slot that so many come before. Each lies below the one before it, as bodies in the byte ring do.
    #[inline(always)]
    fn short_buffer(self, before: u32) -> &'a ShortBuffer {
        &self.slots.short_buffers[(!before % SLOTS) as usize]
    }

    /// For messages that do not go through the ring.
    pub fn claims(self) -> &'a Claims {
        &self.slots.claims
    }

    /// Bytes in the byte ring.
    #[inline(always)]
    fn capacity(self) -> usize {
        self.bytes.len()
    }

    /// The window after this one, which the flags of a head say to begin.
    #[cold]
    #[inline(never)]
    fn next_window(self, ring_window: RingWindow, flags: u8) -> RingWindow {
        let grows = flags & GROWS != 0;
        ring_window.next((ring_window.part() << u32::from(grows)).min(self.capacity()))
    }

    /// The exchange buffers between the two processes of this ring and of the one the other way.
    fn exchange_buffers_between(self, back: Ring<'a>) -> ExchangeBuffers<'a> {
        ExchangeBuffers::new(
            (self.half, self.exchange_buffers),
            (back.half, back.exchange_buffers),
        )
    }

    /// The byte ring.
    #[inline(always)]
    fn base(self) -> *mut u8 {
        // A cell may be written to through a shared reference.
        self.bytes.as_ptr().cast_mut().cast()
    }
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Slot>() == 64 && size_of::<Report>() == 64);

/// Bytes of the byte ring that a payload takes: whole cache lines, so that two payloads never share one.
#[inline(always)]
fn padded(len: usize) -> u64 {
    (len as u64 + 63) & !63
}

/// How the body of a frame travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Through the byte ring.
    Ring,
    /// In an exchange buffer, as one is here, or in several if [`Producer::adjoining`] says so.
    ExchangeBuffer,
    /// In its slot's short buffer, as it has at most [`SHORT_BUFFER`] bytes.
    ShortBuffer,
}

/// Exchange buffers with short bodies that may be away at a time.
const MAX_SHORT_AWAY: usize = 4;
/// The same with longer ones, when few have gone. A stream in one direction brings none back, and then touches no
/// more of them. What goes to and fro in a long run comes to use them all.
const MAX_LONG_AWAY: usize = 4;
/// So many must have gone for one more that may be away.
const GONE_FOR_ONE_MORE: usize = 64;

/// The writing end. One per ring and process; not shared between threads without a lock.
pub struct Producer<'a> {
    ring: Ring<'a>,
    slots: u32,
    slots_read: u32,
    bytes: u64,
    bytes_read: u64,
    /// Where the latest body in the byte ring lies.
    ring_window: RingWindow,
    growth: Growth,
    congested: bool,
    exchange_buffers: ExchangeBuffers<'a>,
    /// Those that are here.
    here: FreeBuffers,
    /// Number of those that have been here at first.
    own: usize,
    /// Those that have gone, in all.
    gone: usize,
    /// Of the part of the byte ring that has come into use most recently...
    prefault_bytes: Prefault,
    /// ... from this byte of it on, and up to so many bytes of all that go through the ring.
    prefault_from: usize,
    prefault_until: u64,
    prefault_exchange_buffers: Prefault,
    /// Frames in the slots up to number `counted`; brought up to date where it costs nothing.
    frames: u64,
    counted: u32,
    /// Wide ones in those after it.
    wide: u32,
}

/// Whether a message is so short that few [exchange buffers](Producer::has_exchange_buffer) may be away for such.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Short {
    Yes,
    No,
}

/// The place of a body; in two pieces where the byte ring wraps around.
pub struct PiecesMut<'a>(pub &'a mut [u8], pub &'a mut [u8]);

/// What writes a body. Not a closure, which is not always inlined.
pub trait BodyWriter {
    fn fill(self, place: PiecesMut<'_>);
}

/// A closure that does.
#[cfg(test)]
pub fn filled(fill: impl FnOnce(PiecesMut<'_>)) -> impl BodyWriter {
    struct Filled<F>(F);

    impl<F: FnOnce(PiecesMut<'_>)> BodyWriter for Filled<F> {
        fn fill(self, place: PiecesMut<'_>) {
            self.0(place);
        }
    }
    Filled(fill)
}

impl<'a> Producer<'a> {
    /// The writing end of a ring that nobody has written to yet; `back` is the ring the other way. A ring has one such end.
    pub(in crate::shm) fn new(ring: Ring<'a>, back: Ring<'a>, tuning: &Tuning) -> Self {
        let exchange_buffers = ring.exchange_buffers_between(back);
        let here = FreeBuffers::new(exchange_buffers.beside(ring.half), tuning.buffers_in_order);
        let ring_window = RingWindow::first(ring.capacity());
        Producer {
            ring,
            slots: 0,
            slots_read: 0,
            bytes: 0,
            bytes_read: 0,
            ring_window,
            growth: Growth::new(),
            congested: false,
            own: here.len(),
            gone: 0,
            here,
            exchange_buffers,
            prefault_bytes: Prefault::downwards(ring_window.part()),
            prefault_from: 0,
            prefault_until: ring_window.part() as u64,
            prefault_exchange_buffers: Prefault::upwards(ring.exchange_buffers.len()),
            frames: 0,
            counted: 0,
            wide: 0,
        }
    }

    /// Frames published so far.
    pub fn frames(&self) -> u64 {
        self.frames + u64::from(self.slots.wrapping_sub(self.counted) - self.wide)
    }

    #[cold]
    fn refresh(&mut self) {
        self.frames = self.frames();
        self.counted = self.slots;
        self.wide = 0;
        // Acquire: the consumer has finished with everything that it reports (pairs with `report`).
        self.slots_read = self.ring.slots.report.slots.load(Ordering::Acquire);
        self.bytes_read = self.ring.slots.report.bytes.load(Ordering::Acquire);
        self.congested = self.ring.slots.report.congested.load(Ordering::Relaxed) != 0;
    }

    /// Whether an exchange buffer is here for a message that is one body. A stream of short ones, which brings none back, touches few of
    /// this side's.
    #[inline(always)]
    pub fn has_exchange_buffer(&mut self, short: Short) -> bool {
        match short {
            Short::No => self.has_exchange_buffers(1),
            Short::Yes => {
                let few_away = self.here.len() + MAX_SHORT_AWAY > self.own.max(MAX_SHORT_AWAY);
                if few_away {
                    self.here.begin(1);
                }
                few_away
            }
        }
    }

    /// Bytes of the byte ring that are in use: more find no room at a time.
    pub fn bytes_in_use(&self) -> usize {
        self.ring_window.part()
    }

    /// How many exchange buffers have been this side's at first.
    pub fn exchange_buffers(&self) -> usize {
        self.own
    }

    /// Whether exchange buffers are here for so many bodies of the next message, which takes them if they are.
    #[inline(always)]
    pub fn has_exchange_buffers(&mut self, bodies: usize) -> bool {
        let here = self.here.len();
        let away = || (self.own + bodies).saturating_sub(here);
        let enough = here >= bodies
            && away() <= MAX_LONG_AWAY.max(2 * bodies) + self.gone / GONE_FOR_ONE_MORE;
        if enough {
            self.here.begin(bodies);
        }
        enough
    }

    /// How so many bodies of the next message, or of the next part of one, travel.
    #[inline]
    pub fn by(&mut self, bodies: usize) -> By {
        // An empty body needs one too.
        match self.has_exchange_buffers(bodies.max(1)) {
            true => By::ExchangeBuffer,
            false => By::Ring,
        }
    }

    /// The next message has so many bodies and travels by exchange buffers. They are to lie one behind the other as
    /// far as those that are here do.
    pub fn put_in_order(&mut self, bodies: usize) {
        self.here.put_in_order(bodies);
    }

    /// Bytes of the next exchange buffers, up to [`MAX_ADJOINING`], as far as they lie one behind the other: so long a body may be.
    pub fn adjoining(&self) -> usize {
        (self.here.adjoining() * EXCHANGE_BUFFER).min(MAX_ADJOINING)
    }

    /// Whether nobody has written yet where the next body goes in the byte ring.
    #[inline(always)]
    fn is_untouched(&self) -> bool {
        self.bytes < self.prefault_until
    }

    /// Whether the consumer asked (as far as known) for announcements instead of eager data.
    pub fn congested(&self) -> bool {
        self.congested
    }

    #[inline(always)]
    fn has_slot(&mut self) -> bool {
        self.has_slots(1)
    }

    #[inline(always)]
    fn has_slots(&mut self, slots: u32) -> bool {
        if self.slots.wrapping_sub(self.slots_read) <= SLOTS - slots {
            return true;
        }
        self.refresh();
        self.slots.wrapping_sub(self.slots_read) <= SLOTS - slots
    }

    /// Publishes a frame whose payload, if any, fits into the slot: `fill` writes `head.inline` bytes.
    /// `false` when the ring is full; nothing has happened then.
    #[inline(always)]
    pub fn try_inline(&mut self, head: Head, fill: impl FnOnce(&mut [u8])) -> bool {
        debug_assert!(head.inline as usize <= INLINE);
        if !self.has_slot() {
            return false;
        }
        self.publish(head, |inline| fill(&mut inline[..head.inline as usize]));
        true
    }

    /// [`try_inline`](Self::try_inline) of a message, unless the consumer is congested.
    #[inline(always)]
    pub fn try_short(&mut self, head: Head, fill: impl FnOnce(&mut [u8])) -> bool {
        !self.congested && self.try_inline(head, fill)
    }

    /// [`try_inline`](Self::try_inline) of `head.inline` bytes that take two slots: `fill` writes a part of them, from a position
    /// on.
    #[inline(always)]
    pub fn try_wide(&mut self, head: Head, fill: impl Fn(usize, &mut [u8])) -> bool {
        let len = head.inline as usize;
        debug_assert!(len > INLINE && len <= WIDE_INLINE);
        if !self.has_slots(2) {
            return false;
        }
        // The line with the number comes last, and is written in one go: who waits for that takes the line away.
        let number = self.slots.wrapping_add(2);
        let slot = self.ring.slot(self.slots.wrapping_add(1));
        slot.body.with_mut(|body| {
            // SAFETY: as in `publish`, for the slot before it; a body has no padding, and any bytes are one.
            fill(INLINE, unsafe {
                std::slice::from_raw_parts_mut(body.cast(), (len - INLINE).min(SECOND_SLOT))
            });
        });
        // Nobody waits for it, but an old one would come true one day.
        slot.sequence.store(number, Ordering::Relaxed);
        self.publish(head, |inline| fill(0, inline));
        self.slots = number;
        self.wide += 1;
        true
    }

    /// `fill` writes what lies in the slot.
    #[inline(always)]
    fn publish(&mut self, head: Head, fill: impl FnOnce(&mut [u8; INLINE])) {
        let slot = self.ring.slot(self.slots);
        slot.body.with_mut(|body| {
            // SAFETY: the consumer has reported this slot as read and will not look at its body before
            // the sequence number below; we are the only producer.
            let body = unsafe { &mut *body };
            body.head = head;
            fill(&mut body.inline);
        });
        self.slots = self.slots.wrapping_add(1);
        // Release: head, inline payload and byte-ring payload are visible with the number.
        slot.sequence.store(self.slots, Ordering::Release);
    }

    /// Publishes a frame with `len` payload bytes beside its slot (at most [`MAX_BODY`], in exchange buffers [`MAX_ADJOINING`]), written by
    /// `fill`; `inline` writes the `head.inline` bytes in the slot. `false` when there is no room.
    #[inline]
    pub fn try_body(
        &mut self,
        mut head: Head,
        (len, by): (usize, By),
        inline: impl FnOnce(&mut [u8]),
        fill: impl BodyWriter,
    ) -> bool {
        debug_assert!(len <= MAX_BODY || by == By::ExchangeBuffer && len <= MAX_ADJOINING);
        let place = match by {
            By::ExchangeBuffer => return self.try_exchange_buffer(head, len, inline, fill),
            _ if !self.has_slot() => return false,
            By::ShortBuffer => PiecesMut(self.short_place(len), &mut []),
            By::Ring => {
                if !self.has_bytes(padded(len)) {
                    return false;
                }
                if self.ring_window.ends_within(self.bytes, len) {
                    head.flags |= self.next_window();
                }
                self.ring_place(len)
            }
        };
        fill.fill(place);
        if by == By::ShortBuffer {
            head.flags |= IN_SHORT_BUFFER;
        } else {
            self.bytes += padded(len);
        }
        self.publish(head, |slot| inline(&mut slot[..head.inline as usize]));
        true
    }

    /// [`try_body`](Self::try_body) by [`By::ExchangeBuffer`].
    #[inline(always)]
    pub fn try_exchange_buffer(
        &mut self,
        mut head: Head,
        len: usize,
        inline: impl FnOnce(&mut [u8]),
        fill: impl BodyWriter,
    ) -> bool {
        debug_assert!(head.inline as usize <= INLINE - WORD);
        if !self.has_slot() {
            return false;
        }
        let Some(number) = self.here.next() else {
            return false;
        };
        let place = self.exchange_buffer_place(number, len);
        fill.fill(PiecesMut(place, &mut []));
        head.flags |= IN_EXCHANGE_BUFFER;
        self.publish(head, |slot| {
            inline(&mut slot[..head.inline as usize]);
            slot[INLINE - WORD..].copy_from_slice(&number.to_le_bytes());
        });
        true
    }

    /// Whether so many bytes find room in the byte ring.
    #[inline(always)]
    fn has_bytes(&mut self, need: u64) -> bool {
        if self.room() >= need {
            return true;
        }
        self.refresh();
        if self.room() >= need {
            return true;
        }
        self.growth.fall_behind();
        false
    }

    /// The place of the next body in the byte ring, where there is room, and this is its window.
    #[inline(always)]
    fn ring_place(&mut self, len: usize) -> PiecesMut<'a> {
        let (start, first) = self.ring_window.place(self.bytes, len);
        if self.is_untouched() {
            self.make(start..start + first);
        }
        let base = self.ring.base();
        // SAFETY: the two pieces lie inside the byte ring, do not overlap, and the consumer has
        // reported these bytes as read; we are the only producer.
        unsafe {
            PiecesMut(
                std::slice::from_raw_parts_mut(base.add(start), first),
                std::slice::from_raw_parts_mut(base, len - first),
            )
        }
    }

    /// The next body begins a window: what the head's flags say of that.
    #[cold]
    fn next_window(&mut self) -> u8 {
        let before = self.ring_window;
        let grows = self.growth.is_due(before, self.ring.capacity());
        let flags = if grows { GROWS } else { 0 };
        self.ring_window = self.ring.next_window(before, flags);
        if grows {
            let more = self.ring_window.part() - before.part();
            self.growth.note(self.ring_window);
            self.prefault_bytes = Prefault::downwards(more);
            self.prefault_from = before.part();
            self.prefault_until = self.ring_window.start() + more as u64;
        }
        flags
    }

    /// These bytes of the byte ring are about to be written for the first time.
    #[cold]
    fn make(&mut self, bytes: Range<usize>) {
        let from = self.prefault_from;
        if bytes.start >= from {
            let memory = &self.ring.bytes[from..self.ring_window.part()];
            let bytes = bytes.start - from..bytes.end - from;
            self.prefault_bytes.reach(memory, bytes);
        }
    }

    /// The place of a body that begins in this exchange buffer, which is here, and takes the next ones too if it is so long.
    #[inline(always)]
    fn exchange_buffer_place(&mut self, number: u32, len: usize) -> &'a mut [u8] {
        debug_assert!(len <= EXCHANGE_BUFFER.max(self.adjoining()));
        let place = self.exchange_buffers.memory(number, len);
        let (half, at) = self.exchange_buffers.place(number);
        if half == self.ring.half {
            self.prefault_exchange_buffers
                .reach(self.ring.exchange_buffers, at..at + place.len());
        }
        let of_body = self.exchange_buffers.of_body(number, len);
        self.gone += of_body.len();
        self.here.take(of_body);
        debug_assert_eq!(place.len(), len);
        // SAFETY: the exchange buffer is this side's, which has had it from the beginning, or has read the body that it came with; we are
        // the only producer. A cell may be written to through a shared reference.
        unsafe { std::slice::from_raw_parts_mut(place.as_ptr().cast_mut().cast(), place.len()) }
    }

    /// The short buffer of the next slot.
    #[inline]
    fn short_place(&mut self, len: usize) -> &'a mut [u8] {
        debug_assert!(len <= SHORT_BUFFER);
        let short_buffer = self.ring.short_buffer(self.slots);
        // SAFETY: the short buffer is the slot's, which the consumer has reported as read; we are the only producer.
        short_buffer
            .0
            .with_mut(|short_buffer| unsafe { &mut (&mut *short_buffer)[..len] })
    }

    /// Takes exchange buffers that have come from the consumer's process.
    #[inline(always)]
    pub fn add_exchange_buffers(&mut self, came: &mut Vec<Range<u32>>) {
        for of_body in came.iter() {
            self.here.add(of_body.clone());
        }
        came.clear();
    }

    /// Bytes that are free, as far as known.
    #[inline(always)]
    fn room(&self) -> u64 {
        self.ring_window.part() as u64 - (self.bytes - self.bytes_read)
    }

    /// Whether `frames` frames with `bytes` bytes of body in whole cache lines, but for the last one, find
    /// room.
    #[inline]
    pub fn has_room(&mut self, frames: usize, bytes: usize) -> bool {
        frames <= SLOTS as usize && self.has_slots(frames as u32) && self.has_bytes(padded(bytes))
    }
}

/// Whether a [`Consumer::pop`] reported room to the producer (which may sleep waiting for it).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    Yes,
    No,
}

#[cfg(all(test, loom))]
#[path = "ring_loom_tests.rs"]
mod loom_tests;
#[cfg(all(test, not(loom)))]
#[path = "ring_tests.rs"]
mod tests;

//! The reading end of a ring: takes frames in their order, and reports now and then what it has read.

use std::ops::Range;

use super::super::exchange_buffer::{ExchangeBuffers, MAX_ADJOINING};
use super::ring_window::RingWindow;
use super::{
    Body, IN_SHORT_BUFFER, MAX_BODY, REPORT_SLOTS, Reported, Ring, SECOND_SLOT, SHORT_BUFFER,
    ShortBuffer, padded,
};
use crate::datatype::block::prefetch;
use crate::sync::Ordering;
use crate::wire::{Head, INLINE, Location, Picker, Pieces};

/// The reading end.
pub struct Consumer<'a> {
    ring: Ring<'a>,
    slots: u32,
    slots_reported: u32,
    pub(super) bytes: u64,
    /// Where the latest body in the byte ring lies.
    ring_window: RingWindow,
    bytes_reported: u64,
    /// Frames in the slots up to number `slots_reported`.
    frames: u64,
    /// Wide ones in those after it.
    wide: u32,
    /// Bytes of the last frame's body, if it lay in a short buffer, and the next one's lines are asked for.
    expected: usize,
    exchange_buffers: ExchangeBuffers<'a>,
    /// Those that have come with bodies.
    came: Vec<Range<u32>>,
}

impl<'a> Consumer<'a> {
    /// The reading end of a ring that nobody has read from yet; `back` is the ring the other way. A ring has one such end.
    pub(in crate::shm) fn new(ring: Ring<'a>, back: Ring<'a>) -> Self {
        Consumer {
            ring,
            slots: 0,
            slots_reported: 0,
            bytes: 0,
            ring_window: RingWindow::first(ring.capacity()),
            bytes_reported: 0,
            frames: 0,
            wide: 0,
            expected: 0,
            exchange_buffers: ring.exchange_buffers_between(back),
            came: Vec::new(),
        }
    }

    /// The exchange buffers that have come, for the [producer](Producer::add_exchange_buffers) of the ring the other way.
    #[inline]
    pub fn exchange_buffers(&mut self) -> &mut Vec<Range<u32>> {
        &mut self.came
    }

    /// Frames taken so far.
    pub fn frames(&self) -> u64 {
        self.frames + u64::from(self.slots.wrapping_sub(self.slots_reported) - self.wide)
    }

    /// Whether a frame is there. If not, the lines where its body will be are asked for.
    #[inline(always)]
    pub fn ready(&self) -> bool {
        let slot = self.ring.slot(self.slots);
        let ready = slot.holds(self.slots.wrapping_add(1));
        if !ready {
            self.expect();
        }
        ready
    }

    /// Whether the next frame has come, or comes within so many looks.
    #[inline(always)]
    fn comes(&self, looks: u32) -> bool {
        for _ in 0..looks {
            if self.ready() {
                return true;
            }
            std::hint::spin_loop();
        }
        false
    }

    /// As [`pop`](Self::pop), for a frame that has come or comes within so many looks, if `picker` wants it.
    #[inline(always)]
    pub fn pop_for<P: Picker>(&mut self, looks: u32, picker: &P) -> Option<(P::Picked, Reported)> {
        if !self.comes(looks) {
            return None;
        }
        // SAFETY: it has come.
        let body = unsafe { self.front() };
        match picker.wants(&body.head, body.payload())? {
            Location::Inline => {
                let taken = picker.inline(&body.head, body.payload(), &[]);
                Some((taken, self.advance()))
            }
            Location::Wide => {
                let second = self.second(body.head.inline as usize);
                let taken = picker.inline(&body.head, body.payload(), second);
                Some((taken, self.advance_wide()))
            }
            Location::Body(len) if P::INLINED => self.pop_beside(picker, body, len),
            Location::Body(len) => {
                // Taken apart, so that what the others give stays in registers.
                let (taken, reported) = self.pop_beside_apart(picker, body, len)?;
                Some((taken, reported))
            }
        }
    }

    /// [`pop_for`](Self::pop_for) of a frame that is there, and whose payload of so many bytes lies beside its slot.
    #[inline(always)]
    fn pop_beside<P: Picker>(
        &mut self,
        picker: &P,
        body: &Body,
        len: usize,
    ) -> Option<(P::Picked, Reported)> {
        if body.head.flags & IN_SHORT_BUFFER != 0 {
            let place = self.in_short_buffer(len);
            let taken = picker.body(&body.head, body.payload(), Pieces(place, &[]));
            return Some((taken, self.advance_short(place.len())));
        }
        let Some(number) = self.exchange_buffer(body) else {
            return self.pop_by_ring(picker, len);
        };
        let place = self.in_exchange_buffers(number, len);
        let taken = picker.body(&body.head, body.payload(), Pieces(place, &[]));
        Some((taken, self.advance_in_exchange_buffers(number, len)))
    }

    #[inline(never)]
    fn pop_beside_apart<P: Picker>(
        &mut self,
        picker: &P,
        body: &Body,
        len: usize,
    ) -> Option<(P::Picked, Reported)> {
        self.pop_beside(picker, body, len)
    }

    /// The same where it lies in the byte ring.
    #[inline(never)]
    fn pop_by_ring<P: Picker>(&mut self, picker: &P, len: usize) -> Option<(P::Picked, Reported)> {
        let mut taken = None;
        let reported = self.pop(|head, inline, body| {
            taken = Some(picker.body(head, inline, body(len)));
            len
        })?;
        Some((taken?, reported))
    }

    /// The exchange buffer where the body of a frame begins, if it lies in one.
    #[inline(always)]
    fn exchange_buffer(&self, body: &Body) -> Option<u32> {
        body.exchange_buffer()
            .and_then(|number| self.exchange_buffers.known(number))
    }

    /// A body of so many bytes that begins in this exchange buffer.
    #[inline(always)]
    fn in_exchange_buffers(&self, number: u32, len: usize) -> &'a [u8] {
        let place = self.exchange_buffers.memory(number, len.min(MAX_ADJOINING));
        // SAFETY: the frame that has come with this number says that it has been written. It is this side's until
        // the frame has been taken.
        unsafe { std::slice::from_raw_parts(place.as_ptr().cast(), place.len()) }
    }

    /// So many bytes of the short buffer of the next frame, which has its body there.
    #[inline(always)]
    fn in_short_buffer(&self, len: usize) -> &'a [u8] {
        let ShortBuffer(short_buffer) = self.ring.short_buffer(self.slots);
        // SAFETY: as for the slot whose short buffer it is.
        let place = short_buffer.with(|short_buffer| unsafe { &*short_buffer });
        &place[..len.min(SHORT_BUFFER)]
    }

    /// The next frame.
    ///
    /// # Safety
    /// It is there, and what is given is not used once it has been reported as read.
    #[inline(always)]
    unsafe fn front(&self) -> &'a Body {
        let slot = self.ring.slot(self.slots);
        // SAFETY: the sequence number says that the producer is done with this slot, and it will not touch it again
        // before we report it as read.
        slot.body.with(|body| unsafe { &*body })
    }

    /// What of a payload of so many bytes lies in the slot after that of the next frame, which is there and wide.
    #[inline(always)]
    fn second(&self, len: usize) -> &'a [u8] {
        let slot = self.ring.slot(self.slots.wrapping_add(1));
        let len = len.saturating_sub(INLINE).min(SECOND_SLOT);
        // SAFETY: as for the slot before it, whose number says that this one is written, too.
        slot.body
            .with(|body| unsafe { std::slice::from_raw_parts(body.cast(), len) })
    }

    /// Goes on behind a wide frame.
    #[inline(always)]
    fn advance_wide(&mut self) -> Reported {
        self.slots = self.slots.wrapping_add(1);
        self.wide += 1;
        self.advance()
    }

    /// Hands the next frame to `take`, if there is one: the head, its inline payload and `body`, a function
    /// that maps a length to the payload beside the slot, or in the next one. `take` returns that length (0 for none).
    /// Returns whether there was a frame, and whether room was reported to the producer.
    #[inline(always)]
    pub fn pop(
        &mut self,
        take: impl for<'b> FnOnce(&'b Head, &'b [u8], &'b dyn Fn(usize) -> Pieces<'b>) -> usize,
    ) -> Option<Reported> {
        if !self.ready() {
            return None;
        }
        // SAFETY: it is there.
        let body = unsafe { self.front() };
        let ring = self.ring;
        let (position, ring_window) = (self.bytes, self.ring_window);
        let exchange_buffer = self.exchange_buffer(body);
        let this = &*self;
        let len = take(&body.head, body.payload(), &|len| {
            if body.head.is_wide() {
                return Pieces(this.second(body.head.inline as usize), &[]);
            }
            if let Some(number) = exchange_buffer {
                return Pieces(this.in_exchange_buffers(number, len), &[]);
            }
            if body.head.flags & IN_SHORT_BUFFER != 0 {
                return Pieces(this.in_short_buffer(len), &[]);
            }
            let len = len.min(MAX_BODY);
            // Not by the flags unless it must be: what is read should not wait for them.
            let ring_window = match ring_window.ends_within(position, len) {
                true => ring.next_window(ring_window, body.head.flags),
                false => ring_window,
            };
            let (start, first) = ring_window.place(position, len);
            let base = ring.base();
            // SAFETY: as for the slot: written before the sequence number, ours until reported.
            unsafe {
                Pieces(
                    std::slice::from_raw_parts(base.add(start), first),
                    std::slice::from_raw_parts(base, len - first),
                )
            }
        });
        if body.head.is_wide() {
            return Some(self.advance_wide());
        }
        if body.head.flags & IN_SHORT_BUFFER != 0 {
            return Some(self.advance_short(len.min(SHORT_BUFFER)));
        }
        Some(match exchange_buffer {
            Some(number) => self.advance_in_exchange_buffers(number, len),
            None => self.advance_by_ring(len, body.head.flags),
        })
    }

    /// Goes on behind a frame with so many bytes in the byte ring, and these flags.
    #[inline(always)]
    fn advance_by_ring(&mut self, len: usize, flags: u8) -> Reported {
        let len = len.min(MAX_BODY);
        if self.ring_window.ends_within(self.bytes, len) {
            self.ring_window = self.ring.next_window(self.ring_window, flags);
        }
        self.bytes += padded(len);
        self.advance()
    }

    /// Goes on behind a frame whose body of so many bytes lies in its short buffer.
    #[inline(always)]
    fn advance_short(&mut self, len: usize) -> Reported {
        let reported = self.advance();
        self.expected = len;
        reported
    }

    /// Goes on behind a frame whose body of so many bytes lies in exchange buffers, which are here from now on.
    #[inline]
    fn advance_in_exchange_buffers(&mut self, number: u32, len: usize) -> Reported {
        let of_body = self.exchange_buffers.of_body(number, len);
        self.came.push(of_body);
        self.advance()
    }

    /// Goes on behind a frame.
    #[inline(always)]
    fn advance(&mut self) -> Reported {
        self.slots = self.slots.wrapping_add(1);
        self.expected = 0;
        if self.slots.wrapping_sub(self.slots_reported) >= REPORT_SLOTS
            || self.bytes - self.bytes_reported >= self.ring_window.part() as u64 / 4
        {
            self.report();
            return Reported::Yes;
        }
        Reported::No
    }

    /// Asks for the lines of the next slot's short buffer, if the last frame had its body in one: as many as that took. They arrive
    /// together with the slot, not after it. For longer bodies this would cost more than it gains: the producer would lose its
    /// lines while it writes them.
    #[inline(always)]
    fn expect(&self) {
        let short_buffer = std::ptr::from_ref(self.ring.short_buffer(self.slots)).cast::<u8>();
        let mut at = 0;
        while at < self.expected {
            prefetch(short_buffer.wrapping_add(at));
            at += 64;
        }
    }

    fn report(&mut self) {
        self.frames = self.frames();
        self.wide = 0;
        self.slots_reported = self.slots;
        self.bytes_reported = self.bytes;
        // Release: our reads are done before the producer may write there again. The bytes go first, as
        // the producer reads them last.
        self.ring
            .slots
            .report
            .bytes
            .store(self.bytes, Ordering::Release);
        self.ring
            .slots
            .report
            .slots
            .store(self.slots, Ordering::Release);
    }

    /// Asks the producer to announce its messages (`true`) or to send eagerly again.
    pub fn set_congested(&self, congested: bool) {
        self.ring
            .slots
            .report
            .congested
            .store(congested as u32, Ordering::Relaxed);
    }
}

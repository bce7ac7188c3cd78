//! What a member contributes to an operation: beside its number, in a short buffer or in a slot, by its length. Must not know who reads it.

use super::CollSegment;
use super::layout::{
    Contents, FIRST_LINE, IN_EXCHANGE_BUFFER, INLINE, OFFERS, REMARK, SHORT_BUFFER, SLOT,
};
use crate::datatype::block::prefetch_to_write;
use crate::sync::Ordering;

/// What writes a contribution to its place.
pub trait ContributionWriter {
    fn fill(self, place: &mut [u8]);
}

/// A closure that does.
pub(in super::super) struct By<F>(pub F);

impl<F: FnOnce(&mut [u8])> ContributionWriter for By<F> {
    #[inline]
    fn fill(self, place: &mut [u8]) {
        self.0(place);
    }
}

impl CollSegment {
    /// Contributes to operation `number`: announces `length` bytes, of which `fill` writes those that have
    /// room in a slot, which is all or none. The others must be told. What has been contributed
    /// before the operation was left stays.
    #[inline]
    pub fn write(&self, number: u64, length: u64, fill: impl FnOnce(&mut [u8])) {
        self.write_by(number, length, By(fill));
    }

    /// [`write`](Self::write) by what need not be a closure: that would be called, where this can be written where it is called for.
    #[inline]
    pub fn write_by(&self, number: u64, length: u64, fill: impl ContributionWriter) {
        self.write_kind(number, length, 0, fill);
    }

    /// Contributes a length alone to operation `number`. The others must be told.
    pub fn announce(&self, number: u64, length: u64) {
        self.write_kind(number, length, 0, By(|_: &mut [u8]| ()));
    }

    /// [`write`](Self::write), and what is said with the length.
    #[inline(always)]
    pub(in super::super) fn write_kind(
        &self,
        number: u64,
        length: u64,
        said: u64,
        fill: impl ContributionWriter,
    ) {
        if self.given.replace(number) == number {
            debug_assert!(
                said != OFFERS,
                "what has been contributed as data is not offered"
            );
            return;
        }
        let line = self.line(self.me, number);
        {
            let access = line.contents.get_mut();
            // SAFETY: only the owner writes here, and all members have finished with what was here before
            // (`due`); within a process the engine's lock keeps threads apart.
            let contents = unsafe { &mut *access.with(|contents| contents) };
            if length <= INLINE as u64 {
                if length > FIRST_LINE as u64 {
                    // The number's own line comes together with it, and is written last: a member that waits for the number
                    // would take it away meanwhile.
                    prefetch_to_write(contents.inline.as_ptr().wrapping_add(FIRST_LINE));
                }
                fill.fill(&mut contents.inline[..length as usize]);
                contents.length = length | said;
            } else {
                contents.length = length | said;
                self.write_apart(contents, number, length, fill);
            }
        }
        line.number.store(number, Ordering::Release);
    }

    /// [`write_kind`](Self::write_kind) of what does not lie beside its number. Apart, so that what does is written with few stores.
    #[inline(never)]
    fn write_apart(
        &self,
        contents: &mut Contents,
        number: u64,
        length: u64,
        fill: impl ContributionWriter,
    ) {
        if let Some(exchange_buffer) = self.gone(number) {
            contents.length |= IN_EXCHANGE_BUFFER;
            contents.inline[..4].copy_from_slice(&exchange_buffer.to_ne_bytes());
            if length <= SLOT as u64 {
                self.fill_exchange_buffer(exchange_buffer, 0, length as usize, |place| {
                    fill.fill(place);
                });
            }
        } else if length <= SHORT_BUFFER as u64 {
            self.short_buffer(self.me, number).with_mut(|short_buffer| {
                // SAFETY: as for the contents, which are this member's.
                let short_buffer = unsafe { &mut (&mut *short_buffer)[..length as usize] };
                fill.fill(short_buffer);
            });
        } else if length <= SLOT as u64 {
            let start = self.slots.start(number);
            contents.inline[..4].copy_from_slice(&(start as u32).to_ne_bytes());
            let slot = self.slot(self.me, start, length as usize);
            // SAFETY: cells may be written to; only the owner does, and all members have finished with what was here before.
            let slot = unsafe {
                std::slice::from_raw_parts_mut(slot.as_ptr().cast_mut().cast(), slot.len())
            };
            fill.fill(slot);
        }
    }

    /// [`write`](Self::write) of what no slot holds, with a number beside it: [`remark`](Self::remark).
    pub fn write_remark(&self, number: u64, length: u64, remark: u64) {
        debug_assert!(length > SLOT as u64 && !self.has_given(number));
        self.line(self.me, number).contents.with_mut(|contents| {
            // SAFETY: as in `write_kind`, and this is before it.
            let contents = unsafe { &mut *contents };
            contents.inline[REMARK..][..8].copy_from_slice(&remark.to_ne_bytes());
        });
        self.write(number, length, |_| ());
    }
}

//! Copies of bytes in one piece, most of which another processor has written or will read.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::arch::x86_64::{
    __m256i, _MM_HINT_NTA, _MM_HINT_T0, _MM_HINT_T1, _mm_prefetch, _mm256_loadu_si256,
    _mm256_storeu_si256, _mm512_loadu_si512, _mm512_storeu_si512,
};
use std::mem::MaybeUninit;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::ops::RangeInclusive;
use std::ptr;

use crate::sys::PAGE;

mod processor;

#[cfg(test)]
pub(crate) use processor::On;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use processor::Processor;
pub(crate) use processor::{Core, by_strings, core};

/// Bytes of a cache line.
pub(crate) const LINE: usize = 64;
/// Lengths of blocks that are copied by our own vectors: whole lines, and what is left.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const STREAMED: RangeInclusive<usize> = LINE + 1..=64 << 10;
/// Least length of those that are [fetched to lines](fetch_to_lines).
#[cfg(all(target_arch = "x86_64", not(miri)))]
const FETCHED_LEAST: usize = 2 * LINE + 1;
/// From this length on they are copied from two places at a time where another processor has written them.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const TWO: usize = 8 << 10;
/// Up to this length they are copied by [`wide`] where another processor has written them.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const WHOLE: usize = 1 << 10;
/// How far ahead lines are asked for that another processor has written: into the second cache, as the first one has fewer on
/// their way.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const FETCHED: usize = 2 << 10;
/// The same on Golden Cove of a piece, while the next one is being written (latency of 256 KiB 13.0 and 12.5 us, but of 64 KiB, which
/// is one body, 4.67 and 4.80).
#[cfg(all(target_arch = "x86_64", not(miri)))]
const FETCHED_OF_PIECES: usize = 1 << 10;

/// Up to this length Golden Cove asks for no lines that it holds before it writes to them (latency of 12 KiB 1.435 us, 1.411; of 16 KiB
/// 1.832, 1.810; of 32 KiB 3.05, 3.36) ...
#[cfg(all(target_arch = "x86_64", not(miri)))]
const UNASKED: usize = 16 << 10;
/// ... and up to this one it reads messages from their end, and asks for no lines to read ([`downwards`]).
#[cfg(all(target_arch = "x86_64", not(miri)))]
const FETCHED_DOWN: usize = 6 << 10;

/// From this length on blocks are written by [`string`] where [`by_strings`] says so (latency of 2 and 4 KiB, bare copies by vectors
/// and strings: 0.106 and 0.182 us, 0.127 and 0.205, where a line takes 60 ns; 0.61 and 1.12, 0.63 and 0.76, where 200)...
pub(crate) const SHORTEST_STRING: usize = 3 << 10;
/// ... and read, where another processor has written them and is not at it any more. Shorter ones by [`wide`] (16 KiB: 0.445 us by
/// strings, 0.41) ...
const FETCHED_STRING: usize = (16 << 10) + 1;
/// ... and the pieces of longer messages, which first caches do not hold (64 KiB, bare copies by pieces of 16: 1.15 us by strings, 1.31).
const FETCHED_PIECE: usize = 14 << 10;

/// How far ahead lines are asked for that are to be written: 512 to 1,024 bytes are the same within 5 %.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const DISTANCE: usize = 768;

/// What else is known of a block than where it is and goes.
mod known {
    pub(super) const NOTHING: u8 = 0;
    /// A processor waits for it.
    pub(super) const AWAITED: u8 = 1;
    /// Another processor has written it.
    pub(super) const WRITTEN: u8 = 2;
    /// The same, and it goes on writing.
    pub(super) const PIECE: u8 = 3;
    /// As [`WRITTEN`], and it waits for an answer.
    pub(super) const MESSAGE: u8 = 4;
    /// As [`AWAITED`], in lines that no other processor has.
    pub(super) const HELD: u8 = 5;
}

/// Copies a block; short ones without a call.
///
/// # Safety
/// `bytes` bytes can be read at `from` and written at `to`. They may overlap (by an application's
/// mistake): everything is read before anything is written.
#[inline(always)]
pub(crate) unsafe fn copy_block(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { copy::<{ known::NOTHING }>(from, to, bytes) }
}

/// As [`copy_block`], of a message to where another processor waits for it.
///
/// # Safety
/// As for [`copy_block`].
#[inline(always)]
pub(crate) unsafe fn lay_block(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { copy::<{ known::AWAITED }>(from, to, bytes) }
}

/// As [`lay_block`], to lines that no other processor has.
///
/// # Safety
/// As for [`copy_block`].
#[inline(always)]
pub(crate) unsafe fn lay_held_block(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { copy::<{ known::HELD }>(from, to, bytes) }
}

/// As [`copy_block`], from where another processor has written.
///
/// # Safety
/// As for [`copy_block`].
#[inline(always)]
pub(crate) unsafe fn fetch_block(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { copy::<{ known::WRITTEN }>(from, to, bytes) }
}

/// As [`fetch_block`], of a whole message, which the other processor may wait to have answered.
///
/// # Safety
/// As for [`copy_block`].
#[inline(always)]
pub(crate) unsafe fn fetch_message(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { copy::<{ known::MESSAGE }>(from, to, bytes) }
}

/// As [`fetch_block`], of a piece of a longer message, the next of which is being written.
///
/// # Safety
/// As for [`copy_block`].
#[inline(always)]
pub(crate) unsafe fn fetch_piece(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract, and nothing overlaps.
    unsafe {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if by_strings() && bytes >= FETCHED_PIECE && from.addr().abs_diff(to.addr()) >= bytes {
            return string(from, to, bytes);
        }
        copy::<{ known::PIECE }>(from, to, bytes)
    }
}

/// # Safety
/// As for [`copy_block`].
#[inline(always)]
unsafe fn copy<const KNOWN: u8>(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe {
        match bytes {
            0..=LINE => copy_short(from, to, bytes),
            _ => copy_longer::<KNOWN>(from, to, bytes),
        }
    }
}

/// Copies a block of at most [`LINE`] bytes.
///
/// # Safety
/// As for [`copy_block`].
#[inline(always)]
unsafe fn copy_short(from: *const u8, to: *mut u8, bytes: usize) {
    /// Two words that together cover the block, overlapping in the middle. A word may hold a struct's
    /// padding, which need not be initialised.
    ///
    /// # Safety
    /// As for `copy_block`, and a word is at most `bytes` long.
    #[inline(always)]
    unsafe fn ends<T: Copy>(from: *const u8, to: *mut u8, bytes: usize) {
        let last = bytes - size_of::<T>();
        // SAFETY: both words lie within the block.
        unsafe {
            let head = from.cast::<MaybeUninit<T>>().read_unaligned();
            let tail = from.add(last).cast::<MaybeUninit<T>>().read_unaligned();
            to.cast::<MaybeUninit<T>>().write_unaligned(head);
            to.add(last).cast::<MaybeUninit<T>>().write_unaligned(tail);
        }
    }
    /// Two words from the front and two from the back, the inner ones on top of the outer ones in a short
    /// block: sizes in no order cost no mispredicted branch.
    ///
    /// # Safety
    /// As for `copy_block`, and a word is at most `bytes` long, four are at least.
    #[inline(always)]
    unsafe fn spread(from: *const u8, to: *mut u8, bytes: usize) {
        let last = bytes - 8;
        let (second, third) = (last.min(8), last.saturating_sub(8));
        // SAFETY: every word lies within the block.
        unsafe {
            let read = |at: usize| from.add(at).cast::<MaybeUninit<u64>>().read_unaligned();
            let write =
                |at: usize, word| to.add(at).cast::<MaybeUninit<u64>>().write_unaligned(word);
            let (a, b, c, d) = (read(0), read(second), read(third), read(last));
            write(0, a);
            write(second, b);
            write(third, c);
            write(last, d);
        }
    }
    debug_assert!(bytes <= LINE);
    // SAFETY: the words fit by the ranges; the rest is the caller's contract.
    unsafe {
        match bytes {
            8..=32 => spread(from, to, bytes),
            33.. => ends::<[u128; 2]>(from, to, bytes),
            4..=7 => ends::<u32>(from, to, bytes),
            2..=3 => ends::<u16>(from, to, bytes),
            1 => ends::<u8>(from, to, bytes),
            0 => {}
        }
    }
}

/// Copies a block that is worth a call.
///
/// # Safety
/// As for [`copy_block`].
#[inline(never)]
unsafe fn copy_longer<const KNOWN: u8>(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract; vectors only where the processor has them, and only of what does not overlap.
    unsafe {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if STREAMED.contains(&bytes) && from.addr().abs_diff(to.addr()) >= bytes {
            // Each way is a jump: this one needs no registers of its own.
            let Some(processor) = Processor::known() else {
                return copy_first::<KNOWN>(from, to, bytes);
            };
            let core = processor.core();
            let written = matches!(KNOWN, known::WRITTEN | known::PIECE | known::MESSAGE);
            let golden = core == Core::GoldenCove;
            let strings = core == Core::Zen5;
            let shortest = match written {
                true => FETCHED_STRING,
                false => SHORTEST_STRING,
            };
            if strings && bytes >= shortest {
                return string(from, to, bytes);
            }
            if processor.has_avx512() {
                if written && (strings || bytes <= WHOLE) {
                    return wide(from, to, bytes);
                }
                if golden && KNOWN == known::HELD && bytes <= UNASKED {
                    return by_lines(from, to, bytes);
                }
                if golden && matches!(KNOWN, known::AWAITED | known::HELD) {
                    return ahead_by_lines(from, to, bytes);
                }
            }
            if processor.has_avx2() {
                if golden && KNOWN == known::MESSAGE && bytes <= FETCHED_DOWN {
                    return downwards(from, to, bytes);
                }
                // The beginning of a line takes up to 63 bytes, and a line must be left.
                if !written || bytes < FETCHED_LEAST {
                    return ahead(from, to, bytes);
                }
                let distance = match golden && KNOWN == known::PIECE {
                    true => FETCHED_OF_PIECES,
                    false => FETCHED,
                };
                return fetch_to_lines(from, to, bytes, distance);
            }
        }
        copy_long(from, to, bytes)
    }
}

/// [`copy_longer`] before the processor has been asked.
///
/// # Safety
/// As for [`copy_block`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[cold]
#[inline(never)]
unsafe fn copy_first<const KNOWN: u8>(from: *const u8, to: *mut u8, bytes: usize) {
    Processor::ask();
    // SAFETY: the caller's contract.
    unsafe { copy_longer::<KNOWN>(from, to, bytes) }
}

/// Copies a block by the processor's string instruction.
///
/// # Safety
/// As for [`copy_block`], but nothing overlaps.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
unsafe fn string(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract; the direction flag is clear, as everywhere outside such assembly.
    unsafe {
        std::arch::asm!(
            "rep movsb",
            inout("rsi") from => _, inout("rdi") to => _, inout("rcx") bytes => _,
            options(nostack, preserves_flags)
        );
    }
}

/// Whether `rep movsb` is slow from one of these addresses to the other: on AMD's Zen 3 and 4 it copies 3 GB/s instead of 40 if
/// the destination lies up to 31 bytes further in its page than the source in its own (4 to 512 KiB measured on an EPYC of
/// the third generation: 8 bytes further memcpy 2.9 GB/s, a loop of vectors 36). So do blocks of some pages that a program has
/// allocated one after the other: 16 bytes further.
#[inline]
pub(crate) fn is_close(from: usize, to: usize) -> bool {
    (1..32).contains(&(to.wrapping_sub(from) % PAGE))
}

/// Copies a block as the C library does, but where that takes `rep movsb`, as from some KiB on, and it is slow (glibc up to
/// 2.39, its bug 30994).
///
/// # Safety
/// As for [`copy_block`].
#[inline(never)]
pub(crate) unsafe fn copy_long(from: *const u8, to: *mut u8, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if is_close(from.addr(), to.addr())
        && !by_strings()
        && bytes >= *STREAMED.start()
        && from.addr().abs_diff(to.addr()) >= bytes
        && is_x86_feature_detected!("avx2")
    {
        // SAFETY: the caller's contract; the processor has AVX2; nothing overlaps.
        return unsafe { in_pieces(from, to, bytes) };
    }
    // SAFETY: the caller's contract.
    unsafe { ptr::copy(from, to, bytes) }
}

/// Copies a block of any length as [`ahead`] does.
///
/// # Safety
/// As for [`ahead`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[cold]
unsafe fn in_pieces(from: *const u8, to: *mut u8, bytes: usize) {
    // The last piece takes what would be too short by itself.
    let most = *STREAMED.end();
    let mut at = 0;
    while at < bytes {
        let left = bytes - at;
        let piece = if left < 2 * most { left } else { most };
        // SAFETY: within the block, which is at least that long.
        unsafe { ahead(from.add(at), to.add(at), piece) };
        at += piece;
    }
}

/// Asks for a cache line that is about to be read.
#[inline(always)]
pub(crate) fn prefetch(line: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads nothing as far as the program can tell, whatever the address.
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(line.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = line;
}

/// Asks for a cache line that is about to be written, for this processor alone.
#[inline(always)]
pub(crate) fn prefetch_to_write(line: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads and writes nothing as far as the program can tell, whatever the address.
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) line, options(nostack, preserves_flags));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = line;
}

/// Copies a block whose destination may be in another processor's cache: asks for the lines to write some time
/// before they are written, so that several are on their way. The C library's `memcpy` writes into each when
/// it comes, or by `rep movsb` from 2 KiB on, and not by whole lines before.
///
/// # Safety
/// As for [`copy_block`], but nothing overlaps, and there are at least 64 bytes.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
unsafe fn ahead(from: *const u8, to: *mut u8, bytes: usize) {
    let last = bytes - LINE;
    // Not beyond its end: what lies above it in a ring is being read.
    for at in (LINE..DISTANCE.min(bytes)).step_by(LINE) {
        prefetch_to_write(to.wrapping_add(at));
    }
    let mut at = 0;
    while at <= last {
        if at + DISTANCE < bytes {
            prefetch_to_write(to.wrapping_add(at + DISTANCE));
        }
        // SAFETY: the line is in the block.
        unsafe { line(from, to, at) };
        at += LINE;
    }
    // SAFETY: what is left.
    unsafe { copy_short(from.add(at), to.add(at), bytes - at) }
}

/// [`ahead`] by vectors of a whole line, four at a turn.
///
/// # Safety
/// The processor has AVX-512; otherwise as for [`ahead`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn ahead_by_lines(from: *const u8, to: *mut u8, bytes: usize) {
    const TURN: usize = 4;
    for at in (LINE..DISTANCE.min(bytes)).step_by(LINE) {
        prefetch_to_write(to.wrapping_add(at));
    }
    // SAFETY: below, the line is in the block.
    let copy = |at: usize| unsafe {
        let vector = _mm512_loadu_si512(from.add(at).cast());
        _mm512_storeu_si512(to.add(at).cast(), vector);
    };
    let mut at = 0;
    while at + DISTANCE + TURN * LINE <= bytes {
        for line in 0..TURN {
            prefetch_to_write(to.wrapping_add(at + DISTANCE + line * LINE));
        }
        for line in 0..TURN {
            copy(at + line * LINE);
        }
        at += TURN * LINE;
    }
    // SAFETY: what is left.
    unsafe { by_lines(from.add(at), to.add(at), bytes - at) }
}

/// Copies a block by vectors of a whole line.
///
/// # Safety
/// The processor has AVX-512; otherwise as for [`copy_block`], but nothing overlaps.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn by_lines(from: *const u8, to: *mut u8, bytes: usize) {
    let mut at = 0;
    while at + LINE <= bytes {
        // SAFETY: loads and stores at any address, and the line is in the block.
        unsafe {
            let vector = _mm512_loadu_si512(from.add(at).cast());
            _mm512_storeu_si512(to.add(at).cast(), vector);
        }
        at += LINE;
    }
    // SAFETY: what is left.
    unsafe { copy_short(from.add(at), to.add(at), bytes - at) }
}

/// Copies a block that another processor has written, the last line first.
///
/// # Safety
/// As for [`ahead`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
unsafe fn downwards(from: *const u8, to: *mut u8, bytes: usize) {
    let mut at = bytes / LINE * LINE;
    // SAFETY: what is no whole line.
    unsafe { copy_short(from.add(at), to.add(at), bytes - at) };
    while at > 0 {
        at -= LINE;
        // SAFETY: the line is in the block.
        unsafe { line(from, to, at) };
    }
}

/// Copies 64 bytes that are `at` bytes from the beginning of a block.
///
/// # Safety
/// The processor has AVX2, and they can be read and written.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn line(from: *const u8, to: *mut u8, at: usize) {
    // SAFETY: loads and stores at any address within the block.
    unsafe {
        let (from, to) = (from.add(at).cast::<__m256i>(), to.add(at).cast::<__m256i>());
        let (low, high) = (_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1)));
        _mm256_storeu_si256(to, low);
        _mm256_storeu_si256(to.add(1), high);
    }
}

/// Asks for the line `at` bytes from the beginning of a block of so many bytes, if that is in the block.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn ask(from: *const u8, bytes: usize, at: usize) {
    if at < bytes {
        // SAFETY: a prefetch reads nothing as far as the program can tell.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(from.wrapping_add(at).cast()) };
    }
}

/// Asks for the lines of a block that will be read once.
#[inline(always)]
pub(crate) fn ask_for(from: *const u8, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for at in (0..bytes).step_by(LINE) {
        // SAFETY: a prefetch reads nothing as far as the program can tell.
        unsafe { _mm_prefetch::<_MM_HINT_NTA>(from.wrapping_add(at).cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (from, bytes);
}

/// Copies a block by vectors of a whole line, from whole lines: those of another processor's cache (Zen 5, bare copies to and fro
/// where a line takes 60 ns, to whole lines and from whole lines: 4 KiB 0.146 us, 0.118; 16 KiB 0.330, 0.306). Which lines are
/// touched does not wait for the length, which comes with the slot: processors read ahead what they know where it is (latency of 256
/// bytes where a line takes 200 ns 0.300; if only the last line depends on it 0.351).
///
/// # Safety
/// The processor has AVX-512; otherwise as for [`ahead`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn wide(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: loads and stores at any address, all within the block.
    let copy = |at: usize| unsafe {
        let vector = _mm512_loadu_si512(from.add(at).cast());
        _mm512_storeu_si512(to.add(at).cast(), vector);
    };
    let (start, last) = (LINE - from.addr() % LINE, bytes - LINE);
    copy(0);
    let mut at = start;
    while at <= last {
        copy(at);
        at += LINE;
    }
    if at < bytes {
        prefetch(from.wrapping_add(at));
        copy(last);
    }
}

/// Copies a block that another processor has written to whole lines: stores to two take longer, and a program's blocks often begin 16
/// bytes into one.
///
/// # Safety
/// As for [`ahead`]; there are at least [`FETCHED_LEAST`] bytes.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
unsafe fn fetch_to_lines(from: *const u8, to: *mut u8, bytes: usize, distance: usize) {
    let start = to.addr().wrapping_neg() % LINE;
    // SAFETY: all within the block, of which more than a line lies behind its first whole one's beginning.
    unsafe {
        line(from, to, 0);
        let (from, to, bytes) = (from.add(start), to.add(start), bytes - start);
        match bytes {
            TWO.. => fetch_from_two(from, to, bytes, distance),
            _ => fetch(from, to, bytes, distance),
        }
    }
}

/// Copies a block that another processor has written: asks for its lines some time before they are read, so far ahead.
///
/// # Safety
/// As for [`ahead`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
unsafe fn fetch(from: *const u8, to: *mut u8, bytes: usize, distance: usize) {
    for at in (0..distance.min(bytes)).step_by(LINE) {
        ask(from, bytes, at);
    }
    let last = bytes - LINE;
    let mut at = 0;
    while at < last {
        ask(from, bytes, at + distance);
        // SAFETY: the line is in the block.
        unsafe { line(from, to, at) };
        at += LINE;
    }
    // SAFETY: the last line of the block, over the one before it unless the length is a multiple of lines.
    unsafe { line(from, to, last) }
}

/// Copies a block as [`fetch`] does, a line from either half of it in turn: processors follow several streams of lines, each
/// within a page, and so have more lines on their way.
///
/// # Safety
/// As for [`ahead`]; there are at least [`TWO`] bytes.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
unsafe fn fetch_from_two(from: *const u8, to: *mut u8, bytes: usize, distance: usize) {
    /// How far apart in their pages both halves begin, at least: lines at the same place in a page share a place in a first
    /// cache.
    const APART: usize = 1 << 10;
    let middle = bytes / 2 / LINE * LINE;
    let half = middle / PAGE * PAGE + (middle % PAGE).clamp(APART, PAGE - APART);
    let (both, last) = (half.min(bytes - half) / LINE * LINE, bytes - LINE);
    for at in (0..distance.min(both)).step_by(LINE) {
        ask(from, bytes, at);
        ask(from, bytes, half + at);
    }
    let mut at = 0;
    while at < both {
        ask(from, bytes, at + distance);
        ask(from, bytes, half + at + distance);
        // SAFETY: both lines are in the block, as `both` bytes fit behind its beginning and its half.
        unsafe {
            line(from, to, at);
            line(from, to, half + at);
        }
        at += LINE;
    }
    // What is left of the longer half.
    let (mut at, end) = match both < half {
        true => (both, half - LINE),
        false => (half + both, last),
    };
    while at < end {
        // SAFETY: within that half.
        unsafe { line(from, to, at) };
        at += LINE;
    }
    // SAFETY: the last lines of both halves, over others if they have been copied.
    unsafe {
        line(from, to, half - LINE);
        line(from, to, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Copy = unsafe fn(*const u8, *mut u8, usize);

    /// Blocks of all kinds of lengths, at places in all kinds of relation, arrive, and nothing beside them changes.
    #[test]
    fn blocks_are_copied_and_nothing_else() {
        let lengths = (0..400).chain(1000..1100).chain(8180..8330).chain([
            4095, 4096, 4097, 9216, 10_000, 16_383, 16_384, 16_385, 65535, 65536, 65537, 131_072,
            131_073, 300_001,
        ]);
        let lengths = lengths.chain(3060..3080).chain(14_330..14_340);
        let from: Vec<u8> = (0..310_000_u32).map(|at| (at * 7 % 251) as u8).collect();
        for bytes in lengths {
            for (skew, shift) in [(0, 0), (1, 0), (0, 3), (33, 63)] {
                for (copy, core) in [
                    (copy_block as Copy, Core::Other),
                    (fetch_block, Core::Other),
                    (lay_block, Core::GoldenCove),
                    (lay_held_block, Core::GoldenCove),
                    (fetch_message, Core::GoldenCove),
                    (copy_block, Core::Zen5),
                    (fetch_block, Core::Zen5),
                    (fetch_piece, Core::Zen5),
                    (fetch_piece, Core::GoldenCove),
                ] {
                    let _core = On::a(core);
                    let mut to = vec![255; bytes + shift + 64];
                    // SAFETY: both vectors are long enough.
                    unsafe { copy(from.as_ptr().add(skew), to.as_mut_ptr().add(shift), bytes) };
                    assert_eq!(to[shift..][..bytes], from[skew..][..bytes], "{bytes} bytes");
                    assert!(to[..shift].iter().all(|&byte| byte == 255));
                    assert!(to[shift + bytes..].iter().all(|&byte| byte == 255));
                }
            }
        }
    }

    /// So are those that processors without AVX-512 fetch, whatever this one has.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[test]
    fn blocks_are_fetched_to_lines() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let from: Vec<u8> = (0..20_000_u32).map(|at| (at * 7 % 251) as u8).collect();
        for bytes in (FETCHED_LEAST..1100).chain(8150..8330) {
            for (skew, shift) in [(0, 0), (1, 1), (0, 63), (33, 16)] {
                let mut to = vec![255; bytes + shift + 128];
                let start = to.as_ptr().align_offset(64) + shift;
                // SAFETY: both vectors are long enough, and the processor has AVX2.
                unsafe {
                    let (from, to) = (from.as_ptr().add(skew), to.as_mut_ptr().add(start));
                    fetch_to_lines(from, to, bytes, [FETCHED, FETCHED_OF_PIECES][bytes % 2]);
                }
                assert_eq!(to[start..][..bytes], from[skew..][..bytes], "{bytes} bytes");
                assert!(to[..start].iter().all(|&byte| byte == 255));
                assert!(to[start + bytes..].iter().all(|&byte| byte == 255));
            }
        }
    }

    /// Wherever in their pages source and destination lie.
    #[test]
    fn places_in_pages_do_not_matter() {
        const LENGTH: usize = 140_000;
        let from: Vec<u8> = (0..LENGTH + 4096).map(|at| (at % 251) as u8).collect();
        let base = from.as_ptr().align_offset(4096);
        for further in [0, 1, 8, 16, 31, 32, 4095] {
            for bytes in [1000, 1024, 5000, LENGTH - 4096] {
                let mut to = vec![255; LENGTH + 8192];
                let start = to.as_ptr().align_offset(4096) + further;
                // SAFETY: both vectors are long enough.
                unsafe { copy_long(from.as_ptr().add(base), to.as_mut_ptr().add(start), bytes) };
                assert_eq!(
                    to[start..][..bytes],
                    from[base..][..bytes],
                    "{further} {bytes}"
                );
                assert_eq!(to[start + bytes], 255);
                assert!(to[..start].iter().all(|&byte| byte == 255));
            }
        }
    }

    /// An application's mistake: source and destination overlap.
    #[test]
    fn what_overlaps_is_read_before_it_is_written() {
        for (bytes, core) in [
            (7, Core::Other),
            (40, Core::Other),
            (300, Core::Other),
            (1024, Core::Other),
            (5000, Core::Other),
            (5000, Core::Zen5),
        ] {
            let _core = On::a(core);
            for (skew, shift) in [(0, 5), (5, 0), (0, 900), (900, 0)] {
                let mut both: Vec<u8> = (0..6000_u32).map(|at| (at % 251) as u8).collect();
                let expected = both[skew..][..bytes].to_vec();
                let base = both.as_mut_ptr();
                // SAFETY: within the vector.
                unsafe { copy_block(base.add(skew), base.add(shift), bytes) };
                assert_eq!(both[shift..][..bytes], expected);
            }
        }
    }
}

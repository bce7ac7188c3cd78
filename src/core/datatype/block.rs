//! Copies of bytes in one piece, most of which another processor has written or will read.
//!
//! There are three: by the C library, by whole lines that are asked for some time before, and by the processor's string instruction.
//! [`tuning`](crate::tuning) says from which length on each is the best.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
use std::mem::MaybeUninit;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::ops::{Range, RangeInclusive};
use std::ptr;

use crate::sys::PAGE;
use crate::tuning::{self, NEVER, Tuning};

/// Bytes of a cache line.
pub(crate) const LINE: usize = 64;
/// Lengths of blocks that are copied by our own code: whole lines, and what is left.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const BY_LINES: RangeInclusive<usize> = LINE + 1..=64 << 10;
/// How far ahead lines are asked for that are to be written; a third less or more does as well.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const WRITE_AHEAD: usize = 768;

/// Copies a block; short ones without a call.
///
/// # Safety
/// `bytes` bytes can be read at `from` and written at `to`. They may overlap (by an application's
/// mistake): everything is read before anything is written.
#[inline(always)]
pub(crate) unsafe fn copy_block(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe {
        match bytes {
            0..=LINE => copy_short(from, to, bytes),
            _ => copy_longer(from, to, bytes),
        }
    }
}

/// As [`copy_block`], from where another processor has written.
///
/// # Safety
/// As for [`copy_block`].
#[inline(always)]
pub(crate) unsafe fn fetch_block(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe {
        match bytes {
            0..=LINE => copy_short(from, to, bytes),
            _ => fetch_longer(from, to, bytes),
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
    /// Two words from the front and two from the back; in a short block the inner ones overlap the outer ones. So
    /// sizes that change cost no mispredicted branch.
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
unsafe fn copy_longer(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { copy_by(tuning::current(), from, to, bytes) }
}

/// The same of what another processor has written.
///
/// # Safety
/// As for [`copy_block`].
#[inline(never)]
unsafe fn fetch_longer(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { fetch_by(tuning::current(), from, to, bytes) }
}

/// [`copy_block`] as a row of the tuning says.
///
/// # Safety
/// As for [`copy_block`].
#[inline(always)]
unsafe fn copy_by(tuning: &Tuning, from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract; vectors only where the processor has them, and only of what does not overlap.
    unsafe {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if BY_LINES.contains(&bytes) && from.addr().abs_diff(to.addr()) >= bytes {
            if bytes >= tuning.copy_by_string {
                return string(from, to, bytes);
            }
            if is_x86_feature_detected!("avx512f") {
                return write_by_avx512(from, to, bytes);
            }
            if is_x86_feature_detected!("avx2") {
                return write_by_avx2(from, to, bytes);
            }
        }
        copy_long(from, to, bytes)
    }
}

/// [`fetch_block`] as a row of the tuning says.
///
/// # Safety
/// As for [`copy_block`].
#[inline(always)]
unsafe fn fetch_by(tuning: &Tuning, from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: as in `copy_by`.
    unsafe {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if BY_LINES.contains(&bytes) && from.addr().abs_diff(to.addr()) >= bytes {
            if bytes >= tuning.read_by_string {
                return string(from, to, bytes);
            }
            // A vector of a whole line that lies in two takes longer than two vectors of half a line.
            if bytes < tuning.read_to_lines && is_x86_feature_detected!("avx512f") {
                return read_by_avx512(from, to, bytes, tuning);
            }
            if is_x86_feature_detected!("avx2") {
                return read_by_avx2(from, to, bytes, tuning);
            }
        }
        copy_long(from, to, bytes)
    }
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

/// Whether `rep movsb` is slow from one of these addresses to the other. On some processors it is much slower if the
/// destination lies up to 31 bytes further in its page than the source in its own. Blocks of some pages that a
/// program has allocated one after the other lie so, 16 bytes further.
#[inline]
pub(crate) fn is_close(from: usize, to: usize) -> bool {
    (1..32).contains(&(to.wrapping_sub(from) % PAGE))
}

/// Copies a block as the C library does, unless that uses `rep movsb` where it is slow. glibc up to 2.39 does so
/// for blocks from some KiB on (its bug 30994).
///
/// # Safety
/// As for [`copy_block`].
#[inline(never)]
pub(crate) unsafe fn copy_long(from: *const u8, to: *mut u8, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if is_close(from.addr(), to.addr())
        && tuning::current().copy_by_string == NEVER
        && bytes > LINE
        && from.addr().abs_diff(to.addr()) >= bytes
        && is_x86_feature_detected!("avx2")
    {
        // SAFETY: the caller's contract; the processor has AVX2; nothing overlaps.
        return unsafe { write_by_avx2(from, to, bytes) };
    }
    // SAFETY: the caller's contract.
    unsafe { ptr::copy(from, to, bytes) }
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

/// Copies a block whose destination may be in another processor's cache. It asks for lines some time before it writes
/// them, so that several are on their way.
///
/// # Safety
/// As for [`copy_block`], but nothing overlaps, and there are more than 64 bytes.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
unsafe fn write(from: *const u8, to: *mut u8, bytes: usize) {
    let last = bytes - LINE;
    // Not beyond its end: what lies above it in a ring is being read.
    for at in (LINE..WRITE_AHEAD.min(bytes)).step_by(LINE) {
        prefetch_to_write(to.wrapping_add(at));
    }
    let mut at = 0;
    while at < last {
        if at + WRITE_AHEAD < bytes {
            prefetch_to_write(to.wrapping_add(at + WRITE_AHEAD));
        }
        // SAFETY: the line is in the block.
        unsafe { line(from, to, at) };
        at += LINE;
    }
    // SAFETY: the last line of the block, over the one before it unless the length is a multiple of lines.
    unsafe { line(from, to, last) };
}

/// [`write()`] by vectors of a whole line.
///
/// # Safety
/// The processor has AVX-512; otherwise as for [`write()`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn write_by_avx512(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { write(from, to, bytes) }
}

/// [`write()`] by vectors of half a line.
///
/// # Safety
/// The processor has AVX2; otherwise as for [`write()`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
unsafe fn write_by_avx2(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { write(from, to, bytes) }
}

/// Copies 64 bytes that are `at` bytes from the beginning of a block. The caller's target features say by which vectors.
///
/// # Safety
/// They can be read and written.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
unsafe fn line(from: *const u8, to: *mut u8, at: usize) {
    type Line = MaybeUninit<[u8; LINE]>;
    // SAFETY: the caller's contract, at any address.
    unsafe {
        let line = from.add(at).cast::<Line>().read_unaligned();
        to.add(at).cast::<Line>().write_unaligned(line);
    }
}

/// Copies a block that another processor has written, from or to whole lines. If the row says so, they are asked
/// for some time before they are read. A long block is read from two places at a time. Processors follow several
/// streams of lines, each within a page, and so have more lines on their way.
///
/// # Safety
/// As for [`write()`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
unsafe fn read(from: *const u8, to: *mut u8, bytes: usize, tuning: &Tuning) {
    let start = match bytes < tuning.read_to_lines {
        true => LINE - from.addr() % LINE,
        false => to.addr().wrapping_neg() % LINE,
    };
    let last = bytes - LINE;
    // SAFETY: the first and the last line of the block; and those between, as `start` is at most a line.
    unsafe {
        line(from, to, 0);
        match bytes >= tuning.read_halves {
            true => read_halves(from, to, start..bytes, tuning.read_ahead),
            false => read_lines(from, to, start..bytes, tuning.read_ahead),
        }
        line(from, to, last);
    }
}

/// Reads the whole lines of a part of a block, one after the other.
///
/// # Safety
/// As for [`write()`]; the part ends in the block.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
unsafe fn read_lines(from: *const u8, to: *mut u8, part: Range<usize>, ahead: usize) {
    for at in (part.start..part.end.min(part.start + ahead)).step_by(LINE) {
        ask(from, at..part.end);
    }
    let mut at = part.start;
    while at + LINE <= part.end {
        if ahead > 0 {
            ask(from, at + ahead..part.end);
        }
        // SAFETY: the line is in the part.
        unsafe { line(from, to, at) };
        at += LINE;
    }
}

/// Reads the whole lines of a part of a block, one from either half in turn.
///
/// # Safety
/// As for [`read_lines`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
unsafe fn read_halves(from: *const u8, to: *mut u8, part: Range<usize>, ahead: usize) {
    /// How far apart in their pages both halves begin, at least: lines at the same place in a page share a place in a first
    /// cache.
    const APART: usize = 1 << 10;
    let middle = part.len() / 2 / LINE * LINE;
    let half = middle / PAGE * PAGE + (middle % PAGE).clamp(APART, PAGE - APART);
    let both = half.min(part.len() - half) / LINE * LINE;
    let second = part.start + half;
    for at in (0..ahead.min(both)).step_by(LINE) {
        ask(from, part.start + at..part.end);
        ask(from, second + at..part.end);
    }
    for at in (0..both).step_by(LINE) {
        if ahead > 0 {
            ask(from, part.start + at + ahead..part.end);
            ask(from, second + at + ahead..part.end);
        }
        // SAFETY: both lines are in the part, as `both` bytes fit behind the beginning of either half.
        unsafe {
            line(from, to, part.start + at);
            line(from, to, second + at);
        }
    }
    // SAFETY: what is left of the longer half; of the other one nothing is.
    unsafe {
        read_lines(from, to, part.start + both..second, 0);
        read_lines(from, to, second + both..part.end, 0);
    }
}

/// Asks for the first line of a part of a block, if the part is not empty.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn ask(from: *const u8, part: Range<usize>) {
    if !part.is_empty() {
        // SAFETY: a prefetch reads nothing as far as the program can tell. Into the second cache, as the first one has fewer on their
        // way.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(from.wrapping_add(part.start).cast()) };
    }
}

/// [`read`] by vectors of a whole line.
///
/// # Safety
/// The processor has AVX-512; otherwise as for [`read`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn read_by_avx512(from: *const u8, to: *mut u8, bytes: usize, tuning: &Tuning) {
    // SAFETY: the caller's contract.
    unsafe { read(from, to, bytes, tuning) }
}

/// [`read`] by vectors of half a line.
///
/// # Safety
/// The processor has AVX2; otherwise as for [`read`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
unsafe fn read_by_avx2(from: *const u8, to: *mut u8, bytes: usize, tuning: &Tuning) {
    // SAFETY: the caller's contract.
    unsafe { read(from, to, bytes, tuning) }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Copy = unsafe fn(&Tuning, *const u8, *mut u8, usize);

    /// Copies of all kinds of lengths, at places in all kinds of relation, arrive, and nothing beside them changes.
    fn check(copy: Copy, rows: &[Tuning], lengths: impl Iterator<Item = usize>) {
        let from: Vec<u8> = (0..310_000_u32).map(|at| (at * 7 % 251) as u8).collect();
        for bytes in lengths {
            for (skew, shift) in [(0, 0), (1, 1), (0, 3), (0, 63), (33, 16)] {
                for row in rows {
                    let mut to = vec![255; bytes + shift + 128];
                    let start = to.as_ptr().align_offset(64) + shift;
                    // SAFETY: both vectors are long enough.
                    unsafe {
                        let (from, to) = (from.as_ptr().add(skew), to.as_mut_ptr().add(start));
                        copy(row, from, to, bytes);
                    }
                    let same = to[start..][..bytes] == from[skew..][..bytes];
                    assert!(same, "{bytes} bytes, {}", row.name);
                    assert!(to[..start].iter().all(|&byte| byte == 255));
                    assert!(to[start + bytes..].iter().all(|&byte| byte == 255));
                }
            }
        }
    }

    fn lengths() -> impl Iterator<Item = usize> {
        let lengths = (0..400).chain(1000..1100).chain(3060..3080);
        let lengths = lengths.chain(8180..8330).chain(16_380..16_390);
        lengths.chain([
            4095, 4096, 4097, 9216, 10_000, 65_535, 65_536, 65_537, 131_072, 131_073, 300_001,
        ])
    }

    #[test]
    fn blocks_are_copied_and_nothing_else() {
        // SAFETY: what `check` sees to.
        let block: Copy = |_, from, to, bytes| unsafe { copy_block(from, to, bytes) };
        // SAFETY: the same.
        let fetched: Copy = |_, from, to, bytes| unsafe { fetch_block(from, to, bytes) };
        check(block, &tuning::ROWS[..1], lengths());
        check(fetched, &tuning::ROWS[..1], lengths());
    }

    #[test]
    fn blocks_are_copied_alike_by_every_row() {
        let longer = || lengths().filter(|bytes| *bytes > LINE);
        check(copy_by, &tuning::ROWS, longer());
        check(fetch_by, &tuning::ROWS, longer());
    }

    /// So they are by processors without AVX-512, whatever this one has.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[test]
    fn blocks_are_copied_by_shorter_vectors() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let longer = || lengths().filter(|bytes| BY_LINES.contains(bytes));
        // SAFETY: the processor has AVX2; the rest is what `check` sees to.
        let write: Copy = |_, from, to, bytes| unsafe { write_by_avx2(from, to, bytes) };
        // SAFETY: the same.
        let read: Copy = |row, from, to, bytes| unsafe { read_by_avx2(from, to, bytes, row) };
        check(write, &tuning::ROWS[..1], longer());
        check(read, &tuning::ROWS, longer());
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
        for (row, bytes) in tuning::ROWS
            .iter()
            .flat_map(|row| [7, 40, 300, 1024, 5000].map(|bytes| (row, bytes)))
        {
            for (skew, shift) in [(0, 5), (5, 0), (0, 900), (900, 0)] {
                let mut both: Vec<u8> = (0..6000_u32).map(|at| (at % 251) as u8).collect();
                let expected = both[skew..][..bytes].to_vec();
                let base = both.as_mut_ptr();
                // SAFETY: within the vector.
                unsafe {
                    match bytes <= LINE {
                        true => copy_block(base.add(skew), base.add(shift), bytes),
                        false => copy_by(row, base.add(skew), base.add(shift), bytes),
                    }
                }
                assert_eq!(both[shift..][..bytes], expected, "{}", row.name);
            }
        }
    }
}

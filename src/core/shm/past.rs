//! Cache lines that are stored past the caches, word by word, and say in their last word whether all of them have come.
//!
//! A processor ends its stores in their order, and one to a line that a far processor has read ends when that line has come back:
//! so a stream of lines takes almost as long for each as a line takes. What is stored past the caches waits for nothing (figures:
//! ARCHITECTURE.md, "What runs ahead of a far processor"). But others may see some of the words before the rest. So the first word says that they
//! must look, and the last one is a sum of the others (an interrupt among the stores of a line may leave the rest in the processor's buffer
//! until it fences, locks or is interrupted again: a reader waits that long at most). A line by itself takes longer so, above all to a near processor: it is for
//! streams to far ones, on processors that keep the order of all stores (they need not: what has been stored before a line must be seen
//! before it). Must not know what the lines say.

use crate::datatype::Stores;
use crate::datatype::block::{prefetch, store_past_caches, stores_past_caches_in_order};
use crate::shm::distance::Distance;
use crate::shm::stores::Rule;
use crate::shm::sweep;
use crate::sync::{Ordering, fence};

/// Words of a line.
pub const WORDS: usize = 8;
/// Word of a line that is a sum.
pub const SUM: usize = WORDS - 1;
/// So many lines ahead a reader asks for one (256 ns, exscan of 8 bytes: not at all 0.065 us, 2 to 16 0.045 to 0.050, 32 0.064).
const READ_AHEAD: usize = 8;

/// Whether that can be done on this processor: what a line tells of must have been seen before it.
#[inline]
pub fn is_known() -> bool {
    stores_past_caches_in_order()
}

/// Whether a rule allows for it; `distance` is asked for where that decides.
#[inline]
pub fn suits(rule: Rule, distance: impl FnOnce() -> Distance) -> bool {
    is_known()
        && match rule {
            Rule::Always(stores) => stores == Stores::NonTemporal,
            Rule::Fastest => distance() == Distance::Far,
        }
}

/// An odd multiple of each word but the last, whose high bits are in its middle too, as those of a product come from all below: one word that
/// differs always shows, several but once in 2^64.
#[inline]
fn sum(words: &[u64; WORDS]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut sum = 0_u64;
    let mut factor = ODD;
    for word in &words[..SUM] {
        sum = sum.wrapping_add((word ^ word >> 29).wrapping_mul(factor));
        factor = factor.rotate_left(9) | 1;
    }
    sum
}

/// Stores a line, all but the sum of which is given.
///
/// # Safety
/// `line` is aligned to a cache line of shared memory, which this thread alone may write to, and which nobody reads as anything but
/// words before [`all_come`].
#[inline]
pub unsafe fn store<T>(line: *const T, mut words: [u64; WORDS]) {
    words[SUM] = sum(&words);
    // The first word last: who sees it knows that all have been stored, and a process that dies on the way has said nothing.
    // SAFETY: the caller's contract.
    unsafe { store_past_caches(line.cast_mut().cast(), words) };
}

/// Waits for all words of a line whose first one has come, which takes no longer than any line, and asks for one some lines
/// after it. `true`, for who asks whether it is there.
///
/// # Safety
/// `line` is aligned to a cache line of shared memory, which has been [stored](store) so.
#[cold]
#[inline(never)]
pub unsafe fn all_come<T>(line: *const T) -> bool {
    prefetch(line.wrapping_add(READ_AHEAD).cast());
    // SAFETY: the caller's contract; they may be stored meanwhile.
    let word = |index| unsafe { line.cast::<u64>().add(index).read_volatile() };
    loop {
        let words = std::array::from_fn(word);
        if words[SUM] == sum(&words) {
            break;
        }
        sweep::spin();
    }
    // What is read now was stored before.
    fence(Ordering::Acquire);
    true
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::sync::AtomicU64;

    #[repr(align(64))]
    struct Line([AtomicU64; WORDS]);

    fn wait_until(ready: impl Fn() -> bool) {
        let begun = Instant::now();
        while !ready() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing comes");
            thread::yield_now();
        }
    }

    /// Who has seen the first word of a line waits until all others have come, whatever was there before.
    #[test]
    fn who_sees_the_first_word_waits_for_all() {
        for old in [0, u64::MAX] {
            let line: &Line = Box::leak(Box::new(Line([(); WORDS].map(|()| AtomicU64::new(old)))));
            let mut words = std::array::from_fn(|index| index as u64 + 7);
            words[SUM] = sum(&words);
            let writer = thread::spawn(move || {
                for index in [0, SUM, 3, 2, 4, 6, 1, 5] {
                    thread::sleep(Duration::from_millis(2));
                    line.0[index].store(words[index], Ordering::Relaxed);
                }
            });
            wait_until(|| line.0[0].load(Ordering::Acquire) != old);
            // SAFETY: aligned words, with a sum in the end.
            assert!(unsafe { all_come(line) });
            let here = [0, 1, 2, 3, 4, 5, 6, 7].map(|index| line.0[index].load(Ordering::Relaxed));
            assert_eq!(here, words);
            writer.join().unwrap();
        }
    }

    /// No word of a line can be the old one, nor two, without its showing.
    #[test]
    fn a_sum_tells_words_from_older_ones() {
        let words: [u64; WORDS] = std::array::from_fn(|index| index as u64 * 1000);
        for (one, other) in (0..SUM).flat_map(|one| (0..SUM).map(move |other| (one, other))) {
            for change in [1, 0x80, 1 << 40, 1 << 63] {
                let mut torn = words;
                torn[one] = torn[one].wrapping_add(change);
                if other != one {
                    torn[other] = torn[other].wrapping_sub(change);
                }
                assert_ne!(sum(&torn), sum(&words), "{one} {other} {change}");
            }
        }
    }

    /// Who sees a line sees what was stored before it, also to lines that the reader holds: as [`is_known`] assumes of this processor.
    #[test]
    fn a_line_is_seen_after_what_was_stored_before_it() {
        /// Lines in turn, so many of which may be unread.
        const TURNS: usize = 64;
        const ROUNDS: u64 = 200_000;
        struct Shared {
            lines: [Line; TURNS],
            before: [[Line; 4]; TURNS],
            read: AtomicU64,
        }
        if !is_known() {
            return;
        }
        let line = || Line([(); WORDS].map(|()| AtomicU64::new(0)));
        let shared: &Shared = Box::leak(Box::new(Shared {
            lines: [(); TURNS].map(|()| line()),
            before: [(); TURNS].map(|()| [(); 4].map(|()| line())),
            read: AtomicU64::new(0),
        }));
        let writer = thread::spawn(move || {
            for round in 1..=ROUNDS {
                wait_until(|| shared.read.load(Ordering::Acquire) + TURNS as u64 > round);
                let turn = round as usize % TURNS;
                for before in &shared.before[turn] {
                    before.0[0].store(round, Ordering::Relaxed);
                }
                // SAFETY: aligned, and written here alone.
                unsafe { store(&shared.lines[turn], [round; WORDS]) };
            }
        });
        for round in 1..=ROUNDS {
            let turn = round as usize % TURNS;
            wait_until(|| shared.lines[turn].0[0].load(Ordering::Acquire) == round);
            // SAFETY: it has been stored so.
            assert!(unsafe { all_come(&shared.lines[turn]) });
            let seen = shared.before[turn]
                .each_ref()
                .map(|line| line.0[0].load(Ordering::Relaxed));
            assert_eq!(seen, [round; 4]);
            shared.read.store(round, Ordering::Release);
        }
        writer.join().unwrap();
    }

    #[test]
    fn a_stored_line_comes() {
        let line = Line([(); WORDS].map(|()| AtomicU64::new(0)));
        let words = std::array::from_fn(|index| index as u64);
        // SAFETY: aligned, and this test's alone.
        assert!(unsafe {
            store(&line, words);
            all_come(&line)
        });
        assert_eq!(line.0[3].load(Ordering::Relaxed), 3);
    }
}

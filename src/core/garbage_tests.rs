//! What tests share that give bytes to parsers which nobody of us has sent: how many cases they try, which bytes those
//! are, and how much memory may be taken meanwhile.
//!
//! With `ANYMPI_CASES=N` in the environment there are N times as many cases as usual.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use proptest::prelude::*;

/// So many cases, or as many times more as the environment says.
pub fn cases(usual: u32) -> ProptestConfig {
    let times = std::env::var("ANYMPI_CASES").ok();
    let times = times.map_or(1, |times| times.parse().expect("ANYMPI_CASES is a number"));
    ProptestConfig {
        cases: usual.saturating_mul(times),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// At most so many bytes of any kind. Those of small and of very large numbers are frequent.
pub fn noise(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![4 => Just(0), 1 => Just(255), 2 => 0..40u8, 2 => any::<u8>()];
    proptest::collection::vec(byte, 0..=most)
}

/// Changes to make to what is right: where, how, and by what.
pub fn changes() -> impl Strategy<Value = Vec<(usize, u8, u8)>> {
    proptest::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 0..4)
}

/// Makes some [`changes`] to bytes.
pub fn changed(mut bytes: Vec<u8>, changes: &[(usize, u8, u8)]) -> Vec<u8> {
    for &(place, how, by) in changes {
        let place = place % (bytes.len() + 1);
        match (how % 4, bytes.get_mut(place)) {
            (0, _) => bytes.truncate(place),
            (1, Some(byte)) => *byte = by,
            (2, Some(_)) => _ = bytes.remove(place),
            (_, _) => bytes.insert(place, by),
        }
    }
    bytes
}

/// Counts what each thread has of the system's memory.
struct Counting;

thread_local! {
    /// Bytes that this thread has taken more than it has given back, and the most that these ever were.
    static TAKEN: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // A thread that ends takes and gives back without being counted.
    let _ = TAKEN.try_with(|taken| {
        taken.set(taken.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(taken.get())));
    });
}

// SAFETY: the system's allocator does everything.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller's contract.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Does something, for which this thread may take so many bytes of memory.
pub fn within<R>(bytes: usize, run: impl FnOnce() -> R) -> R {
    let before = TAKEN.get();
    MOST.set(before);
    let result = run();
    let most = (MOST.get() - before) as usize;
    assert!(most <= bytes, "{most} bytes of memory, not {bytes}");
    result
}

#[test]
fn what_is_taken_is_counted() {
    let kept = within(2000, || vec![1u8; 1900]);
    let over = std::panic::catch_unwind(|| within(2000, || drop(vec![1u8; 2001])));
    assert!(over.is_err() && kept.len() == 1900);
}

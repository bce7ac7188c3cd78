//! Descriptors that children of this process close at once. Otherwise a child could keep a connection open by which
//! others are to notice that this process has ended.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::sync::Once;

use crate::sync::{AtomicUsize, Ordering};
use crate::sys;

const BITS: usize = usize::BITS as usize;

/// A bit for each descriptor. Higher ones than these are not closed.
static HELD: [AtomicUsize; 1024] = [const { AtomicUsize::new(0) }; 1024];

/// Something with a descriptor that only this process has, and no child that it forks.
pub struct Held<T: AsFd>(T);

impl<T: AsFd> Held<T> {
    pub fn new(what: T) -> Held<T> {
        static WATCH: Once = Once::new();
        WATCH.call_once(|| sys::in_children(close_all));
        if let Some((word, bit)) = place(what.as_fd()) {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Held(what)
    }

    pub fn get(&self) -> &T {
        &self.0
    }
}

impl<T: AsFd> AsFd for Held<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl<T: AsFd> Drop for Held<T> {
    fn drop(&mut self) {
        if let Some((word, bit)) = place(self.0.as_fd()) {
            word.fetch_and(!bit, Ordering::Relaxed);
        }
    }
}

fn place(descriptor: BorrowedFd<'_>) -> Option<(&'static AtomicUsize, usize)> {
    let number = descriptor.as_raw_fd() as usize;
    Some((HELD.get(number / BITS)?, 1 << (number % BITS)))
}

/// Runs in the child. Its copies of what holds them are never dropped there.
extern "C" fn close_all() {
    for (at, word) in HELD.iter().enumerate() {
        let mut bits = word.swap(0, Ordering::Relaxed);
        while bits != 0 {
            let number = at * BITS + bits.trailing_zeros() as usize;
            // What is closed already is no harm.
            let _ = nix::unistd::close(number as RawFd);
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_descriptor_is_marked_while_it_is_held() {
        let (one, other) = UnixStream::pair().unwrap();
        let marked = |number: RawFd| {
            let word = HELD[number as usize / BITS].load(Ordering::Relaxed);
            word >> (number as usize % BITS) & 1 == 1
        };
        let number = one.as_raw_fd();
        let held = Held::new(one);
        assert!(marked(number) && !marked(other.as_raw_fd()));
        drop(held);
        assert!(!marked(number));
    }
}

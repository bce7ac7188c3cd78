//! Descriptors that the children of a fork close at once. Otherwise a child could keep a connection open by which others
//! are to notice that this process has ended, or an address at which nobody answers any more.
//!
//! They are noted before a child may come to be, as nothing can be looked up there safely. A child that another thread
//! forks while a descriptor is opened may keep that one. Knows no connection.

use std::ops::{Deref, DerefMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::sync::Once;

use crate::sync::{AtomicUsize, Ordering};
use crate::sys;

const BITS: usize = usize::BITS as usize;

/// A bit for each descriptor. Higher ones than these are not closed.
static HELD: [AtomicUsize; 1024] = [const { AtomicUsize::new(0) }; 1024];

/// Something with a descriptor that only this process has, and no child that it forks.
pub struct Held<T: AsFd> {
    /// Goes first, so that no descriptor is noted that is closed.
    mark: Mark,
    what: T,
}

/// The note of a descriptor.
struct Mark(RawFd);

impl<T: AsFd> Held<T> {
    pub fn new(what: T) -> Held<T> {
        static WATCH: Once = Once::new();
        WATCH.call_once(|| sys::in_children(close_all));
        let mark = Mark(what.as_fd().as_raw_fd());
        if let Some((word, bit)) = mark.place() {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Held { mark, what }
    }

    /// The same descriptor as something else.
    pub fn map<U: AsFd + From<T>>(self) -> Held<U> {
        Held {
            mark: self.mark,
            what: self.what.into(),
        }
    }
}

impl<T: AsFd> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.what
    }
}

impl<T: AsFd> DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.what
    }
}

impl<T: AsFd> AsFd for Held<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.what.as_fd()
    }
}

impl Mark {
    fn place(&self) -> Option<(&'static AtomicUsize, usize)> {
        let number = self.0 as usize;
        Some((HELD.get(number / BITS)?, 1 << (number % BITS)))
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        if let Some((word, bit)) = self.place() {
            word.fetch_and(!bit, Ordering::Relaxed);
        }
    }
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

//! The one door to atomics and to memory that several threads or processes touch.
//!
//! Under `--cfg loom` the same names are loom's, so that the model checker sees every access. Nothing else
//! in the core names `std::sync::atomic` (clippy.toml enforces it).

#[cfg(loom)]
pub use loom::cell::UnsafeCell;
#[cfg(loom)]
pub use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

#[cfg(not(loom))]
#[allow(clippy::disallowed_types)]
pub use std::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering, compiler_fence, fence,
};

#[cfg(loom)]
pub fn compiler_fence(_: Ordering) {
    // The model has no compiler to restrain; the protocols that need this also run with real fences.
}

#[cfg(not(loom))]
pub use PlainCell as UnsafeCell;

/// `std`'s cell with loom's closure interface. By this name it is not modelled: for memory of which
/// different parts belong to different threads at once, which loom's cell takes for a conflict.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct PlainCell<T>(std::cell::UnsafeCell<T>);

impl<T> PlainCell<T> {
    pub const fn new(value: T) -> Self {
        PlainCell(std::cell::UnsafeCell::new(value))
    }

    #[inline(always)]
    pub fn with<R>(&self, read: impl FnOnce(*const T) -> R) -> R {
        read(self.0.get())
    }

    #[inline(always)]
    pub fn with_mut<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0.get())
    }
}

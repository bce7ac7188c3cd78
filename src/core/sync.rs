//! The one door to atomics and to memory that several threads or processes touch.
//!
//! Under `--cfg loom` the same names are loom's, so that the model checker sees every access. Nothing else
//! in the core names `std::sync::atomic` (a test below sees to it).

#[cfg(loom)]
pub use loom::cell::UnsafeCell;
#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, compiler_fence, fence};

/// The library's phase, who wants its lock, how often it has woken others, and what is to be swept. These are not
/// modelled: they are made in constants, which loom's atomics cannot be.
pub use std::sync::atomic::{AtomicU8, AtomicUsize};

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

    /// Access for as long as what this gives lives: a closure that is long may be called, where its code would do as well here.
    #[cfg(not(loom))]
    #[inline(always)]
    pub fn get_mut(&self) -> MutPtr<T> {
        MutPtr(self.0.get())
    }
}

/// Access to what a cell holds, for as long as this lives.
#[cfg(not(loom))]
pub struct MutPtr<T>(*mut T);

#[cfg(not(loom))]
impl<T> MutPtr<T> {
    #[inline(always)]
    pub fn with<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }

    #[test]
    fn atomics_come_through_here_only() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        sources(root, &mut files);
        assert!(
            files.len() > 50,
            "the sources are where this test looks for them"
        );
        let name = ["sync", "atomic"].join("::");
        for file in files.iter().filter(|file| !file.ends_with("sync.rs")) {
            let text = std::fs::read_to_string(file).unwrap();
            assert!(!text.contains(&name), "{} names {name}", file.display());
        }
    }
}

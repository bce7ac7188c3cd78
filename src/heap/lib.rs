//! Memory of a process that the other processes of its node can map: where `MPI_Alloc_mem` and the allocator
//! of `mpiexec --shm-heap` take their blocks from.
//!
//! There is one [`HEAP`] in a shared object. It is made when it is first asked for a block, of whole pages, and
//! hands out blocks of whole pages. A few freed pages are kept as they are for the next block, all others go
//! back to the system. May be called by any thread at any time, before `main` too: it allocates nothing and
//! uses nothing thread-local. After a fork the child has what the parent had, for itself, and no heap; the
//! parent waits until the child has it.

mod region;
mod runs;

use std::cell::UnsafeCell;
use std::ffi::c_int;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

pub use region::Region;
use runs::{Entry, Kind, Run, Runs};

/// Name of the function by which an allocator lends its heap to the MPI library of its process.
pub const LEND: &std::ffi::CStr = c"anympi_heap_lend";
/// The function itself: says where the heap lies, which is made if need be. `false`: there is none.
pub type Lend = unsafe extern "C" fn(*mut Region) -> bool;

/// Freed bytes that are kept with their memory, as the C library keeps them.
const WARM: u64 = 64 << 20;
/// The part that has been in use so far grows by so many bytes at a time.
const STRIDE: u64 = 64 << 20;
/// The heap of this shared object.
pub static HEAP: Heap = Heap::new();

const ABSENT: u32 = 0;
const READY: u32 = 1;
/// There is no heap, and there will be none: the system refuses, or this is a child.
const REFUSED: u32 = 2;

/// A heap of whole pages.
pub struct Heap {
    lock: Lock,
    state: AtomicU32,
    /// Where it lies; no bytes while there is none.
    base: AtomicU64,
    bytes: AtomicU64,
    inner: UnsafeCell<Option<Inner>>,
    /// During a fork, with the lock held: a pipe that the child closes when it has its memory, or dies.
    pipe: UnsafeCell<[c_int; 2]>,
}

struct Inner {
    region: Region,
    runs: Runs<'static>,
    /// Bytes of a page.
    page: u64,
    /// No block has been above this offset so far. What is above is not in core dumps.
    top: u64,
}

// SAFETY: `inner` and `pipe` are touched with the lock held, or by the only thread of a child.
unsafe impl Sync for Heap {}

/// A mutex that needs no memory and can be made new in a child. A thread that has it may take it again, as others'
/// handlers of forks may allocate.
struct Lock(UnsafeCell<libc::pthread_mutex_t>);

impl Lock {
    const fn new() -> Lock {
        Lock(UnsafeCell::new(
            libc::PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
        ))
    }

    fn take(&self) {
        // SAFETY: the mutex lives as long as self, is never moved once in use, and is unlocked by who locked it.
        unsafe { libc::pthread_mutex_lock(self.0.get()) };
    }

    fn give(&self) {
        // SAFETY: as above.
        unsafe { libc::pthread_mutex_unlock(self.0.get()) };
    }

    fn hold<T>(&self, run: impl FnOnce() -> T) -> T {
        self.take();
        let value = run();
        self.give();
        value
    }
}

/// Runs before a fork.
extern "C" fn prepare() {
    HEAP.prepare();
}

/// Runs in the parent after a fork, or where there is none.
extern "C" fn wait() {
    HEAP.wait();
}

/// Runs in the child after a fork.
extern "C" fn part() {
    HEAP.part();
}

impl Heap {
    const fn new() -> Heap {
        Heap {
            lock: Lock::new(),
            state: AtomicU32::new(ABSENT),
            base: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            inner: UnsafeCell::new(None),
            pipe: UnsafeCell::new([-1; 2]),
        }
    }

    /// With what it is made of, which is made first if need be.
    fn with<T>(&self, run: impl FnOnce(&mut Inner) -> Option<T>) -> Option<T> {
        if self.state.load(Ordering::Acquire) == REFUSED {
            return None;
        }
        self.lock.hold(|| {
            // SAFETY: the lock is held, and `run` cannot come here again.
            let inner = unsafe { &mut *self.inner.get() };
            if self.state.load(Ordering::Relaxed) == ABSENT {
                *inner = Inner::new();
                if let Some(Inner { region, .. }) = inner {
                    self.base.store(region.base, Ordering::Relaxed);
                    self.bytes.store(region.bytes, Ordering::Relaxed);
                }
                let state = if inner.is_some() { READY } else { REFUSED };
                self.state.store(state, Ordering::Release);
            }
            run(inner.as_mut()?)
        })
    }

    /// Where it lies; it is made if need be. `None`: there is none.
    pub fn region(&self) -> Option<Region> {
        self.with(|inner| Some(inner.region))
    }

    /// Whether a pointer points into it.
    #[inline(always)]
    pub fn holds(&self, at: *const u8) -> bool {
        let base = self.base.load(Ordering::Relaxed);
        (at.addr() as u64).wrapping_sub(base) < self.bytes.load(Ordering::Relaxed)
    }

    /// A block of at least `bytes` bytes at a multiple of `align`, a power of two; says also whether all of them
    /// are zero. `None`: there is no room, or no heap.
    pub fn allocate(&self, bytes: usize, align: usize) -> Option<(NonNull<u8>, bool)> {
        self.with(|inner| {
            let (page, pages) = (inner.page, inner.pages(bytes)?);
            let align = u32::try_from((align as u64).div_ceil(page)).ok()?;
            let origin = (inner.region.base / page % u64::from(align)) as u32;
            let taken = inner.runs.take(pages, align, origin).or_else(|| {
                // Free runs of both kinds may lie side by side.
                inner.clean_all();
                inner.runs.take(pages, align, origin)
            });
            let (start, zero) = taken?;
            inner.reach(start + pages);
            let at = inner.region.base + u64::from(start) * page;
            NonNull::new(ptr::with_exposed_provenance_mut(at as usize)).map(|at| (at, zero))
        })
    }

    /// Bytes of the block that begins at `at`; `None`: none begins there.
    pub fn usable(&self, at: *const u8) -> Option<usize> {
        if !self.holds(at) {
            return None;
        }
        self.lock.hold(|| {
            // SAFETY: the lock is held. In a child as well: nobody changes anything there.
            let inner = unsafe { (*self.inner.get()).as_ref() }?;
            let run = inner.used(at)?;
            Some((u64::from(run.pages) * inner.page) as usize)
        })
    }

    /// Frees the block that begins at `at`. `false`: none begins there.
    pub fn release(&self, at: *const u8) -> bool {
        if self.is_parted() {
            // It is the child's own, and stays.
            return self.usable(at).is_some();
        }
        let found = self.with(|inner| {
            let run = inner.used(at)?;
            let bytes = u64::from(run.pages) * inner.page;
            if bytes > WARM {
                return Some((inner.region, Some((run, inner.page))));
            }
            if inner.runs.warm() * inner.page + bytes > WARM {
                inner.clean_all();
            }
            inner.runs.give(run, Kind::Warm);
            Some((inner.region, None))
        });
        // What takes long is done without the lock; nobody else can have the run meanwhile.
        if let Some((region, Some((run, page)))) = found {
            let kind = clean(&region, run, page);
            self.with(|inner| {
                inner.runs.give(run, kind);
                Some(())
            });
        }
        found.is_some()
    }

    /// Makes the block that begins at `at` longer or shorter, where it is. `false`: it is as it was.
    pub fn resize(&self, at: *const u8, bytes: usize) -> bool {
        let resized = self.with(|inner| {
            let (run, pages) = (inner.used(at)?, inner.pages(bytes)?);
            inner
                .runs
                .resize(run, pages)
                .then(|| inner.reach(run.start + pages))
        });
        resized.is_some()
    }

    /// Whether this is a child of the process whose heap this was.
    fn is_parted(&self) -> bool {
        self.state.load(Ordering::Relaxed) == REFUSED
    }

    /// Before a fork: no block comes or goes until the child has its memory.
    fn prepare(&self) {
        self.lock.take();
        let mut ends = [-1; 2];
        if self.state.load(Ordering::Relaxed) == READY {
            // SAFETY: the array is live; what fails leaves it as it is, and nobody waits.
            unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) };
        }
        // SAFETY: the lock is held.
        unsafe { self.pipe.get().write(ends) };
    }

    /// In the parent.
    fn wait(&self) {
        // SAFETY: the lock is held; the descriptors are its own.
        unsafe {
            let [ours, theirs] = self.pipe.get().read();
            if ours >= 0 {
                libc::close(theirs);
                let mut byte = 0_u8;
                while libc::read(ours, (&raw mut byte).cast(), 1) < 0
                    && *libc::__errno_location() == libc::EINTR
                {}
                libc::close(ours);
            }
        }
        self.lock.give();
    }

    /// In a child, whose only thread this is.
    fn part(&self) {
        // SAFETY: nobody else is here. The thread that had the lock had another number in the parent.
        let (inner, ends) = unsafe {
            let new = libc::PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
            self.lock.0.get().write(new);
            (&*self.inner.get(), self.pipe.get().read())
        };
        // A child of a child has its parent's own memory already.
        if self.state.swap(REFUSED, Ordering::Relaxed) == READY
            && let Some(inner) = inner
        {
            let (top, page) = (inner.top, inner.page);
            let used = inner.runs.all_used((top / page) as u32);
            let bytes = used.map(|run| {
                let start = u64::from(run.start) * page;
                start..(start + u64::from(run.pages) * page).min(top)
            });
            inner.region.part(top, bytes);
            // What lies above may be anybody's from here on.
            self.bytes.store(top, Ordering::Relaxed);
        }
        for end in ends.into_iter().filter(|end| *end >= 0) {
            // SAFETY: the descriptor is the heap's own.
            unsafe { libc::close(end) };
        }
    }
}

/// Gives the memory of a run that is in use back to the system.
fn clean(region: &Region, run: Run, page: u64) -> Kind {
    match region.clean(u64::from(run.start) * page, u64::from(run.pages) * page) {
        true => Kind::Clean,
        false => Kind::Warm,
    }
}

impl Inner {
    fn new() -> Option<Inner> {
        // SAFETY: no memory is involved.
        let page = unsafe { libc::getauxval(libc::AT_PAGESZ) }.max(4096);
        let region = Region::new(page)?;
        let entries = (region.bytes / page) as usize;
        let table = region::private(entries * size_of::<Entry>())?.cast::<Entry>();
        // SAFETY: zero bytes are valid entries, nobody else has this memory, and it is never unmapped.
        let table = unsafe { std::slice::from_raw_parts_mut(table, entries) };
        region.dump(0, region.bytes, false);
        // SAFETY: the handlers are functions of this shared object, which is never unloaded.
        unsafe { libc::pthread_atfork(Some(prepare), Some(wait), Some(part)) };
        Some(Inner {
            region,
            runs: Runs::new(table),
            page,
            top: 0,
        })
    }

    /// Pages of a block.
    fn pages(&self, bytes: usize) -> Option<u32> {
        u32::try_from((bytes.max(1) as u64).div_ceil(self.page)).ok()
    }

    /// The run of the block that begins at `at`.
    fn used(&self, at: *const u8) -> Option<Run> {
        let offset = (at.addr() as u64).wrapping_sub(self.region.base);
        let inside = offset < self.region.bytes && offset.is_multiple_of(self.page);
        inside.then(|| self.runs.used((offset / self.page) as u32))?
    }

    /// A block ends at page `end`.
    fn reach(&mut self, end: u32) {
        let end = u64::from(end) * self.page;
        if end > self.top {
            let top = end.next_multiple_of(STRIDE).min(self.region.bytes);
            self.region.dump(self.top, top, true);
            self.top = top;
        }
    }

    /// Gives all memory that is kept back to the system.
    fn clean_all(&mut self) {
        while let Some(run) = self.runs.take_warm() {
            let kind = clean(&self.region, run, self.page);
            self.runs.give(run, kind);
            if kind == Kind::Warm {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// # Safety
    /// A block of at least `bytes` bytes begins at `at`, and nobody else uses it.
    unsafe fn bytes<'a>(at: NonNull<u8>, bytes: usize) -> &'a mut [u8] {
        // SAFETY: by the contract above.
        unsafe { std::slice::from_raw_parts_mut(at.as_ptr(), bytes) }
    }

    #[test]
    fn blocks_come_back_as_they_were_or_clean() {
        let (block, zero) = HEAP.allocate(100_000, 16).unwrap();
        assert!(HEAP.holds(block.as_ptr()));
        // SAFETY: as allocated.
        let contents = unsafe { bytes(block, 100_000) };
        assert!(!zero || contents.iter().all(|byte| *byte == 0));
        contents.fill(7);
        let usable = HEAP.usable(block.as_ptr()).unwrap();
        assert!((100_000..200_000).contains(&usable));
        assert!(!HEAP.release(block.as_ptr().wrapping_add(1)));
        assert!(!HEAP.release(block.as_ptr().wrapping_add(4096)));
        assert!(HEAP.release(block.as_ptr()));
        assert!(!HEAP.release(block.as_ptr()));
        // What is too long to be kept is zero the next time.
        let long = 2 * WARM as usize;
        let (block, _) = HEAP.allocate(long, 1 << 21).unwrap();
        assert!(block.as_ptr().addr().is_multiple_of(1 << 21));
        // SAFETY: as allocated.
        unsafe { bytes(block, long) }.fill(1);
        assert!(HEAP.release(block.as_ptr()));
        let (block, zero) = HEAP.allocate(long, 16).unwrap();
        // SAFETY: as allocated.
        assert!(zero && unsafe { bytes(block, long) }.iter().all(|byte| *byte == 0));
        assert!(HEAP.release(block.as_ptr()));
    }

    #[test]
    fn what_cannot_be_had_is_refused() {
        assert!(HEAP.allocate(usize::MAX, 16).is_none());
        assert!(HEAP.allocate(1 << 50, 16).is_none());
        let here = 0u8;
        assert!(!HEAP.holds(&raw const here));
        assert!(!HEAP.release(&raw const here));
        assert_eq!(HEAP.usable(&raw const here), None);
    }

    #[test]
    fn another_mapping_sees_the_same_bytes() {
        let (block, _) = HEAP.allocate(100_000, 16).unwrap();
        let region = HEAP.region().unwrap();
        let offset = block.as_ptr().addr() as u64 - region.base;
        assert!(region.holds(region.base + offset, 100_000));
        assert!(!region.holds(region.base + offset, region.bytes + 1 - offset));
        let other = region.map(std::process::id()).unwrap();
        // SAFETY: the whole region is mapped there.
        let there = unsafe { std::slice::from_raw_parts_mut(other.add(offset as usize), 100_000) };
        // SAFETY: as allocated.
        unsafe { bytes(block, 100_000) }.fill(9);
        assert!(there.iter().all(|byte| *byte == 9));
        let wrong = Region {
            inode: region.inode + 1,
            ..region
        };
        assert!(wrong.map(std::process::id()).is_none());
        assert!(HEAP.release(block.as_ptr()));
    }
}

//! Heaps: memory of one process that the others of its node map when they first need it. A copy from there or to
//! there is then a copy within the process.
//!
//! Every process shows where its heap lies in its page of the segment. Mappings are made once per process and
//! kept: an address in the heap of another process is then found by one comparison. A heap that cannot be
//! mapped is memory like any other. Knows nothing of the blocks in a heap.
#![allow(unsafe_code)]

use anympi_heap::{HEAP, LEND, Lend, Region};

use super::{Page, Segment};
use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// Where a process's heap lies, in its page of the segment.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Notice {
    /// Written last; 0 while there is no heap.
    base: AtomicU64,
    bytes: AtomicU64,
    descriptor: AtomicU32,
    device: AtomicU64,
    inode: AtomicU64,
}

/// Not tried yet.
const UNKNOWN: u64 = 0;
/// This process does not map it.
const REFUSED: u64 = 1;

/// The heap of another process, seen from this one.
#[derive(Debug)]
pub(super) struct Heap {
    notice: &'static Notice,
    owner: &'static AtomicU32,
    /// Where it is mapped here; [`UNKNOWN`] or [`REFUSED`].
    here: AtomicU64,
    /// Where it is in its own process, once it is mapped here.
    base: AtomicU64,
    bytes: AtomicU64,
}

impl Notice {
    fn region(&self) -> Option<Region> {
        // Acquire: who sees the base sees the rest.
        let base = self.base.load(Ordering::Acquire);
        (base != 0).then(|| Region {
            base,
            bytes: self.bytes.load(Ordering::Relaxed),
            descriptor: self.descriptor.load(Ordering::Relaxed) as i32,
            device: self.device.load(Ordering::Relaxed),
            inode: self.inode.load(Ordering::Relaxed),
        })
    }

    fn show(&self, region: &Region) {
        self.bytes.store(region.bytes, Ordering::Relaxed);
        let descriptor = region.descriptor as u32;
        self.descriptor.store(descriptor, Ordering::Relaxed);
        self.device.store(region.device, Ordering::Relaxed);
        self.inode.store(region.inode, Ordering::Relaxed);
        self.base.store(region.base, Ordering::Release);
    }
}

impl Heap {
    pub(super) fn of(page: &'static Page) -> Heap {
        Heap {
            notice: &page.heap,
            owner: &page.pid,
            here: AtomicU64::new(UNKNOWN),
            base: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// Where these bytes of the other process are mapped here. The first time some are looked for, all are
    /// mapped.
    #[inline]
    pub(super) fn place(&self, address: u64, bytes: u64) -> Option<*mut u8> {
        match self.here.load(Ordering::Acquire) {
            REFUSED => return None,
            UNKNOWN if !self.map(address) => return None,
            _ => (),
        }
        let offset = address.wrapping_sub(self.base.load(Ordering::Relaxed));
        let all = self.bytes.load(Ordering::Relaxed);
        let inside = offset < all && bytes <= all - offset;
        let here = self.here.load(Ordering::Relaxed).wrapping_add(offset);
        inside.then(|| std::ptr::with_exposed_provenance_mut(here as usize))
    }

    /// Maps it if `address` lies there. `false`: it is not mapped.
    #[cold]
    fn map(&self, address: u64) -> bool {
        let Some(region) = self.notice.region().filter(|all| all.holds(address, 1)) else {
            return false;
        };
        let Some(here) = region.map(self.owner.load(Ordering::Acquire)) else {
            self.here.store(REFUSED, Ordering::Release);
            return false;
        };
        self.base.store(region.base, Ordering::Relaxed);
        self.bytes.store(region.bytes, Ordering::Relaxed);
        let here = here.expose_provenance() as u64;
        self.here.store(here, Ordering::Release);
        true
    }
}

/// The allocator that has been loaded before the program, if there is one, lends its heap.
fn lent() -> Option<Region> {
    // SAFETY: the name ends with a zero byte; a function of this name has this type.
    let lend = unsafe {
        let found = libc::dlsym(libc::RTLD_DEFAULT, LEND.as_ptr());
        if found.is_null() {
            return None;
        }
        std::mem::transmute::<*mut libc::c_void, Lend>(found)
    };
    let mut region = Region::default();
    // SAFETY: the function fills what it is given.
    unsafe { lend(&raw mut region) }.then_some(region)
}

/// Gives back a block of [`Segment::allocate`]. `false`: none begins there.
pub fn release(block: *const u8) -> bool {
    HEAP.release(block)
}

/// Whether an address lies in the heap that [`Segment::allocate`] uses.
pub fn holds(at: *const u8) -> bool {
    HEAP.holds(at)
}

impl Segment {
    /// Shows the others the heap that the program's allocator has, if it has one.
    pub fn show_lent_heap(&self) -> bool {
        let region = lent();
        if let Some(region) = &region {
            self.page(self.me).heap.show(region);
        }
        region.is_some()
    }

    /// Takes a block of at least `bytes` bytes, aligned to `align`, from this process's heap, which the others
    /// see from then on. `None`: there is no heap, or no room.
    pub fn allocate(&self, bytes: usize, align: usize) -> Option<*mut u8> {
        let (block, _) = HEAP.allocate(bytes, align)?;
        let notice = &self.page(self.me).heap;
        if notice.base.load(Ordering::Relaxed) == 0
            && let Some(region) = HEAP.region()
        {
            notice.show(&region);
        }
        Some(block.as_ptr())
    }

    /// Whether these bytes of this process lie where others may map them.
    #[inline]
    pub fn is_shown(&self, address: u64, bytes: u64) -> bool {
        let notice = &self.page(self.me).heap;
        let region = notice.region();
        region.is_some_and(|region| region.holds(address, bytes))
    }

    /// Maps nobody's heap from now on.
    pub fn refuse_heaps(&self) {
        for heap in self.heaps {
            heap.here.store(REFUSED, Ordering::Release);
        }
    }
}

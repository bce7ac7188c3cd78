//! The memory of the heap: a sparse file without a name, and the range of addresses where it is mapped.
//!
//! Everything here is system calls, none of which allocates. The file is never made shorter, so whoever maps
//! it may touch all of it at any time.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr;

/// Most that a heap can hold: with one for each of many processes on a node, all must find room in the
/// addresses of each.
const MAX_BYTES: u64 = 256 << 30;
const PROTECTION: libc::c_int = libc::PROT_READ | libc::PROT_WRITE;

/// Where a heap lies, for other processes as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Region {
    /// In the process that owns it.
    pub base: u64,
    pub bytes: u64,
    /// Descriptor of the file in that process, and what file it should be.
    pub descriptor: i32,
    pub device: u64,
    pub inode: u64,
}

/// Device and inode of an open file.
fn identity(descriptor: i32) -> Option<(u64, u64)> {
    // SAFETY: fstat fills what it is given, or says that it has not.
    unsafe {
        let mut stat = std::mem::zeroed::<libc::stat>();
        (libc::fstat(descriptor, &raw mut stat) == 0).then_some((stat.st_dev, stat.st_ino))
    }
}

/// Whether a limit of this process's resources is set.
fn is_limited(resource: libc::__rlimit_resource_t) -> bool {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the limit outlives the call.
    let known = unsafe { libc::getrlimit(resource, &raw mut limit) } == 0;
    !known || limit.rlim_cur != libc::RLIM_INFINITY
}

/// Bytes of memory of this machine.
fn memory() -> u64 {
    // SAFETY: sysinfo fills what it is given.
    unsafe {
        let mut info = std::mem::zeroed::<libc::sysinfo>();
        match libc::sysinfo(&raw mut info) {
            0 => info.totalram * u64::from(info.mem_unit),
            _ => 0,
        }
    }
}

/// Zero bytes for the process alone, where nothing is reserved.
pub(crate) fn private(bytes: usize) -> Option<*mut c_void> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a fresh mapping aliases nothing.
    let at = unsafe { libc::mmap(ptr::null_mut(), bytes, PROTECTION, flags, -1, 0) };
    (at != libc::MAP_FAILED).then_some(at)
}

impl Region {
    /// Makes a file and maps it. `None`: the system or its limits do not allow it.
    pub(crate) fn new(page: u64) -> Option<Region> {
        // What is only reserved would count; and a file longer than its limit ends the process.
        if is_limited(libc::RLIMIT_AS) || is_limited(libc::RLIMIT_FSIZE) {
            return None;
        }
        let bytes = memory().min(MAX_BYTES) / page * page;
        if bytes == 0 {
            return None;
        }
        // SAFETY: the name is a literal; the descriptor is used and closed here alone until it is handed on.
        unsafe {
            let descriptor = libc::memfd_create(c"anympi-heap".as_ptr(), libc::MFD_CLOEXEC);
            if descriptor < 0 {
                return None;
            }
            if libc::ftruncate(descriptor, bytes as libc::off_t) == 0
                && let Some((device, inode)) = identity(descriptor)
            {
                let region = Region {
                    base: 0,
                    bytes,
                    descriptor,
                    device,
                    inode,
                };
                if let Some(base) = region.map_at(ptr::null_mut(), libc::MAP_SHARED, bytes) {
                    return Some(Region {
                        base: base.addr() as u64,
                        ..region
                    });
                }
            }
            libc::close(descriptor);
            None
        }
    }

    fn map_at(&self, at: *mut c_void, sharing: libc::c_int, bytes: u64) -> Option<*mut c_void> {
        let fixed = if at.is_null() { 0 } else { libc::MAP_FIXED };
        let flags = sharing | libc::MAP_NORESERVE | fixed;
        let bytes = bytes as usize;
        // SAFETY: a fresh mapping, or one in the place of this region's own.
        let got = unsafe { libc::mmap(at, bytes, PROTECTION, flags, self.descriptor, 0) };
        (got != libc::MAP_FAILED).then_some(got)
    }

    /// Whether all these bytes lie in the region.
    #[inline]
    pub fn holds(&self, address: u64, bytes: u64) -> bool {
        let offset = address.wrapping_sub(self.base);
        offset < self.bytes && bytes <= self.bytes - offset
    }

    /// Maps the heap of another process. `None`: the system does not let this process do so.
    pub fn map(&self, process: u32) -> Option<*mut u8> {
        // What is only reserved would count.
        if is_limited(libc::RLIMIT_AS) {
            return None;
        }
        let path = format!("/proc/{process}/fd/{}\0", self.descriptor);
        let flags = libc::O_RDWR | libc::O_CLOEXEC;
        // SAFETY: the path ends with a zero byte; the descriptor is closed before anything else can see it.
        unsafe {
            let descriptor = libc::open(path.as_ptr().cast(), flags);
            if descriptor < 0 {
                return None;
            }
            // The owner may have closed the descriptor, and opened another file under its number.
            let same = identity(descriptor) == Some((self.device, self.inode));
            let theirs = Region {
                descriptor,
                ..*self
            };
            let at = same.then(|| theirs.map_at(ptr::null_mut(), libc::MAP_SHARED, self.bytes));
            libc::close(descriptor);
            let at = at.flatten()?;
            // Not in this process's core dumps, and not in its children.
            libc::madvise(at, self.bytes as usize, libc::MADV_DONTDUMP);
            libc::madvise(at, self.bytes as usize, libc::MADV_DONTFORK);
            Some(at.cast())
        }
    }

    /// In a child: the blocks are its own from here on, as they are now; nobody else changes them meanwhile. The bytes from
    /// `used` on are given up.
    pub(crate) fn part(&self, used: u64, blocks: impl Iterator<Item = Range<u64>>) {
        let at = |offset: u64| ptr::without_provenance_mut((self.base + offset) as usize);
        let known = identity(self.descriptor) == Some((self.device, self.inode));
        // SAFETY: the range is this region's mapping, and the child's one thread is here.
        unsafe {
            libc::munmap(at(used), (self.bytes - used) as usize);
            if used == 0 {
                return;
            }
            // A stack that lies here would lose what is written to it meanwhile.
            let stack = self.holds((&raw const known).addr() as u64, 1);
            if !stack && let Some(copy) = private(used as usize) {
                for block in blocks {
                    self.copy(block, known, copy.cast());
                }
                let (len, flags) = (used as usize, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED);
                let moved = libc::mremap(copy.cast(), len, len, flags, at(0));
                if moved != libc::MAP_FAILED {
                    return;
                }
                libc::munmap(copy.cast(), len);
            }
            // Otherwise it sees what its parent writes until it writes there itself.
            if !known || self.map_at(at(0), libc::MAP_PRIVATE, used).is_none() {
                // Better a child that cannot write than one that writes into its parent's memory.
                libc::mprotect(at(0), used as usize, libc::PROT_READ);
            }
        }
    }

    /// Copies those bytes of a block that have memory, as far as that is known.
    ///
    /// # Safety
    /// `copy` has as many bytes as the region up to the block's end.
    unsafe fn copy(&self, block: Range<u64>, known: bool, copy: *mut u8) {
        let seek = |from: u64, whence| {
            // SAFETY: no memory is involved; nobody uses the file's offset.
            let found = unsafe { libc::lseek(self.descriptor, from as libc::off_t, whence) };
            u64::try_from(found).ok()
        };
        let mut from = block.start;
        while from < block.end {
            let (start, end) = match known {
                // There is none from here on.
                true => match seek(from, libc::SEEK_DATA) {
                    None => return,
                    Some(start) => (start, seek(start, libc::SEEK_HOLE).unwrap_or(block.end)),
                },
                false => (from, block.end),
            };
            let end = end.min(block.end);
            if start < end {
                let source = ptr::with_exposed_provenance::<u8>((self.base + start) as usize);
                // SAFETY: the contract; the block lies in the region.
                unsafe {
                    let to = copy.add(start as usize);
                    ptr::copy_nonoverlapping(source, to, (end - start) as usize);
                }
            }
            from = end.max(start);
        }
    }

    /// Whether core dumps have these bytes.
    pub(crate) fn dump(&self, from: u64, to: u64, wanted: bool) {
        let at = ptr::without_provenance_mut((self.base + from) as usize);
        let advice = match wanted {
            true => libc::MADV_DODUMP,
            false => libc::MADV_DONTDUMP,
        };
        // SAFETY: the range is part of this region's mapping, whose contents stay.
        unsafe {
            libc::madvise(at, (to - from) as usize, advice);
        }
    }

    /// Gives the memory behind some bytes back to the system; they are zero afterwards. `false`: they may be as
    /// they were.
    pub(crate) fn clean(&self, offset: u64, bytes: u64) -> bool {
        let at = ptr::without_provenance_mut((self.base + offset) as usize);
        // SAFETY: the range is part of this region's mapping, and nobody uses it.
        unsafe { libc::madvise(at, bytes as usize, libc::MADV_REMOVE) == 0 }
    }
}

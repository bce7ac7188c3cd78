//! The allocator of `mpiexec --shm-heap`: long blocks come from memory that the other processes of the node can
//! map. So the MPI library copies messages from there as within one process.
//!
//! Loaded before the program (`LD_PRELOAD`), it stands in for the C library's functions that allocate. Blocks
//! of [`MIN_BLOCK`] bytes and more, or what [`MIN_BLOCK_VARIABLE`] says, come from the [`HEAP`]; all others, and those
//! that find no room there, from the C library. May be called at any time by any thread, so nothing here
//! allocates. Knows nothing of MPI.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};

use anympi_heap::{HEAP, Region};

/// Blocks from this length on come from the heap.
const MIN_BLOCK: usize = 16 << 10;
const MIN_BLOCK_VARIABLE: &CStr = c"MPI_ANYMPI_HEAP_LEAST";
/// What the C library's blocks are aligned to at least.
const ALIGNMENT: usize = 16;

// The C library's own functions.
unsafe extern "C" {
    fn __libc_malloc(bytes: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, bytes: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, bytes: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
    fn __libc_memalign(align: usize, bytes: usize) -> *mut c_void;
}

/// The length from which on blocks come from the heap; none do before this object has been initialised.
static MIN_BLOCK_NOW: AtomicUsize = AtomicUsize::new(usize::MAX);
/// The C library's `malloc_usable_size`, which has no second name.
static USABLE: AtomicUsize = AtomicUsize::new(0);

/// Run by the loader.
#[used]
#[unsafe(link_section = ".init_array")]
static INITIALISE: extern "C" fn() = initialise;

extern "C" fn initialise() {
    // SAFETY: the names end with a zero byte; the loader has set up the C library before.
    let (usable, wish) = unsafe {
        let usable = libc::dlsym(libc::RTLD_NEXT, c"malloc_usable_size".as_ptr());
        (usable, libc::getenv(MIN_BLOCK_VARIABLE.as_ptr()))
    };
    USABLE.store(usable.expose_provenance(), Ordering::Relaxed);
    let least = match wish.is_null() {
        true => Some(MIN_BLOCK),
        // SAFETY: a variable's value ends with a zero byte.
        false => unsafe { CStr::from_ptr(wish) }
            .to_str()
            .ok()
            .and_then(|text| text.trim().parse().ok()),
    };
    // The heap is made here, where nobody forks meanwhile.
    if HEAP.region().is_some() {
        MIN_BLOCK_NOW.store(least.unwrap_or(MIN_BLOCK), Ordering::Relaxed);
    }
}

/// Tells the MPI library where the heap lies; see [`anympi_heap::LEND`].
///
/// # Safety
/// `region` points to a region.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anympi_heap_lend(region: *mut Region) -> bool {
    match HEAP.region() {
        // SAFETY: by the contract above.
        Some(found) => unsafe {
            region.write(found);
            true
        },
        None => false,
    }
}

/// Whether a block of so many bytes comes from the heap.
#[inline(always)]
fn is_long(bytes: usize) -> bool {
    bytes >= MIN_BLOCK_NOW.load(Ordering::Relaxed)
}

/// A block from the heap.
#[cold]
fn take(bytes: usize, align: usize) -> Option<(NonNull<u8>, bool)> {
    HEAP.allocate(bytes, align)
}

fn fail(error: c_int) -> *mut c_void {
    // SAFETY: errno is the calling thread's own.
    unsafe { *libc::__errno_location() = error };
    ptr::null_mut()
}

/// C: malloc.
///
/// # Safety
/// As in C, here and below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc(bytes: usize) -> *mut c_void {
    if is_long(bytes)
        && let Some((block, _)) = take(bytes, ALIGNMENT)
    {
        return block.as_ptr().cast();
    }
    // SAFETY: the C library's contract is the caller's.
    unsafe { __libc_malloc(bytes) }
}

/// C: calloc.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn calloc(count: usize, bytes: usize) -> *mut c_void {
    if let Some(all) = count.checked_mul(bytes)
        && is_long(all)
        && let Some((block, zero)) = take(all, ALIGNMENT)
    {
        if !zero {
            // SAFETY: the block is that long, and nobody else's.
            unsafe { block.write_bytes(0, all) };
        }
        return block.as_ptr().cast();
    }
    // SAFETY: the C library's contract is the caller's.
    unsafe { __libc_calloc(count, bytes) }
}

/// C: free.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(block: *mut c_void) {
    if HEAP.holds(block.cast()) {
        if !HEAP.release(block.cast()) {
            refuse("free");
        }
    } else {
        // SAFETY: the C library's contract is the caller's.
        unsafe { __libc_free(block) }
    }
}

/// C: realloc.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn realloc(block: *mut c_void, bytes: usize) -> *mut c_void {
    let ours = HEAP.holds(block.cast());
    // SAFETY: the C library's contract is the caller's; blocks are copied as far as both reach.
    unsafe {
        if block.is_null() {
            return malloc(bytes);
        }
        let old = match ours {
            true => HEAP
                .usable(block.cast())
                .unwrap_or_else(|| refuse("realloc")),
            false if !is_long(bytes) => return __libc_realloc(block, bytes),
            false => malloc_usable_size(block),
        };
        if ours && bytes == 0 {
            free(block);
            return ptr::null_mut();
        }
        // What was long before and did not come from the heap stays where it may grow in place.
        if !ours && is_long(old) {
            return __libc_realloc(block, bytes);
        }
        if ours && is_long(bytes) && HEAP.resize(block.cast(), bytes) {
            return block;
        }
        let new = malloc(bytes);
        if !new.is_null() {
            ptr::copy_nonoverlapping(block.cast::<u8>(), new.cast(), old.min(bytes));
            free(block);
        }
        new
    }
}

/// GNU: reallocarray.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reallocarray(
    block: *mut c_void,
    count: usize,
    bytes: usize,
) -> *mut c_void {
    match count.checked_mul(bytes) {
        // SAFETY: the caller's contract.
        Some(all) => unsafe { realloc(block, all) },
        None => fail(libc::ENOMEM),
    }
}

/// C: memalign.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memalign(align: usize, bytes: usize) -> *mut c_void {
    if is_long(bytes)
        && align.is_power_of_two()
        && let Some((block, _)) = take(bytes, align)
    {
        return block.as_ptr().cast();
    }
    // SAFETY: the C library's contract is the caller's.
    unsafe { __libc_memalign(align, bytes) }
}

/// C11: aligned_alloc.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aligned_alloc(align: usize, bytes: usize) -> *mut c_void {
    if !align.is_power_of_two() {
        return fail(libc::EINVAL);
    }
    // SAFETY: the caller's contract.
    unsafe { memalign(align, bytes) }
}

/// POSIX: posix_memalign.
///
/// # Safety
/// As in POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_memalign(
    place: *mut *mut c_void,
    align: usize,
    bytes: usize,
) -> c_int {
    if !align.is_power_of_two() || !align.is_multiple_of(size_of::<usize>()) {
        return libc::EINVAL;
    }
    // SAFETY: the caller's contract; errno is as it was, as POSIX has it.
    unsafe {
        let errno = *libc::__errno_location();
        let block = memalign(align, bytes);
        *libc::__errno_location() = errno;
        if block.is_null() {
            return libc::ENOMEM;
        }
        place.write(block);
        0
    }
}

fn page() -> usize {
    // SAFETY: no memory is involved.
    unsafe { libc::getauxval(libc::AT_PAGESZ) as usize }
}

/// POSIX, once: valloc.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn valloc(bytes: usize) -> *mut c_void {
    // SAFETY: the caller's contract.
    unsafe { memalign(page(), bytes) }
}

/// GNU: pvalloc.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pvalloc(bytes: usize) -> *mut c_void {
    match bytes.max(1).checked_next_multiple_of(page()) {
        // SAFETY: the caller's contract.
        Some(bytes) => unsafe { memalign(page(), bytes) },
        None => fail(libc::ENOMEM),
    }
}

/// GNU: malloc_usable_size.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc_usable_size(block: *mut c_void) -> usize {
    if HEAP.holds(block.cast()) {
        return HEAP
            .usable(block.cast())
            .unwrap_or_else(|| refuse("malloc_usable_size"));
    }
    let usable = ptr::with_exposed_provenance::<c_void>(USABLE.load(Ordering::Relaxed));
    if usable.is_null() {
        return 0;
    }
    // SAFETY: the C library's function of that name has this type; its contract is the caller's.
    unsafe {
        let usable = std::mem::transmute::<*const c_void, unsafe extern "C" fn(*mut c_void) -> usize>(
            usable,
        );
        usable(block)
    }
}

/// Ends a program that gives back what it does not have, as the C library does.
#[cold]
fn refuse(function: &str) -> ! {
    for text in ["libanympi_heap: ", function, "(): invalid pointer\n"] {
        // SAFETY: the text is live; what cannot be written cannot be told.
        unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
    }
    // SAFETY: it ends here.
    unsafe { libc::abort() }
}

//! What an Open MPI handle points at, and how a pointer becomes a number without following garbage.
//!
//! Every object begins with the same header: a mark and the core's number. Predefined objects are
//! exported data, of which the executable may have a copy; the others live in an arena that is never
//! unmapped, one place per kind and index. What lies behind the number is the business of `fields`. Reading a handle is one load where its address lies in the
//! arena or between predefined objects; any other address is first asked of the kernel. Addresses are
//! never compared with those of objects, so copies do no harm.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::io::Write;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::*};

use crate::fields;
use crate::handles;
use crate::objects::{ALIASES, PLACES};

/// What no other data begins with.
const MARK: u64 = 0x9d1c_616e_796d_7069;

#[repr(C)]
struct Header {
    mark: u64,
    number: u32,
    _pad: u32,
}

/// A predefined object: a header in `REST` + 16 bytes. It lies in writable memory, for `fields` and because
/// the copy in an executable linked with us does too then: Open MPI's own library, which may be put under
/// that executable, writes to it.
#[repr(C, align(32))]
pub struct Object<const REST: usize> {
    header: Header,
    rest: UnsafeCell<[u8; REST]>,
}

// SAFETY: the header is never written to; the rest is, by atomics only.
unsafe impl<const REST: usize> Sync for Object<REST> {}

impl<const REST: usize> Object<REST> {
    /// The object of a number, whose Fortran `INTEGER` is `integer`.
    pub const fn new(number: u32, integer: u16) -> Self {
        const { assert!(size_of::<Self>() == REST + size_of::<Header>()) };
        let mut rest = [0; REST];
        if let Some(offset) = fields::integer(handles::kind(number) as usize) {
            let bytes = (integer as u32).to_ne_bytes();
            let mut i = 0;
            while i < bytes.len() {
                rest[offset - size_of::<Header>() + i] = bytes[i];
                i += 1;
            }
        }
        Object {
            header: Header {
                mark: MARK,
                number,
                _pad: 0,
            },
            rest: UnsafeCell::new(rest),
        }
    }
}

/// Objects of one kind, as in a handle's bits.
const PLACES_OF_KIND: usize = 1 << 20;
/// Where the places of each kind begin in the arena; the last entry is its end.
const STARTS: [usize; 17] = {
    let mut starts = [0; 17];
    let mut kind = 0;
    while kind < 16 {
        // A kind's last fields lie behind its last place.
        let size = (fields::stride(kind) * PLACES_OF_KIND + fields::BEHIND).next_multiple_of(4096);
        starts[kind + 1] = starts[kind] + size;
        kind += 1;
    }
    starts
};
const ARENA_BYTES: usize = STARTS[16];
/// No address of a process on x86_64 is near: stands for "no arena yet".
const NOWHERE: usize = 1 << 63;

static ARENA: AtomicUsize = AtomicUsize::new(NOWHERE);
static MAP_ARENA: Once = Once::new();

/// A stretch of readable memory that has predefined objects at both ends.
struct Span {
    start: AtomicUsize,
    /// Last address at which a header lies, minus `start`; with `start` at `NOWHERE`, unused.
    reach: AtomicUsize,
}

impl Span {
    const fn unused() -> Span {
        Span {
            start: AtomicUsize::new(NOWHERE),
            reach: AtomicUsize::new(0),
        }
    }
}

/// The executable's and the library's, in any order, and some for libraries between them.
static SPANS: [Span; 4] = [const { Span::unused() }; 4];
static FIND_SPANS: Once = Once::new();

/// The core's number behind a handle; 0 for what is no handle.
#[inline(always)]
pub fn number(handle: *const c_void) -> u32 {
    let address = handle.addr();
    let offset = address.wrapping_sub(ARENA.load(Relaxed));
    if offset < ARENA_BYTES {
        if !offset.is_multiple_of(align_of::<u32>()) {
            return 0;
        }
        // SAFETY: inside the arena, which stays mapped, and aligned.
        return unsafe { &*handle.cast::<AtomicU32>() }.load(Relaxed);
    }
    match in_spans(handle) {
        Some(number) => number,
        None => elsewhere(handle),
    }
}

/// The number at an address between predefined objects, once these have been looked up.
#[inline(always)]
fn in_spans(handle: *const c_void) -> Option<u32> {
    for span in &SPANS {
        if handle.addr().wrapping_sub(span.start.load(Acquire)) <= span.reach.load(Relaxed) {
            // SAFETY: a span is readable up to a header behind its last start.
            return Some(unsafe { marked(handle.cast()) });
        }
    }
    None
}

/// The number in a header, or 0 if there is none.
///
/// # Safety
/// The header's bytes are readable.
#[inline(always)]
unsafe fn marked(header: *const Header) -> u32 {
    // SAFETY: readable by contract; alignment is not assumed.
    let header = unsafe { header.read_unaligned() };
    if header.mark == MARK {
        header.number
    } else {
        0
    }
}

#[cold]
#[inline(never)]
fn elsewhere(handle: *const c_void) -> u32 {
    if !FIND_SPANS.is_completed() {
        FIND_SPANS.call_once(find_spans);
        if let Some(number) = in_spans(handle) {
            return number;
        }
    }
    let mut header = Header {
        mark: 0,
        number: 0,
        _pad: 0,
    };
    let size = size_of::<Header>();
    let local = libc::iovec {
        iov_base: (&raw mut header).cast(),
        iov_len: size,
    };
    let remote = libc::iovec {
        iov_base: handle.cast_mut(),
        iov_len: size,
    };
    // SAFETY: the kernel reads this process's memory and says so where it cannot.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    let refused = read < 0
        && !matches!(
            std::io::Error::last_os_error().raw_os_error(),
            Some(libc::EFAULT)
        );
    if refused {
        return read_as_file(handle.addr() as u64);
    }
    if read == size as isize && header.mark == MARK {
        return header.number;
    }
    0
}

/// The number at an address where containers forbid the call that reads other memory.
fn read_as_file(address: u64) -> u32 {
    use std::os::unix::fs::FileExt;
    let mut bytes = [0; 12];
    let read = std::fs::File::open("/proc/self/mem")
        .and_then(|memory| memory.read_exact_at(&mut bytes, address));
    let (mark, number) = bytes.split_at(8);
    match read {
        Ok(()) if mark == MARK.to_ne_bytes() => {
            u32::from_ne_bytes([number[0], number[1], number[2], number[3]])
        }
        _ => 0,
    }
}

/// Looks up in which segments of which loaded objects the predefined objects lie.
fn find_spans() {
    unsafe extern "C" fn visit(
        info: *mut libc::dl_phdr_info,
        _size: libc::size_t,
        used: *mut c_void,
    ) -> c_int {
        // SAFETY: the dynamic linker's record, and the counter that `find_spans` gave.
        let (info, used) = unsafe { (&*info, &mut *used.cast::<usize>()) };
        for i in 0..usize::from(info.dlpi_phnum) {
            // SAFETY: the record has that many headers.
            let segment = unsafe { &*info.dlpi_phdr.add(i) };
            if segment.p_type != libc::PT_LOAD || segment.p_flags & libc::PF_R == 0 {
                continue;
            }
            let start = info.dlpi_addr as usize + segment.p_vaddr as usize;
            let end = start + segment.p_memsz as usize;
            let inside = || {
                let all = PLACES.0.iter().chain(&ALIASES.0);
                all.map(|place| place.addr())
                    .filter(|place| (start..end).contains(place))
            };
            let (Some(first), Some(last)) = (inside().min(), inside().max()) else {
                continue;
            };
            let Some(span) = SPANS.get(*used) else {
                return 1;
            };
            *used += 1;
            span.reach.store(last - first, Relaxed);
            span.start.store(first, Release);
        }
        0
    }
    let mut used = 0_usize;
    // SAFETY: `visit` runs before the call returns.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut used).cast()) };
}

/// The object of a predefined number, or null.
#[inline(always)]
pub fn predefined(number: u32) -> *mut c_void {
    match PLACES.0.get(number as usize) {
        Some(place) => place.cast_mut().cast(),
        None => std::ptr::null_mut(),
    }
}

/// The handle of an object of kind `KIND` made at run time. A place keeps the last number it was given,
/// which the core refuses once that object is freed.
#[inline(always)]
pub fn dynamic<const KIND: usize>(number: u32) -> *mut c_void {
    let mut arena = ARENA.load(Relaxed);
    if arena == NOWHERE {
        MAP_ARENA.call_once(map_arena);
        arena = ARENA.load(Relaxed);
    }
    let index = number as usize & (PLACES_OF_KIND - 1);
    let place = const { STARTS[KIND] } + index * const { fields::stride(KIND) };
    let header: *mut c_void = std::ptr::with_exposed_provenance_mut(arena + place);
    // SAFETY: inside the arena, which stays mapped; aligned.
    unsafe { &*header.cast::<AtomicU32>() }.store(number, Relaxed);
    if let Some(offset) = const { fields::integer(KIND) } {
        // SAFETY: the places of a kind have room for its fields. The number is the `INTEGER`, too.
        unsafe { &*header.byte_add(offset).cast::<AtomicU32>() }.store(number, Relaxed);
    }
    header
}

#[cold]
fn map_arena() {
    // SAFETY: a new private mapping; pages cost memory only once they are written to.
    let arena = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            ARENA_BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if arena == libc::MAP_FAILED {
        // No error of MPI can be returned here: handles are what its calls are about to give.
        let why = std::io::Error::last_os_error();
        // If nobody reads that, there is nobody to tell.
        let _ = writeln!(
            std::io::stderr(),
            "anympi: cannot reserve {} MiB of addresses for MPI handles: {why}; raise the limit of addresses ('ulimit -v') if there is one",
            ARENA_BYTES >> 20,
        );
        // SAFETY: the process ends here, with the code of MPI_ERR_OTHER.
        unsafe { libc::_exit(16) }
    }
    ARENA.store(arena.expose_provenance(), Relaxed);
}

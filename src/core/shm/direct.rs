//! Copies between the memory of this process and another one's, in one step. Where the other one's is mapped here
//! (see [`heap`](super::heap)), they are copies within the process; elsewhere they use `process_vm_readv`.
//!
//! Systems forbid the latter in several ways (Yama, seccomp, other user or PID namespaces), so it is tried. Every
//! process shows where a random number lies in its own memory. A process that reads the same number there has found
//! the right process, and has the permission.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::OnceLock;

use super::Segment;
use super::heap::Heap;
use crate::datatype::Span;
use crate::datatype::block::{copy_long, is_close};
use crate::sync::{AtomicU64, Ordering};
use crate::sys::{self, PAGE};

/// Bytes that are copied at a time by way of memory that lies better. The system copies with `rep movsb`, which is slow between some
/// addresses.
const BOUNCE: usize = 16 * PAGE;

/// Most places that are read together.
pub const MOST_PLACES: usize = 8;

thread_local! {
    /// That memory.
    static BETTER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What the others must find at its address.
static COOKIE: OnceLock<u64> = OnceLock::new();

/// Where a process's number lies, and the number; in its page of the segment.
#[repr(C)]
pub(super) struct Beacon {
    address: AtomicU64,
    number: AtomicU64,
}

/// Another process's memory.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Whom to name to the system; `None`: it lets this process reach nothing.
    pid: Option<libc::pid_t>,
    heap: Option<&'static Heap>,
}

/// Whether another process's memory can be reached.
#[derive(Clone, Copy, Debug)]
pub enum Reach {
    /// It has not attached yet.
    Unknown,
    Known(Memory),
}

fn transfer(pid: libc::pid_t, remote: u64, local: *mut c_void, len: usize, read: bool) -> bool {
    let mut done = 0;
    while done < len {
        let here = libc::iovec {
            iov_base: local.wrapping_byte_add(done),
            iov_len: len - done,
        };
        let there = libc::iovec {
            iov_base: std::ptr::without_provenance_mut(remote as usize + done),
            iov_len: len - done,
        };
        // SAFETY: the kernel checks the other process's addresses and permissions; ours are `len` bytes
        // that the callers below vouch for.
        let moved = unsafe {
            if read {
                libc::process_vm_readv(pid, &raw const here, 1, &raw const there, 1, 0)
            } else {
                libc::process_vm_writev(pid, &raw const here, 1, &raw const there, 1, 0)
            }
        };
        if moved <= 0 {
            return false;
        }
        done += moved as usize;
    }
    true
}

/// [`transfer`] by way of memory where bytes lie in their pages as in the other process.
#[cold]
fn transfer_bounced(pid: libc::pid_t, remote: u64, local: *mut u8, len: usize, read: bool) -> bool {
    let copy = |better: &RefCell<Vec<u8>>| {
        let mut better = better.borrow_mut();
        better.resize(BOUNCE + 2 * PAGE, 0);
        let place = better.as_mut_ptr();
        let start = place.align_offset(PAGE) + remote as usize % PAGE;
        (0..len).step_by(BOUNCE).all(|done| {
            let part = BOUNCE.min(len - done);
            let (there, here) = (remote + done as u64, local.wrapping_add(done));
            // SAFETY: the part lies within `local`'s bytes, and after `start` there are `BOUNCE` bytes; the vector is nobody
            // else's.
            unsafe {
                let place = place.add(start);
                if read {
                    let moved = transfer(pid, there, place.cast(), part, true);
                    if moved {
                        copy_long(place, here, part);
                    }
                    moved
                } else {
                    copy_long(here, place, part);
                    transfer(pid, there, place.cast(), part, false)
                }
            }
        })
    };
    // There is no such memory any more where a thread ends.
    let copied = BETTER.try_with(copy);
    copied.unwrap_or_else(|_| transfer(pid, remote, local.cast(), len, read))
}

impl Memory {
    /// This process's own memory, reached as another's would be.
    #[cfg(test)]
    pub(super) fn own() -> Memory {
        Memory {
            pid: Some(std::process::id() as libc::pid_t),
            heap: None,
        }
    }

    /// Where these bytes are mapped in this process, once they can be.
    #[inline]
    pub(super) fn mapped(self, address: u64, bytes: u64) -> Option<*mut u8> {
        self.heap?.place(address, bytes)
    }

    /// Whether these bytes are mapped in this process, once they can be.
    pub fn is_mapped(self, address: u64, bytes: u64) -> bool {
        self.mapped(address, bytes).is_some()
    }

    /// Whether all of it can be reached, as far as the system allows it at all.
    pub fn is_open(self) -> bool {
        self.pid.is_some()
    }

    /// Whether these bytes can be reached.
    pub fn reaches(self, address: u64, bytes: u64) -> bool {
        self.is_open() || self.is_mapped(address, bytes)
    }

    /// Copies from `address` of the process into `to`. `false`: not all of it could be copied.
    pub fn read(self, address: u64, to: Span<'_>) -> bool {
        let (at, len) = to.parts();
        match self.mapped(address, len as u64) {
            // SAFETY: the bytes are mapped, and stay; who made the span vouches for it. They do not overlap,
            // as the other process's heap is not where this one's memory is.
            Some(from) => unsafe { copy_long(from, at, len) },
            None => return self.transfer(address, at, len, true),
        }
        true
    }

    /// [`read`](Self::read) for up to [`MOST_PLACES`] places at once, by one call of the system. `false`: perhaps some of it has been copied.
    pub fn read_together<'s>(self, parts: impl ExactSizeIterator<Item = (u64, Span<'s>)>) -> bool {
        let none = libc::iovec {
            iov_base: std::ptr::null_mut(),
            iov_len: 0,
        };
        let [mut here, mut there] = [[none; MOST_PLACES]; 2];
        let (count, mut bytes) = (parts.len(), 0);
        let Some(pid) = self.pid.filter(|_| count <= MOST_PLACES) else {
            return false;
        };
        for ((address, to), (here, there)) in parts.zip(here.iter_mut().zip(&mut there)) {
            let (at, len) = to.parts();
            if self.is_mapped(address, len as u64) || is_close(address as usize, at.addr()) {
                return false;
            }
            *here = libc::iovec {
                iov_base: at.cast(),
                iov_len: len,
            };
            *there = libc::iovec {
                iov_base: std::ptr::without_provenance_mut(address as usize),
                iov_len: len,
            };
            bytes += len;
        }
        let (here, there, count) = (here.as_ptr(), there.as_ptr(), count as libc::c_ulong);
        // SAFETY: the kernel checks the other process's addresses and permissions; who made the spans vouches for ours.
        let moved = unsafe { libc::process_vm_readv(pid, here, count, there, count, 0) };
        moved == bytes as isize
    }

    /// Copies `from` to `address` of the process. `false`: not all of it could be copied.
    pub fn write(self, address: u64, from: Span<'_>) -> bool {
        let (at, len) = from.parts();
        match self.mapped(address, len as u64) {
            // SAFETY: as for `read`; the receiver of a message has asked for the bytes there.
            Some(to) => unsafe { copy_long(at, to, len) },
            None => return self.transfer(address, at, len, false),
        }
        true
    }

    fn transfer(self, address: u64, at: *mut u8, len: usize, read: bool) -> bool {
        let Some(pid) = self.pid else {
            return false;
        };
        let [here, there] = [at.addr(), address as usize];
        let close = match read {
            true => is_close(there, here),
            false => is_close(here, there),
        };
        match close {
            true => transfer_bounced(pid, address, at, len, read),
            false => transfer(pid, address, at.cast(), len, read),
        }
    }
}

impl Segment {
    /// Shows the others where to look for this process's number.
    pub(super) fn light_beacon(&self) {
        let cookie = COOKIE.get_or_init(|| {
            allow_siblings();
            sys::random()
        });
        let beacon = &self.page(self.me).beacon;
        beacon.number.store(*cookie, Ordering::Relaxed);
        // Release: who sees the address sees the number.
        beacon
            .address
            .store(std::ptr::from_ref(cookie).addr() as u64, Ordering::Release);
    }

    /// How this process can reach the memory of `peer`. `try_system`: with the system's help too.
    pub fn reach(&self, peer: usize, try_system: bool) -> Reach {
        let page = self.page(peer);
        let address = page.beacon.address.load(Ordering::Acquire);
        if address == 0 {
            return Reach::Unknown;
        }
        let pid = page.pid.load(Ordering::Acquire) as libc::pid_t;
        let mut found = 0u64;
        let here = (&raw mut found).cast();
        let right = try_system
            && transfer(pid, address, here, size_of::<u64>(), true)
            && found == page.beacon.number.load(Ordering::Relaxed);
        Reach::Known(Memory {
            pid: right.then_some(pid),
            heap: Some(&self.heaps[peer]),
        })
    }
}

/// Where Yama lets only ancestors in, lets in what descends from our parent: the launcher's other processes.
fn allow_siblings() {
    // SAFETY: prctl with numbers only; systems without Yama refuse it.
    unsafe {
        libc::prctl(libc::PR_SET_PTRACER, libc::getppid(), 0, 0, 0);
    }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn bytes_arrive_wherever_they_lie_in_their_pages() {
        let memory = Memory::own();
        let len = 2 * BOUNCE + 100;
        let source: Vec<u8> = (0..len + PAGE).map(|i| (i % 251) as u8).collect();
        let mut sink = vec![0u8; len + 2 * PAGE];
        let from = source[16..].as_ptr();
        let first = sink.as_ptr().align_offset(PAGE) + from.addr() % PAGE;
        for shift in [0, 1, 16, 31, 32] {
            for read in [true, false] {
                sink.fill(0);
                let at = (first + shift) % PAGE;
                let to = sink[at..].as_mut_ptr();
                let [here, there] = if read {
                    [to, from.cast_mut()]
                } else {
                    [from.cast_mut(), to]
                };
                let close = is_close(from.addr(), to.addr());
                assert_eq!(close, (1..32).contains(&shift), "{shift}");
                assert!(memory.transfer(there.addr() as u64, here, len, read));
                assert_eq!(sink[at..at + len], source[16..16 + len], "{shift} {read}");
                assert!(sink[at + len..].iter().all(|&byte| byte == 0));
            }
        }
        // Addresses of nothing, one byte before and after in their page.
        let close = sink.as_mut_ptr().wrapping_add(PAGE);
        let nowhere = (close.addr() % PAGE + PAGE) as u64;
        assert!(!memory.transfer(nowhere - 1, close, len, true));
        assert!(!memory.transfer(nowhere + 1, close, len, false));
    }

    #[test]
    fn several_places_are_read_at_once_or_none_counts() {
        let memory = Memory::own();
        let source: Vec<u8> = (0..MOST_PLACES * 5000).map(|i| (i % 251) as u8).collect();
        let mut sink = vec![0; source.len() + 64];
        // None lies a few bytes further in its page than its source.
        let shift = (source.as_ptr().addr() + 64).wrapping_sub(sink.as_ptr().addr()) % 64;
        let read = |sink: &mut [u8], count: usize, wrong: Option<usize>| {
            let parts = source.chunks(5000).zip(sink[shift..].chunks_mut(5000));
            let parts: Vec<_> = parts.take(count).collect();
            let parts = parts.into_iter().enumerate().map(|(number, (from, to))| {
                let from = from.as_ptr().addr() as u64;
                (
                    if wrong == Some(number) { 4096 } else { from },
                    Span::new(to),
                )
            });
            memory.read_together(parts)
        };
        for count in [2, MOST_PLACES] {
            sink.fill(0);
            assert!(read(&mut sink, count, None));
            let bytes = count * 5000;
            assert_eq!(sink[shift..shift + bytes], source[..bytes]);
            assert!(sink[shift + bytes..].iter().all(|&byte| byte == 0));
        }
        assert!(!read(&mut sink, 3, Some(0)));
        assert!(!read(&mut sink, 3, Some(2)));
        let nobody = Memory {
            pid: None,
            heap: None,
        };
        assert!(!nobody.read_together(std::iter::empty()));
    }
}

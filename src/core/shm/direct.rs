//! Copies between the memory of this process and another one's, in one step: as within the process where the
//! other one's is mapped here (see [`heap`](super::heap)), with `process_vm_readv` elsewhere.
//!
//! Systems forbid the latter in several ways (Yama, seccomp, other user or PID namespaces), so it is tried: every
//! process shows where a random number lies in its own memory, and whoever reads the same number there
//! has the right process and the permission.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::OnceLock;

use super::Segment;
use super::heap::Heap;
use crate::datatype::Span;
use crate::datatype::block::copy_long;
use crate::sync::{AtomicU64, Ordering};

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

impl Memory {
    /// The memory of that process.
    #[cfg(test)]
    pub(super) fn of(process: u32) -> Memory {
        Memory {
            pid: Some(process as libc::pid_t),
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
    pub fn read(self, address: u64, to: Span) -> bool {
        let (at, len) = to.parts();
        match self.mapped(address, len as u64) {
            // SAFETY: the bytes are mapped, and stay; who made the span vouches for it. They do not overlap,
            // as the other process's heap is not where this one's memory is.
            Some(from) => unsafe { copy_long(from, at, len) },
            None => return self.transfer(address, at, len, true),
        }
        true
    }

    /// Copies `from` to `address` of the process. `false`: not all of it could be copied.
    pub fn write(self, address: u64, from: Span) -> bool {
        let (at, len) = from.parts();
        match self.mapped(address, len as u64) {
            // SAFETY: as for `read`; the receiver of a message has asked for the bytes there.
            Some(to) => unsafe { copy_long(at, to, len) },
            None => return self.transfer(address, at, len, false),
        }
        true
    }

    fn transfer(self, address: u64, at: *mut u8, len: usize, read: bool) -> bool {
        self.pid
            .is_some_and(|pid| transfer(pid, address, at.cast(), len, read))
    }
}

impl Segment {
    /// Shows the others where to look for this process's number.
    pub(super) fn light_beacon(&self) {
        let cookie = COOKIE.get_or_init(|| {
            allow_siblings();
            random()
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

/// A number that no other process has by chance.
fn random() -> u64 {
    let mut bytes = [0; 8];
    // SAFETY: the buffer is live and 8 bytes long.
    let got =
        unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), libc::GRND_NONBLOCK) };
    if got < 8 {
        bytes = u64::from(std::process::id()).to_ne_bytes();
    }
    u64::from_ne_bytes(bytes) | 1
}

/// Where Yama lets only ancestors in, lets in what descends from our parent: the launcher's other processes.
fn allow_siblings() {
    // SAFETY: prctl with numbers only; systems without Yama refuse it.
    unsafe {
        libc::prctl(libc::PR_SET_PTRACER, libc::getppid(), 0, 0, 0);
    }
}

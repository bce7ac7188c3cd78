//! Copies between the memory of this process and another one's, in one step (`process_vm_readv`).
//!
//! Systems forbid it in several ways (Yama, seccomp, other user or PID namespaces), so it is tried: every
//! process shows where a random number lies in its own memory, and whoever reads the same number there
//! has the right process and the permission.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::OnceLock;

use super::Segment;
use crate::datatype::Span;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pid: libc::pid_t,
}

/// Whether another process's memory can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It has not attached yet.
    Unknown,
    Yes(Memory),
    No,
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
            pid: process as libc::pid_t,
        }
    }

    /// Copies from `address` of the process into `to`. `false`: not all of it could be copied.
    pub fn read(self, address: u64, to: Span) -> bool {
        let (at, len) = to.parts();
        transfer(self.pid, address, at.cast(), len, true)
    }

    /// Copies `from` to `address` of the process. `false`: not all of it could be copied.
    pub fn write(self, address: u64, from: Span) -> bool {
        let (at, len) = from.parts();
        transfer(self.pid, address, at.cast(), len, false)
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

    /// Whether this process can reach the memory of `peer`.
    pub fn reach(&self, peer: usize) -> Reach {
        let page = self.page(peer);
        let address = page.beacon.address.load(Ordering::Acquire);
        if address == 0 {
            return Reach::Unknown;
        }
        let pid = page.pid.load(Ordering::Acquire) as libc::pid_t;
        let mut found = 0u64;
        let here = (&raw mut found).cast();
        let right = transfer(pid, address, here, size_of::<u64>(), true)
            && found == page.beacon.number.load(Ordering::Relaxed);
        if right {
            Reach::Yes(Memory { pid })
        } else {
            Reach::No
        }
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

//! Memory of a space that only the door reaches, for tests: whoever else reads or writes it gets a fault.
//!
//! Each block is reserved without access; what it holds lies [`DISTANCE`] further on, where the door finds it.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ptr;

use super::data::Data;
use super::memory::{Base, Space};

/// Bytes from an address of this space to where its contents are.
const DISTANCE: usize = 64 << 20;

thread_local! {
    static REACHED: Cell<u64> = const { Cell::new(0) };
}

/// How often the door has reached into this space, in this thread.
pub(crate) fn reached() -> u64 {
    REACHED.get()
}

/// The same elements where this processor reaches them.
pub(super) fn reach(data: &Data) -> Data {
    REACHED.set(REACHED.get() + 1);
    let contents = data.base.wrapping_add(DISTANCE);
    // SAFETY: what lies there is a block's, as its maker says.
    let base = unsafe { Base::new(contents, Space::Host) };
    Data::new(base, data.count, data.datatype.clone())
}

/// A block of this space, filled with zeros.
pub(crate) struct Block {
    start: *mut u8,
    length: usize,
}

impl Block {
    pub fn new(length: usize) -> Block {
        assert!(length <= DISTANCE, "a block is too long");
        let all = DISTANCE + length.max(1);
        // SAFETY: new address space, of which the end becomes memory.
        let start = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            let start = libc::mmap(ptr::null_mut(), all, libc::PROT_NONE, flags, -1, 0);
            assert!(start != libc::MAP_FAILED, "no address space");
            let contents = start.byte_add(DISTANCE);
            let access = libc::PROT_READ | libc::PROT_WRITE;
            assert_eq!(libc::mprotect(contents, length.max(1), access), 0);
            start
        };
        Block {
            start: start.cast(),
            length,
        }
    }

    /// A block with these bytes.
    pub fn of(bytes: &[u8]) -> Block {
        let mut block = Block::new(bytes.len());
        block.contents().copy_from_slice(bytes);
        block
    }

    pub fn base(&self) -> Base {
        // SAFETY: the test keeps the block while it is used.
        unsafe { Base::new(self.start, Space::Test) }
    }

    /// What lies in it.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: made accessible by `new`.
        unsafe { std::slice::from_raw_parts(self.start.add(DISTANCE), self.length) }
    }

    /// The same, to be changed.
    pub fn contents(&mut self) -> &mut [u8] {
        // SAFETY: made accessible by `new`, and borrowed as the block is.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(DISTANCE), self.length) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`, and nobody's any more.
        unsafe { libc::munmap(self.start.cast(), DISTANCE + self.length.max(1)) };
    }
}

/// Memory of a test: the host's, or what only the door reaches.
pub(crate) enum Memory {
    Host(Vec<u8>),
    There(Block),
}

impl Memory {
    /// These bytes, `there` or in the host's memory.
    pub fn of(bytes: &[u8], there: bool) -> Memory {
        match there {
            false => Memory::Host(bytes.to_vec()),
            true => Memory::There(Block::of(bytes)),
        }
    }

    pub fn base(&self) -> Base {
        match self {
            Memory::Host(bytes) => Base::tested(bytes.as_ptr().cast_mut()),
            Memory::There(block) => block.base(),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Memory::Host(bytes) => bytes,
            Memory::There(block) => block.bytes(),
        }
    }
}

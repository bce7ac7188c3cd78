//! The one door to the memory that messages come from and go to: copying, packing, unpacking, and what operations combine.
//!
//! Memory lies in a [`Space`]. What this processor reaches is copied here; for any other space the door calls what can reach it,
//! and nobody else looks at the bytes. [`Data`] says in one test whether the short way may be taken. Must not know why
//! anything is copied, nor of processes.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ptr;
use std::rc::Rc;

use super::Type;
use super::block::{LINE, copy_block, copy_long, fetch_block, prefetch, prefetch_to_write};
use super::data::{Data, Like, Span, address};
use super::program::{Column, Visitor};
#[cfg(test)]
use super::test_space;

/// Where memory lies, which says who can reach it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// This processor reads and writes it by its address.
    Host,
    /// Memory of a test, which faults when anybody but the door reads or writes it.
    #[cfg(test)]
    Test,
}

impl Space {
    /// The space of an address that a call's argument is.
    #[inline(always)]
    pub fn of(_address: *const u8) -> Space {
        Space::Host
    }
}

/// An address that somebody vouches for, and the space of its memory.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    address: *mut u8,
    space: Space,
}

impl Base {
    /// Where nothing lies.
    pub const NULL: Base = Base {
        address: ptr::null_mut(),
        space: Space::Host,
    };

    /// # Safety
    /// All elements described from here on may be read until the operations on them have ended, by any thread that
    /// makes progress. Where they are received they may be written. The memory is of that space.
    #[inline(always)]
    pub unsafe fn new(address: *mut u8, space: Space) -> Base {
        address.expose_provenance();
        Base { address, space }
    }

    #[inline(always)]
    pub(super) fn of(data: &Data) -> Base {
        Base {
            address: data.base,
            space: data.space,
        }
    }

    /// The base of a test's memory, for which the test vouches.
    #[cfg(test)]
    pub(crate) fn tested(address: *mut u8) -> Base {
        // SAFETY: the test's promise.
        unsafe { Base::new(address, Space::Host) }
    }

    #[inline(always)]
    pub fn address(self) -> usize {
        self.address.addr()
    }

    #[inline(always)]
    pub fn pointer(self) -> *mut u8 {
        self.address
    }

    #[inline(always)]
    pub fn space(self) -> Space {
        self.space
    }

    /// So many bytes further, within what is vouched for.
    #[inline(always)]
    pub fn offset(self, bytes: i64) -> Base {
        Base {
            address: self.address.wrapping_offset(bytes as isize),
            space: self.space,
        }
    }
}

/// What is not in one piece is collected slowly, and each line would wait for the one before. So so many bytes are
/// asked for before they are written ...
const ASKED_TO_WRITE: usize = 4 << 10;
/// ... and all of what is read, up to here, but for pieces of longer messages, the next of which are on their way too.
const ASKED_TO_READ: usize = 16 << 10;

impl Span<'_> {
    /// Shows `fill` the bytes from one on, to be overwritten.
    pub fn overwrite<R>(self, at: usize, fill: impl FnOnce(&mut [u8]) -> R) -> R {
        let (start, length) = self.parts();
        let at = at.min(length);
        // SAFETY: whoever made the data that it is of vouches for these bytes, which nobody else uses while they are received.
        fill(unsafe { std::slice::from_raw_parts_mut(start.add(at), length - at) })
    }
}

impl Data {
    /// Copies packed bytes from `position` on into `packed`; returns how many there were.
    #[inline(always)]
    pub fn pack(&self, position: u64, packed: &mut [u8]) -> usize {
        let length = self.clip(position, packed.len());
        if self.plain {
            let offset = self.datatype.true_lb().wrapping_add(position as i64);
            // SAFETY: no more bytes than the slice has, and the application vouches for what is read.
            unsafe {
                copy_block(
                    address(self.base.addr(), offset),
                    packed.as_mut_ptr(),
                    length,
                )
            };
            return length;
        }
        // A copy, here as for longer ways elsewhere: what nobody refers to stays in registers.
        self.clone().pack_blocks(position, packed, length)
    }

    /// [`pack`](Self::pack) to memory that another processor will read.
    #[inline(always)]
    pub fn pack_shared(&self, position: u64, packed: &mut [u8]) -> usize {
        let length = self.clip(position, packed.len());
        if !self.plain {
            return self.clone().lay_blocks(position, packed, length);
        }
        let offset = self.datatype.true_lb().wrapping_add(position as i64);
        let from = address(self.base.addr(), offset);
        lay_piece(from, &mut packed[..length]);
        length
    }

    /// [`pack_blocks`](Self::pack_blocks) to lines that another processor has.
    #[inline(never)]
    fn lay_blocks(self, position: u64, packed: &mut [u8], length: usize) -> usize {
        let chunk = |start: usize| start.min(length)..(start + ASKED_TO_WRITE).min(length);
        lines(&packed[chunk(0)]).for_each(prefetch_to_write);
        for start in (0..length).step_by(ASKED_TO_WRITE) {
            lines(&packed[chunk(start + ASKED_TO_WRITE)]).for_each(prefetch_to_write);
            let packed = &mut packed[chunk(start)];
            let length = packed.len();
            self.clone()
                .pack_blocks(position + start as u64, packed, length);
        }
        length
    }

    #[inline(never)]
    fn pack_blocks(self, position: u64, packed: &mut [u8], length: usize) -> usize {
        match self.space {
            Space::Host => (),
            #[cfg(test)]
            Space::Test => return test_space::reach(&self).pack(position, &mut packed[..length]),
        }
        let mut visitor = Mover::<true> {
            base: self.base.addr(),
            packed: packed.as_mut_ptr(),
        };
        self.walk(position, length, &mut visitor);
        length
    }

    /// Copies `packed` to the packed position `position` on; returns how many bytes had room.
    #[inline(always)]
    pub fn unpack(&self, position: u64, packed: &[u8]) -> usize {
        self.fetch(true, position, packed)
    }

    /// [`unpack`](Self::unpack) of a piece of a longer message, the next of which another processor is writing.
    #[inline(always)]
    pub fn unpack_piece(&self, position: u64, packed: &[u8]) -> usize {
        self.fetch(false, position, packed)
    }

    /// `whole`: no other processor writes what follows.
    #[inline(always)]
    fn fetch(&self, whole: bool, position: u64, packed: &[u8]) -> usize {
        let length = self.clip(position, packed.len());
        if self.plain {
            let offset = self.datatype.true_lb().wrapping_add(position as i64);
            let (from, to) = (packed.as_ptr(), address(self.base.addr(), offset));
            // SAFETY: no more bytes than the slice has, and the application vouches for what is written.
            unsafe { fetch_block(from, to, length) };
            return length;
        }
        if whole && length <= ASKED_TO_READ {
            lines(&packed[..length]).for_each(prefetch);
        }
        self.clone().unpack_blocks(position, packed, length)
    }

    #[inline(never)]
    fn unpack_blocks(self, position: u64, packed: &[u8], length: usize) -> usize {
        match self.space {
            Space::Host => (),
            #[cfg(test)]
            Space::Test => return test_space::reach(&self).unpack(position, &packed[..length]),
        }
        let mut visitor = Mover::<false> {
            base: self.base.addr(),
            packed: packed.as_ptr().cast_mut(),
        };
        self.walk(position, length, &mut visitor);
        length
    }

    /// Shows `take` up to `length` packed bytes from `position` on: where they are, if they lie in one piece of the host's
    /// memory, else packed into `scratch`.
    pub fn packed<R>(
        &self,
        position: u64,
        length: usize,
        scratch: &mut Vec<u8>,
        take: impl FnOnce(&[u8]) -> R,
    ) -> R {
        let length = self.clip(position, length);
        if let Some(span) = self.span(position, length as u64).filter(|_| length > 0) {
            let (start, length) = span.parts();
            // SAFETY: whoever made `self` vouches for these bytes, which nobody writes while they are sent.
            return take(unsafe { std::slice::from_raw_parts(start, length) });
        }
        scratch.resize(length.max(scratch.len()), 0);
        self.pack(position, &mut scratch[..length]);
        take(&scratch[..length])
    }

    /// Copies the data to `to`, element by element in packed order; returns the bytes copied, the
    /// lesser of both sizes. The two must not overlap.
    pub fn copy_to(&self, to: &Data) -> u64 {
        let length = self.bytes().min(to.bytes());
        if length == 0 {
            return 0;
        }
        if let Some((from, _)) = self.contiguous() {
            // SAFETY: whoever made `self` vouches for its bytes, which are `length` at least.
            let from = unsafe { std::slice::from_raw_parts(from, length as usize) };
            to.unpack(0, from);
        } else if let Some((into, _)) = to.contiguous() {
            // SAFETY: whoever made `to` vouches for its bytes, which are `length` at least.
            let into = unsafe { std::slice::from_raw_parts_mut(into, length as usize) };
            self.pack(0, into);
        } else {
            let mut scratch = vec![0; length.min(64 << 10) as usize];
            let mut position = 0;
            while position < length {
                let room = scratch.len().min((length - position) as usize);
                let packed = self.pack(position, &mut scratch[..room]);
                to.unpack(position, &scratch[..packed]);
                position += packed as u64;
            }
        }
        length
    }

    /// [`copy_to`](Self::copy_to) of what no other processor has written, so that its lines need not be asked for ahead.
    pub fn copy_own_to(&self, to: &Data) -> u64 {
        /// Bytes from which on the difference is seen.
        const LEAST: u64 = 16 << 10;
        let length = self.bytes().min(to.bytes());
        match (self.contiguous(), to.contiguous()) {
            (Some((from, _)), Some((into, _))) if length >= LEAST => {
                // SAFETY: whoever made both vouches for their bytes, which are `length` each at least.
                unsafe { copy_long(from, into, length as usize) };
                length
            }
            _ => self.copy_to(to),
        }
    }
}

impl Like<'_> {
    /// [`Data::pack_shared`], for a datatype whose data begins at its address where it is contiguous.
    #[inline(always)]
    pub fn pack_shared(self, packed: &mut [u8]) {
        debug_assert!(!self.data.plain || self.data.datatype.true_lb() == 0);
        if !self.data.plain || self.base.space != Space::Host {
            self.data().pack_shared(0, packed);
            return;
        }
        let length = self.data.clip(0, packed.len());
        lay_piece(self.base.address, &mut packed[..length]);
    }
}

/// An address in each cache line that these bytes lie in, if they begin with a line.
#[inline(always)]
fn lines(bytes: &[u8]) -> impl Iterator<Item = *const u8> {
    let first = bytes.as_ptr();
    (0..bytes.len())
        .step_by(LINE)
        .map(move |at| first.wrapping_add(at))
}

/// Writes bytes that lie in one piece to memory that another processor will read.
#[inline(always)]
fn lay_piece(from: *const u8, packed: &mut [u8]) {
    // SAFETY: as many bytes as the slice has, and the application vouches for what is read, which is none of ours.
    unsafe { copy_block(from, packed.as_mut_ptr(), packed.len()) }
}

/// Runs `$body` with `$copy(from, to)` copying `$bytes` bytes, a constant where that makes a loop much faster.
macro_rules! with_copy {
    ($bytes:expr, $copy:ident => $body:expr) => {
        with_copy!($bytes, $copy => $body, 1 2 4 8 12 16 24 32)
    };
    ($bytes:expr, $copy:ident => $body:expr, $($constant:literal)*) => {
        match $bytes {
            $($constant => {
                // SAFETY: the caller vouches for that many bytes at both places.
                let $copy = |from: *const u8, to: *mut u8| unsafe { ptr::copy(from, to, $constant) };
                $body
            })*
            bytes => {
                // SAFETY: as above.
                let $copy = |from: *const u8, to: *mut u8| unsafe { copy_block(from, to, bytes) };
                $body
            }
        }
    };
}

/// Bytes that are copied column by column before the next elements' turn: they stay in the first cache.
const COLUMN_BYTES: usize = 16 << 10;

/// Copies `count` blocks of `bytes`, `from_stride` apart, to places `to_stride` apart.
///
/// # Safety
/// All the blocks can be read and written, and no block is read and written at once.
#[inline(always)]
unsafe fn copy_strided(
    from: *const u8,
    from_stride: isize,
    to: *mut u8,
    to_stride: isize,
    bytes: usize,
    count: usize,
) {
    with_copy!(bytes, copy => for index in 0..count as isize {
        copy(
            from.wrapping_offset(from_stride.wrapping_mul(index)),
            to.wrapping_offset(to_stride.wrapping_mul(index)),
        );
    });
}

/// Calls `copy(element, elements, column)` for some elements at a time, so that these stay in the cache.
#[inline(always)]
fn by_columns(
    stride: i64,
    each: u64,
    count: u64,
    columns: &[Column],
    mut copy: impl FnMut(usize, usize, &Column),
) {
    let widest = stride.unsigned_abs().max(each).max(1) as usize;
    let (count, chunk) = (count as usize, (COLUMN_BYTES / widest).max(1));
    for first in (0..count).step_by(chunk) {
        let elements = chunk.min(count - first);
        for column in columns {
            copy(first, elements, column);
        }
    }
}

/// Copies blocks between the application's memory and packed bytes, which it walks along: from the blocks if
/// `PACK`, to them if not.
struct Mover<const PACK: bool> {
    base: usize,
    /// Only read from unless `PACK`.
    packed: *mut u8,
}

impl<const PACK: bool> Mover<PACK> {
    /// From where, or in what steps, and to where.
    #[inline(always)]
    fn ends<T>(blocks: T, packed: T) -> (T, T) {
        if PACK {
            (blocks, packed)
        } else {
            (packed, blocks)
        }
    }
}

impl<const PACK: bool> Visitor for Mover<PACK> {
    #[inline(always)]
    fn block(&mut self, offset: i64, bytes: u64) {
        let bytes = bytes as usize;
        let (from, to) = Self::ends(address(self.base, offset), self.packed);
        // SAFETY: `Data::pack` and `unpack` visit no more bytes than the slice behind `packed` has, and the
        // application vouches for the blocks.
        unsafe {
            copy_block(from, to, bytes);
            self.packed = self.packed.add(bytes);
        }
    }

    fn strided(&mut self, offset: i64, stride: i64, bytes: u64, count: u64) {
        let (bytes, count) = (bytes as usize, count as usize);
        let (from, to) = Self::ends(address(self.base, offset), self.packed);
        let (from_step, to_step) = Self::ends(stride as isize, bytes as isize);
        // SAFETY: as in `block`, for `count * bytes` packed bytes; at most one past the end of the slice.
        unsafe {
            copy_strided(from, from_step, to, to_step, bytes, count);
            self.packed = self.packed.add(bytes * count);
        }
    }

    fn columns(&mut self, origin: i64, stride: i64, each: u64, count: u64, columns: &[Column]) {
        let (base, packed) = (self.base.wrapping_add_signed(origin as isize), self.packed);
        let (from_step, to_step) = Self::ends(stride as isize, each as isize);
        by_columns(stride, each, count, columns, |first, elements, column| {
            let offset = stride
                .wrapping_mul(first as i64)
                .wrapping_add(column.offset);
            let start = first * each as usize + column.start as usize;
            let bytes = column.bytes as usize;
            // SAFETY: as in `block`, for `count * each` packed bytes.
            unsafe {
                let (from, to) = Self::ends(address(base, offset), packed.add(start));
                copy_strided(from, from_step, to, to_step, bytes, elements);
            }
        });
        // SAFETY: at most one past the end of the slice.
        self.packed = unsafe { packed.add((each * count) as usize) };
    }

    fn equal(&mut self, origin: i64, offsets: &[i64], bytes: u64) {
        let first = self.base.wrapping_add_signed(origin as isize);
        let packed = self.packed;
        let bytes = bytes as usize;
        // `offsets.len() * bytes` packed bytes are there, as in `block`.
        with_copy!(bytes, copy => for (index, offset) in offsets.iter().enumerate() {
            let (from, to) = Self::ends(address(first, *offset), packed.wrapping_add(index * bytes));
            copy(from, to);
        });
        // SAFETY: at most one past the end of the slice.
        self.packed = unsafe { packed.add(bytes * offsets.len()) };
    }

    fn list(&mut self, origin: i64, offsets: &[i64], starts: &[u64]) {
        let first = self.base.wrapping_add_signed(origin as isize);
        // A local pointer stays in a register; `self` might be what the blocks overwrite.
        let mut packed = self.packed;
        for (offset, start) in offsets.iter().zip(starts.windows(2)) {
            let bytes = (start[1] - start[0]) as usize;
            let (from, to) = Self::ends(address(first, *offset), packed);
            // SAFETY: as in `block`.
            unsafe {
                copy_block(from, to, bytes);
                packed = packed.add(bytes);
            }
        }
        self.packed = packed;
    }
}

/// Elements that an operation combines, one after the other.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    base: Base,
    /// Packed bytes of the elements.
    bytes: u64,
    far: bool,
    of: PhantomData<&'a [u8]>,
}

impl<'a> Operand<'a> {
    #[inline(always)]
    fn new(base: Base, bytes: u64, far: bool) -> Operand<'a> {
        Operand {
            base,
            bytes,
            far,
            of: PhantomData,
        }
    }

    /// Elements of a buffer that another processor has written if it is `far`.
    #[inline(always)]
    pub fn of(data: &'a Data, far: bool) -> Operand<'a> {
        Operand::new(data.base(), data.bytes(), far)
    }

    /// The same of elements at another place.
    #[inline(always)]
    pub fn like(like: Like<'a>) -> Operand<'a> {
        Operand::new(like.base, like.data.bytes(), false)
    }

    /// Elements without gaps.
    #[inline(always)]
    pub fn packed(bytes: &'a [u8], far: bool) -> Operand<'a> {
        // SAFETY: no more elements are described than the bytes hold, which are borrowed.
        let base = unsafe { Base::new(bytes.as_ptr().cast_mut(), Space::Host) };
        Operand::new(base, bytes.len() as u64, far)
    }

    /// The elements after so many bytes, where they have no gaps.
    #[inline(always)]
    pub fn after(self, bytes: u64) -> Operand<'a> {
        let left = self.bytes.checked_sub(bytes).expect("elements are there");
        Operand {
            base: self.base.offset(bytes as i64),
            bytes: left,
            ..self
        }
    }

    /// Asks for the first so many bytes, if another processor has written them.
    #[inline(always)]
    pub fn ask(&self, bytes: usize) {
        if self.far && self.base.space == Space::Host {
            for start in (0..bytes).step_by(LINE) {
                prefetch(self.base.address.wrapping_add(start));
            }
        }
    }

    /// As many elements as `target` has.
    pub(crate) fn data(&self, target: &Target) -> Data {
        assert!(self.bytes >= target.bytes, "an operand is too short");
        Data::new(self.base, target.count, target.datatype.clone())
    }

    /// Copies as many elements as `target` has to it.
    pub fn copy_to(&self, target: &Target) {
        self.data(target).copy_to(&target.data());
    }
}

/// Where elements come that an operation has combined, and how many of which datatype.
pub struct Target<'a> {
    base: Base,
    count: u64,
    bytes: u64,
    datatype: &'a Rc<Type>,
}

impl<'a> From<&'a Data> for Target<'a> {
    #[inline(always)]
    fn from(data: &'a Data) -> Target<'a> {
        Target {
            base: data.base(),
            count: data.count,
            bytes: data.bytes(),
            datatype: &data.datatype,
        }
    }
}

impl<'a> Target<'a> {
    /// As many elements without gaps as the bytes hold.
    pub fn packed(bytes: &'a mut [u8], datatype: &'a Rc<Type>) -> Target<'a> {
        // SAFETY: no more elements are described than the bytes hold, which are borrowed.
        let base = unsafe { Base::new(bytes.as_mut_ptr(), Space::Host) };
        Target {
            base,
            count: bytes.len() as u64 / datatype.size().max(1),
            bytes: bytes.len() as u64,
            datatype,
        }
    }

    #[inline(always)]
    pub fn count(&self) -> u64 {
        self.count
    }

    #[inline(always)]
    pub fn datatype(&self) -> &'a Rc<Type> {
        self.datatype
    }

    pub fn data(&self) -> Data {
        Data::new(self.base, self.count, self.datatype.clone())
    }

    /// Operands and target, if this processor reaches them all; else they must be brought to where it does.
    #[inline(always)]
    pub fn reach(&self, a: &Operand<'_>, b: &Operand<'_>) -> Option<Reached> {
        assert!(
            a.bytes.min(b.bytes) >= self.bytes,
            "an operand is too short"
        );
        let spaces = [a.base.space, b.base.space, self.base.space];
        let all = spaces.iter().all(|space| *space == Space::Host);
        all.then_some(Reached {
            operands: [a.base.address, b.base.address],
            out: self.base.address,
            count: self.count as usize,
            far: [a.far, b.far],
        })
    }
}

/// Two operands and a target that this processor reaches, and that hold `count` elements each.
#[derive(Clone, Copy)]
pub struct Reached {
    operands: [*const u8; 2],
    out: *mut u8,
    count: usize,
    far: [bool; 2],
}

impl Reached {
    #[inline(always)]
    pub fn operands(self) -> [*const u8; 2] {
        self.operands
    }

    #[inline(always)]
    pub fn out(self) -> *mut u8 {
        self.out
    }

    #[inline(always)]
    pub fn count(self) -> usize {
        self.count
    }

    /// Which operands another processor has written.
    #[inline(always)]
    pub fn far(self) -> [bool; 2] {
        self.far
    }

    /// Whether another processor has written one of the operands.
    #[inline(always)]
    pub fn are_far(self) -> bool {
        self.far[0] | self.far[1]
    }
}

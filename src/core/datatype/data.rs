//! A described user buffer, and copying it to and from packed bytes.
//!
//! This is where datatypes touch memory. The addresses come from the application (`MPI_BOTTOM` makes
//! them absolute), so they are handled as integers with exposed provenance. What may be read or written
//! is the application's promise: whoever makes a [`Data`] vouches for `count` elements at `base`.
#![allow(unsafe_code)]

use std::ptr;
use std::rc::Rc;

use super::Type;
use super::block::{LINE, copy_block, copy_long, fetch_block, prefetch, prefetch_to_write};
use super::program::{Column, Node, Visitor, walk};
use crate::error::Result;
use crate::fail;

/// What is not in one piece is collected so slowly that each line would wait for the one before, so so many bytes are asked for
/// before they are written ...
const ASKED_TO_WRITE: usize = 4 << 10;
/// ... and all of what is read, up to here, but for pieces of longer messages, the next of which are on their way too.
const ASKED_TO_READ: usize = 16 << 10;

/// Below it no program has memory: addresses there are null pointers, or MPI's special ones.
const LEAST_ADDRESS: usize = 4096;

/// What is wrong with a buffer, if anything.
#[cold]
fn refuse(address: usize, count: i64, datatype: &Type, buf: &str, count_name: &str) -> Result<()> {
    if count < 0 {
        fail!(COUNT, "{count_name} is {count}, expected a value >= 0");
    }
    let Ok(span) = datatype.span(count as u64) else {
        fail!(
            COUNT,
            "{count_name} is {count}, and so many elements of {} exceed 63 bits of addresses",
            datatype.describe()
        );
    };
    if span.low == span.high || address >= LEAST_ADDRESS {
        return Ok(());
    }
    if address == IN_PLACE {
        fail!(BUFFER, "{buf} is MPI_IN_PLACE, which is not allowed here");
    }
    if (address as i64).saturating_add(span.low) < LEAST_ADDRESS as i64 {
        fail!(
            BUFFER,
            "{buf} is a null pointer, and {count_name} is {count} elements of {}",
            datatype.describe()
        );
    }
    Ok(())
}

/// The number of `MPI_IN_PLACE`.
const IN_PLACE: usize = 1;

/// `count` elements of `datatype` at `base`.
#[derive(Clone, Debug)]
pub struct Data {
    /// Where displacement 0 of the first element lies; null with absolute displacements.
    pub base: *mut u8,
    pub count: u64,
    /// Packed size of all of it.
    bytes: u64,
    pub datatype: Rc<Type>,
}

impl Data {
    /// The caller vouches that the elements may be read, and written where the call writes.
    pub fn new(base: *mut u8, count: u64, datatype: Rc<Type>) -> Data {
        let bytes = count.saturating_mul(datatype.size());
        Data::of_bytes(base, count, bytes, datatype)
    }

    /// Address, count, packed size and datatype, which need not lie in memory one beside the other.
    #[inline(always)]
    pub fn apart(self) -> (*mut u8, u64, u64, Rc<Type>) {
        (self.base, self.count, self.bytes, self.datatype)
    }

    /// What [`apart`](Self::apart) has taken apart.
    #[inline(always)]
    pub fn of_bytes(base: *mut u8, count: u64, bytes: u64, datatype: Rc<Type>) -> Data {
        base.expose_provenance();
        Data {
            base,
            count,
            bytes,
            datatype,
        }
    }

    /// As [`new`](Self::new), for memory that is only read.
    pub fn constant(base: *const u8, count: u64, datatype: Rc<Type>) -> Data {
        Data::new(base.cast_mut(), count, datatype)
    }

    /// As many elements of the same datatype at another place.
    pub fn at(&self, base: *mut u8) -> Data {
        Data::of_bytes(base, self.count, self.bytes, self.datatype.clone())
    }

    /// A buffer as a call's arguments describe it: `names` are those of the buffer and the count.
    ///
    /// # Errors
    /// `MPI_ERR_COUNT` for a negative count or one that no memory can hold; `MPI_ERR_BUFFER` for
    /// `MPI_IN_PLACE`, and for a null pointer unless the datatype's displacements are addresses.
    #[inline(always)]
    pub fn described(
        buf: *mut u8,
        count: i64,
        datatype: Rc<Type>,
        names: (&str, &str),
    ) -> Result<Data> {
        let bytes = Data::check(buf, count, &datatype, names)?;
        Ok(Data::of_bytes(buf, count as u64, bytes, datatype))
    }

    /// What [`described`](Self::described) checks; gives the packed size in bytes.
    ///
    /// # Errors
    /// As there.
    #[inline(always)]
    pub fn check(buf: *mut u8, count: i64, datatype: &Type, names: (&str, &str)) -> Result<u64> {
        let (bytes, too_many) = (datatype.size() as i64).overflowing_mul(count);
        let nowhere = buf.addr() < LEAST_ADDRESS && bytes != 0;
        if nowhere || too_many || count < 0 {
            refuse(buf.addr(), count, datatype, names.0, names.1)?;
        }
        Ok(bytes as u64)
    }

    /// Packed size in bytes.
    ///
    /// Calls check that it fits; an impossible one saturates.
    #[inline(always)]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the packed bytes are those at one place, in their order.
    #[inline(always)]
    pub fn is_contiguous(&self) -> bool {
        self.datatype.is_contiguous()
    }

    /// Address and packed size.
    #[inline(always)]
    pub fn place(&self) -> (*mut u8, u64) {
        (self.base, self.bytes)
    }

    /// The bytes themselves, when they lie in one piece.
    #[inline(always)]
    pub fn contiguous(&self) -> Option<(*mut u8, usize)> {
        if self.datatype.is_contiguous() {
            return Some((
                address(self.base.addr(), self.datatype.true_lb()),
                self.bytes() as usize,
            ));
        }
        self.single_piece()
    }

    /// The memory of a packed range, when all of the data lies in one piece and the range is part of it.
    pub fn span(&self, position: u64, length: u64) -> Option<Span> {
        let (start, bytes) = self.contiguous()?;
        (position.checked_add(length)? <= bytes as u64).then(|| Span {
            start: start.wrapping_add(position as usize),
            length: length as usize,
        })
    }

    /// One element of a type with a gap after it, or nothing at all.
    #[cold]
    fn single_piece(&self) -> Option<(*mut u8, usize)> {
        if self.bytes() == 0 {
            return Some((self.base, 0));
        }
        let program = self.datatype.program();
        match *program.node {
            Node::Block { bytes } if self.count == 1 => {
                Some((address(self.base.addr(), program.offset), bytes as usize))
            }
            _ => None,
        }
    }

    /// The elements after the first `skip`, at most `count` of them.
    pub fn part(&self, skip: u64, count: u64) -> Data {
        let shift = self.datatype.extent().wrapping_mul(skip as i64);
        Data::new(
            address(self.base.addr(), shift),
            count.min(self.count.saturating_sub(skip)),
            self.datatype.clone(),
        )
    }

    /// Copies packed bytes from `position` on into `packed`; returns how many there were.
    #[inline(always)]
    pub fn pack(&self, position: u64, packed: &mut [u8]) -> usize {
        let length = self.clip(position, packed.len());
        if self.datatype.is_contiguous() {
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
        if !self.datatype.is_contiguous() {
            return self.clone().lay_blocks(position, packed, length);
        }
        let offset = self.datatype.true_lb().wrapping_add(position as i64);
        let from = address(self.base.addr(), offset);
        lay_piece(from, &mut packed[..length]);
        length
    }

    /// [`pack_shared`](Self::pack_shared) for as many elements that lie at another place, for a datatype that is contiguous and begins at its
    /// address: without the count of who uses it, and what else a [`Data`] takes.
    #[inline(always)]
    pub fn pack_other(&self, base: *const u8, packed: &mut [u8]) {
        debug_assert!(self.is_contiguous() && self.datatype.true_lb() == 0);
        let length = self.clip(0, packed.len());
        lay_piece(base, &mut packed[..length]);
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
        if self.datatype.is_contiguous() {
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
        let mut visitor = Mover::<false> {
            base: self.base.addr(),
            packed: packed.as_ptr().cast_mut(),
        };
        self.walk(position, length, &mut visitor);
        length
    }

    /// The contiguous pieces of the packed range `position .. position + limit`, as addresses and
    /// lengths in packed order; pieces that touch are joined.
    pub fn pieces(&self, position: u64, limit: usize) -> Vec<(*mut u8, usize)> {
        struct Pieces {
            base: usize,
            list: Vec<(*mut u8, usize)>,
        }
        impl Visitor for Pieces {
            fn block(&mut self, offset: i64, bytes: u64) {
                let at = address(self.base, offset);
                if let Some((start, length)) = self.list.last_mut()
                    && start.addr() + *length == at.addr()
                {
                    *length += bytes as usize;
                    return;
                }
                self.list.push((at, bytes as usize));
            }
        }
        let mut pieces = Pieces {
            base: self.base.addr(),
            list: Vec::new(),
        };
        self.walk(position, self.clip(position, limit), &mut pieces);
        pieces.list
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

    #[inline(always)]
    fn clip(&self, position: u64, length: usize) -> usize {
        let rest = self.bytes().saturating_sub(position);
        rest.min(length as u64) as usize
    }

    /// `position + length` must not exceed [`bytes`](Self::bytes).
    fn walk(&self, position: u64, length: usize, visitor: &mut impl Visitor) {
        if length == 0 {
            return;
        }
        let length = length as u64;
        if self.datatype.is_contiguous() {
            let offset = self.datatype.true_lb().wrapping_add(position as i64);
            return visitor.block(offset, length);
        }
        let program = self.datatype.program();
        if self.count == 1 {
            return walk(&program.node, program.offset, position, length, visitor);
        }
        let all = Node::repeat(self.count, self.datatype.extent(), &program.node);
        walk(&all, program.offset, position, length, visitor);
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

/// Memory in one piece that whoever made it, or its [`Data`], vouches for.
pub struct Span {
    start: *mut u8,
    length: usize,
}

impl Span {
    /// The caller keeps the bytes, and leaves them alone, until they have been copied.
    pub fn new(bytes: &mut [u8]) -> Span {
        Span {
            start: bytes.as_mut_ptr(),
            length: bytes.len(),
        }
    }

    /// Address and length in bytes.
    pub fn parts(&self) -> (*mut u8, usize) {
        (self.start, self.length)
    }
}

/// Writes bytes that lie in one piece to memory that another processor will read.
#[inline(always)]
fn lay_piece(from: *const u8, packed: &mut [u8]) {
    // SAFETY: as many bytes as the slice has, and the application vouches for what is read, which is none of ours.
    unsafe { copy_block(from, packed.as_mut_ptr(), packed.len()) }
}

/// The address of a displacement; `base` is 0 when displacements are absolute.
#[inline(always)]
fn address(base: usize, offset: i64) -> *mut u8 {
    ptr::with_exposed_provenance_mut(base.wrapping_add_signed(offset as isize))
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

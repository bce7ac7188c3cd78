//! A described user buffer: where it lies, how many elements of which datatype, and what of it lies in one piece.
//!
//! The addresses come from the application (`MPI_BOTTOM` makes them absolute), so they are handled as integers with
//! exposed provenance. What may be read or written is the application's promise: whoever makes a [`Base`] vouches for
//! the elements that are described there. Must not touch the memory itself: [`memory`](super::memory) does.

use std::marker::PhantomData;
use std::ptr;
use std::rc::Rc;

use super::Type;
use super::memory::{Base, Space};
use super::program::{Node, Visitor, walk};
use crate::error::Result;
use crate::fail;

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

/// `count` elements of `datatype` at a [`Base`].
///
/// The memory must stay until whatever uses the description has ended: a call, or the operation that it started.
#[derive(Clone, Debug)]
pub struct Data {
    /// Where displacement 0 of the first element lies; null with absolute displacements.
    pub(super) base: *mut u8,
    pub count: u64,
    /// Packed size of all of it.
    bytes: u64,
    pub datatype: Rc<Type>,
    /// One test says both: this processor can reach the memory, and its packed bytes are those at one place.
    pub(super) plain: bool,
    pub(super) space: Space,
}

/// As many elements as some data has, and of its datatype, at another place. Without a count of who uses the datatype.
#[derive(Clone, Copy)]
pub struct Like<'d> {
    pub(super) data: &'d Data,
    pub(super) base: Base,
}

impl Like<'_> {
    #[inline(always)]
    pub fn address(self) -> usize {
        self.base.address()
    }

    #[inline(always)]
    pub fn bytes(self) -> u64 {
        self.data.bytes
    }

    pub fn data(self) -> Data {
        let Data {
            count,
            bytes,
            datatype,
            ..
        } = self.data;
        Data::of_bytes(self.base, *count, *bytes, datatype.clone())
    }
}

impl Data {
    /// `count` elements of `datatype`.
    pub fn new(base: Base, count: u64, datatype: Rc<Type>) -> Data {
        let bytes = count.saturating_mul(datatype.size());
        Data::of_bytes(base, count, bytes, datatype)
    }

    /// A test's buffer, for which the test vouches.
    #[cfg(test)]
    pub(crate) fn tested(address: *mut u8, count: u64, datatype: Rc<Type>) -> Data {
        Data::new(Base::tested(address), count, datatype)
    }

    /// No elements.
    pub fn empty(datatype: Rc<Type>) -> Data {
        Data::new(Base::NULL, 0, datatype)
    }

    #[inline(always)]
    fn of_bytes(base: Base, count: u64, bytes: u64, datatype: Rc<Type>) -> Data {
        Data {
            base: base.pointer(),
            count,
            bytes,
            plain: datatype.is_contiguous() && base.space() == Space::Host,
            space: base.space(),
            datatype,
        }
    }

    /// The same in a place of its own: what one way takes by reference does not keep the parts of the other in memory.
    #[inline(always)]
    pub fn apart(self) -> Data {
        let Data {
            base,
            count,
            bytes,
            datatype,
            plain,
            space,
        } = self;
        Data {
            base,
            count,
            bytes,
            datatype,
            plain,
            space,
        }
    }

    /// As many elements of the same datatype at another place.
    #[inline(always)]
    pub fn like(&self, base: Base) -> Like<'_> {
        Like { data: self, base }
    }

    /// A buffer as a call's arguments describe it: `names` are those of the buffer and the count.
    ///
    /// # Errors
    /// `MPI_ERR_COUNT` for a negative count or one that no memory can hold; `MPI_ERR_BUFFER` for
    /// `MPI_IN_PLACE`, and for a null pointer unless the datatype's displacements are addresses.
    #[inline(always)]
    pub fn described(
        base: Base,
        count: i64,
        datatype: Rc<Type>,
        names: (&str, &str),
    ) -> Result<Data> {
        let bytes = Data::check(base, count, &datatype, names)?;
        Ok(Data::of_bytes(base, count as u64, bytes, datatype))
    }

    /// What [`described`](Self::described) checks; gives the packed size in bytes.
    ///
    /// # Errors
    /// As there.
    #[inline(always)]
    pub fn check(base: Base, count: i64, datatype: &Type, names: (&str, &str)) -> Result<u64> {
        let (bytes, too_many) = (datatype.size() as i64).overflowing_mul(count);
        let nowhere = base.address() < LEAST_ADDRESS && bytes != 0;
        if nowhere || too_many || count < 0 {
            refuse(base.address(), count, datatype, names.0, names.1)?;
        }
        Ok(bytes as u64)
    }

    /// Where displacement 0 of the first element lies.
    #[inline(always)]
    pub fn base(&self) -> Base {
        Base::of(self)
    }

    /// The address of displacement 0 of the first element.
    #[inline(always)]
    pub fn address(&self) -> usize {
        self.base.addr()
    }

    /// Packed size in bytes.
    ///
    /// Calls check that it fits; an impossible one saturates.
    #[inline(always)]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the packed bytes are those at one place of the host's memory, in their order.
    #[inline(always)]
    pub fn is_contiguous(&self) -> bool {
        self.plain
    }

    /// Address and packed size.
    #[inline(always)]
    pub fn place(&self) -> (usize, u64) {
        (self.base.addr(), self.bytes)
    }

    /// The bytes themselves, when they lie in one piece of the host's memory.
    #[inline(always)]
    pub fn contiguous(&self) -> Option<(*mut u8, usize)> {
        if self.plain {
            return Some((
                address(self.base.addr(), self.datatype.true_lb()),
                self.bytes() as usize,
            ));
        }
        self.single_piece()
    }

    /// The same bytes as elements of a type of one byte, when they lie in one piece.
    pub fn as_bytes(&self, byte: &Rc<Type>) -> Option<Data> {
        let (start, bytes) = self.contiguous()?;
        let shift = start.addr().wrapping_sub(self.base.addr());
        Some(Data::new(
            self.base().offset(shift as i64),
            bytes as u64,
            byte.clone(),
        ))
    }

    /// The memory of a packed range, when all of the data lies in one piece and the range is part of it.
    pub fn span(&self, position: u64, length: u64) -> Option<Span<'_>> {
        let (start, bytes) = self.contiguous()?;
        (position.checked_add(length)? <= bytes as u64).then(|| Span {
            start: start.wrapping_add(position as usize),
            length: length as usize,
            bytes: PhantomData,
        })
    }

    /// One element of a type with a gap after it, or nothing at all.
    #[cold]
    fn single_piece(&self) -> Option<(*mut u8, usize)> {
        if self.space != Space::Host {
            return None;
        }
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
            self.base().offset(shift),
            count.min(self.count.saturating_sub(skip)),
            self.datatype.clone(),
        )
    }

    #[inline(always)]
    pub(super) fn clip(&self, position: u64, length: usize) -> usize {
        let rest = self.bytes().saturating_sub(position);
        rest.min(length as u64) as usize
    }

    /// `position + length` must not exceed [`bytes`](Self::bytes).
    pub(super) fn walk(&self, position: u64, length: usize, visitor: &mut impl Visitor) {
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

/// Memory in one piece that whoever made its [`Data`] vouches for, or that is borrowed.
pub struct Span<'a> {
    start: *mut u8,
    length: usize,
    bytes: PhantomData<&'a mut [u8]>,
}

impl<'a> Span<'a> {
    pub fn new(bytes: &'a mut [u8]) -> Span<'a> {
        Span {
            start: bytes.as_mut_ptr(),
            length: bytes.len(),
            bytes: PhantomData,
        }
    }

    /// Address and length in bytes.
    pub fn parts(&self) -> (*mut u8, usize) {
        (self.start, self.length)
    }
}

/// The address of a displacement; `base` is 0 when displacements are absolute.
#[inline(always)]
pub(super) fn address(base: usize, offset: i64) -> *mut u8 {
    ptr::with_exposed_provenance_mut(base.wrapping_add_signed(offset as isize))
}

/// The contiguous pieces of one element, as displacements and lengths in packed order; pieces that touch are joined.
pub fn pieces(datatype: &Type) -> Vec<(i64, u64)> {
    struct Pieces(Vec<(i64, u64)>);
    impl Visitor for Pieces {
        fn block(&mut self, offset: i64, bytes: u64) {
            match self.0.last_mut() {
                Some((start, length)) if start.wrapping_add_unsigned(*length) == offset => {
                    *length += bytes;
                }
                _ => self.0.push((offset, bytes)),
            }
        }
    }
    let mut pieces = Pieces(Vec::new());
    if datatype.size() > 0 {
        let program = datatype.program();
        walk(
            &program.node,
            program.offset,
            0,
            datatype.size(),
            &mut pieces,
        );
    }
    pieces.0
}

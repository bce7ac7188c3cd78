//! Memory of the library's own that is described like a user's: for intermediate data, and for packed copies.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::rc::Rc;

use super::Type;
use super::data::Data;
use super::memory::{Base, Space};

/// Bytes that live in a [`Temp`] itself.
const INLINE: usize = 128;

/// Memory for `count` elements of a datatype, aligned for any element, freed with the value.
///
/// Short data lives in the value itself, so that a collective on a few numbers allocates nothing. The
/// value must therefore stay where it is from the first [`data`](Temp::data) on; as a local variable of a
/// (pinned) future it does. It must stay until all that uses the data has ended.
pub(crate) struct Temp {
    inline: Cell<MaybeUninit<[u128; INLINE / 16]>>,
    /// Capacity only: whoever fills it does so through the address.
    heap: Vec<Cell<u128>>,
    shift: i64,
    count: u64,
    datatype: Rc<Type>,
}

impl Temp {
    /// Room for as many elements of the same datatype as `data` has.
    #[inline]
    pub fn like(data: &Data) -> Temp {
        Temp::of(data.count, &data.datatype)
    }

    /// Room for `count` elements of `datatype`.
    pub fn of(count: u64, datatype: &Rc<Type>) -> Temp {
        let (mut shift, mut span) = (0, 0);
        if count > 0 {
            // The first byte lies before the base when the true lower bound or the extent is negative.
            let reach = (count - 1) as i64 * datatype.extent();
            shift = -(datatype.true_lb() + reach.min(0));
            span = (datatype.true_extent() + reach.abs()) as usize;
        }
        Temp {
            inline: Cell::new(MaybeUninit::uninit()),
            heap: if span > INLINE {
                Vec::with_capacity(span.div_ceil(16))
            } else {
                Vec::new()
            },
            shift,
            count,
            datatype: datatype.clone(),
        }
    }

    /// The memory as a buffer.
    #[inline]
    pub fn data(&self) -> Data {
        let memory: *mut u8 = if self.heap.capacity() > 0 {
            self.heap.as_ptr().cast_mut().cast()
        } else {
            self.inline.as_ptr().cast()
        };
        let base = memory.wrapping_offset(self.shift as isize);
        // SAFETY: as many elements lie there as are described, in memory that nobody has a reference to; the owner keeps it, as
        // the type says.
        let base = unsafe { Base::new(base, Space::Host) };
        Data::new(base, self.count, self.datatype.clone())
    }

    /// Elements `first..first + count` of the memory.
    #[inline]
    pub fn part(&self, first: u64, count: u64) -> Data {
        self.data().part(first, count)
    }
}

/// A packed copy of some data, which may be moved while it is sent.
pub struct Packed {
    bytes: Vec<u8>,
    datatype: Rc<Type>,
}

impl Packed {
    /// `datatype` has elements of one byte.
    pub fn copy(data: &Data, datatype: Rc<Type>) -> Packed {
        let mut bytes = vec![0; data.bytes() as usize];
        data.pack(0, &mut bytes);
        Packed { bytes, datatype }
    }

    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The bytes as a buffer. It must not be used when the copy is gone.
    pub fn data(&self) -> Data {
        let first = self.bytes.as_ptr().cast_mut();
        // SAFETY: bytes on the heap, as many as are described, which are only sent; the owner keeps them until then.
        let base = unsafe { Base::new(first, Space::Host) };
        Data::new(base, self.len(), self.datatype.clone())
    }
}

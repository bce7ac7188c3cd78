//! Buffers of several blocks, one per rank, and memory of the collective's own.
//!
//! The plain, the `v` and the `w` form of a collective differ only in how a block is found:
//! [`Blocks`] answers that, so each algorithm exists once. The
//! arithmetic here is on addresses only; memory is read and written by [`Data`] and the net.

use std::rc::Rc;

pub(crate) use crate::datatype::Temp;
use crate::datatype::{Base, Data, Type};

/// Where share `index` of `count` elements begins when `shares` ranks divide them evenly.
#[inline]
pub(crate) fn share_start(count: u64, shares: usize, index: usize) -> u64 {
    let (quotient, rest) = (count / shares as u64, count % shares as u64);
    quotient * index as u64 + rest.min(index as u64)
}

/// Share `index` of a buffer that `shares` ranks divide evenly.
#[inline]
pub(crate) fn share(data: &Data, shares: usize, index: usize) -> Data {
    shares_run(data, shares, index, index + 1)
}

/// Shares `first..end` of a buffer that `shares` ranks divide evenly: adjacent, so one buffer.
#[inline]
pub(crate) fn shares_run(data: &Data, shares: usize, first: usize, end: usize) -> Data {
    let start = share_start(data.count, shares, first);
    data.part(start, share_start(data.count, shares, end) - start)
}

/// A buffer of one block per rank (or per neighbour).
#[derive(Clone)]
pub struct Blocks {
    base: Base,
    /// Bytes from one block to the next, or of one displacement.
    step: i64,
    layout: Layout,
}

#[derive(Clone)]
enum Layout {
    Even {
        count: u64,
        datatype: Rc<Type>,
    },
    Same(Data),
    Varying {
        /// Elements and displacement of each block.
        places: Rc<[(u64, i64)]>,
        datatype: Rc<Type>,
    },
    Each {
        counts: Rc<[u64]>,
        displacements: Rc<[i64]>,
        datatypes: Rc<[Rc<Type>]>,
    },
}

impl Blocks {
    /// Blocks of `count` elements each that make up some data.
    pub fn cut(data: &Data, count: u64) -> Blocks {
        Blocks::even(data.base(), count, data.datatype.clone())
    }

    /// Blocks of some data: the elements of each, and how many elements after the beginning it starts.
    pub fn parts(data: &Data, places: impl Iterator<Item = (u64, i64)>) -> Blocks {
        let blocks = Blocks::varying(data.base(), places, data.datatype.clone());
        if let Layout::Varying { places, .. } = &blocks.layout {
            let within = |place: &(u64, i64)| place.1 as u64 + place.0 <= data.count;
            assert!(places.iter().all(within), "a block is outside of its data");
        }
        blocks
    }

    /// Blocks of `count` elements, one after the other (the plain form of a collective).
    pub fn even(base: Base, count: u64, datatype: Rc<Type>) -> Blocks {
        Blocks {
            base,
            step: datatype.extent().wrapping_mul(count as i64),
            layout: Layout::Even { count, datatype },
        }
    }

    /// Every block is `data`: what a gather sends.
    pub fn same(data: Data) -> Blocks {
        Blocks {
            base: data.base(),
            step: 0,
            layout: Layout::Same(data),
        }
    }

    /// Each block's number of elements, and how many *elements* from `base` it starts (the `v` form).
    #[inline(always)]
    pub fn varying(
        base: Base,
        places: impl Iterator<Item = (u64, i64)>,
        datatype: Rc<Type>,
    ) -> Blocks {
        Blocks {
            base,
            step: datatype.extent(),
            layout: Layout::Varying {
                places: places.collect(),
                datatype,
            },
        }
    }

    /// Parts of some data one behind the other: block `i` is elements `starts[i]..starts[i + 1]`.
    pub fn between(data: &Data, starts: &[u64]) -> Blocks {
        let places = starts.windows(2);
        let places = places.map(|ends| (ends[1] - ends[0], ends[0] as i64));
        let first = places.clone().next().map_or(0, |(count, _)| count);
        if places.clone().all(|(count, _)| count == first) {
            let all = data.part(starts[0], 0);
            return Blocks::even(all.base(), first, all.datatype);
        }
        Blocks::parts(data, places)
    }

    /// Block `i` has `counts[i]` elements of `datatypes[i]` and starts `displacements[i]` *bytes* from
    /// `base` (the `w` form).
    pub fn each(
        base: Base,
        counts: Rc<[u64]>,
        displacements: Rc<[i64]>,
        datatypes: Rc<[Rc<Type>]>,
    ) -> Blocks {
        Blocks {
            base,
            step: 1,
            layout: Layout::Each {
                counts,
                displacements,
                datatypes,
            },
        }
    }

    /// Block `index`: its address, its elements and their datatype.
    #[inline(always)]
    pub fn at(&self, index: usize) -> (Base, u64, &Rc<Type>) {
        let (steps, count, datatype) = match &self.layout {
            Layout::Even { count, datatype } => (index as i64, *count, datatype),
            Layout::Same(data) => (0, data.count, &data.datatype),
            Layout::Varying { places, datatype } => {
                let (count, displacement) = places[index];
                (displacement, count, datatype)
            }
            Layout::Each {
                counts,
                displacements,
                datatypes,
            } => (displacements[index], counts[index], &datatypes[index]),
        };
        (
            self.base.offset(steps.wrapping_mul(self.step)),
            count,
            datatype,
        )
    }

    /// Whether the first `count` blocks have no bytes.
    #[inline]
    pub fn are_empty(&self, count: usize) -> bool {
        match self.layout {
            Layout::Even { .. } | Layout::Same(_) => self.bytes(0) == 0,
            _ => (0..count).all(|index| self.bytes(index) == 0),
        }
    }

    /// Block `index`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Data {
        let (base, count, datatype) = self.at(index);
        Data::new(base, count, datatype.clone())
    }

    /// Address and packed size of block `index`.
    #[inline(always)]
    pub fn place(&self, index: usize) -> (usize, u64) {
        let (base, count, datatype) = self.at(index);
        (base.address(), count * datatype.size())
    }

    /// Packed size of block `index`.
    #[inline(always)]
    pub fn bytes(&self, index: usize) -> u64 {
        match &self.layout {
            Layout::Even { count, datatype } => count * datatype.size(),
            Layout::Same(data) => data.bytes(),
            Layout::Varying { places, datatype } => places[index].0 * datatype.size(),
            Layout::Each {
                counts, datatypes, ..
            } => counts[index] * datatypes[index].size(),
        }
    }

    /// Packed size of the first `size` blocks.
    pub fn total(&self, size: usize) -> u64 {
        match &self.layout {
            Layout::Even { count, datatype } => count * datatype.size() * size as u64,
            _ => (0..size).map(|index| self.bytes(index)).sum(),
        }
    }

    /// Whether all blocks have the same size by construction.
    pub fn is_even(&self) -> bool {
        matches!(self.layout, Layout::Even { .. })
    }

    /// Blocks `first..end` as one buffer, where they lie one after the other as such.
    pub fn run(&self, first: usize, end: usize) -> Option<Data> {
        match &self.layout {
            Layout::Even { count, datatype } => {
                let (base, ..) = self.at(first);
                let elements = count * (end - first) as u64;
                Some(Data::new(base, elements, datatype.clone()))
            }
            _ => None,
        }
    }
}

/// A buffer as plain bytes: a view where the memory is one piece, else a packed copy.
pub(crate) struct Flat<'d> {
    data: &'d Data,
    view: Option<Data>,
    packed: Temp,
}

impl<'d> Flat<'d> {
    /// The bytes of `data`; copied only if `filled` says that they mean something already.
    pub fn new(byte: &Rc<Type>, data: &'d Data, filled: bool) -> Flat<'d> {
        let view = data.as_bytes(byte);
        let packed = Temp::of(if view.is_some() { 0 } else { data.bytes() }, byte);
        if view.is_none() && filled {
            data.copy_to(&packed.data());
        }
        Flat { data, view, packed }
    }

    /// Bytes `first..end`, both cut at the end of the buffer.
    #[inline]
    pub fn range(&self, first: u64, end: u64) -> Data {
        let limit = self.data.bytes();
        let (first, end) = (first.min(limit), end.min(limit));
        match &self.view {
            Some(view) => view.part(first, end - first),
            None => self.packed.part(first, end - first),
        }
    }

    /// Puts the bytes where they belong, after they were received.
    pub fn unpack(&self) {
        if self.view.is_none() {
            self.packed.data().copy_to(self.data);
        }
    }
}

/// Copies blocks `first..first + count`, counted around a ring of `size`, into packed bytes.
pub(crate) fn pack(blocks: &Blocks, first: usize, count: usize, size: usize, packed: &Data) {
    let mut position = 0;
    for index in first..first + count {
        let block = blocks.get(index % size);
        let bytes = block.bytes();
        block.copy_to(&packed.part(position, bytes));
        position += bytes;
    }
}

/// The reverse of [`pack`].
pub(crate) fn unpack(packed: &Data, blocks: &Blocks, first: usize, count: usize, size: usize) {
    let mut position = 0;
    for index in first..first + count {
        let block = blocks.get(index % size);
        let bytes = block.bytes();
        packed.part(position, bytes).copy_to(&block);
        position += bytes;
    }
}

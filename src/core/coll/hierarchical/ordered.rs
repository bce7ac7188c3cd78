//! Blocks in the order of positions, in which those of every group lie together.

use std::ops::Range;

use crate::coll::blocks::Blocks;
use crate::coll::hierarchy::{Group, Hierarchy};
use crate::coll::net::{Coll, Net};
use crate::datatype::Data;

/// The blocks of the ranks at some positions.
pub(super) struct Ordered {
    data: Data,
    /// Element of `data` where the block of each position begins, and where the last one ends.
    starts: Vec<u64>,
    /// Position of the first one.
    first: usize,
}

impl Ordered {
    /// Blocks of `data`, one after the other, with these lengths in elements.
    pub fn new(data: Data, first: usize, lengths: impl Iterator<Item = u64>) -> Ordered {
        let ends = lengths.scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        Ordered {
            data,
            starts: std::iter::once(0).chain(ends).collect(),
            first,
        }
    }

    /// The blocks of a buffer where they lie, if they lie in the order of positions.
    pub fn in_place(blocks: &Blocks, all: &Hierarchy) -> Option<Ordered> {
        let size = all.order().len();
        let data = blocks.run(0, size).filter(|_| all.is_ordered())?;
        let each = data.count / size as u64;
        Some(Ordered::new(data, 0, std::iter::repeat_n(each, size)))
    }

    fn element(&self, position: usize) -> u64 {
        self.starts[position - self.first]
    }

    /// The blocks at these positions as one buffer.
    pub fn span(&self, positions: Range<usize>) -> Data {
        let start = self.element(positions.start);
        self.data.part(start, self.element(positions.end) - start)
    }

    /// For each member of a group the element where the blocks of those begin whom it leads, and where the last
    /// one's end.
    pub fn starts_of(&self, group: &Group) -> Vec<u64> {
        let starts = group.starts().iter();
        starts.map(|start| self.element(*start)).collect()
    }

    /// These blocks of each member as one block.
    pub fn members(&self, group: &Group) -> Blocks {
        Blocks::between(&self.data, &self.starts_of(group))
    }

    /// Copies each block from where its rank's lies.
    pub fn pack<N: Net>(&self, coll: &Coll<'_, N>, all: &Hierarchy, blocks: &Blocks) {
        for (position, rank) in all.order().iter().enumerate() {
            coll.copy(&blocks.get(*rank), &self.span(position..position + 1));
        }
    }

    /// Copies each block to where its rank's lies.
    pub fn unpack<N: Net>(&self, coll: &Coll<'_, N>, all: &Hierarchy, blocks: &Blocks) {
        for (position, rank) in all.order().iter().enumerate() {
            coll.copy(&self.span(position..position + 1), &blocks.get(*rank));
        }
    }
}

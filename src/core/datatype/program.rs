//! What a datatype becomes for copying: a compact tree of contiguous blocks in type-map order.
//!
//! Adjacent blocks are merged, regular ones become loops, and shared parts are shared. Every node
//! knows its packed size, so that a copy may start at any packed byte in O(depth + log n). Offsets
//! only: no memory is touched here; a [`Visitor`] is told which bytes come next.

use std::rc::Rc;

/// A child whose type map is short is written out instead of being referred to.
const INLINE_BLOCKS: u64 = 8;
/// Entries that writing out may make, unless there are more children than that.
const INLINE_TOTAL: u64 = 4096;

/// Blocks that an element may have to be copied by columns; more of them do not stay in the cache.
const MOST_COLUMNS: u64 = 8;
/// Elements from which on columns are worth it.
const COLUMN_ELEMENTS: u64 = 4;
/// Blocks up to this size are cheaper to copy as equal pieces than to branch over their sizes.
const LARGEST_PIECE: u64 = 32;

/// A node at an offset from the element's origin.
#[derive(Clone, Debug)]
pub struct Placed {
    pub offset: i64,
    pub node: Rc<Node>,
}

/// Blocks of bytes; the first block of `Block` and `Strided` lies at offset 0.
#[derive(Clone, Debug)]
pub enum Node {
    Block {
        bytes: u64,
    },
    /// `count` blocks of `bytes`, their starts `stride` apart.
    Strided {
        count: u64,
        stride: i64,
        bytes: u64,
    },
    /// Blocks of one size at arbitrary offsets.
    Equal {
        bytes: u64,
        offsets: Box<[i64]>,
    },
    /// Blocks of any size; `starts` are packed positions, one more than offsets.
    List {
        offsets: Box<[i64]>,
        starts: Box<[u64]>,
    },
    /// `count` copies of `body` (`each` bytes packed), `stride` apart.
    Repeat {
        count: u64,
        stride: i64,
        each: u64,
        body: Rc<Node>,
    },
    Sequence {
        items: Box<[Placed]>,
        starts: Box<[u64]>,
    },
}

/// Told which bytes follow, in packed order.
pub trait Visitor {
    fn block(&mut self, offset: i64, bytes: u64);

    fn strided(&mut self, offset: i64, stride: i64, bytes: u64, count: u64) {
        for index in 0..count {
            self.block(
                offset.wrapping_add(stride.wrapping_mul(index as i64)),
                bytes,
            );
        }
    }

    fn equal(&mut self, origin: i64, offsets: &[i64], bytes: u64) {
        for offset in offsets {
            self.block(origin.wrapping_add(*offset), bytes);
        }
    }

    /// Blocks between the packed positions `starts`, of which there is one more than offsets.
    fn list(&mut self, origin: i64, offsets: &[i64], starts: &[u64]) {
        for (offset, start) in offsets.iter().zip(starts.windows(2)) {
            self.block(origin.wrapping_add(*offset), start[1] - start[0]);
        }
    }

    /// `count` elements, `stride` apart and without a common byte, each of these blocks and `each`
    /// bytes when packed. One block of all elements may be copied before the next one.
    fn columns(&mut self, origin: i64, stride: i64, each: u64, count: u64, columns: &[Column]) {
        let _ = each;
        for index in 0..count {
            let origin = origin.wrapping_add(stride.wrapping_mul(index as i64));
            for column in columns {
                self.block(origin.wrapping_add(column.offset), column.bytes);
            }
        }
    }
}

/// A block of an element that is repeated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Column {
    pub offset: i64,
    /// Packed position within the element.
    pub start: u64,
    pub bytes: u64,
}

/// The few blocks of an element.
#[derive(Default)]
struct Columns {
    list: [Column; MOST_COLUMNS as usize],
    length: usize,
}

impl Visitor for Columns {
    fn block(&mut self, offset: i64, bytes: u64) {
        let start = match self.length {
            0 => 0,
            length => self.list[length - 1].start + self.list[length - 1].bytes,
        };
        self.list[self.length] = Column {
            offset,
            start,
            bytes,
        };
        self.length += 1;
    }
}

impl Columns {
    /// Those of `body`, if there are few enough for `count` copies, and copies `stride` apart share no byte. Where
    /// they share one, the last copy in packed order must be unpacked last.
    fn of(body: &Node, stride: i64, count: u64) -> Option<Columns> {
        let few = match body {
            // A loop already; it pays only where there are many short ones.
            Node::Strided { count: inner, .. } => *inner <= MOST_COLUMNS && inner * 4 <= count,
            Node::Equal { offsets, .. } | Node::List { offsets, .. } => {
                offsets.len() <= MOST_COLUMNS as usize && count >= COLUMN_ELEMENTS
            }
            _ => false,
        };
        if !few {
            return None;
        }
        let mut columns = Columns::default();
        walk_all(body, 0, &mut columns);
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for column in &columns.list[..columns.length] {
            low = low.min(column.offset);
            high = high.max(column.offset.checked_add_unsigned(column.bytes)?);
        }
        let span = high.checked_sub(low)?;
        (stride.unsigned_abs() >= span.unsigned_abs()).then_some(columns)
    }
}

impl Node {
    /// Nothing to copy.
    pub fn empty() -> Node {
        Node::Block { bytes: 0 }
    }

    /// Packed size in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Node::Block { bytes } => *bytes,
            Node::Strided { count, bytes, .. } => count * bytes,
            Node::Equal { bytes, offsets } => bytes * offsets.len() as u64,
            Node::Repeat { count, each, .. } => count * each,
            Node::List { starts, .. } | Node::Sequence { starts, .. } => {
                *starts.last().expect("starts has the end")
            }
        }
    }

    /// Number of contiguous blocks, saturating.
    pub fn blocks(&self) -> u64 {
        match self {
            Node::Block { bytes } => u64::from(*bytes > 0),
            Node::Strided { count, .. } => *count,
            Node::Equal { offsets, .. } | Node::List { offsets, .. } => offsets.len() as u64,
            Node::Repeat { count, body, .. } => count.saturating_mul(body.blocks()),
            Node::Sequence { items, .. } => items
                .iter()
                .fold(0, |sum, item| sum.saturating_add(item.node.blocks())),
        }
    }

    /// `count` copies of `body`, `stride` bytes apart, as the simplest node.
    pub fn repeat(count: u64, stride: i64, body: &Rc<Node>) -> Node {
        if count == 0 || body.bytes() == 0 {
            return Node::empty();
        }
        if count == 1 {
            return Node::clone(body);
        }
        match **body {
            Node::Block { bytes } if stride == bytes as i64 => Node::Block {
                bytes: bytes * count,
            },
            Node::Block { bytes } => Node::Strided {
                count,
                stride,
                bytes,
            },
            Node::Strided {
                count: inner,
                stride: step,
                bytes,
            } if (inner as i64).checked_mul(step) == Some(stride) => Node::Strided {
                count: inner * count,
                stride: step,
                bytes,
            },
            Node::Repeat {
                count: inner,
                stride: step,
                each,
                ref body,
            } if (inner as i64).checked_mul(step) == Some(stride) => Node::Repeat {
                count: inner * count,
                stride: step,
                each,
                body: body.clone(),
            },
            _ => Node::Repeat {
                count,
                stride,
                each: body.bytes(),
                body: body.clone(),
            },
        }
    }
}

impl Placed {
    pub fn empty() -> Placed {
        Placed {
            offset: 0,
            node: Rc::new(Node::empty()),
        }
    }

    pub fn block(offset: i64, bytes: u64) -> Placed {
        Placed {
            offset,
            node: Rc::new(Node::Block { bytes }),
        }
    }

    /// The same further on.
    pub fn moved(&self, by: i64) -> Placed {
        Placed {
            offset: self.offset.wrapping_add(by),
            node: self.node.clone(),
        }
    }

    pub fn repeat(&self, count: u64, stride: i64) -> Placed {
        if count == 1 {
            return self.clone();
        }
        Placed {
            offset: self.offset,
            node: Rc::new(Node::repeat(count, stride, &self.node)),
        }
    }

    /// One after the other.
    pub fn sequence(items: Vec<Placed>) -> Placed {
        let mut items: Vec<Placed> = items
            .into_iter()
            .filter(|item| item.node.bytes() > 0)
            .collect();
        match items.len() {
            0 => return Placed::empty(),
            1 => return items.remove(0),
            _ => {}
        }
        let total = items
            .iter()
            .fold(0u64, |sum, item| sum.saturating_add(item.node.blocks()));
        let short = items.iter().all(|item| item.node.blocks() <= INLINE_BLOCKS);
        if short && total <= INLINE_TOTAL.max(items.len() as u64) {
            let mut blocks = Merge::default();
            for item in &items {
                walk(&item.node, item.offset, 0, item.node.bytes(), &mut blocks);
            }
            return blocks.finish();
        }
        let mut starts = Vec::with_capacity(items.len() + 1);
        let mut position = 0;
        for item in &items {
            starts.push(position);
            position += item.node.bytes();
        }
        starts.push(position);
        Placed {
            offset: 0,
            node: Rc::new(Node::Sequence {
                items: items.into(),
                starts: starts.into(),
            }),
        }
    }
}

/// Collects blocks and joins those that touch.
#[derive(Default)]
pub struct Merge {
    blocks: Vec<(i64, u64)>,
}

impl Visitor for Merge {
    fn block(&mut self, offset: i64, bytes: u64) {
        if bytes == 0 {
            return;
        }
        if let Some((start, length)) = self.blocks.last_mut()
            && start.checked_add_unsigned(*length) == Some(offset)
        {
            *length += bytes;
            return;
        }
        self.blocks.push((offset, bytes));
    }
}

impl Merge {
    pub fn finish(self) -> Placed {
        let blocks = self.blocks;
        let Some(&(first, bytes)) = blocks.first() else {
            return Placed::empty();
        };
        if blocks.len() == 1 {
            return Placed::block(first, bytes);
        }
        if blocks.iter().any(|block| block.1 != bytes) {
            if let Some(pieces) = equal_pieces(&blocks) {
                return pieces;
            }
            let mut position = 0;
            let mut starts = Vec::with_capacity(blocks.len() + 1);
            starts.push(0);
            for block in &blocks {
                position += block.1;
                starts.push(position);
            }
            return Placed {
                offset: 0,
                node: Rc::new(Node::List {
                    offsets: blocks.iter().map(|block| block.0).collect(),
                    starts: starts.into(),
                }),
            };
        }
        let stride = blocks[1].0.wrapping_sub(first);
        let regular = blocks
            .windows(2)
            .all(|pair| pair[1].0.checked_sub(pair[0].0) == Some(stride));
        if regular {
            return Placed {
                offset: first,
                node: Rc::new(Node::Strided {
                    count: blocks.len() as u64,
                    stride,
                    bytes,
                }),
            };
        }
        Placed {
            offset: 0,
            node: Rc::new(Node::Equal {
                bytes,
                offsets: blocks.iter().map(|block| block.0).collect(),
            }),
        }
    }
}

/// Blocks of different sizes, cut into pieces of one size, if these are not much more.
/// A piece of some bytes takes about a third of the time of a block.
fn equal_pieces(blocks: &[(i64, u64)]) -> Option<Placed> {
    let divisor = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let bytes = blocks.iter().fold(0, |all, block| divisor(all, block.1));
    let pieces = blocks.iter().map(|block| block.1 / bytes).sum::<u64>();
    if !(4..=LARGEST_PIECE).contains(&bytes) || pieces > 2 * blocks.len() as u64 {
        return None;
    }
    let offsets = blocks.iter().flat_map(|(offset, length)| {
        (0..length / bytes).map(|piece| offset.wrapping_add((piece * bytes) as i64))
    });
    Some(Placed {
        offset: 0,
        node: Rc::new(Node::Equal {
            bytes,
            offsets: offsets.collect(),
        }),
    })
}

/// Shows `visitor` `count` whole copies of `body`, `stride` apart, the first at `origin`.
fn walk_copies<V: Visitor>(body: &Node, origin: i64, stride: i64, count: u64, visitor: &mut V) {
    if let Some(columns) = Columns::of(body, stride, count) {
        let list = &columns.list[..columns.length];
        return visitor.columns(origin, stride, body.bytes(), count, list);
    }
    for index in 0..count {
        let at = origin.wrapping_add(stride.wrapping_mul(index as i64));
        walk_all(body, at, visitor);
    }
}

/// Shows `visitor` all of `node` placed at `origin`.
fn walk_all<V: Visitor>(node: &Node, origin: i64, visitor: &mut V) {
    match node {
        Node::Block { bytes } => visitor.block(origin, *bytes),
        Node::Strided {
            count,
            stride,
            bytes,
        } => visitor.strided(origin, *stride, *bytes, *count),
        Node::Equal { bytes, offsets } => visitor.equal(origin, offsets, *bytes),
        Node::List { offsets, starts } => visitor.list(origin, offsets, starts),
        Node::Repeat {
            count,
            stride,
            body,
            ..
        } => walk_copies(body, origin, *stride, *count, visitor),
        Node::Sequence { items, .. } => {
            for item in items {
                walk_all(&item.node, origin.wrapping_add(item.offset), visitor);
            }
        }
    }
}

/// Shows `visitor` the packed bytes `from .. from + limit` of `node` placed at `origin`.
///
/// `from + limit` must not exceed the node's packed size.
pub fn walk<V: Visitor>(node: &Node, origin: i64, from: u64, limit: u64, visitor: &mut V) {
    if limit == 0 {
        return;
    }
    if from == 0 && limit == node.bytes() {
        return walk_all(node, origin, visitor);
    }
    match node {
        Node::Block { .. } => visitor.block(origin.wrapping_add(from as i64), limit),
        Node::Strided { stride, bytes, .. } => {
            let at = |index: u64| origin.wrapping_add(stride.wrapping_mul(index as i64));
            let uneven = Uneven::new(*bytes, from, limit);
            if let Some((index, skip, part)) = uneven.head {
                visitor.block(at(index).wrapping_add(skip as i64), part);
            }
            if uneven.whole > 0 {
                visitor.strided(at(uneven.first), *stride, *bytes, uneven.whole);
            }
            if uneven.tail > 0 {
                visitor.block(at(uneven.first + uneven.whole), uneven.tail);
            }
        }
        Node::Equal { bytes, offsets } => {
            let at = |index: u64| origin.wrapping_add(offsets[index as usize]);
            let uneven = Uneven::new(*bytes, from, limit);
            if let Some((index, skip, part)) = uneven.head {
                visitor.block(at(index).wrapping_add(skip as i64), part);
            }
            if uneven.whole > 0 {
                let end = (uneven.first + uneven.whole) as usize;
                visitor.equal(origin, &offsets[uneven.first as usize..end], *bytes);
            }
            if uneven.tail > 0 {
                visitor.block(at(uneven.first + uneven.whole), uneven.tail);
            }
        }
        Node::Repeat {
            stride, each, body, ..
        } => {
            let at = |index: u64| origin.wrapping_add(stride.wrapping_mul(index as i64));
            let uneven = Uneven::new(*each, from, limit);
            if let Some((index, skip, part)) = uneven.head {
                walk(body, at(index), skip, part, visitor);
            }
            walk_copies(body, at(uneven.first), *stride, uneven.whole, visitor);
            if uneven.tail > 0 {
                let last = at(uneven.first + uneven.whole);
                walk(body, last, 0, uneven.tail, visitor);
            }
        }
        Node::List { offsets, starts } => each_part(starts, from, limit, |index, skip, part| {
            let offset = origin.wrapping_add(offsets[index]);
            visitor.block(offset.wrapping_add(skip as i64), part);
        }),
        Node::Sequence { items, starts } => each_part(starts, from, limit, |index, skip, part| {
            let item = &items[index];
            let offset = origin.wrapping_add(item.offset);
            walk(&item.node, offset, skip, part, visitor);
        }),
    }
}

/// How a packed range falls on equal pieces: part of a first one, whole ones, part of a last one.
struct Uneven {
    /// Index, bytes to skip in it, bytes to take.
    head: Option<(u64, u64, u64)>,
    first: u64,
    whole: u64,
    tail: u64,
}

impl Uneven {
    fn new(each: u64, from: u64, limit: u64) -> Uneven {
        let index = from / each;
        let skip = from % each;
        let mut rest = limit;
        let head = (skip > 0).then(|| {
            let part = rest.min(each - skip);
            rest -= part;
            (index, skip, part)
        });
        Uneven {
            head,
            first: index + u64::from(skip > 0),
            whole: rest / each,
            tail: rest % each,
        }
    }
}

/// Calls `part(index, skip, bytes)` for every piece of the packed range.
fn each_part(starts: &[u64], from: u64, limit: u64, mut part: impl FnMut(usize, u64, u64)) {
    let mut index = if from == 0 {
        0
    } else {
        starts.partition_point(|start| *start <= from) - 1
    };
    let mut position = from;
    let end = from + limit;
    while position < end {
        let stop = starts[index + 1].min(end);
        part(index, position - starts[index], stop - position);
        position = stop;
        index += 1;
    }
}

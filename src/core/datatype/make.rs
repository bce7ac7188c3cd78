//! The constructors of derived datatypes (MPI-5.0, 5.1.2 and 5.1.7), without arrays (see `array`).
//!
//! Arguments are checked here, with the standard's argument names; every product and sum of counts,
//! extents and displacements is checked for overflow. Displacements in bytes unless said otherwise.

use std::rc::Rc;

use super::basic::Layout;
use super::contents::{Argument, Contents};
use super::program::{Merge, Node, Visitor};
use super::shape::{Shape, times};
use super::signature::Signature;
use super::{Draft, Origin, Type};
use crate::error::Result;
use crate::fail;
use crate::types::Combiner;

use Argument::{Address, Count};

impl Draft {
    pub(super) fn of_layout(layout: Layout) -> Draft {
        let basic = |basic: super::basic::Basic| {
            let size = u64::from(basic.size);
            Draft {
                shape: Shape::block(size, u64::from(basic.align)),
                program: super::program::Placed::block(0, size),
                signature: Signature::run(basic, 1),
            }
        };
        match layout {
            Layout::One(element) => basic(element),
            Layout::Pair(value, index) => {
                let offset = u64::from(value.size).next_multiple_of(u64::from(index.align)) as i64;
                let moved = basic(index).repeat(1, 0, offset);
                let both = moved.and_then(|index| Draft::sequence(vec![basic(value), index]));
                let mut draft = both.expect("a pair is small");
                draft.shape = draft.shape.padded().expect("a pair is small");
                draft
            }
            Layout::LowerMark => Draft {
                shape: Shape {
                    low_mark: Some(0),
                    ..Shape::EMPTY
                },
                ..Draft::empty()
            },
            Layout::UpperMark => Draft {
                shape: Shape {
                    high_mark: Some(0),
                    ..Shape::EMPTY
                },
                ..Draft::empty()
            },
        }
    }

    /// `blocks` of (displacement, elements) of `old`, in order.
    fn blocks(blocks: impl Iterator<Item = (i64, u64)> + Clone, old: &Draft) -> Result<Draft> {
        let extent = old.shape.extent();
        let bytes = match *old.program.node {
            Node::Block { bytes } if bytes as i64 == extent => Some(bytes),
            _ => None,
        };
        let Some(bytes) = bytes else {
            let drafts: Result<Vec<Draft>> = blocks
                .map(|(displacement, elements)| old.repeat(elements, extent, displacement))
                .collect();
            return Draft::sequence(drafts?);
        };
        // Whole blocks: the list can be large, so no draft is made for each entry.
        let mut merge = Merge::default();
        let mut shape = Shape::EMPTY;
        let mut total = 0;
        for (displacement, elements) in blocks {
            shape = shape.join(&old.shape.repeat(elements, extent, displacement)?)?;
            total += elements;
            let offset = displacement.wrapping_add(old.program.offset);
            merge.block(offset, bytes * elements);
        }
        Ok(Draft {
            shape,
            program: merge.finish(),
            signature: Signature::repeat(&old.signature, total),
        })
    }
}

/// A count that must not be negative.
fn natural(name: &str, value: i64) -> Result<u64> {
    match u64::try_from(value) {
        Ok(value) => Ok(value),
        Err(_) => fail!(COUNT, "{name} is {value}, expected a value >= 0"),
    }
}

fn naturals(name: &str, values: &[i64]) -> Result<()> {
    match values.iter().position(|value| *value < 0) {
        None => Ok(()),
        Some(index) => fail!(
            ARG,
            "{name}[{index}] is {}, expected a value >= 0",
            values[index]
        ),
    }
}

fn same_length(name: &str, values: usize, count: i64) -> Result<()> {
    if u64::try_from(count).is_ok_and(|count| count != values as u64) {
        fail!(ARG, "{name} has {values} entries, expected {count}");
    }
    Ok(())
}

/// `MPI_Type_contiguous`.
///
/// # Errors
/// Of all constructors: `MPI_ERR_COUNT` for a negative count, `MPI_ERR_ARG` for another bad argument,
/// `MPI_ERR_VALUE_TOO_LARGE` when size or bounds overflow 63 bits.
pub fn contiguous(count: i64, old: &Rc<Type>) -> Result<Type> {
    let elements = natural("count", count)?;
    let draft = old.draft.repeat(elements, old.extent(), 0)?;
    Ok(Type::derived(
        draft,
        Contents::new(Combiner::CONTIGUOUS, vec![Count(count)], vec![old.clone()]),
    ))
}

fn strided(count: i64, blocklength: i64, stride: i64, old: &Type) -> Result<Draft> {
    let count = natural("count", count)?;
    let elements = natural("blocklength", blocklength)?;
    let block = old.draft.repeat(elements, old.extent(), 0)?;
    block.repeat(count, stride, 0)
}

/// `MPI_Type_vector`; `stride` in elements of `old`.
pub fn vector(count: i64, blocklength: i64, stride: i64, old: &Rc<Type>) -> Result<Type> {
    let bytes = if count > 1 {
        times(stride, old.extent())?
    } else {
        0
    };
    let draft = strided(count, blocklength, bytes, old)?;
    Ok(Type::derived(
        draft,
        Contents::new(
            Combiner::VECTOR,
            vec![Count(count), Count(blocklength), Count(stride)],
            vec![old.clone()],
        ),
    ))
}

/// `MPI_Type_create_hvector`; `stride` in bytes.
pub fn hvector(count: i64, blocklength: i64, stride: i64, old: &Rc<Type>) -> Result<Type> {
    let draft = strided(count, blocklength, stride, old)?;
    Ok(Type::derived(
        draft,
        Contents::new(
            Combiner::HVECTOR,
            vec![Count(count), Count(blocklength), Address(stride)],
            vec![old.clone()],
        ),
    ))
}

/// Displacements in elements as displacements in bytes; those of empty blocks do not matter.
fn scaled(displacements: &[i64], lengths: impl Fn(usize) -> i64, old: &Type) -> Result<Vec<i64>> {
    let extent = old.extent();
    let scale = |(index, displacement): (usize, &i64)| {
        if lengths(index) == 0 {
            Ok(0)
        } else {
            times(*displacement, extent)
        }
    };
    displacements.iter().enumerate().map(scale).collect()
}

/// Pairs of (displacement, elements); empty blocks are no part of the type map.
fn pairs<'a>(
    displacements: &'a [i64],
    lengths: &'a [i64],
) -> impl Iterator<Item = (i64, u64)> + Clone + 'a {
    displacements
        .iter()
        .zip(lengths)
        .filter(|(_, length)| **length > 0)
        .map(|(displacement, length)| (*displacement, *length as u64))
}

fn list(count: i64, values: &[&[i64]], kind: fn(i64) -> Argument) -> Vec<Argument> {
    let mut arguments = vec![Count(count)];
    let (displacements, lengths) = values.split_last().expect("displacements come last");
    arguments.extend(
        lengths
            .iter()
            .flat_map(|list| list.iter().copied().map(Count)),
    );
    arguments.extend(displacements.iter().copied().map(kind));
    arguments
}

fn check_lists(count: i64, lengths: &[i64], displacements: &[i64]) -> Result<()> {
    natural("count", count)?;
    same_length("array_of_blocklengths", lengths.len(), count)?;
    same_length("array_of_displacements", displacements.len(), count)?;
    naturals("array_of_blocklengths", lengths)
}

/// `MPI_Type_indexed`; displacements in elements of `old`.
pub fn indexed(count: i64, lengths: &[i64], displacements: &[i64], old: &Rc<Type>) -> Result<Type> {
    check_lists(count, lengths, displacements)?;
    let bytes = scaled(displacements, |index| lengths[index], old)?;
    let draft = Draft::blocks(pairs(&bytes, lengths), &old.draft)?;
    let arguments = list(count, &[lengths, displacements], Count);
    Ok(Type::derived(
        draft,
        Contents::new(Combiner::INDEXED, arguments, vec![old.clone()]),
    ))
}

/// `MPI_Type_create_hindexed`; displacements in bytes.
pub fn hindexed(
    count: i64,
    lengths: &[i64],
    displacements: &[i64],
    old: &Rc<Type>,
) -> Result<Type> {
    check_lists(count, lengths, displacements)?;
    let draft = Draft::blocks(pairs(displacements, lengths), &old.draft)?;
    let arguments = list(count, &[lengths, displacements], Address);
    Ok(Type::derived(
        draft,
        Contents::new(Combiner::HINDEXED, arguments, vec![old.clone()]),
    ))
}

fn equal_blocks(length: i64, displacements: &[i64], old: &Type) -> Result<Draft> {
    let elements = length as u64;
    let blocks = displacements.iter().map(|at| (*at, elements));
    Draft::blocks(blocks.filter(|block| block.1 > 0), &old.draft)
}

/// `MPI_Type_create_indexed_block`; displacements in elements of `old`.
pub fn indexed_block(
    count: i64,
    length: i64,
    displacements: &[i64],
    old: &Rc<Type>,
) -> Result<Type> {
    natural("count", count)?;
    natural("blocklength", length)?;
    same_length("array_of_displacements", displacements.len(), count)?;
    let bytes = scaled(displacements, |_| length, old)?;
    let draft = equal_blocks(length, &bytes, old)?;
    let arguments = list(count, &[&[length], displacements], Count);
    Ok(Type::derived(
        draft,
        Contents::new(Combiner::INDEXED_BLOCK, arguments, vec![old.clone()]),
    ))
}

/// `MPI_Type_create_hindexed_block`; displacements in bytes.
pub fn hindexed_block(
    count: i64,
    length: i64,
    displacements: &[i64],
    old: &Rc<Type>,
) -> Result<Type> {
    natural("count", count)?;
    natural("blocklength", length)?;
    same_length("array_of_displacements", displacements.len(), count)?;
    let draft = equal_blocks(length, displacements, old)?;
    let arguments = list(count, &[&[length], displacements], Address);
    Ok(Type::derived(
        draft,
        Contents::new(Combiner::HINDEXED_BLOCK, arguments, vec![old.clone()]),
    ))
}

/// `MPI_Type_create_struct`; displacements in bytes. Without markers its end is padded to the
/// strictest alignment of its members (MPI-5.0, 5.1.6).
pub fn structure(
    count: i64,
    lengths: &[i64],
    displacements: &[i64],
    types: &[Rc<Type>],
) -> Result<Type> {
    check_lists(count, lengths, displacements)?;
    same_length("array_of_types", types.len(), count)?;
    let mut members = Vec::with_capacity(types.len());
    for ((displacement, elements), old) in displacements.iter().zip(lengths).zip(types) {
        if *elements > 0 {
            let elements = *elements as u64;
            members.push(old.draft.repeat(elements, old.extent(), *displacement)?);
        }
    }
    let mut draft = Draft::sequence(members)?;
    draft.shape = draft.shape.padded()?;
    let arguments = list(count, &[lengths, displacements], Address);
    Ok(Type::derived(
        draft,
        Contents::new(Combiner::STRUCT, arguments, types.to_vec()),
    ))
}

/// `MPI_Type_create_resized`.
pub fn resized(old: &Rc<Type>, lb: i64, extent: i64) -> Result<Type> {
    let draft = old.draft.clone().resized(lb, extent)?;
    Ok(Type::derived(
        draft,
        Contents::new(
            Combiner::RESIZED,
            vec![Address(lb), Address(extent)],
            vec![old.clone()],
        ),
    ))
}

/// `MPI_Type_dup`: equal, and committed if `old` is.
pub fn dup(old: &Rc<Type>) -> Type {
    let contents = Contents::new(Combiner::DUP, Vec::new(), vec![old.clone()]);
    let origin = Origin::Derived(Rc::new(contents));
    let new = Type::new(old.draft.clone(), old.layout, origin, "");
    new.committed.set(old.committed());
    new
}

//! Subarrays and distributed arrays (MPI-5.0, 5.1.3 and 5.1.4).
//!
//! Both are nested strides over the dimensions, from the one that varies fastest to the slowest, with
//! the bounds of the whole array.

use std::rc::Rc;

use super::contents::{Argument, Contents};
use super::shape::times;
use super::{Draft, Type};
use crate::error::Result;
use crate::fail;
use crate::types::{ArrayOrder, Combiner, Distribution, DistributionArg};

use Argument::{Count, DistributionArgument, Integer, Order};

/// Dimensions from the fastest to the slowest.
fn by_speed(order: ArrayOrder, ndims: usize) -> Result<Vec<usize>> {
    match order {
        ArrayOrder::C => Ok((0..ndims).rev().collect()),
        ArrayOrder::FORTRAN => Ok((0..ndims).collect()),
        _ => fail!(
            ARG,
            "order is {}, expected MPI_ORDER_C or MPI_ORDER_FORTRAN",
            order.0
        ),
    }
}

fn check_dims(ndims: i32, arrays: &[(&str, usize)]) -> Result<usize> {
    if ndims < 1 {
        fail!(ARG, "ndims is {ndims}, expected a value >= 1");
    }
    let ndims = ndims as usize;
    for (name, length) in arrays {
        if *length != ndims {
            fail!(ARG, "{name} has {length} entries, expected {ndims}");
        }
    }
    Ok(ndims)
}

/// `MPI_Type_create_subarray`.
///
/// # Errors
/// `MPI_ERR_ARG` for `ndims` < 1, and for sizes or starts that do not fit into the array.
pub fn subarray(
    ndims: i32,
    sizes: &[i64],
    subsizes: &[i64],
    starts: &[i64],
    order: ArrayOrder,
    old: &Rc<Type>,
) -> Result<Type> {
    let lengths = [
        ("array_of_sizes", sizes.len()),
        ("array_of_subsizes", subsizes.len()),
        ("array_of_starts", starts.len()),
    ];
    let dims = check_dims(ndims, &lengths)?;
    for dim in 0..dims {
        let (size, subsize, start) = (sizes[dim], subsizes[dim], starts[dim]);
        if size < 1 {
            fail!(
                ARG,
                "array_of_sizes[{dim}] is {size}, expected a value >= 1"
            );
        }
        if subsize < 1 || subsize > size {
            fail!(
                ARG,
                "array_of_subsizes[{dim}] is {subsize}, expected 1 to array_of_sizes[{dim}] = {size}"
            );
        }
        if start < 0 || start > size - subsize {
            fail!(
                ARG,
                "array_of_starts[{dim}] is {start}, expected 0 to {} (size {size} less subsize {subsize})",
                size - subsize
            );
        }
    }
    let mut draft = old.draft.clone();
    let mut stride = old.extent();
    for dim in by_speed(order, dims)? {
        draft = draft.repeat(subsizes[dim] as u64, stride, times(starts[dim], stride)?)?;
        stride = times(stride, sizes[dim])?;
    }
    let draft = draft.resized(0, stride)?;
    let mut arguments = vec![Integer(ndims)];
    for list in [sizes, subsizes, starts] {
        arguments.extend(list.iter().copied().map(Count));
    }
    arguments.push(Order(order));
    Ok(Type::derived(
        draft,
        Contents::new(Combiner::SUBARRAY, arguments, vec![old.clone()]),
    ))
}

/// How one dimension is dealt out.
struct Deal {
    size: i64,
    processes: i64,
    coordinate: i64,
    /// Consecutive indices that go to one process.
    block: i64,
}

impl Deal {
    fn new(
        dim: usize,
        size: i64,
        distribution: Distribution,
        argument: DistributionArg,
        processes: i32,
        coordinate: i64,
    ) -> Result<Deal> {
        let processes = i64::from(processes);
        let block = match (distribution, argument) {
            (Distribution::NONE, _) if processes == 1 => size,
            (Distribution::NONE, _) => fail!(
                ARG,
                "array_of_psizes[{dim}] is {processes}, expected 1 with MPI_DISTRIBUTE_NONE"
            ),
            (Distribution::BLOCK, DistributionArg::Default) => (size - 1) / processes + 1,
            (Distribution::CYCLIC, DistributionArg::Default) => 1,
            (Distribution::BLOCK | Distribution::CYCLIC, DistributionArg::Size(block))
                if block < 1 =>
            {
                fail!(
                    ARG,
                    "array_of_dargs[{dim}] is {block}, expected a value >= 1 or MPI_DISTRIBUTE_DFLT_DARG"
                )
            }
            (Distribution::BLOCK, DistributionArg::Size(block))
                if i64::from(block).saturating_mul(processes) < size =>
            {
                fail!(
                    ARG,
                    "array_of_dargs[{dim}] is {block}: {processes} blocks of that size do not hold the {size} of array_of_gsizes[{dim}]"
                )
            }
            (Distribution::BLOCK | Distribution::CYCLIC, DistributionArg::Size(block)) => {
                block.into()
            }
            _ => fail!(
                ARG,
                "array_of_distribs[{dim}] is {}, expected MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC or MPI_DISTRIBUTE_NONE",
                distribution.0
            ),
        };
        Ok(Deal {
            size,
            processes,
            coordinate,
            block,
        })
    }

    /// This process's part of the dimension, `stride` bytes between neighbouring indices.
    fn part(&self, inner: &Draft, stride: i64) -> Result<Draft> {
        let round = self.block.saturating_mul(self.processes);
        let first = self.block.saturating_mul(self.coordinate);
        if first >= self.size {
            return Ok(Draft::empty());
        }
        let whole = (self.size - first) / round;
        let over = (self.size - first) % round;
        // A last block may be whole as well, or be cut off by the array's end.
        let (whole, rest) = if over >= self.block {
            (whole + 1, 0)
        } else {
            (whole, over)
        };
        let start = times(first, stride)?;
        let mut parts = Vec::new();
        if whole > 0 {
            let block = inner.repeat(self.block as u64, stride, 0)?;
            let step = if whole > 1 { times(round, stride)? } else { 0 };
            parts.push(block.repeat(whole as u64, step, start)?);
        }
        if rest > 0 {
            let start = times(first + whole * round, stride)?;
            parts.push(inner.repeat(rest as u64, stride, start)?);
        }
        Draft::sequence(parts)
    }
}

/// `MPI_Type_create_darray`; the process grid is numbered in C order whatever `order` is.
///
/// # Errors
/// `MPI_ERR_RANK` for `rank`, `MPI_ERR_ARG` for the rest.
#[allow(clippy::too_many_arguments)] // The standard's argument list.
pub fn darray(
    size: i32,
    rank: i32,
    ndims: i32,
    gsizes: &[i64],
    distribs: &[Distribution],
    dargs: &[DistributionArg],
    psizes: &[i32],
    order: ArrayOrder,
    old: &Rc<Type>,
) -> Result<Type> {
    let lengths = [
        ("array_of_gsizes", gsizes.len()),
        ("array_of_distribs", distribs.len()),
        ("array_of_dargs", dargs.len()),
        ("array_of_psizes", psizes.len()),
    ];
    let dims = check_dims(ndims, &lengths)?;
    if size < 1 {
        fail!(ARG, "size is {size}, expected a value >= 1");
    }
    if rank < 0 || rank >= size {
        fail!(RANK, "rank is {rank}, expected 0 to {}", size - 1);
    }
    let mut grid: i64 = 1;
    for dim in 0..dims {
        if gsizes[dim] < 1 {
            fail!(
                ARG,
                "array_of_gsizes[{dim}] is {}, expected a value >= 1",
                gsizes[dim]
            );
        }
        if psizes[dim] < 1 {
            fail!(
                ARG,
                "array_of_psizes[{dim}] is {}, expected a value >= 1",
                psizes[dim]
            );
        }
        grid = grid.saturating_mul(psizes[dim].into());
    }
    if grid != i64::from(size) {
        fail!(
            ARG,
            "size is {size}, but the entries of array_of_psizes multiply to {grid}"
        );
    }
    let mut deals = Vec::with_capacity(dims);
    let (mut left, mut place) = (i64::from(size), i64::from(rank));
    for dim in 0..dims {
        left /= i64::from(psizes[dim]);
        let coordinate = place / left;
        place %= left;
        deals.push(Deal::new(
            dim,
            gsizes[dim],
            distribs[dim],
            dargs[dim],
            psizes[dim],
            coordinate,
        )?);
    }
    let mut draft = old.draft.clone();
    let mut stride = old.extent();
    for dim in by_speed(order, dims)? {
        draft = deals[dim].part(&draft, stride)?;
        stride = times(stride, gsizes[dim])?;
    }
    let draft = draft.resized(0, stride)?;
    let mut arguments = vec![Integer(size), Integer(rank), Integer(ndims)];
    arguments.extend(gsizes.iter().copied().map(Count));
    arguments.extend(distribs.iter().copied().map(Argument::Distribution));
    arguments.extend(dargs.iter().copied().map(DistributionArgument));
    arguments.extend(psizes.iter().copied().map(Integer));
    arguments.push(Order(order));
    Ok(Type::derived(
        draft,
        Contents::new(Combiner::DARRAY, arguments, vec![old.clone()]),
    ))
}

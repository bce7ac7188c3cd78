//! Groups: one function per MPI operation (MPI-5.0, 7.3).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::rc::Rc;

use crate::api::prelude::*;
use crate::group::{Members, sets};
use crate::{fail, session};

/// Hands out a group that a call has made.
fn give(mpi: &Mpi, members: Members, newgroup: Out<Group>) -> Result<()> {
    newgroup.set(mpi.groups.give(Rc::new(members))?);
    Ok(())
}

/// The members of two groups of one session.
fn both(mpi: &Mpi, group1: Group, group2: Group) -> Result<(Rc<Members>, Rc<Members>)> {
    let (first, second) = (mpi.groups.find(group1)?, mpi.groups.find(group2)?);
    session::require_one_of([&first, &second])?;
    Ok((first, second))
}

/// The length of a list.
fn length(n: i32) -> Result<usize> {
    match usize::try_from(n) {
        Ok(length) => Ok(length),
        Err(_) => fail!(ARG, "n = {n}: a number of at least 0 was expected"),
    }
}

fn list(n: i32, ranks: &Ranks) -> Result<Vec<Rank>> {
    let length = length(n)?;
    ranks.require(length)?;
    Ok(ranks.iter(length).collect())
}

fn triplets(n: i32, ranges: &Ranges) -> Result<Vec<[i32; 3]>> {
    let length = length(n)?;
    ranges.require(length)?;
    Ok((0..length).map(|index| ranges.get(index)).collect())
}

/// Compares two groups: `IDENT`, `SIMILAR` (another order) or `UNEQUAL`. (MPI-5.0, 7.3.1)
///
/// # Errors
/// `MPI_ERR_GROUP`: no live group. `MPI_ERR_SESSION`: groups of different sessions.
pub fn group_compare(
    mpi: &Mpi,
    group1: Group,
    group2: Group,
    result: Out<Comparison>,
) -> Result<()> {
    let (first, second) = both(mpi, group1, group2)?;
    result.set(sets::compare(&first, &second));
    Ok(())
}

/// The processes of the first group that are not in the second. (MPI-5.0, 7.3.2)
///
/// # Errors
/// `MPI_ERR_GROUP`: no live group. `MPI_ERR_SESSION`: groups of different sessions.
pub fn group_difference(
    mpi: &Mpi,
    group1: Group,
    group2: Group,
    newgroup: Out<Group>,
) -> Result<()> {
    let (first, second) = both(mpi, group1, group2)?;
    give(mpi, sets::difference(&first, &second), newgroup)
}

/// A group without some of its ranks. (MPI-5.0, 7.3.2)
///
/// # Errors
/// `MPI_ERR_RANK`: no rank of the group, or given twice. `MPI_ERR_ARG`: a negative `n`.
pub fn group_excl(
    mpi: &Mpi,
    group: Group,
    n: i32,
    ranks: Ranks,
    newgroup: Out<Group>,
) -> Result<()> {
    let group = mpi.groups.find(group)?;
    give(mpi, sets::excl(&group, &list(n, &ranks)?)?, newgroup)
}

/// Gives up a handle; the group lives on where it is used. (MPI-5.0, 7.3.3)
///
/// # Errors
/// `MPI_ERR_GROUP`: no live group.
pub fn group_free(mpi: &Mpi, group: InOut<Group>) -> Result<()> {
    mpi.groups.free(group.get())?;
    group.set(Group::NULL);
    Ok(())
}

/// The processes with some of a group's ranks, in the given order. (MPI-5.0, 7.3.2)
///
/// # Errors
/// `MPI_ERR_RANK`: no rank of the group, or given twice. `MPI_ERR_ARG`: a negative `n`.
pub fn group_incl(
    mpi: &Mpi,
    group: Group,
    n: i32,
    ranks: Ranks,
    newgroup: Out<Group>,
) -> Result<()> {
    let group = mpi.groups.find(group)?;
    give(mpi, sets::incl(&group, &list(n, &ranks)?)?, newgroup)
}

/// The processes of the first group that are also in the second. (MPI-5.0, 7.3.2)
///
/// # Errors
/// `MPI_ERR_GROUP`: no live group. `MPI_ERR_SESSION`: groups of different sessions.
pub fn group_intersection(
    mpi: &Mpi,
    group1: Group,
    group2: Group,
    newgroup: Out<Group>,
) -> Result<()> {
    let (first, second) = both(mpi, group1, group2)?;
    give(mpi, sets::intersection(&first, &second), newgroup)
}

/// A group without ranges of its ranks. (MPI-5.0, 7.3.2)
///
/// # Errors
/// `MPI_ERR_ARG`: a negative `n`, or a range that is wrong.
pub fn group_range_excl(
    mpi: &Mpi,
    group: Group,
    n: i32,
    ranges: Ranges,
    newgroup: Out<Group>,
) -> Result<()> {
    let group = mpi.groups.find(group)?;
    give(
        mpi,
        sets::range_excl(&group, &triplets(n, &ranges)?)?,
        newgroup,
    )
}

/// The processes with ranges of a group's ranks. (MPI-5.0, 7.3.2)
///
/// # Errors
/// `MPI_ERR_ARG`: a negative `n`, or a range that is wrong.
pub fn group_range_incl(
    mpi: &Mpi,
    group: Group,
    n: i32,
    ranges: Ranges,
    newgroup: Out<Group>,
) -> Result<()> {
    let group = mpi.groups.find(group)?;
    give(
        mpi,
        sets::range_incl(&group, &triplets(n, &ranges)?)?,
        newgroup,
    )
}

/// The calling process's rank in a group, or `UNDEFINED`. (MPI-5.0, 7.3.1)
///
/// # Errors
/// `MPI_ERR_GROUP`: no live group.
pub fn group_rank(mpi: &Mpi, group: Group, rank: Out<Rank>) -> Result<()> {
    let members = mpi.groups.find(group)?;
    let mine = members.rank_of(mpi.engine().me);
    rank.set(mine.map_or(Rank::UNDEFINED, |mine| Rank(mine as i32)));
    Ok(())
}

/// Number of processes in a group. (MPI-5.0, 7.3.1)
///
/// # Errors
/// `MPI_ERR_GROUP`: no live group.
pub fn group_size(mpi: &Mpi, group: Group, size: Out<i32>) -> Result<()> {
    size.set(mpi.groups.find(group)?.len() as i32);
    Ok(())
}

/// The ranks that processes of one group have in another; `UNDEFINED` for those without, `PROC_NULL`
/// for itself. (MPI-5.0, 7.3.1)
///
/// # Errors
/// `MPI_ERR_RANK`: no rank of the first group. `MPI_ERR_ARG`: a negative `n`. `MPI_ERR_SESSION`: groups of
/// different sessions.
pub fn group_translate_ranks(
    mpi: &Mpi,
    group1: Group,
    n: i32,
    ranks1: Ranks,
    group2: Group,
    ranks2: RanksMut,
) -> Result<()> {
    let (from, to) = both(mpi, group1, group2)?;
    let length = length(n)?;
    ranks1.require(length)?;
    ranks2.require(length)?;
    for index in 0..length {
        ranks2.set(
            index,
            sets::translate(&from, index, ranks1.get(index), &to)?,
        );
    }
    Ok(())
}

/// The processes of the first group, then those of the second that are not in it. (MPI-5.0, 7.3.2)
///
/// # Errors
/// `MPI_ERR_GROUP`: no live group. `MPI_ERR_SESSION`: groups of different sessions.
pub fn group_union(mpi: &Mpi, group1: Group, group2: Group, newgroup: Out<Group>) -> Result<()> {
    let (first, second) = both(mpi, group1, group2)?;
    give(mpi, sets::union(&first, &second), newgroup)
}

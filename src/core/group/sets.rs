//! Making groups from groups: set operations, inclusion and exclusion, comparison (MPI-5.0, 7.3).
//!
//! Pure functions over [`Members`]; what they make belongs to the session of the (first) group. Each checks what it is
//! given and says which rank or range is wrong.

use super::Members;
use crate::error::Result;
use crate::fail;
use crate::types::{Comparison, Rank};

/// The first group's processes, then those of the second that are not among them. An empty group belongs to all sessions.
pub fn union(first: &Members, second: &Members) -> Members {
    let more = second.iter().filter(|process| !first.contains(*process));
    let origin = if first.is_empty() { second } else { first };
    Members::new(first.iter().chain(more).collect()).of(origin.session())
}

/// The first group's processes that are also in the second, in the first's order.
pub fn intersection(first: &Members, second: &Members) -> Members {
    Members::new(first.iter().filter(|p| second.contains(*p)).collect()).of(first.session())
}

/// The first group's processes that are not in the second.
pub fn difference(first: &Members, second: &Members) -> Members {
    Members::new(first.iter().filter(|p| !second.contains(*p)).collect()).of(first.session())
}

/// `IDENT`: same processes, same order; `SIMILAR`: same processes; else `UNEQUAL`.
pub fn compare(first: &Members, second: &Members) -> Comparison {
    if first == second {
        Comparison::IDENT
    } else if first.len() == second.len() && first.iter().all(|p| second.contains(p)) {
        Comparison::SIMILAR
    } else {
        Comparison::UNEQUAL
    }
}

/// Checks that `ranks` are distinct ranks of `group`.
///
/// # Errors
/// `MPI_ERR_RANK`.
fn check_ranks(group: &Members, ranks: &[Rank]) -> Result<()> {
    let mut first_use = vec![None; group.len()];
    for (index, rank) in ranks.iter().enumerate() {
        let Some(slot) = usize::try_from(rank.0)
            .ok()
            .and_then(|r| first_use.get_mut(r))
        else {
            fail!(
                RANK,
                "ranks[{index}] = {}: no rank of a group of size {}",
                rank.0,
                group.len()
            );
        };
        if let Some(before) = slot.replace(index) {
            fail!(
                RANK,
                "ranks[{index}] = {} is in the list already (ranks[{before}])",
                rank.0
            );
        }
    }
    Ok(())
}

/// The processes with the given ranks, in the list's order.
///
/// # Errors
/// `MPI_ERR_RANK`: a rank is none of the group's or is given twice.
pub fn incl(group: &Members, ranks: &[Rank]) -> Result<Members> {
    check_ranks(group, ranks)?;
    let processes = ranks.iter().map(|rank| group.proc(rank.0 as usize));
    Ok(Members::new(processes.collect()).of(group.session()))
}

/// The group without the processes of the given ranks.
///
/// # Errors
/// As [`incl`].
pub fn excl(group: &Members, ranks: &[Rank]) -> Result<Members> {
    check_ranks(group, ranks)?;
    let mut keep = vec![true; group.len()];
    for rank in ranks {
        keep[rank.0 as usize] = false;
    }
    let kept = group.iter().zip(keep).filter(|(_, keep)| *keep);
    Ok(Members::new(kept.map(|(process, _)| process).collect()).of(group.session()))
}

/// The ranks that triplets (first, last, stride) stand for.
///
/// # Errors
/// `MPI_ERR_ARG`: a stride of 0 or away from `last`, a rank outside the group, or one given twice.
fn expand(group: &Members, ranges: &[[i32; 3]]) -> Result<Vec<Rank>> {
    let size = group.len() as i64;
    let mut used = vec![false; group.len()];
    let mut ranks = Vec::new();
    for (index, &[first, last, stride]) in ranges.iter().enumerate() {
        let range = format_args!("ranges[{index}] = ({first}, {last}, {stride})");
        if stride == 0 {
            fail!(ARG, "{range}: the stride must not be 0");
        }
        let (from, to, step) = (i64::from(first), i64::from(last), i64::from(stride));
        if !(0..size).contains(&from) {
            fail!(ARG, "{range}: {first} is no rank of a group of size {size}");
        }
        if (to - from).signum() * step.signum() < 0 {
            fail!(ARG, "{range}: the stride leads away from the last rank");
        }
        let end = from + (to - from) / step * step;
        if to < 0 || !(0..size).contains(&end) {
            fail!(ARG, "{range}: {last} is no rank of a group of size {size}");
        }
        let mut rank = from;
        loop {
            if std::mem::replace(&mut used[rank as usize], true) {
                fail!(ARG, "{range}: rank {rank} is in the list already");
            }
            ranks.push(Rank(rank as i32));
            if rank == end {
                break;
            }
            rank += step;
        }
    }
    Ok(ranks)
}

/// As [`incl`], for the ranks that triplets (first, last, stride) stand for.
///
/// # Errors
/// `MPI_ERR_ARG`: a stride of 0 or away from `last`, a rank outside the group, or one given twice.
pub fn range_incl(group: &Members, ranges: &[[i32; 3]]) -> Result<Members> {
    incl(group, &expand(group, ranges)?)
}

/// As [`excl`], for the ranks that triplets (first, last, stride) stand for.
///
/// # Errors
/// As [`range_incl`].
pub fn range_excl(group: &Members, ranges: &[[i32; 3]]) -> Result<Members> {
    excl(group, &expand(group, ranges)?)
}

/// The rank in `to` of the process that has `rank` in `from`; `UNDEFINED` where it has none.
/// `PROC_NULL` stays what it is. `index` is the rank's place in the caller's list, for messages.
///
/// # Errors
/// `MPI_ERR_RANK`: no rank of `from`.
pub fn translate(from: &Members, index: usize, rank: Rank, to: &Members) -> Result<Rank> {
    if rank == Rank::PROC_NULL {
        return Ok(rank);
    }
    if rank.0 < 0 || rank.0 as usize >= from.len() {
        fail!(
            RANK,
            "ranks1[{index}] = {}: no rank of a group of size {}",
            rank.0,
            from.len()
        );
    }
    let there = to.rank_of(from.proc(rank.0 as usize));
    Ok(there.map_or(Rank::UNDEFINED, |rank| Rank(rank as i32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::class;
    use crate::types::ProcId;

    fn group(processes: &[u32]) -> Members {
        Members::new(processes.iter().copied().map(ProcId).collect())
    }

    fn ranks(list: &[i32]) -> Vec<Rank> {
        list.iter().copied().map(Rank).collect()
    }

    #[test]
    fn set_operations_keep_the_order_of_the_standard() {
        let (a, b) = (group(&[5, 1, 3]), group(&[3, 9, 5]));
        assert_eq!(union(&a, &b), group(&[5, 1, 3, 9]));
        assert_eq!(intersection(&a, &b), group(&[5, 3]));
        assert_eq!(intersection(&b, &a), group(&[3, 5]));
        assert_eq!(difference(&a, &b), group(&[1]));
        assert_eq!(compare(&a, &b), Comparison::UNEQUAL);
        assert_eq!(compare(&a, &group(&[1, 3, 5])), Comparison::SIMILAR);
        assert_eq!(compare(&a, &group(&[5, 1, 3])), Comparison::IDENT);
        assert_eq!(compare(&group(&[]), &Members::empty()), Comparison::IDENT);
    }

    #[test]
    fn inclusion_and_exclusion() {
        let g = group(&[10, 11, 12, 13, 14]);
        assert_eq!(incl(&g, &ranks(&[4, 0, 2])).unwrap(), group(&[14, 10, 12]));
        assert_eq!(excl(&g, &ranks(&[4, 0, 2])).unwrap(), group(&[11, 13]));
        for wrong in [&[5][..], &[-1], &[0, 1, 0]] {
            for operation in [incl, excl] {
                let error = operation(&g, &ranks(wrong)).unwrap_err();
                assert_eq!(error.code(), class::RANK, "{wrong:?}");
            }
        }
    }

    #[test]
    fn ranges_follow_the_stride_and_stop_within_it() {
        let g = Members::range(0, 10);
        let taken = range_incl(&g, &[[1, 6, 2], [9, 7, -1], [0, 0, 5]]).unwrap();
        assert_eq!(taken, group(&[1, 3, 5, 9, 8, 7, 0]));
        // 11 is outside, but the last rank that the stride meets is not.
        assert_eq!(range_incl(&g, &[[1, 11, 4]]).unwrap(), group(&[1, 5, 9]));
        assert_eq!(
            range_excl(&g, &[[0, 8, 2]]).unwrap(),
            group(&[1, 3, 5, 7, 9])
        );
        for wrong in [
            [0, 3, 0],
            [10, 11, 1],
            [-1, 3, 1],
            [0, 10, 1],
            [3, 0, 1],
            [0, 3, -1],
            [3, -1, -2],
            [i32::MAX, i32::MIN, -1],
            [0, i32::MAX, i32::MAX],
        ] {
            assert_eq!(
                range_incl(&g, &[wrong]).unwrap_err().code(),
                class::ARG,
                "{wrong:?}"
            );
        }
        let twice = range_excl(&g, &[[0, 4, 2], [4, 5, 1]]).unwrap_err();
        assert!(twice.what().contains("rank 4"), "{twice}");
    }

    #[test]
    fn translation() {
        let (from, to) = (group(&[4, 5, 6]), group(&[6, 4]));
        let moved = |rank| translate(&from, 0, Rank(rank), &to);
        assert_eq!(moved(0).unwrap(), Rank(1));
        assert_eq!(moved(1).unwrap(), Rank::UNDEFINED);
        assert_eq!(moved(2).unwrap(), Rank(0));
        assert_eq!(moved(Rank::PROC_NULL.0).unwrap(), Rank::PROC_NULL);
        assert_eq!(moved(3).unwrap_err().code(), class::RANK);
        assert_eq!(moved(-1).unwrap_err().code(), class::RANK);
    }
}

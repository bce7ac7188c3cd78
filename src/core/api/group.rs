//! Groups: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Group_compare`. (MPI-5.0, chapter 7)
pub fn group_compare(
    _mpi: &Mpi,
    _group1: Group,
    _group2: Group,
    _result: Out<Comparison>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Group_difference`. (MPI-5.0, chapter 7)
pub fn group_difference(
    _mpi: &Mpi,
    _group1: Group,
    _group2: Group,
    _newgroup: Out<Group>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Group_excl`. (MPI-5.0, chapter 7)
pub fn group_excl(
    _mpi: &Mpi,
    _group: Group,
    _n: i32,
    _ranks: Ranks,
    _newgroup: Out<Group>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Group_free`. (MPI-5.0, chapter 7)
pub fn group_free(_mpi: &Mpi, _group: InOut<Group>) -> Result<()> {
    unsupported()
}

/// `MPI_Group_incl`. (MPI-5.0, chapter 7)
pub fn group_incl(
    _mpi: &Mpi,
    _group: Group,
    _n: i32,
    _ranks: Ranks,
    _newgroup: Out<Group>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Group_intersection`. (MPI-5.0, chapter 7)
pub fn group_intersection(
    _mpi: &Mpi,
    _group1: Group,
    _group2: Group,
    _newgroup: Out<Group>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Group_range_excl`. (MPI-5.0, chapter 7)
pub fn group_range_excl(
    _mpi: &Mpi,
    _group: Group,
    _n: i32,
    _ranges: Ranges,
    _newgroup: Out<Group>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Group_range_incl`. (MPI-5.0, chapter 7)
pub fn group_range_incl(
    _mpi: &Mpi,
    _group: Group,
    _n: i32,
    _ranges: Ranges,
    _newgroup: Out<Group>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Group_rank`. (MPI-5.0, chapter 7)
pub fn group_rank(_mpi: &Mpi, _group: Group, _rank: Out<Rank>) -> Result<()> {
    unsupported()
}

/// `MPI_Group_size`. (MPI-5.0, chapter 7)
pub fn group_size(_mpi: &Mpi, _group: Group, _size: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Group_translate_ranks`. (MPI-5.0, chapter 7)
pub fn group_translate_ranks(
    _mpi: &Mpi,
    _group1: Group,
    _n: i32,
    _ranks1: Ranks,
    _group2: Group,
    _ranks2: RanksMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Group_union`. (MPI-5.0, chapter 7)
pub fn group_union(
    _mpi: &Mpi,
    _group1: Group,
    _group2: Group,
    _newgroup: Out<Group>,
) -> Result<()> {
    unsupported()
}

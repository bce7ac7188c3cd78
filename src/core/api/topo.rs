//! Virtual topologies: one function per MPI operation.
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use crate::api::prelude::*;

/// `MPI_Cart_coords`. (MPI-5.0, chapter 8)
pub fn cart_coords(
    _mpi: &Mpi,
    _comm: Comm,
    _rank: Rank,
    _maxdims: i32,
    _coords: IntsMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Cart_create`. (MPI-5.0, chapter 8)
pub fn cart_create(
    _mpi: &Mpi,
    _comm_old: Comm,
    _ndims: i32,
    _dims: Ints,
    _periods: Bools,
    _reorder: bool,
    _comm_cart: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Cart_get`. (MPI-5.0, chapter 8)
pub fn cart_get(
    _mpi: &Mpi,
    _comm: Comm,
    _maxdims: i32,
    _dims: IntsMut,
    _periods: BoolsMut,
    _coords: IntsMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Cart_map`. (MPI-5.0, chapter 8)
pub fn cart_map(
    _mpi: &Mpi,
    _comm: Comm,
    _ndims: i32,
    _dims: Ints,
    _periods: Bools,
    _newrank: Out<Rank>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Cart_rank`. (MPI-5.0, chapter 8)
pub fn cart_rank(_mpi: &Mpi, _comm: Comm, _coords: Ints, _rank: Out<Rank>) -> Result<()> {
    unsupported()
}

/// `MPI_Cart_shift`. (MPI-5.0, chapter 8)
pub fn cart_shift(
    _mpi: &Mpi,
    _comm: Comm,
    _direction: i32,
    _disp: i32,
    _rank_source: Out<Rank>,
    _rank_dest: Out<Rank>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Cart_sub`. (MPI-5.0, chapter 8)
pub fn cart_sub(_mpi: &Mpi, _comm: Comm, _remain_dims: Bools, _newcomm: Out<Comm>) -> Result<()> {
    unsupported()
}

/// `MPI_Cartdim_get`. (MPI-5.0, chapter 8)
pub fn cartdim_get(_mpi: &Mpi, _comm: Comm, _ndims: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Dims_create`. (MPI-5.0, chapter 8)
pub fn dims_create(_mpi: &Mpi, _nnodes: i32, _ndims: i32, _dims: IntsMut) -> Result<()> {
    unsupported()
}

/// `MPI_Dist_graph_create`. (MPI-5.0, chapter 8)
pub fn dist_graph_create(
    _mpi: &Mpi,
    _comm_old: Comm,
    _n: i32,
    _sources: Ranks,
    _degrees: Ints,
    _destinations: Ranks,
    _weights: Weights,
    _info: Info,
    _reorder: bool,
    _comm_dist_graph: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Dist_graph_create_adjacent`. (MPI-5.0, chapter 8)
pub fn dist_graph_create_adjacent(
    _mpi: &Mpi,
    _comm_old: Comm,
    _indegree: i32,
    _sources: Ranks,
    _sourceweights: Weights,
    _outdegree: i32,
    _destinations: Ranks,
    _destweights: Weights,
    _info: Info,
    _reorder: bool,
    _comm_dist_graph: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Dist_graph_neighbors`. (MPI-5.0, chapter 8)
pub fn dist_graph_neighbors(
    _mpi: &Mpi,
    _comm: Comm,
    _maxindegree: i32,
    _sources: RanksMut,
    _sourceweights: WeightsMut,
    _maxoutdegree: i32,
    _destinations: RanksMut,
    _destweights: WeightsMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Dist_graph_neighbors_count`. (MPI-5.0, chapter 8)
pub fn dist_graph_neighbors_count(
    _mpi: &Mpi,
    _comm: Comm,
    _indegree: Out<i32>,
    _outdegree: Out<i32>,
    _weighted: Out<bool>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Graph_create`. (MPI-5.0, chapter 8)
pub fn graph_create(
    _mpi: &Mpi,
    _comm_old: Comm,
    _nnodes: i32,
    _index: Ints,
    _edges: Ranks,
    _reorder: bool,
    _comm_graph: Out<Comm>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Graph_get`. (MPI-5.0, chapter 8)
pub fn graph_get(
    _mpi: &Mpi,
    _comm: Comm,
    _maxindex: i32,
    _maxedges: i32,
    _index: IntsMut,
    _edges: RanksMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Graph_map`. (MPI-5.0, chapter 8)
pub fn graph_map(
    _mpi: &Mpi,
    _comm: Comm,
    _nnodes: i32,
    _index: Ints,
    _edges: Ranks,
    _newrank: Out<Rank>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Graph_neighbors`. (MPI-5.0, chapter 8)
pub fn graph_neighbors(
    _mpi: &Mpi,
    _comm: Comm,
    _rank: Rank,
    _maxneighbors: i32,
    _neighbors: RanksMut,
) -> Result<()> {
    unsupported()
}

/// `MPI_Graph_neighbors_count`. (MPI-5.0, chapter 8)
pub fn graph_neighbors_count(
    _mpi: &Mpi,
    _comm: Comm,
    _rank: Rank,
    _nneighbors: Out<i32>,
) -> Result<()> {
    unsupported()
}

/// `MPI_Graphdims_get`. (MPI-5.0, chapter 8)
pub fn graphdims_get(_mpi: &Mpi, _comm: Comm, _nnodes: Out<i32>, _nedges: Out<i32>) -> Result<()> {
    unsupported()
}

/// `MPI_Topo_test`. (MPI-5.0, chapter 8)
pub fn topo_test(_mpi: &Mpi, _comm: Comm, _status: Out<TopologyKind>) -> Result<()> {
    unsupported()
}

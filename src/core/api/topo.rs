//! Process topologies: one function per MPI operation (MPI-5.0, chapter 8).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI. Ranks are never reordered, which MPI allows.

use std::rc::Rc;

use crate::api::comm::{give, hints};
use crate::api::prelude::*;
use crate::comm::Communicator;
use crate::constructors::make;
use crate::fail;
use crate::topo::{self, Cart, DistGraph, Graph, Neighbours, Topology};

/// A number of elements that an argument announces.
fn length(name: &str, number: i32) -> Result<usize> {
    match usize::try_from(number) {
        Ok(length) => Ok(length),
        Err(_) => fail!(
            ARG,
            "{name} = {number}: a number of at least 0 was expected"
        ),
    }
}

/// # Errors
/// `MPI_ERR_ARG`: the caller's array is too short.
fn room(name: &str, number: i32, needed: usize) -> Result<()> {
    if length(name, number)? < needed {
        fail!(
            ARG,
            "{name} = {number}: {needed} elements are to be returned"
        );
    }
    Ok(())
}

#[cold]
fn no_topology<T>(comm: &Communicator, kind: &str) -> Result<T> {
    fail!(TOPOLOGY, "{} has no {kind} topology", comm.describe())
}

/// # Errors
/// `MPI_ERR_TOPOLOGY`: the communicator has no Cartesian topology.
fn cart(comm: &Communicator) -> Result<&Cart> {
    match comm.topology.as_deref() {
        Some(Topology::Cart(cart)) => Ok(cart),
        _ => no_topology(comm, "Cartesian"),
    }
}

/// # Errors
/// `MPI_ERR_TOPOLOGY`: the communicator has no graph topology.
fn graph(comm: &Communicator) -> Result<&Graph> {
    match comm.topology.as_deref() {
        Some(Topology::Graph(graph)) => Ok(graph),
        _ => no_topology(comm, "graph"),
    }
}

/// # Errors
/// `MPI_ERR_TOPOLOGY`: the communicator has no distributed graph topology.
fn dist_graph(comm: &Communicator) -> Result<&DistGraph> {
    match comm.topology.as_deref() {
        Some(Topology::DistGraph(graph)) => Ok(graph),
        _ => no_topology(comm, "distributed graph"),
    }
}

/// The box that the arguments of a call describe.
fn cart_of(comm: &Communicator, ndims: i32, dims: &Ints, periods: &Bools) -> Result<Cart> {
    comm.require_intra()?;
    let ndims = length("ndims", ndims)?;
    dims.require(ndims)?;
    periods.require(ndims)?;
    let periods: Vec<bool> = periods.iter(ndims).collect();
    Cart::new(dims.slice(ndims), &periods, comm.group.len())
}

/// The graph that the arguments of a call describe.
fn graph_of(comm: &Communicator, nnodes: i32, index: &Ints, edges: &Ranks) -> Result<Graph> {
    comm.require_intra()?;
    let nnodes = length("nnodes", nnodes)?;
    if nnodes > comm.group.len() {
        fail!(
            ARG,
            "nnodes = {nnodes}: {} has only {} processes",
            comm.describe(),
            comm.group.len()
        );
    }
    index.require(nnodes)?;
    let index = index.slice(nnodes);
    edges.require(index.last().map_or(0, |last| (*last).max(0) as usize))?;
    Graph::new(index, |place| edges.get(place))
}

/// Coordinates of a rank. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: not Cartesian. `MPI_ERR_RANK`: no rank of it. `MPI_ERR_ARG`: `maxdims` too small.
pub fn cart_coords(mpi: &Mpi, comm: Comm, rank: Rank, maxdims: i32, coords: IntsMut) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let place = cart(&comm)?.coords(rank)?;
    room("maxdims", maxdims, place.len())?;
    coords.require(place.len())?;
    for (index, coordinate) in place.into_iter().enumerate() {
        coords.set(index, coordinate);
    }
    Ok(())
}

/// A communicator with a Cartesian topology; `MPI_COMM_NULL` for processes that the box does not need.
/// Collective. (MPI-5.0, 8.5.1)
///
/// # Errors
/// `MPI_ERR_DIMS`: an extent is not positive, or the box is too large. `MPI_ERR_ARG`: a negative `ndims`.
pub fn cart_create(
    mpi: &Mpi,
    comm_old: Comm,
    ndims: i32,
    dims: Ints,
    periods: Bools,
    _reorder: bool,
    comm_cart: Out<Comm>,
) -> Result<()> {
    comm_cart.set(Comm::NULL);
    let comm = mpi.comm(comm_old)?;
    let cart = cart_of(&comm, ndims, &dims, &periods)?;
    let inside = (comm.rank as usize) < cart.size();
    let place = inside.then_some((0, comm.rank));
    give(
        comm_cart,
        make::with_topology(mpi, &comm, place, Topology::Cart(cart)),
    )
}

/// Extents, periods and the calling process's coordinates. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: not Cartesian. `MPI_ERR_ARG`: `maxdims` too small.
pub fn cart_get(
    mpi: &Mpi,
    comm: Comm,
    maxdims: i32,
    dims: IntsMut,
    periods: BoolsMut,
    coords: IntsMut,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let cart = cart(&comm)?;
    let ndims = cart.dims().len();
    room("maxdims", maxdims, ndims)?;
    dims.require(ndims)?;
    periods.require(ndims)?;
    coords.require(ndims)?;
    let place = cart.coords(Rank(comm.rank))?;
    for (index, coordinate) in place.into_iter().enumerate() {
        dims.set(index, cart.dims()[index]);
        periods.set(index, cart.periods()[index]);
        coords.set(index, coordinate);
    }
    Ok(())
}

/// The rank that the calling process would have in a Cartesian communicator, or `UNDEFINED`.
/// (MPI-5.0, 8.5.8)
///
/// # Errors
/// As `MPI_Cart_create`.
pub fn cart_map(
    mpi: &Mpi,
    comm: Comm,
    ndims: i32,
    dims: Ints,
    periods: Bools,
    newrank: Out<Rank>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let cart = cart_of(&comm, ndims, &dims, &periods)?;
    let inside = (comm.rank as usize) < cart.size();
    newrank.set(if inside {
        Rank(comm.rank)
    } else {
        Rank::UNDEFINED
    });
    Ok(())
}

/// The rank at a place. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: not Cartesian. `MPI_ERR_ARG`: outside of a dimension that is not periodic.
pub fn cart_rank(mpi: &Mpi, comm: Comm, coords: Ints, rank: Out<Rank>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let cart = cart(&comm)?;
    let ndims = cart.dims().len();
    coords.require(ndims)?;
    rank.set(cart.rank(coords.slice(ndims))?);
    Ok(())
}

/// Whom to receive from and send to when data moves along a dimension; `PROC_NULL` beyond an open
/// border. (MPI-5.0, 8.5.6)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: not Cartesian. `MPI_ERR_ARG`: no such dimension.
pub fn cart_shift(
    mpi: &Mpi,
    comm: Comm,
    direction: i32,
    disp: i32,
    rank_source: Out<Rank>,
    rank_dest: Out<Rank>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let cart = cart(&comm)?;
    let ndims = cart.dims().len();
    let Some(dimension) = usize::try_from(direction).ok().filter(|d| *d < ndims) else {
        fail!(
            ARG,
            "direction = {direction}: one of {ndims} dimensions, counted from 0, was expected"
        );
    };
    let (source, dest) = cart.shift(comm.rank, dimension, disp);
    rank_source.set(Rank(source));
    rank_dest.set(Rank(dest));
    Ok(())
}

/// Splits a box into boxes of fewer dimensions. Collective. (MPI-5.0, 8.5.7)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: not Cartesian.
pub fn cart_sub(mpi: &Mpi, comm: Comm, remain_dims: Bools, newcomm: Out<Comm>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let cart = cart(&comm)?;
    let ndims = cart.dims().len();
    remain_dims.require(ndims)?;
    let remain: Vec<bool> = remain_dims.iter(ndims).collect();
    let (part, colour, key) = cart.sub(&remain, comm.rank);
    let place = Some((colour, key));
    give(
        newcomm,
        make::with_topology(mpi, &comm, place, Topology::Cart(part)),
    )
}

/// Number of dimensions. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: not Cartesian.
pub fn cartdim_get(mpi: &Mpi, comm: Comm, ndims: Out<i32>) -> Result<()> {
    ndims.set(cart(&*mpi.comm(comm)?)?.dims().len() as i32);
    Ok(())
}

/// Balanced extents for a number of processes; entries that are not 0 stay. (MPI-5.0, 8.5.2)
///
/// # Errors
/// `MPI_ERR_DIMS`: the given extents do not divide `nnodes`. `MPI_ERR_ARG`: a number is not positive.
pub fn dims_create(_mpi: &Mpi, nnodes: i32, ndims: i32, dims: IntsMut) -> Result<()> {
    let ndims = length("ndims", ndims)?;
    dims.require(ndims)?;
    let mut list: Vec<i32> = (0..ndims).map(|index| dims.get(index)).collect();
    topo::dims_create(nnodes, &mut list)?;
    for (index, dim) in list.into_iter().enumerate() {
        dims.set(index, dim);
    }
    Ok(())
}

/// # Errors
/// `MPI_ERR_RANK`: no rank of the communicator.
fn check_rank(comm: &Communicator, name: &str, index: usize, rank: Rank) -> Result<i32> {
    if rank.0 < 0 || rank.0 as usize >= comm.group.len() {
        fail!(
            RANK,
            "{name}[{index}] = {}: no rank of {}, which are 0 to {}",
            rank.0,
            comm.describe(),
            comm.group.len() - 1
        );
    }
    Ok(rank.0)
}

/// One weight; 1 without weights.
///
/// # Errors
/// `MPI_ERR_ARG`: negative, or there are none although there are edges.
fn weight(name: &str, weights: &Weights, index: usize) -> Result<i32> {
    match weights {
        Weights::Unweighted => Ok(1),
        Weights::Empty => fail!(ARG, "{name} is MPI_WEIGHTS_EMPTY, but there are edges"),
        Weights::Given(weights) => match weights.get(index) {
            weight if weight < 0 => fail!(ARG, "{name}[{index}] = {weight} is negative"),
            weight => Ok(weight),
        },
    }
}

fn require_weights(weights: &Weights, length: usize) -> Result<()> {
    match weights {
        Weights::Given(weights) => weights.require(length),
        Weights::Unweighted | Weights::Empty => Ok(()),
    }
}

fn is_weighted(weights: &Weights) -> bool {
    !matches!(weights, Weights::Unweighted)
}

/// The communicator of a distributed graph: all processes in their order.
fn give_dist_graph(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    info: Info,
    graph: DistGraph,
    newcomm: Out<Comm>,
) -> Result<()> {
    let hints = hints(mpi, info)?;
    let place = Some((0, comm.rank));
    let made = make::with_topology(mpi, comm, place, Topology::DistGraph(graph));
    if let Ok(Some(made)) = &made {
        made.hints.merge(&hints);
    }
    give(newcomm, made)
}

/// A communicator with a distributed graph whose edges any process may name. Collective.
/// (MPI-5.0, 8.5.4)
///
/// # Errors
/// `MPI_ERR_RANK`: no rank of the communicator. `MPI_ERR_ARG`: a negative number, or missing weights.
pub fn dist_graph_create(
    mpi: &Mpi,
    comm_old: Comm,
    n: i32,
    sources: Ranks,
    degrees: Ints,
    destinations: Ranks,
    weights: Weights,
    info: Info,
    _reorder: bool,
    comm_dist_graph: Out<Comm>,
) -> Result<()> {
    let comm = mpi.comm(comm_old)?;
    comm.require_intra()?;
    let n = length("n", n)?;
    sources.require(n)?;
    degrees.require(n)?;
    let mut total = 0;
    for (index, degree) in degrees.iter(n).enumerate() {
        total += length(&format!("degrees[{index}]"), degree)?;
    }
    destinations.require(total)?;
    require_weights(&weights, total)?;
    let mut edges = Vec::with_capacity(total);
    for index in 0..n {
        let source = check_rank(&comm, "sources", index, sources.get(index))?;
        for _ in 0..degrees.get(index) {
            let place = edges.len();
            let destination = check_rank(&comm, "destinations", place, destinations.get(place))?;
            edges.push([source, destination, weight("weights", &weights, place)?]);
        }
    }
    let (incoming, outgoing) = make::distribute_edges(mpi, &comm, &edges)?;
    let weighted = is_weighted(&weights);
    let neighbours = |edges: Vec<[i32; 2]>| Neighbours {
        ranks: edges.iter().map(|edge| edge[0]).collect(),
        weights: edges
            .iter()
            .filter(|_| weighted)
            .map(|edge| edge[1])
            .collect(),
    };
    let graph = DistGraph {
        sources: neighbours(incoming),
        destinations: neighbours(outgoing),
        weighted,
    };
    give_dist_graph(mpi, &comm, info, graph, comm_dist_graph)
}

/// A communicator with a distributed graph whose edges their own ends name. Collective.
/// (MPI-5.0, 8.5.4)
///
/// # Errors
/// `MPI_ERR_RANK`: no rank of the communicator. `MPI_ERR_ARG`: a negative number, or missing weights.
pub fn dist_graph_create_adjacent(
    mpi: &Mpi,
    comm_old: Comm,
    indegree: i32,
    sources: Ranks,
    sourceweights: Weights,
    outdegree: i32,
    destinations: Ranks,
    destweights: Weights,
    info: Info,
    _reorder: bool,
    comm_dist_graph: Out<Comm>,
) -> Result<()> {
    let comm = mpi.comm(comm_old)?;
    comm.require_intra()?;
    let weighted = is_weighted(&sourceweights) || is_weighted(&destweights);
    let graph = DistGraph {
        sources: adjacent(
            &comm,
            ("indegree", "sources", "sourceweights"),
            (indegree, sources, sourceweights),
            weighted,
        )?,
        destinations: adjacent(
            &comm,
            ("outdegree", "destinations", "destweights"),
            (outdegree, destinations, destweights),
            weighted,
        )?,
        weighted,
    };
    give_dist_graph(mpi, &comm, info, graph, comm_dist_graph)
}

/// The ends of one direction's edges, checked.
fn adjacent(
    comm: &Communicator,
    names: (&str, &str, &str),
    (degree, ranks, weights): (i32, Ranks, Weights),
    weighted: bool,
) -> Result<Neighbours> {
    let degree = length(names.0, degree)?;
    ranks.require(degree)?;
    require_weights(&weights, degree)?;
    let mut neighbours = (Vec::with_capacity(degree), Vec::new());
    for (index, rank) in ranks.iter(degree).enumerate() {
        neighbours.0.push(check_rank(comm, names.1, index, rank)?);
        if weighted {
            neighbours.1.push(weight(names.2, &weights, index)?);
        }
    }
    Ok(Neighbours {
        ranks: neighbours.0.into(),
        weights: neighbours.1.into(),
    })
}

/// The calling process's edges, at most as many as there is room for. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: no distributed graph. `MPI_ERR_ARG`: a negative number.
pub fn dist_graph_neighbors(
    mpi: &Mpi,
    comm: Comm,
    maxindegree: i32,
    sources: RanksMut,
    sourceweights: WeightsMut,
    maxoutdegree: i32,
    destinations: RanksMut,
    destweights: WeightsMut,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let graph = dist_graph(&comm)?;
    let incoming = length("maxindegree", maxindegree)?.min(graph.sources.ranks.len());
    let outgoing = length("maxoutdegree", maxoutdegree)?.min(graph.destinations.ranks.len());
    store_neighbours(&graph.sources, incoming, sources, sourceweights)?;
    store_neighbours(&graph.destinations, outgoing, destinations, destweights)
}

fn store_neighbours(
    neighbours: &Neighbours,
    count: usize,
    ranks: RanksMut,
    weights: WeightsMut,
) -> Result<()> {
    ranks.require(count)?;
    for (index, rank) in neighbours.ranks.iter().take(count).enumerate() {
        ranks.set(index, Rank(*rank));
    }
    if let Some(weights) = weights
        && !weights.is_null()
    {
        for (index, weight) in neighbours.weights.iter().take(count).enumerate() {
            weights.set(index, *weight);
        }
    }
    Ok(())
}

/// Numbers of the calling process's edges. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: no distributed graph.
pub fn dist_graph_neighbors_count(
    mpi: &Mpi,
    comm: Comm,
    indegree: Out<i32>,
    outdegree: Out<i32>,
    weighted: Out<bool>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let graph = dist_graph(&comm)?;
    indegree.set(graph.sources.ranks.len() as i32);
    outdegree.set(graph.destinations.ranks.len() as i32);
    weighted.set(graph.weighted);
    Ok(())
}

/// A communicator with a graph that every process knows; `MPI_COMM_NULL` for processes that are no
/// nodes. Collective. (MPI-5.0, 8.5.3)
///
/// # Errors
/// `MPI_ERR_ARG`: wrong numbers. `MPI_ERR_TOPOLOGY`: an edge to no node.
pub fn graph_create(
    mpi: &Mpi,
    comm_old: Comm,
    nnodes: i32,
    index: Ints,
    edges: Ranks,
    _reorder: bool,
    comm_graph: Out<Comm>,
) -> Result<()> {
    comm_graph.set(Comm::NULL);
    let comm = mpi.comm(comm_old)?;
    let graph = graph_of(&comm, nnodes, &index, &edges)?;
    let inside = comm.rank < nnodes;
    let place = inside.then_some((0, comm.rank));
    give(
        comm_graph,
        make::with_topology(mpi, &comm, place, Topology::Graph(graph)),
    )
}

/// The whole graph. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: no graph. `MPI_ERR_ARG`: an array is too short.
pub fn graph_get(
    mpi: &Mpi,
    comm: Comm,
    maxindex: i32,
    maxedges: i32,
    index: IntsMut,
    edges: RanksMut,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let graph = graph(&comm)?;
    room("maxindex", maxindex, graph.index().len())?;
    room("maxedges", maxedges, graph.edges().len())?;
    index.require(graph.index().len())?;
    edges.require(graph.edges().len())?;
    for (place, end) in graph.index().iter().enumerate() {
        index.set(place, *end);
    }
    for (place, edge) in graph.edges().iter().enumerate() {
        edges.set(place, Rank(*edge));
    }
    Ok(())
}

/// The rank that the calling process would have in a graph communicator, or `UNDEFINED`.
/// (MPI-5.0, 8.5.8)
///
/// # Errors
/// As `MPI_Graph_create`.
pub fn graph_map(
    mpi: &Mpi,
    comm: Comm,
    nnodes: i32,
    index: Ints,
    edges: Ranks,
    newrank: Out<Rank>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    graph_of(&comm, nnodes, &index, &edges)?;
    let inside = comm.rank < nnodes;
    newrank.set(if inside {
        Rank(comm.rank)
    } else {
        Rank::UNDEFINED
    });
    Ok(())
}

/// The neighbours of a rank in a graph.
///
/// # Errors
/// `MPI_ERR_RANK`: no rank of the communicator.
fn neighbours_of<'g>(comm: &Communicator, graph: &'g Graph, rank: Rank) -> Result<&'g [i32]> {
    if rank.0 < 0 || rank.0 as usize >= comm.group.len() {
        fail!(
            RANK,
            "rank = {}: no rank of {}, which are 0 to {}",
            rank.0,
            comm.describe(),
            comm.group.len() - 1
        );
    }
    Ok(graph.neighbours(rank.0))
}

/// The neighbours of a rank. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: no graph. `MPI_ERR_RANK`: no rank of it. `MPI_ERR_ARG`: the array is too short.
pub fn graph_neighbors(
    mpi: &Mpi,
    comm: Comm,
    rank: Rank,
    maxneighbors: i32,
    neighbors: RanksMut,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let list = neighbours_of(&comm, graph(&comm)?, rank)?;
    room("maxneighbors", maxneighbors, list.len())?;
    neighbors.require(list.len())?;
    for (index, neighbour) in list.iter().enumerate() {
        neighbors.set(index, Rank(*neighbour));
    }
    Ok(())
}

/// Number of neighbours of a rank. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: no graph. `MPI_ERR_RANK`: no rank of it.
pub fn graph_neighbors_count(
    mpi: &Mpi,
    comm: Comm,
    rank: Rank,
    nneighbors: Out<i32>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    nneighbors.set(neighbours_of(&comm, graph(&comm)?, rank)?.len() as i32);
    Ok(())
}

/// Numbers of nodes and edges. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_TOPOLOGY`: no graph.
pub fn graphdims_get(mpi: &Mpi, comm: Comm, nnodes: Out<i32>, nedges: Out<i32>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let graph = graph(&comm)?;
    nnodes.set(graph.index().len() as i32);
    nedges.set(graph.edges().len() as i32);
    Ok(())
}

/// The kind of a communicator's topology, or `UNDEFINED`. (MPI-5.0, 8.5.5)
///
/// # Errors
/// `MPI_ERR_COMM`: no live communicator.
pub fn topo_test(mpi: &Mpi, comm: Comm, status: Out<TopologyKind>) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let kind = comm.topology.as_ref().map(|topology| topology.kind());
    status.set(kind.unwrap_or(TopologyKind::UNDEFINED));
    Ok(())
}

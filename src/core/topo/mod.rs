//! Process topologies: what a communicator knows of who is beside whom (MPI-5.0, chapter 8).
//!
//! Pure: ranks in, ranks out. Making the communicators that carry these is `api::topo`'s job. Ranks are
//! never reordered, so rank `r` of the new communicator is rank `r` of the old one.

mod cart;
mod dims;
mod graph;

pub use cart::Cart;
pub use dims::dims_create;
pub use graph::{DistGraph, Graph, Neighbours};

use crate::types::TopologyKind;

/// The topology of a communicator.
#[derive(Debug)]
pub enum Topology {
    Cart(Cart),
    Graph(Graph),
    DistGraph(DistGraph),
}

impl Topology {
    pub fn kind(&self) -> TopologyKind {
        match self {
            Topology::Cart(_) => TopologyKind::CART,
            Topology::Graph(_) => TopologyKind::GRAPH,
            Topology::DistGraph(_) => TopologyKind::DIST_GRAPH,
        }
    }

    /// Whom `rank` receives from and sends to in neighbourhood collectives, in their order
    /// (MPI-5.0, 8.6). `PROC_NULL` stands for no neighbour beyond an open border.
    pub fn neighbours(&self, rank: i32) -> (Vec<i32>, Vec<i32>) {
        match self {
            Topology::Cart(cart) => {
                let mut list = Vec::with_capacity(2 * cart.dims().len());
                for direction in 0..cart.dims().len() {
                    let (below, above) = cart.shift(rank, direction, 1);
                    list.extend([below, above]);
                }
                (list.clone(), list)
            }
            Topology::Graph(graph) => {
                let list = graph.neighbours(rank).to_vec();
                (list.clone(), list)
            }
            Topology::DistGraph(graph) => (
                graph.sources.ranks.to_vec(),
                graph.destinations.ranks.to_vec(),
            ),
        }
    }
}

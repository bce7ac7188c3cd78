//! Neighbourhood collectives (MPI-5.0, 8.6): blocks to and from the neighbours of a topology.
//!
//! All receives, then all sends, then one wait: neighbourhoods are small, and what crosses what is up to
//! the application's graph. Every form is the same exchange of blocks; a gather sends one block to all.
//! Several edges between two ranks match in order, see [`Neighbors::incoming`].

use std::rc::Rc;

use super::blocks::Blocks;
use super::net::{Coll, Net};
use crate::error::Result;

/// The neighbours of the calling rank.
#[derive(Clone, Debug)]
pub struct Neighbors {
    /// Where block `i` of the receive buffer comes from; `None` for `MPI_PROC_NULL`.
    sources: Rc<[Option<usize>]>,
    /// Where block `i` of the send buffer goes to.
    destinations: Rc<[Option<usize>]>,
    /// The edges go in pairs of opposite directions.
    paired: bool,
}

impl Neighbors {
    /// The neighbours of a graph.
    pub fn graph(sources: Rc<[Option<usize>]>, destinations: Rc<[Option<usize>]>) -> Neighbors {
        Neighbors {
            sources,
            destinations,
            paired: false,
        }
    }

    /// The neighbours of a grid: below and above in each dimension.
    pub fn grid(neighbors: Rc<[Option<usize>]>) -> Neighbors {
        Neighbors {
            sources: neighbors.clone(),
            destinations: neighbors,
            paired: true,
        }
    }

    /// Blocks to receive, in the order in which the messages of one source come.
    ///
    /// On a ring of one or two, below and above are the same rank. What it sent down comes from above,
    /// so the block from above is the first.
    fn incoming(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = 0..self.sources.len();
        places.filter_map(|place| {
            let index = if self.paired { place ^ 1 } else { place };
            Some((index, self.sources[index]?))
        })
    }

    /// Blocks to send.
    fn outgoing(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = self.destinations.iter().enumerate();
        places.filter_map(|(index, to)| Some((index, (*to)?)))
    }
}

/// Sends block `i` of `send` to destination `i` and receives block `i` of `recv` from source `i`.
pub async fn neighbor_alltoall<N: Net>(
    net: &N,
    neighbors: Neighbors,
    send: Blocks,
    recv: Blocks,
) -> Result<()> {
    let coll = Coll::new(net);
    let mut all = coll.several();
    for (index, from) in neighbors.incoming() {
        if recv.bytes(index) > 0 {
            all.recv(recv.get(index), from);
        }
    }
    for (index, to) in neighbors.outgoing() {
        if send.bytes(index) > 0 {
            all.send(send.get(index), to);
        }
    }
    all.done().await;
    coll.finish()
}

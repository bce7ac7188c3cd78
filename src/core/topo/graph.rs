//! Graph topologies, with the whole graph at every process or with each one's own edges only
//! (MPI-5.0, 8.5.3 and 8.5.4).

use crate::error::Result;
use crate::fail;
use crate::types::Rank;

/// The whole graph: node `r`'s edges are `edges[index[r - 1] .. index[r]]`.
#[derive(Debug)]
pub struct Graph {
    index: Box<[i32]>,
    edges: Box<[i32]>,
}

impl Graph {
    /// # Errors
    /// `MPI_ERR_ARG`: `index` falls or begins below 0. `MPI_ERR_TOPOLOGY`: an edge to no node.
    pub fn new(index: &[i32], edges: impl Fn(usize) -> Rank) -> Result<Graph> {
        let mut before = 0;
        for (place, &end) in index.iter().enumerate() {
            if end < before {
                fail!(
                    ARG,
                    "index[{place}] = {end}: at least {before} was expected, because index counts \
                     all neighbours so far"
                );
            }
            before = end;
        }
        let mut list = Vec::with_capacity(before as usize);
        for place in 0..before as usize {
            let edge = edges(place).0;
            if edge < 0 || edge as usize >= index.len() {
                fail!(
                    TOPOLOGY,
                    "edges[{place}] = {edge}: a node below {} was expected",
                    index.len()
                );
            }
            list.push(edge);
        }
        Ok(Graph {
            index: index.into(),
            edges: list.into(),
        })
    }

    pub fn index(&self) -> &[i32] {
        &self.index
    }

    pub fn edges(&self) -> &[i32] {
        &self.edges
    }

    /// The neighbours of a node.
    pub fn neighbours(&self, rank: i32) -> &[i32] {
        let rank = rank as usize;
        let start = if rank == 0 { 0 } else { self.index[rank - 1] };
        &self.edges[start as usize..self.index[rank] as usize]
    }
}

/// Ranks at the other ends of edges, with the edges' weights.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    pub ranks: Box<[i32]>,
    /// As many as ranks; none in a graph without weights.
    pub weights: Box<[i32]>,
}

/// One process's edges of a distributed graph.
#[derive(Debug)]
pub struct DistGraph {
    pub sources: Neighbours,
    pub destinations: Neighbours,
    pub weighted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::class;

    #[test]
    fn the_example_of_the_standard() {
        let edges = [1, 3, 0, 3, 0, 2];
        let graph = Graph::new(&[2, 3, 4, 6], |place| Rank(edges[place])).unwrap();
        assert_eq!(graph.neighbours(0), [1, 3]);
        assert_eq!(graph.neighbours(1), [0]);
        assert_eq!(graph.neighbours(2), [3]);
        assert_eq!(graph.neighbours(3), [0, 2]);
        assert_eq!(graph.edges(), edges);
    }

    #[test]
    fn wrong_graphs_are_refused() {
        let code = |index: &[i32], edge: i32| Graph::new(index, |_| Rank(edge)).unwrap_err().code();
        assert_eq!(code(&[2, 1], 0), class::ARG);
        assert_eq!(code(&[-1], 0), class::ARG);
        assert_eq!(code(&[1, 2], 2), class::TOPOLOGY);
        assert_eq!(code(&[1, 2], -1), class::TOPOLOGY);
        assert!(Graph::new(&[0, 0], |_| Rank(9)).is_ok());
    }
}

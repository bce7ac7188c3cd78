//! Collective operations, each written once as an `async fn` over point-to-point.
//!
//! A collective sees the world through [`Net`] only. The engine polls the future: on the stack of a blocking call,
//! or in a box for a non-blocking one. A persistent call makes it anew at each start (decision 7). There are no
//! wakers: a future is polled again after progress was made. Algorithms have a file each. Beside them stands the
//! table from which [`select`] picks one, also between messages and memory that all ranks share ([`shared`]). Where
//! only groups of ranks share memory, a collective is composed of steps within groups and among their leaders
//! ([`hierarchical`]). Data is only touched through `Data` and `Operation`. A poll may call the application's
//! functions: no lock or borrow may be held over it.
//!
//! May assume checked arguments: the api functions have refused wrong counts, roots, types and buffers.
//! Must not know of engines, handles, requests or C ABIs.

mod allgather;
mod allreduce;
mod alltoall;
mod barrier;
mod bcast;
mod blocks;
pub mod fast_path;
mod gather;
mod halving;
mod hierarchical;
mod hierarchy;
pub mod inter;
mod neighbor;
mod net;
mod reduce;
mod reduce_scatter;
mod scan;
mod scatter;
pub mod select;
mod shared;
#[cfg(test)]
pub(crate) mod sim;
mod subset;
#[cfg(test)]
mod tests;

pub use allgather::{Allgather, allgather, allgather_by};
pub use allreduce::{Allreduce, allreduce, allreduce_by};
pub use alltoall::{Alltoall, alltoall, alltoall_by};
pub use barrier::{Barrier, barrier, barrier_by};
pub use bcast::{Bcast, bcast, bcast_by};
pub use blocks::Blocks;
pub use gather::{Gather, gather, gather_by};
pub use hierarchy::Hierarchy;
pub use neighbor::{Neighbors, neighbor_alltoall};
pub use net::Net;
pub use reduce::{Reduce, reduce, reduce_by};
pub use reduce_scatter::{Counts, ReduceScatter, reduce_scatter, reduce_scatter_by};
pub use scan::{Scan, exscan, exscan_by, scan, scan_by};
pub use scatter::{Scatter, scatter, scatter_by};
pub(crate) use subset::Subset;

//! Collectives on inter-communicators (MPI-5.0, 6.2.3): what one group gives, the other one gets.
//!
//! The [`Net`] of an inter-communicator names the local group's ranks first, then the remote group's. Most operations
//! run an ordinary algorithm within a group and pass its result between the two ranks 0. Those that move a block
//! between any two ranks do so directly. Cost: the local algorithm's, plus one message, or one message per remote
//! rank.

use std::rc::Rc;

use super::blocks::{Blocks, Temp};
use super::neighbor::{Neighbors, neighbor_alltoall};
use super::net::{Coll, Net};
use super::reduce_scatter::Counts;
use super::subset::Subset;
use super::{barrier, bcast, reduce, scatter};
use crate::datatype::Data;
use crate::error::Result;
use crate::op::Operation;

/// Who the root is, as this rank sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// This rank (`MPI_ROOT`).
    Me,
    /// Another rank of the local group (`MPI_PROC_NULL`).
    Local,
    /// That rank of the remote group.
    Remote(usize),
}

/// An inter-communicator: a [`Net`] and how many of its ranks are local.
pub struct Inter<'n, N: Net> {
    net: &'n N,
    local: usize,
}

impl<'n, N: Net> Inter<'n, N> {
    /// `local` ranks of `net` are the local group, the others the remote one.
    pub fn new(net: &'n N, local: usize) -> Inter<'n, N> {
        Inter { net, local }
    }

    /// The local group.
    fn local(&self) -> Subset<'n, N> {
        let ranks: Vec<usize> = (0..self.local).collect();
        Subset::new(self.net, ranks).expect("a process is in its local group")
    }

    /// The remote group's rank `rank`.
    fn remote(&self, rank: usize) -> usize {
        self.local + rank
    }

    /// The remote group as neighbours on both sides.
    fn others(&self) -> Neighbors {
        let others: Rc<[Option<usize>]> = (self.local..self.net.size()).map(Some).collect();
        Neighbors::graph(others.clone(), others)
    }

    /// Exchanges `out` of this group's rank 0 for `into` of the other's; no other rank does anything.
    async fn exchange(&self, out: Data, into: Data) -> Result<()> {
        let coll = Coll::new(self.net);
        if coll.rank == 0 {
            let peer = self.remote(0);
            coll.sendrecv(out, peer, into, peer).await;
        }
        coll.finish()
    }

    /// Returns when every rank of the other group has called it.
    pub async fn barrier(&self) -> Result<()> {
        let local = self.local();
        let nothing = Temp::of(0, self.net.byte());
        barrier(&local).await?;
        self.exchange(nothing.data(), nothing.data()).await?;
        barrier(&local).await
    }

    /// Sends the root's `data` to all ranks of the other group.
    pub async fn bcast(&self, data: Data, root: Root) -> Result<()> {
        let coll = Coll::new(self.net);
        match root {
            Root::Me => coll.send(data, self.remote(0)).await,
            Root::Local => {}
            Root::Remote(root) => {
                if coll.rank == 0 {
                    coll.recv(data.clone(), self.remote(root)).await;
                }
                let done = bcast(&self.local(), data, 0).await;
                coll.check(done);
            }
        }
        coll.finish()
    }

    /// Gathers the other group's `send` into the root's `recv`.
    pub async fn gather(&self, send: Option<Data>, recv: Option<Blocks>, root: Root) -> Result<()> {
        let coll = Coll::new(self.net);
        let mut all = coll.several();
        match (root, &send, &recv) {
            (Root::Me, _, Some(recv)) => {
                for from in 0..coll.size - self.local {
                    if recv.bytes(from) > 0 {
                        all.recv(recv.get(from), self.remote(from));
                    }
                }
            }
            (Root::Remote(root), Some(send), _) if send.bytes() > 0 => {
                all.send(send.clone(), self.remote(root));
            }
            _ => {}
        }
        all.done().await;
        coll.finish()
    }

    /// Scatters the root's `send` into the other group's `recv`.
    pub async fn scatter(
        &self,
        send: Option<Blocks>,
        recv: Option<Data>,
        root: Root,
    ) -> Result<()> {
        let coll = Coll::new(self.net);
        let mut all = coll.several();
        match (root, &send, &recv) {
            (Root::Me, Some(send), _) => {
                for to in 0..coll.size - self.local {
                    if send.bytes(to) > 0 {
                        all.send(send.get(to), self.remote(to));
                    }
                }
            }
            (Root::Remote(root), _, Some(recv)) if recv.bytes() > 0 => {
                all.recv(recv.clone(), self.remote(root));
            }
            _ => {}
        }
        all.done().await;
        coll.finish()
    }

    /// Sends block `i` of `send` to the other group's rank `i`; for an allgather all blocks are the same.
    pub async fn alltoall(&self, send: Blocks, recv: Blocks) -> Result<()> {
        neighbor_alltoall(self.net, self.others(), send, recv).await
    }

    /// Combines the other group's `send` in rank order into the root's `recv`.
    pub async fn reduce(
        &self,
        send: Option<Data>,
        recv: Option<Data>,
        op: Rc<Operation>,
        root: Root,
    ) -> Result<()> {
        let coll = Coll::new(self.net);
        match (root, send, recv) {
            (Root::Me, _, Some(recv)) if recv.bytes() > 0 => {
                coll.recv(recv, self.remote(0)).await;
            }
            (Root::Remote(root), Some(send), _) if send.bytes() > 0 => {
                let temp = Temp::like(&send);
                coll.check(self.reduce_here(send, &temp, op).await);
                if coll.rank == 0 {
                    coll.send(temp.data(), self.remote(root)).await;
                }
            }
            _ => {}
        }
        coll.finish()
    }

    /// Combines the local group's `send` into `result` of its rank 0.
    async fn reduce_here(&self, send: Data, result: &Temp, op: Rc<Operation>) -> Result<()> {
        let recv = (self.net.rank() == 0).then(|| result.data());
        reduce(&self.local(), Some(send), recv, op, 0).await
    }

    /// Combines the other group's `send` in rank order into every rank's `recv`.
    pub async fn allreduce(&self, send: Data, recv: Data, op: Rc<Operation>) -> Result<()> {
        if recv.bytes() == 0 {
            return Ok(());
        }
        let temp = Temp::like(&send);
        let coll = Coll::new(self.net);
        coll.check(self.reduce_here(send, &temp, op).await);
        coll.check(self.exchange(temp.data(), recv.clone()).await);
        coll.check(bcast(&self.local(), recv, 0).await);
        coll.finish()
    }

    /// Combines the other group's `send` in rank order and gives block `i` of it to this group's rank `i`.
    pub async fn reduce_scatter(
        &self,
        send: Data,
        recv: Data,
        counts: Counts,
        op: Rc<Operation>,
    ) -> Result<()> {
        if send.bytes() == 0 {
            return Ok(());
        }
        let (ours, theirs) = (Temp::like(&send), Temp::like(&send));
        let coll = Coll::new(self.net);
        coll.check(self.reduce_here(send, &ours, op).await);
        coll.check(self.exchange(ours.data(), theirs.data()).await);
        let whole = theirs.data();
        let blocks = (coll.rank == 0).then(|| match counts {
            Counts::Even(count) => Blocks::cut(&whole, count),
            Counts::Varying(counts) => {
                let places = counts.iter().scan(0, |next, count| {
                    let start = *next;
                    *next += *count as i64;
                    Some((*count, start))
                });
                Blocks::parts(&whole, places)
            }
        });
        coll.check(scatter(&self.local(), blocks, Some(recv), 0, false).await);
        coll.finish()
    }
}

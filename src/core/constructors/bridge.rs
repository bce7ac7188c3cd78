//! Exchanges between two groups of processes, of which only the leaders talk across.
//!
//! Both groups run the same steps. What a group knows is first brought together within it; the leaders
//! swap it, and each tells its group what the other has said.

use crate::coll::Net;
use crate::comm::agree::{self, Tools};
use crate::context::Contexts;
use crate::error::Result;

/// One group's end.
pub(crate) struct Bridge<'n, L, P> {
    /// The group.
    pub local: &'n L,
    /// Rank of its leader.
    pub leader: usize,
    /// At the leader: the way to the other leader.
    pub across: Option<(&'n P, usize)>,
}

impl<L: Net, P: Net> Bridge<'_, L, P> {
    /// Gives the other group what this leader has, and returns what the other has. Only the leaders'
    /// values count.
    pub async fn swap(&self, tools: &Tools, mine: &[i64]) -> Result<Vec<i64>> {
        let mut length = [0];
        let mut theirs = Vec::new();
        if let Some((net, peer)) = self.across {
            let mut own = [mine.len() as i64];
            agree::exchange(net, tools, &mut own, &mut length, peer).await?;
            theirs.resize(length[0] as usize, 0);
            agree::exchange(net, tools, &mut mine.to_vec(), &mut theirs, peer).await?;
        }
        agree::spread(self.local, tools, &mut length, self.leader).await?;
        theirs.resize(length[0] as usize, 0);
        agree::spread(self.local, tools, &mut theirs, self.leader).await?;
        Ok(theirs)
    }

    /// A context that no process of either group uses. `key` is the same in both.
    pub async fn context(&self, tools: &Tools, contexts: &Contexts, key: u32) -> Result<u32> {
        let mut agreement = contexts.begin(key)?;
        loop {
            let mut offer = agreement.offer();
            agree::maximum(self.local, tools, &mut offer).await?;
            let theirs = self.swap(tools, &offer).await?;
            let both = [offer[0].max(theirs[0]), offer[1].max(theirs[1])];
            if let Some(context) = agreement.settle(contexts, both)? {
                return Ok(context);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coll::Subset;
    use crate::coll::sim::{SimNet, simulate};

    /// Ranks 0 to 2 with leader 1 of them, and ranks 3 to 6 with leader 3 of them.
    fn ends(net: &SimNet) -> (Vec<usize>, usize, Option<usize>) {
        let rank = net.rank();
        match rank {
            0..=2 => ((0..3).collect(), 1, (rank == 1).then_some(6)),
            _ => ((3..7).collect(), 3, (rank == 6).then_some(1)),
        }
    }

    #[test]
    fn groups_swap_what_their_leaders_have() {
        let tools = Tools::new();
        for seed in 0..10 {
            let contexts: Vec<Contexts> = (0..7).map(|_| Contexts::new()).collect();
            let (results, _) = simulate(7, seed, |net| {
                let (tools, contexts) = (&tools, &contexts[net.rank()]);
                async move {
                    let (ranks, leader, peer) = ends(&net);
                    let local = Subset::new(&net, ranks).unwrap();
                    let bridge = Bridge {
                        local: &local,
                        leader,
                        across: peer.map(|peer| (&net, peer)),
                    };
                    let mine = vec![net.rank() as i64; net.rank() / 2];
                    let theirs = bridge.swap(tools, &mine).await.unwrap();
                    if net.rank() < 3 {
                        // This group has a past that the other has not.
                        agree::context(&local, tools, contexts, 1).await.unwrap();
                    }
                    let context = bridge.context(tools, contexts, 2).await.unwrap();
                    (theirs, context)
                }
            });
            for (rank, (theirs, context)) in results.iter().enumerate() {
                let expected = if rank < 3 { vec![6; 3] } else { vec![] };
                assert_eq!(*theirs, expected, "rank {rank}");
                assert_eq!(*context, results[0].1);
            }
        }
    }
}

//! The little communication that making a communicator takes, as async functions over [`Net`].
//!
//! All values are 64-bit integers. Buffers belong to the futures, which are polled to their end.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use crate::coll::{self, Blocks, Net};
use crate::context::Contexts;
use crate::datatype::{Temp, Type, basic};
use crate::error::Result;
use crate::op::{Builtin, Operation};

/// What the exchanges are made with.
pub(crate) struct Tools {
    int64: Rc<Type>,
    max: Rc<Operation>,
}

impl Tools {
    pub fn new() -> Tools {
        Tools {
            int64: Type::predefined(basic::MPI_INT64_T).expect("MPI_INT64_T is predefined"),
            max: Rc::new(Operation::builtin(Builtin::Max)),
        }
    }

    /// Room for so many numbers.
    fn room(&self, count: usize) -> Temp {
        Temp::of(count as u64, &self.int64)
    }
}

/// Puts numbers into a room.
fn put(room: &Temp, values: &[i64]) {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_ne_bytes())
        .collect();
    room.data().unpack(0, &bytes);
}

/// The numbers in a room.
fn get(room: &Temp, values: &mut [i64]) {
    let mut bytes = vec![0; size_of_val(values)];
    room.data().pack(0, &mut bytes);
    let (words, _) = bytes.as_chunks();
    for (value, word) in values.iter_mut().zip(words) {
        *value = i64::from_ne_bytes(*word);
    }
}

/// Makes `values` the element-wise maximum over all ranks.
pub(crate) async fn maximum<N: Net>(net: &N, tools: &Tools, values: &mut [i64]) -> Result<()> {
    let room = tools.room(values.len());
    put(&room, values);
    let done = coll::allreduce(net, None, room.data(), tools.max.clone()).await;
    get(&room, values);
    done
}

/// Every rank's `mine`, one after the other. All are of one length.
pub(crate) async fn gather<N: Net>(net: &N, tools: &Tools, mine: &[i64]) -> Result<Vec<i64>> {
    let mut all = vec![0; mine.len() * net.size()];
    all[mine.len() * net.rank()..][..mine.len()].copy_from_slice(mine);
    let room = tools.room(all.len());
    put(&room, &all);
    let blocks = Blocks::cut(&room.data(), mine.len() as u64);
    coll::allgather(net, None, blocks).await?;
    get(&room, &mut all);
    Ok(all)
}

/// Makes `values` those of `root`.
pub(crate) async fn spread<N: Net>(
    net: &N,
    tools: &Tools,
    values: &mut [i64],
    root: usize,
) -> Result<()> {
    let room = tools.room(values.len());
    put(&room, values);
    let done = coll::bcast(net, room.data(), root).await;
    get(&room, values);
    done
}

/// Sends `out` to `peer` and receives as many values as fit `into` from it.
pub(crate) async fn exchange<N: Net>(
    net: &N,
    tools: &Tools,
    out: &mut [i64],
    into: &mut [i64],
    peer: usize,
) -> Result<()> {
    let (from, to) = (tools.room(out.len()), tools.room(into.len()));
    put(&from, out);
    let mut receive = net.irecv(to.data(), peer)?;
    let mut send = net.isend(from.data(), peer)?;
    let done = poll_fn(|_| {
        for pending in [&mut receive, &mut send] {
            if let Some(transfer) = *pending {
                match net.poll(transfer) {
                    Ok(true) => *pending = None,
                    Ok(false) => return Poll::Pending,
                    Err(error) => return Poll::Ready(Err(error)),
                }
            }
        }
        Poll::Ready(Ok(()))
    })
    .await;
    get(&to, into);
    done
}

/// Sends each rank its own values and receives what all ranks have for this one, in rank order.
async fn scatter_all<N: Net>(net: &N, tools: &Tools, out: &[Vec<i64>]) -> Result<Vec<i64>> {
    let lengths: Vec<i64> = out.iter().map(|values| values.len() as i64).collect();
    let mut coming = vec![0; lengths.len()];
    let (send, recv) = (tools.room(lengths.len()), tools.room(coming.len()));
    put(&send, &lengths);
    let each = |room: &Temp| Blocks::cut(&room.data(), 1);
    coll::alltoall(net, Some(each(&send)), each(&recv), true).await?;
    get(&recv, &mut coming);
    let sent: Vec<i64> = out.concat();
    let mut received = vec![0; coming.iter().sum::<i64>() as usize];
    let (send, recv) = (tools.room(sent.len()), tools.room(received.len()));
    put(&send, &sent);
    let row = |room: &Temp, lengths: &[i64]| {
        let mut end = 0;
        let places = lengths.iter().map(|length| {
            end += length;
            (*length as u64, end - length)
        });
        Blocks::parts(&room.data(), places)
    };
    let (send, recv_row) = (row(&send, &lengths), row(&recv, &coming));
    coll::alltoall(net, Some(send), recv_row, false).await?;
    get(&recv, &mut received);
    Ok(received)
}

/// One process's edges: (source, weight) of those that lead to it and (destination, weight) of those
/// that lead away.
pub type Ends = (Vec<[i32; 2]>, Vec<[i32; 2]>);

/// Tells the ends of edges of them. Each rank names edges (source, destination, weight). It gets (source, weight) of
/// those that lead to it, and (destination, weight) of those that lead away.
pub(crate) async fn edges<N: Net>(net: &N, tools: &Tools, edges: &[[i32; 3]]) -> Result<Ends> {
    let pack = |other: i32, weight: i32| i64::from(other) << 32 | i64::from(weight);
    let unpack = |word: i64| [(word >> 32) as i32, word as i32];
    let mut ends = Vec::new();
    // Towards the destination first, then towards the source.
    for [here, there] in [[1, 0], [0, 1]] {
        let mut out = vec![Vec::new(); net.size()];
        for edge in edges {
            out[edge[here] as usize].push(pack(edge[there], edge[2]));
        }
        let words = scatter_all(net, tools, &out).await?;
        ends.push(words.into_iter().map(unpack).collect());
    }
    let outgoing = ends.pop().unwrap_or_default();
    Ok((ends.pop().unwrap_or_default(), outgoing))
}

/// A context that no process of the communicator uses (see `context`).
pub(crate) async fn context<N: Net>(
    net: &N,
    tools: &Tools,
    contexts: &Contexts,
    key: u32,
) -> Result<u32> {
    let mut agreement = contexts.begin(key)?;
    loop {
        let mut offer = agreement.offer();
        maximum(net, tools, &mut offer).await?;
        if let Some(context) = agreement.settle(contexts, offer)? {
            return Ok(context);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coll::Subset;
    use crate::coll::sim::simulate;

    #[test]
    fn all_ranks_get_the_same_values() {
        for size in 1..9 {
            let tools = Tools::new();
            let (results, _) = simulate(size, size as u64, |net| {
                let tools = &tools;
                async move {
                    let rank = net.rank() as i64;
                    let all = gather(&net, tools, &[rank, -rank]).await.unwrap();
                    let mut largest = [rank, -rank];
                    maximum(&net, tools, &mut largest).await.unwrap();
                    let mut word = [rank];
                    spread(&net, tools, &mut word, net.size() - 1)
                        .await
                        .unwrap();
                    (all, largest, word)
                }
            });
            let last = size as i64 - 1;
            let all: Vec<i64> = (0..=last).flat_map(|rank| [rank, -rank]).collect();
            for result in results {
                assert_eq!(result, (all.clone(), [last, 0], [last]));
            }
        }
    }

    #[test]
    fn contexts_are_agreed_on_within_subsets() {
        let tools = Tools::new();
        for seed in 0..20 {
            let contexts: Vec<Contexts> = (0..6).map(|_| Contexts::new()).collect();
            let (results, _) = simulate(6, seed, |net| {
                let (tools, contexts) = (&tools, &contexts[net.rank()]);
                async move {
                    let half = net.rank() / 3;
                    let ranks = (3 * half..3 * half + 3).rev().collect();
                    let half = Subset::new(&net, ranks).unwrap();
                    let first = context(&half, tools, contexts, 1).await.unwrap();
                    if net.rank() >= 3 {
                        context(&half, tools, contexts, 2).await.unwrap();
                    }
                    let all = context(&net, tools, contexts, 3).await.unwrap();
                    (first, all)
                }
            });
            assert!(results.iter().all(|(_, all)| *all == results[0].1));
            assert!(results.iter().all(|(first, all)| first < all));
        }
    }

    #[test]
    fn the_ends_of_edges_hear_of_them() {
        let tools = Tools::new();
        // Rank 0 names all edges of the ring, rank 2 one more.
        let (results, _) = simulate(3, 5, |net| {
            let tools = &tools;
            async move {
                let named: &[[i32; 3]] = match net.rank() {
                    0 => &[[0, 1, 10], [1, 2, 11], [2, 0, i32::MAX]],
                    2 => &[[1, 1, 0]],
                    _ => &[],
                };
                edges(&net, tools, named).await.unwrap()
            }
        });
        assert_eq!(results[0], (vec![[2, i32::MAX]], vec![[1, 10]]));
        assert_eq!(results[1], (vec![[0, 10], [1, 0]], vec![[2, 11], [1, 0]]));
        assert_eq!(results[2], (vec![[1, 11]], vec![[0, i32::MAX]]));
    }

    #[test]
    fn neighbours_exchange() {
        let tools = Tools::new();
        let (results, _) = simulate(4, 3, |net| {
            let tools = &tools;
            async move {
                let (mut out, mut into) = ([net.rank() as i64; 3], [0; 3]);
                let peer = net.rank() ^ 1;
                exchange(&net, tools, &mut out, &mut into, peer)
                    .await
                    .unwrap();
                into
            }
        });
        assert_eq!(results, [[1; 3], [0; 3], [3; 3], [2; 3]]);
    }
}

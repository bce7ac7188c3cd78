//! Collectives that move blocks as they are: gather, scatter, allgather, all-to-all.
//!
//! A rank writes what it has for the others and announces how much: what is short lies in its slot, what is
//! longer in its lane, and what does not fit there goes by messages. The readers learn from the announcement
//! where to look, so ranks that disagree about lengths still look in the same place.

use super::{Turn, is_short};
use crate::coll::blocks::{Blocks, Temp, pack};
use crate::coll::net::{Coll, Net, Several};
use crate::datatype::Data;
use crate::shm::collective::{LANE, SLOT};

/// Bytes of a block that are written to the lane before the readers are told.
const PIECE: usize = LANE / 8;

/// Longest contribution that goes through the lane; what is longer goes by messages.
///
/// With two ranks a message takes fewer copies or an earlier start than the lane (microseconds, lane and
/// message: gather of 8 KiB 1.64 and 1.48, of 64 KiB 5.2 and 4.9, scatter of 64 KiB 9.7 and 8.5, all-to-all of
/// 8 KiB 1.8 and 2.2, of 64 KiB 8.9 and 7.0, allgather of 64 KiB 8.8 and 12.1). `two` is the limit for them.
#[inline(always)]
fn limit<N: Net>(coll: &Coll<'_, N>, two: usize) -> u64 {
    match coll.size {
        2 => two as u64,
        _ => LANE as u64,
    }
}

/// [`limit`] of an all-to-all of two ranks.
const ALLTOALL: usize = LANE / 4;

/// Writes one block that everybody (or `reader`) reads.
async fn write_block<N: Net>(
    turn: &Turn<'_, '_, N>,
    block: &Data,
    reader: Option<usize>,
    limit: u64,
) {
    let length = block.bytes();
    let notify = || match reader {
        Some(rank) => turn.area.notify_one(rank),
        None => turn.area.notify(),
    };
    turn.slot().await;
    turn.area.write(turn.number, length, |slot| {
        block.pack(0, slot);
    });
    notify();
    if is_short(length) || length > limit {
        return;
    }
    turn.lane(reader).await;
    for start in (0..length as usize).step_by(PIECE) {
        let bytes = PIECE.min(length as usize - start);
        turn.area.fill_lane(start, bytes, |lane| {
            block.pack(start as u64, lane);
        });
        turn.area.step(turn.number, (start / PIECE) as u64 + 1);
        notify();
    }
}

/// Reads the block that `rank` has written, which must fit its lane; its length was announced.
async fn read_block<N: Net>(turn: &Turn<'_, '_, N>, rank: usize, block: &Data) {
    let (length, bytes) = turn.area.contribution(rank, turn.number);
    if is_short(length) {
        block.unpack(0, bytes);
        return;
    }
    for start in (0..length as usize).step_by(PIECE) {
        turn.stepped(rank, (start / PIECE) as u64 + 1).await;
        let bytes = PIECE.min(length as usize - start);
        block.unpack(start as u64, turn.area.lane(rank, start, bytes));
    }
}

/// Reads the blocks of all other ranks and ends the turn. Those above the limit come as messages, which are under
/// way then.
async fn read_blocks<'c, 'n, N: Net>(
    coll: &'c Coll<'n, N>,
    turn: &Turn<'_, '_, N>,
    recv: &Blocks,
    limit: u64,
) -> Several<'c, 'n, N> {
    let (mut long, mut lanes) = (coll.several(), false);
    for rank in turn.others() {
        let block = recv.get(rank);
        turn.contributed(rank).await;
        let (length, _) = turn.area.contribution(rank, turn.number);
        if length > limit {
            long.recv(block, rank);
            continue;
        }
        lanes |= !is_short(length);
        read_block(turn, rank, &block).await;
        turn.agree(rank, length, block.bytes());
    }
    if lanes {
        turn.leave_lanes();
    }
    turn.area.end(turn.number, true);
    long
}

/// One block from every rank to `root`, which alone gives `recv`; `send` is `None` where it is in place.
pub(in crate::coll) async fn gather<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: Option<&Blocks>,
    root: usize,
) {
    let turn = Turn::begin(coll);
    let limit = limit(coll, SLOT);
    match (send, recv) {
        (_, Some(recv)) => {
            read_blocks(coll, &turn, recv, limit).await.done().await;
        }
        (Some(send), None) => {
            write_block(&turn, send, Some(root), limit).await;
            turn.area.end(turn.number, false);
            if send.bytes() > limit {
                coll.send(send.clone(), root).await;
            }
        }
        (None, None) => unreachable!("only the root's block can be in place"),
    }
}

/// One block from every rank to all; `send` is `None` where it is in place.
pub(in crate::coll) async fn allgather<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Blocks,
) {
    let turn = Turn::begin(coll);
    let limit = limit(coll, LANE);
    let own = match send {
        Some(send) => send.clone(),
        None => recv.get(coll.rank),
    };
    write_block(&turn, &own, None, limit).await;
    // While the others come.
    if let Some(send) = send {
        coll.copy(send, &recv.get(coll.rank));
    }
    let mut long = read_blocks(coll, &turn, recv, limit).await;
    if own.bytes() > limit {
        turn.others().for_each(|rank| long.send(own.clone(), rank));
    }
    long.done().await;
}

/// A block for each other rank, as they lie in a slot or a lane: their lengths in 32 bits each, then the
/// blocks, all in the order of the ranks after the owner.
struct Row {
    blocks: usize,
}

/// Blocks begin at multiples of this.
const ALIGNMENT: u64 = 8;
/// Bytes of a length.
const WORD: usize = 4;

impl Row {
    /// Where the first block begins.
    fn head(&self) -> u64 {
        ((self.blocks * WORD) as u64).next_multiple_of(ALIGNMENT)
    }

    /// Bytes of a row of blocks of these lengths.
    fn length(&self, lengths: impl Iterator<Item = u64>) -> u64 {
        lengths.fold(self.head(), |sum, length| {
            sum.saturating_add(length.saturating_add(ALIGNMENT - 1) & !(ALIGNMENT - 1))
        })
    }

    fn write_table(&self, table: &mut [u8], lengths: impl Iterator<Item = u64>) {
        for (word, length) in table.chunks_exact_mut(WORD).zip(lengths) {
            word.copy_from_slice(&(length as u32).to_ne_bytes());
        }
    }

    /// Where block `index` lies.
    fn find(&self, table: &[u8], index: usize) -> (usize, usize) {
        let words = table[..self.blocks * WORD].chunks_exact(WORD);
        let mut lengths = words.map(|word| {
            let bytes = word.try_into().expect("a word has four bytes");
            u64::from(u32::from_ne_bytes(bytes))
        });
        let before = self.length(lengths.by_ref().take(index));
        (before as usize, lengths.next().unwrap_or(0) as usize)
    }
}

/// Writes a row; its length. `block` gives what is for a rank.
async fn write_row<N: Net>(
    turn: &Turn<'_, '_, N>,
    block: impl Fn(usize) -> Data,
    limit: u64,
) -> u64 {
    let row = Row {
        blocks: turn.coll.size - 1,
    };
    let lengths = || turn.others().map(|rank| block(rank).bytes());
    let length = row.length(lengths());
    turn.slot().await;
    turn.area.write(turn.number, length, |slot| {
        row.write_table(&mut slot[..row.head() as usize], lengths());
        let mut start = row.head();
        for data in turn.others().map(&block) {
            data.pack(0, &mut slot[start as usize..]);
            start += data.bytes().next_multiple_of(ALIGNMENT);
        }
    });
    turn.area.notify();
    if is_short(length) || length > limit {
        return length;
    }
    turn.lane(None).await;
    let mut start = row.head() as usize;
    turn.area
        .fill_lane(0, start, |lane| row.write_table(lane, lengths()));
    for (index, data) in turn.others().map(&block).enumerate() {
        turn.area
            .fill_lane(start, data.bytes() as usize, |lane| _ = data.pack(0, lane));
        start += data.bytes().next_multiple_of(ALIGNMENT) as usize;
        turn.step(index as u64 + 1);
    }
    length
}

/// Reads this rank's block of the row that `rank` has announced, which must fit its lane.
async fn read_row<N: Net>(turn: &Turn<'_, '_, N>, rank: usize, block: &Data) {
    let coll = turn.coll;
    let row = Row {
        blocks: coll.size - 1,
    };
    // The distance from the writer to here, less one.
    let index = coll.relative(rank) - 1;
    let (length, bytes) = turn.area.contribution(rank, turn.number);
    let found = if is_short(length) {
        let (start, found) = row.find(bytes, index);
        block.unpack(0, &bytes[start..start + found]);
        found
    } else {
        turn.stepped(rank, index as u64 + 1).await;
        let (start, found) = row.find(turn.area.lane(rank, 0, row.head() as usize), index);
        block.unpack(0, turn.area.lane(rank, start, found));
        found
    };
    turn.agree(rank, found as u64, block.bytes());
}

/// A block of the root's `send`, which it alone gives, to every other rank's `recv`.
pub(in crate::coll) async fn scatter<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Blocks>,
    recv: Option<&Data>,
    root: usize,
) {
    let turn = Turn::begin(coll);
    let limit = limit(coll, SLOT);
    match (send, recv) {
        (Some(send), _) => {
            let length = write_row(&turn, |rank| send.get(rank), limit).await;
            turn.area.end(turn.number, false);
            if length > limit {
                let mut long = coll.several();
                turn.others()
                    .for_each(|rank| long.send(send.get(rank), rank));
                long.done().await;
            }
        }
        (None, Some(recv)) => {
            turn.contributed(root).await;
            let (length, _) = turn.area.contribution(root, turn.number);
            if length <= limit {
                read_row(&turn, root, recv).await;
                if !is_short(length) {
                    turn.leave_lanes();
                }
            }
            turn.area.end(turn.number, false);
            if length > limit {
                coll.recv(recv.clone(), root).await;
            }
        }
        (None, None) => unreachable!("only the root's block can be in place"),
    }
}

/// A block of `send` to every other rank, whose `recv` it enters; `send` is `None` where the data is in place.
pub(in crate::coll) async fn alltoall<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Blocks>,
    recv: &Blocks,
) {
    let turn = Turn::begin(coll);
    let limit = limit(coll, ALLTOALL);
    let out = send.unwrap_or(recv);
    let own = write_row(&turn, |rank| out.get(rank), limit).await;
    // While the others come.
    if let Some(send) = send {
        coll.copy(&send.get(coll.rank), &recv.get(coll.rank));
    }
    // Messages leave when others have been received; what is in place must be kept until then.
    let kept = match send {
        None if own > limit => Some(Copy::new(coll, recv)),
        _ => None,
    };
    let mut several = coll.several();
    let mut lanes = false;
    for rank in turn.others() {
        let block = recv.get(rank);
        turn.contributed(rank).await;
        let (length, _) = turn.area.contribution(rank, turn.number);
        if length > limit {
            several.recv(block, rank);
            continue;
        }
        lanes |= !is_short(length);
        read_row(&turn, rank, &block).await;
    }
    if lanes {
        turn.leave_lanes();
    }
    turn.area.end(turn.number, true);
    if own > limit {
        for rank in turn.others() {
            let block = match &kept {
                Some(copy) => copy.block(rank),
                None => out.get(rank),
            };
            several.send(block, rank);
        }
    }
    several.done().await;
}

/// All blocks of a buffer, packed.
struct Copy {
    packed: Temp,
    starts: Vec<u64>,
}

impl Copy {
    fn new<N: Net>(coll: &Coll<'_, N>, blocks: &Blocks) -> Copy {
        let mut starts = vec![0];
        for rank in 0..coll.size {
            starts.push(starts[rank] + blocks.bytes(rank));
        }
        let packed = coll.room(starts[coll.size]);
        pack(blocks, 0, coll.size, coll.size, &packed.data());
        Copy { packed, starts }
    }

    fn block(&self, rank: usize) -> Data {
        let start = self.starts[rank];
        self.packed.part(start, self.starts[rank + 1] - start)
    }
}

//! Reductions: every rank writes its contribution, whoever needs the result combines them in rank order.
//!
//! On few ranks everybody combines everything, which takes one exchange. On more, long data is cut: each
//! rank combines a share of it and the others copy that. In either case all ranks get the same bits.

use super::{Turn, is_short};
use crate::coll::blocks::{Temp, share_start};
use crate::coll::net::{Coll, Net};
use crate::coll::select::Shape;
use crate::datatype::Data;
use crate::op::Operation;
use crate::shm::collective::LANE;

/// Bytes of a lane that one step fills; the lane holds two.
const HALF: usize = LANE / 2;

/// Whether elements can be combined here: a share must hold one at least.
pub(in crate::coll) fn reduces(shape: &Shape) -> bool {
    let element = shape.bytes.checked_div(shape.count).unwrap_or(0);
    shape.shared && element <= (HALF / shape.size) as u64
}

/// Combines packed contributions.
struct Fold<'a> {
    op: &'a Operation,
    /// Elements as the operation wants them, where packed ones are not.
    temp: Option<Temp>,
}

impl<'a> Fold<'a> {
    /// For at most `count` elements of `like` at a time.
    fn new(op: &'a Operation, like: &Data, count: u64) -> Fold<'a> {
        let plain = like.datatype.is_contiguous() && like.datatype.true_lb() == 0;
        let temp = (!plain).then(|| Temp::of(count.min(like.count), &like.datatype));
        Fold { op, temp }
    }

    /// `acc = packed op acc`.
    #[inline]
    fn apply<N: Net>(&self, coll: &Coll<'_, N>, packed: &[u8], acc: &Data) {
        let result = match &self.temp {
            None => {
                let input = packed.as_ptr();
                self.op.apply(input, acc.base, acc.count, &acc.datatype)
            }
            Some(temp) => {
                let input = temp.part(0, acc.count);
                input.unpack(0, packed);
                self.op
                    .apply(input.base, acc.base, acc.count, &acc.datatype)
            }
        };
        coll.check(result);
    }
}

/// Combines every rank's `send` in rank order into every rank's `recv`; `send` is `None` where it is in
/// place.
pub(in crate::coll) async fn allreduce<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Data,
    op: &Operation,
) {
    let turn = Turn::begin(coll);
    let length = recv.bytes();
    let own = send.unwrap_or(recv);
    turn.slot().await;
    if is_short(length) {
        turn.area.write(turn.number, length, |slot| {
            own.pack(0, slot);
        });
        turn.area.notify();
        if agreed(&turn, length).await {
            let fold = Fold::new(op, recv, recv.count);
            let packed = |rank| turn.area.contribution(rank, turn.number).1;
            recv.unpack(0, packed(coll.size - 1));
            for rank in (0..coll.size - 1).rev() {
                fold.apply(coll, packed(rank), recv);
            }
        }
    } else {
        long(&turn, own, recv, op).await;
    }
    turn.area.end(turn.number, true);
}

/// Waits for all contributions; says whether all have the length `expected`, which all ranks say alike.
async fn agreed<N: Net>(turn: &Turn<'_, '_, N>, expected: u64) -> bool {
    let mut agreed = true;
    for rank in turn.others() {
        turn.contributed(rank).await;
        let (length, _) = turn.area.contribution(rank, turn.number);
        agreed &= turn.agree(rank, length, expected);
    }
    agreed
}

/// Data that passes through the lanes, half a lane at a time.
struct Passage<'d> {
    own: &'d Data,
    /// Elements of a pass.
    elements: u64,
    passes: u64,
}

impl<'d> Passage<'d> {
    fn new(own: &'d Data) -> Passage<'d> {
        let elements = HALF as u64 / own.datatype.size();
        Passage {
            own,
            elements,
            passes: own.count.div_ceil(elements),
        }
    }

    /// Bytes of the lane where a pass begins.
    fn place(pass: u64) -> usize {
        pass as usize % 2 * HALF
    }

    /// Elements of a pass of a buffer of this length.
    fn part(&self, data: &Data, pass: u64) -> Data {
        data.part(pass * self.elements, self.elements)
    }

    /// Writes a pass to this rank's lane.
    fn fill<N: Net>(&self, turn: &Turn<'_, '_, N>, pass: u64) {
        let part = self.part(self.own, pass);
        let bytes = part.bytes() as usize;
        turn.area.fill_lane(Self::place(pass), bytes, |lane| {
            part.pack(0, lane);
        });
    }
}

/// Ranks up to which everybody combines everything.
const FEW: usize = 2;

async fn long<N: Net>(turn: &Turn<'_, '_, N>, own: &Data, recv: &Data, op: &Operation) {
    let (area, length) = (turn.area, recv.bytes());
    turn.lane(area.lanes_due(turn.number)).await;
    let passage = Passage::new(own);
    passage.fill(turn, 0);
    area.write(turn.number, length, |_| ());
    area.notify();
    if agreed(turn, length).await {
        match turn.coll.size <= FEW {
            true => everything(turn, &passage, recv, op).await,
            false => shares(turn, &passage, recv, op).await,
        }
    }
    turn.leave_lanes();
}

/// Everybody combines everything. Step 2k - 1 says that pass k has been written (pass 0 is with the
/// contribution), step 2k + 2 that it has been read.
async fn everything<N: Net>(
    turn: &Turn<'_, '_, N>,
    passage: &Passage<'_>,
    recv: &Data,
    op: &Operation,
) {
    let coll = turn.coll;
    let fold = Fold::new(op, recv, passage.elements);
    for pass in 0..passage.passes {
        let next = pass + 1;
        if next < passage.passes {
            if next >= 2 {
                turn.all_stepped(2 * (next - 2) + 2).await;
            }
            passage.fill(turn, next);
            turn.step(2 * next - 1);
        }
        if pass > 0 {
            turn.all_stepped(2 * pass - 1).await;
        }
        let acc = passage.part(recv, pass);
        let bytes = acc.bytes() as usize;
        let packed = |rank| turn.area.lane(rank, Passage::place(pass), bytes);
        acc.unpack(0, packed(coll.size - 1));
        for rank in (0..coll.size - 1).rev() {
            fold.apply(coll, packed(rank), &acc);
        }
        turn.step(2 * pass + 2);
    }
}

/// Each rank combines a share. Step 2k says that pass k has been written (pass 0 is with the
/// contribution), step 2k + 1 that the rank's share of its result has.
async fn shares<N: Net>(
    turn: &Turn<'_, '_, N>,
    passage: &Passage<'_>,
    recv: &Data,
    op: &Operation,
) {
    let coll = turn.coll;
    let fold = Fold::new(op, recv, passage.elements.div_ceil(coll.size as u64));
    let element = recv.datatype.size();
    for pass in 0..passage.passes {
        let part = passage.part(recv, pass);
        let place = Passage::place(pass);
        // First element, elements, and first byte and bytes in the lane, of a rank's share.
        let share = |rank: usize| {
            let start = share_start(part.count, coll.size, rank);
            let end = share_start(part.count, coll.size, rank + 1);
            let bytes = ((end - start) * element) as usize;
            let data = part.part(start, end - start);
            (data, place + (start * element) as usize, bytes)
        };
        let (acc, start, bytes) = share(coll.rank);
        if pass > 0 {
            turn.all_stepped(2 * pass).await;
        }
        if bytes > 0 {
            let packed = |rank| turn.area.lane(rank, start, bytes);
            acc.unpack(0, packed(coll.size - 1));
            for rank in (0..coll.size - 1).rev() {
                fold.apply(coll, packed(rank), &acc);
            }
            // Nobody else reads this rank's share of its lane before the step.
            turn.area.fill_lane(start, bytes, |lane| {
                acc.pack(0, lane);
            });
        }
        turn.step(2 * pass + 1);
        let next = pass + 1;
        if next < passage.passes {
            // The other half: all have read its results, as they have written to theirs since.
            passage.fill(turn, next);
        }
        for rank in turn.others() {
            turn.stepped(rank, 2 * pass + 1).await;
            let (result, start, bytes) = share(rank);
            result.unpack(0, turn.area.lane(rank, start, bytes));
        }
        turn.step(2 * next);
    }
}

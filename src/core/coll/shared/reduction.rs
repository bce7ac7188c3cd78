//! Reductions: every rank writes its contribution, whoever needs the result combines them in rank order.
//!
//! Short data everybody who wants the result combines by itself, which takes one exchange. Long data is cut:
//! each rank combines a share of it and the others copy that. All ranks get the same bits.

use std::ops::Range;

use super::blockwise::allgather_new;
use super::chain::{Takers, Wanted};
use super::passes::{self, Passes};
use super::{SharedSpan, Turn, chain, is_short, pair};
use crate::coll::blocks::{Blocks, Temp, share, share_start};
use crate::coll::net::{Coll, Net};
use crate::coll::select::Shape;
use crate::datatype::Data;
use crate::error::Result;
use crate::op::{Operand, Operation};
use crate::shm::collective::{CollSegment, WINDOW};

/// Whether elements can be combined here: a share must hold one at least.
pub(in crate::coll) fn reduces(shape: &Shape) -> bool {
    let element = shape.bytes.checked_div(shape.count).unwrap_or(0);
    shape.shared && element * shape.size as u64 <= LONGEST_ELEMENT
}

/// From so many bytes of all ranks together on, what a slot holds is cut, too, if all need the result or one. That
/// is for more than two ranks with a core each: lines come from other caches at a rate, and fewer are read. For one
/// it begins later: who gives, and does not combine, is free at once.
const MANY_FOR_ALL: u64 = WINDOW as u64 / 4;
const MANY_FOR_ONE: u64 = WINDOW as u64 + 1;

/// Whether an allreduce of so many bytes of each rank is cut: each rank combines a share. All ranks come to the same answer.
#[inline]
pub(in crate::coll) fn cuts_for_all(coll_segment: &CollSegment, length: u64) -> bool {
    !is_short(length) || is_worth_cutting(coll_segment, length, MANY_FOR_ALL)
}

/// The same for a reduce.
#[inline]
pub(in crate::coll) fn cuts_for_one(coll_segment: &CollSegment, length: u64) -> bool {
    !is_short(length) || is_worth_cutting(coll_segment, length, MANY_FOR_ONE)
}

#[inline]
fn is_worth_cutting(coll_segment: &CollSegment, length: u64, many: u64) -> bool {
    let ranks = coll_segment.size() as u64;
    ranks > 2 && !coll_segment.crowded() && length * ranks >= many
}

/// Most bytes of one element of every rank.
pub(in crate::coll) const LONGEST_ELEMENT: u64 = WINDOW as u64;

/// Combines packed contributions.
struct Fold<'a> {
    op: &'a Operation,
    /// Elements as the operation wants them, where packed ones are not.
    temp: Option<Temp>,
    coll_segment: &'a CollSegment,
}

impl<'a> Fold<'a> {
    /// For at most `count` elements of `like` at a time.
    fn new<N: Net>(turn: &Turn<'_, 'a, N>, op: &'a Operation, like: &Data, count: u64) -> Fold<'a> {
        let plain = like.datatype.is_contiguous() && like.datatype.true_lb() == 0;
        let temp = (!plain).then(|| Temp::of(count.min(like.count), &like.datatype));
        let coll_segment = turn.coll_segment;
        Fold {
            op,
            temp,
            coll_segment,
        }
    }

    /// `acc` becomes the combination of the contributions of `ranks`, which are some: they lie packed in
    /// shared memory, this rank's maybe in `own`, which may be `acc` if that is the last one's.
    #[inline]
    fn all<'p, N: Net>(
        &self,
        coll: &Coll<'_, N>,
        ranks: Range<usize>,
        own: Option<&Data>,
        packed: impl Fn(usize) -> &'p [u8],
        acc: &Data,
    ) {
        let own = |rank| own.filter(|_| rank == coll.rank);
        let Some(temp) = &self.temp else {
            let elements = |rank| match own(rank) {
                Some(own) => Operand::of(own, false),
                None => Operand::packed(packed(rank), self.coll_segment.is_far(rank)),
            };
            coll.check(combine(self.op, ranks, elements, acc));
            return;
        };
        let last = ranks.end - 1;
        match own(last) {
            Some(own) if own.address() == acc.address() => {}
            Some(own) => _ = own.copy_to(acc),
            None => _ = acc.unpack(0, packed(last)),
        }
        for rank in (ranks.start..last).rev() {
            match own(rank) {
                Some(own) => coll.apply(self.op, own, acc),
                None => {
                    let input = temp.part(0, acc.count);
                    input.unpack(0, packed(rank));
                    coll.apply(self.op, &input, acc);
                }
            }
        }
    }
}

/// So many bytes of an operand that another processor has written are asked for while those before them are
/// combined. Where the operands are no longer, all are asked for at once.
const ASKED: usize = 1024;
/// From so many on: what is shorter comes with the number that says that it is there, or almost.
const SHORT: usize = 256;

/// Asks for the beginning of what another processor has written.
#[inline(never)]
fn ask(operand: Operand<'_>, bytes: usize) {
    if bytes >= SHORT {
        operand.ask(bytes.min(ASKED));
    }
}

/// `acc` becomes the combination, in their order, of what `ranks`, which are some, contribute: `elements` says where
/// that lies, without gaps; the last one's may be `acc`. Of more than two ranks these are short pieces of memory from other caches: each is
/// asked for while those after it are combined.
#[inline(always)]
pub(in crate::coll) fn combine<'e>(
    op: &Operation,
    ranks: Range<usize>,
    elements: impl Fn(usize) -> Operand<'e>,
    acc: &Data,
) -> Result<()> {
    let (count, datatype) = (acc.count, &acc.datatype);
    let last = ranks.end - 1;
    let mut rest = ranks.start..last;
    let Some(next) = rest.next_back() else {
        elements(last).copy_to(&acc.into());
        return Ok(());
    };
    let bytes = || count as usize * datatype.size() as usize;
    if !rest.is_empty() {
        let bytes = bytes();
        let all = bytes <= ASKED;
        for rank in if all { rest.clone() } else { next - 1..next } {
            ask(elements(rank), bytes);
        }
    }
    op.combine(elements(next), elements(last), acc)?;
    for rank in rest.rev() {
        let so_far = Operand::of(acc, false);
        if rank > ranks.start && bytes() > ASKED {
            ask(elements(rank - 1), bytes());
        }
        op.combine(elements(rank), so_far, acc)?;
    }
    Ok(())
}

/// Waits for the contributions of the ranks below `end`; says whether all have the length `expected`, which all these ranks
/// say alike.
pub(super) async fn agreed<N: Net>(turn: &Turn<'_, '_, N>, expected: u64, end: usize) -> bool {
    let (mut agreed, mut offers) = (true, false);
    for rank in turn.others().filter(|rank| *rank < end) {
        turn.contributed(rank).await;
        if let Some(offer) = turn.coll_segment.offered(rank, turn.number, 0) {
            // Only where lengths do not agree.
            turn.agree(rank, offer.length, expected);
            (agreed, offers) = (false, true);
            continue;
        }
        let (length, _) = turn.coll_segment.contribution(rank, turn.number);
        agreed &= turn.agree(rank, length, expected);
    }
    if offers {
        turn.deal();
    }
    agreed
}

/// Contributes `own`, which is short. `away`: only the others read it there.
async fn contribute<N: Net>(turn: &Turn<'_, '_, N>, own: &Data, away: bool) {
    let fill = |slot: &mut [u8]| _ = own.pack_shared(0, slot);
    match away {
        true => turn.give(own.bytes(), fill).await,
        false => turn.write(own.bytes(), fill).await,
    }
    turn.coll_segment.notify();
}

/// What is combined of `own`: a copy in `room`, where the result, or what comes there first, would change it.
fn keep(own: Data, scratch: Option<&Temp>) -> Data {
    let Some(scratch) = scratch else {
        return own;
    };
    let kept = scratch.part(0, own.count);
    own.copy_to(&kept);
    kept
}

/// Combines every rank's `send` in rank order into every rank's `recv`; `send` is `None` where it is in
/// place.
pub(in crate::coll) async fn allreduce<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Data,
    op: &Operation,
) {
    let mut turn = Turn::begin(coll);
    let own = send.unwrap_or(recv);
    if pair::reduces_to_both(&turn, recv.bytes()) {
        if pair::allreduce(&turn, own, recv, op).await {
            return;
        }
        turn = Turn::begin(coll);
    }
    if !cuts_for_all(turn.coll_segment, recv.bytes()) {
        contribute(&turn, own, send.is_some() || coll.size == 2).await;
        if agreed(&turn, recv.bytes(), coll.size).await {
            // Of two ranks, only the other one reads what is handed over.
            let in_place = send.is_none() && turn.coll_segment.gone(turn.number).is_some();
            // The other one's comes into the result before rank 0's.
            let scratch = (in_place && coll.rank == 0).then(|| Temp::like(recv));
            let own = match in_place {
                true => Some(keep(recv.clone(), scratch.as_ref())),
                false => send.cloned(),
            };
            let fold = Fold::new(&turn, op, recv, recv.count);
            let packed = |rank| turn.coll_segment.contribution(rank, turn.number).1;
            fold.all(coll, 0..coll.size, own.as_ref(), packed, recv);
        }
    } else if goes_by_halves(&turn, recv.bytes()) {
        let starts = [0, 1, 2].map(|rank| share_start(recv.count, 2, rank));
        let (in_place, result) = (send.is_none(), share(recv, 2, coll.rank));
        // Who gives another length has no second part.
        if !swap_blocks(&turn, own, in_place, &starts, &result, op).await {
            return;
        }
        let places = (0..2).map(|rank| (starts[rank + 1] - starts[rank], starts[rank] as i64));
        let halves = Blocks::parts(recv, places);
        return allgather_new(coll, &halves).await;
    } else if coll.size == 2 {
        let all = Swap {
            out: own.clone(),
            own: own.clone(),
            result: recv.clone(),
            most: own.count,
            total: own.bytes(),
            in_place: send.is_none(),
        };
        all.run(&turn, op).await;
        return;
    } else if chain::reduces(&turn, recv.bytes()) {
        let wanted = Wanted { to: recv, first: 0 };
        return chain::reduce(&turn, own, op, Takers::All, Some(wanted)).await;
    } else {
        return shares(&turn, own, Some(recv), op).await;
    }
    turn.coll_segment.end(turn.number, true);
}

/// Combines every rank's `send` in rank order into `recv` of the root, which alone gives it; `send` is
/// `None` where it is in place.
pub(in crate::coll) async fn reduce<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: Option<&Data>,
    op: &Operation,
    root: usize,
) {
    let Some(own) = send.or(recv) else {
        return;
    };
    let turn = Turn::begin(coll);
    let length = own.bytes();
    if pair::reduces_to_one(&turn, length) {
        match recv {
            None => {
                if pair::give(&turn, own, None, root).await {
                    return;
                }
            }
            Some(recv) => {
                let other = 1 - root;
                turn.contributed(other).await;
                if let Some(offer) = turn.coll_segment.offered(other, turn.number, 0) {
                    match turn.agree(other, offer.length, length) {
                        true => pair::take(&turn, own, recv, op, offer, false).await,
                        false => turn.deal(),
                    }
                    return turn.coll_segment.end(turn.number, true);
                }
            }
        }
    }
    if chain::reduces(&turn, length) {
        let wanted = recv.map(|to| Wanted { to, first: 0 });
        return chain::reduce(&turn, own, op, Takers::One(root), wanted).await;
    }
    if cuts_for_one(turn.coll_segment, length) {
        let others = coll.size as u64 - 1;
        let alone = others == 1 || length.saturating_mul(others) <= alone(&turn);
        return match alone && !is_short(length) {
            true => to_root(&turn, own, recv, op, root).await,
            false => shares(&turn, own, recv, op).await,
        };
    }
    match recv {
        None => {
            let fill = |slot: &mut [u8]| _ = own.pack_shared(0, slot);
            turn.give(length, fill).await;
            turn.coll_segment.notify_one(root);
        }
        Some(recv) => {
            // Nobody reads it there, but who expects another length waits for this one's.
            match send {
                Some(_) => turn.announce(length).await,
                None => contribute(&turn, own, false).await,
            }
            if agreed(&turn, recv.bytes(), coll.size).await {
                let fold = Fold::new(&turn, op, recv, recv.count);
                let packed = |rank| turn.coll_segment.contribution(rank, turn.number).1;
                fold.all(coll, 0..coll.size, send, packed, recv);
            }
        }
    }
    turn.coll_segment.end(turn.number, recv.is_some());
}

/// Up to so many bytes of all others together a root combines everything by itself. It hears of them once, where cutting takes
/// two exchanges and copies more. With a core each the others would look on.
fn alone<N: Net>(turn: &Turn<'_, '_, N>) -> u64 {
    match turn.coll_segment.crowded() {
        true => 256 << 10,
        false => 64 << 10,
    }
}

/// Data that is cut into passes.
struct Cut<'d> {
    own: &'d Data,
    elements: u64,
    passes: u64,
    /// The result does not come where the contribution is.
    apart: bool,
}

impl Cut<'_> {
    /// A pass of a buffer of this length.
    fn part(&self, data: &Data, pass: u64) -> Data {
        data.part(pass * self.elements, self.elements)
    }
}

/// Bytes of a pass to the root, which hold an element at least: fewer where the whole fits into a window, so that the root can begin
/// earlier.
fn pass_of(coll_segment: &CollSegment, total: u64, element: u64) -> usize {
    let short = coll_segment.tuning().reduce_pass;
    match total > WINDOW as u64 || element > short as u64 {
        true => coll_segment.window() / 2,
        false => short,
    }
}

/// Everybody writes, the root combines. A writer's step counts what it has written, the root's what it has
/// read.
async fn to_root<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    recv: Option<&Data>,
    op: &Operation,
    root: usize,
) {
    let (coll, coll_segment) = (turn.coll, turn.coll_segment);
    let bytes = pass_of(coll_segment, own.bytes(), own.datatype.size());
    let elements = bytes as u64 / own.datatype.size();
    let passes = own.count.div_ceil(elements);
    let fill = |span: SharedSpan, pass: u64| {
        let part = own.part(pass * elements, elements);
        let place = span.place(pass, bytes);
        turn.put(span, place, &part);
    };
    let Some(recv) = recv else {
        coll_segment.hand_over(turn.number, own.bytes());
        let span = turn.lay(own.bytes(), Some(root)).await;
        turn.write(own.bytes(), |_| ()).await;
        coll_segment.notify_one(root);
        let places = span.places(bytes);
        for pass in 0..passes {
            if pass >= places {
                turn.stepped(root, pass - places + 1).await;
            }
            fill(span, pass);
            coll_segment.step(turn.number, pass + 1);
            coll_segment.notify_one(root);
        }
        return coll_segment.end(turn.number, false);
    };
    let span = turn.lay(own.bytes(), Some(root)).await;
    // Where the result comes in its place, the contribution is kept in the root's own lane.
    let apart = recv.address() != own.address();
    match apart {
        true => turn.announce(own.bytes()).await,
        false => turn.write(own.bytes(), |_| ()).await,
    }
    if agreed(turn, own.bytes(), coll.size).await {
        // More than two ranks hand nothing over.
        let others = turn.lies(coll.after(1), own.bytes());
        let fold = Fold::new(turn, op, recv, elements);
        for pass in 0..passes {
            turn.all_stepped(pass + 1).await;
            if !apart {
                fill(span, pass);
            }
            let acc = recv.part(pass * elements, elements);
            let packed = |rank| {
                let span = if rank == root { span } else { others };
                let place = span.place(pass, bytes);
                turn.bytes(rank, span, place, acc.bytes() as usize)
            };
            let own = apart.then(|| own.part(pass * elements, elements));
            fold.all(coll, 0..coll.size, own.as_ref(), packed, &acc);
            turn.step(pass + 1);
        }
    }
    turn.leave_lanes();
    coll_segment.end(turn.number, true);
}

/// Passes that each of two ranks writes before it reads one: what an exchange buffer holds.
const AHEAD: u64 = 2;

/// Each of two ranks writes what the other one combines with its own.
///
/// In an allreduce that is all, or half of it ([`goes_by_halves`]).
/// A step counts the passes that a rank has written and those that it has read: it writes [`AHEAD`], and then reads one and
/// writes one in turn. Shorter passes, more of them ahead, are slower.
/// Where both contributions lie in exchange buffers, a rank writes each pass where it has just read one, to lines that it has.
struct Swap {
    /// What this rank writes.
    out: Data,
    /// What it combines.
    own: Data,
    result: Data,
    /// Most elements of either rank's.
    most: u64,
    /// Bytes that each says that it contributes.
    total: u64,
    /// The result comes where `out` and `own` are.
    in_place: bool,
}

impl Swap {
    /// Room for as much as `part` of what this rank combines, where the result would change it: what is last may be where that
    /// comes.
    fn scratch(&self, rank: usize, part: &Data) -> Option<Temp> {
        let keeps = self.in_place && (rank == 0 || self.own.address() != self.result.address());
        keeps.then(|| Temp::like(part))
    }

    /// [`run`](Self::run) of what is short in all: each contributes `out`, and finds whether that is what it expects.
    async fn run_short<N: Net>(&self, turn: &Turn<'_, '_, N>, op: &Operation) -> bool {
        let (coll, bytes) = (turn.coll, self.own.bytes());
        contribute(turn, &self.out, true).await;
        let agreed = agreed(turn, bytes, coll.size).await;
        if agreed && bytes > 0 {
            let scratch = self.scratch(coll.rank, &self.own);
            let own = keep(self.own.clone(), scratch.as_ref());
            let fold = Fold::new(turn, op, &self.result, self.result.count);
            let packed = |rank| turn.coll_segment.contribution(rank, turn.number).1;
            fold.all(coll, 0..coll.size, Some(&own), packed, &self.result);
        }
        turn.coll_segment.end(turn.number, true);
        agreed
    }

    /// Says whether both ranks agree about lengths, as both find.
    async fn run<N: Net>(&self, turn: &Turn<'_, '_, N>, op: &Operation) -> bool {
        let (coll, coll_segment) = (turn.coll, turn.coll_segment);
        let other = 1 - coll.rank;
        let element = self.own.datatype.size();
        let bytes = self.most * element;
        // Both think of the same passes, though only one of them may have an exchange buffer left.
        let (window, block) = (coll_segment.window(), coll_segment.block());
        let whole = block > window && bytes <= window as u64;
        let piece = [block / AHEAD as usize, window][usize::from(whole)];
        let elements = piece as u64 / element;
        let mut passes = self.most.div_ceil(elements);
        let written = |pass: u64| pass + pass.saturating_sub(AHEAD - 1);
        let read = |pass: u64| AHEAD + 2 * pass;
        let part = |data: &Data, pass: u64| data.part(pass * elements, elements);
        let fold = Fold::new(turn, op, &self.result, elements);
        let scratch = self.scratch(coll.rank, &part(&self.own, 0));
        coll_segment.hand_over(turn.number, bytes.min(coll_segment.block() as u64));
        let mine = turn.lay(bytes, None).await;
        let fill = |span: SharedSpan, pass: u64| {
            turn.put(span, span.place(pass, piece), &part(&self.out, pass));
        };
        fill(mine, 0);
        turn.place(self.total).await;
        coll_segment.write_remark(turn.number, self.total, self.out.bytes());
        coll_segment.notify();
        for pass in 1..AHEAD.min(passes) {
            fill(mine, pass);
            turn.step(written(pass));
        }
        // Of as many bytes in all, ranks may mean other blocks: then each would think of the passes, and of who has which exchange buffer
        // in the end, in its own way.
        let agreed = agreed(turn, self.total, coll.size).await
            && turn.agree(
                other,
                coll_segment.remark(other, turn.number),
                self.own.bytes(),
            );
        if agreed {
            let theirs = turn.lies(other, bytes);
            // Both change hands as often.
            let change = passes > AHEAD && mine.is_exchange_buffer() && theirs.is_exchange_buffer();
            if change {
                passes = passes.next_multiple_of(AHEAD);
            }
            // This rank's and the other one's.
            let spans = |pass: u64| match change && !(pass / AHEAD).is_multiple_of(2) {
                true => (theirs, mine),
                false => (mine, theirs),
            };
            let places = mine.places(piece);
            for pass in 0..passes {
                if pass > 0 {
                    turn.stepped(other, written(pass)).await;
                }
                let acc = part(&self.result, pass);
                let (own, bytes) = (part(&self.own, pass), acc.bytes() as usize);
                let own = keep(own, scratch.as_ref());
                let theirs = spans(pass).1;
                let packed = |_| turn.bytes(other, theirs, theirs.place(pass, piece), bytes);
                fold.all(coll, 0..coll.size, Some(&own), packed, &acc);
                turn.step(read(pass));
                let next = pass + AHEAD;
                if next < passes {
                    if next >= places && !change {
                        turn.stepped(other, read(next - places)).await;
                    }
                    fill(spans(next).0, next);
                    turn.step(written(next));
                }
            }
            turn.keep(spans(passes - 1).1);
        }
        turn.leave_lanes();
        coll_segment.end(turn.number, true);
        agreed
    }
}

/// [`reduce_scatter`] of two ranks; says whether they agree about lengths, as both find unless all is short.
async fn swap_blocks<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    in_place: bool,
    starts: &[u64],
    result: &Data,
    op: &Operation,
) -> bool {
    let rank = turn.coll.rank;
    let block = |rank: usize| own.part(starts[rank], starts[rank + 1] - starts[rank]);
    let blocks = Swap {
        out: block(1 - rank),
        own: block(rank),
        result: result.clone(),
        most: starts[1].max(starts[2] - starts[1]),
        total: own.bytes(),
        in_place,
    };
    match is_short(own.bytes()) {
        true => blocks.run_short(turn, op).await,
        false => blocks.run(turn, op).await,
    }
}

/// Whether each of two ranks combines one half of an allreduce of so many bytes, and then gives it to the other one; both come to
/// the same answer.
fn goes_by_halves<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    let longest = turn.coll_segment.tuning().allreduce_by_halves as u64;
    let fits = turn.coll.size == 2 && !turn.coll_segment.crowded();
    fits && (WINDOW as u64..=longest).contains(&length)
}

/// Each rank combines a share, and those who want the result copy all shares. Step 2k says that pass k has been
/// written (pass 0 comes with the contribution). Step 2k + 1 says that the rank's share of its result has.
async fn shares<N: Net>(turn: &Turn<'_, '_, N>, own: &Data, recv: Option<&Data>, op: &Operation) {
    let coll = turn.coll;
    let bytes = Passes::bytes(turn);
    let elements = bytes as u64 / own.datatype.size();
    let passes = own.count.div_ceil(elements);
    let lanes = Passes::of(turn, bytes, passes);
    let cut = &Cut {
        own,
        elements,
        passes,
        apart: recv.is_none_or(|recv| recv.address() != own.address()),
    };
    let most = cut.elements.div_ceil(coll.size as u64);
    let fold = Fold::new(turn, op, own, most);
    let element = own.datatype.size();
    // Who does not want the result combines its share in memory of its own.
    let scratch = match recv {
        Some(_) => Temp::of(0, &cut.own.datatype),
        None => Temp::of(most, &cut.own.datatype),
    };
    // First element and elements of a rank's share in a pass.
    let share = |rank: usize, pass: u64| {
        let count = cut.elements.min(cut.own.count - pass * cut.elements);
        let start = share_start(count, coll.size, rank);
        (start, share_start(count, coll.size, rank + 1) - start)
    };
    let write = |pass: u64, first: u64, data: Data| {
        let start = lanes.start(pass) + (first * element) as usize;
        turn.put(lanes.span(), start, &data);
    };
    // What this rank combines itself it reads where it is, unless the result goes there.
    let fill = |pass: u64| {
        let part = cut.part(cut.own, pass);
        if cut.apart {
            let (first, count) = share(coll.rank, pass);
            let end = first + count;
            write(pass, 0, part.part(0, first));
            write(pass, end, part.part(end, part.count - end));
        } else {
            write(pass, 0, part);
        }
    };
    passes::begin(turn, lanes, own.bytes(), fill).await;
    let passes = match agreed(turn, own.bytes(), coll.size).await {
        true => cut.passes,
        false => 0,
    };
    let lane = |rank: usize, pass: u64, first: u64, count: u64| {
        let start = lanes.start(pass) + (first * element) as usize;
        turn.coll_segment
            .lane(rank, start, (count * element) as usize)
    };
    for pass in 0..passes {
        if pass > 0 {
            turn.all_stepped(2 * pass).await;
        }
        let (first, count) = share(coll.rank, pass);
        if count > 0 {
            let acc = match recv {
                Some(recv) => cut.part(recv, pass).part(first, count),
                None => scratch.part(0, count),
            };
            let own = cut
                .apart
                .then(|| cut.part(cut.own, pass).part(first, count));
            let packed = |rank| lane(rank, pass, first, count);
            fold.all(coll, 0..coll.size, own.as_ref(), packed, &acc);
            // Nobody else reads this rank's share of its lane before the step.
            write(pass, first, acc);
        }
        turn.step(2 * pass + 1);
        let next = pass + 1;
        if next < passes {
            // Another place: all have read its results, as they have written to theirs since.
            fill(next);
        }
        for rank in turn.others() {
            turn.stepped(rank, 2 * pass + 1).await;
            if let Some(recv) = recv {
                let (coll_segment, next) = (turn.coll_segment, (rank + 1) % coll.size);
                if coll_segment.is_far(next)
                    && coll_segment
                        .stepped(next, turn.number, 2 * pass + 1)
                        .ready()
                {
                    let (first, count) = share(next, pass);
                    let results = lane(next, pass, first, count);
                    ask(Operand::packed(results, true), results.len());
                }
                let (first, count) = share(rank, pass);
                let result = cut.part(recv, pass).part(first, count);
                result.unpack(0, lane(rank, pass, first, count));
            }
        }
        turn.step(2 * next);
    }
    turn.leave_lanes();
    turn.coll_segment.end(turn.number, true);
}

/// Combines every rank's `own` in rank order and gives rank `i` the elements from `starts[i]` on. `in_place`: the result comes
/// where `own` begins.
pub(in crate::coll) async fn reduce_scatter<N: Net>(
    coll: &Coll<'_, N>,
    own: &Data,
    in_place: bool,
    starts: &[u64],
    result: &Data,
    op: &Operation,
) {
    let turn = Turn::begin(coll);
    let element = own.datatype.size();
    if coll.size == 2 {
        swap_blocks(&turn, own, in_place, starts, result, op).await;
        return;
    }
    if is_short(own.bytes()) {
        contribute(&turn, own, !in_place).await;
        if agreed(&turn, own.bytes(), coll.size).await && result.count > 0 {
            let own = (!in_place).then(|| own.part(starts[coll.rank], result.count));
            let fold = Fold::new(&turn, op, result, result.count);
            let start = (starts[coll.rank] * element) as usize;
            let bytes = result.bytes() as usize;
            let packed =
                |rank| &turn.coll_segment.contribution(rank, turn.number).1[start..start + bytes];
            fold.all(coll, 0..coll.size, own.as_ref(), packed, result);
        }
        return turn.coll_segment.end(turn.number, true);
    }
    if chain::reduces_blocks(&turn, own.bytes()) {
        let wanted = Wanted {
            to: result,
            first: starts[coll.rank],
        };
        return chain::reduce(&turn, own, op, Takers::All, Some(wanted)).await;
    }
    // A pass has a piece of each rank's block.
    let bytes = Passes::bytes(&turn);
    let elements = (bytes / coll.size) as u64 / element;
    let most = starts.windows(2).map(|pair| pair[1] - pair[0]).max();
    let passes = most.unwrap_or(0).div_ceil(elements);
    let lanes = Passes::of(&turn, bytes, passes);
    let piece = |block: usize, pass: u64| {
        let start = starts[block] + (pass * elements).min(starts[block + 1] - starts[block]);
        own.part(start, elements.min(starts[block + 1] - start))
    };
    let at = |block: usize, pass: u64| lanes.start(pass) + block * (elements * element) as usize;
    let fill = |pass| {
        for block in 0..coll.size {
            turn.put(lanes.span(), at(block, pass), &piece(block, pass));
        }
    };
    passes::begin(&turn, lanes, own.bytes(), fill).await;
    if agreed(&turn, own.bytes(), coll.size).await {
        let fold = Fold::new(&turn, op, result, elements);
        let take = |pass| {
            let acc = result.part(pass * elements, elements);
            if acc.count > 0 {
                let bytes = acc.bytes() as usize;
                let packed = |rank| turn.coll_segment.lane(rank, at(coll.rank, pass), bytes);
                fold.all(coll, 0..coll.size, None, packed, &acc);
            }
        };
        passes::run(&turn, lanes, passes, fill, take).await;
    }
    turn.leave_lanes();
    turn.coll_segment.end(turn.number, true);
}

/// Combines the contributions of the ranks up to this one into `recv`, or of those below it, which are
/// none on rank 0; `send` is `None` where it is in place.
pub(in crate::coll) async fn scan<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Data,
    op: &Operation,
    exclusive: bool,
) {
    let turn = Turn::begin(coll);
    let own = send.unwrap_or(recv);
    let ranks = 0..coll.rank + usize::from(!exclusive);
    if exclusive && coll.size == 2 {
        return pair::exscan(&turn, own, recv).await;
    }
    if pair::passes_scan_on(&turn, own.bytes()) {
        return pair::scan(&turn, own, recv, op).await;
    }
    if pair::scans(&turn, own.bytes()) && between_two(&turn, own, recv, op).await {
        return;
    }
    if is_short(own.bytes()) {
        // The last one's nobody else needs.
        if coll.rank + 1 < coll.size || send.is_none() {
            let away = coll.rank + 1 < coll.size && send.is_some();
            contribute(&turn, own, away).await;
        }
        let (mut agreed, mut offers) = (true, false);
        for rank in 0..coll.rank {
            turn.contributed(rank).await;
            if let Some(offer) = turn.coll_segment.offered(rank, turn.number, 0) {
                // Only where lengths do not agree.
                turn.agree(rank, offer.length, own.bytes());
                (agreed, offers) = (false, true);
                continue;
            }
            turn.coll_segment.foresee(rank, turn.number + 1);
            let (length, _) = turn.coll_segment.contribution(rank, turn.number);
            agreed &= turn.agree(rank, length, own.bytes());
        }
        if offers {
            turn.deal();
        }
        if agreed && !ranks.is_empty() {
            let fold = Fold::new(&turn, op, recv, recv.count);
            let packed = |rank| turn.coll_segment.contribution(rank, turn.number).1;
            fold.all(coll, ranks, send, packed, recv);
        }
        if !agreed {
            // For who reads and writes more than this.
            turn.leave_lanes();
        }
        return turn.coll_segment.end(turn.number, false);
    }
    if chain::scans(&turn, own.bytes()) {
        return chain::scan(&turn, own, recv, op, exclusive).await;
    }
    let bytes = Passes::bytes(&turn);
    let elements = bytes as u64 / own.datatype.size();
    let passes = own.count.div_ceil(elements);
    let lanes = Passes::of(&turn, bytes, passes);
    let fill = |pass| {
        let part = own.part(pass * elements, elements);
        turn.put(lanes.span(), lanes.start(pass), &part);
    };
    passes::begin(&turn, lanes, own.bytes(), fill).await;
    // The last one does not contribute what is short.
    if agreed(&turn, own.bytes(), coll.size - 1).await {
        let fold = Fold::new(&turn, op, recv, elements);
        let take = |pass| {
            if !ranks.is_empty() {
                let acc = recv.part(pass * elements, elements);
                let bytes = acc.bytes() as usize;
                let packed = |rank| turn.coll_segment.lane(rank, lanes.start(pass), bytes);
                fold.all(coll, ranks.clone(), None, packed, &acc);
            }
        };
        passes::run(&turn, lanes, passes, fill, take).await;
    }
    turn.leave_lanes();
    turn.coll_segment.end(turn.number, false);
}

/// A prefix reduction of two ranks, each of which is in its result: the second one copies what the first one offers.
/// `false`: it has no offer, and nothing has happened.
async fn between_two<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    recv: &Data,
    op: &Operation,
) -> bool {
    if turn.coll.rank == 0 {
        let kept = (recv.address() != own.address()).then_some(recv);
        return pair::give(turn, own, kept, 1).await;
    }
    turn.contributed(0).await;
    let Some(offer) = turn.coll_segment.offered(0, turn.number, 0) else {
        return false;
    };
    match turn.agree(0, offer.length, own.bytes()) {
        false => turn.deal(),
        true => pair::take(turn, own, recv, op, offer, false).await,
    }
    turn.coll_segment.end(turn.number, true);
    true
}

//! Gather, scatter, allgather and all-to-all: what leaders pass on are all blocks of those for whom they stand.
//!
//! Leaders must know how long these blocks are. So gatherv, scatterv and alltoallv are not composed, as each rank
//! knows its own lengths alone. Nor are long blocks, which gain nothing by being copied on the way.

use std::iter::repeat_n;
use std::ops::Range;

use super::Levels;
use super::ordered::Ordered;
use crate::coll::blocks::{Blocks, Temp};
use crate::coll::hierarchy::Group;
use crate::coll::net::{Coll, Net};
use crate::coll::select::{self, Shape};
use crate::coll::{
    allgather as allgathers, alltoall as alltoalls, gather as gathers, scatter as scatters,
};
use crate::datatype::Data;

impl<N: Net> Levels<'_, '_, N> {
    /// Positions of the ranks that this one leads below the top, itself among them.
    pub(super) fn led(&self) -> Range<usize> {
        let led = self.lower().rev().find(|level| self.leads(*level));
        match led {
            Some(level) => self.group(level).span(),
            None => self.position..self.position + 1,
        }
    }

    /// Brings blocks below the top to those who stand for their ranks. `own` is this rank's, unless that is in place; `all`
    /// has room for those whom this rank leads. `bytes` is the length of each, if they have one.
    async fn collect(&self, own: Option<&Data>, all: &Ordered, bytes: Option<u64>) {
        for level in self.lower() {
            let own = own.filter(|_| level == 0);
            let bytes = bytes.filter(|_| self.group(level).is_lowest());
            if self.leads(level) {
                let blocks = all.members(self.group(level));
                self.gather(level, own, Some(&blocks), bytes).await;
            } else {
                let span = all.span(self.stands_for(level));
                self.gather(level, Some(own.unwrap_or(&span)), None, bytes)
                    .await;
            }
        }
        if self.lower().is_empty()
            && let Some(own) = own
        {
            self.coll.copy(own, &all.span(self.led()));
        }
    }

    /// The reverse: `into` gets this rank's, unless that stays in place.
    pub(super) async fn distribute(&self, all: &Ordered, into: Option<&Data>, bytes: Option<u64>) {
        for level in self.lower().rev() {
            let into = into.filter(|_| level == 0);
            let bytes = bytes.filter(|_| self.group(level).is_lowest());
            if self.leads(level) {
                let blocks = all.members(self.group(level));
                self.scatter(level, Some(&blocks), into, bytes).await;
            } else {
                let span = all.span(self.stands_for(level));
                self.scatter(level, None, Some(into.unwrap_or(&span)), bytes)
                    .await;
            }
        }
        if self.lower().is_empty()
            && let Some(into) = into
        {
            self.coll.copy(&all.span(self.led()), into);
        }
    }

    /// Room for packed blocks of `bytes` bytes from so many positions.
    fn room(&self, positions: &Range<usize>, bytes: u64) -> Temp {
        self.coll.room(positions.len() as u64 * bytes)
    }

    /// Ranks at the top but for this one, with the positions for which they stand.
    fn others_at_top(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let top = self.all.top();
        let members = top.ranks().iter().enumerate();
        let others = members.filter(|(_, rank)| **rank != self.coll.rank);
        others.map(|(member, rank)| (*rank, top.span_of(member)))
    }
}

/// Packed blocks of `bytes` bytes in `room`.
fn packed(room: &Temp, positions: Range<usize>, bytes: u64) -> Ordered {
    let lengths = repeat_n(bytes, positions.len());
    Ordered::new(room.data(), positions.start, lengths)
}

/// Gathers every rank's `send` into the root's `recv`. All blocks have one size.
///
/// The ranks at the top send straight to the root, which need not be one of them.
pub(in crate::coll) async fn gather<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: Option<&Blocks>,
    root: usize,
) {
    let bytes = gathers::block_bytes(send, recv, root);
    if bytes == 0 {
        return;
    }
    let levels = Levels::of(coll);
    let in_place = recv.and_then(|recv| Ordered::in_place(recv, levels.all));
    let positions = match recv {
        Some(_) => 0..coll.size,
        None => levels.led(),
    };
    let unpacks = in_place.is_none();
    let room = match unpacks {
        true => levels.room(&positions, bytes),
        false => coll.room(0),
    };
    let all = in_place.unwrap_or_else(|| packed(&room, positions, bytes));
    let block = recv.filter(|_| unpacks).map(|recv| recv.get(root));
    levels
        .collect(send.or(block.as_ref()), &all, Some(bytes))
        .await;
    match recv {
        Some(recv) => {
            let mut coming = coll.several();
            for (rank, span) in levels.others_at_top() {
                coming.recv(all.span(span), rank);
            }
            coming.done().await;
            if unpacks {
                all.unpack(coll, levels.all, recv);
            }
        }
        None if levels.top().is_some() => coll.send(all.span(levels.led()), root).await,
        None => {}
    }
}

/// Scatters the root's `send` into every rank's `recv`. All blocks have one size.
///
/// The root sends straight to the ranks at the top.
pub(in crate::coll) async fn scatter<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Blocks>,
    recv: Option<&Data>,
    root: usize,
) {
    let bytes = scatters::block_bytes(send, recv, root);
    if bytes == 0 {
        return;
    }
    let levels = Levels::of(coll);
    let everybody = 0..coll.size;
    let in_place = send.and_then(|send| Ordered::in_place(send, levels.all));
    let source = match send {
        Some(_) if in_place.is_none() => levels.room(&everybody, bytes),
        _ => coll.room(0),
    };
    let from = send.map(|send| {
        in_place.unwrap_or_else(|| {
            let all = packed(&source, everybody, bytes);
            all.pack(coll, levels.all, send);
            all
        })
    });
    let mut going = coll.several();
    if let Some(from) = &from {
        for (rank, span) in levels.others_at_top() {
            going.send(from.span(span), rank);
        }
    }
    // What a root at the top passes on lies in what it sends.
    let from = from.filter(|_| levels.top().is_some());
    let room = match from {
        Some(_) => coll.room(0),
        None => levels.room(&levels.led(), bytes),
    };
    let all = from.unwrap_or_else(|| packed(&room, levels.led(), bytes));
    if levels.top().is_some() && send.is_none() {
        coll.recv(all.span(levels.led()), root).await;
    }
    levels.distribute(&all, recv, Some(bytes)).await;
    going.done().await;
}

/// Gathers every rank's `send` into every rank's `recv`.
pub(in crate::coll) async fn allgather<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Blocks,
) {
    let total = recv.total(coll.size);
    if total == 0 {
        return;
    }
    let levels = Levels::of(coll);
    let in_place = Ordered::in_place(recv, levels.all);
    let unpacks = in_place.is_none();
    let room = coll.room(if unpacks { total } else { 0 });
    let all = in_place.unwrap_or_else(|| {
        let lengths = levels.all.order().iter().map(|rank| recv.bytes(*rank));
        Ordered::new(room.data(), 0, lengths)
    });
    let block = unpacks.then(|| recv.get(coll.rank));
    let each = recv.is_even().then(|| recv.bytes(0));
    levels.collect(send.or(block.as_ref()), &all, each).await;
    if let Some(top) = levels.top() {
        let net = levels.net(top);
        let step = coll.step(&net);
        let blocks = all.members(levels.group(top));
        let shape = Shape {
            even: blocks.is_even(),
            ..Shape::on(&net, total)
        };
        let algorithm = select::choose(&net, allgathers::RULES, &shape);
        allgathers::on(&step, algorithm, None, &blocks).await;
        coll.end_step(step);
    }
    let everything = all.span(0..coll.size);
    for level in levels.lower().rev() {
        levels.bcast(level, &everything, 0).await;
    }
    if unpacks {
        all.unpack(coll, levels.all, recv);
    }
}

/// Sends block `i` of `send` to rank `i`, whose `recv` it enters as the block of this rank. All blocks have one size.
/// `send` is `None` where the data is in place in `recv`.
///
/// What a rank has for all goes up as one block, its *row*; what all have for it comes down as one, its *column*.
pub(in crate::coll) async fn alltoall<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Blocks>,
    recv: &Blocks,
) {
    let bytes = recv.bytes(0);
    if bytes == 0 {
        return;
    }
    let levels = Levels::of(coll);
    let (everybody, led) = (0..coll.size, levels.led());
    let line = bytes * coll.size as u64;
    let own = levels.room(&everybody, bytes);
    let own_blocks = packed(&own, everybody.clone(), bytes);
    own_blocks.pack(coll, levels.all, send.unwrap_or(recv));
    let room = levels.room(&led, line);
    let lines = packed(&room, led.clone(), line);
    levels.collect(Some(&own.data()), &lines, Some(line)).await;
    if let Some(top) = levels.top() {
        let (out, into) = (levels.room(&led, line), levels.room(&led, line));
        let group = levels.group(top);
        let block = |here: usize, there: usize| {
            let line = lines.span(here..here + 1);
            line.part(there as u64 * bytes, bytes)
        };
        let place = |room: &Temp, place: u64| room.part(place * bytes, bytes);
        each_pair(group, &led, true, |here, there, at| {
            block(here, there).copy_to(&place(&out, at));
        });
        let net = levels.net(top);
        let step = coll.step(&net);
        let starts = group.starts().iter();
        let starts = starts.map(|start| *start as u64 * led.len() as u64 * bytes);
        let starts: Vec<u64> = starts.collect();
        let blocks = |room: &Temp| Blocks::between(&room.data(), &starts);
        let shape = Shape {
            even: false,
            ..Shape::on(&net, 0)
        };
        let algorithm = select::choose(&net, alltoalls::RULES, &shape);
        alltoalls::on(&step, algorithm, Some(&blocks(&out)), &blocks(&into)).await;
        coll.end_step(step);
        each_pair(group, &led, false, |here, there, at| {
            place(&into, at).copy_to(&block(here, there));
        });
    }
    levels
        .distribute(&lines, Some(&own.data()), Some(line))
        .await;
    own_blocks.unpack(coll, levels.all, recv);
}

/// Calls `visit` for each rank for whom this one stands (`here`) and any rank, with the number of a block. That is
/// the block from the former to the latter, or the other way. Blocks are numbered by members of the top, then by
/// senders, then by receivers.
fn each_pair(
    top: &Group,
    here: &Range<usize>,
    sending: bool,
    mut visit: impl FnMut(usize, usize, u64),
) {
    for member in 0..top.ranks().len() {
        let there = top.span_of(member);
        let mut number = (there.start * here.len()) as u64;
        let (senders, receivers) = match sending {
            true => (here.clone(), there),
            false => (there, here.clone()),
        };
        for sender in senders {
            for receiver in receivers.clone() {
                match sending {
                    true => visit(sender, receiver, number),
                    false => visit(receiver, sender, number),
                }
                number += 1;
            }
        }
    }
}

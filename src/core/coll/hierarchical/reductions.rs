//! Reductions: what a leader passes on is the combination of those for whom it stands.
//!
//! Where the order of ranks counts, each group's ranks follow each other, so that combining group by group keeps it.

use super::Levels;
use super::ordered::Ordered;
use crate::coll::blocks::Temp;
use crate::coll::net::{Coll, Net};
use crate::coll::select::{self, Shape};
use crate::coll::{allreduce as allreduces, reduce_scatter as reduce_scatters, scan as scans};
use crate::datatype::Data;
use crate::op::Operation;

impl<N: Net> Levels<'_, '_, N> {
    /// Combines below the top. Returns where this rank has the combination of those whom it leads: its `own`, or in `room`.
    async fn combine(&self, own: &Data, room: &Data, op: &Operation) -> Data {
        let mut combined = own.clone();
        for level in self.lower() {
            if self.leads(level) {
                // From the second level on it is in place.
                let own = (combined.address() != room.address()).then_some(&combined);
                self.reduce(level, own, Some(room), op, 0).await;
                combined = room.clone();
            } else {
                self.reduce(level, Some(&combined), None, op, 0).await;
            }
        }
        combined
    }
}

fn shape<N: Net>(net: &N, data: &Data, op: &Operation) -> Shape {
    Shape {
        count: data.count,
        commutative: op.commutative(),
        ..Shape::on(net, data.bytes())
    }
}

/// Combines every rank's `send` into `recv` of `root`; `send` is `None` at a root whose contribution is in place.
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
    if own.bytes() == 0 {
        return;
    }
    let levels = Levels::of(coll);
    let temp = match recv {
        None if levels.all.levels() > 1 || levels.top().is_some() => Temp::like(own),
        _ => Temp::of(0, &own.datatype),
    };
    let room = recv.cloned().unwrap_or_else(|| temp.data());
    let combined = levels.combine(own, &room, op).await;
    let last = levels.all.top().member_for(levels.all.position(root));
    let last = last.expect("somebody stands for each rank");
    if let Some(top) = levels.top() {
        let is_last = levels.member(top) == last;
        let in_place = is_last && combined.address() == room.address();
        let into = is_last.then_some(&room);
        levels
            .reduce(top, Some(&combined).filter(|_| !in_place), into, op, last)
            .await;
    }
    // Who stands for the root has it, but the order of ranks does not end there.
    let last = levels.all.top().ranks()[last];
    if last != root {
        if coll.rank == last {
            coll.send(room, root).await;
        } else if coll.rank == root {
            coll.recv(room, last).await;
        }
    }
}

/// Combines every rank's `send` into every rank's `recv`; `send` is `None` where it is in place.
pub(in crate::coll) async fn allreduce<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Data,
    op: &Operation,
) {
    if recv.bytes() == 0 {
        return;
    }
    let levels = Levels::of(coll);
    let combined = levels.combine(send.unwrap_or(recv), recv, op).await;
    if let Some(top) = levels.top() {
        let net = levels.net(top);
        let step = coll.step(&net);
        let own = Some(&combined).filter(|own| own.address() != recv.address());
        let algorithm = select::choose(&net, allreduces::RULES, &shape(&net, recv, op));
        allreduces::on(&step, algorithm, own, recv, op).await;
        coll.end_step(step);
    }
    for level in levels.lower().rev() {
        levels.bcast(level, recv, 0).await;
    }
}

/// Combines every rank's `send` and gives elements `starts[i]..starts[i + 1]` of the result to rank `i`'s `recv`.
/// `send` is `None` where the contribution, all blocks of it, is in place in `recv`.
pub(in crate::coll) async fn reduce_scatter<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Data,
    starts: &[u64],
    op: &Operation,
) {
    let total = starts[coll.size];
    let own = send.unwrap_or(recv).part(0, total);
    if own.bytes() == 0 {
        return;
    }
    let levels = Levels::of(coll);
    let length = |rank: usize| starts[rank + 1] - starts[rank];
    let block = |data: &Data, rank: usize| data.part(starts[rank], length(rank));
    let leads = levels.all.levels() > 1 || levels.top().is_some();
    let temp = Temp::of(if leads { total } else { 0 }, &own.datatype);
    let mut combined = levels.combine(&own, &temp.data(), op).await;
    // The blocks of those whom this rank leads.
    let led = levels.led();
    let order = levels.all.order();
    let lengths = || led.clone().map(|position| length(order[position]));
    let room = Temp::of(lengths().sum(), &own.datatype);
    let blocks = Ordered::new(room.data(), led.start, lengths());
    if let Some(top) = levels.top() {
        let sorted = match levels.all.is_ordered() {
            true => Temp::of(0, &own.datatype),
            false => Temp::like(&own),
        };
        let all = Ordered::new(sorted.data(), 0, order.iter().map(|rank| length(*rank)));
        if !levels.all.is_ordered() {
            for (position, rank) in order.iter().enumerate() {
                block(&combined, *rank).copy_to(&all.span(position..position + 1));
            }
            combined = sorted.data();
        }
        let net = levels.net(top);
        let step = coll.step(&net);
        let algorithm = select::choose(&net, reduce_scatters::RULES, &shape(&net, &own, op));
        let starts = all.starts_of(levels.group(top));
        let result = blocks.span(led.clone());
        reduce_scatters::on(&step, algorithm, Some(&combined), &result, &starts, op).await;
        coll.end_step(step);
    }
    let result = recv.part(0, length(coll.rank));
    levels.distribute(&blocks, Some(&result), None).await;
}

/// Combines the data of the ranks up to this one into `recv`, without its own if that is `exclusive`; rank 0's `recv` is then
/// left alone. `send` is `None` where it is in place.
///
/// Each group finds what stands before each member in the group; the top finds what stands before each group.
pub(in crate::coll) async fn scan<N: Net>(
    coll: &Coll<'_, N>,
    send: Option<&Data>,
    recv: &Data,
    op: &Operation,
    exclusive: bool,
) {
    let own = send.unwrap_or(recv);
    if own.bytes() == 0 {
        return;
    }
    let levels = Levels::of(coll);
    let like = || Temp::like(recv);
    // At each level: what stands before this member in its group, and what the whole group combines to.
    let before: Vec<Temp> = (0..levels.all.levels()).map(|_| like()).collect();
    let whole: Vec<Temp> = levels.lower().map(|_| like()).collect();
    let mut mine = own.clone();
    for (level, before) in before.iter().enumerate() {
        let net = levels.net(level);
        let step = coll.step(&net);
        let below = before.data();
        let algorithm = select::choose(&net, scans::RULES, &shape(&net, own, op));
        scans::exclusive_on(&step, algorithm, Some(&mine), &below, op).await;
        coll.end_step(step);
        let Some(whole) = whole.get(level) else {
            break;
        };
        let (group, member) = (levels.group(level), levels.member(level));
        let last = group.ranks().len() - 1;
        if member == last {
            mine.copy_to(&whole.data());
            coll.apply(op, &below, &whole.data());
            coll.send(whole.data(), group.ranks()[0]).await;
        } else if member == 0 {
            coll.recv(whole.data(), group.ranks()[last]).await;
            mine = whole.data();
        }
    }
    // What stands before the ranks for whom this one stands, from the top down.
    let mut prefix: Option<Data> = None;
    for level in (0..levels.all.levels()).rev() {
        let (group, member) = (levels.group(level), levels.member(level));
        let here = before[level].data();
        if group.span().start > 0 {
            // The leader's, which nobody else has yet.
            let leaders = prefix.take().unwrap_or_else(|| whole[level].data());
            levels.bcast(level, &leaders, 0).await;
            if member > 0 {
                coll.apply(op, &leaders, &here);
            } else {
                prefix = Some(leaders);
            }
        }
        if member > 0 {
            prefix = Some(here);
        }
    }
    let Some(prefix) = prefix else {
        // The first rank.
        if !exclusive && let Some(send) = send {
            coll.copy(send, recv);
        }
        return;
    };
    if exclusive {
        return coll.copy(&prefix, recv);
    }
    if let Some(send) = send {
        coll.copy(send, recv);
    }
    coll.apply(op, &prefix, recv);
}

//! Collectives composed of steps: within each group of ranks that share memory, and among the groups' leaders.
//!
//! What goes to one place goes up first. Each group brings its part to its leader, and the leaders' groups theirs to
//! their leaders, until the top group has all. What comes from there goes down the same way. Each step is an ordinary
//! collective on the group alone, with the algorithm that the group's size and memory ask for. So this module knows
//! neither shared memory nor the algorithms. Between nodes only the top group's messages pass.
//!
//! Assumes that the net has a hierarchy.

mod blocks;
mod ordered;
mod reductions;

pub(super) use blocks::{allgather, alltoall, gather, scatter};
pub(super) use reductions::{allreduce, reduce, reduce_scatter, scan};

use std::ops::Range;

use super::blocks::Blocks;
use super::hierarchy::{Group, Hierarchy};
use super::net::{Coll, Net};
use super::select::{self, Shape};
use super::subset::Subset;
use super::{Bcast, Gather, Reduce, Scatter};
use crate::datatype::Data;
use crate::op::Operation;

/// The groups of the calling rank, numbered from the smallest up.
struct Levels<'c, 'n, N: Net> {
    coll: &'c Coll<'n, N>,
    all: &'n Hierarchy,
    /// Position of this rank.
    position: usize,
}

impl<'c, 'n, N: Net> Levels<'c, 'n, N> {
    fn of(coll: &'c Coll<'n, N>) -> Self {
        let all = coll.net().hierarchy();
        let all = all.expect("chosen only where there is a hierarchy");
        Levels {
            coll,
            all,
            position: all.position(coll.rank),
        }
    }

    /// Numbers of the groups below the top.
    fn lower(&self) -> Range<usize> {
        0..self.all.lower().len()
    }

    /// The number of the top group, if this rank belongs to it.
    fn top(&self) -> Option<usize> {
        self.all.is_at_top().then_some(self.all.lower().len())
    }

    fn group(&self, level: usize) -> &'n Group {
        self.all.group(level)
    }

    /// This rank's number in a group of its own.
    fn member(&self, level: usize) -> usize {
        let member = self.group(level).member_for(self.position);
        member.expect("it belongs to its groups")
    }

    fn leads(&self, level: usize) -> bool {
        self.member(level) == 0
    }

    /// Positions of the ranks for which this one stands at a level.
    fn stands_for(&self, level: usize) -> Range<usize> {
        self.group(level).span_of(self.member(level))
    }

    /// The members of a group as a net.
    fn net(&self, level: usize) -> Subset<'n, N> {
        let ranks = self.group(level).ranks();
        let net = Subset::sharing(self.coll.net(), ranks, self.all.coll_segment(level));
        net.expect("it belongs to its groups")
    }

    /// What this rank contributes to a step through shared memory: nothing where there has been an error, so that who reads it
    /// learns of that. A [`Coll`] sends such messages by itself.
    fn contribution(&self, data: &Data, shared: bool) -> Data {
        match shared && !self.coll.is_fine() {
            true => data.part(0, 0),
            false => data.clone(),
        }
    }

    /// Sends `data` of a member to all of the group.
    async fn bcast(&self, level: usize, data: &Data, member: usize) {
        let net = self.net(level);
        let step = self.coll.step(&net);
        let shape = Shape::on(&net, data.bytes());
        let algorithm = select::choose(&net, super::bcast::RULES, &shape);
        let sends = self.member(level) == member;
        let data = self.contribution(data, sends && algorithm == Bcast::Shared);
        super::bcast::on(&step, algorithm, &data, member).await;
        self.coll.end_step(step);
    }

    /// Gathers the members' `send` into the leader's `recv`. `bytes` is what all have, where they have the same.
    async fn gather(
        &self,
        level: usize,
        send: Option<&Data>,
        recv: Option<&Blocks>,
        bytes: Option<u64>,
    ) {
        let net = self.net(level);
        let step = self.coll.step(&net);
        let shape = Shape {
            even: bytes.is_some(),
            ..Shape::on(&net, bytes.unwrap_or(0))
        };
        let rules = match shape.even {
            true => super::gather::RULES,
            false => super::gather::RULES_V,
        };
        let algorithm = select::choose(&net, rules, &shape);
        let shared = recv.is_none() && algorithm == Gather::Shared;
        let send = send.map(|send| self.contribution(send, shared));
        super::gather::on(&step, algorithm, send.as_ref(), recv, 0).await;
        self.coll.end_step(step);
    }

    /// Scatters the leader's `send` into the members' `recv`. `bytes` as in [`gather`](Self::gather).
    async fn scatter(
        &self,
        level: usize,
        send: Option<&Blocks>,
        recv: Option<&Data>,
        bytes: Option<u64>,
    ) {
        let net = self.net(level);
        let step = self.coll.step(&net);
        let shape = Shape {
            even: bytes.is_some(),
            ..Shape::on(&net, bytes.unwrap_or(0))
        };
        let rules = match shape.even {
            true => super::scatter::RULES,
            false => super::scatter::RULES_V,
        };
        let algorithm = select::choose(&net, rules, &shape);
        let shared = algorithm == Scatter::Shared;
        let nothing = send.filter(|_| shared && !self.coll.is_fine()).map(|send| {
            let block = send.get(0);
            Blocks::even(block.base(), 0, block.datatype)
        });
        let send = nothing.as_ref().or(send);
        super::scatter::on(&step, algorithm, send, recv, 0).await;
        self.coll.end_step(step);
    }

    /// Combines the members' `send` into `recv` of one of them. `send` is `None` where that one's is in place.
    async fn reduce(
        &self,
        level: usize,
        send: Option<&Data>,
        recv: Option<&Data>,
        op: &Operation,
        member: usize,
    ) {
        let Some(own) = send.or(recv) else {
            return;
        };
        let net = self.net(level);
        let step = self.coll.step(&net);
        let shape = Shape {
            count: own.count,
            commutative: op.commutative(),
            ..Shape::on(&net, own.bytes())
        };
        let algorithm = select::choose(&net, super::reduce::RULES, &shape);
        let shared = recv.is_none() && algorithm == Reduce::Shared;
        let send = send.map(|send| self.contribution(send, shared));
        super::reduce::on(&step, algorithm, send.as_ref(), recv, op, member).await;
        self.coll.end_step(step);
    }
}

/// Returns when every rank has called it.
pub(super) async fn barrier<N: Net>(coll: &Coll<'_, N>) {
    let levels = Levels::of(coll);
    // A byte from each member, and one back: whatever the algorithm, who has the leader's knows of all.
    let byte = coll.room(1);
    byte.data().unpack(0, &[0]);
    for level in levels.lower() {
        if levels.leads(level) {
            let starts: Vec<u64> = (0..=levels.group(level).ranks().len() as u64).collect();
            let all = coll.room(starts.len() as u64);
            let blocks = Blocks::between(&all.data(), &starts);
            let own = byte.data();
            levels
                .gather(level, Some(&own), Some(&blocks), Some(1))
                .await;
        } else {
            levels
                .gather(level, Some(&byte.data()), None, Some(1))
                .await;
        }
    }
    if let Some(top) = levels.top() {
        let net = levels.net(top);
        let step = coll.step(&net);
        let algorithm = select::choose(&net, super::barrier::RULES, &Shape::on(&net, 0));
        super::barrier::on(&step, algorithm).await;
        coll.end_step(step);
    }
    for level in levels.lower().rev() {
        levels.bcast(level, &byte.data(), 0).await;
    }
}

/// Sends `data` of `root` to every rank's `data`.
pub(super) async fn bcast<N: Net>(coll: &Coll<'_, N>, data: &Data, root: usize) {
    if data.bytes() == 0 {
        return;
    }
    let levels = Levels::of(coll);
    let root = levels.all.position(root);
    // First up, through the groups that stand for the root ...
    let mut below = levels.all.levels();
    for level in 0..levels.all.levels() {
        if let Some(member) = levels.group(level).member_for(root) {
            below = below.min(level);
            levels.bcast(level, data, member).await;
        }
    }
    // ... then down, where the leader has it.
    for level in (0..below).rev() {
        levels.bcast(level, data, 0).await;
    }
}

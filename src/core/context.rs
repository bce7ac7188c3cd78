//! Context ids: how processes agree on the number of a new communicator.
//!
//! Every member proposes an id that it has never used. Once a round of MAX over `[id, -id]` shows that all proposed
//! the same, that id is taken. Otherwise each proposes its next free id that is not below the maximum. Only when all
//! ids have been used do all begin again with small ones, of which each proposes those whose communicators are gone
//! there. So a late message finds its communicator's queues dropped rather than a newer communicator.
//!
//! Agreements that run at once in one process (threads, `MPI_Comm_idup`) never propose the same id. So that they do
//! not overtake each other for ever, each proposes numbers of a residue class of its own. That is the class of its
//! key, modulo a number that doubles with every round.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use crate::error::{Error, Result, class};

/// Contexts per communicator: point-to-point and the three that are added to it below.
pub const STRIDE: u32 = 4;
/// Added to a communicator's context: its collectives.
pub const COLLECTIVE: u32 = 1;
/// Added to an inter-communicator's context: collectives among its local group.
pub const LOCAL: u32 = 2;
/// Added to a communicator's context: leaders who make an inter-communicator over it.
pub const LEADERS: u32 = 3;

/// Contexts of `MPI_COMM_WORLD` and `MPI_COMM_SELF`, which need no agreement.
pub const WORLD: u32 = 0;
pub const SELF: u32 = STRIDE;
/// Context in which the processes of groups meet that have no communicator yet.
pub const MEETING: u32 = 2 * STRIDE;

/// The first id that needs an agreement.
const FIRST: u32 = 3;
/// No id is that large.
const LIMIT: u32 = u32::MAX / STRIDE;

/// The ids of one process.
pub struct Contexts {
    limit: u32,
    /// Where new agreements start: above every id that was settled on.
    next: Cell<u32>,
    /// What the running agreements propose.
    proposed: RefCell<Vec<u32>>,
    /// Ids that were settled on and that a running agreement might come to: none proposes less than it
    /// did before, so these are above the least of `proposed`.
    settled: RefCell<Vec<u32>>,
    /// Ids of communicators that this process has.
    live: RefCell<BTreeSet<u32>>,
}

impl Contexts {
    pub const fn new() -> Contexts {
        Contexts::below(LIMIT)
    }

    /// With ids below `limit`, of which the last quarter is where all begin again.
    const fn below(limit: u32) -> Contexts {
        Contexts {
            limit,
            live: RefCell::new(BTreeSet::new()),
            next: Cell::new(FIRST),
            proposed: RefCell::new(Vec::new()),
            settled: RefCell::new(Vec::new()),
        }
    }

    /// A communicator has this context from now on.
    pub fn take(&self, context: u32) {
        self.live.borrow_mut().insert(context / STRIDE);
    }

    /// The communicator of this context is gone, and its queues are.
    pub fn release(&self, context: u32) {
        self.live.borrow_mut().remove(&(context / STRIDE));
    }

    /// Where to look for an id that is not below `least`. All members of an agreement come to the same
    /// answer for the same number.
    fn start(&self, least: u32) -> u32 {
        match least < self.limit - self.limit / 4 {
            true => least,
            false => FIRST,
        }
    }

    /// The first free id of at least `least` that is `residue` modulo `modulus`, a power of two.
    fn propose(&self, least: u32, residue: u32, modulus: u32) -> Result<u32> {
        let mut proposed = self.proposed.borrow_mut();
        let (settled, live) = (self.settled.borrow(), self.live.borrow());
        let mut id = least + (residue.wrapping_sub(least) & (modulus - 1));
        while proposed.contains(&id) || settled.contains(&id) || live.contains(&id) {
            id += modulus;
        }
        if id >= self.limit {
            return Err(Error::new(
                class::INTERN,
                format!(
                    "no context id below {} is free: {} communicators live",
                    self.limit,
                    live.len()
                ),
            ));
        }
        proposed.push(id);
        Ok(id)
    }

    /// A proposal is given up.
    fn withdraw(&self, id: u32) {
        self.proposed.borrow_mut().retain(|other| *other != id);
    }

    /// An agreement has ended at `id`.
    fn settle(&self, id: u32) {
        self.withdraw(id);
        self.next.set(self.next.get().max(id + 1));
        let mut settled = self.settled.borrow_mut();
        settled.push(id);
        let least = self.proposed.borrow().iter().copied().min();
        settled.retain(|id| least.is_some_and(|least| *id > least));
    }

    /// Begins an agreement. `key` is the same at all its members, and differs from that of any other
    /// agreement that one of them takes part in meanwhile.
    pub fn begin(&self, key: u32) -> Result<Agreement> {
        let proposal = self.propose(self.start(self.next.get()), 0, 1)?;
        Ok(Agreement {
            proposal,
            key,
            modulus: 1,
        })
    }

    /// A context for a communicator that only this process has.
    pub fn alone(&self) -> Result<u32> {
        let agreement = self.begin(0)?;
        self.settle(agreement.proposal);
        Ok(agreement.proposal * STRIDE)
    }
}

impl Default for Contexts {
    fn default() -> Self {
        Self::new()
    }
}

/// One process's part in an agreement.
#[derive(Debug)]
pub struct Agreement {
    proposal: u32,
    key: u32,
    modulus: u32,
}

impl Agreement {
    /// What goes into the element-wise MAX of the next round.
    pub fn offer(&self) -> [i64; 2] {
        [i64::from(self.proposal), -i64::from(self.proposal)]
    }

    /// Takes the round's result: the agreed context, or `None` and another round is needed.
    pub fn settle(&mut self, contexts: &Contexts, maximum: [i64; 2]) -> Result<Option<u32>> {
        if maximum[0] == -maximum[1] {
            contexts.settle(self.proposal);
            return Ok(Some(self.proposal * STRIDE));
        }
        contexts.withdraw(self.proposal);
        self.modulus = (self.modulus * 2).min(contexts.limit.next_power_of_two() >> 10);
        let start = contexts.start(maximum[0] as u32);
        self.proposal = contexts.propose(start, self.key, self.modulus)?;
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maximum(offers: impl Iterator<Item = [i64; 2]>) -> [i64; 2] {
        offers
            .reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])])
            .unwrap()
    }

    fn agree(key: u32, group: &[&Contexts]) -> (u32, usize) {
        let mut parts: Vec<Agreement> = group.iter().map(|c| c.begin(key).unwrap()).collect();
        for round in 1.. {
            let all = maximum(parts.iter().map(Agreement::offer));
            let settled: Vec<Option<u32>> = parts
                .iter_mut()
                .zip(group)
                .map(|(part, contexts)| part.settle(contexts, all).unwrap())
                .collect();
            assert!(settled.iter().all(|s| *s == settled[0]), "{settled:?}");
            if let Some(context) = settled[0] {
                return (context, round);
            }
            assert!(round < 100, "no agreement");
        }
        unreachable!()
    }

    #[test]
    fn processes_with_different_pasts_agree() {
        let processes: Vec<Contexts> = (0..4).map(|_| Contexts::new()).collect();
        let all: Vec<&Contexts> = processes.iter().collect();
        let mut seen = std::collections::HashSet::new();
        for (key, (group, rounds)) in [
            (&all[..], 1),
            (&all[..2], 1),
            (&all[..2], 1),
            (&all[1..], 3),
            (&all[..], 3),
            (&all[2..], 3),
        ]
        .into_iter()
        .enumerate()
        {
            let (context, took) = agree(key as u32, group);
            assert!(took <= rounds, "{took} rounds");
            assert_eq!(context % STRIDE, 0);
            assert!(context > MEETING);
            assert!(seen.insert(context), "context {context} given out twice");
        }
    }

    #[test]
    fn agreements_at_the_same_time_end_with_different_ids() {
        // Two communicators of the same two processes, whose threads begin in opposite order and go on
        // in step: without the residue classes neither would ever end.
        let (a, b) = (Contexts::new(), Contexts::new());
        for keys in [[0, 1], [5, 7], [16, 32], [6, 2]] {
            let (mut first_a, mut second_a) =
                (a.begin(keys[0]).unwrap(), a.begin(keys[1]).unwrap());
            let (mut second_b, mut first_b) =
                (b.begin(keys[1]).unwrap(), b.begin(keys[0]).unwrap());
            let (mut first, mut second) = (None, None);
            for _ in 0..20 {
                let firsts = maximum([first_a.offer(), first_b.offer()].into_iter());
                let seconds = maximum([second_a.offer(), second_b.offer()].into_iter());
                if first.is_none() {
                    first = first_a.settle(&a, firsts).unwrap();
                    assert_eq!(first, first_b.settle(&b, firsts).unwrap());
                }
                if second.is_none() {
                    second = second_a.settle(&a, seconds).unwrap();
                    assert_eq!(second, second_b.settle(&b, seconds).unwrap());
                }
            }
            assert!(first.is_some() && second.is_some() && first != second);
        }
        for contexts in [a, b] {
            assert!(contexts.proposed.borrow().is_empty());
            assert!(contexts.settled.borrow().is_empty());
        }
    }

    #[test]
    fn ids_never_run_out_where_communicators_are_freed() {
        let processes: Vec<Contexts> = (0..3).map(|_| Contexts::below(1 << 12)).collect();
        let groups: [&[usize]; 4] = [&[0, 1, 2], &[0, 1], &[1, 2], &[2, 0]];
        let mut live: Vec<(u32, &[usize])> = Vec::new();
        let mut again = false;
        for turn in 0..20_000 {
            let group = groups[turn % 7 % 4];
            let members: Vec<&Contexts> = group.iter().map(|p| &processes[*p]).collect();
            let (context, _) = agree(turn as u32, &members);
            // Nobody has another communicator with it.
            for (other, theirs) in &live {
                assert!(*other != context || !theirs.iter().any(|p| group.contains(p)));
            }
            again |= live.first().is_some_and(|first| first.0 > context);
            for contexts in members {
                contexts.take(context);
            }
            live.push((context, group));
            if live.len() > 40 {
                let (context, group) = live.remove(turn * 7 % 40);
                for process in group {
                    processes[*process].release(context);
                }
            }
        }
        assert!(again, "no id was used twice");
    }

    #[test]
    fn an_id_too_many_is_refused() {
        let contexts = Contexts::below(64);
        let made = (0..100).map_while(|_| {
            let context = contexts.alone().ok()?;
            contexts.take(context);
            Some(context)
        });
        let made: BTreeSet<u32> = made.collect();
        assert_eq!(made.len(), 64 - FIRST as usize);
        contexts.release(4 * STRIDE);
        assert_eq!(contexts.alone().ok(), Some(4 * STRIDE));
    }

    #[test]
    fn agreements_without_a_pause_leave_nothing_behind() {
        let contexts = Contexts::new();
        let mut running = contexts.begin(0).unwrap();
        let mut last = 0;
        for key in 1..1000 {
            let next = contexts.begin(key).unwrap();
            let alone = running.offer();
            let context = running.settle(&contexts, alone).unwrap().unwrap();
            assert!(context > last);
            last = context;
            running = next;
            assert!(contexts.settled.borrow().len() <= 1);
        }
        assert!(last <= 1003 * STRIDE);
    }
}

//! Ranks that nobody has joined as: whether they run on another MPI.
//!
//! The part of the job's loop that says when to look; what to look for is `foreign.rs`'s business.

use super::Job;
use crate::foreign;
use crate::plan::Plan;

impl Job<'_> {
    /// Whether nobody has joined as this rank.
    pub(super) fn is_silent(&self, number: usize) -> bool {
        self.ranks[number].member.is_none() && !self.server.spoke(number)
    }

    /// The ranks that go on and that nobody has joined as.
    pub(super) fn silent(&self) -> impl Iterator<Item = usize> {
        (0..self.ranks.len()).filter(|&n| self.ranks[n].ended.is_none() && self.is_silent(n))
    }

    /// From time to time, looks whether ranks run on another MPI.
    pub(super) fn look(&mut self) {
        if self.foreign.is_due() {
            for number in self.silent().take(foreign::RANKS).collect::<Vec<_>>() {
                self.look_at(number);
            }
        }
    }

    pub(super) fn look_at(&mut self, number: usize) {
        let leader = self.ranks[number].pid.as_raw();
        if let Some(text) = self.foreign.look(number, leader) {
            self.say(&text);
        }
    }

    /// At the end: programs that ran too briefly to be looked at.
    pub(super) fn examine(&mut self, plan: &Plan) {
        if self.ranks.len() < plan.procs.len() {
            return;
        }
        for (index, program) in plan.programs.iter().enumerate() {
            let mut ranks = (0..plan.procs.len()).filter(|&n| plan.procs[n].program == index);
            if ranks.all(|number| self.is_silent(number))
                && let Some(text) = self.foreign.examine(program)
            {
                self.say(&text);
            }
        }
    }
}

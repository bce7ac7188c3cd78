//! Ranks that nobody has joined as: whether they run on another MPI.
//!
//! The part of a node that says when to look; what to look for is `foreign.rs`'s business.

use super::Node;
use crate::events::Event;
use crate::foreign;

impl Node {
    /// Whether nobody has joined as this rank.
    pub(super) fn is_silent(&self, number: usize) -> bool {
        self.ranks[number].member.is_none() && !self.clients.spoke(number)
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
            self.tell(Event::Foreign(text));
        }
    }

    /// At the end: programs that ran too briefly to be looked at.
    pub(super) fn examine(&mut self) {
        let posts = self.orders.posts.len();
        if self.ranks.len() < posts {
            return;
        }
        for index in 0..self.programs.len() {
            let mut ranks = (0..posts).filter(|&n| self.orders.posts[n].program == index);
            if ranks.all(|number| self.is_silent(number))
                && let Some(text) = self.foreign.examine(&self.programs[index])
            {
                self.tell(Event::Foreign(text));
            }
        }
    }
}

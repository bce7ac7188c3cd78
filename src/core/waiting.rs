//! How a process waits: spin while that pays, then yield, then sleep.
//!
//! With a core for everybody, the answer is usually under way and a spinning waiter sees it first. With more
//! processes than cores, a spinning waiter keeps the core from the one it waits for, so it yields almost
//! at once. Whoever waits for long sleeps and uses no processor; waking it costs about 20 microseconds
//! across idle cores, so nobody sleeps for short waits.

use std::time::Duration;

use crate::config::{self, Settings};
use crate::error::{Error, Result, class};

/// A sleeper looks again by itself after this long; wake-ups do not depend on it.
pub const NAP: Duration = Duration::from_millis(200);

/// The numbers for one process.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    pub spins: u32,
    pub yields: u32,
    /// More processes than processors.
    pub crowded: bool,
}

impl Policy {
    /// For `processes` processes on this node that share `cpus` processors.
    ///
    /// # Errors
    /// A knob that is set to something else than a number.
    pub fn new(processes: usize, cpus: usize, settings: &Settings) -> Result<Policy> {
        let crowded = processes > cpus;
        let read = |knob: &config::Knob| {
            settings
                .value(knob)
                .map(|value| value.min(u32::MAX as u64) as u32)
                .map_err(|what| Error::new(class::OTHER, what))
        };
        Ok(Policy {
            spins: read(if crowded {
                &config::CROWDED_SPIN
            } else {
                &config::SPIN
            })?,
            yields: read(if crowded {
                &config::CROWDED_YIELDS
            } else {
                &config::YIELDS
            })?,
            crowded,
        })
    }
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Spin,
    Yield,
    Sleep,
}

/// One wait: counts how often nothing happened.
pub struct Patience {
    policy: Policy,
    idle: u32,
}

impl Patience {
    pub fn new(policy: Policy) -> Patience {
        Patience { policy, idle: 0 }
    }

    /// Something happened: start over.
    #[inline(always)]
    pub fn reset(&mut self) {
        self.idle = 0;
    }

    /// Nothing happened: what now?
    #[inline(always)]
    pub fn step(&mut self) -> Step {
        self.idle = self.idle.saturating_add(1);
        if self.idle <= self.policy.spins {
            Step::Spin
        } else if self.idle <= self.policy.spins.saturating_add(self.policy.yields) {
            Step::Yield
        } else {
            Step::Sleep
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spins_then_yields_then_sleeps() {
        let mut patience = Patience::new(Policy {
            spins: 2,
            yields: 1,
            crowded: false,
        });
        let steps: Vec<Step> = (0..5).map(|_| patience.step()).collect();
        assert_eq!(
            steps,
            [
                Step::Spin,
                Step::Spin,
                Step::Yield,
                Step::Sleep,
                Step::Sleep
            ]
        );
        patience.reset();
        assert_eq!(patience.step(), Step::Spin);
    }
}

//! From which length on data is copied once, from where it lies, and not twice by way of shared memory.
//!
//! One copy needs a call of the system and touches the sender's buffer from another processor. Two copies need
//! neither, and both processes work at the same time. So the choice goes by the length alone, for each situation that
//! two processes can be in. It must not know how either copy is made.

pub use crate::tuning::Limits;

/// The most that a process may do to copy data from where it lies, from the least that is allowed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direct {
    /// All data goes through shared memory.
    Never,
    /// The receiver copies it from the sender's buffer.
    Reads,
    /// Both copy parts of it at the same time.
    Both,
}

/// What else the two ends of a message have to copy, as far as its receiver knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// A message the other way.
    pub exchange: bool,
    /// Other messages.
    pub others: bool,
}

impl Load {
    /// How a message is copied that is copied from where it lies: by both ends, unless each has one to receive.
    pub fn direct(self) -> Direct {
        match self.exchange {
            true => Direct::Reads,
            false => Direct::Both,
        }
    }
}

/// A collective of two processes that a block belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    Reduce,
}

impl Limits {
    /// For messages.
    #[inline]
    pub fn of_messages(&self, load: Load) -> u64 {
        match load {
            Load { others: true, .. } => self.several,
            Load { exchange: true, .. } => self.exchange,
            _ => self.alone,
        }
    }

    /// For blocks of a collective.
    #[inline]
    pub fn of_blocks(&self, of: Blocks) -> u64 {
        match of {
            Blocks::Gather => self.gather,
            Blocks::Scatter => self.scatter,
            Blocks::Allgather => self.allgather,
            Blocks::Alltoall => self.alltoall,
            Blocks::Reduce => self.reduce,
        }
    }
}

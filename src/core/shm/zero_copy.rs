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

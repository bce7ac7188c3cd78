//! From which length on data is copied once, from where it lies, and not twice by way of shared memory.
//!
//! One copy needs a call of the system and touches the sender's buffer from another processor. Two copies need
//! neither, and both processes work at the same time. So the choice goes by the length alone, for each situation that
//! two processes can be in. It must not know how either copy is made.

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

/// For each situation the greatest length, in bytes, of what still goes through shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of a message that leaves at once, before anything is known of its receive.
    pub eager: u64,
    /// Of a message by itself.
    pub alone: u64,
    /// Of one that meets another one the other way.
    pub exchange: u64,
    /// Of one among others.
    pub several: u64,
    pub gather: u64,
    pub scatter: u64,
    pub allgather: u64,
    pub alltoall: u64,
    pub reduce: u64,
    /// Whether blocks of collectives are copied from where they lie by processes that share processors.
    pub blocks_where_crowded: bool,
}

impl Limits {
    /// Where one copy by the system takes about as long as one by the process.
    pub const GENERIC: Limits = Limits {
        eager: 32 << 10,
        alone: 256 << 10,
        exchange: 32 << 10,
        several: 32 << 10,
        gather: 16 << 10,
        scatter: 64 << 10,
        allgather: 64 << 10,
        alltoall: 64 << 10,
        reduce: 32 << 10,
        blocks_where_crowded: true,
    };

    /// Nothing is copied from where it lies: where one copy by the system takes much longer than two by the processes.
    pub const NEVER: Limits = Limits::all(u64::MAX);

    /// Everything is that can be.
    pub const ALWAYS: Limits = Limits::all(0);

    const fn all(limit: u64) -> Limits {
        Limits {
            eager: 16 << 10,
            alone: limit,
            exchange: limit,
            several: limit,
            gather: limit,
            scatter: limit,
            allgather: limit,
            alltoall: limit,
            reduce: limit,
            blocks_where_crowded: limit == 0,
        }
    }

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

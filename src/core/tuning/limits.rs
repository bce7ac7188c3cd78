//! From which length on data is copied once, from where it lies, and not twice by way of shared memory.

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
    pub const NEVER: Limits = Limits::all(u64::MAX, 64 << 10);

    /// Everything is that can be.
    #[cfg(any(test, loom))]
    pub const ALWAYS: Limits = Limits::all(0, 16 << 10);

    const fn all(limit: u64, eager: u64) -> Limits {
        Limits {
            eager,
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
}

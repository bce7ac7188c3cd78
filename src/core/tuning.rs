//! What is tuned to the kind of processor: the numbers, one row of them for each kind, and which row holds.
//!
//! A row is chosen once, when MPI starts: what `MPI_ANYMPI_TUNING` names, or else what the processor says it is. The processes
//! of a node take the row of the first one of them, as both sides of a copy must cut it alike. Until then [`GENERIC`] holds.
//!
//! Nobody else names a processor. Knows nothing of those who use the numbers. Whoever lives long is handed a row when it is made, so
//! tests hand in each of [`ROWS`].

mod detect;
mod limits;

use std::fmt;

use crate::sync::{AtomicUsize, Ordering};
pub use limits::Limits;

/// The numbers for one kind of processor. Lengths are in bytes; [`NEVER`] as the least length of a way says that it is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// What `MPI_ANYMPI_TUNING` calls the row.
    pub name: &'static str,

    /// Least length of a block that is copied by the processor's string instruction, `rep movsb`.
    pub copy_by_string: usize,
    /// The same of a block that another processor has written.
    pub read_by_string: usize,
    /// So far ahead a copy asks for what another processor has written; 0: it leaves that to the processor.
    pub read_ahead: usize,
    /// From this length on such a copy is cut at the lines of its destination, and a shorter one at those of its source.
    pub read_to_lines: usize,
    /// From this length on such a copy reads both halves of the block at the same time.
    pub read_halves: usize,

    /// A ring has so many bytes for each byte of a processor's second cache, as far as the number of processes allows.
    pub ring_per_cache: usize,
    /// Least number of bodies of a message whose exchange buffers are taken in their order in memory. Those of shorter ones are taken
    /// as they came, the latest first.
    pub buffers_in_order: usize,

    /// What goes through shared memory though it could be copied from where it lies.
    pub zero_copy: Limits,

    /// Longest eager message that is one piece, of at most 16 KiB, where it travels in exchange buffers. A longer one of up to 16 KiB is
    /// two.
    pub eager_whole: usize,
    /// First piece of a longer message in exchange buffers, if its receiver waits for it; [`NEVER`]: as long as the others.
    pub buffer_first: usize,
    /// Whether such a message whose receiver waits for it goes in pieces that fill several buffers which lie together.
    pub join_awaited: bool,
    /// Longest such piece of a message that meets another one the other way, of up to 2 MiB.
    pub join_exchanged: usize,
    /// Messages above this that go one way begin with half a buffer, and each piece is as long as all before it.
    pub grow_from: usize,
    /// Data that is not contiguous is collected in exchange buffers from this length on, and else in the ring.
    pub collect_in_buffers: usize,
    /// First piece of a message that goes through the byte ring.
    pub ring_first: usize,
    /// The other pieces of one of more than 16 KiB; of a shorter one they are as long as the first.
    pub ring_piece: usize,
    /// Exchange buffers of a message that leaves at once though it meets another one; of a longer one no more than all buffers of a side.
    pub pace_from: usize,
    /// So many buffers a message that paces another one is ahead of what has come, at most half of a side's.
    pub pace_ahead: usize,
    /// Most buffers of it that go at a time, at most a quarter of a side's.
    pub pace_piece: usize,
    /// So many buffers must be here for it to go by them, at most half of a side's.
    pub pace_needed: usize,

    /// A longer contribution to a collective passes through shared memory in windows of so many bytes.
    pub coll_window: usize,
    /// Longest contribution of one of two ranks that lies in one piece of shared memory, as far as there is room. A longer one is a
    /// message where it has but one reader.
    pub coll_block: usize,
    /// A block that all ranks write before they read is told of in pieces of so many bytes.
    pub piece_of_all: usize,
    /// The same where one of two ranks only writes and the other one, which is behind, only reads.
    pub piece_behind: usize,
    /// A contribution to a reduction is combined so many bytes at a time by its root, unless it is longer than the shortest window.
    pub reduce_pass: usize,
    /// Longest contribution to an allreduce of two ranks of which each rank combines one half; 0: each combines all.
    pub allreduce_by_halves: usize,
    /// Bytes of a member's slots, where contributions of middle length lie, that are in use at first.
    pub slots_first: usize,
    /// The part in use grows when so many bytes have been contributed since it last did ...
    pub slots_grow_after: usize,
    /// ... by so many bytes ...
    pub slots_grow_by: usize,
    /// ... or at once where the others are behind, while it has fewer bytes than this.
    pub slots_at_once: usize,
}

/// Longer than any block.
pub const NEVER: usize = usize::MAX;

/// For a processor of which nothing is known, and which has what most have.
pub const GENERIC: Tuning = Tuning {
    name: "generic",
    copy_by_string: NEVER,
    read_by_string: NEVER,
    read_ahead: 2 << 10,
    read_to_lines: (1 << 10) + 1,
    read_halves: 8 << 10,
    ring_per_cache: 2,
    zero_copy: Limits::GENERIC,
    eager_whole: 4 << 10,
    buffer_first: NEVER,
    join_awaited: false,
    join_exchanged: 256 << 10,
    grow_from: NEVER,
    collect_in_buffers: NEVER,
    ring_first: 4 << 10,
    ring_piece: 16 << 10,
    pace_from: NEVER,
    pace_ahead: 16,
    pace_piece: 1,
    pace_needed: 1,
    buffers_in_order: NEVER,
    coll_window: 64 << 10,
    coll_block: 64 << 10,
    piece_of_all: 16 << 10,
    piece_behind: 16 << 10,
    reduce_pass: 8 << 10,
    allreduce_by_halves: 2 << 20,
    slots_first: 64 << 10,
    slots_grow_after: 4 << 20,
    slots_grow_by: 64 << 10,
    slots_at_once: NEVER,
};

/// AMD's Zen 5 and later. Its string instruction is the fastest copy, since it writes whole lines without reading them first, but it
/// takes long to begin.
pub const ZEN_5: Tuning = Tuning {
    name: "zen-5",
    copy_by_string: 3 << 10,
    read_by_string: (16 << 10) + 1,
    read_ahead: 0,
    read_to_lines: NEVER,
    read_halves: NEVER,
    ring_per_cache: 4,
    zero_copy: Limits::NEVER,
    eager_whole: 16 << 10,
    buffer_first: 3 << 10,
    ring_first: 3 << 10,
    ring_piece: 64 << 10,
    pace_from: 64,
    pace_ahead: 32,
    pace_piece: 16,
    pace_needed: 32,
    buffers_in_order: 2,
    coll_window: 128 << 10,
    coll_block: 512 << 10,
    piece_of_all: 64 << 10,
    reduce_pass: 16 << 10,
    allreduce_by_halves: 0,
    // Memory between what the first caches hold and what the second ones do not is the slowest there: little is used for long, and then
    // all.
    slots_first: 32 << 10,
    slots_grow_after: 1 << 30,
    slots_grow_by: NEVER,
    slots_at_once: 128 << 10,
    ..GENERIC
};

/// Intel's Golden Cove and later: Xeons from the fourth generation on. A frame more costs more there than an earlier beginning
/// gains.
pub const GOLDEN_COVE: Tuning = Tuning {
    name: "golden-cove",
    eager_whole: 16 << 10,
    join_awaited: true,
    join_exchanged: 64 << 10,
    grow_from: 26 << 10,
    collect_in_buffers: (2 << 10) + 1,
    ring_first: 64 << 10,
    ring_piece: 64 << 10,
    buffers_in_order: 3,
    piece_behind: 64 << 10,
    allreduce_by_halves: 512 << 10,
    ..GENERIC
};

/// All rows.
pub static ROWS: [Tuning; 3] = [GENERIC, ZEN_5, GOLDEN_COVE];

/// All rows for tests of collectives on little data: everything that depends on the length of slots is a 64th, and of lanes a 256th, as
/// these themselves are there.
#[cfg(any(test, loom))]
pub static SMALL: [Tuning; 3] = [GENERIC.small(), ZEN_5.small(), GOLDEN_COVE.small()];

#[cfg(any(test, loom))]
impl Tuning {
    const fn small(self) -> Tuning {
        Tuning {
            coll_window: self.coll_window / 256,
            coll_block: self.coll_block / 256,
            piece_of_all: self.piece_of_all / 256,
            piece_behind: self.piece_behind / 256,
            reduce_pass: self.reduce_pass / 256,
            allreduce_by_halves: self.allreduce_by_halves / 256,
            slots_first: self.slots_first / 64,
            slots_grow_after: self.slots_grow_after / 64,
            slots_grow_by: self.slots_grow_by / 64,
            slots_at_once: self.slots_at_once / 64,
            ..self
        }
    }
}

/// What `MPI_ANYMPI_TUNING` may be: the name of a row, or the first one, where the processor is asked.
pub const NAMES: &[&str] = &["auto", GENERIC.name, ZEN_5.name, GOLDEN_COVE.name];

/// Index of the row that holds.
static CURRENT: AtomicUsize = AtomicUsize::new(0);

/// The row that holds in this process.
#[inline(always)]
pub fn current() -> &'static Tuning {
    &ROWS[CURRENT.load(Ordering::Relaxed) % ROWS.len()]
}

/// Its index.
pub fn chosen() -> usize {
    CURRENT.load(Ordering::Relaxed)
}

/// Index of the row that one of [`NAMES`] stands for; `None`: there are fewer names.
pub fn row(name: usize) -> Option<usize> {
    match name {
        0 => Some(detect::row()),
        _ => Some(name - 1).filter(|row| *row < ROWS.len()),
    }
}

/// From now on the row of this index holds.
pub fn choose(row: usize) {
    CURRENT.store(row, Ordering::Relaxed);
}

impl fmt::Display for Tuning {
    /// A field and its value in each line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{self:#?}").replace(&NEVER.to_string(), "never");
        for line in text
            .lines()
            .filter(|line| line.starts_with(' ') && *line != "    },")
        {
            writeln!(f, "{}", line.trim_end_matches(','))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_name() {
        assert_eq!(NAMES.len(), 1 + ROWS.len());
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(NAMES[1 + at], row.name);
            assert_eq!(super::row(1 + at), Some(at));
        }
        assert_eq!(row(NAMES.len()), None);
        assert!(row(0).is_some_and(|row| row < ROWS.len()));
    }

    #[test]
    fn people_see_each_field_in_a_line() {
        let text = GENERIC.to_string();
        assert!(text.contains("    name: \"generic\"\n"), "{text}");
        assert!(text.contains("    copy_by_string: never\n"), "{text}");
        assert!(text.contains("    read_ahead: 2048\n"), "{text}");
    }
}

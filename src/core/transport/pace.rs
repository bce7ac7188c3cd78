//! How long messages that meet pace each other.
//!
//! While one comes in pieces, the one that goes the other way is only so far [ahead](Pace::ahead) of it: the same few shuttles go to and
//! fro then, and stay in both sides' caches.

use crate::datatype::block::{Core, core};

/// How such a message goes, in shuttles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// So much of it may be ahead of what has come.
    pub ahead: usize,
    /// Most that goes at a time.
    pub piece: usize,
    /// So many must be here for it to go by them.
    pub needed: usize,
}

/// Most bodies of a message that leaves at once on Zen 5, whatever comes (2 ranks, 64 ns: all-to-all of 1 MiB 54.4 us, paced 55.3; of 2 MiB
/// 105.7, 99.2; command: docs/measurements/notes.md, "Messages that pace each other").
const UNPACED: usize = if cfg!(test) { 16 } else { 64 };

impl Pace {
    /// Where all else would go through the byte ring; 4 to 16 ahead are the same within 5 %.
    const SHORT: Pace = Pace {
        ahead: 16,
        piece: 1,
        needed: 1,
    };

    /// Long pieces, so that each costs less (all-to-all of 4 MiB: not paced 332 us; 16 ahead in pieces of one, two and four shuttles 344, 278,
    /// 268; 32 ahead in pieces of 16 257).
    const LONG: Pace = Pace {
        ahead: UNPACED / 2,
        piece: UNPACED / 4,
        needed: UNPACED / 2,
    };

    /// How a message of so many bodies goes where one comes, between two processes that had so many shuttles each at first; `None`: it
    /// leaves at once.
    pub fn of(bodies: usize, shuttles: usize) -> Option<Pace> {
        let (most, pace) = match core() {
            Core::Zen5 if shuttles > UNPACED => (UNPACED, Pace::LONG),
            // Longer pieces have not been tried there.
            _ => (shuttles, Pace::SHORT),
        };
        (bodies > most).then_some(pace)
    }
}

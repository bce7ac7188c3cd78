//! How long messages that meet pace each other.
//!
//! While one comes in pieces, the one that goes the other way is only so far [ahead](Pace::ahead) of it: the same few exchange buffers go to and
//! fro then, and stay in both sides' caches.

use crate::tuning::Tuning;

/// How such a message goes, in exchange buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// So much of it may be ahead of what has come.
    pub ahead: usize,
    /// Most that goes at a time.
    pub piece: usize,
    /// So many must be here for it to go by them.
    pub needed: usize,
}

impl Pace {
    /// How a message of so many bodies goes where one comes, between two processes that had so many exchange buffers each at first; `None`: it
    /// leaves at once.
    pub fn of(bodies: usize, exchange_buffers: usize, tuning: &Tuning) -> Option<Pace> {
        let share = |wanted: usize, parts: usize| wanted.min(exchange_buffers / parts).max(1);
        (bodies > tuning.pace_from.min(exchange_buffers)).then(|| Pace {
            ahead: share(tuning.pace_ahead, 2),
            piece: share(tuning.pace_piece, 4),
            needed: share(tuning.pace_needed, 2),
        })
    }
}

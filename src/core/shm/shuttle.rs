//! Shuttles: memory between two processes that one of them has at a time.
//!
//! There are two, one beside each ring, which its producer has at first. Who has a shuttle may write a whole message there; who
//! has read that has the shuttle then, whichever way its own next message goes. So an answer is written where what it answers has
//! just been read, in lines that are in the writer's cache and, as processors hand over lines that have been written, in no
//! other. The frames of such a message go through the ring, and say with their flags where their bodies lie.

use super::ring::padded;
use crate::sync::PlainCell;

/// Of a head's flags: the body lies in a shuttle, behind the message's other bodies.
const SHUTTLED: u8 = 1 << 3;
/// In that of the ring the other way.
const BACK: u8 = 1 << 4;
/// It is the message's last one: the consumer has the shuttle as soon as it has read it.
const LAST: u8 = 1 << 5;

/// Of the two shuttles: that of the ring that a process writes to.
const OWN: usize = 0;
/// That of the ring the other way.
const OTHER: usize = 1;

/// Whether a body lies in a shuttle, by its head's flags.
#[inline(always)]
pub(super) fn carries(flags: u8) -> bool {
    flags & SHUTTLED != 0
}

/// The shuttle that flags name, as their consumer does.
fn which(flags: u8) -> usize {
    match flags & BACK != 0 {
        true => OWN,
        false => OTHER,
    }
}

/// Some of the two shuttles.
#[derive(Clone, Copy, Default)]
pub struct Shuttles {
    are: [bool; 2],
    latest: usize,
}

impl Shuttles {
    fn add(&mut self, which: usize) {
        self.are[which] = true;
        self.latest = which;
    }

    /// Takes the one that has come last of those that are there.
    fn take(&mut self) -> Option<usize> {
        let other = 1 - self.latest;
        let which = [self.latest, other]
            .into_iter()
            .find(|&which| self.are[which])?;
        self.are[which] = false;
        Some(which)
    }
}

/// A message of which a part has been written to a shuttle.
#[derive(Clone, Copy)]
struct Aboard {
    which: usize,
    position: usize,
    left: usize,
}

/// The shuttles as a ring's producer sees them.
pub struct Loading<'a> {
    memory: [&'a [PlainCell<u8>]; 2],
    /// Those that this process has.
    here: Shuttles,
    aboard: Option<Aboard>,
}

impl<'a> Loading<'a> {
    /// `own` and `other` lie beside the ring, and beside the one the other way.
    pub(super) fn new(own: &'a [PlainCell<u8>], other: &'a [PlainCell<u8>]) -> Loading<'a> {
        let mut here = Shuttles::default();
        here.add(OWN);
        Loading {
            memory: [own, other],
            here,
            aboard: None,
        }
    }

    /// These have come with messages from the consumer's process.
    pub fn add(&mut self, came: Shuttles) {
        for which in [1 - came.latest, came.latest] {
            if came.are[which] {
                self.here.add(which);
            }
        }
    }

    /// Whether the next bodies, of whole cache lines but for the last one, `len` bytes in all, go by a shuttle, all of them.
    pub fn board(&mut self, len: usize) -> bool {
        if padded(len) > self.memory[OWN].len() as u64 || self.aboard.is_some() {
            return false;
        }
        self.aboard = self.here.take().map(|which| Aboard {
            which,
            position: 0,
            left: len,
        });
        self.aboard.is_some()
    }

    /// Where the next body of the message that has boarded is to be written, and what its head's flags say then.
    pub(super) fn next(&mut self, len: usize) -> Option<(&mut [u8], u8)> {
        let Aboard {
            which,
            position,
            left,
        } = self.aboard?;
        debug_assert!(len <= left);
        let place = &self.memory[which][position..][..len];
        let back = if which == OTHER { BACK } else { 0 };
        let last = if len < left { 0 } else { LAST };
        self.aboard = (len < left).then_some(Aboard {
            which,
            position: position + padded(len) as usize,
            left: left - len,
        });
        // SAFETY: the shuttle is this side's, as no message that went by it has come back since it came here or was made; this
        // is its only producer, which is borrowed. A cell may be written to through a shared reference.
        let place =
            unsafe { std::slice::from_raw_parts_mut(place.as_ptr().cast_mut().cast(), len) };
        Some((place, SHUTTLED | back | last))
    }
}

/// The shuttles as a ring's consumer sees them.
pub(super) struct Unloading<'a> {
    /// As the producer of the ring the other way names them.
    memory: [&'a [PlainCell<u8>]; 2],
    /// Where the next body is.
    position: usize,
    /// Those that have come with messages, and have not been taken.
    came: Shuttles,
}

impl<'a> Unloading<'a> {
    /// `own` and `other` lie beside the ring, and beside the one the other way.
    pub fn new(own: &'a [PlainCell<u8>], other: &'a [PlainCell<u8>]) -> Unloading<'a> {
        Unloading {
            memory: [other, own],
            position: 0,
            came: Shuttles::default(),
        }
    }

    /// Takes those that have come.
    pub fn take(&mut self) -> Shuttles {
        std::mem::take(&mut self.came)
    }

    /// The body that flags tell of, as much of it as a shuttle holds.
    pub fn body(&self, flags: u8, len: usize) -> &'a [u8] {
        let rest = &self.memory[which(flags)][self.position..];
        let place = &rest[..len.min(rest.len())];
        // SAFETY: written before the sequence number of its frame, and this side's from then on.
        unsafe { std::slice::from_raw_parts(place.as_ptr().cast(), place.len()) }
    }

    /// Goes on behind that body.
    pub fn advance(&mut self, flags: u8, len: usize) {
        let which = which(flags);
        let end = self.position + padded(len) as usize;
        self.position = end.min(self.memory[which].len());
        if flags & LAST != 0 {
            self.position = 0;
            self.came.add(which);
        }
    }
}

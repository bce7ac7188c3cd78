//! Which parts of the segment's file this process has mapped, and where each part lies in the file.
//!
//! All that belongs to pairs and to communicators takes gigabytes of addresses, though little memory, and one process
//! uses a small part of it. Limits of addresses count what is mapped (`ulimit -v`). So a pair's rings are mapped when
//! the two first talk, and a member slot when a communicator is about to use it. What has been mapped stays so. Knows
//! nothing of what lies in a part.
#![allow(unsafe_code)]

use std::io;
use std::ops::Range;
use std::os::fd::OwnedFd;

use super::collective::{MEMBER_SLOTS, Sizes};
use super::exchange_buffer::Half;
use super::ring::Ring;
use super::{Header, Page};
use crate::sync::{AtomicU8, AtomicU64, Ordering};
use crate::sys::{self, FileId, LARGEST_PAGE, Mapping, Reserved};

/// Where the parts lie, by the ranks of whom they belong to.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub processes: usize,
    /// Bytes of a byte ring.
    pub ring: usize,
}

impl Layout {
    /// Bytes that all processes use: the header and a page of each.
    pub fn common(processes: usize) -> usize {
        (size_of::<Header>() + processes * size_of::<Page>()).next_multiple_of(LARGEST_PAGE)
    }

    /// The two rings between two processes, or the one of a process to itself. The first half comes first.
    fn pair(self, one: usize, other: usize) -> Range<usize> {
        let (low, high) = (one.min(other), one.max(other));
        let index = high * (high + 1) / 2 + low;
        let rings = 2 * Ring::size(self.ring);
        let start = Self::common(self.processes) + index * rings.next_multiple_of(LARGEST_PAGE);
        start..start + if low == high { rings / 2 } else { rings }
    }

    /// Of a member slot and what belongs to it.
    fn member_slot(self, process: usize, index: usize) -> Range<usize> {
        let of = process * Sizes::all(self.ring, MEMBER_SLOTS) + Sizes::all(self.ring, index);
        let start = self.pair(0, self.processes).start + of;
        start..start + Sizes::of(self.ring, index).bytes()
    }

    /// Bytes of the file.
    pub fn bytes(self) -> usize {
        self.member_slot(self.processes, 0).start
    }

    /// Bytes of the longest member slot and what belongs to it.
    pub fn longest_member_slot(self) -> usize {
        self.member_slot(0, 0).len()
    }
}

/// An end of a ring that this process uses.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    Producer,
    Consumer,
}

/// The parts of one segment that this process has mapped.
pub(super) struct Parts {
    file: OwnedFd,
    /// A program may close all descriptors that it does not know, and open other files.
    id: FileId,
    layout: Layout,
    me: usize,
    /// For each other process, the address of the rings between it and this one; 0: not mapped.
    pairs: Box<[AtomicU64]>,
    /// Which ends of these rings are taken.
    ends: Box<[AtomicU8]>,
}

impl Parts {
    /// # Errors
    /// The descriptor cannot be copied.
    pub fn new(file: &OwnedFd, layout: Layout, me: usize) -> io::Result<Parts> {
        let file = file.try_clone()?;
        Ok(Parts {
            id: sys::file_id(&file)?,
            file,
            layout,
            me,
            pairs: (0..layout.processes).map(|_| AtomicU64::new(0)).collect(),
            ends: (0..layout.processes).map(|_| AtomicU8::new(0)).collect(),
        })
    }

    fn map(&self, part: Range<usize>, place: Option<Reserved>) -> io::Result<*mut u8> {
        let bytes = part.len();
        let mapped = match sys::file_id(&self.file) {
            Ok(id) if id == self.id => Mapping::part(&self.file, part, place),
            _ => Err(io::Error::other("somebody has closed its descriptor")),
        };
        mapped
            .map(Mapping::keep)
            .map_err(|error| refused(bytes, &error))
    }

    /// Where the ring from or to `peer` lies, if the two are mapped.
    pub fn ring(&self, peer: usize, half: Half) -> Option<*mut u8> {
        let pair = self.pairs[peer].load(Ordering::Relaxed) as usize;
        let ring = pair + half as usize * Ring::size(self.layout.ring);
        (pair != 0).then(|| std::ptr::with_exposed_provenance_mut(ring))
    }

    /// Takes an end of the rings between this process and `peer`, which has one owner.
    pub fn take(&self, peer: usize, end: End) {
        let bit = 1 << end as u8;
        let taken = self.ends[peer].fetch_or(bit, Ordering::Relaxed);
        assert!(taken & bit == 0, "{end:?} of process {peer} has an owner");
    }

    /// Maps the rings between this process and `peer`, unless they are.
    ///
    /// # Errors
    /// The system refuses; the text says how many bytes. `OutOfMemory`: there are no addresses left.
    pub fn map_rings(&self, peer: usize) -> io::Result<()> {
        if self.ring(peer, Half::First).is_none() {
            let pair = self.map(self.layout.pair(self.me, peer), None)?;
            self.pairs[peer].store(pair.expose_provenance() as u64, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Bytes of the longest member slot and what belongs to it.
    pub fn longest_member_slot(&self) -> usize {
        self.layout.longest_member_slot()
    }

    /// Maps a member slot and what belongs to it, in addresses that have been reserved for it if there are some.
    ///
    /// # Errors
    /// As for [`map_rings`](Self::map_rings).
    pub fn map_member_slot(
        &self,
        (process, member_slot): (usize, usize),
        place: Option<&mut Reserved>,
    ) -> io::Result<*mut u8> {
        let part = self.layout.member_slot(process, member_slot);
        let place = place.and_then(|all| all.take(part.len()));
        self.map(part, place)
    }
}

/// What is said of memory that cannot be mapped.
pub(super) fn refused(bytes: usize, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot map {bytes} bytes: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_one_behind_the_other() {
        for processes in [1, 2, 5, 64] {
            let ring = Ring::most_for(processes);
            let layout = Layout { processes, ring };
            let pairs = (0..processes).flat_map(|high| (0..=high).map(move |low| (low, high)));
            let member_slots = (0..processes)
                .flat_map(|of| (0..MEMBER_SLOTS).map(move |member_slot| (of, member_slot)));
            let common = 0..Layout::common(processes);
            let mut parts: Vec<_> = std::iter::once(common).collect();
            parts.extend(pairs.map(|(low, high)| {
                assert_eq!(layout.pair(low, high), layout.pair(high, low));
                layout.pair(low, high)
            }));
            parts.extend(
                member_slots.map(|(process, member_slot)| layout.member_slot(process, member_slot)),
            );
            for two in parts.windows(2) {
                assert!(two[0].end <= two[1].start, "{two:?}");
                assert!(two[1].start.is_multiple_of(LARGEST_PAGE));
                assert!(two[1].len() <= layout.longest_member_slot().max(2 * Ring::size(ring)));
            }
            assert_eq!(parts.last().unwrap().end, layout.bytes());
        }
    }
}

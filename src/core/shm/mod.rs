//! Memory that the processes of one node share: a segment with a page per process and a ring per pair.
//!
//! One sparse memory file holds everything at places computed from the ranks (decision 4). Nothing is allocated or
//! negotiated. Pages come into being when a pair first talks. Nothing is left when the last process ends, however it
//! ends. A process maps the [parts] that it uses. This module knows bytes, not messages.
#![allow(unsafe_code)]

pub mod claims;
pub mod collective;
pub mod direct;
pub mod exchange_buffer;
pub mod file;
mod handover;
pub mod heap;
pub mod offers;
mod parts;
mod prefault;
pub mod ring;
pub mod zero_copy;

use std::io;
use std::os::fd::OwnedFd;

use crate::park::{Sleeper, Waker};
use crate::sync::{AtomicU32, AtomicU64, Ordering};
use crate::sys::{self, Reserved};
use crate::tuning::{self, Tuning};
use claims::Claims;
use collective::{MEMBER_SLOTS, MemberMemory, MemberSlot, Sizes};
use direct::Beacon;
use exchange_buffer::Half;
use heap::{Heap, Notice};
use parts::{End, Layout, Parts};
use ring::{Consumer, Producer, Ring};

/// First word of a segment: name and version of this layout.
const MAGIC: u64 = u64::from_le_bytes(*b"anympi\x01\x13");
/// Processes that one segment can hold.
pub const MAX_PROCESSES: usize = 4096;

#[repr(C, align(4096))]
struct Header {
    magic: AtomicU64,
    processes: AtomicU32,
    /// One more than the index of the row of [`tuning`], as the first process has said: both sides of a copy cut it alike.
    tuning: AtomicU32,
    /// Bytes of a byte ring, as the first process has said: its second cache need not be everybody's.
    ring: AtomicU32,
}

impl Header {
    /// That of the segment which is mapped at `base`.
    fn at(base: *mut u8) -> &'static Header {
        // SAFETY: a segment starts with the header (page aligned, zero is valid), and is never unmapped.
        unsafe { &*base.cast::<Header>() }
    }

    /// Chooses the row of [`tuning`] that the first process has chosen, who is this one if there is none.
    fn agree_on_tuning(&self) -> io::Result<()> {
        let own = tuning::chosen() as u32 + 1;
        let said = self
            .tuning
            .compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire)
            .map_or_else(|said| said, |_| own);
        let row = said as usize - 1;
        if row >= tuning::ROWS.len() {
            let what = format!("row {row} of the tuning in the shared segment");
            return Err(io::Error::other(what));
        }
        tuning::choose(row);
        Ok(())
    }

    /// Bytes of a byte ring, which the first process that comes says: as it wishes, or 0.
    fn agree_on_rings(&self, processes: usize, wish: usize) -> io::Result<usize> {
        let times = tuning::current().ring_per_cache;
        let bytes = match wish {
            0 => Ring::bytes_for(processes, sys::second_cache(), times),
            wish => Ring::bytes_like(processes, wish),
        };
        let said = self
            .ring
            .compare_exchange(0, bytes as u32, Ordering::AcqRel, Ordering::Acquire)
            .map_or_else(|said| said as usize, |_| bytes);
        if said != Ring::bytes_like(processes, said) {
            let what = format!("a ring of {said} bytes in the shared segment");
            return Err(io::Error::other(what));
        }
        Ok(said)
    }
}

/// What the others see of one process. Its own line is written when it goes to sleep or is woken, and
/// when a peer first talks to it.
#[repr(C, align(4096))]
struct Page {
    sleeper: Sleeper,
    /// Counts new peers; their bits stand in `peers`.
    doorbell: AtomicU32,
    /// Process id, once attached.
    pid: AtomicU32,
    beacon: Beacon,
    heap: Notice,
    peers: [AtomicU64; MAX_PROCESSES / 64],
}

/// The shared memory of the processes of one node, seen from one of them.
///
/// Mappings are never undone before the process ends: rings and wakers refer to them freely.
#[derive(Clone, Copy)]
pub struct Segment {
    /// What all processes use.
    base: *mut u8,
    processes: usize,
    me: usize,
    /// Bytes of a byte ring.
    ring: usize,
    /// The heaps of all processes.
    heaps: &'static [Heap],
    parts: &'static Parts,
}

impl Segment {
    /// Most bytes of a segment for `processes` processes; only touched pages cost memory.
    pub fn size(processes: usize) -> usize {
        let ring = Ring::most_for(processes);
        Layout { processes, ring }.bytes()
    }

    /// Joins the segment in `file` as process `me` of `processes`. `ring`: bytes of a byte ring, if this process is the first to
    /// come; 0: as its processor's caches are.
    ///
    /// # Errors
    /// The file cannot be sized or mapped; it belongs to a job of another size or version; `me` is taken.
    pub fn attach(file: &OwnedFd, me: usize, processes: usize, ring: usize) -> io::Result<Segment> {
        let other = |what: String| io::Error::other(what);
        if processes > MAX_PROCESSES {
            return Err(other(format!(
                "{processes} processes on one node; this build holds {MAX_PROCESSES}"
            )));
        }
        let len = Self::size(processes);
        sys::grow(file, len as u64)
            .map_err(|error| other(format!("cannot make a file of {len} bytes: {error}")))?;
        let common = Layout::common(processes);
        let mapping = sys::Mapping::part(file, 0..common, None)
            .map_err(|error| parts::refused(common, &error))?;
        let base = mapping.keep();
        let header = Header::at(base);
        match header
            .magic
            .compare_exchange(0, MAGIC, Ordering::AcqRel, Ordering::Acquire)
        {
            Ok(_) | Err(MAGIC) => (),
            Err(found) => {
                return Err(other(format!(
                    "another layout in the shared segment (0x{found:x}, not 0x{MAGIC:x}): do all \
                     processes run the same version of anympi?"
                )));
            }
        }
        let found = header
            .processes
            .compare_exchange(0, processes as u32, Ordering::AcqRel, Ordering::Acquire)
            .unwrap_or_else(|found| found);
        if found != 0 && found != processes as u32 {
            return Err(other(format!(
                "the segment is for {found} processes, not {processes}"
            )));
        }
        header.agree_on_tuning()?;
        let ring = header.agree_on_rings(processes, ring)?;
        let parts = Parts::new(file, Layout { processes, ring }, me)?;
        // A world of one needs no more, whatever becomes of the descriptor.
        parts.map_rings(me)?;
        if sys::address_limit().is_some() {
            // What is missing later would end the job.
            (0..processes).try_for_each(|peer| parts.map_rings(peer))?;
        }
        let mut segment = Segment {
            base,
            processes,
            me,
            ring,
            heaps: &[],
            parts: Box::leak(Box::new(parts)),
        };
        let page = segment.page(me);
        let pid = std::process::id();
        if let Err(owner) = page
            .pid
            .compare_exchange(0, pid, Ordering::AcqRel, Ordering::Acquire)
        {
            return Err(other(format!(
                "process {me} of the segment is already pid {owner}"
            )));
        }
        segment.light_beacon();
        let heaps = (0..processes).map(|process| Heap::of(segment.page(process)));
        segment.heaps = Box::leak(heaps.collect());
        Ok(segment)
    }

    fn page(&self, process: usize) -> &'static Page {
        assert!(process < self.processes);
        // SAFETY: the pages follow the header; the index is in range; all fields are atomics. The 'static is
        // honest because a segment is never unmapped before its process ends.
        unsafe {
            &*self
                .base
                .add(size_of::<Header>() + process * size_of::<Page>())
                .cast::<Page>()
        }
    }

    /// The ring from `source` to `destination`, one of which is this process, once [both](Self::meet) are mapped.
    fn ring(&self, source: usize, destination: usize) -> Ring<'static> {
        let peer = if source == self.me {
            destination
        } else {
            source
        };
        let half = Half::of(source, destination);
        let base = self.parts.ring(peer, half);
        let base = base.expect("the rings of a pair are mapped before they are used");
        // SAFETY: page aligned, zero at first, never unmapped; of each two rings both sides compute the same place, and the same
        // size was said to them.
        unsafe { Ring::at(base, self.ring, half) }
    }

    /// Maps the rings between this process and `peer`, unless they are.
    ///
    /// # Errors
    /// The system refuses; the text says how many bytes. `OutOfMemory`: there are no addresses left.
    pub fn meet(&self, peer: usize) -> io::Result<()> {
        self.parts.map_rings(peer)
    }

    /// A member slot of a process for collectives, and what belongs to it. They are mapped in addresses that have
    /// been reserved for them, if there are some.
    fn member_slot(
        &self,
        process: usize,
        index: usize,
        place: Option<&mut Reserved>,
    ) -> io::Result<(&'static MemberSlot, MemberMemory)> {
        assert!(process < self.processes && index < MEMBER_SLOTS);
        let base = self.parts.map_member_slot((process, index), place)?;
        let sizes = Sizes::of(self.ring, index);
        // SAFETY: page aligned, valid when zero, never unmapped, and as long as these sizes say.
        Ok(unsafe { (&*base.cast::<MemberSlot>(), MemberMemory::at(base, sizes)) })
    }

    /// Addresses for `count` member slots.
    fn reserve(&self, count: usize) -> io::Result<Reserved> {
        Reserved::new(count * self.parts.longest_member_slot())
    }

    pub fn processes(&self) -> usize {
        self.processes
    }

    pub fn me(&self) -> usize {
        self.me
    }

    /// Bytes of each byte ring.
    pub fn ring_bytes(&self) -> u64 {
        self.ring as u64
    }

    /// The ring for frames from this process to `peer`, once they have [met](Self::meet).
    fn outgoing(&self, peer: usize) -> Ring<'static> {
        self.ring(self.me, peer)
    }

    /// The ring for frames from `peer` to this process, once they have [met](Self::meet).
    fn incoming(&self, peer: usize) -> Ring<'static> {
        self.ring(peer, self.me)
    }

    /// The end of a ring at which this process writes frames to `peer`, once they have [met](Self::meet). There is one, so it is
    /// asked for once; then [`ring_bell`](Self::ring_bell) must follow.
    pub fn producer(&self, peer: usize, tuning: &Tuning) -> Producer<'static> {
        self.parts.take(peer, End::Producer);
        Producer::new(self.outgoing(peer), self.incoming(peer), tuning)
    }

    /// The end of a ring at which this process reads frames from `peer`, once they have [met](Self::meet). There is one, so it is
    /// asked for once.
    pub fn consumer(&self, peer: usize) -> Consumer<'static> {
        self.parts.take(peer, End::Consumer);
        Consumer::new(self.incoming(peer), self.outgoing(peer))
    }

    /// The counters of chunks of messages from this process to `peer`.
    pub fn claims_to(&self, peer: usize) -> &'static Claims {
        self.outgoing(peer).claims()
    }

    /// The counters of chunks of messages from `peer` to this process.
    pub fn claims_from(&self, peer: usize) -> &'static Claims {
        self.incoming(peer).claims()
    }

    /// Tells `peer` to look at the ring from this process from now on.
    pub fn ring_bell(&self, peer: usize) {
        let page = self.page(peer);
        page.peers[self.me / 64].fetch_or(1 << (self.me % 64), Ordering::AcqRel);
        page.doorbell.fetch_add(1, Ordering::AcqRel);
    }

    /// How often new peers have rung so far.
    #[inline(always)]
    pub fn bells(&self) -> u32 {
        self.page(self.me).doorbell.load(Ordering::Acquire)
    }

    /// Every peer that has rung.
    pub fn callers(&self) -> impl Iterator<Item = usize> + '_ {
        let page = self.page(self.me);
        (0..self.processes).filter(move |peer| {
            page.peers[peer / 64].load(Ordering::Acquire) >> (peer % 64) & 1 != 0
        })
    }

    /// What wakes `peer`. To be kept beside the ring to it.
    pub fn waker(&self, peer: usize) -> Waker {
        self.page(peer).sleeper.waker()
    }

    /// Where the others see whether this process sleeps.
    pub fn sleeper(&self) -> &'static Sleeper {
        &self.page(self.me).sleeper
    }
}

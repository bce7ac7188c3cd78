//! What this process shares with the other processes of its node. That is the segment, the link through it, its part
//! of the memory of collectives, and the blocks that others can map.
//!
//! It must not know messages, communicators, nor processes of other nodes.

use std::io;
use std::rc::Rc;

use crate::boot::node::Memory;
use crate::config::{self, Knob, Settings};
use crate::copying::Copying;
use crate::error::{Error, Result, class};
use crate::park::Park;
use crate::shm::Segment;
use crate::shm::collective::MemberSlots;
use crate::shm::ring::{self, Ring};
use crate::sys;
use crate::transport::ProcId;
use crate::transport::shm::Shm;
use crate::tuning;

/// This process's part of its node.
pub struct Node {
    pub segment: Segment,
    /// How long data is copied between its processes.
    pub copying: Copying,
    /// This process's part of the memory that communicators share.
    pub member_slots: Rc<MemberSlots>,
    /// Whether `MPI_Alloc_mem` takes long blocks from the heap that other processes can map.
    pub own_heap: bool,
    /// Whether the program's allocator takes long blocks from such a heap.
    pub lent_heap: bool,
}

fn value(settings: &Settings, knob: &Knob) -> Result<u64> {
    let value = settings.value(knob);
    value.map_err(|what| Error::new(class::OTHER, what))
}

impl Node {
    /// Maps the memory that the launcher or the lowest process of the node has made.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: it cannot be mapped, or a knob is set to something else than a number.
    pub fn join(memory: &Memory, settings: &Settings) -> Result<Node> {
        let size = memory.members.len();
        let ring = value(settings, &config::RING_SIZE)?;
        let ring = usize::try_from(ring).unwrap_or(usize::MAX);
        let segment = Segment::attach(&memory.file, memory.place, size, ring)
            .map_err(|error| shared_memory(size, &error))?;
        let heaps = value(settings, &config::HEAP)? != 0;
        let lent_heap = heaps && segment.show_lent_heap();
        if !heaps {
            segment.refuse_heaps();
        }
        Ok(Node {
            segment,
            copying: Copying::new(settings)?,
            member_slots: Rc::new(MemberSlots::new(segment, tuning::current())),
            // An allocator with a heap gives all long blocks from it.
            own_heap: heaps && !lent_heap,
            lent_heap,
        })
    }

    /// The link between its `members`, by their places, of so many processes in all.
    pub fn link(&self, members: Vec<ProcId>, processes: usize) -> Shm {
        let Copying { direct, limits } = self.copying;
        Shm::new(self.segment, (members, processes), direct, limits)
    }

    /// Where the threads of this process sleep.
    pub fn park(&self) -> Park {
        Park::new(self.segment.sleeper())
    }
}

/// What is wrong with the memory that so many processes of a node share, and what may help.
pub fn shared_memory(processes: usize, error: &io::Error) -> Error {
    let mut what = format!("shared memory: {error}");
    if error.kind() == io::ErrorKind::OutOfMemory
        && let Some(limit) = sys::address_limit()
    {
        what += &format!(
            "; this process may have {limit} bytes of addresses: raise that limit ('ulimit -v')"
        );
        if Ring::most_for(processes) > ring::MIN_BYTES {
            what += &format!(" or set {}={}", config::RING_SIZE.name, ring::MIN_BYTES);
        }
    }
    Error::new(class::OTHER, what)
}

//! The kinds of link that the conformance suite runs over.

use std::fmt;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use proptest::prelude::*;

use super::shm::world_over;
use super::*;
use crate::shm::zero_copy::{Direct, Limits};
use crate::transport::shm::Shm;
use crate::transport::simulated::Simulated;
use crate::transport::socket::{BACKLOG, Sockets};
use crate::tuning::{self, ROWS, Tuning};

/// A kind of link, with what can be chosen for it.
pub(super) trait Kind: Clone + fmt::Debug + 'static {
    type Link: Link;

    /// Whether a frame finds room where nothing waits before it.
    const AT_ONCE: bool;

    /// Those that every test runs over.
    fn usual() -> Vec<Self>;

    /// Any of them, for tests that choose.
    fn any() -> BoxedStrategy<Self>;

    /// The links of so many processes.
    fn links(&self, processes: usize) -> Vec<Self::Link>;

    /// The processes of a world.
    fn world(&self, processes: usize) -> Vec<Proto<Self::Link>> {
        self.links(processes).into_iter().map(Proto::new).collect()
    }
}

/// The rings of one segment, and copies past them.
#[derive(Clone)]
pub(super) struct SharedMemory {
    direct: Direct,
    tuning: &'static Tuning,
}

impl fmt::Debug for SharedMemory {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SharedMemory { direct, tuning } = self;
        write!(to, "shared memory, {direct:?}, {}", tuning.name)
    }
}

const DIRECT: [Direct; 3] = [Direct::Never, Direct::Reads, Direct::Both];

impl Kind for SharedMemory {
    type Link = Shm;

    const AT_ONCE: bool = true;

    fn usual() -> Vec<SharedMemory> {
        let tuning = tuning::current();
        DIRECT.map(|direct| SharedMemory { direct, tuning }).into()
    }

    fn any() -> BoxedStrategy<SharedMemory> {
        let direct = proptest::sample::select(&DIRECT[..]);
        (direct, 0..ROWS.len())
            .prop_map(|(direct, row)| SharedMemory {
                direct,
                tuning: &ROWS[row],
            })
            .boxed()
    }

    fn links(&self, processes: usize) -> Vec<Shm> {
        world_over(processes, |segment| {
            Shm::tested(segment, self.direct, &Limits::ALWAYS).tuned(self.tuning)
        })
        .into_iter()
        .map(|proto| proto.link)
        .collect()
    }
}

/// Delays, reordering and back-pressure by a seed.
#[derive(Clone, Debug)]
pub(super) struct Seed(pub u64);

impl Kind for Seed {
    type Link = Simulated;

    const AT_ONCE: bool = false;

    fn usual() -> Vec<Seed> {
        (1..=5).map(Seed).collect()
    }

    fn any() -> BoxedStrategy<Seed> {
        any::<u64>().prop_map(Seed).boxed()
    }

    fn links(&self, processes: usize) -> Vec<Simulated> {
        Simulated::all(processes, self.0)
    }
}

/// A pair of Unix sockets between each two processes.
#[derive(Clone, Debug)]
pub(super) struct UnixSockets {
    backlog: usize,
}

impl Kind for UnixSockets {
    type Link = Sockets;

    const AT_ONCE: bool = true;

    fn usual() -> Vec<UnixSockets> {
        vec![UnixSockets { backlog: BACKLOG }]
    }

    fn any() -> BoxedStrategy<UnixSockets> {
        let backlog = proptest::sample::select(&[1, 10_000, BACKLOG][..]);
        backlog.prop_map(|backlog| UnixSockets { backlog }).boxed()
    }

    fn links(&self, processes: usize) -> Vec<Sockets> {
        let mut streams: Vec<Vec<(ProcId, OwnedFd)>> = (0..processes).map(|_| Vec::new()).collect();
        for one in 0..processes {
            for other in one + 1..processes {
                let (its, others) = UnixStream::pair().unwrap();
                streams[one].push((ProcId(other as u32), its.into()));
                streams[other].push((ProcId(one as u32), others.into()));
            }
        }
        let links = (0..).map(ProcId).zip(streams);
        links
            .map(|(me, streams)| {
                Sockets::with_backlog(me, processes, streams, self.backlog).unwrap()
            })
            .collect()
    }
}

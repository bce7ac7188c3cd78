//! What a node is to run: the part of the job's plan that concerns one host.
//!
//! Job: data. `plan.rs` makes it, `frames.rs` carries it to daemons, `node.rs` carries it out.

use crate::environ::{Env, World};
use crate::request::{BindRequest, StdinTo};
use std::ffi::OsString;
use std::path::PathBuf;

/// A program as it is asked for, before anybody has looked for its file on its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    pub command: Vec<OsString>,
    pub path: Option<String>,
    pub wdir: Option<PathBuf>,
    /// Where mpiexec was started: the working directory, if it is there and no other is asked for.
    pub here: Option<PathBuf>,
    pub env: Env,
    /// What the host itself has in its environment comes below `env`.
    pub own_env: bool,
    /// But for these.
    pub unset: Vec<OsString>,
    /// Our libraries come first on the loader's path.
    pub library_path: bool,
    /// Preload the allocator whose long blocks other ranks can map.
    pub shared_heap: bool,
}

/// A rank on the host, and which of the host's programs it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    pub rank: usize,
    pub program: usize,
    /// Where a rank file wants it; none: as the binding of the job says.
    pub slot: Option<Slot>,
}

/// Processors that a rank file names for a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// By the numbers of the system.
    Cpus(Vec<usize>),
    /// Cores of a package, by their place in it; none: all of them.
    Cores(usize, Vec<usize>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// The host's name for ranks and messages.
    pub host: String,
    /// In the order of the ranks.
    pub posts: Vec<Post>,
    pub world: World,
    pub bind: BindRequest,
    pub stdin: StdinTo,
    /// Standard error goes into standard output's pipe.
    pub merge: bool,
    /// Say so when ranks run on another MPI.
    pub library_check: bool,
}

impl Orders {
    /// Whether a rank reads standard input.
    pub fn reads(&self, rank: usize) -> bool {
        match self.stdin {
            StdinTo::Rank(reader) => reader == rank,
            StdinTo::All => true,
            StdinTo::Nobody => false,
        }
    }

    /// The ranks as `0-3,8`.
    pub fn ranks(&self) -> String {
        crate::pmi::ranges(&self.posts.iter().map(|p| p.rank).collect::<Vec<_>>())
    }
}

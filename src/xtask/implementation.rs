//! The MPI implementations that programs run on here: anympi's prefix and the peers from PyPI.
//!
//! Knows for each where its launcher, library and header are, which ABI it offers and which
//! environment it wants. It must not know which programs are run.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueEnum;

use crate::install::{self, Profile};
use crate::paths;
use crate::setup::Peer;
use crate::sh::Cmd;

/// One of the C ABIs, named in tests by these words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Abi {
    /// The MPI-5.0 standard's, `libmpi_abi.so.1`.
    Mpi5,
    /// MPICH's, `libmpi.so.12`.
    Mpich,
    /// Open MPI's, `libmpi.so.40`.
    Ompi,
}

impl Abi {
    pub const ALL: [Abi; 3] = [Abi::Mpi5, Abi::Mpich, Abi::Ompi];

    /// The file name that programs of this ABI ask the loader for.
    pub fn soname(self) -> &'static str {
        match self {
            Abi::Mpi5 => "libmpi_abi.so.1",
            Abi::Mpich => "libmpi.so.12",
            Abi::Ompi => "libmpi.so.40",
        }
    }
}

impl fmt::Display for Abi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Abi::Mpi5 => "mpi5",
            Abi::Mpich => "mpich",
            Abi::Ompi => "ompi",
        })
    }
}

/// Which implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Which {
    Ours,
    Mpich,
    Openmpi,
    Intel,
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Which::Ours => "anympi",
            Which::Mpich => "mpich",
            Which::Openmpi => "openmpi",
            Which::Intel => "intel",
        })
    }
}

/// How subcommands are told which anympi to use.
#[derive(clap::Args, Clone)]
pub struct Ours {
    /// An installed anympi; without it the working tree is built and installed below target.
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// What to build with when no prefix is given.
    #[arg(long, value_enum, default_value_t)]
    profile: Profile,
}

impl Ours {
    /// The working tree, to be built and installed.
    pub fn new(profile: Profile) -> Ours {
        Ours {
            prefix: None,
            profile,
        }
    }

    /// What is installed in `prefix`.
    pub fn at(prefix: &Path) -> Ours {
        Ours {
            prefix: Some(prefix.to_owned()),
            profile: Profile::default(),
        }
    }

    /// The prefix, built and installed unless it was given.
    pub fn prepare(&self) -> Result<Implementation> {
        let prefix = match &self.prefix {
            Some(prefix) => std::path::absolute(prefix)?,
            None => {
                let prefix = paths::work().join(match self.profile {
                    Profile::Release => "prefix",
                    Profile::Quick => "prefix-quick",
                });
                install::install(&prefix, self.profile)?;
                prefix
            }
        };
        Ok(Implementation {
            which: Which::Ours,
            prefix,
        })
    }
}

/// An implementation ready to run programs.
#[derive(Clone, Debug)]
pub struct Implementation {
    pub which: Which,
    pub prefix: PathBuf,
}

impl Implementation {
    /// A peer, fetched on first use; not for `Which::Ours`, which needs a prefix.
    pub fn peer(peer: Peer) -> Result<Implementation> {
        let which = match peer {
            Peer::Mpich => Which::Mpich,
            Peer::Openmpi => Which::Openmpi,
            Peer::Intel => Which::Intel,
        };
        Ok(Implementation {
            which,
            prefix: peer.fetch()?,
        })
    }

    pub fn is_ours(&self) -> bool {
        self.which == Which::Ours
    }

    pub fn lib(&self) -> PathBuf {
        self.prefix.join("lib")
    }

    pub fn bin(&self, program: &str) -> PathBuf {
        self.prefix.join("bin").join(program)
    }

    /// Whether programs built for `abi` can run on it.
    pub fn offers(&self, abi: Abi) -> bool {
        match self.which {
            Which::Ours => true,
            Which::Mpich | Which::Intel => abi != Abi::Ompi,
            Which::Openmpi => abi == Abi::Ompi,
        }
    }

    /// A launcher command for `ranks` ranks whose programs find this implementation's libraries;
    /// the program and its arguments are to be added.
    pub fn mpiexec(&self, ranks: usize) -> Cmd {
        self.mpiexec_without_library_path(ranks)
            .env("LD_LIBRARY_PATH", self.lib())
    }

    /// The same, with no loader path set: for programs that get the library another way.
    pub fn mpiexec_without_library_path(&self, ranks: usize) -> Cmd {
        let cmd = match self.which {
            Which::Ours | Which::Mpich => Cmd::new(self.bin("mpiexec")),
            Which::Intel => Cmd::new(self.bin("mpiexec.hydra"))
                .env("I_MPI_ROOT", &self.prefix)
                .env("I_MPI_FABRICS", "shm"),
            Which::Openmpi => Cmd::new(self.bin("mpiexec"))
                .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
                .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
                .arg("--oversubscribe"),
        };
        cmd.arg("-n").arg(ranks.to_string())
    }

    /// Asks a peer to let go of the core while it waits. Tests with more ranks than cores take minutes
    /// without; benchmarks measure the peers as they come. Ours needs no such words.
    pub fn yielding(&self, cmd: Cmd) -> Cmd {
        match self.which {
            Which::Ours => cmd,
            Which::Mpich => cmd.env("MPIR_CVAR_POLLS_BEFORE_YIELD", "1"),
            Which::Intel => cmd
                .env("I_MPI_THREAD_YIELD", "2")
                .env("I_MPI_SPIN_COUNT", "1"),
            Which::Openmpi => cmd.env("OMPI_MCA_mpi_yield_when_idle", "1"),
        }
    }
}

/// The compiler command for `source` in a program of the given ABI, built as that family's users
/// build it: its own header, its own library at link time. Ours stands for the standard's.
pub fn compile(abi: Abi, ours: &Path, source: &Path, program: &Path) -> Result<Cmd> {
    let prefix = match abi {
        Abi::Mpi5 => ours.to_owned(),
        Abi::Mpich => Peer::Mpich.fetch()?,
        Abi::Ompi => Peer::Openmpi.fetch()?,
    };
    Ok(Cmd::new("gcc")
        .args([
            "-std=gnu11",
            "-O2",
            "-g",
            "-Wall",
            "-pthread",
            "-Wno-deprecated-declarations",
        ])
        .arg("-I")
        .arg(prefix.join("include"))
        .arg(source)
        .arg("-o")
        .arg(program)
        .arg("-L")
        .arg(prefix.join("lib"))
        .arg(format!("-l:{}", abi.soname()))
        // The library's own needs are met at run time by whichever library is put there.
        .args(["-Wl,--allow-shlib-undefined", "-lm", "-ldl"]))
}

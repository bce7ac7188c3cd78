//! The MPI implementations that programs run on here: anympi's prefix and the peers from PyPI.
//!
//! Knows for each where its launcher, library and header are, which ABI it offers and which
//! environment it wants. It must not know which programs are run.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::hosts::Hosts;
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
        Ok(Implementation::new(Which::Ours, prefix))
    }
}

/// How subcommands are told to run their programs over several hosts.
#[derive(clap::Args, Clone, Debug)]
pub struct Over {
    /// Over so many hosts, which are network namespaces.
    #[arg(long, value_name = "N")]
    hosts: Option<usize>,
    /// Ranks that follow each other share a host; without this each host gets one in turn.
    #[arg(long)]
    together: bool,
}

impl Over {
    /// On this machine alone.
    pub const NONE: Over = Over {
        hosts: None,
        together: false,
    };

    /// The implementation, over hosts if that is wanted.
    pub fn place(&self, on: Implementation) -> Result<Implementation> {
        let spread = self.spread()?;
        Ok(spread.map_or(on.clone(), |spread| on.over(spread)))
    }

    /// The hosts, if any are wanted.
    pub fn spread(&self) -> Result<Option<Spread>> {
        let Some(count) = self.hosts else {
            return Ok(None);
        };
        if let Some(why) = Hosts::refused() {
            bail!("{why}");
        }
        let folder = paths::scratch("hosts");
        std::fs::create_dir_all(&folder)?;
        let hosts = Arc::new(Hosts::new(count, &folder)?);
        let agent = hosts.agent();
        Ok(Some(Spread {
            hosts,
            agent,
            together: self.together,
        }))
    }
}

/// Hosts, and how ranks are placed there.
#[derive(Clone)]
pub struct Spread {
    pub hosts: Arc<Hosts>,
    /// The command that reaches a host.
    pub agent: PathBuf,
    /// Ranks that follow each other share a host, or each host gets one in turn.
    pub together: bool,
}

/// An implementation ready to run programs.
#[derive(Clone)]
pub struct Implementation {
    pub which: Which,
    pub prefix: PathBuf,
    /// On which hosts, if not on this machine alone.
    spread: Option<Spread>,
    /// Who starts its programs, if not its own launcher.
    launcher: Option<Launcher>,
}

/// Who else starts programs.
#[derive(Clone)]
pub enum Launcher {
    /// Another implementation's launcher.
    Of(Box<Implementation>),
    /// `SCRIPT RANKS PROGRAM`, which starts them on so many hosts.
    Script(PathBuf, Arc<Hosts>),
}

impl Launcher {
    fn mpiexec(&self, ranks: usize) -> Cmd {
        match self {
            Launcher::Of(other) => other.mpiexec_without_library_path(ranks),
            Launcher::Script(script, _) => Cmd::new(script).arg(ranks.to_string()),
        }
    }

    fn hosts(&self) -> usize {
        match self {
            Launcher::Of(other) => other.hosts(),
            Launcher::Script(_, hosts) => hosts.count(),
        }
    }
}

impl Implementation {
    /// A peer, fetched on first use; not for `Which::Ours`, which needs a prefix.
    pub fn peer(peer: Peer) -> Result<Implementation> {
        let which = match peer {
            Peer::Mpich => Which::Mpich,
            Peer::Openmpi => Which::Openmpi,
            Peer::Intel => Which::Intel,
        };
        Ok(Implementation::new(which, peer.fetch()?))
    }

    /// What is installed in `prefix`, on this machine alone.
    pub fn new(which: Which, prefix: PathBuf) -> Implementation {
        Implementation {
            which,
            prefix,
            spread: None,
            launcher: None,
        }
    }

    /// The same, whose programs another launcher starts.
    pub fn started_by(&self, launcher: Launcher) -> Implementation {
        Implementation {
            launcher: Some(launcher),
            ..self.clone()
        }
    }

    /// The same, whose launcher places ranks on hosts.
    pub fn over(&self, spread: Spread) -> Implementation {
        Implementation {
            spread: Some(spread),
            ..self.clone()
        }
    }

    /// On how many hosts programs run.
    pub fn hosts(&self) -> usize {
        match (&self.launcher, &self.spread) {
            (Some(launcher), _) => launcher.hosts(),
            (None, Some(spread)) => spread.hosts.count(),
            (None, None) => 1,
        }
    }

    /// What programs run on, in words.
    pub fn shown(&self) -> String {
        let name = |program: &Path| {
            let name = program.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let by = match (&self.launcher, &self.spread) {
            (Some(Launcher::Of(other)), _) => format!("{}'s launcher", other.which),
            (Some(Launcher::Script(script, _)), _) => name(script),
            (None, Some(spread)) => name(&spread.agent),
            (None, None) => return self.which.to_string(),
        };
        format!("{} by {by}, {} hosts", self.which, self.hosts())
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
        match &self.launcher {
            None => self
                .mpiexec_without_library_path(ranks)
                .env("LD_LIBRARY_PATH", self.lib()),
            // `env` is the program that the launcher starts, as it may set the loader's path itself.
            Some(launcher) => launcher
                .mpiexec(ranks)
                .arg("env")
                .arg(format!("LD_LIBRARY_PATH={}", self.lib().display())),
        }
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
        let cmd = cmd.arg("-n").arg(ranks.to_string());
        match &self.spread {
            None => cmd,
            Some(spread) => spread.hosts.on_launcher(self.placed(cmd, ranks, spread)),
        }
    }

    /// A launcher command with the words that place its ranks.
    fn placed(&self, cmd: Cmd, ranks: usize, spread: &Spread) -> Cmd {
        let agent = spread.agent.display().to_string();
        let slots = ranks.div_ceil(spread.hosts.count());
        let names = spread.hosts.names();
        let hosts: Vec<String> = names.map(|name| format!("{name}:{slots}")).collect();
        let hosts = hosts.join(",");
        let map = if spread.together { "slot" } else { "node" };
        match self.which {
            Which::Ours => cmd
                .args(["-launcher-exec", &agent, "-hosts", &hosts])
                .args(["-map-by", map]),
            Which::Mpich | Which::Intel => {
                let in_a_row = if spread.together { slots } else { 1 };
                // What is not for one of them it leaves alone. UCX would see that the hosts share this machine's memory.
                cmd.env("I_MPI_FABRICS", "shm:ofi")
                    .env("FI_PROVIDER", "tcp")
                    .env("UCX_TLS", "tcp,self")
                    .args(["-iface", "eth0", "-launcher", "rsh"])
                    .args(["-launcher-exec", &agent, "-hosts", &hosts])
                    .args(["-ppn", &in_a_row.to_string()])
            }
            Which::Openmpi => cmd
                .env("OPAL_PREFIX", &self.prefix)
                .args(["--host", &hosts, "--prtemca", "plm_ssh_agent", &agent])
                .args(["--map-by", map]),
        }
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

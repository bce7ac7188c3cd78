//! mpi4py's usual calls and arrays as buffers at 4 ranks: the wheel's variants, the variant it chooses by
//! itself, and the one built from source for the standard ABI.
//!
//! Also knows how an mpi4py variant is selected, for the module that runs mpi4py's own tests.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{Runs, Way, verdicts};
use crate::implementation::Abi;
use crate::paths;
use crate::setup;
use crate::sh::Cmd;

/// A build of mpi4py and how Python is told to use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The sdist, built with our mpicc.
    Standard,
    /// The wheel, told which of its builds to use.
    Mpich,
    Openmpi,
    /// The wheel, left to find out itself.
    Default,
}

impl Variant {
    pub const ALL: [Variant; 4] = [
        Variant::Standard,
        Variant::Mpich,
        Variant::Openmpi,
        Variant::Default,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Variant::Standard => "standard",
            Variant::Mpich => "mpich",
            Variant::Openmpi => "openmpi",
            Variant::Default => "default",
        }
    }

    /// Whether it is wanted and can run on the implementation at hand.
    pub fn runs_on(self, runs: &Runs) -> bool {
        match self {
            // Built with our mpicc, so there must be ours.
            Variant::Standard => runs.on.is_ours() && runs.wants(Abi::Mpi5),
            Variant::Mpich => runs.wants(Abi::Mpich),
            Variant::Openmpi => runs.wants(Abi::Ompi),
            Variant::Default => runs.wants(Abi::Mpich) || runs.wants(Abi::Ompi),
        }
    }

    /// The interpreter that has it.
    pub fn python(self, prefix: &Path) -> Result<PathBuf> {
        let venv = match self {
            Variant::Standard => setup::mpi4py_standard(prefix)?,
            _ => setup::mpi4py()?,
        };
        Ok(venv.join("bin/python"))
    }

    /// A launcher command with the environment that selects it.
    pub fn mpiexec(self, runs: &Runs, ranks: usize) -> Cmd {
        let cmd = runs
            .mpiexec(ranks, Abi::Mpich, Way::Path, None)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        match self {
            Variant::Mpich => cmd.env("MPI4PY_MPIABI", "mpich"),
            Variant::Openmpi => cmd.env("MPI4PY_MPIABI", "openmpi"),
            Variant::Standard | Variant::Default => cmd,
        }
    }
}

/// Script, options of our launcher, and a word for the script.
const SCRIPTS: &[(&str, &[&str], Option<&str>)] = &[
    ("basics.py", &[], None),
    ("arrays.py", &[], None),
    ("arrays.py", &["--shm-heap"], Some("mapped")),
    ("fork.py", &[], None),
    ("fork.py", &["--shm-heap"], None),
];
/// What MPI leaves open.
const OURS: &str = "fork.py";

pub fn run(runs: &mut Runs) -> Result<()> {
    for variant in Variant::ALL {
        if !variant.runs_on(runs) {
            continue;
        }
        let python = variant.python(&runs.on.prefix)?;
        for ranks in runs.ranks(&[4]) {
            for &(script, options, word) in SCRIPTS {
                if (!options.is_empty() || script == OURS) && !runs.on.is_ours() {
                    continue;
                }
                let done = variant
                    .mpiexec(runs, ranks)
                    .args(["--allow-run-as-root"].iter().filter(|_| runs.on.is_ours()))
                    .args(options)
                    .arg(&python)
                    .arg(paths::ctests().join("python").join(script))
                    .arg(ranks.to_string())
                    .args(word)
                    .seconds(60)
                    .run()?;
                let what = format!("{} {script} {}", variant.name(), options.join(" "));
                runs.enter("mpi4py", ranks, what.trim(), &verdicts(&done), done.seconds);
            }
        }
    }
    Ok(())
}

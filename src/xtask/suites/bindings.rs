//! Fortran and C++ programs of ours, built by each family's own wrappers against its own binding
//! libraries (Debian), and run with our library beneath them.
//!
//! Every line that a program prints must be what it prints on the real library, which is run beside; the
//! programs judge themselves as well. Peers from PyPI are not run: they ship no such libraries.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use super::{Runs, Way, verdicts};
use crate::implementation::Abi;
use crate::paths;
use crate::report::Count;
use crate::setup;
use crate::sh::{Cmd, Done};

/// A program: its name, the wrapper that builds it, its sources, what else the wrapper is told.
const PROGRAMS: &[(&str, &str, &[&str], &[&str])] = &[
    ("messages", "mpif90", &["messages.f90"], &[]),
    ("callbacks", "mpif90", &["callbacks.f90"], &[]),
    (
        "attributes",
        "mpif90",
        &["attributes.f90", "attributes.c"],
        &[],
    ),
    ("modern", "mpif90", &["modern.f90"], &[]),
    ("oldest", "mpif90", &["oldest.f"], &[]),
    ("objects", "mpif90", &["objects.F90"], &[]),
    ("objects-mpif.h", "mpif90", &["objects.F90"], &["-DOLD"]),
    ("objects-mpi_f08", "mpif90", &["objects.F90"], &["-DMODERN"]),
    ("cxx", "mpicxx", &["cxx.cpp"], &[]),
];

const RANKS: &[usize] = &[1, 2, 3];

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() {
        return Ok(());
    }
    setup::debian(setup::COMPILERS)?;
    setup::debian(setup::FORTRAN)?;
    let dir = runs.scratch("bindings")?;
    for (family, abi, packages) in [
        ("mpich", Abi::Mpich, setup::DEBIAN_MPICH),
        ("openmpi", Abi::Ompi, setup::DEBIAN_OPENMPI),
    ] {
        if !runs.wants(abi) {
            continue;
        }
        setup::debian(packages)?;
        for &(name, wrapper, sources, told) in PROGRAMS {
            if !runs.only.is_empty() && !runs.only.iter().any(|only| only == name) {
                continue;
            }
            let program = build(&dir, family, wrapper, name, sources, told)?;
            let ranks = if runs.short { &RANKS[1..2] } else { RANKS };
            for n in runs.ranks(ranks) {
                let start = Instant::now();
                let ours = runs
                    .mpiexec(n, abi, Way::Path, None)
                    .arg(&program)
                    .seconds(60)
                    .run()?;
                let mut count = verdicts(&ours);
                if !runs.short {
                    compare(&ours, &real(family, n).arg(&program).run()?, &mut count);
                }
                let variant = format!("{name} {family}");
                runs.enter(
                    "bindings",
                    n,
                    &variant,
                    &count,
                    start.elapsed().as_secs_f64(),
                );
            }
        }
    }
    Ok(())
}

fn build(
    dir: &Path,
    family: &str,
    wrapper: &str,
    name: &str,
    sources: &[&str],
    told: &[&str],
) -> Result<PathBuf> {
    let program = dir.join(format!("{name}.{family}"));
    let from = paths::ctests().join("bindings");
    let mut cmd = Cmd::new(format!("{wrapper}.{family}"))
        .args(["-g", "-O1", "-o"])
        .arg(&program)
        .dir(dir);
    if wrapper == "mpif90" {
        // What MPICH's module leaves without an interface is called with several types.
        cmd = cmd.args(["-w", "-fallow-argument-mismatch"]);
    } else {
        // The bindings' own headers warn.
        cmd = cmd.arg("-w");
    }
    cmd.args(told)
        .args(sources.iter().map(|source| from.join(source)))
        .check()?;
    Ok(program)
}

/// The real library's launcher.
pub fn real(family: &str, ranks: usize) -> Cmd {
    let cmd = Cmd::new(format!("mpiexec.{family}")).seconds(120);
    let cmd = if family == "openmpi" {
        cmd.args(["--allow-run-as-root", "--oversubscribe"])
            .env("OMPI_MCA_mpi_yield_when_idle", "1")
    } else {
        cmd.env("MPIR_CVAR_POLLS_BEFORE_YIELD", "1")
    };
    cmd.arg("-n").arg(ranks.to_string())
}

/// The lines must be the same, in any order: ranks print when they please.
pub fn compare(ours: &Done, real: &Done, count: &mut Count) {
    let lines = |done: &Done| {
        let mut lines: Vec<String> = done.stdout.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let (ours, expected) = (lines(ours), lines(real));
    count.check(real.ok() && ours == expected, || {
        let missing = expected.iter().find(|line| !ours.contains(line));
        let extra = ours.iter().find(|line| !expected.contains(line));
        format!(
            "the real library ({}) prints {} lines, this one {}; first missing {missing:?}, \
             first of its own {extra:?}",
            real.cause(),
            expected.len(),
            ours.len()
        )
    });
}

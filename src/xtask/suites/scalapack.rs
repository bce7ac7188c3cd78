//! ScaLAPACK's own test programs at 4 ranks, in Debian's builds for both ABIs.
//!
//! Judged by the counts that each program prints at its end.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::{Runs, Way};
use crate::implementation::Abi;
use crate::report::Count;
use crate::setup;
use crate::sh::Done;

const ROOT: &str = "/usr/lib/x86_64-linux-gnu/scalapack";

/// Left out, each for a reason that holds under the real libraries too: xCbtest and xFbtest need a
/// Fortran MPI library; xslu, xsllt and xdllt hang; x?hseqr lack their input; xdsep misses its own
/// residual bound; the others take more than ten seconds each and try nothing more.
const LEFT_OUT: &[&str] = &[
    "xCbtest", "xFbtest", "xslu", "xsllt", "xdllt", "xdhseqr", "xshseqr", "xdsep", "xcheevr",
    "xzheevr", "xssyevr", "xdsyevr",
];

/// The short list: dense solvers, eigenvalues, banded and the parallel BLAS.
const SHORT: &[&str] = &[
    "xdlu", "xzqr", "xcllt", "xstrd", "xdinv", "xssep", "xzgblu", "dpb1tst", "zpb2tst", "spb3tst",
];

pub fn run(runs: &mut Runs) -> Result<()> {
    setup::debian(setup::SCALAPACK)?;
    for (flavour, abi) in [("openmpi", Abi::Ompi), ("mpich", Abi::Mpich)] {
        if !runs.wants(abi) {
            continue;
        }
        let tests = Path::new(ROOT).join(format!("{flavour}-tests"));
        let dir = runs.scratch(&format!("scalapack/{flavour}"))?;
        let mut programs = Vec::new();
        for from in [tests.clone(), tests.join("PBLAS")] {
            for entry in fs::read_dir(from)? {
                let path = entry?.path();
                let name = path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                if name.ends_with(".dat") {
                    fs::copy(&path, dir.join(&name))?;
                } else if (name.starts_with('x') || name.ends_with("tst"))
                    && !LEFT_OUT.contains(&name.as_str())
                    && (!runs.short || SHORT.contains(&name.as_str()))
                    && (runs.only.is_empty() || runs.only.contains(&name))
                {
                    programs.push((name, path));
                }
            }
        }
        programs.sort();
        for ranks in runs.ranks(&[4]) {
            let mut all = Count::default();
            let mut seconds = 0.0;
            for (name, path) in &programs {
                let done = runs
                    .mpiexec(ranks, abi, Way::Path, None)
                    .arg(path)
                    .dir(&dir)
                    .seconds(60)
                    .run()?;
                all.add(&judge(name, &done));
                seconds += done.seconds;
            }
            runs.enter("scalapack", ranks, flavour, &all, seconds);
        }
    }
    Ok(())
}

fn judge(name: &str, done: &Done) -> Count {
    let mut count = Count::default();
    for line in done.stdout.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (passed, failed) = match words.as_slice() {
            [n, "tests", "completed", "and", "passed", ..] => (n.parse().unwrap_or(0), 0),
            [n, "tests", "completed", "and", "failed" | "failed.", ..] => {
                (0, n.parse().unwrap_or(0))
            }
            ["|", _, _, passed, failed, _] => {
                (passed.parse().unwrap_or(0), failed.parse().unwrap_or(0))
            }
            _ => continue,
        };
        count.passed += passed;
        count.failed += failed;
        if failed > 0 {
            count.notes.push(format!("{name}: {}", line.trim()));
        }
    }
    let ended = done.ok() && done.stdout.to_lowercase().contains("end of tests");
    count.check(ended, || {
        format!("{name}: {}\n{}", done.cause(), done.tail(8))
    });
    count
}

//! MPICH's own test suite, from Debian's source package: every listed test at its listed rank count.
//!
//! Compiled with our mpicc; four folders also with MPICH's and Open MPI's, to run on those fronts. `--only`
//! takes folders and tests (`coll`, `errors/comm`, `coll/bcasttest`). What fails must stand in the list of
//! expected failures with its reason, and what stands there must fail. RMA, I/O and spawn are left out.

mod build;
mod expected;
mod list;

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use self::build::Tree;
use self::expected::Expected;
use self::list::Line;
use super::{Runs, Way};
use crate::implementation::Abi;
use crate::report::Count;
use crate::setup;

/// Folders that have a list. `basic` has programs to play with, but lists none.
const FOLDERS: &[&str] = &[
    "attr",
    "coll",
    "comm",
    "datatype",
    "errhan",
    "errors/attr",
    "errors/coll",
    "errors/comm",
    "errors/datatype",
    "errors/group",
    "errors/pt2pt",
    "errors/topo",
    "group",
    "info",
    "init",
    "mpi_t",
    "part",
    "perf",
    "pt2pt",
    "threads/coll",
    "threads/comm",
    "threads/init",
    "threads/mpi_t",
    "threads/part",
    "threads/pt2pt",
    "topo",
];
/// Folders whose programs are also built by the other families' compilers.
const FOREIGN: &[&str] = &["coll", "comm", "datatype", "pt2pt"];
/// How long mpiexec has to enforce the time limit itself before we do.
const GRACE: Duration = Duration::from_secs(15);
/// Lines of output that are shown of a failure.
const SHOWN: usize = 8;

pub fn run(runs: &mut Runs) -> Result<()> {
    let source = setup::mpich_tests()?;
    let expected = Expected::read()?;
    let begin = Instant::now();
    for abi in Abi::ALL {
        if !runs.wants(abi) {
            continue;
        }
        let mut tree = Tree::configure(&source, abi, &runs.on)?;
        let mut found = false;
        for folder in FOLDERS {
            let mut lines = list::parse(folder, &tree.list(&source, folder)?)?;
            lines.retain(|line| wanted(runs, abi, line));
            if lines.is_empty() {
                continue;
            }
            found = true;
            let start = Instant::now();
            let programs: BTreeSet<&str> = lines.iter().map(Line::program).collect();
            tree.make(folder, &programs)?;
            let made = start.elapsed().as_secs_f64();
            let mut count = Count::default();
            for line in &lines {
                one(runs, abi, &tree, line, &expected, &mut count)?;
            }
            let seconds = start.elapsed().as_secs_f64();
            let variant = format!("{abi} (making {made:.0} s)");
            runs.enter(
                &format!("mpich-tests {folder}"),
                lines.len(),
                &variant,
                &count,
                seconds,
            );
        }
        ensure!(found, "no test of MPICH's lists is selected");
    }
    println!("mpich-tests: {:.0} s in all", begin.elapsed().as_secs_f64());
    Ok(())
}

fn wanted(runs: &Runs, abi: Abi, line: &Line) -> bool {
    let selected = if runs.only.is_empty() {
        abi == Abi::Mpi5 || FOREIGN.contains(&line.folder())
    } else {
        runs.only.iter().any(|only| {
            line.test
                .strip_prefix(only.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    selected && !runs.ranks(&[line.ranks]).is_empty()
}

fn one(
    runs: &Runs,
    abi: Abi,
    tree: &Tree,
    line: &Line,
    expected: &Expected,
    count: &mut Count,
) -> Result<()> {
    let reason = if runs.on.is_ours() {
        expected.reason(line, abi)
    } else {
        None
    };
    if line.memory > available() {
        count.skipped += 1;
        count.notes.push(format!(
            "{}: needs {} GiB of memory",
            line.shown(),
            line.memory
        ));
        return Ok(());
    }
    let complaint = match tree.broken(&line.test) {
        Some(why) => Some(format!("does not build\n{why}")),
        None => {
            let done = launch(runs, abi, tree, line)?;
            line.complaint(&done)
                .map(|why| format!("{why} ({:.1} s)\n{}", done.seconds, done.tail(SHOWN)))
        }
    };
    match (complaint, reason) {
        (None, None) => count.passed += 1,
        (Some(_), Some(_)) => count.skipped += 1,
        (None, Some(reason)) => count.check(false, || {
            format!("{}: passes, although listed: {reason}", line.shown())
        }),
        (Some(why), None) => count.check(false, || format!("{}: {why}", line.shown())),
    }
    Ok(())
}

fn launch(runs: &Runs, abi: Abi, tree: &Tree, line: &Line) -> Result<crate::sh::Done> {
    let mut cmd = runs
        .mpiexec(line.ranks, abi, Way::Path, None)
        .args(&line.mpiexec)
        .env("MPIEXEC_TIMEOUT", line.limit.as_secs().to_string())
        .dir(tree.folder(line.folder()))
        .limit(line.limit + GRACE);
    for (name, value) in &line.env {
        cmd = cmd.env(name, value);
    }
    cmd.arg(format!("./{}", line.program()))
        .args(&line.args)
        .run()
}

/// GiB of memory that programs can still have.
fn available() -> f64 {
    fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
            let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
            Some(kib / (1024.0 * 1024.0))
        })
        .unwrap_or(0.0)
}

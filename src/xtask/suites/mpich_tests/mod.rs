//! MPICH's own test suite, from Debian's source package: every listed test at its listed rank count.
//!
//! Compiled with our mpicc; four folders also with MPICH's and Open MPI's, to run on those fronts. `--only`
//! takes folders and tests (`coll`, `errors/comm`, `coll/bcasttest`). What fails must stand in the list of
//! expected failures with its reason, and what stands there must fail. RMA and I/O are left out.

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
    "errors/spawn",
    "errors/topo",
    "group",
    "info",
    "init",
    "mpi_t",
    "part",
    "perf",
    "pt2pt",
    "spawn",
    "threads/coll",
    "threads/comm",
    "threads/init",
    "threads/mpi_t",
    "threads/part",
    "threads/pt2pt",
    "threads/spawn",
    "topo",
];
/// Folders whose programs are also built by the other families' compilers.
const FOREIGN: &[&str] = &["coll", "comm", "datatype", "pt2pt"];
/// The short list, for CI: folders that take seconds, and of the others what each call and each path of the
/// protocol needs.
const SHORT: &[&str] = &[
    "attr",
    "comm",
    "datatype",
    "errhan",
    "errors/attr",
    "errors/coll",
    "errors/datatype",
    "errors/group",
    "errors/pt2pt",
    "errors/topo",
    "group",
    "info",
    "init",
    "topo",
    "coll/allgatherv4",
    "coll/allred",
    "coll/allred5",
    "coll/alltoallw2",
    "coll/bcasttest",
    "coll/coll7",
    "coll/exscan",
    "coll/gatherv",
    "coll/icallgatherv",
    "coll/icalltoallw",
    "coll/icreduce",
    "coll/nbicreduce",
    "coll/neighb_alltoallw",
    "coll/nonblocking",
    "coll/opsum",
    "coll/p_alltoallv",
    "coll/redscat2",
    "coll/redscatbkinter",
    "coll/scatterv",
    "pt2pt/anyall",
    "pt2pt/bottom",
    "pt2pt/bsend5",
    "pt2pt/bsendpending",
    "pt2pt/cancelrecv",
    "pt2pt/dtype_send",
    "pt2pt/greq1",
    "pt2pt/icprobe",
    "pt2pt/icsend",
    "pt2pt/isendirecv",
    "pt2pt/large_tag",
    "pt2pt/many_isend",
    "pt2pt/precv_anysrc",
    "pt2pt/probe_unexp",
    "pt2pt/rcancel",
    "pt2pt/rqstatus",
    "pt2pt/sendall",
    "pt2pt/sendflood",
    "pt2pt/sendself",
    "pt2pt/waitany_null",
    "threads/coll",
    "threads/init/initth",
    "threads/pt2pt/alltoall",
    "threads/pt2pt/mt_sendrecv",
];
/// How long mpiexec has to enforce the time limit itself before we do.
const GRACE: Duration = Duration::from_secs(15);
/// Lines of output that are shown of a failure.
const SHOWN: usize = 8;

pub fn run(runs: &mut Runs) -> Result<()> {
    let source = setup::mpich_tests()?;
    let expected = Expected::read()?;
    let begin = Instant::now();
    for abi in Abi::ALL {
        if !runs.wants(abi) || (runs.short && abi != Abi::Mpi5) {
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
    let is_in = |name: &str| {
        line.test
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let selected = if !runs.only.is_empty() {
        runs.only.iter().any(|only| is_in(only))
    } else if runs.short {
        SHORT.iter().any(|name| is_in(name))
    } else {
        abi == Abi::Mpi5 || FOREIGN.contains(&line.folder())
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
    // Debian's Open MPI is one of MPI 3.1: what is newer has no program to run.
    if abi == Abi::Ompi && tree.broken(&line.test).is_some() {
        count.skipped += 1;
        count
            .notes
            .push(format!("{}: its own mpicc does not build it", line.shown()));
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
        // The list is about ranks that share memory.
        (None, Some(_)) if runs.on.hosts() > 1 => count.passed += 1,
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

//! Random stress: the program `stress.c` for `--minutes` under each ABI, with new seeds all the time; then
//! for a quarter of that built with AddressSanitizer and UndefinedBehaviorSanitizer, and a short run of
//! each ABI under valgrind.
//!
//! A seed that failed is in the output; the same arguments draw the same schedule again.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::{Runs, Way, verdicts};
use crate::implementation::{Abi, compile};
use crate::paths;
use crate::report::Count;
use crate::setup;
use crate::sh::Cmd;

/// Ranks and threads of one run after the other.
const SHAPES: &[(usize, usize)] = &[(2, 1), (4, 3), (3, 2), (2, 4), (5, 1)];
/// Seconds of one run.
const RUN: f64 = 20.0;
const MOST: usize = 8 << 20;
/// Valgrind slows everything down a hundredfold.
const MOST_UNDER_VALGRIND: usize = 64 << 10;
/// What a run may take beyond its seconds: start, end and the last step.
const GRACE: u64 = 250;

const SANITIZERS: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-O1",
];

/// How the program is run: the name in the report, what stands before it, the most bytes of a message.
struct Tool {
    name: &'static str,
    before: &'static [&'static str],
    most: usize,
}

pub fn run(runs: &mut Runs) -> Result<()> {
    setup::debian(setup::COMPILERS)?;
    let dir = runs.scratch("stress")?;
    let source = paths::ctests().join("programs/stress.c");
    let seconds = if runs.short { 6.0 } else { runs.minutes * 60.0 };
    for abi in Abi::ALL {
        // The standard ABI's program is built with our own header and library.
        if !runs.wants(abi) || (abi == Abi::Mpi5 && !runs.on.is_ours()) {
            continue;
        }
        let plain = dir.join(format!("stress.{abi}"));
        let checked = dir.join(format!("stress.{abi}.checked"));
        compile(abi, &runs.on.prefix, &source, &plain)?.check()?;
        let tool = |name, before, most| Tool { name, before, most };
        campaign(runs, abi, &plain, &tool("plain", &[], MOST), seconds)?;
        if runs.short {
            continue;
        }
        compile(abi, &runs.on.prefix, &source, &checked)?
            .args(SANITIZERS)
            .check()?;
        campaign(
            runs,
            abi,
            &checked,
            &tool("sanitizers", &[], MOST),
            seconds / 4.0,
        )?;
        setup::debian(setup::VALGRIND)?;
        let valgrind = &["valgrind", "--quiet", "--error-exitcode=9"];
        let tool = tool("valgrind", valgrind, MOST_UNDER_VALGRIND);
        campaign(runs, abi, &plain, &tool, (seconds / 4.0).min(RUN))?;
    }
    Ok(())
}

/// Runs with one seed after the other for so many seconds.
fn campaign(runs: &mut Runs, abi: Abi, program: &Path, tool: &Tool, seconds: f64) -> Result<()> {
    let start = Instant::now();
    let mut count = Count::default();
    let mut most_ranks = 0;
    for (seed, &(ranks, threads)) in (1..).zip(SHAPES.iter().cycle()) {
        let left = seconds - start.elapsed().as_secs_f64();
        if left < 1.0 && seed > 1 {
            break;
        }
        let length = left.clamp(1.0, RUN);
        most_ranks = most_ranks.max(ranks);
        let cmd = runs.mpiexec(ranks, abi, Way::Path, None);
        let mut all = verdicts(&words(cmd, tool, program, seed, length, threads).run()?);
        for note in &mut all.notes {
            *note = format!("seed {seed}, {ranks} ranks, {threads} threads: {note}");
        }
        count.add(&all);
    }
    let variant = format!("{abi} {}", tool.name);
    runs.enter(
        "stress",
        most_ranks,
        &variant,
        &count,
        start.elapsed().as_secs_f64(),
    );
    Ok(())
}

fn words(cmd: Cmd, tool: &Tool, program: &Path, seed: u64, length: f64, threads: usize) -> Cmd {
    cmd.args(tool.before)
        .arg(program)
        .arg(seed.to_string())
        .arg(format!("{length:.1}"))
        .arg(threads.to_string())
        .arg(tool.most.to_string())
        // What MPI keeps until the process ends is no leak of the client's.
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .limit(Duration::from_secs(length as u64 + GRACE))
}

//! The random stress with many threads under ThreadSanitizer: the standard front, the core and Rust's own
//! library are built with it (which takes a nightly toolchain with `rust-src`; skipped without one).
//!
//! One program that shares the library between threads without having asked for it must be reported, so
//! that silence means something.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use super::{Runs, Way, verdicts};
use crate::implementation::{Abi, compile};
use crate::paths;
use crate::report::Count;
use crate::setup;
use crate::sh::{Cmd, Done};

const NAME: &str = "thread-sanitizer";
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Ranks, threads and the most bytes of a message.
const SHAPES: &[(usize, usize, usize)] = &[
    (2, 4, 4 << 10),
    (4, 3, 1 << 20),
    (2, 8, 64 << 10),
    (3, 2, 4 << 10),
    (2, 4, 1 << 20),
];
/// Seconds of one run, and what it may take beyond: everything is ten times slower.
const RUN: f64 = 15.0;
const GRACE: u64 = 250;
const REPORT: &str = "WARNING: ThreadSanitizer";

pub fn run(runs: &mut Runs) -> Result<()> {
    if runs.short || !runs.on.is_ours() || !runs.wants(Abi::Mpi5) {
        return Ok(());
    }
    setup::debian(setup::COMPILERS)?;
    let start = Instant::now();
    let mut count = Count::default();
    let dir = runs.scratch(NAME)?;
    match library(&dir)? {
        None => {
            count.skipped = 1;
            count.notes.push(format!(
                "no nightly toolchain with rust-src for {TARGET}: `rustup toolchain install nightly -c rust-src`"
            ));
        }
        Some(library) => {
            let unlocked = program(runs, &dir, "unlocked")?;
            let done = words(runs, 1, &library, &unlocked).seconds(60).run()?;
            count.check(done.stderr.contains(REPORT), || {
                format!(
                    "threads that share a funneled library are not reported: {}",
                    done.tail(5)
                )
            });
            let stress = program(runs, &dir, "stress")?;
            let seconds = runs.minutes * 60.0;
            for (seed, &(ranks, threads, most)) in (1..).zip(SHAPES.iter().cycle()) {
                let left = seconds - start.elapsed().as_secs_f64();
                if left < 1.0 && seed > SHAPES.len() {
                    break;
                }
                let cmd = words(runs, ranks, &library, &stress)
                    .env("MPI_ANYMPI_PROGRESS_THREAD", (seed % 2).to_string())
                    .args([
                        seed.to_string(),
                        format!("{RUN:.1}"),
                        threads.to_string(),
                        most.to_string(),
                    ])
                    .seconds(RUN as u64 + GRACE);
                let mut all = judge(&cmd.run()?);
                for note in &mut all.notes {
                    *note = format!("seed {seed}, {ranks} ranks, {threads} threads: {note}");
                }
                count.add(&all);
            }
        }
    }
    runs.enter(NAME, 4, "mpi5", &count, start.elapsed().as_secs_f64());
    Ok(())
}

/// The program's own verdicts, and that nothing was reported.
fn judge(done: &Done) -> Count {
    let mut count = verdicts(done);
    let reports = done.stderr.matches(REPORT).count();
    count.check(reports == 0, || {
        let at = done.stderr.find(REPORT).unwrap_or(0);
        let first: Vec<&str> = done.stderr[at..].lines().take(30).collect();
        format!("{reports} reports, the first one:\n{}", first.join("\n"))
    });
    count
}

/// Builds the instrumented library below `dir`; `None` without the toolchain.
fn library(dir: &Path) -> Result<Option<PathBuf>> {
    let source = Cmd::new("rustup")
        .args(["component", "list", "--toolchain", "nightly", "--installed"])
        .run();
    if !source.is_ok_and(|done| done.ok() && done.stdout.contains("rust-src")) {
        return Ok(None);
    }
    let target = paths::work().join(NAME);
    Cmd::new("rustup")
        .args([
            "run", "nightly", "cargo", "build", "--locked", "-p", "anympi",
        ])
        .args([
            "-Zbuild-std=std,panic_abort",
            "--target",
            TARGET,
            "--profile",
            "quick",
        ])
        .env("RUSTFLAGS", "-Zsanitizer=thread")
        .env("CARGO_TARGET_DIR", &target)
        .dir(paths::root())
        .seconds(1800)
        .check()?;
    let built = target.join(TARGET).join("quick/libmpi_abi.so");
    let library = dir.join(Abi::Mpi5.soname());
    std::fs::copy(built, &library)?;
    Ok(Some(library))
}

/// Compiles a program with the sanitizer, and with the names that LLVM's part of it expects.
fn program(runs: &Runs, dir: &Path, name: &str) -> Result<PathBuf> {
    let sources = paths::ctests().join("programs");
    let names = dir.join("tsan_names.o");
    Cmd::new("gcc")
        .args(["-O1", "-fno-builtin", "-c", "-o"])
        .arg(&names)
        .arg(sources.join("tsan_names.c"))
        .check()?;
    let program = dir.join(name);
    compile(
        Abi::Mpi5,
        &runs.on.prefix,
        &sources.join(format!("{name}.c")),
        &program,
    )?
    .args(["-fsanitize=thread", "-O1", "-rdynamic"])
    .arg(&names)
    .check()?;
    Ok(program)
}

fn words(runs: &Runs, ranks: usize, library: &Path, program: &Path) -> Cmd {
    let dir = library.parent().unwrap_or(library);
    runs.mpiexec(ranks, Abi::Mpi5, Way::Path, None)
        .arg(program)
        .env("LD_LIBRARY_PATH", dir)
        .env("TSAN_OPTIONS", "exitcode=66")
}

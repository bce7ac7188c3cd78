//! The demos in mpi4py's source tree, as its makefiles run them, in the wheel's two variants.
//!
//! Left out, because the library has no such calls yet: what spawns processes (`spawning`, `cpi-dpm`,
//! `mandelbrot-master`, futures without `-m mpi4py.futures`) and what uses windows or files (`cpi-rma`,
//! `nxtval`, some modes of `init-fini`).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::Runs;
use super::mpi4py::Variant;
use crate::report::Count;
use crate::setup;
use crate::sh::{Cmd, Done};

/// Folder, words after the interpreter, ranks: as in the folder's makefile, at 4 ranks if that leaves it open.
const DEMOS: &[(&str, &[&str], usize)] = &[
    (".", &["helloworld.py"], 4),
    (".", &["-m", "mpi4py.bench", "helloworld"], 4),
    (
        ".",
        &["-m", "mpi4py.bench", "ringtest", "-n", "16", "-l", "10"],
        4,
    ),
    (".", &["-m", "mpi4py.bench", "pingpong", "-n", "65536"], 2),
    ("threads", &["sendrecv.py"], 1),
    ("threads", &["sendrecv.py"], 4),
    ("reductions", &["test_reductions.py", "-q"], 4),
    ("sequential", &["test_seq.py"], 4),
    ("futures", &["-m", "mpi4py.futures", "run_hello.py"], 5),
    ("futures", &["-m", "mpi4py.futures", "run_cpi.py"], 5),
    ("futures", &["-m", "mpi4py.futures", "run_primes.py"], 5),
    ("futures", &["run_julia.py"], 5),
    ("futures", &["run_mandelbrot.py"], 5),
];

/// How `init-fini` starts its first program. Its `errors=` modes open a file and make a window.
const STARTS: &[&str] = &[
    "threads=true",
    "threads=false",
    "thread_level=single",
    "thread_level=funneled",
    "thread_level=serialized",
    "thread_level=multiple",
    "fast_reduce=true",
    "fast_reduce=false",
    "recv_mprobe=true",
    "recv_mprobe=false",
    "irecv_bufsz=0",
    "irecv_bufsz=1",
    "irecv_bufsz=1024",
];

pub fn run(runs: &mut Runs) -> Result<()> {
    // Minutes, most of which Python takes to start.
    if runs.short {
        return Ok(());
    }
    let demo = setup::mpi4py_tests()?.join("demo");
    for variant in [Variant::Mpich, Variant::Openmpi] {
        if !variant.runs_on(runs) {
            continue;
        }
        let python = variant.python(&runs.on.prefix)?;
        let mut all = Count::default();
        let mut seconds = 0.0;
        let mut judge = |name: String, done: Done| {
            seconds += done.seconds;
            all.check(done.ok(), || {
                format!("{name}: {}\n{}", done.cause(), done.tail(8))
            });
        };
        let book = book(&demo)?;
        let books = book
            .iter()
            .map(|file| ("mpi-ref-v1", vec![file.as_str()], 4));
        let demos = DEMOS
            .iter()
            .map(|&(folder, words, ranks)| (folder, words.to_vec(), ranks));
        let starts = STARTS
            .iter()
            .map(|start| ("init-fini", vec!["test_0.py", *start], 4));
        let rest = rest(&demo)?;
        let rest = rest
            .iter()
            .map(|file| ("init-fini", vec![file.as_str()], 4));
        for (folder, words, ranks) in demos.chain(books).chain(starts).chain(rest) {
            let done = variant
                .mpiexec(runs, ranks)
                .arg(&python)
                .args(&words)
                .dir(demo.join(folder))
                .seconds(240)
                .run()?;
            judge(format!("{folder}: {} at {ranks}", words.join(" ")), done);
        }
        let path = launcher(runs, variant)?;
        let done = started_by_itself(runs, variant, &path, &python)
            .arg("run.sh")
            .dir(demo.join("check-mpiexec"))
            .seconds(240)
            .run()?;
        judge("check-mpiexec: run.sh".to_owned(), done);
        runs.enter("mpi4py-demos", 4, variant.name(), &all, seconds);
    }
    Ok(())
}

/// The examples of the book "MPI: The Complete Reference".
fn book(demo: &Path) -> Result<Vec<String>> {
    files(&demo.join("mpi-ref-v1"), |name| name.starts_with("ex-"))
}

/// What `init-fini` starts without words.
fn rest(demo: &Path) -> Result<Vec<String>> {
    files(&demo.join("init-fini"), |name| {
        name.starts_with("test_") && name != "test_0.py"
    })
}

fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".py") && wanted(&name) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// A folder with the launcher, the one information tool by which the scripts tell the family, and what
/// else they call: Debian's own MPI would confuse them.
fn launcher(runs: &Runs, variant: Variant) -> Result<PathBuf> {
    let dir = runs.scratch(&format!("mpi4py-demos/{}", variant.name()))?;
    let tool = match variant {
        Variant::Openmpi => "ompi_info",
        _ => "mpichversion",
    };
    for program in ["mpiexec", tool] {
        symlink(runs.on.bin(program), dir.join(program))?;
    }
    for program in ["env", "grep", "dirname"] {
        symlink(Path::new("/usr/bin").join(program), dir.join(program))?;
    }
    Ok(dir)
}

fn started_by_itself(runs: &Runs, variant: Variant, path: &Path, python: &Path) -> Cmd {
    Cmd::new("/bin/sh")
        .env("PATH", path)
        .env("PYTHON", python)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("MPI4PY_MPIABI", variant.name())
        .env("LD_LIBRARY_PATH", runs.on.lib())
        .env("OPENBLAS_NUM_THREADS", "1")
}

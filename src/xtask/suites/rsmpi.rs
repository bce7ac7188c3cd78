//! rsmpi (crates.io's `mpi`): built with our mpicc, all its examples at 4 ranks.
//!
//! The examples check themselves and panic; four show that a misuse panics. Left out are the two that
//! spawn processes, which the library cannot yet.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Runs;
use crate::implementation::Abi;
use crate::report::Count;
use crate::setup;
use crate::sh::Cmd;

const VERSION: &str = "0.8.2";
const LEFT_OUT: &[&str] = &["spawn", "spawn_multiple"];
/// Examples for one number of ranks only: `cartesian_map` asks for `size / 4` columns.
const RANKS_OF: &[(&str, usize)] = &[("cartesian_map", 4)];

pub fn run(runs: &mut Runs) -> Result<()> {
    // The build alone takes minutes.
    if runs.short || !runs.on.is_ours() || !runs.wants(Abi::Mpi5) {
        return Ok(());
    }
    setup::debian(setup::COMPILERS)?;
    setup::debian(setup::LIBCLANG)?;
    let dir = runs.scratch("rsmpi")?;
    let source = source(&dir)?;
    let target = dir.join("target");
    let path = std::env::var("PATH").unwrap_or_default();
    Cmd::new("cargo")
        .args([
            "build",
            "--quiet",
            "--examples",
            "--features",
            "derive,complex",
        ])
        .env(
            "PATH",
            format!("{}:{path}", runs.on.prefix.join("bin").display()),
        )
        .env("CARGO_TARGET_DIR", &target)
        .dir(&source)
        .seconds(1200)
        .check()
        .context("rsmpi does not build with our mpicc")?;
    for ranks in runs.ranks(&[2, 3, 4]) {
        let mut all = Count::default();
        let mut seconds = 0.0;
        for name in examples(&source)? {
            if RANKS_OF
                .iter()
                .any(|&(other, only)| other == name && only != ranks)
            {
                continue;
            }
            let done = runs
                .on
                .mpiexec(ranks)
                .arg(target.join("debug/examples").join(&name))
                .seconds(60)
                .run()?;
            seconds += done.seconds;
            all.check(done.ok(), || {
                format!("{name}: {}\n{}", done.cause(), done.tail(8))
            });
        }
        runs.enter("rsmpi", ranks, VERSION, &all, seconds);
    }
    Ok(())
}

/// The crate's source, in a folder where it can be built.
fn source(dir: &Path) -> Result<PathBuf> {
    let asks = dir.join("asks");
    fs::create_dir_all(asks.join("src"))?;
    fs::write(
        asks.join("Cargo.toml"),
        format!(
            "[package]\nname = \"asks\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
             [dependencies]\nmpi = \"={VERSION}\"\n"
        ),
    )?;
    fs::write(asks.join("src/lib.rs"), "")?;
    Cmd::new("cargo")
        .args(["vendor", "--quiet", "--versioned-dirs"])
        .arg(dir.join("vendor"))
        .dir(&asks)
        .seconds(300)
        .check()?;
    let source = dir.join("source");
    Cmd::new("cp")
        .args(["--recursive", "--dereference"])
        .arg(dir.join("vendor").join(format!("mpi-{VERSION}")))
        .arg(&source)
        .check()?;
    Ok(source)
}

fn examples(source: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(source.join("examples"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(".rs")
            && !LEFT_OUT.contains(&name)
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

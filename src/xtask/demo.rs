//! `demo`: from a fresh clone to running programs: build, install, compile a C program with our mpicc,
//! run it and an mpi4py program on 4 ranks, and say what ran.
//!
//! It must not need anything but cargo, a C compiler, Python and the package registries.

use std::fs;

use anyhow::{Result, ensure};

use crate::implementation::Ours;
use crate::install::Profile;
use crate::paths;
use crate::setup;
use crate::sh::{Cmd, Done};

#[derive(clap::Args)]
pub struct Args {
    /// What to build with.
    #[arg(long, value_enum, default_value_t)]
    profile: Profile,
}

pub fn main(args: &Args) -> Result<()> {
    setup::debian(setup::COMPILERS)?;
    let on = Ours::new(args.profile).prepare()?;
    println!("anympi is installed in {}\n", on.prefix.display());

    let folder = paths::scratch("demo");
    fs::create_dir_all(&folder)?;
    let program = folder.join("hello");
    let source = paths::ctests().join("demo/hello.c");
    show(
        &Cmd::new(on.bin("mpicc"))
            .arg(&source)
            .arg("-o")
            .arg(&program),
    )?;
    let c = show(&on.mpiexec_without_library_path(4).arg(&program))?;
    ensure!(
        c.stdout.contains("computed by 4 ranks"),
        "the C program did not run on 4 ranks"
    );

    let python = setup::mpi4py()?.join("bin/python");
    let script = paths::ctests().join("python/demo.py");
    println!("LD_LIBRARY_PATH={}", on.lib().display());
    let py = show(&on.mpiexec(4).arg(&python).arg(&script))?;
    ensure!(
        py.stdout.contains("rank 3 of 4"),
        "the mpi4py program did not run on 4 ranks"
    );

    println!(
        "ran on 4 ranks each, with the libraries in {}:",
        on.lib().display()
    );
    println!(
        "  {}, compiled by our mpicc (standard ABI)",
        source.display()
    );
    println!("  {}, with mpi4py's unmodified wheel", script.display());
    Ok(())
}

/// Prints a command, runs it, prints its output.
fn show(cmd: &Cmd) -> Result<Done> {
    println!("$ {}", cmd.shown());
    let done = cmd.clone().seconds(60).check()?;
    println!("{}{}", done.stdout, done.stderr);
    Ok(done)
}

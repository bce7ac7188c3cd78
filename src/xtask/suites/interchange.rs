//! The standard ABI's promise: a program built with our mpicc runs on MPICH's `libmpi_abi.so.1`, and one built with
//! MPICH's `mpicc_abi` runs on ours. Each runs under the launcher of the library it uses.

use std::path::Path;

use anyhow::Result;

use super::Runs;
use crate::implementation::{Abi, Implementation};
use crate::paths;
use crate::report::Count;
use crate::setup::{self, Peer};
use crate::sh::Cmd;

const RANKS: usize = 3;

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() || !runs.wants(Abi::Mpi5) {
        return Ok(());
    }
    setup::debian(setup::COMPILERS)?;
    let mpich = Implementation::peer(Peer::Mpich)?;
    let intel = Implementation::peer(Peer::Intel)?;
    let dir = runs.scratch("interchange")?;
    let source = paths::ctests().join("demo/hello.c");
    let ours = runs.on.clone();
    let compilers = [(&ours, ours.bin("mpicc")), (&mpich, mpich.bin("mpicc_abi"))];
    for (by, compiler) in compilers {
        let program = dir.join(format!("hello-{}", by.which));
        Cmd::new(compiler)
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .check()?;
        for on in [&ours, &mpich, &intel] {
            let done = on.mpiexec(RANKS).arg(&program).seconds(60).run()?;
            let mut count = Count::default();
            count.check(done.ok(), || format!("{}\n{}", done.cause(), done.tail(12)));
            let wanted = format!("pi is 3.14159265, computed by {RANKS} ranks");
            count.check(done.stdout.contains(&wanted), || {
                format!("it does not say {wanted:?}")
            });
            let used = library(on, &program)?;
            count.check(used.contains(&on.lib().display().to_string()), || {
                format!(
                    "it loads {used}, expected the one in {}",
                    on.lib().display()
                )
            });
            let variant = format!("built by {}, running on {}", by.which, on.which);
            runs.enter("interchange", RANKS, &variant, &count, done.seconds);
        }
    }
    Ok(())
}

/// The line of ldd that tells which standard-ABI library the program gets.
fn library(on: &Implementation, program: &Path) -> Result<String> {
    let done = Cmd::new("ldd")
        .arg(program)
        .env("LD_LIBRARY_PATH", on.lib())
        .check()?;
    Ok(done
        .stdout
        .lines()
        .find(|l| l.contains("libmpi_abi.so"))
        .unwrap_or("none")
        .trim()
        .to_owned())
}

//! NVSHMEM's prebuilt MPI bootstrap plug-in at 4 ranks, loaded by a small program of ours.

use anyhow::Result;

use super::{Runs, Way, verdicts};
use crate::implementation::Abi;
use crate::paths;
use crate::setup;
use crate::sh::Cmd;

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.wants(Abi::Ompi) {
        return Ok(());
    }
    setup::debian(setup::COMPILERS)?;
    let nvshmem = setup::nvshmem()?;
    let program = runs.scratch("nvshmem")?.join("bootstrap");
    Cmd::new("gcc")
        .args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-I"])
        .arg(nvshmem.join("include"))
        .arg(paths::ctests().join("programs/nvshmem_bootstrap.c"))
        .arg("-o")
        .arg(&program)
        .arg("-ldl")
        .check()?;
    for ranks in runs.ranks(&[4]) {
        let done = runs
            .mpiexec(ranks, Abi::Ompi, Way::Path, None)
            .arg(&program)
            .arg(nvshmem.join("lib/nvshmem_bootstrap_mpi.so.3"))
            .arg(ranks.to_string())
            .seconds(90)
            .run()?;
        runs.enter(
            "nvshmem",
            ranks,
            "bootstrap_mpi",
            &verdicts(&done),
            done.seconds,
        );
    }
    Ok(())
}

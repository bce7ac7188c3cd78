//! NVSHMEM's prebuilt bootstrap plug-ins at 4 ranks, loaded by a small program of ours: the one for MPI on our library,
//! and those for PMI-1 and PMI-2, which ask the launcher alone, also on two hosts.

use std::path::Path;

use anyhow::Result;

use super::{Runs, Way, verdicts};
use crate::hosts::Hosts;
use crate::implementation::{Abi, Which};
use crate::paths;
use crate::report::Count;
use crate::setup;
use crate::sh::Cmd;

/// The plug-ins that ask the launcher alone.
const PMI: [&str; 2] = ["bootstrap_pmi", "bootstrap_pmi2"];

pub fn run(runs: &mut Runs) -> Result<()> {
    let offers_pmi = runs.on.is_ours() || runs.on.which == Which::Mpich;
    if !runs.wants(Abi::Ompi) && !offers_pmi {
        return Ok(());
    }
    setup::debian(setup::COMPILERS)?;
    let nvshmem = setup::nvshmem()?;
    let folder = runs.scratch("nvshmem")?;
    let program = folder.join("bootstrap");
    Cmd::new("gcc")
        .args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-I"])
        .arg(nvshmem.join("include"))
        .arg(paths::ctests().join("programs/nvshmem_bootstrap.c"))
        .arg("-o")
        .arg(&program)
        .arg("-ldl")
        .check()?;
    for ranks in runs.ranks(&[4]) {
        let with = |launcher: Cmd, plugin: &str| {
            launcher
                .arg(&program)
                .arg(nvshmem.join(format!("lib/nvshmem_{plugin}.so.3")))
                .arg(ranks.to_string())
                .seconds(90)
        };
        if runs.wants(Abi::Ompi) {
            let launcher = runs.mpiexec(ranks, Abi::Ompi, Way::Path, None);
            enter(
                runs,
                ranks,
                "bootstrap_mpi",
                &with(launcher, "bootstrap_mpi"),
            )?;
        }
        if !offers_pmi {
            continue;
        }
        // MPICH's launcher does not serve the one for PMI-2.
        for &plugin in &PMI[..if runs.on.is_ours() { 2 } else { 1 }] {
            let launcher = runs.on.mpiexec_without_library_path(ranks);
            enter(runs, ranks, plugin, &with(launcher, plugin))?;
        }
        if runs.on.is_ours() {
            two_hosts(runs, ranks, &folder, &with)?;
        }
    }
    Ok(())
}

fn enter(runs: &mut Runs, ranks: usize, what: &str, cmd: &Cmd) -> Result<()> {
    let done = cmd.run()?;
    runs.enter("nvshmem", ranks, what, &verdicts(&done), done.seconds);
    Ok(())
}

fn two_hosts(
    runs: &mut Runs,
    ranks: usize,
    folder: &Path,
    with: &dyn Fn(Cmd, &str) -> Cmd,
) -> Result<()> {
    if let Some(why) = Hosts::refused() {
        let mut count = Count::default();
        count.skipped += 1;
        count.notes.push(why);
        runs.enter("nvshmem", ranks, "two hosts", &count, 0.0);
        return Ok(());
    }
    let hosts = Hosts::new(2, folder)?;
    for plugin in PMI {
        let launcher = runs.on.mpiexec_without_library_path(ranks);
        let launcher = launcher
            .args(["-hosts", "node1,node2", "-ppn", "2", "-launcher-exec"])
            .arg(hosts.agent());
        let cmd = hosts.on_launcher(with(launcher, plugin));
        enter(runs, ranks, &format!("{plugin} on two hosts"), &cmd)?;
    }
    Ok(())
}

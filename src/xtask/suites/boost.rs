//! Boost.MPI: a program of ours, built by Debian's `mpicxx.openmpi` with Debian's library, which was made
//! for Open MPI.

use anyhow::Result;

use super::{Runs, verdicts};
use crate::implementation::Abi;
use crate::paths;
use crate::setup;
use crate::sh::Cmd;

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.wants(Abi::Ompi) {
        return Ok(());
    }
    for packages in [setup::COMPILERS, setup::DEBIAN_OPENMPI, setup::BOOST] {
        setup::debian(packages)?;
    }
    let program = runs.scratch("boost")?.join("boost_mpi");
    Cmd::new("mpicxx.openmpi")
        .args(["-O1", "-w"])
        .arg(paths::ctests().join("programs/boost_mpi.cpp"))
        .args(["-lboost_mpi", "-lboost_serialization", "-o"])
        .arg(&program)
        .seconds(300)
        .check()?;
    let ranks: &[usize] = if runs.short { &[4] } else { &[1, 2, 3, 4, 7] };
    for ranks in runs.ranks(ranks) {
        for &way in runs.ways() {
            let done = runs
                .mpiexec(ranks, Abi::Ompi, way, None)
                .arg(&program)
                .seconds(60)
                .run()?;
            let variant = format!("{way:?}").to_lowercase();
            runs.enter("boost", ranks, &variant, &verdicts(&done), done.seconds);
        }
    }
    Ok(())
}

//! NEURON's ParallelContext at 3 ranks, told to open the MPICH or the Open MPI library.

use anyhow::Result;

use super::{Runs, Way, verdicts};
use crate::implementation::Abi;
use crate::paths;
use crate::setup;

pub fn run(runs: &mut Runs) -> Result<()> {
    let python = setup::neuron()?.join("bin/python");
    for abi in [Abi::Mpich, Abi::Ompi] {
        if !runs.wants(abi) {
            continue;
        }
        for ranks in runs.ranks(&[3]) {
            let done = runs
                .mpiexec(ranks, abi, Way::Path, None)
                .arg(&python)
                .arg(paths::ctests().join("python/neuron_context.py"))
                .arg(ranks.to_string())
                .env("MPI_LIB_NRN_PATH", runs.on.lib().join(abi.soname()))
                .env("NEURON_INIT_MPI", "1")
                .seconds(60)
                .run()?;
            let mut count = verdicts(&done);
            let good = done.stdout.lines().filter(|l| l.ends_with(": ok")).count();
            count.check(good == ranks, || format!("{good} of {ranks} ranks said ok"));
            runs.enter("neuron", ranks, abi.soname(), &count, done.seconds);
        }
    }
    Ok(())
}

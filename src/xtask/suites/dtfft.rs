//! dtFFT's distributed transposes (PyPI) at 1, 2 and 4 ranks: Fortran, C++ and Python over Debian's Fortran and
//! C++ libraries of Open MPI, compiled for that.
//!
//! Every line must be what it is on the Open MPI that these libraries belong to. The peer from PyPI is not run:
//! they are of another release.

use anyhow::Result;

use super::{Runs, Way, bindings, verdicts};
use crate::implementation::Abi;
use crate::paths;
use crate::setup;

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() || !runs.wants(Abi::Ompi) {
        return Ok(());
    }
    setup::debian(setup::DEBIAN_OPENMPI)?;
    let python = setup::dtfft()?.join("bin/python");
    let script = paths::ctests().join("python/dtfft_transposes.py");
    for ranks in runs.ranks(&[1, 2, 4]) {
        let ours = runs
            .mpiexec(ranks, Abi::Ompi, Way::Path, None)
            .arg(&python)
            .arg(&script)
            .arg(ranks.to_string())
            .seconds(60)
            .run()?;
        let mut count = verdicts(&ours);
        if !runs.short {
            let real = bindings::real("openmpi", ranks)
                .arg(&python)
                .arg(&script)
                .arg(ranks.to_string());
            bindings::compare(&ours, &real.run()?, &mut count);
        }
        runs.enter("dtfft", ranks, "transposes", &count, ours.seconds);
    }
    Ok(())
}

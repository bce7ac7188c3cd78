//! block2's density matrix renormalisation group (PyPI) at 1, 2 and 4 ranks: an extension module that was built
//! for Open MPI and needs `libmpi.so`, a name without a version.

use std::fs;
use std::os::unix::fs::symlink;

use anyhow::Result;

use super::{Runs, Way, verdicts};
use crate::implementation::Abi;
use crate::paths;
use crate::setup;

pub fn run(runs: &mut Runs) -> Result<()> {
    // It brings 1.5 GB of numerical libraries; the `build` suite loads a program that needs the same name.
    if runs.short || !runs.wants(Abi::Ompi) {
        return Ok(());
    }
    let python = setup::block2()?.join("bin/python");
    let dir = runs.scratch("block2")?;
    for ranks in runs.ranks(&[1, 2, 4]) {
        let mut cmd = runs.mpiexec(ranks, Abi::Ompi, Way::Path, None);
        if !runs.on.is_ours() {
            // Open MPI's wheel has a linker script under this name, and its launcher puts that in front.
            let plain = dir.join("plain");
            fs::create_dir_all(&plain)?;
            let _ = symlink(runs.on.lib().join("libmpi.so.40"), plain.join("libmpi.so"));
            // The library finds its own helpers from its real place only.
            let path = [plain, runs.on.lib(), runs.on.lib().join("openmpi")]
                .map(|dir| dir.display().to_string());
            cmd = cmd
                .arg("env")
                .arg(format!("LD_LIBRARY_PATH={}", path.join(":")));
        }
        let done = cmd
            .arg(&python)
            .arg(paths::ctests().join("python/block2_hubbard.py"))
            .arg(ranks.to_string())
            .arg(dir.join(ranks.to_string()))
            .seconds(120)
            .run()?;
        runs.enter("block2", ranks, "hubbard", &verdicts(&done), done.seconds);
    }
    Ok(())
}

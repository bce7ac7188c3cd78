//! Debian's Rmpi, unmodified (Open MPI ABI). R's front end puts the system's folders first on the loader's path, so
//! the library gets under it by LD_PRELOAD; without that mpiexec must say what is wrong and what helps.

use anyhow::Result;

use super::{Runs, verdicts};
use crate::implementation::Abi;
use crate::paths;
use crate::report::Count;
use crate::setup;
use crate::sh::Cmd;

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() || !runs.wants(Abi::Ompi) {
        return Ok(());
    }
    setup::debian(setup::RMPI)?;
    let program = |cmd: Cmd, ranks: usize| {
        cmd.arg("Rscript")
            .arg(paths::ctests().join("programs/rmpi.R"))
            .arg(ranks.to_string())
            .seconds(120)
    };
    let ours = runs.on.lib().join(Abi::Ompi.soname()).display().to_string();
    for ranks in runs.ranks(&[1, 2, 4]) {
        let cmd = runs.on.mpiexec_without_library_path(ranks);
        let cmd = cmd.args(["-genv", "LD_PRELOAD", &ours]);
        let done = program(cmd, ranks).run()?;
        let mut count = verdicts(&done);
        count.check(count.passed > 5, || {
            format!("too few checks:\n{}", done.tail(12))
        });
        count.check(!done.stderr.contains("another MPI"), || done.stderr.clone());
        runs.enter("rmpi", ranks, "with LD_PRELOAD", &count, done.seconds);
    }
    // The system's Open MPI runs it as so many worlds of one process.
    let done = program(runs.on.mpiexec_without_library_path(2), 1).run()?;
    let mut count = Count::default();
    let advice = format!("mpiexec -genv LD_PRELOAD {ours}");
    for text in ["has loaded another MPI, '/usr/lib", &advice] {
        count.check(done.stderr.matches(text).count() == 1, || {
            format!("not said once: {text}\n{}", done.stderr)
        });
    }
    runs.enter(
        "rmpi",
        2,
        "on the system's MPI, which is said",
        &count,
        done.seconds,
    );
    Ok(())
}

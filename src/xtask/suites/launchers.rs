//! Launchers and libraries of different makers together: our mpiexec starts programs that run on the real MPICH,
//! and MPICH's Hydra starts programs that run on ours. No launcher at all gives a world of 1. Open MPI's has a
//! suite of its own, `pmix`.
//!
//! A launcher that our library cannot join must end the program with an error: N worlds of size 1 in
//! its place would be wrong answers. mpi4py's `basics.py` is the program, told the size it must see.

use anyhow::Result;

use super::{Runs, verdicts};
use crate::implementation::{Abi, Implementation};
use crate::paths;
use crate::report::Count;
use crate::setup::{self, Peer};
use crate::sh::Cmd;

const RANKS: usize = 3;

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() {
        return Ok(());
    }
    let mpich = Implementation::peer(Peer::Mpich)?;
    let ours = runs.on.clone();
    // `helper`: what stands between launcher and program, in the words of helper.py.
    let below =
        |cmd: Cmd, library: &Implementation, abi: &str, helper: &str, size: usize| -> Result<Cmd> {
            let mut cmd = library
                .yielding(cmd)
                .env("LD_LIBRARY_PATH", library.lib())
                .env("MPI4PY_MPIABI", abi)
                .arg(setup::mpi4py()?.join("bin/python"));
            if !helper.is_empty() {
                cmd = cmd
                    .arg(paths::ctests().join("python/helper.py"))
                    .arg(helper);
            }
            Ok(cmd
                .arg(paths::ctests().join("python/basics.py"))
                .arg(size.to_string())
                .seconds(60))
        };
    let program = |cmd: Cmd, library: &Implementation, abi: &str, size: usize| {
        below(cmd, library, abi, "", size)
    };

    if runs.wants(Abi::Mpich) {
        let cmd = ours.mpiexec_without_library_path(RANKS);
        let done = program(cmd, &mpich, "mpich", RANKS)?.run()?;
        runs.enter(
            "launchers",
            RANKS,
            "our mpiexec, MPICH's library",
            &verdicts(&done),
            done.seconds,
        );
    }
    for (abi, variant) in [(Abi::Mpich, "mpich"), (Abi::Ompi, "openmpi")] {
        if !runs.wants(abi) {
            continue;
        }
        let hydra = mpich.mpiexec_without_library_path(RANKS);
        let done = program(hydra, &ours, variant, RANKS)?.run()?;
        let what = format!("Hydra, our {}", abi.soname());
        runs.enter("launchers", RANKS, &what, &verdicts(&done), done.seconds);

        // Below a helper that closes descriptors: by our mpiexec's other way; by Hydra's none, which is an error. Below
        // a rank: alone.
        for (helper, size) in [("run", RANKS), ("spawn", RANKS), ("taken", 1)] {
            let cmd = ours.mpiexec_without_library_path(RANKS);
            let done = below(cmd, &ours, variant, helper, size)?.run()?;
            let what = format!("below a helper ({helper}), our {}", abi.soname());
            runs.enter("launchers", RANKS, &what, &verdicts(&done), done.seconds);
        }
        let hydra = mpich.mpiexec_without_library_path(RANKS);
        let done = below(hydra, &ours, variant, "run", 1)?.run()?;
        let mut count = Count::default();
        let refused = !done.ok() && done.stderr.contains("has closed that descriptor");
        count.check(refused && !done.stdout.contains("world size"), || {
            format!("{}\n{}", done.cause(), done.tail(12))
        });
        let what = format!("Hydra, below a helper, our {}", abi.soname());
        runs.enter("launchers", RANKS, &what, &count, done.seconds);
        let hydra = mpich.mpiexec_without_library_path(RANKS);
        let done = below(hydra, &ours, variant, "taken", 1)?.run()?;
        let what = format!("Hydra, below a rank, our {}", abi.soname());
        runs.enter("launchers", RANKS, &what, &verdicts(&done), done.seconds);

        // Within a rank of ours Hydra's ranks are a world of their own.
        let hydra = mpich.mpiexec_without_library_path(RANKS);
        let within = hydra.under(ours.prefix.join("bin/mpiexec"), ["-n", "1"]);
        let done = program(within, &ours, variant, RANKS)?.run()?;
        let what = format!("Hydra within a rank, our {}", abi.soname());
        runs.enter("launchers", RANKS, &what, &verdicts(&done), done.seconds);

        // `env` stands where a launcher would: the program is alone.
        let done = program(Cmd::new("env"), &ours, variant, 1)?.run()?;
        let what = format!("no launcher, our {}", abi.soname());
        runs.enter("launchers", 1, &what, &verdicts(&done), done.seconds);
    }
    Ok(())
}

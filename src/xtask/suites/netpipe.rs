//! NetPIPE between 2 ranks in both builds: its bandwidth sweep and its integrity check.

use std::os::unix::fs::symlink;

use anyhow::Result;

use super::{Runs, Way};
use crate::implementation::Abi;
use crate::report::Count;
use crate::setup;

pub fn run(runs: &mut Runs) -> Result<()> {
    setup::debian(setup::NETPIPE)?;
    for (program, abi) in [
        ("/usr/bin/NPopenmpi", Abi::Ompi),
        ("/usr/bin/NPmpich2", Abi::Mpich),
    ] {
        if !runs.wants(abi) {
            continue;
        }
        let name = program.trim_start_matches("/usr/bin/");
        let dir = runs.scratch(name)?;
        for (what, options) in [
            ("sweep", &["-n", "20"][..]),
            ("integrity", &["-n", "5", "-i"][..]),
        ] {
            let mut cmd = runs.mpiexec(2, abi, Way::Path, None);
            if abi == Abi::Mpich && !runs.on.is_ours() {
                // Debian's name for the MPICH ABI, which peers from elsewhere do not carry.
                let alias = dir.join("libmpich.so.12");
                if !alias.exists() {
                    symlink(runs.on.lib().join("libmpi.so.12"), alias)?;
                }
                let lib = runs.on.lib();
                let path = format!(
                    "{}:{}:{}",
                    dir.display(),
                    lib.display(),
                    lib.join("mpich").display()
                );
                cmd = cmd.env("LD_LIBRARY_PATH", path);
            }
            let done = cmd
                .arg(program)
                .args(["-u", "1000000", "-o", what])
                .args(options)
                .dir(&dir)
                .seconds(90)
                .run()?;
            let text = format!("{}{}", done.stdout, done.stderr);
            let mut count = Count::default();
            count.check(done.ok(), || format!("{}\n{}", done.cause(), done.tail(12)));
            if what == "sweep" {
                let lines = text.lines().filter(|l| l.contains("Mbps in")).count();
                count.check(lines > 80, || {
                    format!("{lines} sizes were measured, expected more than 80")
                });
            } else {
                count.check(
                    !text.contains("ntegrity check failed") && !text.contains("ERROR"),
                    || done.tail(12),
                );
            }
            runs.enter(
                "netpipe",
                2,
                &format!("{name} {what}"),
                &count,
                done.seconds,
            );
        }
    }
    Ok(())
}

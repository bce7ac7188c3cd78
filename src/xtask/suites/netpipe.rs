//! NetPIPE between 2 ranks in both builds: its bandwidth sweep and its integrity check.

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
            let done = runs
                .mpiexec(2, abi, Way::Path, None)
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

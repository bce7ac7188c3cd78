//! HPC Challenge at 4 ranks: every check that it makes itself must pass.

use std::fs;

use anyhow::Result;

use super::Runs;
use crate::implementation::Abi;
use crate::report::Count;
use crate::setup;

const PROGRAM: &str = "/usr/bin/hpcc";
const INPUT: &str = "/usr/share/doc/hpcc/examples/_hpccinf.txt";

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.wants(Abi::Ompi) {
        return Ok(());
    }
    setup::debian(setup::HPCC)?;
    for &way in runs.ways() {
        for ranks in runs.ranks(&[4]) {
            let dir = runs.scratch(&format!("hpcc/{way:?}"))?;
            fs::copy(INPUT, dir.join("hpccinf.txt"))?;
            let done = runs
                .mpiexec(ranks, Abi::Ompi, way, None)
                .arg(PROGRAM)
                .dir(&dir)
                .seconds(180)
                .run()?;
            let output = fs::read_to_string(dir.join("hpccoutf.txt")).unwrap_or_default();
            let mut count = judge(&output, ranks);
            count.check(done.ok(), || format!("{}\n{}", done.cause(), done.tail(12)));
            runs.enter("hpcc", ranks, &format!("{way:?}"), &count, done.seconds);
        }
    }
    Ok(())
}

fn judge(output: &str, ranks: usize) -> Count {
    let mut count = Count::default();
    for line in output.lines() {
        if line.contains("PASSED")
            || line.contains("(passed)")
            || line.starts_with("Solution Validates")
        {
            count.passed += 1;
        } else if line.contains("FAILED") || line.contains("(failed)") {
            count.check(false, || line.to_owned());
        }
    }
    for (name, wanted) in [
        ("Success", "1".to_owned()),
        ("CommWorldProcs", ranks.to_string()),
        ("MPIRandomAccess_Errors", "0".to_owned()),
        ("MPIRandomAccess_LCG_Errors", "0".to_owned()),
    ] {
        let seen = output
            .lines()
            .find_map(|l| l.strip_prefix(name)?.strip_prefix('='));
        count.check(seen == Some(&wanted), || {
            format!("{name} is {seen:?}, expected {wanted}")
        });
    }
    count
}

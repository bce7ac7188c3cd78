//! Processes that launchers of PMIx start: Open MPI's mpirun, and servers of PRRTE that run already.
//!
//! mpi4py's `basics.py` and a ring in C are the programs, told the size that they must see. What ends a job must end
//! all of it, with the right exit status.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::{Runs, verdicts};
use crate::hosts::Hosts;
use crate::implementation::{self, Abi, Implementation, Spread};
use crate::paths;
use crate::report::Count;
use crate::setup::{self, Peer};
use crate::sh::{Cmd, Done};

/// A variable that marks all that a run starts.
pub const MARK: &str = "ANYMPI_SUITE_PMIX";
/// How long what a job has started may go on after its end.
const GRACE: Duration = Duration::from_secs(10);

/// What all runs use.
struct Setting {
    ours: Implementation,
    openmpi: Implementation,
    scratch: PathBuf,
}

impl Setting {
    fn mpirun(&self, ranks: usize) -> Cmd {
        self.openmpi.mpiexec_without_library_path(ranks)
    }

    /// A program with our libraries, behind a launcher's words. `env` is the program that the launcher starts, as it sets
    /// the loader's path itself.
    fn with_ours(&self, launcher: Cmd, abi: Abi, program: &[&str]) -> Cmd {
        launcher
            .env(MARK, std::process::id().to_string())
            .arg("env")
            .arg(format!("LD_LIBRARY_PATH={}", self.ours.lib().display()))
            .arg(format!("MPI4PY_MPIABI={}", variant(abi)))
            .args(program)
            .seconds(60)
    }

    fn python(&self, launcher: Cmd, abi: Abi, words: &[&str]) -> Result<Cmd> {
        let python = setup::mpi4py()?.join("bin/python");
        let python = python.to_string_lossy();
        let program = [&[&*python], words].concat();
        Ok(self.with_ours(launcher, abi, &program))
    }

    fn basics(&self, launcher: Cmd, abi: Abi, size: usize) -> Result<Cmd> {
        let program = paths::ctests().join("python/basics.py");
        self.python(
            launcher,
            abi,
            &[&program.to_string_lossy(), &size.to_string()],
        )
    }

    /// A program of C, built for an ABI.
    fn ring(&self, abi: Abi) -> Result<String> {
        let program = self.scratch.join(format!("ring-{abi}"));
        let source = paths::ctests().join("programs/ring.c");
        implementation::compile(abi, &self.ours.prefix, &source, &program)?.check()?;
        Ok(program.to_string_lossy().into_owned())
    }

    /// A command that starts servers, has them start what follows it, and ends them: exit status and output are the
    /// job's.
    fn servers(&self, ranks: usize) -> Result<Cmd> {
        setup::debian(setup::PMIX)?;
        let folder = self.openmpi.lib().join("openmpi");
        let start = self.scratch.join("dvm_run");
        Cmd::new("gcc")
            .args(["-O1", "-Wall", "-I/usr/lib/x86_64-linux-gnu/pmix2/include"])
            .arg(paths::ctests().join("tools/dvm_run.c"))
            .arg("-o")
            .arg(&start)
            .args(["-Wl,--allow-shlib-undefined", "-l:libpmix.so.2"])
            .arg(format!("-L{}", folder.display()))
            .arg(format!("-Wl,-rpath,{}", folder.display()))
            .check()?;
        let script = "uri=$(mktemp); \"$1\" --allow-run-as-root --no-ready-msg --report-uri $uri & servers=$!\n\
            for try in 1 2 3 4 5 6 7 8 9 10; do [ -s $uri ] && break; sleep 0.5; done\n\
            start=$2; ranks=$3; shift 3\n\
            $start \"$(head -1 $uri)\" $ranks \"$@\"; status=$?\n\
            kill $servers; wait $servers; rm $uri; exit $status";
        Ok(Cmd::new("sh")
            .args(["-c", script, "sh"])
            .arg(self.openmpi.bin("prte"))
            .arg(start)
            .arg(ranks.to_string()))
    }
}

/// What mpi4py calls an ABI.
pub fn variant(abi: Abi) -> &'static str {
    match abi {
        Abi::Mpi5 => "mpiabi",
        Abi::Mpich => "mpich",
        Abi::Ompi => "openmpi",
    }
}

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() {
        return Ok(());
    }
    let setting = Setting {
        ours: runs.on.clone(),
        openmpi: Implementation::peer(Peer::Openmpi)?,
        scratch: runs.scratch("pmix")?,
    };
    for abi in [Abi::Mpi5, Abi::Mpich, Abi::Ompi] {
        if !runs.wants(abi) {
            continue;
        }
        let ring = setting.ring(abi)?;
        for ranks in runs.ranks(&[1, 2, 4]) {
            let size = ranks.to_string();
            let mpirun = setting.with_ours(setting.mpirun(ranks), abi, &[&ring, &size]);
            enter(
                runs,
                ranks,
                &format!("mpirun, ring, {}", abi.soname()),
                &mpirun,
            )?;
            let servers = setting.with_ours(setting.servers(ranks)?, abi, &[&ring, &size]);
            enter(
                runs,
                ranks,
                &format!("prte, ring, {}", abi.soname()),
                &servers,
            )?;
            if abi != Abi::Mpi5 {
                let mpirun = setting.basics(setting.mpirun(ranks), abi, ranks)?;
                enter(runs, ranks, &format!("mpirun, {}", abi.soname()), &mpirun)?;
                let servers = setting.basics(setting.servers(ranks)?, abi, ranks)?;
                enter(runs, ranks, &format!("prte, {}", abi.soname()), &servers)?;
            }
        }
    }
    let abi = match runs.wants(Abi::Ompi) {
        true => Abi::Ompi,
        false if runs.wants(Abi::Mpich) => Abi::Mpich,
        false => return Ok(()),
    };
    helpers(runs, &setting, abi)?;
    in_a_row(runs, &setting, abi)?;
    older(runs, &setting, abi)?;
    within(runs, &setting, abi)?;
    ends(runs, &setting, abi)?;
    let Some(why) = Hosts::refused() else {
        return two_hosts(runs, &setting, abi);
    };
    let mut count = Count::default();
    count.skipped += 1;
    count.notes.push(why);
    runs.enter("pmix", 4, "two hosts", &count, 0.0);
    Ok(())
}

fn enter(runs: &mut Runs, ranks: usize, what: &str, cmd: &Cmd) -> Result<()> {
    let done = cmd.run()?;
    let mut count = verdicts(&done);
    nothing_left(&mut count);
    runs.enter("pmix", ranks, what, &count, done.seconds);
    Ok(())
}

/// Helpers between launcher and rank are no ranks, and what runs below a rank is alone.
fn helpers(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let helper = paths::ctests().join("python/helper.py");
    let basics = paths::ctests().join("python/basics.py");
    let (helper, basics) = (helper.to_string_lossy(), basics.to_string_lossy());
    for (how, size) in [("run", "2"), ("spawn", "2"), ("taken", "1")] {
        let cmd = setting.python(setting.mpirun(2), abi, &[&helper, how, &basics, size])?;
        enter(runs, 2, &format!("mpirun, below a helper ({how})"), &cmd)?;
    }
    Ok(())
}

/// A rank may be several programs, one after the other.
fn in_a_row(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let ring = setting.ring(abi)?;
    let twice = format!("{ring} 2 && {ring} 2 && exec {ring} 2");
    let cmd = setting.with_ours(setting.mpirun(2), abi, &["sh", "-c", &twice]);
    let done = cmd.run()?;
    let mut count = verdicts(&done);
    let rings = done.stdout.matches("ok ring").count();
    count.check(rings == 3, || format!("{rings} rings"));
    nothing_left(&mut count);
    runs.enter(
        "pmix",
        2,
        "mpirun, three programs in a row",
        &count,
        done.seconds,
    );
    Ok(())
}

/// Debian's Open MPI of the fourth generation, which has a PMIx of its own.
fn older(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    setup::debian(setup::DEBIAN_OPENMPI)?;
    let mpirun = || {
        Cmd::new("mpirun.openmpi")
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .args(["--oversubscribe", "-n", "4"])
    };
    let ring = setting.ring(abi)?;
    let cmd = setting.with_ours(mpirun(), abi, &[&ring, "4"]);
    enter(runs, 4, "Open MPI 4's mpirun, ring", &cmd)?;
    enter(
        runs,
        4,
        "Open MPI 4's mpirun",
        &setting.basics(mpirun(), abi, 4)?,
    )
}

/// Of two launchers one within the other the inner one counts.
fn within(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let mpich = Implementation::peer(Peer::Mpich)?;
    let hydra = mpich.bin("mpiexec");
    let inner = setting.mpirun(2).under(&hydra, ["-n", "1"]);
    enter(
        runs,
        2,
        "mpirun within Hydra's rank",
        &setting.basics(inner, abi, 2)?,
    )?;
    let ours = setting.ours.bin("mpiexec");
    let inner = setting.mpirun(2).under(&ours, ["-n", "1"]);
    enter(
        runs,
        2,
        "mpirun within our rank",
        &setting.basics(inner, abi, 2)?,
    )?;
    for (inner, name) in [(hydra, "Hydra"), (ours, "our mpiexec")] {
        let outer = setting.mpirun(1).arg(inner).args(["-n", "2"]);
        let what = format!("{name} within mpirun's rank");
        enter(runs, 2, &what, &setting.basics(outer, abi, 2)?)?;
    }
    Ok(())
}

/// How jobs end that do not end well.
fn ends(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let import = "import os, time; from mpi4py import MPI; world = MPI.COMM_WORLD; world.barrier()";
    let waits = "world.recv()";
    let ended = |runs: &mut Runs, what: &str, cmd: Cmd, judge: &dyn Fn(&Done) -> bool| {
        let done = cmd.run()?;
        let mut count = Count::default();
        count.check(judge(&done), || {
            format!("{}\n{}", done.cause(), done.tail(12))
        });
        let soon = done.seconds < 20.0;
        count.check(soon, || format!("it took {:.0} s", done.seconds));
        nothing_left(&mut count);
        runs.enter("pmix", 2, what, &count, done.seconds);
        Ok::<(), anyhow::Error>(())
    };
    let aborts = format!("{import}; world.rank == 1 and world.Abort(37); {waits}");
    let killed = format!("{import}; world.rank == 1 and os.kill(os.getpid(), 9); {waits}");
    for (name, servers) in [("mpirun", false), ("prte", true)] {
        let launcher = || match servers {
            true => setting.servers(2),
            false => Ok(setting.mpirun(2)),
        };
        let cmd = setting.python(launcher()?, abi, &["-c", &aborts])?;
        let what = format!("{name}, a rank calls MPI_Abort");
        ended(runs, &what, cmd, &|done| done.code() == Some(37))?;
        let cmd = setting.python(launcher()?, abi, &["-c", &killed])?;
        let what = format!("{name}, a rank is killed");
        ended(runs, &what, cmd, &|done| {
            done.code().is_some_and(|code| code != 0)
        })?;
    }
    let kills = format!("{import}; world.rank == 1 and os.kill(os.getppid(), 9); {waits}");
    let cmd = setting.python(setting.mpirun(2), abi, &["-c", &kills])?;
    // Open MPI's mpirun executes prterun, which is the parent of the ranks below `env`.
    ended(runs, "mpirun is killed", cmd, &|done| !done.ok())?;
    let alone = format!("{import}; print('world size', world.size)");
    let cmd = setting.python(setting.mpirun(2), abi, &["-c", &alone])?;
    let cmd = cmd.env("MPI_ANYMPI_LIBPMIX", "/nowhere/libpmix.so.2");
    ended(runs, "mpirun, no libpmix", cmd, &|done| {
        let says = done.stderr.contains("/nowhere/libpmix.so.2") && done.stderr.contains("PRRTE");
        !done.ok() && says && !done.stdout.contains("world size")
    })
}

fn two_hosts(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let hosts = Arc::new(Hosts::new(2, &setting.scratch)?);
    let openmpi = setting.openmpi.over(Spread {
        agent: hosts.agent(),
        hosts,
        together: false,
    });
    let launcher = |ranks: usize| openmpi.mpiexec_without_library_path(ranks);
    let ring = setting.ring(abi)?;
    for ranks in runs.ranks(&[2, 4]) {
        let cmd = setting.with_ours(launcher(ranks), abi, &[&ring, &ranks.to_string(), "2"]);
        enter(runs, ranks, "mpirun on two hosts, ring", &cmd)?;
        let cmd = setting.basics(launcher(ranks), abi, ranks)?;
        enter(runs, ranks, "mpirun on two hosts", &cmd)?;
    }
    Ok(())
}

/// All that was started has ended, soon.
pub fn nothing_left(count: &mut Count) {
    let start = Instant::now();
    let mut left = marked();
    while !left.is_empty() && start.elapsed() < GRACE {
        std::thread::sleep(Duration::from_millis(50));
        left = marked();
    }
    count.check(left.is_empty(), || format!("left: {}", left.join(", ")));
}

/// The command lines of processes that a run has started.
pub fn marked() -> Vec<String> {
    let mark = format!("{MARK}={}", std::process::id()).into_bytes();
    let is_marked = |folder: &Path| {
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        environment
            .split(|&byte| byte == 0)
            .any(|entry| entry == mark)
    };
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let marked = all.map(|entry| entry.path()).filter(|path| is_marked(path));
    marked
        .map(|folder| {
            let words = fs::read(folder.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).replace('\0', " ")
        })
        .collect()
}

//! Programs under a real Slurm on two hosts: `srun` with each kind of PMI and without any, our mpiexec in an allocation,
//! batch scripts; and how jobs end there that do not end well.
//!
//! A ring in C and mpi4py's `basics.py` are the programs, told the size that they must see: a step whose tasks are worlds
//! of one each would be a wrong answer.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::pmix::{MARK, marked, nothing_left, variant};
use super::{Runs, verdicts};
use crate::cluster::Cluster;
use crate::hosts::Hosts;
use crate::implementation::{self, Abi, Implementation};
use crate::paths;
use crate::report::Count;
use crate::setup;
use crate::sh::{Cmd, Done};

/// What srun offers its tasks.
const KINDS: [&str; 3] = ["pmi2", "pmix", "none"];
const BOTH: [&str; 3] = ["-N2", "-n4", "--distribution=cyclic"];
const ONE: [&str; 2] = ["-N1", "-n3"];
/// All of a job that does not end well must have ended after so many seconds.
const SOON: f64 = 15.0;

struct Setting {
    ours: Implementation,
    cluster: Cluster,
    scratch: PathBuf,
}

impl Setting {
    /// Runs a command where users do, with our libraries.
    fn user(&self, cmd: Cmd) -> Cmd {
        let cmd = self.cluster.on_launcher(cmd.dir(&self.scratch));
        cmd.env(MARK, std::process::id().to_string())
            .env("HOME", self.scratch.join("home"))
            .env("LD_LIBRARY_PATH", self.ours.lib())
            .seconds(60)
    }

    fn srun(&self, kind: &str, tasks: &[&str], program: &[&str]) -> Cmd {
        let cmd = Cmd::new("srun").args(tasks).arg("--quiet");
        self.user(cmd.arg(format!("--mpi={kind}")).args(program))
    }

    /// A program of C, built for an ABI.
    fn ring(&self, abi: Abi) -> Result<String> {
        let program = self.scratch.join(format!("ring-{abi}"));
        if !program.exists() {
            let source = paths::ctests().join("programs/ring.c");
            implementation::compile(abi, &self.ours.prefix, &source, &program)?.check()?;
        }
        Ok(program.to_string_lossy().into_owned())
    }

    /// The words of a program in Python.
    fn python(abi: Abi, ours: &Implementation) -> Result<String> {
        let environment = match abi {
            Abi::Mpi5 => setup::mpi4py_standard(&ours.prefix)?,
            _ => setup::mpi4py()?,
        };
        let python = environment.join("bin/python");
        Ok(python.to_string_lossy().into_owned())
    }

    fn mpiexec(&self) -> String {
        self.ours.bin("mpiexec").to_string_lossy().into_owned()
    }
}

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() {
        return Ok(());
    }
    if let Some(why) = Hosts::refused() {
        let mut count = Count::default();
        count.skipped += 1;
        count.notes.push(why);
        runs.enter("slurm", 4, "two hosts", &count, 0.0);
        return Ok(());
    }
    let scratch = runs.scratch("slurm")?;
    let setting = Setting {
        ours: runs.on.clone(),
        cluster: Cluster::start(&scratch)?,
        scratch,
    };
    std::fs::create_dir_all(setting.scratch.join("home"))?;
    let mut last = None;
    for abi in [Abi::Mpi5, Abi::Mpich, Abi::Ompi] {
        if runs.wants(abi) {
            programs(runs, &setting, abi)?;
            last = Some(abi);
        }
    }
    let Some(abi) = last else { return Ok(()) };
    one_host(runs, &setting, abi)?;
    in_a_row(runs, &setting, abi)?;
    batch(runs, &setting, abi)?;
    alone(runs, &setting, abi)?;
    ends(runs, &setting, abi)?;
    cancelled(runs, &setting, abi)?;
    cut(runs, &setting, abi)
}

fn enter(runs: &mut Runs, ranks: usize, what: &str, cmd: &Cmd) -> Result<()> {
    let done = cmd.run()?;
    let mut count = verdicts(&done);
    nothing_left(&mut count);
    runs.enter("slurm", ranks, what, &count, done.seconds);
    Ok(())
}

/// The programs on both hosts, started in every way.
fn programs(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let ring = setting.ring(abi)?;
    let library = abi.soname();
    let mpiexec = setting.mpiexec();
    let allocated = |program: &[&str]| {
        let salloc = Cmd::new("salloc").args(["--quiet", "-N2", "-n4"]);
        setting.user(salloc.arg(&mpiexec).args(program))
    };
    for kind in KINDS {
        let cmd = setting.srun(kind, &BOTH, &[&ring, "4", "2"]);
        enter(
            runs,
            4,
            &format!("srun --mpi={kind}, ring, {library}"),
            &cmd,
        )?;
    }
    let cmd = allocated(&[&ring, "4", "2"]);
    enter(runs, 4, &format!("salloc, mpiexec, ring, {library}"), &cmd)?;
    // mpi4py for the standard ABI is built for minutes.
    if abi == Abi::Mpi5 && runs.short {
        return Ok(());
    }
    let python = Setting::python(abi, &setting.ours)?;
    let basics = paths::ctests().join("python/basics.py");
    let program = [&python, &*basics.to_string_lossy(), "4"];
    for kind in KINDS {
        let cmd = setting.srun(kind, &BOTH, &program);
        let cmd = cmd.env("MPI4PY_MPIABI", variant(abi));
        enter(runs, 4, &format!("srun --mpi={kind}, {library}"), &cmd)?;
    }
    let cmd = allocated(&program).env("MPI4PY_MPIABI", variant(abi));
    enter(runs, 4, &format!("salloc, mpiexec, {library}"), &cmd)
}

/// All tasks on one host, one task, and our mpiexec as a task.
fn one_host(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let ring = setting.ring(abi)?;
    for kind in KINDS {
        let cmd = setting.srun(kind, &ONE, &[&ring, "3", "1"]);
        enter(runs, 3, &format!("srun --mpi={kind}, one host"), &cmd)?;
        let cmd = setting.srun(kind, &["-n1"], &[&ring, "1"]);
        enter(runs, 1, &format!("srun --mpi={kind}, one task"), &cmd)?;
        let mpiexec = setting.mpiexec();
        let cmd = setting.srun(kind, &["-n1"], &[&mpiexec, "-n", "3", &ring, "3", "1"]);
        enter(runs, 3, &format!("srun --mpi={kind}, mpiexec"), &cmd)?;
    }
    Ok(())
}

/// A task may be several programs, one after the other, but Slurm's own servers serve the first only.
fn in_a_row(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let ring = setting.ring(abi)?;
    let twice = format!("{ring} 4 2 && exec {ring} 4 2");
    for kind in KINDS {
        let done = setting.srun(kind, &BOTH, &["sh", "-c", &twice]).run()?;
        let mut count = Count::default();
        let rings = done.stdout.matches("ok ring").count();
        let good = match kind {
            "none" => rings == 2 && done.ok(),
            _ => rings == 1 && !done.ok() && done.stderr.contains("one MPI program in each task"),
        };
        count.check(good, || {
            format!("{rings} rings, {}\n{}", done.cause(), done.tail(12))
        });
        nothing_left(&mut count);
        let what = format!("srun --mpi={kind}, two programs in a row");
        runs.enter("slurm", 4, &what, &count, done.seconds);
    }
    Ok(())
}

/// A batch script that starts programs in all ways.
fn batch(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let ring = setting.ring(abi)?;
    let output = setting.scratch.join("batch.out");
    let mut script = format!("#!/bin/sh\n{} {ring} 4 2\n{ring} 1 1\n", setting.mpiexec());
    for kind in KINDS {
        script += &format!("srun --mpi={kind} {ring} 4 2\n");
    }
    let file = setting.scratch.join("batch.sh");
    std::fs::write(&file, script)?;
    let sbatch = Cmd::new("sbatch")
        .args(["--wait", "-N2", "-n4", "--output"])
        .arg(&output)
        .arg(&file);
    let mut done = setting.user(sbatch).run()?;
    done.stdout += &std::fs::read_to_string(&output).unwrap_or_default();
    let mut count = verdicts(&done);
    let rings = done.stdout.matches("ok ring").count();
    count.check(rings == 5, || format!("{rings} rings\n{}", done.tail(20)));
    nothing_left(&mut count);
    runs.enter("slurm", 4, "sbatch, mpiexec and srun", &count, done.seconds);
    Ok(())
}

/// Tasks that are to be worlds of their own, and tasks that cannot meet and must not be.
fn alone(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    let ring = setting.ring(abi)?;
    let cmd = setting.srun("none", &BOTH, &[&ring, "1"]);
    let done = cmd.env("MPI_ANYMPI_RENDEZVOUS", "0").run()?;
    let mut count = verdicts(&done);
    let rings = done.stdout.matches("ok ring").count();
    count.check(rings == 4, || format!("{rings} rings"));
    runs.enter(
        "slurm",
        4,
        "srun --mpi=none, each alone",
        &count,
        done.seconds,
    );
    let mut refused = |what: &str, cmd: Cmd, words: &str| {
        let done = cmd.run()?;
        let mut count = Count::default();
        let good = !done.ok() && done.stderr.contains(words) && !done.stdout.contains("world size");
        count.check(good && done.seconds < SOON, || {
            format!("not '{words}': {}\n{}", done.cause(), done.tail(12))
        });
        nothing_left(&mut count);
        runs.enter("slurm", 4, what, &count, done.seconds);
        Ok::<(), anyhow::Error>(())
    };
    let cmd = setting.srun("none", &BOTH, &[&ring, "4"]);
    let cmd = cmd.env("HOME", "/proc/nowhere");
    refused("srun --mpi=none, no secret", cmd, "/proc/nowhere/.anympi")?;
    let cmd = setting.srun("pmix", &BOTH, &[&ring, "4"]);
    let cmd = cmd.env("MPI_ANYMPI_LIBPMIX", "/nowhere/libpmix.so.2");
    refused("srun --mpi=pmix, no libpmix", cmd, "PMIx (Slurm)")?;
    // A helper between that closes descriptors.
    let helper = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))";
    let cmd = setting.srun("pmi2", &BOTH, &["python3", "-c", helper, &ring, "4"]);
    refused(
        "srun --mpi=pmi2, below a helper",
        cmd,
        "has closed that descriptor",
    )
}

/// How jobs end in which a rank aborts or dies.
fn ends(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    if abi == Abi::Mpi5 {
        return Ok(());
    }
    let python = Setting::python(abi, &setting.ours)?;
    let import = "import os, time; from mpi4py import MPI; world = MPI.COMM_WORLD; world.barrier()";
    let aborts = format!("{import}; world.rank == 1 and world.Abort(37); world.recv()");
    let killed = format!("{import}; world.rank == 1 and os.kill(os.getpid(), 9); world.recv()");
    let leaves = format!("{import}; world.rank == 1 and os._exit(0); world.recv()");
    for kind in KINDS {
        for (host, tasks) in [("two hosts", &BOTH[..]), ("one host", &ONE)] {
            for (what, program, words) in [
                ("a rank aborts", &aborts, "37"),
                ("a rank is killed", &killed, "Killed"),
                ("a rank just ends", &leaves, ""),
            ] {
                let cmd = setting.srun(kind, tasks, &[&python, "-c", program]);
                let done = cmd.env("MPI4PY_MPIABI", variant(abi)).run()?;
                let mut count = Count::default();
                let failed = done.code().is_some_and(|code| code != 0);
                count.check(failed && done.stderr.contains(words), || {
                    format!("{}\n{}", done.cause(), done.tail(12))
                });
                let soon = done.seconds < SOON;
                count.check(soon, || format!("it took {:.0} s", done.seconds));
                nothing_left(&mut count);
                let what = format!("srun --mpi={kind}, {host}, {what}");
                runs.enter("slurm", 4, &what, &count, done.seconds);
            }
        }
    }
    Ok(())
}

/// A program that goes on and on, and says that it has begun.
fn endless(abi: Abi, setting: &Setting) -> Result<[String; 3]> {
    let program = "import time; from mpi4py import MPI; world = MPI.COMM_WORLD\n\
        while True: world.barrier(); time.sleep(0.01); open('begun', 'w')";
    let python = Setting::python(abi, &setting.ours)?;
    Ok([python, "-c".into(), program.into()])
}

/// Starts what goes on and on, does something to it when it has begun, and says how it has ended.
fn interrupted(
    setting: &Setting,
    abi: Abi,
    start: impl FnOnce(&[&str]) -> Cmd,
    act: impl FnOnce() -> Result<()>,
) -> Result<(Done, f64)> {
    let program = endless(abi, setting)?;
    let begun = setting.scratch.join("begun");
    let _ = std::fs::remove_file(&begun);
    let words: Vec<&str> = program.iter().map(String::as_str).collect();
    let cmd = start(&words).env("MPI4PY_MPIABI", variant(abi));
    std::thread::scope(|scope| {
        let job = scope.spawn(move || cmd.run());
        let until = Instant::now() + Duration::from_secs(30);
        while !begun.exists() && !job.is_finished() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        let acted = act();
        let since = Instant::now();
        let done = job.join();
        acted?;
        match done {
            Ok(done) => Ok((done?, since.elapsed().as_secs_f64())),
            Err(_) => bail!("the thread that ran the job has panicked"),
        }
    })
}

/// `scancel` ends all.
fn cancelled(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    if abi == Abi::Mpi5 {
        return Ok(());
    }
    let cancel = || {
        let scancel = Cmd::new("scancel").args(["--name", "endless"]);
        setting.user(scancel).check().map(drop)
    };
    let name = "--job-name=endless";
    let mpiexec = setting.mpiexec();
    for kind in KINDS.into_iter().chain(["mpiexec"]) {
        let (done, seconds) = interrupted(
            setting,
            abi,
            |program| match kind {
                "mpiexec" => {
                    let salloc = Cmd::new("salloc").args(["--quiet", "-N2", "-n4", name]);
                    setting.user(salloc.arg(&mpiexec).args(program))
                }
                _ => setting.srun(kind, &[&BOTH[..], &[name]].concat(), program),
            },
            cancel,
        )?;
        let mut count = Count::default();
        let good = done.status.is_some() && !done.ok() && seconds < SOON;
        count.check(good, || {
            format!("{} after {seconds:.0} s\n{}", done.cause(), done.tail(12))
        });
        nothing_left(&mut count);
        runs.enter("slurm", 4, &format!("{kind}, scancel"), &count, seconds);
    }
    Ok(())
}

/// A host is cut off: the ranks of both end by themselves. srun itself waits for the host to come back.
fn cut(runs: &mut Runs, setting: &Setting, abi: Abi) -> Result<()> {
    if abi == Abi::Mpi5 {
        return Ok(());
    }
    let hosts = setting.cluster.hosts();
    let python = Setting::python(abi, &setting.ours)?;
    for kind in if runs.short { &KINDS[..1] } else { &KINDS } {
        let mut seconds = 0.0;
        let start = |program: &[&str]| setting.srun(kind, &BOTH, program);
        let (done, _) = interrupted(setting, abi, start, || {
            hosts.cut(2, true)?;
            let since = Instant::now();
            while marked().iter().any(|line| line.starts_with(&python)) {
                seconds = since.elapsed().as_secs_f64();
                if seconds > 2.0 * SOON {
                    break;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            hosts.cut(2, false)
        })?;
        let mut count = Count::default();
        let says = done.stderr.contains("lost");
        count.check(says && !done.ok() && seconds < SOON, || {
            format!("{} after {seconds:.0} s\n{}", done.cause(), done.tail(12))
        });
        nothing_left(&mut count);
        let what = format!("srun --mpi={kind}, a host is cut off");
        runs.enter("slurm", 4, &what, &count, seconds);
    }
    Ok(())
}

//! Processes that a shell has started, and nobody else: they must form one world, or say why they do not.
//!
//! On one host by the explicit address, and as torchrun and srun would announce it; on two hosts, which are network
//! namespaces, where this may be made. Every way to fail must end all of them, with the cause in words.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::Runs;
use crate::hosts::Hosts;
use crate::implementation::{Abi, compile};
use crate::paths;
use crate::report::Count;
use crate::setup;
use crate::sh::{Cmd, Done};

const PROCESSES: usize = 16;
const SECRET: &str = "MPI_ANYMPI_SECRET=a secret that is long enough";
/// Starts as many processes as the first word says, each by the second word with `$r` as its number. It fails if one of them
/// does, with the status of the last.
const SHELL: &str = "\
    n=$1 command=$2 pids= status=0
    for r in $(seq 0 $((n - 1))); do r=$r; export r; eval \"$command\" & pids=\"$pids $!\"; done
    for p in $pids; do wait $p || status=$?; done
    exit $status";

struct Program {
    path: PathBuf,
    lib: PathBuf,
}

impl Program {
    /// Starts so many processes with these words before the program and these after it.
    fn start(&self, count: usize, before: &str, after: &str) -> Result<Done> {
        let path = shell_words::quote(&self.path.to_string_lossy()).into_owned();
        let lib = shell_words::quote(&self.lib.to_string_lossy()).into_owned();
        let command = format!("{before} env LD_LIBRARY_PATH={lib} {path} {after}");
        Cmd::new("bash")
            .args(["-c", SHELL, "bash", &count.to_string(), &command])
            .env("OMP_NUM_THREADS", "1")
            .seconds(100)
            .run()
    }
}

/// A port that nobody listens at.
fn port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn met(done: &Done, processes: usize) -> Count {
    let mut count = Count::default();
    let ok = done.stdout.matches("ok rank ").count();
    count.check(done.ok() && ok == processes, || {
        format!("{}, {ok} of {processes}\n{}", done.cause(), done.tail(20))
    });
    count
}

/// So many must have said these words, and nobody may have gone on.
fn failed(done: &Done, words: &str, times: usize) -> Count {
    let mut count = Count::default();
    let said = done
        .stderr
        .lines()
        .filter(|line| line.contains(words))
        .count();
    let ended = done.status.is_some() && !done.ok() && !done.stdout.contains("ok rank");
    count.check(ended && said >= times && done.seconds < 30.0, || {
        format!(
            "'{words}' said {said} times, not {times}: {} after {:.1} s\n{}",
            done.cause(),
            done.seconds,
            done.tail(20)
        )
    });
    count
}

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() || !runs.wants(Abi::Mpi5) {
        return Ok(());
    }
    setup::debian(setup::COMPILERS)?;
    let dir = runs.scratch("rendezvous")?;
    let program = Program {
        path: dir.join("meet"),
        lib: runs.on.lib(),
    };
    let source = paths::ctests().join("programs/meet.c");
    compile(Abi::Mpi5, &runs.on.prefix, &source, &program.path)?.check()?;
    let mut enter = |what: &str, processes: usize, done: &Done, count: &Count| {
        runs.enter("rendezvous", processes, what, count, done.seconds);
    };

    let root = |host: &str| -> Result<String> {
        Ok(format!("env MPI_ANYMPI_ROOT={host}:{} '{SECRET}'", port()?))
    };
    let n = PROCESSES;
    for (what, rank, after) in [
        ("ranks given", "MPI_ANYMPI_RANK=$r", ""),
        ("in order of arrival", "", ""),
        ("one leaves late", "MPI_ANYMPI_RANK=$r", "late"),
    ] {
        let before = format!("{} MPI_ANYMPI_SIZE={n} {rank}", root("localhost")?);
        let done = program.start(n, &before, &format!("{n} {after}"))?;
        enter(what, n, &done, &met(&done, n));
    }
    let id = std::process::id();
    let torch = format!(
        "env RANK=$r WORLD_SIZE=4 LOCAL_RANK=$r MASTER_ADDR=127.0.0.1 MASTER_PORT={} TORCHELASTIC_RESTART_COUNT=0 \
         TORCHELASTIC_RUN_ID=test-{id}",
        port()?
    );
    for (what, local) in [("torchrun, one host", 4), ("torchrun, as several hosts", 2)] {
        let done = program.start(4, &format!("{torch} LOCAL_WORLD_SIZE={local}"), "4")?;
        enter(what, 4, &done, &met(&done, 4));
    }
    let done = program.start(4, &format!("{torch} MPI_ANYMPI_RENDEZVOUS=0"), "1")?;
    enter("torchrun, each alone", 1, &done, &met(&done, 4));
    let home = dir.join("home");
    std::fs::create_dir_all(&home)?;
    for (what, nodes) in [
        ("srun, one node", "localhost"),
        ("srun, two nodes", "localhost,n[2-3]"),
    ] {
        let srun = format!(
            "env SLURM_JOB_ID={id} SLURM_STEP_ID=0 SLURM_PROCID=$r SLURM_STEP_NUM_TASKS=4 'HOME={}' \
             'SLURM_STEP_NODELIST={nodes}'",
            home.display()
        );
        let done = program.start(4, &srun, "4")?;
        enter(what, 4, &done, &met(&done, 4));
    }

    for (what, count, variables, after, words, times) in [
        (
            "one dies",
            4,
            "MPI_ANYMPI_SIZE=4 MPI_ANYMPI_RANK=$r",
            "4 die",
            "rank 1 (process",
            3,
        ),
        (
            "one aborts",
            4,
            "MPI_ANYMPI_SIZE=4 MPI_ANYMPI_RANK=$r",
            "4 abort",
            "with code 7",
            3,
        ),
        (
            "rank 0 dies",
            4,
            "MPI_ANYMPI_SIZE=4 MPI_ANYMPI_RANK=$r",
            "4 root",
            " ends: ",
            3,
        ),
        (
            "one rank twice",
            3,
            "MPI_ANYMPI_SIZE=3 MPI_ANYMPI_RANK=$((r / 2)) MPI_ANYMPI_ROOT_WAIT=5",
            "",
            "two processes say that they are rank 0",
            2,
        ),
        (
            "a rank beyond",
            3,
            "MPI_ANYMPI_SIZE=3 MPI_ANYMPI_RANK=$((r + 1)) MPI_ANYMPI_ROOT_WAIT=5",
            "",
            "there are 3 processes, so rank 3",
            2,
        ),
        (
            "one is missing",
            3,
            "MPI_ANYMPI_SIZE=4 MPI_ANYMPI_RANK=$r MPI_ANYMPI_ROOT_WAIT=5",
            "",
            "3 of 4 processes have come",
            3,
        ),
        (
            "sizes differ",
            2,
            "MPI_ANYMPI_SIZE=$((r + 2))",
            "",
            "says that there are",
            2,
        ),
        (
            "another secret",
            3,
            "MPI_ANYMPI_SIZE=3 MPI_ANYMPI_RANK=$r MPI_ANYMPI_ROOT_WAIT=5 \
             \"MPI_ANYMPI_SECRET=not always the same $((r / 2))\"",
            "",
            "have another secret than this one",
            1,
        ),
        (
            "no secret",
            1,
            "-u MPI_ANYMPI_SECRET MPI_ANYMPI_SIZE=2",
            "",
            "no secret by which",
            1,
        ),
    ] {
        let before = match what {
            "no secret" => format!("env {variables} MPI_ANYMPI_ROOT=localhost:{}", port()?),
            _ => format!("{} {variables}", root("localhost")?),
        };
        let done = program.start(count, &before, after)?;
        enter(what, count, &done, &failed(&done, words, times));
    }
    two_hosts(&program, &dir, &mut enter)
}

fn two_hosts(
    program: &Program,
    dir: &Path,
    enter: &mut dyn FnMut(&str, usize, &Done, &Count),
) -> Result<()> {
    if let Some(why) = Hosts::refused() {
        let done = Cmd::new("true").run()?;
        let mut count = Count::default();
        count.skipped += 1;
        count.notes.push(why);
        enter("two hosts", PROCESSES, &done, &count);
        return Ok(());
    }
    let hosts = Hosts::new(2, dir)?;
    let (a, b, first) = (hosts.name(1), hosts.name(2), hosts.address(1));
    // Even numbers on the first host, odd ones on the second.
    let on = |variables: &str| {
        format!(
            "host={a}; test $((r % 2)) = 0 || host={b}; ip netns exec $host unshare --uts sh -c 'hostname $0; exec \"$@\"' \
             $host env {variables}"
        )
    };
    let root = format!("'{SECRET}' MPI_ANYMPI_ROOT={first}:7117");
    let n = PROCESSES;
    for (what, rank) in [
        ("two hosts, ranks given", "MPI_ANYMPI_RANK=$r"),
        ("two hosts, in order of arrival", ""),
    ] {
        let done = program.start(
            n,
            &on(&format!("{root} MPI_ANYMPI_SIZE={n} {rank}")),
            &n.to_string(),
        )?;
        let mut count = met(&done, n);
        for host in [&a, &b] {
            let there = done.stdout.matches(&format!("on {host}\n")).count();
            count.check(there == n / 2, || format!("{there} processes on {host}"));
        }
        enter(what, n, &done, &count);
    }
    let given = format!("{root} MPI_ANYMPI_SIZE=4 MPI_ANYMPI_RANK=$r");
    for (what, after, words) in [
        ("two hosts, one dies", "4 die", "rank 1 (process"),
        ("two hosts, one aborts", "4 abort", "with code 7"),
    ] {
        let done = program.start(4, &on(&given), after)?;
        enter(what, 4, &done, &failed(&done, words, 3));
    }
    let torch = format!(
        "RANK=$r WORLD_SIZE=4 LOCAL_WORLD_SIZE=2 MASTER_ADDR={first} MASTER_PORT=7200 TORCHELASTIC_RUN_ID=x"
    );
    let done = program.start(4, &on(&torch), "4")?;
    enter("two hosts, torchrun", 4, &done, &met(&done, 4));
    Ok(())
}

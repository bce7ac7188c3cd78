//! `ctest`: the C programs of ctests/, built for the three ABIs, run under our mpiexec with our libraries.
//!
//! Programs for the MPICH and Open MPI ABIs are built with those families' own headers and link to
//! their own libraries, as unmodified binaries are. With `--ref` the same binary also runs under the
//! real implementation and must print the same lines. It must not know what any program tests.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::implementation::{self, Abi, Implementation, Ours, Over};
use crate::paths;
use crate::report::{Count, Ledger};
use crate::setup::{self, Peer};
use crate::sh::{Cmd, Done};
use crate::testlist::{self, Expect, Test};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Reference {
    Mpich,
    Openmpi,
}

#[derive(clap::Args)]
pub struct Args {
    /// Only tests whose name contains one of these words.
    names: Vec<String>,
    /// Only these ABIs (mpi5, mpich, ompi).
    #[arg(long, value_enum, value_delimiter = ',')]
    abi: Vec<Abi>,
    /// Also run each program with the real library and compare what it prints.
    #[arg(long = "ref", value_enum, value_delimiter = ',')]
    reference: Vec<Reference>,
    /// Run with the real libraries only: does the test itself hold?
    #[arg(long)]
    only_ref: bool,
    /// Tests that run at the same time; one per core without it.
    #[arg(long, short)]
    jobs: Option<usize>,
    /// Print the command line of every run.
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    ours: Ours,
    #[command(flatten)]
    over: Over,
}

impl Args {
    /// Everything, as `cargo xtask test` wants it.
    pub fn whole(ours: Ours) -> Args {
        Args {
            names: Vec::new(),
            abi: Vec::new(),
            reference: vec![Reference::Mpich, Reference::Openmpi],
            only_ref: false,
            jobs: None,
            verbose: false,
            ours,
            over: Over::NONE,
        }
    }
}

/// The tests of the list whose names contain one of `names`, on one implementation; all without any.
pub fn on(on: &Implementation, names: &[&str], abis: &[Abi], ledger: &mut Ledger) -> Result<()> {
    let args = Args {
        names: names.iter().copied().map(String::from).collect(),
        abi: abis.to_vec(),
        reference: Vec::new(),
        ..Args::whole(Ours::at(&on.prefix))
    };
    select(&args, Some(on.clone()), &[], ledger)
}

pub fn main(args: &Args) -> Result<()> {
    let mut ledger = Ledger::default();
    run(args, &mut ledger)?;
    ledger.close()
}

/// Runs what `args` selects and enters the results.
pub fn run(args: &Args, ledger: &mut Ledger) -> Result<()> {
    let ours = match args.only_ref {
        true => None,
        false => Some(args.over.place(args.ours.prepare()?)?),
    };
    select(args, ours, &peers(args)?, ledger)
}

fn select(
    args: &Args,
    ours: Option<Implementation>,
    peers: &[Implementation],
    ledger: &mut Ledger,
) -> Result<()> {
    setup::debian(setup::COMPILERS)?;
    let list = paths::ctests().join("testlist");
    let tests = testlist::parse(
        &fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?,
    )?;
    let hosts = ours.as_ref().map_or(1, Implementation::hosts);
    let runs: Vec<(&Test, Abi)> = tests
        .iter()
        .filter(|t| args.names.is_empty() || args.names.iter().any(|n| t.name.contains(n)))
        .flat_map(|t| t.abis.iter().map(move |&abi| (t, abi)))
        .filter(|(_, abi)| args.abi.is_empty() || args.abi.contains(abi))
        .filter(|(_, abi)| ours.is_some() || peers.iter().any(|p| p.offers(*abi)))
        .filter(|(test, _)| hosts == 1 || (!test.one_host && test.ranks > 1))
        .collect();
    ensure!(!runs.is_empty(), "no test of the list is selected");

    let packages = runs.iter().flat_map(|(test, _)| &test.needs);
    setup::debian(&packages.map(String::as_str).collect::<Vec<_>>())?;
    let prefix = ours
        .as_ref()
        .map_or_else(PathBuf::new, |o| o.prefix.clone());
    let programs = build(&runs, &prefix, jobs(args))?;
    let less = runs.iter().any(|(test, _)| !test.less.is_empty());
    let less = less.then(less_program).transpose()?;
    let runner = Runner {
        less,
        ours: ours.as_ref(),
        peers,
        verbose: args.verbose,
    };
    let ledger = Mutex::new(ledger);
    in_parallel(&runs, jobs(args), |&(test, abi)| {
        let start = Instant::now();
        let count = match &programs[&key(test, abi)] {
            Ok(program) => runner.test(test, abi, program),
            Err(why) => {
                let mut count = Count::default();
                count.check(false, || format!("does not compile:\n{why}"));
                count
            }
        };
        let what = match hosts {
            1 => format!("{} {} {abi}", test.name, test.ranks),
            _ => format!("{} {} {abi} on {hosts} hosts", test.name, test.ranks),
        };
        if let Ok(mut ledger) = ledger.lock() {
            ledger.enter(&what, &count, start.elapsed().as_secs_f64());
        }
    });
    Ok(())
}

fn jobs(args: &Args) -> usize {
    args.jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from))
        .max(1)
}

fn peers(args: &Args) -> Result<Vec<Implementation>> {
    let mut wanted = args.reference.clone();
    if args.only_ref && wanted.is_empty() {
        wanted = vec![Reference::Mpich, Reference::Openmpi];
    }
    wanted
        .into_iter()
        .map(|reference| {
            Implementation::peer(match reference {
                Reference::Mpich => Peer::Mpich,
                Reference::Openmpi => Peer::Openmpi,
            })
        })
        .collect()
}

/// A program is one source, one ABI and one set of flags.
type Key = (String, String, String);

fn key(test: &Test, abi: Abi) -> Key {
    (test.name.clone(), abi.to_string(), test.cc.join(" "))
}

/// Builds each program once; a compiler's complaint is kept as that program's result.
fn build(
    runs: &[(&Test, Abi)],
    ours: &Path,
    jobs: usize,
) -> Result<HashMap<Key, Result<PathBuf, String>>> {
    let mut wanted: HashMap<Key, (&Test, Abi)> = HashMap::new();
    for &(test, abi) in runs {
        wanted.entry(key(test, abi)).or_insert((test, abi));
    }
    for peer in [Peer::Mpich, Peer::Openmpi] {
        // Fetched once here, not by every thread below.
        peer.fetch()?;
    }
    let wanted: Vec<(Key, (&Test, Abi))> = wanted.into_iter().collect();
    let built = Mutex::new(HashMap::new());
    in_parallel(&wanted, jobs, |(key, (test, abi))| {
        let result = build_one(test, *abi, ours).map_err(|e| format!("{e:#}"));
        if let Ok(mut built) = built.lock() {
            built.insert(key.clone(), result);
        }
    });
    built.into_inner().ok().context("a builder thread panicked")
}

fn build_one(test: &Test, abi: Abi, ours: &Path) -> Result<PathBuf> {
    let source = paths::ctests().join(format!("{}.c", test.name));
    let flags: String = test
        .cc
        .iter()
        .map(|f| f.replace(['/', '=', ' '], "_"))
        .collect();
    let program = paths::work()
        .join("ctests")
        .join(abi.to_string())
        .join(format!("{}{flags}", test.name));
    if let Some(dir) = program.parent() {
        fs::create_dir_all(dir)?;
    }
    implementation::compile(abi, ours, &source, &program)?
        .arg("-I")
        .arg(paths::ctests())
        .args(&test.cc)
        .check()?;
    Ok(program)
}

/// Calls `work` for each item from `jobs` threads.
fn in_parallel<T: Sync>(items: &[T], jobs: usize, work: impl Fn(&T) + Sync) {
    let next = Mutex::new(items.iter());
    let take = || next.lock().ok().and_then(|mut items| items.next());
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            scope.spawn(|| {
                while let Some(item) = take() {
                    work(item);
                }
            });
        }
    });
}

/// Builds the program that takes something from the system before it runs another one.
fn less_program() -> Result<PathBuf> {
    let program = paths::work().join("ctests/less");
    fs::create_dir_all(paths::work().join("ctests"))?;
    Cmd::new("gcc")
        .args(["-std=gnu11", "-O2", "-Wall", "-Werror", "-o"])
        .arg(&program)
        .arg(paths::ctests().join("tools/less.c"))
        .check()?;
    Ok(program)
}

/// Its exit status where the system does not let itself be cut down.
const CANNOT: i32 = 77;

struct Runner<'a> {
    less: Option<PathBuf>,
    ours: Option<&'a Implementation>,
    peers: &'a [Implementation],
    verbose: bool,
}

impl Runner<'_> {
    fn test(&self, test: &Test, abi: Abi, program: &Path) -> Count {
        let mut count = Count::default();
        let mut seen = None;
        if let Some(ours) = self.ours {
            let done = self.launch(test, abi, ours, program);
            if let Ok(done) = &done
                && !test.less.is_empty()
                && done.code() == Some(CANNOT)
            {
                count.skipped += 1;
                count.notes.push(done.tail(1));
                return count;
            }
            count.check(holds(test, &done), || complaint(test, &done, "anympi"));
            seen = done.ok();
        }
        for peer in self
            .peers
            .iter()
            .filter(|p| p.offers(abi) && abi != Abi::Mpi5)
        {
            if !test.reference {
                continue;
            }
            let done = self.launch(test, abi, peer, program);
            let name = peer.which.to_string();
            match (&seen, &done) {
                (None, _) => count.check(holds(test, &done), || complaint(test, &done, &name)),
                (Some(ours), Ok(real)) if holds(test, &done) => {
                    count.check(sorted(ours) == sorted(real), || {
                        format!(
                            "prints other lines than {name}:\n{}",
                            difference(ours, real)
                        )
                    });
                }
                // What the real library does not pass says nothing about ours.
                (Some(_), _) => {
                    count.skipped += 1;
                    count
                        .notes
                        .push(format!("not compared with {name}, which fails it"));
                }
            }
        }
        count
    }

    fn launch(&self, test: &Test, abi: Abi, on: &Implementation, program: &Path) -> Result<Done> {
        let scratch = paths::scratch(&format!(
            "ctests/{}/{}/{abi}-{}",
            on.which, test.name, test.ranks
        ));
        fs::create_dir_all(&scratch)?;
        let mut cmd: Cmd = on
            .yielding(on.mpiexec(test.ranks))
            .args(&test.mpiexec)
            .dir(scratch)
            .limit(test.limit);
        for (name, value) in &test.env {
            cmd = cmd.env(name, value);
        }
        let mut cmd = cmd.arg(program).args(&test.args);
        if let Some(less) = self.less.as_ref().filter(|_| !test.less.is_empty()) {
            let words = test.less.iter().map(String::as_str);
            cmd = cmd.under(less, words.chain(["--"]));
        }
        if self.verbose {
            println!("$ {}", cmd.shown());
        }
        cmd.run()
    }
}

fn holds(test: &Test, done: &Result<Done>) -> bool {
    let Ok(done) = done else { return false };
    match &test.expect {
        Expect::NoErrors => {
            done.ok()
                && done
                    .stdout
                    .lines()
                    .rfind(|l| !l.trim().is_empty())
                    .map(str::trim)
                    == Some("No Errors")
        }
        Expect::Exit(code) => done.code() == Some(*code),
        Expect::Fail => done.status.is_some() && !done.ok(),
        Expect::Stderr(text) => done.status.is_some() && !done.ok() && done.stderr.contains(text),
    }
}

fn complaint(test: &Test, done: &Result<Done>, on: &str) -> String {
    match done {
        Err(error) => format!("{on}: {error:#}"),
        Ok(done) => format!(
            "{on}: {}, expected {:?}\n{}",
            done.cause(),
            test.expect,
            done.tail(15)
        ),
    }
}

/// Ranks write in any order, so only the set of lines can be compared.
fn sorted(done: &Done) -> Vec<&str> {
    let mut lines: Vec<&str> = done.stdout.lines().collect();
    lines.sort_unstable();
    lines
}

fn difference(ours: &Done, real: &Done) -> String {
    let (a, b) = (sorted(ours), sorted(real));
    let only = |x: &[&str], y: &[&str], mark: &str| {
        x.iter()
            .filter(|l| !y.contains(l))
            .take(5)
            .map(|l| format!("{mark} {l}\n"))
            .collect::<String>()
    };
    format!("{}{}", only(&a, &b, "anympi:"), only(&b, &a, "real:"))
}

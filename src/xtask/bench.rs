//! `bench`: the C benchmarks of ctests/bench on anympi and on three peers, interleaved.
//!
//! Each round runs every implementation once, so that what else happens on the machine hits all of them alike;
//! medians over the rounds are compared. A virtual machine may move its processors at any time, and all figures
//! with them: programs of two ranks say how far they were from each other, and only what was measured at one
//! distance is compared. Every program is built for the ABI of the library it runs on (Intel's runs MPICH's
//! binary). It must not know what a benchmark measures: programs print `op bytes ranks usec` (or KiB, where the
//! operation's name says so) and perhaps a distance. The wall time of a launch is taken here. Where our median is
//! above a peer's, a rank test over the runs says whether that is beyond noise.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;

use anyhow::{Result, ensure};

use crate::hosts::Hosts;
use crate::implementation::{self, Abi, Implementation, Ours, Over, Spread, Which};
use crate::paths;
use crate::rank_test;
use crate::record::{self, Origin, Point};
use crate::setup::{self, Peer};
use crate::sh::Cmd;

/// Program (below ctests/bench) and the rank counts it runs at.
const PROGRAMS: &[(&str, &[usize])] = &[
    ("overhead", &[1]),
    ("first", &[2]),
    ("latency", &[2]),
    ("bandwidth", &[2]),
    ("rate", &[2]),
    ("exchange", &[2]),
    ("datatype", &[2]),
    ("threads", &[1, 2]),
    (COLL, &[2, 4, 8]),
    (OVERLAP, &[2]),
    ("idle", &[2]),
    ("spawn", &[1]),
    (STARTUP, &[2, 4]),
];

/// The collectives, and the program that starts and ends: both run at any number of ranks that is asked for.
const COLL: &str = "coll";
const STARTUP: &str = "startup";

/// The program that asks what goes on while the application computes: ours runs it with a progress thread too.
const OVERLAP: &str = "overlap";
/// The column of that.
const THREAD: &str = "+thread";
/// The column of what TCP between hosts does without MPI.
const RAW: &str = "raw";

#[derive(clap::Args)]
pub struct Args {
    /// Which programs (overhead, first, latency, bandwidth, rate, exchange, datatype, threads, coll, overlap, idle, spawn,
    /// startup); all without any.
    names: Vec<String>,
    /// How many times each implementation runs each program.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// What one run of one program may take, in seconds.
    #[arg(long, default_value_t = 4)]
    seconds: u64,
    /// Only these numbers of ranks; coll and startup run at each of them.
    #[arg(long, value_delimiter = ',')]
    ranks: Vec<usize>,
    /// Words handed on to the programs: options such as `-m 65536`, and then a collective's name or sizes.
    #[arg(long, allow_hyphen_values = true, value_delimiter = ' ')]
    words: Vec<String>,
    /// Let the programs run at real-time priority, for clean figures on a busy machine; needs root, and a core
    /// for each rank.
    #[arg(long)]
    real_time: bool,
    /// Patterns of calls, each measured by itself: `steady`, or words joined by `+`. `first`: 10 calls, then 100 that are timed;
    /// `fixed`: rank 0 is always the root; `barrier`: a barrier after each call, which is timed alone; `averaged`: the mean of all
    /// ranks, not the last one; `written`: what is sent is written before each call; `fresh`: other buffers for each call. `usual`
    /// stands for those of common benchmarks and programs.
    #[arg(long, value_delimiter = ',', default_value = STEADY)]
    pattern: Vec<String>,
    /// Keep the launcher and all ranks to the first processor.
    #[arg(long)]
    one_core: bool,
    /// Append the medians to docs/measurements/results.tsv, with the commit and the machine.
    #[arg(long)]
    record: bool,
    /// Measure nothing, and sum up that file: the geometric mean and the greatest of our medians by the best peer's.
    #[arg(long, conflicts_with = "record")]
    report: bool,
    /// Run a busy process beside the ranks, on the first processor.
    #[arg(long)]
    neighbour: bool,
    /// Let our mpiexec give long blocks from memory that other ranks can map.
    #[arg(long)]
    shm_heap: bool,
    /// The ABI that our library is measured through.
    #[arg(long, value_enum, default_value = "mpi5")]
    abi: Abi,
    /// Which implementations.
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["ours", "mpich", "openmpi", "intel"])]
    on: Vec<Which>,
    #[command(flatten)]
    over: Over,
    #[command(flatten)]
    ours: Ours,
}

/// Many calls that follow each other, with roots in turn, buffers that stay, and the time of the last rank.
const STEADY: &str = "steady";
/// What [`USUAL_PATTERNS`] are asked for by.
const USUAL: &str = "usual";
/// What common benchmarks time, and what programs do.
const USUAL_PATTERNS: &[&str] = &[
    STEADY,
    "first+fixed",
    "first+fixed+barrier+averaged",
    "fixed+barrier+averaged",
    "averaged",
    "written",
    "fresh",
];

/// Programs whose calls have patterns; the others are always steady.
const PATTERNED: &[&str] = &["latency", "bandwidth", "exchange", COLL];

/// What is measured: operation, ranks, bytes.
type Key = (String, usize, u64);
/// For each measurement and implementation, its values over the rounds in microseconds.
type Values = BTreeMap<Key, BTreeMap<String, Vec<f64>>>;
/// What was measured in each pattern of calls, at each distance.
type Measured = BTreeMap<(String, Distance), Values>;

/// Nanoseconds that a cache line takes from one of two ranks to the other, a power of two; 0 if that changed while something
/// was measured. `None`: not measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Distance(Option<u32>);

impl Distance {
    const CHANGED: Distance = Distance(Some(0));
}

impl fmt::Display for Distance {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            None => write!(to, "at any distance"),
            _ if *self == Distance::CHANGED => write!(to, "while the processors moved"),
            Some(time) => write!(to, "where a line takes {time} ns"),
        }
    }
}

pub fn main(args: &Args) -> Result<()> {
    let results = paths::root().join("docs/measurements/results.tsv");
    if args.report {
        print!("{}", record::report(&results)?);
        return Ok(());
    }
    ensure!(args.rounds > 0, "at least one round is needed");
    let patterns = patterns(&args.pattern);
    setup::debian(setup::COMPILERS)?;
    let spread = args.over.spread()?;
    let on = implementations(args, spread.as_ref())?;
    println!("the machine's limits:\n{}", limits()?);
    let values = measure(args, &patterns, &on, spread.as_ref())?;
    let mut names: Vec<String> = on.iter().map(|(i, _)| i.which.to_string()).collect();
    let mut all = values.values().flat_map(Values::values);
    if all.any(|by| by.contains_key(THREAD)) {
        names.insert(1, THREAD.to_owned());
    }
    if spread.is_some() {
        names.push(RAW.to_owned());
    }
    let table = tables(&values, &names);
    print!("{table}");
    let (file, runs) = (
        paths::work().join("bench.txt"),
        paths::work().join("bench.tsv"),
    );
    fs::write(&file, &table)?;
    fs::write(&runs, each(&values))?;
    println!("also in {}; each run in {}", file.display(), runs.display());
    if args.record {
        let [commit, machine, command] = [commit()?, machine(), command()];
        let origin = Origin {
            commit: &commit,
            machine: &machine,
            command: &command,
        };
        record::append(&results, &origin, &points(&values))?;
        println!("and the medians in {}", results.display());
    }
    Ok(())
}

/// The commit of the working tree, with a `+` if that has other changes than to the record itself.
fn commit() -> Result<String> {
    let git = |words: &[&str]| -> Result<String> {
        let done = Cmd::new("git")
            .arg("-C")
            .arg(paths::root())
            .args(words)
            .check()?;
        Ok(done.stdout.trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let changed = changed.lines().any(|line| !line.ends_with("results.tsv"));
    Ok(commit + if changed { "+" } else { "" })
}

/// The processors of this machine in words: how many, and what they call themselves.
fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let of = |key: &str| {
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        let mut values = lines.filter(|(name, _)| name.trim() == key);
        values.next().map_or("?", |(_, value)| value.trim())
    };
    let processors = text
        .lines()
        .filter(|line| line.starts_with("processor"))
        .count();
    let kind = ["cpu family", "model", "stepping"].map(of).join("/");
    format!("{processors} x {} ({kind})", of("model name"))
}

/// The words after `cargo xtask`, but for paths, which are this machine's.
fn command() -> String {
    let words = std::env::args().skip(1);
    let words = words.map(|word| match word.contains('/') {
        true => "PATH".to_owned(),
        false => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The medians of all points.
fn points(values: &Measured) -> Vec<Point> {
    let each = values.iter().flat_map(|((pattern, distance), values)| {
        values.iter().map(move |((op, ranks, bytes), by)| Point {
            pattern: pattern.clone(),
            distance: distance.0,
            op: op.clone(),
            ranks: *ranks,
            bytes: *bytes,
            medians: record::WHO.map(|who| by.get(who).map(|values| median(values))),
        })
    });
    each.collect()
}

/// The patterns that are asked for, each once.
fn patterns(asked: &[String]) -> Vec<String> {
    let mut patterns: Vec<String> = Vec::new();
    for word in asked {
        let meant = match word.as_str() {
            USUAL => USUAL_PATTERNS,
            word => &[word],
        };
        for pattern in meant {
            if !patterns.iter().any(|known| known == pattern) {
                patterns.push((*pattern).to_owned());
            }
        }
    }
    patterns
}

/// Each implementation with the ABI that its programs are built for.
fn implementations(args: &Args, spread: Option<&Spread>) -> Result<Vec<(Implementation, Abi)>> {
    args.on
        .iter()
        .map(|which| {
            let (on, abi) = match which {
                Which::Ours => (args.ours.prepare()?, args.abi),
                Which::Mpich => (Implementation::peer(Peer::Mpich)?, Abi::Mpich),
                Which::Openmpi => (Implementation::peer(Peer::Openmpi)?, Abi::Ompi),
                Which::Intel => (Implementation::peer(Peer::Intel)?, Abi::Mpich),
            };
            let on = spread.map_or(on.clone(), |spread| on.over(spread.clone()));
            Ok((on, abi))
        })
        .collect()
}

/// What the machine can do at best, measured by a program without MPI.
fn limits() -> Result<String> {
    Ok(Cmd::new(plain_program("limits")?).check()?.stdout)
}

/// A program without MPI, compiled.
fn plain_program(name: &str) -> Result<PathBuf> {
    let program = paths::work().join("bench").join(name);
    if let Some(dir) = program.parent() {
        fs::create_dir_all(dir)?;
    }
    Cmd::new("gcc")
        .args(["-std=c11", "-O2", "-Wall"])
        .arg(paths::ctests().join(format!("programs/{name}.c")))
        .arg("-o")
        .arg(&program)
        .check()?;
    Ok(program)
}

fn measure(
    args: &Args,
    patterns: &[String],
    on: &[(Implementation, Abi)],
    spread: Option<&Spread>,
) -> Result<Measured> {
    let ours = on
        .iter()
        .find(|(i, _)| i.is_ours())
        .map_or_else(PathBuf::new, |(i, _)| i.prefix.clone());
    if args.one_core {
        stay_on_one_core()?;
    }
    let mut all = Measured::new();
    for (name, ranks) in PROGRAMS {
        if !args.names.is_empty() && !args.names.iter().any(|n| n == name) {
            continue;
        }
        let mut programs = Vec::new();
        for ((_, abi), _) in runs(name, on) {
            let program = paths::work().join(format!("bench/{name}-{abi}"));
            let source = paths::ctests().join(format!("bench/{name}.c"));
            implementation::compile(*abi, &ours, &source, &program)?.check()?;
            programs.push(program);
        }
        let ranks = match args.ranks.is_empty() {
            true => ranks.to_vec(),
            false if [COLL, STARTUP].contains(name) => args.ranks.clone(),
            false => args
                .ranks
                .iter()
                .copied()
                .filter(|n| ranks.contains(n))
                .collect(),
        };
        let steady = [STEADY.to_owned()];
        let patterns = match PATTERNED.contains(name) {
            true => patterns,
            false => &steady,
        };
        for ranks in ranks {
            for (round, pattern) in (0..args.rounds)
                .flat_map(|round| patterns.iter().map(move |pattern| (round, pattern)))
            {
                eprintln!(
                    "{name} at {ranks} ranks, {pattern}, round {} of {}",
                    round + 1,
                    args.rounds
                );
                if let Some(spread) = spread.filter(|_| pattern == STEADY) {
                    for (distance, key, usec) in raw(name, &spread.hosts)? {
                        let by = all.entry((pattern.clone(), distance)).or_default();
                        let by = by.entry(key).or_default();
                        by.entry(RAW.to_owned()).or_default().push(usec);
                    }
                }
                for (((on, _), thread), program) in runs(name, on).zip(&programs) {
                    let _neighbour = args.neighbour.then(Neighbour::start).transpose()?;
                    let cmd = on
                        .mpiexec(ranks)
                        .args((args.shm_heap && on.is_ours()).then_some("--shm-heap"))
                        .args(conditions(args))
                        .arg(program)
                        .args(["-t", &args.seconds.to_string()])
                        .args((pattern != STEADY).then_some("-p"))
                        .args((pattern != STEADY).then_some(pattern))
                        .args(&args.words)
                        .seconds(args.seconds * 4 + 30);
                    let (which, cmd) = match thread {
                        false => (on.which.to_string(), cmd),
                        true => (
                            THREAD.to_owned(),
                            cmd.env("MPI_ANYMPI_PROGRESS_THREAD", "1"),
                        ),
                    };
                    let done = cmd.run()?;
                    if !done.ok() {
                        eprintln!(
                            "{which}: {name} at {ranks} ranks: {}\n{}",
                            done.cause(),
                            done.tail(5)
                        );
                        continue;
                    }
                    let mut enter = |distance, key, usec| {
                        let by = all.entry((pattern.clone(), distance)).or_default();
                        let by: &mut BTreeMap<_, Vec<f64>> = by.entry(key).or_default();
                        by.entry(which.clone()).or_default().push(usec);
                    };
                    for (distance, key, usec) in done.stdout.lines().filter_map(measurement) {
                        // How far processors are apart is not what a network takes.
                        let distance = spread.map_or(distance, |_| Distance(None));
                        enter(distance, key, usec);
                    }
                    if *name == STARTUP {
                        let key = ("launch".to_owned(), ranks, 0);
                        enter(Distance(None), key, done.seconds * 1e6);
                    }
                }
            }
        }
    }
    Ok(all)
}

/// What a program measures, as far as bare TCP between two of the hosts does the same.
fn raw(name: &str, hosts: &Hosts) -> Result<Vec<(Distance, Key, f64)>> {
    if !["latency", "bandwidth"].contains(&name) {
        return Ok(Vec::new());
    }
    let program = plain_program("tcp_limits")?;
    let side = |number, word: &str| {
        let cmd = Cmd::new(&program).args([word, &hosts.address(1).to_string(), "17999"]);
        hosts.on(number, cmd).seconds(60)
    };
    let done = thread::scope(|scope| {
        scope.spawn(|| side(1, "server").run());
        side(2, "client").check()
    })?;
    let lines = done.stdout.lines().filter_map(measurement);
    Ok(lines.filter(|(_, (op, ..), _)| op == name).collect())
}

/// Who runs a program, and whether with a progress thread.
fn runs<'a>(
    name: &str,
    on: &'a [(Implementation, Abi)],
) -> impl Iterator<Item = (&'a (Implementation, Abi), bool)> {
    let twice = name == OVERLAP;
    on.iter().flat_map(move |one| {
        let thread = (twice && one.0.is_ours()).then_some((one, true));
        std::iter::once((one, false)).chain(thread)
    })
}

/// What a program is started by.
fn conditions(args: &Args) -> Vec<&'static str> {
    let mut words = Vec::new();
    if args.real_time {
        words.extend(["chrt", "-f", "50"]);
    }
    words
}

/// Keeps this process, and all that it starts, launchers too, to one core: what only a launcher's child is kept to, that has been
/// bound and shares nothing.
fn stay_on_one_core() -> Result<()> {
    let mut one = nix::sched::CpuSet::new();
    one.set(0)?;
    nix::sched::sched_setaffinity(nix::unistd::Pid::this(), &one)?;
    Ok(())
}

/// A process that uses a processor for nothing, until it is dropped.
struct Neighbour(Child);

impl Neighbour {
    fn start() -> Result<Neighbour> {
        let words = ["-c", "0", "sh", "-c", "while :; do :; done"];
        Ok(Neighbour(Command::new("taskset").args(words).spawn()?))
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        // It has no other end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `op bytes ranks usec`, and the distance.
fn measurement(line: &str) -> Option<(Distance, Key, f64)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (op, bytes, ranks, usec, distance) = match words.as_slice() {
        [op, bytes, ranks, usec] => (op, bytes, ranks, usec, None),
        [op, bytes, ranks, usec, distance] => {
            (op, bytes, ranks, usec, Some(distance.parse().ok()?))
        }
        _ => return None,
    };
    Some((
        Distance(distance),
        ((*op).to_owned(), ranks.parse().ok()?, bytes.parse().ok()?),
        usec.parse().ok()?,
    ))
}

/// The value of each run, for other tools: a line of pattern, ns a line takes (0: changed, -: not measured), operation, ranks, bytes, who, usec.
fn each(values: &Measured) -> String {
    let mut text = "pattern\tdistance\top\tranks\tbytes\twho\tusec\n".to_owned();
    for ((pattern, distance), values) in values {
        let distance = distance.0.map_or_else(|| "-".to_owned(), |d| d.to_string());
        for ((op, ranks, bytes), by) in values {
            for (who, values) in by {
                for usec in values {
                    let _ = writeln!(
                        text,
                        "{pattern}\t{distance}\t{op}\t{ranks}\t{bytes}\t{who}\t{usec}"
                    );
                }
            }
        }
    }
    text
}

/// How our times compare to the peers' at one point.
struct Comparison {
    /// Our median by the best peer's.
    of_medians: f64,
    /// Our fastest run by the fastest of any peer.
    of_fastest: f64,
    verdict: Verdict,
}

/// Whether noise can be what makes us slower than some peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Nothing says that we are slower.
    NotSlower,
    /// Slower than some peer beyond noise: `rank_test`, at `SIGNIFICANCE` divided by the number of peers.
    Slower,
    /// Too few runs for the test ever to say so.
    TooFew,
}

/// Of a hundred points where we are exactly as fast as the best peer, one is called slower.
const SIGNIFICANCE: f64 = 0.01;

/// Comparisons with the peers, by number of ranks.
type Comparisons = BTreeMap<usize, Vec<Comparison>>;

/// A table for each pattern and distance, and the mean of all ratios but those where the distance changed meanwhile.
fn tables(values: &Measured, names: &[String]) -> String {
    let mut text = String::new();
    let mut all = Vec::new();
    for ((pattern, distance), values) in values {
        let _ = writeln!(text, "{pattern}, {distance}:");
        let comparisons = table(values, names, &mut text);
        for (ranks, comparisons) in &comparisons {
            mean(
                &format!(" at {ranks} ranks, {pattern}, {distance}"),
                comparisons,
                &mut text,
            );
        }
        if *distance != Distance::CHANGED {
            all.extend(comparisons.into_values().flatten());
        }
        text.push('\n');
    }
    if !all.is_empty() {
        mean("", &all, &mut text);
    }
    text
}

fn table(values: &Values, names: &[String], text: &mut String) -> Comparisons {
    let _ = write!(text, "{:22} {:>5} {:>9}", "median usec", "ranks", "bytes");
    for name in names {
        let _ = write!(text, " {name:>11}");
    }
    text.push_str("   ours/best peer (of the fastest runs)\n");
    let mut comparisons = Comparisons::new();
    for ((op, ranks, bytes), by) in values {
        let _ = write!(text, "{op:22} {ranks:>5} {bytes:>9}");
        for name in names {
            match by.get(name) {
                Some(values) => _ = write!(text, " {:>11.3}", median(values)),
                None => _ = write!(text, " {:>11}", "-"),
            }
        }
        if let Some(comparison) = compare(by) {
            let Comparison {
                of_medians,
                of_fastest,
                verdict,
            } = comparison;
            let said = match verdict {
                Verdict::NotSlower => "",
                Verdict::Slower => " slower",
                Verdict::TooFew => " too few runs",
            };
            let _ = write!(text, "   {of_medians:.2} ({of_fastest:.2}){said}");
            comparisons.entry(*ranks).or_default().push(comparison);
        }
        text.push('\n');
    }
    comparisons
}

/// `None` where we or all peers have no time, or one of 0.
fn compare(by: &BTreeMap<String, Vec<f64>>) -> Option<Comparison> {
    let ours = Which::Ours.to_string();
    let mine = by.get(&ours)?;
    let peers = || {
        by.iter()
            .filter(|(n, _)| **n != ours && *n != THREAD && *n != RAW)
            .map(|(_, v)| v.as_slice())
    };
    let ratio = |value: fn(&[f64]) -> f64| {
        let ratio = value(mine) / peers().map(value).reduce(f64::min)?;
        (ratio.is_finite() && ratio > 0.0).then_some(ratio)
    };
    Some(Comparison {
        of_medians: ratio(median)?,
        of_fastest: ratio(fastest)?,
        verdict: verdict(mine, &peers().collect::<Vec<_>>()),
    })
}

fn verdict(ours: &[f64], peers: &[&[f64]]) -> Verdict {
    let bound = SIGNIFICANCE / peers.len() as f64;
    let slower = |peer: &&[f64]| rank_test::greater_by_chance(ours, peer) < bound;
    let can_tell = |peer: &&[f64]| rank_test::least(ours.len(), peer.len()) < bound;
    if peers.iter().any(slower) {
        Verdict::Slower
    } else if peers.iter().all(can_tell) {
        Verdict::NotSlower
    } else {
        Verdict::TooFew
    }
}

fn mean(of: &str, comparisons: &[Comparison], text: &mut String) {
    let logarithms: f64 = comparisons.iter().map(|c| c.of_medians.ln()).sum();
    let mean = (logarithms / comparisons.len() as f64).exp();
    let count = comparisons.len();
    let above = comparisons.iter().filter(|c| c.of_medians > 1.0).count();
    let judged = |verdict| comparisons.iter().filter(|c| c.verdict == verdict).count();
    let _ = writeln!(
        text,
        "geometric mean of {count} ratios{of}: {mean:.3}, above 1: {above}, slower beyond noise: {}, too few runs: {}",
        judged(Verdict::Slower),
        judged(Verdict::TooFew),
    );
}

fn fastest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NAN, f64::min)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_compare_medians_with_the_best_peer_at_the_same_distance() {
        let mut values = Measured::new();
        for (distance, who, usec) in [
            ("64", "anympi", 3.0),
            ("64", "anympi", 1.0),
            ("64", "anympi", 2.0),
            ("64", "mpich", 4.0),
            ("64", "mpich", 9.0),
            ("64", "mpich", 3.0),
            ("64", "intel", 8.0),
            ("256", "anympi", 5.0),
            ("0", "mpich", 5.0),
            ("0", "anympi", 500.0),
            ("", "anympi", 5.0),
        ] {
            let line = format!("latency 8 2 {usec} {distance}");
            let (distance, key, usec) = measurement(&line).unwrap();
            let by = values.entry((STEADY.to_owned(), distance)).or_default();
            let by = by.entry(key).or_default();
            by.entry(who.to_owned()).or_default().push(usec);
        }
        let text = tables(&values, &["anympi".to_owned(), "mpich".to_owned()]);
        assert!(
            text.contains("2.000       4.000   0.50 (0.33) too few runs\n"),
            "{text}"
        );
        assert!(text.contains("5.000           -\n"), "{text}");
        for distance in [
            "steady, at any distance:\n",
            "steady, while the processors moved:\n",
            "steady, where a line takes 64 ns:\n",
            "steady, where a line takes 256 ns:\n",
        ] {
            assert!(text.contains(distance), "{text}");
        }
        assert!(
            text.ends_with("geometric mean of 1 ratios: 0.500, above 1: 0, slower beyond noise: 0, too few runs: 1\n"),
            "{text}"
        );
        assert!(
            each(&values).contains("steady\t64\tlatency\t2\t8\tmpich\t9\n"),
            "{}",
            each(&values)
        );
        assert!(measurement("a warning of 4").is_none());
        assert!(measurement("a 1 2 3.5 warning").is_none());
    }

    #[test]
    fn each_pattern_is_measured_once() {
        let asked = ["written", USUAL, "fixed", "written"].map(str::to_owned);
        let patterns = patterns(&asked);
        assert_eq!(patterns.len(), USUAL_PATTERNS.len() + 1);
        assert_eq!((&*patterns[0], &*patterns[1]), ("written", STEADY));
    }

    #[test]
    fn slower_is_what_noise_cannot_explain() {
        let about = |center: f64| [0.98, 0.99, 1.0, 1.01, 1.02, 1.03, 0.97].map(|f| center * f);
        let (ours, alike, faster) = (about(10.05), about(10.0), about(8.0));
        assert_eq!(verdict(&ours, &[&alike]), Verdict::NotSlower);
        assert_eq!(verdict(&ours, &[&alike, &faster]), Verdict::Slower);
        assert_eq!(verdict(&faster, &[&ours, &alike]), Verdict::NotSlower);
        // Three of three slower happens by chance once in twenty.
        assert_eq!(verdict(&ours[..3], &[&faster[..3]]), Verdict::TooFew);
        assert_eq!(verdict(&ours, &[&faster, &alike[..1]]), Verdict::Slower);
        assert_eq!(verdict(&ours, &[&alike, &alike[..1]]), Verdict::TooFew);
    }
}

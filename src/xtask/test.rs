//! `test`: everything that CI checks, in the order in which a mistake shows soonest.
//!
//! Format and lints, generated files, Rust tests, loom, then an installed release: its gates, the C tests
//! under three ABIs beside the real libraries, and the short list of real programs. A step that fails
//! does not stop the others. It must not know how a step works, only how it is asked for.

use std::time::Instant;

use anyhow::{Context, Result};

use crate::ctest;
use crate::r#gen;
use crate::implementation::Ours;
use crate::install::Profile;
use crate::paths;
use crate::report::{Count, Ledger};
use crate::sh::{Cmd, Done};
use crate::suites;

#[derive(clap::Args)]
pub struct Args {
    /// What the C tests and real programs run on.
    #[arg(long, value_enum, default_value_t)]
    profile: Profile,
    /// Only the Rust side: format, lints, generated files, Rust tests.
    #[arg(long)]
    rust: bool,
}

pub fn main(args: &Args) -> Result<()> {
    let start = Instant::now();
    let mut ledger = Ledger::default();
    step(
        &mut ledger,
        "format",
        &cargo(&["fmt", "--all", "--check"]),
        one,
    )?;
    let clippy = [
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    step(&mut ledger, "lints", &cargo(&clippy), one)?;
    called(&mut ledger, "generated files", || {
        r#gen::main(&r#gen::Args::check())
    });
    rust_tests(&mut ledger)?;
    step(&mut ledger, "loom", &loom(), libtest)?;
    if !args.rust {
        installed(args.profile, &mut ledger)?;
    }
    println!("all of it took {:.0} s", start.elapsed().as_secs_f64());
    ledger.close()
}

fn rust_tests(ledger: &mut Ledger) -> Result<()> {
    // nextest runs each test in a process of its own, several at a time.
    if cargo(&["nextest", "--version"])
        .run()
        .is_ok_and(|done| done.ok())
    {
        let args = [
            "nextest",
            "run",
            "--locked",
            "--workspace",
            "--no-fail-fast",
            "--color=never",
        ];
        step(ledger, "Rust tests", &cargo(&args), nextest)
    } else {
        let args = [
            "test",
            "--locked",
            "--workspace",
            "--no-fail-fast",
            "--color=never",
        ];
        step(ledger, "Rust tests", &cargo(&args), libtest)
    }
}

/// The lock-free rings under loom, which tries every interleaving. Built apart: the flag changes all.
fn loom() -> Cmd {
    cargo(&[
        "test",
        "--locked",
        "-p",
        "anympi-core",
        "--lib",
        "loom_tests",
    ])
    .env("RUSTFLAGS", "--cfg loom")
    .env("CARGO_TARGET_DIR", paths::target().join("loom"))
}

/// What needs an installed anympi.
fn installed(profile: Profile, ledger: &mut Ledger) -> Result<()> {
    let mut on = None;
    called(ledger, "install", || {
        on = Some(Ours::new(profile).prepare()?);
        Ok(())
    });
    let Some(on) = on else { return Ok(()) };

    let prefix = on.prefix.display().to_string();
    step(
        ledger,
        "gates",
        &xtask(&["gates", "--prefix", &prefix])?,
        totals,
    )?;
    let ran = ctest::run(&ctest::Args::whole(Ours::at(&on.prefix)), ledger);
    called(ledger, "C tests started", || ran);
    let ran = suites::short(on, ledger);
    called(ledger, "suites started", || ran);
    Ok(())
}

/// A step that is a function of this program: one check.
fn called(ledger: &mut Ledger, name: &str, work: impl FnOnce() -> Result<()>) {
    let start = Instant::now();
    let result = work();
    let mut count = Count::default();
    count.check(result.is_ok(), || {
        result.err().map(|e| format!("{e:#}")).unwrap_or_default()
    });
    ledger.enter(name, &count, start.elapsed().as_secs_f64());
}

/// Runs one command as a step; `judge` turns its output into counts.
fn step(ledger: &mut Ledger, name: &str, cmd: &Cmd, judge: fn(&Done) -> Count) -> Result<()> {
    println!("$ {}", cmd.shown());
    let done = cmd.clone().dir(paths::root()).seconds(900).run()?;
    let mut count = judge(&done);
    if count.failed == 0 && (!done.ok() || count.passed == 0) {
        count.failed = 1;
    }
    if !done.ok() {
        count
            .notes
            .push(format!("{}\n{}", done.cause(), done.tail(60)));
    }
    ledger.enter(name, &count, done.seconds);
    Ok(())
}

/// A command that is one check.
fn one(done: &Done) -> Count {
    Count {
        passed: usize::from(done.ok()),
        ..Count::default()
    }
}

/// The closing line `N passed, N failed, N skipped` of another subcommand of this program.
fn totals(done: &Done) -> Count {
    let mut count = Count::default();
    let line = done.stdout.lines().rfind(|l| l.contains(" passed, "));
    add_counts(&mut count, line.unwrap_or_default(), ',');
    count
}

/// The line `Summary [ 1.2s] 12 tests run: 11 passed, 1 failed, 2 skipped` of nextest.
fn nextest(done: &Done) -> Count {
    let line = done
        .stderr
        .lines()
        .rfind(|l| l.contains("tests run:") || l.contains("test run:"));
    let rest = line
        .and_then(|l| l.split_once("run:"))
        .map_or("", |(_, rest)| rest);
    let mut count = Count::default();
    add_counts(&mut count, rest, ',');
    count
}

/// The lines `test result: ok. 5 passed; 0 failed; 1 ignored; ...` of the standard test runner.
fn libtest(done: &Done) -> Count {
    let mut count = Count::default();
    for line in done.stdout.lines() {
        if let Some((_, rest)) = line
            .strip_prefix("test result: ")
            .and_then(|l| l.split_once(". "))
        {
            add_counts(&mut count, rest, ';');
        }
    }
    count
}

fn add_counts(count: &mut Count, text: &str, separator: char) {
    for part in text.split(separator) {
        let mut words = part.split_whitespace();
        let number = words
            .next()
            .and_then(|n| n.parse::<usize>().ok())
            .unwrap_or(0);
        match words.next() {
            Some("passed") => count.passed += number,
            Some("failed") | Some("timed") => count.failed += number,
            Some("skipped") | Some("ignored") => count.skipped += number,
            _ => {}
        }
    }
}

fn cargo(args: &[&str]) -> Cmd {
    Cmd::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())).args(args)
}

/// Another subcommand of this program, so that its output and its end can be judged like any other's.
fn xtask(args: &[&str]) -> Result<Cmd> {
    Ok(
        Cmd::new(std::env::current_exe().context("cannot find this program's own file")?)
            .args(args),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_runners_are_understood() {
        let mut count = Count::default();
        add_counts(&mut count, " 12 passed (1 slow), 1 failed, 2 skipped", ',');
        add_counts(
            &mut count,
            "5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out",
            ';',
        );
        assert_eq!((count.passed, count.failed, count.skipped), (17, 1, 3));
    }
}

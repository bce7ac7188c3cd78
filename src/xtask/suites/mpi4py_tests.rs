//! mpi4py's whole test suite, one test module at a time, at 1 to 5 ranks in three variants.
//!
//! A module that crashes or hangs costs only its own tests that way, and is counted as one failure
//! more. Every rank writes its report to a file of its own: a shared standard error would mix them.
//! A test failed if it failed on any rank. Failures are printed by cause, with examples; the full
//! list stays in the scratch folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Runs;
use super::mpi4py::Variant;
use crate::report::Count;
use crate::setup;
use crate::sh::Done;

/// Seconds of wall time that one module may take for each of its ranks, and the least. The slowest computes
/// for 20 s in Python on every rank, whatever the library.
const LIMIT_PER_RANK: u64 = 60;
const LIMIT: u64 = 120;
/// Test modules of the short list: the calls of every program, a few seconds each.
const SHORT: &[&str] = &[
    "test_comm",
    "test_group",
    "test_p2p_buf",
    "test_p2p_obj",
    "test_cco_buf",
    "test_cco_obj",
    "test_request",
    "test_datatype",
    "test_op",
];
/// Tests whose expectation is not MPI-5.0's, and why. They count as skipped while they fail.
const EXPECTED: &[(Variant, &str, &str)] = &[(
    Variant::Openmpi,
    "test_datatype.TestDatatype.testContiguousBigMPI",
    "takes a library that reports MPI 3.1 for one without MPI_Type_contiguous_c and expects a STRUCT; \
     ours has it, so the combiner is CONTIGUOUS (MPI-5.0, 5.1.13)",
)];
/// Tests that fail because of something that is not built: all whose names begin so, what they need, and the
/// variants in which they do. They count as skipped while one of them fails.
const NEEDS: &[(&str, &str, &[Variant])] = &[
    ("test_errhandler.TestErrhandlerFile.", "MPI_File_open", ALL),
    ("test_msgspec.TestMessageRMA.", "MPI_Win_create", ALL),
    (
        "test_objmodel.TestObjModel.testSafeFreeCreated",
        "MPI_File_open",
        ALL,
    ),
    ("test_util_sync.TestSequential", "MPI_Win_allocate", ALL),
    // These modules open a file when they are loaded.
    (
        "unittest.loader._FailedTest.test_file",
        "MPI_File_open",
        ALL,
    ),
    ("unittest.loader._FailedTest.test_io", "MPI_File_open", ALL),
    (
        "unittest.loader._FailedTest.test_subclass",
        "MPI_File_open",
        ALL,
    ),
    (
        "test_win.TestWinNull.testGetName",
        "MPI_Win_get_name",
        &[Variant::Standard, Variant::Mpich],
    ),
    // In the other variants mpi4py makes do without these calls.
    (
        "test_ulfm.",
        "MPIX_Comm_agree and its like",
        &[Variant::Openmpi],
    ),
];
const ALL: &[Variant] = &[Variant::Standard, Variant::Mpich, Variant::Openmpi];
/// Examples printed for each cause.
const EXAMPLES: usize = 3;

pub fn run(runs: &mut Runs) -> Result<()> {
    let source = setup::mpi4py_tests()?;
    let modules = modules(&source.join("test"), runs)?;
    let ranks = runs.ranks(if runs.short { &[2] } else { &[1, 2, 3, 4, 5] });
    for variant in [Variant::Standard, Variant::Mpich, Variant::Openmpi] {
        if !variant.runs_on(runs) {
            continue;
        }
        for &ranks in &ranks {
            let mut all = Report::default();
            let mut seconds = 0.0;
            let folder = runs.scratch(&format!("mpi4py-tests/{}-{ranks}", variant.name()))?;
            for module in &modules {
                let (report, took) = module_run(runs, variant, ranks, &source, module, &folder)?;
                all.merge(report);
                seconds += took;
            }
            all.expect(variant);
            if runs.on.is_ours() {
                all.expect_unbuilt(variant);
            }
            fs::write(folder.join("failures.txt"), all.listing())?;
            runs.enter("mpi4py-tests", ranks, variant.name(), &all.count(), seconds);
        }
    }
    Ok(())
}

fn modules(tests: &Path, runs: &Runs) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(tests).with_context(|| format!("no tests in {}", tests.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(".py")
            && name.starts_with("test_")
        {
            names.push(name.to_owned());
        }
    }
    names.retain(|name| {
        if runs.only.is_empty() {
            !runs.short || SHORT.contains(&name.as_str())
        } else {
            runs.only
                .iter()
                .any(|only| name == only || name.strip_prefix("test_") == Some(only.as_str()))
        }
    });
    names.sort();
    Ok(names)
}

fn module_run(
    runs: &Runs,
    variant: Variant,
    ranks: usize,
    source: &Path,
    module: &str,
    folder: &Path,
) -> Result<(Report, f64)> {
    let files = folder.join(module);
    // Each rank finds its number in what its launcher exports.
    let script = "exec \"$@\" 2>\"$REPORTS.${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-${RANK:-0}}}\"";
    let done = variant
        .mpiexec(runs, ranks)
        .args(["sh", "-c", script, "sh"])
        .arg(variant.python(&runs.on.prefix)?)
        .arg("test/main.py")
        .args(["-v", "--no-builddir", "-i", &format!("{module}[.]py$")])
        .env("REPORTS", &files)
        .dir(source)
        .seconds(LIMIT.max(LIMIT_PER_RANK * ranks as u64))
        .run()?;
    let mut report = Report::default();
    for rank in 0..ranks {
        let text = fs::read(format!("{}.{rank}", files.display())).unwrap_or_default();
        report.rank(&String::from_utf8_lossy(&text));
    }
    report.end(module, &done);
    Ok((report, done.seconds))
}

/// What the test reports of all ranks said.
#[derive(Debug, Default)]
struct Report {
    ran: BTreeSet<String>,
    skipped: BTreeSet<String>,
    /// What is not built, and the tests that failed for want of it.
    wants: BTreeMap<&'static str, Vec<String>>,
    /// Test (or subtest's test) and why it failed.
    failed: BTreeMap<String, String>,
    /// Module and how it ended, for those that did not end well although no test says so.
    crashed: BTreeMap<String, String>,
}

impl Report {
    /// Reads one rank's report, written by unittest's verbose runner.
    fn rank(&mut self, text: &str) {
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some((test, verdict)) = line.split_once(" ... ") {
                let test = test_of(test);
                if verdict.contains("skipped") {
                    self.skipped.insert(test.clone());
                }
                self.ran.insert(test);
            } else if let Some(test) = line
                .strip_prefix("FAIL: ")
                .or_else(|| line.strip_prefix("ERROR: "))
            {
                let mut cause = String::new();
                while let Some(next) =
                    lines.next_if(|l| !l.starts_with("=====") && !l.starts_with("Ran "))
                {
                    // The exception is the last line that is not indented.
                    if !next.is_empty() && !next.starts_with([' ', '-']) {
                        cause = next.to_owned();
                    }
                }
                self.failed.entry(test_of(test)).or_insert(cause);
            }
        }
    }

    fn end(&mut self, module: &str, done: &Done) {
        if (!done.ok() && self.failed.is_empty()) || self.ran.is_empty() {
            self.crashed.insert(
                module.to_owned(),
                format!("{}\n{}", done.cause(), done.tail(6)),
            );
        }
    }

    fn merge(&mut self, other: Report) {
        self.ran.extend(other.ran);
        self.skipped.extend(other.skipped);
        self.failed.extend(other.failed);
        self.crashed.extend(other.crashed);
    }

    /// Takes the expected failures out; one that passes now is a failure of the list.
    fn expect(&mut self, variant: Variant) {
        for (_, test, _) in EXPECTED.iter().filter(|(of, _, _)| *of == variant) {
            if self.failed.remove(*test).is_some() {
                self.skipped.insert((*test).to_owned());
            } else if self.ran.contains(*test) && !self.skipped.contains(*test) {
                let why = "passes, although it is listed as an expected failure";
                self.failed.insert((*test).to_owned(), why.to_owned());
            }
        }
    }

    /// Takes out the failures for want of something; a want that nobody has any more is a failure of the list.
    fn expect_unbuilt(&mut self, variant: Variant) {
        for (prefix, what, variants) in NEEDS {
            if !variants.contains(&variant) {
                continue;
            }
            let of = |test: &&String| test.starts_with(prefix);
            if !self.ran.iter().any(|test| of(&test)) {
                continue;
            }
            let failed: Vec<String> = self
                .failed
                .iter()
                .filter(|(test, cause)| of(test) && cause.contains("MPI_ERR_UNSUPPORTED_OPERATION"))
                .map(|(test, _)| test.clone())
                .collect();
            if failed.is_empty() {
                let why = format!("passes, although it is listed as in need of {what}");
                self.failed.insert((*prefix).to_owned(), why);
            }
            for test in failed {
                self.failed.remove(&test);
                self.wants.entry(what).or_default().push(test.clone());
                self.skipped.insert(test);
            }
        }
    }

    fn count(&self) -> Count {
        let mut count = Count::default();
        count.failed = self.failed.len() + self.crashed.len();
        count.skipped = self
            .skipped
            .iter()
            .filter(|t| !self.failed.contains_key(*t))
            .count();
        let neither = |t: &&String| !self.failed.contains_key(*t) && !self.skipped.contains(*t);
        count.passed = self.ran.iter().filter(neither).count();
        for (what, tests) in &self.wants {
            count
                .notes
                .push(format!("{} x skipped for want of {what}", tests.len()));
        }
        for (module, how) in &self.crashed {
            count.notes.push(format!("{module} as a whole: {how}"));
        }
        let mut causes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (test, cause) in &self.failed {
            causes.entry(cause).or_default().push(test);
        }
        let mut causes: Vec<_> = causes.into_iter().collect();
        causes.sort_by_key(|(_, tests)| std::cmp::Reverse(tests.len()));
        for (cause, tests) in causes {
            let examples = tests[..tests.len().min(EXAMPLES)].join(", ");
            count
                .notes
                .push(format!("{} x {cause}: {examples}", tests.len()));
        }
        count
    }

    fn listing(&self) -> String {
        let mut text = String::new();
        for (what, how) in self.crashed.iter().chain(&self.failed) {
            let _ = writeln!(text, "{what}: {how}");
        }
        text
    }
}

/// `testX (module.Class.testX)` without the doubled name and the parameters of a subtest.
fn test_of(text: &str) -> String {
    match text
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'))
    {
        Some((full, _)) => full.to_owned(),
        None => text.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_two_ranks_are_joined() {
        let first = "[0@host] MPI 5.0\n\
            testA (test_x.TestX.testA) ... ok\n\
            testB (test_x.TestX.testB) ... skipped 'no'\n\
            testC (test_x.TestX.testC) ... ok\n\
            \n----------\nRan 3 tests in 0.1s\n\nOK (skipped=1)\n";
        let second = "testA (test_x.TestX.testA) ... ok\n\
            testC (test_x.TestX.testC) ... ERROR\n\n\
            ======================================\n\
            ERROR: testC (test_x.TestX.testC) (count=3)\n\
            --------------------------------------\n\
            Traceback (most recent call last):\n  File \"x.py\", line 3, in testC\n    call()\n\
            mpi4py.MPI.Exception: MPI_ERR_COMM: why\n\n\
            --------------------------------------\nRan 3 tests in 0.1s\n\nFAILED (errors=1)\n";
        let mut report = Report::default();
        report.rank(first);
        report.rank(second);
        let count = report.count();
        assert_eq!((count.passed, count.failed, count.skipped), (1, 1, 1));
        assert_eq!(
            count.notes,
            ["1 x mpi4py.MPI.Exception: MPI_ERR_COMM: why: test_x.TestX.testC"]
        );
    }
}

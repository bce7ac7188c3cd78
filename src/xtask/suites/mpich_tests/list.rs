//! The format of MPICH's `testlist` files, and how a run is judged: what its script `runtests` does.
//!
//! One run a line: `PROGRAM RANKS [KEY=VALUE ...]`, `#` starts a comment. The tests count as those of a foreign MPI
//! (strict mode). So `xfail=`, which names MPICH's own known failures, is not looked at, and neither is
//! `strict=false`: such a test is run, and whether it may fail is for our own list to say.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::sh::Done;

/// Time limit of a run that names none.
const LIMIT: Duration = Duration::from_secs(180);
/// Limit of the runs marked `init=InitQuickTimeout`.
const QUICK: Duration = Duration::from_secs(10);

/// What must be seen when a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Exit status 0; the line `No Errors` at least once, and no other output.
    NoErrors,
    /// Any exit status but 0, whatever is written (`TestStatus`, `TestErrFatal`).
    Failure,
    /// Any exit status but 0; `No Errors`, and no other output.
    FailureNoErrors,
}

/// One line of a list.
#[derive(Clone, Debug)]
pub struct Line {
    /// Folder and program, as in `errors/coll/rerr`.
    pub test: String,
    pub ranks: usize,
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
    pub mpiexec: Vec<String>,
    pub limit: Duration,
    /// GiB of memory that the run needs.
    pub memory: f64,
    wanted: Wanted,
}

impl Line {
    pub fn folder(&self) -> &str {
        self.test.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    pub fn program(&self) -> &str {
        self.test.rsplit('/').next().unwrap_or(&self.test)
    }

    /// What the run is, in the words of the list.
    pub fn shown(&self) -> String {
        let mut shown = format!("{} {}", self.test, self.ranks);
        for arg in &self.args {
            shown.push_str(&format!(" {arg}"));
        }
        for (name, value) in &self.env {
            shown.push_str(&format!(" {name}={value}"));
        }
        shown
    }

    /// What is wrong with how a run ended; nothing if it passed.
    pub fn complaint(&self, done: &Done) -> Option<String> {
        if done.status.is_none() {
            return Some(done.cause());
        }
        if done.ok() != (self.wanted == Wanted::NoErrors) {
            return Some(done.cause());
        }
        if self.wanted == Wanted::Failure {
            return None;
        }
        let lines = || {
            done.stdout
                .lines()
                .chain(done.stderr.lines())
                .map(str::trim)
        };
        let good = |line: &str| line == "No Errors" || line == "No errors";
        if let Some(line) = lines().find(|l| !good(l) && *l != "Test Passed") {
            return Some(format!("unexpected output {line:?}"));
        }
        (!lines().any(good)).then(|| "no line `No Errors`".to_owned())
    }
}

/// Reads the list of one folder.
pub fn parse(folder: &str, text: &str) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let words: Vec<&str> = line
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        // A line of one word is a folder with a list of its own, which the caller names itself.
        if let [program, ranks, options @ ..] = words.as_slice() {
            lines.push(
                one(folder, program, ranks, options)
                    .with_context(|| format!("{folder}/testlist line {}: {line}", index + 1))?,
            );
        }
    }
    Ok(lines)
}

fn one(folder: &str, program: &str, ranks: &str, options: &[&str]) -> Result<Line> {
    let mut line = Line {
        test: format!("{folder}/{program}"),
        ranks: ranks.parse().context("the number of ranks")?,
        args: Vec::new(),
        env: Vec::new(),
        mpiexec: Vec::new(),
        limit: LIMIT,
        memory: 0.0,
        wanted: Wanted::NoErrors,
    };
    for option in options {
        // The original skips such words too.
        let Some((key, value)) = option.split_once('=') else {
            continue;
        };
        match key {
            "arg" => line.args.push(value.to_owned()),
            "env" => {
                let (name, value) = value.split_once('=').context("env= without a value")?;
                line.env.push((name.to_owned(), value.to_owned()));
            }
            "mpiexecarg" => line.mpiexec.push(value.to_owned()),
            "timeLimit" => line.limit = Duration::from_secs(value.parse()?),
            "init" => line.limit = QUICK,
            "mem" => line.memory = value.parse()?,
            "resultTest" => {
                line.wanted = match value {
                    "TestStatus" | "TestErrFatal" => Wanted::Failure,
                    "TestStatusNoErrors" => Wanted::FailureNoErrors,
                    _ => bail!("resultTest {value} is unknown"),
                }
            }
            "xfail" | "strict" | "mpiversion" | "lock" | "mpix" => {}
            _ => bail!("key {key} is unknown"),
        }
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sh::Cmd;

    fn parsed(text: &str) -> Line {
        parse("errors/coll", text).unwrap().remove(0)
    }

    fn ends(script: &str) -> Done {
        Cmd::new("sh").args(["-c", script]).run().unwrap()
    }

    #[test]
    fn a_line_is_read_with_its_options() {
        let line = parsed(
            "x 4 path/x arg=-n=1 arg=2 env=K=a=b timeLimit=30 mem=1.4 xfail=t mpiexecarg=-q # no",
        );
        assert_eq!((line.folder(), line.program()), ("errors/coll", "x"));
        assert_eq!(line.shown(), "errors/coll/x 4 -n=1 2 K=a=b");
        assert_eq!((line.limit.as_secs(), line.memory), (30, 1.4));
        assert_eq!(line.mpiexec, ["-q"]);
        assert!(parse("a", "# nothing\n\nfolder\n").unwrap().is_empty());
        assert!(parse("a", "x 2 what=1").is_err());
    }

    #[test]
    fn no_errors_and_nothing_else() {
        let line = parsed("x 1");
        assert_eq!(line.complaint(&ends("echo ' No Errors'")), None);
        assert!(line.complaint(&ends("echo more; echo No Errors")).is_some());
        assert!(line.complaint(&ends("echo No Errors; exit 1")).is_some());
        assert!(line.complaint(&ends("true")).is_some());
    }

    #[test]
    fn a_run_that_must_fail() {
        let line = parsed("x 1 resultTest=TestErrFatal");
        assert_eq!(line.complaint(&ends("echo cause >&2; exit 3")), None);
        assert!(line.complaint(&ends("echo No Errors")).is_some());
        let both = parsed("x 1 resultTest=TestStatusNoErrors");
        assert_eq!(both.complaint(&ends("echo No Errors; exit 3")), None);
        assert!(both.complaint(&ends("echo cause; exit 3")).is_some());
    }
}

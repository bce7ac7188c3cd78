//! The format of `ctests/testlist`: which C program runs with how many ranks, and what is expected.
//!
//! One test a line: `NAME RANKS [KEY=VALUE ...]`, quoting as in a shell, `#` starts a comment. NAME is
//! the source below `ctests/` without `.c`. Keys (all may be left out; `env`, `args`, `mpiexec`,
//! `cc`, `needs` and `less` may be repeated):
//!   env=K=V  args=A,B  mpiexec=A,B (before the program)  cc=FLAG  timeout=SECONDS
//!   less=WORD,WORD (runs launcher and program with less than the system gives: ctests/tools/less.c)
//!   needs=PACKAGE (Debian's, of what `mpiexec=` puts before the program)
//!   abi=mpi5,mpich,ompi (where it runs; all without it)  ref=no (a peer is no judge of it)
//!   hosts=one (the program is right only where all ranks share a host)
//!   expect=exit:N | expect=stderr:TEXT | expect=fail (in place of a last line `No Errors` and exit 0)

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::implementation::Abi;

/// What must be seen when a test ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Exit status 0 and a last line `No Errors`.
    NoErrors,
    /// This exit status.
    Exit(i32),
    /// Any exit status but 0, before the deadline.
    Fail,
    /// Any exit status but 0, and this text on standard error.
    Stderr(String),
}

/// One line of the list.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    pub ranks: usize,
    pub env: Vec<(String, String)>,
    pub args: Vec<String>,
    pub mpiexec: Vec<String>,
    pub cc: Vec<String>,
    /// What is taken from the system, in the words of `less`.
    pub less: Vec<String>,
    /// Debian packages.
    pub needs: Vec<String>,
    pub limit: Duration,
    pub abis: Vec<Abi>,
    /// Whether the real libraries must behave the same.
    pub reference: bool,
    /// Whether it is right only where all ranks share a host.
    pub one_host: bool,
    pub expect: Expect,
}

const LIMIT: Duration = Duration::from_secs(60);

/// Reads a whole list.
pub fn parse(text: &str) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let words = shell_words::split(line.split_once('#').map_or(line, |(before, _)| before))
            .with_context(|| format!("testlist line {}: {line}", index + 1))?;
        if !words.is_empty() {
            tests.push(
                test(&words).with_context(|| format!("testlist line {}: {line}", index + 1))?,
            );
        }
    }
    Ok(tests)
}

fn test(words: &[String]) -> Result<Test> {
    let [name, ranks, keys @ ..] = words else {
        bail!("a line is NAME RANKS [KEY=VALUE ...]");
    };
    let mut test = Test {
        name: name.clone(),
        ranks: ranks
            .parse()
            .with_context(|| format!("{ranks:?} is no number of ranks"))?,
        env: Vec::new(),
        args: Vec::new(),
        mpiexec: Vec::new(),
        cc: Vec::new(),
        less: Vec::new(),
        needs: Vec::new(),
        limit: LIMIT,
        abis: Abi::ALL.to_vec(),
        reference: true,
        one_host: false,
        expect: Expect::NoErrors,
    };
    ensure!(test.ranks > 0, "at least one rank is needed");
    for key in keys {
        let (key, value) = key
            .split_once('=')
            .with_context(|| format!("{key:?} is not KEY=VALUE"))?;
        match key {
            "env" => {
                let (k, v) = value.split_once('=').context("env= wants NAME=VALUE")?;
                test.env.push((k.to_owned(), v.to_owned()));
            }
            "args" => test.args.extend(value.split(',').map(str::to_owned)),
            "mpiexec" => test.mpiexec.extend(value.split(',').map(str::to_owned)),
            "cc" => test.cc.push(value.to_owned()),
            "less" => test.less.extend(value.split(',').map(str::to_owned)),
            "needs" => test.needs.push(value.to_owned()),
            "timeout" => {
                test.limit = Duration::from_secs(value.parse().context("timeout= wants seconds")?)
            }
            "abi" => test.abis = value.split(',').map(abi).collect::<Result<_>>()?,
            "ref" if value == "no" => test.reference = false,
            "hosts" if value == "one" => test.one_host = true,
            "expect" => test.expect = expect(value)?,
            _ => bail!("unknown key {key}={value}"),
        }
    }
    Ok(test)
}

fn abi(word: &str) -> Result<Abi> {
    Abi::ALL
        .into_iter()
        .find(|abi| abi.to_string() == word)
        .with_context(|| format!("unknown ABI {word:?}: mpi5, mpich or ompi"))
}

fn expect(value: &str) -> Result<Expect> {
    Ok(match value.split_once(':') {
        None if value == "fail" => Expect::Fail,
        Some(("exit", code)) => Expect::Exit(code.parse().context("expect=exit: wants a number")?),
        Some(("stderr", text)) => Expect::Stderr(text.to_owned()),
        _ => bail!("unknown expect={value}: exit:N, stderr:TEXT or fail"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_line_is_understood() {
        let text = "# comment\n\npt2pt/order 3 env=A=b=c args=-x,3 'expect=stderr:no such rank' abi=mpi5,ompi \
            ref=no hosts=one timeout=5 needs=tool less=x,y # why\nplain 1\n";
        let tests = parse(text).unwrap();
        assert_eq!(tests.len(), 2);
        let first = &tests[0];
        assert_eq!((first.name.as_str(), first.ranks), ("pt2pt/order", 3));
        assert_eq!(first.env, [("A".to_owned(), "b=c".to_owned())]);
        assert_eq!(first.args, ["-x", "3"]);
        assert_eq!(first.needs, ["tool"]);
        assert_eq!(first.less, ["x", "y"]);
        assert_eq!(first.abis, [Abi::Mpi5, Abi::Ompi]);
        assert_eq!(first.expect, Expect::Stderr("no such rank".to_owned()));
        assert_eq!(
            (first.reference, first.one_host, first.limit),
            (false, true, Duration::from_secs(5))
        );
        assert_eq!(
            (tests[1].reference, tests[1].one_host, &tests[1].expect),
            (true, false, &Expect::NoErrors)
        );
    }

    #[test]
    fn mistakes_name_their_line() {
        for wrong in [
            "lonely",
            "x zero",
            "x 0",
            "x 1 what=ever",
            "x 1 abi=lam",
            "x 1 expect=exit:x",
        ] {
            let error = parse(&format!("fine 1\n{wrong}\n")).unwrap_err();
            assert!(error.to_string().contains("line 2"), "{error}");
        }
    }
}

//! The list of MPICH's tests that may fail here, each with its reason: `ctests/mpich-tests.expected`.
//!
//! One entry a line: `ABIS TEST RANKS SECTION REASON`. An entry whose test passes is a mistake of the list.

use std::fs;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;

use super::list::Line;
use crate::implementation::Abi;
use crate::paths;

struct Entry {
    /// Empty for all.
    abis: Vec<Abi>,
    test: String,
    /// None for all.
    ranks: Option<usize>,
    why: String,
}

/// All entries.
pub struct Expected(Vec<Entry>);

impl Expected {
    pub fn read() -> Result<Expected> {
        let file = paths::ctests().join("mpich-tests.expected");
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Expected::parse(&text).with_context(|| file.display().to_string())
    }

    fn parse(text: &str) -> Result<Expected> {
        let mut entries = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                entries.push(entry(line).with_context(|| format!("line {}: {line}", index + 1))?);
            }
        }
        Ok(Expected(entries))
    }

    /// Why this run may fail.
    pub fn reason(&self, line: &Line, abi: Abi) -> Option<&str> {
        self.0
            .iter()
            .find(|e| {
                e.test == line.test
                    && e.ranks.is_none_or(|n| n == line.ranks)
                    && (e.abis.is_empty() || e.abis.contains(&abi))
            })
            .map(|e| e.why.as_str())
    }
}

fn entry(line: &str) -> Result<Entry> {
    let mut words = line.split_whitespace();
    let (Some(abis), Some(test), Some(ranks)) = (words.next(), words.next(), words.next()) else {
        bail!("expected ABIS TEST RANKS SECTION REASON");
    };
    let why = words.collect::<Vec<_>>().join(" ");
    ensure!(why.contains(' '), "expected a section and a reason");
    Ok(Entry {
        abis: match abis {
            "*" => Vec::new(),
            _ => abis
                .split(',')
                .map(|a| Abi::from_str(a, false).map_err(anyhow::Error::msg))
                .collect::<Result<_>>()?,
        },
        test: test.to_owned(),
        ranks: match ranks {
            "*" => None,
            _ => Some(ranks.parse().context("the number of ranks")?),
        },
        why,
    })
}

#[cfg(test)]
mod tests {
    use super::super::list;
    use super::*;

    #[test]
    fn an_entry_is_for_its_abis_and_ranks() {
        let expected =
            Expected::parse("# why\nmpich,ompi coll/x 4 6.2 the reason\n* coll/y * - other\n")
                .unwrap();
        let lines = list::parse("coll", "x 4\nx 5\ny 1\n").unwrap();
        assert_eq!(
            expected.reason(&lines[0], Abi::Mpich),
            Some("6.2 the reason")
        );
        assert_eq!(expected.reason(&lines[0], Abi::Mpi5), None);
        assert_eq!(expected.reason(&lines[1], Abi::Mpich), None);
        assert_eq!(expected.reason(&lines[2], Abi::Mpi5), Some("- other"));
        assert!(Expected::parse("mpi6 coll/x 4 6.2 the reason").is_err());
        assert!(Expected::parse("* coll/x 4 6.2").is_err());
    }

    #[test]
    fn the_committed_list_is_well_formed() {
        Expected::read().unwrap();
    }
}

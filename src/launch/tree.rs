//! The tree of daemons: which host is reached from which.
//!
//! Job: for many hosts mpiexec starts only some daemons itself. These start further ones with the same agent, and
//! hand on what goes to and fro. Where that fails mpiexec reaches a host itself. Pure.

use std::ffi::OsString;

/// How many daemons mpiexec and every daemon start at most, if nobody says otherwise.
pub const WIDTH: usize = 32;
/// Seconds that a daemon may take to answer another one, before mpiexec tries itself.
pub const PATIENCE: u64 = 15;

/// How a host is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Road {
    /// Its number in the job.
    pub site: usize,
    pub name: String,
    /// What starts its daemon.
    pub command: Vec<OsString>,
    /// How often that is tried.
    pub attempts: Option<usize>,
    /// Seconds that a daemon waits for an answer from there.
    pub patience: u64,
    /// Hosts that are reached from there, at once or by others: their numbers and names.
    pub beyond: Vec<(usize, String)>,
}

/// From which of the others each of `count` hosts is reached; None: from mpiexec.
pub fn parents(count: usize, width: usize) -> Vec<Option<usize>> {
    let width = width.max(1);
    (0..count).map(|n| (n / width).checked_sub(1)).collect()
}

/// The hosts beyond one of them.
pub fn beyond(parents: &[Option<usize>], host: usize) -> Vec<usize> {
    let mut found = vec![host];
    // A host has a higher number than the one from which it is reached.
    for (number, parent) in parents.iter().enumerate() {
        if parent.is_some_and(|p| found.contains(&p)) {
            found.push(number);
        }
    }
    found.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_reached_once() {
        for (count, width) in [(0, 3), (1, 1), (3, 3), (40, 3), (64, 32), (5, usize::MAX)] {
            let parents = parents(count, width);
            let first: Vec<usize> = (0..count).filter(|&n| parents[n].is_none()).collect();
            assert_eq!(first.len(), count.min(width));
            let mut reached: Vec<usize> = first
                .iter()
                .flat_map(|&n| [vec![n], beyond(&parents, n)].concat())
                .collect();
            reached.sort_unstable();
            assert_eq!(reached, (0..count).collect::<Vec<_>>(), "{count} {width}");
            for host in 0..count {
                let next = parents.iter().filter(|&&p| p == Some(host)).count();
                assert!(next <= width, "{count} {width} {host}");
            }
        }
        assert_eq!(beyond(&parents(7, 2), 0), [2, 3, 6]);
    }
}

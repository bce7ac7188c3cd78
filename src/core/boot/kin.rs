//! What the ancestors of this process tell about its launcher, as `/proc` shows them.
//!
//! A child of an MPI program has its environment, and with it the launcher's announcement, but must not speak in its
//! name. A process that a launcher has started through helpers has the same announcement, and must not run alone.
//! Those ancestors whose environment announces the same rank tell the two apart. Where nobody can look at them, they
//! tell nothing.

use std::fs;
use std::path::{Path, PathBuf};

/// What a launcher that speaks PMI-1 says to one rank.
pub const PMI: &[&str] = &["PMI_FD", "PMI_PORT", "PMI_RANK", "PMI_ID"];
/// What a PMIx launcher says to one rank.
pub const PMIX: &[&str] = &["PMIX_NAMESPACE", "PMIX_RANK"];

/// The folders in `/proc` of this process's ancestors, from its parent on.
fn ancestors() -> impl Iterator<Item = PathBuf> {
    let folder = |pid: u32| Path::new("/proc").join(pid.to_string());
    let first = parent(Path::new("/proc/self")).map(folder);
    std::iter::successors(first, move |this| parent(this).map(folder))
}

/// Those ancestors, one after the other, whose environment has the same values of these variables as this process.
fn kin(names: &[&str]) -> impl Iterator<Item = PathBuf> {
    let announced = names.iter().filter_map(|name| {
        let value = super::variable(name)?;
        Some(format!("{name}={value}").into_bytes())
    });
    let announced: Vec<Vec<u8>> = announced.collect();
    ancestors().take_while(move |folder| {
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        let has = |entry: &Vec<u8>| environment.split(|&byte| byte == 0).any(|e| e == entry);
        announced.iter().all(has)
    })
}

/// How many processes are between this one and the launcher that has set these variables: the fewest are below the
/// launcher that was started last.
pub fn generations(names: &[&str]) -> usize {
    kin(names).count()
}

/// Whether the nearest ancestor that has the launcher's socket as descriptor `fd` keeps it from its children.
/// Ancestors are followed as long as their environment announces the same rank; false if nobody can tell.
pub fn have_taken(fd: i32) -> bool {
    kin(PMI).find_map(|folder| keeps(&folder, fd)) == Some(true)
}

/// Whether an ancestor is the rank that a PMIx launcher announces: one that uses PMIx.
pub fn have_joined_pmix() -> bool {
    kin(PMIX).any(|folder| libpmix(&folder).is_some())
}

/// The library by which the nearest ancestor that uses PMIx does so: it is that of the launcher, unless none may be
/// looked at.
pub fn libpmix_of_launcher() -> Option<PathBuf> {
    ancestors().find_map(|folder| libpmix(&folder))
}

/// The PMIx library that a process has open.
fn libpmix(folder: &Path) -> Option<PathBuf> {
    let maps = fs::read_to_string(folder.join("maps")).ok()?;
    let paths = maps
        .lines()
        .filter_map(|line| Some(&line[line.find('/')?..]));
    let mut paths = paths.filter(|path| is_libpmix(path));
    paths.next().map(PathBuf::from)
}

fn is_libpmix(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("libpmix.so") || name.starts_with("libpmix-")
}

/// Whether one of these processes is an ancestor of this one.
pub fn is_below(pids: &[u32]) -> bool {
    let mut process = parent(Path::new("/proc/self"));
    while let Some(pid) = process {
        if pids.contains(&pid) {
            return true;
        }
        process = parent(&Path::new("/proc").join(pid.to_string()));
    }
    false
}

/// The process that has started this one; none above the first of a container.
fn parent(folder: &Path) -> Option<u32> {
    let status = fs::read_to_string(folder.join("status")).ok()?;
    let number = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    number.trim().parse().ok().filter(|&pid| pid != 0)
}

/// Whether a process closes the socket `fd` when it executes a program; `None` if it has no such socket.
fn keeps(folder: &Path, fd: i32) -> Option<bool> {
    let file = fs::read_link(folder.join(format!("fd/{fd}"))).ok()?;
    if !file.to_string_lossy().starts_with("socket:") {
        return None;
    }
    let info = fs::read_to_string(folder.join(format!("fdinfo/{fd}"))).ok()?;
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
    let flags = i32::from_str_radix(flags.trim(), 8).ok()?;
    Some(flags & libc::O_CLOEXEC != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_pmix_are_known_by_their_names() {
        for path in [
            "/opt/lib/libpmix.so.2",
            "/usr/lib/libpmix.so.2.6.2",
            "/w/block2.libs/libpmix-baa9057b.so.2.13.3",
        ] {
            assert!(is_libpmix(path), "{path}");
        }
        for path in [
            "/libpmix.so.2/other.so",
            "/lib/libmpi.so.40",
            "/lib/mca_pmix_x.so",
        ] {
            assert!(!is_libpmix(path), "{path}");
        }
    }

    #[test]
    fn ancestors_end_with_the_first_process_that_can_be_seen() {
        let all: Vec<_> = ancestors().collect();
        let own = Path::new("/proc").join(std::process::id().to_string());
        assert!(!all.contains(&own));
        assert!(all.iter().all(|folder| folder.is_dir()), "{all:?}");
        // Nothing is announced, so all of them announce the same.
        assert_eq!(generations(&["ANYMPI_THAT_NOBODY_SETS"]), all.len());
    }
}

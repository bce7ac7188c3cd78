//! The file behind a segment: nameless, gone with the last process that has it.
//!
//! `memfd_create` gives one that counts as memory only, wherever the kernel has it and lets it be called. Old kernels
//! and locked-down containers do not; there a deleted file of a folder stands in for it, best of one that lies in
//! memory. Such a folder may be small, and a process that touches a page for which it has no room is killed. So the
//! first folder with room for all of a segment is taken, or else the one with the most.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use super::Segment;
use crate::sys;

/// A new file for a segment of `processes` processes.
///
/// # Errors
/// The system has no memory files, and a file can be made in none of the folders: what each of them said.
pub fn create(processes: usize) -> io::Result<OwnedFd> {
    sys::memory_file(c"anympi").or_else(|refused| {
        let folders = [
            PathBuf::from("/dev/shm"),
            std::env::temp_dir(),
            PathBuf::from("/var/tmp"),
        ];
        deleted(&folders, Segment::size(processes) as u64).map_err(|why| {
            io::Error::new(
                refused.kind(),
                format!(
                    "no memory file (memfd_create: {refused}), and no deleted file either: {why}"
                ),
            )
        })
    })
}

/// A deleted file in the best of these folders for so many bytes, or why there is none.
fn deleted(folders: &[PathBuf], bytes: u64) -> Result<OwnedFd, String> {
    let mut complaints = Vec::new();
    let mut files = Vec::new();
    for folder in folders {
        match in_folder(folder) {
            Ok(file) => files.push(file),
            Err(error) => complaints.push(format!("{}: {error}", folder.display())),
        }
    }
    let free = files.iter().map(|&(_, free)| free);
    match best(free, bytes) {
        Some(place) => Ok(files.swap_remove(place).0),
        None => Err(complaints.join("; ")),
    }
}

/// The first that has room for `bytes`, or else the one with the most.
fn best(free: impl Iterator<Item = u64> + Clone, bytes: u64) -> Option<usize> {
    let enough = free.clone().position(|free| free >= bytes);
    enough.or_else(|| {
        let last = free.enumerate().max_by_key(|&(_, free)| free);
        last.map(|(place, _)| place)
    })
}

/// A deleted file in a folder, and how many bytes there is room for.
fn in_folder(folder: &Path) -> io::Result<(OwnedFd, u64)> {
    let file = OwnedFd::from(tempfile::tempfile_in(folder)?);
    let system = nix::sys::statvfs::fstatvfs(&file)?;
    let free = system
        .blocks_available()
        .saturating_mul(system.fragment_size());
    Ok((file, free))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deleted_file_holds_a_segment_and_has_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = deleted(&[folder.path().to_owned()], 1).unwrap();
        let first = Segment::attach(&file, 0, 2, crate::shm::ring::DEFAULT_BYTES).unwrap();
        let second = Segment::attach(&file, 1, 2, crate::shm::ring::DEFAULT_BYTES).unwrap();
        assert_eq!(second.bells(), 0);
        first.ring_bell(1);
        assert_eq!(second.callers().collect::<Vec<_>>(), [0]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn folders_without_room_are_used_only_when_all_are() {
        let of = |free: &[u64], bytes| best(free.iter().copied(), bytes);
        assert_eq!(of(&[64, 500, 900], 64), Some(0));
        assert_eq!(of(&[64, 500, 900], 65), Some(1));
        assert_eq!(of(&[64, 900, 500], 901), Some(1));
        assert_eq!(of(&[], 1), None);
    }

    #[test]
    fn folders_that_are_not_there_are_named() {
        let none = [PathBuf::from("/nowhere/a"), PathBuf::from("/nowhere/b")];
        let why = deleted(&none, 1).unwrap_err();
        assert!(
            why.contains("/nowhere/a: ") && why.contains("/nowhere/b: "),
            "{why}"
        );
        let folder = tempfile::tempdir().unwrap();
        let mixed = [none[0].clone(), folder.path().to_owned()];
        assert!(deleted(&mixed, 1).is_ok());
    }
}

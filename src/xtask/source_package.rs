//! Downloads Debian source packages without touching the machine's own lists.
//!
//! apt is given lists and an index of our own, below the folder that the package goes to; the mirrors and
//! keys are those that the machine already uses. It must not know what the package is for.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::sh::Cmd;

/// Downloads a source package into `dir`. The machine's own lists of binary packages are read as lists of source
/// packages, with an index that lies below `dir`. So nothing of the machine changes.
pub fn download(package: &str, dir: &Path) -> Result<()> {
    let (lists, index) = (dir.join("apt/lists"), dir.join("apt/index"));
    fs::create_dir_all(&lists)?;
    fs::create_dir_all(index.join("partial"))?;
    let etc = Path::new("/etc/apt");
    let mut files = vec![etc.join("sources.list")];
    for entry in fs::read_dir(etc.join("sources.list.d"))? {
        files.push(entry?.path());
    }
    for file in files {
        let (Ok(text), Some(name)) = (fs::read_to_string(&file), file.file_name()) else {
            continue;
        };
        fs::write(lists.join(name), as_sources(&text))?;
    }
    let apt_get = || {
        let mut cmd = Cmd::new("apt-get").dir(dir).seconds(600);
        for (name, value) in [
            ("Dir::Etc::SourceList=", Path::new("/dev/null")),
            ("Dir::Etc::SourceParts=", &lists),
            ("Dir::State::Lists=", &index),
            ("Dir::Cache::pkgcache=", Path::new("")),
            ("Dir::Cache::srcpkgcache=", Path::new("")),
        ] {
            cmd = cmd.arg("-o").arg(format!("{name}{}", value.display()));
        }
        cmd
    };
    // A list of another maker may have no source packages: what counts is whether ours is found.
    let updated = apt_get().args(["--quiet", "update"]).run()?;
    apt_get()
        .args(["--quiet", "source", "--download-only", package])
        .check()
        .with_context(|| {
            format!(
                "no source package {package}; the update said:\n{}",
                updated.tail(10)
            )
        })
        .map(drop)
}

/// A list of apt in either of its formats, with every entry for binary packages made one for sources.
fn as_sources(list: &str) -> String {
    let mut text = String::new();
    for line in list.lines() {
        let rest = line.strip_prefix("deb ").or(line.strip_prefix("deb\t"));
        match (rest, line.split_once(':')) {
            (Some(rest), _) => {
                let _ = write!(text, "deb-src {rest}");
            }
            (None, Some(("Types", _))) => text.push_str("Types: deb-src"),
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_of_apt_become_lists_of_sources() {
        let old = "# deb x\ndeb [signed-by=/k] mirror stable main\ndeb-src mirror stable main\n";
        assert_eq!(
            as_sources(old),
            "# deb x\ndeb-src [signed-by=/k] mirror stable main\ndeb-src mirror stable main\n"
        );
        let new = "Types: deb\nURIs: mirror\n\nTypes: deb deb-src\nURIs: mirror\n";
        assert_eq!(
            as_sources(new),
            "Types: deb-src\nURIs: mirror\n\nTypes: deb-src\nURIs: mirror\n"
        );
    }
}

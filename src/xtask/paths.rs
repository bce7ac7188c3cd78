//! Where things are: the repository, cargo's target directory and what xtask keeps below it.
//!
//! Everything that xtask makes or fetches lies in `target/anympi`, so `cargo clean` removes it.
//! This module only names places; it makes no files.

use std::path::PathBuf;

/// The root of the repository: of the work tree where cargo was called, as several may share a target directory and this program.
pub fn root() -> PathBuf {
    let called = std::env::var_os("CARGO_MANIFEST_DIR");
    let xtask = called.map_or(env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    xtask
        .ancestors()
        .nth(2)
        .map_or(xtask.clone(), PathBuf::from)
}

/// Cargo's target directory; honours `CARGO_TARGET_DIR`.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// What xtask keeps: prefixes, virtual environments, downloads, built C programs.
pub fn work() -> PathBuf {
    target().join("anympi")
}

/// The virtual environment called `name`.
pub fn venv(name: &str) -> PathBuf {
    work().join("venv").join(name)
}

/// Files fetched from a package registry and unpacked by us.
pub fn download() -> PathBuf {
    work().join("download")
}

/// A folder for one run of one program; its files may be looked at afterwards.
pub fn scratch(name: &str) -> PathBuf {
    work().join("scratch").join(name)
}

/// The C and Python programs of the project.
pub fn ctests() -> PathBuf {
    root().join("ctests")
}

//! `install --prefix DIR`: builds the three libraries and the launcher and lays out a prefix.
//!
//! The tree is relocatable: programs find it relative to themselves, `.pc` files by `${pcfiledir}`.
//! Files are replaced by renaming, so a running program keeps the one it has. It must not know how
//! the libraries work, only cargo's names for them and the names by which programs look for them.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::paths;
use crate::plain_library;
use crate::sh::Cmd;

/// Cargo's library, the name it is installed under, and links to that.
const LIBRARIES: &[(&str, &str, &[&str])] = &[
    (
        "libmpi_abi.so",
        "libmpi_abi.so.1",
        &["libmpi_abi.so", "libmpi_abi.so.0"],
    ),
    ("libmpi_mpich.so", "libmpi.so.12", &["libmpich.so.12"]),
    ("libmpi_ompi.so", "libmpi.so.40", &[]),
    ("libanympi_preload.so", "libanympi_heap.so", &[]),
];

/// Cargo's program (installed under the same name) and links to it.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("mpiexec", &["mpirun", "mpiexec.hydra"]),
    ("mpicc", &["mpicc_abi"]),
    ("mpicxx", &["mpic++", "mpiCC"]),
    ("mpi_info", &["ompi_info", "mpichversion"]),
];

/// The names under which build systems ask pkg-config for an MPI.
const PKG_CONFIG: &[&str] = &["mpi", "mpi-c", "mpich", "ompi", "ompi-c"];

/// Folders of `lib` in which the plain name is another library: for programs that need `libmpi.so` and were built
/// for that one.
const PLAIN_NAMES: &[(&str, &str)] = &[("mpich", "../libmpi.so.12")];

/// Which of the workspace's profiles to build with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    #[default]
    Release,
    Quick,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Quick => "quick",
        }
    }
}

#[derive(clap::Args)]
pub struct Args {
    /// Where to install; bin, lib and include are made below it.
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
    #[arg(long, value_enum, default_value_t)]
    profile: Profile,
}

pub fn main(args: &Args) -> Result<()> {
    install(&args.prefix, args.profile)?;
    println!("installed in {}", args.prefix.display());
    Ok(())
}

/// Builds and installs into `prefix`.
pub fn install(prefix: &Path, profile: Profile) -> Result<()> {
    build(profile)?;
    let built = paths::target().join(profile.name());
    let [bin, lib, include] = ["bin", "lib", "include"].map(|dir| prefix.join(dir));
    let pkgconfig = lib.join("pkgconfig");
    for dir in [&bin, &lib, &include, &pkgconfig] {
        fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    for (from, to, links) in LIBRARIES {
        copy(&built.join(from), &lib.join(to), 0o755)?;
        link_all(&lib, to, links)?;
    }
    let standard = lib.join("libmpi_abi.so.1");
    let standard =
        fs::read(&standard).with_context(|| format!("cannot read {}", standard.display()))?;
    write(&lib.join("libmpi.so"), &plain_library::make(&standard)?)?;
    for (folder, library) in PLAIN_NAMES {
        let folder = lib.join(folder);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        link_all(&folder, library, &["libmpi.so"])?;
    }
    for (program, links) in PROGRAMS {
        copy(&built.join(program), &bin.join(program), 0o755)?;
        link_all(&bin, program, links)?;
    }
    copy(
        &paths::root().join("include/mpi.h"),
        &include.join("mpi.h"),
        0o644,
    )?;
    let template = paths::root().join("pkgconfig/mpi.pc.in");
    let template = fs::read_to_string(&template)
        .with_context(|| format!("cannot read {}", template.display()))?;
    for name in PKG_CONFIG {
        let text = template
            .replace("@NAME@", name)
            .replace("@VERSION@", env!("CARGO_PKG_VERSION"));
        write(&pkgconfig.join(format!("{name}.pc")), text.as_bytes())?;
    }
    Ok(())
}

fn build(profile: Profile) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    Cmd::new(cargo)
        .args(["build", "--locked", "--profile", profile.name()])
        .args([
            "-p",
            "anympi",
            "-p",
            "anympi-mpich",
            "-p",
            "anympi-ompi",
            "-p",
            "anympi-preload",
            "-p",
            "anympi-launch",
        ])
        .dir(paths::root())
        .seconds(1800)
        .echo()
}

fn copy(from: &Path, to: &Path, mode: u32) -> Result<()> {
    let next = next_to(to);
    fs::copy(from, &next)
        .with_context(|| format!("cannot copy {} to {}", from.display(), next.display()))?;
    fs::set_permissions(&next, fs::Permissions::from_mode(mode))?;
    rename(&next, to)
}

fn write(to: &Path, content: &[u8]) -> Result<()> {
    let next = next_to(to);
    fs::write(&next, content).with_context(|| format!("cannot write {}", next.display()))?;
    rename(&next, to)
}

fn link_all(dir: &Path, target: &str, links: &[&str]) -> Result<()> {
    for link in links {
        let next = next_to(&dir.join(link));
        symlink(target, &next).with_context(|| format!("cannot make {}", next.display()))?;
        rename(&next, &dir.join(link))?;
    }
    Ok(())
}

/// A fresh name beside `path`, from which it is renamed into place.
fn next_to(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".new-{}", std::process::id()));
    PathBuf::from(name)
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).with_context(|| format!("cannot put {} in place", to.display()))
}

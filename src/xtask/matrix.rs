//! `cargo xtask matrix`: writes `ctests/MATRIX.md`, every function with its state and who needs it.
//!
//! The state comes from the core's own source (a body that is `unsupported()` is not built), the needs
//! from the committed tables. Nobody edits the matrix, so it cannot flatter.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;

use crate::gates::{self, Symbol};
use crate::r#gen;
use crate::paths;

#[derive(clap::Args)]
pub struct Args {
    /// Only say whether the committed file is up to date.
    #[arg(long)]
    check: bool,
}

pub fn main(args: &Args) -> Result<()> {
    let path = paths::ctests().join("MATRIX.md");
    r#gen::ensure(&path, &text()?, args.check, "cargo xtask matrix")?;
    Ok(())
}

fn text() -> Result<String> {
    let operations = r#gen::operations()?;
    let symbols: BTreeMap<String, Symbol> = gates::table()?
        .into_iter()
        .map(|symbol| (symbol.name.clone(), symbol))
        .collect();
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    let mut totals: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut wanted = [0usize; 2];
    for prototype in r#gen::prototypes()? {
        let built = r#gen::operation_of(&prototype, &operations)
            .is_some_and(|(_, operation)| !operation.unsupported);
        let symbol = symbols.get(&prototype.name);
        let debian = symbol.map_or([0, 0], |symbol| symbol.debian);
        let mpi4py = symbol.is_some_and(|symbol| symbol.mpi4py);
        totals.entry(prototype.area.clone()).or_default()[usize::from(!built)] += 1;
        if debian != [0, 0] {
            wanted[usize::from(!built)] += 1;
        }
        let number = |packages: u32| match packages {
            0 => String::new(),
            some => some.to_string(),
        };
        let mut row = String::new();
        writeln!(
            row,
            "| {} | {} | {} | {} | {} | {} |",
            prototype.name,
            libraries(&prototype.libraries),
            if built { "implemented" } else { "unsupported" },
            number(debian[0]),
            number(debian[1]),
            if mpi4py { "yes" } else { "" },
        )?;
        rows.entry(prototype.name).or_default().push_str(&row);
    }
    let mut text = String::from(
        "# What is implemented\n\n\
         Made by `cargo xtask matrix`; do not edit. An unsupported function is exported and returns\n\
         `MPI_ERR_UNSUPPORTED_OPERATION` through the error handler; its first call says so on standard error.\n\
         `PMPI_` twins are as their `MPI_` names.\n\n\
         | area | implemented | unsupported |\n|---|---:|---:|\n",
    );
    let mut sum = [0, 0];
    for (area, [built, missing]) in &totals {
        writeln!(text, "| {area} | {built} | {missing} |")?;
        sum = [sum[0] + built, sum[1] + missing];
    }
    writeln!(text, "| **all** | **{}** | **{}** |\n", sum[0], sum[1])?;
    writeln!(
        text,
        "Of the functions that Debian 12's MPI programs and libraries need, {} are implemented and {} are not.\n",
        wanted[0], wanted[1]
    )?;
    text += "Libraries: a standard ABI, m MPICH's, o Open MPI's. Needed by: number of Debian 12 packages built for Open MPI,\n\
        for MPICH; and whether mpi4py's wheels name it.\n\n\
        | function | libraries | state | Open MPI packages | MPICH packages | mpi4py |\n|---|---|---|---:|---:|---|\n";
    for row in rows.values() {
        text += row;
    }
    Ok(text)
}

fn libraries(letters: &str) -> String {
    letters
        .chars()
        .map(String::from)
        .collect::<Vec<_>>()
        .join(" ")
}

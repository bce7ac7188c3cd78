//! What `-lmpi` and a program's need of `libmpi.so` give: parts of the suite `build`.
//!
//! It must not know how the library of that name is made.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::build::{hello, runs_alone};
use crate::implementation::{Abi, Implementation};
use crate::report::Count;
use crate::setup::Peer;
use crate::sh::Cmd;

/// Linking by hand gives a program of the standard ABI, with every linker there is, from a stripped copy too.
pub fn linked(on: &Implementation, dir: &Path) -> Result<Count> {
    let mut count = Count::default();
    let stripped = dir.join("stripped");
    fs::create_dir_all(&stripped)?;
    let copy = stripped.join("libmpi.so");
    fs::copy(on.lib().join("libmpi.so"), &copy)?;
    Cmd::new("strip")
        .arg("--strip-unneeded")
        .arg(&copy)
        .check()?;
    let rpath = format!("-Wl,-rpath,{}", on.lib().display());
    let by_path = on.lib().join("libmpi.so");
    let by_path = by_path.to_string_lossy();
    let [lib, stripped] = [on.lib(), stripped].map(|dir| format!("-L{}", dir.display()));
    let ways: [(&str, &[&str]); 5] = [
        ("default", &[&lib, "-lmpi"]),
        ("bfd", &["-fuse-ld=bfd", &lib, "-lmpi"]),
        ("gold", &["-fuse-ld=gold", &lib, "-lmpi"]),
        ("path", &["-Wl,--no-undefined", &by_path]),
        ("stripped", &[&stripped, "-lmpi"]),
    ];
    for (name, flags) in ways {
        if name == "gold" && Cmd::new("ld.gold").arg("--version").run().is_err() {
            count.skipped += 1;
            continue;
        }
        let program = dir.join(format!("linked-{name}"));
        Cmd::new("gcc")
            .arg("-I")
            .arg(on.prefix.join("include"))
            .arg(hello())
            .arg("-o")
            .arg(&program)
            .args(flags)
            .arg(&rpath)
            .check()?;
        needs(&program, &["libmpi_abi.so.1"], &mut count)?;
        runs_alone(on, &program, &mut count)?;
    }
    Ok(count)
}

/// A program that needs `libmpi.so` and was built for a family runs: Open MPI's without more ado, MPICH's with
/// `lib/mpich` in front.
pub fn loaded(on: &Implementation, dir: &Path) -> Result<Count> {
    let mut count = Count::default();
    let front = |folder: &str| {
        let mut path = on.lib().join(folder).into_os_string();
        path.push(":");
        path.push(on.lib());
        path
    };
    for (name, abi, peer, path) in [
        (
            "openmpi",
            Abi::Ompi,
            Peer::Openmpi,
            on.lib().into_os_string(),
        ),
        ("mpich", Abi::Mpich, Peer::Mpich, front("mpich")),
    ] {
        let program = needing_plain_name(&dir.join(format!("needs-{name}")), peer)
            .with_context(|| format!("cannot build a program for {name} that needs libmpi.so"))?;
        let run = |cmd: Cmd, count: &mut Count, how: &str| -> Result<()> {
            let done = cmd.arg(&program).seconds(60).run()?;
            let good = done.ok() && done.stdout.contains("computed by 2 ranks");
            count.check(good, || {
                format!("{name}, {how}: {}\n{}", done.cause(), done.tail(8))
            });
            Ok(())
        };
        let mpiexec = || on.mpiexec_without_library_path(2);
        run(mpiexec().env("LD_LIBRARY_PATH", path), &mut count, "path")?;
        let preload = on.lib().join(abi.soname());
        let preloaded = on.mpiexec(2).env("LD_PRELOAD", preload);
        run(preloaded, &mut count, "preloaded")?;
    }
    Ok(count)
}

/// Such a program: its MPI calls are in a library of its own, as in an extension module of Python's.
fn needing_plain_name(dir: &Path, family: Peer) -> Result<std::path::PathBuf> {
    fs::create_dir_all(dir)?;
    let [nothing, calls, source, program] =
        ["libmpi.so", "libhello.so", "main.c", "hello"].map(|name| dir.join(name));
    let main =
        "int hello(int, char **);\nint main(int argc, char **argv) { return hello(argc, argv); }\n";
    fs::write(&source, main)?;
    // A library without a name of its own is needed by that of its file.
    Cmd::new("gcc")
        .args(["-shared", "-x", "c", "/dev/null", "-o"])
        .arg(&nothing)
        .check()?;
    Cmd::new("gcc")
        .args(["-shared", "-fPIC", "-Dmain=hello", "-I"])
        .arg(family.fetch()?.join("include"))
        .arg(hello())
        .args(["-Wl,--no-as-needed", "-L"])
        .arg(dir)
        .args(["-lmpi", "-o"])
        .arg(&calls)
        .check()?;
    Cmd::new("gcc")
        .arg(&source)
        .args(["-Wl,--allow-shlib-undefined", "-Wl,-rpath,$ORIGIN", "-L"])
        .arg(dir)
        .args(["-lhello", "-o"])
        .arg(&program)
        .check()?;
    fs::remove_file(nothing)?;
    Ok(program)
}

/// Checks which MPI libraries a program needs.
fn needs(program: &Path, wanted: &[&str], count: &mut Count) -> Result<()> {
    let dynamic = Cmd::new("readelf").arg("--dynamic").arg(program).check()?;
    let needed: Vec<&str> = dynamic
        .stdout
        .lines()
        .filter(|line| line.contains("(NEEDED)"))
        .filter_map(|line| line.split(['[', ']']).nth(1))
        .filter(|name| name.starts_with("libmpi"))
        .collect();
    count.check(needed == wanted, || {
        format!("{} needs {needed:?}, not {wanted:?}", program.display())
    });
    Ok(())
}

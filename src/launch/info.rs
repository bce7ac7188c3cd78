//! `mpi_info`: what is installed here, and which knobs are set; also as `ompi_info` and `mpichversion`.
//!
//! Job: the same facts in three forms: for people, in Open MPI's `--parsable` lines that scripts search, and
//! as MPICH's version text. The facts come from core's tables; nothing is decided here.

use crate::{OPEN_MPI_RELEASE, wrapper};
use anympi_core::config::{self, Origin};
use std::path::Path;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The libraries of an installation, with the ABI each speaks.
const LIBRARIES: &[(&str, &str)] = &[
    ("libmpi_abi.so.1", "MPI-5.0 standard ABI"),
    (
        "libmpi.so.12",
        "MPICH ABI (MPICH, Intel MPI, MVAPICH, Cray MPICH)",
    ),
    ("libmpi.so.40", "Open MPI ABI (4.x and 5.x)"),
];

const TRANSPORTS: &[&str] = &["loopback", "shared memory"];

const HELP: &str = "Usage: mpi_info [--all] [--parsable] [--version]\n\
    Shows version, ABIs, transports, and the knobs with their values and where each comes from.\n\
    --parsable prints lines of fields separated by colons, in the form of Open MPI's ompi_info.\n";

/// One knob with its value in force.
struct Setting {
    name: &'static str,
    value: String,
    source: &'static str,
    help: &'static str,
}

/// Runs the program under the name `name` and returns its exit code.
pub fn main(name: &str, args: &[String]) -> i32 {
    let given = |names: &[&str]| {
        args.iter()
            .any(|a| names.contains(&a.trim_start_matches('-')))
    };
    let prefix = wrapper::prefix();
    if given(&["h", "help"]) {
        print!("{HELP}");
    } else if name == "mpichversion" {
        print!("{}", mpich(&prefix));
    } else if given(&["V", "version"]) {
        println!("Open MPI v{OPEN_MPI_RELEASE} (anympi {VERSION})");
    } else if given(&["parsable", "parseable"]) {
        print!("{}", parsable(&prefix, &settings()));
    } else {
        print!("{}", readable(&prefix, &settings()));
    }
    0
}

fn settings() -> Vec<Setting> {
    config::ALL
        .iter()
        .map(|knob| {
            let (value, source) = match knob.read() {
                Ok((value, Origin::Default)) => (value.to_string(), "default"),
                Ok((value, Origin::Environment)) => (value.to_string(), "environment"),
                Err(error) => (error, "error"),
            };
            Setting {
                name: knob.name,
                value,
                source,
                help: knob.help,
            }
        })
        .collect()
}

fn readable(prefix: &Path, settings: &[Setting]) -> String {
    let mut out = format!(
        "anympi {VERSION}: MPI 5.0 for any binary\n\nPrefix: {}\n\nABIs:\n",
        prefix.display()
    );
    for (file, abi) in LIBRARIES {
        let there = if prefix.join("lib").join(file).exists() {
            ""
        } else {
            "  (not installed here)"
        };
        out.push_str(&format!("  lib/{file:<16} {abi}{there}\n"));
    }
    out.push_str(&format!("\nTransports: {}\n", TRANSPORTS.join(", ")));
    out.push_str(
        "Launchers: mpiexec, any PMI-1 launcher (Hydra, Slurm's pmi2), none (singleton)\n",
    );
    out.push_str("GPU memory: not supported\n\nKnobs (environment variables):\n");
    for s in settings {
        out.push_str(&format!(
            "  {} = {}  [{}]\n      {}\n",
            s.name, s.value, s.source, s.help
        ));
    }
    out
}

/// Open MPI's form: what scripts search are the `mca:...:value:` lines.
fn parsable(prefix: &Path, settings: &[Setting]) -> String {
    let mut out = format!(
        "package:anympi {VERSION}\nompi:version:full:{OPEN_MPI_RELEASE}\nmpi-api:version:full:5.0.0\npath:prefix:{}\n",
        prefix.display()
    );
    let mut parameter = |component: &str, name: &str, value: &str, source: &str, help: &str| {
        let start = format!("mca:mpi:{component}:param:{name}");
        out.push_str(&format!(
            "{start}:value:{value}\n{start}:source:{source}\n{start}:help:{help}\n"
        ));
    };
    parameter(
        "base",
        "mpi_built_with_cuda_support",
        "false",
        "default",
        "Whether GPU memory can be passed to MPI",
    );
    for s in settings {
        parameter("anympi", s.name, &s.value, s.source, s.help);
    }
    out
}

/// MPICH's form, with the release that the library of that ABI names.
fn mpich(prefix: &Path) -> String {
    format!(
        "MPICH Version:      4.3.0\nMPICH Device:       anympi {VERSION}\nMPICH Prefix:       {}\n",
        prefix.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Vec<Setting> {
        vec![Setting {
            name: "MPI_ANYMPI_X",
            value: "7".into(),
            source: "environment",
            help: "a knob",
        }]
    }

    #[test]
    fn scripts_find_what_they_search() {
        let text = parsable(Path::new("/p"), &one());
        assert!(text.contains("mca:mpi:base:param:mpi_built_with_cuda_support:value:false\n"));
        assert!(text.contains("mca:mpi:anympi:param:MPI_ANYMPI_X:value:7\n"));
        assert!(text.contains("MPI_ANYMPI_X:source:environment\n"));
    }

    #[test]
    fn people_see_every_knob_of_core() {
        let text = readable(Path::new("/nonexistent"), &settings());
        for knob in config::ALL {
            assert!(text.contains(knob.name), "{}", knob.name);
        }
        assert!(text.contains("libmpi.so.40") && text.contains("not installed here"));
    }
}

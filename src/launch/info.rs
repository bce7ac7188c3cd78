//! `mpi_info`: what is installed here, and which knobs are set; also as `ompi_info` and `mpichversion`.
//!
//! Job: the same facts in three forms: for people, in Open MPI's `--parsable` lines that scripts search, and
//! as MPICH's version text. The facts come from core's tables; nothing is decided here.

use crate::say::answer;
use crate::{OPEN_MPI_RELEASE, wrapper};
use anympi_core::config::{self, Origin};
use anympi_core::shm::zero_copy::Limits;
use anympi_core::tool::{category, event, variable};
use anympi_core::tuning::{self, Tuning};
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

const FOLDERS: &[(&str, &str)] = &[
    ("bindir", "bin"),
    ("libdir", "lib"),
    ("incdir", "include"),
    ("pkgconfigdir", "lib/pkgconfig"),
];

const TRANSPORTS: &[&str] = &["loopback", "shared memory"];

const HELP: &str = "Usage: mpi_info [--all] [--parsable] [--version]\n\
    Shows version, ABIs, transports, and the knobs with their values and where each comes from.\n\
    --all adds the folders, the levels of thread support, and what tools can see through MPI_T.\n\
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
    let text = if given(&["h", "help"]) {
        HELP.to_owned()
    } else if name == "mpichversion" {
        mpich(&prefix)
    } else if given(&["V", "version"]) {
        format!("Open MPI v{OPEN_MPI_RELEASE} (anympi {VERSION})\n")
    } else if given(&["parsable", "parseable"]) {
        parsable(&prefix, &settings())
    } else {
        let mut text = readable(&prefix, &settings());
        if given(&["a", "all"]) {
            text += &rest(&prefix);
        }
        text
    };
    answer(name, text)
}

fn settings() -> Vec<Setting> {
    config::ALL
        .iter()
        .map(|knob| {
            let (value, source) = match knob.read() {
                Ok((value, Origin::Default)) => (knob.show(value), "default"),
                Ok((value, Origin::Environment)) => (knob.show(value), "environment"),
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
        "Launchers: mpiexec, PMI-1 (Hydra, Slurm's pmi2), PMIx (Open MPI's mpirun, PRRTE, Slurm's pmix), srun and torchrun \
         without either, an address (MPI_ANYMPI_ROOT), none (singleton)\n",
    );
    out.push_str("GPU memory: not supported\n\n");
    out.push_str("Long data within a node:\n");
    match row() {
        Ok(row) => {
            out.push_str(&long_data(&row.zero_copy));
            let (knob, names) = (config::TUNING.name, tuning::NAMES.join(", "));
            out.push_str(&format!(
                "\nTuning (lengths in bytes; {knob} chooses of {names}):\n{row}"
            ));
        }
        Err(what) => out.push_str(&format!("  {what}\n")),
    }
    out.push_str("\nKnobs (environment variables):\n");
    for s in settings {
        out.push_str(&format!(
            "  {} = {}  [{}]\n      {}\n",
            s.name, s.value, s.source, s.help
        ));
    }
    out
}

/// The row of the tuning that a job here would have.
fn row() -> Result<&'static Tuning, String> {
    let (name, _) = config::TUNING.read()?;
    let row = tuning::row(name as usize).and_then(|row| tuning::ROWS.get(row));
    row.ok_or_else(|| format!("{} names no row", config::TUNING.name))
}

/// What `--all` adds: what does not depend on this machine or its settings.
fn rest(prefix: &Path) -> String {
    let mut out = String::from("\nFolders:\n");
    for (name, folder) in FOLDERS {
        let path = prefix.join(folder);
        out.push_str(&format!("  {name}: {}\n", path.display()));
    }
    out.push_str("\nC bindings: yes\nThread support: MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE\n");
    let pvars = variable::pvars();
    out.push_str("\nPerformance variables (MPI_T):\n");
    for pvar in &pvars {
        out.push_str(&format!("  {}\n      {}\n", pvar.name, pvar.description));
    }
    out.push_str("\nCategories of variables (MPI_T):\n");
    for category in category::categories(&pvars) {
        out.push_str(&format!(
            "  {}\n      {}\n",
            category.name, category.description
        ));
    }
    out.push_str(&format!(
        "\nEvents (MPI_T):\n  {}\n      {}\n",
        event::NAME,
        event::DESCRIPTION
    ));
    out
}

/// How long data of up to a limit is copied, and beyond it.
fn limit(bytes: u64) -> String {
    match bytes {
        u64::MAX => "through shared memory".to_owned(),
        bytes => format!(
            "through shared memory up to {} KiB, else from where it lies",
            bytes >> 10
        ),
    }
}

/// How long data is copied on this machine.
fn long_data(limits: &Limits) -> String {
    let rows = [
        ("messages alone", limits.alone),
        ("messages in an exchange", limits.exchange),
        ("several messages at once", limits.several),
        ("gather of two processes", limits.gather),
        ("scatter of two processes", limits.scatter),
        ("allgather of two processes", limits.allgather),
        ("all-to-all of two processes", limits.alltoall),
        ("reduce of two processes", limits.reduce),
    ];
    let lines = rows.map(|(what, bytes)| format!("  {what}: {}\n", limit(bytes)));
    lines.concat()
}

/// Open MPI's form: what scripts search are the `mca:...:value:` lines.
fn parsable(prefix: &Path, settings: &[Setting]) -> String {
    let mut out = format!(
        "package:anympi {VERSION}\nompi:version:full:{OPEN_MPI_RELEASE}\nmpi-api:version:full:5.0.0\npath:prefix:{}\n",
        prefix.display()
    );
    for (name, folder) in FOLDERS {
        let path = prefix.join(folder);
        out.push_str(&format!("path:{name}:{}\n", path.display()));
    }
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
    fn all_goes_on_after_the_knobs() {
        let text = rest(Path::new("/p"));
        for pvar in variable::pvars() {
            assert!(text.contains(&*pvar.name), "{}", pvar.name);
        }
        for part in ["libdir: /p/lib\n", "MPI_THREAD_MULTIPLE", event::NAME] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(parsable(Path::new("/p"), &one()).contains("path:libdir:/p/lib\n"));
    }

    #[test]
    fn people_see_every_knob_of_core() {
        let text = readable(Path::new("/nonexistent"), &settings());
        for knob in config::ALL {
            assert!(text.contains(knob.name), "{}", knob.name);
        }
        assert!(text.contains("libmpi.so.40") && text.contains("not installed here"));
        assert!(text.contains("    read_ahead: "), "{text}");
    }

    #[test]
    fn people_see_how_long_data_is_copied() {
        let text = long_data(&Limits::GENERIC);
        assert!(text.contains("messages alone: through shared memory up to 256 KiB, else"));
        let text = long_data(&Limits::NEVER);
        assert_eq!(text.matches(": through shared memory\n").count(), 8);
    }
}

//! `mpi_info`: what is installed here, and which knobs are set; also as `ompi_info` and `mpichversion`.
//!
//! Job: the same facts in three forms: for people, in Open MPI's `--parsable` lines that scripts search, and
//! as MPICH's version text. The facts come from core's tables; nothing is decided here.

use crate::say::answer;
use crate::{OPEN_MPI_RELEASE, wrapper};
use anympi_core::config::{self, Origin};
use anympi_core::remembered::{self, Known};
use anympi_core::shm::distance::Distance;
use anympi_core::shm::rehearsal::Rehearsal;
use anympi_core::shm::trials::{BOUNDS, Direct, Situation};
use anympi_core::tool::{category, event, variable};
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
        let known = Distance::ALL.map(remembered::read);
        let mut text = readable(&prefix, &settings(), &known, Rehearsal::run());
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

/// `known`: of processes at each distance; `rehearsal`: of those that share processors.
fn readable(
    prefix: &Path,
    settings: &[Setting],
    known: &[Option<Known>; Distance::ALL.len()],
    rehearsal: Option<Rehearsal>,
) -> String {
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
    out.push_str("GPU memory: not supported\n\n");
    out.push_str(&format!(
        "Long messages on this machine ({}):\n",
        remembered::machine()
    ));
    for (distance, known) in Distance::ALL.into_iter().zip(known) {
        out.push_str(&long_messages(distance, known.as_ref()));
    }
    let file = remembered::file().map_or("nowhere".into(), |file| file.display().to_string());
    out.push_str(&format!(
        "  (in brackets: us for 64 KiB in each way, as measured in the first jobs and kept in {file}; where a way takes less in use than that shows, a part of it counts)\n"
    ));
    out.push_str(&shared_processors(rehearsal));
    out.push_str("\nKnobs (environment variables):\n");
    for s in settings {
        out.push_str(&format!(
            "  {} = {}  [{}]\n      {}\n",
            s.name, s.value, s.source, s.help
        ));
    }
    out
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

/// A way in words, of a message or of a block of a collective.
fn words(way: Direct, message: bool) -> &'static str {
    match way {
        Direct::Never => "through shared memory",
        Direct::Reads if message => "by the receiver",
        Direct::Reads => "from where they lie",
        Direct::Both => "by both sides at once",
    }
}

fn short(way: Direct, message: bool) -> &'static str {
    match way {
        Direct::Never => "shared memory",
        Direct::Reads if message => "receiver",
        Direct::Reads => "from there",
        Direct::Both => "both",
    }
}

/// How long messages are copied between processes so far from each other, and what is known about it.
fn long_messages(distance: Distance, known: Option<&Known>) -> String {
    let caches = match distance {
        Distance::Near => "have a cache in common",
        Distance::Far => "have no cache in common",
    };
    let when = known.map_or("to be measured".to_owned(), |known| {
        format!("measured {}", ago(known.when))
    });
    let mut out = format!(" where two processors {caches} ({when}):\n");
    let bounds = BOUNDS.iter().map(|bound| bound >> 10);
    let from = [None].into_iter().chain(bounds.clone().map(Some));
    let ranges = from.zip(bounds.map(Some).chain([None]));
    for (class, range) in ranges.enumerate() {
        let mut sizes = match range {
            (Some(from), Some(to)) => format!("{from} to {to} KiB"),
            (Some(from), None) => format!("above {from} KiB"),
            (None, to) => format!("up to {} KiB", to.unwrap_or_default()),
        };
        for situation in Situation::ALL {
            let message = Situation::MESSAGES.contains(&situation);
            let when = match situation {
                Situation::Alone => "alone",
                Situation::Exchange => "in an exchange",
                Situation::Several => "several at once",
                Situation::Gather => "gather of two",
                Situation::Scatter => "scatter of two",
                Situation::Allgather => "allgather of two",
                Situation::Alltoall => "alltoall of two",
                Situation::Reduce => "reduce of two",
            };
            let times = known.and_then(|known| known.times[class][situation as usize]);
            // The shortest messages leave at once, but for some.
            if times.is_none() && (!message || class == 0) {
                continue;
            }
            let sizes = std::mem::take(&mut sizes);
            let choice = times.map_or(situation.usual(), |times| times.choice(class, situation));
            let why = times.map_or("not measured yet".to_owned(), |times| {
                let times = situation.ways().iter().zip(times.0);
                let each = times.map(|(way, time)| {
                    format!("{} {:.1}", short(*way, message), f64::from(time) / 1e3)
                });
                each.collect::<Vec<_>>().join(", ")
            });
            out.push_str(&format!(
                "  {sizes:16} {when}: {} [{why}]\n",
                words(choice, message)
            ));
        }
    }
    out
}

/// How blocks of collectives are copied where processes share processors, and why.
fn shared_processors(rehearsal: Option<Rehearsal>) -> String {
    let (way, why) = match rehearsal {
        None => (Direct::Never, "the system forbids the other way".to_owned()),
        Some(rehearsal) => {
            let [one, two] = [rehearsal.by_system, rehearsal.by_processes]
                .map(|nanoseconds| nanoseconds as f64 / 1e3);
            let why = format!("256 KiB now: one copy by the system {one:.1} us, two {two:.1}");
            match rehearsal.two_copies() {
                true => (Direct::Never, why),
                false => (Direct::Reads, why),
            }
        }
    };
    let way = words(way, false);
    format!(" where processes share processors, blocks of collectives: {way} [{why}]\n")
}

/// How long a time in seconds since 1970 is over.
fn ago(when: u64) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seconds = now.map_or(0, |now| now.as_secs()).saturating_sub(when);
    match seconds {
        0..=7199 => format!("{} minutes ago", seconds / 60),
        7200..=172_799 => format!("{} hours ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86400),
    }
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
        let text = readable(Path::new("/nonexistent"), &settings(), &[None; 2], None);
        for knob in config::ALL {
            assert!(text.contains(knob.name), "{}", knob.name);
        }
        assert!(text.contains("libmpi.so.40") && text.contains("not installed here"));
        assert_eq!(text.matches("(to be measured):").count(), 2);
    }

    #[test]
    fn what_was_measured_is_shown_with_what_follows() {
        use anympi_core::shm::trials::{CLASSES, Table, Times};
        let text = long_messages(Distance::Near, None);
        assert_eq!(text.matches("not measured yet").count(), 3 * (CLASSES - 1));
        let usual = "alone: by both sides at once [not measured yet]";
        assert_eq!(text.matches(usual).count(), CLASSES - 1);
        let mut times = Table::default();
        let (alone, exchange) = (Times([20_000, 1000, 50_000]), Times([9000, 7000, 0]));
        times[2][Situation::Alone as usize] = Some(alone);
        times[2][Situation::Exchange as usize] = Some(exchange);
        times[7][Situation::Gather as usize] = Some(Times([9000, 9500, 0]));
        let known = Known {
            when: 0,
            times,
            confirmed: Default::default(),
        };
        let text = long_messages(Distance::Near, Some(&known));
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let at = lines
            .iter()
            .position(|line| line.starts_with("32 to 64 KiB"));
        let found = &lines[at.unwrap()..][..3];
        let expected = "alone: through shared memory [both 20.0, shared memory 1.0, receiver 50.0]";
        assert!(found[0].ends_with(expected), "{text}");
        let expected = "in an exchange: through shared memory [receiver 9.0, shared memory 7.0]";
        assert_eq!(found[1], expected);
        assert_eq!(
            found[2],
            "several at once: by both sides at once [not measured yet]"
        );
        let expected = "gather of two: from where they lie [from there 9.0, shared memory 9.5]";
        assert!(lines.contains(&expected), "{text}");
        assert_eq!(
            text.matches("not measured yet").count(),
            3 * (CLASSES - 1) - 2
        );
        assert!(!text.contains("up to 16 KiB"), "{text}");
        times[0][Situation::Allgather as usize] = Some(Times([9000, 8000, 0]));
        let known = Known { times, ..known };
        let text = long_messages(Distance::Near, Some(&known));
        let line = |from: &str| text.lines().position(|line| line.trim().starts_with(from));
        assert!(line("up to 16 KiB     allgather of two") < line("16 to 32 KiB"));
        assert!(line("up to 16 KiB").is_some(), "{text}");
        assert!(text.contains("days ago"));
    }
}

//! The environment of the processes.
//!
//! Job: apply the environment options, remove what an outer job's launcher had set (so that mpiexec inside
//! an MPI process works), and name the variables by which both families' programs learn who they are. Pure.

use crate::request::{Change, EnvRules, Inherit};
use anympi_core::boot::door::{self, Announcement};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

pub type Env = BTreeMap<OsString, OsString>;

/// Variables of a process that belong to the job that started it, never to its children.
const OF_A_JOB: &[&str] = &[
    "PMI_",
    "PMIX_",
    "HYDI_",
    "MPI_LOCALNRANKS",
    "MPI_LOCALRANKID",
    "OMPI_COMM_WORLD_",
    "OMPI_UNIVERSE_SIZE",
    "OMPI_WORLD_",
    "OMPI_NUM_APP_CTX",
    "OMPI_APP_CTX_NUM_PROCS",
    "OMPI_FIRST_RANKS",
    "OMPI_COMMAND",
    "OMPI_ARGV",
    "OMPI_FILE_LOCATION",
    "OMPI_MCA_ess",
    "OMPI_MCA_orte_ess",
    "PRTE_MCA_ess",
];

/// Settings of users that begin like one of the above.
const OF_THE_USER: &[&str] = &["PMIX_MCA_", "PMI_DEBUG"];

fn of_a_job(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let begins = |list: &[&str]| list.iter().any(|p| name.starts_with(p));
    begins(OF_A_JOB) && !begins(OF_THE_USER)
}

/// The environment of one program's processes, before the variables of each rank. `own` is mpiexec's.
/// Returns also the names that `-x` was to hand on but that are not set.
pub fn of_program(own: &Env, job: &EnvRules, program: &EnvRules) -> (Env, Vec<String>) {
    let inherit = program.inherit.as_ref().or(job.inherit.as_ref());
    let mut env: Env = match inherit.unwrap_or(&Inherit::All) {
        Inherit::All => own.clone(),
        Inherit::Nothing => Env::new(),
        Inherit::Only(names) => names
            .iter()
            .filter_map(|n| own.get_key_value(OsStr::new(n)))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect(),
    };
    env.retain(|name, _| !of_a_job(name));
    let mut missing = Vec::new();
    for change in job.changes.iter().chain(&program.changes) {
        match change {
            Change::Set(name, value) => {
                env.insert(name.into(), value.into());
            }
            Change::Unset(name) => {
                env.remove(OsStr::new(name));
            }
            Change::PassOn(name) => {
                let matches = |k: &OsStr| match name.strip_suffix('*') {
                    Some(prefix) => k.to_string_lossy().starts_with(prefix),
                    None => k == OsStr::new(name),
                };
                let mut found = false;
                for (k, v) in own.iter().filter(|(k, _)| matches(k) && !of_a_job(k)) {
                    env.insert(k.clone(), v.clone());
                    found = true;
                }
                if !found && !name.ends_with('*') {
                    missing.push(name.clone());
                }
            }
            Change::Prepend(name, value, separator) => {
                join(
                    &mut env,
                    name,
                    |old| [value.as_ref(), separator.as_ref(), old].concat(),
                    value,
                );
            }
            Change::Append(name, value, separator) => {
                join(
                    &mut env,
                    name,
                    |old| [old, separator.as_ref(), value.as_ref()].concat(),
                    value,
                );
            }
        }
    }
    (env, missing)
}

/// Lets the loader load a library before the program's own, behind those that are there.
pub fn preload(env: &mut Env, library: &str) {
    let behind = |old: &OsStr| [old, ":".as_ref(), library.as_ref()].concat();
    join(env, "LD_PRELOAD", behind, library);
}

fn join(env: &mut Env, name: &str, with: impl Fn(&OsStr) -> OsString, alone: &str) {
    let value = match env.get(OsStr::new(name)).filter(|old| !old.is_empty()) {
        Some(old) => with(old),
        None => alone.into(),
    };
    env.insert(name.into(), value);
}

trait Concat {
    fn concat(self) -> OsString;
}

impl Concat for [&OsStr; 3] {
    fn concat(self) -> OsString {
        let mut out = OsString::new();
        for part in self {
            out.push(part);
        }
        out
    }
}

/// What every rank's variables depend on.
pub struct World {
    pub size: usize,
    pub universe: i64,
    /// `MASTER_PORT` for `--torch-env`.
    pub torch_port: Option<u16>,
}

/// The variables that tell a rank who it is. All ranks of the job are on this host.
pub fn of_rank(world: &World, announcement: &Announcement) -> Vec<(&'static str, String)> {
    let (rank, size) = (announcement.rank.to_string(), world.size.to_string());
    let mut vars = vec![
        ("PMI_RANK", rank.clone()),
        ("PMI_SIZE", size.clone()),
        ("PMI_FD", announcement.fd.to_string()),
        // Tells our own library that the server is ours, and how to reach it.
        (door::VARIABLE, announcement.to_text()),
        ("MPI_LOCALNRANKS", size.clone()),
        ("MPI_LOCALRANKID", rank.clone()),
        ("OMPI_COMM_WORLD_SIZE", size.clone()),
        ("OMPI_COMM_WORLD_RANK", rank.clone()),
        ("OMPI_COMM_WORLD_LOCAL_SIZE", size.clone()),
        ("OMPI_COMM_WORLD_LOCAL_RANK", rank.clone()),
        ("OMPI_COMM_WORLD_NODE_RANK", rank.clone()),
        ("OMPI_UNIVERSE_SIZE", world.universe.to_string()),
    ];
    if let Some(port) = world.torch_port {
        vars.extend([
            ("RANK", rank.clone()),
            ("WORLD_SIZE", size.clone()),
            ("LOCAL_RANK", rank),
            ("LOCAL_WORLD_SIZE", size),
            ("MASTER_ADDR", "127.0.0.1".into()),
            ("MASTER_PORT", port.to_string()),
        ]);
    }
    vars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Env {
        [
            ("PATH", "/bin"),
            ("A1", "x"),
            ("A2", "y"),
            ("PMI_RANK", "3"),
            ("PMIX_RANK", "3"),
            ("PMIX_MCA_x", "keep"),
            ("OMPI_COMM_WORLD_RANK", "3"),
            ("OMPI_MCA_btl", "keep"),
        ]
        .map(|(k, v)| (k.into(), v.into()))
        .into()
    }

    fn rules(inherit: Option<Inherit>, changes: &[Change]) -> EnvRules {
        EnvRules {
            inherit,
            changes: changes.to_vec(),
        }
    }

    fn names(env: &Env) -> Vec<&str> {
        env.keys().map(|k| k.to_str().unwrap()).collect()
    }

    #[test]
    fn an_outer_job_leaves_no_trace() {
        let (env, _) = of_program(&own(), &EnvRules::default(), &EnvRules::default());
        assert_eq!(
            names(&env),
            ["A1", "A2", "OMPI_MCA_btl", "PATH", "PMIX_MCA_x"]
        );
    }

    #[test]
    fn lists_and_none() {
        let job = rules(Some(Inherit::Nothing), &[Change::PassOn("A*".into())]);
        let (env, missing) = of_program(&own(), &job, &EnvRules::default());
        assert_eq!(names(&env), ["A1", "A2"]);
        assert!(missing.is_empty());
        let program = rules(Some(Inherit::Only(vec!["PATH".into(), "NO".into()])), &[]);
        let (env, _) = of_program(&own(), &EnvRules::default(), &program);
        assert_eq!(names(&env), ["PATH"]);
    }

    #[test]
    fn changes_in_order() {
        let job = rules(
            None,
            &[
                Change::Set("B".into(), "1".into()),
                Change::Prepend("PATH".into(), "/p".into(), ":".into()),
                Change::Append("NEW".into(), "n".into(), ":".into()),
                Change::Unset("A1".into()),
                Change::PassOn("ABSENT".into()),
            ],
        );
        let program = rules(None, &[Change::Set("B".into(), "2".into())]);
        let (env, missing) = of_program(&own(), &job, &program);
        let get = |k: &str| env.get(OsStr::new(k)).map(|v| v.to_str().unwrap());
        assert_eq!(get("B"), Some("2"));
        assert_eq!(get("PATH"), Some("/p:/bin"));
        assert_eq!(get("NEW"), Some("n"));
        assert_eq!(get("A1"), None);
        assert_eq!(missing, ["ABSENT"]);
    }

    #[test]
    fn what_is_preloaded_stays() {
        let mut env = own();
        preload(&mut env, "/lib/one.so");
        preload(&mut env, "/lib/two.so");
        let found = env.get(OsStr::new("LD_PRELOAD"));
        assert_eq!(found.unwrap(), "/lib/one.so:/lib/two.so");
    }

    #[test]
    fn both_families_identity() {
        let world = World {
            size: 4,
            universe: 4,
            torch_port: None,
        };
        let door = Some(("name".into(), "token".into()));
        let announcement = Announcement {
            socket: 5,
            fd: 9,
            rank: 2,
            size: 4,
            door,
        };
        let vars = of_rank(&world, &announcement);
        assert!(vars.contains(&("PMI_FD", "9".into())));
        assert!(vars.contains(&("OMPI_COMM_WORLD_LOCAL_RANK", "2".into())));
        assert!(!vars.iter().any(|(k, _)| *k == "RANK"));
    }
}

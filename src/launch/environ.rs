//! The environment of the processes.
//!
//! Job: apply the environment options, and remove what an outer job's launcher had set, so that mpiexec inside an
//! MPI process works. It also names the variables by which both families' programs learn who they are. Pure.

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

/// Variables that tell of a host or a session there, so that they are never taken to another one unasked: where a
/// launcher has no device, its ranks elsewhere may have some.
const OF_A_HOST: &[&str] = &[
    "HOSTNAME",
    "HOST",
    "NVIDIA_",
    "CUDA_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "ZE_AFFINITY_MASK",
    "K_MPI_JOB_ROLE",
    "KUBERNETES_",
    "SSH_",
    "DISPLAY",
    "XAUTHORITY",
    "XDG_",
    "DBUS_SESSION_",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "NOTIFY_SOCKET",
    "HOME",
    "USER",
    "LOGNAME",
    "MAIL",
    "SHELL",
    "SHLVL",
    "PWD",
    "OLDPWD",
    "TERM_",
    "TMUX",
    "STY",
    "_",
];

fn of_a_host(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    // A name that ends with a line is a family of names.
    let is_it = |of: &&str| match of.ends_with('_') && of.len() > 1 {
        true => name.starts_with(*of),
        false => name == *of,
    };
    OF_A_HOST.iter().any(is_it)
}

/// Whether a variable belongs to a job's process.
pub fn of_a_job(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let begins = |list: &[&str]| list.iter().any(|p| name.starts_with(p));
    begins(OF_A_JOB) && !begins(OF_THE_USER)
}

/// The environment of one program's processes, before the variables of each rank. `own` is mpiexec's; `elsewhere`: what
/// tells of this host stays here, unless it is named.
/// Returns also the names that `-x` was to hand on but that are not set.
pub fn of_program(
    own: &Env,
    job: &EnvRules,
    program: &EnvRules,
    elsewhere: bool,
) -> (Env, Vec<String>) {
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
    let everything = matches!(inherit, None | Some(Inherit::All));
    let stays = |name: &OsStr| elsewhere && everything && of_a_host(name);
    env.retain(|name, _| !of_a_job(name) && !stays(name));
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

/// The names that no process of a program shall have, whatever its host has.
pub fn unset(job: &EnvRules, program: &EnvRules, env: &Env) -> Vec<OsString> {
    let names = job.changes.iter().chain(&program.changes);
    let names = names.filter_map(|change| match change {
        Change::Unset(name) => Some(OsString::from(name)),
        _ => None,
    });
    names.filter(|name| !env.contains_key(name)).collect()
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    pub size: usize,
    pub universe: i64,
    /// `MASTER_ADDR` and `MASTER_PORT` for `--torch-env`.
    pub torch: Option<(String, u16)>,
}

/// Where a rank is.
pub struct Place<'a> {
    pub rank: usize,
    /// Its number among the ranks of its host.
    pub local_rank: usize,
    pub local_size: usize,
    pub host: &'a str,
}

/// The variables that tell a rank who it is.
pub fn of_rank(
    world: &World,
    place: &Place,
    announcement: &Announcement,
) -> Vec<(&'static str, String)> {
    let (rank, size) = (place.rank.to_string(), world.size.to_string());
    let (local, count) = (place.local_rank.to_string(), place.local_size.to_string());
    let mut vars = vec![
        ("PMI_RANK", rank.clone()),
        ("PMI_SIZE", size.clone()),
        ("PMI_FD", announcement.fd.to_string()),
        ("PMI_HOSTNAME", place.host.to_owned()),
        // Tells our own library that the server is ours, and how to reach it.
        (door::VARIABLE, announcement.to_text()),
        ("MPI_LOCALNRANKS", count.clone()),
        ("MPI_LOCALRANKID", local.clone()),
        ("OMPI_COMM_WORLD_SIZE", size.clone()),
        ("OMPI_COMM_WORLD_RANK", rank.clone()),
        ("OMPI_COMM_WORLD_LOCAL_SIZE", count.clone()),
        ("OMPI_COMM_WORLD_LOCAL_RANK", local.clone()),
        ("OMPI_COMM_WORLD_NODE_RANK", local.clone()),
        (
            "OMPI_UNIVERSE_SIZE",
            u64::try_from(world.universe).map_or_else(|_| size.clone(), |known| known.to_string()),
        ),
    ];
    if let Some((address, port)) = &world.torch {
        vars.extend([
            ("RANK", rank),
            ("WORLD_SIZE", size),
            ("LOCAL_RANK", local),
            ("LOCAL_WORLD_SIZE", count),
            ("MASTER_ADDR", address.clone()),
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
        let (env, _) = of_program(&own(), &EnvRules::default(), &EnvRules::default(), false);
        assert_eq!(
            names(&env),
            ["A1", "A2", "OMPI_MCA_btl", "PATH", "PMIX_MCA_x"]
        );
    }

    #[test]
    fn what_tells_of_a_host_stays_there() {
        let mut own = own();
        for name in ["NVIDIA_VISIBLE_DEVICES", "HOME", "HOSTNAME", "HOSTS", "_"] {
            own.insert(name.into(), "1".into());
        }
        let none = EnvRules::default();
        let (env, _) = of_program(&own, &none, &none, true);
        assert_eq!(
            names(&env),
            ["A1", "A2", "HOSTS", "OMPI_MCA_btl", "PATH", "PMIX_MCA_x"]
        );
        let (env, _) = of_program(&own, &none, &none, false);
        assert_eq!(env.len(), 10);
        let job = rules(None, &[Change::PassOn("HOME".into())]);
        assert!(names(&of_program(&own, &job, &none, true).0).contains(&"HOME"));
    }

    #[test]
    fn lists_and_none() {
        let job = rules(Some(Inherit::Nothing), &[Change::PassOn("A*".into())]);
        let (env, missing) = of_program(&own(), &job, &EnvRules::default(), false);
        assert_eq!(names(&env), ["A1", "A2"]);
        assert!(missing.is_empty());
        let program = rules(Some(Inherit::Only(vec!["PATH".into(), "NO".into()])), &[]);
        let (env, _) = of_program(&own(), &EnvRules::default(), &program, false);
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
        let (env, missing) = of_program(&own(), &job, &program, false);
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
            torch: None,
        };
        let door = Some(("name".into(), "token".into()));
        let announcement = Announcement {
            socket: 5,
            fd: 9,
            rank: 2,
            size: 4,
            door,
        };
        let place = Place {
            rank: 2,
            local_rank: 0,
            local_size: 2,
            host: "h",
        };
        let vars = of_rank(&world, &place, &announcement);
        assert!(vars.contains(&("PMI_FD", "9".into())));
        assert!(vars.contains(&("OMPI_COMM_WORLD_LOCAL_RANK", "0".into())));
        assert!(!vars.iter().any(|(k, _)| *k == "RANK"));
    }
}

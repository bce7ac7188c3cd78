//! What the environment of a process says about where the others are met.
//!
//! * `MPI_ANYMPI_ROOT=host:port`, with `MPI_ANYMPI_SIZE`, `MPI_ANYMPI_RANK` and a [`secret`].
//! * Slurm's variables, where srun has started several tasks and offers no PMI.
//! * torchrun's variables.
//!
//! The last two are believed unless `MPI_ANYMPI_RENDEZVOUS=0`, by which each process is a world of its own.

use std::path::Path;
use std::time::Duration;

use super::{Plan, Where, nodes, secret};
use crate::config;
use crate::handshake::Secret;
use crate::processes::hash;

const ROOT: &str = "MPI_ANYMPI_ROOT";
const RANK: &str = "MPI_ANYMPI_RANK";
const SIZE: &str = "MPI_ANYMPI_SIZE";
/// Ports among which rank 0 takes a free one, where none is agreed.
const PORTS: usize = 16;

type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How this process is to meet the others of its job; `None`: nothing is said of others.
///
/// # Errors
/// What is said makes no sense, or something is missing; the text names variable and value.
pub fn announced(variable: Variable) -> Result<Option<Plan>, String> {
    if let Some(plan) = explicit(variable)? {
        return Ok(Some(plan));
    }
    if config::RENDEZVOUS.read()?.0 == 0 {
        return Ok(None);
    }
    match srun(variable)? {
        Some(plan) => Ok(Some(plan)),
        None => torchrun(variable),
    }
}

fn number(variable: Variable, name: &str) -> Result<Option<u32>, String> {
    let Some(text) = variable(name) else {
        return Ok(None);
    };
    match text.trim().parse() {
        Ok(number) if number < u32::MAX => Ok(Some(number)),
        _ => Err(format!(
            "environment variable {name}='{text}' is not a number"
        )),
    }
}

fn wait() -> Result<Duration, String> {
    Ok(Duration::from_secs(config::ROOT_WAIT.read()?.0))
}

fn explicit(variable: Variable) -> Result<Option<Plan>, String> {
    let (rank, size) = (number(variable, RANK)?, number(variable, SIZE)?);
    let Some(root) = variable(ROOT) else {
        return match (rank, size) {
            (None, None) => Ok(None),
            _ => Err(format!(
                "{RANK} or {SIZE} is set, but not {ROOT}=host:port, which says where the processes meet"
            )),
        };
    };
    let parts = root.trim().rsplit_once(':');
    let parts = parts.and_then(|(host, port)| Some((host, port.parse().ok()?)));
    let (host, port) = match parts {
        Some((host, 1..)) if !host.is_empty() => parts.unwrap_or((host, 0)),
        _ => return Err(format!("{ROOT}='{root}' is not host:port")),
    };
    let Some(secret) = secret::given(variable)? else {
        return Err(format!(
            "{ROOT} is set, and no secret by which the processes know each other: give the same {} to all, or a \
             file that only you can read by {}",
            secret::TEXT,
            secret::FILE
        ));
    };
    Ok(Some(Plan {
        name: "rendezvous",
        group: "rendezvous".into(),
        at: Where::Ports {
            host: host.trim_matches(['[', ']']).into(),
            ports: vec![port],
        },
        may_serve: true,
        secret,
        rank,
        size,
        wait: wait()?,
        hint: format!("all processes must have the same {ROOT}, {SIZE} and secret"),
    }))
}

/// A secret that is none: what keeps others out is that they are other users of this host, or that nobody else knows the
/// name.
fn public(group: &str) -> Secret {
    Secret::of(group)
}

fn srun(variable: Variable) -> Result<Option<Plan>, String> {
    // The highest numbers stand for what is no step of srun's: a batch script, an interactive shell.
    let is_step = |step: &String| step.parse::<u32>().is_ok_and(|id| id < 0xffff_fff0);
    let Some(step) = variable("SLURM_STEP_ID").filter(is_step) else {
        return Ok(None);
    };
    let rank = number(variable, "SLURM_PROCID")?;
    let size = number(variable, "SLURM_STEP_NUM_TASKS")?;
    let (Some(rank), Some(size @ 2..)) = (rank, size) else {
        return Ok(None);
    };
    let job = variable("SLURM_JOB_ID").unwrap_or_default();
    let cluster = variable("SLURM_CLUSTER_NAME").unwrap_or_default();
    let group = format!("srun-{cluster}-{job}.{step}");
    let hint = "the processes are tasks of a Slurm step without a PMI connection; 'srun --mpi=pmi2' gives them one, \
                and MPI_ANYMPI_ROOT another place to meet";
    let list = variable("SLURM_STEP_NODELIST").unwrap_or_default();
    let hosts = nodes::nodes(&list);
    let hosts = hosts.map_err(|what| format!("SLURM_STEP_NODELIST: {what}; {hint}"))?;
    let is_one = hosts.len() == 1;
    let secret = match secret::given(variable)? {
        Some(secret) => secret,
        None if is_one => public(&group),
        None => shared_home(variable).map_err(|what| format!("{what}; {hint}"))?,
    };
    let at = match (variable("SLURM_STEP_RESV_PORTS"), hosts[0].clone()) {
        _ if is_one => Where::Here,
        (Some(list), host) => {
            let ports = nodes::ports(&list, PORTS);
            let ports = ports.map_err(|what| format!("SLURM_STEP_RESV_PORTS: {what}"))?;
            Where::Ports { host, ports }
        }
        // Below those that systems give to whoever asks for any.
        (None, host) => {
            let ports = ports_from(20_000 + (hash(group.bytes()) % 12_000) as u16);
            Where::Ports { host, ports }
        }
    };
    Ok(Some(Plan {
        name: "srun without PMI",
        group,
        at,
        may_serve: rank == 0,
        secret,
        rank: Some(rank),
        size: Some(size),
        wait: wait()?,
        hint: hint.into(),
    }))
}

/// The secret in the user's home, which the hosts of a cluster share.
fn shared_home(variable: Variable) -> Result<Secret, String> {
    let Some(home) = variable("HOME").filter(|home| home.starts_with('/')) else {
        return Err(format!(
            "there is neither {} nor {}, and no HOME to keep a secret in",
            secret::TEXT,
            secret::FILE
        ));
    };
    secret::own(Path::new(&home))
}

fn ports_from(first: u16) -> Vec<u16> {
    (first..=u16::MAX).take(PORTS).collect()
}

fn torchrun(variable: Variable) -> Result<Option<Plan>, String> {
    let Some(run) = variable("TORCHELASTIC_RUN_ID") else {
        return Ok(None);
    };
    let Some(size @ 2..) = number(variable, "WORLD_SIZE")? else {
        return Ok(None);
    };
    let off = "MPI_ANYMPI_RENDEZVOUS=0 makes each process a world of its own";
    let missing = |name| format!("torchrun has started this process, and {name} is missing; {off}");
    let rank = number(variable, "RANK")?.ok_or_else(|| missing("RANK"))?;
    let host = variable("MASTER_ADDR").ok_or_else(|| missing("MASTER_ADDR"))?;
    let port = number(variable, "MASTER_PORT")?.and_then(|port| u16::try_from(port).ok());
    let port = port.ok_or_else(|| missing("MASTER_PORT"))?;
    // Who is started again must not meet those who were there before.
    let restart = variable("TORCHELASTIC_RESTART_COUNT").unwrap_or_default();
    let group = format!("torchrun-{host}-{port}-{run}-{restart}");
    let all_here = number(variable, "LOCAL_WORLD_SIZE")? == Some(size);
    let secret = secret::given(variable)?.unwrap_or_else(|| public(&group));
    let at = match all_here {
        true => Where::Here,
        // The port itself is torch's. The next ones may be, too, or anybody's.
        false => Where::Ports {
            host,
            ports: ports_from(port.saturating_add(1)),
        },
    };
    Ok(Some(Plan {
        name: "torchrun",
        group,
        at,
        may_serve: rank == 0,
        secret,
        rank: Some(rank),
        size: Some(size),
        wait: wait()?,
        hint: format!("torchrun has started the processes, so all must initialise MPI; {off}"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const SECRET: (&str, &str) = (secret::TEXT, "a long enough secret");

    fn plan(variables: &[(&str, &str)]) -> Result<Option<Plan>, String> {
        let variables: HashMap<_, _> = variables.iter().copied().collect();
        announced(&|name| variables.get(name).map(|value| (*value).to_owned()))
    }

    #[test]
    fn an_address_is_said() {
        for (root, host) in [("node1:7000", "node1"), ("[fd00::1]:7000", "fd00::1")] {
            let said = [(ROOT, root), (SIZE, "16"), SECRET];
            let plan = plan(&said).unwrap().unwrap();
            let (host, ports) = (host.to_owned(), vec![7000]);
            assert_eq!(plan.at, Where::Ports { host, ports });
            assert_eq!(
                (plan.rank, plan.size, plan.may_serve),
                (None, Some(16), true)
            );
        }
        assert!(plan(&[]).unwrap().is_none());
        for (said, what) in [
            (&[(ROOT, "a:1")][..], "no secret"),
            (
                &[(ROOT, "a"), SECRET],
                "MPI_ANYMPI_ROOT='a' is not host:port",
            ),
            (&[(ROOT, "a:0"), SECRET], "is not host:port"),
            (&[(ROOT, ":9"), SECRET], "is not host:port"),
            (&[(ROOT, "a:9"), (RANK, "x"), SECRET], "MPI_ANYMPI_RANK='x'"),
            (&[(RANK, "0")], "but not MPI_ANYMPI_ROOT"),
            (&[(SIZE, "2")], "but not MPI_ANYMPI_ROOT"),
        ] {
            let error = plan(said).err().unwrap();
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn torchrun_says_ranks_and_a_port_that_is_its_own() {
        let mut said = vec![
            ("TORCHELASTIC_RUN_ID", "none"),
            ("TORCHELASTIC_RESTART_COUNT", "0"),
            ("WORLD_SIZE", "4"),
            ("RANK", "1"),
            ("LOCAL_WORLD_SIZE", "2"),
            ("MASTER_ADDR", "node1"),
            ("MASTER_PORT", "29500"),
        ];
        let first = plan(&said).unwrap().unwrap();
        let Where::Ports { host, ports } = &first.at else {
            panic!("{:?}", first.at)
        };
        assert_eq!((host.as_str(), ports.len()), ("node1", PORTS));
        assert_eq!((ports[0], ports[PORTS - 1]), (29501, 29516));
        assert_eq!(
            (first.rank, first.size, first.may_serve),
            (Some(1), Some(4), false)
        );
        said[1].1 = "1";
        let again = plan(&said).unwrap().unwrap();
        assert!(again.group != first.group && again.secret != first.secret);
        said[4].1 = "4";
        assert!(matches!(plan(&said).unwrap().unwrap().at, Where::Here));
        said[2].1 = "1";
        assert!(plan(&said).unwrap().is_none());
        said[2].1 = "4";
        let error = plan(&said[..5]).err().unwrap();
        assert!(error.contains("MASTER_ADDR is missing"), "{error}");
        assert!(error.contains("MPI_ANYMPI_RENDEZVOUS=0"), "{error}");
        assert!(plan(&said[1..]).unwrap().is_none());
    }

    #[test]
    fn tasks_of_a_step_meet_at_its_first_node() {
        let home = tempfile::tempdir().unwrap();
        let mut said = vec![
            ("SLURM_STEP_NODELIST", "n[07-08]"),
            ("SLURM_STEP_ID", "3"),
            ("SLURM_JOB_ID", "12"),
            ("SLURM_STEP_NUM_TASKS", "4"),
            ("SLURM_PROCID", "0"),
            ("HOME", home.path().to_str().unwrap()),
        ];
        let first = plan(&said).unwrap().unwrap();
        let Where::Ports { host, ports } = &first.at else {
            panic!("{:?}", first.at)
        };
        assert_eq!((host.as_str(), ports.len()), ("n07", PORTS));
        assert!(ports[0] >= 20_000 && ports[PORTS - 1] < 32_768);
        assert!(first.may_serve);
        assert!(first.secret == secret::own(home.path()).unwrap());
        said.push(("SLURM_STEP_RESV_PORTS", "12000-12003"));
        let Where::Ports { ports, .. } = plan(&said).unwrap().unwrap().at else {
            panic!("ports are reserved")
        };
        assert_eq!(ports, [12000, 12001, 12002, 12003]);
        said[0].1 = "n07";
        assert!(matches!(plan(&said).unwrap().unwrap().at, Where::Here));
        for (at, value) in [(1, "4294967290"), (1, "batch"), (3, "1")] {
            let mut other = said.clone();
            other[at].1 = value;
            assert!(plan(&other).unwrap().is_none(), "{}", said[at].0);
        }
        let error = plan(&said[1..]).err().unwrap();
        assert!(
            error.contains("SLURM_STEP_NODELIST") && error.contains("pmi2"),
            "{error}"
        );
    }
}

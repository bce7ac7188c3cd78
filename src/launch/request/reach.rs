//! How other hosts are named and reached, where the command line does not say: the variables of launchers and operators.
//!
//! Job: those of Hydra, Intel MPI, Open MPI, mpi-operator and Slurm become the same fields that options set.

use super::{Request, host_file, parsed, positive};
use crate::agent::Wanted;
use crate::hosts::{self, Host};
use crate::options::UsageError;
use crate::tree;
use std::path::PathBuf;

/// Reads a variable of mpiexec's environment.
type Var<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How daemons are started on other hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    pub agent: Wanted,
    /// The hosts are those of an allocation of Slurm's, which this mpiexec is in.
    pub in_slurm: bool,
    /// How many agents may be on their way at a time.
    pub parallel: usize,
    /// How many daemons mpiexec and every daemon start at most: beyond that, daemons start further ones.
    pub width: usize,
    /// How often an agent is tried that fails, if the user says.
    pub attempts: Option<usize>,
    /// Seconds that all hosts together may take to come up.
    pub patience: u64,
    /// Where anympi is installed on other hosts, if not where it is here.
    pub prefix: Option<PathBuf>,
}

impl Default for Launch {
    fn default() -> Self {
        Launch {
            agent: Wanted::default(),
            in_slurm: false,
            parallel: 64,
            width: tree::WIDTH,
            attempts: None,
            patience: 60,
            prefix: None,
        }
    }
}

/// Parameters of Open MPI's that mpiexec itself uses.
pub(super) const PARAMETERS: &[&str] = &[
    "plm_rsh_agent",
    "plm_ssh_agent",
    "plm_rsh_args",
    "plm_ssh_args",
    "plm_rsh_num_concurrent",
    "plm_ssh_num_concurrent",
    "plm_rsh_no_tree_spawn",
    "plm_ssh_no_tree_spawn",
    "rml_base_radix",
    "routed_radix",
    "orte_set_default_slots",
    "prte_set_default_slots",
];

/// What variables say, before options do.
pub fn defaults(request: &mut Request, var: Var) -> Result<(), UsageError> {
    let agent = &mut request.launch.agent;
    for (to, names) in [
        (
            &mut agent.kind,
            ["HYDRA_LAUNCHER", "HYDRA_BOOTSTRAP", "I_MPI_HYDRA_BOOTSTRAP"],
        ),
        (
            &mut agent.exec,
            [
                "HYDRA_LAUNCHER_EXEC",
                "HYDRA_BOOTSTRAP_EXEC",
                "I_MPI_HYDRA_BOOTSTRAP_EXEC",
            ],
        ),
        (
            &mut agent.args,
            [
                "HYDRA_LAUNCHER_EXTRA_ARGS",
                "HYDRA_LAUNCH_EXTRA_ARGS",
                "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS",
            ],
        ),
    ] {
        let set = |name| var(name).filter(|text| !text.trim().is_empty());
        *to = names.into_iter().find_map(set);
    }
    for name in PARAMETERS {
        for family in ["OMPI_MCA_", "PRTE_MCA_"] {
            let full = format!("{family}{name}");
            if let Some(text) = var(&full).filter(|text| !text.trim().is_empty()) {
                request.parameter(&full, name, &text)?;
            }
        }
    }
    if let Some(text) = var("HYDRA_LAUNCHER_SSH_LIMIT") {
        request.launch.parallel = positive("HYDRA_LAUNCHER_SSH_LIMIT", &text)?;
    }
    if let Some(text) = var("HYDRA_PROXY_RETRY_COUNT") {
        let retries: usize = parsed("HYDRA_PROXY_RETRY_COUNT", &text, "a number")?;
        request.launch.attempts = Some(retries + 1);
    }
    // Intel's also has words, which mean as many as there are processors.
    request.per_node = var("I_MPI_PERHOST").and_then(|text| text.trim().parse().ok());
    request.per_node = request.per_node.filter(|&count| count > 0);
    Ok(())
}

/// The hosts, if the command line names none; and whether Slurm reaches them.
pub fn hosts(request: &mut Request, var: Var) -> Result<(), UsageError> {
    if request.hosts.is_empty() {
        default_hosts(request, var)?;
    }
    // Hosts of somewhere else than an allocation are reached as without one.
    let nodes = allocation(var)?.unwrap_or_default();
    let is_node = |host: &Host| nodes.iter().any(|node| node.name == host.name);
    request.launch.in_slurm = !request.hosts.is_empty() && request.hosts.iter().all(is_node);
    Ok(())
}

/// The host file of Kubernetes operators and of both families, if the command line names no hosts.
fn default_hosts(request: &mut Request, var: Var) -> Result<(), UsageError> {
    for name in [
        "HYDRA_HOST_FILE",
        "I_MPI_HYDRA_HOST_FILE",
        "OMPI_MCA_orte_default_hostfile",
        "OMPI_MCA_prte_default_hostfile",
        "PRTE_MCA_prte_default_hostfile",
    ] {
        if let Some(file) = var(name).filter(|f| !f.is_empty() && f != "none") {
            request.hosts = host_file(name, &file)?;
            return Ok(());
        }
    }
    if let Some(hosts) = allocation(var)? {
        request.hosts = hosts;
    }
    Ok(())
}

/// The nodes of an allocation of Slurm's that this process is in, unless it is in one of its steps.
fn allocation(var: Var) -> Result<Option<Vec<Host>>, UsageError> {
    let is_number = |id: String| id.parse::<u32>().is_ok_and(|id| id < 0xffff_fff0);
    let in_step = var("SLURM_STEP_ID").is_some_and(is_number);
    let (Some(nodes), Some(_), false) = (var("SLURM_JOB_NODELIST"), var("SLURM_JOB_ID"), in_step)
    else {
        return Ok(None);
    };
    let names = hosts::slurm(&nodes).map_err(|e| UsageError(format!("SLURM_JOB_NODELIST: {e}")))?;
    let counts = ["SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE"];
    let counts = counts
        .iter()
        .find_map(|name| hosts::slurm_counts(&var(name)?));
    let mut counts = counts.unwrap_or_default().into_iter();
    let host = |name| Host {
        name,
        slots: counts.next(),
        ..Host::default()
    };
    Ok(Some(names.into_iter().map(host).collect()))
}

impl Request {
    /// Takes one of [`PARAMETERS`]; `written` is how the user calls it.
    pub(super) fn parameter(
        &mut self,
        written: &str,
        name: &str,
        text: &str,
    ) -> Result<(), UsageError> {
        let launch = &mut self.launch;
        match name {
            "plm_rsh_agent" | "plm_ssh_agent" => launch.agent.exec = Some(text.into()),
            "plm_rsh_args" | "plm_ssh_args" => launch.agent.args = Some(text.into()),
            "plm_rsh_num_concurrent" | "plm_ssh_num_concurrent" => {
                launch.parallel = positive(written, text)?;
            }
            "plm_rsh_no_tree_spawn" | "plm_ssh_no_tree_spawn" => {
                if !matches!(text.trim(), "0" | "false" | "no" | "f" | "n") {
                    launch.width = usize::MAX;
                }
            }
            "rml_base_radix" | "routed_radix" => launch.width = positive(written, text)?,
            _ => self.default_slots = Some(positive(written, text)?),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Asked, read, words};
    use std::ffi::OsString;

    /// As `sh` would cut the line, with these variables in the environment.
    fn operators_job(line: &str, vars: &[(&str, &str)]) -> Request {
        let args: Vec<OsString> = words(line).unwrap().into_iter().map(Into::into).collect();
        let var = |name: &str| {
            let found = vars.iter().find(|(k, _)| *k == name);
            found.map(|(_, v)| (*v).to_owned())
        };
        match read(&args, &var).unwrap() {
            Asked::Job(request) => *request,
            other => panic!("{other:?}"),
        }
    }

    fn names(request: &Request) -> Vec<(&str, Option<usize>)> {
        let hosts = request.hosts.iter();
        hosts.map(|h| (h.name.as_str(), h.slots)).collect()
    }

    #[test]
    fn operators_and_launchers_of_others() {
        let dir = std::env::temp_dir().join(format!("anympi-request-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let write = |name: &str, text: &str| {
            let file = dir.join(name);
            std::fs::write(&file, text).unwrap();
            file.to_str().unwrap().to_owned()
        };
        // mpi-operator: Open MPI, Intel and MPICH.
        let file = write(
            "ompi",
            "pi-worker-0.pi.default.svc slots=2\npi-worker-1.pi.default.svc slots=2\n",
        );
        let r = operators_job(
            "--allow-run-as-root -np 2 -bind-to none -map-by slot -x LD_LIBRARY_PATH -x PATH -mca pml ob1 -mca btl ^openib python x",
            &[
                ("OMPI_MCA_orte_keep_fqdn_hostnames", "true"),
                ("OMPI_MCA_orte_default_hostfile", &file),
                ("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10"),
                ("OMPI_MCA_orte_set_default_slots", "2"),
            ],
        );
        let two = Some(2);
        assert_eq!(
            names(&r),
            [
                ("pi-worker-0.pi.default.svc", two),
                ("pi-worker-1.pi.default.svc", two)
            ]
        );
        let ten = Some("-o ConnectionAttempts=10".to_owned());
        assert_eq!((&r.launch.agent.args, r.default_slots), (&ten, two));
        let file = write(
            "mpich",
            "pi-worker-0.pi.default.svc:2\npi-worker-1.pi.default.svc:2\n",
        );
        for [hosts, args, per_node] in [
            ["HYDRA_HOST_FILE", "HYDRA_LAUNCH_EXTRA_ARGS", "x"],
            [
                "I_MPI_HYDRA_HOST_FILE",
                "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS",
                "I_MPI_PERHOST",
            ],
        ] {
            let vars = [
                (hosts, file.as_str()),
                (args, "-o ConnectionAttempts=10"),
                (per_node, "2"),
            ];
            let r = operators_job("-n 2 /home/mpiuser/pi", &vars);
            assert_eq!(names(&r)[1], ("pi-worker-1.pi.default.svc", two));
            assert_eq!(r.launch.agent.args, ten);
            assert_eq!(r.per_node, two.filter(|_| per_node != "x"));
        }
        // The agent of v1alpha, and a key that is none of ours.
        let r = operators_job(
            "-n 2 prog",
            &[("OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh")],
        );
        assert_eq!(r.launch.agent.exec.as_deref(), Some("/etc/mpi/kubexec.sh"));
        // Volcano.
        let r = operators_job(
            "--allow-run-as-root --host lm-mpi-job-mpiworker-0.lm-mpi-job,lm-mpi-job-mpiworker-1.lm-mpi-job, --prefix /opt/mpi -np 10 prog",
            &[],
        );
        assert_eq!(names(&r).len(), 2);
        assert_eq!(r.launch.prefix.as_deref(), Some("/opt/mpi".as_ref()));
        // Horovod on both families.
        let r = operators_job(
            "--allow-run-as-root --tag-output -np 4 -H h1:2,h2:2 -bind-to none -map-by slot -mca plm_rsh_args \"-p 22\" -mca plm_rsh_no_tree_spawn true -mca plm_rsh_num_concurrent 3 python t.py",
            &[],
        );
        assert_eq!(names(&r), [("h1", two), ("h2", two)]);
        assert_eq!(r.launch.agent.args.as_deref(), Some("-p 22"));
        assert_eq!(r.launch.parallel, 3);
        let r = operators_job(
            "-l -np 4 -ppn 2 -hosts a,b -bind-to none -map-by slot -bootstrap=ssh -bootstrap-exec-args \"-p 22\" -iface eth0 cmd",
            &[],
        );
        assert_eq!(r.launch.agent.kind.as_deref(), Some("ssh"));
        assert_eq!(r.launch.agent.args.as_deref(), Some("-p 22"));
        assert_eq!(r.per_node, two);
        // DeepSpeed, whose parameter is a word too long.
        let r = operators_job(
            "-n 2 -hostfile /dev/null -mca 'btl tcp,self' -mca 'plm_rsh_args \"-p 2222\"^openib' -x PATH python a.py",
            &[],
        );
        let agent = r.launch.agent.args.as_deref().map(crate::agent::words);
        assert_eq!(agent.unwrap(), ["-p", "2222"]);
        // Slurm's allocation, but not its step.
        let slurm = [
            ("SLURM_JOB_ID", "7"),
            ("SLURM_JOB_NODELIST", "n[1-2],x"),
            ("SLURM_TASKS_PER_NODE", "4(x2),1"),
            ("SLURM_STEP_ID", "4294967290"),
        ];
        let r = operators_job("prog", &slurm);
        assert_eq!(
            names(&r),
            [("n1", Some(4)), ("n2", Some(4)), ("x", Some(1))]
        );
        assert!(r.launch.in_slurm);
        let step = [&slurm[..3], &[("SLURM_STEP_ID", "0")]].concat();
        assert!(operators_job("prog", &step).hosts.is_empty());
        let r = operators_job(
            "-host a --bynode --map-by node:nolocal --spawn-timeout 9 prog",
            &slurm,
        );
        assert_eq!((names(&r), r.launch.in_slurm), (vec![("a", None)], false));
        assert!(operators_job("-host x,n2 prog", &slurm).launch.in_slurm);
        assert!(r.by_node && r.no_local && r.launch.patience == 9);
        std::fs::remove_dir_all(dir).unwrap();
    }
}

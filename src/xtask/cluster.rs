//! A Slurm cluster for tests on one machine: a controller where the launcher runs, and two nodes.
//!
//! The hosts are those of `hosts.rs`. Each daemon runs in a space of process ids of its own, so nothing that it has
//! started outlives it, and all of them end with this program, whatever happens. It must not know what runs there.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::hosts::Hosts;
use crate::setup;
use crate::sh::{Cmd, Running};

/// Nodes, and the processors that Slurm takes each for having.
const NODES: usize = 2;
const CPUS: usize = 4;
/// How long the daemons may take to come up.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Cluster {
    // In this order: the hosts end after the daemons.
    daemons: Vec<Running>,
    hosts: Hosts,
    folder: PathBuf,
}

impl Cluster {
    /// Starts one with its files in `folder`.
    pub fn start(folder: &Path) -> Result<Cluster> {
        setup::debian(setup::SLURM)?;
        let hosts = Hosts::new(NODES, folder)?;
        let mut cluster = Cluster {
            daemons: Vec::new(),
            hosts,
            folder: folder.to_owned(),
        };
        cluster.munge()?;
        cluster.configure()?;
        let file = cluster.file("slurm.conf");
        let controller = Cmd::new("slurmctld").args(["-D", "-f", &file]);
        cluster.daemon(0, "slurmctld", controller)?;
        for number in 1..=NODES {
            let name = format!("node{number}");
            let daemon = Cmd::new("slurmd").args(["-D", "-N", &name, "-f", &file]);
            cluster.daemon(number, &name, daemon)?;
        }
        cluster.wait()?;
        Ok(cluster)
    }

    /// Runs a command of Slurm's where users do.
    pub fn on_launcher(&self, cmd: Cmd) -> Cmd {
        self.hosts
            .on(0, cmd.env("SLURM_CONF", self.file("slurm.conf")))
    }

    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    fn output(&self, name: &str) -> Result<File> {
        let path = self.file(&format!("{name}.out"));
        File::create(&path).with_context(|| path)
    }

    /// The daemon by which all of the cluster know who a message is from.
    fn munge(&mut self) -> Result<()> {
        let key = self.file("munge.key");
        fs::write(&key, random()?)?;
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400))?;
        let munged = Cmd::new("munged")
            .args(["--foreground", "--force"])
            .args(["--key-file", &key])
            .args(["--socket", &self.file("munge.socket")])
            .args(["--pid-file", &self.file("munged.pid")])
            .args(["--log-file", &self.file("munged.log")])
            .args(["--seed-file", &self.file("munged.seed")]);
        let output = self.output("munged")?;
        self.daemons.push(munged.start(&output)?);
        Ok(())
    }

    fn configure(&self) -> Result<()> {
        let mut lines = vec![
            "ClusterName=anympi".into(),
            "SlurmctldHost=launcher(10.77.0.254)".into(),
            "SlurmUser=root".into(),
            "SlurmdUser=root".into(),
            format!("AuthInfo=socket={}", self.file("munge.socket")),
            "ProctrackType=proctrack/linuxproc".into(),
            "TaskPlugin=task/none".into(),
            "JobAcctGatherType=jobacct_gather/none".into(),
            "SelectType=select/cons_tres".into(),
            "SelectTypeParameters=CR_CPU".into(),
            "MpiDefault=none".into(),
            // More processors than there are.
            "SlurmdParameters=config_overrides".into(),
            "ReturnToService=2".into(),
            format!("StateSaveLocation={}", self.file("state")),
            format!("SlurmctldPidFile={}", self.file("slurmctld.pid")),
            format!("SlurmctldLogFile={}", self.file("slurmctld.log")),
            format!("SlurmdPidFile={}", self.file("slurmd-%n.pid")),
            format!("SlurmdLogFile={}", self.file("slurmd-%n.log")),
            format!("SlurmdSpoolDir={}", self.file("spool-%n")),
            // Where the plug-in for PMIx makes folders that may exist once on a host.
            format!("TmpFS={}", self.file("tmp-%n")),
            "PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:4".into(),
        ];
        fs::create_dir_all(self.file("state"))?;
        for number in 1..=NODES {
            lines.push(format!(
                "NodeName=node{number} NodeAddr=10.77.0.{number} CPUs={CPUS}"
            ));
            for folder in ["spool", "tmp"] {
                fs::create_dir_all(self.file(&format!("{folder}-node{number}")))?;
            }
        }
        fs::write(self.file("slurm.conf"), lines.join("\n") + "\n")?;
        // Without this slurmd looks for control groups, even where nothing uses them.
        fs::write(self.file("cgroup.conf"), "CgroupPlugin=cgroup/v1\n")?;
        Ok(())
    }

    fn daemon(&mut self, number: usize, name: &str, cmd: Cmd) -> Result<()> {
        let alone = ["--pid", "--fork", "--kill-child", "--mount-proc"];
        let cmd = self.hosts.on(number, cmd.under("unshare", alone));
        let output = self.output(name)?;
        self.daemons.push(cmd.start(&output)?);
        Ok(())
    }

    /// Until all nodes are idle.
    fn wait(&self) -> Result<()> {
        let start = Instant::now();
        loop {
            let sinfo = Cmd::new("sinfo").args(["--noheader", "--Node", "--format=%T"]);
            let done = self.on_launcher(sinfo).seconds(10).run()?;
            if done.ok() && done.stdout.lines().filter(|state| *state == "idle").count() == NODES {
                return Ok(());
            }
            if start.elapsed() > PATIENCE {
                let said = |name: &str| fs::read_to_string(self.file(name)).unwrap_or_default();
                bail!(
                    "Slurm's daemons do not come up: {}\n{}\n{}\n{}",
                    done.tail(5),
                    said("munged.out"),
                    said("slurmctld.out"),
                    said("node1.out")
                );
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

fn random() -> Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = vec![0; 128];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

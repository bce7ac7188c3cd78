//! Hosts for tests on one machine: network namespaces, with a host name each, on one cable.
//!
//! It needs root, and must not know what runs there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::sh::Cmd;

/// Where the launcher runs, and the hosts `node1` and so on. All end when this is dropped.
pub struct Hosts {
    prefix: String,
    count: usize,
    agent: PathBuf,
}

impl Hosts {
    /// Whether this user may make some.
    pub fn can_be() -> bool {
        nix::unistd::geteuid().is_root()
    }

    /// Makes `count` hosts. The agent, which stands for ssh, is written to `folder`.
    pub fn new(count: usize, folder: &Path) -> Result<Hosts> {
        let prefix = format!("anympi-{}-", std::process::id());
        let hosts = Hosts {
            agent: folder.join("agent"),
            count,
            prefix,
        };
        let text = format!(
            "#!/bin/sh\n\
             # agent [OPTION...] HOST COMMAND: as ssh, but to network namespaces.\n\
             while case \"$1\" in -*) true;; *) false;; esac; do shift; done\n\
             host=$1; shift\n\
             exec ip netns exec {}$host unshare --uts sh -c \"hostname $host; $*\"\n",
            hosts.prefix
        );
        fs::write(&hosts.agent, text)?;
        fs::set_permissions(&hosts.agent, fs::Permissions::from_mode(0o755))?;
        let launcher = hosts.name(0);
        hosts.add(&launcher)?;
        ip(&["-n", &launcher, "link", "add", "cable", "type", "bridge"])?;
        ip(&[
            "-n",
            &launcher,
            "addr",
            "add",
            "10.77.0.254/24",
            "dev",
            "cable",
        ])?;
        ip(&["-n", &launcher, "link", "set", "cable", "up"])?;
        for number in 1..=count {
            let (host, end) = (hosts.name(number), format!("to{number}"));
            hosts.add(&host)?;
            let other = ["type", "veth", "peer", "name", "eth0", "netns", &host];
            ip(&[&["-n", &launcher, "link", "add", &end][..], &other].concat())?;
            ip(&[
                "-n", &launcher, "link", "set", &end, "master", "cable", "up",
            ])?;
            let address = format!("10.77.0.{number}/24");
            ip(&["-n", &host, "addr", "add", &address, "dev", "eth0"])?;
            ip(&["-n", &host, "link", "set", "eth0", "up"])?;
        }
        Ok(hosts)
    }

    /// The command that stands for ssh.
    pub fn agent(&self) -> &Path {
        &self.agent
    }

    /// Runs a command where the launcher runs.
    pub fn on_launcher(&self, cmd: Cmd) -> Cmd {
        cmd.under("ip", ["netns", "exec", &self.name(0)])
    }

    /// The namespace of a host, or with 0 of the launcher.
    fn name(&self, number: usize) -> String {
        match number {
            0 => format!("{}launcher", self.prefix),
            number => format!("{}node{number}", self.prefix),
        }
    }

    fn add(&self, name: &str) -> Result<()> {
        ip(&["netns", "add", name])?;
        ip(&["-n", name, "link", "set", "lo", "up"])
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for number in 0..=self.count {
            // Where making it has failed there is none.
            let _ = ip(&["netns", "del", &self.name(number)]);
        }
    }
}

fn ip(args: &[&str]) -> Result<()> {
    Cmd::new("ip").args(args).seconds(20).check().map(drop)
}

//! Hosts for tests on one machine: network namespaces, with a host name each, on one cable.
//!
//! It needs root, and must not know what runs there. A process of its own removes them when this one has ended,
//! however that was, and before that ends what still runs there.

use std::fs;
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};

use crate::setup;
use crate::sh::Cmd;

/// Where a server of ssh listens on each host.
const SSH_PORT: u16 = 2222;

/// Waits until nobody holds its input any more, then ends and removes the namespaces that its arguments name.
const GUARD: &str = "cat >/dev/null; for n in \"$@\"; do ip netns pids $n | xargs -r kill -9; done 2>/dev/null; \
                     for n in \"$@\"; do ip netns del $n; done 2>/dev/null";

/// What a host has in its environment: its name, and those of all others.
const BECOME: &str = "hostname $0 && mount --bind $1 /etc/hosts && shift && exec \"$@\"";

/// Where the launcher runs, and the hosts `node1` and so on. All end when this is dropped.
pub struct Hosts {
    prefix: String,
    count: usize,
    folder: PathBuf,
    /// Of its input nobody but this process has the other end.
    guard: Child,
}

impl Hosts {
    /// Why this user may make none here; nothing where some can be made.
    pub fn refused() -> Option<String> {
        if !nix::unistd::geteuid().is_root() {
            return Some("hosts are network namespaces, which only root makes".into());
        }
        let probe = || -> Result<()> {
            setup::debian(&["iproute2"])?;
            let hosts = Hosts::guarded(1, &std::env::temp_dir())?;
            hosts.add(1)?;
            let tried = Cmd::new("true").under("unshare", ["--uts"]);
            hosts.within(1, tried).check().map(drop)
        };
        let error = probe().err()?;
        Some(format!("no network namespaces here: {error:#}"))
    }

    /// Makes `count` hosts. The agent, which stands for ssh, is written to `folder`.
    pub fn new(count: usize, folder: &Path) -> Result<Hosts> {
        let hosts = Hosts::guarded(count, folder)?;
        let names = (1..=count).map(|number| format!("10.77.0.{number} node{number}\n"));
        let names: String = names.collect();
        let local = "127.0.0.1 localhost\n10.77.0.254 launcher\n";
        fs::write(hosts.known(), format!("{local}{names}"))?;
        let text = format!(
            "#!/bin/sh\n\
             # agent [OPTION...] HOST COMMAND: as ssh, but to network namespaces.\n\
             while case \"$1\" in -*) true;; *) false;; esac; do shift; done\n\
             host=$1; shift\n\
             exec ip netns exec {}$host unshare --uts sh -c \"hostname $host; $*\"\n",
            hosts.prefix
        );
        script(&hosts.agent(), &text)?;
        hosts.add(0)?;
        let launcher = hosts.name(0);
        let on_launcher = |words: &str| ip(&format!("-n {launcher} {words}"));
        // Everywhere the way to the others has the same name, for launchers that are told one.
        on_launcher("link add eth0 type bridge")?;
        on_launcher("addr add 10.77.0.254/24 dev eth0")?;
        on_launcher("link set eth0 up")?;
        for number in 1..=count {
            hosts.add(number)?;
            let host = hosts.name(number);
            on_launcher(&format!(
                "link add to{number} type veth peer name eth0 netns {host}"
            ))?;
            on_launcher(&format!("link set to{number} master eth0 up"))?;
            let address = hosts.address(number);
            ip(&format!("-n {host} addr add {address}/24 dev eth0"))?;
            ip(&format!("-n {host} link set eth0 up"))?;
        }
        Ok(hosts)
    }

    /// No namespaces yet, but somebody who will remove them.
    fn guarded(count: usize, folder: &Path) -> Result<Hosts> {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("anympi-{}-{made}-", std::process::id());
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD, "sh"]);
        guard.args((0..=count).map(|number| name(&prefix, number)));
        // What a terminal sends to the programs in front is not for it.
        guard.process_group(0).stdin(Stdio::piped());
        Ok(Hosts {
            prefix,
            count,
            folder: folder.to_owned(),
            guard: guard.spawn().context("cannot start a shell")?,
        })
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The command that stands for ssh.
    pub fn agent(&self) -> PathBuf {
        self.folder.join("agent")
    }

    /// The names by which the agents know the hosts.
    pub fn names(&self) -> impl Iterator<Item = String> {
        (1..=self.count).map(|number| format!("node{number}"))
    }

    pub fn address(&self, number: usize) -> Ipv4Addr {
        Ipv4Addr::from([10, 77, 0, number as u8])
    }

    /// Runs a command where the launcher runs.
    pub fn on_launcher(&self, cmd: Cmd) -> Cmd {
        self.on(0, cmd)
    }

    /// Runs a command in the network of a host, or with 0 in the launcher's.
    fn within(&self, number: usize, cmd: Cmd) -> Cmd {
        cmd.under("ip", ["netns", "exec", &self.name(number)])
    }

    /// What stands in the `/etc/hosts` of all.
    fn known(&self) -> PathBuf {
        self.folder.join("hosts")
    }

    /// Starts a server of ssh on each host, with keys made for it. The command that reaches it is as the agent.
    pub fn ssh(&self) -> Result<PathBuf> {
        setup::debian(&["openssh-server", "openssh-client"])?;
        let folder = self.folder.join("ssh");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        fs::create_dir_all("/run/sshd")?;
        let dir = shell_words::quote(&folder.to_string_lossy()).into_owned();
        for key in ["user", "server"] {
            Cmd::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(folder.join(key))
                .check()?;
        }
        let server = format!(
            "Port {SSH_PORT}\nHostKey {dir}/server\nAuthorizedKeysFile {dir}/user.pub\nStrictModes no\nUsePAM no\n\
             PidFile none\n"
        );
        fs::write(folder.join("server.conf"), server)?;
        let mut client = format!(
            "Port {SSH_PORT}\nIdentityFile {dir}/user\nIdentitiesOnly yes\nBatchMode yes\nUserKnownHostsFile {dir}/known\n\
             LogLevel ERROR\n"
        );
        let key = fs::read_to_string(folder.join("server.pub"))?;
        let mut known = String::new();
        for (number, name) in (1..).zip(self.names()) {
            let address = self.address(number);
            client += &format!("Host {name}\nHostName {address}\n");
            known += &format!("[{address}]:{SSH_PORT} {key}");
            // It goes on in the background when it listens.
            let server = Cmd::new("/usr/sbin/sshd")
                .arg("-f")
                .arg(folder.join("server.conf"));
            self.on(number, server).seconds(20).check()?;
        }
        fs::write(folder.join("client.conf"), client)?;
        fs::write(folder.join("known"), known)?;
        let ssh = folder.join("ssh");
        script(
            &ssh,
            &format!("#!/bin/sh\nexec ssh -F {dir}/client.conf \"$@\"\n"),
        )?;
        Ok(ssh)
    }

    /// Runs `ip` with these words, by blanks, in a host.
    pub fn ip(&self, number: usize, words: &str) -> Result<()> {
        ip(&format!("-n {} {words}", self.name(number)))
    }

    /// Runs a command on the host of this number, or with 0 where the launcher runs. It has the host's name, and knows
    /// the names of all.
    pub fn on(&self, number: usize, cmd: Cmd) -> Cmd {
        let name = match number {
            0 => "launcher".to_owned(),
            number => format!("node{number}"),
        };
        let known = self.known();
        let words = ["--uts", "sh", "-c", BECOME, &name, &known.to_string_lossy()];
        self.within(number, cmd.under("unshare", words))
    }

    /// Cuts a host off from all others, or connects it again.
    pub fn cut(&self, number: usize, off: bool) -> Result<()> {
        let state = if off { "down" } else { "up" };
        let host = self.name(number);
        ip(&format!("-n {host} link set eth0 {state}"))
    }

    /// The namespace of a host, or with 0 of the launcher.
    pub fn name(&self, number: usize) -> String {
        name(&self.prefix, number)
    }

    fn add(&self, number: usize) -> Result<()> {
        let name = self.name(number);
        ip(&format!("netns add {name}"))?;
        ip(&format!("-n {name} link set lo up"))
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        // A failure would be told of by the test that looks for what is left.
        let _ = self.guard.wait();
    }
}

fn name(prefix: &str, number: usize) -> String {
    match number {
        0 => format!("{prefix}launcher"),
        number => format!("{prefix}node{number}"),
    }
}

/// Writes a script that can be run.
pub fn script(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

fn ip(words: &str) -> Result<()> {
    Cmd::new("ip")
        .args(words.split(' '))
        .seconds(20)
        .check()
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn what_runs_on_a_host_ends_with_it() {
        if let Some(why) = Hosts::refused() {
            eprintln!("skipped: {why}");
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let hosts = Hosts::new(2, dir.path()).unwrap();
        let named = hosts.on(2, Cmd::new("hostname")).check().unwrap();
        assert_eq!(named.stdout, "node2\n");
        let ping = ["-c", "exec 3<>/dev/tcp/10.77.0.2/9"];
        let refused = hosts.on(1, Cmd::new("bash").args(ping)).run().unwrap();
        assert!(refused.stderr.contains("refused"), "{}", refused.stderr);
        let sleeper = Cmd::new("sh").args(["-c", "setsid sleep 77.7 >/dev/null 2>&1 & echo $!"]);
        let pid = hosts.on(1, sleeper).check().unwrap().stdout;
        let process = PathBuf::from(format!("/proc/{}", pid.trim()));
        let prefix = hosts.prefix.clone();
        drop(hosts);
        let begin = Instant::now();
        while process.exists() && begin.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!process.exists());
        let left = Cmd::new("ip").args(["netns", "list"]).check().unwrap();
        assert!(!left.stdout.contains(&prefix), "{}", left.stdout);
    }
}

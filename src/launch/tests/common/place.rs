//! Other hosts are this machine under other names: an agent runs the command here in a shell, so that nothing but its
//! standard input and output connects mpiexec with the other side, as with `kubectl exec`.

use super::*;
use std::os::unix::fs::PermissionsExt;

/// What runs the command: `$1` is the host, the rest the command.
pub const SHELL: &str = "echo Welcome to $1; echo >&2; shift; exec sh -c \"$*\"";

/// A folder with an agent.
pub struct Place {
    pub dir: PathBuf,
}

impl Place {
    pub fn new(name: &str, agent: &str) -> Place {
        let place = Place {
            dir: scratch(&format!("hosts-{name}")),
        };
        let file = place.dir.join("agent");
        fs::write(&file, format!("#!/bin/bash\n{agent}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        place
    }

    pub fn path(&self, name: &str) -> String {
        self.dir.join(name).to_str().unwrap().to_owned()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = command(args);
        command.env("HYDRA_LAUNCHER_EXEC", self.path("agent"));
        command
    }

    pub fn start(&self, args: &[&str]) -> Child {
        start(&mut self.command(args))
    }

    pub fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = finish(self.start(args));
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }

    /// Runs a shell script as `n` ranks on the hosts a and b.
    pub fn script(&self, n: &str, text: &str) -> (i32, String, String) {
        let text = format!("{CLIENT}{text}");
        self.run(&["-hosts", "nodea,nodeb", "-n", n, "bash", "-c", &text])
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Processes whose command line contains a word, but for this one.
pub fn processes(word: &str) -> Vec<i32> {
    let own = std::process::id() as i32;
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|e| e.file_name().to_str()?.parse().ok());
    numbers
        .filter(|&pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            pid != own && String::from_utf8_lossy(&line).contains(word)
        })
        .collect()
}

pub fn parent(pid: i32) -> i32 {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(") ").unwrap_or_default().1;
    fields.split(' ').nth(1).unwrap_or("0").parse().unwrap()
}

/// The daemons of this test, by the environment that their mpiexec has.
pub fn daemons(mark: &str) -> Vec<i32> {
    let all = processes("--anympi-daemon").into_iter();
    all.filter(|pid| {
        let env = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&env).contains(mark)
            && line.ends_with(b"--anympi-daemon\0")
            && line.iter().filter(|&&b| b == 0).count() == 2
            // Its guard is a child of it.
            && !fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().starts_with("mpi-guard")
    })
    .collect()
}

pub fn kill(pid: i32, signal: i32) {
    // SAFETY: a signal to a process of this test.
    unsafe { libc::kill(pid, signal) };
}

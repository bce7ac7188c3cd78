//! What this machine says of itself: its name, the processors we may use, free ports, killed processes.
//!
//! Job: one question to the kernel each, with an answer also where the kernel gives none. No policy.

use crate::cause::Ending;
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The name of this machine.
pub fn own_host() -> String {
    nix::unistd::gethostname()
        .ok()
        .and_then(|n| n.into_string().ok())
        .filter(|n| !n.is_empty())
        .unwrap_or_else(|| "localhost".into())
}

/// The file of this program, also in a root without /proc.
pub fn own_file() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| {
        // SAFETY: the system gives a process the name it was executed by, a text that stays for its life, or
        // null.
        let name = unsafe {
            let name = libc::getauxval(libc::AT_EXECFN) as *const libc::c_char;
            (!name.is_null()).then(|| CStr::from_ptr(name))
        };
        let name = OsStr::from_bytes(name.unwrap_or_default().to_bytes());
        Path::new(name).canonicalize().unwrap_or_default()
    })
}

/// Processor time that the processes of a group have used so far, in ticks of the system's clock; 0 where it does not tell.
pub fn cpu_time(group: Pid) -> u64 {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return 0;
    };
    let used = |entry: std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name, in brackets, may hold anything.
        let fields: Vec<&str> = text.rsplit_once(") ")?.1.split_ascii_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        (number(2)? == group.as_raw() as u64).then_some(number(11)? + number(12)?)
    };
    processes.flatten().filter_map(used).sum()
}

/// Processors this process may run on.
pub fn allowed_cpus() -> Vec<usize> {
    match sched_getaffinity(Pid::from_raw(0)) {
        Ok(set) => (0..CpuSet::count())
            .filter(|&c| set.is_set(c).unwrap_or(false))
            .collect(),
        Err(_) => vec![0],
    }
}

/// A TCP port that nobody uses at this moment.
pub fn free_port() -> Option<u16> {
    let socket = std::net::TcpListener::bind(("127.0.0.1", 0)).ok()?;
    Some(socket.local_addr().ok()?.port())
}

/// How often the out-of-memory killer has struck in our cgroup, where the kernel says so.
pub fn oom_kills() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|l| l.strip_prefix("0::/"))?;
    let events = std::fs::read_to_string(format!("/sys/fs/cgroup/{path}/memory.events")).ok()?;
    events
        .lines()
        .find_map(|l| l.strip_prefix("oom_kill "))?
        .trim()
        .parse()
        .ok()
}

/// A child that has ended, and how; collects it. Any signal may have ended it, a real-time one too.
pub fn next_end() -> Option<(Pid, Ending)> {
    let mut status = 0;
    // SAFETY: the call writes to the passed number only.
    let pid = unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG) };
    let ending = if libc::WIFSIGNALED(status) {
        Ending::Signalled(libc::WTERMSIG(status))
    } else {
        Ending::Exited(libc::WEXITSTATUS(status))
    };
    (pid > 0).then(|| (Pid::from_raw(pid), ending))
}

/// Whether a process runs, or can at least be collected, as a child of this one.
pub fn is_child(pid: Pid) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    waitid(Id::Pid(pid), flags) != Err(Errno::ECHILD)
}

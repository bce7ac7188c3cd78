//! Whether an ancestor of this process has become the rank that the environment announces.
//!
//! Launchers other than anympi's hand the connection down as a descriptor only. A library that takes it marks it as
//! not for children. So a child of an MPI program has the variables and no connection. So has a program behind a
//! helper that closes descriptors. The first runs alone, the second must not. What tells them apart is the ancestor
//! that still has the descriptor, as `/proc` shows it.

use std::fs;
use std::path::Path;

/// Whether the nearest ancestor that has the launcher's socket as descriptor `fd` keeps it from its children.
/// Ancestors are followed as long as their environment announces the same rank; false if nobody can tell.
pub fn have_taken(fd: i32) -> bool {
    let announced: Vec<(&str, String)> = ["PMI_FD", "PMI_RANK", "PMI_ID"]
        .into_iter()
        .filter_map(|name| Some((name, super::variable(name)?)))
        .collect();
    let mut process = parent(Path::new("/proc/self"));
    while let Some(pid) = process {
        let folder = Path::new("/proc").join(pid.to_string());
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        let is_kin = announced.iter().all(|(name, value)| {
            let entry = format!("{name}={value}");
            environment
                .split(|&byte| byte == 0)
                .any(|e| e == entry.as_bytes())
        });
        if !is_kin {
            return false;
        }
        if let Some(taken) = keeps(&folder, fd) {
            return taken;
        }
        process = parent(&folder);
    }
    false
}

/// Whether one of these processes is an ancestor of this one.
pub fn is_below(pids: &[u32]) -> bool {
    let mut process = parent(Path::new("/proc/self"));
    while let Some(pid) = process {
        if pids.contains(&pid) {
            return true;
        }
        process = parent(&Path::new("/proc").join(pid.to_string()));
    }
    false
}

/// The process that has started this one; none above the first of a container.
fn parent(folder: &Path) -> Option<u32> {
    let status = fs::read_to_string(folder.join("status")).ok()?;
    let number = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    number.trim().parse().ok().filter(|&pid| pid != 0)
}

/// Whether a process closes the socket `fd` when it executes a program; `None` if it has no such socket.
fn keeps(folder: &Path, fd: i32) -> Option<bool> {
    let file = fs::read_link(folder.join(format!("fd/{fd}"))).ok()?;
    if !file.to_string_lossy().starts_with("socket:") {
        return None;
    }
    let info = fs::read_to_string(folder.join(format!("fdinfo/{fd}"))).ok()?;
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
    let flags = i32::from_str_radix(flags.trim(), 8).ok()?;
    Some(flags & libc::O_CLOEXEC != 0)
}

//! Shared memory under a foreign launcher: the node's processes find each other through its key space.
//!
//! The lowest rank of a node makes the memory file and tells pid and descriptor; the others open it through
//! `/proc`, which the kernel allows to the same user only. No socket listens, nothing has a name.

use std::os::fd::{AsRawFd, OwnedFd};

use super::pmi1::Client;
use crate::error::{Error, Result, class};
use crate::sys;

/// Shares a memory file among the processes of this node. Returns it with the local rank and size.
pub fn share(client: &mut Client, rank: usize, size: usize) -> Result<(OwnedFd, usize, usize)> {
    let card = |rank: usize| format!("anympi-{rank}");
    let node_identity = node_identity();
    let identity = format!("{node_identity}:{}", std::process::id());
    let mine = super::shared_file(size)?;
    client.put(&card(rank), &format!("{identity}:{}", mine.as_raw_fd()))?;
    client.fence()?;
    let mut node = Vec::new();
    let mut leader = None;
    for other in 0..size {
        let Some(text) = client.get(&card(other))? else {
            crate::fail!(
                OTHER,
                "rank {other} has left no card in the launcher's key space"
            );
        };
        if text.split(':').next() == Some(&node_identity) {
            leader.get_or_insert(text);
            node.push(other);
        }
    }
    let Some(local_rank) = node.iter().position(|&other| other == rank) else {
        crate::fail!(
            OTHER,
            "rank {rank} did not find its own card in the launcher's key space"
        );
    };
    let shared = if local_rank == 0 {
        mine
    } else {
        open_card(leader.as_deref().unwrap_or(""))?
    };
    // The leader keeps its descriptor open until everybody has opened it.
    client.fence()?;
    Ok((shared, local_rank, node.len()))
}

/// Tells nodes apart: the kernel's boot and this process's view of process ids.
fn node_identity() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let pids = std::fs::read_link("/proc/self/ns/pid")
        .map(|link| {
            link.to_string_lossy()
                .chars()
                .filter(char::is_ascii_digit)
                .collect::<String>()
        })
        .unwrap_or_default();
    format!("{}.{}.{}", sys::host_name(), boot.trim(), pids)
}

fn open_card(card: &str) -> Result<OwnedFd> {
    let mut fields = card.rsplit(':');
    let (fd, pid) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
    if fd.parse::<u32>().is_err() || pid.parse::<u32>().is_err() {
        crate::fail!(
            OTHER,
            "a card of no use in the launcher's key space: '{card}'"
        );
    }
    let path = format!("/proc/{pid}/fd/{fd}");
    let file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&path)
        .map_err(|error| {
            Error::new(
                class::OTHER,
                format!("cannot open the shared memory of process {pid} ({path}): {error}"),
            )
        })?;
    Ok(file.into())
}

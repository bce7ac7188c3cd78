//! The memory that a job's processes on this node share.
//!
//! A launcher may hand it over. Under any other each process makes a memory file, and tells the launcher its process id
//! and descriptor. Rank 0 reads what all have told, and publishes which of them share a node and how others reach each
//! ([`Directory`]). All of a node take the file of the lowest one. They open it through `/proc`, which the kernel
//! allows to the same user only. No socket listens, nothing has a name. So each process asks the launcher for a few
//! values, however many processes there are. Knows the trait [`Boot`], and no launcher.

use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd, OwnedFd};

use super::Boot;
use super::directory::{self, Contacts, Directory};
use super::watch::{Pipe, Watch};
use crate::error::{Error, Result, class};
use crate::processes::{Card, hash};
use crate::shm::file;
use crate::sys;

/// Key of what a process tells of itself.
const KEY: &str = "node";
/// Key of the secret that the first process of a job has drawn for it.
const SECRET: &str = "secret";
/// What a contact card calls shared memory.
pub const TRANSPORT: &str = "shm";

/// The memory of a job's processes on one node.
pub struct Memory {
    pub file: OwnedFd,
    /// The number of the node that each process of the job runs on.
    pub nodes: Vec<u32>,
    /// The processes of the job that run on this node, in the order of their places in the memory.
    pub members: Vec<usize>,
    /// How the others are reached; `None` where all run on this node.
    pub net: Option<Net>,
    /// This process's place.
    pub place: usize,
    /// Its part in watching over the others of the node, where the launcher does not.
    pub watch: Option<Watch>,
}

/// What the processes of several nodes know of each other.
pub struct Net {
    pub contacts: Contacts,
    /// What all processes of the job know, and nobody else.
    pub secret: [u8; 32],
}

impl Memory {
    /// The memory of process `me` of a job whose `size` processes all run on this node.
    pub fn of_all(file: OwnedFd, size: usize, me: usize) -> Memory {
        Memory {
            file,
            nodes: vec![0; size],
            members: (0..size).collect(),
            net: None,
            place: me,
            watch: None,
        }
    }

    /// The contact cards of the job's processes.
    pub fn cards(&self) -> Vec<Card> {
        let nodes = self.nodes.iter().max().map_or(0, |last| *last as usize + 1);
        // How many processes of each node have come before.
        let mut before = vec![0; nodes];
        let card = |&node: &u32| {
            let place = &mut before[node as usize];
            let spot = Spot {
                node: node.into(),
                place: *place,
            };
            *place += 1;
            Card::of(TRANSPORT, &spot.to_bytes())
        };
        self.nodes.iter().map(card).collect()
    }
}

/// Where a process is found by shared memory, as its contact card says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Tells the node apart from the others of its job.
    pub node: u64,
    /// The process's place in its job's memory there.
    pub place: u32,
}

impl Spot {
    fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&self.node.to_le_bytes());
        bytes[8..].copy_from_slice(&self.place.to_le_bytes());
        bytes
    }

    /// `None`: these are not bytes of such a card.
    pub fn from_bytes(bytes: &[u8]) -> Option<Spot> {
        let (node, place) = bytes.split_at_checked(8)?;
        Some(Spot {
            node: u64::from_le_bytes(node.try_into().ok()?),
            place: u32::from_le_bytes(place.try_into().ok()?),
        })
    }
}

/// Finds the processes of the job on this node, and the memory that they share. `contact` says how processes of other
/// nodes reach this one, and is asked only where there may be some.
///
/// # Errors
/// `MPI_ERR_OTHER`: the launcher is gone; a process has not told of itself; the memory cannot be made or opened.
pub fn attach(launcher: &mut dyn Boot, contact: impl FnOnce() -> Vec<u8>) -> Result<Memory> {
    match launcher.memory()? {
        Some(memory) => Ok(memory),
        None => share(launcher, &identity(), contact),
    }
}

/// What a process tells of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    /// Tells its node apart from others.
    node: u64,
    pid: u32,
    /// Descriptors of its memory file, of the file for contacts, and of the pipe at which others watch over it; -1: it has
    /// none.
    files: [i32; 3],
    /// How processes of other nodes reach it.
    contact: Vec<u8>,
}

impl Told {
    fn to_text(&self) -> String {
        let Told { node, pid, .. } = self;
        let [memory, contacts, pipe] = self.files;
        let contact = directory::hex(&self.contact);
        format!("{node:x}:{pid}:{memory}:{contacts}:{pipe}:{contact}")
    }

    fn from_text(text: &str) -> Option<Told> {
        let mut fields = text.split(':');
        let mut next = || fields.next();
        Some(Told {
            node: u64::from_str_radix(next()?, 16).ok()?,
            pid: next()?.parse().ok()?,
            files: [
                next()?.parse().ok()?,
                next()?.parse().ok()?,
                next()?.parse().ok()?,
            ],
            contact: directory::unhex(next()?)?,
        })
    }

    /// What a process has told.
    fn get(launcher: &mut dyn Boot, rank: usize) -> Result<Told> {
        let Some(text) = launcher.get(rank, KEY)? else {
            crate::fail!(
                OTHER,
                "rank {rank} has left no card in the launcher's key space"
            );
        };
        let text = String::from_utf8_lossy(&text);
        match Told::from_text(&text) {
            Some(told) => Ok(told),
            None => crate::fail!(
                OTHER,
                "a card of no use in the launcher's key space, of rank {rank}: '{text}'"
            ),
        }
    }

    fn path(&self, file: usize) -> String {
        format!("/proc/{}/fd/{}", self.pid, self.files[file])
    }

    /// Opens one of its files.
    fn open(&self, file: usize) -> Result<OwnedFd> {
        let path = self.path(file);
        let file = OpenOptions::new().read(true).write(true).open(&path);
        file.map(OwnedFd::from).map_err(|error| {
            let what = format!(
                "cannot open the shared memory of process {} ({path}): {error}",
                self.pid
            );
            Error::new(class::OTHER, what)
        })
    }
}

fn share(launcher: &mut dyn Boot, node: &str, contact: impl FnOnce() -> Vec<u8>) -> Result<Memory> {
    let (me, size) = (launcher.identity().index, launcher.identity().size);
    let spans = launcher.may_span();
    let create = |size| {
        let file = file::create(size);
        file.map_err(|error| Error::new(class::OTHER, format!("shared memory: {error}")))
    };
    // Who has none says so, as the others wait for what it tells.
    let mine = [Some(size), spans.then_some(1)].map(|size| size.map(create).transpose());
    let descriptor = |file: &Result<Option<OwnedFd>>| match file {
        Ok(Some(file)) => file.as_raw_fd(),
        _ => -1,
    };
    let pipe = match size > 1 && !launcher.ends_with_each() {
        true => Pipe::new().map(Some),
        false => Ok(None),
    };
    let farewell = pipe.as_ref().ok().and_then(Option::as_ref);
    let farewell = farewell.map_or(-1, Pipe::descriptor);
    let told = Told {
        node: hash(node.bytes()),
        pid: std::process::id(),
        files: [descriptor(&mine[0]), descriptor(&mine[1]), farewell],
        contact: if spans { contact() } else { Vec::new() },
    };
    launcher.put(KEY, told.to_text().as_bytes())?;
    if spans && me == 0 {
        launcher.put(SECRET, &sys::random_bytes::<32>())?;
    }
    launcher.fence()?;
    let [mine, contacts] = mine;
    let (Some(mine), contacts) = (mine?, contacts?) else {
        unreachable!("every process makes a memory file");
    };
    let pipe = pipe.map_err(|error| Error::new(class::OTHER, format!("a pipe: {error}")))?;
    let nodes = match spans {
        true => directory(launcher)?,
        false => vec![0; size],
    };
    let members: Vec<usize> = (0..size).filter(|&rank| nodes[rank] == nodes[me]).collect();
    let leader = Told::get(launcher, members[0])?;
    if leader.node != told.node {
        crate::fail!(
            OTHER,
            "the launcher says that all processes run on one node, but rank {} and rank {me} see different host \
             names, kernels or process ids",
            members[0]
        );
    }
    let leads = members[0] == me;
    let file = match leads {
        true => Ok(mine),
        false => leader.open(0),
    };
    let place = members.iter().position(|&member| member == me);
    let place = place.expect("it is on its own node");
    let next = members[(place + 1) % members.len()];
    let pipe = pipe.filter(|_| next != me);
    let watch = pipe.map(|pipe| watch(launcher, pipe, next)).transpose();
    let net = contacts.filter(|_| members.len() < size).map(|file| {
        let contacts = match leads {
            true => Directory::contacts(launcher, file),
            false => leader.open(1).map(Contacts::of),
        };
        let secret = secret(launcher);
        Ok(Net {
            contacts: contacts?,
            secret: secret?,
        })
    });
    // The leader keeps its descriptors open until everybody has opened them, and has written by then what they read.
    launcher.fence()?;
    Ok(Memory {
        file: file?,
        nodes,
        place,
        members,
        net: net.transpose()?,
        watch: watch?,
    })
}

/// Watches over process `next` of this node.
fn watch(launcher: &mut dyn Boot, pipe: Pipe, next: usize) -> Result<Watch> {
    let told = Told::get(launcher, next)?;
    let wrong = |error| {
        let text = format!("cannot watch over rank {next} of this node: {error}");
        Error::new(class::OTHER, text)
    };
    let file = File::open(told.path(2)).map_err(wrong)?;
    let words = format!(
        "anympi: rank {next} (process {} on {}) has ended without MPI_Finalize; rank {} ends the job\n",
        told.pid,
        sys::host_name(),
        launcher.identity().index
    );
    pipe.watch(file, words, launcher.abort()).map_err(wrong)
}

fn secret(launcher: &mut dyn Boot) -> Result<[u8; 32]> {
    match launcher.get(0, SECRET)?.map(<[u8; 32]>::try_from) {
        Some(Ok(secret)) => Ok(secret),
        _ => crate::fail!(
            OTHER,
            "rank 0 has left no secret in the launcher's key space"
        ),
    }
}

/// The number of the node that each process runs on, which rank 0 finds out for all.
fn directory(launcher: &mut dyn Boot) -> Result<Vec<u32>> {
    let size = launcher.identity().size;
    let mut failed = Ok(());
    if launcher.identity().index == 0 {
        let mut all = Directory::default();
        let told = (0..size).try_for_each(|rank| {
            let Told { node, contact, .. } = Told::get(launcher, rank)?;
            all.add(node, &contact);
            Ok(())
        });
        // The others find nothing, and so do not wait for who has failed.
        failed = told.and_then(|()| all.publish(launcher));
    }
    launcher.fence()?;
    failed?;
    Directory::nodes(launcher)
}

/// Tells nodes apart: the host's name, the kernel's boot and this process's view of process ids.
pub fn identity() -> String {
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

#[cfg(test)]
mod tests;

//! How a process finds its world: who am I, who are the others, and what is the memory that we share.
//!
//! Discovery goes from the most specific announcement to none at all. A launcher that is announced but
//! cannot be joined is an error that names it, never a silent world of size 1.

pub mod door;
mod kin;
mod node;
pub mod pmi1;

use std::os::fd::OwnedFd;

use door::Announcement;

use crate::error::{Error, Result, class};
use crate::shm;
use crate::sys;

/// The world of a process, as its launcher describes it.
pub struct World {
    pub rank: usize,
    pub size: usize,
    /// Number of this program among those started together (attribute `MPI_APPNUM`).
    pub appnum: Option<i32>,
    /// Processes the launcher could start (attribute `MPI_UNIVERSE_SIZE`).
    pub universe_size: Option<i32>,
    /// The memory file shared by the processes of this node.
    pub shared: OwnedFd,
    /// Rank and number of processes within this node's segment.
    pub local_rank: usize,
    pub local_size: usize,
    pub launcher: Launcher,
}

/// The way back to who started us.
pub enum Launcher {
    /// Nobody: a world of one.
    Singleton,
    Pmi1(pmi1::Client),
}

impl Launcher {
    /// One word for messages and `mpi_info`.
    pub fn name(&self) -> &'static str {
        match self {
            Launcher::Singleton => "none (singleton)",
            Launcher::Pmi1(_) => "PMI-1",
        }
    }

    /// The descriptor to write an abort to.
    pub fn descriptor(&self) -> Option<i32> {
        match self {
            Launcher::Singleton => None,
            Launcher::Pmi1(client) => Some(client.descriptor()),
        }
    }

    /// Tells the launcher that this process has initialised the world model.
    pub fn announce_world(&mut self) -> Result<()> {
        match self {
            Launcher::Singleton => Ok(()),
            Launcher::Pmi1(client) => client.announce_world(),
        }
    }

    /// Tells the launcher that this process has left MPI in good order.
    pub fn finalize(&mut self) -> Result<()> {
        match self {
            Launcher::Singleton => Ok(()),
            Launcher::Pmi1(client) => client.finalize(),
        }
    }

    /// Tells the launcher that this process uses MPI again.
    pub fn rejoin(&mut self) -> Result<()> {
        match self {
            Launcher::Singleton => Ok(()),
            Launcher::Pmi1(client) => client.rejoin(),
        }
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// A number in the environment; anything else there is an error that shows it.
fn number(name: &str) -> Result<Option<usize>> {
    let Some(text) = variable(name) else {
        return Ok(None);
    };
    match text.trim().parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => crate::fail!(
            OTHER,
            "environment variable {name}='{text}' is not a number"
        ),
    }
}

/// Finds the world.
///
/// # Errors
/// `MPI_ERR_OTHER`, naming the launcher and what went wrong.
pub fn discover() -> Result<World> {
    let announcement = Announcement::read()?;
    let overtaken = announcement.as_ref().filter(|ours| ours.is_overtaken());
    if let (Some(announcement), None) = (&announcement, overtaken) {
        return ours(announcement);
    }
    if let Some(fd) = number("PMI_FD")? {
        let fd = fd as i32;
        // The socket of the rank in which another launcher runs is not that launcher's: here it is closed.
        drop(overtaken.and_then(|outer| sys::inherited_socket(fd, Some(outer.socket))));
        if let Some(socket) = sys::inherited_socket(fd, None) {
            return pmi1(pmi1::Client::over(socket));
        }
        // A PMIx launcher within a rank leaves that rank's variable as it was.
        let is_outer =
            overtaken.is_some_and(|outer| outer.fd == fd) && variable("PMIX_NAMESPACE").is_some();
        if !is_outer && !kin::have_taken(fd) {
            crate::fail!(
                OTHER,
                "PMI_FD={fd} announces a launcher, but a program between it and this one has closed that \
                 descriptor (Python's subprocess does so unless close_fds=False). Under anympi's mpiexec this works; \
                 to run alone, remove the variables PMI_* from the environment"
            );
        }
    } else if let Some(address) = variable("PMI_PORT") {
        let id = number("PMI_ID")?.or(number("PMI_RANK")?);
        let Some(id) = id else {
            crate::fail!(
                OTHER,
                "PMI_PORT='{address}' announces a launcher, but PMI_ID is missing"
            );
        };
        return pmi1(pmi1::Client::connect(&address, id)?);
    }
    foreign()?;
    singleton()
}

/// Under anympi's mpiexec. The first process of a rank to come is the rank, others are worlds of their own.
fn ours(announcement: &Announcement) -> Result<World> {
    // Ours to close, too: a child of this process must not speak in its name.
    let inherited = number("PMI_FD")?
        .and_then(|fd| sys::inherited_socket(fd as i32, Some(announcement.socket)));
    match (announcement.join(), inherited) {
        (Ok(Some(client)), _) => pmi1(client),
        (Ok(None), _) => singleton(),
        (Err(_), Some(socket)) => pmi1(pmi1::Client::of_ours(socket)),
        (Err(error), None) => Err(error),
    }
}

/// Launchers that we recognise but cannot join yet: an error, as their processes would otherwise each be
/// rank 0 of 1.
fn foreign() -> Result<()> {
    let several = |size: &str| number(size).map(|size| size.is_some_and(|size| size > 1));
    if variable("PMIX_NAMESPACE").is_some() && variable("PMIX_RANK").is_some() {
        crate::fail!(
            OTHER,
            "this process was started by a PMIx launcher (PMIX_NAMESPACE is set), which this version of \
             anympi cannot join; start it with anympi's mpiexec, or with 'srun --mpi=pmi2'"
        );
    }
    if variable("SLURM_STEP_ID")
        .is_some_and(|step| step.parse::<u32>().is_ok_and(|id| id < 0xffff_fff0))
        && variable("SLURM_PROCID").is_some()
        && several("SLURM_STEP_NUM_TASKS")?
    {
        crate::fail!(
            OTHER,
            "this process is one of several tasks of a Slurm step without a PMI connection; use \
             'srun --mpi=pmi2'"
        );
    }
    Ok(())
}

fn singleton() -> Result<World> {
    Ok(World {
        rank: 0,
        size: 1,
        appnum: None,
        universe_size: None,
        shared: shared_file(1)?,
        local_rank: 0,
        local_size: 1,
        launcher: Launcher::Singleton,
    })
}

fn shared_file(processes: usize) -> Result<OwnedFd> {
    shm::file::create(processes)
        .map_err(|error| Error::new(class::OTHER, format!("shared memory: {error}")))
}

fn pmi1(mut client: pmi1::Client) -> Result<World> {
    let (rank, size) = client.init()?;
    let appnum = client.appnum()?;
    let universe_size = client.universe_size()?;
    let (shared, local_rank, local_size) = if client.is_ours() {
        (client.segment()?, rank, size)
    } else {
        node::share(&mut client, rank, size)?
    };
    if local_size != size {
        crate::fail!(
            OTHER,
            "the launcher placed {size} processes on more than one node ({local_size} here); this version \
             of anympi connects processes of one node only"
        );
    }
    Ok(World {
        rank,
        size,
        appnum,
        universe_size,
        shared,
        local_rank,
        local_size,
        launcher: Launcher::Pmi1(client),
    })
}

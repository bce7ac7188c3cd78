//! How a process meets its job: what every launcher gives, behind one trait.
//!
//! [`discover`](discover::discover) finds the launcher. Each kind of launcher is a module of its own. [`node`]
//! finds by the trait the memory that the processes of a node share. Knows nothing of messages, transports or
//! communicators.

pub mod directory;
pub mod discover;
pub mod door;
mod kin;
mod names;
pub mod node;
pub mod order;
pub mod own;
pub mod pmi1;
mod pmix;
mod rendezvous;
mod singleton;
pub mod watch;

use crate::error::Result;
use node::Memory;

/// What a program hears that is not the first of its task.
const ONE_PROGRAM: &str = "Slurm serves one MPI program in each task, and so not one that comes after another; under 'srun \
                           --mpi=none' several can follow each other";

/// Who a process is, as its launcher says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Name of the job: the same in all of its processes, and no other job's.
    pub job: String,
    /// Number of the process in its job, which is its rank in `MPI_COMM_WORLD`.
    pub index: usize,
    /// Number of processes of the job.
    pub size: usize,
    /// Number of this program among those started together (attribute `MPI_APPNUM`).
    pub appnum: Option<i32>,
    /// Processes the launcher could start (attribute `MPI_UNIVERSE_SIZE`).
    pub universe_size: Option<i32>,
}

/// What a launcher is asked to start: one program of `MPI_Comm_spawn_multiple` (MPI-5.0 section 11.8.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub command: String,
    pub arguments: Vec<String>,
    /// The most processes to start (`maxprocs`).
    pub processes: usize,
    /// All hints for this program, in their order. A launcher passes over those that it does not know.
    pub info: Vec<(String, String)>,
}

/// How to end the whole job: usable in a signal handler, and while any lock is held.
#[derive(Clone, Copy)]
pub struct Abort {
    pub descriptor: i32,
    /// Tells the launcher at the descriptor: what the process ends with, and the code that the program has passed.
    /// May call nothing but what POSIX allows in a signal handler.
    pub tell: fn(descriptor: i32, status: i32, code: i32),
}

/// The way to the launcher of a process.
pub trait Boot {
    /// A few words for messages and `mpi_info`.
    fn name(&self) -> &'static str;

    fn identity(&self) -> &Identity;

    /// Stores a value of this process for the others, which see it after the next [`fence`](Self::fence).
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone or refuses.
    fn put(&mut self, key: &str, value: &[u8]) -> Result<()>;

    /// The value that process `index` of the job has stored, if it has.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone.
    fn get(&mut self, index: usize, key: &str) -> Result<Option<Vec<u8>>>;

    /// Waits until every process of the job has come here.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone, or a process does not come.
    fn fence(&mut self) -> Result<()>;

    /// Whether some of the job's processes may run on other nodes.
    fn may_span(&self) -> bool {
        self.identity().size > 1
    }

    /// Whether the launcher ends the job when one of its processes dies.
    fn ends_with_each(&self) -> bool {
        true
    }

    /// The memory for the processes of this node, if the launcher hands it over.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone or refuses.
    fn memory(&mut self) -> Result<Option<Memory>> {
        Ok(None)
    }

    /// How to end the whole job; `None` if there is nobody to tell.
    fn abort(&self) -> Option<Abort>;

    /// Tells the launcher that this process has initialised the world model, so that it needs all others.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone.
    fn announce_world(&mut self) -> Result<()> {
        Ok(())
    }

    /// Tells the launcher that this process has left MPI in good order.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone.
    fn finalize(&mut self) -> Result<()> {
        Ok(())
    }

    /// Tells the launcher that this process uses MPI again.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone.
    fn rejoin(&mut self) -> Result<()> {
        Ok(())
    }

    /// Starts programs as a job of their own, whose processes find `values` by [`given`](Self::given). Returns when
    /// the processes run, although they may not have come to MPI yet. The result has one code for each process that
    /// was asked for, in the order of the programs: 0, or class `MPI_ERR_SPAWN` for one that was not started.
    ///
    /// # Errors
    /// `MPI_ERR_SPAWN`: this launcher starts no processes while a job runs, or none of these could be started. The
    /// text names what and why.
    fn spawn(&mut self, programs: &[Program], _values: &[(&str, &str)]) -> Result<Vec<i32>> {
        let commands = programs.iter().map(|program| program.command.as_str());
        crate::fail!(
            SPAWN,
            "the launcher of this process, {}, cannot start {}",
            self.name(),
            commands.collect::<Vec<_>>().join(", ")
        )
    }

    /// Whether a job that this process has spawned has ended before anybody of it has connected, as far as the launcher
    /// tells: the reason, once. Who waits for spawned processes to connect asks this from time to time.
    fn ended(&mut self) -> Option<String> {
        None
    }

    /// A value that was given with the spawn of this process's job; `None` for a job that was not spawned.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone.
    fn given(&mut self, _key: &str) -> Result<Option<String>> {
        Ok(None)
    }

    /// Publishes the name of a port under the name of a service (MPI-5.0 section 11.9.4).
    ///
    /// # Errors
    /// `MPI_ERR_SERVICE`: the service is published already, or there is nowhere to publish it.
    fn publish(&mut self, service: &str, port: &str) -> Result<()> {
        names::publish(service, port)
    }

    /// The port of a published service, if it is published.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone.
    fn lookup(&mut self, service: &str) -> Result<Option<String>> {
        Ok(names::lookup(service))
    }

    /// Takes back what was published.
    ///
    /// # Errors
    /// `MPI_ERR_SERVICE`: the service is not published.
    fn unpublish(&mut self, service: &str) -> Result<()> {
        names::unpublish(service)
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

//! Process creation and connections: one function per MPI operation (MPI-5.0, chapter 11).
//!
//! Arguments arrive converted to the core's vocabulary; the door has checked that MPI is usable and
//! holds the lock. Nothing here knows a C ABI.

use std::time::Duration;

use crate::api::prelude::*;
use crate::boot::Program;
use crate::constructors::{dynamic, make};
use crate::error::class;
use crate::fail;

/// Info key: how many seconds an operation may wait for the other side.
const TIMEOUT: &str = "timeout";

/// How long the info object says that an operation may wait.
///
/// # Errors
/// `MPI_ERR_INFO_VALUE`: its value is no number of seconds.
fn patience(mpi: &Mpi, info: Info) -> Result<Option<Duration>> {
    let Some(value) = pairs(mpi, info)?
        .into_iter()
        .find(|(key, _)| key == TIMEOUT)
    else {
        return Ok(None);
    };
    let seconds = value.1.trim().parse().ok();
    match seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
        Some(patience) => Ok(Some(patience)),
        None => fail!(
            INFO_VALUE,
            "info key '{TIMEOUT}' is '{}': a number of seconds was expected",
            value.1
        ),
    }
}

/// A string that counts at the root alone, and may be null elsewhere.
///
/// # Errors
/// `MPI_ERR_ARG`: a null pointer at the root.
fn text(string: Option<Str>, name: &str) -> Result<String> {
    match string {
        Some(string) => Ok(string.text().into_owned()),
        None => fail!(
            ARG,
            "{name} is a null pointer at the root; a string was expected"
        ),
    }
}

/// What an info object says; nothing for `MPI_INFO_NULL`.
fn pairs(mpi: &Mpi, info: Info) -> Result<Vec<(String, String)>> {
    match info {
        Info::NULL => Ok(Vec::new()),
        info => Ok(mpi.info(info)?.pairs()),
    }
}

/// Lets nobody in at a port any more. (MPI-5.0, 11.9.2)
///
/// # Errors
/// `MPI_ERR_PORT`: no open port of this process.
pub fn close_port(mpi: &Mpi, port_name: Str) -> Result<()> {
    let port = dynamic::open_port(mpi, &port_name.text())?;
    mpi.engine().close_port(&port);
    Ok(())
}

/// Waits for a group that connects to a port of the root's, and joins it to this one. Collective; `port_name` and `info` count
/// at the root alone. (MPI-5.0, 11.9.2)
///
/// # Errors
/// `MPI_ERR_PORT`: the root has no such port open, or nobody has come within the info key `timeout`, in seconds.
/// `MPI_ERR_ROOT`, `MPI_ERR_COMM`: no such rank, or an inter-communicator.
pub fn comm_accept(
    mpi: &Mpi,
    port_name: Option<Str>,
    info: Info,
    root: Rank,
    comm: Comm,
    newcomm: Out<Comm>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let port = || Ok((text(port_name, "port_name")?, patience(mpi, info)?));
    let new = dynamic::accept(mpi, port, root, &comm)?;
    newcomm.set(new.handle);
    Ok(())
}

/// Joins this group to the one that accepts at a port. Collective; `port_name` and `info` count at the root alone.
/// (MPI-5.0, 11.9.2)
///
/// # Errors
/// `MPI_ERR_PORT`: no name of a port, nobody listens there, or nobody has accepted within the info key `timeout`, in
/// seconds (30 without it). `MPI_ERR_ROOT`, `MPI_ERR_COMM`: no such rank, or an inter-communicator.
pub fn comm_connect(
    mpi: &Mpi,
    port_name: Option<Str>,
    info: Info,
    root: Rank,
    comm: Comm,
    newcomm: Out<Comm>,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let port = || Ok((text(port_name, "port_name")?, patience(mpi, info)?));
    let new = dynamic::connect(mpi, port, root, &comm)?;
    newcomm.set(new.handle);
    Ok(())
}

/// Frees a communicator once all its processes have come here. Collective. (MPI-5.0, 11.10.4)
///
/// # Errors
/// `MPI_ERR_COMM`: predefined. What an attribute's delete function returned.
pub fn comm_disconnect(mpi: &Mpi, comm: InOut<Comm>) -> Result<()> {
    make::disconnect(mpi, comm.get())?;
    comm.set(Comm::NULL);
    Ok(())
}

/// The communicator with the processes that spawned this one; `MPI_COMM_NULL` if nobody did, or it has been freed.
/// (MPI-5.0, 11.8.2)
pub fn comm_get_parent(mpi: &Mpi, parent: Out<Comm>) -> Result<()> {
    let there = mpi.comms.find(mpi.parent.get()).is_ok();
    parent.set(if there { mpi.parent.get() } else { Comm::NULL });
    Ok(())
}

/// Joins two processes that have a connected socket. (MPI-5.0, 11.10.5)
///
/// # Errors
/// `MPI_ERR_ARG`: no connected socket. `MPI_ERR_OTHER`: the other process does not call this function, or cannot be reached.
pub fn comm_join(mpi: &Mpi, fd: i32, intercomm: Out<Comm>) -> Result<()> {
    let alone = mpi.comm(Comm::SELF)?;
    let new = dynamic::join_by(mpi, fd, &alone)?;
    intercomm.set(new.handle);
    Ok(())
}

/// A program that is to be started.
///
/// # Errors
/// `MPI_ERR_ARG`: a negative number of processes. `MPI_ERR_INFO`: no info object.
fn program(mpi: &Mpi, command: &str, argv: Strs, maxprocs: i32, info: Info) -> Result<Program> {
    let Ok(processes) = usize::try_from(maxprocs) else {
        fail!(
            ARG,
            "maxprocs = {maxprocs}: a number of at least 0 was expected"
        );
    };
    Ok(Program {
        command: command.trim().to_owned(),
        arguments: argv.until_null(),
        processes,
        info: pairs(mpi, info)?,
    })
}

/// Starts programs, and tells the caller which processes could be started.
fn spawn(
    mpi: &Mpi,
    programs: impl FnOnce() -> Result<Vec<Program>>,
    (root, comm): (Rank, Comm),
    intercomm: Out<Comm>,
    codes: ErrorCodesOut,
) -> Result<()> {
    let comm = mpi.comm(comm)?;
    let mut asked = 0;
    let programs = || {
        let programs = programs()?;
        asked = programs.iter().map(|program| program.processes).sum();
        match asked {
            0 => fail!(ARG, "maxprocs: there is no process to start"),
            _ => Ok(programs),
        }
    };
    let spawned = dynamic::spawn(mpi, programs, root, &comm);
    let all = match &spawned {
        Ok((_, all)) => all.clone(),
        Err(_) => vec![class::SPAWN; asked],
    };
    if !codes.is_null() {
        for (index, code) in all.into_iter().enumerate() {
            codes.set(index, ErrorCode(code));
        }
    }
    intercomm.set(spawned?.0.handle);
    Ok(())
}

/// Starts processes of one program, and makes an inter-communicator with them. Collective; what is to be started counts
/// at the root alone. (MPI-5.0, 11.8.2)
///
/// # Errors
/// `MPI_ERR_SPAWN`: no process could be started, or they have ended before they were connected. `MPI_ERR_ARG`: a negative number of
/// processes. `MPI_ERR_ROOT`, `MPI_ERR_COMM`: no such rank, or an inter-communicator.
pub fn comm_spawn(
    mpi: &Mpi,
    command: Option<Str>,
    argv: Strs,
    maxprocs: i32,
    info: Info,
    root: Rank,
    comm: Comm,
    intercomm: Out<Comm>,
    array_of_errcodes: ErrorCodesOut,
) -> Result<()> {
    let programs = || {
        let command = text(command, "command")?;
        Ok(vec![program(mpi, &command, argv, maxprocs, info)?])
    };
    spawn(mpi, programs, (root, comm), intercomm, array_of_errcodes)
}

/// As [`comm_spawn`] with several programs, whose processes form one world. (MPI-5.0, 11.8.3)
///
/// # Errors
/// As [`comm_spawn`]; `MPI_ERR_COUNT`: a negative number of programs.
pub fn comm_spawn_multiple(
    mpi: &Mpi,
    count: i32,
    array_of_commands: Strs,
    array_of_argv: StrLists,
    array_of_maxprocs: Ints,
    array_of_info: Handles<Info>,
    root: Rank,
    comm: Comm,
    intercomm: Out<Comm>,
    array_of_errcodes: ErrorCodesOut,
) -> Result<()> {
    let programs = || {
        let Ok(count) = usize::try_from(count) else {
            fail!(COUNT, "count = {count}: a number of programs was expected");
        };
        array_of_maxprocs.require(count)?;
        array_of_info.require(count)?;
        let program = |index| {
            let Some(command) = array_of_commands.get(index) else {
                fail!(ARG, "array_of_commands[{index}] is a null pointer");
            };
            let (argv, processes) = (array_of_argv.get(index), array_of_maxprocs.get(index));
            program(mpi, &command, argv, processes, array_of_info.get(index))
        };
        (0..count).map(program).collect()
    };
    spawn(mpi, programs, (root, comm), intercomm, array_of_errcodes)
}

/// The port of a published service. (MPI-5.0, 11.9.4)
///
/// # Errors
/// `MPI_ERR_NAME`: nobody has published it.
pub fn lookup_name(mpi: &Mpi, service_name: Str, info: Info, port_name: StrOut) -> Result<()> {
    pairs(mpi, info)?;
    let service = service_name.text();
    match mpi.engine().launcher().lookup(&service)? {
        Some(port) => port_name.set(&port, mpi.facts().limits.port_name),
        None => fail!(NAME, "service_name = '{service}': nobody has published it"),
    };
    Ok(())
}

/// Opens a port at which other groups can connect to this one. (MPI-5.0, 11.9.2)
///
/// # Errors
/// `MPI_ERR_OTHER`: no interface of this host can be used.
pub fn open_port(mpi: &Mpi, info: Info, port_name: StrOut) -> Result<()> {
    pairs(mpi, info)?;
    let longest = mpi.facts().limits.port_name;
    let port = mpi.engine().open_port(longest)?;
    port_name.set(&port.to_string(), longest);
    Ok(())
}

/// Publishes a port under the name of a service. (MPI-5.0, 11.9.4)
///
/// # Errors
/// `MPI_ERR_SERVICE`: the name is taken, or there is nowhere to publish it.
pub fn publish_name(mpi: &Mpi, service_name: Str, info: Info, port_name: Str) -> Result<()> {
    pairs(mpi, info)?;
    let (service, port) = (service_name.text(), port_name.text());
    mpi.engine().launcher().publish(&service, &port)
}

/// Takes back what was published. (MPI-5.0, 11.9.4)
///
/// # Errors
/// `MPI_ERR_SERVICE`: this process has not published it.
pub fn unpublish_name(mpi: &Mpi, service_name: Str, info: Info, port_name: Str) -> Result<()> {
    pairs(mpi, info)?;
    let _ = port_name;
    mpi.engine().launcher().unpublish(&service_name.text())
}

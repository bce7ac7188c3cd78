//! Starting one rank: descriptors, process group, binding, death signal.
//!
//! Job: from a program and a rank's place to a running process whose ends of the pipes and of the PMI socket mpiexec
//! holds. The child does as little as possible between fork and exec, and nothing that allocates.

use crate::environ::{self, Place, World};
use crate::guard::tie_to;
use crate::interpreter;
use crate::plan::Program;
use crate::signals::Signals;
use anympi_core::boot::door::Announcement;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
use nix::sys::stat::fstat;
use nix::unistd::{Pid, pipe2};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A started process and mpiexec's ends of its streams, all non-blocking.
pub struct Started {
    pub child: Child,
    pub pmi: OwnedFd,
    pub stdin: Option<OwnedFd>,
    pub stdout: OwnedFd,
    /// `None` when standard error goes into standard output's pipe.
    pub stderr: Option<OwnedFd>,
}

/// How the streams of a rank are set up.
#[derive(Clone, Copy)]
pub struct Streams {
    /// The rank reads mpiexec's standard input; otherwise /dev/null.
    pub stdin: bool,
    pub merge: bool,
}

/// What ties a rank to the job besides its own descriptors.
pub struct Ties<'a> {
    /// The pipe to the guard.
    pub guard: BorrowedFd<'a>,
    /// The name of the door, and the rank's token.
    pub door: Option<(String, String)>,
}

/// What mpiexec changed for itself and a rank must find as it was.
#[derive(Clone, Copy)]
pub struct Before {
    pub open_files: libc::rlimit,
    pub signals: Signals,
}

pub fn start(
    program: &Program,
    cpus: Option<&[usize]>,
    place: &Place,
    world: &World,
    streams: Streams,
    before: &Before,
    ties: Ties,
) -> io::Result<Started> {
    let (pmi, pmi_of_child) = socketpair(
        AddressFamily::Unix,
        SockType::Stream,
        None,
        SockFlag::SOCK_CLOEXEC,
    )?;
    let (stdout, stdout_of_child) = pipe2(OFlag::O_CLOEXEC)?;
    let announcement = Announcement {
        socket: fstat(&pmi_of_child)?.st_ino,
        fd: pmi_of_child.as_raw_fd(),
        rank: place.rank,
        size: world.size,
        door: ties.door,
    };
    let mut command = Command::new(&program.file);
    command
        .arg0(&program.argv[0])
        .args(&program.argv[1..])
        .env_clear()
        .envs(&program.env)
        .envs(environ::of_rank(world, place, &announcement))
        .process_group(0);
    if let Some(dir) = &program.wdir {
        command.current_dir(dir);
        command.env("PWD", dir.canonicalize().unwrap_or_else(|_| dir.clone()));
    }
    let stdin = if streams.stdin {
        let (read, write) = pipe2(OFlag::O_CLOEXEC)?;
        command.stdin(Stdio::from(read));
        Some(write)
    } else {
        command.stdin(nothing()?);
        None
    };
    let stderr = if streams.merge {
        command.stderr(Stdio::from(stdout_of_child.try_clone()?));
        None
    } else {
        let (read, write) = pipe2(OFlag::O_CLOEXEC)?;
        command.stderr(Stdio::from(write));
        Some(read)
    };
    command.stdout(Stdio::from(stdout_of_child));
    let cpus = cpus.map(cpu_set);
    let launcher = Pid::this();
    let pmi_fd = pmi_of_child.as_raw_fd();
    let guard = ties.guard.as_raw_fd();
    let before = *before;
    let prepare = move || {
        // SAFETY: plain system calls on a descriptor and a limit that the child owns; no memory is touched.
        unsafe {
            libc::fcntl(pmi_fd, libc::F_SETFD, 0);
            libc::setrlimit(libc::RLIMIT_NOFILE, &before.open_files);
        }
        before.signals.restore()?;
        if let Some(set) = &cpus {
            // Failing to bind is no reason not to run.
            let _ = sched_setaffinity(Pid::from_raw(0), set);
        }
        tie_to(launcher, guard)
    };
    // SAFETY: `prepare` makes only async-signal-safe system calls and does not allocate.
    unsafe { command.pre_exec(prepare) };
    let child = command.spawn()?;
    for fd in [Some(&pmi), Some(&stdout), stderr.as_ref(), stdin.as_ref()]
        .into_iter()
        .flatten()
    {
        set_nonblocking(fd)?;
    }
    Ok(Started {
        child,
        pmi,
        stdin,
        stdout,
        stderr,
    })
}

/// Standard input at its end: /dev/null, or in a root that has none a pipe that nobody writes to.
fn nothing() -> io::Result<Stdio> {
    Ok(match File::open("/dev/null") {
        Ok(null) => null.into(),
        Err(_) => pipe2(OFlag::O_CLOEXEC)?.0.into(),
    })
}

/// Why a program could not be started. That a file is not there may mean its interpreter.
pub fn why(error: &io::Error, file: &Path) -> String {
    match interpreter::of(file) {
        Some(needed) if error.kind() == io::ErrorKind::NotFound && !Path::new(&needed).exists() => {
            format!("it needs '{needed}', which is not there")
        }
        _ => error.to_string(),
    }
}

pub fn set_nonblocking(fd: &OwnedFd) -> nix::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(fd, FcntlArg::F_GETFL)?);
    fcntl(fd, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}

/// A kernel set of processors; numbers beyond its size are left out.
fn cpu_set(cpus: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    for &cpu in cpus {
        let _ = set.set(cpu);
    }
    set
}

/// Raises the number of files mpiexec may open to what is allowed, and returns the former limit, which the
/// ranks shall have.
pub fn raise_open_files() -> libc::rlimit {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: both calls only read or write the passed object.
    unsafe {
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        let raised = libc::rlimit {
            rlim_cur: limit.rlim_max,
            rlim_max: limit.rlim_max,
        };
        libc::setrlimit(libc::RLIMIT_NOFILE, &raised);
    }
    limit
}

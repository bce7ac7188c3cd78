//! What to start: every rank with its program, environment and processors, before anything runs.
//!
//! Job: check the request against this machine (hosts, slots, programs, directories), so that a mistake is
//! one clear message and not a half-started job. It starts nothing.

use crate::bind;
use crate::environ::{self, Env};
use crate::hosts;
use crate::library;
use crate::machine::{allowed_cpus, own_file, own_host};
use crate::request::{App, Request, StdinTo};
use nix::unistd::{AccessFlags, access};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The library of `--shm-heap`, in its prefix.
const ALLOCATOR: &str = "lib/libanympi_heap.so";

/// A program of the job, ready to start.
#[derive(Debug)]
pub struct Program {
    pub file: PathBuf,
    /// `argv`, its first word as the user wrote it.
    pub argv: Vec<OsString>,
    pub wdir: Option<PathBuf>,
    pub env: Env,
}

/// One process of the job; its rank is its place in `Plan::procs`.
#[derive(Debug)]
pub struct Proc {
    pub program: usize,
    pub cpus: Option<Vec<usize>>,
}

#[derive(Debug)]
pub struct Plan {
    pub host: String,
    pub programs: Vec<Program>,
    pub procs: Vec<Proc>,
    pub universe: i64,
    /// Things worth saying that are no errors.
    pub warnings: Vec<String>,
}

/// A request that cannot be carried out, and mpiexec's exit code for it.
#[derive(Debug, PartialEq, Eq)]
pub struct PlanError {
    pub code: i32,
    pub text: String,
}

impl PlanError {
    fn new(text: String) -> Self {
        PlanError { code: 1, text }
    }
}

/// Turns a request into a plan. `own` is mpiexec's environment.
pub fn make(request: &Request, own: &Env) -> Result<Plan, PlanError> {
    let host = own_host();
    let allowed = allowed_cpus();
    if let Some(remote) = request
        .hosts
        .iter()
        .find(|h| !hosts::is_local(&h.name, &host))
    {
        return Err(PlanError::new(format!(
            "host '{}' is not this machine ({host}), and this mpiexec starts processes on this machine only",
            remote.name
        )));
    }
    let slots = match request.hosts.as_slice() {
        [] => allowed.len(),
        hosts => hosts.iter().map(|h| h.slots.unwrap_or(1)).sum(),
    };
    let mut warnings = request.warnings.clone();
    let mut programs = Vec::new();
    let mut numbers = Vec::new();
    for (number, app) in request.apps.iter().enumerate() {
        let count = app.count.or(request.per_node).unwrap_or(slots.max(1));
        numbers.extend(std::iter::repeat_n(number, count));
        let (mut env, missing) = environ::of_program(own, &request.env, &app.env);
        for name in missing {
            warnings.push(format!(
                "variable {name} is to be passed on, but it is not set"
            ));
        }
        if let Some(own) = library::own_folder().filter(|_| request.library_path) {
            library::put_first(&mut env, &own);
        }
        if request.shared_heap {
            environ::preload(&mut env, &allocator()?);
        }
        programs.push(program(app, env, &host)?);
    }
    let size = numbers.len();
    if let Some(most) = request.per_node.filter(|&most| size > most) {
        warnings.push(format!(
            "{size} processes are asked for, {most} on each host; all of them run on {host}, the only one"
        ));
    }
    if request.limit_slots && size > slots {
        return Err(PlanError::new(format!(
            "{size} processes are asked for, but there are {slots} slots and --nooversubscribe forbids more"
        )));
    }
    if let StdinTo::Rank(rank) = request.stdin
        && rank >= size
    {
        return Err(PlanError::new(format!(
            "standard input is for rank {rank}, but the ranks are 0 to {}",
            size - 1
        )));
    }
    let binding = bind::deal(&request.bind, size, &allowed, Path::new("/sys"));
    warnings.extend(binding.note);
    let procs = numbers
        .into_iter()
        .zip(binding.ranks)
        .map(|(program, cpus)| Proc { program, cpus })
        .collect();
    Ok(Plan {
        host,
        programs,
        procs,
        universe: request.universe.unwrap_or(size.max(slots) as i64),
        warnings,
    })
}

/// The allocator of `--shm-heap`, in the prefix that this program is installed in.
fn allocator() -> Result<String, PlanError> {
    let program = own_file();
    let prefix = program.parent().and_then(Path::parent);
    let file = prefix.map_or_else(PathBuf::new, |prefix| prefix.join(ALLOCATOR));
    let path = file.display().to_string();
    if !file.is_file() {
        return Err(PlanError::new(format!(
            "--shm-heap needs '{path}', which is not there: is mpiexec where it was installed?"
        )));
    }
    if path.contains([' ', ':']) {
        return Err(PlanError::new(format!(
            "--shm-heap cannot load '{path}': the loader takes blanks and colons for the ends of a name"
        )));
    }
    Ok(path)
}

fn program(app: &App, env: Env, host: &str) -> Result<Program, PlanError> {
    let name = &app.command[0];
    if let Some(dir) = &app.wdir
        && !dir.is_dir()
    {
        return Err(PlanError::new(format!(
            "the working directory '{}' of program '{}' does not exist on {host}",
            dir.display(),
            name.display()
        )));
    }
    let file = find(
        name,
        app.path.as_deref(),
        env.get(OsStr::new("PATH")),
        app.wdir.as_deref(),
    )
    .map_err(|errno| PlanError {
        code: if errno == nix::Error::ENOENT {
            127
        } else {
            126
        },
        text: format!(
            "cannot start program '{}' on {host}: {} (errno {})",
            name.display(),
            errno.desc(),
            errno as i32
        ),
    })?;
    Ok(Program {
        file,
        argv: app.command.clone(),
        wdir: app.wdir.clone(),
        env,
    })
}

/// The file to execute: `-path`, then PATH, then the working directory; a name with a slash is taken as it is.
fn find(
    name: &OsStr,
    path: Option<&str>,
    env_path: Option<&OsString>,
    wdir: Option<&Path>,
) -> Result<PathBuf, nix::Error> {
    // Relative to the working directory, as an absolute path: the child changes directory before it executes.
    let here = match (std::env::current_dir(), wdir) {
        (Ok(cwd), Some(dir)) => cwd.join(dir),
        (Ok(cwd), None) => cwd,
        (Err(_), dir) => dir.unwrap_or(Path::new(".")).to_owned(),
    };
    let check = |file: PathBuf| {
        access(&file, AccessFlags::X_OK)?;
        if file.is_dir() {
            Err(nix::Error::EISDIR)
        } else {
            Ok(file)
        }
    };
    if name.as_encoded_bytes().contains(&b'/') {
        return check(here.join(name));
    }
    let mut worst = nix::Error::ENOENT;
    let env_path = env_path.map_or(OsStr::new("/usr/local/bin:/usr/bin:/bin"), |p| p);
    let first = std::env::split_paths(path.unwrap_or_default());
    for dir in first.chain(std::env::split_paths(env_path)) {
        match check(here.join(dir).join(name)) {
            Ok(file) => return Ok(file),
            Err(nix::Error::EACCES) => worst = nix::Error::EACCES,
            Err(_) => {}
        }
    }
    check(here.join(name)).map_err(|e| if e == nix::Error::ENOENT { worst } else { e })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{self, Asked};

    fn plan(line: &str) -> Result<Plan, PlanError> {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let own: Env = [("PATH".into(), "/usr/bin:/bin".into())].into();
        match request::read(&args, &|_| None).unwrap() {
            Asked::Job(request) => make(&request, &own),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ranks_follow_the_command_line() {
        let plan = plan("-n 2 sh a : -n 1 true").unwrap();
        let programs: Vec<usize> = plan.procs.iter().map(|p| p.program).collect();
        assert_eq!(programs, [0, 0, 1]);
        assert!(plan.programs[0].file.is_absolute());
        assert_eq!(plan.programs[0].argv, ["sh", "a"]);
    }

    #[test]
    fn counts_from_hosts() {
        assert_eq!(
            plan("-host localhost:3,127.0.0.1 true")
                .unwrap()
                .procs
                .len(),
            4
        );
        assert_eq!(plan("-ppn 5 true").unwrap().procs.len(), 5);
        assert_eq!(plan("-n 9 -host localhost true").unwrap().procs.len(), 9);
        let warnings = |line: &str| plan(line).unwrap().warnings;
        for line in ["--map-by ppr:1:node -np 2 true", "-ppn 1 -n 2 true"] {
            let said = warnings(line).concat();
            assert!(
                said.contains("2 processes are asked for, 1 on each host"),
                "{said}"
            );
        }
        assert!(warnings("--map-by ppr:2:node -np 2 true").is_empty());
        assert!(!warnings("--rankfile f -n 1 true").is_empty());
    }

    #[test]
    fn what_cannot_be_done_is_said_before_the_start() {
        for (line, code, text) in [
            ("-n 1 ./no-such-program", 127, "'./no-such-program'"),
            ("-n 1 no-such-program", 127, "errno 2"),
            ("-n 1 /etc/passwd", 126, "errno 13"),
            ("-n 1 /", 126, "errno 21"),
            ("-n 1 -wdir /no/such/dir true", 1, "/no/such/dir"),
            ("-n 1 -host elsewhere.example true", 1, "elsewhere.example"),
            (
                "-n 3 -host localhost:2 --nooversubscribe true",
                1,
                "2 slots",
            ),
            ("-n 2 --stdin 2 true", 1, "rank 2"),
        ] {
            let error = plan(line).unwrap_err();
            assert_eq!(error.code, code, "{line}: {}", error.text);
            assert!(error.text.contains(text), "{line}: {}", error.text);
        }
    }
}

//! The program `mpiexec`: from the command line to the exit code.

use crate::OPEN_MPI_RELEASE;
use crate::agent;
use crate::daemon;
use crate::environ::Env;
use crate::guard::Guard;
use crate::job;
use crate::options;
use crate::plan::{self, Plan};
use crate::request::{self, Asked, Request};
use crate::say::{answer, complain};
use crate::signals::Signals;
use crate::spawned;
use crate::start::{self, Before};
use anympi_core::boot::own;
use nix::sys::prctl::set_child_subreaper;
use std::ffi::OsString;

/// How its own lines begin.
const NAME: &str = "mpiexec";

/// First line of `--version`: programs that start `mpirun` choose their options by the family's name in it.
fn version() -> String {
    let own = env!("CARGO_PKG_VERSION");
    format!("mpirun (Open MPI) {OPEN_MPI_RELEASE} (anympi {own})")
}

/// Runs mpiexec with `args` (without `argv[0]`) and returns its exit code.
pub fn main(args: &[OsString]) -> i32 {
    if args.first().is_some_and(|word| word == agent::DAEMON) {
        return daemon::main();
    }
    if args.first().is_some_and(|word| word == own::SPAWNED) {
        return spawned::main();
    }
    let var = |name: &str| std::env::var(name).ok();
    match request::read(args, &var) {
        Ok(Asked::Help) => answer(NAME, options::help()),
        Ok(Asked::Version) => answer(NAME, version() + "\n"),
        Ok(Asked::Info) => answer(
            NAME,
            version()
                + "\nstart of processes: on this machine by fork and exec, on others by ssh, srun or any agent\n\
                   process management interface: PMI-1 on an inherited socket, or by a name and a token in the environment\n",
        ),
        Ok(Asked::Job(request)) => run(&request),
        Err(error) => {
            complain(NAME, error);
            1
        }
    }
}

fn run(request: &Request) -> i32 {
    let own: Env = std::env::vars_os().collect();
    let plan = match plan::make(request, &own) {
        Ok(plan) => plan,
        Err(error) => {
            complain(NAME, &error.text);
            return error.code;
        }
    };
    if request.verbose {
        for note in &request.notes {
            complain(NAME, note);
        }
    }
    if !request.quiet {
        for warning in &plan.warnings {
            complain(NAME, warning);
        }
    }
    if request.display_map || request.verbose {
        show_map(&plan);
    }
    if request.do_not_launch {
        return 0;
    }
    match start(request, &plan) {
        Ok(code) => code,
        Err(error) => {
            complain(NAME, error);
            1
        }
    }
}

fn start(request: &Request, plan: &Plan) -> std::io::Result<i32> {
    let guard = Guard::start()?;
    // What a rank's shell leaves behind when it ends becomes a child of ours, so its end is noticed and collected.
    // Without it, whoever else collects it does, and may be slow.
    let _ = set_child_subreaper(true);
    let before = Before {
        open_files: start::raise_open_files(),
        signals: Signals::take()?,
    };
    job::run(request, plan, &before, guard, None)
}

/// Which rank runs what, where.
fn show_map(plan: &Plan) {
    let count = plan.procs.len();
    let names: Vec<&str> = plan.sites.iter().map(|s| s.name.as_str()).collect();
    complain(NAME, format!("{count} processes on {}", names.join(", ")));
    for (rank, proc) in plan.procs.iter().enumerate() {
        let found = plan.here.iter().find(|(number, _)| *number == proc.program);
        let site = &plan.sites[proc.site];
        let name = match found.filter(|_| site.local) {
            Some((_, program)) => program.file.display().to_string(),
            None => plan.scripts[proc.program].command[0].display().to_string(),
        };
        let host = match names.as_slice() {
            [_] => String::new(),
            _ => format!("{}: ", site.name),
        };
        complain(NAME, format!("  rank {rank}: {host}{name}"));
    }
}

//! The program `mpiexec`: from the command line to the exit code.

use crate::OPEN_MPI_RELEASE;
use crate::environ::Env;
use crate::guard::Guard;
use crate::job;
use crate::options;
use crate::plan::{self, Plan};
use crate::request::{self, Asked, Request};
use crate::start::{self, Before};
use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{SigHandler, SigmaskHow, Signal, signal};
use std::ffi::OsString;

/// First line of `--version`: programs that start `mpirun` choose their options by the family's name in it.
fn version() -> String {
    let own = env!("CARGO_PKG_VERSION");
    format!("mpirun (Open MPI) {OPEN_MPI_RELEASE} (anympi {own})")
}

/// Runs mpiexec with `args` (without `argv[0]`) and returns its exit code.
pub fn main(args: &[OsString]) -> i32 {
    let var = |name: &str| std::env::var(name).ok();
    match request::read(args, &var) {
        Ok(Asked::Help) => print!("{}", options::help()),
        Ok(Asked::Version) => println!("{}", version()),
        Ok(Asked::Info) => {
            println!("{}", version());
            println!("start of processes: this machine, by fork and exec");
            println!(
                "process management interface: PMI-1 on an inherited socket, or by a name and a token in the environment"
            );
        }
        Ok(Asked::Job(request)) => return run(&request),
        Err(error) => {
            eprintln!("mpiexec: {error}");
            return 1;
        }
    }
    0
}

fn run(request: &Request) -> i32 {
    let own: Env = std::env::vars_os().collect();
    let plan = match plan::make(request, &own) {
        Ok(plan) => plan,
        Err(error) => {
            eprintln!("mpiexec: {}", error.text);
            return error.code;
        }
    };
    if request.verbose {
        for note in &request.notes {
            eprintln!("mpiexec: {note}");
        }
    }
    if !request.quiet {
        for warning in &plan.warnings {
            eprintln!("mpiexec: {warning}");
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
            eprintln!("mpiexec: {error}");
            1
        }
    }
}

fn start(request: &Request, plan: &Plan) -> std::io::Result<i32> {
    let guard = Guard::start()?;
    // What a rank's shell leaves behind when it ends becomes a child of ours, so its end is noticed and collected.
    // Without it, whoever else collects it does, and may be slow.
    let _ = set_child_subreaper(true);
    // SAFETY: ignoring a signal runs no code in a handler. A read from the terminal in the background then
    // fails instead of stopping mpiexec.
    unsafe { signal(Signal::SIGTTIN, SigHandler::SigIgn) }?;
    let set = job::handled_signals();
    let before = Before {
        open_files: start::raise_open_files(),
        signals: set.thread_swap_mask(SigmaskHow::SIG_BLOCK)?,
    };
    job::run(request, plan, &before, &set, guard)
}

/// Which rank runs what, where.
fn show_map(plan: &Plan) {
    eprintln!("mpiexec: {} processes on {}", plan.procs.len(), plan.host);
    for (rank, proc) in plan.procs.iter().enumerate() {
        let program = &plan.programs[proc.program];
        eprintln!("mpiexec:   rank {rank}: {}", program.file.display());
    }
}

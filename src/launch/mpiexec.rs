//! The program `mpiexec`: from the command line to the exit code.

use crate::OPEN_MPI_RELEASE;
use crate::agent;
use crate::bind;
use crate::daemon;
use crate::environ::Env;
use crate::guard::Guard;
use crate::job;
use crate::machine::allowed_cpus;
use crate::options;
use crate::plan::{self, Plan};
use crate::request::{self, Asked, Request};
use crate::say::{answer, complain};
use crate::signals::Signals;
use crate::spawned;
use crate::start::{self, Before};
use crate::topology::Topology;
use anympi_core::boot::own;
use nix::sys::prctl::set_child_subreaper;
use std::ffi::OsString;
use std::path::Path;

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
        show_map(request, &plan);
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

/// Which rank runs what, where; and on this host on which processors.
fn show_map(request: &Request, plan: &Plan) {
    let world = plan.world(request);
    let allowed = allowed_cpus();
    let topology = Topology::read(Path::new("/sys"), &allowed);
    let (ranks, hosts) = (plan.procs.len(), plan.sites.len());
    complain(NAME, format!("{ranks} processes on {hosts} hosts"));
    for (number, site) in plan.sites.iter().enumerate() {
        let (orders, programs) = plan.orders(number, &world, request);
        let mut line = format!(
            "  {}: {} of {} slots",
            site.name,
            orders.posts.len(),
            site.slots
        );
        if site.local {
            line += &format!(", {}", topology.picture(&[], &allowed));
        }
        complain(NAME, line);
        let bound = site
            .local
            .then(|| bind::deal(&orders.bind, &orders.posts, &allowed, &topology).ranks);
        for (at, post) in orders.posts.iter().enumerate() {
            let number = programs[post.program];
            let found = plan.here.iter().find(|(of, _)| *of == number);
            let name = match found.filter(|_| site.local) {
                Some((_, program)) => program.file.display().to_string(),
                None => plan.scripts[number].command[0].display().to_string(),
            };
            let cpus = bound.as_ref().and_then(|ranks| ranks[at].as_ref());
            let cpus = cpus.map_or(String::new(), |cpus| {
                format!(", {}", topology.picture(cpus, &allowed))
            });
            complain(NAME, format!("    rank {}: {name}{cpus}", post.rank));
        }
    }
}

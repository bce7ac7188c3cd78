//! Spawning without a launcher: this process starts an mpiexec of its own for each job that it spawns.
//!
//! The two are connected by a socket, over which the order goes, the answer comes, and each notices the end of the
//! other. What the spawned processes write comes out where this process writes. Knows nothing of the rest of `Boot`.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::Program;
use super::pmi1::Client;
use crate::error::{Error, Result, class};
use crate::sys;

/// Names the mpiexec, in place of the one that is installed with this library.
const OVERRIDE: &str = "MPI_ANYMPI_MPIEXEC";
/// The first argument of an mpiexec that takes an order on its standard input.
pub const SPAWNED: &str = "--anympi-spawned";

/// The launchers of the jobs that this process has spawned.
#[derive(Default)]
pub struct Launchers {
    all: Vec<Launcher>,
}

struct Launcher {
    child: Child,
    client: Client,
    /// Nothing more is to be heard of its job.
    over: bool,
}

/// The mpiexec beside this library, or the one that the shell would find.
fn mpiexec() -> PathBuf {
    if let Some(path) = super::variable(OVERRIDE).filter(|text| !text.is_empty()) {
        return path.into();
    }
    let library = sys::own_library();
    let mut prefixes = library.iter().flat_map(|file| file.ancestors().skip(2));
    let found = prefixes.by_ref().take(2).map(|p| p.join("bin/mpiexec"));
    found
        .into_iter()
        .find(|file| file.is_file())
        .unwrap_or_else(|| "mpiexec".into())
}

impl Launchers {
    /// Starts programs as a job, as [`Boot::spawn`](super::Boot::spawn).
    ///
    /// # Errors
    /// `MPI_ERR_SPAWN`: the mpiexec cannot be started, or cannot start the programs.
    pub fn spawn(&mut self, programs: &[Program], values: &[(&str, &str)]) -> Result<Vec<i32>> {
        self.spawn_by(&mpiexec(), programs, values)
    }

    fn spawn_by(
        &mut self,
        file: &Path,
        programs: &[Program],
        values: &[(&str, &str)],
    ) -> Result<Vec<i32>> {
        // Nobody waits for an earlier job any more that has ended by now.
        while self.ended().is_some() {}
        self.forget_ended();
        let start = || -> std::io::Result<(Child, UnixStream)> {
            let (ours, its) = UnixStream::pair()?;
            let mut command = Command::new(file);
            command.arg(SPAWNED).stdin(Stdio::from(OwnedFd::from(its)));
            // What the terminal sends to this process is this process's business.
            let child = command.process_group(0).spawn()?;
            Ok((child, ours))
        };
        let (child, socket) = match start() {
            Ok(started) => started,
            Err(error) => crate::fail!(
                SPAWN,
                "cannot start '{}', which starts processes: {error}; {OVERRIDE}=PATH names it",
                file.display()
            ),
        };
        let mut client = Client::of_ours(socket.into());
        let spawned = client.spawn(programs, values);
        let launcher = Launcher {
            child,
            client,
            over: spawned.is_err(),
        };
        self.all.push(launcher);
        spawned.map_err(|error| match error.code() {
            class::SPAWN => error,
            _ => Error::new(
                class::SPAWN,
                format!(
                    "'{}', which starts processes, has not done so: {error}; is it anympi's? {OVERRIDE}=PATH names \
                     another",
                    file.display()
                ),
            ),
        })
    }

    /// How a job has ended before it came to MPI; each once.
    pub fn ended(&mut self) -> Option<String> {
        let mut open = self.all.iter_mut().filter(|launcher| !launcher.over);
        open.find_map(|launcher| {
            let (early, how) = launcher.client.word()?;
            launcher.over = true;
            Some(how).filter(|_| early)
        })
    }

    /// This process leaves MPI, and its end means nothing for the jobs any more.
    pub fn leave(&mut self) {
        for launcher in &mut self.all {
            launcher.client.leave();
        }
        self.forget_ended();
    }

    fn forget_ended(&mut self) {
        // Where the application has collected it, it has ended too.
        let runs = |launcher: &mut Launcher| matches!(launcher.child.try_wait(), Ok(None));
        self.all.retain_mut(runs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_are_no_mpiexec_of_ours_are_named() {
        let program = Program {
            command: "worker".into(),
            processes: 2,
            ..Program::default()
        };
        // Nobody has put one beside a test.
        assert_eq!(mpiexec(), PathBuf::from("mpiexec"));
        for (file, what) in [
            ("/nowhere/mpiexec", "No such file"),
            ("true", "has not done so"),
        ] {
            let mut launchers = Launchers::default();
            let error = launchers.spawn_by(Path::new(file), std::slice::from_ref(&program), &[]);
            let error = error.unwrap_err();
            assert_eq!(error.code(), class::SPAWN);
            assert!(error.what().contains(file), "{error}");
            assert!(error.what().contains(what), "{error}");
            assert_eq!(launchers.ended(), None);
        }
    }
}

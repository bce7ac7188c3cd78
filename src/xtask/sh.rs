//! Runs other programs: with a deadline, in a process group of their own, output captured or passed on.
//!
//! Every program that xtask starts goes through here, so none can hang it or outlive it: at the
//! deadline the whole group gets SIGTERM and two seconds later SIGKILL, and a child gets SIGTERM
//! when xtask itself dies. It must not know what the programs are for.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// How long a group has between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(2);
/// What a program gets that names no limit of its own.
const DEFAULT_LIMIT: Duration = Duration::from_secs(120);

/// A program to run.
#[derive(Clone, Debug)]
pub struct Cmd {
    program: OsString,
    args: Vec<OsString>,
    env: Vec<(OsString, Option<OsString>)>,
    dir: Option<PathBuf>,
    limit: Duration,
}

/// How a program ended and what it wrote.
#[derive(Clone, Debug)]
pub struct Done {
    /// Absent if the program was stopped at its deadline.
    pub status: Option<ExitStatus>,
    pub stdout: String,
    pub stderr: String,
    /// Wall time in seconds.
    pub seconds: f64,
    shown: String,
}

impl Cmd {
    pub fn new(program: impl AsRef<OsStr>) -> Cmd {
        Cmd {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            env: Vec::new(),
            dir: None,
            limit: DEFAULT_LIMIT,
        }
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Cmd {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Cmd {
        self.args
            .extend(args.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    /// Run by another program, with these arguments before it.
    pub fn under<S: AsRef<OsStr>>(
        mut self,
        program: impl AsRef<OsStr>,
        args: impl IntoIterator<Item = S>,
    ) -> Cmd {
        let args = args.into_iter().map(|a| a.as_ref().to_owned());
        let own = std::mem::replace(&mut self.program, program.as_ref().to_owned());
        self.args = args.chain([own]).chain(self.args).collect();
        self
    }

    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Cmd {
        self.env
            .push((name.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Cmd {
        self.env.push((name.as_ref().to_owned(), None));
        self
    }

    pub fn dir(mut self, dir: impl Into<PathBuf>) -> Cmd {
        self.dir = Some(dir.into());
        self
    }

    /// Wall time after which the program and all it started are ended.
    pub fn limit(mut self, limit: Duration) -> Cmd {
        self.limit = limit;
        self
    }

    /// `limit` in seconds.
    pub fn seconds(self, seconds: u64) -> Cmd {
        self.limit(Duration::from_secs(seconds))
    }

    /// The command line as a user would type it.
    pub fn shown(&self) -> String {
        std::iter::once(&self.program)
            .chain(&self.args)
            .map(|a| shell_words::quote(&a.to_string_lossy()).into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Runs it and keeps its output. An error only if it could not be started.
    pub fn run(&self) -> Result<Done> {
        let mut command = self.command();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = Instant::now();
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start {}", self.shown()))?;
        let stdout = Collector::of(child.stdout.take());
        let stderr = Collector::of(child.stderr.take());
        let status = self.wait(&mut child, start)?;
        let stdout = stdout.finish(&child);
        let stderr = stderr.finish(&child);
        Ok(Done {
            status,
            stdout,
            stderr,
            seconds: start.elapsed().as_secs_f64(),
            shown: self.shown(),
        })
    }

    /// Runs it, keeps its output, and makes any end but exit status 0 an error that shows the output.
    pub fn check(&self) -> Result<Done> {
        let done = self.run()?;
        if !done.ok() {
            bail!("{}: {}\n{}", done.shown, done.cause(), done.tail(40));
        }
        Ok(done)
    }

    /// Prints the command line, runs it with its output passed on; any end but exit status 0 is an error.
    pub fn echo(&self) -> Result<()> {
        println!("$ {}", self.shown());
        let start = Instant::now();
        let mut child = self
            .command()
            .spawn()
            .with_context(|| format!("cannot start {}", self.shown()))?;
        match self.wait(&mut child, start)? {
            Some(status) if status.success() => Ok(()),
            Some(status) => bail!("{}: {}", self.shown(), describe(status)),
            None => bail!("{}: no end after {} s", self.shown(), self.limit.as_secs()),
        }
    }

    /// Starts it with its output in a file. It goes on until the answer is dropped, or this program dies.
    pub fn start(&self, output: &File) -> Result<Running> {
        let mut command = self.command();
        command
            .stdout(output.try_clone()?)
            .stderr(output.try_clone()?);
        // SAFETY: prctl is async-signal-safe and the closure touches no memory of the parent.
        unsafe {
            command
                .pre_exec(|| nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).map_err(Into::into));
        }
        let child = command.spawn();
        let child = child.with_context(|| format!("cannot start {}", self.shown()))?;
        Ok(Running(child))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .stdin(Stdio::null())
            .process_group(0);
        // What cargo put there for xtask itself must not choose the libraries of others.
        command.env_remove("LD_LIBRARY_PATH");
        for (name, value) in &self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        // SAFETY: prctl is async-signal-safe and the closure touches no memory of the parent.
        unsafe {
            command
                .pre_exec(|| nix::sys::prctl::set_pdeathsig(Signal::SIGTERM).map_err(Into::into));
        }
        command
    }

    /// Waits for the child until the deadline; ends its group then, or what is left of it after its exit.
    fn wait(&self, child: &mut Child, start: Instant) -> Result<Option<ExitStatus>> {
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if start.elapsed() > self.limit {
                end_group(child);
                return Ok(None);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// A program that goes on beside this one.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        end_group(&mut self.0);
    }
}

impl Done {
    pub fn ok(&self) -> bool {
        self.status.is_some_and(|s| s.success())
    }

    /// The exit code; absent after a signal or at the deadline.
    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|s| s.code())
    }

    /// How it ended, in words.
    pub fn cause(&self) -> String {
        match self.status {
            Some(status) => describe(status),
            None => format!("no end after {:.0} s", self.seconds),
        }
    }

    /// The last `lines` lines of its output, standard error after standard output.
    pub fn tail(&self, lines: usize) -> String {
        let all: Vec<&str> = self.stdout.lines().chain(self.stderr.lines()).collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "unknown end".to_owned(),
    }
}

fn end_group(child: &mut Child) {
    let group = Pid::from_raw(child.id().cast_signed());
    // A group that is already gone is what we want, so failures are not looked at.
    let _ = killpg(group, Signal::SIGTERM);
    let deadline = Instant::now() + GRACE;
    while Instant::now() < deadline && !matches!(child.try_wait(), Ok(Some(_))) {
        thread::sleep(Duration::from_millis(20));
    }
    let _ = killpg(group, Signal::SIGKILL);
    let _ = child.wait();
}

/// Reads a pipe to its end in a thread.
struct Collector {
    bytes: Arc<Mutex<Vec<u8>>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Collector {
    fn of(pipe: Option<impl Read + Send + 'static>) -> Collector {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&bytes);
        let thread = pipe.map(|mut pipe| {
            thread::spawn(move || {
                let mut block = [0; 16384];
                while let Ok(n @ 1..) = pipe.read(&mut block) {
                    if let Ok(mut bytes) = into.lock() {
                        bytes.extend_from_slice(&block[..n]);
                    }
                }
            })
        });
        Collector { bytes, thread }
    }

    /// What was read. A process that survives its leader and holds the pipe open is ended.
    fn finish(self, child: &Child) -> String {
        let deadline = Instant::now() + GRACE;
        while let Some(thread) = &self.thread {
            if thread.is_finished() {
                break;
            }
            if Instant::now() > deadline {
                let _ = killpg(Pid::from_raw(child.id().cast_signed()), Signal::SIGKILL);
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.bytes
            .lock()
            .map(|b| String::from_utf8_lossy(&b).into_owned())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_ended_with_its_children() {
        let start = Instant::now();
        let done = Cmd::new("sh")
            .args(["-c", "sleep 31 & echo started; wait"])
            .seconds(1)
            .run()
            .unwrap();
        assert!(done.status.is_none());
        assert_eq!(done.stdout, "started\n");
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn exit_status_and_output_are_kept() {
        let done = Cmd::new("sh")
            .args(["-c", "echo out; echo err >&2; exit 3"])
            .run()
            .unwrap();
        assert_eq!(
            (done.code(), done.stdout.as_str(), done.stderr.as_str()),
            (Some(3), "out\n", "err\n")
        );
        assert!(Cmd::new("false").check().is_err());
    }
}

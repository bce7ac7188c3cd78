//! How the tests start mpiexec: with a deadline, and what it prints taken along.

// Each test program uses some of it.
#![allow(dead_code)]

pub mod place;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub const MPIEXEC: &str = env!("CARGO_BIN_EXE_mpiexec");
pub const DEADLINE: Duration = Duration::from_secs(60);

/// A PMI-1 client for bash (other shells know descriptors of one digit only): `ask LINE` sends a line and
/// reads the answer into `$REPLY`.
pub const CLIENT: &str = r#"
ask() { echo "$1" >&$PMI_FD; IFS= read -r REPLY <&$PMI_FD; }
init() { ask "cmd=init pmi_version=1 pmi_subversion=1"; }
barrier() { ask cmd=barrier_in; }
finalize() { ask cmd=finalize; }
"#;

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(MPIEXEC);
    command.args(args).stdin(Stdio::null());
    for name in ["PMI_FD", "PMI_RANK", "MPIEXEC_TIMEOUT"] {
        command.env_remove(name);
    }
    command
}

/// Waits for a process, but not for ever.
pub fn finish(mut child: Child) -> Output {
    let mut pipes = (child.stdout.take(), child.stderr.take());
    let read = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.map(|mut p| p.read_to_end(&mut bytes));
            bytes
        })
    };
    let out = read(pipes.0.take().map(|p| Box::new(p) as _));
    let err = read(pipes.1.take().map(|p| Box::new(p) as _));
    let until = Instant::now() + DEADLINE;
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if Instant::now() > until => {
                child.kill().unwrap();
                panic!("mpiexec did not end within {DEADLINE:?}");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    Output {
        status,
        stdout: out.join().unwrap(),
        stderr: err.join().unwrap(),
    }
}

pub fn start(command: &mut Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Exit code, standard output, standard error.
pub fn run(args: &[&str]) -> (i32, String, String) {
    let output = finish(start(&mut command(args)));
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// Runs a shell script as `n` ranks.
pub fn script(n: &str, text: &str) -> (i32, String, String) {
    run(&["-n", n, "bash", "-c", &format!("{CLIENT}{text}")])
}

pub fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// A number for `sleep` that nobody else uses, so that leftovers can be found.
pub fn odd_sleep(test: u32) -> String {
    format!("{}.{:06}", 3000 + test, std::process::id())
}

/// Whether some living process has this word in its command line.
pub fn runs(word: &str) -> bool {
    fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let Ok(line) = fs::read(entry.path().join("cmdline")) else {
            return false;
        };
        let is_sleep = line.starts_with(b"sleep\0");
        is_sleep
            && String::from_utf8_lossy(&line)
                .split('\0')
                .any(|w| w == word)
    })
}

pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < until, "timed out waiting until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("anympi-mpiexec-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// Compiles a library to preload.
pub fn shared_library(dir: &Path, text: &str) -> PathBuf {
    let (source, library) = (dir.join("a.c"), dir.join("a.so"));
    fs::write(&source, text).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-pthread", "-o"]);
    let status = compiler.arg(&library).arg(&source).status().unwrap();
    assert!(status.success(), "{text}");
    library
}

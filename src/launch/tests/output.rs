//! Output that cannot be written: a full file system, a limit, a quota, a reader that has gone.

mod common;

use common::*;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The exit code when output is lost.
const LOST: Option<i32> = Some(74);

fn full() -> Stdio {
    File::options()
        .write(true)
        .open("/dev/full")
        .unwrap()
        .into()
}

fn ended(command: &mut Command) -> Output {
    finish(command.spawn().unwrap())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Ranks that write without end: the job must not go on for ever when nobody gets what they say.
const ENDLESS: &str = "while :; do echo out; echo err >&2; done";

#[test]
fn a_full_file_system_is_named_with_the_stream() {
    for script in ["echo out", ENDLESS] {
        let mut job = command(&["-n", "2", "sh", "-c", script]);
        let output = ended(job.stdout(full()).stderr(Stdio::piped()));
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), LOST, "{script}");
        let why =
            "mpiexec: cannot write standard output: ENOSPC: No space left on device (errno 28)";
        assert_eq!(err.matches(why).count(), 1, "{script}: {err}");
    }
}

#[test]
fn where_nobody_can_be_told_the_code_tells() {
    for script in ["echo err >&2", ENDLESS] {
        let mut job = command(&["-n", "2", "sh", "-c", script]);
        let output = ended(job.stdout(Stdio::piped()).stderr(full()));
        assert_eq!(output.status.code(), LOST, "standard error, {script}");
        let mut job = command(&["-n", "2", "sh", "-c", script]);
        let output = ended(job.stdout(full()).stderr(full()));
        assert_eq!(output.status.code(), LOST, "both, {script}");
    }
}

#[test]
fn files_of_ranks_that_are_full_are_named() {
    let dir = scratch("full-files");
    let rank = dir.join("d/1/rank.1");
    fs::create_dir_all(&rank).unwrap();
    symlink("/dev/full", rank.join("stderr")).unwrap();
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    symlink("/dev/full", path("f.0")).unwrap();
    let merged = format!("file={}", path("f"));
    for (option, value, file) in [
        ("-outfile-pattern", "/dev/full", "/dev/full"),
        ("-errfile-pattern", "/dev/full", "/dev/full"),
        ("--output-filename", &path("d"), &path("d/1/rank.1/stderr")),
        ("--output", &merged, &path("f.0")),
    ] {
        for script in ["echo out; echo err >&2", ENDLESS] {
            let output = finish(start(&mut command(&[
                option, value, "-n", "2", "sh", "-c", script,
            ])));
            let err = text(&output.stderr);
            assert_eq!(output.status.code(), LOST, "{option}, {script}: {err}");
            let why = format!("mpiexec: cannot write '{file}': ENOSPC");
            assert_eq!(err.matches(&why).count(), 1, "{option}, {script}: {err}");
        }
    }
    fs::remove_dir_all(dir).unwrap();
}

/// Lets a program write at most so many bytes into a file.
fn limited(command: &mut Command, bytes: u64) -> &mut Command {
    let prepare = move || {
        let limit = libc::rlimit {
            rlim_cur: bytes,
            rlim_max: bytes,
        };
        // SAFETY: the call reads the passed object only.
        match unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &limit) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: one system call.
    unsafe { command.pre_exec(prepare) }
}

#[test]
fn a_limit_on_the_size_of_files_is_named() {
    let dir = scratch("limit");
    let file = dir.join("out");
    let mut job = command(&["-n", "2", "sh", "-c", "while :; do echo y; done"]);
    let job = limited(&mut job, 10_001);
    let output = ended(
        job.stdout(File::create(&file).unwrap())
            .stderr(Stdio::piped()),
    );
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), LOST, "{err}");
    assert!(err.contains("standard output: EFBIG"), "{err}");
    assert_eq!(fs::metadata(&file).unwrap().len(), 10_001);
    let to = dir.join("d");
    let mut job = command(&["-n", "1", "--output-filename"]);
    let job = job.arg(&to).args(["sh", "-c", "echo 12345678901"]);
    let output = finish(start(limited(job, 10)));
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), LOST, "{err}");
    let named = format!("'{}': EFBIG", to.join("1/rank.0/stdout").display());
    assert!(err.contains(&named), "{err}");
    assert_eq!(text(&output.stdout), "12345678901\n");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_reader_that_has_gone_is_no_news() {
    let mut job = command(&["-n", "1", "sh", "-c", "sleep 0.3; echo out"]);
    let mut child = start(&mut job);
    drop(child.stdout.take());
    let output = finish(child);
    let found = (output.status.code(), text(&output.stderr));
    assert_eq!(found, (Some(141), String::new()));
    let mut job = command(&["-n", "1", "sh", "-c", "sleep 0.3; echo err >&2; echo out"]);
    let mut child = start(&mut job);
    drop(child.stderr.take());
    let output = finish(child);
    let found = (output.status.code(), text(&output.stdout));
    assert_eq!(found, (Some(0), "out\n".to_owned()));
}

#[test]
fn errors_that_a_file_system_reports_when_a_file_is_closed() {
    let dir = scratch("closing");
    let library = shared_library(
        &dir,
        "#define _GNU_SOURCE\n#include <errno.h>\n#include <sys/stat.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n\
         int close(int fd) { struct stat s;\n\
             int lost = !fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_size == 4;\n\
             int done = syscall(SYS_close, fd);\n\
             if (lost) { errno = EDQUOT; return -1; }\n\
             return done; }\n",
    );
    let job = |option: &[&str]| {
        let mut job = command(&["--unset-env", "LD_PRELOAD", "-n", "1"]);
        job.args(option).args(["echo", "out"]);
        job.env("LD_PRELOAD", &library).stderr(Stdio::piped());
        job
    };
    let file = dir.join("out");
    let output = ended(job(&[]).stdout(File::create(&file).unwrap()));
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), LOST, "{err}");
    assert!(err.contains("standard output: EDQUOT"), "{err}");
    fs::remove_file(&file).unwrap();
    let file = file.to_str().unwrap();
    let output = ended(job(&["-outfile-pattern", file]).stdout(Stdio::piped()));
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), LOST, "{err}");
    assert!(err.contains(&format!("'{file}': EDQUOT")), "{err}");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn answers_without_a_job_keep_to_the_same_rules() {
    let info = Path::new(env!("CARGO_BIN_EXE_mpi_info"));
    let wrapper = Path::new(env!("CARGO_BIN_EXE_mpicc"));
    for (program, args) in [
        (Path::new(MPIEXEC), &["--help"][..]),
        (Path::new(MPIEXEC), &["--version"]),
        (info, &[]),
        (info, &["--parsable"]),
        (wrapper, &["-show"]),
    ] {
        let run = |out: Stdio| {
            let mut command = Command::new(program);
            command.args(args).stdin(Stdio::null());
            ended(command.stdout(out).stderr(Stdio::piped()))
        };
        let output = run(full());
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), LOST, "{args:?}: {err}");
        assert!(err.contains("standard output: ENOSPC"), "{args:?}: {err}");
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = run(writer.into());
        let found = (output.status.code(), text(&output.stderr));
        assert_eq!(found, (Some(141), String::new()), "{args:?}");
    }
    let output = ended(command(&["./no-such-file"]).stderr(full()));
    assert_eq!(output.status.code(), Some(127));
}

//! Signals that are ignored or blocked when mpiexec starts, and ends of ranks that no signal tells of.

mod common;

use common::*;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};

/// Every signal whose action a program may set, but for those of the C library itself.
fn signals() -> impl Iterator<Item = i32> {
    let usual = (1..32).filter(|&s| s != libc::SIGKILL && s != libc::SIGSTOP);
    usual.chain(libc::SIGRTMIN()..=libc::SIGRTMAX())
}

/// Has a program start with signals ignored or blocked.
fn with(command: &mut Command, signals: &[i32], ignored: bool) {
    let signals = signals.to_vec();
    let prepare = move || {
        for &signal in &signals {
            // SAFETY: the calls change the actions and the mask of this process, which is about to execute a
            // program, and write to a local variable.
            let done = unsafe {
                if ignored {
                    libc::signal(signal, libc::SIG_IGN) != libc::SIG_ERR
                } else {
                    let mut set = std::mem::zeroed();
                    libc::sigaddset(&mut set, signal);
                    libc::sigprocmask(libc::SIG_BLOCK, &set, std::ptr::null_mut()) == 0
                }
            };
            if !done {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: only system calls.
    unsafe { command.pre_exec(prepare) };
}

#[test]
fn whatever_is_ignored_or_blocked_the_job_ends_with_the_ranks_code() {
    let last = libc::SIGRTMAX();
    for signal in signals().filter(|&s| s < 32 || s == libc::SIGRTMIN() || s == last) {
        for ignored in [true, false] {
            let cases = [("exit 0", 0), ("exit 3", 3), ("kill -KILL $$", 137)];
            let started = cases.map(|(text, code)| {
                let mut command = command(&["-n", "1", "sh", "-c", text]);
                with(&mut command, &[signal], ignored);
                (start(&mut command), text, code)
            });
            for (child, text, code) in started {
                let output = finish(child);
                let what = format!("signal {signal}, ignored: {ignored}, {text}: {output:?}");
                assert_eq!(output.status.code(), Some(code), "{what}");
            }
        }
    }
}

#[test]
fn real_time_signals_end_ranks_too() {
    let (code, _, err) = script("2", "[ $PMI_RANK = 1 ] && kill -RTMIN $$; sleep 30");
    assert_eq!(code, 128 + libc::SIGRTMIN(), "{err}");
}

/// The lines `SigBlk` and `SigIgn` of a process that is started with signals ignored or blocked.
fn sets(of: &mut Command, signals: &[i32], ignored: bool) -> [u64; 2] {
    of.stdin(Stdio::null());
    with(of, signals, ignored);
    let text = String::from_utf8(finish(start(of)).stdout).unwrap();
    ["SigBlk", "SigIgn"].map(|name| {
        let line = text.lines().find_map(|l| l.strip_prefix(name)).unwrap();
        u64::from_str_radix(line.trim_start_matches(':').trim(), 16).unwrap()
    })
}

#[test]
fn ranks_find_the_signals_as_whoever_started_mpiexec_had_them() {
    let all: Vec<i32> = signals().collect();
    let words = ["grep", "Sig", "/proc/self/status"];
    for (signals, ignored) in [(&all[..], true), (&all, false), (&[], false)] {
        let alone = sets(Command::new(words[0]).args(&words[1..]), signals, ignored);
        let mut rank = command(&["-n", "1"]);
        let rank = sets(rank.args(words), signals, ignored);
        let never = [libc::SIGCHLD, libc::SIGPIPE].map(|s| 1 << (s - 1));
        let expected = [alone[0], alone[1] & !(never[0] | never[1])];
        assert_eq!(rank, expected, "{ignored}, alone: {alone:?}");
        assert!(signals.is_empty() || alone[usize::from(ignored)] != 0);
    }
}

/// Runs `sleep 0.3` as a rank of an mpiexec that has a library preloaded.
fn preloaded(name: &str, text: &str) -> Output {
    let dir = scratch(name);
    let library = shared_library(&dir, text);
    let mut command = command(&["-n", "1", "--unset-env", "LD_PRELOAD", "sleep", "0.3"]);
    let output = finish(start(command.env("LD_PRELOAD", &library)));
    fs::remove_dir_all(dir).unwrap();
    output
}

#[test]
fn a_thread_that_takes_the_signals_of_mpiexec_hides_no_end() {
    let output = preloaded(
        "thread",
        "#include <pthread.h>\n#include <unistd.h>\n\
         static void *wait(void *unused) { for (;;) pause(); return unused; }\n\
         __attribute__((constructor)) static void begin(void) {\n\
             pthread_t thread; pthread_create(&thread, 0, wait, 0); }\n",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn an_end_that_nobody_can_collect_is_an_error() {
    let output = preloaded(
        "collected",
        "#include <signal.h>\n\
         __attribute__((constructor)) static void begin(void) {\n\
             struct sigaction no = {0}; no.sa_handler = SIG_IGN; sigaction(SIGCHLD, &no, 0); }\n\
         __sighandler_t signal(int number, __sighandler_t to) {\n\
             struct sigaction new = {0}, old; new.sa_handler = to;\n\
             if (number == SIGCHLD) return SIG_IGN;\n\
             return sigaction(number, &new, &old) ? SIG_ERR : old.sa_handler; }\n",
    );
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(
        err.contains("rank 0 on ") && err.contains("exit status is lost"),
        "{err}"
    );
}

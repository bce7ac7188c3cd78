//! Jobs that are spawned while another runs: by shells that speak PMI-1, and by a process without a launcher.

mod common;

use common::*;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

/// `order COUNT PROGRAM [LINE...]` sends an order for one program, with further lines, and reads the answer.
const ORDER: &str = r#"
order() {
    local count=$1 program=$2; shift 2
    printf '%s\n' mcmd=spawn "$@" nprocs=$count execname=$program totspawns=1 spawnssofar=1 endcmd >&$PMI_FD
    IFS= read -r REPLY <&$PMI_FD
}
"#;

/// A program of the spawned job, as a file.
fn worker(dir: &Path, text: &str) -> PathBuf {
    let file = dir.join("worker");
    fs::write(&file, format!("#!/bin/bash\n{CLIENT}{ORDER}{text}")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

/// Runs `parents` as ranks; in it `$WORKER` is a program with the text `workers`.
fn spawned(name: &str, n: &str, parents: &str, workers: &str) -> (i32, String, String) {
    let dir = scratch(name);
    let file = worker(&dir, workers);
    let text = format!("{CLIENT}{ORDER}WORKER={}\n{parents}", file.display());
    let done = run(&["-n", n, "bash", "-c", &text]);
    fs::remove_dir_all(dir).unwrap();
    done
}

#[test]
fn a_spawned_job_is_a_world_of_its_own() {
    let (code, out, err) = spawned(
        "world",
        "2",
        "init; barrier
         if [ $PMI_RANK = 0 ]; then
             order 3 $WORKER preput_num=1 preput_key_0=port preput_val_0=p:1 arg1=one 'arg2=t w o' argcnt=2 \
                 info_num=2 info_key_0=wdir info_val_0=/tmp info_key_1=env info_val_1=FROM_INFO=yes
             echo parent: $REPLY
         fi
         barrier; finalize",
        r#"init; ask "cmd=get kvsname=x key=port"; port=$REPLY; barrier; ask cmd=get_appnum; number=$REPLY; finalize
        echo "child $PMI_RANK of $PMI_SIZE in $PWD: $1,$2,$FROM_INFO,$PMI_SPAWNED ${port##* } ${number##* }""#,
    );
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let child =
        |rank: usize| format!("child {rank} of 3 in /tmp: one,t w o,yes,1 value=p:1 appnum=0");
    let parent = "parent: cmd=spawn_result rc=0 errcodes=0,0,0".to_owned();
    assert_eq!(sorted(&out), [child(0), child(1), child(2), parent]);
}

#[test]
fn what_cannot_be_started_is_an_answer_and_not_the_end() {
    let (code, out, err) = spawned(
        "missing",
        "1",
        "init
         order 2 /nowhere/worker; echo \"$REPLY\"
         order 2 $WORKER info_num=1 info_key_0=wdir info_val_0=/nowhere/either; echo \"$REPLY\"
         order 2 $WORKER info_num=1 info_key_0=soft info_val_0=7; echo \"$REPLY\"
         order 3 $WORKER info_num=1 info_key_0=soft info_val_0=1:2; echo \"$REPLY\"
         finalize",
        "init; finalize",
    );
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    for (line, what) in [
        (lines[0], "/nowhere/worker"),
        (lines[1], "/nowhere/either"),
        (lines[2], "soft"),
    ] {
        assert!(line.starts_with("cmd=spawn_result rc=1 msg="), "{line}");
        assert!(line.contains(what), "{line}");
    }
    assert_eq!(lines[3..], ["cmd=spawn_result rc=0 errcodes=0,0,1"]);
}

#[test]
fn jobs_end_together_and_the_cause_is_named() {
    let sleep = odd_sleep(501);
    for (parents, workers, code, cause) in [
        (
            "sleep",
            "init; barrier; [ $PMI_RANK = 1 ] && kill -KILL $$; SLEEP",
            137,
            "SIGKILL",
        ),
        (
            "sleep",
            "init; ask 'cmd=abort exitcode=7'; SLEEP",
            7,
            "code 7",
        ),
        ("sleep", "exit 3", 3, "code 3"),
        ("kill -SEGV $$", "init; SLEEP", 139, "SIGSEGV"),
        // A job that a spawned one has spawned.
        (
            "sleep",
            "init; [ $PMI_RANK = 0 ] && order 1 /bin/false; SLEEP",
            1,
            "code 1",
        ),
    ] {
        let parents = parents.replace("sleep", &format!("sleep {sleep}"));
        let workers = workers.replace("SLEEP", &format!("exec sleep {sleep}"));
        let (got, out, err) = spawned(
            "together",
            "2",
            &format!("init; [ $PMI_RANK = 0 ] && order 2 $WORKER; sleep 0.5; {parents}"),
            &workers,
        );
        assert_eq!(got, code, "{workers}\nstdout: {out}\nstderr: {err}");
        assert!(err.contains(cause), "{workers}: {err}");
        let said = err
            .lines()
            .filter(|line| line.contains(" rank ") || line.contains(": rank "));
        assert_eq!(said.count(), 1, "{workers}: {err}");
        assert!(!runs(&sleep), "{workers}");
    }
}

#[test]
fn spawned_jobs_may_go_on_alone_and_are_waited_for() {
    let (code, out, err) = spawned(
        "alone",
        "1",
        "init; order 2 $WORKER; finalize; echo parent",
        "init; sleep 0.5; finalize; sleep 0.3; echo child; [ $PMI_RANK = 0 ] || exit 5",
    );
    assert_eq!((code, out.as_str()), (5, "parent\nchild\nchild\n"), "{err}");
    assert!(err.contains("code 5 after MPI_Finalize"), "{err}");
}

#[test]
fn names_of_services_are_the_same_in_all_jobs() {
    let (code, out, err) = spawned(
        "names",
        "1",
        "init; order 1 $WORKER
         for i in {1..500}; do
             ask 'cmd=lookup_name service=s'; [[ $REPLY = *port=* ]] && break; sleep 0.02
         done
         echo $REPLY; ask 'cmd=publish_name service=t port=q'; finalize",
        "inner() { init; ask 'cmd=publish_name service=s port=deep'; until ask 'cmd=lookup_name service=t'; \
             [[ $REPLY = *port=* ]]; do sleep 0.02; done; echo $REPLY; finalize; }
         if [ -n \"$INNER\" ]; then inner; else
             init; order 1 $0 info_num=1 info_key_0=env info_val_0=INNER=1; finalize
         fi",
    );
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(
        sorted(&out),
        [
            "cmd=lookup_result rc=0 info=ok port=deep",
            "cmd=lookup_result rc=0 info=ok port=q"
        ]
    );
}

#[test]
fn whoever_dies_leaves_nothing() {
    let (sleep, dir) = (odd_sleep(502), scratch("leaves"));
    let file = worker(&dir, &format!("init; echo up; sleep {sleep}"));
    let text = format!(
        "{CLIENT}{ORDER}init; order 2 {}; sleep {sleep}",
        file.display()
    );
    let mut child = start(&mut command(&["-n", "1", "bash", "-c", &text]));
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    for _ in 0..2 {
        out.read_line(&mut line).unwrap();
    }
    assert_eq!(line, "up\nup\n");
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("all sleepers are gone", || !runs(&sleep));
    fs::remove_dir_all(dir).unwrap();
}

/// An mpiexec that this process orders a job from, without a job of its own.
struct Ordered {
    child: Child,
    socket: BufReader<UnixStream>,
}

impl Ordered {
    fn order(program: &Path, count: usize) -> Ordered {
        let (ours, its) = UnixStream::pair().unwrap();
        ours.set_read_timeout(Some(DEADLINE)).unwrap();
        let mut command = command(&["--anympi-spawned"]);
        command.stdin(Stdio::from(OwnedFd::from(its)));
        let child = start(&mut command);
        // The other end is the child's alone.
        drop(command);
        let mut ordered = Ordered {
            child,
            socket: BufReader::new(ours),
        };
        let path = program.to_str().unwrap();
        ordered.say(&format!(
            "mcmd=spawn\nanympi=1\nnprocs={count}\nexecname={path}\ntotspawns=1\nspawnssofar=1\nendcmd\n"
        ));
        ordered
    }

    fn say(&mut self, text: &str) {
        self.socket.get_mut().write_all(text.as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.socket.read_line(&mut line).unwrap();
        line
    }
}

#[test]
fn a_process_without_a_launcher_orders_jobs() {
    let (sleep, dir) = (odd_sleep(503), scratch("ordered"));
    let file = worker(&dir, "init; barrier; echo $PMI_RANK of $PMI_SIZE; finalize");
    let mut ordered = Ordered::order(&file, 2);
    assert_eq!(ordered.line(), "cmd=spawn_result rc=0 errcodes=0,0\n");
    // These have not said that they use MPI.
    assert!(
        ordered
            .line()
            .starts_with("cmd=anympi_ended bound=0 fails=0 code=0 ")
    );
    let output = finish(ordered.child);
    assert_eq!(
        sorted(&String::from_utf8(output.stdout).unwrap()),
        ["0 of 2", "1 of 2"]
    );
    assert!(output.status.success());

    let mut ordered = Ordered::order(Path::new("/nowhere/worker"), 1);
    let line = ordered.line();
    assert!(
        line.starts_with("cmd=spawn_result rc=1 msg=") && line.contains("/nowhere/worker"),
        "{line}"
    );
    assert!(!finish(ordered.child).status.success());

    let file = worker(&dir, "exit 3");
    let mut ordered = Ordered::order(&file, 2);
    assert!(ordered.line().contains("rc=0"));
    let line = ordered.line();
    assert!(
        line.starts_with("cmd=anympi_ended bound=0 fails=1 code=3 "),
        "{line}"
    );
    assert_eq!(finish(ordered.child).status.code(), Some(3));

    // The end of the process ends the job, unless it has left MPI before.
    let file = worker(&dir, &format!("init; echo up; sleep {sleep}"));
    let mut ordered = Ordered::order(&file, 2);
    assert!(ordered.line().contains("rc=0"));
    drop(ordered.socket);
    let output = finish(ordered.child);
    assert_eq!(output.status.code(), Some(1));
    assert!(!runs(&sleep));
    let file = worker(&dir, "init; sleep 0.5; finalize; echo done");
    let mut ordered = Ordered::order(&file, 1);
    assert!(ordered.line().contains("rc=0"));
    ordered.say("cmd=finalize\n");
    drop(ordered.socket);
    let output = finish(ordered.child);
    assert_eq!(
        (output.status.code(), output.stdout),
        (Some(0), b"done\n".to_vec())
    );
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn an_mpiexec_that_nobody_orders_from_ends() {
    let (mut ours, its) = UnixStream::pair().unwrap();
    let mut command = command(&["--anympi-spawned"]);
    command.stdin(Stdio::from(OwnedFd::from(its)));
    let child = start(&mut command);
    drop(command);
    ours.write_all(b"hello\n").unwrap();
    let output = finish(child);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("'hello'"), "{text}");
    ours.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut rest = Vec::new();
    ours.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"");
}

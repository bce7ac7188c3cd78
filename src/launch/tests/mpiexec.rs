//! mpiexec as a user sees it: real processes (shells, and a small PMI client in one), exit codes, signals,
//! input and output. Every run has a deadline.

mod common;

use common::*;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn exit_codes() {
    for (n, text, code) in [
        ("4", "true", 0),
        ("4", "[ $PMI_RANK = 2 ] && exit 3; sleep 30", 3),
        ("1", "exit 255", 255),
        ("3", "[ $PMI_RANK = 1 ] && kill -SEGV $$; sleep 30", 139),
        ("3", "[ $PMI_RANK = 1 ] && kill -KILL $$; sleep 30", 137),
        (
            "3",
            "init; [ $PMI_RANK = 1 ] && ask 'cmd=abort exitcode=7'; sleep 30",
            7,
        ),
        (
            "2",
            "init; [ $PMI_RANK = 1 ] && ask 'cmd=abort exitcode=0'; sleep 30",
            1,
        ),
        ("2", "init; ask 'cmd=abort exitcode=256'; sleep 30", 1),
        ("2", "init; finalize", 0),
        (
            "2",
            "init; barrier; [ $PMI_RANK = 1 ] && exit 0; finalize; sleep 30",
            1,
        ),
        ("2", "init; barrier; finalize; init; barrier; finalize", 0),
        (
            "2",
            "[ $PMI_RANK = 1 ] && exit 0; init; echo cmd=anympi_world >&$PMI_FD; sleep 30",
            1,
        ),
    ] {
        let begin = Instant::now();
        let (got, out, err) = script(n, text);
        assert_eq!(got, code, "{text}\nstdout: {out}\nstderr: {err}");
        assert!(begin.elapsed() < Duration::from_secs(15), "{text}");
    }
}

#[test]
fn messages_name_the_first_cause() {
    let (_, _, err) = script("3", "[ $PMI_RANK = 1 ] && kill -SEGV $$; sleep 30");
    assert!(
        err.contains("rank 1 on ") && err.contains("pid ") && err.contains("SIGSEGV"),
        "{err}"
    );
    assert_eq!(
        err.lines().filter(|l| l.starts_with("mpiexec:")).count(),
        1,
        "{err}"
    );
    let (_, _, err) = script("2", "init; ask 'cmd=abort exitcode=7 message=out of luck'");
    assert!(err.contains("MPI_Abort with code 7: out of luck"), "{err}");
    let (_, _, err) = script(
        "2",
        "init; ask 'cmd=abort exitcode=1 anympi_code=256'; sleep 30",
    );
    assert!(err.contains("MPI_Abort with code 256;"), "{err}");
    let (_, _, err) = script("1", "init");
    assert!(err.contains("without calling MPI_Finalize"), "{err}");
}

#[test]
fn what_a_rank_says_of_its_failure_comes_before_what_mpiexec_says() {
    for (end, code) in [
        ("init; ask 'cmd=abort exitcode=5'; sleep 30", 5),
        ("exit 3", 3),
        ("kill -KILL $$", 137),
        ("init; finalize; exit 4", 4),
    ] {
        for _ in 0..5 {
            let (got, _, err) = script("2", &format!("echo rank $PMI_RANK >&2; {end}"));
            assert_eq!(got, code, "{end}: {err}");
            let mpiexec = err.find("mpiexec: rank ").unwrap();
            let rank = err[mpiexec..].split_whitespace().nth(2).unwrap();
            let said = err.find(&format!("rank {rank}\n")).unwrap();
            assert!(said < mpiexec, "{end}: {err}");
        }
    }
}

#[test]
fn a_rank_that_fails_after_finalize_lets_the_others_finish() {
    let text = "init; barrier; finalize; [ $PMI_RANK = 1 ] && exit 3; sleep 1; echo finished";
    let (code, out, err) = script("3", text);
    assert_eq!((code, out.as_str()), (3, "finished\nfinished\n"), "{err}");
    assert!(
        err.contains("exited with code 3 after MPI_Finalize"),
        "{err}"
    );
    // Who goes on and needs it again is told.
    let text = "init; barrier; finalize; [ $PMI_RANK = 1 ] && exit 3; init; barrier; sleep 30";
    let (code, _, err) = script("2", text);
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("cannot go on"), "{err}");
}

#[test]
fn mistakes_are_errors_before_anything_runs() {
    for (args, code, text) in [
        (&["-n", "2", "./no-such-file"][..], 127, "'./no-such-file'"),
        (&["-n", "2", "/etc/passwd"], 126, "errno 13"),
        (&["--hostfil", "x", "true"], 1, "'--hostfile'"),
        (
            &["-n", "2", "-host", "elsewhere.example", "true"],
            1,
            "elsewhere.example",
        ),
        (&[], 1, "no program"),
    ] {
        let (got, _, err) = run(args);
        assert_eq!(got, code, "{args:?}: {err}");
        assert!(err.contains(text), "{args:?}: {err}");
    }
}

#[test]
fn a_program_whose_interpreter_is_missing_is_not_called_missing() {
    let dir = scratch("interpreter");
    let file = dir.join("a");
    fs::write(&file, "#!/no/such/shell -e\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let (code, _, err) = run(&["-n", "1", file.to_str().unwrap()]);
    assert_eq!(code, 127, "{err}");
    assert!(
        err.contains("needs '/no/such/shell', which is not there"),
        "{err}"
    );
    fs::remove_dir_all(dir).unwrap();
}

/// Needs the right to change the root, which a container's root and CI's have.
#[test]
fn a_root_without_dev_and_proc() {
    let dir = scratch("root");
    let list = Command::new("ldd")
        .arg(MPIEXEC)
        .arg("/bin/true")
        .output()
        .unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let files = list.split_whitespace().filter(|w| w.starts_with('/'));
    for file in files.map(|f| f.trim_end_matches(':')).chain(["/bin/cat"]) {
        let to = dir.join(&file[1..]);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(file, to).unwrap();
    }
    let mut job = Command::new("chroot");
    job.arg(&dir).args([MPIEXEC, "-n", "2", "/bin/cat"]);
    let output = finish(start(job.stdin(Stdio::null())));
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), err.as_ref()), (Some(0), ""));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn options_that_are_not_done_are_named() {
    for option in [
        &["--tune", "f"][..],
        &["--xml"],
        &["--map-by", "ppr:1:node"],
    ] {
        let quiet = [option, &["-q", "-np", "2", "true"]].concat();
        let (code, _, err) = run(&quiet[..]);
        assert_eq!((code, err.as_str()), (0, ""), "{option:?}");
        let (code, _, err) = run(&[option, &["-np", "2", "true"]].concat());
        assert_eq!(code, 0, "{option:?}");
        assert_eq!(err.lines().count(), 1, "{option:?}: {err}");
        assert!(err.starts_with("mpiexec: "), "{option:?}: {err}");
    }
}

#[test]
fn the_pmi_server_gives_ranks_a_common_space() {
    let text = r#"
        init; ask "cmd=get_my_kvsname"
        ask "cmd=put kvsname=k key=r$PMI_RANK value=v$PMI_RANK"
        barrier; next=$(( (PMI_RANK + 1) % PMI_SIZE ))
        ask "cmd=get kvsname=k key=r$next"; echo "$REPLY"; finalize"#;
    let (code, out, err) = script("3", text);
    assert_eq!(code, 0, "{err}");
    let expected = ["v0", "v1", "v2"].map(|v| format!("cmd=get_result rc=0 value={v}"));
    assert_eq!(sorted(&out), expected);
}

#[test]
fn garbage_on_the_pmi_socket_ends_the_job_with_a_reason() {
    for text in [
        "head -c 100000 /dev/zero >&$PMI_FD; sleep 30",
        "echo nonsense >&$PMI_FD; sleep 30",
        "ask cmd=get_maxes; sleep 30",
    ] {
        let (code, _, err) = script("2", text);
        assert_eq!(code, 1, "{text}: {err}");
        assert!(err.contains("not PMI-1"), "{text}: {err}");
    }
}

#[test]
fn a_barrier_that_cannot_complete_is_an_error() {
    let (code, _, err) = script("2", "[ $PMI_RANK = 0 ] && exit 0; init; barrier; sleep 30");
    assert_eq!(code, 1);
    assert!(err.contains("cannot go on"), "{err}");
}

#[test]
fn several_programs() {
    let (code, out, _) = run(&[
        "-n",
        "2",
        "sh",
        "-c",
        "echo a$PMI_RANK/$PMI_SIZE",
        ":",
        "-n",
        "1",
        "-env",
        "X",
        "5",
        "sh",
        "-c",
        "echo b$PMI_RANK/$PMI_SIZE$X",
    ]);
    assert_eq!(code, 0);
    assert_eq!(sorted(&out), ["a0/3", "a1/3", "b2/35"]);
    let dir = scratch("config");
    let file = dir.join("jobs");
    fs::write(
        &file,
        "# two programs\n-n 1 echo 'one two'\n\n-n 1 echo three\n",
    )
    .unwrap();
    let (code, out, err) = run(&["-configfile", file.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(sorted(&out), ["one two", "three"]);
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn identity_and_environment() {
    let text = "echo $OMPI_COMM_WORLD_RANK $OMPI_COMM_WORLD_SIZE $OMPI_COMM_WORLD_LOCAL_RANK $MPI_LOCALNRANKS $MPI_LOCALRANKID $A $RANK";
    let mut with_outer_job = command(&["-n", "2", "-genv", "A=1", "-x", "B", "sh", "-c", text]);
    with_outer_job
        .env("OMPI_COMM_WORLD_RANK", "9")
        .env("PMI_FD", "99")
        .env_remove("RANK");
    let output = finish(start(&mut with_outer_job));
    assert_eq!(
        sorted(&String::from_utf8_lossy(&output.stdout)),
        ["0 2 0 2 0 1", "1 2 1 2 1 1"]
    );
    let (_, out, _) = run(&[
        "-n",
        "1",
        "--torch-env",
        "sh",
        "-c",
        "echo $RANK $WORLD_SIZE $MASTER_ADDR",
    ]);
    assert_eq!(out, "0 1 127.0.0.1\n");
    let (_, out, _) = run(&[
        "-n",
        "1",
        "-genvnone",
        "sh",
        "-c",
        "echo ${HOME-none} $PMI_RANK",
    ]);
    assert_eq!(out, "none 0\n");
}

#[test]
fn mpiexec_inside_a_rank() {
    let inner = format!("{MPIEXEC} -n 2 sh -c 'echo $PMI_RANK/$PMI_SIZE'");
    let (code, out, err) = run(&["-n", "1", "sh", "-c", &inner]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(sorted(&out), ["0/2", "1/2"]);
}

#[test]
fn lines_are_whole_and_labelled() {
    let text = "printf x; sleep 0.1; echo y; printf last";
    let (_, out, _) = run(&["-l", "-n", "2", "sh", "-c", text]);
    assert_eq!(sorted(&out), ["[0] last", "[0] xy", "[1] last", "[1] xy"]);
    let (_, out, err) = run(&["--tag-output", "-n", "1", "sh", "-c", "echo a; echo b >&2"]);
    assert_eq!(
        (out.as_str(), err.as_str()),
        ("[1,0]<stdout>:a\n", "[1,0]<stderr>:b\n")
    );
    let (_, out, err) = run(&[
        "--merge-stderr-to-stdout",
        "-n",
        "1",
        "sh",
        "-c",
        "echo a; echo b >&2",
    ]);
    assert_eq!((out.as_str(), err.as_str()), ("a\nb\n", ""));
    let (_, out, _) = run(&["--timestamp-output", "-n", "1", "echo", "a"]);
    assert!(out.ends_with("<stdout>:a\n") && out.len() > 30, "{out}");
}

#[test]
fn nothing_of_a_large_output_is_lost_or_torn() {
    let text = "i=0; while [ $i -lt 20000 ]; do echo \"$PMI_RANK:$i:abcdefghijklmnopqrstuvwxyz\"; i=$((i+1)); done";
    let (code, out, _) = script("4", text);
    assert_eq!(code, 0);
    let mut next = [0; 4];
    for line in out.lines() {
        let parts: Vec<&str> = line.split(':').collect();
        assert_eq!(
            (parts.len(), parts.last().copied()),
            (3, Some("abcdefghijklmnopqrstuvwxyz"))
        );
        let rank: usize = parts[0].parse().unwrap();
        assert_eq!(parts[1].parse(), Ok(next[rank]), "{line}");
        next[rank] += 1;
    }
    assert_eq!(next, [20000; 4]);
}

#[test]
fn output_before_an_abort_arrives() {
    let text =
        "head -c 300000 /dev/zero | tr '\\0' x; echo; echo end; init; ask 'cmd=abort exitcode=5'";
    let (code, out, _) = script("1", text);
    assert_eq!(code, 5);
    assert_eq!(out.len(), 300_000 + 5);
}

#[test]
fn a_slow_reader_loses_nothing() {
    let mut child = start(&mut command(&[
        "-n",
        "2",
        "sh",
        "-c",
        "head -c 3000000 /dev/zero | tr '\\0' 'x'; echo",
    ]));
    std::thread::sleep(Duration::from_millis(500));
    assert!(
        child.try_wait().unwrap().is_none(),
        "it cannot have written all"
    );
    assert_eq!(finish(child).stdout.len(), 2 * 3_000_001);
}

#[test]
fn output_files() {
    let dir = scratch("files");
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let (_, out, err) = run(&[
        "-n",
        "2",
        "-outfile-pattern",
        &path("o.%r"),
        "sh",
        "-c",
        "echo $PMI_RANK; echo e >&2",
    ]);
    assert_eq!((out.as_str(), err.as_str()), ("", "e\ne\n"));
    assert_eq!(fs::read_to_string(path("o.1")).unwrap(), "1\n");
    let (_, out, _) = run(&[
        "-n",
        "2",
        "--output-filename",
        &path("d"),
        "sh",
        "-c",
        "echo $PMI_RANK",
    ]);
    assert_eq!(sorted(&out), ["0", "1"]);
    assert_eq!(
        fs::read_to_string(path("d/1/rank.1/stdout")).unwrap(),
        "1\n"
    );
    let nowhere = run(&["-n", "1", "-outfile-pattern", "/dev/null/x", "true"]);
    assert!(
        nowhere.0 == 1 && nowhere.2.contains("/dev/null"),
        "{nowhere:?}"
    );
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn stdin_goes_to_rank_0_only() {
    let mut with_input = command(&["-n", "2", "sh", "-c", "echo $PMI_RANK:$(wc -c)"]);
    let mut child = start(with_input.stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&vec![b'x'; 1_000_000]));
    let output = finish(child);
    writer.join().unwrap().unwrap();
    assert_eq!(
        sorted(&String::from_utf8_lossy(&output.stdout)),
        ["0:1000000", "1:0"]
    );
    let mut to_all = command(&["-n", "2", "-s", "all", "cat"]);
    let mut child = start(to_all.stdin(Stdio::piped()));
    child.stdin.take().unwrap().write_all(b"line\n").unwrap();
    assert_eq!(finish(child).stdout, b"line\nline\n");
}

#[test]
fn input_that_nobody_reads_blocks_nothing() {
    let mut with_input = command(&["-n", "2", "true"]);
    let child = start(with_input.stdin(fs::File::open("/dev/zero").unwrap()));
    assert!(finish(child).status.success());
}

#[test]
fn time_limits() {
    for (option, variable) in [(true, ""), (false, "1")] {
        let mut limited = command(&["-n", "2"]);
        if option {
            limited.args(["--timeout", "1"]);
        } else {
            limited.env("MPIEXEC_TIMEOUT", variable);
        }
        let begin = Instant::now();
        let output = finish(start(limited.args([
            "sh",
            "-c",
            "trap '' TERM; sleep 30; sleep 30",
        ])));
        assert_eq!(output.status.code(), Some(110));
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn signals_are_passed_on() {
    for (signal, code) in [
        (libc::SIGTERM, 143),
        (libc::SIGINT, 130),
        (libc::SIGHUP, 129),
    ] {
        let text = "trap 'echo got; exit 0' TERM INT; echo ready; while :; do sleep 0.05; done";
        let mut child = start(&mut command(&["-n", "2", "sh", "-c", text]));
        let mut out = child.stdout.take().unwrap();
        let mut seen = [0; 12];
        out.read_exact(&mut seen).unwrap();
        // SAFETY: a signal to a child that has not been waited for.
        unsafe { libc::kill(child.id() as i32, signal) };
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        assert_eq!(finish(child).status.code(), Some(code));
        assert_eq!(rest, "got\ngot\n");
    }
}

#[test]
fn user_signals_do_not_end_the_job() {
    let text = "trap 'echo usr; exit 0' USR1; echo ready; while :; do sleep 0.05; done";
    let mut child = start(&mut command(&["-n", "2", "sh", "-c", text]));
    let mut out = child.stdout.take().unwrap();
    let mut seen = [0; 12];
    out.read_exact(&mut seen).unwrap();
    // SAFETY: a signal to a child that has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGUSR1) };
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(
        (finish(child).status.code(), rest.as_str()),
        (Some(0), "usr\nusr\n")
    );
}

#[test]
fn nohup_is_respected() {
    let text = format!("trap '' HUP; exec {MPIEXEC} -n 1 sh -c 'echo ready; sleep 0.5; echo done'");
    let mut child = start(Command::new("sh").args(["-c", &text]).stdin(Stdio::null()));
    let mut seen = [0; 6];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut seen)
        .unwrap();
    // SAFETY: a signal to a child that has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGHUP) };
    let output = finish(child);
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(0), &b"done\n"[..])
    );
}

#[test]
fn floods_are_survived() {
    for text in [
        "init; while :; do echo cmd=get_maxes; done >&$PMI_FD",
        "while :; do echo cmd=abort exitcode=1; done >&$PMI_FD",
        "trap '' TERM; sleep 0.1; (while :; do echo flood; done) & exit 1",
    ] {
        let begin = Instant::now();
        let (code, _, err) = script("2", text);
        assert_eq!(code, 1, "{text}: {err}");
        assert!(begin.elapsed() < Duration::from_secs(20), "{text}");
    }
}

#[test]
fn a_second_signal_kills() {
    let nap = odd_sleep(1);
    let text = format!("trap '' TERM; echo ready; sleep {nap}; sleep {nap}");
    let mut child = start(&mut command(&["-n", "1", "sh", "-c", &text]));
    let mut seen = [0; 6];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut seen)
        .unwrap();
    let begin = Instant::now();
    for _ in 0..2 {
        // SAFETY: a signal to a child that has not been waited for.
        unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(finish(child).status.code(), Some(143));
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert!(!runs(&nap));
}

#[test]
fn nothing_is_left_when_mpiexec_is_killed() {
    let nap = odd_sleep(2);
    // Each rank has a child in its group that outlives it unless somebody ends it.
    let text = format!("trap '' TERM; sleep {nap} & sleep {nap}");
    let mut child = command(&["-n", "3", "sh", "-c", &text])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the ranks run", || runs(&nap));
    std::thread::sleep(Duration::from_millis(200));
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("all have ended", || !runs(&nap));
}

#[test]
fn nothing_is_left_after_a_failure_or_a_normal_end() {
    let nap = odd_sleep(3);
    let (code, _, _) = script(
        "2",
        &format!("sleep {nap} & [ $PMI_RANK = 1 ] && exit 3; wait"),
    );
    assert_eq!(code, 3);
    assert!(!runs(&nap));
    let (code, _, _) = script("2", &format!("sleep {nap} & exit 0"));
    assert_eq!(code, 0);
    assert!(!runs(&nap));
}

#[test]
fn recovery_keeps_the_others() {
    let (code, out, _) = run(&[
        "-n",
        "2",
        "--enable-recovery",
        "sh",
        "-c",
        "[ $PMI_RANK = 0 ] && exit 4; sleep 0.5; echo on",
    ]);
    assert_eq!((code, out.as_str()), (4, "on\n"));
}

#[test]
fn a_closed_output_ends_the_job() {
    let mut child = start(&mut command(&[
        "-n",
        "2",
        "sh",
        "-c",
        "while :; do echo y || exit; done",
    ]));
    let mut out = child.stdout.take().unwrap();
    let mut some = [0; 10];
    out.read_exact(&mut some).unwrap();
    drop(out);
    assert_eq!(finish(child).status.code(), Some(141));
}

#[test]
fn binding() {
    let (code, out, err) = run(&[
        "-n",
        "1",
        "--bind-to",
        "hwthread",
        "--report-bindings",
        "sh",
        "-c",
        "grep Cpus_allowed_list /proc/self/status",
    ]);
    assert_eq!(code, 0);
    let cpus = out.split_whitespace().nth(1).unwrap();
    assert!(!cpus.contains([',', '-']), "{out}");
    assert!(
        err.contains(&format!("bound to processors {cpus}")),
        "{err}"
    );
}

#[test]
fn many_ranks() {
    let text = "init; barrier; finalize; echo done";
    let begin = Instant::now();
    let (code, out, err) = script("128", text);
    assert_eq!(code, 0, "{err}");
    assert_eq!(out.lines().filter(|l| *l == "done").count(), 128);
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn version_names_the_family() {
    let (code, out, _) = run(&["--version"]);
    assert!(
        code == 0 && out.starts_with("mpirun (Open MPI) 5."),
        "{out}"
    );
    let (code, out, _) = run(&["--help"]);
    assert!(code == 0 && out.contains("--bind-to"), "{out}");
}

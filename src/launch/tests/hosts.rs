//! Jobs over several hosts. The hosts are this machine under other names: an agent runs the command here in a shell,
//! so that nothing but its standard input and output connects mpiexec with the other side, as with `kubectl exec`.

mod common;

use common::place::*;
use common::*;
use std::fs;
use std::io::Write;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

#[test]
fn ranks_know_where_they_are() {
    let place = Place::new("where", SHELL);
    let text = "echo $PMI_RANK/$PMI_SIZE $PMI_HOSTNAME $MPI_LOCALRANKID/$MPI_LOCALNRANKS \
                $OMPI_COMM_WORLD_LOCAL_RANK/$OMPI_COMM_WORLD_LOCAL_SIZE";
    let pattern = "%h %r: ";
    let line = ["-prepend-pattern", pattern, "-hosts", "nodea:2,nodeb,"];
    let (code, out, err) = place.run(&[&line[..], &["-n", "3", "sh", "-c", text]].concat());
    assert_eq!(code, 0, "{err}");
    let expected = [
        "nodea 0: 0/3 nodea 0/2 0/2",
        "nodea 1: 1/3 nodea 1/2 1/2",
        "nodeb 2: 2/3 nodeb 0/1 0/1",
    ];
    assert_eq!(sorted(&out), expected, "{err}");
    // This host is one of them.
    let line = ["-hosts", "localhost,nodeb", "-n", "2", "sh", "-c"];
    let text = "echo $PMI_RANK $MPI_LOCALNRANKS $(ps -o args= $PPID | grep -c anympi-[d]aemon)";
    let (code, out, err) = place.run(&[&line[..], &[text]].concat());
    assert_eq!(code, 0, "{err}");
    assert_eq!(sorted(&out), ["0 1 0", "1 1 1"], "{err}");
    // And all may be started here.
    let line = ["-launcher", "fork", "-hosts", "nodea,nodeb", "-ppn", "1"];
    let (code, out, _) = place.run(&[&line[..], &["sh", "-c", "echo $PMI_HOSTNAME"]].concat());
    assert_eq!((code, sorted(&out)), (0, vec!["nodea", "nodeb"]));
}

#[test]
fn the_environment_goes_along_but_for_what_tells_of_a_host() {
    let place = Place::new(
        "environment",
        "shift; export NVIDIA_VISIBLE_DEVICES=all HOME=/; exec sh -c \"$*\"",
    );
    let text = "echo $NVIDIA_VISIBLE_DEVICES $HOME $A $B ${C-none} $D; pwd";
    let mut command = place.command(&["-host", "nodea", "-genv", "B=2 3", "-x", "D=5"]);
    command.args(["--unset-env", "C", "sh", "-c", text]);
    command.current_dir(&place.dir);
    command
        .env("NVIDIA_VISIBLE_DEVICES", "void")
        .env("A", "'$x\n\"")
        .env("C", "4");
    let output = finish(start(&mut command));
    let out = String::from_utf8(output.stdout).unwrap();
    let expected = format!("all / '$x \" 2 3 none 5\n{}\n", place.dir.display());
    assert_eq!(out, expected, "{}", String::from_utf8_lossy(&output.stderr));
    let line = ["-host", "nodea", "-genvnone", "/bin/sh", "-c"];
    let (code, out, err) = place.run(&[&line[..], &["echo ${HOME-none} $PMI_RANK"]].concat());
    assert_eq!((code, out.as_str()), (0, "none 0\n"), "{err}");
}

#[test]
fn the_key_value_space_spans_hosts() {
    let place = Place::new("space", SHELL);
    let text = r#"
        init; ask "cmd=get kvsname=k key=PMI_process_mapping"; echo "$REPLY"
        ask "cmd=put kvsname=k key=r$PMI_RANK value=v$PMI_RANK"; barrier
        for r in 0 1 2 3; do ask "cmd=get kvsname=k key=r$r"; echo "$REPLY"; done
        ask "cmd=get kvsname=k key=none"; echo "${REPLY:0:22}"
        ask "cmd=put kvsname=k key=r$PMI_RANK value=w$PMI_RANK"; barrier
        ask "cmd=get kvsname=k key=r$(( 3 - PMI_RANK ))"; [ "$REPLY" = "cmd=get_result rc=0 value=w$(( 3 - PMI_RANK ))" ] || echo $REPLY
        echo "cmd=barrier_in group=NODE:x" >&$PMI_FD; IFS= read -r REPLY <&$PMI_FD
        finalize; init; ask "cmd=get kvsname=k key=r0"; echo "${REPLY:0:19}"
        ask "cmd=get kvsname=k key=PMI_anympi_secret"; echo "${#REPLY}"; barrier; finalize"#;
    let (code, out, err) = place.script("4", text);
    assert_eq!(code, 0, "{err}");
    let mut expected = vec!["cmd=get_result rc=0 value=(vector,(0,2,2))".to_owned()];
    expected.extend((0..4).map(|r| format!("cmd=get_result rc=0 value=v{r}")));
    expected.push("cmd=get_result rc=1 ms".into());
    expected.push("cmd=get_result rc=1".into());
    expected.push("90".into());
    let mut all: Vec<String> = expected.iter().flat_map(|l| vec![l.clone(); 4]).collect();
    all.sort_unstable();
    assert_eq!(sorted(&out), all, "{err}");
}

#[test]
fn the_first_cause_counts_wherever_it_is() {
    let place = Place::new("causes", SHELL);
    for (end, code, said) in [
        ("exit 3", 3, "rank 3 on nodeb (pid "),
        ("kill -SEGV $$", 139, "SIGSEGV"),
        (
            "init; ask 'cmd=abort exitcode=7 message=out of luck'",
            7,
            "code 7: out of luck",
        ),
        ("init; exit 0", 1, "without calling MPI_Finalize"),
        ("echo nonsense >&$PMI_FD; sleep 30", 1, "not PMI-1"),
    ] {
        let begin = Instant::now();
        let text = format!("if [ $PMI_RANK = 3 ]; then echo last words >&2; {end}; fi; sleep 30");
        let (got, _, err) = place.script("4", &text);
        assert_eq!(got, code, "{end}: {err}");
        assert!(err.contains(said) && err.contains("nodeb"), "{end}: {err}");
        let count = err.lines().filter(|l| l.starts_with("mpiexec:")).count();
        assert_eq!(count, 1, "{end}: {err}");
        assert!(err.find("last words") < err.find("mpiexec:"), "{err}");
        assert!(begin.elapsed() < Duration::from_secs(8), "{end}");
    }
    let (code, _, err) = place.script("2", "[ $PMI_RANK = 1 ] && exit 0; init; barrier; sleep 30");
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("cannot go on"), "{err}");
    for (name, code) in [("/no/such/program", 127), ("/etc/passwd", 126)] {
        let (got, _, err) = place.run(&["-host", "nodea,nodeb", "-n", "2", name]);
        assert_eq!(got, code, "{err}");
        assert!(err.contains(name) && err.contains("on node"), "{err}");
    }
    let (code, _, err) = place.run(&["-host", "nodea", "-wdir", "/no/such/dir", "true"]);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("'/no/such/dir'"), "{err}");
}

#[test]
fn standard_input_reaches_its_rank() {
    let place = Place::new("input", SHELL);
    let mut command = place.command(&["-hosts", "nodea,nodeb", "-n", "2", "wc", "-c"]);
    let mut child = start(command.stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&vec![b'x'; 10_000_000]));
    let output = finish(child);
    writer.join().unwrap().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(sorted(&out), ["0", "10000000"]);
    // To all of them.
    let mut command = place.command(&["-s", "all", "-hosts", "nodea,localhost", "cat"]);
    let mut child = start(command.stdin(Stdio::piped()));
    child.stdin.take().unwrap().write_all(b"word\n").unwrap();
    let output = finish(child);
    assert_eq!(output.stdout, b"word\nword\n");
    // One that does not read blocks nobody.
    let mut command = place.command(&["-hosts", "nodea,nodeb", "-n", "2", "sleep", "0.5"]);
    let mut child = start(command.stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&vec![b'x'; 10_000_000]));
    assert_eq!(finish(child).status.code(), Some(0));
    assert!(writer.join().unwrap().is_err());
}

/// Kilobytes that a process has had in memory at most.
fn peak(pid: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn output_that_nobody_reads_is_not_kept() {
    let place = Place::new("flood", SHELL);
    let mark = place.path("agent");
    let mut child = place.start(&[
        "-hosts",
        "nodea",
        "-n",
        "1",
        "sh",
        "-c",
        "yes | head -c 100000000",
    ]);
    // mpiexec's reader does not read, and all come to rest.
    std::thread::sleep(Duration::from_millis(700));
    let daemon = daemons(&mark);
    assert_eq!(daemon.len(), 1);
    for pid in [child.id() as i32, daemon[0]] {
        let peak = peak(pid);
        assert!(peak < 40_000, "{peak} kB");
    }
    let mut stdout = child.stdout.take().unwrap();
    let read = std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
    let output = finish(child);
    assert_eq!(read.join().unwrap().unwrap(), 100_000_000);
    assert_eq!(output.status.code(), Some(0));
}

fn killed(name: &str, test: u32, whom: &dyn Fn(&Child, &str) -> i32) -> Option<(i32, String)> {
    let place = Place::new(name, SHELL);
    let mark = place.path("agent");
    let sleep = odd_sleep(test);
    let text = format!("echo here; trap '' TERM; sleep {sleep} & wait; sleep {sleep}");
    let mut child = place.start(&[
        "-hosts",
        "nodea,nodeb,localhost",
        "-n",
        "6",
        "bash",
        "-c",
        &text,
    ]);
    wait_until("all ranks sleep", || processes(&sleep).len() >= 12);
    let begin = Instant::now();
    let victim = whom(&child, &mark);
    kill(victim, libc::SIGKILL);
    let result = if victim == child.id() as i32 {
        child.wait().unwrap();
        None
    } else {
        let Output { status, stderr, .. } = finish(child);
        Some((status.code().unwrap(), String::from_utf8(stderr).unwrap()))
    };
    wait_until("nothing is left", || {
        processes(&sleep).is_empty() && daemons(&mark).is_empty()
    });
    assert!(begin.elapsed() < Duration::from_secs(10));
    result
}

#[test]
fn a_daemon_that_is_killed_ends_the_job() {
    let (code, err) = killed("daemon", 91, &|_, mark| daemons(mark)[0]).unwrap();
    assert_eq!(code, 1, "{err}");
    assert!(
        err.contains("the connection to host node") && err.contains("ill"),
        "{err}"
    );
    assert_eq!(err.matches("mpiexec:").count(), 1, "{err}");
}

#[test]
fn nothing_outlives_mpiexec() {
    assert!(killed("mpiexec", 92, &|child, _| child.id() as i32).is_none());
}

#[test]
fn a_rank_elsewhere_that_is_killed_ends_the_job() {
    let rank = |_: &Child, mark: &str| {
        let daemon = daemons(mark)[0];
        let all = processes("trap '' TERM").into_iter();
        all.filter(|&pid| parent(pid) == daemon).min().unwrap()
    };
    let (code, err) = killed("rank", 93, &rank).unwrap();
    assert_eq!(code, 137, "{err}");
    assert!(err.contains("SIGKILL") && err.contains(" on node"), "{err}");
}

#[test]
fn what_the_user_sends_reaches_ranks_elsewhere() {
    let place = Place::new("signals", SHELL);
    let text = "trap 'echo one' USR1; trap 'echo end; exit 0' INT; echo ready; while :; do sleep 0.05; done";
    let mut child = place.start(&["-hosts", "nodea,nodeb", "-n", "2", "sh", "-c", text]);
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut lines = Vec::new();
    let mut next = || {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut stdout, &mut line).unwrap();
        lines.push(line);
    };
    (0..2).for_each(|_| next());
    kill(child.id() as i32, libc::SIGUSR1);
    (0..2).for_each(|_| next());
    kill(child.id() as i32, libc::SIGINT);
    (0..2).for_each(|_| next());
    let output = finish(child);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(lines.concat(), "ready\nready\none\none\nend\nend\n");
}

#[test]
fn a_host_that_cannot_be_used_is_named() {
    let daemon = "printf '\\nanympi-daemon 2\\n'; sleep 0.2;";
    for (agent, text, said) in [
        (
            "echo no such host >&2; exit 1",
            "-v",
            "exited with code 1 at the last of 2 tries, before a daemon answered: no such host",
        ),
        ("exit 0", "-v", "exited with code 0"),
        (
            "shift; exec sh -c \"$*\" </dev/null",
            "-v",
            "must pass its own standard input on",
        ),
        (
            "echo 'sh: mpiexec: not found' >&2; exit 127",
            "-v",
            "not found (is '",
        ),
        ("kill -9 $$", "-v", "SIGKILL"),
        (
            "exec yes noise",
            "-v",
            "prints and prints, but no daemon answers: noise",
        ),
        (
            "echo banner; exec sleep 100",
            "-v",
            "no daemon has answered within 2 s: banner",
        ),
        (
            "printf '\\nanympi-daemon 999\\n'; sleep 100",
            "-v",
            "speaks version 999",
        ),
        (
            &format!("{daemon} head -c 99 /dev/zero | tr '\\0' '\\377'; sleep 100"),
            "-v",
            "not of this protocol",
        ),
        (
            &format!("{daemon} yes; sleep 100"),
            "-v",
            "not of this protocol",
        ),
        (&format!("{daemon} exit 4"), "-v", "is lost: its agent"),
        // A rank that nobody has: `Ended` of rank 99.
        (
            &format!(
                "{daemon} printf '\\12\\0\\0\\0\\0\\4\\143\\0\\0\\0\\0\\0\\0\\0\\n'; sleep 100"
            ),
            "-v",
            "does not have",
        ),
    ] {
        let agent = format!("case $1 in nodeb) {agent};; *) {SHELL};; esac");
        let place = Place::new("unusable", &agent);
        let begin = Instant::now();
        let mut command = place.command(&[text, "-hosts", "nodea,nodeb", "--spawn-timeout", "2"]);
        command.args(["-n", "2", "sleep", "50"]);
        command.env("HYDRA_PROXY_RETRY_COUNT", "1");
        let output = finish(start(&mut command));
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{agent}: {err}");
        assert!(
            err.contains(said) && err.contains("host nodeb"),
            "{agent}: {err}"
        );
        assert!(begin.elapsed() < Duration::from_secs(9), "{agent}");
        assert_eq!(daemons(&place.path("agent")), [0; 0], "{agent}");
    }
    let output = finish(start(
        command(&["-host", "nodea", "true"]).env("HYDRA_LAUNCHER_EXEC", "/no/such/agent"),
    ));
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(
        err.contains("host nodea: cannot start the agent '/no/such/agent'"),
        "{err}"
    );
}

#[test]
fn hosts_that_are_not_up_yet_are_waited_for() {
    let agent = "d=$(dirname $0); echo x >>$d/tries.$1; [ $1 = nodeb ] && [ $(wc -l <$d/tries.$1) -lt 3 ] && \
                 { echo Connection refused >&2; exit 255; }; ";
    let place = Place::new("late", &format!("{agent}{SHELL}"));
    let (code, out, err) = place.run(&["-hosts", "nodea,nodeb", "-n", "2", "echo", "up"]);
    assert_eq!((code, out.as_str()), (0, "up\nup\n"), "{err}");
    assert!(!err.contains("refused"), "{err}");
    let tries = fs::read_to_string(place.path("tries.nodeb")).unwrap();
    assert_eq!(tries, "x\nx\nx\n");
}

#[test]
fn somebody_who_waits_learns_for_whom_and_may_give_up() {
    let place = Place::new(
        "waiting",
        &format!("[ $1 = nodeb ] && exec sleep 100; {SHELL}"),
    );
    let mut child = place.start(&["-hosts", "nodea,nodeb", "-n", "2", "true"]);
    let mut stderr = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("waiting") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut stderr, &mut line).unwrap() > 0);
    }
    assert!(
        line.contains("waiting for nodeb") && !line.contains("nodea"),
        "{line}"
    );
    kill(child.id() as i32, libc::SIGTERM);
    assert_eq!(finish(child).status.code(), Some(143));
    wait_until("no daemon is left", || {
        daemons(&place.path("agent")).is_empty()
    });
}

#[test]
fn variables_of_operators_are_followed() {
    let place = Place::new("operator", SHELL);
    let file = place.path("hostfile");
    fs::write(
        &file,
        "nodea slots=2\r\n\r\n# none\r\nnodeb slots=2 max_slots=2\r\n",
    )
    .unwrap();
    let mut command = command(&["-n", "4", "sh", "-c", "echo $PMI_HOSTNAME"]);
    command
        .env("OMPI_MCA_orte_default_hostfile", &file)
        .env("OMPI_MCA_plm_rsh_agent", place.path("agent"));
    let output = finish(start(&mut command));
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(sorted(&out), ["nodea", "nodea", "nodeb", "nodeb"]);
    // An agent gets its arguments before the host.
    let place = Place::new("arguments", "echo \"$1 $2 $3\" >&2; exit 127");
    let mut command = place.command(&["-host", "me@nodea", "true"]);
    command.env("HYDRA_LAUNCH_EXTRA_ARGS", "-o ConnectionAttempts=10");
    let err = finish(start(&mut command)).stderr;
    let err = String::from_utf8(err).unwrap();
    assert!(err.contains(": -o ConnectionAttempts=10 me@nodea"), "{err}");
}

#[test]
fn many_hosts_and_a_limit_of_agents() {
    let agent = "d=$(dirname $0); touch $d/on.$1; ls $d | grep -c ^on >>$d/counts; sleep 0.05; rm $d/on.$1; ";
    let place = Place::new("many", &format!("{agent}{SHELL}"));
    let hosts: Vec<String> = (0..24).map(|n| format!("node{n}")).collect();
    let mut command = place.command(&["-hosts", &hosts.join(","), "-ppn", "1", "sh", "-c"]);
    command
        .arg("echo $PMI_RANK $PMI_HOSTNAME")
        .env("HYDRA_LAUNCHER_SSH_LIMIT", "3");
    let output = finish(start(&mut command));
    let out = String::from_utf8(output.stdout).unwrap();
    let mut expected: Vec<String> = (0..24).map(|n| format!("{n} node{n}")).collect();
    expected.sort_unstable();
    assert_eq!(
        sorted(&out),
        expected,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let counts = fs::read_to_string(place.path("counts")).unwrap();
    let most = counts.lines().map(|l| l.parse::<u32>().unwrap()).max();
    assert!(most.unwrap() <= 3, "{most:?}");
}

//! Jobs over hosts of which mpiexec starts only some itself: daemons start the others.

mod common;

use common::place::*;
use common::*;
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// With a width of two, 0 and 1 are reached from mpiexec, 2 and 3 from 0, 4 and 5 from 1, and 6 from 2.
const HOSTS: &str = "h0,h1,h2,h3,h4,h5,h6";
const WIDE: [&str; 6] = ["--tree-width", "2", "-hosts", HOSTS, "-n", "7"];

/// Writes down for each host whether a daemon has called the agent.
const NOTED: &str = "d=$(dirname $0); grep -q anympi-[d]aemon /proc/$PPID/cmdline && by=daemon || by=mpiexec; \
                     echo $1 $by >>$d/calls; ";

fn agent(more: &str) -> String {
    format!("{NOTED}{more}{SHELL}")
}

fn calls(place: &Place) -> Vec<String> {
    let text = fs::read_to_string(place.path("calls")).unwrap();
    sorted(&text).into_iter().map(str::to_owned).collect()
}

fn job(place: &Place, more: &[&str], text: &str) -> Command {
    let mut command = place.command(&[&WIDE[..], more].concat());
    command.args(["bash", "-c", &format!("{CLIENT}{text}")]);
    command
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn daemons_start_daemons() {
    let place = Place::new("tree", &agent(""));
    let script = r#"
        init; ask "cmd=put kvsname=k key=r$PMI_RANK value=v$PMI_RANK"; barrier
        for r in 0 1 2 3 4 5 6; do ask "cmd=get kvsname=k key=r$r"; echo "$PMI_HOSTNAME ${REPLY#*value=}"; done
        barrier; finalize; [ $PMI_RANK = 6 ] && wc -c; exit 0"#;
    let mut child = start(job(&place, &["-s", "6"], script).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&vec![b'x'; 3_000_000]));
    let output = finish(child);
    writer.join().unwrap().unwrap();
    let err = text(output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
    let mut expected: Vec<String> = (0..49).map(|n| format!("h{} v{}", n / 7, n % 7)).collect();
    expected.push("3000000".into());
    expected.sort_unstable();
    assert_eq!(sorted(&text(output.stdout)), expected, "{err}");
    let by = |n: usize| if n < 2 { "mpiexec" } else { "daemon" };
    let expected: Vec<String> = (0..7).map(|n| format!("h{n} {}", by(n))).collect();
    assert_eq!(calls(&place), expected);
    wait_until("no daemon is left", || {
        daemons(&place.path("agent")).is_empty()
    });
    // Or none does.
    let flat = Place::new("flat", &agent(""));
    let mut command = job(&flat, &["--mca", "plm_rsh_no_tree_spawn", "true"], "exit 0");
    assert_eq!(finish(start(&mut command)).status.code(), Some(0));
    assert!(calls(&flat).iter().all(|call| call.ends_with("mpiexec")));
    assert_eq!(calls(&flat).len(), 7);
}

#[test]
fn much_output_comes_through() {
    let place = Place::new("tree-output", SHELL);
    let mut command = job(&place, &[], "yes | head -c 20000000");
    let output = finish(start(&mut command));
    assert_eq!(
        output.stdout.len(),
        7 * 20_000_000,
        "{}",
        text(output.stderr)
    );
}

#[test]
fn the_first_cause_counts_however_far_it_is() {
    let place = Place::new("tree-causes", SHELL);
    for (end, code, said) in [
        ("exit 3", 3, "exited with code 3"),
        ("kill -SEGV $$", 139, "SIGSEGV"),
        ("init; ask 'cmd=abort exitcode=7 message=x'", 7, "code 7"),
    ] {
        let begin = Instant::now();
        let script = format!("if [ $PMI_RANK = 6 ]; then echo last words >&2; {end}; fi; sleep 30");
        let output = finish(start(&mut job(&place, &[], &script)));
        let err = text(output.stderr);
        assert_eq!(output.status.code(), Some(code), "{err}");
        assert!(err.contains(said) && err.contains("rank 6 on h6"), "{err}");
        assert_eq!(err.matches("mpiexec:").count(), 1, "{err}");
        assert!(err.find("last words") < err.find("mpiexec:"), "{err}");
        assert!(begin.elapsed() < Duration::from_secs(10), "{end}");
    }
}

/// Where a daemon cannot go, mpiexec goes itself.
#[test]
fn an_agent_that_works_only_from_the_first_host() {
    for (fails, said) in [
        (
            "[ $by = daemon ] && { echo no way >&2; exit 255; }; ",
            "no way",
        ),
        ("[ $by = daemon ] && exec sleep 100; ", "within 3 s"),
    ] {
        let place = Place::new("tree-only", &agent(fails));
        let mut command = job(&place, &["-v", "--spawn-timeout", "12"], "echo $PMI_RANK");
        let output = finish(start(&mut command));
        let err = text(output.stderr);
        assert_eq!(output.status.code(), Some(0), "{err}");
        assert_eq!(text(output.stdout).lines().count(), 7, "{err}");
        assert_eq!(
            err.matches("it is tried from this host").count(),
            5,
            "{err}"
        );
        assert!(err.contains(said), "{err}");
        assert!(calls(&place).iter().any(|call| call == "h6 mpiexec"));
        wait_until("no daemon is left", || {
            daemons(&place.path("agent")).is_empty()
        });
    }
}

#[test]
fn a_far_host_that_cannot_be_used_is_named() {
    for (agent, said) in [
        ("echo no such host >&2; exit 1", "no such host"),
        ("exec sleep 100", "no daemon has answered within 4 s"),
    ] {
        let place = Place::new(
            "tree-unusable",
            &format!("case $1 in h5) {agent};; esac; {SHELL}"),
        );
        let mut command = job(&place, &["--spawn-timeout", "4"], "sleep 50");
        command.env("HYDRA_PROXY_RETRY_COUNT", "0");
        let begin = Instant::now();
        let output = finish(start(&mut command));
        let err = text(output.stderr);
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(err.contains("host h5") && err.contains(said), "{err}");
        assert_eq!(err.matches("mpiexec:").count(), 1, "{err}");
        assert!(begin.elapsed() < Duration::from_secs(10));
        wait_until("no daemon is left", || {
            daemons(&place.path("agent")).is_empty()
        });
    }
}

/// Starts a job, does something to one of its processes, and sees to it that nothing is left soon.
fn struck(
    name: &str,
    test: u32,
    signal: i32,
    whom: &dyn Fn(&Child, &Place) -> i32,
) -> Option<(i32, String)> {
    let place = Place::new(name, SHELL);
    let sleep = odd_sleep(test);
    let script = format!("trap '' TERM; sleep {sleep} & wait; sleep {sleep}");
    let mut child = start(&mut job(&place, &[], &script));
    wait_until("all ranks sleep", || processes(&sleep).len() >= 14);
    let begin = Instant::now();
    let victim = whom(&child, &place);
    kill(victim, signal);
    let result = if victim == child.id() as i32 {
        child.wait().unwrap();
        None
    } else {
        let output = finish(child);
        Some((output.status.code().unwrap(), text(output.stderr)))
    };
    wait_until("nothing is left", || {
        processes(&sleep).is_empty() && daemons(&place.path("agent")).is_empty()
    });
    // A daemon that says nothing is given eight seconds.
    let limit = if signal == libc::SIGSTOP { 16 } else { 10 };
    assert!(
        begin.elapsed() < Duration::from_secs(limit),
        "{:?}",
        begin.elapsed()
    );
    result
}

/// The daemon of a host, by the agent's process, which has become it.
fn daemon_of(place: &Place, host: &str) -> i32 {
    let ranks: Vec<i32> = daemons(&place.path("agent"))
        .into_iter()
        .filter(|&daemon| {
            let is_there = |pid: &i32| {
                let env = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                parent(*pid) == daemon
                    && String::from_utf8_lossy(&env).contains(&format!("PMI_HOSTNAME={host}\0"))
            };
            processes("trap '' TERM").iter().any(is_there)
        })
        .collect();
    assert_eq!(ranks.len(), 1, "{host}");
    ranks[0]
}

#[test]
fn a_daemon_in_the_middle_that_is_killed_ends_the_job() {
    for (host, test) in [("h0", 81), ("h2", 82)] {
        let (code, err) = struck("tree-daemon", test, libc::SIGKILL, &|_, place| {
            daemon_of(place, host)
        })
        .unwrap();
        assert_eq!(code, 1, "{err}");
        let said = format!("the connection to host {host} is lost: its agent");
        assert!(err.contains(&said), "{err}");
        assert_eq!(err.matches("mpiexec:").count(), 1, "{err}");
    }
}

#[test]
fn a_daemon_in_the_middle_that_is_silent_ends_the_job() {
    let silent = |_: &Child, place: &Place| daemon_of(place, "h0");
    let (code, err) = struck("tree-silent", 83, libc::SIGSTOP, &silent).unwrap();
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("host h0 is lost: nothing has come"), "{err}");
}

#[test]
fn nothing_outlives_mpiexec_or_a_far_rank() {
    let mpiexec = |child: &Child, _: &Place| child.id() as i32;
    assert!(struck("tree-mpiexec", 84, libc::SIGKILL, &mpiexec).is_none());
    let rank = |_: &Child, place: &Place| {
        let daemon = daemon_of(place, "h6");
        let ranks = processes("trap '' TERM").into_iter();
        ranks.filter(|&pid| parent(pid) == daemon).min().unwrap()
    };
    let (code, err) = struck("tree-rank", 85, libc::SIGKILL, &rank).unwrap();
    assert_eq!(code, 137, "{err}");
    assert!(err.contains("SIGKILL") && err.contains(" on h6"), "{err}");
}

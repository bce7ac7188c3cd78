//! The second way to mpiexec, and ranks that are another process than the one that was started: bash and Python
//! play the ranks. Every run has a deadline.

mod common;

use common::{CLIENT as BASH, MPIEXEC};
use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A PMI-1 client that comes through the door: `come()` tells as what, `ask(line)` gives the answer.
const CLIENT: &str = r#"
import os, signal, socket, subprocess, sys, time
def knock():
    global name, token, door
    name, token = os.environ['PMI_ANYMPI'].split(',')[1:]
    door = socket.socket(socket.AF_UNIX)
    door.connect('\0' + name)
    return door
def ask(line):
    door.sendall((line + '\n').encode())
    return door.makefile().readline().strip()
def come():
    knock()
    return ask('cmd=anympi_join token=' + token).split('as=')[-1]
def init(): return ask('cmd=init pmi_version=1 pmi_subversion=1')
def barrier(): return ask('cmd=barrier_in')
def finalize(): return ask('cmd=finalize')
def below(text, **more):
    return subprocess.run([sys.executable, '-c', os.environ['CLIENT'] + text], **more).returncode
def leave(text, *more):
    "Leaves a program in a session of its own behind, once that has started."
    out, into = os.pipe()
    words = ['python3', '-c', os.environ['CLIENT'] + f'os.close({into});' + text, *more]
    subprocess.Popen(words, start_new_session=True, pass_fds=[into])
    os.close(into); os.read(out, 1)
rank = int(os.environ['PMI_RANK'])
"#;

fn start(args: &[&str]) -> Child {
    Command::new(MPIEXEC)
        .args(args)
        .env("CLIENT", CLIENT)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Exit code, sorted lines of standard output, standard error; and how long it took.
fn finish(child: Child) -> (i32, Vec<String>, String, Duration) {
    let begin = Instant::now();
    let ended = common::finish(child);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let mut lines: Vec<String> = text(ended.stdout).lines().map(str::to_owned).collect();
    lines.sort_unstable();
    let code = ended.status.code().unwrap();
    (code, lines, text(ended.stderr), begin.elapsed())
}

fn python(n: &str, text: &str) -> (i32, Vec<String>, String, Duration) {
    let text = format!("{CLIENT}{text}");
    finish(start(&["-v", "-n", n, "python3", "-c", &text]))
}

fn bash(n: &str, text: &str) -> (i32, Vec<String>, String, Duration) {
    finish(start(&["-n", n, "bash", "-c", &format!("{BASH}{text}")]))
}

#[test]
fn a_helper_may_close_the_socket() {
    // Python closes all descriptors in the programs that it runs.
    let text = r#"below("print(come(), init(), barrier(), finalize(), rank)")"#;
    let (code, out, err, _) = python("2", text);
    assert_eq!(code, 0, "{err}");
    let answers = "rank cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 cmd=barrier_out rc=0 cmd=finalize_ack rc=0";
    assert_eq!(
        out,
        [format!("{answers} 0"), format!("{answers} 1")],
        "{err}"
    );
}

#[test]
fn the_first_to_come_is_the_rank_until_it_ends() {
    let text = "
print(1, come(), flush=True); init(); below('print(2, come())')
finalize(); below('print(3, come())')
door.close(); below('print(4, come())')
below('print(5, come())')";
    let (code, out, err, _) = python("1", text);
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        out,
        ["1 rank", "2 singleton", "3 singleton", "4 rank", "5 rank"]
    );
}

#[test]
fn a_rank_that_is_taken_is_refused_on_the_handed_down_socket() {
    let text = "
come(); init(); door2 = door
door = socket.socket(fileno=int(os.environ['PMI_FD'])); print(init())
door = door2; print(finalize())";
    let (code, out, err, _) = python("1", text);
    assert_eq!(code, 0, "{err}");
    assert_eq!(out[0], "cmd=finalize_ack rc=0");
    assert!(out[1].contains("rc=1 msg=another_process"), "{out:?}");
}

#[test]
fn the_end_of_a_rank_is_noticed_wherever_it_is() {
    for (end, code, said) in [
        ("os.kill(os.getpid(), signal.SIGKILL)", 137, "SIGKILL"),
        ("os._exit(3)", 3, "exited with code 3"),
        ("os._exit(0)", 1, "without calling MPI_Finalize"),
        (
            "door.close(); time.sleep(50)",
            1,
            "without calling MPI_Finalize",
        ),
    ] {
        let text = format!(
            "below('come(); init(); barrier()\\nif rank == 1: {end}\\ntime.sleep(50)', start_new_session=True); time.sleep(50)"
        );
        let (got, _, err, took) = python("2", &text);
        assert_eq!(got, code, "{end}: {err}");
        assert!(
            err.contains(said) && err.contains("rank 1 on"),
            "{end}: {err}"
        );
        assert!(took < Duration::from_secs(20), "{end}");
    }
}

#[test]
fn the_end_of_a_rank_on_the_handed_down_socket_is_noticed() {
    let text = "(init; barrier; [ $PMI_RANK = 1 ] && exit 0; sleep 50) & exec {PMI_FD}>&-; exit 0";
    let (code, _, err, took) = bash("2", text);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("without calling MPI_Finalize"), "{err}");
    assert!(took < Duration::from_secs(20));
}

#[test]
fn a_shell_that_leaves_its_program_in_the_background_has_not_failed() {
    let text = "(sleep 0.3; init; barrier; sleep 1.5; finalize; echo done) & exit 0";
    let (code, out, err, _) = bash("2", text);
    assert_eq!(
        (code, out),
        (0, vec!["done".into(), "done".into()]),
        "{err}"
    );
    let text = "leave('come(); init(); barrier(); time.sleep(1.5); finalize(); print(1)')";
    let (code, out, err, _) = python("2", text);
    assert_eq!((code, out), (0, vec!["1".into(), "1".into()]), "{err}");
    // Its code is the rank's.
    let text = "leave('come(); init(); finalize(); time.sleep(1.5); os._exit(5)')";
    let (code, _, err, _) = python("1", text);
    assert_eq!(code, 5, "{err}");
}

#[test]
fn nobody_waits_for_a_daemon() {
    for text in [
        "sleep 3333 & exit 0",
        "setsid bash -c 'echo $$; exec sleep 33' & exit 0",
        "init; finalize; sleep 3333 & exit 0",
        "sleep 3333 >/dev/null 2>&1 & exit 0",
    ] {
        let (code, out, err, took) = bash("2", text);
        // What has left its rank's session lives on, by its own wish; the test does not leave it.
        for pid in out.iter().filter_map(|line| line.parse().ok()) {
            // SAFETY: a signal to a process of this test.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        assert_eq!(code, 0, "{text}: {err}");
        assert!(took < Duration::from_secs(15), "{text}: {took:?}");
    }
}

#[test]
fn garbage_at_the_door_does_no_harm() {
    let text = r#"
kept = []
for i in range(100):
    knock()
    try:
        door.sendall([b'x' * 100000, b'cmd=init\n', b'', b'cmd=anympi_join token=' + b'0' * 32 + b'\n'][i % 4])
    except OSError:
        pass
    kept.append(door)
print(come(), init()[-4:], barrier()[-4:], finalize()[-4:])"#;
    let (code, out, err, took) = python("2", text);
    assert_eq!(code, 0, "{err}");
    assert_eq!(out, ["rank rc=0 rc=0 rc=0"; 2]);
    assert!(
        err.contains("connections without a token were refused"),
        "{err}"
    );
    assert!(took < Duration::from_secs(20));
}

#[test]
fn nothing_is_left_of_a_rank_elsewhere() {
    let word = format!("{}", 4_000_000_000u64 + u64::from(std::process::id()));
    let runs = || {
        fs::read_dir("/proc").unwrap().flatten().any(|entry| {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            line.starts_with(b"python3")
                && String::from_utf8_lossy(&line).ends_with(&format!("{word}\0"))
        })
    };
    let wait = |what: &str, wanted: bool| {
        let until = Instant::now() + Duration::from_secs(20);
        while runs() != wanted {
            assert!(Instant::now() < until, "{what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let rank = "come(); init(); barrier(); print('here', flush=True); time.sleep(60)";
    let text =
        format!("{CLIENT}leave(\"{rank}\", '{word}')\nif sys.argv[1] == 'stay': time.sleep(60)");
    for how in ["stay", "leave"] {
        let mut child = start(&["-n", "2", "python3", "-c", &text, how]);
        let mut here = [0; 10];
        child
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut here)
            .unwrap();
        assert!(runs());
        child.kill().unwrap();
        child.wait().unwrap();
        wait("a rank outlives mpiexec", false);
    }
    // And when mpiexec is asked to end.
    let mut child = start(&["-n", "2", "python3", "-c", &text, "stay"]);
    let mut here = [0; 10];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut here)
        .unwrap();
    // SAFETY: a signal to a child that has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
    let (code, ..) = finish(child);
    assert_eq!(code, 143);
    assert!(!runs());
}

#[test]
fn a_guest_that_says_nothing_is_sent_away() {
    let text = "knock(); door.settimeout(40); print(len(door.recv(1)))";
    let (code, out, err, _) = python("1", text);
    assert_eq!((code, out.join(" ").as_str()), (0, "0"), "{err}");
    assert!(err.contains("refused"), "{err}");
}

/// Where mpiexec may open too few files for all of them, guests are told so, and nobody waits.
#[test]
fn who_cannot_be_let_in_is_told() {
    let rank = r#"below("""
knock(); door.settimeout(50)
try: door.sendall(('cmd=anympi_join token=' + token + chr(10)).encode())
except BrokenPipeError: pass
print(door.makefile().readline().split('rc=')[-1][:16].strip(), flush=True); time.sleep(2)""")"#;
    let limited = r#"ulimit -n "$1"; shift; exec "$@""#;
    let text = format!("{CLIENT}{rank}");
    let run = |limit: i32| {
        let child = Command::new("bash")
            .args(["-c", limited, "bash", &limit.to_string(), MPIEXEC])
            .args(["-n", "8", "python3", "-c", &text])
            .env("CLIENT", CLIENT)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        finish(child.unwrap())
    };
    // As few as allow all ranks to be started.
    let (code, out, err, _) = (36..80)
        .map(run)
        .find(|(_, _, err, _)| !err.contains("cannot start rank"))
        .unwrap();
    assert_eq!((code, out.len()), (0, 8), "{err}");
    assert!(
        out.iter().any(|line| line.contains("mpiexec_ma")),
        "{out:?}"
    );
}

/// A program that is left in the background and has not joined is ended, and mpiexec says so.
#[test]
fn what_never_joins_in_the_background_is_named() {
    let (code, out, err, _) = bash("1", "sleep 3600 >/dev/null 2>&1 & exit 0");
    assert_eq!((code, out.len()), (0, 0), "{err}");
    assert!(err.contains("left in the background"), "{err}");
}

/// A session before or after the world is no world: who has ended has taken part in all there were.
#[test]
fn sessions_beside_the_world_end_nothing() {
    let text = "
if [ $PMI_RANK = 0 ]; then init; finalize; fi
init; echo cmd=anympi_world >&$PMI_FD; barrier; finalize
[ $PMI_RANK = 1 ] && exit 0
init; sleep 1; finalize; echo done";
    // Barriers are counted by init, so only who has done one less can meet: rank 0 does without.
    let text = text.replace("barrier; ", "");
    let (code, out, err, _) = bash("2", &text);
    assert_eq!((code, out.join(" ").as_str()), (0, "done"), "{err}");
}

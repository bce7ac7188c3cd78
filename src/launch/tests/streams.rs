//! Random bytes where mpiexec and its daemons listen: at the door, at the daemon's standard input, and from an agent.
//! They are told so in clear words, end in time and never crash. `ANYMPI_STREAMS` says how many streams each test sends
//! (for a daemon or a job a tenth or a hundredth of them).

mod common;

use common::place::*;
use common::*;
use std::fs;
use std::io::{Read, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn streams() -> usize {
    let asked = std::env::var("ANYMPI_STREAMS").ok();
    asked.map_or(2000, |n| n.parse().unwrap())
}

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }

    /// Bytes, of which some streams consist of pieces that are nearly right.
    fn stream(&mut self, pieces: &[&[u8]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..self.below(6) {
            match self.below(3) {
                0 => bytes.extend_from_slice(pieces[self.below(pieces.len())]),
                1 => bytes.extend((0..self.below(40)).map(|_| self.below(256) as u8)),
                // A frame as far as its length and end go.
                _ => {
                    let length = self.below(30);
                    bytes.extend((length as u32).to_le_bytes());
                    bytes.extend((0..length).map(|_| self.below(9) as u8));
                    bytes.push(b'\n');
                }
            }
        }
        bytes
    }
}

#[test]
fn strangers_at_the_door() {
    let dir = scratch("streams-door");
    let file = dir.join("door");
    let script = format!(
        "echo $PMI_ANYMPI >{}.new; mv {0}.new {0}; read line; init; barrier; finalize",
        file.display()
    );
    let mut job = command(&["-v", "-n", "1", "bash", "-c", &format!("{CLIENT}{script}")]);
    let mut child = start(job.stdin(Stdio::piped()));
    wait_until("the rank runs", || file.exists());
    let text = fs::read_to_string(&file).unwrap();
    let name = text.trim().split(',').nth(1).unwrap().to_owned();
    let mut random = Random(7);
    let pieces: [&[u8]; 4] = [
        b"cmd=anympi_join token=",
        b"0123456789abcdef0123456789abcdef",
        b"\n",
        b"cmd=init ",
    ];
    let mut open = Vec::new();
    let begin = Instant::now();
    for _ in 0..streams() {
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let mut guest = UnixStream::connect_addr(&address).unwrap();
        let _ = guest.write_all(&random.stream(&pieces));
        // Some stay for a while.
        open.push(guest);
        if open.len() > random.below(40) {
            open.clear();
        }
    }
    // The job goes on as if nobody had come.
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    let output = finish(child);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(
        err.contains("connections without a token were refused"),
        "{err}"
    );
    assert!(!err.contains("panicked"), "{err}");
    eprintln!("{} streams in {:?}", streams(), begin.elapsed());
    fs::remove_dir_all(dir).unwrap();
}

/// Waits for a process that has been given all of its input.
fn ended(mut child: Child) -> (i32, String) {
    let until = Instant::now() + Duration::from_secs(20);
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if Instant::now() > until => {
                child.kill().unwrap();
                panic!("a daemon did not end");
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let mut err = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    (status.code().expect("it was killed by a signal"), err)
}

#[test]
fn a_daemon_that_is_told_nonsense() {
    let mut random = Random(11);
    let call = b"\nanympi-mpiexec 2\n".as_slice();
    let pieces: [&[u8]; 5] = [
        call,
        b"anympi-mpiexec",
        // WindUp, and a Pass to nobody.
        b"\x02\0\0\0\x01\x08\n",
        b"\x11\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\n",
        b"\n",
    ];
    for _ in 0..(streams() / 10).div_ceil(8) {
        let daemons: Vec<(Vec<u8>, Child)> = (0..8)
            .map(|_| {
                let mut bytes = random.stream(&pieces);
                if random.below(2) == 0 {
                    bytes.splice(0..0, call.iter().copied());
                }
                let mut daemon = Command::new(MPIEXEC);
                daemon.arg("--anympi-daemon").stdin(Stdio::piped());
                let mut daemon = daemon
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap();
                let _ = daemon.stdin.take().unwrap().write_all(&bytes);
                (bytes, daemon)
            })
            .collect();
        for (bytes, daemon) in daemons {
            let (code, err) = ended(daemon);
            assert!(
                matches!(code, 0 | 1) && !err.contains("panicked"),
                "{bytes:?}: {code} {err}"
            );
            assert!(
                code == 0 || err.contains("standard input"),
                "{bytes:?}: {err}"
            );
        }
    }
}

#[test]
fn an_agent_that_speaks_nonsense() {
    let mut random = Random(13);
    let greeting = b"\nanympi-daemon 2\n".as_slice();
    let pieces: [&[u8]; 4] = [
        greeting,
        b"\x02\0\0\0\0\x0f\n",
        b"\x02\0\0\0\0\x0b\n",
        b"\n",
    ];
    let place = Place::new(
        "streams-agent",
        "cat >/dev/null & cat $(dirname $0)/bytes; exit 0",
    );
    for _ in 0..(streams() / 100).max(1) {
        let mut bytes = random.stream(&pieces);
        if random.below(4) > 0 {
            bytes.splice(0..0, greeting.iter().copied());
        }
        fs::write(place.path("bytes"), &bytes).unwrap();
        let begin = Instant::now();
        let (code, _, err) = place.run(&["-host", "nodea", "-n", "1", "true"]);
        assert!(
            matches!(code, 0 | 1) && !err.contains("panicked"),
            "{bytes:?}: {code} {err}"
        );
        assert!(code == 0 || err.contains("host nodea"), "{bytes:?}: {err}");
        assert!(begin.elapsed() < Duration::from_secs(15), "{bytes:?}");
    }
}

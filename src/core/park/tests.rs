#![allow(unsafe_code)]

use super::*;
use std::fs::{self, File};
use std::io::Write;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Longer than any test may wait.
const LONG: Duration = Duration::from_secs(60);
/// A wait that takes so long has failed.
const DEADLINE: Duration = Duration::from_secs(20);

fn sleeper() -> &'static Sleeper {
    Box::leak(Box::new(Sleeper {
        wakes: AtomicU32::new(0),
        asleep: AtomicU32::new(asleep::NO),
        order: AtomicU32::new(order::UNKNOWN),
        socket: AtomicU64::new(0),
    }))
}

fn until(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < DEADLINE, "{what} has not happened");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Sleeps until `done` says so; fails where nothing but the time-out ends a sleep.
fn wait(park: &Park, done: impl Fn() -> bool) {
    loop {
        let ticket = park.prepare();
        if !done() {
            let start = Instant::now();
            park.sleep(ticket, LONG);
            assert!(start.elapsed() < DEADLINE, "a wake-up was lost");
        }
        park.awake();
        if done() {
            return;
        }
    }
}

/// A pipe with something in it to read.
fn full_pipe() -> (OwnedFd, OwnedFd) {
    let (read, write) = nix::unistd::pipe().unwrap();
    nix::unistd::write(&write, b"x").unwrap();
    (read, write)
}

#[test]
fn without_descriptors_there_is_only_the_word() {
    let park = Park::new(sleeper());
    let ticket = park.prepare();
    assert_eq!(ticket.how, asleep::WORD);
    let start = Instant::now();
    park.sleep(ticket, Duration::from_millis(30));
    assert!(start.elapsed() >= Duration::from_millis(30));
    park.sleeper.waker().notify();
    park.sleep(ticket, LONG);
    park.wake();
    park.sleep(ticket, LONG);
    assert!(start.elapsed() < DEADLINE);
    assert!(park.descriptors.get().is_none());
    assert_eq!(park.sleeper.socket.load(Ordering::Relaxed), 0);
}

#[test]
fn descriptors_end_sleeps_as_long_as_they_are_registered() {
    let park = Park::new(sleeper());
    let (read, write) = full_pipe();
    let slept = |timeout| {
        let start = Instant::now();
        park.sleep(park.prepare(), timeout);
        park.awake();
        start.elapsed()
    };
    let short = Duration::from_millis(30);
    assert!(park.forget(read.as_fd()).is_err());
    assert!(slept(short) >= short);
    park.register(read.as_fd()).unwrap();
    // That was a wake-up of its own.
    let _ = slept(LONG);
    assert!(slept(LONG) < DEADLINE, "there is something to read");
    assert!(park.register(read.as_fd()).is_err(), "it is registered");
    nix::unistd::read(&read, &mut [0; 8]).unwrap();
    assert!(slept(short) >= short);
    drop(write);
    assert!(slept(LONG) < DEADLINE, "the other end is closed");
    park.forget(read.as_fd()).unwrap();
    assert!(park.forget(read.as_fd()).is_err());
    assert!(slept(short) >= short);
    assert_eq!(park.prepare().how, asleep::WORD);
}

#[test]
fn who_registers_a_descriptor_wakes_who_sleeps_on_the_word() {
    let park = &Park::new(sleeper());
    let (read, _write) = full_pipe();
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            wait(park, || park.ticket().how == asleep::DESCRIPTORS);
        });
        until("sleep", || park.sleeper.asleep.load(Ordering::Relaxed) != 0);
        park.register(read.as_fd()).unwrap();
        thread.join().unwrap();
    });
}

/// What a process sleeps on in a test with many rounds.
#[derive(Clone, Copy, Debug)]
enum On {
    Word,
    Descriptors,
    /// Now this, now that.
    Both,
}

const ROUNDS: u32 = 10_000;

/// Two threads, each of which sleeps until the other one has woken it, again and again.
fn ping_pong(on: On, barriers: bool) {
    let [left, right] = [sleeper(), sleeper()];
    let balls: &[AtomicU32; 2] = &[AtomicU32::new(0), AtomicU32::new(0)];
    std::thread::scope(|scope| {
        for (me, [mine, theirs]) in [[left, right], [right, left]].into_iter().enumerate() {
            scope.spawn(move || {
                let park = Park::ordered(mine, barriers);
                let (read, _write) = nix::unistd::pipe().unwrap();
                let mut waker = Waker {
                    sleeper: theirs,
                    order: order::UNKNOWN,
                };
                for round in 1..=ROUNDS {
                    match (on, round % 8) {
                        (On::Descriptors, 1) if round == 1 => park.register(read.as_fd()).unwrap(),
                        (On::Both, 1) => park.register(read.as_fd()).unwrap(),
                        (On::Both, 5) => park.forget(read.as_fd()).unwrap(),
                        _ => (),
                    }
                    balls[me].store(round, Ordering::Release);
                    waker.notify();
                    // The other one is met while it is awake, goes to sleep, or sleeps.
                    for _ in 0..round % 64 * 16 {
                        std::hint::spin_loop();
                    }
                    wait(&park, || balls[1 - me].load(Ordering::Acquire) >= round);
                }
            });
        }
    });
}

#[test]
fn no_wake_up_is_lost() {
    for on in [On::Word, On::Descriptors, On::Both] {
        for barriers in [false, true] {
            if barriers && !has_barriers() {
                continue;
            }
            ping_pong(on, barriers);
        }
    }
}

#[test]
fn threads_of_the_process_wake_who_sleeps_unseen() {
    for on in [On::Word, On::Descriptors] {
        let park = &Park::new(sleeper());
        let (read, _write) = nix::unistd::pipe().unwrap();
        if let On::Descriptors = on {
            park.register(read.as_fd()).unwrap();
        }
        let [asked, given] = &[AtomicU32::new(0), AtomicU32::new(0)];
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 1..=ROUNDS {
                    asked.store(round, Ordering::Release);
                    loop {
                        let ticket = park.ticket();
                        if given.load(Ordering::Acquire) >= round {
                            break;
                        }
                        let start = Instant::now();
                        park.sleep(ticket, LONG);
                        assert!(start.elapsed() < DEADLINE, "{on:?}: a wake-up was lost");
                    }
                }
            });
            for round in 1..=ROUNDS {
                let start = Instant::now();
                while asked.load(Ordering::Acquire) < round {
                    assert!(start.elapsed() < DEADLINE, "{on:?}: round {round}");
                    std::thread::yield_now();
                }
                given.store(round, Ordering::Release);
                park.wake();
            }
        });
    }
}

// --- another process ---------------------------------------------------------------------------------

/// The file that two processes of a test share.
const VARIABLE: &str = "ANYMPI_TEST_SLEEPER";

struct Shared {
    sleeper: Sleeper,
    frames: AtomicU32,
    /// What the other process waits for, and what it has got.
    begun: AtomicU32,
    over: AtomicU32,
}

/// In turn.
mod stage {
    pub const FRAME: u32 = 1;
    pub const DESCRIPTOR: u32 = 2;
    pub const TIMEOUT: u32 = 3;
    pub const DEATH: u32 = 4;
}

fn shared(file: &OwnedFd) -> &'static Shared {
    let mapping = sys::Mapping::part(file, 0..sys::PAGE, None).unwrap();
    // SAFETY: page aligned, as long as a page, zero at first, never unmapped; all fields are atomics.
    unsafe { &*mapping.keep().cast::<Shared>() }
}

/// The other process: sleeps on its standard input and for frames.
#[test]
#[ignore = "a part of other_processes_wake_who_sleeps_on_descriptors"]
fn another_process() {
    let path = std::env::var(VARIABLE).expect("the test that starts this process says so");
    let file = File::options().read(true).write(true).open(path).unwrap();
    let shared = shared(&file.into());
    let park = Park::new(&shared.sleeper);
    let input = std::io::stdin();
    park.register(input.as_fd()).unwrap();
    let begin = |stage| shared.begun.store(stage, Ordering::Release);
    let over = |stage| shared.over.store(stage, Ordering::Release);
    begin(stage::FRAME);
    wait(&park, || shared.frames.load(Ordering::Acquire) > 0);
    over(stage::FRAME);
    begin(stage::DESCRIPTOR);
    wait(&park, || {
        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
        let mut polled = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
        poll(&mut polled, PollTimeout::ZERO).unwrap() == 1
    });
    nix::unistd::read(&input, &mut [0; 8]).unwrap();
    over(stage::DESCRIPTOR);
    begin(stage::TIMEOUT);
    let start = Instant::now();
    let short = Duration::from_millis(50);
    while start.elapsed() < short {
        park.sleep(park.prepare(), short);
        park.awake();
    }
    over(stage::TIMEOUT);
    // Nobody wakes it any more.
    park.prepare();
    begin(stage::DEATH);
    wait(&park, || false);
}

/// Ends the other process with the test.
struct Other(Child);

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn other_processes_wake_who_sleeps_on_descriptors() {
    let file = sys::memory_file(c"anympi-test").unwrap();
    sys::grow(&file, sys::PAGE as u64).unwrap();
    let shared = shared(&file);
    let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
    let mut other = Other(
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--ignored", "park::tests::another_process"])
            .env(VARIABLE, path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let sleeps = |stage| {
        until("sleep", || {
            shared.begun.load(Ordering::Acquire) == stage
                && shared.sleeper.asleep.load(Ordering::Acquire) == asleep::DESCRIPTORS
        });
        // It has looked once more.
        std::thread::sleep(Duration::from_millis(20));
    };
    let over = |stage| until("wake-up", || shared.over.load(Ordering::Acquire) >= stage);
    let mut waker = shared.sleeper.waker();
    sleeps(stage::FRAME);
    shared.frames.store(1, Ordering::Release);
    waker.notify();
    over(stage::FRAME);
    sleeps(stage::DESCRIPTOR);
    other.0.stdin.as_mut().unwrap().write_all(b"x").unwrap();
    over(stage::DESCRIPTOR);
    over(stage::TIMEOUT);
    sleeps(stage::DEATH);
    let name = shared.sleeper.socket.load(Ordering::Acquire);
    let socket = format!("@anympi-sleeper-{name:016x}");
    let exists = || {
        fs::read_to_string("/proc/net/unix")
            .unwrap()
            .contains(&socket)
    };
    assert!(exists(), "{socket}");
    other.0.kill().unwrap();
    other.0.wait().unwrap();
    assert!(!exists(), "{socket} is left");
    // Whoever still wakes it is told nothing, and waits for nothing.
    assert_eq!(
        shared.sleeper.asleep.load(Ordering::Acquire),
        asleep::DESCRIPTORS
    );
    waker.notify();
    assert_eq!(shared.sleeper.asleep.load(Ordering::Acquire), asleep::NO);
}

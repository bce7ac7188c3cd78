//! Bad days of a network of two hosts, which are namespaces: under delay, loss and reordering results must be right; when
//! something breaks, the job must end everywhere in time, say why, and leave nothing; strangers must change nothing.

use std::fs;
use std::io::Write;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{Runs, verdicts};
use crate::cable::{Cable, Weather, inside};
use crate::hosts::Hosts;
use crate::implementation::{Abi, compile};
use crate::paths;
use crate::report::Count;
use crate::setup;
use crate::sh::{Cmd, Done};

const RANKS: usize = 4;
/// Within so long everything must have ended.
const SOON: Duration = Duration::from_secs(10);
/// How long a job may take to come under way.
const START: Duration = Duration::from_secs(40);

struct Network {
    hosts: Hosts,
    cable: Cable,
    program: PathBuf,
    /// Made by the program when it is under way.
    under_way: PathBuf,
}

/// What breaks while a job runs.
#[derive(Clone, Copy, Debug)]
enum Breaks {
    Rank,
    Daemon,
    Mpiexec,
    /// An end of the cable is taken down.
    Device,
    /// Nothing gets through any more, and nobody is told.
    Cable,
}

pub fn run(runs: &mut Runs) -> Result<()> {
    if !runs.on.is_ours() || !runs.wants(Abi::Mpi5) {
        return Ok(());
    }
    setup::debian(setup::COMPILERS)?;
    let dir = runs.scratch("network")?;
    let program = dir.join("traffic");
    let source = paths::ctests().join("programs/traffic.c");
    compile(Abi::Mpi5, &runs.on.prefix, &source, &program)?.check()?;
    let network = match Network::new(&dir, program) {
        Ok(network) => network,
        Err(error) => {
            let mut count = Count::default();
            count.skipped += 1;
            count.notes.push(format!(
                "hosts are network namespaces on a cable of packets (root and /dev/net/tun): {error:#}"
            ));
            runs.enter("network", RANKS, "two hosts", &count, 0.0);
            return Ok(());
        }
    };
    let short = runs.short;
    let ms = Duration::from_millis;
    let clear = Weather::default();
    let late = Weather {
        delay: ms(2),
        jitter: ms(3),
        ..clear
    };
    let bad = Weather {
        lost: 10,
        doubled: 50,
        jitter: ms(1),
        ..clear
    };
    for (what, weather, is_short) in [
        ("a clear day", clear, false),
        ("late and out of order", late, false),
        ("lost, 1 of 100", Weather { lost: 10, ..clear }, false),
        (
            "doubled, 1 of 10",
            Weather {
                doubled: 100,
                ..clear
            },
            false,
        ),
        ("lost, doubled and out of order", bad, true),
    ] {
        if short && !is_short {
            continue;
        }
        network.cable.set(weather);
        let done = network.job(runs, if short { "2" } else { "5" }, "").run()?;
        let happened = network.cable.set(clear);
        let mut count = verdicts(&done);
        count.check(count.passed == RANKS + 1, || {
            "not all ranks are done".into()
        });
        let as_meant = (happened.lost > 0) == (weather.lost > 0)
            && (happened.doubled > 0) == (weather.doubled > 0)
            && (happened.overtook > 0) == (weather.jitter > Duration::ZERO);
        count.check(as_meant, || format!("{happened:?} in {weather:?}"));
        network.nothing_left(&mut count);
        runs.enter("network", RANKS, what, &count, done.seconds);
    }
    for (what, breaks, how, words, is_short) in [
        ("a rank is killed", Breaks::Rank, "", "SIGKILL", true),
        (
            "a rank with a child is killed",
            Breaks::Rank,
            "fork",
            "SIGKILL",
            false,
        ),
        (
            "an idle rank is killed",
            Breaks::Rank,
            "idle",
            "SIGKILL",
            false,
        ),
        ("a daemon is killed", Breaks::Daemon, "", "host node2", true),
        ("mpiexec is killed", Breaks::Mpiexec, "", "", true),
        (
            "a device goes down",
            Breaks::Device,
            "",
            "connection to process",
            true,
        ),
        (
            "an idle job's device goes down",
            Breaks::Device,
            "idle",
            "connection to process",
            false,
        ),
        (
            "nothing gets through",
            Breaks::Cable,
            "",
            "connection to process",
            false,
        ),
        (
            "an idle job's cable is cut",
            Breaks::Cable,
            "idle",
            "connection to process",
            false,
        ),
    ] {
        if short && !is_short {
            continue;
        }
        let (count, seconds) = network.breaks(runs, breaks, how, words)?;
        runs.enter("network", RANKS, what, &count, seconds);
    }
    if !short {
        // More ranks than processors, which each host takes for its own.
        let storm = dir.join("storm");
        let source = paths::ctests().join("coll/storm.c");
        compile(Abi::Mpi5, &runs.on.prefix, &source, &storm)?.check()?;
        let done = network.start(runs, 2 * RANKS, &storm).run()?;
        let mut count = Count::default();
        let right = done.ok() && done.stdout.ends_with("No Errors\n");
        count.check(right, || format!("{}\n{}", done.cause(), done.tail(12)));
        network.nothing_left(&mut count);
        runs.enter(
            "network",
            2 * RANKS,
            "small collectives",
            &count,
            done.seconds,
        );
    }
    let (count, seconds) = network.strangers(runs, if short { 2_000 } else { 100_000 })?;
    runs.enter("network", RANKS, "strangers", &count, seconds);
    let done = network
        .job(runs, "1", "")
        .env("MPI_ANYMPI_TCP_PORTS", "7000:7000")
        .run()?;
    let mut count = Count::default();
    let says = done.stderr.contains("cannot listen") && done.stderr.contains("in use");
    count.check(!done.ok() && says, || {
        format!("{}\n{}", done.cause(), done.tail(12))
    });
    network.nothing_left(&mut count);
    runs.enter("network", RANKS, "too few ports", &count, done.seconds);
    Ok(())
}

impl Network {
    fn new(dir: &Path, program: PathBuf) -> Result<Network> {
        if let Some(why) = Hosts::refused() {
            bail!("{why}");
        }
        let hosts = Hosts::new(2, dir)?;
        let names = [1, 2].map(|number| hosts.name(number));
        for number in [1, 2] {
            hosts.ip(number, "link del eth0")?;
        }
        let cable = Cable::between([&names[0], &names[1]], "eth0")?;
        let network = Network {
            hosts,
            cable,
            program,
            under_way: dir.join("under-way"),
        };
        network.plug_in()?;
        Ok(network)
    }

    fn plug_in(&self) -> Result<()> {
        for number in [1, 2] {
            self.hosts.ip(
                number,
                &format!("addr replace 10.77.0.{number}/24 dev eth0"),
            )?;
            self.hosts.ip(number, "link set eth0 up")?;
        }
        Ok(())
    }

    /// A job of as many ranks on each host.
    fn start(&self, runs: &Runs, ranks: usize, program: &Path) -> Cmd {
        let mpiexec = runs
            .on
            .mpiexec(ranks)
            .args(["-hosts", "node1,node2", "-ppn", &(ranks / 2).to_string()])
            .arg("-launcher-exec")
            .arg(self.hosts.agent())
            .arg(program)
            .seconds(90);
        self.hosts.on_launcher(mpiexec)
    }

    /// The program, for so many seconds.
    fn job(&self, runs: &Runs, seconds: &str, how: &str) -> Cmd {
        self.start(runs, RANKS, &self.program)
            .args([seconds, &self.under_way.to_string_lossy()])
            .args((!how.is_empty()).then_some(how))
    }

    /// Processes in the namespaces, each with its command line.
    fn processes(&self) -> Result<Vec<(i32, String)>> {
        let mut all = Vec::new();
        for number in 0..=2 {
            let done = Cmd::new("ip")
                .args(["netns", "pids", &self.hosts.name(number)])
                .check()?;
            for pid in done.stdout.lines() {
                // One that has just ended has none.
                let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                let words = String::from_utf8_lossy(&words).replace('\0', " ");
                all.push((pid.parse()?, words));
            }
        }
        Ok(all)
    }

    /// A process whose command line begins with this, or has it as a word.
    fn find(&self, begin: &Path, word: &str) -> Result<i32> {
        let begin = begin.to_string_lossy();
        let all = self.processes()?;
        // The lowest number: guards are younger than whom they guard.
        let found = all.iter().filter(|(_, words)| {
            words.starts_with(&*begin) && words.split(' ').any(|one| word.is_empty() || one == word)
        });
        match found.map(|(pid, _)| *pid).min() {
            Some(pid) => Ok(pid),
            None => bail!("no process of '{begin} {word}' among {all:?}"),
        }
    }

    /// Whether all has ended.
    fn nothing_left(&self, count: &mut Count) {
        let start = Instant::now();
        let mut left = self.processes();
        while left.as_ref().is_ok_and(|left| !left.is_empty()) && start.elapsed() < SOON {
            thread::sleep(Duration::from_millis(50));
            left = self.processes();
        }
        count.check(left.as_ref().is_ok_and(Vec::is_empty), || {
            format!("left: {left:?}")
        });
    }

    /// Starts a job, and does something once it is under way. Gives how the job has ended.
    fn meanwhile<R>(&self, job: &Cmd, act: impl FnOnce() -> Result<R>) -> Result<(Done, R)> {
        // There may be none.
        let _ = fs::remove_file(&self.under_way);
        thread::scope(|scope| {
            let job = scope.spawn(|| job.run());
            let start = Instant::now();
            while !self.under_way.exists() && !job.is_finished() && start.elapsed() < START {
                thread::sleep(Duration::from_millis(10));
            }
            let acted = act();
            let done = job
                .join()
                .map_err(|_| anyhow::anyhow!("it has panicked"))??;
            match acted {
                Ok(acted) => Ok((done, acted)),
                Err(error) => bail!("{error:#}: {}\n{}", done.cause(), done.tail(12)),
            }
        })
    }

    fn breaks(&self, runs: &Runs, breaks: Breaks, how: &str, words: &str) -> Result<(Count, f64)> {
        let job = self.job(runs, "80", how);
        let (done, begin) = self.meanwhile(&job, || {
            let mpiexec = runs.on.bin("mpiexec");
            let victim = match breaks {
                // The last one is on the second host.
                Breaks::Rank => Some(self.last_rank()?),
                Breaks::Daemon => Some(self.daemon()?),
                Breaks::Mpiexec => Some(self.find(&mpiexec, "-hosts")?),
                Breaks::Device | Breaks::Cable => None,
            };
            let begin = Instant::now();
            match (breaks, victim) {
                (_, Some(pid)) => kill(Pid::from_raw(pid), Signal::SIGKILL)?,
                (Breaks::Device, _) => self.hosts.ip(2, "link set eth0 down")?,
                _ => {
                    self.cable.set(Weather {
                        cut: true,
                        ..Weather::default()
                    });
                }
            }
            Ok(begin)
        })?;
        let mut count = Count::default();
        self.nothing_left(&mut count);
        let took = begin.elapsed();
        count.check(took < SOON, || format!("it took {took:?}"));
        count.check(!done.ok() && !done.stdout.contains("ok rank"), || {
            done.cause()
        });
        count.check(done.stderr.contains(words), || {
            format!("'{words}' is not said\n{}", done.tail(20))
        });
        self.cable.set(Weather::default());
        self.plug_in()?;
        Ok((count, took.as_secs_f64()))
    }

    /// The last process that runs the program on the second host.
    fn last_rank(&self) -> Result<i32> {
        let name = self.hosts.name(2);
        let pids = Cmd::new("ip").args(["netns", "pids", &name]).check()?;
        let is_rank = |pid: &&str| {
            let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            let last = format!("PMI_RANK={}", RANKS - 1).into_bytes();
            words.starts_with(self.program.as_os_str().as_encoded_bytes())
                && environment
                    .split(|byte| *byte == 0)
                    .any(|entry| entry == last)
        };
        // A child of it is younger.
        let pids = pids.stdout.lines().filter(is_rank).map(str::parse);
        let pids = pids.collect::<Result<Vec<i32>, _>>()?;
        pids.into_iter()
            .min()
            .ok_or_else(|| anyhow::anyhow!("there is no rank"))
    }

    /// The daemon of the second host.
    fn daemon(&self) -> Result<i32> {
        let name = self.hosts.name(2);
        let pids = Cmd::new("ip").args(["netns", "pids", &name]).check()?;
        for pid in pids.stdout.lines() {
            let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            if words.ends_with(b"--anympi-daemon\0") && !name.starts_with("mpi-guard") {
                return Ok(pid.parse()?);
            }
        }
        bail!("there is no daemon");
    }

    /// Many strangers call the listeners of a job that runs: bytes of all kinds, ended in all ways.
    fn strangers(&self, runs: &Runs, many: usize) -> Result<(Count, f64)> {
        let job = self.job(runs, &(many / 1500).max(3).to_string(), "");
        let (done, (called, refused, first)) = self.meanwhile(&job, || {
            let addresses = listeners(self.last_rank()?)?;
            let called = inside(&self.hosts.name(2), || call(&addresses, many))??;
            Ok(called)
        })?;
        let mut count = verdicts(&done);
        count.check(count.passed == RANKS + 1, || {
            "not all ranks are done".into()
        });
        count.check(called > many / 2 && called + refused == many, || {
            format!("{called} of {many} strangers have got through; {first}")
        });
        self.nothing_left(&mut count);
        Ok((count, done.seconds))
    }
}

/// Where the processes of a network namespace listen at addresses of version 4, of which this is one.
fn listeners(pid: i32) -> Result<Vec<SocketAddr>> {
    let table = fs::read_to_string(format!("/proc/{pid}/net/tcp"))?;
    let mut all = Vec::new();
    for line in table.lines().skip(1) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (Some(local), Some(&"0A")) = (words.get(1), words.get(3)) else {
            continue;
        };
        let Some((address, port)) = local.split_once(':') else {
            bail!("'{line}' in the table of connections");
        };
        let address = Ipv4Addr::from(u32::from_str_radix(address, 16)?.to_le_bytes());
        all.push(SocketAddr::from((address, u16::from_str_radix(port, 16)?)));
    }
    match all.is_empty() {
        true => bail!("nobody listens"),
        false => Ok(all),
    }
}

/// Calls so many times: how often somebody has answered, how often nobody, and what the first of these was told.
fn call(addresses: &[SocketAddr], many: usize) -> Result<(usize, usize, String)> {
    // One that has ended leaves its port free for the next one soon.
    fs::write("/proc/sys/net/ipv4/tcp_tw_reuse", "1")?;
    fs::write("/proc/sys/net/ipv4/ip_local_port_range", "1024 65000")?;
    let (mut called, mut refused, mut first) = (0, 0, String::new());
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut dice = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut stay = Vec::new();
    for number in 0..many {
        let address = addresses[number % addresses.len()];
        let mut stream = match TcpStream::connect_timeout(&address, Duration::from_secs(5)) {
            Ok(stream) => stream,
            Err(error) => {
                refused += 1;
                first = if first.is_empty() {
                    error.to_string()
                } else {
                    first
                };
                continue;
            }
        };
        called += 1;
        let kind = dice();
        let mut bytes: Vec<u8> = (0..dice() % 300).map(|_| dice() as u8).collect();
        match kind % 4 {
            0 => bytes
                .splice(0..bytes.len().min(8), *b"anympi\0\x01")
                .for_each(drop),
            1 => bytes.iter_mut().for_each(|byte| *byte = 0),
            _ => (),
        }
        // Who has been sent away cannot say everything.
        let _ = stream.write_all(&bytes);
        match kind >> 8 & 3 {
            0 => _ = stream.shutdown(Shutdown::Write),
            1 => stay.push(stream),
            _ => (),
        }
        if stay.len() > 50 {
            stay.clear();
        }
    }
    Ok((called, refused, first))
}

//! Another host of the job: an agent process, and a daemon somewhere behind its pipes. From there further hosts may be
//! reached.
//!
//! Job: start the agent, again if the host is not up yet; find the daemon's greeting in what the agent prints; then
//! carry frames both ways, and notice when that ends. mpiexec and daemons do that in the same way. What an event means
//! is `job.rs`'s business. Nothing blocks.

use crate::cause::Ending;
use crate::events::{Command as Order, Event, News};
use crate::frames::{self, ABSENCE, ANSWER, BEAT, CALL, Down, Inbox, SILENCE, Up, VERSION};
use crate::guard::{Watch, end_group, tie_to};
use crate::start::{Before, set_nonblocking};
use crate::tree::Road;
use nix::errno::Errno;
use nix::poll::PollFlags;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, pipe2, read, write};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Tries of an agent that fails before a daemon has answered, if nobody says otherwise.
const ATTEMPTS: usize = 4;
/// Time before the second try, doubled each time up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How long the end of an agent and the end of its output may lie apart.
const APART: Duration = Duration::from_secs(1);
/// Readings of one pipe in one go.
const READS: usize = 16;
/// What is kept of an agent's last words.
const WORDS_MAX: usize = 4096;

/// Which of an agent's pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipe {
    In,
    Out,
    Err,
}

/// What comes from a host, and its number.
pub type Sent = (usize, News);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The agent is to be started at this time.
    Waiting(Instant),
    /// It runs, and nobody has answered yet.
    Coming,
    /// The daemon has answered.
    Up,
    /// Nothing of the ranks is left on any host that is reached so.
    Over,
    /// The way there is lost.
    Lost,
}

/// What every agent is started with.
pub struct Spawner<'a> {
    pub before: &'a Before,
    pub watch: &'a Watch,
}

struct Agent {
    pid: Pid,
    stdin: Option<OwnedFd>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    ended: Option<(Ending, Instant)>,
    closed: Option<Instant>,
}

pub struct Remote {
    site: usize,
    name: String,
    /// Hosts from which something may still come this way, with their names; at first this one and all beyond.
    left: BTreeMap<usize, String>,
    command: Vec<OsString>,
    stage: Stage,
    agent: Option<Agent>,
    attempts: usize,
    tried: usize,
    pause: Duration,
    /// What the agent has written that is no frame.
    words: Vec<u8>,
    heard: Vec<u8>,
    inbox: Inbox,
    outbox: Vec<u8>,
    buffer: Vec<u8>,
    /// When the daemon has last said something, when it was last asked to, and when somebody last looked.
    heard_at: Instant,
    asked_at: Instant,
    looked_at: Instant,
}

impl Remote {
    pub fn new(road: Road) -> Remote {
        let now = Instant::now();
        let own = (road.site, road.name.clone());
        Remote {
            site: road.site,
            name: road.name,
            left: road.beyond.into_iter().chain([own]).collect(),
            command: road.command,
            heard_at: now,
            asked_at: now,
            looked_at: now,
            stage: Stage::Waiting(now),
            agent: None,
            attempts: road.attempts.unwrap_or(ATTEMPTS).max(1),
            tried: 0,
            pause: FIRST_PAUSE,
            words: Vec::new(),
            heard: Vec::new(),
            inbox: Inbox::default(),
            outbox: Vec::new(),
            buffer: vec![0; 64 * 1024],
        }
    }

    /// The number of the host whose daemon the agent starts.
    pub fn site(&self) -> usize {
        self.site
    }

    /// The hosts from which something may still come this way.
    pub fn left(&self) -> Vec<usize> {
        self.left.keys().copied().collect()
    }

    /// Whether the agent is on its way.
    pub fn is_coming(&self) -> bool {
        self.stage == Stage::Coming
    }

    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over | Stage::Lost)
    }

    pub fn is_lost(&self) -> bool {
        self.stage == Stage::Lost
    }

    /// Whether an agent still runs.
    pub fn has_agent(&self) -> bool {
        self.agent.as_ref().is_some_and(|a| a.ended.is_none())
    }

    /// Where this host is on its way, for somebody who waits for it.
    pub fn progress(&self) -> String {
        let words = self.last_words();
        match self.stage {
            Stage::Waiting(_) if self.tried > 0 => {
                format!("{} (tried {} times{words})", self.name, self.tried)
            }
            Stage::Coming => format!("{} (its agent runs{words})", self.name),
            _ => self.name.clone(),
        }
    }

    /// Whether the agent may be started now.
    pub fn is_due(&self, now: Instant) -> bool {
        matches!(self.stage, Stage::Waiting(at) if now >= at)
    }

    /// Starts the agent.
    pub fn start(&mut self, spawner: &Spawner, news: &mut Vec<Sent>) {
        self.tried += 1;
        let line = self.command.join(OsStr::new(" "));
        let line = line.to_string_lossy();
        let text = match self.tried {
            1 => format!("host {}: '{line}'", self.name),
            n => format!("host {}: try {n}: '{line}'", self.name),
        };
        news.push((self.site, News::Detail(text)));
        self.words.clear();
        self.heard.clear();
        match spawn(&self.command, spawner) {
            Ok(agent) => {
                self.agent = Some(agent);
                self.stage = Stage::Coming;
                self.outbox = frames::greeting(CALL);
                self.flush();
            }
            Err(error) => {
                let agent = self.command[0].to_string_lossy();
                let text = format!(
                    "host {}: cannot start the agent '{agent}': {error}",
                    self.name
                );
                self.lose(text, news);
            }
        }
    }

    /// Sends the bytes of a [`Down`] to those of these hosts that are reached this way.
    pub fn pass(&mut self, sites: &[usize], down: &[u8]) {
        if self.stage != Stage::Up {
            return;
        }
        let known = sites.iter().copied().filter(|s| self.left.contains_key(s));
        let (own, beyond): (Vec<usize>, Vec<usize>) = known.partition(|&s| s == self.site);
        if !own.is_empty() {
            frames::push_bytes(down, &mut self.outbox);
        }
        if !beyond.is_empty() {
            frames::push(&Down::Pass(beyond, down.to_vec()), &mut self.outbox);
        }
        self.flush();
    }

    fn flush(&mut self) {
        let Some(agent) = &mut self.agent else { return };
        while let Some(stdin) = agent.stdin.as_ref().filter(|_| !self.outbox.is_empty()) {
            match write(stdin, &self.outbox) {
                Ok(n) => {
                    self.outbox.drain(..n);
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => return,
                // Its end is noticed elsewhere.
                Err(_) => agent.stdin = None,
            }
        }
    }

    pub fn descriptors(&self) -> impl Iterator<Item = (Pipe, BorrowedFd<'_>, PollFlags)> {
        let waits = !self.outbox.is_empty();
        self.agent.iter().flat_map(move |agent| {
            let stdin = agent.stdin.iter().filter(move |_| waits);
            let stdin = stdin.map(|fd| (Pipe::In, fd.as_fd(), PollFlags::POLLOUT));
            let stdout = agent.stdout.iter();
            let stdout = stdout.map(|fd| (Pipe::Out, fd.as_fd(), PollFlags::POLLIN));
            let stderr = agent.stderr.iter();
            let stderr = stderr.map(|fd| (Pipe::Err, fd.as_fd(), PollFlags::POLLIN));
            stdin.chain(stdout).chain(stderr)
        })
    }

    /// A pipe is ready.
    pub fn handle(&mut self, pipe: Pipe, news: &mut Vec<Sent>) {
        match pipe {
            Pipe::In => self.flush(),
            Pipe::Out => self.read_out(news),
            Pipe::Err => self.read_err(news),
        }
    }

    fn read_out(&mut self, news: &mut Vec<Sent>) {
        for _ in 0..READS {
            let Some(agent) = &mut self.agent else { return };
            let Some(stdout) = &agent.stdout else { return };
            match read(stdout, &mut self.buffer) {
                Ok(0) => {
                    agent.stdout = None;
                    agent.closed = Some(Instant::now());
                    return;
                }
                Ok(n) => self.hear(n, news),
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => return,
                Err(_) => {
                    agent.stdout = None;
                    agent.closed = Some(Instant::now());
                    return;
                }
            }
        }
    }

    /// The agent has written the first `n` bytes of the buffer.
    fn hear(&mut self, n: usize, news: &mut Vec<Sent>) {
        let bytes = &self.buffer[..n];
        self.heard_at = Instant::now();
        match self.stage {
            Stage::Coming => {
                self.heard.extend_from_slice(bytes);
                match frames::find_greeting(&self.heard, ANSWER) {
                    Ok(None) => return,
                    Ok(Some((VERSION, end))) => {
                        self.inbox = Inbox::default();
                        self.inbox.push(&self.heard[end..]);
                        self.heard.clear();
                        self.stage = Stage::Up;
                        self.looked_at = self.heard_at;
                        news.push((self.site, News::Ready));
                    }
                    Ok(Some((version, _))) => {
                        let text = format!(
                            "host {}: the mpiexec there speaks version {version} of the protocol, this one version \
                             {VERSION}: install the same anympi on all hosts",
                            self.name
                        );
                        self.lose(text, news);
                        return;
                    }
                    Err(_) => {
                        let text = format!(
                            "host {}: the agent prints and prints, but no daemon answers{}",
                            self.name,
                            self.last_words()
                        );
                        self.lose(text, news);
                        return;
                    }
                }
            }
            Stage::Up => self.inbox.push(bytes),
            Stage::Waiting(_) | Stage::Over | Stage::Lost => return,
        }
        while self.stage == Stage::Up {
            match self.inbox.frame::<Up>() {
                Ok(None) => return,
                Ok(Some(up)) => self.take(up, news),
                Err(wrong) => {
                    let text = format!(
                        "host {}: what comes from the daemon is not of this protocol ({} was expected)",
                        self.name, wrong.0
                    );
                    self.lose(text, news);
                }
            }
        }
    }

    /// A frame has come.
    fn take(&mut self, up: Up, news: &mut Vec<Sent>) {
        let (site, sent) = match up {
            Up::Own(Event::Pong) => return,
            Up::Own(event) => (self.site, News::Event(event)),
            Up::Of(site, sent) if site != self.site && self.left.contains_key(&site) => {
                (site, sent)
            }
            Up::Of(..) => {
                let text = format!(
                    "host {}: the daemon there speaks of hosts that are not reached from it",
                    self.name
                );
                self.lose(text, news);
                return;
            }
        };
        if matches!(sent, News::Event(Event::Gone) | News::Lost(_)) {
            self.left.remove(&site);
        }
        news.push((site, sent));
        if self.left.is_empty() {
            self.stage = Stage::Over;
        }
    }

    fn read_err(&mut self, news: &mut Vec<Sent>) {
        for _ in 0..READS {
            let Some(agent) = &mut self.agent else { return };
            let Some(stderr) = &agent.stderr else { return };
            match read(stderr, &mut self.buffer) {
                Ok(n) if n > 0 => {
                    let bytes = &self.buffer[..n];
                    self.words.extend_from_slice(bytes);
                    let surplus = self.words.len().saturating_sub(WORDS_MAX);
                    self.words.drain(..surplus);
                    // What is said before the daemon answers matters only if it never does.
                    if self.stage == Stage::Up {
                        news.push((self.site, News::Words(bytes.to_vec())));
                    }
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => return,
                _ => agent.stderr = None,
            }
        }
    }

    /// The process of this number has ended. Whether it was the agent.
    pub fn ended(&mut self, pid: Pid, ending: Ending) -> bool {
        match &mut self.agent {
            Some(agent) if agent.pid == pid && agent.ended.is_none() => {
                agent.ended = Some((ending, Instant::now()));
                true
            }
            _ => false,
        }
    }

    /// Notices what time brings, and says when it brings something again.
    pub fn turn(
        &mut self,
        now: Instant,
        watch: &mut Watch,
        news: &mut Vec<Sent>,
    ) -> Option<Instant> {
        if let Stage::Waiting(at) = self.stage {
            return Some(at);
        }
        let agent = self.agent.as_ref()?;
        let first = [agent.ended.map(|(_, at)| at), agent.closed];
        if self.is_over() {
            return None;
        }
        let Some(first) = first.into_iter().flatten().min() else {
            return self.beat(now, news);
        };
        let both = agent.ended.is_some() && agent.closed.is_some();
        if !both && now < first + APART {
            return Some(first + APART);
        }
        // What it said last explains its end.
        self.read_out(news);
        self.read_err(news);
        if self.is_over() {
            return None;
        }
        self.fail(now, watch, news);
        match self.stage {
            Stage::Waiting(at) => Some(at),
            _ => None,
        }
    }

    /// Asks the daemon for a sign of life, and notices that there has been none for long.
    fn beat(&mut self, now: Instant, news: &mut Vec<Sent>) -> Option<Instant> {
        if self.stage != Stage::Up {
            return None;
        }
        if now - self.looked_at > ABSENCE {
            self.heard_at = now;
        }
        self.looked_at = now;
        if now >= self.heard_at + SILENCE {
            let text = format!(
                "the connection to host {} is lost: nothing has come from there for {} s",
                self.name,
                SILENCE.as_secs()
            );
            self.lose(text, news);
            return None;
        }
        if now >= self.asked_at + BEAT {
            self.asked_at = now;
            frames::push(&Down::Do(Order::Ping), &mut self.outbox);
            self.flush();
        }
        Some((self.asked_at + BEAT).min(self.heard_at + SILENCE))
    }

    /// The agent has ended too early.
    fn fail(&mut self, now: Instant, watch: &mut Watch, news: &mut Vec<Sent>) {
        let ending = self.agent.as_ref().and_then(|a| a.ended);
        let how = match ending.map(|(ending, _)| ending) {
            Some(Ending::Exited(code)) => format!("exited with code {code}"),
            Some(Ending::Signalled(signal)) => {
                let name = crate::cause::signal_name(signal);
                format!("was ended by signal {signal} ({name})")
            }
            _ => "has closed its output".into(),
        };
        let words = self.last_words();
        let agent = self.command[0].to_string_lossy().into_owned();
        let host = self.name.clone();
        if self.stage == Stage::Up {
            let text =
                format!("the connection to host {host} is lost: its agent '{agent}' {how}{words}");
            self.lose(text, news);
            return;
        }
        let code = match ending {
            Some((Ending::Exited(code), _)) => code,
            _ => 1,
        };
        // That a program is not there does not change by waiting.
        let may_change = code != 0 && !matches!(code, 126 | 127);
        if may_change && self.tried < self.attempts {
            self.abandon(watch);
            let text = format!("host {host}: the agent '{agent}' {how}{words}; it is tried again");
            news.push((self.site, News::Detail(text)));
            self.stage = Stage::Waiting(now + self.pause);
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
            return;
        }
        let hint = match code {
            126 | 127 => {
                let program = self.command[self.command.len() - 2].to_string_lossy();
                format!(" (is '{program}' on that host? --prefix says where anympi is there)")
            }
            _ => String::new(),
        };
        let tries = match self.tried {
            1 => String::new(),
            n => format!(" at the last of {n} tries"),
        };
        let text = format!(
            "host {host} cannot be used: the agent '{agent}' {how}{tries}, before a daemon answered{words}{hint}"
        );
        self.lose(text, news);
    }

    /// The host did not come up in time.
    pub fn give_up(&mut self, seconds: u64, news: &mut Vec<Sent>) {
        let text = format!(
            "host {} cannot be used: no daemon has answered within {seconds} s{} (--spawn-timeout)",
            self.name,
            self.last_words()
        );
        self.lose(text, news);
    }

    fn lose(&mut self, text: String, news: &mut Vec<Sent>) {
        self.stage = Stage::Lost;
        let left = std::mem::take(&mut self.left);
        if left.contains_key(&self.site) {
            news.push((self.site, News::Lost(text)));
        }
        for (site, host) in left.into_iter().filter(|(site, _)| *site != self.site) {
            let text = format!(
                "the connection to host {host} is lost: it was reached from host {}",
                self.name
            );
            news.push((site, News::Lost(text)));
        }
    }

    /// What the agent has said last, for a message.
    fn last_words(&self) -> String {
        let said = if self.words.trim_ascii().is_empty() {
            &self.heard
        } else {
            &self.words
        };
        let text = String::from_utf8_lossy(said);
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect();
        let last = &lines[lines.len().saturating_sub(2)..];
        let plain = |c: char| if c.is_control() { '?' } else { c };
        let text: String = last.join(" / ").chars().map(plain).take(400).collect();
        match text.is_empty() {
            true => text,
            false => format!(": {text}"),
        }
    }

    /// Nothing more is sent; the daemon ends by that.
    pub fn close(&mut self) {
        self.flush();
        if let Some(agent) = &mut self.agent {
            agent.stdin = None;
        }
    }

    /// Ends the agent at once.
    pub fn abandon(&mut self, watch: &mut Watch) {
        self.close();
        if let Some(agent) = self.agent.take() {
            end_group(agent.pid, Signal::SIGKILL);
            watch.remove(agent.pid);
            if agent.ended.is_none() {
                collect(agent.pid);
            }
        }
        self.stage = Stage::Over;
    }
}

/// Collects a process that was killed. That does not take long, unless the system holds it; then nobody waits for it.
fn collect(pid: Pid) {
    for _ in 0..200 {
        match waitpid(pid, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => std::thread::sleep(Duration::from_millis(5)),
            _ => return,
        }
    }
}

fn spawn(words: &[OsString], spawner: &Spawner) -> io::Result<Agent> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).process_group(0);
    let (stdin_of_child, stdin) = pipe2(nix::fcntl::OFlag::O_CLOEXEC)?;
    let (stdout, stdout_of_child) = pipe2(nix::fcntl::OFlag::O_CLOEXEC)?;
    let (stderr, stderr_of_child) = pipe2(nix::fcntl::OFlag::O_CLOEXEC)?;
    command
        .stdin(Stdio::from(stdin_of_child))
        .stdout(Stdio::from(stdout_of_child))
        .stderr(Stdio::from(stderr_of_child));
    let launcher = Pid::this();
    let guard = spawner.watch.register().as_raw_fd();
    let before = *spawner.before;
    let prepare = move || {
        // SAFETY: a plain system call on a limit that the child owns.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &before.open_files) };
        before.signals.restore()?;
        tie_to(launcher, guard)
    };
    // SAFETY: `prepare` makes only async-signal-safe system calls and does not allocate.
    unsafe { command.pre_exec(prepare) };
    let child = command.spawn()?;
    for fd in [&stdin, &stdout, &stderr] {
        set_nonblocking(fd)?;
    }
    Ok(Agent {
        pid: Pid::from_raw(child.id() as i32),
        stdin: Some(stdin),
        stdout: Some(stdout),
        stderr: Some(stderr),
        ended: None,
        closed: None,
    })
}

//! mpiexec on another host: started there by an agent, it runs the ranks of that host for the mpiexec that has started
//! the agent.
//!
//! Job: carry frames between standard input and output and a `Node`, and between these and further daemons that it is
//! to start (`daemon/children.rs`). Standard input and output are all there is: no address, no file, no secret in the
//! arguments. When standard input ends, the job is over, and so are its ranks.

mod children;

use crate::events::{Command, Event};
use crate::frames::{self, ANSWER, CALL, Down, Inbox, Up, VERSION};
use crate::guard::Guard;
use crate::machine::next_end;
use crate::node::{Node, Ready};
use crate::orders::{Orders, Script};
use crate::plan;
use crate::remote::Pipe;
use crate::signals::Signals;
use crate::start::{self, Before};
use children::Children;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::Signal;
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::{read, write};
use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// How long the greeting of mpiexec may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Output that mpiexec has not yet taken, at which the ranks are not read any more.
const WINDOW: usize = 1 << 20;
/// Time between asking the ranks to end, because mpiexec has gone, and killing them.
const GRACE: Duration = Duration::from_secs(1);
/// How long a kill may take before the daemon stops waiting for it.
const GIVE_UP: Duration = Duration::from_secs(5);
/// How long frames may take to leave at the end.
const FAREWELL: Duration = Duration::from_secs(5);
/// How often ends of ranks are looked for without a signal.
const CHECK: Duration = Duration::from_secs(1);
/// What is said of frames that mpiexec never sends.
const NONSENSE: &str = "mpiexec has sent orders that make no sense";
/// What a pipe takes at once when it polls writable.
const WRITE_BYTES: usize = 4096;

/// Where the daemon is on the way to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// mpiexec has gone; at this time the ranks are killed.
    Left(Instant),
    Killed(Instant),
    /// Nothing is left to do.
    Over,
}

struct Daemon {
    before: Before,
    guard: Guard,
    node: Option<Node>,
    children: Children,
    inbox: Inbox,
    outbox: Vec<u8>,
    /// Output that mpiexec has not said to have taken.
    open: usize,
    /// When mpiexec has last said something; None: it has said that it will be silent.
    heard: Option<Instant>,
    /// Nobody reads what is written any more.
    mute: bool,
    /// Nothing of the ranks here is left.
    finished: bool,
    phase: Phase,
}

/// Runs the daemon and returns its exit code.
pub fn main() -> i32 {
    match run() {
        Ok(()) => 0,
        Err(error) => {
            crate::say::complain("mpiexec (daemon)", error);
            1
        }
    }
}

fn run() -> io::Result<()> {
    let guard = Guard::start()?;
    let _ = set_child_subreaper(true);
    let before = Before {
        open_files: start::raise_open_files(),
        signals: Signals::take()?,
    };
    let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
    let signals = SignalFd::with_flags(before.signals.handled(), flags)?;
    let Some(rest) = greet()? else {
        guard.dismiss();
        return Ok(());
    };
    let mut daemon = Daemon {
        before,
        children: Children::new(guard.watch()?),
        guard,
        node: None,
        inbox: Inbox::default(),
        outbox: Vec::new(),
        open: 0,
        heard: Some(Instant::now()),
        mute: false,
        finished: false,
        phase: Phase::Running,
    };
    daemon.inbox.push(&rest);
    daemon.take();
    daemon.serve(&signals)?;
    daemon.farewell();
    daemon.children.part();
    daemon.guard.dismiss();
    Ok(())
}

/// Waits for mpiexec's greeting and answers it. Returns what came behind it, or nothing if there is none to serve.
fn greet() -> io::Result<Option<Vec<u8>>> {
    let until = Instant::now() + PATIENCE;
    let mut heard = Vec::new();
    let mut buffer = [0; 4096];
    let stdin = io::stdin();
    loop {
        match frames::find_greeting(&heard, CALL) {
            Ok(Some((version, end))) => {
                let mut answer = frames::greeting(ANSWER);
                while !answer.is_empty() {
                    let n = write(io::stdout(), &answer)?;
                    answer.drain(..n);
                }
                // mpiexec says what is wrong if the versions differ.
                return Ok((version == VERSION).then(|| heard.split_off(end)));
            }
            Ok(None) => {}
            Err(_) => return Err(io::Error::other("no mpiexec speaks on standard input")),
        }
        let left = until.saturating_duration_since(Instant::now());
        let mut fds = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
        match poll(&mut fds, timeout) {
            Ok(0) => return Err(io::Error::other("no mpiexec has spoken on standard input")),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        match read(&stdin, &mut buffer) {
            Ok(0) => {
                return Err(io::Error::other(
                    "standard input ended before mpiexec has spoken: what starts this daemon must pass its own \
                     standard input on, as 'kubectl exec -i' does",
                ));
            }
            Ok(n) => heard.extend_from_slice(&buffer[..n]),
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// What a ready descriptor is.
enum What {
    Signal,
    Input,
    Output,
    Node(Ready),
    Child(usize, Pipe),
}

impl Daemon {
    fn serve(&mut self, signals: &SignalFd) -> io::Result<()> {
        let stdin = io::stdin();
        let stdout = io::stdout();
        let mut check = Instant::now() + CHECK;
        while self.phase != Phase::Over {
            let mut due = self.node.as_mut().and_then(Node::turn);
            self.collect();
            let now = Instant::now();
            due = due
                .into_iter()
                .chain(self.children.turn(now, &self.before))
                .min();
            self.hand_on();
            self.flush();
            if now >= check {
                if now - check > frames::ABSENCE {
                    self.heard = self.heard.map(|_| now);
                }
                check = now + CHECK;
                self.reap();
            }
            if self.heard.is_some_and(|at| now >= at + frames::SILENCE) {
                self.leave();
            }
            match self.phase {
                Phase::Left(at) if now >= at => {
                    self.obey(Command::Signal(libc::SIGKILL));
                    self.phase = Phase::Killed(now + GIVE_UP);
                }
                Phase::Killed(at) if now >= at => self.wind_up(),
                Phase::Running if self.finished && !self.children.are_there() => {
                    self.phase = Phase::Over;
                }
                _ => {}
            }
            if self.phase == Phase::Over {
                break;
            }
            if let Phase::Left(at) | Phase::Killed(at) = self.phase {
                due = due.into_iter().chain([at]).min();
            }
            let due = due.into_iter().chain([check]).min().unwrap_or(check);
            let mut what = vec![What::Signal];
            let mut fds = vec![PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
            if self.phase == Phase::Running {
                what.push(What::Input);
                fds.push(PollFd::new(stdin.as_fd(), PollFlags::POLLIN));
            }
            if !self.outbox.is_empty() && !self.mute {
                what.push(What::Output);
                fds.push(PollFd::new(stdout.as_fd(), PollFlags::POLLOUT));
            }
            let full = self.is_full();
            for (ready, fd, flags) in self.node.iter().flat_map(|node| node.descriptors(full)) {
                what.push(What::Node(ready));
                fds.push(PollFd::new(fd, flags));
            }
            // What agents say is as much output as what ranks write.
            let children = self.children.descriptors();
            for (child, pipe, fd, flags) in
                children.filter(|(_, pipe, ..)| *pipe != Pipe::Err || !full)
            {
                what.push(What::Child(child, pipe));
                fds.push(PollFd::new(fd, flags));
            }
            let left = due.saturating_duration_since(Instant::now());
            let millis = left.as_micros().div_ceil(1000).min(60_000) as u16;
            match poll(&mut fds, PollTimeout::from(millis)) {
                Ok(_) => {}
                Err(Errno::EINTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let is_ready = |fd: &PollFd| fd.revents().is_none_or(|r| !r.is_empty());
            let ready: Vec<bool> = fds.iter().map(is_ready).collect();
            drop(fds);
            for what in what.into_iter().zip(ready).filter(|(_, r)| *r) {
                match what.0 {
                    What::Signal => self.signals(signals)?,
                    What::Input => self.read(),
                    What::Output => {}
                    What::Node(ready) => {
                        if let Some(node) = &mut self.node {
                            node.handle(ready);
                        }
                    }
                    What::Child(child, pipe) => self.children.handle(child, pipe),
                }
            }
        }
        Ok(())
    }

    /// Whether mpiexec is so far behind that the ranks shall not be read.
    fn is_full(&self) -> bool {
        !self.mute && (self.open > WINDOW || self.outbox.len() > 4 * WINDOW)
    }

    fn signals(&mut self, signals: &SignalFd) -> io::Result<()> {
        while let Some(info) = signals.read_signal()? {
            match Signal::try_from(info.ssi_signo as i32) {
                Ok(Signal::SIGCHLD) => self.reap(),
                Ok(
                    signal @ (Signal::SIGINT | Signal::SIGTERM | Signal::SIGQUIT | Signal::SIGHUP),
                ) => {
                    let text = format!("received {}", signal.as_str());
                    self.send(&Event::Leaving(text));
                    if self.node.is_none() {
                        self.phase = Phase::Over;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn reap(&mut self) {
        let ended = match &mut self.node {
            Some(node) => {
                node.reap();
                node.strangers()
            }
            None => std::iter::from_fn(next_end).collect(),
        };
        self.children.ended(ended);
    }

    /// Standard input is readable.
    fn read(&mut self) {
        let mut buffer = vec![0; 64 * 1024];
        match read(io::stdin(), &mut buffer) {
            Ok(n) if n > 0 => {
                self.heard = Some(Instant::now());
                self.inbox.push(&buffer[..n]);
                self.take();
            }
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            _ => self.leave(),
        }
    }

    /// Takes the frames that have come.
    fn take(&mut self) {
        loop {
            match self.inbox.frame::<Down>() {
                Ok(None) => return,
                Ok(Some(Down::Start(orders, scripts))) => self.start(orders, scripts),
                Ok(Some(Down::Do(command))) => self.obey(command),
                // What starts a daemon has at least the words for its program.
                Ok(Some(Down::Reach(road))) if road.command.len() >= 2 => self.children.add(road),
                Ok(Some(Down::Reach(_))) => self.send(&Event::Leaving(NONSENSE.into())),
                Ok(Some(Down::Pass(sites, bytes))) => self.children.pass(&sites, &bytes),
                Err(wrong) => {
                    let text = format!(
                        "what comes from mpiexec is not of this protocol ({} was expected)",
                        wrong.0
                    );
                    self.send(&Event::Leaving(text));
                    self.leave();
                    return;
                }
            }
        }
    }

    fn start(&mut self, orders: Orders, scripts: Vec<Script>) {
        let known = |program: usize| scripts.get(program).is_some_and(|s| !s.command.is_empty());
        if self.node.is_some() || !orders.posts.iter().all(|p| known(p.program)) {
            self.send(&Event::Leaving(NONSENSE.into()));
            return;
        }
        let find = |script: &Script| plan::program(script, &orders.host);
        let found: Result<Vec<_>, _> = scripts.iter().map(find).collect();
        match (found, self.guard.watch()) {
            (Ok(programs), Ok(watch)) => {
                let mut node = Node::new(orders, programs, watch);
                node.start(&self.before);
                self.node = Some(node);
            }
            (Err(error), _) => self.refuse(error.text, error.code),
            (_, Err(error)) => self.refuse(format!("on {}: {error}", orders.host), 1),
        }
    }

    /// Nothing can be started here.
    fn refuse(&mut self, text: String, code: i32) {
        self.send(&Event::NotStarted { text, code });
        self.send(&Event::Hungry(false));
        self.send(&Event::Done);
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Taken(bytes) => self.open = self.open.saturating_sub(bytes),
            Command::WindUp => self.wind_up(),
            Command::Ping => self.send(&Event::Pong),
            Command::Pause => self.heard = None,
            command => {
                if let Some(node) = &mut self.node {
                    node.obey(command);
                }
            }
        }
    }

    /// mpiexec has gone: the ranks are asked to end.
    fn leave(&mut self) {
        if self.phase != Phase::Running {
            return;
        }
        self.mute = true;
        self.children.close();
        self.phase = match self.node {
            Some(_) if !self.finished => Phase::Left(Instant::now() + GRACE),
            _ => Phase::Over,
        };
        if self.phase == Phase::Over {
            return;
        }
        if self.node.as_ref().is_some_and(Node::is_done) {
            self.wind_up();
        } else {
            self.obey(Command::End(libc::SIGTERM));
        }
    }

    /// Makes frames of what the node has to say.
    fn collect(&mut self) {
        while let Some(event) = self.node.as_mut().and_then(Node::event) {
            if let Event::Output { bytes, .. } = &event {
                self.open += bytes.len();
            }
            let is_done = event == Event::Done;
            self.send(&event);
            if is_done && self.phase != Phase::Running {
                self.wind_up();
            }
        }
    }

    fn send(&mut self, event: &Event) {
        self.push(&Up::Own(event.clone()));
    }

    fn push(&mut self, up: &Up) {
        if !self.mute {
            frames::push(up, &mut self.outbox);
        }
    }

    /// Hands on what has come from the daemons that this one has started.
    fn hand_on(&mut self) {
        for (site, news) in self.children.news() {
            self.push(&Up::Of(site, news));
        }
    }

    /// Writes what can be written without waiting. The other end of the pipe is somebody else's, so it is not set to
    /// be non-blocking.
    fn flush(&mut self) {
        let mut sent = 0;
        while sent < self.outbox.len() && !self.mute {
            let stdout = io::stdout();
            let mut fds = [PollFd::new(stdout.as_fd(), PollFlags::POLLOUT)];
            if !matches!(poll(&mut fds, PollTimeout::ZERO), Ok(n) if n > 0) {
                break;
            }
            let piece = &self.outbox[sent..self.outbox.len().min(sent + WRITE_BYTES)];
            match write(&stdout, piece) {
                Ok(n) => sent += n,
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                Err(_) => {
                    self.outbox.clear();
                    self.leave();
                    return;
                }
            }
        }
        self.outbox.drain(..sent);
    }

    /// Ends what is left, and then the daemon, unless others are reached from here.
    fn wind_up(&mut self) {
        if self.phase != Phase::Running || !self.children.are_there() {
            self.phase = Phase::Over;
        }
        if std::mem::replace(&mut self.finished, true) {
            return;
        }
        if let Some(mut node) = self.node.take() {
            node.wind_up(|_| true);
            self.children.ended(node.strangers());
            self.node = Some(node);
            self.collect();
        } else {
            self.send(&Event::Gone);
        }
    }

    /// Waits until all is sent, but not for ever.
    fn farewell(&mut self) {
        let until = Instant::now() + FAREWELL;
        while !self.outbox.is_empty() && !self.mute && Instant::now() < until {
            let stdout = io::stdout();
            let mut fds = [PollFd::new(stdout.as_fd(), PollFlags::POLLOUT)];
            let _ = poll(&mut fds, PollTimeout::from(100u8));
            self.flush();
        }
    }
}

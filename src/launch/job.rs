//! A job from its first process to its last: one loop over all descriptors, signals and deadlines.
//!
//! Job: start the ranks of a plan, serve their PMI sockets, move their input and output, notice how each
//! ends, and see to it that all end together. Decisions live elsewhere: the protocol in `pmi.rs`, the exit
//! code in `cause.rs`. Ranks that are another process than the one started are dealt with in `job/joining.rs`, ranks
//! that may run on another MPI in `job/looking.rs`. Nothing here blocks except the one `poll`, which always has a deadline when one is due.

mod joining;
mod looking;

use crate::cause::{Cause, Ending, Verdict, Who};
use crate::door::{self, Door};
use crate::environ::World;
use crate::feed::Feed;
use crate::foreign::Foreign;
use crate::guard::{Guard, end_group, has_members};
use crate::lines::Lines;
use crate::link::{Link, Read, Segments};
use crate::machine::{cpu_time, free_port, is_child, next_end, oom_kills};
use crate::member::Member;
use crate::outlet::Outlets;
use crate::plan::Plan;
use crate::pmi::{Action, Server, another_is_the_rank};
use crate::rank::{self, Flow, Rank, Stream, Which};
use crate::request::{Request, StdinTo};
use crate::start::{self, Before, Streams, Ties};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, raise};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::Pid;
use std::collections::HashMap;
use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// Time between asking the ranks to end because one has failed, and killing them.
const GRACE_FAILED: Duration = Duration::from_secs(1);
/// The same after a signal from the user, who may have a handler that saves work.
const GRACE_ASKED: Duration = Duration::from_secs(10);
/// How long a kill may take before mpiexec stops waiting for it.
const GIVE_UP: Duration = Duration::from_secs(10);
/// Readings of one descriptor in one go: more than any socket or pipe holds, so that what a process has sent
/// before its end is read, while one that never stops cannot keep the loop from its other duties.
const READS: usize = 32;
/// How often ends of ranks are looked for without a signal: a thread that a preloaded library has started in
/// mpiexec may get the signal instead.
const CHECK: Duration = Duration::from_secs(1);
/// How long output may follow the end of the last rank.
const LINGER: Duration = Duration::from_secs(1);
/// How long somebody may take to join as a rank whose process has ended with 0 before anybody did: a shell that starts
/// its program in the background ends before that program is up.
const COMING: Duration = Duration::from_secs(3);
/// How often to look meanwhile whether anybody of a rank is left.
const LOOK: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// The ranks were asked to end; at this time they are killed.
    Ending(Instant),
    /// They were killed; at this time mpiexec stops waiting.
    Killed(Instant),
}

/// What a ready descriptor belongs to.
#[derive(Clone, Copy)]
enum Ready {
    Signal,
    Pmi(usize),
    Door,
    Stream(usize, Which),
    Input,
    Feed,
    Outlet,
}

struct Job<'a> {
    request: &'a Request,
    ranks: Vec<Rank>,
    by_pid: HashMap<Pid, usize>,
    /// None where the system has no such sockets.
    door: Option<Door>,
    /// Who has come through the door from outside of its rank's process group, as `kill` takes it.
    outside: Vec<Pid>,
    foreign: Foreign,
    server: Server,
    segments: Segments,
    feed: Feed,
    outlets: Outlets,
    guard: Guard,
    verdict: Verdict,
    phase: Phase,
    oom_kills: Option<u64>,
    buffer: Vec<u8>,
}

/// Runs the job to its end and returns mpiexec's exit code.
pub fn run(request: &Request, plan: &Plan, before: &Before, guard: Guard) -> io::Result<i32> {
    let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
    let signals = SignalFd::with_flags(before.signals.handled(), flags)?;
    let size = plan.procs.len();
    let mut job = Job {
        request,
        ranks: Vec::with_capacity(size),
        by_pid: HashMap::new(),
        door: Door::open(size).ok(),
        outside: Vec::new(),
        foreign: Foreign::new(request.library_check && !request.quiet),
        server: Server::new(
            // Processes know their job by this name, on any host.
            &format!("kvs_{}_{}", std::process::id(), door::secret()?),
            plan.procs.iter().map(|p| p.program).collect(),
            plan.universe,
            request.recover,
        ),
        segments: Segments::new(size),
        feed: Feed::new(),
        outlets: Outlets::standard()?,
        guard,
        verdict: Verdict::default(),
        phase: Phase::Running,
        oom_kills: oom_kills(),
        buffer: vec![0; 64 * 1024],
    };
    job.start_all(plan, before);
    let limit = request
        .timeout
        .map(|s| (Instant::now() + Duration::from_secs(s), s));
    job.serve(&signals, limit)?;
    job.examine(plan);
    job.wind_up();
    job.flush_all(&signals)?;
    let code = job.verdict.code();
    job.guard.dismiss();
    Ok(code)
}

impl Job<'_> {
    fn say(&mut self, text: &str) {
        self.outlets
            .err()
            .push(format!("mpiexec: {text}\n").as_bytes());
    }

    fn start_all(&mut self, plan: &Plan, before: &Before) {
        let world = World {
            size: plan.procs.len(),
            universe: plan.universe,
            torch_port: self.request.torch_env.then(free_port).flatten(),
        };
        for number in 0..plan.procs.len() {
            if let Err((text, code)) = self.start(plan, number, &world, before) {
                self.end(Cause::NotStarted(text, code), Signal::SIGTERM, GRACE_FAILED);
                return;
            }
        }
    }

    fn start(
        &mut self,
        plan: &Plan,
        number: usize,
        world: &World,
        before: &Before,
    ) -> Result<(), (String, i32)> {
        let proc = &plan.procs[number];
        let program = &plan.programs[proc.program];
        let name = program.argv[0].to_string_lossy().into_owned();
        let rules = &self.request.output;
        let streams = Streams {
            stdin: match self.request.stdin {
                StdinTo::Rank(rank) => rank == number,
                StdinTo::All => true,
                StdinTo::Nobody => false,
            },
            merge: rules.merge,
        };
        let started = start::start(
            program,
            proc,
            number,
            world,
            streams,
            before,
            Ties {
                guard: self.guard.register(),
                door: self.door.as_ref().map(|door| door.invitation(number)),
            },
        )
        .map_err(|error| {
            let code = match error.raw_os_error() {
                Some(libc::ENOENT) => 127,
                Some(libc::EACCES | libc::ENOEXEC | libc::EISDIR) => 126,
                _ => 1,
            };
            (
                format!(
                    "cannot start rank {number} ({name}) on {}: {}",
                    plan.host,
                    start::why(&error, &program.file)
                ),
                code,
            )
        })?;
        let pid = Pid::from_raw(started.child.id() as i32);
        self.by_pid.insert(pid, number);
        let who = Who {
            rank: number,
            host: plan.host.clone(),
            pid: pid.as_raw(),
            program: name,
        };
        if self.request.bind.report {
            let text = match &proc.cpus {
                Some(cpus) => format!(
                    "rank {number} on {} is bound to processors {}",
                    plan.host,
                    list(cpus)
                ),
                None => format!("rank {number} on {} is not bound", plan.host),
            };
            self.say(&text);
        }
        if let Some(pipe) = started.stdin {
            self.feed.add(number, pipe);
        }
        let mut outputs = Vec::new();
        let ends = [
            (Some(started.stdout), Which::Out),
            (started.stderr, Which::Err),
        ];
        let mut failed = Ok(());
        for (fd, which) in ends {
            let Some(fd) = fd else { continue };
            let lines = Lines::new(
                rank::label(rules, &who, proc.program, which),
                plan.procs.len() == 1,
            );
            match rank::files(rules, &who, proc.program, plan.procs.len(), which) {
                Ok(files) => outputs.push(Stream::new(fd, lines, files, which)),
                Err(error) => failed = Err((error.to_string(), 1)),
            }
        }
        self.ranks.push(Rank {
            who,
            pid,
            link: Some(Link::new(started.pmi)),
            member: None,
            itself: false,
            left: None,
            used: None,
            waited: None,
            streams: outputs,
            ended: None,
            group: true,
        });
        failed
    }

    /// The loop: until every rank has ended and its output is read.
    fn serve(&mut self, signals: &SignalFd, limit: Option<(Instant, u64)>) -> io::Result<()> {
        let mut linger: Option<Instant> = None;
        let mut check = Instant::now() + CHECK;
        loop {
            self.flush();
            self.settle();
            if self.ranks.iter().all(|r| r.ended.is_some()) {
                let until = *linger.get_or_insert_with(|| {
                    let last = self.ranks.iter().filter_map(|r| r.left).max();
                    last.unwrap_or_else(Instant::now)
                });
                if self.ranks.iter().all(|r| r.streams.is_empty()) || Instant::now() >= until {
                    return Ok(());
                }
            }
            let now = Instant::now();
            if now >= check {
                check = now + CHECK;
                self.reap();
            }
            if let Some((at, seconds)) = limit
                && now >= at
                && self.phase == Phase::Running
            {
                self.end(Cause::Timeout(seconds), Signal::SIGTERM, GRACE_FAILED);
            }
            match self.phase {
                Phase::Ending(at) if now >= at => self.kill(),
                Phase::Killed(at) if now >= at => {
                    let left: Vec<String> = self
                        .ranks
                        .iter()
                        .filter(|r| r.ended.is_none())
                        .map(|r| r.who.to_string())
                        .collect();
                    self.say(&format!("killed, but still not ended: {}", left.join(", ")));
                    return Ok(());
                }
                _ => {}
            }
            let deadline = match self.phase {
                Phase::Running => limit.map(|(at, _)| at),
                Phase::Ending(at) | Phase::Killed(at) => Some(at),
            };
            let background = self
                .feed
                .in_background()
                .then(|| now + Duration::from_secs(1));
            self.look();
            let foreign = self
                .foreign
                .next()
                .filter(|_| self.silent().next().is_some());
            let door = self.door.as_ref().and_then(Door::deadline);
            let members = self
                .ranks
                .iter()
                .filter_map(|r| r.member.as_ref()?.deadline())
                .min();
            let expected = |r: &Rank| r.ended.is_none() && r.left.is_some_and(|until| now < until);
            let look = self.ranks.iter().any(expected).then(|| now + LOOK);
            let deadline = [
                deadline,
                linger,
                background,
                Some(check),
                foreign,
                door,
                members,
                look,
            ]
            .into_iter()
            .flatten()
            .min();
            let ready = self.wait(signals, deadline)?;
            let door = self.door.as_ref().and_then(Door::deadline);
            if door.is_some_and(|at| Instant::now() >= at) {
                self.door();
            }
            self.feed.retry();
            for what in ready {
                self.handle(what, signals)?;
            }
        }
    }

    /// Waits for descriptors, at most until `deadline`.
    fn wait(&self, signals: &SignalFd, deadline: Option<Instant>) -> io::Result<Vec<Ready>> {
        let mut what = vec![Ready::Signal];
        let mut fds = vec![PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
        let mut add = |ready: Ready, fd, flags| {
            what.push(ready);
            fds.push(PollFd::new(fd, flags));
        };
        let stdin = io::stdin();
        let full = self.outlets.full();
        for fd in self.door.iter().flat_map(Door::descriptors) {
            add(Ready::Door, fd, PollFlags::POLLIN);
        }
        for (number, rank) in self.ranks.iter().enumerate() {
            let own = rank.link.iter().map(|link| (link.as_fd(), link.waits()));
            let member = rank.member.iter().flat_map(Member::descriptors);
            for (fd, waits) in own.chain(member) {
                let mut flags = PollFlags::POLLIN;
                if waits {
                    flags |= PollFlags::POLLOUT;
                }
                add(Ready::Pmi(number), fd, flags);
            }
            for stream in rank.streams.iter().filter(|_| !full) {
                add(
                    Ready::Stream(number, stream.which()),
                    stream.as_fd(),
                    PollFlags::POLLIN,
                );
            }
        }
        if self.feed.wants_input() {
            add(Ready::Input, stdin.as_fd(), PollFlags::POLLIN);
        }
        for fd in self.feed.blocked() {
            add(Ready::Feed, fd, PollFlags::POLLOUT);
        }
        for fd in self.outlets.waiting() {
            add(Ready::Outlet, fd, PollFlags::POLLOUT);
        }
        let timeout = match deadline {
            None => PollTimeout::NONE,
            Some(at) => {
                let left = at.saturating_duration_since(Instant::now());
                // Rounded up, so that the deadline has passed when poll returns.
                let millis = (left.as_micros().div_ceil(1000)).min(60_000) as u16;
                PollTimeout::from(millis)
            }
        };
        match poll(&mut fds, timeout) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
        Ok(fds
            .iter()
            .zip(what)
            .filter(|(fd, _)| fd.revents().is_none_or(|r| !r.is_empty()))
            .map(|(_, what)| what)
            .collect())
    }

    fn handle(&mut self, what: Ready, signals: &SignalFd) -> io::Result<()> {
        match what {
            Ready::Signal => {
                while let Some(info) = signals.read_signal()? {
                    if let Ok(signal) = Signal::try_from(info.ssi_signo as i32) {
                        self.signal(signal)?;
                    }
                }
            }
            Ready::Pmi(number) => self.pmi(number),
            Ready::Door => self.door(),
            Ready::Stream(number, which) => {
                if self.is_silent(number) && self.foreign.is_first_output(number) {
                    self.look_at(number);
                }
                self.read_stream(number, which);
            }
            Ready::Input => self.feed.read(),
            Ready::Feed => self.feed.write(),
            // The loop flushes on every turn.
            Ready::Outlet => {}
        }
        Ok(())
    }

    fn read_stream(&mut self, number: usize, which: Which) -> Flow {
        let streams = &mut self.ranks[number].streams;
        let Some(at) = streams.iter().position(|s| s.which() == which) else {
            return Flow::Ended;
        };
        let flow = streams[at].read(&mut self.buffer, &mut self.outlets);
        if flow == Flow::Ended {
            streams.remove(at);
        }
        flow
    }

    /// Serves what a rank has sent, and notices when who came through the door has ended.
    fn pmi(&mut self, number: usize) {
        self.read_link(number, false);
        self.read_link(number, true);
        if self.ranks[number]
            .member
            .as_ref()
            .is_some_and(Member::is_over)
        {
            // What it said before it ended is read by now or comes with this.
            self.read_link(number, true);
            self.member_ended(number);
        }
    }

    /// Reads the connection through the door, or the socket that the rank was started with.
    fn read_link(&mut self, number: usize, door: bool) {
        for _ in 0..READS {
            let elsewhere = !door && self.ranks[number].member.is_some();
            let Some(link) = self.ranks[number].link_of(door) else {
                return;
            };
            match link.read(&mut self.buffer) {
                Read::Bytes(_) if elsewhere => {
                    if !link.queue(another_is_the_rank(), None) {
                        self.ranks[number].link = None;
                    }
                }
                Read::Bytes(n) => {
                    let rank = &mut self.ranks[number];
                    if !door && rank.ended.is_none() && rank.left.is_some() {
                        rank.left = Some(Instant::now() + LINGER);
                    }
                    for action in self.server.feed(number, &self.buffer[..n]) {
                        self.act(action);
                    }
                    if let Some(why) = self.server.stuck() {
                        self.end(Cause::Stuck(why), Signal::SIGTERM, GRACE_FAILED);
                    }
                }
                Read::Nothing => {
                    link.flush();
                    return;
                }
                Read::Closed => {
                    match &mut self.ranks[number].member {
                        Some(member) if door => member.close(),
                        _ => self.ranks[number].link = None,
                    }
                    return;
                }
            }
        }
    }

    fn act(&mut self, action: Action) {
        let (rank, line, attached) = match action {
            Action::Reply { rank, line } => (rank, line, None),
            Action::Segment {
                rank,
                round,
                index,
                line,
            } => match self.segments.get(rank, (round, index)) {
                Ok(fd) => (rank, line, Some(fd)),
                Err(error) => {
                    let why = error.to_string().replace(char::is_whitespace, "_");
                    let line = format!("cmd=anympi_segment_result rc=1 msg={why}\n");
                    (rank, line.into_bytes(), None)
                }
            },
            Action::Abort {
                rank,
                code,
                message,
            } => {
                let who = self.ranks[rank].whose();
                self.end(
                    Cause::Aborted(who, code, message),
                    Signal::SIGTERM,
                    GRACE_FAILED,
                );
                return;
            }
            Action::Broken { rank, why } => {
                self.broken(rank, why);
                return;
            }
        };
        let Some(link) = self.ranks.get_mut(rank).and_then(Rank::speaker) else {
            return;
        };
        if link.queue(line, attached) {
            link.flush();
        } else {
            self.broken(rank, "it asks and asks but never reads the answers".into());
        }
    }

    fn broken(&mut self, rank: usize, why: String) {
        let who = self.ranks[rank].whose();
        match &mut self.ranks[rank].member {
            Some(member) => member.close(),
            None => self.ranks[rank].link = None,
        }
        self.end(Cause::BadProtocol(who, why), Signal::SIGTERM, GRACE_FAILED);
    }

    fn signal(&mut self, signal: Signal) -> io::Result<()> {
        match signal {
            Signal::SIGCHLD => self.reap(),
            Signal::SIGUSR1 | Signal::SIGUSR2 | Signal::SIGCONT => self.send(signal),
            Signal::SIGTSTP => {
                self.send(Signal::SIGSTOP);
                raise(Signal::SIGSTOP)?;
            }
            Signal::SIGINT | Signal::SIGTERM | Signal::SIGQUIT | Signal::SIGHUP => {
                if self.phase == Phase::Running {
                    let forwarded = if signal == Signal::SIGHUP {
                        Signal::SIGTERM
                    } else {
                        signal
                    };
                    self.end(Cause::Interrupted(signal as i32), forwarded, GRACE_ASKED);
                } else {
                    self.kill();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Collects all processes that have ended, and judges them.
    fn reap(&mut self) {
        let mut batch = Vec::new();
        while let Some((pid, ending)) = next_end() {
            if let Some(number) = self.by_pid.remove(&pid) {
                batch.push((number, ending));
            } else {
                self.orphan_ended(pid, ending);
            }
        }
        self.by_pid.retain(|&pid, &mut number| {
            let is_known = is_child(pid);
            if !is_known {
                batch.push((number, Ending::Unknown));
            }
            is_known
        });
        // What a rank said before it ended comes first: an abort explains the exit that follows it.
        for &(number, _) in &batch {
            self.pmi(number);
        }
        // Among deaths noticed together a signal is more likely the first than the exits it led to.
        batch.sort_by_key(|&(number, ending)| (matches!(ending, Ending::Exited(_)), number));
        for (number, ending) in batch {
            self.ended(number, ending);
        }
    }

    /// The process that was started as this rank has ended.
    fn ended(&mut self, number: usize, ending: Ending) {
        self.feed.remove(number);
        let rank = &mut self.ranks[number];
        rank.member.take_if(|member| member.is_child());
        if ending == Ending::Exited(0) && (!rank.itself || rank.member.is_some()) {
            let spoke = self.server.spoke(number);
            rank.left = Some(Instant::now() + if spoke { LINGER } else { COMING });
            rank.used = (!spoke).then(|| cpu_time(rank.pid));
            self.settle();
        } else {
            let who = rank.who.clone();
            self.over(number, who, Some(ending));
        }
    }

    /// Nobody is this rank any more: `who` was the last, and has ended so.
    fn over(&mut self, number: usize, who: Who, ending: Option<Ending>) {
        if self.is_silent(number)
            && let Some(text) = self.foreign.say(number)
        {
            self.say(&text);
        }
        let rank = &mut self.ranks[number];
        rank.ended = ending.or(Some(Ending::Exited(0)));
        rank.left.get_or_insert_with(|| Instant::now() + LINGER);
        rank.link = None;
        rank.member = None;
        if !has_members(rank.pid) {
            rank.group = false;
            self.guard.remove(rank.pid);
        }
        self.judge(number, who, ending);
    }

    /// What the end of `who`, by which the rank has ended, means for the job.
    fn judge(&mut self, number: usize, who: Who, ending: Option<Ending>) {
        let finalized = self.server.finalized(number);
        let cause = match ending {
            None if self.server.active(number) => Some(Cause::Lost(who)),
            Some(Ending::Exited(0)) if self.server.active(number) => Some(Cause::NoFinalize(who)),
            None | Some(Ending::Exited(0)) => None,
            Some(Ending::Exited(code)) => Some(Cause::Exited(who, code)),
            Some(Ending::Unknown) => Some(Cause::Vanished(who)),
            Some(Ending::Signalled(signal)) => {
                let killed = signal == libc::SIGKILL && oom_kills() > self.oom_kills;
                let hint = if killed {
                    "; the kernel's out-of-memory killer was at work in this cgroup"
                } else {
                    ""
                };
                Some(Cause::Signalled(who, signal, hint))
            }
        };
        for action in self.server.ended(number, cause.is_some()) {
            self.act(action);
        }
        if let Some(cause) = cause {
            // Nobody waits for a rank that has left MPI.
            if self.request.recover || finalized {
                if self.phase == Phase::Running {
                    self.drain();
                    let when = if finalized { " after MPI_Finalize" } else { "" };
                    self.say(&format!("{cause}{when}"));
                }
                self.verdict.note(cause);
            } else {
                self.end(cause, Signal::SIGTERM, GRACE_FAILED);
            }
        }
        if let Some(why) = self.server.stuck() {
            self.end(Cause::Stuck(why), Signal::SIGTERM, GRACE_FAILED);
        }
    }

    /// Ends the job for `cause`, unless it is ending already.
    fn end(&mut self, cause: Cause, with: Signal, grace: Duration) {
        if self.phase != Phase::Running {
            return;
        }
        // What the ranks have said of it comes first.
        self.drain();
        let others = self.ranks.iter().filter(|r| r.ended.is_none()).count();
        let tail = match (&cause, others) {
            (_, 0) => "",
            (Cause::Interrupted(_), _) => "; it is passed on to the ranks, a second one kills them",
            (Cause::Timeout(_), _) => "; its ranks are being ended",
            _ => "; the other ranks are being ended",
        };
        if cause != Cause::OutputClosed {
            self.say(&format!("{cause}{tail}"));
        }
        self.verdict.note(cause);
        self.phase = Phase::Ending(Instant::now() + grace);
        self.send(with);
        // A stopped process takes its signal only when it goes on.
        self.send(Signal::SIGCONT);
    }

    fn kill(&mut self) {
        self.send(Signal::SIGKILL);
        self.phase = Phase::Killed(Instant::now() + GIVE_UP);
    }

    /// Sends a signal to every process group of the job, and to who has come in from outside.
    fn send(&mut self, signal: Signal) {
        self.forget_outside();
        for &target in &self.outside {
            let _ = kill(target, signal);
        }
        for rank in self.ranks.iter_mut().filter(|r| r.group) {
            if !end_group(rank.pid, signal) {
                rank.group = false;
                self.guard.remove(rank.pid);
            }
        }
    }

    /// After the last rank: ends what ranks have left running in their groups, and reads what is left to read.
    fn wind_up(&mut self) {
        let signals = [
            (Signal::SIGTERM, GRACE_FAILED),
            (Signal::SIGKILL, GRACE_FAILED),
        ];
        for (signal, grace) in signals {
            self.send(signal);
            self.send(Signal::SIGCONT);
            let until = Instant::now() + grace;
            let is_left = |job: &Self| job.ranks.iter().any(|r| r.group) || !job.outside.is_empty();
            while is_left(self) && Instant::now() < until {
                self.flush();
                if !self.outlets.full() {
                    self.drain();
                }
                std::thread::sleep(Duration::from_millis(5));
                self.forget_empty_groups();
            }
        }
        self.drain();
        for rank in &mut self.ranks {
            for mut stream in rank.streams.drain(..) {
                stream.finish(&mut self.outlets);
            }
        }
        if let Some(door) = self
            .door
            .as_ref()
            .filter(|d| d.refused > 0 && self.request.verbose)
        {
            let text = format!("{} connections without a token were refused", door.refused);
            self.say(&text);
        }
        if self.request.print_exit_codes {
            let codes: Vec<String> = self
                .ranks
                .iter()
                .filter_map(|r| Some(format!("rank {}: {}", r.who.rank, r.ended?.code())))
                .collect();
            self.say(&format!("exit codes: {}", codes.join(", ")));
        }
    }

    /// Forgets groups that have no member left.
    fn forget_empty_groups(&mut self) {
        // Nobody is judged any more.
        while next_end().is_some() {}
        self.forget_outside();
        for rank in self.ranks.iter_mut().filter(|r| r.group) {
            if !has_members(rank.pid) {
                rank.group = false;
                self.guard.remove(rank.pid);
            }
        }
    }

    /// Reads what all streams hold at the moment.
    fn drain(&mut self) {
        for number in 0..self.ranks.len() {
            for which in [Which::Out, Which::Err] {
                let more = |_: &usize| self.read_stream(number, which) == Flow::More;
                let _ = (0..READS).take_while(more).count();
            }
        }
    }

    /// Writes what can be written now. A job whose output is lost is ended.
    fn flush(&mut self) {
        self.outlets.flush();
        if let Some(cause) = self.outlets.lost() {
            self.end(cause, Signal::SIGTERM, GRACE_FAILED);
        }
    }

    /// Waits until all output is written; a signal from the user cuts it short.
    fn flush_all(&mut self, signals: &SignalFd) -> io::Result<()> {
        let mut settled = false;
        loop {
            self.flush();
            if self.outlets.empty() {
                if settled {
                    return Ok(());
                }
                settled = true;
                self.outlets.settle();
                continue;
            }
            let mut fds = vec![PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
            fds.extend(
                self.outlets
                    .waiting()
                    .map(|fd| PollFd::new(fd, PollFlags::POLLOUT)),
            );
            match poll(&mut fds, PollTimeout::NONE) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
            while let Some(info) = signals.read_signal()? {
                let signal = info.ssi_signo as i32;
                if matches!(
                    signal,
                    libc::SIGINT | libc::SIGTERM | libc::SIGQUIT | libc::SIGHUP
                ) {
                    self.verdict.note(Cause::Interrupted(signal));
                    return Ok(());
                }
            }
        }
    }
}

fn list(cpus: &[usize]) -> String {
    cpus.iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

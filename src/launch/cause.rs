//! Why a job ends, and with which exit code.
//!
//! The rule: 0 if every rank ends with 0; otherwise the first cause decides. A rank that we ended ourselves
//! is never a cause. Pure; the job loop feeds it events in the order in which they were noticed.

use std::fmt;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exited(i32),
    Signalled(i32),
    /// It has ended, and nobody can say how.
    Unknown,
}

impl Ending {
    /// The shell's number for it.
    pub fn code(self) -> i32 {
        match self {
            Ending::Exited(code) => code,
            Ending::Signalled(signal) => 128 + signal,
            Ending::Unknown => 1,
        }
    }
}

/// Who failed: what a message needs to name the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    pub rank: usize,
    pub host: String,
    pub pid: i32,
    pub program: String,
}

/// What ended the job early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    Exited(Who, i32),
    Signalled(Who, i32, &'static str),
    Aborted(Who, i32, String),
    NoFinalize(Who),
    /// The system does not know the process any more, nor how it ended.
    Vanished(Who),
    /// How the process ended is not known, only that it was not in good order.
    Lost(Who),
    BadProtocol(Who, String),
    Stuck(String),
    /// A host cannot be used, or not any more; the text names it and says why.
    HostLost(String),
    /// A process could not be started; the text names it, the number is the exit code.
    NotStarted(String, i32),
    /// A spawned job has failed, and its mpiexec has said why; the number is its exit code.
    Spawned(i32),
    /// This is a spawned job, and those that have spawned it end.
    WithParent,
    Timeout(u64),
    /// A signal sent to mpiexec itself.
    Interrupted(i32),
    /// Whoever reads our output went away.
    OutputClosed,
    /// Output is lost: the stream or file, and the error number.
    NotWritten(String, i32),
}

/// The exit code when output is lost; `EX_IOERR` of the BSD system's programs.
const LOST: i32 = 74;

impl Cause {
    /// Standard output or error could not be written. A reader that has gone needs no explanation.
    pub fn not_written(stream: &str, errno: i32) -> Cause {
        match errno {
            libc::EPIPE => Cause::OutputClosed,
            _ => Cause::NotWritten(stream.to_owned(), errno),
        }
    }

    /// Whether the user knows of it without mpiexec's saying so.
    pub fn is_known(&self) -> bool {
        matches!(
            self,
            Cause::OutputClosed | Cause::Spawned(_) | Cause::WithParent
        )
    }

    /// mpiexec's exit code for this cause.
    pub fn code(&self) -> i32 {
        match self {
            Cause::Exited(_, code) | Cause::NotStarted(_, code) | Cause::Spawned(code) => *code,
            Cause::Signalled(_, signal, _) | Cause::Interrupted(signal) => 128 + signal,
            // An abort must never look like success.
            Cause::Aborted(_, code, _) => match code & 0xff {
                0 => 1,
                code => code,
            },
            Cause::NoFinalize(_)
            | Cause::Vanished(_)
            | Cause::Lost(_)
            | Cause::BadProtocol(..)
            | Cause::Stuck(_)
            | Cause::HostLost(_)
            | Cause::WithParent => 1,
            Cause::Timeout(_) => 110,
            Cause::OutputClosed => 128 + libc::SIGPIPE,
            Cause::NotWritten(..) => LOST,
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rank {} on {} (pid {}, {})",
            self.rank, self.host, self.pid, self.program
        )
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Exited(who, code) => write!(f, "{who} exited with code {code}"),
            Cause::Signalled(who, signal, hint) => write!(
                f,
                "{who} was ended by signal {signal} ({}){hint}",
                signal_name(*signal)
            ),
            Cause::Aborted(who, code, message) => {
                write!(f, "{who} called MPI_Abort with code {code}")?;
                if message.is_empty() {
                    Ok(())
                } else {
                    write!(f, ": {message}")
                }
            }
            Cause::NoFinalize(who) => write!(
                f,
                "{who} exited with code 0 after MPI_Init without calling MPI_Finalize"
            ),
            Cause::Vanished(who) => write!(
                f,
                "{who} has ended, but its exit status is lost: something else in mpiexec has collected it (a preloaded library?)"
            ),
            Cause::Lost(who) => {
                write!(f, "{who} ended after MPI_Init without calling MPI_Finalize")
            }
            Cause::BadProtocol(who, why) => {
                write!(
                    f,
                    "{who} sent something on its PMI socket that is not PMI-1: {why}"
                )
            }
            Cause::NotStarted(what, _) | Cause::HostLost(what) => f.write_str(what),
            Cause::Stuck(why) => write!(f, "the job cannot go on: {why}"),
            Cause::Spawned(code) => write!(f, "a spawned job has ended with code {code}"),
            Cause::WithParent => f.write_str("the job that has spawned this one ends"),
            Cause::Timeout(seconds) => write!(f, "the job ran longer than {seconds} s (--timeout)"),
            Cause::Interrupted(signal) => write!(f, "received {}", signal_name(*signal)),
            Cause::OutputClosed => write!(f, "standard output was closed by its reader"),
            Cause::NotWritten(what, errno) => {
                let why = nix::errno::Errno::from_raw(*errno);
                write!(f, "cannot write {what}: {why} (errno {errno})")
            }
        }
    }
}

/// `SIGSEGV, segmentation fault` and the like.
pub fn signal_name(signal: i32) -> String {
    let meaning = match signal {
        libc::SIGSEGV => ", segmentation fault",
        libc::SIGBUS => ", bus error",
        libc::SIGFPE => ", arithmetic error",
        libc::SIGILL => ", illegal instruction",
        libc::SIGABRT => ", abort",
        _ => "",
    };
    match nix::sys::signal::Signal::try_from(signal) {
        Ok(name) => format!("{}{meaning}", name.as_str()),
        Err(_) => format!("signal {signal}"),
    }
}

/// The verdict over a job: its first cause.
#[derive(Debug, Default)]
pub struct Verdict {
    first: Option<Cause>,
}

impl Verdict {
    /// Notes a cause; true if it is the first, which is the one that counts.
    pub fn note(&mut self, cause: Cause) -> bool {
        let is_first = self.first.is_none();
        self.first.get_or_insert(cause);
        is_first
    }

    pub fn cause(&self) -> Option<&Cause> {
        self.first.as_ref()
    }

    /// mpiexec's exit code.
    pub fn code(&self) -> i32 {
        self.first.as_ref().map_or(0, Cause::code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(rank: usize) -> Who {
        Who {
            rank,
            host: "h".into(),
            pid: 9,
            program: "./a".into(),
        }
    }

    #[test]
    fn codes() {
        for (cause, code) in [
            (Cause::Exited(who(0), 3), 3),
            (Cause::Signalled(who(0), 11, ""), 139),
            (Cause::Aborted(who(0), 7, String::new()), 7),
            (Cause::Aborted(who(0), 0, String::new()), 1),
            (Cause::Aborted(who(0), 256, String::new()), 1),
            (Cause::Aborted(who(0), -1, String::new()), 255),
            (Cause::NoFinalize(who(0)), 1),
            (Cause::Timeout(5), 110),
            (Cause::Interrupted(2), 130),
            (Cause::not_written("standard output", libc::EPIPE), 141),
            (Cause::not_written("standard output", libc::ENOSPC), 74),
        ] {
            assert_eq!(cause.code(), code, "{cause}");
        }
        assert_eq!(Verdict::default().code(), 0);
    }

    #[test]
    fn the_first_cause_wins() {
        let mut verdict = Verdict::default();
        assert!(verdict.note(Cause::Exited(who(3), 9)));
        assert!(!verdict.note(Cause::Signalled(who(0), 11, "")));
        assert_eq!(verdict.code(), 9);
    }

    #[test]
    fn messages_name_rank_host_pid_and_cause() {
        let text = Cause::Signalled(who(2), 11, "").to_string();
        assert_eq!(
            text,
            "rank 2 on h (pid 9, ./a) was ended by signal 11 (SIGSEGV, segmentation fault)"
        );
        assert_eq!(
            Cause::not_written("standard output", libc::EFBIG).to_string(),
            "cannot write standard output: EFBIG: File too large (errno 27)"
        );
    }
}

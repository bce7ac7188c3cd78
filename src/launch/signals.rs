//! Signals: what mpiexec does with each, and what the processes it starts find.
//!
//! Job: change the signals of this process for the length of a job. It remembers what whoever started mpiexec had
//! set, so that a rank finds it so: what `nohup` or a shell's `&` ignores stays ignored, what was blocked stays
//! blocked. It knows nothing of jobs.
//!
//! Two signals are different. SIGCHLD is never ignored, here or in a rank: the system would throw away how
//! children have ended, and a program's own `wait` would fail, though nobody has told it so. The other launchers
//! handle SIGCHLD, and a handled signal is at its default in the program that is executed. SIGPIPE is at its default in
//! a rank, since Rust's start has set it to be ignored here before anybody could look what it was.

use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, signal};

/// Signals that mpiexec handles, all through one descriptor.
const HANDLED: [Signal; 9] = [
    Signal::SIGCHLD,
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGQUIT,
    Signal::SIGHUP,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGTSTP,
    Signal::SIGCONT,
];

/// Signals that mpiexec ignores for itself, so that the call they belong to fails: reading from the terminal in
/// the background, writing a file beyond the limit on its size.
const IGNORED: [Signal; 2] = [Signal::SIGTTIN, Signal::SIGXFSZ];

/// The signals of a running job.
#[derive(Clone, Copy)]
pub struct Signals {
    handled: SigSet,
    /// What a rank must find at its default, though mpiexec ignores it.
    reset: SigSet,
    /// What was blocked before.
    mask: SigSet,
}

impl Signals {
    /// Takes the signals over. Those that mpiexec handles are blocked from here on.
    pub fn take() -> nix::Result<Signals> {
        set(Signal::SIGCHLD, SigHandler::SigDfl)?;
        let handled: SigSet = HANDLED.into_iter().filter(|&s| !is_ignored(s)).collect();
        let mut reset: SigSet = [Signal::SIGPIPE].into_iter().collect();
        for ignored in IGNORED.into_iter().filter(|&s| !is_ignored(s)) {
            set(ignored, SigHandler::SigIgn)?;
            reset.add(ignored);
        }
        Ok(Signals {
            handled,
            reset,
            mask: handled.thread_swap_mask(SigmaskHow::SIG_BLOCK)?,
        })
    }

    /// Those to wait for: what was ignored before is not among them.
    pub fn handled(&self) -> &SigSet {
        &self.handled
    }

    /// Makes them for this process, a rank before it executes its program, what mpiexec has found. It makes
    /// system calls only.
    pub fn restore(&self) -> nix::Result<()> {
        for reset in &self.reset {
            set(reset, SigHandler::SigDfl)?;
        }
        self.mask.thread_set_mask()
    }
}

fn set(which: Signal, to: SigHandler) -> nix::Result<()> {
    // SAFETY: neither ignoring a signal nor its default action runs a handler of this process.
    unsafe { signal(which, to) }.map(drop)
}

/// Whether a signal was set to be ignored by whoever started this process.
fn is_ignored(signal: Signal) -> bool {
    // SAFETY: with a null new action, the call only writes the present one to the passed object, for which
    // zeroes are a valid value.
    let now = unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal as i32, std::ptr::null(), &mut now);
        now
    };
    now.sa_sigaction == libc::SIG_IGN
}

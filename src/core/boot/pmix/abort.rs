//! A thread that has the PMIx server end the job, since PMIx may not be called in a signal handler.
//!
//! It sleeps on a socket. Whoever ends the job sends it the numbers, which a signal handler may, and waits for an answer
//! before the process ends. Should none come, the process ends with an error, which launchers take as a reason too.

use std::ffi::CString;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::library::Library;
use crate::sys;

/// How long the server may take to end the job.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes of the thread's stack.
const STACK: usize = 256 << 10;

/// The way to the thread, which ends when this is dropped.
pub struct Aborter(UnixStream);

impl Aborter {
    /// Starts the thread for the process `rank` of its job.
    ///
    /// # Errors
    /// The system has no more descriptors or threads.
    pub fn start(library: Library, rank: usize) -> io::Result<Aborter> {
        let (ours, mut threads) = UnixStream::pair()?;
        let serve = move || {
            let mut numbers = [0; 8];
            if threads.read_exact(&mut numbers).is_err() {
                return;
            }
            let [status, code] = [0, 4].map(|at| {
                let number = numbers[at..at + 4].try_into();
                i32::from_ne_bytes(number.expect("there are four"))
            });
            let message = format!("rank {rank} ends the job with code {code}");
            // Nothing else is left to try.
            let _ = library.abort(status, &CString::new(message).unwrap_or_default());
            let _ = threads.write_all(&[0]);
        };
        let thread = std::thread::Builder::new()
            .name("anympi-abort".into())
            .stack_size(STACK);
        sys::without_signals(|| thread.spawn(serve))?;
        Ok(Aborter(ours))
    }

    pub fn descriptor(&self) -> i32 {
        self.0.as_raw_fd()
    }
}

/// Has the thread at the other end of `descriptor` end the job. May run in a signal handler.
pub fn tell(descriptor: i32, status: i32, code: i32) {
    let mut numbers = [0; 8];
    numbers[..4].copy_from_slice(&status.to_ne_bytes());
    numbers[4..].copy_from_slice(&code.to_ne_bytes());
    sys::send_raw(descriptor, &numbers);
    sys::wait_raw(descriptor, PATIENCE);
}

//! Where errors go: the handler of the object a call failed on.

use std::io::Write;

use crate::error::{Error, On};
use crate::mpi::Mpi;
use crate::types::ErrorCode;

/// Hands the error of `call` to the error handler of `on`. Returns the code for the caller, if the
/// handler lets the call return.
pub fn raise(mpi: &Mpi, call: &'static str, _on: On, error: &Error) -> ErrorCode {
    fatal(mpi, call, error)
}

/// `MPI_ERRORS_ARE_FATAL`: one sentence to standard error, and the end.
fn fatal(mpi: &Mpi, call: &'static str, error: &Error) -> ! {
    let text = format!(
        "anympi: {call} on {}: {} (error class {})\n",
        whereabouts(mpi),
        error.what(),
        error.code()
    );
    // Nothing can be done about a closed standard error.
    let _ = std::io::stderr().write_all(text.as_bytes());
    std::process::abort()
}

/// Which process this is, for messages: `rank 2 of 4 (host h, pid p)`.
pub fn whereabouts(mpi: &Mpi) -> String {
    let host = nix::unistd::gethostname().unwrap_or_default();
    let host = host.to_string_lossy();
    let process = std::process::id();
    match mpi.world() {
        Some((rank, size)) => format!("rank {rank} of {size} (host {host}, pid {process})"),
        None => format!("a process without a rank (host {host}, pid {process})"),
    }
}

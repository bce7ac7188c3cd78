//! What a program says of itself on its own standard output and error, where no job is running.
//!
//! Job: write it whole, or say why not. `println!` would end the program with a panic when the reader has gone
//! (`mpiexec --help | head`) or the file system is full.

use crate::cause::Cause;
use std::fmt::Display;
use std::io::{self, Write};

/// Prints an answer of the program `name`; returns the exit code.
pub fn answer(name: &str, text: impl Display) -> i32 {
    let mut out = io::stdout();
    let done = write!(out, "{text}").and_then(|()| out.flush());
    let Err(error) = done else { return 0 };
    let cause = Cause::not_written("standard output", error.raw_os_error().unwrap_or(0));
    if cause != Cause::OutputClosed {
        complain(name, &cause);
    }
    cause.code()
}

/// Prints a line on standard error. When that fails too, nobody is left to tell.
pub fn complain(name: &str, text: impl Display) {
    let _ = writeln!(io::stderr(), "{name}: {text}");
}

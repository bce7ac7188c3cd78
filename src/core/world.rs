//! From nothing to a running world and back: initialisation, finalisation, abort.
//!
//! Nothing happens when the library is loaded; everything starts here and everything that was started is
//! ended here.

use crate::coll;
use crate::comm::Form;
use crate::engine::{CommNet, Engine};
use crate::error::Result;
use crate::fail;
use crate::handle::Comm;
use crate::mpi::{Mpi, Phase};
use crate::sys;
use crate::types::ThreadLevel;

/// Initialises the world model.
pub fn initialize(mpi: &Mpi, level: ThreadLevel) -> Result<()> {
    match mpi.phase() {
        Phase::Before => (),
        Phase::After => fail!(
            OTHER,
            "MPI has been finalized and cannot be initialized again"
        ),
        _ => fail!(OTHER, "MPI is initialized already"),
    }
    mpi.errhandlers.read_initial()?;
    let engine = Engine::start(0)?;
    engine.announce_world()?;
    mpi.set_engine(engine);
    mpi.set_threads(level);
    let engine = mpi.engine();
    mpi.comms
        .open(engine.rank, engine.size, mpi.errhandlers.initial());
    let threaded = level == ThreadLevel::MULTIPLE;
    mpi.set_phase(if threaded {
        Phase::RunningThreads
    } else {
        Phase::Running
    });
    Ok(())
}

/// Ends the world model: attributes of `MPI_COMM_SELF` first, then everything under way, then together
/// with all others.
pub fn finalize(mpi: &Mpi) -> Result<()> {
    let engine = mpi.engine();
    mpi.delete_self_attributes()?;
    for place in mpi.bsend.places() {
        mpi.wait_until(engine, || mpi.bsend.is_empty(place, engine));
    }
    mpi.wait_until(engine, || !mpi.reap_orphans(engine));
    // Nobody leaves while somebody else may still need an answer from here.
    let net = CommNet::new(mpi, engine, mpi.comm(Comm::WORLD)?, Form::Blocking)?;
    mpi.block_on(engine, coll::barrier(&net))?;
    mpi.wait_until(engine, || engine.drained());
    engine.leave()?;
    mpi.set_phase(Phase::After);
    Ok(())
}

impl Mpi {
    /// Ends the whole job. Nothing but `write` and `_exit`, so it works in a signal handler and while any
    /// lock is held.
    pub fn abort(&self, code: i32) -> ! {
        let status = match code & 0xff {
            0 => 1,
            status => status,
        };
        if let Some(engine) = self.engine_if_started()
            && let Some(socket) = engine.abort_socket
        {
            let mut line = [0; 48];
            let text = abort_line(&mut line, status);
            sys::write_raw(socket, text);
        }
        sys::exit_now(status)
    }
}

/// `cmd=abort exitcode=N` without allocating.
fn abort_line(line: &mut [u8; 48], status: i32) -> &[u8] {
    let text = b"cmd=abort exitcode=";
    line[..text.len()].copy_from_slice(text);
    let mut at = text.len();
    let digits = [status / 100 % 10, status / 10 % 10, status % 10];
    let first = digits.iter().position(|&digit| digit != 0).unwrap_or(2);
    for digit in &digits[first..] {
        line[at] = b'0' + *digit as u8;
        at += 1;
    }
    line[at] = b'\n';
    &line[..=at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_abort_line_is_the_number_in_text() {
        for status in [1, 7, 10, 99, 100, 137, 255] {
            let mut line = [0; 48];
            assert_eq!(
                abort_line(&mut line, status),
                format!("cmd=abort exitcode={status}\n").as_bytes()
            );
        }
    }
}

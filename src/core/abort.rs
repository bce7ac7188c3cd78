//! How a process ends the whole job: by a line to its launcher, and then itself.
//!
//! May run in a signal handler, so nothing here allocates or takes a lock. Knows no world and no object.

use crate::sys;

/// Ends the whole job of a launcher at the other end of a descriptor, or this process alone. Nothing but `write` and `_exit`.
pub fn end_job(launcher: Option<i32>, code: i32) -> ! {
    // A process can end with eight bits only, and must not seem to have succeeded.
    let status = match code & 0xff {
        0 => 1,
        status => status,
    };
    if let Some(socket) = launcher {
        let mut line = [0; 48];
        let text = abort_line(&mut line, status, code);
        sys::write_raw(socket, text);
    }
    sys::exit_now(status)
}

/// `cmd=abort exitcode=N anympi_code=M` without allocating. Every launcher ends with the first; ours names the second,
/// which is what the program passed.
fn abort_line(line: &mut [u8; 48], status: i32, code: i32) -> &[u8] {
    let mut at = 0;
    for (name, number) in [("cmd=abort exitcode=", status), (" anympi_code=", code)] {
        line[at..at + name.len()].copy_from_slice(name.as_bytes());
        at += name.len();
        if number < 0 {
            line[at] = b'-';
            at += 1;
        }
        let first = at;
        let mut rest = number.unsigned_abs();
        loop {
            line[at] = b'0' + (rest % 10) as u8;
            at += 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        line[first..at].reverse();
    }
    line[at] = b'\n';
    &line[..=at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_abort_line_is_the_number_in_text() {
        for code in [0, 1, 7, 10, 99, 100, 255, 256, -1, i32::MAX, i32::MIN] {
            let mut line = [0; 48];
            assert_eq!(
                abort_line(&mut line, 255, code),
                format!("cmd=abort exitcode=255 anympi_code={code}\n").as_bytes()
            );
        }
    }
}

//! Which launcher has started this process: from the most specific announcement to none at all.
//!
//! A launcher that is announced but cannot be joined is an error that names it, never a silent world of
//! size 1.

use std::os::fd::OwnedFd;

use super::door::Announcement;
use super::pmi1::{Client, Pmi1};
use super::pmix::Pmix;
use super::rendezvous::Rendezvous;
use super::rendezvous::announced::announced;
use super::singleton::Singleton;
use super::{Boot, kin, number, pmix, variable};
use crate::error::{Error, Result, class};
use crate::sync::{AtomicU8, Ordering};
use crate::sys;

/// Joins the launcher that has started this process.
///
/// # Errors
/// `MPI_ERR_OTHER`, naming the launcher and what went wrong.
pub fn discover() -> Result<Box<dyn Boot>> {
    let announcement = Announcement::read()?;
    let overtaken = announcement.as_ref().filter(|ours| ours.is_overtaken());
    if let (Some(announcement), None) = (&announcement, overtaken) {
        return ours(announcement);
    }
    // The socket of the rank in which another launcher runs is not that launcher's: here it is closed.
    drop(overtaken.and_then(|outer| sys::inherited_socket(outer.fd, Some(outer.socket))));
    if pmix_is_inner() {
        return pmix();
    }
    // Whether an ancestor of this process is the one that a launcher has started.
    let mut is_below = false;
    if let Some(fd) = number("PMI_FD")? {
        let fd = fd as i32;
        if let Some(socket) = handed_down(fd)? {
            return pmi1(Client::over(socket));
        }
        is_below = kin::have_taken(fd);
        if !is_below {
            crate::fail!(
                OTHER,
                "PMI_FD={fd} announces a launcher, but a program between it and this one has closed that \
                 descriptor (Python's subprocess does so unless close_fds=False). Under anympi's mpiexec this works; \
                 to run alone, remove the variables PMI_* from the environment"
            );
        }
        return singleton();
    }
    if let Some(address) = variable("PMI_PORT") {
        let id = number("PMI_ID")?.or(number("PMI_RANK")?);
        let Some(id) = id else {
            crate::fail!(
                OTHER,
                "PMI_PORT='{address}' announces a launcher, but PMI_ID is missing"
            );
        };
        return pmi1(Client::connect(&address, id)?);
    }
    if is_below {
        return singleton();
    }
    let announced = announced(&|name| variable(name));
    match announced.map_err(|what| Error::new(class::OTHER, what))? {
        None => singleton(),
        Some(plan) => match Rendezvous::join(plan)? {
            Some(member) => Ok(Box::new(member)),
            None => singleton(),
        },
    }
}

/// Whether a PMIx launcher announces itself, and within no other launcher that does.
fn pmix_is_inner() -> bool {
    let others = ["PMI_FD", "PMI_PORT"]
        .iter()
        .any(|name| variable(name).is_some());
    // Where both are as near, one launcher offers both ways, and PMI-1 is the simpler one.
    pmix::is_announced() && (!others || kin::generations(kin::PMIX) < kin::generations(kin::PMI))
}

/// Under a PMIx launcher: a child of a rank that has joined it is a world of its own.
fn pmix() -> Result<Box<dyn Boot>> {
    static JOINED: AtomicU8 = AtomicU8::new(0);
    if kin::have_joined_pmix() {
        return singleton();
    }
    if JOINED.swap(1, Ordering::Relaxed) != 0 {
        crate::fail!(
            OTHER,
            "MPI has failed to start in this process before, and has joined its PMIx launcher already; it cannot be \
             started again"
        );
    }
    Ok(Box::new(Pmix::join()?))
}

/// Takes the launcher's socket, once: after that its number may mean a file of the application's.
///
/// # Errors
/// `MPI_ERR_OTHER`: an earlier start of MPI has taken it, and failed.
fn handed_down(fd: i32) -> Result<Option<OwnedFd>> {
    static TAKEN: AtomicU8 = AtomicU8::new(0);
    if TAKEN.load(Ordering::Relaxed) != 0 {
        crate::fail!(
            OTHER,
            "MPI has failed to start in this process before, and has given up the launcher's connection \
             (PMI_FD={fd}); it cannot be started again"
        );
    }
    let socket = sys::inherited_socket(fd, None);
    TAKEN.store(socket.is_some().into(), Ordering::Relaxed);
    Ok(socket)
}

/// Under anympi's mpiexec. The first process of a rank to come is the rank, others are worlds of their own.
fn ours(announcement: &Announcement) -> Result<Box<dyn Boot>> {
    // Ours to close, too: a child of this process must not speak in its name.
    let inherited = number("PMI_FD")?
        .and_then(|fd| sys::inherited_socket(fd as i32, Some(announcement.socket)));
    match (announcement.join(), inherited) {
        (Ok(Some(client)), _) => pmi1(client),
        (Ok(None), _) => singleton(),
        (Err(_), Some(socket)) => pmi1(Client::of_ours(socket)),
        (Err(error), None) => Err(error),
    }
}

fn pmi1(client: Client) -> Result<Box<dyn Boot>> {
    Ok(Box::new(Pmi1::join(client)?))
}

fn singleton() -> Result<Box<dyn Boot>> {
    Ok(Box::new(Singleton::new()))
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn a_socket_of_the_application_is_not_taken_for_the_launchers() {
        let (launchers, _launcher) = UnixStream::pair().unwrap();
        let fd = launchers.as_raw_fd();
        // Given to the process as a number, as a launcher does.
        std::mem::forget(launchers);
        let taken = handed_down(fd).unwrap().expect("it is a socket");
        assert_eq!(taken.as_raw_fd(), fd);
        drop(taken);
        let (applications, _other) = UnixStream::pair().unwrap();
        for fd in [fd, applications.as_raw_fd()] {
            let error = handed_down(fd).unwrap_err();
            assert!(error.what().contains(&format!("PMI_FD={fd}")), "{error}");
        }
        assert!(applications.peer_addr().is_ok(), "it is still open");
    }
}

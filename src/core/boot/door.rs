//! How a process of a rank finds anympi's mpiexec: by a name and a token in its environment.
//!
//! mpiexec listens on a socket that has a name but no file. A process connects and shows the token of its
//! rank; whoever comes first is the rank, whoever comes while that one is connected is a world of its own.
//! So a helper between mpiexec and the program may close every descriptor. The socket that mpiexec hands
//! down as well serves libraries that know only that, and processes that cannot reach the name.

use std::os::fd::{AsRawFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, UnixAddr, setsockopt, socket, sockopt};
use nix::sys::time::{TimeVal, TimeValLike};

use super::pmi1::Client;
use crate::error::{Error, Result, class};

/// The variable of the environment. Whoever cleans the environment of `PMI_` removes it as well.
pub const VARIABLE: &str = "PMI_ANYMPI";

/// How many seconds mpiexec may take to accept a connection.
const PATIENCE: i64 = 60;

/// What mpiexec tells the processes of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Number of the file that the handed-down socket is: the descriptor's number may mean another one by now.
    pub socket: u64,
    /// Name of the socket, and what to say there; none where mpiexec could not make one.
    pub door: Option<(String, String)>,
}

impl Announcement {
    /// The text of the variable.
    pub fn to_text(&self) -> String {
        match &self.door {
            Some((name, token)) => format!("{},{name},{token}", self.socket),
            None => self.socket.to_string(),
        }
    }

    fn from_text(text: &str) -> Option<Announcement> {
        let mut fields = text.split(',');
        let socket = fields.next()?.parse().ok()?;
        let door = match (fields.next(), fields.next(), fields.next()) {
            (None, ..) => None,
            (Some(name), Some(token), None) => Some((name.to_owned(), token.to_owned())),
            _ => return None,
        };
        Some(Announcement { socket, door })
    }

    /// What the environment says, if this process was started below anympi's mpiexec.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the variable is not what this version's mpiexec writes.
    pub fn read() -> Result<Option<Announcement>> {
        let Some(text) = super::variable(VARIABLE) else {
            return Ok(None);
        };
        match Announcement::from_text(&text) {
            Some(announcement) => Ok(Some(announcement)),
            None => crate::fail!(
                OTHER,
                "environment variable {VARIABLE}='{text}' is not of this version: use the mpiexec of the \
                 same installation as the library"
            ),
        }
    }

    /// Goes through the door. `None`: another process is the rank.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: mpiexec cannot be reached, or does not let this process in.
    pub fn join(&self) -> Result<Option<Client>> {
        let Some((name, token)) = &self.door else {
            crate::fail!(
                OTHER,
                "the descriptor that mpiexec handed down ({VARIABLE} is set) has been closed by a program \
                 between mpiexec and this one, and this mpiexec could not offer another way"
            );
        };
        let socket = connect(name).map_err(|error| {
            Error::new(
                class::OTHER,
                format!(
                    "this process belongs to a job of mpiexec ({VARIABLE} is set), which cannot be reached: \
                     {error}; mpiexec has ended, or a program in between has changed the network namespace. To run \
                     alone, remove {VARIABLE} from the environment"
                ),
            )
        })?;
        let mut client = Client::over(socket);
        Ok(client.join(token)?.then_some(client))
    }
}

fn connect(name: &str) -> nix::Result<OwnedFd> {
    let address = UnixAddr::new_abstract(name.as_bytes())?;
    let stream = socket(
        AddressFamily::Unix,
        SockType::Stream,
        SockFlag::SOCK_CLOEXEC,
        None,
    )?;
    setsockopt(&stream, sockopt::SendTimeout, &TimeVal::seconds(PATIENCE))?;
    loop {
        match nix::sys::socket::connect(stream.as_raw_fd(), &address) {
            Err(Errno::EINTR) => {}
            done => return done.map(|()| stream),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for door in [None, Some(("anympi-1".to_owned(), "abc".to_owned()))] {
            let announcement = Announcement { socket: 77, door };
            let text = announcement.to_text();
            assert_eq!(Announcement::from_text(&text), Some(announcement));
        }
        for text in ["", "x", "1,name", "1,name,token,more"] {
            assert_eq!(Announcement::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_door_that_is_gone_is_an_error() {
        let door = Some(("anympi-that-nobody-has-made".to_owned(), "abc".to_owned()));
        let error = Announcement { socket: 0, door }.join().err().unwrap();
        assert!(error.what().contains("cannot be reached"), "{error}");
    }
}

//! How a process of a rank finds anympi's mpiexec: by a name and a token in its environment.
//!
//! mpiexec listens on a socket that has a name but no file. A process connects and shows the token of its rank.
//! Whoever comes first is the rank. Whoever comes while that one is connected is a world of its own. So a helper
//! between mpiexec and the program may close every descriptor. The socket that mpiexec hands down as well serves
//! libraries that know only that, and processes that cannot reach the name.

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

/// Variables of which a launcher that is started within a rank sets one at least, and ours passes none on.
const OF_OTHERS: [&str; 3] = ["PMIX_NAMESPACE", "PMI_PORT", "HYDI_CONTROL_FD"];

/// What mpiexec tells the processes of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Number of the file that the handed-down socket is: the descriptor's number may mean another one by now.
    pub socket: u64,
    /// The descriptor's number.
    pub fd: i32,
    pub rank: usize,
    pub size: usize,
    /// Name of the socket, and what to say there; none where mpiexec could not make one.
    pub door: Option<(String, String)>,
}

impl Announcement {
    /// The text of the variable.
    pub fn to_text(&self) -> String {
        let Announcement {
            socket,
            fd,
            rank,
            size,
            door,
        } = self;
        let handed_down = format!("{socket}:{fd}:{rank}:{size}");
        match door {
            Some((name, token)) => format!("{handed_down},{name},{token}"),
            None => handed_down,
        }
    }

    fn from_text(text: &str) -> Option<Announcement> {
        let mut fields = text.split(',');
        let numbers: Vec<u64> = fields
            .next()?
            .split(':')
            .map_while(|n| n.parse().ok())
            .collect();
        let [socket, fd, rank, size] = numbers[..] else {
            return None;
        };
        let door = match (fields.next(), fields.next(), fields.next()) {
            (None, ..) => None,
            (Some(name), Some(token), None) => Some((name.to_owned(), token.to_owned())),
            _ => return None,
        };
        Some(Announcement {
            socket,
            fd: fd.try_into().ok()?,
            rank: rank.try_into().ok()?,
            size: size.try_into().ok()?,
            door,
        })
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
                "environment variable {VARIABLE} is not of this version: use the mpiexec of the same installation \
                 as the library"
            ),
        }
    }

    /// Whether another launcher, which was started within a rank, has started this process.
    pub fn is_overtaken(&self) -> bool {
        let says = [
            ("PMI_RANK", self.rank.to_string()),
            ("PMI_SIZE", self.size.to_string()),
            ("PMI_FD", self.fd.to_string()),
        ];
        let differs = |(name, ours): &(&str, String)| {
            super::variable(name).is_some_and(|theirs| theirs.trim() != ours)
        };
        says.iter().any(differs) || OF_OTHERS.iter().any(|name| super::variable(name).is_some())
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
        let mut client = Client::of_ours(socket);
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
            let announcement = Announcement {
                socket: 77,
                fd: 9,
                rank: 2,
                size: 4,
                door,
            };
            let text = announcement.to_text();
            assert_eq!(Announcement::from_text(&text), Some(announcement));
        }
        for text in ["", "x", "1", "1:2:3:4,name", "1:2:3:4,name,token,more"] {
            assert_eq!(Announcement::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_door_that_is_gone_is_an_error() {
        let door = Some(("anympi-that-nobody-has-made".to_owned(), "abc".to_owned()));
        let announcement = Announcement {
            socket: 0,
            fd: 9,
            rank: 0,
            size: 1,
            door,
        };
        let error = announcement.join().err().unwrap();
        assert!(error.what().contains("cannot be reached"), "{error}");
    }
}

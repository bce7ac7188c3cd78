//! The door: where processes of ranks come in that have not kept the socket they were started with.
//!
//! A socket with a name but no file. Who connects must run as mpiexec's user or as root and show the token of
//! a rank, which stands in that rank's environment only; whoever does not is sent away, and nothing else
//! happens. Job: from connections to proven guests, in bounded memory and time. What becomes of a guest is
//! decided elsewhere.

use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, Backlog, MsgFlags, SockFlag, SockType, UnixAddr, accept4, bind, getsockopt,
    listen, recv, send, socket, sockopt::PeerCredentials,
};
use nix::unistd::geteuid;
use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::{Duration, Instant};

/// What a guest says first: this, its token and the end of the line.
const GREETING: &[u8] = b"cmd=anympi_join token=";
/// The answer to a greeting with a token that nobody has.
const REFUSAL: &[u8] = b"cmd=anympi_joined rc=1 msg=the_token_in_PMI_ANYMPI_is_not_of_this_job\n";
/// The answer to somebody else's process.
const STRANGER: &[u8] = b"cmd=anympi_joined rc=1 msg=mpiexec_runs_as_another_user\n";
/// The answer where mpiexec may open no more files.
const FULL: &[u8] = b"cmd=anympi_joined rc=1 msg=mpiexec_may_open_no_more_files_(ulimit_-n)\n";
/// Bytes of a token before it is written as text.
const TOKEN: usize = 16;
/// How long a guest may take to say it.
const PATIENCE: Duration = Duration::from_secs(10);
/// Guests that may wait at a time besides one for each rank; beyond, the oldest goes.
const MORE: usize = 64;
/// New guests in one go, so that many cannot keep the loop from its other duties.
const AT_ONCE: usize = 64;

/// A connection that has shown the token of a rank.
pub struct Guest {
    pub rank: usize,
    pub socket: OwnedFd,
    /// 0: it is in a container that we cannot see into.
    pub pid: i32,
}

/// A connection that has shown nothing yet.
struct Waiting {
    socket: OwnedFd,
    said: Vec<u8>,
    until: Instant,
}

pub struct Door {
    name: String,
    socket: OwnedFd,
    tokens: Vec<String>,
    ranks: HashMap<Vec<u8>, usize>,
    waiting: Vec<Waiting>,
    /// A descriptor to give up for a guest who must be told that there is none for it.
    spare: Option<OwnedFd>,
    /// Nobody can be let in before this time.
    shut: Option<Instant>,
    /// Connections that were sent away.
    pub refused: usize,
}

impl Door {
    /// Opens a door for `ranks` ranks.
    pub fn open(ranks: usize) -> io::Result<Door> {
        let name = format!("anympi-{}", secret()?);
        let socket = socket(
            AddressFamily::Unix,
            SockType::Stream,
            SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK,
            None,
        )?;
        bind(
            socket.as_raw_fd(),
            &UnixAddr::new_abstract(name.as_bytes())?,
        )?;
        listen(&socket, Backlog::MAXCONN)?;
        let tokens = (0..ranks)
            .map(|_| secret())
            .collect::<io::Result<Vec<String>>>()?;
        let entry = |(rank, token): (usize, &String)| (token.clone().into_bytes(), rank);
        Ok(Door {
            name,
            spare: socket.try_clone().ok(),
            socket,
            ranks: tokens.iter().enumerate().map(entry).collect(),
            tokens,
            waiting: Vec::new(),
            shut: None,
            refused: 0,
        })
    }

    /// The door's name and a rank's token.
    pub fn invitation(&self, rank: usize) -> (String, String) {
        (self.name.clone(), self.tokens[rank].clone())
    }

    /// What to wait for input on.
    pub fn descriptors(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let door = self.shut.is_none().then(|| self.socket.as_fd());
        door.into_iter()
            .chain(self.waiting.iter().map(|w| w.socket.as_fd()))
    }

    /// When [`serve`](Self::serve) has something to do without any input.
    pub fn deadline(&self) -> Option<Instant> {
        self.waiting.iter().map(|w| w.until).chain(self.shut).min()
    }

    /// Lets in who knocks, hears who waits, and returns those that have proven whose they are.
    pub fn serve(&mut self) -> Vec<Guest> {
        let now = Instant::now();
        self.shut = self.shut.filter(|&until| now < until);
        if self.shut.is_none() {
            self.accept(now);
        }
        let mut guests = Vec::new();
        for mut waiting in std::mem::take(&mut self.waiting) {
            match hear(&mut waiting) {
                Heard::Part if now < waiting.until => self.waiting.push(waiting),
                Heard::All => match self.ranks.get(&waiting.said) {
                    Some(&rank) => guests.push(Guest {
                        rank,
                        pid: credentials(&waiting.socket).map_or(0, |c| c.pid()),
                        socket: waiting.socket,
                    }),
                    None => self.refuse(&waiting.socket, REFUSAL),
                },
                Heard::Part | Heard::Nonsense => self.refused += 1,
            }
        }
        guests
    }

    /// Sends somebody away, with a word why.
    fn refuse(&mut self, guest: &OwnedFd, why: &[u8]) {
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL;
        let _ = send(guest.as_raw_fd(), why, flags);
        self.refused += 1;
    }

    fn next(&self) -> nix::Result<OwnedFd> {
        let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
        let fd = accept4(self.socket.as_raw_fd(), flags)?;
        // SAFETY: the kernel has just made this descriptor for us.
        Ok(unsafe { OwnedFd::from_raw_fd(fd) })
    }

    fn accept(&mut self, now: Instant) {
        for _ in 0..AT_ONCE {
            let socket = match self.next() {
                Ok(socket) => socket,
                Err(Errno::EAGAIN) => return,
                Err(Errno::EINTR | Errno::ECONNABORTED) => continue,
                Err(Errno::EMFILE | Errno::ENFILE) if self.spare.take().is_some() => {
                    if let Ok(guest) = self.next() {
                        self.refuse(&guest, FULL);
                    }
                    self.spare = self.socket.try_clone().ok();
                    continue;
                }
                Err(_) => {
                    self.shut = Some(now + Duration::from_millis(100));
                    return;
                }
            };
            let is_welcome = |c: nix::sys::socket::UnixCredentials| {
                c.uid() == 0 || c.uid() == geteuid().as_raw()
            };
            if !credentials(&socket).is_some_and(is_welcome) {
                self.refuse(&socket, STRANGER);
                continue;
            }
            if self.waiting.len() >= MORE + self.tokens.len() {
                self.waiting.remove(0);
                self.refused += 1;
            }
            self.waiting.push(Waiting {
                socket,
                said: Vec::new(),
                until: now + PATIENCE,
            });
        }
    }
}

fn credentials(socket: &OwnedFd) -> Option<nix::sys::socket::UnixCredentials> {
    getsockopt(socket, PeerCredentials).ok()
}

enum Heard {
    Part,
    /// `said` is the token.
    All,
    Nonsense,
}

/// Reads what a guest has said so far, no more than a greeting has.
fn hear(waiting: &mut Waiting) -> Heard {
    let whole = GREETING.len() + 2 * TOKEN + 1;
    let mut buffer = [0; GREETING.len() + 2 * TOKEN + 1];
    while waiting.said.len() < whole {
        let room = whole - waiting.said.len();
        let flags = MsgFlags::MSG_DONTWAIT;
        match recv(waiting.socket.as_raw_fd(), &mut buffer[..room], flags) {
            Ok(0) => return Heard::Nonsense,
            Ok(n) => waiting.said.extend_from_slice(&buffer[..n]),
            Err(Errno::EAGAIN) => return Heard::Part,
            Err(Errno::EINTR) => {}
            Err(_) => return Heard::Nonsense,
        }
    }
    let token = waiting
        .said
        .strip_prefix(GREETING)
        .and_then(|rest| rest.strip_suffix(b"\n"));
    match token {
        Some(token) => {
            waiting.said = token.to_vec();
            Heard::All
        }
        None => Heard::Nonsense,
    }
}

/// Random bytes as text: nobody can guess it, and nobody has used it before.
pub fn secret() -> io::Result<String> {
    let mut bytes = [0u8; TOKEN];
    // SAFETY: the call writes at most as many bytes as the array has.
    let got = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), TOKEN, 0) };
    if got != TOKEN as isize {
        return Err(io::Error::last_os_error());
    }
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};

    fn knock(door: &Door) -> UnixStream {
        let address = SocketAddr::from_abstract_name(&door.name).unwrap();
        UnixStream::connect_addr(&address).unwrap()
    }

    #[test]
    fn a_token_leads_to_its_rank_and_nothing_else_does() {
        let mut door = Door::open(2).unwrap();
        let (_, token) = door.invitation(1);
        let greeting = format!("cmd=anympi_join token={token}\n");
        let mut honest = knock(&door);
        let mut slow = knock(&door);
        let mut wrong = knock(&door);
        let mut noise = knock(&door);
        slow.write_all(&greeting.as_bytes()[..30]).unwrap();
        honest.write_all(greeting.as_bytes()).unwrap();
        wrong
            .write_all(greeting.replace(&token, &"0".repeat(32)).as_bytes())
            .unwrap();
        noise.write_all(&[b'x'; 4096]).unwrap();
        let guests = door.serve();
        assert_eq!(guests.len(), 1);
        assert_eq!(
            (guests[0].rank, guests[0].pid),
            (1, std::process::id() as i32)
        );
        assert_eq!((door.refused, door.waiting.len()), (2, 1));
        let mut answer = String::new();
        wrong.read_to_string(&mut answer).unwrap();
        assert_eq!(answer.as_bytes(), REFUSAL);
        slow.write_all(&greeting.as_bytes()[30..]).unwrap();
        assert_eq!(door.serve().len(), 1);
        assert!(door.deadline().is_none());
    }

    #[test]
    fn many_that_say_nothing_are_bounded() {
        let mut door = Door::open(1).unwrap();
        let silent: Vec<UnixStream> = (0..3 * MORE)
            .map(|_| {
                let stream = knock(&door);
                door.serve();
                stream
            })
            .collect();
        assert_eq!(door.waiting.len(), MORE + 1);
        assert_eq!(door.refused, silent.len() - MORE - 1);
        let mut honest = knock(&door);
        let (_, token) = door.invitation(0);
        honest
            .write_all(format!("cmd=anympi_join token={token}\n").as_bytes())
            .unwrap();
        assert_eq!(door.serve().len(), 1);
    }
}

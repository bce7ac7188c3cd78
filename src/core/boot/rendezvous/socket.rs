//! Connections of a rendezvous: by TCP, or within a host by a socket that has a name but no file. Every wait has an end.
//! Knows no frames.

use std::fmt;
use std::io::{self, IoSlice};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr as LocalAddr, UnixListener};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{self as system, Backlog, getsockopt, listen, setsockopt, sockopt};
use nix::sys::time::{TimeVal, TimeValLike};

use crate::sys;

/// Connections that may wait to be accepted.
const BACKLOG: i32 = 4096;

/// Where a root listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    Inet(SocketAddr),
    /// A name for the processes of one user on this host.
    Local(String),
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Inet(address) => address.fmt(f),
            Address::Local(name) => write!(f, "socket @{name}"),
        }
    }
}

pub enum Listener {
    Inet(TcpListener),
    Local(UnixListener),
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Listener::Inet(listener) => listener.as_fd(),
            Listener::Local(listener) => listener.as_fd(),
        }
    }
}

impl Listener {
    /// # Errors
    /// What the system says: `AddrInUse` if another process listens there, `AddrNotAvailable` if it is no address of this
    /// host.
    pub fn at(address: &Address) -> io::Result<Listener> {
        let listener = match address {
            Address::Inet(address) => {
                let listener = TcpListener::bind(address)?;
                listener.set_nonblocking(true)?;
                Listener::Inet(listener)
            }
            Address::Local(name) => {
                let listener = UnixListener::bind_addr(&LocalAddr::from_abstract_name(name)?)?;
                listener.set_nonblocking(true)?;
                Listener::Local(listener)
            }
        };
        listen(&listener, Backlog::new(BACKLOG)?)?;
        Ok(listener)
    }

    /// A connection that waits, and who is at its other end.
    ///
    /// # Errors
    /// What the system says: `WouldBlock` if there is none. `PermissionDenied`: it is another user's, and is closed.
    pub fn accept(&self) -> io::Result<(OwnedFd, String)> {
        match self {
            Listener::Inet(listener) => {
                let (stream, from) = listener.accept()?;
                prepare(&stream)?;
                Ok((stream.into(), from.to_string()))
            }
            Listener::Local(listener) => {
                let stream: OwnedFd = listener.accept()?.0.into();
                only_ours(stream.as_fd())?;
                Ok((stream, "this host".into()))
            }
        }
    }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    sys::watch_connection(stream.as_fd())
}

fn only_ours(stream: BorrowedFd<'_>) -> io::Result<()> {
    let theirs = getsockopt(&stream, sockopt::PeerCredentials)?.uid();
    match theirs == nix::unistd::geteuid().as_raw() {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("user {theirs} is at the other end"),
        )),
    }
}

/// Connects to a root.
///
/// # Errors
/// What the system says. `PermissionDenied`: another user listens there.
pub fn connect(address: &Address, timeout: Duration) -> io::Result<OwnedFd> {
    match address {
        Address::Inet(address) => {
            let stream = TcpStream::connect_timeout(address, timeout)?;
            // A port of this host at which nobody listens may be the very one that this connection has been given.
            if stream.local_addr()? == *address {
                return Err(io::ErrorKind::ConnectionRefused.into());
            }
            prepare(&stream)?;
            Ok(stream.into())
        }
        Address::Local(name) => {
            let address = system::UnixAddr::new_abstract(name.as_bytes())?;
            let stream = system::socket(
                system::AddressFamily::Unix,
                system::SockType::Stream,
                system::SockFlag::SOCK_CLOEXEC,
                None,
            )?;
            let limit = TimeVal::milliseconds(timeout.as_millis() as i64);
            setsockopt(&stream, sockopt::SendTimeout, &limit)?;
            system::connect(stream.as_raw_fd(), &address)?;
            only_ours(stream.as_fd())?;
            Ok(stream)
        }
    }
}

/// Waits until a socket is ready; for ever without an end.
fn ready(socket: BorrowedFd<'_>, flags: PollFlags, until: Option<Instant>) -> io::Result<()> {
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let wait = match left {
            None => PollTimeout::NONE,
            // What is left of a millisecond is waited for, too.
            Some(left) => PollTimeout::try_from(left.as_millis() + 1).unwrap_or(PollTimeout::MAX),
        };
        match poll(&mut [PollFd::new(socket, flags)], wait) {
            Ok(0) if left.is_some_and(|left| left.is_zero()) => {
                return Err(io::ErrorKind::TimedOut.into());
            }
            Ok(0) | Err(Errno::EINTR) => (),
            Ok(_) => return Ok(()),
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// Reads some bytes; waits for them until then, or for ever. None: the other side has closed.
///
/// # Errors
/// What the system says, or that it has taken too long.
pub fn read_some(
    socket: BorrowedFd<'_>,
    buffer: &mut [u8],
    until: Option<Instant>,
) -> io::Result<usize> {
    loop {
        if let Some(count) = sys::receive_some(socket, buffer)? {
            return Ok(count);
        }
        ready(socket, PollFlags::POLLIN, until)?;
    }
}

/// Fills the buffer.
///
/// # Errors
/// What the system says; that it has taken too long; that the other side has closed.
pub fn read(socket: BorrowedFd<'_>, buffer: &mut [u8], until: Instant) -> io::Result<()> {
    let mut come = 0;
    while come < buffer.len() {
        match read_some(socket, &mut buffer[come..], Some(until))? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => come += count,
        }
    }
    Ok(())
}

/// Writes all bytes.
///
/// # Errors
/// What the system says, or that it has taken too long.
pub fn write(socket: BorrowedFd<'_>, mut bytes: &[u8], until: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        match sys::send_parts(socket, &[IoSlice::new(bytes)])? {
            0 => ready(socket, PollFlags::POLLOUT, Some(until))?,
            count => bytes = &bytes[count..],
        }
    }
    Ok(())
}

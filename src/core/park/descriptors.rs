//! Sleeping on descriptors, and on a socket by which any process of the node ends such a sleep.
//!
//! A descriptor of another process, such as an eventfd's, can be had only from that process. A datagram socket with a
//! name but no file needs no exchange. Its name is a random number that stands in shared memory. The system forgets
//! it with the process, however that ends.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags};
use nix::sys::socket::{
    AddressFamily, MsgFlags, SockFlag, SockType, UnixAddr, bind, recv, sendto, socket,
};
use nix::sys::time::TimeSpec;

use crate::sys;

/// Datagrams that are thrown away at most before the next look.
const MAX_DATAGRAMS: usize = 64;

/// Descriptors that end a sleep.
pub struct Descriptors {
    registered: Epoll,
    socket: OwnedFd,
    name: u64,
}

fn datagrams() -> nix::Result<OwnedFd> {
    let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
    socket(AddressFamily::Unix, SockType::Datagram, flags, None)
}

fn address(name: u64) -> nix::Result<UnixAddr> {
    UnixAddr::new_abstract(format!("anympi-sleeper-{name:016x}").as_bytes())
}

impl Descriptors {
    pub fn new() -> io::Result<Descriptors> {
        let (socket, name) = (datagrams()?, sys::random());
        bind(socket.as_raw_fd(), &address(name)?)?;
        Ok(Descriptors {
            registered: Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?,
            socket,
            name,
        })
    }

    /// Number in the name of the socket, never 0.
    pub fn name(&self) -> u64 {
        self.name
    }

    pub fn add(&self, descriptor: BorrowedFd<'_>) -> io::Result<()> {
        let event = EpollEvent::new(EpollFlags::EPOLLIN, 0);
        Ok(self.registered.add(descriptor, event)?)
    }

    pub fn remove(&self, descriptor: BorrowedFd<'_>) -> io::Result<()> {
        Ok(self.registered.delete(descriptor)?)
    }

    /// Sleeps until a descriptor is ready, somebody has [sent](send) to the socket, or `timeout` has passed.
    pub fn sleep(&self, timeout: Duration) {
        let mut polled = [self.socket.as_fd(), self.registered.0.as_fd()]
            .map(|descriptor| PollFd::new(descriptor, PollFlags::POLLIN));
        let ready = ppoll(&mut polled, Some(TimeSpec::from(timeout)), None);
        if ready.is_ok_and(|ready| ready > 0) && polled[0].any().unwrap_or(false) {
            let sent = || recv(self.socket.as_raw_fd(), &mut [0; 8], MsgFlags::empty());
            // Whoever comes back from a sleep looks at everything, so one look answers all of them.
            let _ = std::iter::repeat_with(sent)
                .take(MAX_DATAGRAMS)
                .take_while(Result::is_ok)
                .count();
        }
    }
}

/// Ends the sleep of the process with the socket of this name. What fails leaves that process to its time-out: it has ended, it
/// has enough datagrams to wake up, or it is in another network namespace.
#[cold]
pub fn send(name: u64) {
    static SENDER: OnceLock<OwnedFd> = OnceLock::new();
    let sender = match SENDER.get() {
        Some(sender) => sender,
        None => match datagrams() {
            Ok(new) => SENDER.get_or_init(|| new),
            Err(_) => return,
        },
    };
    if let Ok(address) = address(name) {
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL;
        let _ = sendto(sender.as_raw_fd(), &[0], &address, flags);
    }
}

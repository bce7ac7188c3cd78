//! The PMI socket of one rank: bytes in, lines out, descriptors attached where the protocol says so.
//!
//! Job: never block and never grow without bound on behalf of a rank that does not read. What the bytes mean
//! is `pmi.rs`'s business.

use anympi_core::shm;
use nix::errno::Errno;
use nix::sys::socket::{ControlMessage, MsgFlags, recv, sendmsg};
use std::collections::{HashMap, VecDeque};
use std::io::{self, IoSlice};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

/// Bytes that may wait for a rank that does not read.
const WAITING_MAX: usize = 1 << 20;

struct Message {
    line: Vec<u8>,
    sent: usize,
    attached: Option<Rc<OwnedFd>>,
}

pub struct Link {
    socket: OwnedFd,
    waiting: VecDeque<Message>,
    bytes: usize,
}

/// What a reading of the socket brought.
pub enum Read {
    Bytes(usize),
    Nothing,
    Closed,
}

impl Link {
    pub fn new(socket: OwnedFd) -> Self {
        Link {
            socket,
            waiting: VecDeque::new(),
            bytes: 0,
        }
    }

    pub fn read(&self, buffer: &mut [u8]) -> Read {
        match recv(self.socket.as_raw_fd(), buffer, MsgFlags::MSG_DONTWAIT) {
            Ok(0) => Read::Closed,
            Ok(n) => Read::Bytes(n),
            Err(Errno::EAGAIN | Errno::EINTR) => Read::Nothing,
            Err(_) => Read::Closed,
        }
    }

    /// Queues a line; false if the rank has left too many answers unread.
    pub fn queue(&mut self, line: Vec<u8>, attached: Option<Rc<OwnedFd>>) -> bool {
        self.bytes += line.len();
        self.waiting.push_back(Message {
            line,
            sent: 0,
            attached,
        });
        self.bytes <= WAITING_MAX
    }

    /// Sends a line at once, as far as the socket takes it.
    pub fn say(&mut self, line: &str) {
        self.queue(line.as_bytes().to_vec(), None);
        self.flush();
    }

    /// Whether something waits to be sent.
    pub fn waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Sends what the socket takes; true if something still waits.
    pub fn flush(&mut self) -> bool {
        while let Some(message) = self.waiting.front_mut() {
            let fds: Vec<i32> = message.attached.iter().map(|fd| fd.as_raw_fd()).collect();
            let control: &[ControlMessage] = match fds.as_slice() {
                [] => &[],
                fds => &[ControlMessage::ScmRights(fds)],
            };
            let sent = sendmsg::<()>(
                self.socket.as_raw_fd(),
                &[IoSlice::new(&message.line[message.sent..])],
                control,
                MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL,
                None,
            );
            match sent {
                Ok(n) => {
                    // A descriptor travels with the first byte.
                    message.attached = None;
                    message.sent += n;
                    if message.sent == message.line.len() {
                        self.bytes -= message.line.len();
                        self.waiting.pop_front();
                    }
                }
                Err(Errno::EAGAIN) => return true,
                Err(Errno::EINTR) => {}
                // The rank is gone; its end is noticed elsewhere.
                Err(_) => {
                    self.waiting.clear();
                    self.bytes = 0;
                }
            }
        }
        false
    }
}

impl AsFd for Link {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// The shared memory segments of the job: one for each round of each `init`, made when first asked for.
pub struct Segments {
    ranks: usize,
    open: HashMap<(usize, u64), (Rc<OwnedFd>, Vec<bool>)>,
}

impl Segments {
    pub fn new(ranks: usize) -> Self {
        Segments {
            ranks,
            open: HashMap::new(),
        }
    }

    /// The segment for a rank; mpiexec's own descriptor goes once every rank has had it.
    pub fn get(&mut self, rank: usize, key: (usize, u64)) -> io::Result<Rc<OwnedFd>> {
        if !self.open.contains_key(&key) {
            // A job uses one or two at a time; a rank that asks for more is up to something.
            if self.open.len() >= 64 {
                return Err(Errno::EMFILE.into());
            }
            let fd = shm::file::create(self.ranks)?;
            self.open
                .insert(key, (Rc::new(fd), vec![false; self.ranks]));
        }
        let Some((fd, had)) = self.open.get_mut(&key) else {
            return Err(Errno::ENOENT.into());
        };
        had[rank] = true;
        let fd = Rc::clone(fd);
        if had.iter().all(|&h| h) {
            self.open.remove(&key);
        }
        Ok(fd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
    use nix::sys::socket::{ControlMessageOwned, recvmsg};
    use nix::sys::stat::fstat;
    use std::os::fd::FromRawFd;

    #[test]
    fn all_ranks_get_the_same_segment_and_then_it_is_let_go() {
        let mut segments = Segments::new(2);
        let first = segments.get(0, (0, 0)).unwrap();
        let again = segments.get(0, (0, 0)).unwrap();
        assert_eq!(first.as_raw_fd(), again.as_raw_fd());
        let second = segments.get(1, (0, 0)).unwrap();
        assert_eq!(
            fstat(&*first).unwrap().st_ino,
            fstat(&*second).unwrap().st_ino
        );
        assert!(segments.open.is_empty());
    }

    #[test]
    fn a_descriptor_travels_with_its_line() {
        let (ours, theirs) = socketpair(
            AddressFamily::Unix,
            SockType::Stream,
            None,
            SockFlag::SOCK_CLOEXEC,
        )
        .unwrap();
        let mut link = Link::new(ours);
        let segment = Segments::new(1).get(0, (0, 0)).unwrap();
        let inode = fstat(&*segment).unwrap().st_ino;
        assert!(link.queue(b"before\n".to_vec(), None));
        assert!(link.queue(b"with\n".to_vec(), Some(segment)));
        assert!(!link.flush());
        let mut bytes = [0; 64];
        let mut space = nix::cmsg_space!([i32; 1]);
        let mut parts = [std::io::IoSliceMut::new(&mut bytes)];
        let flags = MsgFlags::MSG_CMSG_CLOEXEC;
        let got = recvmsg::<()>(theirs.as_raw_fd(), &mut parts, Some(&mut space), flags).unwrap();
        let received = got.cmsgs().unwrap().find_map(|c| match c {
            ControlMessageOwned::ScmRights(fds) => fds.first().copied(),
            _ => None,
        });
        // SAFETY: the descriptor was received just now and belongs to nobody else.
        let received = unsafe { OwnedFd::from_raw_fd(received.unwrap()) };
        assert_eq!(fstat(received).unwrap().st_ino, inode);
    }

    #[test]
    fn a_rank_that_never_reads_is_noticed() {
        let (ours, _theirs) = socketpair(
            AddressFamily::Unix,
            SockType::Stream,
            None,
            SockFlag::SOCK_CLOEXEC,
        )
        .unwrap();
        let mut link = Link::new(ours);
        let mut queued = 0;
        while link.queue(vec![b'x'; 4096], None) {
            link.flush();
            queued += 4096;
            assert!(queued < 64 << 20, "the queue is not bounded");
        }
    }
}

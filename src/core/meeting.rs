//! How two groups of processes that do not know each other become acquainted: names of ports, and what the groups say.
//!
//! One process of each group meets the other over a connection of their own. Each says who all the processes of its
//! group are and how they are reached; the secret that they will know each other by comes from the one that was called.
//! It must not know communicators, nor how the two have found each other.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use crate::boot::directory::{hex, unhex};
use crate::boot::node::TRANSPORT;
use crate::error::Result;
use crate::fail;
use crate::handshake::Secret;
use crate::processes::{Card, Process};
use crate::transport::tcp::address;

/// What the name of a port begins with.
const PREFIX: &str = "anympi-port-";
/// Bytes of a port's token.
const TOKEN: usize = 16;
/// Bytes of a process's name.
const NAME: usize = 8 * Process::WORDS;
/// The other side may take so long to say what it has ready.
const PATIENCE: Duration = Duration::from_secs(30);
/// No group says more, in bytes.
const LONGEST: u64 = 1 << 30;

/// A port: where its process listens, and what lets others in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub process: Process,
    pub addresses: Vec<SocketAddr>,
    token: [u8; TOKEN],
}

impl Port {
    /// A new port of a process that listens at these addresses, of which as many are told as a name of fewer than
    /// `longest` bytes has room for.
    pub fn new(process: Process, mut addresses: Vec<SocketAddr>, longest: usize) -> Port {
        let token = crate::sys::random_bytes();
        loop {
            let port = Port {
                process,
                addresses: addresses.clone(),
                token,
            };
            if port.to_string().len() < longest || addresses.pop().is_none() {
                return port;
            }
        }
    }

    /// What those know who have its name.
    pub fn secret(&self) -> Secret {
        Secret::of(&format!("{PREFIX}{}", hex(&self.token)))
    }

    /// The port with a name.
    ///
    /// # Errors
    /// `MPI_ERR_PORT`: no port has such a name.
    pub fn parse(name: &str) -> Result<Port> {
        let bytes = name.strip_prefix(PREFIX).and_then(unhex);
        let port = bytes.and_then(|bytes| {
            let (process, rest) = bytes.split_first_chunk()?;
            let (token, addresses) = rest.split_first_chunk()?;
            Some(Port {
                process: process_of(process),
                token: *token,
                addresses: address::from_bytes(addresses)?,
            })
        });
        match port {
            Some(port) => Ok(port),
            None => fail!(
                PORT,
                "port_name = '{name}' is not the name of a port that MPI_Open_port has given"
            ),
        }
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses = address::to_bytes(&self.addresses);
        let parts = [&bytes_of(self.process)[..], &self.token, &addresses];
        write!(f, "{PREFIX}{}", hex(&parts.concat()))
    }
}

fn bytes_of(process: Process) -> [u8; NAME] {
    let mut bytes = [0; NAME];
    for (place, word) in bytes.chunks_mut(8).zip(process.to_words()) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

fn process_of(bytes: &[u8; NAME]) -> Process {
    let (words, _) = bytes.as_chunks();
    Process::from_words([words[0], words[1]].map(i64::from_le_bytes))
}

/// A process, as it is introduced to those who do not know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Introduction {
    pub process: Process,
    /// Where it is found by shared memory.
    pub spot: Vec<u8>,
    /// Where it listens.
    pub contact: Vec<u8>,
}

impl Introduction {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = bytes_of(self.process).to_vec();
        for part in [&self.spot, &self.contact] {
            bytes.extend((part.len() as u32).to_le_bytes());
            bytes.extend(part);
        }
        bytes
    }

    /// The first introduction in `bytes`, and what follows it. `None`: these are other bytes.
    fn first(bytes: &[u8]) -> Option<(Introduction, &[u8])> {
        let (process, rest) = bytes.split_first_chunk()?;
        let part = |rest| -> Option<(Vec<u8>, &[u8])> {
            let (length, rest): (&[u8; 4], &[u8]) = <[u8]>::split_first_chunk(rest)?;
            let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            Some((part.to_vec(), rest))
        };
        let (spot, rest) = part(rest)?;
        let (contact, rest) = part(rest)?;
        let process = process_of(process);
        let introduction = Introduction {
            process,
            spot,
            contact,
        };
        Some((introduction, rest))
    }

    /// All that [`to_bytes`](Self::to_bytes) has made, one behind the other.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: these are other bytes.
    pub fn list(mut bytes: &[u8]) -> Result<Vec<Introduction>> {
        let mut all = Vec::new();
        while !bytes.is_empty() {
            let Some((introduction, rest)) = Introduction::first(bytes) else {
                fail!(OTHER, "the other group has introduced itself with noise");
            };
            all.push(introduction);
            bytes = rest;
        }
        Ok(all)
    }

    /// How the process is found by shared memory.
    pub fn card(&self) -> Card {
        Card::of(TRANSPORT, &self.spot)
    }
}

/// Says something to the other side of a new connection, and hears what that says.
///
/// # Errors
/// The connection ends, or the other side says nothing in time, or too much.
pub fn exchange(stream: OwnedFd, ours: &[u8]) -> io::Result<Vec<u8>> {
    let stream = TcpStream::from(stream);
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    // Both sides write first. A thread of its own writes, as neither might read what has no room under way.
    let copy = TcpStream::from(stream.as_fd().try_clone_to_owned()?);
    let ours = ours.to_vec();
    let writer = std::thread::Builder::new().spawn(move || -> io::Result<()> {
        (&copy).write_all(&(ours.len() as u64).to_le_bytes())?;
        (&copy).write_all(&ours)
    })?;
    let read = || {
        let mut length = [0; 8];
        (&stream).read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST {
            let what = format!("the other side says that it has {length} bytes to say");
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        let mut theirs = Vec::new();
        (&stream).take(length).read_to_end(&mut theirs)?;
        match theirs.len() as u64 == length {
            true => Ok(theirs),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    };
    let theirs = read();
    let written = writer
        .join()
        .unwrap_or_else(|_| Err(io::Error::other("a thread has ended")));
    written.and(theirs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processes::Job;

    fn process(index: u32) -> Process {
        let job = Job::named("a job");
        Process { job, index }
    }

    #[test]
    fn ports_are_known_by_their_names() {
        let addresses =
            ["10.1.2.3:4567", "[fe80::1]:99", "127.0.0.1:1"].map(|a| a.parse().unwrap());
        let port = Port::new(process(7), addresses.to_vec(), 1024);
        let name = port.to_string();
        let parsed = Port::parse(&name).unwrap();
        assert_eq!(parsed, port);
        assert!(parsed.secret() == port.secret());
        assert!(Port::new(process(7), Vec::new(), 1024).secret() != port.secret());
        for wrong in [
            "",
            "tag#0$host$",
            PREFIX,
            &name[..30],
            &name[..name.len() - 1],
        ] {
            let error = Port::parse(wrong).unwrap_err();
            assert_eq!(error.code(), crate::error::class::PORT, "{wrong}");
        }
        let many = vec![addresses[1]; 16];
        let short = Port::new(process(7), many, 256);
        assert!(short.to_string().len() < 256);
        assert!(short.addresses.len() >= 4);
    }

    #[test]
    fn groups_are_introduced_by_bytes() {
        let group: Vec<Introduction> = (0..3)
            .map(|index| Introduction {
                process: process(index),
                spot: vec![1; index as usize],
                contact: vec![2; 5 * index as usize],
            })
            .collect();
        let bytes: Vec<u8> = group.iter().flat_map(Introduction::to_bytes).collect();
        assert_eq!(Introduction::list(&bytes).unwrap(), group);
        for end in [1, 17, bytes.len() - 1] {
            assert!(Introduction::list(&bytes[..end]).is_err(), "{end} bytes");
        }
    }

    #[test]
    fn both_sides_may_have_much_to_say() {
        let (one, other) = std::os::unix::net::UnixStream::pair().unwrap();
        let long = vec![3; 8 << 20];
        let there = std::thread::spawn(move || exchange(other.into(), &[4; 100]).unwrap());
        assert_eq!(exchange(one.into(), &long).unwrap(), [4; 100]);
        assert_eq!(there.join().unwrap(), long);
    }
}

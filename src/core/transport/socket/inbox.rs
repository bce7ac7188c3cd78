//! What has come over a stream: frames are cut out of it as soon as they are whole.
//!
//! On the stream a frame is the length of its body (u32, little-endian), its [head](Head::encode), what is said beside that,
//! and the body. A head that says what no frame has ends the stream, as nothing behind it can be understood.

use std::io;
use std::os::fd::BorrowedFd;

use super::LONGEST_BODY;
use crate::sys;
use crate::wire::{ENCODED, Head, INLINE};

/// Bytes of a frame before what is said.
pub const PREFIX: usize = 4 + ENCODED;
/// Bytes that are read at a time if there are so many.
const READ: usize = 64 << 10;
/// Longest buffer, in bytes, that is kept for the next one who needs any: the longest frame fits.
pub const KEPT: usize = LONGEST_BODY + 2 * READ;

/// What stands before a frame's payload.
pub fn prefix(head: &Head, body: usize) -> [u8; PREFIX] {
    let mut bytes = [0; PREFIX];
    bytes[..4].copy_from_slice(&(body as u32).to_le_bytes());
    bytes[4..].copy_from_slice(&head.encode());
    bytes
}

/// A whole frame.
pub struct Frame<'a> {
    pub head: Head,
    pub said: &'a [u8],
    pub body: &'a [u8],
}

/// How a look at the stream has ended.
pub enum Read {
    /// As much as there was room for: there may be more.
    Some,
    /// Less than that.
    All,
    Nothing,
    /// The other side has closed the stream.
    Closed,
}

/// Bytes that have come and were not delivered: those from `start` to `end`.
#[derive(Default)]
pub struct Inbox {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

fn garbage(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl Inbox {
    /// Takes the buffer that nobody uses, unless this one has one.
    pub fn borrow(&mut self, spare: &mut Vec<u8>) {
        if self.bytes.is_empty() {
            std::mem::swap(&mut self.bytes, spare);
        }
    }

    /// Gives its buffer away if nothing waits in it: there are many peers, and few of them say something at a time.
    pub fn give_back(&mut self, spare: &mut Vec<u8>) {
        if self.len() == 0 {
            let bytes = std::mem::take(&mut self.bytes);
            if bytes.len() > spare.len() && bytes.len() <= KEPT {
                *spare = bytes;
            }
        }
    }

    /// Bytes of its buffer.
    #[cfg(test)]
    pub fn room(&self) -> usize {
        self.bytes.capacity()
    }

    /// Bytes that were not delivered.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Head, and lengths of what is said and of the body, of the next frame. `None`: not all of that is there.
    fn next_head(&self) -> io::Result<Option<(Head, usize, usize)>> {
        let waiting = &self.bytes[self.start..self.end];
        let Some((prefix, _)) = waiting.split_first_chunk::<PREFIX>() else {
            return Ok(None);
        };
        let (length, head) = prefix.split_at(4);
        let body = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
        let head = Head::decode(head.try_into().expect("the rest"));
        let said = usize::from(head.inline);
        if said > INLINE {
            return Err(garbage(format!(
                "a frame of kind {} with {said} bytes beside its head, of at most {INLINE}",
                head.kind
            )));
        }
        if body > LONGEST_BODY {
            return Err(garbage(format!(
                "a frame of kind {} with a body of {body} bytes, of at most {LONGEST_BODY}",
                head.kind
            )));
        }
        Ok(Some((head, said, body)))
    }

    /// The next frame, if it is there as a whole.
    ///
    /// # Errors
    /// Its head says what none has.
    pub fn frame(&self) -> io::Result<Option<Frame<'_>>> {
        let Some((head, said, body)) = self.next_head()? else {
            return Ok(None);
        };
        let rest = &self.bytes[self.start + PREFIX..self.end];
        Ok(rest.split_at_checked(said).and_then(|(said, rest)| {
            let body = rest.get(..body)?;
            Some(Frame { head, said, body })
        }))
    }

    /// The next frame, of whose body not all is there: how long that is, and what is there of it.
    ///
    /// # Errors
    /// Its head says what none has.
    pub fn begun(&self) -> io::Result<Option<(usize, Frame<'_>)>> {
        let Some((head, said, bytes)) = self.next_head()? else {
            return Ok(None);
        };
        let rest = &self.bytes[self.start + PREFIX..self.end];
        let begun = rest
            .split_at_checked(said)
            .filter(|(_, body)| body.len() < bytes);
        Ok(begun.map(|(said, body)| (bytes, Frame { head, said, body })))
    }

    /// Forgets all that is there.
    pub fn clear(&mut self) {
        (self.start, self.end) = (0, 0);
    }

    /// Forgets the next frame, which was delivered, by the lengths of what it said and of its body.
    pub fn delivered(&mut self, said: usize, body: usize) {
        self.start += PREFIX + said + body;
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
    }

    /// Makes room for so many bytes. What waits is moved only if as much has been delivered, so each byte at most once.
    fn make_room(&mut self, bytes: usize) {
        if self.bytes.len() - self.end >= bytes {
            return;
        }
        if self.start >= self.len() {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.len());
        }
        let least = (self.end + bytes).next_multiple_of(READ);
        self.bytes.resize(least.max(self.bytes.len()), 0);
    }

    /// Reads once from `stream`.
    ///
    /// # Errors
    /// What the system says, or the next head says what none has.
    pub fn read(&mut self, stream: BorrowedFd<'_>) -> io::Result<Read> {
        let whole = self
            .next_head()?
            .map_or(READ, |(_, said, body)| PREFIX + said + body);
        self.make_room(whole.saturating_sub(self.len()).max(READ / 2));
        Ok(
            match sys::receive_some(stream, &mut self.bytes[self.end..])? {
                None => Read::Nothing,
                Some(0) => Read::Closed,
                Some(bytes) => {
                    self.end += bytes;
                    match self.end < self.bytes.len() {
                        true => Read::All,
                        false => Read::Some,
                    }
                }
            },
        )
    }

    /// Puts a frame in from this process itself.
    pub fn add(&mut self, parts: [&[u8]; 3]) {
        self.make_room(parts.iter().map(|part| part.len()).sum());
        for part in parts {
            self.bytes[self.end..self.end + part.len()].copy_from_slice(part);
            self.end += part.len();
        }
    }
}

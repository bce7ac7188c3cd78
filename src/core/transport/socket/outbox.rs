//! What is to leave over a stream: straight from where it lies, or later what the system did not take at once.

use std::collections::VecDeque;
use std::io::{self, IoSlice};
use std::os::fd::BorrowedFd;

use crate::sys;

/// Bytes that wait to leave, at most `limit` besides the frame that brought it there.
pub struct Outbox {
    bytes: VecDeque<u8>,
    limit: usize,
}

impl Outbox {
    pub fn new(limit: usize) -> Outbox {
        Outbox {
            bytes: VecDeque::new(),
            limit,
        }
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes of its buffer.
    #[cfg(test)]
    pub fn room(&self) -> usize {
        self.bytes.capacity()
    }

    /// Forgets what waits: nobody will read it.
    pub fn clear(&mut self) {
        self.bytes = VecDeque::new();
    }

    /// Lets these bytes wait behind the others.
    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// Sends what waits, as far as the system takes it. There are many peers, so no memory is kept where nothing waits.
    ///
    /// # Errors
    /// What the system says.
    pub fn flush(&mut self, stream: BorrowedFd<'_>) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        while !self.bytes.is_empty() {
            let (first, second) = self.bytes.as_slices();
            let sent = sys::send_parts(stream, &[first, second].map(IoSlice::new))?;
            if sent == 0 {
                return Ok(());
            }
            self.bytes.drain(..sent);
        }
        self.clear();
        Ok(())
    }

    /// Sends a frame that consists of these parts, all of it or nothing; what the system does not take waits here.
    /// `false`: there is no room.
    ///
    /// # Errors
    /// What the system says.
    pub fn send(&mut self, stream: BorrowedFd<'_>, parts: [&[u8]; 3]) -> io::Result<bool> {
        self.flush(stream)?;
        let mut sent = 0;
        if self.bytes.is_empty() {
            sent = sys::send_parts(stream, &parts.map(IoSlice::new))?;
        } else if self.bytes.len() >= self.limit {
            return Ok(false);
        }
        for part in parts {
            let gone = sent.min(part.len());
            self.bytes.extend(&part[gone..]);
            sent -= gone;
        }
        Ok(true)
    }
}

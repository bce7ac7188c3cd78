//! A long body that is read from the stream to where it goes, bit by bit as it comes, and not copied from an inbox.

use std::io;
use std::os::fd::BorrowedFd;

use super::inbox::{Inbox, Read};
use crate::sys;
use crate::transport::{ProcId, Sink};
use crate::wire::{Head, INLINE, flag};

/// Shortest body that is.
const LEAST: usize = 32 << 10;

/// A body of which some is in its place.
pub struct Placing {
    pub head: Head,
    said: [u8; INLINE],
    /// Of the whole body.
    pub bytes: usize,
    /// Those that are in their place.
    pub there: usize,
}

impl Placing {
    /// Takes what is there of the next frame out of the inbox, if the rest of its body can go to its place.
    ///
    /// # Errors
    /// Its head says what none has.
    pub fn begin(
        inbox: &mut Inbox,
        from: ProcId,
        sink: &mut impl Sink,
    ) -> io::Result<Option<Placing>> {
        let Some((bytes, frame)) = inbox.begun()?.filter(|(bytes, _)| *bytes >= LEAST) else {
            return Ok(None);
        };
        let head = frame.head;
        if head.flags & flag::OF_LINK != 0 {
            return Ok(None);
        }
        let Some(place) = sink.place(from, &head, frame.said, bytes) else {
            return Ok(None);
        };
        let there = frame.body.len();
        place.overwrite(0, |place| place[..there].copy_from_slice(frame.body));
        let mut said = [0; INLINE];
        said[..frame.said.len()].copy_from_slice(frame.said);
        inbox.clear();
        Ok(Some(Placing {
            head,
            said,
            bytes,
            there,
        }))
    }

    pub fn is_over(&self) -> bool {
        self.there == self.bytes
    }

    /// Reads once from the stream.
    ///
    /// # Errors
    /// What the system says, or that there is no place any more.
    pub fn read(
        &mut self,
        stream: BorrowedFd<'_>,
        from: ProcId,
        sink: &mut impl Sink,
    ) -> io::Result<Read> {
        let said = &self.said[..self.head.inline.into()];
        let Some(place) = sink.place(from, &self.head, said, self.bytes) else {
            let what = format!("a body of kind {} has lost its place", self.head.kind);
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        };
        let read = place.overwrite(self.there, |rest| sys::receive_some(stream, rest))?;
        Ok(match read {
            None => Read::Nothing,
            Some(0) => Read::Closed,
            Some(bytes) => {
                self.there += bytes;
                match self.is_over() {
                    true => Read::Some,
                    false => Read::All,
                }
            }
        })
    }
}

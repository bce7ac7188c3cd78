//! How two processes close a connection that neither needs any more, so that nothing is lost that either sends later.
//!
//! Each says that it [leaves](own::LEAVES) once it has nothing more to say. When both have, the one that had called asks to
//! [close](own::CLOSES), and sends nothing until it has the answer: the other one closes the connection, or says that it
//! [stays](own::STAYS), as it has sent something meanwhile. A later frame finds no connection, as before the first one.

use super::{ProcId, Sockets, own, prefix};
use crate::wire::Head;

impl Sockets {
    /// This process needs no connection to another one any more, unless it sends something all the same.
    pub fn part_from(&mut self, process: ProcId) {
        if self.peer(process).stream.is_some() && !self.peer(process).left {
            self.say(process, own::LEAVES);
            self.peer(process).left = true;
            self.ask_to_close(process);
        }
    }

    /// Asks to close a connection that neither side needs, if that is this process's part.
    pub(super) fn ask_to_close(&mut self, process: ProcId) {
        let peer = self.peer(process);
        if peer.closes && peer.left && peer.leaves && !peer.closing && peer.stream.is_some() {
            peer.closing = true;
            self.say(process, own::CLOSES);
        }
    }

    /// The other side asks to close the connection. Returns whether that is closed now.
    pub(super) fn is_to_close(&mut self, process: ProcId) -> bool {
        if self.peer(process).left {
            self.disconnect(process);
            return true;
        }
        self.say(process, own::STAYS);
        false
    }

    /// There is no connection to a process any more, and nothing is lost by that.
    pub(super) fn disconnect(&mut self, process: ProcId) {
        if let Some(stream) = self.peer(process).stream.take() {
            // It may be open elsewhere as well. What fails has been forgotten already.
            let _ = self.events.delete(&stream);
        }
        let backlog = self.backlog;
        let peer = self.peer(process);
        let queued = peer.ready;
        *peer = super::Peer::new(backlog);
        // It stands in the queue still.
        peer.ready = queued;
    }

    /// This process has something to say all the same. `false`: it has to wait for the answer of the other one.
    #[cold]
    pub(super) fn comes_back(&mut self, process: ProcId) -> bool {
        let peer = self.peer(process);
        peer.left = peer.closing;
        !peer.closing
    }

    /// Sends a frame of the link's own, which always finds room.
    fn say(&mut self, process: ProcId, flags: u8) {
        let head = Head {
            flags,
            ..Head::default()
        };
        self.write(process, (), |outbox, stream| {
            outbox.add(&prefix(&head, 0));
            outbox.flush(stream)
        });
    }
}

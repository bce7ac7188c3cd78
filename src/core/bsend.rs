//! Buffered sends (MPI-5.0, 3.6): the buffers that applications attach, and the messages that wait in them.
//!
//! A message that cannot leave at once is copied to memory of our own; the attached buffer is the account
//! that says how much may wait. That keeps the caller's memory free of our structures and makes every
//! message cost what MPI promises at most.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::comm::Communicator;
use crate::datatype::{Data, Packed};
use crate::engine::Engine;
use crate::error::Result;
use crate::fail;
use crate::handle::Session;
use crate::matching::Envelope;
use crate::proto::OpId;
use crate::transport::ProcId;

/// What a waiting message costs beyond its data. At most the least `MPI_BSEND_OVERHEAD` of any ABI (88).
pub const OVERHEAD: u64 = 64;

/// A message that has not left yet.
struct Waiting {
    id: OpId,
    copy: Packed,
}

/// An attached buffer.
struct Buffer {
    address: usize,
    /// `None`: automatic, without a limit of ours.
    size: Option<u64>,
    waiting: Vec<Waiting>,
}

/// Where a buffer is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttachedTo {
    Process,
    /// A communicator, by its context.
    Comm(u32),
    Session(Session),
}

/// All attached buffers.
#[derive(Default)]
pub struct Buffers {
    attached: RefCell<Option<HashMap<AttachedTo, Buffer>>>,
}

impl Buffers {
    pub const fn new() -> Buffers {
        Buffers {
            attached: RefCell::new(None),
        }
    }

    /// Attaches a buffer; `size` `None` is `MPI_BUFFER_AUTOMATIC`.
    ///
    /// # Errors
    /// `MPI_ERR_BUFFER`: one is attached there already.
    pub fn attach(&self, at: AttachedTo, address: usize, size: Option<u64>) -> Result<()> {
        let mut attached = self.attached.borrow_mut();
        let attached = attached.get_or_insert_default();
        if attached.contains_key(&at) {
            fail!(BUFFER, "a buffer is attached already; detach it first");
        }
        attached.insert(
            at,
            Buffer {
                address,
                size,
                waiting: Vec::new(),
            },
        );
        Ok(())
    }

    /// Sends a copy of the data, now or when it can leave.
    ///
    /// # Errors
    /// `MPI_ERR_BUFFER`: no buffer is attached, or it has no room.
    pub fn send(
        &self,
        engine: &Engine,
        to: ProcId,
        envelope: Envelope,
        data: Data,
        comm: Rc<Communicator>,
    ) -> Result<()> {
        let at = {
            let mut attached = self.attached.borrow_mut();
            let attached = attached.get_or_insert_default();
            let session = AttachedTo::Session(comm.group.session());
            let own = [AttachedTo::Comm(comm.context()), session];
            let own = own.into_iter().find(|at| attached.contains_key(at));
            let at = own.unwrap_or(AttachedTo::Process);
            let Some(buffer) = attached.get_mut(&at) else {
                fail!(BUFFER, "no buffer is attached (MPI_Buffer_attach)");
            };
            buffer.reap(engine);
            let used: u64 = buffer
                .waiting
                .iter()
                .map(|message| message.copy.len() + OVERHEAD)
                .sum();
            let need = data.bytes() + OVERHEAD;
            if buffer.size.is_some_and(|size| used + need > size) {
                fail!(
                    BUFFER,
                    "the attached buffer of {} bytes has no room for {need} more: {used} are in use",
                    buffer.size.unwrap_or(0)
                );
            }
            at
        };
        let copy = Packed::copy(&data, engine.byte.clone());
        if let Some(id) = engine.send(to, envelope, &copy.data(), false)
            && let Some(buffer) = self
                .attached
                .borrow_mut()
                .get_or_insert_default()
                .get_mut(&at)
        {
            buffer.waiting.push(Waiting { id, copy });
        }
        Ok(())
    }

    /// Whether nothing waits in the buffer any more.
    pub fn is_empty(&self, at: AttachedTo, engine: &Engine) -> bool {
        let mut attached = self.attached.borrow_mut();
        attached
            .as_mut()
            .and_then(|attached| attached.get_mut(&at))
            .is_none_or(|buffer| {
                buffer.reap(engine);
                buffer.waiting.is_empty()
            })
    }

    /// Whether a buffer is attached there.
    pub fn is_attached(&self, at: AttachedTo) -> bool {
        self.attached
            .borrow()
            .as_ref()
            .is_some_and(|attached| attached.contains_key(&at))
    }

    /// Takes an empty buffer away; gives its address and size.
    pub fn detach(&self, at: AttachedTo) -> Option<(usize, Option<u64>)> {
        let buffer = self.attached.borrow_mut().as_mut()?.remove(&at)?;
        Some((buffer.address, buffer.size))
    }

    /// Where buffers are attached.
    pub fn attached(&self) -> Vec<AttachedTo> {
        self.attached
            .borrow()
            .as_ref()
            .map_or(Vec::new(), |all| all.keys().copied().collect())
    }
}

impl Buffer {
    fn reap(&mut self, engine: &Engine) {
        self.waiting
            .retain(|message| engine.finish(message.id).is_none());
    }
}

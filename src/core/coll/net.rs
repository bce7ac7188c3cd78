//! Point-to-point as a collective sees it, and the frame every algorithm runs in.
//!
//! [`Net`] is all that a collective knows of the world: one operation on one communicator, with a message
//! space of its own. The engine and the simulator implement it. [`Coll`] wraps it for the algorithms:
//! transfers that can be awaited, local copies, reductions, and the first error.
//!
//! Assumes that messages between two ranks match in the order in which they were started. Must not know
//! of engines, requests, communicator objects or tags.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::blocks::Temp;
use super::hierarchy::Hierarchy;
use super::shared::{CollSegment, Watch};
use crate::datatype::{Data, Type};
use crate::error::{Error, Result, class};
use crate::op::Operation;
use crate::proto::FlowPattern;

/// One collective operation's view of its communicator.
///
/// A value of this type stands for *one* operation. Two operations on the same communicator, also concurrent ones,
/// never see each other's messages: the engine puts a sequence number into the tag. Within it, messages from one rank
/// to another match receives in the order both sides start them.
///
/// Buffers handed to `isend` and `irecv` stay valid until `poll` has said `true` or failed. The future
/// that uses a `Net` is polled to its end or leaked, never dropped half-way: transfers may still be
/// writing into memory that it owns.
pub trait Net {
    /// A started transfer. Spent once [`poll`](Net::poll) has said `true` or failed.
    type Pending: Copy;

    /// The calling process, in `0..size`.
    fn rank(&self) -> usize;

    /// Number of processes that can be named.
    fn size(&self) -> usize;

    /// Starts a send, also to oneself; `None` when the buffer is free again already.
    fn isend(&self, data: Data, to: usize) -> Result<Option<Self::Pending>>;

    /// [`isend`](Net::isend) of data that the receiver does not copy from where it lies, if there is another way.
    fn stream(&self, data: Data, to: usize, _: FlowPattern) -> Result<Option<Self::Pending>> {
        self.isend(data, to)
    }

    /// Starts a receive; `None` when the message is there already.
    ///
    /// # Errors
    /// Here or from `poll`: `MPI_ERR_TRUNCATE` when the message is longer than `data`, `MPI_ERR_OTHER`
    /// when it is shorter.
    fn irecv(&self, data: Data, from: usize) -> Result<Option<Self::Pending>>;

    /// Whether a transfer has finished. Makes no progress itself and costs a few instructions.
    fn poll(&self, pending: Self::Pending) -> Result<bool>;

    /// Moves messages on, for an algorithm that does something else for long.
    fn progress(&self) {}

    /// `MPI_BYTE`, what packed data is made of.
    fn byte(&self) -> &Rc<Type>;

    /// An algorithm has been chosen: its number in [`select::names`](super::select::names).
    fn chosen(&self, _number: usize) {}

    /// Memory that all ranks share, if this operation may use it: the same answer on every rank.
    fn coll_segment(&self) -> Option<&CollSegment> {
        None
    }

    /// How the ranks are divided into groups that share memory, if they are, and this operation is to use that: the
    /// same division on every rank.
    fn hierarchy(&self) -> Option<&Hierarchy> {
        None
    }

    /// How often to look at a number in that memory before the future is pending: at least once.
    fn looks(&self) -> u32 {
        1
    }

    /// The future that uses this net is pending until `watch` is ready, or a transfer has finished.
    fn watch(&self, _watch: Watch) {}
}

/// A [`Net`] with what the algorithms share.
///
/// The first error is kept and the algorithm goes on. A rank that stopped in the middle would leave others waiting
/// for messages that never come; MPI-5.0, 9.3 leaves the data undefined, not the progress. What such a rank still has
/// to send it sends empty, so those who wait for it learn of the error too.
pub(crate) struct Coll<'n, N: Net> {
    net: &'n N,
    pub rank: usize,
    pub size: usize,
    error: RefCell<Option<Error>>,
}

impl<'n, N: Net> Coll<'n, N> {
    #[inline]
    pub fn new(net: &'n N) -> Self {
        Coll {
            net,
            rank: net.rank(),
            size: net.size(),
            error: RefCell::new(None),
        }
    }

    /// The result of the whole operation.
    #[inline]
    pub fn finish(self) -> Result<()> {
        match self.error.into_inner() {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// A collective among some of the ranks, on a net of theirs, as a step of this one: where there has been an error, it goes on.
    pub fn step<'s, S: Net>(&self, net: &'s S) -> Coll<'s, S> {
        let step = Coll::new(net);
        step.error.replace(self.error.borrow().clone());
        step
    }

    /// A [`step`](Self::step) has ended.
    pub fn end_step<S: Net>(&self, step: Coll<'_, S>) {
        if let Err(error) = step.finish() {
            self.note(error);
        }
    }

    /// The net itself, for algorithms that do more than send and receive.
    #[inline]
    pub fn net(&self) -> &'n N {
        self.net
    }

    #[cold]
    pub fn note(&self, error: Error) {
        self.error.borrow_mut().get_or_insert(error);
    }

    /// Whether no error has been noted.
    pub fn is_fine(&self) -> bool {
        self.error.borrow().is_none()
    }

    /// Keeps the error of a local step.
    #[inline]
    pub fn check<T>(&self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.note(error);
                None
            }
        }
    }

    /// Starts a send now; awaiting the transfer waits for the buffer.
    #[inline]
    #[must_use = "a transfer must be awaited"]
    pub fn send(&self, data: Data, to: usize) -> Transfer<'_, 'n, N> {
        let pending = self.check(self.net.isend(self.sound(data), to)).flatten();
        Transfer {
            coll: self,
            pending,
        }
    }

    /// [`send`](Self::send), by [`Net::stream`].
    #[inline]
    #[must_use = "a transfer must be awaited"]
    pub fn stream(&self, data: Data, to: usize, stream: FlowPattern) -> Transfer<'_, 'n, N> {
        let started = self.net.stream(self.sound(data), to, stream);
        let pending = self.check(started).flatten();
        Transfer {
            coll: self,
            pending,
        }
    }

    /// Nothing of `data` where there has been an error.
    #[inline]
    fn sound(&self, data: Data) -> Data {
        match self.error.borrow().is_none() {
            true => data,
            false => data.part(0, 0),
        }
    }

    /// Starts a receive now; awaiting the transfer waits for the data.
    #[inline]
    #[must_use = "a transfer must be awaited"]
    pub fn recv(&self, data: Data, from: usize) -> Transfer<'_, 'n, N> {
        let pending = self.check(self.net.irecv(data, from)).flatten();
        Transfer {
            coll: self,
            pending,
        }
    }

    /// Sends to `to` while receiving from `from`; resolves when both are done.
    #[inline]
    #[must_use = "a transfer must be awaited"]
    pub fn sendrecv(&self, out: Data, to: usize, into: Data, from: usize) -> Both<'_, 'n, N> {
        let receive = self.recv(into, from);
        let send = self.send(out, to);
        Both { receive, send }
    }

    /// An empty collection of transfers.
    #[inline]
    pub fn several(&self) -> Several<'_, 'n, N> {
        Several {
            coll: self,
            pending: Vec::new(),
        }
    }

    /// Copies what `from` describes to where `to` describes, as a message to oneself would.
    #[inline]
    pub fn copy(&self, from: &Data, to: &Data) {
        if from.bytes() > to.bytes() {
            return self.note(Error::new(
                class::TRUNCATE,
                format!(
                    "the process's own contribution has {} bytes, its receive buffer {}",
                    from.bytes(),
                    to.bytes()
                ),
            ));
        }
        from.copy_own_to(to);
    }

    /// `inout = input op inout`, element by element.
    #[inline]
    pub fn apply(&self, op: &Operation, input: &Data, inout: &Data) {
        let done = op.apply(input, inout);
        self.check(done);
    }

    /// Combines `acc`, the partial result so far, with `other`, and makes the result `acc`: in place, or
    /// by changing the roles of the two buffers.
    ///
    /// `other_is_lower` says that `other` comes from lower ranks, so that `other op acc` is wanted.
    #[inline]
    pub fn combine(&self, op: &Operation, other_is_lower: bool, acc: &mut Data, other: &mut Data) {
        if other_is_lower || op.commutative() {
            self.apply(op, other, acc);
        } else {
            self.apply(op, acc, other);
            std::mem::swap(acc, other);
        }
    }

    /// The calling rank counted from `root`.
    #[inline]
    pub fn relative(&self, root: usize) -> usize {
        self.wrap(self.rank + self.size - root)
    }

    /// The rank that stands `relative` places after `root`.
    #[inline]
    pub fn absolute(&self, relative: usize, root: usize) -> usize {
        self.wrap(relative + root)
    }

    /// A rank on the ring, for a number up to twice its length: a division would cost more than a message.
    #[inline]
    fn wrap(&self, rank: usize) -> usize {
        if rank < self.size {
            rank
        } else {
            rank - self.size
        }
    }

    /// The rank `distance <= size` places after this one, around the ring.
    #[inline]
    pub fn after(&self, distance: usize) -> usize {
        self.wrap(self.rank + distance)
    }

    /// The rank `distance <= size` places before this one, around the ring.
    #[inline]
    pub fn before(&self, distance: usize) -> usize {
        self.wrap(self.rank + self.size - distance)
    }

    #[inline]
    pub fn byte(&self) -> &'n Rc<Type> {
        self.net.byte()
    }

    /// Room for `bytes` packed bytes.
    #[inline]
    pub fn room(&self, bytes: u64) -> Temp {
        Temp::of(bytes, self.byte())
    }
}

/// A started transfer; resolves when its buffer is free.
#[must_use = "a transfer must be awaited"]
pub(crate) struct Transfer<'c, 'n, N: Net> {
    coll: &'c Coll<'n, N>,
    pending: Option<N::Pending>,
}

impl<N: Net> Transfer<'_, '_, N> {
    #[inline]
    fn finished(&mut self) -> bool {
        let Some(pending) = self.pending else {
            return true;
        };
        if self.coll.check(self.coll.net.poll(pending)) == Some(false) {
            return false;
        }
        self.pending = None;
        true
    }
}

// No field is pinned: the token is a plain value.
impl<N: Net> Unpin for Transfer<'_, '_, N> {}
impl<N: Net> Unpin for Both<'_, '_, N> {}
impl<N: Net> Unpin for Done<'_, '_, N> {}

impl<N: Net> Future for Transfer<'_, '_, N> {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.finished() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

/// A send and a receive; resolves when both are done.
#[must_use = "a transfer must be awaited"]
pub(crate) struct Both<'c, 'n, N: Net> {
    receive: Transfer<'c, 'n, N>,
    send: Transfer<'c, 'n, N>,
}

impl<N: Net> Future for Both<'_, '_, N> {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.receive.finished() && self.send.finished() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

/// Any number of started transfers. Those that finish at once take no room.
pub(crate) struct Several<'c, 'n, N: Net> {
    coll: &'c Coll<'n, N>,
    pending: Vec<N::Pending>,
}

impl<'c, 'n, N: Net> Several<'c, 'n, N> {
    #[inline]
    pub fn send(&mut self, data: Data, to: usize) {
        self.pending.extend(self.coll.send(data, to).pending);
    }

    #[inline]
    pub fn stream(&mut self, data: Data, to: usize, stream: FlowPattern) {
        self.pending
            .extend(self.coll.stream(data, to, stream).pending);
    }

    #[inline]
    pub fn recv(&mut self, data: Data, from: usize) {
        self.pending.extend(self.coll.recv(data, from).pending);
    }

    /// Resolves when all that were started are done; the collection can then be used again.
    #[inline]
    pub fn done(&mut self) -> Done<'_, 'n, N> {
        Done {
            coll: self.coll,
            pending: &mut self.pending,
        }
    }
}

/// What [`Several::done`] waits with.
#[must_use = "a transfer must be awaited"]
pub(crate) struct Done<'s, 'n, N: Net> {
    coll: &'s Coll<'n, N>,
    pending: &'s mut Vec<N::Pending>,
}

impl<N: Net> Future for Done<'_, '_, N> {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        // Only the last one and the first one are asked again and again: where a message has the wrong size
        // the last one may never be done.
        let coll = self.coll;
        let finished = |transfer| coll.check(coll.net.poll(transfer)) != Some(false);
        while let Some(&last) = self.pending.last() {
            if !finished(last) {
                if self.pending.len() > 1 && finished(self.pending[0]) {
                    self.pending.swap_remove(0);
                }
                return Poll::Pending;
            }
            self.pending.pop();
        }
        Poll::Ready(())
    }
}

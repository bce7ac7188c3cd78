//! Partitioned requests (MPI-5.0, chapter 4): which partitions are ready, and what a round is.
//!
//! The bytes travel in `proto`, by position in the packed message; here partitions become such positions.
//! A request lives through many rounds and gives its end of the message up when it is dropped.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::comm::{Communicator, receive_result};
use crate::datatype::Data;
use crate::engine::Engine;
use crate::error::{Error, On, Result, class};
use crate::fail;
use crate::handle::{Handle, Request};
use crate::matching::Envelope;
use crate::proto::EndId;
use crate::request::{Active, Generalized, InRounds, Operation, Requests};
use crate::runtime::Runtime;
use crate::types::{ProcId, Status};

/// One partitioned request.
pub struct Partitioned {
    engine: &'static Engine,
    comm: Rc<Communicator>,
    /// `None` for `MPI_PROC_NULL`.
    end: Option<EndId>,
    side: Side,
    partitions: usize,
    active: Cell<bool>,
}

enum Side {
    Send {
        /// Packed bytes of one partition.
        each: u64,
        ready: RefCell<Vec<bool>>,
        /// Partitions of this round that are not ready.
        waiting: Cell<usize>,
    },
    Receive,
}

impl Partitioned {
    /// A send of `data`, which is `partitions` partitions of `each` packed bytes. `to`: the receiver and
    /// what the message says of itself; `None` for `MPI_PROC_NULL`.
    pub fn send(
        engine: &'static Engine,
        comm: Rc<Communicator>,
        to: Option<(ProcId, Envelope)>,
        data: Data,
        partitions: usize,
        each: u64,
    ) -> Partitioned {
        let end = to.map(|(to, envelope)| engine.proto().partitioned_send(to, envelope, data));
        Partitioned {
            engine,
            comm,
            end,
            side: Side::Send {
                each,
                ready: RefCell::new(vec![false; partitions]),
                waiting: Cell::new(0),
            },
            partitions,
            active: Cell::new(false),
        }
    }

    /// A receive into `data` of the message that says `from` of itself; `None` for `MPI_PROC_NULL`.
    pub fn receive(
        engine: &'static Engine,
        comm: Rc<Communicator>,
        from: Option<Envelope>,
        data: Data,
        partitions: usize,
    ) -> Partitioned {
        let end = from.map(|envelope| {
            engine
                .proto()
                .partitioned_receive(envelope, data, partitions)
        });
        Partitioned {
            engine,
            comm,
            end,
            side: Side::Receive,
            partitions,
            active: Cell::new(false),
        }
    }

    /// The partitioned operation of a request.
    ///
    /// # Errors
    /// `MPI_ERR_REQUEST`: no live partitioned request.
    pub fn find(requests: &Requests, request: Request) -> Result<Rc<Partitioned>> {
        let found = requests
            .in_rounds(request)?
            .map(|found| found as Rc<dyn Any>);
        match found.and_then(|found| found.downcast().ok()) {
            Some(partitioned) => Ok(partitioned),
            None => fail!(
                REQUEST,
                "request 0x{:x} is no partitioned request",
                request.raw()
            ),
        }
    }

    /// Marks the partitions `low` to `high` of a round as ready to be sent.
    ///
    /// # Errors
    /// `MPI_ERR_REQUEST`: a receive, or not started. `MPI_ERR_ARG`: no such partition, or one that is
    /// ready already. (MPI-5.0, 4.2.1)
    pub fn ready(&self, runtime: &Runtime, low: (i32, &str), high: (i32, &str)) -> Result<()> {
        let Side::Send {
            each,
            ready,
            waiting,
        } = &self.side
        else {
            return Err(self.error(
                class::REQUEST,
                "request is a partitioned receive; a partitioned send was expected",
            ));
        };
        if !self.active.get() {
            return Err(self.error(
                class::REQUEST,
                "request is not active: partitions become ready after MPI_Start",
            ));
        }
        let first = self.partition(low)?;
        let last = self.partition(high)?;
        if first > last {
            let what = format!("{} = {} is above {} = {}", low.1, low.0, high.1, high.0);
            return Err(self.error(class::ARG, what));
        }
        let mut flags = ready.borrow_mut();
        if let Some(again) = flags[first..=last].iter().position(|ready| *ready) {
            let what = format!(
                "partition {} is marked as ready a second time since MPI_Start",
                first + again
            );
            return Err(self.error(class::ARG, what));
        }
        flags[first..=last].fill(true);
        drop(flags);
        waiting.set(waiting.get() - (last - first + 1));
        if *each > 0 || waiting.get() == 0 {
            self.hand_over(runtime, first as u64 * each, (last as u64 + 1) * each);
        }
        Ok(())
    }

    /// Lets a packed range go.
    fn hand_over(&self, runtime: &Runtime, from: u64, until: u64) {
        let Some(end) = self.end else { return };
        let mut proto = self.engine.proto();
        let before = proto.completions();
        proto.ready(end, from..until);
        let ended = proto.completions() != before;
        drop(proto);
        if ended {
            runtime.after_completions(self.engine);
        }
    }

    /// Whether a partition of a receive has arrived; so have all of a request that is not active.
    ///
    /// # Errors
    /// `MPI_ERR_REQUEST`: a send. `MPI_ERR_ARG`: no such partition. (MPI-5.0, 4.2.2)
    pub fn arrived(&self, runtime: &Runtime, partition: i32) -> Result<bool> {
        if let Side::Send { .. } = self.side {
            return Err(self.error(
                class::REQUEST,
                "request is a partitioned send; a partitioned receive was expected",
            ));
        }
        let partition = self.partition((partition, "partition"))?;
        let Some(end) = self.end else { return Ok(true) };
        if !self.active.get() || self.engine.proto().partition_arrived(end, partition) {
            return Ok(true);
        }
        runtime.poll(self.engine);
        Ok(self.engine.proto().partition_arrived(end, partition))
    }

    fn partition(&self, (number, name): (i32, &str)) -> Result<usize> {
        match usize::try_from(number) {
            Ok(index) if index < self.partitions => Ok(index),
            _ => {
                let what = match self.partitions {
                    0 => format!("{name} = {number}: the request has no partitions"),
                    n => format!(
                        "{name} = {number}: the request's partitions are 0 to {}",
                        n - 1
                    ),
                };
                Err(self.error(class::ARG, what))
            }
        }
    }

    fn error(&self, class: i32, what: impl Into<String>) -> Error {
        Error::new(class, what).on(On::Comm(self.comm.handle))
    }
}

impl InRounds for Partitioned {
    fn comm(&self) -> &Rc<Communicator> {
        &self.comm
    }

    fn start(self: Rc<Self>, runtime: &Runtime) -> Active {
        if let Some(end) = self.end {
            self.engine.proto().start_round(end);
        }
        if let Side::Send { ready, waiting, .. } = &self.side {
            ready.borrow_mut().fill(false);
            waiting.set(self.partitions);
            if self.partitions == 0 {
                self.hand_over(runtime, 0, 0);
            }
        }
        self.active.set(true);
        Active {
            comm: Some(self.comm.clone()),
            operation: Operation::Generalized(self),
        }
    }
}

impl Generalized for Partitioned {
    fn complete(&self, engine: &Engine) -> bool {
        match (self.end, &self.side) {
            (Some(end), _) => engine.proto().round_over(end),
            (None, Side::Send { waiting, .. }) => waiting.get() == 0,
            (None, Side::Receive) => true,
        }
    }

    fn finish(&self, runtime: &Runtime) -> Result<Status> {
        self.active.set(false);
        self.query(runtime)
    }

    fn query(&self, _: &Runtime) -> Result<Status> {
        match (self.end, &self.side) {
            (Some(end), _) => {
                let outcome = self.engine.proto().round_outcome(end);
                receive_result(outcome, &self.comm)
            }
            (None, Side::Send { .. }) => Ok(Status::EMPTY),
            (None, Side::Receive) => Ok(Status::PROC_NULL),
        }
    }

    fn cancel(&self, _: &Runtime) -> Result<()> {
        fail!(
            REQUEST,
            "a partitioned request cannot be cancelled while it is active"
        )
    }
}

impl Drop for Partitioned {
    fn drop(&mut self) {
        if let Some(end) = self.end {
            self.engine.proto().close(end);
        }
    }
}

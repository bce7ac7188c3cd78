//! How a call completes operations, by waiting or by testing (MPI-5.0, 3.7.3).
//!
//! One loop waits for anything: for an operation, a message, or a collective. Between two looks it makes progress,
//! and `waiting` says whether it spins, yields or sleeps next. A call that holds the lock of `MPI_THREAD_MULTIPLE`
//! waits in `threads` instead. Knows no object of MPI.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use crate::datatype::Data;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::matching::Pattern;
use crate::proto::{OpId, Outcome, Start};
use crate::runtime::Runtime;
use crate::sys;
use crate::transport::ProcId;
use crate::waiting::{MAX_SLEEP, Patience, Step};

/// The messages of a collective operation, as the wait for its end sees them.
pub trait Awaited {
    /// The operation looks again, and says anew what it waits for.
    fn look(&self);
    /// What it waits for outside of messages has come.
    fn woken(&self) -> bool;
    /// Why nobody should wait for it any longer.
    fn hopeless(&self) -> Option<Error>;
}

impl Runtime {
    /// One look for a call that only tests; returns whether it may have changed anything. On a shared core, a
    /// caller that tests in a loop must let the others run.
    #[inline]
    pub fn poll(&self, engine: &Engine) -> bool {
        // What most tests find: nothing.
        let alone = self.waiters.is_empty() && !self.is_polled();
        if engine.is_idle() && alone && engine.wait_state.tests_on() {
            return false;
        }
        self.poll_on(engine)
    }

    /// [`poll`](Self::poll) where it may find something, or has to let others run.
    #[inline(never)]
    fn poll_on(&self, engine: &Engine) -> bool {
        let moved = match self.waiters.is_empty() {
            true => self.progress(engine),
            false => self.progress_among_threads(engine),
        };
        if moved {
            engine.wait_state.found();
            return true;
        }
        let polled = self.is_polled();
        if polled {
            self.poll_operations(false);
        }
        if let Some(start) = engine.wait_state.tested(Instant::now) {
            self.outside(sys::yield_now);
            if engine.wait_state.yielded(start, Instant::now()) {
                self.part(engine);
            }
            // Other threads may have looked meanwhile.
            return true;
        }
        polled
    }

    /// Waits until `done` says so. `done` is asked after every change.
    #[inline]
    pub fn wait_until(&self, engine: &Engine, mut done: impl FnMut() -> bool) {
        let mut patience = engine.patience();
        self.wait_patiently(engine, &mut patience, &mut done);
    }

    #[inline]
    fn wait_patiently(
        &self,
        engine: &Engine,
        patience: &mut Patience,
        done: &mut impl FnMut() -> bool,
    ) {
        while !done() {
            if self.is_locked() {
                return self.wait_among_threads(engine, Some(patience), done);
            }
            if self.progress(engine) {
                patience.reset(&engine.wait_state);
                continue;
            }
            if self.is_polled() {
                // Only the application knows when they move on, so there is no sleeping.
                self.poll_operations(true);
                sys::yield_now();
                continue;
            }
            match patience.step(&engine.wait_state, Instant::now) {
                Step::Spin => std::hint::spin_loop(),
                Step::Yield => self.give_way(engine, patience),
                Step::Sleep => self.sleep(engine, done),
            }
        }
    }

    #[cold]
    fn give_way(&self, engine: &Engine, patience: &mut Patience) {
        engine.history.yielded();
        sys::yield_now();
        engine.proto().awake();
        if patience.yielded(&engine.wait_state, Instant::now()) {
            self.part(engine);
        }
    }

    /// Goes to another core than the ranks that share this one. Threads of one process are the application's
    /// to place.
    fn part(&self, engine: &Engine) {
        if !self.is_threaded() {
            sys::move_to_cpu(engine.local_rank);
        }
    }

    #[cold]
    fn sleep(&self, engine: &Engine, done: &mut dyn FnMut() -> bool) {
        let park = &engine.park;
        let ticket = park.prepare();
        if !engine.proto().pending() && !done() {
            let start = Instant::now();
            park.sleep(ticket, MAX_SLEEP);
            let took = start.elapsed();
            engine.history.slept(took);
            engine.wait_state.slept(took);
            engine.proto().awake();
        }
        park.awake();
    }

    /// Receives a message that is there, or comes at once, from the process that sends it, if that is known. Whoever gets
    /// nothing goes on with [`receive_now`](Self::receive_now).
    #[inline(always)]
    pub fn receive_at_once(
        &self,
        engine: &Engine,
        from: Option<ProcId>,
        pattern: &Pattern,
        data: &Data,
    ) -> Option<Outcome> {
        let alone = !self.is_locked() && !engine.has_onlookers();
        let looks = if alone { engine.wait_state.looks() } else { 1 };
        let mut proto = engine.proto();
        proto.receive_at_once(from?, pattern, data, looks)
    }

    /// Receives a message into `data` and waits for it.
    // By itself: what it needs registers for, a message that is there need not save.
    #[inline(never)]
    pub fn receive_now(&self, engine: &Engine, pattern: Pattern, data: Data) -> Outcome {
        let start = engine.proto().expect(pattern, data);
        match start {
            Start::Expected => {
                self.wait_until(engine, || engine.proto().expected_over());
                let outcome = engine.proto().take_expected();
                outcome.expect("it has just ended, and is ours")
            }
            Start::Ordinary(id) => self.wait_for(engine, id),
        }
    }

    /// Waits for one operation and takes its outcome.
    #[inline]
    pub fn wait_for(&self, engine: &Engine, id: OpId) -> Outcome {
        self.wait_until(engine, || engine.done(id));
        engine.take_outcome(id)
    }

    /// Runs a collective operation on `net` to its end, or until it is known to be hopeless. Without a net
    /// it consists of several.
    pub fn block_on(
        &self,
        engine: &Engine,
        net: Option<&impl Awaited>,
        operation: impl Future<Output = Result<()>>,
    ) -> Result<()> {
        let mut operation = pin!(operation);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            // Every completion is worth another look, also one that the future itself brings about by an
            // operation that it starts after its look.
            let seen = engine.completions();
            if let Some(net) = net {
                net.look();
            }
            if let Poll::Ready(result) = operation.as_mut().poll(&mut context) {
                return result;
            }
            if let Some(error) = net.and_then(Awaited::hopeless) {
                return Err(error);
            }
            let mut patience = engine.patience();
            self.wait_patiently(engine, &mut patience, &mut || {
                net.is_some_and(Awaited::woken) || engine.completions() != seen
            });
        }
    }
}

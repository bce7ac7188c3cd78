//! Collective operations that run beside the application's calls: those of `MPI_Ibcast` and its like.
//!
//! An operation is a future. Whoever makes progress polls it until it has ended. Knows no communicator and no message.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use crate::error::Result;

/// The future of a collective operation, on the heap.
pub type Task = Pin<Box<dyn Future<Output = Result<()>>>>;

/// A collective operation under way that nobody waits for in a call.
pub struct Background {
    task: RefCell<Option<Task>>,
    outcome: RefCell<Option<Result<()>>>,
    done: Cell<bool>,
}

impl Background {
    pub fn new(operation: Task) -> Background {
        Background {
            task: RefCell::new(Some(operation)),
            outcome: RefCell::new(None),
            done: Cell::new(false),
        }
    }

    /// Lets the operation go on as far as it can. Nothing happens within another call of this.
    pub fn poll(&self) {
        // Taken out while it runs: it may call a user's function, which may come back here.
        let Some(mut task) = self.task.borrow_mut().take() else {
            return;
        };
        let mut context = Context::from_waker(Waker::noop());
        match task.as_mut().poll(&mut context) {
            Poll::Pending => *self.task.borrow_mut() = Some(task),
            Poll::Ready(result) => {
                *self.outcome.borrow_mut() = Some(result);
                self.done.set(true);
            }
        }
    }

    pub fn done(&self) -> bool {
        self.done.get()
    }

    /// The result, once [`done`](Self::done).
    pub fn take_outcome(&self) -> Result<()> {
        self.outcome.borrow_mut().take().unwrap_or(Ok(()))
    }
}

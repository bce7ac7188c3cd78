//! How a process sleeps until something happens for it, and how others wake it (decision 6).
//!
//! Who wants to sleep [prepares](Park::prepare), looks once more at everything that it waits for, then
//! [sleeps](Park::sleep). Who has something for another process makes it visible, then [notifies](Waker::notify): one
//! load while that process is awake. A process sleeps on a word of shared memory as long as it waits for nothing
//! else. Once a link has [registered](Park::register) descriptors it sleeps on those and on a socket, and says so
//! beside the word. Who wakes it then sends to that socket. Knows neither what is waited for nor how long waiting
//! should take.

mod descriptors;

use std::io;
use std::os::fd::BorrowedFd;
use std::sync::OnceLock;
use std::time::Duration;

use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, Ordering, compiler_fence, fence};
use crate::sys;
use descriptors::Descriptors;

/// Who puts a waker's change in order before its look at whether the process sleeps.
mod order {
    /// The process has not said so yet: wakers use a fence, and look again.
    pub const UNKNOWN: u32 = 0;
    /// The process runs a barrier on all processors before it sleeps; wakers need no fence.
    pub const BARRIER: u32 = 1;
    /// The process cannot do that: wakers use a fence each time.
    pub const FENCE: u32 = 2;
}

/// How a thread of the process sleeps, or is about to.
mod asleep {
    pub const NO: u32 = 0;
    /// On the word.
    pub const WORD: u32 = 1;
    /// On descriptors, and on a socket for those that wake it.
    pub const DESCRIPTORS: u32 = 2;
}

/// What others see of a process that may sleep, in memory that they share with it. Valid when zero. It is written when the
/// process goes to sleep or is woken.
#[repr(C)]
pub struct Sleeper {
    /// Counts wake-ups; who sleeps on a word sleeps on this one.
    wakes: AtomicU32,
    /// One of [`asleep`]. The process and its wakers change it by swaps only, so that everybody sees the changes in one order.
    asleep: AtomicU32,
    /// One of [`order`].
    order: AtomicU32,
    /// Number in the name of the socket on which the process sleeps beside descriptors; 0: it has none.
    socket: AtomicU64,
}

/// Whether the system runs barriers for this process.
fn has_barriers() -> bool {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    *REGISTERED.get_or_init(sys::register_barriers)
}

impl Sleeper {
    /// What wakes the process. It need not have come yet: who comes looks before it sleeps.
    pub fn waker(&'static self) -> Waker {
        let order = match has_barriers() {
            true => self.order.load(Ordering::Acquire),
            false => order::FENCE,
        };
        Waker {
            sleeper: self,
            order,
        }
    }
}

/// Wakes one process if it sleeps.
pub struct Waker {
    sleeper: &'static Sleeper,
    order: u32,
}

impl Waker {
    /// To be called after every change that the process may sleep for: one load when it is awake.
    #[inline(always)]
    pub fn notify(&mut self) {
        self.notify_if(|| true);
    }

    /// [`notify`](Self::notify), where the change matters only to a process that sleeps if `matters` says so.
    #[inline(always)]
    pub fn notify_if(&mut self, matters: impl FnOnce() -> bool) {
        if self.order == order::BARRIER {
            compiler_fence(Ordering::SeqCst);
        } else {
            self.order_by_fence();
        }
        if self.sleeper.asleep.load(Ordering::Relaxed) != asleep::NO && matters() {
            self.wake();
        }
    }

    #[cold]
    fn order_by_fence(&mut self) {
        if self.order == order::UNKNOWN {
            self.order = self.sleeper.order.load(Ordering::Acquire);
        }
        fence(Ordering::SeqCst);
    }

    #[cold]
    fn wake(&self) {
        let sleeper = self.sleeper;
        let how = sleeper.asleep.swap(asleep::NO, Ordering::AcqRel);
        if how == asleep::NO {
            return;
        }
        sleeper.wakes.fetch_add(1, Ordering::AcqRel);
        if how == asleep::DESCRIPTORS {
            descriptors::send(sleeper.socket.load(Ordering::Acquire));
        } else {
            sys::futex_wake(&sleeper.wakes);
        }
        WOKEN.fetch_add(1, Ordering::Relaxed);
    }
}

/// How often this process has woken others.
static WOKEN: AtomicUsize = AtomicUsize::new(0);

/// How often this process has woken others.
#[inline(always)]
pub fn woken() -> usize {
    WOKEN.load(Ordering::Relaxed)
}

/// A sleep that has been prepared.
#[derive(Clone, Copy)]
pub struct Ticket {
    /// Wake-ups until then.
    seen: u32,
    /// One of [`asleep`].
    how: u32,
}

/// Where the threads of this process sleep, one of them at a time.
pub struct Park {
    sleeper: &'static Sleeper,
    barriers: bool,
    descriptors: OnceLock<Descriptors>,
    registered: AtomicUsize,
}

impl Park {
    /// For the process that others see there.
    pub fn new(sleeper: &'static Sleeper) -> Park {
        Park::ordered(sleeper, has_barriers())
    }

    fn ordered(sleeper: &'static Sleeper, barriers: bool) -> Park {
        let order = if barriers {
            order::BARRIER
        } else {
            order::FENCE
        };
        sleeper.order.store(order, Ordering::Release);
        Park {
            sleeper,
            barriers,
            descriptors: OnceLock::new(),
            registered: AtomicUsize::new(0),
        }
    }

    /// Tells the others that this process is about to sleep. Look once more after this, then [`sleep`](Self::sleep).
    pub fn prepare(&self) -> Ticket {
        let ticket = self.ticket();
        self.sleeper.asleep.swap(ticket.how, Ordering::SeqCst);
        // Our word must be visible before we look, and a sender's frame before it reads our word. The
        // sender has no fence on its fast path; the barrier on all processors stands in for it.
        fence(Ordering::SeqCst);
        if self.barriers {
            sys::barrier_everywhere();
        }
        ticket
    }

    /// For a sleep that this process itself ends, by [`wake`](Self::wake): others are told nothing.
    pub fn ticket(&self) -> Ticket {
        Ticket {
            seen: self.sleeper.wakes.load(Ordering::Acquire),
            how: match self.registered.load(Ordering::Relaxed) {
                0 => asleep::WORD,
                _ => asleep::DESCRIPTORS,
            },
        }
    }

    /// Sleeps until somebody wakes this process, a registered descriptor can be read or has failed, or `timeout` has
    /// passed. Returns at once if somebody has woken this process since the ticket was made. May return without a
    /// cause.
    pub fn sleep(&self, ticket: Ticket, timeout: Duration) {
        match self.descriptors.get() {
            Some(descriptors) if ticket.how == asleep::DESCRIPTORS => {
                if self.sleeper.wakes.load(Ordering::Acquire) == ticket.seen {
                    descriptors.sleep(timeout);
                }
            }
            _ => sys::futex_wait(&self.sleeper.wakes, ticket.seen, timeout),
        }
    }

    /// After [`prepare`](Self::prepare), when no thread of this process sleeps any more.
    pub fn awake(&self) {
        self.sleeper.asleep.swap(asleep::NO, Ordering::Relaxed);
    }

    /// Wakes the sleeping thread of this process.
    pub fn wake(&self) {
        self.sleeper.wakes.fetch_add(1, Ordering::AcqRel);
        sys::futex_wake(&self.sleeper.wakes);
        if let Some(descriptors) = self.descriptors.get() {
            descriptors::send(descriptors.name());
        }
    }

    /// From now on a descriptor that can be read, or has failed, ends a sleep.
    ///
    /// # Errors
    /// The system has no descriptor left, or cannot wait for this one, or has it already.
    pub fn register(&self, descriptor: BorrowedFd<'_>) -> io::Result<()> {
        let descriptors = match self.descriptors.get() {
            Some(descriptors) => descriptors,
            None => {
                let new = Descriptors::new()?;
                self.sleeper.socket.store(new.name(), Ordering::Release);
                self.descriptors.get_or_init(|| new)
            }
        };
        descriptors.add(descriptor)?;
        self.registered.fetch_add(1, Ordering::Relaxed);
        // Who sleeps on the word goes to sleep anew.
        self.wake();
        Ok(())
    }

    /// A registered descriptor, still open, no longer ends sleeps.
    ///
    /// # Errors
    /// It is not registered.
    pub fn forget(&self, descriptor: BorrowedFd<'_>) -> io::Result<()> {
        let Some(descriptors) = self.descriptors.get() else {
            return Err(io::ErrorKind::NotFound.into());
        };
        descriptors.remove(descriptor)?;
        self.registered.fetch_sub(1, Ordering::Relaxed);
        Ok(())
    }
}

#[cfg(all(test, loom))]
mod loom_tests;
#[cfg(all(test, not(loom)))]
mod tests;

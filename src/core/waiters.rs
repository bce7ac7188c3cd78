//! The threads of this process that wait without the lock, at `MPI_THREAD_MULTIPLE`.
//!
//! A waiting thread leaves its condition in a list. Whoever polls asks every condition, and tells each thread that has
//! what it waits for. All of [`Waiters`] is touched by the thread that holds the lock. Neither takes the lock nor
//! makes progress: that is `threads`' to do.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};

use crate::park::Park;
use crate::sync::{AtomicU32, Ordering};
use crate::sys;

/// What a waiting thread is about, in its word.
pub mod state {
    /// Awake: it looks by itself.
    pub const AWAKE: u32 = 0;
    /// Asleep until its word changes.
    pub const ASLEEP: u32 = 1;
    /// Asleep until this process is woken.
    pub const WATCH: u32 = 2;
    /// It has what it waits for.
    pub const FOUND: u32 = 3;
}

/// A thread that waits without the lock. It stays in the list until it has the lock again.
pub struct Waiter {
    pub word: AtomicU32,
    /// Asked under the lock by whoever polls, until it says yes for the first time.
    done: *mut (dyn FnMut() -> bool + 'static),
}

/// The threads that wait without the lock.
pub struct Waiters {
    list: RefCell<Vec<*const Waiter>>,
    /// One of them keeps watch.
    pub watched: Cell<bool>,
    /// Other processes are to wake the watch, because no thread polls.
    pub armed: Cell<bool>,
    /// The watch looks by itself now and then, because threads poll again and again: to arm it after each time
    /// would interrupt all processors.
    pub attentive: Cell<bool>,
    /// Threads have polled since the watch looked.
    pub polled: Cell<bool>,
}

impl Waiters {
    pub const fn new() -> Waiters {
        Waiters {
            list: RefCell::new(Vec::new()),
            watched: Cell::new(false),
            armed: Cell::new(false),
            attentive: Cell::new(false),
            polled: Cell::new(false),
        }
    }

    /// How many of them use a processor.
    pub fn awake(&self) -> usize {
        let mut awake = 0;
        self.any(|waiter| {
            let state = waiter.word.load(Ordering::Relaxed);
            awake += usize::from(state != state::ASLEEP && state != state::WATCH);
            false
        });
        awake
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.list.borrow().is_empty()
    }

    /// Takes a thread into the list. The caller holds the lock.
    ///
    /// # Safety
    /// Until the waiter is [removed](Self::remove), it stays where it is, its condition lives, and nobody else asks
    /// that.
    pub unsafe fn add(&self, waiter: &Waiter) {
        self.list.borrow_mut().push(waiter);
    }

    /// Takes a thread out of the list. The caller holds the lock.
    pub fn remove(&self, waiter: &Waiter) {
        let me: *const Waiter = waiter;
        self.list.borrow_mut().retain(|&other| other != me);
    }

    /// Calls `each` for the waiters until it says that this is enough.
    pub fn any(&self, mut each: impl FnMut(&Waiter) -> bool) -> bool {
        self.list.borrow().iter().any(|&waiter| {
            // SAFETY: a waiter leaves the list before it ends, and it needs the lock for that.
            each(unsafe { &*waiter })
        })
    }

    /// Asks all conditions, and tells the threads that have what they wait for.
    pub fn look(&self, park: &Park) {
        self.any(|waiter| {
            if waiter.word.load(Ordering::Relaxed) != state::FOUND {
                // SAFETY: the condition lives as long as the waiter; its thread asks it under the lock
                // only, which is ours.
                let done = unsafe { (*waiter.done)() };
                if done {
                    waiter.tell(state::FOUND, park);
                }
            }
            false
        });
    }

    /// Somebody begins to poll: the watch need not be woken from outside.
    pub fn disarm(&self, park: &Park) {
        self.polled.set(true);
        if self.armed.replace(false) {
            park.awake();
        }
    }

    /// Whoever holds the lock polls no longer: another waiting thread must, or be woken for it.
    pub fn pass_on(&self, park: &Park) {
        if self.any(|waiter| waiter.word.load(Ordering::Relaxed) == state::AWAKE) {
            return;
        }
        if !self.watched.get() {
            self.any(|waiter| {
                let asleep = waiter.word.load(Ordering::Relaxed) == state::ASLEEP;
                if asleep {
                    waiter.tell(state::AWAKE, park);
                }
                asleep
            });
        } else if !self.armed.get() && !self.attentive.replace(true) {
            park.wake();
        }
    }
}

impl Default for Waiters {
    fn default() -> Self {
        Self::new()
    }
}

impl Waiter {
    /// A thread in a [state] that waits for a condition.
    pub(crate) fn new(state: u32, done: *mut (dyn FnMut() -> bool + '_)) -> Waiter {
        Waiter {
            word: AtomicU32::new(state),
            // SAFETY: only the lifetime changes; whoever adds the waiter to the list vouches for the condition.
            done: unsafe {
                std::mem::transmute::<
                    *mut (dyn FnMut() -> bool + '_),
                    *mut (dyn FnMut() -> bool + 'static),
                >(done)
            },
        }
    }

    pub fn tell(&self, news: u32, park: &Park) {
        match self.word.swap(news, Ordering::Release) {
            state::ASLEEP => sys::futex_wake(&self.word),
            state::WATCH => park.wake(),
            _ => (),
        }
    }

    pub fn found(&self) -> bool {
        self.word.load(Ordering::Acquire) == state::FOUND
    }
}

//! Waiting at `MPI_THREAD_MULTIPLE`: one thread polls for all.
//!
//! The thread that polls keeps the lock while it does, until another thread wants in. Whoever waits without the
//! lock has left its condition in a list: the one that polls asks every condition and tells each thread
//! that has what it waits for, so that nobody else wakes up, and nobody takes the lock to look in vain.
//! Threads that wait for long sleep, each on a word of its own but for one, the watch, which sleeps where
//! other processes wake this one. As long as threads wait, one of them polls or keeps watch.
//!
//! All of [`Waiters`] is touched by the thread that holds the lock. Below `MPI_THREAD_MULTIPLE` nothing here
//! is used.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::park::{Park, Ticket};
use crate::runtime::Runtime;
use crate::sync::{AtomicU32, Ordering};
use crate::sys;
use crate::waiting::{NAP, Patience, Step};

/// What a waiting thread is about, in its word.
mod state {
    /// Awake: it looks by itself.
    pub const AWAKE: u32 = 0;
    /// Asleep until its word changes.
    pub const ASLEEP: u32 = 1;
    /// Asleep until this process is woken.
    pub const WATCH: u32 = 2;
    /// It has what it waits for.
    pub const FOUND: u32 = 3;
}

/// Pauses of the processor between tries to get the lock back, about a microsecond: whoever was let in often makes
/// one call after the other.
const PAUSES: u32 = 32;
/// Tries without the lock before the processor goes to somebody else.
const TRIES: u32 = 8;
/// Times that a thread without the lock lets the processor go to others before it asks for the lock.
const YIELDS: u32 = 20;

/// Polls of a thread before it lets the processor go to others, where there are more waiting threads than processors: a few
/// microseconds, about what two changes of threads cost. An answer from another processor mostly comes sooner.
const CROWDED_SPINS: u32 = 60;
/// How often it does so before it sleeps: who polls keeps the processor from those whom it has just told that they have
/// what they wait for.
const CROWDED_YIELDS: u32 = 10;

/// So often does an attentive watch look whether threads still poll.
const ATTENTION: Duration = Duration::from_micros(200);

/// A thread that waits without the lock. It stays in the list until it has the lock again.
struct Waiter {
    word: AtomicU32,
    /// Asked under the lock by whoever polls, until it says yes for the first time.
    done: *mut (dyn FnMut() -> bool + 'static),
}

/// The threads that wait without the lock.
pub struct Waiters {
    list: RefCell<Vec<*const Waiter>>,
    /// One of them keeps watch.
    watched: Cell<bool>,
    /// Other processes are to wake the watch, because no thread polls.
    armed: Cell<bool>,
    /// The watch looks by itself now and then, because threads poll again and again: to arm it after each time
    /// would interrupt all processors.
    attentive: Cell<bool>,
    /// Threads have polled since the watch looked.
    polled: Cell<bool>,
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
    fn awake(&self) -> usize {
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

    /// Calls `each` for the waiters until it says that this is enough.
    fn any(&self, mut each: impl FnMut(&Waiter) -> bool) -> bool {
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
    fn disarm(&self, park: &Park) {
        self.polled.set(true);
        if self.armed.replace(false) {
            park.awake();
        }
    }

    /// Whoever holds the lock polls no longer: another waiting thread must, or be woken for it.
    fn pass_on(&self, engine: &Engine) {
        if self.any(|waiter| waiter.word.load(Ordering::Relaxed) == state::AWAKE) {
            return;
        }
        let park = &engine.park;
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
    fn tell(&self, news: u32, park: &Park) {
        match self.word.swap(news, Ordering::Release) {
            state::ASLEEP => sys::futex_wake(&self.word),
            state::WATCH => park.wake(),
            _ => (),
        }
    }

    fn found(&self) -> bool {
        self.word.load(Ordering::Acquire) == state::FOUND
    }
}

/// How a thread spends its time without the lock.
enum Pause {
    /// It lets those in that want in.
    Short,
    /// It lets others have the processor first.
    Yield,
    Asleep,
    /// Asleep where other processes wake this one.
    Watch(Ticket),
    /// Asleep there too, but other processes need not: it looks by itself.
    Attend,
}

impl Runtime {
    /// Waits until `done` says so, for a call that holds the lock. Without patience it sleeps whenever there is
    /// nothing to do, and leaves to others what only the application can move.
    pub fn wait_among_threads(
        &self,
        engine: &Engine,
        mut patience: Option<&mut Patience>,
        mut done: &mut dyn FnMut() -> bool,
    ) {
        let waiters = &self.waiters;
        let mut idle = 0;
        // With less than one for each process, whoever is to answer may well wait for this one.
        let spins = match engine.cpus >= engine.local_size.max(2) {
            true => CROWDED_SPINS,
            false => 0,
        };
        loop {
            waiters.disarm(&engine.park);
            let moved = self.progress(engine);
            if !waiters.is_empty() {
                waiters.look(&engine.park);
            }
            if done() {
                break;
            }
            if patience.is_some() && self.is_polled() {
                // Only the application knows when they move on, so there is no sleeping.
                self.poll_operations(true);
                if self.pause(engine, None, &mut done, Pause::Yield) {
                    break;
                }
                continue;
            }
            let others = waiters.awake();
            if let Some(patience) = &mut patience
                && moved
                && others == 0
            {
                patience.reset(&engine.wait_state);
            }
            let crowded = others > 0 && engine.local_size * (others + 1) > engine.cpus;
            let step = if crowded && patience.is_some() {
                idle += 1;
                if idle <= spins {
                    Step::Spin
                } else if idle <= spins + CROWDED_YIELDS {
                    Step::Yield
                } else {
                    Step::Sleep
                }
            } else if moved {
                Step::Spin
            } else if let Some(patience) = &mut patience {
                patience.step(&engine.wait_state, Instant::now)
            } else {
                Step::Sleep
            };
            let pause = match step {
                Step::Spin if !self.wanted() => {
                    std::hint::spin_loop();
                    continue;
                }
                Step::Spin => Pause::Short,
                Step::Yield => {
                    engine.history.yielded();
                    Pause::Yield
                }
                Step::Sleep => match self.fall_asleep(engine) {
                    Some(pause) => pause,
                    None => continue,
                },
            };
            if self.pause(engine, patience.as_deref_mut(), &mut done, pause) {
                break;
            }
        }
        if !waiters.watched.get() {
            waiters.attentive.set(false);
        }
        if !waiters.is_empty() {
            waiters.pass_on(engine);
        }
    }

    /// Where the running thread is to sleep; `None` when there is something to do.
    fn fall_asleep(&self, engine: &Engine) -> Option<Pause> {
        let waiters = &self.waiters;
        let awake = waiters.any(|waiter| waiter.word.load(Ordering::Relaxed) == state::AWAKE);
        if awake || waiters.watched.get() {
            if !awake && waiters.attentive.replace(false) {
                // From now on other processes wake the watch, which sees that nobody polls any more.
                waiters.polled.set(false);
                engine.park.wake();
            } else if !awake {
                waiters.pass_on(engine);
            }
            return Some(Pause::Asleep);
        }
        if waiters.attentive.get() {
            waiters.watched.set(true);
            return Some(Pause::Attend);
        }
        let ticket = engine.park.prepare();
        waiters.armed.set(true);
        if engine.proto().pending() {
            return None;
        }
        waiters.watched.set(true);
        Some(Pause::Watch(ticket))
    }

    /// Spends some time without the lock. Says whether the thread has what it waits for.
    fn pause(
        &self,
        engine: &Engine,
        patience: Option<&mut Patience>,
        done: &mut &mut dyn FnMut() -> bool,
        pause: Pause,
    ) -> bool {
        let done: *mut (dyn FnMut() -> bool + '_) = *done;
        let waiter = Waiter {
            word: AtomicU32::new(match pause {
                Pause::Short | Pause::Yield => state::AWAKE,
                Pause::Asleep => state::ASLEEP,
                Pause::Watch(_) | Pause::Attend => state::WATCH,
            }),
            // SAFETY: only the lifetime changes; the waiter leaves the list before this function returns,
            // and nobody asks afterwards.
            done: unsafe {
                std::mem::transmute::<
                    *mut (dyn FnMut() -> bool + '_),
                    *mut (dyn FnMut() -> bool + 'static),
                >(done)
            },
        };
        let waiters = &self.waiters;
        waiters.list.borrow_mut().push(&raw const waiter);
        engine.look_on(true);
        // The last look of a sleeper is the one at its own condition, which shared memory may have changed.
        if let Pause::Watch(_) = pause {
            waiters.look(&engine.park);
        }
        let park = &engine.park;
        let mut yielded = None;
        self.release();
        match pause {
            Pause::Short => self.come_back(&waiter),
            Pause::Yield => {
                sys::yield_now();
                yielded = Some(Instant::now());
                self.come_back(&waiter);
            }
            Pause::Asleep => {
                let start = Instant::now();
                sys::futex_wait(&waiter.word, state::ASLEEP, NAP);
                self.acquire();
                engine.history.slept(start.elapsed());
            }
            Pause::Watch(ticket) => {
                let start = Instant::now();
                park.sleep(ticket, NAP);
                self.acquire();
                engine.history.slept(start.elapsed());
            }
            Pause::Attend => self.attend(&waiter, park),
        }
        engine.look_on(false);
        if let (Some(now), Some(patience)) = (yielded, patience) {
            // Threads of one process are the application's to place.
            let _ = patience.yielded(&engine.wait_state, now);
        }
        if let Pause::Watch(_) | Pause::Attend = pause {
            waiters.watched.set(false);
            waiters.disarm(park);
        }
        let me = &raw const waiter;
        waiters.list.borrow_mut().retain(|&other| other != me);
        waiter.found()
    }

    /// Sleeps until threads have stopped to poll, or this one has what it waits for.
    fn attend(&self, waiter: &Waiter, park: &Park) {
        loop {
            let ticket = park.ticket();
            if waiter.found() {
                return self.acquire();
            }
            park.sleep(ticket, ATTENTION);
            if self.acquire_unwanted() {
                if !self.waiters.polled.replace(false) {
                    return self.waiters.attentive.set(false);
                }
                self.release();
            }
        }
    }

    /// For calls that only test: as [`progress`](Self::progress), as a thread that polls.
    #[cold]
    pub fn progress_among_threads(&self, engine: &Engine) -> bool {
        let waiters = &self.waiters;
        waiters.disarm(&engine.park);
        let moved = self.progress(engine);
        waiters.look(&engine.park);
        waiters.pass_on(engine);
        moved
    }

    /// Takes the lock again when nobody else wants it, or once it is known that this thread has what it waits for.
    fn come_back(&self, waiter: &Waiter) {
        for _ in 0..YIELDS {
            for _ in 0..TRIES {
                for _ in 0..PAUSES {
                    if waiter.found() {
                        return self.acquire();
                    }
                    std::hint::spin_loop();
                }
                if self.acquire_unwanted() {
                    return;
                }
            }
            sys::yield_now();
        }
        self.acquire();
    }
}

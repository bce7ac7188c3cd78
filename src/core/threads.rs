//! Waiting at `MPI_THREAD_MULTIPLE`: one thread polls for all (decision 3).
//!
//! The thread that polls keeps the lock until another thread wants it. Whoever waits without the lock has left its
//! condition in a list. The thread that polls asks every condition, and tells each thread that has what it waits
//! for. So nobody else wakes up, and nobody takes the lock to look in vain. Threads that wait for long sleep, each
//! on a word of its own. One, the watch, sleeps where other processes wake this one. As long as threads wait, one
//! of them polls or keeps watch.
//!
//! Below `MPI_THREAD_MULTIPLE` nothing here is used.
#![allow(unsafe_code)]

use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::park::{Park, Ticket};
use crate::runtime::Runtime;
use crate::sync::Ordering;
use crate::sys;
use crate::waiters::{Waiter, state};
use crate::waiting::{MAX_SLEEP, Patience, Step};

/// Pauses of the processor between tries to get the lock back. A thread that has just got it often makes one call
/// after the other.
const PAUSES: u32 = 32;
/// Tries without the lock before the processor goes to somebody else.
const TRIES: u32 = 8;
/// Times that a thread without the lock lets the processor go to others before it asks for the lock.
const YIELDS: u32 = 20;

/// Polls of a thread before it lets the processor go to others, where there are more waiting threads than processors.
/// They take about as long as two changes of threads. An answer from another processor mostly comes sooner.
const CROWDED_SPINS: u32 = 60;
/// How often it does so before it sleeps: who polls keeps the processor from those whom it has just told that they have
/// what they wait for.
const CROWDED_YIELDS: u32 = 10;

/// So often does an attentive watch look whether threads still poll.
const ATTENTION: Duration = Duration::from_micros(200);

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
            waiters.pass_on(&engine.park);
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
                waiters.pass_on(&engine.park);
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
        let state = match pause {
            Pause::Short | Pause::Yield => state::AWAKE,
            Pause::Asleep => state::ASLEEP,
            Pause::Watch(_) | Pause::Attend => state::WATCH,
        };
        let waiter = Waiter::new(state, *done);
        let waiters = &self.waiters;
        // SAFETY: this function removes it before it returns, and does not ask its condition itself.
        unsafe { waiters.add(&waiter) };
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
                sys::futex_wait(&waiter.word, state::ASLEEP, MAX_SLEEP);
                self.acquire();
                engine.history.slept(start.elapsed());
            }
            Pause::Watch(ticket) => {
                let start = Instant::now();
                park.sleep(ticket, MAX_SLEEP);
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
        match pause {
            Pause::Watch(_) | Pause::Attend => {
                waiters.watched.set(false);
                waiters.disarm(park);
                engine.proto().awake();
            }
            Pause::Yield => engine.proto().awake(),
            Pause::Short | Pause::Asleep => (),
        }
        waiters.remove(&waiter);
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
        waiters.pass_on(&engine.park);
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

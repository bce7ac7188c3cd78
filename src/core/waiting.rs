//! How a process waits: spin while that pays, then yield, then sleep.
//!
//! With a core for itself a waiter spins: the answer is mostly under way, and nobody else wants the core. On a shared
//! core spinning keeps away those whom it waits for, so it yields almost at once. Nobody has to say which is the
//! case. A yield that comes back at once found nobody else. One that takes longer mostly let somebody run, which the
//! system can be asked. One that takes very long gave a time slice to a process outside of the job, which never
//! waits. Then sleeping is better, because the system prefers a process that has just been woken. Whoever waits for
//! long sleeps in any case. But many processes may sleep in a chain, each until the one before it has been woken. To
//! wake them all takes longer than the next wait yields, so all would go on sleeping. So a process that has slept
//! shortly yields for longer the next time.
//!
//! Knows neither what is waited for nor the clock: callers tell the time.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::config::{self, Settings};
use crate::error::{Error, Result, class};

/// A sleeping process looks again by itself after this long. Wake-ups do not depend on it.
pub const MAX_SLEEP: Duration = Duration::from_millis(200);

/// A yield that takes longer let somebody else run. By itself it costs a system call; two changes of process with
/// something between them cost more than this. Where there is a processor for each process, the system is asked
/// whether that is so. On a virtual machine a yield to nobody may now and then take as long.
const SHARED: Duration = Duration::from_nanos(800);
/// A yield that takes longer is a *long yield*, to a process outside of the job: other ranks that wait give the core
/// back sooner.
const LONG_YIELD: Duration = Duration::from_millis(1);
/// Long yields in a row that lengthen the time without yields after the latest, to twice as long and more.
const LONG_YIELDS: u32 = 5;
/// The same with more processes than processors, where the others may just have had long data to copy.
const CROWDED_LONG_YIELDS: u32 = 2;
/// Yields in a row to other ranks after which a process that has a core of its own goes there. The system would part
/// the two as well, but takes long to do so, since both have always just run.
const MAX_SHARED_YIELDS: u32 = 100;
/// A process yields at most so many times as long as the settings say before it sleeps. One that has slept for less
/// than that should have yielded.
const MOST_PATIENT: u32 = 32;
/// Polls before the first yield where a core is known to be shared: a message may just have come.
const SHARED_SPINS: u32 = 2;

/// The numbers for one process.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Most polls before the first yield.
    pub spins: u32,
    /// How long to yield before sleeping.
    pub yields: Duration,
    /// More processes than processors.
    pub crowded: bool,
}

impl Policy {
    /// For `processes` processes on this node that share `cpus` processors.
    ///
    /// # Errors
    /// A knob that is set to something else than a number.
    pub fn new(processes: usize, cpus: usize, settings: &Settings) -> Result<Policy> {
        let crowded = processes > cpus;
        let read = |knob: &config::Knob| {
            let value = settings.value(knob);
            value.map_err(|what| Error::new(class::OTHER, what))
        };
        let spins = read(if crowded {
            &config::CROWDED_SPIN
        } else {
            &config::SPIN
        })?;
        Ok(Policy {
            spins: spins.min(u32::MAX.into()) as u32,
            yields: Duration::from_micros(read(&config::SLEEP)?),
            crowded,
        })
    }
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Spin,
    Yield,
    Sleep,
}

/// The policy of a process, and what its waits have taught it.
pub struct WaitState {
    policy: Cell<Policy>,
    /// Polls before the first yield.
    spins: Cell<u32>,
    /// Yields to other ranks in a row, and how many of them are too many.
    shared: Cell<u32>,
    max_shared: Cell<u32>,
    /// How often the running thread has given up its processor, or lost it; 0 where the system does not say.
    switches: fn() -> u64,
    /// The latest such number.
    switched: Cell<u64>,
    /// How long to yield before sleeping.
    patience: Cell<Duration>,
    /// Whether the latest sleep began since all that time had passed.
    has_yielded: Cell<bool>,
    /// How often this process had woken others when a wait began.
    woken: Cell<usize>,
    /// Long yields in a row.
    long_yields: Cell<u32>,
    /// No yields before this time.
    no_yields_before: Cell<Option<Instant>>,
    /// Tests in a row, over all calls, that found nothing.
    tests: Cell<u32>,
}

impl WaitState {
    pub fn new(policy: Policy, switches: fn() -> u64) -> WaitState {
        let wait_state = WaitState {
            policy: Cell::new(policy),
            spins: Cell::new(0),
            shared: Cell::new(0),
            max_shared: Cell::new(MAX_SHARED_YIELDS),
            switches,
            switched: Cell::new(0),
            patience: Cell::new(Duration::ZERO),
            has_yielded: Cell::new(false),
            woken: Cell::new(0),
            long_yields: Cell::new(0),
            no_yields_before: Cell::new(None),
            tests: Cell::new(0),
        };
        wait_state.adopt(policy);
        wait_state
    }

    /// Starts over with another policy.
    pub fn adopt(&self, policy: Policy) {
        self.policy.set(policy);
        self.no_yields_before.set(None);
        self.patience.set(policy.yields);
        self.spins.set(match policy.crowded {
            true => policy.spins.min(SHARED_SPINS),
            false => policy.spins,
        });
    }

    /// More processes than processors.
    pub fn crowded(&self) -> bool {
        self.policy.get().crowded
    }

    /// Looks at one number in memory, with a pause between them, before anything else is done: about as long as spinning
    /// pays, and one at least.
    #[inline(always)]
    pub fn looks(&self) -> u32 {
        self.spins.get() / 16 + 1
    }

    /// A wait begins, and this process has woken others so often.
    #[inline(always)]
    pub fn begins(&self, woken: usize) {
        if woken != self.woken.get() {
            self.woken.set(woken);
            self.may_share_core();
        }
    }

    /// This process has woken another one, or was woken. The system prefers to run a process where it was woken from,
    /// so the two may share a core now.
    pub fn may_share_core(&self) {
        self.spins.set(self.spins.get().min(SHARED_SPINS));
    }

    /// This process has been woken after it has slept for so long.
    pub fn slept(&self, took: Duration) {
        self.may_share_core();
        if self.has_yielded.get() {
            let least = self.policy.get().yields;
            let most = least * MOST_PATIENT;
            self.patience.set(match took < most {
                true => most.min(self.patience.get() * 2),
                false => least,
            });
        }
    }

    /// A yield from `start` to `end`. Says whether to go to a core of one's own.
    #[must_use]
    pub fn yielded(&self, start: Instant, end: Instant) -> bool {
        let took = end.duration_since(start);
        let long_yields = self.long_yields.replace(0);
        let shared = self.shared.replace(0);
        if !self.let_run(took) {
            self.max_shared.set(MAX_SHARED_YIELDS);
            let more = self.spins.get().saturating_mul(2).max(SHARED_SPINS);
            self.spins.set(more.min(self.policy.get().spins));
        } else if took < LONG_YIELD {
            self.spins.set(self.policy.get().spins.min(SHARED_SPINS));
            if shared + 1 == self.max_shared.get() {
                // Less and less often, if it does not help.
                self.max_shared.set(self.max_shared.get().saturating_mul(2));
                return !self.crowded();
            }
            self.shared.set(shared + 1);
        } else {
            self.spins.set(self.policy.get().spins);
            let most = match self.crowded() {
                true => CROWDED_LONG_YIELDS,
                false => LONG_YIELDS,
            };
            self.long_yields.set((long_yields + 1).min(most));
            self.no_yields_before
                .set(Some(end + took * ((1 << long_yields) - 1)));
        }
        false
    }

    /// Whether a yield that `took` so long has let somebody else run.
    fn let_run(&self, took: Duration) -> bool {
        if took < SHARED || took >= LONG_YIELD || self.crowded() {
            return took >= SHARED;
        }
        let switches = (self.switches)();
        switches == 0 || switches != self.switched.replace(switches)
    }

    /// Whether a yield is likely to be a long one.
    fn would_be_long(&self, now: Instant) -> bool {
        let would_be_long = self.no_yields_before.get().is_some_and(|until| now < until);
        if !would_be_long {
            self.no_yields_before.set(None);
        }
        would_be_long
    }

    /// A call that only tests has found nothing: whether it may return at once, as there have been few of them in a row.
    #[inline(always)]
    pub fn tests_on(&self) -> bool {
        let tests = self.tests.get();
        let on = tests < self.spins.get();
        if on {
            self.tests.set(tests + 1);
        }
        on
    }

    /// A call that only tests has found nothing: whether it should [yield](WaitState::yielded) before it
    /// returns, because it may be called in a loop.
    #[inline]
    pub fn tested(&self, clock: impl FnOnce() -> Instant) -> Option<Instant> {
        if self.tests_on() {
            return None;
        }
        self.tests.set(0);
        let now = clock();
        (!self.would_be_long(now)).then_some(now)
    }

    /// A test has found something.
    #[inline(always)]
    pub fn found(&self) {
        self.tests.set(0);
    }
}

/// One wait.
pub struct Patience {
    /// Polls that are left.
    spins: u32,
    /// When yielding began, and when the latest yield ended.
    yields: Option<(Instant, Instant)>,
}

impl Patience {
    #[inline(always)]
    pub fn new(wait_state: &WaitState) -> Patience {
        Patience {
            spins: wait_state.spins.get(),
            yields: None,
        }
    }

    /// Something happened: start over.
    #[inline(always)]
    pub fn reset(&mut self, wait_state: &WaitState) {
        *self = Patience::new(wait_state);
    }

    /// Nothing happened: what now?
    #[inline(always)]
    pub fn step(&mut self, wait_state: &WaitState, clock: impl FnOnce() -> Instant) -> Step {
        if self.spins > 0 {
            self.spins -= 1;
            Step::Spin
        } else {
            self.stop_spinning(wait_state, clock)
        }
    }

    #[cold]
    fn stop_spinning(&mut self, wait_state: &WaitState, clock: impl FnOnce() -> Instant) -> Step {
        let (start, latest) = *self.yields.get_or_insert_with(|| {
            let now = clock();
            (now, now)
        });
        let outsiders = (latest > start && wait_state.long_yields.get() > 0)
            || wait_state.would_be_long(latest);
        if outsiders || latest - start >= wait_state.patience.get() {
            wait_state.has_yielded.set(!outsiders);
            Step::Sleep
        } else {
            Step::Yield
        }
    }

    /// After a yield, and nothing else since the step before it. Says whether to go to a core of one's own.
    #[cold]
    #[must_use]
    pub fn yielded(&mut self, wait_state: &WaitState, now: Instant) -> bool {
        let Some((start, latest)) = self.yields else {
            return false;
        };
        self.yields = Some((start, now));
        wait_state.yielded(latest, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: Duration = Duration::from_nanos(300);
    const SWITCH: Duration = Duration::from_micros(3);
    const SLICE: Duration = Duration::from_millis(4);

    thread_local! {
        static SWITCHES: Cell<u64> = const { Cell::new(0) };
    }

    fn wait_state(spins: u32, crowded: bool) -> WaitState {
        WaitState::new(
            Policy {
                spins,
                yields: Duration::from_micros(100),
                crowded,
            },
            || SWITCHES.get(),
        )
    }

    /// Waits for ever while every yield takes as long as `took` says: how many polls and yields there are
    /// before the first sleep, and when that is.
    fn wait(wait_state: &WaitState, mut now: Instant, took: Duration) -> (u32, u32, Instant) {
        let mut patience = Patience::new(wait_state);
        let (mut polls, mut yields) = (0, 0);
        loop {
            match patience.step(wait_state, || now) {
                Step::Spin => {
                    assert_eq!(yields, 0, "who has yielded once does not spin again");
                    polls += 1;
                }
                Step::Yield => {
                    yields += 1;
                    now += took;
                    assert!(!patience.yielded(wait_state, now));
                }
                Step::Sleep => return (polls, yields, now),
            }
        }
    }

    #[test]
    fn spins_then_yields_then_sleeps() {
        let wait_state = wait_state(50, false);
        let now = Instant::now();
        let mut patience = Patience::new(&wait_state);
        for _ in 0..50 {
            assert_eq!(
                patience.step(&wait_state, || panic!("spinning asks no clock")),
                Step::Spin
            );
        }
        assert_eq!(patience.step(&wait_state, || now), Step::Yield);
        assert!(!patience.yielded(&wait_state, now + Duration::from_micros(99)));
        assert_eq!(patience.step(&wait_state, || now), Step::Yield);
        assert!(!patience.yielded(&wait_state, now + Duration::from_micros(100)));
        assert_eq!(patience.step(&wait_state, || now), Step::Sleep);
        assert_eq!(patience.step(&wait_state, || now), Step::Sleep);
        patience.reset(&wait_state);
        assert_eq!(patience.step(&wait_state, || now), Step::Spin);
    }

    #[test]
    fn yields_that_let_others_run_end_the_spinning_and_empty_ones_bring_it_back() {
        let wait_state = wait_state(2000, false);
        let now = Instant::now();
        assert_eq!(wait(&wait_state, now, SWITCH).0, 2000);
        assert_eq!(wait(&wait_state, now, SWITCH).0, SHARED_SPINS);
        assert_eq!(wait_state.looks(), 1);
        // The core is free again: one wait finds out.
        assert_eq!(wait(&wait_state, now, EMPTY).0, SHARED_SPINS);
        assert_eq!(wait(&wait_state, now, EMPTY).0, 2000);
        assert_eq!(wait_state.looks(), 126);
    }

    #[test]
    fn who_has_woken_another_lets_it_run() {
        let wait_state = wait_state(2000, false);
        let now = Instant::now();
        wait_state.begins(1);
        assert_eq!(wait(&wait_state, now, EMPTY).0, SHARED_SPINS);
        // It had a core of its own.
        wait_state.begins(1);
        assert_eq!(wait(&wait_state, now, EMPTY).0, 2000);
        // So does who has been woken.
        wait_state.may_share_core();
        assert_eq!(wait(&wait_state, now, EMPTY).0, SHARED_SPINS);
    }

    #[test]
    fn short_sleeps_make_patient_and_long_ones_impatient() {
        let wait_state = wait_state(50, true);
        let us = Duration::from_micros;
        // The time until the next sleep.
        let patience = |took| {
            let now = Instant::now();
            let waited = wait(&wait_state, now, took).2 - now;
            waited.as_micros() as u64
        };
        assert_eq!(patience(us(1)), 100);
        for expected in [200, 400, 800, 1600, 3200, 3200] {
            wait_state.slept(us(3199));
            assert_eq!(patience(us(1)), expected);
        }
        // Beside a process outside of the job sleeping is right.
        assert_eq!(patience(SLICE), 4000);
        for took in [10, 3200] {
            wait_state.slept(us(took));
            assert_eq!(wait_state.patience.get(), us(3200));
        }
        wait_state.adopt(wait_state.policy.get());
        assert_eq!(patience(us(1)), 100);
        wait_state.slept(us(1));
        assert_eq!(patience(us(1)), 200);
        wait_state.slept(us(3200));
        assert_eq!(patience(us(1)), 100);
    }

    #[test]
    fn a_slow_yield_to_nobody_shares_no_core() {
        let now = Instant::now();
        let own = wait_state(2000, false);
        SWITCHES.set(7);
        // There may have been any number of them before the first.
        assert!(!own.yielded(now, now + SWITCH));
        assert_eq!(own.spins.get(), SHARED_SPINS);
        let _ = wait(&own, now, SWITCH);
        assert_eq!(own.spins.get(), 2000);
        SWITCHES.set(8);
        assert!(!own.yielded(now, now + SWITCH));
        assert_eq!(own.spins.get(), SHARED_SPINS);
        // Who is crowded does not ask.
        let crowded = wait_state(100, true);
        let _ = wait(&crowded, now, EMPTY);
        let _ = wait(&crowded, now, SWITCH);
        assert_eq!(crowded.spins.get(), SHARED_SPINS);
    }

    #[test]
    fn a_crowded_process_starts_without_spinning() {
        let wait_state = wait_state(100, true);
        let now = Instant::now();
        assert_eq!(wait(&wait_state, now, SWITCH).0, SHARED_SPINS);
        assert_eq!(wait(&wait_state, now, EMPTY).0, SHARED_SPINS);
        assert_eq!(wait(&wait_state, now, EMPTY).0, 100);
    }

    #[test]
    fn a_process_outside_of_the_job_is_slept_beside() {
        let wait_state = wait_state(2000, false);
        let (polls, yields, now) = wait(&wait_state, Instant::now(), SLICE);
        assert_eq!((polls, yields), (2000, 1));
        // It might have been a rank that was busy: one more try.
        let (polls, yields, now) = wait(&wait_state, now, SLICE);
        assert_eq!((polls, yields), (2000, 1));
        // Longer and longer without.
        let mut latest = now;
        let mut quiet = Duration::ZERO;
        for _ in 0..20 {
            let mut now = latest;
            loop {
                let (polls, yields, end) = wait(&wait_state, now, SLICE);
                assert_eq!(polls, 2000, "a long yield does not end the spinning");
                now = end + Duration::from_micros(100);
                if yields > 0 {
                    break;
                }
            }
            let pause = now - latest;
            assert!(pause + SLICE > quiet, "{pause:?} after {quiet:?}");
            quiet = pause;
            latest = now;
        }
        assert!(quiet > SLICE * 31 && quiet < SLICE * 34, "{quiet:?}");
        // It has gone.
        let now = latest + quiet;
        assert!(wait(&wait_state, now, EMPTY).1 > 100);
        assert_eq!(wait(&wait_state, now, SLICE).1, 1);
        assert_eq!(wait(&wait_state, now + SLICE, SLICE).1, 1);
    }

    #[test]
    fn crowded_ranks_soon_yield_to_each_other_again() {
        let wait_state = wait_state(100, true);
        let mut now = Instant::now();
        for _ in 0..10 {
            // Others have long data to copy.
            now = wait(&wait_state, now, SLICE).2;
        }
        assert_eq!(wait(&wait_state, now, SWITCH).1, 0);
        assert!(wait(&wait_state, now + SLICE * 4, SWITCH).1 > 1);
    }

    #[test]
    fn tests_in_a_loop_yield_as_waits_do() {
        let wait_state = wait_state(3, false);
        let now = Instant::now();
        let quiet = || panic!("no clock yet");
        for _ in 0..2 {
            for _ in 0..3 {
                assert_eq!(wait_state.tested(quiet), None);
            }
            assert_eq!(wait_state.tested(|| now), Some(now));
            assert!(!wait_state.yielded(now, now + EMPTY));
        }
        assert_eq!(wait_state.tested(quiet), None);
        wait_state.found();
        for _ in 0..3 {
            assert_eq!(wait_state.tested(quiet), None);
        }
        assert_eq!(wait_state.tested(|| now), Some(now));
        // A shared core.
        assert!(!wait_state.yielded(now, now + SWITCH));
        for _ in 0..SHARED_SPINS {
            assert_eq!(wait_state.tested(quiet), None);
        }
        assert_eq!(wait_state.tested(|| now), Some(now));
        // Two long yields to a process outside of the job, then none for as long as the latest.
        assert!(!wait_state.yielded(now, now + SLICE));
        assert!(!wait_state.yielded(now, now + SLICE));
        for _ in 0..3 {
            assert_eq!(wait_state.tested(quiet), None);
        }
        assert_eq!(wait_state.tested(|| now + SLICE), None);
    }

    #[test]
    fn a_process_goes_to_its_own_core_when_ranks_share_one_for_long() {
        let now = Instant::now();
        let max_shared = |wait_state: &WaitState, yields: u32| {
            let yielded = |_: &u32| wait_state.yielded(now, now + SWITCH);
            (1..=yields).filter(yielded).collect::<Vec<u32>>()
        };
        let own = wait_state(2000, false);
        assert_eq!(max_shared(&own, 99), []);
        assert!(!own.yielded(now, now + SLICE), "that was a long yield");
        assert_eq!(max_shared(&own, 700), [100, 300, 700]);
        assert!(!own.yielded(now, now + EMPTY), "alone now");
        assert_eq!(max_shared(&own, 150), [100]);
        assert_eq!(max_shared(&wait_state(100, true), 1000), []);
    }

    #[test]
    fn the_knobs_bound_each_step() {
        let never = wait_state(u32::MAX, false);
        let mut patience = Patience::new(&never);
        for _ in 0..10_000 {
            assert_eq!(patience.step(&never, Instant::now), Step::Spin);
        }
        let at_once = wait_state(0, false);
        assert_eq!(wait(&at_once, Instant::now(), EMPTY).0, 0);
        assert_eq!(wait(&at_once, Instant::now(), EMPTY).0, 0);
        let settings = Settings::new();
        let set = |knob: &config::Knob, value| {
            let place = config::ALL.iter().position(|k| k.name == knob.name);
            settings.write(place.unwrap(), value);
        };
        set(&config::SPIN, 7);
        set(&config::CROWDED_SPIN, 5);
        set(&config::SLEEP, 0);
        for (processes, cpus, spins) in [(2, 2, 7), (3, 2, 5)] {
            let policy = Policy::new(processes, cpus, &settings).unwrap();
            assert_eq!((policy.spins, policy.yields), (spins, Duration::ZERO));
            assert_eq!(policy.crowded, processes > cpus);
            assert_eq!(
                wait(&WaitState::new(policy, || 0), Instant::now(), EMPTY).1,
                0
            );
        }
    }
}

//! Which stores write long bodies into shared memory, a ring or a lane: the usual ones, or those that go past the caches to memory.
//!
//! Where two processors have a cache in common, what one has written comes to the other from there. Where they have none
//! (another chiplet, another socket), each line that is written again is first fetched from the other processor's cache, and
//! then fetched back by it; to memory and from there is less than half as far. Which of the two it is the system does not say
//! for certain, least of all a virtual machine, which may move its processors at any time. So both are timed: the producer
//! times its writing, the consumer its reading, of a few bodies, and the way with the lower sum is taken. From time to time,
//! and when the usual stores take much longer than they did, the other way gets some messages.
//!
//! Times are in ticks of the processor's clock for [`UNIT`] bytes, since only their ratios count. It must not know how bodies
//! are copied.

use crate::datatype::Stores;
use crate::sync::{AtomicU32, Ordering};

/// What times are given for.
const UNIT: u64 = 4 << 10;
/// Shortest body that is timed.
pub const LEAST: usize = 2 << 10;
/// Every so many bodies are timed.
const EACH: u32 = 8;

/// Messages by the usual stores before the others are tried for the first time...
const SOON: u32 = 4;
/// ... then after a change, ...
const CHANGED: u32 = 16;
/// ... and the most, to which it doubles while nothing changes.
const MOST: u32 = 1024;
/// Messages past the caches before the usual stores are tried: that they take less time now is seen in no other way.
const AWAY: u32 = 256;
/// Messages of the other way...
const TRIED: u32 = 2;
/// ... and those until the consumer has told what it has seen.
const TOLD: u32 = 16;

/// Who decides which stores are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Always(Stores),
    Fastest,
}

/// The processor's clock.
#[inline(always)]
#[allow(unsafe_code)]
pub fn ticks() -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: reads a counter that every processor with these instructions has.
    unsafe {
        std::arch::x86_64::_rdtsc()
    }
    // Nowhere else is there anything to choose.
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    0
}

/// Two bits, one of which asks who reads something to time that, and says what has written it.
pub fn ask(stores: Stores) -> u8 {
    1 << stores as u8
}

/// What [`ask`] has said, if it has.
#[inline(always)]
pub fn asked(bits: u8) -> Option<Stores> {
    match bits {
        1 => Some(Stores::Temporal),
        2 => Some(Stores::NonTemporal),
        _ => None,
    }
}

/// Ticks for [`UNIT`] bytes by each of the stores, lately; 0: not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs(pub [u32; 2]);

impl Costs {
    /// One that took `ticks`. What took very long was something else.
    fn add(&mut self, stores: Stores, len: usize, ticks: u64) {
        let one = (ticks * UNIT / len as u64).clamp(1, u64::from(u32::MAX / 4)) as u32;
        let cost = &mut self.0[stores as usize];
        *cost = match *cost {
            0 => one,
            known => known - known / 4 + one.min(2 * known) / 4,
        };
    }

    /// The greater of both, for each of the stores.
    pub fn max(self, other: Costs) -> Costs {
        Costs([0, 1].map(|stores: usize| self.0[stores].max(other.0[stores])))
    }

    fn forget(&mut self, stores: Stores) {
        self.0[stores as usize] = 0;
    }
}

/// Where somebody tells others what reading costs it.
#[repr(C)]
pub(super) struct Told([AtomicU32; 2]);

impl Told {
    #[cfg(any(test, loom))]
    pub(super) fn new() -> Told {
        Told([AtomicU32::new(0), AtomicU32::new(0)])
    }

    pub fn say(&self, costs: Costs) {
        for (place, cost) in self.0.iter().zip(costs.0) {
            place.store(cost, Ordering::Relaxed);
        }
    }

    pub fn costs(&self) -> Costs {
        let [temporal, past] = &self.0;
        Costs([temporal, past].map(|cost| cost.load(Ordering::Relaxed)))
    }
}

/// What is done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The fastest way is used.
    Settled,
    /// The other one has some messages.
    Trying,
    /// The consumer still reads them.
    Waiting,
}

/// The producer's part.
#[derive(Clone, Copy, Debug)]
pub struct Writing {
    rule: Rule,
    best: Stores,
    stage: Stage,
    /// Messages until the next stage.
    left: u32,
    /// Messages of this stage, when it is that the usual stores are settled.
    most: u32,
    /// Few messages are long, and each tells much.
    long: bool,
    written: Costs,
    /// What the usual stores cost both sides when they were last compared.
    usual: u32,
    /// What the consumer had said of the other stores when they were tried last.
    before: u32,
    /// Bodies until one is timed.
    bodies: u32,
}

impl Writing {
    pub fn new(rule: Rule) -> Writing {
        let rule = match rule {
            Rule::Always(stores) if stores.are_known() => rule,
            Rule::Fastest if Stores::NonTemporal.are_known() => rule,
            _ => Rule::Always(Stores::Temporal),
        };
        Writing {
            rule,
            best: Stores::Temporal,
            stage: Stage::Settled,
            left: SOON,
            most: CHANGED,
            long: false,
            written: Costs::default(),
            usual: 0,
            before: 0,
            bodies: 0,
        }
    }

    /// Of long ones: twice as many pass at first until both ways are compared again, and an eighth less is enough to change.
    pub fn of_long_ones(self) -> Writing {
        Writing {
            most: 2 * CHANGED,
            long: true,
            ..self
        }
    }

    /// There have been no messages for a while: what was the fastest before is compared at once.
    pub fn compare_now(&mut self) {
        if self.stage == Stage::Settled {
            self.left = 0;
        }
    }

    /// Whatever has been seen no longer counts, and `stores` are likely the fastest.
    pub fn begin_with(&mut self, stores: Stores) {
        if self.is_open() {
            let new = Writing::new(self.rule);
            let new = if self.long { new.of_long_ones() } else { new };
            *self = Writing {
                best: stores,
                ..new
            };
        }
    }

    /// The stores of a message that tells nothing.
    pub fn usual(&self) -> Stores {
        match self.rule {
            Rule::Always(stores) => stores,
            Rule::Fastest => Stores::Temporal,
        }
    }

    /// The stores of the next message, or with `more` of the next part of one. `told`: what the consumer has last said of its
    /// reading.
    #[inline]
    pub fn next(&mut self, more: bool, told: impl FnOnce() -> Costs) -> Stores {
        if let Rule::Always(stores) = self.rule {
            return stores;
        }
        if more && self.stage == Stage::Settled {
            return self.best;
        }
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.advance(told),
        }
        match self.stage {
            Stage::Trying => self.best.other(),
            _ => self.best,
        }
    }

    #[cold]
    fn advance(&mut self, told: impl FnOnce() -> Costs) {
        (self.stage, self.left) = match self.stage {
            Stage::Settled => {
                let other = self.best.other();
                self.written.forget(other);
                self.before = told().0[other as usize];
                self.bodies = 0;
                (Stage::Trying, TRIED - 1)
            }
            Stage::Trying => {
                self.bodies = 0;
                (Stage::Waiting, TOLD - 1)
            }
            Stage::Waiting => {
                self.compare(told());
                // Where nothing has been written meanwhile, as other memory was used, that is tried again at once.
                match self.written.0[self.best.other() as usize] {
                    0 => (Stage::Settled, 0),
                    _ => (Stage::Settled, self.most - 1),
                }
            }
        };
    }

    /// Takes the way that costs both sides less, the other one only if it is by an eighth, or for short ones a fifth if it goes past
    /// the caches: where that was chance it takes half as long again, for [`AWAY`] messages.
    fn compare(&mut self, read: Costs) {
        let sum = |stores: Stores| {
            let [written, read] = [self.written, read].map(|costs| costs.0[stores as usize]);
            (written > 0 && read > 0).then(|| written.saturating_add(read))
        };
        let Some((now, then)) = sum(self.best).zip(sum(self.best.other())) else {
            // The consumer has not told yet: as soon again.
            return;
        };
        self.usual = sum(Stores::Temporal).unwrap_or(0);
        let margin = match self.best {
            Stores::Temporal if !self.long => now / 5,
            _ => now / 8,
        };
        let changes = then < now - margin;
        if changes {
            self.best = self.best.other();
        }
        self.most = match self.best {
            Stores::NonTemporal => AWAY,
            Stores::Temporal if changes => CHANGED,
            Stores::Temporal => (self.most * 2).min(MOST),
        };
    }

    /// The consumer has said something: whether it has read what was tried, or the usual stores take much longer than they did.
    pub fn hear(&mut self, read: Costs) {
        let other = self.best.other() as usize;
        if self.stage == Stage::Waiting && read.0[other] != self.before {
            self.left = 0;
        }
        let temporal = Stores::Temporal as usize;
        let now = self.written.0[temporal].saturating_add(read.0[temporal]);
        if (self.stage, self.best) == (Stage::Settled, Stores::Temporal)
            && self.usual > 0
            && now > self.usual.saturating_add(self.usual / 2)
        {
            self.left = 0;
        }
    }

    /// Whether there is anything to choose.
    pub fn is_open(&self) -> bool {
        self.rule == Rule::Fastest
    }

    /// Whether a body of `len` bytes that `stores` write is to be timed by both sides.
    #[inline(always)]
    pub fn is_timed(&mut self, len: usize) -> bool {
        if len < LEAST || !self.is_open() {
            return false;
        }
        if let Some(bodies) = self.bodies.checked_sub(1) {
            self.bodies = bodies;
            return false;
        }
        // All of the way that is tried.
        self.bodies = match self.stage {
            Stage::Trying => 0,
            _ => EACH - 1,
        };
        true
    }

    /// One that was to be timed has been written.
    pub fn wrote(&mut self, stores: Stores, len: usize, ticks: u64) {
        self.written.add(stores, len, ticks);
    }
}

/// The consumer's part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    read: Costs,
    last: Stores,
    /// There is something that the producer has not been told.
    new: bool,
}

impl Reading {
    pub fn new() -> Reading {
        Reading {
            read: Costs::default(),
            last: Stores::Temporal,
            new: false,
        }
    }

    /// A body that was to be timed has been read.
    #[cold]
    pub fn read(&mut self, stores: Stores, len: usize, ticks: u64) {
        if std::mem::replace(&mut self.last, stores) != stores {
            self.read.forget(stores);
        }
        self.read.add(stores, len, ticks);
        self.new = true;
    }

    /// What to tell the producer, if it has not been told.
    #[inline]
    pub fn news(&mut self) -> Option<Costs> {
        std::mem::replace(&mut self.new, false).then_some(self.read)
    }
}

#[cfg(all(test, not(loom), target_arch = "x86_64", not(miri)))]
mod tests {
    use super::*;

    /// Bodies of a message.
    const BODIES: usize = 4;
    /// Bytes of one.
    const BYTES: usize = 8 << 10;

    /// A ring between two processors, as far as it matters here.
    struct Link {
        writing: Writing,
        reading: Reading,
        /// Ticks that writing and reading 4 KiB take by each of the stores.
        takes: [[u64; 2]; 2],
        messages: u32,
        /// Messages after which the consumer tells what it has seen.
        tells: u32,
        told: Costs,
    }

    /// In ticks at 2.4 GHz, as measured: with a cache in common, and without.
    const NEAR: [[u64; 2]; 2] = [[400, 370], [530, 850]];
    const FAR: [[u64; 2]; 2] = [[1900, 900], [530, 800]];

    impl Link {
        fn new(takes: [[u64; 2]; 2]) -> Link {
            Link {
                writing: Writing::new(Rule::Fastest),
                reading: Reading::new(),
                takes,
                messages: 0,
                tells: 8,
                told: Costs::default(),
            }
        }

        /// One message; what it was written by.
        fn send(&mut self) -> Stores {
            let told = self.told;
            let stores = self.writing.next(false, || told);
            let [write, read] = self.takes[stores as usize].map(|one| one * BYTES as u64 / UNIT);
            for _ in 0..BODIES {
                if self.writing.is_timed(BYTES) {
                    self.writing.wrote(stores, BYTES, write);
                    self.reading.read(stores, BYTES, read);
                }
            }
            self.messages += 1;
            if self.messages.is_multiple_of(self.tells) {
                self.told = self.reading.news().unwrap_or(self.told);
                self.writing.hear(self.told);
            }
            stores
        }

        /// How many of so many messages go past the caches.
        fn past(&mut self, messages: u32) -> u32 {
            let past = (0..messages).filter(|_| self.send() == Stores::NonTemporal);
            past.count() as u32
        }
    }

    #[test]
    fn the_faster_stores_are_found_soon_and_the_others_tried_rarely() {
        if !Stores::NonTemporal.are_known() {
            return;
        }
        let mut near = Link::new(NEAR);
        assert!(near.past(100) <= 8);
        assert!(near.past(10_000) <= 40);
        let mut far = Link::new(FAR);
        let soon = far.past(100);
        assert!(soon >= 75, "{soon}");
        assert!(far.past(10_000) >= 9_700);
    }

    #[test]
    fn processors_that_move_apart_and_together_are_followed() {
        if !Stores::NonTemporal.are_known() {
            return;
        }
        let mut link = Link::new(NEAR);
        for _ in 0..20 {
            link.past(5_000);
            link.takes = FAR;
            link.past(64);
            assert!(link.past(1_000) >= 950);
            link.takes = NEAR;
            link.past(128);
            assert!(link.past(1_000) <= 50);
        }
    }

    /// Who has asked may have written elsewhere.
    #[test]
    fn what_nobody_has_written_is_tried_again_at_once() {
        if !Stores::NonTemporal.are_known() {
            return;
        }
        let mut link = Link::new(FAR);
        link.tells = 1;
        for _ in 0..SOON + TRIED + TOLD {
            link.writing.next(false, Costs::default);
        }
        assert!(link.past(8) >= 2);
        assert!(link.past(50) >= 48);
    }

    /// What the consumer says too late for one comparison is there for the next.
    #[test]
    fn a_consumer_that_tells_rarely_is_heard() {
        if !Stores::NonTemporal.are_known() {
            return;
        }
        let mut link = Link::new(FAR);
        link.tells = 100;
        link.past(1_000);
        assert!(link.past(1_000) >= 950);
    }

    #[test]
    fn what_was_tried_is_compared_as_soon_as_the_consumer_has_told() {
        use Stores::{NonTemporal, Temporal};
        if !NonTemporal.are_known() {
            return;
        }
        let mut link = Link::new(FAR);
        link.tells = 1;
        let sent: Vec<Stores> = (0..SOON + 5).map(|_| link.send()).collect();
        let tried = [NonTemporal, NonTemporal, Temporal, NonTemporal, NonTemporal];
        assert_eq!(sent, [&[Temporal; SOON as usize][..], &tried].concat());
        link.takes = NEAR;
        assert_eq!(link.past(20), 20);
        // After other messages than these both are compared at once.
        link.writing.compare_now();
        let sent: Vec<Stores> = (0..5).map(|_| link.send()).collect();
        assert_eq!(sent, tried.map(Stores::other));
    }

    /// ... and is right or found to be wrong.
    #[test]
    fn who_knows_what_is_likely_begins_with_that() {
        use Stores::{NonTemporal, Temporal};
        if !NonTemporal.are_known() {
            return;
        }
        for (likely, takes, right) in [
            (NonTemporal, FAR, true),
            (Temporal, NEAR, true),
            (NonTemporal, NEAR, false),
            (Temporal, FAR, false),
        ] {
            let mut link = Link::new(takes);
            link.past(1_000);
            link.writing.begin_with(likely);
            let count = |link: &mut Link, messages: u32| match likely {
                NonTemporal => link.past(messages),
                Temporal => messages - link.past(messages),
            };
            assert_eq!(count(&mut link, SOON), SOON);
            let then = count(&mut link, 100);
            assert!(if right { then >= 90 } else { then <= 30 }, "{then}");
        }
        let mut told = Writing::new(Rule::Always(Temporal));
        told.begin_with(NonTemporal);
        assert_eq!(told.next(false, Costs::default), Temporal);
    }

    #[test]
    fn only_the_first_part_of_a_message_counts() {
        let mut writing = Writing::new(Rule::Fastest);
        let next = |writing: &mut Writing, more| writing.next(more, || Costs([5, 5]));
        for _ in 0..SOON {
            assert_eq!(next(&mut writing, false), Stores::Temporal);
            assert!((0..100).all(|_| next(&mut writing, true) == Stores::Temporal));
        }
        if Stores::NonTemporal.are_known() {
            assert_eq!(next(&mut writing, false), Stores::NonTemporal);
        }
    }

    /// A body during which the thread lost its processor, now and then.
    #[test]
    fn single_long_times_change_nothing() {
        if !Stores::NonTemporal.are_known() {
            return;
        }
        let mut link = Link::new(NEAR);
        link.past(1_000);
        let mut past = 0;
        for _ in 0..50 {
            link.takes[0] = [400_000, 400_000];
            past += link.past(1);
            link.takes = NEAR;
            past += link.past(199);
        }
        assert!(past <= 500, "{past}");
    }

    #[test]
    fn who_is_told_asks_nobody() {
        let mut link = Link::new(NEAR);
        for stores in [Stores::Temporal, Stores::NonTemporal] {
            link.writing = Writing::new(Rule::Always(stores));
            assert!((0..5_000).all(|_| link.send() == stores || !stores.are_known()));
            assert!(!link.writing.is_timed(BYTES));
        }
    }
}

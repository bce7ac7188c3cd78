//! Which way of copying long messages is the fastest here, learned from the messages themselves.
//!
//! Which one wins depends on the processor, the kernel, what stands between them, and the program: one copy by
//! the system is fast while the source stays unchanged and so in both caches, and slow for what has just been written.
//! No copy within one process tells, and the first messages do not tell for the others. So each way gets a few
//! real messages of each class of sizes and each situation: in turn when a job begins, again after [`SHORTEST`]
//! messages, and then ever more rarely, the more so the slower it was. The median of a way's [`SAMPLES`] counts, and
//! another way must be clearly faster than the one in use. One that is much slower is given up earlier.
//! The table lies in the segment: all processes of the job fill it and change over together, as an exchange is slow
//! whose two sides copy differently. It must not know how a message is copied, nor where times are kept between jobs.

use super::{Segment, ring};
use crate::sync::{AtomicU32, Ordering};

/// How long messages may be copied where no heap is mapped, from the least that is allowed to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direct {
    /// Through the rings only.
    Never,
    /// By the receiver.
    Reads,
    /// By both sides.
    Both,
}

/// Number of ways.
const WAYS: usize = 3;

/// Whether a process takes part in finding out which way of copying is the fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// It copies as it is told.
    No,
    /// It goes by what is known.
    Known,
    /// It tries what is not known.
    Yes,
}

/// What a process needs to learn which way is the fastest.
#[derive(Clone, Copy)]
pub struct Learning {
    pub measure: Measure,
    /// Fills in what is known from before, when the first process needs it.
    pub recall: fn(&Trials),
    /// How often this thread has lost the processor: a time during which that happened says nothing.
    pub switches: fn() -> u64,
}

impl Learning {
    /// Copies as it is told.
    pub const NONE: Learning = Learning {
        measure: Measure::No,
        recall: |_| (),
        switches: || 0,
    };

    /// The table of a node, filled in with what is known from before.
    pub fn trials(&self, segment: &Segment) -> &'static Trials {
        let trials = segment.trials();
        if trials.ask() {
            (self.recall)(trials);
        }
        trials
    }
}

/// What else the two ends of a message have to do, or the collective of two processes that a block belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// Nothing.
    Alone,
    /// A message the other way.
    Exchange,
    /// More messages in the same direction: what counts is how long all of them take.
    Several,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
}

impl Situation {
    pub const ALL: [Situation; 7] = [
        Situation::Alone,
        Situation::Exchange,
        Situation::Several,
        Situation::Gather,
        Situation::Scatter,
        Situation::Allgather,
        Situation::Alltoall,
    ];

    /// Those of messages.
    pub const MESSAGES: [Situation; 3] =
        [Situation::Alone, Situation::Exchange, Situation::Several];

    /// The ways that are tried, in that order. The first is the usual one, which needs nobody's measurement.
    pub fn ways(self) -> &'static [Direct] {
        match self {
            Situation::Alone | Situation::Several => &[Direct::Both, Direct::Never, Direct::Reads],
            // Both sides have work enough: copying both messages together took longer (64 KiB 8.9 us, 7.0).
            Situation::Exchange => &[Direct::Reads, Direct::Never],
            // One of them copies it where it lies, or both through memory that they share.
            Situation::Gather | Situation::Scatter | Situation::Allgather | Situation::Alltoall => {
                &[Direct::Reads, Direct::Never]
            }
        }
    }

    /// Messages of a way that is tried before one is timed.
    fn settle(self, way: usize, class: usize) -> u32 {
        let through = |bound: &u64| match self.ways()[way] {
            Direct::Never => (ROUND / bound) as u32,
            _ => 0,
        };
        BOUNDS.get(class).map_or(0, through).max(SETTLE)
    }

    /// Messages of a way after which it has an end, even if not all could be timed.
    fn most(self) -> u32 {
        match self {
            Situation::Several => MOST * TOGETHER,
            _ => MOST,
        }
    }

    /// What is done where nothing is known.
    pub fn usual(self) -> Direct {
        self.ways()[0]
    }
}

/// Sizes that are chosen for together: the longest is at most twice as long as the shortest, so that
/// times for a byte can be compared, but for the last class, and for the first where blocks begin at half a message's
/// least.
pub const CLASSES: usize = 7;
/// The longest message of each class but the last.
pub const BOUNDS: [u64; CLASSES - 1] =
    [32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20];

/// The class of a message.
#[inline]
pub fn class_of(bytes: u64) -> usize {
    BOUNDS.iter().filter(|&&bound| bytes > bound).count()
}

/// Messages after which another way is tried again, at first. Two to eight times as many after each time that has changed
/// nothing, by how slow it was...
const SHORTEST: u32 = 8;
/// ... up to 128 times as many: a way that takes three times as long then costs 0.8 %.
const LONGEST: u32 = 7;
/// After a change, and where it is known from an earlier job, it is [`SHORTEST`] four times: what changes to and fro would
/// be tried all the time.
const CHANGED: u32 = 2;
/// Messages of a way before one is timed: what the last way has left in the caches is not this one's...
pub const SETTLE: u32 = 2;
/// ... and shared memory that messages go through in turn is in no cache before they have come round once: 64 KiB each way
/// took 10 to 17 us at first, later 5.5.
const ROUND: u64 = ring::MOST as u64;
/// Messages that are timed of a way.
pub const SAMPLES: usize = 4;
/// Messages of a way that is tried, even if not all could be timed.
const MOST: u32 = 16;
/// Of several messages so many are timed together.
pub const TOGETHER: u32 = 8;
/// What times are given for, so that the messages of a class can be compared.
pub const UNIT: u64 = 64 << 10;

/// Nanoseconds for 64 KiB in each of a situation's [`ways`](Situation::ways); 0: not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times(pub [u32; WAYS]);

impl Times {
    /// Whether all that can be known is.
    fn complete(&self, situation: Situation) -> bool {
        self.0[..situation.ways().len()]
            .iter()
            .all(|&time| time > 0)
    }

    /// The fastest way, as an index. One that is not `used` must be faster by an eighth.
    fn best(&self, used: usize) -> usize {
        let known = (0..WAYS).filter(|&way| self.0[way] > 0);
        let Some(fastest) = known.min_by_key(|&way| self.0[way]) else {
            return used;
        };
        let [new, old] = [fastest, used].map(|way| u64::from(self.0[way]));
        match new * 8 < old * 7 {
            true => fastest,
            false => used,
        }
    }

    /// How much slower `way` is than `best`, in steps: not clearly, clearly, twice. 0 where that is not known.
    fn slower(&self, way: usize, best: usize) -> u32 {
        let [way, best] = [way, best].map(|way| u64::from(self.0[way]));
        match best > 0 {
            true => (way * 4 >= best * 5) as u32 + (way >= best * 2) as u32,
            false => 0,
        }
    }

    /// What follows where nothing is in use yet.
    pub fn choice(&self, situation: Situation) -> Direct {
        situation.ways()[self.best(0)]
    }
}

/// What is known of each class and situation.
pub type Table = [[Option<Times>; Situation::ALL.len()]; CLASSES];

/// What is done in a situation and class: a number that changes whenever the way does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    /// The way that has been found the fastest, as an index.
    best: usize,
    /// The way that messages are copied in now.
    now: usize,
    /// How often in a row a trial has changed nothing, up to [`LONGEST`].
    calm: u32,
    /// Counts the changes.
    turn: u32,
}

impl State {
    fn of(word: u32) -> State {
        State {
            best: (word & 3) as usize,
            now: (word >> 2 & 3) as usize,
            calm: word >> 4 & 15,
            turn: word >> 8,
        }
    }

    fn word(self) -> u32 {
        self.best as u32 | (self.now as u32) << 2 | self.calm << 4 | self.turn << 8
    }

    /// Whether each of `ways` ways has had its first turn.
    fn is_settled(self, ways: usize) -> bool {
        self.turn >= ways as u32
    }

    /// Messages of this turn before one is timed.
    fn untimed(self, situation: Situation, class: usize) -> u32 {
        match self.is_settled(situation.ways().len()) && self.now == self.best {
            true => SHORTEST << self.calm,
            false => situation.settle(self.now, class),
        }
    }

    /// What comes after this, where these times have been found.
    fn next(self, ways: usize, times: &Times) -> State {
        let settled = self.is_settled(ways);
        let turn = (self.turn + 1) % (1 << 24);
        // The first round does not come back.
        let turn = if settled { turn.max(ways as u32) } else { turn };
        let best = times.best(self.best);
        if settled && self.now == self.best {
            // The others in turn, each of which takes two changes, unless one would be chosen already: what is known of it
            // is old, so it is tried first.
            let other = (best + 1 + turn as usize / 2 % (ways - 1)) % ways;
            let now = if best == self.best { other } else { best };
            return State { now, turn, ..self };
        }
        let now = if settled || turn as usize >= ways {
            best
        } else {
            turn as usize
        };
        let calm = match best == self.best {
            true if settled => (self.calm + 1 + times.slower(self.now, best)).min(LONGEST),
            true => self.calm,
            false => CHANGED,
        };
        State {
            best,
            now,
            calm,
            turn,
        }
    }
}

/// One situation in one class.
#[repr(C)]
struct Course {
    state: AtomicU32,
    times: [AtomicU32; WAYS],
}

impl Course {
    fn times(&self) -> Times {
        Times(std::array::from_fn(|way| {
            self.times[way].load(Ordering::Relaxed)
        }))
    }
}

/// What one process has seen of a situation in a class since the way last changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    state: u32,
    messages: u32,
    times: [u32; SAMPLES],
    timed: usize,
}

impl Seen {
    /// The middle of the times.
    fn median(&self) -> Option<u32> {
        let mut times = self.times;
        let times = &mut times[..self.timed];
        times.sort_unstable();
        let middle = times.len().checked_sub(1)? / 2;
        Some(times[middle])
    }

    /// Whether these times, which are not all yet, are of a way that is much slower than one that takes `best`: the fewer
    /// there are the more each must say so; one alone may have been disturbed.
    fn is_slower(&self, best: u32) -> bool {
        let [timed, best] = [self.timed as u64, u64::from(best)];
        let slower = |&time: &u32| u64::from(time) * timed > best * (timed + 1);
        timed > 1 && best > 0 && self.times[..self.timed].iter().all(slower)
    }

    /// So many messages have come eagerly where the fastest way is in use: they need not be timed.
    pub fn skip(&mut self, class: usize, situation: Situation, messages: u32) {
        let state = State::of(self.state);
        if state.now == state.best {
            let untimed = state.untimed(situation, class);
            let messages = self.messages.saturating_add(messages).min(untimed);
            self.messages = self.messages.max(messages);
        }
    }

    /// The way that was in use when this process last asked.
    pub fn uses(&self, situation: Situation) -> Direct {
        situation.ways()[State::of(self.state).now]
    }

    /// A message of `bytes` bytes that was to be timed took `nanoseconds`.
    pub fn record(&mut self, bytes: u64, nanoseconds: u64) {
        let time = u128::from(nanoseconds) * u128::from(UNIT) / u128::from(bytes.max(1));
        let time = u32::try_from(time).unwrap_or(u32::MAX).max(1);
        if let Some(place) = self.times.get_mut(self.timed) {
            *place = time;
            self.timed += 1;
        }
    }
}

/// Messages that are announced between two runs of eager ones where another way is to be tried...
const ANNOUNCED: u32 = 16;
/// ... and where they only tell whether they are met as they were.
const ANNOUNCED_KNOWN: u32 = 1;

/// Which messages of a class a process sends eagerly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hurry {
    eager: u32,
    announced: u32,
}

impl Hurry {
    /// Whether the next message leaves eagerly; `run`: what [`Trials::eager_run`] says.
    pub fn next(&mut self, run: Option<u32>, measure: Measure) -> bool {
        let Some(run) = run else {
            *self = Hurry::default();
            return false;
        };
        if self.announced > 0 {
            self.announced -= 1;
            return false;
        }
        // What is known may have become less since the run began.
        self.eager = self.eager.min(run);
        match self.eager {
            0 => self.eager = run - 1,
            _ => self.eager -= 1,
        }
        if self.eager == 0 {
            self.announced = match measure {
                Measure::Yes => ANNOUNCED,
                _ => ANNOUNCED_KNOWN,
            };
        }
        true
    }
}

/// Nobody has looked yet for what is known from earlier jobs.
const UNASKED: u32 = 0;
const ASKED: u32 = 1;

/// The times so far, and what is done. All-zero bytes are an empty table.
#[repr(C, align(64))]
pub struct Trials {
    asked: AtomicU32,
    /// 1: a choice has become known in this job, or another one.
    news: AtomicU32,
    courses: [[Course; Situation::ALL.len()]; CLASSES],
}

impl Trials {
    /// An empty table.
    #[cfg(test)]
    pub(super) fn new() -> Trials {
        let word = |_| AtomicU32::new(0);
        let course = |_| Course {
            state: word(0),
            times: std::array::from_fn(word),
        };
        Trials {
            asked: word(0),
            news: word(0),
            courses: std::array::from_fn(|_| std::array::from_fn(course)),
        }
    }

    /// Whether the caller is the first to ask, and is to fill in what is known already.
    pub fn ask(&self) -> bool {
        self.asked.load(Ordering::Relaxed) == UNASKED
            && self.asked.swap(ASKED, Ordering::Relaxed) == UNASKED
    }

    fn course(&self, class: usize, situation: Situation) -> &Course {
        &self.courses[class][situation as usize]
    }

    /// The times of a class, once each way has had its messages.
    pub fn times(&self, class: usize, situation: Situation) -> Option<Times> {
        let times = self.course(class, situation).times();
        times.complete(situation).then_some(times)
    }

    /// All that is known.
    pub fn table(&self) -> Table {
        let times = |class| Situation::ALL.map(|situation| self.times(class, situation));
        std::array::from_fn(times)
    }

    /// Fills in times from elsewhere.
    pub fn learn(&self, class: usize, situation: Situation, times: Times) {
        let course = self.course(class, situation);
        for (place, time) in course.times.iter().zip(times.0) {
            place.store(time, Ordering::Relaxed);
        }
        let best = times.best(0);
        let turn = situation.ways().len() as u32;
        let state = State {
            best,
            now: best,
            calm: CHANGED,
            turn,
        };
        course.state.store(state.word(), Ordering::Relaxed);
    }

    /// The way that has been found the fastest.
    pub fn best(&self, class: usize, situation: Situation) -> Direct {
        let state = State::of(self.course(class, situation).state.load(Ordering::Relaxed));
        situation.ways()[state.best]
    }

    /// Messages that may leave eagerly until some have to be announced for others to learn from: all that is known of their
    /// kind is that they go through the rings anyway.
    pub fn eager_run(&self, class: usize, situation: Situation) -> Option<u32> {
        let ways = situation.ways();
        let state = State::of(self.course(class, situation).state.load(Ordering::Relaxed));
        let through = state.is_settled(ways.len()) && ways[state.best] == Direct::Never;
        through.then_some(SHORTEST << state.calm)
    }

    /// The way for the next message, and whether it is to be timed: then [`Seen::record`] is told.
    pub fn next(&self, class: usize, situation: Situation, seen: &mut Seen) -> (Direct, bool) {
        let (course, ways) = (self.course(class, situation), situation.ways());
        let mut word = course.state.load(Ordering::Relaxed);
        if word != seen.state {
            *seen = Seen {
                state: word,
                ..Seen::default()
            };
        }
        let mut state = State::of(word);
        let untimed = state.untimed(situation, class);
        let given_up = state.now != state.best
            && seen.is_slower(course.times[state.best].load(Ordering::Relaxed));
        if given_up || seen.timed == SAMPLES || seen.messages >= untimed + situation.most() {
            if let Some(time) = seen.median() {
                course.times[state.now].store(time, Ordering::Relaxed);
            }
            let times = course.times();
            let next = state.next(ways.len(), &times);
            if next.best != state.best || next.turn == ways.len() as u32 {
                self.news
                    .store(times.complete(situation) as u32, Ordering::Relaxed);
            }
            // Of two processes that come to an end at once one goes unheard, which is nothing.
            word = next.word();
            course.state.store(word, Ordering::Relaxed);
            *seen = Seen {
                state: word,
                ..Seen::default()
            };
            state = next;
        }
        seen.messages += 1;
        let timed = seen.messages > state.untimed(situation, class);
        (ways[state.now], timed)
    }

    /// Whether there is something new to be remembered; once.
    pub fn take_news(&self) -> bool {
        self.news.load(Ordering::Relaxed) != 0 && self.news.swap(0, Ordering::Relaxed) != 0
    }
}

impl Segment {
    /// The times of this node's long messages.
    pub fn trials(&self) -> &'static Trials {
        let header: &super::Header = self.header();
        // SAFETY: as for rings: the segment is never unmapped before its process ends.
        unsafe { &*std::ptr::from_ref(&header.trials) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys;

    /// Sizes of which shared memory comes round in [`SETTLE`] messages.
    const CLASS: usize = 3;

    /// A segment of two processes, seen from each.
    fn pair() -> [Segment; 2] {
        let file = sys::memory_file(c"anympi-test").unwrap();
        [0, 1].map(|me| Segment::attach(&file, me, 2).unwrap())
    }

    /// Has messages copied until `stop` says so of the number of messages; what each way takes is asked for.
    /// Returns the messages that each way got.
    fn run(
        trials: &Trials,
        situation: Situation,
        seen: &mut Seen,
        takes: impl Fn(Direct) -> u64,
        messages: u32,
    ) -> [u32; 3] {
        let mut each = [0; 3];
        for _ in 0..messages {
            let (direct, timed) = trials.next(CLASS, situation, seen);
            each[direct as usize] += 1;
            if timed {
                seen.record(UNIT, takes(direct));
            }
        }
        each
    }

    #[test]
    fn another_way_must_be_clearly_faster_than_the_usual_one() {
        use Direct::{Both, Never, Reads};
        let choice = |both, ring, reads| Times([both, ring, reads]).choice(Situation::Alone);
        assert_eq!(choice(80, 71, 71), Both);
        assert_eq!(choice(80, 69, 71), Never);
        assert_eq!(choice(80, 71, 69), Reads);
        assert_eq!(choice(u32::MAX, 2, 1), Reads);
        let exchange = |reads, ring| Times([reads, ring, 0]).choice(Situation::Exchange);
        assert_eq!(exchange(80, 70), Reads);
        assert_eq!(exchange(80, 69), Never);
        assert_eq!(
            Times([0, 1, 1]).best(0),
            0,
            "one that is unknown may be faster"
        );
        assert_eq!(Times([0; 3]).best(2), 2);
    }

    #[test]
    fn classes_meet_at_their_bounds() {
        let sizes = [
            1,
            32 << 10,
            (32 << 10) + 1,
            64 << 10,
            1 << 20,
            (1 << 20) + 1,
            u64::MAX,
        ];
        assert_eq!(sizes.map(class_of), [0, 0, 1, 1, 5, 6, 6]);
    }

    #[test]
    fn states_are_numbers() {
        let state = State {
            best: 2,
            now: 1,
            calm: 4,
            turn: 0xff_ffff,
        };
        assert_eq!(State::of(state.word()), state);
        let usual = State {
            best: 0,
            now: 0,
            calm: 0,
            turn: 0,
        };
        assert_eq!(usual.word(), 0, "as in a fresh segment");
        let settled = State {
            best: 1,
            now: 1,
            ..state
        };
        assert!(
            settled.next(3, &Times([9, 1, 9])).is_settled(3),
            "the count of turns starts anew"
        );
    }

    /// Each way has its first turn, the usual one first, and the fastest is found by all processes.
    #[test]
    fn the_fastest_way_is_found() {
        let [one, other] = pair();
        let (trials, mut seen) = (one.trials(), Seen::default());
        let situation = Situation::Alone;
        assert!(trials.ask() && !trials.ask() && !other.trials().ask());
        let first = SETTLE + SAMPLES as u32;
        let takes = |direct| [500, 700, 900][direct as usize];
        assert_eq!(
            run(trials, situation, &mut seen, takes, first),
            [0, 0, first]
        );
        assert_eq!(
            run(trials, situation, &mut seen, takes, first),
            [first, 0, 0]
        );
        assert!(!trials.take_news() && trials.times(CLASS, situation).is_none());
        // The third time says already that it is slower.
        assert_eq!(
            run(trials, situation, &mut seen, takes, first - 1),
            [0, first - 1, 0]
        );
        assert_eq!(run(trials, situation, &mut seen, takes, 1), [1, 0, 0]);
        assert_eq!(other.trials().best(CLASS, situation), Direct::Never);
        assert_eq!(
            other.trials().times(CLASS, situation),
            Some(Times([900, 500, 700]))
        );
        assert!(other.trials().take_news() && !trials.take_news());
        // Nothing of that is about other sizes and situations.
        assert_eq!(trials.best(2, situation), Direct::Both);
        assert_eq!(trials.best(CLASS, Situation::Exchange), Direct::Reads);
        let mut table = Table::default();
        table[CLASS][situation as usize] = trials.times(CLASS, situation);
        assert_eq!(trials.table(), table);
    }

    /// As long as nothing changes others are tried ever more rarely.
    #[test]
    fn what_is_known_costs_little() {
        let [one, _] = pair();
        let mut seen = Seen::default();
        for (situation, best) in
            Situation::MESSAGES
                .into_iter()
                .zip([Direct::Both, Direct::Reads, Direct::Both])
        {
            let takes = |direct| if direct == best { 100 } else { 300 };
            run(one.trials(), situation, &mut seen, takes, 5000);
            let each = run(one.trials(), situation, &mut seen, takes, 10_000);
            assert!(each[best as usize] > 9950, "{each:?}");
            let others = each.iter().sum::<u32>() - each[best as usize];
            let trial = SETTLE + 2;
            assert!(
                others >= trial * (10_000 / (SHORTEST << LONGEST)),
                "{each:?}"
            );
        }
    }

    /// The slower a way is the fewer messages it gets, and the rarer.
    #[test]
    fn slow_ways_are_given_up() {
        let situation = Situation::Exchange;
        let tried = |slower: u64, messages: u32| {
            let [one, _] = pair();
            let takes = |direct| if direct == Direct::Reads { 100 } else { slower };
            let each = run(
                one.trials(),
                situation,
                &mut Seen::default(),
                takes,
                messages,
            );
            each[Direct::Never as usize]
        };
        let all = SETTLE + SAMPLES as u32;
        let known = all;
        // The first turn of the other way, and the second one after the shortest time.
        for (slower, turn) in [(105, all), (124, all), (160, SETTLE + 2), (201, SETTLE + 2)] {
            assert_eq!(tried(slower, known + turn), turn, "{slower}");
            let again = known + turn + SHORTEST + SAMPLES as u32 + turn;
            assert_eq!(tried(slower, again), 2 * turn, "{slower}");
        }
        // From then on two, four or eight times as rarely each time.
        let [alike, slower, slowest] = [105, 160, 300].map(|slower| tried(slower, 600));
        assert!(alike >= 6 * all && slower <= 4 * (SETTLE + 2) && slowest <= 3 * (SETTLE + 2));
    }

    /// The shorter messages are the more of them it takes until shared memory has come round.
    #[test]
    fn memory_is_warm_before_a_way_through_it_is_timed() {
        for (class, settle) in [(0, 16), (1, 8), (2, 4), (3, 2), (CLASSES - 1, 2)] {
            for situation in Situation::MESSAGES {
                let [one, _] = pair();
                let mut seen = Seen::default();
                let mut untimed = [0; WAYS];
                for _ in 0..100 {
                    let (direct, timed) = one.trials().next(class, situation, &mut seen);
                    if timed {
                        seen.record(UNIT, 100);
                    } else if one.trials().times(class, situation).is_none() {
                        untimed[direct as usize] += 1;
                    }
                }
                assert_eq!(untimed[Direct::Never as usize], settle, "{class}");
                assert_eq!(untimed[Direct::Reads as usize], SETTLE, "{class}");
            }
        }
    }

    #[test]
    fn two_times_at_least_must_say_it() {
        let mut seen = Seen::default();
        assert!(!seen.is_slower(10));
        let mut add = |time| {
            seen.record(UNIT, time);
            [seen.is_slower(10), seen.is_slower(0)]
        };
        assert_eq!(add(u64::MAX), [false, false]);
        assert_eq!(add(16), [true, false], "against nothing that is known");
        assert_eq!(add(14), [true, false]);
        assert_eq!(add(12), [false, false]);
    }

    /// A program that begins to write what it sends.
    #[test]
    fn what_changes_is_noticed() {
        let [one, _] = pair();
        let (trials, mut seen) = (one.trials(), Seen::default());
        let situation = Situation::Exchange;
        let unwritten = |direct| if direct == Direct::Never { 200 } else { 100 };
        let written = |direct| if direct == Direct::Never { 220 } else { 400 };
        for _ in 0..2 {
            run(trials, situation, &mut seen, unwritten, 10_000);
            assert_eq!(trials.best(CLASS, situation), Direct::Reads);
            run(
                trials,
                situation,
                &mut seen,
                written,
                2 * (SHORTEST << LONGEST),
            );
            assert_eq!(trials.best(CLASS, situation), Direct::Never);
            assert!(trials.take_news());
        }
    }

    /// Runs of eager messages are as long as what is known is trusted, and others come between.
    #[test]
    fn messages_are_announced_now_and_then() {
        let [one, _] = pair();
        let (trials, situation) = (one.trials(), Situation::Alone);
        assert_eq!(trials.eager_run(CLASS, situation), None, "nothing is known");
        trials.learn(CLASS, situation, Times([1, 9, 9]));
        assert_eq!(trials.eager_run(CLASS, situation), None);
        trials.learn(CLASS, situation, Times([9, 1, 9]));
        assert_eq!(
            trials.eager_run(CLASS, situation),
            Some(SHORTEST << CHANGED)
        );
        assert_eq!(trials.eager_run(CLASS, Situation::Exchange), None);
        let mut hurry = Hurry::default();
        let mut count = |run: Option<u32>, eager: bool| {
            let next = || hurry.next(run, Measure::Yes) == eager;
            std::iter::repeat_with(next)
                .take(1000)
                .take_while(|same| *same)
                .count()
        };
        assert_eq!(count(None, false), 1000);
        assert_eq!(count(Some(8), true), 8);
        // One of each kind has been asked for already.
        for run in [8, 64, 1] {
            assert_eq!(count(Some(run), false), ANNOUNCED as usize - 1);
            assert_eq!(count(Some(run), true), run as usize - 1);
        }
        assert_eq!(count(Some(64), false), ANNOUNCED as usize - 1);
        assert_eq!(count(Some(4), true), 4, "less is known now");
        let mut hurry = Hurry::default();
        let known: Vec<bool> = (0..10)
            .map(|_| hurry.next(Some(4), Measure::Known))
            .collect();
        assert_eq!(known, [[true; 4].as_slice(), &[false]].concat().repeat(2));
    }

    /// Eager messages spare others the wait until they are timed, and no more.
    #[test]
    fn eager_messages_count_as_copied_in_the_fastest_way() {
        let [one, _] = pair();
        let (trials, situation) = (one.trials(), Situation::Alone);
        trials.learn(CLASS, situation, Times([9, 1, 9]));
        let mut seen = Seen::default();
        assert_eq!(
            trials.next(CLASS, situation, &mut seen),
            (Direct::Never, false)
        );
        seen.skip(CLASS, situation, 1_000_000);
        for _ in 0..SAMPLES {
            assert_eq!(
                trials.next(CLASS, situation, &mut seen),
                (Direct::Never, true)
            );
            seen.record(UNIT, 5);
        }
        let (direct, timed) = trials.next(CLASS, situation, &mut seen);
        assert!(direct != Direct::Never && !timed);
        seen.skip(CLASS, situation, 1_000_000);
        assert!(
            !trials.next(CLASS, situation, &mut seen).1,
            "a trial is not skipped"
        );
    }

    /// The two sides of an exchange change over at the same message but one.
    #[test]
    fn processes_change_over_together() {
        let segments = pair();
        let mut seen = [Seen::default(); 2];
        let (mut apart, mut changes) = (0, 0);
        let mut last = Direct::Reads;
        for _ in 0..5000 {
            let ways: [Direct; 2] = std::array::from_fn(|me| {
                let trials = segments[me].trials();
                let (direct, timed) = trials.next(0, Situation::Exchange, &mut seen[me]);
                if timed {
                    seen[me].record(UNIT, 100 + direct as u64);
                }
                direct
            });
            apart += u32::from(ways[0] != ways[1]);
            changes += u32::from(ways[0] != last);
            last = ways[0];
        }
        assert!(changes >= 8 && apart <= changes, "{apart} of {changes}");
    }

    /// Messages of which none could be timed do not keep a slow way in use.
    #[test]
    fn a_way_that_cannot_be_timed_has_an_end() {
        let [one, _] = pair();
        let (trials, mut seen) = (one.trials(), Seen::default());
        let mut each = [0; 3];
        for _ in 0..1000 {
            let (direct, timed) = trials.next(3, Situation::Alone, &mut seen);
            each[direct as usize] += 1;
            if timed && direct == Direct::Both {
                seen.record(UNIT, 100);
            }
        }
        assert!(each[Direct::Both as usize] > 750, "{each:?}");
        assert_eq!(trials.times(3, Situation::Alone), None);
        assert_eq!(trials.best(3, Situation::Alone), Direct::Both);
        assert!(!trials.take_news());
    }

    #[test]
    fn what_is_known_from_before_is_in_use_at_once() {
        let [one, other] = pair();
        let (alone, exchange) = (Times([9, 8, 1]), Times([9, 1, 0]));
        one.trials().learn(0, Situation::Alone, alone);
        one.trials().learn(0, Situation::Exchange, exchange);
        assert_eq!(other.trials().best(0, Situation::Alone), Direct::Reads);
        let mut seen = Seen::default();
        let (direct, timed) = other.trials().next(0, Situation::Exchange, &mut seen);
        assert_eq!((direct, timed), (Direct::Never, false));
        let mut table = Table::default();
        table[0][Situation::Alone as usize] = Some(alone);
        table[0][Situation::Exchange as usize] = Some(exchange);
        assert_eq!(other.trials().table(), table);
        assert!(!one.trials().take_news());
    }

    #[test]
    fn the_middle_of_the_times_counts() {
        let mut seen = Seen::default();
        assert_eq!(seen.median(), None);
        let mut next = |bytes, nanoseconds| {
            seen.record(bytes, nanoseconds);
            seen.median().unwrap()
        };
        assert_eq!(next(UNIT, u64::MAX), u32::MAX, "longer than any");
        assert_eq!(next(UNIT / 2, 50), 100);
        assert_eq!(next(UNIT, 0), 100, "no time at all is 1");
        assert_eq!(next(2 * UNIT, 1000), 100);
        assert_eq!(next(UNIT, 1), 100, "there are enough");
    }
}

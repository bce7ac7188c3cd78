//! Which way of copying long messages is the fastest here, learned from the messages themselves.
//!
//! Which one wins depends on the processor, the kernel, what stands between them, and the program: one copy by
//! the system is fast while the source stays unchanged and so in both caches, and slow for what has just been written.
//! No copy within one process tells, and the first messages do not tell for the others. So each way gets a few
//! real messages of each class of sizes and each situation: in turn when a job begins, again after [`SHORTEST`]
//! messages, and then ever more rarely, the more so the slower it was. The median of a way's [`SAMPLES`] counts, and
//! another way must be clearly faster than the one in use. One that is much slower is given up earlier.
//! The table lies in the segment: all processes of the job fill it and change over together, as an exchange is slow
//! whose two sides copy differently. There is one for processes that are near each other and one for those that are
//! [far](super::distance). It must not know how a message is copied, nor where times are kept between jobs.

use std::ops::RangeInclusive;

use super::Segment;
use super::distance::Distance;
use crate::datatype::block::{Core, core};
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
    /// What fits into a ring goes through it, as far as messages go: it shares its core with others, so times would say who
    /// else ran, and a message that one of them has to ask for costs changes of process. Blocks of collectives go by a
    /// [rehearsal](super::rehearsal).
    Crowded,
    /// It tries what is not known.
    Yes,
}

/// What a process needs to learn which way is the fastest.
#[derive(Clone, Copy)]
pub struct Learning {
    pub measure: Measure,
    /// Fills in what is known from before, when the first process needs it.
    pub recall: fn(Distance, &Trials),
    /// How often this thread has lost the processor: a time during which that happened says nothing.
    pub switches: fn() -> u64,
}

impl Learning {
    /// Copies as it is told.
    pub const NONE: Learning = Learning {
        measure: Measure::No,
        recall: |_, _| (),
        switches: || 0,
    };

    /// The table of a node for processes so far from each other, filled in with what is known from before.
    #[inline]
    pub fn trials(&self, segment: &Segment, distance: Distance) -> &'static Trials {
        let trials = segment.trials(distance);
        if trials.ask() {
            (self.recall)(distance, trials);
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
    Reduce,
}

impl Situation {
    pub const ALL: [Situation; 8] = [
        Situation::Alone,
        Situation::Exchange,
        Situation::Several,
        Situation::Gather,
        Situation::Scatter,
        Situation::Allgather,
        Situation::Alltoall,
        Situation::Reduce,
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
            Situation::Gather
            | Situation::Scatter
            | Situation::Allgather
            | Situation::Alltoall
            | Situation::Reduce => &[Direct::Reads, Direct::Never],
        }
    }

    /// Whether blocks of a collective move as they are.
    fn is_of_blocks(self) -> bool {
        use Situation::{Allgather, Alltoall, Gather, Scatter};
        matches!(self, Gather | Scatter | Allgather | Alltoall)
    }

    /// Whether both ends of a block take one.
    pub fn is_mutual(self) -> bool {
        matches!(self, Situation::Allgather | Situation::Alltoall)
    }

    /// Messages of a way that is tried before the times of any count: what the last way has left in the caches is not this one's.
    /// What is copied where it lies has to come to the caches of who copies it ([`SOURCES`]), and shared memory that messages go
    /// through in turn is in none before they have come round once, `round` bytes: 64 KiB each way took 10 to 17 us at first,
    /// later 5.5. When it is used `again`, in an exchange, it is a few shuttles that go to and fro ([`AGAIN`]). The longest messages
    /// take most else out of the caches: 4 MiB each way on an EPYC of the fourth generation, after two others, 870, 683, 633 and 586
    /// us, later 400.
    fn settle(self, way: usize, class: usize, round: u32, again: bool) -> u32 {
        let through = |bound: &u64| (u64::from(round) / bound) as u32;
        let most = match again && self == Situation::Exchange {
            true => AGAIN,
            false => u32::MAX,
        };
        match self.ways()[way] {
            Direct::Never => BOUNDS
                .get(class)
                .map_or(SOURCES, through)
                .clamp(SETTLE, most),
            // Of several the first eight are one time of four.
            _ if self == Situation::Several => SETTLE,
            Direct::Reads | Direct::Both => SOURCES,
        }
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

/// Sizes that are chosen for together: the longest is at most twice as long as the shortest, so that times for a byte can be
/// compared, but for the first class, which has blocks and few messages, and for the last.
pub const CLASSES: usize = 8;
/// The longest message of each class but the last.
pub const BOUNDS: [u64; CLASSES - 1] = [
    16 << 10,
    32 << 10,
    64 << 10,
    128 << 10,
    256 << 10,
    512 << 10,
    1 << 20,
];

/// The class of a message.
#[inline]
pub fn class_of(bytes: u64) -> usize {
    BOUNDS.iter().filter(|&&bound| bytes > bound).count()
}

/// Longest message that may leave at once where it could be announced.
pub const HURRIED: u64 = 256 << 10;
/// Up to this an announcement takes so much of a message's time that it counts ([`Times::counted`]).
const FAVOURED: u64 = 64 << 10;
/// Up to this the same goes for several messages that their receiver copies.
const FAVOURED_READS: u64 = 32 << 10;

/// Messages of these lengths leave at once, but on Golden Cove not all of those that meet others the other way, which are learned
/// about like longer ones (both ways 12 KiB 1.64 us, 16 KiB 2.12; each copied by its receiver where it lies 1.5 and 1.66).
const WATCHED: RangeInclusive<u64> = 12 << 10..=16 << 10;

/// Whether a message of this length that would leave at once is [`WATCHED`].
#[inline]
pub fn is_watched(bytes: u64) -> bool {
    WATCHED.contains(&bytes) && core() == Core::GoldenCove
}

/// Messages after which another way is tried again, at first. Two to eight times as many after each time that has changed
/// nothing, by how slow it was...
const SHORTEST: u32 = 8;
/// ... up to 512 times as many. A trial costs as much as some 13 messages (256 KiB both ways on a Xeon of the sixth generation, with up
/// to 128 times 9.64 us, 512 times 9.46, 2,048 times 9.39, without trials 9.32;
/// `cargo xtask bench exchange --real-time --ranks 2 --words 262144`).
const LONGEST: u32 = 9;
/// After a change it is [`SHORTEST`] four times, as what changes to and fro would be tried all the time; where it is known from an
/// earlier job too, and the longer the slower all others were...
const CHANGED: u32 = 2;
/// ... and 128 times where a trial has confirmed it: the first one of a job touches memory that is new and costs as much as 35 to 140
/// messages, and whoever calls a collective some hundred times, as IMB and `bench` do, should not spend a tenth of that on it (a job
/// with some 800 calls each, with 32 times as many and so: allgather of 256 KiB 17.4 us, 15.1; alltoall 17.3, 15.3; reduce 28.2, 16.9;
/// `cargo xtask bench coll --real-time --ranks 2 --seconds 2`, Xeon of the sixth generation).
const CONFIRMED: u32 = 7;
/// Messages of a way before one is timed, at least.
pub const SETTLE: u32 = 2;
/// Messages that are copied where they lie before the times of any count: MPI_Sendrecv of 1 MiB after others through shared memory,
/// EPYC of the fourth generation, message by message, us: 142, 142, 140, 100, 81, 81, 82, 81, 79, 78, 78, both where a line takes
/// 64 and where it takes 256 ns (through shared memory 54 and 93).
pub const SOURCES: u32 = 8;
/// Most messages of an exchange through shared memory before the times of any count, where that has come round before. As many as
/// make it come round were 128 of 32 KiB with a ring of 4 MiB, and cost more than they told: MPI_Sendrecv of 32 KiB on a Xeon of the sixth
/// generation 2.54 us, now 2.36; 2.32 without trials.
const AGAIN: u32 = SOURCES;
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
    /// What counts in a class and situation. Messages that leave at once need not be announced, as they are while shared memory is
    /// timed, and time begins when an announcement has come, so what one costs is not seen of the other ways either: four fifths of
    /// what short ones take through shared memory, seven eighths of longer ones by themselves.
    /// Xeon of the third generation, MPI_Sendrecv of 32 KiB and of 64 KiB, as timed, by the receiver 3.8 and 5.9 us, shared memory
    /// 3.9 and 7.5; as used 4.5 and 6.7, 3.7 and 7.1. Xeon of the sixth generation, 256 KiB by themselves that are
    /// written before each call, as timed, by both sides and through shared memory 13.7 and 13.1; as used 23.5 and 17.8, since who
    /// writes what has been copied where it lies first takes it back. Of several up to 32 KiB there, whoever receives copies one while
    /// the next is announced, which the times of eight do not show: bandwidth of 32 KiB as timed, by the receiver 1.95, through
    /// shared memory 1.85; as used 1.65, 1.80 (of 24 KiB 1.39, 1.29).
    /// Who gives a block through shared memory goes on before it is taken, and what is timed there has just followed the other way:
    /// seven eighths, too, EPYC of the fourth generation, 256 ns, as timed, by the receiver and through shared memory, for 64 KiB:
    /// allgather of 256 KiB 7.7 and 6.9 us, 512 KiB 7.7 and 7.5; as used in all 35.2 and 32.1,
    /// 64.8 and 62.3 (command: docs/measurements/notes.md, "Which way is the fastest").
    fn counted(mut self, class: usize, situation: Situation) -> Times {
        let bound = BOUNDS.get(class).copied().unwrap_or(u64::MAX);
        // Of several an announcement comes while others are copied, and on Golden Cove those that leave at once gain nothing else
        // (bandwidth of 64 KiB as timed and as used: by both sides 2.6 us, through shared memory 3.0), nor in exchanges (32 KiB by the
        // receiver 2.3 and 2.3, through shared memory 2.8 and 3.0).
        let hurries = match situation {
            Situation::Several | Situation::Exchange => core() != Core::GoldenCove,
            _ => Situation::MESSAGES.contains(&situation),
        };
        let (counts_less, part) = match bound {
            ..=FAVOURED if hurries => (Direct::Never, 5),
            ..=FAVOURED_READS if situation == Situation::Several => (Direct::Reads, 5),
            ..=HURRIED if situation == Situation::Alone => (Direct::Never, 8),
            _ if situation.is_of_blocks() && core() == Core::Other => (Direct::Never, 8),
            _ => return self,
        };
        let ways = situation.ways().iter().zip(&mut self.0);
        for (_, time) in ways.filter(|(way, _)| **way == counts_less) {
            *time -= *time / part;
        }
        self
    }

    /// Whether all that can be known is.
    fn complete(&self, situation: Situation) -> bool {
        self.0[..situation.ways().len()]
            .iter()
            .all(|&time| time > 0)
    }

    /// The fastest way, as an index. One that is not `used` must be faster by an eighth, the usual one by a sixteenth: its first times
    /// may have been those of memory that nobody had in a cache (reduce of 256 KiB after other sizes on a Xeon of the sixth
    /// generation, at first from where it lies 26 us, through shared memory 16; later on 16.5 and 18.1; `cargo xtask bench coll
    /// --real-time --ranks 2`).
    fn best(&self, used: usize) -> usize {
        let known = (0..WAYS).filter(|&way| self.0[way] > 0);
        let Some(fastest) = known.min_by_key(|&way| self.0[way]) else {
            return used;
        };
        let [new, old] = [fastest, used].map(|way| u64::from(self.0[way]));
        let clearly = match fastest {
            0 => new * 16 < old * 15,
            _ => new * 8 < old * 7,
        };
        match clearly {
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
    pub fn choice(&self, class: usize, situation: Situation) -> Direct {
        situation.ways()[self.counted(class, situation).best(0)]
    }
}

/// What is known of each class and situation.
pub type Table = [[Option<Times>; Situation::ALL.len()]; CLASSES];

/// Whether trials have confirmed that.
pub type Confirmed = [[bool; Situation::ALL.len()]; CLASSES];

/// What is done in a situation and class: a number that changes whenever the way does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    /// The way that has been found the fastest, as an index.
    best: usize,
    /// The way that messages are copied in now.
    now: usize,
    /// How often in a row a trial has changed nothing, up to [`LONGEST`].
    calm: u32,
    /// Whether a trial has changed nothing since the way last changed.
    confirmed: bool,
    /// Counts the changes.
    turn: u32,
}

impl State {
    fn of(word: u32) -> State {
        State {
            best: (word & 3) as usize,
            now: (word >> 2 & 3) as usize,
            calm: word >> 4 & 15,
            confirmed: word >> 8 & 1 != 0,
            turn: word >> 9,
        }
    }

    fn word(self) -> u32 {
        let confirmed = u32::from(self.confirmed);
        self.best as u32 | (self.now as u32) << 2 | self.calm << 4 | confirmed << 8 | self.turn << 9
    }

    /// Whether each of `ways` ways has had its first turn.
    fn is_settled(self, ways: usize) -> bool {
        self.turn >= ways as u32
    }

    /// Messages of this turn before one is timed, where shared memory is used again after `round` bytes.
    fn untimed(self, situation: Situation, class: usize, round: u32) -> u32 {
        let settled = self.is_settled(situation.ways().len());
        match settled && self.now == self.best {
            true => SHORTEST << self.calm,
            false => situation.settle(self.now, class, round, settled),
        }
    }

    /// What comes after this, where these times have been found; `timed`: one of them since the way last changed.
    fn next(self, ways: usize, times: &Times, timed: bool) -> State {
        let settled = self.is_settled(ways);
        let turn = (self.turn + 1) % (1 << 23);
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
            confirmed: best == self.best && (settled && timed || self.confirmed),
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
    /// there are the more each must say so; one alone may have been disturbed. `early`: it is only becoming as fast as it is, which
    /// halves its times at most.
    fn is_slower(&self, best: u32, early: bool) -> bool {
        let [timed, best] = [self.timed as u64, u64::from(best)];
        let much = match early {
            true => best * timed * 2,
            false => best * (timed + 1),
        };
        let slower = |&time: &u32| u64::from(time) * timed > much;
        timed > 1 && best > 0 && self.times[..self.timed].iter().all(slower)
    }

    /// So many messages have come eagerly where the fastest way is in use: they need not be timed.
    pub fn skip(&mut self, situation: Situation, messages: u32) {
        let state = State::of(self.state);
        if state.now == state.best && state.is_settled(situation.ways().len()) {
            let untimed = SHORTEST << state.calm;
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

/// What one process has seen of everything, by class and situation, for each [`Distance`].
pub type AllSeen = [[[Seen; Situation::ALL.len()]; CLASSES]; Distance::ALL.len()];

/// Messages that are announced between two runs of eager ones: another way is to be tried, or they tell how they meet. In a row, as
/// in an exchange those of both sides have to meet and one may be ahead (of 4 both seldom heard it).
const ANNOUNCED: u32 = 16;

/// After so many eager messages of a run it is asked again what is known.
const UNASKED_FOR: u32 = 16;

/// Which messages of a class a process sends eagerly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hurry {
    /// So many of a run have not left yet,
    eager: u32,
    /// which had so many,
    run: u32,
    /// and so many that are announced.
    announced: u32,
}

impl Hurry {
    /// Of [watched](is_watched) messages, while they are not known to meet others the other way, so many leave eagerly between those
    /// that are announced to hear whether they do ...
    const UNHEARD: u32 = 2048;
    /// ... and so many before the first of those: programs that send only a few hear nothing.
    const UNHEARD_FIRST: u32 = 32;

    /// That of watched messages.
    pub fn of_watched() -> Hurry {
        Hurry {
            eager: Self::UNHEARD_FIRST,
            ..Hurry::default()
        }
    }

    /// Whether the next of those leaves eagerly.
    pub fn next_watched(&mut self) -> bool {
        self.next(Some(Self::UNHEARD))
    }

    /// Whether the next message leaves eagerly because others before it did, whatever is known. Otherwise [`next`](Self::next) says.
    #[inline(always)]
    pub fn goes_on(&mut self) -> bool {
        // The last one of a run is another matter.
        let goes_on = self.eager % UNASKED_FOR > 1;
        self.eager -= u32::from(goes_on);
        goes_on
    }

    /// Whether the next message leaves eagerly; `run`: what [`Trials::eager_run`] says.
    pub fn next(&mut self, run: Option<u32>) -> bool {
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
            0 => (self.eager, self.run) = (run - 1, run),
            _ => self.eager -= 1,
        }
        if self.eager == 0 {
            self.announced = ANNOUNCED;
        }
        true
    }

    /// Whether messages leave eagerly now, where one has come that was announced. If the greater part of a run has left, the rest
    /// is announced too: in an exchange those of both sides have to be, or nothing is learned of it. Each that comes makes it
    /// [`SHORTEST`] shorter, so that it ends also where nothing is sent any more.
    pub fn meets_announced(&mut self) -> bool {
        let runs = self.eager > 0;
        self.eager = self.eager.saturating_sub(SHORTEST);
        if runs && self.eager <= self.run / 2 {
            (self.eager, self.announced) = (0, ANNOUNCED);
        }
        runs
    }
}

/// Nobody has looked yet for what is known from earlier jobs.
const UNASKED: u32 = 0;
const ASKED: u32 = 1;

/// The times so far, and what is done. All-zero bytes are an empty table.
#[repr(C, align(64))]
pub struct Trials {
    asked: AtomicU32,
    /// 1: a choice has become known in this job, or another one, or has been confirmed.
    news: AtomicU32,
    /// Bytes after which shared memory that messages go through is used again.
    round: AtomicU32,
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
            round: word(0),
            courses: std::array::from_fn(|_| std::array::from_fn(course)),
        }
    }

    /// Shared memory that messages go through is used again after so many bytes.
    pub(super) fn set_round(&self, bytes: u32) {
        self.round.store(bytes, Ordering::Relaxed);
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

    /// Which of that trials have confirmed.
    pub fn confirmed(&self) -> Confirmed {
        self.courses.each_ref().map(|class| {
            let states = class.each_ref().map(|course| &course.state);
            states.map(|state| State::of(state.load(Ordering::Relaxed)).confirmed)
        })
    }

    /// Trials elsewhere have confirmed what has been [learned](Self::learn).
    pub fn confirm(&self, class: usize, situation: Situation) {
        let word = &self.course(class, situation).state;
        let state = State::of(word.load(Ordering::Relaxed));
        let state = State {
            calm: (state.calm + CONFIRMED - CHANGED).min(LONGEST),
            confirmed: true,
            ..state
        };
        word.store(state.word(), Ordering::Relaxed);
    }

    /// Fills in times from elsewhere.
    pub fn learn(&self, class: usize, situation: Situation, times: Times) {
        let course = self.course(class, situation);
        for (place, time) in course.times.iter().zip(times.0) {
            place.store(time, Ordering::Relaxed);
        }
        let (times, ways) = (times.counted(class, situation), situation.ways().len());
        let best = times.best(0);
        let others = (0..ways).filter(|&way| way != best);
        let slower = others.map(|way| times.slower(way, best)).min();
        let state = State {
            best,
            now: best,
            calm: CHANGED + slower.unwrap_or(0),
            confirmed: false,
            turn: ways as u32,
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
        let round = self.round.load(Ordering::Relaxed);
        let untimed = state.untimed(situation, class, round);
        let early = seen.messages <= untimed;
        let given_up = state.now != state.best
            && seen.is_slower(course.times[state.best].load(Ordering::Relaxed), early);
        let complete = seen.timed == SAMPLES && !early;
        if given_up || complete || seen.messages >= untimed + situation.most() {
            let time = seen.median();
            if let Some(time) = time {
                course.times[state.now].store(time, Ordering::Relaxed);
            }
            let times = course.times();
            let counted = times.counted(class, situation);
            let next = state.next(ways.len(), &counted, time.is_some());
            let known = next.best != state.best || next.turn == ways.len() as u32;
            if known || next.confirmed && !state.confirmed {
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
        let untimed = state.untimed(situation, class, round);
        if seen.messages == untimed {
            // The others were only to give it up early.
            seen.timed = 0;
        }
        seen.messages += 1;
        let (way, tried) = (ways[state.now], state.now != state.best);
        let looked_at = tried && way != Direct::Never && seen.messages > SETTLE;
        (way, looked_at || seen.messages > untimed)
    }

    /// Whether there is something new to be remembered; once.
    pub fn take_news(&self) -> bool {
        self.news.load(Ordering::Relaxed) != 0 && self.news.swap(0, Ordering::Relaxed) != 0
    }
}

impl Segment {
    /// The times of this node's long messages between processes so far from each other.
    pub fn trials(&self, distance: Distance) -> &'static Trials {
        &self.header().trials[distance as usize]
    }
}

#[cfg(test)]
mod tests;

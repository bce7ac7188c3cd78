//! Which of the shuttles that a side has its next message takes.
//!
//! Where vectors copy, what has been read last is written first, while it is in a cache for certain: body by body, each as it lay, or
//! [those of a message](IN_ORDER) one behind the other.
//! Where [strings](by_strings) copy, some that lie one behind the other, as near as possible to the beginning of the memory beside
//! either ring: so the same few go to and fro, in order, also where the messages of one side are longer than those of the other; and
//! where both send at once each has its own, far from those of the other, as processors fetch what follows what they read.

use std::ops::{Range, RangeInclusive};

use super::{EACH, SHUTTLE, TOGETHER, parted};
use crate::datatype::block::{Core, by_strings, core};

/// Words of one bit each for the shuttles beside one ring.
const WORDS: usize = (EACH / u64::BITS) as usize;

/// On Golden Cove the shuttles of a message of so many bodies are taken as they lie, so that those that lie together are taken as one
/// again (where messages of other lengths had taken some of them, bcast of 256 KiB 13.4 us, so and by pieces that grow 12.9; command:
/// docs/measurements/notes.md, "Golden Cove"). Longer ones have the latest in order.
const IN_ORDER: RangeInclusive<usize> = 3..=32;

const _: () = assert!(EACH.is_power_of_two() && EACH >= u64::BITS);

/// The shuttles that one side has, by number.
pub(in crate::shm) enum Stock {
    /// The latest last.
    Stack(Vec<u32>),
    InOrder(InOrder),
}

impl Stock {
    /// Those that a side has at first, of which the first one is taken first.
    pub fn new(own: Range<u32>) -> Stock {
        match by_strings() {
            true => Stock::InOrder(InOrder {
                latest: own.start,
                hand: own,
                ..InOrder::default()
            }),
            false => Stock::Stack(own.rev().collect()),
        }
    }

    /// How many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        match self {
            Stock::Stack(stack) => stack.len(),
            Stock::InOrder(all) => all.len + all.hand.len(),
        }
    }

    /// Adds some that have come.
    #[inline(always)]
    pub fn add(&mut self, held: Range<u32>) {
        match self {
            // The usual one.
            Stock::Stack(stack) if held.len() == 1 => stack.push(held.start),
            Stock::Stack(stack) => stack.extend(held.rev()),
            Stock::InOrder(all) => all.add(held),
        }
    }

    /// Begins a message of so many bodies: as many shuttles as it takes, or an answer of the same length finds too few that lie one behind
    /// the other where this one has lain, and takes others.
    #[inline]
    pub fn begin(&mut self, bodies: usize) {
        match self {
            Stock::Stack(stack) => {
                if bodies >= *IN_ORDER.start() && core() == Core::GoldenCove {
                    sort(stack, bodies.min(*IN_ORDER.end()));
                }
            }
            Stock::InOrder(all) => all.begin(bodies),
        }
    }

    /// The message that has begun takes so many shuttles as they lie.
    #[inline]
    pub fn put_in_order(&mut self, bodies: usize) {
        if let Stock::Stack(stack) = self {
            sort(stack, bodies);
        }
    }

    /// The shuttle of the next body, if there is one.
    #[inline(always)]
    pub fn next(&self) -> Option<u32> {
        match self {
            Stock::Stack(stack) => stack.last().copied(),
            Stock::InOrder(all) => all.next(),
        }
    }

    /// How many lie one behind the other from the next one on, at least 1, as far as one look tells.
    #[inline]
    pub fn together(&self) -> usize {
        match self {
            Stock::Stack(stack) => run(stack),
            Stock::InOrder(all) => all.together(),
        }
    }

    /// Takes the next ones, no more than are [together](Self::together).
    #[inline(always)]
    pub fn take(&mut self, held: Range<u32>) {
        debug_assert!(self.next() == Some(held.start) && held.len() <= self.together());
        match self {
            Stock::Stack(stack) => stack.truncate(stack.len() - held.len()),
            Stock::InOrder(all) => all.take(held),
        }
    }
}

/// Puts so many of the latest in the order in which they lie.
#[inline]
fn sort(stack: &mut [u32], bodies: usize) {
    let from = stack.len().saturating_sub(bodies);
    let latest = &mut stack[from..];
    if !latest.is_sorted_by(|one, next| one >= next) {
        latest.sort_unstable_by(|one, next| next.cmp(one));
    }
}

/// How many of the latest lie one behind the other, as far as a body reaches.
#[inline]
fn run(stack: &[u32]) -> usize {
    let Some(&next) = stack.last() else {
        return 1;
    };
    // The two halves do not.
    let most = (EACH - next % EACH).min((TOGETHER / SHUTTLE) as u32);
    let latest = stack.iter().rev().zip(next..next + most);
    latest
        .take_while(|(number, place)| *number == place)
        .count()
}

/// Those that are taken in their order in memory.
#[derive(Default)]
pub(in crate::shm) struct InOrder {
    /// A bit for each, but for those in the hand.
    halves: [[u64; WORDS]; 2],
    /// Number of those.
    len: usize,
    /// The first of those that have been put there last.
    latest: u32,
    /// Those that came last. A message that takes one takes it from here, and so does a longer one if they are the best: that costs
    /// nothing.
    hand: Range<u32>,
    /// Where the next body lies unless one is in the hand: in the first one from this number on.
    next: u32,
}

impl InOrder {
    #[inline]
    fn add(&mut self, held: Range<u32>) {
        let before = std::mem::replace(&mut self.hand, held);
        if !before.is_empty() {
            self.put(before);
        }
    }

    /// A message begins where as many as it takes lie one behind the other, and nearest to the beginning of one of the halves; of that
    /// where the latest one lay, if both are alike. One alone lies in the latest.
    #[inline]
    fn begin(&mut self, bodies: usize) {
        let (_, at) = parted(self.hand.start);
        if (at == 0 || bodies <= 1) && self.hand.len() >= bodies.max(1) {
            return;
        }
        let came = std::mem::take(&mut self.hand);
        self.put(came);
        self.next = self.best(bodies);
    }

    #[inline]
    fn next(&self) -> Option<u32> {
        match self.hand.is_empty() {
            true => self.first(self.next),
            false => Some(self.hand.start),
        }
    }

    #[inline]
    fn together(&self) -> usize {
        if !self.hand.is_empty() {
            return self.hand.len();
        }
        self.first(self.next).map_or(1, |next| {
            let (word, bit) = place(next);
            (self.words()[word] >> bit).trailing_ones() as usize
        })
    }

    #[inline]
    fn take(&mut self, held: Range<u32>) {
        let Range { start, end } = held;
        if !self.hand.is_empty() {
            self.hand.start = end;
            return;
        }
        let (word, bit) = place(start);
        self.halves.as_flattened_mut()[word] &= !bits(bit, end - start);
        self.len -= held.len();
        self.next = end;
    }

    /// Each is here once, whatever the other process says.
    fn put(&mut self, numbers: Range<u32>) {
        let Range { mut start, end } = numbers;
        self.latest = start;
        while start < end {
            let (word, bit) = place(start);
            let count = (end - start).min(u64::BITS - bit);
            let word = &mut self.halves.as_flattened_mut()[word];
            let bits = bits(bit, count);
            self.len += match *word & bits {
                0 => count as usize,
                _ => (bits & !*word).count_ones() as usize,
            };
            *word |= bits;
            start += count;
        }
    }

    fn best(&self, bodies: usize) -> u32 {
        let (half, _) = parted(self.latest);
        let halves = [half, half ^ 1];
        // Mostly bits of the first words tell.
        let [one, other] = halves.map(|half| {
            let [first, ..] = self.halves[half as usize % 2];
            runs(first, bodies).trailing_zeros()
        });
        match one.min(other) {
            u64::BITS => self.best_of_all(halves, bodies),
            at if at == one => halves[0] * EACH + at,
            at => halves[1] * EACH + at,
        }
    }

    #[cold]
    fn best_of_all(&self, halves: [u32; 2], bodies: usize) -> u32 {
        let places = halves.iter().flat_map(|&half| {
            let words = self.halves[half as usize % 2].iter().zip(0..);
            let mut runs = words.map(move |(&word, at)| (at, runs(word, bodies)));
            let run = runs.find(|&(_, runs)| runs != 0);
            run.map(|(at, runs)| (at * u64::BITS + runs.trailing_zeros(), half))
        });
        match places.min_by_key(|&(at, _)| at) {
            Some((at, half)) => half * EACH + at,
            None => self.first(0).unwrap_or(0),
        }
    }

    /// The first one from this number on, or else of all, but for those in the hand.
    #[inline]
    fn first(&self, number: u32) -> Option<u32> {
        let number = number % (2 * EACH);
        let (word, bit) = place(number);
        match self.words()[word] >> bit {
            0 => self.further(word),
            here => Some(number + here.trailing_zeros()),
        }
    }

    /// The first one beyond this word, or else of all.
    #[cold]
    fn further(&self, word: usize) -> Option<u32> {
        let mut words = (word + 1..2 * WORDS).chain(0..=word);
        let word = words.find(|&word| self.words()[word] != 0)?;
        Some(word as u32 * u64::BITS + self.words()[word].trailing_zeros())
    }

    fn words(&self) -> &[u64] {
        self.halves.as_flattened()
    }
}

/// Where the bit of a number is.
#[inline]
fn place(number: u32) -> (usize, u32) {
    ((number / u64::BITS) as usize, number % u64::BITS)
}

/// So many bits from this one on, 1 to 64.
#[inline]
fn bits(first: u32, count: u32) -> u64 {
    u64::MAX >> (u64::BITS - count) << first
}

/// The bits of a word that begin so many.
#[inline]
fn runs(mut word: u64, length: usize) -> u64 {
    let length = length.min(u64::BITS as usize);
    let mut have = 1;
    while have < length && word != 0 {
        let more = have.min(length - have);
        word &= word >> more;
        have += more;
    }
    word
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::datatype::block::{Core, On};
    use std::collections::BTreeSet;

    /// Shuttles of a body.
    const MOST: usize = 4;

    /// A stock and all that it has, which is known otherwise.
    struct Checked {
        stock: Stock,
        all: BTreeSet<u32>,
    }

    impl Checked {
        fn new(half: u32, each: u32) -> Checked {
            let all = half * EACH..half * EACH + each;
            Checked {
                stock: Stock::new(all.clone()),
                all: all.collect(),
            }
        }

        fn add(&mut self, held: Range<u32>) {
            self.stock.add(held.clone());
            self.all.extend(held);
        }

        /// The shuttles of a message of so many bodies, each as long as those that lie together, up to [`MOST`], if `longer`.
        fn message(&mut self, bodies: usize, longer: bool) -> Vec<(u32, u32)> {
            assert!(bodies <= self.all.len());
            self.stock.begin(bodies);
            let mut left = bodies;
            let mut message = Vec::new();
            while left > 0 {
                let count = match longer {
                    true => self.stock.together().min(left).min(MOST),
                    false => 1,
                };
                let first = self.stock.next().unwrap();
                let held = first..first + count as u32;
                self.stock.take(held.clone());
                held.clone()
                    .for_each(|number| assert!(self.all.remove(&number)));
                assert_eq!(self.stock.len(), self.all.len());
                message.push((held.start, held.end));
                left -= count;
            }
            message
        }
    }

    /// Messages of any length to and fro: what is taken is here, once, and all of it can be.
    #[test]
    fn a_stock_has_what_came_and_was_not_taken() {
        for (each, core) in [
            (8, Core::Zen5),
            (64, Core::Zen5),
            (EACH, Core::Zen5),
            (64, Core::Other),
        ] {
            let _core = On::a(core);
            let mut sides = [0, 1].map(|half| Checked::new(half, each));
            let mut random = 1u32;
            for turn in 0..4000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let [from, to] = match random >> 31 {
                    0 => [0, 1],
                    _ => [1, 0],
                };
                let most = sides[from].all.len();
                let bodies = 1 + (random >> 8) as usize % [1, 5, 40][turn % 3];
                if bodies > most {
                    continue;
                }
                let message = sides[from].message(bodies, turn % 2 == 0);
                message
                    .into_iter()
                    .for_each(|(start, end)| sides[to].add(start..end));
            }
            let all = sides[0].all.union(&sides[1].all).count();
            assert_eq!(all, 2 * each as usize);
            for side in &mut sides {
                let most = side.all.len();
                side.message(most, true);
                assert_eq!((side.stock.len(), side.stock.next()), (0, None));
            }
        }
    }

    /// What lies together is taken, at the beginning of a half if it is there.
    #[test]
    fn a_message_begins_where_as_many_lie_together() {
        let _core = On::a(Core::Zen5);
        let mut side = Checked::new(0, EACH);
        assert_eq!(side.message(3, false), [(0, 1), (1, 2), (2, 3)]);
        side.add(0..1);
        side.add(2..3);
        assert_eq!(side.message(2, true), [(2, 4)]);
        side.add(EACH..EACH + 2);
        assert_eq!(
            side.message(2, true),
            [(EACH, EACH + 2)],
            "nearer to its half's beginning"
        );
        side.add(1..2);
        side.add(EACH + 9..EACH + 10);
        assert_eq!(side.message(1, true), [(EACH + 9, EACH + 10)], "the latest");
        assert_eq!(side.message(1, true), [(0, 1)], "the first");
        // No hundred lie together as far as a look tells, nor as many as are left.
        side.add(EACH..EACH + 80);
        assert_eq!(side.message(100, true)[0], (EACH, EACH + 4));
        let left = side.all.len();
        side.message(left, true);
    }

    /// Where strings do not copy the latest is taken first.
    #[test]
    fn the_latest_is_taken_first() {
        let mut side = Checked::new(1, 8);
        assert_eq!(
            side.message(2, false),
            [(EACH, EACH + 1), (EACH + 1, EACH + 2)]
        );
        side.add(EACH - 1..EACH);
        side.add(EACH..EACH + 1);
        side.add(EACH + 1..EACH + 2);
        let taken = [EACH + 1, EACH, EACH - 1, EACH + 2].map(|number| (number, number + 1));
        assert_eq!(side.message(4, false), taken);
    }

    /// What has been read as one is written as one, but for what lies in two halves.
    #[test]
    fn of_the_latest_those_that_lie_together_are_taken_as_one() {
        let mut side = Checked::new(1, 8);
        assert_eq!(
            side.message(5, true),
            [(EACH, EACH + 4), (EACH + 4, EACH + 5)]
        );
        side.add(3..4);
        side.add(EACH..EACH + 2);
        let taken = [(EACH, EACH + 2), (3, 4), (EACH + 5, EACH + 8)];
        assert_eq!(side.message(6, true), taken);
        side.add(EACH..EACH + 1);
        side.add(EACH - 1..EACH);
        assert_eq!(side.message(2, true), [(EACH - 1, EACH), (EACH, EACH + 1)]);
        assert_eq!(side.stock.together(), 1, "nothing is here");
    }

    /// Those of a longer message are taken in order where that is so, and are as one again, whatever has taken some of them.
    #[test]
    fn those_of_a_message_are_in_order() {
        let _core = On::a(Core::GoldenCove);
        let mut side = Checked::new(1, 8);
        let all = side.message(8, true);
        assert_eq!(all, [(EACH, EACH + 4), (EACH + 4, EACH + 8)]);
        for number in [3, 7, 1, 6, 0, 2].map(|number| EACH + number) {
            side.add(number..number + 1);
        }
        side.add(EACH + 4..EACH + 6);
        assert_eq!(side.message(2, true), [(EACH + 4, EACH + 6)], "the latest");
        side.add(EACH + 4..EACH + 6);
        assert_eq!(side.message(8, true), all);
    }

    /// A number that was said twice is here once.
    #[test]
    fn what_comes_twice_is_here_once() {
        let _core = On::a(Core::Zen5);
        let mut side = Checked::new(0, 8);
        side.add(5..8);
        side.add(5..6);
        side.stock.begin(2);
        assert_eq!(side.stock.len(), 8);
        side.message(8, true);
        assert_eq!(side.stock.next(), None);
    }
}

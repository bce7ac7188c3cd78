//! Which of the exchange buffers that a side has its next message takes.
//!
//! What has been read last is written first, while it is in a cache for certain: body by body, each as it lay. The exchange buffers of a
//! message of several bodies are put in order first, so that those that lie together are taken as one.

use std::ops::Range;

use super::{EXCHANGE_BUFFER, MAX_ADJOINING, PER_RING};

/// Most exchange buffers that are put in order for a message; of a longer one these are its first ones.
const MOST_IN_ORDER: usize = 32;

const _: () = assert!(PER_RING.is_power_of_two());

/// The exchange buffers that one side has, by number.
pub(in crate::shm) struct FreeBuffers {
    /// The latest last.
    all: Vec<u32>,
    /// Those of a message of so many bodies or more are put in order.
    in_order: usize,
}

impl FreeBuffers {
    /// Those that a side has at first, of which the first one is taken first; those of messages of `in_order` bodies are put in order.
    pub fn new(own: Range<u32>, in_order: usize) -> FreeBuffers {
        FreeBuffers {
            all: own.rev().collect(),
            in_order,
        }
    }

    /// How many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds some that have come.
    #[inline(always)]
    pub fn add(&mut self, numbers: Range<u32>) {
        match numbers.len() {
            // The usual one.
            1 => self.all.push(numbers.start),
            _ => self.all.extend(numbers.rev()),
        }
    }

    /// Begins a message of so many bodies: as many exchange buffers as it takes.
    #[inline]
    pub fn begin(&mut self, bodies: usize) {
        if bodies >= self.in_order {
            self.put_in_order(bodies.min(MOST_IN_ORDER));
        }
    }

    /// So many of the latest are taken in the order in which they lie.
    #[inline]
    pub fn put_in_order(&mut self, bodies: usize) {
        let from = self.all.len().saturating_sub(bodies);
        let latest = &mut self.all[from..];
        if !latest.is_sorted_by(|one, next| one >= next) {
            latest.sort_unstable_by(|one, next| next.cmp(one));
        }
    }

    /// The exchange buffer of the next body, if there is one.
    #[inline(always)]
    pub fn next(&self) -> Option<u32> {
        self.all.last().copied()
    }

    /// How many lie one behind the other from the next one on, at least 1, as far as a body reaches.
    #[inline]
    pub fn adjoining(&self) -> usize {
        let Some(next) = self.next() else {
            return 1;
        };
        // The two halves do not.
        let most = (PER_RING - next % PER_RING).min((MAX_ADJOINING / EXCHANGE_BUFFER) as u32);
        let latest = self.all.iter().rev().zip(next..next + most);
        latest
            .take_while(|(number, place)| *number == place)
            .count()
    }

    /// Takes the next ones, no more than are [together](Self::adjoining).
    #[inline(always)]
    pub fn take(&mut self, numbers: Range<u32>) {
        debug_assert!(self.next() == Some(numbers.start) && numbers.len() <= self.adjoining());
        self.all.truncate(self.all.len() - numbers.len());
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::tuning::NEVER;
    use std::collections::BTreeSet;

    /// Exchange buffers of a body.
    const MAX_AS_ONE: usize = 4;

    /// Free buffers and all that they have, which is known otherwise.
    struct Checked {
        free_buffers: FreeBuffers,
        all: BTreeSet<u32>,
    }

    impl Checked {
        fn new(half: u32, each: u32, in_order: usize) -> Checked {
            let all = half * PER_RING..half * PER_RING + each;
            Checked {
                free_buffers: FreeBuffers::new(all.clone(), in_order),
                all: all.collect(),
            }
        }

        fn add(&mut self, numbers: Range<u32>) {
            self.free_buffers.add(numbers.clone());
            self.all.extend(numbers);
        }

        /// The exchange buffers of a message of so many bodies, each as long as those that lie together, up to [`MAX_AS_ONE`], if `longer`.
        fn message(&mut self, bodies: usize, longer: bool) -> Vec<(u32, u32)> {
            assert!(bodies <= self.all.len());
            self.free_buffers.begin(bodies);
            let mut left = bodies;
            let mut message = Vec::new();
            while left > 0 {
                let count = match longer {
                    true => self.free_buffers.adjoining().min(left).min(MAX_AS_ONE),
                    false => 1,
                };
                let first = self.free_buffers.next().unwrap();
                let taken = first..first + count as u32;
                self.free_buffers.take(taken.clone());
                taken
                    .clone()
                    .for_each(|number| assert!(self.all.remove(&number)));
                assert_eq!(self.free_buffers.len(), self.all.len());
                message.push((taken.start, taken.end));
                left -= count;
            }
            message
        }
    }

    /// Messages of any length to and fro: what is taken is here, once, and all of it can be.
    #[test]
    fn a_stock_has_what_came_and_was_not_taken() {
        for (each, in_order) in [(8, 2), (64, 3), (PER_RING, 2), (64, NEVER)] {
            let mut sides = [0, 1].map(|half| Checked::new(half, each, in_order));
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
                assert_eq!(
                    (side.free_buffers.len(), side.free_buffers.next()),
                    (0, None)
                );
            }
        }
    }

    /// The latest is taken first, unless a message is long enough.
    #[test]
    fn the_latest_is_taken_first() {
        let mut side = Checked::new(1, 8, NEVER);
        assert_eq!(
            side.message(2, false),
            [(PER_RING, PER_RING + 1), (PER_RING + 1, PER_RING + 2)]
        );
        side.add(PER_RING - 1..PER_RING);
        side.add(PER_RING..PER_RING + 1);
        side.add(PER_RING + 1..PER_RING + 2);
        let taken =
            [PER_RING + 1, PER_RING, PER_RING - 1, PER_RING + 2].map(|number| (number, number + 1));
        assert_eq!(side.message(4, false), taken);
    }

    /// What has been read as one is written as one, but for what lies in two halves.
    #[test]
    fn of_the_latest_those_that_lie_together_are_taken_as_one() {
        let mut side = Checked::new(1, 8, NEVER);
        assert_eq!(
            side.message(5, true),
            [(PER_RING, PER_RING + 4), (PER_RING + 4, PER_RING + 5)]
        );
        side.add(3..4);
        side.add(PER_RING..PER_RING + 2);
        let taken = [
            (PER_RING, PER_RING + 2),
            (3, 4),
            (PER_RING + 5, PER_RING + 8),
        ];
        assert_eq!(side.message(6, true), taken);
        side.add(PER_RING..PER_RING + 1);
        side.add(PER_RING - 1..PER_RING);
        assert_eq!(
            side.message(2, true),
            [(PER_RING - 1, PER_RING), (PER_RING, PER_RING + 1)]
        );
        assert_eq!(side.free_buffers.adjoining(), 1, "nothing is here");
    }

    /// Those of a longer message are taken in order where that is so, and are as one again, whatever has taken some of them.
    #[test]
    fn those_of_a_message_are_in_order() {
        let mut side = Checked::new(1, 8, 3);
        let all = side.message(8, true);
        assert_eq!(
            all,
            [(PER_RING, PER_RING + 4), (PER_RING + 4, PER_RING + 8)]
        );
        for number in [3, 7, 1, 6, 0, 2].map(|number| PER_RING + number) {
            side.add(number..number + 1);
        }
        side.add(PER_RING + 4..PER_RING + 6);
        assert_eq!(
            side.message(2, true),
            [(PER_RING + 4, PER_RING + 6)],
            "the latest"
        );
        side.add(PER_RING + 4..PER_RING + 6);
        assert_eq!(side.message(8, true), all);
    }
}

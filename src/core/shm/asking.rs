//! Whether a waiting receiver asks for the lines of a message before it has come. Asked for, they are mostly here when the message
//! is; but where they come while the sender is writing them, it has to take them back, and that depends on where the processors
//! are: so it is learned from how fast messages follow each other. Must not know what is received.

/// Messages that were waited for before both ways are tried again, and of each way then.
const USED: u32 = 4096;
const TRIED: u32 = 7 * BLOCK;
/// So many are timed together, and the shortest time counts. The first of each way still come as those before.
const BLOCK: u32 = 8;
/// Most looks at a message that is timed: who waits for longer waits for something else than lines.
const LOOKS: u32 = 64;
/// Not asking must take less time, by one part in so many.
const CLEARLY: u64 = 16;

/// What a receiver has learned of one sender.
pub(super) struct Asking {
    asks: bool,
    /// What has been found, and what the latest trial said: it must be said twice, as one in ten was seen to err.
    best: bool,
    said: bool,
    stage: Stage,
    /// Messages that are left of this stage.
    left: u32,
    /// When the block began, if all that came since can be timed.
    start: Option<u64>,
    /// The shortest time of a block in this stage, and in the one before.
    time: u64,
    before: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Asking is tried.
    Asked,
    /// Not asking is tried.
    Unasked,
    /// What has been found is used.
    Found,
}

impl Asking {
    pub fn new() -> Asking {
        Asking {
            asks: true,
            best: true,
            said: true,
            stage: Stage::Found,
            left: USED,
            start: None,
            time: u64::MAX,
            before: u64::MAX,
        }
    }

    /// Whether lines are asked for.
    #[inline(always)]
    pub fn asks(&self) -> bool {
        self.asks
    }

    /// A message came after so many looks that did not find it.
    #[inline(always)]
    pub fn came(&mut self, looks: u32, clock: impl FnOnce() -> u64) {
        if looks == 0 || looks > LOOKS {
            self.start = None;
            return;
        }
        self.left -= 1;
        if self.left.is_multiple_of(BLOCK) {
            self.next_block(clock);
        }
    }

    #[cold]
    fn next_block(&mut self, clock: impl FnOnce() -> u64) {
        if self.stage != Stage::Found {
            let now = clock();
            if let Some(start) = self.start.replace(now) {
                self.time = self.time.min(now.wrapping_sub(start));
            }
        }
        if self.left == 0 {
            self.next_stage();
        }
    }

    fn next_stage(&mut self) {
        (self.stage, self.asks, self.left) = match self.stage {
            Stage::Found => (Stage::Asked, true, TRIED),
            Stage::Asked => (Stage::Unasked, false, TRIED),
            Stage::Unasked => {
                let least = self.time.saturating_add(self.time / (CLEARLY - 1));
                let says = self.before <= least;
                if says == self.said {
                    self.best = says;
                }
                self.said = says;
                (Stage::Found, self.best, USED)
            }
        };
        self.start = None;
        self.before = std::mem::replace(&mut self.time, u64::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUND: u32 = USED + 2 * TRIED;

    /// Messages for one round, each of which takes as long as is said for when lines were asked for, and when not, but for a few
    /// that are disturbed; says how many were asked for.
    fn round(asking: &mut Asking, asked: u64, unasked: u64) -> u32 {
        let (mut now, mut asks) = (0, 0);
        for message in 0..ROUND {
            asks += u32::from(asking.asks());
            now += if asking.asks() { asked } else { unasked };
            now += u64::from(message % 19 == 0) * 1000;
            asking.came(5, || now);
        }
        asks
    }

    #[test]
    fn lines_are_not_asked_for_where_messages_clearly_come_sooner_without() {
        let mut asking = Asking::new();
        let mut rounds = |asked, unasked, each: [bool; 3]| {
            let each = each.map(|asks| if asks { ROUND - TRIED } else { TRIED });
            assert_eq!([(); 3].map(|()| round(&mut asking, asked, unasked)), each);
        };
        rounds(120, 100, [true, true, false]);
        // The processors have moved.
        rounds(99, 100, [false, false, true]);
        rounds(105, 100, [true; 3]);
        rounds(120, 100, [true, true, false]);
        assert_eq!(round(&mut asking, 99, 100), TRIED);
        assert_eq!(round(&mut asking, 120, 100), TRIED, "once is not enough");
        assert_eq!(round(&mut asking, 120, 100), TRIED);
    }

    #[test]
    fn what_was_there_and_what_came_late_says_nothing() {
        let mut asking = Asking::new();
        for looks in [0, LOOKS + 1] {
            for _ in 0..4 * ROUND {
                asking.came(looks, || panic!("nothing is timed"));
            }
        }
        assert_eq!((asking.stage, asking.left), (Stage::Found, USED));
        // Nor is a block timed that one of them came in.
        for message in 0..4 * ROUND {
            asking.came(message % BLOCK, || u64::MAX - u64::from(message));
            assert_eq!(asking.time, u64::MAX);
        }
    }
}

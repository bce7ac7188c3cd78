//! How this process's messages are met: the announced ones of late, and those whose sender knows.

use crate::shm::trials::{CLASSES, Situation, class_of};

/// So many in a row must have met nothing the other way before messages are no longer in an exchange. One side is late every now
/// and then; when it was believed at once, that side's messages left at once while the other's were announced, and the two seldom
/// came together again (MPI_Sendrecv of 16 KiB on a Xeon of the sixth generation 2.14 us, so 1.67).
const DOUBTS: u8 = 8;

/// What travels together with data that goes through memory which processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Nothing.
    OneWay,
    /// Nothing, and the receiver copies its own first, while this comes.
    Behind,
    /// Nothing, but the receiver has its own or others' to copy first: whoever sends would run ahead of it, through a ring that no
    /// cache holds, and what comes too soon would be kept.
    InTurn,
    /// As much the other way: both sides write before they read.
    BothWays,
}

/// What the receiver of a message that leaves at once does meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// Waits for its first piece.
    Waits,
    /// Copies something else first.
    IsBehind,
    /// Writes as much the other way.
    Writes,
}

/// How the latest message of each class was met.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HowMet([Met; CLASSES]);

#[derive(Clone, Copy, Debug, Default)]
struct Met {
    situation: Option<Situation>,
    /// Messages since then that have been met otherwise.
    doubts: u8,
}

impl HowMet {
    /// The receiver of a message of `bytes` bytes has said how it has met it.
    pub fn was(&mut self, bytes: u64, situation: Situation) {
        let met = &mut self.0[class_of(bytes)];
        let doubted = met.situation == Some(Situation::Exchange)
            && situation != Situation::Exchange
            && met.doubts + 1 < DOUBTS;
        match doubted {
            true => met.doubts += 1,
            false => {
                *met = Met {
                    situation: Some(situation),
                    doubts: 0,
                }
            }
        }
    }

    /// How messages of this length are met.
    #[inline]
    pub fn situation(&self, bytes: u64) -> Option<Situation> {
        self.0[class_of(bytes)].situation
    }

    /// Whether messages of this length meet others the other way.
    #[inline]
    pub fn exchange(&self, bytes: u64) -> bool {
        self.situation(bytes) == Some(Situation::Exchange)
    }

    /// What the receiver of such a message does meanwhile, as far as it is known or whoever sends it says.
    #[inline]
    pub fn receiver(&self, bytes: u64, stream: Option<Stream>) -> Receiver {
        match stream {
            Some(Stream::BothWays) => Receiver::Writes,
            _ if self.exchange(bytes) => Receiver::Writes,
            Some(Stream::Behind) => Receiver::IsBehind,
            _ => Receiver::Waits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One late message ends no exchange, many in a row do, and only for messages of that class.
    #[test]
    fn an_exchange_ends_when_many_in_a_row_are_met_otherwise() {
        use Situation::{Alone, Exchange, Several};
        let (short, long) = (16 << 10, 200 << 10);
        let mut met = HowMet::default();
        assert_eq!(met.situation(short), None);
        for (stream, receiver) in [
            (None, Receiver::Waits),
            (Some(Stream::OneWay), Receiver::Waits),
            (Some(Stream::Behind), Receiver::IsBehind),
            (Some(Stream::BothWays), Receiver::Writes),
        ] {
            assert_eq!(met.receiver(short, stream), receiver);
        }
        for situation in [Alone, Several, Exchange] {
            met.was(short, situation);
            assert_eq!(met.situation(short), Some(situation), "at once");
        }
        assert_eq!(met.situation(long), None);
        for _ in 0..3 {
            (1..DOUBTS).for_each(|_| met.was(short, Alone));
            assert!(met.exchange(short));
            met.was(short, Exchange);
        }
        (1..DOUBTS).for_each(|_| met.was(short, Several));
        met.was(long, Exchange);
        assert!(met.exchange(short));
        met.was(short, Alone);
        assert_eq!(met.situation(short), Some(Alone));
        assert!(met.exchange(long));
    }
}

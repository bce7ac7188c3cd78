//! Which end of a long message goes first.
//!
//! What of a buffer was copied last is still in a cache, and what was copied first may not be. So a buffer goes the other way
//! round each time: one that has been received upwards, as one that a program has filled so, is sent from its end.

/// Which way buffers went the last time, by bits that their addresses choose. Two may share one: that costs time only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns(u64);

impl Turns {
    fn bit(address: *const u8) -> u64 {
        let mixed = (address.addr() as u64 >> 6).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        1 << (mixed >> 58)
    }

    /// The buffer at `address` goes downwards now, or upwards.
    pub fn goes(&mut self, address: *const u8, down: bool) {
        let bit = Turns::bit(address);
        self.0 = if down { self.0 | bit } else { self.0 & !bit };
    }

    /// The buffer at `address` goes now, the other way than the last time; whether downwards.
    pub fn takes(&mut self, address: *const u8) -> bool {
        let down = self.next(address);
        self.goes(address, down);
        down
    }

    /// Whether the buffer at `address` goes downwards the next time.
    fn next(self, address: *const u8) -> bool {
        self.0 & Turns::bit(address) == 0
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::ProcId;
    use super::super::long::PIECE;
    use super::super::tests::{content, data, envelope, pattern, settle, world_with};
    use super::*;
    use crate::datatype::Stores;
    use crate::transport::shm::Direct;

    #[test]
    fn a_buffer_goes_the_other_way_round_each_time() {
        let buffers = [[0u8; 64]; 2];
        let [one, other] = [0, 1].map(|at: usize| buffers[at].as_ptr());
        let mut turns = Turns::default();
        assert!(turns.next(one), "programs fill upwards");
        turns.goes(one, true);
        assert!(!turns.next(one));
        assert!(turns.next(other) || Turns::bit(one) == Turns::bit(other));
        turns.goes(one, false);
        assert!(turns.takes(one));
        assert!(!turns.takes(one));
        assert!(turns.next(one));
    }

    /// What is longer than a ring comes in parts.
    #[test]
    fn the_end_that_was_copied_last_goes_first() {
        let mut world = world_with(2, Direct::Never);
        let len = 6 << 20;
        let mut out: Vec<u8> = (0..len).map(|index| content(1, index) | 1).collect();
        for round in 0..4 {
            let mut into = vec![0; len];
            let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
            let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
            let came = |into: &[u8]| [into[0] != 0, into[len - 1] != 0];
            let mut look = |_| {
                world.iter_mut().for_each(|process| _ = process.progress());
                Some(came(&into)).filter(|came| *came != [false; 2])
            };
            let first = (0..1000).find_map(&mut look).expect("something comes");
            assert_eq!(first, [round % 2 == 1, round % 2 == 0]);
            settle(&mut world);
            assert!(send.is_some_and(|send| world[0].finish(send).is_some()));
            assert!(world[1].finish(receive).is_some());
            assert!(into == out);
        }
    }

    /// To and fro between two buffers, a part of which is enough for the receiver, through rings and shuttles.
    #[test]
    fn both_directions_bring_the_same() {
        let mut world = world_with(2, Direct::Never);
        let piece = PIECE as usize;
        let mut buffers = [vec![0; 2 << 20], vec![0; 2 << 20]];
        let lengths = [
            70_000,
            5 * piece - 1,
            5 * piece,
            5 * piece + 1,
            1 << 20,
            2 << 20,
        ];
        for (number, len) in lengths.into_iter().cycle().take(24).enumerate() {
            let stores = match number / lengths.len() % 2 {
                0 => Stores::Temporal,
                _ => Stores::NonTemporal,
            };
            world.iter_mut().for_each(|world| world.receive_by(stores));
            let (from, to) = (number % 2, 1 - number % 2);
            let room = if number % 3 == 0 { len - 1001 } else { len };
            (0..len).for_each(|index| buffers[from][index] = content(number, index));
            buffers[to].fill(0);
            let source = pattern(Some(from as u32), Some(1));
            let receive = world[to].receive(source, data(&mut buffers[to][..room]));
            let leaving = data(&mut buffers[from][..len]);
            let send =
                world[from].send(ProcId(to as u32), envelope(from as u32, 1), &leaving, false);
            settle(&mut world);
            assert!(send.is_none_or(|send| world[from].finish(send).is_some()));
            let outcome = world[to].finish(receive).expect("it has come");
            assert_eq!(outcome.message, len as u64);
            assert!(
                buffers[to][..room] == buffers[from][..room],
                "message {number}"
            );
            assert!(buffers[to][room..].iter().all(|&byte| byte == 0));
            assert_eq!(world[0].state.strays + world[1].state.strays, 0);
        }
    }
}

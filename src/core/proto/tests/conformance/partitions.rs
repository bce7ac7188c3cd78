//! Partitioned messages.

use super::*;
use crate::datatype::test_space::Memory;
use proptest::prelude::*;
use proptest::test_runner::Config;

#[derive(Clone, Debug)]
struct Round {
    /// The receiver starts before anything is ready.
    early: bool,
    /// In which order partitions become ready: sorted by these.
    keys: Vec<u32>,
    /// Steps of progress after each partition.
    steps: usize,
}

/// Partitions of the sender and of the receiver, bytes of each, and rounds.
fn partitioned() -> impl Strategy<Value = (usize, usize, usize, Vec<Round>)> {
    let round = (
        any::<bool>(),
        proptest::collection::vec(any::<u32>(), 24),
        0..2usize,
    )
        .prop_map(|(early, keys, steps)| Round { early, keys, steps });
    let each = prop_oneof![0..40usize, 0..20_000usize];
    (
        1..24usize,
        1..24usize,
        each,
        proptest::collection::vec(round, 1..4),
    )
}

/// Rounds of a message that both sides divide as they like: everything arrives at its place, a partition is there only when its
/// bytes are, and a round is over on both sides.
pub fn partitions_arrive_at_their_places<K: Kind>() {
    let config = Config::with_cases(40);
    proptest!(config, |(
        kind in K::any(),
        (parts, theirs, each, rounds) in partitioned(),
        there in any::<[bool; 2]>(),
    )| {
        let mut world = kind.world(2);
        // Both sides divide the same bytes, so their number is a multiple of both.
        let total = each / 8 * parts * theirs;
        let [out, into] = there.map(|there| Memory::of(&vec![0; total], there));
        let data = |memory: &Memory| Data::new(memory.base(), total as u64, bytes());
        let send = world[0].partitioned_send(ProcId(1), envelope(0, 5), data(&out));
        let receive = world[1].partitioned_receive(envelope(0, 5), data(&into), theirs);
        for (number, round) in rounds.iter().enumerate() {
            let contents = contents(number, total);
            data(&out).unpack(0, &contents);
            world[0].start_round(send);
            if round.early {
                world[1].start_round(receive);
            }
            let mut order: Vec<usize> = (0..parts).collect();
            order.sort_by_key(|part| round.keys[*part]);
            let size = (total / parts) as u64;
            for (done, part) in order.iter().enumerate() {
                prop_assert!(!world[0].round_over(send));
                if size > 0 || done + 1 == parts {
                    world[0].ready(send, *part as u64 * size..(*part as u64 + 1) * size);
                }
                for _ in 0..round.steps {
                    world.iter_mut().for_each(|process| { process.progress(); });
                }
                if round.early {
                    for partition in 0..theirs {
                        let range = total / theirs * partition..total / theirs * (partition + 1);
                        if total > 0 && world[1].partition_arrived(receive, partition) {
                            prop_assert_eq!(&into.bytes()[range.clone()], &contents[range]);
                        }
                    }
                }
            }
            if !round.early {
                settle(&mut world);
                prop_assert!(!world[0].round_over(send));
                world[1].start_round(receive);
            }
            settle(&mut world);
            prop_assert!(world[0].round_over(send));
            prop_assert!(world[1].round_over(receive));
            prop_assert_eq!(world[1].round_outcome(receive).status.bytes, total as u64);
            prop_assert!(into.bytes() == contents);
        }
        world[0].close(send);
        world[1].close(receive);
        prop_assert_eq!(protocol_errors(&world), 0);
        let (sent, received) = (world[0].totals(Direction::Sent), world[1].totals(Direction::Received));
        prop_assert_eq!(sent, received);
        prop_assert_eq!(sent.eager_messages, 0);
        prop_assert_eq!(sent.partitioned_bytes, (rounds.len() * total) as u64);
    });
}

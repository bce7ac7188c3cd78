//! Links that break their promises: what is lost is missing, and nothing else happens.

use super::kinds::{Kind, Seed, UnixSockets};
use super::*;
use crate::transport::Part;
use crate::transport::simulated::Network;
use proptest::prelude::*;
use proptest::test_runner::Config;

fn network<R>(
    seed: &Seed,
    world: &[Proto<<Seed as Kind>::Link>],
    change: impl FnOnce(&mut Network) -> R,
) -> R {
    println!("{seed:?}");
    change(&mut world[0].link().network().borrow_mut())
}

/// Short messages of which every tenth frame is dropped: the others come, in their order, and as many are missing as were lost.
#[test]
fn every_tenth_frame_is_lost() {
    for seed in Seed::usual() {
        let mut world = seed.world(2);
        network(&seed, &world, |network| network.lose(10));
        let mut sends = Vec::new();
        for number in 0..100u8 {
            let mut byte = number;
            let word = Data::tested(&mut byte, 1, bytes());
            sends.extend(world[0].send(ProcId(1), envelope(0, 1), &word, false));
            settle(&mut world);
        }
        for send in sends {
            over(&mut world, 0, "the send", send);
        }
        let mut come = Vec::new();
        while world[1].unexpected() > 0 {
            let mut byte = 0;
            let word = Data::tested(&mut byte, 1, bytes());
            receive_now(&mut world, 1, &pattern(None, None), word);
            come.push(byte);
        }
        assert_eq!(network(&seed, &world, |network| network.lost()), 10);
        assert_eq!(come.len(), 90);
        assert!(come.is_sorted_by(|one, next| one < next), "{come:?}");
    }
}

/// What is under way when a connection is cut, or sent later, does not come; others go on.
#[test]
fn a_cut_connection_is_missed_by_its_two_ends_only() {
    for seed in Seed::usual() {
        let mut world = seed.world(3);
        let len = 100_000;
        let mut out = [1, 2, 3].map(|number| contents(number, len));
        let mut into = [0; 3].map(|_| vec![0; len]);
        let pairs = [(0, 1), (1, 2), (2, 0)];
        let mut ids = Vec::new();
        for ((from, to), (out, into)) in pairs.into_iter().zip(out.iter_mut().zip(&mut into)) {
            let source = from as u32;
            let receive = world[to].receive(pattern(Some(source), None), data(into));
            let target = ProcId(to as u32);
            let send = world[from].send(target, envelope(source, 1), &data(out), false);
            ids.push((send.expect("it is announced"), receive));
        }
        until(&mut world, "the first message is asked for", |world| {
            world[1].posted() == 0
        });
        network(&seed, &world, |network| network.cut(ProcId(0), ProcId(1)));
        settle(&mut world);
        for ((from, to), (send, receive)) in pairs.into_iter().zip(ids) {
            let cut = (from, to) == (0, 1);
            assert_eq!(world[from].finish(send).is_none(), cut, "{from} to {to}");
            assert_eq!(world[to].finish(receive).is_none(), cut, "{from} to {to}");
            assert_eq!(into[from] != out[from], cut);
        }
        assert_eq!(protocol_errors(&world), 0);
    }
}

/// A frame that may make no sense; its operation is often one that there is.
fn any_frame() -> impl Strategy<Value = (Head, Vec<u8>, usize)> {
    let kind = prop_oneof![8 => 0..20u8, 1 => any::<u8>()];
    let id = prop_oneof![4 => 0..4u32, 1 => any::<u32>()];
    let words = prop_oneof![0..3u64, 0..100_000u64, any::<u64>(), Just(u64::MAX)];
    let said = proptest::collection::vec(words, 0..5);
    let length = prop_oneof![Just(0), 0..=EAGER_LIMIT as usize];
    (kind, 0..4u8, 0..3i32, id, said, any::<bool>(), length).prop_map(
        |(kind, flags, tag, id, said, short, length)| {
            let head = Head {
                kind,
                flags,
                tag,
                id,
                ..Head::default()
            };
            let mut bytes: Vec<u8> = said.iter().flat_map(|word| word.to_le_bytes()).collect();
            if short && bytes.len() > 4 {
                // Two lengths of four bytes, say.
                bytes.drain(4..8);
            }
            (head, bytes, length)
        },
    )
}

/// Whatever another process sends, this one neither panics nor goes on for ever, also in the middle of messages.
fn any_frames_are_survived<K: Kind>() {
    let frames = proptest::collection::vec(any_frame(), 1..60);
    // One that does not end takes all of its deadline.
    let config = Config {
        cases: 200,
        max_shrink_iters: 64,
        ..Config::default()
    };
    proptest!(config, |(kind in K::any(), frames in frames)| {
        let mut world = kind.world(2);
        let (mut out, mut into) = (contents(1, 100_000), vec![0; 200_000]);
        let half = into.len() / 2;
        let (first, second) = into.split_at_mut(half);
        world[1].send(ProcId(0), envelope(1, 1), &data(&mut out), true);
        world[1].receive(pattern(None, None), data(first));
        let send = world[1].partitioned_send(ProcId(0), envelope(1, 0), data(&mut out));
        let receive = world[1].partitioned_receive(envelope(0, 0), data(second), 3);
        world[1].start_round(send);
        world[1].start_round(receive);
        let mut body = contents(2, 20_000);
        for (head, said, length) in &frames {
            let data = data(&mut body);
            let part = Part { data: &data, position: 0, bytes: *length as u64 };
            until(&mut world, "room for a frame", |world| {
                world[0].link.frame(ProcId(1), *head, said, (*length > 0).then_some(part))
            });
            world[1].progress();
        }
        settle(&mut world);
    });
}

#[test]
fn any_frames_of_the_simulated_link_are_survived() {
    any_frames_are_survived::<Seed>();
}

#[test]
fn any_frames_from_sockets_are_survived() {
    any_frames_are_survived::<UnixSockets>();
}

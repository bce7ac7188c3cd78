//! How long messages are copied where the fastest way is learned.

use super::long::{ALONE_MOST, PIECE};
use super::tests::{content, data, envelope, pattern, settle, world_over};
use super::*;
use crate::shm::trials::{Times, Trials, WAYS};
use crate::transport::shm::{Direct, Learning, Measure, Shm};

/// Two processes that learn.
fn learners(measure: Measure, recall: fn(&Trials)) -> Vec<Proto<Shm>> {
    let learning = Learning {
        measure,
        recall,
        ..Learning::NONE
    };
    world_over(2, |segment| Shm::new(segment, Direct::Both, learning))
}

/// One message from process 0 to 1; returns the frames that each has sent for it.
fn one_long(world: &mut [Proto<Shm>], len: usize) -> (u64, u64) {
    let frames = |world: &[Proto<Shm>]| {
        let sent = |process: usize| world[process].totals(Way::Sent).frames;
        (sent(0), sent(1))
    };
    let before = frames(world);
    let mut out: Vec<u8> = (0..len).map(|index| content(5, index)).collect();
    let mut into = vec![0; len];
    let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
    let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
    settle(world);
    assert!(world[0].finish(send.unwrap()).is_some());
    assert!(world[1].finish(receive).is_some());
    assert_eq!(into, out);
    let after = frames(world);
    (after.0 - before.0, after.1 - before.1)
}

/// The first messages of a class are copied in each way in turn, and their times found in the segment; not
/// so where they are not to be measured.
#[test]
fn the_first_long_messages_try_every_way() {
    let len = 200_000;
    for measure in [Measure::Yes, Measure::Known, Measure::No] {
        let mut world = learners(measure, |_| ());
        let mut kinds = [0; 3];
        for _ in 0..24 {
            let kind = match one_long(&mut world, len) {
                // Pieces; the announcement alone; the announcement and what the sender has copied.
                (3.., 1) => 0,
                (1, 1) => 1,
                (2, 2) => 2,
                other => panic!("frames of no way: {other:?}"),
            };
            kinds[kind] += 1;
        }
        let times = world[0].port.segment().trials().times(1);
        let all = if measure == Measure::Yes {
            [8; 3]
        } else {
            [0, 0, 24]
        };
        assert_eq!((kinds, times.is_some()), (all, measure == Measure::Yes));
        assert_eq!(world[0].port.segment().trials().times(2), None);
        assert!(world.iter().all(|proto| proto.state.strays == 0));
    }
}

/// What is known decides, for messages one way and both ways.
#[test]
fn known_times_choose_the_way() {
    // More than one chunk for a receiver by itself: else it is done before the other one looks.
    const LONG: usize = 3 * ALONE_MOST as usize;
    // Frames of a message that goes through the ring.
    let streamed = LONG as u64 / PIECE + 1;
    let known: [(fn(&Trials), _, _); 4] = [
        (|t| t.learn(3, Times([9, 9, 9])), (2, 2), 2),
        (|t| t.learn(3, Times([9, 1, 9])), (1, 1), 2),
        (|t| t.learn(3, Times([2, 3, 9])), (streamed, 1), 2),
        (
            |t| t.learn(3, Times([1, 9, 9])),
            (streamed, 1),
            streamed + 1,
        ),
    ];
    for (recall, alone, each) in known {
        let mut world = learners(Measure::Known, recall);
        assert_eq!(one_long(&mut world, LONG), alone);
        let mut out = [vec![3; LONG], vec![4; LONG]];
        let mut into = [vec![0; LONG], vec![0; LONG]];
        let mut ids = Vec::new();
        for (rank, into) in into.iter_mut().enumerate() {
            let other = 1 - rank as u32;
            ids.push((
                rank,
                world[rank].receive(pattern(Some(other), Some(1)), data(into)),
            ));
        }
        let before = world[0].totals(Way::Sent).frames;
        for (rank, out) in out.iter_mut().enumerate() {
            let to = ProcId(1 - rank as u32);
            let send = world[rank].send(to, envelope(rank as u32, 1), &data(out), false);
            ids.push((rank, send.unwrap()));
        }
        settle(&mut world);
        for (rank, id) in ids {
            assert!(world[rank].finish(id).is_some());
        }
        assert_eq!((into[0][LONG - 1], into[1][0]), (4, 3));
        assert_eq!(world[0].totals(Way::Sent).frames - before, each);
    }
}

/// A message beside others tells nothing about its way.
#[test]
fn only_a_message_by_itself_is_timed() {
    let mut world = learners(Measure::Yes, |_| ());
    let len = 200_000;
    let mut out = vec![vec![1; len]; 30];
    let mut into = vec![vec![0; len]; 30];
    let sends: Vec<_> = (0..)
        .zip(&mut out)
        .map(|(tag, out)| world[0].send(ProcId(1), envelope(0, tag), &data(out), false))
        .collect();
    world[1].progress();
    let receives: Vec<_> = (0..)
        .zip(&mut into)
        .map(|(tag, into)| world[1].receive(pattern(Some(0), Some(tag)), data(into)))
        .collect();
    settle(&mut world);
    assert!(
        sends
            .iter()
            .all(|id| world[0].finish(id.unwrap()).is_some())
    );
    assert!(receives.iter().all(|&id| world[1].finish(id).is_some()));
    assert_eq!(into, out);
    // None of them: the next one that is by itself has the first turn, which is the usual way's.
    assert_eq!(one_long(&mut world, len), (2, 2));
    let trials = world[0].port.segment().trials();
    assert_eq!(trials.next(1), WAYS[1]);
}

/// Where the sender is away all the time, nothing is learned about copying together.
#[test]
fn a_sender_that_is_away_is_tried_again() {
    let mut world = learners(Measure::Yes, |_| ());
    let len = 200_000;
    let mut out = vec![1; len];
    for _ in 0..30 {
        let mut into = vec![0; len];
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
        let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        while world[1].progress() {}
        assert!(world[1].finish(receive).is_some());
        assert_eq!(into, out);
        settle(&mut world);
        assert!(world[0].finish(send.unwrap()).is_some());
    }
    assert_eq!(world[0].port.segment().trials().next(1), Direct::Both);
}

/// A process that others take the processor from learns nothing, and soon tries nothing more.
#[test]
fn disturbed_messages_are_not_counted() {
    use std::cell::Cell;
    thread_local!(static SWITCHES: Cell<u64> = const { Cell::new(0) });
    let learning = Learning {
        measure: Measure::Yes,
        switches: || SWITCHES.replace(SWITCHES.get() + 1),
        ..Learning::NONE
    };
    let mut world = world_over(2, |segment| Shm::new(segment, Direct::Both, learning));
    for _ in 0..30 {
        // The usual way has the first turn, and keeps it.
        assert_eq!(one_long(&mut world, 200_000), (2, 2));
    }
    // Twice for each of four trials.
    assert_eq!(SWITCHES.get(), 8);
    assert_eq!(world[0].port.segment().trials().times(1), None);
}

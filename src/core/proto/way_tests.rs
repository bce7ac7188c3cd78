//! How long messages are copied where the fastest way is learned.

use std::time::Duration;

use super::eager::IN_TURN;
use super::long::{ALONE_MOST, PIECE};
use super::tests::{
    arrive, bytes, content, data, envelope, pattern, settle, world_over, world_with,
};
use super::*;
use crate::datatype::block::{Core, On};
use crate::datatype::vector;
use crate::shm::distance::{Distance, TAKES};
use crate::shm::ring::By;
use crate::shm::shuttle::{SHUTTLE, TOGETHER};
use crate::shm::trials::{
    CLASSES, SAMPLES, SETTLE, SOURCES, Situation, Table, Times, Trials, class_of,
};
use crate::transport::HURRIED;
use crate::transport::shm::{CROWDED, Direct, Learning, Measure, Shm};
use crate::types::Cancelled;
use crate::wire::MAX_BODY;

/// Two processes that learn.
fn learners(measure: Measure, recall: fn(Distance, &Trials)) -> Vec<Proto<Shm>> {
    let learning = Learning {
        measure,
        recall,
        ..Learning::NONE
    };
    world_over(2, |segment| Shm::new(segment, Direct::Both, learning))
}

/// What far processes learn is not what near ones do, and holds again when they are far again.
#[test]
fn near_and_far_processes_learn_apart() {
    let len = 300_000;
    let class = class_of(len as u64);
    let mut world = learners(Measure::Yes, |_, _| ());
    let known = |world: &[Proto<Shm>]| {
        Distance::ALL.map(|distance| {
            let table = world[0].port.segment().trials(distance).table();
            table[class][Situation::Alone as usize].is_some()
        })
    };
    let mut run = |nanos: u64| {
        TAKES.set(Duration::from_nanos(nanos));
        (0..200).for_each(|_| _ = one_long(&mut world, len));
        known(&world)
    };
    assert_eq!(run(500), [false, true]);
    assert_eq!(run(0), [true, true]);
}

/// The pieces of a message that leaves at once grow where its receiver is far, and are alike where it is near again.
#[test]
fn pieces_grow_where_the_receiver_is_far() {
    let _core = On::a(Core::Other);
    let mut world = world_with(2, Direct::Never);
    let mut run = |nanos: u64, len: usize| {
        TAKES.set(Duration::from_nanos(nanos));
        let mut frames = 0;
        for from in (0..2).cycle().take(1000) {
            (frames, _) = one_from(&mut world, from, len);
        }
        frames
    };
    // Shuttles of 16 KiB; then as many as before in each.
    let (long, short) = (128 << 10, 64 << 10);
    assert_eq!([run(0, long), run(0, short)], [8, 4]);
    assert_eq!([run(500, long), run(500, short)], [4, 4]);
    assert_eq!(run(0, long), 8);
}

/// Whoever sends what meets as much the other way, or a receiver that is behind, can say so, before anything has been heard of that.
#[test]
fn pieces_are_longer_where_nobody_waits_for_the_first() {
    let (near, far) = (Duration::from_nanos(30), Duration::from_nanos(300));
    for (core, takes, stream, longest) in [
        (Core::Other, near, Stream::OneWay, SHUTTLE),
        (Core::Other, near, Stream::BothWays, TOGETHER),
        (Core::Zen5, near, Stream::Behind, HURRIED as usize / 4),
        (Core::Zen5, far, Stream::Behind, SHUTTLE),
        (Core::Zen5, near, Stream::BothWays, TOGETHER),
        (Core::GoldenCove, near, Stream::BothWays, MAX_BODY),
    ] {
        let _core = On::a(core);
        TAKES.set(takes);
        let mut world = world_with(2, Direct::Never);
        // Until it has been measured: at first a process is near.
        for from in (0..2).cycle().take(if takes == far { 256 } else { 0 }) {
            one_from(&mut world, from, HURRIED as usize);
        }
        let before = world[0].totals(Way::Sent).frames as usize;
        let mut out: Vec<u8> = (0..HURRIED as usize)
            .map(|index| content(6, index))
            .collect();
        let mut into = vec![0; out.len()];
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
        let send = world[0].stream(ProcId(1), envelope(0, 1), data(&mut out), stream);
        settle(&mut world);
        assert!(send.is_none() && world[1].finish(receive).is_some());
        assert_eq!(into, out);
        let frames = world[0].totals(Way::Sent).frames as usize - before;
        assert_eq!(frames, out.len() / longest, "{core:?} {takes:?} {stream:?}");
    }
}

/// What is to be streamed leaves at once as long as a hurried message may be, also where the receiver could copy it from where it lies;
/// where processes share cores, exchanges as long as messages there. What has its turn is asked for.
#[test]
fn streams_of_collectives_need_not_be_asked_for() {
    let [most, crowded, in_turn] = [HURRIED, CROWDED, IN_TURN].map(|bytes| bytes as usize);
    for (direct, measure, kind, len, at_once) in [
        (Direct::Both, Measure::No, Stream::OneWay, most, true),
        (Direct::Both, Measure::No, Stream::BothWays, most, true),
        (Direct::Both, Measure::No, Stream::OneWay, most + 1, false),
        (Direct::Both, Measure::Crowded, Stream::OneWay, most, true),
        (
            Direct::Both,
            Measure::Crowded,
            Stream::BothWays,
            crowded,
            true,
        ),
        (
            Direct::Both,
            Measure::Crowded,
            Stream::BothWays,
            crowded + 1,
            false,
        ),
        (Direct::Both, Measure::No, Stream::InTurn, in_turn, true),
        (
            Direct::Both,
            Measure::No,
            Stream::InTurn,
            in_turn + 1,
            false,
        ),
        (
            Direct::Both,
            Measure::Crowded,
            Stream::InTurn,
            in_turn + 1,
            false,
        ),
        (
            Direct::Never,
            Measure::No,
            Stream::InTurn,
            in_turn + 1,
            false,
        ),
    ] {
        let learning = Learning {
            measure,
            ..Learning::NONE
        };
        let mut world = world_over(2, |segment| Shm::new(segment, direct, learning));
        let mut out: Vec<u8> = (0..len).map(|index| content(7, index)).collect();
        let mut into = vec![0; len];
        let stream = world[0].stream(ProcId(1), envelope(0, 1), data(&mut out), kind);
        assert_eq!(
            stream.is_none(),
            at_once,
            "{direct:?} {measure:?} {kind:?} {len}"
        );
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
        settle(&mut world);
        assert!(stream.is_none_or(|send| world[0].finish(send).is_some()));
        assert!(world[1].finish(receive).is_some());
        assert_eq!(into, out);
    }
}

/// One message from process 0 to 1; returns the frames that each has sent for it.
fn one_long(world: &mut [Proto<Shm>], len: usize) -> (u64, u64) {
    one_from(world, 0, len)
}

/// One message from one of two processes to the other; returns the frames that each has sent for it, the sender first.
fn one_from(world: &mut [Proto<Shm>], from: usize, len: usize) -> (u64, u64) {
    let to = 1 - from;
    let frames = |world: &[Proto<Shm>]| {
        let sent = |process: usize| world[process].totals(Way::Sent).frames;
        (sent(from), sent(to))
    };
    let before = frames(world);
    let mut out: Vec<u8> = (0..len).map(|index| content(5, index)).collect();
    let mut into = vec![0; len];
    let expected = pattern(Some(from as u32), Some(1));
    let receive = world[to].receive(expected, data(&mut into));
    let envelope = envelope(from as u32, 1);
    let send = world[from].send(ProcId(to as u32), envelope, &data(&mut out), false);
    settle(world);
    assert!(send.is_none_or(|send| world[from].finish(send).is_some()));
    assert!(world[to].finish(receive).is_some());
    assert_eq!(into, out);
    let after = frames(world);
    (after.0 - before.0, after.1 - before.1)
}

/// How many of so many messages from 0 to 1 go through the ring, are copied by the receiver, and by both.
fn ways_of(world: &mut [Proto<Shm>], len: usize, messages: u32) -> [u32; 3] {
    let mut ways = [0; 3];
    for _ in 0..messages {
        let way = match one_long(world, len) {
            // Pieces; the announcement alone; the announcement and what the sender has copied.
            (3.., 1) => 0,
            (1, 1) => 1,
            (2, 2) => 2,
            other => panic!("frames of no way: {other:?}"),
        };
        ways[way] += 1;
    }
    ways
}

/// The first messages of a class are copied in each way in turn, and their times found in the segment; not
/// so where they are not to be measured.
#[test]
fn the_first_long_messages_try_every_way() {
    let len = 300_000;
    let all = 2 * SOURCES + SETTLE + 3 * SAMPLES as u32;
    for measure in [Measure::Yes, Measure::Crowded, Measure::No] {
        let mut world = learners(measure, |_, _| ());
        let ways = ways_of(&mut world, len, all);
        match measure {
            // As many of each, but for one that is given up.
            Measure::Yes => assert!(ways.iter().all(|&way| way > SETTLE), "{ways:?}"),
            Measure::Crowded => assert_eq!(ways, [all, 0, 0]),
            Measure::No => assert_eq!(ways, [0, 0, all]),
        }
        one_long(&mut world, len);
        let table = world[0].port.segment().trials(Distance::Near).table();
        let known = table.map(|times| times.map(|times| times.is_some()));
        let mut expected = [[false; Situation::ALL.len()]; CLASSES];
        expected[class_of(len as u64)][0] = measure == Measure::Yes;
        assert_eq!(known, expected);
        assert!(world.iter().all(|proto| proto.state.strays == 0));
    }
}

/// The situations of a class whose times are known.
fn known_in(table: &Table, class: usize) -> Vec<Situation> {
    let known = |situation: &Situation| table[class][*situation as usize].is_some();
    Situation::ALL.into_iter().filter(known).collect()
}

/// A message each way between two processes, as MPI_Sendrecv makes them.
pub(super) fn exchange(world: &mut [Proto<Shm>], len: usize) {
    let mut out = [vec![3; len], vec![4; len]];
    let mut into = [vec![0; len], vec![0; len]];
    let mut ids = Vec::new();
    for (rank, into) in into.iter_mut().enumerate() {
        let from = pattern(Some(1 - rank as u32), Some(1));
        ids.push((rank, world[rank].receive(from, data(into))));
    }
    for (rank, out) in out.iter_mut().enumerate() {
        let to = ProcId(1 - rank as u32);
        let send = world[rank].send(to, envelope(rank as u32, 1), &data(out), false);
        ids.extend(send.map(|send| (rank, send)));
    }
    settle(world);
    for (rank, id) in ids {
        assert!(world[rank].finish(id).is_some());
    }
    assert_eq!((into[0][len - 1], into[1][0]), (4, 3));
}

/// Exchanges are learned about apart from messages in one direction, by both processes.
#[test]
fn exchanges_try_both_ways() {
    let len = 40_000;
    let mut world = learners(Measure::Yes, |_, _| ());
    // The ring comes round before it is timed.
    for _ in 0..SOURCES as usize + SAMPLES + 12 + 1 {
        exchange(&mut world, len);
    }
    let table = world[1].port.segment().trials(Distance::Near).table();
    assert_eq!(known_in(&table, class_of(40_000)), [Situation::Exchange]);
    assert!(world.iter().all(|proto| proto.state.strays == 0));
}

/// Who has read its message of an exchange waits for the other one all the same.
#[test]
fn an_exchange_is_timed_until_both_messages_have_ended() {
    let len = 40_000;
    let mut world = learners(Measure::Yes, |_, _| ());
    for _ in 0..SOURCES {
        exchange(&mut world, len);
    }
    let mut out = [vec![3; len], vec![4; len]];
    let mut into = [vec![0; len], vec![0; len]];
    let mut ids = Vec::new();
    for rank in 0..2 {
        let (me, other) = (rank as u32, 1 - rank as u32);
        let receive = world[rank].receive(pattern(Some(other), Some(1)), data(&mut into[rank]));
        let (to, out) = (ProcId(other), data(&mut out[rank]));
        let send = world[rank].send(to, envelope(me, 1), &out, false);
        ids.push((receive, send.expect("it is announced")));
    }
    // It is process 0 that has met the other one's as an exchange.
    let [(received, sent), (other, others)] = [ids[0], ids[1]];
    let timed = |world: &[Proto<Shm>]| {
        let timed = world[0].state.timed.as_ref();
        timed.map(|timed| (timed.arrived, timed.over.is_some()))
    };
    while world[0].progress() {}
    assert!(world[0].finish(received).is_some() && !world[0].done(sent));
    assert_eq!(timed(&world), Some((true, false)));
    settle(&mut world);
    assert!(world[0].finish(sent).is_some());
    assert!(
        [other, others]
            .iter()
            .all(|&id| world[1].finish(id).is_some())
    );
    assert_eq!(timed(&world), None);
    assert_eq!((into[0][len - 1], into[1][0]), (4, 3));
}

/// Fills in times for the longest messages: by both sides, through the ring and by the receiver; and for an
/// exchange by the receiver and through the ring.
fn learn(trials: &Trials, alone: [u32; 3], exchange: [u32; 2]) {
    let [reads, ring] = exchange;
    trials.learn(CLASSES - 1, Situation::Alone, Times(alone));
    trials.learn(CLASSES - 1, Situation::Exchange, Times([reads, ring, 0]));
}

/// What is known decides, for messages one way and both ways.
#[test]
fn known_times_choose_the_way() {
    // More than one chunk for a receiver by itself: else it is done before the other one looks.
    const LONG: usize = 3 * ALONE_MOST as usize;
    // Frames of a message that goes through shared memory, at least; at most, where each piece is one shuttle, and its announcement.
    let streamed = LONG as u64 / MAX_BODY as u64;
    let most = LONG as u64 / PIECE + 2;
    type Recall = fn(Distance, &Trials);
    let known: [(Recall, _, _); 4] = [
        (|_, trials| learn(trials, [9, 9, 9], [9, 9]), (2, 2), 2),
        (|_, trials| learn(trials, [9, 9, 1], [1, 9]), (1, 1), 2),
        (
            |_, trials| learn(trials, [9, 2, 3], [3, 3]),
            (streamed, 1),
            2,
        ),
        (
            |_, trials| learn(trials, [9, 1, 9], [9, 1]),
            (streamed, 1),
            streamed,
        ),
    ];
    let at_most = |frames: u64| {
        assert!(frames <= most, "{frames} of {most}");
        frames.min(streamed)
    };
    for (recall, alone, each) in known {
        let mut world = learners(Measure::Yes, recall);
        let (sent, received) = one_long(&mut world, LONG);
        assert_eq!((at_most(sent), received), alone);
        let before = world[0].totals(Way::Sent).frames;
        exchange(&mut world, LONG);
        assert_eq!(at_most(world[0].totals(Way::Sent).frames - before), each);
    }
}

/// Whether a message leaves at once: its receiver then has nothing to say.
fn hurries(world: &mut [Proto<Shm>], len: usize) -> bool {
    one_long(world, len).1 == 0
}

/// The longest message that may: a ring holds two such.
fn most(world: &[Proto<Shm>]) -> usize {
    let ring = world[0].port.segment().ring_bytes();
    (ring / 2).min(HURRIED) as usize
}

/// What goes through the ring anyway leaves at once, once it is known how it is met, but for some that are learned from.
#[test]
fn messages_that_go_through_the_ring_anyway_leave_at_once() {
    let recall: fn(Distance, &Trials) = |_, trials| {
        trials.learn(class_of(40_000), Situation::Alone, Times([9, 1, 9]));
        trials.learn(class_of(40_000), Situation::Exchange, Times([1, 9, 0]));
    };
    let len = 40_000;
    let mut world = learners(Measure::Yes, recall);
    assert!(!hurries(&mut world, len));
    assert!(
        (0..128).all(|_| hurries(&mut world, len)),
        "known from before, and all others much slower"
    );
    assert!((0..16).all(|_| !hurries(&mut world, len)));
    let longer = most(&world) + 1;
    assert!(!hurries(&mut world, longer));
    // How it is met tells the receiver: process 0 looks first, and finds its own under way.
    let mut world = learners(Measure::Yes, recall);
    exchange(&mut world, len);
    let met = [&world[0], &world[1]].map(|proto| proto.state.how_met.situation(len as u64));
    assert_eq!(met, [Some(Situation::Alone), Some(Situation::Exchange)]);
    let mut world = learners(Measure::No, recall);
    assert!((0..99).all(|_| !hurries(&mut world, len)));
}

/// On Golden Cove some of those that leave at once are announced to hear how they meet, and all are in an exchange where that is
/// known to be faster; elsewhere, and where nothing is learned, all leave at once.
#[test]
fn the_longest_of_the_short_are_learned_about_in_exchanges() {
    let len = 16 << 10;
    for (core, measure) in [
        (Core::Other, Measure::Yes),
        (Core::Zen5, Measure::Yes),
        (Core::GoldenCove, Measure::No),
        (Core::GoldenCove, Measure::Crowded),
    ] {
        let _core = On::a(core);
        let mut world = learners(measure, |_, _| ());
        assert!((0..99).all(|_| hurries(&mut world, len)), "{core:?}");
    }
    let _core = On::a(Core::GoldenCove);
    let mut world = learners(Measure::Yes, |_, _| ());
    assert!((0..99).all(|_| hurries(&mut world, (12 << 10) - 1)));
    for (messages, at_once) in [(32, true), (16, false), (2048, true), (16, false)] {
        assert!((0..messages).all(|_| hurries(&mut world, len) == at_once));
    }
    let (mut out, mut into) = (vec![1; len], vec![0; len]);
    for _ in 0..99 {
        let send = world[0].send(ProcId(0), envelope(0, 1), &data(&mut out), false);
        assert!(send.is_none(), "to oneself");
        settle(&mut world);
        let receive = world[0].receive(pattern(Some(0), Some(1)), data(&mut into));
        assert!(world[0].finish(receive).is_some());
    }
    let reads: fn(Distance, &Trials) =
        |_, trials| trials.learn(0, Situation::Exchange, Times([1, 9, 0]));
    let never: fn(Distance, &Trials) =
        |_, trials| trials.learn(0, Situation::Exchange, Times([9, 1, 0]));
    for (recall, messages, announced) in [(reads, 99, 99), (never, 144, 16)] {
        let mut world = learners(Measure::Yes, recall);
        for _ in 0..messages {
            // How the ones before were met is not the matter here.
            for proto in &mut world {
                proto.state.how_met.was(len as u64, Situation::Exchange);
            }
            exchange(&mut world, len);
        }
        for proto in &world {
            assert_eq!(proto.totals(Way::Sent).announced_messages, announced);
            assert_eq!(proto.state.strays, 0);
        }
    }
}

/// Who hears an announced one joins its sender, or the two would only hear of each other by chance.
#[test]
fn both_sides_announce_at_a_time() {
    let _core = On::a(Core::GoldenCove);
    let mut world = learners(Measure::Yes, |_, _| ());
    let len = 16 << 10;
    let (mut out, mut into) = (vec![1; len], vec![0; len]);
    let mut answer = |world: &mut [Proto<Shm>]| {
        let announced = world[1].totals(Way::Sent).announced_messages;
        let receive = world[0].receive(pattern(Some(1), Some(1)), data(&mut into));
        let send = world[1].send(ProcId(0), envelope(1, 1), &data(&mut out), false);
        settle(world);
        assert!(world[0].finish(receive).is_some());
        assert!(send.is_none_or(|send| world[1].finish(send).is_some()));
        world[1].totals(Way::Sent).announced_messages == announced
    };
    assert!((0..32).all(|_| hurries(&mut world, len)));
    for (messages, at_once) in [(32, true), (16, false), (1500, true)] {
        assert!((0..messages).all(|_| answer(&mut world) == at_once));
    }
    assert!(answer(&mut world));
    assert!(!hurries(&mut world, len));
    for (messages, at_once) in [(16, false), (2048, true), (1, false)] {
        assert!((0..messages).all(|_| answer(&mut world) == at_once));
    }
}

/// A message that has left at once can be taken back if it is answered, as those are that an application may cancel.
#[test]
fn what_has_left_at_once_can_be_taken_back() {
    let mut world = learners(Measure::Yes, |_, trials| {
        trials.learn(
            class_of(CANCELLABLE + 1),
            Situation::Alone,
            Times([9, 1, 9]),
        );
    });
    let len = CANCELLABLE as usize + 1;
    assert!(!hurries(&mut world, len) && hurries(&mut world, len));
    let (mut out, mut into) = (vec![7; len], vec![0; len]);
    let wanted = pattern(Some(0), Some(1));
    for cancel in [true, false] {
        let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), true);
        let send = send.unwrap();
        settle(&mut world);
        let kept = world[1].state.peers[0].unexpected_bytes;
        assert_eq!(kept, len as u64, "all of it is there");
        if cancel {
            assert!(!world[0].cancel(send), "the receiver has to answer first");
        } else {
            let id = world[1].receive(wanted, data(&mut into));
            assert_eq!(world[1].finish(id).unwrap().status.bytes, len as u64);
        }
        settle(&mut world);
        let status = world[0].finish(send).unwrap().status;
        assert_eq!(status.cancelled == Cancelled::Yes, cancel);
        assert!(world[1].probe(&wanted).is_none());
    }
    assert_eq!(into, out);
}

/// Who shares a core with others asks for nothing of up to 128 KiB that fits into half a ring, and what fits into all of it is
/// streamed.
#[test]
fn messages_leave_at_once_where_processes_share_cores() {
    let mut world = learners(Measure::Crowded, |_, _| ());
    let ring = world[0].port.segment().ring_bytes() as usize;
    let most = most(&world).min(CROWDED as usize);
    for len in [40_000, most] {
        assert!((0..9).all(|_| hurries(&mut world, len)));
    }
    assert!((0..9).all(|_| !hurries(&mut world, most + 1)));
    assert_eq!(ways_of(&mut world, ring, 9), [9, 0, 0]);
    assert_eq!(ways_of(&mut world, ring + 1, 9), [0, 0, 9]);
}

/// Messages that leave at once are not timed, nor is what is announced next to them.
#[test]
fn hurried_messages_do_not_count_among_several() {
    let recall: fn(Distance, &Trials) = |_, trials| {
        for situation in [Situation::Alone, Situation::Several] {
            trials.learn(class_of(40_000), situation, Times([9, 1, 9]));
        }
    };
    let mut world = learners(Measure::Yes, recall);
    window(&mut world, 40_000, 20);
    assert_eq!(
        world[0].state.how_met.situation(40_000),
        Some(Situation::Several)
    );
    assert!((0..32).all(|_| hurries(&mut world, 40_000)));
    assert!(world[1].state.flows.is_paused());
}

/// Where nothing else is possible.
#[test]
fn messages_that_can_only_go_through_the_ring_leave_at_once() {
    let never = |segment| Shm::new(segment, Direct::Never, Learning::NONE);
    let mut world = world_over(2, never);
    let most = most(&world);
    assert!((0..100).all(|_| hurries(&mut world, most)));
    assert!(!hurries(&mut world, most + 1));
    // Only to oneself there is always a better way.
    let (mut out, mut into) = (vec![1; 40_000], vec![0; 40_000]);
    let send = world[0].send(ProcId(0), envelope(0, 1), &data(&mut out), false);
    let receive = world[0].receive(pattern(Some(0), Some(1)), data(&mut into));
    settle(&mut world);
    assert!(world[0].finish(send.unwrap()).is_some() && world[0].finish(receive).is_some());
    assert_eq!(into, out);
    let told = |segment| Shm::new(segment, Direct::Both, Learning::NONE);
    assert!(!hurries(&mut world_over(2, told), 40_000));
    assert!(world.iter().all(|proto| proto.state.strays == 0));
}

/// So many messages at once from 0 to 1.
fn window(world: &mut [Proto<Shm>], len: usize, messages: usize) {
    let mut out = vec![vec![1; len]; messages];
    let mut into = vec![vec![0; len]; messages];
    let sends: Vec<_> = (0..)
        .zip(&mut out)
        .map(|(tag, out)| world[0].send(ProcId(1), envelope(0, tag), &data(out), false))
        .collect();
    world[1].progress();
    let receives: Vec<_> = (0..)
        .zip(&mut into)
        .map(|(tag, into)| world[1].receive(pattern(Some(0), Some(tag)), data(into)))
        .collect();
    settle(world);
    let sent = |id: &Option<OpId>| world[0].finish(id.unwrap()).is_some();
    assert!(sends.iter().all(sent));
    assert!(receives.iter().all(|&id| world[1].finish(id).is_some()));
    assert_eq!(into, out);
}

/// Sources and sinks that begin with a line: where those lie a few bytes further in their page they are read by themselves.
struct Buffers(Vec<(Vec<u8>, Vec<u8>, usize)>);

impl Buffers {
    const LINE: usize = 64;

    fn new(lengths: &[usize]) -> Buffers {
        let new = |len: usize| vec![0; len + Self::LINE];
        let new = |&len| (new(len), new(len), len);
        let mut buffers = Buffers(lengths.iter().map(new).collect());
        for (number, (out, _)) in buffers.pairs().enumerate() {
            (0..)
                .zip(out)
                .for_each(|(index, byte)| *byte = content(number, index));
        }
        buffers
    }

    fn pairs(&mut self) -> impl Iterator<Item = (&mut [u8], &mut [u8])> {
        let line = |buffer: &[u8]| buffer.as_ptr().align_offset(Self::LINE);
        self.0.iter_mut().map(move |(out, into, len)| {
            let [from, to] = [line(out), line(into)];
            (&mut out[from..from + *len], &mut into[to..to + *len])
        })
    }

    fn have_arrived(&mut self) -> bool {
        self.pairs().all(|(out, into)| out == into)
    }
}

/// Messages from 0 to 1 all of which have come; the receives.
fn come(world: &mut [Proto<Shm>], buffers: &mut Buffers) -> Vec<OpId> {
    let mut receives = Vec::new();
    for (tag, (_, into)) in (0..).zip(buffers.pairs()) {
        receives.push(world[1].receive(pattern(Some(0), Some(tag)), data(into)));
    }
    for (tag, (out, _)) in (0..).zip(buffers.pairs()) {
        let send = world[0].send(ProcId(1), envelope(0, tag), &data(out), false);
        assert!(send.is_some());
    }
    arrive(&mut world[1]);
    world[1].begin_joint();
    receives
}

/// Where the receiver copies alone.
#[test]
fn messages_are_read_together_up_to_a_bound() {
    let told = |segment| Shm::new(segment, Direct::Reads, Learning::NONE);
    let mut world = world_over(2, told);
    const K: usize = 1 << 10;
    // What is too long is read by itself, also by what comes after it; so are those before that which are one alone.
    let lengths = [
        40, 20, 65, 30, 70, 64, 64, 64, 64, 64, 32, 24, 24, 24, 24, 24, 24, 24,
    ];
    let turns = [2, 1, 1, 1, 4, 8, 1];
    let mut buffers = Buffers::new(&lengths.map(|len| len * K));
    let receives = come(&mut world, &mut buffers);
    for (turn, messages) in turns.into_iter().enumerate() {
        let before = world[1].completions();
        assert!(world[1].copy_jointly());
        assert_eq!(world[1].completions() - before, messages, "turn {turn}");
    }
    assert!(!world[1].copy_jointly());
    assert!(receives.iter().all(|&id| world[1].finish(id).is_some()));
    assert!(buffers.have_arrived());
    settle(&mut world);
    assert!(world.iter().all(|proto| proto.state.strays == 0));
}

/// What is not in one piece goes by shuttles on Golden Cove, but for what is short or leaves at once in pieces. It arrives either way.
#[test]
fn collected_data_goes_by_shuttles_where_that_pays() {
    for (core, len, by_shuttle) in [
        (Core::GoldenCove, 2 << 10, false),
        (Core::GoldenCove, 3000, true),
        (Core::GoldenCove, 16 << 10, true),
        (Core::GoldenCove, 100_000, false),
        (Core::GoldenCove, 300_000, true),
        (Core::Other, 16 << 10, false),
    ] {
        let _core = On::a(core);
        let mut world = world_over(2, |segment| Shm::new(segment, Direct::Both, Learning::NONE));
        let every_other = Rc::new(vector(len as i64 / 4, 4, 8, &bytes()).unwrap());
        let mut out: Vec<u8> = (0..2 * len).map(|index| content(3, index)).collect();
        let mut into = vec![0; len];
        let collected = Data::new(out.as_mut_ptr(), 1, every_other);
        let by = body::by(&mut world[0].port, ProcId(1), &collected, 1, false);
        assert_eq!(by == By::Shuttle, by_shuttle, "{len} bytes on {core:?}");
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
        let send = world[0].send(ProcId(1), envelope(0, 1), &collected, false);
        settle(&mut world);
        assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
        assert!(world[1].finish(receive).is_some());
        let expected = out.chunks(8).flat_map(|chunk| &chunk[..4]);
        assert!(into.iter().eq(expected), "{len} bytes on {core:?}");
    }
}

/// The system may let only some of them be read.
#[test]
fn what_cannot_be_read_together_is_read_by_itself() {
    let told = |segment| Shm::new(segment, Direct::Reads, Learning::NONE);
    let mut world = world_over(2, told);
    let mut buffers = Buffers::new(&[40_000; 5]);
    let receives = come(&mut world, &mut buffers);
    match &mut world[1].state.op(receives[2]).stage {
        Stage::Arriving {
            joint: Some(joint), ..
        } => joint.spoil(),
        _ => panic!("it is to be read"),
    }
    settle(&mut world);
    assert!(receives.iter().all(|&id| world[1].finish(id).is_some()));
    assert!(buffers.have_arrived());
    assert!(world.iter().all(|proto| proto.state.strays == 0));
}

/// A message beside others tells nothing of what one by itself would take.
#[test]
fn only_a_message_by_itself_is_timed() {
    let mut world = learners(Measure::Yes, |_, _| ());
    let len = 200_000;
    window(&mut world, len, 30);
    // At most the first and the last one are by themselves: the usual way's first turn is still to come.
    let first = SOURCES + SAMPLES as u32 - 2;
    assert_eq!(ways_of(&mut world, len, first), [0, 0, first]);
}

/// Several messages at once are timed together, and learned about apart from others.
#[test]
fn windows_try_every_way() {
    let mut world = learners(Measure::Yes, |_, _| ());
    for _ in 0..12 {
        window(&mut world, 40_000, 40);
    }
    let table = world[0].port.segment().trials(Distance::Near).table();
    assert_eq!(known_in(&table, class_of(40_000)), [Situation::Several]);
    assert_eq!(world[1].state.arriving, 0);
    assert!(world.iter().all(|proto| proto.state.strays == 0));
}

/// Nothing is known of messages of this length, and the usual way stays.
fn assert_unlearned(world: &[Proto<Shm>], len: u64) {
    let (trials, class) = (
        world[0].port.segment().trials(Distance::Near),
        class_of(len),
    );
    assert_eq!(known_in(&trials.table(), class), []);
    assert_eq!(trials.best(class, Situation::Alone), Direct::Both);
}

/// Where the sender is away all the time, nothing is learned about copying together, and the usual way stays.
#[test]
fn a_sender_that_is_away_tells_nothing() {
    let mut world = learners(Measure::Yes, |_, _| ());
    let len = 200_000;
    let mut out = vec![1; len];
    for _ in 0..100 {
        let mut into = vec![0; len];
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
        let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        while world[1].progress() {}
        settle(&mut world);
        assert!(world[1].finish(receive).is_some());
        assert_eq!(into, out);
        assert!(world[0].finish(send.unwrap()).is_some());
    }
    assert_unlearned(&world, 200_000);
}

/// A process that others take the processor from learns nothing, and goes on as usual.
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
    let [ring, reads, both] = ways_of(&mut world, 200_000, 400);
    assert!(both > 266, "{ring} {reads} {both}");
    assert_unlearned(&world, 200_000);
}

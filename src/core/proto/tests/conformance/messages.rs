//! Messages of every kind, taken back, cut off, unexpected or too many.

use super::*;
use crate::datatype::test_space::{Block, Memory, reached};
use crate::wire::INLINE;
use proptest::prelude::*;
use proptest::test_runner::Config;

/// The end of a send, now or once nothing is left to do. Over most links it is now.
fn leaves<K: Kind>(world: &mut [Proto<K::Link>], from: usize, send: Option<OpId>) {
    assert!(!K::AT_ONCE || send.is_none(), "it leaves at once");
    if let Some(send) = send {
        settle(world);
        over(world, from, "the send", send);
    }
}

#[derive(Clone, Debug)]
struct Message {
    from: usize,
    to: usize,
    tag: i32,
    len: usize,
    synchronous: bool,
    /// The receive is posted before the send.
    expected: bool,
    /// Whether only the door reaches the memory that it comes from, and that it goes to.
    there: [bool; 2],
    /// Steps of progress after this message.
    steps: usize,
}

/// Messages among so many processes.
fn message(processes: usize, longest: usize) -> impl Strategy<Value = Message> {
    let len = prop_oneof![
        Just(0),
        Just(1),
        Just(INLINE),
        Just(INLINE + 1),
        Just(WIDE_INLINE),
        Just(WIDE_INLINE + 1),
        0..2000usize,
        Just(EAGER_LIMIT as usize),
        Just(EAGER_LIMIT as usize + 1),
        0..longest,
    ];
    (
        0..processes,
        0..processes,
        0..2i32,
        len,
        any::<bool>(),
        any::<bool>(),
        any::<[bool; 2]>(),
        0..3usize,
    )
        .prop_map(
            |(from, to, tag, len, synchronous, expected, there, steps)| Message {
                from,
                to,
                tag,
                len,
                synchronous,
                expected,
                there,
                steps,
            },
        )
}

/// Sends and receives all these messages; each must come whole, and in order per pair and tag.
fn send_all<L: Link>(world: &mut [Proto<L>], messages: &[Message]) -> Result<(), TestCaseError> {
    let packed = |number: usize, m: &Message| contents(number, m.len);
    let each = || messages.iter().enumerate();
    let out: Vec<Memory> = each()
        .map(|(number, m)| Memory::of(&packed(number, m), m.there[0]))
        .collect();
    let into: Vec<Memory> = each()
        .map(|(_, m)| Memory::of(&vec![0; m.len], m.there[1]))
        .collect();
    let data = |memory: &Memory, m: &Message| Data::new(memory.base(), m.len as u64, bytes());
    let mut sends = Vec::new();
    let mut receives = Vec::new();
    let mut late = Vec::new();
    for (number, m) in each() {
        let wanted = pattern(Some(m.from as u32), Some(m.tag));
        // A receive posted early must not overtake an earlier one that is posted late.
        let blocked = late.iter().any(|&other: &usize| {
            let other = &messages[other];
            other.from == m.from && other.to == m.to && other.tag == m.tag
        });
        if m.expected && !blocked {
            let id = world[m.to].receive(wanted, data(&into[number], m));
            receives.push((m.to, id, number));
        } else {
            late.push(number);
        }
        let target = ProcId(m.to as u32);
        let sent = world[m.from].send(
            target,
            envelope(m.from as u32, m.tag),
            &data(&out[number], m),
            m.synchronous,
        );
        if let Some(id) = sent {
            sends.push((m.from, id));
        }
        for _ in 0..m.steps {
            for proto in world.iter_mut() {
                proto.progress();
            }
        }
    }
    for number in late {
        let m = &messages[number];
        let wanted = pattern(Some(m.from as u32), Some(m.tag));
        let id = world[m.to].receive(wanted, data(&into[number], m));
        receives.push((m.to, id, number));
        settle(world);
    }
    settle(world);
    for (rank, id) in sends {
        let over = world[rank].finish(id).is_some();
        prop_assert!(over, "a send of rank {rank} hangs:\n{}", missing(world));
    }
    for (rank, id, number) in receives {
        let outcome = world[rank].finish(id);
        prop_assert!(
            outcome.is_some(),
            "message {number} is missing:\n{}",
            missing(world)
        );
        let outcome = outcome.unwrap();
        prop_assert_eq!(outcome.status.bytes as usize, messages[number].len);
        prop_assert_eq!(outcome.status.source.0 as usize, messages[number].from);
        prop_assert_eq!(outcome.truncated(), None);
    }
    for (number, m) in each() {
        prop_assert!(
            into[number].bytes() == packed(number, m),
            "message {number} is damaged"
        );
    }
    prop_assert_eq!(protocol_errors(world), 0);
    Ok(())
}

/// Messages of every kind between three processes, to oneself too: each arrives whole, in order per pair and tag, wherever
/// the protocol switches.
pub fn messages_arrive_whole_and_in_order<K: Kind>() {
    let messages = proptest::collection::vec(message(3, 300_000), 1..40);
    proptest!(Config::with_cases(40), |(kind in K::any(), messages in messages)| {
        send_all(&mut kind.world(3), &messages)?;
    });
}

/// As well where there are many processes.
pub fn messages_among_many_processes_arrive<K: Kind>() {
    let messages = proptest::collection::vec(message(16, 40_000), 1..200);
    proptest!(Config::with_cases(12), |(kind in K::any(), messages in messages)| {
        send_all(&mut kind.world(16), &messages)?;
    });
}

/// Many at once, of which some leave at once and others are announced or wait for room.
pub fn messages_do_not_overtake<K: Kind>(kind: &K) {
    let mut world = kind.world(2);
    let len = |number: usize| [1, 60, 40_000, 3000][number % 4];
    let mut out: Vec<_> = (0..200)
        .map(|number| contents(number, len(number)))
        .collect();
    let sends: Vec<_> = (out.iter_mut())
        .map(|out| world[0].send(ProcId(1), envelope(0, 1), &data(out), false))
        .collect();
    for (number, out) in out.iter().enumerate() {
        let mut into = vec![0; 50_000];
        let outcome = receive_now(&mut world, 1, &pattern(None, None), data(&mut into));
        assert_eq!(outcome.message as usize, len(number), "message {number}");
        assert!(into[..len(number)] == *out, "message {number}");
    }
    for send in sends.into_iter().flatten() {
        over(&mut world, 0, "the send", send);
    }
}

pub fn a_synchronous_send_waits_for_its_receive<K: Kind>(kind: &K) {
    for len in [0, 8, 5000, 100_000] {
        let mut world = kind.world(2);
        let (mut out, mut into) = (vec![7; len], vec![0; len]);
        let send = world[0]
            .send(ProcId(1), envelope(0, 3), &data(&mut out), true)
            .unwrap();
        settle(&mut world);
        assert!(!world[0].done(send), "{len} bytes");
        let receive = world[1].receive(pattern(None, None), data(&mut into));
        settle(&mut world);
        over(&mut world, 0, "the send", send);
        over(&mut world, 1, "the receive", receive);
        assert_eq!(out, into);
    }
}

pub fn a_long_message_is_truncated_and_its_sender_ends<K: Kind>(kind: &K) {
    for len in [30, 5000, 100_000] {
        let mut world = kind.world(2);
        let (mut out, mut into) = (vec![7; len], vec![0; len + 10]);
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into[..10]));
        let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        settle(&mut world);
        assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
        let outcome = over(&mut world, 1, "the receive", receive);
        assert_eq!(outcome.truncated(), Some(len as u64));
        assert_eq!(
            (&into[..10], &into[10..]),
            (&[7; 10][..], &vec![0; len][..])
        );
    }
}

pub fn a_flood_is_bounded_and_nothing_is_lost<K: Kind>(kind: &K) {
    let mut world = kind.world(2);
    let mut block = vec![1; EAGER_LIMIT as usize];
    let count = 3 * CONGESTED_BYTES / EAGER_LIMIT;
    let mut sends = Vec::new();
    for _ in 0..count {
        sends.extend(world[0].send(ProcId(1), envelope(0, 0), &data(&mut block), false));
        settle(&mut world);
    }
    // A link may tell the sender a little later.
    let held = world[1].unexpected_bytes();
    assert!(held <= CONGESTED_BYTES + EAGER_MOST, "{held}");
    let later = sends.iter().filter(|send| !world[0].done(**send)).count();
    assert!(later > 0, "later sends wait for their receives");
    let mut into = vec![0; block.len()];
    for _ in 0..count {
        let id = world[1].receive(pattern(Some(0), None), data(&mut into));
        settle(&mut world);
        over(&mut world, 1, "the receive", id);
        assert_eq!(into, block);
    }
    for id in sends {
        over(&mut world, 0, "the send", id);
    }
    // Calm again, which the sender may notice some messages later: its sends wait for no receive.
    let calm = (0..1000).any(|_| {
        let send = world[0].send(ProcId(1), envelope(0, 0), &data(&mut block), false);
        settle(&mut world);
        let eager = send.is_none_or(|send| world[0].done(send));
        receive_now(&mut world, 1, &pattern(Some(0), None), data(&mut into));
        settle(&mut world);
        assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
        eager
    });
    assert!(calm, "sends go on to wait for their receives");
}

pub fn what_has_not_met_can_be_cancelled<K: Kind>(kind: &K) {
    let mut world = kind.world(2);
    let mut memory = vec![0; 8];
    let receive = world[0].receive(pattern(Some(1), Some(1)), data(&mut memory));
    assert!(world[0].cancel(receive));
    assert_eq!(
        world[0].finish(receive).unwrap().status.cancelled,
        Cancelled::Yes
    );
    // The message goes to the next receive, not to the cancelled one.
    let mut out = vec![9; 8];
    let send = world[1].send(ProcId(0), envelope(1, 1), &data(&mut out), false);
    leaves::<K>(&mut world, 1, send);
    let again = world[0].receive(pattern(Some(1), Some(1)), data(&mut memory));
    settle(&mut world);
    over(&mut world, 0, "the receive", again);
    assert_eq!(memory, out);
}

pub fn a_send_that_has_not_met_can_be_taken_back<K: Kind>(kind: &K) {
    let mut world = kind.world(2);
    let mut long = vec![7; 100_000];
    let mut short = vec![5; 10];
    for (tag, synchronous) in [(1, false), (2, true), (3, true)] {
        let memory = if tag == 3 { &mut short } else { &mut long };
        let send = world[1].send(ProcId(0), envelope(1, tag), &data(memory), synchronous);
        let send = send.unwrap();
        settle(&mut world);
        assert!(world[0].probe(&pattern(Some(1), Some(tag))).is_some());
        assert!(!world[1].cancel(send), "the receiver has to answer first");
        settle(&mut world);
        let outcome = over(&mut world, 1, "the send", send);
        assert_eq!(outcome.status.cancelled, Cancelled::Yes);
        assert!(world[0].probe(&pattern(Some(1), Some(tag))).is_none());
    }
    // One that has met its receive completes.
    let mut memory = vec![0; 100_000];
    let receive = world[0].receive(pattern(Some(1), Some(4)), data(&mut memory));
    let send = world[1].send(ProcId(0), envelope(1, 4), &data(&mut long), false);
    let send = send.unwrap();
    until(&mut world, "the message meets its receive", |world| {
        world[0].posted() == 0
    });
    assert!(!world[1].cancel(send));
    settle(&mut world);
    let outcome = over(&mut world, 1, "the send", send);
    assert_eq!(outcome.status.cancelled, Cancelled::No);
    over(&mut world, 0, "the receive", receive);
    assert_eq!(memory, long);
    assert_eq!(protocol_errors(&world), 0);
}

pub fn frames_that_make_no_sense_are_counted_and_ignored<K: Kind>(kind: &K) {
    let mut world = kind.world(2);
    for kind in [
        0,
        kind::WANTED,
        kind::PIECE,
        kind::JOINT,
        kind::COPIED,
        kind::RECEIVED,
        kind::EAGER_FIRST,
        kind::EAGER_MORE,
        kind::MATCHED,
        kind::RETRACTED,
        77,
        255,
    ] {
        let head = Head {
            kind,
            inline: 16,
            id: 0xdead_beef,
            ..Head::default()
        };
        until(&mut world, "room for a frame", |world| {
            world[0].link.frame(ProcId(1), head, &[0xff; 16], None)
        });
    }
    settle(&mut world);
    assert_eq!(protocol_errors(&world[..1]), 0);
    assert_eq!(protocol_errors(&world[1..]), 12);
}

/// Who holds too much has even empty messages announced.
pub fn an_empty_message_is_announced_and_comes<K: Kind>(kind: &K) {
    let mut world = kind.world(2);
    let mut out = vec![1; 16 << 10];
    let mut sent = 0;
    while !world[0].link.congested(ProcId(1)) {
        assert!(sent < 2_000, "nobody complains");
        world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        settle(&mut world);
        sent += 1;
    }
    let before = world[0].totals(Direction::Sent).announced_messages;
    let send = world[0].send(ProcId(1), envelope(0, 2), &data(&mut []), false);
    let receive = world[1].receive(pattern(Some(0), Some(2)), data(&mut []));
    settle(&mut world);
    assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
    over(&mut world, 1, "the receive", receive);
    assert_eq!(
        world[0].totals(Direction::Sent).announced_messages,
        before + 1
    );
}

/// What a collective sends, and says how its receiver meets it.
pub fn streams_of_collectives_arrive<K: Kind>(kind: &K) {
    let mut world = kind.world(2);
    for stream in [
        FlowPattern::OneWay,
        FlowPattern::Behind,
        FlowPattern::InTurn,
        FlowPattern::BothWays,
    ] {
        for len in [0, 100, 10_000, 300_000, 1_000_000] {
            let (mut out, mut into) = (contents(7, len), vec![0; len]);
            let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
            let send = world[0].stream(ProcId(1), envelope(0, 1), data(&mut out), stream);
            settle(&mut world);
            assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
            over(&mut world, 1, "the receive", receive);
            assert!(into == out, "{stream:?}, {len} bytes");
        }
    }
    assert_eq!(protocol_errors(&world), 0);
}

/// What is sent is counted, by protocol, and so is what was unexpected.
pub fn traffic_is_counted<K: Kind>(kind: &K) {
    count_traffic(&mut kind.world(2));
}

/// Five messages from 0 to 1 that are unexpected: an empty one, a synchronous one and a long one among them.
pub fn count_traffic<L: Link>(world: &mut [Proto<L>]) {
    let mut out = vec![7; 300_000];
    let mut into = vec![0; 300_000];
    let lengths = [0, 8, 5000, 300_000, 8];
    for (tag, len) in (0..).zip(lengths) {
        let data = Data::tested(out.as_mut_ptr(), len, bytes());
        world[0].send(ProcId(1), envelope(0, tag), &data, tag == 4);
        settle(world);
    }
    assert_eq!(world[1].unexpected(), 5);
    assert_eq!(world[1].unexpected_bytes(), 5016);
    assert_eq!(world[1].buffered_bytes(), 5016);
    for (tag, len) in (0..).zip(lengths) {
        let data = Data::tested(into.as_mut_ptr(), len, bytes());
        let id = world[1].receive(pattern(Some(0), Some(tag)), data);
        settle(world);
        over(world, 1, "the receive", id);
    }
    let (sent, received) = (
        world[0].totals(Direction::Sent),
        world[1].totals(Direction::Received),
    );
    assert_eq!(sent, received);
    assert_eq!((sent.eager_messages, sent.eager_bytes), (4, 5016));
    assert_eq!(
        (sent.announced_messages, sent.announced_bytes),
        (1, 300_000)
    );
    assert_eq!((world[1].unexpected_so_far(), world[1].queued()), (5, 0));
    assert_eq!((world[1].take_longest(), world[1].take_longest()), (5, 0));
    assert_eq!(world[1].unexpected(), 0);
}

/// Messages of every kind, also to oneself, out of memory that only the door reaches and into it: who else touched it would
/// get a fault.
pub fn only_the_door_touches_memory<K: Kind>(kind: &K) {
    let lengths = [
        1,
        8,
        INLINE + 1,
        WIDE_INLINE + 1,
        5000,
        EAGER_LIMIT as usize + 1,
        300_000,
    ];
    let mut world = kind.world(2);
    for (number, len) in lengths.into_iter().enumerate() {
        let contents = contents(number, len);
        for (to, synchronous, expected) in [
            (1, false, false),
            (1, false, true),
            (1, true, false),
            (0, false, true),
            (0, true, false),
        ] {
            let (out, into) = (Block::of(&contents), Block::new(len));
            let [from, room] =
                [&out, &into].map(|block| Data::new(block.base(), len as u64, bytes()));
            let wanted = pattern(Some(0), Some(1));
            let before = reached();
            let early = expected.then(|| world[to].receive(wanted, room.clone()));
            let target = ProcId(to as u32);
            let send = world[0].send(target, envelope(0, 1), &from, synchronous);
            settle(&mut world);
            match early {
                Some(id) => _ = over(&mut world, to, "the receive", id),
                None => _ = receive_now(&mut world, to, &wanted, room),
            }
            settle(&mut world);
            assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
            assert!(into.bytes() == contents, "{len} bytes to {to}");
            assert!(reached() >= before + 2, "out and in through the door");
        }
    }
}

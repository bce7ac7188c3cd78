//! The protocol over real rings, several processes played by one.

use super::long::ALONE_MOST;
use super::*;
use crate::datatype::Type;
use crate::datatype::test_space::{Block, Memory, reached};
use crate::handle::Datatype;
use crate::shm::Segment;
use crate::shm::claims::CLAIMS;
use crate::shm::exchange_buffer::EXCHANGE_BUFFER;
use crate::shm::zero_copy::Direct;
use crate::shm::zero_copy::Limits;
use crate::transport::shm::{CROWDED, Shm};
use crate::tuning::{ROWS, Tuning};
use crate::types::Cancelled;
use crate::wire::INLINE;
use proptest::prelude::*;
use std::rc::Rc;

/// Several processes in one: each has a protocol over the same segment.
pub(super) fn world(size: usize) -> Vec<Proto<Shm>> {
    world_with(size, Direct::Both)
}

pub(super) fn world_with(size: usize, direct: Direct) -> Vec<Proto<Shm>> {
    world_over(size, |segment| {
        Shm::tested(segment, direct, &Limits::ALWAYS)
    })
}

pub(super) fn world_tuned(size: usize, direct: Direct, row: &'static Tuning) -> Vec<Proto<Shm>> {
    world_over(size, |segment| {
        Shm::tested(segment, direct, &Limits::ALWAYS).tuned(row)
    })
}

pub(super) fn world_over(size: usize, link: impl Fn(Segment) -> Shm) -> Vec<Proto<Shm>> {
    let file = crate::sys::memory_file(c"anympi-test").unwrap();
    (0..size)
        .map(|me| {
            Proto::new(link(
                Segment::attach(&file, me, size, crate::shm::ring::USUAL).unwrap(),
            ))
        })
        .collect()
}

pub(super) fn bytes() -> Rc<Type> {
    Type::predefined(Datatype(0x247)).unwrap()
}

pub(super) fn data(memory: &mut [u8]) -> Data {
    Data::tested(memory.as_mut_ptr(), memory.len() as u64, bytes())
}

pub(super) fn envelope(source: u32, tag: i32) -> Envelope {
    Envelope {
        context: 0,
        source,
        tag,
    }
}

pub(super) fn pattern(source: Option<u32>, tag: Option<i32>) -> Pattern {
    Pattern::new(0, source, tag)
}

pub(super) fn settle(world: &mut [Proto<Shm>]) {
    let mut quiet = 0;
    while quiet < 3 {
        let moved = world
            .iter_mut()
            .map(Proto::progress)
            .filter(|moved| *moved)
            .count();
        quiet = if moved == 0 { quiet + 1 } else { 0 };
    }
}

/// The byte at `index` of message `number`.
pub(super) fn content(number: usize, index: usize) -> u8 {
    (number * 131 + index * 7 + index / 251) as u8
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

fn direct() -> impl Strategy<Value = Direct> {
    prop_oneof![Just(Direct::Never), Just(Direct::Reads), Just(Direct::Both)]
}

fn message() -> impl Strategy<Value = Message> {
    let len = prop_oneof![
        Just(0),
        Just(1),
        Just(INLINE),
        Just(INLINE + 1),
        Just(WIDE),
        Just(WIDE + 1),
        0..2000usize,
        Just(EAGER_LIMIT as usize),
        Just(EAGER_LIMIT as usize + 1),
        0..300_000usize,
    ];
    (
        0..3usize,
        0..3usize,
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    /// Messages of every kind between three processes, to oneself too: each arrives whole, in order
    /// per pair and tag, wherever the protocol switches.
    #[test]
    fn messages_arrive_whole_and_in_order(
        direct in direct(),
        row in 0..ROWS.len(),
        messages in proptest::collection::vec(message(), 1..40),
    ) {
        let mut world = world_tuned(3, direct, &ROWS[row]);
        let packed = |number: usize, m: &Message| -> Vec<u8> {
            (0..m.len).map(|index| content(number, index)).collect()
        };
        let each = || messages.iter().enumerate();
        let out: Vec<Memory> = each()
            .map(|(number, m)| Memory::of(&packed(number, m), m.there[0]))
            .collect();
        let into: Vec<Memory> = each()
            .map(|(_, m)| Memory::of(&vec![0; m.len], m.there[1]))
            .collect();
        let data = |memory: &Memory, m: &Message| {
            Data::new(memory.base(), m.len as u64, bytes())
        };
        let mut sends = Vec::new();
        let mut receives = Vec::new();
        let mut late = Vec::new();
        for (number, m) in messages.iter().enumerate() {
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
                for proto in &mut world {
                    proto.progress();
                }
            }
        }
        for number in late {
            let m = &messages[number];
            let wanted = pattern(Some(m.from as u32), Some(m.tag));
            let id = world[m.to].receive(wanted, data(&into[number], m));
            receives.push((m.to, id, number));
            settle(&mut world);
        }
        settle(&mut world);
        for (rank, id) in sends {
            prop_assert!(world[rank].finish(id).is_some(), "a send of rank {} hangs", rank);
        }
        for (rank, id, number) in receives {
            let outcome = world[rank].finish(id);
            prop_assert!(outcome.is_some(), "the receive of message {} hangs", number);
            let outcome = outcome.unwrap();
            prop_assert_eq!(outcome.status.bytes as usize, messages[number].len);
            prop_assert_eq!(outcome.status.source.0 as usize, messages[number].from);
            prop_assert_eq!(outcome.truncated(), None);
        }
        for (number, m) in messages.iter().enumerate() {
            prop_assert!(
                into[number].bytes() == packed(number, m),
                "message {} is damaged", number
            );
        }
    }
}

#[test]
fn a_synchronous_send_waits_for_its_receive() {
    for len in [0, 8, 5000, 100_000] {
        let mut world = world(2);
        let (mut out, mut into) = (vec![7; len], vec![0; len]);
        let send = world[0]
            .send(ProcId(1), envelope(0, 3), &data(&mut out), true)
            .unwrap();
        settle(&mut world);
        assert!(!world[0].done(send), "{len} bytes");
        let receive = world[1].receive(pattern(None, None), data(&mut into));
        settle(&mut world);
        assert!(world[0].finish(send).is_some() && world[1].finish(receive).is_some());
        assert_eq!(out, into);
    }
}

#[test]
fn a_long_message_is_truncated_and_its_sender_ends() {
    for len in [30, 5000, 100_000] {
        let mut world = world(2);
        let (mut out, mut into) = (vec![7; len], vec![0; len + 10]);
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into[..10]));
        let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        settle(&mut world);
        assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
        let outcome = world[1].finish(receive).unwrap();
        assert_eq!(outcome.truncated(), Some(len as u64));
        assert_eq!(
            (&into[..10], &into[10..]),
            (&[7; 10][..], &vec![0; len][..])
        );
    }
}

#[test]
fn a_flood_is_bounded_and_nothing_is_lost() {
    let mut world = world(2);
    let mut block = vec![1; EAGER_LIMIT as usize];
    let count = 3 * CONGESTED_BYTES / EAGER_LIMIT;
    let mut sends = Vec::new();
    for _ in 0..count {
        sends.extend(world[0].send(ProcId(1), envelope(0, 0), &data(&mut block), false));
        settle(&mut world);
    }
    let held = world[1].state.peers[0].unexpected_bytes;
    assert!(
        held <= CONGESTED_BYTES + crate::shm::ring::MOST as u64 + EAGER_LIMIT,
        "{held}"
    );
    assert!(!sends.is_empty(), "later sends wait for their receives");
    let mut into = vec![0; block.len()];
    for _ in 0..count {
        let id = world[1].receive(pattern(Some(0), None), data(&mut into));
        settle(&mut world);
        assert!(world[1].finish(id).is_some());
        assert_eq!(into, block);
    }
    assert!(sends.into_iter().all(|id| world[0].finish(id).is_some()));
    // Calm again: eager sends are complete at once.
    settle(&mut world);
    assert!(
        world[0]
            .send(ProcId(1), envelope(0, 0), &data(&mut block), false)
            .is_none()
    );
}

#[test]
fn what_has_not_met_can_be_cancelled() {
    let mut world = world(2);
    let mut memory = vec![0; 8];
    let receive = world[0].receive(pattern(Some(1), Some(1)), data(&mut memory));
    assert!(world[0].cancel(receive));
    assert_eq!(
        world[0].finish(receive).unwrap().status.cancelled,
        Cancelled::Yes
    );
    // The message goes to the next receive, not to the cancelled one.
    let mut out = vec![9; 8];
    assert!(
        world[1]
            .send(ProcId(0), envelope(1, 1), &data(&mut out), false)
            .is_none()
    );
    let again = world[0].receive(pattern(Some(1), Some(1)), data(&mut memory));
    settle(&mut world);
    assert!(world[0].finish(again).is_some());
    assert_eq!(memory, out);
}

#[test]
fn a_send_that_has_not_met_can_be_taken_back() {
    let mut world = world(2);
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
        assert_eq!(
            world[1].finish(send).unwrap().status.cancelled,
            Cancelled::Yes
        );
        assert!(world[0].probe(&pattern(Some(1), Some(tag))).is_none());
    }
    // One that has met its receive completes.
    let mut memory = vec![0; 100_000];
    let receive = world[0].receive(pattern(Some(1), Some(4)), data(&mut memory));
    let send = world[1].send(ProcId(0), envelope(1, 4), &data(&mut long), false);
    let send = send.unwrap();
    world[0].progress();
    assert!(!world[1].cancel(send));
    settle(&mut world);
    assert_eq!(
        world[1].finish(send).unwrap().status.cancelled,
        Cancelled::No
    );
    assert!(world[0].finish(receive).is_some());
    assert_eq!(memory, long);
    let protocol_errors: u64 = world.iter().map(|proto| proto.state.protocol_errors).sum();
    assert_eq!(protocol_errors, 0);
}

#[test]
fn frames_that_make_no_sense_are_counted_and_ignored() {
    let mut world = world(2);
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
        assert!(world[0].link.frame(ProcId(1), head, &[0xff; 16], None));
    }
    settle(&mut world);
    assert_eq!(world[1].state.protocol_errors, 12);
}

#[derive(Clone, Debug)]
struct Round {
    /// The receiver starts before anything is ready.
    early: bool,
    /// In which order partitions become ready: sorted by these.
    keys: Vec<u32>,
    /// Steps of progress after each partition.
    steps: usize,
}

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

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    /// Rounds of a message that both sides divide as they like: everything arrives at its place, a
    /// partition is there only when its bytes are, and a round is over on both sides.
    #[test]
    fn partitions_arrive_at_their_places(
        (parts, theirs, each, rounds) in partitioned(),
        there in any::<[bool; 2]>(),
    ) {
        let mut world = world(2);
        // Both sides divide the same bytes, so their number is a multiple of both.
        let total = each / 8 * parts * theirs;
        let [out, into] = there.map(|there| Memory::of(&vec![0; total], there));
        let data = |memory: &Memory| Data::new(memory.base(), total as u64, bytes());
        let send = world[0].partitioned_send(ProcId(1), envelope(0, 5), data(&out));
        let receive = world[1].partitioned_receive(envelope(0, 5), data(&into), theirs);
        for (number, round) in rounds.iter().enumerate() {
            let contents: Vec<u8> = (0..total).map(|at| content(number, at)).collect();
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
        prop_assert_eq!(world.iter().map(|process| process.state.protocol_errors).sum::<u64>(), 0);
        let (sent, received) = (world[0].totals(Way::Sent), world[1].totals(Way::Received));
        prop_assert_eq!(sent, received);
        prop_assert_eq!(sent.eager_messages, 0);
        prop_assert_eq!(sent.partitioned_bytes, (rounds.len() * total) as u64);
    }
}

/// Who holds too much has even empty messages announced.
#[test]
fn an_empty_message_is_announced_and_comes() {
    let mut world = world_with(2, Direct::Never);
    let mut out = vec![1; 16 << 10];
    let mut sent = 0;
    while !world[0].link.congested(ProcId(1)) {
        assert!(sent < 2_000, "nobody complains");
        world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        settle(&mut world);
        sent += 1;
    }
    let before = world[0].totals(Way::Sent).announced_messages;
    let send = world[0].send(ProcId(1), envelope(0, 2), &data(&mut []), false);
    let receive = world[1].receive(pattern(Some(0), Some(2)), data(&mut []));
    settle(&mut world);
    assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
    assert!(world[1].finish(receive).is_some());
    assert_eq!(world[0].totals(Way::Sent).announced_messages, before + 1);
}

/// What is sent is counted, by protocol, and so is what was unexpected.
#[test]
fn traffic_is_counted() {
    let mut world = world_with(2, Direct::Never);
    let mut out = vec![7; 300_000];
    let mut into = vec![0; 300_000];
    let lengths = [0, 8, 5000, 300_000, 8];
    for (tag, len) in (0..).zip(lengths) {
        let data = Data::tested(out.as_mut_ptr(), len, bytes());
        world[0].send(ProcId(1), envelope(0, tag), &data, tag == 4);
        settle(&mut world);
    }
    assert_eq!(world[1].unexpected(), 5);
    assert_eq!(world[1].unexpected_bytes(), 5016);
    assert_eq!(world[1].kept_bytes(), 5016);
    for (tag, len) in (0..).zip(lengths) {
        let data = Data::tested(into.as_mut_ptr(), len, bytes());
        let id = world[1].receive(pattern(Some(0), Some(tag)), data);
        settle(&mut world);
        assert!(world[1].finish(id).is_some());
    }
    let (sent, received) = (world[0].totals(Way::Sent), world[1].totals(Way::Received));
    assert_eq!(sent, received);
    assert_eq!((sent.eager_messages, sent.eager_bytes), (4, 5016));
    assert_eq!(
        (sent.announced_messages, sent.announced_bytes),
        (1, 300_000)
    );
    // Eager messages, one of them in two pieces, the announcement, and pieces of 16 and 64 KiB.
    assert_eq!(sent.frames, 4 + 1 + 1 + 6);
    // The answer to the announcement, and that the synchronous message was met.
    assert_eq!(world[1].totals(Way::Sent).frames, 2);
    assert_eq!((world[1].kept(), world[1].queued()), (5, 0));
    assert_eq!((world[1].take_longest(), world[1].take_longest()), (5, 0));
    assert_eq!(world[1].unexpected(), 0);
}

/// A message that both sides copy, seen from both, and what is left of it afterwards.
#[test]
fn both_sides_copy_a_long_message() {
    let mut world = world(2);
    let len = 1 << 20;
    let mut out: Vec<u8> = (0..len).map(|index| content(3, index)).collect();
    let mut into = vec![0; len];
    for _ in 0..3 * CLAIMS {
        into.fill(0);
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
        let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        settle(&mut world);
        assert!(world[0].finish(send.unwrap()).is_some());
        assert!(world[1].finish(receive).is_some());
        assert_eq!(into, out);
    }
    // The announcement and what the sender has copied; the answer and the end. No piece.
    let frames = 3 * CLAIMS as u64 * 2;
    assert_eq!(world[0].totals(Way::Sent).frames, frames);
    assert_eq!(world[1].totals(Way::Sent).frames, frames);
    let (sent, received) = (world[0].totals(Way::Sent), world[1].totals(Way::Received));
    assert_eq!(sent, received);
    assert_eq!(sent.announced_bytes, 3 * CLAIMS as u64 * len as u64);
    assert_eq!(world[1].state.peers[0].claims.count_ones() as usize, CLAIMS);
    assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
}

/// When both send, each receiver copies all of its message: one announcement and one end each way, no counter.
#[test]
fn in_an_exchange_each_receiver_copies_its_message() {
    let mut world = world(2);
    // More than is copied at a time: else one has all before the other looks.
    let len = 3 * ALONE_MOST as usize;
    let mut out: Vec<Vec<u8>> = (0..2)
        .map(|rank| (0..len).map(|index| content(rank, index)).collect())
        .collect();
    let mut into = vec![vec![0; len]; 2];
    let [a, b] = &mut out[..] else { unreachable!() };
    let [c, d] = &mut into[..] else {
        unreachable!()
    };
    let receives = [
        world[0].receive(pattern(Some(1), Some(1)), data(c)),
        world[1].receive(pattern(Some(0), Some(1)), data(d)),
    ];
    let sends = [
        world[0].send(ProcId(1), envelope(0, 1), &data(a), false),
        world[1].send(ProcId(0), envelope(1, 1), &data(b), false),
    ];
    settle(&mut world);
    for rank in 0..2 {
        assert!(world[rank].finish(receives[rank]).is_some());
        assert!(world[rank].finish(sends[rank].unwrap()).is_some());
        assert_eq!(into[rank], out[1 - rank]);
        assert_eq!(world[rank].totals(Way::Sent).frames, 2);
        let state = &world[rank].state;
        assert_eq!(
            (state.protocol_errors, state.peers[1 - rank].announced),
            (0, 0)
        );
    }
}

/// More messages at a time than there are counters: the receiver copies the others alone.
#[test]
fn more_long_messages_than_counters() {
    let mut world = world(2);
    let len = 100_000;
    let count = 2 * CLAIMS;
    let mut out: Vec<Vec<u8>> = (0..count)
        .map(|number| (0..len).map(|index| content(number, index)).collect())
        .collect();
    let mut into = vec![vec![0; len]; count];
    let sends: Vec<_> = (0..)
        .zip(&mut out)
        .map(|(tag, out)| world[0].send(ProcId(1), envelope(0, tag), &data(out), false))
        .collect();
    world[1].progress();
    let receives: Vec<_> = (0..)
        .zip(&mut into)
        .map(|(tag, into)| world[1].receive(pattern(Some(0), Some(tag)), data(into)))
        .collect();
    // The sender is away: the receiver gets everything by itself.
    while world[1].progress() {}
    assert!(receives.iter().all(|&id| world[1].finish(id).is_some()));
    assert_eq!(into, out);
    settle(&mut world);
    assert!(
        sends
            .iter()
            .all(|id| world[0].finish(id.unwrap()).is_some())
    );
    assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
}

/// Memory that the system lets nobody else reach goes through the ring: here a sender's buffer that is
/// announced at an address where nothing is.
#[test]
fn what_cannot_be_copied_directly_is_streamed() {
    for direct in [Direct::Reads, Direct::Both] {
        let mut world = world_with(2, direct);
        let len = 300_000;
        let mut out: Vec<u8> = (0..len).map(|index| content(1, index)).collect();
        let mut into = vec![0; len];
        let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        world[1].progress();
        let (envelope, mut arrived) = world[1].state.matching.take(&pattern(None, None)).unwrap();
        world[1].state.departed(&arrived);
        if let Arrived::Announced(announced) = &mut arrived {
            announced.address = 4096;
        }
        let receive = world[1].receive_matched(Matched { envelope, arrived }, data(&mut into));
        settle(&mut world);
        assert!(world[1].finish(receive).is_some(), "{direct:?}");
        assert!(world[0].finish(send.unwrap()).is_some(), "{direct:?}");
        assert_eq!(into, out);
        assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
    }
}

/// What lies in a heap is copied from there even where nothing else can be, from a shorter length on than is announced
/// elsewhere; where it is not mapped it is streamed.
/// However it could be copied.
#[test]
fn what_is_to_be_streamed_goes_in_pieces() {
    let ways = [Direct::Never, Direct::Reads, Direct::Both];
    for (row, direct) in ROWS.iter().flat_map(|row| ways.map(|direct| (row, direct))) {
        let mut world = world_tuned(2, direct, row);
        for len in [100, 10_000, 300_000] {
            let mut out: Vec<u8> = (0..len).map(|index| content(7, index)).collect();
            let mut into = vec![0; len];
            let frames = world[0].totals(Way::Sent).frames;
            let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
            let send = world[0].stream(ProcId(1), envelope(0, 1), data(&mut out), Stream::OneWay);
            settle(&mut world);
            assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
            assert!(world[1].finish(receive).is_some());
            assert_eq!(into, out);
            let pieces = match len as u64 > EAGER_LIMIT {
                true => 1 + (len as u64).div_ceil(crate::shm::ring::MAX_BODY as u64),
                false => 1,
            };
            let frames = world[0].totals(Way::Sent).frames - frames;
            assert!(frames >= pieces, "{frames} of {pieces}");
        }
        assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
    }
}

#[test]
fn what_others_can_map_is_copied_from_there() {
    for (direct, mapped, len) in [
        (Direct::Never, true, 300_000),
        (Direct::Reads, true, 300_000),
        (Direct::Both, true, 300_000),
        (Direct::Never, false, 300_000),
        (Direct::Never, true, 5_000),
        (Direct::Both, true, 20_000),
        (Direct::Both, false, 5_000),
    ] {
        let mut world = world_with(2, direct);
        let segment = *world[0].link().segment();
        if !mapped {
            world[1].link().segment().refuse_heaps();
        }
        let block = segment
            .allocate(len, 64)
            .expect("the system has memory files");
        let contents: Vec<u8> = (0..len).map(|index| content(2, index)).collect();
        let out = Data::tested(block, len as u64, bytes());
        out.unpack(0, &contents);
        let mut into = vec![0; len];
        let send = world[0].send(ProcId(1), envelope(0, 1), &out, false);
        let receive = world[1].receive(pattern(None, None), data(&mut into));
        settle(&mut world);
        assert!(world[1].finish(receive).is_some(), "{direct:?}");
        assert!(world[0].finish(send.unwrap()).is_some(), "{direct:?}");
        assert_eq!(into, contents);
        let frames = world[0].state.traffic.sent.other_frames;
        assert_eq!(
            frames > 5,
            !mapped && len > 100_000,
            "{direct:?}: {frames} frames"
        );
        assert_eq!(world[0].state.traffic.sent.eager_bytes, 0);
        assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
        assert!(crate::shm::heap::release(block));
        assert!(!crate::shm::heap::release(block));
    }
}

/// With more processes than cores nobody waits for a receiver because of a short message.
#[test]
fn on_few_cores_short_messages_leave_at_once() {
    let few_cores = |segment| Shm::tested(segment, Direct::Both, &Limits::ALWAYS).crowded(true);
    let mut world = world_over(2, few_cores);
    let segment = *world[0].link().segment();
    for (len, at_once) in [(64 << 10, true), (CROWDED + 1, false)] {
        let block = segment.allocate(len as usize, 64);
        let block = block.expect("the system has memory files");
        let out = Data::tested(block, len, bytes());
        let send = world[0].send(ProcId(1), envelope(0, 1), &out, false);
        assert_eq!(send.is_none(), at_once, "{len}");
        let mut into = vec![0; len as usize];
        let receive = world[1].receive(pattern(None, None), data(&mut into));
        settle(&mut world);
        assert!(world[1].finish(receive).is_some());
        assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
        assert!(crate::shm::heap::release(block));
    }
}

/// Takes what has arrived, and does nothing about it.
pub(super) fn arrive(Proto { link, state }: &mut Proto<Shm>) {
    link.poll(state);
}

/// The other way round: the receiver's buffer cannot be written to, so the sender streams its chunks.
#[test]
fn what_the_sender_cannot_write_is_streamed() {
    let mut world = world(2);
    let len = 300_000;
    let mut out: Vec<u8> = (0..len).map(|index| content(1, index)).collect();
    let mut into = vec![0; len];
    let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
    let send = world[0]
        .send(ProcId(1), envelope(0, 1), &data(&mut out), false)
        .unwrap();
    world[1].progress();
    arrive(&mut world[0]);
    match &mut world[0].state.op(send).stage {
        Stage::Leaving {
            joint: Some(joint), ..
        } => joint.spoil(),
        _ => panic!("the sender has been asked to take part"),
    }
    // The sender takes everything that the receiver has not taken yet.
    while world[0].progress() {
        arrive(&mut world[1]);
    }
    settle(&mut world);
    assert!(world[1].finish(receive).is_some());
    assert!(world[0].finish(send).is_some());
    assert_eq!(into, out);
    assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
}

/// A piece is longer than usual where its exchange buffers lie together, and else like the others, however much is left.
#[test]
fn pieces_are_alike_where_exchange_buffers_do_not_lie_together() {
    const LEFT: usize = EXCHANGE_BUFFER + 3000;
    let mut world = world(2);
    let next = |world: &mut [Proto<Shm>]| {
        _ = world[0].link.by(ProcId(1), 1);
        crate::transport::shm::body::together(&mut world[0].link, ProcId(1), LEFT / 2, LEFT)
    };
    assert_eq!(next(&mut world), LEFT);
    // The latest one, which is taken first, lies beside the other ring.
    let (mut out, mut into) = (vec![1; EXCHANGE_BUFFER], vec![0; EXCHANGE_BUFFER]);
    assert!(
        world[1]
            .send(ProcId(0), envelope(1, 1), &data(&mut out), false)
            .is_none()
    );
    let receive = world[0].receive(pattern(Some(1), Some(1)), data(&mut into));
    settle(&mut world);
    assert!(world[0].finish(receive).is_some());
    assert_eq!(next(&mut world), LEFT / 2);
}

/// Waits for what a blocking receive expects.
pub(super) fn receive_now(
    world: &mut [Proto<Shm>],
    me: usize,
    wanted: &Pattern,
    data: Data,
) -> Outcome {
    match world[me].expect(*wanted, data) {
        Start::Ordinary(id) => {
            settle(world);
            world[me].finish(id).expect("the message is there")
        }
        Start::Expected => {
            settle(world);
            assert!(world[me].expected_over());
            world[me].take_expected().expect("it is over")
        }
    }
}

/// Messages of every kind, also to oneself, out of memory that only the door reaches and into it: who else touched it would get a
/// fault.
#[test]
fn only_the_door_touches_memory() {
    let lengths = [
        1,
        8,
        INLINE + 1,
        WIDE + 1,
        5000,
        EAGER_LIMIT as usize + 1,
        300_000,
    ];
    for direct in [Direct::Never, Direct::Reads, Direct::Both] {
        let mut world = world_with(2, direct);
        for (number, len) in lengths.into_iter().enumerate() {
            let contents: Vec<u8> = (0..len).map(|index| content(number, index)).collect();
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
                    Some(id) => assert!(world[to].finish(id).is_some()),
                    None => _ = receive_now(&mut world, to, &wanted, room),
                }
                settle(&mut world);
                assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
                assert!(into.bytes() == contents, "{len} bytes to {to}");
                assert!(reached() >= before + 2, "out and in through the door");
            }
        }
    }
}

#[test]
fn an_expected_receive_gets_messages_of_every_kind() {
    for (len, synchronous) in [
        (0, false),
        (8, true),
        (1000, false),
        (9000, true),
        (100_000, false),
    ] {
        let mut world = world(2);
        let mut out = vec![7; len];
        let mut into = vec![0; len];
        for early in [true, false] {
            into.fill(0);
            let wanted = pattern(None, Some(2));
            let other = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out[..0]), false);
            assert!(other.is_none());
            if early {
                settle(&mut world);
            }
            let send = world[0].send(ProcId(1), envelope(0, 2), &data(&mut out), synchronous);
            let outcome = receive_now(&mut world, 1, &wanted, data(&mut into));
            settle(&mut world);
            assert_eq!(
                (outcome.status.tag.0, outcome.status.bytes),
                (2, len as u64)
            );
            assert_eq!(into, out);
            assert!(send.is_none_or(|id| world[0].finish(id).is_some()));
            assert!(world[1].take_matched(&pattern(Some(0), Some(1))).is_some());
        }
    }
}

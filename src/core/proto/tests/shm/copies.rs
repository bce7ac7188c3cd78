//! What is copied from buffer to buffer, by one side or by both, and what is streamed where that cannot be.

use super::*;
use crate::proto::long::MAX_CHUNK_ALONE;
use crate::shm::claims::CLAIMS;
use crate::shm::exchange_buffer::EXCHANGE_BUFFER;
use crate::transport::shm::CROWDED;

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
    assert_eq!(world[0].totals(Direction::Sent).frames, frames);
    assert_eq!(world[1].totals(Direction::Sent).frames, frames);
    let (sent, received) = (
        world[0].totals(Direction::Sent),
        world[1].totals(Direction::Received),
    );
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
    let len = 3 * MAX_CHUNK_ALONE as usize;
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
        assert_eq!(world[rank].totals(Direction::Sent).frames, 2);
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

/// However it could be copied.
#[test]
fn what_is_to_be_streamed_goes_in_pieces() {
    let ways = [Direct::Never, Direct::Reads, Direct::Both];
    for (row, direct) in ROWS.iter().flat_map(|row| ways.map(|direct| (row, direct))) {
        let mut world = world_tuned(2, direct, row);
        for len in [100, 10_000, 300_000] {
            let mut out: Vec<u8> = (0..len).map(|index| content(7, index)).collect();
            let mut into = vec![0; len];
            let frames = world[0].totals(Direction::Sent).frames;
            let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
            let send = world[0].stream(
                ProcId(1),
                envelope(0, 1),
                data(&mut out),
                FlowPattern::OneWay,
            );
            settle(&mut world);
            assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
            assert!(world[1].finish(receive).is_some());
            assert_eq!(into, out);
            let pieces = match len as u64 > EAGER_LIMIT {
                true => 1 + (len as u64).div_ceil(crate::shm::ring::MAX_BODY as u64),
                false => 1,
            };
            let frames = world[0].totals(Direction::Sent).frames - frames;
            assert!(frames >= pieces, "{frames} of {pieces}");
        }
        assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
    }
}

/// What lies in a heap is copied from there even where nothing else can be, from a shorter length on than is announced
/// elsewhere; where it is not mapped it is streamed.
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
    match &mut world[0].state.op(send).state {
        OpState::Leaving {
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
        crate::transport::shm::body::adjoining(&mut world[0].link, ProcId(1), LEFT / 2, LEFT)
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

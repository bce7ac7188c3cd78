//! How long messages are copied: through shared memory, by their receiver, or by both sides.

use super::*;
use crate::datatype::vector;
use crate::shm::exchange_buffer::EXCHANGE_BUFFER;
use crate::shm::ring::{By, MAX_BODY};
use crate::transport::shm::{CROWDED, IN_TURN, body};
use crate::tuning::{GENERIC, GOLDEN_COVE};

/// Whoever sends what meets as much the other way, or a receiver that is behind, can say so.
#[test]
fn pieces_are_longer_where_nobody_waits_for_the_first() {
    let behind = ROWS.iter().map(|row| (row, FlowPattern::Behind, MAX_BODY));
    let exchanged = ROWS
        .iter()
        .map(|row| (row, FlowPattern::BothWays, row.join_exchanged));
    let alone = [(&ROWS[0], FlowPattern::OneWay, EXCHANGE_BUFFER)];
    for (row, stream, longest) in alone.into_iter().chain(behind).chain(exchanged) {
        let mut world = world_tuned(2, Direct::Never, row);
        let before = world[0].totals(Direction::Sent).frames as usize;
        let len = world[0].link.eager_most(ProcId(1)) as usize;
        let mut out: Vec<u8> = (0..len).map(|index| content(6, index)).collect();
        let mut into = vec![0; out.len()];
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
        let send = world[0].stream(ProcId(1), envelope(0, 1), data(&mut out), stream);
        settle(&mut world);
        assert!(send.is_none() && world[1].finish(receive).is_some());
        assert_eq!(into, out);
        let frames = world[0].totals(Direction::Sent).frames as usize - before;
        assert_eq!(frames, len.div_ceil(longest), "{} {stream:?}", row.name);
    }
}

/// What is to be streamed leaves at once as long as there is room for two such messages. So it does where the
/// receiver could copy it from where it lies. What has its turn is asked for.
#[test]
fn streams_of_collectives_need_not_be_asked_for() {
    let most = world_with(2, Direct::Both)[0].link.eager_most(ProcId(1));
    let [most, in_turn] = [most, IN_TURN].map(|bytes| bytes as usize);
    for (kind, len, at_once) in [
        (FlowPattern::OneWay, most, true),
        (FlowPattern::BothWays, most, true),
        (FlowPattern::OneWay, most + 1, false),
        (FlowPattern::InTurn, in_turn, true),
        (FlowPattern::InTurn, in_turn + 1, false),
    ] {
        for (direct, crowded) in [
            (Direct::Both, false),
            (Direct::Both, true),
            (Direct::Never, false),
        ] {
            let port = |segment| Shm::tested(segment, direct, &Limits::GENERIC).crowded(crowded);
            let mut world = world_over(2, port);
            let mut out: Vec<u8> = (0..len).map(|index| content(7, index)).collect();
            let mut into = vec![0; len];
            let stream = world[0].stream(ProcId(1), envelope(0, 1), data(&mut out), kind);
            assert_eq!(
                stream.is_none(),
                at_once,
                "{direct:?} {crowded} {kind:?} {len}"
            );
            let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
            settle(&mut world);
            assert!(stream.is_none_or(|send| world[0].finish(send).is_some()));
            assert!(world[1].finish(receive).is_some());
            assert_eq!(into, out);
        }
    }
}

/// One message from one of two processes to the other; returns the frames that each has sent for it, the sender first.
fn one_from(world: &mut [Proto<Shm>], from: usize, len: usize) -> (u64, u64) {
    let to = 1 - from;
    let frames = |world: &[Proto<Shm>]| {
        let sent = |process: usize| world[process].totals(Direction::Sent).frames;
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

/// How a message by itself of so many bytes from 0 to 1 is copied; `None`: it leaves at once.
fn way_of(world: &mut [Proto<Shm>], len: usize) -> Option<Direct> {
    match one_from(world, 0, len) {
        (_, 0) => None,
        // Its pieces; the announcement alone; the announcement and what the sender has copied.
        (3.., 1) => Some(Direct::Never),
        (1, 1) => Some(Direct::Reads),
        (2, 2) => Some(Direct::Both),
        other => panic!("frames of no way: {other:?}"),
    }
}

/// Limits where each way has a range of lengths of its own.
const LIMITS: Limits = Limits {
    eager: 20_000,
    alone: 100_000,
    exchange: 50_000,
    several: 30_000,
    ..Limits::GENERIC
};

#[test]
fn the_length_of_a_message_chooses_its_way() {
    use Direct::{Both, Never, Reads};
    for (direct, crowded, ways) in [
        (Both, false, [None, Some(Never), Some(Both)]),
        (Reads, false, [None, Some(Never), Some(Reads)]),
        (Never, false, [None, Some(Never), Some(Never)]),
        // What a ring holds goes through it where processes share cores.
        (Both, true, [None, Some(Never), Some(Never)]),
    ] {
        let port = |segment| Shm::tested(segment, direct, &LIMITS).crowded(crowded);
        let mut world = world_over(2, port);
        let lengths = match crowded {
            true => [64 << 10, CROWDED as usize + 1, 300_000],
            false => [20_000, 100_000, 100_001],
        };
        let found = lengths.map(|len| way_of(&mut world, len));
        assert_eq!(found, ways, "{direct:?} {crowded}");
        assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
    }
}

/// In an exchange each receiver copies its own message, from another length on.
#[test]
fn an_exchange_has_a_limit_of_its_own() {
    let mut world = world_over(2, |segment| Shm::tested(segment, Direct::Both, &LIMITS));
    for (len, streamed) in [(50_000, true), (50_001, false)] {
        let sent =
            |world: &[Proto<Shm>]| [0, 1].map(|from| world[from].totals(Direction::Sent).frames);
        let before = sent(&world);
        exchange(&mut world, len);
        let after = sent(&world);
        // An announcement and what ends the message the other way; or a question and pieces, too. Who has done nothing before the
        // other one is through is in no exchange.
        let frames = (after[0] - before[0]).min(after[1] - before[1]);
        assert_eq!(frames > 2, streamed, "{len}: {frames}");
        assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
    }
}

/// So have messages of which several are under way: none but the first is streamed.
#[test]
fn several_messages_have_a_limit_of_their_own() {
    for (len, most) in [(30_001, 24), (30_000, 1000)] {
        let mut world = world_over(2, |segment| Shm::tested(segment, Direct::Reads, &LIMITS));
        window(&mut world, len, 20);
        let frames = world[0].totals(Direction::Sent).frames;
        assert!(frames <= most, "{len}: {frames}");
        assert_eq!(frames > 40, len == 30_000, "{len}: {frames}");
    }
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
    let told = |segment| Shm::tested(segment, Direct::Reads, &Limits::ALWAYS);
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
    assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
}

/// What is not in one piece goes by exchange buffers where a row says so, unless it is short or leaves at once in
/// pieces. It arrives either way.
#[test]
fn collected_data_goes_by_exchange_buffers_where_that_pays() {
    for (row, len, by_exchange_buffer) in [
        (&GOLDEN_COVE, 2 << 10, false),
        (&GOLDEN_COVE, 3000, true),
        (&GOLDEN_COVE, 16 << 10, true),
        (&GOLDEN_COVE, 100_000, false),
        (&GOLDEN_COVE, 300_000, true),
        (&GENERIC, 16 << 10, false),
    ] {
        let mut world = world_tuned(2, Direct::Both, row);
        let every_other = std::rc::Rc::new(vector(len as i64 / 4, 4, 8, &bytes()).unwrap());
        let mut out: Vec<u8> = (0..2 * len).map(|index| content(3, index)).collect();
        let mut into = vec![0; len];
        let collected = Data::tested(out.as_mut_ptr(), 1, every_other);
        let by = body::by(&mut world[0].link, ProcId(1), &collected, 1);
        assert_eq!(
            by == By::ExchangeBuffer,
            by_exchange_buffer,
            "{len} bytes, {}",
            row.name
        );
        let receive = world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
        let send = world[0].send(ProcId(1), envelope(0, 1), &collected, false);
        settle(&mut world);
        assert!(send.is_none_or(|send| world[0].finish(send).is_some()));
        assert!(world[1].finish(receive).is_some());
        let expected = out.chunks(8).flat_map(|chunk| &chunk[..4]);
        assert!(into.iter().eq(expected), "{len} bytes, {}", row.name);
    }
}

/// The system may let only some of them be read.
#[test]
fn what_cannot_be_read_together_is_read_by_itself() {
    let told = |segment| Shm::tested(segment, Direct::Reads, &Limits::ALWAYS);
    let mut world = world_over(2, told);
    let mut buffers = Buffers::new(&[40_000; 5]);
    let receives = come(&mut world, &mut buffers);
    match &mut world[1].state.op(receives[2]).state {
        OpState::Arriving {
            joint: Some(joint), ..
        } => joint.spoil(),
        _ => panic!("it is to be read"),
    }
    settle(&mut world);
    assert!(receives.iter().all(|&id| world[1].finish(id).is_some()));
    assert!(buffers.have_arrived());
    assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
}

//! Long messages that meet, and how far each runs ahead.

use super::ways::exchange;
use super::*;
use crate::transport::shm::stream::MAX_PIECE;
use crate::tuning::ZEN_5;

/// Messages in both directions that are longer than all exchange buffers pace each other, whichever way each of them takes; what one
/// side asks for in between is not kept back.
#[test]
fn long_exchanges_pace_each_other() {
    let ways = [Direct::Never, Direct::Both];
    for (row, direct) in ROWS.iter().flat_map(|row| ways.map(|way| (row, way))) {
        let mut world = world_tuned(2, direct, row);
        let len = 4 * world[0].link.segment().ring_bytes() as usize + 1000;
        for _ in 0..24 {
            exchange(&mut world, len);
        }
        assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
        for (proto, other) in [(0, 1), (1, 0)] {
            assert_eq!(world[proto].state.peers[other].streams, 0);
        }
    }
}

/// What can be held beside the rings of two processes.
fn held() -> usize {
    world_with(2, Direct::Never)[0].link.segment().ring_bytes() as usize
}

/// A row that paces what exchange buffers would hold.
static EARLY: Tuning = Tuning {
    pace_from: 16,
    pace_ahead: 8,
    pace_piece: 4,
    pace_needed: 8,
    ..ZEN_5
};

#[test]
fn a_paced_message_is_a_little_ahead() {
    for row in ROWS.iter().chain([&EARLY]) {
        for (len, paced) in [
            (4 * held(), true),
            (held(), row.pace_from == EARLY.pace_from),
        ] {
            let mut world = world_tuned(2, Direct::Never, row);
            let mut out =
                [0, 1].map(|rank| (0..len).map(|at| content(rank, at)).collect::<Vec<_>>());
            let mut into = [vec![0; len], vec![0; len]];
            for (rank, (out, into)) in out.iter_mut().zip(&mut into).enumerate() {
                let other = 1 - rank as u32;
                world[rank].receive(pattern(Some(other), Some(1)), data(into));
                world[rank].send(ProcId(other), envelope(rank as u32, 1), &data(out), false);
            }
            // The first one is asked for its own, and asks.
            world[1].progress();
            while world[0].progress() {}
            let pace = world[0].link.pace(ProcId(1), len / MAX_PIECE as usize);
            assert_eq!(pace.is_some(), paced, "{} {len}", row.name);
            let sent = world[0].totals(Direction::Sent);
            let gone = pace.map_or(len as u64, |pace| pace.ahead as u64 * MAX_PIECE);
            assert_eq!(sent.announced_bytes, gone, "{} {len}", row.name);
            if let Some(pace) = pace {
                let pieces = pace.ahead.div_ceil(pace.piece) as u64;
                // An announcement and a question, too.
                assert_eq!(sent.frames, pieces + 2, "{} {len}", row.name);
            }
            settle(&mut world);
            assert!(into[0] == out[1] && into[1] == out[0], "{} {len}", row.name);
            assert!(world.iter().all(|proto| proto.state.protocol_errors == 0));
        }
    }
}

/// Where only one side sends, nothing is paced: all that there is room for leaves at once.
#[test]
fn a_long_message_alone_is_not_paced() {
    for row in &ROWS {
        let mut world = world_tuned(2, Direct::Never, row);
        let len = 4 * held();
        let (mut out, mut into) = (vec![1; len], vec![0; len]);
        world[1].receive(pattern(Some(0), Some(1)), data(&mut into));
        world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        world[1].progress();
        world[0].progress();
        let sent = world[0].totals(Direction::Sent).announced_bytes;
        assert!(
            sent >= crate::shm::ring::MIN_BYTES as u64,
            "{} {sent}",
            row.name
        );
    }
}

/// Nor is it where processes share a core.
#[test]
fn who_shares_a_core_is_not_paced() {
    for crowded in [false, true] {
        let port = |segment| Shm::tested(segment, Direct::Never, &Limits::ALWAYS).crowded(crowded);
        let mut world = world_over(2, port);
        let many = world[0].link.segment().ring_bytes() as usize;
        assert_eq!(world[0].link.pace(ProcId(1), many).is_some(), !crowded);
        assert_eq!(world[0].link.pace(ProcId(1), 1), None);
        exchange(&mut world, 4 * many);
    }
}

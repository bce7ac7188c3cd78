//! Receives of what is in the ring already, or comes while their caller looks.

use super::*;
use crate::proto::expected::MAX_AT_ONCE;
use crate::shm::ring::{By, filled};

/// Receives a word of process 0's at process 1 without making progress.
fn at_once(world: &mut [Proto<Shm>], wanted: Pattern) -> Option<u8> {
    let mut word = 0u8;
    let into = Data::tested(&mut word, 1, bytes());
    let outcome = world[1].receive_at_once(ProcId(0), &wanted, &into, 3)?;
    assert_eq!((outcome.status.source.0, outcome.message), (0, 1));
    Some(word)
}

/// Sends bytes to process 1, tags first.
fn send_bytes(world: &mut [Proto<Shm>], messages: &[(i32, u8)], synchronous: bool) {
    for &(tag, byte) in messages {
        let mut byte = byte;
        let word = Data::tested(&mut byte, 1, bytes());
        world[0].send(ProcId(1), envelope(0, tag), &word, synchronous);
    }
}

#[test]
fn a_message_that_is_there_is_received_at_once() {
    let mut world = world(2);
    // Process 1 answers the doorbell when it polls.
    send_bytes(&mut world, &[(1, 10)], false);
    assert_eq!(at_once(&mut world, pattern(Some(0), Some(1))), None);
    settle(&mut world);
    // It is unexpected now, and comes before others.
    send_bytes(&mut world, &[(1, 11), (2, 12)], false);
    assert_eq!(at_once(&mut world, pattern(Some(0), Some(1))), None);
    assert!(world[1].take_matched(&pattern(None, None)).is_some());
    // Only what has been asked for, and only the next.
    assert_eq!(at_once(&mut world, pattern(Some(0), Some(2))), None);
    assert_eq!(at_once(&mut world, Pattern::new(1, Some(0), None)), None);
    assert_eq!(at_once(&mut world, pattern(Some(0), Some(1))), Some(11));
    assert_eq!(at_once(&mut world, pattern(Some(0), None)), Some(12));
    assert_eq!(at_once(&mut world, pattern(Some(0), None)), None);
    // A receive that has been posted before gets it.
    let mut posted = 0u8;
    let earlier = world[1].receive(pattern(None, None), Data::tested(&mut posted, 1, bytes()));
    send_bytes(&mut world, &[(1, 13)], false);
    assert_eq!(at_once(&mut world, pattern(Some(0), None)), None);
    settle(&mut world);
    assert!(world[1].finish(earlier).is_some());
    assert_eq!(posted, 13);
    // So does one that is waited for already.
    let expected = world[1].expect(pattern(None, None), Data::tested(&mut posted, 1, bytes()));
    assert!(matches!(expected, Start::Expected));
    send_bytes(&mut world, &[(1, 14)], false);
    assert_eq!(at_once(&mut world, pattern(Some(0), None)), None);
    settle(&mut world);
    assert!(world[1].take_expected().is_some());
    assert_eq!(posted, 14);
    // A sender that waits for the match is answered the ordinary way.
    send_bytes(&mut world, &[(1, 15)], true);
    assert_eq!(at_once(&mut world, pattern(Some(0), None)), None);
    settle(&mut world);
    assert_eq!(world[1].state.protocol_errors, 0);
}

/// Bodies as well, those that are too long for the buffer, and those of pieces.
#[test]
fn messages_of_every_length_are_received_at_once_or_not_at_all() {
    let mut world = world(2);
    send_bytes(&mut world, &[(0, 0)], false);
    settle(&mut world);
    assert!(world[1].take_matched(&pattern(None, None)).is_some());
    let mut at_once = 0;
    for (len, room) in [
        (0, 0),
        (40, 40),
        (41, 41),
        (2000, 2000),
        (2000, 7),
        (9000, 9000),
        (9000, 5000),
    ] {
        let mut out: Vec<u8> = (0..len).map(|i| content(len, i)).collect();
        let mut into = vec![0; room];
        let sent = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        assert!(sent.is_none());
        let wanted = pattern(Some(0), Some(1));
        let outcome = world[1].receive_at_once(ProcId(0), &wanted, &data(&mut into), 1);
        at_once += usize::from(outcome.is_some());
        let outcome =
            outcome.unwrap_or_else(|| receive_now(&mut world, 1, &wanted, data(&mut into)));
        assert_eq!(
            (outcome.status.bytes, outcome.message),
            (room as u64, len as u64)
        );
        assert_eq!(into, out[..room]);
    }
    assert_eq!(at_once, 7);
}

/// Messages in pieces that come one after the other do not keep others waiting for ever.
#[test]
fn others_have_their_turn_after_some_messages_in_pieces() {
    const LEN: usize = 9000;
    let mut world = world(2);
    send_bytes(&mut world, &[(0, 0)], false);
    settle(&mut world);
    assert!(world[1].take_matched(&pattern(None, None)).is_some());
    let wanted = pattern(Some(0), Some(1));
    for message in 1..=50 {
        let mut out: Vec<u8> = (0..LEN).map(|i| content(message, i)).collect();
        let mut into = vec![0; LEN];
        let sent = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
        assert!(sent.is_none());
        let outcome = world[1].receive_at_once(ProcId(0), &wanted, &data(&mut into), 1);
        let others = message % (MAX_AT_ONCE as usize + 1) == 0;
        assert_eq!(outcome.is_none(), others, "{message}");
        if others {
            receive_now(&mut world, 1, &wanted, data(&mut into));
        }
        assert_eq!(into, out);
    }
}

/// A piece of a message of `total` bytes goes to process 1; the first one says both lengths.
fn send_piece(world: &mut [Proto<Shm>], kind: u8, total: u32, piece: &[u8]) {
    let words = [total, piece.len() as u32].map(u32::to_le_bytes);
    let said = match kind {
        kind::EAGER_FIRST => words.as_flattened(),
        _ => &words[1],
    };
    let head = Head {
        kind,
        inline: said.len() as u16,
        tag: 1,
        ..Head::default()
    };
    let sent = world[0].link.try_body(
        ProcId(1),
        head,
        (piece.len(), By::Ring),
        |slot| slot.copy_from_slice(said),
        filled(|pieces| {
            let (first, second) = piece.split_at(pieces.0.len());
            pieces.0.copy_from_slice(first);
            pieces.1.copy_from_slice(second);
        }),
    );
    assert!(sent);
}

/// A sender that is interrupted between two pieces holds up the receive, not the process.
#[test]
fn a_message_whose_pieces_stop_is_gone_on_with_the_ordinary_way() {
    let mut world = world(2);
    send_bytes(&mut world, &[(0, 0)], false);
    settle(&mut world);
    assert!(world[1].take_matched(&pattern(None, None)).is_some());
    let out: Vec<u8> = (0..9000).map(|i| content(9000, i)).collect();
    for stopped in 1..3 {
        let mut into = vec![0; out.len()];
        let parts: Vec<&[u8]> = out.chunks(3000).collect();
        let mut kinds = [kind::EAGER_FIRST, kind::EAGER_MORE, kind::EAGER_MORE]
            .into_iter()
            .zip(parts);
        for (kind, part) in kinds.by_ref().take(stopped) {
            send_piece(&mut world, kind, 9000, part);
        }
        let wanted = pattern(Some(0), Some(1));
        let begun = world[1].receive_at_once(ProcId(0), &wanted, &data(&mut into), 3);
        assert!(begun.is_none());
        let start = world[1].expect(wanted, data(&mut into));
        assert!(matches!(start, Start::Expected) && !world[1].expected_over());
        // Another one that begins meanwhile is behind it.
        let mut other = 0u8;
        let later = world[1].receive(pattern(None, None), Data::tested(&mut other, 1, bytes()));
        settle(&mut world);
        assert!(!world[1].expected_over());
        for (kind, part) in kinds {
            send_piece(&mut world, kind, 9000, part);
        }
        send_bytes(&mut world, &[(1, 7)], false);
        settle(&mut world);
        assert!(world[1].expected_over());
        let outcome = world[1].take_expected().unwrap();
        assert_eq!((outcome.status.bytes, outcome.message), (9000, 9000));
        assert_eq!(into, out);
        assert!(world[1].finish(later).is_some());
        assert_eq!(other, 7);
    }
    assert_eq!(world[1].state.protocol_errors, 0);
}

/// Who receives from one peer only polls the others all the same.
#[test]
fn others_have_their_turn_among_messages_that_are_there() {
    let mut world = world(2);
    send_bytes(&mut world, &[(0, 0)], false);
    settle(&mut world);
    assert!(world[1].take_matched(&pattern(None, None)).is_some());
    let wanted = pattern(Some(0), None);
    let (mut row, mut longest) = (0, 0);
    for number in 0..200 {
        send_bytes(&mut world, &[(0, number)], false);
        match at_once(&mut world, wanted) {
            Some(byte) => {
                assert_eq!(byte, number);
                row += 1;
                longest = longest.max(row);
            }
            None => {
                let mut byte = 0;
                receive_now(&mut world, 1, &wanted, Data::tested(&mut byte, 1, bytes()));
                assert_eq!(byte, number);
                row = 0;
            }
        }
    }
    assert!((2..=64).contains(&longest), "{longest} in a row");
}

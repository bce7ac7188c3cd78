//! Receives that their callers wait for at once.

use super::*;

pub fn messages_of_every_kind_meet_an_expected_receive<K: Kind>(kind: &K) {
    for (len, synchronous) in [
        (0, false),
        (8, true),
        (1000, false),
        (9000, true),
        (100_000, false),
    ] {
        let mut world = kind.world(2);
        let mut out = vec![7; len];
        let mut into = vec![0; len];
        for early in [true, false] {
            into.fill(0);
            let wanted = pattern(None, Some(2));
            let other = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out[..0]), false);
            assert!(!K::AT_ONCE || other.is_none());
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
            for id in send.into_iter().chain(other) {
                over(&mut world, 0, "the send", id);
            }
            assert!(world[1].take_matched(&pattern(Some(0), Some(1))).is_some());
        }
    }
}

/// Links may give a frame that is there to who asks for it, or leave that to the next poll.
pub fn what_is_there_at_once_or_not_is_received_whole<K: Kind>(kind: &K) {
    let mut world = kind.world(2);
    let wanted = pattern(Some(0), Some(1));
    for (len, room) in [
        (0, 0),
        (40, 40),
        (41, 41),
        (2000, 2000),
        (2000, 7),
        (9000, 9000),
        (9000, 5000),
        (100_000, 100_000),
    ] {
        for looked_before in [false, true] {
            let (mut out, mut into) = (contents(len, len), vec![0; room]);
            let send = world[0].send(ProcId(1), envelope(0, 1), &data(&mut out), false);
            if looked_before {
                settle(&mut world);
            }
            let outcome = world[1].receive_at_once(ProcId(0), &wanted, &data(&mut into), 3);
            let outcome = match outcome {
                Some(outcome) => outcome,
                None => receive_now(&mut world, 1, &wanted, data(&mut into)),
            };
            assert_eq!(
                (outcome.status.bytes, outcome.message),
                (room as u64, len as u64)
            );
            assert!(into == out[..room], "{len} bytes");
            settle(&mut world);
            assert!(send.is_none_or(|id| world[0].finish(id).is_some()));
        }
    }
    assert_eq!(protocol_errors(&world), 0);
}

/// Receives that were posted before come first, and so does the expected one before those posted later.
pub fn an_expected_receive_keeps_its_place<K: Kind>(kind: &K) {
    let mut world = kind.world(2);
    let mut words = [0u8; 4];
    let [a, b, c, d] = &mut words;
    let any = pattern(None, None);
    let word = |word: &mut u8| Data::tested(word, 1, bytes());
    let first = world[1].receive(any, word(a));
    let Start::Ordinary(second) = world[1].expect(any, word(b)) else {
        panic!("another receive comes first");
    };
    let send = |world: &mut [Proto<K::Link>], number: u8| {
        let mut byte = number;
        let sent = world[0].send(ProcId(1), envelope(0, 0), &word(&mut byte), false);
        assert!(!K::AT_ONCE || sent.is_none());
        settle(world);
        assert!(sent.is_none_or(|id| world[0].finish(id).is_some()));
    };
    send(&mut world, 1);
    send(&mut world, 2);
    assert!(world[1].finish(first).is_some() && world[1].finish(second).is_some());
    assert!(matches!(world[1].expect(any, word(c)), Start::Expected));
    assert_eq!((world[1].posted(), world[1].queued()), (1, 3));
    // As when a user's function is called from within the wait.
    let later = world[1].receive(any, word(d));
    assert_eq!((world[1].posted(), world[1].queued()), (2, 4));
    send(&mut world, 3);
    assert!(world[1].expected_over() && !world[1].done(later));
    assert!(world[1].take_expected().is_some());
    send(&mut world, 4);
    assert!(world[1].finish(later).is_some());
    assert_eq!(words, [1, 2, 3, 4]);
    assert_eq!((world[1].posted(), world[1].active()), (0, 0));
}

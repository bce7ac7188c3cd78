//! Contributions to slots and exchange buffers, and their reading, in every order that the memory model allows.

use super::*;
use crate::tuning;
use loom::thread;

fn wait(watch: Watch) {
    while !watch.ready() {
        thread::yield_now();
    }
}

/// Three operations through two slots, so that one is used again. Either only the first member
/// contributes and never waits for the other, or both wait for each other.
fn run(seats: [&'static Seat; 2], rooms: [Room; 2], me: usize, both: bool) {
    let area = Area::new(
        (seats.into(), rooms.into()),
        me,
        Vec::new(),
        false,
        None,
        &tuning::SMALL[0],
    );
    let other = 1 - me;
    for expected in 1..=3u64 {
        let number = area.begin();
        if both || me == 0 {
            if let Some(least) = area.due(number, 1) {
                assert!(!both, "everybody has contributed since");
                wait(area.finished(other, least));
                area.settle(least);
            }
            area.write(number, 1, |bytes| bytes[0] = number as u8);
        }
        if both || me == 1 {
            wait(area.contributed(other, number));
            let (length, bytes) = area.contribution(other, number);
            assert_eq!((length, bytes[0]), (1, expected as u8));
        }
        area.end(number, both);
    }
}

fn model(both: bool) {
    loom::model(move || {
        let seat = || -> &'static Seat { Box::leak(Box::new(Seat::zeroed())) };
        let seats = [seat(), seat()];
        let rooms = [Room::zeroed(), Room::zeroed()];
        let other = thread::spawn(move || run(seats, rooms, 1, both));
        run(seats, rooms, 0, both);
        other.join().unwrap();
    });
}

/// A contribution goes to and fro in one exchange buffer, which nobody waits for.
fn pass(seats: [&'static Seat; 2], rooms: [Room; 2], me: usize) {
    let area = Area::new(
        (seats.into(), rooms.into()),
        me,
        Vec::new(),
        false,
        None,
        &tuning::SMALL[0],
    );
    let length = SHORT_BUFFER as u64 + 1;
    for expected in 1..=3u64 {
        let number = area.begin();
        let giver = number as usize % 2;
        if me == giver {
            area.hand_over(number, length);
            assert!(area.gone(number).is_some());
            area.write(number, length, |bytes| bytes.fill(number as u8));
        } else {
            wait(area.contributed(giver, number));
            let (length, bytes) = area.contribution(giver, number);
            assert_eq!(length, bytes.len() as u64);
            assert!(bytes.iter().all(|byte| *byte == expected as u8));
        }
        area.end(number, me != giver);
    }
}

#[test]
fn who_has_read_a_exchange_buffer_has_it() {
    loom::model(|| {
        let seat = || -> &'static Seat { Box::leak(Box::new(Seat::zeroed())) };
        let seats = [seat(), seat()];
        let rooms = [Room::zeroed(), Room::zeroed()];
        let other = thread::spawn(move || pass(seats, rooms, 1));
        pass(seats, rooms, 0);
        other.join().unwrap();
    });
}

#[test]
fn a_slot_is_written_again_when_all_have_read_it() {
    model(false);
}

#[test]
fn who_has_contributed_has_read_what_was_before() {
    model(true);
}

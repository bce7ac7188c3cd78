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
fn run(
    member_slots: [&'static MemberSlot; 2],
    member_memory: [MemberMemory; 2],
    me: usize,
    both: bool,
) {
    let coll_segment = CollSegment::new(
        (member_slots.into(), member_memory.into()),
        me,
        Vec::new(),
        false,
        None,
        &tuning::SMALL[0],
    );
    let other = 1 - me;
    for expected in 1..=3u64 {
        let number = coll_segment.begin();
        if both || me == 0 {
            if let Some(least) = coll_segment.due(number, 1) {
                assert!(!both, "everybody has contributed since");
                wait(coll_segment.finished(other, least));
                coll_segment.settle(least);
            }
            coll_segment.write(number, 1, |bytes| bytes[0] = number as u8);
        }
        if both || me == 1 {
            wait(coll_segment.contributed(other, number));
            let (length, bytes) = coll_segment.contribution(other, number);
            assert_eq!((length, bytes[0]), (1, expected as u8));
        }
        coll_segment.end(number, both);
    }
}

fn model(both: bool) {
    loom::model(move || {
        let member_slot = || -> &'static MemberSlot { Box::leak(Box::new(MemberSlot::zeroed())) };
        let member_slots = [member_slot(), member_slot()];
        let member_memory = [MemberMemory::zeroed(), MemberMemory::zeroed()];
        let other = thread::spawn(move || run(member_slots, member_memory, 1, both));
        run(member_slots, member_memory, 0, both);
        other.join().unwrap();
    });
}

/// A contribution goes to and fro in one exchange buffer, which nobody waits for.
fn pass(member_slots: [&'static MemberSlot; 2], member_memory: [MemberMemory; 2], me: usize) {
    let coll_segment = CollSegment::new(
        (member_slots.into(), member_memory.into()),
        me,
        Vec::new(),
        false,
        None,
        &tuning::SMALL[0],
    );
    let length = SHORT_BUFFER as u64 + 1;
    for expected in 1..=3u64 {
        let number = coll_segment.begin();
        let giver = number as usize % 2;
        if me == giver {
            coll_segment.hand_over(number, length);
            assert!(coll_segment.gone(number).is_some());
            coll_segment.write(number, length, |bytes| bytes.fill(number as u8));
        } else {
            wait(coll_segment.contributed(giver, number));
            let (length, bytes) = coll_segment.contribution(giver, number);
            assert_eq!(length, bytes.len() as u64);
            assert!(bytes.iter().all(|byte| *byte == expected as u8));
        }
        coll_segment.end(number, me != giver);
    }
}

#[test]
fn who_has_read_a_exchange_buffer_has_it() {
    loom::model(|| {
        let member_slot = || -> &'static MemberSlot { Box::leak(Box::new(MemberSlot::zeroed())) };
        let member_slots = [member_slot(), member_slot()];
        let member_memory = [MemberMemory::zeroed(), MemberMemory::zeroed()];
        let other = thread::spawn(move || pass(member_slots, member_memory, 1));
        pass(member_slots, member_memory, 0);
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

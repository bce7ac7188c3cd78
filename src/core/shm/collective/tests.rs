//! Member slots that come and go, and members that run ahead.

use std::rc::Rc;

use super::super::handover;
use super::*;
use crate::shm::Segment;
use crate::sys;
use crate::tuning;

/// The processes of a node, all in this one.
pub(super) fn node(size: usize) -> Vec<Rc<MemberSlots>> {
    let file = sys::memory_file(c"anympi-test").unwrap();
    let segment = |me| Segment::attach(&file, me, size, crate::shm::ring::DEFAULT_BYTES).unwrap();
    (0..size)
        .map(|me| Rc::new(MemberSlots::new(segment(me), &tuning::SMALL[0])))
        .collect()
}

/// A communicator of all of them.
pub(super) fn join(node: &[Rc<MemberSlots>]) -> Option<Vec<CollSegment>> {
    join_with(node, Reachable::default(), &Limits::ALWAYS)
}

fn join_with(
    node: &[Rc<MemberSlots>],
    reachable: Reachable,
    limits: &'static Limits,
) -> Option<Vec<CollSegment>> {
    let tickets: Option<Vec<TakenSlot>> = node
        .iter()
        .map(|member_slots| member_slots.take(node.len()))
        .collect();
    let tickets = tickets?;
    let places: Vec<MemberAddress> = tickets.iter().map(TakenSlot::announce).collect();
    let coll_segments = tickets.into_iter().enumerate();
    Some(
        coll_segments
            .map(|(me, ticket)| {
                CollSegment::join(ticket, &places, me, false, reachable, limits).unwrap()
            })
            .collect(),
    )
}

/// Others may look at a member slot whose owner has failed to join them.
#[test]
fn a_member_slot_that_was_announced_is_not_given_to_others() {
    let member_slots = node(2).remove(0);
    let take = || member_slots.take(2).unwrap();
    let first = take().announce();
    let second = take();
    assert_ne!(second.announce().member_slot, first.member_slot);
    let announced = second.place;
    second.withdraw();
    drop(second);
    assert_eq!(take().announce().member_slot, announced.member_slot);
    // The others need not keep theirs for one who has failed.
    let life = &member_slots.of(&first).life;
    assert_ne!(life.load(Ordering::Acquire), first.life);
}

/// What is longer than the limit of its collective is better offered; of more than two members everything is, and where members
/// share processors their limits say so.
#[test]
fn the_length_of_a_block_says_whether_it_is_offered() {
    let reachable = Reachable {
        reads: true,
        ..Reachable::default()
    };
    let limit = Limits::GENERIC.of_blocks(Blocks::Gather);
    for (size, maps, offered) in [
        (2, false, [false, true]),
        (2, true, [true, true]),
        (3, false, [true, true]),
    ] {
        let reachable = Reachable { maps, ..reachable };
        for coll_segment in &join_with(&node(size), reachable, &Limits::GENERIC).unwrap() {
            let offers = |bytes| coll_segment.prefers_offers(Blocks::Gather, bytes);
            assert_eq!([offers(limit), offers(limit + 1)], offered);
        }
    }
    for streams in [false, true] {
        for coll_segment in &simulated(0..3, true, |_, _| true, |_| streams, &tuning::SMALL[0]) {
            assert_eq!(
                coll_segment.prefers_offers(Blocks::Gather, 100_000),
                !streams
            );
        }
    }
}

#[test]
fn seats_come_back_when_all_members_have_left() {
    let node = node(2);
    let mut all: Vec<Vec<CollSegment>> = std::iter::from_fn(|| join(&node)).collect();
    assert_eq!(all.len(), MEMBER_SLOTS);
    // One member leaves: the other may still read what it wrote.
    let mut last = all.pop().unwrap();
    drop(last.pop());
    assert!(join(&node).is_none());
    drop(last);
    let again = join(&node).unwrap();
    assert!(join(&node).is_none());
    drop(again);
    drop(all);
    for _ in 0..3 * MEMBER_SLOTS {
        assert!(join(&node).is_some());
    }
}

#[test]
fn a_seat_that_nobody_joined_is_free_at_once() {
    let node = node(1);
    for _ in 0..3 * MEMBER_SLOTS {
        assert!(node[0].take(2).is_some());
    }
}

/// Who waits for nobody has a place for so many operations. When the others have finished those below `finished`,
/// it has one for `more`.
fn runs_ahead(length: u64, places: u64, (finished, more): (u64, u64)) {
    let coll_segments = join(&node(2)).unwrap();
    let contribute = |coll_segment: &CollSegment| {
        let number = coll_segment.begin();
        let free = coll_segment.is_free(number, length);
        match free {
            true => {
                coll_segment.write(number, length, |bytes| bytes.fill(number as u8));
                coll_segment.end(number, false);
            }
            false => coll_segment.leave(),
        }
        free
    };
    let ahead = || (0..).take_while(|_| contribute(&coll_segments[0])).count() as u64;
    assert_eq!(ahead(), places);
    for _ in 1..finished {
        let number = coll_segments[1].begin();
        assert!(coll_segments[1].contributed(0, number).ready());
        let (announced, bytes) = coll_segments[1].contribution(0, number);
        assert_eq!(announced, length);
        assert!(bytes.iter().all(|byte| *byte == number as u8));
        coll_segments[1].end(number, false);
    }
    assert_eq!(ahead(), more);
    assert_eq!(ahead(), 0);
}

#[test]
fn short_contributions_run_further_ahead_than_those_in_slots() {
    let (lines, half) = (LINES as u64, LINES as u64 / 2);
    for length in [0, 1, INLINE as u64, SHORT_BUFFER as u64, SLOT as u64 + 1] {
        // Numbers begin with 1, halves with multiples of their length.
        runs_ahead(length, lines - 1, (half, half));
    }
    let slots = (Slots::LEAST / SLOT) as u64;
    runs_ahead(SLOT as u64, slots, (REPORT_EVERY, REPORT_EVERY - 1));
}

/// A contribution in a slot that follows short ones waits for those who still read the slots.
#[test]
fn a_slot_waits_where_a_line_is_free() {
    let coll_segments = join(&node(2)).unwrap();
    let give = |length| {
        let number = coll_segments[0].begin();
        assert!(coll_segments[0].is_free(number, length));
        coll_segments[0].write(number, length, |_| ());
        coll_segments[0].end(number, false);
    };
    (0..Slots::LEAST / SLOT).for_each(|_| give(SLOT as u64));
    (0..REPORT_EVERY).for_each(|_| give(1));
    let number = coll_segments[0].begin();
    assert!(coll_segments[0].is_free(number, 1));
    assert!(!coll_segments[0].is_free(number, SLOT as u64));
    assert_eq!(
        coll_segments[0].due(number, SLOT as u64),
        Some(REPORT_EVERY)
    );
}

#[test]
fn a_taken_seat_remembers_nothing() {
    let node = node(2);
    for round in 0..3 * MEMBER_SLOTS as u64 {
        let coll_segments = join(&node).unwrap();
        for coll_segment in &coll_segments {
            assert_eq!(coll_segment.begin(), 1);
            assert!(!coll_segment.contributed(0, 1).ready());
            assert!(!coll_segment.stepped(1, 1, 0).ready());
        }
        coll_segments[0].write(1, round % 2 * 100, |bytes| bytes.fill(round as u8));
        assert!(coll_segments[1].contributed(0, 1).ready());
        let (length, bytes) = coll_segments[1].contribution(0, 1);
        assert_eq!(length, round % 2 * 100);
        assert_eq!(bytes, vec![round as u8; length as usize]);
    }
}

/// Two members with exchange buffers, one after the other in this thread.
fn pair(crowded: bool) -> [CollSegment; 2] {
    let coll_segments = simulated(0..2, crowded, |_, _| false, |_| false, &tuning::SMALL[0]);
    coll_segments.try_into().ok().expect("two members")
}

/// `giver` contributes `length` bytes that the other one alone reads, in the exchange buffer that is given back if there is one.
fn pass(coll_segments: &[CollSegment; 2], giver: usize, length: u64) -> Option<u32> {
    let [from, to] = [&coll_segments[giver], &coll_segments[1 - giver]];
    let number = from.begin();
    assert_eq!(to.begin(), number);
    assert!(from.is_free(number, length));
    from.hand_over(number, length);
    from.write(number, length, |bytes| bytes.fill(number as u8));
    let gone = from.gone(number);
    from.end(number, false);
    assert!(to.contributed(giver, number).ready());
    assert_eq!(to.comes_in(giver, number), gone);
    let (announced, bytes) = to.contribution(giver, number);
    assert_eq!(announced, length);
    assert!(bytes.iter().all(|byte| *byte == number as u8));
    to.end(number, true);
    gone
}

#[test]
fn who_has_read_a_contribution_writes_there_next() {
    let coll_segments = pair(false);
    let first = pass(&coll_segments, 0, SLOT as u64);
    assert!(first.is_some());
    for round in 0..10 {
        assert_eq!(pass(&coll_segments, 1 - round % 2, SLOT as u64), first);
    }
}

#[test]
fn who_has_no_exchange_buffer_left_writes_to_its_slots() {
    let coll_segments = pair(false);
    let each = handover::PER_MEMBER;
    let gone: Vec<_> = (0..=each)
        .map(|_| pass(&coll_segments, 0, SLOT as u64))
        .collect();
    assert!(gone[..each].iter().all(Option::is_some));
    assert_eq!(gone[each], None);
    // What came last goes first.
    for expected in gone[..each].iter().rev() {
        assert_eq!(pass(&coll_segments, 1, SLOT as u64), *expected);
    }
    assert_eq!(pass(&coll_segments, 0, SLOT as u64), gone[0]);
}

#[test]
fn what_is_short_or_was_given_before_does_not_change_hands() {
    let coll_segments = pair(false);
    assert_eq!(pass(&coll_segments, 0, SHORT_BUFFER as u64), None);
    assert_eq!(pass(&coll_segments, 0, 0), None);
    let number = coll_segments[0].begin();
    assert!(coll_segments[0].is_free(number, SLOT as u64));
    coll_segments[0].write(number, SLOT as u64, |_| ());
    coll_segments[0].hand_over(number, SLOT as u64);
    assert_eq!(coll_segments[0].gone(number), None);
    assert_eq!(coll_segments[1].comes_in(0, coll_segments[1].begin()), None);
    let crowded = pair(true);
    assert_eq!(pass(&crowded, 0, SLOT as u64), None);
}

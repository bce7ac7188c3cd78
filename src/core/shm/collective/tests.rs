//! Seats that come and go, members that run ahead, and what two members learn.

use std::time::Duration;

use super::super::handover;
use super::*;
use crate::shm::learner::Trial;
use crate::shm::stores::LEAST;
use crate::shm::trials::{Situation, Times, class_of};
use crate::sys;

/// The processes of a node, all in this one.
pub(super) fn node(size: usize) -> Vec<Rc<Seats>> {
    let file = sys::memory_file(c"anympi-test").unwrap();
    let segment = |me| Segment::attach(&file, me, size, 0).unwrap();
    (0..size)
        .map(|me| Rc::new(Seats::new(segment(me))))
        .collect()
}

/// A communicator of all of them.
pub(super) fn join(node: &[Rc<Seats>]) -> Option<Vec<Area>> {
    join_with(node, Reachable::default(), Learning::NONE)
}

fn join_with(node: &[Rc<Seats>], reachable: Reachable, learning: Learning) -> Option<Vec<Area>> {
    let tickets: Option<Vec<Ticket>> = node.iter().map(|seats| seats.take(node.len())).collect();
    let tickets = tickets?;
    let places: Vec<Place> = tickets.iter().map(Ticket::place).collect();
    let areas = tickets.into_iter().enumerate();
    Some(
        areas
            .map(|(me, ticket)| {
                Area::join(
                    ticket,
                    &places,
                    me,
                    false,
                    reachable,
                    learning,
                    Rule::Fastest,
                )
                .unwrap()
            })
            .collect(),
    )
}

/// Two members that may read each other's memory.
fn learners(measure: Measure) -> Vec<Area> {
    let reachable = Reachable {
        reads: true,
        ..Reachable::default()
    };
    let learning = Learning {
        measure,
        ..Learning::NONE
    };
    join_with(&node(2), reachable, learning).unwrap()
}

/// Each way has its turn, both members change over together, and whoever takes a block says what it took.
#[test]
fn two_members_learn_how_blocks_are_best_copied() {
    let areas = learners(Measure::Yes);
    let (situation, bytes) = (Situation::Gather, 100_000);
    let mut offered = 0;
    for _ in 0..100 {
        let [giver, taker] = both_begin(&areas, situation, bytes);
        assert_eq!(giver.0, taker.0);
        offered += u32::from(taker.1.offers());
        areas[1].end_trial(taker.1, taker.1.offers(), 0, taker.0);
    }
    assert!((10..=90).contains(&offered), "{offered}");
    let trials = areas[0].learner.as_ref().unwrap().trials();
    assert!(trials.times(class_of(bytes), situation).is_some());
    assert_eq!(trials.times(class_of(bytes), Situation::Scatter), None);
}

#[test]
fn nobody_times_what_the_other_one_does_not() {
    let areas = learners(Measure::Yes);
    let (situation, bytes) = (Situation::Alltoall, 100_000);
    for _ in 0..100 {
        let number = areas[1].begin();
        let trial = areas[1].begin_trial(number, situation, bytes);
        areas[1].end_trial(trial, trial.offers(), 0, number);
    }
    let trials = areas[0].learner.as_ref().unwrap().trials();
    assert_eq!(trials.times(class_of(bytes), situation), None);
    for area in &areas {
        assert!(!area.begin_trial(1000, situation, 1 << 30).is_timed());
    }
}

/// Both members begin the next operation: its number, and how each thinks of it.
fn both_begin(areas: &[Area], situation: Situation, bytes: u64) -> [(u64, Trial); 2] {
    [&areas[0], &areas[1]].map(|area| {
        let number = area.begin();
        (number, area.begin_trial(number, situation, bytes))
    })
}

/// Who gives blocks may be so far ahead that the operations it times are others.
#[test]
fn what_waits_already_is_timed_by_its_taker_alone() {
    let (situation, bytes) = (Situation::Gather, 100_000);
    for ahead in [false, true] {
        let areas = learners(Measure::Yes);
        for _ in 0..200 {
            let numbers = [&areas[0], &areas[1]].map(|area| area.begin());
            if ahead {
                areas[0].announce(numbers[0], bytes);
            }
            let trial = areas[1].begin_trial(numbers[1], situation, bytes);
            areas[1].end_trial(trial, trial.offers(), 0, numbers[1]);
        }
        let trials = areas[1].learner.as_ref().unwrap().trials();
        let known = trials.times(class_of(bytes), situation).is_some();
        assert_eq!(known, ahead);
    }
}

/// Who gives a block may be ahead, and have given it before the way changed.
#[test]
fn what_came_the_other_way_is_not_timed() {
    let (situation, bytes) = (Situation::Gather, 100_000);
    for as_thought in [false, true] {
        let areas = learners(Measure::Yes);
        for _ in 0..200 {
            let [_, taker] = both_begin(&areas, situation, bytes);
            let offered = taker.1.offers() == as_thought;
            areas[1].end_trial(taker.1, offered, 0, taker.0);
        }
        let trials = areas[0].learner.as_ref().unwrap().trials();
        let known = trials.times(class_of(bytes), situation).is_some();
        assert_eq!(known, as_thought);
    }
}

/// Where both take a block the one that has it first says nothing: it is early the next time too.
#[test]
fn who_has_a_block_last_takes_the_time() {
    let (situation, bytes) = (Situation::Allgather, 100_000);
    for end in [1, 2] {
        let areas = learners(Measure::Yes);
        for _ in 0..200 {
            let [first, last] = both_begin(&areas, situation, bytes);
            areas[0].end_trial(first.1, first.1.offers(), 1, first.0);
            if end == 2 {
                areas[1].end_trial(last.1, last.1.offers(), 0, last.0);
            }
        }
        let trials = areas[0].learner.as_ref().unwrap().trials();
        let known = trials.times(class_of(bytes), situation).is_some();
        assert_eq!(known, end == 2);
    }
}

/// Members that share processors go by what one of them has tried, all of them and of however many.
#[test]
fn who_cannot_time_blocks_goes_by_a_rehearsal() {
    let reachable = Reachable {
        reads: true,
        ..Reachable::default()
    };
    for (size, maps) in [(2, false), (3, false), (3, true)] {
        let learning = Learning {
            measure: Measure::Crowded,
            ..Learning::NONE
        };
        let reachable = Reachable { maps, ..reachable };
        let node = node(size);
        let areas = join_with(&node, reachable, learning).unwrap();
        for twice in [true, false] {
            node[0].segment.set_copies_twice(twice);
            for area in &areas {
                let offers = area.begin_trial(1, Situation::Gather, 100_000).offers();
                assert_eq!(offers, maps || !twice);
                assert_eq!(area.learns(), !maps);
            }
        }
    }
}

#[test]
fn what_is_known_decides_for_who_may_learn() {
    let offers = |area: &Area| area.begin_trial(1, Situation::Gather, 100_000).offers();
    let areas = learners(Measure::No);
    assert!(areas.iter().all(|area| area.learner.is_none()));
    assert!(areas.iter().all(offers));
    let areas = learners(Measure::Yes);
    assert!(areas.iter().all(offers));
    let trials = areas[0].learner.as_ref().unwrap().trials();
    let times = Times([2, 1, 0]);
    trials.learn(class_of(100_000), Situation::Gather, times);
    assert!(!areas.iter().any(offers));
}

#[test]
fn seats_come_back_when_all_members_have_left() {
    let node = node(2);
    let mut all: Vec<Vec<Area>> = std::iter::from_fn(|| join(&node)).collect();
    assert_eq!(all.len(), SEATS);
    // One member leaves: the other may still read what it wrote.
    let mut last = all.pop().unwrap();
    drop(last.pop());
    assert!(join(&node).is_none());
    drop(last);
    let again = join(&node).unwrap();
    assert!(join(&node).is_none());
    drop(again);
    drop(all);
    for _ in 0..3 * SEATS {
        assert!(join(&node).is_some());
    }
}

#[test]
fn a_seat_that_nobody_joined_is_free_at_once() {
    let node = node(1);
    for _ in 0..3 * SEATS {
        assert!(node[0].take(2).is_some());
    }
}

/// Who waits for nobody has a place for so many operations, and for `more` when the others say that they have finished those below
/// number `finished`.
fn runs_ahead(length: u64, places: u64, (finished, more): (u64, u64)) {
    let areas = join(&node(2)).unwrap();
    let contribute = |area: &Area| {
        let number = area.begin();
        let free = area.is_free(number, length);
        match free {
            true => {
                area.write(number, length, |bytes, _| bytes.fill(number as u8));
                area.end(number, false);
            }
            false => area.leave(),
        }
        free
    };
    let ahead = || (0..).take_while(|_| contribute(&areas[0])).count() as u64;
    assert_eq!(ahead(), places);
    for _ in 1..finished {
        let number = areas[1].begin();
        assert!(areas[1].contributed(0, number).ready());
        let (announced, bytes) = areas[1].contribution(0, number);
        assert_eq!(announced, length);
        assert!(bytes.iter().all(|byte| *byte == number as u8));
        areas[1].end(number, false);
    }
    assert_eq!(ahead(), more);
    assert_eq!(ahead(), 0);
}

#[test]
fn short_contributions_run_further_ahead_than_those_in_slots() {
    let (lines, half) = (LINES as u64, LINES as u64 / 2);
    for length in [0, 1, INLINE as u64, POCKET as u64, SLOT as u64 + 1] {
        // Numbers begin with 1, halves with multiples of their length.
        runs_ahead(length, lines - 1, (half, half));
    }
    let slots = (Slots::LEAST / SLOT) as u64;
    runs_ahead(SLOT as u64, slots, (HALF, HALF - 1));
}

/// A contribution in a slot that follows short ones waits for those who still read the slots.
#[test]
fn a_slot_waits_where_a_line_is_free() {
    let areas = join(&node(2)).unwrap();
    let give = |length| {
        let number = areas[0].begin();
        assert!(areas[0].is_free(number, length));
        areas[0].write(number, length, |_, _| ());
        areas[0].end(number, false);
    };
    (0..Slots::LEAST / SLOT).for_each(|_| give(SLOT as u64));
    (0..HALF).for_each(|_| give(1));
    let number = areas[0].begin();
    assert!(areas[0].is_free(number, 1));
    assert!(!areas[0].is_free(number, SLOT as u64));
    assert_eq!(areas[0].due(number, SLOT as u64), Some(HALF));
}

#[test]
fn a_taken_seat_remembers_nothing() {
    let node = node(2);
    for round in 0..3 * SEATS as u64 {
        let areas = join(&node).unwrap();
        for area in &areas {
            assert_eq!(area.begin(), 1);
            assert!(!area.contributed(0, 1).ready());
            assert!(!area.stepped(1, 1, 0).ready());
        }
        areas[0].write(1, round % 2 * 100, |bytes, _| bytes.fill(round as u8));
        assert!(areas[1].contributed(0, 1).ready());
        let (length, bytes) = areas[1].contribution(0, 1);
        assert_eq!(length, round % 2 * 100);
        assert_eq!(bytes, vec![round as u8; length as usize]);
    }
}

/// What passes through a lane says that it is timed, each of it, as soon as the lane has come round; a window rarely does, and
/// neither knows of the other.
#[test]
fn what_passes_through_a_lane_is_timed_by_itself() {
    use crate::shm::lanes::Extent;
    if !Stores::NonTemporal.are_known() {
        return;
    }
    let areas = join(&node(2)).unwrap();
    let [from, to] = &areas[..] else {
        unreachable!("two members")
    };
    let bytes = from.lane_bytes();
    assert!(bytes >= LEAST);
    let contribute = |extent| {
        let number = from.begin();
        assert_eq!(to.begin(), number);
        from.fill_lane_by((number, extent), 0, bytes, |lane, _| lane.fill(1));
        from.write(number, bytes as u64, |_, _| ());
        assert!(to.contributed(0, number).ready());
        assert_eq!(to.contribution(0, number).0, bytes as u64);
        to.reading(0, number, bytes, || ());
        let said = to.said(0, number);
        for area in &areas {
            area.end(number, true);
        }
        said
    };
    let part: Vec<u64> = (0..4).map(|_| contribute(Extent::Part)).collect();
    assert!(part[0] != 0 && part[1..] == [0; 3], "{part:?}");
    assert_eq!(contribute(Extent::Whole), 0, "it has not come round");
    for _ in 0..9 {
        let said = contribute(Extent::Whole);
        assert!(said != 0 && said & TIMED == said && said != part[0]);
    }
}

/// A member that comes to lie on other caches, or on the same again, is heard of by the line that it writes, long before
/// there are enough times; what passes through lanes then begins with the stores that are likely the fastest.
#[test]
fn what_passes_through_lanes_goes_by_the_distance() {
    use crate::shm::distance;
    use crate::shm::lanes::Extent;
    if !Stores::NonTemporal.are_known() {
        return;
    }
    let areas = join(&node(2)).unwrap();
    let operation = |extent| {
        let number = areas[0].begin();
        assert_eq!(areas[1].begin(), number);
        let stores = |area: &Area| {
            let used = Cell::new(Stores::Temporal);
            area.fill_lane_by((number, extent), 0, LEAST, |lane, stores| {
                lane.fill(1);
                used.set(stores);
            });
            area.write(number, LEAST as u64, |_, _| ());
            used.get()
        };
        let stores = [0, 1].map(|member| stores(&areas[member]));
        for area in &areas {
            area.end(number, true);
        }
        stores
    };
    // As many as it takes to be sure of the distance where measurements are rare, and a few more, but for what is tried.
    let settled = |extent, takes| {
        distance::TAKES.set(Duration::from_nanos(takes));
        (0..10 * 32).for_each(|_| _ = operation(extent));
        let seen: Vec<_> = (0..20).map(|_| operation(extent)).collect();
        let past =
            |stores: &[Stores; 2]| stores.map(|stores| usize::from(stores == Stores::NonTemporal));
        seen.iter()
            .map(past)
            .fold([0; 2], |[a, b], [c, d]| [a + c, b + d])
    };
    for _ in 0..3 {
        let far = settled(Extent::Whole, 170);
        assert!(far.iter().all(|past| *past >= 18), "{far:?}");
        let near = settled(Extent::Whole, 20);
        assert!(near.iter().all(|past| *past <= 2), "{near:?}");
        let windows = settled(Extent::Part, 170);
        assert!(windows.iter().all(|past| *past <= 2), "{windows:?}");
    }
    let alone = join(&node(3)).unwrap();
    assert_eq!(alone[0].distance(0), distance::Distance::Near, "of two");
}

/// Two members with shuttles, one after the other in this thread.
fn pair(crowded: bool) -> [Area; 2] {
    let areas = simulated(2, crowded, |_, _| false, |_| false);
    areas.try_into().ok().expect("two members")
}

/// `giver` contributes `length` bytes that the other one alone reads, in the shuttle that is given back if there is one.
fn pass(areas: &[Area; 2], giver: usize, length: u64) -> Option<u32> {
    let [from, to] = [&areas[giver], &areas[1 - giver]];
    let number = from.begin();
    assert_eq!(to.begin(), number);
    assert!(from.is_free(number, length));
    from.hand_over(number, length);
    from.write(number, length, |bytes, _| bytes.fill(number as u8));
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
    let areas = pair(false);
    let first = pass(&areas, 0, SLOT as u64);
    assert!(first.is_some());
    for round in 0..10 {
        assert_eq!(pass(&areas, 1 - round % 2, SLOT as u64), first);
    }
}

#[test]
fn who_has_no_shuttle_left_writes_to_its_slots() {
    let areas = pair(false);
    let each = handover::EACH;
    let gone: Vec<_> = (0..=each).map(|_| pass(&areas, 0, SLOT as u64)).collect();
    assert!(gone[..each].iter().all(Option::is_some));
    assert_eq!(gone[each], None);
    // What came last goes first.
    for expected in gone[..each].iter().rev() {
        assert_eq!(pass(&areas, 1, SLOT as u64), *expected);
    }
    assert_eq!(pass(&areas, 0, SLOT as u64), gone[0]);
}

#[test]
fn what_is_short_or_was_given_before_does_not_change_hands() {
    let areas = pair(false);
    assert_eq!(pass(&areas, 0, POCKET as u64), None);
    assert_eq!(pass(&areas, 0, 0), None);
    let number = areas[0].begin();
    assert!(areas[0].is_free(number, SLOT as u64));
    areas[0].write(number, SLOT as u64, |_, _| ());
    areas[0].hand_over(number, SLOT as u64);
    assert_eq!(areas[0].gone(number), None);
    assert_eq!(areas[1].comes_in(0, areas[1].begin()), None);
    let crowded = pair(true);
    assert_eq!(pass(&crowded, 0, SLOT as u64), None);
}

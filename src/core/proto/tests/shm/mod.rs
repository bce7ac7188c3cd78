//! What only shared memory does: copies past the rings, pieces in exchange buffers, pacing, heaps, frames taken at once.

mod at_once;
mod copies;
mod heaps;
mod pace;
mod ways;

use super::conformance::messages::count_traffic;
use super::*;
use crate::shm::Segment;
use crate::shm::zero_copy::{Direct, Limits};
use crate::transport::shm::Shm;
use crate::tuning::{ROWS, Tuning};

/// Several processes in one: each has a protocol over the same segment.
fn world(size: usize) -> Vec<Proto<Shm>> {
    world_with(size, Direct::Both)
}

fn world_with(size: usize, direct: Direct) -> Vec<Proto<Shm>> {
    world_over(size, |segment| {
        Shm::tested(segment, direct, &Limits::ALWAYS)
    })
}

fn world_tuned(size: usize, direct: Direct, row: &'static Tuning) -> Vec<Proto<Shm>> {
    world_over(size, |segment| {
        Shm::tested(segment, direct, &Limits::ALWAYS).tuned(row)
    })
}

pub(super) fn world_over(size: usize, link: impl Fn(Segment) -> Shm) -> Vec<Proto<Shm>> {
    let file = crate::sys::memory_file(c"anympi-test").unwrap();
    (0..size)
        .map(|me| {
            Proto::new(link(
                Segment::attach(&file, me, size, crate::shm::ring::DEFAULT_BYTES).unwrap(),
            ))
        })
        .collect()
}

/// Takes what has arrived, and does nothing about it.
fn arrive(Proto { link, state }: &mut Proto<Shm>) {
    link.poll(state);
}

/// In how many frames messages of several lengths travel.
#[test]
fn frames_are_counted() {
    let mut world = world_with(2, Direct::Never);
    count_traffic(&mut world);
    // Eager messages, one of them in two pieces, the announcement, and pieces of 16 and 64 KiB.
    assert_eq!(world[0].totals(Direction::Sent).frames, 4 + 1 + 1 + 6);
    // The answer to the announcement, and that the synchronous message was met.
    assert_eq!(world[1].totals(Direction::Sent).frames, 2);
}

//! The protocol, several processes played by one thread.
//!
//! [`conformance`] holds what is true over every link, and runs over each kind of them; [`shm`] is shared memory's own, and
//! [`lossy`] shows what happens where a link breaks its promises.

mod conformance;
mod kinds;
mod lossy;
mod shm;

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::frames::CONGESTED_BYTES;
use super::*;
use crate::datatype::Type;
use crate::handle::Datatype;
use crate::transport::EAGER_MOST;
use crate::types::Cancelled;
use crate::wire::Head;

fn bytes() -> Rc<Type> {
    Type::predefined(Datatype(0x247)).unwrap()
}

fn data(memory: &mut [u8]) -> Data {
    Data::tested(memory.as_mut_ptr(), memory.len() as u64, bytes())
}

fn envelope(source: u32, tag: i32) -> Envelope {
    Envelope {
        context: 0,
        source,
        tag,
    }
}

fn pattern(source: Option<u32>, tag: Option<i32>) -> Pattern {
    Pattern::new(0, source, tag)
}

/// The byte at `index` of message `number`.
fn content(number: usize, index: usize) -> u8 {
    (number * 131 + index * 7 + index / 251) as u8
}

/// The bytes of message `number`.
fn contents(number: usize, len: usize) -> Vec<u8> {
    (0..len).map(|index| content(number, index)).collect()
}

fn protocol_errors<L: Link>(world: &[Proto<L>]) -> u64 {
    world.iter().map(Proto::protocol_errors).sum()
}

/// How long a test waits for something that is to happen.
const DEADLINE: Duration = Duration::from_secs(30);

/// What each process of a world still has to do.
fn missing<L: Link>(world: &[Proto<L>]) -> String {
    let of = |(rank, proto): (usize, &Proto<L>)| {
        let link = proto.link();
        format!(
            "process {rank}: {} operations under way, {} receives posted, {} frames wait for room, {} came that made no \
             sense; link drained {}, pending {}, {:?}",
            proto.active(),
            proto.posted(),
            proto.waiting(),
            proto.protocol_errors(),
            link.drained(),
            link.pending(),
            link.counts(),
        )
    };
    let all: Vec<String> = world.iter().enumerate().map(of).collect();
    all.join("\n")
}

/// Lets processes go on, one after the other, until something is so.
fn until<L: Link>(world: &mut [Proto<L>], what: &str, mut so: impl FnMut(&mut [Proto<L>]) -> bool) {
    let deadline = Instant::now() + DEADLINE;
    for rank in (0..world.len()).cycle() {
        if so(world) {
            return;
        }
        assert!(Instant::now() < deadline, "{what}:\n{}", missing(world));
        world[rank].progress();
    }
}

/// Lets all processes go on until there is nothing left to do: nothing moves, waits for room, or is under way.
fn settle<L: Link>(world: &mut [Proto<L>]) {
    let deadline = Instant::now() + DEADLINE;
    let mut quiet = 0;
    while quiet < 3 {
        let moved = world.iter_mut().map(Proto::progress);
        let moved = moved.filter(|moved| *moved).count() > 0;
        let busy = |proto: &Proto<L>| !proto.drained() || proto.link().pending();
        quiet = match moved || world.iter().any(busy) {
            true => 0,
            false => quiet + 1,
        };
        let late = Instant::now() >= deadline;
        assert!(!late, "the world does not settle:\n{}", missing(world));
    }
}

/// What a send or a receive says that is over, now that nothing is left to do.
fn over<L: Link>(world: &mut [Proto<L>], rank: usize, what: &str, id: OpId) -> Outcome {
    match world[rank].finish(id) {
        Some(outcome) => outcome,
        None => panic!("{what} of process {rank} is not over:\n{}", missing(world)),
    }
}

/// Waits for what a blocking receive expects.
fn receive_now<L: Link>(
    world: &mut [Proto<L>],
    me: usize,
    wanted: &Pattern,
    data: Data,
) -> Outcome {
    match world[me].expect(*wanted, data) {
        Start::Ordinary(id) => {
            settle(world);
            over(world, me, "the receive", id)
        }
        Start::Expected => {
            settle(world);
            assert!(world[me].expected_over(), "{}", missing(world));
            world[me].take_expected().expect("it is over")
        }
    }
}

//! Long reductions from neighbour to neighbour.
//!
//! Each rank combines what it has with what its neighbour has left in its lane, and leaves the result in its own:
//! as many copies as ranks. Cutting the data into shares takes two copies and more for each rank. A prefix
//! reduction in which each reads all before it takes half as many as there are pairs. A lane holds several places.
//! So a rank that shares its core does several steps of a prefix reduction before another one must have its turn.
//! With a core for each rank places are shorter, as most ranks wait for the first one.
//!
//! Says itself for what data it is meant. Assumes that an element fits into a place; must not know what else there is.

use super::Turn;
use super::reduction::agreed;
use crate::coll::blocks::Temp;
use crate::coll::net::Net;
use crate::datatype::Data;
use crate::op::{Operand, Operation, Target};
use crate::shm::collective::{LANE, WHOLE_LANE};

/// How lanes are cut into places, each for one pass.
#[derive(Clone, Copy)]
struct Places {
    /// Of one.
    bytes: usize,
    number: u64,
}

impl Places {
    /// Where ranks share cores.
    const LONG: Places = Places {
        bytes: LANE / 4,
        number: 4,
    };
    /// With a core each.
    const SHORT: Places = Places {
        bytes: LANE / 16,
        number: 16,
    };

    /// The same of few ranks: fewer passes are on their way, each of which takes a while to begin.
    const FEW: Places = Places {
        bytes: LANE / 8,
        number: 16,
    };
    /// The same where all take the result: as many as any lane has.
    const FOR_ALL: Places = Places {
        bytes: LANE / 8,
        number: (WHOLE_LANE / (LANE / 8)) as u64,
    };

    /// For passes that one rank reads each, of so many ranks.
    fn of(ranks: usize) -> Places {
        match ranks <= FEW {
            true => Places::FEW,
            false => Places::SHORT,
        }
    }

    /// These, for elements of so many bytes, unless others must do.
    fn or_long<N: Net>(self, turn: &Turn<'_, '_, N>, element: u64) -> Places {
        match turn.coll_segment.crowded() || element > self.bytes as u64 {
            true => Places::LONG,
            false => self,
        }
    }

    /// Byte of the lane where a pass lies.
    #[inline]
    fn place(self, pass: u64) -> usize {
        (pass % self.number) as usize * self.bytes
    }
}

/// With a core each: from how many bytes of all ranks on, and of each, a prefix reduction goes from one to the next. Of less, each reads
/// all before it.
const MIN_OF_ALL: u64 = WHOLE_LANE as u64;
const MIN_OF_EACH: u64 = LANE as u64 / 4;

/// Whether a prefix reduction of data of this length is done here; all ranks come to the same answer.
#[inline]
pub(super) fn scans<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    let size = turn.coll.size as u64;
    size > 2
        && match turn.coll_segment.crowded() {
            true => length >= LANE as u64 / 2,
            false => length >= MIN_OF_EACH && length.saturating_mul(size) >= MIN_OF_ALL,
        }
}

/// The same for a reduction whose result one rank needs, or all do, with a core each. Where ranks share cores,
/// shares, which all write and combine at a time, take fewer changes.
#[inline]
pub(super) fn reduces<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    turn.coll.size > 2 && !turn.coll_segment.crowded() && length >= LANE as u64
}

/// The same where each needs a block of the result: of few ranks each combines that as fast by itself.
#[inline]
pub(super) fn reduces_blocks<N: Net>(turn: &Turn<'_, '_, N>, length: u64) -> bool {
    turn.coll.size > FEW && length >= 2 * LANE as u64 && reduces(turn, length)
}

/// So many ranks are few.
const FEW: usize = 8;

/// Who copies the result of a reduction from the lane of rank 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takers {
    One(usize),
    /// Each all of it, or a part.
    All,
}

/// What a rank wants of the result: as many elements as `to` has, from `first` on.
pub(super) struct Wanted<'d> {
    pub to: &'d Data,
    pub first: u64,
}

/// This rank's part of a chain. Step k says that it has read pass k - 1 from its neighbour and written its own.
struct ChainRank<'a, 'c, 'n, N: Net> {
    turn: &'a Turn<'c, 'n, N>,
    op: &'a Operation,
    own: &'a Data,
    places: Places,
    elements: u64,
    passes: u64,
    /// For elements as the operation wants them, where packed ones are not.
    scratch: Option<[Temp; 2]>,
}

impl<'a, 'c, 'n, N: Net> ChainRank<'a, 'c, 'n, N> {
    fn new(turn: &'a Turn<'c, 'n, N>, op: &'a Operation, own: &'a Data, places: Places) -> Self {
        let datatype = &own.datatype;
        let places = places.or_long(turn, datatype.size());
        let elements = places.bytes as u64 / datatype.size();
        let plain = datatype.is_contiguous() && datatype.true_lb() == 0;
        let scratch = || Temp::of(elements.min(own.count), datatype);
        ChainRank {
            turn,
            op,
            own,
            places,
            elements,
            passes: own.count.div_ceil(elements),
            scratch: (!plain).then(|| [scratch(), scratch()]),
        }
    }

    fn part(&self, data: &Data, pass: u64) -> Data {
        data.part(pass * self.elements, self.elements)
    }

    /// A pass in a lane.
    fn lane(&self, rank: usize, pass: u64) -> &'n [u8] {
        let bytes = self.part(self.own, pass).bytes() as usize;
        self.turn
            .coll_segment
            .lane(rank, self.places.place(pass), bytes)
    }

    /// Leaves a pass in this rank's lane: its own data, combined with what `from` has left, which stands before it or
    /// after it.
    fn forge(&self, pass: u64, from: Option<usize>, before: bool) {
        let (coll, own) = (self.turn.coll, self.part(self.own, pass));
        let fill = |lane: &mut [u8]| {
            let Some(other) = from.map(|rank| self.lane(rank, pass)) else {
                own.pack(0, lane);
                return;
            };
            match &self.scratch {
                None => {
                    let (own, other) = (Operand::of(&own, false), Operand::packed(other, false));
                    let (first, second) = if before { (other, own) } else { (own, other) };
                    let out = Target::packed(lane, &self.own.datatype);
                    coll.check(self.op.combine(first, second, out));
                }
                Some([first, second]) => {
                    let (first, second) = (first.part(0, own.count), second.part(0, own.count));
                    let (theirs, mine) = if before {
                        (&first, &second)
                    } else {
                        (&second, &first)
                    };
                    theirs.unpack(0, other);
                    own.copy_to(mine);
                    coll.apply(self.op, &first, &second);
                    second.pack(0, lane);
                }
            }
        };
        let bytes = own.bytes() as usize;
        self.turn
            .coll_segment
            .fill_lane(self.places.place(pass), bytes, fill);
    }

    /// Waits until `reader` has read what lies where a pass belongs.
    async fn is_read(&self, pass: u64, reader: usize) {
        let places = self.places.number;
        if pass >= places {
            self.stepped(reader, pass - places + 1).await;
        }
    }

    /// Waits for a step of a neighbour. Where ranks share cores and there are many steps, it waits for the one
    /// after it as well, if it has to wait at all: two passes for a change of process. The neighbour can do both,
    /// as a lane holds more than two.
    async fn stepped(&self, rank: usize, step: u64) {
        let (coll_segment, number) = (self.turn.coll_segment, self.turn.number);
        let many = coll_segment.crowded() && self.passes > self.places.number;
        let both = many && !coll_segment.stepped(rank, number, step).ready();
        let step = if both {
            (step + 1).min(self.passes)
        } else {
            step
        };
        self.turn.stepped(rank, step).await;
    }

    /// Copies what lies in a lane from element `begin` of a pass on.
    fn take(&self, pass: u64, rank: usize, (begin, to): (u64, Data)) {
        let bytes = &self.lane(rank, pass)[(begin * to.datatype.size()) as usize..];
        to.unpack(0, &bytes[..to.bytes() as usize]);
    }

    /// What is `wanted` of a pass: where that begins in the pass, and where it belongs.
    fn wanted(&self, pass: u64, wanted: &Wanted) -> Option<(u64, Data)> {
        let begin = pass * self.elements;
        let end = self.own.count.min(begin + self.elements);
        let first = begin.max(wanted.first);
        let last = end.min(wanted.first + wanted.to.count);
        let to = || wanted.to.part(first - wanted.first, last - first);
        (first < last).then(|| (first - begin, to()))
    }
}

/// Combines every rank's `own` in rank order. The last rank begins, rank 0 has the result, from where the `takers` copy it, some
/// passes behind: each what is `wanted` there.
pub(super) async fn reduce<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    op: &Operation,
    takers: Takers,
    wanted: Option<Wanted<'_>>,
) {
    let (rank, size) = (turn.coll.rank, turn.coll.size);
    let places = match takers {
        Takers::All => Places::FOR_ALL,
        Takers::One(_) => Places::of(size),
    };
    let link = ChainRank::new(turn, op, own, places);
    let number = link.places.number;
    let reader = match (rank, takers) {
        (0, Takers::All) => None,
        (0, Takers::One(root)) => Some(root.max(1)),
        _ => Some(rank - 1),
    };
    turn.lane(turn.span(u64::MAX), reader).await;
    turn.announce(own.bytes()).await;
    let passes = match agreed(turn, own.bytes(), size).await {
        true => link.passes,
        false => 0,
    };
    let behind = match takers {
        _ if rank == 0 => 0,
        Takers::All => number / 2,
        Takers::One(root) if root == rank => number,
        Takers::One(_) => 0,
    };
    let behind = behind.min(passes);
    let above = (rank + 1 < size).then_some(rank + 1);
    for step in 0..passes + behind {
        if step < passes {
            if let Some(above) = above {
                link.stepped(above, step + 1).await;
            }
            // Rank 0 need not ask: all others have come as far as the one above it, and so have copied what lay there.
            if rank > 0 {
                link.is_read(step, rank - 1).await;
            }
            link.forge(step, above, false);
        }
        let pass = step.checked_sub(behind);
        let part = |pass| Some((pass, link.wanted(pass, wanted.as_ref()?)?));
        if let Some((pass, part)) = pass.and_then(part) {
            if rank > 0 {
                turn.stepped(0, pass + 1).await;
            }
            link.take(pass, 0, part);
        }
        turn.step(step + 1);
    }
    turn.leave_lanes();
    turn.coll_segment.end(turn.number, true);
}

/// Combines what the ranks up to this one contribute into `recv`, or what those below it do, which are none on rank 0.
pub(super) async fn scan<N: Net>(
    turn: &Turn<'_, '_, N>,
    own: &Data,
    recv: &Data,
    op: &Operation,
    exclusive: bool,
) {
    let (rank, size) = (turn.coll.rank, turn.coll.size);
    let link = ChainRank::new(turn, op, own, Places::of(size));
    let above = (rank + 1 < size).then_some(rank + 1);
    let below = rank.checked_sub(1);
    // The last one's is for itself.
    turn.lane(turn.span(u64::MAX), above.or(below)).await;
    turn.announce(own.bytes()).await;
    // The last one does not contribute what is short.
    let passes = match agreed(turn, own.bytes(), size - 1).await {
        true => link.passes,
        false => 0,
    };
    for pass in 0..passes {
        if let Some(below) = below {
            link.stepped(below, pass + 1).await;
        }
        if let Some(above) = above {
            link.is_read(pass, above).await;
        }
        if above.is_some() || !exclusive {
            link.forge(pass, below, true);
        }
        if let Some(from) = if exclusive { below } else { Some(rank) } {
            link.take(pass, from, (0, link.part(recv, pass)));
        }
        turn.step(pass + 1);
    }
    turn.leave_lanes();
    turn.coll_segment.end(turn.number, false);
}

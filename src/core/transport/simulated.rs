//! A link between the processes of one thread, for tests: all that the contract allows happens to its frames.
//!
//! A seed decides how many polls of its receiver each frame takes, and where there is no room. It also decides in
//! which order frames of several processes come. On demand frames are lost, which the contract does not allow: one
//! of so many, or all between two processes whose connection is cut. It has the methods that a link must have, and
//! no other.

use std::cell::{Ref, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use super::{Counts, Link, Part, ProcId, Sink};
use crate::wire::{Head, INLINE, Pieces};

/// Frames under way from one process to another above which there is no room.
const MOST_UNDER_WAY: usize = 12;
/// Polls of its receiver that a frame takes, less one.
const MOST_DELAY: u64 = 6;
/// One of so many frames finds no room.
const REFUSED: u64 = 8;

/// Numbers that depend on nothing but the seed (splitmix64).
struct Random(u64);

impl Random {
    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

struct Frame {
    /// Which one it is of those between the two.
    number: u64,
    /// The poll of its receiver that it is there for.
    due: u64,
    head: Head,
    said: Vec<u8>,
    body: Vec<u8>,
}

/// What is between one process and another, in one direction.
#[derive(Default)]
struct Pair {
    under_way: VecDeque<Frame>,
    sent: u64,
    delivered: u64,
    lost: u64,
    /// The number of the last frame that was delivered, plus one.
    next: u64,
    cut: bool,
    congested: bool,
}

impl Pair {
    /// Takes the next frame for its receiver, and checks that none came out of order, twice, or from nowhere.
    fn deliver(&mut self) -> Frame {
        let frame = self.under_way.pop_front().expect("one is due");
        assert!(frame.number >= self.next, "out of order, or twice");
        self.next = frame.number + 1;
        self.delivered += 1;
        let known = self.delivered + self.lost + self.under_way.len() as u64;
        assert_eq!(self.sent, known, "frames appear or disappear");
        frame
    }
}

/// What connects the processes.
pub struct Network {
    random: Random,
    processes: usize,
    /// By sender, then receiver.
    pairs: Vec<Pair>,
    /// Polls of each process.
    polls: Vec<u64>,
    frames: u64,
    /// One of so many frames is lost.
    losing: Option<u64>,
}

impl Network {
    fn pair(&mut self, from: ProcId, to: ProcId) -> &mut Pair {
        let index = from.0 as usize * self.processes + to.0 as usize;
        &mut self.pairs[index]
    }

    /// From now on one of `every` frames is lost.
    pub fn lose(&mut self, every: u64) {
        self.losing = Some(every);
    }

    /// Cuts the connection of two processes: what is under way between them, and all that they send later, is lost.
    pub fn cut(&mut self, one: ProcId, other: ProcId) {
        for (from, to) in [(one, other), (other, one)] {
            let pair = self.pair(from, to);
            pair.cut = true;
            pair.lost += pair.under_way.len() as u64;
            pair.under_way.clear();
        }
    }

    /// Frames that were lost.
    pub fn lost(&self) -> u64 {
        self.pairs.iter().map(|pair| pair.lost).sum()
    }

    fn send(&mut self, (from, to): (ProcId, ProcId), mut frame: Frame) -> bool {
        let refused = self.random.below(REFUSED) == 0;
        let delay = self.random.below(MOST_DELAY);
        let due = self.polls[to.0 as usize] + 1 + delay;
        let one_of_many = self
            .losing
            .is_some_and(|every| (self.frames + 1).is_multiple_of(every));
        let pair = self.pair(from, to);
        if refused || pair.under_way.len() >= MOST_UNDER_WAY {
            return false;
        }
        frame.number = pair.sent;
        pair.sent += 1;
        if pair.cut || one_of_many {
            pair.lost += 1;
        } else {
            frame.due = pair.under_way.back().map_or(due, |last| due.max(last.due));
            pair.under_way.push_back(frame);
        }
        self.frames += 1;
        true
    }

    /// A frame that is there for `to`, if there is one, and who sent it.
    fn next(&mut self, to: ProcId) -> Option<(ProcId, Frame)> {
        let now = self.polls[to.0 as usize];
        let senders = (0..self.processes as u32).map(ProcId);
        let due: Vec<ProcId> = senders
            .filter(|from| {
                let first = self.pair(*from, to).under_way.front();
                first.is_some_and(|frame| frame.due <= now)
            })
            .collect();
        if due.is_empty() {
            return None;
        }
        let from = due[self.random.below(due.len() as u64) as usize];
        Some((from, self.pair(from, to).deliver()))
    }

    /// Bytes of a body that its receiver finds in the first of two places.
    fn split(&mut self, body: &[u8]) -> usize {
        self.random.below(body.len() as u64 + 1) as usize
    }
}

/// One process's link.
pub struct Simulated {
    network: Rc<RefCell<Network>>,
    me: ProcId,
    counts: Counts,
    /// Processes that frames were sent to.
    met: Vec<bool>,
}

impl Simulated {
    /// The links of so many processes.
    pub fn all(processes: usize, seed: u64) -> Vec<Simulated> {
        let network = Rc::new(RefCell::new(Network {
            random: Random(seed),
            processes,
            pairs: (0..processes * processes)
                .map(|_| Pair::default())
                .collect(),
            polls: vec![0; processes],
            frames: 0,
            losing: None,
        }));
        (0..processes as u32)
            .map(|me| Simulated {
                network: network.clone(),
                me: ProcId(me),
                counts: Counts::default(),
                met: vec![false; processes],
            })
            .collect()
    }

    /// What all links of the world share.
    pub fn network(&self) -> &Rc<RefCell<Network>> {
        &self.network
    }

    fn look(&self) -> Ref<'_, Network> {
        self.network.borrow()
    }
}

impl Link for Simulated {
    fn processes(&self) -> usize {
        self.met.len()
    }

    fn me(&self) -> ProcId {
        self.me
    }

    fn frame(&mut self, to: ProcId, head: Head, said: &[u8], body: Option<Part<'_>>) -> bool {
        assert!(said.len() <= INLINE, "{} bytes beside a head", said.len());
        let body = body.map_or_else(Vec::new, |part| {
            assert!(part.bytes <= Self::LONGEST_BODY, "{} bytes", part.bytes);
            let mut body = vec![0; part.bytes as usize];
            let packed = part.data.pack(part.position, &mut body);
            assert_eq!(packed, body.len(), "the part is there");
            body
        });
        let frame = Frame {
            number: 0,
            due: 0,
            head: Head {
                inline: said.len() as u16,
                ..head
            },
            said: said.to_vec(),
            body,
        };
        let sent = self.network.borrow_mut().send((self.me, to), frame);
        if sent {
            self.counts.sent += 1;
            let new = !std::mem::replace(&mut self.met[to.0 as usize], true);
            self.counts.peers += u64::from(new);
        }
        sent
    }

    fn poll(&mut self, sink: &mut impl Sink) -> usize {
        self.network.borrow_mut().polls[self.me.0 as usize] += 1;
        let mut frames = 0;
        loop {
            let next = self.network.borrow_mut().next(self.me);
            let Some((
                from,
                Frame {
                    head, said, body, ..
                },
            )) = next
            else {
                break;
            };
            let split = self.network.borrow_mut().split(&body);
            sink.frame(from, &head, &said, &|bytes| {
                let body = &body[..bytes.min(body.len())];
                let (first, second) = body.split_at(split.min(body.len()));
                Pieces(first, second)
            });
            frames += 1;
            let mut network = self.network.borrow_mut();
            let pair = network.pair(from, self.me);
            pair.congested = sink.congested(from, pair.congested);
            if sink.enough() {
                break;
            }
        }
        self.counts.received += frames as u64;
        frames
    }

    /// Also while all frames are on their way: it is polls that bring them.
    fn pending(&self) -> bool {
        let network = self.look();
        let mine = network.pairs.iter().skip(self.me.0 as usize);
        mine.step_by(network.processes)
            .any(|pair| !pair.under_way.is_empty())
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn congested(&self, to: ProcId) -> bool {
        let network = self.look();
        network.pairs[self.me.0 as usize * network.processes + to.0 as usize].congested
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes who has sent which frame.
    #[derive(Default)]
    struct Noted(Vec<(u32, u32)>);

    impl Sink for Noted {
        fn frame<'a>(
            &mut self,
            from: ProcId,
            head: &Head,
            _inline: &'a [u8],
            _body: &dyn Fn(usize) -> Pieces<'a>,
        ) -> usize {
            self.0.push((from.0, head.id));
            0
        }

        fn enough(&self) -> bool {
            false
        }

        fn congested(&self, _from: ProcId, _already: bool) -> bool {
            false
        }
    }

    /// Two processes send 100 frames each to a third one, in turn; returns what came, how often there was no room, and how
    /// many polls brought nothing.
    fn run(seed: u64) -> (Vec<(u32, u32)>, u64, u64) {
        let mut links = Simulated::all(3, seed);
        let (mut noted, mut refused, mut empty) = (Noted::default(), 0, 0);
        for id in 0..100 {
            for from in 0..2 {
                let head = Head {
                    id,
                    ..Head::default()
                };
                while !links[from].frame(ProcId(2), head, &[], None) {
                    refused += 1;
                    empty += u64::from(links[2].poll(&mut noted) == 0);
                }
            }
        }
        while links[2].pending() {
            empty += u64::from(links[2].poll(&mut noted) == 0);
        }
        (noted.0, refused, empty)
    }

    #[test]
    fn frames_are_delayed_refused_and_mixed_by_the_seed() {
        let mut orders = Vec::new();
        for seed in 0..5 {
            let (come, refused, empty) = run(seed);
            assert_eq!(run(seed).0, come, "the same again");
            for from in 0..2 {
                let of_one = come.iter().filter(|frame| frame.0 == from);
                assert!(of_one.map(|frame| frame.1).eq(0..100), "seed {seed}");
            }
            let turned = come.windows(2).filter(|two| two[0].0 == two[1].0).count();
            assert!(
                turned > 10,
                "seed {seed}: frames come in turn as they were sent"
            );
            assert!(refused > 10 && empty > 0, "seed {seed}: {refused} {empty}");
            orders.push(come);
        }
        orders.sort();
        orders.dedup();
        assert_eq!(orders.len(), 5, "each seed has an order of its own");
    }
}

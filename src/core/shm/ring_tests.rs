//! Tests of rings and exchange buffers.

use super::*;
use crate::tuning::{GENERIC, ROWS};
use crate::wire::Pieces;

/// A zeroed ring on the heap.
struct Memory(*mut u8, std::alloc::Layout, usize, Half);

impl Memory {
    fn new(bytes: usize) -> Memory {
        Memory::of(bytes, Half::First)
    }

    /// The two between two processes.
    fn both() -> [Memory; 2] {
        [Half::First, Half::Second].map(|half| Memory::of(MIN_BYTES, half))
    }

    fn of(bytes: usize, half: Half) -> Memory {
        let layout = std::alloc::Layout::from_size_align(Ring::size(bytes), 4096).unwrap();
        // SAFETY: it has a size.
        let base = unsafe { std::alloc::alloc_zeroed(layout) };
        Memory(base, layout, bytes, half)
    }

    fn ring(&self) -> Ring<'_> {
        // SAFETY: zeroed when it was allocated, as long as is said, on a page's boundary.
        unsafe { Ring::at(self.0, self.2, self.3) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with that layout.
        unsafe { std::alloc::dealloc(self.0, self.1) };
    }
}

#[test]
fn the_more_processes_the_shorter_the_rings() {
    let kib_of = |cache_kib: usize, times| {
        let processes = [1, 2, 3, 4, 8, 16, 17, 32, 33, 64, 4096];
        processes.map(|processes| Ring::bytes_for(processes, cache_kib << 10, times) >> 10)
    };
    let kib = |cache_kib| kib_of(cache_kib, 2);
    let usual = [512, 512, 512, 512, 512, 512, 512, 256, 256, 128, 128];
    assert_eq!(kib(0), usual);
    assert_eq!(kib(256), usual);
    let long = [2048, 2048, 2048, 2048, 1024, 512, 512, 256, 256, 128, 128];
    assert_eq!(kib(1024), long);
    let longest = [4096, 4096, 4096, 2048, 1024, 512, 512, 256, 256, 128, 128];
    assert_eq!(kib(1280), longest);
    assert_eq!(kib(1 << 40), longest);
    assert_eq!(kib_of(0, 4), usual);
    assert_eq!(kib_of(512, 4), long);
    assert_eq!(kib_of(1024, 4), longest);
}

#[test]
fn frames_arrive_in_order_with_their_payloads() {
    for bytes in [MIN_BYTES, DEFAULT_BYTES, super::MAX_BYTES] {
        frames_arrive(&Memory::new(bytes));
    }
}

fn frames_arrive(memory: &Memory) {
    let mut producer = Producer::new(memory.ring(), memory.ring(), &GENERIC);
    let mut consumer = Consumer::new(memory.ring(), memory.ring());
    let mut sent = 0u32;
    let mut got = 0u32;
    let len_of = |n: u32| (n as usize * 977) % (MAX_BODY + 1);
    while got < 5000 {
        loop {
            let head = Head {
                kind: 1,
                tag: sent as i32,
                inline: 4,
                ..Head::default()
            };
            let by = match sent % 3 {
                0 => By::Ring,
                _ => producer.by(usize::MAX),
            };
            let fine = producer.try_body(
                head,
                (len_of(sent), by),
                |inline| inline.copy_from_slice(&sent.to_le_bytes()),
                filled(|pieces| {
                    pieces.0.fill(sent as u8);
                    pieces.1.fill(sent as u8);
                }),
            );
            if !fine {
                break;
            }
            sent += 1;
        }
        for _ in 0..1 + got % 7 {
            consumer.pop(|head, inline, body| {
                assert_eq!(head.tag, got as i32);
                assert_eq!(inline, got.to_le_bytes());
                let pieces = body(len_of(got));
                assert_eq!(pieces.0.len() + pieces.1.len(), len_of(got));
                assert!(
                    pieces
                        .0
                        .iter()
                        .chain(pieces.1)
                        .all(|&byte| byte == got as u8)
                );
                let len = len_of(got);
                got += 1;
                len
            });
        }
    }
}

/// Frames of one slot and of two, of every length, as long as there is room, several times around; one that takes two slots counts
/// once.
#[test]
fn a_payload_lies_in_two_slots_where_one_is_too_short() {
    let memory = Memory::new(MIN_BYTES);
    let mut producer = Producer::new(memory.ring(), memory.ring(), &GENERIC);
    let mut consumer = Consumer::new(memory.ring(), memory.ring());
    let len_of = |number: usize| (number * 37) % (WIDE_INLINE + 1);
    let (mut sent, mut got, mut full) = (0, 0, 0);
    while got < 2000 {
        loop {
            let head = Head {
                inline: len_of(sent) as u16,
                tag: sent as i32,
                ..Head::default()
            };
            let byte = |at: usize| (sent + at) as u8;
            let fill = |at: usize, part: &mut [u8]| {
                for (offset, place) in part.iter_mut().enumerate() {
                    *place = byte(at + offset);
                }
            };
            let done = match len_of(sent) > INLINE {
                true => producer.try_wide(head, fill),
                false => producer.try_short(head, |place| fill(0, place)),
            };
            if !done {
                full += 1;
                break;
            }
            sent += 1;
        }
        for _ in 0..1 + got % 90 {
            let popped = consumer.pop(|head, first, body| {
                let payload = [first, body(0).0].concat();
                assert_eq!((head.tag, payload.len()), (got as i32, len_of(got)));
                assert!((0..payload.len()).all(|at| payload[at] == (got + at) as u8));
                0
            });
            got += usize::from(popped.is_some());
        }
        assert_eq!(producer.frames(), sent as u64);
        assert_eq!(consumer.frames(), got as u64);
    }
    assert!(full > 10);
}

/// Short bodies lie in their slots' short buffers, and take nothing of the byte ring.
#[test]
fn short_bodies_lie_in_pockets() {
    let memory = Memory::new(MIN_BYTES);
    let mut producer = Producer::new(memory.ring(), memory.ring(), &GENERIC);
    let mut consumer = Consumer::new(memory.ring(), memory.ring());
    let len_of = |number: usize| (number * 37) % (SHORT_BUFFER + 1);
    let (mut sent, mut got) = (0, 0);
    let send = |producer: &mut Producer<'_>, sent: usize| {
        producer.try_body(
            Head::default(),
            (len_of(sent), By::ShortBuffer),
            |_| (),
            filled(|pieces| {
                assert!(pieces.1.is_empty());
                pieces.0.fill(sent as u8);
            }),
        )
    };
    while got < 2000 {
        while send(&mut producer, sent) {
            sent += 1;
        }
        for _ in 0..1 + got % 90 {
            let popped = consumer.pop(|_, _, body| {
                assert_eq!(body(len_of(got)).0, vec![got as u8; len_of(got)]);
                len_of(got)
            });
            got += usize::from(popped.is_some());
        }
    }
    assert_eq!((producer.bytes, consumer.bytes), (0, 0));
}

/// A frame of two slots finds no room where one slot is free.
#[test]
fn two_slots_must_be_free() {
    let memory = Memory::new(MIN_BYTES);
    let mut producer = Producer::new(memory.ring(), memory.ring(), &GENERIC);
    for _ in 1..SLOTS {
        assert!(producer.try_inline(Head::default(), |_| ()));
    }
    let head = Head {
        inline: WIDE_INLINE as u16,
        ..Head::default()
    };
    assert!(!producer.try_wide(head, |_, _| unreachable!("nothing is written")));
    assert!(producer.try_inline(Head::default(), |_| ()));
    assert!(!producer.try_inline(Head::default(), |_| ()));
}

/// One of two processes with rings to each other.
struct Side<'a> {
    producer: Producer<'a>,
    consumer: Consumer<'a>,
}

/// Of a frame whose body is full of `fill`.
fn head(fill: u8) -> Head {
    Head {
        tag: fill.into(),
        inline: 4,
        ..Head::default()
    }
}

/// That body.
fn all(fill: u8) -> impl BodyWriter {
    filled(move |PiecesMut(first, second)| {
        first.fill(fill);
        second.fill(fill);
    })
}

impl<'a> Side<'a> {
    fn new(to: Ring<'a>, from: Ring<'a>, row: &Tuning) -> Side<'a> {
        Side {
            producer: Producer::new(to, from, row),
            consumer: Consumer::new(from, to),
        }
    }

    /// The two that have these.
    fn both(memory: &'a [Memory; 2]) -> [Side<'a>; 2] {
        Side::both_by(memory, &GENERIC)
    }

    fn both_by(memory: &'a [Memory; 2], row: &Tuning) -> [Side<'a>; 2] {
        let [there, back] = [0, 1].map(|ring| memory[ring].ring());
        [Side::new(there, back, row), Side::new(back, there, row)]
    }

    /// Sends a message by exchange buffers, in pieces, if as many are here.
    fn ship(&mut self, len: usize, piece: usize, fill: u8) -> bool {
        self.producer
            .add_exchange_buffers(self.consumer.exchange_buffers());
        if self.producer.by(len.div_ceil(piece)) != By::ExchangeBuffer {
            return false;
        }
        for at in (0..len).step_by(piece) {
            self.send(piece.min(len - at), By::ExchangeBuffer, fill);
        }
        true
    }

    /// Sends a message that is one short body; whether by an exchange buffer.
    fn ship_short(&mut self, len: usize) -> bool {
        self.producer
            .add_exchange_buffers(self.consumer.exchange_buffers());
        if !self.producer.has_exchange_buffer(Short::Yes) {
            self.send(len, By::Ring, len as u8);
            return false;
        }
        let fill = len as u8;
        let say = |inline: &mut [u8]| inline.copy_from_slice(&(len as u32).to_le_bytes());
        self.producer
            .try_exchange_buffer(head(fill), len, say, all(fill))
    }

    fn send(&mut self, len: usize, by: By, fill: u8) {
        let say = |inline: &mut [u8]| inline.copy_from_slice(&(len as u32).to_le_bytes());
        let body = (len, by);
        assert!(self.producer.try_body(head(fill), body, say, all(fill)));
    }

    /// Where the next frame's body begins, whose bytes are all the same as its tag.
    fn receive(&mut self) -> *const u8 {
        let mut at = std::ptr::null();
        let popped = self.consumer.pop(|head, inline, body| {
            let len = u32::from_le_bytes(inline.try_into().unwrap()) as usize;
            let Pieces(first, second) = body(len);
            assert_eq!(first.len() + second.len(), len);
            let tagged = |&byte: &u8| i32::from(byte) == head.tag;
            assert!(first.iter().chain(second).all(tagged));
            at = first.as_ptr();
            len
        });
        assert!(popped.is_some());
        at
    }
}

/// All that a side has at first.
const ALL_BUFFERS: usize = Ring::exchange_buffers(MIN_BYTES);

/// A stream of short bodies takes a few exchange buffers, also where the other side does not give them back.
#[test]
fn few_exchange_buffers_are_away_with_short_bodies() {
    let memory = Memory::both();
    let [mut a, mut b] = Side::both(&memory);
    for sent in 0..100 {
        assert_eq!(a.ship_short(300 + sent), sent < MAX_SHORT_AWAY);
        b.receive();
    }
    for _ in 0..9 {
        assert!(b.ship_short(700));
        let came = a.receive();
        assert!(a.ship_short(900));
        assert_eq!(b.receive(), came);
    }
}

#[test]
fn an_answer_goes_where_what_it_answers_came() {
    ROWS.iter().for_each(answers);
}

fn answers(row: &Tuning) {
    let memory = Memory::both();
    let [mut a, mut b] = Side::both_by(&memory, row);
    let places =
        |side: &mut Side<'_>, pieces| -> Vec<_> { (0..pieces).map(|_| side.receive()).collect() };
    for round in 0..50u8 {
        let len = 1 + usize::from(round) * 4321 % ALL_BUFFERS;
        let pieces = len.div_ceil(EXCHANGE_BUFFER);
        assert!(a.ship(len, EXCHANGE_BUFFER, round));
        let mut message = places(&mut b, pieces);
        assert!(b.ship(len, EXCHANGE_BUFFER, !round));
        if pieces < row.buffers_in_order {
            message.reverse();
        }
        assert_eq!(message, places(&mut a, pieces));
    }
    // Both at once: each has its own.
    for round in 0..9 {
        assert!(
            a.ship(ALL_BUFFERS, EXCHANGE_BUFFER, round)
                && b.ship(ALL_BUFFERS, EXCHANGE_BUFFER, 100 + round)
        );
        // Nothing has been read: none is left.
        assert!(!a.ship(1, 1, 0) && !b.ship(1, 1, 0));
        let [one, other] = [&mut a, &mut b].map(|side| places(side, ALL_BUFFERS / EXCHANGE_BUFFER));
        assert!(one.iter().all(|place| !other.contains(place)));
    }
    assert!(!a.ship(ALL_BUFFERS + 1, EXCHANGE_BUFFER, 0), "too long");
    // All one way: what follows has to go through the ring, as the other side has all.
    assert!(a.ship(ALL_BUFFERS, EXCHANGE_BUFFER, 1));
    places(&mut b, ALL_BUFFERS / EXCHANGE_BUFFER);
    assert!(!a.ship(9, 9, 2));
    assert_ne!(a.producer.by(0), By::ExchangeBuffer);
    a.send(5, By::Ring, 7);
    b.receive();
    assert!(b.ship(2 * ALL_BUFFERS, EXCHANGE_BUFFER, 3) && !b.ship(9, 9, 5));
    places(&mut a, 2 * ALL_BUFFERS / EXCHANGE_BUFFER);
    assert!(a.ship(9, 9, 6));
}

/// To oneself there is one ring, with its exchange buffers.
#[test]
fn exchange_buffers_to_oneself_come_back() {
    let memory = Memory::new(MIN_BYTES);
    let mut side = Side::new(memory.ring(), memory.ring(), &GENERIC);
    for round in 0..99 {
        assert!(side.ship(ALL_BUFFERS, EXCHANGE_BUFFER, round));
        assert!(!side.ship(1, 1, round));
        (0..ALL_BUFFERS / EXCHANGE_BUFFER).for_each(|_| _ = side.receive());
    }
}

/// A long body lies in several exchange buffers, which lie one behind the other, and all come.
#[test]
fn a_long_body_takes_exchange_buffers_that_lie_together() {
    for row in &ROWS {
        let memory = Memory::both();
        let [mut a, mut b] = Side::both_by(&memory, row);
        for round in 0..9u8 {
            for len in [
                EXCHANGE_BUFFER + 1,
                2 * EXCHANGE_BUFFER - 64,
                2 * EXCHANGE_BUFFER,
            ] {
                for _ in 0..2 {
                    a.producer
                        .add_exchange_buffers(a.consumer.exchange_buffers());
                    let here = a.producer.here.len();
                    assert_eq!(a.producer.by(2), By::ExchangeBuffer);
                    assert!(a.producer.adjoining() >= 2 * EXCHANGE_BUFFER);
                    a.send(len, By::ExchangeBuffer, round);
                    assert_eq!(a.producer.here.len(), here - 2);
                    b.receive();
                    let came = b.consumer.exchange_buffers().clone();
                    assert_eq!(came.into_iter().flatten().count(), 2);
                    std::mem::swap(&mut a, &mut b);
                }
            }
        }
    }
}

/// Lengths that make no sense stay within the exchange buffers, and numbers that make none name none.
#[test]
fn a_body_of_a_exchange_buffer_ends_with_the_last_one() {
    let memory = Memory::both();
    let [mut a, mut b] = Side::both(&memory);
    assert!(a.ship(ALL_BUFFERS, EXCHANGE_BUFFER, 1));
    for _ in 0..ALL_BUFFERS / EXCHANGE_BUFFER {
        b.consumer.pop(|_, _, body| {
            let Pieces(first, second) = body(usize::MAX);
            assert!((EXCHANGE_BUFFER..=MAX_ADJOINING).contains(&first.len()) && second.is_empty());
            usize::MAX
        });
    }
    let exchange_buffers = a.producer.exchange_buffers;
    let each = exchange_buffers.each();
    for half in [Half::First, Half::Second] {
        let there = exchange_buffers.beside(half);
        assert_eq!(there.len(), ALL_BUFFERS / EXCHANGE_BUFFER);
        assert!(
            there
                .clone()
                .all(|number| exchange_buffers.known(number) == Some(number))
        );
        let places = there.clone().map(|number| exchange_buffers.place(number));
        assert!(
            places.eq((0..ALL_BUFFERS / EXCHANGE_BUFFER).map(|at| (half, at * EXCHANGE_BUFFER)))
        );
        assert_eq!(exchange_buffers.known(there.end), None);
    }
    assert_eq!(exchange_buffers.known(u32::MAX), None);
    assert_eq!(
        exchange_buffers.of_body(each - 1, MAX_ADJOINING),
        each - 1..each
    );
}

#[test]
fn a_full_ring_says_so_and_recovers() {
    let memory = Memory::new(MIN_BYTES);
    let mut producer = Producer::new(memory.ring(), memory.ring(), &GENERIC);
    let mut consumer = Consumer::new(memory.ring(), memory.ring());
    let head = Head::default();
    let mut count = 0;
    while producer.try_inline(head, |_| ()) {
        count += 1;
    }
    assert_eq!(count, SLOTS);
    while consumer.pop(|_, _, _| 0).is_some() {}
    assert!(producer.try_inline(head, |_| ()));
}

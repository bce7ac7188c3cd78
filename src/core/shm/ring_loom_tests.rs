//! Rings and exchange buffers in every interleaving.

use super::*;
use crate::sync::UnsafeCell;
use crate::tuning;
use loom::thread;

fn slots() -> Slots {
    Slots {
        report: Report {
            slots: AtomicU32::new(0),
            congested: AtomicU32::new(0),
            bytes: AtomicU64::new(0),
        },
        slots: std::array::from_fn(|_| Slot {
            sequence: AtomicU32::new(0),
            body: UnsafeCell::new(Body {
                head: Head::default(),
                inline: [0; INLINE],
            }),
        }),
        claims: Claims::new(),
        short_buffers: std::array::from_fn(|_| ShortBuffer(PlainCell::new([0; SHORT_BUFFER]))),
    }
}

fn ring(half: Half) -> Ring<'static> {
    Ring {
        half,
        slots: Box::leak(Box::new(slots())),
        bytes: Vec::leak((0..MIN_BYTES).map(|_| PlainCell::new(0)).collect()),
        exchange_buffers: Vec::leak(
            (0..2 * EXCHANGE_BUFFER)
                .map(|_| PlainCell::new(0))
                .collect(),
        ),
    }
}

/// Three frames through two slots: the reuse of a slot, or of its short buffer, is part of every execution.
#[test]
fn every_interleaving_delivers_in_order() {
    for by in [By::Ring, By::ShortBuffer] {
        delivers_in_order(by);
    }
}

fn delivers_in_order(by: By) {
    loom::model(move || {
        let ring = ring(Half::First);
        let sender = thread::spawn(move || {
            let mut producer = Producer::new(ring, ring, &tuning::GENERIC);
            for number in 0..3u8 {
                let head = Head {
                    tag: number as i32,
                    inline: 1,
                    ..Head::default()
                };
                while !producer.try_body(
                    head,
                    (3, by),
                    |inline| inline[0] = number,
                    filled(|pieces| pieces.0.fill(number)),
                ) {
                    thread::yield_now();
                }
            }
        });
        let mut consumer = Consumer::new(ring, ring);
        let mut expected = 0u8;
        while expected < 3 {
            let popped = consumer.pop(|head, inline, body| {
                assert_eq!(head.tag, expected as i32);
                assert_eq!(inline, [expected]);
                assert_eq!(body(3).0, [expected; 3]);
                3
            });
            if popped.is_some() {
                expected += 1;
            } else {
                thread::yield_now();
            }
        }
        sender.join().unwrap();
    });
}

/// Frames of two slots: both are used again.
#[test]
fn every_interleaving_delivers_what_takes_two_slots() {
    loom::model(|| {
        let ring = ring(Half::First);
        let head = |len: usize| Head {
            inline: len as u16,
            ..Head::default()
        };
        let sender = thread::spawn(move || {
            let mut producer = Producer::new(ring, ring, &tuning::GENERIC);
            assert!(producer.try_wide(head(WIDE_INLINE), |_, part| part.fill(1)));
            while !producer.try_wide(head(WIDE_INLINE - 1), |_, part| part.fill(2)) {
                thread::yield_now();
            }
        });
        let mut consumer = Consumer::new(ring, ring);
        for (number, len) in [(1, WIDE_INLINE), (2, WIDE_INLINE - 1)] {
            while consumer
                .pop(|_, first, body| {
                    assert_eq!([first, body(0).0].concat(), vec![number; len]);
                    0
                })
                .is_none()
            {
                thread::yield_now();
            }
        }
        assert_eq!(consumer.frames(), 2);
        sender.join().unwrap();
    });
}

/// A message and its answer, each in two pieces, by the same exchange buffers.
#[test]
fn every_interleaving_brings_the_exchange_buffers_back() {
    loom::model(|| {
        let (there, back) = (ring(Half::First), ring(Half::Second));
        let send = |producer: &mut Producer<'static>, fill: u8| {
            assert_eq!(producer.by(2), By::ExchangeBuffer);
            for _ in 0..2 {
                while !producer.try_body(
                    Head::default(),
                    (EXCHANGE_BUFFER, By::ExchangeBuffer),
                    |_| (),
                    filled(|body| body.0.fill(fill)),
                ) {
                    thread::yield_now();
                }
            }
        };
        let receive = |consumer: &mut Consumer<'static>, fill: u8| {
            for _ in 0..2 {
                while consumer
                    .pop(|_, _, body| {
                        assert_eq!(body(EXCHANGE_BUFFER).0, [fill; EXCHANGE_BUFFER]);
                        EXCHANGE_BUFFER
                    })
                    .is_none()
                {
                    thread::yield_now();
                }
            }
        };
        let other = thread::spawn(move || {
            let mut consumer = Consumer::new(there, back);
            let mut producer = Producer::new(back, there, &tuning::GENERIC);
            receive(&mut consumer, 1);
            producer.add_exchange_buffers(consumer.exchange_buffers());
            send(&mut producer, 2);
        });
        let mut producer = Producer::new(there, back, &tuning::GENERIC);
        let mut consumer = Consumer::new(back, there);
        send(&mut producer, 1);
        receive(&mut consumer, 2);
        other.join().unwrap();
    });
}

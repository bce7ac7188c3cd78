//! Going to sleep and waking in every interleaving with a few changes of thread: whoever sleeps is woken.

use super::*;
use loom::thread;

fn sleeper() -> &'static Sleeper {
    Box::leak(Box::new(Sleeper {
        wakes: AtomicU32::new(0),
        asleep: AtomicU32::new(asleep::NO),
        order: AtomicU32::new(order::UNKNOWN),
        socket: AtomicU64::new(0),
    }))
}

/// Tries interleavings in which threads are stopped at most three times: all of them take minutes.
fn model(run: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(run);
}

/// Waits until `done` says so, as a process does. A sleep ends with the word only: one that nobody ends goes on for ever, which
/// the model reports.
fn wait(park: &Park, done: impl Fn() -> bool) {
    loop {
        let ticket = park.prepare();
        if !done() {
            while park.sleeper.wakes.load(Ordering::Acquire) == ticket.seen {
                thread::yield_now();
            }
        }
        park.awake();
        if done() {
            return;
        }
    }
}

/// A process that may not have come yet when it is first woken, and sleeps a second time.
#[test]
fn every_interleaving_wakes_who_sleeps() {
    model(|| {
        let sleeper = sleeper();
        let frames: &AtomicU32 = Box::leak(Box::new(AtomicU32::new(0)));
        let sender = thread::spawn(move || {
            let mut waker = Waker {
                sleeper,
                order: order::UNKNOWN,
            };
            for frame in 1..=2 {
                frames.store(frame, Ordering::Release);
                waker.notify();
            }
        });
        let park = Park::ordered(sleeper, false);
        for frame in 1..=2 {
            wait(&park, || frames.load(Ordering::Acquire) >= frame);
        }
        sender.join().unwrap();
    });
}

/// Two others, each with something that the process needs.
#[test]
fn every_interleaving_of_two_wakers_wakes_who_sleeps() {
    model(|| {
        let sleeper = sleeper();
        let frames: &[AtomicU32; 2] = Box::leak(Box::new([0, 0].map(AtomicU32::new)));
        let senders = frames.iter().map(|frame| {
            thread::spawn(move || {
                frame.store(1, Ordering::Release);
                let mut waker = Waker {
                    sleeper,
                    order: order::FENCE,
                };
                waker.notify();
            })
        });
        let senders: Vec<_> = senders.collect();
        let park = Park::ordered(sleeper, false);
        wait(&park, || {
            frames
                .iter()
                .all(|frame| frame.load(Ordering::Acquire) == 1)
        });
        for sender in senders {
            sender.join().unwrap();
        }
    });
}

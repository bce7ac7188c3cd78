//! Sockets by themselves: what the tests of the protocol do not see.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use super::inbox::PREFIX;
use super::*;
use crate::datatype::{Data, Span, Type};
use crate::garbage_tests::{cases, changed, changes, noise, within};
use crate::handle::Datatype;
use crate::wire::{INLINE, kind};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use proptest::prelude::*;

const DEADLINE: Duration = Duration::from_secs(30);

/// Keeps what comes.
#[derive(Default)]
struct Kept {
    frames: Vec<(ProcId, Head, Vec<u8>, Vec<u8>)>,
    congested: bool,
    /// So many are enough.
    most: Option<usize>,
    /// Where long bodies go, if it has a place for them.
    place: Option<Vec<u8>>,
}

impl Sink for Kept {
    fn frame<'a>(
        &mut self,
        from: ProcId,
        head: &Head,
        inline: &'a [u8],
        body: &dyn Fn(usize) -> Pieces<'a>,
    ) -> usize {
        let body = [body(usize::MAX).0, body(usize::MAX).1].concat();
        let bytes = body.len();
        self.frames.push((from, *head, inline.to_vec(), body));
        bytes
    }

    fn place(&mut self, _: ProcId, _: &Head, _: &[u8], bytes: usize) -> Option<Span<'_>> {
        let place = self.place.as_mut()?;
        place.resize(bytes, 0);
        Some(Span::new(place))
    }

    fn arrived(&mut self, from: ProcId, head: &Head, bytes: usize) {
        let place = self.place.as_ref().expect("it came there");
        assert_eq!(place.len(), bytes);
        self.frames.push((from, *head, Vec::new(), place.clone()));
    }

    fn enough(&self) -> bool {
        self.most.is_some_and(|most| self.frames.len() >= most)
    }

    fn congested(&self, _from: ProcId, _already: bool) -> bool {
        self.congested
    }
}

fn unix() -> [OwnedFd; 2] {
    let (one, other) = UnixStream::pair().unwrap();
    [one.into(), other.into()]
}

fn tcp() -> [OwnedFd; 2] {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (other, _) = listener.accept().unwrap();
    [one, other].map(|stream| {
        stream.set_nodelay(true).unwrap();
        stream.into()
    })
}

/// The links of two processes.
fn linked([one, other]: [OwnedFd; 2]) -> [Sockets; 2] {
    [
        Sockets::new(ProcId(0), 2, [(ProcId(1), one)]).unwrap(),
        Sockets::new(ProcId(1), 2, [(ProcId(0), other)]).unwrap(),
    ]
}

/// A link of process 0, and the bare socket of process 1.
fn half() -> (Sockets, UnixStream) {
    let (one, other) = UnixStream::pair().unwrap();
    other.set_read_timeout(Some(DEADLINE)).unwrap();
    other.set_write_timeout(Some(DEADLINE)).unwrap();
    let link = Sockets::new(ProcId(0), 2, [(ProcId(1), one.into())]);
    (link.unwrap(), other)
}

/// Waits as a process does: sleeps on the descriptor unless there is something.
fn until(link: &mut Sockets, sink: &mut Kept, what: &str, over: impl Fn(&Sockets, &Kept) -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !over(link, sink) {
        assert!(
            Instant::now() < deadline,
            "{what}: {} frames",
            sink.frames.len()
        );
        if !link.pending() {
            let mut polled = [PollFd::new(link.park().unwrap(), PollFlags::POLLIN)];
            poll(&mut polled, PollTimeout::from(100u16)).unwrap();
        }
        link.poll(sink);
    }
}

fn contents(number: usize, bytes: usize) -> Vec<u8> {
    (0..bytes)
        .map(|at| (number * 31 + at * 7 + at / 253) as u8)
        .collect()
}

fn data(bytes: &mut [u8]) -> Data {
    let byte = Type::predefined(Datatype(0x247)).unwrap();
    Data::tested(bytes.as_mut_ptr(), bytes.len() as u64, byte)
}

fn head(number: usize) -> Head {
    Head {
        kind: kind::EAGER_BODY,
        flags: flag::SYNCHRONOUS,
        context: 1,
        tag: -1 - number as i32,
        source: 2,
        id: number as u32,
        ..Head::default()
    }
}

fn encoded(head: Head, said: &[u8], body: &[u8]) -> Vec<u8> {
    let head = Head {
        inline: said.len() as u16,
        ..head
    };
    [&prefix(&head, body.len())[..], said, body].concat()
}

fn send(link: &mut Sockets, to: u32, number: usize, bytes: usize) -> bool {
    let said = contents(number, number % (INLINE + 1));
    let mut body = contents(number, bytes);
    let data = data(&mut body);
    let part = Part {
        data: &data,
        position: 0,
        bytes: bytes as u64,
    };
    link.frame(ProcId(to), head(number), &said, (bytes > 0).then_some(part))
}

fn check(sink: &Kept, from: u32, lengths: &[usize]) {
    assert_eq!(sink.frames.len(), lengths.len());
    for (number, ((sender, got, said, body), bytes)) in sink.frames.iter().zip(lengths).enumerate()
    {
        assert_eq!(*sender, ProcId(from));
        let inline = said.len() as u16;
        assert_eq!(
            *got,
            Head {
                inline,
                ..head(number)
            }
        );
        assert!(
            *said == contents(number, number % (INLINE + 1)),
            "frame {number}"
        );
        assert!(*body == contents(number, *bytes), "frame {number}");
    }
}

const LENGTHS: [usize; 9] = [
    0,
    1,
    100,
    5000,
    0,
    70_000,
    LONGEST_BODY,
    LONGEST_BODY - 1,
    3,
];

/// Over what the system gives, and to oneself: whole and in order, also when more is under way than the system takes.
#[test]
fn frames_arrive_whole_and_in_order() {
    let lengths = LENGTHS.repeat(8);
    for streams in [unix(), tcp()] {
        let [mut one, mut other] = linked(streams);
        let (mut sink, mut nothing) = (Kept::default(), Kept::default());
        for (number, bytes) in lengths.iter().enumerate() {
            let deadline = Instant::now() + DEADLINE;
            while !send(&mut one, 1, number, *bytes) {
                assert!(Instant::now() < deadline, "no room for frame {number}");
                other.poll(&mut sink);
            }
        }
        until(&mut other, &mut sink, "some came", |_, sink| {
            sink.frames.len() > 9
        });
        let deadline = Instant::now() + DEADLINE;
        while sink.frames.len() < lengths.len() {
            assert!(Instant::now() < deadline, "{} frames", sink.frames.len());
            one.poll(&mut nothing);
            other.poll(&mut sink);
        }
        assert!(one.drained() && !one.pending() && !other.pending());
        check(&sink, 0, &lengths);
        let all = lengths.len() as u64;
        let counts = (one.counts(), other.counts());
        assert_eq!(
            (counts.0.sent, counts.0.peers, counts.1.received),
            (all, 1, all)
        );
        assert_eq!(one.lost().count() + other.lost().count(), 0);
    }
    let mut alone = Sockets::new(ProcId(0), 1, []).unwrap();
    let mut sink = Kept::default();
    for (number, bytes) in lengths.iter().enumerate() {
        while !send(&mut alone, 0, number, *bytes) {
            assert!(alone.poll(&mut sink) > 0);
        }
    }
    until(&mut alone, &mut sink, "all to oneself", |link, _| {
        !link.pending()
    });
    check(&sink, 0, &lengths);
}

/// A process that sleeps wakes up when there is something, and when there is room again for what waits.
#[test]
fn a_sleeper_wakes_up() {
    let [mut one, mut other] = linked(tcp());
    let mut sink = Kept::default();
    let (number, sleeper) = (60, std::thread::current().id());
    let sender = std::thread::spawn(move || {
        assert_ne!(std::thread::current().id(), sleeper);
        let mut nothing = Kept::default();
        for number in 0..number {
            let sent = |link: &mut Sockets| send(link, 1, number, LONGEST_BODY);
            if !sent(&mut one) {
                until(&mut one, &mut nothing, "room", |link, _| link.drained());
                assert!(sent(&mut one));
            }
        }
        until(&mut one, &mut nothing, "drained", |link, _| link.drained());
        one
    });
    until(&mut other, &mut sink, "all", |_, sink| {
        sink.frames.len() == number
    });
    let one = sender.join().unwrap();
    check(&sink, 0, &vec![LONGEST_BODY; number]);
    assert!(one.lost().next().is_none());
}

#[test]
fn bytes_may_come_one_at_a_time() {
    let (mut link, mut peer) = half();
    let mut sink = Kept::default();
    for (number, bytes) in [0, 1, 300, 2].into_iter().enumerate() {
        let said = contents(number, number % (INLINE + 1));
        let frame = encoded(head(number), &said, &contents(number, bytes));
        for byte in &frame {
            assert_eq!(sink.frames.len(), number);
            peer.write_all(&[*byte]).unwrap();
            assert!(link.pending());
            link.poll(&mut sink);
        }
    }
    check(&sink, 1, &[0, 1, 300, 2]);
}

/// What came before the end is delivered; frames to who is lost go nowhere, and nothing waits for it.
#[test]
fn a_peer_may_close() {
    for (part, kind) in [
        (0, ErrorKind::ConnectionAborted),
        (30, ErrorKind::UnexpectedEof),
    ] {
        let (mut link, mut peer) = half();
        let mut sink = Kept::default();
        while link.drained() {
            assert!(send(&mut link, 1, 0, 1000));
        }
        peer.write_all(&encoded(head(0), &[], &contents(0, 10)))
            .unwrap();
        let next = encoded(head(1), &[], &[1; 20]);
        peer.write_all(&next[..part]).unwrap();
        drop(peer);
        until(&mut link, &mut sink, "lost", |link, _| {
            link.lost().next().is_some() && !link.pending()
        });
        check(&sink, 1, &[10]);
        let (process, error) = link.lost().next().unwrap();
        // Who writes first learns of it by that.
        let broken = [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset];
        assert!(
            error.kind() == kind || broken.contains(&error.kind()),
            "{error}"
        );
        assert_eq!(process, ProcId(1));
        assert!(link.drained() && send(&mut link, 1, 1, 1000) && link.drained());
        assert_eq!(link.poll(&mut sink), 0);
    }
}

#[test]
fn a_closed_connection_says_where_it_ended() {
    let (mut link, mut peer) = half();
    let mut sink = Kept::default();
    peer.write_all(&encoded(head(0), &[], &[1; 20])[..30])
        .unwrap();
    peer.shutdown(Shutdown::Write).unwrap();
    until(&mut link, &mut sink, "lost", |link, _| {
        link.lost().next().is_some()
    });
    let error = link.lost().next().unwrap().1.to_string();
    assert_eq!(error, "the connection ends after 30 bytes of a frame");
}

/// Who writes to a connection that is closed gets no signal, and still reads what came before.
#[test]
fn what_came_before_the_end_is_read_although_nothing_can_be_sent() {
    let (mut link, mut peer) = half();
    peer.write_all(&encoded(head(0), &[], &contents(0, 10)))
        .unwrap();
    drop(peer);
    assert!(send(&mut link, 1, 0, 10) && send(&mut link, 1, 0, 10));
    assert_eq!(link.lost().count(), 1);
    let mut sink = Kept::default();
    until(&mut link, &mut sink, "read", |link, _| !link.pending());
    check(&sink, 1, &[10]);
}

#[test]
fn what_is_no_frame_ends_the_connection_and_says_so() {
    let wide = Head {
        kind: 9,
        inline: INLINE as u16 + 1,
        ..Head::default()
    };
    let flags = Head {
        kind: 9,
        flags: 0x18,
        ..Head::default()
    };
    let long = prefix(
        &Head {
            kind: 9,
            ..Head::default()
        },
        LONGEST_BODY + 1,
    );
    for (bytes, says) in [
        (
            prefix(&wide, 0),
            "a frame of kind 9 with 41 bytes beside its head, of at most 40",
        ),
        (
            long,
            "a frame of kind 9 with a body of 262145 bytes, of at most 262144",
        ),
        (prefix(&flags, 0), "a frame of kind 9 with flags 0x18"),
    ] {
        let (mut link, mut peer) = half();
        let mut sink = Kept::default();
        peer.write_all(&encoded(head(0), &[], &contents(0, 5)))
            .unwrap();
        peer.write_all(&bytes).unwrap();
        until(&mut link, &mut sink, "lost", |link, _| {
            link.lost().next().is_some()
        });
        check(&sink, 1, &[5]);
        let (_, error) = link.lost().next().unwrap();
        assert_eq!(
            (error.kind(), error.to_string()),
            (ErrorKind::InvalidData, says.into())
        );
        assert!(!link.pending(), "nobody listens any more");
        // The other side learns of it.
        assert_eq!(peer.read(&mut [0; 8]).unwrap(), 0);
    }
}

/// Back-pressure: beyond the limit nothing is taken, and what was refused has left no trace.
#[test]
fn a_backlog_is_bounded() {
    const LIMIT: usize = 100_000;
    for oneself in [false, true] {
        let [stream, theirs] = unix();
        let link = Sockets::with_backlog(ProcId(0), 2, [(ProcId(1), stream)], LIMIT);
        let mut link = link.unwrap();
        let to = u32::from(!oneself);
        let mut sent = 0;
        while send(&mut link, to, sent, 5000) {
            sent += 1;
            assert!(sent < 10_000, "nothing fills it");
        }
        for _ in 0..10 {
            assert!(!send(&mut link, to, sent, 1));
        }
        let peer = &link.peers[to as usize];
        let waiting = peer.outbox.len() + peer.inbox.len();
        assert!((LIMIT..LIMIT + 6000).contains(&waiting), "{waiting}");
        assert_eq!(link.drained(), oneself);
        let mut sink = Kept::default();
        if oneself {
            until(&mut link, &mut sink, "all", |link, _| !link.pending());
        } else {
            let streams = [(ProcId(0), theirs)];
            let mut other = Sockets::new(ProcId(1), 2, streams).unwrap();
            let deadline = Instant::now() + DEADLINE;
            while !link.drained() || other.pending() {
                assert!(Instant::now() < deadline, "{} of {sent}", sink.frames.len());
                other.poll(&mut sink);
                link.poll(&mut Kept::default());
            }
        }
        assert!(send(&mut link, to, sent, 1), "there is room again");
        check(&sink, 0, &vec![5000; sent]);
    }
}

/// Buffers belong to who has something in them, and not to each peer that ever had.
#[test]
fn nobody_keeps_memory_for_what_has_passed() {
    const PEERS: usize = 9;
    let pairs: Vec<[OwnedFd; 2]> = (1..PEERS).map(|_| unix()).collect();
    let (mut streams, mut others) = (Vec::new(), Vec::new());
    for (number, [mine, theirs]) in (1..).zip(pairs) {
        streams.push((ProcId(number), mine));
        let streams = [(ProcId(0), theirs)];
        others.push(Sockets::new(ProcId(number), PEERS, streams).unwrap());
    }
    let mut one = Sockets::new(ProcId(0), PEERS, streams).unwrap();
    let mut sink = Kept::default();
    // Short enough that it is not read to where it goes, and so much that it waits on both sides.
    for round in 0..3 {
        for (peer, other) in (1..).zip(&mut others) {
            while send(&mut one, peer, 0, 10_000) {}
            assert!(one.peers[peer as usize].outbox.room() >= BACKLOG);
            for _ in 0..5 {
                assert!(send(other, 0, 0, 20_000), "round {round}");
            }
        }
        let deadline = Instant::now() + DEADLINE;
        while !one.drained()
            || others
                .iter()
                .any(|other| !other.drained() || other.pending())
        {
            assert!(Instant::now() < deadline, "{} frames", sink.frames.len());
            one.poll(&mut sink);
            for other in &mut others {
                other.poll(&mut Kept::default());
            }
        }
        until(&mut one, &mut sink, "all", |link, _| !link.pending());
        assert_eq!(sink.frames.len(), (round + 1) * 5 * (PEERS - 1));
        for link in others.iter().chain([&one]) {
            let rooms = link
                .peers
                .iter()
                .map(|peer| peer.outbox.room() + peer.inbox.room());
            assert_eq!(rooms.sum::<usize>(), 0);
            assert!(
                (1..=inbox::KEPT).contains(&link.spare.len()),
                "{}",
                link.spare.len()
            );
        }
    }
}

/// Who has enough leaves what is behind it, which is found without another look at the system.
#[test]
fn what_nobody_wants_yet_stays() {
    let [mut one, mut other] = linked(unix());
    (0..5).for_each(|number| assert!(send(&mut one, 1, number, 50)));
    let mut sink = Kept::default();
    for frames in 1..=5 {
        sink.most = Some(frames);
        assert!(other.pending());
        assert_eq!(other.poll(&mut sink), 1);
    }
    sink.most = None;
    assert_eq!(other.poll(&mut sink), 0);
    assert!(!other.pending());
    check(&sink, 0, &[50; 5]);
}

#[test]
fn who_holds_too_much_tells_its_senders() {
    let [mut one, mut other] = linked(unix());
    let (mut sink, mut calm) = (Kept::default(), Kept::default());
    for congested in [true, false, true] {
        sink.congested = congested;
        for (from, to) in [(0, 1), (1, 1)] {
            let link = if from == 0 { &mut one } else { &mut other };
            assert!(send(link, to, 0, 50));
        }
        other.poll(&mut sink);
        assert_eq!(one.poll(&mut calm), 0, "that is no frame of the protocol's");
        assert_eq!(one.congested(ProcId(1)), congested);
        assert_eq!(other.congested(ProcId(1)), congested);
        assert!(!other.congested(ProcId(0)));
    }
}

proptest! {
    #![proptest_config(cases(200))]
    /// Whatever comes, in whatever portions: frames, or an error. Those that are right before it are delivered.
    #[test]
    fn nothing_that_comes_is_a_surprise(
        right in proptest::collection::vec(
            (0..50usize, prop_oneof![0..300usize, 32_000..34_000usize, Just(LONGEST_BODY)]), 0..4),
        broken in (0..50usize, 0..300usize),
        changes in changes(),
        noise in noise(400),
        portion in prop_oneof![1..100usize, 1000..100_000usize],
        places in any::<bool>(),
    ) {
        let (mut link, mut peer) = half();
        let mut sink = Kept { place: places.then(Vec::new), ..Kept::default() };
        let frame = |&(number, bytes): &(usize, usize)| {
            let said = contents(number, number % (INLINE + 1));
            encoded(head(number), &said, &contents(number, bytes))
        };
        let broken = changed(frame(&broken), &changes);
        let bytes = [right.iter().flat_map(frame).collect(), broken, noise].concat();
        let most = if bytes.len() > 2000 { portion.max(500) } else { portion };
        for portion in bytes.chunks(most) {
            // Nobody may listen any more, and what is not read leaves no room.
            peer.set_nonblocking(true).unwrap();
            let mut rest = portion;
            while !rest.is_empty() && link.lost().next().is_none() {
                rest = &rest[peer.write(rest).unwrap_or(0)..];
                // What the link needs itself: the rest is what has come.
                let kept = 2 * bytes.len();
                within(4 * inbox::KEPT + kept, || link.poll(&mut sink));
            }
        }
        for ((_, _, _, body), (number, bytes)) in sink.frames.iter().zip(&right) {
            prop_assert!(*body == contents(*number, *bytes));
        }
        prop_assert!(sink.frames.len() >= right.len());
        drop(peer);
        until(&mut link, &mut sink, "the end", |link, _| link.lost().next().is_some());
        let delivered: usize = sink.frames.iter().map(|(_, _, said, body)| {
            PREFIX + said.len() + body.len()
        }).sum();
        prop_assert!(delivered <= bytes.len());
    }
}

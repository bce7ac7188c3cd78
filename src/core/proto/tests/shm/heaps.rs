//! Short announced messages that no receive has met.

use super::*;

const LONG: usize = EAGER_LIMIT as usize;

/// Processes that announce what lies in their heaps. Unless it `reaches`, the last one cannot read there.
fn world(size: usize, reaches: bool) -> Vec<Proto<Shm>> {
    let world = world_over(size, |segment| {
        let direct = match !reaches && segment.me() + 1 == size {
            true => Direct::Never,
            false => Direct::Both,
        };
        Shm::tested(segment, direct, &Limits::ALWAYS)
    });
    if !reaches {
        world[size - 1].link().segment().refuse_heaps();
    }
    world
}

/// A message in the heap.
struct Lent {
    contents: Vec<u8>,
    data: Data,
}

impl Lent {
    fn new(segment: &Segment, number: usize) -> Lent {
        let block = segment.allocate(LONG, 64);
        let block = block.expect("the system has memory files");
        let data = Data::tested(block, LONG as u64, bytes());
        let contents: Vec<u8> = (0..LONG).map(|index| content(number, index)).collect();
        data.unpack(0, &contents);
        Lent { contents, data }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        crate::shm::heap::release(self.data.base().pointer());
    }
}

fn start(from: &mut Proto<Shm>, to: u32, tag: i32, out: &Lent, synchronous: bool) -> OpId {
    let envelope = envelope(from.link().me().0, tag);
    let send = from.send(ProcId(to), envelope, &out.data, synchronous);
    send.expect("it is announced")
}

fn take(by: &mut Proto<Shm>, tag: i32, into: &mut [u8]) -> OpId {
    by.receive(pattern(None, Some(tag)), data(into))
}

fn protocol_errors(world: &[Proto<Shm>]) -> u64 {
    world.iter().map(|proto| proto.state.protocol_errors).sum()
}

/// Two wait for their sends before they receive, and so does one that sends to itself.
#[test]
fn who_waits_for_its_send_first_is_buffered() {
    for (size, reaches) in [(2, true), (2, false), (1, true)] {
        let mut world = world(size, reaches);
        let out: Vec<Lent> = (0..size)
            .map(|me| Lent::new(world[me].link().segment(), me))
            .collect();
        let other = |me: usize| (me + 1) % size;
        let sends: Vec<OpId> = (0..size)
            .map(|me| start(&mut world[me], other(me) as u32, 1, &out[me], false))
            .collect();
        settle(&mut world);
        for (me, send) in sends.into_iter().enumerate() {
            assert!(world[me].finish(send).is_some());
            // The buffer is the sender's again.
            out[me].data.unpack(0, &vec![0; LONG]);
        }
        for me in 0..size {
            let mut into = vec![0; LONG];
            let receive = take(&mut world[me], 1, &mut into);
            assert_eq!(world[me].finish(receive).unwrap().message, LONG as u64);
            assert_eq!(into, out[other(me)].contents);
            assert_eq!(world[me].unexpected_bytes(), 0);
            assert!(
                world[me].state.copyable.is_empty() && world[me].state.peers[0].asked.is_empty()
            );
        }
        assert_eq!(protocol_errors(&world), 0);
    }
}

/// What has been asked for meets its receive before its bytes come, also one that is too short, or nobody.
#[test]
fn what_is_asked_for_is_received_or_dropped() {
    let mut world = world(2, false);
    let segment = *world[0].link().segment();
    let out: Vec<Lent> = (0..5).map(|tag| Lent::new(&segment, tag)).collect();
    let sends: Vec<OpId> = (0..5)
        .map(|tag| start(&mut world[0], 1, tag, &out[tag as usize], false))
        .collect();
    // The announcements; the questions.
    world[1].progress();
    world[1].progress();
    let (mut whole, mut part, mut late) = (vec![0; LONG], vec![0; 100], vec![0; LONG]);
    let met = [
        take(&mut world[1], 1, &mut whole),
        take(&mut world[1], 0, &mut part),
        take(&mut world[1], 2, &mut []),
    ];
    let probed = world[1].take_matched(&pattern(Some(0), Some(3))).unwrap();
    // A sender that wants it back comes too late.
    assert!(!world[0].cancel(sends[4]));
    settle(&mut world);
    let outcomes = met.map(|id| world[1].finish(id).unwrap());
    let lengths = outcomes.map(|outcome| outcome.status.bytes);
    assert_eq!(lengths, [LONG as u64, 100, 0]);
    assert!(outcomes.iter().all(|o| o.message == LONG as u64));
    let receive = world[1].receive_matched(probed, data(&mut late));
    assert!(world[1].finish(receive).is_some());
    assert!(whole == out[1].contents && part == out[0].contents[..100] && late == out[3].contents);
    for send in &sends {
        let outcome = world[0].finish(*send).unwrap();
        assert_eq!(outcome.status.cancelled, Cancelled::No);
    }
    // One is here and will not be received, another one has only been asked for.
    let send = start(&mut world[0], 1, 5, &out[4], false);
    world[1].progress();
    world[1].progress();
    world[1].drop_context(0);
    settle(&mut world);
    assert!(world[0].finish(send).is_some());
    assert!(world[1].state.peers[0].asked.is_empty());
    assert_eq!(protocol_errors(&world), 0);
}

/// A synchronous message ends with its receive, and one that is taken back does not come. Nobody buffers more than
/// half of what makes it ask for announcements.
#[test]
fn some_are_left_where_they_are() {
    let mut world = world(2, true);
    let segment = *world[0].link().segment();
    let out = Lent::new(&segment, 1);
    let mut into = vec![0; LONG];
    let send = start(&mut world[0], 1, 1, &out, true);
    settle(&mut world);
    assert!(world[0].finish(send).is_none());
    let receive = take(&mut world[1], 1, &mut into);
    settle(&mut world);
    assert!(world[0].finish(send).is_some() && world[1].finish(receive).is_some());
    assert!(into == out.contents);

    let send = start(&mut world[0], 1, 1, &out, false);
    arrive(&mut world[1]);
    assert!(!world[0].cancel(send));
    arrive(&mut world[1]);
    assert!(world[1].state.copyable.is_empty());
    settle(&mut world);
    let outcome = world[0].finish(send).unwrap();
    assert_eq!(outcome.status.cancelled, Cancelled::Yes);

    let more = loop {
        let send = start(&mut world[0], 1, 2, &out, false);
        settle(&mut world);
        if world[0].finish(send).is_none() {
            break send;
        }
        assert!(world[1].unexpected_bytes() <= CONGESTED_BYTES);
    };
    assert_eq!(world[1].state.copyable.len(), 1);
    while world[1].unexpected() > 0 {
        let receive = take(&mut world[1], 2, &mut into);
        settle(&mut world);
        assert!(world[1].finish(receive).is_some() && into == out.contents);
    }
    assert!(world[0].finish(more).is_some());
    assert!(world[1].state.copyable.is_empty());
}

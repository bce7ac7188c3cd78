//! Ports, processes that become known later, and connections that neither side needs.

use super::tests::{Came, SOON, process, run, send_soon, world};
use super::*;

/// Lets a visit and the process that it goes to go on until it is over.
fn visited(
    tcp: &mut Tcp,
    visit: &mut Visit,
    secret: &Secret,
) -> Result<(Held<TcpStream>, Held<TcpStream>), String> {
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut come = None;
    loop {
        assert!(Instant::now() < deadline, "nobody comes: {}", visit.last());
        tcp.poll(&mut Came::default());
        come = come.or_else(|| tcp.visitor(secret));
        if let Some(stream) = visit.poll()? {
            let come = come.expect("it was let in");
            return Ok((stream, come));
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

fn visit(tcp: &Tcp, secret: &Secret) -> Visit {
    let addresses = tcp.addresses().to_vec();
    Visit::new(process(77), process(0), secret, addresses, SOON)
}

#[test]
fn who_knows_the_secret_of_a_port_is_let_in() {
    let mut world = world(2);
    let tcp = &mut world[0].0;
    let (secret, other) = (Secret([1; 32]), Secret([2; 32]));
    tcp.open_port(&secret);
    assert!(tcp.is_open(&secret) && !tcp.is_open(&other));
    for number in 0..3 {
        let mut guest = visit(tcp, &secret);
        let (mut there, mut here) = visited(tcp, &mut guest, &secret).unwrap();
        there.write_all(&[number; 9]).unwrap();
        let mut said = [0; 9];
        here.set_nonblocking(false).unwrap();
        here.set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        here.read_exact(&mut said).unwrap();
        assert_eq!(said, [number; 9]);
    }
    let mut stranger = visit(tcp, &other);
    let error = visited(tcp, &mut stranger, &other).map(drop).unwrap_err();
    assert!(error.contains("secret"), "{error}");
    // Who gives up before it was let in is nobody's visitor.
    let mut early = visit(tcp, &secret);
    let until = Instant::now() + Duration::from_millis(200);
    while Instant::now() < until {
        tcp.poll(&mut Came::default());
        assert!(matches!(early.poll(), Ok(None)), "nobody has let it in");
    }
    drop(early);
    std::thread::sleep(Duration::from_millis(20));
    assert!(tcp.visitor(&secret).is_none());
    tcp.close_port(&secret);
    let mut late = visit(tcp, &secret);
    assert!(visited(tcp, &mut late, &secret).is_err());
}

#[test]
fn processes_become_known_while_others_talk() {
    // Two worlds of one, which know each other by a secret of their own.
    let mut worlds = [world(1).remove(0), world(1).remove(0)];
    let names = [process(0), process(9)];
    worlds[1].0.me = names[1];
    let secret = Secret([5; 32]);
    let addresses = [0, 1].map(|at: usize| worlds[at].0.addresses().to_vec());
    for (me, other) in [(0, 1), (1, 0)] {
        worlds[me]
            .0
            .know(names[other], addresses[other].clone(), &secret);
        assert_eq!(worlds[me].0.processes(), 2);
    }
    let mut came = [Came::default(), Came::default()];
    for id in 0..5 {
        send_soon(&mut worlds, 0, 1, id, &mut came);
        send_soon(&mut worlds, 1, 1, id, &mut came);
    }
    run(&mut worlds, &mut came, |came| {
        came.iter().all(|came| came.0.len() == 5)
    });
    assert!(worlds.iter().all(|(_, ends)| ends.borrow().is_empty()));
}

#[test]
fn connections_that_neither_side_needs_are_closed_and_made_anew() {
    let mut world = world(2);
    let mut came = [Came::default(), Came::default()];
    for round in 1..=5 {
        // Who calls takes turns.
        let (from, to) = (round % 2, 1 - round % 2);
        send_soon(&mut world, from, to as u32, round as u32, &mut came);
        run(&mut world, &mut came, |came| !came[to].0.is_empty());
        world[0].0.part_from(ProcId(1));
        if round == 3 {
            // One of them has something to say all the same.
            send_soon(&mut world, 0, 1, 99, &mut came);
            world[0].0.part_from(ProcId(1));
        }
        world[1].0.part_from(ProcId(0));
        let deadline = Instant::now() + Duration::from_secs(20);
        while world.iter().any(|(tcp, _)| tcp.sockets.has_connections()) {
            assert!(Instant::now() < deadline, "a connection stays");
            for ((tcp, _), came) in world.iter_mut().zip(came.iter_mut()) {
                tcp.poll(came);
            }
        }
        let all = std::mem::take(&mut came[to].0);
        assert_eq!(all[0], (from as u32, round as u32));
        came = [Came::default(), Came::default()];
    }
    assert!(world.iter().all(|(_, ends)| ends.borrow().is_empty()));
}

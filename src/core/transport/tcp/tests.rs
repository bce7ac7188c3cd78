//! Several processes in one, which reach each other over the loopback interface.
#![allow(unsafe_code)]

use super::*;
use crate::garbage_tests::{cases, changed, changes, noise, within};
use crate::processes::Job;
use crate::wire::Pieces;
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

pub(super) const SOON: Times = Times {
    address: Duration::from_millis(300),
    stranger: Duration::from_millis(300),
    give_up: Duration::from_millis(1500),
    again: Duration::from_millis(20),
    known_elsewhere: Duration::from_millis(100),
    unanswered: Duration::from_millis(500),
    look: Duration::from_millis(50),
};

/// Why processes have ended their job.
pub(super) type Ends = Rc<RefCell<Vec<String>>>;

fn listening() -> Listening {
    let variable =
        |name: &str| (name == "MPI_ANYMPI_TCP_INTERFACES").then(|| "127.0.0.1/32".into());
    Listening::start(&Wishes::read(variable).unwrap()).unwrap()
}

pub(super) fn process(index: u32) -> Process {
    let job = Job::named("tests");
    Process { job, index }
}

/// One process after the other, each with its secret, and what it says at its end.
fn world_of(secrets: &[[u8; 32]], mend: impl Fn(&mut Vec<Vec<SocketAddr>>)) -> Vec<(Tcp, Ends)> {
    let all: Vec<Listening> = secrets.iter().map(|_| listening()).collect();
    let mut addresses: Vec<_> = all.iter().map(|one| one.addresses.clone()).collect();
    mend(&mut addresses);
    let each = (0..).map(ProcId).zip(secrets).zip(all);
    each.map(|((me, secret), listening)| {
        let addresses = addresses.clone();
        let contacts = Contacts {
            processes: (0..secrets.len() as u32).map(process).collect(),
            addresses: Box::new(move |who| Ok(addresses[who.index as usize].clone())),
            secret: Secret(*secret),
        };
        let ends = Ends::default();
        let said = ends.clone();
        let end_job = move |what: &str| said.borrow_mut().push(what.to_owned());
        let tcp = Tcp::new(me, contacts, listening, end_job)
            .unwrap()
            .timed(SOON);
        (tcp, ends)
    })
    .collect()
}

pub(super) fn world(size: usize) -> Vec<(Tcp, Ends)> {
    world_of(&vec![[7; 32]; size], |_| ())
}

/// What has come: from whom, and which number.
#[derive(Default)]
pub(super) struct Came(pub(super) Vec<(u32, u32)>);

impl Sink for Came {
    fn frame<'a>(
        &mut self,
        from: ProcId,
        head: &Head,
        _: &'a [u8],
        body: &dyn Fn(usize) -> Pieces<'a>,
    ) -> usize {
        self.0.push((from.0, head.id));
        let Pieces(first, second) = body(usize::MAX);
        first.len() + second.len()
    }

    fn enough(&self) -> bool {
        false
    }

    fn congested(&self, _: ProcId, _: bool) -> bool {
        false
    }
}

/// Lets all processes go on until what has come is enough.
pub(super) fn run(world: &mut [(Tcp, Ends)], came: &mut [Came], enough: impl Fn(&[Came]) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !enough(came) {
        assert!(Instant::now() < deadline, "nothing more comes");
        for ((tcp, _), came) in world.iter_mut().zip(came.iter_mut()) {
            tcp.poll(came);
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// Lets all processes go on until one has ended its job.
fn until_the_end(world: &mut [(Tcp, Ends)]) -> String {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        assert!(Instant::now() < deadline, "nobody ends");
        for (tcp, ends) in world.iter_mut() {
            tcp.poll(&mut Came::default());
            if let Some(why) = ends.borrow().first() {
                return why.clone();
            }
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

fn send(tcp: &mut Tcp, to: u32, id: u32) -> bool {
    let head = Head {
        id,
        ..Head::default()
    };
    tcp.frame(ProcId(to), head, &[1, 2, 3], None)
}

/// Sends as soon as there is a connection.
pub(super) fn send_soon(
    world: &mut [(Tcp, Ends)],
    from: usize,
    to: u32,
    id: u32,
    came: &mut [Came],
) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !send(&mut world[from].0, to, id) {
        assert!(Instant::now() < deadline, "there is no connection");
        for ((tcp, _), came) in world.iter_mut().zip(came.iter_mut()) {
            tcp.poll(came);
        }
    }
}

#[test]
fn those_that_call_each_other_at_once_have_one_connection() {
    for _ in 0..20 {
        let mut world = world(3);
        let mut came: Vec<Came> = (0..3).map(|_| Came::default()).collect();
        for from in 0..3 {
            for to in (0..3).filter(|to| *to != from) {
                // All call before any looks who calls it.
                assert!(
                    !send(&mut world[from as usize].0, to, 0),
                    "it is not connected yet"
                );
            }
        }
        for id in 0..10 {
            for from in 0..3 {
                for to in (0..3).filter(|to| *to != from) {
                    send_soon(&mut world, from as usize, to, id, &mut came);
                }
            }
        }
        run(&mut world, &mut came, |came| {
            came.iter().all(|came| came.0.len() == 20)
        });
        for (me, came) in came.iter().enumerate() {
            for from in (0..3).filter(|from| *from != me as u32) {
                let ids = came.0.iter().filter(|(other, _)| *other == from);
                let ids: Vec<u32> = ids.map(|(_, id)| *id).collect();
                assert_eq!(ids, (0..10).collect::<Vec<_>>());
            }
        }
        assert!(world.iter().all(|(_, ends)| ends.borrow().is_empty()));
        let calls = world.iter().map(|(tcp, _)| tcp.targets.len());
        assert_eq!(calls.sum::<usize>(), 0);
    }
}

#[test]
fn strangers_are_closed_and_counted() {
    let mut world = world(2);
    let mut came: Vec<Came> = (0..2).map(|_| Came::default()).collect();
    let address = world[1].0.listening.addresses[0];
    let mut strangers = Vec::new();
    for number in 0..50u8 {
        let mut stranger = TcpStream::connect(address).unwrap();
        let noise: Vec<u8> = (0..number.into())
            .map(|at: u32| (at as u8) ^ number)
            .collect();
        stranger.write_all(&noise).unwrap();
        // Some go away, others stay and say nothing more.
        if number % 2 == 0 {
            strangers.push(stranger);
        }
    }
    send_soon(&mut world, 0, 1, 5, &mut came);
    run(&mut world, &mut came, |came| !came[1].0.is_empty());
    let deadline = Instant::now() + Duration::from_secs(20);
    while world[1].0.strangers() < 50 {
        assert!(
            Instant::now() < deadline,
            "{} strangers",
            world[1].0.strangers()
        );
        world[1].0.poll(&mut came[1]);
        std::thread::sleep(Duration::from_micros(100));
    }
    for stranger in &mut strangers {
        let _ = stranger.set_read_timeout(Some(Duration::from_secs(20)));
        // What it gets is the end, or a reset as it has not been listened to.
        assert!(matches!(stranger.read(&mut [0; 8]), Ok(0) | Err(_)));
    }
    assert_eq!(came[1].0, [(0, 5)]);
    assert!(world[1].1.borrow().is_empty());
}

#[test]
fn who_does_not_know_the_secret_is_not_let_in() {
    let mut world = world_of(&[[7; 32], [8; 32]], |_| ());
    assert!(!send(&mut world[0].0, 1, 5), "nobody is there");
    let why = until_the_end(&mut world);
    assert!(why.contains("process 1 of job"), "{why}");
    assert!(why.contains("does not know this job's secret"), "{why}");
}

#[test]
fn an_address_that_does_not_answer_is_passed_over() {
    // One where nobody listens, and one where another process does.
    let nobody = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut world = world_of(&[[7; 32]; 3], |addresses| {
        let another = addresses[2][0];
        addresses[1].insert(0, another);
        addresses[1].insert(0, nobody);
    });
    let mut came: Vec<Came> = (0..3).map(|_| Came::default()).collect();
    send_soon(&mut world, 0, 1, 5, &mut came);
    run(&mut world, &mut came, |came| !came[1].0.is_empty());
    assert_eq!((world[2].0.strangers(), came[2].0.len()), (1, 0));
}

#[test]
fn who_cannot_be_reached_is_named() {
    let nobody = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut world = world_of(&[[7; 32]; 2], |addresses| addresses[1] = vec![nobody]);
    assert!(!send(&mut world[0].0, 1, 5), "nobody is there");
    let why = until_the_end(&mut world);
    assert!(
        why.contains(&nobody.to_string()) && why.contains("refused"),
        "{why}"
    );
}

#[test]
fn who_leaves_is_not_lost_and_who_ends_is() {
    for leaves in [true, false] {
        let mut world = world(2);
        let mut came: Vec<Came> = (0..2).map(|_| Came::default()).collect();
        send_soon(&mut world, 0, 1, 5, &mut came);
        run(&mut world, &mut came, |came| !came[1].0.is_empty());
        let (mut gone, _) = world.pop().unwrap();
        if leaves {
            gone.leave();
        }
        drop(gone);
        if !leaves {
            let why = until_the_end(&mut world);
            assert!(why.contains("connection to process 1"), "{why}");
            continue;
        }
        let until = Instant::now() + 3 * SOON.known_elsewhere;
        while Instant::now() < until {
            world[0].0.poll(&mut came[0]);
        }
        assert!(world[0].1.borrow().is_empty());
        // Frames to it are dropped.
        assert!(send(&mut world[0].0, 1, 6));
    }
}

/// However long a process does not look at its connections, others wait for it, and are connected in the end.
#[test]
fn a_process_may_look_away() {
    for away in [0, 1] {
        let mut world = world(2);
        let mut came: Vec<Came> = (0..2).map(|_| Came::default()).collect();
        assert!(!send(&mut world[0].0, 1, 5));
        // Longer than any of the times, once before the call is answered, and once more before it is proved.
        for looks in [1 - away, away, 1 - away, away] {
            let until = Instant::now() + 2 * SOON.give_up;
            while Instant::now() < until {
                world[looks].0.poll(&mut came[looks]);
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        send_soon(&mut world, 0, 1, 6, &mut came);
        run(&mut world, &mut came, |came| !came[1].0.is_empty());
        assert_eq!(came[1].0, [(0, 6)]);
        assert!(world.iter().all(|(_, ends)| ends.borrow().is_empty()));
    }
}

/// A process that reads nothing for a long time is not dead: its system answers.
#[test]
fn a_full_connection_is_not_a_dead_one() {
    let mut world = world(2);
    let mut came: Vec<Came> = (0..2).map(|_| Came::default()).collect();
    send_soon(&mut world, 0, 1, 0, &mut came);
    let mut sent = 1;
    while send(&mut world[0].0, 1, sent) {
        sent += 1;
        assert!(sent < 10_000_000, "it takes everything");
    }
    assert!(!world[0].0.flushed(ProcId(1)));
    let until = Instant::now() + 4 * SOON.unanswered;
    while Instant::now() < until {
        world[0].0.poll(&mut came[0]);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(world[0].1.borrow().is_empty());
    run(&mut world, &mut came, |came| came[1].0.len() as u32 == sent);
    assert!(came[1].0.iter().map(|(_, id)| *id).eq(0..sent));
    assert!(world[0].0.flushed(ProcId(1)));
}

/// Strangers that stay and say nothing keep nobody out.
#[test]
fn many_strangers_keep_nobody_out() {
    let mut world = world(2);
    let mut came: Vec<Came> = (0..2).map(|_| Came::default()).collect();
    let address = world[1].0.listening.addresses[0];
    let mut strangers = Vec::new();
    for _ in 0..STRANGERS + 50 {
        strangers.push(TcpStream::connect(address).unwrap());
        world[1].0.poll(&mut came[1]);
    }
    send_soon(&mut world, 0, 1, 5, &mut came);
    run(&mut world, &mut came, |came| !came[1].0.is_empty());
    assert!(world[1].0.strangers() >= 50);
    drop(strangers);
}

proptest! {
    #![proptest_config(cases(30))]
    /// Whatever strangers say, and whether they stay: they are counted, and who belongs to the job is let in.
    #[test]
    fn nothing_that_strangers_say_lets_them_in(
        all in proptest::collection::vec((noise(300), changes(), any::<bool>(), any::<bool>()), 1..30),
    ) {
        let mut world = world(2);
        let mut came: Vec<Came> = (0..2).map(|_| Came::default()).collect();
        let address = world[1].0.listening.addresses[0];
        let mut strangers = Vec::new();
        let count = all.len() as u64;
        for (noise, changes, greets, stays) in all {
            let mut stranger = TcpStream::connect(address).unwrap();
            // One who knows whom to ask for, and not the secret.
            let greeting = Caller::new(process(0), process(1), Secret([7; 32]).id(), &[3; 32]).greeting().to_vec();
            let said = match greets {
                true => [changed(greeting, &changes), noise].concat(),
                false => noise,
            };
            stranger.write_all(&said).unwrap();
            within(200_000, || world[1].0.poll(&mut came[1]));
            if stays {
                strangers.push(stranger);
            }
        }
        send_soon(&mut world, 0, 1, 5, &mut came);
        let deadline = Instant::now() + Duration::from_secs(20);
        while world[1].0.strangers() < count || came[1].0.is_empty() {
            prop_assert!(Instant::now() < deadline, "{} strangers", world[1].0.strangers());
            for ((tcp, _), came) in world.iter_mut().zip(&mut came) {
                tcp.poll(came);
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        prop_assert_eq!(&came[1].0, &[(0, 5)]);
        prop_assert!(world[1].1.borrow().is_empty());
    }
}

/// A child of a fork keeps no connection open: the other side sees that this process has ended, although the child has not.
#[test]
fn who_ends_is_lost_although_a_child_of_it_lives() {
    let mut world = world(2);
    let mut came: Vec<Came> = (0..2).map(|_| Came::default()).collect();
    send_soon(&mut world, 0, 1, 5, &mut came);
    run(&mut world, &mut came, |came| !came[1].0.is_empty());
    let (mine, mut theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    // SAFETY: the child calls nothing but functions that are safe in a signal handler.
    let child = match unsafe { nix::unistd::fork() }.unwrap() {
        nix::unistd::ForkResult::Child => {
            drop(mine);
            // It lives as long as this test.
            let _ = nix::unistd::read(&theirs, &mut [0]);
            // SAFETY: as above.
            unsafe { libc::_exit(0) }
        }
        nix::unistd::ForkResult::Parent { child } => child,
    };
    let address = world[1].0.listening.addresses[0];
    drop(world.pop());
    let why = until_the_end(&mut world);
    assert!(why.contains("connection to process 1"), "{why}");
    let refused = TcpStream::connect(address).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
    let lives = nix::sys::wait::waitpid(child, Some(nix::sys::wait::WaitPidFlag::WNOHANG));
    assert_eq!(lives, Ok(nix::sys::wait::WaitStatus::StillAlive));
    drop(mine);
    let _ = theirs.write(&[0]);
    nix::sys::wait::waitpid(child, None).unwrap();
}

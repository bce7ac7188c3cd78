//! Processes that meet, each played by a thread, over the loopback interface.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Barrier;

use super::*;

/// How those who have met end with their job: what they are told is kept.
static ENDED: Mutex<Vec<(i32, String)>> = Mutex::new(Vec::new());

fn keep(status: i32, why: &str) {
    ENDED.lock().unwrap().push((status, why.to_owned()));
}

/// What somebody has been told whose job has ended with such words.
fn ended_with(words: &str, times: usize) -> Vec<(i32, String)> {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let all = ENDED.lock().unwrap().clone();
        let found: Vec<_> = all
            .iter()
            .filter(|(_, why)| why.contains(words))
            .cloned()
            .collect();
        if found.len() >= times {
            return found;
        }
        assert!(
            Instant::now() < until,
            "nobody has heard '{words}': {all:?}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A port that nobody listens at.
fn port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn at(ports: &[u16]) -> Where {
    Where::Ports {
        host: "127.0.0.1".into(),
        ports: ports.to_vec(),
    }
}

fn plan(at: Where, rank: Option<u32>, size: Option<u32>) -> Plan {
    Plan {
        name: "a test",
        group: "tests".into(),
        at,
        may_serve: true,
        secret: Secret([7; 32]),
        rank,
        size,
        wait: Duration::from_secs(30),
        hint: "hint".into(),
    }
}

fn meets(plan: Plan) -> Result<Rendezvous> {
    let met = Rendezvous::meet(plan, keep)?;
    Ok(met.expect("nobody has started this process"))
}

/// Those who follow these plans, each in a thread of its own, in the order of the plans.
fn meet(plans: Vec<Plan>) -> Vec<Result<Rendezvous>> {
    let meet = |plan| std::thread::spawn(move || meets(plan));
    let threads: Vec<_> = plans.into_iter().map(meet).collect();
    let join = |thread: JoinHandle<_>| thread.join().unwrap();
    threads.into_iter().map(join).collect()
}

fn all(met: Vec<Result<Rendezvous>>) -> Vec<Rendezvous> {
    met.into_iter().map(|one| one.unwrap()).collect()
}

/// All go through a fence and leave.
fn part(met: Vec<Rendezvous>) {
    let size = met.len();
    let part = |mut one: Rendezvous| {
        std::thread::spawn(move || {
            let me = one.identity.index;
            one.put("k", format!("value of {me}").as_bytes()).unwrap();
            one.fence().unwrap();
            for other in 0..size {
                let value = one.get(other, "k").unwrap().unwrap();
                assert_eq!(value, format!("value of {other}").as_bytes());
            }
            assert!(one.get(0, "other").unwrap().is_none());
            one.finalize().unwrap();
        })
    };
    let threads: Vec<_> = met.into_iter().map(part).collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
}

fn assert_ranks(met: &[Rendezvous]) {
    let mut ranks: Vec<usize> = met.iter().map(|one| one.identity.index).collect();
    ranks.sort_unstable();
    assert_eq!(ranks, (0..met.len()).collect::<Vec<_>>());
    assert!(met.iter().all(|one| one.identity.size == met.len()));
    assert!(
        met.iter()
            .all(|one| one.identity.job == met[0].identity.job)
    );
    let serving = met.iter().filter(|one| one.serves.is_some());
    assert_eq!(serving.count(), 1);
}

#[test]
fn ranks_are_given_in_the_order_of_arrival() {
    let port = port();
    for _ in 0..2 {
        let plans = (0..16).map(|at_is| {
            let size = (at_is == 5).then_some(16);
            plan(at(&[port]), None, size)
        });
        let met = all(meet(plans.collect()));
        assert_ranks(&met);
        part(met);
        // The place is free again.
        TcpListener::bind(("127.0.0.1", port)).unwrap();
    }
}

#[test]
fn ranks_that_are_given_stay() {
    let port = port();
    let plans = (0..5).map(|rank| plan(at(&[port]), Some(4 - rank), Some(5)));
    let met = all(meet(plans.collect()));
    assert_ranks(&met);
    for (place, one) in met.iter().enumerate() {
        assert_eq!(one.identity.index, 4 - place);
    }
    part(met);
}

#[test]
fn processes_of_one_host_meet_without_a_port() {
    let plans = (0..4).map(|rank| Plan {
        group: format!("here-{}", std::process::id()),
        may_serve: rank == 0,
        ..plan(Where::Here, Some(rank), Some(4))
    });
    let met = all(meet(plans.collect()));
    assert_ranks(&met);
    assert!(met[0].serves.is_some());
    part(met);
}

#[test]
fn many_meet() {
    let port = port();
    let plans = (0..300).map(|rank| plan(at(&[port]), Some(rank), Some(300)));
    let met = all(meet(plans.collect()));
    assert_ranks(&met);
    part(met);
}

#[test]
fn what_does_not_fit_is_told_to_everybody() {
    for (said, what) in [
        (
            vec![(Some(1), Some(3)), (Some(1), Some(3))],
            "say that they are rank 1",
        ),
        (vec![(Some(0), Some(2)), (Some(2), Some(2))], "rank 2"),
        (vec![(None, Some(2)), (None, Some(3))], "processes, process"),
    ] {
        let port = port();
        let plans = said
            .iter()
            .map(|(rank, size)| plan(at(&[port]), *rank, *size));
        for one in meet(plans.collect()) {
            let error = one.err().unwrap();
            assert!(error.what().contains(what), "{error}");
            assert!(error.what().contains("a test: "), "{error}");
        }
    }
}

#[test]
fn who_is_missing_is_named_when_the_time_is_over() {
    let port = port();
    let plans = [0, 2].map(|rank| Plan {
        wait: Duration::from_secs(1),
        ..plan(at(&[port]), Some(rank), Some(4))
    });
    for one in meet(plans.to_vec()) {
        let error = one.err().unwrap();
        let what = "missing are ranks 1, 3; nobody more has come for 1 s";
        assert!(error.what().contains(what), "{error}");
    }
}

#[test]
fn a_place_where_nobody_serves_is_named() {
    let port = port();
    let alone = Plan {
        may_serve: false,
        wait: Duration::from_millis(300),
        ..plan(at(&[port]), Some(1), Some(2))
    };
    let error = meets(alone.clone()).err().unwrap();
    let what = format!("no process serves the others at 127.0.0.1:{port}");
    assert!(error.what().contains(&what), "{error}");
    assert!(error.what().contains("refused"), "{error}");
    // Another program is there, and silent.
    let _other = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let served = Plan {
        may_serve: true,
        ..alone
    };
    let error = meets(served).err().unwrap();
    assert!(error.what().contains("not this group's"), "{error}");
}

#[test]
fn another_secret_is_told_and_harms_nobody_else() {
    let port = port();
    let mut plans: Vec<Plan> = (0..3)
        .map(|rank| plan(at(&[port]), Some(rank), Some(3)))
        .collect();
    let stranger = Plan {
        secret: Secret([8; 32]),
        may_serve: false,
        ..plans[1].clone()
    };
    let last = plans.pop().unwrap();
    let first = std::thread::spawn(|| meet(plans));
    let error = meets(stranger).err().unwrap();
    assert!(error.what().contains("have another secret"), "{error}");
    let mut met = meet(vec![last]);
    met.extend(first.join().unwrap());
    let met = all(met);
    assert_ranks(&met);
    part(met);
}

#[test]
fn garbage_is_closed_and_the_others_meet() {
    let port = port();
    let mut plans: Vec<Plan> = (0..3)
        .map(|rank| plan(at(&[port]), Some(rank), Some(3)))
        .collect();
    let last = plans.pop().unwrap();
    let first = std::thread::spawn(|| meet(plans));
    let connect = || {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => return stream,
                Err(error) => assert!(Instant::now() < until, "{error}"),
            }
        }
    };
    // Some say nothing, and stay.
    let slow: Vec<TcpStream> = (0..300).map(|_| connect()).collect();
    for round in 0..100 {
        let mut stream = connect();
        let noise: Vec<u8> = sys::random_bytes::<200>()[round..].to_vec();
        // It may have been closed already.
        let _ = stream.write_all(&noise);
    }
    let mut http = connect();
    http.set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    http.write_all(&[b'G'; 100]).unwrap();
    let mut answer = Vec::new();
    // Closed, with or without bytes that nobody has read.
    let _ = http.read_to_end(&mut answer);
    assert!(answer.is_empty());
    drop(slow);
    let mut met = meet(vec![last]);
    met.extend(first.join().unwrap());
    let met = all(met);
    assert_ranks(&met);
    part(met);
}

#[test]
fn a_port_that_is_taken_is_passed_over() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let ports = [taken.local_addr().unwrap().port(), port(), port()];
    let restarted = |count: u32| -> Vec<Plan> {
        let plans = (0..3).map(|rank| Plan {
            group: format!("run-{count}"),
            may_serve: rank == 0,
            ..plan(at(&ports), Some(rank), Some(3))
        });
        plans.collect()
    };
    // Those of the first start are still there.
    let old = all(meet(restarted(0)));
    let new = all(meet(restarted(1)));
    assert_ranks(&old);
    assert_ranks(&new);
    assert_ne!(old[0].identity.job, new[0].identity.job);
    part(old);
    part(new);
}

#[test]
fn who_comes_too_late_is_told() {
    let port = port();
    let plans = (0..2).map(|rank| plan(at(&[port]), Some(rank), Some(2)));
    let met = all(meet(plans.collect()));
    let late = plan(at(&[port]), Some(1), Some(2));
    let error = meets(late).err().unwrap();
    let what = "all 2 processes have come before this one, among them rank 1 (process ";
    assert!(error.what().contains(what), "{error}");
    part(met);
}

#[test]
fn a_death_ends_the_others() {
    let port = port();
    let plans = (0..4).map(|rank| plan(at(&[port]), Some(rank), Some(4)));
    let mut met = all(meet(plans.collect()));
    let dies = met.iter().position(|one| one.serves.is_none()).unwrap();
    let rank = met[dies].identity.index;
    met.remove(dies);
    let ended = ended_with(&format!("rank {rank} (process "), 3);
    assert!(
        ended[0].1.contains("has ended without MPI_Finalize"),
        "{ended:?}"
    );
    // Who has not been told in time hears it at the next call.
    for one in &mut met {
        assert!(one.fence().is_err());
    }
}

#[test]
fn an_abort_ends_the_others_with_its_code() {
    for by_root in [false, true] {
        let port = port();
        let plans = (0..3).map(|rank| plan(at(&[port]), Some(rank), Some(3)));
        let met = all(meet(plans.collect()));
        let is_it = |one: &&Rendezvous| one.serves.is_some() == by_root;
        let aborts = met.iter().find(is_it).unwrap();
        let abort = aborts.abort().unwrap();
        let code = if by_root { 4242 } else { 4243 };
        (abort.tell)(abort.descriptor, 77, code);
        let words = format!("has ended the job with code {code}");
        let ended = ended_with(&words, 2);
        assert!(ended.iter().all(|(status, _)| *status == 77), "{ended:?}");
    }
}

#[test]
fn who_waits_for_the_others_hears_of_a_death() {
    let port = port();
    let plans = (0..3).map(|rank| plan(at(&[port]), Some(rank), Some(3)));
    let mut met = all(meet(plans.collect()));
    let dies = met.iter().position(|one| one.serves.is_none()).unwrap();
    let dying = met.remove(dies);
    let both = Barrier::new(3);
    let errors: Vec<Error> = std::thread::scope(|scope| {
        let fence = |one: &'static mut Rendezvous| {
            let both = &both;
            scope.spawn(move || {
                both.wait();
                one.fence().unwrap_err()
            })
        };
        let met: Vec<&'static mut Rendezvous> = met
            .into_iter()
            .map(|one| &mut *Box::leak(Box::new(one)))
            .collect();
        let threads: Vec<_> = met.into_iter().map(fence).collect();
        both.wait();
        std::thread::sleep(Duration::from_millis(300));
        drop(dying);
        threads.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for error in errors {
        assert!(
            error.what().contains("has ended without MPI_Finalize"),
            "{error}"
        );
    }
}

#[test]
fn who_has_left_may_come_back_until_all_have() {
    let port = port();
    let plans = (0..2).map(|rank| plan(at(&[port]), Some(rank), Some(2)));
    let mut met = all(meet(plans.collect()));
    met.sort_by_key(|one| one.serves.is_some());
    let mut serving = met.pop().unwrap();
    let mut other = met.pop().unwrap();
    other.finalize().unwrap();
    other.rejoin().unwrap();
    let leaves = std::thread::spawn(move || {
        serving.finalize().unwrap();
        serving.rejoin().unwrap();
        serving.finalize().unwrap();
    });
    std::thread::sleep(Duration::from_millis(200));
    assert!(!leaves.is_finished(), "the root stays while others use MPI");
    other.finalize().unwrap();
    leaves.join().unwrap();
    other.rejoin().unwrap();
    other.finalize().unwrap();
}

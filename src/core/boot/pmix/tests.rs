use std::time::Instant;

use super::library::fake::{self, Fence, Server};
use super::*;

fn announced() -> Announcement {
    Announcement {
        name: "PMIx (PRRTE)",
        namespace: "job".into(),
        rank: "1".into(),
    }
}

fn joined() -> Result<Pmix> {
    Pmix::over(fake::library(), announced())
}

/// The error of a start at a server that the test has changed, which names the launcher.
fn refused() -> String {
    let error = joined().err().expect("it is refused");
    let text = error.what().to_owned();
    let who = "the launcher of this process, PMIx (PRRTE) (PMIX_NAMESPACE=job, PMIX_RANK=1): ";
    text.strip_prefix(who)
        .expect("it names the launcher")
        .into()
}

#[test]
fn a_launcher_is_known_by_what_it_sets() {
    let name = |namespace: &'static str, set: &'static str| {
        let variable = move |name: &str| match name {
            "PMIX_NAMESPACE" => Some(namespace.to_owned()),
            name => (name == set).then(|| "1".to_owned()),
        };
        Announcement::read(variable).name
    };
    assert_eq!(name("prterun-vm-1@1", "PRTE_LAUNCHED"), "PMIx (PRRTE)");
    assert_eq!(name("slurm.pmix.7.0", ""), "PMIx (Slurm)");
    assert_eq!(
        name("77", "OMPI_MCA_orte_launch"),
        "PMIx (Open MPI's mpirun)"
    );
    assert_eq!(name("77", ""), "PMIx");
}

#[test]
fn a_process_is_whom_the_server_says() {
    let server = Server::new();
    server.change(|script| {
        script
            .numbers
            .extend([("pmix.appnum", 2), ("pmix.univ.size", 8)])
    });
    let launcher = joined().unwrap();
    assert_eq!(launcher.name(), "PMIx (PRRTE)");
    let expected = Identity {
        job: "job".into(),
        index: 1,
        size: 3,
        appnum: Some(2),
        universe_size: Some(8),
    };
    assert_eq!(launcher.identity(), &expected);
    server.change(|script| script.numbers.retain(|key, _| *key == "pmix.job.size"));
    let identity = joined().unwrap().identity().clone();
    assert_eq!((identity.appnum, identity.universe_size), (None, None));
}

#[test]
fn processes_of_other_nodes_are_expected_unless_the_server_says_there_are_none() {
    let server = Server::new();
    assert!(!joined().unwrap().may_span());
    server.change(|script| script.numbers.insert("pmix.local.size", 2));
    assert!(joined().unwrap().may_span());
    server.change(|script| script.numbers.remove("pmix.local.size"));
    assert!(joined().unwrap().may_span());
    server.change(|script| script.rank = 0);
    server.change(|script| script.numbers.insert("pmix.job.size", 1));
    let alone = Announcement {
        rank: "0".into(),
        ..announced()
    };
    assert!(!Pmix::over(fake::library(), alone).unwrap().may_span());
}

#[test]
fn a_server_that_does_not_answer_or_makes_no_sense_is_an_error() {
    let server = Server::new();
    server.change(|script| script.init = -25);
    let alone = "; to run alone, remove PMIX_NAMESPACE from the environment";
    let text = refused();
    let text = text.strip_suffix(alone).expect("it says how to run alone");
    assert_eq!(text, "PMIx_Init: PMIx status -25 (UNREACHABLE)");
    server.change(|script| script.init = -1234);
    assert!(refused().starts_with("PMIx_Init: PMIx status -1234 (unknown)"));
    server.change(|script| script.init = 0);
    server.change(|script| script.numbers.insert("pmix.job.size", 1));
    assert_eq!(refused(), "it says that the job's size is 1");
    server.change(|script| script.numbers.remove("pmix.job.size"));
    assert_eq!(refused(), "it does not tell the size of the job");
    server.change(|script| script.get = -24);
    assert_eq!(
        refused(),
        "PMIx_Get of pmix.job.size: PMIx status -24 (TIMEOUT)"
    );
    server.change(|script| script.get = 0);
    let job = (u32::MAX - 1, "pmix.job.size".to_owned());
    server.change(|script| script.values.insert(job, (3, b"3".to_vec())));
    let text = "PMIx_Get of pmix.job.size: a value of the unexpected PMIx type 3";
    assert_eq!(refused(), text);
    server.change(|script| script.namespace = "singleton.1");
    let text = "its library takes this process for rank 1 of 'singleton.1'";
    assert_eq!(refused(), text);
    server.change(|script| (script.namespace, script.rank) = ("job", 0));
    assert_eq!(
        refused(),
        "its library takes this process for rank 0 of 'job'"
    );
}

#[test]
fn a_later_value_of_a_key_is_put_under_another_name() {
    let server = Server::new();
    let mut launcher = joined().unwrap();
    launcher.put("k", b"first").unwrap();
    launcher.put("k", b"a\0b").unwrap();
    assert_eq!(launcher.get(1, "k").unwrap(), None);
    launcher.fence().unwrap();
    assert_eq!(launcher.get(1, "k").unwrap().as_deref(), Some(&b"a\0b"[..]));
    launcher.fence().unwrap();
    launcher.put("k", b"").unwrap();
    launcher.put("l", b"2").unwrap();
    assert_eq!(launcher.get(1, "k").unwrap().as_deref(), Some(&b"a\0b"[..]));
    launcher.fence().unwrap();
    assert_eq!(launcher.get(1, "k").unwrap().as_deref(), Some(&b""[..]));
    assert_eq!(launcher.get(1, "l").unwrap().as_deref(), Some(&b"2"[..]));
    let puts = server.change(|script| script.puts.clone());
    assert_eq!(puts, ["anympi-0", "anympi-1", "anympi-2"]);
    assert_eq!(launcher.get(3, "k").unwrap(), None);
    let error = launcher.get(0, "k").unwrap_err();
    let text = "PMIx_Get of what rank 0 has put: there is nothing, or nothing of ours";
    assert!(error.what().ends_with(text), "{error}");
    for broken in [&[][..], &[1], &[1, 0, 0, 0], &[0; 7], &[255; 9]] {
        assert_eq!(parted_values(broken), None, "{broken:?}");
    }
}

#[test]
fn every_call_that_fails_says_so() {
    let server = Server::new();
    let mut launcher = joined().unwrap();
    let wrong = |done: Result<()>, text: &str| {
        let error = done.unwrap_err();
        assert!(error.what().ends_with(text), "{error}");
        assert!(error.what().contains("PMIx (PRRTE)"), "{error}");
    };
    server.change(|script| script.put = -27);
    launcher.put("k", b"1").unwrap();
    wrong(launcher.fence(), "PMIx_Put: PMIx status -27 (unknown)");
    server.change(|script| (script.put, script.commit) = (0, -25));
    wrong(
        launcher.fence(),
        "PMIx_Commit: PMIx status -25 (UNREACHABLE)",
    );
    server.change(|script| script.commit = 0);
    for fence in [Fence::Returns(-25), Fence::Calls(-25)] {
        server.change(|script| script.fence = fence);
        wrong(
            launcher.fence(),
            "PMIx_Fence: PMIx status -25 (UNREACHABLE)",
        );
    }
    server.change(|script| script.fence = Fence::Never);
    launcher.patience = Duration::from_millis(20);
    wrong(launcher.fence(), "PMIx_Fence: no end within 0 s");
    server.change(|script| script.fence = Fence::Returns(-157));
    launcher.fence().unwrap();
    server.change(|script| script.get = -24);
    let got = launcher.get(2, "k").map(drop);
    wrong(
        got,
        "PMIx_Get of what rank 2 has put: PMIx status -24 (TIMEOUT)",
    );
    server.change(|script| script.finalize = -25);
    wrong(
        launcher.finalize(),
        "PMIx_Finalize: PMIx status -25 (UNREACHABLE)",
    );
}

#[test]
fn a_process_leaves_its_server_once() {
    let server = Server::new();
    let mut launcher = joined().unwrap();
    launcher.finalize().unwrap();
    launcher.rejoin().unwrap();
    launcher.finalize().unwrap();
    assert_eq!(server.change(|script| script.finalized), 1);
}

#[test]
fn the_server_has_ended_the_job_when_tell_returns() {
    let server = Server::new();
    let launcher = joined().unwrap();
    let abort = launcher.abort().unwrap();
    let start = Instant::now();
    (abort.tell)(abort.descriptor, 44, -300);
    assert!(start.elapsed() < Duration::from_secs(4));
    let expected = (44, "rank 1 ends the job with code -300".to_owned());
    assert_eq!(
        server.change(|script| script.aborts.clone()),
        std::slice::from_ref(&expected)
    );
    // Its thread has ended, and a second call does not wait for it.
    (abort.tell)(abort.descriptor, 45, 45);
    assert_eq!(server.change(|script| script.aborts.clone()), [expected]);
}

#[test]
fn only_the_loss_of_the_server_is_taken_for_that() {
    let server = Server::new();
    let library = fake::library();
    let (sender, lost) = std::sync::mpsc::channel();
    library.on_lost_server(Box::new(move || sender.send(()).unwrap()));
    // -402: another process was ended by a signal.
    assert!(server.tell(-402), "the library is told that it was handled");
    assert!(lost.try_recv().is_err());
    for status in [-61, -101] {
        assert!(server.tell(status));
        lost.try_recv().expect("it is lost");
    }
}

mod garbage {
    use super::super::*;
    use crate::garbage_tests::{cases, changed, changes, noise, within};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(cases(400))]
        #[test]
        fn any_bytes_are_values_or_none(
            values in proptest::collection::btree_map("[a-z]{0,5}", noise(20), 1..6),
            changes in changes(),
            noise in noise(60),
        ) {
            let right = joined_values(&values);
            prop_assert_eq!(parted_values(&right), Some(values));
            for bytes in [changed(right, &changes), noise] {
                let values = within(40 * bytes.len() + 5000, || parted_values(&bytes));
                if let Some(values) = values {
                    prop_assert_eq!(parted_values(&joined_values(&values)), Some(values));
                }
            }
        }
    }
}

#[test]
fn programs_are_started_and_services_are_named() {
    let server = Server::new();
    let mut launcher = joined().unwrap();
    let program = Program {
        command: "worker".into(),
        processes: 2,
        ..Program::default()
    };
    let programs = [program.clone(), program];
    let codes = launcher.spawn(&programs, &[("k", "v")]).unwrap();
    assert_eq!(codes, [0; 4]);
    assert_eq!(server.change(|script| script.spawned), 2);
    server.change(|script| script.spawn = -1);
    let error = launcher.spawn(&programs, &[]).unwrap_err();
    assert_eq!(error.code(), class::SPAWN);
    assert!(error.what().contains("worker, worker: "), "{error}");
    let service = format!("test pmix {}", std::process::id());
    assert_eq!(launcher.lookup(&service).unwrap(), None);
    launcher.publish(&service, "port 1").unwrap();
    let found = launcher.lookup(&service).unwrap();
    assert_eq!(found.as_deref(), Some("port 1"));
    let error = launcher.publish(&service, "port 2").unwrap_err();
    assert_eq!(error.code(), class::SERVICE);
    launcher.unpublish(&service).unwrap();
    assert_eq!(launcher.lookup(&service).unwrap(), None);
    assert_eq!(launcher.given("nobody gives this").unwrap(), None);
}

//! What clients ask of the PMI server, in order and out of it.

use super::*;

fn server(size: usize) -> Server {
    Server::new("kvs_1", vec![0; size], size as i64, false)
}

/// Feeds one line and expects one reply to the same rank.
fn ask(server: &mut Server, rank: usize, line: &str) -> String {
    let actions = server.feed(rank, format!("{line}\n").as_bytes());
    match actions.as_slice() {
        [Action::Reply { rank: to, line }] if *to == rank => String::from_utf8(line.clone())
            .unwrap()
            .trim_end()
            .to_owned(),
        other => panic!("{line}: {other:?}"),
    }
}

fn init(server: &mut Server, rank: usize) {
    assert_eq!(
        ask(server, rank, "cmd=init pmi_version=1 pmi_subversion=1"),
        "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0"
    );
}

fn broken(actions: &[Action]) -> bool {
    matches!(actions.last(), Some(Action::Broken { .. }))
}

#[test]
fn the_usual_questions() {
    let mut s = server(3);
    init(&mut s, 1);
    assert_eq!(
        ask(&mut s, 1, "cmd=get_maxes"),
        "cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024"
    );
    assert_eq!(ask(&mut s, 1, "cmd=get_appnum"), "cmd=appnum rc=0 appnum=0");
    assert_eq!(
        ask(&mut s, 1, "cmd=get_universe_size"),
        "cmd=universe_size rc=0 size=3"
    );
    assert_eq!(
        ask(&mut s, 1, "cmd=get_my_kvsname"),
        "cmd=my_kvsname rc=0 kvsname=kvs_1_0"
    );
    assert_eq!(
        ask(&mut s, 1, "cmd=get kvsname=kvs_1_0 key=PMI_process_mapping"),
        "cmd=get_result rc=0 value=(vector,(0,1,3))"
    );
    assert_eq!(ask(&mut s, 1, "cmd=finalize"), "cmd=finalize_ack rc=0");
    assert!(!s.active(1));
}

#[test]
fn put_get_across_ranks_keeps_escapes() {
    let mut s = server(2);
    init(&mut s, 0);
    init(&mut s, 1);
    assert_eq!(
        ask(&mut s, 0, r"cmd=put kvsname=k key=a value=x\ y\\=z"),
        "cmd=put_result rc=0"
    );
    assert_eq!(
        ask(&mut s, 1, "cmd=get key=a kvsname=k"),
        r"cmd=get_result rc=0 value=x\ y\\=z"
    );
    assert!(ask(&mut s, 1, "cmd=get kvsname=k key=b").contains("rc=1"));
    assert!(ask(&mut s, 1, "cmd=put kvsname=k key=PMI_x value=1").contains("rc=1"));
}

#[test]
fn lines_may_come_in_any_pieces() {
    let mut s = server(1);
    let mut replies = Vec::new();
    for byte in b"cmd=init pmi_version=1 pmi_subversion=1\ncmd=get_appnum\n" {
        replies.extend(s.feed(0, &[*byte]));
    }
    assert_eq!(replies.len(), 2);
}

#[test]
fn barrier_answers_all_at_the_last() {
    let mut s = server(2);
    init(&mut s, 0);
    init(&mut s, 1);
    assert_eq!(s.feed(0, b"cmd=barrier_in\n"), []);
    assert_eq!(s.feed(1, b"cmd=barrier_in\n").len(), 2);
    assert_eq!(s.feed(1, b"cmd=barrier_in group=0-1:t7\n"), []);
    let actions = s.feed(0, b"cmd=barrier_in group=0-1:t7\n");
    assert_eq!(
        actions[1],
        Action::Reply {
            rank: 0,
            line: b"cmd=barrier_out rc=0 tag=t7\n".to_vec()
        }
    );
}

#[test]
fn a_barrier_that_cannot_complete_is_told() {
    let mut s = server(2);
    init(&mut s, 0);
    s.feed(0, b"cmd=barrier_in\n");
    assert_eq!(s.stuck(), None);
    assert_eq!(s.ended(1, false), []);
    assert!(s.stuck().unwrap().contains("rank 1"));
}

#[test]
fn a_rank_that_ends_before_the_world_is_complete_is_told() {
    let mut s = server(3);
    for rank in 0..2 {
        init(&mut s, rank);
        assert_eq!(s.feed(rank, b"cmd=anympi_world\n"), []);
    }
    assert_eq!(s.stuck(), None);
    s.ended(2, false);
    let why = s.stuck().unwrap();
    assert!(why.contains("rank 2 has ended without"), "{why}");
    // Who has left the world counts on nobody.
    for rank in 0..2 {
        ask(&mut s, rank, "cmd=finalize");
    }
    assert_eq!(s.stuck(), None);
}

#[test]
fn a_rank_that_ends_between_two_worlds_is_told() {
    let mut s = server(2);
    let enter = |s: &mut Server, rank| {
        init(s, rank);
        assert_eq!(s.feed(rank, b"cmd=anympi_world\n"), []);
    };
    for rank in 0..2 {
        enter(&mut s, rank);
        assert!(!s.finalized(rank));
        ask(&mut s, rank, "cmd=finalize");
        assert!(s.finalized(rank));
    }
    s.ended(1, true);
    assert_eq!(s.stuck(), None);
    enter(&mut s, 0);
    let why = s.stuck().unwrap();
    assert!(why.contains("rank 1 has ended without"), "{why}");
}

#[test]
fn a_job_that_goes_on_after_failures_does_not_wait_for_the_dead() {
    let mut s = Server::new("kvs_1", vec![0; 3], 3, true);
    for rank in 0..3 {
        init(&mut s, rank);
    }
    s.ended(2, true);
    assert_eq!(s.feed(0, b"cmd=barrier_in\n"), []);
    assert_eq!(s.stuck(), None);
    assert_eq!(s.feed(1, b"cmd=barrier_in\n").len(), 2);
    assert_eq!(s.feed(0, b"cmd=barrier_in\n"), []);
    assert_eq!(s.ended(1, true).len(), 1);
}

#[test]
fn rounds_do_not_mix() {
    let mut s = server(2);
    init(&mut s, 0);
    ask(&mut s, 0, "cmd=put kvsname=k key=a value=first");
    ask(&mut s, 0, "cmd=finalize");
    init(&mut s, 0);
    ask(&mut s, 0, "cmd=put kvsname=k key=a value=second");
    init(&mut s, 1);
    assert!(ask(&mut s, 1, "cmd=get kvsname=k key=a").ends_with("=first"));
    ask(&mut s, 1, "cmd=finalize");
    assert_eq!(s.rounds.len(), 1);
    init(&mut s, 1);
    assert!(ask(&mut s, 1, "cmd=get kvsname=k key=a").ends_with("=second"));
    assert_eq!(
        s.feed(1, b"cmd=anympi_segment round=0\n"),
        [Action::Segment {
            rank: 1,
            round: 1,
            index: 0,
            line: b"cmd=anympi_segment_result rc=0\n".to_vec()
        }]
    );
}

#[test]
fn a_second_init_and_pmi2_are_refused() {
    let mut s = server(1);
    assert!(ask(&mut s, 0, "cmd=init pmi_version=2 pmi_subversion=0").contains("rc=1"));
    init(&mut s, 0);
    assert!(ask(&mut s, 0, "cmd=init pmi_version=1 pmi_subversion=1").contains("rc=1"));
}

#[test]
fn abort_with_a_message() {
    let mut s = server(1);
    assert_eq!(
        s.feed(0, b"cmd=abort exitcode=7 message=out of luck\n"),
        [Action::Abort {
            rank: 0,
            code: 7,
            message: "out of luck".into()
        }]
    );
}

#[test]
fn names() {
    let mut s = server(1);
    init(&mut s, 0);
    // They may be kept elsewhere, so that the question comes back before it is answered.
    let mut ask = |line: &str| {
        let actions = s.feed(0, format!("{line}\n").as_bytes());
        let [Action::Name { rank: 0, line }] = &actions[..] else {
            panic!("{line}: {actions:?}");
        };
        String::from_utf8(s.name(line)).unwrap()
    };
    assert!(ask("cmd=lookup_name service=a").contains("rc=1"));
    assert!(ask("cmd=publish_name service=a port=p:1").contains("rc=0"));
    assert!(ask("cmd=publish_name service=a port=p:2").contains("rc=1"));
    assert!(ask("cmd=lookup_name service=a").contains("port=p:1"));
    assert!(ask("cmd=unpublish_name service=a").contains("rc=0"));
    assert!(ask("cmd=unpublish_name service=a").contains("rc=1"));
}

#[test]
fn an_order_is_whole_after_its_last_program() {
    let mut s = server(1);
    init(&mut s, 0);
    assert_eq!(
        s.feed(
            0,
            b"mcmd=spawn\nnprocs=2\nexecname=./a\ntotspawns=2\nspawnssofar=1\narg1=cmd=x\nendcmd\n"
        ),
        []
    );
    let actions = s.feed(
        0,
        b"mcmd=spawn\nnprocs=3\ntotspawns=2\nspawnssofar=2\nendcmd\n",
    );
    let [Action::Spawn { rank: 0, order }] = &actions[..] else {
        panic!("{actions:?}");
    };
    let counts: Vec<usize> = order.programs.iter().map(|p| p.processes).collect();
    assert_eq!(counts, [2, 3]);
    assert_eq!(order.programs[0].arguments, ["cmd=x"]);
    assert_eq!(ask(&mut s, 0, "cmd=get_appnum"), "cmd=appnum rc=0 appnum=0");
    let spawned = "cmd=anympi_spawned_result rc=0";
    assert_eq!(ask(&mut s, 0, "cmd=anympi_spawned"), spawned);
    s.note_ended(0, "it is dead".into());
    let ended = format!("{spawned} ended=it\\ is\\ dead");
    assert_eq!(ask(&mut s, 0, "cmd=anympi_spawned"), ended);
    assert_eq!(ask(&mut s, 0, "cmd=anympi_spawned"), spawned);
    assert!(broken(&s.feed(0, b"mcmd=spawn\nnprocs=x\n")));
}

#[test]
fn spawned_processes_find_what_was_given() {
    let values = [("port".to_owned(), "p:1".to_owned())];
    let mut s = server(2).with_values(&values);
    for rank in 0..2 {
        init(&mut s, rank);
        let answer = ask(&mut s, rank, "cmd=get kvsname=k key=port");
        assert_eq!(answer, "cmd=get_result rc=0 value=p:1");
    }
    // Other programs of these ranks are not those that were spawned.
    assert_eq!(ask(&mut s, 0, "cmd=finalize"), "cmd=finalize_ack rc=0");
    init(&mut s, 0);
    assert!(ask(&mut s, 0, "cmd=get kvsname=k key=port").contains("rc=1"));
    assert!(!s.has_world());
    assert_eq!(s.feed(1, b"cmd=anympi_world\n"), []);
    assert!(s.has_world());
}

#[test]
fn dead_ranks_as_ranges() {
    let mut s = server(8);
    init(&mut s, 0);
    for rank in [5, 2, 4, 6] {
        s.ended(rank, true);
    }
    assert!(ask(&mut s, 0, "cmd=get kvsname=k key=PMI_dead_processes").ends_with("=2,4-6"));
}

#[test]
fn garbage_breaks_only_its_sender() {
    let mut s = server(2);
    init(&mut s, 1);
    assert!(broken(&s.feed(0, b"\x00\xff\xfe garbage\n")));
    assert_eq!(s.feed(0, b"cmd=init pmi_version=1\n"), []);
    assert_eq!(ask(&mut s, 1, "cmd=get_appnum"), "cmd=appnum rc=0 appnum=0");
    for line in [
        "cmd=get_maxes",
        "cmd=",
        "=",
        "cmd=nonsense",
        "mcmd=what",
        "mcmd=spawn",
        "cmd=barrier_in group=1,2,3:x",
        "cmd=barrier_in group=9-1:x",
        "\\",
    ] {
        let mut s = server(1);
        if line.contains("barrier") {
            init(&mut s, 0);
        }
        assert!(broken(&s.feed(0, format!("{line}\n").as_bytes())), "{line}");
    }
}

#[test]
fn endless_lines_are_cut() {
    let mut s = server(1);
    let mut fed = 0;
    while fed < 1 << 20 {
        let actions = s.feed(0, &[b'a'; 4096]);
        fed += 4096;
        if broken(&actions) {
            assert!(fed <= LINE_MAX + 4096);
            return;
        }
    }
    panic!("a line without end was accepted");
}

#[test]
fn random_bytes_never_panic() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let words: [&[u8]; 12] = [
        b"cmd=init ",
        b"pmi_version=1 ",
        b"\n",
        b"cmd=put ",
        b"key=a ",
        b"value=\\",
        b"cmd=get ",
        b"cmd=barrier_in ",
        b"group=",
        b"mcmd=spawn\n",
        b"endcmd\n",
        b"cmd=finalize\n",
    ];
    for _ in 0..2000 {
        let mut s = server(2);
        for _ in 0..40 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let pick = (seed >> 33) as usize;
            let random = [(seed >> 40) as u8, (seed >> 48) as u8];
            let bytes = if pick.is_multiple_of(5) {
                &random[..]
            } else {
                words[pick % words.len()]
            };
            s.feed(pick % 2, bytes);
        }
    }
}

#[test]
fn ranks_on_several_hosts() {
    for (hosts, text) in [
        (&[0, 0, 0][..], "(0,1,3)"),
        (&[0, 0, 1, 1], "(0,2,2)"),
        (&[0, 1, 0, 1], "(0,2,1),(0,2,1)"),
        (&[0, 0, 1], "(0,1,2),(1,1,1)"),
    ] {
        assert_eq!(mapping(hosts), format!("(vector,{text})"));
    }
    let mut s = server(4).on(vec![0, 1, 0, 1]);
    for rank in 0..4 {
        init(&mut s, rank);
    }
    // Those of one host do not wait for the other's.
    for rank in 0..2 {
        assert_eq!(s.feed(rank, b"cmd=barrier_in group=NODE:a\n"), []);
    }
    for rank in 2..4 {
        assert_eq!(s.feed(rank, b"cmd=barrier_in group=NODE:a\n").len(), 2);
    }
}

#[test]
fn copies_learn_what_was_put() {
    let mut s = server(1);
    let mut known = HashMap::new();
    assert_eq!(s.puts(0, &known), None);
    init(&mut s, 0);
    ask(&mut s, 0, "cmd=put kvsname=k key=a value=1");
    ask(&mut s, 0, "cmd=put kvsname=k key=b value=2");
    let pair = |k: &str, v: &str| (k.as_bytes().to_vec(), v.as_bytes().to_vec());
    let both = vec![pair("a", "1"), pair("b", "2")];
    assert_eq!(s.puts(0, &known), Some((0, both)));
    known.insert(0, 2);
    ask(&mut s, 0, "cmd=put kvsname=k key=a value=3");
    assert_eq!(s.puts(0, &known), Some((0, vec![pair("a", "3")])));
}

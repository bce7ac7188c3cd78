//! Times that are made up, and what follows from them.

use super::*;
use crate::datatype::block::{Core, On};
use crate::sys;

/// Sizes of which shared memory comes round in [`SETTLE`] messages.
const CLASS: usize = 4;

/// A segment of two processes, seen from each.
fn pair() -> [Segment; 2] {
    let file = sys::memory_file(c"anympi-test").unwrap();
    [0, 1].map(|me| Segment::attach(&file, me, 2, 0).unwrap())
}

/// Has messages copied until `stop` says so of the number of messages; what each way takes is asked for.
/// Returns the messages that each way got.
fn run(
    trials: &Trials,
    situation: Situation,
    seen: &mut Seen,
    takes: impl Fn(Direct) -> u64,
    messages: u32,
) -> [u32; 3] {
    let mut each = [0; 3];
    for _ in 0..messages {
        let (direct, timed) = trials.next(CLASS, situation, seen);
        each[direct as usize] += 1;
        if timed {
            seen.record(UNIT, takes(direct));
        }
    }
    each
}

#[test]
fn another_way_must_be_clearly_faster_than_the_usual_one() {
    use Direct::{Both, Never, Reads};
    let choice = |both, ring, reads| Times([both, ring, reads]).choice(CLASS + 1, Situation::Alone);
    assert_eq!(choice(80, 71, 71), Both);
    assert_eq!(choice(80, 69, 71), Never);
    assert_eq!(choice(80, 71, 69), Reads);
    assert_eq!(choice(u32::MAX, 2, 1), Reads);
    let exchange = |reads, ring| Times([reads, ring, 0]).choice(CLASS, Situation::Exchange);
    assert_eq!(exchange(80, 70), Reads);
    assert_eq!(exchange(80, 69), Never);
    // What leaves at once is not announced, as it is while it is timed.
    let of = |kibibytes: u64| class_of(kibibytes << 10);
    let alone = |class| Times([80, 78, 0]).choice(class, Situation::Alone);
    assert_eq!([of(64), CLASS, CLASS + 1].map(alone), [Never, Never, Both]);
    let short = |core, kibibytes, situation| {
        let _core = On::a(core);
        Times([80, 86, 0]).choice(of(kibibytes), situation)
    };
    assert_eq!(short(Core::Other, 32, Situation::Exchange), Never);
    assert_eq!(short(Core::Other, 64, Situation::Exchange), Never);
    assert_eq!(short(Core::Other, 128, Situation::Exchange), Reads);
    assert_eq!(short(Core::Other, 64, Situation::Allgather), Reads);
    assert_eq!(short(Core::GoldenCove, 16, Situation::Exchange), Reads);
    assert_eq!(short(Core::GoldenCove, 64, Situation::Exchange), Reads);
    let several = |core, kibibytes, times| {
        let _core = On::a(core);
        Times(times).choice(of(kibibytes), Situation::Several)
    };
    assert_eq!(several(Core::Other, 64, [80, 86, 81]), Never);
    assert_eq!(
        several(Core::GoldenCove, 64, [80, 86, 81]),
        Both,
        "announced meanwhile"
    );
    assert_eq!(several(Core::Other, 32, [95, 86, 90]), Never);
    assert_eq!(several(Core::GoldenCove, 32, [95, 86, 90]), Reads);
    let long = Times([80, 88, 0]).choice(of(64), Situation::Exchange);
    assert_eq!(long, Reads);
    assert_eq!(
        Times([0, 1, 1]).best(0),
        0,
        "one that is unknown may be faster"
    );
    assert_eq!(Times([0; 3]).best(2), 2);
    // The usual one comes back sooner.
    assert_eq!(Times([149, 160, 0]).best(1), 0);
    assert_eq!(Times([151, 160, 0]).best(1), 1);
    assert_eq!(Times([160, 149, 0]).best(0), 0);
}

#[test]
fn classes_meet_at_their_bounds() {
    let sizes = [
        1,
        16 << 10,
        (16 << 10) + 1,
        32 << 10,
        (32 << 10) + 1,
        64 << 10,
        1 << 20,
        (1 << 20) + 1,
        u64::MAX,
    ];
    assert_eq!(sizes.map(class_of), [0, 0, 1, 1, 2, 2, 6, 7, 7]);
}

#[test]
fn states_are_numbers() {
    let state = State {
        best: 2,
        now: 1,
        calm: 4,
        confirmed: true,
        turn: 0x7f_ffff,
    };
    assert_eq!(State::of(state.word()), state);
    let usual = State {
        best: 0,
        now: 0,
        calm: 0,
        confirmed: false,
        turn: 0,
    };
    assert_eq!(usual.word(), 0, "as in a fresh segment");
    let settled = State {
        best: 1,
        now: 1,
        ..state
    };
    assert!(
        settled.next(3, &Times([9, 1, 9]), true).is_settled(3),
        "the count of turns starts anew"
    );
    let tried = State {
        now: 0,
        confirmed: false,
        ..settled
    };
    for timed in [false, true] {
        let next = tried.next(3, &Times([9, 1, 9]), timed);
        assert_eq!(next.confirmed, timed);
    }
}

/// Each way has its first turn, the usual one first, and the fastest is found by all processes.
#[test]
fn the_fastest_way_is_found() {
    let [one, other] = pair();
    let (trials, mut seen) = (one.trials(Distance::Near), Seen::default());
    let situation = Situation::Alone;
    assert!(trials.ask() && !trials.ask() && !other.trials(Distance::Near).ask());
    let first = |settle| settle + SAMPLES as u32;
    let takes = |direct| [500, 700, 900][direct as usize];
    for (settle, each) in [(SOURCES, [0, 0, 1]), (SETTLE, [1, 0, 0])] {
        let messages = first(settle);
        assert_eq!(
            run(trials, situation, &mut seen, takes, messages),
            each.map(|way| way * messages)
        );
    }
    assert!(!trials.take_news() && trials.times(CLASS, situation).is_none());
    // The third time says already that it is slower.
    let messages = first(SOURCES) - 1;
    assert_eq!(
        run(trials, situation, &mut seen, takes, messages),
        [0, messages, 0]
    );
    assert_eq!(run(trials, situation, &mut seen, takes, 1), [1, 0, 0]);
    assert_eq!(
        other.trials(Distance::Near).best(CLASS, situation),
        Direct::Never
    );
    assert_eq!(
        other.trials(Distance::Near).times(CLASS, situation),
        Some(Times([900, 500, 700]))
    );
    assert!(other.trials(Distance::Near).take_news() && !trials.take_news());
    // Nothing of that is about other sizes and situations.
    assert_eq!(trials.best(2, situation), Direct::Both);
    assert_eq!(trials.best(CLASS, Situation::Exchange), Direct::Reads);
    let mut table = Table::default();
    table[CLASS][situation as usize] = trials.times(CLASS, situation);
    assert_eq!(trials.table(), table);
}

/// As long as nothing changes others are tried ever more rarely.
#[test]
fn what_is_known_costs_little() {
    let [one, _] = pair();
    let mut seen = Seen::default();
    for (situation, best) in
        Situation::MESSAGES
            .into_iter()
            .zip([Direct::Both, Direct::Reads, Direct::Both])
    {
        let takes = |direct| if direct == best { 100 } else { 300 };
        run(
            one.trials(Distance::Near),
            situation,
            &mut seen,
            takes,
            5000,
        );
        let each = run(
            one.trials(Distance::Near),
            situation,
            &mut seen,
            takes,
            10_000,
        );
        assert!(each[best as usize] > 9950, "{each:?}");
        let others = each.iter().sum::<u32>() - each[best as usize];
        let trial = SETTLE + 2;
        assert!(
            others >= trial * (10_000 / (SHORTEST << LONGEST)),
            "{each:?}"
        );
    }
}

/// The slower a way is the fewer messages it gets, and the rarer.
#[test]
fn slow_ways_are_given_up() {
    let situation = Situation::Exchange;
    let tried = |slower: u64, messages: u32| {
        let [one, _] = pair();
        let takes = |direct| if direct == Direct::Reads { 100 } else { slower };
        let each = run(
            one.trials(Distance::Near),
            situation,
            &mut Seen::default(),
            takes,
            messages,
        );
        each[Direct::Never as usize]
    };
    let (known, all) = (SOURCES + SAMPLES as u32, SETTLE + SAMPLES as u32);
    // The first turn of the other way, and the second one after the shortest time.
    for (slower, turn) in [(105, all), (124, all), (160, SETTLE + 2), (201, SETTLE + 2)] {
        assert_eq!(tried(slower, known + turn), turn, "{slower}");
        let again = known + turn + SHORTEST + SAMPLES as u32 + turn;
        assert_eq!(tried(slower, again), 2 * turn, "{slower}");
    }
    // From then on two, four or eight times as rarely each time.
    let [alike, slower, slowest] = [105, 160, 300].map(|slower| tried(slower, 600));
    assert!(alike >= 6 * all && slower <= 4 * (SETTLE + 2) && slowest <= 3 * (SETTLE + 2));
}

/// The shorter messages are the more of them it takes until shared memory has come round; the longest take what was in the caches
/// out of them.
#[test]
fn memory_is_warm_before_a_way_through_it_is_timed() {
    for (class, settle) in [
        (0, 32),
        (1, 16),
        (2, 8),
        (3, 4),
        (4, 2),
        (CLASSES - 1, SOURCES),
    ] {
        for situation in Situation::MESSAGES {
            let [one, _] = pair();
            one.trials(Distance::Near).set_round(512 << 10);
            let mut seen = Seen::default();
            let mut first = [0; WAYS];
            for _ in 0..100 {
                let (direct, timed) = one.trials(Distance::Near).next(class, situation, &mut seen);
                if timed {
                    seen.record(UNIT, 100);
                }
                if one.trials(Distance::Near).times(class, situation).is_none() {
                    first[direct as usize] += 1;
                }
            }
            let samples = SAMPLES as u32;
            assert_eq!(first[Direct::Never as usize], settle + samples, "{class}");
            let sources = match situation {
                Situation::Several => SETTLE,
                _ => SOURCES,
            };
            assert_eq!(first[Direct::Reads as usize], sources + samples, "{class}");
        }
    }
}

/// In an exchange that is so only at first: later a few shuttles go to and fro.
#[test]
fn memory_that_came_round_is_soon_warm_again() {
    for (situation, settle) in [(Situation::Exchange, AGAIN), (Situation::Alone, 128)] {
        let [one, _] = pair();
        one.trials(Distance::Near).set_round(4 << 20);
        let mut seen = Seen::default();
        let (mut first, mut each) = (0, Vec::new());
        for _ in 0..2000 {
            let (direct, timed) = one.trials(Distance::Near).next(1, situation, &mut seen);
            if timed {
                // None is given up, and none is chosen.
                seen.record(UNIT, if direct == Direct::Never { 120 } else { 100 });
            }
            match direct {
                Direct::Never => first += 1,
                _ if first > 0 => each.push(std::mem::take(&mut first)),
                _ => (),
            }
        }
        let samples = SAMPLES as u32;
        assert!(each.len() > 2, "{each:?}");
        assert_eq!(each[..2], [128 + samples, settle + samples]);
    }
}

#[test]
fn two_times_at_least_must_say_it() {
    let mut seen = Seen::default();
    assert!(!seen.is_slower(10, false));
    let mut add = |time| {
        seen.record(UNIT, time);
        [(10, false), (10, true), (0, false), (0, true)]
            .map(|(best, early)| seen.is_slower(best, early))
    };
    assert_eq!(add(u64::MAX), [false; 4]);
    let nothing_known = [false; 2];
    let is = |slower, twice| [&[slower, twice][..], &nothing_known].concat();
    assert_eq!(add(21).to_vec(), is(true, true));
    assert_eq!(add(16).to_vec(), is(true, false));
    assert_eq!(add(12).to_vec(), is(false, false));
}

/// What is copied where it lies is slow at first, and is not judged by that unless it is very slow.
#[test]
fn sources_come_to_the_caches_first() {
    let situation = Situation::Exchange;
    let ends = |first: u64, then: u64| {
        let [one, _] = pair();
        let (trials, mut seen) = (one.trials(Distance::Near), Seen::default());
        trials.learn(CLASS, situation, Times([300, 100, 0]));
        let mut reads = 0;
        // It is tried once.
        for _ in 0..SHORTEST << 5 {
            let (direct, timed) = trials.next(CLASS, situation, &mut seen);
            let slow = direct == Direct::Reads && reads < SOURCES;
            reads += u32::from(direct == Direct::Reads);
            let time = match direct {
                Direct::Reads if slow => first,
                Direct::Reads => then,
                _ => 100,
            };
            if timed {
                seen.record(UNIT, time);
            }
            if trials.best(CLASS, situation) == Direct::Reads {
                break;
            }
        }
        (trials.best(CLASS, situation), reads)
    };
    assert_eq!(ends(190, 80), (Direct::Reads, SOURCES + SAMPLES as u32 + 1));
    assert_eq!(ends(201, 80), (Direct::Never, SETTLE + 2));
}

/// A program that begins to write what it sends.
#[test]
fn what_changes_is_noticed() {
    let [one, _] = pair();
    let (trials, mut seen) = (one.trials(Distance::Near), Seen::default());
    let situation = Situation::Exchange;
    let unwritten = |direct| if direct == Direct::Never { 200 } else { 100 };
    let written = |direct| if direct == Direct::Never { 220 } else { 400 };
    for _ in 0..2 {
        run(trials, situation, &mut seen, unwritten, 10_000);
        assert_eq!(trials.best(CLASS, situation), Direct::Reads);
        run(
            trials,
            situation,
            &mut seen,
            written,
            2 * (SHORTEST << LONGEST),
        );
        assert_eq!(trials.best(CLASS, situation), Direct::Never);
        assert!(trials.take_news());
    }
}

#[test]
fn a_trial_that_changes_nothing_confirms_what_is_known() {
    let [one, _] = pair();
    let (trials, situation) = (one.trials(Distance::Near), Situation::Allgather);
    let is_confirmed = || trials.confirmed()[CLASS][situation as usize];
    trials.learn(CLASS, situation, Times([100, 300, 0]));
    assert!(!is_confirmed());
    let mut seen = Seen::default();
    let mut run = |messages: u32, lanes| {
        for _ in 0..messages {
            let (direct, timed) = trials.next(CLASS, situation, &mut seen);
            if timed {
                let time = if direct == Direct::Reads { 100 } else { lanes };
                seen.record(UNIT, time);
            }
        }
    };
    run(SHORTEST << (CHANGED + 2), 300);
    assert!(!is_confirmed() && !trials.take_news());
    run(SHORTEST << CHANGED, 300);
    assert!(is_confirmed() && trials.take_news());
    run(SHORTEST << LONGEST, 300);
    assert!(is_confirmed() && !trials.take_news(), "that is known");
    run(SHORTEST << (LONGEST + 1), 50);
    assert_eq!(trials.best(CLASS, situation), Direct::Never);
    assert!(trials.take_news());
    trials.learn(CLASS, situation, Times([100, 300, 0]));
    assert!(!is_confirmed());
    trials.confirm(CLASS, situation);
    assert!(is_confirmed());
}

/// Runs of eager messages are as long as what is known is trusted, and others come between.
#[test]
fn messages_are_announced_now_and_then() {
    let [one, _] = pair();
    let (trials, situation) = (one.trials(Distance::Near), Situation::Alone);
    assert_eq!(trials.eager_run(CLASS, situation), None, "nothing is known");
    trials.learn(CLASS, situation, Times([1, 9, 9]));
    assert_eq!(trials.eager_run(CLASS, situation), None);
    trials.learn(CLASS, situation, Times([9, 1, 9]));
    assert_eq!(
        trials.eager_run(CLASS, situation),
        Some(SHORTEST << (CHANGED + 2)),
        "all others were more than twice as slow"
    );
    trials.learn(CLASS, situation, Times([9, 9, 9]));
    assert_eq!(trials.eager_run(CLASS, situation), None);
    trials.learn(CLASS, situation, Times([10, 9, 9]));
    assert_eq!(
        trials.eager_run(CLASS, situation),
        Some(SHORTEST << CHANGED)
    );
    trials.confirm(CLASS, situation);
    assert_eq!(
        trials.eager_run(CLASS, situation),
        Some(SHORTEST << CONFIRMED),
        "trusted for longer"
    );
    trials.learn(CLASS, situation, Times([9, 1, 9]));
    assert_eq!(trials.eager_run(CLASS, Situation::Exchange), None);
    let mut hurry = Hurry::default();
    let mut count = |run: Option<u32>, eager: bool| {
        let next = || hurry.next(run) == eager;
        std::iter::repeat_with(next)
            .take(1000)
            .take_while(|same| *same)
            .count()
    };
    assert_eq!(count(None, false), 1000);
    assert_eq!(count(Some(8), true), 8);
    // One of each kind has been asked for already.
    for run in [8, 64, 1] {
        assert_eq!(count(Some(run), false), ANNOUNCED as usize - 1);
        assert_eq!(count(Some(run), true), run as usize - 1);
    }
    assert_eq!(count(Some(64), false), ANNOUNCED as usize - 1);
    assert_eq!(count(Some(4), true), 4, "less is known now");
}

/// What is known is asked for seldom, and how many leave eagerly is the same.
#[test]
fn a_run_goes_on_by_itself() {
    for run in [1, 2, 15, 16, 17, 64, 100] {
        let mut hurry = Hurry::default();
        assert!(!hurry.goes_on(), "nothing is known");
        let mut asked = 0;
        let mut next = || {
            hurry.goes_on() || {
                asked += 1;
                hurry.next(Some(run))
            }
        };
        let eager = (0..).take_while(|_| next()).count();
        assert_eq!(eager, run as usize);
        assert!((1..ANNOUNCED).all(|_| !next()));
        let most = 2 + run.div_ceil(UNASKED_FOR) * 2 + ANNOUNCED;
        assert!(asked <= most, "{run}: {asked}");
    }
}

/// Eager messages spare others the wait until they are timed, and no more.
#[test]
fn eager_messages_count_as_copied_in_the_fastest_way() {
    let [one, _] = pair();
    let (trials, situation) = (one.trials(Distance::Near), Situation::Alone);
    trials.learn(CLASS, situation, Times([9, 1, 9]));
    let mut seen = Seen::default();
    assert_eq!(
        trials.next(CLASS, situation, &mut seen),
        (Direct::Never, false)
    );
    seen.skip(situation, 1_000_000);
    for _ in 0..SAMPLES {
        assert_eq!(
            trials.next(CLASS, situation, &mut seen),
            (Direct::Never, true)
        );
        seen.record(UNIT, 5);
    }
    let (direct, timed) = trials.next(CLASS, situation, &mut seen);
    assert!(direct != Direct::Never && !timed);
    seen.skip(situation, 1_000_000);
    assert!(
        !trials.next(CLASS, situation, &mut seen).1,
        "a trial is not skipped"
    );
}

/// The two sides of an exchange change over at the same message but one.
#[test]
fn processes_change_over_together() {
    let segments = pair();
    let mut seen = [Seen::default(); 2];
    let (mut apart, mut changes) = (0, 0);
    let mut last = Direct::Reads;
    for _ in 0..5000 {
        let ways: [Direct; 2] = std::array::from_fn(|me| {
            let trials = segments[me].trials(Distance::Near);
            let (direct, timed) = trials.next(0, Situation::Exchange, &mut seen[me]);
            if timed {
                seen[me].record(UNIT, 100 + direct as u64);
            }
            direct
        });
        apart += u32::from(ways[0] != ways[1]);
        changes += u32::from(ways[0] != last);
        last = ways[0];
    }
    assert!(changes >= 8 && apart <= changes, "{apart} of {changes}");
}

/// Messages of which none could be timed do not keep a slow way in use.
#[test]
fn a_way_that_cannot_be_timed_has_an_end() {
    let [one, _] = pair();
    let (trials, mut seen) = (one.trials(Distance::Near), Seen::default());
    let mut each = [0; 3];
    for _ in 0..1000 {
        let (direct, timed) = trials.next(3, Situation::Alone, &mut seen);
        each[direct as usize] += 1;
        if timed && direct == Direct::Both {
            seen.record(UNIT, 100);
        }
    }
    assert!(each[Direct::Both as usize] > 750, "{each:?}");
    assert_eq!(trials.times(3, Situation::Alone), None);
    assert_eq!(trials.best(3, Situation::Alone), Direct::Both);
    assert!(!trials.take_news());
}

#[test]
fn what_is_known_from_before_is_in_use_at_once() {
    let [one, other] = pair();
    let (alone, exchange) = (Times([9, 8, 1]), Times([9, 1, 0]));
    one.trials(Distance::Near).learn(0, Situation::Alone, alone);
    one.trials(Distance::Near)
        .learn(0, Situation::Exchange, exchange);
    assert_eq!(
        other.trials(Distance::Near).best(0, Situation::Alone),
        Direct::Reads
    );
    let mut seen = Seen::default();
    let (direct, timed) = other
        .trials(Distance::Near)
        .next(0, Situation::Exchange, &mut seen);
    assert_eq!((direct, timed), (Direct::Never, false));
    let mut table = Table::default();
    table[0][Situation::Alone as usize] = Some(alone);
    table[0][Situation::Exchange as usize] = Some(exchange);
    assert_eq!(other.trials(Distance::Near).table(), table);
    assert!(!one.trials(Distance::Near).take_news());
}

#[test]
fn the_middle_of_the_times_counts() {
    let mut seen = Seen::default();
    assert_eq!(seen.median(), None);
    let mut next = |bytes, nanoseconds| {
        seen.record(bytes, nanoseconds);
        seen.median().unwrap()
    };
    assert_eq!(next(UNIT, u64::MAX), u32::MAX, "longer than any");
    assert_eq!(next(UNIT / 2, 50), 100);
    assert_eq!(next(UNIT, 0), 100, "no time at all is 1");
    assert_eq!(next(2 * UNIT, 1000), 100);
    assert_eq!(next(UNIT, 1), 100, "there are enough");
}

/// Who sends eagerly joins who announces, unless it has just begun to.
#[test]
fn a_run_ends_early_where_the_other_side_announces() {
    let mut hurry = Hurry::default();
    assert!(!hurry.meets_announced(), "no run");
    let run = Some(128);
    let left = |hurry: &mut Hurry| (0..).take_while(|_| hurry.next(run)).count();
    for (before, after) in [(1, 119), (55, 65), (56, 0), (100, 0)] {
        let mut hurry = Hurry::default();
        assert!((0..before).all(|_| hurry.next(run)));
        assert!(hurry.meets_announced());
        assert_eq!(left(&mut hurry), after, "after {before}");
        // The one above was the first.
        assert!((1..ANNOUNCED).all(|_| !hurry.next(run)));
        assert!(hurry.next(run), "the next run");
        // Nothing is sent any more, and what comes meets none.
        let meets = (0..).take_while(|_| hurry.meets_announced()).count();
        assert_eq!(meets, 8);
    }
}

/// Blocks of collectives go through shared memory unless that is clearly slower, but for where that has not been measured.
#[test]
fn alike_blocks_go_through_shared_memory() {
    let class = class_of(1 << 20);
    let chosen = |core, situation, shared| {
        let _core = On::a(core);
        Times([1000, shared, 0]).choice(class, situation)
    };
    for situation in Situation::ALL {
        let blocks = !Situation::MESSAGES.contains(&situation) && situation != Situation::Reduce;
        let alike = match blocks {
            true => Direct::Never,
            false => situation.usual(),
        };
        assert_eq!(chosen(Core::Other, situation, 980), alike, "{situation:?}");
        assert_eq!(chosen(Core::Other, situation, 1010), situation.usual());
        assert_eq!(chosen(Core::GoldenCove, situation, 980), situation.usual());
    }
}

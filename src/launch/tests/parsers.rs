//! Whatever comes, the parsers give an answer or an error and never panic: frames, lines of PMI, lists and files of
//! hosts, rank files, command lines. `PROPTEST_CASES` sets how many cases each property gets.

use anympi_launch::agent;
use anympi_launch::cause::Ending;
use anympi_launch::environ::World;
use anympi_launch::events::{Command, Ended, Event, News};
use anympi_launch::frames::{self, ANSWER, CALL, Down, Inbox, Up};
use anympi_launch::hosts;
use anympi_launch::lines;
use anympi_launch::option_table::TABLE;
use anympi_launch::orders::{Orders, Post, Script, Slot};
use anympi_launch::pmi::Server;
use anympi_launch::pmi::clients::Clients;
use anympi_launch::rank::Which;
use anympi_launch::request::{self, BindRequest, StdinTo};
use anympi_launch::topology::Object;
use anympi_launch::tree::Road;
use proptest::collection::vec;
use proptest::prelude::*;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> + Clone {
    vec(any::<u8>(), 0..most)
}

fn event() -> impl Strategy<Value = Event> {
    let ending = prop_oneof![
        any::<i32>().prop_map(Ending::Exited),
        any::<i32>().prop_map(Ending::Signalled),
        Just(Ending::Unknown),
    ];
    let ending = proptest::option::of(ending);
    prop_oneof![
        (any::<usize>(), any::<i32>()).prop_map(|(rank, pid)| Event::Started { rank, pid }),
        (".*", any::<i32>()).prop_map(|(text, code)| Event::NotStarted { text, code }),
        (any::<usize>(), any::<bool>(), bytes(300)).prop_map(|(rank, out, bytes)| Event::Output {
            rank,
            which: if out { Which::Out } else { Which::Err },
            bytes,
        }),
        (any::<usize>(), bytes(50)).prop_map(|(rank, bytes)| Event::Pmi { rank, bytes }),
        (any::<usize>(), ending.clone(), ending, any::<bool>()).prop_map(
            |(rank, ending, over, out_of_memory)| Event::Ended(Ended {
                rank,
                pid: 1,
                program: "p".into(),
                ending,
                over,
                out_of_memory,
            })
        ),
        any::<bool>().prop_map(Event::Hungry),
        ".*".prop_map(Event::Leaving),
        Just(Event::Gone),
    ]
}

fn up() -> impl Strategy<Value = Up> {
    let news = prop_oneof![
        Just(News::Ready),
        event().prop_map(News::Event),
        ".*".prop_map(News::Lost),
        bytes(50).prop_map(News::Words),
    ];
    prop_oneof![
        event().prop_map(Up::Own),
        (any::<usize>(), news).prop_map(|(site, news)| Up::Of(site, news)),
    ]
}

fn orders() -> impl Strategy<Value = Down> {
    let slot = prop_oneof![
        vec(0..99usize, 0..5).prop_map(Slot::Cpus),
        (0..9usize, vec(0..99usize, 0..5)).prop_map(|(package, cores)| Slot::Cores(package, cores)),
    ];
    let post = (any::<usize>(), 0..3usize, proptest::option::of(slot));
    let post = post.prop_map(|(rank, program, slot)| Post {
        rank,
        program,
        slot,
    });
    let word = bytes(20).prop_map(OsString::from_vec);
    let script = (
        vec(word.clone(), 1..4),
        proptest::collection::btree_map(word.clone(), word, 0..4),
    );
    let script = script.prop_map(|(command, env)| Script {
        command,
        path: None,
        wdir: Some("/".into()),
        here: None,
        env,
        own_env: true,
        unset: vec!["U".into()],
        library_path: false,
        shared_heap: true,
    });
    (".*", vec(post, 0..5), vec(script, 0..3)).prop_map(|(host, posts, scripts)| {
        let orders = Orders {
            host,
            posts,
            world: World {
                size: 4,
                universe: -1,
                torch: Some(("h".into(), 9)),
            },
            bind: BindRequest {
                to: Some(Object::Core),
                lists: vec![vec![1, 2]],
                ..BindRequest::default()
            },
            stdin: StdinTo::Rank(3),
            merge: true,
            library_check: false,
        };
        Down::Start(orders, scripts)
    })
}

fn down() -> impl Strategy<Value = Down> {
    let pair = (bytes(9), bytes(9));
    prop_oneof![
        orders(),
        (any::<usize>(), bytes(50)).prop_map(|(rank, line)| Down::Do(Command::Answer {
            rank,
            line,
            segment: Some((1, 2)),
        })),
        (any::<usize>(), vec(pair, 0..4))
            .prop_map(|(round, pairs)| Down::Do(Command::Copy { round, pairs })),
        bytes(300).prop_map(|bytes| Down::Do(Command::Input(bytes))),
        (vec(any::<usize>(), 0..5), bytes(50)).prop_map(|(sites, bytes)| Down::Pass(sites, bytes)),
        (".*", vec((any::<usize>(), ".*"), 0..3)).prop_map(|(name, beyond)| Down::Reach(Road {
            site: 1,
            name,
            command: vec!["ssh".into()],
            attempts: Some(2),
            patience: 3,
            beyond,
        })),
    ]
}

/// Takes frames out of an inbox until there is none or an error.
fn take<T: frames::Carried>(bytes: &[u8]) -> (Vec<T>, bool) {
    let mut inbox = Inbox::default();
    inbox.push(bytes);
    let mut all = Vec::new();
    loop {
        match inbox.frame() {
            Ok(Some(frame)) => all.push(frame),
            Ok(None) => return (all, true),
            Err(_) => return (all, false),
        }
    }
}

proptest! {
    #[test]
    fn frames_come_out_as_they_went_in(ups in vec(up(), 0..8), downs in vec(down(), 0..8), piece in 1..64usize) {
        let mut out = Vec::new();
        ups.iter().for_each(|up| frames::push(up, &mut out));
        let mut inbox = Inbox::default();
        let mut got = Vec::new();
        for bytes in out.chunks(piece) {
            inbox.push(bytes);
            while let Some(up) = inbox.frame::<Up>().unwrap() {
                got.push(up);
            }
        }
        prop_assert_eq!(got, ups);
        let mut out = Vec::new();
        downs.iter().for_each(|down| frames::push(down, &mut out));
        prop_assert_eq!(take::<Down>(&out), (downs, true));
    }

    #[test]
    fn frames_that_are_damaged(downs in vec(down(), 1..4), ups in vec(up(), 1..4), at in any::<prop::sample::Index>(), with in bytes(8), cut in any::<prop::sample::Index>()) {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        downs.iter().for_each(|down| frames::push(down, &mut a));
        ups.iter().for_each(|up| frames::push(up, &mut b));
        for bytes in [&mut a, &mut b] {
            let at = at.index(bytes.len());
            let end = bytes.len().min(at + with.len());
            bytes.splice(at..end, with.iter().copied());
            let end = cut.index(bytes.len() + 1);
            bytes.truncate(end);
        }
        take::<Down>(&a);
        take::<Up>(&b);
    }

    #[test]
    fn frames_that_are_none(bytes in bytes(200)) {
        take::<Down>(&bytes);
        take::<Up>(&bytes);
        // What looks like a frame from outside.
        let mut framed = Vec::new();
        frames::push_bytes(&bytes, &mut framed);
        take::<Down>(&framed);
        take::<Up>(&framed);
        let _ = frames::find_greeting(&bytes, CALL);
    }

    #[test]
    fn a_greeting_is_found_in_any_noise(noise in bytes(200), rest in bytes(20)) {
        let mut heard = noise.clone();
        heard.extend(frames::greeting(ANSWER));
        let end = heard.len();
        heard.extend(&rest);
        prop_assert_eq!(frames::find_greeting(&heard, ANSWER), Ok(Some((frames::VERSION, end))));
    }

    #[test]
    fn lines_of_pmi(pieces in vec((0..3usize, pmi()), 0..30), cut in 1..40usize) {
        let mut server = Server::new("kvs", vec![0; 3], -1, false).on(vec![0, 0, 1]);
        let mut clients = Clients::new(vec![0, 1, 2], 3);
        for (rank, bytes) in &pieces {
            for bytes in bytes.chunks(cut) {
                server.feed(*rank, bytes);
                clients.feed(*rank, bytes);
            }
        }
    }

    #[test]
    fn lists_and_files_of_hosts(text in hosts_text()) {
        let _ = hosts::list(&text);
        let _ = hosts::file(&text);
        let _ = hosts::rank_file(&text);
        let _ = hosts::rank_map(&text);
        let _ = hosts::slurm(&text);
        let _ = hosts::slurm_counts(&text);
        let _ = request::words(&text);
        let _ = request::cpu_list("x", &text);
        agent::words(&text);
        hosts::is_local(&text, "me");
    }

    /// Comments, blanks, carriage returns and commas at ends change nothing.
    #[test]
    fn files_of_hosts_in_any_dress(lines in vec(("[a-z][a-z0-9.-]{0,12}", proptest::option::of(1..99usize), 0..6usize), 0..9)) {
        let mut plain = String::new();
        let mut dressed = String::from("\u{23} hosts\r\n\r\n");
        for (name, slots, dress) in &lines {
            let line = match slots {
                None => name.clone(),
                Some(slots) if dress % 2 == 0 => format!("{name}:{slots}"),
                Some(slots) => format!("{name} slots={slots}"),
            };
            plain += &format!("{line}\n");
            dressed += &match dress {
                0 => format!("{line}\r\n"),
                1 => format!("  {line}\t\r\n\n"),
                2 => format!("{line},\n"),
                3 => format!("{line} # here\r\n"),
                4 => format!("{line}#x\n   \n"),
                _ => format!("{line}\n# {line}\n"),
            };
        }
        prop_assert_eq!(hosts::file(&dressed).unwrap(), hosts::file(&plain).unwrap());
        let listed: Vec<String> = plain.lines().filter(|l| !l.contains(' ')).map(str::to_owned).collect();
        let list = hosts::list(&(listed.join(" ,,") + ",")).unwrap();
        prop_assert_eq!(list.len(), listed.len());
    }

    #[test]
    fn command_lines(words in vec(word(), 0..12), var in proptest::option::of((name_of_variable(), hosts_text()))) {
        let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        let read = |name: &str| var.as_ref().filter(|(of, _)| of == name).map(|(_, text)| text.clone());
        let _ = request::read(&words, &read);
    }

    #[test]
    fn labels_of_output(pattern in ".*", text in bytes(200)) {
        lines::expand(&pattern, 3, "host", 7, 0);
        let mut lines = lines::Lines::new(lines::Label::default(), false);
        let mut out = Vec::new();
        lines.feed(&text, &mut out);
        lines.finish(&mut out);
        prop_assert!(out.len() >= text.len());
    }
}

/// Lines of PMI-1 and PMI-2 that are nearly right, and bytes that are none.
fn pmi() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "cmd=init",
        "cmd=initack",
        "cmd=get_maxes",
        "cmd=get_appnum",
        "cmd=get_universe_size",
        "cmd=get_my_kvsname",
        "cmd=put",
        "cmd=get",
        "cmd=barrier_in",
        "cmd=finalize",
        "cmd=abort",
        "cmd=publish_name",
        "cmd=lookup_name",
        "cmd=unpublish_name",
        "cmd=anympi_segment",
        "mcmd=spawn\n",
        "endcmd",
        "pmi_version=1",
        "pmi_subversion=1",
        "pmi_version=2",
        "pmi_subversion=0",
        "kvsname=k",
        "key=a",
        "key=PMI_process_mapping",
        "key=PMI_anympi_secret",
        "value=x\\ y",
        "value=",
        "group=NODE:1",
        "group=WORLD:2",
        "group=0,1:3",
        "group=9-0:t",
        "service=s",
        "port=p",
        "exitcode=3",
        "exitcode=x",
        "message=m",
        "nprocs=2\n",
        "=",
        "\\",
        "    43cmd=fullinit;pmijobid=;pmirank=0;",
        "index=18446744073709551615",
        "round=99999999999999999999",
        " ",
        ";",
        "\n",
        "\n",
        "\n",
    ];
    let part = prop_oneof![
        8 => prop::sample::select(words.to_vec()).prop_map(|word| format!("{word} ").into_bytes()),
        1 => bytes(30),
    ];
    vec(part, 0..8).prop_map(|parts| {
        let mut line = parts.concat();
        line.push(b'\n');
        line
    })
}

fn hosts_text() -> impl Strategy<Value = String> {
    let words = [
        "a",
        "node1",
        ":",
        ":2",
        "slots=",
        "4",
        "max_slots=9",
        "@",
        "[",
        "]",
        "::1",
        ",",
        ",,",
        "\r\n",
        "\n",
        " ",
        "#",
        "^",
        "+n0",
        "+n",
        "rank ",
        "0=",
        "slot=",
        "0-3",
        "1:0-1",
        "0:*",
        "n[01-04,7]",
        "n[1-",
        "(x3)",
        "2(x",
        "(0,2,1)",
        "(vector,",
        "99999999999999999999",
        "-1",
        "=",
        "\0",
        "é",
        "\"",
        "'",
        "\\",
        "user=",
        "65535",
        "-",
    ];
    let part = prop_oneof![
        9 => prop::sample::select(words.to_vec()).prop_map(str::to_owned),
        1 => ".{0,5}",
    ];
    vec(part, 0..14).prop_map(|parts| parts.concat())
}

fn name_of_variable() -> impl Strategy<Value = String> {
    let names = [
        "HYDRA_LAUNCHER",
        "HYDRA_LAUNCHER_EXEC",
        "HYDRA_LAUNCHER_EXTRA_ARGS",
        "HYDRA_PROXY_RETRY_COUNT",
        "HYDRA_BINDING",
        "HYDRA_LAUNCHER_SSH_LIMIT",
        "I_MPI_PERHOST",
        "OMPI_MCA_orte_set_default_slots",
        "PRTE_MCA_rml_base_radix",
        "OMPI_MCA_plm_rsh_no_tree_spawn",
        "MPIEXEC_TIMEOUT",
        "MPIEXEC_UNIVERSE_SIZE",
        "SLURM_JOB_NODELIST",
    ];
    prop::sample::select(names.to_vec()).prop_map(str::to_owned)
}

/// Options, values and what is neither.
fn word() -> impl Strategy<Value = String> {
    let names: Vec<&str> = TABLE
        .iter()
        .flat_map(|(_, opts)| *opts)
        .flat_map(|o| o.names)
        .copied()
        .collect();
    let values = [
        "4",
        "0",
        "-1",
        "core",
        "core:2",
        "ppr:2:socket:pe=2",
        "ppr:",
        "node:pe-list=0,1:ordered",
        "user:0+2,1",
        "a:2,b,",
        "K=V",
        "K",
        "(0,2,1)",
        "0-3",
        "tag,dir=",
        "all",
        "map,bind",
        "99999999999999999999",
        ":",
        "prog",
        "--",
        "-",
        "",
    ];
    let dashed = (prop::sample::select(names), 0..3usize, hosts_text());
    prop_oneof![
        4 => dashed.prop_map(|(name, form, value)| match form {
            0 => format!("-{name}"),
            1 => format!("--{name}"),
            _ => format!("--{name}={value}"),
        }),
        4 => prop::sample::select(values.to_vec()).prop_map(str::to_owned),
        1 => hosts_text(),
    ]
}

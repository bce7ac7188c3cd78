//! The parser of `mpiexec`'s options, by the table in `option_table.rs`.
//!
//! Job: turn an argument vector into segments (options given, then the program and its arguments).
//! One or two dashes, `-opt value` and `-opt=value` are the same thing. It knows names and how many words
//! each takes, never what an option does: that is `request.rs`.

use crate::option_table::Takes::{Maybe, Nothing, One, Parameter, Two, Variable};
use crate::option_table::{Opt, TABLE};
use std::ffi::OsString;
use std::fmt;

/// A command line that cannot be understood. The text says what was expected.
#[derive(Debug, PartialEq, Eq)]
pub struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// An option as the user gave it.
#[derive(Debug)]
pub struct Given {
    pub opt: &'static Opt,
    /// The word as written, for messages.
    pub written: String,
    /// Its values: none, one, or two (a name and its value).
    pub values: Vec<String>,
}

/// The part of a command line between two `:`.
#[derive(Debug, Default)]
pub struct Segment {
    pub given: Vec<Given>,
    /// The program and its arguments; empty when the segment holds only options.
    pub command: Vec<OsString>,
}

/// Splits an argument vector (without `argv[0]`) into segments.
pub fn parse(args: &[OsString]) -> Result<Vec<Segment>, UsageError> {
    args.split(|word| word == ":").map(segment).collect()
}

/// One segment: options up to the first word that is not one, then the command.
fn segment(args: &[OsString]) -> Result<Segment, UsageError> {
    let mut out = Segment::default();
    let mut at = 0;
    while at < args.len() {
        let Some(word) = args[at].to_str() else { break };
        if word == "--" {
            at += 1;
            break;
        }
        if !word.starts_with('-') || word == "-" {
            break;
        }
        at += 1;
        out.given.push(given(word, args, &mut at)?);
    }
    out.command = args[at..].to_vec();
    Ok(out)
}

/// The option `word`, taking the values it needs from `args[*at..]`.
fn given(word: &str, args: &[OsString], at: &mut usize) -> Result<Given, UsageError> {
    let bare = word
        .strip_prefix("--")
        .or(word.strip_prefix('-'))
        .unwrap_or(word);
    let (name, attached) = match (find(bare), bare.split_once('=')) {
        (None, Some((name, value))) => (name, Some(value.to_owned())),
        _ => (bare, None),
    };
    let Some(opt) = find(name) else {
        return Err(UsageError(unknown(word, name)));
    };
    let mut values = Vec::new();
    if attached.is_some() && opt.takes == Nothing {
        return Err(UsageError(format!("option '{word}' takes no value")));
    }
    if opt.takes == Maybe {
        values.extend(attached);
    } else if opt.takes != Nothing {
        let mut next = |what: &str| match args.get(*at) {
            Some(value) => {
                *at += 1;
                value.to_str().map(str::to_owned).ok_or_else(|| {
                    UsageError(format!("the value of option '{word}' is not UTF-8 text"))
                })
            }
            None => Err(UsageError(format!(
                "option '{word}' needs {what}, but the command line ends there"
            ))),
        };
        let first = match attached {
            Some(value) => value,
            None => next("a value")?,
        };
        match opt.takes {
            Nothing | Maybe | One => values.push(first),
            Two => {
                let second = next("a name and a value")?;
                values.extend([first, second]);
            }
            Variable => match first.split_once('=') {
                Some((name, value)) => values.extend([name.to_owned(), value.to_owned()]),
                None => {
                    let second = next("a name and a value")?;
                    values.extend([first, second]);
                }
            },
            Parameter => match first.split_once(char::is_whitespace) {
                Some((name, value)) => values.extend([name.to_owned(), value.trim().to_owned()]),
                None => {
                    let second = next("a parameter name and a value")?;
                    values.extend([first, second]);
                }
            },
        }
    }
    Ok(Given {
        opt,
        written: word.to_owned(),
        values,
    })
}

/// The table's line for a name without dashes.
fn find(name: &str) -> Option<&'static Opt> {
    all().find(|opt| opt.names.contains(&name))
}

fn all() -> impl Iterator<Item = &'static Opt> {
    TABLE.iter().flat_map(|(_, opts)| opts.iter())
}

/// The message for an unknown option, with the nearest known name.
fn unknown(word: &str, name: &str) -> String {
    let nearest = all()
        .flat_map(|opt| opt.names.iter())
        .map(|known| (distance(name, known), *known))
        .min();
    match nearest {
        Some((far, known)) if far <= 1 + name.chars().count() / 3 => {
            let dashes = if known.len() == 1 { "-" } else { "--" };
            format!(
                "unknown option '{word}'; did you mean '{dashes}{known}'? (mpiexec --help lists all)"
            )
        }
        _ => format!("unknown option '{word}' (mpiexec --help lists all)"),
    }
}

/// Edit distance (insert, delete, replace), for suggestions.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replace = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The text of `mpiexec --help`.
pub fn help() -> String {
    let mut text = String::from(
        "Usage: mpiexec [options] program [arguments] [: [options] program [arguments]] ...\n\
         Starts MPI (or any other) programs. Options of MPICH, Intel MPI and Open MPI are understood,\n\
         with one or two dashes, as '-opt value' or '-opt=value'.\n",
    );
    for (heading, opts) in TABLE {
        text.push_str(&format!("\n{heading}:\n"));
        for opt in *opts {
            let names: Vec<String> = opt
                .names
                .iter()
                .map(|n| {
                    if n.len() == 1 {
                        format!("-{n}")
                    } else {
                        format!("--{n}")
                    }
                })
                .collect();
            let value = match opt.takes {
                Nothing => "",
                Maybe => "[=VALUE]",
                One => " VALUE",
                Two | Variable | Parameter => " NAME VALUE",
            };
            text.push_str(&format!(
                "  {}{value}\n        {}\n",
                names.join(", "),
                opt.help
            ));
        }
    }
    text.push_str(
        "\nExit code: 0 if every rank ended with 0; otherwise that of the rank that failed first, 128 + signal\n\
         number if a signal ended it, the code of MPI_Abort (never 0); 110 after a timeout; 126 or 127 if a\n\
         program could not be started; 141 if the reader of standard output has gone, 74 if output could not\n\
         be written otherwise (a full file system); 1 for errors of mpiexec itself.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::option_table::Key;

    fn line(text: &str) -> Vec<OsString> {
        text.split('|').map(OsString::from).collect()
    }

    fn values(segment: &Segment, key: Key) -> Vec<Vec<String>> {
        segment
            .given
            .iter()
            .filter(|g| g.opt.key == key)
            .map(|g| g.values.clone())
            .collect()
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = all().flat_map(|o| o.names.iter().copied()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn dashes_and_equals_are_the_same() {
        for text in ["-n|4|a", "--n|4|a", "-n=4|a", "--np=4|a", "-np|4|a"] {
            let segments = parse(&line(text)).unwrap();
            assert_eq!(values(&segments[0], Key::Count), [["4"]], "{text}");
            assert_eq!(segments[0].command, ["a"]);
        }
    }

    #[test]
    fn variables_in_one_or_two_words() {
        let segments = parse(&line("-genv|A|1|-genv|B=2=3|-genv=C=4|-env|D|x y|a|-n|9")).unwrap();
        assert_eq!(
            values(&segments[0], Key::GlobalEnv),
            [["A", "1"], ["B", "2=3"], ["C", "4"]]
        );
        assert_eq!(values(&segments[0], Key::Env), [["D", "x y"]]);
        assert_eq!(segments[0].command, ["a", "-n", "9"]);
    }

    #[test]
    fn horovod_on_open_mpi() {
        let segments = parse(&line(
            "--allow-run-as-root|--tag-output|-np|4|-H|h1:2,h2:2|-bind-to|none|-map-by|slot|-mca|pml|ob1|-mca|btl|^openib|-mca|plm_rsh_args|-p 22|-mca|btl_tcp_if_include|eth0|-x|NCCL_SOCKET_IFNAME=eth0|-mca|plm_rsh_no_tree_spawn|true|-mca|plm_rsh_num_concurrent|2|--output-filename|d|--timestamp-output|-x|PATH|python|train.py",
        ))
        .unwrap();
        assert_eq!(
            values(&segments[0], Key::Mca)[1],
            ["btl".to_owned(), "^openib".to_owned()]
        );
        assert_eq!(values(&segments[0], Key::Mca)[2][1], "-p 22");
        assert_eq!(values(&segments[0], Key::Hosts), [["h1:2,h2:2"]]);
        assert_eq!(segments[0].command, ["python", "train.py"]);
    }

    #[test]
    fn horovod_on_mpich() {
        let segments = parse(&line(
            "-l|-np|4|-ppn|2|-hosts|a,b|-bind-to|none|-map-by|slot|-bootstrap=ssh|-bootstrap-exec-args|-p 22|-iface|eth0|-genv|K|v|-outfile-pattern|f|cmd",
        ))
        .unwrap();
        assert_eq!(values(&segments[0], Key::PerNode), [["2"]]);
        assert_eq!(values(&segments[0], Key::OutFile), [["f"]]);
        assert_eq!(segments[0].command, ["cmd"]);
    }

    #[test]
    fn deepspeed_puts_parameters_in_one_word() {
        let segments = parse(&line(
            "-n|2|-mca|btl tcp,self|-mca|coll_hcoll_enable 0|-mca|plm_rsh_args \"-p 2222\"^openib|-x|PATH|-x|LD_LIBRARY_PATH|--bind-to|none|--mca|btl_tcp_if_include|eth0|python|-u|a.py",
        ))
        .unwrap();
        assert_eq!(
            values(&segments[0], Key::Mca),
            [
                ["btl", "tcp,self"],
                ["coll_hcoll_enable", "0"],
                ["plm_rsh_args", "\"-p 2222\"^openib"],
                ["btl_tcp_if_include", "eth0"]
            ]
        );
        assert_eq!(
            values(&segments[0], Key::Export),
            [["PATH"], ["LD_LIBRARY_PATH"]]
        );
        assert_eq!(segments[0].command, ["python", "-u", "a.py"]);
    }

    #[test]
    fn deepspeed_on_intel_joins_ranks_with_colons() {
        let segments = parse(&line(
            "-ppn|2|-genv|MASTER_ADDR|a|-n|1|-env|RANK|0|-env|LOCAL_RANK|0|python|a.py|:|-n|1|-env|RANK|1|-env|LOCAL_RANK|1|python|a.py",
        ))
        .unwrap();
        assert_eq!(segments.len(), 2);
        assert_eq!(values(&segments[1], Key::Env)[0], ["RANK", "1"]);
        assert_eq!(segments[1].command, ["python", "a.py"]);
    }

    #[test]
    fn kubernetes_lines() {
        for text in [
            "-n|2|/home/mpiuser/pi",
            "--allow-run-as-root|-np|2|-bind-to|none|-map-by|slot|-x|LD_LIBRARY_PATH|-x|PATH|-x|NCCL_DEBUG=INFO|-mca|pml|ob1|-mca|btl|^openib|python",
            "--allow-run-as-root|--host|a,b,|-np|2|prog",
        ] {
            let segments = parse(&line(text)).unwrap();
            assert_eq!(values(&segments[0], Key::Count), [["2"]]);
            assert_eq!(segments[0].command.len(), 1);
        }
    }

    #[test]
    fn unknown_options_name_the_nearest() {
        let error = parse(&line("-hostfil|x|a")).unwrap_err();
        assert!(error.0.contains("'--hostfile'"), "{error}");
        let error = parse(&line("--zzzzzzzz|a")).unwrap_err();
        assert!(!error.0.contains("did you mean"), "{error}");
    }

    #[test]
    fn missing_and_surplus_values() {
        assert!(parse(&line("-n")).unwrap_err().0.contains("needs a value"));
        assert!(
            parse(&line("-genv|A"))
                .unwrap_err()
                .0
                .contains("name and a value")
        );
        assert!(
            parse(&line("--tag-output=1|a"))
                .unwrap_err()
                .0
                .contains("takes no value")
        );
    }
}

//! The option table of `mpiexec`: every name that MPICH's Hydra, Intel MPI and Open MPI accept.
//!
//! Job: turn an argument vector into segments (options given, then the program and its arguments).
//! One or two dashes, `-opt value` and `-opt=value` are the same thing. The table is also the text of
//! `mpiexec --help`. This file knows names and how many words each takes, never what an option does:
//! that is `request.rs`.

use std::ffi::OsString;
use std::fmt;

/// What an option means; several spellings share one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Count,
    Hosts,
    HostFile,
    PerNode,
    OnePerNode,
    MapBy,
    BindTo,
    CpusPerRank,
    CpuSet,
    ReportBindings,
    NoOversubscribe,
    GlobalEnv,
    GlobalEnvList,
    GlobalEnvNone,
    GlobalEnvAll,
    Env,
    EnvList,
    EnvNone,
    EnvAll,
    Export,
    UnsetEnv,
    PrependEnv,
    AppendEnv,
    TorchEnv,
    Mca,
    RankPrefix,
    PrefixPattern,
    TagOutput,
    TimestampOutput,
    Output,
    OutputDirectory,
    OutFile,
    ErrFile,
    MergeStderr,
    Stdin,
    WorkDir,
    Path,
    ConfigFile,
    Timeout,
    Recover,
    PrintAllExitCodes,
    UniverseSize,
    DisplayMap,
    DoNotLaunch,
    Info,
    Version,
    Help,
    Verbose,
    Quiet,
    /// Accepted; has no effect on one host or under our design. Noted with `-v`.
    NoEffect,
    /// Recognised and refused, with the reason that stands in the help text.
    Refused,
}

/// How many words follow an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    One,
    Two,
    /// `NAME VALUE`, or `NAME=VALUE` as one word.
    Variable,
    /// `NAME VALUE`, or both in one word with a blank between (DeepSpeed writes it so).
    Parameter,
}

/// One line of the table.
#[derive(Debug)]
pub struct Opt {
    /// Spellings without dashes; the first is the one that help shows first.
    pub names: &'static [&'static str],
    pub takes: Takes,
    pub key: Key,
    pub help: &'static str,
}

const fn o(names: &'static [&'static str], takes: Takes, key: Key, help: &'static str) -> Opt {
    Opt {
        names,
        takes,
        key,
        help,
    }
}

use Takes::{Nothing, One, Parameter, Two, Variable};

/// The table, by headings of the help text.
pub const TABLE: &[(&str, &[Opt])] = &[
    (
        "How many processes, and where",
        &[
            o(
                &["n", "np", "c"],
                One,
                Key::Count,
                "number of processes of this program",
            ),
            o(
                &[
                    "host",
                    "hosts",
                    "H",
                    "hostlist",
                    "machine",
                    "machines",
                    "machinelist",
                ],
                One,
                Key::Hosts,
                "comma-separated hosts, each with an optional :slots",
            ),
            o(
                &["hostfile", "f", "machinefile", "default-hostfile"],
                One,
                Key::HostFile,
                "file of hosts: `host`, `host:n` or `host slots=n`, one a line",
            ),
            o(
                &["ppn", "perhost", "grr", "N", "npernode", "rr"],
                One,
                Key::PerNode,
                "processes per host",
            ),
            o(
                &["pernode"],
                Nothing,
                Key::OnePerNode,
                "one process per host",
            ),
            o(
                &["map-by"],
                One,
                Key::MapBy,
                "placement: slot, core, ppr:N:node ...; :pe=N gives N cores to a rank",
            ),
            o(
                &["nooversubscribe", "no-oversubscribe"],
                Nothing,
                Key::NoOversubscribe,
                "fail when there are more processes than slots (default: no limit)",
            ),
            o(
                &["oversubscribe"],
                Nothing,
                Key::NoEffect,
                "always allowed here",
            ),
            o(
                &["usize"],
                One,
                Key::UniverseSize,
                "value of MPI_UNIVERSE_SIZE",
            ),
            o(
                &["display-map", "display-allocation", "display-devel-map"],
                Nothing,
                Key::DisplayMap,
                "show which rank runs where before the start",
            ),
            o(
                &["display"],
                One,
                Key::DisplayMap,
                "show before the start: map, bind, allocation",
            ),
            o(
                &["do-not-launch", "donotlaunch"],
                Nothing,
                Key::DoNotLaunch,
                "plan the job, start nothing",
            ),
            o(
                &[
                    "rank-by",
                    "rankmap",
                    "order-nodes",
                    "npersocket",
                    "npernuma",
                    "rankfile",
                    "rf",
                    "soft",
                    "hybrid-hosts",
                ],
                One,
                Key::NoEffect,
                "ranks follow the order of the command line on one host",
            ),
            o(
                &[
                    "bynode",
                    "byslot",
                    "bycore",
                    "bysocket",
                    "nolocal",
                    "skip-launch-node",
                    "use-hwthread-cpus",
                    "persocket",
                ],
                Nothing,
                Key::NoEffect,
                "placement over several hosts",
            ),
        ],
    ),
    (
        "Binding to processors (default: none)",
        &[
            o(
                &["bind-to"],
                One,
                Key::BindTo,
                "none, core, hwthread, package (socket), numa, l1cache, l2cache, l3cache; with :N, N of them",
            ),
            o(
                &["cpu-set", "cpu-list", "cpulist", "slot-list"],
                One,
                Key::CpuSet,
                "processors the job may use, for example 0,2-5",
            ),
            o(
                &["cpus-per-rank", "cpus-per-proc"],
                One,
                Key::CpusPerRank,
                "cores for each rank",
            ),
            o(
                &["report-bindings"],
                Nothing,
                Key::ReportBindings,
                "print where each rank is bound",
            ),
            o(
                &["bind-to-core"],
                Nothing,
                Key::BindTo,
                "same as --bind-to core",
            ),
            o(
                &["membind", "topolib", "topo-lib", "overload-allowed"],
                One,
                Key::NoEffect,
                "memory follows the processor",
            ),
        ],
    ),
    (
        "Environment (default: the whole environment is passed on)",
        &[
            o(
                &["x", "set-env"],
                One,
                Key::Export,
                "pass on NAME or NAME*, or set NAME=VALUE",
            ),
            o(
                &["genv"],
                Variable,
                Key::GlobalEnv,
                "set NAME VALUE (or NAME=VALUE) for all programs",
            ),
            o(
                &["genvlist"],
                One,
                Key::GlobalEnvList,
                "pass on only these names, comma-separated",
            ),
            o(
                &["genvnone"],
                Nothing,
                Key::GlobalEnvNone,
                "pass nothing on",
            ),
            o(
                &["genvall"],
                Nothing,
                Key::GlobalEnvAll,
                "pass everything on (default)",
            ),
            o(
                &["env"],
                Variable,
                Key::Env,
                "set NAME VALUE (or NAME=VALUE) for this program",
            ),
            o(
                &["envlist"],
                One,
                Key::EnvList,
                "pass on only these names to this program",
            ),
            o(
                &["envnone"],
                Nothing,
                Key::EnvNone,
                "pass nothing on to this program",
            ),
            o(
                &["envall"],
                Nothing,
                Key::EnvAll,
                "pass everything on to this program",
            ),
            o(&["unset-env"], One, Key::UnsetEnv, "remove NAME"),
            o(
                &["prepend-env"],
                Two,
                Key::PrependEnv,
                "put VALUE before the value of NAME, with a colon; NAME[;] for another separator",
            ),
            o(
                &["append-env"],
                Two,
                Key::AppendEnv,
                "put VALUE behind the value of NAME",
            ),
            o(
                &["torch-env"],
                Nothing,
                Key::TorchEnv,
                "also set RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT",
            ),
            o(
                &["fwd-environment"],
                Nothing,
                Key::NoEffect,
                "the environment is always passed on",
            ),
            o(
                &["mca", "gmca", "omca", "prtemca", "pmixmca", "gpmixmca"],
                Parameter,
                Key::Mca,
                "Open MPI parameter NAME VALUE; handed on as OMPI_MCA_NAME",
            ),
            o(
                &["tune", "am"],
                One,
                Key::NoEffect,
                "files of Open MPI parameters",
            ),
        ],
    ),
    (
        "Output and input",
        &[
            o(
                &["l", "prepend-rank"],
                Nothing,
                Key::RankPrefix,
                "begin each line with [rank]",
            ),
            o(
                &["prepend-pattern"],
                One,
                Key::PrefixPattern,
                "begin each line with this; %r rank, %h host, %p pid, %g program number",
            ),
            o(
                &["tag-output"],
                Nothing,
                Key::TagOutput,
                "begin each line with [1,rank]<stdout>:",
            ),
            o(
                &["timestamp-output"],
                Nothing,
                Key::TimestampOutput,
                "begin each line with the time",
            ),
            o(
                &["output"],
                One,
                Key::Output,
                "comma-separated: tag, rank, timestamp, merge, dir=DIR, file=FILE",
            ),
            o(
                &["output-filename", "output-directory", "output-dir"],
                One,
                Key::OutputDirectory,
                "also write DIR/1/rank.N/stdout and stderr; DIR:nocopy writes only the files",
            ),
            o(
                &["outfile-pattern", "outfile"],
                One,
                Key::OutFile,
                "write standard output to files; %r rank, %h host, %p pid, %g program number",
            ),
            o(
                &["errfile-pattern", "errfile"],
                One,
                Key::ErrFile,
                "the same for standard error",
            ),
            o(
                &["merge-stderr-to-stdout"],
                Nothing,
                Key::MergeStderr,
                "standard error goes to standard output",
            ),
            o(
                &["s", "stdin"],
                One,
                Key::Stdin,
                "who reads standard input: a rank (default 0), all, none",
            ),
            o(
                &["xml", "output-proctable", "ordered-output"],
                Nothing,
                Key::NoEffect,
                "other output forms",
            ),
            o(
                &["output-from", "stream-buffering", "xterm"],
                One,
                Key::NoEffect,
                "output always goes on by whole lines",
            ),
        ],
    ),
    (
        "What runs",
        &[
            o(&["wdir", "wd"], One, Key::WorkDir, "working directory"),
            o(
                &["path"],
                One,
                Key::Path,
                "directories to search for the program first",
            ),
            o(
                &["configfile", "app"],
                One,
                Key::ConfigFile,
                "read the command line from a file, one program a line",
            ),
            o(
                &["prefix", "tmpdir", "preload-files"],
                One,
                Key::NoEffect,
                "only for other hosts",
            ),
            o(
                &["noprefix", "preload-binary"],
                Nothing,
                Key::NoEffect,
                "only for other hosts",
            ),
        ],
    ),
    (
        "Time and failure",
        &[
            o(
                &["timeout"],
                One,
                Key::Timeout,
                "end the job after so many seconds, with exit code 110 (also MPIEXEC_TIMEOUT)",
            ),
            o(
                &["enable-recovery", "continuous", "disable-auto-cleanup"],
                Nothing,
                Key::Recover,
                "do not end the other ranks when one fails",
            ),
            o(
                &["with-ft"],
                One,
                Key::Recover,
                "ulfm (or mpi): do not end the other ranks when one fails",
            ),
            o(
                &["print-all-exitcodes"],
                Nothing,
                Key::PrintAllExitCodes,
                "print the exit code of every rank",
            ),
            o(
                &[
                    "enable-auto-cleanup",
                    "cleanup",
                    "disable-recovery",
                    "get-stack-traces",
                    "report-state-on-timeout",
                ],
                Nothing,
                Key::NoEffect,
                "the default, or not needed",
            ),
            o(
                &[
                    "max-restarts",
                    "spawn-timeout",
                    "runtime-options",
                    "rtos",
                    "forward-signals",
                ],
                One,
                Key::NoEffect,
                "nothing to set: the usual signals are forwarded",
            ),
            o(
                &[
                    "ckpoint-interval",
                    "ckpoint-prefix",
                    "ckpoint-num",
                    "ckpointlib",
                ],
                One,
                Key::Refused,
                "checkpoints by the launcher are not supported; DMTCP or CRIU can checkpoint a job from outside, and a program can write its own with MPI-IO",
            ),
            o(
                &["ckpoint"],
                Nothing,
                Key::Refused,
                "checkpoints by the launcher are not supported; DMTCP or CRIU can checkpoint a job from outside, and a program can write its own with MPI-IO",
            ),
        ],
    ),
    (
        "Starting on other hosts, devices, debugging of other launchers",
        &[
            o(
                &["allow-run-as-root"],
                Nothing,
                Key::NoEffect,
                "root is always allowed",
            ),
            o(
                &[
                    "launcher",
                    "bootstrap",
                    "launcher-exec",
                    "bootstrap-exec",
                    "bootstrap-exec-args",
                    "launcher-exec-args",
                    "rmk",
                    "iface",
                    "localhost",
                    "launch-agent",
                    "dvm",
                    "dvm-uri",
                    "add-hostfile",
                    "add-host",
                    "personality",
                    "report-uri",
                    "report-pid",
                    "report-child-jobs-separately",
                    "ompi-server",
                    "nameserver",
                    "demux",
                    "gpus-per-proc",
                    "gpu-subdevs-per-proc",
                    "gpu-support",
                    "memory-alloc-kinds",
                    "pset",
                    "port-range",
                    "pmi-args",
                    "pmi_args",
                    "trace",
                ],
                One,
                Key::NoEffect,
                "accepted for compatibility",
            ),
            o(
                &[
                    "disable-hostname-propagation",
                    "enable-hostname-propagation",
                    "leave-session-attached",
                    "no-daemonize",
                    "debug-daemons",
                    "debug-daemons-file",
                    "debug-devel",
                    "stop-on-exec",
                    "stop-in-init",
                    "no-ready-msg",
                    "pmi-port",
                    "profile",
                    "index-argv-by-rank",
                    "keep-fqdn-hostnames",
                ],
                Nothing,
                Key::NoEffect,
                "accepted for compatibility",
            ),
        ],
    ),
    (
        "About",
        &[
            o(
                &["V", "version"],
                Nothing,
                Key::Version,
                "print the version",
            ),
            o(&["h", "help", "?"], Nothing, Key::Help, "print this text"),
            o(&["info"], Nothing, Key::Info, "print how this was built"),
            o(
                &["v", "verbose"],
                Nothing,
                Key::Verbose,
                "say what is done, and which options had no effect",
            ),
            o(&["q", "quiet"], Nothing, Key::Quiet, "print errors only"),
        ],
    ),
];

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
    if opt.takes != Nothing {
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
            Nothing | One => values.push(first),
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
         program could not be started; 1 for errors of mpiexec itself.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

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

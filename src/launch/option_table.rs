//! The option table of `mpiexec`: every name that MPICH's Hydra, Intel MPI and Open MPI accept.
//!
//! One line an option: spellings, how many words it takes, what it means, its help. The parser
//! (`options.rs`) and `mpiexec --help` both read it; a new spelling is added here and nowhere else.

/// What an option means; several spellings share one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Count,
    Hosts,
    HostFile,
    PerNode,
    OnePerNode,
    ByNode,
    NoLocal,
    RankFile,
    Launcher,
    LauncherExec,
    LauncherArgs,
    TreeWidth,
    Prefix,
    StartLimit,
    MapBy,
    PerObject,
    ByObject,
    Ppr,
    RankBy,
    OrderNodes,
    RankMap,
    Threads,
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
    SharedHeap,
    NoLibraryPath,
    NoLibraryCheck,
    Mca,
    RankPrefix,
    PrefixPattern,
    TagOutput,
    TimestampOutput,
    Output,
    OutputDirectory,
    OutputFrom,
    OutFile,
    ErrFile,
    MergeStderr,
    Stdin,
    WorkDir,
    Path,
    ConfigFile,
    Timeout,
    Recover,
    InitialErrhandler,
    MemoryKinds,
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
    /// Accepted, but what it asks for is not done. Said at once, since the job differs from what was wanted.
    NotDone,
    /// Recognised and refused, with the reason that stands in the help text.
    Refused,
}

/// How many words follow an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    One,
    /// A value only as `--name=value`.
    Maybe,
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

use Takes::{Maybe, Nothing, One, Parameter, Two, Variable};

/// The table, by headings of the help text.
pub const TABLE: &[(&str, &[Opt])] = &[
    (
        "How many processes, and where",
        &[
            o(
                &["n", "np", "c"],
                One,
                Key::Count,
                "number of processes of this program (default: the slots of the hosts, or the processors)",
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
                "comma-separated hosts, each with an optional user@ and :slots; a name that is repeated adds its slots",
            ),
            o(
                &["hostfile", "f", "machinefile", "default-hostfile"],
                One,
                Key::HostFile,
                "file of hosts: `host`, `host:n` or `host slots=n max_slots=m`, one a line; `^host` leaves one out",
            ),
            o(
                &["ppn", "perhost", "grr", "N", "npernode"],
                One,
                Key::PerNode,
                "processes per host",
            ),
            o(
                &["pernode", "rr"],
                Nothing,
                Key::OnePerNode,
                "one process per host",
            ),
            o(
                &["map-by"],
                One,
                Key::MapBy,
                "placement: slot (fill one host after the other), node (to each host in turn), seq (to each line of the list), \
                 ppr:N:node; within a host core, hwthread, package, numa, l1cache, l2cache, l3cache (to each in turn) or \
                 ppr:N:package; :pe=N gives N cores to a rank, :nolocal leaves this host out",
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
                &[
                    "display-map",
                    "display-allocation",
                    "display-devel-map",
                    "display-devel-allocation",
                ],
                Nothing,
                Key::DisplayMap,
                "show which rank runs where before the start",
            ),
            o(
                &["display", "display-topo"],
                One,
                Key::DisplayMap,
                "show: map, bind, allocation, topo",
            ),
            o(
                &["do-not-launch", "donotlaunch"],
                Nothing,
                Key::DoNotLaunch,
                "plan the job, start nothing",
            ),
            o(
                &["rank-by"],
                One,
                Key::RankBy,
                "slot (ranks of a host have numbers in a row) or node (one on each host in turn)",
            ),
            o(
                &["order-nodes"],
                One,
                Key::OrderNodes,
                "ascending or descending: take the hosts by their slots",
            ),
            o(
                &["soft", "arch", "file", "max-vm-size"],
                One,
                Key::NoEffect,
                "the number of processes and the hosts are as given",
            ),
            o(
                &["hybrid-hosts"],
                Nothing,
                Key::NoEffect,
                "hosts may differ in any case",
            ),
            o(
                &["rankfile", "rf"],
                One,
                Key::RankFile,
                "file that says where each rank runs: `rank 0=host slot=0-3` (processors) or `slot=1:0-3` (cores of a package), \
                 one a line; the host may be `+n0` (also --map-by rankfile:file=F)",
            ),
            o(
                &["rankmap"],
                One,
                Key::RankMap,
                "the number of the host of each rank: 0,0,1,1, or blocks of first host, hosts and ranks: (0,2,2)",
            ),
            o(
                &["npersocket", "npernuma"],
                One,
                Key::PerObject,
                "processes on each package or node of memory of a host; how many those are is taken from this one",
            ),
            o(
                &["persocket"],
                Nothing,
                Key::PerObject,
                "one process on each package",
            ),
            o(
                &["ppr"],
                One,
                Key::Ppr,
                "N:OBJECT, as --map-by ppr:N:OBJECT",
            ),
            o(
                &["bynode"],
                Nothing,
                Key::ByNode,
                "one process to each host in turn (--map-by node)",
            ),
            o(
                &["nolocal", "skip-launch-node"],
                Nothing,
                Key::NoLocal,
                "no process on this host",
            ),
            o(
                &["bycore", "bysocket", "bynuma", "byhwthread"],
                Nothing,
                Key::ByObject,
                "within a host one process to each of these in turn (--map-by core and so on)",
            ),
            o(
                &["use-hwthread-cpus"],
                Nothing,
                Key::Threads,
                "processors for each rank are hardware threads, not cores",
            ),
            o(
                &["byslot", "homogeneous", "hetero-nodes", "uniform-nodes"],
                Nothing,
                Key::NoEffect,
                "hosts are filled one after the other by default, and each binds by its own topology",
            ),
        ],
    ),
    (
        "Binding to processors (default: none)",
        &[
            o(
                &["bind-to", "binding"],
                One,
                Key::BindTo,
                "none, core, hwthread, package (socket), numa, l1cache, l2cache, l3cache; with :N, N of them; rr: one \
                 processor each; user:0+2,1+3: these for the first rank of a host, those for the second",
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
                "print where each rank is bound, with a picture: [B./..] is a package of two cores of two threads",
            ),
            o(
                &["bind-to-core", "bind-to-socket", "bind-to-none"],
                Nothing,
                Key::BindTo,
                "same as --bind-to core and so on",
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
                &["memory-alloc-kinds"],
                One,
                Key::MemoryKinds,
                "kinds of memory that the programs will use, comma-separated (info mpi_memory_alloc_kinds)",
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
                &["no-library-path"],
                Nothing,
                Key::NoLibraryPath,
                "do not put anympi's lib folder in front of the ranks' LD_LIBRARY_PATH, which is done unless that or \
                 LD_PRELOAD names an MPI already (or MPIEXEC_LIBRARY_PATH=0)",
            ),
            o(
                &["no-library-check"],
                Nothing,
                Key::NoLibraryCheck,
                "do not say so when ranks have loaded another MPI, which has not joined the job \
                 (or MPIEXEC_LIBRARY_CHECK=0): programs with a DT_RPATH and R's front end find another one first, and \
                 need -genv LD_PRELOAD",
            ),
            o(
                &["shm-heap"],
                Nothing,
                Key::SharedHeap,
                "give blocks of 16 KiB and more, or MPI_ANYMPI_HEAP_LEAST bytes, from memory that the other ranks can \
                 map, so that they are sent with one plain copy (LD_PRELOAD of libanympi_heap.so)",
            ),
            o(
                &["fwd-environment"],
                Maybe,
                Key::NoEffect,
                "the environment is always passed on",
            ),
            o(
                &[
                    "mca", "gmca", "omca", "gomca", "prtemca", "gprtemca", "pmixmca", "gpmixmca",
                ],
                Parameter,
                Key::Mca,
                "Open MPI parameter NAME VALUE; handed on as OMPI_MCA_NAME",
            ),
            o(
                &["tune", "am", "amca"],
                One,
                Key::NotDone,
                "not done: files of Open MPI parameters are not read",
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
                Maybe,
                Key::NotDone,
                "not done: output keeps its form, in the order in which it comes",
            ),
            o(
                &["stream-buffering"],
                One,
                Key::NoEffect,
                "output always goes on by whole lines",
            ),
            o(
                &["output-from"],
                One,
                Key::OutputFrom,
                "show the output of this rank only",
            ),
            o(
                &["xterm"],
                One,
                Key::NotDone,
                "not done: the output of all ranks goes to mpiexec's own",
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
                &["prefix"],
                One,
                Key::Prefix,
                "where anympi is installed on other hosts (default: where this mpiexec is)",
            ),
            o(&["tmpdir"], One, Key::NoEffect, "no files are made"),
            o(
                &["app-pmix-prefix"],
                One,
                Key::NoEffect,
                "no library of PMIx is needed",
            ),
            o(
                &["no-app-prefix"],
                Nothing,
                Key::NoEffect,
                "no library of PMIx is needed",
            ),
            o(
                &["preload-files"],
                One,
                Key::NotDone,
                "not done: files are not copied to other hosts",
            ),
            o(
                &["noprefix"],
                Nothing,
                Key::NoEffect,
                "mpiexec on other hosts is looked for where this one is",
            ),
            o(
                &["preload-binary"],
                Nothing,
                Key::NotDone,
                "not done: programs are not copied to other hosts",
            ),
        ],
    ),
    (
        "Time and failure",
        &[
            o(
                &["initial-errhandler"],
                One,
                Key::InitialErrhandler,
                "what errors do at first: mpi_errors_are_fatal (default), mpi_errors_abort or mpi_errors_return",
            ),
            o(
                &["timeout"],
                One,
                Key::Timeout,
                "end the job after so many seconds, with exit code 110 (also MPIEXEC_TIMEOUT)",
            ),
            o(
                &["spawn-timeout"],
                One,
                Key::StartLimit,
                "seconds that other hosts may take to come up (default 60)",
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
                &["max-restarts", "runtime-options", "rtos", "forward-signals"],
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
                &["launcher", "bootstrap"],
                One,
                Key::Launcher,
                "what goes to other hosts: ssh (default), rsh, slurm (default in an allocation), or fork, which starts \
                 all on this one",
            ),
            o(
                &["launcher-exec", "bootstrap-exec"],
                One,
                Key::LauncherExec,
                "a program that goes there, called as PROGRAM HOST COMMAND (also HYDRA_LAUNCHER_EXEC, plm_rsh_agent)",
            ),
            o(
                &["bootstrap-exec-args", "launcher-exec-args"],
                One,
                Key::LauncherArgs,
                "its arguments before HOST, for example '-p 2222' (also HYDRA_LAUNCHER_EXTRA_ARGS, plm_rsh_args)",
            ),
            o(
                &["tree-width"],
                One,
                Key::TreeWidth,
                "how many daemons mpiexec starts itself; for more hosts daemons start further ones (default 32; 0: all \
                 are started from here, also --mca plm_rsh_no_tree_spawn 1)",
            ),
            o(
                &["allow-run-as-root"],
                Nothing,
                Key::NoEffect,
                "root is always allowed",
            ),
            o(
                &[
                    "rmk",
                    "iface",
                    "localhost",
                    "launch-agent",
                    "dvm",
                    "dvm-uri",
                    "add-hostfile",
                    "add-host",
                    "personality",
                    "ompi-server",
                    "nameserver",
                    "demux",
                    "g",
                    "gpus-per-proc",
                    "gpu-subdevs-per-proc",
                    "gpu-support",
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
                    "report-child-jobs-separately",
                    "show-progress",
                    "no-aggregate-help",
                    "parseable",
                    "parsable",
                    "p",
                    "display-comm",
                    "display-comm-finalize",
                    "disable-x",
                    "enable-x",
                    "disable-hostname-propagation",
                    "enable-hostname-propagation",
                    "leave-session-attached",
                    "no-daemonize",
                    "debug-daemons",
                    "debug-daemons-file",
                    "debug-devel",
                    "no-ready-msg",
                    "pmi-port",
                    "profile",
                    "keep-fqdn-hostnames",
                ],
                Nothing,
                Key::NoEffect,
                "accepted for compatibility",
            ),
            o(
                &["report-uri", "report-pid"],
                One,
                Key::NotDone,
                "not done: nothing is reported",
            ),
            o(
                &[
                    "stop-on-exec",
                    "stop-in-init",
                    "stop-in-app",
                    "index-argv-by-rank",
                ],
                Maybe,
                Key::NotDone,
                "not done: ranks run on at once, with the same arguments",
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
                &["v", "verbose", "debug"],
                Nothing,
                Key::Verbose,
                "say what is done, and which options had no effect",
            ),
            o(&["q", "quiet"], Nothing, Key::Quiet, "print errors only"),
        ],
    ),
];

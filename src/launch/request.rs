//! What the user asked for: the options of all segments, given meaning.
//!
//! Job: from the parsed segments and the environment's defaults to one `Request`. It reads host and
//! configuration files, but starts nothing and looks at no hardware. Options that have no effect here are
//! collected as notes for `-v`, those that ask for what is not done as warnings.

use crate::hosts::{self, Host, RankLine};
use crate::option_table::Key;
use crate::options::{self, Given, Segment, UsageError};
use crate::topology::Object;
use anympi_core::{errhandler, session};
use std::ffi::OsString;
use std::path::PathBuf;

mod binding;
mod reach;

use binding::bind_to;
pub use binding::{BindRequest, cpu_list};
pub use reach::Launch;

/// One step in making a process's environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Set(String, String),
    Unset(String),
    /// Hand on mpiexec's own value; the name may end in `*`.
    PassOn(String),
    Prepend(String, String, String),
    Append(String, String, String),
}

/// Which part of mpiexec's environment a process begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inherit {
    All,
    Nothing,
    Only(Vec<String>),
}

/// The environment options, of the job or of one program.
#[derive(Clone, Debug, Default)]
pub struct EnvRules {
    pub inherit: Option<Inherit>,
    pub changes: Vec<Change>,
}

impl EnvRules {
    fn set(&mut self, name: &str, value: String) {
        self.changes.push(Change::Set(name.into(), value));
    }
}

/// One program of the job.
#[derive(Clone, Debug, Default)]
pub struct App {
    pub count: Option<usize>,
    pub command: Vec<OsString>,
    pub wdir: Option<PathBuf>,
    pub path: Option<String>,
    pub env: EnvRules,
}

/// Where output goes and how its lines begin.
#[derive(Clone, Debug, Default)]
pub struct OutputRules {
    pub rank: bool,
    pub pattern: Option<String>,
    pub tag: bool,
    pub timestamp: bool,
    pub merge: bool,
    /// Directory for one file per rank and stream.
    pub directory: Option<PathBuf>,
    /// Prefix for one file per rank, both streams in it.
    pub file: Option<PathBuf>,
    /// The files of `directory` or `file` replace the copy on mpiexec's own output.
    pub no_copy: bool,
    pub stdout_pattern: Option<String>,
    pub stderr_pattern: Option<String>,
    /// Nobody else's output is shown.
    pub only: Option<usize>,
}

/// Who reads standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StdinTo {
    Rank(usize),
    All,
    Nobody,
}

/// Everything about a job.
#[derive(Clone, Debug)]
pub struct Request {
    pub apps: Vec<App>,
    pub env: EnvRules,
    pub torch_env: bool,
    /// An allocator whose long blocks other ranks can map.
    pub shared_heap: bool,
    /// Our libraries come first on the ranks' loader path.
    pub library_path: bool,
    /// Say so when ranks run on another MPI.
    pub library_check: bool,
    pub hosts: Vec<Host>,
    pub per_node: Option<usize>,
    /// One rank to each host in turn.
    pub by_node: bool,
    /// The hosts in the order of their slots; true: those with most first.
    pub most_first: Option<bool>,
    /// The number of the host of each rank.
    pub rank_map: Option<Vec<usize>>,
    /// The n-th rank on the n-th host of the list.
    pub in_sequence: bool,
    /// Where each rank runs.
    pub rank_file: Option<Vec<RankLine>>,
    /// No rank on this machine.
    pub no_local: bool,
    /// Slots of hosts for which the list says nothing.
    pub default_slots: Option<usize>,
    pub limit_slots: bool,
    pub launch: Launch,
    pub output: OutputRules,
    pub stdin: StdinTo,
    pub bind: BindRequest,
    /// Several processors for each rank were asked for without a word of which kind.
    pub(crate) implied: bool,
    /// Those are hardware threads, not cores.
    pub(crate) threads: bool,
    /// Seconds.
    pub timeout: Option<u64>,
    pub recover: bool,
    pub print_exit_codes: bool,
    pub universe: Option<i64>,
    pub display_map: bool,
    pub do_not_launch: bool,
    pub verbose: bool,
    pub quiet: bool,
    /// Said with `-v`.
    pub notes: Vec<String>,
    /// Said unless with `-q`.
    pub warnings: Vec<String>,
}

/// A command line either asks for information or for a job.
#[derive(Debug)]
pub enum Asked {
    Help,
    Version,
    Info,
    Job(Box<Request>),
}

fn usage<T>(text: String) -> Result<T, UsageError> {
    Err(UsageError(text))
}

/// Interprets an argument vector (without `argv[0]`); `var` reads mpiexec's environment.
pub fn read(args: &[OsString], var: &dyn Fn(&str) -> Option<String>) -> Result<Asked, UsageError> {
    let mut request = Request {
        apps: Vec::new(),
        env: EnvRules::default(),
        torch_env: false,
        shared_heap: false,
        library_path: true,
        library_check: true,
        hosts: Vec::new(),
        per_node: None,
        by_node: false,
        most_first: None,
        rank_map: None,
        in_sequence: false,
        rank_file: None,
        no_local: false,
        default_slots: None,
        limit_slots: false,
        launch: Launch::default(),
        output: OutputRules::default(),
        stdin: StdinTo::Rank(0),
        bind: BindRequest {
            width: 1,
            ..BindRequest::default()
        },
        implied: false,
        threads: false,
        timeout: None,
        recover: false,
        print_exit_codes: false,
        universe: None,
        display_map: false,
        do_not_launch: false,
        verbose: false,
        quiet: false,
        notes: Vec::new(),
        warnings: Vec::new(),
    };
    defaults(&mut request, var)?;
    let segments = options::parse(args)?;
    for key in [Key::Help, Key::Version, Key::Info] {
        if segments
            .iter()
            .any(|s| s.given.iter().any(|g| g.opt.key == key))
        {
            return Ok(match key {
                Key::Help => Asked::Help,
                Key::Version => Asked::Version,
                _ => Asked::Info,
            });
        }
    }
    let several = segments.len() > 1;
    for segment in segments {
        request.add(segment, several, true)?;
    }
    if request.apps.is_empty() {
        return usage("no program is named (mpiexec --help shows the usage)".into());
    }
    reach::hosts(&mut request, var)?;
    if request.implied {
        let object = if request.threads {
            Object::Thread
        } else {
            Object::Core
        };
        request.bind.to.get_or_insert(object);
    }
    if request.apps.len() > 1 {
        for app in &mut request.apps {
            app.count.get_or_insert(1);
        }
    }
    Ok(Asked::Job(Box::new(request)))
}

/// Defaults that users and schedulers put into the environment.
fn defaults(request: &mut Request, var: &dyn Fn(&str) -> Option<String>) -> Result<(), UsageError> {
    if let Some(text) = var("MPIEXEC_TIMEOUT") {
        request.timeout = seconds("MPIEXEC_TIMEOUT", &text)?;
    }
    let is_off = |name: &str| var(name).is_some_and(|text| text.trim() == "0");
    request.library_path = !is_off("MPIEXEC_LIBRARY_PATH");
    request.library_check = !is_off("MPIEXEC_LIBRARY_CHECK");
    if let Some(text) = var("MPIEXEC_UNIVERSE_SIZE") {
        request.universe = Some(parsed("MPIEXEC_UNIVERSE_SIZE", &text, "a number")?);
    }
    reach::defaults(request, var)?;
    if let Some(text) = var("HYDRA_ENV") {
        request.env.inherit = match text.trim() {
            "all" => Some(Inherit::All),
            "none" => Some(Inherit::Nothing),
            list => list.strip_prefix("list:").map(only),
        };
    }
    for name in [
        "HYDRA_MAPPING",
        "OMPI_MCA_rmaps_base_mapping_policy",
        "PRTE_MCA_rmaps_default_mapping_policy",
    ] {
        if let Some(text) = var(name) {
            request.map_by(name, &text)?;
        }
    }
    for name in [
        "HYDRA_BINDING",
        "OMPI_MCA_hwloc_base_binding_policy",
        "PRTE_MCA_hwloc_default_binding_policy",
    ] {
        if let Some(text) = var(name) {
            bind_to(&mut request.bind, name, &text)?;
        }
    }
    Ok(())
}

impl Request {
    /// Takes one segment. `several`: the command line has more than one, so an empty one is a mistake.
    pub fn add(
        &mut self,
        segment: Segment,
        several: bool,
        may_nest: bool,
    ) -> Result<(), UsageError> {
        let mut app = App::default();
        let mut from_file = false;
        for given in &segment.given {
            if given.opt.key == Key::ConfigFile {
                if !may_nest {
                    return usage(format!(
                        "option '{}' inside a configuration file",
                        given.written
                    ));
                }
                self.add_file(&given.values[0])?;
                from_file = true;
            } else {
                self.option(given, &mut app)?;
            }
        }
        app.command = segment.command;
        match (app.command.is_empty(), from_file) {
            (false, true) => usage(
                "a configuration file names the programs, but the command line names one too"
                    .into(),
            ),
            (false, false) => {
                self.apps.push(app);
                Ok(())
            }
            (true, false) if several => usage("no program between two ':'".into()),
            (true, _) => Ok(()),
        }
    }

    /// `-configfile`, `--app`: one segment a line, `#` begins a comment, quotes as in the shell.
    fn add_file(&mut self, name: &str) -> Result<(), UsageError> {
        let text = std::fs::read_to_string(name)
            .map_err(|e| UsageError(format!("cannot read the configuration file '{name}': {e}")))?;
        for (number, line) in text.lines().enumerate() {
            let context = |e: UsageError| UsageError(format!("'{name}' line {}: {e}", number + 1));
            let words = words(line).map_err(|e| context(UsageError(e)))?;
            if words.is_empty() {
                continue;
            }
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            for segment in options::parse(&words).map_err(context)? {
                self.add(segment, false, false).map_err(context)?;
            }
        }
        Ok(())
    }

    fn option(&mut self, given: &Given, app: &mut App) -> Result<(), UsageError> {
        let name = given.written.as_str();
        let value = |at: usize| given.values.get(at).cloned().unwrap_or_default();
        let variable = |at: usize| match value(at) {
            v if v.is_empty() || v.contains('\0') => usage(format!(
                "option '{name}' needs the name of a variable, not '{v}'"
            )),
            v => Ok(v),
        };
        match given.opt.key {
            Key::Count => app.count = Some(positive(name, &value(0))?),
            Key::Hosts => self.hosts.extend(
                hosts::list(&value(0)).map_err(|e| UsageError(format!("option '{name}': {e}")))?,
            ),
            Key::HostFile => self.hosts.extend(host_file(name, &value(0))?),
            Key::PerNode => {
                // `-grr`, `-rr`: Intel's names for the same with another order.
                self.per_node = Some(positive(name, &value(0))?);
            }
            Key::OnePerNode => self.per_node = Some(1),
            Key::ByNode => self.by_node = true,
            Key::NoLocal => self.no_local = true,
            Key::RankFile => self.rank_file = Some(rank_file(name, &value(0))?),
            Key::Launcher => self.launch.agent.kind = Some(value(0).to_ascii_lowercase()),
            Key::LauncherExec => self.launch.agent.exec = Some(value(0)),
            Key::LauncherArgs => self.launch.agent.args = Some(value(0)),
            Key::TreeWidth => {
                let width: usize = parsed(name, &value(0), "a number")?;
                self.launch.width = if width == 0 { usize::MAX } else { width };
            }
            Key::Prefix => self.launch.prefix = Some(value(0).into()),
            Key::StartLimit => {
                let limit = seconds(name, &value(0))?;
                self.launch.patience = limit.unwrap_or(self.launch.patience);
            }
            Key::MapBy => self.map_by(name, &value(0))?,
            Key::PerObject => {
                let per = given.values.first().map_or("1", String::as_str);
                let object = if name.contains("numa") { "numa" } else { "package" };
                self.map_by(name, &format!("ppr:{per}:{object}"))?;
            }
            Key::ByObject => {
                let object = name.trim_start_matches('-').trim_start_matches("by");
                self.bind.map = Object::find(object);
            }
            Key::Ppr => self.map_by(name, &format!("ppr:{}", value(0)))?,
            Key::RankBy => match value(0).to_ascii_lowercase().as_str() {
                "node" => self.by_node = true,
                "slot" | "fill" => self.by_node = false,
                other => self.notes.push(format!(
                    "option '{name}': within a host ranks are numbered in the order in which they are placed, not by {other}"
                )),
            },
            Key::OrderNodes => {
                self.most_first = Some(match value(0).to_ascii_lowercase().as_str() {
                    "ascending" | "up" => false,
                    "descending" | "down" => true,
                    _ => return usage(format!("option '{name}' needs ascending or descending")),
                });
            }
            Key::RankMap => {
                let map = hosts::rank_map(&value(0));
                self.rank_map = Some(map.map_err(|e| UsageError(format!("option '{name}': {e}")))?);
            }
            Key::BindTo => {
                let to = match given.values.is_empty() {
                    true => name.trim_start_matches('-').replacen("bind-to-", "", 1),
                    false => value(0),
                };
                bind_to(&mut self.bind, name, &to)?;
            }
            Key::CpusPerRank => {
                self.bind.width = positive(name, &value(0))?;
                self.implied = true;
            }
            Key::Threads => self.threads = true,
            Key::CpuSet => self.bind.cpus = Some(cpu_list(name, &value(0))?),
            Key::ReportBindings => self.bind.report = true,
            Key::NoOversubscribe => self.limit_slots = true,
            Key::GlobalEnv => {
                let change = Change::Set(variable(0)?, value(1));
                self.env.changes.push(change);
            }
            Key::GlobalEnvList => self.env.inherit = Some(only(&value(0))),
            Key::GlobalEnvNone => self.env.inherit = Some(Inherit::Nothing),
            Key::GlobalEnvAll => self.env.inherit = Some(Inherit::All),
            Key::Env => app.env.changes.push(Change::Set(variable(0)?, value(1))),
            Key::EnvList => app.env.inherit = Some(only(&value(0))),
            Key::EnvNone => app.env.inherit = Some(Inherit::Nothing),
            Key::EnvAll => app.env.inherit = Some(Inherit::All),
            Key::Export => self.env.changes.push(match value(0).split_once('=') {
                Some(("", _)) => return usage(format!("option '{name}': no name before '='")),
                Some((key, text)) => Change::Set(key.into(), text.into()),
                None => Change::PassOn(variable(0)?),
            }),
            Key::UnsetEnv => self.env.changes.push(Change::Unset(variable(0)?)),
            Key::PrependEnv | Key::AppendEnv => {
                let full = variable(0)?;
                let (key, separator) = match full.strip_suffix(']').and_then(|k| k.split_once('['))
                {
                    Some((key, separator)) => (key.to_owned(), separator.to_owned()),
                    None => (full, ":".to_owned()),
                };
                self.env.changes.push(if given.opt.key == Key::PrependEnv {
                    Change::Prepend(key, value(1), separator)
                } else {
                    Change::Append(key, value(1), separator)
                });
            }
            Key::TorchEnv => self.torch_env = true,
            Key::SharedHeap => self.shared_heap = true,
            Key::NoLibraryPath => self.library_path = false,
            Key::NoLibraryCheck => self.library_check = false,
            Key::Mca => {
                let (key, text) = (variable(0)?, value(1));
                if key == "hwloc_base_binding_policy" || key == "hwloc_default_binding_policy" {
                    bind_to(&mut self.bind, name, &text)?;
                }
                if key == "rmaps_base_mapping_policy" || key == "rmaps_default_mapping_policy" {
                    self.map_by(name, &text)?;
                }
                if reach::PARAMETERS.contains(&key.as_str()) {
                    self.parameter(&key, &key, &text)?;
                } else if matches!(
                    key.as_str(),
                    "orte_default_hostfile" | "prte_default_hostfile"
                ) {
                    if self.hosts.is_empty() {
                        self.hosts = host_file(&key, &text)?;
                    }
                } else {
                    self.notes.push(format!(
                        "parameter {key}={text} is handed on as OMPI_MCA_{key}; mpiexec itself does not use it"
                    ));
                }
                self.env
                    .changes
                    .push(Change::Set(format!("OMPI_MCA_{key}"), text));
            }
            Key::RankPrefix => self.output.rank = true,
            Key::PrefixPattern => self.output.pattern = Some(value(0)),
            Key::TagOutput => self.output.tag = true,
            Key::TimestampOutput => self.output.timestamp = true,
            Key::Output => self.output(name, &value(0))?,
            Key::OutputDirectory => self.directory(&value(0)),
            Key::OutputFrom => self.output.only = Some(parsed(name, &value(0), "a rank")?),
            Key::OutFile => self.output.stdout_pattern = Some(value(0)),
            Key::ErrFile => self.output.stderr_pattern = Some(value(0)),
            Key::MergeStderr => self.output.merge = true,
            Key::Stdin => {
                self.stdin = match value(0).as_str() {
                    "all" => StdinTo::All,
                    "none" => StdinTo::Nobody,
                    rank => StdinTo::Rank(parsed(name, rank, "a rank, all or none")?),
                }
            }
            Key::WorkDir => app.wdir = Some(value(0).into()),
            Key::Path => app.path = Some(value(0)),
            Key::Timeout => self.timeout = seconds(name, &value(0))?,
            Key::Recover => match value(0).as_str() {
                "none" | "no" | "false" | "0" => self.recover = false,
                _ => self.recover = true,
            },
            Key::InitialErrhandler => {
                if errhandler::by_name(&value(0)).is_none() {
                    let names = errhandler::NAMES.map(|(name, _)| name).join(", ");
                    return usage(format!("option '{name}' takes one of {names}"));
                }
                self.env.set(errhandler::INITIAL, value(0));
            }
            Key::MemoryKinds => self.env.set(session::MEMORY_KINDS_VARIABLE, value(0)),
            Key::PrintAllExitCodes => self.print_exit_codes = true,
            Key::UniverseSize => match value(0).as_str() {
                "infinite" | "INFINITE" => self.universe = Some(-1),
                "SYSTEM" => {}
                text => self.universe = Some(parsed(name, text, "a number or 'infinite'")?),
            },
            Key::DisplayMap => {
                let text = value(0).to_ascii_lowercase();
                for what in text.split([',', ':']) {
                    match what {
                        "parseable" | "parsable" | "physical" => {}
                        _ if what.starts_with("bind") => self.bind.report = true,
                        _ => self.display_map = true,
                    }
                }
            }
            Key::DoNotLaunch => self.do_not_launch = true,
            Key::Verbose => self.verbose = true,
            Key::Quiet => self.quiet = true,
            Key::NoEffect => self.notes.push(format!(
                "option '{name}' has no effect here: {}",
                given.opt.help
            )),
            Key::NotDone => {
                let help = given.opt.help;
                self.warnings.push(format!("option '{name}': {help}"));
            }
            Key::Refused => return usage(format!("option '{name}': {}", given.opt.help)),
            // Handled before: these end the reading or open a file.
            Key::ConfigFile | Key::Version | Key::Help | Key::Info => {}
        }
        Ok(())
    }

    fn output(&mut self, name: &str, text: &str) -> Result<(), UsageError> {
        for word in text.split(',') {
            match word.split_once('=').unwrap_or((word, "")) {
                ("tag" | "tag-detailed" | "tag-fullname", _) => self.output.tag = true,
                ("rank", _) => self.output.rank = true,
                ("timestamp", _) => self.output.timestamp = true,
                ("merge" | "merge-stderr-to-stdout", _) => self.output.merge = true,
                ("dir" | "directory", dir) if !dir.is_empty() => self.directory(dir),
                ("file" | "filename", file) if !file.is_empty() => {
                    let (file, no_copy) = without_qualifier(file);
                    self.output.file = Some(file.into());
                    self.output.no_copy |= no_copy;
                }
                ("xml", _) => self.warnings.push(format!(
                    "option '{name}': '{word}' is not done; output keeps its form"
                )),
                ("raw" | "pattern", _) => self
                    .notes
                    .push(format!("option '{name}': '{word}' has no effect here")),
                _ => {
                    return usage(format!(
                        "option '{name}': '{word}' is none of tag, rank, timestamp, merge, dir=DIR, file=FILE"
                    ));
                }
            }
        }
        Ok(())
    }

    fn directory(&mut self, text: &str) {
        let (dir, no_copy) = without_qualifier(text);
        self.output.directory = Some(dir.into());
        self.output.no_copy |= no_copy;
    }
}

/// `DIR:nocopy` is Open MPI's way to say that the files replace the terminal.
fn without_qualifier(text: &str) -> (&str, bool) {
    match text.rsplit_once(':') {
        Some((dir, "nocopy" | "NOCOPY")) => (dir, true),
        Some((dir, "copy" | "COPY" | "pattern")) => (dir, false),
        _ => (text, false),
    }
}

fn parsed<T: std::str::FromStr>(name: &str, text: &str, what: &str) -> Result<T, UsageError> {
    text.trim()
        .parse()
        .map_err(|_| UsageError(format!("option '{name}' needs {what}, not '{text}'")))
}

fn positive(name: &str, text: &str) -> Result<usize, UsageError> {
    match parsed(name, text, "a number of at least 1")? {
        0 => usage(format!(
            "option '{name}' needs a number of at least 1, not '{text}'"
        )),
        number => Ok(number),
    }
}

/// Seconds of a time limit; zero or less means none.
fn seconds(name: &str, text: &str) -> Result<Option<u64>, UsageError> {
    let seconds: i64 = parsed(name, text, "a number of seconds")?;
    Ok(u64::try_from(seconds).ok().filter(|&s| s > 0))
}

fn only(list: &str) -> Inherit {
    Inherit::Only(
        list.split(',')
            .map(str::trim)
            .filter(|n| !n.is_empty())
            .map(str::to_owned)
            .collect(),
    )
}

fn host_file(name: &str, file: &str) -> Result<Vec<Host>, UsageError> {
    let text = std::fs::read_to_string(file)
        .map_err(|e| UsageError(format!("{name}: cannot read the host file '{file}': {e}")))?;
    hosts::file(&text).map_err(|e| UsageError(format!("host file '{file}', {e}")))
}

fn rank_file(name: &str, file: &str) -> Result<Vec<RankLine>, UsageError> {
    let text = std::fs::read_to_string(file)
        .map_err(|e| UsageError(format!("{name}: cannot read the rank file '{file}': {e}")))?;
    hosts::rank_file(&text).map_err(|e| UsageError(format!("rank file '{file}', {e}")))
}

/// Splits a line like the shell does: blanks, quotes, backslash, `#` for comments.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '#' if word.is_none() => break,
            c if c.is_whitespace() => out.extend(word.take()),
            '\\' => {
                let next = chars.next().ok_or("the line ends with a backslash")?;
                word.get_or_insert_default().push(next);
            }
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        None => return Err(format!("a {c} is not closed")),
                        Some(end) if end == c => break,
                        Some('\\') if c == '"' => word.extend(chars.next()),
                        Some(other) => word.push(other),
                    }
                }
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn job(text: &str) -> Request {
        try_job(text).unwrap()
    }

    fn try_job(text: &str) -> Result<Request, UsageError> {
        let args: Vec<OsString> = text.split(' ').map(OsString::from).collect();
        match read(&args, &|_| None)? {
            Asked::Job(request) => Ok(*request),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn programs_and_counts() {
        let r = job("-n 2 a x : -np 3 -wdir /d b");
        assert_eq!(r.apps[0].count, Some(2));
        assert_eq!(r.apps[0].command, ["a", "x"]);
        assert_eq!(r.apps[1].wdir.as_deref(), Some("/d".as_ref()));
        assert_eq!(job("a").apps[0].count, None);
        assert_eq!(job("a : b").apps[1].count, Some(1));
    }

    #[test]
    fn mistakes_are_named() {
        for (line, text) in [
            ("-n 0 a", "at least 1"),
            ("-n x a", "not 'x'"),
            ("-n 2", "no program"),
            ("-n 2 a : -n 3", "between two ':'"),
            ("-ckpointlib blcr a", "DMTCP"),
            ("--bind-to nowhere a", "none of"),
            ("-bind-to gpu0 a", "near a device"),
            ("-bind-to core:x a", "at least 1"),
            ("-rankmap f a", "not like 0,0,1,1"),
            ("-order-nodes x a", "ascending"),
            ("--report-uri", "needs a value"),
            ("-cpu-set 3-1 a", "0,2-5"),
            ("--output what a", "none of"),
            ("-initial-errhandler ignore a", "mpi_errors_return"),
            ("-configfile /nonexistent/x", "/nonexistent/x"),
            ("-hostfile /nonexistent/x a", "/nonexistent/x"),
            ("--rankfile /nonexistent/x a", "/nonexistent/x"),
            ("--map-by rankfile:file=/nonexistent/Y a", "/nonexistent/Y"),
        ] {
            let error = try_job(line).unwrap_err();
            assert!(error.0.contains(text), "{line}: {error}");
        }
    }

    #[test]
    fn environment_options() {
        let r = job("-genv A=1 -x B -x C=2 -x D* --prepend-env P[;] v -envlist X,Y -env E 5 a");
        assert_eq!(
            r.env.changes,
            [
                Change::Set("A".into(), "1".into()),
                Change::PassOn("B".into()),
                Change::Set("C".into(), "2".into()),
                Change::PassOn("D*".into()),
                Change::Prepend("P".into(), "v".into(), ";".into()),
            ]
        );
        assert_eq!(
            r.apps[0].env.inherit,
            Some(Inherit::Only(vec!["X".into(), "Y".into()]))
        );
    }

    #[test]
    fn output_options() {
        let r = job("--output tag,merge,dir=/d:nocopy a");
        assert!(r.output.tag && r.output.merge && r.output.no_copy);
        assert_eq!(r.output.directory.as_deref(), Some("/d".as_ref()));
    }

    #[test]
    fn limits_from_the_environment() {
        let read_with = |name: &'static str, value: &'static str| {
            read(&["a".into()], &move |n| {
                (n == name).then(|| value.to_owned())
            })
        };
        let Ok(Asked::Job(r)) = read_with("MPIEXEC_TIMEOUT", "7") else {
            panic!()
        };
        assert_eq!(r.timeout, Some(7));
        let Ok(Asked::Job(r)) = read_with("HYDRA_MAPPING", "numa") else {
            panic!()
        };
        assert_eq!(r.bind.map, Some(Object::Numa));
        let Ok(Asked::Job(r)) = read_with("HYDRA_ENV", "list:A,B") else {
            panic!()
        };
        assert_eq!(r.env.inherit, Some(only("A,B")));
        assert!(read_with("MPIEXEC_TIMEOUT", "soon").is_err());
        assert!(read_with("HYDRA_HOST_FILE", "/nonexistent/x").is_err());
    }

    #[test]
    fn words_like_the_shell() {
        assert_eq!(
            words(r#"-n 2 a "b c" 'd e'\ f # x"#).unwrap(),
            ["-n", "2", "a", "b c", "d e f"]
        );
        assert!(words("'a").is_err());
    }

    #[test]
    fn what_is_not_done_is_said() {
        for (line, text) in [
            ("--xml a", "'--xml'"),
            ("--tune f a", "not read"),
            ("--map-by ppr:2:rack a", "'ppr:2:rack'"),
            ("--map-by dist a", "'dist'"),
            ("--map-by slot:display a", "'display'"),
        ] {
            let r = job(line);
            assert!(
                r.warnings.iter().any(|w| w.contains(text)),
                "{line}: {:?}",
                r.warnings
            );
        }
        for line in [
            "--map-by slot a",
            "-map-by ppr:2:node:PE=2,Span -n 2 a",
            "--map-by core:OVERSUBSCRIBE --rank-by core a",
        ] {
            assert_eq!(job(line).warnings, [""; 0], "{line}");
        }
    }

    #[test]
    fn ineffective_options_are_noted() {
        let r = job("--allow-run-as-root --oversubscribe --mca btl ^openib -n 1 a");
        assert_eq!(r.notes.len(), 3);
        assert_eq!(
            r.env.changes,
            [Change::Set("OMPI_MCA_btl".into(), "^openib".into())]
        );
    }
}

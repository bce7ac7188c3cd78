//! What to start: every rank with its host, program and environment, before anything runs.
//!
//! Job: check the request against the hosts, and against this machine where ranks are to run here (programs,
//! directories). So a mistake is one clear message and not a half-started job. Daemons check their machines in the
//! same way. It starts nothing.

use crate::environ::{self, Env, World};
use crate::hosts::{self, Host};
use crate::library;
use crate::machine::{allowed_cpus, free_port, own_file, own_host};
use crate::orders::{Orders, Post, Script};
use crate::placement::{self, Rules, Site};
use crate::request::{App, Inherit, Request, StdinTo};
use crate::topology::Topology;
use nix::unistd::{AccessFlags, access};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The library of `--shm-heap`, in its prefix.
const ALLOCATOR: &str = "lib/libanympi_heap.so";

/// A program of the job, ready to start.
#[derive(Clone, Debug)]
pub struct Program {
    pub file: PathBuf,
    /// `argv`, its first word as the user wrote it.
    pub argv: Vec<OsString>,
    pub wdir: Option<PathBuf>,
    pub env: Env,
}

/// One process of the job; its rank is its place in `Plan::procs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proc {
    pub program: usize,
    pub site: usize,
}

#[derive(Debug)]
pub struct Plan {
    /// Hosts that run ranks.
    pub sites: Vec<Site>,
    /// As other hosts are told.
    pub scripts: Vec<Script>,
    pub procs: Vec<Proc>,
    pub universe: i64,
    /// Those of its programs that run on this machine, ready, and their numbers.
    pub here: Vec<(usize, Program)>,
    /// Things worth saying that are no errors.
    pub warnings: Vec<String>,
}

/// A request that cannot be carried out, and mpiexec's exit code for it.
#[derive(Debug, PartialEq, Eq)]
pub struct PlanError {
    pub code: i32,
    pub text: String,
}

impl PlanError {
    fn new(text: String) -> Self {
        PlanError { code: 1, text }
    }
}

/// Turns a request into a plan. `own` is mpiexec's environment.
pub fn make(request: &Request, own: &Env) -> Result<Plan, PlanError> {
    let host = own_host();
    // A rank file may be the only list of hosts.
    let lines = request.rank_file.iter().flatten();
    let lines = lines.filter(|line| hosts::by_number(&line.host).is_none());
    let named = lines.map(|line| Host {
        name: line.host.clone(),
        ..Host::default()
    });
    let listed = match request.hosts.as_slice() {
        [] => &named.collect::<Vec<_>>(),
        hosts => hosts,
    };
    let mut sites = match listed {
        [] => vec![Site {
            name: host.clone(),
            user: None,
            local: true,
            slots: allowed_cpus().len(),
            most: None,
        }],
        hosts => placement::sites(hosts, &host, request.default_slots.unwrap_or(1)),
    };
    if request.no_local {
        sites.retain(|site| !site.local);
        if sites.is_empty() {
            return Err(PlanError::new(format!(
                "no host is left without this one ({host}), which --nolocal leaves out"
            )));
        }
    }
    match request.most_first {
        Some(true) => sites.sort_by_key(|site| std::cmp::Reverse(site.slots)),
        Some(false) => sites.sort_by_key(|site| site.slots),
        None => {}
    }
    let rules = Rules {
        per_node: objects_here(request).or(request.per_node),
        by_node: request.by_node,
        limit: request.limit_slots,
    };
    let default = match (&request.rank_file, &request.rank_map) {
        (Some(lines), _) => lines.len().max(1),
        (None, Some(map)) => map.len(),
        (None, None) if request.in_sequence => listed.len().max(1),
        (None, None) => placement::default_count(&sites, &rules),
    };
    let counts = request.apps.iter();
    let counts = counts.map(|app| app.count.unwrap_or(default));
    let programs: Vec<usize> = counts
        .enumerate()
        .flat_map(|(number, count)| std::iter::repeat_n(number, count))
        .collect();
    let size = programs.len();
    let mut warnings = request.warnings.clone();
    if let Some(most) = rules.per_node
        && size > most * sites.len()
    {
        warnings.push(match sites.as_slice() {
            [site] => format!(
                "{size} processes are asked for, {most} on each host; all of them run on {}, the only one",
                site.name
            ),
            sites => format!(
                "{size} processes are asked for, {most} on each host; the {} hosts take more in turn",
                sites.len()
            ),
        });
    }
    if let StdinTo::Rank(rank) = request.stdin
        && rank >= size
    {
        return Err(PlanError::new(format!(
            "standard input is for rank {rank}, but the ranks are 0 to {}",
            size - 1
        )));
    }
    let slots: usize = sites.iter().map(|s| s.slots).sum();
    // Where nobody has said how many processes there may be, programs need not know either: they may spawn more.
    let is_said = request.default_slots.is_some() || listed.iter().any(|h| h.slots.is_some());
    let universe = request.universe.unwrap_or(match is_said {
        true => size.max(slots) as i64,
        false => -1,
    });
    let by_number = |map: &Vec<usize>| map.iter().map(|n| format!("+n{n}")).collect();
    let names: Option<Vec<String>> = match (&request.rank_file, &request.rank_map) {
        (Some(lines), _) => Some(lines.iter().map(|line| line.host.clone()).collect()),
        (None, Some(map)) => Some(by_number(map)),
        (None, None) if request.in_sequence && !listed.is_empty() => {
            Some(listed.iter().map(|host| host.name.clone()).collect())
        }
        (None, None) => None,
    };
    let dealt = match names {
        Some(names) => one_by_one(size, &names, &sites, &host),
        None => placement::deal(size, &sites, &rules),
    };
    let dealt = dealt.map_err(PlanError::new)?;
    if let Some(lines) = &request.rank_file
        && let Some((rank, _)) = lines.iter().enumerate().find(|(n, line)| *n != line.rank)
    {
        return Err(PlanError::new(format!(
            "the rank file says nothing of rank {rank}"
        )));
    }
    let mut procs: Vec<Proc> = programs
        .into_iter()
        .zip(dealt)
        .map(|(program, site)| Proc { program, site })
        .collect();
    keep_used(&mut sites, &mut procs);
    let local = sites.iter().position(|site| site.local);
    let mut here = Vec::new();
    let mut scripts = Vec::new();
    for (number, app) in request.apps.iter().enumerate() {
        let (env, missing) = environ::of_program(own, &request.env, &app.env, false);
        for name in missing {
            warnings.push(format!(
                "variable {name} is to be passed on, but it is not set"
            ));
        }
        let is_here = |p: &Proc| p.program == number && Some(p.site) == local;
        if procs.iter().any(is_here) {
            let script = script(request, app, env);
            here.push((number, program(&script, &host)?));
        }
        let (env, _) = environ::of_program(own, &request.env, &app.env, true);
        let inherit = app.env.inherit.as_ref().or(request.env.inherit.as_ref());
        scripts.push(Script {
            here: std::env::current_dir().ok(),
            unset: environ::unset(&request.env, &app.env, &env),
            own_env: matches!(inherit, None | Some(Inherit::All)),
            ..script(request, app, env)
        });
    }
    Ok(Plan {
        sites,
        scripts,
        procs,
        universe,
        here,
        warnings,
    })
}

/// Ranks on a host, if so many are asked for on each of its objects: these are taken to be as many as on this one.
fn objects_here(request: &Request) -> Option<usize> {
    let (per, object) = request.bind.per_object.zip(request.bind.map)?;
    let allowed = allowed_cpus();
    let topology = Topology::read(Path::new("/sys"), &allowed);
    Some(per * topology.groups(object, &allowed).len().max(1))
}

/// The site of each rank, when each has the name of its host.
fn one_by_one(
    size: usize,
    names: &[String],
    sites: &[Site],
    own: &str,
) -> Result<Vec<usize>, String> {
    if names.len() < size {
        return Err(format!(
            "{size} processes are asked for, but the list says only of {} where they run",
            names.len()
        ));
    }
    let find = |name: &String| {
        let found = match hosts::by_number(name) {
            Some(number) => Some(number).filter(|&n| n < sites.len()),
            None => placement::find(sites, name, own),
        };
        found.ok_or_else(|| format!("host '{name}' is not among the hosts of the job"))
    };
    names[..size].iter().map(find).collect()
}

/// Forgets hosts that run no rank.
fn keep_used(sites: &mut Vec<Site>, procs: &mut [Proc]) {
    let used: Vec<bool> = (0..sites.len())
        .map(|site| procs.iter().any(|p| p.site == site))
        .collect();
    for proc in procs {
        proc.site = used[..proc.site].iter().filter(|&&u| u).count();
    }
    let mut used = used.into_iter();
    sites.retain(|_| used.next().unwrap_or(true));
}

fn script(request: &Request, app: &App, env: Env) -> Script {
    Script {
        command: app.command.clone(),
        path: app.path.clone(),
        wdir: app.wdir.clone(),
        here: None,
        env,
        own_env: false,
        unset: Vec::new(),
        library_path: request.library_path,
        shared_heap: request.shared_heap,
    }
}

impl Plan {
    /// What all ranks have in common.
    pub fn world(&self, request: &Request) -> World {
        let address = match self.sites.as_slice() {
            [site] if site.local => "127.0.0.1",
            sites => &sites[self.procs[0].site].name,
        };
        let torch = request.torch_env.then(free_port).flatten();
        World {
            size: self.procs.len(),
            universe: self.universe,
            torch: torch.map(|port| (address.to_owned(), port)),
        }
    }

    /// What one host is to run, and the numbers of its programs in the order of these orders.
    pub fn orders(&self, site: usize, world: &World, request: &Request) -> (Orders, Vec<usize>) {
        let ranks = self.procs.iter().enumerate();
        let ranks = ranks.filter(|(_, proc)| proc.site == site);
        let mut programs: Vec<usize> = ranks.clone().map(|(_, proc)| proc.program).collect();
        programs.sort_unstable();
        programs.dedup();
        let slot = |rank: usize| request.rank_file.as_ref()?.get(rank)?.slot.clone();
        let post = |(rank, proc): (usize, &Proc)| Post {
            rank,
            program: programs.binary_search(&proc.program).unwrap_or(0),
            slot: slot(rank),
        };
        let orders = Orders {
            host: self.sites[site].name.clone(),
            posts: ranks.map(post).collect(),
            world: world.clone(),
            bind: request.bind.clone(),
            stdin: request.stdin,
            merge: request.output.merge,
            library_check: request.library_check && !request.quiet,
        };
        (orders, programs)
    }
}

/// The allocator of `--shm-heap`, in the prefix that this program is installed in.
fn allocator() -> Result<String, PlanError> {
    let program = own_file();
    let prefix = program.parent().and_then(Path::parent);
    let file = prefix.map_or_else(PathBuf::new, |prefix| prefix.join(ALLOCATOR));
    let path = file.display().to_string();
    if !file.is_file() {
        return Err(PlanError::new(format!(
            "--shm-heap needs '{path}', which is not there: is mpiexec where it was installed?"
        )));
    }
    if path.contains([' ', ':']) {
        return Err(PlanError::new(format!(
            "--shm-heap cannot load '{path}': the loader takes blanks and colons for the ends of a name"
        )));
    }
    Ok(path)
}

/// Finds what a script asks for on this machine, `host`.
///
/// # Errors
/// A folder or file is not there, or cannot be executed.
pub fn program(script: &Script, host: &str) -> Result<Program, PlanError> {
    let name = &script.command[0];
    let mut env = script.env.clone();
    if script.own_env {
        let own = std::env::vars_os();
        let own = own.filter(|(name, _)| !environ::of_a_job(name) && !script.unset.contains(name));
        for (name, value) in own {
            env.entry(name).or_insert(value);
        }
    }
    if let Some(own) = library::own_folder().filter(|_| script.library_path) {
        library::put_first(&mut env, &own);
    }
    if script.shared_heap {
        environ::preload(&mut env, &allocator()?);
    }
    if let Some(dir) = &script.wdir
        && !dir.is_dir()
    {
        return Err(PlanError::new(format!(
            "the working directory '{}' of program '{}' does not exist on {host}",
            dir.display(),
            name.display()
        )));
    }
    let home = || env.get(OsStr::new("HOME")).map(PathBuf::from);
    let here = script.here.clone().filter(|dir| dir.is_dir());
    let there = script.here.as_ref().and_then(|_| here.or_else(home));
    let wdir = script.wdir.clone().or(there.filter(|dir| dir.is_dir()));
    let file = find(
        name,
        script.path.as_deref(),
        env.get(OsStr::new("PATH")),
        wdir.as_deref(),
    )
    .map_err(|errno| PlanError {
        code: if errno == nix::Error::ENOENT {
            127
        } else {
            126
        },
        text: format!(
            "cannot start program '{}' on {host}: {} (errno {})",
            name.display(),
            errno.desc(),
            errno as i32
        ),
    })?;
    Ok(Program {
        file,
        argv: script.command.clone(),
        wdir,
        env,
    })
}

/// The file to execute: `-path`, then PATH, then the working directory; a name with a slash is taken as it is.
fn find(
    name: &OsStr,
    path: Option<&str>,
    env_path: Option<&OsString>,
    wdir: Option<&Path>,
) -> Result<PathBuf, nix::Error> {
    // Relative to the working directory, as an absolute path: the child changes directory before it executes.
    let here = match (std::env::current_dir(), wdir) {
        (Ok(cwd), Some(dir)) => cwd.join(dir),
        (Ok(cwd), None) => cwd,
        (Err(_), dir) => dir.unwrap_or(Path::new(".")).to_owned(),
    };
    let check = |file: PathBuf| {
        access(&file, AccessFlags::X_OK)?;
        if file.is_dir() {
            Err(nix::Error::EISDIR)
        } else {
            Ok(file)
        }
    };
    if name.as_encoded_bytes().contains(&b'/') {
        return check(here.join(name));
    }
    let mut worst = nix::Error::ENOENT;
    let env_path = env_path.map_or(OsStr::new("/usr/local/bin:/usr/bin:/bin"), |p| p);
    let first = std::env::split_paths(path.unwrap_or_default());
    for dir in first.chain(std::env::split_paths(env_path)) {
        match check(here.join(dir).join(name)) {
            Ok(file) => return Ok(file),
            Err(nix::Error::EACCES) => worst = nix::Error::EACCES,
            Err(_) => {}
        }
    }
    check(here.join(name)).map_err(|e| if e == nix::Error::ENOENT { worst } else { e })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{self, Asked};

    fn plan(line: &str) -> Result<Plan, PlanError> {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let own: Env = [("PATH".into(), "/usr/bin:/bin".into())].into();
        match request::read(&args, &|_| None).unwrap() {
            Asked::Job(request) => make(&request, &own),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ranks_follow_the_command_line() {
        let plan = plan("-n 2 sh a : -n 1 true").unwrap();
        let programs: Vec<usize> = plan.procs.iter().map(|p| p.program).collect();
        assert_eq!(programs, [0, 0, 1]);
        assert!(plan.here[0].1.file.is_absolute());
        assert_eq!(plan.here[0].1.argv, ["sh", "a"]);
    }

    #[test]
    fn counts_from_hosts() {
        assert_eq!(
            plan("-host localhost:3,127.0.0.1 true")
                .unwrap()
                .procs
                .len(),
            4
        );
        assert_eq!(plan("-ppn 5 true").unwrap().procs.len(), 5);
        assert_eq!(plan("-n 9 -host localhost true").unwrap().procs.len(), 9);
        let warnings = |line: &str| plan(line).unwrap().warnings;
        for line in ["--map-by ppr:1:node -np 2 true", "-ppn 1 -n 2 true"] {
            let said = warnings(line).concat();
            assert!(
                said.contains("2 processes are asked for, 1 on each host"),
                "{said}"
            );
        }
        assert!(warnings("--map-by ppr:2:node -np 2 true").is_empty());
        assert!(!warnings("--xml -n 1 true").is_empty());
    }

    #[test]
    fn what_cannot_be_done_is_said_before_the_start() {
        for (line, code, text) in [
            ("-n 1 ./no-such-program", 127, "'./no-such-program'"),
            ("-n 1 no-such-program", 127, "errno 2"),
            ("-n 1 /etc/passwd", 126, "errno 13"),
            ("-n 1 /", 126, "errno 21"),
            ("-n 1 -wdir /no/such/dir true", 1, "/no/such/dir"),
            ("-n 1 -host localhost --nolocal true", 1, "--nolocal"),
            (
                "-n 3 -host localhost:2 --nooversubscribe true",
                1,
                "2 slots",
            ),
            ("-n 2 --stdin 2 true", 1, "rank 2"),
        ] {
            let error = plan(line).unwrap_err();
            assert_eq!(error.code, code, "{line}: {}", error.text);
            assert!(error.text.contains(text), "{line}: {}", error.text);
        }
    }

    #[test]
    fn ranks_on_several_hosts() {
        let line = "-host nodea,localhost,nodeb,nodec -n 2 sh a : -n 1 no-such-program-here";
        let plan = plan(line).unwrap();
        let sites: Vec<(&str, bool)> = plan
            .sites
            .iter()
            .map(|s| (s.name.as_str(), s.local))
            .collect();
        let own = own_host();
        assert_eq!(sites, [("nodea", false), (&own, true), ("nodeb", false)]);
        // What runs elsewhere is looked for there.
        assert_eq!(plan.here.len(), 1);
        let Asked::Job(request) = request::read(&["true".into()], &|_| None).unwrap() else {
            panic!()
        };
        let world = plan.world(&request);
        let (orders, programs) = plan.orders(2, &world, &request);
        assert_eq!((orders.host.as_str(), programs), ("nodeb", vec![1]));
        assert_eq!(
            orders.posts,
            [Post {
                rank: 2,
                program: 0,
                slot: None
            }]
        );
        assert!(plan.scripts[1].own_env && plan.scripts[1].here.is_some());
    }

    #[test]
    fn every_rank_has_its_host() {
        let sites = |plan: Plan| -> Vec<String> {
            let name = |p: &Proc| plan.sites[p.site].name.clone();
            plan.procs.iter().map(name).collect()
        };
        let line = "-host nodea,nodeb,nodea --map-by seq true";
        assert_eq!(sites(plan(line).unwrap()), ["nodea", "nodeb", "nodea"]);
        let many = plan("-n 4 -host nodea,nodeb --map-by seq true").unwrap_err();
        assert!(many.text.contains("only of 2"), "{}", many.text);
        let line = "-host nodea,nodeb -rankmap 1,(0,2,1) true";
        assert_eq!(sites(plan(line).unwrap()), ["nodeb", "nodea", "nodeb"]);
        let unknown = plan("-host nodea -rankmap 0,1 true").unwrap_err();
        assert!(unknown.text.contains("'+n1'"), "{}", unknown.text);
        let line = "-host nodea:1,nodeb:3 -order-nodes DESCENDING -n 4 true";
        assert_eq!(
            sites(plan(line).unwrap()),
            ["nodeb", "nodeb", "nodeb", "nodea"]
        );
        let line = "-host nodea:2,nodeb:2 --rank-by node true";
        assert_eq!(
            sites(plan(line).unwrap()),
            ["nodea", "nodeb", "nodea", "nodeb"]
        );
        let file = std::env::temp_dir().join(format!("anympi-ranks-{}", std::process::id()));
        std::fs::write(&file, "rank 1=nodea slot=0\nrank 0=nodeb\n").unwrap();
        let line = format!("--rankfile {} true", file.display());
        assert_eq!(sites(plan(&line).unwrap()), ["nodeb", "nodea"]);
        let other = plan(&format!("-host nodeb {line}")).unwrap_err();
        assert!(other.text.contains("'nodea'"), "{}", other.text);
        std::fs::write(&file, "rank 0=+n1 slot=0:0\nrank 1=+n0\n").unwrap();
        let numbered = format!("-host nodea,nodeb {line}");
        assert_eq!(sites(plan(&numbered).unwrap()), ["nodeb", "nodea"]);
        std::fs::write(&file, "rank 1=nodea\n").unwrap();
        let error = plan(&line).unwrap_err();
        assert!(error.text.contains("nothing of rank 0"), "{}", error.text);
        std::fs::remove_file(file).unwrap();
    }
}

//! A spawned job: from an order to start programs to a request like that of a command line.
//!
//! Job: give the hints of `MPI_Comm_spawn` the meaning of the options of mpiexec that do the same, so that there is one
//! meaning of each. What an order does not say is as in the job that spawns. Such a job is run by an mpiexec of its
//! own: a child of the spawning job's (`job/spawning.rs`), or one that a process without a launcher has started.

use crate::environ::Env;
use crate::guard::Guard;
use crate::hosts::{self, RankLine};
use crate::job;
use crate::options::{self, Segment};
use crate::parent::Parent;
use crate::placement;
use crate::plan::{self, Plan};
use crate::request::{self, App, Asked, Change, Request, StdinTo};
use crate::signals::Signals;
use crate::start::{self, Before};
use anympi_core::boot::Program;
use anympi_core::boot::order::Order;
use nix::sys::prctl::set_child_subreaper;
use std::ffi::OsString;

/// The variable by which MPICH's library knows that somebody waits for it.
const SPAWNED: &str = "PMI_SPAWNED";

/// Hints that are options of the same meaning.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["wdir"], "-wdir"),
    (&["path"], "-path"),
    (&["bind_to"], "-bind-to"),
    (&["map_by"], "-map-by"),
    (&["npernode"], "-npernode"),
    (&["mpi_initial_errhandler"], "-initial-errhandler"),
];

/// Whether an info value means yes.
fn is_yes(value: &str) -> bool {
    matches!(value.trim(), "true" | "TRUE" | "True" | "yes" | "1" | "")
}

/// The numbers of processes that the hint `soft` allows (MPI-5.0, 11.8.4): the largest of at most `most`.
///
/// # Errors
/// The hint is not `a,b:c,d:e:f` in numbers.
fn soft(text: &str, most: usize) -> Result<Option<usize>, String> {
    let wrong =
        || format!("info key soft = '{text}' is not a list of numbers and ranges first:last:step");
    let mut best = None;
    for range in text.split(',') {
        let numbers: Result<Vec<i64>, _> = range.split(':').map(|n| n.trim().parse()).collect();
        let (first, last, step) = match numbers.map_err(|_| wrong())?[..] {
            [only] => (only, only, 1),
            [first, last] => (first, last, 1),
            [first, last, step] if step != 0 => (first, last, step),
            _ => return Err(wrong()),
        };
        let most = most as i64;
        // The largest member of an arithmetic series that is not above `most`.
        let (low, high, step) = match step > 0 {
            true => (first, last, step),
            // Counted down from the first.
            false if last <= first => {
                let steps = (first - last) / -step;
                (first - steps * -step, first, -step)
            }
            false => continue,
        };
        let top = high.min(most);
        if low <= top {
            best = best.max(Some(low + (top - low) / step * step));
        }
    }
    Ok(best.filter(|&n| n > 0).map(|n| n as usize))
}

/// What is to be done, and how many of the processes that were asked for are to run, program by program.
pub struct Asking {
    pub request: Request,
    pub counts: Vec<usize>,
}

/// The request that an order is. `base`: that of the job that spawns; `by`: its program that does.
///
/// # Errors
/// A hint has a value that makes no sense; the text names it.
pub fn asking(base: &Request, by: Option<&App>, order: &Order) -> Result<Asking, String> {
    let mut request = Request {
        apps: Vec::new(),
        rank_file: None,
        in_sequence: false,
        torch_env: false,
        timeout: None,
        print_exit_codes: false,
        display_map: false,
        stdin: StdinTo::Nobody,
        notes: Vec::new(),
        warnings: Vec::new(),
        ..base.clone()
    };
    let mut counts = Vec::new();
    let mut places: Vec<Vec<hosts::Host>> = Vec::new();
    for program in &order.programs {
        let hint = |key: &str| {
            let found = program.info.iter().rev().find(|(k, _)| k == key);
            found.map(|(_, value)| value.as_str())
        };
        let most = program.processes;
        let count = match hint("soft") {
            Some(text) => soft(text, most)?.ok_or_else(|| {
                format!(
                    "info key soft = '{text}' allows no number of processes up to maxprocs = {most}"
                )
            })?,
            None => most,
        };
        if program.command.is_empty() {
            return Err("no program is named".into());
        }
        let mut words: Vec<OsString> = vec!["-n".into(), count.to_string().into()];
        for (keys, option) in OPTIONS {
            if let Some(value) = keys.iter().find_map(|key| hint(key)) {
                words.extend([OsString::from(option), OsString::from(value)]);
            }
        }
        if let Some(value) = hint("ppr") {
            words.extend(["-map-by".to_owned(), format!("ppr:{value}")].map(OsString::from));
        }
        if hint("pernode").is_some_and(is_yes) {
            words.push("-pernode".into());
        }
        let parsed = options::parse(&words).map_err(|error| error.to_string())?;
        let given = parsed.into_iter().flat_map(|segment| segment.given);
        let arguments = program.arguments.iter();
        let segment = Segment {
            given: given.collect(),
            command: [&program.command]
                .into_iter()
                .chain(arguments)
                .map(OsString::from)
                .collect(),
        };
        let added = request.add(segment, false, false);
        added.map_err(|error| error.to_string().replace("option '-", "info key '"))?;
        if let Some(app) = request.apps.last_mut() {
            inherit(app, by);
            for line in hint("env").unwrap_or_default().lines() {
                app.env.changes.push(match line.split_once('=') {
                    Some((name, value)) => Change::Set(name.into(), value.into()),
                    None => Change::PassOn(line.into()),
                });
            }
            app.env
                .changes
                .push(Change::Set(SPAWNED.into(), "1".into()));
        }
        counts.push(count);
        places.push(wanted_hosts(&hint)?);
    }
    place(&mut request, &places, &counts);
    Ok(Asking { request, counts })
}

/// What a program has from the one that spawns it.
fn inherit(app: &mut App, by: Option<&App>) {
    let Some(by) = by else { return };
    app.wdir = app.wdir.take().or(by.wdir.clone());
    app.path = app.path.take().or(by.path.clone());
    app.env = by.env.clone();
}

/// The hosts that the hints of a program name.
fn wanted_hosts<'a>(hint: &impl Fn(&str) -> Option<&'a str>) -> Result<Vec<hosts::Host>, String> {
    let mut all = Vec::new();
    for key in ["host", "hosts", "add-host", "add_host"] {
        if let Some(text) = hint(key) {
            let list = hosts::list(text).map_err(|e| format!("info key {key}: {e}"))?;
            all.extend(list);
        }
    }
    for key in ["hostfile", "add-hostfile", "add_hostfile"] {
        if let Some(name) = hint(key) {
            let text = std::fs::read_to_string(name)
                .map_err(|e| format!("info key {key}: cannot read '{name}': {e}"))?;
            let list = hosts::file(&text).map_err(|e| format!("info key {key}: '{name}': {e}"))?;
            all.extend(list);
        }
    }
    Ok(all)
}

/// Programs that ask for hosts of their own get them one by one.
fn place(request: &mut Request, places: &[Vec<hosts::Host>], counts: &[usize]) {
    if places.iter().all(Vec::is_empty) {
        return;
    }
    if places.windows(2).all(|two| two[0] == two[1]) {
        request.hosts = places[0].clone();
        return;
    }
    let slots = |hosts: &[hosts::Host]| -> Vec<String> {
        let each = hosts
            .iter()
            .flat_map(|h| std::iter::repeat_n(h.name.clone(), h.slots.unwrap_or(1)));
        each.collect()
    };
    let own = crate::machine::own_host();
    let mut lines = Vec::new();
    for (wanted, &count) in places.iter().zip(counts) {
        let mut names = match wanted.is_empty() {
            true => slots(&request.hosts),
            false => slots(wanted),
        };
        if names.is_empty() {
            names.push(own.clone());
        }
        for host in names.iter().cycle().take(count) {
            lines.push(RankLine {
                rank: lines.len(),
                host: host.clone(),
                slot: None,
            });
        }
    }
    request.hosts = Vec::new();
    request.rank_file = Some(lines);
}

/// The slots that the ranks of a plan leave on these hosts, if `count` processes have room there. `default`: slots of a
/// host for which nothing is said.
pub fn free(
    hosts: &[hosts::Host],
    default: usize,
    plan: &Plan,
    count: usize,
) -> Option<Vec<hosts::Host>> {
    let own = crate::machine::own_host();
    let ranks = |site| plan.procs.iter().filter(|proc| proc.site == site).count();
    let mut used: Vec<usize> = (0..plan.sites.len()).map(ranks).collect();
    let mut left = Vec::new();
    for host in hosts {
        let mut slots = host.slots.unwrap_or(default);
        if let Some(site) = placement::find(&plan.sites, &host.name, &own) {
            let taken = used[site].min(slots);
            used[site] -= taken;
            slots -= taken;
        }
        if slots > 0 {
            left.push(hosts::Host {
                slots: Some(slots),
                ..host.clone()
            });
        }
    }
    let room: usize = left.iter().filter_map(|host| host.slots).sum();
    (room >= count).then_some(left)
}

/// A code for each process that was asked for: 0, or 1 for one that was not to run.
pub fn codes(programs: &[Program], counts: &[usize]) -> Vec<u8> {
    let of = |(program, &count): (&Program, &usize)| {
        let codes = (0..program.processes).map(move |n| u8::from(n >= count));
        codes.collect::<Vec<u8>>()
    };
    programs.iter().zip(counts).flat_map(of).collect()
}

/// Runs an order, in a process of its own, to the end of the job. Returns the exit code of that process.
/// `before`: what this process has found, if it has changed that already.
pub fn run(
    base: &Request,
    by: Option<&App>,
    order: &Order,
    mut parent: Parent,
    before: Option<Before>,
) -> i32 {
    let own: Env = std::env::vars_os().collect();
    let planned = asking(base, by, order).and_then(|asking| {
        let plan = plan::make(&asking.request, &own).map_err(|error| error.text)?;
        Ok((asking, plan))
    });
    let (asking, plan) = match planned {
        Ok(planned) => planned,
        Err(text) => {
            parent.refuse(&text);
            return 1;
        }
    };
    parent.codes = codes(&order.programs, &asking.counts);
    parent.values = order.values.clone();
    parent.ours = order.ours;
    let start = || -> std::io::Result<i32> {
        let guard = Guard::start()?;
        let _ = set_child_subreaper(true);
        let before = match before {
            Some(before) => before,
            None => Before {
                open_files: start::raise_open_files(),
                signals: Signals::take()?,
            },
        };
        job::run(&asking.request, &plan, &before, guard, Some(parent))
    };
    match start() {
        Ok(code) => code,
        Err(error) => {
            crate::say::complain("mpiexec (spawned job)", error);
            1
        }
    }
}

/// The program `mpiexec` for a process without a launcher: the order comes on standard input.
pub fn main() -> i32 {
    let fail = |text: String| {
        crate::say::complain("mpiexec (spawned job)", text);
        1
    };
    let mut parent = match Parent::on_standard_input() {
        Ok(parent) => parent,
        Err(error) => return fail(format!("no process speaks on standard input: {error}")),
    };
    let order = match parent.order() {
        Ok(Some(order)) => order,
        Ok(None) => return 1,
        Err(text) => return fail(text),
    };
    let var = |name: &str| std::env::var(name).ok();
    // As a command line would be understood here.
    match request::read(&["true".into()], &var) {
        Ok(Asked::Job(mut base)) => {
            base.apps.clear();
            run(&base, None, &order, parent, None)
        }
        Ok(_) => fail("it makes no sense".into()),
        Err(error) => {
            parent.refuse(&error.to_string());
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(processes: usize, info: &[(&str, &str)]) -> Program {
        let pair = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
        Program {
            command: "sh".into(),
            arguments: vec![":".into(), "-n".into()],
            processes,
            info: info.iter().map(pair).collect(),
        }
    }

    fn ask(programs: &[Program]) -> Result<Asking, String> {
        let Ok(Asked::Job(base)) = request::read(&["true".into()], &|_| None) else {
            panic!("it is a job");
        };
        let order = Order {
            programs: programs.to_vec(),
            ..Order::default()
        };
        asking(&base, None, &order)
    }

    #[test]
    fn soft_takes_the_most_that_is_allowed() {
        for (text, most, found) in [
            ("1:4", 4, Some(4)),
            ("1:4", 3, Some(3)),
            ("1:10:3", 6, Some(4)),
            ("8,2,4", 7, Some(4)),
            ("10:1:-3", 6, Some(4)),
            ("0:4:2", 1, None),
            ("5", 4, None),
            ("4:2", 9, None),
        ] {
            assert_eq!(soft(text, most), Ok(found), "{text}");
        }
        for text in ["", "a", "1:2:3:4", "1:2:0"] {
            assert!(soft(text, 4).unwrap_err().contains("soft"), "{text}");
        }
    }

    #[test]
    fn hints_are_options() {
        let info = [
            ("wdir", "/tmp"),
            ("path", "/x:/y"),
            ("bind_to", "none"),
            ("map_by", "node"),
            ("env", "A=1=2\nHOME\n"),
            ("soft", "1:2"),
            ("nobody_knows", "this"),
        ];
        let asking = ask(&[program(3, &info), program(1, &[])]).unwrap();
        let app = &asking.request.apps[0];
        assert_eq!(app.command, ["sh", ":", "-n"]);
        assert_eq!(app.wdir.as_deref(), Some("/tmp".as_ref()));
        assert_eq!(app.path.as_deref(), Some("/x:/y"));
        let set = |k: &str, v: &str| Change::Set(k.into(), v.into());
        let changes = [
            set("A", "1=2"),
            Change::PassOn("HOME".into()),
            set(SPAWNED, "1"),
        ];
        assert_eq!(app.env.changes, changes);
        assert!(asking.request.by_node);
        assert_eq!(asking.request.bind.to, None);
        assert_eq!(asking.counts, [2, 1]);
        assert_eq!(
            codes(&[program(3, &[]), program(1, &[])], &[2, 1]),
            [0, 0, 1, 0]
        );
        for (info, what) in [
            (("npernode", "x"), "npernode"),
            (("soft", "9"), "maxprocs = 3"),
            (("hostfile", "/nowhere"), "/nowhere"),
            (("host", "$(id)"), "host"),
            (("bind_to", "nonsense"), "bind-to"),
        ] {
            let error = ask(&[program(3, &[info])]).err().unwrap();
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn free_slots_come_first() {
        let words = ["-n", "3", "-host", "a:2,b:2,c", "true"].map(OsString::from);
        let Ok(Asked::Job(base)) = request::read(&words, &|_| None) else {
            panic!("it is a job");
        };
        let plan = plan::make(&base, &Env::new()).unwrap();
        let free = |count| free(&base.hosts, 1, &plan, count);
        let names = |hosts: Vec<hosts::Host>| {
            let name = |h: hosts::Host| (h.name, h.slots.unwrap());
            hosts.into_iter().map(name).collect::<Vec<_>>()
        };
        let left = [("b".to_owned(), 1), ("c".to_owned(), 1)];
        assert_eq!(names(free(2).unwrap()), left);
        assert_eq!(free(3), None);
    }

    #[test]
    fn each_program_may_have_hosts_of_its_own() {
        let asking = ask(&[program(2, &[("host", "a:2,b")])]).unwrap();
        assert_eq!(asking.request.hosts.len(), 2);
        assert_eq!(asking.request.rank_file, None);
        let both = [
            program(3, &[("host", "a")]),
            program(2, &[("hosts", "b,c")]),
        ];
        let asking = ask(&both).unwrap();
        let lines = asking.request.rank_file.unwrap();
        let names: Vec<&str> = lines.iter().map(|line| line.host.as_str()).collect();
        assert_eq!(names, ["a", "a", "a", "b", "c"]);
        assert_eq!(lines[4].rank, 4);
    }
}

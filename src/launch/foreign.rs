//! Ranks that run on another MPI, which does not know of this mpiexec: each is a world of its own, and none fails.
//!
//! Job: look which MPI libraries the processes of a rank have loaded, as long as nobody has joined as that rank. If
//! its program has ended, look what the loader would load for it; and the words to say about it, once.

use crate::interpreter;
use crate::library::{self, Maker};
use crate::plan::Program;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time to the first look, doubled each time up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(8);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// Ranks that are looked at each time: those of one program are alike.
pub const RANKS: usize = 8;
/// Processes of a rank that are looked at.
const PROCESSES: usize = 64;
/// How long the loader may take to say what it would load.
const LOADER: Duration = Duration::from_secs(2);

/// What was seen of a rank.
struct Sighting {
    pid: i32,
    library: PathBuf,
}

pub struct Foreign {
    own: Option<PathBuf>,
    /// None: no more looks.
    next: Option<Instant>,
    pause: Duration,
    makers: HashMap<PathBuf, Maker>,
    seen: HashMap<usize, Sighting>,
    /// Ranks that have been looked at because of their first output.
    heard: HashSet<usize>,
}

impl Foreign {
    pub fn new(wanted: bool) -> Foreign {
        Foreign {
            own: library::own_folder(),
            next: wanted.then(|| Instant::now() + FIRST_PAUSE),
            pause: FIRST_PAUSE,
            makers: HashMap::new(),
            seen: HashMap::new(),
            heard: HashSet::new(),
        }
    }

    /// When to look at ranks that have not joined.
    pub fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Whether it is time; the next time is later then.
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = self.next.is_some_and(|at| now >= at);
        if due {
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
            self.next = Some(now + self.pause);
        }
        due
    }

    /// Whether this is the first output of a rank that is worth a look: what prints is about to end.
    pub fn is_first_output(&mut self, rank: usize) -> bool {
        self.next.is_some() && self.heard.len() < RANKS && self.heard.insert(rank)
    }

    /// Looks at a rank that has not joined. What to say, if it has loaded what never joins.
    pub fn look(&mut self, rank: usize, leader: i32) -> Option<String> {
        self.next?;
        let (pid, library) = tree(leader).into_iter().find_map(|pid| {
            let library = self.foreign_of(libraries(pid))?;
            Some((pid, library))
        })?;
        let never = self.makers.get(&library) == Some(&Maker::OpenMpi);
        self.seen.insert(rank, Sighting { pid, library });
        if never { self.say(rank) } else { None }
    }

    /// The job is over, or a rank is, and nobody has joined as that rank: what to say, if it was seen with another MPI.
    pub fn say(&mut self, rank: usize) -> Option<String> {
        self.next?;
        let sighting = self.seen.remove(&rank)?;
        Some(self.words(
            &format!("rank {rank} (pid {})", sighting.pid),
            &sighting.library,
        ))
    }

    /// Nobody has joined as any rank of `program`: what to say, if the loader gives it another MPI.
    pub fn examine(&mut self, program: &Program) -> Option<String> {
        self.next?;
        let library = self.foreign_of(would_load(program)?)?;
        let name = program.argv[0].to_string_lossy().into_owned();
        Some(self.words(&format!("'{name}'"), &library))
    }

    /// The MPI library among those of one process, if none of them is ours.
    fn foreign_of(&mut self, libraries: Vec<PathBuf>) -> Option<PathBuf> {
        let own = self.own.as_deref();
        let makers = &mut self.makers;
        let mut maker = |file: &PathBuf| {
            *makers
                .entry(file.clone())
                .or_insert_with(|| library::maker(file, own))
        };
        if libraries.iter().any(|file| maker(file) == Maker::Anympi) {
            return None;
        }
        libraries.into_iter().next()
    }

    /// Says it once: nothing is looked for any more.
    fn words(&mut self, who: &str, library: &Path) -> String {
        self.next = None;
        let stand_in = self
            .own
            .as_deref()
            .and_then(|own| library::stand_in(library, own));
        let advice = match stand_in {
            Some(ours) => format!(
                "put ours in its place with 'mpiexec -genv LD_PRELOAD {} ...'",
                ours.display()
            ),
            None => "there is no library of ours that stands in for it".to_owned(),
        };
        format!(
            "{who} has loaded another MPI, '{}', which has not joined this job: if it used MPI, each rank was \
             alone in a world of its own; {advice} (--no-library-check silences this)",
            library.display()
        )
    }
}

/// A process and those below it.
fn tree(leader: i32) -> Vec<i32> {
    let mut all = vec![leader];
    let mut next = 0;
    while next < all.len() && all.len() < PROCESSES {
        let tasks = fs::read_dir(format!("/proc/{}/task", all[next]))
            .into_iter()
            .flatten();
        for task in tasks.flatten().take(PROCESSES) {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            all.extend(
                children
                    .split_whitespace()
                    .filter_map(|pid| pid.parse::<i32>().ok()),
            );
        }
        next += 1;
    }
    all.truncate(PROCESSES);
    all
}

/// The MPI libraries that a process has loaded.
fn libraries(pid: i32) -> Vec<PathBuf> {
    let maps = fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    let mut found: Vec<PathBuf> = Vec::new();
    for line in maps.split(|&byte| byte == b'\n') {
        let Some(at) = line.iter().position(|&byte| byte == b'/') else {
            continue;
        };
        let path = line[at..]
            .strip_suffix(b" (deleted)")
            .unwrap_or(&line[at..]);
        let path = Path::new(OsStr::from_bytes(path));
        if library::is_mpi(path) && !found.iter().any(|known| known == path) {
            found.push(path.to_owned());
        }
    }
    found
}

/// The MPI libraries that the loader would give a program; nothing of the program runs.
fn would_load(program: &Program) -> Option<Vec<PathBuf>> {
    let loader = interpreter::loader_of(&program.file)?;
    let mut child = Command::new(loader)
        .arg("--list")
        .arg(&program.file)
        .env_clear()
        .envs(&program.env)
        .current_dir(program.wdir.as_deref().unwrap_or(Path::new(".")))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let until = Instant::now() + LOADER;
    while child.try_wait().ok()?.is_none() {
        if Instant::now() >= until {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    let mut text = String::new();
    child.stdout.take()?.read_to_string(&mut text).ok()?;
    // `NAME => FILE (ADDRESS)`, or `FILE (ADDRESS)`.
    let file = |line: &str| {
        let file = line.split_once("=> ").map_or(line, |(_, file)| file);
        let (file, _) = file.rsplit_once(" (")?;
        Some(PathBuf::from(file.trim()))
    };
    Some(
        text.lines()
            .filter_map(file)
            .filter(|file| library::is_mpi(file))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_and_its_children() {
        let mut child = Command::new("sleep").arg("20").spawn().unwrap();
        assert!(tree(std::process::id() as i32).contains(&(child.id() as i32)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

//! What earlier jobs have found out about this machine: a small text file in the user's cache folder.
//!
//! A line per machine and distance: what the machine is, how far processes were from each other, when it was measured, and
//! the times of each class of long messages. Only a convenience: what is not there, cannot be read or makes no sense is unknown, what cannot
//! be written is forgotten, and nothing here fails. Lines are written anew as a whole, beside the old file and
//! then in its place, so nobody reads half a file. Nothing here chooses.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::shm::distance::Distance;
use crate::shm::trials::{Confirmed, Situation, Table, Times};

/// First line of the file: what it is, and for which version of the measurement.
const TITLE: &str =
    "# anympi: how fast long messages were copied, 13; delete this file to measure anew";
/// Machines and distances that a file holds.
const MACHINES: usize = 200;
/// Seconds after which times are measured anew: kernels and their settings change.
const LIFE: u64 = 30 * 24 * 60 * 60;
/// A longer file is none of ours.
const LONGEST: u64 = 1 << 20;

/// What is known about a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Seconds since 1970.
    pub when: u64,
    pub times: Table,
    pub confirmed: Confirmed,
}

/// Where it is kept, if the environment names a place.
pub fn file() -> Option<PathBuf> {
    let variable = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
    Some(cache.join("anympi/long-messages"))
}

/// What is known about processes so far from each other on this machine.
pub fn read(distance: Distance) -> Option<Known> {
    find(&file()?, &place(distance), now())
}

/// Keeps what has been found out about that.
pub fn write(distance: Distance, times: Table, confirmed: Confirmed) {
    if let Some(file) = file() {
        let known = Known {
            when: now(),
            times,
            confirmed,
        };
        // It is measured again some time.
        let _ = replace(&file, &place(distance), &known);
    }
}

/// What a line is about.
fn place(distance: Distance) -> String {
    let distance = match distance {
        Distance::Near => "near",
        Distance::Far => "far",
    };
    format!("{}, {distance}", machine())
}

/// What times depend on: the processors and the kernel.
pub fn machine() -> &'static str {
    static MACHINE: OnceLock<String> = OnceLock::new();
    MACHINE.get_or_init(described)
}

fn described() -> String {
    // Further on it says the same of the other processors, and takes its time for that.
    let mut text = String::new();
    if let Ok(file) = fs::File::open("/proc/cpuinfo") {
        let mut start = Vec::new();
        let _ = file.take(1024).read_to_end(&mut start);
        text = String::from_utf8_lossy(&start).into_owned();
    }
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let names = ["model name", "CPU implementer", "CPU part"];
    let processor: Vec<String> = names.iter().filter_map(|name| field(name)).collect();
    let kernel = nix::sys::utsname::uname();
    let release = kernel.map_or(String::new(), |kernel| {
        kernel.release().to_string_lossy().into_owned()
    });
    let online = fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    let words = format!(
        "{} {}, processors {}, Linux {release}",
        std::env::consts::ARCH,
        processor.join(" "),
        online.trim(),
    );
    words.replace(char::is_control, " ")
}

fn now() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    time.map_or(0, |time| time.as_secs())
}

fn lines(file: &Path) -> Vec<String> {
    let small = fs::metadata(file).is_ok_and(|data| data.len() <= LONGEST);
    let text = match small {
        true => fs::read_to_string(file).unwrap_or_default(),
        false => String::new(),
    };
    let mut lines = text.lines();
    match lines.next() {
        Some(TITLE) => lines.map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn find(file: &Path, machine: &str, now: u64) -> Option<Known> {
    let known = lines(file).iter().find_map(|line| parse(line, machine))?;
    // A time to come is a clock that was wrong.
    (known.when <= now && now - known.when < LIFE).then_some(known)
}

/// A line, if it is this machine's: machine, seconds and the times of each class and situation or `-`, with tabs
/// between.
fn parse(line: &str, machine: &str) -> Option<Known> {
    let rest = line.strip_prefix(machine)?.strip_prefix('\t')?;
    let mut fields = rest.split('\t');
    let mut known = Known {
        when: fields.next()?.parse().ok()?,
        times: Table::default(),
        confirmed: Confirmed::default(),
    };
    for (times, confirmed) in known.times.iter_mut().zip(&mut known.confirmed) {
        let both = times.iter_mut().zip(confirmed);
        for (situation, (times, confirmed)) in Situation::ALL.into_iter().zip(both) {
            let field = fields.next()?;
            if field != "-" {
                let bare = field.strip_suffix(CONFIRMED);
                *times = Some(parse_times(bare.unwrap_or(field), situation)?);
                *confirmed = bare.is_some();
            }
        }
    }
    fields.next().is_none().then_some(known)
}

/// Follows times that are confirmed.
const CONFIRMED: char = '+';

/// A time for each way, with slashes between.
fn parse_times(field: &str, situation: Situation) -> Option<Times> {
    let mut numbers = field.split('/');
    let mut times = Times::default();
    for time in &mut times.0[..situation.ways().len()] {
        *time = numbers.next()?.parse().ok().filter(|&time| time > 0)?;
    }
    numbers.next().is_none().then_some(times)
}

fn line(machine: &str, known: &Known) -> String {
    let mut line = format!("{machine}\t{}", known.when);
    for (times, confirmed) in known.times.iter().zip(&known.confirmed) {
        let both = times.iter().zip(confirmed);
        for (situation, (times, &confirmed)) in Situation::ALL.into_iter().zip(both) {
            line.push('\t');
            let Some(times) = times else {
                line.push('-');
                continue;
            };
            let numbers = times.0[..situation.ways().len()].iter();
            line += &numbers.map(u32::to_string).collect::<Vec<_>>().join("/");
            line.extend(confirmed.then_some(CONFIRMED));
        }
    }
    line
}

fn replace(file: &Path, machine: &str, known: &Known) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder)?;
    let mut all = vec![TITLE.to_owned(), line(machine, known)];
    let own = |line: &str| {
        let rest = line.strip_prefix(machine);
        rest.is_some_and(|rest| rest.starts_with('\t'))
    };
    let others = lines(file).into_iter().filter(|line| !own(line));
    all.extend(others.take(MACHINES - 1));
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    fresh.write_all((all.join("\n") + "\n").as_bytes())?;
    fresh.persist(file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shm::trials::CLASSES;

    fn known(when: u64) -> Known {
        let mut times = Table::default();
        let known = [
            (0, Situation::Alone, [69, 100, 59]),
            (0, Situation::Exchange, [7, 8, 0]),
            (2, Situation::Exchange, [1, u32::MAX, 0]),
            (6, Situation::Alone, [1, 2, u32::MAX]),
            (6, Situation::Several, [3, 2, 1]),
            (6, Situation::Alltoall, [5, 4, 0]),
        ];
        for (class, situation, each) in known {
            times[class][situation as usize] = Some(Times(each));
        }
        let mut confirmed = Confirmed::default();
        confirmed[2][Situation::Exchange as usize] = true;
        Known {
            when,
            times,
            confirmed,
        }
    }

    #[test]
    fn machines_are_kept_apart_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/down/file");
        assert_eq!(find(&file, "a", 5), None);
        replace(&file, "a", &known(1)).unwrap();
        replace(&file, "a b", &known(2)).unwrap();
        replace(&file, "a", &known(3)).unwrap();
        assert_eq!(find(&file, "a", 5), Some(known(3)));
        assert_eq!(find(&file, "a b", 5), Some(known(2)));
        assert_eq!(find(&file, "b", 5), None);
        assert_eq!(lines(&file).len(), 2);
        let names = fs::read_dir(file.parent().unwrap()).unwrap();
        assert_eq!(names.count(), 1, "only the file itself is left");
    }

    #[test]
    fn old_times_and_times_to_come_are_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        replace(&file, "a", &known(1000)).unwrap();
        assert_eq!(find(&file, "a", 999), None);
        assert!(find(&file, "a", 1000 + LIFE - 1).is_some());
        assert_eq!(find(&file, "a", 1000 + LIFE), None);
    }

    #[test]
    fn what_makes_no_sense_is_unknown_and_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let good = line("a", &known(1));
        assert!(parse(&good, "a").is_some());
        let fields = |first: &str, count: usize| {
            let rest = ["-"].repeat(count - 1).join("\t");
            format!("a\t1\t{first}\t{rest}")
        };
        let count = Situation::ALL.len() * CLASSES;
        assert!(parse(&fields("1/2/3", count), "a").is_some());
        for bad in ["", "a", "a\t", "a\t1"] {
            assert_eq!(parse(bad, "a"), None, "{bad:?}");
        }
        for count in [count - 1, count + 1] {
            assert_eq!(parse(&fields("-", count), "a"), None, "{count} fields");
        }
        for bad in [
            "",
            "x",
            "1/2",
            "1/2/3/4",
            "0/2/3",
            "-1/2/3",
            "1/2/4294967296",
            "1/2/3++",
            "-+",
        ] {
            assert_eq!(parse(&fields(bad, count), "a"), None, "{bad:?}");
        }
        let later = fields("-\t1/2/3", count - 1);
        assert_eq!(parse(&later, "a"), None, "an exchange has two ways");
        let text = |title: &str| format!("{title}\n{good}\n");
        fs::write(&file, text("# another version")).unwrap();
        assert_eq!(find(&file, "a", 5), None);
        fs::write(&file, b"\xff\xfe\0\n").unwrap();
        assert_eq!(find(&file, "a", 5), None);
        replace(&file, "a", &known(2)).unwrap();
        assert_eq!(find(&file, "a", 5), Some(known(2)));
        fs::write(&file, text(TITLE)).unwrap();
        assert_eq!(find(&file, "a", 5), Some(known(1)));
    }

    #[test]
    fn what_cannot_be_written_is_an_error_for_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(replace(&file.join("below a file"), "a", &known(1)).is_err());
    }

    #[test]
    fn this_machine_has_a_name_of_one_line() {
        let machine = machine();
        assert!(machine.contains(", processors ") && !machine.contains(['\t', '\n']));
        assert_eq!(machine, super::machine());
    }
}

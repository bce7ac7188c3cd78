//! The record of what has been measured: a line of `docs/measurements/results.tsv` for each point of a benchmark.
//!
//! Columns: `id` (a number for good, for whoever cites the line), `commit`, `machine`, `command`, `pattern`, `distance`
//! (nanoseconds that a cache line takes between two ranks; `-`: not measured), `op`, `ranks`, `bytes`, then the medians of
//! ours and of each peer in microseconds (`-`: not measured). It must not know how anything is measured.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Whose medians a line has, in the order of its columns.
pub const WHO: [&str; 4] = ["anympi", "mpich", "openmpi", "intel"];

/// What the columns before them are called.
const HEAD: &str = "id\tcommit\tmachine\tcommand\tpattern\tdistance\top\tranks\tbytes";
const COLUMNS: usize = 9 + WHO.len();

/// One point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub pattern: String,
    pub distance: Option<u32>,
    pub op: String,
    pub ranks: usize,
    pub bytes: u64,
    /// By [`WHO`].
    pub medians: [Option<f64>; WHO.len()],
}

/// Where a run comes from.
pub struct Origin<'a> {
    pub commit: &'a str,
    pub machine: &'a str,
    pub command: &'a str,
}

/// Appends points to the record in `file`, which is made if there is none.
///
/// # Errors
/// The file cannot be read or written, or is none of these.
pub fn append(file: &Path, origin: &Origin<'_>, points: &[Point]) -> Result<()> {
    let mut text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            format!("{HEAD}\t{}\n", WHO.join("\t"))
        }
        Err(error) => return Err(error).context(file.display().to_string()),
    };
    let mut id = lines(&text)?.last().map_or(0, |line| line.id);
    let clean = |word: &str| word.split_whitespace().collect::<Vec<_>>().join(" ");
    let [commit, machine, command] = [origin.commit, origin.machine, origin.command].map(clean);
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    for point in points {
        id += 1;
        let distance = or_dash(point.distance.map(|time| time.to_string()));
        let medians = point
            .medians
            .map(|usec| or_dash(usec.map(|usec| format!("{usec:.3}"))));
        let Point {
            pattern,
            op,
            ranks,
            bytes,
            ..
        } = point;
        writeln!(
            text,
            "{id}\t{commit}\t{machine}\t{command}\t{pattern}\t{distance}\t{op}\t{ranks}\t{bytes}\t{}",
            medians.join("\t")
        )?;
    }
    let folder = file.parent().context("a file in a folder")?;
    fs::create_dir_all(folder)?;
    fs::write(file, text).with_context(|| file.display().to_string())
}

/// A line of the record.
struct Line<'a> {
    id: u64,
    /// Commit, machine, pattern, ranks.
    of: (&'a str, &'a str, &'a str, &'a str),
    /// Operation and bytes.
    point: (&'a str, &'a str),
    medians: [Option<f64>; WHO.len()],
}

fn lines(text: &str) -> Result<Vec<Line<'_>>> {
    let mut lines = text.lines();
    ensure!(
        lines.next().is_some_and(|line| line.starts_with(HEAD)),
        "the first line names other columns"
    );
    lines
        .map(|line| {
            let words: Vec<&str> = line.split('\t').collect();
            ensure!(words.len() == COLUMNS, "not {COLUMNS} columns: '{line}'");
            let mut medians = [None; WHO.len()];
            for (median, word) in medians.iter_mut().zip(&words[9..]) {
                *median = match *word {
                    "-" => None,
                    word => Some(word.parse().with_context(|| line.to_owned())?),
                };
            }
            Ok(Line {
                id: words[0].parse().with_context(|| line.to_owned())?,
                of: (words[1], words[2], words[4], words[7]),
                point: (words[6], words[8]),
                medians,
            })
        })
        .collect()
}

/// For each commit, machine, pattern and number of ranks: how many points there are, the geometric mean of our median by the
/// best peer's, and the point where that is the greatest.
///
/// # Errors
/// The file cannot be read, or is no record.
pub fn report(file: &Path) -> Result<String> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut groups: BTreeMap<_, Vec<(f64, String)>> = BTreeMap::new();
    for line in lines(&text)? {
        let peers = line.medians[1..].iter().flatten().copied();
        let best = peers.min_by(f64::total_cmp);
        if let (Some(ours), Some(best)) = (line.medians[0], best) {
            let name = format!(
                "{} of {} bytes (line {})",
                line.point.0, line.point.1, line.id
            );
            groups.entry(line.of).or_default().push((ours / best, name));
        }
    }
    let mut out = String::from(
        "commit, machine, pattern, ranks: points, geometric mean of ours/best peer, greatest\n",
    );
    for ((commit, machine, pattern, ranks), ratios) in groups {
        let logarithms = ratios.iter().map(|(ratio, _)| ratio.ln());
        let mean = (logarithms.sum::<f64>() / ratios.len() as f64).exp();
        let greatest = ratios.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let (ratio, name) = greatest.context("a group has a point")?;
        writeln!(
            out,
            "{commit}, {machine}, {pattern}, {ranks}: {}, {mean:.3}, {ratio:.2} {name}",
            ratios.len()
        )?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(bytes: u64, ours: f64, mpich: f64, intel: Option<f64>) -> Point {
        Point {
            pattern: "steady".into(),
            distance: Some(64),
            op: "bcast".into(),
            ranks: 2,
            bytes,
            medians: [Some(ours), Some(mpich), None, intel],
        }
    }

    #[test]
    fn what_is_recorded_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("below/results.tsv");
        let origin = Origin {
            commit: "abc",
            machine: "two cores\tof a kind",
            command: "bench coll",
        };
        append(&file, &origin, &[point(8, 1.0, 2.0, Some(4.0))]).unwrap();
        append(&file, &origin, &[point(64, 2.0, 3.0, Some(1.0))]).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert!(text.ends_with(
            "2\tabc\ttwo cores of a kind\tbench coll\tsteady\t64\tbcast\t2\t64\t2.000\t3.000\t-\t1.000\n"
        ));
        let report = report(&file).unwrap();
        let line =
            "abc, two cores of a kind, steady, 2: 2, 1.000, 2.00 bcast of 64 bytes (line 2)\n";
        assert!(report.ends_with(line), "{report}");
    }

    #[test]
    fn what_is_no_record_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.tsv");
        assert!(report(&file).is_err());
        for text in ["", "something\n", &format!("{HEAD}\n1\t2\n")] {
            fs::write(&file, text).unwrap();
            assert!(report(&file).is_err(), "{text}");
            let origin = Origin {
                commit: "",
                machine: "",
                command: "",
            };
            assert!(append(&file, &origin, &[]).is_err());
            assert_eq!(fs::read_to_string(&file).unwrap(), text, "nothing is lost");
        }
    }
}

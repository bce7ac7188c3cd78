//! Categories (MPI-5.0, 15.3.9): a tree with one root, and which variables and events are in each.

use super::variable::Pvar;
use crate::config;

/// A category; members are indices.
pub struct Category {
    pub name: &'static str,
    pub description: &'static str,
    pub cvars: Vec<i32>,
    pub pvars: Vec<i32>,
    pub events: Vec<i32>,
    pub categories: Vec<i32>,
}

/// Name, the category that it is in, and description.
const NAMES: &[(&str, &str, &str)] = &[
    ("anympi", "", "everything"),
    (
        "settings",
        "anympi",
        "environment variables that change behaviour",
    ),
    ("point_to_point", "anympi", "messages between two processes"),
    ("eager", "point_to_point", "messages sent at once"),
    (
        "announced",
        "point_to_point",
        "messages announced, asked for and streamed",
    ),
    (
        "partitioned",
        "point_to_point",
        "messages sent in partitions",
    ),
    (
        "queues",
        "point_to_point",
        "what waits: receives, unexpected messages, sends without room",
    ),
    ("transport", "anympi", "frames between processes"),
    (
        "collectives",
        "anympi",
        "collective operations by algorithm",
    ),
    ("waiting", "anympi", "how calls that wait have waited"),
    ("objects", "anympi", "live objects"),
];

/// The category of the control variables.
const SETTINGS: &str = "settings";
/// The category of the one type of event.
const EVENTS: &str = "queues";

/// The table of categories.
pub fn categories(pvars: &[Pvar]) -> Vec<Category> {
    let members = |wanted: &str| {
        let pvars = (0..).zip(pvars);
        pvars
            .filter(|(_, pvar)| pvar.category == wanted)
            .map(|(index, _)| index)
            .collect()
    };
    let children = |wanted: &str| {
        let names = (0..).zip(NAMES);
        names
            .filter(|(_, (_, parent, _))| *parent == wanted)
            .map(|(index, _)| index)
            .collect()
    };
    NAMES
        .iter()
        .map(|&(name, _, description)| Category {
            name,
            description,
            cvars: if name == SETTINGS {
                (0..config::ALL.len() as i32).collect()
            } else {
                Vec::new()
            },
            pvars: members(name),
            events: if name == EVENTS { vec![0] } else { Vec::new() },
            categories: children(name),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::variable;

    #[test]
    fn everything_is_in_one_category_and_reached_from_the_root() {
        let pvars = variable::pvars();
        let categories = categories(&pvars);
        let mut seen = vec![0; pvars.len()];
        let mut reached = vec![0; categories.len()];
        reached[0] = 1;
        for category in &categories {
            category.pvars.iter().for_each(|p| seen[*p as usize] += 1);
            for child in &category.categories {
                reached[*child as usize] += 1;
            }
        }
        assert!(seen.iter().all(|times| *times == 1));
        assert!(reached.iter().all(|times| *times == 1));
        let mut names: Vec<&str> = pvars.iter().map(|pvar| pvar.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), pvars.len());
        assert!(names.iter().all(|name| name.len() < 50));
    }
}

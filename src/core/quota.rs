//! How many processors the control groups of a process let it use at a time.
//!
//! A quota of any group above a process binds it, so all of them are read, from its own up to the root. Both
//! versions of control groups are read from where they are mounted everywhere. Where a process sees less
//! than that, as in a container, the group at the mount's root stands for its own. What cannot be read sets
//! no limit; nothing here fails.

use std::fs;
use std::path::{Path, PathBuf};

/// Whole processors that the groups' quotas allow, rounded up; `None`: as many as there are.
pub fn processors() -> Option<usize> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    processors_in(&groups, Path::new("/sys/fs/cgroup"))
}

/// The same for a process of these groups, as the system lists them, mounted below `mount`.
fn processors_in(groups: &str, mount: &Path) -> Option<usize> {
    let quotas = groups.lines().filter_map(|line| {
        // NUMBER:CONTROLLERS:GROUP; version 2 has no controllers there.
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        let folders = |root: &str| above(&mount.join(root), group).into_iter();
        if controllers.is_empty() {
            let both = folders("").chain(folders("unified"));
            least(both.filter_map(|folder| unified(&folder)))
        } else if controllers.split(',').any(|name| name == "cpu") {
            // Mounted under several names; this one is there always.
            least(folders("cpu").filter_map(|folder| separate(&folder)))
        } else {
            None
        }
    });
    // So little of one processor that nothing is left does not exist.
    least(quotas).map(|quota| quota.ceil().max(1.0) as usize)
}

/// The folders of a group and of those above it, from the mount's root on.
fn above(root: &Path, group: &str) -> Vec<PathBuf> {
    // A group outside of what this process may see starts with `..`: only the root is known.
    let outside = group.split('/').any(|name| name == "..");
    let names = if outside { "" } else { group };
    let mut folders = vec![root.to_owned()];
    for name in names.split('/').filter(|name| !name.is_empty()) {
        folders.push(folders[folders.len() - 1].join(name));
    }
    folders
}

/// Processors' worth of time of one group of version 2.
fn unified(group: &Path) -> Option<f64> {
    let max = fs::read_to_string(group.join("cpu.max")).ok()?;
    let (quota, period) = max.trim().split_once(' ')?;
    share(quota, period)
}

/// The same of version 1, which says -1 where there is no limit.
fn separate(group: &Path) -> Option<f64> {
    let read = |name: &str| fs::read_to_string(group.join(name)).ok();
    share(&read("cpu.cfs_quota_us")?, &read("cpu.cfs_period_us")?)
}

fn share(quota: &str, period: &str) -> Option<f64> {
    let positive = |text: &str| {
        let number = text.trim().parse::<f64>().ok();
        number.filter(|&number| number > 0.0)
    };
    Some(positive(quota)? / positive(period)?)
}

fn least(quotas: impl Iterator<Item = f64>) -> Option<f64> {
    quotas.reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, gone when dropped.
    struct Tree(PathBuf);

    impl Tree {
        fn new(name: &str, files: &[(&str, &str)]) -> Tree {
            let root = std::env::temp_dir().join(format!("anympi-{name}-{}", std::process::id()));
            for (file, text) in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, format!("{text}\n")).unwrap();
            }
            Tree(root)
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_smallest_quota_from_the_own_group_to_the_root_counts() {
        let tree = Tree::new(
            "quota2",
            &[
                ("a/cpu.max", "600000 100000"),
                ("a/b/cpu.max", "250000 100000"),
                ("a/b/c/cpu.max", "max 100000"),
                ("other/cpu.max", "100000 100000"),
            ],
        );
        let of = |group: &str| processors_in(&format!("0::{group}\n"), &tree.0);
        assert_eq!(of("/a/b/c"), Some(3));
        assert_eq!(of("/a/b"), Some(3));
        assert_eq!(of("/a"), Some(6));
        assert_eq!(of("/a/new"), Some(6));
        assert_eq!(of("/"), None);
        assert_eq!(of("/../../other"), None);
        // Names with the separator in them.
        assert_eq!(of("/other/x:y"), Some(1));
    }

    #[test]
    fn a_container_sees_its_own_group_as_the_root() {
        let tree = Tree::new("quota3", &[("cpu.max", "20000 100000")]);
        for group in ["/", "/docker/0123", "/../0123"] {
            let found = processors_in(&format!("0::{group}\n"), &tree.0);
            assert_eq!(found, Some(1), "{group}");
        }
    }

    #[test]
    fn the_first_version_and_both_at_once() {
        let tree = Tree::new(
            "quota1",
            &[
                ("cpu/job/cpu.cfs_quota_us", "350000"),
                ("cpu/job/cpu.cfs_period_us", "100000"),
                ("cpu/cpu.cfs_quota_us", "-1"),
                ("cpu/cpu.cfs_period_us", "100000"),
                ("cpuset/job/cpu.cfs_quota_us", "1"),
                ("cpuset/job/cpu.cfs_period_us", "1"),
                ("unified/step/cpu.max", "150000 100000"),
            ],
        );
        let of = |text: &str| processors_in(text, &tree.0);
        assert_eq!(of("5:cpu,cpuacct:/job/step\n3:cpuset:/job\n"), Some(4));
        assert_eq!(of("5:cpu,cpuacct:/\n0::/\n"), None);
        assert_eq!(of("5:cpu,cpuacct:/job\n0::/step\n"), Some(2));
    }

    #[test]
    fn what_makes_no_sense_sets_no_limit() {
        let tree = Tree::new(
            "quota4",
            &[
                ("a/cpu.max", "words"),
                ("b/cpu.max", "0 0"),
                ("c/cpu.max", ""),
                ("cpu/d/cpu.cfs_quota_us", "100000"),
            ],
        );
        for text in ["0::/a", "0::/b", "0::/c", "1:cpu:/d", "", "nothing", "0:"] {
            assert_eq!(processors_in(text, &tree.0), None, "{text:?}");
        }
    }
}

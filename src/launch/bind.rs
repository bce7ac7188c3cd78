//! Which processors each rank runs on, when binding is asked for.
//!
//! Job: group the processors that mpiexec may use by cores, packages, caches or NUMA nodes, as the kernel describes
//! them under /sys. It deals the groups to the ranks in order. The default is no binding.

use crate::request::BindRequest;
use std::collections::BTreeSet;
use std::path::Path;

/// A set of processor numbers for each rank (`None`: not bound), and a note when ranks share processors.
pub struct Binding {
    pub ranks: Vec<Option<Vec<usize>>>,
    pub note: Option<String>,
}

/// Deals the processors of `allowed` to `count` ranks.
pub fn deal(request: &BindRequest, count: usize, allowed: &[usize], sys: &Path) -> Binding {
    let mut note = None;
    let usable: Vec<usize> = match &request.cpus {
        Some(wanted) => {
            let usable: Vec<usize> = wanted
                .iter()
                .copied()
                .filter(|c| allowed.contains(c))
                .collect();
            if usable.is_empty() {
                note = Some("none of the processors of --cpu-set may be used here; ranks are not bound to them".into());
                allowed.to_vec()
            } else {
                usable
            }
        }
        None => allowed.to_vec(),
    };
    let Some(object) = &request.to else {
        let set = (request.cpus.is_some() && note.is_none()).then_some(usable);
        return Binding {
            ranks: vec![set; count],
            note,
        };
    };
    let groups = groups(object, &usable, sys);
    let width = request.width.clamp(1, groups.len().max(1));
    let places: Vec<Vec<usize>> = groups.chunks_exact(width).map(|g| g.concat()).collect();
    // Several ranks belong on one package, but two on one core is worth a word.
    if count > places.len() && matches!(object.as_str(), "core" | "hwthread") {
        note = Some(format!(
            "{count} ranks share {} places of {width} {object}(s)",
            places.len()
        ));
    }
    Binding {
        ranks: (0..count)
            .map(|rank| places.get(rank % places.len().max(1)).cloned())
            .collect(),
        note,
    }
}

/// The usable processors, grouped by the object they share; in order of their first processor.
fn groups(object: &str, usable: &[usize], sys: &Path) -> Vec<Vec<usize>> {
    let mut seen = BTreeSet::new();
    let mut groups = Vec::new();
    for &cpu in usable {
        if seen.contains(&cpu) {
            continue;
        }
        let mut group: Vec<usize> = siblings(object, cpu, sys)
            .into_iter()
            .filter(|c| usable.contains(c))
            .collect();
        if !group.contains(&cpu) {
            group = vec![cpu];
        }
        seen.extend(group.iter().copied());
        groups.push(group);
    }
    groups
}

/// All processors that share `object` with `cpu`. Where the kernel does not say, the processor alone.
fn siblings(object: &str, cpu: usize, sys: &Path) -> Vec<usize> {
    let dir = sys.join(format!("devices/system/cpu/cpu{cpu}"));
    let list = |path: &Path| {
        let text = std::fs::read_to_string(path).ok()?;
        crate::request::cpu_list("", text.trim()).ok()
    };
    let found = match object {
        "core" => list(&dir.join("topology/thread_siblings_list")),
        "package" => list(&dir.join("topology/package_cpus_list"))
            .or_else(|| list(&dir.join("topology/core_siblings_list"))),
        "numa" => entries(&dir)
            .into_iter()
            .find(|name| name.starts_with("node"))
            .and_then(|node| list(&sys.join("devices/system/node").join(node).join("cpulist"))),
        cache if cache.ends_with("cache") => {
            let level = cache.trim_start_matches('l').trim_end_matches("cache");
            let caches = dir.join("cache");
            entries(&caches)
                .into_iter()
                .map(|index| caches.join(index))
                .find(|index| {
                    let is = |file: &str, value: &str| {
                        std::fs::read_to_string(index.join(file)).is_ok_and(|t| t.trim() == value)
                    };
                    is("level", level) && !is("type", "Instruction")
                })
                .and_then(|index| list(&index.join("shared_cpu_list")))
        }
        _ => None,
    };
    found.unwrap_or_else(|| vec![cpu])
}

/// Names in a directory, sorted; none if it cannot be read.
fn entries(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

    /// Two packages of two cores of two threads: core c has processors c and c + 4.
    fn machine(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("anympi-bind-{}-{name}", std::process::id()));
        for cpu in 0..8 {
            let core = cpu % 4;
            let package = if core < 2 { "0-1,4-5" } else { "2-3,6-7" };
            let dir = root.join(format!("devices/system/cpu/cpu{cpu}/topology"));
            fs::create_dir_all(&dir).unwrap();
            fs::write(
                dir.join("thread_siblings_list"),
                format!("{core},{}\n", core + 4),
            )
            .unwrap();
            fs::write(dir.join("package_cpus_list"), package).unwrap();
            let cache = root.join(format!("devices/system/cpu/cpu{cpu}/cache/index3"));
            fs::create_dir_all(&cache).unwrap();
            fs::write(cache.join("level"), "3").unwrap();
            fs::write(cache.join("shared_cpu_list"), package).unwrap();
        }
        root
    }

    fn request(to: &str, width: usize) -> BindRequest {
        BindRequest {
            to: Some(to.into()),
            width,
            ..BindRequest::default()
        }
    }

    #[test]
    fn objects_are_dealt_in_order() {
        let root = machine("objects");
        let all: Vec<usize> = (0..8).collect();
        let dealt = |to, width, count| deal(&request(to, width), count, &all, &root);
        let cores = dealt("core", 1, 5);
        assert_eq!(cores.ranks[1], Some(vec![1, 5]));
        assert_eq!(cores.ranks[4], Some(vec![0, 4]));
        assert!(cores.note.is_some());
        assert_eq!(dealt("core", 2, 2).ranks[1], Some(vec![2, 6, 3, 7]));
        assert_eq!(dealt("package", 1, 2).ranks[1], Some(vec![2, 3, 6, 7]));
        assert_eq!(dealt("l3cache", 1, 2).ranks[0], Some(vec![0, 1, 4, 5]));
        assert_eq!(dealt("hwthread", 1, 2).ranks[1], Some(vec![1]));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn limits_are_respected() {
        let root = machine("limits");
        let bound = deal(&request("core", 1), 2, &[2, 6, 3], &root);
        assert_eq!(bound.ranks, [Some(vec![2, 6]), Some(vec![3])]);
        let set = BindRequest {
            cpus: Some(vec![1, 2, 9]),
            ..BindRequest::default()
        };
        assert_eq!(deal(&set, 1, &[0, 1, 2], &root).ranks, [Some(vec![1, 2])]);
        let none = deal(&set, 1, &[5], &root);
        assert_eq!((none.ranks, none.note.is_some()), (vec![None], true));
        fs::remove_dir_all(root).unwrap();
    }
}

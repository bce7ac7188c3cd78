//! The hardware that the calling process may use: which resources there are, and which single instance of
//! each the process is kept to (MPI-5.0, 7.4.2 and 9.1.3).
//!
//! Which processors those are is asked afresh each time, since a process can be bound at any time; what a
//! processor belongs to is read once. Resources have the names of hwloc. What the system does not tell is not
//! there; nothing here fails.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::quota;
use crate::sys;

/// A kind of resource, from large to small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    Machine,
    Package,
    NumaNode,
    L3Cache,
    L2Cache,
    L1Cache,
    Core,
    Pu,
}

impl Resource {
    pub const COUNT: usize = 8;
    /// From large to small.
    pub const ALL: [Resource; Resource::COUNT] = [
        Resource::Machine,
        Resource::Package,
        Resource::NumaNode,
        Resource::L3Cache,
        Resource::L2Cache,
        Resource::L1Cache,
        Resource::Core,
        Resource::Pu,
    ];

    /// Its name in info objects.
    pub fn name(self) -> &'static str {
        match self {
            Resource::Machine => "hwloc://Machine",
            Resource::Package => "hwloc://Package",
            Resource::NumaNode => "hwloc://NUMANode",
            Resource::L3Cache => "hwloc://L3Cache",
            Resource::L2Cache => "hwloc://L2Cache",
            Resource::L1Cache => "hwloc://L1Cache",
            Resource::Core => "hwloc://Core",
            Resource::Pu => "hwloc://PU",
        }
    }

    pub fn find(name: &str) -> Option<Resource> {
        let mut all = Resource::ALL.into_iter();
        all.find(|resource| resource.name() == name)
    }

    /// The instance of this resource that a processor belongs to, in words that tell it from others of
    /// the machine.
    fn instance(self, cpu: usize, folder: &Path) -> Option<String> {
        let read = |name: &str| {
            let text = fs::read_to_string(folder.join(name)).ok()?;
            Some(text.trim().to_owned())
        };
        match self {
            Resource::Machine => Some(String::new()),
            Resource::Package => read("topology/physical_package_id"),
            Resource::NumaNode => names(folder).into_iter().find(|name| {
                let number = name.strip_prefix("node");
                number.is_some_and(|number| number.parse::<u32>().is_ok())
            }),
            Resource::L3Cache => cache(folder, "3"),
            Resource::L2Cache => cache(folder, "2"),
            Resource::L1Cache => cache(folder, "1"),
            Resource::Core => read("topology/thread_siblings_list"),
            Resource::Pu => Some(cpu.to_string()),
        }
    }
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The processors that share a processor's cache of a level, as the system lists them.
fn cache(folder: &Path, level: &str) -> Option<String> {
    of_cache(folder, level, "shared_cpu_list")
}

/// What the system says of a processor's cache of a level that holds data.
fn of_cache(folder: &Path, level: &str, what: &str) -> Option<String> {
    let folder = folder.join("cache");
    names(&folder).into_iter().find_map(|index| {
        let read = |name: &str| fs::read_to_string(folder.join(&index).join(name)).ok();
        if read("level")?.trim() != level || read("type")?.trim() == "Instruction" {
            return None;
        }
        Some(read(what)?.trim().to_owned())
    })
}

/// How a process stands to a kind of resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// There is none, or the system does not tell.
    Unknown,
    /// Several instances may be used.
    Several,
    /// One instance and no other.
    One(String),
}

/// Processors that the processes of a job may use on this node together: those that this one may run on, cut by its
/// control groups' quotas. One that may run on fewer than its parent has been bound by a launcher. That deals all
/// that the parent may run on to as many processes as it starts.
pub fn usable_processors() -> usize {
    let allowed = dealt(&sys::allowed_cpus(), &sys::parents_cpus());
    allowed.min(quota::processors().unwrap_or(usize::MAX))
}

/// How many processors those of a process are of, if its parent may run on those.
fn dealt(own: &[usize], parents: &[usize]) -> usize {
    let bound = own.iter().all(|cpu| parents.contains(cpu));
    let of = if bound { parents } else { own };
    of.len().max(1)
}

/// How the calling process stands to each kind of resource.
pub fn uses() -> [Use; Resource::COUNT] {
    static READ: Mutex<Instances> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Path::new("/sys/devices/system/cpu");
    uses_in(root, &sys::allowed_cpus(), &mut read)
}

/// What has been read so far: the instance of a resource that a processor belongs to.
type Instances = BTreeMap<(usize, usize), Option<String>>;

fn uses_in(root: &Path, cpus: &[usize], read: &mut Instances) -> [Use; Resource::COUNT] {
    Resource::ALL.map(|resource| {
        let mut instances = cpus.iter().map(|&cpu| {
            let known = read.entry((resource as usize, cpu));
            let instance = || resource.instance(cpu, &root.join(format!("cpu{cpu}")));
            known.or_insert_with(instance).clone()
        });
        let Some(Some(first)) = instances.next() else {
            return Use::Unknown;
        };
        for other in instances {
            match other {
                None => return Use::Unknown,
                Some(other) if other != first => return Use::Several,
                Some(_) => (),
            }
        }
        Use::One(first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// Two packages of two cores; each package has a cache, each core one of its own.
    fn machine(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("anympi-{name}-{}", std::process::id()));
        for cpu in 0..4 {
            let package = cpu / 2;
            let folder = root.join(format!("cpu{cpu}"));
            let write = |file: &str, text: String| {
                let path = folder.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text + "\n").unwrap();
            };
            write("topology/physical_package_id", package.to_string());
            write("topology/thread_siblings_list", cpu.to_string());
            for (index, level, kind, shared) in [
                (0, 1, "Instruction", cpu.to_string()),
                (1, 1, "Data", cpu.to_string()),
                (
                    2,
                    3,
                    "Unified",
                    format!("{}-{}", 2 * package, 2 * package + 1),
                ),
            ] {
                write(&format!("cache/index{index}/level"), level.to_string());
                write(&format!("cache/index{index}/type"), kind.into());
                write(&format!("cache/index{index}/shared_cpu_list"), shared);
                write(
                    &format!("cache/index{index}/size"),
                    format!("{}K", 32 * level),
                );
            }
            fs::create_dir_all(folder.join(format!("node{package}"))).unwrap();
        }
        root
    }

    #[test]
    fn a_process_is_kept_to_what_its_processors_share() {
        let root = machine("hardware");
        let one = |text: &str| Use::One(text.into());
        let mut read = Instances::new();
        let mut of = |cpus: &[usize]| uses_in(&root, cpus, &mut read).to_vec();
        let expected = [
            one(""),
            one("1"),
            one("node1"),
            one("2-3"),
            Use::Unknown,
            Use::Several,
            Use::Several,
            Use::Several,
        ];
        assert_eq!(of(&[2, 3]), expected);
        assert_eq!(of(&[1])[4..], [Use::Unknown, one("1"), one("1"), one("1")]);
        assert_eq!(of(&[0, 3])[..2], [one(""), Use::Several]);
        assert_eq!(of(&[7])[1], Use::Unknown);
        assert_eq!(of(&[])[0], Use::Unknown);
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(of(&[2, 3]), expected, "read again");
    }

    #[test]
    fn who_is_bound_by_its_launcher_shares_what_that_has() {
        assert_eq!(dealt(&[3], &[0, 1, 2, 3]), 4);
        assert_eq!(dealt(&[0, 1], &[0, 1]), 2);
        // It has bound itself elsewhere, or the parent is not known.
        assert_eq!(dealt(&[3, 4], &[0, 1, 2, 3]), 2);
        assert_eq!(dealt(&[3], &[]), 1);
        assert_eq!(dealt(&[], &[]), 1);
    }

    #[test]
    fn names_are_found_again() {
        for resource in Resource::ALL {
            assert_eq!(Resource::find(resource.name()), Some(resource));
        }
        assert_eq!(Resource::find("Machine"), None);
    }

    #[test]
    fn this_process_runs_on_this_machine() {
        assert_eq!(uses()[0], Use::One(String::new()));
    }
}

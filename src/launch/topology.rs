//! The processors of a machine and what they share, as the kernel describes them under /sys.
//!
//! Job: read it, group processors by the objects they belong to, and draw them. The kernel's files say all that binding
//! needs, so no library is loaded: the crates for hwloc are linked with its C library, which not every machine has.

use crate::request::cpu_list;
use std::fs;
use std::path::Path;

/// What a rank can be placed on or bound to, from large to small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    Machine,
    Package,
    Numa,
    L3Cache,
    L2Cache,
    L1Cache,
    Core,
    Thread,
}

/// All objects with their usual name and the others in use.
const NAMES: &[(Object, &[&str])] = &[
    (Object::Machine, &["machine", "board", "node"]),
    (Object::Package, &["package", "socket"]),
    (Object::Numa, &["numa", "numanode"]),
    (Object::L3Cache, &["l3cache", "l3", "l3dcache", "l3ucache"]),
    (Object::L2Cache, &["l2cache", "l2", "l2dcache", "l2ucache"]),
    (Object::L1Cache, &["l1cache", "l1", "l1dcache", "l1ucache"]),
    (Object::Core, &["core", "cpu"]),
    (Object::Thread, &["hwthread", "thread", "pu"]),
];

impl Object {
    pub fn find(name: &str) -> Option<Object> {
        let found = NAMES.iter().find(|(_, names)| names.contains(&name));
        found.map(|(object, _)| *object)
    }

    pub fn name(self) -> &'static str {
        NAMES[self as usize].1[0]
    }
}

/// Where a processor belongs: for each object the processors that share it with this one.
struct Cpu {
    number: usize,
    shares: Vec<Option<Vec<usize>>>,
}

/// The processors of a machine, those next to each other that share most.
#[derive(Default)]
pub struct Topology {
    cpus: Vec<Cpu>,
}

impl Topology {
    /// Reads the folder `sys`, which is like /sys. Processors of `allowed` that are not there stand for themselves.
    pub fn read(sys: &Path, allowed: &[usize]) -> Topology {
        let known = entries(&sys.join("devices/system/cpu")).into_iter();
        let mut numbers: Vec<usize> = known
            .filter_map(|name| name.strip_prefix("cpu")?.parse().ok())
            .filter(|number| {
                let dir = sys.join(format!("devices/system/cpu/cpu{number}/topology"));
                dir.is_dir()
            })
            .chain(allowed.iter().copied())
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let of = |&number: &usize| Cpu {
            number,
            shares: NAMES
                .iter()
                .map(|&(object, _)| shared(object, number, &numbers, sys))
                .collect(),
        };
        let mut cpus: Vec<Cpu> = numbers.iter().map(of).collect();
        let firsts = |cpu: &Cpu| -> Vec<usize> {
            let first = |list: &Option<Vec<usize>>| list.as_ref().and_then(|l| l.first().copied());
            cpu.shares.iter().filter_map(first).collect()
        };
        cpus.sort_by_key(firsts);
        Topology { cpus }
    }

    /// The processors of `usable`, grouped by the object they share; none if the machine does not tell of such objects.
    pub fn groups(&self, object: Object, usable: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: Vec<(&[usize], Vec<usize>)> = Vec::new();
        for cpu in self.cpus.iter().filter(|c| usable.contains(&c.number)) {
            let Some(shared) = &cpu.shares[object as usize] else {
                return Vec::new();
            };
            match groups.iter_mut().find(|(of, _)| of == shared) {
                Some((_, members)) => members.push(cpu.number),
                None => groups.push((shared, vec![cpu.number])),
            }
        }
        groups.into_iter().map(|(_, members)| members).collect()
    }

    /// All processors: a bracket for each package, cores between strokes, and for each processor of a core `B` if it is
    /// one of `bound`, `~` if it may not be used, else a dot.
    pub fn picture(&self, bound: &[usize], usable: &[usize]) -> String {
        let all: Vec<usize> = self.cpus.iter().map(|c| c.number).collect();
        let sign = |cpu: &usize| match (bound.contains(cpu), usable.contains(cpu)) {
            (true, _) => 'B',
            (false, true) => '.',
            (false, false) => '~',
        };
        let core = |core: &Vec<usize>| core.iter().map(sign).collect::<String>();
        let package = |package: &Vec<usize>| {
            let cores = self.groups(Object::Core, package);
            format!("[{}]", cores.iter().map(core).collect::<Vec<_>>().join("/"))
        };
        self.groups(Object::Package, &all)
            .iter()
            .map(package)
            .collect()
    }
}

/// The processors among `all` that share `object` with `cpu`. Every processor has a core, a package, a node of memory
/// and a machine, even where the kernel does not say so.
fn shared(object: Object, cpu: usize, all: &[usize], sys: &Path) -> Option<Vec<usize>> {
    let dir = sys.join(format!("devices/system/cpu/cpu{cpu}"));
    let list = |path: &Path| {
        let text = fs::read_to_string(path).ok()?;
        let list = cpu_list("", text.trim()).ok()?;
        list.contains(&cpu).then_some(list)
    };
    let of_cache = |level: &str| {
        let caches = dir.join("cache");
        let is = |index: &Path, file: &str, value: &str| {
            fs::read_to_string(index.join(file)).is_ok_and(|text| text.trim() == value)
        };
        let index = entries(&caches)
            .into_iter()
            .map(|index| caches.join(index))
            .find(|index| is(index, "level", level) && !is(index, "type", "Instruction"))?;
        list(&index.join("shared_cpu_list"))
    };
    match object {
        Object::Machine => Some(all.to_vec()),
        Object::Package => list(&dir.join("topology/package_cpus_list"))
            .or_else(|| list(&dir.join("topology/core_siblings_list")))
            .or_else(|| Some(all.to_vec())),
        Object::Numa => entries(&dir)
            .into_iter()
            .filter(|name| {
                name.strip_prefix("node")
                    .is_some_and(|n| n.parse::<u32>().is_ok())
            })
            .find_map(|node| list(&sys.join("devices/system/node").join(node).join("cpulist")))
            .or_else(|| Some(all.to_vec())),
        Object::L3Cache => of_cache("3"),
        Object::L2Cache => of_cache("2"),
        Object::L1Cache => of_cache("1"),
        Object::Core => {
            list(&dir.join("topology/thread_siblings_list")).or_else(|| Some(vec![cpu]))
        }
        Object::Thread => Some(vec![cpu]),
    }
}

/// Names in a directory, sorted; none if it cannot be read.
fn entries(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).into_iter().flatten();
    let mut names: Vec<String> = names
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// Invented machines, for tests.
#[cfg(test)]
pub mod invented {
    use super::*;
    use std::path::PathBuf;

    /// A folder like /sys, removed with this value.
    pub struct Machine(pub PathBuf);

    impl Drop for Machine {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Each processor's number, core, package and node of memory; processors of a package share a third-level cache,
    /// those of a core the others.
    pub fn machine(name: &str, cpus: &[[usize; 4]]) -> Machine {
        let id = std::process::id();
        let root = std::env::temp_dir().join(format!("anympi-sys-{id}-{name}"));
        let _ = fs::remove_dir_all(&root);
        let who = |column: usize, value: usize| {
            let same = cpus.iter().filter(|cpu| cpu[column] == value);
            let numbers: Vec<String> = same.map(|cpu| cpu[0].to_string()).collect();
            numbers.join(",") + "\n"
        };
        let write = |path: String, text: String| {
            let path = root.join("devices/system").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for &[cpu, core, package, node] in cpus {
            let file = |name: &str| format!("cpu/cpu{cpu}/{name}");
            write(file("topology/thread_siblings_list"), who(1, core));
            write(file("topology/package_cpus_list"), who(2, package));
            write(format!("node/node{node}/cpulist"), who(3, node));
            write(file(&format!("node{node}/x")), String::new());
            for (index, level, kind, shared) in [
                (0, 1, "Instruction", who(1, core)),
                (1, 1, "Data", who(1, core)),
                (2, 2, "Unified", who(1, core)),
                (3, 3, "Unified", who(2, package)),
            ] {
                write(
                    file(&format!("cache/index{index}/level")),
                    level.to_string(),
                );
                write(file(&format!("cache/index{index}/type")), kind.into());
                write(file(&format!("cache/index{index}/shared_cpu_list")), shared);
            }
        }
        Machine(root)
    }

    /// Two packages of two cores of two threads: core c has processors c and c + 4.
    pub fn usual(name: &str) -> Machine {
        let cpus: Vec<[usize; 4]> = (0..8).map(|c| [c, c % 4, c % 4 / 2, c % 4 / 2]).collect();
        machine(name, &cpus)
    }
}

#[cfg(test)]
mod tests {
    use super::invented::*;
    use super::*;

    #[test]
    fn objects_hold_their_processors() {
        let machine = usual("objects");
        let all: Vec<usize> = (0..8).collect();
        let topology = Topology::read(&machine.0, &all);
        let halves = vec![vec![0, 4, 1, 5], vec![2, 6, 3, 7]];
        let cores: Vec<Vec<usize>> = halves.concat().chunks(2).map(<[usize]>::to_vec).collect();
        for (object, groups) in [
            (Object::Machine, vec![halves.concat()]),
            (Object::Package, halves.clone()),
            (Object::Numa, halves.clone()),
            (Object::L3Cache, halves),
            (Object::L2Cache, cores.clone()),
            (Object::L1Cache, cores.clone()),
            (Object::Core, cores),
        ] {
            assert_eq!(topology.groups(object, &all), groups, "{object:?}");
        }
        assert_eq!(
            topology.groups(Object::Core, &[1, 5, 6]),
            [vec![1, 5], vec![6]]
        );
        assert_eq!(topology.picture(&[1, 5], &all), "[../BB][../..]");
        assert_eq!(topology.picture(&[2], &[2, 3]), "[~~/~~][B~/.~]");
    }

    #[test]
    fn packages_whose_numbers_alternate() {
        let cpus: Vec<[usize; 4]> = (0..4).map(|c| [c, c, c % 2, c % 2]).collect();
        let machine = machine("alternate", &cpus);
        let topology = Topology::read(&machine.0, &[0, 1, 2, 3]);
        let cores = topology.groups(Object::Core, &[0, 1, 2, 3]);
        assert_eq!(cores.concat(), [0, 2, 1, 3]);
        assert_eq!(topology.picture(&[2], &[0, 1, 2, 3]), "[./B][./.]");
    }

    #[test]
    fn a_machine_that_tells_nothing() {
        let topology = Topology::read(Path::new("/nonexistent"), &[0, 3]);
        assert_eq!(topology.groups(Object::Core, &[0, 3]), [[0], [3]]);
        assert_eq!(topology.groups(Object::Package, &[0, 3]), [[0, 3]]);
        assert_eq!(topology.groups(Object::L3Cache, &[0, 3]).len(), 0);
        assert_eq!(topology.picture(&[3], &[0, 3]), "[./B]");
    }

    #[test]
    fn names_stand_for_their_objects() {
        for (at, (object, names)) in NAMES.iter().enumerate() {
            assert_eq!(*object as usize, at);
            for name in *names {
                assert_eq!(Object::find(name), Some(*object));
            }
            assert_eq!(Object::find(object.name()), Some(*object));
        }
        assert_eq!(Object::find("rack"), None);
    }
}

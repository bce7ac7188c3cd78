//! Which processors each rank runs on, when binding is asked for.
//!
//! Job: place the ranks of a host on its objects in order, and deal them the smaller objects there. Every host does so
//! by its own topology. The default is no binding.

use crate::orders::{Post, Slot};
use crate::request::BindRequest;
use crate::topology::{Object, Topology};

/// A set of processor numbers for each rank (`None`: not bound), and what is worth saying of them.
pub struct Binding {
    pub ranks: Vec<Option<Vec<usize>>>,
    pub notes: Vec<String>,
}

/// Deals the processors of `allowed` to the ranks of a host.
pub fn deal(
    request: &BindRequest,
    posts: &[Post],
    allowed: &[usize],
    topology: &Topology,
) -> Binding {
    let mut notes = Vec::new();
    let listed = request.cpus.as_deref().unwrap_or(allowed);
    let mut usable: Vec<usize> = listed
        .iter()
        .copied()
        .filter(|c| allowed.contains(c))
        .collect();
    let mut limited = request.cpus.is_some();
    if usable.is_empty() {
        if limited {
            notes.push(
                "none of the processors of --cpu-set may be used here; ranks are not bound to them"
                    .into(),
            );
        }
        limited = false;
        usable = allowed.to_vec();
    }
    let count = posts.len();
    let mut ranks: Vec<Option<Vec<usize>>> = if !request.lists.is_empty() {
        let lists = request.lists.iter().cycle().take(count);
        let known = |list: &Vec<usize>| list.clone().into_iter().filter(|c| usable.contains(c));
        let sets = lists.map(|list| known(list).collect::<Vec<usize>>());
        sets.map(|set| Some(set).filter(|s| !s.is_empty()))
            .collect()
    } else if request.one_by_one {
        let each = usable.iter().cycle().take(count);
        each.map(|&cpu| Some(vec![cpu])).collect()
    } else if let Some(to) = request.to {
        let places = places(request, to, count, &usable, topology, &mut notes);
        // Several ranks belong on one package, but two on one core is worth a word.
        let mut different: Vec<&Vec<usize>> = places.iter().flatten().collect();
        different.sort_unstable();
        different.dedup();
        if matches!(to, Object::Core | Object::Thread) && different.len() < count {
            notes.push(format!(
                "{count} ranks share {} places of {} {}(s)",
                different.len(),
                request.width,
                to.name()
            ));
        }
        places
    } else {
        vec![limited.then(|| usable.clone()); count]
    };
    for (post, cpus) in posts.iter().zip(&mut ranks) {
        match &post.slot {
            None => {}
            Some(Slot::Cpus(list)) => *cpus = Some(list.clone()),
            Some(Slot::Cores(package, cores)) => {
                *cpus = find_cores(*package, cores, allowed, topology);
                if cpus.is_none() {
                    notes.push(format!(
                        "rank {} is not bound: package {package} or a core of it that the rank file names is not here",
                        post.rank
                    ));
                }
            }
        }
    }
    Binding { ranks, notes }
}

/// Where each of `count` ranks belongs, if ranks are bound to `to`.
fn places(
    request: &BindRequest,
    to: Object,
    count: usize,
    usable: &[usize],
    topology: &Topology,
    notes: &mut Vec<String>,
) -> Vec<Option<Vec<usize>>> {
    let all = topology.groups(to, usable);
    if all.is_empty() {
        notes.push(format!(
            "this machine does not tell which processors share a {}; ranks are not bound",
            to.name()
        ));
        return vec![None; count];
    }
    let wide = |groups: Vec<Vec<usize>>| -> Vec<Vec<usize>> {
        let width = request.width.clamp(1, groups.len().max(1));
        groups.chunks_exact(width).map(<[_]>::concat).collect()
    };
    let Some(map) = request.map.filter(|&map| map != to) else {
        let places = wide(all);
        let at = |n: usize| match request.per_object {
            Some(per) => n / per.max(1),
            None => n,
        };
        return (0..count)
            .map(|n| Some(places[at(n) % places.len()].clone()))
            .collect();
    };
    let objects = match topology.groups(map, usable) {
        found if found.is_empty() => {
            notes.push(format!(
                "this machine does not tell which processors share a {}; ranks are dealt to the whole of it",
                map.name()
            ));
            vec![usable.to_vec()]
        }
        found => found,
    };
    // What can be dealt on each object; where ranks are bound to something larger, the one that it is in.
    let inside: Vec<Vec<Vec<usize>>> = objects
        .iter()
        .map(|object| match to < map {
            true => all
                .iter()
                .filter(|of| of.contains(&object[0]))
                .cloned()
                .collect(),
            false => wide(topology.groups(to, object)),
        })
        .collect();
    let mut taken = vec![0; objects.len()];
    (0..count)
        .map(|n| {
            let object = request.per_object.map_or(n, |per| n / per.max(1)) % objects.len();
            taken[object] += 1;
            let places = &inside[object];
            places
                .get((taken[object] - 1) % places.len().max(1))
                .cloned()
        })
        .collect()
}

/// The processors of cores, by the numbers of their package and within it.
fn find_cores(
    package: usize,
    cores: &[usize],
    allowed: &[usize],
    topology: &Topology,
) -> Option<Vec<usize>> {
    let packages = topology.groups(Object::Package, allowed);
    let all = topology.groups(Object::Core, packages.get(package)?);
    match cores {
        [] => Some(all.concat()),
        cores => {
            let found: Option<Vec<Vec<usize>>> =
                cores.iter().map(|&core| all.get(core).cloned()).collect();
            Some(found?.concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::invented::usual;

    fn dealt(request: &BindRequest, count: usize, allowed: &[usize]) -> Binding {
        let name = format!("bind-{:?}", std::thread::current().id());
        let machine = usual(&name);
        let posts: Vec<Post> = (0..count)
            .map(|rank| Post {
                rank,
                program: 0,
                slot: None,
            })
            .collect();
        deal(
            request,
            &posts,
            allowed,
            &Topology::read(&machine.0, allowed),
        )
    }

    fn request(to: Object, width: usize) -> BindRequest {
        BindRequest {
            to: Some(to),
            width,
            ..BindRequest::default()
        }
    }

    const ALL: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7];

    fn sets(binding: Binding) -> Vec<Vec<usize>> {
        binding
            .ranks
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect()
    }

    #[test]
    fn objects_are_dealt_in_order() {
        let of = |to, width, count| dealt(&request(to, width), count, ALL);
        let cores = of(Object::Core, 1, 5);
        assert_eq!(cores.notes, ["5 ranks share 4 places of 1 core(s)"]);
        assert_eq!(sets(cores), [[0, 4], [1, 5], [2, 6], [3, 7], [0, 4]]);
        assert_eq!(sets(of(Object::Core, 2, 2)), [[0, 4, 1, 5], [2, 6, 3, 7]]);
        assert_eq!(
            sets(of(Object::Package, 1, 3))[1..],
            [[2, 6, 3, 7], [0, 4, 1, 5]]
        );
        assert_eq!(sets(of(Object::L3Cache, 1, 1)), [[0, 4, 1, 5]]);
        assert_eq!(sets(of(Object::Thread, 1, 2)), [[0], [4]]);
        assert_eq!(sets(of(Object::Machine, 1, 1))[0].len(), 8);
        // More than there are.
        assert_eq!(sets(of(Object::Core, 9, 1))[0].len(), 8);
    }

    #[test]
    fn ranks_are_placed_before_they_are_bound() {
        let of = |map, to, per_object, count| {
            let request = BindRequest {
                map: Some(map),
                per_object,
                ..request(to, 1)
            };
            dealt(&request, count, ALL)
        };
        let spread = of(Object::Package, Object::Core, None, 4);
        assert_eq!(spread.notes, [""; 0]);
        assert_eq!(sets(spread), [[0, 4], [2, 6], [1, 5], [3, 7]]);
        let blocks = of(Object::Package, Object::Core, Some(2), 4);
        assert_eq!(sets(blocks), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        let up = of(Object::Core, Object::Package, None, 3);
        assert_eq!(sets(up), [[0, 4, 1, 5], [0, 4, 1, 5], [2, 6, 3, 7]]);
        let same = of(Object::Package, Object::Package, Some(2), 4);
        assert_eq!(sets(same)[1..3], [[0, 4, 1, 5], [2, 6, 3, 7]]);
        let full = of(Object::Package, Object::Core, Some(3), 6);
        assert_eq!(full.notes.len(), 1);
        assert_eq!(sets(full)[2], [0, 4]);
        let threads = of(Object::Numa, Object::Thread, None, 4);
        assert_eq!(sets(threads), [[0], [2], [4], [6]]);
    }

    #[test]
    fn limits_are_respected() {
        let bound = dealt(&request(Object::Core, 1), 2, &[2, 6, 3]);
        assert_eq!(sets(bound), [vec![2, 6], vec![3]]);
        let set = BindRequest {
            cpus: Some(vec![1, 2, 9]),
            ..BindRequest::default()
        };
        assert_eq!(sets(dealt(&set, 1, &[0, 1, 2])), [[1, 2]]);
        let none = dealt(&set, 1, &[5]);
        assert_eq!((none.ranks, none.notes.len()), (vec![None], 1));
    }

    #[test]
    fn processors_that_are_named() {
        let lists = BindRequest {
            lists: vec![vec![0, 2], vec![5, 99]],
            ..BindRequest::default()
        };
        assert_eq!(
            sets(dealt(&lists, 3, ALL)),
            [vec![0, 2], vec![5], vec![0, 2]]
        );
        let each = BindRequest {
            one_by_one: true,
            cpus: Some(vec![3, 6]),
            ..BindRequest::default()
        };
        assert_eq!(sets(dealt(&each, 3, ALL)), [[3], [6], [3]]);
        let machine = usual("bind-slots");
        let slots = [
            Slot::Cpus(vec![7]),
            Slot::Cores(1, vec![0]),
            Slot::Cores(0, vec![]),
            Slot::Cores(2, vec![0]),
        ];
        let posts: Vec<Post> = slots
            .into_iter()
            .enumerate()
            .map(|(rank, slot)| Post {
                rank,
                program: 0,
                slot: Some(slot),
            })
            .collect();
        let request = BindRequest::default();
        let bound = deal(&request, &posts, ALL, &Topology::read(&machine.0, ALL));
        assert!(
            bound.notes[0].contains("rank 3 is not bound: package 2"),
            "{:?}",
            bound.notes
        );
        assert_eq!(sets(bound), [vec![7], vec![2, 6], vec![0, 4, 1, 5], vec![]]);
    }

    #[test]
    fn a_machine_without_such_objects() {
        let topology = Topology::read(std::path::Path::new("/nonexistent"), &[0, 1]);
        let posts = [Post {
            rank: 0,
            program: 0,
            slot: None,
        }];
        let bound = deal(&request(Object::L3Cache, 1), &posts, &[0, 1], &topology);
        assert_eq!(bound.ranks, [None]);
        assert!(bound.notes[0].contains("share a l3cache"));
    }
}

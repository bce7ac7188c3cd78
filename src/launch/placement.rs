//! Which rank runs on which host.
//!
//! Job: from the list of hosts and the options of placement to a host for each rank. Pure. Ranks fill the slots of
//! one host after the other; where there are more ranks than slots, every host takes more in proportion.

use crate::hosts::{Host, is_local};

/// A host of the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub name: String,
    pub user: Option<String>,
    /// It is this machine: nobody is needed to get there.
    pub local: bool,
    pub slots: usize,
    /// Ranks it takes at most.
    pub most: Option<usize>,
}

/// How ranks are dealt to hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub per_node: Option<usize>,
    /// One rank to each host in turn.
    pub by_node: bool,
    /// Not more ranks than slots.
    pub limit: bool,
}

/// The hosts of a list, each once: names that are repeated add their slots. All names of this machine, which calls
/// itself `own`, are one host. `default`: slots of a host for which the list says nothing.
pub fn sites(hosts: &[Host], own: &str, default: usize) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    for host in hosts {
        let local = is_local(&host.name, own);
        let slots = host.slots.unwrap_or(default);
        let same = |s: &&mut Site| match (s.local, local) {
            (false, false) => s.name.eq_ignore_ascii_case(&host.name),
            (a, b) => a && b,
        };
        match sites.iter_mut().find(same) {
            Some(site) => {
                site.slots += slots;
                site.most = site.most.zip(host.most).map(|(a, b)| a + b);
                site.user = site.user.take().or(host.user.clone());
            }
            None => sites.push(Site {
                name: if local { own } else { &host.name }.to_owned(),
                user: host.user.clone(),
                local,
                slots,
                most: host.most,
            }),
        }
    }
    sites
}

/// The site of a host by one of its names.
pub fn find(sites: &[Site], name: &str, own: &str) -> Option<usize> {
    let local = is_local(name, own);
    sites.iter().position(|site| match local {
        true => site.local,
        false => !site.local && site.name.eq_ignore_ascii_case(name),
    })
}

/// How many ranks a program gets that says no number.
pub fn default_count(sites: &[Site], rules: &Rules) -> usize {
    let slots: usize = sites.iter().map(|s| s.slots).sum();
    let count = rules.per_node.map_or(slots, |n| n * sites.len());
    count.max(1)
}

/// The host of each of `size` ranks.
///
/// # Errors
/// There is not so much room as the rules demand; the text says where.
pub fn deal(size: usize, sites: &[Site], rules: &Rules) -> Result<Vec<usize>, String> {
    let slots: usize = sites.iter().map(|s| s.slots).sum();
    if rules.limit && size > slots {
        return Err(format!(
            "{size} processes are asked for, but there are {slots} slots and --nooversubscribe forbids more"
        ));
    }
    let room: Vec<usize> = sites.iter().map(|s| s.most.unwrap_or(usize::MAX)).collect();
    let all = room.iter().fold(0, |sum: usize, &r| sum.saturating_add(r));
    if size > all {
        return Err(format!(
            "{size} processes are asked for, but max_slots of the hosts allow {all}"
        ));
    }
    let mut counts = vec![0; sites.len()];
    let mut order = Vec::with_capacity(size);
    // In rounds: each host takes a share until all ranks are placed or all are full.
    while order.len() < size {
        let before = order.len();
        for (host, site) in sites.iter().enumerate() {
            let share = match rules.per_node {
                Some(count) => count,
                None => site.slots,
            };
            let share = share.min(size - order.len()).min(room[host] - counts[host]);
            counts[host] += share;
            order.extend(std::iter::repeat_n(host, share));
        }
        if order.len() == before {
            return Err("no host has a slot".into());
        }
    }
    if rules.by_node {
        let mut left = counts;
        order.clear();
        while order.len() < size {
            for (host, left) in left.iter_mut().enumerate().filter(|(_, left)| **left > 0) {
                *left -= 1;
                order.push(host);
            }
        }
    } else if rules.per_node.is_none() {
        // Neighbours are on one host.
        order.sort_unstable();
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts;

    fn dealt(list: &str, size: usize, rules: Rules) -> Result<Vec<usize>, String> {
        let sites = sites(&hosts::list(list).unwrap(), "me", 1);
        deal(size, &sites, &rules)
    }

    #[test]
    fn repeated_names_add() {
        let hosts = hosts::list("a,b:2,A,localhost:3,x@a:2,me").unwrap();
        let sites = sites(&hosts, "me", 1);
        let slots: Vec<(&str, usize, bool)> = sites
            .iter()
            .map(|s| (s.name.as_str(), s.slots, s.local))
            .collect();
        assert_eq!(slots, [("a", 4, false), ("b", 2, false), ("me", 4, true)]);
        assert_eq!(default_count(&sites, &Rules::default()), 10);
    }

    #[test]
    fn slots_are_filled_in_order() {
        let rules = Rules::default();
        assert_eq!(dealt("a:2,b:2", 3, rules).unwrap(), [0, 0, 1]);
        assert_eq!(dealt("a,b,", 4, rules).unwrap(), [0, 0, 1, 1]);
        assert_eq!(dealt("a:2,b:1", 5, rules).unwrap(), [0, 0, 0, 0, 1]);
        let counts = dealt("a,b", 10, rules).unwrap();
        assert_eq!(counts.iter().filter(|&&h| h == 0).count(), 5);
    }

    #[test]
    fn per_node_and_by_node() {
        let per_node = |count| Rules {
            per_node: Some(count),
            ..Rules::default()
        };
        assert_eq!(dealt("a:8,b:8", 4, per_node(2)).unwrap(), [0, 0, 1, 1]);
        assert_eq!(dealt("a,b", 4, per_node(1)).unwrap(), [0, 1, 0, 1]);
        let by_node = Rules {
            by_node: true,
            ..Rules::default()
        };
        assert_eq!(dealt("a:3,b:1", 4, by_node).unwrap(), [0, 1, 0, 0]);
        assert_eq!(dealt("a,b,c", 5, by_node).unwrap(), [0, 1, 2, 0, 1]);
    }

    #[test]
    fn hosts_are_found_by_all_their_names() {
        let sites = sites(&hosts::list("a,localhost").unwrap(), "me", 1);
        for (name, site) in [
            ("A", Some(0)),
            ("127.0.0.1", Some(1)),
            ("me", Some(1)),
            ("b", None),
        ] {
            assert_eq!(find(&sites, name, "me"), site, "{name}");
        }
    }

    #[test]
    fn limits() {
        let limit = Rules {
            limit: true,
            ..Rules::default()
        };
        assert!(dealt("a:2,b", 4, limit).unwrap_err().contains("3 slots"));
        let hosts = hosts::file("a slots=1 max_slots=2\nb slots=1\n").unwrap();
        let both = sites(&hosts, "me", 1);
        assert_eq!(deal(5, &both, &Rules::default()).unwrap(), [0, 0, 1, 1, 1]);
        let one = sites(&hosts[..1], "me", 1);
        let error = deal(3, &one, &Rules::default()).unwrap_err();
        assert!(error.contains("max_slots"), "{error}");
        assert!(dealt("a:0", 1, Rules::default()).is_err());
    }
}

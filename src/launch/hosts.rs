//! Host names: lists, host files, and which of them mean this machine.
//!
//! Job: read `a:2,b`, Hydra's `host:n` and Open MPI's `host slots=n` lines, and Slurm's `n[01-04,7]`. No name is ever looked up in the
//! DNS: a host is this one if it is a loopback name, our own name (short or full) or one of our addresses.

use crate::orders::Slot;
use std::net::{IpAddr, UdpSocket};

/// One entry of a host list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    pub name: String,
    /// Whom to be there, for agents that go there by ssh or the like.
    pub user: Option<String>,
    /// Processes it is to take, if the list says.
    pub slots: Option<usize>,
    /// Processes it takes at most.
    pub most: Option<usize>,
}

/// Parses `a:2,b,user@c,` ; empty elements are ignored.
pub fn list(text: &str) -> Result<Vec<Host>, String> {
    text.split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(host)
        .collect()
}

/// Parses the text of a host file.
pub fn file(text: &str) -> Result<Vec<Host>, String> {
    let mut hosts: Vec<Host> = Vec::new();
    let mut excluded = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at_line = |e: String| format!("line {}: {e}", number + 1);
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        // `+n` names a host of an allocation and adds none.
        if first.starts_with('+') {
            continue;
        }
        if let Some(name) = first.strip_prefix('^') {
            excluded.push(name.to_owned());
            continue;
        }
        let mut entry = host(first.trim_end_matches(',')).map_err(at_line)?;
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                let what = format!("'{word}' behind '{first}' is no key=value");
                return Err(at_line(what));
            };
            let number = || {
                let number = value.trim_end_matches(',').parse();
                number.map_err(|_| at_line(format!("'{word}' is not a number of slots")))
            };
            match key {
                "slots" => entry.slots = Some(number()?),
                "max_slots" | "max-slots" => entry.most = Some(number()?),
                "user" => entry.user = Some(value.to_owned()),
                // `binding=` and the like.
                _ => {}
            }
        }
        hosts.push(entry);
    }
    hosts.retain(|h| {
        !excluded
            .iter()
            .any(|name| name.eq_ignore_ascii_case(&h.name))
    });
    Ok(hosts)
}

fn host(word: &str) -> Result<Host, String> {
    let (user, word) = match word.rsplit_once('@') {
        Some((user, word)) => (Some(user.to_owned()).filter(|u| !u.is_empty()), word),
        None => (None, word),
    };
    // More than one colon: an IPv6 address, in brackets if slots follow.
    let (name, slots) = match word.strip_prefix('[').and_then(|w| w.split_once(']')) {
        Some((name, rest)) => (name, rest.strip_prefix(':')),
        None if word.matches(':').count() == 1 => {
            let (name, slots) = word.split_once(':').unwrap_or((word, ""));
            (name, Some(slots))
        }
        None => (word, None),
    };
    let is_name = |c: char| c.is_alphanumeric() || "-_.:%".contains(c);
    if name.is_empty() || name.starts_with('-') || !name.chars().all(is_name) {
        return Err(format!("'{word}' is no name of a host"));
    }
    let slots = match slots {
        None | Some("*" | "") => None,
        Some(text) => Some(
            text.parse()
                .map_err(|_| format!("'{text}' in '{word}' is not a number of slots"))?,
        ),
    };
    Ok(Host {
        name: name.to_owned(),
        user,
        slots,
        most: None,
    })
}

/// A line of a rank file: where a rank runs, and on which processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankLine {
    pub rank: usize,
    /// Its name, or `+n0` for the first of the job's hosts and so on.
    pub host: String,
    pub slot: Option<Slot>,
}

/// Parses Open MPI's rank files: `rank 0=host slot=0-3` or `slot=1:0-3`, one a line.
pub fn rank_file(text: &str) -> Result<Vec<RankLine>, String> {
    let mut lines: Vec<RankLine> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |what: &str| format!("line {}: '{line}' {what}", number + 1);
        let usual = "is not like 'rank 0=host slot=0-3'";
        let rest = line.strip_prefix("rank").ok_or_else(|| wrong(usual))?;
        let (rank, rest) = rest.split_once('=').ok_or_else(|| wrong(usual))?;
        let rank = rank.trim().parse().map_err(|_| wrong(usual))?;
        let mut words = rest.split_whitespace();
        let name = words.next().ok_or_else(|| wrong(usual))?;
        let host = match by_number(name) {
            Some(_) => name.to_owned(),
            None => host(name).map_err(|e| wrong(&e))?.name,
        };
        let slot = match words.next().map(|word| word.split_once('=')) {
            None => None,
            Some(Some(("slot" | "slots", list))) => Some(slot(list).ok_or_else(|| {
                wrong("names no processors such as 0-3, nor cores of a package such as 1:0-3")
            })?),
            Some(_) => return Err(wrong(usual)),
        };
        if lines.iter().any(|l| l.rank == rank) {
            return Err(wrong("names a rank for the second time"));
        }
        lines.push(RankLine { rank, host, slot });
    }
    lines.sort_by_key(|line| line.rank);
    Ok(lines)
}

/// The place in the list of hosts that `+n3` means.
pub fn by_number(name: &str) -> Option<usize> {
    name.strip_prefix("+n")?.parse().ok()
}

fn slot(text: &str) -> Option<Slot> {
    let list = |text: &str| crate::request::cpu_list("slot", text).ok();
    match text.split_once(':') {
        None => list(text).map(Slot::Cpus),
        Some((package, "*")) => Some(Slot::Cores(package.parse().ok()?, Vec::new())),
        Some((package, cores)) => Some(Slot::Cores(package.parse().ok()?, list(cores)?)),
    }
}

/// Parses Hydra's rank map, the number of a host for each rank: `0,0,1` or, with blocks of first host, hosts and ranks
/// on each, `(0,2,1),1`.
pub fn rank_map(text: &str) -> Result<Vec<usize>, String> {
    let wrong = || format!("'{text}' is not like 0,0,1,1 or (0,2,2)");
    let inner = text
        .strip_prefix("(vector,")
        .and_then(|t| t.strip_suffix(')'));
    let mut rest = inner.unwrap_or(text).trim();
    let mut map = Vec::new();
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    while !rest.is_empty() {
        let end = match rest.strip_prefix('(') {
            Some(block) => {
                let end = block.find(')').ok_or_else(wrong)?;
                let numbers: Result<Vec<usize>, String> =
                    block[..end].split(',').map(number).collect();
                let [first, hosts, ranks] = numbers?[..] else {
                    return Err(wrong());
                };
                if first.max(hosts).max(ranks) > 1 << 20 || hosts * ranks > 1 << 20 {
                    return Err(wrong());
                }
                let blocks = (first..first + hosts).map(|host| std::iter::repeat_n(host, ranks));
                map.extend(blocks.flatten());
                end + 2
            }
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                map.push(number(&rest[..end])?);
                end
            }
        };
        rest = &rest[end..];
        match rest.strip_prefix(',') {
            Some(more) => rest = more,
            None if rest.is_empty() => {}
            None => return Err(wrong()),
        }
    }
    if map.is_empty() {
        return Err(wrong());
    }
    Ok(map)
}

/// Parses Slurm's `n[01-04,7],login`.
pub fn slurm(text: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let bracket = rest.find('[');
        let end = rest.find(',').unwrap_or(rest.len());
        match bracket.filter(|&at| at < end) {
            None => {
                names.push(rest[..end].to_owned());
                rest = rest[end..].trim_start_matches(',');
            }
            Some(open) => {
                let wrong = || format!("'{text}' is no list of nodes of Slurm's");
                let close = rest.find(']').filter(|&at| at > open).ok_or_else(wrong)?;
                let tail = rest[close + 1..].find([',', '[']);
                let tail = tail.map_or(rest.len(), |at| close + 1 + at);
                if rest[tail..].starts_with('[') {
                    return Err(format!(
                        "'{text}': more than one range in a name is not understood"
                    ));
                }
                for part in rest[open + 1..close].split(',') {
                    let (first, last) = part.split_once('-').unwrap_or((part, part));
                    let number = |t: &str| t.parse::<usize>().map_err(|_| wrong());
                    let (from, to) = (number(first)?, number(last)?);
                    if from > to || to - from > 1 << 16 {
                        return Err(wrong());
                    }
                    let width = first.len();
                    let name = |n: usize| {
                        format!("{}{n:0width$}{}", &rest[..open], &rest[close + 1..tail])
                    };
                    names.extend((from..=to).map(name));
                }
                rest = rest[tail..].trim_start_matches(',');
            }
        }
    }
    Ok(names)
}

/// Parses Slurm's `2(x3),1`, a number for each node.
pub fn slurm_counts(text: &str) -> Option<Vec<usize>> {
    let mut counts = Vec::new();
    for part in text.trim().split(',') {
        let (count, times) = match part.split_once("(x") {
            Some((count, times)) => (count, times.strip_suffix(')')?.parse().ok()?),
            None => (part, 1),
        };
        if times > 1 << 16 {
            return None;
        }
        let count: usize = count.parse().ok()?;
        counts.extend(std::iter::repeat_n(count, times));
    }
    Some(counts)
}

/// Whether `name` is this machine, which calls itself `own`.
pub fn is_local(name: &str, own: &str) -> bool {
    if name.eq_ignore_ascii_case("localhost") || name.eq_ignore_ascii_case("localhost.localdomain")
    {
        return true;
    }
    if let Ok(address) = name.parse::<IpAddr>() {
        // Only an address of this machine can be bound.
        return address.is_loopback() || UdpSocket::bind((address, 0)).is_ok();
    }
    let short = |full: &str| full.split('.').next().unwrap_or(full).to_ascii_lowercase();
    name.eq_ignore_ascii_case(own)
        || (short(name) == short(own) && !(name.contains('.') && own.contains('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn h(name: &str, slots: Option<usize>) -> Host {
        Host {
            name: name.into(),
            slots,
            ..Host::default()
        }
    }

    #[test]
    fn lists() {
        let mine = Host {
            user: Some("me".into()),
            ..h("c", Some(3))
        };
        let listed = list("a:2,b,,me@c:3,").unwrap();
        assert_eq!(listed, [h("a", Some(2)), h("b", None), mine]);
        assert_eq!(
            list("::1,[::1]:4").unwrap(),
            [h("::1", None), h("::1", Some(4))]
        );
        assert!(list("a:x").unwrap_err().contains("'x'"));
        for bad in ["-oProxyCommand=x", "a b", "$(id)", "a;b", ":4"] {
            assert!(list(bad).unwrap_err().contains("no name"), "{bad}");
        }
    }

    #[test]
    fn files_of_both_families() {
        let text = "# comment\r\na slots=4 max_slots=8\r\nb:2,\n\nc max_slots=3 # tail\nd:9\n^d\nuser@e user=x\n";
        let expected = [
            Host {
                most: Some(8),
                ..h("a", Some(4))
            },
            h("b", Some(2)),
            Host {
                most: Some(3),
                ..h("c", None)
            },
            Host {
                user: Some("x".into()),
                ..h("e", None)
            },
        ];
        assert_eq!(file(text).unwrap(), expected);
        assert!(file("a b c").unwrap_err().contains("'b'"));
        assert!(file("\0\u{1}garbage").is_err());
        assert!(file("a slots=q").unwrap_err().starts_with("line 1"));
    }

    #[test]
    fn local_names() {
        for name in [
            "localhost",
            "127.0.0.1",
            "127.9.9.9",
            "::1",
            "node7",
            "NODE7",
            "node7.cluster.org",
        ] {
            assert!(is_local(name, "node7"), "{name}");
        }
        assert!(is_local("node7", "node7.cluster.org"));
        for name in ["node70", "node8", "203.0.113.7", ""] {
            assert!(!is_local(name, "node7"), "{name}");
        }
        assert!(!is_local("node7.a", "node7.b"));
    }

    #[test]
    fn lists_of_slurm() {
        let names = slurm("login,n[01-03,7]-ib,m8").unwrap();
        assert_eq!(
            names,
            ["login", "n01-ib", "n02-ib", "n03-ib", "n7-ib", "m8"]
        );
        for bad in ["n[1", "n[a-b]", "n[3-1]", "n[1-2][3-4]", "n[0-99999999]"] {
            assert!(slurm(bad).is_err(), "{bad}");
        }
        assert_eq!(slurm_counts("2(x3),1"), Some(vec![2, 2, 2, 1]));
        assert_eq!(slurm_counts("2(y)"), None);
    }

    #[test]
    fn rank_files() {
        let text =
            "# where\nrank 1=nodeb slot=0-1,3\r\nrank 0 = nodea\n\nrank 2=me@nodea slots=7\n";
        let line = |rank, host: &str, cpus: Option<&[usize]>| RankLine {
            rank,
            host: host.into(),
            slot: cpus.map(|cpus| Slot::Cpus(cpus.to_vec())),
        };
        let expected = [
            line(0, "nodea", None),
            line(1, "nodeb", Some(&[0, 1, 3])),
            line(2, "nodea", Some(&[7])),
        ];
        assert_eq!(rank_file(text).unwrap(), expected);
        let lines = rank_file("rank 0=+n1 slot=1:0-1\nrank 1=b slot=0:*").unwrap();
        assert_eq!(by_number(&lines[0].host), Some(1));
        assert_eq!(lines[0].slot, Some(Slot::Cores(1, vec![0, 1])));
        assert_eq!(lines[1].slot, Some(Slot::Cores(0, vec![])));
        for (text, what) in [
            ("rank 0=a\nrank 0=b", "second time"),
            ("rank 0=+x1", "no name of a host"),
            ("rank 0=a slot=0:", "processors"),
            ("rank 0=a slot=x", "processors"),
            ("rank x=a", "is not like"),
            ("0 a", "line 1"),
        ] {
            let error = rank_file(text).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn rank_maps() {
        for (text, map) in [
            ("0,0,1", vec![0, 0, 1]),
            ("(1,2,2)", vec![1, 1, 2, 2]),
            ("(vector,(0,2,1),0)", vec![0, 1, 0]),
            ("2,(0,1,2),", vec![2, 0, 0]),
        ] {
            assert_eq!(rank_map(text).unwrap(), map, "{text}");
        }
        for bad in [
            "",
            "f",
            "(0,1)",
            "(0,1,1",
            "0;1",
            "(0,99999999,99999999)",
            "(1,2,2)3",
        ] {
            assert!(rank_map(bad).is_err(), "{bad}");
        }
    }
}

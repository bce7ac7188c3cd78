//! Host names: lists, host files, and which of them mean this machine.
//!
//! Job: read `a:2,b`, Hydra's `host:n` and Open MPI's `host slots=n` lines. No name is ever looked up in the
//! DNS: a host is this one if it is a loopback name, our own name (short or full) or one of our addresses.

use std::net::{IpAddr, UdpSocket};

/// One entry of a host list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    pub name: String,
    /// Processes it may take, if the list says.
    pub slots: Option<usize>,
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
    let mut hosts = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        // `^host` excludes and `+n` names a host of an allocation: neither adds a host.
        if first.starts_with(['^', '+']) {
            continue;
        }
        let mut entry = host(first).map_err(|e| format!("line {}: {e}", number + 1))?;
        for word in words {
            if let Some((key, value)) = word.split_once('=')
                && matches!(key, "slots" | "max_slots" | "max-slots")
            {
                let slots: usize = value.parse().map_err(|_| {
                    format!("line {}: '{word}' is not a number of slots", number + 1)
                })?;
                if key == "slots" || entry.slots.is_none() {
                    entry.slots = Some(slots);
                }
            }
        }
        hosts.push(entry);
    }
    Ok(hosts)
}

fn host(word: &str) -> Result<Host, String> {
    let word = word.rsplit('@').next().unwrap_or(word);
    // More than one colon: an IPv6 address, in brackets if slots follow.
    let (name, slots) = match word.strip_prefix('[').and_then(|w| w.split_once(']')) {
        Some((name, rest)) => (name, rest.strip_prefix(':')),
        None if word.matches(':').count() == 1 => {
            let (name, slots) = word.split_once(':').unwrap_or((word, ""));
            (name, Some(slots))
        }
        None => (word, None),
    };
    let slots = match slots {
        None | Some("*" | "") => None,
        Some(text) => Some(
            text.parse()
                .map_err(|_| format!("'{text}' in '{word}' is not a number of slots"))?,
        ),
    };
    Ok(Host {
        name: name.to_owned(),
        slots,
    })
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
        }
    }

    #[test]
    fn lists() {
        assert_eq!(
            list("a:2,b,,me@c:3,").unwrap(),
            [h("a", Some(2)), h("b", None), h("c", Some(3))]
        );
        assert_eq!(
            list("::1,[::1]:4").unwrap(),
            [h("::1", None), h("::1", Some(4))]
        );
        assert!(list("a:x").unwrap_err().contains("'x'"));
    }

    #[test]
    fn files_of_both_families() {
        let text = "# comment\r\na slots=4 max_slots=8\r\nb:2\n\nc max_slots=3 # tail\n^d\nuser@e user=x\n";
        assert_eq!(
            file(text).unwrap(),
            [
                h("a", Some(4)),
                h("b", Some(2)),
                h("c", Some(3)),
                h("e", None)
            ]
        );
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
}

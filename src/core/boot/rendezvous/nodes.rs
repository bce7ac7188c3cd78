//! Slurm's lists of nodes and of ports, with their ranges in brackets. Pure text.

/// Most names in a list.
const MAX_NODES: usize = 1 << 17;
/// Most digits of a number, with its zeros.
const DIGITS: usize = 20;

/// The nodes of a list such as `a,n[01-03,7]-ib,r[1-2]n[8-9]`, in its order.
///
/// # Errors
/// What does not fit, in the list's own words.
pub fn nodes(list: &str) -> Result<Vec<String>, String> {
    let wrong = || format!("'{list}' is not a list of nodes");
    let mut all = Vec::new();
    for word in outside_brackets(list).ok_or_else(wrong)? {
        let mut names = vec![String::new()];
        let mut rest = word;
        while let Some((before, after)) = rest.split_once('[') {
            let (ranges, after) = after.split_once(']').ok_or_else(wrong)?;
            let numbers = expanded(ranges).ok_or_else(wrong)?;
            if names.len() * numbers.len() > MAX_NODES {
                return Err(wrong());
            }
            let each = |name: &String| -> Vec<String> {
                let with = |number| format!("{name}{before}{number}");
                numbers.iter().map(with).collect()
            };
            names = names.iter().flat_map(each).collect();
            rest = after;
        }
        if rest.contains(']') || word.is_empty() {
            return Err(wrong());
        }
        all.extend(names.into_iter().map(|name| name + rest));
        if all.len() > MAX_NODES {
            return Err(wrong());
        }
    }
    Ok(all)
}

/// The ports of a list such as `12000-12015,13000`, at most so many.
///
/// # Errors
/// What does not fit, in the list's own words.
pub fn ports(list: &str, most: usize) -> Result<Vec<u16>, String> {
    let wrong = || format!("'{list}' is not a list of ports");
    let inner = list.trim().trim_start_matches('[').trim_end_matches(']');
    let numbers = expanded(inner).ok_or_else(wrong)?;
    let ports = numbers.iter().take(most).map(|port| match port.parse() {
        Ok(0) | Err(_) => Err(wrong()),
        Ok(port) => Ok(port),
    });
    ports.collect()
}

/// Splits at the commas that stand in no brackets; `None`: brackets that do not close.
fn outside_brackets(list: &str) -> Option<Vec<&str>> {
    let (mut words, mut start, mut inside) = (Vec::new(), 0, false);
    for (at, letter) in list.char_indices() {
        match letter {
            '[' if inside => return None,
            '[' => inside = true,
            ']' => inside = false,
            ',' if !inside => {
                words.push(&list[start..at]);
                start = at + 1;
            }
            _ => (),
        }
    }
    words.push(&list[start..]);
    (!inside).then_some(words)
}

/// The numbers of `01-03,7`, as wide as they are written.
fn expanded(ranges: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for range in ranges.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(first) || !digits(last) || first.len() > DIGITS {
            return None;
        }
        let (low, high): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        let count = usize::try_from(high.checked_sub(low)?).ok()?;
        if all.len() + count > MAX_NODES {
            return None;
        }
        let width = first.len();
        all.extend((low..=high).map(|number| format!("{number:0width$}")));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_nodes_as_slurm_writes_them() {
        for (list, expected) in [
            ("na", "na"),
            ("na,nb", "na nb"),
            ("n[01-04,7]", "n01 n02 n03 n04 n7"),
            ("n[8-11]", "n8 n9 n10 n11"),
            ("n[098-101]", "n098 n099 n100 n101"),
            ("n[1,3],login,gpu[2-3]-ib0", "n1 n3 login gpu2-ib0 gpu3-ib0"),
            ("r[1-2]n[08-09]", "r1n08 r1n09 r2n08 r2n09"),
            ("host.example.org", "host.example.org"),
            ("cn-[0001-0002].cluster", "cn-0001.cluster cn-0002.cluster"),
        ] {
            assert_eq!(nodes(list).unwrap().join(" "), expected, "{list}");
        }
        for broken in [
            "",
            "a,,b",
            "n[1-2",
            "n1]",
            "n[]",
            "n[1-]",
            "n[2-1]",
            "n[a-b]",
            "n[[1]]",
            "n[1-99999999999999999999]",
            "n[0-4000000000]",
            "n[0-99999]m[0-99999]",
            "n[000000000000000000001-2]",
        ] {
            let error = nodes(broken).unwrap_err();
            assert!(error.contains(&format!("'{broken}'")), "{error}");
        }
    }

    #[test]
    fn lists_of_ports() {
        assert_eq!(ports("12000-12002", 9).unwrap(), [12000, 12001, 12002]);
        assert_eq!(ports("[12000-12001,9]", 9).unwrap(), [12000, 12001, 9]);
        assert_eq!(ports("12000-12015", 2).unwrap(), [12000, 12001]);
        for broken in ["", "x", "0", "70000", "5-4"] {
            assert!(ports(broken, 9).is_err(), "{broken}");
        }
    }

    use crate::garbage_tests::{cases, within};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(cases(400))]
        #[test]
        fn any_text_is_a_list_or_none(list in r"([a-z]|[0-9]|[-,\[\]]|\[[0-9]{1,3}-[0-9]{1,3}\]|.){0,40}") {
            within(1 << 28, || {
                let count = nodes(&list).map_or(0, |names| names.len());
                assert!(count <= MAX_NODES);
                let count = ports(&list, 16).map_or(0, |ports| ports.len());
                assert!(count <= 16);
            });
        }
    }
}

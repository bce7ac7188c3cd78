//! The options that place the ranks of a host on its processors.
//!
//! Job: `--map-by`, `--bind-to` and lists of processors, in the words of both families. Which processors a host has is
//! not known here.

use super::{Request, parsed, positive, rank_file, usage};
use crate::options::UsageError;
use crate::topology::Object;

/// How the ranks of a host are placed on its processors and bound to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BindRequest {
    /// `None` is the default, no binding.
    pub to: Option<Object>,
    /// How many of these objects each rank gets.
    pub width: usize,
    /// The objects that ranks are dealt to before they are bound.
    pub map: Option<Object>,
    /// Ranks on each of these, before the next one gets any.
    pub per_object: Option<usize>,
    /// Processors the job is limited to.
    pub cpus: Option<Vec<usize>>,
    /// The processors of the first rank of the host, of the second one, and so on.
    pub lists: Vec<Vec<usize>>,
    /// Each rank gets one processor, in the order of their numbers.
    pub one_by_one: bool,
    pub report: bool,
}

impl BindRequest {
    /// Whether the topology of the host matters.
    pub fn is_asked_for(&self) -> bool {
        self.to.is_some()
    }
}

impl Request {
    /// `slot`, `node`, an object within a host, `ppr:N:object`, each with `:qualifier,qualifier`.
    pub(super) fn map_by(&mut self, name: &str, text: &str) -> Result<(), UsageError> {
        let lower = text.to_ascii_lowercase();
        let mut parts = lower.split(':').peekable();
        let mut not_done = Vec::new();
        match parts.peek().copied().unwrap_or_default() {
            "ppr" => {
                parts.next();
                let count = positive(name, parts.next().unwrap_or_default())?;
                match parts.next().map(|object| (object, Object::find(object))) {
                    Some(("node", _)) => self.per_node = Some(count),
                    Some((_, Some(object))) => {
                        self.bind.map = Some(object);
                        self.bind.per_object = Some(count);
                    }
                    Some((object, None)) => not_done.push(format!("ppr:{count}:{object}")),
                    None => return usage(format!("option '{name}': '{text}' is not ppr:N:object")),
                }
            }
            // A list of processors is where it is, also before all qualifiers.
            list if list.starts_with("pe-list=") => {}
            directive => {
                parts.next();
                match (directive, Object::find(directive)) {
                    ("node", _) => self.by_node = true,
                    ("seq", _) => self.in_sequence = true,
                    // The file of a rank file is one of the qualifiers.
                    ("" | "slot" | "rankfile" | "board" | "machine", _) => {}
                    (_, Some(object)) => self.bind.map = Some(object),
                    (other, None) => not_done.push(other.to_owned()),
                }
            }
        }
        for part in parts {
            if let Some(list) = part.strip_prefix("pe-list=") {
                self.bind.cpus = Some(cpu_list(name, list)?);
                continue;
            }
            for qualifier in part.split(',') {
                if let Some(width) = qualifier.strip_prefix("pe=") {
                    self.bind.width = positive(name, width)?;
                    self.implied = true;
                    continue;
                }
                if qualifier.starts_with("file=") {
                    // As it is written: names of files have capital letters.
                    let at = lower.find("file=").unwrap_or(0) + 5;
                    let file = text[at..].split([':', ',']).next().unwrap_or_default();
                    self.rank_file = Some(rank_file(name, file)?);
                    continue;
                }
                match qualifier {
                    "nooversubscribe" => self.limit_slots = true,
                    "nolocal" => self.no_local = true,
                    "hwtcpus" => self.threads = true,
                    "corecpus" => self.threads = false,
                    "ordered" => self.bind.one_by_one = true,
                    "" | "oversubscribe" | "span" | "inherit" | "noinherit" => {}
                    other => not_done.push(other.to_owned()),
                }
            }
        }
        for word in not_done {
            self.warnings.push(format!(
                "option '{name}': '{word}' is not done; ranks follow the order of the command line"
            ));
        }
        Ok(())
    }
}

/// The objects a rank can be bound to, under all the names in use; or processors by their numbers.
pub(super) fn bind_to(bind: &mut BindRequest, name: &str, text: &str) -> Result<(), UsageError> {
    let lower = text.to_ascii_lowercase();
    let (first, mut rest) = lower.split_once(':').unwrap_or((&lower, ""));
    bind.to = None;
    bind.lists.clear();
    bind.one_by_one = false;
    match first {
        "none" | "no" | "false" | "off" | "board" | "machine" | "node" => {}
        "rr" => bind.one_by_one = true,
        "user" => {
            let list = |text: &str| cpu_list(name, &text.replace('+', ","));
            bind.lists = rest.split(',').map(list).collect::<Result<_, _>>()?;
            rest = "";
        }
        // Which these are another option says; without `:ordered` all ranks are bound to all of them.
        "cpu-list" | "cpulist" => {}
        "bunch" | "scatter" => bind.to = Some(Object::Core),
        object if Object::find(object).is_some() => bind.to = Object::find(object),
        _ => {
            let device = ["pci", "gpu", "ib", "en", "eth", "hfi", "hsn"];
            let name_of = first.trim_end_matches(|c: char| c.is_ascii_digit());
            let hint = match device.contains(&name_of) {
                true => "; what is near a device can be named by numbers: user:0,1 or --cpu-set",
                false => "",
            };
            return usage(format!(
                "option '{name}': '{text}' is none of none, core, hwthread, package, numa, l1cache, l2cache, l3cache, \
                 rr, user:LISTS{hint}"
            ));
        }
    }
    for qualifier in rest.split([':', ',']).filter(|q| !q.is_empty()) {
        match qualifier {
            "ordered" => bind.one_by_one = true,
            "report" => bind.report = true,
            "overload-allowed" | "no-overload" | "if-supported" => {}
            _ if qualifier.starts_with("limit=") => {}
            width => bind.width = positive(name, width)?,
        }
    }
    Ok(())
}

/// `0,2-5` as processor numbers.
pub fn cpu_list(name: &str, text: &str) -> Result<Vec<usize>, UsageError> {
    let mut cpus = Vec::new();
    for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let what = "processor numbers such as 0,2-5";
        let (first, last): (usize, usize) = (parsed(name, first, what)?, parsed(name, last, what)?);
        if first > last || last >= 1 << 16 {
            return usage(format!("option '{name}' needs {what}, not '{text}'"));
        }
        cpus.extend(first..=last);
    }
    if cpus.is_empty() {
        return usage(format!("option '{name}' names no processor"));
    }
    cpus.sort_unstable();
    cpus.dedup();
    Ok(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::tests::job;

    #[test]
    fn binding_and_mapping() {
        let r = job("--map-by ppr:2:node:pe=3 --report-bindings a");
        assert_eq!(r.per_node, Some(2));
        assert_eq!((r.bind.to, r.bind.width), (Some(Object::Core), 3));
        assert_eq!(job("-bind-to core:2 a").bind.width, 2);
        assert_eq!(job("-bind-to none a").bind.to, None);
        assert_eq!(job("--tree-width 0 a").launch.width, usize::MAX);
        assert_eq!(job("--cpu-set 0,2-4 a").bind.cpus, Some(vec![0, 2, 3, 4]));
        let bind = |line: &str| job(line).bind;
        for (line, map, per_object) in [
            ("--map-by socket a", Object::Package, None),
            ("-map-by ppr:2:NUMA a", Object::Numa, Some(2)),
            ("--npersocket 3 a", Object::Package, Some(3)),
            ("--persocket a", Object::Package, Some(1)),
            ("--npernuma 2 a", Object::Numa, Some(2)),
            ("--ppr 2:l3cache a", Object::L3Cache, Some(2)),
            ("--bysocket a", Object::Package, None),
            ("-map-by hwthread -bind-to core a", Object::Thread, None),
        ] {
            let bind = bind(line);
            assert_eq!(
                (bind.map, bind.per_object),
                (Some(map), per_object),
                "{line}"
            );
        }
        for (line, to, width) in [
            ("-bind-to hwthread:2 a", Some(Object::Thread), 2),
            ("-binding numa a", Some(Object::Numa), 1),
            ("--bind-to-socket a", Some(Object::Package), 1),
            ("--bind-to-core a", Some(Object::Core), 1),
            (
                "--bind-to l2cache:overload-allowed a",
                Some(Object::L2Cache),
                1,
            ),
            ("--map-by slot:PE=2:HWTCPUS a", Some(Object::Thread), 2),
            (
                "--use-hwthread-cpus --cpus-per-proc 2 a",
                Some(Object::Thread),
                2,
            ),
            (
                "--map-by socket:PE=2 --bind-to core a",
                Some(Object::Core),
                2,
            ),
        ] {
            let bind = bind(line);
            assert_eq!((bind.to, bind.width), (to, width), "{line}");
        }
        let user = bind("-bind-to user:0+2,1+4,3,2-3 a");
        assert_eq!(user.lists, [vec![0, 2], vec![1, 4], vec![3], vec![2, 3]]);
        assert!(bind("-bind-to rr a").one_by_one);
        let listed = bind("--map-by pe-list=4,6:ordered a");
        assert_eq!((listed.cpus, listed.one_by_one), (Some(vec![4, 6]), true));
        let ordered = bind("--cpu-list 1,3 --bind-to cpu-list:ordered a");
        assert_eq!((ordered.cpus, ordered.one_by_one), (Some(vec![1, 3]), true));
        let r = job("--display map,bind --rank-by node -rankmap (0,2,1) -order-nodes DESCENDING a");
        assert!(r.display_map && r.bind.report && r.by_node);
        assert_eq!((r.rank_map, r.most_first), (Some(vec![0, 1]), Some(true)));
        assert_eq!(job("-output-from 1 a").output.only, Some(1));
    }
}

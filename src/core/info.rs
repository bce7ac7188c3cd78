//! Info objects: ordered (key, value) strings (MPI-5.0, chapter 10).
//!
//! Keys are case-sensitive and keep the order in which they were first set. The lengths allowed are
//! those of the standard's ABI; what a caller's shorter buffer cannot hold is cut where it is handed out.

use std::cell::RefCell;

use crate::error::Result;
use crate::fail;

/// `MPI_MAX_INFO_KEY` of MPI-5.0, the final NUL included.
pub const MAX_KEY: usize = 256;
/// `MPI_MAX_INFO_VAL` of MPI-5.0, the final NUL included.
pub const MAX_VALUE: usize = 1024;

/// The object behind an `MPI_Info`.
#[derive(Debug, Default)]
pub struct Pairs {
    list: RefCell<Vec<(String, String)>>,
}

impl Clone for Pairs {
    fn clone(&self) -> Self {
        Pairs {
            list: self.list.clone(),
        }
    }
}

/// # Errors
/// `MPI_ERR_INFO_KEY`: empty or too long.
pub fn check_key(key: &str) -> Result<()> {
    if key.is_empty() {
        fail!(INFO_KEY, "key is the empty string");
    }
    if key.len() >= MAX_KEY {
        fail!(
            INFO_KEY,
            "key has {} bytes; at most {} are allowed: \"{key}\"",
            key.len(),
            MAX_KEY - 1
        );
    }
    Ok(())
}

impl Pairs {
    pub fn new() -> Pairs {
        Pairs::default()
    }

    /// Sets or replaces a value; a replaced one keeps its place.
    ///
    /// # Errors
    /// `MPI_ERR_INFO_KEY`, `MPI_ERR_INFO_VALUE`: empty or too long.
    pub fn set(&self, key: &str, value: &str) -> Result<()> {
        check_key(key)?;
        if value.len() >= MAX_VALUE {
            fail!(
                INFO_VALUE,
                "the value of \"{key}\" has {} bytes; at most {} are allowed",
                value.len(),
                MAX_VALUE - 1
            );
        }
        self.put(key, value);
        Ok(())
    }

    /// Sets a pair that is known to be right.
    pub fn put(&self, key: &str, value: &str) {
        let mut list = self.list.borrow_mut();
        match list.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => value.clone_into(old),
            None => list.push((key.to_owned(), value.to_owned())),
        }
    }

    pub fn get(&self, key: &str) -> Option<String> {
        let list = self.list.borrow();
        let found = list.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.clone())
    }

    /// # Errors
    /// `MPI_ERR_INFO_NOKEY`: there is no such key.
    pub fn delete(&self, key: &str) -> Result<()> {
        check_key(key)?;
        let mut list = self.list.borrow_mut();
        let Some(place) = list.iter().position(|(name, _)| name == key) else {
            fail!(INFO_NOKEY, "key \"{key}\" is not in the info object");
        };
        list.remove(place);
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.list.borrow().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The key with number `n`, counted from 0.
    ///
    /// # Errors
    /// `MPI_ERR_ARG`: no key has this number.
    pub fn nth_key(&self, n: i32) -> Result<String> {
        let list = self.list.borrow();
        match usize::try_from(n).ok().and_then(|n| list.get(n)) {
            Some((key, _)) => Ok(key.clone()),
            None => fail!(
                ARG,
                "n = {n}: the info object has {} keys, numbered from 0",
                list.len()
            ),
        }
    }

    /// Sets every pair of another object.
    pub fn merge(&self, other: &Pairs) {
        for (key, value) in other.pairs() {
            self.put(&key, &value);
        }
    }

    /// A copy of the pairs in order.
    pub fn pairs(&self) -> Vec<(String, String)> {
        self.list.borrow().clone()
    }
}

/// What `MPI_INFO_ENV` and `MPI_Info_create_env` say of how a process was started (MPI-5.0, 11.5.1).
/// What is not known has no key.
#[derive(Clone, Debug, Default)]
pub struct Start {
    pub command: Option<String>,
    /// Arguments without the command, separated by blanks.
    pub arguments: Option<String>,
    pub maxprocs: Option<usize>,
    pub soft: Option<String>,
    pub host: Option<String>,
    pub arch: Option<String>,
    pub wdir: Option<String>,
    pub file: Option<String>,
    pub thread_level: Option<&'static str>,
}

impl Start {
    /// What the process itself can see; `maxprocs` and the level of thread support are the caller's.
    pub fn of_this_process() -> Start {
        let mut arguments = std::env::args_os().map(|a| a.to_string_lossy().into_owned());
        let command = arguments.next();
        let rest: Vec<String> = arguments.collect();
        Start {
            command,
            arguments: (!rest.is_empty()).then(|| rest.join(" ")),
            host: nix::unistd::gethostname()
                .ok()
                .map(|host| host.to_string_lossy().into_owned()),
            arch: Some(std::env::consts::ARCH.to_owned()),
            wdir: std::env::current_dir()
                .ok()
                .map(|dir| dir.to_string_lossy().into_owned()),
            ..Start::default()
        }
    }

    pub fn pairs(&self) -> Pairs {
        let pairs = Pairs::new();
        let maxprocs = self.maxprocs.map(|count| count.to_string());
        let known = [
            ("command", self.command.as_deref()),
            ("argv", self.arguments.as_deref()),
            ("maxprocs", maxprocs.as_deref()),
            ("soft", self.soft.as_deref()),
            ("host", self.host.as_deref()),
            ("arch", self.arch.as_deref()),
            ("wdir", self.wdir.as_deref()),
            ("file", self.file.as_deref()),
            ("thread_level", self.thread_level),
        ];
        for (key, value) in known {
            if let Some(value) = value {
                let mut end = value.len().min(MAX_VALUE - 1);
                while !value.is_char_boundary(end) {
                    end -= 1;
                }
                pairs.put(key, &value[..end]);
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::class;

    #[test]
    fn keys_keep_their_order_and_case() {
        let info = Pairs::new();
        for (key, value) in [("b", "1"), ("a", "2"), ("B", "3"), ("b", "4")] {
            info.set(key, value).unwrap();
        }
        let keys: Vec<String> = (0..3).map(|n| info.nth_key(n).unwrap()).collect();
        assert_eq!(keys, ["b", "a", "B"]);
        assert_eq!(info.get("b").as_deref(), Some("4"));
        assert_eq!(info.get("A"), None);
        assert_eq!(info.nth_key(3).unwrap_err().code(), class::ARG);
        assert_eq!(info.nth_key(-1).unwrap_err().code(), class::ARG);
        info.delete("a").unwrap();
        assert_eq!(info.nth_key(1).unwrap(), "B");
        assert_eq!(info.delete("a").unwrap_err().code(), class::INFO_NOKEY);
    }

    #[test]
    fn lengths_are_checked_to_the_byte() {
        let info = Pairs::new();
        let (key, value) = ("k".repeat(MAX_KEY - 1), "v".repeat(MAX_VALUE - 1));
        info.set(&key, &value).unwrap();
        assert_eq!(info.get(&key), Some(value.clone()));
        let code = |key: &str, value: &str| info.set(key, value).unwrap_err().code();
        assert_eq!(code(&(key.clone() + "k"), "v"), class::INFO_KEY);
        assert_eq!(code("", "v"), class::INFO_KEY);
        assert_eq!(code(&key, &(value.clone() + "v")), class::INFO_VALUE);
        info.set("empty", "").unwrap();
        assert_eq!(info.get("empty").as_deref(), Some(""));
    }

    #[test]
    fn copies_are_independent() {
        let info = Pairs::new();
        info.put("a", "1");
        let copy = info.clone();
        copy.put("a", "2");
        assert_eq!(info.get("a").as_deref(), Some("1"));
        info.merge(&copy);
        assert_eq!(info.get("a").as_deref(), Some("2"));
    }

    #[test]
    fn the_start_names_only_what_is_known() {
        let start = Start {
            command: Some("prog".into()),
            maxprocs: Some(4),
            ..Start::default()
        };
        let pairs = start.pairs().pairs();
        let expected = [("command", "prog"), ("maxprocs", "4")];
        assert!(
            pairs
                .iter()
                .map(|(k, v)| (&k[..], &v[..]))
                .eq(expected.into_iter())
        );
    }
}

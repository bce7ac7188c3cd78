//! A process that no launcher has started: a job of one, which keeps its own values.

use std::collections::HashMap;

use super::{Abort, Boot, Identity, node};
use crate::error::Result;
use crate::sys;

/// The launcher of a process without one.
pub struct Singleton {
    identity: Identity,
    values: HashMap<String, Vec<u8>>,
}

impl Singleton {
    pub fn new() -> Singleton {
        // A process id may come again, but not at the same time.
        let (process, time) = (std::process::id(), sys::nanoseconds());
        Singleton {
            identity: Identity {
                job: format!("singleton-{}-{process}-{time}", node::identity()),
                index: 0,
                size: 1,
                appnum: None,
                universe_size: None,
            },
            values: HashMap::new(),
        }
    }
}

impl Boot for Singleton {
    fn name(&self) -> &'static str {
        "none (singleton)"
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
        self.values.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn get(&mut self, index: usize, key: &str) -> Result<Option<Vec<u8>>> {
        let value = self.values.get(key).filter(|_| index == 0);
        Ok(value.cloned())
    }

    fn fence(&mut self) -> Result<()> {
        Ok(())
    }

    fn abort(&self) -> Option<Abort> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::Program;
    use super::*;
    use crate::error::class;

    #[test]
    fn it_is_alone_and_keeps_what_it_puts() {
        let mut alone = Singleton::new();
        assert_eq!((alone.identity().index, alone.identity().size), (0, 1));
        assert_ne!(alone.identity().job, Singleton::new().identity().job);
        alone.put("k", b"a b").unwrap();
        alone.fence().unwrap();
        assert_eq!(alone.get(0, "k").unwrap().as_deref(), Some(&b"a b"[..]));
        assert_eq!(alone.get(0, "l").unwrap(), None);
        assert_eq!(alone.get(1, "k").unwrap(), None);
    }

    #[test]
    fn a_launcher_that_cannot_start_processes_says_so() {
        let program = Program {
            command: "worker".into(),
            processes: 2,
            ..Program::default()
        };
        let error = Singleton::new().spawn(&[program], &[]).unwrap_err();
        assert_eq!(error.code(), class::SPAWN);
        assert!(error.what().contains("none (singleton)"), "{error}");
    }
}
